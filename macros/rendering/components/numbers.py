"""Numbers on a page: `<data>` elements that explain how they are computed.

The attribute `value` is for programs, and the text is for readers. `data-how` contains the working: usually the formula
and the sum that ends with the number. The working of a size is its configuration key. A number that is not derived from
anything, such as a rank that a page chose or a number of recorded models, has no working and cannot be focused.
`docs/assets/pages/pop-over.js` shows the working with the model and the class; without scripts, the style sheet
does.

The other `data-` attributes record the question that the number answers, so that a test can ask it again.
Publishing removes them; see `publish/questions.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import log

from macros.counting import BERT, CountingError, Polynomial, Question, count, model_named
from macros.counting.deviations import deviation_named
from macros.counting.errors import UnknownPart, entry_of, quote, suggestion
from macros.counting.memory import UNITS, MemoryItems, bytes_of
from macros.counting.polynomials import substitute
from macros.counting.published.bridges import bridge
from macros.counting.question import class_on_pages
from macros.counting.sum_lines import plain_line, sum_lines

from . import words
from .asking import choices_of, model_of
from .counted_paths import paths_of
from .permalinks import permalink

MINUS = "−"
"""The minus sign that readers see; Python formats numbers with a hyphen."""

DEFAULT_VALUES = ("", None, "count", "BertModel")
"""Attribute values that are omitted to keep pages small, because most numbers are counts of BertModel.

A number that belongs to a model but not to a class, such as a size, has an empty `data-class` instead.
"""


def data(value: int | str, text: str, working: str, **question: object) -> str:
    """A number as HTML.

    Args:
        value: the value for programs, without thousands separators or units.
        text: the text that readers see.
        working: the lines of the working; empty if the number is not derived from anything.
        question: the question for the `data-` attributes; `class_` becomes `data-class`.
    """
    attribute_values = {
        key.strip("_").replace("_", "-"): str(value) for key, value in question.items() if value not in DEFAULT_VALUES
    }
    if "model" in question and "class" not in question and "class_" not in question:
        attribute_values["class"] = ""
    attributes = "".join(f' data-{key}="{escape(value)}"' for key, value in attribute_values.items())
    # Line breaks are written as references, because Markdown ends an HTML element in a heading at a literal one.
    escaped_working = escape(working).replace("\n", "&#10;")
    explanation = f' data-how="{escaped_working}" tabindex="0"' if working else ""
    return f'<data value="{value}"{attributes}{explanation}>{escape(text)}</data>'


def in_full(number: int, working: str, **question: object) -> str:
    """A whole number as HTML, with all its digits; other arguments as for `data`."""
    return data(number, whole(number), working, **question)


def whole(number: int) -> str:
    """An integer with commas between thousands and a true minus sign.

    >>> whole(-590592)
    '−590,592'
    """
    return f"{number:,}".replace("-", MINUS)


SMALLEST_SHARE = 0.1
"""The smallest percentage that is shown as a number."""


def percentage(part: int, total: int) -> str:
    """A share as a percentage to one decimal place, or "under 0.1%" if a positive share would be rounded to 0.0%.

    >>> percentage(1, 3), percentage(1, 30_000)
    ('33.3%', 'under 0.1%')
    """
    percent = 100 * part / total
    return f"under {SMALLEST_SHARE}%" if 0 < percent < SMALLEST_SHARE / 2 else f"{percent:.1f}%"


def error(percent: float) -> tuple[str, str]:
    """A relative error in words, and as a signed percentage for the end of a working.

    >>> error(-0.136), error(0)
    (('0.14% too low', '−0.14%'), ('exact', '0%'))
    """
    if percent == 0:
        return "exact", "0%"
    unsigned_text = f"{abs(percent):.2f}%"
    if percent > 0:
        return f"{unsigned_text} too high", f"+{unsigned_text}"
    return f"{unsigned_text} too low", f"{MINUS}{unsigned_text}"


def tally(number: int) -> str:
    """The number of entries in one of the site's lists, as HTML.

    It does not depend on the sizes of a model, so the test that builds the site with different sizes ignores it.

    >>> tally(1183)
    '<span class="bc-tally">1,183</span>'
    """
    return f'<span class="bc-tally">{whole(number)}</span>'


def with_sign(number: int) -> str:
    """A difference with its sign; zero has none.

    >>> with_sign(590592)
    '+590,592'
    """
    return f"+{whole(number)}" if number > 0 else whole(number)


MAX_LINES = 6
"""The maximum number of lines of the sum in a working."""


def parameters(question: Question, *, brief: bool = False, linked: bool = False) -> str:
    """The number of parameters that a question counts.

    `brief` is for tables with many numbers; their working is that of `in_brief`. `linked` adds the paths of the
    counted tensors, so that the page can highlight the number; a table row that has paths itself does not need them.
    """
    working = in_brief(question) if brief else _in_lines(question)
    attributes = question_attributes(question) | ({"paths": " ".join(paths_of(question))} if linked else {})
    return in_full(question.number, _with_choices(working, question), kind="count", **attributes)


def _in_lines(question: Question) -> str:
    """The formula of a question and its sum; if the sum has several lines, each begins with its label.

    If there is nothing to compute, as for a single vector, the result is that of `equation`: "H = 768". For a tied
    tensor, it is `TIED_WORKING`.
    """
    lines = sum_lines(question, MAX_LINES)
    if not lines:
        return TIED_WORKING
    formula = question.polynomial.formula()
    if len(lines) > 1:
        text = "\n".join(f"{label}: {line}" for label, line in zip(words.labels(lines), lines, strict=True))
    elif lines[0].has_arithmetic:
        text = str(lines[0])
    else:
        return equation(formula, str(lines[0]))
    return f"{formula}\n{text}"


def in_brief(question: Question) -> str:
    """The working of a question without labels: the formula with numbers substituted, and its result.

    If the question has deviations, the working is that of their effect, and a line that adds it to the correct number.
    """
    if question.deviations:
        correct_number = question._replace(deviations=()).number
        return "\n".join(
            [*_effect_working(question), str(plain_line(correct_number, question.number - correct_number))]
        )
    if not question.polynomial.terms:
        return TIED_WORKING
    return working_of(question.polynomial, question.sizes, has_formula=False)


def equation(formula: str, result: str) -> str:
    """A one-letter formula with its value, `H = 768`; for a number, a text that says that it is always the same."""
    return f"{formula} = {result}" if formula != result else f"the same whatever the sizes: {result}"


TIED_WORKING = "tied to the weights of another tensor, which are counted there: 0"
"""The working of a tied tensor, which adds nothing."""


def working_of(polynomial: Polynomial, sizes: Mapping[str, int], *, has_formula: bool = True) -> str:
    """The working of a polynomial: its formula, then the formula with numbers substituted and its result."""
    formula = polynomial.formula()
    working = polynomial.working(sizes)
    result = whole(polynomial.value(sizes))
    if working == result:
        return equation(formula, result)
    return f"{formula}\n{working} = {result}" if has_formula else f"{working} = {result}"


def bytes_working(summands: Sequence[MemoryItems], workings_of_counts: Mapping[int, str] | None = None) -> str:
    """The working of a size in bytes: the workings of numbers of items, the meaning of each summand, then the sum.

    Args:
        summands: the items in memory.
        workings_of_counts: the workings of some numbers, which are included if they are numbers of these items.
    """
    if not summands:
        return "nothing is kept: 0 bytes"
    lines_of_counts = [(workings_of_counts or {}).get(item.number, "") for item in summands]
    pieces = " + ".join(f"{whole(item.number)} × {whole(item.bytes_per_item)}" for item in summands)
    first, *further_items = (f"{whole(item.bytes_per_item)} for each {item.kind}" for item in summands)
    unit = "byte" if summands[0].bytes_per_item == 1 else "bytes"
    meanings = ", ".join([first.replace(" for", f" {unit} for", 1), *further_items])
    sum_line = f"{pieces} = {whole(sum(item.bytes for item in summands))} bytes"
    return "\n".join([*dict.fromkeys(filter(None, lines_of_counts)), meanings, sum_line])


def share(question: Question, reference: Question, *, precisely: bool = False) -> str:
    """One part as a percentage of another, `reference`.

    `precisely` shows "0.035%", for example, instead of "under 0.1%".
    """
    text = percentage(question.number, reference.number)
    # If the text is only "under 0.1%", the value and the working have the digits.
    precise_text = f"{100 * question.number / reference.number:#.2g}%" if text.startswith("under") else text
    text = precise_text if precisely else text
    lines = [in_brief(part) for part in (question, reference) if part != part.whole]
    lines.append(f"{whole(question.number)} ÷ {whole(reference.number)} ≈ {precise_text}")
    if precise_text != text:
        lines.append(f"shown as {text}")
    working = "\n".join(lines)
    attributes = {**question_attributes(question), "of_part": reference.part, "of_tag": reference.tag}
    attributes |= {"precisely": "yes"} if precisely else {}
    return data(precise_text.removesuffix("%"), text, _with_choices(working, question), kind="share", **attributes)


def tensor_count(question: Question) -> str:
    """The number of tensors that a question counts; a tied tensor is not counted again, as in transformers."""
    note = "tensors, not parameters: first those outside the layers, then those in each layer"
    working = _with_choices(f"{tensors_working(question)}\n{note}", question)
    return in_full(question.tensor_count, working, kind="tensors", **question_attributes(question))


def tensors_working(question: Question) -> str:
    """The number of tensors as the sum of those outside the layers and those in the layers."""
    number = question.tensor_count
    layers = question.architecture.depth(question.sizes)
    per_layer = sum(row.is_per_layer for row in question.rows)
    return f"{whole(number - layers * per_layer)} + {layers} × {per_layer} = {whole(number)}"


def size(letter: str, model: str) -> str:
    """A size of a model, by its letter or its config key.

    Raises:
        UnknownModel: there is no such model.
        UnknownPart: the model has no such size.
    """
    checkpoint = model_of(model)
    symbols = checkpoint.architecture.symbols
    symbol = next((candidate for candidate in symbols if letter in (candidate.letter, candidate.key)), None)
    if symbol is None:
        keys = [candidate.key for candidate in symbols]
        raise UnknownPart(f"no size {quote(letter)}; {suggestion(letter, keys)}")
    number = checkpoint.sizes[symbol.letter]
    return in_full(number, f"{symbol.letter} = {symbol.key} {IN_CONFIGURATION}", kind="size", model=model)


IN_CONFIGURATION = "in the configuration of"
"""The source of a size. The pop-over names the model on the next line."""


def example(number: int) -> str:
    """A number that a page chose as an example, such as a rank; it needs no explanation."""
    return in_full(number, "", kind="given", given=number)


def head_width(model: str) -> str:
    """The number of features per attention head of a model."""
    heads, hidden_size = (model_of(model).sizes[letter] for letter in "AH")
    width = hidden_size // heads
    return in_full(width, f"H / A\n{hidden_size} ÷ {heads} = {width}", kind="head-width", model=model, heads=heads)


def deviating_total(names: Sequence[str], model: str) -> str:
    """The total that results from deviations, in the class in which pages show them.

    Raises:
        CountingError: there is no such model or deviation, no deviation is named, pages show them in
            different classes, or they exclude each other.
    """
    deviations = [deviation_named(name) for name in names]
    classes = {class_on_pages(deviation, BERT) for deviation in deviations}
    if len(classes) != 1:
        raise CountingError(f"deviations of one model class are needed, got {', '.join(sorted(classes)) or 'none'}")
    question = Question(model_named(model), classes.pop(), deviations=tuple(names))
    return deviating_number(question, " · ".join(deviation.title for deviation in deviations))


SIGN_OF_TERM = re.compile(r" ([+−])(?=\S)")
"""Matches the sign between two terms in the formulas of steps."""


def _effect_working(question: Question) -> list[str]:
    """The lines that work out the effect of a question's deviations: the formula, then the formula with numbers.

    The list is empty if the deviations have no effect.
    """
    correct_question = question._replace(deviations=())
    steps = bridge(correct_question, question)
    if not steps:
        return []
    terms = " ".join(step.formula for step in steps).removeprefix("+")
    formula = SIGN_OF_TERM.sub(r" \1 ", terms)
    working = substitute(formula, question.model.sizes)
    result = whole(question.number - correct_question.number)
    return [f"{formula} = {result}"] if working == result else [formula, f"{working} = {result}"]


def deviating_number(question: Question, title: str) -> str:
    """The number that results from the deviations of a question.

    Args:
        question: a question about a class or part of it, with or without deviations.
        title: the first lines of the working, which name the deviations.
    """
    attributes = {"deviations": " ".join(question.deviations), **question_attributes(question)}
    return in_full(question.number, f"{title}\n{in_brief(question)}".lstrip(), kind="deviating", **attributes)


def deviation_effect(name: str, model: str) -> str:
    """The signed amount by which a deviation changes the total."""
    deviation = deviation_named(name)
    question = Question(model_named(model), class_on_pages(deviation, BERT), deviations=(name,))
    attributes = {"deviation": name, "model": model, "class": question.model_class}
    return _effect_of_deviations(question, **attributes)


def net_effect(names: Sequence[str], question: Question) -> str:
    """The signed amount by which several deviations combined change the number of a question."""
    attributes = {"deviations": " ".join(names), **question_attributes(question)}
    return _effect_of_deviations(question._replace(deviations=tuple(names)), **attributes)


def _effect_of_deviations(question: Question, **attributes: object) -> str:
    """The signed amount by which the deviations of a question change its number.

    Args:
        question: the question with its deviations.
        attributes: the attributes that record the question.
    """
    correct_number = question._replace(deviations=()).number
    number = question.number - correct_number
    titles = [deviation.title for deviation in question.resolved_deviations]
    lines = [in_brief(question)] if number else [str(plain_line(correct_number, -correct_number))]
    return data(number, with_sign(number), "\n".join([*titles, *lines]), kind="effect", **attributes)


def in_millions(question: Question, figures: int) -> str:
    """The number of parameters that a question counts, in millions, rounded to `figures` significant figures."""
    return rounded_millions(question.number, figures, in_brief(question), **question_attributes(question))


def rounded_millions(number: int, figures: int, working: str, **question: object) -> str:
    """A number in millions, rounded half up to `figures` significant figures, such as `110M`.

    Other arguments are as for `data`.
    """
    # `round` would round halves to even, so this uses integer arithmetic.
    zeros = len(str(number)) - figures
    nearest = (number + 10**zeros // 2) // 10**zeros * 10**zeros
    text = f"{nearest / 10**6:,.{max(6 - zeros, 0)}f}M"
    working = f"{working}\nrounded to {figures} figures: {text}"
    return data(nearest, text, working, kind="rounded", figures=figures, **question)


def added_by_one(letter: str, model: str, model_class: str) -> str:
    """The number of parameters that increasing a size by one adds to a total."""
    checkpoint = model_named(model)
    old_size = checkpoint.sizes[letter]
    polynomial = formula_of_one_more(letter, model, model_class)
    working = (
        f"{letter} = {whole(old_size + 1)} instead of {whole(old_size)}\n{working_of(polynomial, checkpoint.sizes)}"
    )
    number = polynomial.value(checkpoint.sizes)
    return in_full(number, working, kind="marginal", letter=letter, model=model, class_=model_class)


def formula_of_one_more(letter: str, model: str, model_class: str) -> Polynomial:
    """The symbolic formula for the parameters that one more of a size adds to a total."""
    checkpoint = model_named(model)
    larger_model = checkpoint.resized(**{letter: checkpoint.sizes[letter] + 1})
    (step,) = bridge(Question(checkpoint, model_class), Question(larger_model, model_class))
    return step.summands[0].polynomial


def more_heads(model: str) -> str:
    """The number of parameters that one head per feature, which is the maximum, would add: none."""
    checkpoint = model_named(model)
    larger_total = count(checkpoint.resized(A=checkpoint.sizes["H"]))
    smaller_total = count(checkpoint)
    working = (
        f"no shape depends on A\n{whole(larger_total)} − {whole(smaller_total)} = {whole(larger_total - smaller_total)}"
    )
    return in_full(larger_total - smaller_total, working, kind="more-heads", model=model, class_="BertModel")


def bytes_text(question: Question, dtype: str, unit: str, values_per_parameter: int = 1) -> str:
    """The memory that parameters take up, in a unit and to one decimal place.

    Args:
        question: the question that counts the parameters.
        dtype: the data type of each value.
        unit: a key of `UNITS`.
        values_per_parameter: the number of values stored for each parameter.

    Raises:
        CountingError: there is no such unit.
        UnknownDtype: there is no such data type.
    """
    number, bytes_line = _in_bytes(question, dtype, values_per_parameter)
    text, division = in_unit(number, unit)
    working = _with_choices(f"{bytes_line}, {dtype}\n{division}", question)
    attributes = {"dtype": dtype, "unit": unit, "copies": values_per_parameter, **question_attributes(question)}
    return data(number, text, working, kind="bytes", **attributes)


def bytes_in_lines(question: Question, dtype: str, units: Sequence[str]) -> str:
    """The memory that parameters take up, worked out line by line: in bytes, then in each unit.

    Raises:
        CountingError: there is no such unit.
        UnknownDtype: there is no such data type.
    """
    number, bytes_line = _in_bytes(question, dtype)
    lines = {f"in {dtype}": bytes_line, **{f"in {unit}": in_unit(number, unit)[1] for unit in units}}
    result = lines[f"in {units[-1]}"].rpartition("≈ ")[2]
    return sum_in_lines(lines, f'data-dtype="{dtype}" data-model="{question.model.name}" data-result="{result}"')


def sum_in_lines(lines: Mapping[str, str], attributes: str) -> str:
    """A sum as a list of labelled lines.

    Args:
        lines: each line by its label.
        attributes: HTML attributes that record the question.
    """
    return labelled_lines(
        ((label, f'<span class="bc-line-of-sum">{line}</span>') for label, line in lines.items()), attributes
    )


def labelled_lines(lines: Iterable[tuple[str, str]], attributes: str) -> str:
    """A list of lines, each with its label.

    Args:
        lines: each line after its label, both as HTML.
        attributes: HTML attributes that record the question.
    """
    items = "".join(f'<li><span class="bc-what">{label}</span> {line}</li>' for label, line in lines)
    return f'<ol class="bc-steps" {attributes.lstrip()}>{items}</ol>'


def titled_sum(name: str, title: str, lines: Mapping[str, str], attributes: str, after: str = "") -> str:
    """A sum as a list of labelled lines below a title with a permalink.

    Args:
        name: the id of the block.
        title: the title as HTML, without a colon.
        lines: each line by its label.
        attributes: HTML attributes that record the question.
        after: HTML that follows the sum.
    """
    head = f"<p>{title}:&nbsp;{permalink(name, 'sum')}</p>"
    return f'<div id="{name}">{head}{sum_in_lines(lines, attributes)}{after}</div>'


def _in_bytes(question: Question, dtype: str, values_per_parameter: int = 1) -> tuple[int, str]:
    """The bytes of all parameters, and the line that works them out."""
    per_parameter = bytes_of(1, dtype) * values_per_parameter
    number = per_parameter * question.number
    unit = "byte" if per_parameter == 1 else "bytes"
    return number, f"{whole(question.number)} parameters × {per_parameter} {unit} = {whole(number)} bytes"


def in_unit(number: int, unit: str) -> tuple[str, str]:
    """A number of bytes in a unit, to one decimal place, and the line of the working that converts it."""
    unit_size = entry_of(UNITS, "unit", unit)
    text = f"{number / unit_size:,.1f}"
    return text, f"{whole(number)} ÷ {power(unit_size)} ≈ {text} {unit}"


def power(number: int) -> str:
    """A power of ten or of two, written with its exponent: 10⁶."""
    base = 10 if number % 10 == 0 else 2  # no power of two is divisible by ten
    exponent = round(log(number, base))
    return f"{base}{str(exponent).translate(SUPERSCRIPTS)}"


SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""The superscript form of each digit."""


def _with_choices(working: str, question: Question) -> str:
    """The working, followed by a line that names the choices, if there are any."""
    choices = choices_of(question)
    return f"{working}\n{choices}" if choices else working


def question_attributes(question: Question) -> dict[str, object]:
    """The attributes that record a question, by name without `data-`.

    Of its choices, they record only those that macros take, the pooler and the tie.
    """
    attributes: dict[str, object] = {
        "part": question.part,
        "tag": question.tag,
        "model": question.model.name,
        "class": question.resolved_class.name,
    }
    if question.choices.pooler is not None:
        attributes["pooler"] = str(question.choices.pooler).lower()
    if question.choices.tied is False:
        attributes["tied"] = "false"
    return attributes
