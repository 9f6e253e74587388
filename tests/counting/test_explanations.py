"""What people have in hand, and the explanation that comes first."""

import pytest
from macros.counting.explanations import CLASS_COST, GROUP_COST, Explanation, Part, explain, known, parts
from macros.counting.tensors import MODEL_CLASSES

from macros.counting import BadNumber, UnknownModel, load_models
from macros.counting.models import GROUPS

BASE, LARGE, CHINESE = "bert-base-uncased", "bert-large-uncased", "bert-base-chinese"
PRETRAINING, MASKED = "BertForPreTraining", "BertForMaskedLM"

# What is typed, then model, class and mistakes of the first answer. Sources: the
# totals of transformers 5.23 and of the tools and texts that print the others.
TOTALS = [
    ("109482240", BASE, "BertModel", ()),
    ("335,141,888", LARGE, "BertModel", ()),
    ("177853440", "bert-base-multilingual-cased", "BertModel", ()),
    (
        "75641856",
        CHINESE,
        "BertModel",
        ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out"),
    ),
    (
        "108844032",
        BASE,
        "BertModel",
        ("pooler-left-out", "segments-forgotten", "encoder-biases-left-out", "encoder-norms-twice"),
    ),
    ("133920572", BASE, PRETRAINING, ("decoder-untied", "embedding-norm-forgotten", "positions-thousand")),
    ("324472832", "bert-large-chinese", "BertModel", ("pooler-left-out",)),
    ("109705010", BASE, PRETRAINING, ("vocabulary-rounded",)),
    ("38826290", "keras-bert-notebook", PRETRAINING, ()),
    ("133547324", BASE, PRETRAINING, ("decoder-untied",)),
    ("133577846", BASE, PRETRAINING, ("state-dict-summed",)),
    ("85646592", BASE, "BertModel", ("embeddings-excluded",)),
    ("108891648", BASE, "BertModel", ("pooler-left-out",)),
    ("108808704", BASE, "BertModel", ("pooler-left-out", "encoder-biases-left-out")),
    ("132955194", BASE, MASKED, ("decoder-untied",)),
    ("110104890", BASE, MASKED, ("pooler-kept",)),
    ("109,514,298", BASE, MASKED, ()),
    ("330319285", BASE, PRETRAINING, ("optimizer-counted",)),
    ("110M", BASE, "BertModel", ()),
    ("0.34B", LARGE, "BertModel", ()),
    ("1.1亿", BASE, "BertModel", ()),
    ("108.892M", BASE, "BertModel", ("pooler-left-out",)),
]


@pytest.mark.parametrize(("typed", "model", "model_class", "mistakes"), TOTALS)
def test_the_first_answer_is_the_right_one(typed: str, model: str, model_class: str, mistakes: tuple[str, ...]) -> None:
    """Well-known totals, right and wrong."""
    first = explain(typed)[0]
    assert ("total", model, model_class, mistakes) == (first.kind, first.models[0], first.classes[0], first.mistakes)


def first_part(typed: str) -> tuple[str, tuple[Part, ...], tuple[str, ...]]:
    """Model, parts and mistakes of the first answer, which is a part."""
    first = explain(typed)[0]
    assert "part" == first.kind
    return first.models[0], first.parts, first.mistakes


LAYER = "bert/encoder/layer_0"


def test_parts_of_the_same_count_are_named_together() -> None:
    """Attention and the first matrix of the feed-forward network; the square dense layers."""
    attention = (Part(f"{LAYER}/intermediate"), Part(LAYER, "self-attention"))
    assert (BASE, attention, ()) == first_part("2362368")
    square = [f"{LAYER}/attention/self/{name}" for name in ("query", "key", "value")]
    square += [f"{LAYER}/attention/output/dense", "bert/pooler", "cls/predictions/transform/dense"]
    assert (BASE, tuple(map(Part, square)), ()) == first_part("590592")
    assert (BASE, (Part("bert/encoder"),), ()) == first_part("85,054,464")


def test_a_part_may_be_of_one_head_or_with_a_mistake() -> None:
    """A head's query matrix; the output projection once a head, as an answer on the web has it."""
    assert (BASE, (Part(f"{LAYER}/attention/self/query", "kernel", share=True),), ()) == first_part("49152")
    projection = (Part(f"{LAYER}/attention/output/dense"),)
    assert (BASE, projection, ("output-projection-per-head",)) == first_part("7078656")


def test_tensors_are_no_parameters() -> None:
    """199 counts the tensors of BertModel."""
    first = explain("199")[0]
    assert ("tensors", BASE, "BertModel") == (first.kind, first.models[0], first.classes[0])


def test_a_product_of_sizes() -> None:
    """12 layers times 768 times 12 heads looks like the published millions."""
    first = explain("110592")[0]
    assert ("total", BASE, ("sizes-multiplied",)) == (first.kind, first.models[0], first.mistakes)


def test_a_head_with_other_labels() -> None:
    """The configuration of the hand count of base Chinese says 18 labels."""
    first = explain("102281490")[0]
    assert ("labels", CHINESE, 18) == (first.kind, first.models[0], first.labels)


def test_memory_is_explained_by_its_division() -> None:
    """Four bytes a number, and a power of two."""
    first = explain("417.6 MiB")[0]
    assert ("memory", BASE, "BertModel", "float32", 2**20) == (
        first.kind,
        first.models[0],
        first.classes[0],
        first.dtype,
        first.unit,
    )
    assert 437_928_960 == first.number
    # The same amount under the other unit's name comes later.
    called = explain("417.6 MB")
    assert any(each.unit == 2**20 and each.models[0] == BASE and each.dtype == "float32" for each in called)


def test_what_speaks_against_a_way_adds_up() -> None:
    """A rarer class, and a data type of half the width."""
    listed = explain("208.8 MiB")  # 2 x 109,483,778 / 2^20
    found = {each.dtype: each.cost for each in listed if each.number == 2 * 109_483_778 and not each.mistakes}
    assert {"float16": 2, "bfloat16": 2} == found


def test_bytes_are_memory_too() -> None:
    """An exact number of bytes, four times the total of base."""
    first = explain("437,928,960 bytes")[0]
    assert ("memory", 437_928_960, BASE, "float32") == (first.kind, first.number, first.models[0], first.dtype)


def test_nobody_has_no_parameters() -> None:
    """What is frozen and left out adds nothing, and is no total."""
    assert {"part"} == {each.kind for each in explain("0")}


@pytest.mark.parametrize("typed", ["109482240", "110M", "417.6 MiB", "590592", "199", "109559808"])
def test_one_model_may_be_meant(typed: str) -> None:
    """Explanations are of this model only, and those that all have are among them."""
    for name in (BASE, CHINESE):
        found = explain(typed, name)
        assert found
        assert all(name in each.models for each in found)
        listed = [(each.kind, each.number, each.mistakes, each.labels, each.dtype, each.unit) for each in found]
        everywhere = [each for each in explain(typed) if name in each.models and each.kind != "near"]
        assert all(
            (each.kind, each.number, each.mistakes, each.labels, each.dtype, each.unit) in listed for each in everywhere
        )


def test_an_unknown_model_is_refused() -> None:
    """The message proposes the nearest name."""
    with pytest.raises(UnknownModel, match="did you mean"):
        explain("1", "bert-bsae-uncased")


def test_what_is_in_print_comes_first() -> None:
    """72.1 MB is the total of the hand count over 2 to the 20th, a byte a number."""
    first = explain("72.1 MB")[0]
    assert ("memory", 75_641_856, CHINESE, "int8", 2**20) == (
        first.kind,
        first.number,
        first.models[0],
        first.dtype,
        first.unit,
    )
    assert ("base-chinese-by-hand",) == first.printed_in
    assert all(each.printed_in for each in known())


def test_a_number_that_nothing_gives_has_a_nearest_and_a_rest() -> None:
    """The rest is named where it is a part or whole rows."""
    # 109,482,240 and a hundred and one rows of 768 more.
    near = explain("109559808")
    assert all("near" == each.kind and each.number + each.rest == 109_559_808 for each in near)
    first = next(each for each in near if each.models[0] == BASE and "BertModel" in each.classes and not each.mistakes)
    assert (77_568, 101) == (first.rest, first.rest_rows)


def test_the_cheapest_comes_first() -> None:
    """The order is that of what speaks against it."""
    for typed in ("85646592", "590592", "110M", "72.1 MB"):
        costs = [each.cost for each in explain(typed)]
        assert costs == sorted(costs)
        assert costs


def test_no_explanation_stands_twice() -> None:
    """Models and classes that give the same are one answer."""
    for typed in ("590592", "109482240", "199"):
        bare = [each._replace(models=(), classes=(), cost=0) for each in explain(typed)]
        assert len(bare) == len(set(bare))


@pytest.mark.parametrize("typed", ["", "many", "-1", "<script>alert(1)</script>"])
def test_what_is_no_number_is_refused(typed: str) -> None:
    """The message says what would do."""
    with pytest.raises(BadNumber):
        explain(typed)


def test_a_hundred_digits_have_no_explanation() -> None:
    """No model is so large, and nothing is searched."""
    assert [] == explain("9" * 100)


def test_every_model_and_class_has_a_cost() -> None:
    """A new group or class needs its place in the order."""
    assert set(GROUPS) == set(GROUP_COST)
    assert set(MODEL_CLASSES) == set(CLASS_COST)
    assert {model.group for model in load_models().values()} <= set(GROUP_COST)


def test_no_two_parts_are_the_same_rows() -> None:
    """A part that is named twice would be explained twice."""
    named = [part for _, part in parts()]
    assert len(named) == len(set(named))
    assert Part("bert/pooler") in named
    assert Part("bert/pooler/dense") not in named


def test_an_explanation_holds_what_pages_need() -> None:
    """The fields that say nothing are empty."""
    first = explain("109482240")[0]
    empty = Explanation("total", 109_482_240, 0, first.models, first.classes)
    assert empty == first
