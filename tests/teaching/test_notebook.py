"""The lesson's notebook is valid, runs with the standard library alone, and judges answers."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from macros.teaching.lesson import load_lesson
from macros.teaching.notebook import notebook

CELL_RUNNER = """
import json, sys
cells = json.load(sys.stdin)["cells"]
try:
    import pytest
except ImportError:
    pass
else:
    sys.exit("installed packages can be imported")
names = {}
for cell in cells:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
"""
"""A program that runs all code cells in order, and fails if it can import an installed package."""

ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Matches the id of a cell. Source: the schema that `KEYS` names."""

KEYS = {
    "code": {"id", "cell_type", "metadata", "source", "execution_count", "outputs"},
    "markdown": {"id", "cell_type", "metadata", "source"},
}
"""The keys of each kind of cell. Source: the schema of version 4.5, nbformat.v4.5.schema.json."""

CELLS_WITH_TOTALS = re.compile(r"about-mistake_|end$")
"""Matches the ids of the cells that follow the last count and show totals."""

SIZES = {30_522, 512, 2, 768, 3_072, 12}
"""The sizes of BERT base. Source: bert_config.json of the uncased checkpoint."""


def run(text: str) -> subprocess.CompletedProcess[str]:
    """Run a notebook in a fresh Python without packages."""
    # -S: without the packages of the environment.
    command = [sys.executable, "-I", "-S", "-c", CELL_RUNNER]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def faults(text: str) -> list[str]:
    """A line for each reason why `text` is not a notebook of version 4.5."""
    content = json.loads(text)
    reasons = []
    if (4, 5) != (content["nbformat"], content["nbformat_minor"]):
        reasons.append("its version is not 4.5")
    if not {"name", "display_name"} <= set(content["metadata"]["kernelspec"]):
        reasons.append("its kernel has no name")
    ids = [cell.get("id", "") for cell in content["cells"]]
    reasons += [f"no id, or a bad one: {identifier!r}" for identifier in ids if not ID.fullmatch(identifier)]
    if len(set(ids)) != len(ids):
        reasons.append("two cells have the same id")
    for cell in content["cells"]:
        if set(cell) != KEYS.get(cell["cell_type"]):
            reasons.append(f"{cell.get('id')}: {', '.join(cell)}")
        elif not all(isinstance(line, str) for line in cell["source"]) or cell.get("outputs"):
            reasons.append(f"{cell['id']}: its source is not a list of lines, or it has outputs")
    return reasons


def test_the_notebook_is_valid() -> None:
    assert [] == faults(notebook())
    assert notebook() == notebook()


def test_the_notebook_runs_unchanged() -> None:
    process = run(notebook())
    assert (0, "") == (process.returncode, process.stderr)
    lines = process.stdout.splitlines()
    # A line for each count and for each of the two hunts, and two lines with totals.
    assert len(lines) == len(list(load_lesson().counts)) + 2 + 2
    assert {"Put your answer in place of None, and run the cell again."} == set(lines[:-2])
    # Source: the totals of BertModel that transformers prints.
    assert lines[-2:] == ["All 109,482,240 parameters are there.", "BERT large has 335,141,888 parameters."]


def test_a_wrong_shape_fails_an_assertion() -> None:
    assert "V H" in notebook()
    process = run(notebook().replace("V H", "V V"))
    assert process.returncode != 0
    assert "AssertionError" in process.stderr


@pytest.fixture(scope="module")
def judge() -> Callable[[str, object], str]:
    """The notebook's function that judges an answer, defined by two of its cells."""
    names: dict[str, Any] = {}
    cells = json.loads(notebook())["cells"]
    for cell in cells:
        if cell["id"] in ("sizes", "check"):
            exec("".join(cell["source"]), names)  # noqa: S102  the notebook is our own
    function: Callable[[str, object], str] = names["verdict"]
    return function


ANSWERS = tomllib.loads(Path(__file__).with_name("notebook.toml").read_text(encoding="utf-8"))["answers"]


@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [
        *ANSWERS,
        ("total", (109, 482, 240), "Leave out the commas"),
        ("total", [], "A count is a whole number"),
        ("total", -(10**15), "This is more than any model has"),
    ],
)
def test_an_answer_is_judged(judge: Callable[[str, object], str], name: str, answer: object, expected: str) -> None:
    assert expected in judge(name, answer)


TYPED_ANSWERS = {
    "embeddings": '"VH + P × H + S·H + 2 H"',
    "dense": '"H² + H = 590,592"',
    "attention": "4 * dense",
    "feed_forward": '"2 F H + F + H"',
    "norms": '"3,072"',
    "layer": "attention + feed_forward + norms",
    "encoder": '"12 × layer"',
    "pooler": '"590.592"',
    "total": "embeddings + encoder + pooler",
    "mistake_1": '"B"',
    "mistake_2": '"a"',
}
"""Answers that students may write in place of None: texts, and expressions with earlier counts."""


def test_an_answer_given_as_text_becomes_a_number() -> None:
    """Later answers can use the number, in Python or in text."""
    text = notebook()
    for name, answer in TYPED_ANSWERS.items():
        assert f"{name} = None" in text
        text = text.replace(f"{name} = None", json.dumps(f"{name} = {answer}")[1:-1])
    process = run(text)
    assert (0, "") == (process.returncode, process.stderr)
    assert len(TYPED_ANSWERS) == sum(line.startswith("Right") for line in process.stdout.splitlines()), process.stdout


UNUSUAL_ANSWERS = [
    "(" * 119,
    "9" * 120,
    "9" * 5_000,
    "1+" * 60,
    "9^2" * 40,
    "((9^2)^2)^2" * 9,
    10**5_000,
    -1,
    1e300,
    "ﷺ",  # One character that Unicode's compatibility normalisation expands to eighteen.
]
"""Answers that could be slow to evaluate or raise an error: nested or long texts, and unusual numbers."""


def test_no_answer_raises_or_takes_long(judge: Callable[[str, object], str]) -> None:
    start = process_time()
    assert [] == [
        answer
        for answer in [*UNUSUAL_ANSWERS, object(), {}, b"1", 1j, float("nan"), float("inf"), ""]
        if not judge("dense", answer)
    ]
    assert process_time() - start < 1


def test_the_notebook_explains_every_expected_mistake(judge: Callable[[str, object], str]) -> None:
    expected = [(count.name, mistake.number) for count in load_lesson().counts for mistake in count.expected_mistakes()]
    assert len(expected) > 15
    assert [] == [answer for answer in expected if "not right, and" in judge(*answer) or "{" in judge(*answer)]


def test_no_answer_is_given_away() -> None:
    """Of the correct answers, only sizes are visible before the last count. The cell with the check is folded."""
    cells = json.loads(notebook())["cells"]
    sources = ("".join(cell["source"]) for cell in cells if not CELLS_WITH_TOTALS.match(cell["id"]))
    text = re.sub("[,_]", "", "".join(sources))
    counts = {count.name: count.question.number for count in load_lesson().counts}
    hidden_counts = {name: number for name, number in counts.items() if number not in SIZES}
    assert [] == [name for name, number in hidden_counts.items() if str(number) in text]
    assert len(hidden_counts) > 5
    assert ["check"] == [cell["id"] for cell in cells if cell["metadata"]]
