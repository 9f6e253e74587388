"""The parts of a BERT that somebody may count."""

import pytest

from macros.counting import BERT, Question, model_named
from macros.counting.disagreements.parts import Part, parts

OF_A_LAYER = [
    *("self-attention", "self-attention kernel", "self-attention bias"),
    *("feed-forward", "feed-forward kernel", "feed-forward bias"),
    *("encoder-norms", "kernel", "bias", "vector"),
]
"""Tags that each select other rows of a layer; its kernels of LayerNorm would be none, its LayerNorms are one block."""


@pytest.mark.parametrize(
    ("path", "tags"),
    [
        ("bert/encoder/layer_0", OF_A_LAYER),
        ("bert/encoder", OF_A_LAYER),
        ("", ["LayerNorm", "kernel", "bias", "vector", "embedding-table"]),
        ("bert/embeddings", []),
    ],
)
def test_what_tags_select(path: str, tags: list[str]) -> None:
    """Blocks in a layer and in all layers; LayerNorms, kernels, biases, vectors and tables in the whole model."""
    assert tags == [part.tag for _, part in parts() if part.path == path and part.tag and not part.share]


def test_the_parts_of_one_head() -> None:
    """A head's share of the query, and of all three projections, with and without biases."""
    query, all_three = "bert/encoder/layer_0/attention/self/query", "bert/encoder/layer_0/attention/self"
    expected = [("BertModel", Part(path, tag, share=True)) for path in (query, all_three) for tag in ("kernel", "")]
    assert expected == [each for each in parts() if each[1].share]


def test_every_prefix_is_a_part() -> None:
    """From the embeddings down to one tensor, and no part twice; the whole model is none."""
    paths = [part.path for _, part in parts() if not part.tag and not part.share]
    assert not {"", "bert", "cls"} & set(paths)
    assert ["bert/embeddings", "bert/embeddings/word_embeddings"] == paths[:2]
    # The pooler holds nothing but its dense layer, so that is no other part.
    assert ["bert/pooler", "bert/pooler/dense/kernel", "bert/pooler/dense/bias"] == [
        path for path in paths if path.startswith("bert/pooler")
    ]
    of_pre_training = {row.path for row in BERT.rows_of("BertForPreTraining")}
    assert of_pre_training <= set(paths)
    assert {path.replace("layer_*", "layer_0") for path in of_pre_training} <= set(paths)


def test_every_part_is_found_in_its_class() -> None:
    """Classification counts only what pre-training has not: a head of its own."""
    model = model_named("bert-base-uncased")
    assert all(Question(model, name, part.path, part.tag).rows for name, part in parts())
    of_classification = [part.path for name, part in parts() if name == "BertForSequenceClassification"]
    assert ["sequence_classifier/output_weights", "sequence_classifier/output_bias"] == of_classification
