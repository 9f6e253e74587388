"""Whole answers, to the last word: those that were read when they were recorded.

That an answer is true is tested elsewhere, by counting it again; here it does
not change unseen. `make record` records what the page answers now, and the
difference is there to be read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page

from macros.counting import Question, load_models, model_named
from tests.docs.answers import CHOSEN, MODELS, RECORDED, answers, recorded, small_table, with_small_table
from tests.docs.calculating import Configuration
from tests.docs.conftest import page_of_new_site
from tests.docs.plurals import ones_in_the_plural
from tests.docs.scripts import called, with_scripts

READ = recorded()


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page that explains numbers, with few models."""
    opened = browser.new_context()
    page = opened.new_page()
    with_small_table(page)
    with_scripts(page, address)
    yield page
    opened.close()


def changed(page: Page, read: dict[str, list[str]]) -> dict[str, list[tuple[str, str]]]:
    """The lines that differ, by what is typed: as they were read and as they are; at most those of three answers."""
    now = answers(page, list(read))
    found = {}
    for typed, lines in read.items():
        if lines != now[typed]:
            longest = max(len(lines), len(now[typed]))
            both = [(*each, *[""] * (longest - len(each))) for each in (lines, now[typed])]
            found[typed] = [pair for pair in zip(*both, strict=True) if pair[0] != pair[1]][:3]
    return dict(list(found.items())[:3])


def test_answers_are_as_they_were_read(page: Page) -> None:
    """Words, numbers, sums, links and their order; `make record` records them anew."""
    assert len(READ) > 100
    assert {} == changed(page, READ)


@pytest.mark.parametrize(("old", "new"), [("109,482,240", "109,482,241"), ("certain", "likely"), ("[../", "[../../")])
def test_a_changed_answer_is_noticed(page: Page, old: str, new: str) -> None:
    """Another number, another confidence and another link."""
    lines = [line.replace(old, new) for line in READ["110M"]]
    assert READ["110M"] != lines
    assert ["110M"] == list(changed(page, {"110M": lines}))


HTML = "text => bertCounted.answer.answerTo(text, '', bertCounted.explain(text)).map(each => each.outerHTML).join('')"


def test_a_table_says_what_its_cells_are(page: Page) -> None:
    """Heads of columns and rows, a caption that names the region, and as many numbers abreast as there are."""
    found = BeautifulSoup(page.evaluate(HTML, "124645632"), "html.parser").select_one("#bridge")
    assert found
    region, made, caption = found.select_one("div.bc-scroll"), found.table, found.caption
    assert region
    assert made
    assert caption
    assert ["bc-table"] == found["class"]
    assert ("region", "bridge-caption", "0") == (region["role"], region["aria-labelledby"], region["tabindex"])
    assert "bridge-caption" == caption["id"]
    assert caption.select_one("span.bc-caption")
    assert ["bc", "bc-3"] == made["class"]
    assert [("col", ["bc-text"])] + [("col", ["bc-num"])] * 3 == [
        (e["scope"], e["class"]) for e in made.select("thead th")
    ]
    for row in made.select("tbody tr, tfoot tr"):
        first, *others = row.find_all(["th", "td"])
        assert ("th", "row", ["bc-text"]) == (first.name, first["scope"], first["class"])
        assert [("td", ["bc-num"])] * 3 == [(each.name, each["class"]) for each in others]


def test_an_answer_is_made_of_what_the_style_sheet_knows(page: Page) -> None:
    """The classes of its pieces."""
    classes = (
        'html => [...new Set([...html.matchAll(/class="([^"]*)"/g)].flatMap(each => each[1].split(\' \')))].sort()'
    )
    found = {
        text: set(page.evaluate(classes, page.evaluate(HTML, text))) for text in ("108891648", "590592", "199", "many")
    }
    assert {"bc-answer"} == found["many"]
    assert {"bc-answer", "bc-count", "bc-same", "bc-ways-on"} <= found["590592"]
    assert {"bc-answer", "bc-sum", "bc-count", "bc-figure", "bc-legend", "bc-key", "bc-table"} <= found["108891648"]


CUT = """([typed, numbers]) => numbers.map(number => {
  const place = document.createElement("div")
  place.append(...bertCounted.answer.answerTo(typed, "", bertCounted.explain(typed).slice(0, number)))
  const ways = place.querySelector(".bc-ways-on")
  return ways ? [ways.querySelectorAll("li").length, ways.querySelector("p")?.textContent ?? ""] : []
})"""


def test_ways_that_are_not_shown_are_counted(page: Page) -> None:
    """Besides the answer itself five are shown, and each of the others counts as one that is not."""
    few = [[], *([shown, ""] for shown in range(1, 6))]
    more = [[5, "1 more is not shown."], [5, "2 more are not shown."], [5, "5 more are not shown."]]
    assert [*few, *more] == page.evaluate(CUT, ["109482240", [1, 2, 3, 4, 5, 6, 7, 8, 11]])


ADAPTED = {
    "query and value": ("query", "value"),
    "query, key and value": ("query", "key", "value"),
    "the four projections of attention": ("query", "key", "value", "attention-output"),
    "all dense layers of the encoder": ("query", "key", "value", "attention-output", "intermediate", "output"),
}
"""What answers call the modules with adapters, and what the calculator does."""

TRAINING = """all => all.map(each =>
  bertCounted.explain(each).filter(({ kind }) => kind === "training").map(({ words }) => words))"""


LORA = """configurations => configurations.map((each) => {
  const { trainable, total } = bertCounted.changes.count(each)
  return [trainable, total]
})"""


def test_lora_is_what_the_calculator_counts(page: Page) -> None:
    """What is trained, and what there is with it, by the rules of the calculator, which are PEFT's."""
    expected = {}
    for model, title in (("bert-base-uncased", "BERT base, uncased"), ("bert-large-uncased", "BERT large, uncased")):
        asked = Question(model_named(model), "BertForSequenceClassification")
        adapted = [Configuration(asked, lora={"rank": 4, "modules": modules}) for modules in ADAPTED.values()]
        counted = called(page, LORA, [each.as_script_takes_it() for each in adapted])
        for words, (trainable, total) in zip(ADAPTED, counted, strict=True):
            made = f"{title} with LoRA of rank 4 on {words} and a classifier of 2 labels"
            expected[str(trainable)] = f"what is trained in {made}"
            expected[str(total)] = f"the size of {made}, which PEFT counts twice"
    found = dict(zip(expected, page.evaluate(TRAINING, [*expected]), strict=True))
    assert {} == {number: found[number] for number, words in expected.items() if words not in found[number]}


def some_of_one() -> list[str]:
    """Numbers in which there may be one of something: a byte of a file's frame, a label, a layer, a parameter."""
    sizes = [Question(model_named(name)).number for name in MODELS if name in load_models()]
    bytes_ = [width * size + rest for size in sizes for width in (1, 4) for rest in (0, 1)]
    base = model_named("bert-base-uncased")
    heads = [Question(base.resized(C=labels), "BertForSequenceClassification").number for labels in (1, 2, 3)]
    smaller = [Question(base.resized(**{letter: 1})).number for letter in "VPSFL"]
    last = [7_087_872 + 769 * labels for labels in (0, 1, 2)]  # the last layer, and a head
    near = [sizes[0] + away for away in (-1, 1)]
    return [str(each) for each in (*bytes_, *heads, *smaller, *last, *near, *range(1, 40))]


def test_one_of_something_is_in_the_singular(page: Page) -> None:
    """In every answer, those that were read and those in which something may be there once."""
    asked = some_of_one()
    said = [page.evaluate(HTML, each) for each in asked]
    texts = [BeautifulSoup(each, "html.parser").get_text() for each in said] + [
        "\n".join(each) for each in READ.values()
    ]
    assert [] == [found for text in texts for found in ones_in_the_plural(text)]
    assert any("1 byte of a file's names" in text for text in texts)
    assert any("1 label" in text for text in texts)


def test_one_in_the_plural_is_noticed() -> None:
    """Also after a sign, and not as the end of another number."""
    assert ["1 bytes", "1 other parts"] == ones_in_the_plural(
        "and 1 bytes, +1 other parts, 1 byte, 21 bytes, 0.1 bytes"
    )


def test_the_few_models_are_there(page: Page) -> None:
    """The page answers from the small table, in which nothing is misspelt."""
    assert list(MODELS) == page.evaluate("[...bertCounted.engine.models.keys()]")


STEPS = """stages => stages.map(stage => {
  let steps = 1
  while (bertCounted.ways.prepare(stage)) steps += 1
  return steps
})"""


def test_what_is_sure_is_prepared_first(page: Page, address: str) -> None:
    """A step for the totals of each model, one for the parts of each BERT, and one to sort them; then the rest."""
    with_scripts(page, address)
    berts = [each for each in small_table()["models"] if each["architecture"] == "bert"]
    sure, everything, again = page.evaluate(STEPS, ["sure", "all", "sure"])
    # Each of the two takes one step more to find that there is nothing left.
    assert len(MODELS) + 1 + len(berts) + 2 == sure
    assert everything > 50
    assert 1 == again


SURELY = """asked => asked.map(([text, model = ""]) =>
  [bertCounted.explainSurely(text, model), bertCounted.explain(text, model) ?? []])"""

# What is typed, and which of the first answers are sure: by kind and cost. A relative, a number that is rounded or
# has a unit, and one that a mistake may lead to as easily, are not.
SURE = {
    "109482240": ["total 0"],
    "109482240 | bert-base-uncased": ["total 0"],
    "109482240 | bert-large-uncased": [],
    "177853440": ["total 1"],
    "590592": ["part 1"],
    "590592 | bert-base-uncased": ["part 1"],
    "592130": ["part 2"],
    "49152": ["part 1", "part 2"],
    "124645632": [],
    "110M": [],
    "437928960 bytes": [],
    "97531246": [],
    "many": [],
}


def test_what_is_sure_comes_first(page: Page) -> None:
    """The whole answer begins with it, whatever is found later."""
    asked = [*READ, *SURE]
    found = dict(zip(asked, called(page, SURELY, [each.split(CHOSEN) for each in asked]), strict=True))
    assert sum(bool(sure) for sure, _ in found.values()) > 20
    assert [] == [typed for typed, (sure, whole) in found.items() if whole[: len(sure)] != sure]
    assert SURE == {typed: [f"{each['kind']} {each['cost']}" for each in found[typed][0]] for typed in SURE}


OF_TOTAL = """made => bertCounted.working.ofTotal(
  "BertModel", bertCounted.engine.models.get("bert-base-uncased").sizes, made)"""


def test_what_is_added_or_taken_away_ends_a_sum(page: Page) -> None:
    """With its sign: a row of the vocabulary less is 768; two buffers are 512 numbers each."""
    assert "23,837,184 + 12 × 7,087,872 + 590,592" == page.evaluate(OF_TOTAL, [])
    blocks = "23,837,184 + 28,348,416 + 56,669,184 + 36,864 + 590,592"
    assert f"{blocks} − 768" == page.evaluate(OF_TOTAL, ["padding-row-left-out"])
    assert f"{blocks} + 1,024" == page.evaluate(OF_TOTAL, ["buffers-added"])


def main() -> None:
    """Record the answers anew; what is typed on the command line is asked besides."""
    with page_of_new_site() as (page, address):
        with_small_table(page)
        with_scripts(page, address)
        found = answers(page, list(dict.fromkeys([*READ, *sys.argv[1:]])))
        RECORDED.write_text(f"{json.dumps(found, indent=1, ensure_ascii=False)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
