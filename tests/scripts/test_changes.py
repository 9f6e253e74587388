"""The calculator's scripts count any configuration as real libraries and the engine do, and lead to any other."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    ARCHITECTURE_OF_CLASS,
    ARCHITECTURES,
    BadChange,
    Changed,
    Choices,
    Question,
    load_models,
    load_relatives,
    model_named,
)
from macros.counting.architecture import ModelClass
from macros.counting.published.bridges import bridge
from macros.counting.sum_lines import sum_lines
from tests.counting.test_changes import recorded
from tests.counting.unrecorded import unrecorded
from tests.samples import taken
from tests.scripts.calculating import (
    Configuration,
    any_configuration,
    by_method,
    drawn,
    from_transformers,
    having,
    in_full,
    in_words,
    of_case,
)
from tests.scripts.running import Scripts, with_another_table

SEED = 20181011
"""Each run compares the same configurations."""

MOST = 2**53 - 1
"""Up to here a script counts exactly."""

BASE = model_named("bert-base-uncased")
PUBLISHED = [*load_models().values(), *load_relatives().values()]

STORAGES = {"int8": "int8", "int4": "4 bits", "nf4-double": "4 bits with double quantisation"}
"""How the engine is asked for what the calculator calls packed so."""


def may_be(asked: Question, change: str) -> bool:
    """Whether the engine counts a change of a model."""
    try:
        return bool(Changed.of(asked, [change]).number)
    except BadChange:
        return False


def counted(scripts: Scripts, configurations: list[Configuration], sums: int = 0) -> list[dict[str, Any]]:
    """What the scripts make of them; of every so many with the lines of the sum, which take longest."""
    asked = [each.as_script_takes_it() for each in configurations]
    found: list[dict[str, Any]] = scripts.call("changed", asked, sums)
    return found


def tensors(script: dict[str, Any]) -> list[list[Any]]:
    """What is counted as libraries list it: layers, name, shape, owner, and whether it is trained."""
    return [
        [row["layers"], row["name"], row["shape"], row["tied"] or None, row["trainable"] > 0] for row in script["rows"]
    ]


# --- As real libraries count ----------------------------------------------------


def unlike_recordings(scripts: Scripts, every: int = 1) -> list[Any]:
    """The cases of PEFT's that scripts count or list otherwise; PEFT leaves out what shares another's weights.

    Args:
        scripts: what counts.
        every: how far the cases that are looked at lie apart in the recording.
    """
    cases = recorded()["cases"][::every]
    found = []
    for case, script in zip(cases, counted(scripts, [of_case(each) for each in cases]), strict=True):
        listed = in_full(tensors(script), of_case(case).asked)
        parameters = [[name, shape, trained] for name, shape, tied, trained in listed if not tied]
        if [case["total"], case["trainable"], case.get("parameters", parameters)] != [
            *(script["total"], script["trainable"], parameters)
        ]:
            found.append([case["class"], case.get("modules")])
    return found


def test_recorded_numbers_and_names_are_the_scripts_own(scripts: Scripts) -> None:
    """What PEFT and transformers say is there and is trained, of every class and change; name, shape and order."""
    assert [] == unlike_recordings(scripts)
    seen = {each["class"] for each in recorded()["cases"] if "parameters" in each}
    assert set(ARCHITECTURE_OF_CLASS) == seen, unrecorded(set(ARCHITECTURE_OF_CLASS) ^ seen, "record_peft")


WRONG = [
    ('"copied": [\n42,\n43,', '"copied": ['),
    ('"shape":"out r"', '"shape":"in r"'),
    ('"shape":"F H"', '"shape":"F F"'),
]
"""Each is a fact that the table could get wrong."""


@pytest.mark.parametrize(("right", "wrong"), WRONG)
def test_another_table_is_noticed(modules: Path, right: str, wrong: str) -> None:
    """A head that is not copied, tables that are left out, modules that are not found; some of the cases are enough."""
    with with_another_table(modules, right, wrong) as scripts:
        assert unlike_recordings(scripts, 7)


def test_tensors_are_listed_as_transformers_prints_them(scripts: Scripts) -> None:
    """Name, shape, order and ties, of all that was recorded; one that shares another's weights names its owner."""
    models = list(from_transformers())
    seen = {model["class"] for model, _ in models}
    assert set(ARCHITECTURE_OF_CLASS) == seen, unrecorded(set(ARCHITECTURE_OF_CLASS) ^ seen, "record_transformers")
    found = counted(scripts, [Configuration(asked) for _, asked in models])
    for (model, asked), script in zip(models, found, strict=True):
        listed = [[name, shape, tied] for name, shape, tied, _ in in_full(tensors(script), asked)]
        assert model["parameters"] == listed, (model["name"], model["class"])


def test_a_vocabulary_resized_in_place(scripts: Scripts) -> None:
    """What transformers has after that, of every class, tied and untied, is what is built so but for what is told."""
    pairs, expected = [], []
    for case in recorded()["resized"]:
        question = of_case(case).asked
        other = question._replace(model=question.model.resized(V=case["vocabulary"]))
        pairs.append([Configuration(each).as_script_takes_it() for each in (question, other)])
        expected.append(other.number - case["total"])
    assert expected == scripts.call("missingInPlace", pairs)
    # Two sizes of eleven classes with two biases, untied.
    assert 22 == sum(map(bool, expected))


def any_changed(scripts: Scripts) -> Iterator[tuple[Configuration, list[str]]]:
    """Every method in every class that may have it, with what it takes; every class, frozen or with pruned heads.

    What runs on transformers 4 is also put on classes with a decoder of their own, whose bias is shared there.
    """
    chance = random.Random(SEED + 6)  # noqa: S311
    for method in scripts.call("methods"):
        for each in (each for name in having(method) for each in ARCHITECTURES[name].classes):
            drawn_one, size = drawn_in(chance, each), chance.randrange(1, 60)
            of_method = by_method(method, drawn_one, size, chance.choice((0, 7, 10)))
            yield of_method, [in_words(method, of_method.lora or {})]
            if method["name"] in ("houlsby", "pfeiffer") and any(row.tied_to for row in drawn_one.rows):
                own_decoder = of_method._replace(asked=drawn_one._replace(choices=Choices(tied=False)))
                yield own_decoder, [in_words(method, own_decoder.lora or {})]
    for asked in (drawn_in(chance, each) for name in ARCHITECTURES.values() for each in name.classes):
        biases, *still = (chance.random() < 0.5 for _ in range(3))
        depth = asked.architecture.depth(asked.sizes)
        frozen = {"embeddings": still[0], "all_but_head": still[1], "layers": chance.choice((0, depth))}
        said = {"biases-off": not biases, "embeddings": still[0], "head": still[1], f"frozen:{depth}": frozen["layers"]}
        yield Configuration(asked, biases, frozen), [change for change, is_made in said.items() if is_made]
        heads = chance.randrange(1, asked.sizes["L"] * (asked.sizes["A"] - 1) + 1)
        for lora, before in ((None, []), ({"method": "bitfit", "rank": 0, "modules": []}, ["bitfit"])):
            if may_be(asked, "pruned:1"):
                yield Configuration(asked, lora=lora, pruned=heads), [*before, f"pruned:{heads}"]
                untied = asked._replace(choices=Choices(tied=False))
                yield Configuration(untied, lora=lora, pruned=heads), [*before, f"pruned:{heads}"]


def drawn_in(chance: random.Random, of: ModelClass) -> Question:
    """A model of any sizes with a few layers, of several heads each, in a class."""
    drawn_one = any_configuration(chance, ARCHITECTURE_OF_CLASS[of.name].model_type).asked.model
    heads = chance.randrange(2, 9)
    own = {"L": chance.randrange(1, 9), "C": of.labels or chance.randrange(2, 9), "A": heads, "H": heads * 5}
    return Question(drawn_one.resized(**{key: own[key] for key in own if key in drawn_one.sizes}), of.name)


def packed(storage: str, one: Configuration, changes: list[str]) -> Changed:
    """The same with packed matrices, but for those that a method trains, or of which it trains a copy."""
    kept = [row for row in Changed.of(one.asked, changes).rows if one.lora and not row.added]
    left = [row for row in kept if row.trained or row.within[1] == "original_module"]
    skip = [row.name.removesuffix(".weight") for row in left if " " in row.shape]
    return Changed.of(one.asked, [f"{storage}:skip={'+'.join(skip)}" if skip else storage, *changes])


def test_whatever_is_done_is_counted_as_the_engine_counts_it(scripts: Scripts) -> None:
    """In all, trained, each tensor, the formula, and the bytes of what is packed. Recordings hold the engine."""
    cases = list(any_changed(scripts))
    for (one, changes), script in zip(cases, counted(scripts, [each for each, _ in cases], sums=1), strict=True):
        ours = Changed.of(one.asked, changes)
        assert [ours.number, ours.trainable] == [script["total"], script["trainable"]], changes
        rows = {**script, "rows": [each for each in script["rows"] if each["number"] >= 0]}
        theirs = sorted(
            [name, shape, trained] for name, shape, tied, trained in in_full(tensors(rows), one.asked) if not tied
        )
        assert sorted(map(list, ours.listed())) == theirs, changes
        assert ours.number == value(script["formula"], dict(ours.sizes))
        assert [f"{ours.number:,}", True] == [script["sum"][-1].rpartition("= ")[2], all(map(holds, script["sum"]))]
        is_stored = may_be(one.asked, "int8") and not one.pruned
        assert [f"packed in {each}" for each in STORAGES.values()] * is_stored == list(script["bytes"])[4:]
        for storage, title in STORAGES.items() if is_stored else ():
            stored, memory = packed(storage, one, changes), script["bytes"][f"packed in {title}"]
            assert [stored.bytes_of(), stored.scales_bytes] == [memory["weights"], memory["scales"]], (storage, changes)
            gradients = 4 * stored.trainable
            assert [gradients, 2 * gradients] == [memory["gradients"], memory["adam"]], (storage, changes)
            assert memory["all"] == stored.bytes_of() + 3 * gradients
    assert len(cases) > 500


# --- As the engine counts --------------------------------------------------------


def listed_by_engine(asked: Question) -> list[list[Any]]:
    """The path and number of each tensor that a question counts."""
    return sorted([each.path, each.number(asked.sizes)] for each in asked.items)


def listed_by_script(script: dict[str, Any]) -> list[list[Any]]:
    """The same of a script."""
    return sorted([row["path"], row["number"]] for row in script["rows"])


def test_any_model_is_counted_alike(scripts: Scripts) -> None:
    """Hundreds, and every published one in every class: each tensor; the lines of sums and the formula."""
    asked = [each.asked for each in drawn(taken(2_000, part=4), SEED)]
    asked += [Question(model, each.name) for model in PUBLISHED for each in model.architecture.classes]
    assert set(ARCHITECTURE_OF_CLASS) == {each.chosen.name for each in asked}
    found = counted(scripts, list(map(Configuration, asked)), sums=5)
    for place, (each, script) in enumerate(zip(asked, found, strict=True)):
        assert [each.number, each.number] == [script["total"], script["trainable"]]
        assert listed_by_engine(each) == listed_by_script(script)
        if place % 5 == 0:
            assert [str(line) for line in sum_lines(each)] == script["sum"]
            assert each.polynomial.formula() == script["formula"]


def test_the_largest_models_are_counted_exactly(scripts: Scripts) -> None:
    """With the largest vocabulary that can be counted: to the last digit, and one token more is too many."""
    just, over = [], []
    for each in drawn(300, SEED + 5):
        two, three = (each.asked._replace(model=each.asked.model.resized(V=size)).number for size in (2, 3))
        most = 2 + (MOST - two) // (three - two)
        just.append(each.asked._replace(model=each.asked.model.resized(V=most)))
        over.append(each.asked._replace(model=each.asked.model.resized(V=most + 1)))
    assert all(2**52 < one.number <= MOST < other.number for one, other in zip(just, over, strict=True))
    for asked, script in zip(just, counted(scripts, list(map(Configuration, just))), strict=True):
        assert asked.number == script["total"] == sum(part["number"] for part in script["parts"])
        assert listed_by_engine(asked) == listed_by_script(script)
    assert all(script["total"] > MOST for script in counted(scripts, list(map(Configuration, over))))


def steps(scripts: Scripts, pairs: list[tuple[Configuration, Configuration]]) -> list[list[dict[str, Any]]]:
    """The steps from the first to the second of each pair."""
    asked = [[each.as_script_takes_it() for each in pair] for pair in pairs]
    found: list[list[dict[str, Any]]] = scripts.call("steps", asked)
    return found


def test_steps_are_those_of_the_engine_s_bridges(scripts: Scripts) -> None:
    """Between published BERTs in two classes: letter or block, value and formula."""
    chance = random.Random(SEED)  # noqa: S311
    models = list(load_models().values())
    pairs = []
    for _ in range(150):
        ends = (Question(each, chance.choice(each.architecture.classes).name) for each in chance.sample(models, 2))
        start, end = map(Configuration, ends)
        pairs.append((start, end))
    for (one, other), found in zip(pairs, steps(scripts, pairs), strict=True):
        ours = [[each.name, each.value, each.formula] for each in bridge(one.asked, other.asked)]
        assert ours == [[each["key"], each["value"], each["formula"]] for each in found]


# --- Whatever is changed ----------------------------------------------------------


def value(formula: str, sizes: dict[str, int]) -> int:
    """What a formula comes to, worked out by Python and by nothing of ours."""
    plain = formula.replace("−", "-").replace("·", "*").replace("²", "**2").replace(",", "").replace("×", "*")
    assert re.fullmatch(r"[A-Zrktmnh0-9+*() -]*", plain), formula
    return int(eval(plain or "0", {"__builtins__": {}}, sizes))  # noqa: S307 - letters and signs alone


def holds(line: str) -> bool:
    """Whether both sides of a line are the same, if it has two."""
    left, _, right = line.partition(" = ")
    return not right or value(left, {}) == value(right, {})


def test_whatever_is_changed_adds_up(scripts: Scripts) -> None:
    """Tensors, parts, the last line of a sum and the formula come to the total, and every line holds."""
    configurations = drawn(taken(600, part=2), SEED + 1)
    assert sum(bool(each.lora) for each in configurations) > len(configurations) / 6
    for each, script in zip(configurations, counted(scripts, configurations, sums=1), strict=True):
        total = script["total"]
        for numbers in (script["rows"], script["parts"]):
            assert [total, script["trainable"]] == [sum(one[it] for one in numbers) for it in ("number", "trainable")]
        for row in script["rows"]:
            assert row["number"] == (0 if row["tied"] else row["one"] * row["layers"])
            assert row["trainable"] in (0, row["number"]) or each.frozen["layers"]
            assert 0 <= row["trainable"] <= row["number"]
        assert all(map(holds, script["sum"]))
        assert f"{total:,}" == script["sum"][-1].rpartition("= ")[2]
        rank = each.lora["rank"] if each.lora else 0
        assert total == value(script["formula"], {**each.asked.model.sizes, "r": rank})
        assert pytest.approx(1 if total else 0) == sum(part["share"] for part in script["parts"])
        for dtype, size in {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1}.items():
            weights, gradients = size * total, size * script["trainable"]
            kept = {"weights": weights, "gradients": gradients, "adam": 2 * gradients}
            assert {**kept, "scales": 0, "all": sum(kept.values())} == script["bytes"][dtype]


def drawn_pairs() -> list[tuple[Configuration, Configuration]]:
    """From what is not changed to any configuration, half of them of one architecture, and to one with pruned heads."""
    chance = random.Random(SEED)  # noqa: S311
    pairs = [(Configuration(Question(BASE)), Configuration(Question(BASE.resized(H=48, A=3, L=5)), pruned=7))]
    for place in range(taken(250, part=2)):
        one = Configuration(any_configuration(chance).asked)
        other = any_configuration(chance, one.asked.architecture.model_type if place % 2 else "")
        pairs += [(one, other), (Configuration(Question(chance.choice(PUBLISHED))), one)]
    return pairs


def test_steps_lead_to_any_configuration(scripts: Scripts) -> None:
    """They add up in all and of what is trained, and every formula comes to its value with the sizes of its step."""
    pairs = drawn_pairs()
    numbers = [(each["total"], each["trainable"]) for each in counted(scripts, [one for pair in pairs for one in pair])]
    kinds = set()
    for (old, was), (new, now), found in zip(numbers[::2], numbers[1::2], steps(scripts, pairs), strict=True):
        assert (new - old, now - was) == tuple(sum(each[it] for each in found) for it in ("value", "trainable"))
        for each in found:
            assert each["value"] or each["trainable"]
            shown = each["trainable" if each["kind"] == "frozen" else "value"]
            assert shown == value(each["formula"], each["sizes"]), each
        kinds |= {each["kind"] for each in found}
    choices = {"pooler", "tied", "cross_attention"}
    assert {"size", "class", "architecture", "biases", "frozen", "pruned", "lora", *choices} == kinds


def test_a_way_through_too_large_a_model_is_none(scripts: Scripts) -> None:
    """Sizes change one after the other: a wide model with the other's vocabulary may be more than can be counted."""
    wide, tall = (Configuration(Question(BASE.resized(A=1, L=0, **each))) for each in ({"H": 10**7}, {"V": 10**10}))
    through, direct = steps(scripts, [(wide, tall), (Configuration(Question(BASE)), tall)])
    assert through is None
    assert direct


def test_shares_that_are_not_nothing_are_not_shown_as_nothing(scripts: Scripts) -> None:
    """Not even a parameter among more than a number of a script can hold."""
    asked = [("0", "7"), ("1", "1" + "0" * 40), ("4999", "10000000"), ("5", "10000"), ("1", "3"), ("7", "7")]
    assert ["0.0%", "under 0.1%", "under 0.1%", "0.1%", "33.3%", "100.0%"] == scripts.call("shares", asked)


# --- What may be changed -----------------------------------------------------------


def test_what_ifs_come_to_what_is_counted(scripts: Scripts) -> None:
    """Each alone, of any configuration; another number of heads changes nothing."""
    configurations = [each.as_script_takes_it() for each in drawn(150, SEED + 3)]
    listed = scripts.call("whatIfs", configurations)
    here = scripts.call("changed", configurations, 0)
    there = iter(scripts.call("changed", [one["to"] for each in listed for one in each], 0))
    names = set()
    for before, each in zip(here, listed, strict=True):
        for one, after in zip(each, there, strict=False):
            changed = after["total"] - before["total"]
            assert changed == one["value"], one["name"]
            assert one["name"] != "other-heads" or changed == 0 or "R" in one["to"]["sizes"]
            names.add(one["name"])
    # No such change is called more-A or more-H.
    letters = {f"more-{each.letter}" for one in ARCHITECTURES.values() for each in one.symbols} - {"more-A", "more-H"}
    assert letters | {"more-heads", "other-heads", "biases-off"} == names


def test_switches_that_change_anything(scripts: Scripts) -> None:
    """What a class leaves open: pooler, tying, labels, and whether it has a head to be trained alone."""
    expected = {
        "BertModel": [True, False, False, False],
        "BertForMaskedLM": [False, True, False, True],
        "BertForSequenceClassification": [False, False, True, True],
    }
    asked = [Configuration(Question(BASE, name)).as_script_takes_it() for name in expected]
    for offered, each in zip(scripts.call("offered", asked), expected.values(), strict=True):
        assert each == [offered[name] for name in ("pooler", "tied", "labels", "head")]
        modules = ["query", "key", "value", "attention-output", "intermediate", "output", "all-linear"]
        assert modules == offered["modules"]
