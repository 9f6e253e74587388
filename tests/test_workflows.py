"""What the workflows run, run here with a `gh` that a test writes."""

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
    """A workflow; every key and value is the text that stands there, since YAML would take `on` for a truth value."""
    text = (FOLDER / f"{workflow}.yml").read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.load(text, yaml.BaseLoader)  # noqa: S506  it makes nothing but texts
    return content


def step(workflow: str, name: str) -> tuple[str, str]:
    """The code of the step of a name, and the shell that runs it."""
    steps = [each for job in load(workflow)["jobs"].values() for each in job.get("steps", ())]
    (found,) = [each for each in steps if each.get("name") == name]
    return found["run"], found["shell"]


@pytest.fixture
def gh(tmp_path: Path) -> Path:
    """A folder for PATH, in which a test writes its `gh`."""
    return tmp_path / "programs"


def run(folder: Path, gh: Path, workflow: str, name: str, tag: str = "") -> subprocess.CompletedProcess[str]:
    """Run a step in a folder as the runner does: https://docs.github.com, "Workflow syntax", on `shell`."""
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
    """A folder with a built site, and beside it an edition as a release keeps it."""
    site = tmp_path / "checkout" / "site"
    site.mkdir(parents=True)
    (site / "index.html").write_text("current")
    (tmp_path / "index.html").write_text("edition")
    with tarfile.open(tmp_path / "edition.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "index.html", "index.html")
    return site.parent


def test_a_site_without_a_list_of_its_editions_is_not_published(checkout: Path, gh: Path) -> None:
    """It would go online without any of them, and nobody would notice but their readers."""
    script(gh / "gh", "echo 'HTTP 502' >&2; exit 1")
    assert run(checkout, gh, "deploy", ADD).returncode != 0


def test_each_edition_is_added(checkout: Path, gh: Path) -> None:
    """Those of releases for terms; one that cannot be had is left out with a warning, and no other release is any."""
    listed = "term-2026_spring term-lost v1.0 term-autumn"
    script(
        gh / "gh",
        f"""case "$1 $2 $3" in
        "release list "*) printf '%s\\n' {listed} ;;
        "release download term-lost") exit 1 ;;
        "release download "*) cat {checkout.parent}/edition.tar.gz ;;
        esac""",
    )
    done = run(checkout, gh, "deploy", ADD)
    assert (0, "::warning::the edition term-lost could not be downloaded and is left out\n") == (done.returncode, done.stdout)
    found = {path.relative_to(checkout / "site").as_posix() for path in (checkout / "site").rglob("*.html")}
    assert {"index.html", "term-2026_spring/index.html", "term-autumn/index.html"} == found


def test_a_site_without_editions_is_published(checkout: Path, gh: Path) -> None:
    """A repository need not have a release."""
    script(gh / "gh", "")
    assert 0 == run(checkout, gh, "deploy", ADD).returncode


@pytest.mark.parametrize("tag", ["term-autumn", "term-2026_spring", "term-2026.1-b"])
def test_what_is_kept_is_published(checkout: Path, gh: Path, tag: str) -> None:
    """A tag that passes is an edition that deploying knows."""
    assert 0 == run(checkout, gh, "term", NAME, tag).returncode
    script(gh / "gh", f'[ "$2" = list ] && echo {tag} || cat {checkout.parent}/edition.tar.gz')
    assert 0 == run(checkout, gh, "deploy", ADD).returncode
    assert (checkout / "site" / tag / "index.html").exists()


@pytest.mark.parametrize("tag", ["term-", "term-früh", "term-a+b", "term-a b", "term-a/b"])
def test_a_tag_that_cannot_be_an_address_is_refused(checkout: Path, gh: Path, tag: str) -> None:
    """In a sentence that says what may be in one, before anything is built."""
    done = run(checkout, gh, "term", NAME, tag)
    assert 1 == done.returncode
    assert done.stdout.startswith(f"::error::the tag {tag} cannot be the address of an edition. After term-, use letters")
    assert 1 == done.stdout.count("\n")


def test_editions_have_one_pattern() -> None:
    """Keeping and publishing them agree, and every tag for a term starts the workflow that keeps them."""
    assert load("term")["env"] == load("deploy")["env"]
    assert {"tags": ["term-**"]} == load("term")["on"]["push"]


def test_an_edition_is_tested_kept_and_then_published(checkout: Path, gh: Path) -> None:
    """Each job waits for the one before; main is asked to deploy, with the permission for that and for nothing else."""
    jobs = load("term")["jobs"]
    assert ["name", "test", "keep", "publish"] == list(jobs)
    assert ["name", "test", "keep"] == [jobs[each]["needs"] for each in ("test", "keep", "publish")]
    assert "./.github/workflows/test.yml" == jobs["test"]["uses"]
    assert {"actions": "write"} == jobs["publish"]["permissions"]
    assert "workflow_dispatch" in load("deploy")["on"]
    script(gh / "gh", f'echo "$*" >> {checkout.parent}/asked.txt')
    assert 0 == run(checkout, gh, "term", KEEP, "term-autumn").returncode
    assert 0 == run(checkout, gh, "term", DEPLOY, "term-autumn").returncode
    kept, deployed = (checkout.parent / "asked.txt").read_text().splitlines()
    assert kept.startswith("release create term-autumn edition.tar.gz ")
    assert "workflow run deploy.yml --ref main" == deployed
    with tarfile.open(checkout / "edition.tar.gz") as archive:
        assert "./index.html" in archive.getnames()


def test_pages_have_a_commit_to_be_compared_with() -> None:
    """Where the tests run, the checkout fetches the commit before, with which `docs/test_growth.py` compares."""
    checkouts = [
        each["with"]
        for job in load("test")["jobs"].values()
        for each in job["steps"]
        if each.get("uses", "").startswith("actions/checkout@")
    ]
    assert ["2", "2"] == [each.get("fetch-depth") for each in checkouts]
