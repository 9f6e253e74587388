"""Styles preserve meaning: announcements are not hidden, legends have the colours of figures, and hatches are drawn."""

import re
from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup

from macros.counting import ARCHITECTURES
from macros.publish.figures.styles import SCHEMES
from macros.rendering.files.exported import ADDED_BLOCKS
from tests.docs.building import ROOT
from tests.docs.test_colours import STYLES
from tests.docs.test_states import RULE
from tests.rendering.test_every_page import expanded_pages

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PRINT_RULES = re.compile(r"@media print {\n(?:(?!^}).*\n)*}|@media print {[^\n]*}$", re.MULTILINE)
"""A block of rules for paper only."""


def screen_rules(styles: str = STYLES) -> list[tuple[str, str]]:
    """The selectors and declarations of each rule for screens."""
    return [(match[1].strip(), match[2]) for match in RULE.finditer(PRINT_RULES.sub("", COMMENT.sub("", styles)))]


def sources() -> str:
    """The concatenated text of all pages, scripts and templates of the theme, which contain most of our HTML."""
    scripts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/assets").rglob("*.js"))]
    overrides = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/.overrides").rglob("*.html"))]
    return "\n".join([*(page.text for page in expanded_pages().values()), *scripts, *overrides])


LIVE_REGION = re.compile(r'<\w+(?=[^>]*(?:role="(?:status|alert)"|aria-live="(?:polite|assertive)"))[^>]*>')
"""The start tag of an element whose changes screen readers announce."""


def live_selectors() -> set[str]:
    """Selectors for all elements whose changes screen readers announce."""
    names = {'[role="status"]', '[role="alert"]', "output", "[aria-live]"}
    for tag in LIVE_REGION.findall(sources()):
        names |= {f"#{id_}" for id_ in re.findall(r' id="([\w-]+)"', tag)}
        names |= {f".{name}" for classes in re.findall(r' class="([^"$]+)"', tag) for name in classes.split()}
    return names


STATUS = re.compile(r'<\w+(?=[^>]* class="[^"]*\bbc-status\b)[^>]*>')
"""The start tag of an element that is styled as an announcement."""


def silent_announcements(html: str) -> list[str]:
    """The elements that are styled as announcements, and whose changes screen readers would not announce."""
    return [tag for tag in STATUS.findall(html) if not LIVE_REGION.fullmatch(tag)]


HIDING_DECLARATION = re.compile(r"display: none|visibility: hidden|content-visibility: hidden")
"""A declaration that hides an element even from screen readers."""


def hidden_announcements(styles: str = STYLES) -> Iterator[str]:
    """The selectors of rules that hide an announcement even if it has text."""
    names = re.compile("|".join(rf"{re.escape(name)}(?![\w-])" for name in sorted(live_selectors())))
    for selector, body in screen_rules(styles):
        for part in re.split(r",(?![^()]*\))", selector):
            element = re.split(r"[ >+~](?![^()]*\))", part.strip())[-1]
            if (
                HIDING_DECLARATION.search(body)
                and names.search(element)
                and not re.search(r":empty|\[hidden\]", element)
            ):
                yield selector


def body_of(selector: str, styles: str = STYLES) -> str:
    """All declarations for exactly this selector, in rules for one or several selectors."""
    bodies = [(re.split(r",\s*", selectors), body) for selectors, body in screen_rules(styles)]
    return ";".join(body for selectors, body in bodies if selector in selectors)


def classes_with_colour(styles: str = STYLES) -> set[str]:
    """The classes that set `--bc-ink`, the colour of what they represent."""
    selectors = [selector for selector, body in screen_rules(styles) if "--bc-ink:" in body]
    return {name for selector in selectors for name in re.findall(r"\.(bc-[\w-]+)", selector)}


def keys_without_swatch(page: BeautifulSoup, styles: str = STYLES) -> Iterator[str]:
    """The entries of legends without a sample of the colour or shape that they explain."""
    for entry in page.select("figure .bc-legend li"):
        key = entry.select_one(".bc-key, .bc-key-thin, svg")
        classes = set(key.get_attribute_list("class")) if key else set()
        if key is None:
            yield entry.get_text()
        elif "bc-key" in classes and not classes & classes_with_colour(styles):
            yield f"{entry.get_text()}: without a colour"


def keys_without_area(page: BeautifulSoup, styles: str = STYLES) -> Iterator[str]:
    """The entries of legends for colours that their figure does not have."""
    for figure in page.select("figure:has(.bc-legend)"):
        # The areas of a colour may have its soft form.
        colours_of_areas = {
            str(name).removesuffix("-soft")
            for tag in figure.select("svg [class], svg[class]")
            for name in tag.get_attribute_list("class")
        }
        for key in figure.select(".bc-legend .bc-key"):
            colours = {str(name) for name in key.get_attribute_list("class")} & classes_with_colour(styles)
            if colours and not {name.removesuffix("-soft") for name in colours} & colours_of_areas:
                yield f"{key.parent}"


def faults_of_patterns(styles: str, html: str) -> Iterator[str]:
    """The patterns that no style uses, the styles whose pattern is missing, and the pattern lines without a colour."""
    defined_ids = set(re.findall(r'<pattern id="([\w-]+)"', html))
    used_ids = set(re.findall(r"url\(#([\w-]+)\)", COMMENT.sub("", styles)))
    yield from (f"{name} is either defined or used, but not both" for name in defined_ids ^ used_ids)
    for pattern in re.findall(r"<pattern .*?</pattern>", html, re.DOTALL):
        for name in re.findall(r'class="([\w-]+)"', pattern):
            if not re.search(r"stroke: (?!none)|fill: (?!none)", body_of(f".{name}", styles)):
                yield f"{name} paints nothing"


def test_announcements_are_not_hidden() -> None:
    """A region that is meant only for screen readers is clipped instead, because they ignore hidden elements."""
    assert [] == [*hidden_announcements()]
    assert {".bc-status", ".bc-verdict", ".bc-fault", "#answer", "#meant"} <= live_selectors()
    assert "clip-path" in body_of(".bc-status")


def test_every_announcement_is_announced() -> None:
    """An element of the class `bc-status` is invisible, so it needs a role that makes screen readers read it out."""
    html = sources()
    assert [] == silent_announcements(html)
    assert len(STATUS.findall(html)) > 4
    assert silent_announcements(html.replace('class="bc-status" role="status"', 'class="bc-status"', 1))


def test_every_entry_of_a_legend_shows_a_colour_of_its_figure() -> None:
    for check in (keys_without_swatch, keys_without_area):
        assert {} == {name: problems for name, page in expanded_pages().items() if (problems := [*check(page.parsed)])}
    for pattern in (r"background: var\(--bc-ink\)", r"width: \.?[1-9]", r"height: \.?[1-9]", "display: inline-block"):
        assert re.search(pattern, body_of(".bc-key")), pattern
    assert sum(len(page.parsed.select(".bc-legend .bc-key")) for page in expanded_pages().values()) > 20
    # The parts of the bar that shows what fits on a GPU are not drawn as SVG, so a style must give them their colours.
    assert "background: var(--bc-ink)" in body_of(".bc-fits-bar > [data-bar]")


MUTED_COLOUR = re.compile(r"(?<![\w-])color: var\(--md-default-fg-color--light(?:er|est)?\)")
"""A declaration with a colour for text that matters less."""


def muted_numbers(styles: str = STYLES) -> list[str]:
    """The rules in which numbers or headings have the colour of text that matters less."""
    return [
        selector
        for selector, body in screen_rules(styles)
        if MUTED_COLOUR.search(body)
        and re.search(r"(?<![\w.#-])(?:data|h[1-6])(?![\w-])[^ >+~]*$", re.sub(r"\[[^]]*\]", "", selector))
    ]


def test_no_number_or_heading_is_paler_than_text() -> None:
    """A page is about its numbers, so no style makes them less visible than the words around them."""
    assert [] == muted_numbers()
    assert muted_numbers(".bc-a :is(p, data) { margin: 0; color: var(--md-default-fg-color--light); }\n")
    assert muted_numbers(".bc-a h2 { font-weight: 700; color: var(--md-default-fg-color--light); }\n")
    assert not muted_numbers(".bc-a h2 small { color: var(--md-default-fg-color--light); }\n")
    assert not muted_numbers(".bc-a [data-b] p, .bc-data { color: var(--md-default-fg-color--light); }\n")


COLOURED_VALUES = {
    ("data-verdict", "--bc-wrong"): [{"wrong", "counted twice"}, {"wrong", "counted twice"}],
    ("data-kind", "--md-accent-fg-color"): [{"right"}],
    ("data-state", "--md-accent-fg-color"): [{"right"}],
}
"""For each attribute and colour, the values that a rule with both applies to.

One rule colours the words of the verdict on a line, and another the edge of the line. The edges of a verdict on an
answer and of a step of an exercise are coloured if it is right.
"""


def coloured_values(attribute: str, colour: str, styles: str = STYLES) -> list[set[str]]:
    """For each rule with this colour and this attribute, the values of the attribute that it applies to."""
    values = [
        re.findall(rf'{attribute}="([^"]+)"', selector) for selector, body in screen_rules(styles) if colour in body
    ]
    return [{*names} for names in values if names]


def test_only_what_is_right_or_wrong_has_the_colour_for_it() -> None:
    assert COLOURED_VALUES == {
        (attribute, colour): coloured_values(attribute, colour) for attribute, colour in COLOURED_VALUES
    }
    for attribute, colour in COLOURED_VALUES:
        old, new = ("right", "wrong") if colour != "--bc-wrong" else ("wrong", "right")
        swapped_styles = STYLES.replace(f'[{attribute}="{old}"]', f'[{attribute}="{new}"]', 1)
        assert any(new in values for values in coloured_values(attribute, colour, swapped_styles)), attribute


SELECTORS_WITH_COLOUR = {
    "--bc-wrong": re.compile(r"wrong|invalid|fault|stale"),
    "--bc-cell": re.compile(r"\.bc-(?:cell|weight|cut)(?![\w-])"),
    "--md-accent-fg-color": re.compile(r":focus|:checked|\[open\]|aria-current|input|textarea|range|button|=\"right\""),
}
"""For each colour, a pattern that must match the selector of every rule that uses it.

The names are for what is wrong, for the numbers of the toy model, and for what readers can use, have chosen or have
answered correctly.
"""


def misused_colours(styles: str = STYLES) -> list[str]:
    """The selectors of rules that use a colour for what it does not mean, or put a text colour behind text.

    A text colour may be a background if the text on it has the colour of the page.
    """
    return [
        selector
        for selector, body in screen_rules(styles)
        if any(
            f"var({colour})" in body and not names.search(selector) for colour, names in SELECTORS_WITH_COLOUR.items()
        )
        or (
            re.search(r"background: var\(--md-[a-z-]+-fg-color\)", body)
            and not re.search(r"(?<![\w-])color: var\(--md-default-bg-color\)", body)
        )
    ]


def test_every_colour_keeps_its_meaning() -> None:
    assert [] == misused_colours()
    for old, new in (
        (".bc-exercise { border: .05rem solid var(--bc-rule)", ".bc-exercise { border: .05rem solid var(--bc-wrong)"),
        (".bc-step { fill: var(--bc-faint)", ".bc-step { fill: var(--bc-cell)"),
        ("tabular-nums; color: var(--md-default-fg-color--light); }", "color: var(--md-accent-fg-color); }"),
        ("outline: 0; background: var(--md-default-bg-color)", "background: var(--md-default-fg-color)"),
    ):
        assert old in STYLES
        assert misused_colours(STYLES.replace(old, new, 1)), new


def invalid_fields_of_another_colour(styles: str = STYLES) -> list[str]:
    """The selectors of rules for invalid fields that do not give them the colour of what is wrong."""
    return [
        selector
        for selector, body in screen_rules(styles)
        if "[aria-invalid" in selector and "var(--bc-wrong)" not in body
    ]


def test_invalid_fields_have_the_colour_of_what_is_wrong() -> None:
    assert [] == invalid_fields_of_another_colour()
    assert len(invalid_fields_of_another_colour(STYLES.replace("--bc-wrong", "--bc-rule"))) == 2


OPPOSITES = {"left": "right", "right": "left"}
SHADE = re.compile(r"linear-gradient\(to (left|right), [^;\n]*?, transparent\) (left|right)\b")
"""A shade at one edge of an element; the groups are the direction in which it fades, and the edge."""


def outward_shades(styles: str = STYLES) -> list[str]:
    """The shades that fade towards their own edge, not towards the inside of the element."""
    return [match[0] for match in SHADE.finditer(styles) if match[1] != OPPOSITES[match[2]]]


def unlimited_font_sizes(styles: str = STYLES) -> list[str]:
    """The font sizes that grow with the window without a limit, so that on some screens text is larger than elsewhere.

    Text may shrink in narrow windows, but it must not grow with them without limit.
    """
    sizes = re.findall(r"font(?:-size)?: [^;}]*vw[^;}]*", styles)
    return [size for size in sizes if not re.search(r"(?:min|clamp)\([^)]*vw", size)]


def test_every_shade_fades_inwards() -> None:
    assert [] == outward_shades()
    assert len(SHADE.findall(STYLES)) == 4
    for direction in OPPOSITES:
        opposite_direction = f"to {OPPOSITES[direction]}, var(--bc-shade)"
        assert outward_shades(STYLES.replace(f"to {direction}, var(--bc-shade)", opposite_direction, 1))


def test_no_text_grows_with_the_window_without_a_limit() -> None:
    assert [] == unlimited_font_sizes()
    assert "font-size: min(.62rem, 3.1vw)" in STYLES
    assert unlimited_font_sizes(STYLES.replace("font-size: min(.62rem, 3.1vw)", "font-size: max(.62rem, 3.1vw)"))


HIGHLIGHTED = re.compile(r"(?::is\((?P<several>[^()]*)\)|(?P<one>[^ ,:()]+))\.bc-lit")
"""The elements that a style highlights."""


def highlighted_elements(declaration: str, styles: str = STYLES) -> set[str]:
    """The last elements of the selectors for highlights with a declaration, such as `tr`."""
    selectors = [selector for selector, body in screen_rules(styles) if declaration in body]
    matches = [match for selector in selectors for match in HIGHLIGHTED.finditer(selector)]
    elements = [element for match in matches for element in (match["several"] or match["one"]).split(", ")]
    return {element.split()[-1] for element in elements}


def unframed_highlights(styles: str = STYLES) -> set[str]:
    """The elements that are highlighted by their background alone, which browsers replace if colours are forced."""
    forced_colours = styles.partition("@media (forced-colors: active)")[2]
    return highlighted_elements("background: var(--bc-lit)", styles) - highlighted_elements("outline:", forced_colours)


def test_every_highlight_is_framed_with_forced_colours() -> None:
    assert set() == unframed_highlights()
    elements = highlighted_elements("background: var(--bc-lit)")
    assert {".bc-term", "[data-letter]", "mi", "tr", "data", "a"} == elements
    before, rule, after = STYLES.partition("@media (forced-colors: active)")
    assert rule
    for element in elements:
        assert {element} == unframed_highlights(
            before + rule + re.sub(rf"(?<=[ (]){re.escape(element)}(?=[,).])", "i", after)
        )


def bold_lines_above_totals(styles: str = STYLES) -> list[str]:
    """The selectors of rules that make lines of a sum bold other than the last one, which is the total."""
    return [
        selector
        for selector, body in screen_rules(styles)
        if ".bc-line-of-sum" in selector and "font-weight: 700" in body and "li:last-child" not in selector
    ]


def test_only_the_total_of_a_sum_is_bold() -> None:
    assert [] == bold_lines_above_totals()
    first_lines = STYLES.replace("li:last-child .bc-line-of-sum", "li:first-child .bc-line-of-sum")
    assert 2 == len(bold_lines_above_totals(first_lines))


LENGTH = re.compile(r"(?<![\w-])(min-width|width|height): ([0-9.]*[0-9])(mm|r?em)\b")
"""A declaration of a length; the groups are the property, the number and the unit."""

ONE_LINE = {"mm": 10, "em": 2, "rem": 2}
"""The largest height of a line of handwriting, by unit."""


def places_of_another_size(styles: str = STYLES) -> list[str]:
    """The rules for places to write that are higher than a line, or no longer than the place for a number.

    The rule for `.bc-empty` alone has the least width, which is enough for a number.
    """
    rules = [(selector, LENGTH.findall(body)) for selector, body in screen_rules(styles) if ".bc-empty" in selector]
    (least_width,) = (float(number) for _, lengths in rules for key, number, _ in lengths if key == "min-width")
    return [
        f"{selector}: {key} {number}{unit}"
        for selector, lengths in rules
        for key, number, unit in lengths
        if (key == "height" and float(number) > ONE_LINE[unit]) or (key == "width" and float(number) <= least_width)
    ]


def test_places_to_write_are_one_line_high_and_longer_than_a_number() -> None:
    assert [] == places_of_another_size()
    assert ".bc-name .bc-empty { width: 12rem; }" in STYLES
    for declaration in ("height: 12rem", "width: 1.2rem"):
        assert 1 == len(places_of_another_size(STYLES.replace("width: 12rem", declaration)))
    assert "width" in body_of(".bc-name .bc-empty")


def missing_attributes(styles: str = STYLES) -> list[str]:
    """The attributes whose text a style shows, although no element on the site has them."""
    html = sources()
    return [name for name in re.findall(r"attr\(([\w-]+)\)", styles) if f"{name}=" not in html]


CLASS = r"bc-[a-z]+(?:-[a-z]+)*"
"""The name of one of our classes, without the number that may follow it, as in `bc-num-2`."""


def styled_classes_without_element(styles: str = STYLES) -> list[str]:
    """The classes that styles select, although neither pages nor scripts nor what publishing adds contain them."""
    publishing_sources = [
        path.read_text(encoding="utf-8")
        for path in (ROOT / "macros/publish").rglob("*.*")
        if path.suffix in (".html", ".py")
    ]
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")]
    names = {*re.findall(CLASS, "\n".join([sources(), *publishing_sources, *pages]))}
    # Names that code puts together at run time: those of blocks, and those of the colour schemes of figures as files.
    blocks = {name for architecture in ARCHITECTURES.values() for name in architecture.blocks}
    names |= {f"bc-{name}" for name in (*blocks, *ADDED_BLOCKS, *SCHEMES)}
    return sorted({*re.findall(rf"\.({CLASS})", COMMENT.sub("", styles))} - names)


LOOK_UP = re.compile(
    r"""(?:querySelector(?:All)?|closest|matches)\(\s*(?P<quote>["`])(?P<selector>(?:(?!(?P=quote)).)*)"""
    r"""|getElementById\("(?P<id>[\w-]+)\""""
)
"""A script's search for elements, by a selector or by an id."""


def looked_up_without_element(scripts: str) -> list[str]:
    """The ids and classes by which scripts look for elements, although no element has them."""
    searches = [*LOOK_UP.finditer(scripts)]
    selectors = " ".join(search["selector"] or f"#{search['id']}" for search in searches)
    selectors = re.sub(r"\$\{[^{}]*\}", "", selectors)
    macros = [path for path in (ROOT / "macros").rglob("*.*") if path.suffix in (".html", ".py")]
    text = "\n".join([sources(), *(path.read_text(encoding="utf-8") for path in macros)])
    ids = {*re.findall(r"#([a-z][\w-]*)", selectors)} - {*re.findall(r'(?<![\w-])id="([\w-]+)"', text)}
    classes = {*re.findall(rf"\.({CLASS})", selectors)} - {*re.findall(r"(?:(?<![\w.-])|\{ ?\.)(bc-[\w-]+)", text)}
    return sorted(ids | classes)


def test_every_element_that_a_script_looks_for_exists() -> None:
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/assets").rglob("*.js")))
    assert [] == looked_up_without_element(scripts)
    assert len(LOOK_UP.findall(scripts)) > 80
    for old, new in (("#calculator-tensors", "#calculator-tensor"), ('(".bc-credit")', '(".bc-author")')):
        assert old in scripts
        assert looked_up_without_element(scripts.replace(old, new))


def test_every_class_in_a_style_exists() -> None:
    assert [] == styled_classes_without_element()
    assert ["bc-file"] == styled_classes_without_element(STYLES.replace(".bc-files", ".bc-file"))


def test_every_attribute_in_a_style_exists() -> None:
    """A style may show the text of an attribute, such as the heading of a cell on a phone."""
    assert [] == missing_attributes()
    assert ["data-label"] == missing_attributes(STYLES.replace("attr(data-head)", "attr(data-label)", 1))


def test_every_hatch_is_drawn() -> None:
    """A hatch marks frozen parameters in the calculator's picture."""
    assert [] == [*faults_of_patterns(STYLES, sources())]
    assert "url(#calculator-hatch)" in STYLES
    # A hatch also marks the reserve, the part of a GPU's memory that must stay free.
    assert "repeating-linear-gradient" in body_of(".bc-fits-reserve")
    without_stripes = STYLES.replace("repeating-linear-gradient", "linear-gradient")
    assert "repeating-linear-gradient" not in body_of(".bc-fits-reserve", without_stripes)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (".bc-status { position: absolute;", ".bc-status { display: none;"),
        (".bc-fault:empty { display", ".bc-fault { display"),
        ("#answer:not(:empty) { border", "#answer { visibility: hidden; border"),
        (".bc-verdict:not(:empty) { ", ".bc-verdict { display: none; "),
    ],
)
def test_a_hidden_announcement_is_noticed(old: str, new: str) -> None:
    assert old in STYLES
    assert [*hidden_announcements(STYLES.replace(old, new))]


def test_a_wrong_legend_and_a_missing_hatch_are_noticed() -> None:
    html = str(expanded_pages()["totals/checkpoints.md"].parsed.select("figure:has(.bc-legend)")[0])
    correct_figure = BeautifulSoup(html, "html.parser")
    assert not [*keys_without_swatch(correct_figure), *keys_without_area(correct_figure)]
    for old, new in (('class="bc-key ', 'class="'), ("bc-key bc-embeddings", "bc-key bc-nothing")):
        assert [*keys_without_swatch(BeautifulSoup(html.replace(old, new), "html.parser"))]
    assert [*keys_without_area(BeautifulSoup(html.replace("bc-key bc-embeddings", "bc-key bc-pooler"), "html.parser"))]
    for old in ("fill: url(#calculator-hatch);", "stroke: var(--md-default-bg-color); stroke-width: 4;"):
        assert old in STYLES
        assert [*faults_of_patterns(STYLES.replace(old, ""), sources())]


DEFINED_NAME = re.compile(
    r"--bc-[\w-]+(?=:)|(?:(?<=anchor-name: )|(?<=@position-try ))--bc-[\w-]+|(?<=@keyframes )[\w-]+"
)
"""The name of a variable, an anchor, a position or an animation where a style sheet defines it."""

USED_NAME = re.compile(r"(?<!anchor-name: )(?<!@position-try )--bc-[\w-]+(?![\w-]*:)|(?<=animation: )(?!none)[\w-]+")
"""Such a name where a style sheet uses it."""


def names_without_counterpart(styles: str, set_by_scripts: set[str]) -> set[str]:
    """The names that are used but not defined, or defined but not used. A browser reports neither.

    Args:
        styles: the text of the style sheets.
        set_by_scripts: the variables that scripts define.
    """
    rules = COMMENT.sub("", styles)
    return {*USED_NAME.findall(rules)} ^ ({*DEFINED_NAME.findall(rules)} | set_by_scripts)


def test_every_name_is_defined_and_used() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs/assets").rglob("*.js"))
    set_by_scripts = {*re.findall(r'setProperty\("(--bc-[\w-]+)"', scripts)}
    assert set() == names_without_counterpart(STYLES, set_by_scripts)
    for old, new in (
        ("position-anchor: --bc-number", "position-anchor: --bc-cited"),
        ("flip-inline, --bc-foot", "flip-inline, --bc-head"),
        ("var(--bc-share, 0)", "var(--bc-shares, 0)"),
        ("background: var(--bc-ink)", "background: var(--bc-inks)"),
        ("animation: bc-edges", "animation: bc-edge"),
        ("@position-try --bc-foot", "@position-try --bc-head"),
    ):
        assert old in STYLES
        assert names_without_counterpart(STYLES.replace(old, new, 1), set_by_scripts), new
