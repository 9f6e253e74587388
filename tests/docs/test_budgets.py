"""The bytes of pages, styles and scripts stay within budgets.toml."""

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.docs.conftest import Pages

MODULES = "script[type=module][src], link[rel=modulepreload]"

BUDGETS = tomllib.loads(Path(__file__).with_name("budgets.toml").read_text(encoding="utf-8"))


def over(sizes: dict[str, int], budget: dict[str, int]) -> list[str]:
    """What is larger than its budget; the first pattern that a name matches counts, and there must be one."""
    found = []
    for name, size in sizes.items():
        most = next(most for pattern, most in budget.items() if fnmatch(name, pattern))
        if size > most:
            found.append(f"{name}: {size:,} bytes, {size - most:,} over its budget")
    return found


def size(path: Path) -> int:
    """The bytes of a file."""
    return path.stat().st_size


def visit(site: Path, name: str, page: BeautifulSoup) -> dict[str, int]:
    """What a first visit to a page fetches, by address."""
    named = [str(each["href"]) for each in page.select("link[rel=stylesheet], link[rel=icon]")]
    named += [str(each.get("src") or each["href"]) for each in page.select(MODULES)]
    named += [str(each["src"]) for each in page.select("script[defer][src]")]
    folder = (site / name).parent
    files = [site / name, *((folder / each).resolve() for each in named)]
    return {path.relative_to(site.resolve()).as_posix(): size(path) for path in map(Path.resolve, files)}


def test_pages_are_small(site: Path, pages: Pages) -> None:
    """The HTML of every page."""
    assert [] == over({name: size(site / name) for name in pages}, BUDGETS["pages"])


def test_styles_and_scripts_are_small(site: Path, pages: Pages) -> None:
    """The one style sheet, the index of the search, and the modules of each page, comments and all."""
    assert [] == over({name: size(site / name) for name in BUDGETS["files"]}, BUDGETS["files"])
    modules = {
        name: sum(size((site / name).parent / str(each.get("src") or each["href"])) for each in page.select(MODULES))
        for name, page in pages.items()
        if name != "404.html"  # its addresses begin at the top
    }
    assert [] == over(modules, BUDGETS["modules"])


def test_first_visits_are_small(site: Path, pages: Pages) -> None:
    """All that a page needs, before anything is searched."""
    sizes = {name: sum(visit(site, name, page).values()) for name, page in pages.items() if name != "404.html"}
    assert [] == over(sizes, BUDGETS["first_visit"])


@pytest.mark.parametrize("sizes", [{"a/b.html": 101}, {"c.html": 51}])
def test_what_is_over_its_budget_is_named(sizes: dict[str, int]) -> None:
    """One byte too many is noticed, by the first pattern that fits."""
    (found,) = over(sizes, {"a/*": 100, "*": 50})
    assert re.fullmatch(r"[\w./]+: \d+ bytes, 1 over its budget", found)
    assert [] == over(dict.fromkeys(sizes, 50), {"a/*": 100, "*": 50})
