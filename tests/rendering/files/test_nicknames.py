"""Nicknames of models, such as "large bert", refer to models of the family, size and casing that they mention."""

import re
import tomllib
from collections.abc import Iterator, Mapping

from macros.counting.models import models_by_every_name
from macros.rendering.files.reading import LABELS_FILE

NICKNAMES: dict[str, list[str]] = tomllib.loads(LABELS_FILE.read_text(encoding="utf-8"))["models"]

DISTINCTIONS = "tiny|mini|small|medium|base|large|xsmall|xlarge|xxlarge|cased|uncased|multilingual|chinese"
"""A pattern for the words that distinguish the models of one family."""

ABBREVIATIONS = {"mbert": "bert multilingual", "distilmbert": "distilbert multilingual"}
"""Nicknames that abbreviate words of the model's name, each with these words written out."""


def distinctions_in(text: str) -> set[str]:
    """The distinguishing words of a name or nickname, including "tiny" at the beginning of a word, as in TinyBERT."""
    return {*re.findall(rf"(?<![a-z])(?:{DISTINCTIONS})(?![a-z])|(?<![a-z])tiny", text.lower())}


def wrong_nicknames(nicknames: Mapping[str, list[str]] = NICKNAMES) -> Iterator[tuple[str, str]]:
    """Pairs of a nickname and a model whose names all lack some of the nickname's distinguishing words."""
    models = models_by_every_name()
    for nickname, names in nicknames.items():
        for name in names:
            model = models[name]
            all_names = (model.name, model.title, *model.also)
            if not any(distinctions_in(nickname) <= distinctions_in(full_name) for full_name in all_names):
                yield nickname, name


def test_nicknames_match_the_size_and_casing_of_their_models() -> None:
    assert [] == [*wrong_nicknames()]


def test_a_nickname_with_the_wrong_size_or_casing_is_found() -> None:
    for nickname, name in (
        ("large bert", "bert-base-uncased"),
        ("bert medium", "bert_uncased_L-4_H-512_A-8"),
        ("bert base cased", "bert-base-uncased"),
    ):
        assert [(nickname, name)] == [*wrong_nicknames({nickname: [name]})]


def letters_of(text: str) -> str:
    """The letters and digits of a string, in lower case."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def nicknames_of_other_families(nicknames: Mapping[str, list[str]] = NICKNAMES) -> Iterator[tuple[str, str]]:
    """Pairs of a nickname and a model none of whose names contains the nickname's words for the family."""
    models = models_by_every_name()
    for nickname, names in nicknames.items():
        words = ABBREVIATIONS.get(nickname, nickname).split()
        family = [letters_of(word) for word in words if not distinctions_in(word)]
        for name in names:
            model = models[name]
            all_names = map(letters_of, (model.name, model.title, *model.also))
            if not any(all(word in full_name for word in family) for full_name in all_names):
                yield nickname, name


def test_nicknames_match_the_family_of_their_models() -> None:
    assert [] == [*nicknames_of_other_families()]


def test_a_nickname_of_the_wrong_family_is_found() -> None:
    for nickname, name in (("distilbert", "roberta-base"), ("xlm roberta", "roberta-base"), ("esm 2", "mpnet-base")):
        assert [(nickname, name)] == [*nicknames_of_other_families({nickname: [name]})]
