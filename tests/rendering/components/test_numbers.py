"""A number on a page has its text, value, working and question in one element."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from macros.counting import Choices, CountingError, Question
from macros.counting.operations import Operations
from macros.rendering.components import numbers, operations
from macros.rendering.components.asking import BASE, LARGE, ask


def read_element(html: str) -> tuple[str, str, list[str], dict[str, str]]:
    """The text, value, lines of the working, and question of a `<data>` element."""
    match = re.fullmatch(r"<data (.*) tabindex=\"0\">(.*)</data>", html)
    assert match
    attributes = {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', match[1])}
    value, working = attributes.pop("value"), attributes.pop("data-how")
    question = {key.removeprefix("data-"): content for key, content in attributes.items()}
    return unescape(match[2]), value, working.split("\n"), question


def test_an_element_is_escaped_and_omits_default_values() -> None:
    html = numbers.data(1, "a<", 'h\n"q"', part="", tag=None, kind="count", class_="BertModel", of_part='p"')
    assert '<data value="1" data-of-part="p&quot;" data-how="h&#10;&quot;q&quot;" tabindex="0">a&lt;</data>' == html
    assert 'data-class="BertForMaskedLM"' in numbers.data(1, "a", "b", class_="BertForMaskedLM")


BASE_QUESTION = {"model": BASE}
POOLER_QUESTION = {"part": "bert/pooler", **BASE_QUESTION}
TENSORS_NOTE = "tensors, not parameters: first those outside the layers, then those in each layer"
LONG_WORKING = [
    "V·H + P·H + S·H + L·(4·H² + 2·H·F + 9·H + F) + 2·H",
    "the embeddings: 30,522 × 768 + 512 × 768 + 2 × 768 + 2 × 768 = 23,837,184",
    "one layer: 4 × (768 × 768 + 768) + 768 × 3,072 + 3,072 + 3,072 × 768 + 768 + 2 × 2 × 768 = 7,087,872",
    "the total: 23,837,184 + 12 × 7,087,872 = 108,891,648",
    "without pooler",
]
"""The working of a whole model: the formula, three lines of its sum, and the choice below them."""

BYTES_WORKING = ["109,482,240 parameters × 4 bytes = 437,928,960 bytes, float32", "437,928,960 ÷ 2²⁰ ≈ 417.6 MiB"]
TWO_COPIES_WORKING = [
    "108,891,648 parameters × 4 bytes = 435,566,592 bytes, float16",
    "435,566,592 ÷ 10⁶ ≈ 435.6 MB",
    LONG_WORKING[-1],
]
BYTES_QUESTION = {"kind": "bytes", "dtype": "float32", "unit": "MiB", "copies": "1"}

# Sources: totals and len(list(model.parameters())) of transformers 5.23; arithmetic on the shapes of BERT base.
NUMBERS: list[tuple[str, str, str, list[str], dict[str, str]]] = [
    (
        numbers.parameters(ask("bert/pooler")),
        "590,592",
        "590592",
        ["H² + H", "the matrix of the pooler: 768 × 768 = 589,824", "the total: 589,824 + 768 = 590,592"],
        POOLER_QUESTION,
    ),
    # Brief working has the formula with numbers, in one line.
    (
        numbers.parameters(ask("bert/pooler"), brief=True),
        "590,592",
        "590592",
        ["768² + 768 = 590,592"],
        POOLER_QUESTION,
    ),
    (
        numbers.parameters(ask(pooler=False)),
        "108,891,648",
        "108891648",
        LONG_WORKING,
        {"pooler": "false", **BASE_QUESTION},
    ),
    (
        numbers.share(ask("bert/pooler"), ask()),
        "0.5%",
        "0.5",
        ["768² + 768 = 590,592", "590,592 ÷ 109,482,240 ≈ 0.5%"],
        {"kind": "share", **POOLER_QUESTION},
    ),
    # A share has one decimal; the working also gives the digits of a share below 0.1%.
    (
        numbers.share(ask("", "encoder-norms"), ask()),
        "under 0.1%",
        "0.034",
        ["4·12·768 = 36,864", "36,864 ÷ 109,482,240 ≈ 0.034%", "shown as under 0.1%"],
        {"kind": "share", "tag": "encoder-norms", **BASE_QUESTION},
    ),
    # On request the text has two significant digits, even if the second is a zero.
    (
        numbers.share(
            ask("", "LayerNorm", model="bert-large-uncased"), ask(model="bert-large-uncased"), precisely=True
        ),
        "0.030%",
        "0.030",
        ["4·24·1,024 + 2·1,024 = 100,352", "100,352 ÷ 335,141,888 ≈ 0.030%"],
        {"kind": "share", "tag": "LayerNorm", "model": "bert-large-uncased", "precisely": "yes"},
    ),
    # `named_parameters()` of transformers leaves out the two tied tensors of the decoder.
    (
        numbers.tensor_count(ask(model_class="BertForPreTraining")),
        "206",
        "206",
        ["14 + 12 × 16 = 206", TENSORS_NOTE],
        {"kind": "tensors", **BASE_QUESTION, "class": "BertForPreTraining"},
    ),
    (
        numbers.tensor_count(ask()),
        "199",
        "199",
        ["7 + 12 × 16 = 199", TENSORS_NOTE],
        {"kind": "tensors", **BASE_QUESTION},
    ),
    *(
        (
            numbers.size(item, LARGE),
            "1,024",
            "1024",
            ["H = hidden_size in the configuration of"],
            {"kind": "size", "model": LARGE, "class": ""},
        )
        for item in ("H", "hidden_size")
    ),
    # The class is the one in which pages show the deviation; the effect of a missing part is negative.
    (
        numbers.deviation_effect("pooler-left-out", BASE),
        "−590,592",
        "-590592",
        [
            "Leaving out the pooler",
            "−(H² + H)",
            "−(768² + 768) = −590,592",
            "109,482,240 − 590,592 = 108,891,648",
        ],
        {"kind": "effect", "deviation": "pooler-left-out", **BASE_QUESTION},
    ),
    # One more token adds a row to the word table and a bias to the masked-LM head; one more head adds nothing.
    (
        numbers.added_by_one("V", BASE, "BertForMaskedLM"),
        "769",
        "769",
        ["V = 30,523 instead of 30,522", "H + 1", "768 + 1 = 769"],
        {"kind": "marginal", "letter": "V", "class": "BertForMaskedLM", **BASE_QUESTION},
    ),
    (
        numbers.more_heads(BASE),
        "0",
        "0",
        ["no shape depends on A", "109,482,240 − 109,482,240 = 0"],
        {"kind": "more-heads", **BASE_QUESTION},
    ),
    # One copy at four bytes per parameter, in MiB; two copies at two bytes each, in MB.
    (
        numbers.bytes_text(ask(), "float32", "MiB"),
        "417.6",
        "437928960",
        BYTES_WORKING,
        {**BYTES_QUESTION, **BASE_QUESTION},
    ),
    (
        numbers.bytes_text(ask(pooler=False), "float16", "MB", 2),
        "435.6",
        "435566592",
        TWO_COPIES_WORKING,
        {"kind": "bytes", "dtype": "float16", "unit": "MB", "copies": "2", "pooler": "false", **BASE_QUESTION},
    ),
]


@pytest.mark.parametrize(("html", "text", "value", "lines", "question"), NUMBERS, ids=range(len(NUMBERS)))
def test_a_number_has_text_value_working_and_question(
    html: str, text: str, value: str, lines: list[str], question: dict[str, str]
) -> None:
    """Counts and bytes have an exact value even if the text is rounded; the value of a share is rounded too."""
    assert (text, value, lines, question) == read_element(html)


def test_deviations_are_explained_from_total_to_total() -> None:
    text, _, lines, question = read_element(numbers.deviation_effect("decoder-untied", BASE))
    assert ("+23,440,896", "BertForPreTraining") == (text, question["class"])
    assert ["H·V", "768·30,522 = 23,440,896", "110,106,428 + 23,440,896 = 133,547,324"] == lines[1:]
    text, _, lines, question = read_element(numbers.deviating_total(["decoder-untied", "prediction-bias-twice"], BASE))
    assert ("133,577,846", "H·V + V", "768·30,522 + 30,522 = 23,471,418") == (text, *lines[1:3])
    assert lines[0].startswith("Counting the decoder as well as the word embeddings · ")
    assert "110,106,428 + 23,471,418 = 133,577,846" == lines[3]
    assert "decoder-untied prediction-bias-twice" == question["deviations"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: numbers.size("hiden_size", LARGE), 'no size "hiden_size"; did you mean "hidden_size"'),
        (lambda: numbers.deviating_total([], BASE), "deviations of one model class are needed, got none"),
        (lambda: numbers.bytes_text(ask(), "float32", "MBit"), 'no unit "MBit"; did you mean "MB"'),
        (lambda: numbers.bytes_text(ask(), "fp32", "MB"), "no data type"),
    ],
)
def test_a_wrong_argument_is_an_error(call: Callable[[], str], message: str) -> None:
    with pytest.raises(CountingError, match=message):
        call()


@pytest.mark.parametrize(
    ("part", "tag", "line_count"),
    [
        ("bert/encoder/layer_0", "feed-forward", 5),
        ("bert/encoder/layer_0", "kernel", 6),
        ("bert/encoder/layer_0", "", 4),
    ],
)
def test_the_working_has_at_most_six_lines_below_its_formula(part: str, tag: str, line_count: int) -> None:
    """The lines of a level that would exceed this are left out."""
    formula, *lines = read_element(numbers.parameters(ask(part, tag)))[2]
    assert "=" not in formula
    assert line_count == len(lines)


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (1, 100, "1.0%"),
        (1, 1000, "0.1%"),
        (1, 2000, "0.1%"),
        (1, 2001, "under 0.1%"),
        (1, 1, "100.0%"),
        (0, 1, "0.0%"),
    ],
)
def test_a_percentage_has_one_decimal(part: int, whole: int, text: str) -> None:
    """A share above zero is never shown as zero."""
    assert text == numbers.percentage(part, whole)


@pytest.mark.parametrize(
    ("number", "figures", "value", "text"),
    [
        (109_482_240, 3, "109000000", "109M"),
        (109_482_240, 2, "110000000", "110M"),
        (335_150_000, 4, "335200000", "335.2M"),
        (109_500_000, 3, "110000000", "110M"),
        (109_499_999, 3, "109000000", "109M"),
        (4_385_920, 2, "4400000", "4.4M"),
        (1_234, 2, "1200", "0.0012M"),
        (11_683_584, 7, "11683580", "11.68358M"),
    ],
)
def test_millions_are_rounded_half_up_to_significant_figures(number: int, figures: int, value: str, text: str) -> None:
    number_on_page = read_element(numbers.rounded_millions(number, figures, "1 + 1 = 2", model=BASE))
    assert (text, value, ["1 + 1 = 2", f"rounded to {figures} figures: {text}"]) == number_on_page[:3]
    assert {"kind": "rounded", "figures": str(figures), "model": BASE, "class": ""} == number_on_page[3]


@pytest.mark.parametrize(
    ("arguments", "attributes"),
    [
        ({"pooler": None}, {}),
        ({"pooler": True}, {"pooler": "true"}),
        ({"pooler": False}, {"pooler": "false"}),
        ({"model_class": "BertForMaskedLM", "tied": True}, {}),
        ({"model_class": "BertForMaskedLM", "tied": False}, {"tied": "false"}),
    ],
)
def test_a_question_includes_its_choices(arguments: dict[str, Any], attributes: dict[str, str]) -> None:
    """A choice about ties is included only if the decoder is untied."""
    question = numbers.question_attributes(ask(**arguments))
    assert attributes == {key: value for key, value in question.items() if key in ("pooler", "tied")}


NUMBERS_BY_KIND: dict[str, Callable[[Question], str]] = {
    "a count": numbers.parameters,
    "a count in brief": lambda question: numbers.parameters(question, brief=True),
    "a share": lambda question: numbers.share(question, ask()),
    "the number of tensors": numbers.tensor_count,
    "bytes": lambda question: numbers.bytes_text(question, "float32", "MB"),
}


@pytest.mark.parametrize("make", NUMBERS_BY_KIND.values(), ids=NUMBERS_BY_KIND)
def test_the_working_states_every_choice_that_differs_from_the_default(make: Callable[[Question], str]) -> None:
    assert "without pooler" in make(ask(pooler=False))
    assert "decoder untied" in make(ask(model_class="BertForMaskedLM", tied=False))
    assert "pooler" not in make(ask(pooler=None)).partition("data-how")[2].replace("the pooler: ", "")


@pytest.mark.parametrize("choices", [Choices(pooler=False), Choices(tied=False), Choices(cross_attention=True)])
def test_operations_with_any_choice_are_not_shown(choices: Choices) -> None:
    question = ask(model_class="BertForMaskedLM")._replace(choices=choices)
    with pytest.raises(CountingError, match="leave the choices out"):
        operations.question_attributes(Operations(question, 128, 1))
