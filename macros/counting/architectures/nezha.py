"""NEZHA, defined by its differences from BERT: relative positions, which are computed and not learned.

There is no table of positions. Each layer keeps a buffer with a vector for every
pair of positions: sines and cosines of the distance between them. Queries are
multiplied by these vectors as they are by keys, and attention weights as they
are by values, so attention has four products instead of two.

transformers 5 has no NEZHA, so its recording is made with release 4. A NEZHA
that attends to another text is refused, since its buffers differ and none is published.

Source: transformers 4.57, models/deprecated/nezha/modeling_nezha.py and
configuration_nezha.py.
"""

from collections.abc import Mapping

from ..architecture import LAYER, Buffer, Setting, Symbol
from .bert import BERT, INT64, PRUNED_HEADS, activation_setting

CONFIG = "configuration_nezha.py, NezhaConfig"
FLOAT = 4
"""Bytes of a number in float32."""

*SIZES, LABELS = (
    symbol._replace(
        source=symbol.source.replace("modeling.py, BertConfig", CONFIG),
        # P occurs in no shape here: it is only the length of the longest text.
        usual=512 if symbol.letter == "P" else symbol.usual,
    )
    for symbol in BERT.symbols
)
# R occurs in no shape either: beyond this distance, all pairs of positions have the same vector.
DISTANCE = Symbol("R", "max_relative_position", "farthest distance between tokens with a vector of its own", CONFIG, 64)


def position_vectors(sizes: Mapping[str, int], _: int) -> list[Buffer]:
    """The buffers: segment 0 for every position, and in each layer a vector for every pair of positions."""
    positions = sizes["P"]
    pairs = Buffer((positions, positions, sizes["H"] // sizes["A"]), FLOAT)
    return [Buffer((1, positions), INT64), *[pairs] * sizes["L"]]


NEZHA = BERT.variant(
    name="NEZHA",
    model_type="nezha",
    release=4,
    symbols=(*SIZES, DISTANCE, LABELS),
    rows={"bert/embeddings/position_embeddings": (), f"{LAYER}/crossattention": ()},
    classes=tuple(
        one._replace(name=one.name.replace("Bert", "Nezha")) for one in BERT.classes if "LMHead" not in one.name
    ),
    modules={"bert": "nezha", LAYER: "nezha.encoder.layer.*"},
    buffers=position_vectors,
    positions_in_products=True,
    settings=(
        Setting("use_relative_position", True, "without relative positions it is a BERT", (True,)),
        Setting("add_cross_attention", False, "no NEZHA is known to have cross-attention, so leave it out", (False,)),
        PRUNED_HEADS,
        activation_setting("hidden_act"),
    ),
)
