"""The search for a number: every answer is true, what can be asked is found, and the likeliest comes first."""

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
from macros.counting.operations import COSTS as PRICES
from macros.counting.operations import Operations
from macros.counting.published.claims import known_totals
from macros.counting.published.others import load_others
from macros.counting.search.known_numbers import Way, spaces
from macros.counting.search.parts import parts
from macros.rendering.files.exported import table
from tests.counting.search.changes_in_words import recounted
from tests.scripts.running import Scripts, running

BASE = "bert-base-uncased"
KNOWN_NUMBERS = Path(__file__).with_name("known_numbers.toml")

CHANCE = 20181011
"""Seeds the samples: each run asks the same."""

Answer = dict[str, Any]

RANKING = table()["explanations"]
COSTS = RANKING["costs"]


def explained(scripts: Scripts, texts: list[str], model: str = "") -> list[list[Answer]]:
    """All answers to each text."""
    found: list[list[Answer]] = scripts.call("explained", [[text, model] for text in texts])
    return found


@cache
def ways() -> tuple[Way, ...]:
    """Every way that the search knows by heart."""
    return tuple(way for space in spaces() for way in space.ways)


def typed(chance: random.Random) -> Iterator[str]:
    """Numbers of every kind as readers type them: totals, parts, tensors, labels, rounded ones, memory, and strays."""
    models = list(load_models().values())
    yield from (str(way.number) for way in chance.sample(ways(), 200))
    for model_class, part in parts():
        for model in (models[0], chance.choice(models), chance.choice(models)):
            yield f"{count(model, part.path, part.tag, model_class=model_class):,}"
    for _ in range(20):
        number, unit = chance.choice(models), chance.choice(("M", "million", "B", "亿", "MB", "MiB", "GB"))
        size = {"M": 1e6, "million": 1e6, "B": 1e9, "亿": 1e8, "MB": 1e6, "MiB": 2**20, "GB": 1e9}[unit]
        width = chance.choice((1, 2, 4)) if "B" in unit[1:] else 1
        yield f"{count(number) * width / size:.{chance.choice((1, 2, 3))}f} {unit}"
    yield from typed_otherwise()
    for labels in (3, 18, 100):
        yield str(count(chance.choice(models).resized(C=labels), model_class="BertForTokenClassification"))
    for _ in range(10):
        yield str(count(chance.choice(models)) + chance.choice((-7, 3, 7680, -590_592, 101 * 768)))
        yield str(chance.randrange(10 ** chance.randrange(1, 12)))
    yield from ("137849088", "137258496", "109285440", "107120640", "64512", "15360", "370178", "16898")  # changes
    yield from ("12", "64", "512", "768", "30522", "26.9 MB", "54.7 MB", "93.8 MB", "139793424", "132.18 MiB")
    yield from ("22348431360", "10882056192", "28499116032", "178787450880", "22.5G", "11.2 GMACs", "28.03 GFLOPs")
    yield from ("0", "1", "2", "39", "199", "201", "391", "7078656", "49152", "110592", "72.1 MB")


USUAL = ("bert-base-uncased", "bert-base-cased", "bert-large-uncased")


def typed_otherwise() -> Iterator[str]:
    """Other sizes, bytes without a unit, layers, differences, shares, relatives and other models."""
    for letter, size in (("L", 11), ("L", 6), ("P", 1024), ("V", 32_000), ("F", 2048), ("S", 1)):
        for name in (*USUAL, "bert-base-chinese"):
            yield str(count(model_named(name).resized(**{letter: size})))
    for name in USUAL:
        bare, layer = count(model_named(name)), count(model_named(name), "bert/encoder/layer_0")
        yield from (str(width * bare) for width in (2, 4, 12, 16))
        yield str(4 * bare + 20_000)
        yield from (str(layers * layer) for layers in (2, 5, 11))
        for other in ("bert-base-chinese", "bert-large-uncased", "distilbert-base-uncased"):
            yield str(abs(bare - count(model_named(other))))
    yield from ("181355520", "77.7%", "66.6%", "2.1%", "60.6%", "0.2686%", "3.06", "66720000", "328446721", "328451335")
    yield from (str(layers * 7_087_872 + above) for layers in (1, 2, 7) for above in (590_592, 592_130, 769))
    yield from (str(109_482_240 + 12 * rank * sides) for rank in (1, 16, 64) for sides in (3072, 6144, 13_824))
    for model in load_relatives().values():
        yield from (str(count(model, model_class=each.name)) for each in model.architecture.classes)
    yield from (str(total) for each in load_others().values() for total in each.totals.values())


@cache
def asked_texts() -> list[str]:
    """What is typed, each text once."""
    return list(dict.fromkeys(typed(random.Random(CHANCE))))  # noqa: S311 - drawing samples is no cryptography


@pytest.fixture(scope="module")
def answers(scripts: Scripts) -> dict[str, list[Answer]]:
    """Thousands of answers, by what was typed."""
    return dict(zip(asked_texts(), explained(scripts, asked_texts()), strict=True))


def number_of(answer: Answer, model: Model, model_class: str) -> int:
    """The number that the engine counts for what an answer says of a whole model."""
    asked = Question(model.resized(**answer["sizes"]), model_class, deviations=tuple(answer["mistakes"]))
    if answer["kind"] == "tensors":
        repeats = model.architecture.depth(model.sizes)
        return sum(repeats if row.repeated else 1 for row in asked.rows if not row.tied_to)
    if answer["kind"] == "memory":
        return memory_of(answer, asked)
    return asked.number


def memory_of(answer: Answer, asked: Question) -> int:
    """The bytes: so many for each parameter, and what a file has besides; matrices may take one and all else four."""
    if answer["dtype"] == "dynamic int8":
        return 4 * asked.number - 3 * asked.at(tag="kernel").number
    if answer["dtype"] == "float32 with buffers":
        return 4 * asked.number + 2 * 8 * asked.model.sizes["P"]
    stored = [(each["dtype"], each["width"], each["kept"]) for each in RANKING["stored"]]
    assert (answer["dtype"], answer["width"], answer["kept"]) in stored
    # Source: the files of published models, whose frames have up to a few hundred bytes for each tensor.
    assert 0 <= answer["frame"] <= 100_000
    return ceil(asked.number * int(2 * answer["width"]) / 2) + int(answer["frame"])


def part_of(answer: Answer, part: dict[str, Any], model: str) -> int:
    """The count of a part that an answer names, in as many layers as it says."""
    deviations = tuple(answer["mistakes"])
    asked = Question(model_named(model), part["class"], part["path"], part.get("tag", ""), deviations=deviations)
    number = asked.number // asked.model.sizes["A"] if part.get("share") else asked.number
    return ceil(number * (answer["layers"] or 1) * (answer["width"] or 1))


def right_numbers() -> set[int]:
    """Every right total of every model, and every part."""
    models = [*load_models().values(), *load_relatives().values()]
    totals = {count(model, model_class=each.name) for model in models for each in model.architecture.classes}
    released = load_models().values()
    return totals | {
        count(model, part.path, part.tag, model_class=name) for model in released for name, part in parts()
    }


RIGHT = right_numbers()


def settings(words: str, model: Model) -> set[int]:
    """The values of all letters, or quotients of two, that words name in brackets."""
    letters = [each.split(" / ") for each in re.findall(r"\(([A-Z](?: / [A-Z])?)\)", words)]
    return {model.sizes[one] // model.sizes[other[0]] if other else model.sizes[one] for one, *other in letters}


def counted(answer: Answer) -> set[int]:
    """What the engine counts for all that an answer names; one number where the answer is true."""
    if answer["kind"] == "memory" and not answer["models"]:
        of_model = counted({**answer, "kind": "other", "classes": answer["classes"][:1]})
        return {ceil(number * answer["width"]) + answer["frame"] for number in of_model}
    if answer["kind"] == "other" or (answer["kind"] == "near" and not answer["models"]):
        words = answer["words"]
        totals = (each.totals for each in load_others().values() if each.title == words)
        return {each.get(name, 0) for each in totals for name in answer["classes"]}
    if answer["kind"] == "difference":
        assert {each["number"] for each in answer["terms"]} <= RIGHT
        return {sum(each["times"] * each["number"] for each in answer["terms"])}
    if answer["kind"] == "setting":
        return {value for name in answer["models"] for value in settings(answer["words"], model_named(name))}
    if answer["kind"] == "change" or (answer["kind"] == "memory" and answer["terms"]):
        return {recounted(answer["words"], model_named(name)) for name in answer["models"][:1]}
    if answer["kind"] == "share" and answer["words"].startswith("what is trained"):
        whole = [recounted(each["words"], model_named(answer["models"][0])) for each in answer["terms"]]
        assert whole == [each["number"] for each in answer["terms"]]
        return {whole[0]}
    if answer["kind"] == "share":
        assert {each["number"] for each in answer["terms"]} <= RIGHT
        return {answer["terms"][0]["number"]}
    if answer["kind"] == "operations":
        of = [(model_named(model), name) for model in answer["models"] for name in answer["classes"]]
        return {operations_counted(answer, model, name) for model, name in of}
    if answer["parts"]:
        return {part_of(answer, part, model) for model in answer["models"] for part in answer["parts"]}
    models = [model_named(name) for name in answer["models"]]
    classes = answer["classes"] or ["BertModel"]
    return {number_of(answer, model, name) for model in models for name in classes}


def operations_counted(answer: Answer, model: Model, name: str) -> int:
    """Operations by the prices that an answer names, of what the engine counts."""
    asked = Operations(Question(model, name), answer["tokens"], answer["texts"])
    outside = "embeddings-excluded" if "outside" in answer["words"] else ""
    question = asked.question._replace(deviations=(outside,) if outside else ())
    own = question.number * answer["texts"] * (1 if "torchinfo" in answer["words"] else answer["tokens"])
    kinds = {each["words"]: each["times"] for each in answer["terms"]}
    return sum(times * (asked.number(kind, cost=1) if kind in PRICES else own) for kind, times in kinds.items())


def untrue(text: str, answer: Answer) -> list[str]:
    """What an answer says that the engine does not."""
    found = counted(answer)
    return [] if found == {answer["number"]} else [f"{text}: {answer} counts {sorted(found)}"]


KINDS = "total part tensors labels size memory other difference share near change setting operations"


def test_every_answer_is_true(answers: dict[str, list[Answer]]) -> None:
    """Sound: thousands of answers counted again, for every model, class and part that each names."""
    flat = [(text, each) for text, found in answers.items() for each in found]
    assert len(flat) > 3_000
    assert {*KINDS.split()} == {each["kind"] for _, each in flat}
    assert [] == [wrong for text, each in flat for wrong in untrue(text, each)]


def test_every_exact_answer_is_the_number_that_was_asked(answers: dict[str, list[Answer]]) -> None:
    """A number without a unit is answered with itself; what is only near says by how much."""
    for text, found in answers.items():
        plain = text.replace(",", "")
        for each in (each for each in found if plain.isdigit() and not each["reading"]["width"]):
            assert int(plain) == each["number"] + each["rest"], text
            assert bool(each["rest"]) is (each["kind"] == "near"), each


@pytest.mark.parametrize(
    "change",
    [
        {"mistakes": ["pooler-left-out"]},
        {"models": ["bert-large-uncased"]},
        {"kind": "memory", "dtype": "float32", "width": 4},
    ],
)
def test_an_untrue_answer_is_noticed(scripts: Scripts, change: dict[str, Any]) -> None:
    """The check above is no formality."""
    right = explained(scripts, ["109482240"])[0][0]
    assert [] == untrue("109482240", right)
    assert untrue("109482240", {**right, **change})


WINDOWS = [
    (-1, 10**12),
    (109_482_240, 109_482_240),
    (109_482_239.5, 109_482_240.5),
    (109_482_241, 109_482_255),
    (110_000_000, 110_106_428),
    (0, 0),
    (10**11, 10**12),
]
"""The whole; one number; bounds that are not whole; bounds where numbers stand, and where there are none."""


def test_windows_hold_all_of_their_ways(scripts: Scripts) -> None:
    """Every way with its models, classes, deviations and cost, in the order of models and then of numbers."""
    every = [sorted(space.ways, key=lambda way: way.number) for space in spaces()]
    for (low, high), found in zip(WINDOWS, scripts.call("knownWithin", WINDOWS), strict=True):
        read = [Way._make(tuple(each) if isinstance(each, list) else each for each in way) for way in found]
        assert read == [way for ways in every for way in ways if low <= way.number <= high], (low, high)


def test_every_known_way_is_found(scripts: Scripts) -> None:
    """Complete: of a sample of the space, the answers hold a model, its class and the deviations."""
    of_berts = [way for way in ways() if way.models[0] in load_models()]  # relatives that count alike stand behind them
    sample = random.Random(CHANCE + 1).sample(of_berts, 600)  # noqa: S311
    assert 20 < sum(len(way.deviations) > 2 for way in sample)
    for way, found in zip(sample, explained(scripts, [str(way.number) for way in sample]), strict=True):
        alike = [each for each in found if set(each["mistakes"]) == set(way.deviations)]
        # Of models and classes that give the same in different pairs, those of the likeliest of both stand.
        assert any(way.models[0] in each["models"] or way.classes[0] in each["classes"] for each in alike), way


def test_every_part_is_found(scripts: Scripts) -> None:
    """Of base and of large, each under its own count."""
    for name in ("bert-base-uncased", "bert-large-uncased"):
        model = model_named(name)
        asked = [(part, count(model, part.path, part.tag, model_class=model_class)) for model_class, part in parts()]
        numbers = [number // model.sizes["A"] if part.share else number for part, number in asked]
        for (part, number), answers in zip(asked, explained(scripts, list(map(str, numbers)), name), strict=True):
            if not number:
                continue  # what is tied adds nothing, and nobody is told that nothing is the size of something
            named = [
                (each["path"], each.get("tag", ""), each.get("share", False)) for a in answers for each in a["parts"]
            ]
            assert tuple(part) in named


def test_a_chosen_model_is_the_only_one_meant(scripts: Scripts, answers: dict[str, list[Answer]]) -> None:
    """Answers are of this model, and those that all models have are among them."""
    chance = random.Random(CHANCE)  # noqa: S311
    fields = ("kind", "number", "mistakes", "labels", "dtype", "unit")
    for text in chance.sample(list(answers), 40):
        name = chance.choice(list(load_models()))
        chosen = explained(scripts, [text], name)[0]
        assert all(name in each["models"] for each in chosen)
        listed = [[each[field] for field in fields] for each in chosen]
        everywhere = [each for each in answers[text] if name in each["models"] and each["kind"] != "near"]
        assert all([each[field] for field in fields] in listed for each in everywhere)


def test_the_likeliest_comes_first_and_none_twice(answers: dict[str, list[Answer]]) -> None:
    """The order is that of what speaks against each; models and classes that give the same are one."""
    for text, found in answers.items():
        costs = [each["cost"] for each in found if each["kind"] != "near"]
        assert costs == sorted(costs), text
        bare = [str({**each, "models": [], "classes": [], "cost": 0, "reading": None}) for each in found]
        assert len(bare) == len(set(bare)), text


FIRST_ANSWERS = [
    (typed, {"kind": kind, **expected})
    for kind, listed in tomllib.loads(KNOWN_NUMBERS.read_text(encoding="utf-8")).items()
    for typed, expected in listed.items()
]


def in_short(answer: Answer) -> Answer:
    """An answer with its first model and class, its parts as text, and the names of the sources that print it."""
    parts = [
        " ".join([each["path"], *filter(None, [each.get("tag")]), *["share"] * each.get("share", False)])
        for each in answer.get("parts", ())
    ]
    printed_in = sorted({each["source"] for each in answer.get("printed_in", ())})
    short = {"model": answer["models"][0], "class": next(iter(answer["classes"]), ""), "parts": parts}
    return {**answer, **short, "printed_in": printed_in}


@pytest.mark.parametrize(("typed", "expected"), FIRST_ANSWERS)
def test_a_known_number_comes_first(scripts: Scripts, typed: str, expected: Answer) -> None:
    """Ranked: what the first answer says of a number that many people have, right or wrong."""
    first = in_short(explained(scripts, [typed])[0][0])
    assert expected == {key: first.get(key) for key in expected}


def test_an_amount_goes_by_the_name_of_another_unit(scripts: Scripts) -> None:
    """MiB that are called MB are among the answers, and cost what that costs; what speaks against a way adds up."""
    named, meant = explained(scripts, ["417.6 MB", "417.6 MiB"])
    more = meant[0]["cost"] + COSTS["ways"]["other-unit"]
    assert (BASE, "float32", 2**20, more) in [
        (each["models"][0], each["dtype"], each["unit"], each["cost"]) for each in named if each["models"]
    ]
    # 208.8 MiB is 2 x 109,483,778 bytes, of a class that is rarer by one and types of half the width, one more.
    (found,) = explained(scripts, ["208.8 MiB"])
    of_class = [each for each in found if each["number"] == 2 * 109_483_778 and not each["mistakes"]]
    assert {"float16": 2, "bfloat16": 2} == {each["dtype"]: each["cost"] for each in of_class}


def test_what_nothing_gives_has_the_nearest_right_number(scripts: Scripts) -> None:
    """Nearest by brute force over all right totals and parts, whatever the digits; and the farther ones follow."""
    chance = random.Random(CHANCE + 2)  # noqa: S311
    texts = [str(chance.randrange(10**6, 4 * 10**8)) for _ in range(60)]
    met = 0
    for text, answers in zip(texts, explained(scripts, texts), strict=True):
        near = [each for each in answers if each["kind"] == "near"]
        distances = [abs(each["rest"]) for each in near if not each["slip"]]
        assert sorted(distances) == distances
        for each in near:
            nearest = min(RIGHT_FOR_NEAR, key=lambda number: abs(number - int(text)))
            assert each["nearest"] is (abs(each["rest"]) == abs(nearest - int(text))), (text, each, nearest)
        met += bool(near)
    assert met > 40


def right_for_near() -> set[int]:
    """What a near number is looked for among: totals of all models, parts of all that are built like BERT."""
    models = [*load_models().values(), *load_relatives().values()]
    built_alike = [model for model in models if model.architecture.model_type == "bert"]
    of_parts = {
        count(model, part.path, part.tag, model_class=name)
        for model in built_alike
        for name, part in parts()
        if not part.share
    }
    blocks = ("bert/embeddings/word_embeddings", "bert/embeddings", "bert/encoder", "bert/encoder/layer_0")
    relatives = [model for model in models if model not in built_alike]
    of_relatives = {count(model, path) for model in relatives for path in blocks}
    of_others = {total for each in load_others().values() for total in each.totals.values()}
    return {number for number in RIGHT | of_parts | of_relatives | of_others if number}


RIGHT_FOR_NEAR = right_for_near()


def test_what_is_no_number_has_no_answer(scripts: Scripts) -> None:
    """Neither has a number that no model reaches; and nobody has no parameters."""
    assert [None] * 4 == explained(scripts, ["", "many", "-1", "<script>alert(1)</script>"])
    assert [[]] == explained(scripts, ["9" * 100])
    assert [[]] == explained(scripts, ["0"], "roberta-base")
    assert [[]] == explained(scripts, ["0"])


def test_what_is_in_print_names_its_sources(scripts: Scripts) -> None:
    """Every total that somebody prints, with what led to it."""
    printed = known_totals()
    found = explained(scripts, [str(each.question.number) for each in printed])
    for each, answers in zip(printed, found, strict=True):
        alike = [answer for answer in answers if set(answer["mistakes"]) == set(each.question.deviations)]
        listed = [{one["source"] for one in answer["printed_in"]} for answer in alike]
        assert any(set(each.sources) <= sources for sources in listed), each


def test_relatives_are_named(scripts: Scripts) -> None:
    """Each bare total of a relative is answered with certainty by a model that has it."""
    models = {**load_models(), **load_relatives()}
    for relative, answers in zip(
        load_relatives().values(),
        explained(scripts, [str(count(each)) for each in load_relatives().values()]),
        strict=True,
    ):
        first = answers[0]
        assert first["confidence"] != "possible" or first["mistakes"] == ["pooler-left-out"], relative.name
        assert count(relative) == first["number"]
        assert any(relative.name in each["models"] and not each["mistakes"] for each in answers)
        assert set(first["models"]) <= set(models)


# By hand: four to the power of minus the cost, beside all else that fits and what is not known.
SURE = {
    "109482240": ("total", "certain"),
    "108891648": ("total", "certain"),
    "590,592": ("part", "certain"),
    "437,928,960": ("memory", "certain"),
    "85.1M": ("part", "likely"),  # 0.06 for all layers of base, 0.01 for what rounds to it and is not known
    "23M": ("total", "possible"),
    "28.8M": ("total", "possible"),  # one of four classes of one model
    "21.8%": ("share", "likely"),
    "22%": ("share", "possible"),
}


def test_how_sure_an_answer_is(scripts: Scripts) -> None:
    """Exact numbers say much, rounded ones little; and shares of few digits nothing for sure."""
    first = {text: found[0] for text, found in zip(SURE, explained(scripts, [*SURE]), strict=True)}
    assert SURE == {text: (each["kind"], each["confidence"]) for text, each in first.items()}


def rounded(number: int) -> Iterator[str]:
    """A number in millions to one, two and three figures, rounded and cut."""
    for figures in (1, 2, 3):
        unit = 10 ** max(len(str(number)) - figures, 0)
        for kept in {round(number / unit), number // unit}:
            yield f"{Decimal(kept * unit) / 10**6:f}M"


def test_every_right_total_is_in_the_answer_to_what_rounds_to_it(scripts: Scripts) -> None:
    """Of every published model and relative, in each class, and of every other model; with the model chosen too."""
    models = [*load_models().values(), *load_relatives().values()]
    totals = {count(model, model_class=each.name) for model in models for each in model.architecture.classes}
    totals |= {total for each in load_others().values() for total in each.totals.values()}
    asked: dict[str, set[int]] = {}
    for total in totals:
        for text in rounded(total):
            asked.setdefault(text, set()).add(total)
    found = [[each["number"] for each in answers] for answers in explained(scripts, list(asked))]
    assert {} == {text: missing for text, each in zip(asked, found, strict=True) if (missing := asked[text] - {*each})}


def test_a_chosen_models_totals_come_first(scripts: Scripts) -> None:
    """Whatever else rounds to the number."""
    for model in load_models().values():
        text = f"{count(model) / 10**6:.3g}M"
        first = explained(scripts, [text], model.name)[0][0]
        assert (model.name in first["models"], first["mistakes"]) == (True, []), text


def test_answers_are_quick(scripts: Scripts, answers: dict[str, list[Answer]]) -> None:
    """Of a hundred, ninety-nine: all models searched; a busy machine gets four times the promised 16 milliseconds."""
    times = sorted(scripts.call("timesToExplain", list(answers)[:200]))
    assert statistics.median(times) < 16
    assert times[-3] < 64


@pytest.mark.parametrize("text", ["109482240", "97531246", "77.7%"])
def test_the_first_answer_is_quick(modules: Path, text: str) -> None:
    """With nothing prepared, all lists that it needs are made; a busy machine gets four times the promised 300 ms.

    It also gets two more tries.
    """
    times: list[float] = []
    for _ in range(3):
        with running(modules) as scripts:
            times.append(scripts.call("timeToExplain", text))
        if times[-1] < 4 * 300:
            break
    assert times[-1] < 4 * 300, times


def test_other_kinds_are_found(scripts: Scripts) -> None:
    """Complete over sizes, bytes, layers and differences too: each is among the answers to its number."""
    wanted: list[tuple[str, Answer]] = []
    for name in USUAL:
        model = model_named(name)
        bare, layer = count(model), count(model, "bert/encoder/layer_0")
        for letter, size in (("L", 11), ("L", 6), ("P", 1024), ("V", 32_000), ("F", 2048), ("S", 1)):
            wanted.append((str(count(model.resized(**{letter: size}))), {"kind": "size", "sizes": {letter: size}}))
        for width, dtype in ((2, "float16"), (4, "float32"), (12, "float32"), (16, "float32")):
            wanted.append((str(width * bare), {"kind": "memory", "width": width, "dtype": dtype}))
        wanted.append((str(4 * bare + 20_000), {"kind": "memory", "frame": 20_000}))
        wanted += [(str(layers * layer), {"kind": "part", "layers": layers}) for layers in (2, 5, 11)]
        matrices = Question(model, tag="kernel").number
        wanted.append((str(4 * bare - 3 * matrices), {"kind": "memory", "dtype": "dynamic int8"}))
        # Source: position_ids and token_type_ids of transformers 5.23, 512 numbers of 8 bytes each.
        wanted.append((str(4 * bare + 2 * 512 * 8), {"kind": "memory", "dtype": "float32 with buffers"}))
        wanted.append((str(bare - matrices // 2), {"kind": "change", "number": bare - matrices // 2}))
    for one, other in combinations(USUAL, 2):
        difference = abs(count(model_named(one)) - count(model_named(other)))
        wanted.append((str(difference), {"kind": "difference", "number": difference}))
    for (text, fields), answers in zip(wanted, explained(scripts, [text for text, _ in wanted]), strict=True):
        assert any(fields.items() <= each.items() for each in answers), (text, fields)


def test_a_file_has_so_much_frame_for_each_tensor(scripts: Scripts) -> None:
    """At most 512 bytes for each of the hundred tensors of DistilBERT."""
    weights = 4 * count(model_named("distilbert-base-uncased"))
    frames = (51_200, 51_201)
    most, more = explained(scripts, [str(weights + frame) for frame in frames])
    assert any(each["frame"] == frames[0] for each in most)
    assert not any(each["frame"] == frames[1] for each in more)
