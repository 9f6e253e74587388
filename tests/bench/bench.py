"""How fast the engine counts, beside transformers on the meta device, side by side in one run.

Run by `make bench`, which installs transformers into an environment of its
own. Each row times both sides at the same work, in turn, so that a machine
that slows down slows both, and takes the least of several times: whatever
else the machine does can only add to one. It exits with 1 where a goal is missed.

What is compared:

first       The engine is imported anew, has read the sizes, and counts for the first time; transformers, long
            imported, builds its model and adds it up.
further     Other sizes each time: the engine knows the architecture, transformers builds the model.
again       The same model once more, and both sides keep what they have built:
            the engine its question, transformers its model.
list        Name and shape of every tensor, from nothing but the sizes.
list again  The same from the question and the model that are kept.
closed form The total written out in letters, in Python: nothing that reads the sizes can be faster.
deep        A million layers against one, by the engine alone.
command     A whole process against a bare interpreter, all of the engine compiled beforehand.
"""

from __future__ import annotations

import compileall
import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count as numbers
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import torch
import transformers

from tests.bench.goals import GOALS

ROOT = Path(__file__).parents[2]

BOTH_HEADS = "BertForPreTraining"
SIZES = {
    "vocab_size": 30522,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
    "hidden_size": 1024,
    "intermediate_size": 4096,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
}
"""Those of BERT large, uncased."""

ROUNDS = 40
"""How often each side of a row is timed; many short times find a moment in which the machine does nothing else."""

FIRST_ROUNDS = 400
"""Likewise for a first count, of which each import gives one: other rows count thousands of times in theirs."""


class Row(NamedTuple):
    """What is timed on both sides, and how often within a round; its goal is the one of that name."""

    name: str
    what: str
    theirs: Callable[[], object]
    ours: Callable[[], object]
    repeats: tuple[int, int]
    rounds: int = ROUNDS


def build(**sizes: int) -> Any:
    """BERT large with both heads, built by transformers without memory for its weights."""
    with torch.device("meta"):
        return transformers.BertForPreTraining(transformers.BertConfig(**{**SIZES, **sizes}))


def total_of(model: Any) -> int:
    """The total, summed over a built model's parameters."""
    return sum(parameter.numel() for parameter in model.parameters())


def list_of(model: Any) -> list[tuple[str, tuple[int, ...]]]:
    """Name and shape of every parameter of a built model."""
    return [(name, tuple(each.shape)) for name, each in model.named_parameters(remove_duplicate=False)]


def closed_form(V: int, P: int, S: int, H: int, F: int, L: int) -> int:  # noqa: N803  the letters of the formula
    """The total of both heads, multiplied out by hand."""
    layers = L * (4 * H * H + 4 * H + 2 * H * F + F + H + 4 * H)
    return (V + P + S + 2) * H + layers + H * H + H + V + H * H + H + 2 * H + 2 * H + 2


def imported_anew() -> Any:
    """The engine as it stands right after it was imported, and has counted nothing."""
    for name in [name for name in sys.modules if name.startswith("macros")]:
        del sys.modules[name]
    return import_module("macros.counting")


def first_counts(rounds: int) -> float:
    """The least seconds of the first count of BERT large by an engine that was just imported."""
    found = []
    for _ in range(rounds):
        engine = imported_anew()
        large, count = engine.model_named("bert-large-uncased"), engine.count
        start = time.perf_counter()
        count(large, model_class=BOTH_HEADS)
        found.append(time.perf_counter() - start)
    return min(found)


def in_turn(row: Row) -> tuple[float, float]:
    """The least seconds of one call on each side, measured in turn."""
    least = [float("inf"), float("inf")]
    for _ in range(row.rounds):
        gc.collect()
        for side, call in enumerate((row.theirs, row.ours)):
            repeats = row.repeats[side]
            start = time.perf_counter()
            for _ in range(repeats):
                call()
            least[side] = min(least[side], (time.perf_counter() - start) / repeats)
    return least[0], least[1]


def process(*arguments: str) -> Callable[[], object]:
    """A whole process, from start to end."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    whole = [sys.executable, *arguments]
    return lambda: subprocess.run(whole, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)


def rows() -> Iterator[Row]:
    """What is compared, but for the first count."""
    engine = imported_anew()
    large = engine.model_named("bert-large-uncased")
    kept, built = engine.Question(large, BOTH_HEADS), build()
    letters = {letter: large.sizes[letter] for letter in "VPSHFL"}
    # The engine keeps nothing by size, so a hundred models in a circle are as good as new ones.
    models, vocabularies = cycle([large.resized(V=20_000 + each) for each in range(100)]), numbers(20_000)

    def further() -> int:
        return int(engine.count(next(models), model_class=BOTH_HEADS))

    def listed() -> list[tuple[str, tuple[int, ...]]]:
        return [(each.transformers, each.shape) for each in engine.tensors(engine.Question(large, BOTH_HEADS))]

    def listed_again() -> list[tuple[str, tuple[int, ...]]]:
        return [(each.transformers, each.shape) for each in engine.tensors(kept)]

    deep, shallow = (engine.Question(large.resized(L=layers), BOTH_HEADS) for layers in (1_000_000, 1))
    assert kept.number == total_of(built) == closed_form(**letters)
    assert listed() == listed_again() == list_of(built)

    yield Row("further", "further sizes", lambda: total_of(build(vocab_size=next(vocabularies))), further, (1, 2_000))
    yield Row("again", "the same model again, both kept", lambda: total_of(built), lambda: kept.number, (2, 500))
    yield Row("list", "list of its tensors", lambda: list_of(build()), listed, (1, 3))
    yield Row("list again", "list again, both kept", lambda: list_of(built), listed_again, (2, 4))
    yield Row(
        "closed form", "closed form, the limit", lambda: total_of(build()), lambda: closed_form(**letters), (1, 2_000)
    )
    yield Row("deep", "a million layers, against one", lambda: shallow.number, lambda: deep.number, (2_000, 2_000))
    command = process("-m", "macros.counting", "bert-large-uncased", "--class", BOTH_HEADS)
    yield Row("command", "command line, against a bare start", process("-c", ""), command, (1, 1), rounds=60)


def shown(seconds: float) -> str:
    """A time to three digits."""
    unit, factor = next((each for each in (("ms", 1e3), ("µs", 1e6)) if seconds * each[1] >= 1), ("ns", 1e9))
    return f"{seconds * factor:.3g} {unit}"


def main() -> int:
    """Measure, print, and say whether every goal is met."""
    compileall.compile_dir(ROOT / "macros", quiet=2)
    # As `timeit` does: looking for garbage among all of torch's objects is neither side's work.
    gc.disable()
    gc.freeze()
    first = Row("first", "first count, freshly imported", lambda: total_of(build()), lambda: None, (1, 1))
    measured = [(first, in_turn(first)[0], first_counts(FIRST_ROUNDS))]
    measured += [(row, *in_turn(row)) for row in rows()]
    print(f"transformers {transformers.__version__}, torch {torch.__version__}, Python {sys.version.split()[0]}")
    print("BERT large with both heads; the least of several times, and how many times faster the engine is")
    missed = 0
    for row, theirs, ours in measured:
        goal = GOALS[row.name]
        met = goal.met_by(theirs, ours)
        missed += not met
        ratio = ours / theirs if goal.at_most else theirs / ours
        sides = f"{shown(theirs):>8} and {shown(ours):>8}"
        wanted = f"({goal.relation} {goal.times:,})"
        print(f"{row.what:<36}{sides}{ratio:>12,.1f}  {wanted:<17}{'met' if met else 'MISSED'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
