"""The exercises page judges answers, explains mistakes, keeps progress, and lets readers count a whole model."""

import re
from collections.abc import Callable, Iterator
from copy import copy
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from macros.counting import BERT, load_models, load_relatives
from macros.publish.apostrophes import typeset
from macros.teaching.embedding import snippet
from macros.teaching.exercise import exercise
from macros.teaching.sets import load_sets
from tests.docs.conftest import Pages
from tests.docs.windows import GO_BACK_TO, REMOVE_REPEATED, WIDTHS, faults_in_windows, watch

PAGE = "try/exercises.html"


@pytest.fixture(scope="module")
def page_and_errors(desktop: Page, address: str) -> tuple[Page, list[str]]:
    """The exercises page, shared by all tests of this file, and the list that collects its errors."""
    errors = watch(desktop, address)
    open_exercises(desktop)
    return desktop, errors


@pytest.fixture
def page(page_and_errors: tuple[Page, list[str]]) -> Iterator[Page]:
    """The exercises page, opened again if a test has left it. Any error or warning on the page fails the test."""
    page, errors = page_and_errors
    if not page.locator("#exercise-title").count():
        open_exercises(page)
    yield page
    assert [] == errors


def open_exercises(page: Page, query: str = "") -> None:
    """Open the page at the exercise in a query string, and wait until the exercise is shown."""
    page.goto(f"{PAGE}{query}")
    page.locator("#exercise-title").wait_for()


# --- Answers ----------------------------------------------------------------------


def show_exercise(page: Page, query: str) -> None:
    """Show the exercise in a query string without reloading the page."""
    page.evaluate(GO_BACK_TO, query)


def answer(page: Page, text: str) -> str:
    """Enter an answer, and return the verdict on it, with straight apostrophes."""
    page.locator("#exercise-answer").fill(text)
    page.locator("#exercise-answer").press("Enter")
    verdict = page.locator(".bc-verdict:not([data-kind=unknown]) p")
    # The timeout, in milliseconds, is long because the first explanation must fetch the code of the search.
    verdict.wait_for(timeout=20_000)
    return verdict.inner_text().replace("’", "'")


def press_button(page: Page, name: str) -> None:
    """Press a button of the exercise."""
    page.locator("#exercise").get_by_role("button", name=name).click()


def open_fold(page: Page, name: str) -> None:
    """Open a hint or the solution of the exercise."""
    page.locator("#exercise summary", has_text=name).click()


def test_an_answer_is_judged(page: Page) -> None:
    show_exercise(page, "?set=layer&seed=41")
    assert "How many parameters are there in one encoder layer of BERT base, Chinese?" == page.inner_text(
        "#exercise .bc-asked"
    )
    assert "You would get 6,497,280 if you forgot the output projection of attention." in answer(page, "6,497,280")
    field = page.locator("#exercise-answer")
    assert "true" == field.get_attribute("aria-invalid")
    assert "7,087,872: right." == answer(page, "4*(768*768+768) + 2*768*3072+3072+768 + 4*768")
    assert "false" == field.get_attribute("aria-invalid")


VERDICTS = [
    ("model", 2, "177,853,440", "Not right. 177,853,440 is the number"),
    ("model", 2, "109,482,240", "109,482,240 is correct for BERT base, uncased. This question is about BERT large"),
    ("class", 1, "110M", "Not right. Did you perhaps count something else? 109,482,240 is the number"),
    ("part", 2, "12", "Not right. 12 is too small: a single vector of features already has H = 128 elements. A hint"),
    ("model", 1, "1", "Not right. 1 is too small: a single vector of features already has H = 768 elements. A hint"),
    ("model", 1, "1+1+1", "Not right. 3 is too small: a single vector"),
    ("model", 1, "199", "Not right. 199 counts the tensors of BERT base"),
    ("model", 1, "V*H + P*H", "23,834,112 is correct for the word table and the position table, a part of the sum."),
    ("model", 1, "102394368", "Not right. You probably counted something else. You would get 102,394,368"),
    (
        "layer",
        41,
        "97531246",
        "Not right. We can't tell how you got that. The answer consists of self-attention, the feed-forward",
    ),
    # Numbers of another model or another method do not count as reasons. These are key and query in BERT-Small, the
    # position table of BERT-Mini, and 20 tokens of prefix tuning.
    ("layer", 43, "525,312", "Not right. We can't tell how you got that."),
    ("part", 28, "2*512*128", "Not right. We can't tell how you got that."),
    ("methods", 2, "368640", "Not right. We can't tell how you got that."),
    # Only a combination of three omissions leads to this number, so it is a coincidence.
    ("layer", 41, "101403648", "Not right. We can't tell how you got that."),
    # The nearest known number is that of a Japanese BERT, but the answer seems to be rounded.
    ("model", 1, "112000000", "Not right. If 112,000,000 is rounded, type all digits, or your sum;"),
]
"""Sets, seeds and wrong answers, each with the beginning of its verdict.

No verdict gives away the right answer.
"""


def test_other_wrong_answers_are_explained_as_on_the_page_for_numbers(page: Page) -> None:
    for name, seed, text, beginning in VERDICTS:
        show_exercise(page, f"?set={name}&seed={seed}")
        assert answer(page, text).startswith(beginning)


def test_bytes_are_explained_as_bytes(page: Page) -> None:
    """In an exercise about bytes, a number without a unit means bytes: 4 x 108,340,804 of a masked LM."""
    show_exercise(page, "?set=memory&seed=36")
    for text in ("433,363,216", "433363216 B", "3466905728 bits"):
        assert "433,363,216 bytes are" in answer(page, text)


def test_a_mistyped_digit_is_suggested_only_if_no_better_reason_is_known(page: Page) -> None:
    """A part nearby is a better reason: 1,538, entered for a LayerNorm, is the number of the next-sentence head.

    A model that happens to have the number is a worse one: ten times the number of the pooler is more likely to have a
    zero too many.
    """
    show_exercise(page, "?set=part&seed=34")
    assert "1,538 is correct for the next-sentence head" in answer(page, "1538")
    show_exercise(page, "?set=part&seed=24")
    for text in ("590952", "5905920"):
        assert answer(page, text).startswith("Close: this looks like the right number with a digit mistyped.")


def test_only_the_solution_has_the_answer(page: Page) -> None:
    show_exercise(page, "?set=part&seed=24")
    folds = page.locator("#exercise .bc-fold")
    names = ["Hint 1", "Hint 2", "Hint 3", "Where this is explained", "Solution"]
    assert names == folds.locator("summary").all_inner_texts()[: len(names)]
    assert "590,592" not in page.inner_text("#exercise")
    for name in ("Hint 1", "Hint 2", "Hint 3"):
        open_fold(page, name)
    open_fold(page, "Where this is explained")
    paragraphs = page.locator("#exercise .bc-fold > p").all_inner_texts()
    assert [*exercise("part", 24).hints, "Pooler and output heads explains how to count this."] == paragraphs
    link = page.locator("#exercise .bc-fold > p a")
    assert link.evaluate("link => link.href").endswith("/parts/heads.html#pooler")
    assert "590,592" not in page.inner_text("#exercise")
    open_fold(page, "Solution")
    lines = page.locator(".bc-fold .bc-line-of-sum").filter(visible=True).all_inner_texts()
    assert ["768 × 768 = 589,824", "589,824 + 768 = 590,592"] == lines
    explanations = page.locator("#exercise .bc-fold .bc-what").all_inner_texts()
    assert [line.label for line in exercise("part", 24).solution] == explanations


def test_every_exercise_has_an_address(page: Page) -> None:
    show_exercise(page, "?set=layer&seed=7")
    question = page.inner_text("#exercise .bc-asked")
    press_button(page, "Next variant")
    expect(page).to_have_url(f"{PAGE}?set=layer&seed=8")
    expect(page.locator("#exercise-title")).to_be_focused()
    page.get_by_role("link", name="Memory").click()
    expect(page).to_have_url(f"{PAGE}?set=memory&seed=1")
    page.go_back()
    page.go_back()
    expect(page.locator("#exercise .bc-asked")).to_have_text(question)
    show_exercise(page, "?set=layer&seed=999999")
    press_button(page, "Next variant")  # after the last variant comes the first
    expect(page).to_have_url(f"{PAGE}?set=layer&seed=1")


def test_the_current_set_is_marked_and_named(page: Page) -> None:
    show_exercise(page, "?set=layer&seed=4")
    title = load_sets().sets["layer"].title
    current_titles = page.locator("ul.bc-sets a[aria-current=true]").all_inner_texts()
    assert [title] == [text.removesuffix(" 1 solved") for text in current_titles]  # an earlier test may have solved one
    assert page.inner_text("#exercise-title").startswith(title)
    press_button(page, "Check")
    assert "Enter an answer first." == page.inner_text(".bc-verdict")
    assert page.inner_text("#exercise .bc-hint").startswith("What you have solved is kept in this browser")
    assert ["Check"] == page.locator("#exercise .md-button--primary").all_inner_texts()
    # A click with Ctrl or Shift opens another set in a new tab or window, and this page stays as it is.
    for modifier in ("ControlOrMeta", "Shift"):
        with page.context.expect_page() as new_tab:
            page.get_by_role("link", name="Memory").click(modifiers=[modifier])
        new_tab.value.wait_for_load_state()  # closing a tab that is still opening may hang
        new_tab.value.close()
        assert page.url.endswith("?set=layer&seed=4")


NO_SET, NO_VARIANT = (
    "There is no set “{}” of exercises; choose one of those below.",
    "There is no variant “{}”; variants",
)
BAD_ADDRESSES = {
    "?set=layr&seed=1": NO_SET.format("layr"),
    "?set=__proto__&seed=__proto__": f"{NO_SET} {NO_VARIANT}".format("__proto__", "__proto__"),
    "?set=%3Cimg%20src%3Dx%3E&seed=%3Cscript%3E": f"{NO_SET} {NO_VARIANT}".format("<img src=x>", "<script>"),
    "?set=cell&seed=x": f"{NO_VARIANT.format('x')} are whole numbers from 0 to 999,999.",
    "?set=cell&seed=1000000": NO_VARIANT.format("1000000"),
    f"?set=cell&seed={'9' * 5000}": NO_VARIANT.format(f"{'9' * 37}..."),
}
"""Query strings that do not identify an exercise, each with the complaint."""


def test_bad_addresses_lead_to_the_first_exercise_and_say_so(page: Page) -> None:
    open_exercises(page, [*BAD_ADDRESSES][2])
    for query, complaint in BAD_ADDRESSES.items():
        show_exercise(page, query)
        expect(page.get_by_role("alert")).to_contain_text(complaint)
        expect(page.locator("#exercise .bc-asked")).to_have_text(exercise("cell", 1).text)
        assert 0 == page.locator("#exercise :is(img, script)").count(), query
    press_button(page, "Next variant")
    expect(page.get_by_role("alert")).to_have_count(0)
    for query in ("", "?set=layer", "?seed=4", "?set=layer&seed=999999"):
        show_exercise(page, query)
        expect(page.get_by_role("alert")).to_have_count(0)
    open_exercises(page, f"?set=model&seed=1&answer={quote('<img src=x onerror=alert(1)>')}")
    assert "can’t read this" in page.inner_text(".bc-verdict")
    assert 0 == page.locator("#exercise img").count()


@pytest.mark.parametrize(("name", "legend"), [("configuration", "Configuration"), ("mistake", "What was done?")])
def test_every_option_has_feedback(page: Page, name: str, legend: str) -> None:
    show_exercise(page, f"?set={name}&seed=5")
    question = exercise(name, 5)
    assert legend == page.inner_text("#exercise legend")
    (correct_option,) = (option for option in question.options if option.is_correct)
    wrong_options = [option for option in question.options if not option.is_correct]
    for option in (*wrong_options, correct_option):
        page.get_by_label(option.text, exact=True).check()
        press_button(page, "Check")
        expect(page.locator(".bc-verdict")).to_have_text(typeset(option.feedback))
    expect(page.locator(".bc-verdict")).to_have_attribute("data-kind", "right")
    assert ["Check", "Next variant"] == page.locator("#exercise .md-button--primary").all_inner_texts()
    assert typeset(correct_option.text) == page.locator("#exercise .bc-fold[open] > p").inner_text()
    for selector, steps in (("#exercise .bc-fold", question.solution), (".bc-exercise >", question.ledger)):
        expect(page.locator(f"{selector} .bc-solution li")).to_have_text(
            [typeset(f"{step.label} {step.text}") for step in steps]
        )


PATH = load_sets().path
"""The exercises that the page leads through, from a single cell to the whole model."""


def steps_of_path(page: Page) -> list[str]:
    """The steps of the path as the page lists them, with the credit earned for each."""
    return page.locator(".bc-path li").all_inner_texts()


def test_the_path_leads_from_a_cell_to_the_whole_model(page: Page) -> None:
    open_exercises(page)
    press_button(page, "Reset progress")
    open_exercises(page)
    assert [step.title for step in PATH] == steps_of_path(page)
    for index, step in enumerate(PATH):
        assert typeset(exercise(step.set, step.seed).text) == page.inner_text("#exercise .bc-asked")
        assert [step.title] == page.locator(".bc-path [aria-current=true]").all_inner_texts()
        answer(page, str(exercise(step.set, step.seed).answer))
        expect(page.locator(".bc-path > p")).to_contain_text(f"{index + 1} of {len(PATH)} points")
        if index == 0:
            open_exercises(page)  # the page then opens at the second step
            continue
        if index + 1 < len(PATH):
            press_button(page, f"Next step: {PATH[index + 1].title}")
    end = page.locator(".bc-end-of-path")
    expect(end).to_contain_text("You have walked the whole path")
    assert 3 == end.locator("a").count()
    press_button(page, "Reset progress")
    assert "0 of" in page.inner_text(".bc-path > p")


def test_a_right_part_of_the_sum_earns_partial_credit(page: Page) -> None:
    show_exercise(page, "?set=layer&seed=17")  # all layers of BERT-Mini, a step of the path
    answer(page, "789760")  # one layer
    expect(page.locator(".bc-credit-earned")).to_have_text("Partial credit: 91%, for the lines of the sum up to here.")
    assert "All layers 91%" in steps_of_path(page)
    answer(page, "65536")  # one matrix: the better credit stays
    assert "All layers 91%" in steps_of_path(page)
    show_exercise(page, "?set=layer&seed=43")
    open_fold(page, "Solution")  # from now on, answers to this exercise earn nothing
    answer(page, "65536")
    expect(page.locator(".bc-credit-earned")).to_be_empty()
    answer(page, "263168")
    assert "Self-attention" in steps_of_path(page)
    press_button(page, "Reset progress")


def test_a_second_choice_earns_half(page: Page) -> None:
    show_exercise(page, "?set=configuration&seed=5")
    for option in sorted(exercise("configuration", 5).options, key=lambda option: option.is_correct)[-2:]:
        page.get_by_label(option.text, exact=True).check()
        press_button(page, "Check")
    expect(page.locator(".bc-credit-earned")).to_have_text("Credit: 50%, because each wrong choice costs credit.")
    press_button(page, "Reset progress")


def sets_with_progress(page: Page) -> list[str]:
    """The sets with solved variants, as the list of sets shows them."""
    return page.locator("ul.bc-sets li:has(.bc-solved)").all_text_contents()


def test_progress_is_kept_and_can_be_reset(page: Page) -> None:
    show_exercise(page, "?set=model&seed=2")
    press_button(page, "Reset progress")
    assert [] == sets_with_progress(page)
    answer(page, "335141888")
    assert ["The whole model 1 solved"] == sets_with_progress(page)
    open_exercises(page, "?set=model&seed=1")
    assert ["The whole model 1 solved"] == sets_with_progress(page)
    solution = page.locator("#exercise details", has=page.locator("summary", has_text="Solution"))
    open_fold(page, "Solution")  # after this, an answer does not count, even once the solution is closed again
    expect(solution).to_have_attribute("open", "")
    open_fold(page, "Solution")
    expect(solution).not_to_have_attribute("open", "")
    answer(page, "109482240")
    assert ["The whole model 1 solved"] == sets_with_progress(page)
    press_button(page, "Next variant")
    expect(page).to_have_url(f"{PAGE}?set=model&seed=3")  # variant 2 is skipped, because it has been solved
    press_button(page, "Reset progress")
    assert [] == sets_with_progress(page)
    assert "Your progress has been reset." == page.inner_text(".bc-verdict")
    open_exercises(page)
    assert [] == sets_with_progress(page)


@pytest.mark.parametrize("item", ["{", "[]", "null", '{"model": "x", "tensor": [1, "<b>", 1], "toString": [1]}'])
def test_an_unreadable_value_in_storage_does_no_harm(page: Page, item: str) -> None:
    """The value may come from an older version of the page or from another program. Its readable parts are used."""
    page.evaluate("item => localStorage.setItem('bert-counted: solved exercises', item)", item)
    open_exercises(page, "?set=model&seed=1")
    assert sets_with_progress(page) == (["One tensor 1 solved"] if "tensor" in item else [])
    press_button(page, "Reset progress")


def test_the_exercises_work_in_a_browser_without_storage(open_tab: Callable[..., Page]) -> None:
    """Progress is then kept only while the page is open."""
    page = open_tab(locale="en")
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('kept from you') } })"
    )
    page.goto(f"{PAGE}?set=model&seed=1&answer=109482240")
    expect(page.locator("ul .bc-solved")).to_have_text("1 solved")
    page.get_by_role("link", name="Memory").click()
    assert "?set=model&seed=2" == page.get_by_role("link", name="The whole model").get_attribute("href")


def copy_by_button(page: Page, name: str) -> str:
    """Press a button that copies something, and return the text on the clipboard once the page confirms it."""
    press_button(page, f"Copy {name.lower()}")
    expect(page.locator("#exercise [role=status]", has_text=f"{name} copied")).to_be_visible()
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def test_the_address_and_the_frame_of_an_exercise_can_be_copied(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page for teachers shows the same code for a frame."""
    site = page.url.partition("try/")[0]
    monkeypatch.setenv("SITE_URL", site)
    show_exercise(page, "?set=layer&seed=7&answer=1&x=y")
    assert f"{site}{PAGE}?set=layer&seed=7" == copy_by_button(page, "Link")
    assert snippet("moodle") == f"```html\n{copy_by_button(page, 'Frame')}\n```"
    expect(page.get_by_label("Text to copy")).to_be_hidden()
    for name, exercises in load_sets().sets.items():
        show_exercise(page, f"?set={name}&seed=2")
        assert f'height="{exercises.frame}"' in copy_by_button(page, "Frame")


@pytest.mark.parametrize("clipboard", ["undefined", "{ writeText: () => Promise.reject(new Error('refused')) }"])
def test_a_text_that_cannot_be_copied_is_selected(page: Page, clipboard: str) -> None:
    page.evaluate(f"Object.defineProperty(navigator, 'clipboard', {{ configurable: true, value: {clipboard} }})")
    show_exercise(page, "?set=layer&seed=7")
    press_button(page, "Copy link")
    field = page.get_by_label("Text to copy")
    expect(field).to_be_focused()
    assert field.input_value().endswith("?set=layer&seed=7")
    assert field.input_value() == page.evaluate("getSelection().toString()")
    expect(page.locator("#exercise [role=status]", has_text="The text is selected; copy it with")).to_be_visible()
    page.evaluate("delete navigator.clipboard")


PAGES_WITH_EXERCISES = {
    "embeddings": "parts/embeddings.html",
    "attention": "parts/attention.html",
    "attention-heads": "parts/attention-heads.html",
    "feed-forward": "parts/feed-forward.html",
    "layer-norm": "parts/layer-norm.html",
    "encoder-layer": "parts/encoder-layer.html",
    "heads": "parts/heads.html",
    "operations": "run/operations.html",
    "changed": "changed/index.html",
}
"""The pages that end with exercises, by their names in `exercises.toml`."""


@pytest.mark.parametrize(("name", "path"), PAGES_WITH_EXERCISES.items())
def test_no_page_contains_the_answers_to_its_exercises(pages: Pages, name: str, path: str) -> None:
    """Readers have to work the answers out, and cannot copy them from the text above."""
    article = copy(pages[path].article)
    assert article
    for exercises in article.select(".bc-exercises"):
        exercises.decompose()
    answers = [f"{exercise(*set_and_seed).answer:,}" for set_and_seed in load_sets().pages[name]]
    assert answers
    assert [] == [number for number in answers if number in re.findall(r"[0-9][0-9,]*", str(article))]


def test_the_page_of_exercises_contains_no_answer_to_its_path(pages: Pages) -> None:
    """The exercises with solutions, further down on the page, are about models that the path does not use."""
    numbers = re.findall(r"[0-9][0-9,]*", str(pages[PAGE].article))
    # The answer to the first step is 1, and every page has this digit somewhere.
    answers = {step: exercise(step.set, step.seed).answer for step in PATH}
    assert [] == [step for step, answer in answers.items() if answer > 1 and f"{answer:,}" in numbers]


# --- Counting a whole model ---------------------------------------------------------

LEDGER = [
    "23,440,896",
    "393216",
    "1536",
    "2*768",
    "1771776",
    "590592",
    "1536",
    "2362368",
    "2360064",
    "1536",
    "7,087,872",
    "12*7087872",
    "590592",
    "109482240",
]
"""The answers to the fields of the ledger. Source: BertModel in transformers with the config of bert-base-uncased.

The fields are those of three tables, LayerNorm, the parts of a layer, a layer, all layers, the pooler and the total.
"""


@pytest.fixture(autouse=True)
def clear_stored_fields(page: Page) -> None:
    """Empty the stored fields before each test."""
    page.evaluate("localStorage.removeItem('bert-counted: counted along')")


def count_along(page: Page, numbers: list[str]) -> None:
    """Type numbers into the fields from top to bottom, and press Enter after each."""
    for index, text in enumerate(numbers):
        page.locator(f"#ledger-{index}").fill(text)
        page.locator(f"#ledger-{index}").press("Enter")


WAITING_MESSAGE = "Checked once the fields above are right"
"""The message at the first field that is not checked yet, because a field above it is wrong or empty."""


def test_a_whole_model_can_be_counted_field_by_field(page: Page) -> None:
    open_exercises(page)
    assert len(LEDGER) == page.locator("#ledger li").count()
    status = page.locator("#ledger [role=status]")
    count_along(page, LEDGER[:1])
    expect(page.locator("#ledger-1")).to_be_focused()
    # Fields below an empty one are not checked yet.
    page.locator("#ledger-2").fill("5")
    page.locator("#ledger-2").press("Enter")
    expect(page.locator("#ledger li[data-state=right]")).to_have_count(1)
    expect(page.locator("#ledger li").nth(2)).to_contain_text(WAITING_MESSAGE)
    count_along(page, LEDGER[:-1])
    expect(status).to_have_text("")
    count_along(page, LEDGER)
    assert len(LEDGER) == page.locator("#ledger li[data-state=right]").count()
    expect(status).to_have_text("Everything is right.")
    # Source: BertModel in transformers. Of its 109,482,240 parameters, the layers have 12 × 7,087,872, and the word
    # table has 23,440,896. Of the 7,087,872 in a layer, the feed-forward network has 4,722,432.
    lessons = page.locator(".bc-learned")
    for text in ("BERT base, uncased as BertModel: 109,482,240", "77.7% of", "66.6% of a layer", "21.4% of"):
        expect(lessons).to_contain_text(text)
    page.locator("#ledger-3").fill("1")
    page.locator("#ledger-3").press("Enter")
    expect(lessons).to_have_count(0)


def test_right_fields_are_kept_and_fill_the_picture(page: Page) -> None:
    open_exercises(page)
    page.get_by_label("Model", exact=True).select_option("bert-large-uncased")
    page.get_by_label("Class").select_option("BertForPreTraining")
    count_along(page, ["31254528", "524288"])
    page.reload()
    expect(page.locator("#ledger-0")).to_have_value("31254528")
    expect(page).to_have_url(re.compile("model=bert-large-uncased&class=BertForPreTraining"))
    assert ["0", "1"] == page.locator("#ledger [data-field]:not(.bc-yet)").evaluate_all(
        "blocks => blocks.map(block => block.dataset.field)"
    )
    # The field for all layers fills the other 23 layers, each of six blocks.
    assert 23 * 6 == page.locator('#ledger [data-field="11"]').count()
    page.get_by_role("button", name="Clear all fields").click()
    page.reload()
    expect(page.locator("#ledger-0")).to_have_value("")
    assert 0 == page.locator("#ledger [data-field]:not(.bc-yet)").count()


def test_two_tabs_share_what_is_typed_in_either(page: Page) -> None:
    open_exercises(page)
    second_tab = page.context.new_page()
    open_exercises(second_tab)
    page.locator("#ledger-0").fill("23440896")
    second_tab.locator("#ledger-1").fill("393216")
    page.locator("#ledger-2").fill("1536")
    expect(second_tab.locator("#ledger-0")).to_have_value("23440896")
    expect(page.locator("#ledger-1")).to_have_value("393216")
    second_tab.reload()
    for index, number in enumerate(("23440896", "393216", "1536")):
        expect(second_tab.locator(f"#ledger-{index}")).to_have_value(number)
    second_tab.get_by_role("button", name="Clear all fields").click()
    expect(page.locator("#ledger-1")).to_have_value("")
    second_tab.close()


def test_a_field_does_not_erase_what_another_tab_has_stored(page: Page) -> None:
    """A tab that was not notified of what another tab stored still writes only the field that was edited."""
    open_exercises(page)
    page.locator("#ledger-0").fill("1")
    page.evaluate("""() => {
      const name = "bert-counted: counted along"
      localStorage.setItem(name, JSON.stringify({ "bert-base-uncased BertModel": ["1", "2"], "another": ["3"] }))
    }""")
    page.locator("#ledger-2").fill("4")
    store = page.evaluate("JSON.parse(localStorage.getItem('bert-counted: counted along'))")
    assert ["1", "2", "4"] == store["bert-base-uncased BertModel"][:3]
    assert ["3"] == store["another"]


def test_only_the_first_wrong_field_is_explained(page: Page) -> None:
    open_exercises(page)
    count_along(page, [*LEDGER[:4], "590592", LEDGER[5], "5"])
    assert 1 == page.locator("#ledger li", has_text=WAITING_MESSAGE).count()
    wrong_field = page.locator("#ledger li[data-state=wrong]")
    expect(wrong_field).to_have_count(1)
    assert "You would get 590,592 if you counted query, key and value as one matrix." in wrong_field.inner_text()
    expect(page.locator("#ledger [role=status]")).to_contain_text("query, key and value in one layer: You would get")
    assert "true" == page.locator("#ledger-4").get_attribute("aria-invalid")
    assert WAITING_MESSAGE in page.locator("#ledger li").nth(5).inner_text()
    page.locator("#ledger-4").fill(LEDGER[4])
    page.locator("#ledger-4").press("Tab")
    assert page.locator("#ledger-4").get_attribute("aria-invalid") is None
    assert "true" == page.locator("#ledger-6").get_attribute("aria-invalid")
    assert 6 == page.locator("#ledger li[data-state=right]").count()


def test_feedback_names_the_part_that_has_the_number(page: Page) -> None:
    """The part is a better reason than a mistyped digit."""
    open_exercises(page)
    wrong_field = page.locator("#ledger li[data-state=wrong]")
    count_along(page, ["2360064"])
    assert "belongs to another field: the second dense layer" in wrong_field.inner_text()
    count_along(page, ["23835648"])
    assert "counts the word embeddings, the position embeddings and the segment embeddings." in wrong_field.inner_text()
    count_along(page, ["97531246"])
    message = wrong_field.inner_text()
    assert "We can’t tell how you got that. This field is for the word embeddings. As a formula: V·H." in message
    count_along(page, [*LEDGER[:3], "1537"])
    assert "mistyped" in wrong_field.inner_text()


def test_any_checkpoint_and_class_can_be_counted(page: Page) -> None:
    open_exercises(page)
    count_along(page, LEDGER[:2])
    page.get_by_label("Model", exact=True).select_option("bert-large-uncased")
    assert "1,024" in page.inner_text("#ledger .bc-given")
    page.get_by_label("Class").select_option("BertForMaskedLM")
    labels = page.locator("#ledger label").all_inner_texts()
    assert "the pooler" not in labels
    assert "the whole of BertForMaskedLM" == labels[-1]
    assert "" == page.input_value("#ledger-0")
    bert_models = [model for model in {**load_models(), **load_relatives()}.values() if model.architecture is BERT]
    assert len(bert_models) == page.locator("#ledger-model option").count()
    assert 8 == page.locator("#ledger-class option").count()  # the classes of BERT in transformers


# --- The page as a whole ----------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "selector"), [("?set=layer&seed=4&answer=8388608", "article"), ("?set=mistake&seed=28", "#exercise")]
)
def test_the_page_is_accessible_while_in_use(page: Page, query: str, selector: str) -> None:
    """The rest of the page looks the same with both kinds of exercise: with a field and with options."""
    open_exercises(page, query)
    open_fold(page, "Hint 1")
    open_fold(page, "Solution")
    count_along(page, [*LEDGER[:2], "5"])
    page.evaluate(REMOVE_REPEATED, selector)
    assert [] == faults_in_windows(page, selector)
    page.set_viewport_size(WIDTHS["desktop"])


def test_the_tab_key_reaches_everything_in_reading_order(page: Page) -> None:
    page.evaluate("localStorage.clear()")
    show_exercise(page, "?set=model&seed=1")
    page.locator(".bc-path a").first.focus()
    stops = []
    steps = [step.title for step in PATH]
    titles = [exercises.title for exercises in load_sets().sets.values()]
    folds = page.locator("#exercise summary").all_inner_texts()
    for _ in range(len(steps) + len(titles) + len(folds) + 6):
        stops.append(page.evaluate("document.activeElement.textContent || document.activeElement.name"))
        page.keyboard.press("Tab")
    *folds_of_exercise, fold_of_sets = folds
    buttons = ["Next variant", "Copy link", "Copy frame"]
    assert [*steps, "answer", "Check", *folds_of_exercise, *buttons, fold_of_sets, *titles, "Reset progress"] == stops


def test_without_scripts_there_are_exercises_with_solutions(scriptless_tab: Page) -> None:
    """There are no fields for answers, because nothing could judge the answers."""
    scriptless_tab.goto(PAGE)
    solutions = scriptless_tab.locator("#exercises-fixed .bc-fold").filter(has_text="Solution")
    assert len(load_sets().pages["fixed"]) == solutions.count()
    expect(scriptless_tab.locator("form:visible input[name=answer]")).to_have_count(0)
    scriptless_tab.locator("details:has(> #exercises-fixed) > summary").click()
    solutions.nth(3).locator("summary").click()
    expect(solutions.nth(3)).to_contain_text("109,482,240")


OTHER_PAGES_WITH_EXERCISES = {"try/exercises.html", "teach/question-banks.html"}
"""Pages whose exercises are not at their end."""


def test_pages_end_with_their_exercises(pages: Pages) -> None:
    names = [
        name
        for name, page in pages.items()
        if name not in OTHER_PAGES_WITH_EXERCISES and page.select(".bc-exercises form")
    ]
    assert "parts/heads.html" in names
    for name in names:
        headings = [heading["id"] for heading in pages[name].select("article h2[id]")]
        assert ["exercises", "sources"] == headings[-2:], (
            f"{name}: the last sections must be the exercises and the sources"
        )
        for form in pages[name].select(".bc-exercises form"):
            assert "../try/exercises.html" == form["action"]
            values = {str(field["name"]): str(field.get("value", "")) for field in form.select("input")}
            assert typeset(exercise(values["set"], int(values["seed"])).text) in form.parent.get_text()  # type: ignore[union-attr]


def test_an_answer_given_on_another_page_is_judged(page: Page) -> None:
    page.goto("parts/heads.html#exercises")
    field = page.locator(".bc-exercises input[name=answer]").first
    field.fill("262656")
    field.press("Enter")
    expect(page.locator(".bc-verdict")).to_have_text("Right.")
