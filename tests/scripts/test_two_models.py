"""The difference between two models' totals is explained part by part."""

import pytest

from .running import Scripts

BASE = "BERT base, uncased, as BertModel (109,482,240)"

DIFFERENCES = [
    # 31,782,912 - 23,837,184, 24 x 12,596,224 - 12 x 7,087,872, and 1,049,600 - 590,592
    (
        "335,141,888 − 109,482,240 = 225,659,648. Where does the difference come from?",
        f"{BASE}: 7,945,728 in the embeddings, 217,254,912 in the encoder layers and 459,008 in the pooler.",
        [7_945_728, 217_254_912, 459_008],
    ),
    # (50,265 - 30,522 + 514 - 512 + 1 - 2) x 768
    (
        "Why is 124,645,632 - 109,482,240 so large? roberta vs bert",
        f"between RoBERTa base, as RobertaModel (124,645,632), and {BASE}: 15,163,392 in the embeddings.",
        [15_163_392],
    ),
    # DistilBERT (66,362,880) has half the layers, and neither segments nor a pooler.
    (
        "DISTILBERT 66362880 - BERT base 109482240 = -43119360",
        "−1,536 in the embeddings, −42,527,232 in the encoder layers and −590,592 in the pooler.",
        [-1536, -42_527_232, -590_592],
    ),
    # Two classes of one model: BertForMaskedLM has no pooler, and a head of 622,650.
    (
        "Why is 109,514,298 larger than 109,482,240?",
        f"as BertForMaskedLM (109,514,298), and {BASE}: −590,592 in the pooler and 622,650 in the head.",
        [-590_592, 622_650],
    ),
    # 768 x 5 + 5 of the classifier
    (
        "BertForSequenceClassification with 5 labels has 109486085. Where are the extra ones compared with 109482240?",
        f"as BertForSequenceClassification with 5 labels (109,486,085), and {BASE}: 3,845 in the head.",
        [3845],
    ),
    # Rounded totals and the difference between them; (50,265 - 30,522 + 514 - 512 + 1 - 2) x 768
    (
        "RoBERTa base has 125M parameters and BERT base has 110M. Where do the 15M come from?",
        f"between RoBERTa base, as RobertaModel (124,645,632), and {BASE}: 15,163,392 in the embeddings.",
        [15_163_392],
    ),
    (
        "Wie komme ich von 108.310.272 auf 109.482.240?",
        f"{BASE}, and BERT base, cased, as BertModel (108,310,272): 1,171,968 in the embeddings.",
        [1_171_968],
    ),
    # Rounded totals alone: (119,547 - 30,522) x 768
    (
        "Why is mBERT 178M while BERT is 110M? They have the same number of layers.",
        f"as BertModel (177,853,440), and {BASE}: 68,371,200 in the embeddings.",
        [68_371_200],
    ),
    # (30,522 - 28,996) x 768
    (
        "I get 108,310,272 for bert-base-cased and 109,482,240 for uncased. Is it only the vocabulary?",
        f"{BASE}, and BERT base, cased, as BertModel (108,310,272): 1,171,968 in the embeddings.",
        [1_171_968],
    ),
    # 622,650 + 1,538
    (
        "What's the difference between 109,482,240 and 110,106,428?",
        f"as BertForPreTraining (110,106,428), and {BASE}: 624,188 in the heads.",
        [624_188],
    ),
]


@pytest.mark.parametrize(("text", "answer", "steps"), DIFFERENCES, ids=lambda value: str(value)[:30])
def test_a_difference_comes_from_parts(scripts: Scripts, text: str, answer: str, steps: list[int]) -> None:
    (account,) = scripts.call("accounts", [text])
    assert account["headline"].endswith(answer)
    bridge = account["bridge"]
    assert steps == [step["value"] for step in bridge["steps"]]
    assert bridge["start"] + sum(steps) == bridge["end"]
    assert bridge["heading"] == "where they differ"  # no step puts anything right


def test_the_parts_of_a_model_that_is_not_counted_are_unknown(scripts: Scripts) -> None:
    text = "GPT-2 small 124,439,808 − BERT base 109,482,240 = 14,957,568, because of the larger vocabulary"
    (account,) = scripts.call("accounts", [text])
    assert account["headline"].startswith("14,957,568 is the difference between GPT-2, small")
    assert account["headline"].endswith("so we cannot say where the difference comes from.")


@pytest.mark.parametrize(
    "text",
    [
        "BERT base minus pooler: 109,482,240 - 590,592 = 108,891,648",
        "335,141,888 − 109,482,240 = 225,659,649. Where does the difference come from?",
        "BERT base: 109,482,240 - 109,482,240",
    ],
)
def test_other_texts_get_no_account_of_a_difference(scripts: Scripts, text: str) -> None:
    (account,) = scripts.call("accounts", [text])
    assert "is the difference between" not in ((account or {}).get("headline") or "")
