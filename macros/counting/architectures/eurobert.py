"""EuroBERT, defined by its differences from NomicBERT: word embeddings as the only table, and norms before blocks.

There may be fewer key-value heads than query heads; several query heads then share a key-value head.
One more norm follows the last layer. All norms scale but do not shift (RMSNorm); their
paths contain LayerNorm nonetheless, as in every architecture. Unless a config says otherwise,
the decoder has weights of its own, and only the heads that predict labels have biases.

Source: transformers 5.23, models/eurobert/modeling_eurobert.py and
configuration_eurobert.py.
"""

from collections.abc import Mapping

from ..architecture import LAYER, Buffer, Choices, ModelClass, Row, Symbol, bare_class, dense, output
from ..rounding import quotient_rounded_up
from .bert import FLOAT32_BYTES, NO_POOLER, SINGLE_DECODER_BIAS, activation_setting, symbols_in
from .modernbert import dense_with_flag
from .nomic_bert import NOMIC_BERT, PROJECTIONS, modules_of

CONFIG = "configuration_eurobert.py, EuroBertConfig"
*COMMON_SYMBOLS, A, C = symbols_in(CONFIG, without="S", P=8192)
N = Symbol("N", "num_key_value_heads", "key and value heads per layer", CONFIG, otherwise="A")
Q = Symbol("Q", "head_dim", "width of a head", CONFIG, otherwise="H/A")


def rms_norm(path: str) -> Row:
    """The row of an RMSNorm, which scales and does not shift."""
    return Row(f"{path}/gamma", "H")


def buffers(sizes: Mapping[str, int], _: int) -> list[Buffer]:
    """The frequencies of rotary positions, which transformers keeps twice. Each rotates two features of a head."""
    return [Buffer((quotient_rounded_up(sizes["Q"], 2),), FLOAT32_BYTES, "bert")] * 2


EUROBERT = NOMIC_BERT.variant(
    name="EuroBERT",
    model_type="eurobert",
    saved_names={},
    symbols=(*COMMON_SYMBOLS, A, N, Q, C),
    default_choices=Choices(pooler=False, tied=False),
    padding_id=128_001,
    rounds_heads=False,
    pairs_features=True,
    # Unless a config says otherwise ("late" pooling), the label of a text is the mean of the labels of its tokens, so
    # the head reads one vector per token.
    per_text_layers=(),
    rows={
        "bert/embeddings": (Row("bert/embeddings/word_embeddings", "V H"),),
        LAYER: (
            *dense_with_flag(f"{LAYER}/attention/self/query", "H AQ", "attention_bias"),
            *dense_with_flag(f"{LAYER}/attention/self/key", "H NQ", "attention_bias"),
            *dense_with_flag(f"{LAYER}/attention/self/value", "H NQ", "attention_bias"),
            *dense_with_flag(f"{LAYER}/attention/output/dense", "AQ H", "attention_bias"),
            *dense_with_flag(f"{LAYER}/intermediate/gate", "H F", "mlp_bias"),
            *dense_with_flag(f"{LAYER}/intermediate/dense", "H F", "mlp_bias"),
            *dense_with_flag(f"{LAYER}/output/dense", "F H", "mlp_bias"),
            rms_norm(f"{LAYER}/attention/LayerNorm"),
            rms_norm(f"{LAYER}/intermediate/LayerNorm"),
            rms_norm("bert/encoder/LayerNorm"),
        ),
        "bert/pooler": (),
        "cls/predictions": (
            Row("cls/predictions/decoder/kernel", "H V", tied_to="bert/embeddings/word_embeddings"),
            SINGLE_DECODER_BIAS._replace(when="mlp_bias"),
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
