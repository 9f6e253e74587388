"""Questions on settings that do not change the number of parameters are answered so."""

import pytest

from .running import Scripts

LENGTH = "The length of the texts does not affect the number of parameters: the position table keeps its {rows} rows"
HEADS = "The number of heads does not affect the number of parameters: the heads divide the {width} columns"

ANSWERS = [
    (
        "With max_seq_length=128 instead of 512, it has (512-128)*768 = 294,912 fewer parameters, right?",
        LENGTH.format(rows=512),
        "BERT base, uncased, has 109,482,240",
    ),
    (
        "If I change num_attention_heads from 12 to 24, are there 24/12 × 2,362,368 = 4,724,736 parameters per layer?",
        HEADS.format(width=768),
        "BERT base, uncased, has 109,482,240",
    ),
    (
        "Does BERT large with 8 heads instead of 16 have fewer parameters?",
        HEADS.format(width="1,024"),
        "BERT large, uncased, has 335,141,888",
    ),
    (
        "Reducing the heads from 12 to 6 halves the parameters of attention.",
        HEADS.format(width=768),
        "BERT base, uncased, has 109,482,240",
    ),
    (
        "a frozen layer reduces the number of parameters of DistilBERT",
        "Freezing does not affect the number of parameters",
        "DistilBERT base, uncased, has 66,362,880",
    ),
    (
        "float16 halves the number of parameters",
        "The data type does not affect the number of parameters",
        "BERT base, uncased, has 109,482,240",
    ),
    (
        "How many words was RoBERTa trained on, and do they affect its parameters?",
        "The length of the training does not affect the number of parameters",
        "RoBERTa base has 124,645,632",
    ),
    (
        "Does the sequence length affect the number of parameters of RoBERTa?",
        LENGTH.format(rows=514),
        "RoBERTa base has 124,645,632",
    ),
    (
        "If I fine-tune on sequences of length 128, do I have fewer parameters?",
        LENGTH.format(rows=512),
        "BERT base, uncased, has 109,482,240",
    ),
    (
        "Do shorter sentences mean fewer parameters?",
        LENGTH.format(rows=512),
        "BERT base, uncased, has 109,482,240",
    ),
    (
        "gradient checkpointing: does it change the number of parameters?",
        "Gradient checkpointing does not affect the number of parameters",
        "BERT base, uncased, has 109,482,240",
    ),
    (
        "Does FSDP change the number of parameters of BERT?",
        "Splitting a model among GPUs does not affect the number of parameters",
        "BERT base, uncased, has 109,482,240",
    ),
    (
        "Does training on more tokens make BERT bigger?",
        "The length of the training does not affect the number of parameters",
        "BERT base, uncased, has 109,482,240",
    ),
    (
        "how many params would bert-base have with only one attention head",
        HEADS.format(width=768),
        "BERT base, uncased, has 109,482,240",
    ),
    ("More heads means more parameters.", HEADS.format(width=768), "BERT base, uncased, has 109,482,240"),
    # 512 further rows of 768
    (
        "max length 1024 instead of 512, how many more parameters",
        "BERT base, uncased, reads at most 512 tokens. To read 1,024, it needs 1,024 rows in the position table",
        "109,875,456 parameters as BertModel, 393,216 more than the usual 109,482,240.",
    ),
    (
        "Doubling the maximum sequence length from 512 to 1024 doubles the number of parameters of BERT.",
        "BERT base, uncased, reads at most 512 tokens. To read 1,024, it needs 1,024 rows in the position table",
        "109,875,456 parameters as BertModel, 393,216 more than the usual 109,482,240.",
    ),
    (
        "Does changing the max length from 1024 to 128 reduce the number of parameters of BERT?",
        LENGTH.format(rows=512),
        "BERT base, uncased, has 109,482,240",
    ),
    # The first two of 514 rows are those of no position, so 1,024 tokens need 1,026.
    (
        "Does a sequence length of 1024 change the number of parameters of RoBERTa?",
        "RoBERTa base reads at most 512 tokens. To read 1,024, it needs 1,026 rows",
        "125,038,848 parameters as RobertaModel, 393,216 more than the usual 124,645,632.",
    ),
    (
        "how many parameters with sequence length 128?",
        LENGTH.format(rows=512),
        "BERT base, uncased, has 109,482,240",
    ),
    (
        "DOES A LARGER BATCH SIZE MEAN MORE PARAMETERS?",
        "The batch size does not affect the number of parameters",
        "109,482,240",
    ),
    ("Does dropout change the parameters?", "Dropout does not affect the number of parameters", "109,482,240"),
    (
        "Is it true that dropout layers add parameters?",
        "Dropout does not affect the number of parameters",
        "109,482,240",
    ),
    ("does dropout have any parameters", "Dropout does not affect the number of parameters", "109,482,240"),
    ("Do attention heads add parameters?", HEADS.format(width=768), "109,482,240"),
]
"""Questions with the beginning of the answer, and with the total that it states."""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("dropout parameters bert", "Dropout has no parameters."),
        ("parameters in softmax", "Softmax has no parameters."),
        ("how many params has gelu", "An activation function has no parameters."),
        ("True or false: the softmax in attention has trainable parameters.", "Softmax has no parameters."),
        ("Are dropout layers counted?", "Dropout has no parameters."),
        (
            "Do GELU and softmax have parameters?",
            "Softmax has no parameters. An activation function has no parameters.",
        ),
        ("does GELU add parameters?", "An activation function has no parameters."),
        ("does the attention mask have parameters?", "An attention mask has no parameters."),
    ],
)
def test_some_things_have_no_parameters(scripts: Scripts, question: str, answer: str) -> None:
    assert answer == scripts.call("accounts", [question])[0]["headline"]


@pytest.mark.parametrize(("question", "beginning", "total"), ANSWERS, ids=lambda text: text[:30])
def test_a_question_on_a_setting_without_an_effect_is_answered(
    scripts: Scripts, question: str, beginning: str, total: str
) -> None:
    (account,) = scripts.call("accountsAsTexts", [question])
    assert account["headline"].startswith(beginning)
    assert total in account["headline"]


OTHER_TEXTS = [
    "How many more parameters does BERT have with 24 layers instead of 12?",
    "Does pruning 4 heads give fewer parameters?",
    "BERT base, 12 heads, 109,482,240 parameters - more than BERT tiny?",
    "Does max_position_embeddings = 128 instead of 512 change the parameters?",
    "Does MPNet with 8 attention heads instead of 12 have fewer parameters?",  # it has a bias per head
    "BERT base with 24 heads instead of 12 has 109,482,240 parameters.",
]
"""Texts about settings that are not such questions."""


@pytest.mark.parametrize("text", OTHER_TEXTS, ids=lambda text: text[:30])
def test_other_texts_are_not_such_questions(scripts: Scripts, text: str) -> None:
    (account,) = scripts.call("accountsAsTexts", [text])
    assert "does not affect" not in (account["headline"] or "")
