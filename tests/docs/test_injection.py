"""The policy stops every script, style, frame, base and form put into a page, and nothing else would."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.injecting import BY_SCRIPTS, DIRECTIVES, ELSEWHERE, POLICY, WAYS, Injected, planted
from tests.docs.scripts import measure

KINDS = ("map.html#base/encoder", "index.html?q=pooler", "404.html", "try/calculator.html?H=1024&A=16")
"""Pages that do most by themselves; the second has the search open. test_rules.py holds every page's policy."""

SECONDS = 10

SETTLED = measure("scripts.js", "settled")
"""Waits until an image put in last has failed: whatever was put in before has worked by then, or never will."""


@pytest.fixture(scope="module")
def injected(browser: Browser, site: Path) -> Iterator[Injected]:
    """A page to put attacks into."""
    context = browser.new_context()
    yield Injected(context, site)
    context.close()


def until(observe: Callable[[], set[str]], expected: set[str]) -> set[str]:
    """The observations once everything expected is among them, or time is up."""
    end = time.monotonic() + SECONDS
    while not expected <= observe() and time.monotonic() < end:
        time.sleep(0.02)
    return observe()


def test_all_of_it_works_where_there_is_no_policy(injected: Injected, address: str) -> None:
    """Without the policy, or without a directive that stops one of them, the attacks work.

    Other directives are left: without one of those the page itself could do less.
    """
    for lost, works in {
        POLICY: WAYS,
        "default-src 'none'; ": {f"{ELSEWHERE}/frame"},
        "base-uri 'none'; ": {"base"},
        "; form-action 'self'": {f"{ELSEWHERE}/form"},
    }.items():
        page = injected.open(f"{address}/teach/linking.html", lost=lost)
        page.evaluate(BY_SCRIPTS)
        assert set() == works - until(injected.successes, works)
        assert lost != POLICY or set() == injected.stopped()


@pytest.mark.parametrize("kind", KINDS)
def test_the_policy_stops_all_of_it(injected: Injected, address: str, kind: str) -> None:
    """Every attack is tried, and stopped by its directive."""
    page = injected.open(f"{address}/{kind}")
    page.evaluate(BY_SCRIPTS)
    assert DIRECTIVES == until(injected.stopped, DIRECTIVES)
    page.evaluate(SETTLED)
    assert set() == injected.successes()


# --- What readers type ---------------------------------------------------------

TYPED = f"""7"'><img class="planted" src="data:," onerror="{planted("what was typed")}">"""

ANSWERED = "#answer:not([aria-busy]) .bc-answer"
COUNTED = "html[data-counting]"
MAP_IS_THERE = ".bc-levels[data-walked]"
THEME_IS_THERE = ".md-sidebar[style]"  # the theme's script has placed it

ENTRIES = {
    "disagreements/i-got.html?n={}": ANSWERED,
    "disagreements/i-got.html?n=590592&model={}": ANSWERED,
    "index.html?q={}": ".md-search-result__meta:text('matching')",
    "index.html?h={}": THEME_IS_THERE,
    "map.html#{}": MAP_IS_THERE,
    "map.html#base/{}": MAP_IS_THERE,
    "parts/attention.html#{}": THEME_IS_THERE,
    "404.html?{}": THEME_IS_THERE,
    "try/exercises.html?set={0}&seed={0}": "#exercise h2",
    "try/calculator.html?model={0}&from={0}&{0}={0}&beside={0}&beside=bert-base-uncased;H={0}&pooler={0}": COUNTED,
    "try/calculator.html?H={0}&labels={0}&vocabulary={0}&class={0}&more={0}&frozen={0}&lora={0}:{0}": COUNTED,
}
"""Addresses that take a text, and what appears once the page has used it."""

FOUND = "[...plantedWorked, ...document.querySelectorAll('.planted, a[href^=javascript]')].map(String)"

CARELESS = """<script>addEventListener("load", () => {
  const put = (text) => document.querySelector("article").insertAdjacentHTML("beforeend", text)
  put(decodeURIComponent(location.search.replaceAll("+", " ") + location.hash))
  addEventListener("input", ({ target }) => put(target.value))
})</script>"""
"""Does with a text what a page must not do."""


def came_of_it(page: Page, sign: str) -> list[str]:
    """The effects of a text, on a page that has used it."""
    page.locator(sign).first.wait_for(state="attached")
    page.evaluate(SETTLED)
    effects: list[str] = page.evaluate(FOUND)
    return effects


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_address_is_never_put_in_as_html(injected: Injected, address: str, entry: str) -> None:
    """A text in the address is never HTML, not even without the policy."""
    url = f"{address}/{entry.format(quote(TYPED))}"
    assert [] == came_of_it(injected.open(url, "", lost=POLICY), ENTRIES[entry])


@pytest.mark.parametrize(
    ("name", "field", "ready", "done"),
    [
        ("disagreements/i-got.html", "#question [name=n]", "#question button", ANSWERED),
        ("index.html", ".md-search__input", THEME_IS_THERE, ".md-search-result__meta:text('matching')"),
    ],
)
def test_what_is_typed_is_never_put_in_as_html(
    injected: Injected, address: str, name: str, field: str, ready: str, done: str
) -> None:
    """A text in a field is never HTML; a sentence may quote it as text."""
    for html, expected in (("", False), (CARELESS, True)):
        page = injected.open(f"{address}/{name}", html, lost=POLICY)
        page.locator(ready).first.wait_for(state="attached")
        page.locator(field).fill(TYPED)
        page.locator(field).press("Enter")
        assert expected is bool(came_of_it(page, done))
        assert TYPED == page.locator(field).input_value()


USUAL = {"model_type": "bert", "vocab_size": 30522, "hidden_size": 768}
CONFIGS = (
    TYPED,
    json.dumps({**USUAL, TYPED: TYPED, "architectures": [TYPED], "hidden_act": TYPED}),
    json.dumps({**USUAL, "hidden_size": TYPED, "vocab_size": [TYPED], "type_vocab_size": {TYPED: TYPED}}),
    json.dumps({**USUAL, "model_type": TYPED}),
)
"""Configurations with planted texts, in keys and values that set sizes and in others."""


def test_what_the_calculator_takes_is_never_put_in_as_html(injected: Injected, address: str) -> None:
    """Sizes, configurations and file names are never HTML."""
    for html, expected in (("", False), (CARELESS, True)):
        page = injected.open(f"{address}/try/calculator.html", html, lost=POLICY)
        page.locator(COUNTED).wait_for(state="attached")
        page.locator(".bc-paste summary").click()
        for text in CONFIGS:
            page.locator("#calculator-config").fill(text)
            page.locator("#calculator-file").set_input_files({"name": TYPED, "mimeType": "", "buffer": text.encode()})
        page.locator(".bc-read", has_text="planted").wait_for()
        for field in (
            "#calculator-h",
            "#calculator-v",
            "#what-if-vocabulary",
            "#what-if-frozen-layers",
            "#what-if-rank",
        ):
            page.locator(field).fill(TYPED)
        page.locator("#calculator-form [aria-invalid]").first.wait_for()
        assert expected is bool(came_of_it(page, COUNTED))


def test_an_address_that_is_no_text_shows_the_whole_map(injected: Injected, address: str) -> None:
    """An address with a broken escape shows the whole map."""
    page = injected.open(f"{address}/map.html#base/%E0%", "")
    page.locator(".bc-choice select").wait_for()
    assert "base" == page.locator(".bc-shown").get_attribute("id")
