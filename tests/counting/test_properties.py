"""What holds for every BERT, whatever its sizes: checked on configs that Hypothesis makes up."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st
from macros.counting.tensors import ALWAYS, OPTIONAL
from macros.counting.totals import select

from macros.counting import MODEL_CLASSES, Model, count, model_of_config, polynomial, tensors
from tests.counting.closed_form import PREDICTS_TOKENS, closed_form
from tests.counting.test_config import SIZES

# The same examples at every run, so that `make test` says the same twice, and
# no deadline, since a slow machine is no fault of the code.
settings.register_profile("counting", derandomize=True, deadline=None, max_examples=200)
settings.load_profile("counting")


class Case(NamedTuple):
    """A model, the class it is counted as, and whether its pooler is built."""

    model: Model
    model_class: str
    pooler: bool | None

    def total(self, part: str = "", tag: str = "") -> int:
        """Parameters in one part."""
        return count(self.model, part, tag, model_class=self.model_class, pooler=self.pooler)

    def with_model(self, **changes: Any) -> Case:
        """The same case with fields of its model changed."""
        return self._replace(model=self.model._replace(**changes))

    def resized(self, **changes: int) -> Case:
        """The same case with sizes changed, by letter."""
        return self._replace(model=self.model.resized(**changes))


@st.composite
def cases(draw: st.DrawFn, most_layers: int = 10**6) -> Case:
    """Any case: all classes, tied and untied, encoders and decoders, with and without a pooler."""
    heads = draw(st.integers(1, 20))
    decoder = draw(st.booleans())
    config = {
        "vocab_size": draw(st.integers(1, 10**6)),
        "max_position_embeddings": draw(st.integers(1, 10**4)),
        "type_vocab_size": draw(st.integers(1, 20)),
        "hidden_size": heads * draw(st.integers(1, 100)),
        "intermediate_size": draw(st.integers(1, 10**4)),
        "num_hidden_layers": draw(st.integers(0, most_layers)),
        "num_attention_heads": heads,
        "num_labels": draw(st.integers(1, 1000)),
        "tie_word_embeddings": draw(st.booleans()),
        "is_decoder": decoder,
        "add_cross_attention": decoder and draw(st.booleans()),
    }
    chosen = MODEL_CLASSES[draw(st.sampled_from(sorted(MODEL_CLASSES)))]
    fitting = [None, True, False] if chosen.pooler == OPTIONAL else [None, chosen.pooler == ALWAYS]
    return Case(model_of_config("any", config), chosen.name, draw(st.sampled_from(fitting)))


@st.composite
def partitions(draw: st.DrawFn) -> tuple[Case, list[str]]:
    """A case, and path prefixes that part its tensors: every prefix is whole or, more often, split further."""
    case = draw(cases(most_layers=3))
    paths = [row.path for row in select(case.model, model_class=case.model_class, pooler=case.pooler)]
    return case, parted(draw, "", paths, case.model.sizes["L"])


def parted(draw: st.DrawFn, prefix: str, paths: list[str], layers: int) -> list[str]:
    """Either `prefix` itself or what the prefixes one component longer are parted into."""
    if prefix in paths or (prefix and draw(st.sampled_from(["whole", "split", "split", "split"])) == "whole"):
        return [prefix]
    start = f"{prefix}/".lstrip("/")
    found = []
    for name in dict.fromkeys(path.removeprefix(start).split("/")[0] for path in paths if path.startswith(start)):
        one_by_one = name == "layer_*" and draw(st.booleans())
        for layer in range(layers) if one_by_one else "*":
            concrete = [path.replace("layer_*", f"layer_{layer}") for path in paths]
            found += parted(draw, start + name.replace("*", str(layer)), concrete, layers)
    return found


def evaluated(text: str, sizes: dict[str, int]) -> int:
    """A formula or a working, read as arithmetic."""
    written = text.replace(",", "").replace("·", "*").replace("²", "**2")
    result: int = eval(written, {"__builtins__": {}}, sizes)  # noqa: S307  our own text: letters, digits, operators
    return result


def whole(model_class: str = "BertModel", pooler: bool | None = None, **extra: Any) -> Case:
    """A case of the odd sizes that the tests of configs use."""
    return Case(model_of_config("whole", {**SIZES, **extra}), model_class, pooler)


@given(cases())
@example(whole(pooler=False))
@example(whole("BertLMHeadModel", is_decoder=True, add_cross_attention=True))
def test_a_formula_by_hand_gives_the_total(case: Case) -> None:
    """The table and the formula in closed_form.py agree."""
    model, model_class, pooler = case
    by_hand = closed_form(
        model.sizes, model_class, tied=model.tied, pooler=pooler, cross_attention=model.cross_attention
    )
    assert by_hand == case.total()


@given(cases(most_layers=5))
def test_the_listing_sums_to_the_total(case: Case) -> None:
    """Every tensor counts what its shape holds, a tied one nothing, and together they are the total."""
    listed = list(tensors(*case))
    for tensor in listed:
        assert (0 if tensor.tied_to else prod(tensor.shape)) == tensor.size
        assert prod(tensor.google_shape) == prod(tensor.shape)
    assert case.total() == sum(tensor.size for tensor in listed)


@given(cases())
def test_blocks_sum_to_the_total(case: Case) -> None:
    """The blocks that a model has part its parameters."""
    blocks = {row.block for row in select(case.model, model_class=case.model_class, pooler=case.pooler)}
    assert case.total() == sum(case.total(tag=block) for block in blocks)


@given(partitions())
def test_any_partition_sums_to_the_total(partition: tuple[Case, list[str]]) -> None:
    """However the paths are parted, also layer by layer, the parts add up."""
    case, parts = partition
    assert len(parts) == len(set(parts))
    assert case.total() == sum(case.total(part) for part in parts)


@given(cases(), st.sampled_from("VPSHFLAC"), st.integers(1, 1000))
@example(whole(num_hidden_layers=0), "F", 1)
@example(whole("BertForTokenClassification"), "C", 1)
def test_a_larger_size_never_counts_less(case: Case, letter: str, more: int) -> None:
    """The total grows with every size that some tensor has, and stays where none has it."""
    before = case.resized(A=1)
    after = before.resized(**{letter: before.model.sizes[letter] + more}) if letter != "A" else case
    sized = {
        "F": case.model.sizes["L"] > 0,
        "A": False,
        "C": MODEL_CLASSES[case.model_class].labels,
    }.get(letter, True)
    assert after.total() >= before.total()
    assert sized == (after.total() > before.total())


@given(cases())
def test_ties_save_exactly_the_decoder(case: Case) -> None:
    """An untied decoder is another V·H + V; where there is none, ties change nothing."""
    tied, untied = case.with_model(tied=True).total(), case.with_model(tied=False).total()
    sizes = case.model.sizes
    decoder = sizes["V"] * sizes["H"] + sizes["V"] if case.model_class in PREDICTS_TOKENS else 0
    assert decoder == untied - tied


@given(cases(most_layers=3), st.integers(1, 20), st.integers(1, 20))
def test_heads_change_nothing(case: Case, one: int, other: int) -> None:
    """The width may be shared among any number of heads: same total, same tensors."""
    width = case.model.sizes["H"] * one * other
    few, many = case.resized(H=width, A=one), case.resized(H=width, A=other)
    assert few.total() == many.total()
    assert list(tensors(*few)) == list(tensors(*many))


@given(cases())
def test_every_layer_adds_the_same(case: Case) -> None:
    """The total is a constant plus so much a layer."""
    none, one = case.resized(L=0).total(), case.resized(L=1).total()
    assert none + case.model.sizes["L"] * (one - none) == case.total()


@given(cases(most_layers=5))
def test_names_in_a_listing_are_unique(case: Case) -> None:
    """No two tensors share a path or a name, in either framework."""
    listed = list(tensors(*case))
    assert len(listed) == len({tensor.path for tensor in listed})
    assert len(listed) == len({tensor.transformers for tensor in listed})
    named = [tensor.google_bert for tensor in listed if tensor.google_bert]
    assert len(named) == len(set(named))


@given(cases(most_layers=5))
def test_a_tied_tensor_names_its_owner(case: Case) -> None:
    """The owner of a tied tensor is in the listing, with as many elements, and counts."""
    listed = {tensor.transformers: tensor for tensor in tensors(*case)}
    for tensor in listed.values():
        if tensor.tied_to:
            owner = listed[tensor.tied_to]
            assert (None, prod(tensor.shape)) == (owner.tied_to, owner.size)


@given(partitions())
def test_formula_and_working_evaluate_to_the_value(partition: tuple[Case, list[str]]) -> None:
    """Read as arithmetic, the letters and the numbers written in their place both give the count."""
    case, parts = partition
    sizes = dict(case.model.sizes)
    for part in ["", *parts]:
        letters = polynomial(case.model, part, model_class=case.model_class, pooler=case.pooler)
        assert case.total(part) == evaluated(letters.formula(), sizes)
        assert case.total(part) == evaluated(letters.working(sizes), {})
