"""The exercise that a set and a seed draw must not change, because links and question banks rely on it.

`drawn.txt` has a line for each of the first variants of each set. After adding a set, record its lines with
`python -m tests.teaching.test_seeds`, which leaves the lines of other sets as they are.
"""

from pathlib import Path

import pytest

from macros.teaching.exercise import Exercise, exercise
from macros.teaching.sets import load_sets

RECORD = Path(__file__).with_name("drawn.txt")
SEEDS = range(1, 26)
SETS = list(load_sets().sets)


def line(variant: Exercise) -> str:
    """The line of a variant in the record: model, class, part, sizes, answer and options."""
    question = variant.question
    sizes = " ".join(f"{letter}={size}" for letter, size in question.model.sizes.items())
    parts = [question.model.architecture.model_type, question.model_class, question.part, question.tag, sizes]
    options = "".join(f"; {'*' if option.is_correct else ''}{option.name}" for option in variant.options)
    return f"{variant.set} {variant.seed}: {' '.join(filter(None, parts))}; {variant.answer} {variant.unit}{options}"


def lines(name: str) -> list[str]:
    """The lines of a set for the variants that the seeds draw now."""
    return [line(exercise(name, seed)) for seed in SEEDS]


def record_of(name: str) -> list[str]:
    """The recorded lines of a set."""
    return [text for text in RECORD.read_text(encoding="utf-8").splitlines() if text.startswith(f"{name} ")]


@pytest.mark.parametrize("name", SETS)
def test_seeds_draw_the_recorded_variants(name: str) -> None:
    assert record_of(name) == lines(name)


if __name__ == "__main__":
    RECORD.write_text(
        "".join(f"{text}\n" for name in SETS for text in record_of(name) or lines(name)), encoding="utf-8"
    )
