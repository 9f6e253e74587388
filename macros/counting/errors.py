"""The errors of the engine, and how their messages stay short and harmless.

    CountingError
    +-- UnknownModel        no checkpoint of that name
    +-- UnknownModelClass   no transformers class of that name
    +-- UnknownPart         no tensor under that path, or with that tag
    +-- UnknownDeviation    no deviation of that name
    +-- UnknownDtype        no data type of that name
    +-- BadConfig           a config, or a block of a data file, that cannot be counted
    +-- BadChoice           an option that the model class does not have
    +-- BadChange           a text that is no change, or a change that the model cannot have
    +-- BadNumber           a text without a number to look up
    +-- BadClaim            a published number whose verdict or explanation does not hold
    +-- BadCondition        a condition that does not compare sizes and counts
    +-- FalseWords          a quantity in words that is not true of a model

Every message says what was asked for, what is wrong with it, and what would be accepted.

A message repeats what somebody typed, which may be a hundred thousand characters long, or move the cursor of the
terminal that prints it. So a message quotes values with `quote`, and names without quotation marks, such as that of a
file, with `label`: both give one short line without control characters. Whatever gets into a message without them is
caught by `fit`, through which the message of every `CountingError` goes. It escapes characters that cannot be printed,
cuts words longer than any of our own, and cuts the middle out of a message that is still too long.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

MOST_NAMES = 12
"""Known names that a message lists at most."""

LONGEST_VALUE = 60
"""Characters that a message shows of a value."""

LONGEST_WORD = 80
"""Characters in a row without a space that a message may have. Our own words are shorter."""

LONG_WORD = re.compile(rf"[^\s;]{{{LONGEST_WORD + 1},}}")
"""A longer one. It ends at a semicolon, after which a message says what would be accepted."""

LONGEST_MESSAGE = 1000
"""Characters of a whole message. Our own are shorter, so only a quoted text can make one longer."""

CUT_OUT = " ... "
"""The text that replaces the middle of a message."""

LAST = 300
"""Characters kept at the end of a message whose middle is cut out: they say what would be accepted."""

Entry = TypeVar("Entry")


class CountingError(Exception):
    """Anything the engine refuses. The message is one short line that is safe to show a reader and to print."""

    def __init__(self, message: str = "") -> None:
        """Store the message, made fit to print."""
        super().__init__(fit(message))


class UnknownModel(CountingError):
    """No checkpoint has the name that was asked for."""


class UnknownModelClass(CountingError):
    """No transformers model class has the name that was asked for."""


class UnknownPart(CountingError):
    """No tensor of the model lies under the path, or has the tag, that was asked for."""


class UnknownDeviation(CountingError):
    """No deviation has the name that was asked for."""


class UnknownDtype(CountingError):
    """No data type has the name that was asked for."""


class BadConfig(CountingError):
    """A configuration that cannot be counted exactly."""


class BadChoice(CountingError):
    """An option that does not fit the model class that it was given with."""


class BadChange(CountingError):
    """A text that is no change, or a change that the model cannot have."""


class BadNumber(CountingError):
    """A text without a number to look up."""


class BadClaim(CountingError):
    """A published number whose verdict or explanation does not hold."""


class BadCondition(CountingError):
    """A condition that cannot be read or worked out."""


class FalseWords(CountingError):
    """A quantity in words that is not true of a model that the words are about."""


def fit(message: str) -> str:
    """The message, fit to print: without control characters, and cut where it is longer than ours can be.

    >>> fit("no file " + 100 * "x" + "; give a config.json")
    'no file xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...; give a config.json'
    """
    words = LONG_WORD.sub(lambda word: _cut(word[0], LONGEST_VALUE), harmless(message))
    if len(words) <= LONGEST_MESSAGE:
        return words
    return f"{words[: LONGEST_MESSAGE - LAST - len(CUT_OUT)]}{CUT_OUT}{words[-LAST:]}"


def harmless(text: str) -> str:
    r"""The text with whatever cannot be printed escaped: control characters, line breaks, marks that reverse text.

    >>> print(harmless("red \x1b[31m, and \u202e backwards"))
    red \u001b[31m, and \u202e backwards
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def _escape(character: str) -> str:
    """The escape of a character in JSON, and likewise for DEL, which JSON leaves as it is."""
    return json.dumps(character)[1:-1] if character != "\x7f" else "\\u007f"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def label(name: str, limit: int = LONGEST_VALUE) -> str:
    """A name for a message that does not quote it: on one line, harmless, and at most `limit` characters long.

    >>> label("config.json")
    'config.json'
    """
    return _cut(harmless(name[: limit + 1]), limit)


def quote(value: object, limit: int = LONGEST_VALUE) -> str:
    """`value` as JSON, which is how readers type it: on one line, harmless, and at most `limit` characters long.

    >>> quote("12")
    '"12"'
    >>> quote(True)
    'true'
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        # JSON has no such value, an integer has more digits than Python prints, or lists are nested too deep.
        return f"a value of type {type(value).__name__}"
    return _cut(harmless(text), limit)


def suggestion(name: str, candidates: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest known name, or else the first ones.

    >>> suggestion("bert-bsae", ["bert-base", "bert-large"])
    'did you mean "bert-base"?'
    >>> suggestion("bertmodel", ["AlbertModel", "BertModel"])
    'did you mean "BertModel"?'
    """
    names = list(candidates)
    # Compared without case: "bertmodel" is nearer to "BertModel" than to a name that has fewer capitals.
    by_folded_name = {other.casefold(): other for other in names}
    near = get_close_matches(name.casefold(), by_folded_name, n=1)
    if near:
        return f'did you mean "{by_folded_name[near[0]]}"?'
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"known: {', '.join(names[:MOST_NAMES])}{more}"


def entry_of(entries: Mapping[str, Entry], what: str, name: str, error: type[CountingError] = CountingError) -> Entry:
    """The entry of that name; `what` is the message's word for an entry.

    Raises:
        CountingError: there is none. The class of the error is `error`.

    >>> entry_of({"MB": 10**6}, "unit", "MB")
    1000000
    """
    if name not in entries:
        raise error(f"no {what} {quote(name)}; {suggestion(str(name), entries)}")
    return entries[name]
