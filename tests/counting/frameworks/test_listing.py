"""The listing of tensors, one by one."""

import pytest

from macros.counting import BadConfig, Model, Question, tensors


def test_the_longest_listing(base: Model) -> None:
    """A hundred thousand layers are listed; one more is refused before any tensor is."""
    first = next(tensors(Question(base.resized(L=100_000))))
    assert "embeddings.word_embeddings.weight" == first.transformers
    with pytest.raises(BadConfig, match="it has 100001 layers; tensors are listed for up to 100000 layers"):
        tensors(Question(base.resized(L=100_001)))


def test_one_tensor_in_full(base: Model) -> None:
    """Names, both shapes, size and tie of a kernel in the last layer. Source: transformers 5.23."""
    path = "bert/encoder/layer_11/intermediate/dense/kernel"
    found = next(each for each in tensors(Question(base)) if each.path == path)
    expected = (
        path,
        "encoder.layer.11.intermediate.dense.weight",
        path,
        (3072, 768),
        (768, 3072),
        2_359_296,
        None,
    )
    assert expected == found


def test_no_layers_list_no_layer(base: Model) -> None:
    """Embeddings and pooler remain."""
    assert 7 == len(list(tensors(Question(base.resized(L=0)))))
