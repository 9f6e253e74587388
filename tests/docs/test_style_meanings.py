"""Styles that carry meaning work: announcements are perceivable, keys have swatches, hatches are drawn."""

import re
from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup

from tests.docs.building import ROOT
from tests.docs.test_colours import STYLES
from tests.rendering.test_every_page import written_pages

RULE = re.compile(r"^ *([^{}\n@]+) {([^{}]*)}", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PRINT = re.compile(r"@media print {\n(?:(?!^}).*\n)*}|@media print {[^\n]*}$", re.MULTILINE)


def rules(styles: str = STYLES) -> list[tuple[str, str]]:
    """Selectors and declarations for screens."""
    return [(match[1].strip(), match[2]) for match in RULE.finditer(PRINT.sub("", COMMENT.sub("", styles)))]


def sources() -> str:
    """All HTML of pages and scripts."""
    scripts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/assets").rglob("*.js"))]
    overrides = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/.overrides").rglob("*.html"))]
    return "\n".join([*(page.text for page in written_pages().values()), *scripts, *overrides])


LIVE = re.compile(r'<\w+(?=[^>]*(?:role="(?:status|alert)"|aria-live="(?:polite|assertive)"))[^>]*>')


def live_names() -> set[str]:
    """Selectors of everything that assistive technology announces when it changes."""
    names = {'[role="status"]', '[role="alert"]', "output", "[aria-live]"}
    for tag in LIVE.findall(sources()):
        names |= {f"#{id_}" for id_ in re.findall(r' id="([\w-]+)"', tag)}
        names |= {f".{name}" for classes in re.findall(r' class="([^"$]+)"', tag) for name in classes.split()}
    return names


HIDES = re.compile(r"display: none|visibility: hidden|content-visibility: hidden")


def silenced(styles: str = STYLES) -> Iterator[str]:
    """Rules that hide an announcement even when it has text, so that nobody hears it."""
    names = re.compile("|".join(rf"{re.escape(name)}(?![\w-])" for name in sorted(live_names())))
    for selector, body in rules(styles):
        for part in re.split(r",(?![^()]*\))", selector):
            last = re.split(r"[ >+~](?![^()]*\))", part.strip())[-1]
            if HIDES.search(body) and names.search(last) and not re.search(r":empty|\[hidden\]", last):
                yield selector


def body_of(selector: str, styles: str = STYLES) -> str:
    """All declarations for exactly a selector, alone or in a list."""
    bodies = [(re.split(r",\s*", selectors), body) for selectors, body in rules(styles)]
    return ";".join(body for selectors, body in bodies if selector in selectors)


def inks(styles: str = STYLES) -> set[str]:
    """Classes that set `--bc-ink`, the colour of a meaning."""
    selectors = [selector for selector, body in rules(styles) if "--bc-ink:" in body]
    return {name for selector in selectors for name in re.findall(r"\.(bc-[\w-]+)", selector)}


def keys_without_swatch(page: BeautifulSoup, styles: str = STYLES) -> Iterator[str]:
    """Legend entries without a mark in the colour or shape that they explain."""
    for entry in page.select("figure .bc-legend li"):
        key = entry.select_one(".bc-key, .bc-key-thin, svg")
        if key is None:
            yield entry.get_text()
        elif "bc-key" in key.get_attribute_list("class") and not {*key.get_attribute_list("class")} & inks(styles):
            yield f"{entry.get_text()}: of no colour"


def colours_apart(page: BeautifulSoup, styles: str = STYLES) -> Iterator[str]:
    """Legend entries for colours that their figure does not have."""
    for figure in page.select("figure:has(.bc-legend)"):
        classes = {name for tag in figure.select("svg [class], svg[class]") for name in tag.get_attribute_list("class")}
        for key in figure.select(".bc-legend .bc-key"):
            colours = {str(name) for name in key.get_attribute_list("class")} & inks(styles)
            if colours and not any(
                name.removesuffix("-soft") in {str(other).removesuffix("-soft") for other in classes}
                for name in colours
            ):
                yield f"{key.parent}"


def faults_of_patterns(styles: str, html: str) -> Iterator[str]:
    """Patterns that no style uses, styles whose pattern is missing, and lines in patterns without paint."""
    defined = set(re.findall(r'<pattern id="([\w-]+)"', html))
    used_ids = set(re.findall(r"url\(#([\w-]+)\)", COMMENT.sub("", styles)))
    yield from (f"{name} is drawn, or used, but not both" for name in defined ^ used_ids)
    for pattern in re.findall(r"<pattern .*?</pattern>", html, re.DOTALL):
        for name in re.findall(r'class="([\w-]+)"', pattern):
            if not re.search(r"stroke: (?!none)|fill: (?!none)", body_of(f".{name}", styles)):
                yield f"{name} paints nothing"


def test_what_is_announced_is_not_hidden() -> None:
    """No rule hides an announcement; regions meant only for screen readers are clipped instead."""
    assert [] == [*silenced()]
    assert {".bc-status", ".bc-verdict", ".bc-fault", "#answer", "#meant"} <= live_names()
    assert "clip-path" in body_of(".bc-status")


def test_every_key_has_its_swatch() -> None:
    """On every page keys have swatches of a colour that the figure has, and swatches are filled and visible."""
    for find in (keys_without_swatch, colours_apart):
        assert {} == {name: problems for name, page in written_pages().items() if (problems := [*find(page.parsed)])}
    for pattern in (r"background: var\(--bc-ink\)", r"width: \.?[1-9]", r"height: \.?[1-9]", "display: inline-block"):
        assert re.search(pattern, body_of(".bc-key")), pattern
    assert sum(len(page.parsed.select(".bc-legend .bc-key")) for page in written_pages().values()) > 20


def verdicts_in_colour(styles: str = STYLES) -> list[set[str]]:
    """The verdicts on lines that each rule shows in the colour of what is wrong."""
    found = [
        re.findall(r'data-verdict="([^"]+)"', selector) for selector, body in rules(styles) if "--bc-wrong" in body
    ]
    return [{*names} for names in found if names]


def test_what_is_wrong_is_coloured() -> None:
    """The words of a verdict, and the edge of its line, have the colour of what is wrong where something is wrong."""
    assert [{"wrong", "counted twice"}] * 2 == verdicts_in_colour()
    swapped = STYLES.replace('[data-verdict="wrong"]', '[data-verdict="right"]', 1)
    assert [{"right", "counted twice"}, {"wrong", "counted twice"}] == verdicts_in_colour(swapped)


def test_every_hatch_is_drawn() -> None:
    """The hatch of frozen parameters, in the calculator's picture, is defined and painted."""
    assert [] == [*faults_of_patterns(STYLES, sources())]
    assert "url(#calculator-hatch)" in STYLES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (".bc-status { position: absolute;", ".bc-status { display: none;"),
        (".bc-fault:empty { display", ".bc-fault { display"),
        ("#answer:not(:empty) { border", "#answer { visibility: hidden; border"),
        (".bc-verdict:not(:empty) { ", ".bc-verdict { display: none; "),
    ],
)
def test_what_is_hidden_is_found(old: str, new: str) -> None:
    """An announcement that is not displayed is found, since it is not read out either."""
    assert old in STYLES
    assert [*silenced(STYLES.replace(old, new))]


def test_what_has_no_meaning_is_found() -> None:
    """A key without a swatch or of a wrong colour is found, and so is a hatch that is missing or unpainted."""
    (figure, *_) = written_pages()["totals/checkpoints.md"].parsed.select("figure:has(.bc-legend)")
    html = str(figure)
    faultless = BeautifulSoup(html, "html.parser")
    assert not [*keys_without_swatch(faultless), *colours_apart(faultless)]
    for old, new in (('class="bc-key ', 'class="'), ("bc-key bc-embeddings", "bc-key bc-nothing")):
        assert [*keys_without_swatch(BeautifulSoup(html.replace(old, new), "html.parser"))]
    assert [*colours_apart(BeautifulSoup(html.replace("bc-key bc-embeddings", "bc-key bc-pooler"), "html.parser"))]
    for old in ("fill: url(#calculator-hatch);", "stroke: var(--md-default-bg-color); stroke-width: 4;"):
        assert old in STYLES
        assert [*faults_of_patterns(STYLES.replace(old, ""), sources())]
