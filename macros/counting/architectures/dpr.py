"""DPR, defined by its differences from BERT: three classes, each around a BERT without a pooler.

The encoders of passages and of questions have the same tensors and are trained
separately. The reader has two output layers: one for the start and end of an answer, one
for the relevance of a passage. A config may add a dense layer that gives the
first token's vector another width, and the reader's output layers then have that
width, too. Each class has its own names for its modules.

Source: transformers 5.23, models/dpr/modeling_dpr.py and configuration_dpr.py.
"""

from ..architecture import LAYER, ModelClass, Row, Symbol, bare_class, dense
from .bert import BERT, NO_POOLER

*COMMON_SYMBOLS, C = BERT.symbols
# In transformers, a negative width also means that there is no projection; here it is refused.
J = Symbol("J", "projection_dim", "width of the projection", "configuration_dpr.py, DPRConfig", default=0, minimum=0)

BODIES = {
    "DPRContextEncoder": "ctx_encoder",
    "DPRQuestionEncoder": "question_encoder",
    "DPRReader": "span_predictor.encoder",
}
"""The name of the module that holds the BERT, by class."""

BODY = BODIES["DPRReader"]
"""The name in the last class, which `modules` uses."""


def output_layer(path: str, labels: str) -> tuple[Row, ...]:
    """The rows of one of the reader's output layers, whose matrix is as wide as the projection, if there is one."""
    return (
        Row(f"{path}/output_weights", f"{labels} H", when="J=0"),
        Row(f"{path}_of_projection/output_weights", f"{labels} J", when="J≠0"),
        Row(f"{path}/output_bias", labels),
    )


ANSWERS = ("answers", "answers_of_projection")
RELEVANCE = ("relevance", "relevance_of_projection")
"""The paths of the reader's output layers, each without and with a projection."""

DPR = BERT.variant(
    name="DPR",
    model_type="dpr",
    config_name="DPRConfig",
    symbols=(*COMMON_SYMBOLS, J, C),
    rows={
        "bert/pooler": dense("bert/projection/dense", "H J", when="J≠0"),
        "cls/predictions": (),
        "cls/seq_relationship": (),
        "sequence_classifier": (),
        "multiple_choice": (),
        "token_classifier": (),
        "cls/squad": (*output_layer("answers", "2"), *output_layer("relevance", "1")),
    },
    classes=(
        bare_class("DPRContextEncoder", NO_POOLER),
        ModelClass("DPRQuestionEncoder", "a vector for a question", (), NO_POOLER),
        ModelClass("DPRReader", "the answer in a passage, and its relevance", (*ANSWERS, *RELEVANCE), NO_POOLER),
    ),
    modules={
        "bert": f"{BODY}.bert_model",
        LAYER: f"{BODY}.bert_model.encoder.layer.*",
        "bert/projection/dense": f"{BODY}.encode_proj",
        **dict.fromkeys(ANSWERS, "span_predictor.qa_outputs"),
        **dict.fromkeys(RELEVANCE, "span_predictor.qa_classifier"),
    },
    bodies=BODIES,
    per_text_layers=("bert/projection", *RELEVANCE),
)
