"""The output of macros on every page keeps the rules: numbers are right, sums add up and figures are to scale.

This needs no built site, so it detects a wrong sign or position while a page is still being written.
`tests/docs/test_output.py` tests that the built site has the same numbers.
"""

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from functools import cache, cached_property
from html.parser import HTMLParser
from math import prod
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from filelock import FileLock
from jinja2 import Environment, FileSystemLoader

from macros.build_cache import cached_content, code_digest
from macros.counting import model_named
from macros.rendering.components.asking import BASE, LARGE
from macros.rendering.components.tables import BASE_AND_LARGE
from macros.rendering.typed_numbers import allowed_texts, quantities_in_words
from macros.site import ENCLOSING_MACROS, MACROS, TOPICS, VARIABLES
from macros.teaching.banks import bank_of
from macros.teaching.notebook import notebook
from macros.teaching.sets import load_sets
from tests.docs import areas
from tests.docs.building import ROOT
from tests.docs.conditional_words import page_code, words_in_data, words_in_sources
from tests.docs.figures import faults_of
from tests.docs.site_texts import texts_with_quantities
from tests.docs.test_numbers import wrong_numbers, wrong_rounded_sums, wrong_sums
from tests.docs.test_sums_on_pages import wrong_ends, wrong_formulas, wrong_lines
from tests.rendering.test_typed_numbers import SOURCES

DOCS = ROOT / "docs"

CACHE = ROOT / ".cache" / "tests" / "expanded_pages.json"
"""The expanded pages. Processes share this file for as long as neither code nor pages nor templates change."""

TEMPLATES = DOCS / ".tables"
"""The templates that pages import."""

# The comment delimiters are those of mkdocs.yml, because `{#` begins the id of a heading.
ENVIRONMENT = Environment(
    loader=FileSystemLoader(TEMPLATES),
    comment_start_string="{##",
    comment_end_string="##}",
    autoescape=False,  # noqa: S701
)


@dataclass(frozen=True)
class ExpandedPage:
    """A page whose macros have been called but whose Markdown has not been converted."""

    text: str

    @cached_property
    def parsed(self) -> BeautifulSoup:
        """The HTML in the page. It is parsed when a test first needs it, because most tests need few pages."""
        return BeautifulSoup(self.text, "html.parser")


Pages = dict[str, ExpandedPage]


@pytest.fixture(scope="module")
def pages() -> Pages:
    """Every expanded page by the path of its source."""
    return expanded_pages()


@cache
def expanded_pages() -> Pages:
    """Every expanded page by the path of its source.

    Test processes run in parallel. The first one calls the macros while the others wait for its cached result.
    """
    sources = {path.relative_to(DOCS).as_posix(): path.read_text() for path in sorted(DOCS.rglob("*.md"))}
    CACHE.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE.with_suffix(".lock")):
        texts = cached_content(
            CACHE.name,
            expanded_page_dependencies(sources),
            lambda: json.dumps({name: markdown_after_macros(source) for name, source in sources.items()}),
            CACHE.parent,
        )
    return {name: ExpandedPage(text) for name, text in json.loads(texts).items()}


def expanded_page_dependencies(sources: dict[str, str]) -> str:
    """Everything that the expanded pages depend on, besides installed packages."""
    return code_digest() + (ROOT / "CITATION.cff").read_text() + json.dumps(sources) + texts_in(TEMPLATES)


def texts_in(folder: Path) -> str:
    """The names and texts of the files in a folder, as JSON."""
    return json.dumps({path.name: path.read_text() for path in sorted(folder.iterdir())})


def test_pages_are_expanded_again_after_a_template_has_changed(tmp_path: Path) -> None:
    copied_templates = shutil.copytree(TEMPLATES, tmp_path / "templates")
    assert texts_in(copied_templates) == texts_in(TEMPLATES)
    (copied_templates / "keep.jinja").write_text("another sentence")
    assert texts_in(copied_templates) != texts_in(TEMPLATES)
    assert texts_in(TEMPLATES) in expanded_page_dependencies({})


def markdown_after_macros(source: str) -> str:
    """The Markdown of a page with its macros called."""
    return ENVIRONMENT.from_string(source).render(**MACROS, **ENCLOSING_MACROS, **VARIABLES, **TOPICS)


def wrong_figures(page: BeautifulSoup) -> list[str]:
    """Faults of figures that are not to scale or have inconsistent numbers."""
    return [fault for figure in page.select("figure.bc-figure") for fault in faults_of(figure)]


def wrong_areas(page: BeautifulSoup) -> list[str]:
    """Faults of area diagrams that are not to scale."""
    return [fault for picture in areas.pictures(page) for fault in areas.faults(picture)]


def circular_captions(page: BeautifulSoup) -> list[str]:
    """Captions and titles of the form "From A to B" in which A contains B or B contains A."""
    texts = [element.get_text() for element in page.select("caption, svg > title")]
    ends = [(text, re.match("From (.+) to (.+?)(?:, step by step.*)?$", text)) for text in texts]
    return [text for text, match in ends if match and (match[1] in match[2] or match[2] in match[1])]


HEADINGS_OF_TENSORS = ["tensor", *(column.heading for column in BASE_AND_LARGE), "shape"]
"""The headings of a table of tensors."""


def shapes_with_wrong_products(page: BeautifulSoup) -> list[str]:
    """Rows of tensors with a number that is not the product of the shape in the same row (0 for a tied tensor)."""
    tables = [table for table in page("table") if HEADINGS_OF_TENSORS == texts_of(table("th", scope="col"))]
    faults = []
    for row in [row for table in tables for row in table.select("tbody tr")]:
        shape, *tied = row("td")[-1].get_text().split(", tied")
        for model, number in zip((BASE, LARGE), row("data"), strict=True):
            sizes = model_named(model).sizes
            product = prod(sizes.get(match) or int(match) for match in re.findall(r"[A-Z]|\d+", shape))
            if int(str(number["value"])) != (0 if tied else product):
                faults.append(row.get_text(" "))
    return faults


def shapes_without_order(page: BeautifulSoup) -> list[str]:
    """Tables and drawings that show a shape of H and F without stating the order of the dimensions."""
    texts = [re.sub(r"\s*×\s*", "×", element.get_text(" ")) for element in page(["table", "figure"])]
    return [text for text in texts if re.search(r"H×F|F×H", text) and not re.search(r"\(in, out\)|\(out, in\)", text)]


ORDERS = {"(in, out)": "H×F", "(out, in)": "F×H"}
"""The shape of the first feed-forward matrix, which is always shown first, by the order of dimensions."""


def shapes_in_wrong_order(page: BeautifulSoup) -> list[str]:
    """Tables and drawings whose first feed-forward matrix contradicts the order that they state."""
    texts = [re.sub(r"\s*[×·]\s*", "×", element.get_text(" ")) for element in page(["table", "figure"])]
    faults = []
    for text in texts:
        orders = [order for order in ORDERS if order in text]
        shapes = re.findall(r"H×F|F×H", text)
        if len(orders) == 1 and shapes and shapes[0] != ORDERS[orders[0]]:
            faults.append(text)
    return faults


def biases_called_columns(page: BeautifulSoup) -> list[str]:
    """Sentences that call biases columns, although the drawings show them as rows."""
    return re.findall(r"bias(?:es)? (?:as|is|are) [^.]*\bcolumn", page.get_text())


def texts_of(tags: Iterable[Tag]) -> list[str]:
    """The text of each element."""
    return [tag.get_text() for tag in tags]


def empty_captions(page: BeautifulSoup) -> list[str]:
    """Captions of figures and tables with no text other than permalinks, legends and the note on carets."""
    other_content = ["bc-permalink", "bc-legend", "bc-carets"]
    texts = [
        (element, "".join(text for text in element.strings if not text.find_parent(class_=other_content)))
        for element in page.select("figcaption, caption")
    ]
    return [str(caption.parent)[:80] for caption, text in texts if not text.strip()]


def repeated_rows(page: BeautifulSoup) -> list[str]:
    """Rows that a table contains twice. Print-outs are left out, because models may repeat a line."""
    faults = []
    for table in page.select("table.bc:not(.bc-printed *)"):
        rows = Counter(row.get_text(" ") for row in table.select(":scope > tbody > tr"))
        faults += [f"{table.get('id')}: {row}" for row, number in rows.items() if number > 1]
    return faults


def fields_without_form(page: BeautifulSoup) -> list[str]:
    """Fields with a name whose value no form has, so that it would be missing from the address of a configuration.

    Radio buttons outside of forms switch between drawings.
    """
    ids = {form["id"] for form in page.select("form[id]")}
    fields = page.select(":is(input:not([type=radio]), select, textarea)[name]")
    return [str(field)[:80] for field in fields if not field.find_parent("form") and field.get("form") not in ids]


def sizes_of_nothing(page: BeautifulSoup) -> list[str]:
    """Sizes that are zero. Only a model without the part has such a size, so it is no example of the size."""
    return [str(size.parent) for size in page.select('data[data-kind="size"][value="0"]')]


def repeated_titles(page: BeautifulSoup) -> list[str]:
    """The titles that several drawings of a page have. Screen readers could not tell these drawings apart."""
    titles = Counter(title.get_text() for title in page.select("svg[aria-labelledby] > title"))
    return [title for title, number in titles.items() if number > 1]


def downloads_of_one_name(page: BeautifulSoup) -> list[str]:
    """The names that links to download several files share. In a list of links, readers could not tell these apart."""
    addresses: dict[str, set[str]] = {}
    for link in page.select("a[download]"):
        addresses.setdefault(str(link.get("aria-label") or link.get_text()), set()).add(str(link["href"]))
    return [name for name, files in addresses.items() if len(files) > 1]


def references_without_target(page: BeautifulSoup) -> set[str]:
    """Ids that elements refer to for their label, description or field although no element has them."""
    keys = ("aria-labelledby", "aria-describedby", "for")
    # A script fills in hidden elements later.
    elements = [(element, key) for key in keys for element in page.select(f"[{key}]:not([hidden])")]
    references = {
        name for element, key in elements for names in element.get_attribute_list(key) for name in str(names).split()
    }
    return references - {str(element["id"]) for element in page.select("[id]")}


def unreachable_regions(page: BeautifulSoup) -> list[str]:
    """Regions that the Tab key skips. They may be wider than the window, and only a focused one scrolls by keyboard.

    Regions with answers, which are read out when they change, do not scroll.
    """
    return [str(region)[:80] for region in page.select('[role="region"]:not([tabindex="0"], [aria-live])')]


LINE_END_SELECTOR, LINE_START_SELECTOR = "code, strong, .bc-title", "code, .bc-purpose"
"""Select elements that may end a line of a cell without punctuation, and elements that may follow such a line."""


def lines_run_together(page: BeautifulSoup) -> list[str]:
    """Lines that end without punctuation within a cell. The exported Markdown joins the lines of a cell into one."""
    faults = []
    for element in page.select(":is(td, th) br"):
        tag_before, tag_after = element.find_previous_sibling(), element.find_next_sibling()
        text = str(element.previous_sibling).rstrip()
        follows_name = tag_before and tag_before is element.previous_sibling and tag_before.css.match(LINE_END_SELECTOR)
        precedes_name = tag_after and tag_after.css.match(LINE_START_SELECTOR)
        if not (follows_name or precedes_name or text.endswith((".", ";", "?"))):
            faults.append(text)
    return faults


@pytest.mark.parametrize(
    "rule",
    [
        wrong_numbers,
        wrong_sums,
        wrong_rounded_sums,
        wrong_lines,
        wrong_ends,
        wrong_formulas,
        wrong_figures,
        wrong_areas,
        circular_captions,
        shapes_with_wrong_products,
        shapes_without_order,
        shapes_in_wrong_order,
        biases_called_columns,
        lines_run_together,
        empty_captions,
        repeated_rows,
        repeated_titles,
        downloads_of_one_name,
        sizes_of_nothing,
        fields_without_form,
        references_without_target,
        unreachable_regions,
    ],
)
def test_every_page_keeps_every_rule(pages: Pages, rule: Callable[[BeautifulSoup], list[str] | set[str]]) -> None:
    assert {} == {name: faults for name, page in pages.items() if (faults := rule(page.parsed))}


def test_a_caption_that_contradicts_the_order_of_dimensions_is_found() -> None:
    table = "<table><caption>Matrices are {}</caption><tr><td>H × F + F</td><td>F × H + H</td></tr></table>"
    assert [] == shapes_in_wrong_order(BeautifulSoup(table.format("(in, out)"), "html.parser"))
    assert shapes_in_wrong_order(BeautifulSoup(table.format("(out, in)"), "html.parser"))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("parts/attention-heads.md", "H · H / A\n", "H · A\n"),
        ("disagreements/mistakes.md", "\n−H = −768", "\n−S = −768"),
        ("totals/relatives.md", "(V′ − V)·H", "(V − V′)·H"),
        ("changed/lora.md", "4·L·H·r\n", "2·L·H·r\n"),
        ("run/memory-of-training.md", "8·N\n", "8·H\n"),
    ],
)
def test_a_formula_without_its_result_is_found(name: str, old: str, new: str) -> None:
    html = "".join(map(str, expanded_pages()[name].parsed.select("data[data-how]")))
    assert [] == wrong_formulas(BeautifulSoup(html, "html.parser"))
    assert old in html
    assert wrong_formulas(BeautifulSoup(html.replace(old, new), "html.parser"))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("parts/encoder-layer.md", 'value="589824"', 'value="589825"'),
        ("parts/embeddings.md", 'value="393216"', 'value="524288"'),
    ],
)
def test_a_count_that_is_not_the_product_of_its_shape_is_found(name: str, old: str, new: str) -> None:
    html = str(expanded_pages()[name].parsed)
    assert [] == shapes_with_wrong_products(BeautifulSoup(html, "html.parser"))
    assert old in html
    assert shapes_with_wrong_products(BeautifulSoup(html.replace(old, new), "html.parser"))


def test_a_repeated_row_is_found() -> None:
    html = '<table class="bc"><tbody><tr><td>10</td></tr><tr><td>{}</td></tr></tbody></table>'
    assert [] == repeated_rows(BeautifulSoup(html.format(20), "html.parser"))
    assert repeated_rows(BeautifulSoup(html.format(10), "html.parser"))


def test_a_size_of_a_model_without_the_part_is_found() -> None:
    cell = '<td><data data-kind="size" value="{}"></data> in DPR</td>'
    assert [] == sizes_of_nothing(BeautifulSoup(cell.format(768), "html.parser"))
    assert sizes_of_nothing(BeautifulSoup(cell.format(0), "html.parser"))


def test_a_field_without_a_form_is_found() -> None:
    html = str(expanded_pages()["try/calculator.md"].parsed)
    assert 'form="calculator-form"' in html
    planted_html = html.replace('form="calculator-form"', 'form="calculator"')
    assert fields_without_form(BeautifulSoup(planted_html, "html.parser"))


def test_an_unreachable_region_is_found() -> None:
    html = str(expanded_pages()["try/calculator.md"].parsed)
    region = 'role="region" tabindex="{}"'
    assert region.format("0") in html
    planted_html = html.replace(region.format("0"), region.format("-1"))
    assert unreachable_regions(BeautifulSoup(planted_html, "html.parser"))


def test_a_repeated_title_is_found() -> None:
    html = str(expanded_pages()["parts/layer-norm.md"].parsed)
    assert html.count(" after attention</title>") == 1
    planted_html = html.replace(" after attention</title>", " after the embeddings</title>")
    assert ["LayerNorm of “cat” after the embeddings"] == repeated_titles(BeautifulSoup(planted_html, "html.parser"))


def test_downloads_of_one_name_are_found() -> None:
    html = str(expanded_pages()["teach/question-banks.md"].parsed)
    planted_html = re.sub(r'aria-label="[^"]*"', "", html)
    assert "CSV" in downloads_of_one_name(BeautifulSoup(planted_html, "html.parser"))


def test_a_bridge_follows_its_introduction() -> None:
    """On the page about published claims, a bridge directly follows the sentence that introduces it."""
    text = (ROOT / "docs/disagreements/published-claims.md").read_text()
    assert ["bridge"] == re.findall(r":\n\n\{\{ (\w+)", text)


def test_the_home_page_agrees_with_verification(pages: Pages) -> None:
    """The home page has the same numbers of libraries, tensors, layers and differences as the page on verification."""
    home, verification = (
        {element.get_text() for element in pages[name].parsed.select(".bc-proof data, data[data-kind|=all]")}
        for name in ("index.md", "about/verification.md")
    )
    assert len(home) == 4
    assert home <= verification


def test_rules_have_enough_elements_to_check(pages: Pages) -> None:
    """The pages contain many elements of each kind, so the rules do not pass for lack of input."""
    selectors = {
        "data": 1500,
        "table": 60,
        ".bc-line-of-sum": 80,
        "[data-from]": 40,
        "svg.bc-map": 30,
        "a[download]": 50,
    }
    counts = {selector: sum(len(page.parsed.select(selector)) for page in pages.values()) for selector in selectors}
    assert {} == {selector: number for selector, number in counts.items() if number < selectors[selector]}


ALLOWED_ON_ANY_PAGE = {claim.words for claim in (*words_in_sources(page_code(ROOT)), *words_in_data())}
"""Spelled-out quantities with a condition in code, in templates or in data; macros may write them on any page."""

QUOTED_OR_COMPUTED_SELECTOR = "pre, code, samp, data, option, .bc-quotes, .bc-source, a[href^=http]"
"""Selects elements that contain code, quotations, titles of other sites or computed numbers."""

CODE_AND_TARGETS = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|\{ #[\w-]+ \}", re.DOTALL)
"""Code, link targets and heading ids in Markdown."""


@pytest.fixture(scope="module")
def words(pages: Pages) -> dict[str, str]:
    """The authors' own wording on each page, without code, quotations or computed numbers."""
    prose_pages = {name: copy(page.parsed) for name, page in pages.items()}
    for page in prose_pages.values():
        for element in page.select(QUOTED_OR_COMPUTED_SELECTOR):
            element.decompose()
    return {name: CODE_AND_TARGETS.sub(" ", page.get_text(" ")) for name, page in prose_pages.items()}


def test_no_quantity_in_words_is_unchecked(words: dict[str, str]) -> None:
    """Spelled-out quantities on pages, in question banks and in the notebook are idioms or checked by conditions."""
    texts = {**words}
    for name in load_sets().sets:
        for entry in bank_of(name, range(1, 9)).entries:
            lines = [entry.name, *entry.text, *entry.ledger, *entry.hints, *entry.solution]
            for answer in entry.answers:
                lines += [answer.text, answer.feedback]
            texts[entry.identifier] = "\n".join(lines)
    cells = json.loads(notebook())["cells"]
    texts["notebook"] = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    words_in_source = {name: {claim.words for claim in words_in_sources([ROOT / "docs" / name])} for name in words}
    allowed_words = {name: tuple(ALLOWED_ON_ANY_PAGE | words_in_source.get(name, set())) for name in texts}
    assert {} == {
        name: findings for name, text in texts.items() if (findings := quantities_in_words(text, allowed_words[name]))
    }


def test_every_idiom_is_used(words: dict[str, str]) -> None:
    """An unused exception only weakens the rule."""
    texts = "\n".join(
        [
            *(path.read_text() for path in SOURCES),
            *words.values(),
            *(passage.text for passage in texts_with_quantities()),
        ]
    ).lower()
    assert [] == [idiom for idiom in allowed_texts("idiom") if idiom.lower() not in texts]


VOID_ELEMENTS = ("br", "img", "input", "wbr")
"""The elements without an end tag that occur on pages."""


class NestingChecker(HTMLParser):
    """Collects elements that are closed in the wrong order and attributes that occur twice."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element, unless it is void."""
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)
        if len(dict(attrs)) < len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice: {attrs}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check a self-closing element without leaving it open."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID_ELEMENTS:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last, which must have this tag."""
        if self.open[-1:] != [tag]:
            self.faults.append(f"</{tag}> while {self.open} are open")
        self.open = self.open[:-1]


def nesting_faults(html: str) -> list[str]:
    """Nesting faults, followed by the elements that are never closed."""
    parser = NestingChecker()
    parser.feed(html)
    parser.close()
    return parser.faults + parser.open


def test_elements_are_nested(pages: Pages) -> None:
    """A browser would silently repair bad nesting into a different structure."""
    faults = {
        name: nesting_faults(re.sub("```.+?```|`[^`]+`", "", page.text, flags=re.DOTALL))
        for name, page in pages.items()
    }
    assert {} == {name: messages for name, messages in faults.items() if messages}
