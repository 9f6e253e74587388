"""BERT on two pages, to be printed, base and large side by side; and the list of all there is to print."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from macros.counting import BERT, Question, Row
from macros.counting.deviations import deviation_named
from macros.counting.frameworks.names import transformers_name, transformers_shape
from macros.counting.published.conditions import says
from macros.counting.search.parts import Part
from macros.counting.sum_lines import sum_lines

from .components import formulas, numbers, pages, sum_html, svg, words
from .components.asking import SHORT, ask, of_both
from .components.tables import BASE_AND_LARGE, WORD, Column, code, numeric, table
from .components.templates import render
from .figures.area_map import picture, sum_of
from .figures.levels import level_at

DEVIATIONS = ("pooler-left-out", "attention-one-layer", "biases-left-out", "one-norm-a-layer", "decoder-untied")
"""What is most often done differently, and what it does to the total."""

WORD_AT_MOST = 13
"""So many letters fit on a line of a box."""

TIMES = "L"
"""The letter for how often a tensor of a layer is there."""


PAPER = ("A4", "Letter")

SCREEN = "slides"
"""What is as large as its style sheet says, to be shown and not printed."""


class Sheet(NamedTuple):
    """A hand-out: the address of its page from the top, what it is called, and what for there is a PDF of it."""

    page: str
    title: str
    papers: tuple[str, ...] = PAPER


SHEETS = {
    "count-bert-by-hand": Sheet("teach/sheet.html", "Count BERT by hand, a sheet to fill in"),
    "lesson-plan": Sheet("teach/plan.html", "The lesson on one page, with the answers to the sheet"),
    "the-board": Sheet("teach/slides.html", "The board as slides", (SCREEN,)),
    "bert-on-two-pages": Sheet("teach/two-pages.html", "BERT on two pages"),
}
"""Every hand-out by the name of its file."""


def two_pages() -> str:
    """Sizes, map and tensors; then the flow, the sums, the formula, the classes and what is easily got wrong."""
    return render(
        "hand-outs/two-pages.html",
        sizes=_sizes(),
        maps=[_map(each) for each in of_both(ask())],
        tensors=_tensors(),
        flow=_flow(),
        sums=_sums(),
        formula=formulas.inline(ask().polynomial),
        classes=_classes(),
        deviations=_deviations(),
    )


def sheets() -> str:
    """A link to each hand-out; publishing adds those to the files that were printed."""
    return render("hand-outs/sheets.html", sheets=SHEETS)


def _sizes() -> str:
    """The sizes of both models by letter: what everything follows from."""
    letters = [each for each in BERT.symbols if each.usual is None]
    rows = [["config key", *(code(each.key).replace("_", "_<wbr>") for each in letters)]]
    rows += [
        [f"BERT {short}", *(numbers.size(each.letter, model) for each in letters)] for model, short in SHORT.items()
    ]
    columns = [Column("letter"), *numeric(*(each.letter for each in letters))]
    return table("sizes", "The sizes, from which everything follows", columns, rows)


def _map(asked: Question) -> str:
    """A model as areas, with its sum."""
    whole, home = level_at(""), pages.ROOT + pages.of_level(asked.model.name)
    return picture(f"figure-{SHORT[asked.model.name]}", whole, asked, home) + sum_of(whole, asked, home)


def _tensors() -> str:
    """Every tensor: what it belongs to, its shape in letters, and its elements."""
    columns = [
        Column("what it belongs to"),
        Column("tensor"),
        Column("times", WORD),
        Column("shape", WORD),
        *BASE_AND_LARGE,
    ]
    asked = ask()
    caption = (
        "Every tensor of BertModel with its elements, as transformers names it; a star is the number of a layer, "
        "and dense weights are (out, in)"
    )
    modules = [_module(row) for row in asked.rows]
    rows = [
        [escape("" if module == above else module), *_tensor(row, asked)]
        for above, module, row in zip(["", *modules], modules, asked.rows, strict=False)
    ]
    return table("tensors", caption, columns, rows)


def _module(row: Row) -> str:
    """What a tensor belongs to, in the words of the sums."""
    part = row.path.replace("layer_*", "layer_0")
    module = part.rpartition("/")[0] if part.rpartition("/")[2] in words.LEAVES else part
    return words.in_words(Part(module)).removesuffix(" in one layer")


def _tensor(row: Row, asked: Question) -> list[str]:
    each = of_both(asked.at(row.path.replace("layer_*", "layer_0")))
    return [
        code(transformers_name(row, asked.architecture, asked.chosen.name)),
        formulas.symbol(TIMES) if row.repeated else "once",
        formulas.shape(transformers_shape(row)),
        *(numbers.counted(one, brief=True) for one in each),
    ]


WIDE, HIGH, APART, LEFT, TOP = 90, 42, 14, 66, 44
"""The boxes of the flow in pixels: how large they are and how far apart; what is left of them, and above."""

LAYER = "bert/encoder/layer_0"

STAGES = (
    ("the embeddings", "bert/embeddings", ""),
    ("self-attention", LAYER, "self-attention"),
    ("add, LayerNorm", f"{LAYER}/attention/output/LayerNorm", ""),
    ("feed-forward network", LAYER, "feed-forward"),
    ("add, LayerNorm", f"{LAYER}/output/LayerNorm", ""),
    ("the pooler", "bert/pooler", ""),
)
"""What comes after what: in words, and as a part and a tag."""


def _flow() -> str:
    """What comes after what, with the parameters of each part below it in base and in large."""
    middle, foot, body = TOP + HIGH / 2, TOP + HIGH, ""
    lefts = [LEFT + place * (WIDE + APART) for place in range(len(STAGES))]
    # The layer around what stands in it, and its residual connections.
    start, end = lefts[1] - APART / 2, lefts[4] + WIDE + APART / 2
    body += svg.path(f"M{start:g} 18H{end:g}V{foot + 44}H{start:g}z")
    body += svg.text((start + end) / 2, 12, "one of L layers")
    for left, (called, part, tag) in zip(lefts, STAGES, strict=True):
        body += svg.arrow(f"M{left - APART:g} {middle:g}h{APART - 4}", left, middle, "right")
        body += f'<rect x="{left:g}" y="{TOP}" width="{WIDE}" height="{HIGH}" rx="4" class="bc-step"/>'
        first, _, second = called.partition(" ") if len(called) > WORD_AT_MOST else (called, "", "")
        for place, line in enumerate(filter(None, (first, second))):
            body += svg.text(left + WIDE / 2, middle + (4 if not second else 16 * place - 4), line, style="small")
        for place, each in enumerate(of_both(ask(part, tag))):
            body += svg.text(left + WIDE / 2, foot + 17 + 17 * place, numbers.whole(each.number), style="figures")
    for here, there in ((1, 2), (3, 4)):
        x, y = lefts[here] - APART / 2 + 3, lefts[there] + WIDE / 2
        body += svg.arrow(f"M{x:g} {middle:g}V28H{y:g}V{TOP - 4}", y, TOP)
    body += svg.text(LEFT - APART - 4, middle + 4, "tokens", anchor="end", style="small")
    for place, short in enumerate(SHORT.values()):
        body += svg.text(LEFT - APART - 4, foot + 17 + 17 * place, short, anchor="end", style="small")
    sizes = " and ".join(f"{numbers.whole(each.sizes[TIMES])} in {SHORT[each.model.name]}" for each in of_both(ask()))
    return svg.figure(
        "figure-flow",
        "What comes after what in BERT",
        f"From left to right: {', '.join(called for called, _, _ in STAGES)}. "
        "The input of self-attention and of the feed-forward network is added to what comes out.",
        svg.canvas(lefts[-1] + WIDE + 2, foot + 48, body),
        f"What comes after what, with the parameters of each part. The layer is there L times: {sizes}.",
    )


def _sums() -> str:
    """The whole model line by line, base beside large."""
    base, large = (sum_lines(each) for each in of_both(ask()))
    labels = words.labels(base)
    rows = [
        [escape(label), *(sum_html.line(each) for each in lines)]
        for label, *lines in zip(labels, base, large, strict=True)
    ]
    columns = [Column("what is counted"), *map(Column, SHORT.values())]
    return table("worked", "Worked out, line by line", columns, rows)


def _classes() -> str:
    """The total of every model class."""
    columns = [Column("model class of transformers"), Column("for"), *BASE_AND_LARGE]
    rows = [
        [
            code(each.name),
            escape(each.purpose),
            *(numbers.counted(sized, brief=True) for sized in of_both(ask(model_class=each.name))),
        ]
        for each in BERT.classes
    ]
    labels = says("two labels", "C == 2")
    return table("classes", f"What each model class counts, with {labels} where a class has labels", columns, rows)


def _deviations() -> str:
    """What some mistakes and conventions do to the totals."""
    columns = [Column("what is done differently"), *BASE_AND_LARGE]
    rows = [
        [escape(deviation_named(name).title), *(numbers.deviation_effect(name, model) for model in SHORT)]
        for name in DEVIATIONS
    ]
    return table("mistakes", "How much the total changes", columns, rows)


TOPIC = {"sheets": sheets, "two_pages": two_pages}
"""What the pages of hand-outs call."""
