"""BigBird, defined by its differences from BERT: a pooler in almost every class, and a larger head for answers.

Sparse attention has the same tensors as full attention. How much a model computes
depends on the length of a text, on the size of the blocks, and on their number.

Source: transformers 5.23, models/big_bird/modeling_big_bird.py and
configuration_big_bird.py.
"""

from ..architecture import LAYER, ModelClass, Setting, bare_class, dense, norm, output
from .bert import BERT, POOLED, UNPOOLED, activation_setting

BIGBIRD = BERT.variant(
    name="BigBird",
    model_type="big_bird",
    symbols=tuple(
        symbol._replace(
            source=symbol.source.replace("modeling.py, BertConfig", "configuration_big_bird.py, BigBirdConfig")
        )
        for symbol in BERT.symbols
    ),
    rows={
        "sequence_classifier": (*dense("sequence_classifier/dense", "H H"), *output("sequence_classifier", "C")),
        "cls/squad": (
            *dense("answer_head/intermediate/dense", "H F"),
            *dense("answer_head/output/dense", "F H"),
            *norm("answer_head/output/LayerNorm"),
            # It has two labels, whatever the config says.
            *output("cls/squad", "2"),
        ),
    },
    classes=(
        bare_class("BigBirdModel"),
        ModelClass(
            "BigBirdForPreTraining", "both pre-training tasks", ("cls/predictions", "cls/seq_relationship"), POOLED
        ),
        ModelClass("BigBirdForMaskedLM", "filling in masked tokens", ("cls/predictions",), POOLED),
        ModelClass("BigBirdForCausalLM", "causal language modelling", ("cls/predictions",), POOLED),
        ModelClass("BigBirdForSequenceClassification", "a label for a text", ("sequence_classifier",), POOLED),
        ModelClass("BigBirdForMultipleChoice", "a score for each choice", ("multiple_choice",), POOLED),
        ModelClass("BigBirdForTokenClassification", "a label for each token", ("token_classifier",), POOLED),
        ModelClass(
            "BigBirdForQuestionAnswering",
            "start and end of an answer",
            ("answer_head", "cls/squad"),
            UNPOOLED,
        ),
    ),
    modules={
        LAYER: "bert.encoder.layer.*",
        "bert/pooler/dense": "bert.pooler",
        "sequence_classifier": "classifier.out_proj",
        "sequence_classifier/dense": "classifier.dense",
        "answer_head": "qa_classifier",
        "cls/squad": "qa_classifier.qa_outputs",
    },
    operations_depend_on="the size and the number of the blocks, which serve only longer texts",
    settings=(
        Setting(
            "use_bias",
            True,
            "it decides whether query, key and value have biases, as in every published BigBird; set it to true",
            (True,),
        ),
        Setting(
            "attention_type",
            "block_sparse",
            'transformers knows no other attention than "block_sparse" and "original_full"; choose one of them',
            ("block_sparse", "original_full"),
        ),
        activation_setting("hidden_act"),
    ),
)
