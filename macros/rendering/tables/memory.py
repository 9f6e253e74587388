"""Macros for the page about memory: the bytes of a model's parameters by data type, and the sizes of its files."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from macros.counting import Question
from macros.counting.errors import entry_of
from macros.counting.frameworks.files import (
    dynamic_int8_size,
    header_parts,
    quantised_items,
    safetensors_size,
)
from macros.counting.memory import BYTES, UNITS
from macros.counting.sum_lines import plain_line

from ..components import numbers
from ..components.asking import BASE, SHORT_NAMES, ask
from ..components.permalinks import permalink


def bytes_each(dtype: str, values_per_parameter: int = 1) -> str:
    """The bytes that a parameter takes up in a data type, worked out from the bits of a value.

    Args:
        dtype: the name of the data type.
        values_per_parameter: the number of values stored for each parameter, such as 4 for the parameter itself, its
            gradient and Adam's two moments.

    Raises:
        CountingError: there is no data type with that name.
    """
    width = entry_of(BYTES, "data type", dtype)
    working = f"{dtype}: {8 * width} bits\n{8 * width} ÷ 8 = {width}"
    if values_per_parameter == 1:
        return numbers.in_full(width, working, kind="dtype", dtype=dtype)
    total = values_per_parameter * width
    working = f"{working}\n{values_per_parameter} × {width} = {total}"
    return numbers.in_full(total, working, kind="dtype", dtype=dtype, copies=values_per_parameter)


def worked_bytes() -> str:
    """The memory of BERT base in float32, worked out from its parameters in bytes, MB and MiB."""
    name = "bytes-worked"
    question = ask()
    head = f"<p>For BERT {SHORT_NAMES[BASE]}, line by line:&nbsp;{permalink(name, 'sum')}</p>"
    return f'<div id="{name}">{head}{numbers.bytes_in_lines(question, "float32", ("MB", "MiB"))}</div>'


def _file_working(name: str, question: Question) -> str:
    """The working of a number in `NUMBERS_OF_FILES`."""
    file = safetensors_size(question)
    parts_in_float32 = (question.about("bert/embeddings"), question.about("bert/encoder", "LayerNorm"))
    header, data, size = map(numbers.whole, (file.bytes_before_data, file.data_bytes, file.size))
    return {
        "header": "\n".join(f"{label}: {line}" for label, line in _header_lines(question).items()),
        "size": f"the header, and four bytes for each parameter\n"
        f"{numbers.whole(question.number)} × {BYTES['float32']} = {data}\n{header} + {data} = {size} bytes",
        # Dynamic quantisation packs only the dense layers.
        "other_parameters": "\n".join(
            [
                "the embeddings, and the LayerNorms of the layers",
                *map(numbers.in_brief, parts_in_float32),
                str(plain_line(*(part.number for part in parts_in_float32))),
            ]
        ),
        "bytes": numbers.bytes_working(quantised_items(question)),
    }[name]


def worked_header() -> str:
    """The bytes of the header of BERT base's file, worked out line by line."""
    attributes = f'data-model="{BASE}" data-header="{BASE}"'
    title = f"The header of BERT {SHORT_NAMES[BASE]}'s file, in bytes"
    return numbers.titled_sum("header-worked", title, _header_lines(ask()), attributes)


def _header_lines(question: Question) -> dict[str, str]:
    """The lines that work out the bytes of the header of a model's file, each by its label."""
    parts = header_parts(question)
    products = [numbers.whole(prod(factors)) for factors in parts.values()]
    lines = {
        label: f"{' × '.join(map(numbers.whole, factors))} = {product}" if factors[1:] else product
        for (label, factors), product in zip(parts.items(), products, strict=True)
    }
    lines["the total"] = f"{' + '.join(products)} = {numbers.whole(safetensors_size(question).bytes_before_data)}"
    return lines


NUMBERS_OF_FILES: dict[str, Callable[[Question], int]] = {
    "header": lambda question: safetensors_size(question).bytes_before_data,
    "size": lambda question: safetensors_size(question).size,
    "other_parameters": lambda question: dynamic_int8_size(question).other_parameters,
    "bytes": lambda question: dynamic_int8_size(question).bytes,
}
"""The numbers of a model's files by name, as explained in the docstring of `of_file`."""


def of_file(name: str, model: str = BASE) -> str:
    """A number of bytes or parameters in a file of a model: `of_file("header", large)`.

    Args:
        name: `"header"` or `"size"` for the bytes of a safetensors file; `"other_parameters"` for the parameters that
            dynamic quantisation does not pack; `"bytes"` for the bytes of the whole model after dynamic quantisation.
        model: the name of a published model.

    Raises:
        CountingError: `name` is none of these, or there is no such model.
    """
    question = ask(model=model)
    number = entry_of(NUMBERS_OF_FILES, "number about files", name)(question)
    attributes = {"what": name, "model": model, "class": question.resolved_class.name}
    return numbers.in_full(number, _file_working(name, question), kind="file", **attributes)


def unit_bytes(unit: str) -> str:
    """The number of bytes in a unit of memory, as a power: `unit("MB")` is 10⁶.

    Raises:
        CountingError: there is no such unit.
    """
    return numbers.power(entry_of(UNITS, "unit", unit))


TOPIC: dict[str, object] = {
    "dtypes": tuple(BYTES),
    "unit": unit_bytes,
    "bytes_each": bytes_each,
    "worked": worked_bytes,
    "worked_header": worked_header,
    "of_file": of_file,
}
"""Macros for the page about memory, and the data types that it lists."""
