"""Answers as a reader sees them: words, sums, bridges and links say what the search found, and that is true.

That what it finds is true, and that all is found, is tested in tests/scripts/test_search.py.
"""

import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Page

from macros.counting import Question, load_models, model_named
from macros.counting.deviations import load_deviations
from macros.counting.search.known_numbers import spaces
from tests.docs.arithmetic import wrong_line
from tests.docs.conftest import Pages, by_id
from tests.docs.plurals import ones_in_the_plural
from tests.docs.scripts import called, measure
from tests.docs.teachers_numbers import KNOWN
from tests.scripts.test_forms import hostile
from tests.scripts.test_search import FIRST_ANSWERS

Found = list[dict[str, Any]]
Answer = tuple[BeautifulSoup, Found]

ANSWERS = """texts => texts.map((text) => {
  const found = bertCounted.explain(text)
  return [bertCounted.answer.answerTo(text, "", found).map((each) => each.outerHTML).join(""), found ?? []]
})"""


def answered(page: Page, texts: list[str]) -> dict[str, Answer]:
    """Each answer, and what the search found for it."""
    found = called(page, ANSWERS, texts)
    return {text: (BeautifulSoup(html, "html.parser"), all_) for text, (html, all_) in zip(texts, found, strict=True)}


def some_of_one() -> list[str]:
    """Numbers in which there may be one of something: a byte of a file's frame, a label, a layer, a parameter."""
    sizes = [Question(model).number for model in load_models().values()]
    bytes_ = [width * size + rest for size in sizes[:8] for width in (1, 4) for rest in (0, 1)]
    base = model_named("bert-base-uncased")
    heads = [Question(base.resized(C=labels), "BertForSequenceClassification").number for labels in (1, 2, 3)]
    smaller = [Question(base.resized(**{letter: 1})).number for letter in "VPSFL"]
    last = [7_087_872 + 769 * labels for labels in (0, 1, 2)]  # the last layer, and a head
    near = [sizes[0] + away for away in (-1, 1)]
    return [str(each) for each in (*bytes_, *heads, *smaller, *last, *near, *range(1, 40))]


@pytest.fixture(scope="module")
def answers(page: Page) -> dict[str, Answer]:
    """Answers to what people have in hand, to whatever has one of something, and to a sample of known numbers."""
    ways = [way for space in spaces() for way in space.ways]
    drawn = random.Random(20181011).sample(ways, 150)  # noqa: S311 - drawing samples is no cryptography
    texts = [
        *(typed for typed, _ in FIRST_ANSWERS),
        *(each.typed for each in KNOWN),
        *some_of_one(),
        *(str(way.number) for way in drawn),
    ]
    return answered(page, list(dict.fromkeys(texts)))


# --- Words ------------------------------------------------------------------

# What is typed, and how the answer begins. Sources: named_parameters() of BertModel in transformers 5.23; 4 bytes a
# float32 and 2^20 in a MiB; the file pytorch_model.bin of bert-base-uncased; GPT2Model of transformers 5.23.
SENTENCES: dict[str, str] = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
SENTENCES["9" * 100] = "We found no way to get 999"

# Sources: the claims of these texts, data/claims.toml. EleutherAI prints 108.84 M of 108,844,032, NVIDIA 330M
# of 334,092,288, and aidway 54MB of the feed-forward networks and 108808704 of the model, which takes 435,234,816
# bytes.
PRINTED = {
    "75,641,856": "Hand count of BERT base, Chinese",
    "72.1 MB": "Hand count of BERT base, Chinese",
    "108808704": "aidway",
    "108.84M": "EleutherAI",
    **dict.fromkeys(("334092288", "108844032", "435234816", "109436160"), ""),
}


def first_of(answer: BeautifulSoup) -> str:
    """The likeliest explanation, in words."""
    return answer.select(".bc-answer")[0].get_text()


def test_each_kind_has_its_sentence(page: Page) -> None:
    """Parts, tensors, labels, sizes, memory, relatives, differences, slips of digits, sums and what has no reason."""
    first = {text: first_of(answer) for text, (answer, _) in answered(page, [*SENTENCES]).items()}
    assert {} == {text: said for text, said in first.items() if not said.startswith(SENTENCES[text])}


def test_who_prints_a_number_prints_just_that(page: Page) -> None:
    """And of the same thing; not who rounds it, counts something else, or counts it in other units."""
    for text, (answer, _) in answered(page, [*PRINTED]).items():
        said = [each.get_text() for each in answer.select("p") if "This number appears in " in each.get_text()]
        assert bool(PRINTED[text]) is bool(said), text
        assert all(PRINTED[text] in each for each in said), text


def test_two_things_of_one_number_do_not_deny_each_other(page: Page) -> None:
    """BERT large without its pooler is as large as ELECTRA large, which is not BERT."""
    ((answer, _),) = answered(page, ["334092288"]).values()
    also = "is also the number of parameters in ELECTRA large, discriminator (ElectraModel), which is not BERT."
    assert f"334,092,288 {also}" in answer.select(".bc-ways-on")[0].get_text()


def lacking(each: dict[str, Any], said: str) -> list[str]:
    """What a sentence lacks of an explanation: number, model, class, parts, what was done otherwise, labels, doubt."""
    named = [f"{each['number']:,}"]
    if not each["terms"] and each["models"]:
        named.append(model_named(each["models"][0]).title)
        named += each["classes"][:1] if not each["parts"] else []
    named += [part["words"].removesuffix(" in the model") for part in each["parts"][:1] if not each["layers"]]
    named += [load_deviations()[name].done for name in each["mistakes"] if name in load_deviations()]
    named += [f"{size:,}" for size in each["sizes"].values()] + [each["words"], each["slip"] and "looks like"]
    named += [name for name in ("float32", "float16", "bfloat16", "int8") if each["dtype"] == name]
    doubted = (
        each["confidence"] == "possible"
        and each["kind"] in ("total", "size", "change", "memory")
        and not each["reading"]["width"]
    )
    return [word for word in (*named, "coincidence" if doubted else "") if word not in said]


def test_words_say_what_was_found(answers: dict[str, Answer]) -> None:
    """The first sentence and those of other ways: number, model, class, and whatever makes it what it is."""
    checked = 0
    for text, (answer, found) in answers.items():
        ways = [each.get_text() for each in answer.select(".bc-ways-on li")]
        listed = [
            each.get_text() for each in answer.select("ul:not(details ul) > li")
        ]  # parts that all have the number
        for said in (" ".join([first_of(answer), *listed]), *ways) if found else ():
            checked += 1
            assert any(not lacking(each, said) for each in found), (text, said)
        assert not found or not lacking(found[0], " ".join([first_of(answer), *listed])), text
    assert checked > 1000


def test_one_of_something_is_in_the_singular(answers: dict[str, Answer]) -> None:
    """In every answer, also where something is there once."""
    said = [answer.get_text() for answer, _ in answers.values()]
    assert [] == [found for text in said for found in ones_in_the_plural(text)]
    assert all(any(one in text for text in said) for one in ("1 byte for the names", "1 label", "1 layer "))


def test_the_result_of_a_rounded_sum_is_said_to_be_about_that(page: Page) -> None:
    """What is worked out stands before the answer, and is equal only where every term is exact."""
    typed = [" 23,837,184 + 12 × 7,087,872 = ? ", "23.8M + 85M"]
    exact, about = (answer.get_text() for answer, _ in answered(page, typed).values())
    assert exact.startswith("23,837,184 + 12 × 7,087,872 = 108,891,648. ")
    assert about.startswith("23.8M + 85M ≈ 108,800,000. ")


# --- Sums and tables --------------------------------------------------------


def numbers(cells: list[Tag]) -> list[int]:
    """What stands in cells."""
    return [int(cell.get_text().replace(",", "").replace("−", "-")) for cell in cells if cell.get_text()]


def test_every_worked_sum_closes(answers: dict[str, Answer]) -> None:
    """Evaluated again; what is worked out ends in the first number, where that is not in a unit."""
    checked = 0
    for text, (answer, found) in answers.items():
        sums = [each.get_text() for each in answer.select(".bc-sum code, ul:not(details ul) > li > code")]
        assert [] == [line for line in sums if wrong_line(line)], text
        # What is stored in two types is worked out in parameters.
        if sums and (found[0]["kind"] != "memory" or found[0]["width"]):
            assert any(each.endswith(f" = {found[0]['number']:,}") for each in sums), text
        checked += len(sums)
    assert checked > 300


def test_every_bridge_closes(answers: dict[str, Answer]) -> None:
    """From what is counted otherwise to what is right, or block by block from a BERT to its relative."""
    seen = set()
    for text, (answer, found) in answers.items():
        for table in answer.select("#bridge"):
            first = found[0]
            model, model_class = model_named(first["models"][0]), (first["classes"] or ["BertModel"])[0]
            if "both without heads" in table.select("caption")[0].get_text():
                seen.add("relative")
                rows = [numbers(row.select("td")) for row in table.select("tbody tr, tfoot tr")]
                assert rows[-1] == [sum(column) for column in zip(*rows[:-1], strict=True)], text
                assert all(before + difference == after for before, difference, after in rows), text
                assert Question(model).number == rows[-1][2], text
            else:
                seen.add("steps" if first["mistakes"] else "sizes")
                start, *steps, end = numbers(table.select("td.bc-num"))
                other = Question(model.resized(**first["sizes"]), model_class, deviations=tuple(first["mistakes"]))
                assert (start, end) == (other.number, Question(model, model_class).number), text
                assert end == start + sum(steps), text
    assert {"relative", "steps", "sizes"} == seen


# By hand: 109,482,240 to two figures; 177,853,440 cut after three; 4,385,920 to two; 437,928,960 over 2 to the 20th.
ROUNDED = {
    "110M": ("110M, rounded to two figures, fits ", "109,482,240"),
    "177M": ("177M, cut to three figures, fits ", "177,853,440"),
    "4.4M": ("4.4M, rounded to two figures, fits ", "4,385,920"),
    "418 MB": ("418 MB, rounded to three figures, fits ", "437,928,960"),
}


@pytest.mark.parametrize("text", [*ROUNDED])
def test_a_rounded_number_lists_what_has_it(page: Page, text: str) -> None:
    """The likeliest in the sentence, the next in a table, all other right totals below it, and each number once."""
    ((answer, found),) = answered(page, [text]).values()
    begins, likeliest = ROUNDED[text]
    said = first_of(answer)
    assert said.startswith(begins)
    assert f" The likeliest: {likeliest} " in said
    assert f"fits {len({each['number'] for each in found}):,} numbers that we know" in said
    rows = [
        row.find_all(["th", "td"])[0].get_text().removesuffix(" bytes") for row in answer.select("#fitting tbody tr")
    ]
    folded = [each.get_text().partition(":")[0].removesuffix(" bytes") for each in answer.select("details ul li")]
    listed = [likeliest, *rows, *folded]
    assert len(listed) == len(set(listed))
    right = {f"{each['number']:,}" for each in found if each["kind"] in ("total", "other") and not each["mistakes"]}
    assert right <= set(listed)
    assert bool(answer.select("a[href*=why-110m]")) is (text == "110M")


def test_ways_that_are_not_shown_are_counted(page: Page) -> None:
    """Besides the answer itself five are shown, and each of the others counts as one that is not."""
    expected = [[5, ""], [5, "1 more is not shown."], [5, "5 more are not shown."]]
    assert expected == page.evaluate(measure("scripts.js", "waysOn"), ["590592", [6, 7, 11]])


# --- Markup -----------------------------------------------------------------


def test_hostile_texts_are_answered_as_text(page: Page) -> None:
    """Some of them through to the answer: words, and never an element that was typed."""
    chance = random.Random(3)  # noqa: S311
    texts = [hostile(chance) for _ in range(1_500)]
    assert [] == called(page, measure("scripts.js", "badlyAnswered"), texts)
    assert sum(bool(re.search("<script>|</p>", text)) for text in texts) > 100


def test_every_link_leads_somewhere(answers: dict[str, Answer], pages: Pages) -> None:
    """To a page, and where it names one to a place on it; models, parts, sources and deviations have one."""
    anchors = {name: set(by_id(page)) for name, page in pages.items()}
    found = {str(link["href"]) for answer, _ in answers.values() for link in answer.select("a")}
    places = [each.removeprefix("../").partition("#") for each in found if not each.startswith("?")]
    assert len(places) > 30
    assert [] == [name for name, _, place in places if name not in pages or (place and place not in anchors[name])]
    for answer, all_ in answers.values():
        of_model = all_ and all_[0]["kind"] in ("total", "part", "tensors") and all_[0]["models"][0] in load_models()
        titles = [link.get_text() for link in answer.select(".bc-answer a")]
        assert not of_model or any(title.startswith(model_named(all_[0]["models"][0]).title) for title in titles)


def test_a_table_says_what_its_cells_are(page: Page) -> None:
    """Heads of columns and rows, a caption that names the region, and as many numbers abreast as there are."""
    ((answer, _),) = answered(page, ["124645632"]).values()
    (region,) = answer.select("#bridge.bc-table > div.bc-scroll")
    assert ("region", "bridge-caption", "0") == (region["role"], region["aria-labelledby"], region["tabindex"])
    assert answer.select("#bridge-caption span.bc-caption")
    (made,) = answer.select("table.bc.bc-3")
    heads = [(each["scope"], each["class"]) for each in made.select("thead th")]
    assert [("col", ["bc-text"])] + [("col", ["bc-num"])] * 3 == heads
    for row in made.select("tbody tr, tfoot tr"):
        first, *others = row.find_all(["th", "td"])
        assert ("th", "row", ["bc-text"]) == (first.name, first["scope"], first["class"])
        assert [("td", ["bc-num"])] * 3 == [(each.name, each["class"]) for each in others]
        assert [each.get_text() for each in made.select("thead th")[1:]] == [each["data-head"] for each in others]


# Source: the totals that transformers gives for DistilBERT, LaBSE, ModernBERT and the first DeBERTa.
PLACES = {"66362880": "distilbert", "470926848": "LaBSE", "149014272": "modernbert", "138601728": "others"}


def test_relatives_and_other_models_lead_to_their_place(page: Page) -> None:
    """A relative to the section about it or to its row, and a model of another kind to the list of these."""
    links = {
        number: [str(each["href"]) for each in answer.select(".bc-answer a")]
        for number, (answer, _) in answered(page, [*PLACES]).items()
    }
    assert {number: [f"../totals/relatives.html#{place}"] for number, place in PLACES.items()} == links


# Source: config.json of each on the Hugging Face hub; its sizes are those of the model that the answer names.
def test_checkpoints_of_the_same_sizes_are_named(page: Page) -> None:
    """Besides the model that has these sizes, whose name is not repeated."""
    ((answer, _),) = answered(page, ["22713216"]).values()
    assert "MiniLM, 6 layers" in answer.get_text()
    (same,) = answer.select("details.bc-same")
    names = same.select("p")[0].get_text().split("; ")
    assert {"all-MiniLM-L6-v2", "ms-marco-MiniLM-L6-v2"} <= set(names)
    assert len(names) == len(set(names))
    assert same.select("summary")[0].get_text().startswith(f"{len(names)} more")
