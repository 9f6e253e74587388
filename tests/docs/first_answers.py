"""What the page answers to numbers that have a teacher's reason, and how it is judged."""

from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Page

from tests.docs.scripts import called, measure
from tests.docs.teachers_numbers import Known

Answered = dict[str, Any]

ANSWER = measure("scripts.js", "firstAnswers")


def answers_to(page: Page, listed: Iterable[Known]) -> list[tuple[Known, Answered]]:
    """Each number of a list with the first answer to it, on a page that has the scripts."""
    known = list(listed)
    return list(zip(known, called(page, ANSWER, [each.typed for each in known]), strict=True))


def is_open(answer: Answered) -> bool:
    """Whether an answer states no reason as a fact."""
    return answer["kind"] in ("near", "none") or answer["confidence"] == "possible"


def is_right(known: Known, answer: Answered) -> bool:
    """Whether it gives the teacher's reason; where there is none, whether it leaves the question open."""
    return known.is_said(answer["all" if known.anywhere else "says"]) if known.says else is_open(answer)


def is_wrong_as_fact(known: Known, answer: Answered) -> bool:
    """Whether it states another reason as a fact."""
    return not is_right(known, answer) and not is_open(answer)


def says_nothing(answer: Answered) -> bool:
    """Whether nothing was found, or nothing but the nearest number."""
    return answer["kind"] in ("near", "none")
