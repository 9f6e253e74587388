"""The words of a page about a source fit the verdicts on its claims, and whether they are too high or too low."""

import operator
import re
from collections.abc import Iterator, Sequence

import pytest

from macros.counting.published.claims import Claim, load_claims
from tests.docs.building import ROOT

PAGE = (ROOT / "docs/disagreements/published-claims.md").read_text(encoding="utf-8")

PARAGRAPH = re.compile(r"^\*\*[^*]+\*\*\{ #(?P<source>[\w-]+) \} (?P<words>.+(?:\n(?!\n).+)*)", re.MULTILINE)
"""A paragraph about a source. It begins with the name of the source, whose id is its key in `claims.toml`."""


AGREEMENT = re.compile(r"\b(?:agrees?|correct|right)\b")
DIFFERENCE = re.compile(r"\b(?:differs?|wrong|miscounts?|typo|mistyped)\b")
OMISSION = re.compile(r"\b(?:leaves? out|lacks?|excludes?|omits?)\b")
ADDITION = re.compile(r"\b(?:includes?|again|twice|once per)\b")
"""Words about claims that are right, wrong, too low or too high."""


def wrong_words(claims: Sequence[Claim], words: str) -> Iterator[str]:
    """The words that fit none of the claims of a source."""
    for pattern, verdict in ((AGREEMENT, "agrees"), (DIFFERENCE, "differs")):
        if (match := pattern.search(words)) and verdict not in {claim.verdict for claim in claims}:
            yield match[0]
    errors = [claim.explained_number - claim.correct_number for claim in claims if claim.verdict == "differs"]
    omission, addition = OMISSION.search(words), ADDITION.search(words)
    # A source that does both may be too high or too low.
    if omission and not addition and any(errors) and max(map(operator.neg, errors)) <= 0:
        yield omission[0]
    if addition and not omission and any(errors) and max(errors) <= 0:
        yield addition[0]


def faults_of(page: str) -> dict[str, list[str]]:
    """The words on a page that fit none of the claims of their source, by source."""
    paragraphs = [(match["source"], match["words"]) for match in PARAGRAPH.finditer(page)]
    assert len(paragraphs) > 25
    return {source: faults for source, words in paragraphs if (faults := [*wrong_words(load_claims()[source], words)])}


def test_words_about_a_source_fit_its_claims() -> None:
    assert {} == faults_of(PAGE)


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("huggingface-blog", "parameters includes the original head", "parameters excludes the original head"),
        ("aidway", "leaves out the pooler", "includes the pooler"),
        ("keras-hub", "counts agree", "counts differ"),
        ("early-transformers", "built the masked LM with a pooler", "left out the pooler, which it lacks"),
    ],
)
def test_words_that_fit_no_claim_of_their_source_are_found(source: str, right: str, wrong: str) -> None:
    assert right in PAGE
    assert [source] == [*faults_of(PAGE.replace(right, wrong))]
