"""What runs the tests on mutants tells one that is killed from one that is not, and chooses the tests rightly."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.mutants import suites
from tests.mutants.programs import FUTURE, is_other
from tests.mutants.reporting import NONE, Outcome, Tally, all_met, reported, verdict
from tests.mutants.running import FAILED, HUNG, PASSED

ROOT = Path(__file__).parents[1]

MODULE = "macros/counting/tiny.py"
SOURCE = "def twice(number):\n    return 2 * number\n"
TEST = "from macros.counting.tiny import twice\n\n\ndef test_twice():\n    assert 4 == twice(2)\n"

PROBE = """
import sys
from pathlib import Path
from tests.mutants import running
from tests.mutants.running import run_broken, whole_copy

running.WAITING = 2  # times two seconds, so that nobody waits long for what waits for ever
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


@pytest.mark.breaking
@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("2 * number", "3 * number", FAILED),
        ("2 * number", "number * 2", PASSED),
        ("2 * number", "number ** 2", PASSED),
        ("return", "raise", FAILED),
        ("return", "import nowhere;return", FAILED),
        ("    return", "    while True: 1 or", HUNG),
        ("    return", "    import time; time.sleep(60); return", HUNG),
        ("2 * number", "2 *", FAILED),
    ],
)
def test_what_becomes_of_a_mutant(tmp_path: Path, old: str, new: str, what: str) -> None:
    """A test fails, none does, one hangs, or the module cannot even be imported; each leaves the copy whole."""
    done = probed(tmp_path, SOURCE.replace(old, new))
    assert (0, f"{what}\n", "") == (done.returncode, done.stdout, done.stderr)


@pytest.mark.breaking
@pytest.mark.parametrize("test", [TEST.replace("4", "5"), TEST.replace("tiny", "missing"), ""])
def test_code_that_fails_unbroken_is_refused(tmp_path: Path, test: str) -> None:
    """Else every mutant would seem killed; no test at all is refused as well."""
    done = probed(tmp_path, SOURCE, test)
    line = "the tests fail on the code as it is, so every mutant would seem killed; see `make test`\n"
    assert (1, "", line) == (done.returncode, done.stdout, done.stderr)


COPYING = """
import sys
from pathlib import Path
from tests.mutants import running

root, folder, missing, *suite = sys.argv[1:]
running.COPIED = tuple(name for name in running.COPIED if name != missing)
running.whole_copy(Path(root), Path(folder), suite)
"""
"""Tests the code as it is in a copy, from which something may be missing."""


def copied(folder: Path, suite: Sequence[str], missing: str = "") -> str:
    """What is said of tests of ours that are run in a copy; nothing where they pass."""
    command = [sys.executable, "-c", COPYING, str(ROOT), str(folder), missing, *suite]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return f"{done.returncode}: {done.stdout}{done.stderr}" if done.returncode else ""


@pytest.mark.breaking
@pytest.mark.parametrize("field", suites.FIELDS, ids=lambda field: field.title)
def test_the_tests_of_each_field_pass_in_a_copy(tmp_path: Path, field: suites.Field) -> None:
    """Else `make mutants` tests no mutant of any field."""
    assert "" == copied(tmp_path / "whole", suites.everything(ROOT, field))


@pytest.mark.breaking
@pytest.mark.parametrize(
    ("test", "missing"),
    [("tests/test_hooks.py", "mkdocs.yml")],
)
def test_a_copy_that_lacks_what_tests_read_is_noticed(tmp_path: Path, test: str, missing: str) -> None:
    """The workflows once were missing, and no mutant could be tested."""
    assert "" == copied(tmp_path / "whole", [test])
    assert copied(tmp_path / "less", [test], missing).startswith("1: the tests fail on the code as it is")


def test_a_module_is_tested_first_by_what_mirrors_it() -> None:
    """By name, and in its room; its doctests are among them."""
    question = ["tests/counting/test_question.py", "macros/counting/question.py"]
    assert question == suites.first(ROOT, "macros/counting/question.py")
    claims = ["tests/counting/disagreements/test_claims.py"]
    assert claims == suites.first(ROOT, "macros/counting/disagreements/claims.py")[:1]
    assert ["tests/counting/test_command_line.py"] == suites.first(ROOT, "macros/counting/__main__.py")
    assert ["tests/counting/test_architecture.py"] == suites.first(ROOT, "macros/counting/architectures/albert.py")
    assert ["tests/rendering/figures/test_layers.py"] == suites.first(ROOT, "macros/rendering/figures/layers.py")
    assert ["tests/publish/test_publish.py"] == suites.first(ROOT, "macros/publish/__init__.py")
    assert ["tests/test_hooks.py"] == suites.first(ROOT, "macros/hooks.py")


def test_the_rest_is_what_imports_a_module() -> None:
    """At once or by way of others; the slow fuzz tests are left out, and so is what came first."""
    of_question = suites.rest(ROOT, "macros/counting/question.py")
    assert {"tests/counting/test_properties.py", "README.md"} <= set(of_question)
    assert "tests/counting/test_question.py" not in of_question
    assert "tests/counting/test_fuzz.py" not in of_question
    of_bridges = suites.rest(ROOT, "macros/counting/disagreements/bridges.py")
    assert "tests/counting/test_config.py" not in of_bridges
    of_layers = suites.rest(ROOT, "macros/rendering/figures/layers.py")
    assert {"tests/rendering/test_every_page.py", "tests/rendering/test_macros.py"} <= set(of_layers)
    assert "tests/rendering/test_citations.py" not in of_layers


ALL_MODULES = [path for field in suites.FIELDS for path in suites.modules(ROOT, field)]


def test_every_module_is_broken() -> None:
    """No code of the site is in no field, and none in two."""
    code = {path.relative_to(ROOT).as_posix() for path in (ROOT / "macros").rglob("*.py")}
    assert sorted(code - {"macros/__init__.py"}) == sorted(ALL_MODULES)
    assert suites.RENDERING == suites.field_of("macros/site.py") == suites.field_of("macros/rendering/worked.py")
    assert suites.PUBLISHING == suites.field_of("macros/publish/policy.py") == suites.field_of("macros/hooks.py")
    assert suites.ENGINE == suites.field_of("macros/counting/frameworks/listing.py")


@pytest.mark.parametrize("module", ALL_MODULES)
def test_no_test_is_chosen_twice(module: str) -> None:
    """First and rest are parts of everything, and share nothing."""
    first, rest = suites.first(ROOT, module), suites.rest(ROOT, module)
    assert len(first) + len(rest) == len({*first, *rest})
    assert {*first, *rest} <= set(suites.everything(ROOT, suites.field_of(module)))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("question", ["macros/counting/question.py"]),
        ("snippets", ["macros/rendering/snippets.py"]),
        ("tables/models", ["macros/rendering/tables/models.py"]),
        ("models", ["macros/counting/models.py", "macros/rendering/tables/models.py"]),
        ("counting/sums", ["macros/counting/sums.py"]),
        ("architectures/", sorted(path for path in ALL_MODULES if "/architectures/" in path)),
        ("hooks", ["macros/hooks.py"]),
        ("quest", []),
    ],
)
def test_modules_are_named_as_one_says_it(name: str, found: list[str]) -> None:
    """By name, with a room where two have one name, or a room for all that is in it."""
    assert found == sorted(suites.named(ALL_MODULES, name))


def test_the_report_is_by_module(capsys: pytest.CaptureFixture[str]) -> None:
    """Survivors below their module; what is no other program is not counted; a tally for each field."""
    first, second, third = "macros/counting/a.py", "macros/counting/frameworks/b.py", "macros/publish/c.py"
    outcomes = [
        Outcome(first, FAILED),
        Outcome(first, PASSED, f"{first}:3 AddNot"),
        Outcome(first, NONE),
        Outcome(second, HUNG),
        Outcome(second, FAILED),
        Outcome(third, FAILED),
        Outcome("macros/rendering/d.py", NONE),
    ]
    assert {suites.ENGINE: Tally(4, 1, 1), suites.PUBLISHING: Tally(1, 0, 0)} == reported(outcomes)
    assert [
        "killed 1 of 2 (50.0%) counting/a.py",
        f"  {first}:3 AddNot",
        "killed 2 of 2 (100.0%) counting/frameworks/b.py",
        "killed 1 of 1 (100.0%) publish/c.py",
    ] == capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("field", "whole", "line"),
    [
        (
            suites.ENGINE,
            Tally(100, 4, 1),
            "killed 96 of 100 (96.0%) in the engine, 1 of them because they hung; at least 96%: met",
        ),
        (suites.ENGINE, Tally(100, 5), "killed 95 of 100 (95.0%) in the engine; at least 96%: MISSED"),
        (suites.RENDERING, Tally(100, 10), "killed 90 of 100 (90.0%) in rendering and exercises; at least 90%: met"),
        (suites.RENDERING, Tally(100, 11), "killed 89 of 100 (89.0%) in rendering and exercises; at least 90%: MISSED"),
        (suites.PUBLISHING, Tally(100, 10), "killed 90 of 100 (90.0%) in publishing; at least 90%: met"),
        (suites.PUBLISHING, Tally(100, 11), "killed 89 of 100 (89.0%) in publishing; at least 90%: MISSED"),
    ],
)
def test_the_verdict(field: suites.Field, whole: Tally, line: str) -> None:
    """The floor of each field is met or missed."""
    assert line == verdict(field, whole)
    assert line.endswith("met") == whole.meets(field.floor)


def test_every_floor_must_be_met() -> None:
    """The best engine does not make up for a field that is not guarded; and a run that broke nothing shows nothing."""
    good, bad = Tally(100, 0), Tally(100, 11)
    assert all_met({suites.ENGINE: good, suites.PUBLISHING: good})
    for field in suites.FIELDS:
        assert not all_met({**dict.fromkeys(suites.FIELDS, good), field: bad})
    assert not all_met({})
    assert not all_met({suites.RENDERING: Tally()})


CACHED = "@lru_cache(maxsize=1)\ndef f(): pass"


@pytest.mark.parametrize(
    ("original", "source"),
    [
        ("a = 1", "a = (1)"),
        ("f(**a)", "f(/a)"),
        ("a is None", "a == None"),
        ("a is not None", "a != None"),
        ("a is not object", "a != object"),
        ("type(a) is b", "type(a) == b"),
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
        ("a is int", "a is not int"),
        ("kind(a) is b", "kind(a) == b"),
        ("def f(a: b | c): pass", "def f(a: b + c): pass"),
        (f"{FUTURE}\na: int = b | c", f"{FUTURE}\na: int = b + c"),
        ("@property\ndef f(): pass", "def f(): pass"),
        ("@cached_property\ndef f(): pass", "def f(): pass"),
    ],
)
def test_what_is_another_program(original: str, source: str) -> None:
    """Whatever a test could notice, if only with values that no test happens to use."""
    assert is_other(original, source)
