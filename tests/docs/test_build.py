"""The build is strict, complete and repeatable."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.building import ROOT, build, small_copy

PAGE = "notation.md"


CLAIMS = """\
{% call rows("claims") %}
Some numbers in print

| what is counted | printed | computed | explanation | where |
|:--|--:|--:|:--|---|
{{ claims.rows("torchinfo", "differs") }}
{{ claims.rows("keras-bert-notebook", "agrees") }}
{% endcall %}
"""


def append(root: Path, line: str) -> None:
    """Write a line below everything else on the page of a copy."""
    page = root / "docs" / PAGE
    page.write_text(f"{page.read_text()}\n\n{line}\n")


def test_a_good_page_builds(tmp_path: Path) -> None:
    """Whatever stops the builds below is what they put in, and not what the small site lacks."""
    root = small_copy(tmp_path / "repository", PAGE)
    append(root, CLAIMS)
    done = build(tmp_path / "site", root)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    assert (tmp_path / "site" / PAGE).with_suffix(".html").exists()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{{ number(model='bert-bsae-uncased') }}", ['did you mean "bert-base-uncased"']),
        ("{{ some_variable }}", ["'some_variable' is undefined; known: number"]),
        ("It has 768 features.", ["typed '768'; write {{ size(\"H\") }}"]),
        ("It has $H$ columns.", ["'$H$' would stand on the page as it is; a formula is {{ formula("]),
        ("[a page](nowhere.md) [a heading](notation.md#missing)", ["2 warnings", "'nowhere.md'", "#missing'"]),
    ],
)
def test_a_bad_page_fails_the_build(tmp_path: Path, line: str, says: list[str]) -> None:
    """A bad macro call, name, link or anchor fails the build, which names page and fault."""
    root = small_copy(tmp_path / "repository", PAGE)
    append(root, line)
    done = build(tmp_path / "site", root)
    assert done.returncode != 0
    assert "notation.md" in done.stderr + done.stdout
    assert [] == [each for each in says if each not in done.stderr + done.stdout], done.stderr
    place = f"notation.md, line {(root / 'docs' / PAGE).read_text().splitlines().index(line) + 1}: "
    if says[0].startswith(("typed", "'$H$'")):
        assert place + says[0] in done.stderr
    elif line.startswith("{{"):
        before, found, _ = done.stderr.partition("Traceback")
        assert found
        assert f"{place}{line}\n" in before
        assert says[0] in before
    assert not (tmp_path / "site").exists()


def test_every_bad_call_is_named_and_nothing_is_published(tmp_path: Path) -> None:
    """Where not the first one stops the build, as in CI; also if MkDocs keeps its warnings to itself."""
    root = small_copy(tmp_path / "repository", PAGE, "parts/heads.md")
    append(root, "{{ numbr() }}")
    (root / "docs/parts/heads.md").write_text("---\ntitle: A\n---\n\n# A { #a }\n\n{{ size('Q') }}\n")
    done = build(tmp_path / "site", root, CI="false")
    assert "parts/heads.md, line 7: {{ size('Q') }}\n" in done.stderr
    assert ": {{ numbr() }}\nUndefinedError: 'numbr' is undefined; did you mean" in done.stderr
    assert "2 calls on pages failed, as the messages above say; nothing is published" in done.stderr
    assert done.returncode == 1
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "site")]
    assert subprocess.run(command, cwd=root, env={**os.environ, "CI": "false"}, check=False).returncode == 1
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("models.toml", "hidden_size = 768", "hidden_size = 769", "769 is not a multiple of num_attention_heads 12"),
        ("claims.toml", 'reached = ["decoder-untied"], note', 'reached = ["prediction-bias-twice"], note', "torchinfo"),
    ],
)
def test_bad_data_fails_the_build(tmp_path: Path, file: str, old: str, new: str, says: str) -> None:
    """A model that cannot be counted, or a wrong claim, is named, and no page is left behind."""
    root = small_copy(tmp_path / "repository", PAGE)
    data = root / "macros" / "counting" / "data" / file
    append(root, CLAIMS)
    assert old in data.read_text()
    data.write_text(data.read_text().replace(old, new, 1))
    done = build(tmp_path / "site", root)
    assert done.returncode != 0
    assert says in done.stderr + done.stdout
    assert not list((tmp_path / "site").rglob("*.html"))


STOPPED = """
import json, shutil, sys
from functools import partial
from pathlib import Path

from mkdocs.__main__ import cli
from macros.publish.replacing import beside
from tests import stopping

old, site = Path(sys.argv[1]), Path(sys.argv[2])


def build(at):
    seen = stopping.count_changes(site.parent, stopping.kill, at)
    status = cli(["build", "--site-dir", str(site)], standalone_mode=False)
    (site.parent.parent / "changes").write_text(str(len(seen)))
    return status or 0


def tried(at):
    for folder in (beside(site), site):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(old, site)
    return stopping.status_in_child(partial(build, at))


whole = {"old": stopping.contents(old)}
assert tried(at=0) == 0
whole["new"] = stopping.contents(site)
changes = int((site.parent.parent / "changes").read_text())
for at in (changes, changes - 3, 2 * changes // 3, changes // 3):
    status = tried(at)
    print(json.dumps([status, stopping.state(site, whole)]))
assert stopping.status_in_child(partial(build, 0)) == 0
print(json.dumps([[path.name for path in site.parent.iterdir()], stopping.state(site, whole)]))
"""
"""Build a site over an old one, killed before some changes of files, the last of them first; then once to the end."""


def test_a_build_that_is_killed_leaves_no_half_of_a_site(tmp_path: Path) -> None:
    """While MkDocs writes and while the site is published the old one stays; at the end a folder may be marked."""
    root = small_copy(tmp_path / "repository", PAGE)
    old = tmp_path / "old"
    old.mkdir()
    (old / "index.html").write_text("old")
    (tmp_path / "public").mkdir()
    command = [sys.executable, "-c", STOPPED, str(old), str(tmp_path / "public" / "site")]
    environment = {**os.environ, "CI": "true", "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0"}
    environment["PYTHONPATH"] = str(ROOT)  # for the tests; the macros are those of the copy
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *killed, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert [[-9, "new"], [-9, "unfinished"], [-9, "old"], [-9, "old"]] == killed
    assert [["site"], "new"] == last
