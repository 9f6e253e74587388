"""The site that tests read differs from the published site only in the questions that its numbers carry."""

import re
from collections.abc import Mapping
from pathlib import Path

from macros.publish import questions
from macros.publish.page import Page
from tests.docs.building import contents

START_TAG = re.compile(r'<(\w+)((?: [\w:-]+(?:="[^"]*")?)*)>')
"""The start tag of an element."""

ATTRIBUTE = re.compile(r' ([\w:-]+)(?:="[^"]*")?')
"""An attribute in a start tag."""

KEPT_ATTRIBUTES = {"data": {"data-how", "data-model", "data-class"}, "sum": {"data-result"}}
"""The data attributes that the published site keeps, by kind of element.

Source: docs/assets/pages/pop-over.js and cite.js, which read these attributes, and 20-numbers.css, which displays
some of them. On a page where table rows, terms of sums, or pieces of figures have `data-part`, links.js also reads
`data-paths`.
"""


def kind_of(tag: re.Match[str]) -> str:
    """The kind of element that a tag begins: "data" for a number, "sum" for a sum, "" for any other element."""
    if tag[1] == "data":
        return "data"
    return "sum" if ' class="bc-steps"' in tag[2] else ""


def has_parts(html: str) -> bool:
    """Return whether a page has a row, a term, or a piece of a figure that a number can highlight."""
    return bool(re.search(r"(?s)<tr[^>]* data-part=|<figure(?:(?!</figure>).)* data-part=", html)) or bool(
        re.search(r'<(?:span|b) class="bc-term" data-part=', html)
    )


def source_of(name: str, files: Mapping[str, object]) -> str:
    """The page from which a page in embed/ was taken. Any other page is its own source."""
    page = name.removeprefix("embed/")
    while page not in files:
        page = f"{page.removesuffix('.html').rpartition('/')[0]}.html"
    return page


def without_questions(html: str, *, has_paths: bool) -> str:
    """The HTML of a page without those `data-` attributes of numbers and sums that no script or style reads.

    If `has_paths`, the paths of numbers are kept, because they can highlight something on the page.
    """

    def shortened_tag(tag: re.Match[str]) -> str:
        """The tag without the attributes that only questions need."""
        names = KEPT_ATTRIBUTES.get(kind_of(tag))
        if names is None:
            return tag[0]
        if has_paths and tag[1] == "data":
            names = names | {"data-paths"}
        if ' data-model="' not in tag[2]:
            names = names - {"data-class"}
        remaining_attributes = [
            match[0] for match in ATTRIBUTE.finditer(tag[2]) if not match[1].startswith("data-") or match[1] in names
        ]
        return f"<{tag[1]}{''.join(remaining_attributes)}>"

    return START_TAG.sub(shortened_tag, html)


def attributes_of(html: str) -> set[str]:
    """The names of the `data-` attributes of numbers and sums."""
    tags = [tag for tag in START_TAG.finditer(html) if kind_of(tag)]
    return {match[1] for tag in tags for match in ATTRIBUTE.finditer(tag[2]) if match[1].startswith("data-")}


def test_the_two_sites_differ_in_questions_alone(site: Path, site_with_questions: Path) -> None:
    """Their builds had different folders, times, hash seeds, caches and packages, so builds are also reproducible."""
    published_files, tested_files = contents(site), contents(site_with_questions)
    assert sorted(published_files) == sorted(tested_files)
    pages_with_parts = {
        name for name, content in tested_files.items() if name.endswith(".html") and has_parts(content.decode())
    }
    expected = {
        name: without_questions(content.decode(), has_paths=source_of(name, tested_files) in pages_with_parts).encode()
        if name.endswith(".html")
        else content
        for name, content in tested_files.items()
    }
    assert [] == [name for name, content in published_files.items() if content != expected[name]]
    tested_names, published_names = (
        set[str]().union(*(attributes_of(text.decode()) for name, text in files.items() if name.endswith(".html")))
        for files in (tested_files, published_files)
    )
    assert set.union(*KEPT_ATTRIBUTES.values(), {"data-paths"}) == published_names
    assert {"data-kind", "data-part", "data-tag", "data-deviations", "data-unit", "data-asked-part"} <= tested_names


def test_attributes_that_scripts_read_are_kept() -> None:
    """The class is kept only if there is a model. Elements other than numbers and sums keep all attributes."""
    html = (
        '<data value="1" data-kind="count" data-part="p" data-model="m" data-class="c" data-paths="p" data-how="1 + 0" '
        'tabindex="0">1</data><data value="2" data-class="c" data-how="h">2</data>'
        '<ol class="bc-steps" data-asked-part="p" data-result="1"><li><b class="bc-term" data-part="p">1</b></li></ol>'
    )
    remaining_html = (
        '<data value="1" data-model="m" data-class="c" data-paths="p" data-how="1 + 0" tabindex="0">1</data>'
        '<data value="2" data-how="h">2</data>'
        '<ol class="bc-steps" data-result="1"><li><b class="bc-term" data-part="p">1</b></li></ol>'
    )
    assert remaining_html == without_questions(html, has_paths=True)
    page = Page("a.html", f"<body>{html}</body>")
    questions.drop_questions(page.tree)
    assert page.tree.body
    assert remaining_html == page.tree.body.inner_html
    assert {"data-kind", "data-part", "data-asked-part"} <= attributes_of(html)


def test_unused_paths_of_numbers_are_removed() -> None:
    """Paths are unused on pages where they can highlight nothing, such as a page that only compares totals."""
    html = '<p><data value="1" data-model="m" data-part="p" data-paths="p" data-how="1 + 0">1</data></p>'
    page = Page("a.html", f"<body>{html}</body>")
    questions.drop_questions(page.tree)
    assert page.tree.body
    remaining_html = '<p><data value="1" data-model="m" data-how="1 + 0">1</data></p>'
    assert (remaining_html, remaining_html) == (page.tree.body.inner_html, without_questions(html, has_paths=False))
