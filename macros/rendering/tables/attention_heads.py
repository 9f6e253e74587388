"""Numbers of attention heads on a page: what each would change."""

from __future__ import annotations

from macros.counting import count, model_named

from ..components import numbers
from ..components.asking import BASE, ask
from ..components.rows import lines


def numbers_of_heads(model: str = BASE) -> str:
    """What one head holds, and what all heads hold: one head, half as many, as many, twice as many, and the most."""
    width, own = model_named(model).sizes["H"], model_named(model).sizes["A"]
    part, tag = "bert/encoder/layer_0/attention/self", "query kernel"
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
    return lines(rows)


TOPIC: dict[str, object] = {"numbers_of_heads": numbers_of_heads}
"""What the page about attention heads calls as `attention.numbers_of_heads()`."""
