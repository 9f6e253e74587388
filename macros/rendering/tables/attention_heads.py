"""The macro about the number of attention heads: the more heads, the narrower each is, and the total stays the same."""

from __future__ import annotations

from macros.counting import count, model_named

from ..components import numbers
from ..components.asking import BASE, ask
from ..components.rows import lines


def numbers_of_heads(model: str = BASE) -> str:
    """Rows for several numbers of heads.

    A row has the number of heads, the width of a head, its share of the query matrix, the sum of all shares, and the
    total of the model. The numbers of heads are one, half the model's number, that number itself, twice that number,
    and one per feature, which is the maximum. Numbers that do not divide the hidden size are left out.

    Raises:
        CountingError: there is no model with that name.
    """
    width = model_named(model).sizes["H"]
    head_count = model_named(model).sizes["A"]
    part = "bert/encoder/layer_0/attention/self"
    tag = "query kernel"
    rows = []
    candidates = {1, head_count // 2, head_count, 2 * head_count, width}
    # Half of one head is rounded down to 0.
    for number in sorted(heads for heads in candidates if heads > 0 and width % heads == 0):
        resized_model = model_named(model).resized(A=number)
        matrix = count(resized_model, part, tag)
        head_width = width // number
        share = matrix // number
        cells = [
            ("heads", "", number),
            ("head-width", f"H / A\n{width} ÷ {number} = {head_width}", head_width),
            ("head-share", f"H · H / A\n{width} × {head_width} = {numbers.whole(share)}", share),
            ("all-heads", f"A · H · H / A\n{number} × {numbers.whole(share)} = {numbers.whole(matrix)}", matrix),
            ("heads-total", f"A = {number}\n{numbers.in_brief(ask(model=model))}", count(resized_model)),
        ]
        # A head is the same in every class, but all numbers in a row name the class of the total.
        attributes = {"model": model, "class": ask(model=model).resolved_class.name, "heads": number}
        rows.append([numbers.in_full(value, working, kind=kind, **attributes) for kind, working, value in cells])
    return lines(rows)


TOPIC: dict[str, object] = {"numbers_of_heads": numbers_of_heads}
"""The macro for the page about attention heads: `attention.numbers_of_heads()`."""
