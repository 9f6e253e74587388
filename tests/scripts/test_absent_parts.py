"""A number for a part that a model lacks is not explained as that of another model."""

import pytest

from tests.scripts.running import Scripts


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("ModernBERT's position embeddings have 393,216 parameters", "ModernBERT base lacks the position embeddings."),
        ("DistilBERT: pooler 590,592", "DistilBERT base, uncased, lacks the pooler."),
        ("DistilBERT: pooler 590,592\n", "DistilBERT base, uncased, lacks the pooler."),
        (
            "the segment embeddings of DistilBERT are 2 x 768 = 1,536",
            "DistilBERT base, uncased, lacks the segment embeddings.",
        ),
    ],
)
def test_a_model_without_the_part_is_said_to_lack_it(scripts: Scripts, text: str, headline: str) -> None:
    [account] = scripts.call("accountsAsTexts", [text])
    assert account["headline"] == headline


@pytest.mark.parametrize(
    "text",
    [
        "BERT base: pooler 590,592",
        "DistilBERT has 66,362,880 parameters without the pooler",
        "DistilBERT lacks 590,592 of the pooler and 1,536 of the segment embeddings",
        "NomicBERT: the query projection has 589,824",
    ],
)
def test_other_texts_get_another_answer(scripts: Scripts, text: str) -> None:
    """The model has the part, the text leaves it out, it names two parts, or one that is a share of a joint matrix."""
    [account] = scripts.call("accountsAsTexts", [text])
    assert account is None or " lacks " not in account["headline"]
