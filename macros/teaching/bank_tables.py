"""Tables about question banks: where to download them, and what one of their questions says to each answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from macros.rendering.elements.numbers import tally, whole
from macros.rendering.elements.pages import ROOT
from macros.rendering.elements.tables import NUMERIC, PROSE, WORD, Column, table

from .banks import FORMATS, bank_of
from .files import bank_file, published, zip_file
from .sets import load_sets

EXAMPLE = "question-banks"
"""The exercise that the page shows, by its name in `exercises.toml`."""

ZIPPED = "zip of several sets, in each format"
"""What the file of sets is called whose banks are in one."""


def downloads(name: str) -> str:
    """Every bank in every format, with its questions and the wrong answers that it knows."""
    columns = [Column("set"), Column("questions", NUMERIC), Column("known wrong answers", NUMERIC), Column("files")]
    rows, all_questions, all_wrong = [], 0, 0
    for each in load_sets().sets.values():
        entries = published(each.name).entries
        wrong = sum(len(entry.answers) - 1 for entry in entries)
        all_questions, all_wrong = all_questions + len(entries), all_wrong + wrong
        single = {of.title: bank_file(each.name, form) for form, of in FORMATS.items() if not of.together}
        links = {ZIPPED: zip_file(each.zip)} if each.zip else single
        rows.append([escape(each.title), tally(len(entries)), tally(wrong), _links(links, each.title)])
    links = {of.title: zip_file(form) for form, of in FORMATS.items() if of.together}
    foot = ["all sets", tally(all_questions), tally(all_wrong), _links(links, "all sets")]
    return table(name, "Question banks to download", columns, rows, foot)


def _links(files: Mapping[str, str], what: str) -> str:
    """Links to files by title; heard by itself, each names the set too."""
    titles = ((escape(title), address) for title, address in files.items())
    links = (
        f'<a href="{ROOT}{address}" download aria-label="{title}: {escape(what)}">{title}</a>'
        for title, address in titles
    )
    return f'<span class="bc-several">{" ".join(links)}</span>'


def example(name: str) -> str:
    """The answers of a question, each with its mark and its feedback."""
    ((of_set, seed),) = load_sets().pages[EXAMPLE]
    (entry,) = bank_of(of_set, [seed]).entries
    columns = [Column("answer", NUMERIC), Column("judged", WORD), Column("feedback", PROSE)]
    rows = [
        [whole(int(each.text)), "right" if each.right else "wrong", escape(each.feedback)] for each in entry.answers
    ]
    shown = table(name, "Every answer that this question has feedback for", columns, rows)
    return f"<section data-search-exclude>{shown}</section>"


TABLES: Mapping[str, Callable[[str], str]] = {"question-banks": downloads, "example-answers": example}
"""The tables by name."""
