"""The order of pages for programs: that of the navigation, however a generator writes it."""

import pytest

from macros.publish.for_machines import MORE, START, Listed, in_order

NAVIGATION = """
<nav class="md-nav md-nav--primary">
<a href="{0}map.html" class="md-nav__link">The map</a>
<label class="md-nav__title" for="__nav_2"><span class="md-nav__icon"></span> Parts </label>
<a href="{0}parts/heads.html" class="md-nav__link">Heads</a></nav>
</nav>
</div>
"""


@pytest.mark.parametrize("before", ["", "./"])
def test_pages_stand_in_the_order_of_the_navigation(before: str) -> None:
    """MkDocs writes an address as it is, and Zensical with a dot; what the navigation lacks comes last."""
    found = in_order(NAVIGATION.format(before), ["404.html", "parts/heads.html", "map.html"])
    assert [Listed(START, "map.html"), Listed("Parts", "parts/heads.html"), Listed(MORE, "404.html")] == found
