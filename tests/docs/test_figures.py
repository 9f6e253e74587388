"""Every figure of the site is as true as it says: places, lengths, areas, magnifications, colours."""

import re

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import count, model_named
from macros.rendering.elements import svg
from macros.site import MACROS
from tests.docs.figures import faults_of

SEED = ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out")


def figure(html: str) -> Tag:
    """The figure in some HTML."""
    found = BeautifulSoup(html, "html.parser").figure
    assert found
    return found


def by_hand() -> str:
    """The bridge of the hand count, with three small steps."""
    return str(MACROS["bridge"](*SEED, model="bert-base-chinese"))


def walk() -> str:
    """The bridge of the walk through large, with one."""
    return str(MACROS["bridge"]("pooler-left-out", model="bert-large-chinese"))


def down() -> str:
    """A bridge with a step that takes away."""
    return str(MACROS["bridge"]("state-dict-summed", model_class="BertForPreTraining"))


def tiny() -> str:
    """A bridge with a step too small to see even in its panel."""
    return str(MACROS["bridge"]("pooler-left-out", "embedding-norm-forgotten"))


def tiles() -> str:
    """A figure that is a map."""
    return drawn("embeddings")


def drawn(name: str) -> str:
    """A figure by its name."""
    return str(MACROS["figure"](name))


def test_a_thin_piece_of_a_bar_is_marked_in_its_middle() -> None:
    """Wherever it is: at the start, between others, at the end; a mark elsewhere is noticed."""
    values = (3, 400, 2, 595)
    pieces = [svg.Segment("cell", value, f"a piece: {value}") for value in values]
    html = svg.figure("a", "b", "c", svg.bars([svg.Bar("d", "1,000", pieces)]), "To scale.")
    assert 2 == len(figure(html).select(".bc-caret"))
    assert [] == faults_of(figure(html))
    # The third piece is from 403 to 405 of 1,000.
    assert [] != faults_of(figure(html.replace('x="40.4000%"', 'x="40.3000%"')))


@pytest.mark.parametrize("name", ["attention", "attention-heads", "feed-forward", "encoder-layer"])
def test_areas_show_what_they_name(name: str) -> None:
    """The areas of one part, all in all, are what the engine counts for it."""
    shown: dict[str, int] = {}
    for box in figure(drawn(name)).select("[data-value]"):
        part = str(box["data-part"])
        shown[part] = shown.get(part, 0) + int(str(box["data-value"]))
    assert {part: count(model_named("bert-base-uncased"), part) for part in shown} == shown


def test_the_areas_of_a_layer_are_all_of_it() -> None:
    """Six dense layers and two LayerNorms; the literal is transformers 5.23's."""
    found = figure(drawn("encoder-layer"))
    assert 7_087_872 == sum(int(str(box["data-value"])) for box in found.select("[data-value]"))
    assert 8 == len(found.select("[data-value]"))


def test_a_layer_runs_one_way() -> None:
    """The input is at the top, the output at the foot, and arrowheads point the way; the two outputs have two names."""
    found = figure(drawn("encoder-layer"))
    texts = {text.get_text(): float(str(text["y"])) for text in found.select("text")}
    boxes = [float(str(box["y"])) for box in found.select("[data-value]")]
    assert [min(texts.values())] == [y for words, y in texts.items() if words.startswith("input:")]
    assert [max(texts.values())] == [y for words, y in texts.items() if words.startswith("output:")]
    assert sorted(boxes) == boxes
    # Three into query, key and value and three from them, two residual ones, and nine from one step to the next.
    assert 17 == len(found.select(".bc-head"))
    names = ("attention output", "attention/output/dense", "feed-forward output", "output/dense")
    assert [] == [name for name in names if name not in texts]


def residual(html: str) -> list[tuple[float, float]]:
    """From where to where the residual connections of a layer lead, from the top."""
    lines = [re.match(r"M[\d.]+ ([\d.]+)H8V([\d.]+)H", str(each["d"])) for each in figure(html).select("path.bc-line")]
    return sorted((float(each[1]), float(each[2])) for each in lines if each)


def runs(html: str) -> bool:
    """Whether one leads around attention and one around the feed-forward network, each to before its LayerNorm."""
    boxes = [(str(box["data-part"]), float(str(box["y"]))) for box in figure(html).select("[data-value]")]
    norms = [y for part, y in boxes if part.endswith("LayerNorm")]
    query, output, first, second = (
        next(y for part, y in boxes if f"/{name}" in part)
        for name in ("self/query", "attention/output/dense", "intermediate", "layer_0/output/dense")
    )
    places = [place for ends in residual(html) for place in ends]
    expected = [places[0], query, output, places[1], norms[0], places[2], first, second, places[3], norms[1]]
    return expected == sorted(expected)


def test_residual_connections_lead_around_what_they_skip() -> None:
    """Each starts before its sublayer; one that starts elsewhere is noticed."""
    html = drawn("encoder-layer")
    assert 2 == len(residual(html))
    assert runs(html)
    (one, _), (two, _) = residual(html)
    assert not runs(html.replace(f" {two:g}H8", f" {one:g}H8"))
    assert not runs(html.replace(f" {one:g}H8", f" {two:g}H8"))


def test_small_steps_are_magnified_and_what_stays_small_is_marked() -> None:
    """A hundred times for the hand count, three hundred for the pooler of large, as the widths have room for."""
    # 102,267,648 / 673,536 = 151.8 and 325,522,432 / 1,049,600 = 310.1: the round numbers below.
    assert ["magnified 100 times"] == [each.get_text() for each in figure(by_hand()).select(".bc-strong")]
    assert ["magnified 300 times"] == [each.get_text() for each in figure(walk()).select(".bc-strong")]
    assert [] == figure(down()).select(".bc-strong")


# What is changed, and a word of the fault that must be found.
PLANTED = [
    ("a shifted bar", by_hand, 'x="73.9646%"', 'x="74.9646%"', "from 74.9646%"),
    ("a small bar drawn wider", walk, 'width="0.3224%"', 'width="0.6000%"', "0.6000% wide"),
    ("a step that starts elsewhere", by_hand, 'data-from="75641856"', 'data-from="75641857"', "drawn from"),
    ("another number above a bar", by_hand, ">+25,952,256<", ">+25,952,255<", "stands above"),
    ("another magnification", walk, "magnified 300 times", "magnified 400 times", "says magnified 400"),
    ("another magnification, in the drawing too", walk, 'data-times="300"', 'data-times="400"', "not from"),
    ("a wider frame", walk, 'width="0.3333%"', 'width="0.5%"', "frame is magnified 200.0"),
    ("a frame elsewhere", walk, 'x="99.6667%" y', 'x="98.6667%" y', "the frame starts"),
    ("another total at the axis of a panel", walk, ">325,522,432</text></g>", ">325,512,432</text></g>", "stands at"),
    ("swapped keys", by_hand, "bc-key bc-added", "bc-key bc-total", "the key of total says"),
    ("a key of another colour", down, "bc-key bc-taken", "bc-key bc-added", "the legend has"),
    ("a step in the colour of its opposite", down, 'class="bc-taken"', 'class="bc-added"', "is drawn as added"),
    ("a part in the colour of another", lambda: drawn("checkpoints"), '"bc-embeddings"', '"bc-pooler"', "colour"),
    ("a thin bar without its mark", tiny, 'class="bc-caret"', "", "not marked"),
    ("a share that leaves room", lambda: drawn("checkpoints"), 'data-to="4385920"', 'data-to="4385919"', "full width"),
    ("a larger tile", tiles, 'data-value="393216"', 'data-value="493216"', "its area"),
    ("a gap between pieces", lambda: drawn("checkpoints"), 'data-from="3972864"', 'data-from="3972865"', "starts at"),
    ("a larger area", lambda: drawn("encoder-layer"), 'height="152.049"', 'height="162.049"', "has an area"),
    ("an area with another number", lambda: drawn("feed-forward"), "query: 590,592", "query: 590,593", "is drawn as"),
    ("a box without a value", lambda: drawn("feed-forward"), 'data-value="590592"', "", "carries no value"),
    ("a box about another part", lambda: drawn("attention"), "self/query", "self/value", "stands for"),
    ("a box of another name", lambda: drawn("attention"), "<title>key:", "<title>value:", "stands for"),
    ("heads numbered otherwise", lambda: drawn("attention-heads"), ">0</text>", ">1</text>", "stands beside head 0"),
    ("a sketch that says to scale", lambda: drawn("layer-norm"), "<figcaption>", "<figcaption>To scale. ", "no values"),
]


@pytest.mark.parametrize(
    ("make", "old", "new", "says"), [each[1:] for each in PLANTED], ids=[each[0] for each in PLANTED]
)
def test_a_planted_fault_is_found(make: object, old: str, new: str, says: str) -> None:
    """Each kind of untruth is noticed, and the figure without it is not."""
    assert callable(make)
    html = str(figure(make()))
    assert [] == faults_of(figure(html))
    assert old in html
    faults = faults_of(figure(html.replace(old, new, 1)))
    assert any(says in fault for fault in faults), faults
