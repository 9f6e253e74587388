"""Questions on the size that gives a number of parameters, and on what one more unit adds, are answered."""

import pytest

from .running import Scripts

ANSWERS = {
    # 109,482,240 + 674 x 768 and + 675 x 768
    "What vocabulary size gives 110,000,000 parameters?": (
        "No vocabulary size gives exactly 110,000,000: BERT base, uncased, as BertModel, would have 109,999,872 "
        "parameters with a vocabulary of 31,196, and 110,000,640 with a vocabulary of 31,197."
    ),
    # 109,482,240 + 12 and 13 x 7,087,872
    "How many layers would give BERT base 200M parameters?": (
        "No number of layers gives exactly 200,000,000: BERT base, uncased, as BertModel, would have 194,536,704 "
        "parameters with 24 layers, and 201,624,576 with 25 layers."
    ),
    # 335,141,888 + 1,024 x 1,024
    "which vocab makes BERT large 336,190,464 params?": (
        "BERT large, uncased, as BertModel, has 335,141,888 parameters. With a vocabulary of 31,546, "
        "it would have 336,190,464."
    ),
    # 109,482,240 + 512 x 768
    "How many positions are needed for 109,875,456 parameters?": (
        "BERT base, uncased, as BertModel, has 109,482,240 parameters. With 1,024 positions, it would have 109,875,456."
    ),
    "Combien de couches faut-il pour atteindre 200M paramètres avec BERT base ?": (
        "No number of layers gives exactly 200,000,000: BERT base, uncased, as BertModel, would have 194,536,704 "
        "parameters with 24 layers, and 201,624,576 with 25 layers."
    ),
    # 23,837,184 + 590,592 + 10 or 11 x 7,087,872
    "What hidden size gives 25,000,000 parameters? The model has 6 layers.": (
        "BERT base, uncased, as BertModel, has 109,482,240 parameters. With 6 layers, it would have 24,847,608 "
        "parameters with a hidden size of 408 and an inner width of 1,632, and 25,946,340 parameters with a hidden "
        "size of 420 and an inner width of 1,680. The hidden size must be a multiple of the 12 heads."
    ),
    "How many BERT-base layers would fit into a budget of 100M parameters?": (
        "No number of layers gives exactly 100,000,000: BERT base, uncased, as BertModel, would have 95,306,496 "
        "parameters with 10 layers, and 102,394,368 with 11 layers."
    ),
    "How many layers of ALBERT fit in 100M parameters?": (
        "ALBERT base, version 2, as AlbertModel, has 11,683,584 parameters with any number of layers, "
        "because its layers share their weights."
    ),
    "How many positions give 100M parameters for ModernBERT base?": (
        "ModernBERT base, as ModernBertModel, has 149,014,272 parameters with any number of positions, "
        "because none of its tables has a row for each position."
    ),
    # (30,522 + 512 + 2 + 2) H + 12 x (12 H^2 + 13 H) + H^2 + H for 312 and 324
    "Which hidden size gives a BERT with 12 layers 25M parameters?": (
        "BERT base, uncased, as BertModel, has 109,482,240 parameters. With 12 layers, it would have 23,847,720 "
        "parameters with a hidden size of 312 and an inner width of 1,248, and 25,328,700 parameters with a hidden "
        "size of 324 and an inner width of 1,296. The hidden size must be a multiple of the 12 heads."
    ),
}


@pytest.mark.parametrize("question", ANSWERS)
def test_the_size_is_worked_out(scripts: Scripts, question: str) -> None:
    (account,) = scripts.call("accountsAsTexts", [question])
    assert ANSWERS[question] == account["headline"]


UNITS = {
    "Every additional vocabulary entry costs 768 bytes": "token of the vocabulary adds 768 parameters to BERT base",
    "How many parameters does one more token add to BERT base?": "768 parameters to BERT base, uncased",
    "WHAT DOES AN EXTRA LAYER OF BERT LARGE COST?": "layer adds 12,596,224 parameters to BERT large, uncased",
    "How many parameters does one more position than 1,024 add to BERT base?": "768 parameters to BERT base, uncased",
    "how many parameters per token in the vocabulary?": "768 parameters to BERT base, uncased",
    "how many parameters per position?": "768 parameters to BERT base, uncased",
    "each extra position adds 768 params in ALBERT base": "position adds 128 parameters to ALBERT base",
}


@pytest.mark.parametrize("text", UNITS)
def test_one_more_unit_is_counted(scripts: Scripts, text: str) -> None:
    (account,) = scripts.call("accountsAsTexts", [text])
    assert UNITS[text] in account["headline"]


OTHER_TEXTS = [
    "Does each additional token take more time?",
    "attention parameters per layer of BERT base",
    "2 FLOPs per parameter for each token",
    "one more layer adds 7,087,872 parameters to BERT base",  # which is explained as a number
    "one more layer of BERT base adds 8.088M parameters",  # which is compared with the right number
    "Every additional layer of GPT-4 takes many parameters",
    "How many layers does BERT base with 110M parameters have?",
    "What vocabulary gives 10 parameters?",  # even with one token there are more
    "What vocabulary size gives GPT-4 110,000,000 parameters?",
    "The vocabulary gives 23,440,896 parameters.",
]


@pytest.mark.parametrize("text", OTHER_TEXTS)
def test_other_texts_ask_for_no_size(scripts: Scripts, text: str) -> None:
    (account,) = scripts.call("accountsAsTexts", [text])
    assert "would have" not in (account["headline"] or "")
    assert "One more" not in (account["headline"] or "")
