"""A colour means one thing on the whole site, and can be seen, in the light theme and in the dark one."""

import colorsys
import re

import pytest

from macros.publish.style_sheet import our_style_sheets
from tests.docs.building import ROOT

STYLES = "".join(our_style_sheets(ROOT / "docs").values())

PARTS = ("embeddings", "self-attention", "feed-forward", "encoder-norms", "pooler", "mlm-head", "nsp-head", "task-head")
CHANGES = ("added", "taken", "total")

# Degrees on the colour wheel: blue, orange and green as painters name them.
HUES = {"embeddings": (210, 240), "self-attention": (20, 45), "feed-forward": (140, 170)}

# The light theme's ground is Material's own, white.
GROUNDS = {"default": "#ffffff", "slate": "#161c25"}


def palette(scheme: str, styles: str = STYLES) -> dict[str, str]:
    """The colours of a theme by name."""
    block = re.search(rf'\[data-md-color-scheme="{scheme}"\] {{(.*?)}}', styles, re.DOTALL)
    assert block
    return dict(re.findall(r"--bc-([\w-]+): (#[0-9a-f]{6});", block[1]))


def channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue, from 0 to 1."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2.2."""

    def luminance(colour: str) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def faint(scheme: str, styles: str = STYLES) -> dict[str, float]:
    """Colours of figures that do not stand out from the page or from a panel, and their contrast."""
    colours = palette(scheme, styles)
    grounds = (GROUNDS[scheme], colours["faint"])
    least = {name: min(contrast(colours[name], each) for each in grounds) for name in CHANGES}
    # Words on a part have the colour of the ground, and are text.
    words = {name: contrast(colours[name], GROUNDS[scheme]) for name in PARTS}
    return {name: ratio for name, ratio in least.items() if ratio < 3} | {
        name: ratio for name, ratio in words.items() if ratio < 4.5
    }


def own_colours(styles: str = STYLES) -> list[tuple[str, str]]:
    """Classes that take their colour from a variable of another name."""
    inks = re.findall(r"^\.bc-([\w-]+) {[^}]*--bc-ink: var\(--bc-([\w-]+)\)", styles, re.MULTILINE)
    assert len(inks) >= len(PARTS + CHANGES)
    return [(style, name) for style, name in inks if style.removesuffix("-soft") != name]


def strangers(styles: str = STYLES) -> list[str]:
    """Rules that use a part's colour and do not name the part."""
    rules = re.findall(r"^ *([^{}\n]+) {([^{}]*)}", styles, re.MULTILINE)
    used = [(selector, set(re.findall(r"var\(--bc-([\w-]+?)\)", body))) for selector, body in rules]
    assert len(used) > 100
    # A layer is of two colours: its key shows both.
    named = [(selector, names & {*PARTS}) for selector, names in used if ".bc-layer" not in selector]
    return [selector for selector, names in named if any(f".bc-{name}" not in selector for name in names)]


@pytest.mark.parametrize("scheme", GROUNDS)
def test_every_colour_can_be_seen(scheme: str) -> None:
    """Three to one against what is behind it, and four and a half for what words are written on."""
    assert {} == faint(scheme)


@pytest.mark.parametrize("scheme", GROUNDS)
def test_the_smallest_part_is_not_the_loudest(scheme: str) -> None:
    """The pooler, half a per cent of base, is the dullest of the parts that have a hue of their own."""
    spread = {name: max(channels(colour)) - min(channels(colour)) for name, colour in palette(scheme).items()}
    assert "pooler" == min(("embeddings", "self-attention", "feed-forward", "encoder-norms", "pooler"), key=spread.get)  # type: ignore[arg-type]


@pytest.mark.parametrize("scheme", GROUNDS)
def test_what_changes_has_no_part_s_colour(scheme: str) -> None:
    """Parts have their hues; added, taken away and totals are greys, and told apart by lightness or by being hollow."""
    colours = palette(scheme)
    for name, (low, high) in HUES.items():
        assert low < 360 * colorsys.rgb_to_hls(*channels(colours[name]))[0] < high, name
    for name in CHANGES:
        assert max(channels(colours[name])) - min(channels(colours[name])) < 0.15, name
        assert colours[name] not in {colours[part] for part in PARTS}, name
    assert contrast(colours["added"], colours["total"]) >= 3


def test_bars_and_keys_take_their_colour_from_one_place() -> None:
    """A class names its own colour once, and no key or bar has another."""
    assert [] == own_colours()
    assert [] == strangers()


def test_a_faint_or_a_borrowed_colour_is_found() -> None:
    """A light grey, and a class with the colour of another."""
    added = palette("default")["added"]
    assert ["added"] == list(faint("default", STYLES.replace(f"--bc-added: {added}", "--bc-added: #aaaaaa")))
    borrowed = STYLES.replace("--bc-ink: var(--bc-pooler)", "--bc-ink: var(--bc-embeddings)")
    assert [("pooler", "embeddings")] == own_colours(borrowed)
    elsewhere = STYLES + "\n.bc-window { fill: var(--bc-embeddings); }\n"
    assert [".bc-window"] == strangers(elsewhere)
