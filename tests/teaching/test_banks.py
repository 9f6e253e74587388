"""Question banks, read back by other readers: every answer and feedback is in them, and is what the engine says."""

import csv
import io
import os
import shutil
import zipfile
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from macros.teaching import bank_tables
from macros.teaching.banks import FORMATS, MOST_SEEDS, Answer, Bank, Entry, bank, bank_of, with_choices
from macros.teaching.exercise import exercise
from macros.teaching.files import SEEDS, bank_file, makers, zip_file
from macros.teaching.sets import UnknownExercise, load_sets
from tests.teaching.judging import BY_FORMAT, faults
from tests.teaching.reading import (
    READ_GIFT,
    Read,
    read_blackboard,
    read_brightspace,
    read_canvas,
    read_csv,
    read_gift,
    read_moodle,
)

SETS = list(load_sets().sets)
FEW = range(1, 6)
GRAMMAR = READ_GIFT.parent / "node_modules" / "gift-pegjs"

READERS: dict[str, Callable[[bytes], list[Read]]] = {
    "moodle": lambda made: read_moodle(made.decode()),
    "canvas": read_canvas,
    "canvas-choices": lambda made: read_canvas(made, choices=True),
    "brightspace": lambda made: read_brightspace(made.decode()),
    "blackboard": lambda made: read_blackboard(made.decode()),
    "csv": lambda made: read_csv(made.decode()),
}
"""Readers of a single file; that of GIFT is a process, and reads many files at once."""


@cache
def made(name: str, form: str) -> bytes:
    """The bank of a set that readers download."""
    return bank(name, SEEDS, form.removesuffix("-choices"))


def of_gift(folder: Path, texts: dict[str, bytes]) -> dict[str, list[Read]]:
    """What the grammar of GIFT reads; it comes with what `make lint` installs, and in CI it has to be there."""
    if not (GRAMMAR.exists() and shutil.which("node")):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("`make lint` installs gift-pegjs, with Node.js and npm")
    paths = []
    for name, content in texts.items():
        paths.append(folder / f"{name}.txt")
        paths[-1].write_bytes(content)
    return dict(zip(texts, read_gift(paths), strict=True))


@pytest.fixture(scope="module")
def gift(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Read]]:
    """Every bank in GIFT, read back."""
    return of_gift(tmp_path_factory.mktemp("gift"), {name: made(name, "gift") for name in SETS})


@pytest.mark.parametrize("form", READERS)
@pytest.mark.parametrize("name", SETS)
def test_a_bank_is_read_back_as_it_was_meant(name: str, form: str) -> None:
    """Each question with all its answers, feedback, hints and the sum; the engine has counted all of them again."""
    assert [] == faults(READERS[form](made(name, form)), name, SEEDS, BY_FORMAT[form])


@pytest.mark.parametrize("name", SETS)
def test_gift_is_read_back_as_it_was_meant(name: str, gift: dict[str, list[Read]]) -> None:
    """The same, by a grammar that is not ours."""
    assert [] == faults(gift[name], name, SEEDS, BY_FORMAT["gift"])


CHANGES = {
    # In the bank of one layer: source, 4 · (768 · 768 + 768), and the same without the output projection.
    "another right answer": ("2362368", "2362369"),
    "no feedback": ("forgot the output projection of attention", ""),
    "another mark in a package": (">100</setvar>", ">50</setvar>"),
}


@pytest.mark.parametrize(
    ("change", "form"),
    [(each, "canvas" if each.endswith("package") else form) for each in CHANGES for form in ("moodle", "csv", "gift")],
)
def test_a_changed_bank_is_noticed(change: str, form: str, tmp_path: Path) -> None:
    """A digit, a mark or a feedback, in any format."""
    before, after = CHANGES[change]
    content = made("layer", form)
    if form == "canvas":
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
            for name in old.namelist():
                new.writestr(name, old.read(name).decode().replace(before, after))
        changed = out.getvalue()
    else:
        changed = content.replace(before.encode(), after.encode())
    assert content != changed
    found = READERS[form](changed) if form in READERS else of_gift(tmp_path, {"layer": changed})["layer"]
    assert any("layer-13: " in fault for fault in faults(found, "layer", SEEDS, BY_FORMAT[form]))


def test_choices_are_known_deviations_first() -> None:
    """Slips stand in only where too few deviations are known; the right number is in every place now and then."""
    for name in ("class", "tensor"):
        for each in bank_of(name, SEEDS).entries:
            chosen = with_choices(each)
            deviating = sum(answer.deviates for answer in each.answers)
            assert min(4, deviating) == sum(answer.deviates for answer in chosen.answers)
            assert 1 == sum(answer.right for answer in chosen.answers)
    places = {[a.right for a in with_choices(each).answers].index(True) for each in bank_of("class", SEEDS).entries}
    assert {0, 1, 2, 3, 4} == places


def test_answers_in_bytes_ask_for_bytes() -> None:
    """Where only a plain number can be typed, units are neither asked for nor judged."""
    for each in bank_of("memory", FEW).entries:
        assert each.text[0].endswith("? Give the number of bytes.")
        asked = exercise("memory", each.seed)
        assert asked.text.endswith("? Answer in bytes, or with a decimal in a unit such as MB or MiB.")
        assert {"unit:MB", "unit:MiB"} & {wrong.names[0] for wrong in asked.wrong}
        assert not [answer for answer in each.answers if "but wrote M" in answer.feedback]


def test_the_table_of_downloads_counts_what_is_in_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions, and the wrong answers to them, one to a line in the file for spreadsheets; a few are quick to make."""
    monkeypatch.setattr(bank_tables, "downloadable_bank", lambda name: bank_of(name, [13, 14]))
    counted = []
    for name in SETS:
        found = list(csv.DictReader(io.StringIO(bank(name, [13, 14], "csv").decode("utf-8-sig"))))
        counted.append((len(found), sum(len(each["wrong answers"].split("\n")) for each in found)))
    for name, (questions, wrong) in zip(SETS, counted, strict=True):
        assert f">{questions:,}<" in bank_tables.questions(name)
        assert f">{wrong:,}<" in bank_tables.wrong_answers(name)
    assert len({wrong for _, wrong in counted}) > 4
    assert f">{sum(questions for questions, _ in counted):,}<" in bank_tables.questions()
    assert f">{sum(wrong for _, wrong in counted):,}<" in bank_tables.wrong_answers()


def test_the_example_judges_its_answers() -> None:
    """One is right, and says so; each other has something else said of it."""
    (first, *others) = [row.strip("| ").split(" | ") for row in bank_tables.feedback().splitlines()]
    assert ["right", "That is right."] == first[1:]
    assert {"wrong"} == {row[1] for row in others}
    assert all(row[0] != first[0] and row[2] not in ("", first[2]) for row in others)


def test_the_same_question_is_asked_once() -> None:
    """Seeds that draw the same exercise give one question: of published models there are only so many."""
    drawn = [exercise("model", seed) for seed in SEEDS]
    assert len(SEEDS) > len({(each.text, each.given) for each in drawn}) == len(bank_of("model", SEEDS).entries)
    assert ["layer-7"] == [each.identifier for each in bank_of("layer", [7, 7]).entries]


# --- Awkward texts ----------------------------------------------------------------

AWKWARD = [
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


def awkward() -> Bank:
    """A bank whose every text holds what means something in one of the formats."""
    entries = []
    for place, text in enumerate(AWKWARD):
        wrong = (Answer("2", False, text), Answer("3", False, f"{text} again"))
        typed = Entry(
            "layer", place, f"name {text}", (text,), (), True, (Answer("1", True, text), *wrong), (text,), (text,)
        )
        options = (Answer(text, True, text), Answer(f"{text} other", False, text))
        entries += [typed, typed._replace(set="mistake", numeric=False, answers=options, ledger=(text,))]
    return Bank("layer", "Awkward & <texts>", tuple(entries))


def content(form: str) -> bytes:
    """The awkward bank in a format."""
    written = FORMATS[form.removesuffix("-choices")].write(awkward())
    return written if isinstance(written, bytes) else written.encode()


def awkward_faults(found: list[Read], form: str) -> list[str]:
    """Texts that are not read as they were written."""
    lines = []
    for entry, read in zip(awkward().entries, found, strict=True):
        answers = {
            each.text.replace(",", ""): each.feedback
            for each in (entry if form != "canvas-choices" else with_choices(entry)).answers
        }
        wanted = [entry.identifier, entry.name, [*entry.text, *entry.ledger], answers, list(entry.solution)]
        got = [
            read.identifier,
            read.name,
            read.text,
            {a.text.replace(",", ""): a.feedback for a in read.answers},
            read.solution,
        ]
        lines += [f"{one!r} became {other!r}" for one, other in zip(wanted, got, strict=True) if one != other]
    return lines


def unguarded(cell: str) -> str:
    """A cell without the apostrophe that keeps it from being a formula."""
    return cell[1:] if cell.startswith(("'=", "'+", "'-", "'@")) else cell


@pytest.mark.parametrize("form", ["moodle", "canvas-choices"])
def test_awkward_texts_stay_as_they_are(form: str) -> None:
    """Whatever means something in XML or in HTML."""
    assert [] == awkward_faults(READERS[form](content(form)), form)


def test_awkward_texts_stay_as_they_are_in_gift(tmp_path: Path) -> None:
    """Every mark of GIFT, the backslash too."""
    assert [] == awkward_faults(of_gift(tmp_path, {"awkward": content("gift")})["awkward"], "gift")


def test_awkward_texts_stay_in_their_fields() -> None:
    """Commas and quotation marks; and for Blackboard the tabs and line breaks that part fields and questions."""
    read = read_brightspace(content("brightspace").decode())
    assert [(each.name, list(each.solution)) for each in awkward().entries] == [(e.name, e.solution) for e in read]
    written = FORMATS["blackboard"].write(Bank("", "", (awkward().entries[0]._replace(text=("a\tb\nc",)),)))
    assert [["a b c"]] == [each.text for each in read_blackboard(str(written))]


def test_no_cell_is_a_formula() -> None:
    """What begins like one has an apostrophe before it, in every column; the rest stays as it is."""
    rows = list(csv.reader(io.StringIO(content("csv").decode().removeprefix("\ufeff"), newline="")))
    assert not [cell for cell in chain.from_iterable(rows) if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert "'=1+1" in chain.from_iterable(rows)
    plain = io.StringIO(newline="")
    csv.writer(plain).writerows([[unguarded(cell) for cell in row] for row in rows])
    assert [] == awkward_faults(read_csv(plain.getvalue()), "csv")


# --- Files ------------------------------------------------------------------------


def test_every_bank_is_published() -> None:
    """Each set in each format, at an address that says which, and of a size to fetch, as all are together.

    The site and the command write the same bytes. Source: Microsoft's limits of Excel, 32,767 characters in a cell.
    """
    published = {address: make for address, make in makers() if "/question-banks/" in address}
    single = [form for form, each in FORMATS.items() if not each.together]
    zips = {zip_file(form): (SETS, [form]) for form in FORMATS if form not in single}
    zipped = {name: each.zip for name, each in load_sets().sets.items() if each.zip}
    alone = {bank_file(name, form) for name in SETS if name not in zipped for form in single}
    zips[zip_file("operations-and-changes")] = ([*zipped], single)
    assert alone | set(zips) == set(published)
    for address, (sets, forms) in zips.items():
        content = published[address]()
        assert isinstance(content, bytes)
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            assert {f"{name}{FORMATS[form].ending}": made(name, form) for name in sets for form in forms} == {
                each: package.read(each) for each in package.namelist()
            }
    assert "data/question-banks/layer-moodle.xml" in published
    for form in single:
        text = published[bank_file("layer", form)]()
        assert made("layer", form) == (text.encode() if isinstance(text, str) else text)
    sizes = [len(made(name, form)) for name in SETS for form in FORMATS]
    assert max(sizes) < 700_000
    assert sum(sizes) < 8_200_000
    rows = (row for name in SETS for row in csv.reader(io.StringIO(made(name, "csv").decode(), newline="")))
    assert max(len(cell) for row in rows for cell in row) <= 32_767


def test_a_package_has_the_same_bytes_on_any_day() -> None:
    """No date of writing, no compression, no rights that depend on the machine."""
    with zipfile.ZipFile(io.BytesIO(made("layer", "canvas"))) as package:
        for each in package.infolist():
            assert ((1980, 1, 1, 0, 0, 0), zipfile.ZIP_STORED, 3) == (
                each.date_time,
                each.compress_type,
                each.create_system,
            )
    assert made("layer", "canvas") == bank("layer", SEEDS, "canvas")


def test_so_many_seeds_are_refused() -> None:
    """None, and more than a file may be made from; which would do is said."""
    for seeds in (range(0), range(MOST_SEEDS + 1)):
        with pytest.raises(UnknownExercise, match="choose from 1 to 1,000"):
            bank_of("layer", seeds)
