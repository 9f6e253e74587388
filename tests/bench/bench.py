"""Measures how fast the engine counts, compared with transformers, and how long the command line takes.

`make bench` runs this in the environment of `make verify`. It exits with 1 if a goal is missed.
All times are processor times, because nothing here waits. Each is the shortest of several
rounds, so that a busy machine hardly matters. There are three measurements:

first    The engine has just been imported, has read the sizes, and counts for the first time.
further  The engine has counted before, and counts other sizes each time.
command  A whole process counts a published model.

The first two are compared with the time that transformers, already imported, takes
to build the model on torch's meta device and add up its parameters.
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

from tests.bench.goals import MAX_COMMAND_MS, MIN_FIRST_RATIO, MIN_FURTHER_RATIO
from tests.oracles.recording import LARGE

ROOT = Path(__file__).parents[2]

MODEL_CLASS = "BertForPreTraining"
ROUNDS = 40
FIRST_COUNTS = 10
FURTHER_COUNTS = 2_000
"""Number of rounds, and of first and further counts per round.

A count takes far less time than building a model, so there are many per round.
"""


def total_by_transformers(vocabulary: int) -> int:
    """The total of BERT large with the pre-training heads and this vocabulary size, counted with transformers."""
    with torch.device("meta"):
        model = transformers.BertForPreTraining(transformers.BertConfig(**(LARGE | {"vocab_size": vocabulary})))
    return sum(parameter.numel() for parameter in model.parameters())


def newly_imported_engine() -> Any:
    """The engine, imported again so that its caches are empty."""
    for name in [name for name in sys.modules if name.startswith("macros")]:
        del sys.modules[name]
    return import_module("macros.counting")


def seconds_of(call: Callable[[], object]) -> float:
    """The processor time of a call, in seconds."""
    start = time.process_time()
    call()
    return time.process_time() - start


def seconds_of_first_count() -> float:
    """The seconds that a newly imported engine takes to count BERT large."""
    engine = newly_imported_engine()
    bert_large = engine.model_named("bert-large-uncased")
    count = engine.count
    return seconds_of(lambda: count(bert_large, model_class=MODEL_CLASS))


def seconds_of_further_count() -> float:
    """The mean time, in seconds, of counting BERT large with various vocabulary sizes."""
    engine = import_module("macros.counting")
    bert_large = engine.model_named("bert-large-uncased")
    count = engine.count
    models = [bert_large.resized(V=vocabulary) for vocabulary in range(1, FURTHER_COUNTS + 1)]

    def count_all() -> None:
        for model in models:
            count(model, model_class=MODEL_CLASS)

    return seconds_of(count_all) / FURTHER_COUNTS


def seconds_of_command() -> float:
    """The seconds that a whole process of the command line takes, with bytecode cached as it is for users."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    arguments = ["-m", "macros.counting", "bert-large-uncased", "--class", MODEL_CLASS]
    before = seconds_of_children()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
    return seconds_of_children() - before


def seconds_of_children() -> float:
    """The processor time, in seconds, of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    """Measure, print the times, and return 1 if a goal is missed."""
    compileall.compile_dir(ROOT / "macros", quiet=2)
    engine = newly_imported_engine()
    assert total_by_transformers(LARGE["vocab_size"]) == engine.count(
        engine.model_named("bert-large-uncased"), model_class=MODEL_CLASS
    )
    # Garbage collection is off, as in `timeit`: the time to scan all of torch's objects must count for neither side.
    gc.disable()
    gc.freeze()
    times: dict[str, list[float]] = {"transformers": [], "first": [], "further": [], "command": []}
    for vocabulary in range(20_000, 20_000 + ROUNDS):
        gc.collect()
        times["transformers"].append(seconds_of(partial(total_by_transformers, vocabulary)))
        times["first"] += [seconds_of_first_count() for _ in range(FIRST_COUNTS)]
        times["further"].append(seconds_of_further_count())
        times["command"].append(seconds_of_command())
    shortest = {name: min(seconds_taken) for name, seconds_taken in times.items()}
    print(f"transformers {transformers.__version__}, torch {torch.__version__}, Python {sys.version.split()[0]}")
    print(f"BERT large with the pre-training heads, built by transformers: {shortest['transformers'] * 1e3:.1f} ms")
    missed_goals = 0
    for name, goal in (("first", MIN_FIRST_RATIO), ("further", MIN_FURTHER_RATIO)):
        ratio = shortest["transformers"] / shortest[name]
        missed_goals += ratio < goal
        print(f"{name} count: {shortest[name] * 1e6:.1f} µs, {ratio:,.0f} times as fast (at least {goal:,})")
    missed_goals += shortest["command"] * 1e3 > MAX_COMMAND_MS
    print(f"command line: {shortest['command'] * 1e3:.0f} ms (at most {MAX_COMMAND_MS})")
    return 1 if missed_goals else 0


if __name__ == "__main__":
    sys.exit(main())
