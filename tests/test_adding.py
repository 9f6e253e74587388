"""Additions work as the guide describes them, and the fast tests report missing parts.

All additions in `adding.toml` are made in one copy of the repository. None touches more
than three files, except an architecture and a method that changes a model; the guide names
every file of these two. `make record`, which records addresses, is left to the tests of
pages.
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
from contextlib import ExitStack, contextmanager
from itertools import chain
from math import prod
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.recording import INDEX_ENTRY

ROOT = Path(__file__).parents[1]
COPIED_PATHS = (
    "macros",
    "tests",
    "docs",
    "README.md",
    "pyproject.toml",
    "mkdocs.yml",
    "Makefile",
    "CITATION.cff",
    "LICENSE",
)

DATA = "macros/counting/data"
ADDITIONS: dict[str, list[dict[str, str]]] = tomllib.loads(Path(__file__).with_name("adding.toml").read_text())
"""The edits of each addition: a file, the text to add and, unless it is added at the end, the words that follow it."""

LARGER_ADDITIONS = {"architecture": "Add an architecture", "method": "Add a change of a model"}
"""The additions that touch more than three files, each with the section of the guide that names the files."""


@pytest.fixture(scope="module")
def extended_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files that the fast tests need, with every addition."""
    target = tmp_path_factory.mktemp("adding") / "repository"
    target.mkdir()
    for name in COPIED_PATHS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("node_modules"))
        else:
            shutil.copy(ROOT / name, target / name)
    for edit in chain.from_iterable(ADDITIONS.values()):
        insert_text(target / edit["file"], edit.get("before", ""), edit["text"])
    record_invented_architecture(target / DATA / "recordings")
    # The guide asks for this after a new set of exercises.
    subprocess.run([sys.executable, "-m", "tests.teaching.test_seeds"], cwd=target, check=True)
    return target


def record_invented_architecture(folder: Path) -> None:
    """Write a recording of the invented architecture, derived from that of BERT, and add it to the index."""
    bert_recording: dict[str, Any] = json.loads(gzip.decompress((folder / "transformers.json.gz").read_bytes()))
    models = [
        invented_model(model) for model in bert_recording["models"] if model["config"].get("type_vocab_size") == 2
    ]
    text = json.dumps({**bert_recording, "models": models})
    (folder / "transformers-invented.json.gz").write_bytes(gzip.compress(text.encode()))
    with (folder / "index.toml").open("a", encoding="utf-8") as index:
        index.write(
            INDEX_ENTRY.format(
                name="transformers-invented",
                title="transformers 5, Invented",
                day="2026-11-22",
                compared_by="transformers",
            )
        )


ABSENT_TENSORS = re.compile(r"crossattention|intermediate\.dense\.bias|\d\.output\.dense\.bias")
"""The tensors that the invented architecture lacks, by their names in BERT."""


RENAMED_KEYS = {"type_vocab_size": "num_languages"}
"""Keys in BERT's config, with their names in the invented architecture, in which languages replace segments."""


def invented_model(bert: dict[str, Any]) -> dict[str, Any]:
    """A recorded BERT converted to the invented architecture, with new names and without `ABSENT_TENSORS`."""
    parameters = [
        [new_name(name), shape, owner and new_name(owner)]
        for name, shape, owner in bert["parameters"]
        if not ABSENT_TENSORS.search(name)
    ]
    heads = bert["config"]["num_attention_heads"]
    # The bare model is recorded twice: with the default choice of pooler and with the opposite choice. By default, BERT
    # has a pooler, and the invented architecture has none.
    pooler = {None: True, False: None}[bert["pooler"]] if bert["class"] == "BertModel" else bert["pooler"]
    return {
        "name": bert["name"],
        "config": {RENAMED_KEYS.get(key, key): value for key, value in bert["config"].items()}
        | {"model_type": "invented"},
        "class": bert["class"].replace("Bert", "Invented"),
        "pooler": pooler,
        "parameters": parameters,
        "buffers": [["heads", [heads]]],
        "total": sum(prod(shape) for _, shape, owner in parameters if owner is None),
    }


def new_name(name: str) -> str:
    """The name that a tensor of BERT has in the invented architecture."""
    name = re.sub(r"^bert\.", "invented.", name).replace("encoder.layer.", "layers.")
    name = name.replace("token_type_embeddings", "language_embeddings")
    return re.sub(r"(layers\.\d+)\.output\.dense", r"\1.ffn.last", name)


def insert_text(path: Path, before: str, text: str) -> None:
    """Add text to a file: at its end, or before the last occurrence of `before`."""
    content = path.read_text(encoding="utf-8") if path.exists() else ""
    start, words, end = content.rpartition(before) if before else (content, "", "")
    assert words == before
    path.write_text(start + text + words + end, encoding="utf-8")


UNAFFECTED_FILES = (
    "counting/frameworks",
    "counting/test_changed.py",
    "counting/test_changed_by_chance.py",
    "counting/test_changes.py",
    "counting/test_config.py",
    "counting/test_fuzz.py",
    "counting/test_polynomials.py",
    "counting/test_process.py",
    "counting/test_properties.py",
    "counting/test_recorded_configs.py",
    "counting/test_training.py",
    "rendering/components/test_waterfalls.py",
    "rendering/tables/test_comparisons.py",
    "rendering/files/test_schemas.py",
)
"""Folders and files of tests that additions do not affect, relative to `tests`."""

FAST_TESTS = ("tests/counting", "tests/rendering", "tests/test_record_others.py", "tests/teaching/test_seeds.py")
"""The folders and files of tests that are run on the copy."""

EXCLUDED_TESTS = (
    "[ or test_ledgers or closes or idiom or nested or ledgers_of_every_method"
    " or test_downloads or test_every_page or test_beside_numbers or test_contents or test_options or lead_to_pages"
    " or test_libraries or prints_the_lines or (tables and test_claims) or wrong_side or first_number_on_a_page"
)
"""An expression of pytest's `-k` for the tests that are not run on the copy.

Among them are all parametrized tests, whose names have a bracket, and those of downloads and pages. A single test that
reads every page would take as long as half of the others, because the copy has no cached pages.
"""

SELECTION = ("-k", f"invented or not ({EXCLUDED_TESTS})")

RECORDING_TESTS = (
    "tests/counting/test_changed.py::test_every_method_is_recorded_and_seven_for_every_architecture",
    "tests/counting/test_changes.py::test_everything_is_recorded",
    "tests/counting/test_operations.py::test_every_class_is_recorded_in_training_with_each_attention",
    "tests/counting/test_optimisers.py::test_files_and_quantised_models_are_as_large_as_those_of_libraries",
    "tests/counting/test_published_configs.py::test_every_architecture_has_a_published_config",
    "tests/counting/test_recorded_configs.py::test_every_class_is_recorded",
)
"""The tests that need recordings by `make verify`. No library has the invented architecture or method."""


def run_tests(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run tests of the copy in one process, by default up to the first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", *options]
    # These replace the options in pyproject.toml, which may start several processes.
    command += ["-o", "addopts=--import-mode=importlib --strict-markers"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # importing Hypothesis would take two thirds of a short run
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def test_every_addition_in_the_guide_works(extended_copy: Path) -> None:
    """The additions include models, a deviation with claims, a page, exercises, an architecture and a method."""
    assert max(len(files) for name, files in ADDITIONS.items() if name not in LARGER_ADDITIONS) <= 3
    exclusions = (
        *(f"--ignore=tests/{name}" for name in UNAFFECTED_FILES),
        *(f"--deselect={name}" for name in RECORDING_TESTS),
        "--ignore-glob=*_by_chance.py",  # `make check` leaves them out too
    )
    result = run_tests(extended_copy, *FAST_TESTS, *SELECTION, *exclusions)
    assert result.returncode == 0, result.stdout[-3000:]
    assert re.search(r"\b[2-9]\d\d passed", result.stdout)


@contextmanager
def with_change(path: Path, old: str, new: str) -> Iterator[None]:
    """Change a file, or create it if it does not exist, and undo the change when the block ends."""
    content = path.read_text(encoding="utf-8") if path.exists() else None
    assert old in (content or "")
    path.write_text((content or "").replace(old, new) if old else new, encoding="utf-8")
    yield
    if content is None:
        path.unlink()
    else:
        path.write_text(content, encoding="utf-8")


MODELS_TEST, OTHERS_TEST = "tests/counting/test_models.py", "tests/test_record_others.py"
TYPED_NUMBERS_TEST, SEEDS_TEST = "tests/rendering/test_typed_numbers.py", "tests/teaching/test_seeds.py"
EXPORTED_TEST = "tests/rendering/files/test_exported.py"
# Each entry has a file, a string in it, the replacement for that string, the test that notices the change, and a part
# of the test's message. Other omissions in a block of data are left to the tests of the code that reads it.
Omission = tuple[str, str, str, str, str]
INDEPENDENT_OMISSIONS: list[Omission] = [
    (
        "tests/oracles/others.toml",
        "invented-other = { d_model = 8 }\n",
        "",
        f"{OTHERS_TEST}::test_every_total_can_be_recorded",
        "invented-other",
    ),
    (
        f"{DATA}/uncounted.toml",
        'names = ["invented-other"]\n',
        "names = []\n",
        "tests/counting/published/test_others.py::test_every_model_is_refused_with_a_reason_by_name_and_by_class",
        "invented-other is not among the names in uncounted.toml",
    ),
    (
        "docs/about/invented.md",
        "parameters.\n",
        "parameters.\nIt has 384 features.\n",
        f"{TYPED_NUMBERS_TEST}::test_no_page_contains_a_typed_number",
        "invented.md, line 4: typed '384'; write",
    ),
    (
        "tests/teaching/drawn.txt",
        "invented 1:",
        "other 1:",
        f"{SEEDS_TEST}::test_seeds_draw_the_recorded_variants[invented]",
        "invented 1:",
    ),
    (
        "macros/rendering/components/words.toml",
        'language_embeddings = { line = "the language embeddings" }',
        "",
        "tests/rendering/components/test_words.py::test_every_line_of_every_sum_has_a_label",
        "bert/embeddings/language_embeddings has no label in words.toml; add a line under [lines]",
    ),
    (
        "macros/counting/published/relatives.py",
        '    "languages": ("N", "language_embeddings"),\n',
        "",
        "tests/rendering/test_relatives.py::test_the_steps_to_every_relative_end_at_its_total[invented-base]",
        "none counts bert/embeddings/language_embeddings",
    ),
    (
        "macros/counting/architectures/invented.py",
        "(*SIZES, LANGUAGES, LABELS)",
        "(*SIZES, LABELS, LANGUAGES)",
        f"{EXPORTED_TEST}::test_sizes_and_letters_match_the_engine",
        "put the letters of Invented in this order, its own before C",
    ),
]
"""Omissions that a single run of tests reports, because none hides another."""

HIDING_OMISSIONS: list[Omission] = [
    (
        f"{DATA}/models.toml",
        'source = "an invented release, config.json"\n',
        "",
        MODELS_TEST,
        "source is missing; write it",
    ),
    (
        "macros/teaching/exercises.toml",
        'questions"\nkind = "number"',
        'questions"\nkind = "nubmer"',
        SEEDS_TEST,
        'did you mean "number"',
    ),
    (
        f"{DATA}/changes.toml",
        '"ffn.last" = "output_adapters"',
        "",
        EXPORTED_TEST,
        "no line under [beside] in changes.toml",
    ),
]
"""Omissions after which data cannot be loaded, so that tests may not get as far as reporting others."""


@pytest.mark.parametrize("omissions", [INDEPENDENT_OMISSIONS, *([omission] for omission in HIDING_OMISSIONS)])
def test_an_omission_is_reported_by_a_fast_test(extended_copy: Path, omissions: list[Omission]) -> None:
    with ExitStack() as changes:
        for file, old, new, _, _ in omissions:
            changes.enter_context(with_change(extended_copy / file, old, new))
        tests = dict.fromkeys(test for _, _, _, test, _ in omissions)
        result = run_tests(extended_copy, *tests, f"--maxfail={len(omissions)}")
    assert result.returncode != 0
    assert [] == [message for *_, message in omissions if message not in result.stdout], result.stdout[-3000:]


@pytest.mark.parametrize("addition", LARGER_ADDITIONS)
def test_the_guide_names_every_file_of_a_larger_addition(addition: str) -> None:
    """The record of addresses is left out, because `make record` writes it."""
    guide = (ROOT / ".github/CONTRIBUTING.md").read_text(encoding="utf-8")
    section = guide.partition(f"\n## {LARGER_ADDITIONS[addition]}\n")[2].partition("\n## ")[0]
    files = {Path(edit["file"]) for edit in ADDITIONS[addition]} - {Path("tests/docs/published_ids.txt")}
    # The guide names a new file by its folder.
    paths = {str(file if (ROOT / file).exists() else file.parent) for file in files}
    assert [] == sorted(path for path in paths if path not in section)


def run_in(root: Path, *command: str) -> str:
    """Run a command in a copy of the repository, and return its output."""
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


# Computed manually from the sizes of BERT base Chinese: 102,267,648, less 590,592 for the pooler, less 12 x 3,840
# because each layer lacks two biases, of 3,072 and 768 elements. Two languages replace the two segments.
DEFAULT_TOTAL = 102_267_648 - 590_592 - 46_080


def test_the_invented_architecture_is_counted_as_it_is_built(extended_copy: Path) -> None:
    result = run_tests(extended_copy, "tests/counting/frameworks/test_recordings.py", "-k", "invented or every_class")
    assert result.returncode == 0, result.stdout[-3000:]
    command = (sys.executable, "-m", "macros.counting", "invented-base", "--json")
    assert DEFAULT_TOTAL == json.loads(run_in(extended_copy, *command))["total"]
    # 12 heads in float32.
    assert 48 == json.loads(run_in(extended_copy, *command, "--change", "bitfit"))["buffers"]


EXPORTING_SCRIPT = """
import json, sys
from macros.rendering.files.exported import module, table
exported_table = table()
json.dump({"module": module(exported_table), "methods": exported_table["changes"]["methods"]}, sys.stdout)
"""


@pytest.fixture(scope="module")
def exported_table(extended_copy: Path) -> dict[str, Any]:
    """The table that the copy exports for scripts: the text of its module, and its methods."""
    contents: dict[str, Any] = json.loads(run_in(extended_copy, sys.executable, "-c", EXPORTING_SCRIPT))
    return contents


COUNTING_SCRIPT = """
import { count, models } from "./docs/assets/counting/engine.js"
import { ofModel } from "./docs/assets/counting/configuration.js"
import { totalOf } from "./docs/assets/counting/changes.js"
const { sizes } = models.get("invented-base")
const totals = [{}, { pooler: true }].map((choices) => count({ modelClass: "InventedModel", sizes, choices }))
console.log(JSON.stringify([...totals, totalOf(ofModel("invented-base"))]))
"""


def test_the_calculator_has_the_defaults_of_the_invented_architecture(
    extended_copy: Path, exported_table: dict[str, Any]
) -> None:
    """By default, the invented architecture has no pooler."""
    node = shutil.which("node")
    if not node:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("Node.js runs the scripts")
    (extended_copy / "docs/data").mkdir()
    (extended_copy / "docs/data/table.js").write_text(exported_table["module"])
    with with_change(extended_copy / "docs/package.json", "", '{"type": "module"}'):
        output = run_in(extended_copy, node, "--input-type=module", "--eval", COUNTING_SCRIPT)
    shutil.rmtree(extended_copy / "docs/data")
    assert [DEFAULT_TOTAL, DEFAULT_TOTAL + 590_592, DEFAULT_TOTAL] == json.loads(output)


STEPS_SCRIPT = """
from macros.counting import Question, model_named
from macros.counting.published.relatives import differences
from macros.rendering.tables.relatives import in_words
there = Question(model_named("invented-base"))
here = Question(model_named("bert-base-uncased"))
print(*(in_words(step, there, here) for step in differences(here, there)), sep="\\n")
"""


def test_the_steps_to_the_invented_architecture_have_words(extended_copy: Path) -> None:
    expected = [
        "layers without the biases of the feed-forward network",
        "21,128 tokens in the vocabulary instead of 30,522",
        "no segments",
        "a table of 2 languages",
    ]
    assert [*expected, "no pooler"] == run_in(extended_copy, sys.executable, "-c", STEPS_SCRIPT).splitlines()


def test_the_invented_method_is_counted_and_offered(extended_copy: Path, exported_table: dict[str, Any]) -> None:
    """It adds 8 rows of 768 elements to the query of each of 12 layers, and in BERT base also to the value."""
    command = (sys.executable, "-m", "macros.counting", "--json", "--change", "invented:8")
    for model, matrices in (("invented-base", 1), ("bert-base-uncased", 2)):
        model_class = "InventedForSequenceClassification" if matrices == 1 else "BertForSequenceClassification"
        counts = json.loads(run_in(extended_copy, *command, model, "--class", model_class))
        # The classification head, with two labels, is trained too.
        assert 12 * matrices * 8 * 768 + 2 * 768 + 2 == counts["trainable"]
    assert [{}] == [method["refused"] for method in exported_table["methods"] if method["name"] == "invented"]


def test_missing_recordings_are_reported_by_class_and_method(extended_copy: Path) -> None:
    result = run_tests(extended_copy, *RECORDING_TESTS, "--maxfail", str(len(RECORDING_TESTS)))
    assert f"\n{len(RECORDING_TESTS)} failed in " in result.stdout, result.stdout[-3000:]
    assert {"'Invented", "'invented'"} <= set(re.findall("'Invented|'invented'", result.stdout))
