"""If the text above a bridge mentions a model size, the bridge begins or ends with a model of that size."""

import re
from collections.abc import Iterator

import pytest

from tests.docs.building import ROOT
from tests.rendering.facets import MAIN_MODELS, SIZES, models_named

BRIDGE = re.compile(r"\{\{ bridge\((.*?)\) \}\}")
"""A call to the macro `bridge`; the group is its arguments."""

MODEL_ARGUMENT = re.compile(r"\b(?:model|to)=\"([^\"]*)\"")
"""An argument with the model at one end of a bridge."""


def bridges_in(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """The text directly above each bridge, and the models in its arguments (by default BERT base)."""
    for section in re.split(r"(?m)^#+ ", text):
        for match in BRIDGE.finditer(section):
            words_above = re.split(r"\}\}\n\n", section[: match.start()])[-1]
            yield (
                re.sub(r"\{\{.*?\}\}", "", words_above),
                frozenset(MODEL_ARGUMENT.findall(match[1])) or frozenset({MAIN_MODELS["base"]}),
            )


def fits_models(words_above: str, models: frozenset[str]) -> bool:
    """Return whether a text mentions the size of one of the models or no size at all."""
    sizes = models_named(words_above) & {*SIZES}
    return not sizes or any(re.search(rf"(?<![a-z]){size}(?![a-z])", model) for size in sizes for model in models)


def every_bridge() -> list[tuple[str, str, frozenset[str]]]:
    """The page, the text above it and the models of every bridge."""
    paths = sorted((ROOT / "docs").rglob("*.md"))
    return [(path.name, *bridge) for path in paths for bridge in bridges_in(path.read_text(encoding="utf-8"))]


def test_texts_name_the_models_of_their_bridges() -> None:
    bridges = every_bridge()
    assert sum(bool(models_named(words_above) & {*SIZES}) for _, words_above, _ in bridges) > 2
    assert [] == [
        (name, words_above, models) for name, words_above, models in bridges if not fits_models(words_above, models)
    ]


@pytest.mark.parametrize(("right_size", "wrong_size"), [("base", "large"), ("large", "base")])
def test_a_wrong_size_is_found(right_size: str, wrong_size: str) -> None:
    bridge_call = f'{{{{ bridge("pooler-left-out", model="{MAIN_MODELS[right_size]}") }}}}'
    text = f"## A walk\n\nIt adds up BERT {right_size}.\n\n{bridge_call}\n"
    assert [True] == [fits_models(*bridge) for bridge in bridges_in(text)]
    wrong_text = text.replace(f"BERT {right_size}", f"a Chinese {wrong_size} model")
    assert [False] == [fits_models(*bridge) for bridge in bridges_in(wrong_text)]
