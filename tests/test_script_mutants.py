"""What breaks the scripts tells a mutant that is killed from one that is not, and its floor can be missed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from macros.publish.scripts import JOINED, without_comments
from tests.mutants.reporting import Tally
from tests.mutants.scripts.breaking import broken
from tests.mutants.scripts.check import asked_for, outcomes
from tests.mutants.scripts.finding import Mutant, mutants_of, sampled, scripts
from tests.mutants.scripts.reporting import FLOOR, Outcome, reported, verdict
from tests.mutants.scripts.running import FAILED, HUNG, PASSED, Result, Runner
from tests.mutants.scripts.suites import FIRST, browsing, suite

ROOT = Path(__file__).parents[1]

TINY = "docs/assets/tiny/twice.js"
SOURCE = """"use strict"
// Twice: a number and the same again.
globalThis.twice = (number) => {
  let sum = 0
  while (sum < 2 * number) sum++
  return sum
}
"""
CONFTEST = """import pytest

@pytest.fixture(scope="session")
def browser(): ...

@pytest.fixture(scope="session")
def address(): ...
"""
TEST = """def test_twice(browser, address):  # browser: Browser
    page = browser.new_page()
    page.goto(f"{address}/index.html")
    assert 4 == page.evaluate("twice(2)")
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one script, one page and one test, and its site."""
    root = tmp_path_factory.mktemp("tiny")
    page = '<title>Twice</title><script src="assets/tiny/twice.js"></script>'
    for path, text in {
        TINY: SOURCE,
        "tests/docs/conftest.py": CONFTEST,
        "tests/docs/test_tiny.py": TEST,
        "pyproject.toml": "",
        "site/assets/tiny/twice.js": SOURCE,
        f"site/{JOINED}/1.js": f"1\n{without_comments(SOURCE)}\n2\n",
        "site/index.html": page,
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def mutant(old: str, new: str, path: str = TINY) -> Mutant:
    """A mutant of the tiny script."""
    start = SOURCE.index(old)
    return Mutant(path, SOURCE[:start].count("\n") + 1, "Planted", start, start + len(old), new)


@pytest.mark.breaking
def test_what_becomes_of_mutants(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One fails, one hangs and one that no test sees is reported with its line; so many misses the floor."""
    found = [mutant("2 *", "3 *"), mutant("sum++", "sum--"), mutant("2 * number", "number * 2"), mutant("sum\n", "\n")]
    runner = Runner(tiny, tiny / "site", patience=3)
    (tiny / "docs/assets/tiny/lost.js").write_text(f"lost {SOURCE}")
    (tiny / "site/assets/tiny/lost.js").write_text("published otherwise")
    with pytest.raises(ValueError, match="is in none of the scripts"):
        runner.run(mutant("2 *", "3 *", "docs/assets/tiny/lost.js"), [])
    listed = list(outcomes(found, runner))
    assert [FAILED, HUNG, PASSED, FAILED] == [each.what for each in listed]
    assert "tests/docs/test_tiny.py::test_twice" == listed[0].by
    whole = reported(listed)
    assert Tally(4, 1, 1) == whole
    assert [
        f"  {TINY}:5 Planted",
        "      -   while (sum < 2 * number) sum++",
        "      +   while (sum < number * 2) sum++",
        "killed 3 of 4 (75.0%) tiny",
    ] == capsys.readouterr().out.splitlines()
    assert not whole.meets(FLOOR)
    assert SOURCE == (tiny / "site/assets/tiny/twice.js").read_text()


class Failing(Runner):
    """A runner whose tests fail before anything is broken."""

    def __init__(self, root: Path) -> None:
        self.root, self.stopped = root, False

    def run(self, mutant: Mutant | None, tests: Sequence[str]) -> Result:
        """Fail."""
        assert (None, ["tests/docs/test_tiny.py"]) == (mutant, tests)
        return Result(FAILED, "test_twice")

    def stop(self) -> None:
        """Note that it was stopped."""
        self.stopped = True


def test_a_site_that_fails_unbroken_is_refused(tiny: Path) -> None:
    """Else every mutant would seem killed."""
    runner = Failing(tiny)
    with pytest.raises(SystemExit, match="test_twice fails on the site as it is"):
        list(outcomes([mutant("2 *", "3 *")], runner))
    assert runner.stopped


def test_a_script_is_broken_wherever_it_is(tiny: Path) -> None:
    """As a file of its own and joined with others, and only for a while; a script of no page is refused."""
    with broken(tiny / "site", tiny, mutant("2 *", "3 *")):
        for path in (TINY, "site/assets/tiny/twice.js"):
            assert "3 * number" in (tiny / path).read_text()
        assert f"1\n{without_comments(SOURCE.replace('2 *', '3 *'))}\n2\n" == (tiny / f"site/{JOINED}/1.js").read_text()
    assert f"1\n{without_comments(SOURCE)}\n2\n" == (tiny / f"site/{JOINED}/1.js").read_text()
    assert SOURCE == (tiny / TINY).read_text()
    (tiny / "docs/assets/tiny/other.js").write_text(f"other {SOURCE}")
    (tiny / "site/assets/tiny/other.js").write_text("published otherwise")
    with (
        pytest.raises(ValueError, match="is in none of the scripts"),
        broken(tiny / "site", tiny, mutant("2 *", "3 *", "docs/assets/tiny/other.js")),
    ):
        pass


@pytest.mark.parametrize(
    ("whole", "line"),
    [
        (
            Tally(100, 10, 2),
            "killed 90 of 100 (90.0%) in all out of 500, 2 of them because they hung, in 60 seconds; at least 90%: met",
        ),
        (Tally(500, 51), "killed 449 of 500 (89.8%) in all, in 60 seconds; at least 90%: MISSED"),
        (Tally(), "no mutant was tested: MISSED"),
    ],
)
def test_the_verdict(whole: Tally, line: str) -> None:
    """The floor is met or missed, and missed where there was nothing to break."""
    assert line == verdict(whole, 500, 60.0)
    assert line.endswith("met") == whole.meets(FLOOR)


def test_the_report_is_by_folder(capsys: pytest.CaptureFixture[str]) -> None:
    """Each folder once."""
    reported([Outcome("docs/assets/a/b/c.js", FAILED), Outcome("docs/assets/a/d.js", HUNG), Outcome(TINY, FAILED)])
    assert ["killed 2 of 2 (100.0%) a", "killed 1 of 1 (100.0%) tiny"] == capsys.readouterr().out.splitlines()


def test_every_script_has_tests() -> None:
    """Those that are named exist; a script that nothing is said of has all that open a browser."""
    every = browsing(ROOT)
    assert {"tests/docs/test_map_walk.py", "tests/docs/test_search.py"} < set(every)
    assert scripts(ROOT)
    for each in scripts(ROOT):
        assert {test.partition("::")[0] for test in suite(ROOT, each)} <= set(every), each
    assert every == suite(ROOT, "docs/assets/invented/new.js")
    folders = {path.removeprefix("docs/assets/").rpartition("/")[0] for path in scripts(ROOT)}
    names = {path.removeprefix("docs/assets/").removesuffix(".js") for path in scripts(ROOT)}
    assert set(FIRST) <= folders | names


def test_some_can_be_asked_for() -> None:
    """A folder, a folder within, a script, or all."""
    assert scripts(ROOT) == asked_for([])
    assert ["docs/assets/pages/map.js"] == asked_for(["pages/map"])
    assert "docs/assets/explaining/kinds/near.js" in asked_for(["explaining"])
    assert ["drawing", "explaining"] == sorted(
        {each.split("/")[2] for each in asked_for(["drawing", "explaining/kinds"])}
    )
    with pytest.raises(ValueError, match="no script or folder page in docs/assets"):
        asked_for(["page"])


def test_a_sample_is_the_same_at_every_run() -> None:
    """As many as are asked for, in their order."""
    found = [mutant("sum", str(number)) for number in range(50)]
    assert sampled(found, 10) == sampled(found, 10)
    assert 10 == len(sampled(found, 10))
    assert sampled(found, 10) == sorted(sampled(found, 10), key=found.index)
    assert found == sampled(found, 0) == sampled(found, 60)


PLANTED = """"use strict"
// Planted: what was broken by hand and not noticed.
{
  const MOVES = { ArrowUp: [-1, 0] }
  const value = (now, old) => now - old
  document.addEventListener("keydown", (event) => {
    if (event.key in MOVES) value(1, 2)
  })
}
"""


@pytest.mark.breaking
def test_stryker_breaks_a_script(tmp_path: Path) -> None:
    """A turned sign, a key that goes the other way, a condition and a block; each is a program and another one."""
    (tmp_path / "planted.js").write_text(PLANTED)
    found = mutants_of(tmp_path, ["planted.js"])
    changed = {each.described(PLANTED).splitlines()[-1].removeprefix("      + ") for each in found if each.line > 3}
    assert {
        "  const MOVES = { ArrowUp: [(+1), 0] }",
        "  const value = (now, old) => (now + old)",
        "    if ((true)) value(1, 2)",
        '  document.addEventListener("", (event) => {',
    } <= {each.replace('("")', '""') for each in changed}
    assert len(found) == len(set(found)) > 8


@pytest.mark.breaking
def test_the_command_starts() -> None:
    """What tests need is in the copy, and the process that the command starts can import them."""
    command = [sys.executable, "-m", "tests.mutants.scripts.check", "pages/cite", "--sample", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert re.search(r"killed [01] of 1 .* in all out of \d+", done.stdout), done.stdout + done.stderr
