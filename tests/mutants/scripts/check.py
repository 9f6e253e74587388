"""Mutation testing of the scripts: breaks them in thousands of small ways, and counts how many their tests notice.

Run by `make mutants`, which installs Stryker's instrumenter. The tests are
those of `make test` that open the site in a browser; here they run on a copy
of the repository and its site, in one browser, on one script broken in one
place after the other. For each folder it prints how many mutants were killed, and each that survived; it
exits with 1 where too few were killed. survivors.md says why the rest are left.

    python -m tests.mutants.scripts.check                     a sample of all scripts
    python -m tests.mutants.scripts.check pages drawing       a sample of some folders or scripts
    python -m tests.mutants.scripts.check --sample 0          every mutant
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.building import build, copy

from .finding import SCRIPTS, Mutant, mutants_of, sampled, scripts
from .reporting import FLOOR, Outcome, reported, verdict
from .running import PASSED, Runner
from .suites import suite

ROOT = Path(__file__).parents[3]

INSTRUMENTER = "tests/mutants/scripts/node_modules"

READ = ("pyproject.toml", "LICENSE")
"""What tests read besides what is built."""

SAMPLE = 300
"""How many mutants are tested where nothing else is asked for; all of them would take most of a day."""


def outcomes(found: Sequence[Mutant], runner: Runner) -> Iterator[Outcome]:
    """Check that the site as it is passes, then test each mutant.

    Raises:
        SystemExit: a test fails on the site as it is.
    """
    root = runner.root
    try:
        tests = list(dict.fromkeys(test for each in found for test in suite(root, each.path)))
        if by := runner.run(None, tests).by:
            sys.exit(f"{by} fails on the site as it is, so every mutant would seem killed; see `make test`")
        for each in found:
            result = runner.run(each, suite(root, each.path))
            survivor = each.described((root / each.path).read_text()) if result.what == PASSED else ""
            yield Outcome(each.path, result.what, survivor, result.by)
    finally:
        runner.stop()


def asked_for(names: Sequence[str]) -> list[str]:
    """The scripts that are named, by folder or by name, or all.

    Raises:
        ValueError: a name is neither a folder nor a script.
    """
    every = scripts(ROOT)
    chosen = {name: [each for each in every if _is_in(each, name)] for name in names}
    if missing := [name for name, found in chosen.items() if not found]:
        raise ValueError(f"no script or folder {', '.join(missing)} in {SCRIPTS}")
    return [each for each in every if not names or any(each in found for found in chosen.values())]


def _is_in(path: str, name: str) -> bool:
    return f"{path.removesuffix('.js')}/".startswith(f"{SCRIPTS}/{name}/")


def main() -> int:
    """Test, print, and say whether the floor is met."""
    parser = argparse.ArgumentParser(prog="tests.mutants.scripts.check", description="Break scripts, run their tests.")
    parser.add_argument("names", nargs="*", help="folders or scripts, such as pages or pages/map; none is all")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many mutants, the same at every run; 0 is all")
    parser.add_argument("--verbose", action="store_true", help="print what killed each mutant, too")
    parser.add_argument("--copied", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    try:
        paths = asked_for(asked.names)
    except ValueError as error:
        parser.error(str(error))
    if not asked.copied:
        return in_a_copy()
    found = mutants_of(ROOT, paths)
    start = time.monotonic()
    site = ROOT / "site"
    done = build(site)
    if done.returncode:
        sys.exit(done.stderr)
    whole = reported(outcomes(sampled(found, asked.sample), Runner(ROOT, site)), asked.verbose)
    print(verdict(whole, len(found), time.monotonic() - start))
    return 0 if whole.meets(FLOOR) else 1


def in_a_copy() -> int:
    """Run the same in a copy of the repository, where scripts may be broken whatever happens."""
    with TemporaryDirectory() as folder:
        root = copy(Path(folder) / "copy")
        shutil.copytree(ROOT / "tests", root / "tests", ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        for name in READ:
            shutil.copy(ROOT / name, root)
        for name in (".browser", INSTRUMENTER):
            (root / name).symlink_to(ROOT / name)
        command = [sys.executable, "-m", __spec__.name, *sys.argv[1:], "--copied"]
        return subprocess.run(command, cwd=root, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
