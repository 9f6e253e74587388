"""The Makefile runs the right commands, and explains in one line why a command cannot run."""

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


def run_make(*arguments: str, makefile: str = MAKEFILE, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run make with arguments and environment variables, but without those of another make that may run the tests."""
    # Our Makefile exports variables that begin with SOURCE; make itself sets the others.
    prefixes_of_make = ("MAKE", "MFLAGS", "SOURCE")
    outer_variables = {name: value for name, value in os.environ.items() if not name.startswith(prefixes_of_make)}
    command = [shutil.which("make") or "", "-f", "-", *arguments]
    return subprocess.run(
        command,
        cwd=ROOT,
        env=outer_variables | variables,
        input=makefile,
        capture_output=True,
        text=True,
        check=False,
    )


def write_script(path: Path, text: str) -> Path:
    """Write an executable shell script, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def make_options(tmp_path: Path) -> tuple[str, ...]:
    """Arguments that make `make` accept a folder as a complete environment. Tests write the programs into it."""
    folder = tmp_path / "environment"
    return (f"VENV={folder}", "-o", f"{folder}/.ready", "-o", f"{folder}/.ready-for-tests")


def test_help_lists_every_command_with_a_description() -> None:
    targets = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert targets
    # A make within another one would print the folder that it enters.
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "help"]
    result = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    lines = [line.split(maxsplit=2) for line in result.stdout.splitlines()]
    assert sorted(targets[1].split()) == sorted(command for _, command, _ in lines)
    assert [] == [command for _, command, text in lines if not text]


def test_an_unreachable_clone_is_explained(tmp_path: Path) -> None:
    missing_clone, target = tmp_path / "nowhere", f"{tmp_path}/google-bert/.ready"
    # -o keeps make from installing the environment.
    result = run_make("-o", ".venv/.ready", f"ORACLES={tmp_path}", target, f"GOOGLE_BERT={missing_clone}")
    assert result.returncode == 2
    assert f"cannot be cloned from {missing_clone}. Try make verify GOOGLE_BERT=<path of a clone>" in result.stderr


@pytest.mark.parametrize("ci", ["", "true"])
def test_without_node_the_scripts_are_not_checked(tmp_path: Path, make_options: tuple[str, ...], ci: str) -> None:
    """In CI, this is an error."""
    (tmp_path / "sh").symlink_to(shutil.which("sh") or "")
    for name in ("ruff", "mypy"):
        write_script(tmp_path / "environment" / "bin" / name, "")
    result = run_make(*make_options, "--silent", "lint", PATH=str(tmp_path), CI=ci)
    message = "make lint did not check the scripts: that needs Node.js with npm\n"
    assert (2 if ci else 0, "") == (result.returncode, result.stdout)
    assert result.stderr.startswith(message) if ci else message == result.stderr


def test_a_python_without_venv_or_pip_is_explained(tmp_path: Path) -> None:
    bare_python = write_script(
        tmp_path / "python", f'case "$2" in *ensurepip*) exit 1;; esac\nexec {quote(sys.executable)} "$@"'
    )
    environment = tmp_path / "environment"
    result = run_make(f"PYTHON={bare_python}", f"VENV={environment}", f"{environment}/.ready")
    assert result.returncode == 2
    message, end = result.stderr.splitlines()
    advice = "install them and try again (Debian and Ubuntu: apt-get install python3-venv)"
    assert message.endswith(f"lacks venv or pip: {advice}")
    assert end.startswith("make: ***")
    assert not environment.exists()


@pytest.mark.parametrize(
    ("target", "ci", "expected"),
    [
        ("serve", "", ["requirements.txt"]),
        ("build", "", ["requirements.txt"]),
        ("build", "true", ["requirements.txt", "tests/requirements.txt"]),
        *((name, "", ["requirements.txt", "tests/requirements.txt"]) for name in ("test", "check", "lint", "record")),
    ],
)
def test_serving_and_building_install_only_what_the_site_needs(
    tmp_path: Path, target: str, ci: str, expected: list[str]
) -> None:
    """Other commands also install the packages for the tests, and so does a build in CI, which prints hand-outs."""
    result = run_make(
        "--dry-run", f"VENV={tmp_path}/environment", "-o", "tests/scripts/node_modules/.ready", target, CI=ci
    )
    assert expected == re.findall(r"pip install .* -r (\S+)", result.stdout)


def test_a_port_that_is_taken_is_explained(tmp_path: Path, make_options: tuple[str, ...]) -> None:
    """MkDocs would first build the site, and then end with a traceback."""
    started_file = tmp_path / "started.txt"
    write_script(tmp_path / "environment" / "bin" / "python", f'exec {quote(sys.executable)} "$@"')
    write_script(tmp_path / "environment" / "bin" / "mkdocs", f'echo "$*" > {quote(str(started_file))}')
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        result = run_make(*make_options, "serve", f"PORT={port}")
    message, end = result.stderr.splitlines()
    assert (2, False) == (result.returncode, started_file.exists())
    assert (
        f"the site cannot be served at 127.0.0.1:{port}, which is taken or not allowed. Try make serve PORT=" in message
    )
    assert end.startswith("make: ***")
    run_make(*make_options, "serve", f"PORT={port}")
    assert f"serve --dev-addr 127.0.0.1:{port}\n" == started_file.read_text()


@pytest.mark.parametrize(
    ("status", "expected"), [(0, ["tests.docs.get_browser.", "pytest."]), (1, ["tests.docs.get_browser."])]
)
def test_no_test_runs_without_a_browser(
    tmp_path: Path, make_options: tuple[str, ...], status: int, expected: list[str]
) -> None:
    """`make test` also unsets PYTHONDONTWRITEBYTECODE, which would make every test process compile all code again."""
    log = tmp_path / "ran.txt"
    text = f'echo "$2.$PYTHONDONTWRITEBYTECODE" >> {log}\ncase "$2" in *get_browser) exit {status};; esac'
    write_script(tmp_path / "environment" / "bin" / "python", text)
    result = run_make(*make_options, "-o", "lint", "test", PYTHONDONTWRITEBYTECODE="1")
    assert (2 if status else 0) == result.returncode
    assert expected == log.read_text().split()


@pytest.mark.parametrize(("status", "expected"), [(0, ["test", "/a/browser"]), (1, ["test"])])
def test_ci_also_tests_in_a_second_browser_if_there_is_one(tmp_path: Path, status: int, expected: list[str]) -> None:
    """CI fails if the tests fail in that browser."""
    log = tmp_path / "ran.txt"
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    write_script(tmp_path / "bin" / "npm", "")
    write_script(
        tmp_path / "bin" / "make", f'echo "${{CHROME_PATH:-$1}}" >> {log}\ntest "${{CHROME_PATH:-$1}}" != /a/browser'
    )
    python = f'case "$*" in *get_browser*--other) echo /a/browser; exit {status};; esac'
    write_script(tmp_path / ".venv" / "bin" / "python", python)
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    result = subprocess.run(["bash", tmp_path / ".ci" / "run"], env={"PATH": path}, capture_output=True, check=False)
    assert (1 - status, expected) == (result.returncode, log.read_text().split())


SCRIPTS_RUN_MANUALLY = {"record_card"}
"""The script that needs a graphics card. Machines that run `make verify` may have none."""


def test_verify_runs_every_recording_script_except_those_run_manually() -> None:
    scripts_in_verify = set(re.findall(r"-m tests\.oracles\.(\w+)", MAKEFILE.split("\nverify:")[1].split("\n\n")[0]))
    folder = ROOT / "tests" / "oracles"
    scripts = {path.stem for pattern in ("record_*.py", "read_*.py") for path in folder.glob(pattern)}
    assert {"record_transformers", "read_banks"} <= scripts
    assert SCRIPTS_RUN_MANUALLY == scripts - scripts_in_verify
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert [] == [name for name in SCRIPTS_RUN_MANUALLY if f"`{name}` is run manually" not in readme]


@pytest.mark.parametrize(("ci", "paper"), [("true", "required"), ("", "if-possible")])
def test_hand_outs_are_printed_before_the_site_is_published(ci: str, paper: str) -> None:
    """The workflows that publish run `make build`, which fails in CI if it cannot print the hand-outs."""
    result = run_make("--dry-run", "-o", ".venv/.ready", "-o", ".venv/.ready-for-tests", "build", CI=ci)
    assert f"PAPER={paper} .venv/bin/mkdocs build --site-dir site" in result.stdout
    for workflow in ("deploy", "term"):
        assert "- run: make build" in (ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text()
