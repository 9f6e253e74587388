"""The search for a number gives true answers, finds the known ways, and puts the likeliest first."""

import random
import re
import statistics
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from macros.counting import Model, Question, count, load_models, load_relatives, model_named
from macros.counting.operations import COSTS as OPERATION_COSTS
from macros.counting.operations import Operations
from macros.counting.published.claims import known_totals
from macros.counting.published.others import load_others
from macros.counting.search.known_numbers import Way, search_data, spaces
from macros.counting.search.parts import parts
from tests.counting.search.changes_in_words import recount
from tests.rendering.test_mistake_words import REMEDY_FOR_TOO_LITTLE, TOO_LITTLE
from tests.scripts.running import Scripts, running

BASE = "bert-base-uncased"
MAIN_MODELS = (BASE, "bert-base-cased", "bert-large-uncased")
"""BERT base, uncased and cased, and BERT large, uncased."""

KNOWN_NUMBERS = Path(__file__).with_name("known_numbers.toml")
"""The file of common numbers, with fields of the first answer to each. Its comments give the sources."""

SEED = 20181011
"""The seed of the samples, fixed so that every run searches for the same numbers."""

Answer = dict[str, Any]
"""An explanation as a script returns it."""

MAX_MILLISECONDS = 4 * 300
"""The longest time for the first answer: four times the promised one, because the machine may be slow."""


MAX_MEDIAN_MILLISECONDS = 16
"""The time in which more than half of the later answers must be found."""


def answers_to(scripts: Scripts, texts: list[str], model: str = "") -> list[list[Answer]]:
    """The answers to each text, about the chosen model if it is given."""
    answers: list[list[Answer]] = scripts.call("explanations", [[text, model] for text in texts])
    return answers


@cache
def ways() -> tuple[Way, ...]:
    """Every way to a known number."""
    return tuple(way for space in spaces() for way in space.ways)


def test_the_texts_of_omissions_fit_their_effects(scripts: Scripts) -> None:
    """Every omission gives too little."""
    omissions = scripts.call("omissions")
    assert len(omissions) > 10
    for title, done, undo in omissions:
        assert TOO_LITTLE.search(title)
        assert TOO_LITTLE.search(done)
        assert REMEDY_FOR_TOO_LITTLE.match(undo)


def test_the_letter_before_a_formula_is_not_its_value(scripts: Scripts) -> None:
    unread, product = scripts.call("explanations", [["P = 12LH²(1 + 13/(12H))", ""], ["N = 12LH²", ""]])
    assert not unread
    assert product[0]["number"] == 12 * 12 * 768**2


@pytest.mark.parametrize("text", ["109,483,778", "335,143,938"])
def test_a_classifier_comes_before_the_rarer_next_sentence_class(scripts: Scripts, text: str) -> None:
    ((first_answer, *_),) = answers_to(scripts, [text])
    assert first_answer["classes"] == ["BertForSequenceClassification", "BertForNextSentencePrediction"]


def sample_texts(chance: random.Random) -> Iterator[str]:
    """Numbers of every kind as readers type them, and numbers without any meaning."""
    models = list(load_models().values())
    yield from (str(way.number) for way in chance.sample(ways(), 200))
    for model_class, part in parts():
        for model in (models[0], chance.choice(models), chance.choice(models)):
            yield f"{count(model, part.path, part.tag, model_class=model_class):,}"
    for _ in range(20):
        model, unit = chance.choice(models), chance.choice(("M", "million", "B", "亿", "MB", "MiB", "GB"))
        size = {"M": 1e6, "million": 1e6, "B": 1e9, "亿": 1e8, "MB": 1e6, "MiB": 2**20, "GB": 1e9}[unit]
        bytes_each = chance.choice((1, 2, 4)) if "B" in unit[1:] else 1
        yield f"{count(model) * bytes_each / size:.{chance.choice((1, 2, 3))}f} {unit}"
    yield from texts_of_other_kinds()
    for labels in (3, 18, 100):
        yield str(count(chance.choice(models).resized(C=labels), model_class="BertForTokenClassification"))
    for _ in range(10):
        yield str(count(chance.choice(models)) + chance.choice((-7, 3, 7680, -590_592, 101 * 768)))
        yield str(chance.randrange(10 ** chance.randrange(1, 12)))
    yield from ("137849088", "137258496", "109285440", "107120640", "64512", "15360", "370178", "16898")  # changes
    yield from ("12", "64", "512", "768", "30522", "26.9 MB", "54.7 MB", "93.8 MB", "139793424", "132.18 MiB")
    yield from ("22348431360", "10882056192", "28499116032", "178787450880", "22.5G", "11.2 GMACs", "28.03 GFLOPs")
    yield from ("0", "1", "2", "39", "199", "201", "391", "7078656", "49152", "110592", "72.1 MB")


def texts_of_other_kinds() -> Iterator[str]:
    """Numbers other than parts and totals of the published BERTs.

    They are totals with a size changed, bytes without a unit, several layers, differences, shares, trained parameters,
    and totals of relatives and of models that are not counted.
    """
    for letter, size in (("L", 11), ("L", 6), ("P", 1024), ("V", 32_000), ("F", 2048), ("S", 1)):
        for name in (*MAIN_MODELS, "bert-base-chinese"):
            yield str(count(model_named(name).resized(**{letter: size})))
    for name in MAIN_MODELS:
        total, layer = count(model_named(name)), count(model_named(name), "bert/encoder/layer_0")
        yield from (str(bytes_each * total) for bytes_each in (2, 4, 12, 16))
        yield str(4 * total + 20_000)
        yield from (str(layers * layer) for layers in (2, 5, 11))
        for other_name in ("bert-base-chinese", "bert-large-uncased", "distilbert-base-uncased"):
            yield str(abs(total - count(model_named(other_name))))
    yield from ("181355520", "77.7%", "66.6%", "2.1%", "60.6%", "0.2686%", "3.06", "66720000", "328446721", "328451335")
    # The last layers of BERT base with the pooler, with the pooler and a head, or with a head for one label; and
    # LoRA on a few matrices in each of its layers.
    yield from (str(layers * 7_087_872 + extra) for layers in (1, 2, 7) for extra in (590_592, 592_130, 769))
    yield from (str(109_482_240 + 12 * rank * sides) for rank in (1, 16, 64) for sides in (3072, 6144, 13_824))
    for model in load_relatives().values():
        yield from (str(count(model, model_class=model_class.name)) for model_class in model.architecture.classes)
    yield from (str(total) for other in load_others().values() for total in other.totals.values())


@cache
def all_texts() -> list[str]:
    """The texts to search for, each once."""
    return list(dict.fromkeys(sample_texts(random.Random(SEED))))  # noqa: S311 - drawing samples is not cryptography


@pytest.fixture(scope="module")
def answers(scripts: Scripts) -> dict[str, list[Answer]]:
    """The answers to all texts, by text."""
    return dict(zip(all_texts(), answers_to(scripts, all_texts()), strict=True))


def number_of(answer: Answer, model: Model, model_class: str) -> int:
    """The engine's number for an answer about a whole model as `model_class`."""
    question = Question(model.resized(**answer["sizes"]), model_class, deviations=tuple(answer["mistakes"]))
    if answer["kind"] == "tensors":
        repeats = model.architecture.depth(model.sizes)
        return sum(repeats if row.is_per_layer else 1 for row in question.rows if not row.tied_to)
    if answer["kind"] == "memory":
        return memory_of(answer, question)
    return question.number


def memory_of(answer: Answer, question: Question) -> int:
    """The engine's bytes for an answer about memory, plus the rest of a file that the answer assumes."""
    if answer["dtype"] == "dynamic int8":
        return 4 * question.number - 3 * question.about(tag="kernel").number
    if answer["dtype"] == "float32 with buffers":
        return 4 * question.number + 2 * 8 * question.model.sizes["P"]
    dtypes = [(way["dtype"], way["width"], way.get("kept", "")) for way in search_data()["stored"]]
    assert (answer["dtype"], answer["bytesPerParameter"], answer["kept"]) in dtypes
    # Source: the files of published models, which have up to a few hundred bytes per tensor besides the weights.
    assert 0 <= answer["frame"] <= 100_000
    return ceil(question.number * int(2 * answer["bytesPerParameter"]) / 2) + int(answer["frame"])


def number_of_part(answer: Answer, part: dict[str, Any], model: str) -> int:
    """The engine's number for a part that an answer names, for the layers and the data type in the answer."""
    deviations = tuple(answer["mistakes"])
    question = Question(model_named(model), part["class"], part["path"], part.get("tag", ""), deviations=deviations)
    number = question.number // question.model.sizes["A"] if part.get("share") else question.number
    return ceil(number * (answer["layers"] or 1) * (answer["bytesPerParameter"] or 1))


@cache
def right_numbers() -> frozenset[int]:
    """The totals of all models in every class, and the numbers of all parts of BERT models."""
    models = [*load_models().values(), *load_relatives().values()]
    totals = {
        count(model, model_class=model_class.name) for model in models for model_class in model.architecture.classes
    }
    berts = load_models().values()
    numbers_of_parts = {
        count(model, part.path, part.tag, model_class=name) for model in berts for name, part in parts()
    }
    return frozenset(totals | numbers_of_parts)


def values_of_letters(words: str, model: Model) -> set[int]:
    """The values of the letters, or quotients of two letters, that `words` has in brackets."""
    letters = [text.split(" / ") for text in re.findall(r"\(([A-Z](?: / [A-Z])?)\)", words)]
    return {model.sizes[letter] // (model.sizes[divisor[0]] if divisor else 1) for letter, *divisor in letters}


def quoted_figures(answer: Answer) -> set[int]:
    """The only figure that an answer quotes from the title of a model or from a paper, as a set."""
    (words,) = [term["words"] for term in answer["terms"]]
    title_match = re.search(r"([0-9.]+)([MB])$", words)
    figures_by_words = {entry["words"]: entry["figure"] for entry in search_data()["operations"]["quoted"]}
    if not title_match:
        return {figures_by_words[words]}
    return {round(float(title_match[1]) * {"M": 10**6, "B": 10**9}[title_match[2]])}


def engine_numbers(answer: Answer) -> set[int]:
    """The engine's numbers for everything that an answer names. If the answer is true, there is only one."""
    if answer["kind"] == "memory" and not answer["models"]:
        parameter_numbers = engine_numbers({**answer, "kind": "other", "classes": answer["classes"][:1]})
        return {ceil(number * answer["bytesPerParameter"]) + answer["frame"] for number in parameter_numbers}
    if answer["kind"] == "other" or (answer["kind"] == "near" and not answer["models"]):
        words = answer["words"]
        totals = (other.totals for other in load_others().values() if other.title == words)
        return {totals_by_class.get(name, 0) for totals_by_class in totals for name in answer["classes"]}
    if answer["kind"] == "difference":
        assert {term["number"] for term in answer["terms"]} <= right_numbers()
        return {sum(term["times"] * term["number"] for term in answer["terms"])}
    if answer["kind"] == "setting":
        return {value for name in answer["models"] for value in values_of_letters(answer["words"], model_named(name))}
    if answer["kind"] == "change" or (answer["kind"] == "memory" and answer["terms"]):
        return {recount(answer["words"], model_named(name)) for name in answer["models"][:1]}
    if answer["kind"] == "share" and answer["words"].startswith("what is trained"):
        numbers = [recount(term["words"], model_named(answer["models"][0])) for term in answer["terms"]]
        assert numbers == [term["number"] for term in answer["terms"]]
        return {numbers[0]}
    if answer["kind"] == "share":
        assert {term["number"] for term in answer["terms"]} <= right_numbers()
        return {answer["terms"][0]["number"]}
    if answer["kind"] == "operations":
        pairs = [(model_named(model), name) for model in answer["models"] for name in answer["classes"]]
        return {operations_of(answer, model, name) for model, name in pairs}
    if answer["parts"]:
        return {number_of_part(answer, part, model) for model in answer["models"] for part in answer["parts"]}
    models = [model_named(name) for name in answer["models"]]
    classes = answer["classes"] or ["BertModel"]
    return {number_of(answer, model, name) for model in models for name in classes}


def operations_of(answer: Answer, model: Model, name: str) -> int:
    """The engine's number of operations, with the factors that an answer gives."""
    operations = Operations(Question(model, name), answer["tokens"], answer["texts"])
    deviations = ("embeddings-excluded",) if "outside" in answer["words"] else ()
    question = operations.question._replace(deviations=deviations)
    parameters = question.number * answer["texts"] * (1 if "torchinfo" in answer["words"] else answer["tokens"])
    kinds = {term["words"]: term["times"] for term in answer["terms"]}
    return sum(
        times * (operations.number(kind, cost=1) if kind in OPERATION_COSTS else parameters)
        for kind, times in kinds.items()
    )


def errors_in(text: str, answer: Answer) -> list[str]:
    """A list with a message if the engine's number differs from the answer's; otherwise an empty list."""
    numbers = quoted_figures(answer) if answer["kind"] == "quoted" else engine_numbers(answer)
    return [] if numbers == {answer["number"]} else [f"{text}: {answer} counts {sorted(numbers)}"]


KINDS = "total part tensors labels size memory other difference share near change setting operations quoted"
"""The kinds of answers, separated by spaces."""


def test_every_answer_is_true(answers: dict[str, list[Answer]]) -> None:
    pairs = [(text, answer) for text, answers_to_text in answers.items() for answer in answers_to_text]
    assert len(pairs) > 3_000
    assert {*KINDS.split()} == {answer["kind"] for _, answer in pairs}
    assert [] == [message for text, answer in pairs for message in errors_in(text, answer)]


def test_exact_numbers_get_answers_with_the_same_number(answers: dict[str, list[Answer]]) -> None:
    for text, answers_to_text in answers.items():
        digits = text.replace(",", "")
        if not digits.isdigit():
            continue
        exact_answers = [answer for answer in answers_to_text if not answer["reading"]["uncertainty"]]
        for answer in exact_answers:
            assert int(digits) == answer["number"] + answer["excess"], text
            assert bool(answer["excess"]) is (answer["kind"] == "near"), answer


@pytest.mark.parametrize(
    "change",
    [
        {"mistakes": ["pooler-left-out"]},
        {"models": ["bert-large-uncased"]},
        {"kind": "memory", "dtype": "float32", "bytesPerParameter": 4},
    ],
)
def test_a_false_answer_is_noticed(scripts: Scripts, change: dict[str, Any]) -> None:
    true_answer = answers_to(scripts, ["109482240"])[0][0]
    assert [] == errors_in("109482240", true_answer)
    assert errors_in("109482240", {**true_answer, **change})


WINDOWS = [
    (-1, 10**12),
    (109_482_240, 109_482_240),
    (109_482_239.5, 109_482_240.5),
    (109_482_241, 109_482_255),
    (110_000_000, 110_106_428),
    (0, 0),
    (10**11, 10**12),
]
"""Ranges that hold all numbers, one number or none, and ranges whose bounds are fractions or known numbers."""


def test_windows_hold_all_of_their_ways(scripts: Scripts) -> None:
    ways_of_spaces = [sorted(space.ways, key=lambda way: way.number) for space in spaces()]
    for (low, high), rows in zip(WINDOWS, scripts.call("knownWithin", WINDOWS), strict=True):
        ways_in_window = [
            Way._make(tuple(field) if isinstance(field, list) else field for field in row) for row in rows
        ]
        expected = [way for ways_of_space in ways_of_spaces for way in ways_of_space if low <= way.number <= high]
        assert expected == ways_in_window, (low, high)


def test_every_known_way_is_found(scripts: Scripts) -> None:
    # Relatives with the same number come after BERTs, so their ways need not be among the answers.
    ways_of_berts = [way for way in ways() if way.models[0] in load_models()]
    sample = random.Random(SEED + 1).sample(ways_of_berts, 600)  # noqa: S311
    assert 20 < sum(len(way.deviations) > 2 for way in sample)
    for way, answers in zip(sample, answers_to(scripts, [str(way.number) for way in sample]), strict=True):
        matching_answers = [answer for answer in answers if set(answer["mistakes"]) == set(way.deviations)]
        # If several pairs of model and class have the number, an answer has only the likeliest model and class.
        assert any(
            way.models[0] in answer["models"] or way.classes[0] in answer["classes"] for answer in matching_answers
        ), way


def test_every_part_is_found(scripts: Scripts) -> None:
    for name in ("bert-base-uncased", "bert-large-uncased"):
        model = model_named(name)
        counts = [(part, count(model, part.path, part.tag, model_class=model_class)) for model_class, part in parts()]
        numbers = [number // model.sizes["A"] if part.share else number for part, number in counts]
        for (part, number), answers in zip(counts, answers_to(scripts, list(map(str, numbers)), name), strict=True):
            if not number:
                continue  # a tied part adds nothing, and 0 has no answers
            answer_parts = [answer_part for answer in answers for answer_part in answer["parts"]]
            keys = [
                (answer_part["path"], answer_part.get("tag", ""), answer_part.get("share", False))
                for answer_part in answer_parts
            ]
            assert tuple(part) in keys


def test_all_answers_are_about_a_chosen_model_and_none_is_lost(
    scripts: Scripts, answers: dict[str, list[Answer]]
) -> None:
    chance = random.Random(SEED)  # noqa: S311
    fields = ("kind", "number", "mistakes", "labels", "dtype", "unit")
    for text in chance.sample(list(answers), 40):
        name = chance.choice(list(load_models()))
        answers_about_model = answers_to(scripts, [text], name)[0]
        assert [] == [answer for answer in answers_about_model if name not in answer["models"]]
        keys = [[answer[field] for field in fields] for answer in answers_about_model]
        answers_without_choice = [
            answer for answer in answers[text] if name in answer["models"] and answer["kind"] != "near"
        ]
        assert [] == [answer for answer in answers_without_choice if [answer[field] for field in fields] not in keys]


def test_answers_are_in_order_of_cost_and_none_is_repeated(answers: dict[str, list[Answer]]) -> None:
    uniform_values: Answer = {"models": [], "classes": [], "cost": 0, "reading": None}
    for text, answers_to_text in answers.items():
        costs = [answer["cost"] for answer in answers_to_text if answer["kind"] != "near"]
        assert costs == sorted(costs), text
        answers_without_names = [str({**answer, **uniform_values}) for answer in answers_to_text]
        assert len(answers_without_names) == len(set(answers_without_names)), text


FIRST_ANSWERS = [
    (text, {"kind": kind, **expected})
    for kind, block in tomllib.loads(KNOWN_NUMBERS.read_text(encoding="utf-8")).items()
    for text, expected in block.items()
]
"""Texts, each with the kind and other fields of its first answer."""


def summary(answer: Answer) -> Answer:
    """An answer with only its first model and class, its parts as text, and the names of its sources."""
    parts = []
    for part in answer.get("parts", ()):
        words = [part["path"], part.get("tag"), "share" if part.get("share") else ""]
        parts.append(" ".join(filter(None, words)))
    printed_in = sorted({source["source"] for source in answer.get("printed_in", ())})
    replacements = {"model": answer["models"][0], "class": next(iter(answer["classes"]), ""), "parts": parts}
    return {**answer, **replacements, "printed_in": printed_in}


@pytest.mark.parametrize(("text", "expected"), FIRST_ANSWERS)
def test_the_first_answer_to_a_common_number_is_the_expected_one(scripts: Scripts, text: str, expected: Answer) -> None:
    first_answer = summary(answers_to(scripts, [text])[0][0])
    assert expected == {key: first_answer.get(key) for key in expected}


def test_an_amount_may_have_the_name_of_another_unit(scripts: Scripts) -> None:
    mb_answers, mib_answers = answers_to(scripts, ["417.6 MB", "417.6 MiB"])
    cost = mib_answers[0]["cost"] + search_data()["costs"]["ways"]["other-unit"]
    assert (BASE, "float32", 2**20, cost) in [
        (answer["models"][0], answer["dtype"], answer["unit"], answer["cost"])
        for answer in mb_answers
        if answer["models"]
    ]
    # 208.8 MiB is 2 x 109,483,778 bytes: a rarer class costs 1, and a data type of 16 bits 1 more.
    (answers,) = answers_to(scripts, ["208.8 MiB"])
    class_answers = [answer for answer in answers if answer["number"] == 2 * 109_483_778 and not answer["mistakes"]]
    assert {"float16": 2, "bfloat16": 2} == {answer["dtype"]: answer["cost"] for answer in class_answers}


def test_an_unknown_number_is_answered_with_the_nearest_right_one(scripts: Scripts) -> None:
    chance = random.Random(SEED + 2)  # noqa: S311
    texts = [str(chance.randrange(10**6, 4 * 10**8)) for _ in range(60)]
    candidates, near_count = near_candidates(), 0
    for text, answers in zip(texts, answers_to(scripts, texts), strict=True):
        near_answers = [answer for answer in answers if answer["kind"] == "near"]
        distances = [abs(answer["excess"]) for answer in near_answers if not answer["slip"]]
        assert sorted(distances) == distances
        nearest_number = min(candidates, key=lambda number: abs(number - int(text)))
        for answer in near_answers:
            assert answer["isNearest"] is (abs(answer["excess"]) == abs(nearest_number - int(text))), (
                text,
                answer,
                nearest_number,
            )
        if near_answers:
            near_count += 1
    assert near_count > 40


def near_candidates() -> set[int]:
    """The numbers that may be given as near ones: totals of all models, parts of BERTs, and blocks of relatives."""
    models = [*load_models().values(), *load_relatives().values()]
    bert_models = [model for model in models if model.architecture.model_type == "bert"]
    bert_parts = {
        count(model, part.path, part.tag, model_class=name)
        for model in bert_models
        for name, part in parts()
        if not part.share
    }
    blocks = ("bert/embeddings/word_embeddings", "bert/embeddings", "bert/encoder", "bert/encoder/layer_0")
    relatives = [model for model in models if model not in bert_models]
    relative_blocks = {count(model, path) for model in relatives for path in blocks}
    uncounted_totals = {total for other in load_others().values() for total in other.totals.values()}
    return {number for number in right_numbers() | bert_parts | relative_blocks | uncounted_totals if number}


def test_a_text_without_a_number_has_no_answer(scripts: Scripts) -> None:
    assert [None] * 4 == answers_to(scripts, ["", "many", "-1", "<script>alert(1)</script>"])
    assert [[]] == answers_to(scripts, ["9" * 100])
    assert [[]] == answers_to(scripts, ["0"], "roberta-base")
    assert [[]] == answers_to(scripts, ["0"])


def test_the_answer_to_a_total_in_print_names_its_sources(scripts: Scripts) -> None:
    totals = known_totals()
    numbers = [str(total.question.number) for total in totals]
    for total, answers in zip(totals, answers_to(scripts, numbers), strict=True):
        matching_answers = [answer for answer in answers if set(answer["mistakes"]) == set(total.question.deviations)]
        sources = [{claim["source"] for claim in answer["printed_in"]} for answer in matching_answers]
        assert any(set(total.sources) <= names for names in sources), total


def test_the_total_of_a_relative_is_explained(scripts: Scripts) -> None:
    models = {**load_models(), **load_relatives()}
    relatives = [*load_relatives().values()]
    answers_by_relative = answers_to(scripts, [str(count(relative)) for relative in relatives])
    for relative, answers in zip(relatives, answers_by_relative, strict=True):
        first_answer = answers[0]
        assert first_answer["confidence"] != "possible" or first_answer["mistakes"] == ["pooler-left-out"], (
            relative.name
        )
        assert count(relative) == first_answer["number"]
        # data2vec text has the sizes and tensors of RoBERTa base, which is so much better known that only it is named.
        models_of_same_sizes = {name for name, model in models.items() if model.sizes == relative.sizes}
        # DPR is a BERT without a pooler, and readers are more likely to have left the pooler out.
        lacks_pooler = first_answer["mistakes"] == ["pooler-left-out"]
        assert lacks_pooler or any(
            models_of_same_sizes & set(answer["models"]) and not answer["mistakes"] for answer in answers
        )
        assert set(first_answer["models"]) <= set(models)


EXPECTED_CONFIDENCE = {
    "109482240": ("total", "certain"),
    "108891648": ("total", "certain"),
    "590,592": ("part", "certain"),
    "437,928,960": ("memory", "certain"),
    # 0.06 for all layers of BERT base, against 0.01 for the unknown
    "85.1M": ("part", "likely"),
    "23M": ("total", "possible"),
    "28.8M": ("total", "possible"),  # four classes of one model fit
    "21.8%": ("share", "likely"),
    "22%": ("share", "possible"),
}
"""The kind and the confidence of the first answer to some numbers.

The confidence is worked out from the rule that an answer weighs 4 to the power of −cost, compared with all other
answers that fit and with explanations that we do not know (see `macros/counting/search`).
"""


def test_rounded_numbers_get_less_confident_answers(scripts: Scripts) -> None:
    first_answers = {
        text: answers[0]
        for text, answers in zip(EXPECTED_CONFIDENCE, answers_to(scripts, [*EXPECTED_CONFIDENCE]), strict=True)
    }
    assert EXPECTED_CONFIDENCE == {
        text: (answer["kind"], answer["confidence"]) for text, answer in first_answers.items()
    }


def roundings(number: int) -> Iterator[str]:
    """A number in millions, rounded or cut to one, two and three figures."""
    for figure_count in (1, 2, 3):
        unit = 10 ** max(len(str(number)) - figure_count, 0)
        for digits in {round(number / unit), number // unit}:
            yield f"{Decimal(digits * unit) / 10**6:f}M"


def test_every_right_total_is_among_the_answers_to_its_roundings(scripts: Scripts) -> None:
    models = [*load_models().values(), *load_relatives().values()]
    totals = {
        count(model, model_class=model_class.name) for model in models for model_class in model.architecture.classes
    }
    totals |= {total for other in load_others().values() for total in other.totals.values()}
    totals_by_text: dict[str, set[int]] = {}
    for total in totals:
        for text in roundings(total):
            totals_by_text.setdefault(text, set()).add(total)
    for text, answers in zip(totals_by_text, answers_to(scripts, list(totals_by_text)), strict=True):
        assert totals_by_text[text] <= {answer["number"] for answer in answers}, text


def test_the_total_of_a_chosen_model_comes_first(scripts: Scripts) -> None:
    for model in load_models().values():
        text = f"{count(model) / 10**6:.3g}M"
        first_answer = answers_to(scripts, [text], model.name)[0][0]
        assert model.name in first_answer["models"], text
        assert [] == first_answer["mistakes"], text


def test_answers_are_quick(scripts: Scripts, answers: dict[str, list[Answer]]) -> None:
    times = sorted(scripts.call("timesToExplain", list(answers)[:200], MAX_MEDIAN_MILLISECONDS))
    assert statistics.median(times) < MAX_MEDIAN_MILLISECONDS
    assert times[-3] < 64


@pytest.mark.parametrize("text", ["109482240", "97531246", "77.7%"])
def test_the_first_answer_is_quick(modules: Path, text: str) -> None:
    """The time includes building all lists of numbers. There are three tries, because the machine may be busy."""
    times: list[float] = []
    for _ in range(3):
        with running(modules) as scripts:
            times.append(scripts.call("timeToExplain", text))
        if times[-1] < MAX_MILLISECONDS:
            break
    assert times[-1] < MAX_MILLISECONDS, times


def cases_of_other_kinds(model: Model) -> Iterator[tuple[str, Answer]]:
    """Numbers about a model, such as its bytes and totals with a size changed, each with fields of an answer."""
    total, layer = count(model), count(model, "bert/encoder/layer_0")
    for letter, size in (("L", 11), ("L", 6), ("P", 1024), ("V", 32_000), ("F", 2048), ("S", 1)):
        yield str(count(model.resized(**{letter: size}))), {"kind": "size", "sizes": {letter: size}}
    for size, dtype in ((2, "float16"), (4, "float32"), (12, "float32"), (16, "float32")):
        yield str(size * total), {"kind": "memory", "bytesPerParameter": size, "dtype": dtype}
    yield str(4 * total + 40_000), {"kind": "memory", "frame": 40_000}
    for layers in (2, 5, 11):
        yield str(layers * layer), {"kind": "part", "layers": layers}
    matrices = Question(model, tag="kernel").number
    yield str(4 * total - 3 * matrices), {"kind": "memory", "dtype": "dynamic int8"}
    # Source: position_ids and token_type_ids of transformers 5.23, each of 512 elements of 8 bytes.
    yield str(4 * total + 2 * 512 * 8), {"kind": "memory", "dtype": "float32 with buffers"}
    yield str(total - matrices // 2), {"kind": "change", "number": total - matrices // 2}


def test_sizes_bytes_layers_changes_and_differences_are_found(scripts: Scripts) -> None:
    expected = [case for name in MAIN_MODELS for case in cases_of_other_kinds(model_named(name))]
    for start, end in combinations(MAIN_MODELS, 2):
        difference = abs(count(model_named(start)) - count(model_named(end)))
        expected.append((str(difference), {"kind": "difference", "number": difference}))
    for (text, fields), answers in zip(expected, answers_to(scripts, [text for text, _ in expected]), strict=True):
        assert any(fields.items() <= answer.items() for answer in answers), (text, fields)


def test_a_file_has_a_limited_overhead_per_tensor(scripts: Scripts) -> None:
    """A file may have at most 512 bytes per tensor in addition to its weights; DistilBERT has 100 tensors."""
    weights = 4 * count(model_named("distilbert-base-uncased"))
    overheads = (51_200, 51_201)
    answers_at_limit, answers_above_limit = answers_to(scripts, [str(weights + overhead) for overhead in overheads])
    assert any(answer["frame"] == overheads[0] for answer in answers_at_limit)
    assert not any(answer["frame"] == overheads[1] for answer in answers_above_limit)
