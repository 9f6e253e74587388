"""Tests of the steps of workflows, run here with a mock `gh`."""

import os
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_makefile import ROOT, script

FOLDER = ROOT / ".github" / "workflows"


def load(workflow: str) -> dict[str, Any]:
    """A workflow, with every key and value as text, because YAML would read the key `on` as true."""
    text = (FOLDER / f"{workflow}.yml").read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.load(text, yaml.BaseLoader)  # noqa: S506  this loader makes only text
    return content


def step(workflow: str, name: str) -> tuple[str, str]:
    """The code of a step, by its name, and the shell that runs it."""
    steps = [step for job in load(workflow)["jobs"].values() for step in job.get("steps", ())]
    (entry,) = [step for step in steps if step.get("name") == name]
    return entry["run"], entry["shell"]


@pytest.fixture
def gh(tmp_path: Path) -> Path:
    """A folder on PATH, in which a test writes its mock `gh`."""
    return tmp_path / "programs"


def run(folder: Path, gh: Path, workflow: str, name: str, tag: str = "") -> subprocess.CompletedProcess[str]:
    """Run a step in a folder as the runner does; source: https://docs.github.com, "Workflow syntax", on `shell`."""
    code, shell = step(workflow, name)
    command = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", code]}[shell]
    path = f"{gh}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "GITHUB_REF_NAME": tag, **load(workflow)["env"]}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


ADD, NAME, KEEP, DEPLOY = (
    "Add the editions",
    "Refuse a tag that cannot be an address",
    "Keep the edition",
    "Deploy the site with the new edition",
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a built site, and beside it an edition as a release has it."""
    site = tmp_path / "checkout" / "site"
    site.mkdir(parents=True)
    (site / "index.html").write_text("current")
    (tmp_path / "index.html").write_text("edition")
    with tarfile.open(tmp_path / "edition.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "index.html", "index.html")
    return site.parent


def test_a_site_without_a_list_of_its_editions_is_not_published(checkout: Path, gh: Path) -> None:
    """Without the list of editions nothing is published, because the site would lose all its editions."""
    script(gh / "gh", "echo 'HTTP 502' >&2; exit 1")
    assert run(checkout, gh, "deploy", ADD).returncode != 0


def test_each_edition_is_added(checkout: Path, gh: Path) -> None:
    """The edition of every release for a term is added.

    One that cannot be downloaded is left out with a warning, and other releases are ignored.
    """
    tags = "term-2026_spring term-lost v1.0 term-autumn"
    script(
        gh / "gh",
        f"""case "$1 $2 $3" in
        "release list "*) printf '%s\\n' {tags} ;;
        "release download term-lost") exit 1 ;;
        "release download "*) cat {checkout.parent}/edition.tar.gz ;;
        esac""",
    )
    result = run(checkout, gh, "deploy", ADD)
    assert (0, "::warning::the edition term-lost could not be downloaded and is left out\n") == (
        result.returncode,
        result.stdout,
    )
    pages = {path.relative_to(checkout / "site").as_posix() for path in (checkout / "site").rglob("*.html")}
    assert {"index.html", "term-2026_spring/index.html", "term-autumn/index.html"} == pages


def test_a_site_without_editions_is_published(checkout: Path, gh: Path) -> None:
    """A site without editions is published, since a repository need not have releases."""
    script(gh / "gh", "")
    assert 0 == run(checkout, gh, "deploy", ADD).returncode


@pytest.mark.parametrize("tag", ["term-autumn", "term-2026_spring", "term-2026.1-b"])
def test_what_is_kept_is_published(checkout: Path, gh: Path, tag: str) -> None:
    """Every tag that may be kept is an edition that deploying adds."""
    assert 0 == run(checkout, gh, "term", NAME, tag).returncode
    script(gh / "gh", f'[ "$2" = list ] && echo {tag} || cat {checkout.parent}/edition.tar.gz')
    assert 0 == run(checkout, gh, "deploy", ADD).returncode
    assert (checkout / "site" / tag / "index.html").exists()


@pytest.mark.parametrize("tag", ["term-", "term-früh", "term-a+b", "term-a b", "term-a/b"])
def test_a_tag_that_cannot_be_an_address_is_refused(checkout: Path, gh: Path, tag: str) -> None:
    """A tag that cannot be an address is refused before anything is built, in a sentence that says what it may hold."""
    result = run(checkout, gh, "term", NAME, tag)
    assert 1 == result.returncode
    assert result.stdout.startswith(
        f"::error::the tag {tag} cannot be the address of an edition. After term-, use letters"
    )
    assert 1 == result.stdout.count("\n")


def test_editions_have_one_pattern() -> None:
    """Keeping and publishing use one pattern of tags, and every tag for a term starts the workflow that keeps it."""
    assert load("term")["env"] == load("deploy")["env"]
    assert {"tags": ["term-**"]} == load("term")["on"]["push"]


def test_an_edition_is_tested_kept_and_then_published(checkout: Path, gh: Path) -> None:
    """An edition is tested, then kept, then published, each job waiting for the one before.

    The last job asks `main` to deploy, with the permission for that and no other.
    """
    jobs = load("term")["jobs"]
    assert ["name", "test", "keep", "publish"] == list(jobs)
    assert ["name", "test", "keep"] == [jobs[name]["needs"] for name in ("test", "keep", "publish")]
    assert "./.github/workflows/test.yml" == jobs["test"]["uses"]
    assert {"actions": "write"} == jobs["publish"]["permissions"]
    assert "workflow_dispatch" in load("deploy")["on"]
    script(gh / "gh", f'echo "$*" >> {checkout.parent}/asked.txt')
    assert 0 == run(checkout, gh, "term", KEEP, "term-autumn").returncode
    assert 0 == run(checkout, gh, "term", DEPLOY, "term-autumn").returncode
    release, deployment = (checkout.parent / "asked.txt").read_text().splitlines()
    assert release.startswith("release create term-autumn edition.tar.gz ")
    assert "workflow run deploy.yml --ref main" == deployment
    with tarfile.open(checkout / "edition.tar.gz") as archive:
        assert "./index.html" in archive.getnames()


def test_pages_have_a_commit_to_be_compared_with() -> None:
    """The jobs that run tests fetch the commit before as well, with which `tests/docs/test_growth.py` compares."""
    checkouts = [
        step["with"]
        for job in load("test")["jobs"].values()
        for step in job["steps"]
        if step.get("uses", "").startswith("actions/checkout@")
    ]
    assert ["2", "2"] == [checkout.get("fetch-depth") for checkout in checkouts]
