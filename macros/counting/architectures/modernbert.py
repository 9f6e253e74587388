"""ModernBERT, as what differs from BERT: no biases, a gated feed-forward network, and a LayerNorm before each block.

There is no table of positions, as queries and keys are rotated instead, and
no table of segments. The first layer reads what the embeddings have
normalised, so it has no LayerNorm before attention; one more follows the last
layer. Query, key and value are one matrix, and so are the first layer of the
feed-forward network and its gate.

Source: transformers 5.23, models/modernbert/modeling_modernbert.py and
configuration_modernbert.py.
"""

from collections.abc import Mapping

from ..architecture import LAYER, Buffer, Choices, ModelClass, Row, Setting, bare, kernel, output, scale
from .bert import BERT, activation

UNPOOLED = Choices(pooler=False)

SYMBOLS = tuple(
    each._replace(
        source=each.source.replace("modeling.py, BertConfig", "configuration_modernbert.py, ModernBertConfig"),
        minimum=1,
        # It sizes nothing, and says how long a text the model was made for.
        usual=8192 if each.letter == "P" else each.usual,
    )
    for each in BERT.symbols
    if each.letter != "S"
)


def flag(key: str, usual: bool, what: str) -> Setting:
    """The setting that brings biases, which no published ModernBERT has otherwise."""
    return Setting(key, usual, f"{what}, so only {str(usual).lower()} is counted here", (usual,))


SETTINGS = (
    flag("attention_bias", False, "it adds biases to the dense layers of attention"),
    flag("mlp_bias", False, "it adds biases to the feed-forward networks"),
    flag("norm_bias", False, "it adds a shift to every LayerNorm"),
    flag("classifier_bias", False, "it adds a bias to the dense layer of every head"),
    flag("decoder_bias", True, "it takes the bias from the masked-LM head"),
    activation("hidden_activation"),
    activation("classifier_activation"),
)


HEADS = {
    "sequence_classifier": ("sequence_head", "C"),
    "multiple_choice": ("multiple_choice_head", "1"),
    "token_classifier": ("token_head", "C"),
    # PEFT copies the last layer of all others, and of this one does not know the name.
    "answers": ("answer_head", "C"),
}
"""By the path of a last layer, that of what stands before it, and how many labels there are."""


def head(path: str) -> tuple[Row, ...]:
    """A head that labels something: a dense layer with a LayerNorm, and the last layer."""
    before, labels = HEADS[path]
    return kernel(f"{before}/dense", "H H"), scale(f"{before}/LayerNorm"), *output(path, labels)


def headed(name: str, purpose: str, path: str) -> ModelClass:
    """A class with such a head."""
    return ModelClass(f"ModernBertFor{name}", purpose, (HEADS[path][0], path), UNPOOLED)


FLOAT = 4
"""Bytes of a number in float32."""


def rotations(sizes: Mapping[str, int], release: int) -> list[Buffer]:
    """The rotations of queries and keys: in release 4 one in each layer, later two for each kind of layer."""
    each = Buffer((-(-sizes["H"] // sizes["A"] // 2),), FLOAT)
    # The first layer looks at the whole text and the next ones do not, so there are two kinds.
    return [each] * (sizes["L"] if release == 4 else 2 * min(sizes["L"], 2))


MODERNBERT = BERT.variant(
    name="ModernBERT",
    model_type="modernbert",
    symbols=SYMBOLS,
    padding=50_283,
    rows={
        "bert/embeddings": (Row("bert/embeddings/word_embeddings", "V H"), scale("bert/embeddings/LayerNorm")),
        LAYER: (
            scale(f"{LAYER}/attention/LayerNorm", but_first=True),
            kernel(f"{LAYER}/attention/self/query_key_value", "H 3H"),
            kernel(f"{LAYER}/attention/output/dense", "H H"),
            scale(f"{LAYER}/intermediate/LayerNorm"),
            kernel(f"{LAYER}/intermediate/dense", "H 2F"),
            kernel(f"{LAYER}/output/dense", "F H"),
        ),
        "bert/pooler": (scale("bert/encoder/LayerNorm"),),
        "cls/predictions": (
            kernel("cls/predictions/transform/dense", "H H"),
            scale("cls/predictions/transform/LayerNorm"),
            Row("cls/predictions/decoder/kernel", "H V", tied_to="bert/embeddings/word_embeddings"),
            # The decoder's own bias: no second name shares it.
            Row("cls/predictions/output_bias", "V"),
        ),
        "cls/seq_relationship": (),
        **{path: head(path) for path in HEADS if path != "answers"},
        "cls/squad": head("answers"),
    },
    classes=(
        bare("ModernBertModel", UNPOOLED),
        ModelClass("ModernBertForMaskedLM", "filling in masked tokens", ("cls/predictions",), UNPOOLED),
        headed("SequenceClassification", "a label for a text", "sequence_classifier"),
        headed("MultipleChoice", "a score for each choice", "multiple_choice"),
        headed("TokenClassification", "a label for each token", "token_classifier"),
        headed("QuestionAnswering", "start and end of an answer", "answers"),
    ),
    modules={
        "bert": "model",
        "bert/embeddings/word_embeddings": "model.embeddings.tok_embeddings",
        "bert/embeddings/LayerNorm": "model.embeddings.norm",
        LAYER: "model.layers.*",
        f"{LAYER}/attention/LayerNorm": "model.layers.*.attn_norm",
        f"{LAYER}/attention/self/query_key_value": "model.layers.*.attn.Wqkv",
        f"{LAYER}/attention/output/dense": "model.layers.*.attn.Wo",
        f"{LAYER}/intermediate/LayerNorm": "model.layers.*.mlp_norm",
        f"{LAYER}/intermediate/dense": "model.layers.*.mlp.Wi",
        f"{LAYER}/output/dense": "model.layers.*.mlp.Wo",
        "bert/encoder/LayerNorm": "model.final_norm",
        "cls/predictions": "decoder",
        "cls/predictions/decoder": "decoder",
        "cls/predictions/transform/dense": "head.dense",
        "cls/predictions/transform/LayerNorm": "head.norm",
        **dict.fromkeys(HEADS, "classifier"),
        **{f"{before}/dense": "head.dense" for before, _ in HEADS.values()},
        **{f"{before}/LayerNorm": "head.norm" for before, _ in HEADS.values()},
    },
    buffers=rotations,
    settings=SETTINGS,
)
