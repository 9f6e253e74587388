"""Question banks that are read back have the exercises' answers and, where the format has room, their feedback."""

import csv
import difflib
import io
import os
import re
import shutil
import tomllib
import zipfile
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from macros.teaching import bank_tables
from macros.teaching.banks import FORMATS, MAX_SEEDS, Answer, Bank, BankEntry, bank_content, bank_of, with_choices
from macros.teaching.exercise import exercise
from macros.teaching.files import BANK_SEEDS, bank_file, makers, zip_file
from macros.teaching.sets import UnknownExercise, load_sets
from tests.teaching.judging import BY_FORMAT, faults
from tests.teaching.reading import (
    READ_GIFT,
    ReadQuestion,
    read_blackboard,
    read_brightspace,
    read_canvas,
    read_csv,
    read_gift,
    read_moodle,
)

SETS = list(load_sets().sets)
FEW_SEEDS = range(1, 6)
GIFT_PEGJS = READ_GIFT.parent / "node_modules" / "gift-pegjs"

READERS: dict[str, Callable[[bytes], list[ReadQuestion]]] = {
    "moodle": lambda content: read_moodle(content.decode()),
    "canvas": read_canvas,
    "canvas-choices": lambda content: read_canvas(content, choices=True),
    "brightspace": lambda content: read_brightspace(content.decode()),
    "blackboard": lambda content: read_blackboard(content.decode()),
    "csv": lambda content: read_csv(content.decode()),
}
"""A reader for each format except GIFT, whose reader is a process that reads many files at once."""


@cache
def bank_file_content(name: str, format_name: str) -> bytes:
    """The bank of a set as it is published for download."""
    return bank_content(name, BANK_SEEDS, format_name.removesuffix("-choices"))


def read_with_grammar(folder: Path, texts: dict[str, bytes]) -> dict[str, list[ReadQuestion]]:
    """The questions in GIFT files, by name, as gift-pegjs reads them.

    `make lint` installs gift-pegjs. Without it, the test fails in CI and is skipped elsewhere.
    """
    if not (GIFT_PEGJS.exists() and shutil.which("node")):
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            "run `make lint` to install gift-pegjs; it needs Node.js with npm"
        )
    paths = []
    for name, content in texts.items():
        paths.append(folder / f"{name}.txt")
        paths[-1].write_bytes(content)
    return dict(zip(texts, read_gift(paths), strict=True))


@pytest.fixture(scope="module")
def gift_banks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[ReadQuestion]]:
    """The questions of every bank, read back from GIFT, by the name of the set."""
    return read_with_grammar(tmp_path_factory.mktemp("gift"), {name: bank_file_content(name, "gift") for name in SETS})


@pytest.mark.parametrize("format_name", READERS)
@pytest.mark.parametrize("name", SETS)
def test_a_bank_is_read_back_without_faults(name: str, format_name: str) -> None:
    assert [] == faults(
        READERS[format_name](bank_file_content(name, format_name)), name, BANK_SEEDS, BY_FORMAT[format_name]
    )


@pytest.mark.parametrize("name", SETS)
def test_gift_is_read_back_without_faults(name: str, gift_banks: dict[str, list[ReadQuestion]]) -> None:
    assert [] == faults(gift_banks[name], name, BANK_SEEDS, BY_FORMAT["gift"])


CHANGES = {
    # An answer in the bank "layer": 4 · (768 · 768 + 768) = 2,362,368.
    "wrong answer marked as correct": ("2362368", "2362369"),
    "no feedback": ("forgot the output projection of attention", ""),
    "wrong mark in a package": (">100</setvar>", ">50</setvar>"),
}
"""Text in the file of a bank and the text that replaces it, by the fault that this causes."""


@pytest.mark.parametrize(
    ("change", "format_name"),
    [
        (change, "canvas" if change.endswith("package") else format_name)
        for change in CHANGES
        for format_name in ("moodle", "csv", "gift")
    ],
)
def test_a_changed_bank_is_noticed(change: str, format_name: str, tmp_path: Path) -> None:
    old_text, new_text = CHANGES[change]
    content = bank_file_content("layer", format_name)
    if format_name == "canvas":
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as old_package, zipfile.ZipFile(out, "w") as new_package:
            for name in old_package.namelist():
                new_package.writestr(name, old_package.read(name).decode().replace(old_text, new_text))
        changed_content = out.getvalue()
    else:
        changed_content = content.replace(old_text.encode(), new_text.encode())
    assert content != changed_content
    is_gift = format_name not in READERS
    questions = (
        read_with_grammar(tmp_path, {"layer": changed_content})["layer"]
        if is_gift
        else READERS[format_name](changed_content)
    )
    assert any("layer-13: " in fault for fault in faults(questions, "layer", BANK_SEEDS, BY_FORMAT[format_name]))


def test_choices_prefer_known_deviations() -> None:
    """Choices include other wrong numbers only if there are too few deviations.

    The correct choice may be at any position.
    """
    for name in ("class", "tensor"):
        for entry in bank_of(name, BANK_SEEDS).entries:
            choice = with_choices(entry)
            number_of_deviations = sum(answer.is_deviation for answer in entry.answers)
            assert min(4, number_of_deviations) == sum(answer.is_deviation for answer in choice.answers)
            assert 1 == sum(answer.is_correct for answer in choice.answers)
    choices = map(with_choices, bank_of("class", BANK_SEEDS).entries)
    positions = {[answer.is_correct for answer in choice.answers].index(True) for choice in choices}
    assert {0, 1, 2, 3, 4} == positions


def test_answers_in_bytes_ask_for_bytes() -> None:
    """A bank about memory asks for plain bytes, so it has none of the page's wrong answers about units."""
    for entry in bank_of("memory", FEW_SEEDS).entries:
        assert entry.text[0].endswith("? Give the number of bytes.")
        source = exercise("memory", entry.seed)
        assert source.text.endswith("? Answer in bytes, or in a unit such as MB or MiB with at least one decimal.")
        assert {"unit:MB", "unit:MiB"} & {wrong.names[0] for wrong in source.wrong_answers}
        assert not [answer for answer in entry.answers if "but wrote M" in answer.feedback]


def test_the_table_of_downloads_agrees_with_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two variants are drawn much faster than all of them.
    monkeypatch.setattr(bank_tables, "downloadable_bank", lambda name: bank_of(name, [13, 14]))
    counts = []
    for name in SETS:
        rows = list(csv.DictReader(io.StringIO(bank_content(name, [13, 14], "csv").decode("utf-8-sig"))))
        counts.append((len(rows), sum(len(row["wrong answers"].split("\n")) for row in rows)))
    for name, (questions, wrong_answers) in zip(SETS, counts, strict=True):
        assert f">{questions:,}<" in bank_tables.question_count(name)
        assert f">{wrong_answers:,}<" in bank_tables.wrong_answer_count(name)
    assert len({wrong_answers for _, wrong_answers in counts}) > 4
    assert f">{sum(questions for questions, _ in counts):,}<" in bank_tables.question_count()
    assert f">{sum(wrong_answers for _, wrong_answers in counts):,}<" in bank_tables.wrong_answer_count()


def test_the_example_has_feedback_on_each_answer() -> None:
    (first_row, *wrong_rows) = [row.strip("| ").split(" | ") for row in bank_tables.feedback_rows().splitlines()]
    assert ["right", "That is correct."] == first_row[1:]
    assert {"wrong"} == {row[1] for row in wrong_rows}
    assert all(row[0] != first_row[0] and row[2] not in ("", first_row[2]) for row in wrong_rows)


def test_the_same_question_is_asked_once() -> None:
    """Seeds that draw the same question, as they often do for published models, give one entry."""
    variants = [exercise("model", seed) for seed in BANK_SEEDS]
    questions = {(variant.text, variant.sizes_text) for variant in variants}
    assert len(BANK_SEEDS) > len(questions) == len(bank_of("model", BANK_SEEDS).entries)
    assert ["layer-7"] == [entry.identifier for entry in bank_of("layer", [7, 7]).entries]


# --- Fields without texts ----------------------------------------------------------

SMALL_BANK_IN_FORMATS: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("small_bank.toml").read_text(encoding="utf-8")
)
"""The small bank as text, by the name of the format."""


def small_bank() -> Bank:
    """A bank with a question with typed answers and one with options."""
    typed_entry = BankEntry(
        "layer",
        1,
        "Name one",
        ("Question one",),
        (),
        True,
        (Answer("1234", True, "Right."), Answer("2", False, "Wrong.")),
        ("A hint", "Another hint"),
        ("Sum: 1,234",),
    )
    entry_with_options = typed_entry._replace(
        set="mistake",
        seed=2,
        name="Name two",
        is_numeric=False,
        text=("Question two",),
        ledger=("Line: 5",),
        answers=(Answer("Yes", True, "Right."), Answer("No", False, "Wrong.")),
    )
    return Bank("layer", "Title", (typed_entry, entry_with_options))


def unexpected_lines(content: str | bytes, expected: str) -> list[str]:
    """The lines in which the content of a file differs from the expected text, with - before those that it lacks."""
    if isinstance(content, bytes):
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            content = "".join(package.read(name).decode() for name in package.namelist())
    lines = content.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return [line for line in difflib.unified_diff(expected.split("\n"), lines, n=0) if re.match(r"[+-](?![+-])", line)]


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_field_of_a_small_bank_is_as_its_format_specifies(format_name: str) -> None:
    """Points, the size of an input field and other fields that have no text of an exercise are not lost either."""
    content = FORMATS[format_name].render(small_bank())
    assert [] == unexpected_lines(content, SMALL_BANK_IN_FORMATS[format_name])


def test_sheets_have_a_byte_order_mark_and_windows_line_endings() -> None:
    """Sources: the comments of D2L's sample file, which ask for UTF-8 as Excel saves it; RFC 4180, section 2."""
    texts = {name: text for name in FORMATS if isinstance(text := FORMATS[name].render(small_bank()), str)}
    assert ["brightspace", "csv"] == [name for name, text in texts.items() if text.startswith("\ufeff")]
    assert ["brightspace", "blackboard", "csv"] == [name for name, text in texts.items() if text.endswith("\r\n")]


def test_a_changed_field_is_noticed() -> None:
    content = FORMATS["brightspace"].render(small_bank())
    assert isinstance(content, str)
    changed_content = content.replace("InputBox,1,40", "InputBox,40,1")
    assert ["-InputBox,1,40,,", "+InputBox,40,1,,"] == unexpected_lines(
        changed_content, SMALL_BANK_IN_FORMATS["brightspace"]
    )


# --- Awkward texts ----------------------------------------------------------------

AWKWARD_TEXTS = [
    "a ~ = # { } : \\ b",
    "=1+1",
    "<b>&amp;</b> ]]> <![CDATA[",
    '"quoted", with a comma; and ‘these’ × 2²⁰',
    "// no comment",
    "####",
    "::name::",
    "%50%",
    "$CATEGORY: none",
    "[html]",
    "->",
]
"""Texts with characters that have a special meaning in at least one format."""


def awkward_bank() -> Bank:
    """A bank with each of `AWKWARD_TEXTS` in a question with typed answers and in one with options."""
    entries = []
    for index, text in enumerate(AWKWARD_TEXTS):
        wrong_answers = (Answer("2", False, text), Answer("3", False, f"{text} again"))
        typed_entry = BankEntry(
            "layer",
            index,
            f"name {text}",
            (text,),
            (),
            True,
            (Answer("1", True, text), *wrong_answers),
            (text,),
            (text,),
        )
        options = (Answer(text, True, text), Answer(f"{text} other", False, text))
        entries += [typed_entry, typed_entry._replace(set="mistake", is_numeric=False, answers=options, ledger=(text,))]
    return Bank("layer", "Awkward & <texts>", tuple(entries))


def awkward_content(format_name: str) -> bytes:
    """The content of a file with the awkward bank."""
    content = FORMATS[format_name.removesuffix("-choices")].render(awkward_bank())
    return content if isinstance(content, bytes) else content.encode()


def awkward_faults(questions: list[ReadQuestion], format_name: str) -> list[str]:
    """A line for every text that is not read back as it was written."""
    lines = []
    for entry, question in zip(awkward_bank().entries, questions, strict=True):
        source = with_choices(entry) if format_name == "canvas-choices" else entry
        before = [
            entry.identifier,
            entry.name,
            [*entry.text, *entry.ledger],
            {answer.text.replace(",", ""): answer.feedback for answer in source.answers},
            list(entry.solution),
        ]
        after = [
            question.identifier,
            question.name,
            question.text,
            {answer.text.replace(",", ""): answer.feedback for answer in question.answers},
            question.solution,
        ]
        lines += [
            f"{text_before!r} became {text_after!r}"
            for text_before, text_after in zip(before, after, strict=True)
            if text_before != text_after
        ]
    return lines


def without_guard(cell: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from reading it as a formula."""
    return cell[1:] if cell.startswith(("'=", "'+", "'-", "'@")) else cell


@pytest.mark.parametrize("format_name", ["moodle", "canvas-choices"])
def test_awkward_texts_stay_as_they_are(format_name: str) -> None:
    assert [] == awkward_faults(READERS[format_name](awkward_content(format_name)), format_name)


def test_awkward_texts_stay_as_they_are_in_gift(tmp_path: Path) -> None:
    assert [] == awkward_faults(read_with_grammar(tmp_path, {"awkward": awkward_content("gift")})["awkward"], "gift")


def test_awkward_texts_stay_in_their_fields() -> None:
    """Commas and quotation marks, and for Blackboard tabs and line breaks, do not split a field."""
    questions = read_brightspace(awkward_content("brightspace").decode())
    expected = [(entry.name, list(entry.solution)) for entry in awkward_bank().entries]
    assert expected == [(question.name, question.solution) for question in questions]
    entry = awkward_bank().entries[0]._replace(text=("a\tb\nc",))
    text = FORMATS["blackboard"].render(Bank("", "", (entry,)))
    assert [["a b c"]] == [question.text for question in read_blackboard(str(text))]


def test_no_cell_is_a_formula() -> None:
    rows = list(csv.reader(io.StringIO(awkward_content("csv").decode().removeprefix("\ufeff"), newline="")))
    assert not [cell for cell in chain.from_iterable(rows) if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert "'=1+1" in chain.from_iterable(rows)
    unguarded_sheet = io.StringIO(newline="")
    csv.writer(unguarded_sheet).writerows([[without_guard(cell) for cell in row] for row in rows])
    assert [] == awkward_faults(read_csv(unguarded_sheet.getvalue()), "csv")


def test_a_format_is_called_by_its_name() -> None:
    """The title and the ending of a format contain its key, which names the software or file type."""
    assert [] == [
        name
        for name, bank_format in FORMATS.items()
        if name not in bank_format.title.lower() or name not in bank_format.ending
    ]


# --- Files ------------------------------------------------------------------------


def test_every_bank_is_published() -> None:
    """Each set is published in each format, in files with the bytes that the command line writes."""
    published_banks = {address: make for address, make in makers() if "/question-banks/" in address}
    single_formats = [name for name, bank_format in FORMATS.items() if not bank_format.is_in_one_zip]
    zips = {
        zip_file(format_name): (SETS, [format_name]) for format_name in FORMATS if format_name not in single_formats
    }
    zipped_sets = [name for name, exercise_set in load_sets().sets.items() if exercise_set.zip]
    single_files = {
        bank_file(name, format_name) for name in SETS if name not in zipped_sets for format_name in single_formats
    }
    zips[zip_file("operations-and-changes")] = (zipped_sets, single_formats)
    assert ["moodle", "canvas", "gift", "csv"] == single_formats
    named_formats = re.split(", | and ", bank_tables.SHARED_ZIP.partition(" of ")[0])
    for name, words in zip(single_formats, named_formats, strict=True):
        assert FORMATS[name].title.startswith(words)
    assert single_files | set(zips) == set(published_banks)
    for address, (sets, format_names) in zips.items():
        content = published_banks[address]()
        assert isinstance(content, bytes)
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            assert {
                f"{name}{FORMATS[format_name].ending}": bank_file_content(name, format_name)
                for name in sets
                for format_name in format_names
            } == {member: package.read(member) for member in package.namelist()}
    assert "data/question-banks/layer-moodle.xml" in published_banks
    for format_name in single_formats:
        content = published_banks[bank_file("layer", format_name)]()
        assert bank_file_content("layer", format_name) == (content.encode() if isinstance(content, str) else content)


def test_banks_are_small() -> None:
    """A teacher may download any of them, or all together, over a slow connection."""
    sizes = [len(bank_file_content(name, format_name)) for name in SETS for format_name in FORMATS]
    assert max(sizes) < 700_000
    assert sum(sizes) < 9_500_000


# Source: Microsoft's specifications and limits of Excel.
@pytest.mark.parametrize("name", SETS)
def test_every_cell_fits_into_excel(name: str) -> None:
    rows = csv.reader(io.StringIO(bank_file_content(name, "csv").decode(), newline=""))
    assert max(map(len, chain.from_iterable(rows))) <= 32_767


def test_a_package_has_the_same_bytes_on_any_day() -> None:
    """A package has a fixed date, no compression, and metadata that does not depend on the machine."""
    with zipfile.ZipFile(io.BytesIO(bank_file_content("layer", "canvas"))) as package:
        for member in package.infolist():
            attributes = (member.date_time, member.compress_type, member.create_system)
            assert ((1980, 1, 1, 0, 0, 0), zipfile.ZIP_STORED, 3) == attributes
    assert bank_file_content("layer", "canvas") == bank_content("layer", BANK_SEEDS, "canvas")


def test_no_seeds_and_too_many_are_refused() -> None:
    for seeds in (range(0), range(MAX_SEEDS + 1)):
        with pytest.raises(UnknownExercise, match="choose from 1 to 1,000"):
            bank_of("layer", seeds)


def test_as_many_seeds_as_the_limit_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("macros.teaching.banks.entries.MAX_SEEDS", 2)
    assert 2 == len(bank_of("layer", (1, 2)).entries)
    with pytest.raises(UnknownExercise, match="choose from 1 to 2"):
        bank_of("layer", (1, 2, 3))
