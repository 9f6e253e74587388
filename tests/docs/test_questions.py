"""The site that tests ask again differs from the published one in the questions of its numbers, and in nothing else."""

import re
from pathlib import Path

from macros.publish import questions
from macros.publish.page import Page
from tests.docs.building import contents

START_TAG = re.compile(r'<(\w+)((?: [\w:-]+(?:="[^"]*")?)*)>')
ATTRIBUTE = re.compile(r' ([\w:-]+)(?:="[^"]*")?')

# Source: docs/assets/pages/pop-over.js and cite.js, which read these, and 20-numbers.css, which shows the first three.
READ = {"data": {"data-how", "data-model", "data-class"}, "sum": {"data-result"}}


def kind_of(tag: re.Match[str]) -> str:
    """Whether a tag begins a number or a sum; empty for every other one."""
    is_sum = re.search(r' class="bc-steps"', tag[2])
    return "data" if tag[1] == "data" else "sum" if is_sum else ""


def without_questions(html: str) -> str:
    """A page whose numbers and sums say no more than scripts and styles read."""

    def shorter(tag: re.Match[str]) -> str:
        read = READ.get(kind_of(tag))
        if read is None:
            return tag[0]
        if ' data-model="' not in tag[2]:
            read = read - {"data-class"}
        kept = [each[0] for each in ATTRIBUTE.finditer(tag[2]) if not each[1].startswith("data-") or each[1] in read]
        return f"<{tag[1]}{''.join(kept)}>"

    return START_TAG.sub(shorter, html)


def attributes_of(html: str) -> set[str]:
    """The `data-` attributes of numbers and sums."""
    tags = [tag for tag in START_TAG.finditer(html) if kind_of(tag)]
    return {each[1] for tag in tags for each in ATTRIBUTE.finditer(tag[2]) if each[1].startswith("data-")}


def test_the_two_sites_differ_in_questions_alone(site: Path, site_with_questions: Path) -> None:
    """Every other byte of every file is the same; the published site has no question, the other one has those asked."""
    published, tested = contents(site), contents(site_with_questions)
    assert sorted(published) == sorted(tested)
    expected = {
        name: without_questions(content.decode()).encode() if name.endswith(".html") else content
        for name, content in tested.items()
    }
    assert [] == [name for name, content in published.items() if content != expected[name]]
    before, after = (
        set[str]().union(*(attributes_of(text.decode()) for name, text in files.items() if name.endswith(".html")))
        for files in (tested, published)
    )
    assert set.union(*READ.values()) == after
    assert {"data-kind", "data-part", "data-tag", "data-deviations", "data-unit", "data-asked-part"} <= before


def test_what_scripts_read_is_left() -> None:
    """The class only beside a model; what is no number and no sum keeps all."""
    html = (
        '<data value="1" data-kind="count" data-part="p" data-model="m" data-class="c" data-how="1 + 0" tabindex="0">'
        '1</data><data value="2" data-class="c" data-how="h">2</data><ol class="bc-steps" data-asked-part="p" '
        'data-result="1"><li data-part="p">a</li></ol>'
    )
    left = (
        '<data value="1" data-model="m" data-class="c" data-how="1 + 0" tabindex="0">1</data>'
        '<data value="2" data-how="h">2</data><ol class="bc-steps" data-result="1"><li data-part="p">a</li></ol>'
    )
    assert left == without_questions(html)
    page = Page("a.html", f"<body>{html}</body>")
    questions.drop(page.tree)
    assert page.tree.body
    assert left == page.tree.body.inner_html
    assert {"data-kind", "data-part", "data-asked-part"} <= attributes_of(html)
