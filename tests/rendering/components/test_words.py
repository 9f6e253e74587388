"""Every part and every line of a sum has a readable name of its own."""

import re
from contextlib import suppress
from itertools import product

import pytest

from macros.counting import ARCHITECTURES, BERT, Choices, CountingError, Question, load_models, load_relatives
from macros.counting.search.parts import Part, parts
from macros.counting.sum_lines import TENSOR, Line, sum_lines
from macros.rendering.components import words
from macros.rendering.components.words import as_path, caption, in_words

CHOICES = (Choices(), Choices(cross_attention=True), Choices(tied=False))

LAYER = "bert/encoder/layer_0"

PART_NAMES = [
    (Part("bert/pooler"), "the pooler"),
    (Part(LAYER), "one encoder layer"),
    (Part("bert/encoder/layer_*/attention/self/query"), "the query projection in all layers"),
    (Part(LAYER, "self-attention kernel"), "the matrices of self-attention in one layer"),
    (Part("", "LayerNorm"), "all LayerNorms in the model"),
    (Part("bert/embeddings/LayerNorm/gamma"), "the scale of the embeddings' LayerNorm"),
    (
        Part(f"{LAYER}/attention/self", share=True),
        "one head's share of query, key and value with their biases in one layer",
    ),
    (
        Part("bert/encoder/layer_*", "self-attention kernel", share=True),
        "one head's share of the matrices of self-attention in all layers",
    ),
    (
        Part(f"{LAYER}/attention/self", "kernel", share=True),
        "one head's share of the matrices of query, key and value in one layer",
    ),
    (
        Part(f"{LAYER}/attention/self/query", "kernel", share=True),
        "one head's share of the matrix of the query projection in one layer",
    ),
    (Part("bert/encoder", "-LayerNorm"), "all encoder layers without their LayerNorms"),
    (Part(LAYER, "-bias"), "one encoder layer without the biases of its dense layers"),
    (Part(f"{LAYER}/attention/self/query, {LAYER}/attention/self/key"), "query and key in one layer"),
    (Part("bert/embeddings, bert/pooler"), "the embeddings and the pooler"),
]


@pytest.mark.parametrize(("part", "expected"), PART_NAMES, ids=lambda entry: str(entry)[:50])
def test_a_part_is_named_by_a_noun_phrase(part: Part, expected: str) -> None:
    """If layers matter, the phrase states whether one layer or all layers are meant."""
    assert expected == in_words(part)


ONE_OR_ALL_LAYERS = re.compile(r"in one layer|in all layers|one encoder layer|all encoder layers")


def test_every_part_has_a_readable_name() -> None:
    """Names are unique, contain no path or tag, and mention layers once if the part is in the encoder."""
    parts_by_words = {in_words(part): part for _, part in parts()}
    assert len(parts_by_words) == len(list(parts()))
    for text, part in parts_by_words.items():
        expected = ["one" if "layer_0" in part.path else "all"] if part.path.startswith("bert/encoder") else []
        assert expected == ["one" if "one" in match else "all" for match in ONE_OR_ALL_LAYERS.findall(text)], text
        assert text
        assert not re.search(r"[/_*]|(?<!\w)-", text), text


def test_a_part_without_a_name_is_an_error() -> None:
    for part in (
        Part("bert/embeddings/other"),
        Part("", "other"),
        Part(LAYER, "self-attention gamma"),
        Part("bert/embeddings", "-kernel"),
        Part("bert/pooler, bert/embeddings"),
    ):
        with pytest.raises(KeyError):
            in_words(part)
    with pytest.raises(KeyError, match=r"embeddings/other has no label in words\.toml; add a line under \[lines\]"):
        words.of_line(Line(TENSOR, ("bert/embeddings/other",), ()))


# A part is named by its tag, its path within a layer, and the layers. A part without such a path is named in words.
PATHS = {
    Part(f"{LAYER}/attention/self/query", "kernel"): "the matrices of <code>attention/self/query</code> in one layer",
    Part("bert/encoder/layer_*/output"): "<code>output</code> in all layers",
    Part("bert/pooler"): "<code>pooler</code>",
    Part("", "bias"): "the biases of all dense layers in the model",
    Part(LAYER, "-LayerNorm"): "one encoder layer without its LayerNorms",
    Part(f"{LAYER}/attention/self", share=True): "one head's share of <code>attention/self</code> in one layer",
}


def test_parts_are_named_by_path_and_captions_in_words() -> None:
    """In a caption, the tag precedes the part that it restricts."""
    assert PATHS == {part: as_path(part) for part in PATHS}
    assert ["the pooler", "self-attention in one encoder layer", "a/path"] == [
        caption(*item) for item in (("bert/pooler", ""), (LAYER, "self-attention"), ("a/path", ""))
    ]


def test_every_block_that_pages_show_has_a_name() -> None:
    """The blocks of BERT are named in model order, except cross-attention, which no page counts."""
    assert [block for block in BERT.blocks if block != "cross-attention"] == list(words.BLOCKS)
    assert len(words.BLOCKS) == len(set(words.BLOCKS.values()))
    assert set(words.BLOCKS) < {block for architecture in ARCHITECTURES.values() for block in architecture.blocks}


def test_every_line_of_every_sum_has_a_label() -> None:
    labels = set()
    all_models = (*load_relatives().values(), *load_models().values())
    model_by_type = {model.architecture.model_type: model for model in all_models}
    for model in model_by_type.values():
        for model_class, choices in product(model.architecture.classes, CHOICES):
            with suppress(CountingError):  # not every class has every choice
                labels |= set(words.labels(sum_lines(Question(model, model_class.name, choices=choices))))
    assert {"the total", "one layer", "one projection, with its bias", "one LayerNorm"} < labels
    assert "the embedding projection, with its bias" in labels  # of ALBERT
    assert [] == [label for label in labels if re.search(r"[/_*:]", label)]
