"""Addresses are an interface: once published, one is recorded and never lost.

`tests/docs/published_ids.txt` lists every page, and one `page#id` per line; `published_files.txt`
lists every other file that readers link to. After adding a page, a heading or a file, rewrite both
with `python -m tests.docs.test_ids`.

Only ids that somebody chose, on the page or in a macro, are recorded: one made from a heading's
words would change with them. An id recorded only in the working tree or on a branch may go again,
because nobody can have linked to it.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from macros.counting import load_models, load_relatives
from macros.page_syntax import PLACEHOLDER
from macros.publish import moved
from tests.docs.building import build, build_pages, small_copy
from tests.docs.conftest import Pages, parse_pages

RECORD = Path(__file__).with_name("published_ids.txt")
FILES = Path(__file__).with_name("published_files.txt")

INNER = ("assets", "modules", "search")
"""Folders of files that pages need, but that nobody links to."""


OF_MARKDOWN = re.compile(r"__|fn:|fnref\d*:")
"""How ids begin that Markdown makes: of headings without one, of tabs, and of footnotes."""


def ids_of(pages: Pages) -> set[str]:
    """Every page, and as `page#id` every id that somebody chose within its text."""
    articles = {name: page.article for name, page in pages.items() if page.article and name != "404.html"}
    ids = {(name, str(tag["id"])) for name, article in articles.items() for tag in article.find_all(id=True)}
    return {f"{name}#{id_}" for name, id_ in ids if not OF_MARKDOWN.match(id_)} | set(articles)


def unnamed(pages: Pages) -> list[str]:
    """The headings without an id of their own, each with the line to write instead."""
    problems = []
    for name, page in pages.items():
        for heading in page.select(f'article :is(h1, h2, h3, h4, h5, h6)[id^="{PLACEHOLDER}"]'):
            text = "".join(string for string in heading.strings if not string.find_parent(class_="headerlink")).strip()
            line = f"{'#' * int(heading.name[1])} {text} {{ #{str(heading['id']).removeprefix(PLACEHOLDER)} }}"
            problems.append(f'{name.removesuffix("html")}md: the heading "{text}" has no id of its own; write {line}')
    return problems


def files_of(site: Path) -> set[str]:
    """Every file but pages that readers may link to."""
    paths = {path.relative_to(site) for path in site.rglob("*") if path.is_file() and path.suffix != ".html"}
    return {path.as_posix() for path in paths if path.parts[0] not in INNER}


def recorded_addresses(record: Path | None = None) -> set[str]:
    """The addresses recorded so far, by default those of pages."""
    return set((record or RECORD).read_text().split())


def published(record: Path) -> set[str]:
    """The addresses that readers may know: those recorded on the branch `main`, or without it in the last commit.

    Without git, all recorded ones count.
    """

    def committed(revision: str) -> set[str] | None:
        command = ["git", "show", f"{revision}:./{record.name}"]
        try:
            process = subprocess.run(command, cwd=record.parent, capture_output=True, text=True, check=False)
        except OSError:  # no git
            return None
        return set(process.stdout.split()) if process.returncode == 0 else None

    # Either of these branches may be behind the other.
    committed_records = [addresses for addresses in map(committed, ("origin/main", "main")) if addresses is not None]
    if committed_records:
        return set().union(*committed_records)
    last = committed("HEAD")
    return recorded_addresses(record) if last is None else last


def lost(record: set[str], present: set[str], table: dict[str, str]) -> set[str]:
    """The recorded addresses that lead nowhere, neither directly nor by moved.toml."""
    return {address for address in record - present if moved.new_address(address, table, present) not in present}


def test_no_published_id_is_lost(pages: Pages) -> None:
    """Every address ever published still leads somewhere."""
    assert set() == lost(recorded_addresses(), ids_of(pages), moved.load())


def test_no_published_file_is_lost(site: Path) -> None:
    """Every ledger, print-out or schema ever published still exists."""
    assert set() == recorded_addresses(FILES) - files_of(site)


def test_every_address_is_recorded(site: Path, pages: Pages) -> None:
    """A new address is recorded with its page, by `python -m tests.docs.test_ids`.

    Those of a model follow from its block of data, so adding a model takes nothing more.
    """
    assert set() == {address for address in ids_of(pages) - recorded_addresses() if not names_model(address)}
    assert set() == {address for address in files_of(site) - recorded_addresses(FILES) if not names_model(address)}


def names_model(address: str) -> bool:
    """Return whether an address belongs to a model: its row or one of its files."""
    return any(component in load_models() or component in load_relatives() for component in re.split("[/#]", address))


def test_headings_have_ids_of_their_own(pages: Pages) -> None:
    """Every heading has an explicit id, since one made from its text would change with it."""
    assert [] == unnamed(pages)


HEADINGS = """
## Explicit { #chosen }

## A *new* heading

Another one
-----------

!!! note

    ### Within a note

```sh
## not a heading
```
"""


def test_a_heading_without_an_id_is_named(tmp_path: Path) -> None:
    """Any kind of heading without an id is named, with the line to write; its id is not recorded.

    Code has no headings.
    """
    root = small_copy(tmp_path / "repository", "notation.md")
    page = root / "docs" / "notation.md"
    page.write_text(f"{page.read_text()}\n{HEADINGS}")
    process = build_pages(tmp_path / "site", root)
    assert 0 == process.returncode, process.stderr
    pages = parse_pages(tmp_path / "site")
    has = "has no id of its own; write"
    assert [
        f'notation.md: the heading "A new heading" {has} ## A new heading {{ #a-new-heading }}',
        f'notation.md: the heading "Another one" {has} ## Another one {{ #another-one }}',
        f'notation.md: the heading "Within a note" {has} ### Within a note {{ #within-a-note }}',
    ] == unnamed(pages)
    assert {"notation.html#chosen"} == {
        address for address in ids_of(pages) - recorded_addresses() if address.startswith("notation")
    }


def site_with(folder: Path, *ids: str, file: str = "a.csv") -> Path:
    """A built site of one page, whose headings have these ids, and one file."""
    site = folder / "site"
    site.mkdir(exist_ok=True)
    headings = "".join(f'<h2 id="{id_}">A<a class="headerlink" href="#{id_}">¶</a></h2>' for id_ in ids)
    (site / "page.html").write_text(f"<article>{headings}</article>")
    for path in site.glob("*.csv"):
        path.unlink()
    (site / file).touch()
    return site


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder under an invented name."""
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, needs_git: None) -> Path:  # noqa: ARG001
    """A repository whose only commit, on main, has recorded `page.html`, `page.html#published` and `a.csv`."""
    for name, path in (("RECORD", "ids.txt"), ("FILES", "files.txt")):
        monkeypatch.setattr(sys.modules[__name__], name, tmp_path / path)
        (tmp_path / path).touch()
    monkeypatch.setattr(moved, "load", dict)
    assert "" == write_records(site_with(tmp_path, "published"))
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", "ids.txt", "files.txt")
    git(tmp_path, "commit", "--quiet", "--message=a")
    return tmp_path


@pytest.mark.parametrize("branch", ["main", "draft"])
def test_an_unpublished_id_may_be_removed(lists: Path, branch: str) -> None:
    """It may be uncommitted, or committed on an unpublished branch only."""
    if branch != "main":
        git(lists, "checkout", "--quiet", "-b", branch)
    assert "" == write_records(site_with(lists, "published", "draft"))
    assert {"page.html", "page.html#published", "page.html#draft"} == recorded_addresses()
    if branch != "main":
        git(lists, "commit", "--quiet", "--all", "--message=b")
    assert "" == write_records(site_with(lists, "published", "better"))
    assert {"page.html", "page.html#published", "page.html#better"} == recorded_addresses()


@pytest.mark.parametrize(
    ("ids", "file", "lost"), [((), "a.csv", "page.html#published"), (("published",), "b.csv", "a.csv")]
)
def test_a_published_id_may_not_be_removed(lists: Path, ids: tuple[str, ...], file: str, lost: str) -> None:
    """A published id or file that is gone is named, and neither list changes."""
    texts_before = RECORD.read_text(), FILES.read_text()
    assert f"lost, and not to be lost; see macros/publish/moved.toml: {lost}" == write_records(
        site_with(lists, *ids, "new", file=file)
    )
    assert texts_before == (RECORD.read_text(), FILES.read_text())


def test_nothing_is_recorded_while_a_heading_has_no_id(lists: Path) -> None:
    """A heading without an id stops the recording, which would use its words, and the line to write is given."""
    text_before = RECORD.read_text()
    message = write_records(site_with(lists, "published", "new", f"{PLACEHOLDER}a"))
    assert message == 'page.md: the heading "A" has no id of its own; write ## A { #a }'
    assert text_before == RECORD.read_text()


def test_without_git_whatever_is_recorded_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without git everything recorded counts as published."""
    (tmp_path / "ids.txt").write_text("a.html\n")
    monkeypatch.setenv("PATH", "")
    assert {"a.html"} == published(tmp_path / "ids.txt")


KINDS = {
    "heading": "h2",
    "table": ".bc-table",
    "figure": "figure",
    "sum line by line": ".bc-worked > p:has(+ .bc-steps)",
    "deviation": ":is(#common-mistakes, #every-mistake) tbody tr",
    "letter": "#letters tbody tr",
    "checkpoint": "#checkpoints tbody tr",
    "total of the first page": ".bc-totals p",
}
"""Things that a course links to, by selector."""


def nameless(pages: Pages, selector: str) -> list[str]:
    """Things without an id and so without an address, by page. A level of the map has that of its section."""
    return [
        f"{name}: {tag.get_text(' ', strip=True)[:60]}"
        for name, page in pages.items()
        if page.article and name != "404.html"
        for tag in page.article.select(selector)
        if not tag.get("id") and not (tag.parent and tag.name == "h2" and tag.parent.get("id"))
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_everything_that_a_course_links_to_has_an_address(pages: Pages, kind: str) -> None:
    """Everything that a course links to has an id, and so is recorded."""
    assert any(page.select(f"article {KINDS[kind]}[id]") for page in pages.values())
    assert [] == nameless(pages, KINDS[kind])


def test_a_lost_page_and_a_lost_file_are_missed(site: Path, pages: Pages) -> None:
    """A lost page, with all its ids unless it has moved, and a lost ledger are noticed."""
    rest = {name: page for name, page in pages.items() if name != "parts/heads.html"}
    lost_addresses = lost(recorded_addresses(), ids_of(rest), moved.load())
    assert {"parts/heads.html", "parts/heads.html#pooler"} < lost_addresses
    assert {"parts/heads.html"} == {address.partition("#")[0] for address in lost_addresses}
    astray = lost(recorded_addresses(), ids_of(rest), {**moved.load(), "parts/heads.html": "index.html"})
    assert "parts/heads.html#pooler" in astray
    assert "parts/heads.html" not in astray
    ledger = "data/bert-base-uncased/BertModel.csv"
    assert {ledger} == recorded_addresses(FILES) - (files_of(site) - {ledger})


def write_records(site: Path) -> str:
    """Record the addresses of a built site. Returns what prevents that, or an empty string."""
    pages = parse_pages(site)
    if headings := unnamed(pages):
        return "\n".join(headings)
    addresses, files = ids_of(pages), files_of(site)
    missing_addresses = lost(recorded_addresses() & published(RECORD), addresses, moved.load())
    missing_addresses |= recorded_addresses(FILES) & published(FILES) - files
    if missing_addresses:
        return f"lost, and not to be lost; see macros/publish/moved.toml: {', '.join(sorted(missing_addresses))}"
    # Pages that have moved stay in the record, so that their addresses keep leading somewhere.
    moved_addresses = {address for address in recorded_addresses() if address.partition("#")[0] in moved.load()}
    RECORD.write_text("\n".join(sorted(addresses | moved_addresses)) + "\n")
    FILES.write_text("\n".join(sorted(files)) + "\n")
    return ""


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        process = build(site)
        if process.returncode:
            sys.exit(process.stderr)
        sys.exit(write_records(site) or 0)
