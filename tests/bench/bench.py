"""Measures how fast the engine counts, compared with transformers, and how long the command line takes.

Run by `make bench`, in the environment of `make verify`; exits with 1 if a goal is
missed. All times are processor times, because nothing here waits, and each is the least
of several, so a busy machine hardly matters. The three measurements:

first    The engine has just been imported and has read the sizes; it counts for the first time.
further  The engine has read the architecture; it counts other sizes each time.
command  A whole process counts a published model.

The first two are compared with the time in which transformers, imported long before,
builds the model on torch's meta device and adds up its parameters.
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

CLASS = "BertForPreTraining"
ROUNDS = 40
FIRST_COUNTS = 10
FURTHER_COUNTS = 2_000
"""The number of rounds, and of the engine's counts in each; a count takes far less time than building a model."""


def total_of(vocabulary: int) -> int:
    """The total of BERT large with the pre-training heads, as transformers builds it with some vocabulary."""
    with torch.device("meta"):
        model = transformers.BertForPreTraining(transformers.BertConfig(**(LARGE | {"vocab_size": vocabulary})))
    return sum(parameter.numel() for parameter in model.parameters())


def fresh_engine() -> Any:
    """The engine, imported again, so that it has counted nothing yet."""
    for name in [name for name in sys.modules if name.startswith("macros")]:
        del sys.modules[name]
    return import_module("macros.counting")


def seconds(call: Callable[[], object]) -> float:
    """The processor time that a call takes, in seconds."""
    start = time.process_time()
    call()
    return time.process_time() - start


def first_count() -> float:
    """The seconds of the first count of BERT large by an engine that was just imported."""
    engine = fresh_engine()
    large = engine.model_named("bert-large-uncased")
    count = engine.count
    return seconds(lambda: count(large, model_class=CLASS))


def further_count() -> float:
    """The mean seconds in which the engine counts BERT large with another vocabulary."""
    engine = import_module("macros.counting")
    large = engine.model_named("bert-large-uncased")
    count = engine.count
    models = [large.resized(V=vocabulary) for vocabulary in range(1, FURTHER_COUNTS + 1)]

    def counts() -> None:
        for model in models:
            count(model, model_class=CLASS)

    return seconds(counts) / FURTHER_COUNTS


def command_line() -> float:
    """The seconds of the command line, from start to end."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    arguments = ["-m", "macros.counting", "bert-large-uncased", "--class", CLASS]
    before = child_seconds()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
    return child_seconds() - before


def child_seconds() -> float:
    """The seconds of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    """Measure and print; return 1 if a goal is missed."""
    compileall.compile_dir(ROOT / "macros", quiet=2)
    engine = fresh_engine()
    assert total_of(LARGE["vocab_size"]) == engine.count(engine.model_named("bert-large-uncased"), model_class=CLASS)
    # As `timeit` does, because collecting garbage among all of torch's objects is the work of neither side.
    gc.disable()
    gc.freeze()
    times: dict[str, list[float]] = {"theirs": [], "first": [], "further": [], "command": []}
    for vocabulary in range(20_000, 20_000 + ROUNDS):
        gc.collect()
        times["theirs"].append(seconds(partial(total_of, vocabulary)))
        times["first"] += [first_count() for _ in range(FIRST_COUNTS)]
        times["further"].append(further_count())
        times["command"].append(command_line())
    shortest = {name: min(seconds_taken) for name, seconds_taken in times.items()}
    print(f"transformers {transformers.__version__}, torch {torch.__version__}, Python {sys.version.split()[0]}")
    print(f"BERT large with the pre-training heads, built by transformers: {shortest['theirs'] * 1e3:.1f} ms")
    missed_goals = 0
    for name, goal in (("first", FIRST), ("further", FURTHER)):
        ratio = shortest["theirs"] / shortest[name]
        missed_goals += ratio < goal
        print(f"{name} count: {shortest[name] * 1e6:.1f} µs, {ratio:,.0f} times as fast (at least {goal:,})")
    missed_goals += shortest["command"] * 1e3 > COMMAND
    print(f"command line: {shortest['command'] * 1e3:.0f} ms (at most {COMMAND})")
    return 1 if missed_goals else 0


if __name__ == "__main__":
    sys.exit(main())
