"""MPNet, defined by its differences from BERT: no segments, and one table of relative positions for all layers.

The table has one number for each bucket of distances and each attention head, so
here the number of heads does affect the count. Position ids start after the
padding id, as in RoBERTa.

Source: transformers 5.23, models/mpnet/modeling_mpnet.py and
configuration_mpnet.py.
"""

from ..architecture import LAYER, ModelClass, Row, Symbol, bare_class, norm
from .bert import NO_POOLER, PRUNED_HEADS, WITH_POOLER, activation_setting, symbols_in
from .roberta import ROBERTA

CONFIG = "configuration_mpnet.py, MPNetConfig"
R = Symbol("R", "relative_attention_num_buckets", "buckets of relative positions", CONFIG, default=32)

*COMMON_SYMBOLS, A, C = symbols_in(CONFIG, without="S", symbols=ROBERTA.symbols)

RELATIVE_POSITIONS = "bert/relative_positions"
"""The path prefix of the table of relative positions, which all layers share, and of the LayerNorm after it, if any."""

PROJECTIONS = {
    f"{LAYER}/attention/self/query": "q",
    f"{LAYER}/attention/self/key": "k",
    f"{LAYER}/attention/self/value": "v",
    f"{LAYER}/attention/output/dense": "o",
}
"""The names of the projections in transformers, by path."""

MPNET = ROBERTA.variant(
    name="MPNet",
    model_type="mpnet",
    symbols=(*COMMON_SYMBOLS, A, R, C),
    # The padding id is 1 whatever the config says, so no config is refused because of its padding id.
    padded_letters=(),
    rows={
        "bert/embeddings": (
            Row("bert/embeddings/word_embeddings", "V H"),
            Row("bert/embeddings/position_embeddings", "P H"),
            *norm("bert/embeddings/LayerNorm"),
        ),
        f"{LAYER}/crossattention": (),
        "bert/pooler/dense/kernel": (
            Row(f"{RELATIVE_POSITIONS}/relative_embeddings", "R A"),
            Row("bert/pooler/dense/kernel", "H H", when="pooler"),
        ),
    },
    classes=(
        bare_class("MPNetModel"),
        ModelClass("MPNetForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("MPNetForSequenceClassification", "a label for a text", ("sequence_classifier",), NO_POOLER),
        ModelClass("MPNetForMultipleChoice", "a score for each choice", ("multiple_choice",), WITH_POOLER),
        ModelClass("MPNetForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
        ModelClass("MPNetForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
    ),
    modules={
        "bert": "mpnet",
        LAYER: "mpnet.encoder.layer.*",
        **{path: f"mpnet.encoder.layer.*.attention.attn.{name}" for path, name in PROJECTIONS.items()},
        f"{LAYER}/attention/output": "mpnet.encoder.layer.*.attention",
        f"{RELATIVE_POSITIONS}/relative_embeddings": "mpnet.encoder.relative_attention_bias",
    },
    settings=(PRUNED_HEADS, activation_setting("hidden_act")),
)
