"""Lets the tests in a browser look at the site that Stryker broke, with the one mutant switched on that it asks for.

Loaded by the command in stryker.json; .github/CONTRIBUTING.md says how to run it.
"""

import os
from typing import Any

import playwright.sync_api
from playwright.sync_api import Browser, BrowserContext, Page

from tests.docs.building import ROOT

SITE = ROOT / ".cache" / "stryker-site"
MUTANT = os.environ.get("__STRYKER_ACTIVE_MUTANT__")

new_context = Browser.new_context


def with_mutant(browser: Browser, **settings: Any) -> BrowserContext:
    """A context in which scripts find the mutant where Stryker's code looks for it."""
    context = new_context(browser, **settings)
    if MUTANT:
        context.add_init_script(f"globalThis.__stryker__ = {{ activeMutant: '{MUTANT}' }}")
    return context


def page_with_mutant(browser: Browser, **settings: Any) -> Page:
    """A page in such a context."""
    return with_mutant(browser, **settings).new_page()


vars(playwright.sync_api)["Browser"].new_context = with_mutant
vars(playwright.sync_api)["Browser"].new_page = page_with_mutant


def pytest_fixture_setup(fixturedef: Any, request: Any) -> Any:
    """The site, built once from scripts that hold all mutants."""
    if fixturedef.argname != "site":
        return None
    fixturedef.cached_result = (SITE, fixturedef.cache_key(request), None)
    return SITE
