"""An exercise: a variant of a set, drawn from a seed.

The rule of drawing, in this order, each draw as `chance` makes it from the
text `set:seed`: which of the set's questions is asked; where it names models,
which of them, and else whether the model has sizes of its own, and if so V, P,
S, L and H, or which published one it is;
C where the class leaves it open, and T where operations are asked for; then what the kind of exercise draws
besides. What a set opens with is not drawn, and a tensor whose number stands
among the sizes gives way to the set's first question.
`docs/assets/exercises/exercise.js` follows the same rule, and a test compares
the two to the letter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from macros.counting import BERT, Changed, Model, Question, model_named
from macros.counting.errors import shown
from macros.counting.memory import BYTES, TRAINING_COPIES, UNITS
from macros.counting.operations import TOKENS
from macros.rendering.components import words
from macros.rendering.components.numbers import whole

from .chance import Chance
from .letter_sums import WorkedLine, listed, with_sizes
from .sets import (
    BRACES,
    CONFIGURATION,
    MEMORY,
    MISTAKE,
    NUMBER,
    OWN,
    SHARE,
    Ask,
    Set,
    UnknownExercise,
    filled,
    load_sets,
    set_named,
)
from .wrong import (
    Wrong,
    called,
    deviating_numbers,
    distinct,
    given_sizes,
    miscounts,
    of_other_models,
    size_in_words,
    wrong_answers,
)

MOST = 999_999
"""The largest seed."""

FIRST = 1
"""The seed of the first variant."""

DRAWN = "VPSLH"
"""The sizes that are drawn, in this order; the others follow from them."""


class SolutionLine(NamedTuple):
    """A line of a solution: what it counts, and the line."""

    what: str
    text: str


class Option(NamedTuple):
    """One of several answers, whether it is right, and what a teacher says to it."""

    name: str
    text: str
    right: bool
    feedback: str


class Exercise(NamedTuple):
    """A variant of a set.

    Attributes:
        set, seed: which one it is, as in its address.
        kind: what an answer is; see sets.py.
        asked: the question whose number is the answer, or the total that options are chosen by.
        text: what is asked.
        given: the sizes of the model, as text; empty where the options give them.
        answer: the number; bytes for memory.
        unit: what the answer counts, `"parameters"`, `"bytes"`, `"FLOPs"` or `"MACs"`.
        hints: what helps, in steps; none of them holds the answer.
        solution: the sum to the last digit.
        wrong: every wrong answer that is known.
        options: what to choose from; empty where a number is typed.
        ledger: the count that holds the mistake, block by block.
        ask: the question of the set.
    """

    set: str
    seed: int
    kind: str
    asked: Question
    ask: Ask
    text: str
    given: str
    answer: int
    unit: str
    hints: tuple[str, ...]
    solution: tuple[SolutionLine, ...]
    wrong: tuple[Wrong, ...] = ()
    options: tuple[Option, ...] = ()
    ledger: tuple[SolutionLine, ...] = ()

    @property
    def address(self) -> str:
        """What follows the address of the page of exercises."""
        return f"?set={self.set}&seed={self.seed}"


def exercise(name: str, seed: int) -> Exercise:
    """A variant of a set; the same for the same seed.

    Raises:
        UnknownExercise: there is no such set, or the seed is no whole number from 0 to `MOST`.

    >>> exercise("model", 1).unit
    'parameters'
    """
    chosen = set_named(name)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MOST:
        raise UnknownExercise(f"no variant {shown(seed)} of {name}; choose a whole number from 0 to {MOST}")
    return _variant(chosen.name, seed)


@cache
def _variant(name: str, seed: int) -> Exercise:
    chosen = set_named(name)
    chance = Chance(f"{name}:{seed}")
    ask = chance.one_of(chosen.asks)
    model = _drawn(chance, ask)
    if seed == FIRST and chosen.opens_with:
        ask, model = chosen.asks[0], model_named(chosen.opens_with)
    asked = _question(ask, model)
    if ask.is_tensor and ask.number(model) in model.sizes.values():
        ask = chosen.asks[0]
        asked = _question(ask, model)
    return MAKERS[chosen.kind](chosen, seed, chance, ask, asked)


def _question(ask: Ask, model: Model) -> Question:
    return Question(model, ask.model_class, ask.part, ask.tag)


def _drawn(chance: Chance, ask: Ask) -> Model:
    """A model with sizes of its own, or a published one."""
    sets = load_sets()
    if ask.models:
        model = model_named(chance.one_of(ask.models))
    elif chance.below(sets.draw["own"]) == 0:
        sizes = {letter: chance.one_of(sets.sizes[letter]) for letter in DRAWN}
        model = Model(OWN, BERT, _completed(sizes), title=sets.texts["drawn"])
    else:
        model = model_named(chance.one_of(sets.draw["models"]))
    if "C" in ask.letters and ask.model_class in sets.draw["labelled"]:
        model = model._replace(sizes={**model.sizes, "C": chance.one_of(sets.sizes["C"])})
    if ask.cost:
        lengths = [each for each in sets.sizes[TOKENS] if each <= model.sizes["P"]]
        model = model._replace(sizes={**model.sizes, TOKENS: chance.one_of(lengths)})
    return model


def _completed(sizes: Mapping[str, int]) -> dict[str, int]:
    """Sizes with those that usually follow from H, in the order of reading."""
    draw = load_sets().draw
    usual = {"F": draw["inner"] * sizes["H"], "A": sizes["H"] // draw["head"], "C": 2}
    return {symbol.letter: {**usual, **sizes}[symbol.letter] for symbol in BERT.symbols}


def _given(sizes: Mapping[str, int], ask: Ask) -> str:
    """The sizes of a model as text; labels only where they matter."""
    return ", ".join(size_in_words(*each) for each in given_sizes(ask, sizes).items())


def _texts(ask: Ask, asked: Question, lines: list[WorkedLine]) -> dict[str, str]:
    """What the texts of a set may fill in."""
    return {
        "part": ask.words,
        "model": called(asked.model),
        "class": ask.model_class,
        "purpose": asked.chosen.purpose,
        "unit": ask.unit,
        "formula": ask.formula,
        "step": ask.step,
        "first": lines[0].text if len(lines) > 1 else "",
    }


def _hints(chosen: Set, texts: Mapping[str, str], answer: int) -> tuple[str, ...]:
    """The set's hints, without those that would give the answer away or have nothing to say."""
    telling = [hint for hint in chosen.hints if all(texts[name] for name in BRACES.findall(hint))]
    hints = [filled(hint, **texts) for hint in telling]
    return tuple(hint for hint in hints if whole(answer) not in hint)


def _solution(ask: Ask, lines: list[WorkedLine]) -> tuple[SolutionLine, ...]:
    return tuple(SolutionLine(letters.what, line.text) for letters, line in zip(ask.lines, lines, strict=True))


def _of_number(chosen: Set, seed: int, _: Chance, ask: Ask, asked: Question) -> Exercise:
    lines = with_sizes(ask.lines, asked.model.sizes)
    texts = _texts(ask, asked, lines)
    made = _made(chosen, seed, ask, asked, lines, texts)
    return made._replace(wrong=wrong_answers(asked, ask))


def _made(
    chosen: Set, seed: int, ask: Ask, asked: Question, lines: list[WorkedLine], texts: Mapping[str, str]
) -> Exercise:
    """What exercises of all kinds have; that of a number but for its wrong answers."""
    answer = ask.number(asked.model)
    return Exercise(
        chosen.name,
        seed,
        chosen.kind,
        asked,
        ask,
        filled(chosen.text, **texts),
        _given(asked.model.sizes, ask),
        answer,
        ask.unit,
        _hints(chosen, texts, answer),
        _solution(ask, lines),
    )


# --- Memory ---------------------------------------------------------------------


def _of_memory(chosen: Set, seed: int, chance: Chance, ask: Ask, asked: Question) -> Exercise:
    dtype = chance.one_of(chosen.dtypes)
    lines = with_sizes(ask.lines, asked.model.sizes)
    answer = asked.number * BYTES[dtype]
    texts = {**_texts(ask, asked, lines), "dtype": dtype, "width": str(BYTES[dtype])}
    bytes_ = load_sets().texts["bytes"]
    steps = [SolutionLine(bytes_, f"{whole(asked.number)} × {BYTES[dtype]} = {whole(answer)}")]
    for unit in load_sets().units:
        for name, power in ((unit.decimal, unit.ten), (unit.binary, unit.two)):
            steps.append(SolutionLine(name, f"{whole(answer)} ÷ {power} ≈ {_in_unit(answer, UNITS[name])}"))
    made = _made(chosen, seed, ask, asked, lines, texts)
    return made._replace(
        answer=answer,
        unit="bytes",
        hints=_hints(chosen, texts, answer),
        solution=(*made.solution, *steps),
        wrong=_wrong_bytes(asked, ask, dtype),
    )


def _in_unit(number: int, unit: int) -> str:
    """Bytes in a unit, to two decimals, half a hundredth upwards."""
    hundredths = (200 * number + unit) // (2 * unit)
    return f"{whole(hundredths // 100)}.{hundredths % 100:02}"


def _wrong_bytes(asked: Question, ask: Ask, dtype: str) -> tuple[Wrong, ...]:
    """No bytes, those of another data type or of training, units mixed up, and what is wrong with the count itself."""
    texts, units, number, width = load_sets().texts, load_sets().units, asked.number, BYTES[dtype]
    right = number * width

    def wrong(name: str, amount: int, text: str, **more: object) -> Wrong:
        return Wrong((name,), amount, (), filled(texts[text], number=whole(amount), dtype=dtype, width=width, **more))

    found = [wrong("parameters", number, "parameters")]
    found += [wrong(f"dtype:{each}", number * BYTES[each], "dtype", other=each) for each in BYTES]
    found.append(wrong("training", right * len(TRAINING_COPIES), "training"))
    for unit in units:
        ten, two = UNITS[unit.decimal], UNITS[unit.binary]
        mixed = (
            (right * ten // two, unit.two, unit.binary, unit.decimal),
            (right * two // ten, unit.ten, unit.decimal, unit.binary),
        )
        found += [
            wrong(f"unit:{other}", amount, "unit", below=below, unit=of, other=other)
            for amount, below, of, other in mixed
        ]
    for each in (*miscounts(asked, ask), *of_other_models(ask, asked.model)):
        feedback = filled(texts["counted"], feedback=each.feedback)
        found.append(each._replace(number=each.number * width, feedback=feedback))
    return distinct(found, right)


# --- Options --------------------------------------------------------------------


def _of_configuration(chosen: Set, seed: int, chance: Chance, ask: Ask, asked: Question) -> Exercise:
    """Configurations with all combinations of two values of two letters, so that none stands out; one is meant."""
    said, drawn = load_sets().texts, asked.model.sizes
    one, two = chance.shuffled("VPLHF")[:2]
    others = {letter: chance.one_of(_others(letter, drawn)) for letter in (one, two)}
    changes = [{}, *({letter: size} for letter, size in others.items()), others]
    configurations = [_with_heads({**drawn, **each}) for each in changes]
    right = chance.one_of(configurations)
    meant = asked._replace(model=asked.model._replace(sizes=right))
    options = []
    for sizes in configurations:
        number = meant._replace(model=asked.model._replace(sizes=sizes)).number
        letters = [letter for letter in (one, two) if sizes[letter] != right[letter]]
        text = said["right" if not letters else "many" if number > meant.number else "few"]
        look = filled(said["and"], letter=letters[0], other=letters[1]) if len(letters) > 1 else "".join(letters)
        values = {"number": whole(meant.number), "other": whole(number), "letters": look}
        feedback = filled(text, **values, difference=whole(abs(number - meant.number)))
        options.append(Option("".join(letters) or "right", _given(sizes, ask), not letters, feedback))
    lines = with_sizes(ask.lines, right)
    texts = {**_texts(ask, meant, lines), "number": whole(meant.number)}
    texts["pieces"] = filled(said["and"], letter=one, other=two)
    made = _made(chosen, seed, ask, meant, lines, texts)
    return made._replace(given="", options=tuple(chance.shuffled(options)))


def _with_heads(sizes: Mapping[str, int]) -> dict[str, int]:
    """Sizes with heads of the usual width."""
    return {**sizes, "A": sizes["H"] // load_sets().draw["head"]}


def _others(letter: str, sizes: Mapping[str, int]) -> list[int]:
    """Other sizes that a letter may have; the inner width is a multiple of the hidden size."""
    listed = load_sets().sizes[letter]
    plausible = [times * sizes["H"] for times in listed] if letter == "F" else listed
    return [each for each in plausible if each != sizes[letter]]


def _of_share(chosen: Set, seed: int, chance: Chance, ask: Ask, asked: Question) -> Exercise:
    """The share of all parameters that is trained, among those that wrong counts of it lead to."""
    said = load_sets().texts
    made = _of_number(chosen, seed, chance, ask, asked)._replace(wrong=miscounts(asked, ask))
    all_ = Changed.of(asked, ask.changes).number

    def share(number: int) -> str:
        return f"{_in_unit(100 * number, all_)}%"

    feedback = filled(said["share"], number=whole(made.answer), other=whole(all_))
    options = {share(made.answer): Option("right", share(made.answer), True, feedback)}
    for each in chance.shuffled(made.wrong):
        text = share(each.number)
        feedback = filled(said["shared"], feedback=each.feedback)
        options.setdefault(text, Option(each.names[0], text, False, feedback))
    kept = list(options.values())[: load_sets().draw["options"] + 1]
    worked = SolutionLine(said["share_of"], f"{whole(made.answer)} ÷ {whole(all_)} ≈ {share(made.answer)}")
    return made._replace(wrong=(), solution=(*made.solution, worked), options=tuple(chance.shuffled(kept)))


def _of_mistake(chosen: Set, seed: int, chance: Chance, ask: Ask, asked: Question) -> Exercise:
    said = load_sets().texts
    differing = {each.name: (each, number) for each, number in deviating_numbers(asked)}
    plain = [differing[each] for each in chosen.mistakes if each in differing]
    made, got = chance.one_of(plain)
    others = [each for each in chance.shuffled(plain) if each[1] != got]
    different: dict[int, Any] = {number: each for each, number in reversed(others)}
    kept = [(each, number) for each, number in others if different[number] is each][: load_sets().draw["options"]]
    right = filled(said["found"], undo=made.undo, why=made.why)
    options = [Option(made.name, made.title, True, right)]
    for each, number in kept:
        feedback = filled(said["other"], other=whole(number), number=whole(got))
        options.append(Option(each.name, each.title, False, feedback))
    counted = asked._replace(deviations=(made.name,))
    blocks = [(each, asked.at("", each).number, counted.at("", each).number) for each in words.blocks_of(asked)]
    wrong = [each for each in blocks if each[1] != each[2]]
    lines = with_sizes(ask.lines, asked.model.sizes)
    texts = {**_texts(ask, asked, lines), "number": whole(got)}
    texts["pieces"] = listed([words.BLOCK_LABELS[block].in_all for block, _, _ in wrong])
    total = words.TOTAL.line
    steps = [SolutionLine(words.BLOCKS[block], _corrected(*numbers)) for block, *numbers in wrong]
    # Whoever leaves a block out has no line for it.
    ledger = [SolutionLine(words.BLOCKS[block], whole(number)) for block, _, number in blocks if number]
    return _made(chosen, seed, ask, asked, lines, texts)._replace(
        solution=(*steps, SolutionLine(total, _corrected(asked.number, got))),
        options=tuple(chance.shuffled(options)),
        ledger=(*ledger, SolutionLine(total, whole(got))),
    )


def _corrected(right: int, counted: int) -> str:
    """From a wrong number to the right one; the right one alone where there was none."""
    change = f"{'−' if right < counted else '+'} {whole(abs(right - counted))}"
    return f"{whole(counted)} {change} = {whole(right)}" if counted else whole(right)


MAKERS: Mapping[str, Callable[[Set, int, Chance, Ask, Question], Exercise]] = {
    NUMBER: _of_number,
    MEMORY: _of_memory,
    CONFIGURATION: _of_configuration,
    MISTAKE: _of_mistake,
    SHARE: _of_share,
}
"""What makes an exercise of each kind."""
