"""Exercises. Each is the variant that a seed draws from a set.

`SeededRandom("<set>:<seed>")` draws in this order:

1. One of the set's questions.
2. The model. If the question names models, it is one of them. Otherwise, the first draw decides
   whether the model has made-up sizes, and further draws give its sizes V, P, S, L and H, or else
   the name of a published model.
3. C, if the answer depends on the number of labels and the class takes any number of them; then T, if
   the question is about operations.
4. What the kind of exercise needs, such as a data type or the order of the options.

Two rules apply after the third step. They draw nothing, so they do not shift the sequence of random
numbers. Variant 1 of a set with `opens_with` asks the set's first question about the model named there. A
question about a tensor is replaced by the set's first question if its answer is already among the given sizes.

`docs/assets/exercises/exercise.js` follows the same rules, and a test checks that both give exactly
the same text. The exercise that a seed draws must never change, because links and question banks
rely on it; `tests/teaching/drawn.txt` records it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from macros.counting import BERT, ChangedModel, Model, Question, model_named
from macros.counting.deviations import Deviation
from macros.counting.errors import quote
from macros.counting.memory import BYTES, NUMBERS_PER_PARAMETER, UNITS
from macros.counting.messages import and_list
from macros.counting.operations import TOKENS
from macros.rendering.components import words
from macros.rendering.components.asking import BASE
from macros.rendering.components.numbers import whole

from .chance import SeededRandom
from .letter_sums import LetterLine, WorkedLine, in_letters, with_sizes
from .sets import (
    BRACES,
    CONFIGURATION,
    MADE_UP,
    MEMORY,
    MISTAKE,
    NUMBER,
    SHARE,
    Ask,
    ExerciseSet,
    UnknownExercise,
    fill,
    load_sets,
    set_named,
)
from .wrong import (
    WrongAnswer,
    answers_for_other_models,
    deviating_numbers,
    given_sizes,
    merged_by_number,
    miscounts,
    model_title,
    single_number_slips,
    size_in_words,
    slip_answers,
    wrong_answers,
)

LARGEST_SEED = 999_999
"""The largest seed that has a variant."""

OPENING_SEED = 1
"""The seed of the variant to which `opens_with` applies."""

DRAWN_SIZES = "VPSLH"
"""The sizes of a made-up model that are drawn, in this order. The other sizes follow from them."""


class SolutionLine(NamedTuple):
    """A line of a solution: a label and arithmetic."""

    label: str
    text: str


class Option(NamedTuple):
    """One of the answers to choose from: its name, its text, whether it is correct, and the teacher's comment."""

    name: str
    text: str
    is_correct: bool
    feedback: str


class Exercise(NamedTuple):
    """A variant of a set.

    Attributes:
        set, seed: the set and the seed of the variant, as in its address.
        kind: the kind of answer; see `sets.py`.
        question: the model, class and part in question. The number of its parameters is the answer, except for memory
            and for sums that the set declares.
        ask: the entry of the set from which the question comes.
        text: the question in words.
        sizes_text: the sizes of the model, as text; empty if the options give them.
        answer: the correct number, which is in bytes for memory, and is that of the trained parameters for a share.
        unit: the unit of the answer: `"parameters"`, `"bytes"`, `"FLOPs"` or `"MACs"`.
        hints: hints, from vague to clear. No hint contains the answer.
        solution: the sum, worked out to the last digit.
        wrong_answers: the known wrong answers; empty if there are options.
        options: the answers to choose from; empty if the reader types a number.
        ledger: the count with the mistake to find, block by block; empty for all other kinds of exercises.
    """

    set: str
    seed: int
    kind: str
    question: Question
    ask: Ask
    text: str
    sizes_text: str
    answer: int
    unit: str
    hints: tuple[str, ...]
    solution: tuple[SolutionLine, ...]
    wrong_answers: tuple[WrongAnswer, ...] = ()
    options: tuple[Option, ...] = ()
    ledger: tuple[SolutionLine, ...] = ()

    @property
    def address(self) -> str:
        """The query that identifies the exercise, to be appended to the address of the page of exercises."""
        return f"?set={self.set}&seed={self.seed}"


def check_sizes(variant: Exercise) -> None:
    """Refuse an exercise about made-up sizes, because numbers on pages must be those of published models.

    Raises:
        UnknownExercise: the exercise is about made-up sizes.
    """
    model = variant.question.model
    if model.name == MADE_UP or not model_named(model.name).sizes.items() <= model.sizes.items():
        raise UnknownExercise(
            f"{variant.set}:{variant.seed} is about made-up sizes; choose a seed that draws a published model"
        )


def exercise(name: str, seed: int) -> Exercise:
    """The variant of a set that a seed draws, which is always the same.

    Raises:
        UnknownExercise: no set has this name, or the seed is not a whole number from 0 to `LARGEST_SEED`.

    >>> exercise("model", 1).unit
    'parameters'
    """
    exercise_set = set_named(name)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise UnknownExercise(f"no variant {quote(seed)} of {name}; choose a whole number from 0 to {LARGEST_SEED}")
    return _variant(exercise_set.name, seed)


@cache
def _variant(name: str, seed: int) -> Exercise:
    """The exercise that a seed draws from a set. Tensors with as many numbers as one of the sizes are avoided."""
    exercise_set = set_named(name)
    rng = SeededRandom(f"{name}:{seed}")
    ask = rng.one_of(exercise_set.asks)
    model = _draw_model(rng, ask)
    if seed == OPENING_SEED and exercise_set.opens_with:
        ask = exercise_set.asks[0]
        model = model_named(exercise_set.opens_with)
    if ask.is_tensor and ask.number(model) in model.sizes.values():
        ask = exercise_set.asks[0]
    question = Question(model, ask.model_class, ask.part, ask.tag)
    return EXERCISE_MAKERS[exercise_set.kind](exercise_set, seed, rng, ask, question)


def _draw_model(rng: SeededRandom, ask: Ask) -> Model:
    """Draw a published model or made-up sizes, and a number of labels or tokens if the question needs it."""
    sets = load_sets()
    if ask.models:
        model = model_named(rng.one_of(ask.models))
    elif rng.below(sets.draw["own"]) == 0:  # on average, one in `own` models has made-up sizes
        sizes = {letter: rng.one_of(sets.sizes[letter]) for letter in DRAWN_SIZES}
        model = Model(MADE_UP, BERT, _all_sizes(sizes), title=sets.texts["drawn"])
    else:
        model = model_named(rng.one_of(sets.draw["models"]))
    if "C" in ask.letters and ask.model_class in sets.draw["labelled"]:
        model = model._replace(sizes={**model.sizes, "C": rng.one_of(sets.sizes["C"])})
    if ask.cost:
        lengths = [length for length in sets.sizes[TOKENS] if length <= model.sizes["P"]]
        model = model._replace(sizes={**model.sizes, TOKENS: rng.one_of(lengths)})
    return model


def _all_sizes(sizes: Mapping[str, int]) -> dict[str, int]:
    """The sizes of a made-up model, in the order of the config. F and A follow from H, and C is 2."""
    draw = load_sets().draw
    derived_sizes = {"F": draw["inner"] * sizes["H"], "A": sizes["H"] // draw["head"], "C": 2}
    all_sizes = {**derived_sizes, **sizes}
    return {symbol.letter: all_sizes[symbol.letter] for symbol in BERT.symbols}


def _sizes_text(sizes: Mapping[str, int], ask: Ask) -> str:
    """The sizes of a model as text, including the number of labels only if the answer depends on it."""
    return ", ".join(size_in_words(letter, size) for letter, size in given_sizes(ask, sizes).items())


def _values(ask: Ask, question: Question, lines: list[WorkedLine]) -> dict[str, str]:
    """The values with which the texts of a set may be filled in, by name."""
    return {
        "part": ask.words,
        "model": model_title(question.model),
        "class": ask.model_class,
        "purpose": question.resolved_class.purpose,
        "unit": ask.unit,
        "formula": ask.formula,
        "step": ask.step,
        "first": lines[0].text if len(lines) > 1 else "",
    }


def _hints(exercise_set: ExerciseSet, values: Mapping[str, str], answer: int) -> tuple[str, ...]:
    """The set's hints, without those that need a value that is empty here and those that contain the answer."""
    fillable_hints = [hint for hint in exercise_set.hints if all(values[name] for name in BRACES.findall(hint))]
    hints = [fill(hint, **values) for hint in fillable_hints]
    return tuple(hint for hint in hints if whole(answer) not in hint)


def _solution(ask: Ask, lines: list[WorkedLine]) -> tuple[SolutionLine, ...]:
    """The worked lines with the labels of the symbolic lines."""
    return tuple(SolutionLine(letter_line.label, line.text) for letter_line, line in zip(ask.lines, lines, strict=True))


def _base_exercise(
    exercise_set: ExerciseSet,
    seed: int,
    ask: Ask,
    question: Question,
    lines: list[WorkedLine],
    values: Mapping[str, str],
) -> Exercise:
    """An exercise with the fields that all kinds share, without wrong answers or options."""
    answer = ask.number(question.model)
    return Exercise(
        set=exercise_set.name,
        seed=seed,
        kind=exercise_set.kind,
        question=question,
        ask=ask,
        text=fill(exercise_set.text, **values),
        sizes_text=_sizes_text(question.model.sizes, ask),
        answer=answer,
        unit=ask.unit,
        hints=_hints(exercise_set, values, answer),
        solution=_solution(ask, lines),
    )


def _number_exercise(exercise_set: ExerciseSet, seed: int, _: SeededRandom, ask: Ask, question: Question) -> Exercise:
    """An exercise that asks for the number itself, which the reader types. It draws nothing."""
    lines = with_sizes(ask.lines, question.model.sizes)
    values = _values(ask, question, lines)
    base_exercise = _base_exercise(exercise_set, seed, ask, question, lines, values)
    return base_exercise._replace(wrong_answers=wrong_answers(question, ask))


# --- Memory ---------------------------------------------------------------------


def _memory_exercise(exercise_set: ExerciseSet, seed: int, rng: SeededRandom, ask: Ask, question: Question) -> Exercise:
    """An exercise that asks for bytes in one of the set's data types. Its solution gives all units."""
    dtype = rng.one_of(exercise_set.dtypes)
    lines = with_sizes(ask.lines, question.model.sizes)
    answer = question.number * BYTES[dtype]
    values = {**_values(ask, question, lines), "dtype": dtype, "width": str(BYTES[dtype])}
    label = load_sets().texts["bytes"]
    lines_of_bytes = [SolutionLine(label, f"{whole(question.number)} × {BYTES[dtype]} = {whole(answer)}")]
    for unit in load_sets().units:
        for name, power in ((unit.decimal, unit.decimal_power), (unit.binary, unit.binary_power)):
            lines_of_bytes.append(SolutionLine(name, f"{whole(answer)} ÷ {power} ≈ {_in_unit(answer, UNITS[name])}"))
    base_exercise = _base_exercise(exercise_set, seed, ask, question, lines, values)
    return base_exercise._replace(
        answer=answer,
        unit="bytes",
        hints=_hints(exercise_set, values, answer),
        solution=(*base_exercise.solution, *lines_of_bytes),
        wrong_answers=_wrong_bytes(question, ask, dtype),
    )


def _in_unit(number: int, unit_size: int) -> str:
    """A number in a larger unit, such as bytes in GB, to two decimal places, with halves rounded up.

    Integer arithmetic rounds in the same way in Python and JavaScript.
    """
    hundredths = (200 * number + unit_size) // (2 * unit_size)
    return f"{whole(hundredths // 100)}.{hundredths % 100:02}"


def _wrong_bytes(question: Question, ask: Ask, dtype: str) -> tuple[WrongAnswer, ...]:
    """The wrong answers about memory.

    These are the number of parameters, the bytes of a different data type or of training, a decimal
    unit mistaken for a binary one or vice versa, and the bytes of wrong counts.
    """
    texts = load_sets().texts
    units = load_sets().units
    width = BYTES[dtype]
    number = question.number
    correct_bytes = number * width

    def wrong_answer(name: str, amount: int, text_name: str, **values: object) -> WrongAnswer:
        """A wrong answer whose feedback is the text called `text_name`, filled with these values."""
        feedback = fill(texts[text_name], number=whole(amount), dtype=dtype, width=width, **values)
        return WrongAnswer((name,), amount, (), feedback)

    answers = [wrong_answer("parameters", number, "parameters")]
    answers += [wrong_answer(f"dtype:{other}", number * BYTES[other], "dtype", other=other) for other in BYTES]
    answers.append(wrong_answer("training", correct_bytes * len(NUMBERS_PER_PARAMETER), "training"))
    for unit in units:
        decimal = UNITS[unit.decimal]
        binary = UNITS[unit.binary]
        # Each has the wrong number of bytes, the divisor and unit that the student used, and the unit that they wrote.
        confusions = (
            (correct_bytes * decimal // binary, unit.binary_power, unit.binary, unit.decimal),
            (correct_bytes * binary // decimal, unit.decimal_power, unit.decimal, unit.binary),
        )
        answers += [
            wrong_answer(f"unit:{other}", amount, "unit", below=power, unit=name, other=other)
            for amount, power, name, other in confusions
        ]
    wrong_counts = (
        *miscounts(question, ask),
        *answers_for_other_models(ask, question.model),
        *slip_answers(single_number_slips(ask), question.sizes),
    )
    for wrong_count in wrong_counts:
        feedback = fill(texts["counted"], feedback=wrong_count.feedback)
        answers.append(wrong_count._replace(number=wrong_count.number * width, feedback=feedback))
    return merged_by_number(answers, correct_bytes)


# --- Options --------------------------------------------------------------------


def _configuration_exercise(
    exercise_set: ExerciseSet, seed: int, rng: SeededRandom, ask: Ask, question: Question
) -> Exercise:
    """An exercise with four configurations: two values for each of two sizes, combined so that none stands out."""
    texts = load_sets().texts
    model = question.model
    first_letter, second_letter = rng.shuffled("VPLHF")[:2]
    other_values = {letter: rng.one_of(_other_values(letter, model.sizes)) for letter in (first_letter, second_letter)}
    changes = [{}, *({letter: size} for letter, size in other_values.items()), other_values]
    configurations = [_with_heads({**model.sizes, **change}) for change in changes]
    correct_sizes = rng.one_of(configurations)
    correct_question = question._replace(model=model._replace(sizes=correct_sizes))
    options = []
    for sizes in configurations:
        number = question._replace(model=model._replace(sizes=sizes)).number
        letters = [letter for letter in (first_letter, second_letter) if sizes[letter] != correct_sizes[letter]]
        text_name = "many" if number > correct_question.number else "few"
        verdict = texts[text_name if letters else "right"]
        letters_text = fill(texts["and"], letter=letters[0], other=letters[1]) if len(letters) > 1 else "".join(letters)
        feedback = fill(
            verdict,
            number=whole(correct_question.number),
            other=whole(number),
            letters=letters_text,
            difference=whole(abs(number - correct_question.number)),
        )
        options.append(Option("".join(letters) or "right", _sizes_text(sizes, ask), not letters, feedback))
    lines = with_sizes(ask.lines, correct_sizes)
    values = {**_values(ask, correct_question, lines), "number": whole(correct_question.number)}
    values["pieces"] = fill(texts["and"], letter=first_letter, other=second_letter)
    base_exercise = _base_exercise(exercise_set, seed, ask, correct_question, lines, values)
    return base_exercise._replace(sizes_text="", options=tuple(rng.shuffled(options)))


def _with_heads(sizes: Mapping[str, int]) -> dict[str, int]:
    """The sizes with A set to the number of heads of the usual width that fit into H."""
    return {**sizes, "A": sizes["H"] // load_sets().draw["head"]}


def _other_values(letter: str, sizes: Mapping[str, int]) -> list[int]:
    """The other values that a size may have. The values of F are multiples of H."""
    listed_values = load_sets().sizes[letter]
    candidates = [times * sizes["H"] for times in listed_values] if letter == "F" else listed_values
    return [value for value in candidates if value != sizes[letter]]


def _share_exercise(exercise_set: ExerciseSet, seed: int, rng: SeededRandom, ask: Ask, question: Question) -> Exercise:
    """An exercise that asks for the trainable share. Its wrong options are shares from wrong counts."""
    texts = load_sets().texts
    number_exercise = _number_exercise(exercise_set, seed, rng, ask, question)
    total = ChangedModel.build(question, ask.changes).number

    def share(number: int) -> str:
        """A number as a percentage of all parameters."""
        return f"{_in_unit(100 * number, total)}%"

    correct_share = share(number_exercise.answer)
    feedback = fill(texts["share"], number=whole(number_exercise.answer), other=whole(total))
    # The keys are rounded shares, because different wrong counts may round to the same share.
    options = {correct_share: Option("right", correct_share, True, feedback)}
    for miscount in rng.shuffled(miscounts(question, ask)):
        share_text = share(miscount.number)
        feedback = fill(texts["shared"], feedback=miscount.feedback)
        options.setdefault(share_text, Option(miscount.names[0], share_text, False, feedback))
    offered_options = list(options.values())[: load_sets().draw["options"] + 1]
    division = SolutionLine(texts["share_of"], f"{whole(number_exercise.answer)} ÷ {whole(total)} ≈ {correct_share}")
    return number_exercise._replace(
        wrong_answers=(),
        solution=(*number_exercise.solution, division),
        options=tuple(rng.shuffled(offered_options)),
    )


def _mistake_exercise(
    exercise_set: ExerciseSet, seed: int, rng: SeededRandom, ask: Ask, question: Question
) -> Exercise:
    """An exercise with a count that contains a mistake, and a choice of mistakes that lead to different totals."""
    deviations_by_name = {deviation.name: (deviation, number) for deviation, number in deviating_numbers(question)}
    candidates = [deviations_by_name[name] for name in exercise_set.mistakes if name in deviations_by_name]
    mistake, wrong_total = rng.one_of(candidates)
    options = _mistake_options(mistake, wrong_total, rng.shuffled(candidates))
    miscounted_question = question._replace(deviations=(mistake.name,))
    blocks = [
        (block, question.about("", block).number, miscounted_question.about("", block).number)
        for block in words.block_names(question)
    ]
    affected_blocks = [
        (block, number, wrong_number) for block, number, wrong_number in blocks if number != wrong_number
    ]
    lines = with_sizes(ask.lines, question.model.sizes)
    values = {**_values(ask, question, lines), "number": whole(wrong_total)}
    values["pieces"] = and_list([words.BLOCK_LABELS[block].in_all for block, _, _ in affected_blocks])
    total_label = words.TOTAL.line
    solution = [
        line
        for block, number, wrong_number in affected_blocks
        for line in _correction(question, block, number, wrong_number)
    ]
    differences = "".join(_as_term(number - wrong_number) for _, number, wrong_number in affected_blocks)
    solution.append(SolutionLine(total_label, f"{whole(wrong_total)}{differences} = {whole(question.number)}"))
    # A block that is left out has no line.
    ledger = [
        SolutionLine(words.BLOCKS[block], whole(wrong_number)) for block, _, wrong_number in blocks if wrong_number
    ]
    return _base_exercise(exercise_set, seed, ask, question, lines, values)._replace(
        solution=tuple(solution),
        options=tuple(rng.shuffled(options)),
        ledger=(*ledger, SolutionLine(total_label, whole(wrong_total))),
    )


def _mistake_options(mistake: Deviation, wrong_total: int, candidates: list[tuple[Deviation, int]]) -> list[Option]:
    """The mistake, and others that lead to different totals, as options with feedback.

    Args:
        mistake: the mistake in the count.
        wrong_total: the total that it leads to.
        candidates: mistakes with the totals that they lead to; for each total, the first may be an option.
    """
    texts = load_sets().texts
    other_mistakes: dict[int, Deviation] = {}
    for deviation, number in candidates:
        if number != wrong_total:
            other_mistakes.setdefault(number, deviation)
    options = [Option(mistake.name, mistake.title, True, fill(texts["found"], undo=mistake.undo, why=mistake.why))]
    for number, deviation in list(other_mistakes.items())[: load_sets().draw["options"]]:
        feedback = fill(texts["other"], other=whole(number), number=whole(wrong_total))
        options.append(Option(deviation.name, deviation.title, False, feedback))
    return options


def _correction(question: Question, block: str, number: int, wrong_number: int) -> Iterator[SolutionLine]:
    """Yield the sum of a miscounted block and, unless the block was left out, its difference from the miscount."""
    lines = block_lines(question.model_class, block)
    worked_lines = with_sizes(lines, question.sizes)
    for letter_line, line in zip(lines[:-1], worked_lines[:-1], strict=True):
        yield SolutionLine(letter_line.label, line.text)
    yield SolutionLine(words.BLOCKS[block], worked_lines[-1].text)
    if wrong_number:
        larger = max(number, wrong_number)
        smaller = min(number, wrong_number)
        subtraction = f"{whole(larger)} − {whole(smaller)} = {whole(larger - smaller)}"
        yield SolutionLine(load_sets().texts["difference"], subtraction)


def block_lines(model_class: str, block: str) -> tuple[LetterLine, ...]:
    """The symbolic sum of a block in a class of BERT."""
    return in_letters(BASE, model_class, "", block)


def _as_term(difference: int) -> str:
    """A difference as another term of a sum: ` + 512` or ` − 512`."""
    return f" {'−' if difference < 0 else '+'} {whole(abs(difference))}"


EXERCISE_MAKERS: Mapping[str, Callable[[ExerciseSet, int, SeededRandom, Ask, Question], Exercise]] = {
    NUMBER: _number_exercise,
    MEMORY: _memory_exercise,
    CONFIGURATION: _configuration_exercise,
    MISTAKE: _mistake_exercise,
    SHARE: _share_exercise,
}
"""The function that creates an exercise of each kind."""
