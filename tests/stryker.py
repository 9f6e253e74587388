"""Makes tests in a browser use the site with Stryker's mutants, and activates the mutant under test.

The command in stryker.json loads this module as a pytest plugin; .github/CONTRIBUTING.md explains how to run it.
"""

import os
from typing import Any

import playwright.sync_api
from playwright.sync_api import Browser, BrowserContext, Page

from tests.docs.building import ROOT

SITE = ROOT / ".cache" / "stryker-site"
"""The folder of the site that was built from scripts that contain all mutants."""

MUTANT = os.environ.get("__STRYKER_ACTIVE_MUTANT__")
"""The id of the mutant to activate; None in the first run."""

original_new_context = Browser.new_context


def context_with_mutant(browser: Browser, **settings: Any) -> BrowserContext:
    """A new browser context, in which Stryker's code finds the id of the mutant to activate, if any."""
    context = original_new_context(browser, **settings)
    if MUTANT:
        context.add_init_script(f"globalThis.__stryker__ = {{ activeMutant: '{MUTANT}' }}")
    return context


def page_with_mutant(browser: Browser, **settings: Any) -> Page:
    """A new page in a context returned by `context_with_mutant`."""
    return context_with_mutant(browser, **settings).new_page()


vars(playwright.sync_api)["Browser"].new_context = context_with_mutant
vars(playwright.sync_api)["Browser"].new_page = page_with_mutant


def pytest_fixture_setup(fixturedef: Any, request: Any) -> Any:
    """Give the fixture `site` the folder with the mutants, instead of building a site."""
    if fixturedef.argname != "site":
        return None
    fixturedef.cached_result = (SITE, fixturedef.cache_key(request), None)
    return SITE
