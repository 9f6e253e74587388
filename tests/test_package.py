"""The engine can be built as a package, installed into an empty environment, and used without the repository."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "macros" / "counting"

MAX_WHEEL_BYTES = 600_000
"""The wheel must have fewer bytes than this."""

EVIDENCE = {"data/printouts", "data/recordings", "frameworks/recordings.py", "published/printouts.py"}
"""Files that the package omits: recordings with which tests and pages compare the engine, and their readers."""

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PIP_NO_INDEX": "1"}
"""An environment without access to a package index, and without the paths that PYTHONPATH adds."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of the wheel, built with the packages that are installed for the tests."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(folder)]
    output_of([sys.executable, "-m", "pip", "wheel", str(ROOT), *options], folder, {**os.environ, "PIP_NO_INDEX": "1"})
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def bin_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands in a new environment, into which only the wheel is installed."""
    folder = tmp_path_factory.mktemp("environment")
    output_of([sys.executable, "-m", "venv", "--without-pip", str(folder)], folder)
    python = str(folder / "bin" / "python")
    output_of([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", str(wheel)], folder)
    return folder / "bin"


def output_of(command: Sequence[str], folder: Path, environment: dict[str, str] = ENVIRONMENT) -> str:
    """Run a command in a folder, check that it succeeds, and return its standard output."""
    process = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout


def version() -> str:
    """The version that the citation of the repository states."""
    (text,) = re.findall(r'^version: "(.+)"$', (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    return str(text)


def test_the_wheel_has_the_engine_and_nothing_else(wheel: Path) -> None:
    assert wheel.stat().st_size < MAX_WHEEL_BYTES
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
    sources = [path.relative_to(ENGINE).as_posix() for path in ENGINE.rglob("*") if path.suffix in (".py", ".toml")]
    engine = {"py.typed", *(path for path in sources if not path.startswith(tuple(EVIDENCE)))}
    assert {"__main__.py", "question.py", "data/models.toml"} <= engine
    package_files = [name for name in names if ".dist-info/" not in name]
    assert {f"bert_counted/{path}" for path in engine} == set(package_files)
    assert "Requires-Dist" not in metadata
    assert f"\nVersion: {version()}\n" in metadata
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert ["version"] == project["dynamic"]


# Source of the total: BertModel of transformers 5.23.
@pytest.mark.parametrize("command", [["bert-counted"], ["python", "-m", "bert_counted"]], ids=" ".join)
def test_the_installed_command_counts_and_shows_the_name_it_was_called_by(
    command: list[str], bin_folder: Path, tmp_path: Path
) -> None:
    call = [str(bin_folder / command[0]), *command[1:]]
    assert "109,482,240" == output_of([*call, "bert-base-uncased"], tmp_path).split()[-1]
    assert output_of([*call, "--help"], tmp_path).startswith(f"usage: {' '.join(command)} ")
    assert f"{' '.join(command)} {version()}\n" == output_of([*call, "--version"], tmp_path)


def test_every_module_can_be_imported_without_the_repository(bin_folder: Path, tmp_path: Path) -> None:
    """No module needs another package, or a module that is not in the wheel."""
    script = """
import pkgutil, sys
from importlib import import_module
import bert_counted
from bert_counted import count, model_named
print(count(model_named("bert-base-uncased")))
names = [module.name for module in pkgutil.walk_packages(bert_counted.__path__, "bert_counted.")]
for name in names:
    import_module(name)
print(len(names) > 50, "macros" in sys.modules)
"""
    assert "109482240\nTrue False\n" == output_of([str(bin_folder / "python"), "-c", script], tmp_path)
