"""A colour means one thing on the whole site, and can be seen in both themes."""

import colorsys
import re

import pytest

from macros.publish.style_sheet import our_style_sheets
from tests.docs.building import ROOT

STYLES = "".join(our_style_sheets(ROOT / "docs").values())

PARTS = ("embeddings", "self-attention", "feed-forward", "encoder-norms", "pooler", "mlm-head", "nsp-head", "task-head")
CHANGES = ("added", "taken", "total")
MEMORY = ("weights", "states", "activations", "gradients", "temporary")

# Degrees on the colour wheel: blue, orange and green.
HUES = {"embeddings": (210, 240), "self-attention": (20, 45), "feed-forward": (140, 170)}

# The light theme's background is Material's white.
BACKGROUNDS = {"default": "#ffffff", "slate": "#161c25"}


def palette(scheme: str, styles: str = STYLES) -> dict[str, str]:
    """The colours of a theme, by name."""
    block = re.search(rf'\[data-md-color-scheme="{scheme}"\] {{(.*?)}}', styles, re.DOTALL)
    assert block
    return dict(re.findall(r"--bc-([\w-]+): (#[0-9a-f]{6});", block[1]))


def channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue, from 0 to 1."""
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2."""

    def luminance(colour: str) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def faint_colours(scheme: str, styles: str = STYLES) -> dict[str, float]:
    """Colours with too little contrast against the page or a panel, and their contrast ratios."""
    colours = palette(scheme, styles)
    backgrounds = (BACKGROUNDS[scheme], colours["faint"])
    bar_contrasts = {
        name: min(contrast(colours[name], background) for background in backgrounds) for name in CHANGES + MEMORY
    }
    # Labels on a part have the background's colour, and count as text.
    part_contrasts = {name: contrast(colours[name], BACKGROUNDS[scheme]) for name in PARTS}
    return {name: ratio for name, ratio in bar_contrasts.items() if ratio < 3} | {
        name: ratio for name, ratio in part_contrasts.items() if ratio < 4.5
    }


def borrowed_colours(styles: str = STYLES) -> list[tuple[str, str]]:
    """Classes that take their colour from a variable of another name."""
    inks = re.findall(r"^\.bc-([\w-]+) {[^}]*--bc-ink: var\(--bc-([\w-]+)\)", styles, re.MULTILINE)
    assert len(inks) >= len(PARTS + CHANGES + MEMORY)
    return [(style, name) for style, name in inks if style.removesuffix("-soft") != name]


def misplaced_colours(styles: str = STYLES) -> list[str]:
    """Rules that use a part's colour without naming the part."""
    rules = re.findall(r"^ *([^{}\n]+) {([^{}]*)}", styles, re.MULTILINE)
    colours_of_rules = [(selector, set(re.findall(r"var\(--bc-([\w-]+?)\)", body))) for selector, body in rules]
    assert len(colours_of_rules) > 100
    # A layer's key shows the colours of both its sublayers.
    parts_of_rules = [
        (selector, names & {*PARTS}) for selector, names in colours_of_rules if ".bc-layer" not in selector
    ]
    return [selector for selector, names in parts_of_rules if any(f".bc-{name}" not in selector for name in names)]


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_every_colour_can_be_seen(scheme: str) -> None:
    """Colours have a contrast of at least 3:1 with their background, and of at least 4.5:1 where they carry text."""
    assert {} == faint_colours(scheme)


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_the_smallest_part_is_not_the_loudest(scheme: str) -> None:
    """The pooler, only 0.5% of BERT base, is the least colourful of the parts of BertModel."""
    spread = {name: max(channels(colour)) - min(channels(colour)) for name, colour in palette(scheme).items()}
    assert "pooler" == min(("embeddings", "self-attention", "feed-forward", "encoder-norms", "pooler"), key=spread.get)  # type: ignore[arg-type]


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_changes_do_not_have_the_colour_of_a_part(scheme: str) -> None:
    """Parts have hues; added, taken away and total are greys that differ in lightness or are hollow."""
    colours = palette(scheme)
    for name, (low, high) in HUES.items():
        assert low < 360 * colorsys.rgb_to_hls(*channels(colours[name]))[0] < high, name
    for name in CHANGES:
        assert max(channels(colours[name])) - min(channels(colours[name])) < 0.15, name
        assert colours[name] not in {colours[part] for part in PARTS}, name
    assert contrast(colours["added"], colours["total"]) >= 3


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_memory_does_not_have_the_colour_of_a_part(scheme: str) -> None:
    """Each part of the memory of a training step has a colour that nothing else has."""
    colours = palette(scheme)
    others = {colour for name, colour in colours.items() if name not in MEMORY}
    assert len(MEMORY) == len({colours[name] for name in MEMORY} - others)


def test_bars_and_keys_take_their_colour_from_one_place() -> None:
    """A class defines its colour once, and no key or bar uses another part's."""
    assert [] == borrowed_colours()
    assert [] == misplaced_colours()


def test_a_faint_or_a_borrowed_colour_is_found() -> None:
    """A light grey and a class with another's colour are found."""
    colour = palette("default")["added"]
    assert ["added"] == list(faint_colours("default", STYLES.replace(f"--bc-added: {colour}", "--bc-added: #aaaaaa")))
    borrowing_styles = STYLES.replace("--bc-ink: var(--bc-pooler)", "--bc-ink: var(--bc-embeddings)")
    assert [("pooler", "embeddings")] == borrowed_colours(borrowing_styles)
    misplaced = STYLES + "\n.bc-window { fill: var(--bc-embeddings); }\n"
    assert [".bc-window"] == misplaced_colours(misplaced)
