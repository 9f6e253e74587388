"""In answers about every part, the verb agrees with the part, and a title with a comma has another one before the verb.

The answers are assembled from the words for a part, the title of a model and a verb.
"""

import re
from itertools import product

import pytest

from macros.rendering.files.exported import table
from tests.samples import sample_of

from .running import Scripts

MODELS = {"bert-base-uncased": "BERT base, uncased", "albert-base-v2": "ALBERT base, version 2"}
"""The models in the texts, with their titles."""

TEXTS = (
    "How many parameters are in {part} of {model}?",
    "How many LayerNorms are in {part} of {model}?",
    "How many tensors are in {part} of {model}?",
    "In {model}, {part}: 1,234,567 parameters",
    "If I freeze {part} of {model}, how many parameters are trained?",
)
"""Texts about a part of a model."""

AFTER_NOUN = re.compile(r" (?:of|in|with|without|after)\b.*")
"""Matches what follows the noun of a part, and does not affect the verb."""

PLURAL = re.compile(r".*(?: and .*|(?:embeddings|LayerNorms|biases|matrices|layers|tables|tensors|shifts))")
"""Matches the noun of a part, with the words before it, if it takes a plural verb."""


@pytest.fixture(scope="module")
def parts() -> list[str]:
    """The words for every part."""
    return [part["words"] for part in table()["explanations"]["parts"]]


@pytest.fixture(scope="module")
def answers(parts: list[str], scripts: Scripts) -> list[str]:
    """The sentences of the answers to a sample of all texts about all parts."""
    cases = sample_of([*product(TEXTS, parts, MODELS)], part=3)
    texts = [text.format(part=part, model=model) for text, part, model in cases]
    accounts = scripts.call("accountsAsTexts", texts)
    return [words for account in accounts for words in (account["headline"], *account["findings"])]


def test_a_verb_agrees_with_the_part_before_it(parts: list[str], answers: list[str]) -> None:
    titles = "|".join(map(re.escape, MODELS.values()))
    found_verbs = set()
    for part in parts:
        subject = re.compile(
            rf"(?:^|[.:] |[Ii]f ){re.escape(part)}(?: of (?:{titles}),?)? (has|have|is|are)\b", re.IGNORECASE
        )
        is_plural = PLURAL.fullmatch(AFTER_NOUN.sub("", part)) is not None
        wrong_verbs = {"has", "is"} if is_plural else {"have", "are"}
        verbs = {verb for answer in answers for verb in subject.findall(answer)}
        assert not verbs & wrong_verbs, part
        found_verbs |= verbs
    assert {"has", "have"} <= found_verbs


def test_a_title_with_a_comma_is_followed_by_one_before_a_verb(answers: list[str]) -> None:
    for title in MODELS.values():
        assert any(f"{title}, has " in answer for answer in answers)
        pattern = re.compile(rf"{title} (?:has|have|is|are|reads|takes|itself)\b")
        assert [] == [answer for answer in answers if pattern.search(answer)]


@pytest.mark.parametrize(
    ("module", "sentence"),
    [
        (
            "(out_proj): Linear(in_features=768, out_features=2, bias=False)",
            "but without its bias: RoBERTa base has 2 more: 1,538.",
        ),
        (
            "(embedding_hidden_mapping_in): Linear(in_features=128, out_features=4096, bias=False)",
            "It is the embedding projection, but without its bias: ALBERT xxlarge, version 2, has 4,096 more: 528,384.",
        ),
    ],
)
def test_a_title_without_a_comma_has_none_before_a_verb(module: str, sentence: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", [module])
    assert sentence in account["headline"]


TEXTS_ABOUT_ONE = (
    "{model} has 1 layer",
    "How many parameters if {model} had 1 layer?",
    "{model} pruned to 1 head per layer",
    "How many parameters does {model} have with 1 label?",
    "prefix tuning with 1 token on {model}",
    "freeze the first layer of {model}",
    "remove 1 layer of {model}",
    "add 1 token to the vocabulary of {model}",
    "{model} FLOPs for 1 token",
    "{model} in int8",
    "1 layer",
    "1 label",
    (
        "Error(s) in loading state_dict for BertForSequenceClassification: size mismatch for classifier.bias: copying "
        "a param with shape torch.Size([1]) from checkpoint, the shape in current model is torch.Size([3])."
    ),
)
"""Texts whose answers count one thing of a kind."""

NOUNS = "byte|element|head|label|layer|LayerNorm|matrix|model|operation|parameter|row|tensor|text|token"


def test_one_thing_is_in_the_singular(scripts: Scripts) -> None:
    texts = [text.format(model=model) for text in TEXTS_ABOUT_ONE for model in MODELS]
    accounts = [account for account in scripts.call("accountsAsTexts", texts) if account]
    answers = [words for account in accounts for words in (account["headline"], *account["findings"])]
    assert sum(re.search(rf"\b1 (?:{NOUNS})\b", answer) is not None for answer in answers) > len(TEXTS_ABOUT_ONE)
    plural = re.compile(rf"(?<![\d,.])1 (?:\w+ )?(?:(?:{NOUNS})s|matrices)\b")
    assert [] == [answer for answer in answers if plural.search(answer)]
