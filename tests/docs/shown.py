"""Checks the sums, bridges and waterfalls on a page, using only what the page offers readers.

This includes explanations in pop-overs and texts for screen readers.

`shown.js` extracts the content, and `RULES` has a check for each kind of item.
"""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import ElementHandle

from tests.docs.arithmetic import equations, faults_in, is_wrong, number_in, unused_results, value
from tests.docs.scripts import call

SCRIPT = (Path(__file__).parent / "shown.js").read_text(encoding="utf-8")
"""A script that returns the content of an element as an object with the keys of `RULES`."""

Content = dict[str, Any]
"""The texts, sums and figures that an element shows, with the keys of `RULES`."""

BYTES = re.compile(
    r"([\d,]+) bytes(?: \([^)]*\))? are ([\d,]+) parameters\b[^.]*?, (\d+) bytes? each"
    r"(?:[^.]*?, and ([\d,]+) bytes? for the names and the header)?"
)
"""A sentence about the bytes of parameters.

Its groups are the total, the number of parameters, the bytes of each, and further bytes if there are any.
"""

SHARE = re.compile(r"^([\d.]+)%: ([\d,]+) / ([\d,]+) gives this share", re.MULTILINE)
"""A line that explains a share. Its groups are the share, the part and the total."""


def read(element: ElementHandle | None) -> Content:
    """The content of an element, including all `<details>` in it, which are opened first and stay open."""
    assert element
    content: Content = call(element, SCRIPT)
    return content


PRODUCT = re.compile(r"[\d,²]+(?:·[\d,²]+)+")
ZERO = re.compile(r"(?<![\d,])0(?![\d,²])")
"""The number zero as a factor."""


def ineffective_digits(line: str) -> set[int]:
    """The indices of the digits that do not affect the result, because another factor of their product is zero."""
    products = [match for match in PRODUCT.finditer(line) if ZERO.search(match[0])]
    indices_in_products = {index for match in products for index in range(*match.span())}
    return indices_in_products - {match.start() for match in ZERO.finditer(line)}


def undetected_changes(content: Content) -> list[str]:
    """The equations in explanations that still appear correct after one of their digits has been changed.

    The digit is drawn at random from those that affect the result. If the result is rounded, its first digit is changed
    instead, because a change to its last digit may be within the rounding error.
    """
    generator = random.Random(11)  # noqa: S311 - not used for cryptography
    undetected_lines = []
    for line in sorted({line for text in content["explanations"] for line in equations(text)}):
        sign_before_rounded = re.search(r"[≈=] (?=[\d.,]+(%| [KMG]?i?B)$)|≈ ", line)
        start = sign_before_rounded.end() if sign_before_rounded else 0
        effective_digits = {match.start() for match in re.finditer(r"\d", line)} - ineffective_digits(line)
        indices = [index for index in sorted(effective_digits) if index >= start]
        index = indices[0] if sign_before_rounded else generator.choice(indices)
        altered_line = f"{line[:index]}{(int(line[index]) + generator.randrange(1, 10)) % 10}{line[index + 1 :]}"
        if not is_wrong(altered_line):
            undetected_lines.append(altered_line)
    return undetected_lines


def faults_of(content: Content) -> list[str]:
    """Descriptions of all faults in an element.

    It is also a fault if the waterfalls do not have the numbers of the bridges.
    """
    problems = [fault for key, rule in RULES.items() for item in content[key] for fault in rule(item)]
    waterfalls = [[number_in(title) for title in figure["titles"]] for figure in content["waterfalls"]]
    bridges = [[number_in(step) for step in bridge["steps"]] for bridge in content["bridges"]]
    return problems if waterfalls == bridges else [*problems, f"the figures show {waterfalls}, the tables {bridges}"]


def _text_faults(text: str) -> Iterator[str]:
    """Check the equations in a text, and its sentences about bytes and shares."""
    yield from faults_in(text)
    for total, parameters, bytes_each, further_bytes in BYTES.findall(text):
        if value(parameters) * value(bytes_each) + value(further_bytes or "0") != value(total):
            yield f"{parameters} × {bytes_each} + {further_bytes or 0} is not {total}"
    for share, part, total in SHARE.findall(text):
        if faults_in(f"{part} / {total} ≈ {share}%"):
            yield f"{part} / {total} is not {share}%"


def _sum_faults(lines: list[str]) -> Iterator[str]:
    """Check that every result in a sum except the last is used in a later line."""
    for result in unused_results(lines):
        yield f"{lines}: no later line uses {result}"


def _level_faults(level: dict[str, str]) -> Iterator[str]:
    """Check that the sum below a picture agrees with the picture's description and with the heading of its level."""
    equation = level["sum"]
    terms, sign, result = equation.partition(" = ")
    if not sign or faults_in(equation):
        yield f"{equation} is wrong"
        return
    area_numbers = [area.rpartition(": ")[2] for area in level["figure"].rstrip(".").split("; ")]
    if area_numbers != terms.split(" + "):
        yield f"{equation}: the figure shows {level['figure']}"
    if level["heading"] and number_in(level["heading"]) != value(result):
        yield f"{equation}: the heading says {level['heading']}"


def _step_faults(subject: str, column: list[str]) -> Iterator[str]:
    """Check that the first number of a column plus the signed steps is its last number."""
    start, *steps, end = (number_in(step) for step in column)
    signs = [re.search(r"([+−])[\d,]+$", step) for step in column[1:-1]]
    if not all(signs) or start + sum(steps) != end:
        yield f"{subject} {'; '.join(column)}: the steps do not lead from the first number to the last"


def _bridge_faults(bridge: Content) -> Iterator[str]:
    """Check that the steps of a bridge add up, and that each explanation of a step starts from the previous result."""
    steps, lines = bridge["steps"], bridge["lines"]
    yield from _step_faults("bridge", steps)
    if not lines:
        return
    if len(lines) != len(steps) - 2:
        yield f"{steps}: the lines {lines} do not explain every step"
    starts = [steps[0], *(line.partition(" = ")[2] for line in lines)]
    for line, start, step in zip(lines, starts, steps[1:], strict=False):
        sign, digits = step[0], step[1:]
        if not line.startswith(f"{start} {sign} {digits} = ") or faults_in(line):
            yield f"{line} does not add {step} to {start}"
    if starts[-1] != steps[-1]:
        yield f"{lines} do not end in {steps[-1]}"


def _comparison_faults(rows: list[list[str]]) -> Iterator[str]:
    """Check that the first number of each row plus the difference is the last, and that the last row has the sums."""
    numbers = [[number_in(cell) for cell in row] for row in rows]
    for row, (start, difference, end) in zip(rows, numbers, strict=True):
        if start + difference != end:
            yield f"{row}: the difference does not lead from the first number to the last"
    if numbers[-1] != [sum(column) for column in zip(*numbers[:-1], strict=True)]:
        yield f"{rows[-1]} is not the sum of the rows above"


def _waterfall_faults(figure: Content) -> Iterator[str]:
    """Check the numbers above the bars, in the titles and panels, and in the description for screen readers."""
    yield from _step_faults("labels", figure["labels"])
    yield from _step_faults("titles", figure["titles"])
    if figure["description"]:
        yield from _step_faults("description", figure["description"].split("; "))
    labelled_numbers = {number_in(label) for label in figure["labels"]}
    for panel in figure["panels"]:
        # A panel magnifies either whole steps or the pieces of one step.
        magnified_numbers = [number_in(label) for label in panel]
        if (
            panel
            and sum(magnified_numbers) not in labelled_numbers
            and not labelled_numbers.issuperset(magnified_numbers)
        ):
            yield f"{panel}: not a step of {figure['labels']}"


RULES: dict[str, Callable[[Any], Iterator[str]]] = {
    "texts": _text_faults,
    "explanations": _text_faults,
    "sums": _sum_faults,
    "levels": _level_faults,
    "bridges": _bridge_faults,
    "comparisons": _comparison_faults,
    "waterfalls": _waterfall_faults,
}
"""For each key of `Content`, the check that yields the faults of one item."""
