"""The hand-out "BERT on two pages", which compares BERT base and BERT large, and the list of all hand-outs.

All other hand-outs are generated in `macros/teaching`. Publishing can print the hand-outs in `HAND_OUTS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from macros.counting import BERT, Question, Row
from macros.counting.architecture import ONE_LAYER
from macros.counting.deviations import deviation_named
from macros.counting.frameworks.names import transformers_name, transformers_shape
from macros.counting.published.conditions import says
from macros.counting.search.parts import Part
from macros.counting.sum_lines import sum_lines

from .components import formulas, numbers, pages, sum_html, svg, words
from .components.asking import SHORT_NAMES, ask, questions_about_both
from .components.tables import BASE_AND_LARGE, WORD, Column, code, numeric_columns, table
from .components.templates import render
from .figures.area_map import picture, sum_of
from .figures.levels import level_at
from .tables.disagreements import title_of_deviation

DEVIATIONS = ("pooler-left-out", "attention-one-layer", "biases-left-out", "one-norm-a-layer", "decoder-untied")
"""The mistakes and conventions in the hand-out."""

CHARACTERS_PER_LINE = 13
"""The maximum number of characters that fit on a line of a box."""

LAYERS_LETTER = "L"
"""The letter for the number of layers, which is also the number of times that a tensor of the layers occurs."""

PAPER_SIZES = ("A4", "Letter")
"""The paper sizes of hand-outs."""

SCREEN = "slides"
"""Takes the place of a paper size for a PDF that is shown on a screen; the style sheet sets the size of its pages."""


class HandOut(NamedTuple):
    """A hand-out.

    Attributes:
        page: the address of its page, relative to the root of the site.
        title: its title in the list of hand-outs.
        papers: the paper sizes of its PDF files, or `SCREEN`; by default, all of `PAPER_SIZES`.
    """

    page: str
    title: str
    papers: tuple[str, ...] = PAPER_SIZES


HAND_OUTS = {
    "count-bert-by-hand": HandOut("teach/sheet.html", "Count BERT by hand: a sheet to fill in"),
    "lesson-plan": HandOut("teach/plan.html", "The lesson on one page, with the answers to the sheet"),
    "the-board": HandOut("teach/slides.html", "Slides for the lesson", (SCREEN,)),
    "bert-on-two-pages": HandOut("teach/two-pages.html", "BERT on two pages"),
}
"""Every hand-out by the name of its files."""


def two_pages() -> str:
    """The two pages: first sizes, maps and tensors, then the flow, sums, formula, classes and mistakes."""
    return render(
        "hand-outs/two-pages.html",
        sizes=_sizes(),
        maps=[_map(question) for question in questions_about_both(ask())],
        tensors=_tensors(),
        flow=_flow(),
        sums=_sums(),
        formula=formulas.inline(ask().polynomial),
        classes=_classes(),
        deviations=_deviations(),
    )


def links() -> str:
    """A list with a link to each hand-out; if publishing prints them, it adds links to the PDF files."""
    return render("hand-outs/links.html", hand_outs=HAND_OUTS)


def _sizes() -> str:
    """A table of the required sizes of both models, by letter."""
    symbols = [symbol for symbol in BERT.symbols if symbol.default is None]
    rows = [["config key", *(code(symbol.key).replace("_", "_<wbr>") for symbol in symbols)]]
    rows += [
        [f"BERT {short_name}", *(numbers.size(symbol.letter, model) for symbol in symbols)]
        for model, short_name in SHORT_NAMES.items()
    ]
    columns = [Column("letter"), *numeric_columns(*(symbol.letter for symbol in symbols))]
    return table("sizes", "The sizes of BERT base and BERT large", columns, rows)


def _map(question: Question) -> str:
    """The picture of a whole model, with its sum below it."""
    level = level_at("")
    home = pages.ROOT + pages.of_level(question.model.name)
    return picture(f"figure-{SHORT_NAMES[question.model.name]}", level, question, home) + sum_of(level, question, home)


def _tensors() -> str:
    """A table of every tensor: module, name, number of occurrences, symbolic shape, and elements."""
    columns = [
        Column("part"),
        Column("tensor"),
        Column("times", WORD),
        Column("shape", WORD),
        *BASE_AND_LARGE,
    ]
    question = ask()
    caption = (
        "Every tensor of BertModel, as transformers names it, with its number of elements; a star stands for a layer's "
        "number, and dense weights are (out, in)"
    )
    modules = [_module(row) for row in question.rows]
    # Only the first tensor of a module shows the module's name.
    rows = [
        [escape("" if module == previous else module), *_tensor(row, question)]
        for previous, module, row in zip(["", *modules], modules, question.rows, strict=False)
    ]
    return table("tensors", caption, columns, rows)


def _module(row: Row) -> str:
    """The name of a tensor's module, or of the tensor itself if it is not in one."""
    part = row.path.replace("layer_*", "layer_0")
    module = part.rpartition("/")[0] if part.rpartition("/")[2] in words.LEAVES else part
    return words.in_words(Part(module)).removesuffix(" in one layer")


def _tensor(row: Row, question: Question) -> list[str]:
    """The cells of one tensor: name, number of occurrences, shape, and elements in both models."""
    questions = questions_about_both(question.about(row.path.replace("layer_*", "layer_0")))
    return [
        code(transformers_name(row, question.architecture, question.resolved_class.name)),
        formulas.symbol(LAYERS_LETTER) if row.is_per_layer else "once",
        formulas.shape(transformers_shape(row)),
        *(numbers.parameters(question_of_model, brief=True) for question_of_model in questions),
    ]


BOX_WIDTH = 90
BOX_HEIGHT = 42
BOX_GAP = 14
LEFT_MARGIN = 84
TOP_MARGIN = 44
LINE_HEIGHT = 17
"""The lengths in the flow, in pixels.

They are the width and height of a box, the gap between boxes, the margins to the left and above, and the height of a
line of numbers below the boxes.
"""

STAGES = (
    ("embeddings", "bert/embeddings", ""),
    ("self-attention", ONE_LAYER, "self-attention"),
    ("add & LayerNorm", f"{ONE_LAYER}/attention/output/LayerNorm", ""),
    ("feed-forward network", ONE_LAYER, "feed-forward"),
    ("add & LayerNorm", f"{ONE_LAYER}/output/LayerNorm", ""),
    ("pooler", "bert/pooler", ""),
)
"""The label, part and tag of each box of the flow, from left to right."""


def _flow() -> str:
    """A figure of the flow through BERT, with the parameters of each part in both models below its box."""
    middle = TOP_MARGIN + BOX_HEIGHT / 2
    box_bottom = TOP_MARGIN + BOX_HEIGHT
    body = ""
    lefts = [LEFT_MARGIN + index * (BOX_WIDTH + BOX_GAP) for index in range(len(STAGES))]
    # The frame around the boxes of the layer includes the numbers below them.
    start = lefts[1] - BOX_GAP / 2
    end = lefts[4] + BOX_WIDTH + BOX_GAP / 2
    body += svg.path(f"M{start:g} 18H{end:g}V{box_bottom + 44}H{start:g}z")
    body += svg.text((start + end) / 2, 12, "one of L layers")
    for left, (label, part, tag) in zip(lefts, STAGES, strict=True):
        body += _stage(left, label, questions_about_both(ask(part, tag)))
    # A residual connection leads from the line before a block over the block to the box after it.
    for block, norm in ((1, 2), (3, 4)):
        x = lefts[block] - BOX_GAP / 2 + 3
        norm_x = lefts[norm] + BOX_WIDTH / 2
        body += svg.arrow(f"M{x:g} {middle:g}V28H{norm_x:g}V{TOP_MARGIN - 4}", norm_x, TOP_MARGIN)
    body += svg.text(LEFT_MARGIN - BOX_GAP - 4, middle + 4, "tokens", anchor="end", style="small")
    for index, short_name in enumerate(SHORT_NAMES.values()):
        body += svg.text(
            LEFT_MARGIN - BOX_GAP - 4,
            box_bottom + LINE_HEIGHT * (index + 1),
            f"BERT {short_name}",
            anchor="end",
            style="small",
        )
    sizes = " and ".join(
        f"{numbers.whole(question.sizes[LAYERS_LETTER])} in BERT {SHORT_NAMES[question.model.name]}"
        for question in questions_about_both(ask())
    )
    return svg.figure(
        "figure-flow",
        "The flow through BERT",
        f"From left to right: {', '.join(label for label, _, _ in STAGES)}. "
        "The input of self-attention and that of the feed-forward network are added to their outputs.",
        svg.canvas(lefts[-1] + BOX_WIDTH + 2, box_bottom + 48, body),
        f"The parts in order, with the parameters of each. There are L layers like the one in the frame: {sizes}.",
    )


def _stage(left: float, label: str, questions: Sequence[Question]) -> str:
    """The box of a stage with its label, an incoming arrow, and its parameters in both models below it."""
    y = TOP_MARGIN + BOX_HEIGHT / 2
    middle = left + BOX_WIDTH / 2
    pieces = [
        svg.arrow(f"M{left - BOX_GAP:g} {y:g}h{BOX_GAP - 4}", left, y, "right"),
        f'<rect x="{left:g}" y="{TOP_MARGIN}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4" class="bc-step"/>',
    ]
    first, _, second = label.partition(" ") if len(label) > CHARACTERS_PER_LINE else (label, "", "")
    if second:
        pieces += [svg.text(middle, y - 4, first, style="small"), svg.text(middle, y + 12, second, style="small")]
    else:
        pieces.append(svg.text(middle, y + 4, first, style="small"))
    for index, question in enumerate(questions):
        number = numbers.whole(question.number)
        pieces.append(svg.text(middle, TOP_MARGIN + BOX_HEIGHT + LINE_HEIGHT * (index + 1), number, style="figures"))
    return "".join(pieces)


def _sums() -> str:
    """A table with the sums of BERT base and BERT large, line by line."""
    base, large = (sum_lines(question) for question in questions_about_both(ask()))
    labels = words.labels(base)
    rows = [[escape(label), *map(sum_html.line, lines)] for label, *lines in zip(labels, base, large, strict=True)]
    columns = [Column("what is counted"), *(Column(f"BERT {short_name}") for short_name in SHORT_NAMES.values())]
    return table("worked", "Worked out, line by line", columns, rows)


def _classes() -> str:
    """A table of the total of each class in both models."""
    columns = [Column("model class in transformers"), Column("task or contents"), *BASE_AND_LARGE]
    rows = [
        [
            code(model_class.name),
            escape(model_class.purpose),
            *(
                numbers.parameters(question, brief=True)
                for question in questions_about_both(ask(model_class=model_class.name))
            ),
        ]
        for model_class in BERT.classes
    ]
    labels = says("two labels", "C == 2")
    return table("classes", f"The total of each model class, with {labels} if the class has labels", columns, rows)


def _deviations() -> str:
    """A table of the effect of each of `DEVIATIONS` on the totals of both models."""
    columns = [Column("mistake or convention"), *BASE_AND_LARGE]
    rows = [
        [title_of_deviation(deviation_named(name)), *(numbers.deviation_effect(name, model) for model in SHORT_NAMES)]
        for name in DEVIATIONS
    ]
    return table(
        "mistakes",
        "How much each mistake or convention changes the total of BertModel or of the class named",
        columns,
        rows,
    )


TOPIC = {"links": links, "two_pages": two_pages}
"""Macros for the pages with hand-outs."""
