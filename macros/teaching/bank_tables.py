"""Tables about question banks: where to download them, and what one of their questions says to each answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from macros.rendering.elements.numbers import whole
from macros.rendering.elements.pages import ROOT
from macros.rendering.elements.tables import NUMERIC, PROSE, WORD, Column, table

from .banks import FORMATS, bank_of
from .files import bank_file, published
from .sets import Set, load_sets

EXAMPLE = "exercises-question-banks"
"""The exercise that the page shows, by its name in `exercises.toml`."""


def downloads(name: str) -> str:
    """Every bank in every format, with its questions and the wrong answers that it knows."""
    columns = [Column("set"), Column("questions", NUMERIC), Column("known wrong answers", NUMERIC), Column("files")]
    rows = []
    for each in load_sets().sets.values():
        entries = published(each.name).entries
        wrong = sum(len(entry.answers) - 1 for entry in entries)
        links = " ".join(_link(each, form) for form in FORMATS)
        files = f'<span class="bc-files">{links}</span>'
        rows.append([escape(each.title), whole(len(entries)), whole(wrong), files])
    return table(name, "Question banks to download", columns, rows)


def _link(of: Set, form: str) -> str:
    """A link to a file; heard by itself, it names the set too."""
    title = escape(FORMATS[form].title)
    return f'<a href="{ROOT}{bank_file(of.name, form)}" download aria-label="{title}: {escape(of.title)}">{title}</a>'


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
