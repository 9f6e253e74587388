"""Macros of the page about notation: the letters of BERT's sizes, and those that only some other formulas have.

Each row has an id, and the list of all letters links to it. The page itself writes the rows of
letters that no data file defines, such as those of vectors.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from macros.counting import ARCHITECTURES, BERT, CountingError, load_relatives
from macros.counting.changes.methods import Change, Method, load_methods, rules
from macros.counting.errors import entry_of
from macros.counting.operations import TEXTS, TOKENS

from ..components import changes, formulas, numbers, pages
from ..components.asking import FAMILIES, title_of
from ..components.rows import lines
from ..components.tables import code

COUNT_LETTER = "N"
"""The letter for the number of parameters in rules of thumb, and for that of examples in what a training step keeps."""

ROUNDED_TOKENS_LETTER = "Q"
"""The letter for the tokens per text, rounded up, in what the memory-efficient kernel keeps."""

VECTORS = "QKVXWdxyjγβμσε"
"""The letters of vectors and matrices, and of what is computed from them."""

RARE_EXAMPLES = ("lora:8:query,value:u=20", "lokr:4:query,value:d=6", "boft:c=6:modules=output")
"""Changes with letters that no change in `changes.toml` under `compared` or `rare` has."""


class LetterEntry(NamedTuple):
    """A letter in the list of all letters: the id of its row, and what it stands for there."""

    letter: str
    row_id: str
    meaning: str


def symbol(letter: str) -> str:
    """A letter of BERT's sizes, of a batch of texts, of a rule of thumb, of a training step or of a vector, as MathML.

    Raises:
        CountingError: there is no such letter.
    """
    letters = [*(size.letter for size in BERT.symbols), TEXTS, TOKENS, COUNT_LETTER, ROUNDED_TOKENS_LETTER, *VECTORS]
    return formulas.symbol(entry_of({name: name for name in letters}, "letter", letter))


def index(entries: Iterable[tuple[str, str, str]]) -> str:
    """Every letter as a link to its first row, in the order of the alphabet, and every row of a letter with several.

    Args:
        entries: the letter, the id of the row and the meaning for each row that the page writes itself.

    Raises:
        CountingError: no such row has that letter.
    """
    page_entries = [LetterEntry(*entry) for entry in entries if symbol(entry[0])]
    model_entries = [LetterEntry(size.letter, f"symbol-{size.letter.lower()}", size.meaning) for size in BERT.symbols]
    change_entries = [
        LetterEntry(letter, _row_of_change(letter), meaning) for letter, meaning in rules()["letters"].items()
    ]
    relative_entries = [
        LetterEntry(letter, _row_of_relative(key), meaning) for letter, key, meaning in _sizes_of_relatives()
    ]
    all_entries = [*model_entries, *page_entries, *change_entries, *relative_entries]
    entries_of: dict[str, list[LetterEntry]] = {}
    for entry in sorted(all_entries, key=lambda entry: (entry.letter.lower(), entry)):
        entries_of.setdefault(entry.letter, []).append(entry)
    links_of_letters = "".join(
        f"<li>{_link(letter_entries[0], letter)}</li>" for letter, letter_entries in entries_of.items()
    )
    letters_with_several_rows = ""
    for letter, letter_entries in entries_of.items():
        # Two config keys may stand for the same size, so entries with the same meaning count once.
        different_entries = {entry.meaning: entry for entry in reversed(letter_entries)}.values()
        if len(different_entries) > 1:
            meanings = "; ".join(_link(entry, escape(entry.meaning)) for entry in different_entries)
            letters_with_several_rows += f"<li>{formulas.symbol(letter)}: {meanings}</li>"
    return (
        '<nav class="bc-on-screen" aria-label="Letters"><details class="bc-more">'
        "<summary>Every letter, and those with several meanings</summary>"
        '<p id="every-letter">Go to a letter:</p>'
        f'<ul class="bc-sets" aria-labelledby="every-letter">{links_of_letters}</ul>'
        f"<p>These have several meanings:</p><ul>{letters_with_several_rows}</ul></details></nav>"
    )


def _link(entry: LetterEntry, text: str) -> str:
    """A link to the row of a letter."""
    name = f"{entry.letter}: {escape(entry.meaning)}"
    return f'<a href="#{entry.row_id}" aria-label="{name}" title="{escape(entry.meaning)}">{text}</a>'


def of_relatives() -> str:
    """Rows for the letters that BERT lacks: the letter, its meaning and config key, a value, and who has it."""
    entries = sorted(_sizes_of_relatives().items())
    return lines(
        [
            [
                formulas.symbol(letter),
                f"{escape(meaning)}, {code(key)}",
                _value_in_a_relative(letter, model_types),
                ", ".join(map(_section, model_types)),
            ]
            for (letter, key, meaning), model_types in entries
        ],
        [_row_of_relative(key) for (_, key, _), _ in entries],
    )


def _sizes_of_relatives() -> dict[tuple[str, str, str], list[str]]:
    """The model types that have each size that BERT lacks, by its letter, its config key and its meaning."""
    model_letters = {size.letter for size in BERT.symbols}
    model_types_by_size: dict[tuple[str, str, str], list[str]] = {}
    for architecture in ARCHITECTURES.values():
        for size in architecture.symbols:
            if size.letter not in model_letters:
                model_types_by_size.setdefault((size.letter, size.key, size.meaning), []).append(
                    architecture.model_type
                )
    return model_types_by_size


def _row_of_relative(key: str) -> str:
    """The id of the row of a size that only relatives have."""
    return f"relative-{key.replace('_', '-')}"


def _value_in_a_relative(letter: str, model_types: list[str]) -> str:
    """The size in the first published model that has it, with the name of the model.

    A part that every published model leaves out, such as DPR's projection, has no size to show.
    """
    models = [model for model in load_relatives().values() if model.architecture.model_type in model_types]
    model = next((candidate for candidate in models if candidate.sizes[letter]), None)
    return f"{numbers.size(letter, model.name)} in {escape(title_of(model))}" if model else "in no published model"


def _section(model_type: str) -> str:
    """The model type of a relative, linked to the section about it."""
    page = pages.RELATIVES if model_type in FAMILIES else pages.FURTHER_RELATIVES
    return f'<a href="{pages.ROOT}{page}#{model_type}">{code(model_type)}</a>'


def of_changes() -> str:
    """Rows for the letters that only changed models have: the letter, what it stands for, an example, and the methods.

    The methods on one page are one link to it.
    """
    rows = []
    letters = rules()["letters"]
    for letter, meaning in letters.items():
        titles: dict[str, list[str]] = {}
        for method in load_methods().values():
            if _has_letter(method, letter):
                title = f"{method.title} (optional)" if letter in method.optional else method.title
                titles.setdefault(pages.CHANGES[method.name], []).append(title)
        links = [f'<a href="{pages.ROOT}{page}">{escape(", ".join(names))}</a>' for page, names in titles.items()]
        rows.append([formulas.symbol(letter), escape(meaning), _example(letter), "; ".join(links)])
    return lines(rows, map(_row_of_change, letters))


def _row_of_change(letter: str) -> str:
    """The id of the row of a letter that only changed models have."""
    return f"change-{letter}"


def _example(letter: str) -> str:
    """A change of BERT base that has this letter: its title, the value, and how many parameters are trained.

    Empty if no change has it: methods with blocks need sizes that the number of blocks divides.
    """
    change_texts = [*rules()["compared"], *rules()["rare"], *RARE_EXAMPLES]
    change = next((text for text in change_texts if " " not in text and _gives_value(text, letter)), "")
    if not change:
        return ""
    value = f"{formulas.symbol(letter)} = {changes.number_of(change, letter)}"
    titles = ", ".join(step.method.title for step in changes.changed_model(change).changes)
    return f"{escape(titles)} with {value}: {changes.number_of(change)} trained"


def _gives_value(change: str, letter: str) -> bool:
    """Whether a change gives the letter a value."""
    try:
        return _has_letter(Change.parse(change).method, letter) and letter in changes.changed_model(change).sizes
    except CountingError:  # a number of blocks that does not divide the model's sizes
        return False


def _has_letter(method: Method, letter: str) -> bool:
    """Whether a letter is an option of a method, or in a shape that the method writes."""
    shapes = " ".join(str(operation.get("shape", "")) for operation in method.does).split()
    return letter in (*method.letters, *shapes)


TOPIC: dict[str, object] = {
    "letters": BERT.symbols,
    "symbol": symbol,
    "index": index,
    "of_relatives": of_relatives,
    "of_changes": of_changes,
}
"""The macros of the page about notation, as `notation.symbol("H")`, and the sizes of BERT as `notation.letters`."""
