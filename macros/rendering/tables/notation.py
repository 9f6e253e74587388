"""Macros for the page about notation: the letters of BERT's sizes, and those that occur only in certain formulas.

Each row has an id, and the list of all letters links to it. The page itself contains the rows of letters that no
data file defines, such as those of vectors.
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
"""The letter for the number of parameters in rules of thumb, and for the number of examples in a training step."""

ROUNDED_TOKENS_LETTER = "Q"
"""The letter for the number of tokens per text, rounded up, in the tensors kept by the memory-efficient kernel."""

VECTOR_SECTION_LETTERS = "QKVXWdxyjγβμσε"
"""The letters of vectors, matrices and other quantities in formulas of layers."""

RARE_EXAMPLES = ("lora:8:query,value:u=20", "lokr:4:query,value:d=6", "boft:c=6:modules=output")
"""Example changes for letters that do not occur in `changes.toml` under `compared` or `rare`."""


class LetterEntry(NamedTuple):
    """An entry in the list of all letters, with the id of its row and the letter's meaning there."""

    letter: str
    row_id: str
    meaning: str


def symbol(letter: str) -> str:
    """A letter as MathML.

    The letter may stand for a size of BERT, or occur in the section on batches, rules of thumb, training steps or
    vectors.

    Raises:
        CountingError: there is no such letter.
    """
    letters = [
        *(size.letter for size in BERT.symbols),
        TEXTS,
        TOKENS,
        COUNT_LETTER,
        ROUNDED_TOKENS_LETTER,
        *VECTOR_SECTION_LETTERS,
    ]
    return formulas.symbol(entry_of({name: name for name in letters}, "letter", letter))


def index(entries: Iterable[tuple[str, str, str]]) -> str:
    """A list of all letters, each linked to its first row, and the meanings of those that have several.

    Args:
        entries: the letter, the row id and the meaning of each row that the page itself contains.

    Raises:
        CountingError: the letter of an entry is unknown.
    """
    page_entries = [LetterEntry(*fields) for fields in entries]
    for entry in page_entries:
        symbol(entry.letter)  # raises the error if the letter is unknown
    model_entries = [LetterEntry(size.letter, f"symbol-{size.letter.lower()}", size.meaning) for size in BERT.symbols]
    change_entries = [
        LetterEntry(letter, _row_id_of_change(letter), meaning) for letter, meaning in rules()["letters"].items()
    ]
    relative_entries = [
        LetterEntry(letter, _row_id_of_relative(key), meaning)
        for letter, key, meaning in sorted(_model_types_by_size())
    ]
    all_entries = [*model_entries, *page_entries, *change_entries, *relative_entries]
    entries_of: dict[str, list[LetterEntry]] = {}
    # The sort is stable, so the entries of a letter stay in the order of the page.
    for entry in sorted(all_entries, key=lambda entry: (entry.letter.lower(), entry.letter)):
        entries_of.setdefault(entry.letter, []).append(entry)
    links_of_letters = "".join(
        f"<li>{_link(letter_entries[0], letter)}</li>" for letter, letter_entries in entries_of.items()
    )
    letters_with_several_meanings = ""
    for letter, letter_entries in entries_of.items():
        # Two config keys can specify the same size, so entries with the same meaning are merged.
        entry_by_meaning: dict[str, LetterEntry] = {}
        for entry in letter_entries:
            entry_by_meaning.setdefault(entry.meaning, entry)
        if len(entry_by_meaning) > 1:
            meanings = "; ".join(_link(entry, escape(meaning)) for meaning, entry in entry_by_meaning.items())
            letters_with_several_meanings += f"<li>{formulas.symbol(letter)}: {meanings}</li>"
    return (
        '<nav class="bc-on-screen" aria-label="Letters"><details class="bc-more">'
        "<summary>Every letter, and those with several meanings</summary>"
        '<p id="every-letter">Go to a letter:</p>'
        f'<ul class="bc-sets" aria-labelledby="every-letter">{links_of_letters}</ul>'
        f"<p>These have several meanings:</p><ul>{letters_with_several_meanings}</ul></details></nav>"
    )


def _link(entry: LetterEntry, text: str) -> str:
    """A link from `text` to the row that explains a letter."""
    name = f"{entry.letter}: {escape(entry.meaning)}"
    return f'<a href="#{entry.row_id}" aria-label="{name}" title="{escape(entry.meaning)}">{text}</a>'


def of_relatives() -> str:
    """Rows for the letters that BERT lacks: the letter, its meaning and config key, a value, and the architectures."""
    entries = sorted(_model_types_by_size().items())
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
        [_row_id_of_relative(key) for (_, key, _), _ in entries],
    )


def _model_types_by_size() -> dict[tuple[str, str, str], list[str]]:
    """The model types with each size that BERT lacks, by the letter, config key and meaning of the size."""
    bert_letters = {size.letter for size in BERT.symbols}
    model_types_by_size: dict[tuple[str, str, str], list[str]] = {}
    for architecture in ARCHITECTURES.values():
        for size in architecture.symbols:
            if size.letter not in bert_letters:
                model_types_by_size.setdefault((size.letter, size.key, size.meaning), []).append(
                    architecture.model_type
                )
    return model_types_by_size


def _row_id_of_relative(key: str) -> str:
    """The id of the row of a letter that BERT lacks, by its config key."""
    return f"relative-{key.replace('_', '-')}"


def _value_in_a_relative(letter: str, model_types: list[str]) -> str:
    """The value of a size in the first published model that has it, with the title of the model.

    If every published model lacks the part with this size, such as DPR's projection, the text says so.
    """
    models = [model for model in load_relatives().values() if model.architecture.model_type in model_types]
    model = next((candidate for candidate in models if candidate.sizes[letter]), None)
    return f"{numbers.size(letter, model.name)} in {escape(title_of(model))}" if model else "in no published model"


def _section(model_type: str) -> str:
    """A model type, linked to the section about it."""
    page = pages.RELATIVES if model_type in FAMILIES else pages.FURTHER_RELATIVES
    return f'<a href="{pages.ROOT}{page}#{model_type}">{code(model_type)}</a>'


def of_changes() -> str:
    """Rows for the letters that only changed models have: the letter, its meaning, an example, and the methods.

    Methods that are explained on the same page share a link to it.
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
    return lines(rows, map(_row_id_of_change, letters))


def _row_id_of_change(letter: str) -> str:
    """The id of the row of a letter that only changed models have."""
    return f"change-{letter}"


def _example(letter: str) -> str:
    """An example change of BERT base with this letter: title, the letter's value, and the number of trained parameters.

    Empty if no example has a value for the letter.
    """
    candidates = [*rules()["compared"], *rules()["rare"], *RARE_EXAMPLES]
    change = next(
        (candidate for candidate in candidates if " " not in candidate and _has_value_for(candidate, letter)), ""
    )
    if not change:
        return ""
    value = f"{formulas.symbol(letter)} = {changes.number_of(change, letter)}"
    titles_text = ", ".join(step.method.title for step in changes.changed_model(change).changes)
    return f"{escape(titles_text)} with {value}: {changes.number_of(change)} trained"


def _has_value_for(change: str, letter: str) -> bool:
    """Whether a change assigns a value to the letter."""
    try:
        return _has_letter(Change.parse(change).method, letter) and letter in changes.changed_model(change).sizes
    except CountingError:  # the model's sizes are not divisible by the number of blocks
        return False


def _has_letter(method: Method, letter: str) -> bool:
    """Whether a letter is an option of a method or occurs in the shape of a tensor that the method adds."""
    shapes = " ".join(str(operation.get("shape", "")) for operation in method.does).split()
    return letter in (*method.letters, *shapes)


TOPIC: dict[str, object] = {
    "letters": BERT.symbols,
    "symbol": symbol,
    "index": index,
    "of_relatives": of_relatives,
    "of_changes": of_changes,
}
"""Macros for the page about notation, such as `notation.symbol("H")`, and the sizes of BERT as `notation.letters`."""
