"""The scripts that count say what the engine says: numbers, bridges, and what a text means."""

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    ARCHITECTURE_OF_CLASS,
    ARCHITECTURES,
    BadChoice,
    BadNumber,
    Choices,
    Model,
    Question,
    UnknownPart,
    load_models,
    model_named,
)
from macros.counting.deviations import load_deviations
from macros.counting.published.bridges import bridge
from macros.counting.published.claims import known_totals
from macros.counting.published.printed import read_printed
from macros.counting.question import class_shown
from macros.counting.search.parts import parts
from tests.scripts.running import Scripts, with_another_table

CHANCE = 20181011
"""Seeds the samples: each run compares the same questions."""

QUESTIONS = 6_000

LARGEST_IN_SCRIPTS = 2**53 - 1
"""Beyond it a bound is cut: no model is so large."""

ENTANGLED = [
    (("positions-by-sequence", "norm-by-position"), 109_482_240 - 12 * 768 + 25 * 2 * (500 - 768)),
    (("positions-by-short-sequence", "buffers-added"), 109_482_240 - 384 * 768 + 2 * 128),
    (("vocabulary-rounded", "output-layer-added"), 109_482_240 - 522 * 768 + 30_000 * 768),
]
"""Of base, pairs of which one takes another size for a letter that the other counts with: each sum by hand."""


def test_what_two_mistakes_change_together_is_counted_together(scripts: Scripts) -> None:
    """Where the one decides what the other changes, both are counted for what they give together, not for a sum."""
    asked = [Question(model_named("bert-base-uncased"), deviations=made) for made, _ in ENTANGLED]
    numbers = [number for _, number in ENTANGLED]
    assert numbers == [each.number for each in asked]
    assert numbers == scripts.call("counts", [as_script_asks(each) for each in asked])


def any_model(chance: random.Random, model_type: str) -> Model:
    """A model of an architecture, of sizes that no released one has."""
    heads = chance.randrange(1, 30)
    sizes = {letter: chance.randrange(2, 3000) for letter in "VPSEFR"}
    sizes |= {"A": heads, "H": heads * chance.randrange(1, 40), "L": chance.randrange(1, 30)}
    sizes |= {"C": 2, "G": chance.randrange(1, 4), "I": chance.randrange(1, 4)}
    architecture = ARCHITECTURES[model_type]
    # Letters that only one architecture has need no line here.
    sizes |= {each.letter: chance.randrange(2, 3000) for each in architecture.symbols if each.letter not in sizes}
    if chance.random() < 0.3:
        sizes["E"] = sizes["H"]
    return Model("any", architecture, {each.letter: sizes[each.letter] for each in architecture.symbols})


def any_question(chance: random.Random) -> Question:
    """A question of any class, choices and part, with up to three deviations; it need not have an answer."""
    model_class = chance.choice(list(ARCHITECTURE_OF_CLASS))
    model = any_model(chance, ARCHITECTURE_OF_CLASS[model_class].model_type)
    fixed = model.architecture.class_named(model_class).fixed
    choices = Choices(
        pooler=chance.choice((None, True, False)) if fixed.pooler is None else None,
        tied=chance.choice((None, True, False)),
        cross_attention=chance.choice((None, None, True)),
    )
    made = tuple(chance.sample(list(load_deviations()), chance.randrange(4)))
    asked = Question(model, model_class, choices=choices, deviations=made)
    if chance.random() < 0.5:
        path = chance.choice(asked.at().rows if not made else Question(model, model_class, choices=choices).rows).path
        steps = path.split("/")
        part = "/".join(steps[: chance.randrange(1, len(steps) + 1)])
        one = part.replace("layer_*", "layer_0") if chance.random() < 0.5 else part
        asked = asked.at(one, chance.choice(("", "", "bias", "kernel", "LayerNorm")))
    return asked


def answer(asked: Question) -> int | None:
    """What the engine says, None where it refuses; a part that is not there has none of anything."""
    try:
        _ = asked.at().deviation_values  # what cannot be made is refused, whatever the part
        return asked.number
    except UnknownPart:
        return 0
    except BadChoice:
        return None


def as_script_asks(asked: Question) -> dict[str, Any]:
    """The same question as the scripts take it."""
    return {
        "modelClass": asked.chosen.name,
        "sizes": dict(asked.model.sizes),
        "choices": {name: value for name, value in asked.choices._asdict().items() if value is not None},
        "part": asked.part,
        "tag": asked.tag,
        "deviations": list(asked.deviations),
    }


def differing(scripts: Scripts, questions: list[Question]) -> list[Question]:
    """The questions that script and engine answer differently."""
    counted = scripts.call("counts", [as_script_asks(each) for each in questions])
    return [each for each, number in zip(questions, counted, strict=True) if number != answer(each)]


@cache
def drawn(number: int) -> list[Question]:
    """So many questions, the same at every run, so that their answers are worked out once."""
    chance = random.Random(CHANCE)  # noqa: S311 - drawing samples is no cryptography
    return [any_question(chance) for _ in range(number)]


def test_any_question_is_answered_alike(scripts: Scripts) -> None:
    """Thousands of questions of all architectures; many have no answer, and then in neither language."""
    questions = drawn(QUESTIONS)
    assert [] == differing(scripts, questions)
    answers = [answer(each) for each in questions]
    assert QUESTIONS / 4 < sum(each is None for each in answers) < QUESTIONS / 2
    answered = [each for each, number in zip(questions, answers, strict=True) if number and len(each.deviations) == 3]
    assert len(answered) > 100
    assert set(ARCHITECTURE_OF_CLASS) == {each.model_class for each in questions}


CHANGES = [('"shape":"F H"', '"shape":"F F"'), ('"factor":"P/H"', '"factor":"P"')]
"""Each is a fact that the table could get wrong."""


@pytest.mark.parametrize(("right", "wrong"), CHANGES)
def test_another_table_gives_other_answers(modules: Path, right: str, wrong: str) -> None:
    """The comparison notices a table that says something else."""
    with with_another_table(modules, right, wrong) as scripts:
        assert differing(scripts, drawn(QUESTIONS)[:1_500])


def test_every_deviation_changes_alike(scripts: Scripts) -> None:
    """Each alone, in every class of BERT that it fits, of base and of an odd model."""
    chance = random.Random(CHANCE)  # noqa: S311
    models = [model_named("bert-base-uncased"), any_model(chance, "bert")]
    questions = [
        Question(model, each.name, deviations=(name,))
        for model in models
        for each in model.architecture.classes
        for name in load_deviations()
    ]
    assert [] == differing(scripts, questions)


@cache
def deviating_questions() -> list[Question]:
    """The questions below, drawn once."""
    return list(any_deviating())


def any_deviating() -> Iterator[Question]:
    """Sets of up to three deviations, each deviation alone, and all that is in print."""
    chance = random.Random(CHANCE)  # noqa: S311
    models, names = list(load_models().values()), list(load_deviations())
    large = model_named("bert-large-uncased")
    for each in load_deviations().values():
        yield Question(large, class_shown(each, large.architecture), deviations=(each.name,))
    yield from (each.question for each in known_totals())
    for _ in range(1_500):
        model = chance.choice(models)
        model_class = chance.choice(model.architecture.classes).name
        asked = Question(model, model_class, deviations=tuple(chance.sample(names, chance.randrange(1, 4))))
        if answer(asked) is not None:
            yield asked


def test_bridges_are_alike(scripts: Scripts) -> None:
    """Steps, values and formulas."""
    questions = deviating_questions()
    assert len(questions) > 600
    asked = [[each.chosen.name, each.model.name, list(each.deviations)] for each in questions]
    for each, steps in zip(questions, scripts.call("bridges", asked), strict=True):
        expected = bridge(each, Question(each.model, each.model_class))
        assert [[step.name, step.value, step.formula] for step in expected] == steps


# Forms that readers type, and what is none of them.
TYPED = [
    *("109,482,240", "109.482.240", "109 482 240", "109_482_240", "109'482'240", "１０９，４８２，２４０", "~110M"),
    *("about 0.34 B", "1.1亿", "10948万", "110 million parameters", "417.6 MiB", "1,25 GB", "1.340.567", "0,5M"),
    *("1.234M", "", " ", "many", "-1", "1e9", "1.5", "1.5.6M", "12 apples", "1constructor", "5toString", "1 2", "12M3"),
    *("<script>alert(1)</script>", "9" * 120, "9" * 121, "😀" * 60 + "9" * 60, "110M\n", "\ufeff7", "\x1c7", "٣", "²"),
]


def as_read(text: str) -> list[Any] | None:
    """What the engine reads: bounds, whether it is memory, whether it is exact."""
    try:
        asked = read_printed(text)
    except BadNumber:
        return None
    return [min(bound, LARGEST_IN_SCRIPTS) for bound in asked.bounds()] + [asked.of_memory, asked.exact]


def test_numbers_are_read_alike(scripts: Scripts) -> None:
    """Every form, and texts made of the same characters at random; the script reads more, such as Chinese figures."""
    chance = random.Random(CHANCE)  # noqa: S311
    characters = "0123456789" * 2 + "., _'MKBmibkg亿万~-百"
    made = ["".join(chance.choices(characters, k=chance.randrange(1, 9))) for _ in range(2000)]
    expected = [as_read(text) for text in TYPED + made]
    assert 300 < sum(each is not None for each in expected) < 1900
    found = scripts.call("numbersRead", TYPED + made)
    from_script = [each and [*each["bounds"], each["ofMemory"], each["exact"]] for each in found]
    both = list(zip(TYPED + made, from_script, expected, strict=True))
    assert [] == [each for each in both if each[2] is not None and each[1] != each[2]]
    # What only the script reads: sums, powers of ten, Chinese figures, a decimal fraction, words around a number.
    more = [text for text, here, there in both if there is None and here is not None]
    assert [] == [text for text in more if not re.search(r"[-e~万亿百]|[.,]$| |_|'|^\d{1,4}[.,]\d+$", text)]


def test_parts_are_counted_alike(scripts: Scripts) -> None:
    """Every part that is explained, of every published model."""
    models = list(load_models().values())
    questions = [Question(model, name, part.path, part.tag) for model in models for name, part in parts()]
    assert [] == differing(scripts, questions)
