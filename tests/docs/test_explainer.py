"""The explainer, in a worker and without one: what it tells of a question, in which order, and what it keeps quiet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.scripts import I_GOT, import_modules
from tests.docs.windows import watch

WAYS = ("in a worker", "where workers are missing", "where one is broken")

INSTEAD = """broken => {
  window.Worker = new Proxy(Worker, {
    construct(real, [source, ...options], made) {
      if (!/explainer/.test(source)) return Reflect.construct(real, [source, ...options], made) // that of the search
      if (broken === "missing") throw new Error("no workers")
      const instead = { postMessage() {} }
      setTimeout(() => instead.onerror(new Event("error", { cancelable: true })))
      return instead
    },
  })
}"""
"""Workers of ours that cannot be made, or fail once they are."""

FRAME = "() => new Promise(done => setTimeout(done, 300))"

TOLD = """asked => {
  window.told = []
  const { explainer } = bertCounted
  for (const text of asked) {
    if (text === "drop") explainer.drop()
    else explainer.ask(text, "", (found, final) => told.push([text, final, found.length > 0]))
  }
}"""
"""Ask one question after the other at once; what is told of each is whether it is the whole answer, and any at all."""

ENDED = "last => told.some(([text, final]) => text === last && final)"


@pytest.fixture(params=WAYS)
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    """The page that explains numbers, on which nothing is prepared yet."""
    context = browser.new_context()
    page = context.new_page()
    errors = watch(page, address)
    if request.param != "in a worker":
        page.add_init_script(f"({INSTEAD})({request.param.split()[-1]!r})")
    page.goto(f"{address}/{I_GOT}")
    import_modules(page)
    yield page
    context.close()
    assert [] == errors


def told(page: Page, *asked: str) -> list[list[object]]:
    """What is told of questions that are asked at once, until the last is answered."""
    page.evaluate(TOLD, asked)
    page.wait_for_function(ENDED, arg=asked[-1], timeout=20_000)
    found: list[list[object]] = page.evaluate("told")
    return found


def test_what_is_sure_is_told_before_the_whole_answer(page: Page) -> None:
    """At the first question, while other ways are still worked out, and at later ones."""
    for typed, sure in (("109482240", True), ("97531246", False), ("590592", True)):
        assert [[typed, False, sure], [typed, True, True]] == told(page, typed)


def test_only_the_last_question_is_answered(page: Page) -> None:
    """One that is asked meanwhile takes the place of that before it."""
    assert {"590592"} == {text for text, _, _ in told(page, "109482240", "769", "590592")}


def test_a_question_that_is_dropped_is_not_answered(page: Page) -> None:
    """The next one is."""
    page.evaluate(TOLD, ["109482240", "drop"])
    page.evaluate(FRAME)
    assert [] == page.evaluate("told")
    assert [["590592", False, True], ["590592", True, True]] == told(page, "590592")
