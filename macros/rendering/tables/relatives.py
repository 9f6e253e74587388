"""What the page about BERT's relatives shows: titles, the steps from BERT base, mistakes, and models only like it."""

from __future__ import annotations

from html import escape
from pathlib import Path

from macros.counting import CountingError, Question, load_relatives, model_named
from macros.counting.errors import entry_of
from macros.counting.published.conditions import worth
from macros.counting.published.others import load_others
from macros.counting.published.relatives import (
    EMBEDDING_NORM,
    FINAL_NORM,
    FIRST_LAYER,
    LAYER_FORM,
    LAYER_WIDTH,
    LAYERS,
    POOLER,
    POSITIONS,
    PROJECTION,
    RELATIVE,
    SEGMENTS,
    TABLE_WIDTH,
    TOKENS,
    Difference,
    differences,
)

from ..components import formulas, numbers, pages, words
from ..components.asking import BASE, MAIN, ask
from ..components.permalinks import permalink
from ..components.rows import lines
from ..components.steps import change_of
from ..components.tables import code


def title(model: str, linked: bool = False) -> str:
    """What a model is called; `linked` leads to where its total is explained."""
    called = escape(model_named(model).title)
    return f'<a href="{pages.ROOT}{pages.of_model(model)}">{called}</a>' if linked else called


def block(model: str, tag: str) -> str:
    """The parameters of one block of a bare model, such as its pooler; "none" where it has none."""
    asked = ask(model=model)
    entry_of(words.BLOCKS, "block", tag)
    return numbers.counted(asked.at(tag=tag), brief=True) if tag in words.blocks_of(asked) else "none"


def steps(model: str) -> str:
    """What leads from BERT base to a relative, a step a row."""
    here, there = Question(model_named(BASE)), Question(model_named(model))
    return lines(
        [
            in_words(each, there),
            formulas.text(each.formula),
            each.working,
            change_of(each, kind="relative-step", model=model, step=place),
        ]
        for place, each in enumerate(differences(here, there))
    )


FORMS = {"modernbert": "layers without biases and with a gated feed-forward network"}
"""What is different in the layers of an architecture, where they are not built as BERT's."""


RELATIVE_TABLES = {
    "mpnet": "a table of {} relative positions, with a number for each head",
    "deberta-v2": "a table of {} relative positions in either direction, with a LayerNorm",
}
"""The table of relative positions of an architecture that has one."""


OWN_WORDS = {LAYER_FORM: ("FORMS", FORMS), RELATIVE: ("RELATIVE_TABLES", RELATIVE_TABLES)}
"""The steps for which each architecture has words of its own, and where these are written."""


def in_words(each: Difference, of: Question) -> str:
    """What a step is about, as one would say it.

    Raises:
        CountingError: it takes words of the architecture's own, and there are none.
    """
    if each.name in OWN_WORDS:
        name, words_of = OWN_WORDS[each.name]
        model_type = of.architecture.model_type
        if model_type not in words_of:
            raise CountingError(
                f"{of.model.name}: the step “{each.name}” needs words, and {name} in {Path(__file__).name} has "
                f"none for {model_type}; add what is different there, as for {', '.join(words_of)}"
            )
        return words_of[model_type].format(f"{each.there:,}")
    here, there = f"{each.here:,}", f"{each.there:,}"
    shared = "" if of.architecture.layers == ("L",) else "shared "
    plural = "" if each.there == 1 else "s"
    width = f"of width {there} instead of {here}"
    return {
        LAYERS: f"{there} {shared}layer{plural} instead of {here}",
        LAYER_WIDTH: f"{'layers' if each.there == of.sizes['H'] else 'feed-forward networks'} {width}",
        FIRST_LAYER: "no LayerNorm before attention in the first layer",
        FINAL_NORM: "a LayerNorm after the last layer",
        EMBEDDING_NORM: "no shift in the LayerNorm of the embeddings",
        TOKENS: f"{there} tokens in the vocabulary instead of {here}",
        POSITIONS: f"{there} positions instead of {here}" if each.there else "no table of positions",
        SEGMENTS: f"{there} segment{plural} instead of {here}" if each.there else "no segments",
        TABLE_WIDTH: f"embeddings {width}",
        PROJECTION: f"a dense layer that widens them from {here} to {there}",
        POOLER: f"a pooler {width}" if each.there else "no pooler",
    }.get(each.name, f"a table of {there} {each.name}" if each.there else f"no {each.name}")


def every() -> str:
    """Every relative that is counted here, with its sizes; its name leads to the calculator."""
    listed = list(load_relatives().values())
    rows = []
    for model in listed:
        asked = Question(model)
        also = f"; also {', '.join(map(escape, model.also))}" if model.also else ""
        address = f"{pages.ROOT}{pages.calculator(model.name)}"
        link = f'<a class="bc-title" href="{address}">{escape(model.title)}</a>'
        row = [
            f'{link}<br><span class="bc-purpose">{code(model.name)}{also}</span>',
            numbers.counted(asked, brief=True),
            *(numbers.size(letter, model.name) for letter in "VLH"),
            code(asked.chosen.name),
        ]
        rows.append(row)
    return lines(rows, [model.name for model in listed])


OTHERS = "other-models"
"""The id of the list of models that are not counted here."""


def others() -> str:
    """Models of which only totals are known here, with the classes of each; first those that are named after BERT."""
    items = []
    for other, (called, totals) in sorted(load_others().items(), key=lambda each: "BERT" not in each[1].title):
        alike: dict[int, list[str]] = {}
        for model_class, total in totals.items():
            alike.setdefault(total, []).append(model_class)
        counts = ", ".join(
            f"{_recorded(other, called, named[0], total)} ({' and '.join(map(code, named))})"
            for total, named in alike.items()
        )
        items.append(f'<li id="{other}"><span class="bc-title">{escape(called)}</span>: {counts}</li>')
    head = f"<p>The totals of each model, and its classes:&nbsp;{permalink(OTHERS, 'list')}</p>"
    return f'<div class="bc-recorded" id="{OTHERS}">{head}<ul>{"".join(items)}</ul></div>'


def _recorded(other: str, called: str, model_class: str, total: int) -> str:
    how = f"{called}\n{BUILT}"
    return numbers.in_full(total, how, kind="other", model=other, class_=model_class)


BUILT = "all tensors that transformers builds, added up"
"""Where the totals come from of models that are not counted here."""


def miscounted(model: str, counted: str = "", off: bool = False, **sizes: str) -> str:
    """What somebody gets who counts a model with some sizes of another: `miscounted("albert-base-v2", I="L")`.

    `off=True` gives by how much it is off. `counted` is the model that is
    counted instead; sizes are said in those of the model that is meant, as in
    `H="base.H"` or `V="digits(V, 2)"`.
    """
    meant = model_named(model)
    changed = {letter: worth(size, meant) for letter, size in sizes.items()}
    instead = model_named(counted or model)
    wrong, right = Question(instead.resized(**changed)), Question(meant)
    named = {
        "model": instead.name,
        "class": wrong.chosen.name,
        "sizes": " ".join(f"{letter}={size}" for letter, size in changed.items()),
    }
    if not off:
        return numbers.in_full(wrong.number, numbers.in_lines(wrong), kind="resized", **named)
    difference = wrong.number - right.number
    line = f"{numbers.whole(wrong.number)} − {numbers.whole(right.number)} = {numbers.whole(difference)}"
    return numbers.data(difference, numbers.signed(difference), line, kind="off", to=model, **named)


TOPIC: dict[str, object] = {
    "main": MAIN,
    "classes": {name: model.architecture.classes for name, model in load_relatives().items()},
    "title": title,
    "block": block,
    "steps": steps,
    "every": every,
    "others": others,
    "miscounted": miscounted,
}
"""What the page about relatives calls as `relatives.steps("roberta-base")`; `classes` are those of each relative, and
`main` the models that sections compare with BERT base."""
