"""Texts name the parts of BERT in the order in which a vector goes through them.

A text places other parts only before the first layer or after the last one. What a sentence puts before or after a part
also comes before or after it in the model.
"""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.docs.site_texts import all_texts
from tests.rendering.test_every_page import expanded_pages
from tests.rendering.test_links_to_sections import markdown_of

STAGES = (
    r"embeddings",
    r"first (?:encoder )?layer",
    r"(?:self-)?attention",
    r"feed-forward network",
    r"last (?:encoder )?layer|encoder",
    r"pooler|(?:masked-LM|next-sentence|output|task) heads?|decoder|classifier",
)
"""Patterns for parts of BERT, in the order in which they run."""

STAGE = re.compile("|".join(rf"(?P<stage{index}>\b(?:{pattern})\b)" for index, pattern in enumerate(STAGES)))
STEP = re.compile(r"\b(?=(?:after|before|follows|precedes)\b)", re.IGNORECASE)
"""The beginning of a phrase such as "after the last layer"."""

CLAUSE = re.compile(r"[^.;:|\n()]+")
LINK_MARKUP = re.compile(r"\[|\]\([^()]*\)")
PLACE = re.compile(
    r"(?:after|before|follows|precedes) (?:the )?(?=(?P<end>first|last) (?:encoder )?layer\b)", re.IGNORECASE
)
"""A phrase that says what comes before or after the layers."""


def stages_in(text: str) -> list[int]:
    """The indices in `STAGES` of the parts that a text names."""
    return [int((match.lastgroup or "").removeprefix("stage")) for match in STAGE.finditer(text)]


def wrong_orders(text: str) -> Iterator[str]:
    """The clauses that name parts in another order than they run in, or a place between layers."""
    for clause in CLAUSE.findall(LINK_MARKUP.sub("", text)):
        subject, *steps = STEP.split(clause)
        for step in steps:
            is_after = step.lower().startswith(("after", "follows"))
            place = PLACE.match(step)
            stage, *others = stages_in(step) or [0]
            named = [*(stages_in(subject)[-1:] if step is steps[0] else []), *(others if "," in step else [])[:1]]
            is_wrong = any(other < stage if is_after else other > stage for other in named if stages_in(step))
            if is_wrong or (place and (place["end"] == "last") is not is_after):
                yield " ".join(clause.split())


@cache
def texts() -> tuple[str, ...]:
    """The text of every page, and the texts in scripts and data files."""
    return (*map(markdown_of, expanded_pages()), *(passage.text for passage in all_texts()))


def test_parts_are_named_in_the_order_in_which_they_run() -> None:
    assert [] == [clause for text in texts() for clause in wrong_orders(text)]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("After the last layer, [the pooler]", "After the first layer, [the pooler]"),
        ("before [the first layer]", "after [the first layer]"),
        ("After the last layer comes a pooler", "Before the last layer comes a pooler"),
        ("pooler, after the last encoder layer", "pooler, before the last encoder layer"),
        ("A LayerNorm normalises the sum of the embeddings before", "A LayerNorm normalises the embeddings after"),
        ("After attention, each token goes", "Before attention, each token goes"),
    ],
)
def test_another_order_is_found(right: str, wrong: str) -> None:
    text = next(text for text in texts() if right in text)
    assert [*wrong_orders(text.replace(right, wrong))]
