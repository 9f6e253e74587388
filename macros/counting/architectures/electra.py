"""ELECTRA, defined by its differences from BERT: embeddings with a width of their own, no pooler, and other heads.

Its pre-training class is the discriminator, which decides for every token
whether it is original; the generator is a masked LM. A dense layer leads from
the embeddings to the encoder only if their widths differ.

Source: transformers 5.23, models/electra/modeling_electra.py and
configuration_electra.py.
"""

from ..architecture import LAYER, ModelClass, Row, Setting, bare_class, dense, norm, output
from .albert import EMBEDDINGS, E
from .bert import BERT, NO_POOLER, POSITION_TYPE, PRUNED_HEADS, SINGLE_DECODER_BIAS, activation_setting, symbols_in

CONFIG = "configuration_electra.py, ElectraConfig"

V, P, S, H, F, L, A, C = symbols_in(CONFIG)

REFUSAL = "it changes the head for multiple choice, so only a config without this key is counted here"
"""The reason why other values of the first three settings below are refused."""

SUMMARY_SETTINGS = (
    Setting("summary_use_proj", True, REFUSAL, (True,)),
    Setting("summary_proj_to_labels", False, REFUSAL, empty=True),
    Setting("summary_type", "first", REFUSAL, texts_but=("attn",)),
    activation_setting("summary_activation"),
)
"""The settings of `ElectraSequenceSummary`, which the head for multiple choice contains."""

ELECTRA = BERT.variant(
    name="ELECTRA",
    model_type="electra",
    symbols=(V, P, S, E._replace(source=CONFIG), H, F, L, A, C),
    rows={
        "bert/embeddings": (*EMBEDDINGS, *dense("bert/embeddings_project", "E H", when="E≠H")),
        "bert/pooler": (),
        "cls/predictions": (
            *norm("cls/predictions/transform/LayerNorm", "E"),
            *dense("cls/predictions/transform/dense", "H E"),
            Row("cls/predictions/decoder/kernel", "E V", tied_to="bert/embeddings/word_embeddings"),
            SINGLE_DECODER_BIAS,
        ),
        "cls/seq_relationship": (
            *dense("discriminator_predictions/dense", "H H"),
            *output("discriminator_predictions", "1"),
        ),
        "sequence_classifier": (*dense("sequence_classifier/dense", "H H"), *output("sequence_classifier", "C")),
        "multiple_choice": (*dense("multiple_choice/dense", "H H"), *output("multiple_choice", "1")),
    },
    blocks={**BERT.blocks, "discriminator-head": ("discriminator_predictions",)},
    classes=(
        bare_class("ElectraModel", NO_POOLER),
        ModelClass(
            "ElectraForPreTraining", "replaced or original, token by token", ("discriminator_predictions",), NO_POOLER
        ),
        ModelClass("ElectraForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("ElectraForCausalLM", "predicting the next token", ("cls/predictions",), NO_POOLER),
        ModelClass("ElectraForSequenceClassification", "a label for a text", ("sequence_classifier",), NO_POOLER),
        ModelClass("ElectraForMultipleChoice", "a score for each choice", ("multiple_choice",), NO_POOLER),
        ModelClass("ElectraForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
        ModelClass("ElectraForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
    ),
    modules={
        "bert": "electra",
        LAYER: "electra.encoder.layer.*",
        "cls/predictions": "generator_lm_head",
        "cls/predictions/decoder": "generator_lm_head",
        "cls/predictions/transform": "generator_predictions",
        "discriminator_predictions": "discriminator_predictions.dense_prediction",
        "discriminator_predictions/dense": "discriminator_predictions.dense",
        "sequence_classifier": "classifier.out_proj",
        "sequence_classifier/dense": "classifier.dense",
        "multiple_choice/dense": "sequence_summary.summary",
    },
    settings=(POSITION_TYPE, PRUNED_HEADS, *SUMMARY_SETTINGS, activation_setting("hidden_act")),
)
