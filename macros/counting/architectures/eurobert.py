"""EuroBERT, defined by its differences from NomicBERT: word embeddings as the only table, and norms before blocks.

There may be fewer heads of keys and values than of queries, and several query heads
then share one. There is one more norm after the last layer. A norm scales but does not
shift; its path contains LayerNorm nonetheless, as in every architecture. Unless a config
says otherwise, the decoder has weights of its own, and only the heads for labels have
biases.

Source: transformers 5.23, models/eurobert/modeling_eurobert.py and
configuration_eurobert.py.
"""

from collections.abc import Mapping

from ..architecture import LAYER, Buffer, Choices, ModelClass, Row, Symbol, bare_class, dense, output
from .bert import activation_setting, symbols_in
from .modernbert import FLOAT, biased
from .nomic_bert import NOMIC_BERT, PROJECTIONS, modules_of

NO_POOLER = Choices(pooler=False)

CONFIG = "configuration_eurobert.py, EuroBertConfig"
*SIZES, A, C = symbols_in(CONFIG, without="S", P=8192)
N = Symbol("N", "num_key_value_heads", "heads of keys and values per layer", CONFIG, otherwise="A")
Q = Symbol("Q", "head_dim", "width of a head", CONFIG, otherwise="H/A")


def scale(path: str) -> Row:
    """The row of a norm that does not shift."""
    return Row(f"{path}/gamma", "H")


def buffers(sizes: Mapping[str, int], _: int) -> list[Buffer]:
    """The frequencies of rotary positions, which transformers keeps twice. Each rotates two features of a head."""
    # The negative signs make the division round up.
    return [Buffer((-(-sizes["Q"] // 2),), FLOAT, "bert")] * 2


EUROBERT = NOMIC_BERT.variant(
    name="EuroBERT",
    model_type="eurobert",
    saved_names={},
    symbols=(*SIZES, A, N, Q, C),
    usual=Choices(pooler=False, tied=False),
    padding=128_001,
    rounds_heads=False,
    pairs_features=True,
    # A label for a text is the mean of one for each token ("late"), unless a config says otherwise.
    one_per_text=(),
    rows={
        "bert/embeddings": (Row("bert/embeddings/word_embeddings", "V H"),),
        LAYER: (
            *biased(f"{LAYER}/attention/self/query", "H AQ", "attention_bias"),
            *biased(f"{LAYER}/attention/self/key", "H NQ", "attention_bias"),
            *biased(f"{LAYER}/attention/self/value", "H NQ", "attention_bias"),
            *biased(f"{LAYER}/attention/output/dense", "AQ H", "attention_bias"),
            *biased(f"{LAYER}/intermediate/gate", "H F", "mlp_bias"),
            *biased(f"{LAYER}/intermediate/dense", "H F", "mlp_bias"),
            *biased(f"{LAYER}/output/dense", "F H", "mlp_bias"),
            scale(f"{LAYER}/attention/LayerNorm"),
            scale(f"{LAYER}/intermediate/LayerNorm"),
            scale("bert/encoder/LayerNorm"),
        ),
        "bert/pooler": (),
        "cls/predictions": (
            Row("cls/predictions/decoder/kernel", "H V", tied_to="bert/embeddings/word_embeddings"),
            # The decoder's own bias, which has no second name here.
            Row("cls/predictions/output_bias", "V", when="mlp_bias"),
        ),
        "sequence_classifier": (*dense("sequence_head/dense", "H H"), *output("sequence_classifier", "C")),
    },
    classes=(
        bare_class("EuroBertModel", NO_POOLER),
        ModelClass("EuroBertForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass(
            "EuroBertForSequenceClassification",
            "a label for a text",
            ("sequence_head", "sequence_classifier"),
            NO_POOLER,
        ),
        ModelClass("EuroBertForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
    ),
    modules={
        **modules_of("model", PROJECTIONS),
        "bert/embeddings/word_embeddings": "model.embed_tokens",
        f"{LAYER}/intermediate/gate": "model.layers.*.mlp.gate_proj",
        f"{LAYER}/intermediate/dense": "model.layers.*.mlp.up_proj",
        f"{LAYER}/output/dense": "model.layers.*.mlp.down_proj",
        f"{LAYER}/attention/LayerNorm": "model.layers.*.input_layernorm",
        f"{LAYER}/intermediate/LayerNorm": "model.layers.*.post_attention_layernorm",
        "bert/encoder/LayerNorm": "model.norm",
        "cls/predictions": "lm_head",
        "cls/predictions/decoder": "lm_head",
        "sequence_head/dense": "dense",
    },
    buffers=buffers,
    flags={"attention_bias": False, "mlp_bias": False},
    settings=(activation_setting("hidden_act"),),
)
