"""What the Makefile runs, and what it says when it cannot go on."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from shlex import quote

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["GOOGLE_BERT", "MOODLE", "QTI_MIGRATION_TOOL"])
def test_an_unreachable_clone_is_explained(tmp_path: Path, name: str) -> None:
    """`make verify` fails where a repository cannot be cloned, and says what would do."""
    nowhere, target = tmp_path / "nowhere", f"{tmp_path}/{name.lower().replace('_', '-')}/.ready"
    # -o: the environment is not to be made for this.
    done = made("-o", ".venv/.ready", f"ORACLES={tmp_path}", target, f"{name}={nowhere}")
    assert done.returncode == 2
    assert f"{nowhere}. Try make verify {name}=<path of a clone>" in done.stderr.replace(" cannot be cloned.", ".")


def linted_with(folder: Path, tools: tuple[str, ...], **environment: str) -> subprocess.CompletedProcess[str]:
    """What `make lint` does where nothing but a shell and these tools is installed."""
    for name in ("sh", *tools):
        (folder / name).symlink_to(shutil.which("sh") or "")
    for name in ("ruff", "mypy"):
        script(folder / "environment" / "bin" / name, "")
    make = [shutil.which("make") or "", f"VENV={folder}/environment", "-o", f"{folder}/environment/.ready", "--silent"]
    chosen = {"PATH": str(folder), **environment}
    return subprocess.run([*make, "lint"], cwd=ROOT, env=chosen, capture_output=True, text=True, check=False)


WITHOUT_NODE = "make lint did not check the scripts: that needs Node.js with npm\n"


@pytest.mark.parametrize("tools", [(), ("node",), ("npm",)])
def test_without_node_the_scripts_are_left_out(tmp_path: Path, tools: tuple[str, ...]) -> None:
    """`make lint` succeeds where Node.js or npm is missing, and says in one line what it left out."""
    done = linted_with(tmp_path, tools)
    assert (0, "", WITHOUT_NODE) == (done.returncode, done.stdout, done.stderr)


def test_ci_does_not_leave_the_scripts_out(tmp_path: Path) -> None:
    """There a machine without Node.js fails, with the same line."""
    done = linted_with(tmp_path, (), CI="true")
    assert 2 == done.returncode
    assert done.stderr.startswith(WITHOUT_NODE)


def made(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What make does with some arguments, whether or not it is make that runs this test."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(["make", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def script(path: Path, text: str) -> Path:
    """A shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("lacking", ["ensurepip", "venv"])
def test_a_python_without_venv_or_pip_is_explained(tmp_path: Path, lacking: str) -> None:
    """On a bare Debian, the package to install is named before anything is made."""
    bare = script(tmp_path / "python", f'case "$2" in *{lacking}*) exit 1;; esac\nexec {quote(sys.executable)} "$@"')
    environment = tmp_path / "environment"
    done = made(f"PYTHON={bare}", f"VENV={environment}", f"{environment}/.ready")
    assert done.returncode == 2
    lacks, stopped = done.stderr.splitlines()
    assert lacks.endswith(
        "lacks venv or pip: install them and try again (Debian and Ubuntu: apt-get install python3-venv)"
    )
    assert stopped.startswith("make: ***")
    assert not environment.exists()


def served(folder: Path, port: int) -> tuple[subprocess.CompletedProcess[str], str]:
    """What `make serve` does at a port, and with which arguments it starts MkDocs."""
    started = folder / "started.txt"
    script(folder / "environment" / "bin" / "python", f'exec {quote(sys.executable)} "$@"')
    script(folder / "environment" / "bin" / "mkdocs", f'echo "$*" > {quote(str(started))}')
    ready = f"{folder}/environment/.ready"
    done = made(f"VENV={folder}/environment", "-o", ready, "serve", f"PORT={port}")
    return done, started.read_text() if started.exists() else ""


def test_a_port_that_is_taken_is_explained(tmp_path: Path) -> None:
    """Before anything is built, in one line; MkDocs would build the site and show where in its code it failed."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done, started = served(tmp_path, port)
    says, stopped = done.stderr.splitlines()
    assert (2, "") == (done.returncode, started)
    assert f"the site cannot be served at 127.0.0.1:{port}, which is taken or not allowed. Try make serve PORT=" in says
    assert stopped.startswith("make: ***")
    assert f"serve --dev-addr 127.0.0.1:{port}\n" == served(tmp_path, port)[1]


@pytest.mark.parametrize(("home", "cache"), [("", f"{ROOT}/.cache/npm"), ("home", "")])
def test_npm_needs_no_home_directory(tmp_path: Path, home: str, cache: str) -> None:
    """Where none can be written, it keeps what it downloads in the project; else where it always does."""
    (tmp_path / "home").mkdir()
    command = ["make", "--eval", "npm-cache: ; @echo $$npm_config_cache", "npm-cache"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / (home or "not there"))}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert cache == done.stdout.strip()


@pytest.mark.parametrize(
    ("status", "expected"), [(0, ["tests.docs.get_browser", "pytest"]), (1, ["tests.docs.get_browser"])]
)
def test_no_test_runs_without_a_browser(tmp_path: Path, status: int, expected: list[str]) -> None:
    """A browser is looked for first; where there is none, `make test` fails before any test."""
    ran = tmp_path / "ran.txt"
    text = f'echo "$2" >> {ran}\ncase "$2" in *get_browser) exit {status};; esac'
    script(tmp_path / "environment" / "bin" / "python", text)
    done = made(f"VENV={tmp_path}/environment", "-o", "lint", "test")
    assert (2 if status else 0) == done.returncode
    assert expected == ran.read_text().split()


@pytest.mark.parametrize(
    ("other", "fails", "status", "expected"),
    [
        (0, "nothing", 0, ["test", "/a/browser"]),
        (1, "nothing", 0, ["test"]),
        (0, "test", 1, ["test"]),
        (0, "/a/browser", 1, ["test", "/a/browser"]),
    ],
)
def test_ci_takes_a_second_browser_where_there_is_one(
    tmp_path: Path, other: int, fails: str, status: int, expected: list[str]
) -> None:
    """What fails in either fails; a machine with one browser only is none that fails."""
    ran = tmp_path / "ran.txt"
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    script(tmp_path / "bin" / "npm", "")
    script(tmp_path / "bin" / "make", f'echo "${{CHROME_PATH:-$1}}" >> {ran}\ntest "${{CHROME_PATH:-$1}}" != {fails}')
    python = f'case "$*" in *get_browser*--other) echo /a/browser; exit {other};; esac'
    script(tmp_path / ".venv" / "bin" / "python", python)
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    done = subprocess.run(["bash", tmp_path / ".ci" / "run"], env={"PATH": path}, capture_output=True, check=False)
    assert (status, expected) == (done.returncode, ran.read_text().split())


def test_code_is_kept_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine says: every process of a run of tests would compile all code anew."""
    said = tmp_path / "said.txt"
    script(tmp_path / "environment" / "bin" / "python", f'echo "$PYTHONDONTWRITEBYTECODE." >> {said}')
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert 0 == made(f"VENV={tmp_path}/environment", "-o", "lint", "test").returncode
    assert {"."} == {*said.read_text().split()}


@pytest.mark.parametrize("target", ["build", "serve"])
def test_code_is_compiled_outside_of_the_source_folder(tmp_path: Path, target: str) -> None:
    """Into the cache: a build changes nothing else, and what `mkdocs serve` watches stays as it is."""
    said = tmp_path / "said.txt"
    for program in ("python", "mkdocs"):
        script(tmp_path / "environment" / "bin" / program, f'echo "$PYTHONPYCACHEPREFIX" >> {said}')
    assert 0 == made(f"VENV={tmp_path}/environment", "-o", f"{tmp_path}/environment/.ready", target).returncode
    assert {f"{ROOT}/.cache/bytecode"} == {*said.read_text().splitlines()}


def not_recorded(makefile: str) -> list[str]:
    """The scripts that record or read which `make verify` does not run."""
    recipe = makefile.split("\nverify:")[1].split("\n\n")[0]
    run = re.findall(r"-m tests\.oracles\.(\w+)", recipe)
    there = {
        path.stem for pattern in ("record_*.py", "read_*.py") for path in (ROOT / "tests" / "oracles").glob(pattern)
    }
    return sorted(there - set(run))


def test_verify_runs_every_recording_script() -> None:
    """None is forgotten, and one that is would be noticed."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [] == not_recorded(makefile)
    assert ["record_others"] == not_recorded(makefile.replace("tests.oracles.record_others", "tests.oracles.other"))
    assert ["read_banks"] == not_recorded(makefile.replace("tests.oracles.read_banks", "tests.oracles.other"))


def date_made(makefile: str, **environment: str) -> int:
    """The date that make gives a build, in seconds since 1970."""
    chosen = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "SOURCE_"))}
    command = [shutil.which("make") or "", "-f", "-", "--eval", "date-made: ; @echo $$SOURCE_DATE_EPOCH", "date-made"]
    done = subprocess.run(
        command, cwd=ROOT, env={**chosen, **environment}, input=makefile, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def test_without_git_a_build_is_not_from_1970(tmp_path: Path) -> None:
    """It has the date of the day; with git that of the last commit; and a made-up one would be noticed."""
    for tool in ("sh", "date", "echo"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or "")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert abs(date_made(makefile, PATH=str(tmp_path)) - time.time()) < 3600
    assert 0 == date_made(makefile.replace("|| date +%s", "|| echo 0"), PATH=str(tmp_path))
    assert 17 == date_made(makefile, SOURCE_DATE_EPOCH="17")


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_tests_that_need_git_say_so(tmp_path: Path, ci: str, status: int) -> None:
    """Where it is not installed they are left out; in CI they fail."""
    files = ["tests/rendering/test_citations.py"]
    command = [sys.executable, "-m", "pytest", *files]
    environment = {**os.environ, "PATH": str(tmp_path), "CI": ci}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (status, not status) == (done.returncode, "git is not installed, and this test makes a" in done.stdout)


@pytest.mark.parametrize(("ci", "paper"), [("true", "required"), ("", "if-possible")])
def test_what_is_published_has_been_printed(ci: str, paper: str) -> None:
    """The workflow that deploys runs `make build`, which there does not do without a browser."""
    command = ["make", "--dry-run", "-o", ".venv/.ready", "build"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "CI": ci}, capture_output=True, text=True, check=True)
    assert f"PAPER={paper} .venv/bin/mkdocs build --site-dir site" in done.stdout
    for workflow in ("deploy", "term"):
        assert "- run: make build" in (ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text()
