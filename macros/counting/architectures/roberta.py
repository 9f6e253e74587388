"""RoBERTa, and models under other names with the same tensors, defined by their differences from BERT.

Position ids start after the padding id, there is no next-sentence prediction,
and the classification head has an additional dense layer.

Sources: transformers 5.23, models/roberta/modeling_roberta.py,
models/xlm_roberta/modeling_xlm_roberta.py,
models/camembert/modeling_camembert.py and
models/data2vec/modeling_data2vec_text.py.
"""

from typing import Any

from ..architecture import LAYER, Architecture, ModelClass, Row, bare_class, dense, norm, output
from .bert import BERT, NO_POOLER, WITH_POOLER

ROBERTA = BERT.variant(
    name="RoBERTa",
    model_type="roberta",
    # The padding id is 1, and the tables of tokens and of positions both have a row for it.
    padded_letters=("V", "P"),
    first_position=2,
    symbols=tuple(symbol._replace(minimum=2) if symbol.letter in ("V", "P") else symbol for symbol in BERT.symbols),
    rows={
        "bert/embeddings": (
            Row("bert/embeddings/word_embeddings", "V H"),
            Row("bert/embeddings/token_type_embeddings", "S H"),
            *norm("bert/embeddings/LayerNorm"),
            Row("bert/embeddings/position_embeddings", "P H"),
        ),
        "cls/seq_relationship": (),
        "sequence_classifier": (*dense("sequence_classifier/dense", "H H"), *output("sequence_classifier", "C")),
    },
    classes=(
        bare_class("RobertaModel"),
        ModelClass("RobertaForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("RobertaForCausalLM", "predicting the next token", ("cls/predictions",), NO_POOLER),
        ModelClass("RobertaForSequenceClassification", "a label for a text", ("sequence_classifier",), NO_POOLER),
        ModelClass("RobertaForMultipleChoice", "a score for each choice", ("multiple_choice",), WITH_POOLER),
        ModelClass("RobertaForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
        ModelClass("RobertaForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
    ),
    modules={
        "bert": "roberta",
        LAYER: "roberta.encoder.layer.*",
        "cls/predictions": "lm_head",
        "cls/predictions/transform/dense": "lm_head.dense",
        "cls/predictions/transform/LayerNorm": "lm_head.layer_norm",
        "sequence_classifier": "classifier.out_proj",
        "sequence_classifier/dense": "classifier.dense",
    },
)


def roberta_named(name: str, model_type: str, stem: str, **fields: Any) -> Architecture:
    """RoBERTa under another name.

    Args:
        name: the name in print.
        model_type: the name in a config.
        stem: the replacement for "Roberta" in the names of its classes.
        fields: further fields of the architecture that differ from RoBERTa's.
    """
    classes = tuple(
        model_class._replace(name=model_class.name.replace("Roberta", stem)) for model_class in ROBERTA.classes
    )
    return ROBERTA.with_fields(name=name, model_type=model_type, classes=classes, **fields)


ROWS_WITH_HEADS_FIRST = tuple(sorted(ROBERTA.rows, key=lambda row: row.path.startswith("bert/")))
"""RoBERTa's rows, heads first, for architectures whose classes build the head before the encoder.

Listings have the tensors in this order.
"""

XLM_ROBERTA = roberta_named("XLM-RoBERTa", "xlm-roberta", "XLMRoberta", rows=ROWS_WITH_HEADS_FIRST)

CAMEMBERT = roberta_named("CamemBERT", "camembert", "Camembert", rows=ROWS_WITH_HEADS_FIRST)

DATA2VEC = roberta_named(
    "data2vec text",
    "data2vec-text",
    "Data2VecText",
    modules={path: module.replace("roberta", "data2vec_text", 1) for path, module in ROBERTA.modules.items()},
)
