"""Sentences name the right side of a matrix: its inputs or outputs, and its rows or columns.

A vector has one number per input or per output of a matrix. A head has rows or columns of a matrix of attention. A
token has a row of each table of the embeddings.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from macros.counting.changes.methods import load_methods
from macros.counting.changes.mistakes import load_mistakes
from macros.rendering.components.terms import terms
from tests.docs.site_texts import all_texts
from tests.rendering.test_every_page import expanded_pages
from tests.rendering.test_links_to_sections import markdown_of

SIDE = re.compile(r"\b(?:per|for each) (input|output)s?\b(?! feature)")
"""Wording for the length of a vector; the group is the side of the matrix that determines it."""

END_OF_SENTENCE = re.compile(r"[.!?](?=\s|[A-Z])|\n")
"""The end of a sentence. In the text of a page, no space follows it if an element ends there too."""

SIDES = {"in": "input", "out": "output"}
"""The sides of a matrix, by the names of its dimensions in `changes.toml`."""


def sides_of(operations: tuple[Mapping[str, Any], ...]) -> frozenset[str]:
    """The sides that give a method's added vectors their lengths or, without vectors, its matrices their shapes."""
    shapes = [operation["shape"].split() for operation in operations if operation["do"] == "add"]
    vectors = [
        shape for shape in shapes if len([width for width in shape if width != "1"]) == 1 and {*shape} & {*SIDES}
    ]
    return frozenset(SIDES[width] for shape in vectors or shapes for width in shape if width in SIDES)


@cache
def sides_by_name() -> dict[str, frozenset[str]]:
    """The sides that a sentence may mention, by the title of the method or the word "bias"."""
    methods = {method.title: sides_of(method.does) for method in load_methods().values()}
    return {name: sides for name, sides in methods.items() if sides} | {"bias": frozenset({"output"})}


def sentences_with_wrong_side(text: str) -> Iterator[str]:
    """Sentences that count the numbers of a vector by the wrong side of its matrix."""
    for sentence in END_OF_SENTENCE.split(text):
        sides_in_text = {*SIDE.findall(sentence)}
        if not sides_in_text:
            continue
        right_sides = [
            sides
            for name, sides in sides_by_name().items()
            if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence, re.IGNORECASE)
        ]
        if right_sides and not sides_in_text <= frozenset[str]().union(*right_sides):
            yield sentence


def test_no_text_mentions_the_wrong_side() -> None:
    texts = [page.parsed.get_text() for page in expanded_pages().values()]
    texts += [f"{term.title}, {term.short}" for term in terms().values()]
    texts += [mistake.why for mistake in load_mistakes().values()]
    texts += [passage.text for passage in all_texts()]
    assert [] == [sentence for text in texts for sentence in sentences_with_wrong_side(text)]
    assert sum(len(SIDE.findall(text)) for text in texts) > 12


@pytest.mark.parametrize(
    ("right_sentence", "wrong_sentence"),
    [
        ("DoRA also learns a magnitude for each output", "DoRA also learns a magnitude for each input"),
        ("VeRA draws A and B; it trains one for each output", "VeRA draws A and B; it trains one for each input"),
        ("Bias, one number per output", "Bias, one number per input"),
        ("LoRA adds r numbers for each input and each output", "A bias adds a number for each input"),
    ],
)
def test_a_wrong_side_is_found(right_sentence: str, wrong_sentence: str) -> None:
    assert [] == [*sentences_with_wrong_side(right_sentence)]
    assert [wrong_sentence] == [*sentences_with_wrong_side(wrong_sentence)]


HEADS = re.compile(r"\bheads?\b")
LINES_OF_HEAD = re.compile(r"\b(row|column)s\b")
"""The word for the lines of a matrix that belong to one head, according to a sentence."""

HEADING = re.compile(r"#+ (?P<text>.*?)(?: \{|$)")
END_OF_CLAUSE = re.compile(r"(?<=[.;:!?])\s")

MATRICES = {
    "column": re.compile(r"\b(?:query|key|value)\b", re.IGNORECASE),
    "row": re.compile(r"\boutput projection\b|\battention\.output\b", re.IGNORECASE),
}
"""The wording for the matrices of which a head has columns, and for the one of which it has rows, as (in, out)."""

TRANSPOSED = re.compile(r"\.weight\b|PyTorch|\(out, in\)")
"""The wording for a matrix as PyTorch stores it, in which rows and columns are swapped."""


def matrices_named(text: str) -> set[str]:
    """The keys of `MATRICES` whose matrices the text names."""
    return {lines for lines, pattern in MATRICES.items() if pattern.search(text)}


def clauses_with_wrong_lines(text: str) -> Iterator[str]:
    """Clauses that give heads rows of a matrix of which they have columns, or the other way round.

    A clause that names no matrix is about the one in the heading above it.
    """
    matrix_of_heading: set[str] = set()
    for line in text.split("\n"):
        if heading := HEADING.match(line):
            matrix_of_heading = matrices_named(heading["text"])
            continue
        for clause in END_OF_CLAUSE.split(line):
            lines = {*LINES_OF_HEAD.findall(clause)}
            right_lines = matrices_named(clause) or matrix_of_heading
            if TRANSPOSED.search(clause):
                right_lines = {*MATRICES} - right_lines
            if HEADS.search(clause) and len(lines) == len(right_lines) == 1 and lines != right_lines:
                yield clause


def test_no_text_gives_heads_rows_instead_of_columns() -> None:
    texts = [*map(markdown_of, expanded_pages()), *(passage.text for passage in all_texts())]
    assert [] == [clause for text in texts for clause in clauses_with_wrong_lines(text)]
    page = markdown_of("parts/attention-heads.md")
    changed_pages = [
        page[: match.start(1)] + {"row": "column", "column": "row"}[match[1]] + page[match.end(1) :]
        for match in LINES_OF_HEAD.finditer(page)
    ]
    assert sum(bool([*clauses_with_wrong_lines(changed_page)]) for changed_page in changed_pages) > 4


TABLE = r"(?:(?:word|position|segment)(?:, position and segment)? tables?|embeddings)\b"
"""A pattern for tables that have a row for each token, position or segment."""

COLUMNS_OF_TABLE = re.compile(rf"\bcolumns of (?:the |a )?{TABLE}|\b{TABLE}(?: (?!and|or|by)[a-z]+){{1,4}} columns?\b")
"""A statement that gives a table columns for what has rows in it."""


def columns_of_tables(text: str) -> list[str]:
    """The statements that a table of the embeddings has columns for tokens, positions or segments."""
    return COLUMNS_OF_TABLE.findall(" ".join(text.split()))


def texts_on_tables() -> list[str]:
    """The text of every page, including that of figures, and the texts in scripts and data files."""
    return [*map(markdown_of, expanded_pages()), *(passage.text for passage in all_texts())]


def test_no_text_gives_tables_columns_instead_of_rows() -> None:
    assert [] == [statement for text in texts_on_tables() for statement in columns_of_tables(text)]


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("index.md", "count the rows of the word, position and segment tables"),
        ("parts/heads.md", "the embeddings look up a row of it"),
    ],
)
def test_columns_of_a_table_are_found(page: str, words: str) -> None:
    text = markdown_of(page)
    assert words in text
    assert columns_of_tables(text.replace(words, words.replace("row", "column")))
