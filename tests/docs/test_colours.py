"""Each colour has one meaning on the whole site, and is visible in both themes."""

import colorsys
import operator
import re

import pytest

from macros.publish.style_sheet import our_style_sheets
from tests.docs.building import ROOT

STYLES = "".join(our_style_sheets(ROOT / "docs").values())
"""The concatenated text of our style sheets."""

PARTS = ("embeddings", "self-attention", "feed-forward", "encoder-norms", "pooler", "mlm-head", "nsp-head", "task-head")
CHANGES = ("added", "taken", "total")
MEMORY = ("weights", "states", "activations", "gradients", "temporary")
"""The names of colours: those of parts, those in bridges, and those of the parts of a training step's memory."""

HUES = {"embeddings": (210, 240), "self-attention": (20, 45), "feed-forward": (140, 170)}
"""The ranges of the hues of three parts, in degrees on the colour wheel: blue, orange and green."""

BACKGROUNDS = {"default": "#ffffff", "slate": "#161c25"}
"""The background of the light theme, which is Material's white, and that of the dark theme, which is our own."""


def variables(scheme: str, styles: str = STYLES) -> dict[str, str]:
    """The variables of a theme, by name without the dashes before it."""
    block = re.search(rf'\[data-md-color-scheme="{scheme}"\] {{(.*?)}}', styles, re.DOTALL)
    assert block
    return dict(re.findall(r"--([\w-]+): ([^;]+);", block[1]))


def palette(scheme: str, styles: str = STYLES) -> dict[str, str]:
    """The opaque colours of a theme that are our own, by name."""
    return {
        name.removeprefix("bc-"): value
        for name, value in variables(scheme, styles).items()
        if name.startswith("bc-") and re.fullmatch("#[0-9a-f]{6}", value)
    }


def channels(colour: str) -> tuple[float, float, float]:
    """The red, green and blue channels of a colour, from 0 to 1."""
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, as WCAG 2.2 defines it."""

    def luminance(colour: str) -> float:
        """The relative luminance, from 0 to 1, with the constants of WCAG's definition."""
        linear_channels = [
            channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
            for channel in channels(colour)
        ]
        red, green, blue = linear_channels
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    # In this definition, 0.05 represents the light that a screen reflects.
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def faint_colours(scheme: str, styles: str = STYLES) -> dict[str, float]:
    """The colours with too little contrast against the page or a panel, with their contrast ratios."""
    colours = palette(scheme, styles)
    backgrounds = (BACKGROUNDS[scheme], colours["faint"])
    bar_contrasts = {
        name: min(contrast(colours[name], background) for background in backgrounds) for name in CHANGES + MEMORY
    }
    # The labels on a part are text in the background colour.
    part_contrasts = {name: contrast(colours[name], BACKGROUNDS[scheme]) for name in PARTS}
    return {name: ratio for name, ratio in bar_contrasts.items() if ratio < 3} | {
        name: ratio for name, ratio in part_contrasts.items() if ratio < 4.5
    }


def faint_texts(scheme: str, styles: str = STYLES) -> dict[str, float]:
    """Material's colours of text with too little contrast against their own background, with their contrast ratios."""
    definitions = variables(scheme, styles)

    def colour_of(name: str) -> str:
        """The colour of a variable, which may be defined as another variable."""
        reference = re.fullmatch(r"var\(--([\w-]+)\)", definitions[name])
        return colour_of(reference[1]) if reference else definitions[name]

    ratios = {}
    for name in definitions:
        match = re.fullmatch(r"(md-[\w-]+)-fg-color(?:--\w+)?", name)
        if match and f"{match[1]}-bg-color" in definitions:
            ratios[name] = contrast(colour_of(name), colour_of(f"{match[1]}-bg-color"))
    assert ratios
    return {name: ratio for name, ratio in ratios.items() if ratio < 4.5}


def illegible_rules(scheme: str, styles: str = STYLES) -> list[str]:
    """The selectors of rules that set a text and its background to colours with too little contrast in a theme."""
    definitions = {
        "md-default-bg-color": BACKGROUNDS[scheme],
        **variables("default", styles),
        **variables(scheme, styles),
    }

    def colour_of(value: str) -> str:
        """The colour of a value, which may be a variable; empty if it is none, such as `inherit`."""
        reference = re.fullmatch(r"var\(--([\w-]+)\)", value)
        if reference:
            return colour_of(definitions.get(reference[1], ""))
        return value if re.fullmatch("#[0-9a-f]{6}", value) else ""

    selectors = []
    for selector, body in re.findall(r"^ *([^{}\n]+) {([^{}]*)}", styles, re.MULTILINE):
        values = re.findall(r"(?:^|[;\s])(?:color|background(?:-color)?): ([^;]+)", body)
        colours = [*filter(None, map(colour_of, values))]
        if len(colours) == 2 and contrast(*colours) < 4.5:
            selectors.append(selector)
    return selectors


def borrowed_colours(styles: str = STYLES) -> list[tuple[str, str]]:
    """The classes that take their colour from a variable with a different name, each with the variable's name.

    A rule for several classes may give a colour to classes that have no variable of their own.
    """
    rules = re.findall(r"^([^{}\n]+) {[^}]*--bc-ink: var\(--bc-([\w-]+)\)", styles, re.MULTILINE)
    colour_definitions = [
        (style, name)
        for selectors, name in rules
        for style in re.findall(r"(?:^|, |\()\.bc-([\w-]+)(?=[,)]|$)", selectors)
        if selectors == f".bc-{style}" or style in palette("default")
    ]
    assert len(colour_definitions) >= len(PARTS + CHANGES + MEMORY)
    return [(style, name) for style, name in colour_definitions if style.removesuffix("-soft") != name]


def misplaced_colours(styles: str = STYLES) -> list[str]:
    """The selectors of rules that use the colour of a part without naming the part."""
    rules = re.findall(r"^ *([^{}\n]+) {([^{}]*)}", styles, re.MULTILINE)
    colours_of_rules = [(selector, set(re.findall(r"var\(--bc-([\w-]+?)\)", body))) for selector, body in rules]
    assert len(colours_of_rules) > 100
    # The key of a layer has the colours of both its sublayers.
    parts_of_rules = [
        (selector, names & {*PARTS}) for selector, names in colours_of_rules if ".bc-layer" not in selector
    ]
    return [selector for selector, names in parts_of_rules if any(f".bc-{name}" not in selector for name in names)]


def is_shade_darker(scheme: str, styles: str = STYLES) -> bool:
    """Return whether shadows, which are translucent, darken the background of a theme."""
    shade = variables(scheme, styles)["bc-shade"]
    assert re.fullmatch("#(?:[0-9a-f]{4}|[0-9a-f]{8})", shade)
    colour = shade if len(shade) == 9 else "#" + "".join(digit * 2 for digit in shade[1:])
    return all(map(operator.lt, channels(colour), channels(BACKGROUNDS[scheme])))


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_shadows_are_darker_than_the_page(scheme: str) -> None:
    assert is_shade_darker(scheme)
    assert not is_shade_darker(scheme, re.sub("--bc-shade: #[0-9a-f]+;", "--bc-shade: #fffa;", STYLES))


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_every_colour_is_visible(scheme: str) -> None:
    """WCAG 2.2 requires a contrast of at least 3:1 with the background or, under text, 4.5:1."""
    assert {} == faint_colours(scheme)


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_every_text_is_legible_on_its_background(scheme: str) -> None:
    """WCAG 2.2 requires a contrast of at least 4.5:1 for text."""
    assert {} == faint_texts(scheme)


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_a_text_in_the_colour_of_its_background_is_noticed(scheme: str) -> None:
    # The background of the footer is --bc-faint.
    old = "--md-footer-fg-color--light: var(--md-default-fg-color--light)"
    assert STYLES.count(old) == len(BACKGROUNDS)
    assert {"md-footer-fg-color--light": 1} == faint_texts(
        scheme, STYLES.replace(old, "--md-footer-fg-color--light: var(--bc-faint)")
    )


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_rules_set_texts_and_backgrounds_that_stand_out_from_each_other(scheme: str) -> None:
    """Of elements that only scripts add, no test measures the contrast in a browser."""
    assert [] == illegible_rules(scheme)
    old = "color: var(--md-default-fg-color); background: var(--md-default-bg-color)"
    assert old in STYLES
    assert illegible_rules(scheme, STYLES.replace(old, old.replace("fg", "bg")))


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_the_smallest_part_is_the_least_colourful(scheme: str) -> None:
    """The pooler has only 0.5% of the parameters of BERT base."""
    colourfulness = {name: max(channels(colour)) - min(channels(colour)) for name, colour in palette(scheme).items()}
    parts = ("embeddings", "self-attention", "feed-forward", "encoder-norms", "pooler")
    assert "pooler" == min(parts, key=colourfulness.__getitem__)


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_the_colour_of_mistakes_is_red(scheme: str) -> None:
    hue = 360 * colorsys.rgb_to_hls(*channels(palette(scheme)["wrong"]))[0]
    assert min(hue, 360 - hue) < 15  # degrees on the colour wheel


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_no_step_of_a_bridge_has_the_colour_of_a_part(scheme: str) -> None:
    """Parts have hues, whereas steps and totals are nearly grey."""
    colours = palette(scheme)
    for name, (low, high) in HUES.items():
        assert low < 360 * colorsys.rgb_to_hls(*channels(colours[name]))[0] < high, name
    for name in CHANGES:
        assert max(channels(colours[name])) - min(channels(colours[name])) < 0.15, name
        assert colours[name] not in {colours[part] for part in PARTS}, name
    assert contrast(colours["added"], colours["total"]) >= 3


@pytest.mark.parametrize("scheme", BACKGROUNDS)
def test_no_part_of_memory_has_a_colour_with_another_meaning(scheme: str) -> None:
    colours = palette(scheme)
    other_colours = {colour for name, colour in colours.items() if name not in MEMORY}
    assert len(MEMORY) == len({colours[name] for name in MEMORY} - other_colours)


def test_bars_and_keys_have_the_colour_that_their_class_names() -> None:
    assert [] == borrowed_colours()
    assert [] == misplaced_colours()


def test_a_faint_a_borrowed_and_a_misplaced_colour_are_noticed() -> None:
    colour = palette("default")["added"]
    assert ["added"] == list(faint_colours("default", STYLES.replace(f"--bc-added: {colour}", "--bc-added: #aaaaaa")))
    borrowing_styles = STYLES.replace("--bc-ink: var(--bc-pooler)", "--bc-ink: var(--bc-embeddings)")
    assert [("pooler", "embeddings")] == borrowed_colours(borrowing_styles)
    joint_rule = "\n:is(.bc-cross-attention, .bc-added) { --bc-ink: var(--bc-lora); }\n"
    assert [("added", "lora")] == borrowed_colours(STYLES + joint_rule)
    misplacing_styles = STYLES + "\n.bc-window { fill: var(--bc-embeddings); }\n"
    assert [".bc-window"] == misplaced_colours(misplacing_styles)
