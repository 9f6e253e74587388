"""The jobs of workflows depend on each other as intended, and their steps work with a script in place of `gh`."""

import os
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_makefile import ROOT, write_script

WORKFLOWS_FOLDER = ROOT / ".github" / "workflows"


def workflow_named(workflow: str) -> dict[str, Any]:
    """The workflow with this file name. All scalars are strings, because YAML would read the key `on` as true."""
    text = (WORKFLOWS_FOLDER / f"{workflow}.yml").read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.load(text, yaml.BaseLoader)  # noqa: S506  this loader only creates strings
    return content


def step(workflow: str, name: str) -> tuple[str, str]:
    """The code of the step with this name, and the shell that runs it."""
    steps = [step for job in workflow_named(workflow)["jobs"].values() for step in job.get("steps", ())]
    (entry,) = [step for step in steps if step.get("name") == name]
    return entry["run"], entry["shell"]


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """The folder into which a test writes a script named `gh`."""
    return tmp_path / "programs"


def run_step(folder: Path, programs: Path, workflow: str, name: str, tag: str = "") -> subprocess.CompletedProcess[str]:
    """Run a step in a folder as GitHub does. Source: https://docs.github.com, "Workflow syntax", on `shell`."""
    code, shell = step(workflow, name)
    command = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", code]}[shell]
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "GITHUB_REF_NAME": tag, **workflow_named(workflow)["env"]}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


ADD_EDITIONS, CHECK_TAG, KEEP_EDITION, DEPLOY_EDITION = (
    "Add the editions",
    "Refuse a tag that cannot be an address",
    "Keep the edition",
    "Deploy the site with the new edition",
)
"""The names of the steps."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a built site. Next to the folder is the archive of an edition, as in a release."""
    site = tmp_path / "checkout" / "site"
    site.mkdir(parents=True)
    (site / "index.html").write_text("current")
    (tmp_path / "index.html").write_text("edition")
    with tarfile.open(tmp_path / "edition.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "index.html", "index.html")
    return site.parent


def test_nothing_is_published_if_the_editions_cannot_be_listed(checkout: Path, programs: Path) -> None:
    """A site published without the list would lose all its editions."""
    write_script(programs / "gh", "echo 'HTTP 502' >&2; exit 1")
    assert run_step(checkout, programs, "deploy", ADD_EDITIONS).returncode != 0


def test_the_edition_of_every_release_for_a_term_is_added(checkout: Path, programs: Path) -> None:
    """An edition that cannot be downloaded is left out with a warning; other releases are ignored."""
    tags = "term-2026_spring term-lost v1.0 term-autumn"
    write_script(
        programs / "gh",
        f"""case "$1 $2 $3" in
        "release list "*) printf '%s\\n' {tags} ;;
        "release download term-lost") exit 1 ;;
        "release download "*) cat {checkout.parent}/edition.tar.gz ;;
        esac""",
    )
    result = run_step(checkout, programs, "deploy", ADD_EDITIONS)
    assert (0, "::warning::the edition term-lost could not be downloaded and is left out\n") == (
        result.returncode,
        result.stdout,
    )
    pages = {path.relative_to(checkout / "site").as_posix() for path in (checkout / "site").rglob("*.html")}
    assert {"index.html", "term-2026_spring/index.html", "term-autumn/index.html"} == pages


def test_a_site_without_editions_is_published(checkout: Path, programs: Path) -> None:
    """A repository may have no releases."""
    write_script(programs / "gh", "")
    assert 0 == run_step(checkout, programs, "deploy", ADD_EDITIONS).returncode


@pytest.mark.parametrize("tag", ["term-autumn", "term-2026_spring", "term-2026.1-b"])
def test_every_edition_whose_tag_is_accepted_is_published(checkout: Path, programs: Path, tag: str) -> None:
    assert 0 == run_step(checkout, programs, "term", CHECK_TAG, tag).returncode
    write_script(programs / "gh", f'[ "$2" = list ] && echo {tag} || cat {checkout.parent}/edition.tar.gz')
    assert 0 == run_step(checkout, programs, "deploy", ADD_EDITIONS).returncode
    assert (checkout / "site" / tag / "index.html").exists()


@pytest.mark.parametrize("tag", ["term-", "term-früh", "term-a+b", "term-a b", "term-a/b"])
def test_a_tag_that_cannot_be_an_address_is_refused(checkout: Path, programs: Path, tag: str) -> None:
    result = run_step(checkout, programs, "term", CHECK_TAG, tag)
    assert 1 == result.returncode
    assert result.stdout.startswith(
        f"::error::the tag {tag} cannot be the address of an edition. After term-, use letters"
    )
    assert 1 == result.stdout.count("\n")


def test_both_workflows_have_the_same_pattern_of_tags() -> None:
    """One workflow keeps editions and is started by every tag for a term; the other deploys."""
    assert workflow_named("term")["env"] == workflow_named("deploy")["env"]
    assert {"tags": ["term-**"]} == workflow_named("term")["on"]["push"]


def test_an_edition_is_tested_kept_and_then_published(checkout: Path, programs: Path) -> None:
    """Each job waits for the previous one. The last one starts the deployment of `main`, and may do nothing else."""
    jobs = workflow_named("term")["jobs"]
    assert ["name", "test", "keep", "publish"] == list(jobs)
    assert ["name", "test", "keep"] == [jobs[name]["needs"] for name in ("test", "keep", "publish")]
    assert "./.github/workflows/test.yml" == jobs["test"]["uses"]
    assert {"actions": "write"} == jobs["publish"]["permissions"]
    assert "workflow_dispatch" in workflow_named("deploy")["on"]
    write_script(programs / "gh", f'echo "$*" >> {checkout.parent}/gh-calls.txt')
    assert 0 == run_step(checkout, programs, "term", KEEP_EDITION, "term-autumn").returncode
    assert 0 == run_step(checkout, programs, "term", DEPLOY_EDITION, "term-autumn").returncode
    release, deployment = (checkout.parent / "gh-calls.txt").read_text().splitlines()
    assert release.startswith("release create term-autumn edition.tar.gz ")
    assert "workflow run deploy.yml --ref main" == deployment
    with tarfile.open(checkout / "edition.tar.gz") as archive:
        assert "./index.html" in archive.getnames()


def test_the_jobs_that_run_tests_fetch_an_earlier_commit() -> None:
    """`tests/docs/test_growth.py` compares pages with those of the previous commit."""
    checkouts = [
        step["with"]
        for job in workflow_named("test")["jobs"].values()
        for step in job["steps"]
        if step.get("uses", "").startswith("actions/checkout@")
    ]
    assert ["2", "2"] == [checkout.get("fetch-depth") for checkout in checkouts]
