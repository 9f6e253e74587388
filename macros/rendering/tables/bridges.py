"""Bridges on pages: the steps from a wrong total to the right one, as a table and as a waterfall."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import NamedTuple

from macros.counting import BERT, Question, model_named
from macros.counting.deviations import deviation_named
from macros.counting.published.bridges import BLOCK, MADE, SIZE, UNDONE, BridgeStep
from macros.counting.published.bridges import bridge as bridged

from ..components import formulas, numbers, svg, words
from ..components.steps import change_of
from ..components.tables import NUMERIC, PROSE, Column, table
from ..components.waterfalls import TOTAL, Stretch
from ..components.waterfalls import waterfall as drawing_of

UP, DOWN, WHOLE = "added", "taken", TOTAL
"""Styles: what is added, what is taken away, and the totals at both ends. No part of the model has their colours."""


class Ends(NamedTuple):
    """The two questions whose numbers a bridge joins."""

    start: Question
    end: Question


def bridge(name: str, start: Question, to: str) -> str:
    """A wrong total, the steps, and the right one: a waterfall, and a table that says the same.

    `to` is the model whose total is meant; empty for the same one.
    """
    ends = Ends(start, start._replace(model=model_named(to) if to else start.model, deviations=()))
    steps = bridged(*ends)
    return waterfall(f"{name}-figure", ends, steps) + steps_table(name, ends, steps)


def title(step: BridgeStep, sizes: Mapping[str, int]) -> str:
    """What a step asks for, as an imperative; or another size, which is that of `sizes`, at the end of the bridge."""
    if step.kind == UNDONE:
        return deviation_named(step.name).undo
    if step.kind == MADE:
        return deviation_named(step.name).title
    if step.kind == BLOCK:
        return f"{'add' if step.value > 0 else 'remove'} {words.BLOCKS[step.name]}"
    if step.kind == SIZE:
        meaning = next(each.meaning for each in BERT.symbols if each.letter == step.name)
        now, old = (numbers.whole(each[step.name]) for each in (sizes, step.sizes))
        return f"{meaning}: {step.name} = {now}, not {old}"
    return f"{'untie' if step.value > 0 else 'tie'} the decoder"


def why(step: BridgeStep) -> str:
    """Why, in a sentence; a size that changes needs none."""
    return deviation_named(step.name).why if step.kind in (UNDONE, MADE) else ""


def steps_table(name: str, ends: Ends, steps: tuple[BridgeStep, ...]) -> str:
    """The steps with change and formula; the first row is the start, the last the end."""
    columns = [Column("step", PROSE), Column("parameters", NUMERIC), Column("formula"), Column("why", PROSE)]
    question = _question(ends)
    rows = [[escape(_called(ends.start)), _end(ends.start), "", ""]]
    for place, step in enumerate(steps):
        what = title(step, ends.end.sizes)
        change = change_of(step, what, step.sum, kind="step", step=place, **question)
        rows.append([escape(what), change, formulas.change(step), escape(why(step))])
    if not any(map(why, steps)):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    foot = [escape(_called(ends.end)), _end(ends.end), "", ""]
    caption = words.PHRASES["step-by-step"].format(bridge=_way(ends))
    return table(name, caption, columns, rows, foot[: len(columns)])


def _question(ends: Ends) -> dict[str, str]:
    asked, to = ends.start, ends.end.model.name
    question = {"model": asked.model.name, "class": asked.chosen.name, "deviations": " ".join(asked.deviations)}
    return question if to == asked.model.name else {**question, "to": to}


def _end(asked: Question) -> str:
    return numbers.deviating(asked, "\n".join(each.title for each in asked.deviation_values))


def _called(asked: Question) -> str:
    """What the number at an end is: that of a model and class, or, with deviations, of nothing that is built."""
    return "the number to start from" if asked.deviations else f"{asked.model.title} ({asked.chosen.name})"


def _way(ends: Ends) -> str:
    """From one number to the other, with what that is the number of."""
    start, end = (numbers.whole(each.number) for each in ends)
    return words.PHRASES["bridge"].format(start=start, end=end, what=_called(ends.end))


def waterfall(name: str, ends: Ends, steps: tuple[BridgeStep, ...]) -> str:
    """The steps drawn one after the other, each from where the last one ended."""
    first, last = (Stretch(WHOLE, _called(each), numbers.whole(each.number), 0, each.number) for each in ends)
    between = (
        Stretch(
            UP if step.value > 0 else DOWN,
            title(step, ends.end.sizes),
            numbers.signed(step.value),
            step.before,
            step.after,
        )
        for step in steps
    )
    drawn = [first, *between, last]
    drawing = drawing_of(drawn)
    again = f" {words.PHRASES['panel']}" if "bc-panel" in drawing else ""
    present = {each.style for each in drawn}
    return svg.figure(
        name,
        _way(ends),
        "; ".join(f"{each.label}: {each.note}" for each in drawn),
        drawing,
        f"{words.PHRASES['waterfall']}{again}"
        + svg.legend({style: meant for style, meant in words.WATERFALL.items() if style in present}),
    )
