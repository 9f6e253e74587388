"""Addresses are an interface: an id once published is recorded, and never lost.

`tests/docs/published_ids.txt` holds one `page#id` a line. After adding a page
or a heading, write it anew with `python -m tests.docs.test_ids`.
"""

import sys
import tempfile
from pathlib import Path

from bs4 import BeautifulSoup

from tests.docs.building import build
from tests.docs.conftest import Pages, parsed

RECORD = Path(__file__).with_name("published_ids.txt")


def ids_of(pages: Pages) -> set[str]:
    """Every id within the text of a page, as `page#id`, and every page."""
    articles = {name: page.article for name, page in pages.items() if page.article and name != "404.html"}
    ids = {f"{name}#{tag['id']}" for name, article in articles.items() for tag in article.find_all(id=True)}
    return ids | set(articles)


def recorded() -> set[str]:
    """The ids recorded so far."""
    return set(RECORD.read_text().split())


def test_no_published_id_is_lost(pages: Pages) -> None:
    """What was once published still leads somewhere."""
    assert set() == recorded() - ids_of(pages)


def test_every_id_is_recorded(pages: Pages) -> None:
    """A new id is recorded with the page that brings it: `python -m tests.docs.test_ids`."""
    assert set() == ids_of(pages) - recorded()


def test_headings_have_ids_of_their_own(pages: Pages) -> None:
    """An id made from the heading's text would change with it; explicit ones do not."""
    for path in (Path(__file__).parents[2] / "docs").rglob("*.md"):
        for line in path.read_text().splitlines():
            if line.startswith("##"):
                assert line.rstrip().endswith("}"), f"{path.name}: {line}"
                assert " { #" in line, f"{path.name}: {line}"
    assert pages


def test_a_lost_id_is_noticed() -> None:
    """A page without the id no longer answers for it."""
    before = ids_of({"a.html": BeautifulSoup('<article><h2 id="b">b</h2></article>', "html.parser")})
    after = ids_of({"a.html": BeautifulSoup('<article><h2 id="c">b</h2></article>', "html.parser")})
    assert {"a.html", "a.html#b"} == before
    assert {"a.html#b"} == before - after


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        done = build(Path(folder) / "site")
        if done.returncode:
            sys.exit(done.stderr)
        found = ids_of(parsed(Path(folder) / "site"))
    if RECORD.exists() and (lost := recorded() - found):
        sys.exit(f"lost, and not to be lost: {', '.join(sorted(lost))}")
    RECORD.write_text("\n".join(sorted(found)) + "\n")
