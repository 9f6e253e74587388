"""Macros for the pages about changed models: names and formulas of changes, tensors, sums and mistakes.

A change is written as on the command line, such as `lora:8:query,value`.
Several changes are separated by spaces. A change that cannot be read, or does not fit
the classifier, raises a `CountingError`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from macros.counting import ChangedModel, CountingError, Polynomial
from macros.counting.changes.applying import value_of
from macros.counting.changes.methods import rules
from macros.counting.changes.mistakes import Mistake, load_mistakes
from macros.counting.errors import entry_of
from macros.counting.memory import BYTES
from macros.counting.rounding import quotient_rounded_up
from macros.counting.sum_lines import plain_line

from ..components import changes, formulas, numbers, pages, rows, words
from ..components.asking import BASE, LARGE
from ..components.changes import CHANGED_CLASS, changed_model
from ..components.permalinks import permalink
from ..components.tables import code


def titles_and_change(change: str) -> str:
    """The titles of the methods in a change, followed by the change as on the command line."""
    return f"{method_titles(change)}: {', '.join(code(str(step)) for step in changed_model(change).changes)}"


def method_titles(change: str) -> str:
    """The titles of the methods in a change, for tables in which a change could be mistaken for a library's code."""
    return " and ".join(dict.fromkeys(escape(step.method.title) for step in changed_model(change).changes))


def formula(change: str, number: str = "trained") -> str:
    """The formula of the trained parameters after a change or, with `number="added"`, of its effect on the total.

    Of several changes, only the last one's effect is given.

    Raises:
        CountingError: `number` is neither `"trained"` nor `"added"`.
    """
    model = changed_model(change)
    formula_of = {
        "trained": lambda: formulas.inline(model.trainable_formula),
        "added": lambda: formulas.from_text(_formula_of_change(model)),
    }
    return entry_of(formula_of, "formula", number)()


def tensor_rows(change: str) -> str:
    """Rows for the trained tensors of a change: name within the layer, shape with repetitions, parameters."""
    model = changed_model(change)
    layer = f".{model.question.architecture.layer_name}."
    return rows.lines(
        [code(row.full_name.rpartition(layer)[2]), changes.shape(row), changes.trainable_in_row(row, change)]
        for row in model.rows
        if row.is_trained
    )


def worked_sum(change: str, name: str) -> str:
    """The trained parameters of a change: line by line for BERT base, in one line for BERT large, and as a formula."""
    head = f'<p id="{name}">BERT base, line by line:&nbsp;{permalink(name, "sum")}</p>'
    line_of_large = f"The same sum for BERT large: {changes.sum_in_one_line(change, LARGE)}."
    link = permalink(f"{name}-large", "sum")
    return _on_its_page_only(
        f'<div class="bc-worked">{head}{changes.sum_in_lines(change)}'
        f'<p id="{name}-large">{line_of_large} {link}</p>'
        f"{formulas.without_meanings(changed_model(change).trainable_formula)}</div>"
    )


LSTM = "prompt_encoder.default.lstm_head"
DENSE = "prompt_encoder.default.mlp_head"
"""The name prefixes of the tensors of p-tuning's LSTM and of the dense layers on top of it."""

GATES = 4
"""The number of gates in an LSTM. PyTorch concatenates their matrices and biases, so weight_ih_l0 has 4·n rows."""

DENSE_LAYERS = {0: "the first dense layer, with its bias", 2: "the second dense layer, with its bias"}
"""The dense layers by their index in `mlp_head`; index 1 is the activation function between them."""


def worked_lstm(change: str) -> str:
    """The trained parameters of p-tuning with an LSTM, worked out line by line for BERT base.

    Args:
        change: a `p-tuning-lstm` change with the number of virtual tokens and the width of the LSTM.

    Raises:
        CountingError: the change has no such LSTM.
    """
    model = changed_model(change)
    shapes = {
        row.name: [value_of(size, model.sizes) for size in row.listed_shape] for row in model.rows if row.addition
    }
    if f"{LSTM}.weight_ih_l1_reverse" not in shapes:
        raise CountingError(f"{change} has no LSTM of two bidirectional layers; write p-tuning-lstm:t=20:n=128")
    token_count, width = shapes["prompt_encoder.default.embedding.weight"]
    token_parameters = token_count * width
    lines = {"the vectors of all virtual tokens": f"{token_count} × {width} = {numbers.whole(token_parameters)}"}
    terms = [token_parameters]
    for index, title in enumerate(("the first layer of the LSTM", "its second layer")):
        both_directions, lines_of_layer = _lstm_layer(title, *shapes[f"{LSTM}.weight_ih_l{index}"])
        lines |= lines_of_layer
        terms.append(both_directions)
    for index, title in DENSE_LAYERS.items():
        output_width, input_width = shapes[f"{DENSE}.{index}.weight"]
        layer_parameters = output_width * input_width + output_width
        lines[title] = f"{output_width} × {input_width} + {output_width} = {numbers.whole(layer_parameters)}"
        terms.append(layer_parameters)
    label_count, input_width = next(
        shape for shape in shapes.values() if shape[:1] == [model.sizes["C"]] and len(shape) > 1
    )
    lines[words.COPIED_LABEL] = (
        f"{label_count} × {input_width} + {label_count} = {label_count * input_width + label_count:,}"
    )
    terms.append(label_count * input_width + label_count)
    lines["the total"] = f"{' + '.join(map(numbers.whole, terms))} = {numbers.whole(sum(terms))}"
    attributes = f'data-model="{BASE}" data-change="{escape(change)}" data-class="{CHANGED_CLASS}"'
    return _on_its_page_only(numbers.titled_sum("p-tuning-lstm-worked", "BERT base, line by line", lines, attributes))


def _lstm_layer(title: str, row_count: int, input_width: int) -> tuple[int, dict[str, str]]:
    """The parameters of a bidirectional LSTM layer, and the lines that work them out."""
    hidden_width = row_count // GATES
    one_direction = GATES * (hidden_width * input_width + hidden_width**2 + 2 * hidden_width)
    gate = f"{hidden_width} × {input_width} + {hidden_width} × {hidden_width} + 2 × {hidden_width}"
    return 2 * one_direction, {
        f"{title}, in one direction: four gates, each with two matrices and two biases": (
            f"{GATES} × ({gate}) = {numbers.whole(one_direction)}"
        ),
        f"{title}, in both directions": f"2 × {numbers.whole(one_direction)} = {numbers.whole(2 * one_direction)}",
    }


def _on_its_page_only(html: str) -> str:
    """The HTML in elements that exclude it from the search and from frames, where it would lack its context."""
    return pages.on_its_page_only(f"<div data-search-exclude>{html}</div>")


def _formula_of_change(model: ChangedModel) -> str:
    """The formula of the last change's effect on the total, in which L′ is the new value of a changed size L.

    >>> _formula_of_change(changed_model("layers:6")), _formula_of_change(changed_model("pruned:12"))
    ('(L′ − L)·(4·H² + 2·H·F + 9·H + F)', '−h·(4·H·D + 3·D)')
    >>> _formula_of_change(changed_model("vocabulary:31000", "bert-large-uncased"))
    '(V′ − V)·H'
    >>> _formula_of_change(changed_model("vocabulary:31000 layers:6"))
    '(L′ − L)·(4·H² + 2·H·F + 9·H + F)'
    """
    # The engine's formula has two numbers, which are specific to one model; the letters apply to any model.
    text = model.bridge[-1].formula
    old_sizes = model.unchanged_question.sizes
    for letter, new_size in model.changes[-1].sizes.items():
        if letter in old_sizes:
            text = text.replace(f"({new_size:,} − {old_sizes[letter]:,})·", f"({letter}′ − {letter})·")
    return changes.sign_first(re.sub(r"·\((\w)\)", r"·\1", text))


def worked_bytes(change: str, name: str, scales: bool = False) -> str:
    """The bytes of a model with packed weights, or with `scales=True` those of its scales, worked out line by line."""
    return _scales_in_lines(change, name) if scales else _packed_in_lines(change, name)


def _packed_in_lines(change: str, name: str) -> str:
    """The bytes of packed matrices, all other parameters and scales, and their sum, line by line."""
    model = changed_model(change)
    packed_rows = [row for row in model.rows if row.storage.per > 1]
    packed_weights = Polynomial(tuple(term for row in packed_rows for term in row.terms)).simplified()
    weights = packed_weights.value(model.sizes)
    weights_per_element = packed_rows[0].storage.per
    width = BYTES["float32"]
    other_parameters = model.number - weights
    packed_bytes = weights // weights_per_element
    (block_size, scale_bytes), *_ = packed_rows[0].storage.scales
    scales_label = f"scales, one of {scale_bytes} bytes for each block of {block_size} weights"
    lines = {
        "the weights in matrices": f"{packed_weights.working(model.sizes)} = {numbers.whole(weights)}",
        "all other parameters": str(plain_line(model.number, -weights)),
        "the bytes of the matrices, packed": (
            f"{numbers.whole(weights)} ÷ {weights_per_element} = {numbers.whole(packed_bytes)}"
        ),
        "the bytes of all other parameters, in float32": str(plain_line((other_parameters, width))),
        scales_label: f"{numbers.whole(weights)} ÷ {block_size} × {scale_bytes} = {numbers.whole(model.scales_bytes)}",
        "the total": str(plain_line(packed_bytes, other_parameters * width, model.scales_bytes)),
    }
    return _bytes_sum(model, "in bytes", lines, change, "bytes", name)


def _scales_in_lines(change: str, name: str) -> str:
    """The bytes of scales that are quantised themselves, as in double quantisation, worked out line by line.

    Blocks of scales do not extend across matrices, so the last block of a matrix may be smaller.
    """
    model = changed_model(change)
    packed_rows = [row for row in model.rows if row.storage.offset]
    storage = packed_rows[0].storage
    layers = model.sizes["L"]
    (block_size, _), (larger_block_size, scale_bytes) = storage.scales
    sizes = [Polynomial((row.elements_per_tensor,)).value(model.sizes) for row in packed_rows]
    blocks = [quotient_rounded_up(size, larger_block_size) for size in sizes]
    blocks_in_layer = [number for row, number in zip(packed_rows, blocks, strict=True) if row.layers]
    blocks_outside_layers = [number for row, number in zip(packed_rows, blocks, strict=True) if not row.layers]
    weights = Polynomial(tuple(term for row in packed_rows for term in row.terms)).value(model.sizes)
    second_scales = layers * sum(blocks_in_layer) + sum(blocks_outside_layers)
    matrix_count = layers * len(blocks_in_layer) + len(blocks_outside_layers)
    first_bytes = weights // block_size
    offset_bytes = matrix_count * storage.offset
    lines = {
        f"scales, a byte for each block of {block_size} weights": (
            f"{numbers.whole(weights)} ÷ {block_size} = {numbers.whole(first_bytes)}"
        )
    }
    shapes = [[value_of(dimension, model.sizes) for dimension in row.listed_shape] for row in packed_rows]
    products = {size: " × ".join(map(numbers.whole, shape)) for size, shape in zip(sizes, shapes, strict=True)}
    lines |= _block_numbers_in_lines(products, block_size, larger_block_size // block_size)
    lines |= {
        "such blocks in all matrices": (
            f"{layers} × ({_sum_of(blocks_in_layer)}) + {_sum_of(blocks_outside_layers)}"
            f" = {numbers.whole(second_scales)}"
        ),
        f"second scales, {scale_bytes} bytes for each of these": str(plain_line((second_scales, scale_bytes))),
        f"offsets, {storage.offset} bytes for each matrix": (
            f"({layers} × {len(blocks_in_layer)} + {len(blocks_outside_layers)}) × {storage.offset}"
            f" = {numbers.whole(offset_bytes)}"
        ),
        "all scales": str(plain_line(first_bytes, second_scales * scale_bytes, offset_bytes)),
    }
    return _bytes_sum(model, "the bytes of the scales", lines, change, "bytes of scales", name)


def _block_numbers_in_lines(products: Mapping[int, str], block_size: int, scales_per_block: int) -> dict[str, str]:
    """The number of blocks of scales in a matrix, worked out for each size of a matrix.

    Args:
        products: the product of the dimensions of each matrix, by its result. Matrices of the same size share a line.
        block_size: the number of weights with the same scale.
        scales_per_block: the number of scales in a block.
    """
    lines = {}
    weights_per_block = block_size * scales_per_block
    for size, product in products.items():
        label = f"blocks of {scales_per_block} scales in a matrix of {numbers.whole(size)} weights"
        quotient = f"{product} ÷ ({block_size} × {scales_per_block})"
        if size % weights_per_block == 0:
            lines[label] = f"{quotient} = {size // weights_per_block}"
        else:
            lines[label] = f"{quotient} ≈ {size / weights_per_block:.2g}"
            lines["rounded up, because a block is stored whole"] = str(quotient_rounded_up(size, weights_per_block))
    return lines


def _sum_of(addends: Sequence[int]) -> str:
    """A sum in which equal addends are combined into a product: `4 × 9 + 36`."""
    return " + ".join(f"{times} × {number}" if times > 1 else str(number) for number, times in Counter(addends).items())


def _bytes_sum(
    model: ChangedModel, title: str, lines: Mapping[str, str], change: str, number_name: str, name: str
) -> str:
    """A sum of bytes below its title; `number_name` is a key of `mistakes.NUMBERS`."""
    method = escape(model.changes[0].method.title)
    head = f'<p id="{name}">BERT base in {method}, {title}: {permalink(name, "sum")}</p>'
    attributes = f'data-model="{BASE}" data-change="{escape(change)}" data-what="{number_name}"'
    return _on_its_page_only(f'<div class="bc-worked">{head}{numbers.sum_in_lines(lines, attributes)}</div>')


def mistake_rows(family: str) -> str:
    """Rows for the mistakes in a family of changes: title, wrong number for BERT base, difference, reason.

    If the mistakes have different units, an additional cell before the reason gives the unit.

    Raises:
        CountingError: no mistake belongs to a family with that name.
    """
    families: dict[str, list[Mistake]] = {}
    for mistake in load_mistakes().values():
        families.setdefault(mistake.family, []).append(mistake)
    family_mistakes = entry_of(families, "family", family)
    has_units = len({mistake.unit for mistake in family_mistakes}) > 1
    return rows.lines(
        [
            escape(mistake.title),
            changes.wrong_number(mistake),
            changes.error_of(mistake),
            *([mistake.unit] if has_units else []),
            escape(mistake.why),
        ]
        for mistake in family_mistakes
    )


TOPIC: dict[str, object] = {
    "rare": tuple(rules()["rare"]),
    "name": titles_and_change,
    "titles": method_titles,
    "formula": formula,
    "step": changes.last_step,
    "tensors": tensor_rows,
    "worked": worked_sum,
    "worked_lstm": worked_lstm,
    "worked_bytes": worked_bytes,
    "mistakes": mistake_rows,
}
"""Macros for the pages about changed models, such as `changed.name("head")`.

`rare` has the changes in the longer table on LoRA's page.
"""
