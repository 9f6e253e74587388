"""Names of models as people write them: ids of the Hugging Face hub, and what a misspelling may mean.

A name is proposed only if it is close in kind, because a proposal of another family misleads: `microsoft/deberta-base`
is a letter away from `roberta-base`, and another model. `docs/assets/reading/configs/suggestions.js` follows the same
rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

ADDRESS = re.compile(r"^(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/")
"""The start of an address on the Hugging Face hub."""

ORGANISATIONS = (
    "google-bert",
    "google",
    "facebookai",
    "distilbert",
    "albert",
    "microsoft",
    "sentence-transformers",
    "cross-encoder",
    "nreimers",
    "intfloat",
    "baai",
    "thenlper",
    "facebook",
    "prosusai",
    "nlpaueb",
    "allenai",
    "dmis-lab",
    "emilyalsentzer",
    "huawei-noah",
    "deepset",
    "dccuchile",
    "neuralmind",
    "aubmindlab",
    "skt",
    "tohoku-nlp",
    "cl-tohoku",
    "cointegrated",
    "ai-forever",
    "answerdotai",
    "vinai",
    "hfl",
    "deeppavlov",
    "mixedbread-ai",
    "snowflake",
    "avsolatorio",
    "whereisai",
    "colbert-ir",
    "ibm-granite",
    "alibaba-nlp",
    "jhu-clsp",
    "openai-community",
    "yiyanghkust",
    "hooshvarelab",
    "indobenchmark",
    "monologg",
    "jhgan",
    "nomic-ai",
)
"""Who publishes the models of the data files on the Hugging Face hub, in small letters.

Whoever publishes other models under a known name, such as `klue/roberta-large`, is not among them: `also` in a data
file then lists the whole id.
"""

COMMON_WORDS = (
    "base",
    "large",
    "small",
    "xsmall",
    "xlarge",
    "xxlarge",
    "tiny",
    "mini",
    "medium",
    "uncased",
    "cased",
    "multilingual",
    "chinese",
    "german",
    "japanese",
    "spanish",
    "version",
    "layers",
    "layer",
    "v1",
    "v2",
    "v3",
    "whole",
    "word",
    "masking",
    "with",
    "and",
    "retrained",
    "miniature",
    "miniatures",
    "discriminator",
    "generator",
    "l",
    "h",
    "a",
    "en",
    "zh",
    "m3",
    "lm",
    "wwm",
    "general",
    "qa",
    "multi",
    "cos",
    "arabertv",
)
"""Words in names of models that name no family."""

SIZES = frozenset({"base", "large", "small", "xsmall", "xlarge", "xxlarge", "tiny", "mini", "medium"})
"""Words that say how large a model is."""

LONGEST = 160
"""Characters of a name that are compared."""


def advice_on(name: str, known_names: Iterable[str]) -> str:
    """The end of a message about an unknown model: a known name that is close in kind, or else what could be given.

    A misspelling has the same numbers, the same family, such as "albert", and few other letters.

    >>> advice_on("google-bert/bert-base-uncasd", ["bert-base-cased", "bert-base-uncased"])
    'did you mean "bert-base-uncased"?'
    >>> advice_on("microsoft/deberta-base", ["roberta-base", "deberta-v3-base"])
    'give a config.json, or the name of a published model, such as "bert-base-uncased"'
    """
    names = tuple(known_names)
    last = _last(name)[:LONGEST]
    most = 1 if len(last) < 8 else 2 if len(last) < 16 else 3
    best, least = "", most + 1
    for known_name in names:
        known = _last(known_name)
        if re.findall("[0-9]+", known) != re.findall("[0-9]+", last):
            continue
        distance = _distance(last, known, most)
        if distance < least and _is_of_one_family(last, known, _families(names)):
            best, least = known_name, distance
    if best:
        return f'did you mean "{best}"?'
    return 'give a config.json, or the name of a published model, such as "bert-base-uncased"'


def _last(name: str) -> str:
    """The last part of an id, in small letters and with hyphens."""
    return name.casefold().rpartition("/")[2].replace("_", "-")


def _family(name: str) -> list[str]:
    """The words in a name that say which family of models it is of."""
    words = re.findall("[a-z]+[0-9]*|[0-9]+", name)
    return [word for word in words if word not in COMMON_WORDS and not word.isdigit()]


def _sizes(name: str) -> frozenset[str]:
    """The words in a name that say how large a model is: a "base" is no misspelling of a "large"."""
    return SIZES.intersection(re.findall("[a-z]+", name))


@cache
def _families(names: tuple[str, ...]) -> frozenset[str]:
    """The families of all known names."""
    return frozenset(word for name in names for word in _family(_last(name)))


def _is_of_one_family(unknown: str, known: str, families: frozenset[str]) -> bool:
    """Whether a known name is of the family that an unknown one says or misspells."""
    own, other = _family(unknown), _family(known)

    def is_near(word: str) -> bool:
        most = 1 if len(word) < 7 else 2
        return any(one == word if one in families else _distance(one, word, 2) <= most for one in own)

    if _sizes(unknown) - _sizes(known):
        return False
    return all(word not in families or word in other for word in own) and all(map(is_near, other))


def _distance(one: str, other: str, most: int) -> int:
    """The letters to insert, delete, replace or swap between two texts; `most` and one if their lengths differ by more.

    >>> _distance("bert-bsae", "bert-base", 3)
    1
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one):
        following = [place + 1]
        for index, other_letter in enumerate(other):
            cost = min(row[index + 1] + 1, following[index] + 1, row[index] + (letter != other_letter))
            if place and index and letter == other[index - 1] and one[place - 1] == other_letter:
                cost = min(cost, before[index - 1] + 1)
            following.append(cost)
        before, row = row, following
    return row[-1]
