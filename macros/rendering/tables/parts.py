"""Tables that any page can show: the tensors of a part, the blocks of a model, and the effects of deviations."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from macros.counting import BERT, Question, Row
from macros.counting.deviations import deviation_named
from macros.counting.frameworks.names import transformers_name, transformers_shape
from macros.counting.question import LAYER_NUMBER, class_on_pages

from ..components import formulas, numbers, pages, words
from ..components.asking import SHORT_NAMES, questions_about_both, subject_of
from ..components.counted_paths import paths_of
from ..components.tables import BASE_AND_LARGE, PROSE, WORD, Column, code, numeric_columns, table


def tensors(name: str, question: Question, *, has_total: bool = True) -> str:
    """A table of a part's tensors: counts in BERT base and BERT large, shape, and number of occurrences.

    The last row is the total, unless `has_total` is False.
    """
    columns = [Column("tensor"), *BASE_AND_LARGE, Column("shape", WORD)]
    body = [_tensor_row(row, question) for row in question.rows]
    foot = ["total", *map(numbers.parameters, questions_about_both(question)), ""] if has_total else ()
    order_note = "; dense weights are (out, in)" if any("kernel" in row.tags for row in question.rows) else ""
    caption = f"The tensors of {words.caption(question.part, question.tag)}, as transformers names them{order_note}"
    return table(name, caption, columns, body, foot, row_parts=[row.path for row in question.rows])


def _tensor_row(row: Row, question: Question) -> list[str]:
    """The cells of a tensor: name, counts, and shape with the number of occurrences."""
    # Each row is counted on its own, in one layer if the question is about one layer.
    layer = LAYER_NUMBER.search(question.part)
    part = row.path.replace("layer_*", f"layer_{layer[0]}") if layer else row.path
    times_text = f", {formulas.symbol('L')} times" if row.is_per_layer and not layer else ""
    tie_note = ", tied" if row.tied_to and question.resolved_choices.tied else ""
    return [
        code(transformers_name(row, question.architecture, question.resolved_class.name)),
        *map(numbers.parameters, questions_about_both(question.about(part))),
        f"{formulas.shape(transformers_shape(row))}{times_text}{tie_note}",
    ]


def parts(name: str, whole: Question) -> str:
    """A table of a model's blocks with count, share and formula; the last row is the total."""
    columns = [Column("part"), *numeric_columns("parameters", "rounded share"), Column("formula")]
    blocks = words.block_names(whole)
    questions = [whole.about(tag=block) for block in blocks]
    rows = [
        [
            block_label(block),
            numbers.parameters(question),
            numbers.share(question, whole),
            formulas.inline(question.polynomial),
        ]
        for block, question in zip(blocks, questions, strict=True)
    ]
    foot = ["total", numbers.parameters(whole), numbers.share(whole, whole), ""]
    paths = [" ".join(paths_of(question)) for question in questions]
    return table(name, f"{subject_of(whole)}, part by part", columns, rows, foot, row_parts=paths)


def of_both_models(name: str, whole: Question) -> str:
    """A table of the blocks of BERT base and BERT large, with counts and shares; the last row is the total."""
    wholes = questions_about_both(whole)
    columns = [Column("part")]
    for short_name in SHORT_NAMES.values():
        columns += numeric_columns(f"BERT {short_name}", "rounded share")
    columns.append(Column("formula"))
    rows = [[block_label(block), *_counts_and_shares(wholes, block)] for block in words.block_names(whole)]
    foot = ["total", *_counts_and_shares(wholes, "")]
    caption = f"BERT base and BERT large, uncased, as {whole.resolved_class.name}, part by part"
    return table(name, caption, columns, rows, foot)


def _counts_and_shares(wholes: Sequence[Question], block: str) -> list[str]:
    """The cells of a block, or of the total if `block` is empty: count and share in each model, and a block's formula.

    Args:
        wholes: the question about each model as a whole.
        block: the tag of the block.
    """
    cells = []
    for whole in wholes:
        question = whole.about(tag=block)
        cells += [numbers.parameters(question), numbers.share(question, whole)]
    return [*cells, formulas.inline(wholes[0].about(tag=block).polynomial) if block else ""]


def block_label(block: str) -> str:
    """The colour key of a block, and its name as a link to the page about the block."""
    link = f'<a href="{pages.ROOT}{pages.BLOCKS[block]}">{words.BLOCKS[block]}</a>'
    return f'<span class="bc-key bc-{block}"></span>{link}'


def deviations(name: str, names: Sequence[str]) -> str:
    """A table of deviations with their exact effects on BERT base and BERT large, and the reasons."""
    columns = [Column("mistake or convention"), *BASE_AND_LARGE, Column("why the number changes", PROSE)]
    rows = []
    for deviation in map(deviation_named, names):
        effects = [numbers.deviation_effect(deviation.name, model) for model in SHORT_NAMES]
        rows.append([escape(deviation.title), *effects, escape(deviation.why)])
    classes = " and ".join(
        dict.fromkeys(class_on_pages(deviation_named(deviation_name), BERT) for deviation_name in names)
    )
    return table(name, f"How much the total of {classes} changes", columns, rows)
