"""A listing has every tensor with its names, shapes, size and tie, for a limited number of layers."""

import pytest

from macros.counting import BERT, BadConfig, Choices, Model, Question, load_relatives, tensors
from macros.counting.frameworks.listing import ledger_rows


def test_a_listing_has_at_most_a_hundred_thousand_layers(base: Model) -> None:
    """The call itself raises, before anything is read from the iterator."""
    assert 7 == len(list(tensors(Question(base.resized(L=0)))))
    first = next(tensors(Question(base.resized(L=100_000))))
    assert "embeddings.word_embeddings.weight" == first.transformers
    with pytest.raises(BadConfig, match="it has 100001 layers; tensors are listed for up to 100000 layers"):
        tensors(Question(base.resized(L=100_001)))


def test_a_tensor_has_its_names_shapes_size_and_tie(base: Model) -> None:
    """Source: transformers 5.23."""
    path = "bert/encoder/layer_11/intermediate/dense/kernel"
    tensor = next(candidate for candidate in tensors(Question(base)) if candidate.path == path)
    expected = (path, "encoder.layer.11.intermediate.dense.weight", path, (3072, 768), (768, 3072), 2_359_296, None)
    assert expected == tensor


def test_only_layers_with_their_own_weights_are_limited() -> None:
    albert = load_relatives()["albert-base-v2"]
    assert next(tensors(Question(albert.resized(L=10**6))))
    with pytest.raises(BadConfig, match="it has 100002 layers"):
        tensors(Question(albert.resized(G=50_001, I=2)))


def test_a_tied_tensor_may_have_its_owner_outside_the_part(base: Model) -> None:
    question = Question(base, "BertForMaskedLM", "cls/predictions/decoder/kernel")
    (tied_tensor,) = tensors(question)
    assert (0, "bert.embeddings.word_embeddings.weight") == (tied_tensor.size, tied_tensor.tied_to)
    (untied_tensor,) = tensors(question._replace(choices=Choices(tied=False)))
    assert (30522 * 768, None) == (untied_tensor.size, untied_tensor.tied_to)


def test_cross_attention_has_no_name_in_google_bert(base: Model) -> None:
    """Source: modeling.py."""
    listing = list(tensors(Question(base.resized(L=2), choices=Choices(cross_attention=True))))
    nameless_paths = [tensor.path for tensor in listing if tensor.google_bert is None]
    assert nameless_paths == [tensor.path for tensor in listing if "/crossattention/" in tensor.path]
    assert 2 * 10 == len(nameless_paths)  # ten in each layer


def test_a_ledger_has_the_fields_of_every_tensor(base: Model) -> None:
    """The tensors of BERT's relatives have no names in google-research/bert."""
    for question in (Question(base, "BertForPreTraining"), *map(Question, load_relatives().values())):
        listing, rows = [*tensors(question)], [*ledger_rows(question)]
        for field in ("transformers", "google_bert", "tied_to"):
            assert [getattr(tensor, field) for tensor in listing] == [row[field] for row in rows]
        assert [([*tensor.shape], tensor.size) for tensor in listing] == [(row["shape"], row["count"]) for row in rows]
        assert (question.model.architecture is BERT) == any(row["google_bert"] for row in rows)
        assert question.number == rows[-1]["running_total"]
