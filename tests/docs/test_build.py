"""A fault on a page or in the data fails the build, and a killed build never leaves an incomplete site unmarked."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.building import ROOT, build, small_copy

PAGE = "notation.md"
"""The page of the small sites that are built here."""

CLAIMS = """\
{% call rows("claims") %}
Some numbers in print

| what is counted | printed | computed | explanation | where |
|:--|--:|--:|:--|---|
{{ claims.rows("torchinfo") }}
{{ claims.rows("keras-bert-notebook") }}
{% endcall %}
"""
"""A table of published claims, which is needed because the build checks only the claims that a page shows."""


def append(root: Path, line: str) -> None:
    """Append a line to the page in a copy of the repository."""
    page = root / "docs" / PAGE
    page.write_text(f"{page.read_text()}\n\n{line}\n")


def test_a_good_page_builds(tmp_path: Path) -> None:
    """The small site builds, so the failures below are due to the faults that the tests add."""
    root = small_copy(tmp_path / "repository", PAGE)
    append(root, CLAIMS)
    process = build(tmp_path / "site", root)
    assert process.returncode == 0, process.stderr
    assert "WARNING" not in process.stderr, process.stderr
    assert (tmp_path / "site" / PAGE).with_suffix(".html").exists()


@pytest.mark.parametrize(
    ("line", "messages"),
    [
        ("{{ number(model='bert-bsae-uncased') }}", ['did you mean "bert-base-uncased"']),
        ("{{ some_variable }}", ["'some_variable' is undefined; known: number"]),
        ("It has 768 features.", ["typed '768'; write {{ size(\"H\") }}"]),
        ("It has $H$ columns.", ["'$H$' would appear on the page as it is; a formula is {{ formula("]),
        ("[a page](nowhere.md) [a heading](notation.md#missing)", ["2 warnings", "'nowhere.md'", "#missing'"]),
    ],
)
def test_a_bad_page_fails_the_build(tmp_path: Path, line: str, messages: list[str]) -> None:
    root = small_copy(tmp_path / "repository", PAGE)
    append(root, line)
    process = build(tmp_path / "site", root)
    assert process.returncode != 0
    assert "notation.md" in process.stderr + process.stdout
    assert [] == [message for message in messages if message not in process.stderr + process.stdout], process.stderr
    location = f"notation.md, line {(root / 'docs' / PAGE).read_text().splitlines().index(line) + 1}: "
    # A fault in the text of a page is reported right after the line number. If a macro raises an error, the call comes
    # first, followed by the error and a traceback for authors of macros.
    if messages[0].startswith(("typed", "'$H$'")):
        assert location + messages[0] in process.stderr
    elif line.startswith("{{"):
        before_traceback, traceback, _ = process.stderr.partition("Traceback")
        assert traceback
        assert f"{location}{line}\n" in before_traceback
        assert messages[0] in before_traceback
    assert not (tmp_path / "site").exists()


def test_outside_ci_every_bad_call_is_reported_and_nothing_is_published(tmp_path: Path) -> None:
    root = small_copy(tmp_path / "repository", PAGE, "parts/heads.md")
    append(root, "{{ numbr() }}")
    (root / "docs/parts/heads.md").write_text("---\ntitle: A\n---\n\n# A { #a }\n\n{{ size('Q') }}\n")
    process = build(tmp_path / "site", root, CI="false")
    assert "parts/heads.md, line 7: {{ size('Q') }}\n" in process.stderr
    assert ": {{ numbr() }}\nUndefinedError: 'numbr' is undefined; did you mean" in process.stderr
    assert "2 calls on pages failed, as reported above; nothing is published" in process.stderr
    assert process.returncode == 1
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "site")]
    assert subprocess.run(command, cwd=root, env={**os.environ, "CI": "false"}, check=False).returncode == 1
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("models.toml", "hidden_size = 768", "hidden_size = 769", "769 is not a multiple of num_attention_heads 12"),
        (
            "claims.toml",
            'deviations = ["decoder-untied"], note',
            'deviations = ["prediction-bias-twice"], note',
            "torchinfo",
        ),
    ],
)
def test_bad_data_fails_the_build(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    root = small_copy(tmp_path / "repository", PAGE)
    data_file = root / "macros" / "counting" / "data" / file
    append(root, CLAIMS)
    assert old in data_file.read_text()
    data_file.write_text(data_file.read_text().replace(old, new, 1))
    process = build(tmp_path / "site", root)
    assert process.returncode != 0
    assert message in process.stderr + process.stdout
    assert not list((tmp_path / "site").rglob("*.html"))


KILLED_BUILDS = """
import json, shutil, sys
from functools import partial
from pathlib import Path

from mkdocs.__main__ import cli
from macros.publish.replacing import staging_folder
from tests import stopping

old, site = Path(sys.argv[1]), Path(sys.argv[2])


def build(at):
    changes = stopping.record_changes(site.parent, stopping.kill, at)
    status = cli(["build", "--site-dir", str(site)], standalone_mode=False)
    (site.parent.parent / "changes").write_text(str(len(changes)))
    return status or 0


def build_over_old(at):
    for folder in (staging_folder(site), site):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(old, site)
    return stopping.status_in_child(partial(build, at))


sites = {"old": stopping.contents(old)}
# The site is built here first, so that no child has to load and compute again what a build keeps in memory.
assert not cli(["build", "--site-dir", str(site)], standalone_mode=False)
sites["new"] = stopping.contents(site)
assert build_over_old(at=0) == 0
changes = int((site.parent.parent / "changes").read_text())
# Before the last change, the new site is in place. Three changes earlier, the folder is still marked as unfinished.
for at in (changes, changes - 3, changes // 2):
    status = build_over_old(at)
    print(json.dumps([status, stopping.state(site, sites)]))
assert stopping.status_in_child(partial(build, 0)) == 0
print(json.dumps([[path.name for path in site.parent.iterdir()], stopping.state(site, sites)]))
"""
"""Builds a site over an old one three times, each time killed at a different point, and then once to the end.

Prints, after each killed build, its exit status and the state of the site's folder. After the complete build, the names
in the parent folder replace the status. `at` is the number of the change to a file before which a build is killed, or 0
if it is not killed.
"""


def test_a_killed_build_leaves_no_incomplete_site_without_a_mark(tmp_path: Path) -> None:
    root = small_copy(tmp_path / "repository", PAGE)
    old = tmp_path / "old"
    old.mkdir()
    (old / "index.html").write_text("old")
    (tmp_path / "public").mkdir()
    command = [sys.executable, "-c", KILLED_BUILDS, str(old), str(tmp_path / "public" / "site")]
    environment = {**os.environ, "CI": "true", "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0"}
    environment["PYTHONPATH"] = str(ROOT)  # for `tests`, whereas the macros come from the copy
    process = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    *killed_builds, full_build = [json.loads(line) for line in process.stdout.splitlines()]
    assert [[-9, "new"], [-9, "unfinished"], [-9, "old"]] == killed_builds  # -9 means SIGKILL
    assert [["site"], "new"] == full_build
