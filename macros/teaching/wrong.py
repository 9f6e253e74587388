"""Wrong answers, and what each of them means: deviations, those of exercises and the known ones, and slips in the sum.

After these come right answers to other questions: the same asked of another
model, and a size that is given. Within an exercise the diagnosis is certain: it is known what was asked, so a
number that a deviation leads to there was got in that way, or in another way
of the same list that leads to the same number. Those are told as one.
`docs/assets/exercises/wrong.js` follows the same rules.
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

from .letter_sums import LetterLine, counted_once, in_letters, listed, results_of, with_letter, without
from .sets import OWN, Ask, filled, load_sets

NOT_SHARED = "layers-not-shared"
"""The deviation of exercises that only layers which share their weights leave room for."""


class Wrong(NamedTuple):
    """A wrong answer: the names of what leads to it, its number, their titles, and what a teacher says to it.

    What is no deviation has the name of a slip, a model or a size, such as `stopped:3`, and no title.
    """

    names: tuple[str, ...]
    number: int
    titles: tuple[str, ...]
    feedback: str


def wrong_answers(asked: Question, ask: Ask) -> tuple[Wrong, ...]:
    """Every wrong answer to a question about a number, miscounts first; no two of the same number."""
    known = [*miscounts(asked, ask), *of_other_models(ask, asked.model), *of_sizes(ask, asked.model)]
    return distinct(known, ask.number(asked.model))


def miscounts(asked: Question, ask: Ask) -> tuple[Wrong, ...]:
    """Every known way to miscount what is asked, deviations first; no two of the same number."""
    deviating: dict[int, list[Deviation]] = {}
    sizes = asked.model.sizes
    right = ask.number(asked.model)
    plain = () if ask.is_written else (*_of_exercises(asked), *deviating_numbers(asked))
    for each, number in (*_of_trained(ask, asked.model), *plain):
        deviating.setdefault(number, []).append(each)
    found = []
    for number, made in deviating.items():
        names, titles = tuple(each.name for each in made), tuple(each.title for each in made)
        found.append(Wrong(names, number, titles, _feedback(_different(made, asked), number, asked.model)))
    return distinct([*found, *slips(ask, sizes)], right)


def _of_trained(ask: Ask, model: Model) -> Iterator[tuple[Deviation, int]]:
    """What leaves room for a mistake where it is asked what is trained of a changed model: the number of labels."""
    for each in of_trained(ask):
        taken = each.resize(model).sizes
        if taken != model.sizes:
            yield each, results_of(ask.lines, taken)[-1]


def of_trained(ask: Ask) -> list[Deviation]:
    """The deviations of exercises that take another size for a letter, where a changed model has it."""
    return [each for each in load_sets().deviations if ask.changes and each.resized and each.resized[0] in ask.letters]


def _different(made: list[Deviation], asked: Question) -> list[Deviation]:
    """Of deviations that do the same to what is asked, the one that does least besides."""
    if len(made) == 1:
        return made
    least: dict[object, Deviation] = {}
    for each in made:
        touched = tuple(row.path for row in asked.rows if each.touches(row))
        does = (touched, each.factor, each.adds, each.instead, _taken(each, asked.model))
        if does not in least or _reach(each, asked) < _reach(least[does], asked):
            least[does] = each
    return list(least.values())


def _reach(each: Deviation, asked: Question) -> int:
    """How many tensors of the class it touches."""
    return sum(map(each.touches, asked.at().rows))


def _taken(each: Deviation, model: Model) -> tuple[str, int] | None:
    """The letter that has another size, and this size."""
    return (each.resized[0], each.resize(model).sizes[each.resized[0]]) if each.resized else None


def _of_exercises(asked: Question) -> Iterator[tuple[Deviation, int]]:
    """What only exercises leave room for: all layers where one is meant, and two labels where others are given."""
    for each in load_sets().deviations:
        if not fits_exercise(each, asked):
            continue
        times, _ = quotient(each.factor, asked.model.sizes)
        number = times * asked._replace(model=each.resize(asked.model)).number
        if number != asked.number:
            yield each, number


def fits_exercise(each: Deviation, asked: Question) -> bool:
    """Whether a deviation of exercises can be made: where one layer is meant, others may be counted."""
    if each.name == NOT_SHARED:
        return asked.part == "bert/encoder" and "L" not in asked.architecture.layers
    return "L" not in each.factor or bool(LAYER_NUMBER.search(asked.part))


def deviating_numbers(asked: Question) -> Iterator[tuple[Deviation, int]]:
    """Each known deviation that fits and gives another number, with this number."""
    right = asked.number
    for each in fitting(asked):
        try:
            number = asked._replace(deviations=(each.name,)).number
        except BadChoice:
            continue
        if number > 0 and number != right:
            yield each, number


def fitting(asked: Question) -> list[Deviation]:
    """The known deviations that are about what is asked, though not all of them fit its class.

    What is added to a model, or counted instead of it, is no part of a part;
    and in one layer there are no other layers to share with.
    """
    found = list(load_deviations().values())
    if asked.part or asked.tag:
        found = [each for each in found if not (each.adds or each.instead)]
    return [each for each in found if "L" not in each.factor] if LAYER_NUMBER.search(asked.part) else found


def done(each: Deviation, model: Model) -> str:
    """What somebody did, with the size that was taken where it is that."""
    found = _taken(each, model)
    if not found:
        return each.done
    letter, size = found
    values = {"done": each.done, "letter": letter, "taken": whole(size), "number": whole(model.sizes[letter])}
    return filled(load_sets().texts["taken"], **values)


def _feedback(made: list[Deviation], number: int, model: Model) -> str:
    texts = load_sets().texts
    ways = [done(each, model) for each in made]
    if len(made) > 1:
        undo = " or ".join(each.undo for each in made)
        return filled(texts["either"], number=whole(number), done=", or ".join(ways), undo=undo)
    (each,) = made
    text = texts["convention" if each.kind == CONVENTION else "done"]
    return filled(text, number=whole(number), done=ways[0], undo=each.undo, why=each.why)


class Slip(NamedTuple):
    """A slip: its name, the name of its text, the sum that it leads to, and what the text fills in besides numbers."""

    name: str
    text: str
    lines: tuple[LetterLine, ...]
    values: Mapping[str, str]


def slips(ask: Ask, sizes: Mapping[str, int]) -> Iterator[Wrong]:
    """Every slip in a sum with sizes put in."""
    for each in slips_in_letters(ask):
        number = results_of(each.lines, sizes)[-1]
        values = dict(each.values)
        if values.get("times") in sizes:
            values["times"] = whole(sizes[values["times"]])
        text = filled(load_sets().texts[each.text], number=whole(number), **values)
        yield Wrong((each.name,), number, (), text)


def slips_in_letters(ask: Ask) -> Iterator[Slip]:
    """Those of layers, then those known of the question; of a model trained in part, one may have counted all."""
    if ask.cost and LAYER_NUMBER.search(ask.part):
        last = ask.lines[-1]
        every = tuple(each._replace(factors=("L", *each.factors)) for each in last.summands)
        yield Slip("layers", "layers", (*ask.lines[:-1], last._replace(summands=every)), {})
    for name, line in ask.known:
        yield Slip(name, name, (*ask.lines[:-1], line), {})
    if ask.changes:
        yield Slip("frozen", "frozen", in_letters(ask.example, ask.model_class, "", ""), {})
    yield from _in_sum(ask.lines, [each for each in TAKEN if each in model_named(ask.example).sizes])


def _in_sum(lines: tuple[LetterLine, ...], taken: Sequence[str]) -> Iterator[Slip]:
    """One stopped at a line, left a term out, counted equal things once, or took the wrong letter."""
    for place, line in enumerate(lines[:-1]):
        text = "stopped" if place else "first"
        yield Slip(f"stopped:{place}", text, lines[: place + 1], {"what": line.sentence})
    for place, line in enumerate(lines):
        for at, each in enumerate(line.summands):
            if len(line.summands) > 1:
                yield Slip(f"lacking:{place}.{at}", "lacking", without(lines, place, at), {"every": each.every})
            if each.times:
                values = {"what": each.what, "times": each.times}
                yield Slip(f"once:{place}.{at}", "once", counted_once(lines, place, at), values)
    if len(lines) > 1:
        return
    for letter in dict.fromkeys(lines[0].summands[0].factors):
        for other in taken:
            if letter in taken and other != letter:
                values = {"letter": letter, "other": other}
                yield Slip(f"letter:{letter}.{other}", "letter", with_letter(lines, letter, other), values)


TAKEN = "VPSHFE"
"""The letters that one may be taken for in the shape of a tensor."""


def of_other_models(ask: Ask, model: Model) -> Iterator[Wrong]:
    """The right answers for the models that it may be taken for, the one with the fewest other sizes first."""
    text = load_sets().texts["other-model"]
    names = ask.models or _taken_for(model)
    others = [other._replace(sizes={**other.sizes, **_of_question(model)}) for other in map(model_named, names)]
    for other in sorted(others, key=lambda each: _differing(each, model)):
        number = results_of(ask.lines, other.sizes)[-1]
        values = {"number": whole(number), "other": title_of(other), "model": called(model)}
        yield Wrong((f"model:{other.name}",), number, (), filled(text, **values))


def called(model: Model) -> str:
    """What a question calls its model."""
    return model.title if model.name == OWN else title_of(model)


def _taken_for(model: Model) -> list[str]:
    """The published models that a BERT may be taken for, itself among them."""
    first, *others = load_sets().draw["confused"]
    return next((names for names in others if model.name in names), first)


def _of_question(model: Model) -> dict[str, int]:
    """The sizes that a question sets, whichever model it asks about: labels and tokens."""
    return {letter: model.sizes[letter] for letter in ("C", TOKENS) if letter in model.sizes}


def _differing(one: Model, other: Model) -> int:
    """How many sizes of two models differ."""
    return sum(size != other.sizes[letter] for letter, size in one.sizes.items())


def of_sizes(ask: Ask, model: Model) -> Iterator[Wrong]:
    """The sizes that are given, those of one number together."""
    letters: dict[int, list[str]] = {}
    for letter, size in given_sizes(ask, model.sizes).items():
        letters.setdefault(size, []).append(letter)
    for size, alike in letters.items():
        sizes = listed([size_in_words(letter, size) for letter in alike])
        text = filled(load_sets().texts["given"], number=whole(size), sizes=sizes)
        yield Wrong((f"size:{''.join(alike)}",), size, (), text)


def given_sizes(ask: Ask, sizes: Mapping[str, int]) -> dict[str, int]:
    """The sizes that a question gives; labels only where they matter."""
    return {letter: size for letter, size in sizes.items() if letter != "C" or "C" in ask.letters}


def size_in_words(letter: str, size: int) -> str:
    """A size with its name: `layers L = 12`."""
    sets = load_sets()
    return filled(sets.texts["size"], name=sets.names[letter], letter=letter, number=whole(size))


def distinct(known: Iterable[Wrong], right: int) -> tuple[Wrong, ...]:
    """The first wrong answer of each number, without the right one, with the names of all that lead there."""
    found: dict[int, Wrong] = {}
    for each in known:
        if each.number > 0 and each.number != right:
            first = found.get(each.number)
            found[each.number] = first._replace(names=first.names + each.names) if first else each
    return tuple(found.values())
