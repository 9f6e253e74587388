"""The texts to try on the page "I got a different number" are what the tools print, as recorded print-outs show."""

import re
from collections.abc import Callable

import pytest

from macros.counting.published.printouts import text_of
from macros.rendering.texts_to_try import texts_to_try
from tests.docs.arithmetic import equations, faults_in


def frame(summary: str) -> list[str]:
    """A torchinfo summary without the rows of modules, and with # for the number at the end of a line."""
    lines = [line for line in summary.splitlines() if not re.match(r"Bert|[├│]", line)]
    return [re.sub(r"[\d,]+$", "#", line) for line in lines]


def numbers_of_embeddings(summary: str) -> list[str]:
    """The parameter counts of the modules in the embeddings, from a torchinfo summary."""
    embeddings = summary.partition("BertEmbeddings")[2].partition("BertEncoder")[0]
    return re.findall(r"─(?:Embedding|LayerNorm): \S+ +(\S+)", embeddings)


def tensors(text: str) -> list[str]:
    """The names and shapes of the tensors in the embeddings and the encoder, from a print-out of parameters."""
    lines = re.findall(r"^(?:bert\.)?((?:embeddings|encoder)\.\S+).*?[(\[]([\d, ]+?),?[)\]]", text, re.MULTILINE)
    return [f"{name} ({shape})" for name, shape in lines]


def modules(text: str) -> list[str]:
    """The lines of the embeddings and the encoder in the output of `print(model)`, without their indentation."""
    lines = [line.strip() for line in text.splitlines()]
    start = lines.index("(embeddings): BertEmbeddings(")
    end = next(index for index, line in enumerate(lines) if line.startswith(("(pooler)", "(cls)")))
    return [line for line in lines[start:end] if line != ")"]


TEXTS_AND_PRINT_OUTS: list[tuple[str, str, Callable[[str], list[str]], int]] = [
    ("print", "print-model", modules, 26),
    ("named-parameters", "named-parameters", tensors, 5 + 12 * 16),
    ("torchinfo", "torchinfo", frame, 8),
    ("torchinfo", "torchinfo", numbers_of_embeddings, 4),
    ("peft", "peft", str.splitlines, 1),
]
"""Texts to try, each with a recorded print-out, a function that reads what both share, and a minimum of entries."""


@pytest.mark.parametrize(("name", "printout", "read", "minimum"), TEXTS_AND_PRINT_OUTS)
def test_a_text_to_try_is_what_its_tool_prints(
    name: str, printout: str, read: Callable[[str], list[str]], minimum: int
) -> None:
    """The recordings are of another class of BERT base, so only what the classes have in common is compared."""
    recorded_entries = read(text_of(printout))
    assert len(recorded_entries) >= minimum
    assert recorded_entries == read(texts_to_try()[name])


@pytest.mark.parametrize(
    ("name", "read", "old", "new"),
    [
        ("print", modules, "(query): Linear(in_features=768", "(query): Linear(in_features=64"),
        ("named-parameters", tensors, "torch.Size([2, 768])", "torch.Size([2])"),
        ("torchinfo", frame, "Param #\n====", "Param #\n"),
        ("torchinfo", numbers_of_embeddings, "23,440,896", "393,216"),
        ("peft", str.splitlines, "trainable%", "trained%"),
    ],
)
def test_a_difference_is_found(name: str, read: Callable[[str], list[str]], old: str, new: str) -> None:
    text = texts_to_try()[name]
    assert old in text
    assert read(text) != read(text.replace(old, new, 1))


def manual_sum() -> str:
    """The manual sum to try, with × instead of asterisks."""
    return texts_to_try()["sum"].replace("*", "×")


def test_every_line_of_the_manual_sum_adds_up() -> None:
    """The sum is wrong because it leaves out the pooler, not because a line has a wrong result."""
    assert len(equations(manual_sum())) == len(manual_sum().splitlines())
    assert [] == faults_in(manual_sum())


@pytest.mark.parametrize(("old", "new"), [(" + 2 × 768 + ", " + "), ("512", "514"), ("12 ×", "24 ×")])
def test_a_wrong_line_of_the_manual_sum_is_found(old: str, new: str) -> None:
    """The faults are a missing LayerNorm, a wrong number of positions and a wrong number of layers."""
    assert old in manual_sum()
    assert faults_in(manual_sum().replace(old, new, 1))
