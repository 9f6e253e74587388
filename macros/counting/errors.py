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
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

MOST_NAMES = 12
"""How many known names a message lists."""

Entry = TypeVar("Entry")


class CountingError(Exception):
    """Anything the engine refuses; the message is one line, fit to show a reader."""


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


def shown(value: object, limit: int = 60) -> str:
    """`value` as a reader typed it, on one line and cut to `limit` characters.

    >>> shown("12")
    '"12"'
    >>> shown(True)
    'true'
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
        if not text.isprintable():  # a line separator, say, or half of a surrogate pair
            text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):  # an int of more digits than Python prints, or lists too deep
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


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
