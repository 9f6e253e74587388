"""The errors of the engine, and the functions that keep their messages short and safe to print.

    CountingError
    +-- UnknownModel        no checkpoint of that name
    +-- UnknownModelClass   no transformers class of that name
    +-- UnknownPart         no tensor under that path, or with that tag
    +-- UnknownDeviation    no deviation of that name
    +-- UnknownDtype        no data type of that name
    +-- BadConfig           a config, or a block of a data file, that is not valid
    +-- BadChoice           an option that does not fit the model class
    +-- BadChange           input that does not describe a change, or a change that does not fit the model
    +-- BadNumber           input without a number to look up
    +-- BadClaim            a published number whose verdict or explanation is wrong
    +-- BadCondition        a condition that cannot be read or worked out
    +-- FalseWords          a quantity in words that is not true of a model

A message states what was requested, what is wrong with it, and what would be accepted.

A message repeats the user's input, which may be a hundred thousand characters long, or contain codes that move the
cursor of a terminal. So values go into a message through `quote`, and names that need no quotation marks, such as those
of files, through `label`: both return one short line without control characters. As a safeguard, the whole message of
every `CountingError` also goes through `fit`, which escapes characters that cannot be printed, shortens words longer
than any of our own, and cuts the middle out of a message that is still too long.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

MAX_NAMES = 12
"""The maximum number of known names that a message lists; nobody reads a longer list."""

LONGEST_VALUE = 60
"""The maximum length of a value that a message repeats, in characters; it is enough to recognise the value."""

LONGEST_WORD = 80
"""The maximum length of a word in a message, in characters. Our own words are shorter."""

HEADER_ADVICE = 'the page "I got N" counts any model from the header of its safetensors file'
"""The advice to readers whose model is not counted here."""

LONG_WORD = re.compile(rf"[^\s;]{{{LONGEST_WORD + 1},}}")
"""A word of more than `LONGEST_WORD` characters. It ends at a semicolon, because the remedy follows a semicolon."""

LONGEST_MESSAGE = 1000
"""The maximum length of a message, in characters. Our own words need fewer."""

ELLIPSIS = " ... "
"""The text that replaces the middle of a message."""

END_LENGTH = 300
"""The length of the end that is kept if the middle of a message is cut out, because it says what would be accepted."""

LONGEST_RATIO = 3
"""The largest ratio of an unknown name's length to a known one's at which the two are compared.

Names are similar if the characters that they share, counted in both, are at least 60% of all their characters. Names
whose lengths differ by more than the factor 7/3 cannot share so many; the limit is this factor, rounded up.
"""

Entry = TypeVar("Entry")


class CountingError(Exception):
    """Anything that the engine refuses. The message is one short line that is safe to print and to show to readers."""

    def __init__(self, message: str = "") -> None:
        """Store the message in a form that is fit to print."""
        super().__init__(fit(message))


class UnknownModel(CountingError):
    """No checkpoint has the requested name."""


class UnknownModelClass(CountingError):
    """No model class of transformers has the requested name."""


class UnknownPart(CountingError):
    """No tensor of the model lies under the requested path, or has the requested tag."""


class UnknownDeviation(CountingError):
    """No deviation has the requested name."""


class UnknownDtype(CountingError):
    """No data type has the requested name."""


class BadConfig(CountingError):
    """A configuration that cannot be counted exactly, or a block of a data file that is not valid."""


class BadChoice(CountingError):
    """An option that does not fit the model class."""


class BadChange(CountingError):
    """Input that does not describe a change, or a change that does not fit the model."""


class BadNumber(CountingError):
    """Input without a number to look up."""


class BadClaim(CountingError):
    """A published number whose verdict or explanation is wrong."""


class BadCondition(CountingError):
    """A condition that cannot be read or worked out."""


class FalseWords(CountingError):
    """A quantity in words that is not true of a model to which the words apply."""


def fit(message: str) -> str:
    """The message in a form that is fit to print: without control characters, and cut if it is too long.

    >>> fit("no file " + 100 * "x" + "; give a config.json")
    'no file xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...; give a config.json'
    """
    text = LONG_WORD.sub(lambda word: _cut(word[0], LONGEST_VALUE), escape_unprintable(message))
    if len(text) <= LONGEST_MESSAGE:
        return text
    return f"{text[: LONGEST_MESSAGE - END_LENGTH - len(ELLIPSIS)]}{ELLIPSIS}{text[-END_LENGTH:]}"


def escape_unprintable(text: str) -> str:
    r"""The text with line breaks, marks that reverse the writing direction and other unprintable characters escaped.

    >>> print(escape_unprintable("red \x1b[31m, and \u202e backwards"))
    red \u001b[31m, and \u202e backwards
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def _escape(character: str) -> str:
    """The escape of a character as in JSON. DEL, which JSON leaves as it is, is escaped in the same way."""
    return json.dumps(character)[1:-1] if character != "\x7f" else "\\u007f"


def _cut(text: str, limit: int) -> str:
    """The text, cut to at most `limit` characters; three dots replace the rest."""
    return text if len(text) <= limit else f"{text[: limit - len('...')]}..."


def label(name: str, limit: int = LONGEST_VALUE) -> str:
    """A name for a message, without quotation marks: on one line, harmless, and at most `limit` characters long.

    >>> label("config.json")
    'config.json'
    """
    return _cut(escape_unprintable(name[: limit + 1]), limit)


def quote(value: object) -> str:
    """A value for a message, as JSON if possible: on one line, harmless, and at most `LONGEST_VALUE` characters long.

    >>> quote("12")
    '"12"'
    >>> quote(True)
    'true'
    """
    shown_value = value[: LONGEST_VALUE + 1] if isinstance(value, str) else value
    try:
        text = json.dumps(shown_value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        # JSON has no such value, an integer has more digits than Python prints, or lists are nested too deeply.
        return f"a value of type {type(value).__name__}"
    return label(text)


def suggestion(name: str, candidates: Iterable[str]) -> str:
    """The end of a message about an unknown name: the most similar known name, or else the first known names.

    >>> suggestion("bert-bsae", ["bert-base", "bert-large"])
    'did you mean "bert-base"?'
    >>> suggestion("bertmodel", ["AlbertModel", "BertModel"])
    'did you mean "BertModel"?'
    """
    names = list(candidates)
    # Case is ignored. Otherwise "bertmodel" would look less like "BertModel" than like a name with fewer capitals.
    by_folded_name = {known_name.casefold(): known_name for known_name in names}
    # A name that is far longer than every known name resembles none, and comparing very long names takes long.
    is_comparable = len(name) <= LONGEST_RATIO * max(map(len, names), default=0)
    if is_comparable and (matches := get_close_matches(name.casefold(), by_folded_name, n=1)):
        return f'did you mean "{by_folded_name[matches[0]]}"?'
    rest_clause = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return f"known: {', '.join(names[:MAX_NAMES])}{rest_clause}"


def entry_of(entries: Mapping[str, Entry], noun: str, name: str, error: type[CountingError] = CountingError) -> Entry:
    """Look up an entry by its name, or raise an error that suggests a similar name.

    Args:
        entries: the entries by name.
        noun: the word for an entry in the message, such as "unit".
        name: the name of the entry.
        error: the class of the error.

    Raises:
        CountingError: there is no such entry.

    >>> entry_of({"MB": 10**6}, "unit", "MB")
    1000000
    """
    if name not in entries:
        raise error(f"no {noun} {quote(name)}; {suggestion(str(name), entries)}")
    return entries[name]
