"""Mutation testing: breaks the engine in thousands of small ways, and counts how many its tests notice.

Run by `make mutants`, which installs cosmic-ray into an environment of its
own. For each module it prints how many mutants were killed, and each that
survived; it exits with 1 where too few were killed. survivors.md says why
the rest are left.

    python -m tests.mutants.check                      the whole engine
    python -m tests.mutants.check question keras_hub   some modules
    python -m tests.mutants.check --sample 200         some mutants, the same at every run
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from . import suites
from .finding import Mutant, mutants_of, same
from .running import FORK, HUNG, PASSED, copied, run, run_broken

ROOT = Path(__file__).parents[2]

FLOOR = 0.96
"""The least share of mutants that must be killed."""

WORKERS = os.cpu_count() or 1

SAME = "same"
"""What becomes of a mutant that is the same program; it is not counted."""

SAMPLE_SEED = 0


class Outcome(NamedTuple):
    """What became of a mutant; it is described where it survived."""

    path: str
    what: str
    survivor: str = ""


def chosen(paths: Sequence[str], sample: int) -> list[Mutant]:
    """The mutants of some modules; a sample of them where its size is given."""
    found = [mutant for path in paths for mutant in mutants_of(ROOT, path)]
    if not sample:
        return found
    return sorted(random.Random(SAMPLE_SEED).sample(found, min(sample, len(found))))  # noqa: S311  no secret


@lru_cache(maxsize=1)
def own_copy(whole: Path) -> Path:
    """The copy in which this worker breaks modules."""
    return copied(whole, whole.parent / str(os.getpid()))


def passes(whole: Path, path: str) -> bool:
    """Whether the tests that come first for a module pass on the code as it is."""
    tests = suites.first(ROOT, path)
    return not tests or run(own_copy(whole), [tests]) == PASSED


def tested(whole: Path, mutant: Mutant) -> Outcome:
    """Run the tests on a mutant until one fails."""
    original = (ROOT / mutant.path).read_text()
    source = mutant.source(original)
    if same(original, source):
        return Outcome(mutant.path, SAME)
    chosen = [tests for tests in (suites.first(ROOT, mutant.path), suites.rest(ROOT, mutant.path)) if tests]
    what = run_broken(own_copy(whole), mutant.path, source, chosen)
    return Outcome(mutant.path, what, mutant.described(original) if what == PASSED else "")


def outcomes(paths: Sequence[str], sample: int) -> Iterator[Outcome]:
    """Check that the code as it is passes, then test its mutants, on as many copies as there are processors."""
    with TemporaryDirectory() as name, ProcessPoolExecutor(WORKERS, FORK) as pool:
        whole = copied(ROOT, Path(name) / "whole")
        if run(whole, [suites.everything(ROOT)], keep=True) != PASSED:
            sys.exit("the tests fail on the code as it is, so every mutant would seem killed; see `make test`")
        for path, passed in zip(paths, pool.map(partial(passes, whole), paths), strict=True):
            if not passed:
                sys.exit(f"{' '.join(suites.first(ROOT, path))} fail when run alone, on the code as it is")
        yield from pool.map(partial(tested, whole), chosen(paths, sample))


def share(killed: int, number: int) -> str:
    """How many were killed, in words.

    >>> share(120, 123)
    'killed 120 of 123 (97.6%)'
    """
    return f"killed {killed} of {number} ({killed / number:.1%})"


def reported(found: Iterable[Outcome]) -> tuple[int, int, int]:
    """Print each module when all its mutants are tested; how many were killed, of how many, and how many hung."""
    killed = number = hung = 0
    for path, of_module in groupby(found, key=lambda outcome: outcome.path):
        counted = [outcome for outcome in of_module if outcome.what != SAME]
        survivors = [outcome.survivor for outcome in counted if outcome.survivor]
        if counted:
            name = path.removeprefix(f"{suites.ENGINE}/")
            print("\n  ".join([f"{share(len(counted) - len(survivors), len(counted))} {name}", *survivors]), flush=True)
        killed += len(counted) - len(survivors)
        number += len(counted)
        hung += sum(outcome.what == HUNG for outcome in counted)
    return killed, number, hung


def main() -> int:
    """Test, print, and say whether the floor is met."""
    parser = argparse.ArgumentParser(prog="tests.mutants.check", description="Break the engine, run its tests.")
    parser.add_argument("modules", nargs="*", help="names such as question; none is all")
    parser.add_argument("--sample", type=int, default=0, help="how many mutants, the same at every run; 0 is all")
    asked = parser.parse_args()
    known = {Path(path).stem: path for path in suites.modules(ROOT)}
    if unknown := set(asked.modules) - known.keys():
        parser.error(f"no module {', '.join(sorted(unknown))} in {suites.ENGINE}")
    paths = [path for path in suites.modules(ROOT) if not asked.modules or Path(path).stem in asked.modules]
    start = time.monotonic()
    killed, number, hung = reported(outcomes(paths, asked.sample))
    if not number:
        parser.error("there is nothing to break")
    met = killed >= FLOOR * number
    print(
        f"{share(killed, number)} in all, {hung} of them because they hung, in {time.monotonic() - start:.0f} seconds; "
        f"at least {FLOOR:.0%}: {'met' if met else 'MISSED'}"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
