"""Bridges: the steps from one total to another, as a table and as a waterfall with the same content.

`macros/counting/published/bridges.py` finds the steps, and this module describes them. A
step that undoes a deviation is described by an imperative; a step that applies one, by the
deviation's title.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import NamedTuple

from macros.counting import BERT, Question, model_named
from macros.counting.deviations import deviation_named
from macros.counting.published.bridges import BLOCK, MAKE, SIZE, UNDO, BridgeStep
from macros.counting.published.bridges import bridge as steps_between

from ..components import formulas, numbers, svg, words
from ..components.steps import value_of_step
from ..components.tables import NUMERIC, PROSE, Column, table
from ..components.waterfalls import TOTAL, WaterfallBar
from ..components.waterfalls import waterfall as drawing_of

ADDED = "added"
TAKEN = "taken"
"""The styles of bars for positive and negative steps, in colours that no part of a model uses."""


class Ends(NamedTuple):
    """The two questions whose totals a bridge connects."""

    start: Question
    end: Question


def bridge(name: str, start: Question, end_model: str) -> str:
    """The waterfall and the table of the steps from the total of one question to that of another.

    Args:
        name: the id of the table; the waterfall's is derived from it.
        start: the first question, with any deviations.
        end_model: the name of the model in the second question, which has no deviations; empty for that of `start`.
    """
    ends = Ends(start, start._replace(model=model_named(end_model) if end_model else start.model, deviations=()))
    steps = steps_between(*ends)
    return waterfall(f"{name}-figure", ends, steps) + steps_table(name, ends, steps)


def title(step: BridgeStep, sizes: Mapping[str, int]) -> str:
    """The description of a step; `sizes` are the sizes at the end of the bridge."""
    if step.kind == UNDO:
        return deviation_named(step.name).undo
    if step.kind == MAKE:
        return deviation_named(step.name).title
    if step.kind == BLOCK:
        return f"{'add' if step.value > 0 else 'remove'} {words.BLOCKS[step.name]}"
    if step.kind == SIZE:
        meaning = next(symbol.meaning for symbol in BERT.symbols if symbol.letter == step.name)
        new_size = numbers.whole(sizes[step.name])
        old_size = numbers.whole(step.sizes[step.name])
        return f"{meaning}: {step.name} = {new_size}, not {old_size}"
    return f"{'untie' if step.value > 0 else 'tie'} the decoder"


def reason(step: BridgeStep) -> str:
    """The reason for a step as a sentence; empty for self-explanatory steps, such as a new size."""
    return deviation_named(step.name).why if step.kind in (UNDO, MAKE) else ""


def steps_table(name: str, ends: Ends, steps: tuple[BridgeStep, ...]) -> str:
    """A table of the steps with change, formula and reason, between a row for the start and a row for the end."""
    columns = [Column("step", PROSE), Column("parameters", NUMERIC), Column("formula"), Column("why", PROSE)]
    attributes = _attributes(ends)
    rows = [[escape(_label(ends.start)), _total(ends.start), "", ""]]
    for index, step in enumerate(steps):
        words_of_step = title(step, ends.end.sizes)
        value = value_of_step(step, words_of_step, step.sum, kind="step", step=index, **attributes)
        rows.append([escape(words_of_step), value, formulas.of_step(step), escape(reason(step))])
    if not any(map(reason, steps)):
        columns = columns[:-1]
        rows = [row[:-1] for row in rows]
    foot = [escape(_label(ends.end)), _total(ends.end), "", ""]
    caption = words.PHRASES["step-by-step"].format(bridge=_heading(ends))
    return table(name, caption, columns, rows, foot[: len(columns)])


def _attributes(ends: Ends) -> dict[str, str]:
    """The attributes that record the bridge, so that a test can recompute its steps."""
    start = ends.start
    end_model = ends.end.model.name
    attributes = {
        "model": start.model.name,
        "class": start.resolved_class.name,
        "deviations": " ".join(start.deviations),
    }
    return attributes if end_model == start.model.name else {**attributes, "to": end_model}


def _total(question: Question) -> str:
    """The number at one end of a bridge, explained by the titles of its deviations and its sum."""
    return numbers.deviating_number(question, "\n".join(deviation.title for deviation in question.resolved_deviations))


def _label(question: Question) -> str:
    """The label of one end: its model and class, or a neutral phrase if it has deviations."""
    if question.deviations:
        return "the number to start from"
    return f"{question.model.title} ({question.resolved_class.name})"


def _heading(ends: Ends) -> str:
    """The heading of a bridge: its two numbers and the label of the second."""
    start_text, end_text = (numbers.whole(question.number) for question in ends)
    return words.PHRASES["bridge"].format(start=start_text, end=end_text, what=_label(ends.end))


def waterfall(name: str, ends: Ends, steps: tuple[BridgeStep, ...]) -> str:
    """The bridge as a figure, in which each step's bar begins where the previous bar ends."""
    first, last = (
        WaterfallBar(TOTAL, _label(question), numbers.whole(question.number), 0, question.number) for question in ends
    )
    bars_between = (
        WaterfallBar(
            ADDED if step.value > 0 else TAKEN,
            title(step, ends.end.sizes),
            numbers.with_sign(step.value),
            step.before,
            step.after,
        )
        for step in steps
    )
    bars = [first, *bars_between, last]
    drawing = drawing_of(bars)
    panel = f" {words.PHRASES['panel']}" if "bc-panel" in drawing else ""
    styles = {bar.style for bar in bars}
    return svg.figure(
        name,
        _heading(ends),
        "; ".join(f"{bar.label}: {bar.note}" for bar in bars),
        drawing,
        f"{words.PHRASES['waterfall']}{panel}"
        + svg.legend({style: meaning for style, meaning in words.WATERFALL.items() if style in styles}),
    )
