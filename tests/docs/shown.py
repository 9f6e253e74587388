"""Checks the sums, bridges and waterfalls that a browser shows, from nothing but the text on the screen.

`shown.js` reads them; `RULES` has a check for each kind of what it reads.
"""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import ElementHandle

from tests.docs.arithmetic import equations, faults_in, is_wrong, loose_ends, number_in, value
from tests.docs.scripts import call

SCRIPT = (Path(__file__).parent / "shown.js").read_text(encoding="utf-8")
"""A script that returns what an element shows, as an object with the keys of `RULES`."""

Content = dict[str, Any]
"""What an element shows, with the keys of `RULES`."""

BYTES = re.compile(
    r"([\d,]+) bytes(?: \([^)]*\))? are ([\d,]+) parameters\b[^.]*?, (\d+) bytes? each"
    r"(?:[^.]*?, and ([\d,]+) bytes? for the names and the header)?"
)
"""A sentence that says how many bytes some parameters take: bytes, parameters, bytes each, and further bytes if any."""

SHARE = re.compile(r"^([\d.]+)%: ([\d,]+) / ([\d,]+) gives this share", re.MULTILINE)
"""A line that explains a share: the share, the part and the total."""


def read(element: ElementHandle | None) -> Content:
    """What an element shows. What is folded in it is unfolded first, and stays so."""
    assert element
    content: Content = call(element, SCRIPT)
    return content


PRODUCT = re.compile(r"[\d,²]+(?:·[\d,²]+)+")
ZERO = re.compile(r"(?<![\d,])0(?![\d,²])")
"""The number zero as a factor."""


def without_effect(line: str) -> set[int]:
    """The indexes of digits that may be changed without effect: another factor of their product is zero."""
    products = [match for match in PRODUCT.finditer(line) if ZERO.search(match[0])]
    indices_in_products = {index for match in products for index in range(*match.span())}
    return indices_in_products - {match.start() for match in ZERO.finditer(line)}


def unnoticed(content: Content) -> list[str]:
    """The equations in explanations that still seem to hold after one digit has been changed.

    The digit is drawn at random from those that have an effect. In a rounded result it is the first one: a change of
    the last one may be within the rounding.
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
        if not is_wrong(altered_line):
            unnoticed_lines.append(altered_line)
    return unnoticed_lines


def faults_of(content: Content) -> list[str]:
    """A description of everything that does not add up. Waterfalls must also have the numbers of the bridges."""
    problems = [fault for key, rule in RULES.items() for item in content[key] for fault in rule(item)]
    waterfalls = [[number_in(title) for title in figure["titles"]] for figure in content["waterfalls"]]
    bridges = [[number_in(step) for step in bridge["steps"]] for bridge in content["bridges"]]
    return problems if waterfalls == bridges else [*problems, f"the figures show {waterfalls}, the tables {bridges}"]


def _text(text: str) -> Iterator[str]:
    """The equations of a text, and its sentences about bytes and shares, are right."""
    yield from faults_in(text)
    for total, parameters, width, frame in BYTES.findall(text):
        if value(parameters) * value(width) + value(frame or "0") != value(total):
            yield f"{parameters} × {width} + {frame or 0} is not {total}"
    for share, part, total in SHARE.findall(text):
        if faults_in(f"{part} / {total} ≈ {share}%"):
            yield f"{part} / {total} is not {share}%"


def _sum(lines: list[str]) -> Iterator[str]:
    """Every result of a sum but the last is used in a later line."""
    for result in loose_ends(lines):
        yield f"{lines}: no later line uses {result}"


def _level(level: dict[str, str]) -> Iterator[str]:
    """The sum below a picture, the description of the picture, and its heading agree."""
    equation = level["sum"]
    terms, sign, result = equation.partition(" = ")
    if not sign or faults_in(equation):
        yield f"{equation} is wrong"
        return
    area_numbers = [area.rpartition(": ")[2] for area in level["figure"].rstrip(".").split("; ")]
    if area_numbers != terms.split(" + "):
        yield f"{equation}: drawn is {level['figure']}"
    if level["heading"] and number_in(level["heading"]) != value(result):
        yield f"{equation}: the heading says {level['heading']}"


def _leads_to_end(subject: str, column: list[str]) -> Iterator[str]:
    """The number at the start plus the signed steps is the number at the end."""
    start, *steps, end = (number_in(step) for step in column)
    signs = [re.search(r"([+−])[\d,]+$", step) for step in column[1:-1]]
    if not all(signs) or start + sum(steps) != end:
        yield f"{subject} {'; '.join(column)}: the steps do not lead from the first number to the last"


def _bridge(bridge: Content) -> Iterator[str]:
    """The steps of a bridge add up, and each line that explains one starts from the result of the line before."""
    steps, lines = bridge["steps"], bridge["lines"]
    yield from _leads_to_end("bridge", steps)
    if not lines:
        return
    if len(lines) != len(steps) - 2:
        yield f"{steps}: the lines {lines} do not explain every step"
    starts = [steps[0], *(line.partition(" = ")[2] for line in lines)]
    for line, start, step in zip(lines, starts, steps[1:], strict=False):
        sign, digits = step[0], step[1:]
        if not line.startswith(f"{start} {sign} {digits} = ") or faults_in(line):
            yield f"{line}: does not add {step} to {start}"
    if starts[-1] != steps[-1]:
        yield f"{lines}: do not end in {steps[-1]}"


def _compared(rows: list[list[str]]) -> Iterator[str]:
    """In each row, the first number plus the difference is the last; the last row has the sums of the others."""
    numbers = [[number_in(cell) for cell in row] for row in rows]
    for row, (start, difference, end) in zip(rows, numbers, strict=True):
        if start + difference != end:
            yield f"{row}: the difference does not lead from the first number to the last"
    if numbers[-1] != [sum(column) for column in zip(*numbers[:-1], strict=True)]:
        yield f"{rows[-1]}: is not the sum of the rows above"


def _waterfall(figure: Content) -> Iterator[str]:
    """The numbers above bars, those in a panel, and those in the description for screen readers all add up."""
    yield from _leads_to_end("labels", figure["labels"])
    yield from _leads_to_end("titles", figure["titles"])
    if figure["description"]:
        yield from _leads_to_end("description", figure["description"].split("; "))
    labelled_numbers = {number_in(label) for label in figure["labels"]}
    for panel in figure["panels"]:
        # A panel magnifies whole steps, or the pieces of one.
        magnified = [number_in(label) for label in panel]
        if panel and sum(magnified) not in labelled_numbers and not labelled_numbers.issuperset(magnified):
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
"""The check for each key of what `SCRIPT` returns. Each yields the faults of one item."""
