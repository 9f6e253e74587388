"""Properties of BERT models and relatives of any size, tested with configs that Hypothesis generates."""

from math import prod
from random import Random
from typing import Any, NamedTuple, Self

from hypothesis import example, given, settings
from hypothesis import strategies as st

from macros.counting import (
    ARCHITECTURES,
    BERT,
    Architecture,
    Choices,
    Model,
    Question,
    model_of_config,
    tensors,
)
from macros.counting.architecture import ALWAYS, OPTIONAL
from tests.counting.sizes import SIZES

# Every run has the same examples, so that `make test` is repeatable. There is no deadline, because a slow machine is
# no fault of the code.
settings.register_profile("counting", derandomize=True, deadline=None, max_examples=200)
settings.load_profile("counting")


class Case(NamedTuple):
    """A model, its class, and whether its pooler is built; with None, the class decides."""

    model: Model
    model_class: str
    pooler: bool | None

    @property
    def question(self) -> Question:
        """The question about the whole model."""
        return Question(self.model, self.model_class, choices=Choices(pooler=self.pooler))

    def total(self, part: str = "", tag: str = "") -> int:
        """The number of parameters in one part."""
        return self.question.about(part, tag).number

    def with_ties(self, is_tied: bool) -> Self:
        """The same case with a tied or an untied decoder."""
        return self._replace(model=self.model._replace(choices=self.model.choices._replace(tied=is_tied)))

    def resized(self, **changes: int) -> Self:
        """The same case with different sizes, given by letter."""
        return self._replace(model=self.model.resized(**changes))


LARGEST_SIZES = {"V": 10**6, "P": 10**4, "S": 20, "E": 300, "R": 64, "F": 10**4, "G": 9, "I": 5, "C": 1000}
"""Maximum sizes by letter. The numbers of layers and heads and the hidden size are drawn separately."""

LARGEST_OTHER_SIZE = 100
"""Maximum size for letters that are not in `LARGEST_SIZES`, such as those of a new architecture."""


@st.composite
def cases(draw: st.DrawFn, max_layers: int = 10**6, architectures: tuple[Architecture, ...] = (BERT,)) -> Case:
    """Any class of `architectures`, tied or untied, encoder or decoder, with or without a pooler.

    If the embeddings have their own width, it sometimes equals the hidden size.
    """
    architecture = draw(st.sampled_from(architectures))
    model_class = draw(st.sampled_from(architecture.classes))
    minimums = {symbol.letter: symbol.minimum for symbol in architecture.symbols}
    heads, is_decoder = draw(st.integers(1, 20)), draw(st.booleans())
    head_width = draw(st.integers(1, 100)) * (2 if architecture.pairs_features else 1)
    sizes = {"A": heads, "H": heads * head_width, "L": draw(st.integers(minimums["L"], max_layers))}
    for symbol in architecture.symbols:
        if symbol.letter not in sizes:
            sizes[symbol.letter] = draw(
                st.integers(symbol.minimum, LARGEST_SIZES.get(symbol.letter, LARGEST_OTHER_SIZE))
            )
    sizes["E"] = draw(st.sampled_from([sizes["H"], sizes.get("E", 1), sizes.get("E", 1)]))
    sizes["C"] = model_class.required_labels or sizes["C"]
    has_cross_attention = any(row.when == "cross_attention" for row in architecture.rows)
    sizes |= {narrower: min(sizes[wider], sizes[narrower]) for wider, narrower in architecture.differences}
    if "Q" in sizes:
        sizes["Q"] = head_width
    if architecture.letter_of_shared_width != "H":
        # The heads share a width other than the hidden size, so their number must divide it.
        sizes[architecture.letter_of_shared_width] *= heads
    config = architecture.required_settings | {
        **{symbol.key: sizes[symbol.letter] for symbol in architecture.symbols},
        "model_type": architecture.model_type,
        "pad_token_id": None,
        "tie_word_embeddings": draw(st.booleans()),
        "is_decoder": is_decoder,
        "add_cross_attention": is_decoder and draw(st.booleans()) and has_cross_attention,
    }
    poolers = [None, True, False] if model_class.pooler == OPTIONAL else [None, model_class.pooler == ALWAYS]
    return Case(model_of_config("any", config), model_class.name, draw(st.sampled_from(poolers)))


def relatives() -> st.SearchStrategy[Case]:
    """Any class of any relative."""
    return cases(max_layers=50, architectures=tuple(ARCHITECTURES.values())[1:])


@st.composite
def partitions(draw: st.DrawFn) -> tuple[Case, list[str]]:
    """A case, and path prefixes that divide its tensors. A prefix is usually split further."""
    case = draw(cases(max_layers=3))
    paths = [row.path for row in case.question.rows]
    return case, division(draw, "", paths, case.model.sizes["L"])


def division(draw: st.DrawFn, prefix: str, paths: list[str], layers: int) -> list[str]:
    """`prefix` itself, or the divisions of all prefixes that are one component longer."""
    if prefix in paths or (prefix and draw(st.sampled_from(["whole", "split", "split", "split"])) == "whole"):
        return [prefix]
    start = f"{prefix}/".lstrip("/")
    prefixes = []
    for name in dict.fromkeys(path.removeprefix(start).split("/")[0] for path in paths if path.startswith(start)):
        is_split_by_layer = name == "layer_*" and draw(st.booleans())
        layer_names = [f"layer_{layer}" for layer in range(layers)] if is_split_by_layer else ["layer_*"]
        for layer_name in layer_names:
            paths_with_layer = [path.replace("layer_*", layer_name) for path in paths]
            prefixes += division(draw, start + name.replace("layer_*", layer_name), paths_with_layer, layers)
    return prefixes


CLASSES_WITH_LABELS = ("SequenceClassification", "TokenClassification", "QuestionAnswering")
"""Endings of the names of classes whose head has a row for each label."""

CLASSES_WITH_DECODER = ("BertForPreTraining", "BertForMaskedLM", "BertLMHeadModel")
"""The classes of BERT that predict tokens."""


def evaluate(text: str, sizes: dict[str, int]) -> int:
    """Evaluate a formula or a worked calculation in Python."""
    expression = text.replace(",", "").replace("·", "*").replace("²", "**2").replace("−", "-")
    result: int = eval(expression, {"__builtins__": {}}, sizes)  # noqa: S307  our own text: letters, digits, operators
    return result


def case_of(model_class: str = "BertModel", **extra: Any) -> Case:
    """A case with the sizes of `SIZES`, and with `extra` keys in its config."""
    return Case(model_of_config("any", {**SIZES, **extra}), model_class, pooler=None)


@given(st.one_of(cases(max_layers=5), relatives()))
def test_the_listing_sums_to_the_total_and_its_names_are_unique(case: Case) -> None:
    tensors_by_name = {tensor.transformers: tensor for tensor in tensors(case.question)}
    for tensor in tensors_by_name.values():
        assert (0 if tensor.tied_to else prod(tensor.shape)) == tensor.size
        assert prod(tensor.google_shape) == prod(tensor.shape)
        if tensor.tied_to:
            owner = tensors_by_name[tensor.tied_to]
            assert (None, prod(tensor.shape)) == (owner.tied_to, owner.size)
    assert case.total() == sum(tensor.size for tensor in tensors_by_name.values())
    paths = [tensor.path for tensor in tensors(case.question)]
    assert len(paths) == len(set(paths)) == len(tensors_by_name)
    google_names = [tensor.google_bert for tensor in tensors_by_name.values() if tensor.google_bert]
    assert len(google_names) == len(set(google_names))


@given(partitions())
def test_any_partition_sums_to_the_total(partition: tuple[Case, list[str]]) -> None:
    case, parts = partition
    assert len(parts) == len(set(parts))
    assert case.total() == sum(case.total(part) for part in parts)


@given(cases(), st.sampled_from("VPSHFLAC"), st.integers(1, 1000))
@example(case_of(num_hidden_layers=0), "F", 1)
@example(case_of("BertForTokenClassification"), "C", 1)
def test_a_larger_size_never_reduces_the_total(case: Case, letter: str, increase: int) -> None:
    """The total grows with every size that occurs in a shape, and depends on no other size."""
    # With one head, any hidden size is possible.
    smaller = case.resized(A=1)
    larger = smaller.resized(**{letter: smaller.model.sizes[letter] + increase}) if letter != "A" else case
    has_labels = case.model_class.endswith(CLASSES_WITH_LABELS)
    must_grow = {"F": case.model.sizes["L"] > 0, "A": False, "C": has_labels}.get(letter, True)
    assert larger.total() >= smaller.total()
    assert must_grow == (larger.total() > smaller.total())


@given(cases())
def test_ties_save_exactly_the_decoder(case: Case) -> None:
    tied_total, untied_total = case.with_ties(True).total(), case.with_ties(False).total()
    sizes = case.model.sizes
    decoder = sizes["V"] * sizes["H"] + sizes["V"] if case.model_class in CLASSES_WITH_DECODER else 0
    assert decoder == untied_total - tied_total


@given(cases(max_layers=3), st.integers(1, 20), st.integers(1, 20))
def test_the_number_of_heads_changes_nothing(case: Case, heads: int, other_heads: int) -> None:
    width = case.model.sizes["H"] * heads * other_heads
    first, second = case.resized(H=width, A=heads), case.resized(H=width, A=other_heads)
    assert first.total() == second.total()
    assert list(tensors(first.question)) == list(tensors(second.question))


@given(partitions())
def test_formula_and_working_evaluate_to_the_value(partition: tuple[Case, list[str]]) -> None:
    case, parts = partition
    sizes = dict(case.model.sizes)
    for part in ["", *parts]:
        polynomial = case.question.about(part).polynomial
        assert case.total(part) == evaluate(polynomial.formula(), sizes)
        assert case.total(part) == evaluate(polynomial.working(sizes), {})


def is_sum_of_items(question: Question) -> bool:
    """Return whether the number of a question, computed section by section, is the sum of its individual items."""
    return question.number == sum(item.number(question.sizes) for item in question.items)


def random_question(chance: Random) -> Question:
    """A question about a random part or block of a random class, with random choices and sizes."""
    architecture = chance.choice(list(ARCHITECTURES.values()))
    model_class = chance.choice(architecture.classes)
    sizes = {symbol.letter: chance.randint(1, 9999) for symbol in architecture.symbols}
    sizes["H"] = chance.choice([sizes["H"], sizes.get("E", 768)])
    sizes["C"] = model_class.required_labels or sizes["C"]
    pooler = model_class.fixed_choices.pooler if model_class.pooler != OPTIONAL else chance.choice([None, True, False])
    tied, cross_attention = chance.choices([None, True, False], k=2)
    flags = frozenset(flag for flag in architecture.flags if chance.random() < 0.5)
    choices = Choices(pooler, tied, cross_attention, chance.choice([None, flags]))
    question = Question(Model("odd", architecture, sizes), model_class.name, choices=choices)
    row = chance.choice(question.rows)
    components = row.path.split("/")
    return question.about("/".join(components[: chance.randint(0, len(components))]), chance.choice(["", row.block]))


def test_the_number_of_a_question_is_the_sum_of_its_items() -> None:
    chance = Random(20261122)  # noqa: S311  the same questions each time
    questions = [random_question(chance) for _ in range(3_000)]
    assert [] == [question for question in questions if not is_sum_of_items(question)]


@given(relatives())
def test_formula_and_working_of_a_relative_evaluate_to_the_value(case: Case) -> None:
    sizes = dict(case.model.sizes)
    for block in ["", *sorted({row.block for row in case.question.rows})]:
        polynomial = case.question.about(tag=block).polynomial
        assert case.total(tag=block) == evaluate(polynomial.formula(), sizes)
        assert case.total(tag=block) == evaluate(polynomial.working(sizes), {})


@given(relatives(), st.integers(2, 9))
def test_more_layers_add_parameters_unless_they_share_their_weights(case: Case, increase: int) -> None:
    # In ALBERT, layers share their weights, and only more groups add parameters.
    letter = "L" if case.model.architecture.layers == ("L",) else "G"
    assert case.total() < case.resized(**{letter: case.model.sizes[letter] + increase}).total()
    if letter == "G":
        assert case.total() == case.resized(L=case.model.sizes["L"] + increase).total()
