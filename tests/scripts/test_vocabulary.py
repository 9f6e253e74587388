"""The argument of `resize_token_embeddings` is explained as a number of tokens.

The totals are the results of `num_parameters()` after the call in transformers 5.23.
"""

import pytest

from tests.scripts.running import Scripts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "model.resize_token_embeddings(30524)",
            ["30,524 is the size of a vocabulary", "30,524 × 768 = 23,442,432", "2 tokens more", "has 109,483,776"],
        ),
        (
            "RobertaForMaskedLM.from_pretrained('roberta-base')\nresize_token_embeddings(50270, pad_to_multiple_of=64)",
            [
                "rounded up to 50,304",
                "39 tokens more than the 50,265",
                "As RobertaForMaskedLM, the model has 124,727,424",
            ],
        ),
        (
            "model = AlbertModel.from_pretrained('albert-base-v2')\nmodel.resize_token_embeddings(30_005)",
            ["30,005 × 128 = 3,840,640", "has 11,684,224"],
        ),
        ("model.resize_token_embeddings(new_num_tokens=21128)", ["BERT base, Chinese", "has 102,267,648"]),
        # The size of no known vocabulary: (77,777 - 30,522) x 768 more than 109,482,240.
        (
            "model = BertModel.from_pretrained('bert-base-uncased')\nmodel.resize_token_embeddings(77777)",
            ["47,255 tokens more", "has 145,774,080"],
        ),
        (
            "model = BertModel.from_pretrained('bert-base-uncased')\nmodel.resize_token_embeddings(30000)",
            ["522 tokens fewer", "has 109,081,344"],
        ),
    ],
)
def test_the_argument_is_a_number_of_rows_and_not_of_parameters(
    text: str, expected: list[str], scripts: Scripts
) -> None:
    (account,) = scripts.call("accounts", [text])
    sentences = " ".join([account["headline"], *(finding["words"] for finding in account["findings"])])
    for words in expected:
        assert words in sentences
    assert "not a number of parameters" in account["headline"]


def test_a_total_after_the_call_is_explained(scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", ["model.resize_token_embeddings(30524)\nmodel.num_parameters()\n109483776"])
    assert account["headline"].startswith("109,483,776 is BERT base, uncased, as BertModel with 30,524 tokens")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "len(tokenizer) is 30,525 but the table's shape is (30522, 768). What will resize_token_embeddings add?",
            "word table of BERT base, uncased: 3 × 768 = 2,304 parameters",
        ),
        (
            "LEN(TOKENIZER) = 50267, embeddings [50265, 768]: what does resize_token_embeddings add?",
            "word table of RoBERTa base: 2 × 768 = 1,536 parameters",
        ),
        (
            "len(tokenizer): 40_001, weight (40000, 100), resize_token_embeddings()",
            "1 row of 100 to the word table",
        ),
        (
            "model.resize_token_embeddings(len(tokenizer))\nold: [28996, 768]\nnew: [29000, 768]\nHow many more?",
            "word table of BERT base, cased: 4 × 768 = 3,072 parameters",
        ),
    ],
)
def test_a_longer_tokenizer_adds_rows(text: str, words: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [text])
    assert words in account["headline"]


RESIZED = """
tokenizer.add_tokens(new_tokens)  # 37
model.resize_token_embeddings(len(tokenizer))
Embedding(30559, 768, padding_idx=0)
>>> model.num_parameters()
109542751
# before: 109514298. The difference is 28453, not 37*768 = 28416. Why?
"""


@pytest.mark.parametrize(
    ("text", "words", "confidence"),
    [
        # 37 rows of 768, and 37 elements of the prediction bias.
        (
            RESIZED,
            "and one element of the prediction bias: 37 × 769 = 28,453.",
            "certain",
        ),
        (
            "before resize_token_embeddings: 109,482,240\nafter: 109,488,384",
            "Each adds 768 parameters, a row of 768 in the word table: 8 × 768 = 6,144.",
            "likely",
        ),
        (
            "resize_token_embeddings took me from 11,683,584 to 11,684,224 parameters",
            "with 5 more tokens than its 30,000. Each adds 128 parameters",
            "likely",
        ),
    ],
)
def test_two_totals_show_how_many_tokens_were_added(text: str, words: str, confidence: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [text])
    assert words in account["headline"]
    assert confidence == account["confidence"]


def test_totals_whose_difference_is_no_number_of_rows_are_not_explained_by_resizing(scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", ["resize_token_embeddings: 109,482,240, then 109,482,999"])
    assert "more tokens" not in account["headline"]
