"""Recorded print-outs of BERT base, and an account of each.

`data/printouts/index.toml` describes how each print-out is made. `tests/oracles/record_printouts.py`
makes them, and writes their texts and the versions of the packages next to the index.

The accounts come from the reader of pasted texts, `docs/assets/reading`. Each entry of an account is
about a line, and has the part that the line concerns and the correct number. The reader needs
Node.js, which a build does not need, so the accounts are stored in `accounts.json`.
`tests/scripts/printed_accounts.py` writes this file, and a test fails if the reader would give
other accounts now.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from ..blocks import DATA, check_choice, check_keys
from ..errors import BadConfig, quote

FOLDER = DATA / "printouts"
INDEX_FILE = FOLDER / "index.toml"
VERSIONS_FILE = FOLDER / "versions.json"
ACCOUNTS_FILE = FOLDER / "accounts.json"

NOTE_VERDICTS = (
    "right",
    "wrong",
    "counted twice",
    "not a parameter",
    "added",
    "rounded",
    "cut off",
    "subtotal",
    "unknown",
    "not read",
)
"""The verdicts that a note in the index may give. The reader gives others as well, such as "explained"."""

Phrase = Sequence[Any]
"""A phrase or sentence of the reader, in pieces: strings, and mappings for numbers, names in code and links."""


class Note(NamedTuple):
    """The explanation in the index of a line that the reader does not explain, or explains at too much length.

    Attributes:
        line: the beginning of the line, without indentation.
        says: the explanation, with links as in Markdown.
        counts: the path of the part that the line counts, "all" for the whole model; empty if it counts nothing.
        verdict: one of `NOTE_VERDICTS`.
    """

    line: str
    says: str
    counts: str = ""
    verdict: str = "right"


class PrintOut(NamedTuple):
    """A recorded print-out.

    Attributes:
        title: the tool that printed it.
        model_class: the class that was printed.
        environment: where the code runs; see the head of `index.toml`.
        packages: the packages whose versions are recorded.
        code: the code that prints it.
        total_pattern: a pattern for the number of parameters in the text; if empty, the number is the sum of the rows.
        layer_pattern: a pattern for the number of the layer in a line; empty if no line is about a layer.
        is_wrapped: whether rows may extend over several lines, and are separated by empty lines.
        first_cut_heading: the heading of the first column that pages leave out, together with all columns to its right;
            empty if pages show all columns.
        notes: explanations that replace those of the reader.
    """

    title: str
    model_class: str
    environment: str
    packages: tuple[str, ...]
    code: str
    total_pattern: str
    layer_pattern: str
    is_wrapped: bool
    first_cut_heading: str
    notes: tuple[Note, ...]


class PrintOutLine(NamedTuple):
    """A line of a print-out, a piece of one, or several that belong together, with an explanation if there is one.

    Attributes:
        text: the line; several are separated by line breaks.
        layers: for a line without text, the number of further layers whose lines it replaces; 0 for any other line.
        note: the note on it in the index; None if there is none.
        entries: the entries about it in the reader's account; several if it holds several numbers.
    """

    text: str
    layers: int = 0
    note: Note | None = None
    entries: tuple[Mapping[str, Any], ...] = ()

    @property
    def is_explained(self) -> bool:
        """Whether the index or the reader explains the line."""
        return self.note is not None or bool(self.entries)


@cache
def load_printouts() -> Mapping[str, PrintOut]:
    """The print-outs by name, in the order of the index.

    Raises:
        BadConfig: a key of a block is missing or unknown, or has a wrong value.
    """
    with INDEX_FILE.open("rb") as file:
        blocks: dict[str, dict[str, Any]] = tomllib.load(file)
    return {name: _print_out(name, block) for name, block in blocks.items()}


def _print_out(name: str, block: dict[str, Any]) -> PrintOut:
    """A print-out from its block in the index.

    Raises:
        BadConfig: as for `load_printouts`.
    """
    location = f"{INDEX_FILE.name}, {name}"
    check_keys(
        location,
        block,
        ("title", "class", "environment", "packages", "code"),
        ("total", "layer", "wrapped", "until", "notes"),
        packages=list,
        notes=list,
        wrapped=bool,
    )
    for note in block.get("notes", []):
        check_keys(f"{location}, notes", note, ("line", "says"), ("counts", "verdict"))
        check_choice(f"{location}, notes", "verdict", note.get("verdict", "right"), NOTE_VERDICTS)
    return PrintOut(
        block["title"],
        block["class"],
        block["environment"],
        tuple(block["packages"]),
        block["code"].strip(),
        block.get("total", ""),
        block.get("layer", ""),
        block.get("wrapped", False),
        block.get("until", ""),
        tuple(Note(**note) for note in block.get("notes", [])),
    )


@cache
def text_of(name: str) -> str:
    """The text of a print-out."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@cache
def versions() -> Mapping[str, Mapping[str, str]]:
    """The versions that each print-out was recorded with, by print-out and by package."""
    recorded_versions: dict[str, dict[str, str]] = json.loads(VERSIONS_FILE.read_text(encoding="utf-8"))
    return recorded_versions


@cache
def accounts() -> Mapping[str, Any]:
    """The reader's account of each print-out; None for a text that it cannot read."""
    saved_accounts: dict[str, Any] = json.loads(ACCOUNTS_FILE.read_text(encoding="utf-8"))
    return saved_accounts


def printed_total(name: str) -> str:
    """The number of parameters that a print-out states, as printed; the sum of its rows if it states none.

    Raises:
        BadConfig: the text has nothing that fits the pattern.
    """
    print_out = load_printouts()[name]
    if print_out.total_pattern:
        match = re.search(print_out.total_pattern, text_of(name))
        if match is None:
            pattern = quote(print_out.total_pattern)
            raise BadConfig(f"{name}.txt has nothing like {pattern}; correct `total` in the index")
        return match[1]
    account = accounts()[name]
    return f"{account['sum']:,}"


@cache
def lines_of(name: str) -> tuple[PrintOutLine, ...]:
    """The lines of a print-out, each with its explanation.

    After the first layer, one line without text replaces the lines of further layers. Lines without a letter or a digit
    are left out, and successive lines without an explanation are joined.

    Raises:
        BadConfig: a note is about a line that the text does not have.
    """
    print_out = load_printouts()[name]
    records = list(_records(text_of(name), is_wrapped=print_out.is_wrapped))
    notes = {note: _index_of(note, records, name) for note in print_out.notes}
    note_of_record = {index: note for note, index in notes.items()}
    entries_by_record = _entries_by_record(name, records)
    lines = [
        line
        for index, record in enumerate(records)
        for line in _pieces(PrintOutLine(record, 0, note_of_record.get(index), entries_by_record[index]))
    ]
    lines = _cut_columns(lines, print_out.first_cut_heading)
    return tuple(_join_unexplained(_without_further_layers(lines, print_out.layer_pattern)))


def _records(text: str, *, is_wrapped: bool) -> Iterator[str]:
    """The lines of a text that contain a letter or a digit; if the rows of the text are wrapped, its rows instead."""
    pieces = re.split(r"\n\s*\n|\n[_=]+(?=\n)|\n(?=\w[\w -]* params:)", text) if is_wrapped else text.splitlines()
    for piece in pieces:
        if re.search(r"[^\W_]", piece):
            yield piece.strip("\n")


def _index_of(note: Note, records: Sequence[str], name: str) -> int:
    """The index of the record that a note is about.

    Raises:
        BadConfig: no record begins like the note's line.
    """
    indices = [index for index, record in enumerate(records) if record.lstrip().startswith(note.line)]
    if not indices:
        raise BadConfig(f"{INDEX_FILE.name}, {name}: no line begins with {quote(note.line)}; correct `line`")
    return indices[0]


def _entries_by_record(name: str, records: Sequence[str]) -> list[tuple[Mapping[str, Any], ...]]:
    """The entries of the reader's account for each record. They are in the order of the text.

    If the reader has read the text only as numbers with labels, entries with a verdict other than "right" are left out.
    """
    account = accounts()[name] or {"kind": "", "lines": []}
    is_read_by_row = account["kind"] == "rows"
    unassigned_entries = [entry for entry in account["lines"] if entry["verdict"] == "right" or is_read_by_row]
    entries_by_record = []
    for record in records:
        record_entries = []
        while unassigned_entries and _without_spaces(unassigned_entries[0]["source"]) in _without_spaces(record):
            record_entries.append(unassigned_entries.pop(0))
        entries_by_record.append(tuple(record_entries))
    return entries_by_record


def _without_spaces(text: str) -> str:
    """A text without white space, which the reader and the recording may have in different places."""
    return "".join(text.split())


def _pieces(line: PrintOutLine) -> Iterator[PrintOutLine]:
    """One piece of the line for each number in it that the reader explains; the whole line if it cannot be divided."""
    starts = [line.text.find(entry["source"]) for entry in line.entries]
    are_in_order = starts == sorted({*starts}) and -1 not in starts  # all of them are in the line, and none repeats
    if line.note or len(starts) < 2 or not are_in_order:
        yield line
        return
    for entry, start, end in zip(line.entries, [0, *starts[1:]], [*starts[1:], None], strict=True):
        yield PrintOutLine(line.text[start:end].rstrip(), 0, None, (entry,))


def _cut_columns(lines: Sequence[PrintOutLine], heading: str) -> list[PrintOutLine]:
    """Cut off the column with this heading and all columns to its right, if there is such a column."""
    if not heading:
        return list(lines)
    positions = [text.index(heading) for line in lines for text in line.text.splitlines() if heading in text]
    if not positions:
        return list(lines)
    cut_lines = []
    for line in lines:
        cut_texts = (text[: positions[0]].rstrip() for text in line.text.splitlines())
        cut_lines.append(line._replace(text="\n".join(filter(None, cut_texts))))
    return cut_lines


def _without_further_layers(lines: Iterable[PrintOutLine], layer_pattern: str) -> Iterator[PrintOutLine]:
    """The lines, with a single line without text in place of those of layers after the first."""
    first_layer = ""
    further_layers: set[str] = set()
    for line in lines:
        match = re.search(layer_pattern, line.text) if layer_pattern else None
        first_layer = first_layer or (match[1] if match else "")
        if match and match[1] != first_layer:
            further_layers.add(match[1])
            continue
        if further_layers:
            yield PrintOutLine("", len(further_layers))
            further_layers = set()
        yield line


def _join_unexplained(lines: Iterable[PrintOutLine]) -> Iterator[PrintOutLine]:
    """The lines, with successive lines that have no explanation joined into one."""
    for is_unexplained, group in groupby(lines, lambda line: not line.is_explained and not line.layers):
        if is_unexplained:
            yield PrintOutLine("\n".join(line.text for line in group))
        else:
            yield from group
