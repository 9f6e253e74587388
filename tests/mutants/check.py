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
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from . import suites
from .finding import Mutant, mutants_of
from .programs import is_other
from .reporting import NONE, Outcome, reported, verdict
from .running import FORK, PASSED, copied, run, run_broken, whole_copy

ROOT = Path(__file__).parents[2]

WORKERS = os.cpu_count() or 1

SEED = 0
"""What a sample is drawn with, so that it is the same at every run."""


def sampled(found: list[Mutant], number: int) -> list[Mutant]:
    """So many of the mutants, in their order; all of them where that is 0."""
    if not number:
        return found
    places = random.Random(SEED).sample(range(len(found)), min(number, len(found)))  # noqa: S311  no secret
    return [found[place] for place in sorted(places)]


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
    if not is_other(original, source):
        return Outcome(mutant.path, NONE)
    tests = [each for each in (suites.first(ROOT, mutant.path), suites.rest(ROOT, mutant.path)) if each]
    what = run_broken(own_copy(whole), mutant.path, source, tests)
    return Outcome(mutant.path, what, mutant.described(original) if what == PASSED else "")


def outcomes(paths: Sequence[str], sample: int) -> Iterator[Outcome]:
    """Check that the code as it is passes, then test its mutants, on as many copies as there are processors."""
    with TemporaryDirectory() as name, ProcessPoolExecutor(WORKERS, FORK) as pool:
        whole = whole_copy(ROOT, Path(name) / "whole", suites.everything(ROOT))
        for path, passed in zip(paths, pool.map(partial(passes, whole), paths), strict=True):
            if not passed:
                sys.exit(f"{' '.join(suites.first(ROOT, path))} fail when run alone, on the code as it is")
        found = [mutant for of_module in pool.map(partial(mutants_of, ROOT), paths) for mutant in of_module]
        yield from pool.map(partial(tested, whole), sampled(found, sample))


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
    whole = reported(outcomes(paths, asked.sample))
    print(verdict(whole, time.monotonic() - start))
    return 0 if whole.met else 1


if __name__ == "__main__":
    sys.exit(main())
