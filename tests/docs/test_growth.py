"""Pages stay small: none grows unnoticed, and the sizes of pages, first visits and the search index are limited.

A limit for each page would have to be edited with every legitimate change. Instead, each page is compared with an
earlier commit. Growth by more than a twentieth is an error, unless a commit since then gives the reason in a line of
its message:

    Grows: parts/heads.html gets a picture of tying

If anything that a build reads has uncommitted changes, the earlier commit is the last one. Otherwise, it is the commit
before the last. If the last commit merges a pull request, that is the newest commit of the base branch.
"""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.docs.building import ROOT, SOURCES, build_pages, copy_cache
from tests.docs.conftest import Pages
from tests.same import TreeError, check_out

MAX_PAGE = 500_000
"""The largest number of bytes of HTML that a page may have.

When it was set, the largest page, which lists relatives, had 373,960, about three quarters of this limit.
"""

MAX_FIRST_VISIT = 1_490_000
"""The largest number of bytes of HTML, styles, icons, and scripts with their imports on a first visit to a page.

When it was set, the exercises page had 1,119,335, about three quarters of this limit.
"""

MAX_INDEX = 480_000
"""The largest number of bytes of the search index. When it was set, the index had 360,454, about three quarters."""

MAX_GROWTH = 1.05
"""The largest ratio of a page's size to its earlier size that needs no reason."""

REASON = re.compile(r"^Grows: (\S+)", re.MULTILINE)
"""The beginning of a line in a commit message that gives the reason for a page's growth. Its group is the page."""


def git(*arguments: str, root: Path = ROOT) -> str:
    """The output of a git command."""
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout


def base_commit(root: Path = ROOT) -> str:
    """The revision to compare with, in git's notation."""
    return "HEAD" if git("status", "--porcelain", "--", *SOURCES, root=root) else "HEAD^"


def unexcused_growth(before: Mapping[str, int], after: Mapping[str, int], messages: str) -> list[str]:
    """A message for each page that has grown too much without a reason. New pages may have any size.

    Args:
        before: the size of each page at the earlier commit, in bytes.
        after: the size of each page now, in bytes.
        messages: the messages of the commits since then.
    """
    excused_pages = set(REASON.findall(messages))
    return [
        f"{page}: {size:,} bytes, {before[page]:,} before. "
        f'If readers benefit from this, say so in the commit message: "Grows: {page} ..."'
        for page, size in after.items()
        if size > MAX_GROWTH * before.get(page, size) and page not in excused_pages
    ]


def built_sizes(root: Path, target: Path) -> dict[str, int]:
    """The size in bytes of each page of a tree, by its path within the site, which is built into `target`.

    The downloads are not built, because they cannot change the size of a page.

    Raises:
        TreeError: the tree does not build; the message includes the output of MkDocs.
    """
    process = build_pages(target, root)
    if process.returncode:
        raise TreeError(f"{root} does not build:\n{process.stderr}")
    return {path.relative_to(target).as_posix(): path.stat().st_size for path in target.rglob("*.html")}


def sizes_on_first_visit(site: Path, name: str, page: BeautifulSoup) -> dict[str, int]:
    """The sizes in bytes of a page and of the styles, icons and scripts that it names, by path."""
    addresses = [
        str(link["href"]) for link in page.select("link[rel=stylesheet], link[rel=icon], link[rel=modulepreload]")
    ]
    addresses += [str(script["src"]) for script in page.select("script[src]")]
    files = [(site / name).resolve(), *((site / name).parent.joinpath(address).resolve() for address in addresses)]
    return {path.relative_to(site.resolve()).as_posix(): path.stat().st_size for path in files}


@pytest.mark.usefixtures("needs_git", "site")
def test_no_page_grows_without_a_reason(tmp_path: Path) -> None:
    """The earlier commit is built with the packages that are installed now.

    By now, the site has been built, so the pages of this tree come from the cache.
    """
    revision = base_commit()
    try:
        base_revision = git("rev-parse", "--verify", revision).strip()
    except subprocess.CalledProcessError:
        assert not os.environ.get("CI"), "the commit before the last one is missing; fetch at least two commits"
        pytest.skip("there is no earlier commit to compare with")
    if revision == "HEAD^" and not git("diff", "--name-only", base_revision, "--", *SOURCES):
        return  # nothing that a build reads has changed
    try:
        tree = check_out(base_revision, tmp_path / "tree")
        copy_cache(tree)
        earlier_sizes = built_sizes(tree, tmp_path / "earlier")
    except TreeError as error:
        pytest.skip(f"the earlier commit does not build with the packages that are installed now: {error}")
    messages = git("log", "--format=%B", f"{base_revision}..HEAD")
    assert [] == unexcused_growth(earlier_sizes, built_sizes(ROOT, tmp_path / "now"), messages)


def test_pages_visits_and_the_search_index_stay_within_limits(site: Path, pages: Pages) -> None:
    assert max((site / name).stat().st_size for name in pages) <= MAX_PAGE
    # The links on the error page are absolute, so they cannot be resolved against its folder.
    visits = {
        name: sum(sizes_on_first_visit(site, name, page).values()) for name, page in pages.items() if name != "404.html"
    }
    heaviest_page = max(visits, key=visits.__getitem__)
    assert visits[heaviest_page] <= MAX_FIRST_VISIT, heaviest_page
    assert (site / "search" / "search_index.json").stat().st_size <= MAX_INDEX


def test_growth_is_reported_unless_a_commit_gives_a_reason() -> None:
    before, after = {"a.html": 1000, "b.html": 1000}, {"a.html": 1051, "b.html": 1050, "new.html": 5000}
    (line,) = unexcused_growth(before, after, "Draw tying\n\nGrows: b.html has a picture")
    assert "a.html: 1,051 bytes, 1,000 before." in line
    assert [] == unexcused_growth(before, after, "Draw tying\n\nGrows: a.html has a picture")


@pytest.mark.usefixtures("needs_git")
def test_uncommitted_changes_are_compared_with_the_last_commit(tmp_path: Path) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git("init", "--quiet", root=tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("a")
    git("add", ".", root=tmp_path)
    git(*identity, "commit", "--quiet", "--message=a", root=tmp_path)
    assert "HEAD^" == base_commit(tmp_path)
    (tmp_path / "docs" / "a.md").write_text("b")
    assert "HEAD" == base_commit(tmp_path)
