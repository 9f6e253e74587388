"""Advice on unknown names of models: why a model is not counted, or which known name was meant.

Users write names as ids on the Hugging Face hub, as addresses, or with typing errors. A known name is
suggested only if it belongs to the same family, because any other suggestion would mislead:
`microsoft/deberta-base` is spelt almost like `roberta-base`, but is a different model.
`docs/assets/reading/configs/suggestions.js` follows the same rules.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from .blocks import DATA
from .errors import HEADER_ADVICE

UNCOUNTED_FILE = DATA / "uncounted.toml"

ADDRESS_START = re.compile(r"^(?:hf://|(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co|hf-mirror\.com)/)")
"""The start of an address on the Hugging Face hub."""

ADDRESS_END = re.compile(r"[?#].*|/(?:tree|blob|resolve|raw|discussions)(?:/.*)?$")
"""The end of an address: a query, a fragment, or a path within a model's repository, such as `/tree/main`."""

ID_WITH_PATH = re.compile(r"^[\w.-]+/[\w.-]+/(?:tree|blob|resolve|raw)/")
"""The start of an address that lacks the name of the hub, as in `google-bert/bert-base-uncased/tree/main`."""

SURROUNDING_CHARACTERS = " \t\n\"'`“”‘’"
"""The characters that may surround a copied name."""

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
    "eurobert",
)
"""The organisations on the Hugging Face hub that publish the models in the data files, in lower case.

An organisation that publishes other models under a known name, as in `klue/roberta-large`, is left out; the key `also`
in a data file then lists the whole id.
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
"""Words in model names that do not identify a family."""

SIZE_WORDS = frozenset({"base", "large", "small", "xsmall", "xlarge", "xxlarge", "tiny", "mini", "medium"})
"""Words for the size of a model."""

CASE_WORDS = frozenset({"cased", "uncased"})
"""Words that state whether a model's vocabulary distinguishes upper and lower case."""

LONGEST_NAME = 160
"""The maximum length of a name that is compared, in characters. Only the beginning of a longer name is compared."""


def advice_on(name: str, known_names: Iterable[str]) -> str:
    """The end of a message about an unknown model: the reason why it is not counted, a similar name, or other advice.

    >>> advice_on("google-bert/bert-base-uncasd", ["bert-base-cased", "bert-base-uncased"])
    'did you mean "bert-base-uncased"?'
    >>> advice_on("BERT base", ["bert-base-uncased", "klue/bert-base"])
    'did you mean "bert-base-uncased"?'
    >>> advice_on("someone/roberta-base", ["roberta-base"])
    'if it is a copy of "roberta-base", give that name; otherwise, give its config.json'
    >>> advice_on("microsoft/deberta-base", ["roberta-base", "deberta-v3-base"])
    'give a config.json, or the name of a published model, such as "bert-base-uncased"'
    """
    names = tuple(known_names)
    if why := reason_against(name):
        return f"it is not counted here, because {why}; {HEADER_ADVICE}"
    last_part = _last_part(name)[:LONGEST_NAME]
    original_name = next((known_name for known_name in names if "/" in name and known_name.casefold() == last_part), "")
    if original_name:
        return f'if it is a copy of "{original_name}", give that name; otherwise, give its config.json'
    # A user who gives only the beginning of a name, such as "deberta-v3", most often means the base model.
    longer_names = [known_name for known_name in names if known_name.casefold().startswith(f"{last_part}-")]
    base_name = min(longer_names, key=lambda known_name: "base" not in known_name, default="")
    similar_name = base_name or closest_name(name, names)
    if similar_name:
        return f'did you mean "{similar_name}"?'
    return 'give a config.json, or the name of a published model, such as "bert-base-uncased"'


def reason_against(name: str) -> str:
    """The reason why a model of this name is not counted; empty if none is known.

    >>> reason_against("facebook/bart-large-mnli")
    'it has a decoder as well as an encoder, with tensors that BERT does not have'
    """
    full_id = _normalised_id(name)
    last_part = _last_part(name)

    def is_named(start: str) -> bool:
        """Whether the model's name, or its full id if `start` has a publisher, begins with `start`."""
        # A publisher's name may begin like a model's: Falconsai does not publish Falcon.
        return (full_id if "/" in start else last_part).startswith(start)

    return next((block["why"] for block in uncounted_models().values() if any(map(is_named, block["names"]))), "")


def reason_against_type(model_type: str) -> str:
    """The reason why models of a type, or of a config class, are not counted; empty if none is known.

    >>> reason_against_type("gpt2") == reason_against_type("GPT2Config")
    True
    >>> reason_against_type("gpt2")
    'it is built like a decoder that writes text, and not like BERT'
    """
    return reasons_against_types().get(_normalised_type(model_type), "")


@cache
def reasons_against_types() -> Mapping[str, str]:
    """The reasons why models of some types are not counted, by type as `_normalised_type` spells it."""
    return {
        _normalised_type(name): block["why"] for block in uncounted_models().values() for name in block.get("types", ())
    }


def _normalised_type(model_type: str) -> str:
    """One spelling for a type and its config class: "bigbirdpegasus" for bigbird_pegasus and BigBirdPegasusConfig."""
    return re.sub("[-_]", "", model_type.lower()).removesuffix("config")


@cache
def uncounted_models() -> Mapping[str, Any]:
    """The models that are not counted, by kind: the starts of their names, their types, and the reason."""
    return tomllib.loads(UNCOUNTED_FILE.read_text(encoding="utf-8"))


def closest_name(name: str, names: tuple[str, ...]) -> str:
    """The known name that an unknown one may misspell; empty if there is none.

    A misspelling has the same numbers and the same family, such as "albert", and differs in only a few letters. The
    model of an unknown publisher is never taken for a misspelling: `readerbench/RoBERT-base` is not a misspelt RoBERTa.
    """
    last_part = _last_part(name)[:LONGEST_NAME]
    limit = 0 if _has_unknown_publisher(name, names) else _slip_limit(last_part)
    closest_known_name, least_distance = "", limit + 1
    numbers = _numbers(last_part)
    for known_name, known_last_part, known_numbers in _last_parts(names):
        if known_numbers != numbers:
            continue
        distance = _distance(last_part, known_last_part, limit)
        if distance < least_distance and _may_be_misspelling(last_part, known_last_part, _families(names)):
            closest_known_name, least_distance = known_name, distance
    return closest_known_name


@cache
def _last_parts(names: tuple[str, ...]) -> tuple[tuple[str, str, list[str]], ...]:
    """Each known name, its last part, and the numbers in that part.

    They are cached, because finding them takes longer than comparing names.
    """
    return tuple((name, _last_part(name), _numbers(_last_part(name))) for name in names)


def _numbers(name: str) -> list[str]:
    """The numbers in a name, in order. Names with different numbers belong to different models."""
    return re.findall("[0-9]+", name)


def _slip_limit(name: str) -> int:
    """The number of letters in which a misspelling may differ; fewer for short names, which are easily confused."""
    if len(name) < 8:
        return 1
    return 2 if len(name) < 16 else 3


def without_address(name: str) -> str:
    """The id in an address on the Hugging Face hub, or any other name unchanged, in both cases without quotation marks.

    >>> without_address("https://huggingface.co/BAAI/bge-m3/blob/main/config.json")
    'BAAI/bge-m3'
    >>> without_address("'google-bert/bert-base-uncased/tree/main'")
    'google-bert/bert-base-uncased'
    """
    bare_name = name.strip(SURROUNDING_CHARACTERS)
    name_of_model = ADDRESS_START.sub("", bare_name)
    is_address = name_of_model != bare_name or ID_WITH_PATH.match(bare_name)
    return ADDRESS_END.sub("", name_of_model).strip("/") if is_address else bare_name


def _normalised_id(name: str) -> str:
    """An id in lower case, with hyphens for spaces and underscores, and without the address of the hub."""
    return re.sub("[_ ]", "-", without_address(name).casefold())


def _last_part(name: str) -> str:
    """The last part of an id, in lower case and with hyphens."""
    return _normalised_id(name).rpartition("/")[2]


def _has_unknown_publisher(name: str, names: tuple[str, ...]) -> bool:
    """Whether an id has a publisher who is neither in `ORGANISATIONS` nor in one of the known names."""
    return _publisher(name) not in _publishers(names)


@cache
def _publishers(names: tuple[str, ...]) -> frozenset[str]:
    """The publishers of `ORGANISATIONS` and of all known names, and the empty string."""
    return frozenset(("", *ORGANISATIONS, *map(_publisher, names)))


def _publisher(name: str) -> str:
    """The publisher in an id; empty if there is none."""
    return _normalised_id(name).rpartition("/")[0]


def _family_words(name: str) -> list[str]:
    """The words in a name that may refer to a family, such as "albert"."""
    return [word for word in _words(name) if word not in COMMON_WORDS and not word.isdigit()]


def _words(name: str) -> list[str]:
    """The words in a name, each perhaps with a number after it, and the other numbers."""
    return re.findall("[a-z]+[0-9]*|[0-9]+", name)


def _sizes_and_cases(name: str) -> frozenset[str]:
    """The words for size and case in a name: a "base" model is not a misspelt "large" one."""
    return (SIZE_WORDS | CASE_WORDS).intersection(re.findall("[a-z]+", name))


@cache
def _families(names: tuple[str, ...]) -> frozenset[str]:
    """The families of all known names."""
    return frozenset(word for name in names for word in _family_words(_last_part(name)))


def _may_be_misspelling(unknown_name: str, known_name: str, families: frozenset[str]) -> bool:
    """Whether an unknown name may misspell a known one: it has the same family, and no other word for size or case."""
    unknown_words, known_words = _family_words(unknown_name), _family_words(known_name)

    def is_near(unknown_word: str, word: str) -> bool:
        """Whether an unknown word is equal to a known one, or a misspelling of it rather than the name of a family."""
        if unknown_word == word or unknown_word in families:
            return unknown_word == word
        # Two wrong letters may be a slip, but not two additional letters: "RuRoBERTa" does not mean "RoBERTa".
        limit = 1 if len(word) < 7 or abs(len(unknown_word) - len(word)) > 1 else 2
        return _distance(unknown_word, word, 2) <= limit

    if _sizes_and_cases(unknown_name) - _sizes_and_cases(known_name):
        return False
    # An additional word means another model, as in "bert-fa-base-uncased".
    for unknown_word in unknown_words:
        if not any(is_near(unknown_word, word) for word in _words(known_name)):
            return False
    return all(any(is_near(unknown_word, word) for unknown_word in unknown_words) for word in known_words)


def _distance(first: str, second: str, limit: int) -> int:
    """The smallest number of insertions, deletions, replacements and swaps of neighbours from `first` to `second`.

    It is `limit + 1` if more than `limit` are needed.

    >>> _distance("bert-bsae", "bert-base", 3)
    1
    """
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    previous_row: list[int] = []
    row = list(range(len(second) + 1))
    for row_index, letter in enumerate(first):
        next_row = [row_index + 1]
        for column, other_letter in enumerate(second):
            substitution_cost = 0 if letter == other_letter else 1
            cost = min(row[column + 1] + 1, next_row[column] + 1, row[column] + substitution_cost)
            if row_index and column and letter == second[column - 1] and first[row_index - 1] == other_letter:
                cost = min(cost, previous_row[column - 1] + 1)
            next_row.append(cost)
        previous_row, row = row, next_row
        if min(row) > limit:  # no later row has a smaller minimum
            return limit + 1
    return min(row[-1], limit + 1)
