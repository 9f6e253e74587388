"""Macros for the pages about BERT's relatives: titles, steps from BERT base, mistakes, and recorded totals.

`macros/counting/published/relatives.py` finds the steps, and this module describes them in words. An unknown model
raises a `CountingError`.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from macros.counting import CountingError, Model, Question, load_relatives, model_named
from macros.counting.architecture import Architecture
from macros.counting.architectures import ARCHITECTURES
from macros.counting.errors import entry_of
from macros.counting.published.conditions import whole_value
from macros.counting.published.others import load_others
from macros.counting.published.relatives import (
    CONTACT_HEAD,
    CONVOLUTION,
    COORDINATES,
    EMBEDDING_NORM,
    FINAL_NORM,
    FIRST_LAYER,
    LAYER_FORM,
    LAYER_WIDTH,
    LAYERS,
    OUTPUT_PROJECTION,
    POOLER,
    POSITIONS,
    PROJECTION,
    RELATIVE_POSITIONS,
    SEGMENTS,
    TABLE_WIDTH,
    TABLES,
    TOKENS,
    Difference,
    differences,
)

from ..components import formulas, numbers, pages, words
from ..components.asking import BASE, FURTHER_FAMILIES, MAIN_RELATIVES, ask
from ..components.permalinks import permalink
from ..components.rows import lines
from ..components.steps import value_of_step
from ..components.tables import code


def title(model: str, linked: bool = False) -> str:
    """The title of a model; with `linked`, as a link to the explanation of its total."""
    text = escape(model_named(model).title)
    return f'<a href="{pages.ROOT}{pages.of_model(model)}">{text}</a>' if linked else text


def block(model: str, tag: str) -> str:
    """The parameters of one block of a bare model, such as its pooler; "none" if the model lacks the block.

    Raises:
        CountingError: there is no block with that name.
    """
    question = ask(model=model)
    entry_of(words.BLOCKS, "block", tag)
    return numbers.parameters(question.about(tag=tag), brief=True) if tag in words.block_names(question) else "none"


def last_blocks(model: str) -> str:
    """The parameters and the names of a bare model's blocks other than the four main ones, such as the pooler.

    The text is "none" if the model has only the main blocks.
    """
    question = ask(model=model)
    main_blocks = ("embeddings", "self-attention", "feed-forward", "encoder-norms")
    other_blocks = [name for name in dict.fromkeys(row.block for row in question.rows) if name not in main_blocks]
    blocks_with_names = [
        f"{numbers.parameters(question.about(tag=name), brief=True)}"
        f'<br><span class="bc-purpose">{escape(words.LEGENDS[name])}</span>'
        for name in other_blocks
    ]
    return ";<br>".join(blocks_with_names) or block(model, "pooler")


def step_rows(model: str, start: str = BASE) -> str:
    """Rows for the steps from BERT base, or from another model, to a relative: wording, formula, working, change.

    If a number in the working is itself a sum, that sum is shown below it, in the first row that needs it.
    """
    start_question = Question(model_named(start))
    relative = Question(model_named(model))
    rows = []
    listed_sums = set[str]()
    for index, step in enumerate(differences(start_question, relative)):
        sums = "".join(
            f'<br><span class="bc-purpose">{equation}</span>' for equation in step.sums if equation not in listed_sums
        )
        listed_sums.update(step.sums)
        text = in_words(step, relative, start_question)
        value = value_of_step(step, kind="relative-step", start=start, model=model, step=index)
        rows.append([text, formulas.from_text(step.formula), f"{step.working}{sums}", value])
    return lines(rows)


FORMS = {
    "modernbert": "layers without biases and with a gated feed-forward network",
    "deberta": "layers with two projections for relative positions",
    "mobilebert": "layers with bottlenecks and four feed-forward networks",
    "longformer": "layers with two sets of query, key and value projections",
    "eurobert": "layers without biases, with norms that only scale (RMSNorm), and with a gated feed-forward network",
    "gte": "layers with a gated feed-forward network",
    "nomic_bert": "layers without biases, except in LayerNorms, and with a gated feed-forward network",
}
"""Descriptions of layers that differ from BERT's, by model type."""


RELATIVE_TABLES = {
    "mpnet": "a table of {} relative positions, with a number for each head",
    "deberta-v2": "a table of {} relative positions in each direction, with a LayerNorm",
    "deberta": "a table of {} relative positions in each direction",
}
"""Descriptions of tables of relative positions, by model type; the braces are replaced with the number of rows."""


RMS_NORM_TYPES = {"eurobert"}
"""The model types whose norms are RMSNorms; those of all others are LayerNorms."""


AXES = {"x": "left and right edges", "y": "upper and lower edges", "h": "heights", "w": "widths"}
"""The properties of a box that LayoutLM's tables describe, by the first letter of the table's name."""


WORDS_BY_ARCHITECTURE = {LAYER_FORM: ("FORMS", FORMS), RELATIVE_POSITIONS: ("RELATIVE_TABLES", RELATIVE_TABLES)}
"""The name and the value of the constant with the wordings, for each step whose wording depends on the architecture."""


def in_words(step: Difference, relative: Question, start_question: Question) -> str:
    """A step in words: "6 layers instead of 12".

    Raises:
        CountingError: `WORDS_BY_ARCHITECTURE` has no wording of this step for the architecture.
    """
    if step.name in WORDS_BY_ARCHITECTURE:
        return _by_architecture(step, relative)
    if step.name == TABLE_WIDTH:
        return _table_widths(step, relative)
    if step.name == PROJECTION:
        return _projection(step)
    old_number = f"{step.old_size:,}"
    new_number = f"{step.new_size:,}"
    adjective = "" if relative.architecture.layers == ("L",) else "shared "
    plural = "" if step.new_size == 1 else "s"
    width_words = f"of width {new_number} instead of {old_number}"
    norm = "an RMSNorm" if relative.architecture.model_type in RMS_NORM_TYPES else "a LayerNorm"
    return {
        LAYERS: f"{new_number} {adjective}layer{plural} instead of {old_number}",
        LAYER_WIDTH: _layer_width(step, relative, start_question),
        FIRST_LAYER: "no LayerNorm before attention in the first layer",
        FINAL_NORM: f"{norm} after the last layer",
        CONVOLUTION: "a convolution beside the first layer",
        EMBEDDING_NORM: "no shift in the embeddings' LayerNorm" if step.new_size else "no LayerNorm in the embeddings",
        TOKENS: f"{new_number} tokens in the vocabulary instead of {old_number}",
        POSITIONS: f"{new_number} positions instead of {old_number}" if step.new_size else "no table of positions",
        SEGMENTS: f"{new_number} segment{plural} instead of {old_number}" if step.new_size else "no segments",
        **{name: f"a table of {new_number} rows, for {AXES[axis]}" for axis, name in COORDINATES.items()},
        OUTPUT_PROJECTION: f"a projection to {new_number} features",
        CONTACT_HEAD: f"a contact head, with a weight for each of {new_number} attention heads and a bias",
        POOLER: f"a pooler {width_words}" if step.new_size else "no pooler",
    }.get(step.name, f"a table of {new_number} {step.name}" if step.new_size else f"no {step.name}")


def _by_architecture(step: Difference, relative: Question) -> str:
    """The wording of a step that depends on the architecture of the relative.

    Raises:
        CountingError: `WORDS_BY_ARCHITECTURE` has no wording of this step for the architecture.
    """
    constant_name, words_of = WORDS_BY_ARCHITECTURE[step.name]
    model_type = relative.architecture.model_type
    if model_type not in words_of:
        raise CountingError(
            f"{relative.model.name}: the step “{step.name}” needs words, and {constant_name} in {Path(__file__).name} "
            f"has none for {model_type}; describe the difference there, as for {', '.join(words_of)}"
        )
    return words_of[model_type].format(f"{step.new_size:,}")


def _layer_width(step: Difference, relative: Question, start_question: Question) -> str:
    """The wording of a step to layers of a different width, or only to feed-forward networks of a different width."""
    change = f"{step.new_size:,} instead of {step.old_size:,}"
    if step.new_size != relative.sizes["H"]:
        return f"feed-forward networks of width F′ = {change}"
    inner_width, old_inner_width = relative.sizes["F"], start_question.sizes["F"]
    inner_change = (
        f", with F′ = {inner_width:,} instead of {old_inner_width:,}" if inner_width != old_inner_width else ""
    )
    return f"layers of width {change}{inner_change}"


def _table_widths(step: Difference, relative: Question) -> str:
    """The wording of a step to embeddings of a different width.

    MobileBERT's word table is not as wide as its other tables.
    """
    tables = {f"bert/embeddings/{name}" for _, name in TABLES.values()}
    widths = {relative.sizes[row.shape.split()[-1]] for row in relative.rows if row.path in tables}
    other_widths = " and ".join(f"{width:,}" for width in sorted(widths - {step.new_size}))
    if not other_widths:
        return f"embeddings of width {step.new_size:,} instead of {step.old_size:,}"
    return (
        f"word embeddings of width {step.new_size:,}, and other tables of width {other_widths}, "
        f"instead of {step.old_size:,}"
    )


def _projection(step: Difference) -> str:
    """The wording of a step that adds a dense layer after the embeddings.

    MobileBERT's layer reads the word vectors of several tokens.
    """
    inputs = step.value // step.new_size - 1  # the bias has one number per output
    if inputs == step.old_size:
        return f"a dense layer that widens the embeddings from {step.old_size:,} to {step.new_size:,}"
    return f"a dense layer from {inputs // step.old_size} × {step.old_size:,} features to {step.new_size:,}"


def families() -> list[Architecture]:
    """The architectures of the relatives, in the order in which pages list them."""
    return list(dict.fromkeys(model.architecture for model in _relatives_in_order()))


def _relatives_in_order() -> list[Model]:
    """The relatives, grouped by architecture."""
    order = [*ARCHITECTURES.values()]
    return sorted(load_relatives().values(), key=lambda model: order.index(model.architecture))


def family_title(model_type: str) -> str:
    """The title of an architecture in the list of all relatives.

    Raises:
        CountingError: there is no architecture with that model type.
    """
    architecture = entry_of(ARCHITECTURES, "model type", model_type)
    return "BERT, trained by others" if model_type == "bert" else architecture.name


def relative_rows(model_type: str) -> str:
    """Rows for all relatives of an architecture, with parameters and sizes; each links to the calculator.

    Raises:
        CountingError: there is no architecture with that model type.
    """
    architecture = entry_of(ARCHITECTURES, "model type", model_type)
    relatives = [model for model in _relatives_in_order() if model.architecture is architecture]
    rows = []
    for model in relatives:
        further_names = f"; also {', '.join(map(escape, model.also))}" if model.also else ""
        address = f"{pages.ROOT}{pages.calculator(model.name)}"
        link = f'<a class="bc-title" href="{address}">{escape(model.title)}</a>'
        row = [
            f'{link}<br><span class="bc-purpose">{code(model.name)}{further_names}</span>',
            numbers.parameters(Question(model), brief=True),
            *(numbers.size(letter, model.name) for letter in "VLH"),
        ]
        rows.append(row)
    return lines(rows, [model.name for model in relatives])


OTHER_MODELS_ID = "other-models"
"""The id of the list of models whose totals are recorded because the engine does not count them."""


def recorded_totals() -> str:
    """A list of models whose totals are only recorded, each with its classes; titles with BERT come first."""
    items = []
    for name, (title_of_model, totals) in sorted(load_others().items(), key=lambda item: "BERT" not in item[1].title):
        classes_by_total: dict[int, list[str]] = {}
        for model_class, total in totals.items():
            classes_by_total.setdefault(total, []).append(model_class)
        counts = ", ".join(
            f"{_recorded_total(name, classes[0], total)} ({' and '.join(map(code, classes))})"
            for total, classes in classes_by_total.items()
        )
        items.append(f'<li id="{name}"><span class="bc-title">{escape(title_of_model)}</span>: {counts}</li>')
    head = f"<p>The totals of each model, by class:&nbsp;{permalink(OTHER_MODELS_ID, 'list')}</p>"
    return f'<div class="bc-recorded" id="{OTHER_MODELS_ID}">{head}<ul>{"".join(items)}</ul></div>'


def _recorded_total(name: str, model_class: str, total: int) -> str:
    """A recorded total. It has no working, because the engine does not count these models."""
    return numbers.in_full(total, "", kind="other", model=name, class_=model_class)


def miscount(model: str, substitute: str = "", off: bool = False, **sizes: str) -> str:
    """The total of a model with wrong sizes: `miscount("albert-base-v2", I="L")`.

    Args:
        model: the intended model.
        substitute: the model that is counted by mistake, if it is a different one.
        off: return the signed difference from the correct total instead.
        sizes: the wrong sizes by letter, as expressions in the sizes of the intended model, such as `H="base.H"` or
            `V="digits(V, 2)"`.

    Raises:
        CountingError: there is no such model, or a size cannot be read or is impossible.
    """
    intended_model = model_named(model)
    wrong_sizes = {letter: whole_value(expression, intended_model) for letter, expression in sizes.items()}
    counted_model = model_named(substitute or model)
    wrong_question = Question(counted_model.resized(**wrong_sizes))
    correct_question = Question(intended_model)
    attributes = {
        "model": counted_model.name,
        "class": wrong_question.resolved_class.name,
        "sizes": " ".join(f"{letter}={expression}" for letter, expression in wrong_sizes.items()),
    }
    if not off:
        return numbers.in_full(wrong_question.number, numbers.in_brief(wrong_question), kind="resized", **attributes)
    difference = wrong_question.number - correct_question.number
    terms = f"{numbers.whole(wrong_question.number)} − {numbers.whole(correct_question.number)}"
    working = f"{terms} = {numbers.whole(difference)}"
    return numbers.data(difference, numbers.with_sign(difference), working, kind="off", to=model, **attributes)


TOPIC: dict[str, object] = {
    "main": MAIN_RELATIVES,
    "further": tuple(FURTHER_FAMILIES.values()),
    "classes": {
        BASE: model_named(BASE).architecture.classes,
        **{name: model.architecture.classes for name, model in load_relatives().items()},
    },
    "title": title,
    "block": block,
    "last_blocks": last_blocks,
    "steps": step_rows,
    "families": families(),
    "family": family_title,
    "every": relative_rows,
    "others": recorded_totals,
    "miscount": miscount,
}
"""Macros for the pages about relatives, such as `relatives.steps("roberta-base")`, and lists for their loops.

`main` and `further` are the models that the sections of the two pages compare with BERT base, `classes` has the classes
of BERT base and of each relative, and `families` lists all architectures of the relatives.
"""
