"""Numbers on a page: `<data>` elements that say where they come from.

The machine-readable value is exact; the text is for reading. `data-how` has
the formula and the sum, worked out to the number that is shown; of a value
that nobody works out, such as a size, it says where that comes from. A script,
`docs/assets/pages/pop-over.js`, shows it with the model and the class; where
scripts do not run, the style sheet does. The other `data-` attributes repeat
the question, so that a test can ask it again; publishing removes them, see
`publish/questions.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log

from macros.counting import BERT, CountingError, Polynomial, Question, count, model_named, tensors
from macros.counting.activations import TrainingStep
from macros.counting.deviations import deviation_named
from macros.counting.errors import UnknownPart, entry_of, shown, suggestion
from macros.counting.memory import UNITS, Kept, bytes_of
from macros.counting.question import class_shown, effect
from macros.counting.sum_lines import sum_lines

from . import words
from .asking import choices_of

MINUS = "−"

USUAL = ("", None, "count", "BertModel")
"""Values that are left out of a question: most numbers are counts of BertModel, so this keeps pages small.

A number of a model that is of no class in particular has an empty `data-class`.
"""


def data(value: int | str, text: str, how: str, **question: object) -> str:
    """One number as HTML.

    Args:
        value: what the attribute `value` holds.
        text: what a reader sees.
        how: the formula, or what else says where the number comes from.
        question: what was asked, kept as `data-` attributes; `class_` as `data-class`.
    """
    kept = {key.strip("_").replace("_", "-"): str(each) for key, each in question.items() if each not in USUAL}
    if "model" in question and not {"class", "class_"} & {*question}:
        kept["class"] = ""
    attributes = "".join(f' data-{key}="{escape(each)}"' for key, each in kept.items())
    # A line break as a reference: Markdown ends an HTML element of a heading at a real one.
    shown_how = escape(how).replace("\n", "&#10;")
    return f'<data value="{value}"{attributes} data-how="{shown_how}" tabindex="0">{escape(text)}</data>'


def in_full(number: int, how: str, **question: object) -> str:
    """A whole number as HTML, all of its digits; arguments as for `data`."""
    return data(number, whole(number), how, **question)


def whole(number: int) -> str:
    """An integer as read: commas between thousands, a true minus sign.

    >>> whole(-590592)
    '−590,592'
    """
    return f"{number:,}".replace("-", MINUS)


LEAST_SHARE = 0.1
"""The least share that is shown as a number, in per cent."""


def percentage(part: int, of: int) -> str:
    """A share as read: to one decimal; what would round to nothing is said to be under the least.

    >>> percentage(1, 3), percentage(1, 30_000)
    ('33.3%', 'under 0.1%')
    """
    percent = 100 * part / of
    return f"under {LEAST_SHARE}%" if 0 < percent < LEAST_SHARE / 2 else f"{percent:.1f}%"


def tally(number: int) -> str:
    """How many entries a list of ours has, as HTML.

    It follows the list and no size of a model, so the test that builds the site from other sizes leaves it out.

    >>> tally(1183)
    '<span class="bc-tally">1,183</span>'
    """
    return f'<span class="bc-tally">{whole(number)}</span>'


def signed(number: int) -> str:
    """A change as read, with its sign.

    >>> signed(590592)
    '+590,592'
    """
    return f"+{whole(number)}" if number > 0 else whole(number)


LINES = 5
"""How many lines of a sum an explanation holds at most."""


def counted(asked: Question, *, brief: bool = False) -> str:
    """The number of parameters asked for; `brief` explains it by the last line of its sum alone."""
    how = in_lines(asked) if brief else in_lines(asked, LINES, formula=True)
    return in_full(asked.number, _with_choices(how, asked), kind="count", **question_of(asked))


def in_lines(asked: Question, most: int = 1, *, formula: bool = False) -> str:
    """The sum worked out in so many lines at most, as text; several lines say what each of them counts.

    With `formula` it begins with the formula; so does the only line of a
    vector, whose number is its length.
    """
    lines = sum_lines(asked, most)
    if not lines:
        return TIED
    if len(lines) > 1:
        text = "\n".join(f"{label}: {line}" for label, line in zip(words.labels(lines), lines, strict=True))
    elif lines[0].has_arithmetic:
        text = str(lines[0])
    else:
        return f"{asked.polynomial.formula()} = {lines[0]}"
    return f"{asked.polynomial.formula()}\n{text}" if formula else text


TIED = "these weights are tied to another tensor's, which are counted: 0"
"""How the number of what counts nothing comes about."""


def worked_out(letters: Polynomial, sizes: Mapping[str, int]) -> str:
    """A formula, and the same in numbers to the result, as text: for what no question counts."""
    return f"{letters.formula()}\n{letters.working(sizes)} = {whole(letters.value(sizes))}"


def bytes_kept(kept: Sequence[Kept]) -> str:
    """Bytes added up, and what they are for; as text."""
    if not kept:
        return "nothing is kept: 0 bytes"
    pieces = " + ".join(f"{whole(each.many)} × {whole(each.each)}" for each in kept)
    first, *others = (f"{whole(each.each)} for each {each.what}" for each in kept)
    unit = "byte" if kept[0].each == 1 else "bytes"
    meanings = ", ".join([first.replace(" for", f" {unit} for", 1), *others])
    return f"{meanings}\n{pieces} = {whole(sum(each.bytes for each in kept))} bytes"


def share(asked: Question, whole_part: Question) -> str:
    """One part as a percentage of another."""
    text = percentage(asked.number, whole_part.number)
    # What is under the least share has its digits in the explanation.
    near = f"{100 * asked.number / whole_part.number:.2g}%" if text.startswith("under") else text
    how = f"{whole(asked.number)} ÷ {whole(whole_part.number)} ≈ {near}"
    how = how if near == text else f"{how}\nshown as {text}"
    question = {**question_of(asked), "of_part": whole_part.part, "of_tag": whole_part.tag}
    return data(near.removesuffix("%"), text, _with_choices(how, asked), kind="share", **question)


def tensor_count(asked: Question) -> str:
    """How many tensors a model has; a tied one is listed once, as transformers does."""
    how = f"{tensors_worked(asked)}\ntensors, not parameters: first those outside the layers, then those in each layer"
    return in_full(_tensors(asked), _with_choices(how, asked), kind="tensors", **question_of(asked))


def tensors_worked(asked: Question) -> str:
    """The tensors outside the layers and those in all of them added up, as text."""
    number, layers = _tensors(asked), asked.architecture.depth(asked.sizes)
    in_each = sum(row.repeated for row in asked.rows)
    return f"{whole(number - layers * in_each)} + {layers} × {in_each} = {whole(number)}"


def _tensors(asked: Question) -> int:
    return sum(1 for each in tensors(asked) if each.tied_to is None)


def size(letter: str, model: str) -> str:
    """One size of a model, by its letter or its config key.

    Raises:
        UnknownPart: no size of that name.
    """
    of = model_named(model)
    symbols = of.architecture.symbols
    symbol = next((each for each in symbols if letter in (each.letter, each.key)), None)
    if symbol is None:
        raise UnknownPart(f"no size {shown(letter)}; {suggestion(letter, [each.key for each in symbols])}")
    number = of.sizes[symbol.letter]
    return in_full(number, f"{symbol.letter} = {symbol.key} {CONFIGURED}", kind="size", model=model)


CONFIGURED = "in the configuration of"
"""Where the sizes of a model come from; the model follows in a line of its own."""

CHOSEN = "chosen for this page"
"""Where the numbers come from that a page takes as examples."""


def example(number: int, meaning: str) -> str:
    """A number that a page takes as an example, such as a rank."""
    return in_full(number, f"{meaning}, {CHOSEN}", kind="given", given=number)


def head_width(model: str) -> str:
    """How many features one attention head of a model writes."""
    heads, width = (model_named(model).sizes[letter] for letter in "AH")
    one = width // heads
    return in_full(one, f"H / A\n{width} ÷ {heads} = {one}", kind="head-width", model=model, heads=heads)


def deviating_total(names: Sequence[str], model: str) -> str:
    """The total that some deviations lead to, all of which must be shown in the same class."""
    deviations = [deviation_named(name) for name in names]
    classes = {class_shown(each, BERT) for each in deviations}
    if len(classes) != 1:
        raise CountingError(f"deviations of one model class are needed, got {', '.join(sorted(classes)) or 'none'}")
    asked = Question(model_named(model), classes.pop(), deviations=tuple(names))
    return deviating(asked, " · ".join(each.title for each in deviations))


def deviating(asked: Question, how: str) -> str:
    """What you get in a class, or in a part of it, with some deviations, or with none."""
    question = {"deviations": " ".join(asked.deviations), **question_of(asked)}
    return in_full(asked.number, f"{how}\n{in_lines(asked)}".lstrip(), kind="deviating", **question)


def deviation_effect(name: str, model: str) -> str:
    """What a deviation does to the total, with its sign."""
    deviation = deviation_named(name)
    number = effect(model_named(model), name)
    question = {"deviation": name, "model": model, "class": class_shown(deviation, BERT)}
    right = count(model_named(model), model_class=question["class"])
    how = f"{deviation.title}\n{whole(right + number)} − {whole(right)} = {whole(number)}"
    return data(number, signed(number), how, kind="effect", **question)


def in_millions(asked: Question, figures: int) -> str:
    """The number of parameters asked for, in millions and rounded to so many figures."""
    return rounded(asked.number, figures, in_lines(asked), **question_of(asked))


def rounded(number: int, figures: int, working: str, **question: object) -> str:
    """A number in millions, rounded to so many figures: `110M`; `working` is how it comes about."""
    dropped = len(str(number)) - figures
    near = (number + 10**dropped // 2) // 10**dropped * 10**dropped
    text = f"{near / 10**6:,.{max(6 - dropped, 0)}f}M"
    how = f"{working}\nrounded to {figures} figures: {text}"
    return data(near, text, how, kind="rounded", figures=figures, **question)


def marginal(letter: str, model: str, model_class: str) -> str:
    """What one more of a size adds to a total."""
    of = model_named(model)
    larger = of.resized(**{letter: of.sizes[letter] + 1})
    more, fewer = (count(each, model_class=model_class) for each in (larger, of))
    number = more - fewer
    how = f"{letter} = {whole(larger.sizes[letter])} instead of {whole(of.sizes[letter])}"
    how = f"{how}\n{whole(more)} − {whole(fewer)} = {whole(number)}"
    return in_full(number, how, kind="marginal", letter=letter, model=model, class_=model_class)


def more_heads(model: str) -> str:
    """What more heads add: as many as there can be, one for each feature."""
    of = model_named(model)
    more, fewer = count(of.resized(A=of.sizes["H"])), count(of)
    how = f"A is in no shape\n{whole(more)} − {whole(fewer)} = {whole(more - fewer)}"
    return in_full(more - fewer, how, kind="more-heads", model=model, class_="BertModel")


def bytes_text(asked: Question, dtype: str, unit: str, copies: int = 1) -> str:
    """The memory that parameters take, in one unit, to one decimal.

    Raises:
        CountingError: no unit of that name.
        UnknownDtype: no data type of that name.
    """
    number, in_bytes = _in_bytes(asked, dtype, copies)
    text, in_unit = _in_unit(number, unit)
    how = _with_choices(f"{in_bytes}, {dtype}\n{in_unit}", asked)
    return data(number, text, how, kind="bytes", dtype=dtype, unit=unit, copies=copies, **question_of(asked))


def step_text(step: TrainingStep, unit: str, copies: int = 0) -> str:
    """The memory of a training step in float32, in one unit, to one decimal.

    That is its activations, and so many numbers for each parameter.

    Raises:
        CountingError: no unit of that name.
    """
    for_parameters, in_bytes = _in_bytes(step.asked, "float32", copies)
    number = step.highest + for_parameters
    text, in_unit = _in_unit(number, unit)
    activations = Polynomial.total([*(each.letters for each in step.kept), *(each.once for each in step.again)])
    lines = [worked_out(activations.simplified(), step.sizes)]
    if copies:
        both = f"{whole(step.highest)} + {whole(for_parameters)} = {whole(number)} bytes"
        lines += [f"for the parameters: {in_bytes}", f"together with the activations: {both}"]
    lines.append(in_unit)
    how = _with_choices("\n".join(lines), step.asked)
    ways = {"texts": step.texts, "tokens": step.tokens, "attention": step.attention}
    ways |= {key: "true" for key in ("dropout", "checkpointing") if getattr(step, key)}
    return data(number, text, how, kind="step-bytes", unit=unit, copies=copies, **ways, **question_of(step.asked))


def bytes_worked(asked: Question, dtype: str, units: Sequence[str]) -> str:
    """The memory that parameters take, worked out line by line: in bytes, then in each unit.

    Raises:
        CountingError: no unit of that name.
        UnknownDtype: no data type of that name.
    """
    number, in_bytes = _in_bytes(asked, dtype)
    lines = {f"in {dtype}": in_bytes, **{f"in {unit}": _in_unit(number, unit)[1] for unit in units}}
    result = lines[f"in {units[-1]}"].rpartition("≈ ")[2]
    return steps(lines, f'data-dtype="{dtype}" data-model="{asked.model.name}" data-result="{result}"')


def steps(lines: Mapping[str, str], asked: str) -> str:
    """Lines of a sum, each with what it counts before it; `asked` repeats the question as attributes."""
    items = "".join(
        f'<li><span class="bc-what">{what}</span> <span class="bc-line-of-sum">{line}</span></li>'
        for what, line in lines.items()
    )
    return f'<ol class="bc-steps" {asked}>{items}</ol>'


def _in_bytes(asked: Question, dtype: str, copies: int = 1) -> tuple[int, str]:
    each = bytes_of(1, dtype) * copies
    number = each * asked.number
    return number, f"{whole(asked.number)} parameters × {each} bytes = {whole(number)} bytes"


def _in_unit(number: int, unit: str) -> tuple[str, str]:
    """So many bytes in a unit, to one decimal, and the line that says how."""
    in_unit = entry_of(UNITS, "unit", unit)
    text = f"{number / in_unit:,.1f}"
    return text, f"{whole(number)} ÷ {power(in_unit)} ≈ {text} {unit}"


def power(number: int) -> str:
    """A power of ten or of two as one: 10⁶."""
    base = 10 if number % 10 == 0 else 2
    exponent = round(log(number, base))
    return f"{base}{str(exponent).translate(RAISED)}"


RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Digits as they stand in an exponent."""


def _with_choices(how: str, asked: Question) -> str:
    return f"{how}\n{choices_of(asked)}" if choices_of(asked) else how


def question_of(asked: Question) -> dict[str, object]:
    """A question as the attributes that repeat it."""
    question: dict[str, object] = {"part": asked.part, "tag": asked.tag, "model": asked.model.name}
    question["class"] = asked.chosen.name
    if asked.choices.pooler is not None:
        question["pooler"] = str(asked.choices.pooler).lower()
    if asked.choices.tied is False:
        question["tied"] = "false"
    return question
