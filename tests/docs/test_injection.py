"""The content security policy stops every attack that is inserted into a page. Without it, every attack succeeds."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.injecting import ATTACK_BY_SCRIPTS, ATTACKS, DIRECTIVES, ELSEWHERE, POLICY, AttackedPage, reporting_code
from tests.docs.scripts import function_in

BUSY_PAGES = ("map.html#base/encoder", "index.html?q=pooler", "404.html", "try/calculator.html?H=1024&A=16")
"""Pages whose scripts do a lot. On the second, the search is open. `test_rules.py` checks all policies."""

MAX_SECONDS = 10
"""The longest wait for an attack or for the report of one, in seconds. It matters only on a very busy machine."""

WAIT_FOR_ATTACKS = function_in("scripts.js", "waitForQueuedTasks")
"""Waits until an image that is added last has failed to load. By then, earlier attacks have succeeded or never will."""


@pytest.fixture(scope="module")
def attacked_page(browser: Browser, site: Path) -> Iterator[AttackedPage]:
    """A browser page in which pages of the site can be opened with attacks in them."""
    context = browser.new_context()
    yield AttackedPage(context, site)
    context.close()


def wait_for(observe: Callable[[], set[str]], expected: set[str]) -> set[str]:
    """The result of `observe` once it contains everything expected, or after `MAX_SECONDS`."""
    end = time.monotonic() + MAX_SECONDS
    while not expected <= observe() and time.monotonic() < end:
        time.sleep(0.02)
    return observe()


def test_every_attack_succeeds_without_the_policy(attacked_page: AttackedPage, address: str) -> None:
    """If one of the directives here is removed, the attack that it stops succeeds.

    The other directives grant permissions, so removing one of them would only restrict the page further.
    """
    for removed_text, expected_successes in {
        POLICY: ATTACKS,
        "default-src 'none'; ": {f"{ELSEWHERE}/frame"},
        "base-uri 'none'; ": {"base"},
        "; form-action 'self'": {f"{ELSEWHERE}/form"},
    }.items():
        page = attacked_page.open(f"{address}/teach/linking.html", removed_text=removed_text)
        page.evaluate(ATTACK_BY_SCRIPTS)
        assert set() == expected_successes - wait_for(attacked_page.successes, expected_successes)
        if removed_text == POLICY:
            assert set() == attacked_page.violated_directives()


@pytest.mark.parametrize("name", BUSY_PAGES)
def test_the_policy_stops_every_attack(attacked_page: AttackedPage, address: str, name: str) -> None:
    page = attacked_page.open(f"{address}/{name}")
    page.evaluate(ATTACK_BY_SCRIPTS)
    assert DIRECTIVES == wait_for(attacked_page.violated_directives, DIRECTIVES)
    page.evaluate(WAIT_FOR_ATTACKS)
    assert set() == attacked_page.successes()


# --- Texts from readers --------------------------------------------------------

MARKUP = f"""7"'><img class="planted" src="data:," onerror="{reporting_code("what was typed")}">"""
"""A text that becomes an image if it is inserted as HTML, even within an attribute. Its error handler then runs."""

# Selectors that match once a page has used a text.
ANSWER = "#answer:not([aria-busy]) .bc-answer"
CALCULATOR = "html[data-counting]"
DRAWN_MAP = ".bc-levels[data-interactive]"
THEME = ".md-sidebar[style]"  # styled by the theme's script

ADDRESSES_WITH_TEXT = {
    "disagreements/i-got.html?n={}": ANSWER,
    "disagreements/i-got.html?n=590592&model={}": ANSWER,
    "index.html?q={}": ".md-search-result__meta:text('matching')",
    "index.html?h={}": THEME,
    "map.html#{}": DRAWN_MAP,
    "map.html#base/{}": DRAWN_MAP,
    "parts/attention.html#{}": THEME,
    "404.html?{}": THEME,
    "try/exercises.html?set={0}&seed={0}": "#exercise h2",
    "try/calculator.html?model={0}&from={0}&{0}={0}&beside={0}&beside=bert-base-uncased;H={0}&pooler={0}": CALCULATOR,
    "try/calculator.html?H={0}&labels={0}&vocabulary={0}&class={0}&more={0}&frozen={0}&lora={0}:{0}": CALCULATOR,
}
"""Addresses with a place for a text, each with a selector that matches once the page has used the text."""

EFFECTS = "[...effects, ...document.querySelectorAll('.planted, a[href^=javascript]')].map(String)"
"""Evaluates to the reports from planted code, and the elements that were planted."""

CARELESS_SCRIPT = """<script>addEventListener("load", () => {
  const insert = (text) => document.querySelector("article").insertAdjacentHTML("beforeend", text)
  insert(decodeURIComponent(location.search.replaceAll("+", " ") + location.hash))
  addEventListener("input", ({ target }) => insert(target.value))
})</script>"""
"""A script that inserts a text as HTML, which no page may do. With it, there must be effects."""


def effects_of_text(page: Page, used_selector: str) -> list[str]:
    """The effects of a text on a page, once the page has used the text and therefore matches the selector."""
    page.locator(used_selector).first.wait_for(state="attached")
    page.evaluate(WAIT_FOR_ATTACKS)
    effects: list[str] = page.evaluate(EFFECTS)
    return effects


@pytest.mark.parametrize("template", ADDRESSES_WITH_TEXT)
def test_a_text_in_an_address_is_never_inserted_as_html(
    attacked_page: AttackedPage, address: str, template: str
) -> None:
    url = f"{address}/{template.format(quote(MARKUP))}"
    assert [] == effects_of_text(attacked_page.open(url, "", removed_text=POLICY), ADDRESSES_WITH_TEXT[template])


@pytest.mark.parametrize(
    ("name", "field", "ready_selector", "used_selector"),
    [
        ("disagreements/i-got.html", "#question [name=n]", "#question button", ANSWER),
        ("index.html", ".md-search__input", THEME, ".md-search-result__meta:text('matching')"),
    ],
)
def test_a_typed_text_is_never_inserted_as_html(
    attacked_page: AttackedPage, address: str, name: str, field: str, ready_selector: str, used_selector: str
) -> None:
    for html, expected in (("", False), (CARELESS_SCRIPT, True)):
        page = attacked_page.open(f"{address}/{name}", html, removed_text=POLICY)
        page.locator(ready_selector).first.wait_for(state="attached")
        page.locator(field).fill(MARKUP)
        page.locator(field).press("Enter")
        assert expected is bool(effects_of_text(page, used_selector))
        assert MARKUP == page.locator(field).input_value()


PLAIN_CONFIG = {"model_type": "bert", "vocab_size": 30522, "hidden_size": 768}
CONFIGS = (
    MARKUP,
    json.dumps({**PLAIN_CONFIG, MARKUP: MARKUP, "architectures": [MARKUP], "hidden_act": MARKUP}),
    json.dumps({**PLAIN_CONFIG, "hidden_size": MARKUP, "vocab_size": [MARKUP], "type_vocab_size": {MARKUP: MARKUP}}),
    json.dumps({**PLAIN_CONFIG, "model_type": MARKUP}),
)
"""The text itself, and configs with the text in keys and values, some of which set sizes."""


def test_input_of_the_calculator_is_never_inserted_as_html(attacked_page: AttackedPage, address: str) -> None:
    for html, expected in (("", False), (CARELESS_SCRIPT, True)):
        page = attacked_page.open(f"{address}/try/calculator.html", html, removed_text=POLICY)
        page.locator(CALCULATOR).wait_for(state="attached")
        page.locator(".bc-paste summary").click()
        for text in CONFIGS:
            page.locator("#calculator-config").fill(text)
            page.locator("#calculator-file").set_input_files({"name": MARKUP, "mimeType": "", "buffer": text.encode()})
        page.locator(".bc-read", has_text="planted").wait_for()
        for field in (
            "#calculator-h",
            "#calculator-v",
            "#what-if-vocabulary",
            "#what-if-frozen-layers",
            "#what-if-rank",
        ):
            page.locator(field).fill(MARKUP)
        page.locator("#calculator-form [aria-invalid]").first.wait_for()
        assert expected is bool(effects_of_text(page, CALCULATOR))


def test_a_broken_address_shows_the_whole_map(attacked_page: AttackedPage, address: str) -> None:
    """The address ends with an incomplete escape, so a script that decodes it raises an error."""
    page = attacked_page.open(f"{address}/map.html#base/%E0%", "")
    page.locator(".bc-choice select").wait_for()
    assert "base" == page.locator(".bc-shown").get_attribute("id")
