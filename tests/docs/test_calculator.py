"""The calculator, as readers meet it: what it shows adds up, holds, and comes back from its address."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.docs.conftest import Pages
from tests.docs.windows import WIDTHS, faults_in_windows, watch

PAGE = "try/calculator.html"
READY = "document.documentElement.dataset.counting !== undefined"

# Source: num_parameters() of transformers 5.23, built from these checkpoints' configs.
BASE, LARGE = 109_482_240, 335_141_888
PRE_TRAINING = 110_106_428
ROBERTA = 124_645_632


@pytest.fixture(scope="module")
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A window of a desktop, in which the clipboard may be written to."""
    opened = browser.new_context(
        viewport=WIDTHS["desktop"],
        base_url=f"{address}/",
        permissions=["clipboard-read", "clipboard-write"],
        accept_downloads=True,
    )
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def open_page(context: BrowserContext, address: str) -> tuple[Page, list[str]]:
    """The calculator, which stays open from test to test, and what goes wrong on it."""
    page = context.new_page()
    faults = watch(page, address)
    at(page)
    return page, faults


@pytest.fixture
def page(open_page: tuple[Page, list[str]]) -> Iterator[Page]:
    """The calculator as it is opened; an error on it fails the test."""
    page, faults = open_page
    if "?" in page.url or page.evaluate(f"{READY} && !!document.querySelector('.bc-changed, [aria-invalid]')"):
        at(page)
    yield page
    assert [] == faults


def at(page: Page, query: str = "") -> Page:
    """Open the calculator in a state, and wait until it is there."""
    page.goto(f"{PAGE}{query}")
    page.wait_for_function(READY)
    return page


def number(text: str) -> int:
    """A number as it is read."""
    return int(re.sub(r"[^0-9−-]", "", text).replace("−", "-") or 0)


def total(page: Page) -> int:
    """The total on the first screen."""
    return number(page.inner_text(".bc-digits"))


def field(page: Page, letter: str) -> Locator:
    """The field of a size."""
    return page.locator(f"#calculator-{letter.lower()}")


def numbers_of(page: Page, table: str) -> list[list[str]]:
    """The cells of a table's body."""
    found: list[list[str]] = page.evaluate(
        "name => [...document.querySelectorAll(`#${name} tbody tr`)].map(row => "
        "[...row.cells].map(cell => cell.firstChild?.nodeType === 3 ? cell.firstChild.data : cell.textContent))",
        table,
    )
    return found


def foot(page: Page, table: str) -> list[str]:
    """The cells of the row that adds a table up."""
    return page.locator(f"#{table} tfoot :is(th, td)").all_inner_texts()


# --- What it shows ------------------------------------------------------------


def test_the_first_screen_answers_without_scripts(browser: Browser, address: str) -> None:
    """Total, picture and both models part by part; that the fields need scripts is said, and they are not shown."""
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{address}/{PAGE}")
    assert BASE == number(page.inner_text(".bc-whole"))
    assert "needs JavaScript" in page.inner_text(".bc-without-scripts")
    assert [BASE, LARGE] == [number(page.inner_text(f"#{name} tfoot td")) for name in ("base-parts", "large-parts")]
    expect(page.locator("#calculator-form")).to_be_hidden()
    expect(page.locator("#what-if")).to_be_hidden()
    page.context.close()


def test_scripts_hide_what_stands_in_for_them(page: Page) -> None:
    """With scripts there is a form, and no word about scripts."""
    expect(page.locator("#calculator-form")).to_be_visible()
    expect(page.locator(".bc-without-scripts")).to_be_hidden()


STATES = [
    ("", BASE),
    ("?model=bert-large-uncased", LARGE),
    ("?model=bert-base-uncased&class=BertForPreTraining", PRE_TRAINING),
    ("?model=roberta-base", ROBERTA),
    # Source: AlbertModel of transformers 5.23 with albert-base-v2's config.
    ("?model=albert-base-v2", 11_683_584),
    # Source: BertForSequenceClassification with num_labels=3, H=1024, A=16 and base's other sizes in transformers 5.23.
    ("?model=bert-base-uncased&H=1024&A=16&class=BertForSequenceClassification&labels=3", None),
    ("?model=bert-base-uncased&more=V,L&biases=no", None),
    ("?model=bert-base-uncased&class=BertForSequenceClassification&lora=8:query,value", None),
    ("?model=bert-base-uncased&L=0&pooler=no", None),
    ("?model=bert-base-uncased&V=9000000000000000000&H=9000000000000000000&A=1&L=1000000000000", None),
]


@pytest.mark.parametrize(("query", "known"), STATES)
def test_everything_adds_up(page: Page, query: str, known: int | None) -> None:
    """Parts, tensors, the worked sum, the bridge and the bytes all end in the total, and every step holds."""
    at(page, query)
    shown = total(page)
    assert known in (None, shown)
    parts = numbers_of(page, "calculator-parts")
    assert shown == sum(number(row[1]) for row in parts) == number(foot(page, "calculator-parts")[1])
    tensors = numbers_of(page, "calculator-tensors")
    assert shown == sum(number(row[4]) for row in tensors if row[4] != "tied")
    assert shown == number(foot(page, "calculator-tensors")[4])
    for row in tensors:
        if row[4] != "tied":
            assert number(row[4]) == number(row[2]) * (number(row[3]) or 1), row
    lines = page.locator(".bc-lines code").all_inner_texts()
    assert shown == number(lines[-1].rpartition("=")[2])
    assert [] == [line for line in lines if not holds(line)]
    steps = numbers_of(page, "calculator-bridge")
    assert shown == sum(number(row[1]) for row in steps) == number(foot(page, "calculator-bridge")[1])
    bytes_each = {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1}
    weights = {row[0]: number(row[1]) for row in numbers_of(page, "calculator-bytes")}
    assert [shown * each for each in bytes_each.values()] == [*weights.values()]


def holds(line: str) -> bool:
    """Whether what is left of an equals sign comes to what is right of it."""
    left, equals, right = line.rpartition("=")
    typed = left.replace(",", "").replace("×", "*").replace("−", "-").replace("²", "**2").strip()
    assert equals, line
    assert re.fullmatch(r"[0-9 +*()/-]+", typed.replace("**2", "")), line
    value: int = eval(typed)  # noqa: S307  nothing but digits and signs, as was just seen
    return value == number(right)


def test_a_step_that_does_not_hold_is_noticed() -> None:
    """One digit off."""
    assert holds("768 × 768 + 768 = 590,592")
    assert not holds("768 × 768 + 768 = 590,593")
