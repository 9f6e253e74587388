"""A new site replaces the old one whole; an interrupted build leaves a whole site or a marked folder."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from macros.publish import PublishError, publish
from macros.publish.replacing import UNFINISHED, put_in_place, staging_folder
from tests.docs.building import ROOT, contents
from tests.publish.test_publish import FILES, write

STOPPING_PROGRAM = """
import json, shutil, sys
from functools import partial
from pathlib import Path

import macros.publish
from macros.publish.__main__ import main
from tests import stopping

macros.publish.makers = lambda: [("data/a/b.csv", lambda: "1\\n")]
macros.publish.moved.load_moves = dict
built_site, site, stop = Path(sys.argv[1]), Path(sys.argv[2]), getattr(stopping, sys.argv[3])


UNDISTURBED = 100


def publish(at):
    changes = stopping.record_changes(site.parent, stop, at)
    return main([str(site)]) or (0 if len(changes) >= at else UNDISTURBED)


def status_if_stopped(at):
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(built_site, site)
    return stopping.status_in_child(partial(publish, at))


# The site is published here first, so that no child has to compute again what publishing keeps in memory.
shutil.copytree(built_site, site)
sites = {"old": stopping.contents(site)}
assert main([str(site)]) == 0
sites["new"] = stopping.contents(site)
outcomes, status, at = [], 0, 0
while status != UNDISTURBED:
    at += 1
    status = status_if_stopped(at)
    left_over = [path.name for path in site.parent.iterdir() if path not in (built_site, site)]
    outcomes.append((stopping.state(site, sites), status, left_over))
print(json.dumps(outcomes))
"""
"""A program that publishes a site repeatedly, stopping each attempt one file change later, until one finishes."""


@pytest.mark.parametrize("stop", ["kill", "fill_disk"])
def test_an_interruption_leaves_a_whole_site_or_a_marked_folder(tmp_path: Path, stop: str) -> None:
    hidden_files = {".git/config": "a"}  # the folder may be a clone of the published repository
    new_site = write(tmp_path / "built", FILES | hidden_files)
    command = [sys.executable, "-c", STOPPING_PROGRAM, str(new_site), str(tmp_path / "site"), stop]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    outcomes = json.loads(process.stdout)
    states = [state for state, _, _ in outcomes]
    assert {"old", "unfinished", "new"} == {*states}
    *interrupted_outcomes, last = outcomes
    assert ["new", 100, []] == last
    if stop == "kill":
        assert sorted(states, key=["old", "unfinished", "new"].index) == states
        assert {-9} == {status for _, status, _ in interrupted_outcomes}
    else:  # the program detects the full disk, so it cleans up, or copies a file that it cannot move
        assert all(status == 2 or state == "new" for state, status, _ in interrupted_outcomes)
        assert [] == [left_over for _, _, left_over in outcomes if left_over]


def test_an_unfinished_site_is_refused(tmp_path: Path) -> None:
    site = write(tmp_path / "site", FILES | {UNFINISHED: ""})
    contents_before = contents(site)
    with pytest.raises(PublishError, match=r"site is unfinished, because a build was stopped; build the site again"):
        publish(site)
    assert contents_before == contents(site)
    new_site = write(staging_folder(site), {"index.html": "new"})
    put_in_place(new_site, site)
    assert {"index.html": b"new"} == contents(site)


def test_hidden_files_stay(tmp_path: Path) -> None:
    """Hidden files stay, as when MkDocs empties a folder, unless the new site has them too.

    Symbolic links are removed, but not followed.
    """
    other_folder = write(tmp_path / "elsewhere", {"a": ""})
    site = write(tmp_path / "site", {".git/config": "a", ".nojekyll": "old", "old/a.html": ""})
    (site / "linked").symlink_to(other_folder)
    new_site = write(staging_folder(site), {".nojekyll": "new", "a/b.html": "b"})
    put_in_place(new_site, site)
    assert {".git/config": b"a", ".nojekyll": b"new", "a/b.html": b"b"} == contents(site)
    assert ["a"] == [path.name for path in other_folder.iterdir()]
    assert not new_site.exists()


def test_a_missing_folder_is_created(tmp_path: Path) -> None:
    put_in_place(write(tmp_path / "new", {"a.html": "a"}), tmp_path / "public" / "site")
    assert {"a.html": b"a"} == contents(tmp_path / "public" / "site")
