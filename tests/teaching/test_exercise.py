"""Exercises of every set: answers, hints, solutions, wrong answers and options are true."""

import re
from collections import Counter
from functools import cache
from math import prod

import pytest

from macros.counting import BadChoice, Changed, Question, model_named
from macros.counting.changes.rows import COPIED
from macros.counting.deviations import load_deviations
from macros.teaching.exercise import MOST, Exercise, exercise
from macros.teaching.sets import BRACES, UnknownExercise, load_sets
from macros.teaching.wrong import WrongAnswer

SETS = list(load_sets().sets)
SEEDS = range(25)
SIZE = re.compile(r"([A-Z])\s=\s([\d,]+)")
TYPED_SETS = [name for name, each in load_sets().sets.items() if each.kind in ("number", "memory")]


@cache
def drawn(name: str) -> list[Exercise]:
    """Variants of a set."""
    return [exercise(name, seed) for seed in SEEDS]


def numbers(text: str) -> list[int]:
    """The whole numbers in a text."""
    return [int(each.replace(",", "")) for each in re.findall(r"\d[\d,]*", text)]


def evaluated(line: str) -> tuple[int, int]:
    """What a line of a sum comes to, worked out again, and what it says that it comes to."""
    left, _, right = line.replace("−", "-").replace(",", "").partition(" = ")
    terms = re.findall(r"(^|[+-])\s*((?:\d+)(?: × \d+)*)", left)
    value = sum((-1 if sign == "-" else 1) * prod(map(int, term.split(" × "))) for sign, term in terms)
    return value, int(right or left)


@pytest.mark.parametrize("name", SETS)
def test_the_same_seed_draws_the_same(name: str) -> None:
    """And other seeds other exercises, whose texts are complete."""
    first = drawn(name)
    assert first[:5] == [exercise(name, seed) for seed in SEEDS[:5]]
    assert len({(each.text, each.given, each.options) for each in first}) > len(SEEDS) / 2
    texts = [text for each in first for text in (each.text, *each.hints, *(o.feedback for o in each.options))]
    assert not [text for text in texts if BRACES.search(text)]


@pytest.mark.parametrize("name", SETS)
def test_hints_keep_the_answer(name: str) -> None:
    """None of them holds it, and each exercise has one at least."""
    for each in drawn(name):
        assert each.hints
        assert not [hint for hint in each.hints if f"{each.answer:,}" in hint or str(each.answer) in hint]


@pytest.mark.parametrize("name", SETS)
def test_solutions_are_worked_out_to_the_answer(name: str) -> None:
    """Every line that is a sum, and the last one comes to the answer; for memory the bytes do."""
    for each in drawn(name):
        lines = [line for line in each.solution if "÷" not in line.text]
        assert all(value == said for value, said in (evaluated(line.text) for line in lines))
        assert each.answer == evaluated(lines[-1].text)[1]


def test_memory_is_worked_out_in_every_unit() -> None:
    """After the bytes, of 216,681,608: 216.68 · 10⁶, 206.64 · 2²⁰, 0.22 · 10⁹, 0.20 · 2³⁰."""
    steps = exercise("memory", 6).solution[-4:]
    assert [
        ("MB", "216,681,608 ÷ 10⁶ ≈ 216.68"),
        ("MiB", "216,681,608 ÷ 2²⁰ ≈ 206.64"),
        ("GB", "216,681,608 ÷ 10⁹ ≈ 0.22"),
        ("GiB", "216,681,608 ÷ 2³⁰ ≈ 0.20"),
    ] == [tuple(each) for each in steps]


def test_units_that_are_mixed_up_are_known() -> None:
    """As many bytes as one would give who divides by the one and writes the other, of 216,681,608."""
    mixed = {each.names[0]: each.number for each in exercise("memory", 6).wrong if each.names[0].startswith("unit:")}
    assert {
        "unit:MB": 206_643_684,  # 10⁶ ÷ 2²⁰ of it
        "unit:MiB": 227_207_133,  # 2²⁰ ÷ 10⁶
        "unit:GB": 201_800_473,  # 10⁹ ÷ 2³⁰
        "unit:GiB": 232_660_105,  # 2³⁰ ÷ 10⁹
    } == mixed


DEVIATIONS = {**{each.name: each for each in load_sets().deviations}, **load_deviations()}
"""Those of exercises, and those of the site."""


def recounted(asked: Question, name: str) -> int | None:
    """What a deviation gives in a question, or None where it cannot be made."""
    if name in ("all-layers", "layers-not-shared"):
        return asked.number * asked.model.sizes["L"]
    if name == "labels-left-at-default":
        return asked._replace(model=asked.model.resized(C=2)).number
    try:
        return asked._replace(deviations=(name,)).number
    except BadChoice:
        return None


def counted(each: Exercise, **sizes: int) -> int:
    """What the engine counts where some sizes are others."""
    model = each.question.model
    return each.ask.number(model._replace(sizes={**model.sizes, **sizes}))


@pytest.mark.parametrize("name", TYPED_SETS)
def test_wrong_answers_are_what_deviations_give(name: str) -> None:
    """Each counted again; no two of the same number, none right, and each with its title and what to do."""
    for each in drawn(name):
        width = each.answer // counted(each)
        listed = [wrong.number for wrong in each.wrong]
        assert len(set(listed)) == len(listed)
        assert each.answer not in listed
        for wrong in each.wrong:
            made = [DEVIATIONS[known] for known in wrong.names if known in DEVIATIONS]
            again = (counted(each, C=2) if each.ask.changes else recounted(each.question, d.name) for d in made)
            assert {wrong.number // width} >= set(again)
            assert tuple(d.title for d in made) == wrong.titles
            if made:
                assert f"{wrong.number // width:,}" in wrong.feedback
                assert any(d.undo in wrong.feedback for d in made)
            assert not BRACES.search(wrong.feedback)


@pytest.mark.parametrize("name", ["model", "class", "memory"])
def test_no_deviation_of_a_whole_model_is_missing(name: str) -> None:
    """Every one that fits and gives another number is among the wrong answers, by name."""
    for each in drawn(name):
        known = {known for wrong in each.wrong for known in wrong.names}
        right = each.question.number
        fitting = {d for d in load_deviations() if (recounted(each.question, d) or right) not in (right, 0)}
        # Without bytes, a count that differs may be as large as another wrong answer that stands first.
        taken = {wrong.number for wrong in each.wrong}
        width = each.answer // right
        missing = {d for d in fitting - known if (recounted(each.question, d) or 0) * width not in taken}
        assert set() == missing
        assert len(known & fitting) > 30


def wrong(asked: Exercise, number: int) -> WrongAnswer:
    """The wrong answer of a number."""
    (found,) = (each for each in asked.wrong if each.number == number)
    return found


# Source: why people get other numbers, counted from the rows of transformers' models.
FEEDBACK = [
    ("model", 1, 108_891_648, "pooler-left-out", "left out the pooler"),
    ("model", 1, 83_496_192, "attention-one-layer", "counted attention for one layer only"),
    ("model", 1, 109_398_528, "biases-left-out", "left out all biases of dense layers"),
    ("model", 1, 84_934_656, "twelve-l-h-squared", "took 12·L·H² for the model"),
    ("class", 21, 133_547_324, "decoder-untied", "counted the decoder matrix as well"),
    ("class", 21, 133_577_846, "state-dict-summed", "summed everything in state_dict()"),
    ("layer", 13, 1_771_776, "output-projection-forgotten", "forgot the output projection of attention"),
    ("layer", 13, 2_359_296, "attention-biases-left-out", "left out the biases of attention"),
    ("layer", 13, 590_592, "stopped:1", "is right for one projection with its bias, one step on the way"),
    ("layer", 13, 28_348_416, "all-layers", "if you counted all layers."),
    ("class", 4, 334_092_288 + 2 * 1024 + 2, "labels-left-at-default", "at its default (C = 2 instead of 18)"),
]


@pytest.mark.parametrize(("name", "seed", "number", "known", "says"), FEEDBACK)
def test_well_known_mistakes_are_named(name: str, seed: int, number: int, known: str, says: str) -> None:
    """By name, and in words."""
    found = wrong(exercise(name, seed), number)
    assert known in found.names
    assert says in found.feedback


# What somebody counted for another model, and a size that is given. Sources: the sizes in bert_config.json.
ELSEWHERE = [
    ("layer", 7, 4 * 768, "3,072 is right for BERT base, cased. This question is about BERT large, cased."),
    ("layer", 4, 2 * 768 * 3072 + 3072 + 768, "4,722,432 is right for BERT base, cased."),
    ("part", 53, 23_837_184, "23,837,184 is right for BERT base, uncased. This question is about BERT large, uncased."),
    ("part", 2, 3 * 256 * 257, "197,376 is right for BERT-Mini. This question is about BERT-Tiny."),
    (
        "model",
        1,
        335_141_888,
        "335,141,888 is right for BERT large, uncased. This question is about BERT base, uncased.",
    ),
    (
        "model",
        1,
        12,
        "12 is one of the given sizes (layers\u00a0L\u00a0=\u00a012 and heads\u00a0A\u00a0=\u00a012).",
    ),
]


@pytest.mark.parametrize(("name", "seed", "number", "says"), ELSEWHERE)
def test_what_is_right_elsewhere_is_named(name: str, seed: int, number: int, says: str) -> None:
    """The same of a model that this one is taken for, and a size that stands in the question."""
    assert says in wrong(exercise(name, seed), number).feedback


def test_the_same_of_another_model_is_counted_by_the_engine() -> None:
    """With the labels and tokens of the question; of a model of own sizes, the best known are named."""
    models = Counter[str]()
    for name in TYPED_SETS:
        for each in drawn(name):
            width = each.answer // counted(each)
            for known in each.wrong:
                for other in (text.removeprefix("model:") for text in known.names if text.startswith("model:")):
                    models[other] += 1
                    kept = {
                        letter: each.question.model.sizes[letter]
                        for letter in "CT"
                        if letter in each.question.model.sizes
                    }
                    model = model_named(other)._replace(sizes={**model_named(other).sizes, **kept})
                    assert known.number == width * each.ask.number(model)
    assert min(models[other] for other in ("bert-base-uncased", "bert-large-cased", "albert-large-v2")) > 3


def test_of_different_things_done_all_are_said() -> None:
    """They lead to the same number, and only the reader knows which it was."""
    found = wrong(exercise("layer", 5), 18_432)  # source: 12 · 2 · 768
    assert {"one-norm-a-layer", "norm-without-shift"} <= set(found.names)
    assert "either counted one LayerNorm per layer, or counted only the scale of each LayerNorm." in found.feedback


def test_all_layers_for_one_and_one_for_all_are_known() -> None:
    """The commonest slip, wherever layers are counted; and of a class with labels, leaving them at the default."""
    for each in (each for name in TYPED_SETS for each in drawn(name)):
        known = {wrong.number: wrong for wrong in each.wrong}
        sizes, width = each.question.model.sizes, each.answer // counted(each)
        if "layer_0" in each.question.part:
            assert "counted all layers" in known[each.answer * sizes["L"]].feedback
        elif (
            each.question.part == "bert/encoder" and "L" not in each.question.architecture.layers and not each.ask.cost
        ):
            assert "as if it had weights of its own" in known[each.answer * sizes["L"]].feedback
        elif not each.question.part or each.question.part == "bert/encoder":
            one = counted(each, L=1) * width
            if one == each.answer:
                continue
            assert re.search("one (encoder )?layer|one of these|for one|one adapter", known[one].feedback), known[
                one
            ].feedback
        if sizes["C"] > 2:
            two = counted(each, C=2)
            assert "left the number of labels at its default" in known[two].feedback


# Source: transformers 5.23, `BertForQuestionAnswering.forward`, which splits its logits into those of start and end.
def test_answers_are_asked_for_with_two_labels() -> None:
    """Other numbers of labels can be built, and cannot run; of a class for labels any number is asked."""
    found = [exercise("class", seed) for seed in range(120)]
    labels = {each.question.model_class: each.question.model.sizes["C"] for each in found}
    answering = [each for each in found if each.question.model_class == "BertForQuestionAnswering"]
    assert len(answering) > 10
    assert {2} == {each.question.model.sizes["C"] for each in answering}
    assert all(each.given.endswith("C\u00a0=\u00a02") for each in answering)
    assert min(labels["BertForSequenceClassification"], labels["BertForTokenClassification"]) > 2


def test_a_tensor_is_a_matrix_whose_number_has_to_be_worked_out() -> None:
    """None stands in the question; the word embeddings are asked for, first those of base: 30,522 × 768."""
    found = [exercise("tensor", seed) for seed in range(1, 200)]
    assert not [each.text for each in found if each.answer in numbers(each.given)]
    assert all(len(each.question.rows) == 1 and " " in each.question.rows[0].shape for each in found)
    asked = {each.question.part.rpartition("/")[2] for each in found[:20]}
    assert {"word_embeddings", "position_embeddings", "kernel", "output_weights"} <= asked
    assert ("bert-base-uncased", 23_440_896) == (found[0].question.model.name, found[0].answer)


def test_feedback_on_peft_is_what_peft_prints() -> None:
    """In every class: test_changes.py holds these two deviations against PEFT's own numbers."""
    classes = set()
    for each in drawn("class"):
        known = {name: wrong.number for wrong in each.wrong for name in wrong.names}
        for name in ("lora-alone", "lora-added"):
            assert each.question._replace(deviations=(name,)).number == known[name]
        classes.add(each.question.model_class)
    assert len(classes) > 4


@pytest.mark.parametrize("name", ["configuration", "mistake", "share"])
def test_one_option_is_right(name: str) -> None:
    """Of several that differ in what they say, and it is not always in the same place."""
    for each in drawn(name):
        assert 1 == sum(option.right for option in each.options)
        assert 4 == len({option.text for option in each.options})
    assert len({[o.right for o in each.options].index(True) for each in drawn(name)}) == 4


def test_a_share_is_of_what_the_question_says() -> None:
    """Of the model and all that is trained beside it; PEFT keeps a head twice of which it trains a copy."""
    classes = set()
    for each in drawn("share"):
        whole, trained = each.question.number, counted(each)
        assert each.solution[-1].text.startswith(f"{trained:,} ÷ {whole + trained:,} ≈ ")
        copied = {row.path for row in Changed.of(each.question, each.ask.changes).rows if row.added == COPIED}
        assert bool(copied) is ("a copy of the head is trained beside the original" in each.text)
        classes.add(each.question.model_class)
    assert {"BertModel", "BertForSequenceClassification"} == classes


def test_no_configuration_stands_out() -> None:
    """Each value of each size is in as many options as any other, or is in all."""
    for each in drawn("configuration"):
        shown = [dict(SIZE.findall(option.text)) for option in each.options]
        for letter in shown[0]:
            counts = [[sizes[letter] for sizes in shown].count(sizes[letter]) for sizes in shown]
            assert counts in ([2] * 4, [4] * 4)


def test_of_the_same_done_to_a_part_the_narrowest_is_said() -> None:
    """To leave out biases of the feed-forward network is also to leave out all biases; only the first is about it."""
    found = wrong(exercise("layer", 4), 8_388_608)  # source: 2 · 1024 · 4096
    assert {"feed-forward-biases-left-out", "biases-left-out", "vectors-forgotten"} <= set(found.names)
    assert "You would get 8,388,608 if you left out the biases of the feed-forward network." in found.feedback


def test_hints_name_the_parts_of_the_whole() -> None:
    """Those of the last line, not of the first; the first line is another hint."""
    parts, _, first = exercise("model", 1).hints
    assert "Multiply one layer by L, and add the embeddings and the pooler." == parts
    assert "Begin with 30,522 × 768 = 23,440,896." == first


def test_feedback_to_configurations_is_true() -> None:
    """Each option counted again from the sizes it shows."""
    for each in drawn("configuration"):
        for option in each.options:
            sizes = {letter: int(size.replace(",", "")) for letter, size in SIZE.findall(option.text)}
            number = each.question._replace(model=each.question.model.resized(**sizes)).number
            assert (number == each.answer) is option.right
            said = numbers(option.feedback)
            assert said == ([number] if option.right else [number, abs(number - each.answer)])
            assert ("too many" in option.feedback) is (number > each.answer)


def test_feedback_to_mistakes_is_true() -> None:
    """Each option counted again; the ledger holds the mistake that is right."""
    for each in drawn("mistake"):
        got = numbers(each.ledger[-1].text)[0]
        assert got == sum(numbers(step.text)[0] for step in each.ledger[:-1])
        for option in each.options:
            number = recounted(each.question, option.name)
            assert (number == got) is option.right
            assert option.right or numbers(option.feedback) == [number, got]


def test_seeds_go_as_far_as_they_may() -> None:
    """From nought to the largest; others, and other sets, are refused by name."""
    assert exercise("model", 0).seed == 0
    assert exercise("model", MOST).seed == MOST
    for seed in (-1, MOST + 1, True, 1.5, "1"):
        with pytest.raises(UnknownExercise, match="choose a whole number"):
            exercise("model", seed)  # type: ignore[arg-type]
    with pytest.raises(UnknownExercise, match="did you mean"):
        exercise("modle", 1)
