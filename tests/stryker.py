"""Makes the tests in a browser use the site that Stryker built, and switches on the mutant that it names.

The command in stryker.json loads this as a plugin of pytest; .github/CONTRIBUTING.md says how to run it.
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
    """A context in which Stryker's code finds the name of the mutant to switch on."""
    context = new_context(browser, **settings)
    if MUTANT:
        context.add_init_script(f"globalThis.__stryker__ = {{ activeMutant: '{MUTANT}' }}")
    return context


def page_with_mutant(browser: Browser, **settings: Any) -> Page:
    """A page in a context with the mutant."""
    return with_mutant(browser, **settings).new_page()


vars(playwright.sync_api)["Browser"].new_context = with_mutant
vars(playwright.sync_api)["Browser"].new_page = page_with_mutant


def pytest_fixture_setup(fixturedef: Any, request: Any) -> Any:
    """Replace the fixture `site` by the site that was built once from scripts with all mutants."""
    if fixturedef.argname != "site":
        return None
    fixturedef.cached_result = (SITE, fixturedef.cache_key(request), None)
    return SITE
