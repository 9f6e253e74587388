"""The checks on figures detect wrong positions, lengths, areas, magnifications and colours.

`figures.py` has the checks, and `tests/rendering/test_every_page.py` applies them to every page.
"""

import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import count, model_named
from macros.rendering.components import svg
from macros.site import MACROS
from tests.docs.figures import faults_of

HAND_COUNT_MISTAKES = (
    "pooler-left-out",
    "attention-one-layer",
    "attention-biases-left-out",
    "feed-forward-biases-left-out",
)
"""The mistakes in a hand count on the page of published claims."""


def figure(html: str) -> Tag:
    """The figure in a piece of HTML."""
    tag = BeautifulSoup(html, "html.parser").figure
    assert tag
    return tag


def bridge_of_hand_count() -> str:
    """The bridge from the hand count, which has three small steps."""
    return str(MACROS["bridge"](*HAND_COUNT_MISTAKES, model="bert-base-chinese"))


def bridge_with_one_small_step() -> str:
    """A bridge for BERT large, Chinese, with one small step."""
    return str(MACROS["bridge"]("pooler-left-out", model="bert-large-chinese"))


def bridge_with_a_negative_step() -> str:
    """A bridge with a step that takes parameters away."""
    return str(MACROS["bridge"]("state-dict-summed", model_class="BertForPreTraining"))


def bridge_with_an_invisible_step() -> str:
    """A bridge with a step that is too small to see even in its panel."""
    return str(MACROS["bridge"]("pooler-left-out", "embedding-norm-forgotten"))


def named_figure(name: str) -> str:
    """The figure with the given name."""
    return str(MACROS["figure"](name))


def test_a_thin_piece_of_a_bar_is_marked_in_its_middle() -> None:
    values = (3, 400, 2, 595)
    pieces = [svg.Segment("cell", value, f"a piece: {value}") for value in values]
    html = svg.figure("a", "b", "c", svg.bars([svg.Bar("d", "1,000", pieces)]), "To scale.")
    assert 2 == len(figure(html).select(".bc-caret"))
    assert [] == faults_of(figure(html))
    # The third piece extends from 403 to 405 of 1,000.
    assert [] != faults_of(figure(html.replace('x="40.4000%"', 'x="40.3000%"')))


@pytest.mark.parametrize("name", ["attention", "attention-heads", "feed-forward", "encoder-layer"])
def test_areas_add_up_to_the_parts_that_they_name(name: str) -> None:
    totals: dict[str, int] = {}
    for box in figure(named_figure(name)).select("[data-value]"):
        part = str(box["data-part"])
        totals[part] = totals.get(part, 0) + int(str(box["data-value"]))
    assert {part: count(model_named("bert-base-uncased"), part) for part in totals} == totals


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        # A residual connection that starts beside the middle line, and one that ends beside the addition
        ("encoder-layer", "M96 25H8V", "M90 25H8V"),
        ("encoder-layer", "V212.099H84", "V222.099H84"),
        ("encoder-layer", "M88 212.099l-7 -4v8z", "M108 212.099l-7 -4v8z"),
        ("tying", "M178 128l", "M158 128l"),
        # An arrow that begins and ends elsewhere
        ("example-layer", "M222 145H284", "M202 145H284"),
        ("adapters", "M96 242.148v8", "M76 242.148v8"),
    ],
)
def test_a_moved_arrow_is_noticed(name: str, old: str, new: str) -> None:
    html = named_figure(name)
    assert old in html
    assert [] == faults_of(figure(html))
    assert faults_of(figure(html.replace(old, new)))


def test_residual_connections_lead_around_the_layers_that_they_skip() -> None:
    html = named_figure("encoder-layer")
    # The path of each line goes left to x = 8, then down, and then back.
    lines = re.findall(r'd="M[\d.]+ ([\d.]+)H8V([\d.]+)H', html)
    (first_start, first_end), (second_start, second_end) = sorted((float(start), float(end)) for start, end in lines)
    tops = {str(box["data-part"]).partition("layer_0/")[2]: float(str(box["y"])) for box in figure(html).select(BOXES)}
    query, dense, first_norm, intermediate, output, second_norm = (tops[step] for step in STEPS)
    from_top_to_bottom = [first_start, query, dense, first_end, first_norm]
    from_top_to_bottom += [second_start, intermediate, output, second_end, second_norm]
    assert sorted(from_top_to_bottom) == from_top_to_bottom


BOXES = "[data-value]"
"""A selector for the boxes in a drawing."""

STEPS = (
    "attention/self/query",
    "attention/output/dense",
    "attention/output/LayerNorm",
    "intermediate/dense",
    "output/dense",
    "output/LayerNorm",
)
"""The part that each box of a layer represents, in the order of computation."""


def test_small_steps_are_magnified_by_a_round_number() -> None:
    """The factor is the largest round number with which the steps fit."""
    # 102,267,648 / 673,536 = 151.8 and 325,522,432 / 1,049,600 = 310.1. The next lower round numbers are 100 and 300.
    assert ["magnified 100 times"] == [
        label.get_text() for label in figure(bridge_of_hand_count()).select(".bc-strong")
    ]
    assert ["magnified 300 times"] == [
        label.get_text() for label in figure(bridge_with_one_small_step()).select(".bc-strong")
    ]
    assert [] == figure(bridge_with_a_negative_step()).select(".bc-strong")


PLANTED_FAULTS: list[tuple[str, Callable[[], str], str, str, str]] = [
    ("a shifted bar", bridge_of_hand_count, 'x="73.9646%"', 'x="74.9646%"', "starts at 74.9646%"),
    (
        "a step that starts elsewhere",
        bridge_of_hand_count,
        'data-from="75641856"',
        'data-from="75641857"',
        "drawn at",
    ),
    ("a wrong number above a bar", bridge_of_hand_count, ">+25,952,256<", ">+25,952,255<", "printed above"),
    ("a wrong number of bytes", lambda: named_figure("training"), ">2.3 GB<", ">2.1 GB<", "printed above"),
    (
        "all parameters where only a part is trained",
        lambda: named_figure("in-part"),
        ">1,538 trained<",
        ">109,483,778 trained<",
        "above",
    ),
    ("a wrong share", lambda: named_figure("checkpoints"), ">21.8% of", ">28.1% of", "printed above"),
    (
        "a wrong magnification",
        bridge_with_one_small_step,
        "magnified 300 times",
        "magnified 400 times",
        "says magnified 400",
    ),
    (
        "a number beyond the right edge",
        bridge_of_hand_count,
        'text-anchor="end"',
        'text-anchor="start"',
        "extends beyond",
    ),
    ("a box labelled as another", lambda: named_figure("lora"), ">B</text>", ">A</text>", "are labelled"),
    ("a shape with swapped sides", lambda: named_figure("lora"), "A is 768 × 8", "A is 8 × 768", "the words say"),
    ("a description with swapped sides", lambda: named_figure("lora"), "768 by 8,", "8 by 768,", "the words say"),
    ("swapped keys", bridge_of_hand_count, "bc-key bc-added", "bc-key bc-total", "the key of total says"),
    (
        "a step in the colour of its opposite",
        bridge_with_a_negative_step,
        'class="bc-taken"',
        'class="bc-added"',
        "is drawn as added",
    ),
    ("a thin bar without its mark", bridge_with_an_invisible_step, 'class="bc-caret"', "", "not marked"),
    (
        "an area that is too large",
        lambda: named_figure("encoder-layer"),
        'height="152.049"',
        'height="162.049"',
        "has an area",
    ),
    ("a box for a different part", lambda: named_figure("attention"), "self/query", "self/value", "represents"),
    (
        "a sketch that claims to be to scale",
        lambda: named_figure("layer-norm"),
        "<figcaption>",
        "<figcaption>To scale. ",
        "no values",
    ),
]
"""Faults, each with a function that makes a figure, a text in it, its replacement, and a part of the complaint."""


@pytest.mark.parametrize(
    ("make_figure", "old", "new", "message"),
    [case[1:] for case in PLANTED_FAULTS],
    ids=[case[0] for case in PLANTED_FAULTS],
)
def test_a_planted_fault_is_noticed(make_figure: Callable[[], str], old: str, new: str, message: str) -> None:
    html = str(figure(make_figure()))
    assert [] == faults_of(figure(html))
    assert old in html
    faults = faults_of(figure(html.replace(old, new, 1)))
    assert any(message in fault for fault in faults), faults
