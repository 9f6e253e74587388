"""How much memory the parameters of a model take, by data type, and how large its files are."""

from __future__ import annotations

from collections.abc import Callable

from macros.counting import Question
from macros.counting.errors import entry_of
from macros.counting.frameworks.files import LENGTH, dynamic_int8, kept_quantised, safetensors
from macros.counting.memory import BYTES

from ..components import numbers
from ..components.asking import BASE, SHORT, ask
from ..components.permalinks import permalink


def bytes_each(dtype: str) -> str:
    """The bytes that one number takes in a data type, from the bits that are in its name.

    Raises:
        CountingError: no data type of that name.
    """
    width = entry_of(BYTES, "data type", dtype)
    return numbers.in_full(width, f"{dtype}: {8 * width} bits\n{8 * width} ÷ 8 = {width}", kind="dtype", dtype=dtype)


def worked() -> str:
    """How the bytes of base come about, from the parameters to both units."""
    name, asked = "bytes-worked", ask()
    head = f"<p>For {SHORT[BASE]}, line by line:&nbsp;{permalink(name, 'sum')}</p>"
    return f'<div id="{name}">{head}{numbers.bytes_worked(asked, "float32", ("MB", "MiB"))}</div>'


def _file_worked(what: str, asked: Question) -> str:
    """How a number about files comes about."""
    file, left = safetensors(asked), dynamic_int8(asked).left
    header, data, size, parameters = map(numbers.whole, (file.header, file.data, file.size, asked.number))
    linear = numbers.whole(asked.number - left)
    return {
        "header": "the length of what follows, and names, types, shapes and places of all tensors\n"
        f"{LENGTH} + {numbers.whole(file.header - LENGTH)} = {header} bytes",
        "size": f"the header, and four bytes for each parameter\n{header} + {data} = {size} bytes",
        "left": f"all parameters, less those of linear layers\n{parameters} − {linear} = {numbers.whole(left)}",
        "bytes": numbers.bytes_kept(kept_quantised(asked)),
    }[what]


FILES: dict[str, Callable[[Question], int]] = {
    "header": lambda asked: safetensors(asked).header,
    "size": lambda asked: safetensors(asked).size,
    "left": lambda asked: dynamic_int8(asked).left,
    "bytes": lambda asked: dynamic_int8(asked).bytes,
}
"""How what there is to say of files is counted, by name."""


def file(what: str, model: str = BASE) -> str:
    """A number about the files of a model: `file("header", large)`.

    Args:
        what: `"header"` and `"size"` are bytes of a safetensors file; `"left"` are parameters that dynamic quantisation
            leaves as they are, and `"bytes"` all that it leaves and packs.
        model: the name of a published model.

    Raises:
        CountingError: something else is asked for.
    """
    asked = ask(model=model)
    number = entry_of(FILES, "number about files", what)(asked)
    question = {"what": what, "model": model, "class": asked.chosen.name}
    return numbers.in_full(number, _file_worked(what, asked), kind="file", **question)


TOPIC: dict[str, object] = {
    "dtypes": tuple(BYTES),
    "bytes_each": bytes_each,
    "worked": worked,
    "file": file,
}
"""What the page about memory calls, and the data types that it goes through."""
