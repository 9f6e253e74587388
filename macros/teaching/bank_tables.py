"""Question banks: how much they hold, where to download them, and what a question says to each answer."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from macros.counting.errors import entry_of
from macros.rendering.components.numbers import tally, whole
from macros.rendering.components.pages import ROOT
from macros.rendering.components.rows import lines

from .banks import FORMATS, bank_of
from .files import bank_file, published, zip_file
from .sets import Set, load_sets

EXAMPLE = "question-banks"
"""The exercise that the page shows, by its name in `exercises.toml`."""

ZIPPED = "zip of several sets, in each format"
"""What the file of sets is called whose banks are in one."""

ALL = "all sets"
"""What links to the files of all sets are said to be about."""


def questions(of_set: str = "") -> str:
    """How many questions a bank holds, or all banks together."""
    return tally(sum(len(published(each).entries) for each in _sets(of_set)))


def wrong_answers(of_set: str = "") -> str:
    """How many wrong answers a bank knows, or all banks together."""
    return tally(sum(len(entry.answers) - 1 for each in _sets(of_set) for entry in published(each).entries))


def _sets(of_set: str) -> list[str]:
    """A set by its name, or all of them.

    Raises:
        CountingError: no set of that name.
    """
    return [_set(of_set).name] if of_set else [*load_sets().sets]


def _set(name: str) -> Set:
    return entry_of(load_sets().sets, "set of exercises", name)


def files(of_set: str = "") -> str:
    """Links to the bank of a set in every format, or to the files with all banks."""
    if not of_set:
        return _links({of.title: zip_file(form) for form, of in FORMATS.items() if of.together}, ALL)
    each = _set(of_set)
    single = {of.title: bank_file(each.name, form) for form, of in FORMATS.items() if not of.together}
    return _links({ZIPPED: zip_file(each.zip)} if each.zip else single, each.title)


def _links(files: Mapping[str, str], what: str) -> str:
    """Links to files by title; heard by itself, each names the set too."""
    titles = ((escape(title), address) for title, address in files.items())
    links = (
        f'<a href="{ROOT}{address}" download aria-label="{title}: {escape(what)}">{title}</a>'
        for title, address in titles
    )
    return f'<span class="bc-several">{" ".join(links)}</span>'


def feedback() -> str:
    """Rows with the answers of the question that the page shows, each with its mark and its feedback."""
    ((of_set, seed),) = load_sets().pages[EXAMPLE]
    (entry,) = bank_of(of_set, [seed]).entries
    return lines(
        [whole(int(each.text)), "right" if each.right else "wrong", escape(each.feedback)] for each in entry.answers
    )


TOPIC: dict[str, object] = {
    "sets": tuple((each.name, escape(each.title)) for each in load_sets().sets.values()),
    "questions": questions,
    "wrong_answers": wrong_answers,
    "files": files,
    "feedback": feedback,
}
"""What the page of question banks calls, and the sets that it goes through."""
