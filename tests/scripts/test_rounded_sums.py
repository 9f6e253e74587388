"""Sums of rounded numbers without words are read as the parts of one model, if they all fit it."""

import re

import pytest

from macros.counting import Model, Question, load_models, load_relatives

from .running import Scripts

MODELS = {**load_models(), **load_relatives()}


def part(model: Model, path: str) -> int:
    """The number of parameters of a part of the bare model."""
    return Question(model, model.architecture.classes[0].name, part=path).number


def rounded(number: int, decimals: int) -> str:
    """The number in millions with this many decimals."""
    return f"{number / 1e6:.{decimals}f}M"


def headline(scripts: Scripts, text: str) -> str:
    """The headline of the account of a text; "" if there is none."""
    [account] = scripts.call("accountsAsTexts", [text])
    return account["headline"] if account else ""


@pytest.mark.parametrize("order", ["{L} × {layer}", "{layer} x {L}"])
@pytest.mark.parametrize("decimals", [1, 2])
@pytest.mark.parametrize(
    "name", ["bert-base-uncased", "bert-large-cased", "roberta-base", "bert-base-multilingual-cased"]
)
def test_rounded_parts_of_a_named_model_are_given_exactly(
    scripts: Scripts, name: str, decimals: int, order: str
) -> None:
    model = MODELS[name]
    layer, embeddings, pooler = (
        part(model, path) for path in ("bert/encoder/layer_0", "bert/embeddings", "bert/pooler")
    )
    layers = order.format(L=model.sizes["L"], layer=rounded(layer, decimals))
    text = f"{name}: {layers} + {rounded(embeddings, decimals)} + {rounded(pooler, decimals)}"
    exact = rf"{model.sizes['L']} × {layer:,} \+ {embeddings:,} \+ {pooler:,} = {part(model, ''):,}, which is its total"
    assert re.search(exact, headline(scripts, text)), headline(scripts, text)


def test_what_the_terms_leave_out_is_added(scripts: Scripts) -> None:
    """The pooler of BERT base has 768 × 768 + 768 = 590,592 parameters."""
    assert headline(scripts, "12 × 7.09M + 23.84M = 109.5M").endswith(
        "12 × 7,087,872 + 23,837,184 = 108,891,648; as BertModel, the model has 109,482,240, 590,592 more."
    )


@pytest.mark.parametrize(
    "text",
    [
        "BERT base: 24 × 7.09M + 23.8M",  # has 12 layers
        "BERT base: 12 × 8.1M + 23.8M",  # a layer has 7.09M
        "BERT base: 12 × 7.09M + 31.3M",  # the embeddings have 23.8M
        "BERT base: 23.8M + 0.59M",  # without layers
        "BERT base: 12 × 7.09M - 23.8M",
        "BERT base: 12 × 7.09M + 23.8M + 23.8M",  # the embeddings twice
    ],
)
def test_terms_that_no_part_fits_are_not_said_to_be_parts(scripts: Scripts, text: str) -> None:
    assert "Your terms are, rounded" not in headline(scripts, text)
