"""The calculator's scripts count any configuration as real libraries and the engine do.

So do the steps from one configuration to another, and the changes that the calculator offers.
"""

import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    ARCHITECTURE_OF_CLASS,
    ARCHITECTURES,
    BadChange,
    ChangedModel,
    Choices,
    Question,
    every_flag,
    load_models,
    load_relatives,
    model_named,
)
from macros.counting.architecture import SWITCHES, ModelClass
from macros.counting.changes.methods import Change, rules
from macros.counting.published.bridges import bridge
from macros.counting.sum_lines import sum_lines
from tests.counting.test_changes import load_recording
from tests.counting.unrecorded import CLASSES_IN_RELEASE_5, unrecorded_message
from tests.samples import sample_of, sample_size
from tests.scripts.calculating import (
    Configuration,
    architectures_with,
    as_change,
    configuration_of_case,
    fitted_sizes,
    layer_by_layer,
    random_configuration,
    random_configurations,
    recorded_models,
    with_method,
)
from tests.scripts.running import Scripts, with_faulty_data

SEED = 20181011
"""The seed of the random configurations, fixed so that every run compares the same ones."""

MAX_EXACT = 2**53 - 1
"""The largest number that a script counts exactly."""

BASE = model_named("bert-base-uncased")
PUBLISHED_MODELS = [*load_models().values(), *load_relatives().values()]
"""All published models, including relatives."""

STORAGES = {"int8": "int8", "int4": "4 bits", "nf4-double": "4 bits with double quantisation"}
"""The engine's storage formats for packed weights, with the calculator's names for them."""


def is_countable(question: Question, change: str) -> bool:
    """Return whether the engine counts the model with the change."""
    try:
        return bool(ChangedModel.build(question, [change]).number)
    except BadChange:
        return False


def counts_of(
    scripts: Scripts, configurations: list[Configuration], *further_fields: str, sum_interval: int = 0
) -> list[dict[str, Any]]:
    """The scripts' counts of configurations: the total, the trainable parameters and further fields.

    The other fields, which may be long, are not sent. Every `sum_interval`-th count also has the lines of its sum,
    which take longest to compute; 0 means none.
    """
    cases = [configuration.for_scripts() for configuration in configurations]
    fields = ["total", "trainable", *further_fields]
    counts: list[dict[str, Any]] = scripts.call("countsOfConfigurations", cases, fields, sum_interval)
    return counts


def tensors_of(script_count: dict[str, Any]) -> list[list[Any]]:
    """The tensors in a script's count.

    Each has the number of layers, the name, the shape, the tensor whose weights it shares, and whether it is trained.
    """
    return [
        [row["layers"], row["name"], row["shape"], row["tied"] or None, row["trainable"] > 0]
        for row in script_count["rows"]
    ]


# --- As real libraries count ----------------------------------------------------


def differences_from_recordings(scripts: Scripts, interval: int = 1) -> list[Any]:
    """The cases of PEFT's recording that scripts count or list differently.

    PEFT does not list a tensor that shares the weights of another.

    Args:
        scripts: the scripts to compare.
        interval: the distance from one compared case to the next; 1 compares all.
    """
    cases = load_recording()["cases"][::interval]
    differences = []
    for case, script_count in zip(
        cases, counts_of(scripts, [configuration_of_case(case) for case in cases], "rows"), strict=True
    ):
        rows = layer_by_layer(tensors_of(script_count), configuration_of_case(case).question)
        parameters = [[name, shape, trained] for name, shape, tied, trained in rows if not tied]
        recorded_numbers = [case["total"], case["trainable"], case.get("parameters", parameters)]
        if recorded_numbers != [script_count["total"], script_count["trainable"], parameters]:
            differences.append([case["class"], case.get("modules")])
    return differences


def test_scripts_reproduce_the_numbers_and_names_that_peft_gives(scripts: Scripts) -> None:
    assert [] == differences_from_recordings(scripts)
    classes = {case["class"] for case in load_recording()["cases"] if "parameters" in case}
    assert classes == CLASSES_IN_RELEASE_5, unrecorded_message(CLASSES_IN_RELEASE_5 ^ classes, "record_peft")


FAULTS_IN_TABLE = [
    ('"copied": [\n42,\n43,', '"copied": ['),
    ('"shape":"out r"', '"shape":"in r"'),
    ('"shape":"F H"', '"shape":"F F"'),
]
"""Facts that the table could get wrong, each as the code that states it and a faulty replacement."""


@pytest.mark.parametrize(("original", "replacement"), FAULTS_IN_TABLE)
def test_a_faulty_table_is_noticed(modules: Path, original: str, replacement: str) -> None:
    with with_faulty_data(modules, original, replacement) as scripts:
        assert differences_from_recordings(scripts, interval=7)


def sample_of_recorded_models() -> list[tuple[dict[str, Any], Question]]:
    """A sample of the recorded models, in which no class, choice or set of tensors is missing."""
    by_kind: dict[tuple[Any, ...], list[tuple[dict[str, Any], Question]]] = {}
    for model, question in recorded_models():
        # Some tensors exist only for certain sizes, so the number of rows differs.
        kind = (question.model_class, question.resolved_choices, len(question.rows))
        by_kind.setdefault(kind, []).append((model, question))
    return [pair for pairs in by_kind.values() for pair in sample_of(pairs, part=4)]


def test_tensors_are_listed_as_transformers_prints_them(scripts: Scripts) -> None:
    models = sample_of_recorded_models()
    classes = {model["class"] for model, _ in models}
    assert set(ARCHITECTURE_OF_CLASS) == classes, unrecorded_message(
        set(ARCHITECTURE_OF_CLASS) ^ classes, "record_transformers"
    )
    counts = counts_of(scripts, [Configuration(question) for _, question in models], "rows")
    for (model, question), script_count in zip(models, counts, strict=True):
        rows = [[name, shape, tied] for name, shape, tied, _ in layer_by_layer(tensors_of(script_count), question)]
        assert model["parameters"] == rows, (model["name"], model["class"])


def test_a_vocabulary_is_resized_in_place(scripts: Scripts) -> None:
    """Resizing a vocabulary in place gives a model of the new size, minus the parameters that scripts call missing."""
    pairs, expected = [], []
    for case in load_recording()["resized"]:
        question = configuration_of_case(case).question
        resized_question = question._replace(model=question.model.resized(V=case["vocabulary"]))
        pairs.append([Configuration(either).for_scripts() for either in (question, resized_question)])
        expected.append(resized_question.number - case["total"])
    assert expected == scripts.call("missingInPlace", pairs)
    # Every class is resized to two vocabularies. In some classes, the output bias has two names. If the head is untied,
    # the bias of one name is then lost or keeps its length. A single bias outside the decoder keeps its length even in
    # tied classes.
    rows = {case["class"]: configuration_of_case(case).question.rows for case in load_recording()["resized"]}
    classes_with_two_names = [
        name for name in rows if any(row.tied_to == "cls/predictions/output_bias" for row in rows[name])
    ]
    classes_with_one_bias = [name for name in rows if name in rules()["alone"]]
    assert 2 * len(classes_with_two_names) + 4 * len(classes_with_one_bias) == sum(map(bool, expected)) >= 22


# --- As the engine counts --------------------------------------------------------


def random_changes(scripts: Scripts) -> Iterator[tuple[Configuration, list[str]]]:
    """Random configurations, with the same changes in the engine's notation.

    Every method is applied to every class that allows it. Random parts of every class are frozen, and heads are
    pruned if the class allows it.
    """
    chance = random.Random(SEED + 6)  # noqa: S311
    yield from _method_cases(scripts, chance)
    classes = [model_class for architecture in ARCHITECTURES.values() for model_class in architecture.classes]
    for model_class in classes:
        question = random_question(chance, model_class)
        yield _freezing_case(question, chance)
        yield from _pruning_cases(question, chance)


def _method_cases(scripts: Scripts, chance: random.Random) -> Iterator[tuple[Configuration, list[str]]]:
    """Every fine-tuning method applied to a random model of every class that allows it.

    Adapters need transformers 4, which shares the decoder's bias even if weights are not tied. They are therefore also
    applied to classes with an untied decoder.
    """
    for method in scripts.call("methods"):
        architectures = [ARCHITECTURES[name] for name in architectures_with(method)]
        for model_class in [model_class for architecture in architectures for model_class in architecture.classes]:
            question, size = random_question(chance, model_class), chance.randrange(1, 60)
            configuration = with_method(method, question, size, chance.choice((0, 7, 10)))
            changes = [as_change(method, configuration.tuning or {})]
            yield configuration, changes
            if method["name"] in ("houlsby", "pfeiffer") and any(row.tied_to for row in question.rows):
                yield configuration._replace(question=question._replace(choices=Choices(tied=False))), changes


def _freezing_case(question: Question, chance: random.Random) -> tuple[Configuration, list[str]]:
    """A model with random frozen parts, with or without biases."""
    has_biases, embeddings, body = (chance.random() < 0.5 for _ in range(3))
    depth = question.architecture.depth(question.sizes)
    frozen_parts = {"embeddings": embeddings, "all_but_head": body, "layers": chance.choice((0, depth))}
    changes = {
        "biases-off": not has_biases,
        "embeddings": embeddings,
        "head": body,
        f"frozen:{depth}": frozen_parts["layers"],
    }
    return Configuration(question, has_biases, frozen_parts), [change for change, applies in changes.items() if applies]


def _pruning_cases(question: Question, chance: random.Random) -> Iterator[tuple[Configuration, list[str]]]:
    """A model with a random number of heads pruned, tied or not, and with all of it or only its biases trained.

    Yields nothing if the engine cannot prune heads in the class.
    """
    heads = chance.randrange(1, question.sizes["L"] * (question.sizes["A"] - 1) + 1)
    if not is_countable(question, "pruned:1"):
        return
    untied_question = question._replace(choices=Choices(tied=False))
    for tuning, first_changes in ((None, []), ({"method": "bitfit", "rank": 0, "modules": []}, ["bitfit"])):
        for pruned_question in (question, untied_question):
            yield Configuration(pruned_question, tuning=tuning, pruned_heads=heads), [*first_changes, f"pruned:{heads}"]


def random_question(chance: random.Random, model_class: ModelClass) -> Question:
    """A question about a class of a random model with up to eight layers of several heads each."""
    model = random_configuration(chance, ARCHITECTURE_OF_CLASS[model_class.name].model_type).question.model
    heads = chance.randrange(2, 9)
    random_sizes = {
        "L": chance.randrange(1, 9),
        "C": model_class.required_labels or chance.randrange(2, 9),
        "A": heads,
        "H": heads * 5,
    }
    sizes = fitted_sizes(model.architecture, {**model.sizes, **random_sizes})
    return Question(model._replace(sizes=sizes), model_class.name)


def build_packed_model(storage: str, configuration: Configuration, changes: list[str]) -> ChangedModel:
    """A changed model with packed matrices, except those that a method trains or copies for training."""
    original_rows = [
        row
        for row in ChangedModel.build(configuration.question, changes).rows
        if configuration.tuning and not row.addition
    ]
    unpacked_rows = [row for row in original_rows if row.is_trained or "original_module" in row.full_name]
    skipped_names = [row.name.removesuffix(".weight") for row in unpacked_rows if " " in row.shape]
    return ChangedModel.build(
        configuration.question, [f"{storage}:skip={'+'.join(skipped_names)}" if skipped_names else storage, *changes]
    )


def test_the_command_for_a_configuration_makes_the_same_changes(scripts: Scripts) -> None:
    cases = sample_of(list(random_changes(scripts)), part=3)
    commands = scripts.call("commandOptionsOf", [configuration.for_scripts() for configuration, _ in cases])
    for (configuration, changes), command in zip(cases, commands, strict=True):
        _, model_class, *words = command.split()
        command_changes = [word for word in words if word != "--change"]
        model, command_model = (
            ChangedModel.build(configuration.question, list_of_changes)
            for list_of_changes in (changes, command_changes)
        )
        if configuration.tuning:  # options that change no number must be the same, too
            expected, found = ({str(Change.parse(text)) for text in texts} for texts in (changes, command_changes))
            assert expected == found
        assert (model_class, command_model.number, command_model.trainable) == (
            configuration.question.model_class,
            model.number,
            model.trainable,
        )
    assert len(cases) > 500


def test_scripts_count_every_change_as_the_engine_does(scripts: Scripts) -> None:
    """The engine itself is compared with recordings elsewhere."""
    cases = sample_of(list(random_changes(scripts)), part=3)
    for (configuration, changes), script_count in zip(
        cases,
        counts_of(scripts, [configuration for configuration, _ in cases], "rows", "formula", "bytes", sum_interval=1),
        strict=True,
    ):
        model = ChangedModel.build(configuration.question, changes)
        assert [model.number, model.trainable] == [script_count["total"], script_count["trainable"]], changes
        filtered_count = {**script_count, "rows": [row for row in script_count["rows"] if row["number"] >= 0]}
        script_rows = sorted(
            [name, shape, trained]
            for name, shape, tied, trained in layer_by_layer(tensors_of(filtered_count), configuration.question)
            if not tied
        )
        assert sorted(map(list, model.listing())) == script_rows, changes
        assert model.number == value(script_count["formula"], dict(model.sizes))
        assert [f"{model.number:,}", True] == [
            script_count["sum"][-1].rpartition("= ")[2],
            all(map(holds, script_count["sum"])),
        ]
        is_packable = is_countable(configuration.question, "int8") and not configuration.pruned_heads
        storages = STORAGES if is_packable else {}
        assert [f"packed in {title}" for title in storages.values()] == list(script_count["bytes"])[4:]
        for storage, title in storages.items():
            packed_model, memory = (
                build_packed_model(storage, configuration, changes),
                script_count["bytes"][f"packed in {title}"],
            )
            assert [packed_model.bytes_of(), packed_model.scales_bytes] == [memory["weights"], memory["scales"]], (
                storage,
                changes,
            )
            gradients = 4 * packed_model.trainable
            assert [gradients, 2 * gradients] == [memory["gradients"], memory["adam"]], (storage, changes)
            assert memory["all"] == packed_model.bytes_of() + 3 * gradients
    assert len(cases) > 500


def rows_of_engine(question: Question) -> list[list[Any]]:
    """The path and number of parameters of every tensor in a question."""
    return sorted([item.path, item.number(question.sizes)] for item in question.items)


def rows_of_script(script_count: dict[str, Any]) -> list[list[Any]]:
    """The path and number of parameters of every tensor in a script's count."""
    return sorted([row["path"], row["number"]] for row in script_count["rows"])


def test_scripts_count_any_model_as_the_engine_does(scripts: Scripts) -> None:
    questions = [configuration.question for configuration in random_configurations(sample_size(2_000, part=10), SEED)]
    questions += [
        Question(model, model_class.name) for model in PUBLISHED_MODELS for model_class in model.architecture.classes
    ]
    assert set(ARCHITECTURE_OF_CLASS) == {question.resolved_class.name for question in questions}
    counts = counts_of(scripts, list(map(Configuration, questions)), "rows", "formula", sum_interval=5)
    for index, (question, script_count) in enumerate(zip(questions, counts, strict=True)):
        assert [question.number, question.number] == [script_count["total"], script_count["trainable"]]
        assert rows_of_engine(question) == rows_of_script(script_count)
        if index % 5 == 0:
            assert [str(line) for line in sum_lines(question)] == script_count["sum"]
            assert question.polynomial.formula() == script_count["formula"]


def test_the_largest_models_are_counted_exactly(scripts: Scripts) -> None:
    largest_questions, too_large_questions = [], []
    for configuration in random_configurations(300, SEED + 5):
        question = configuration.question
        number_at_two, number_at_three = (
            question._replace(model=question.model.resized(V=size)).number for size in (2, 3)
        )
        max_vocabulary = 2 + (MAX_EXACT - number_at_two) // (number_at_three - number_at_two)
        largest_questions.append(question._replace(model=question.model.resized(V=max_vocabulary)))
        too_large_questions.append(question._replace(model=question.model.resized(V=max_vocabulary + 1)))
    assert [] == [
        (question, too_large_question)
        for question, too_large_question in zip(largest_questions, too_large_questions, strict=True)
        if not 2**52 < question.number <= MAX_EXACT < too_large_question.number
    ]
    for question, script_count in zip(
        largest_questions, counts_of(scripts, list(map(Configuration, largest_questions)), "rows", "parts"), strict=True
    ):
        assert question.number == script_count["total"] == sum(part["number"] for part in script_count["parts"])
        assert rows_of_engine(question) == rows_of_script(script_count)
    assert [] == [
        script_count
        for script_count in counts_of(scripts, list(map(Configuration, too_large_questions)))
        if script_count["total"] <= MAX_EXACT
    ]


def steps(scripts: Scripts, pairs: list[tuple[Configuration, Configuration]]) -> list[list[dict[str, Any]]]:
    """The scripts' steps from the first configuration of each pair to the second."""
    cases = [[configuration.for_scripts() for configuration in pair] for pair in pairs]
    bridges: list[list[dict[str, Any]]] = scripts.call("steps", cases)
    return bridges


def test_steps_equal_those_of_the_engines_bridges(scripts: Scripts) -> None:
    chance = random.Random(SEED)  # noqa: S311
    models = list(load_models().values())
    pairs = []
    for _ in range(150):
        start, end = (
            Configuration(Question(model, chance.choice(model.architecture.classes).name))
            for model in chance.sample(models, 2)
        )
        pairs.append((start, end))
    for (start, end), script_steps in zip(pairs, steps(scripts, pairs), strict=True):
        engine_steps = [[step.name, step.value, step.formula] for step in bridge(start.question, end.question)]
        assert engine_steps == [[step["key"], step["value"], step["formula"]] for step in script_steps]


# --- Totals and steps add up ------------------------------------------------------


def value(formula: str, sizes: dict[str, int]) -> int:
    """The value of a formula, computed by Python rather than by our code."""
    python_formula = formula.replace("−", "-").replace("·", "*").replace("²", "**2").replace(",", "").replace("×", "*")
    assert re.fullmatch(r"[A-Zrktmnh0-9+*() -]*", python_formula), formula
    return int(eval(python_formula or "0", {"__builtins__": {}}, sizes))  # noqa: S307 - only letters, digits and signs


def holds(line: str) -> bool:
    """Return whether both sides of a line are equal; True if it has no equals sign."""
    left, _, result = line.partition(" = ")
    return not result or value(left, {}) == value(result, {})


def test_tensors_parts_sum_and_formula_of_a_changed_model_give_its_total(scripts: Scripts) -> None:
    configurations = random_configurations(sample_size(600, part=4), SEED + 1)
    assert sum(bool(configuration.tuning) for configuration in configurations) > len(configurations) / 6
    for configuration, script_count in zip(
        configurations,
        counts_of(scripts, configurations, "rows", "parts", "formula", "bytes", sum_interval=1),
        strict=True,
    ):
        total = script_count["total"]
        for entries in (script_count["rows"], script_count["parts"]):
            assert [total, script_count["trainable"]] == [
                sum(entry[key] for entry in entries) for key in ("number", "trainable")
            ]
        for row in script_count["rows"]:
            assert row["number"] == (0 if row["tied"] else row["elementsPerLayer"] * row["layers"])
            assert row["trainable"] in (0, row["number"]) or configuration.frozen["layers"]
            assert 0 <= row["trainable"] <= row["number"]
        assert all(map(holds, script_count["sum"]))
        assert f"{total:,}" == script_count["sum"][-1].rpartition("= ")[2]
        rank = configuration.tuning["rank"] if configuration.tuning else 0
        assert total == value(script_count["formula"], {**configuration.question.model.sizes, "r": rank})
        assert pytest.approx(1 if total else 0) == sum(part["share"] for part in script_count["parts"])
        for dtype, size in {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1}.items():
            weights, gradients = size * total, size * script_count["trainable"]
            memory = {"weights": weights, "gradients": gradients, "adam": 2 * gradients}
            assert {**memory, "scales": 0, "all": sum(memory.values())} == script_count["bytes"][dtype]


def random_pairs() -> list[tuple[Configuration, Configuration]]:
    """Pairs of configurations: one with a pruned model, one for each flag in each class, and random ones.

    Random pairs lead from an unchanged model to a random configuration, which has the same architecture half of the
    time, or from a published model to that unchanged model.
    """
    chance = random.Random(SEED)  # noqa: S311
    pairs = [(Configuration(Question(BASE)), Configuration(Question(BASE.resized(H=48, A=3, L=5)), pruned_heads=7))]
    for model in {model.architecture.model_type: model for model in PUBLISHED_MODELS}.values():
        for flag, model_class in product(model.architecture.flags, model.architecture.classes):
            choices = [Choices(flags=frozenset(flags)) for flags in ((), (flag,))]
            start, end = (Configuration(Question(model, model_class.name, choices=choice)) for choice in choices)
            pairs.append((start, end))
    for index in range(sample_size(250, part=5)):
        start = Configuration(random_configuration(chance).question)
        end = random_configuration(chance, start.question.architecture.model_type if index % 2 else "")
        pairs += [(start, end), (Configuration(Question(chance.choice(PUBLISHED_MODELS))), start)]
    # Few of the random pairs above have flags, so there are more pairs for each architecture with flags.
    types_with_flags = [name for name, architecture in ARCHITECTURES.items() if architecture.flags]
    for model_type in types_with_flags:
        for _ in range(30):
            start = Configuration(random_configuration(chance, model_type).question)
            end = Configuration(random_configuration(chance, model_type).question)
            pairs.append((start, end))
    return pairs


def test_steps_add_up_and_every_formula_has_the_value_of_its_step(scripts: Scripts) -> None:
    pairs = random_pairs()
    counts = counts_of(scripts, [configuration for pair in pairs for configuration in pair])
    numbers = [(script_count["total"], script_count["trainable"]) for script_count in counts]
    kinds = set()
    for before, after, pair_steps in zip(numbers[::2], numbers[1::2], steps(scripts, pairs), strict=True):
        assert (after[0] - before[0], after[1] - before[1]) == tuple(
            sum(step[key] for step in pair_steps) for key in ("value", "trainable")
        )
        for step in pair_steps:
            assert step["value"] or step["trainable"]
            number = step["trainable" if step["kind"] == "frozen" else "value"]
            assert number == value(step["formula"], step["sizes"]), step
        kinds |= {step["kind"] for step in pair_steps}
    choices = {*SWITCHES, *every_flag()}
    assert {"size", "class", "architecture", "biases", "frozen", "pruned", "tuning", *choices} == kinds


def test_no_steps_lead_through_a_model_too_large_to_count(scripts: Scripts) -> None:
    """Sizes change one after the other, so the wide model would first take the huge vocabulary of the other one."""
    wide_model, large_vocabulary_model = (
        Configuration(Question(BASE.resized(A=1, L=0, **size))) for size in ({"H": 10**7}, {"V": 10**10})
    )
    steps_through, direct_steps = steps(
        scripts, [(wide_model, large_vocabulary_model), (Configuration(Question(BASE)), large_vocabulary_model)]
    )
    assert steps_through is None
    assert direct_steps


def test_a_nonzero_share_is_never_shown_as_zero(scripts: Scripts) -> None:
    pairs = [("0", "7"), ("1", "1" + "0" * 40), ("4999", "10000000"), ("5", "10000"), ("1", "3"), ("7", "7")]
    assert ["0.0%", "under 0.1%", "under 0.1%", "0.1%", "33.3%", "100.0%"] == scripts.call("shares", pairs)


# --- What may be changed -----------------------------------------------------------


def test_suggested_changes_have_the_stated_effect(scripts: Scripts) -> None:
    configurations = [configuration.for_scripts() for configuration in random_configurations(150, SEED + 3)]
    suggestions = scripts.call("whatIfs", configurations)
    changed_configurations = [suggestion["to"] for changes in suggestions for suggestion in changes]
    counts_before, counts_after = (
        scripts.call("countsOfConfigurations", cases, ["total"], 0)
        for cases in (configurations, changed_configurations)
    )
    names = set()
    counts_of_changes = iter(counts_after)
    for before, changes in zip(counts_before, suggestions, strict=True):
        for change, after in zip(changes, counts_of_changes, strict=False):
            difference = after["total"] - before["total"]
            assert difference == change["value"], change["name"]
            # Only in these architectures does the number of heads alone affect the total.
            if change["name"] == "other-heads" and change["to"]["architecture"] not in ("mpnet", "esm", "eurobert"):
                assert difference == 0, change["to"]
            names.add(change["name"])
    # Widths and the numbers of heads that divide them change together, in changes with other names. With one more
    # key-value head (N), the query heads could not be divided evenly, and an even width of a convolution (Z) would
    # shift its output.
    symbols = [symbol for architecture in ARCHITECTURES.values() for symbol in architecture.symbols]
    letters = {f"more-{symbol.letter}" for symbol in symbols if symbol.letter not in "AHWNZ"}
    assert letters | {"more-heads", "other-heads", "biases-off"} == names


def test_only_switches_that_matter_are_offered(scripts: Scripts) -> None:
    expected = {
        "BertModel": [True, False, False, False],
        "BertForMaskedLM": [False, True, False, True],
        "BertForSequenceClassification": [False, False, True, True],
    }
    cases = [Configuration(Question(BASE, name)).for_scripts() for name in expected]
    modules = ["query", "key", "value", "attention-output", "intermediate", "output", "all-linear"]
    for offers, switches in zip(scripts.call("available", cases), expected.values(), strict=True):
        assert switches == [offers[name] for name in ("pooler", "tied", "labels", "head")]
        assert modules == offers["modules"]
