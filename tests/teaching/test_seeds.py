"""A set and a seed are an address: what they draw is recorded, and stays.

`drawn.txt` holds a line for each of the first variants of each set. After
adding a set, record its lines with `python -m tests.teaching.test_seeds`;
those of other sets must not change, since links and question banks rely on them.
"""

from pathlib import Path

import pytest

from macros.teaching.exercise import Exercise, exercise
from macros.teaching.sets import load_sets

RECORD = Path(__file__).with_name("drawn.txt")
SEEDS = range(1, 26)
SETS = list(load_sets().sets)


def line(drawn: Exercise) -> str:
    """What makes a variant the one it is: its model, class and part, its sizes, its answer, and its options."""
    asked = drawn.question
    sizes = " ".join(f"{letter}={size}" for letter, size in asked.model.sizes.items())
    what = " ".join(
        filter(None, [asked.model.architecture.model_type, asked.model_class, asked.part, asked.tag, sizes])
    )
    options = "".join(f"; {'*' if each.right else ''}{each.name}" for each in drawn.options)
    return f"{drawn.set} {drawn.seed}: {what}; {drawn.answer} {drawn.unit}{options}"


def lines(name: str) -> list[str]:
    """The lines of a set as it is drawn now."""
    return [line(exercise(name, seed)) for seed in SEEDS]


def recorded(name: str) -> list[str]:
    """The lines of a set as they were recorded."""
    return [each for each in RECORD.read_text(encoding="utf-8").splitlines() if each.startswith(f"{name} ")]


@pytest.mark.parametrize("name", SETS)
def test_seeds_draw_what_they_drew(name: str) -> None:
    """For everybody and every time."""
    assert recorded(name) == lines(name)


if __name__ == "__main__":
    RECORD.write_text("".join(f"{each}\n" for name in SETS for each in recorded(name) or lines(name)), encoding="utf-8")
