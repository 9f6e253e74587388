"""Wrong answers to an exercise, and the feedback that a teacher would give to each.

A wrong answer is a number that at least one known way leads to. The ways come from four sources,
and if several lead to the same number, the first source gives the feedback:

1. Miscounts: deviations, both the known ones and those that only exercises leave room for; then
   slips in the sum.
2. The correct answer for another model.
3. A size that is given in the question.
4. A bias, or another vector, taken for one number.

Within an exercise the diagnosis is certain: the question is known, so whoever types one of these
numbers got it in one of the listed ways. If several different deviations lead to it, the feedback
names them all ("either ..., or ..."). `docs/assets/exercises/wrong.js` follows the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from macros.counting import BadChoice, Model, Question, model_named
from macros.counting.deviations import CONVENTION, Deviation, load_deviations
from macros.counting.operations import TOKENS
from macros.counting.question import LAYER_NUMBER, quotient
from macros.rendering.components.asking import title_of
from macros.rendering.components.numbers import whole

from .letter_sums import (
    DIVISOR_MARK,
    LINE_MARK,
    LetterLine,
    and_list,
    in_letters,
    results_of,
    with_letter,
    with_one_number_per_bias,
    with_things_counted_once,
    without_summand,
)
from .sets import MADE_UP, Ask, fill, load_sets

NOT_SHARED = "layers-not-shared"
"""The deviation that is possible only where layers share their weights."""

TIMES_HEADS = "times-heads"
"""The deviation that is possible only where attention is asked for with its output projection; for query, key and value
alone, or a matrix, the engine has deviations about heads."""

ONE_BIAS = "bias-left-out"
"""The deviation that is possible only where there is a single bias, so that nobody left out several."""

ATTENTION = "self-attention"
"""The block of the four projections of attention."""

OUTPUT_PROJECTION = "/attention/output/dense/"
"""The text in the path of every tensor of the output projection."""

EVERY_BIAS = "biases-left-out"
"""The engine's deviation that gives the same number as `ONE_BIAS` where there is a single bias."""


class WrongAnswer(NamedTuple):
    """A wrong number with a teacher's comment.

    Attributes:
        names: all ways that lead to the number: deviations by name, and slips, models or sizes such as
            `stopped:3`.
        number: the number itself.
        titles: the titles of the deviations among them; slips, models and sizes have none.
        feedback: the teacher's comment.
    """

    names: tuple[str, ...]
    number: int
    titles: tuple[str, ...]
    feedback: str


def wrong_answers(question: Question, ask: Ask) -> tuple[WrongAnswer, ...]:
    """Every known wrong answer to a question about a number, without repetition; miscounts come first."""
    model = question.model
    answers = [
        *miscounts(question, ask),
        *of_other_models(ask, model),
        *of_sizes(ask, model),
        *slip_answers(single_numbers(ask), model.sizes),
    ]
    return merged_by_number(answers, ask.number(model))


def miscounts(question: Question, ask: Ask) -> tuple[WrongAnswer, ...]:
    """Every known miscount of a question, without repetition; deviations come before slips."""
    by_number: dict[int, list[Deviation]] = {}
    model = question.model
    # The engine's deviations are about its own sums; a declared sum has only its declared mistakes.
    numbers_of_engine = () if ask.declares_sum else (*_numbers_of_exercises(question), *deviating_numbers(question))
    for deviation, number in (*_numbers_of_trained(ask, model), *numbers_of_engine):
        by_number.setdefault(number, []).append(deviation)
    answers = []
    for number, deviations in by_number.items():
        names = tuple(deviation.name for deviation in deviations)
        titles = tuple(deviation.title for deviation in deviations)
        feedback = _feedback(_without_equal_effects(deviations, question), number, model)
        answers.append(WrongAnswer(names, number, titles, feedback))
    return merged_by_number([*answers, *slip_answers(slips_in_letters(ask), model.sizes)], ask.number(model))


def _numbers_of_trained(ask: Ask, model: Model) -> Iterator[tuple[Deviation, int]]:
    """The deviations that give another number of trained parameters, each with its number."""
    for deviation in deviations_of_trained(ask):
        sizes = deviation.resize(model).sizes
        if sizes != model.sizes:
            yield deviation, results_of(ask.lines, sizes)[-1]


def deviations_of_trained(ask: Ask) -> list[Deviation]:
    """The deviations that apply to trained parameters: those that replace a size which the sum uses."""
    if not ask.changes:
        return []
    return [
        deviation for deviation in load_sets().deviations if deviation.resized and deviation.resized[0] in ask.letters
    ]


def _without_equal_effects(deviations: list[Deviation], question: Question) -> list[Deviation]:
    """The deviations, only one of each group that has the same effect on the question.

    Leaving out the biases of attention and leaving out all biases are the same mistake in a
    question about attention. Of such a group, the deviation that touches the fewest tensors is kept,
    because it describes the mistake most closely.
    """
    if len(deviations) == 1:
        return deviations
    narrowest: dict[object, Deviation] = {}
    for deviation in deviations:
        paths = tuple(row.path for row in question.rows if deviation.touches(row))
        size = _replaced_size(deviation, question.model)
        effect = (paths, deviation.factor, deviation.adds, deviation.instead, size)
        if effect not in narrowest or reach(deviation, question) < reach(narrowest[effect], question):
            narrowest[effect] = deviation
    return list(narrowest.values())


def reach(deviation: Deviation, question: Question) -> int:
    """The number of tensors of the whole class that a deviation touches.

    A deviation that only exercises leave room for is about a part, so only the tensors of that part count.
    """
    rows = question.rows if deviation in load_sets().deviations else question.whole.rows
    return sum(map(deviation.touches, rows))


def _replaced_size(deviation: Deviation, model: Model) -> tuple[str, int] | None:
    """The letter whose size a deviation replaces, and the size that it puts there; None if it replaces none."""
    letter = deviation.resized[:1]
    return (letter, deviation.resize(model).sizes[letter]) if letter else None


def _numbers_of_exercises(question: Question) -> Iterator[tuple[Deviation, int]]:
    """The deviations that are possible only in exercises and that give another number, each with its number."""
    for deviation in load_sets().deviations:
        if not fits_exercise(deviation, question):
            continue
        number = _number_in_exercise(deviation, question)
        if number != question.number:
            yield deviation, number


def _number_in_exercise(deviation: Deviation, question: Question) -> int:
    """The number that a deviation leads to which only exercises leave room for."""
    if deviation.name == ONE_BIAS:
        return question._replace(deviations=(EVERY_BIAS,)).number
    times, _ = quotient(deviation.factor, question.model.sizes)
    return times * question._replace(model=deviation.resize(question.model)).number


def fits_exercise(deviation: Deviation, question: Question) -> bool:
    """Whether a deviation that only exercises leave room for is possible in a question.

    Counting all layers, for example, is possible only if the question is about one layer.
    """
    if deviation.name == NOT_SHARED:
        return question.part == "bert/encoder" and "L" not in question.architecture.layers
    if deviation.name == TIMES_HEADS:
        has_output = any(OUTPUT_PROJECTION in row.path for row in question.rows)
        return has_output and len(question.rows) > 1 and all(row.block == ATTENTION for row in question.rows)
    if deviation.name == ONE_BIAS:
        return sum(map(deviation.touches, question.rows)) == 1 and len(question.rows) > 1
    return "L" not in deviation.factor or bool(LAYER_NUMBER.search(question.part))


def deviating_numbers(question: Question) -> Iterator[tuple[Deviation, int]]:
    """The known deviations that fit a question and give another number, each with its number."""
    correct_number = question.number
    for deviation in fitting_deviations(question):
        try:
            number = question._replace(deviations=(deviation.name,)).number
        except BadChoice:  # it does not fit this class, or leaves a fraction
            continue
        if number > 0 and number != correct_number:
            yield deviation, number


def fitting_deviations(question: Question) -> list[Deviation]:
    """The known deviations that can be about a question; some may still not fit its class.

    Tensors that are added to a whole model, or counted instead of it, belong to no part of it. And
    within one layer there are no other layers to share weights with.
    """
    deviations = list(load_deviations().values())
    if question.part or question.tag:
        deviations = [deviation for deviation in deviations if not (deviation.adds or deviation.instead)]
    if LAYER_NUMBER.search(question.part):
        deviations = [deviation for deviation in deviations if "L" not in deviation.factor]
    return deviations


def action(deviation: Deviation, model: Model) -> str:
    """The student's mistake in words: "left the number of labels at its default (C = 2 instead of 18)"."""
    new_size = _replaced_size(deviation, model)
    if not new_size:
        return deviation.done
    letter, size = new_size
    values = {"done": deviation.done, "letter": letter, "taken": whole(size), "number": whole(model.sizes[letter])}
    return fill(load_sets().texts["taken"], **values)


def _feedback(deviations: list[Deviation], number: int, model: Model) -> str:
    """The feedback to a number that one deviation, or any of several, leads to."""
    texts = load_sets().texts
    if len(deviations) > 1:
        ways = (
            fill(
                texts["way-forgotten" if _is_remedy_clear(deviation) else "way"],
                done=action(deviation, model),
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
        done=action(deviation, model),
        undo=deviation.undo,
        why=deviation.why,
    ).rstrip()


def _is_remedy_clear(deviation: Deviation) -> bool:
    """Whether the mistake says how to put it right: "left out the pooler" says that the pooler has to be added."""
    return deviation.undo.startswith("add ") and deviation.done.endswith(deviation.undo.removeprefix("add"))


# --- Slips in the sum ---------------------------------------------------------------


class Slip(NamedTuple):
    """A slip in a sum.

    Attributes:
        name: the kind of slip and its line or letter, such as `stopped:3`.
        text: the name of its feedback under `[texts]`.
        lines: the sum as it comes out with the slip.
        values: the words that replace names in the feedback, apart from numbers.
    """

    name: str
    text: str
    lines: tuple[LetterLine, ...]
    values: Mapping[str, str]


def slip_answers(slips: Iterable[Slip], sizes: Mapping[str, int]) -> Iterator[WrongAnswer]:
    """The wrong answers that slips lead to for some sizes."""
    for slip in slips:
        number = results_of(slip.lines, sizes)[-1]
        values = dict(slip.values)
        if values.get("times") in sizes:
            values["times"] = whole(sizes[values["times"]])
        text = fill(load_sets().texts[slip.text], number=whole(number), **values)
        yield WrongAnswer((slip.name,), number, (), text)


def slips_in_letters(ask: Ask) -> Iterator[Slip]:
    """Every slip in a sum, as a symbolic sum: first those of this question, then those that any sum allows."""
    last_line = ask.lines[-1]
    multiplied = tuple(summand._replace(factors=("L", *summand.factors)) for summand in last_line.summands)
    all_layers = Slip("layers", "layers", (*ask.lines[:-1], last_line._replace(summands=multiplied)), {})
    is_one_layer = ask.declares_sum and LAYER_NUMBER.search(ask.part)
    if is_one_layer and ask.cost:
        yield all_layers
    for name, line in ask.known:
        yield Slip(name, name, (*ask.lines[:-1], line), {})
    # This comes after the known lines, because some models have as many heads as layers, and counting all heads is the
    # likelier mistake in a question about one head.
    if is_one_layer and not ask.cost:
        yield all_layers
    if ask.changes:
        # Counting the whole model instead of the part that is trained.
        yield Slip("frozen", "frozen", in_letters(ask.example, ask.model_class, "", ""), {})
    yield from common_slips(ask.lines, [letter for letter in CONFUSABLE if letter in model_named(ask.example).sizes])


def common_slips(lines: tuple[LetterLine, ...], confusable: Sequence[str] = ()) -> Iterator[Slip]:
    """Slips that any sum allows: stopping early, dropping a term, counting several things once, or a wrong letter."""
    for index, line in enumerate(lines[:-1]):
        text = "stopped" if index else "first"
        yield Slip(f"stopped:{index}", text, lines[: index + 1], {"what": line.sentence})
    for index, line in enumerate(lines):
        for position, summand in enumerate(line.summands):
            summand_name = f"{index}.{position}"
            if len(line.summands) > 1:
                yield Slip(
                    f"lacking:{summand_name}",
                    "lacking",
                    without_summand(lines, index, position),
                    {"every": summand.every},
                )
            if summand.times:
                values = {"what": summand.label, "times": summand.times}
                yield Slip(f"once:{summand_name}", "once", with_things_counted_once(lines, index, position), values)
    # Letters are confused only in a sum of one line: in a longer one, a letter means different things in different
    # lines. A divided letter is never replaced, because only H is sure to leave no fraction.
    if len(lines) > 1 or any(factor[0] == DIVISOR_MARK for factor in lines[0].summands[0].factors):
        return
    for letter in dict.fromkeys(lines[0].summands[0].factors):
        for replacement in confusable:
            if letter in confusable and replacement != letter:
                values = {"letter": letter, "other": replacement}
                yield Slip(f"letter:{letter}.{replacement}", "letter", with_letter(lines, letter, replacement), values)


def single_numbers(ask: Ask) -> Iterator[Slip]:
    """A bias, or another vector that is asked for, taken for one number.

    These are not among the miscounts: exercises with options draw from the miscounts, and a seed must keep drawing the
    same ones.
    """
    if ask.single:
        (size,) = ask.lines[-1].summands
        single_line = LetterLine("", (size._replace(factors=("1",)),))
        yield _single_slip(ask.single, (single_line,), size.factors[0] if len(size.factors) == 1 else HEAD_WIDTH)
        return
    lines, sizes = with_one_number_per_bias(ask.lines)
    if sizes:
        name = f"{ONE_NUMBER}bias" if len(sizes) == 1 else f"{ONE_NUMBER}biases"
        yield _single_slip(name, lines, HEAD_WIDTH if sizes[0][0] == LINE_MARK else sizes[0])


def _single_slip(text: str, lines: tuple[LetterLine, ...], size: str) -> Slip:
    """The slip of counting one number in place of a size."""
    return Slip(text, text, lines, {"what": "", "times": size})


ONE_NUMBER = "single-"
"""The start of the names of slips that take a vector for one number."""

HEAD_WIDTH = "H / A"
"""The width of a head, which is the size of its slice of a bias."""

CONFUSABLE = "VPSHFE"
"""The letters that may be mistaken for one another in the shape of a tensor."""


# --- Right answers to other questions --------------------------------------------------


def of_other_models(ask: Ask, model: Model) -> Iterator[WrongAnswer]:
    """The correct answers for models that may be mistaken for this one, the most similar model first."""
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
    """The name of a model as questions use it."""
    return model.title if model.name == MADE_UP else title_of(model)


def _confusable_models(model: Model) -> list[str]:
    """The names of the published models that a BERT may be mistaken for, its own among them."""
    best_known, *others = load_sets().draw["confused"]
    return next((names for names in others if model.name in names), best_known)


def _sizes_of_question(model: Model) -> dict[str, int]:
    """The sizes that a question sets whichever model it is about: labels and tokens."""
    return {letter: model.sizes[letter] for letter in ("C", TOKENS) if letter in model.sizes}


def _size_differences(model: Model, other_model: Model) -> int:
    """The number of sizes in which two models differ."""
    return sum(size != other_model.sizes[letter] for letter, size in model.sizes.items())


def of_sizes(ask: Ask, model: Model) -> Iterator[WrongAnswer]:
    """The sizes that a question gives, as answers; letters with the same number share one."""
    letters_by_size: dict[int, list[str]] = {}
    for letter, size in given_sizes(ask, model.sizes).items():
        letters_by_size.setdefault(size, []).append(letter)
    for size, letters_of_size in letters_by_size.items():
        sizes = and_list([size_in_words(letter, size) for letter in letters_of_size])
        text = fill(load_sets().texts["other-size" if ask.is_size else "given"], number=whole(size), sizes=sizes)
        yield WrongAnswer((f"size:{''.join(letters_of_size)}",), size, (), text)


def given_sizes(ask: Ask, sizes: Mapping[str, int]) -> dict[str, int]:
    """The sizes that a question gives, including the number of labels only if the answer depends on it."""
    return {letter: size for letter, size in sizes.items() if letter != "C" or "C" in ask.letters}


def size_in_words(letter: str, size: int) -> str:
    """A size with its name and letter: `layers L = 12`."""
    sets = load_sets()
    return fill(sets.texts["size"], name=sets.names[letter], letter=letter, number=whole(size))


def merged_by_number(answers: Iterable[WrongAnswer], correct_number: int) -> tuple[WrongAnswer, ...]:
    """The wrong answers without the correct number, merged where they give the same number.

    A merged answer has the feedback of the first way that leads to its number, and the names of all. A wrong letter is
    as likely as a similar model, so a number that both lead to has the feedback of both.
    """
    by_number: dict[int, list[WrongAnswer]] = {}
    for wrong in answers:
        if wrong.number > 0 and wrong.number != correct_number:
            by_number.setdefault(wrong.number, []).append(wrong)
    return tuple(_merged(same_number) for same_number in by_number.values())


def _merged(same_number: list[WrongAnswer]) -> WrongAnswer:
    """One wrong answer for several with the same number."""
    first, *others = same_number
    feedbacks = [first.feedback]
    if first.names[0].startswith("letter:"):
        feedbacks += [wrong.feedback for wrong in others if wrong.names[0].startswith("model:")][:1]
    return first._replace(
        feedback=" ".join(feedbacks), names=tuple(name for wrong in same_number for name in wrong.names)
    )
