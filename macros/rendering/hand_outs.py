"""BERT on two pages, to be printed: base and large side by side, and the same with fields to fill in.

Both are made here of the same tables and pictures. What a reader is to work
out goes through `Fill`, which either keeps it or leaves a field in its place,
so that the sheet to fill in holds no answer, not even where nobody sees it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import NamedTuple

from macros.counting import BERT, Question, Row
from macros.counting.deviations import deviation_named
from macros.counting.disagreements.conditions import says
from macros.counting.frameworks.names import transformers_name, transformers_shape
from macros.counting.sum_lines import sum_lines

from .elements import formulas, numbers, pages, sum_html, words
from .elements.asking import SHORT, ask, of_both
from .elements.tables import BASE_AND_LARGE, NUMERIC, WORD, Column, code, numeric, table
from .figures.area_map import picture, sum_of
from .figures.levels import level_at

Fill = Callable[[str], str]
"""Makes of an answer, as HTML, what stands in its place."""

FIELD = '<span class="bc-empty"></span>'
"""A line to write on."""

NUMBER = re.compile(r"(?:\d+ × )?\d{1,3}(?:,\d{3})+")
"""What a picture of areas says of a block: its number, and how many such blocks there are."""

DEVIATIONS = ("pooler-left-out", "attention-one-layer", "biases-left-out", "one-norm-a-layer", "decoder-untied")
"""What is most often done differently, and what it does to the total."""

TIMES = "L"
"""The letter for how often a tensor of a layer is there."""


class Sheet(NamedTuple):
    """A hand-out: the address of its page from the top, and what it is called."""

    page: str
    title: str


SHEETS = {
    "bert-on-two-pages": Sheet("teach/two-pages.html", "BERT on two pages"),
    "bert-on-two-pages-to-fill-in": Sheet("teach/two-pages-to-fill-in.html", "BERT on two pages, to fill in"),
}
"""Every hand-out by the name of its file."""


def answered(answer: str) -> str:
    """The answer itself."""
    return answer


def asked_for(_: str) -> str:
    """A field in its place."""
    return FIELD


def two_pages(_: str) -> str:
    """Everything, worked out."""
    return _sheets(answered, answered)


def to_fill_in(_: str) -> str:
    """The same layout with fields."""
    return _sheets(asked_for, without_numbers)


def files(_: str) -> str:
    """The hand-outs; publishing adds the links to those that were printed."""
    listed = "".join(
        f'<li><a href="{pages.ROOT}{each.page}">{each.title}</a>'
        f'<span class="bc-printed" data-sheet="{name}"></span></li>'
        for name, each in SHEETS.items()
    )
    return f'<ul id="sheets">{listed}</ul>'


def figures(name: str) -> str:
    """The place for the list of all figures, which publishing fills once it has seen all pages."""
    return (
        f'<ul class="bc-gallery" id="{name}" data-search-exclude>'
        "<li>The list is made when the site is published.</li></ul>"
    )


def _sheets(fill: Fill, drawn: Fill) -> str:
    """Two sheets: sizes, map and tensors; then the sums, the formula, the classes and what is easily got wrong."""
    first = f"{_sizes()}{drawn(_maps())}{_tensors(fill)}"
    second = f"{_sums(fill)}{_formula(fill)}{_classes(fill)}{_deviations(fill)}"
    return "".join(f'<div class="bc-sheet" data-search-exclude>{each}</div>' for each in (first, second))


def _sizes() -> str:
    """The sizes of both models by letter: what everything follows from."""
    letters = [each for each in BERT.symbols if each.usual is None]
    rows = [["config key", *(code(each.key).replace("_", "_<wbr>") for each in letters)]]
    rows += [
        [f"BERT {short}", *(numbers.size(each.letter, model) for each in letters)] for model, short in SHORT.items()
    ]
    columns = [Column("letter"), *numeric(*(each.letter for each in letters))]
    return table("sizes", "The sizes, from which everything follows", columns, rows)


def _maps() -> str:
    """Both models as areas, each with its sum."""
    return f'<div class="bc-both">{"".join(map(_map, of_both(ask())))}</div>'


def _map(asked: Question) -> str:
    whole, home = level_at(""), pages.ROOT + pages.of_level(asked.model.name)
    drawn = picture(f"figure-{SHORT[asked.model.name]}", whole, asked, home)
    return f"<div>{drawn}{sum_of(whole, asked, home)}</div>"


def without_numbers(drawn: str) -> str:
    """Pictures as they are, but for every number that they show or carry."""
    for pattern, left in (
        (r' data-(?:value|part|result)="[^"]*"', ""),
        (r": (?:\d+ × )?[\d,]+(?=;|\.</desc>|</title>)", ""),
        (r"<tspan[^>]*>[^<]*</tspan>", ""),
        (r" · [\d,]+(?=</text>)", ""),
        # Without numbers nothing can be measured on the page; a test compares these areas with those that have them.
        (r"Areas are to scale\.", "Areas are in proportion."),
    ):
        drawn = re.sub(pattern, left, drawn)
    drawn = drawn.replace('class="bc-both"', 'class="bc-both bc-unnumbered"')
    return re.sub(r">[^<>]*<", lambda text: NUMBER.sub(FIELD, text[0]), drawn)


def _tensors(fill: Fill) -> str:
    """Every tensor: its shape in letters and in numbers, and its elements."""
    columns = [
        Column("tensor"),
        Column("times", WORD),
        Column("shape", WORD),
        *(Column(f"{short}: {what}", NUMERIC) for short in SHORT.values() for what in ("shape", "elements")),
    ]
    asked = ask()
    caption = (
        "Every tensor of BertModel, as transformers names it; a star is the number of a layer, "
        "and dense weights are (out, in)"
    )
    return table("tensors", caption, columns, [_tensor(row, asked, fill) for row in asked.rows])


def _tensor(row: Row, asked: Question, fill: Fill) -> list[str]:
    each = of_both(asked.at(row.path.replace("layer_*", "layer_0")))
    return [
        code(transformers_name(row, asked.architecture, asked.chosen.name)),
        formulas.symbol(TIMES) if row.repeated else "once",
        formulas.shape(transformers_shape(row)),
        *(
            fill(cell)
            for one in each
            for cell in (_dimensions(transformers_shape(row), one), numbers.counted(one, brief=True))
        ),
    ]


def _dimensions(shape: str, asked: Question) -> str:
    """A shape in numbers."""
    return " × ".join(numbers.whole(asked.sizes[letter]) for letter in shape.split())


def _sums(fill: Fill) -> str:
    """The whole model line by line, base beside large."""
    base, large = (sum_lines(each) for each in of_both(ask()))
    labels = words.labels(base)
    rows = [
        [escape(label), *(fill(sum_html.line(each)) for each in lines)]
        for label, *lines in zip(labels, base, large, strict=True)
    ]
    columns = [Column("what is counted"), *map(Column, SHORT.values())]
    return table("worked", "Worked out, line by line", columns, rows)


def _classes(fill: Fill) -> str:
    """The total of every model class."""
    columns = [Column("model class of transformers"), Column("for"), *BASE_AND_LARGE]
    rows = [
        [
            code(each.name),
            escape(each.purpose),
            *(fill(numbers.counted(sized, brief=True)) for sized in of_both(ask(model_class=each.name))),
        ]
        for each in BERT.classes
    ]
    labels = says("two labels", "C == 2")
    return table("classes", f"What each model class counts, with {labels} where a class has labels", columns, rows)


def _deviations(fill: Fill) -> str:
    """What some mistakes and conventions do to the totals."""
    columns = [Column("what is done differently"), *BASE_AND_LARGE]
    rows = [
        [escape(deviation_named(name).title), *(fill(numbers.deviation_effect(name, model)) for model in SHORT)]
        for name in DEVIATIONS
    ]
    return table("mistakes", "How much the total changes", columns, rows)


def _formula(fill: Fill) -> str:
    """The whole in letters."""
    return f'<p id="formula">In letters: {fill(formulas.inline(ask().polynomial))}</p>'
