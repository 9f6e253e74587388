"""Links to the hand-outs as PDF."""

from macros.publish.page import Page
from macros.publish.printed import add_links


def test_the_places_of_a_page_are_filled() -> None:
    """With a link to the file for each size of paper, from where the page is."""
    page = Page("teach/a.html", '<p><span class="bc-printed" data-sheet="two-pages"></span></p>')
    add_links(page)
    files = ("two-pages-a4.pdf", "two-pages-letter.pdf")
    assert [f"../hand-outs/{file}" for file in files] == [each.attributes["href"] for each in page.tree.css("a")]
    assert [": PDF for A4, PDF for Letter"] == [each.text() for each in page.tree.css("p")]
