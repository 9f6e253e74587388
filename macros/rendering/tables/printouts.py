"""Macros for the page about what tools print: recorded print-outs with an explanation of each line.

The explanation of a line comes either from the reader of pasted texts or from a note in the index; see
`macros/counting/published/printouts.py`. Recorded lines and the reader's numbers about them do not depend on
`models.toml`, so `bc-recorded` marks them for the test that builds the site with different sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from macros.counting import BERT, CountingError
from macros.counting.errors import entry_of
from macros.counting.published.printouts import (
    Note,
    Phrase,
    PrintOut,
    PrintOutLine,
    lines_of,
    load_printouts,
    printed_total,
    versions,
)

from ..components import numbers
from ..components.asking import BASE, ask
from ..components.pages import ROOT
from ..components.rows import lines
from ..components.tables import NUMERIC, PROSE, TEXT, Column, table

MARKS = {"wrong": "✗", "counted twice": "2×", "not a parameter": "–", "added": "+", "rounded": "≈", "cut off": "≈"}
"""The marks of verdicts, so that they do not depend on colours. The other verdicts, such as "right", have no mark."""

COLUMNS = (Column("what it prints", TEXT), Column("what it is", PROSE), Column("right number", NUMERIC))
"""The columns of every print-out's table. A cell in the last column is empty if its line has no number."""

LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
CODE = re.compile(r"`([^`]+)`")
"""Match the Markdown that a note can contain: links, which are relative to the top of the site, and code."""


def line_table(*names: str, fold: str = "", only: str = "") -> str:
    """Recorded print-outs as a table, in which each line has its explanation.

    Args:
        names: the names of the print-outs in `data/printouts/index.toml`, in the order of the table.
        fold: the summary of the fold, if the table is folded.
        only: `"odd"` for only the lines with a mark, or `"noted"` for only those that the index explains.

    Raises:
        CountingError: there is no such print-out, `only` is neither of these, or no line is of that kind.
    """
    print_outs = [_print_out(name) for name in names]
    rows = [
        _row(line, print_out, print_out.title if len(names) > 1 else "")
        for name, print_out in zip(names, print_outs, strict=True)
        for line in lines_of(name)
        if _is_selected(line, only)
    ]
    titles = ", ".join(print_out.title for print_out in print_outs)
    scope = "selected lines" if only else "line by line"
    # A Keras library builds the model with a single function, whose name would add nothing to the title.
    class_name = print_outs[0].model_class
    caption = f"{titles}, {scope}" + (
        f", for {class_name}" if _counted_class(print_outs[0]) in BERT.class_by_name else ""
    )
    html = table(f"{'-'.join(names)}-{only or 'lines'}", caption, COLUMNS, rows)
    html = f'<div class="bc-recorded bc-printed" data-search-exclude>{html}</div>'
    return f'<details class="bc-more"><summary>{escape(fold)}</summary>{html}</details>' if fold else html


def stated_total(name: str) -> str:
    """The number of parameters or the memory that a print-out states; if it states none, the sum of its rows.

    Raises:
        CountingError: there is no such print-out.
    """
    _print_out(name)
    return f'<samp class="bc-recorded">{escape(printed_total(name))}</samp>'


def recording_rows() -> str:
    """Rows for the origin of each print-out: the tool, the package versions, and the code."""
    return lines(
        [
            escape(print_out.title),
            "; ".join(f"{escape(package)} {escape(version)}" for package, version in versions()[name].items()),
            "".join(f'<pre class="bc-line">{escape(line)}</pre>' for line in print_out.code.splitlines()),
        ]
        for name, print_out in load_printouts().items()
    )


def _print_out(name: str) -> PrintOut:
    """The print-out with this name; raises `CountingError` if there is none."""
    return entry_of(load_printouts(), "print-out", name)


def _is_selected(line: PrintOutLine, only: str) -> bool:
    """Whether `only` selects a line. The values of `only` and the error are explained at `line_table`."""
    if not only:
        return True
    if only == "odd":
        return any(verdict in MARKS for verdict in _verdicts(line))
    if only == "noted":
        return line.note is not None
    raise CountingError(f'print-outs are shown whole, or only "odd" or "noted", not "{only}"')


def _verdicts(line: PrintOutLine) -> Iterable[str]:
    """The verdicts on a line: the one in the index, or otherwise those of the reader."""
    return [line.note.verdict] if line.note else [entry["verdict"] for entry in line.entries]


def _row(line: PrintOutLine, print_out: PrintOut, tool: str = "") -> tuple[str, str, str]:
    """The cells of a line; if the line replaces those of further layers, the cells say so.

    If there is a `tool`, its name precedes the words of a note.
    """
    if line.layers:
        return "⋮", f"the same for the other {line.layers} layers", ""
    code = "".join(f'<code class="{_line_classes(text)}">{_as_printed(text)}</code>' for text in line.text.splitlines())
    if line.note:
        words = _after_verdict(line.note.verdict, _note_as_html(line.note))
        return code, f"{escape(tool)}: {words}" if tool else words, _correct_by_note(line.note, print_out)
    if not line.entries:
        return code, "", ""
    return (
        code,
        "<br>".join(map(_entry_as_html, line.entries)),
        "<br>".join(map(_correct_by_entry, line.entries)),
    )


def _line_classes(text: str) -> str:
    """The CSS classes of a line; long lines wrap, so that the explanations stay visible."""
    return "bc-line bc-long-line" if len(text) > MAX_CHARACTERS else "bc-line"


MAX_CHARACTERS = 76
"""The maximum number of characters of a line that does not wrap on a desktop."""


def _as_printed(text: str) -> str:
    """A line as HTML. On a phone, names can break after a dot, and columns move closer together."""
    return NAME_JOINT.sub("<wbr>", GAP.sub(_gap, escape(text)))


NAME_JOINT = re.compile(r"(?<=\w\.)(?=[A-Za-z])")
"""Matches a point at which the name of a tensor can break, unlike the dot in a number such as 109.51."""

GAP = re.compile(r"(?<=\S) {3,}(?=\S)")
"""Matches the spaces between two columns."""

MAX_SPACES = 45
"""A gap with more spaces than this is narrowed on any screen, because it would push the explanations off the page."""


def _gap(spaces: re.Match[str]) -> str:
    """The spaces between two columns, which the style sheet narrows on a phone, or on any screen if they are many."""
    style = "bc-gap bc-wide-gap" if len(spaces[0]) > MAX_SPACES else "bc-gap"
    return f'<span class="{style}">{spaces[0]}</span>'


def _after_verdict(verdict: str, explanation: str) -> str:
    """The explanation of a line after its verdict, if that has a mark; only the verdict if the explanation is empty."""
    if verdict not in MARKS:
        return explanation
    style = "bc-wrong-line" if verdict in ("wrong", "counted twice") else "bc-line-verdict"
    mark = f'<span class="{style}"><span aria-hidden="true">{MARKS[verdict]}</span> {verdict}</span>'
    return f"{mark}: {explanation}" if explanation else mark


def _note_as_html(note: Note) -> str:
    """The text of a note, with its Markdown code and links as HTML."""
    return CODE.sub(r"<code>\1</code>", LINK.sub(rf'<a href="{ROOT}\2">\1</a>', escape(note.says)))


def _correct_by_note(note: Note, print_out: PrintOut) -> str:
    """The right number for a line, according to a note."""
    if not note.counts:
        return ""
    part = "" if note.counts == "all" else note.counts
    return numbers.whole(ask(part, model=BASE, model_class=_counted_class(print_out)).number)


def _counted_class(print_out: PrintOut) -> str:
    """The PyTorch class in transformers that has the same tensors as a print-out."""
    return print_out.model_class.removeprefix("TF")


def _entry_as_html(entry: Mapping[str, Any]) -> str:
    """The reader's explanation of a line as HTML."""
    if entry["right"] == 0 and entry["verdict"] == "right":
        return f'<span class="bc-nothing">{_phrase_as_html(entry["part"]) or "no parameters"}</span>'
    return _after_verdict(entry["verdict"], _phrase_as_html(entry["part"]))


def _correct_by_entry(entry: Mapping[str, Any]) -> str:
    """The right number for a line, according to the reader, preceded by the number of layers with such a line."""
    times = f"{entry['times']} × " if entry["times"] > 1 else ""
    return times + numbers.whole(entry["right"]) if entry["right"] else ""


def _phrase_as_html(phrase: Phrase) -> str:
    """A phrase of the reader as HTML."""
    return "".join(map(_piece_as_html, phrase))


def _piece_as_html(piece: Any) -> str:
    """A piece of the reader's explanation as HTML: text, a number, code or a link."""
    if isinstance(piece, str):
        return escape(piece)
    if "number" in piece:
        return numbers.whole(piece["number"])
    if "code" in piece:
        return f"<code>{escape(piece['code'])}</code>"
    return f'<a href="{ROOT}{escape(piece["page"])}">{escape(piece["text"])}</a>'


TOPIC = {"line_table": line_table, "total": stated_total, "recordings": recording_rows}
"""Macros for the page about what tools print, such as `printouts.total(...)`."""
