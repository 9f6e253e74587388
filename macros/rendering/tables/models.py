"""Whole models: what pages show of checkpoints, and tables of classes and heads."""

from __future__ import annotations

from html import escape

from macros.counting import BERT, CountingError, Polynomial, Question, count, model_named, models_in
from macros.counting.architecture import ALWAYS, NEVER, OPTIONAL
from macros.counting.disagreements.conditions import says
from macros.counting.models import COURSE, load_groups

from ..elements import formulas, numbers
from ..elements.asking import BASE, ask, of_both, title_of
from ..elements.tables import BASE_AND_LARGE, WORD, Column, code, numeric, table

MINIATURE = "miniature"
"""The group of the small models, which differ in depth and width only."""


def named(model: str) -> str:
    """The title of a checkpoint, and its name below."""
    return f'<span class="bc-title">{escape(title_of(model_named(model)))}</span><br>{code(model)}'


def _sizes_of_miniatures(letter: str) -> tuple[int, ...]:
    return tuple(sorted({each.sizes[letter] for each in models_in([MINIATURE])}))


DEPTHS, WIDTHS = map(_sizes_of_miniatures, "LH")
"""The layers and hidden sizes of the miniatures."""


def miniature(depth: int, width: int) -> str:
    """The number of a miniature, with the address of the model, and its name if it has one; nothing for no model.

    Raises:
        CountingError: no miniature has as many layers, or that hidden size.
    """
    if depth not in DEPTHS or width not in WIDTHS:
        raise CountingError(f"no miniature has L = {depth} or none H = {width}; choose of {DEPTHS} and {WIDTHS}")
    models = {(each.sizes["L"], each.sizes["H"]): each for each in models_in([MINIATURE])}
    model = models.get((depth, width))
    if model is None:
        return ""
    number = numbers.counted(Question(model), brief=True)
    title = "" if MINIATURE in model.title else f'<br><span class="bc-purpose">{escape(model.title)}</span>'
    return f'<span id="{model.name}">{number}{title}</span>'


HEAD_BLOCKS = ("mlm-head", "nsp-head", "task-head")

POOLER_WORDS = {ALWAYS: "yes", OPTIONAL: "yes, or left out", NEVER: "no"}


def classes(name: str) -> str:
    """The model classes of transformers: pooler, labels, totals of base and large."""
    columns = [Column("class"), *BASE_AND_LARGE, Column("pooler", WORD), Column("head")]
    rows = []
    for each in BERT.classes:
        asked = ask(model_class=each.name)
        head = Polynomial.total(item.letters for item in asked.items if item.block in HEAD_BLOCKS and not item.factors)
        named = f'{code(each.name)}<br><span class="bc-purpose">{escape(each.purpose)}</span>'
        totals = list(map(numbers.counted, of_both(asked)))
        rows.append([named, *totals, POOLER_WORDS[each.pooler], formulas.inline(head) if head.terms else "none"])
    return table(
        name,
        f"Model classes of transformers, with {says('two labels', 'C == 2')} where a class has labels",
        columns,
        rows,
    )


def heads(name: str, model: str = BASE) -> str:
    """What one head holds, and what all heads hold: one head, half as many, as many, twice as many, and the most."""
    width, own = model_named(model).sizes["H"], model_named(model).sizes["A"]
    part, tag = "bert/encoder/layer_0/attention/self", "query kernel"
    one_head, all_heads = "query weights of one head", "query weights of all heads"
    columns = numeric("A", "width of a head", one_head, all_heads, "total of BertModel")
    rows = []
    for number in sorted({each for each in (1, own // 2, own, 2 * own, width) if each and width % each == 0}):
        resized = model_named(model).resized(A=number)
        matrix = count(resized, part, tag)
        one, share = width // number, matrix // number
        figures = [
            ("heads", f"A = {number}, {numbers.CHOSEN}", number),
            ("head-width", f"H / A\n{width} ÷ {number} = {one}", one),
            ("head-share", f"H · H / A\n{width} × {one} = {numbers.whole(share)}", share),
            ("all-heads", f"A · H · H / A\n{number} × {numbers.whole(share)} = {numbers.whole(matrix)}", matrix),
            ("heads-total", f"A = {number}\n{numbers.in_lines(ask(model=model))}", count(resized)),
        ]
        # The class is that of every total here, and of a single head as well.
        question = {"model": model, "class": ask(model=model).chosen.name, "heads": number}
        rows.append([numbers.in_full(value, how, kind=kind, **question) for kind, how, value in figures])
    title = f"Some numbers of heads possible in {model_named(model).title}, and what each would change"
    return table(name, title, columns, rows)


TOPIC: dict[str, object] = {
    "published": tuple(
        each.name for group in load_groups() if group not in (COURSE, MINIATURE) for each in models_in([group])
    ),
    "of_texts": tuple(each.name for each in sorted(models_in([COURSE]), key=count)),
    "depths": DEPTHS,
    "widths": WIDTHS,
    "named": named,
    "miniature": miniature,
}
"""What the page of checkpoints calls, and the models and sizes that it goes through.

Those that were published first come first, those of texts by their number.
"""
