"""Nicknames of models, such as "large bert", refer to models of the size and casing that they mention."""

import re
import tomllib
from collections.abc import Iterator, Mapping

from macros.counting.models import by_every_name
from macros.rendering.files.reading import LABELS_FILE

NICKNAMES: dict[str, list[str]] = tomllib.loads(LABELS_FILE.read_text(encoding="utf-8"))["models"]

DISTINCTIONS = "tiny|mini|small|medium|base|large|xsmall|xlarge|xxlarge|cased|uncased|multilingual|chinese"
"""Words that distinguish the models of one family."""


def distinctions_in(text: str) -> set[str]:
    """The distinguishing words of a name or nickname, including "tiny" at the beginning of a word, as in TinyBERT."""
    return {*re.findall(rf"(?<![a-z])(?:{DISTINCTIONS})(?![a-z])|(?<![a-z])tiny", text.lower())}


def wrong_nicknames(nicknames: Mapping[str, list[str]] = NICKNAMES) -> Iterator[tuple[str, str]]:
    """Pairs of a nickname and a model whose names all lack some of the nickname's distinguishing words."""
    models = by_every_name()
    for nickname, names in nicknames.items():
        for name in names:
            model = models[name]
            all_names = (model.name, model.title, *model.also)
            if not any(distinctions_in(nickname) <= distinctions_in(full_name) for full_name in all_names):
                yield nickname, name


def test_nicknames_match_their_models() -> None:
    """No nickname calls a base model "large" or a small one "medium"."""
    assert [] == [*wrong_nicknames()]


def test_a_swapped_size_is_found() -> None:
    """The rule detects a nickname with the wrong size or casing."""
    for nickname, name in (
        ("large bert", "bert-base-uncased"),
        ("bert medium", "bert_uncased_L-4_H-512_A-8"),
        ("bert base cased", "bert-base-uncased"),
    ):
        assert [(nickname, name)] == [*wrong_nicknames({nickname: [name]})]
