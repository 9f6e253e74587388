"""Sums on a page: labels of lines, and terms with the paths of what they count."""

from bs4 import BeautifulSoup, Tag

from macros.rendering.components import sum_html
from macros.rendering.components.asking import ask

ONE_LAYER = "bert/encoder/layer_0"


def read(html: str) -> Tag:
    """The sum in some HTML."""
    steps = BeautifulSoup(html, "html.parser").select_one(".bc-steps")
    assert steps
    return steps


def terms(line: Tag) -> list[tuple[str, str, bool]]:
    """The terms and the result of a line: text, paths, and whether it counts any one of several."""
    return [
        (element.get_text(), str(element.get("data-part", "")), element.has_attr("data-each"))
        for element in line.select(".bc-term")
    ]


def test_every_line_says_what_it_counts() -> None:
    """Every line has its label, every term its path, and every size its letter."""
    steps = read(sum_html.in_lines(ask("bert/pooler")))
    assert ("ol", "bert/pooler", "BertModel") == (steps.name, steps["data-asked-part"], steps["data-class"])
    assert ["the matrix of the pooler", "the pooler"] == [step.get_text() for step in steps.select(".bc-what")]
    first, last = steps.select(".bc-line-of-sum")
    assert ("768 × 768 = 589,824", "589,824 + 768 = 590,592") == (first.get_text(), last.get_text())
    kernel, bias = "bert/pooler/dense/kernel", "bert/pooler/dense/bias"
    assert [("768 × 768", kernel, False), ("589,824", kernel, False)] == terms(first)
    assert [("589,824", kernel, False), ("768", bias, False), ("590,592", "bert/pooler", False)] == terms(last)
    assert ["H", "H"] == [element["data-letter"] for element in first.select("[data-letter]")]
    assert ["H"] == [element["data-letter"] for element in last.select("[data-letter]")]


def test_a_term_may_count_any_one_of_several_modules() -> None:
    """A term for four equal dense layers counts any one of them, and the result counts all."""
    steps = read(sum_html.in_one_line(ask(ONE_LAYER, "self-attention")))
    assert ("span", "self-attention") == (steps.name, steps["data-asked-tag"])
    four = " ".join(f"bert/encoder/layer_*/attention/{name}" for name in ("self/query", "self/key", "self/value"))
    four += " bert/encoder/layer_*/attention/output/dense"
    # Query, key and value are all that lies under `self`, so the result has one path for the three.
    together = "bert/encoder/layer_*/attention/self bert/encoder/layer_*/attention/output/dense"
    assert [("4 × 590,592", four, True), ("2,362,368", together, False)] == terms(steps)


def test_a_single_number_is_its_own_sum() -> None:
    """The sum of a vector is its length, without any arithmetic."""
    steps = read(sum_html.in_one_line(ask("bert/pooler/dense/bias")))
    assert [("768", "bert/pooler/dense/bias", False)] == terms(steps)
    assert "768" == steps.get_text()


def test_what_is_missing_is_taken_away() -> None:
    """A part that a deviation leaves out has a minus sign and no path."""
    steps = read(sum_html.in_one_line(ask()._replace(deviations=("pooler-left-out",))))
    assert "109,482,240 − 590,592 = 108,891,648" == steps.get_text()
    assert ("590,592", "", False) == terms(steps)[1]
    assert not steps.has_attr("data-asked-part")
