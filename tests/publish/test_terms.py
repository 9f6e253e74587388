"""The editions of terms: built from their tags, unchanged ever after, each page with a way to the current edition."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from macros.publish import PublishError, terms
from macros.publish.terms import Place, assemble, with_line
from tests.docs.building import ROOT
from tests.docs.test_build import contents

HERE = Place("https://example.org/bert/", "https://example.org/code")

HTML = (
    '<!doctype html><html><head><link rel="canonical" href="%s"></head>'
    '<body class="a"><h1>%s</h1><a href="%s">%s</a></body></html>'
)
WRITTEN = f"""printf '{HTML}' "$(SITE_URL)$$page" "$$(cat text)" "$(REPO_URL)" "$(SOURCE_DATE_EPOCH)" > site/$$page"""

MAKEFILE = f"""build:
\tmkdir -p site/parts
\tfor page in index.html parts/heads.html; do {WRITTEN}; done
\techo '<urlset/>' > site/sitemap.xml
"""
"""Builds a small site, which names its own address, the address of its code and its date."""


def git(folder: Path, *arguments: str) -> str:
    """What git says, in a repository of our own."""
    author = [
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "tag.gpgsign=false",
    ]
    return subprocess.run(
        ["git", *author, *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def committed(folder: Path, text: str, *tag: str, makefile: str = MAKEFILE) -> None:
    """One more commit with a text, and perhaps a tag."""
    (folder / "Makefile").write_text(makefile)
    (folder / "text").write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", text)
    if tag:
        git(folder, "tag", *tag)


@pytest.fixture
def repository(tmp_path: Path, needs_git: None) -> Path:  # noqa: ARG001  it leaves tests out
    """A repository with a tag, an annotated tag and a commit after them."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet")
    committed(folder, "the first text", "term-2026-autumn")
    committed(folder, "the second text", "-a", "-m", "spring", "term-2027-spring")
    committed(folder, "the current text")
    return folder


def with_a_term(folder: Path, makefile: str) -> Path:
    """A repository with one commit and its tag."""
    folder.mkdir()
    git(folder, "init", "--quiet")
    committed(folder, "a", "term-a", makefile=makefile)
    return folder


def current(folder: Path) -> Path:
    """The folder of a current edition."""
    (folder / "parts").mkdir(parents=True)
    for name in ("index.html", "parts/heads.html"):
        (folder / name).write_text("the current text")
    return folder


def published(site: Path) -> dict[str, dict[str, str]]:
    """The list that a site publishes."""
    found: dict[str, dict[str, str]] = json.loads((site / "terms.json").read_text())
    return found


def of_term(site: Path, tag: str) -> dict[str, bytes]:
    """Every file of a term."""
    return {name: content for name, content in contents(site).items() if name.startswith(f"{tag}/")}


def test_terms_are_published_and_stay_as_they_are(repository: Path, tmp_path: Path) -> None:
    """Each from its own commit, with its own address and date; later commits and tags change no byte of it."""
    site, kept = current(tmp_path / "site"), tmp_path / "kept"
    assemble(site, repository, kept, HERE, {})
    assert ["term-2026-autumn", "term-2027-spring"] == list(published(site))
    assert "the current text" == (site / "parts/heads.html").read_text()
    html = (site / "term-2026-autumn/parts/heads.html").read_text()
    page = BeautifulSoup(html, "html.parser")
    assert page.h1
    assert "the first text" == page.h1.get_text()
    assert git(repository, "log", "-1", "--format=%ct", "term-2026-autumn") in html
    assert ["https://example.org/bert/parts/heads.html"] == [
        str(each["href"]) for each in page.select("[rel=canonical]")
    ]
    (link,) = page.select("body > aside:first-child a")
    assert (site / "term-2026-autumn/parts" / str(link["href"])).resolve() == (site / "parts/heads.html").resolve()
    (styles,) = page.select("[rel=stylesheet]")
    assert (site / "term-2026-autumn/parts" / str(styles["href"])).is_file()
    assert not list(site.rglob("sitemap*"))
    assert "the second text" in (site / "term-2027-spring/index.html").read_text()

    committed(repository, "a later text", "term-2028-spring")
    again = current(tmp_path / "again")
    assemble(again, repository, tmp_path / "nothing-kept", HERE, published(site))
    assert of_term(site, "term-2026-autumn") == of_term(again, "term-2026-autumn")
    assert of_term(site, "term-2027-spring") == of_term(again, "term-2027-spring")
    assert ["term-2026-autumn", "term-2027-spring", "term-2028-spring"] == list(published(again))
    assert 1 == len(git(repository, "worktree", "list").splitlines())

    moved = current(tmp_path / "moved")
    assemble(moved, repository, tmp_path / "elsewhere", Place("https://example.net/", ""), published(again))


def test_what_is_kept_is_not_built_again(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same files come out where nothing could be built; for another address they would have to be."""
    first, second = current(tmp_path / "first"), current(tmp_path / "second")
    assemble(first, repository, tmp_path / "kept", HERE, {})
    monkeypatch.setattr(terms, "BUILD", ("false",))
    assemble(second, repository, tmp_path / "kept", HERE, published(first))
    assert contents(first) == contents(second)
    with pytest.raises(PublishError, match="cannot be built"):
        assemble(second, repository, tmp_path / "kept", Place("https://example.net/", ""), {})


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["tag", "-f", "term-2026-autumn"], "^term-2026-autumn is published from .*; set it back, and give"),
        (
            ["tag", "-d", "term-2026-autumn"],
            "^term-2026-autumn is published, and there is no such tag; set it again, to ",
        ),
        (["tag", "term-a+b"], r"^term-a\+b is no name for an address"),
    ],
)
def test_a_term_stays_where_it_is(repository: Path, tmp_path: Path, command: list[str], message: str) -> None:
    """A tag that names another commit, one that is gone, and one that no address can have; nothing is written."""
    site, next_ = current(tmp_path / "site"), current(tmp_path / "next")
    assemble(site, repository, tmp_path / "kept", HERE, {})
    git(repository, *command)
    with pytest.raises(PublishError, match=message):
        assemble(next_, repository, tmp_path / "kept", HERE, published(site))
    assert {"index.html", "parts/heads.html"} == set(contents(next_))


def test_a_build_that_differs_is_noticed(repository: Path, tmp_path: Path) -> None:
    """One byte of what was kept is enough, and the message says what would do; what a browser draws may differ."""
    site = current(tmp_path / "site")
    assemble(site, repository, tmp_path / "kept", HERE, {})
    page = next((tmp_path / "kept").rglob("heads.html"))
    page.with_suffix(".pdf").write_text("drawn")
    assemble(current(tmp_path / "printed"), repository, tmp_path / "kept", HERE, published(site))
    page.write_text(page.read_text().replace("text", "test"))
    with pytest.raises(PublishError, match="differs from it; build it with the Python that it was published with"):
        assemble(current(tmp_path / "next"), repository, tmp_path / "kept", HERE, published(site))


@pytest.mark.parametrize("makefile", ["build:\n\t@echo broken; exit 3\n", "build:\n\t@echo broken\n"])
def test_a_term_that_cannot_be_built_stops_everything(repository: Path, tmp_path: Path, makefile: str) -> None:
    """Because its build fails, or makes no site: with its last words; no other term is written, and no tree is left."""
    committed(repository, "nothing", "term-2027-winter", makefile=makefile)
    site = current(tmp_path / "site")
    with pytest.raises(
        PublishError, match=r"(?s)^term-2027-winter cannot be built from .*`make build` ended with .*broken"
    ):
        assemble(site, repository, tmp_path / "kept", HERE, {})
    assert {"index.html", "parts/heads.html"} == set(contents(site))
    assert 1 == len(git(repository, "worktree", "list").splitlines())


TOLD = """build:
\tmkdir site
\techo '<head></head><body>$(SITE_URL) $(REPO_URL) $(SOURCE_COMMIT) $(MFLAGS)$(MAKELEVEL)' > site/index.html
"""
"""Builds a page that says what the build is told."""


@pytest.mark.usefixtures("needs_git")
@pytest.mark.parametrize(
    ("place", "said"),
    [(HERE, "https://example.org/bert/term-a/ https://example.org/code"), (Place("", ""), " ")],
)
def test_a_term_is_told_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Place, said: str) -> None:
    """Its own address, or none where the site has none; its own commit; and nothing of a make that runs all this."""
    monkeypatch.setenv("MAKELEVEL", "1")
    monkeypatch.setenv("MFLAGS", "-w")
    monkeypatch.setenv("SOURCE_COMMIT", "another")
    folder = with_a_term(tmp_path / "repository", TOLD)
    assemble(current(tmp_path / "site"), folder, tmp_path / "kept", place, {})
    html = (tmp_path / "site/term-a/index.html").read_text()
    assert f"{said} {git(folder, 'rev-parse', 'HEAD')} 0" == html.rpartition(">")[2].strip("\n")
    assert (tmp_path / "site/terms.json").read_text().endswith("}\n")


@pytest.mark.usefixtures("needs_git")
def test_the_last_words_of_a_build_are_twenty_lines(tmp_path: Path) -> None:
    """The last of them is that of make."""
    repository = with_a_term(tmp_path / "repository", "build:\n\t@seq 30; exit 3\n")
    with pytest.raises(PublishError) as raised:
        assemble(current(tmp_path / "site"), repository, tmp_path / "kept", HERE, {})
    said = str(raised.value).splitlines()
    assert [*map(str, range(12, 31))] == said[1:-1]
    assert "`make build` ended with 2;" in said[0]
    assert "Error 3" in said[-1]


def test_without_git_it_is_said_that_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what it is needed for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PublishError, match="git is not installed, and editions are built"):
        terms.terms_of(tmp_path)


WAS = {"commit": "b", "site": "https://example.org/", "code": "", "digest": "b"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"commit": "a"}, "^term-a is published from b, and the tag names a;"),
        ({"commit": "c"}, "^term-a is published from b, and the tag names c;"),
        ({"digest": "a"}, "^term-a is published, and what its commit builds here differs"),
        ({"digest": "c"}, "^term-a is published, and what its commit builds here differs"),
        ({"commit": "c", "site": "https://example.net/"}, "^term-a is published from b, and the tag names c;"),
    ],
)
def test_what_is_no_longer_as_it_was_is_noticed(change: dict[str, str], says: str) -> None:
    """Of whichever term; another tag beside it changes nothing."""
    terms._check({"term-b": WAS, "term-a": WAS}, {"term-a": dict(WAS), "term-b": dict(WAS), "term-c": {}})
    with pytest.raises(PublishError, match=says):
        terms._check({"term-b": WAS, "term-a": WAS}, {"term-b": WAS, "term-a": WAS | change})


@pytest.mark.parametrize(
    "change", [{"site": "https://example.net/", "digest": "c"}, {"code": "https://example.net/", "digest": "c"}]
)
def test_a_site_that_has_moved_builds_other_pages(change: dict[str, str]) -> None:
    """They name the place where they are, so the commit is enough."""
    terms._check({"term-a": WAS}, {"term-a": WAS | change})


def test_a_digest_is_of_what_is_published_and_always_the_same(tmp_path: Path) -> None:
    """Every byte and every name; neither what search engines read nor what a browser draws."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.html").write_text("text")
    first = terms.digest(tmp_path)
    for name in ("sitemap.xml", "sitemap.xml.gz", "a/b.pdf", "c.png"):
        (tmp_path / name).write_text(name)
    assert first == terms.digest(tmp_path)
    (tmp_path / "a/b.html").rename(tmp_path / "a/c.html")
    renamed = terms.digest(tmp_path)
    (tmp_path / "a/c.html").write_text("test")
    assert 3 == len({first, renamed, terms.digest(tmp_path)})


LEADS_ON = (
    '<head><link rel="canonical" href="https://example.org/bert/term-a/b.html">'
    '<meta http-equiv="refresh" content="0"></head>'
)


@pytest.mark.parametrize(
    ("page", "html", "expected"),
    [
        ("a/b/c.html", "<head></head><body>", '<body><aside class="edition"'),
        ("a/b/c.html", "<head></head><body>", '<a href="../../../a/b/c.html">'),
        ("a/b/c.html", "<head></head><body>", '<link rel="stylesheet" href="../../assets/edition.css"></head>'),
        ("404.html", '<head></head><body class="a">', '<a href="../index.html">'),
        ("old.html", LEADS_ON, LEADS_ON.replace("term-a/", "")),
        ("embed/map.html", "<head></head><body>", "<head></head><body>"),
    ],
)
def test_a_page_leads_to_the_current_edition(page: str, html: str, expected: str) -> None:
    """From any depth, the error page to the start; what has moved, and what is in a frame, has no line."""
    assert expected in with_line(html, page, "term-a", HERE)


@pytest.mark.parametrize("html", ["<body>", "<head></head>", "<head></head><body><body>"])
def test_what_is_no_page_is_refused(html: str) -> None:
    """Without a head, without a body, with several."""
    with pytest.raises(PublishError, match=r"term-a/b\.html has no head and body, or several"):
        with_line(html, "b.html", "term-a", HERE)


def test_the_command(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says nothing where all is well, and in a line what is wrong."""
    monkeypatch.chdir(repository)
    monkeypatch.setenv("SITE_URL", HERE.site)
    monkeypatch.setenv("MAKEFLAGS", "--dry-run")  # what make would tell it
    site, kept = current(tmp_path / "site"), ["--kept", str(tmp_path / "kept")]
    assert 0 == terms.main([str(site), *kept])
    assert ("", "") == capsys.readouterr()
    assert 2 == terms.main([str(site), *kept, "--published", str(site / "terms.json")])
    assert f"PublishError: {site} holds a term already; build the site afresh\n" == capsys.readouterr().err


def missing(deploy: str) -> list[str]:
    """What the workflow that deploys lacks for terms: the tags, what was published, and to put them into the site."""
    needed = ("fetch-depth: 0", "$SITE_URL/terms.json", "make terms PUBLISHED=published.json", "path: .terms")
    return [each for each in needed if each not in deploy]


def test_the_workflow_publishes_terms() -> None:
    """With every tag, and compared with what is published; a step that were missing would be noticed."""
    deploy = (ROOT / ".github" / "workflows" / "deploy.yml").read_text()
    assert [] == missing(deploy)
    assert ["fetch-depth: 0"] == missing(deploy.replace("fetch-depth: 0", "fetch-depth: 1"))
