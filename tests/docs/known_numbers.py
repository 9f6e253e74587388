"""Numbers that people have in hand, and what the search for them must answer, as data.

The search itself is the script of the site; here stand the answers that it
must give, each with its source. Paths and tags are those of the engine.
"""

from __future__ import annotations

from typing import NamedTuple

BASE, LARGE, CHINESE = "bert-base-uncased", "bert-large-uncased", "bert-base-chinese"
PRETRAINING, MASKED = "BertForPreTraining", "BertForMaskedLM"

# What is typed, then model, class and mistakes of the first answer. Sources: the
# totals of transformers 5.23 and of the tools and texts that print the others.
TOTALS = [
    ("109482240", BASE, "BertModel", ()),
    ("335,141,888", LARGE, "BertModel", ()),
    ("177853440", "bert-base-multilingual-cased", "BertModel", ()),
    (
        "75641856",
        CHINESE,
        "BertModel",
        ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out"),
    ),
    (
        "108844032",
        BASE,
        "BertModel",
        ("pooler-left-out", "segments-forgotten", "encoder-biases-left-out", "encoder-norms-twice"),
    ),
    ("133920572", BASE, PRETRAINING, ("decoder-untied", "embedding-norm-forgotten", "positions-thousand")),
    ("324472832", "bert-large-chinese", "BertModel", ("pooler-left-out",)),
    ("109705010", BASE, PRETRAINING, ("vocabulary-rounded",)),
    ("38826290", "keras-bert-notebook", PRETRAINING, ()),
    ("133547324", BASE, PRETRAINING, ("decoder-untied",)),
    ("133577846", BASE, PRETRAINING, ("state-dict-summed",)),
    ("85646592", BASE, "BertModel", ("embeddings-excluded",)),
    ("108891648", BASE, "BertModel", ("pooler-left-out",)),
    ("108808704", BASE, "BertModel", ("pooler-left-out", "encoder-biases-left-out")),
    ("132955194", BASE, MASKED, ("decoder-untied",)),
    ("110104890", BASE, MASKED, ("pooler-kept",)),
    ("109,514,298", BASE, MASKED, ()),
    ("330319285", BASE, PRETRAINING, ("optimizer-counted",)),
    ("110M", BASE, "BertModel", ()),
    ("0.34B", LARGE, "BertModel", ()),
    ("1.1亿", BASE, "BertModel", ()),
    ("108.892M", BASE, "BertModel", ("pooler-left-out",)),
]


class PartAnswer(NamedTuple):
    """A first answer that names parts: model, parts as path, tag and whether of one head, and deviations."""

    typed: str
    model: str
    parts: tuple[tuple[str, str, bool], ...]
    deviations: tuple[str, ...] = ()


LAYER = "bert/encoder/layer_0"
SQUARE = (
    *((f"{LAYER}/attention/self/{name}", "", False) for name in ("query", "key", "value")),
    (f"{LAYER}/attention/output/dense", "", False),
    ("bert/pooler", "", False),
    ("cls/predictions/transform/dense", "", False),
    ("bert/encoder/layer_*/attention/self/query", "", True),
)
"""The square dense layers of base; and since it has as many heads as layers, one head of a projection in all layers."""

# Sources: sums of `numel()` over the parameters of the part, transformers 5.23; 768 x 64 for one head's query
# matrix; an answer on stats.stackexchange (435318) that takes the output projection once a head.
PARTS = [
    PartAnswer("2362368", BASE, ((f"{LAYER}/intermediate", "", False), (LAYER, "self-attention", False))),
    PartAnswer("590592", BASE, SQUARE),
    PartAnswer("85,054,464", BASE, (("bert/encoder", "", False),)),
    PartAnswer(
        "49152",
        BASE,
        ((f"{LAYER}/attention/self/query", "kernel", True), (f"{LAYER}/attention/output/dense", "kernel", True)),
    ),
    PartAnswer(
        "7078656", BASE, ((f"{LAYER}/attention/output/dense", "", False),), deviations=("output-projection-per-head",)
    ),
]
"""Parts of the same count are one answer, in this order."""

# Source: named_parameters() of BertModel in transformers 5.23 lists 199.
TENSORS = ("199", BASE, "BertModel")
"""A number of tensors, which are no parameters."""

# Source: 12 layers times 768 times 12 heads.
PRODUCT = ("110592", BASE, ("sizes-multiplied",))
"""A product of sizes that looks like the published millions, and the deviation that it is."""

# Source: the configuration of the hand count of base Chinese says 18 labels; 102,267,648 + 18 x 769.
LABELS = ("102281490", CHINESE, 18)
"""A head with other labels."""


class MemoryAnswer(NamedTuple):
    """A first answer that is an amount of memory, in bytes, with the unit that it was divided by."""

    typed: str
    bytes: int
    model: str
    dtype: str
    unit: int
    printed_in: tuple[str, ...] = ()


# Sources: 4 bytes a number in float32 (torch documentation, Tensor Attributes), units of IEC 80000-13; the hand
# count of base Chinese, 75,641,856 over 2 to the 20th, a byte a number.
MEMORY = [
    MemoryAnswer("417.6 MiB", 437_928_960, BASE, "float32", 2**20),
    MemoryAnswer("437,928,960 bytes", 437_928_960, BASE, "float32", 1),
    MemoryAnswer("72.1 MB", 75_641_856, CHINESE, "int8", 2**20, ("base-chinese-by-hand",)),
]

# The amount of 417.6 MiB under the name of the other unit: not first, but among the answers.
OTHER_UNIT = ("417.6 MB", BASE, "float32", 2**20)

# Source: 208.8 MiB is 2 x 109,483,778 bytes, of a class that is rarer by one and types of half the width, one more.
COSTS = ("208.8 MiB", 2 * 109_483_778, {"float16": 2, "bfloat16": 2})
"""What speaks against a way adds up: the cost of the answer with this many bytes and no deviation, by data type."""

ONLY_PARTS = "0"
"""Nobody has no parameters: what is frozen and left out is no total."""

REFUSED = ("", "many", "-1", "<script>alert(1)</script>")
"""What is no number."""

BEYOND = "9" * 100
"""No model is so large: there is no answer, and no search."""
