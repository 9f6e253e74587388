"""Checks quantities in words, such as "four times as wide", against conditions.

Such words are as much a claim as a number is. They are written next to a condition,
`F == 4 * H`, which is evaluated for every model to which they apply. If it is false,
the words are refused and the site is not built.

A condition compares whole numbers and fractions, and may combine comparisons with `and`, `or`
and `not`. Apart from numbers, strings and arithmetic, it may contain

- the letters of a model's sizes: `H`, `F`;
- `number(part, tag)`, `tensors(part, tag)` and `total(deviation, ...)`, counted
  in the class that `model_class` names;
- `effect(deviation)`; `divisors(H)`, the number of divisors of H; `rounded(number,
  figures)`, the number rounded to this many significant figures; and
  `conventions(figures)`, the totals under all conventions, rounded in the same way;
- `operations(tokens)`, `multiply_adds(tokens)` and `step(tokens)` of the bare model;
- `changed(changes, "all")`, a count for a classifier with two labels, after changes;
  the second argument is a key of `mistakes.NUMBERS`. `changed_rows(changes, pattern)`
  is the number of its rows whose names match, and `trainable_in_rows(changes, pattern)` the
  number of trainable parameters in these rows;
- any of these for a named model: `base.L`, `large.number("bert/pooler")`.

Nothing else is allowed, and no text is ever run as Python.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from ..architecture import Choices
from ..changes.changed_model import ChangedModel
from ..changes.mistakes import NUMBERS
from ..changes.rows import ChangedRow
from ..deviations import load_deviations
from ..errors import LONGEST_WORD, BadCondition, CountingError, FalseWords, entry_of, label, quote
from ..models import COURSE, Model, load_models, model_named
from ..operations import Operations
from ..polynomials import Polynomial
from ..question import Question, count
from ..question import effect as effect_of
from .conventions import load_conventions

MODEL_NAMES = {"base": "bert-base-uncased", "large": "bert-large-uncased", "tiny": "bert_uncased_L-2_H-128_A-2"}
"""The models that a condition may name, such as `base` in `base.L`."""

BOTH, PUBLISHED, EVERY = "base and large", "published", "every"
"""The models that words may be about: BERT base and BERT large; all checkpoints in `models.toml`; or all models there.

Only `EVERY` includes the group `COURSE`, which was never released. None of the three includes a relative.
"""

COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda number, numbers: number in numbers,
    ast.NotIn: lambda number, numbers: number not in numbers,
}
"""The comparisons that a condition may make."""

ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: Fraction,
    ast.Mod: operator.mod,
}
"""The arithmetic that a condition may contain."""


def says(words: str, condition: str, model: str = BOTH) -> str:
    """The words unchanged, after a check that their condition is true of every model that they are about.

    Args:
        words: the words on the page.
        condition: the condition; see the docstring of this module.
        model: the name of a model, or `BOTH`, `PUBLISHED` or `EVERY`.

    Raises:
        FalseWords: the condition is false for a model; the message names the words, the condition and the model.
        BadCondition: the condition cannot be read or worked out.

    >>> says("four times as wide", "F == 4 * H")
    'four times as wide'
    """
    for subject in _models(model):
        if not holds(condition, subject):
            raise FalseWords(
                f"{quote(words)} is not true of {subject.name}: {label(condition, LONGEST_WORD)}; "
                "reword the claim, or correct the condition"
            )
    return words


def _models(model: str) -> list[Model]:
    """The models that `says` checks for this name."""
    if model == BOTH:
        return [model_named(MODEL_NAMES[name]) for name in ("base", "large")]
    if model in (PUBLISHED, EVERY):
        return [candidate for candidate in load_models().values() if model == EVERY or candidate.group != COURSE]
    return [model_named(model)]


@cache
def _parse(condition: str) -> ast.expr:
    """The syntax tree of a condition.

    Raises:
        BadCondition: it is not an expression.
    """
    try:
        return ast.parse(condition, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadCondition(f"{quote(condition)} cannot be read; write a comparison such as F == 4 * H") from None


def holds(condition: str, model: Model) -> bool:
    """Whether a condition is true of a model.

    Raises:
        BadCondition: the condition cannot be evaluated; for example, it is not
            a comparison.

    >>> holds("F == 4 * H and 2 * number('bert/pooler') < number()", model_named("bert-base-uncased"))
    True
    """
    try:
        answer = _value(_parse(condition), model)
    except BadCondition as error:
        raise BadCondition(f"{quote(condition)}: {error}") from None
    except (CountingError, ArithmeticError, TypeError) as error:
        raise BadCondition(f"{quote(condition)}, for {model.name}: {error}") from None
    if not isinstance(answer, bool):
        raise BadCondition(f"{quote(condition)} is not a comparison; write one, such as F == 4 * H")
    return answer


def whole_value(expression: str, model: Model) -> int:
    """The value of an expression in the notation of conditions, which must be a whole number.

    Raises:
        BadCondition: the expression cannot be read, or its value is not a whole number.

    >>> whole_value("V / 2", model_named("bert-base-uncased"))
    15261
    """
    number = _value(_parse(expression), model)
    if isinstance(number, bool) or not isinstance(number, int | Fraction) or number.denominator != 1:
        raise BadCondition(f"{quote(expression)} is not a whole number; write one, such as 4 * H")
    return int(number)


def _value(node: ast.expr, model: Model) -> Any:
    """The value of a part of a condition: a number, a set of numbers, a string, or true or false.

    Only the kinds of syntax nodes below are evaluated, and only by the code here, so no code from a page is run.

    Raises:
        BadCondition: the part is none of these kinds, or it names an unknown size, model or function.
    """
    match node:
        case ast.BoolOp(op=ast.And()):
            return all(_value(value, model) for value in node.values)
        case ast.BoolOp():
            return any(_value(value, model) for value in node.values)
        case ast.UnaryOp(op=ast.Not()):
            return not _value(node.operand, model)
        case ast.BinOp() if type(node.op) in ARITHMETIC:
            return ARITHMETIC[type(node.op)](_value(node.left, model), _value(node.right, model))
        case ast.Compare():
            return _comparison(node, model)
        case ast.Constant(value=int() | str()) if not isinstance(node.value, bool):
            return node.value
        case ast.Name():
            return entry_of(model.sizes, "size", node.id, BadCondition)
        case ast.Attribute(value=ast.Name()):
            return entry_of(_model_of(node.value).sizes, "size", node.attr, BadCondition)
        case ast.Call():
            return _call(node, model)
    raise BadCondition(f"{label(ast.unparse(node))} is not understood; compare sizes and counts")


def _comparison(node: ast.Compare, model: Model) -> bool:
    """Whether a comparison is true; a chain such as `H < F < V` is true if it is true of all neighbours.

    Raises:
        BadCondition: it compares with an operator that is not in `COMPARISONS`, such as `is`.
    """
    values = [_value(side, model) for side in (node.left, *node.comparators)]
    # Not strict, because the last value has no right neighbour.
    neighbours = zip(node.ops, values, values[1:], strict=False)
    for comparison in node.ops:
        if type(comparison) not in COMPARISONS:
            raise BadCondition(
                f"{label(ast.unparse(node))} is not understood; compare with ==, !=, <, <=, >, >=, in or not in"
            )
    return all(COMPARISONS[type(comparison)](left, right) for comparison, left, right in neighbours)


def _call(node: ast.Call, model: Model) -> Any:
    """The result of one of `FUNCTIONS`, for the model or for the model that is named before a dot.

    Raises:
        BadCondition: the call is not of this form, or there is no such function or model.
    """
    match node.func:
        case ast.Name(id=name):
            subject = model
        case ast.Attribute(value=ast.Name(), attr=name):
            subject = _model_of(node.func.value)
        case _:
            raise BadCondition(f"{label(ast.unparse(node))} is not understood; call a function by its name")
    function = entry_of(FUNCTIONS, "function", name, BadCondition)
    options = {str(keyword.arg): _value(keyword.value, model) for keyword in node.keywords}
    return function(subject, *(_value(argument, model) for argument in node.args), **options)


def _model_of(node: ast.expr) -> Model:
    """The model that is named before a dot, such as `base`.

    Raises:
        BadCondition: there is no model of that name.
    """
    return model_named(entry_of(MODEL_NAMES, "model", ast.unparse(node), BadCondition))


def _tensor_count(model: Model, part: str = "", tag: str = "", model_class: str = "") -> int:
    """The number of tensors of a part."""
    return Question(model, model_class, part, tag).tensor_count


def _total(model: Model, *deviations: str, model_class: str = "", tied: int = 1) -> int:
    """The total of a class, counted with deviations; `tied` is 0 or 1, because a condition has no word for true."""
    return Question(model, model_class, choices=Choices(tied=bool(tied)), deviations=deviations).number


def _rounded_number(_: Model, number: int, figures: int) -> int:
    """A number rounded to this many significant figures, halves up."""
    unit: int = 10 ** max(len(str(number)) - figures, 0)
    return (number + unit // 2) // unit * unit


def _rounded_totals(model: Model, figures: int) -> set[int]:
    """The totals of a model under all conventions, rounded to this many significant figures."""
    return {
        _rounded_number(model, convention.question(model).number, figures) for convention in load_conventions().values()
    }


def _operations(model: Model, tokens: int) -> Operations:
    """The operations of the bare model on one text."""
    return Operations(Question(model), tokens)


def _changed_classifier(model: Model, changes: str) -> ChangedModel:
    """The classifier of a model after changes, which are separated by spaces."""
    return ChangedModel.build(Question(model, "BertForSequenceClassification"), changes.split())


def _rows_named(model: ChangedModel, pattern: str) -> list[ChangedRow]:
    """The rows of a changed model whose names contain a match for the pattern."""
    return [row for row in model.rows if re.search(pattern, row.full_name)]


def _trainable_parameters_in(model: ChangedModel, pattern: str) -> int:
    """The number of trainable parameters in the rows whose names contain a match for the pattern."""
    terms = tuple(term for row in _rows_named(model, pattern) for term in row.trainable_terms)
    return Polynomial(terms).value(model.sizes)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "number": count,
    "tensors": _tensor_count,
    "total": _total,
    "effect": effect_of,
    "divisors": lambda _, size: sum(size % divisor == 0 for divisor in range(1, size + 1)),
    "rounded": _rounded_number,
    "conventions": _rounded_totals,
    "operations": lambda model, tokens: _operations(model, tokens).forward,
    "multiply_adds": lambda model, tokens: _operations(model, tokens).multiply_adds,
    "step": lambda model, tokens: _operations(model, tokens).step,
    "changed": lambda model, changes, number="trained": NUMBERS[number](_changed_classifier(model, changes)),
    "changed_rows": lambda model, changes, pattern: len(_rows_named(_changed_classifier(model, changes), pattern)),
    "trainable_in_rows": lambda model, changes, pattern: _trainable_parameters_in(
        _changed_classifier(model, changes), pattern
    ),
}
"""The functions that a condition may call, by name. Each takes the model as its first argument."""


@cache
def check_deviations() -> None:
    """Check the words of every deviation against their conditions.

    A deviation's texts are used in answers about any model, so they must be true of every
    model. The exception is `notice`, which is printed only for BERT base and BERT large.

    Raises:
        FalseWords, BadCondition: as for `check_words`; the message names the deviation.
    """
    for deviation in load_deviations().values():
        texts = (deviation.title, deviation.done, deviation.undo, deviation.why)
        conditions = [(words, condition) for words, condition in deviation.holds if _is_in(words, texts)]
        notice_conditions = [entry for entry in deviation.holds if entry not in conditions]
        check_words(deviation.name, texts, conditions, EVERY)
        check_words(deviation.name, (deviation.notice,), notice_conditions, BOTH)


def check_words(location: str, texts: Sequence[str], conditions: Iterable[tuple[str, str]], model: str) -> None:
    """Check words in some texts against their conditions.

    Args:
        location: the beginning of an error message, such as the name of a deviation.
        texts: the texts, at least one of which must contain the words.
        conditions: pairs of words and their condition.
        model: the models that the words are about, as for `says`.

    Raises:
        FalseWords: a condition is false; the message begins with `location`.
        BadCondition: a condition cannot be worked out, or none of the texts contains its words.
    """
    for words, condition in conditions:
        if not _is_in(words, texts):
            raise BadCondition(f"{location}: {quote(words)} is in none of its texts; write words that are")
        try:
            says(words, condition, model)
        except (FalseWords, BadCondition) as error:
            raise type(error)(f"{location}: {error}") from None


def _is_in(words: str, texts: Sequence[str]) -> bool:
    """Whether any of the texts contains the words."""
    return any(words in text for text in texts)
