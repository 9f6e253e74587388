"""Every block on a level of the map is a link with its number; it is named if there is room, and marked if too thin."""

import pytest
from bs4 import BeautifulSoup, Tag

from macros.rendering.components.asking import BASE, ask
from macros.rendering.figures import area_map
from macros.rendering.figures.levels import level_at
from macros.rendering.figures.tiling import Tile


def level_drawing(path: str, model: str = BASE, home: str = "#base") -> Tag:
    """The parsed drawing of a level."""
    drawing = BeautifulSoup(area_map.drawing(level_at(path), ask(model=model), home), "html.parser").svg
    assert drawing
    return drawing


def test_every_block_of_the_map_is_a_link_with_its_number() -> None:
    drawing = level_drawing("")
    links = [(link["href"], link["data-value"], link.title.string) for link in drawing("a") if link.title]
    assert [
        ("#base/embeddings", "23837184", "embeddings: 23,837,184"),
        ("#base/layer", "7087872", "layers: 12 × 7,087,872"),
        ("#base/pooler", "590592", "pooler: 590,592"),
    ] == links
    layers = drawing("a")[1]
    inner_blocks = [(str(group["class"][0]), str(group["data-value"]), len(group("rect"))) for group in layers("g")]
    # LayerNorms are too thin to be drawn within a layer.
    assert [("bc-self-attention", "2362368", 12), ("bc-feed-forward", "4722432", 12)] == inner_blocks
    # The layer's name is centred in the larger block. Its number is shown only in the sum below.
    assert [f"layer {index}" for index in range(12)] == [text.get_text() for text in layers("text")]
    feed_forward = layers("rect")[12]
    middle = float(feed_forward["y"][:-1]) + float(feed_forward["height"][:-1]) / 2  # type: ignore[arg-type]
    assert pytest.approx(middle, abs=1e-3) == float(str(layers("text")[0]["y"])[:-1])


def test_inner_blocks_of_the_same_colour_are_omitted() -> None:
    """Inner blocks in the colour of the outer block would only draw lines behind its name."""
    assert not level_drawing("layer")("g")
    assert not level_drawing("layer/attention")("g")


def test_positions_are_percentages() -> None:
    """Percentages are rounded to four decimals, with trailing zeros removed."""
    embeddings, _, pooler = level_drawing("")("a")
    last_rectangle = embeddings.find_all("rect", recursive=False)[-1]
    assert {"width": "21.7726%", "height": "100%"} == last_rectangle.attrs
    (text,) = embeddings("text")
    assert ("10.8863%", "50%") == (text["x"], text["y"])
    assert {"x": "10.8863%", "dy": "1.3em"} == text.tspan.attrs  # type: ignore[union-attr]
    # The pooler, 0.5% of the model, has a triangle above its middle that points down to it.
    assert "bc-thin" in pooler["class"]
    mark = pooler.select_one(".bc-mark")
    assert mark
    assert ("99.7303%", "0%", "M0 0l-5 -8h10z") == (mark["x"], mark["y"], mark.path["d"])  # type: ignore[index]
    assert "bc-thin" not in embeddings["class"]


def test_many_adjacent_blocks_become_one_rectangle() -> None:
    """The 64 columns of a head are drawn as one rectangle with 63 dividing lines."""
    link = level_drawing("layer/attention/query/head")("a")[0]
    assert [("49152", 1)] == [(str(group["data-value"]), len(group("rect"))) for group in link("g")]
    inner_drawing = link.find("svg")
    assert isinstance(inner_drawing, Tag)
    assert "0 0 64 1" == inner_drawing["viewbox"]
    assert "none" == inner_drawing["preserveaspectratio"]
    assert ("100%", "100%") == (inner_drawing["width"], inner_drawing["height"])
    assert inner_drawing.path
    assert "".join(f"M{index} 0v1" for index in range(1, 64)) == inner_drawing.path["d"]
    assert "columns64 × 768" == link("text")[0].get_text()


NUMBER_ATTRIBUTES = 'x="15%" dy="1.3em"'


@pytest.mark.parametrize(
    ("name", "number", "width", "height", "expected"),
    [
        ("embeddings", "1", 22, 10, '<text x="16%" y="25%">embeddings<tspan x="16%" dy="1.3em">1</tspan></text>'),
        ("embeddings", "1", 21.4, 10, ""),
        ("embeddings", "1", 22, 9.9, ""),
        ("embeddings", "1", 4.5, 30, '<text x="7.25%" y="35%" class="bc-upright">embeddings · 1</text>'),
        ("embeddings", "1", 4.4, 30, ""),
        ("embeddings", "1", 19.9, 30, '<text x="14.95%" y="35%" class="bc-upright">embeddings · 1</text>'),
        # Ten digits and commas are a little narrower than ten letters.
        ("key", "31,782,912", 20, 10, f'<text x="15%" y="25%">key<tspan {NUMBER_ATTRIBUTES}>31,782,912</tspan></text>'),
        ("key", "31,782,912", 19.9, 10, ""),
    ],
)
def test_a_name_needs_room(name: str, number: str, width: float, height: float, expected: str) -> None:
    """A name is above its number in a wide block, set vertically in a tall one, and omitted in a small one."""
    assert expected == area_map.label_of(name, number, Tile(5, 20, width, height))


ATTENTION = '<span class="bc-joined"><i class="bc-key bc-self-attention"></i>attention,</span>'
FEED_FORWARD = '<span class="bc-joined"><i class="bc-key bc-feed-forward"></i>feed-forward.</span>'


@pytest.mark.parametrize(
    ("path", "beginning", "has_marks"),
    [
        ("", f"Areas are to scale. Within each layer: {ATTENTION} {FEED_FORWARD}", True),
        # 109,482,240 ÷ 590,592 = 185.38, and 109,482,240 ÷ 1,536 = 71,277.5.
        ("pooler", "Areas are to scale, magnified 185 times compared with the whole model. A", True),
        ("layer/layer-norm", "Areas are to scale, magnified 71,278 times compared with the whole model.", False),
        # 109,482,240 ÷ 7,087,872 = 15.446
        ("layer", "Areas are to scale, magnified 15.4 times compared with the whole model. A", True),
    ],
)
def test_a_caption_gives_the_magnification(path: str, beginning: str, has_marks: bool) -> None:
    """The magnification has at most one decimal; only colours and marks in the picture are explained."""
    caption = area_map._caption(level_at(path), ask())
    assert caption.startswith(beginning)
    assert has_marks == caption.endswith(" A triangle marks what is too thin to see clearly.")
    assert (not path) == ("Within" in caption)


def test_on_other_pages_terms_and_areas_have_paths() -> None:
    """A term and an area with the same tensors have the same paths, so that one can highlight the other."""
    home = "site-root:map.html#base"
    parts = ["bert/pooler/dense/kernel", "bert/pooler/dense/bias"]
    terms = BeautifulSoup(area_map.sum_of(level_at("pooler"), ask(), home), "html.parser")
    assert parts == [term["data-part"] for term in terms("a")]
    assert parts == [area["data-part"] for area in level_drawing("pooler", home=home)("a")]
    assert not level_drawing("pooler").select("[data-part]")
