"""Addresses are an interface: one that was published is recorded, and never lost.

`tests/docs/published_ids.txt` holds every page, and one `page#id` a line;
`published_files.txt` holds every other file that readers link to. After adding
a page, a heading or a file, write both anew with `python -m tests.docs.test_ids`.
"""

import re
import sys
import tempfile
from pathlib import Path

import pytest

from macros.counting import load_models, load_relatives
from macros.publish import moved
from tests.docs.building import build
from tests.docs.conftest import Pages, parsed

RECORD = Path(__file__).with_name("published_ids.txt")
FILES = Path(__file__).with_name("published_files.txt")

INNER = ("assets", "modules", "search")
"""Folders of what pages need and nobody links to."""


def ids_of(pages: Pages) -> set[str]:
    """Every id within the text of a page, as `page#id`, and every page."""
    articles = {name: page.article for name, page in pages.items() if page.article and name != "404.html"}
    ids = {f"{name}#{tag['id']}" for name, article in articles.items() for tag in article.find_all(id=True)}
    return ids | set(articles)


def files_of(site: Path) -> set[str]:
    """Every file that readers may link to and that is no page."""
    found = {path.relative_to(site) for path in site.rglob("*") if path.is_file() and path.suffix != ".html"}
    return {path.as_posix() for path in found if path.parts[0] not in INNER}


def recorded(record: Path = RECORD) -> set[str]:
    """The addresses recorded so far."""
    return set(record.read_text().split())


def lost(record: set[str], found: set[str], table: dict[str, str]) -> set[str]:
    """The recorded addresses that lead nowhere: neither found nor moved to one that is, see moved.toml."""
    return {each for each in record - found if moved.led_to(each, table, found) not in found}


def test_no_published_id_is_lost(pages: Pages) -> None:
    """What was once published still leads somewhere."""
    assert set() == lost(recorded(), ids_of(pages), moved.load())


def test_no_published_file_is_lost(site: Path) -> None:
    """Ledgers, print-outs, schemas: every file that was there once is there."""
    assert set() == recorded(FILES) - files_of(site)


def test_every_address_is_recorded(site: Path, pages: Pages) -> None:
    """A new one is recorded with the page that brings it: `python -m tests.docs.test_ids`.

    Those of a model follow from its block of data, which is all that adding one takes.
    """
    assert set() == {each for each in ids_of(pages) - recorded() if not names_model(each)}
    assert set() == {each for each in files_of(site) - recorded(FILES) if not names_model(each)}


def names_model(address: str) -> bool:
    """Whether an address is a model's: its row or one of its files."""
    return any(each in load_models() or each in load_relatives() for each in re.split("[/#]", address))


def test_headings_have_ids_of_their_own(pages: Pages) -> None:
    """An id made from the heading's text would change with it; explicit ones do not."""
    for path in (Path(__file__).parents[2] / "docs").rglob("*.md"):
        for line in path.read_text().splitlines():
            if line.startswith("##"):
                assert line.rstrip().endswith("}"), f"{path.name}: {line}"
                assert " { #" in line, f"{path.name}: {line}"
    assert pages


KINDS = {
    "heading": "h2",
    "table": ".bc-table",
    "figure": "figure",
    "sum line by line": ".bc-worked > p:has(+ .bc-steps)",
    "deviation": "#every-mistake tbody tr",
    "letter": "#letters tbody tr",
    "checkpoint": "#checkpoints tbody tr",
    "total of the first page": ".bc-totals p",
}
"""What a course links to, by selector."""


def nameless(pages: Pages, selector: str) -> list[str]:
    """What has no id and so no address, by page; a level of the map has that of the section around it."""
    return [
        f"{name}: {each.get_text(' ', strip=True)[:60]}"
        for name, page in pages.items()
        if page.article and name != "404.html"
        for each in page.article.select(selector)
        if not each.get("id") and not (each.parent and each.name == "h2" and each.parent.get("id"))
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_everything_that_a_course_links_to_has_an_address(pages: Pages, kind: str) -> None:
    """And so is among what is recorded."""
    assert any(page.select(f"article {KINDS[kind]}[id]") for page in pages.values())
    assert [] == nameless(pages, KINDS[kind])


def test_a_lost_page_and_a_lost_file_are_missed(site: Path, pages: Pages) -> None:
    """A page with all its ids, unless it has moved; and a ledger."""
    rest = {name: page for name, page in pages.items() if name != "parts/heads.html"}
    missed = lost(recorded(), ids_of(rest), moved.load())
    assert {"parts/heads.html", "parts/heads.html#pooler"} < missed
    assert {"parts/heads.html"} == {each.partition("#")[0] for each in missed}
    astray = lost(recorded(), ids_of(rest), {**moved.load(), "parts/heads.html": "index.html"})
    assert "parts/heads.html#pooler" in astray
    assert "parts/heads.html" not in astray
    ledger = "data/bert-base-uncased/BertModel.csv"
    assert {ledger} == recorded(FILES) - (files_of(site) - {ledger})


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "site"
        done = build(built)
        if done.returncode:
            sys.exit(done.stderr)
        addresses, files = ids_of(parsed(built)), files_of(built)
    missing = lost(recorded(), addresses, moved.load()) | (recorded(FILES) - files)
    if missing:
        sys.exit(f"lost, and not to be lost; see macros/publish/moved.toml: {', '.join(sorted(missing))}")
    # What has moved as a whole stays in the record, so that it goes on leading somewhere.
    kept = {each for each in recorded() if each.partition("#")[0] in moved.load()}
    RECORD.write_text("\n".join(sorted(addresses | kept)) + "\n")
    FILES.write_text("\n".join(sorted(files)) + "\n")
