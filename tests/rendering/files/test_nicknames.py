"""Nicknames of models, as in "large bert", lead to models of the size and casing that they name."""

import re
import tomllib
from collections.abc import Iterator, Mapping

from macros.counting.models import by_every_name
from macros.rendering.files.reading import LABELS_FILE

NICKNAMES: dict[str, list[str]] = tomllib.loads(LABELS_FILE.read_text(encoding="utf-8"))["models"]

DISTINCTIONS = "tiny|mini|small|medium|base|large|xsmall|xlarge|xxlarge|cased|uncased|multilingual|chinese"
"""Words in the names of models that tell apart those of one family."""


def distinctions_in(text: str) -> set[str]:
    """The distinguishing words of a name or nickname; a name of one word, such as TinyBERT, may begin with one."""
    return {*re.findall(rf"(?<![a-z])(?:{DISTINCTIONS})(?![a-z])|(?<![a-z])tiny", text.lower())}


def wrong_nicknames(nicknames: Mapping[str, list[str]] = NICKNAMES) -> Iterator[tuple[str, str]]:
    """The nicknames with a distinguishing word that their model has in none of its names, and the model."""
    models = by_every_name()
    for nickname, names in nicknames.items():
        for name in names:
            model = models[name]
            own_names = (model.name, model.title, *model.also)
            if not any(distinctions_in(nickname) <= distinctions_in(own_name) for own_name in own_names):
                yield nickname, name


def test_nicknames_name_what_their_models_are() -> None:
    """No nickname says "large" of a base model, or "medium" of a small one."""
    assert [] == [*wrong_nicknames()]


def test_a_swapped_size_is_found() -> None:
    """The rule sees a model of another size or casing than the nickname says."""
    for nickname, name in (
        ("large bert", "bert-base-uncased"),
        ("bert medium", "bert_uncased_L-4_H-512_A-8"),
        ("bert base cased", "bert-base-uncased"),
    ):
        assert [(nickname, name)] == [*wrong_nicknames({nickname: [name]})]
