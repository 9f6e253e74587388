"""What runs the tests on mutants tells one that is killed from one that is not, and chooses the tests rightly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants import suites
from tests.mutants.programs import FUTURE, is_other
from tests.mutants.reporting import NONE, Outcome, Tally, reported, verdict
from tests.mutants.running import FAILED, HUNG, PASSED

ROOT = Path(__file__).parents[1]

MODULE = "macros/counting/tiny.py"
SOURCE = "def twice(number):\n    return 2 * number\n"
TEST = "from macros.counting.tiny import twice\n\n\ndef test_twice():\n    assert 4 == twice(2)\n"

PROBE = """
import sys
from pathlib import Path
from tests.mutants.running import run_broken, whole_copy

root, module, source = sys.argv[1:]
whole = whole_copy(Path(root), Path(root) / "whole", ["tests/counting"])
print(run_broken(whole, module, source, [["tests/counting"]], patience=2))
assert (Path(root) / module).read_text() == (whole / module).read_text()
"""
"""Run in a process of its own, since pytest does not run within pytest."""


def probed(root: Path, source: str, test: str = TEST) -> subprocess.CompletedProcess[str]:
    """What is said of another source of a project with one module and one test."""
    for path, text in ((MODULE, SOURCE), ("tests/counting/test_tiny.py", test), ("pyproject.toml", "")):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    command = [sys.executable, "-c", PROBE, str(root), MODULE, source]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("2 * number", "3 * number", FAILED),
        ("2 * number", "number * 2", PASSED),
        ("2 * number", "number ** 2", PASSED),
        ("return", "raise", FAILED),
        ("return", "import nowhere;return", FAILED),
        ("    return", "    while True: 1 or", HUNG),
        ("2 * number", "2 *", FAILED),
    ],
)
def test_what_becomes_of_a_mutant(tmp_path: Path, old: str, new: str, what: str) -> None:
    """A test fails, none does, one hangs, or the module cannot even be imported; each leaves the copy whole."""
    done = probed(tmp_path, SOURCE.replace(old, new))
    assert (0, f"{what}\n", "") == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("test", [TEST.replace("4", "5"), TEST.replace("tiny", "missing"), ""])
def test_code_that_fails_unbroken_is_refused(tmp_path: Path, test: str) -> None:
    """Else every mutant would seem killed; no test at all is refused as well."""
    done = probed(tmp_path, SOURCE, test)
    line = "the tests fail on the code as it is, so every mutant would seem killed; see `make test`\n"
    assert (1, "", line) == (done.returncode, done.stdout, done.stderr)


def test_a_module_is_tested_first_by_what_mirrors_it() -> None:
    """By name, and in its room; its doctests are among them."""
    question = ["tests/counting/test_question.py", "macros/counting/question.py"]
    assert question == suites.first(ROOT, "macros/counting/question.py")
    claims = ["tests/counting/disagreements/test_claims.py"]
    assert claims == suites.first(ROOT, "macros/counting/disagreements/claims.py")[:1]
    assert ["tests/counting/test_command_line.py"] == suites.first(ROOT, "macros/counting/__main__.py")
    assert ["tests/counting/test_architecture.py"] == suites.first(ROOT, "macros/counting/architectures/albert.py")


def test_the_rest_is_what_imports_a_module() -> None:
    """At once or by way of others; the slow fuzz tests are left out, and so is what came first."""
    of_question = suites.rest(ROOT, "macros/counting/question.py")
    assert {"tests/counting/test_properties.py", "README.md"} <= set(of_question)
    assert "tests/counting/test_question.py" not in of_question
    assert "tests/counting/test_fuzz.py" not in of_question
    of_bridges = suites.rest(ROOT, "macros/counting/disagreements/bridges.py")
    assert "tests/counting/test_config.py" not in of_bridges


@pytest.mark.parametrize("module", suites.modules(ROOT))
def test_no_test_is_chosen_twice(module: str) -> None:
    """First and rest are parts of everything, and share nothing."""
    first, rest = suites.first(ROOT, module), suites.rest(ROOT, module)
    assert len(first) + len(rest) == len({*first, *rest})
    assert {*first, *rest} <= set(suites.everything(ROOT))


def test_the_report_is_by_module(capsys: pytest.CaptureFixture[str]) -> None:
    """Survivors below their module; what is no other program is not counted."""
    first, second = "macros/counting/a.py", "macros/counting/frameworks/b.py"
    outcomes = [
        Outcome(first, FAILED),
        Outcome(first, PASSED, f"{first}:3 AddNot"),
        Outcome(first, NONE),
        Outcome(second, HUNG),
        Outcome(second, FAILED),
    ]
    assert Tally(4, 1, 1) == reported(outcomes)
    lines = ["killed 1 of 2 (50.0%) a.py", f"  {first}:3 AddNot", "killed 2 of 2 (100.0%) frameworks/b.py"]
    assert lines == capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("whole", "line"),
    [
        (
            Tally(100, 4, 1),
            "killed 96 of 100 (96.0%) in all, 1 of them because they hung, in 60 seconds; at least 96%: met",
        ),
        (Tally(100, 5), "killed 95 of 100 (95.0%) in all, in 60 seconds; at least 96%: MISSED"),
        (Tally(), "no mutant was tested: MISSED"),
    ],
)
def test_the_verdict(whole: Tally, line: str) -> None:
    """The floor is met or missed, and missed where there was nothing to break."""
    assert line == verdict(whole, 60.0)
    assert line.endswith("met") == whole.met


CACHED = "@lru_cache(maxsize=1)\ndef f(): pass"


@pytest.mark.parametrize(
    ("original", "source"),
    [
        ("a = 1", "a = (1)"),
        ("f(**a)", "f(/a)"),
        ("a is None", "a == None"),
        ("a is not None", "a != None"),
        (CACHED, CACHED.replace("1", "2")),
        (CACHED, "def f(): pass"),
        (f"{FUTURE}\ndef f(a: b | c) -> b | c: d: b | c = a", f"{FUTURE}\ndef f(a: b + c) -> b - c: d: b * c = a"),
    ],
)
def test_what_is_no_other_program(original: str, source: str) -> None:
    """The same one, none at all, or one that differs only in speed or in what is never evaluated."""
    assert not is_other(original, source)


@pytest.mark.parametrize(
    ("original", "source"),
    [
        ("a = 1", "a = 2"),
        ("a is None", "a is not None"),
        ("a is b", "a == b"),
        ("a is True", "a == True"),
        ("def f(a: b | c): pass", "def f(a: b + c): pass"),
        (f"{FUTURE}\na: int = b | c", f"{FUTURE}\na: int = b + c"),
        ("@property\ndef f(): pass", "def f(): pass"),
        ("@cached_property\ndef f(): pass", "def f(): pass"),
    ],
)
def test_what_is_another_program(original: str, source: str) -> None:
    """Whatever a test could notice, if only with values that no test happens to use."""
    assert is_other(original, source)
