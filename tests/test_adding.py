"""What the guide says of adding something is all that is needed, and the fast tests say what is missing.

All additions are made on one copy of the repository, just as the guide says
them: none is written into more than three files but an architecture and a
method to change a model, and of these the guide names each file. `make record`,
which records addresses, is left to the tests of pages.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.recording import ENTRY

ROOT = Path(__file__).parents[1]
COPIED = ("macros", "tests", "docs", "README.md", "pyproject.toml", "mkdocs.yml", "Makefile", "CITATION.cff", "LICENSE")

DATA = "macros/counting/data"
ADDED: dict[str, list[dict[str, str]]] = tomllib.loads(Path(__file__).with_name("adding.toml").read_text())
"""By what is added: each file, what it is written before, if not at the end, and what is written."""

LARGER = {"architecture": "Add an architecture", "method": "Add a change of a model"}
"""What is written into more than three files, and the section of the guide that names them."""


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
    record_invented(target / DATA / "recordings")
    # What the guide says of a new set: its lines are recorded.
    subprocess.run([sys.executable, "-m", "tests.teaching.test_seeds"], cwd=target, check=True)
    return target


def record_invented(folder: Path) -> None:
    """Writes what transformers would build of the invented architecture: what it built of BERT, with what differs."""
    found: dict[str, Any] = json.loads(gzip.decompress((folder / "transformers.json.gz").read_bytes()))
    models = [invented(each) for each in found["models"] if each["config"].get("type_vocab_size") == 2]
    text = json.dumps({**found, "models": models})
    (folder / "transformers-invented.json.gz").write_bytes(gzip.compress(text.encode()))
    with (folder / "index.toml").open("a", encoding="utf-8") as index:
        index.write(ENTRY.format(name="transformers-invented", title="transformers 5, Invented", day="2026-11-22"))


NOT_INVENTED = re.compile(r"crossattention|intermediate\.dense\.bias|\d\.output\.dense\.bias")
"""What the invented architecture lacks, by its name in BERT."""


KEYS = {"type_vocab_size": "num_languages"}
"""What it calls a key of BERT: its languages take the place of segments."""


def invented(built: dict[str, Any]) -> dict[str, Any]:
    """A recorded BERT under the other names, without what the invented one lacks; of the bare model the other kind."""
    parameters = [
        [renamed(name), shape, owner and renamed(owner)]
        for name, shape, owner in built["parameters"]
        if not NOT_INVENTED.search(name)
    ]
    heads = built["config"]["num_attention_heads"]
    # Recorded are the bare model as it is unasked, which here has no pooler, and the other.
    pooler = {None: True, False: None}[built["pooler"]] if built["class"] == "BertModel" else built["pooler"]
    return {
        "name": built["name"],
        "config": {KEYS.get(key, key): each for key, each in built["config"].items()} | {"model_type": "invented"},
        "class": built["class"].replace("Bert", "Invented"),
        "pooler": pooler,
        "parameters": parameters,
        "buffers": [["heads", [heads]]],
        "total": sum(prod(shape) for _, shape, owner in parameters if owner is None),
    }


def renamed(name: str) -> str:
    """What the invented architecture calls a tensor of BERT."""
    name = re.sub(r"^bert\.", "invented.", name).replace("encoder.layer.", "layers.")
    name = name.replace("token_type_embeddings", "language_embeddings")
    return re.sub(r"(layers\.\d+)\.output\.dense", r"\1.ffn.last", name)


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
    *("counting/test_recorded_configs.py", "rendering/components/test_waterfalls.py"),
    *("rendering/tables/test_compared.py", "rendering/files/test_schemas.py"),
)
"""What makes up all it counts or reads it in recordings, and no data that is added here."""

FAST = ("tests/counting", "tests/rendering", "tests/test_record_others.py", "tests/teaching/test_seeds.py")
# What was there before is what it was, and is not asked about case by case, downloaded, sampled or read on all pages.
AS_BEFORE = "[ or test_ledgers or test_print_outs or closes or idiom or nested or test_every_page or compared_is_summed"
CHOSEN = ("-k", f"invented or not ({AS_BEFORE})")

RECORDED = (
    "tests/counting/test_changed.py::test_every_method_is_recorded",
    "tests/counting/test_changes.py::test_everything_is_recorded",
    "tests/counting/test_operations.py::test_everything_is_recorded",
    "tests/counting/test_optimisers.py::test_files_and_quantised_models_of_every_class_are_as_large_as_real_ones",
    "tests/counting/test_published_configs.py::test_every_architecture_has_one",
    "tests/counting/test_recorded_configs.py::test_every_class_is_recorded",
)
"""What asks for that which `make verify` records of an architecture and of a method, which no library has here."""


def fast_tests(root: Path, *chosen: str) -> subprocess.CompletedProcess[str]:
    """The copy's fast tests, in one process that stops at the first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", *chosen]
    # In place of the options in pyproject.toml, which may ask for several processes.
    command += ["-o", "addopts=--import-mode=importlib --strict-markers"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # importing Hypothesis would take two thirds of a short run
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def test_all_that_the_guide_says_can_be_added(added: Path) -> None:
    """Models of any group, a deviation, claims that it explains, a page, a set, an architecture, a method of PEFT."""
    assert max(len(files) for name, files in ADDED.items() if name not in LARGER) <= 3
    others = (*(f"--ignore=tests/{name}" for name in ELSEWHERE), *(f"--deselect={name}" for name in RECORDED))
    done = fast_tests(added, *FAST, *CHOSEN, *others)
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
EXPORTED = "tests/rendering/files/test_exported.py"
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
    (f"{DATA}/changes.toml", '"ffn.last" = "output_adapters"', "", EXPORTED, "no line under [beside] in changes.toml"),
    (
        "macros/rendering/components/words.toml",
        'language_embeddings = { line = "the language embeddings" }',
        "",
        "tests/rendering/components/test_words.py",
        "bert/embeddings/language_embeddings has no label in words.toml; add a line under [lines]",
    ),
    (
        "macros/counting/published/relatives.py",
        '    "languages": ("N", "language_embeddings"),\n',
        "",
        "tests/rendering/test_relatives.py",
        "none counts bert/embeddings/language_embeddings",
    ),
    (
        "macros/counting/architectures/invented.py",
        "(*SIZES, LANGUAGES, LABELS)",
        "(*SIZES, LABELS, LANGUAGES)",
        EXPORTED,
        "put the letters of Invented in this order, its own before C",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "test", "says"), FORGOTTEN)
def test_what_is_left_out_is_noticed(added: Path, file: str, old: str, new: str, test: str, says: str) -> None:
    """A key, a block, a configuration, a record or a macro left out fails, and the message says what is missing."""
    with changed(added / file, old, new):
        done = fast_tests(added, test)
    assert done.returncode != 0
    assert says in done.stdout


@pytest.mark.parametrize("what", LARGER)
def test_the_guide_names_every_file_of_what_is_larger(what: str) -> None:
    """Each is in the section about it, but for the record of addresses, which `make record` writes."""
    guide = (ROOT / ".github/CONTRIBUTING.md").read_text(encoding="utf-8")
    section = guide.partition(f"\n## {LARGER[what]}\n")[2].partition("\n## ")[0]
    files = {Path(each["file"]) for each in ADDED[what]} - {Path("tests/docs/published_ids.txt")}
    # A file of its own is named by its folder.
    named = {str(each if (ROOT / each).exists() else each.parent) for each in files}
    assert [] == sorted(each for each in named if each not in section)


def run_in(root: Path, *command: str) -> str:
    """What a command prints that runs in a copy."""
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


# By hand, with the sizes of BERT base, Chinese. A layer lacks two biases, of 3,072 and of 768 numbers, and in place of
# two segments there are two languages: 102,267,648 - 590,592 for the pooler - 12 x 3,840.
UNASKED = 102_267_648 - 590_592 - 46_080


def test_the_invented_architecture_is_counted_as_it_is_built(added: Path) -> None:
    """Every tensor, tie and buffer of 400 models, on the command line, and in the browser's scripts."""
    done = fast_tests(added, "tests/counting/frameworks/test_recordings.py", "-k", "invented or every_class")
    assert done.returncode == 0, done.stdout[-3000:]
    count = (sys.executable, "-m", "macros.counting", "invented-base", "--json")
    assert UNASKED == json.loads(run_in(added, *count))["total"]
    # 12 heads in float32.
    assert 48 == json.loads(run_in(added, *count, "--change", "bitfit"))["buffers"]


IN_SCRIPTS = """
import { count, models } from "./docs/assets/counting/engine.js"
import { ofModel } from "./docs/assets/counting/configuration.js"
import { totalOf } from "./docs/assets/counting/changes.js"
const { sizes } = models.get("invented-base")
const counted = [{}, { pooler: true }].map((choices) => count({ modelClass: "InventedModel", sizes, choices }))
console.log(JSON.stringify([...counted, totalOf(ofModel("invented-base"))]))
"""


def test_the_calculator_has_what_the_architecture_has_unasked(added: Path) -> None:
    """Its scripts leave out the pooler unless they are asked for it, as the engine does."""
    node = shutil.which("node")
    if not node:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("Node.js runs the scripts")
    exported = "from macros.rendering.files.exported import module, table; print(module(table()))"
    (added / "docs/data").mkdir()
    (added / "docs/data/table.js").write_text(run_in(added, sys.executable, "-c", exported))
    with changed(added / "docs/package.json", "", '{"type": "module"}'):
        printed = run_in(added, node, "--input-type=module", "--eval", IN_SCRIPTS)
    shutil.rmtree(added / "docs/data")
    assert [UNASKED, UNASKED + 590_592, UNASKED] == json.loads(printed)


STEPS = """
from macros.counting import Question, model_named
from macros.counting.published.relatives import differences
from macros.rendering.tables.relatives import in_words
there = Question(model_named("invented-base"))
print(*(in_words(each, there) for each in differences(Question(model_named("bert-base-uncased")), there)), sep="\\n")
"""


def test_the_steps_to_the_invented_architecture_have_words(added: Path) -> None:
    """Each has words, those for the form of its layers and for its own table among them."""
    expected = [
        "layers without the biases of the feed-forward network",
        "21,128 tokens in the vocabulary instead of 30,522",
        "no segments",
        "a table of 2 languages",
    ]
    assert [*expected, "no pooler"] == run_in(added, sys.executable, "-c", STEPS).splitlines()


OFFERED = """
from macros.rendering.files.exported import table
print(*(each["refused"].keys() for each in table()["changes"]["methods"] if each["name"] == "invented"))
"""


def test_the_invented_method_is_counted_and_offered(added: Path) -> None:
    """By hand: 8 rows of 768 numbers on the query of each of 12 layers, and on the value of BERT base, and a head.

    The calculator offers it for the architectures that have these modules by its own names.
    """
    count = (sys.executable, "-m", "macros.counting", "--json", "--change", "invented:8")
    for model, matrices in (("invented-base", 1), ("bert-base-uncased", 2)):
        model_class = "InventedForSequenceClassification" if matrices == 1 else "BertForSequenceClassification"
        found = json.loads(run_in(added, *count, model, "--class", model_class))
        assert 12 * matrices * 8 * 768 + 2 * 768 + 2 == found["trainable"]
    assert "dict_keys([])" == run_in(added, sys.executable, "-c", OFFERED).strip()


def test_what_no_library_has_recorded_is_noticed(added: Path) -> None:
    """The tests name the classes and the method of which nothing is recorded."""
    done = fast_tests(added, *RECORDED, "--maxfail", str(len(RECORDED)))
    assert f"\n{len(RECORDED)} failed in " in done.stdout, done.stdout[-3000:]
    assert {"'Invented", "'invented'"} <= set(re.findall("'Invented|'invented'", done.stdout))
