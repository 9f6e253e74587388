"""The engine as a package: it is built, installed into an empty environment, and used outside the repository."""

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

LARGEST_WHEEL = 600_000
"""The most bytes of the wheel."""

EVIDENCE = {"data/printouts", "data/recordings", "frameworks/recordings.py", "published/printouts.py"}
"""Evidence that tests and pages compare the engine with, and the modules that read it: no part of the package."""

# Nothing may reach a package index, and the checkout may not be on the path.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PIP_NO_INDEX": "1"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the packages of the tests."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(folder)]
    output([sys.executable, "-m", "pip", "wheel", str(ROOT), *options], folder, {**os.environ, "PIP_NO_INDEX": "1"})
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def binaries(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands in a new environment that holds the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    output([sys.executable, "-m", "venv", "--without-pip", str(folder)], folder)
    python = str(folder / "bin" / "python")
    output([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", str(wheel)], folder)
    return folder / "bin"


def output(command: Sequence[str], folder: Path, environment: dict[str, str] = ENVIRONMENT) -> str:
    """The standard output of a command that succeeds, run in a folder."""
    process = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_the_wheel_holds_the_engine_and_nothing_else(wheel: Path) -> None:
    """The wheel has the code and the data of the engine, is small, requires nothing, and has the version to cite."""
    assert wheel.stat().st_size < LARGEST_WHEEL
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
    engine = {path.relative_to(ENGINE).as_posix() for path in ENGINE.rglob("*") if path.suffix in (".py", ".toml")}
    engine = {path for path in engine if not path.startswith(tuple(EVIDENCE))} | {"py.typed"}
    assert {"__main__.py", "question.py", "data/models.toml"} <= engine
    package_files = [name for name in names if ".dist-info/" not in name]
    assert {f"bert_counted/{path}" for path in engine} == set(package_files)
    assert "Requires-Dist" not in metadata
    (version,) = re.findall(r'^version: "(.+)"$', (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"\nVersion: {version}\n" in metadata
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert ["version"] == project["dynamic"]


# Source: transformers 5.23 builds BertModel with this many parameters.
@pytest.mark.parametrize("command", [["bert-counted"], ["python", "-m", "bert_counted"]], ids=" ".join)
def test_the_command_counts(command: list[str], binaries: Path, tmp_path: Path) -> None:
    """The installed command counts BERT base, and its help has the name by which it was called."""
    call = [str(binaries / command[0]), *command[1:]]
    assert "109,482,240" == output([*call, "bert-base-uncased"], tmp_path).split()[-1]
    assert output([*call, "--help"], tmp_path).startswith(f"usage: {' '.join(command)} ")
    (version,) = re.findall(r'^version: "(.+)"$', (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"{' '.join(command)} {version}\n" == output([*call, "--version"], tmp_path)


def test_every_module_is_imported_without_the_repository(binaries: Path, tmp_path: Path) -> None:
    """The engine counts, and none of its modules needs another package or one that is not in the wheel."""
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
    assert "109482240\nTrue False\n" == output([str(binaries / "python"), "-c", script], tmp_path)
