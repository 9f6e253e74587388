"""NEZHA, defined by its differences from BERT: relative positions, which are computed and not learned.

There is no table of positions. Each layer keeps a buffer with a vector for every
pair of positions: sines and cosines of the distance between them. Queries are
multiplied by these vectors as they are by keys, and attention weights as they
are by values, so attention has four products instead of two.

transformers 5 has no NEZHA, so its recording is made with release 4. A NEZHA with
cross-attention is refused, because its buffers differ and none has been published.

Source: transformers 4.57, models/deprecated/nezha/modeling_nezha.py and
configuration_nezha.py.
"""

from collections.abc import Mapping

from ..architecture import LAYER, Buffer, Setting, Symbol
from .bert import BERT, FLOAT32_BYTES, INT64_BYTES, PRUNED_HEADS, activation_setting, symbols_in

CONFIG = "configuration_nezha.py, NezhaConfig"

# P occurs in no parameter's shape: it is the maximum text length.
*COMMON_SYMBOLS, C = symbols_in(CONFIG, P=512)
# R occurs in no shape either: beyond it, all distances in one direction have the same vector.
R = Symbol(
    "R",
    "max_relative_position",
    "maximum distance between tokens that has a vector of its own",
    CONFIG,
    default=64,
)


def buffers(sizes: Mapping[str, int], _: int) -> list[Buffer]:
    """The buffers: segment 0 for every position, and in each layer a vector for every pair of positions."""
    positions = sizes["P"]
    vectors = Buffer((positions, positions, sizes["H"] // sizes["A"]), FLOAT32_BYTES)
    return [Buffer((1, positions), INT64_BYTES), *[vectors] * sizes["L"]]


NEZHA = BERT.variant(
    name="NEZHA",
    model_type="nezha",
    last_release=4,
    symbols=(*COMMON_SYMBOLS, R, C),
    rows={"bert/embeddings/position_embeddings": (), f"{LAYER}/crossattention": ()},
    classes=tuple(
        bert_class._replace(name=bert_class.name.replace("Bert", "Nezha"))
        for bert_class in BERT.classes
        if "LMHead" not in bert_class.name
    ),
    modules={"bert": "nezha", LAYER: "nezha.encoder.layer.*"},
    buffers=buffers,
    positions_in_products=True,
    settings=(
        Setting("use_relative_position", True, "without relative positions it is a BERT", (True,)),
        Setting("add_cross_attention", False, "no NEZHA is known to have cross-attention, so leave it out", (False,)),
        PRUNED_HEADS,
        activation_setting("hidden_act"),
    ),
)
