"""A class of a model, or a part of BERT, has and lacks the tensors that sentences say it has and lacks."""

import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from macros.counting import ARCHITECTURE_OF_CLASS, BERT
from tests.docs.site_texts import all_texts
from tests.rendering.beside_numbers import ARTICLE as LEADING_ARTICLE
from tests.rendering.facets import LABELS, belongs_to_part
from tests.rendering.test_letter_words import texts as texts_of_pages

PARTS: dict[str, Callable[[frozenset[str]], bool]] = {
    r"poolers?": lambda blocks: "pooler" in blocks,
    r"masked-LM head": lambda blocks: "mlm-head" in blocks,
    r"next-sentence head": lambda blocks: "nsp-head" in blocks,
    r"pre-training heads": lambda blocks: {"mlm-head", "nsp-head"} <= blocks,
    r"(?:output |task )?heads?": lambda blocks: any(block.endswith("-head") for block in blocks),
}
"""Patterns for parts, each with a function that tells from the blocks of a class whether it has the part."""


@cache
def blocks_of(model_class: str) -> frozenset[str]:
    """The blocks of which a class has tensors."""
    return frozenset(row.block for row in ARCHITECTURE_OF_CLASS[model_class].rows_of(model_class))


CLASS = rf"`?(?P<model_class>{'|'.join(sorted(ARCHITECTURE_OF_CLASS, key=len, reverse=True))})\b`?"
PART = rf"(?P<part>{'|'.join(PARTS)})\b"
ARTICLE = r"(?:the |an? |any |both |either )?"

STATEMENTS = (
    re.compile(rf"{CLASS}(?: of [\w -]+?)?,? (?:which )?(?P<verb>has no|has|lacks|without|with) {ARTICLE}{PART}"),
    re.compile(rf"{PART},? (?:which|that) {CLASS} (?P<verb>has|lacks)"),
    re.compile(rf"(?P<verb>without|with) {ARTICLE}{PART},? such as {CLASS}"),
    re.compile(rf"such as {CLASS},? (?P<verb>without|with) {ARTICLE}{PART}"),
)
"""Sentences about a class and a part, such as "`BertModel`, without the output heads"."""

NEGATIVE_VERBS = ("has no", "lacks", "without")


def false_statements(text: str) -> Iterator[str]:
    """Statements that a class has a part that it lacks, or lacks one that it has."""
    for statement in (match for pattern in STATEMENTS for match in pattern.finditer(text)):
        has_part = next(has for words, has in PARTS.items() if re.fullmatch(words, statement["part"]))
        if has_part(blocks_of(statement["model_class"])) is (statement["verb"] in NEGATIVE_VERBS):
            yield statement[0]


TENSORS = {"LayerNorm": "LayerNorm", "bias": "bias", "dense layer": "dense", "table": "embedding-table"}
"""The tag of the tensors of each thing that a part may have."""

PARTS_OF_BERT = {LEADING_ARTICLE.sub("", label): paths for label, paths in LABELS.items()}

STATEMENT_ABOUT_PART = re.compile(
    rf"(?<!our )\b(?P<part>{'|'.join(sorted(PARTS_OF_BERT, key=len, reverse=True))})(?: network)?(?:,[^,.;:]*,)? "
    rf"(?:has|have) (?P<article>an?|one|one more|no) (?P<thing>{'|'.join(TENSORS)})\b"
)
"""A sentence about a part, but not one that tells readers what is wrong with theirs."""


def false_statements_about_parts(text: str) -> Iterator[str]:
    """Statements that a part of BERT has tensors that it lacks, or lacks those that it has."""
    for statement in STATEMENT_ABOUT_PART.finditer(text):
        rows = [row for row in BERT.rows if belongs_to_part(row, PARTS_OF_BERT[statement["part"]])]
        if any(TENSORS[statement["thing"]] in row.tags for row in rows) is (statement["article"] == "no"):
            yield statement[0]


@cache
def texts() -> tuple[str, ...]:
    """The lines of all pages, and the texts in scripts and data files."""
    return (*texts_of_pages(), *(passage.text for passage in all_texts()))


def test_every_class_has_and_lacks_what_texts_say() -> None:
    assert [] == [fault for text in texts() for fault in false_statements(text)]
    assert sum(bool(pattern.search(text)) for text in texts() for pattern in STATEMENTS) > 5


def test_every_part_has_and_lacks_what_texts_say() -> None:
    assert [] == [fault for text in texts() for fault in false_statements_about_parts(text)]
    assert sum(bool(STATEMENT_ABOUT_PART.search(text)) for text in texts()) > 3


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The masked-LM head, which `BertModel` lacks, has", "The next-sentence head, which `BertModel` lacks, has"),
        ("The pooler has one dense layer", "The pooler has no dense layer"),
        ("the feed-forward network has a bias", "the word table has a bias"),
    ],
)
def test_a_part_with_other_tensors_is_found(right: str, wrong: str) -> None:
    text = next(text for text in texts() if right in text)
    assert [*false_statements_about_parts(text.replace(right, wrong))]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("`BertModel`, without the output heads", "`BertForPreTraining`, without the output heads"),
        ("which `BertModel` lacks", "which `BertForPreTraining` lacks"),
        ("BertForMaskedLM, which has no pooler", "BertForPreTraining, which has no pooler"),
        ("`BertModel` has a pooler", "`BertModel` has no pooler"),
        ("such as `RobertaModel`, without", "such as `RobertaForMaskedLM`, without"),
    ],
)
def test_a_class_with_another_part_is_found(right: str, wrong: str) -> None:
    text = next(text for text in texts() if right in text)
    assert [*false_statements(text.replace(right, wrong))]
