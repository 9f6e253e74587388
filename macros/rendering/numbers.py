"""Numbers on a page: `<data>` elements that say where they come from.

The machine-readable value is exact; the text is for reading. Formula and
model are in `data-how`, which the style sheet shows on hover and on focus.
The other `data-` attributes repeat the question, so that a test can ask it
again from the finished page.
"""

from __future__ import annotations

from html import escape

from macros.counting import MODEL_CLASSES, SYMBOLS, CountingError, Model, model_named, tensors
from macros.counting.errors import UnknownPart, shown, suggestion
from macros.counting.memory import UNITS, bytes_of
from macros.counting.mistakes import effect, mistake_named

from .asked import Asked

MINUS = "−"


def data(value: int | str, text: str, how: str, **question: object) -> str:
    """One number as HTML.

    Args:
        value: what the attribute `value` holds.
        text: what a reader sees.
        how: formula and model, shown on hover and on focus.
        question: what was asked, kept as `data-` attributes.
    """
    kept = {key.replace("_", "-"): str(each) for key, each in question.items() if each not in ("", None)}
    attributes = "".join(f' data-{key}="{escape(each)}"' for key, each in kept.items())
    # A line break as a reference: Markdown ends an HTML element of a heading at a real one.
    shown_how = escape(how).replace("\n", "&#10;")
    return f'<data value="{value}"{attributes} data-how="{shown_how}" tabindex="0">{escape(text)}</data>'


def whole(number: int) -> str:
    """An integer as read: thousands parted by commas, a true minus sign.

    >>> whole(-590592)
    '−590,592'
    """
    return f"{number:,}".replace("-", MINUS)


def percentage(part: int, of: int) -> str:
    """A share as read: one decimal, two below one per cent.

    >>> percentage(1, 3), percentage(1, 300)
    ('33.3 %', '0.33 %')
    """
    percent = 100 * part / of
    return f"{percent:.{2 if percent < 1 else 1}f} %"


def counted(asked: Asked) -> str:
    """The number of parameters asked for."""
    letters, sizes = asked.polynomial, asked.of.sizes
    how = f"{letters.formula()} = {letters.working(sizes)}\n{asked.where}"
    number = asked.number
    return data(number, whole(number), how, kind="count", **_question(asked))


def share(asked: Asked, whole_part: Asked) -> str:
    """One part as a percentage of another, to one decimal, or two below one per cent."""
    how = f"{whole(asked.number)} of {whole(whole_part.number)}\n{asked.where}"
    text = percentage(asked.number, whole_part.number)
    return data(
        text.removesuffix(" %"),
        text,
        how,
        kind="share",
        **_question(asked),
        of_part=whole_part.part,
        of_tag=whole_part.tag,
    )


def tensor_count(asked: Asked) -> str:
    """How many tensors a model has; a tied one is listed once, as transformers does."""
    number = sum(1 for each in tensors(asked.of, asked.model_class, asked.pooler) if each.tied_to is None)
    return data(number, whole(number), f"tensors, not parameters\n{asked.where}", kind="tensors", **_question(asked))


def size(letter: str, model: str) -> str:
    """One size of a model, by its letter or its config key.

    Raises:
        UnknownPart: no size of that name.
    """
    symbol = next((each for each in SYMBOLS if letter in (each.letter, each.key)), None)
    if symbol is None:
        raise UnknownPart(f"no size {shown(letter)}; {suggestion(letter, [each.key for each in SYMBOLS])}")
    number = model_named(model).sizes[symbol.letter]
    return data(
        number, whole(number), f"{symbol.letter} = {symbol.key}\n{model}", kind="size", key=symbol.key, model=model
    )


def mistake_effect(name: str, model: str) -> str:
    """What a mistake does to the total, with its sign."""
    mistake = mistake_named(name)
    number = effect(model_named(model), name)
    text = f"+{whole(number)}" if number > 0 else whole(number)
    how = f"{mistake.title}\n{model}, {mistake.model_class}"
    return data(number, text, how, kind="effect", mistake=name, model=model)


def bytes_text(asked: Asked, dtype: str, unit: str, copies: int = 1) -> str:
    """The memory that parameters take, in one unit, to one decimal.

    Raises:
        CountingError: no unit of that name.
        UnknownDtype: no data type of that name.
    """
    if unit not in UNITS:
        raise CountingError(f"no unit {shown(unit)}; {suggestion(unit, UNITS)}")
    each = bytes_of(1, dtype) * copies
    number = each * asked.number
    how = f"{whole(asked.number)} parameters × {each} bytes\n{asked.where}, {dtype}"
    return data(
        number,
        f"{number / UNITS[unit]:,.1f}",
        how,
        kind="bytes",
        dtype=dtype,
        unit=unit,
        copies=copies,
        **_question(asked),
    )


def class_name(name: str) -> str:
    """A model class as code.

    Raises:
        KeyError: the table has no such class; the caller took it from there.
    """
    return f"<code>{MODEL_CLASSES[name].name}</code>"


def model_title(model: Model) -> str:
    """A model's title as text."""
    return escape(model.title)


def _question(asked: Asked) -> dict[str, object]:
    question: dict[str, object] = {"part": asked.part, "tag": asked.tag, "model": asked.model}
    question["class"] = asked.model_class
    if asked.pooler is not None:
        question["pooler"] = str(asked.pooler).lower()
    if not asked.tied:
        question["tied"] = "false"
    return question
