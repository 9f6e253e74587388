"""What can go wrong when something is counted.

    CountingError
    +-- UnknownModel        no checkpoint of that name
    +-- UnknownModelClass   no transformers class of that name
    +-- UnknownPart         no tensor under that path, or with that tag
    +-- UnknownDeviation    no deviation of that name
    +-- UnknownDtype        no data type of that name
    +-- BadConfig           a config or a block of a data file that cannot be counted
    +-- BadChoice           an option that the model class does not have
    +-- BadChange           a change that is none, or that a model cannot have
    +-- BadNumber           a text that holds no number to look up
    +-- BadClaim            a published number whose verdict or explanation does not hold
    +-- BadCondition        a condition that is no comparison of sizes and counts
    +-- FalseWords          a quantity in words that is not true of a model

Every message says what was asked for, what is wrong with it, and what would be accepted.

A message repeats what somebody typed, and that may be a hundred thousand characters long, or move the cursor of the
terminal on which it is printed. Where a message quotes a value, `shown` quotes it, and `label` where there are no
quotation marks, as of the name of a file: on one line, without control characters, and short. What a message takes
in without them is caught by `fit`, through which the message of every `CountingError` goes: it escapes every character
that cannot be printed, cuts every word that is longer than any of ours, and cuts the middle out of what is still
longer than a message can be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

MOST_NAMES = 12
"""How many known names a message lists."""

LONGEST_VALUE = 60
"""Characters of what was typed that a message shows."""

LONGEST_WORD = 80
"""Characters without a space between them that a message may have; what we write ourselves has fewer."""

LONG_WORD = re.compile(rf"[^\s;]{{{LONGEST_WORD + 1},}}")
"""A longer one; a semicolon ends what is wrong, and what would do begins after it."""

LONGEST_MESSAGE = 1000
"""Characters of a whole message; ours are shorter, so only what was typed can make one longer."""

CUT_OUT = " ... "
"""Stands where the middle of a message was."""

LAST = 300
"""Characters at the end of a message that are kept when its middle is cut out: they say what would do."""

Entry = TypeVar("Entry")


class CountingError(Exception):
    """Anything the engine refuses; the message is one short line, fit to show a reader and to print on a terminal."""

    def __init__(self, message: str = "") -> None:
        """Keep the message, with what was typed in it made harmless and short."""
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
    """An option that does not fit the model class it was given with."""


class BadChange(CountingError):
    """A change that is none, or that does not fit the model it is made to."""


class BadNumber(CountingError):
    """A text that holds no number to look up."""


class BadClaim(CountingError):
    """A published number whose verdict or explanation does not hold."""


class BadCondition(CountingError):
    """A condition that cannot be read or worked out."""


class FalseWords(CountingError):
    """A quantity in words that is not true of a model it is said of."""


def fit(message: str) -> str:
    """The message, fit to print: harmless, and with what is longer than anything of ours cut.

    >>> fit("no file " + 100 * "x" + "; give a config.json")
    'no file xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...; give a config.json'
    """
    words = LONG_WORD.sub(lambda word: _cut(word[0], LONGEST_VALUE), harmless(message))
    if len(words) <= LONGEST_MESSAGE:
        return words
    return f"{words[: LONGEST_MESSAGE - LAST - len(CUT_OUT)]}{CUT_OUT}{words[-LAST:]}"


def harmless(text: str) -> str:
    r"""The text with all that cannot be printed escaped: control characters, line breaks, and what turns text around.

    >>> print(harmless("red \x1b[31m, and \u202e backwards"))
    red \u001b[31m, and \u202e backwards
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    """A character as JSON escapes it; DEL too, which JSON leaves as it is."""
    return json.dumps(character)[1:-1] if character != "\x7f" else "\\u007f"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def label(name: str, limit: int = LONGEST_VALUE) -> str:
    """A name without quotation marks, as that of a file: on one line, harmless, and cut to `limit` characters.

    >>> label("config.json")
    'config.json'
    """
    return _cut(harmless(name[: limit + 1]), limit)


def shown(value: object, limit: int = LONGEST_VALUE) -> str:
    """`value` as JSON, which is how a reader typed it: on one line, harmless, and cut to `limit` characters.

    >>> shown("12")
    '"12"'
    >>> shown(True)
    'true'
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):  # an int of more digits than Python prints, or lists too deep
        return f"a value of type {type(value).__name__}"
    return _cut(harmless(text), limit)


def suggestion(asked: str, known: Iterable[str]) -> str:
    """The end of an "unknown" message: the nearest known name, or the first known ones.

    >>> suggestion("bert-bsae", ["bert-base", "bert-large"])
    'did you mean "bert-base"?'
    >>> suggestion("bertmodel", ["AlbertModel", "BertModel"])
    'did you mean "BertModel"?'
    """
    names = list(known)
    # Whoever writes it small means the same name, and none that happens to have fewer capitals.
    folded = {name.casefold(): name for name in names}
    near = get_close_matches(asked.casefold(), folded, n=1)
    if near:
        return f'did you mean "{folded[near[0]]}"?'
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"known: {', '.join(names[:MOST_NAMES])}{more}"


def entry_of(known: Mapping[str, Entry], what: str, name: str, error: type[CountingError] = CountingError) -> Entry:
    """The entry of that name; `what` is the message's word for such an entry.

    Raises:
        CountingError: there is none; `error` is the class to raise.

    >>> entry_of({"MB": 10**6}, "unit", "MB")
    1000000
    """
    if name not in known:
        raise error(f"no {what} {shown(name)}; {suggestion(str(name), known)}")
    return known[name]
