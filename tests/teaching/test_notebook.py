"""The notebook of the lesson: it is one, it runs as it stands on the standard library alone, and it judges answers."""

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

RUN = """
import json, sys
cells = json.load(sys.stdin)["cells"]
try:
    import pytest
except ImportError:
    pass
else:
    sys.exit("what is installed can be imported")
names = {}
for cell in cells:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
"""
"""Runs every cell of code in order, where nothing that is installed can be imported."""

ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
KEYS = {
    "code": {"id", "cell_type", "metadata", "source", "execution_count", "outputs"},
    "markdown": {"id", "cell_type", "metadata", "source"},
}
"""What a cell must hold and may hold; source: the schema of version 4.5, nbformat.v4.5.schema.json."""

AFTER = re.compile(r"about-mistake_|end$")
"""Cells that come after everything has been counted, and show totals block by block."""

SIZES = {30_522, 512, 2, 768, 3_072, 12}
"""Source: bert_config.json of the uncased base checkpoint."""


def run(text: str) -> subprocess.CompletedProcess[str]:
    """What a fresh Python does with a notebook."""
    # -S: without the packages of the environment.
    command = [sys.executable, "-I", "-S", "-c", RUN]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def faults(text: str) -> list[str]:
    """Why a text is no notebook of version 4.5."""
    found = json.loads(text)
    wrong = [] if (4, 5) == (found["nbformat"], found["nbformat_minor"]) else ["it is of another version"]
    wrong += [] if {"name", "display_name"} <= set(found["metadata"]["kernelspec"]) else ["its kernel has no name"]
    ids = [each.get("id", "") for each in found["cells"]]
    wrong += [f"no id, or a bad one: {each!r}" for each in ids if not ID.fullmatch(each)]
    wrong += [] if len(set(ids)) == len(ids) else ["an id stands twice"]
    for each in found["cells"]:
        if set(each) != KEYS.get(each["cell_type"]):
            wrong.append(f"{each.get('id')}: {', '.join(each)}")
        elif not all(isinstance(line, str) for line in each["source"]) or each.get("outputs"):
            wrong.append(f"{each['id']}: its source is no list of lines, or it has outputs")
    return wrong


def test_it_is_a_notebook() -> None:
    """Of the version whose cells have ids; and it is the same every time."""
    assert [] == faults(notebook())
    assert notebook() == notebook()


def test_it_runs_as_it_stands() -> None:
    """Every cell in order, without anything that is installed."""
    done = run(notebook())
    assert (0, "") == (done.returncode, done.stderr)
    lines = done.stdout.splitlines()
    assert len(lines) == len(list(load_lesson().counts)) + 2 + 2
    assert {"Put your answer in place of None, and run the cell again."} == set(lines[:-2])
    # Source: what transformers prints for BertModel of base and large.
    assert lines[-2:] == ["All 109,482,240 parameters are there.", "BERT large has 335,141,888 parameters."]


def test_a_wrong_number_stops_it() -> None:
    """In a shape."""
    assert "V H" in notebook()
    done = run(notebook().replace("V H", "V V"))
    assert done.returncode != 0
    assert "AssertionError" in done.stderr


@pytest.fixture(scope="module")
def judged() -> Callable[[str, object], str]:
    """What the notebook says to an answer; its cells of code are run here, up to the check."""
    names: dict[str, Any] = {}
    cells = json.loads(notebook())["cells"]
    for each in cells:
        if each["id"] in ("sizes", "check"):
            exec("".join(each["source"]), names)  # noqa: S102  it is our own
    said: Callable[[str, object], str] = names["verdict"]
    return said


ANSWERS = tomllib.loads(Path(__file__).with_name("notebook.toml").read_text(encoding="utf-8"))["answers"]


@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [*ANSWERS, ("total", (109, 482, 240), "Leave out the commas"), ("total", [], "A count is a whole number")],
)
def test_an_answer_is_judged(judged: Callable[[str, object], str], name: str, answer: object, expected: str) -> None:
    """Right ones, each known mistake in its words, unknown ones, and what is no count."""
    assert expected in judged(name, answer)


AS_TEXT = {
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
"""What a student writes in place of None: texts, and sums of what stands in earlier cells."""


def test_text_is_a_number_from_then_on() -> None:
    """A later cell counts on with what was text, in a sum of Python or within another text."""
    text = notebook()
    for name, answer in AS_TEXT.items():
        assert f"{name} = None" in text
        text = text.replace(f"{name} = None", json.dumps(f"{name} = {answer}")[1:-1])
    done = run(text)
    assert (0, "") == (done.returncode, done.stderr)
    assert len(AS_TEXT) == sum(line.startswith("Right") for line in done.stdout.splitlines()), done.stdout


HARMLESS = [*("(" * 119, "9" * 120, "9" * 5_000, "1+" * 60, "9^2" * 40, "((9^2)^2)^2" * 9), 10**5_000, -1, 1e300, "ﷺ"]
"""Texts and numbers that are deep, long or large."""


def test_no_answer_raises_or_takes_long(judged: Callable[[str, object], str]) -> None:
    """Whatever it is; it is answered in words."""
    start = process_time()
    assert all(judged("dense", each) for each in [*HARMLESS, object(), {}, b"1", 1j, float("nan"), float("inf"), ""])
    assert process_time() - start < 1


def test_every_known_mistake_is_in_it(judged: Callable[[str, object], str]) -> None:
    """All that the teacher's page expects."""
    expected = [(count.name, each.number) for count in load_lesson().counts for each in count.expected()]
    assert len(expected) > 15
    assert [] == [each for each in expected if "not right, and" in judged(*each) or "{" in judged(*each)]


def test_no_answer_is_given_away() -> None:
    """No right answer but the sizes stands in the notebook, but where all are known; the check opens folded."""
    cells = json.loads(notebook())["cells"]
    given = re.sub("[,_]", "", "".join("".join(each["source"]) for each in cells if not AFTER.match(each["id"])))
    secret = {each.name: each.question.number for each in load_lesson().counts if each.question.number not in SIZES}
    assert [] == [name for name, number in secret.items() if str(number) in given]
    assert len(secret) > 5
    assert ["check"] == [each["id"] for each in cells if each["metadata"]]
