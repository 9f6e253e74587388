"""How fast the engine counts, beside transformers on the meta device, and how long the command line takes.

Run by `make bench`, in the environment of `make verify`. All times are of the
processor, the least of several: what else a busy machine does is not among
them, and nothing here waits. It exits with 1 where a goal is missed.

first    The engine is imported anew, has read the sizes, and counts for the first time; transformers, long
         imported, builds its model and adds it up.
further  Other sizes each time: the engine knows the architecture, transformers builds the model.
command  A whole process that counts a published model.
"""

import compileall
import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
import transformers

from tests.bench.goals import COMMAND, FIRST, FURTHER
from tests.oracles.recording import LARGE

ROOT = Path(__file__).parents[2]

BOTH_HEADS = "BertForPreTraining"
ROUNDS, FIRST_COUNTS, FURTHER_COUNTS = 40, 10, 2_000
"""How often everything is timed, and how often the engine counts in each round: a count is a moment, a model is not."""


def total_of(vocabulary: int) -> int:
    """The total of BERT large with both heads and another vocabulary, built without memory for its weights."""
    with torch.device("meta"):
        model = transformers.BertForPreTraining(transformers.BertConfig(**{**LARGE, "vocab_size": vocabulary}))
    return sum(parameter.numel() for parameter in model.parameters())


def imported_anew() -> Any:
    """The engine as it stands right after it was imported, and has counted nothing."""
    for name in [name for name in sys.modules if name.startswith("macros")]:
        del sys.modules[name]
    return import_module("macros.counting")


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


def first() -> float:
    """The seconds of the first count of BERT large by an engine that was just imported."""
    engine = imported_anew()
    large, count = engine.model_named("bert-large-uncased"), engine.count
    return seconds(lambda: count(large, model_class=BOTH_HEADS))


def further() -> float:
    """The mean seconds of counting BERT large with other vocabularies."""
    engine = import_module("macros.counting")
    large, count = engine.model_named("bert-large-uncased"), engine.count
    models = [large.resized(V=vocabulary) for vocabulary in range(1, FURTHER_COUNTS + 1)]

    def counts() -> None:
        for model in models:
            count(model, model_class=BOTH_HEADS)

    return seconds(counts) / FURTHER_COUNTS


def command() -> float:
    """The seconds that the command line takes, from start to end."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    arguments = ["-m", "macros.counting", "bert-large-uncased", "--class", BOTH_HEADS]
    before = of_children()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
    return of_children() - before


def of_children() -> float:
    """The seconds of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Measure, print, and say whether every goal is met."""
    compileall.compile_dir(ROOT / "macros", quiet=2)
    engine = imported_anew()
    assert total_of(LARGE["vocab_size"]) == engine.count(
        engine.model_named("bert-large-uncased"), model_class=BOTH_HEADS
    )
    # As `timeit` does: looking for garbage among all of torch's objects is neither side's work.
    gc.disable()
    gc.freeze()
    times: dict[str, list[float]] = {"theirs": [], "first": [], "further": [], "command": []}
    for vocabulary in range(20_000, 20_000 + ROUNDS):
        gc.collect()
        times["theirs"].append(seconds(partial(total_of, vocabulary)))
        times["first"] += [first() for _ in range(FIRST_COUNTS)]
        times["further"].append(further())
        times["command"].append(command())
    least = {name: min(each) for name, each in times.items()}
    print(f"transformers {transformers.__version__}, torch {torch.__version__}, Python {sys.version.split()[0]}")
    print(f"BERT large with both heads, built by transformers: {least['theirs'] * 1e3:.1f} ms")
    missed = 0
    for name, goal in (("first", FIRST), ("further", FURTHER)):
        ratio = least["theirs"] / least[name]
        missed += ratio < goal
        print(f"{name} count: {least[name] * 1e6:.1f} µs, {ratio:,.0f} times as fast (at least {goal:,})")
    missed += least["command"] * 1e3 > COMMAND
    print(f"command line: {least['command'] * 1e3:.0f} ms (at most {COMMAND})")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
