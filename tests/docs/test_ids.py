"""Addresses are an interface: a published address is recorded, and must always lead somewhere.

`tests/docs/published_ids.txt` has a line for every page and for every `page#id`. `published_files.txt` lists the other
files that readers may link to. After adding a page, a heading or a file, rewrite both with
`python -m tests.docs.test_ids`.

Only ids that an author has chosen, on the page or in a macro, are recorded, because an id generated from the words of a
heading would change with them. An id that is recorded only in the working tree or on another branch may be removed,
because nobody can have linked to it.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Container, Mapping
from pathlib import Path

import pytest

from macros.counting import load_models, load_relatives
from macros.page_syntax import PLACEHOLDER_PREFIX
from macros.publish import moved
from tests.docs.building import build, build_pages, small_copy
from tests.docs.conftest import Pages, parse_pages

IDS_RECORD = Path(__file__).with_name("published_ids.txt")
"""The record of pages and ids."""

FILES_RECORD = Path(__file__).with_name("published_files.txt")
"""The record of other files."""

UNLINKED_FOLDERS = ("assets", "modules", "search")
"""Folders with files that pages need, but that nobody links to."""

GENERATED_ID = re.compile(r"__|fn:|fnref\d*:")
"""The beginning of an id that Markdown generates for a heading without an id, a tab or a footnote."""


def ids_of(pages: Pages) -> set[str]:
    """The address of every page and, as `page#id`, of every element in its article whose id was not generated."""
    articles = {name: page.article for name, page in pages.items() if page.article and name != "404.html"}
    ids = {(name, str(tag["id"])) for name, article in articles.items() for tag in article.find_all(id=True)}
    return {f"{name}#{id_}" for name, id_ in ids if not GENERATED_ID.match(id_)} | set(articles)


def headings_without_id(pages: Pages) -> list[str]:
    """A message for every heading without an id of its own, with the line to write instead."""
    problems = []
    for name, page in pages.items():
        for heading in page.select(f'article :is(h1, h2, h3, h4, h5, h6)[id^="{PLACEHOLDER_PREFIX}"]'):
            text = "".join(string for string in heading.strings if not string.find_parent(class_="headerlink")).strip()
            line = f"{'#' * int(heading.name[1])} {text} {{ #{str(heading['id']).removeprefix(PLACEHOLDER_PREFIX)} }}"
            problems.append(f'{name.removesuffix("html")}md: the heading "{text}" has no id of its own; write {line}')
    return problems


def files_of(site: Path) -> set[str]:
    """The files that readers may link to, other than pages."""
    paths = {path.relative_to(site) for path in site.rglob("*") if path.is_file() and path.suffix != ".html"}
    return {path.as_posix() for path in paths if path.parts[0] not in UNLINKED_FOLDERS}


def recorded_addresses(record: Path | None = None) -> set[str]:
    """The addresses recorded so far, by default those of pages and ids."""
    return set((record or IDS_RECORD).read_text().split())


def published_addresses(record: Path) -> set[str]:
    """The addresses that readers may know: those recorded on the branch `main` or, without one, in the last commit.

    Without git, all recorded addresses are returned.
    """

    def addresses_at(revision: str) -> set[str] | None:
        """The addresses in the record at a revision, or None if git has no such record."""
        command = ["git", "show", f"{revision}:./{record.name}"]
        try:
            process = subprocess.run(command, cwd=record.parent, capture_output=True, text=True, check=False)
        except OSError:  # no git
            return None
        return set(process.stdout.split()) if process.returncode == 0 else None

    # Either of these branches may be behind the other.
    committed_records = [addresses for addresses in map(addresses_at, ("origin/main", "main")) if addresses is not None]
    if committed_records:
        return set().union(*committed_records)
    committed_addresses = addresses_at("HEAD")
    return recorded_addresses(record) if committed_addresses is None else committed_addresses


def current_address(old_address: str, moves: Mapping[str, str], ids: Container[str]) -> str:
    """The current address of a page or id, with its fragment; the old address itself if it has not moved.

    Args:
        old_address: a page, or an id as `page#id`.
        moves: the new address of every page and id that has moved, by its old address.
        ids: every id of the site, as `page#id`.
    """
    old_page, _, id_ = old_address.partition("#")
    if old_address in moves or old_page not in moves:
        return moves.get(old_address, old_address)
    prefixed_address = f"{moves[old_page]}-{id_}"
    has_prefix = "#" in prefixed_address and prefixed_address in ids
    return prefixed_address if has_prefix else f"{moves[old_page].partition('#')[0]}#{id_}"


def lost_addresses(old_addresses: set[str], present_addresses: set[str], redirects: dict[str, str]) -> set[str]:
    """The old addresses that lead nowhere, neither directly nor through moved.toml."""
    return {
        address
        for address in old_addresses - present_addresses
        if current_address(address, redirects, present_addresses) not in present_addresses
    }


def test_an_id_on_a_page_that_became_a_section_may_gain_a_prefix() -> None:
    """If `part-sum` is on the new page, `sum` leads there. All other ids keep their names."""
    moves, ids = {"a.html": "b.html#part"}, {"b.html#part-sum"}
    assert "b.html#part-sum" == current_address("a.html#sum", moves, ids)
    assert "b.html#table" == current_address("a.html#table", moves, ids)
    assert "c.html#table" == current_address("c.html#table", moves, ids)


def test_no_published_id_is_lost(pages: Pages) -> None:
    assert set() == lost_addresses(recorded_addresses(), ids_of(pages), moved.load_moves())


def test_no_published_file_is_lost(site: Path) -> None:
    assert set() == recorded_addresses(FILES_RECORD) - files_of(site)


def test_every_address_is_recorded(site: Path, pages: Pages) -> None:
    """Addresses of models need not be recorded, so that adding a model requires only its block of data."""
    assert set() == {address for address in ids_of(pages) - recorded_addresses() if not is_of_model(address)}
    assert set() == {
        address for address in files_of(site) - recorded_addresses(FILES_RECORD) if not is_of_model(address)
    }


def is_of_model(address: str) -> bool:
    """Return whether an address belongs to a model: its row or one of its files."""
    return any(component in load_models() or component in load_relatives() for component in re.split("[/#]", address))


def test_headings_have_ids_of_their_own(pages: Pages) -> None:
    assert [] == headings_without_id(pages)


MARKDOWN_WITH_HEADINGS = """
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
"""Headings of several kinds, of which only the first has an id, and a comment in code, which is not a heading."""


def test_a_heading_without_an_id_is_named(tmp_path: Path) -> None:
    root = small_copy(tmp_path / "repository", "notation.md")
    page = root / "docs" / "notation.md"
    page.write_text(f"{page.read_text()}\n{MARKDOWN_WITH_HEADINGS}")
    process = build_pages(tmp_path / "site", root)
    assert 0 == process.returncode, process.stderr
    pages = parse_pages(tmp_path / "site")
    complaint = "has no id of its own; write"
    assert [
        f'notation.md: the heading "A new heading" {complaint} ## A new heading {{ #a-new-heading }}',
        f'notation.md: the heading "Another one" {complaint} ## Another one {{ #another-one }}',
        f'notation.md: the heading "Within a note" {complaint} ### Within a note {{ #within-a-note }}',
    ] == headings_without_id(pages)
    assert {"notation.html#chosen"} == {
        address for address in ids_of(pages) - recorded_addresses() if address.startswith("notation")
    }


def site_with(folder: Path, *ids: str, file: str = "a.csv") -> Path:
    """The folder of a site with one page, whose headings have the given ids, and one other file."""
    site = folder / "site"
    site.mkdir(exist_ok=True)
    headings = "".join(f'<h2 id="{id_}">A<a class="headerlink" href="#{id_}">¶</a></h2>' for id_ in ids)
    (site / "page.html").write_text(f"<article>{headings}</article>")
    for path in site.glob("*.csv"):
        path.unlink()
    (site / file).touch()
    return site


def git(folder: Path, *arguments: str) -> None:
    """Run a git command in a folder, under an invented author's name."""
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, needs_git: None) -> Path:  # noqa: ARG001
    """A repository whose only commit, on main, records `page.html`, `page.html#published` and `a.csv`."""
    for name, path in (("IDS_RECORD", "ids.txt"), ("FILES_RECORD", "files.txt")):
        monkeypatch.setattr(sys.modules[__name__], name, tmp_path / path)
        (tmp_path / path).touch()
    monkeypatch.setattr(moved, "load_moves", dict)
    assert "" == write_records(site_with(tmp_path, "published"))
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", "ids.txt", "files.txt")
    git(tmp_path, "commit", "--quiet", "--message=a")
    return tmp_path


@pytest.mark.parametrize("branch", ["main", "draft"])
def test_an_unpublished_id_may_be_removed(repository: Path, branch: str) -> None:
    """An id is unpublished if it is uncommitted, or committed only to a branch other than main."""
    if branch != "main":
        git(repository, "checkout", "--quiet", "-b", branch)
    assert "" == write_records(site_with(repository, "published", "draft"))
    assert {"page.html", "page.html#published", "page.html#draft"} == recorded_addresses()
    if branch != "main":
        git(repository, "commit", "--quiet", "--all", "--message=b")
    assert "" == write_records(site_with(repository, "published", "better"))
    assert {"page.html", "page.html#published", "page.html#better"} == recorded_addresses()


@pytest.mark.parametrize(
    ("ids", "file", "missing_address"), [((), "a.csv", "page.html#published"), (("published",), "b.csv", "a.csv")]
)
def test_a_published_id_or_file_may_not_be_removed(
    repository: Path, ids: tuple[str, ...], file: str, missing_address: str
) -> None:
    texts_before = IDS_RECORD.read_text(), FILES_RECORD.read_text()
    assert (
        f"These published addresses no longer exist; see macros/publish/moved.toml: {missing_address}"
        == write_records(site_with(repository, *ids, "new", file=file))
    )
    assert texts_before == (IDS_RECORD.read_text(), FILES_RECORD.read_text())


def test_nothing_is_recorded_while_a_heading_has_no_id(repository: Path) -> None:
    text_before = IDS_RECORD.read_text()
    message = write_records(site_with(repository, "published", "new", f"{PLACEHOLDER_PREFIX}a"))
    assert message == 'page.md: the heading "A" has no id of its own; write ## A { #a }'
    assert text_before == IDS_RECORD.read_text()


def test_without_git_every_recorded_address_counts_as_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without git, nothing shows which addresses have been published."""
    (tmp_path / "ids.txt").write_text("a.html\n")
    monkeypatch.setenv("PATH", "")
    assert {"a.html"} == published_addresses(tmp_path / "ids.txt")


LINKED_KINDS = {
    "heading": "h2",
    "table": ".bc-table",
    "figure": "figure",
    "sum line by line": ".bc-worked > p:has(+ .bc-steps)",
    "deviation": ":is(#common-mistakes, #every-mistake) tbody tr",
    "letter": "#letters tbody tr",
    "checkpoint": "#checkpoints tbody tr",
    "total on the first page": ".bc-totals p",
}
"""The kinds of elements that courses link to, each with a selector."""


def elements_without_id(pages: Pages, selector: str) -> list[str]:
    """The elements that have no id and thus no address. A heading may rely on its section's id, as on the map."""
    return [
        f"{name}: {tag.get_text(' ', strip=True)[:60]}"
        for name, page in pages.items()
        if page.article and name != "404.html"
        for tag in page.article.select(selector)
        if not tag.get("id") and not (tag.parent and tag.name == "h2" and tag.parent.get("id"))
    ]


@pytest.mark.parametrize("kind", LINKED_KINDS)
def test_everything_that_a_course_links_to_has_an_address(pages: Pages, kind: str) -> None:
    assert any(page.select(f"article {LINKED_KINDS[kind]}[id]") for page in pages.values())
    assert [] == elements_without_id(pages, LINKED_KINDS[kind])


def test_a_lost_page_and_a_lost_file_are_noticed(site: Path, pages: Pages) -> None:
    """If a page is lost, so are all its ids. If it has moved to a page without these ids, only the ids are lost."""
    remaining_pages = {name: page for name, page in pages.items() if name != "parts/heads.html"}
    lost_without_page = lost_addresses(recorded_addresses(), ids_of(remaining_pages), moved.load_moves())
    assert {"parts/heads.html", "parts/heads.html#pooler"} < lost_without_page
    assert {"parts/heads.html"} == {address.partition("#")[0] for address in lost_without_page}
    lost_with_redirect = lost_addresses(
        recorded_addresses(), ids_of(remaining_pages), {**moved.load_moves(), "parts/heads.html": "index.html"}
    )
    assert "parts/heads.html#pooler" in lost_with_redirect
    assert "parts/heads.html" not in lost_with_redirect
    ledger = "data/bert-base-uncased/BertModel.csv"
    assert {ledger} == recorded_addresses(FILES_RECORD) - (files_of(site) - {ledger})


def write_records(site: Path) -> str:
    """Record the addresses of a built site; return a message if that is impossible, and an empty string otherwise."""
    pages = parse_pages(site)
    complaints = headings_without_id(pages)
    if complaints:
        return "\n".join(complaints)
    addresses, files = ids_of(pages), files_of(site)
    missing_addresses = lost_addresses(
        recorded_addresses() & published_addresses(IDS_RECORD), addresses, moved.load_moves()
    )
    missing_addresses |= recorded_addresses(FILES_RECORD) & published_addresses(FILES_RECORD) - files
    if missing_addresses:
        addresses_in_order = ", ".join(sorted(missing_addresses))
        return f"These published addresses no longer exist; see macros/publish/moved.toml: {addresses_in_order}"
    # The addresses of pages that have moved stay in the record, because they must still lead somewhere.
    moved_addresses = {address for address in recorded_addresses() if address.partition("#")[0] in moved.load_moves()}
    IDS_RECORD.write_text("\n".join(sorted(addresses | moved_addresses)) + "\n")
    FILES_RECORD.write_text("\n".join(sorted(files)) + "\n")
    return ""


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        process = build(site)
        if process.returncode:
            sys.exit(process.stderr)
        sys.exit(write_records(site) or 0)
