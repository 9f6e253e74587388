"""How much a selector counts, as the standard has it, and which siblings it looks at."""

from xml.etree.ElementTree import fromstring

import pytest
import tinycss2

from macros.publish.figures.selectors import Placed, matches, specificity, steps


# Source: Selectors Level 4, "Calculating a selector's specificity".
@pytest.mark.parametrize(
    ("selector", "counts"),
    [
        ("*", (0, 0, 0)),
        ("li", (0, 0, 1)),
        ("ul li", (0, 0, 2)),
        ("ul ol + li", (0, 0, 3)),
        ("h1 + *[rel=up]", (0, 1, 1)),
        ("ul ol li.red", (0, 1, 3)),
        ("li.red.level", (0, 2, 1)),
        ("#x34y", (1, 0, 0)),
        ("#s12:not(foo)", (1, 0, 1)),
        ("#a #b > #c", (3, 0, 0)),
        (".foo :is(.bar, #baz)", (1, 1, 0)),
        (".a:is(.b, c d)", (0, 2, 0)),
        (".a.b:is(.c.d, e)", (0, 4, 0)),
        (".a:not(.b.c.d)", (0, 4, 0)),
        ("a b:not(c d)", (0, 0, 4)),
        ("a b:has(> c d e)", (0, 0, 5)),
        ("#a#b:has(#c#d#e)", (5, 0, 0)),
        ("a:hover", (0, 1, 1)),
        (".a li:nth-child(2)", (0, 2, 1)),
    ],
)
def test_how_much_a_selector_counts(selector: str, counts: tuple[int, int, int]) -> None:
    """Ids before classes, attributes and states, and those before elements; in brackets the one that counts most."""
    assert counts == specificity(tinycss2.parse_component_value_list(selector))


@pytest.mark.parametrize(
    ("selector", "selected"),
    [
        ("b", [1, 3]),
        ("a + b", [1]),
        ("b + c", [2]),
        ("a + c", []),
        ("a ~ b", [1, 3]),
        ("a ~ c", [2]),
        ("c + b", [3]),
        ("b ~ a", []),
        ("x > b", [1, 3]),
        (" b", [1, 3]),
        ("> b", []),
        ("*", [0, 1, 2, 3]),
        ("b:not(:has(d))", [1]),
        ("b:has(> e)", []),
        ("b:has(> d > e)", [3]),
        (":has(e)", [3]),
        ("b:where(b)", []),
    ],
)
def test_which_siblings_are_selected(selector: str, selected: list[int]) -> None:
    """By those before them: the nearest after a plus sign, any after a tilde."""
    root = Placed(fromstring("<x><a/><b/><c/><b><d><e/></d></b></x>"))  # noqa: S314  it is our own
    asked = steps(tinycss2.parse_component_value_list(selector))
    assert selected == [each.place for each in root.inner if matches(each, asked)]
    assert not matches(root, steps(tinycss2.parse_component_value_list("a ~ x")))
