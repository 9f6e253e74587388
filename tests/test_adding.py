"""What the guide says of adding something is all that is needed, and the fast tests say what is missing.

All additions are made on one copy of the repository, just as the guide says
them: none is written into more than three files. `make record`, which records
addresses, is left to the tests of pages.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COPIED = ("macros", "tests", "docs", "README.md", "pyproject.toml", "mkdocs.yml", "Makefile", "CITATION.cff", "LICENSE")

DATA = "macros/counting/data"
ADDED: dict[str, list[dict[str, str]]] = tomllib.loads(Path(__file__).with_name("adding.toml").read_text())
"""By what is added: each file, what it is written before, if not at the end, and what is written."""

ARCHITECTURE = ADDED["architecture"].pop()["text"]


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the fast tests need, with all that is added."""
    target = tmp_path_factory.mktemp("adding") / "repository"
    target.mkdir()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("node_modules"))
        else:
            shutil.copy(ROOT / name, target / name)
    for each in (each for files in ADDED.values() for each in files):
        write(target / each["file"], each.get("before", ""), each["text"])
    # What the guide says of a new set: its lines are recorded.
    subprocess.run([sys.executable, "-m", "tests.teaching.test_seeds"], cwd=target, check=True)
    return target


def write(path: Path, before: str, text: str) -> None:
    """Write more into a file: at its end, or before the last of these words."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    start, found, end = old.rpartition(before) if before else (old, "", "")
    assert found == before
    path.write_text(start + text + found + end, encoding="utf-8")


ELSEWHERE = (
    *("counting/frameworks", "counting/test_changed.py", "counting/test_changes.py", "counting/test_config.py"),
    "counting/test_fuzz.py",
    *("counting/test_polynomials.py", "counting/test_process.py", "counting/test_properties.py"),
    *("counting/test_recorded_configs.py", "rendering/elements/test_waterfalls.py"),
    *("rendering/tables/test_compared.py", "rendering/files/test_schemas.py"),
)
"""What makes up all it counts or reads it in recordings, and no data that is added here."""

FAST = ("tests/counting", "tests/rendering", "tests/test_record_others.py", "tests/teaching/test_seeds.py")
# What was there before is what it was, and is not asked about case by case, downloaded, sampled or read on all pages.
AS_BEFORE = "[ or test_ledgers or test_print_outs or closes or idiom or nested or test_every_page or compared_is_summed"
CHOSEN = ("-k", f"invented or not ({AS_BEFORE})")


def fast_tests(root: Path, *chosen: str) -> subprocess.CompletedProcess[str]:
    """The copy's fast tests, in one process that stops at the first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", *chosen]
    # In place of the options in pyproject.toml, which may ask for several processes.
    command += ["-o", "addopts=--import-mode=importlib --strict-markers"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # importing Hypothesis would take two thirds of a short run
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def test_all_that_the_guide_says_can_be_added(added: Path) -> None:
    """Models of a known group, of a new one and of others, a deviation, claims that it explains, a page, a set."""
    assert max(map(len, ADDED.values())) <= 3
    done = fast_tests(added, *FAST, *CHOSEN, *(f"--ignore=tests/{name}" for name in ELSEWHERE))
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(r"\b[2-9]\d\d passed", done.stdout)


@contextmanager
def changed(path: Path, old: str, new: str) -> Iterator[None]:
    """Within it a file has something else in it, or is there at all; after it all is as before."""
    before = path.read_text(encoding="utf-8") if path.exists() else None
    assert old in (before or "")
    path.write_text((before or "").replace(old, new) if old else new, encoding="utf-8")
    yield
    if before is None:
        path.unlink()
    else:
        path.write_text(before, encoding="utf-8")


# What is forgotten of which addition, the test that notices it, and what it says. What else a block of data can lack,
# the tests of its reader know.
MODELS, OTHERS = "tests/counting/test_models.py", "tests/test_record_others.py"
TYPED, SEEDS = "tests/rendering/test_typed_numbers.py", "tests/teaching/test_seeds.py"
FORGOTTEN: list[tuple[str, str, str, str, str]] = [
    (f"{DATA}/models.toml", 'source = "an invented release, config.json"\n', "", MODELS, "source is missing; write it"),
    ("tests/oracles/others.toml", "invented-other = { d_model = 8 }\n", "", OTHERS, "invented-other"),
    (
        "docs/about/invented.md",
        "parameters.\n",
        "parameters.\nIt has 384 features.\n",
        TYPED,
        "invented.md, line 4: typed '384'; write",
    ),
    (
        "macros/teaching/exercises.toml",
        'questions"\nkind = "number"',
        'questions"\nkind = "nubmer"',
        SEEDS,
        'did you mean "number"',
    ),
    ("tests/teaching/drawn.txt", "invented 1:", "other 1:", SEEDS, "invented 1:"),
]


@pytest.mark.parametrize(("file", "old", "new", "test", "says"), FORGOTTEN)
def test_what_is_left_out_is_noticed(added: Path, file: str, old: str, new: str, test: str, says: str) -> None:
    """A key, a block, a configuration, a record or a macro left out fails, and the message says what is missing."""
    with changed(added / file, old, new):
        done = fast_tests(added, test)
    assert done.returncode != 0
    assert says in done.stdout


def test_an_architecture_without_recordings_is_noticed(added: Path) -> None:
    """A file of its own that its folder names; the tests name the classes of which nothing is recorded."""
    folder = added / "macros/counting/architectures"
    with (
        changed(folder / "invented.py", "", ARCHITECTURE),
        changed(folder / "__init__.py", "import BERT\n", "import BERT\nfrom .invented import INVENTED\n"),
        changed(folder / "__init__.py", "in (BERT,", "in (BERT, INVENTED,"),
    ):
        done = fast_tests(added, "tests/counting/test_changes.py")
    assert done.returncode != 0
    assert "'InventedBert" in done.stdout
