"""The wording of each step from BERT to a relative gives the old and the new value of the size that differs."""

import re
from collections.abc import Iterator

import pytest

from macros.counting import Model, Question, load_models, load_relatives, model_named
from macros.counting.published.relatives import FINAL_NORM, LAYER_WIDTH, Difference, differences
from macros.rendering.tables.relatives import in_words

BASE = model_named("bert-base-uncased")

MODELS = [*load_models().values(), *load_relatives().values()]

COMPARISON = re.compile(r"([\d,]+)(?: [a-z]+)* instead of ([\d,]+)")
"""The wording for a comparison of two sizes; the groups are the new and the old size."""


def comparisons_of_one_number(text: str) -> list[str]:
    """Comparisons of a number with itself, such as "12 layers instead of 12"."""
    return [match[0] for match in COMPARISON.finditer(text) if match[1] == match[2]]


def wrong_widths(steps: tuple[Difference, ...], start: Model, end: Model) -> list[Difference]:
    """Layer-width steps whose old and new sizes are not those of H or, if H is equal in both models, of F."""
    letter = next((letter for letter in "HF" if start.sizes[letter] != end.sizes[letter]), "")
    sizes = (start.sizes.get(letter), end.sizes.get(letter))
    return [step for step in steps if step.name == LAYER_WIDTH and (step.old_size, step.new_size) != sizes]


def pairs() -> Iterator[tuple[Model, Model]]:
    """BERT base and BERT large, each paired with every published model."""
    return ((model_named(name), model) for name in ("bert-base-uncased", "bert-large-uncased") for model in MODELS)


def test_no_step_compares_a_number_with_itself() -> None:
    texts = [
        in_words(step, Question(end), Question(start))
        for start, end in pairs()
        for step in differences(Question(start), Question(end))
    ]
    assert len(COMPARISON.findall("\n".join(texts))) > len(MODELS)
    assert [] == [text for text in texts if comparisons_of_one_number(text)]


def test_a_layer_width_is_that_of_the_letter_that_differs() -> None:
    assert [] == [
        fault
        for start, end in pairs()
        for fault in wrong_widths(differences(Question(start), Question(end)), start, end)
    ]


@pytest.mark.parametrize("letter", "VPSLHF")
def test_steps_give_the_new_and_the_old_value_of_the_only_size_that_differs(letter: str) -> None:
    other_model = BASE.resized(**{letter: BASE.sizes[letter] + 12})
    steps = differences(Question(BASE), Question(other_model))
    sizes = (f"{other_model.sizes[letter]:,}", f"{BASE.sizes[letter]:,}")
    assert steps
    texts = [in_words(step, Question(other_model), Question(BASE)) for step in steps]
    assert [sizes] * len(steps) == [COMPARISON.findall(text)[0] for text in texts]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("modernbert-base", "a LayerNorm after the last layer"),
        ("gatortron-base", "a LayerNorm after the last layer"),
        ("eurobert-210m", "an RMSNorm after the last layer"),
    ],
)
def test_the_norm_after_the_last_layer_is_named_as_in_the_model(name: str, expected: str) -> None:
    """In transformers, ModernBERT and Megatron BERT have an `nn.LayerNorm` there, EuroBERT a `EuroBertRMSNorm`."""
    relative = Question(model_named(name))
    steps = differences(Question(BASE), relative)
    assert [expected] == [in_words(step, relative, Question(BASE)) for step in steps if step.name == FINAL_NORM]


def test_a_comparison_of_one_number_and_a_wrong_width_are_found() -> None:
    assert ["12 shared layers instead of 12"] == comparisons_of_one_number("12 shared layers instead of 12")
    assert ["768 instead of 768"] == comparisons_of_one_number("layers of width 768 instead of 768")
    assert [] == comparisons_of_one_number("1,024 tokens in the vocabulary instead of 24")
    steps = differences(Question(BASE), Question(BASE.resized(F=3000)))
    assert wrong_widths(steps, BASE, BASE.resized(H=780))
    assert not wrong_widths(steps, BASE, BASE.resized(F=3000))
