"""Adds up what a browser shows of sums and bridges, from the text that it shows."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import ElementHandle

from tests.docs.arithmetic import equations, faults_in, loose_ends, number_in, value, wrong_line
from tests.docs.scripts import called

SHOWN = (Path(__file__).parent / "shown.js").read_text(encoding="utf-8")
"""Reads all of it from an element; the keys are those of `RULES`."""

Read = dict[str, Any]

BYTES = re.compile(
    r"([\d,]+) bytes(?: \([^)]*\))? are ([\d,]+) parameters\b[^.]*?, (\d+) bytes? each"
    r"(?:[^.]*?, and ([\d,]+) bytes? for the names and the header)?"
)
SHARE = re.compile(r"^([\d.]+)%: ([\d,]+) / ([\d,]+) gives this share", re.MULTILINE)


def read(place: ElementHandle | None) -> Read:
    """What is shown within an element; everything folded in it is unfolded for that, and stays so."""
    assert place
    found: Read = called(place, SHOWN)
    return found


def unnoticed(read: Read) -> list[str]:
    """Explained equations that seem to hold with a digit changed: any, or the first of a rounded result."""
    chance = random.Random(11)  # noqa: S311 - drawing samples is no cryptography
    found = []
    for line in sorted({line for text in read["explanations"] for line in equations(text)}):
        rounded = re.search(r"[≈=] (?=[\d.,]+(%| [KMG]?i?B)$)|≈ ", line)
        start = rounded.end() if rounded else 0
        places = [match.start() for match in re.finditer(r"\d", line) if match.start() >= start]
        place = places[0] if rounded else chance.choice(places)
        changed = f"{line[:place]}{(int(line[place]) + chance.randrange(1, 10)) % 10}{line[place + 1 :]}"
        if not wrong_line(changed):
            found.append(changed)
    return found


def faults_of(read: Read) -> list[str]:
    """Everything that does not add up, in words."""
    found = [fault for key, rule in RULES.items() for each in read[key] for fault in rule(each)]
    drawn = [[number_in(title) for title in each["titles"]] for each in read["waterfalls"]]
    told = [[number_in(step) for step in each["steps"]] for each in read["bridges"]]
    return found if drawn == told else [*found, f"the figures show {drawn}, the tables {told}"]


def _text(text: str) -> Iterator[str]:
    """Equations; and the sentences that say how many bytes or what share something is."""
    yield from faults_in(text)
    for whole, parameters, width, frame in BYTES.findall(text):
        if value(parameters) * value(width) + value(frame or "0") != value(whole):
            yield f"{parameters} × {width} + {frame or 0} is not {whole}"
    for typed, part, whole in SHARE.findall(text):
        if faults_in(f"{part} / {whole} ≈ {typed}%"):
            yield f"{part} / {whole} is not {typed}%"


def _sum(lines: list[str]) -> Iterator[str]:
    for each in loose_ends(lines):
        yield f"{lines}: nothing goes on from {each}"


def _level(level: dict[str, str]) -> Iterator[str]:
    """The sum below a picture, what the picture says it shows, and what the heading says that is."""
    line = level["sum"]
    terms, sign, result = line.partition(" = ")
    if not sign or faults_in(line):
        yield f"{line} is not so"
        return
    drawn = [each.rpartition(": ")[2] for each in level["figure"].rstrip(".").split("; ")]
    if drawn != terms.split(" + "):
        yield f"{line}: drawn is {level['figure']}"
    if level["heading"] and number_in(level["heading"]) != value(result):
        yield f"{line}: the heading says {level['heading']}"


def _closes(what: str, column: list[str]) -> Iterator[str]:
    """A start, signed steps, and the end they lead to."""
    start, *steps, end = (number_in(each) for each in column)
    signs = [re.search(r"([+−])[\d,]+$", each) for each in column[1:-1]]
    if not all(signs) or start + sum(steps) != end:
        yield f"{what} {'; '.join(column)}: does not lead there"


def _bridge(bridge: Read) -> Iterator[str]:
    """The column of a table, and the lines that explain its steps, each of which goes on from the one before."""
    steps, lines = bridge["steps"], bridge["lines"]
    yield from _closes("bridge", steps)
    if not lines:
        return
    if len(lines) != len(steps) - 2:
        yield f"{steps}: explained are {lines}"
    here = [steps[0], *(line.partition(" = ")[2] for line in lines)]
    for line, before, step in zip(lines, here, steps[1:], strict=False):
        sign, digits = step[0], step[1:]
        if not line.startswith(f"{before} {sign} {digits} = ") or faults_in(line):
            yield f"{line}: does not go on from {before} by {step}"
    if here[-1] != steps[-1]:
        yield f"{lines}: do not end in {steps[-1]}"


def _compared(rows: list[list[str]]) -> Iterator[str]:
    """Before, difference and after of each row, and of all together in the last."""
    numbers = [[number_in(cell) for cell in row] for row in rows]
    for row, (before, difference, after) in zip(rows, numbers, strict=True):
        if before + difference != after:
            yield f"{row}: does not lead there"
    if numbers[-1] != [sum(column) for column in zip(*numbers[:-1], strict=True)]:
        yield f"{rows[-1]}: is not what the rows above add up to"


def _waterfall(figure: Read) -> Iterator[str]:
    """The numbers above bars, those in a panel together or each, and the words for readers who see no figure."""
    yield from _closes("labels", figure["labels"])
    yield from _closes("titles", figure["titles"])
    if figure["description"]:
        yield from _closes("description", figure["description"].split("; "))
    sums = {number_in(each) for each in figure["labels"]}
    for panel in figure["panels"]:
        if panel and sum(map(number_in, panel)) not in sums and not sums.issuperset(map(number_in, panel)):
            yield f"{panel}: is no step of {figure['labels']}"


RULES: dict[str, Callable[[Any], Iterator[str]]] = {
    "texts": _text,
    "explanations": _text,
    "sums": _sum,
    "levels": _level,
    "bridges": _bridge,
    "compared": _compared,
    "waterfalls": _waterfall,
}
"""What has to hold of each thing that is read, by what it is."""
