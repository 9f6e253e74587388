"""The policy stops every script, style, frame, base and form that is put into a page; without it, they all work."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.injecting import ATTACKS, BY_SCRIPTS, DIRECTIVES, ELSEWHERE, POLICY, Injected, planted
from tests.docs.scripts import measure

KINDS = ("map.html#base/encoder", "index.html?q=pooler", "404.html", "try/calculator.html?H=1024&A=16")
"""Pages whose scripts do most; on the second, the search is open. `test_rules.py` checks the policy of every page."""

SECONDS = 10
"""How long to wait for an attack to work."""

WAIT_FOR_ATTACKS = measure("scripts.js", "settled")
"""Waits until an image added last has failed to load: whatever was added before has worked by then, or never will."""


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


def test_every_attack_works_without_the_policy(injected: Injected, address: str) -> None:
    """Without the policy all attacks work, and without one of these directives the one that it stops.

    The other directives only allow something: without one of them, the page itself could do less.
    """
    for lost, works in {
        POLICY: ATTACKS,
        "default-src 'none'; ": {f"{ELSEWHERE}/frame"},
        "base-uri 'none'; ": {"base"},
        "; form-action 'self'": {f"{ELSEWHERE}/form"},
    }.items():
        page = injected.open(f"{address}/teach/linking.html", lost=lost)
        page.evaluate(BY_SCRIPTS)
        assert set() == works - until(injected.successes, works)
        assert lost != POLICY or set() == injected.violated_directives()


@pytest.mark.parametrize("kind", KINDS)
def test_the_policy_stops_every_attack(injected: Injected, address: str, kind: str) -> None:
    """Every directive stops something, and no attack works."""
    page = injected.open(f"{address}/{kind}")
    page.evaluate(BY_SCRIPTS)
    assert DIRECTIVES == until(injected.violated_directives, DIRECTIVES)
    page.evaluate(WAIT_FOR_ATTACKS)
    assert set() == injected.successes()


# --- What readers type ---------------------------------------------------------

ATTACK = f"""7"'><img class="planted" src="data:," onerror="{planted("what was typed")}">"""

ANSWER = "#answer:not([aria-busy]) .bc-answer"
CALCULATED = "html[data-counting]"
DRAWN_MAP = ".bc-levels[data-walked]"
STARTED_THEME = ".md-sidebar[style]"  # the theme's script has placed it

ENTRIES = {
    "disagreements/i-got.html?n={}": ANSWER,
    "disagreements/i-got.html?n=590592&model={}": ANSWER,
    "index.html?q={}": ".md-search-result__meta:text('matching')",
    "index.html?h={}": STARTED_THEME,
    "map.html#{}": DRAWN_MAP,
    "map.html#base/{}": DRAWN_MAP,
    "parts/attention.html#{}": STARTED_THEME,
    "404.html?{}": STARTED_THEME,
    "try/exercises.html?set={0}&seed={0}": "#exercise h2",
    "try/calculator.html?model={0}&from={0}&{0}={0}&beside={0}&beside=bert-base-uncased;H={0}&pooler={0}": CALCULATED,
    "try/calculator.html?H={0}&labels={0}&vocabulary={0}&class={0}&more={0}&frozen={0}&lora={0}:{0}": CALCULATED,
}
"""Addresses that take a text, and what appears once the page has used it."""

EFFECTS = "[...effects, ...document.querySelectorAll('.planted, a[href^=javascript]')].map(String)"

CARELESS = """<script>addEventListener("load", () => {
  const put = (text) => document.querySelector("article").insertAdjacentHTML("beforeend", text)
  put(decodeURIComponent(location.search.replaceAll("+", " ") + location.hash))
  addEventListener("input", ({ target }) => put(target.value))
})</script>"""
"""Puts a text into the page as HTML, which a page must not do: this shows that the tests would notice."""


def effects_of_text(page: Page, sign: str) -> list[str]:
    """The effects of a text, on a page that has used it."""
    page.locator(sign).first.wait_for(state="attached")
    page.evaluate(WAIT_FOR_ATTACKS)
    effects: list[str] = page.evaluate(EFFECTS)
    return effects


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_address_is_never_put_in_as_html(injected: Injected, address: str, entry: str) -> None:
    """A text in the address is never HTML, not even without the policy."""
    url = f"{address}/{entry.format(quote(ATTACK))}"
    assert [] == effects_of_text(injected.open(url, "", lost=POLICY), ENTRIES[entry])


@pytest.mark.parametrize(
    ("name", "field", "start_sign", "sign"),
    [
        ("disagreements/i-got.html", "#question [name=n]", "#question button", ANSWER),
        ("index.html", ".md-search__input", STARTED_THEME, ".md-search-result__meta:text('matching')"),
    ],
)
def test_typed_text_is_never_put_in_as_html(
    injected: Injected, address: str, name: str, field: str, start_sign: str, sign: str
) -> None:
    """A text in a field is never HTML; a sentence may quote it as text."""
    for html, expected in (("", False), (CARELESS, True)):
        page = injected.open(f"{address}/{name}", html, lost=POLICY)
        page.locator(start_sign).first.wait_for(state="attached")
        page.locator(field).fill(ATTACK)
        page.locator(field).press("Enter")
        assert expected is bool(effects_of_text(page, sign))
        assert ATTACK == page.locator(field).input_value()


USUAL = {"model_type": "bert", "vocab_size": 30522, "hidden_size": 768}
CONFIGS = (
    ATTACK,
    json.dumps({**USUAL, ATTACK: ATTACK, "architectures": [ATTACK], "hidden_act": ATTACK}),
    json.dumps({**USUAL, "hidden_size": ATTACK, "vocab_size": [ATTACK], "type_vocab_size": {ATTACK: ATTACK}}),
    json.dumps({**USUAL, "model_type": ATTACK}),
)
"""Configurations with planted texts, in keys and values that set sizes and in others."""


def test_input_of_the_calculator_is_never_put_in_as_html(injected: Injected, address: str) -> None:
    """Sizes, configurations and file names are never HTML."""
    for html, expected in (("", False), (CARELESS, True)):
        page = injected.open(f"{address}/try/calculator.html", html, lost=POLICY)
        page.locator(CALCULATED).wait_for(state="attached")
        page.locator(".bc-paste summary").click()
        for text in CONFIGS:
            page.locator("#calculator-config").fill(text)
            page.locator("#calculator-file").set_input_files({"name": ATTACK, "mimeType": "", "buffer": text.encode()})
        page.locator(".bc-read", has_text="planted").wait_for()
        for field in (
            "#calculator-h",
            "#calculator-v",
            "#what-if-vocabulary",
            "#what-if-frozen-layers",
            "#what-if-rank",
        ):
            page.locator(field).fill(ATTACK)
        page.locator("#calculator-form [aria-invalid]").first.wait_for()
        assert expected is bool(effects_of_text(page, CALCULATED))


def test_a_broken_address_shows_the_whole_map(injected: Injected, address: str) -> None:
    """An address with a broken escape shows the whole map."""
    page = injected.open(f"{address}/map.html#base/%E0%", "")
    page.locator(".bc-choice select").wait_for()
    assert "base" == page.locator(".bc-shown").get_attribute("id")
