"""What scripts make of the calculator, as lines of HTML: elements, attributes and words, without coordinates.

The models are those of the site, and what is counted of them does not change
when another one is added; lists of all models are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement
from macros.counting.changes import ALL_LINEAR, Changes, Frozen, Lora
from playwright.sync_api import Page

from macros.counting import Choices, Question, model_named
from tests.docs.scripts import import_modules

RECORDED = Path(__file__).with_name("calculator.txt")


class Shown(NamedTuple):
    """A state of the calculator.

    Attributes:
        address: from its question mark on.
        asked: what the engine counts, from the address and what is typed.
        changes: likewise.
        typed: what the reader changes there, by the name of the field.
        left_out: the panels that show nothing but what is in another outline.
    """

    address: str
    asked: Question
    changes: Changes = Changes()
    typed: Mapping[str, str] = MappingProxyType({})
    left_out: str = "none"


BASE, LARGE, ALBERT, ELECTRA = map(
    model_named, ("bert-base-uncased", "bert-large-uncased", "albert-base-v2", "electra-small-discriminator")
)

STATES = (
    Shown(
        "?model=bert-base-uncased&class=BertForSequenceClassification&labels=3&biases=no&vocabulary=31,000&more=V,L"
        "&frozen=embeddings,2&lora=8:query,value&from=roberta-base"
        "&beside=bert-large-uncased;class=BertForMaskedLM;L=6&beside=albert-base-v2",
        Question(BASE.resized(V=31_001, L=7, C=3), "BertForSequenceClassification"),
        Changes(biases=False, frozen=Frozen(True, 2), lora=Lora(8, ("query", "value"))),
        typed={"L": "6"},
    ),
    Shown(
        "?model=albert-base-v2&G=2&pooler=no&frozen=embeddings,1&from=bert-base-uncased&beside=distilbert-base-cased",
        Question(ALBERT.resized(G=2), "AlbertModel", choices=Choices(pooler=False)),
        Changes(frozen=Frozen(True, 1)),
    ),
    Shown(
        "?model=electra-small-discriminator&V=9000000000000000000&L=30&labels=1&tied=no&frozen=all-but-head",
        Question(ELECTRA.resized(V=9 * 10**18, L=30, C=1), "ElectraForTokenClassification"),
        Changes(frozen=Frozen(all_but_head=True)),
        typed={"class": "ElectraForTokenClassification"},
        left_out="#what-if-place, #compare-place",
    ),
    Shown(
        "?model=bert-base-uncased&A=x&vocabulary=x&frozen=99&lora=0:&beside=nobody;L=x&E=1",
        Question(BASE),
        left_out="[id$=-place]:not(#what-if-place)",
    ),
)
"""Every panel is filled in the first; in the last most fields are wrong, and the model is shown as published."""

EXPORTED = (
    Shown(
        "?model=bert-base-uncased&class=BertForMaskedLM&biases=no&frozen=1&lora=4:key",
        Question(BASE, "BertForMaskedLM"),
        Changes(biases=False, frozen=Frozen(layers=1), lora=Lora(4, ("key",))),
    ),
    *STATES[:3],
    Shown(
        "?model=albert-base-v2&G=2&biases=no&class=AlbertForMaskedLM&frozen=1",
        Question(ALBERT.resized(G=2), "AlbertForMaskedLM"),
        Changes(biases=False, frozen=Frozen(layers=1)),
    ),
    Shown(
        "?model=bert-base-uncased&tied=no&cross=yes&frozen=embeddings,2,all-but-head&class=BertForMaskedLM",
        Question(BASE, "BertForMaskedLM", choices=Choices(tied=False, cross_attention=True)),
        Changes(frozen=Frozen(True, 2, True)),
    ),
    Shown(
        "?model=bert-base-uncased&class=BertForQuestionAnswering&pooler=no&lora=4:all-linear",
        Question(BASE, "BertForQuestionAnswering"),
        Changes(lora=Lora(4, (ALL_LINEAR,))),
    ),
    Shown(
        "?model=bert-base-uncased&class=BertForTokenClassification&labels=1&lora=4:output",
        Question(BASE.resized(C=1), "BertForTokenClassification"),
        Changes(lora=Lora(4, ("output",))),
    ),
    Shown(
        "?model=bert-base-uncased&L=0&pooler=no&frozen=0,embeddings",
        Question(BASE.resized(L=0), choices=Choices(pooler=False)),
        Changes(frozen=Frozen(True)),
    ),
)
"""For snippets, with and without what each of their lines depends on."""

TYPE = """typed => {
  const form = document.querySelector("#calculator-form")
  for (const [name, text] of Object.entries(typed)) {
    form.elements[name].value = text
    form.elements[name].dispatchEvent(new Event("input", { bubbles: true }))
  }
  document.body.click()
}"""
"""Types, and lets what is out of sight follow."""

MADE = """leftOut => {
  for (const each of document.querySelectorAll("article :is(input, option)")) {
    if (each.type === "checkbox") each.toggleAttribute("checked", each.checked)
    else if (each.matches("option")) each.toggleAttribute("selected", each.selected)
    else each.setAttribute("value", each.value)
  }
  const panels = [...document.querySelectorAll("#calculator, article [id$=-place]")]
  return panels.filter(each => !each.matches(leftOut)).map(each => each.outerHTML).join("")
}"""
"""The HTML of panels, in which fields hold what they show."""

EXPORTS = """address => {
  const { calculator: { evaluated, exports, stateAt }, changes } = bertCounted
  const { configuration } = evaluated(stateAt(address).state)
  const shown = { configuration, counted: changes.count(configuration), offered: changes.offered(configuration) }
  const texts = ["snippetOf", "markdown", "csv", "json"].map(each => exports[each](shown))
  return [String(shown.counted.total), ...texts]
}"""
"""The total, and what is copied and downloaded in a state."""

COORDINATES = ("x", "y", "x1", "x2", "y1", "y2", "dx", "dy", "d", "width", "height", "viewbox", "transform", "points")
ELSEWHERE = (
    "option:not([selected])[value=''], optgroup option:not([selected]), #calculator-status, "
    ".bc-waterfall figcaption, .bc-waterfall svg > :not([data-from])"
)
"""Models that are not chosen; what is announced, as it comes in its time; and what another script draws."""

ON_LINES = [
    *("div", "figure", "form", "fieldset", "table", "thead", "tbody", "tfoot", "caption", "tr", "ul", "ol", "li", "p"),
    *("pre", "details", "summary", "textarea", "select", "option", "svg", "g", "figcaption", "legend"),
]


def outline(html: str) -> list[str]:
    """A line for each element that is more than a piece of a line, with those within it indented."""
    page = BeautifulSoup(html, "html.parser")
    for each in page.select(ELSEWHERE):
        each.decompose()
    for each in page.select("optgroup:not(:has(option))"):
        each.decompose()
    for drawing in page.select("svg, svg *"):
        for name in COORDINATES:
            del drawing[name]
    return [line for each in page.children for line in lines_of(each, "")]


def changed(now: str, read: str) -> list[tuple[str, str]]:
    """The lines that differ from those recorded under the same heading: as they were read, and as they are."""
    heading, _, lines = now.partition("\n")
    before = read.partition(f"{heading}\n")[2].partition("\n=== ")[0].split("\n")
    after = lines.split("\n")
    longest = max(len(before), len(after))
    pairs = zip(*((*each, *[""] * (longest - len(each))) for each in (before, after)), strict=True)
    return [pair for pair in pairs if pair[0] != pair[1]][:3]


def lines_of(node: PageElement, before: str) -> list[str]:
    """An element on one line, or the tag that begins it and below it what it holds."""
    if not isinstance(node, Tag):
        return [f"{before}{node}"] if str(node).strip() else []
    if not node.find(ON_LINES):
        return [before + str(node)]
    begins = re.match("<[^>]*>", str(node))
    assert begins
    return [before + begins[0], *(line for each in node.children for line in lines_of(each, f"{before}  "))]


def opened(page: Page, address: str, shown: Shown) -> Page:
    """The calculator in a state."""
    page.goto(f"{address}/try/calculator.html{shown.address}")
    page.locator("html[data-counting]").wait_for(state="attached")
    page.evaluate(TYPE, {**shown.typed})
    return page


def panels(page: Page, shown: Shown) -> str:
    """The outline of a page that is in a state."""
    typed = [f"{name} = {text}" for name, text in shown.typed.items()]
    return "\n".join([" ".join(["===", shown.address, *typed]), *outline(page.evaluate(MADE, shown.left_out))])


def exports(page: Page) -> list[tuple[str, str]]:
    """The total of each state and what it exports: every snippet, and of the first also the files."""
    found = []
    for place, each in enumerate(EXPORTED):
        import_modules(page)
        total, *texts = page.evaluate(EXPORTS, each.address)
        found.append((total, "\n".join([f"=== {each.address}, exported", *texts[: None if place == 0 else 2]])))
    return found
