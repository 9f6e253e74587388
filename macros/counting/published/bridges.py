"""Bridges: the signed steps from the number of one question to the number of another, each with its formula.

First the deviations of the start are undone, then sizes change letter by letter,
then blocks are added or dropped, or the decoder is tied or untied, and finally the
deviations of the end are made. A deviation at both ends stays in place, unless a change
of sizes would alter its effect. Each step leads from one question to the next, so the
steps add up exactly to the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from ..deviations import deviation_named, load_deviations
from ..polynomials import ALL_BUT_FIRST, Polynomial, Term, substitute
from ..question import NOT_COUNTED, Item, Question
from ..steps import Step, chain

Items = Mapping[str, Item]

UNDO, MAKE, SIZE, BLOCK, TYING = "undo", "make", "size", "block", "tying"
"""The kinds of steps: undo or make a deviation, change a size, add or drop a block, and tie or untie the decoder."""


class Summand(NamedTuple):
    """One term in the formula of a step: a polynomial and the factor before it.

    Attributes:
        factor: the text of the factor with its sign, such as `"−"`, `"+2·"` or `"+(A − 1)·"`.
        polynomial: the polynomial that the factor multiplies.
    """

    factor: str
    polynomial: Polynomial

    def formula(self) -> str:
        """The term as a symbolic formula with its sign."""
        formula = self.polynomial.formula()
        return self.factor + (f"({formula})" if self.is_sum else formula)

    @property
    def is_sum(self) -> bool:
        """Whether the polynomial is a sum, which needs brackets after a factor."""
        groups = self.polynomial.groups()
        return len(groups) > 1 or (len(groups[0][1]) > 1 and not groups[0][0])


@dataclass(frozen=True, kw_only=True)
class BridgeStep(Step):
    """One step of a bridge. Its name is a deviation, a letter or a block; empty if the decoder's tying changes.

    Attributes:
        kind: one of `UNDO`, `MAKE`, `SIZE`, `BLOCK` and `TYING`.
        summands: the terms of its formula.
        sizes: the sizes before the step, which are substituted into its formula.
    """

    kind: str
    summands: tuple[Summand, ...]
    sizes: Mapping[str, int]


def bridge(start: Question, end: Question) -> tuple[BridgeStep, ...]:
    """The steps from the number of one question to the number of another about the same architecture.

    Steps that change nothing are left out. The others add up to
    `end.number - start.number`.

    Raises:
        CountingError: as for `Question`.

    >>> from ..models import model_named
    >>> base = model_named("bert-base-uncased")
    >>> [step.formula for step in bridge(Question(base, deviations=("pooler-left-out",)), Question(base))]
    ['+(H² + H)']
    """
    start, end = _spell_out(start), _spell_out(end)
    shared_names = {name for name in start.deviations if name in end.deviations}
    # A deviation at both ends is kept throughout, unless its effect depends on a size that changes between them.
    constant_names = {name for name in shared_names if not _effect_changes(name, start.sizes, end.sizes)}
    questions = [start]
    for name in sorted(set(start.deviations) - constant_names, key=lambda name: _order_key(name, start)):
        remaining_names = tuple(other for other in questions[-1].deviations if other != name)
        questions.append(questions[-1]._replace(deviations=remaining_names))
    questions += _resized_questions(questions[-1], end)
    questions.append(questions[-1]._replace(model_class=end.model_class, choices=end.choices))
    # Deviations that change sizes come first, so that a factor such as P/H does not change after its step.
    for name in sorted(
        set(end.deviations) - constant_names, key=lambda name: (not _resizes(name), _order_key(name, end))
    ):
        questions.append(questions[-1]._replace(deviations=(*questions[-1].deviations, name)))
    steps = (step for question, next_question in pairwise(questions) for step in _steps(question, next_question))
    return chain(start.number, steps, end.number)


def letter_order(question: Question) -> str:
    """The letters in the order in which pages list them, as a string.

    A is left out if no shape contains it; it then changes in the same step as H.
    """
    architecture = question.architecture
    omitted_letters = {"A"} - architecture.letters_in(architecture.rows)
    return "".join(symbol.letter for symbol in architecture.symbols if symbol.letter not in omitted_letters)


def _resizes(name: str) -> bool:
    """Whether the deviation with this name changes a size."""
    return bool(deviation_named(name).resized)


def _effect_changes(name: str, old_sizes: Mapping[str, int], new_sizes: Mapping[str, int]) -> bool:
    """Whether the effect of a deviation depends on a size that differs between two models.

    Only its factor, the size that it sets and the shapes that it counts instead are searched for letters.
    """
    deviation = deviation_named(name)
    searched_text = deviation.factor + deviation.resized.partition(" = ")[2] + deviation.instead
    return any(old_sizes[letter] != new_sizes[letter] for letter in old_sizes if letter in searched_text)


def _order_key(name: str, question: Question) -> tuple[int, int]:
    """A key that sorts deviations: the index of the first row that the deviation touches, and then its own index.

    A deviation that touches no row comes last.
    """
    rows = question.architecture.rows
    indices = [index for index, row in enumerate(rows) if deviation_named(name).touches(row)]
    return min(indices, default=len(rows)), list(load_deviations()).index(name)


def _spell_out(question: Question) -> Question:
    """Replace a short formula for the whole model, such as 12·L·H², by the deviations in its `same_as`.

    The question stays as it is if they do not lead to the same number.
    """
    rows = question.whole.rows
    names = [name for deviation in question.resolved_deviations for name in (deviation.same_as or (deviation.name,))]
    names = [name for name in names if deviation_named(name).fits(rows, question.architecture)]
    spelled_out_question = question._replace(deviations=tuple(names))
    return spelled_out_question if spelled_out_question.number == question.number else question


def _resized_questions(question: Question, end: Question) -> Iterator[Question]:
    """The questions that follow this one on the way to the model of `end`, each with one more letter at its new size.

    A changes with H if it has no step of its own. The last question is about the model of `end` itself.
    """
    letters = letter_order(question)
    for letter in letters:
        if question.model.sizes[letter] != end.model.sizes[letter]:
            new_sizes = {letter: end.model.sizes[letter]}
            if letter == "H" and "A" not in letters:
                new_sizes["A"] = end.model.sizes["A"]
            question = question._replace(model=question.model.resized(**new_sizes))
            yield question
    yield question._replace(model=end.model)


def _steps(start: Question, end: Question) -> Iterator[BridgeStep]:
    """The steps from one question to the next: a single step, or one per block if the class changes."""
    old_items = {item.path: item for item in start.items}
    new_items = {item.path: item for item in end.items}
    if start.resolved_class == end.resolved_class:
        yield _step(old_items, new_items, start, end)
        return
    for block in start.architecture.blocks:
        old_in_block = {path: item for path, item in old_items.items() if item.block == block}
        new_in_block = {path: item for path, item in new_items.items() if item.block == block}
        yield replace(_step(old_in_block, new_in_block, start, end), kind=BLOCK, name=block)


def _step(old_items: Items, new_items: Items, start: Question, end: Question) -> BridgeStep:
    """The step from some items of one question to those of the next."""
    old_sizes, new_sizes = start.sizes, end.sizes
    value = _total(new_items, new_sizes) - _total(old_items, old_sizes)
    letter = next((letter for letter in letter_order(start) if old_sizes[letter] != new_sizes[letter]), "")
    # A new size changes rows, and may also add or remove rows.
    summands = (*_terms_of_size(new_items, letter, old_sizes, new_sizes), *_terms_of_factors(old_items, new_items))
    formula = " ".join(summand.formula() for summand in summands)
    kind, name = _kind_and_name(start, end, letter)
    return BridgeStep(
        name=name,
        value=value,
        formula=formula,
        working=substitute(formula, old_sizes),
        kind=kind,
        summands=summands,
        sizes=old_sizes,
    )


def _kind_and_name(start: Question, end: Question, letter: str) -> tuple[str, str]:
    """The kind and the name of a step. Deviations are compared first, because they may change a size as well."""
    changed_names = set(start.deviations) ^ set(end.deviations)
    if changed_names:
        (changed_name,) = changed_names  # a step makes or undoes one deviation
        return UNDO if changed_name in start.deviations else MAKE, changed_name
    return (SIZE, letter) if letter else (TYING, "")


def _total(items: Items, sizes: Mapping[str, int]) -> int:
    """The sum of all items for these sizes."""
    return sum(item.number(sizes) for item in items.values())


def _terms_of_factors(old_items: Items, new_items: Items) -> Iterator[Summand]:
    """The terms for items whose factors differ before and after; items with the same factors share a term."""
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Polynomial]] = {}
    for path in dict.fromkeys([*old_items, *new_items]):
        item = new_items.get(path) or old_items[path]
        factors = tuple(side[path].factors if path in side else NOT_COUNTED for side in (old_items, new_items))
        if factors[0] != factors[1]:
            groups.setdefault((factors[0], factors[1]), []).append(item.polynomial)
    for (old_factors, new_factors), polynomials in groups.items():
        yield Summand(_factor_text(old_factors, new_factors), Polynomial.total(polynomials))


def _terms_of_size(
    items: Items, letter: str, old_sizes: Mapping[str, int], new_sizes: Mapping[str, int]
) -> Iterator[Summand]:
    """The terms for a new size of `letter`: the difference of the sizes, or of their squares, times the cofactor."""
    if not letter:
        return
    groups: dict[tuple[str, ...], list[Polynomial]] = {}
    for item in items.values():
        for power, superscript in ((1, ""), (2, "²")):
            cofactor = _cofactor(item.polynomial, letter, power)
            difference = f"({new_sizes[letter]:,}{superscript} − {old_sizes[letter]:,}{superscript})"
            if item.factors != NOT_COUNTED and cofactor.terms:
                groups.setdefault((difference, *item.factors), []).append(cofactor)
    for factors, cofactors in groups.items():
        yield Summand("+" + "".join(f"{factor}·" for factor in factors), Polynomial.total(cofactors))


def _cofactor(polynomial: Polynomial, letter: str, power: int) -> Polynomial:
    """The other factors of the terms in which `letter` has exactly this power."""
    products = (product for term in polynomial.terms for product in term.expanded)
    return Polynomial(
        tuple(
            Term(
                product.coefficient, _letters_without(product.letters, letter), _letters_without(product.layers, letter)
            )
            for product in products
            # (L − 1) is treated like L, because it changes by the same amount.
            if product.all_letters.count(letter) + product.all_letters.count(ALL_BUT_FIRST.format(letter)) == power
        )
    )


def _letters_without(letters: tuple[str, ...], letter: str) -> tuple[str, ...]:
    """These letters without `letter`, and without `letter` minus 1."""
    return tuple(other for other in letters if other not in (letter, ALL_BUT_FIRST.format(letter)))


def _factor_text(old_factors: tuple[str, ...], new_factors: tuple[str, ...]) -> str:
    """The text of the factor, with its sign, for items whose factors change from the old to the new ones."""
    if "−1" in (*old_factors, *new_factors):  # the items are subtracted, so the sign is the opposite
        return "+" if new_factors == NOT_COUNTED else "−"
    if new_factors == NOT_COUNTED:
        return "−" + "".join(f"{factor}·" for factor in old_factors)
    if old_factors == NOT_COUNTED:
        return "+" + "".join(f"{factor}·" for factor in new_factors)
    return f"+({'·'.join(new_factors) or '1'} − {'·'.join(old_factors) or '1'})·"
