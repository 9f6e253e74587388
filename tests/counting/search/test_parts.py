"""The parts that a reader may count are complete, and no two of them select the same rows."""

import pytest

from macros.counting import BERT, Question, model_named
from macros.counting.search.entries import part_costs
from macros.counting.search.parts import Part, parts

TAGS_OF_LAYER = [
    "self-attention",
    "self-attention kernel",
    "self-attention bias",
    "feed-forward",
    "feed-forward kernel",
    "feed-forward bias",
    "encoder-norms",
    "-LayerNorm",
    "-bias",
    "kernel",
    "bias",
    "vector",
]
"""Tags that each select different rows of a layer. LayerNorms have no kernels, and are a block of their own."""


@pytest.mark.parametrize(
    ("path", "tags"),
    [
        ("bert/encoder/layer_0", TAGS_OF_LAYER),
        ("bert/encoder", TAGS_OF_LAYER),
        ("", ["LayerNorm", "kernel", "bias", "vector", "embedding-table"]),
        ("bert/embeddings", []),
        ("bert/encoder/layer_0/attention/self", ["kernel", "bias"]),
        ("bert/encoder/layer_*/attention/self", ["kernel", "bias"]),
    ],
)
def test_tags_select_blocks_and_kinds_of_tensors(path: str, tags: list[str]) -> None:
    assert tags == [part.tag for _, part in parts() if part.path == path and part.tag and not part.share]


def test_a_head_has_a_share_of_each_projection() -> None:
    """A head has a share of each projection, but not of the output bias, added after concatenation."""
    expected = [
        Part(path, tag, share=True)
        for layer in ("bert/encoder/layer_0", "bert/encoder/layer_*")
        for path, tag in (
            (f"{layer}/attention/self/query", "kernel"),
            (f"{layer}/attention/self/query", ""),
            (f"{layer}/attention/self", "kernel"),
            (f"{layer}/attention/self", ""),
            (f"{layer}/attention/output/dense", "kernel"),
            (layer, "self-attention kernel"),
        )
    ]
    assert expected == [part for _, part in parts() if part.share]


# Multiplied by hand from the shapes of BERT base.
NUMBERS_OF_UNIONS = [
    ("bert/pooler, sequence_classifier", 590_592 + 1_538),
    ("bert/encoder/layer_0/intermediate, bert/encoder/layer_0/output", 4_722_432 + 1_536),
    ("bert/encoder/layer_*/intermediate, bert/encoder/layer_*/output", 12 * (4_722_432 + 1_536)),
    ("bert/encoder/layer_0/attention/self/query, bert/encoder/layer_0/attention/self/key", 1_181_184),
    ("bert/encoder/layer_*/attention/self/query, bert/encoder/layer_*/attention/self/key", 14_174_208),
    ("bert/embeddings/word_embeddings, bert/embeddings/position_embeddings", 23_440_896 + 393_216),
    ("bert/embeddings/word_embeddings, bert/embeddings/token_type_embeddings", 23_440_896 + 1_536),
    ("bert/embeddings, bert/pooler", 23_837_184 + 590_592),
    ("bert/pooler, cls/predictions", 590_592 + 622_650),
    ("bert/pooler, cls/seq_relationship", 590_592 + 1_538),
    ("bert/pooler, cls", 590_592 + 624_188),
    ("cls", 624_188),
]


def test_unions_have_the_rows_of_all_their_prefixes() -> None:
    """The prefix `cls` holds both pre-training heads."""
    model = model_named("bert-base-uncased")
    assert NUMBERS_OF_UNIONS == [
        (part.path, Question(model, name, part.path).number)
        for name, part in parts()
        if ", " in part.path or part.path == "cls"
    ]


def test_no_part_selects_the_rows_of_another() -> None:
    """BertForSequenceClassification is used only for parts that BertForPreTraining lacks: those with its own head."""
    model = model_named("bert-base-uncased")
    questions = [(part, Question(model, name, part.path, part.tag)) for name, part in parts()]
    selections = [("layer_0" in part.path, part.share, question.rows) for part, question in questions]
    assert [] == [part.path for part, question in questions if not question.rows]
    assert len(selections) == len(set(selections))
    assert {0} == {question.number % 12 for part, question in questions if part.share}
    paths_in_classification = [part.path for name, part in parts() if name == "BertForSequenceClassification"]
    matrix_and_bias = ["sequence_classifier/output_weights", "sequence_classifier/output_bias"]
    assert ["sequence_classifier", "bert/pooler, sequence_classifier", *matrix_and_bias] == paths_in_classification


def test_every_prefix_is_a_part_but_the_whole_model_is_not() -> None:
    paths = [part.path for _, part in parts() if not part.tag and not part.share and ", " not in part.path]
    assert not {"", "bert"} & set(paths)
    assert ["sequence_classifier", "bert/embeddings", "bert/embeddings/word_embeddings"] == paths[:3]
    # The pooler holds only its dense layer, so the two are one part.
    assert ["bert/pooler", "bert/pooler/dense/kernel", "bert/pooler/dense/bias"] == [
        path for path in paths if path.startswith("bert/pooler")
    ]
    paths_of_tensors = {row.path for row in BERT.rows_of("BertForPreTraining")}
    assert paths_of_tensors <= set(paths)
    assert {path.replace("layer_*", "layer_0") for path in paths_of_tensors} <= set(paths)


def test_a_part_compared_with_the_bare_model_has_the_same_number_there() -> None:
    model = model_named("bert-base-uncased")
    for (model_class, part), costs in zip(parts(), part_costs(), strict=True):
        if costs.percentage_cost is not None:
            number_in_class, number_in_bare_model = (
                Question(model, name).about(part.path, part.tag).number for name in (model_class, "BertModel")
            )
            assert number_in_class == number_in_bare_model, part
