"""Tables about question banks: where to download them, and what one of their questions says to each answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from macros.rendering.elements.numbers import whole
from macros.rendering.elements.pages import ROOT
from macros.rendering.elements.tables import NUMERIC, PROSE, WORD, Column, table

from .banks import FORMATS, bank_of
from .files import bank_file, published
from .sets import load_sets

EXAMPLE = "exercises-question-banks"
"""The exercise that the page shows, by its name in `exercises.toml`."""


def downloads(name: str) -> str:
    """Every bank in every format, with its questions and the wrong answers that it knows."""
    columns = [
        Column("set"),
        Column("questions", NUMERIC),
        Column("known wrong answers", NUMERIC),
        *(Column(each.title, WORD) for each in FORMATS.values()),
    ]
    rows = []
    for each in load_sets().sets.values():
        entries = published(each.name).entries
        counts = [len(entries), sum(len(entry.answers) - 1 for entry in entries)]
        files = [_link(each.title, each.name, form) for form in FORMATS]
        rows.append([escape(each.title), *map(whole, counts), *files])
    return table(name, "Question banks to download", columns, rows)


def _link(title: str, name: str, form: str) -> str:
    """A link to a file, named by what is in it where it is heard without the table."""
    address = bank_file(name, form)
    label = f"{title} as {FORMATS[form].title}"
    ending = address.rpartition(".")[2].upper()
    link = f'<a href="{ROOT}{address}" download aria-label="{escape(label)} ({ending})">{ending}</a>'
    return f'<span class="bc-files">{link}</span>'


def example(name: str) -> str:
    """The answers of a question, each with its mark and its feedback."""
    ((of_set, seed),) = load_sets().pages[EXAMPLE]
    (entry,) = bank_of(of_set, [seed]).entries
    columns = [Column("answer", NUMERIC), Column("judged", WORD), Column("feedback", PROSE)]
    rows = [
        [whole(int(each.text)), "right" if each.right else "wrong", escape(each.feedback)] for each in entry.answers
    ]
    return table(name, "Every answer that this question has feedback for", columns, rows)


TABLES: Mapping[str, Callable[[str], str]] = {"question-banks": downloads, "example-answers": example}
"""The tables by name."""
