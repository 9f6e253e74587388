"""Macros of the page about notation: the letters of BERT's sizes, and those that only some other formulas have."""

from __future__ import annotations

from html import escape

from macros.counting import ARCHITECTURES, BERT
from macros.counting.changes.methods import Method, load_methods, rules
from macros.counting.errors import entry_of
from macros.counting.operations import TEXTS, TOKENS

from ..components import formulas, pages
from ..components.asking import FAMILIES
from ..components.rows import lines
from ..components.tables import code

COUNT = "N"
"""The letter for the number of parameters in rules of thumb, and of examples in what a training step keeps."""

ROUNDED_TOKENS = "Q"
"""The letter for the tokens per text, rounded up, in what the memory-efficient kernel keeps."""


def symbol(letter: str) -> str:
    """A letter of BERT's sizes, of a batch of texts, of a rule of thumb or of a training step, as MathML.

    Raises:
        CountingError: it is none of these.
    """
    letters = [*(size.letter for size in BERT.symbols), TEXTS, TOKENS, COUNT, ROUNDED_TOKENS]
    return formulas.symbol(entry_of({name: name for name in letters}, "letter", letter))


def of_relatives() -> str:
    """Rows for the letters that BERT lacks: the letter, its config key, what it stands for, and who has it."""
    own = {size.letter for size in BERT.symbols}
    with_size: dict[tuple[str, str, str], list[str]] = {}
    for architecture in ARCHITECTURES.values():
        for size in architecture.symbols:
            if size.letter not in own:
                key = (size.letter, size.key, size.meaning)
                with_size.setdefault(key, []).append(_section(architecture.model_type))
    return lines(
        [formulas.symbol(letter), code(key), escape(meaning), ", ".join(sections)]
        for (letter, key, meaning), sections in sorted(with_size.items())
    )


def _section(model_type: str) -> str:
    """The model type of a relative, linked to the section about it."""
    page = pages.RELATIVES if model_type in FAMILIES else pages.FURTHER_RELATIVES
    return f'<a href="{pages.ROOT}{page}#{model_type}">{code(model_type)}</a>'


def of_changes() -> str:
    """Rows for the letters that only changed models have: the letter, what it stands for, and the methods that have it.

    The methods on one page are one link to it.
    """
    rows = []
    for letter, meaning in rules()["letters"].items():
        titles: dict[str, list[str]] = {}
        for method in load_methods().values():
            if _has(method, letter):
                titles.setdefault(pages.CHANGES[method.name], []).append(method.title)
        links = [f'<a href="{pages.ROOT}{page}">{escape(", ".join(names))}</a>' for page, names in titles.items()]
        rows.append([formulas.symbol(letter), escape(meaning), "; ".join(links)])
    return lines(rows)


def _has(method: Method, letter: str) -> bool:
    """Whether a letter is an option of a method, or in a shape that the method writes."""
    shapes = " ".join(str(operation.get("shape", "")) for operation in method.does).split()
    return letter in (*method.letters, *shapes)


TOPIC: dict[str, object] = {
    "letters": BERT.symbols,
    "symbol": symbol,
    "of_relatives": of_relatives,
    "of_changes": of_changes,
}
"""The macros of the page about notation, as `notation.symbol("H")`, and the sizes of BERT as `notation.letters`."""
