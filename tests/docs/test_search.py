"""The search for a number: every answer is true, what can be asked is found, and the likeliest comes first."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page

from macros.counting import BadChoice, Question, count, load_models, load_relatives, model_named
from macros.counting.deviations import load_deviations
from macros.counting.disagreements.claims import known_totals
from macros.counting.disagreements.parts import parts
from macros.counting.memory import BYTES
from macros.rendering.files.exported import table
from tests.docs import known_numbers as known

CHANCE = 20181011
"""Seeds the samples: each run asks the same."""

Answer = dict[str, Any]


EXPLAIN = "questions => questions.map(([text, model]) => bertCounted.explain(text, model))"


def explained(page: Page, texts: list[str], model: str = "") -> list[list[Answer]]:
    """All answers to each text."""
    found: list[list[Answer]] = page.evaluate(EXPLAIN, [[text, model] for text in texts])
    return found


def any_total(chance: random.Random, most: int) -> Question:
    """A published BERT in a class, with up to so many deviations that can be made together and all change something."""
    models, names = list(load_models().values()), list(load_deviations())
    while True:
        model = chance.choice(models)
        model_class = chance.choice(model.architecture.classes).name
        made = tuple(sorted(chance.sample(names, chance.randrange(most + 1)), key=names.index))
        try:
            subsets = [frozenset(some) for size in range(len(made) + 1) for some in combinations(made, size)]
            totals = {some: Question(model, model_class, deviations=tuple(some)).number for some in subsets}
        except BadChoice:
            continue
        # Deviations that change nothing beside the others, or cancel out, are no part of an answer.
        needless = any(totals[one] == totals[more] for one in subsets for more in subsets if one < more)
        if totals[frozenset(made)] > 0 and not needless:
            return Question(model, model_class, deviations=made)


def typed(chance: random.Random) -> Iterator[str]:
    """Numbers of every kind as readers type them: totals, parts, tensors, labels, rounded ones, memory, and strays."""
    models = list(load_models().values())
    for _ in range(45):
        yield str(any_total(chance, 3).number)
    for model_class, part in chance.sample(parts(), 40):
        yield f"{count(chance.choice(models), part.path, part.tag, model_class=model_class):,}"
    for _ in range(20):
        number, unit = chance.choice(models), chance.choice(("M", "million", "B", "亿", "MB", "MiB", "GB"))
        size = {"M": 1e6, "million": 1e6, "B": 1e9, "亿": 1e8, "MB": 1e6, "MiB": 2**20, "GB": 1e9}[unit]
        width = chance.choice((1, 2, 4)) if "B" in unit[1:] else 1
        yield f"{count(number) * width / size:.{chance.choice((1, 2, 3))}f} {unit}"
    for labels in (3, 18, 150):
        yield str(count(chance.choice(models).resized(C=labels), model_class="BertForTokenClassification"))
    for _ in range(10):
        yield str(any_total(chance, 0).number + chance.choice((-7, 3, 7680, -590_592, 101 * 768)))
        yield str(chance.randrange(10 ** chance.randrange(1, 12)))
    yield from ("0", "1", "2", "39", "199", "201", "391", "7078656", "49152", "110592", "72.1 MB")


@pytest.fixture(scope="module")
def answers(page: Page) -> dict[str, list[Answer]]:
    """Thousands of answers, by what was typed."""
    texts = list(dict.fromkeys(typed(random.Random(CHANCE))))  # noqa: S311 - drawing samples is no cryptography
    return dict(zip(texts, explained(page, texts), strict=True))


def number_of(answer: Answer, model: str, model_class: str) -> int:
    """The number that the engine counts for what an answer says."""
    asked = Question(model_named(model), model_class, deviations=tuple(answer["mistakes"]))
    if answer["kind"] == "labels":
        return count(asked.model.resized(C=answer["labels"]), model_class=model_class)
    if answer["kind"] == "tensors":
        repeats = asked.model.sizes["L"]
        return sum(repeats if row.repeated else 1 for row in asked.rows if not row.tied_to)
    if answer["kind"] == "memory":
        return asked.number * BYTES[answer["dtype"]]
    return asked.number


def part_of(answer: Answer, part: dict[str, Any], model: str) -> int:
    """The count of a part that an answer names."""
    deviations = tuple(answer["mistakes"])
    asked = Question(model_named(model), part["class"], part["path"], part.get("tag", ""), deviations=deviations)
    return asked.number // asked.model.sizes["A"] if part.get("share") else asked.number


def untrue(text: str, answer: Answer) -> list[str]:
    """What an answer says that the engine does not."""
    wrong = []
    if answer["kind"] == "part":
        counted = {part_of(answer, part, model) for model in answer["models"] for part in answer["parts"]}
    else:
        classes = answer["classes"] or ["BertModel"]
        counted = {number_of(answer, model, name) for model in answer["models"] for name in classes}
    if counted != {answer["number"]}:
        wrong.append(f"{text}: {answer} counts {sorted(counted)}")
    rest = {part_of({"mistakes": []}, part, answer["models"][0]) for part in answer["rest_parts"]}
    if rest - {abs(answer["rest"])}:
        wrong.append(f"{text}: {answer} leaves {answer['rest']}, and its parts are {sorted(rest)}")
    return wrong


def test_every_answer_is_true(answers: dict[str, list[Answer]]) -> None:
    """Sound: thousands of answers counted again, for every model, class and part that each names."""
    flat = [(text, each) for text, found in answers.items() for each in found]
    assert len(flat) > 3_000
    assert {"total", "part", "tensors", "labels", "memory", "near"} == {each["kind"] for _, each in flat}
    assert [] == [wrong for text, each in flat for wrong in untrue(text, each)]


def test_every_exact_answer_is_the_number_that_was_asked(answers: dict[str, list[Answer]]) -> None:
    """A number without a unit is answered with itself; what is only near says by how much."""
    for text, found in answers.items():
        plain = text.replace(",", "")
        for each in found if plain.isdigit() else ():
            assert int(plain) == each["number"] + each["rest"], text
            assert bool(each["rest"]) is (each["kind"] == "near")


@pytest.mark.parametrize(
    "change",
    [
        {"mistakes": ["pooler-left-out"]},
        {"number": 590_593},
        {"models": ["bert-large-uncased"]},
        {"kind": "tensors"},
    ],
)
def test_an_untrue_answer_is_noticed(page: Page, change: dict[str, Any]) -> None:
    """The check above is no formality."""
    right = explained(page, ["109482240"])[0][0]
    assert [] == untrue("109482240", right)
    assert untrue("109482240", {**right, **change})


def test_what_can_be_asked_is_found(page: Page) -> None:
    """Complete: of questions with up to three deviations, the answers hold model, class and deviations."""
    chance = random.Random(CHANCE + 1)  # noqa: S311
    questions = [any_total(chance, 3) for _ in range(400)]
    found = explained(page, [str(each.number) for each in questions])
    for asked, answers in zip(questions, found, strict=True):
        alike = [
            each
            for each in answers
            if asked.model.name in each["models"] and set(asked.deviations) == set(each["mistakes"])
        ]
        instead = any(load_deviations()[name].instead for name in asked.deviations)
        assert any(instead or asked.model_class in each["classes"] for each in alike), asked
    assert 50 < sum(len(each.deviations) == 3 for each in questions)


def test_every_part_is_found(page: Page) -> None:
    """Of base and of large, each under its own count."""
    for name in ("bert-base-uncased", "bert-large-uncased"):
        model = model_named(name)
        asked = [(part, count(model, part.path, part.tag, model_class=model_class)) for model_class, part in parts()]
        numbers = [number // model.sizes["A"] if part.share else number for part, number in asked]
        for (part, _), answers in zip(asked, explained(page, list(map(str, numbers)), name), strict=True):
            named = [
                (each["path"], each.get("tag", ""), each.get("share", False)) for a in answers for each in a["parts"]
            ]
            assert tuple(part) in named


def test_a_chosen_model_is_the_only_one_meant(page: Page, answers: dict[str, list[Answer]]) -> None:
    """Answers are of this model, and those that all models have are among them."""
    chance = random.Random(CHANCE)  # noqa: S311
    fields = ("kind", "number", "mistakes", "labels", "dtype", "unit")
    for text in chance.sample(list(answers), 40):
        name = chance.choice(list(load_models()))
        chosen = explained(page, [text], name)[0]
        assert all(name in each["models"] for each in chosen)
        listed = [[each[field] for field in fields] for each in chosen]
        everywhere = [each for each in answers[text] if name in each["models"] and each["kind"] != "near"]
        assert all([each[field] for field in fields] in listed for each in everywhere)


def test_the_cheapest_comes_first_and_none_twice(answers: dict[str, list[Answer]]) -> None:
    """The order is that of what speaks against a way; models and classes that give the same are one answer."""
    for text, found in answers.items():
        costs = [each["cost"] for each in found]
        assert costs == sorted(costs), text
        bare = [str({**each, "models": [], "classes": [], "cost": 0}) for each in found]
        assert len(bare) == len(set(bare)), text


@pytest.mark.parametrize(("typed", "model", "model_class", "deviations"), known.TOTALS)
def test_a_known_total_comes_first(
    page: Page, typed: str, model: str, model_class: str, deviations: tuple[str, ...]
) -> None:
    """Ranked: what the first answer says of a total that many people have, right or wrong."""
    first = explained(page, [typed])[0][0]
    assert ("total", model, model_class, list(deviations)) == (
        first["kind"],
        first["models"][0],
        first["classes"][0],
        first["mistakes"],
    )


@pytest.mark.parametrize("expected", known.PARTS)
def test_a_known_part_comes_first(page: Page, expected: known.PartAnswer) -> None:
    """Parts of the same count are one answer, in the order of the model."""
    first = explained(page, [expected.typed])[0][0]
    assert ("part", expected.model, list(expected.deviations)) == (first["kind"], first["models"][0], first["mistakes"])
    assert list(expected.parts) == [(each["path"], each.get("tag", "")) for each in first["parts"]]
    assert {expected.share} == {each.get("share", False) for each in first["parts"]}


@pytest.mark.parametrize("expected", known.MEMORY)
def test_known_memory_comes_first(page: Page, expected: known.MemoryAnswer) -> None:
    """Bytes, data type and the unit that they were divided by."""
    first = explained(page, [expected.typed])[0][0]
    assert expected[1:-1] == (first["number"], first["models"][0], first["dtype"], first["unit"])
    assert ("memory", list(expected.printed_in)) == (first["kind"], first["printed_in"])


def test_other_known_numbers_come_first(page: Page) -> None:
    """A number of tensors, a product of sizes, and a head with other labels."""
    tensors, product, labels = (found[0] for found in explained(page, [known.TENSORS[0], "110592", known.LABELS[0]]))
    assert ("tensors", *known.TENSORS[1:]) == (tensors["kind"], tensors["models"][0], tensors["classes"][0])
    assert known.PRODUCT == ("110592", product["models"][0], tuple(product["mistakes"]))
    assert ("labels", *known.LABELS[1:]) == (labels["kind"], labels["models"][0], labels["labels"])


def test_an_amount_goes_by_the_name_of_another_unit(page: Page) -> None:
    """MiB that are called MB are among the answers; and what speaks against a way adds up."""
    typed, model, dtype, unit = known.OTHER_UNIT
    answers = explained(page, [typed])[0]
    assert (model, dtype, unit) in [(each["models"][0], each["dtype"], each["unit"]) for each in answers]
    typed, number, costs = known.COSTS
    right = [each for each in explained(page, [typed])[0] if each["number"] == number and not each["mistakes"]]
    assert costs == {each["dtype"]: each["cost"] for each in right}


def test_what_nothing_gives_has_a_nearest_total_and_a_rest(page: Page) -> None:
    """The rest is given in rows where it is a whole number of them."""
    typed, model, model_class, rest, rows = known.NEAR
    answers = explained(page, [typed])[0]
    assert {"near"} == {each["kind"] for each in answers}
    assert (model, model_class, [], rest, rows) in [
        (each["models"][0], each["classes"][0], each["mistakes"], each["rest"], each["rest_rows"]) for each in answers
    ]


def test_what_is_no_number_has_no_answer(page: Page) -> None:
    """Neither has a number that no model reaches; and nobody has no parameters."""
    assert [None] * len(known.REFUSED) == explained(page, list(known.REFUSED))
    assert [[]] == explained(page, [known.BEYOND])
    assert {"part"} == {each["kind"] for each in explained(page, [known.ONLY_PARTS])[0]}


def test_what_is_in_print_names_its_sources(page: Page) -> None:
    """Every total that somebody prints, with what led to it."""
    printed = known_totals()
    found = explained(page, [str(each.question.number) for each in printed])
    for each, answers in zip(printed, found, strict=True):
        listed = [
            answer["printed_in"] for answer in answers if set(answer["mistakes"]) == set(each.question.deviations)
        ]
        assert any(set(each.sources) <= set(sources) for sources in listed), each


def test_relatives_are_no_berts(page: Page) -> None:
    """They are counted, and no number is explained by one yet."""
    relatives = set(load_relatives())
    for answers in explained(page, [str(count(each)) for each in load_relatives().values()]):
        assert not relatives & {name for each in answers for name in each["models"]}


def test_every_group_and_class_has_a_cost() -> None:
    """Also of a model or a class that nobody has asked about; and no cost is of something else."""
    costs = table()["explanations"]["costs"]
    models = list(load_models().values())
    assert {each.group for each in models} <= set(costs["groups"])
    assert {each.name for each in models[0].architecture.classes} == set(costs["classes"])
    assert set(BYTES) == set(costs["dtypes"])


MEASURE = """texts => texts.map((text) => {
  const start = performance.now()
  bertCounted.explain(text)
  return performance.now() - start
})"""


def test_answers_are_quick(page: Page, answers: dict[str, list[Answer]]) -> None:
    """The median, all models searched; a busy machine gets four times the promised 50 milliseconds."""
    assert statistics.median(page.evaluate(MEASURE, list(answers)[:100])) < 200
