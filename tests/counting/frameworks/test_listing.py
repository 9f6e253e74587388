"""The listing of tensors, one by one."""

import pytest

from macros.counting import BadConfig, Choices, Model, Question, load_relatives, model_named, model_of_config, tensors
from tests.counting.test_config import RELATIVES


def test_the_longest_listing(base: Model) -> None:
    """A hundred thousand layers are listed; one more is refused before any tensor is."""
    assert 7 == len(list(tensors(Question(base.resized(L=0)))))
    first = next(tensors(Question(base.resized(L=100_000))))
    assert "embeddings.word_embeddings.weight" == first.transformers
    with pytest.raises(BadConfig, match="it has 100001 layers; tensors are listed for up to 100000 layers"):
        tensors(Question(base.resized(L=100_001)))


def test_one_tensor_in_full(base: Model) -> None:
    """Names, both shapes, size and tie of a kernel in the last layer. Source: transformers 5.23."""
    path = "bert/encoder/layer_11/intermediate/dense/kernel"
    found = next(each for each in tensors(Question(base)) if each.path == path)
    expected = (path, "encoder.layer.11.intermediate.dense.weight", path, (3072, 768), (768, 3072), 2_359_296, None)
    assert expected == found


# Source: transformers 5.23, AlbertModel of such a config, run: data/recordings/transformers-albert.
def test_layers_of_albert_are_named_by_group_and_place() -> None:
    """Two groups of three layers, each with weights of its own; the twelve layers of the config are in no name."""
    config = {**RELATIVES["albert"], "num_hidden_layers": 12, "num_hidden_groups": 2, "inner_group_num": 3}
    listed = list(tensors(Question(model_of_config("a", config), "AlbertForMaskedLM")))
    names = [each.transformers for each in listed if each.transformers.endswith(".attention.query.weight")]
    places = [(group, place) for group in (0, 1) for place in (0, 1, 2)]
    layer = "albert.encoder.albert_layer_groups.{}.albert_layers.{}.attention.query.weight"
    assert [layer.format(*each) for each in places] == names
    paths = [each.path for each in listed if each.path.endswith("/attention/self/query/kernel")]
    assert [f"bert/encoder/layer_{number}/attention/self/query/kernel" for number in range(6)] == paths
    assert 6 * 20 * 20 == sum(each.size for each in listed if each.transformers in names)


# First and last tensors, and how many there are. Source: named_parameters() of transformers 5.23.
ENDS = [
    ("roberta-base", "embeddings.word_embeddings.weight", "pooler.dense.bias", 199),
    ("distilbert-base-uncased", "embeddings.word_embeddings.weight", "transformer.layer.5.output_layer_norm.bias", 100),
    ("albert-base-v2", "embeddings.word_embeddings.weight", "pooler.bias", 25),
    ("electra-base-discriminator", "embeddings.word_embeddings.weight", "encoder.layer.11.output.LayerNorm.bias", 197),
]


@pytest.mark.parametrize(("name", "first", "last", "number"), ENDS)
def test_relatives_are_listed(name: str, first: str, last: str, number: int) -> None:
    """Under transformers' names, and none of google-research/bert's, which knows BERT alone."""
    listed = list(tensors(Question(model_named(name))))
    assert (first, last, number) == (listed[0].transformers, listed[-1].transformers, len(listed))
    assert {None} == {each.google_bert for each in listed}


def test_too_many_groups_are_refused() -> None:
    """A listing is as long as there are layers with weights of their own, and so is the limit."""
    albert = load_relatives()["albert-base-v2"]
    assert next(tensors(Question(albert.resized(L=10**6))))
    with pytest.raises(BadConfig, match="it has 100002 layers"):
        tensors(Question(albert.resized(G=50_001, I=2)))


def test_a_part_without_the_owner_of_a_tied_tensor(base: Model) -> None:
    """The decoder names the word embeddings, which lie elsewhere, and adds nothing; untied, it adds V·H."""
    asked = Question(base, "BertForMaskedLM", "cls/predictions/decoder/kernel")
    (tied,) = tensors(asked)
    assert (0, "bert.embeddings.word_embeddings.weight") == (tied.size, tied.tied_to)
    (untied,) = tensors(asked._replace(choices=Choices(tied=False)))
    assert (30522 * 768, None) == (untied.size, untied.tied_to)


def test_cross_attention_has_no_name_at_google(base: Model) -> None:
    """Its rows stand among others of the same layer, which have one. Source: google-research/bert, modeling.py."""
    listed = list(tensors(Question(base.resized(L=2), choices=Choices(cross_attention=True))))
    unnamed = [each.path for each in listed if each.google_bert is None]
    assert unnamed == [each.path for each in listed if "/crossattention/" in each.path]
    assert 2 * 10 == len(unnamed)
