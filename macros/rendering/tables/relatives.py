"""BERT's relatives: block by block, class by class, step by step from BERT base; and models that are only like it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import NamedTuple

from macros.counting import BERT, Model, Question, load_relatives, model_named
from macros.counting.disagreements.others import load_others
from macros.counting.disagreements.relatives import (
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

from ..elements import formulas, numbers, pages, words
from ..elements.asking import BASE, FAMILIES, MAIN
from ..elements.permalinks import permalink
from ..elements.tables import PROSE, Column, code, numeric, table


def blocks(name: str) -> str:
    """BERT base and the main relatives, block by block."""
    shown = list(words.blocks_of(Question(model_named(BASE))))
    columns = [Column("model"), *numeric("total", *(COLUMNS[each] for each in shown))]
    rows = []
    for asked in map(Question, map(model_named, (BASE, *MAIN))):
        present = words.blocks_of(asked)
        cells = [numbers.counted(asked.at(tag=each), brief=True) if each in present else "none" for each in shown]
        rows.append([_linked_title(asked.model), numbers.counted(asked, brief=True), *cells])
    return table(name, "Parameters of the bare models, block by block", columns, rows)


COLUMNS = {
    "embeddings": "embeddings",
    "self-attention": "self-attention",
    "feed-forward": "feed-forward",
    "encoder-norms": "LayerNorms",
    "pooler": "pooler",
}
"""The blocks of a bare model as headings."""


def _linked_title(model: Model) -> str:
    return f'<a href="{pages.ROOT}{pages.of_model(model.name)}">{escape(model.title)}</a>'


def steps(model: str, name: str) -> str:
    """What leads from BERT base to a relative, a step a row, from the one total to the other."""
    here, there = Question(model_named(BASE)), Question(model_named(model))
    columns = [Column("what differs"), Column("formula"), Column("worked out"), *numeric("parameters")]
    rows = [[_end(here), "", "", numbers.counted(here, brief=True)]]
    for place, each in enumerate(differences(here, there)):
        how = f"{each.formula}\n{each.working}"
        change = numbers.data(
            *(each.value, numbers.signed(each.value), how), kind="relative-step", model=model, step=str(place)
        )
        line, *_ = each.working.partition(" = ")
        rows.append([in_words(each, there), formulas.text(each.formula), line, change])
    foot = [_end(there), "", "", numbers.counted(there, brief=True)]
    caption = f"From {here.model.title}, to {there.model.title}; a letter with a prime is a size of the latter"
    return table(name, caption, columns, rows, foot)


def _end(asked: Question) -> str:
    return f"{escape(asked.model.title)}, {code(asked.chosen.name)}"


FORMS = {"modernbert": "layers without biases and with a gated feed-forward network"}
"""What is different in the layers of an architecture, where they are not built as BERT's."""


RELATIVE_TABLES = {
    "mpnet": "a table of {} relative positions, with a number for each head",
    "deberta-v2": "a table of {} relative positions in either direction, with a LayerNorm",
}
"""The table of relative positions of an architecture that has one."""


def in_words(each: Difference, of: Question) -> str:
    """What a step is about, as one would say it."""
    here, there = f"{each.here:,}", f"{each.there:,}"
    shared = "" if of.architecture.layers == ("L",) else "shared "
    plural = "" if each.there == 1 else "s"
    width = f"of width {there} instead of {here}"
    return {
        LAYERS: f"{there} {shared}layer{plural} instead of {here}",
        LAYER_WIDTH: f"{'layers' if each.there == of.sizes['H'] else 'feed-forward networks'} {width}",
        LAYER_FORM: FORMS.get(of.architecture.model_type, ""),
        FIRST_LAYER: "no LayerNorm before attention in the first layer",
        FINAL_NORM: "a LayerNorm after the last layer",
        EMBEDDING_NORM: "no shift in the LayerNorm of the embeddings",
        TOKENS: f"{there} tokens in the vocabulary instead of {here}",
        POSITIONS: f"{there} positions instead of {here}" if each.there else "no table of positions",
        SEGMENTS: f"{there} segment{plural} instead of {here}" if each.there else "no segments",
        TABLE_WIDTH: f"embeddings {width}",
        PROJECTION: f"a dense layer that widens them from {here} to {there}",
        RELATIVE: RELATIVE_TABLES.get(of.architecture.model_type, "").format(there),
        POOLER: f"a pooler {width}" if each.there else "no pooler",
    }[each.kind]


def classes(models: tuple[str, ...], name: str) -> str:
    """The totals of some models of one architecture in each of its classes."""
    chosen = list(map(model_named, models))
    architecture = chosen[0].architecture
    columns = [Column("class"), *numeric(*(each.title for each in chosen))]
    rows = [
        [
            f'{code(each.name)}<br><span class="bc-purpose">{escape(each.purpose)}</span>',
            *(numbers.counted(Question(model, each.name), brief=True) for model in chosen),
        ]
        for each in architecture.classes
    ]
    # A model built as BERT is, such as MiniLM, is called by its own name.
    called = chosen[0].title.partition(",")[0] if architecture is BERT else architecture.name
    return table(name, f"Totals of {called} by model class of transformers", columns, rows)


def every(name: str) -> str:
    """Every relative that is counted here, with its sizes; its name leads to the calculator."""
    columns = [Column("model"), *numeric("parameters", "V", "L", "H"), Column("class")]
    listed = list(load_relatives().values())
    rows = []
    for model in listed:
        asked = Question(model)
        also = f"; also {', '.join(map(escape, model.also))}" if model.also else ""
        address = f"{pages.ROOT}{pages.calculator(model.name)}"
        title = f'<a class="bc-title" href="{address}">{escape(model.title)}</a>'
        row = [
            f'{title}<br><span class="bc-purpose">{code(model.name)}{also}</span>',
            numbers.counted(asked, brief=True),
            *(numbers.size(letter, model.name) for letter in "VLH"),
            code(asked.chosen.name),
        ]
        rows.append(row)
    caption = "Relatives with the number of parameters of the bare model; a name opens the calculator"
    return table(name, caption, columns, rows, row_ids=[model.name for model in listed])


def others(name: str) -> str:
    """Models of which only totals are known here, with the classes of each; first those that are named after BERT."""
    items = []
    for other, (title, totals) in sorted(load_others().items(), key=lambda each: "BERT" not in each[1].title):
        alike: dict[int, list[str]] = {}
        for model_class, total in totals.items():
            alike.setdefault(total, []).append(model_class)
        counts = ", ".join(
            f"{_recorded(other, title, named[0], total)} ({' and '.join(map(code, named))})"
            for total, named in alike.items()
        )
        items.append(f'<li id="{other}"><span class="bc-title">{escape(title)}</span>: {counts}</li>')
    head = f"<p>The totals of each model, and its classes:&nbsp;{permalink(name, 'list')}</p>"
    return f'<div class="bc-recorded" id="{name}">{head}<ul>{"".join(items)}</ul></div>'


def _recorded(other: str, title: str, model_class: str, total: int) -> str:
    how = f"{title}\n{BUILT}"
    return numbers.in_full(total, how, kind="other", model=other, class_=model_class)


BUILT = "all tensors that transformers builds, added up"
"""Where the totals come from of models that are not counted here."""


class Mistake(NamedTuple):
    """One way to miscount a relative: the model meant, the model counted, with some sizes, and why that is wrong."""

    title: str
    meant: str
    counted: str
    sizes: Callable[[Mapping[str, int]], Mapping[str, int]]
    why: str


def _base(letter: str) -> int:
    return model_named(BASE).sizes[letter]


def _two_figures(number: int) -> int:
    return round(number, 2 - len(str(number)))


MISTAKES = (
    Mistake(
        "ALBERT: counting the shared layer once for every time it runs",
        *("albert-base-v2", "albert-base-v2"),
        lambda sizes: {"I": sizes["L"]},
        "The layers are one set of weights, applied again and again, so it counts once.",
    ),
    Mistake(
        "DistilBERT: taking BERT base and changing only the number of layers",
        *("distilbert-base-uncased", BASE),
        lambda _: {"L": model_named("distilbert-base-uncased").sizes["L"]},
        "DistilBERT has no segments and no pooler either.",
    ),
    Mistake(
        "RoBERTa: leaving out the rows of positions that no token uses",
        *("roberta-base", "roberta-base"),
        lambda _: {"P": _base("P")},
        "Positions are numbered from behind the number of the padding token; the rows before the first are in the "
        "table all the same.",
    ),
    Mistake(
        "RoBERTa: keeping both segments of BERT",
        *("roberta-base", "roberta-base"),
        lambda _: {"S": _base("S")},
        "Its table of segments has a single row.",
    ),
    Mistake(
        "XLM-RoBERTa: rounding the vocabulary",
        *("xlm-roberta-base", "xlm-roberta-base"),
        lambda sizes: {"V": _two_figures(sizes["V"])},
        "Papers give the round number; the config has the exact one.",
    ),
    Mistake(
        "ELECTRA small: giving the embeddings the width of the layers",
        *("electra-small-discriminator", "electra-small-discriminator"),
        lambda sizes: {"E": sizes["H"]},
        "The embeddings have a width of their own, E, and a dense layer widens them.",
    ),
    Mistake(
        "MiniLM: taking the widths of BERT base",
        *("MiniLM-L6-H384-uncased", "MiniLM-L6-H384-uncased"),
        lambda _: {"H": _base("H"), "F": _base("F")},
        "MiniLM has widths of its own, not only fewer layers.",
    ),
)


def mistakes(name: str) -> str:
    """What goes wrong with relatives, with what one gets and by how much it is off."""
    columns = [Column("what is done", PROSE), *numeric("you get", "off by"), Column("why it is wrong", PROSE)]
    rows = []
    for each in MISTAKES:
        model, right = model_named(each.counted), Question(model_named(each.meant))
        sizes = each.sizes(model.sizes)
        wrong = Question(model.resized(**sizes))
        named = {
            "model": model.name,
            "class": wrong.chosen.name,
            "sizes": " ".join(f"{letter}={size}" for letter, size in sizes.items()),
        }
        how = numbers.in_lines(wrong)
        off = wrong.number - right.number
        line = f"{numbers.whole(wrong.number)} − {numbers.whole(right.number)} = {numbers.whole(off)}"
        rows.append(
            [
                each.title,
                numbers.in_full(wrong.number, how, kind="resized", **named),
                numbers.data(off, numbers.signed(off), line, kind="off", to=each.meant, **named),
                each.why,
            ]
        )
    return table(name, "What is easily miscounted, and by how much", columns, rows)


def tables() -> dict[str, Callable[[str], str]]:
    """The tables of the page by name."""
    return {
        "relatives-blocks": blocks,
        "relatives": every,
        "other-models": others,
        "relatives-mistakes": mistakes,
        **{f"{family}-steps": partial(steps, models[0]) for family, models in FAMILIES.items()},
        **{f"{family}-classes": partial(classes, models) for family, models in FAMILIES.items()},
    }
