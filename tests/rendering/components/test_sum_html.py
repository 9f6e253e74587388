"""The lines of a sum on a page are labelled, and each term has the paths of the tensors that it counts."""

from bs4 import BeautifulSoup, Tag

from macros.rendering.components import sum_html
from macros.rendering.components.asking import ask

ONE_LAYER = "bert/encoder/layer_0"


def sum_in(html: str) -> Tag:
    """The element of the sum in a piece of HTML."""
    steps = BeautifulSoup(html, "html.parser").select_one(".bc-steps")
    assert steps
    return steps


def terms(line: Tag) -> list[tuple[str, str, bool]]:
    """The text and paths of each term and of the result, with True if it counts any one of its paths."""
    return [
        (element.get_text(), str(element.get("data-part", "")), element.has_attr("data-each"))
        for element in line.select(".bc-term")
    ]


def test_lines_terms_and_sizes_are_labelled() -> None:
    steps = sum_in(sum_html.in_lines(ask("bert/pooler")))
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
    """A term for four equal dense layers counts any one of them; the result counts all four."""
    steps = sum_in(sum_html.last_line(ask(ONE_LAYER, "self-attention")))
    assert ("span", "self-attention") == (steps.name, steps["data-asked-tag"])
    paths_of_four = " ".join(
        f"bert/encoder/layer_*/attention/{name}" for name in ("self/query", "self/key", "self/value")
    )
    paths_of_four += " bert/encoder/layer_*/attention/output/dense"
    # `self` consists of query, key and value, so the result has one path for the three.
    shortest_paths = "bert/encoder/layer_*/attention/self bert/encoder/layer_*/attention/output/dense"
    assert [("4 × 590,592", paths_of_four, True), ("2,362,368", shortest_paths, False)] == terms(steps)


def test_a_sum_in_one_line_starts_from_sizes() -> None:
    steps = sum_in(sum_html.in_one_line(ask(ONE_LAYER, "feed-forward")))
    assert "768 × 3,072 + 3,072 + 3,072 × 768 + 768 = 4,722,432" == steps.get_text()
    assert ["H", "F", "F", "F", "H", "H"] == [element["data-letter"] for element in steps.select("[data-letter]")]
    paths = [f"bert/encoder/layer_*/{end}" for end in ("intermediate/dense/kernel", "intermediate/dense/bias")]
    assert paths == [path for _, path, _ in terms(steps)[:2]]


def test_a_single_number_is_its_own_sum() -> None:
    steps = sum_in(sum_html.in_one_line(ask("bert/pooler/dense/bias")))
    assert [("768", "bert/pooler/dense/bias", False)] == terms(steps)
    assert "768" == steps.get_text()


def test_a_part_that_a_deviation_leaves_out_is_subtracted_and_has_no_path() -> None:
    steps = sum_in(sum_html.in_one_line(ask()._replace(deviations=("pooler-left-out",))))
    assert "109,482,240 − 590,592 = 108,891,648" == steps.get_text()
    assert ("590,592", "", False) == terms(steps)[1]
    assert not steps.has_attr("data-asked-part")
