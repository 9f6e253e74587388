"""Adds up the sums and bridges that a browser shows, from the text on the screen."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import ElementHandle

from tests.docs.arithmetic import equations, faults_in, loose_ends, number_in, value, wrong_line
from tests.docs.scripts import call

SCRIPT = (Path(__file__).parent / "shown.js").read_text(encoding="utf-8")
"""A script that reads everything from an element into an object with the keys of `RULES`."""

Content = dict[str, Any]

BYTES = re.compile(
    r"([\d,]+) bytes(?: \([^)]*\))? are ([\d,]+) parameters\b[^.]*?, (\d+) bytes? each"
    r"(?:[^.]*?, and ([\d,]+) bytes? for the names and the header)?"
)
SHARE = re.compile(r"^([\d.]+)%: ([\d,]+) / ([\d,]+) gives this share", re.MULTILINE)


def read(element: ElementHandle | None) -> Content:
    """Everything shown within an element. Folded content is unfolded first, and stays so."""
    assert element
    content: Content = call(element, SCRIPT)
    return content


PRODUCT = re.compile(r"[\d,²]+(?:·[\d,²]+)+")
ZERO = re.compile(r"(?<![\d,])0(?![\d,²])")


def without_effect(line: str) -> set[int]:
    """The places of digits whose product is zero whatever they are, because another of its factors is."""
    products = [match for match in PRODUCT.finditer(line) if ZERO.search(match[0])]
    places_in_products = {index for match in products for index in range(*match.span())}
    return places_in_products - {match.start() for match in ZERO.finditer(line)}


def unnoticed(content: Content) -> list[str]:
    """Explained equations that still seem to hold after one digit has changed.

    Any digit may change that has an effect; of a rounded result, the first.
    """
    chance = random.Random(11)  # noqa: S311 - drawing samples is no cryptography
    unnoticed_lines = []
    for line in sorted({line for text in content["explanations"] for line in equations(text)}):
        result_sign = re.search(r"[≈=] (?=[\d.,]+(%| [KMG]?i?B)$)|≈ ", line)
        start = result_sign.end() if result_sign else 0
        indices = [match.start() for match in re.finditer(r"\d", line) if match.start() >= start]
        indices = [index for index in indices if index not in without_effect(line)]
        index = indices[0] if result_sign else chance.choice(indices)
        altered_line = f"{line[:index]}{(int(line[index]) + chance.randrange(1, 10)) % 10}{line[index + 1 :]}"
        if not wrong_line(altered_line):
            unnoticed_lines.append(altered_line)
    return unnoticed_lines


def faults_of(content: Content) -> list[str]:
    """A description of everything that does not add up."""
    problems = [fault for key, rule in RULES.items() for item in content[key] for fault in rule(item)]
    figures = [[number_in(title) for title in figure["titles"]] for figure in content["waterfalls"]]
    tables = [[number_in(step) for step in bridge["steps"]] for bridge in content["bridges"]]
    return problems if figures == tables else [*problems, f"the figures show {figures}, the tables {tables}"]


def _text(text: str) -> Iterator[str]:
    """Equations, and the sentences that give bytes or shares."""
    yield from faults_in(text)
    for total, parameters, width, frame in BYTES.findall(text):
        if value(parameters) * value(width) + value(frame or "0") != value(total):
            yield f"{parameters} × {width} + {frame or 0} is not {total}"
    for share, part, total in SHARE.findall(text):
        if faults_in(f"{part} / {total} ≈ {share}%"):
            yield f"{part} / {total} is not {share}%"


def _sum(lines: list[str]) -> Iterator[str]:
    for result in loose_ends(lines):
        yield f"{lines}: nothing goes on from {result}"


def _level(level: dict[str, str]) -> Iterator[str]:
    """The sum below a picture, the description of the picture, and its heading agree."""
    line = level["sum"]
    terms, sign, result = line.partition(" = ")
    if not sign or faults_in(line):
        yield f"{line} is wrong"
        return
    areas = [area.rpartition(": ")[2] for area in level["figure"].rstrip(".").split("; ")]
    if areas != terms.split(" + "):
        yield f"{line}: drawn is {level['figure']}"
    if level["heading"] and number_in(level["heading"]) != value(result):
        yield f"{line}: the heading says {level['heading']}"


def _closes(subject: str, column: list[str]) -> Iterator[str]:
    """The number at the start plus the signed steps is the number at the end."""
    start, *steps, end = (number_in(step) for step in column)
    signs = [re.search(r"([+−])[\d,]+$", step) for step in column[1:-1]]
    if not all(signs) or start + sum(steps) != end:
        yield f"{subject} {'; '.join(column)}: does not lead there"


def _bridge(bridge: Content) -> Iterator[str]:
    """The column of a table adds up, and each line that explains a step starts at the result of the line before."""
    steps, lines = bridge["steps"], bridge["lines"]
    yield from _closes("bridge", steps)
    if not lines:
        return
    if len(lines) != len(steps) - 2:
        yield f"{steps}: explained are {lines}"
    starts = [steps[0], *(line.partition(" = ")[2] for line in lines)]
    for line, start, step in zip(lines, starts, steps[1:], strict=False):
        sign, digits = step[0], step[1:]
        if not line.startswith(f"{start} {sign} {digits} = ") or faults_in(line):
            yield f"{line}: does not go on from {start} by {step}"
    if starts[-1] != steps[-1]:
        yield f"{lines}: do not end in {steps[-1]}"


def _compared(rows: list[list[str]]) -> Iterator[str]:
    """Before plus difference is after in each row, and the last row adds up the others."""
    numbers = [[number_in(cell) for cell in row] for row in rows]
    for row, (start, difference, end) in zip(rows, numbers, strict=True):
        if start + difference != end:
            yield f"{row}: does not lead there"
    if numbers[-1] != [sum(column) for column in zip(*numbers[:-1], strict=True)]:
        yield f"{rows[-1]}: is not what the rows above add up to"


def _waterfall(figure: Content) -> Iterator[str]:
    """The numbers above bars, those in a panel, and those in the description for screen readers all add up."""
    yield from _closes("labels", figure["labels"])
    yield from _closes("titles", figure["titles"])
    if figure["description"]:
        yield from _closes("description", figure["description"].split("; "))
    sums = {number_in(label) for label in figure["labels"]}
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
"""The check for each key of what `SHOWN` reads."""
