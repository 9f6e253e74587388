"""What the guide says of adding a model, a mistake or a number in print is all that is needed.

The additions are made on a copy of the repository, just as the guide says them,
and the copy's fast tests pass: those of the engine and of rendering. `make
ids`, which records addresses, is left to the tests of pages.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COPIED = ("macros", "tests", "docs", "README.md", "pyproject.toml", "mkdocs.yml", "Makefile", "CITATION.cff", "LICENSE")

# Source of the sizes: none; they are odd on purpose, so that no other model has them.
MODEL = """
[{name}]
title = "{title}"
group = "{group}"
vocab_size = 31090
max_position_embeddings = 640
type_vocab_size = 3
hidden_size = 384
intermediate_size = 1000
num_hidden_layers = 5
num_attention_heads = 8
source = "an invented release, config.json"
accessed = "2026-11-22"
"""

GROUP = """
[invented-group]
title = "Invented releases"
cost = 2
"""

DEVIATION = """
[invented-deviation]
kind = "mistake"
usual = 3
title = "Counting the biases of the keys twice"
done = "counted the biases of the keys twice"
undo = "count the biases of the keys once"
why = "Each key has one bias per feature, and no more."
notice = "Your total exceeds the model's by one vector per layer."
holds = { "twice" = "total('invented-deviation') == number() + number('bert/encoder/layer_*/attention/self/key/bias')" }
part = "bert/encoder/layer_*/attention/self/key/bias"
factor = "2"
"""

# Source of the sizes: none, as above.
RELATIVE = """
[invented-relative]
title = "Invented by somebody else"
group = "relative"
model_type = "bert"
vocab_size = 31092
max_position_embeddings = 640
type_vocab_size = 3
hidden_size = 384
intermediate_size = 1000
num_hidden_layers = 5
num_attention_heads = 8
source = "somebody/invented on the Hugging Face hub, config.json"
accessed = "2026-11-22"
"""

OTHER = """
[invented-other]
title = "Invented, of another kind"
class = "InventedModel"
total = 123457
"""

CONFIGURATION = '    "invented-other": {"d_model": 8},\n'

# Source: 109,482,240 and 12 x 768 more.
CLAIMS_ADDED = """\
  { where = "here", printed = "109,491,456", counts = "the model", verdict = "differs", \
model = "bert-base-uncased", model_class = "BertModel", reached = ["invented-deviation"] },
  { where = "there", printed = "12", counts = "layers", verdict = "agrees", model = "bert-base-uncased", size = "L" },
"""


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the fast tests need, as it is."""
    return copied(tmp_path_factory.mktemp("adding") / "untouched")


def copied(target: Path, source: Path = ROOT) -> Path:
    """A copy of the repository, or of such a copy."""
    target.mkdir()
    for name in COPIED:
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name, ignore=shutil.ignore_patterns("node_modules"))
        else:
            shutil.copy(source / name, target / name)
    return target


def append(path: Path, text: str) -> None:
    """Write more at the end of a file that is there."""
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def add_model(root: Path) -> None:
    """A block in models.toml, in a group that is there; the last of its file."""
    append(
        root / "macros/counting/data/models.toml", MODEL.format(name="invented", title="Invented", group="miniature")
    )


def add_group(root: Path) -> None:
    """A model in a group of its own: a block for each, and the group's name on the page."""
    block = MODEL.format(name="invented-too", title="Invented too", group="invented-group")
    append(root / "macros/counting/data/models.toml", block.replace("31090", "31091"))
    append(root / "macros/counting/data/groups.toml", GROUP)


def add_deviation(root: Path) -> None:
    """A block in deviations.toml."""
    append(root / "macros/counting/data/deviations.toml", DEVIATION)


def add_relative(root: Path) -> None:
    """A block in relatives.toml, of BERT's shape."""
    append(root / "macros/counting/data/relatives.toml", RELATIVE)


def add_other(root: Path) -> None:
    """A block in others.toml, and a configuration for the script that records it, the last of its list."""
    append(root / "macros/counting/data/others.toml", OTHER)
    path = root / "tests/oracles/record_others.py"
    before, after = path.read_text(encoding="utf-8").split("\n}\n\n\ndef total")
    path.write_text(f"{before}\n{CONFIGURATION}}}\n\n\ndef total{after}", encoding="utf-8")


def add_claims(root: Path) -> None:
    """Lines of a source in claims.toml, the last of its file; one number comes about by the new deviation."""
    path = root / "macros/counting/data/claims.toml"
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n]\n")
    path.write_text(f"{text.removesuffix(']' + chr(10))}{CLAIMS_ADDED}]\n", encoding="utf-8")


ELSEWHERE = (
    "counting/frameworks/test_recordings.py",
    "counting/test_changes.py",
    "counting/test_config.py",
    "counting/test_fuzz.py",
    "counting/test_polynomials.py",
    "counting/test_process.py",
    "counting/test_properties.py",
    "counting/test_recorded_configs.py",
    "rendering/tables/test_compared.py",
)
"""What makes up all it counts or reads it in recordings, and no data that is added here."""


def fast_tests(root: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The copy's fast tests, in one process that stops at the first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q"]
    # In place of the options in pyproject.toml, which may ask for several processes.
    command += ["-o", "addopts=--import-mode=importlib --strict-markers"]
    command += [f"--ignore=tests/{name}" for name in ELSEWHERE]
    # Downloads of models that were there are what they were; those of the new ones are tested.
    whole = ("tests/counting", "tests/rendering", OTHERS, "-k", "invented or not (test_ledgers or test_print_outs)")
    command += more or whole
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # importing Hypothesis would take two thirds of a short run
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def test_all_that_the_guide_says_can_be_added(untouched: Path, tmp_path: Path) -> None:
    """Models of a known group, of a new one and of others, a deviation, and numbers in print that it explains."""
    root = copied(tmp_path / "repository", untouched)
    for add in (add_model, add_group, add_relative, add_other, add_deviation, add_claims):
        add(root)
    done = fast_tests(root)
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(r"\b\d{4} passed", done.stdout)


# What is forgotten, the test that notices it, and what it says.
MODELS, DEVIATIONS = "tests/counting/test_models.py", "tests/counting/test_deviations.py"
CLAIMS = "tests/counting/disagreements/test_claims.py"
OTHERS = "tests/test_record_others.py"
FORGOTTEN: list[tuple[Callable[[Path], None], str, str, str]] = [
    (add_model, 'source = "an invented release, config.json"\n', MODELS, "source is missing; write it"),
    (add_model, "hidden_size = 384\n", MODELS, "hidden_size is missing; add it"),
    (add_group, "cost = 2\n", MODELS, "groups.toml, invented-group: cost is missing"),
    (add_group, GROUP, MODELS, 'group is "invented-group"; known: original'),
    (add_deviation, 'why = "Each key has one bias per feature, and no more."\n', DEVIATIONS, "why is missing"),
    (add_deviation, 'done = "counted the biases of the keys twice"\n', DEVIATIONS, "done is missing"),
    (add_deviation, 'undo = "count the biases of the keys once"\n', DEVIATIONS, "undo is missing"),
    (add_relative, 'group = "relative"\n', MODELS, "group is missing"),
    (add_other, CONFIGURATION, OTHERS, "invented-other"),
    (add_other, 'class = "InventedModel"\n', OTHERS, "invented-other: class is missing"),
    (add_claims, "", CLAIMS, 'no deviation "invented-deviation"'),
]


@pytest.mark.parametrize(("add", "left_out", "test", "says"), FORGOTTEN)
def test_what_is_forgotten_is_noticed(
    untouched: Path, tmp_path: Path, add: Callable[[Path], None], left_out: str, test: str, says: str
) -> None:
    """A key or a group left out fails, and the message says what is missing."""
    root = copied(tmp_path / "repository", untouched)
    add(root)
    for path in [*(root / "macros/counting/data").glob("*.toml"), root / "tests/oracles/record_others.py"]:
        path.write_text(path.read_text(encoding="utf-8").replace(left_out, ""), encoding="utf-8")
    done = fast_tests(root, test)
    assert done.returncode != 0
    assert says in done.stdout
