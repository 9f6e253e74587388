"""What holds for every BERT and its relatives, whatever the sizes: checked on configs that Hypothesis makes up."""

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

# The same examples at every run, so that `make test` says the same twice, and
# no deadline, since a slow machine is no fault of the code.
settings.register_profile("counting", derandomize=True, deadline=None, max_examples=200)
settings.load_profile("counting")


class Case(NamedTuple):
    """A model, the class it is counted as, and whether its pooler is built."""

    model: Model
    model_class: str
    pooler: bool | None

    @property
    def question(self) -> Question:
        """What is asked of the engine."""
        return Question(self.model, self.model_class, choices=Choices(pooler=self.pooler))

    def total(self, part: str = "", tag: str = "") -> int:
        """Parameters in one part."""
        return self.question.at(part, tag).number

    def with_ties(self, tied: bool) -> Self:
        """The same case with its decoder tied or not."""
        return self._replace(model=self.model._replace(choices=self.model.choices._replace(tied=tied)))

    def resized(self, **changes: int) -> Self:
        """The same case with sizes changed, by letter."""
        return self._replace(model=self.model.resized(**changes))


MOST = {"V": 10**6, "P": 10**4, "S": 20, "E": 300, "R": 64, "F": 10**4, "G": 9, "I": 5, "C": 1000}
"""The largest size by letter, but for layers, width and heads; of any other letter it is `LARGEST`."""

LARGEST = 100


@st.composite
def cases(draw: st.DrawFn, most_layers: int = 10**6, architectures: tuple[Architecture, ...] = (BERT,)) -> Case:
    """Any case: all classes, tied and untied, encoders and decoders, with and without a pooler.

    Where an architecture has embeddings of another width, they are as wide as the layers in every third case.
    """
    architecture = draw(st.sampled_from(architectures))
    chosen = draw(st.sampled_from(architecture.classes))
    least = {each.letter: each.minimum for each in architecture.symbols}
    heads, decoder = draw(st.integers(1, 20)), draw(st.booleans())
    sizes = {"A": heads, "H": heads * draw(st.integers(1, 100)), "L": draw(st.integers(least["L"], most_layers))}
    for each in architecture.symbols:
        if each.letter not in sizes:
            sizes[each.letter] = draw(st.integers(each.minimum, MOST.get(each.letter, LARGEST)))
    sizes["E"] = draw(st.sampled_from([sizes["H"], sizes.get("E", 1), sizes.get("E", 1)]))
    sizes["C"] = chosen.labels or sizes["C"]
    config = architecture.stated | {
        **{symbol.key: sizes[symbol.letter] for symbol in architecture.symbols},
        "model_type": architecture.model_type,
        "pad_token_id": None,
        "tie_word_embeddings": draw(st.booleans()),
        "is_decoder": decoder,
        "add_cross_attention": decoder and draw(st.booleans()),
    }
    fitting = [None, True, False] if chosen.pooler == OPTIONAL else [None, chosen.pooler == ALWAYS]
    return Case(model_of_config("any", config), chosen.name, draw(st.sampled_from(fitting)))


def relatives() -> st.SearchStrategy[Case]:
    """Any class of any relative."""
    return cases(most_layers=50, architectures=tuple(ARCHITECTURES.values())[1:])


@st.composite
def partitions(draw: st.DrawFn) -> tuple[Case, list[str]]:
    """A case, and path prefixes that divide its tensors: every prefix is whole or, more often, split further."""
    case = draw(cases(most_layers=3))
    paths = [row.path for row in case.question.rows]
    return case, divided(draw, "", paths, case.model.sizes["L"])


def divided(draw: st.DrawFn, prefix: str, paths: list[str], layers: int) -> list[str]:
    """Either `prefix` itself or what the prefixes one component longer are divided into."""
    if prefix in paths or (prefix and draw(st.sampled_from(["whole", "split", "split", "split"])) == "whole"):
        return [prefix]
    start = f"{prefix}/".lstrip("/")
    found = []
    for name in dict.fromkeys(path.removeprefix(start).split("/")[0] for path in paths if path.startswith(start)):
        one_by_one = name == "layer_*" and draw(st.booleans())
        for layer in range(layers) if one_by_one else "*":
            concrete = [path.replace("layer_*", f"layer_{layer}") for path in paths]
            found += divided(draw, start + name.replace("*", str(layer)), concrete, layers)
    return found


TASKS = ("SequenceClassification", "TokenClassification", "QuestionAnswering")
PREDICTS_TOKENS = ("BertForPreTraining", "BertForMaskedLM", "BertLMHeadModel")


def evaluated(text: str, sizes: dict[str, int]) -> int:
    """A formula or a working, read as arithmetic."""
    written = text.replace(",", "").replace("·", "*").replace("²", "**2").replace("−", "-")
    result: int = eval(written, {"__builtins__": {}}, sizes)  # noqa: S307  our own text: letters, digits, operators
    return result


def whole(model_class: str = "BertModel", pooler: bool | None = None, **extra: Any) -> Case:
    """A case of the odd sizes that the tests of configs use."""
    return Case(model_of_config("whole", {**SIZES, **extra}), model_class, pooler)


@given(st.one_of(cases(most_layers=5), relatives()))
def test_the_listing_sums_to_the_total(case: Case) -> None:
    """Every tensor counts what its shape holds, a tied one nothing; no name comes twice; an owner is not tied."""
    listed = {tensor.transformers: tensor for tensor in tensors(case.question)}
    for tensor in listed.values():
        assert (0 if tensor.tied_to else prod(tensor.shape)) == tensor.size
        assert prod(tensor.google_shape) == prod(tensor.shape)
        if tensor.tied_to:
            owner = listed[tensor.tied_to]
            assert (None, prod(tensor.shape)) == (owner.tied_to, owner.size)
    assert case.total() == sum(tensor.size for tensor in listed.values())
    paths = [tensor.path for tensor in tensors(case.question)]
    assert len(paths) == len(set(paths)) == len(listed)
    named = [tensor.google_bert for tensor in listed.values() if tensor.google_bert]
    assert len(named) == len(set(named))


@given(partitions())
def test_any_partition_sums_to_the_total(partition: tuple[Case, list[str]]) -> None:
    """However the paths are divided, also layer by layer, the parts add up."""
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
    sized = {"F": case.model.sizes["L"] > 0, "A": False, "C": case.model_class.endswith(TASKS)}.get(letter, True)
    assert after.total() >= before.total()
    assert sized == (after.total() > before.total())


@given(cases())
def test_ties_save_exactly_the_decoder(case: Case) -> None:
    """An untied decoder is another V·H + V; where there is none, ties change nothing."""
    tied, untied = case.with_ties(True).total(), case.with_ties(False).total()
    sizes = case.model.sizes
    decoder = sizes["V"] * sizes["H"] + sizes["V"] if case.model_class in PREDICTS_TOKENS else 0
    assert decoder == untied - tied


@given(cases(most_layers=3), st.integers(1, 20), st.integers(1, 20))
def test_heads_change_nothing(case: Case, one: int, other: int) -> None:
    """The width may be shared among any number of heads: same total, same tensors."""
    width = case.model.sizes["H"] * one * other
    few, many = case.resized(H=width, A=one), case.resized(H=width, A=other)
    assert few.total() == many.total()
    assert list(tensors(few.question)) == list(tensors(many.question))


@given(partitions())
def test_formula_and_working_evaluate_to_the_value(partition: tuple[Case, list[str]]) -> None:
    """Read as arithmetic, the letters and the numbers written in their place both give the count."""
    case, parts = partition
    sizes = dict(case.model.sizes)
    for part in ["", *parts]:
        letters = case.question.at(part).polynomial
        assert case.total(part) == evaluated(letters.formula(), sizes)
        assert case.total(part) == evaluated(letters.working(sizes), {})


def agrees(asked: Question) -> bool:
    """Whether the number, which is that of a class's sections, is that of the items one by one."""
    return asked.number == sum(item.number(asked.sizes) for item in asked.items)


def odd_question(chance: Random) -> Question:
    """A class of any architecture with any choices, about the whole, a part, a tag or both, in any sizes."""
    architecture = chance.choice(list(ARCHITECTURES.values()))
    chosen = chance.choice(architecture.classes)
    sizes = {symbol.letter: chance.randint(1, 9999) for symbol in architecture.symbols}
    sizes["H"] = chance.choice([sizes["H"], sizes.get("E", 768)])
    sizes["C"] = chosen.labels or sizes["C"]
    pooler = chosen.fixed.pooler if chosen.pooler != OPTIONAL else chance.choice([None, True, False])
    choices = Choices(pooler, *chance.choices([None, True, False], k=2))
    asked = Question(Model("odd", architecture, sizes), chosen.name, choices=choices)
    row = chance.choice(asked.rows)
    steps = row.path.split("/")
    return asked.at("/".join(steps[: chance.randint(0, len(steps))]), chance.choice(["", row.block]))


def test_the_number_is_that_of_the_items() -> None:
    """Three thousand odd questions, each worked out by both."""
    chance = Random(20261122)  # noqa: S311  the same questions each time
    wrong = [asked for asked in (odd_question(chance) for _ in range(3_000)) if not agrees(asked)]
    assert not wrong


@given(relatives())
def test_formula_and_working_of_a_relative_evaluate_to_the_value(case: Case) -> None:
    """Read as arithmetic, block by block."""
    sizes = dict(case.model.sizes)
    for block in ["", *sorted({row.block for row in case.question.rows})]:
        letters = case.question.at(tag=block).polynomial
        assert case.total(tag=block) == evaluated(letters.formula(), sizes) == evaluated(letters.working(sizes), {})


@given(relatives(), st.integers(2, 9))
def test_layers_that_share_their_weights_change_nothing(case: Case, more: int) -> None:
    """More layers are more parameters in every relative but ALBERT, where groups are."""
    letter = "L" if case.model.architecture.layers == ("L",) else "G"
    assert case.total() < case.resized(**{letter: case.model.sizes[letter] + more}).total()
    if letter == "G":
        assert case.total() == case.resized(L=case.model.sizes["L"] + more).total()
