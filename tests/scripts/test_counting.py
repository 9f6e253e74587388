"""Scripts count, build bridges and read numbers as the engine does."""

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
from macros.counting.published.printed_numbers import read_printed
from macros.counting.question import class_on_pages
from macros.counting.search.parts import parts
from tests.scripts.calculating import fitted_sizes
from tests.scripts.running import Scripts, with_faulty_data

SEED = 20181011
"""The seed of the random questions, fixed so that every run compares the same ones."""

QUESTION_COUNT = 6_000

MAX_IN_SCRIPTS = 2**53 - 1
"""The largest safe integer in scripts. They lower larger bounds to it, because no model is that large."""

ENTANGLED_DEVIATIONS = [
    (("positions-by-sequence", "norm-by-position"), 109_482_240 - 12 * 768 + 25 * 2 * (500 - 768)),
    (("positions-by-short-sequence", "buffers-added"), 109_482_240 - 384 * 768 + 2 * 128),
    (("vocabulary-rounded", "output-layer-added"), 109_482_240 - 522 * 768 + 30_000 * 768),
]
"""Pairs of deviations with the result for BERT base. In each, one changes a size that the other uses."""


def test_the_joint_effect_of_two_mistakes_is_counted(scripts: Scripts) -> None:
    questions = [Question(model_named("bert-base-uncased"), deviations=pair) for pair, _ in ENTANGLED_DEVIATIONS]
    numbers = [number for _, number in ENTANGLED_DEVIATIONS]
    assert numbers == [question.number for question in questions]
    assert numbers == scripts.call("counts", [for_scripts(question) for question in questions])


def test_classes_have_the_same_labels_in_both_languages(scripts: Scripts) -> None:
    labels = [model_class.label for architecture in ARCHITECTURES.values() for model_class in architecture.classes]
    assert "BertModel (the bare model)" == labels[0]
    assert labels == scripts.call("classLabels")


def random_model(chance: random.Random, model_type: str) -> Model:
    """A model of the architecture `model_type` with random sizes."""
    heads = chance.randrange(1, 30)
    sizes = {letter: chance.randrange(2, 3000) for letter in "VPSEFR"}
    sizes |= {"A": heads, "H": heads * chance.randrange(1, 40), "L": chance.randrange(1, 30)}
    sizes |= {"C": 2, "G": chance.randrange(1, 4), "I": chance.randrange(1, 4)}
    architecture = ARCHITECTURES[model_type]
    # The architecture's other letters take random values.
    sizes |= {symbol.letter: chance.randrange(2, 3000) for symbol in architecture.symbols if symbol.letter not in sizes}
    if chance.random() < 0.3:
        sizes["E"] = sizes["H"]  # so that no projection follows the embeddings
    return Model("any", architecture, fitted_sizes(architecture, sizes))


def random_question(chance: random.Random) -> Question:
    """A random question with up to three deviations, which the engine may refuse."""
    model_class = chance.choice(list(ARCHITECTURE_OF_CLASS))
    model = random_model(chance, ARCHITECTURE_OF_CLASS[model_class].model_type)
    fixed_choices = model.architecture.class_named(model_class).fixed_choices
    choices = Choices(
        pooler=chance.choice((None, True, False)) if fixed_choices.pooler is None else None,
        tied=chance.choice((None, True, False)),
        cross_attention=chance.choice((None, None, True)),
    )
    deviations = tuple(chance.sample(list(load_deviations()), chance.randrange(4)))
    plain_question = Question(model, model_class, choices=choices)
    question = plain_question._replace(deviations=deviations)
    if chance.random() < 0.5:
        path = chance.choice(plain_question.rows).path
        components = path.split("/")
        part = "/".join(components[: chance.randrange(1, len(components) + 1)])
        part = part.replace("layer_*", "layer_0") if chance.random() < 0.5 else part
        question = question.about(part, chance.choice(("", "", "bias", "kernel", "LayerNorm")))
    return question


def answer(question: Question) -> int | None:
    """The engine's answer: 0 for a part that the model lacks, and None if it refuses the question."""
    try:
        _ = question.whole.resolved_deviations  # raises an error for an impossible deviation, whatever the part
        return question.number
    except UnknownPart:
        return 0
    except BadChoice:
        return None


def for_scripts(question: Question) -> dict[str, Any]:
    """A question in the form that the scripts take."""
    return {
        "modelClass": question.resolved_class.name,
        "sizes": dict(question.model.sizes),
        "choices": question.choices.by_name(question.architecture.flags),
        "part": question.part,
        "tag": question.tag,
        "deviations": list(question.deviations),
    }


def questions_that_differ(scripts: Scripts, questions: list[Question]) -> list[Question]:
    """The questions that scripts and engine answer differently."""
    numbers = scripts.call("counts", [for_scripts(question) for question in questions])
    return [question for question, number in zip(questions, numbers, strict=True) if number != answer(question)]


@cache
def random_questions(number: int) -> list[Question]:
    """The same random questions in every run, cached because several tests use them."""
    chance = random.Random(SEED)  # noqa: S311 - drawing samples is not cryptography
    return [random_question(chance) for _ in range(number)]


def test_scripts_answer_any_question_as_the_engine_does(scripts: Scripts) -> None:
    questions = random_questions(QUESTION_COUNT)
    assert [] == questions_that_differ(scripts, questions)
    answers = [answer(question) for question in questions]
    assert QUESTION_COUNT / 4 < sum(number is None for number in answers) < QUESTION_COUNT / 2
    numbers_with_three = [
        number for question, number in zip(questions, answers, strict=True) if len(question.deviations) == 3
    ]
    assert sum(map(bool, numbers_with_three)) > 100
    assert set(ARCHITECTURE_OF_CLASS) == {question.model_class for question in questions}


FAULTS_IN_TABLE = [('"shape":"F H"', '"shape":"F F"'), ('"factor":"P/H"', '"factor":"P"')]
"""Facts that the table could get wrong, each as the code that states it and a faulty replacement."""


@pytest.mark.parametrize(("original", "replacement"), FAULTS_IN_TABLE)
def test_a_faulty_table_is_noticed(modules: Path, original: str, replacement: str) -> None:
    with with_faulty_data(modules, original, replacement) as scripts:
        assert questions_that_differ(scripts, random_questions(QUESTION_COUNT)[:1_500])


def test_scripts_count_every_deviation_as_the_engine_does(scripts: Scripts) -> None:
    chance = random.Random(SEED)  # noqa: S311
    models = [model_named("bert-base-uncased"), random_model(chance, "bert")]
    questions = [
        Question(model, model_class.name, deviations=(name,))
        for model in models
        for model_class in model.architecture.classes
        for name in load_deviations()
    ]
    assert [] == questions_that_differ(scripts, questions)


def questions_with_deviations() -> Iterator[Question]:
    """Questions with each single deviation, with those of each published total, and with random sets of up to three."""
    chance = random.Random(SEED)  # noqa: S311
    models, names = list(load_models().values()), list(load_deviations())
    large_model = model_named("bert-large-uncased")
    for deviation in load_deviations().values():
        yield Question(large_model, class_on_pages(deviation, large_model.architecture), deviations=(deviation.name,))
    yield from (total.question for total in known_totals())
    for _ in range(1_500):
        model = chance.choice(models)
        model_class = chance.choice(model.architecture.classes).name
        question = Question(model, model_class, deviations=tuple(chance.sample(names, chance.randrange(1, 4))))
        if answer(question) is not None:
            yield question


def test_scripts_build_bridges_as_the_engine_does(scripts: Scripts) -> None:
    questions = list(questions_with_deviations())
    assert len(questions) > 600
    cases = [[question.resolved_class.name, question.model.name, list(question.deviations)] for question in questions]
    for question, steps in zip(questions, scripts.call("bridges", cases), strict=True):
        expected = bridge(question, Question(question.model, question.model_class))
        assert [[step.name, step.value, step.formula] for step in expected] == steps


TEXTS = [
    "109,482,240",
    "109.482.240",
    "109 482 240",
    "109_482_240",
    "109'482'240",
    "１０９，４８２，２４０",
    "~110M",
    "about 0.34 B",
    "1.1亿",
    "10948万",
    "110 million parameters",
    "417.6 MiB",
    "1,25 GB",
    "1.340.567",
    "0,5M",
    "1.234M",
    "",
    " ",
    "many",
    "-1",
    "1e9",
    "1.5",
    "1.5.6M",
    "2.5 bytes",
    "2.0 bytes",
    "12 apples",
    "1constructor",
    "5toString",
    "1 2",
    "12M3",
    "<script>alert(1)</script>",
    "9" * 120,
    "9" * 121,
    "😀" * 60 + "9" * 60,
    "110M\n",
    "\ufeff7",
    "\x1c7",
    "٣",
    "²",
]
"""Texts that readers may type, some of which are numbers."""


def engine_reading(text: str) -> list[Any] | None:
    """The engine's bounds for a number, with flags for memory and exactness; None if it does not read the text."""
    try:
        number = read_printed(text)
    except BadNumber:
        return None
    return [min(bound, MAX_IN_SCRIPTS) for bound in number.bounds()] + [number.is_of_memory, number.is_exact]


def test_scripts_read_every_number_that_the_engine_reads(scripts: Scripts) -> None:
    chance = random.Random(SEED)  # noqa: S311
    characters = "0123456789" * 2 + "., _'MKBmibkg亿万~-百"
    texts = TEXTS + ["".join(chance.choices(characters, k=chance.randrange(1, 9))) for _ in range(2000)]
    expected = [engine_reading(text) for text in texts]
    assert 300 < sum(number is not None for number in expected) < 1900
    numbers = scripts.call("readNumbers", texts)
    script_readings = [number and [*number["bounds"], number["ofMemory"], number["exact"]] for number in numbers]
    pairs = list(zip(texts, script_readings, expected, strict=True))
    assert [] == [(text, script, engine) for text, script, engine in pairs if engine is not None and script != engine]
    # Texts that only scripts read have one of these characters, or a decimal without a unit.
    texts_only_scripts_read = [text for text, script, engine in pairs if engine is None and script is not None]
    assert [] == [
        text for text in texts_only_scripts_read if not re.search(r"[-e~万亿百٣]|[.,]$| |_|'|^\d{1,4}[.,]\d+$", text)
    ]


def test_scripts_count_every_part_as_the_engine_does(scripts: Scripts) -> None:
    models = list(load_models().values())
    questions = [Question(model, name, part.path, part.tag) for model in models for name, part in parts()]
    assert [] == questions_that_differ(scripts, questions)
