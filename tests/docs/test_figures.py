"""Every figure of the site is true: positions, lengths, areas, magnifications and colours match its numbers."""

import re

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import count, model_named
from macros.rendering.components import svg
from macros.site import MACROS
from tests.docs.figures import faults_of

SEED = ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out")


def figure(html: str) -> Tag:
    """The figure in some HTML."""
    tag = BeautifulSoup(html, "html.parser").figure
    assert tag
    return tag


def by_hand() -> str:
    """The bridge of the hand count, with three small steps."""
    return str(MACROS["bridge"](*SEED, model="bert-base-chinese"))


def walk() -> str:
    """The bridge of the walk through BERT large, with one small step."""
    return str(MACROS["bridge"]("pooler-left-out", model="bert-large-chinese"))


def down() -> str:
    """A bridge with a step that takes parameters away."""
    return str(MACROS["bridge"]("state-dict-summed", model_class="BertForPreTraining"))


def tiny() -> str:
    """A bridge with a step too small to see even in its panel."""
    return str(MACROS["bridge"]("pooler-left-out", "embedding-norm-forgotten"))


def html_of(name: str) -> str:
    """A figure, by name."""
    return str(MACROS["figure"](name))


def test_a_thin_piece_of_a_bar_is_marked_in_its_middle() -> None:
    """A thin piece is marked at the start, between others and at the end; a misplaced mark is noticed."""
    values = (3, 400, 2, 595)
    pieces = [svg.Segment("cell", value, f"a piece: {value}") for value in values]
    html = svg.figure("a", "b", "c", svg.bars([svg.Bar("d", "1,000", pieces)]), "To scale.")
    assert 2 == len(figure(html).select(".bc-caret"))
    assert [] == faults_of(figure(html))
    # The third piece is from 403 to 405 of 1,000.
    assert [] != faults_of(figure(html.replace('x="40.4000%"', 'x="40.3000%"')))


@pytest.mark.parametrize("name", ["attention", "attention-heads", "feed-forward", "encoder-layer"])
def test_areas_show_what_they_name(name: str) -> None:
    """The areas of each part add up to what the engine counts for it."""
    totals: dict[str, int] = {}
    for box in figure(html_of(name)).select("[data-value]"):
        part = str(box["data-part"])
        totals[part] = totals.get(part, 0) + int(str(box["data-value"]))
    assert {part: count(model_named("bert-base-uncased"), part) for part in totals} == totals


def test_residual_connections_lead_around_what_they_skip() -> None:
    """One line leads around self-attention, the other around the feed-forward network, each to its addition."""
    html = html_of("encoder-layer")
    lines = re.findall(r'd="M[\d.]+ ([\d.]+)H8V([\d.]+)H', html)
    (start, end), (second, last) = sorted((float(one), float(other)) for one, other in lines)
    tops = {str(box["data-part"]).partition("layer_0/")[2]: float(str(box["y"])) for box in figure(html).select(BOXES)}
    query, dense, norm, inner, outer, norms = (tops[step] for step in STEPS)
    places = [start, query, dense, end, norm, second, inner, outer, last, norms]
    assert sorted(places) == places


BOXES = "[data-value]"
STEPS = (
    "attention/self/query",
    "attention/output/dense",
    "attention/output/LayerNorm",
    "intermediate/dense",
    "output/dense",
    "output/LayerNorm",
)
"""The steps that a layer computes, in order, by the parts of their boxes."""


def test_small_steps_are_magnified_and_what_stays_small_is_marked() -> None:
    """Steps are magnified as far as the width allows: by 100 for the hand count, by 300 for BERT large's pooler."""
    # 102,267,648 / 673,536 = 151.8 and 325,522,432 / 1,049,600 = 310.1: the round numbers below.
    assert ["magnified 100 times"] == [label.get_text() for label in figure(by_hand()).select(".bc-strong")]
    assert ["magnified 300 times"] == [label.get_text() for label in figure(walk()).select(".bc-strong")]
    assert [] == figure(down()).select(".bc-strong")


PLANTED_FAULTS = [
    ("a shifted bar", by_hand, 'x="73.9646%"', 'x="74.9646%"', "from 74.9646%"),
    ("a step that starts elsewhere", by_hand, 'data-from="75641856"', 'data-from="75641857"', "drawn from"),
    ("another number above a bar", by_hand, ">+25,952,256<", ">+25,952,255<", "stands above"),
    ("bytes in another unit", lambda: html_of("training"), ">2.3 GB<", ">2.1 GB<", "stands above"),
    ("all where a part is trained", lambda: html_of("in-part"), ">1,538 trained<", ">109,483,778 trained<", "above"),
    ("another share", lambda: html_of("checkpoints"), ">21.8% of", ">28.1% of", "stands above"),
    ("another magnification", walk, "magnified 300 times", "magnified 400 times", "says magnified 400"),
    ("swapped keys", by_hand, "bc-key bc-added", "bc-key bc-total", "the key of total says"),
    ("a step in the colour of its opposite", down, 'class="bc-taken"', 'class="bc-added"', "is drawn as added"),
    ("a thin bar without its mark", tiny, 'class="bc-caret"', "", "not marked"),
    ("a larger area", lambda: html_of("encoder-layer"), 'height="152.049"', 'height="162.049"', "has an area"),
    ("a box about another part", lambda: html_of("attention"), "self/query", "self/value", "stands for"),
    (
        "a sketch that says to scale",
        lambda: html_of("layer-norm"),
        "<figcaption>",
        "<figcaption>To scale. ",
        "no values",
    ),
]


@pytest.mark.parametrize(
    ("make", "old", "new", "says"), [case[1:] for case in PLANTED_FAULTS], ids=[case[0] for case in PLANTED_FAULTS]
)
def test_a_planted_fault_is_found(make: object, old: str, new: str, says: str) -> None:
    """Every kind of fault is noticed, and the figure without it passes."""
    assert callable(make)
    html = str(figure(make()))
    assert [] == faults_of(figure(html))
    assert old in html
    faults = faults_of(figure(html.replace(old, new, 1)))
    assert any(says in fault for fault in faults), faults
