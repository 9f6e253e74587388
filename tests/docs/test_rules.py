"""Rules for every page of the built site, each with a fault that it must notice.

A rule looks at one page and returns its faults. It is tried on a page of the site with one thing
replaced. Rules about numbers are in test_numbers.py, those about what macros write in
tests/rendering/test_every_page.py.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Mapping, Set
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag

from macros.publish.for_machines import markdown_address
from macros.publish.style_sheet import our_style_sheets
from macros.rendering.components.pages import I_GOT
from tests.docs.building import ROOT
from tests.docs.conftest import Pages, by_id

ERROR_PAGE = "404.html"
"""The page served for unknown addresses, so its links are absolute; it answers no question."""


class PageFacts(NamedTuple):
    """A page with the facts that rules need.

    Attributes:
        name: the address of the page from the top.
        page: the page.
        files: the addresses of all files of the site.
        ids: the ids on each page, by its address.
        descriptions: how many pages have each description.
    """

    name: str
    page: BeautifulSoup
    files: Set[str]
    ids: Mapping[str, Set[str]]
    descriptions: Mapping[str, int]

    @property
    def article(self) -> Tag:
        """The main text of the page."""
        article = self.page.article
        assert article
        return article


# --- What no page may contain -----------------------------------------------

UNRENDERED = re.compile(r"\{\{|\}\}|\{%|%\}|\bNone\b|\bnan\b|Traceback|site-root:|Macro (?:Syntax|Rendering) Error")

MEANT_NONE = re.compile(r"\(None\b|(?:^|[.:!?…]\s*)None(?=[:,]? [a-z])")
"""Keras prints an open dimension as (None, 512), and a sentence may begin with the word."""


def unrendered(subject: PageFacts) -> list[str]:
    """Traces of templates and errors in visible text and in attributes."""
    # Each string by itself, because a sentence begins where its element does.
    # Print-outs are shown as they are, and Keras prints None.
    printed = {id(string) for print_out in subject.page.select(".bc-printed") for string in print_out.strings}
    strings = [string.strip() for string in subject.page.strings if id(string) not in printed]
    text = " ".join(MEANT_NONE.sub("", string) for string in strings)
    attributes = " ".join(str(value) for tag in subject.page.find_all(True) for value in tag.attrs.values())
    return UNRENDERED.findall(text) + UNRENDERED.findall(MEANT_NONE.sub("", attributes))


LOADS = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "audio": "src",
    "video": "src",
    "embed": "src",
    "object": "data",
}
"""Elements that fetch the address in an attribute."""

LOADING_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"}
"""Values of `rel` for which a browser opens a connection."""


def addresses_in_css(css: str) -> list[str]:
    """The addresses that a style sheet fetches."""
    return re.findall(r"""(?:url\(|@import\s+)['"]?([^'")\s]+)""", css)


def other_hosts(subject: PageFacts) -> list[str]:
    """Addresses on other hosts that a browser would fetch when it opens the page."""
    page = subject.page
    addresses = [str(tag.get(attribute, "")) for name, attribute in LOADS.items() for tag in page.find_all(name)]
    loading = [link for link in page.find_all("link") if LOADING_LINKS & set(link.get_attribute_list("rel"))]
    addresses += [str(link.get("href", "")) for link in loading]
    addresses += [address for style in page.find_all("style") for address in addresses_in_css(style.get_text())]
    return [address for address in addresses if urlsplit(address).netloc]


BLOCKS_IN_A_PARAGRAPH = "p > :is(div, figure, form, p, section, table, ul, ol)"


def broken_paragraphs(subject: PageFacts) -> list[str]:
    """Blocks in a paragraph. A browser ends it there, so what follows is misplaced."""
    return [str(block)[:80] for block in subject.page.select(BLOCKS_IN_A_PARAGRAPH)]


def repeated_ids(subject: PageFacts) -> list[str]:
    """Ids of more than one element."""
    return [
        name for name, times in Counter(str(tag["id"]) for tag in subject.page.find_all(id=True)).items() if times > 1
    ]


def scripts_that_hold_it_up(subject: PageFacts) -> list[str]:
    """Scripts that block the page. Deferred scripts are fetched during parsing and run afterwards, in order."""
    scripts = subject.page.select("script[src]")
    return [str(script) for script in scripts if script.get("type") != "module" and not script.has_attr("defer")]


# --- The policy -------------------------------------------------------------

DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self'{hashes}",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
)
"""The whole policy of a page; the hashes are those of its inline scripts."""


def hashes(page: BeautifulSoup) -> list[str]:
    """The hashes of a page's inline scripts, computed here independently of the site."""
    codes = {script.string for script in page.find_all("script") if script.string}
    return sorted(f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in codes)


def another_policy(subject: PageFacts) -> list[str]:
    """Faults of the policy: none, several, a different text, or a place too late in the head."""
    head = subject.page.head
    if not head:
        return ["no head"]
    charset, policy = head.find_all(True, recursive=False)[:2]
    policies = subject.page.find_all("meta", attrs={"http-equiv": "Content-Security-Policy"})
    if [policy] != policies or list(charset.attrs) != ["charset"]:
        return [f"{len(policies)} policies; the only one must be the second element of the head"]
    expected = "; ".join(DIRECTIVES).format(hashes="".join(f" {script_hash}" for script_hash in hashes(subject.page)))
    return [] if policy["content"] == expected else [f"expected {expected}, got {policy['content']}"]


# --- Tables -----------------------------------------------------------------


@cache
def styles() -> str:
    """Our style sheets, joined."""
    return "".join(our_style_sheets(ROOT / "docs").values())


def columns(subject: PageFacts) -> list[str]:
    """Columns unknown to the style sheet or missing from their table, and rows of different lengths."""
    problems = []
    for table in subject.page.select("table.bc"):
        lengths = {len(row.find_all(["th", "td"], recursive=False)) for row in table.find_all("tr")}
        for name in table.get_attribute_list("class"):
            kind = re.fullmatch(r"bc-(?:num|word|prose)-(\d+)", str(name))
            if kind and (f".{name} :nth-child({kind[1]})" not in styles() or int(kind[1]) > max(lengths)):
                problems.append(f"{name} in {table.find_parent(id=True)}")
        problems += [f"rows of {sorted(lengths)} cells"] if len(lengths) > 1 else []
    return problems


def cells_without_their_heading(subject: PageFacts) -> list[str]:
    """Cells without the heading of their column, which alone tells phone readers what they count."""
    problems = []
    for table in subject.page.select("table.bc"):
        heads = [head.get_text() for head in table.select("thead th")]
        for row in table.select("tbody tr, tfoot tr"):
            cells = list(zip(heads, row.find_all(["th", "td"], recursive=False), strict=False))[1:]
            # A zero-width space may allow a long class name to wrap.
            cells_by_heading = [
                (head, str(cell.get("data-head", "")).replace("\u200b", ""), cell) for head, cell in cells
            ]
            problems += [
                f"no heading at {cell}" for head, name, cell in cells_by_heading if cell.contents and name != head
            ]
    return problems


# --- Links ------------------------------------------------------------------


def broken_links(subject: PageFacts) -> list[str]:
    """Links and forms that lead to no file or id of the site."""
    broken = []
    for tag in subject.page.find_all(["a", "link", "script", "img", "form"]):
        address = str(tag.get("href") or tag.get("src") or tag.get("action") or "")
        if not address or urlsplit(address).scheme or urlsplit(address).netloc:
            continue
        path, anchor = urldefrag(urljoin(f"/{subject.name}", address))
        target = unquote(urlsplit(path).path).lstrip("/")
        target = f"{target}index.html" if target == "" or target.endswith("/") else target
        if target not in subject.files or (anchor and unquote(anchor) not in subject.ids[target]):
            broken.append(address)
    return broken


SIGN = ".bc-permalink"

BLOCKS = ".bc-table, figure:not(#calculator-map), p.bc-summed, .bc-steps"
"""Elements that have a link sign. Exercises and the calculator have none: their own addresses hold their state."""


def unlinked(subject: PageFacts) -> list[str]:
    """Tables, figures and sums without a link sign."""
    return [
        str(block)[:80] for block in subject.article.select(BLOCKS) if not block.select(SIGN) and not _linked(block)
    ]


def _linked(block: Tag) -> bool:
    """Return whether the element before a sum or around it has the sign: its first line, its paragraph, its figure."""
    paragraph = block.find_parent("p")
    previous = (paragraph or block).find_previous_sibling()
    return bool((paragraph and paragraph.select(SIGN)) or (previous and previous.select(SIGN)))


def astray(subject: PageFacts) -> list[str]:
    """Link signs that do not lead to the element that contains them."""
    targets = by_id(subject.page)
    return [
        str(sign)
        for sign in subject.page.select(SIGN)
        if not (target := targets.get(str(sign["href"])[1:])) or all(parent is not target for parent in sign.parents)
    ]


CITING = "teach/linking.html"
FOOT = ["about/verification.html", f"{CITING}#how-do-i-cite-a-number", "LICENSE.txt", "third-party.txt"]


def another_foot(subject: PageFacts) -> list[str]:
    """Faults of the footer, which links to the page on citing and to the licences by relative addresses."""
    links = [urljoin(subject.name, str(link["href"])) for link in subject.page.select("footer .bc-foot a")]
    missing_files = [address for address in FOOT if address.partition("#")[0] not in subject.files]
    return missing_files if links == FOOT else [f"the foot leads to {links}"]


def another_markdown(subject: PageFacts) -> list[str]:
    """Faults of the link to the page's Markdown; the error page has none."""
    links = [(link["type"], link["href"]) for link in subject.page.select("link[rel~=alternate]")]
    markdown_links = (
        [] if subject.name == ERROR_PAGE else [("text/markdown", markdown_address(Path(subject.name).name))]
    )
    return [] if links == markdown_links else [str(links)]


def nobody_who_explains(subject: PageFacts) -> list[str]:
    """Faults of the relative address of the page that explains numbers, which the search uses."""
    script = subject.page.find("script", attrs={"data-explains": True})
    leads = urljoin(subject.name, str(script["data-explains"])) if script else "nowhere"
    return [] if leads == I_GOT else [f"the search leads to {leads}"]


# --- What a page is ---------------------------------------------------------


def nameless(subject: PageFacts) -> list[str]:
    """Missing or repeated names: one h1, a title, a language, and a description of its own."""
    page = subject.page
    description = page.find("meta", attrs={"name": "description"})
    wrong = {
        "headings of the first rank": len(page.find_all("h1")) != 1,
        "no title": not page.head or not page.head.find("title"),  # a drawing may have a title, too
        "not in English": not page.html or page.html.get("lang") != "en",
        "no description of its own": not description or subject.descriptions.get(str(description["content"])) != 1,
    }
    return [fault for fault, is_so in wrong.items() if is_so]


FOR_A_CLASS = ("teach/sheet.html", "teach/slides.html")
"""Pages that are printed or projected, and answer no question."""


def no_answer(subject: PageFacts) -> list[str]:
    """The paragraph below the heading if it has no number: the answer belongs there."""
    heading = subject.page.find("h1")
    first = heading.find_next("p") if heading else None
    answers = bool(first and first.find("data"))
    return [] if answers or subject.name in FOR_A_CLASS else [str(first)]


# --- The list ---------------------------------------------------------------

Rule = Callable[[PageFacts], list[str]]

OF_EVERY_PAGE: tuple[Rule, ...] = (
    unrendered,
    other_hosts,
    broken_paragraphs,
    repeated_ids,
    scripts_that_hold_it_up,
    another_policy,
    columns,
    cells_without_their_heading,
    another_markdown,
)

BUT_THE_ERROR_PAGE: tuple[Rule, ...] = (
    broken_links,
    unlinked,
    astray,
    another_foot,
    nobody_who_explains,
    nameless,
    no_answer,
)

ATTENTION = "parts/attention.html"

FAULTS: list[tuple[Rule, str, str]] = [
    (unrendered, "<article", '<article title="{{ number() }}"'),
    *((unrendered, "</h1>", f"</h1><p>{text}</p>") for text in ("None", "It has None of these.", "(None, None)")),
    (unrendered, "</h1>", "</h1><p>It has <b>None</b> of them.</p>"),
    (other_hosts, "</h1>", '</h1><img src="//example.org/a.png">'),
    (other_hosts, "</h1>", "</h1><style>@import 'https://example.org/a.css'</style>"),
    (other_hosts, "</head>", '<link rel="preconnect" href="https://example.org"></head>'),
    (broken_paragraphs, "</h1>", "</h1><p><table></table></p>"),
    (repeated_ids, "</h1>", '</h1><p id="tensors"></p>'),
    (scripts_that_hold_it_up, "</head>", '<script src="a.js"></script></head>'),
    (another_policy, "base-uri 'none'", ""),
    (another_policy, "'sha256-", "'unsafe-inline' 'sha256-"),
    (another_policy, "</head>", "<script>go(2)</script></head>"),
    (another_policy, '<meta charset="utf-8">', '<meta charset="utf-8"><script src="a.js"></script>'),
    (another_policy, "</head>", "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\"></head>"),
    (columns, "bc-num-2", "bc-num-13"),
    (columns, "<tbody><tr>", "<tbody><tr><td></td></tr><tr>"),
    (cells_without_their_heading, ' data-head="BERT base"', ""),
    (broken_links, "</h1>", '</h1><a href="b.html">b</a>'),
    (broken_links, "</h1>", '</h1><a href="#nowhere">b</a>'),
    (broken_links, "</h1>", '</h1><form action="c.html"></form>'),
    (unlinked, 'class="bc-permalink"', ""),
    (astray, 'href="#tensors"', 'href="#check"'),
    (another_foot, 'third-party.txt"', 'third.txt"'),
    (another_markdown, "attention.md", "heads.md"),
    (nobody_who_explains, "data-explains", "data-other"),
    (nameless, "</h1>", "</h1><h1>Another</h1>"),
    (nameless, "<title>", "<template>"),
    (nameless, '<html lang="en"', '<html lang="de"'),
    (nameless, 'name="description"', 'name="other"'),
    (no_answer, "</h1>", "</h1><p>Read on.</p>"),
]
"""Faults that a rule must find on the page on attention: the rule, a text of the page, and its replacement."""


@pytest.fixture(scope="module")
def every(site: Path, pages: Pages) -> dict[str, PageFacts]:
    """Every page with the facts that rules need."""
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    ids = {name: set(by_id(page)) for name, page in pages.items()}
    tags = [page.find("meta", attrs={"name": "description"}) for page in pages.values()]
    descriptions = Counter(str(tag["content"]) for tag in tags if tag)
    return {name: PageFacts(name, page, files, ids, descriptions) for name, page in pages.items()}


@pytest.mark.parametrize("rule", OF_EVERY_PAGE + BUT_THE_ERROR_PAGE)
def test_every_page_keeps_every_rule(every: dict[str, PageFacts], rule: Rule) -> None:
    """A rule may apply to some pages only."""
    pages_of_rule = [subject for subject in every.values() if subject.name != ERROR_PAGE or rule in OF_EVERY_PAGE]
    assert {} == {subject.name: faults for subject in pages_of_rule if (faults := rule(subject))}


@pytest.mark.parametrize(("rule", "old", "new"), FAULTS)
def test_a_fault_is_noticed(every: dict[str, PageFacts], site: Path, rule: Rule, old: str, new: str) -> None:
    """Each rule notices each of its faults."""
    html = (site / ATTENTION).read_text(encoding="utf-8")
    assert old in html, f"{ATTENTION} no longer has {old!r}; write into FAULTS what it has instead"
    subject = every[ATTENTION]
    assert [] == rule(subject)
    # Unlike a browser's, this parser leaves a table inside a paragraph.
    assert [] != rule(subject._replace(page=BeautifulSoup(html.replace(old, new), "html.parser")))


def test_every_rule_has_its_fault() -> None:
    """Every rule has a fault that it must notice; otherwise nobody would see that it has stopped working."""
    assert {*OF_EVERY_PAGE, *BUT_THE_ERROR_PAGE} == {rule for rule, *_ in FAULTS}


@pytest.mark.parametrize("text", ["None: dropout has no weights.", "How many? None of them.", "(None, 512)"])
def test_the_word_none_may_begin_a_sentence(every: dict[str, PageFacts], text: str) -> None:
    """A sentence may begin with the word, and Keras prints it for an open dimension."""
    page = BeautifulSoup(f"<p>{text}</p>", "html.parser")
    assert [] == unrendered(every[ATTENTION]._replace(page=page))


def test_there_is_enough_to_look_at(every: dict[str, PageFacts]) -> None:
    """The site has many tables with columns of numbers, signs of every kind, and scripts."""
    pages = [subject.page for subject in every.values()]
    assert 90 < sum(len(page.select("table[class*=bc-num-]")) for page in pages)
    labels = {str(sign["aria-label"]) for page in pages for sign in page.select(SIGN)}
    assert {f"Link to this {kind}" for kind in ("table", "figure", "sum", "list")} == labels
    assert [] == [page for page in pages if not page.select("script[src]")]
