"""The whole calculator, to the last attribute: what was read when it was recorded.

That its numbers are true is tested here and in test_calculator.py, by counting
them again; here nothing changes unseen besides. `make record` records what it
shows and exports now, and the difference is there to be read.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from macros.counting.changes import total, trainable
from playwright.sync_api import Browser, Page

from tests.docs.conftest import page_of_new_site
from tests.docs.outlines import EXPORTED, RECORDED, STATES, changed, exports, opened, outline, panels

READ = RECORDED.read_text(encoding="utf-8").removesuffix("\n")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page that goes from state to state."""
    opened = browser.new_context()
    yield opened.new_page()
    opened.close()


@pytest.mark.parametrize("place", range(len(STATES)))
def test_the_calculator_is_as_it_was_read(page: Page, address: str, place: int) -> None:
    """Elements, attributes, words and numbers of all panels; the total and what is trained are the engine's."""
    state = STATES[place]
    opened(page, address, state)
    counted, trained = total(state.asked, state.changes), trainable(state.asked, state.changes)
    assert f"{counted:,}" == page.inner_text(".bc-digits")
    said = page.inner_text(".bc-trained").partition(" of them")[0]
    assert ("" if trained == counted else f"{trained:,}") == said
    assert [] == changed(panels(page, state), READ)


def test_exports_are_as_they_were_read(page: Page, address: str) -> None:
    """Snippets for transformers and PEFT and tables in Markdown; CSV and JSON of one; all of what the engine counts."""
    opened(page, address, STATES[-1])
    for (counted, texts), state in zip(exports(page), EXPORTED, strict=True):
        if not state.typed:
            assert str(total(state.asked, state.changes)) == counted
            assert f"(p.numel() for p in parameters))  # {counted}\n" in texts
        assert [] == changed(texts, READ)


@pytest.mark.parametrize(
    ("old", "new"), [("589,824", "589,825"), ('class="bc-key ', 'class="bc-'), ('scope="col"', 'scope="row"')]
)
def test_a_changed_panel_is_noticed(old: str, new: str) -> None:
    """Another digit, another class and another attribute."""
    first = READ.partition("\n=== ")[0]
    assert [] == changed(first, READ)
    assert changed(first.replace(old, new, 1), READ)


def test_an_outline_has_all_but_coordinates() -> None:
    """Blocks on lines of their own, pieces of lines together; models that are not chosen are left out."""
    html = (
        '<div><p class="a">one <b>two</b></p><svg><g><rect x="1" class="c"/></g></svg>'
        '<select><optgroup><option value="x">X</option></optgroup><option selected value="">None</option></select>'
        "</div>"
    )
    assert [
        "<div>",
        '  <p class="a">one <b>two</b></p>',
        "  <svg>",
        '    <g><rect class="c"></rect></g>',
        "  <select>",
        '    <option selected="" value="">None</option>',
    ] == outline(html)


def main() -> None:
    """Record anew what the calculator shows and exports."""
    with page_of_new_site() as (page, address):
        found = [panels(opened(page, address, state), state) for state in STATES]
        found += [texts for _, texts in exports(page)]
        RECORDED.write_text("\n".join(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
