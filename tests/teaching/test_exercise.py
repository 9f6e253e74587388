"""In exercises of every set, the answers, hints, solutions, wrong answers and options are correct."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import chain

import pytest

from macros.counting import BadChoice, ChangedModel, Question, model_named
from macros.counting.changes.rows import COPIED
from macros.counting.deviations import load_deviations
from macros.teaching.exercise import LARGEST_SEED, Exercise, exercise
from macros.teaching.sets import BRACES, UnknownExercise, load_sets
from macros.teaching.wrong import WrongAnswer
from tests.rendering.facets import ALL_LAYERS, ONE_LAYER, layers_named

SETS = list(load_sets().sets)
SEEDS = range(25)
SIZE = re.compile(r"([A-Z])\s=\s([\d,]+)")
TYPED_SETS = [name for name, exercise_set in load_sets().sets.items() if exercise_set.kind in ("number", "memory")]


@cache
def variants(name: str) -> list[Exercise]:
    """The variants of a set for `SEEDS`."""
    return [exercise(name, seed) for seed in SEEDS]


def numbers(text: str) -> list[int]:
    """The whole numbers in a text."""
    return [int(digits.replace(",", "")) for digits in re.findall(r"\d[\d,]*", text)]


def recomputed_and_stated(line: str) -> tuple[int, int]:
    """The recomputed result of a line of a sum, and the result that the line states."""
    left, _, result = line.replace("−", "-").replace(",", "").partition(" = ")
    assert re.fullmatch(r"\d+(?: [+×÷-] \d+)*", left), line
    terms = re.findall(r"(^|[+-])\s*(\d+(?: [×÷] \d+)*)", left)
    value = sum((-1 if sign == "-" else 1) * product(term) for sign, term in terms)
    assert value.denominator == 1, line
    return int(value), int(result or left)


def product(text: str) -> Fraction:
    """The value of factors and divisors, evaluated from left to right."""
    first, *factors = re.findall(r"([×÷]?)\s*(\d+)", text)
    value = Fraction(first[1])
    for sign, digits in factors:
        value = value / int(digits) if sign == "÷" else value * int(digits)
    return value


@pytest.mark.parametrize("name", SETS)
def test_the_same_seed_draws_the_same_exercise(name: str) -> None:
    """Most seeds draw different exercises, and no text has placeholders left."""
    assert variants(name)[:5] == [exercise(name, seed) for seed in SEEDS[:5]]
    assert len({(variant.text, variant.sizes_text, variant.options) for variant in variants(name)}) > len(SEEDS) / 2
    texts = [
        text
        for variant in variants(name)
        for text in (variant.text, *variant.hints, *(option.feedback for option in variant.options))
    ]
    assert not [text for text in texts if BRACES.search(text)]


NOUN_OF_ANSWER = re.compile(r"\b(?:[Hh]ow many|has [\d,]+) (parameters|tensors|bytes|MACs|operations|FLOPs)\b")
"""The noun for what an exercise asks for, or for what it gives."""


def other_nouns(variant: Exercise) -> set[str]:
    """The nouns in the text of an exercise that are not the unit of its answer."""
    return {*NOUN_OF_ANSWER.findall(variant.text)} - {variant.unit}


@pytest.mark.parametrize("name", SETS)
def test_texts_ask_for_the_unit_of_the_answer(name: str) -> None:
    assert [] == [variant.text for variant in variants(name) if other_nouns(variant)]


def test_a_text_that_asks_for_another_unit_is_noticed() -> None:
    variant = exercise("relatives", 0)
    assert NOUN_OF_ANSWER.search(variant.text)
    assert {"tensors"} == other_nouns(variant._replace(text=variant.text.replace("parameters", "tensors")))


@pytest.mark.parametrize("name", SETS)
def test_hints_do_not_give_the_answer_away(name: str) -> None:
    for variant in variants(name):
        answers = (f"{variant.answer:,}", str(variant.answer))
        assert variant.hints
        assert not [hint for hint in variant.hints if any(answer in hint for answer in answers)]


@pytest.mark.parametrize("name", SETS)
def test_solutions_lead_to_the_answer(name: str) -> None:
    for variant in variants(name):
        lines = [line for line in variant.solution if "≈" not in line.text]
        assert [] == [
            (value, stated_result)
            for value, stated_result in (recomputed_and_stated(line.text) for line in lines)
            if value != stated_result
        ]
        assert variant.answer == recomputed_and_stated(lines[-1].text)[1]


def test_a_mistake_is_corrected_with_results_of_the_solution() -> None:
    # Source: 2 · (128 · 512 + 512 + 512 · 128 + 128) = 263,424, and 66,048 was counted.
    texts = [line.text for line in exercise("mistake", 3).solution]
    assert ["2 × 131,712 = 263,424", "263,424 − 66,048 = 197,376", "4,188,544 + 197,376 = 4,385,920"] == texts[-3:]
    for variant in variants("mistake"):
        wrong_total, *differences, answer = numbers(variant.solution[-1].text)
        assert (numbers(variant.ledger[-1].text), variant.answer) == ([wrong_total], answer)
        assert set(differences) <= {recomputed_and_stated(line.text)[1] for line in variant.solution[:-1]}


def test_memory_is_worked_out_in_every_unit() -> None:
    steps = exercise("memory", 6).solution[-4:]
    assert [
        ("MB", "216,681,608 ÷ 10⁶ ≈ 216.68"),
        ("MiB", "216,681,608 ÷ 2²⁰ ≈ 206.64"),
        ("GB", "216,681,608 ÷ 10⁹ ≈ 0.22"),
        ("GiB", "216,681,608 ÷ 2³⁰ ≈ 0.20"),
    ] == [tuple(step) for step in steps]


def test_confused_units_are_recognised() -> None:
    """For every unit, dividing by its counterpart, such as MB for MiB, gives one of the wrong answers."""
    wrong_numbers = {answer.names[0]: answer.number for answer in exercise("memory", 6).wrong_answers}
    # Source: 216,681,608 bytes times the factors in the comments.
    assert {
        "unit:MB": 206_643_684,  # 10⁶ ÷ 2²⁰
        "unit:MiB": 227_207_133,  # 2²⁰ ÷ 10⁶
        "unit:GB": 201_800_473,  # 10⁹ ÷ 2³⁰
        "unit:GiB": 232_660_105,  # 2³⁰ ÷ 10⁹
    } == {name: number for name, number in wrong_numbers.items() if name.startswith("unit:")}


DEVIATIONS = {**{deviation.name: deviation for deviation in load_sets().deviations}, **load_deviations()}
"""The deviations of exercises and those of the whole site."""


def recount(question: Question, name: str) -> int | None:
    """The number to which a deviation leads in a question; None if the deviation is impossible there."""
    if name in ("all-layers", "layers-not-shared"):
        return question.number * question.model.sizes["L"]
    if name == "times-heads":
        return question.number * question.model.sizes["A"]
    if name == "labels-left-at-default":
        return question._replace(model=question.model.resized(C=2)).number
    try:
        return question._replace(deviations=("biases-left-out" if name == "bias-left-out" else name,)).number
    except BadChoice:
        return None


def count(variant: Exercise, **sizes: int) -> int:
    """The engine's answer to an exercise after replacing the given sizes."""
    model = variant.question.model
    return variant.ask.number(model._replace(sizes={**model.sizes, **sizes}))


@pytest.mark.parametrize("name", TYPED_SETS)
def test_wrong_answers_are_what_deviations_give(name: str) -> None:
    for variant in variants(name):
        factor = variant.answer // count(variant)
        wrong_numbers = [wrong.number for wrong in variant.wrong_answers]
        assert len(set(wrong_numbers)) == len(wrong_numbers)
        assert variant.answer not in wrong_numbers
        for wrong in variant.wrong_answers:
            deviations = [DEVIATIONS[name] for name in wrong.names if name in DEVIATIONS]
            recounts = (
                count(variant, C=2) if variant.ask.changes else recount(variant.question, deviation.name)
                for deviation in deviations
            )
            assert {wrong.number // factor} >= set(recounts)
            assert tuple(deviation.title for deviation in deviations) == wrong.titles
            if deviations:
                assert f"{wrong.number // factor:,}" in wrong.feedback
                corrections = [deviation.undo.removeprefix("add ") for deviation in deviations]
                assert any(correction in wrong.feedback for correction in corrections)
            assert not BRACES.search(wrong.feedback)


@pytest.mark.parametrize("name", ["model", "class", "memory"])
def test_no_deviation_of_a_whole_model_is_missing(name: str) -> None:
    for variant in variants(name):
        question, correct = variant.question, variant.question.number
        known_names = {name for wrong in variant.wrong_answers for name in wrong.names}
        recounts = {deviation: recount(question, deviation) for deviation in load_deviations()}
        wrong_counts = {deviation: count for deviation, count in recounts.items() if count and count != correct}
        # In bytes, a wrong count may equal a wrong answer of a different kind, whose feedback takes precedence.
        wrong_numbers = {wrong.number for wrong in variant.wrong_answers}
        factor = variant.answer // correct
        assert [] == [
            deviation
            for deviation, count in wrong_counts.items()
            if deviation not in known_names and count * factor not in wrong_numbers
        ]
        assert len(known_names & wrong_counts.keys()) > 30


def wrong_answer(variant: Exercise, number: int) -> WrongAnswer:
    """The only wrong answer with this number."""
    (answer,) = (wrong for wrong in variant.wrong_answers if wrong.number == number)
    return answer


FEEDBACK = [
    ("cell", 46, 768, "row", "768 is a whole row, the vector of one token."),
    ("cell", 3, 30_522, "rows", "30,522 is how many rows the table has."),
    ("cell", 237, 589_824, "matrix", "589,824 is the size of the matrix. Its bias has one number per output."),
    ("cell", 165, 768, "inputs", "768 is how many inputs the layer has."),
    (
        "cell",
        46,
        512,
        "size:P",
        "(positions\u00a0P\u00a0=\u00a0512), but the answer is another one.",
    ),
    ("heads", 81, 589_824, "all-heads", "if you counted all heads. The question is about one of them"),
    ("heads", 81, 64, "stopped:0", "64 is correct for the width of one head, the first step."),
    ("heads", 18, 7_077_888, "heads", "7,077,888 gives every head all the features."),
    ("heads", 14, 147_456, "lacking:2.1", "if you left out the slices of the biases."),
    ("model", 1, 108_891_648, "pooler-left-out", "left out the pooler"),
    ("model", 1, 83_496_192, "attention-one-layer", "counted attention for one layer only"),
    ("model", 1, 109_398_528, "biases-left-out", "left out the biases of all dense layers"),
    ("model", 1, 84_934_656, "twelve-l-h-squared", "took 12·L·H² for the model"),
    ("class", 21, 133_547_324, "decoder-untied", "counted the decoder matrix as well"),
    ("class", 21, 133_577_846, "state-dict-summed", "summed everything in state_dict()"),
    ("layer", 13, 1_771_776, "output-projection-forgotten", "forgot the output projection of attention"),
    ("layer", 13, 2_359_296, "attention-biases-left-out", "left out the biases of attention"),
    ("layer", 13, 590_592, "stopped:1", "is correct for one projection with its bias, one step on the way"),
    # BERT base and BERT-Mini have as many heads as layers, and BERT large has 16 heads in 24 layers.
    ("layer", 13, 28_348_416, "all-layers", "If you counted all layers, count the one that the question is about."),
    ("layer", 13, 28_348_416, "times-heads", "If you multiplied by the number of heads, count the matrices once"),
    ("layer", 43, 4 * 263_168, "times-heads", "If you multiplied by the number of heads, count the matrices once"),
    ("unchanged", 4, 16 * 4_198_400, "times-heads", "if you multiplied by the number of heads."),
    # 30,522 × 512, in BERT-Mini with 512 positions; BERT-Small is 512 wide.
    ("tensor", 9, 15_627_264, "letter:H.P", "if you used P instead of H. 15,627,264 is correct for BERT-Small."),
    ("cell", 51, 1, "single-bias", "1 if each bias were one number. A bias has one for each output, here 256."),
    ("cell", 42, 1, "single-row", "1 is a single cell. A row has one for each feature, here 256."),
    ("heads", 89, 3 * (1024 * 64 + 1), "single-bias", "one for each output, here H / A."),
    ("layer", 43, 4 * (256 * 256 + 1), "single-bias", "A bias has one for each output, here 256."),
    ("layer", 68, 2 * 256 * 1024 + 2, "single-biases", "A bias has one for each output of its dense layer."),
    ("class", 4, 334_092_288 + 2 * 1024 + 2, "labels-left-at-default", "at its default (C = 2 instead of 18)"),
]
"""Set, seed, wrong number, name of a mistake, and part of the feedback.

Source: the mistakes, counted from the tensors of transformers' models.
"""


@pytest.mark.parametrize(("name", "seed", "number", "mistake", "words"), FEEDBACK)
def test_well_known_mistakes_are_named(name: str, seed: int, number: int, mistake: str, words: str) -> None:
    answer = wrong_answer(exercise(name, seed), number)
    assert mistake in answer.names
    assert words in answer.feedback


FEEDBACK_ON_OTHER_QUESTIONS = [
    ("layer", 7, 4 * 768, "3,072 is correct for BERT base, cased. This question is about BERT large, cased."),
    ("layer", 4, 2 * 768 * 3072 + 3072 + 768, "4,722,432 is correct for BERT base, cased."),
    (
        "part",
        53,
        23_837_184,
        "23,837,184 is correct for BERT base, uncased. This question is about BERT large, uncased.",
    ),
    ("part", 2, 3 * 256 * 257, "197,376 is correct for BERT-Mini. This question is about BERT-Tiny."),
    (
        "model",
        1,
        335_141_888,
        "335,141,888 is correct for BERT large, uncased. This question is about BERT base, uncased.",
    ),
    (
        "model",
        1,
        12,
        "12 is one of the given sizes (layers\u00a0L\u00a0=\u00a012 and heads\u00a0A\u00a0=\u00a012).",
    ),
]
"""Correct answers for other models, and a size from the question. Source: the sizes in bert_config.json."""


@pytest.mark.parametrize(("name", "seed", "number", "words"), FEEDBACK_ON_OTHER_QUESTIONS)
def test_correct_answers_to_other_questions_are_named(name: str, seed: int, number: int, words: str) -> None:
    assert words in wrong_answer(exercise(name, seed), number).feedback


def test_answers_for_other_models_are_those_of_the_engine() -> None:
    """The numbers of labels and tokens are those in the question."""
    models = Counter[str]()
    for variant in chain.from_iterable(map(variants, TYPED_SETS)):
        factor = variant.answer // count(variant)
        sizes = variant.question.model.sizes
        sizes_of_question = {letter: sizes[letter] for letter in "CT" if letter in sizes}
        for wrong in variant.wrong_answers:
            for other in (name.removeprefix("model:") for name in wrong.names if name.startswith("model:")):
                models[other] += 1
                model = model_named(other)._replace(sizes={**model_named(other).sizes, **sizes_of_question})
                assert wrong.number == factor * variant.ask.number(model)
    assert min(models[other] for other in ("bert-base-uncased", "bert-large-cased", "albert-large-v2")) > 3


SETS_WITHOUT_BIASES = {"cell", "tensor", "heads", "operations", "methods"}
"""Sets whose questions have declared sums or, in "tensor", are about a single matrix."""


@pytest.mark.parametrize("name", [name for name in TYPED_SETS if name not in SETS_WITHOUT_BIASES])
def test_a_bias_taken_for_one_number_is_recognised(name: str) -> None:
    """Declared sums and ALBERT are exceptions."""
    checked_count = 0
    for variant in variants(name):
        question, factor = variant.question, variant.answer // count(variant)
        biases = [row for row in question.rows if row.path.endswith("bias") and not row.tied_to]
        # The layers of ALBERT share their tensors.
        if variant.ask.has_declared_sum or "G" in question.model.sizes or not biases:
            continue
        checked_count += 1
        number = question.number
        for row in biases:
            is_in_all_layers = "layer_*" in row.path and "layer_0" not in question.part
            layers = question.model.sizes["L"] if is_in_all_layers else 1
            number -= layers * (int(question.model.sizes.get(row.shape, row.shape)) - 1)
        feedback = wrong_answer(variant, number * factor).feedback
        assert "each bias were one number" in feedback or "is correct for" in feedback
    assert checked_count > 0


def test_feedback_names_all_different_mistakes() -> None:
    """Only the student knows which of the mistakes was made."""
    answer = wrong_answer(exercise("layer", 5), 18_432)  # source: 12 · 2 · 768
    assert {"one-norm-a-layer", "norm-without-shift"} <= set(answer.names)
    for words in (
        "If you counted one LayerNorm per layer, add",
        "If you counted only the scale of each LayerNorm, add",
    ):
        assert words in answer.feedback


def test_confused_layers_and_default_labels_are_recognised() -> None:
    for variant in chain.from_iterable(map(variants, TYPED_SETS)):
        wrong_by_number = {wrong.number: wrong for wrong in variant.wrong_answers}
        question, answer = variant.question, variant.answer
        sizes, factor = question.model.sizes, answer // count(variant)
        if "layer_0" in question.part:
            all_layers = wrong_by_number[answer * sizes["L"]]
            # In a question about a piece of a tensor, a different slip with the same number is more likely.
            assert re.search("count(ed| for) all layers", all_layers.feedback) or "layers" in all_layers.names[1:]
        elif question.part == "bert/encoder" and "L" not in question.architecture.layers and not variant.ask.cost:
            assert "as if it had weights of its own" in wrong_by_number[answer * sizes["L"]].feedback
        elif not question.part or question.part == "bert/encoder":
            one_layer = count(variant, L=1) * factor
            if one_layer == answer:
                continue
            feedback = wrong_by_number[one_layer].feedback
            assert re.search("one (encoder )?layer|one of these|for one|one adapter", feedback), feedback
        if sizes["C"] > 2:
            number_with_default = count(variant, C=2)
            assert "left the number of labels at its default" in wrong_by_number[number_with_default].feedback


# Source: transformers 5.23, `BertForQuestionAnswering.forward`, which splits its logits into start and end.
def test_question_answering_has_two_labels() -> None:
    """Question answering always has two labels, because it cannot run with more; classification may have any number."""
    exercises = [exercise("class", seed) for seed in range(120)]
    labels = {variant.question.model_class: variant.question.model.sizes["C"] for variant in exercises}
    question_answering_exercises = [
        variant for variant in exercises if variant.question.model_class == "BertForQuestionAnswering"
    ]
    assert len(question_answering_exercises) > 10
    assert {2} == {variant.question.model.sizes["C"] for variant in question_answering_exercises}
    assert [] == [
        variant for variant in question_answering_exercises if not variant.sizes_text.endswith("C\u00a0=\u00a02")
    ]
    assert min(labels["BertForSequenceClassification"], labels["BertForTokenClassification"]) > 2


def test_a_tensor_is_a_matrix_whose_number_must_be_computed() -> None:
    exercises = [exercise("tensor", seed) for seed in range(1, 200)]
    assert not [variant.text for variant in exercises if variant.answer in numbers(variant.sizes_text)]
    assert all(len(variant.question.rows) == 1 and " " in variant.question.rows[0].shape for variant in exercises)
    names = {variant.question.part.rpartition("/")[2] for variant in exercises[:20]}
    assert {"word_embeddings", "position_embeddings", "kernel", "output_weights"} <= names
    # Source: 30,522 × 768.
    assert ("bert-base-uncased", 23_440_896) == (exercises[0].question.model.name, exercises[0].answer)


def test_feedback_about_peft_has_the_numbers_of_peft() -> None:
    """`test_changes.py` compares the numbers of both deviations about LoRA with PEFT's own."""
    classes = set()
    for variant in variants("class"):
        wrong_numbers = {name: wrong.number for wrong in variant.wrong_answers for name in wrong.names}
        for name in ("lora-alone", "lora-added"):
            assert variant.question._replace(deviations=(name,)).number == wrong_numbers[name]
        classes.add(variant.question.model_class)
    assert len(classes) > 4


@pytest.mark.parametrize("name", ["configuration", "mistake", "share"])
def test_exactly_one_of_four_options_is_correct(name: str) -> None:
    for variant in variants(name):
        assert 1 == sum(option.is_correct for option in variant.options)
        assert 4 == len({option.text for option in variant.options})
    assert len({[option.is_correct for option in variant.options].index(True) for variant in variants(name)}) == 4


def test_a_share_is_of_all_parameters() -> None:
    """All parameters include the added ones. The question mentions any copy of the head."""
    classes = set()
    for variant in variants("share"):
        total, trainable = variant.question.number, count(variant)
        assert variant.solution[-1].text.startswith(f"{trainable:,} ÷ {total + trainable:,} ≈ ")
        model = ChangedModel.build(variant.question, variant.ask.changes)
        has_copy = any(row.addition == COPIED for row in model.rows)
        assert has_copy is ("a copy of the head is trained beside the original" in variant.text)
        classes.add(variant.question.model_class)
    assert {"BertModel", "BertForSequenceClassification"} == classes


def test_no_configuration_stands_out() -> None:
    """Every value of a size occurs in half of the options or in all of them."""
    for variant in variants("configuration"):
        configurations = [dict(SIZE.findall(option.text)) for option in variant.options]
        for letter in configurations[0]:
            values = [sizes[letter] for sizes in configurations]
            counts = [values.count(value) for value in values]
            assert counts in ([2] * 4, [4] * 4)


def test_feedback_names_the_narrowest_of_equal_mistakes() -> None:
    """If several deviations have the same effect on a part, the feedback names the narrowest.

    In the feed-forward network, leaving out its biases and leaving out all biases have the same effect.
    """
    answer = wrong_answer(exercise("layer", 4), 8_388_608)  # source: 2 · 1024 · 4096
    assert {"feed-forward-biases-left-out", "biases-left-out", "vectors-forgotten"} <= set(answer.names)
    assert "You would get 8,388,608 if you left out the biases of the feed-forward network." in answer.feedback


def test_hints_name_the_parts_of_the_whole() -> None:
    hint_of_parts, hint_of_first_line, _ = exercise("model", 1).hints
    assert "Multiply the count for one layer by L, and add the embeddings and the pooler." == hint_of_parts
    assert "Begin with 30,522 × 768 = 23,440,896." == hint_of_first_line


def test_a_hint_multiplies_a_width_but_the_count_of_a_part() -> None:
    assert "Multiply the width of one head by H." in exercise("heads", 1).hints
    assert "Multiply the count for the slice of one head by A." in exercise("heads", 4).hints


def test_feedback_on_configurations_is_correct() -> None:
    for variant in variants("configuration"):
        for option in variant.options:
            sizes = {letter: int(size.replace(",", "")) for letter, size in SIZE.findall(option.text)}
            number = variant.question._replace(model=variant.question.model.resized(**sizes)).number
            difference = abs(number - variant.answer)
            assert (number == variant.answer) is option.is_correct
            assert numbers(option.feedback) == ([number] if option.is_correct else [number, difference])
            assert ("too many" in option.feedback) is (number > variant.answer)


def test_feedback_on_mistakes_is_correct() -> None:
    for variant in variants("mistake"):
        wrong_total = numbers(variant.ledger[-1].text)[0]
        assert wrong_total == sum(numbers(line.text)[0] for line in variant.ledger[:-1])
        for option in variant.options:
            number = recount(variant.question, option.name)
            assert (number == wrong_total) is option.is_correct
            assert option.is_correct or numbers(option.feedback) == [number, wrong_total]


def test_seeds_have_limits() -> None:
    assert exercise("model", 0).seed == 0
    assert exercise("model", LARGEST_SEED).seed == LARGEST_SEED
    for seed in (-1, LARGEST_SEED + 1, True, 1.5, "1"):
        with pytest.raises(UnknownExercise, match="choose a whole number"):
            exercise("model", seed)  # type: ignore[arg-type]
    with pytest.raises(UnknownExercise, match="did you mean"):
        exercise("modle", 1)


def names_other_layers(text: str, part: str) -> bool:
    """Return whether a text names one layer although the part is in all layers, or all layers although it is in one."""
    named_layers = layers_named(text)
    if "layer_0" in part:
        return bool(named_layers) and ONE_LAYER not in named_layers
    return part.startswith("bert/encoder") and bool(named_layers) and ALL_LAYERS not in named_layers


def test_questions_name_the_layers_that_they_ask_about() -> None:
    exercises = [exercise(name, seed) for name in load_sets().sets for seed in range(1, 9)]
    assert sum(bool(layers_named(variant.text)) for variant in exercises) > 40
    assert [] == [variant.text for variant in exercises if names_other_layers(variant.text, variant.ask.part)]
    assert names_other_layers("How many in all layers of BERT base?", "bert/encoder/layer_0")
    assert names_other_layers("How many in one layer of BERT base?", "bert/encoder")


def texts_with_another_value(texts: Iterable[str]) -> list[list[str]]:
    """The texts that have the same words but different values in braces: one of these values is probably wrong."""
    texts_by_words = defaultdict(set)
    for text in texts:
        texts_by_words[BRACES.sub("{}", text)].add(text)
    return [
        sorted(similar_texts)
        for words, similar_texts in texts_by_words.items()
        if len(similar_texts) > 1 and re.search(r"\w", words)
    ]


def test_the_same_words_have_the_same_value() -> None:
    hints = [hint for exercise_set in load_sets().sets.values() for hint in exercise_set.hints]
    texts = [*hints, *load_sets().texts.values(), *load_sets().banks.values()]
    assert len(hints) > 30
    assert [] == texts_with_another_value(texts)
    assert hints.count("As a formula: {formula}.") > 5
    assert texts_with_another_value([*texts, "As a formula: {first}."])
