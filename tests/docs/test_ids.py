"""Addresses are an interface: one that was published is recorded, and never lost.

`tests/docs/published_ids.txt` holds every page, and one `page#id` a line;
`published_files.txt` holds every other file that readers link to. After adding
a page, a heading or a file, write both anew with `python -m tests.docs.test_ids`.

Only an id that somebody chose is recorded, on the page or in a macro: one made
from the words of a heading would change with them. And what only the working
tree or a branch has recorded nobody can have linked to, so it may go again.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from macros.counting import load_models, load_relatives
from macros.page_syntax import UNNAMED
from macros.publish import moved
from tests.docs.building import build, small_copy
from tests.docs.conftest import Pages, parsed

RECORD = Path(__file__).with_name("published_ids.txt")
FILES = Path(__file__).with_name("published_files.txt")

INNER = ("assets", "modules", "search")
"""Folders of what pages need and nobody links to."""


OF_MARKDOWN = re.compile(r"__|fn:|fnref\d*:")
"""How the ids begin that Markdown makes: of headings without one and of tabs; of footnotes."""


def ids_of(pages: Pages) -> set[str]:
    """Every id that somebody chose within the text of a page, as `page#id`, and every page."""
    articles = {name: page.article for name, page in pages.items() if page.article and name != "404.html"}
    ids = {(name, str(tag["id"])) for name, article in articles.items() for tag in article.find_all(id=True)}
    return {f"{name}#{id_}" for name, id_ in ids if not OF_MARKDOWN.match(id_)} | set(articles)


def unnamed(pages: Pages) -> list[str]:
    """The headings without an id of their own, each with the line to write instead."""
    found = []
    for name, page in pages.items():
        for heading in page.select(f'article :is(h1, h2, h3, h4, h5, h6)[id^="{UNNAMED}"]'):
            text = "".join(each for each in heading.strings if not each.find_parent(class_="headerlink")).strip()
            line = f"{'#' * int(heading.name[1])} {text} {{ #{str(heading['id']).removeprefix(UNNAMED)} }}"
            found.append(f'{name.removesuffix("html")}md: the heading "{text}" has no id of its own; write {line}')
    return found


def files_of(site: Path) -> set[str]:
    """Every file that readers may link to and that is no page."""
    found = {path.relative_to(site) for path in site.rglob("*") if path.is_file() and path.suffix != ".html"}
    return {path.as_posix() for path in found if path.parts[0] not in INNER}


def recorded(record: Path | None = None) -> set[str]:
    """The addresses recorded so far: those of pages, if no other list is named."""
    return set((record or RECORD).read_text().split())


def published(record: Path) -> set[str]:
    """The addresses that readers may know: those recorded on the branch `main`, or without one in the last commit.

    Where git cannot say, readers may know all that are recorded.
    """

    def committed(revision: str) -> set[str] | None:
        command = ["git", "show", f"{revision}:./{record.name}"]
        try:
            done = subprocess.run(command, cwd=record.parent, capture_output=True, text=True, check=False)
        except OSError:  # no git
            return None
        return set(done.stdout.split()) if done.returncode == 0 else None

    # Either of the first two may be behind the other.
    known = [each for each in map(committed, ("origin/main", "main")) if each is not None]
    if known:
        return set().union(*known)
    last = committed("HEAD")
    return recorded(record) if last is None else last


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
    """However it is written, with what to write instead; its id is none that is recorded, and code has no headings."""
    root = small_copy(tmp_path / "repository", "notation.md")
    page = root / "docs" / "notation.md"
    page.write_text(f"{page.read_text()}\n{HEADINGS}")
    done = build(tmp_path / "site", root)
    assert 0 == done.returncode, done.stderr
    pages = parsed(tmp_path / "site")
    has = "has no id of its own; write"
    assert [
        f'notation.md: the heading "A new heading" {has} ## A new heading {{ #a-new-heading }}',
        f'notation.md: the heading "Another one" {has} ## Another one {{ #another-one }}',
        f'notation.md: the heading "Within a note" {has} ### Within a note {{ #within-a-note }}',
    ] == unnamed(pages)
    assert {"notation.html#chosen"} == {each for each in ids_of(pages) - recorded() if each.startswith("notation")}


def site_with(folder: Path, *ids: str, file: str = "a.csv") -> Path:
    """A built site of one page, whose headings have these ids, and one file."""
    site = folder / "site"
    site.mkdir(exist_ok=True)
    headings = "".join(f'<h2 id="{each}">A<a class="headerlink" href="#{each}">¶</a></h2>' for each in ids)
    (site / "page.html").write_text(f"<article>{headings}</article>")
    for path in site.glob("*.csv"):
        path.unlink()
    (site / file).touch()
    return site


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder, as somebody."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


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
def test_what_was_never_published_can_be_taken_back(lists: Path, branch: str) -> None:
    """An id or a file that is not committed, or only on a branch that is not published."""
    if branch != "main":
        git(lists, "checkout", "--quiet", "-b", branch)
    assert "" == write_records(site_with(lists, "published", "draft"))
    assert {"page.html", "page.html#published", "page.html#draft"} == recorded()
    if branch != "main":
        git(lists, "commit", "--quiet", "--all", "--message=b")
    assert "" == write_records(site_with(lists, "published", "better"))
    assert {"page.html", "page.html#published", "page.html#better"} == recorded()


@pytest.mark.parametrize(
    ("ids", "file", "gone"), [((), "a.csv", "page.html#published"), (("published",), "b.csv", "a.csv")]
)
def test_what_was_published_cannot(lists: Path, ids: tuple[str, ...], file: str, gone: str) -> None:
    """It is named, and neither list is changed."""
    before = RECORD.read_text(), FILES.read_text()
    assert f"lost, and not to be lost; see macros/publish/moved.toml: {gone}" == write_records(
        site_with(lists, *ids, "new", file=file)
    )
    assert before == (RECORD.read_text(), FILES.read_text())


def test_nothing_is_recorded_while_a_heading_has_no_id(lists: Path) -> None:
    """It would be recorded by its words; the line that does is said instead."""
    before = RECORD.read_text()
    said = write_records(site_with(lists, "published", "new", f"{UNNAMED}a"))
    assert said == 'page.md: the heading "A" has no id of its own; write ## A { #a }'
    assert before == RECORD.read_text()


def test_without_git_whatever_is_recorded_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can say then what readers know."""
    (tmp_path / "ids.txt").write_text("a.html\n")
    monkeypatch.setenv("PATH", "")
    assert {"a.html"} == published(tmp_path / "ids.txt")


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


def write_records(site: Path) -> str:
    """Record the addresses of a built site; says what keeps it from that, if anything does."""
    pages = parsed(site)
    if headings := unnamed(pages):
        return "\n".join(headings)
    addresses, files = ids_of(pages), files_of(site)
    missing = lost(recorded() & published(RECORD), addresses, moved.load())
    missing |= recorded(FILES) & published(FILES) - files
    if missing:
        return f"lost, and not to be lost; see macros/publish/moved.toml: {', '.join(sorted(missing))}"
    # What has moved as a whole stays in the record, so that it goes on leading somewhere.
    kept = {each for each in recorded() if each.partition("#")[0] in moved.load()}
    RECORD.write_text("\n".join(sorted(addresses | kept)) + "\n")
    FILES.write_text("\n".join(sorted(files)) + "\n")
    return ""


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "site"
        done = build(built)
        if done.returncode:
            sys.exit(done.stderr)
        sys.exit(write_records(built) or 0)
