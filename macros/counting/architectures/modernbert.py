"""ModernBERT, as its differences from BERT: no biases, a gated feed-forward network, and a LayerNorm before each block.

It has no table of positions, because queries and keys are rotated instead, and
none of segments. The first layer reads embeddings that are already normalised,
so it has no LayerNorm before attention; another one follows the last layer.
Query, key and value are one matrix, and so are the first layer of the
feed-forward network and its gate.

Source: transformers 5.23, models/modernbert/modeling_modernbert.py and
configuration_modernbert.py.
"""

from collections.abc import Mapping

from ..architecture import LAYER, Buffer, Choices, ModelClass, Row, Setting, bare, kernel, output, scale
from .bert import BERT, activation

UNPOOLED = Choices(pooler=False)

SYMBOLS = tuple(
    symbol._replace(
        source=symbol.source.replace("modeling.py, BertConfig", "configuration_modernbert.py, ModernBertConfig"),
        minimum=1,
        # P sizes no tensor here: it only says how long a text the model was made for.
        usual=8192 if symbol.letter == "P" else symbol.usual,
    )
    for symbol in BERT.symbols
    if symbol.letter != "S"
)


def flag(key: str, usual: bool, what: str) -> Setting:
    """A setting that decides about biases and is as usual in every published ModernBERT."""
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
    # Not cls/squad, as elsewhere: PEFT copies the last layer of every head but this one, whose name it does not know.
    "answers": ("answer_head", "C"),
}
"""By the path of a head's last layer, the path of the layers before it, and the number of labels."""


def head(path: str) -> tuple[Row, ...]:
    """The rows of a head: a dense layer, a LayerNorm, and the last layer."""
    before, labels = HEADS[path]
    return kernel(f"{before}/dense", "H H"), scale(f"{before}/LayerNorm"), *output(path, labels)


def with_head(name: str, purpose: str, path: str) -> ModelClass:
    """The class with such a head; `name` is the end of its name."""
    return ModelClass(f"ModernBertFor{name}", purpose, (HEADS[path][0], path), UNPOOLED)


FLOAT = 4
"""Bytes of a number in float32."""


def rotations(sizes: Mapping[str, int], release: int) -> list[Buffer]:
    """The frequencies by which queries and keys are rotated: one buffer per layer in release 4, later two per kind."""
    # The negative signs make the first division round up; each frequency rotates two features of a head.
    buffer = Buffer((-(-sizes["H"] // sizes["A"] // 2),), FLOAT)
    # Layers that attend to the whole text, such as the first, and layers that do not are two kinds.
    return [buffer] * (sizes["L"] if release == 4 else 2 * min(sizes["L"], 2))


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
            # The decoder's own bias, which has no second name here.
            Row("cls/predictions/output_bias", "V"),
        ),
        "cls/seq_relationship": (),
        **{path: head(path) for path in HEADS if path != "answers"},
        "cls/squad": head("answers"),
    },
    classes=(
        bare("ModernBertModel", UNPOOLED),
        ModelClass("ModernBertForMaskedLM", "filling in masked tokens", ("cls/predictions",), UNPOOLED),
        with_head("SequenceClassification", "a label for a text", "sequence_classifier"),
        with_head("MultipleChoice", "a score for each choice", "multiple_choice"),
        with_head("TokenClassification", "a label for each token", "token_classifier"),
        with_head("QuestionAnswering", "start and end of an answer", "answers"),
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
