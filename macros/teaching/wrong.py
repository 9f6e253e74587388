"""Wrong answers to an exercise, and the feedback that a teacher would give on each.

A wrong answer is a number to which at least one known way leads. The ways come from four sources,
and if several lead to the same number, the first source usually determines the feedback:

1. Miscounts: first the known deviations and those that are possible only in exercises, then slips in
   the sum.
2. The correct answer for another model.
3. A size that is given in the question.
4. A bias, or another vector, mistaken for one number.

Because the question of an exercise is known, a student who types one of these numbers probably got
it in one of the listed ways. If several different deviations lead to the number, the feedback names
them all. `docs/assets/exercises/wrong.js` follows the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from macros.counting import BadChoice, Model, Question, model_named
from macros.counting.deviations import CONVENTION, Deviation, load_deviations
from macros.counting.messages import and_list
from macros.counting.operations import TOKENS
from macros.counting.question import LAYER_NUMBER, quotient
from macros.rendering.components.asking import title_of
from macros.rendering.components.numbers import whole

from .letter_sums import (
    DIVISOR_MARK,
    LINE_MARK,
    LetterLine,
    in_letters,
    results_of,
    with_letter,
    with_one_number_per_bias,
    with_things_counted_once,
    without_summand,
)
from .sets import MADE_UP, Ask, fill, load_sets

LAYERS_NOT_SHARED = "layers-not-shared"
"""The name of the deviation that is possible only if layers share their weights."""

TIMES_HEADS = "times-heads"
"""The name of the deviation that is possible only in questions about attention with its output projection.

For query, key and value alone, or for a matrix, the engine has deviations about heads.
"""

ONE_BIAS = "bias-left-out"
"""The name of the deviation that is possible only if there is a single bias."""

ATTENTION = "self-attention"
"""The name of the block of the four projections of attention."""

OUTPUT_PROJECTION = "/attention/output/dense/"
"""The section that the paths of all tensors of the output projection have in common."""

EVERY_BIAS = "biases-left-out"
"""The name of the engine's deviation that gives the same number as `ONE_BIAS` if there is a single bias."""


class WrongAnswer(NamedTuple):
    """A wrong number with a teacher's comment.

    Attributes:
        names: the names of all ways that lead to the number: deviations, slips such as `stopped:3`, models and sizes.
        number: the number itself.
        titles: the titles of the deviations among these ways; slips, models and sizes have no title.
        feedback: the teacher's comment.
    """

    names: tuple[str, ...]
    number: int
    titles: tuple[str, ...]
    feedback: str


def wrong_answers(question: Question, ask: Ask) -> tuple[WrongAnswer, ...]:
    """All known wrong answers to a question about a number, without repetition. Miscounts come first."""
    model = question.model
    answers = [
        *miscounts(question, ask),
        *answers_for_other_models(ask, model),
        *answers_from_sizes(ask, model),
        *slip_answers(single_number_slips(ask), model.sizes),
    ]
    return merged_by_number(answers, ask.number(model))


def miscounts(question: Question, ask: Ask) -> tuple[WrongAnswer, ...]:
    """All known miscounts of a question, without repetition. Deviations come before slips."""
    by_number: dict[int, list[Deviation]] = {}
    model = question.model
    # These deviations apply only to sums that the engine derives, not to declared ones.
    numbers_for_derived_sums = (
        () if ask.has_declared_sum else (*_deviating_numbers_of_exercises(question), *deviating_numbers(question))
    )
    for deviation, number in (*_deviating_trainable_numbers(ask, model), *numbers_for_derived_sums):
        by_number.setdefault(number, []).append(deviation)
    answers = []
    for number, deviations in by_number.items():
        names = tuple(deviation.name for deviation in deviations)
        titles = tuple(deviation.title for deviation in deviations)
        feedback = _feedback(_without_equal_effects(deviations, question), number, model)
        answers.append(WrongAnswer(names, number, titles, feedback))
    return merged_by_number([*answers, *slip_answers(slips_in_letters(ask), model.sizes)], ask.number(model))


def _deviating_trainable_numbers(ask: Ask, model: Model) -> Iterator[tuple[Deviation, int]]:
    """Yield the deviations that change the number of trainable parameters, each with the wrong number."""
    for deviation in deviations_of_trainable_number(ask):
        sizes = deviation.resize(model).sizes
        if sizes != model.sizes:
            yield deviation, results_of(ask.lines, sizes)[-1]


def deviations_of_trainable_number(ask: Ask) -> list[Deviation]:
    """The deviations of exercises that apply to the number of trainable parameters, by replacing a size in the sum."""
    if not ask.changes:
        return []
    return [
        deviation for deviation in load_sets().deviations if deviation.resized and deviation.resized[0] in ask.letters
    ]


def _without_equal_effects(deviations: list[Deviation], question: Question) -> list[Deviation]:
    """The deviations, but only one of each group with the same effect on the question.

    Leaving out the biases of attention and leaving out all biases are the same mistake in a
    question about attention. Of such a group, the deviation that affects the fewest tensors is kept,
    because it describes the mistake most precisely.
    """
    if len(deviations) == 1:
        return deviations
    narrowest_by_effect: dict[object, Deviation] = {}
    for deviation in deviations:
        paths = tuple(row.path for row in question.rows if deviation.touches(row))
        replaced_size = _replaced_size(deviation, question.model)
        effect = (paths, deviation.factor, deviation.adds, deviation.instead, replaced_size)
        if effect not in narrowest_by_effect or reach(deviation, question) < reach(
            narrowest_by_effect[effect], question
        ):
            narrowest_by_effect[effect] = deviation
    return list(narrowest_by_effect.values())


def reach(deviation: Deviation, question: Question) -> int:
    """The number of tensors of the whole class that a deviation affects.

    If a deviation is possible only in exercises, only the tensors of the part in question count.
    """
    rows = question.rows if deviation in load_sets().deviations else question.whole.rows
    return sum(map(deviation.touches, rows))


def _replaced_size(deviation: Deviation, model: Model) -> tuple[str, int] | None:
    """The letter whose size a deviation replaces, and the new size; None if it replaces no size."""
    letter = deviation.resized[:1]
    return (letter, deviation.resize(model).sizes[letter]) if letter else None


def _deviating_numbers_of_exercises(question: Question) -> Iterator[tuple[Deviation, int]]:
    """Yield the deviations that are possible only in exercises and change the number, each with the wrong number."""
    for deviation in load_sets().deviations:
        if not is_possible(deviation, question):
            continue
        number = _number_in_exercise(deviation, question)
        if number != question.number:
            yield deviation, number


def _number_in_exercise(deviation: Deviation, question: Question) -> int:
    """The number to which a deviation that is possible only in exercises leads."""
    if deviation.name == ONE_BIAS:
        return question._replace(deviations=(EVERY_BIAS,)).number
    times, _ = quotient(deviation.factor, question.model.sizes)
    return times * question._replace(model=deviation.resize(question.model)).number


def is_possible(deviation: Deviation, question: Question) -> bool:
    """Whether a deviation of exercises is possible in a question.

    Counting all layers, for example, is possible only if the question is about one layer.
    """
    if deviation.name == LAYERS_NOT_SHARED:
        return question.part == "bert/encoder" and "L" not in question.architecture.layers
    if deviation.name == TIMES_HEADS:
        has_output = any(OUTPUT_PROJECTION in row.path for row in question.rows)
        return has_output and len(question.rows) > 1 and all(row.block == ATTENTION for row in question.rows)
    if deviation.name == ONE_BIAS:
        return sum(map(deviation.touches, question.rows)) == 1 and len(question.rows) > 1
    return "L" not in deviation.factor or bool(LAYER_NUMBER.search(question.part))


def deviating_numbers(question: Question) -> Iterator[tuple[Deviation, int]]:
    """Yield the known deviations that lead to a wrong but positive number for a question, each with its number."""
    correct_number = question.number
    for deviation in candidate_deviations(question):
        try:
            number = question._replace(deviations=(deviation.name,)).number
        except BadChoice:  # the deviation does not fit this class, or leaves a fraction
            continue
        if number > 0 and number != correct_number:
            yield deviation, number


def candidate_deviations(question: Question) -> list[Deviation]:
    """The known deviations that may apply to a question; some may still not fit its class.

    Tensors that are added to a whole model, or counted instead of it, do not belong to any part of
    it. Deviations whose factor depends on L do not apply to a single layer.
    """
    deviations = list(load_deviations().values())
    if question.part or question.tag:
        deviations = [deviation for deviation in deviations if not (deviation.adds or deviation.instead)]
    if LAYER_NUMBER.search(question.part):
        deviations = [deviation for deviation in deviations if "L" not in deviation.factor]
    return deviations


def mistake_in_words(deviation: Deviation, model: Model) -> str:
    """The student's mistake in words: "left the number of labels at its default (C = 2 instead of 18)"."""
    letter_and_size = _replaced_size(deviation, model)
    if not letter_and_size:
        return deviation.done
    letter, size = letter_and_size
    values = {"done": deviation.done, "letter": letter, "taken": whole(size), "number": whole(model.sizes[letter])}
    return fill(load_sets().texts["taken"], **values)


def _feedback(deviations: list[Deviation], number: int, model: Model) -> str:
    """The feedback on a number to which one deviation, or any of several, leads."""
    texts = load_sets().texts
    if len(deviations) > 1:
        ways = (
            fill(
                texts["way-forgotten" if _is_remedy_clear(deviation) else "way"],
                done=mistake_in_words(deviation, model),
                undo=deviation.undo,
            )
            for deviation in deviations
        )
        return fill(texts["several"], number=whole(number), ways=" ".join(ways))
    (deviation,) = deviations
    name = "forgotten" if _is_remedy_clear(deviation) else "done"
    return fill(
        texts["convention" if deviation.kind == CONVENTION else name],
        number=whole(number),
        done=mistake_in_words(deviation, model),
        undo=deviation.undo,
        why=deviation.why,
    ).rstrip()


def _is_remedy_clear(deviation: Deviation) -> bool:
    """Whether the mistake implies its correction, as "left out the pooler" implies "add the pooler"."""
    return deviation.undo.startswith("add ") and deviation.done.endswith(deviation.undo.removeprefix("add"))


# --- Slips in the sum ---------------------------------------------------------------


class Slip(NamedTuple):
    """A slip in a sum.

    Attributes:
        name: the kind of slip and its line or letter, such as `stopped:3`.
        feedback_name: the name of its feedback under `[texts]`.
        lines: the sum with the slip.
        values: the words with which the feedback is filled in, apart from numbers.
    """

    name: str
    feedback_name: str
    lines: tuple[LetterLine, ...]
    values: Mapping[str, str]


def slip_answers(slips: Iterable[Slip], sizes: Mapping[str, int]) -> Iterator[WrongAnswer]:
    """Yield the wrong answers to which slips lead for the given sizes."""
    for slip in slips:
        number = results_of(slip.lines, sizes)[-1]
        values = dict(slip.values)
        if values.get("times") in sizes:
            values["times"] = whole(sizes[values["times"]])
        feedback = fill(load_sets().texts[slip.feedback_name], number=whole(number), **values)
        yield WrongAnswer((slip.name,), number, (), feedback)


def slips_in_letters(ask: Ask) -> Iterator[Slip]:
    """Yield slips in the sum of a question: first those of this question, then those that any sum allows."""
    last_line = ask.lines[-1]
    multiplied_summands = tuple(summand._replace(factors=("L", *summand.factors)) for summand in last_line.summands)
    all_layers = Slip("layers", "layers", (*ask.lines[:-1], last_line._replace(summands=multiplied_summands)), {})
    is_one_layer = ask.has_declared_sum and LAYER_NUMBER.search(ask.part) is not None
    if is_one_layer and ask.cost:
        yield all_layers
    for name, line in ask.wrong_lines:
        yield Slip(name, name, (*ask.lines[:-1], line), {})
    # This comes after the declared wrong lines, because some models have as many heads as layers, and in a question
    # about one head, counting all heads is more likely.
    if is_one_layer and not ask.cost:
        yield all_layers
    if ask.changes:
        # The whole model is counted instead of the trained part.
        yield Slip("frozen", "frozen", in_letters(ask.example, ask.model_class, "", ""), {})
    yield from common_slips(
        ask.lines, [letter for letter in CONFUSABLE_LETTERS if letter in model_named(ask.example).sizes]
    )


def common_slips(lines: tuple[LetterLine, ...], confusable: Sequence[str] = ()) -> Iterator[Slip]:
    """Yield slips that are possible in any sum: stopping early, a missing term or factor, or a wrong letter."""
    for index, line in enumerate(lines[:-1]):
        feedback_name = "stopped" if index else "first"
        yield Slip(f"stopped:{index}", feedback_name, lines[: index + 1], {"what": line.label_in_sentence})
    for index, line in enumerate(lines):
        for position, summand in enumerate(line.summands):
            summand_name = f"{index}.{position}"
            if len(line.summands) > 1:
                yield Slip(
                    f"lacking:{summand_name}",
                    "lacking",
                    without_summand(lines, index, position),
                    {"every": summand.label_of_all},
                )
            if summand.times:
                values = {"what": summand.label, "times": summand.times}
                yield Slip(f"once:{summand_name}", "once", with_things_counted_once(lines, index, position), values)
    # Letters are confused only in a sum of one line, because in longer sums a letter has different meanings in
    # different lines. A divided letter is never replaced, because only H is sure to leave no fraction.
    if len(lines) > 1 or any(factor[0] == DIVISOR_MARK for factor in lines[0].summands[0].factors):
        return
    for letter in dict.fromkeys(lines[0].summands[0].factors):
        for replacement in confusable:
            if letter in confusable and replacement != letter:
                values = {"letter": letter, "other": replacement}
                yield Slip(f"letter:{letter}.{replacement}", "letter", with_letter(lines, letter, replacement), values)


def single_number_slips(ask: Ask) -> Iterator[Slip]:
    """Yield the slip of mistaking each bias, or the vector in question, for one number.

    This slip is not among the miscounts, because exercises with options draw from the miscounts, and a seed must keep
    drawing the same options.
    """
    if ask.single:
        (summand,) = ask.lines[-1].summands
        single_line = LetterLine("", (summand._replace(factors=("1",)),))
        size = summand.factors[0] if len(summand.factors) == 1 else HEAD_WIDTH
        yield _single_slip(ask.single, (single_line,), size)
        return
    lines, replaced_sizes = with_one_number_per_bias(ask.lines)
    if replaced_sizes:
        name = f"{ONE_NUMBER}bias" if len(replaced_sizes) == 1 else f"{ONE_NUMBER}biases"
        yield _single_slip(name, lines, HEAD_WIDTH if replaced_sizes[0][0] == LINE_MARK else replaced_sizes[0])


def _single_slip(name: str, lines: tuple[LetterLine, ...], size: str) -> Slip:
    """A slip that counts one number in place of `size`."""
    return Slip(name, name, lines, {"what": "", "times": size})


ONE_NUMBER = "single-"
"""The prefix of the names of slips that mistake a vector for one number."""

HEAD_WIDTH = "H / A"
"""The width of a head, which is the size of its slice of a bias."""

CONFUSABLE_LETTERS = "VPSHFE"
"""The letters that may be confused with one another in the shape of a tensor."""


# --- Correct answers to other questions ------------------------------------------------


def answers_for_other_models(ask: Ask, model: Model) -> Iterator[WrongAnswer]:
    """Yield the correct answers for models that may be confused with this one, the most similar model first."""
    text = load_sets().texts["other-model"]
    candidates = ask.models or _confusable_models(model)
    other_models = [
        other_model._replace(sizes={**other_model.sizes, **_sizes_of_question(model)})
        for other_model in map(model_named, candidates)
    ]
    for other_model in sorted(other_models, key=lambda candidate: _size_differences(candidate, model)):
        number = results_of(ask.lines, other_model.sizes)[-1]
        values = {"number": whole(number), "other": title_of(other_model), "model": model_title(model)}
        yield WrongAnswer((f"model:{other_model.name}",), number, (), fill(text, **values))


def model_title(model: Model) -> str:
    """The name of a model in questions."""
    return model.title if model.name == MADE_UP else title_of(model)


def _confusable_models(model: Model) -> list[str]:
    """The names of the published models that may be confused with a BERT model, possibly including its own."""
    best_known_models, *groups = load_sets().draw["confused"]
    return next((names for names in groups if model.name in names), best_known_models)


def _sizes_of_question(model: Model) -> dict[str, int]:
    """The sizes that a question sets for any model: labels and tokens."""
    return {letter: model.sizes[letter] for letter in ("C", TOKENS) if letter in model.sizes}


def _size_differences(model: Model, other_model: Model) -> int:
    """The number of sizes in which two models differ."""
    return sum(size != other_model.sizes[letter] for letter, size in model.sizes.items())


def answers_from_sizes(ask: Ask, model: Model) -> Iterator[WrongAnswer]:
    """Yield the sizes that a question gives, as wrong answers. Letters with the same size share an answer."""
    letters_by_size: dict[int, list[str]] = {}
    for letter, size in given_sizes(ask, model.sizes).items():
        letters_by_size.setdefault(size, []).append(letter)
    for size, letters_of_size in letters_by_size.items():
        sizes_text = and_list([size_in_words(letter, size) for letter in letters_of_size])
        text = fill(load_sets().texts["other-size" if ask.is_size else "given"], number=whole(size), sizes=sizes_text)
        yield WrongAnswer((f"size:{''.join(letters_of_size)}",), size, (), text)


def given_sizes(ask: Ask, sizes: Mapping[str, int]) -> dict[str, int]:
    """The sizes that a question gives, including the number of labels only if the answer depends on it."""
    return {letter: size for letter, size in sizes.items() if letter != "C" or "C" in ask.letters}


def size_in_words(letter: str, size: int) -> str:
    """A size with its name and letter: `layers L = 12`."""
    sets = load_sets()
    return fill(sets.texts["size"], name=sets.names[letter], letter=letter, number=whole(size))


def merged_by_number(answers: Iterable[WrongAnswer], correct_number: int) -> tuple[WrongAnswer, ...]:
    """The wrong answers with positive, incorrect numbers. Answers with the same number are merged.

    A merged answer has the names of all ways that lead to its number, and the feedback of the first. If the first way
    is a wrong letter and another is a similar model, it has the feedback of both, because either is likely.
    """
    by_number: dict[int, list[WrongAnswer]] = {}
    for answer in answers:
        if answer.number > 0 and answer.number != correct_number:
            by_number.setdefault(answer.number, []).append(answer)
    return tuple(map(_merge, by_number.values()))


def _merge(answers: list[WrongAnswer]) -> WrongAnswer:
    """One answer for several with the same number, as `merged_by_number` explains."""
    first, *others = answers
    feedbacks = [first.feedback]
    if first.names[0].startswith("letter:"):
        feedbacks += [other.feedback for other in others if other.names[0].startswith("model:")][:1]
    return first._replace(
        feedback=" ".join(feedbacks), names=tuple(name for answer in answers for name in answer.names)
    )
