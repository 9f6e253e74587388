"""What the Makefile runs, and what it says when it cannot go on."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from shlex import quote

import pytest

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def made(*arguments: str, makefile: str = MAKEFILE, **environment: str) -> subprocess.CompletedProcess[str]:
    """What make does with some arguments, whether or not it is make that runs this test."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "SOURCE"))}
    command = [shutil.which("make") or "", "-f", "-", *arguments]
    chosen = {**inherited, **environment}
    return subprocess.run(command, cwd=ROOT, env=chosen, input=makefile, capture_output=True, text=True, check=False)


def script(path: Path, text: str) -> Path:
    """A shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def environment(tmp_path: Path) -> tuple[str, ...]:
    """Arguments for make with which an environment is there, whose programs a test writes."""
    folder = tmp_path / "environment"
    return (f"VENV={folder}", "-o", f"{folder}/.ready", "-o", f"{folder}/.ready-for-tests")


def test_help_lists_every_command() -> None:
    """Each on a line of its own, with what it does; so the comment behind a target may not be left out."""
    targets = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert targets
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert sorted(targets[1].split()) == sorted(command for _, command, _ in listed)
    assert all(text for *_, text in listed)


def test_an_unreachable_clone_is_explained(tmp_path: Path) -> None:
    """`make verify` fails where a repository cannot be cloned, and says what would do."""
    nowhere, target = tmp_path / "nowhere", f"{tmp_path}/google-bert/.ready"
    # -o: the environment is not to be made for this.
    done = made("-o", ".venv/.ready", f"ORACLES={tmp_path}", target, f"GOOGLE_BERT={nowhere}")
    assert done.returncode == 2
    assert f"{nowhere}. Try make verify GOOGLE_BERT=<path of a clone>" in done.stderr.replace(" cannot be cloned.", ".")


@pytest.mark.parametrize("ci", ["", "true"])
def test_without_node_the_scripts_are_left_out(tmp_path: Path, environment: tuple[str, ...], ci: str) -> None:
    """`make lint` says in one line that it left them out where Node.js or npm is missing, and in CI fails."""
    (tmp_path / "sh").symlink_to(shutil.which("sh") or "")
    for name in ("ruff", "mypy"):
        script(tmp_path / "environment" / "bin" / name, "")
    done = made(*environment, "--silent", "lint", PATH=str(tmp_path), CI=ci)
    says = "make lint did not check the scripts: that needs Node.js with npm\n"
    assert (2 if ci else 0, "") == (done.returncode, done.stdout)
    assert done.stderr.startswith(says) if ci else says == done.stderr


def test_a_python_without_venv_or_pip_is_explained(tmp_path: Path) -> None:
    """On a bare Debian, the package to install is named before anything is made."""
    bare = script(tmp_path / "python", f'case "$2" in *ensurepip*) exit 1;; esac\nexec {quote(sys.executable)} "$@"')
    target = tmp_path / "environment"
    done = made(f"PYTHON={bare}", f"VENV={target}", f"{target}/.ready")
    assert done.returncode == 2
    lacks, stopped = done.stderr.splitlines()
    install = "install them and try again (Debian and Ubuntu: apt-get install python3-venv)"
    assert lacks.endswith(f"lacks venv or pip: {install}")
    assert stopped.startswith("make: ***")
    assert not target.exists()


@pytest.mark.parametrize(
    ("target", "ci", "expected"),
    [
        ("serve", "", ["requirements.txt"]),
        ("build", "", ["requirements.txt"]),
        ("build", "true", ["requirements.txt", "tests/requirements.txt"]),
        *((each, "", ["requirements.txt", "tests/requirements.txt"]) for each in ("test", "check", "lint", "record")),
    ],
)
def test_the_site_needs_little(tmp_path: Path, target: str, ci: str, expected: list[str]) -> None:
    """To serve and to build it, only its own packages are installed; in CI, where it is printed, those of tests too."""
    done = made("--dry-run", f"VENV={tmp_path}/environment", "-o", "tests/scripts/node_modules/.ready", target, CI=ci)
    assert expected == re.findall(r"pip install .* -r (\S+)", done.stdout)


def test_a_port_that_is_taken_is_explained(tmp_path: Path, environment: tuple[str, ...]) -> None:
    """Before anything is built, in one line; MkDocs would build the site and show where in its code it failed."""
    started = tmp_path / "started.txt"
    script(tmp_path / "environment" / "bin" / "python", f'exec {quote(sys.executable)} "$@"')
    script(tmp_path / "environment" / "bin" / "mkdocs", f'echo "$*" > {quote(str(started))}')
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = made(*environment, "serve", f"PORT={port}")
    says, stopped = done.stderr.splitlines()
    assert (2, False) == (done.returncode, started.exists())
    assert f"the site cannot be served at 127.0.0.1:{port}, which is taken or not allowed. Try make serve PORT=" in says
    assert stopped.startswith("make: ***")
    made(*environment, "serve", f"PORT={port}")
    assert f"serve --dev-addr 127.0.0.1:{port}\n" == started.read_text()


@pytest.mark.parametrize(
    ("status", "expected"), [(0, ["tests.docs.get_browser.", "pytest."]), (1, ["tests.docs.get_browser."])]
)
def test_no_test_runs_without_a_browser(
    tmp_path: Path, environment: tuple[str, ...], status: int, expected: list[str]
) -> None:
    """A browser is looked for first; where there is none, `make test` fails before any test.

    Whatever the machine says, code is kept compiled: every process of the tests would compile all of it anew.
    """
    ran = tmp_path / "ran.txt"
    text = f'echo "$2.$PYTHONDONTWRITEBYTECODE" >> {ran}\ncase "$2" in *get_browser) exit {status};; esac'
    script(tmp_path / "environment" / "bin" / "python", text)
    done = made(*environment, "-o", "lint", "test", PYTHONDONTWRITEBYTECODE="1")
    assert (2 if status else 0) == done.returncode
    assert expected == ran.read_text().split()


@pytest.mark.parametrize(("other", "expected"), [(0, ["test", "/a/browser"]), (1, ["test"])])
def test_ci_takes_a_second_browser_where_there_is_one(tmp_path: Path, other: int, expected: list[str]) -> None:
    """What fails in it fails; a machine with one browser only is none that fails."""
    ran = tmp_path / "ran.txt"
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    script(tmp_path / "bin" / "npm", "")
    script(
        tmp_path / "bin" / "make", f'echo "${{CHROME_PATH:-$1}}" >> {ran}\ntest "${{CHROME_PATH:-$1}}" != /a/browser'
    )
    python = f'case "$*" in *get_browser*--other) echo /a/browser; exit {other};; esac'
    script(tmp_path / ".venv" / "bin" / "python", python)
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    done = subprocess.run(["bash", tmp_path / ".ci" / "run"], env={"PATH": path}, capture_output=True, check=False)
    assert (1 - other, expected) == (done.returncode, ran.read_text().split())


def test_verify_runs_every_recording_script() -> None:
    """None is forgotten."""
    run = set(re.findall(r"-m tests\.oracles\.(\w+)", MAKEFILE.split("\nverify:")[1].split("\n\n")[0]))
    folder = ROOT / "tests" / "oracles"
    there = {path.stem for pattern in ("record_*.py", "read_*.py") for path in folder.glob(pattern)}
    assert {"record_transformers", "read_banks"} <= there <= run


@pytest.mark.parametrize(("ci", "paper"), [("true", "required"), ("", "if-possible")])
def test_what_is_published_has_been_printed(ci: str, paper: str) -> None:
    """The workflow that deploys runs `make build`, which there does not do without a browser."""
    done = made("--dry-run", "-o", ".venv/.ready", "-o", ".venv/.ready-for-tests", "build", CI=ci)
    assert f"PAPER={paper} .venv/bin/mkdocs build --site-dir site" in done.stdout
    for workflow in ("deploy", "term"):
        assert "- run: make build" in (ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text()
