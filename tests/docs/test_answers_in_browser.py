"""The words, sums, bridges and links in answers agree with the explanations that the search finds.

tests/scripts/test_search.py tests that the search finds every explanation and no false one.
"""

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Page

from macros.counting import Question, load_models, model_named
from macros.counting.deviations import load_deviations
from macros.counting.search.known_numbers import spaces
from macros.publish.apostrophes import typeset
from tests.docs.arithmetic import is_wrong
from tests.docs.conftest import Pages, by_id
from tests.docs.plurals import plurals_after_one
from tests.docs.scripts import call, function_in
from tests.docs.teachers_numbers import TEACHERS_NUMBERS
from tests.scripts.test_forms import hostile_text
from tests.scripts.test_search import FIRST_ANSWERS

Explanations = list[dict[str, Any]]

Answer = tuple[BeautifulSoup, Explanations]
"""An answer as the page shows it, and the explanations that the search has found, the likeliest first."""

ANSWERS = """texts => texts.map((text) => {
  const explanations = bertCounted.explain(text)
  const elements = bertCounted.answer.answerTo(text, "", explanations)
  // The reading is the same in every explanation, and would be half of what is transferred.
  const withoutReadings = explanations?.map(({ reading, ...rest }) => ({ ...rest, uncertainty: reading.uncertainty }))
  return [elements.map(element => element.outerHTML).join(""), withoutReadings ?? []]
})"""
"""Returns, for each text, the HTML of the answer and the explanations.

Of the way in which an explanation reads the text, only the uncertainty is returned.
"""


def answers_to(page: Page, texts: list[str]) -> dict[str, Answer]:
    """The answer to each text, by the text."""
    pairs = call(page, ANSWERS, texts)
    return {
        text: (BeautifulSoup(html, "html.parser"), explanations)
        for text, (html, explanations) in zip(texts, pairs, strict=True)
    }


def numbers_with_counts_of_one() -> list[str]:
    """Numbers whose answers may contain a count of one, such as one byte, label, layer or parameter."""
    totals = [Question(model).number for model in load_models().values()]
    memory_sizes = [bytes_each * total + rest for total in totals[:8] for bytes_each in (1, 4) for rest in (0, 1)]
    bert_base = model_named("bert-base-uncased")
    classifiers = [
        Question(bert_base.resized(C=labels), "BertForSequenceClassification").number for labels in (1, 2, 3)
    ]
    models_with_a_size_of_one = [Question(bert_base.resized(**{letter: 1})).number for letter in "VPSFL"]
    last_layer_and_head = [7_087_872 + 769 * labels for labels in (0, 1, 2)]
    near_misses = [totals[0] + offset for offset in (-1, 1)]
    return [
        str(number)
        for number in (
            *memory_sizes,
            *classifiers,
            *models_with_a_size_of_one,
            *last_layer_and_head,
            *near_misses,
            *range(1, 40),
        )
    ]


@pytest.fixture(scope="module")
def answers(page: Page) -> dict[str, Answer]:
    """Answers to the numbers that readers arrive with, to numbers with a count of one, and to a random sample."""
    known_numbers = [known_number for space in spaces() for known_number in space.ways]
    sample = random.Random(20181011).sample(known_numbers, 150)  # noqa: S311 - not used for cryptography
    texts = [
        *(text for text, _ in FIRST_ANSWERS),
        *(entry.text for entry in TEACHERS_NUMBERS),
        *numbers_with_counts_of_one(),
        *(str(known_number.number) for known_number in sample),
    ]
    return answers_to(page, list(dict.fromkeys(texts)))


# --- Words ------------------------------------------------------------------

# Texts, each with the beginning of its answer. Sources: named_parameters() of BertModel in transformers 5.23, 4 bytes
# per float32 and 2^20 per MiB, the file pytorch_model.bin of bert-base-uncased, and GPT2Model in transformers 5.23.
SENTENCES: dict[str, str] = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
SENTENCES["9" * 100] = "We found no way to get 999"

# Numbers, each with the source that the answer must name, or "" if it must name none. The sources are in
# data/claims.toml. EleutherAI prints 108.84 M for 108,844,032, and NVIDIA prints 330M for 334,092,288. aidway prints
# 54MB for the feed-forward networks and 108808704 for the model, which takes 435,234,816 bytes.
SOURCES = {
    "75,641,856": "Hand count of BERT base, Chinese",
    "72.1 MB": "Hand count of BERT base, Chinese",
    "108808704": "aidway",
    "108.84M": "EleutherAI",
    **dict.fromkeys(("334092288", "108844032", "435234816", "109436160"), ""),
}


def likeliest_sentence(answer: BeautifulSoup) -> str:
    """The sentence of an answer that gives the likeliest explanation."""
    return answer.select(".bc-answer")[0].get_text()


def test_answers_begin_with_the_expected_sentence(page: Page) -> None:
    sentences = {text: likeliest_sentence(answer) for text, (answer, _) in answers_to(page, [*SENTENCES]).items()}
    assert {} == {text: sentence for text, sentence in sentences.items() if not sentence.startswith(SENTENCES[text])}


def test_a_source_is_named_only_if_it_prints_the_number(page: Page) -> None:
    for text, (answer, _) in answers_to(page, [*SOURCES]).items():
        sources = [p.get_text() for p in answer.select("p") if "This number appears in " in p.get_text()]
        assert bool(SOURCES[text]) is bool(sources), text
        assert all(SOURCES[text] in source for source in sources), text


def test_an_answer_names_a_model_of_another_kind_with_the_same_number(page: Page) -> None:
    """BERT large without its pooler has as many parameters as ELECTRA large, which is not BERT."""
    ((answer, _),) = answers_to(page, ["334092288"]).values()
    sentence = "is also the number of parameters in ELECTRA large, discriminator (ElectraModel), which is not BERT."
    assert f"334,092,288 {sentence}" in answer.select(".bc-ways-on")[0].get_text()


def replaced_sizes(explanation: dict[str, Any]) -> Iterator[str]:
    """The new and the old value of each size that a mistake replaces, worded as in an answer."""
    deviations = [load_deviations()[name] for name in explanation["mistakes"] if name in load_deviations()]
    for deviation in deviations:
        letter = deviation.resized.partition(" = ")[0]
        if letter:
            model = model_named(explanation["models"][0])
            wrong, right = (sizes[letter] for sizes in (deviation.resize(model).sizes, model.sizes))
            yield f"{letter} = {wrong:,} instead of {right:,}"


def omitted_facts(explanation: dict[str, Any], sentence: str) -> list[str]:
    """The facts of an explanation that a sentence omits, such as the number, the model, mistakes and doubt."""
    facts = [f"{explanation['number']:,}"]
    if not explanation["terms"] and explanation["models"]:
        facts.append(model_named(explanation["models"][0]).title)
        if not explanation["parts"]:
            facts += explanation["classes"][:1]
    if not explanation["layers"]:
        facts += [part["words"].removesuffix(" in the model") for part in explanation["parts"][:1]]
    facts += [load_deviations()[name].done for name in explanation["mistakes"] if name in load_deviations()]
    facts += replaced_sizes(explanation)
    facts += [f"{size:,}" for size in explanation["sizes"].values()]
    facts.append(explanation["words"])
    if explanation["slip"]:
        facts.append("is one " if abs(explanation["excess"]) == 1 else "looks like")
    if explanation["dtype"] in ("float32", "float16", "bfloat16", "int8"):
        facts.append(explanation["dtype"])
    is_doubtful = (
        explanation["confidence"] == "possible"
        and explanation["kind"] in ("total", "size", "change", "memory")
        and not explanation["uncertainty"]
    )
    if is_doubtful:
        facts.append("coincidence")
    return [fact for fact in map(typeset, facts) if fact not in sentence]


def test_a_sentence_has_the_facts_of_its_explanation(answers: dict[str, Answer]) -> None:
    checked_count = 0
    for text, (answer, explanations) in answers.items():
        if not explanations:
            continue
        parts = [part.get_text() for part in answer.select("ul:not(details ul) > li")]  # all the parts of this size
        first_sentence = " ".join([likeliest_sentence(answer), *parts])
        assert [] == omitted_facts(explanations[0], first_sentence), text
        further_sentences = [item.get_text() for item in answer.select(".bc-ways-on li")]
        for sentence in further_sentences:
            assert any(not omitted_facts(explanation, sentence) for explanation in explanations), (text, sentence)
        checked_count += 1 + len(further_sentences)
    assert checked_count > 1000


def test_a_count_of_one_is_in_the_singular(answers: dict[str, Answer]) -> None:
    """A phrase such as "1 layers" would look like a mistake in the number."""
    texts = [answer.get_text() for answer, _ in answers.values()]
    assert [] == [plural for text in texts for plural in plurals_after_one(text)]
    # The sample must contain such counts.
    assert [] == [singular for singular in ("1 label", "1 layer ") if not any(singular in text for text in texts)]


def test_the_result_of_a_typed_sum_precedes_the_answer(page: Page) -> None:
    sums = [" 23,837,184 + 12 × 7,087,872 = ? ", "23.8M + 85M"]
    exact_text, approximate_text = (answer.get_text() for answer, _ in answers_to(page, sums).values())
    assert exact_text.startswith("23,837,184 + 12 × 7,087,872 = 108,891,648. ")
    assert approximate_text.startswith("23.8M + 85M ≈ 108,800,000. ")


# --- Sums and tables --------------------------------------------------------


def numbers(cells: list[Tag]) -> list[int]:
    """The numbers in the cells that are not empty."""
    return [int(cell.get_text().replace(",", "").replace("−", "-")) for cell in cells if cell.get_text()]


def test_worked_sums_are_right_and_one_of_them_results_in_the_number(answers: dict[str, Answer]) -> None:
    checked_count = 0
    for text, (answer, explanations) in answers.items():
        sums = [line.get_text() for line in answer.select(".bc-sum code, ul:not(details ul) > li > code")]
        assert [] == [line for line in sums if is_wrong(line)], text
        # The size of a file with two data types has no such sum, because it is worked out from the parameters.
        if sums and (explanations[0]["kind"] != "memory" or explanations[0]["bytesPerParameter"]):
            assert any(line.endswith(f" = {explanations[0]['number']:,}") for line in sums), text
        checked_count += len(sums)
    assert checked_count > 300


def test_every_bridge_adds_up(answers: dict[str, Answer]) -> None:
    """Bridges lead from a wrong total to the right one, or block by block from a BERT to its relative."""
    kinds_of_bridge = set()
    for text, (answer, explanations) in answers.items():
        for table in answer.select("#bridge"):
            explanation = explanations[0]
            model, model_class = model_named(explanation["models"][0]), (explanation["classes"] or ["BertModel"])[0]
            if "both without heads" in table.select("caption")[0].get_text():
                kinds_of_bridge.add("relative")
                rows = [numbers(row.select("td")) for row in table.select("tbody tr, tfoot tr")]
                assert rows[-1] == [sum(column) for column in zip(*rows[:-1], strict=True)], text
                assert all(before + difference == after for before, difference, after in rows), text
                assert Question(model).number == rows[-1][2], text
            else:
                kinds_of_bridge.add("steps" if explanation["mistakes"] else "sizes")
                start, *steps, end = numbers(table.select("td.bc-num"))
                wrong_count = Question(
                    model.resized(**explanation["sizes"]), model_class, deviations=tuple(explanation["mistakes"])
                )
                assert (start, end) == (wrong_count.number, Question(model, model_class).number), text
                assert end == start + sum(steps), text
    assert {"relative", "steps", "sizes"} == kinds_of_bridge


# Rounded numbers, each with the beginning of its answer and the likeliest total. Derived by hand: 109,482,240 rounded
# to two figures, 177,853,440 cut after three, 4,385,920 rounded to two, and 437,928,960 divided by 2 to the 20th.
ROUNDED_NUMBERS = {
    "110M": ("110M, rounded to two figures, fits ", "109,482,240"),
    "177M": ("177M, cut to three figures, fits ", "177,853,440"),
    "4.4M": ("4.4M, rounded to two figures, fits ", "4,385,920"),
    "418 MB": ("418 MB, rounded to three figures, fits ", "437,928,960"),
}


@pytest.mark.parametrize("text", [*ROUNDED_NUMBERS])
def test_a_rounded_number_lists_the_totals_that_fit_it(page: Page, text: str) -> None:
    """The likeliest total is in the sentence, the next ones are in a table, and the rest are below the table."""
    ((answer, explanations),) = answers_to(page, [text]).values()
    beginning, likeliest_total = ROUNDED_NUMBERS[text]
    sentence = likeliest_sentence(answer)
    assert sentence.startswith(beginning)
    assert f" The likeliest: {likeliest_total} " in sentence
    assert f"fits {len({explanation['number'] for explanation in explanations}):,} numbers that we know" in sentence
    rows = [
        row.find_all(["th", "td"])[0].get_text().removesuffix(" bytes") for row in answer.select("#fitting tbody tr")
    ]
    rest = [item.get_text().partition(":")[0].removesuffix(" bytes") for item in answer.select("details ul li")]
    numbers_shown = [likeliest_total, *rows, *rest]
    assert len(numbers_shown) == len(set(numbers_shown))
    totals = {
        f"{explanation['number']:,}"
        for explanation in explanations
        if explanation["kind"] in ("total", "other") and not explanation["mistakes"]
    }
    assert totals <= set(numbers_shown)
    # Only one of these numbers has a page of its own.
    assert bool(answer.select("a[href*=why-110m]")) is (text == "110M")


def test_explanations_beyond_the_sixth_are_only_counted(page: Page) -> None:
    """Five explanations follow the likeliest one."""
    expected = [[5, ""], [5, "1 more is not shown."], [5, "5 more are not shown."]]
    assert expected == page.evaluate(function_in("scripts.js", "furtherExplanations"), ["590592", [6, 7, 11]])


# --- Markup -----------------------------------------------------------------


def test_markup_in_a_text_never_becomes_elements(page: Page) -> None:
    generator = random.Random(3)  # noqa: S311 - not used for cryptography
    texts = [hostile_text(generator) for _ in range(1_500)]
    assert [] == call(page, function_in("scripts.js", "badlyAnswered"), texts)
    assert sum(bool(re.search("<script>|</p>", text)) for text in texts) > 100


def test_every_link_leads_to_something_that_exists(answers: dict[str, Answer], pages: Pages) -> None:
    """In an answer about a model, the name of the model is also a link."""
    anchors = {name: set(by_id(page)) for name, page in pages.items()}
    hrefs = {str(link["href"]) for answer, _ in answers.values() for link in answer.select("a")}
    targets = [href.removeprefix("../").partition("#") for href in hrefs if not href.startswith("?")]
    assert len(targets) > 30
    assert [] == [name for name, _, anchor in targets if name not in pages or (anchor and anchor not in anchors[name])]
    for answer, explanations in answers.values():
        is_about_a_model = (
            explanations
            and explanations[0]["kind"] in ("total", "part", "tensors")
            and explanations[0]["models"][0] in load_models()
        )
        if is_about_a_model:
            title = model_named(explanations[0]["models"][0]).title
            assert any(link.get_text().startswith(title) for link in answer.select(".bc-answer a"))


def test_a_table_is_marked_up_for_screen_readers_and_phones(page: Page) -> None:
    """Phones show the header of a column in each of its cells."""
    ((answer, _),) = answers_to(page, ["124645632"]).values()
    (region,) = answer.select("#bridge.bc-table > div.bc-scroll")
    assert ("region", "bridge-caption", "0") == (region["role"], region["aria-labelledby"], region["tabindex"])
    assert answer.select("#bridge-caption span.bc-caption")
    (table,) = answer.select("table.bc.bc-3")
    headers = [(cell["scope"], cell["class"]) for cell in table.select("thead th")]
    assert [("col", ["bc-text"])] + [("col", ["bc-num"])] * 3 == headers
    for row in table.select("tbody tr, tfoot tr"):
        header, *cells = row.find_all(["th", "td"])
        assert ("th", "row", ["bc-text"]) == (header.name, header["scope"], header["class"])
        assert [("td", ["bc-num"])] * 3 == [(cell.name, cell["class"]) for cell in cells]
        assert [cell.get_text() for cell in table.select("thead th")[1:]] == [cell["data-head"] for cell in cells]


# Totals of relatives and of GPT-2 medium, each with the address that the answer links to. Source of the totals:
# transformers.
ADDRESSES = {
    "66362880": "relatives.html#distilbert",
    "470926848": "relatives.html#LaBSE",
    "149014272": "relatives.html#modernbert",
    "138601728": "further-relatives.html#deberta",
    "354823168": "relatives.html#others",
}


def test_an_answer_about_another_model_links_to_its_section_or_row(page: Page) -> None:
    links = {
        number: [str(link["href"]) for link in answer.select(".bc-answer a")]
        for number, (answer, _) in answers_to(page, [*ADDRESSES]).items()
    }
    assert {number: [f"../totals/{address}"] for number, address in ADDRESSES.items()} == links


# Source: the config.json of these checkpoints on the Hugging Face hub. They have the sizes of MiniLM, 6 layers.
def test_every_checkpoint_of_the_same_sizes_is_named_once(page: Page) -> None:
    ((answer, _),) = answers_to(page, ["22713216"]).values()
    assert "MiniLM, 6 layers" in answer.get_text()
    (fold,) = answer.select("details.bc-same")
    names = fold.select("p")[0].get_text().split("; ")
    assert {"all-MiniLM-L6-v2", "ms-marco-MiniLM-L6-v2"} <= set(names)
    assert len(names) == len(set(names))
    assert fold.select("summary")[0].get_text().startswith(f"{len(names)} more")
