"""Rules for every page of the built site, each with a fault that it must notice.

A rule is a function that returns the faults of one page. `FAULTS` has the faults that rules must notice, as
replacements in a page of the site. Rules about numbers are in test_numbers.py, and those about the output of macros in
tests/rendering/test_every_page.py.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Mapping, Set
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag

from macros.publish.for_machines import markdown_address
from macros.rendering.components.pages import I_GOT
from tests.docs.conftest import Pages, by_id
from tests.docs.test_colours import STYLES

ERROR_PAGE = "404.html"
"""The page that is served at unknown addresses. It answers no question, and its links start at the top of the site."""


class PageFacts(NamedTuple):
    """A page, with the facts about the site that rules need.

    Attributes:
        name: the path of the page within the site.
        page: the parsed page.
        files: the paths of all files of the site.
        ids: the ids on each page, by the page's path.
        descriptions: the number of pages with each description.
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


# --- Forbidden content ------------------------------------------------------

TRACES = re.compile(r"\{\{|\}\}|\{%|%\}|\bNone\b|\bnan\b|Traceback|site-root:|Macro (?:Syntax|Rendering) Error")
"""Traces of unrendered templates, of missing values and of errors."""

PROPER_NONE = re.compile(r"\(None\b|(?:^|[.:!?…]\s*)None(?=[:,]? [a-z])")
"""The word None where it is not a trace: in a shape printed by Keras, such as (None, 512), or beginning a sentence."""


def traces_of_templates(facts: PageFacts) -> list[str]:
    """The traces of templates and errors in visible text and in attributes."""
    # Print-outs are left out, because Keras prints None. Strings are searched separately, because a sentence may begin
    # where an element begins.
    printed_ids = {id(string) for print_out in facts.page.select(".bc-printed") for string in print_out.strings}
    strings = [string.strip() for string in facts.page.strings if id(string) not in printed_ids]
    text = " ".join(PROPER_NONE.sub("", string) for string in strings)
    attributes = " ".join(str(value) for tag in facts.page.find_all(True) for value in tag.attrs.values())
    return TRACES.findall(text) + TRACES.findall(PROPER_NONE.sub("", attributes))


DOUBLED_PUNCTUATION = re.compile(r"(?<![.\w])\w{4,}\.(?:[,;:]|\.(?!\.))|[,;:]\s*[.,;:]")
"""Two marks of punctuation in a row. A full stop after a short word may abbreviate it."""

VERBATIM = ("pre", "code", "samp", "math", "script", "style", "option", "textarea", "template")
"""The elements whose text is no sentence."""


def broken_sentences(facts: PageFacts) -> list[str]:
    """The places in paragraphs and lists with doubled punctuation, as where a macro writes a whole sentence in one."""
    texts = []
    for element in facts.article.select("p, dd, figcaption, li:not(:has(p, ul, ol))"):
        words = ["x" if text.find_parent(VERBATIM) else str(text) for text in element.strings]
        texts.append("".join(words))
    return [text[max(0, match.start() - 40) :][:80] for text in texts for match in DOUBLED_PUNCTUATION.finditer(text)]


ADDRESS_ATTRIBUTES = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "audio": "src",
    "video": "src",
    "embed": "src",
    "object": "data",
}
"""The elements that fetch an address, each with the attribute that contains the address."""

LOADING_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"}
"""The values of `rel` for which a browser opens a connection."""


def addresses_in_css(css: str) -> list[str]:
    """The addresses that a style sheet fetches."""
    return re.findall(r"""(?:url\(|@import\s+)['"]?([^'")\s]+)""", css)


def addresses_on_other_hosts(facts: PageFacts) -> list[str]:
    """The addresses on other hosts that a browser fetches or connects to when it opens the page."""
    page = facts.page
    addresses = [
        str(tag.get(attribute, "")) for name, attribute in ADDRESS_ATTRIBUTES.items() for tag in page.find_all(name)
    ]
    loading_links = [link for link in page.find_all("link") if LOADING_LINKS & set(link.get_attribute_list("rel"))]
    addresses += [str(link.get("href", "")) for link in loading_links]
    addresses += [address for style in page.find_all("style") for address in addresses_in_css(style.get_text())]
    return [address for address in addresses if urlsplit(address).netloc]


BLOCKS_IN_A_PARAGRAPH = "p > :is(div, figure, form, p, section, table, ul, ol)"
"""A selector for elements that must not be in a paragraph."""


def broken_paragraphs(facts: PageFacts) -> list[str]:
    """The blocks in paragraphs. A browser ends a paragraph before a block, so the rest would be outside."""
    return [str(block)[:80] for block in facts.page.select(BLOCKS_IN_A_PARAGRAPH)]


def repeated_ids(facts: PageFacts) -> list[str]:
    """The ids that more than one element has."""
    return [id_ for id_, times in Counter(str(tag["id"]) for tag in facts.page.find_all(id=True)).items() if times > 1]


def blocking_scripts(facts: PageFacts) -> list[str]:
    """The scripts that block the page. Modules and deferred scripts do not: they run once the page has been parsed."""
    scripts = facts.page.select("script[src]")
    return [str(script) for script in scripts if script.get("type") != "module" and not script.has_attr("defer")]


# --- The content security policy ---------------------------------------------

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
"""The directives of every page's policy; the hashes are those of its inline scripts."""


def hashes(page: BeautifulSoup) -> list[str]:
    """The hashes of a page's inline scripts, computed here independently of the site."""
    scripts = {script.string for script in page.find_all("script") if script.string}
    return sorted(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts)


def wrong_policy(facts: PageFacts) -> list[str]:
    """The fault of the policy, if it is missing, repeated, different from the expected one, or too late in the head.

    The policy must come second, after the encoding, so that it applies to everything else.
    """
    head = facts.page.head
    if not head:
        return ["no head"]
    charset, policy = head.find_all(True, recursive=False)[:2]
    policies = facts.page.find_all("meta", attrs={"http-equiv": "Content-Security-Policy"})
    if [policy] != policies or list(charset.attrs) != ["charset"]:
        return [f"{len(policies)} policies; the only one must be the second element of the head"]
    expected = "; ".join(DIRECTIVES).format(hashes="".join(f" {script_hash}" for script_hash in hashes(facts.page)))
    return [] if policy["content"] == expected else [f"expected {expected}, got {policy['content']}"]


# --- Tables -----------------------------------------------------------------


def wrong_columns(facts: PageFacts) -> list[str]:
    """The columns that have no style or that their table lacks, and the tables with rows of different lengths.

    A class such as `bc-num-2` specifies the kind of the column with this number.
    """
    problems = []
    for table in facts.page.select("table.bc"):
        lengths = {len(row.find_all(["th", "td"], recursive=False)) for row in table.find_all("tr")}
        for name in table.get_attribute_list("class"):
            kind = re.fullmatch(r"bc-(?:num|word|prose)-(\d+)", str(name))
            if kind and (f".{name} :nth-child({kind[1]})" not in STYLES or int(kind[1]) > max(lengths)):
                problems.append(f"{name} in {table.find_parent(id=True)}")
        if len(lengths) > 1:
            problems.append(f"rows of {sorted(lengths)} cells")
    return problems


def is_number(cell: Tag) -> bool:
    """Return whether the whole text of a cell is a number."""
    number = cell.find("data")
    return number is not None and cell.get_text() == number.get_text()


def cells_without_their_heading(facts: PageFacts) -> list[str]:
    """The cells without a copy of their column's heading, which is the only heading that readers see on a phone.

    The first cell of a row needs it only if it is a number, because words name themselves.
    """
    problems = []
    for table in facts.page.select("table.bc"):
        heads = [head.get_text() for head in table.select("thead th")]
        for row in table.select("tbody tr, tfoot tr"):
            cells = list(zip(heads, row.find_all(["th", "td"], recursive=False), strict=False))
            if not is_number(cells[0][1]):
                cells = cells[1:]
            # A zero-width space may allow a long class name to wrap.
            cells_by_heading = [
                (head, str(cell.get("data-head", "")).replace("\u200b", ""), cell) for head, cell in cells
            ]
            problems += [
                f"no heading at {cell}" for head, name, cell in cells_by_heading if cell.contents and name != head
            ]
    return problems


# --- Links ------------------------------------------------------------------


def broken_links(facts: PageFacts) -> list[str]:
    """The addresses in links, forms, scripts and images that lead to no file or id of the site."""
    broken_addresses = []
    for tag in facts.page.find_all(["a", "link", "script", "img", "form"]):
        address = str(tag.get("href") or tag.get("src") or tag.get("action") or "")
        if not address or urlsplit(address).scheme or urlsplit(address).netloc:
            continue
        path, anchor = urldefrag(urljoin(f"/{facts.name}", address))
        target = unquote(urlsplit(path).path).lstrip("/")
        if target == "" or target.endswith("/"):
            target += "index.html"
        if target not in facts.files or (anchor and unquote(anchor) not in facts.ids[target]):
            broken_addresses.append(address)
    return broken_addresses


SIGN = ".bc-permalink"
"""A selector for the # signs that link to tables, figures and sums."""

BLOCKS = ".bc-table, figure:not(#calculator-map), p.bc-summed, .bc-steps"
"""A selector for elements that need a sign. Exercises and the calculator have addresses of their own, and need none."""


def blocks_without_sign(facts: PageFacts) -> list[str]:
    """The tables, figures and sums without a sign."""
    return [
        str(block)[:80]
        for block in facts.article.select(BLOCKS)
        if not block.select(SIGN) and not _has_sign_before_or_around(block)
    ]


def _has_sign_before_or_around(block: Tag) -> bool:
    """Return whether the element before a block, or the paragraph around it, has a sign that also serves the block."""
    paragraph = block.find_parent("p")
    previous = (paragraph or block).find_previous_sibling()
    return bool((paragraph and paragraph.select(SIGN)) or (previous and previous.select(SIGN)))


def misleading_signs(facts: PageFacts) -> list[str]:
    """The signs that do not lead to the element that contains them."""
    targets = by_id(facts.page)
    problems = []
    for sign in facts.page.select(SIGN):
        target = targets.get(str(sign["href"]).removeprefix("#"))
        if target is None or all(parent is not target for parent in sign.parents):
            problems.append(str(sign))
    return problems


FOOTER_LINKS = [
    "about/verification.html",
    "teach/linking.html#how-do-i-cite-a-number",
    "LICENSE.txt",
    "third-party.txt",
]
"""The addresses of the links in the footer, relative to the top of the site."""


def wrong_footer(facts: PageFacts) -> list[str]:
    """The faults of the footer: unexpected links, or links that lead to no file."""
    links = [urljoin(facts.name, str(link["href"])) for link in facts.page.select("footer .bc-foot a")]
    missing_files = [address for address in FOOTER_LINKS if address.partition("#")[0] not in facts.files]
    return missing_files if links == FOOTER_LINKS else [f"the footer leads to {links}"]


def wrong_link_to_markdown(facts: PageFacts) -> list[str]:
    """The alternate links of the page, unless there is only one, to its Markdown. The error page must have none."""
    links = [(link["type"], link["href"]) for link in facts.page.select("link[rel~=alternate]")]
    markdown_links = [] if facts.name == ERROR_PAGE else [("text/markdown", markdown_address(Path(facts.name).name))]
    return [] if links == markdown_links else [str(links)]


def wrong_address_for_numbers(facts: PageFacts) -> list[str]:
    """The fault if the search would link to a page other than the one that explains numbers."""
    script = facts.page.find("script", attrs={"data-explains": True})
    target = urljoin(facts.name, str(script["data-explains"])) if script else "nowhere"
    return [] if target == I_GOT else [f"the search leads to {target}"]


# --- Heading and metadata ---------------------------------------------------


def wrong_metadata(facts: PageFacts) -> list[str]:
    """The faults of a page's first-rank heading, title, language and description."""
    page = facts.page
    description = page.find("meta", attrs={"name": "description"})
    checks = {
        "not exactly one heading of the first rank": len(page.find_all("h1")) != 1,
        "no title": not page.head or not page.head.find("title"),  # a drawing may have a title, too
        "not in English": not page.html or page.html.get("lang") != "en",
        "no description of its own": not description or facts.descriptions.get(str(description["content"])) != 1,
    }
    return [fault for fault, is_present in checks.items() if is_present]


PAGES_WITHOUT_ANSWER = ("teach/sheet.html", "teach/slides.html")
"""Pages that answer no question, because they are for printing or projecting."""


def missing_answer(facts: PageFacts) -> list[str]:
    """The first paragraph below the heading, if it has no number. It must contain the answer."""
    heading = facts.page.find("h1")
    paragraph = heading.find_next("p") if heading else None
    has_answer = bool(paragraph and paragraph.find("data"))
    return [] if has_answer or facts.name in PAGES_WITHOUT_ANSWER else [str(paragraph)]


NAMED_BY_CONTENT = ":is(h1, h2, h3, h4, h5, h6, a, button, label, summary)[aria-label]"
"""A selector for elements with a label that replaces their visible text for screen readers."""


def labels_without_their_text(facts: PageFacts) -> list[str]:
    """The labels of headings, links and buttons that lack a word of the visible text. Signs such as # have no word."""
    faults = []
    for element in facts.page.select(NAMED_BY_CONTENT):
        texts = [text for text in element.strings if not text.find_parent(class_="headerlink")]
        words_of_text, words_of_label = (
            {*re.findall(r"\w+", text.lower())} for text in (" ".join(texts), str(element["aria-label"]))
        )
        if not words_of_text <= words_of_label:
            faults.append(f"{element['aria-label']!r} is the label of {' '.join(texts)!r}")
    return faults


# --- The rules and their faults ---------------------------------------------

Rule = Callable[[PageFacts], list[str]]

RULES_FOR_EVERY_PAGE: tuple[Rule, ...] = (
    traces_of_templates,
    addresses_on_other_hosts,
    broken_paragraphs,
    repeated_ids,
    blocking_scripts,
    wrong_policy,
    wrong_columns,
    cells_without_their_heading,
    wrong_link_to_markdown,
)

RULES_FOR_ORDINARY_PAGES: tuple[Rule, ...] = (
    broken_links,
    blocks_without_sign,
    misleading_signs,
    broken_sentences,
    wrong_footer,
    wrong_address_for_numbers,
    wrong_metadata,
    missing_answer,
    labels_without_their_text,
)
"""The rules for every page except the error page."""

ATTENTION = "parts/attention.html"
"""The page in which faults are planted. It has elements to which each rule applies."""

FAULTS: list[tuple[Rule, str, str]] = [
    (traces_of_templates, "<article", '<article title="{{ number() }}"'),
    *(
        (traces_of_templates, "</h1>", f"</h1><p>{text}</p>")
        for text in ("None", "It has None of these.", "(None, None)")
    ),
    (traces_of_templates, "</h1>", "</h1><p>It has <b>None</b> of them.</p>"),
    (addresses_on_other_hosts, "</h1>", '</h1><img src="//example.org/a.png">'),
    (addresses_on_other_hosts, "</h1>", "</h1><style>@import 'https://example.org/a.css'</style>"),
    (addresses_on_other_hosts, "</head>", '<link rel="preconnect" href="https://example.org"></head>'),
    (broken_paragraphs, "</h1>", "</h1><p><table></table></p>"),
    (repeated_ids, "</h1>", '</h1><p id="tensors"></p>'),
    (blocking_scripts, "</head>", '<script src="a.js"></script></head>'),
    (broken_sentences, "</h1>", "</h1><p>They are values that a model computes for a text..</p>"),
    (wrong_policy, "base-uri 'none'", ""),
    (wrong_policy, "'sha256-", "'unsafe-inline' 'sha256-"),
    (wrong_policy, "</head>", "<script>go(2)</script></head>"),
    (wrong_policy, '<meta charset="utf-8">', '<meta charset="utf-8"><script src="a.js"></script>'),
    (wrong_policy, "</head>", "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\"></head>"),
    (wrong_columns, "bc-num-2", "bc-num-13"),
    (wrong_columns, "<tbody><tr>", "<tbody><tr><td></td></tr><tr>"),
    (cells_without_their_heading, ' data-head="BERT base"', ""),
    (cells_without_their_heading, '<tbody><tr><th scope="row">', '<tbody><tr><th scope="row"><data>2</data></th>'),
    (broken_links, "</h1>", '</h1><a href="b.html">b</a>'),
    (broken_links, "</h1>", '</h1><a href="#nowhere">b</a>'),
    (broken_links, "</h1>", '</h1><form action="c.html"></form>'),
    (blocks_without_sign, 'class="bc-permalink"', ""),
    (misleading_signs, 'href="#tensors"', 'href="#check"'),
    (wrong_footer, 'third-party.txt"', 'third.txt"'),
    (wrong_link_to_markdown, "attention.md", "heads.md"),
    (wrong_address_for_numbers, "data-explains", "data-other"),
    (wrong_metadata, "</h1>", "</h1><h1>Another</h1>"),
    (wrong_metadata, "<title>", "<template>"),
    (wrong_metadata, '<html lang="en"', '<html lang="de"'),
    (wrong_metadata, 'name="description"', 'name="other"'),
    (missing_answer, "</h1>", "</h1><p>Read on.</p>"),
    (labels_without_their_text, 'aria-label="Exercises"', 'aria-label="Sources"'),
    (labels_without_their_text, "</h1>", '</h1><button aria-label="Copy the link">Copy the frame</button>'),
]
"""Faults that must be noticed on the page about attention: the rule, a string in the page, and its replacement."""


@pytest.fixture(scope="module")
def facts_of_pages(site: Path, pages: Pages) -> dict[str, PageFacts]:
    """Every page, with the facts that rules need, by its path."""
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    ids = {name: set(by_id(page)) for name, page in pages.items()}
    tags = [page.find("meta", attrs={"name": "description"}) for page in pages.values()]
    descriptions = Counter(str(tag["content"]) for tag in tags if tag)
    return {name: PageFacts(name, page, files, ids, descriptions) for name, page in pages.items()}


@pytest.mark.parametrize("rule", RULES_FOR_EVERY_PAGE + RULES_FOR_ORDINARY_PAGES)
def test_every_page_keeps_every_rule(facts_of_pages: dict[str, PageFacts], rule: Rule) -> None:
    pages_of_rule = [
        facts for facts in facts_of_pages.values() if facts.name != ERROR_PAGE or rule in RULES_FOR_EVERY_PAGE
    ]
    assert {} == {facts.name: faults for facts in pages_of_rule if (faults := rule(facts))}


@pytest.mark.parametrize(("rule", "old", "new"), FAULTS)
def test_every_fault_is_noticed(
    facts_of_pages: dict[str, PageFacts], site: Path, rule: Rule, old: str, new: str
) -> None:
    html = (site / ATTENTION).read_text(encoding="utf-8")
    assert old in html, f"{ATTENTION} no longer has {old!r}; replace this in FAULTS with a text that it has"
    facts = facts_of_pages[ATTENTION]
    assert [] == rule(facts)
    # Unlike a browser, this parser leaves a table in a paragraph.
    assert [] != rule(facts._replace(page=BeautifulSoup(html.replace(old, new), "html.parser")))


def test_every_rule_has_its_fault() -> None:
    """A rule without a fault could stop working unnoticed."""
    assert {*RULES_FOR_EVERY_PAGE, *RULES_FOR_ORDINARY_PAGES} == {rule for rule, *_ in FAULTS}


@pytest.mark.parametrize("text", ["None: dropout has no weights.", "How many? None of them.", "(None, 512)"])
def test_the_word_none_is_not_always_a_trace(facts_of_pages: dict[str, PageFacts], text: str) -> None:
    """A sentence may begin with "None", and Keras prints it for a dimension of any size."""
    page = BeautifulSoup(f"<p>{text}</p>", "html.parser")
    assert [] == traces_of_templates(facts_of_pages[ATTENTION]._replace(page=page))


def test_the_rules_apply_to_many_elements(facts_of_pages: dict[str, PageFacts]) -> None:
    pages = [facts.page for facts in facts_of_pages.values()]
    assert 90 < sum(len(page.select("table[class*=bc-num-]")) for page in pages)
    labels = {str(sign["aria-label"]) for page in pages for sign in page.select(SIGN)}
    assert {f"Link to this {kind}" for kind in ("table", "figure", "sum", "list")} == labels
    assert [] == [page for page in pages if not page.select("script[src]")]
