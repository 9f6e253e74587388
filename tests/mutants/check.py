"""Mutation testing: breaks the code in thousands of small ways, and counts how many its tests notice.

Run by `make mutants`, which installs cosmic-ray beside what the site is made
with, into an environment of its own. For each module it prints how many
mutants were killed, and each that survived; it exits with 1 where too few
were killed in the engine, in rendering and exercises, or in publishing.
survivors.md says why the rest are left.

    python -m tests.mutants.check                      everything
    python -m tests.mutants.check counting             the engine, or another room
    python -m tests.mutants.check question tables/keras    some modules
    python -m tests.mutants.check --sample 200         some mutants of each field, the same at every run
    python -m tests.mutants.check --workers 1          one process, which leaves the other processors to others
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
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from . import suites
from .finding import Mutant, mutants_of
from .programs import is_other
from .reporting import NONE, Outcome, all_met, reported, verdict
from .running import FORK, LIBRARIES, PASSED, copied, run, run_broken, whole_copy

ROOT = Path(__file__).parents[2]

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


def outcomes(paths: Sequence[str], sample: int, workers: int) -> Iterator[Outcome]:
    """Check that the code as it is passes, then test its mutants, each worker on a copy of its own."""
    for library in LIBRARIES:
        import_module(library)
    asked = [field for field in suites.FIELDS if any(suites.field_of(path) == field for path in paths)]
    with TemporaryDirectory() as name, ProcessPoolExecutor(workers, FORK) as pool:
        suite = [path for field in asked for path in suites.everything(ROOT, field)]
        whole = whole_copy(ROOT, Path(name) / "whole", suite)
        for path, passed in zip(paths, pool.map(partial(passes, whole), paths), strict=True):
            if not passed:
                sys.exit(f"{' '.join(suites.first(ROOT, path))} fail when run alone, on the code as it is")
        for field in asked:
            of_field = [path for path in paths if suites.field_of(path) == field]
            found = [mutant for of_module in pool.map(partial(mutants_of, ROOT), of_field) for mutant in of_module]
            yield from pool.map(partial(tested, whole), sampled(found, sample))


def main() -> int:
    """Test, print, and say whether the floors are met."""
    parser = argparse.ArgumentParser(prog="tests.mutants.check", description="Break the code, run its tests.")
    parser.add_argument("modules", nargs="*", help="names such as question or tables/keras, or rooms; none is all")
    parser.add_argument("--sample", type=int, default=0, help="how many mutants of each field; 0 is all")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="how many processes; else one a processor")
    asked = parser.parse_args()
    known = [path for field in suites.FIELDS for path in suites.modules(ROOT, field)]
    if unknown := [name for name in asked.modules if not suites.named(known, name)]:
        parser.error(f"no module {', '.join(unknown)} in {suites.CODE}")
    chosen = {path for name in asked.modules for path in suites.named(known, name)}
    start = time.monotonic()
    tallies = reported(outcomes([path for path in known if path in chosen or not chosen], asked.sample, asked.workers))
    for field, tally in tallies.items():
        print(verdict(field, tally))
    print(f"{time.monotonic() - start:.0f} seconds" if tallies else "no mutant was tested: MISSED")
    return 0 if all_met(tallies) else 1


if __name__ == "__main__":
    sys.exit(main())
