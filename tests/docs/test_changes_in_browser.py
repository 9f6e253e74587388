"""The calculator's scripts count any configuration as the engine does, exactly at any size, and lead to any other."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from macros.counting import (
    ARCHITECTURE_OF_CLASS,
    Choices,
    Question,
    load_models,
    load_relatives,
    model_named,
)
from macros.counting.changes import Changes, Lora, tensors, total, trainable
from macros.counting.disagreements.bridges import bridge
from macros.counting.sum_lines import sum_lines
from tests.counting import test_changes
from tests.docs.calculating import (
    Configuration,
    any_configuration,
    counting_page,
    drawn,
    from_transformers,
    in_full,
    with_engine,
)
from tests.docs.scripts import called
from tests.oracles.calculator_snippets import snippets

SEED = 20181011
"""Each run compares the same configurations."""

CONFIGURATIONS, PAIRS = 2_000, 250


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page that counts, for all tests of this file."""
    with counting_page(browser) as page:
        yield page


COUNT = """configurations => configurations.map((each) => {
  const { total, trainable, rows, parts, formula, sum } = bertCounted.changes.count(asConfiguration(each))
  return {
    total, trainable, formula, sum: sum.map((line) => line.text),
    parts: parts.map(({ block, number, trainable }) => [block, number, trainable]),
    rows: rows.map((row) => [row.path, row.number, row.trainable, row.layers, row.one]),
    tensors: rows.map(({ name, shape, tied, trainable, layers }) =>
      [Number(layers), name, shape.map(Number), tied || null, trainable > 0n]),
  }
})"""


def counted(page: Page, configurations: list[Configuration]) -> list[dict[str, Any]]:
    """What the scripts make of them."""
    found: list[dict[str, Any]] = called(page, COUNT, [each.as_script_takes_it() for each in configurations])
    return found


def differing(page: Page, configurations: list[Configuration]) -> list[Configuration]:
    """The configurations of which scripts and engine say other numbers, in whatever order."""
    found = []
    for each, script in zip(configurations, counted(page, configurations), strict=True):
        listed = tensors(*each)
        rows = [[one.path, str(one.number), str(one.trainable), str(one.layers), str(one.one)] for one in listed]
        sums = [str(sum(one.number for one in listed)), str(sum(one.trainable for one in listed))]
        if [sums, sorted(rows)] != [[script["total"], script["trainable"]], sorted(script["rows"])]:
            found.append(each)
    return found


def test_any_configuration_is_counted_alike(page: Page) -> None:
    """Thousands, of every class, with every change; every tensor's path and numbers."""
    configurations = list(drawn(CONFIGURATIONS, SEED))
    assert [] == differing(page, configurations)
    assert set(ARCHITECTURE_OF_CLASS) == {each.asked.chosen.name for each in configurations}
    large = [each for each in configurations if max(each.asked.model.sizes.values()) > 2**53]
    assert CONFIGURATIONS / 6 < len(large) < CONFIGURATIONS / 2
    adapted = [each for each in configurations if each.changes.lora]
    assert len(adapted) > CONFIGURATIONS / 10


def test_published_models_are_counted_alike(page: Page) -> None:
    """Every model in every one of its classes."""
    models = [*load_models().values(), *load_relatives().values()]
    questions = [Question(model, each.name) for model in models for each in model.architecture.classes]
    assert [] == differing(page, [Configuration(each) for each in questions])


WRONG = [
    ('"token_classifier",\n"cls/squad"', '"cls/squad"'),
    ('"embeddings": "bert/embeddings"', '"embeddings": "bert/embeddings/word_embeddings"'),
    ('"bias",\n"output_bias"', '"bias"'),
    ('"decoder": "cls/predictions/decoder"', '"decoder": "cls/predictions"'),
    ('"shape":"F H"', '"shape":"F F"'),
]
"""Each is a fact that the table could get wrong."""


@pytest.mark.parametrize(("right", "wrong"), WRONG)
def test_another_table_counts_otherwise(browser: Browser, right: str, wrong: str) -> None:
    """The comparison notices a table that says something else."""
    opened = browser.new_context()
    page = opened.new_page()
    with_engine(page, right, wrong)
    assert differing(page, list(drawn(250, SEED)))
    opened.close()


def test_totals_add_up_and_are_worked_out(page: Page) -> None:
    """Parts add up to the total; every line of a sum is right, and the last comes to the total; so does the formula."""
    configurations = [each for each in drawn(400, SEED + 1) if total(*each)]
    for each, script in zip(configurations, counted(page, configurations), strict=True):
        numbers = str(total(*each)), str(trainable(*each))
        assert numbers == tuple(str(sum(int(part[place]) for part in script["parts"])) for place in (1, 2))
        assert all(holds(line) for line in script["sum"])
        assert f"{total(*each):,}" == script["sum"][-1].rpartition("= ")[2]
        lora = each.changes.lora
        sizes = {**each.asked.model.sizes, "r": lora.rank if lora else 0}
        assert total(*each) == value(script["formula"], sizes)


def holds(line: str) -> bool:
    """Whether both sides of a line are the same, if it has two."""
    left, _, right = line.partition(" = ")
    return not right or value(left.replace("×", "·"), {}) == value(right, {})


def value(formula: str, sizes: dict[str, int]) -> int:
    """What a formula comes to, worked out by Python and by nothing of ours."""
    plain = formula.replace("−", "-").replace("·", "*").replace("²", "**2").replace(",", "").replace("×", "*")
    assert re.fullmatch(r"[A-Zrk0-9+*() -]*", plain), formula
    return int(eval(plain or "0", {"__builtins__": {}}, sizes))  # noqa: S307 - letters and signs alone


def test_a_wrong_line_is_found() -> None:
    """One more, in a sum and in a formula."""
    assert holds("2 × 768 = 1,536")
    assert not holds("2 × 768 = 1,537")
    assert 4_198_401 == value("4·H² + 4·H + 1", {"H": 1024})


def test_sums_and_formulas_are_the_engine_s(page: Page) -> None:
    """Line by line, where nothing is changed."""
    plain = [Configuration(each.asked) for each in drawn(300, SEED + 2)]
    for each, script in zip(plain, counted(page, plain), strict=True):
        assert [str(line) for line in sum_lines(each.asked)] == script["sum"]
        assert each.asked.polynomial.formula() == script["formula"]


STEPS = """pairs => pairs.map(([from, to]) =>
  bertCounted.changes.steps(asConfiguration(from), asConfiguration(to)))"""


def steps(page: Page, pairs: list[tuple[Configuration, Configuration]]) -> list[list[dict[str, Any]]]:
    """The steps from the first to the second of each pair."""
    asked = [[each.as_script_takes_it() for each in pair] for pair in pairs]
    found: list[list[dict[str, Any]]] = called(page, STEPS, asked)
    return found


def drawn_pairs() -> list[tuple[Configuration, Configuration]]:
    """Of any two configurations, half of them of one architecture, and from each to a published model."""
    chance = random.Random(SEED)  # noqa: S311
    published = [Configuration(Question(each)) for each in [*load_models().values(), *load_relatives().values()]]
    pairs = []
    for place in range(PAIRS):
        one = any_configuration(chance)
        other = any_configuration(chance, one.asked.architecture.model_type if place % 2 else "")
        pairs += [(one, other), (one, chance.choice(published))]
    return pairs


def test_steps_lead_from_any_configuration_to_any_other(page: Page) -> None:
    """They add up in all and of what is trained, and every formula comes to its value with the sizes of its step."""
    pairs = drawn_pairs()
    kinds = set()
    for (one, other), found in zip(pairs, steps(page, pairs), strict=True):
        assert total(*other) - total(*one) == sum(int(each["value"]) for each in found)
        assert trainable(*other) - trainable(*one) == sum(int(each["trainable"]) for each in found)
        for each in found:
            assert int(each["value"]) or int(each["trainable"])
            sizes = {letter: int(size) for letter, size in each["sizes"].items()}
            shown = each["trainable" if each["kind"] == "frozen" else "value"]
            assert int(shown) == value(each["formula"], sizes), each
        kinds |= {each["kind"] for each in found}
    assert {
        *("size", "class", "architecture", "biases", "frozen", "lora", "modules", "rank"),
        *("pooler", "tied", "cross_attention"),
    } == kinds


def test_steps_are_those_of_the_engine_s_bridges(page: Page) -> None:
    """Between published BERTs in two classes: letter or block, value and formula."""
    chance = random.Random(SEED)  # noqa: S311
    models = list(load_models().values())
    pairs = []
    for _ in range(150):
        ends = chance.sample(models, 2)
        start, end = (Configuration(Question(each, chance.choice(each.architecture.classes).name)) for each in ends)
        pairs.append((start, end))
    for (one, other), found in zip(pairs, steps(page, pairs), strict=True):
        ours = [[each.letter or each.block, str(each.value), each.formula] for each in bridge(one.asked, other.asked)]
        assert ours == [[each["key"], each["value"], each["formula"]] for each in found]


def test_recorded_numbers_are_the_scripts_own(page: Page) -> None:
    """What PEFT and transformers say is trained, and is there, of every class and change."""
    cases = test_changes.recorded()["cases"]
    found = counted(page, [Configuration(*test_changes.asked(each)) for each in cases])
    assert [[str(each["trainable"]), str(each["total"])] for each in cases] == [
        [each["trainable"], each["total"]] for each in found
    ]


# --- As transformers and PEFT print them ----------------------------------------


def test_tensors_are_listed_as_transformers_prints_them(page: Page) -> None:
    """Name, shape, order and ties, of all that was recorded; one that shares another's weights names its owner."""
    models = list(from_transformers())
    assert set(ARCHITECTURE_OF_CLASS) == {model["class"] for model, _ in models}
    for (model, asked), script in zip(
        models, counted(page, [Configuration(asked) for _, asked in models]), strict=True
    ):
        ours = [[name, shape, tied] for name, shape, tied, _ in in_full(script["tensors"], asked)]
        assert model["parameters"] == ours, (model["name"], model["class"])


def test_tensors_with_adapters_are_listed_as_peft_prints_them(page: Page) -> None:
    """Name, shape, order and whether it is trained, of every class; PEFT leaves out what shares another's weights."""
    cases = [each for each in test_changes.recorded()["cases"] if "parameters" in each]
    configurations = [Configuration(*test_changes.asked(each)) for each in cases]
    assert set(ARCHITECTURE_OF_CLASS) == {each["class"] for each in cases}
    for case, each, script in zip(cases, configurations, counted(page, configurations), strict=True):
        ours = [
            [name, shape, trained] for name, shape, tied, trained in in_full(script["tensors"], each.asked) if not tied
        ]
        assert case["parameters"] == ours, (case["class"], case["modules"])


def patterns(code: str) -> re.Pattern[str]:
    """Of which modules a snippet lets PEFT put adapters: it takes those whose whole name the pattern matches."""
    written = re.search(r"target_modules=(\(\n(?:        r\"[^\n]*\n)+    \))", code)
    assert written, code
    return re.compile(ast.literal_eval(written[1]))


def test_snippets_put_adapters_on_what_peft_put_them_on(page: Page) -> None:
    """In every class, of all the modules that the real model has; `make verify` runs the snippets."""
    cases = [each for each in test_changes.recorded()["cases"] if "parameters" in each]
    codes = snippets(page, [Configuration(*test_changes.asked(each)) for each in cases])
    for case, code in zip(cases, codes, strict=True):
        names = [name.removeprefix("base_model.model.") for name, *_ in case["parameters"]]
        modules = {re.sub(r"\.(base_layer|original_module)$", "", name.rpartition(".")[0]) for name in names}
        adapted = {name.partition(".lora_A")[0] for name in names if ".lora_A" in name}
        plain = {each for each in modules if "lora_" not in each}
        assert adapted == set(filter(patterns(code).fullmatch, plain)), (case["class"], case["modules"])


IN_PLACE = """pairs => pairs.map(([from, to]) =>
  bertCounted.changes.missingInPlace(asConfiguration(from), asConfiguration(to)))"""


def test_a_vocabulary_resized_in_place(page: Page) -> None:
    """What transformers has after that, of every class, tied and untied, is what is built so but for what is told."""
    cases = test_changes.recorded()["resized"]
    pairs, built = [], []
    for case in cases:
        question, _ = test_changes.asked(case)
        other = question._replace(model=question.model.resized(V=case["vocabulary"]))
        pairs.append([Configuration(each).as_script_takes_it() for each in (question, other)])
        built.append(other.number)
    missing = [int(each) for each in called(page, IN_PLACE, pairs)]
    assert [each["total"] for each in cases] == [one - less for one, less in zip(built, missing, strict=True)]
    # Two sizes of nine classes with two biases, untied.
    assert 18 == sum(map(bool, missing))


WHAT_IFS = "configurations => configurations.map((each) => bertCounted.changes.whatIfs(asConfiguration(each)))"


def what_ifs(page: Page, configurations: list[Configuration]) -> list[dict[str, dict[str, Any]]]:
    """What may be changed in each, by name."""
    found: list[list[dict[str, Any]]] = called(page, WHAT_IFS, [each.as_script_takes_it() for each in configurations])
    return [{each["name"]: each for each in listed} for listed in found]


def as_engine_takes_it(given: dict[str, Any], like: Configuration) -> Configuration:
    """A configuration from a script, of the same architecture as another one."""
    sizes = {letter: int(size) for letter, size in given["sizes"].items()}
    model = like.asked.model._replace(sizes=sizes)
    fixed = like.asked.chosen.fixed
    open_ = {name: value for name, value in given["choices"].items() if getattr(fixed, name) is None}
    frozen, lora = like.changes.frozen, like.changes.lora
    asked = Question(model, given["modelClass"], choices=Choices(**open_))
    return Configuration(asked, Changes(given["biases"], frozen, lora))


def test_what_ifs_come_to_what_the_engine_counts(page: Page) -> None:
    """Each alone, of any configuration; another number of heads changes nothing."""
    configurations = list(drawn(150, SEED + 3))
    for each, listed in zip(configurations, what_ifs(page, configurations), strict=True):
        for name, made in listed.items():
            changed = as_engine_takes_it(made["to"], each)
            assert int(made["value"]) == total(*changed) - total(*each), name
        assert listed.get("other-heads", {"value": "0"})["value"] == "0"


# By hand, of base: a row of H; 2·H + 1 in each of 12 layers; a layer; H² + H; the biases of 12 layers and the pooler.
def test_what_ifs_of_base(page: Page) -> None:
    """Every switch that the bare model has."""
    base = Configuration(Question(model_named("bert-base-uncased")))
    (listed,) = what_ifs(page, [base])
    wider = model_named("bert-base-uncased").resized(A=13, H=832)
    assert {name: int(each["value"]) for name, each in listed.items()} == {
        "more-V": 768,
        "more-P": 768,
        "more-S": 768,
        "more-F": 12 * (2 * 768 + 1),
        "more-L": 7_087_872,
        "more-heads": Question(wider).number - 109_482_240,
        "other-heads": 0,
        "biases-off": -12 * (5 * 768 + 3072) - 768,
        "without-pooler": -768 * 769,
    }


OFFERED = "each => bertCounted.changes.offered(asConfiguration(each))"


@pytest.mark.parametrize(
    ("model_class", "expected"),
    [
        ("BertModel", {"pooler": True, "tied": False, "labels": False, "head": False}),
        ("BertForMaskedLM", {"pooler": False, "tied": True, "labels": False, "head": True}),
        ("BertForSequenceClassification", {"pooler": False, "tied": False, "labels": True, "head": True}),
    ],
)
def test_switches_that_change_anything(page: Page, model_class: str, expected: dict[str, bool]) -> None:
    """What a class leaves open."""
    given = Configuration(Question(model_named("bert-base-uncased"), model_class)).as_script_takes_it()
    offered = called(page, OFFERED, given)
    assert expected == {name: offered[name] for name in expected}
    assert "12" == offered["layers"]
    assert ["query", "key", "value", "attention-output", "intermediate", "output", "all-linear"] == offered["modules"]


BYTES = "each => bertCounted.changes.count(asConfiguration(each)).bytes"


def test_memory_of_what_is_trained(page: Page) -> None:
    """By hand: four bytes for each of 109,777,152 weights; a gradient and two moments for each of 294,912."""
    lora = Changes(lora=Lora(8, ("query", "value")))
    given = Configuration(Question(model_named("bert-base-uncased")), lora).as_script_takes_it()
    found = called(page, BYTES, given)
    assert {"float32", "float16", "bfloat16", "int8"} == set(found)
    assert {"weights": "439108608", "gradients": "1179648", "adam": "2359296", "all": "442647552"} == found["float32"]


def test_the_way_back_is_the_way_there(page: Page) -> None:
    """From one configuration to the next and back again, nothing is left."""
    chain = list(drawn(60, SEED + 4))
    there, back = steps(page, list(pairwise(chain))), steps(page, [(b, a) for a, b in pairwise(chain)])
    for one, other in zip(there, back, strict=True):
        assert 0 == sum(int(each["value"]) for each in [*one, *other])
