"""The figure that explains weight tying: one table that embeds tokens and, when transposed, scores them."""

from __future__ import annotations

from ..components import svg
from ..components.asking import ask
from ..components.example import example
from ..components.numbers import whole
from .example import WIDTH, shape

LONG_SIDE = 168
SHORT_SIDE = 82
"""The lengths of the table's sides in pixels; the drawing is not to scale."""

ROW_THICKNESS = 10
"""The thickness in pixels of one token's row, which becomes a column when the table is transposed."""


def tying(name: str) -> str:
    """The word table drawn twice: as rows that tokens look up, and transposed, as columns that score tokens."""
    sizes = ask().sizes
    sample = example()
    token = sample.tokens[sample.followed_index]
    count = ask("bert/embeddings/word_embeddings").number
    top = 44
    table_left = 8
    decoder_left = WIDTH - LONG_SIDE - 2
    middle = top + LONG_SIDE / 2
    side_y = top + (LONG_SIDE - SHORT_SIDE) / 2
    offset = LONG_SIDE / 3
    body = [
        svg.text(table_left + SHORT_SIDE / 2, 14, "embeddings", style="strong"),
        svg.text(table_left, 32, f"“{token.text}” picks a row", anchor="start"),
        svg.box(table_left, top, SHORT_SIDE, LONG_SIDE, "embeddings"),
        svg.box(table_left, top + offset, SHORT_SIDE, ROW_THICKNESS, "weight"),
        svg.text(table_left + SHORT_SIDE / 2, middle + 16, "word", style="strong"),
        svg.text(table_left + SHORT_SIDE / 2, middle + 34, "table", style="strong"),
        svg.text(table_left + SHORT_SIDE / 2, top + LONG_SIDE + 18, shape(sizes["V"], sizes["H"])),
        svg.text(decoder_left + LONG_SIDE / 2, 14, "decoder", style="strong"),
        svg.text(decoder_left + LONG_SIDE / 2, 32, f"a column scores “{token.text}”"),
        svg.box(decoder_left, side_y, LONG_SIDE, SHORT_SIDE, "embeddings"),
        svg.box(decoder_left + offset, side_y, ROW_THICKNESS, SHORT_SIDE, "weight"),
        svg.text(decoder_left + LONG_SIDE / 2 + 34, middle - 4, "word table,", style="strong"),
        svg.text(decoder_left + LONG_SIDE / 2 + 34, middle + 14, "transposed", style="strong"),
        svg.text(decoder_left + LONG_SIDE / 2, side_y + SHORT_SIDE + 18, shape(sizes["H"], sizes["V"])),
        svg.arrow(f"M{table_left + SHORT_SIDE + 2} {middle}H{decoder_left - 6}", decoder_left - 2, middle, "right"),
        svg.text((table_left + SHORT_SIDE + decoder_left) / 2, middle - 9, "the same"),
        svg.text((table_left + SHORT_SIDE + decoder_left) / 2, middle + 20, "numbers"),
    ]
    return svg.figure(
        name,
        "The word table, used at both ends of the model",
        f"On the left, the word table of {shape(sizes['V'], sizes['H'])}, with the row of “{token.text}” marked. An "
        f"arrow leads to the same table, transposed to {shape(sizes['H'], sizes['V'])}, in which that row is a column.",
        svg.canvas(WIDTH, top + LONG_SIDE + 26, "".join(body)),
        f"One tensor of {whole(count)} numbers with two uses: the embeddings look up a row of it, and the decoder "
        f"multiplies by all of it, transposed. It counts once.",
    )
