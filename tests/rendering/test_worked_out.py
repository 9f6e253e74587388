"""The block "Worked out" has the sum, results, shares and formula of a part; the line below a figure has its sum."""

import ast
import re
from contextlib import suppress

from bs4 import BeautifulSoup

from macros.counting import CountingError, Question
from macros.rendering.components.asking import LARGE, ask
from macros.rendering.worked_out import block, last_line
from tests.docs.building import ROOT


def parse(html: str) -> BeautifulSoup:
    """Parse HTML."""
    return BeautifulSoup(html, "html.parser")


def test_a_block_has_a_sum_results_shares_a_formula_and_tensors() -> None:
    page = parse(block(ask("bert/pooler"), ""))
    assert ["shapes", "worked", "results", "results-caption", "formula", "sizes", "tensors", "tensors-caption"] == [
        str(element["id"]) for element in page.select("[id]")
    ]
    texts = [" ".join(paragraph.get_text().split()) for paragraph in page.find_all("p")]
    sum_of_large = "The same sum for BERT large: 1,024 × 1,024 + 1,024 = 1,049,600."
    shares = "This part is 0.5% of BERT base and 0.3% of BERT large."
    assert ["BERT base, line by line: #", f"{sum_of_large} {shares} #"] == texts[:2]
    assert ["#worked", "#results", "#tensors"] == [str(link["href"]) for link in page.select(".bc-permalink")]
    # The sum ends with the total, so the table of tensors does not repeat it.
    assert not page.tfoot


def test_a_part_of_a_layer_has_the_share_of_one_layer() -> None:
    """A part that occurs in every layer is counted in one layer, as the sentence about its share states."""
    pages = {tag: parse(block(ask("bert/encoder/layer_0", tag), "")).get_text() for tag in ("", "self-attention")}
    # Of 109,482,240 parameters, one layer has 7,087,872, and its self-attention has 2,362,368.
    assert "A single layer is 6.5% of BERT base" in pages[""]
    words = "In one layer, this part is 2.2% of the whole of BERT base and 1.3% of BERT large."
    assert words in pages["self-attention"]
    norms = parse(block(ask("bert/encoder/layer_0", "LayerNorm"), "")).get_text()
    assert "this part is under 0.1% of the whole of BERT base and of BERT large." in norms


def test_only_base_has_a_fold_for_other_sizes() -> None:
    """The fold has attributes that specify what its script counts, and a link to the calculator."""
    fold = parse(block(ask("bert/encoder/layer_0", "LayerNorm"), "")).select_one("#sizes")
    assert fold
    attributes = {"data-of-class": "BertModel", "data-path": "bert/encoder/layer_0", "data-tag": "LayerNorm"}
    assert attributes == {key: fold[key] for key in attributes}
    assert fold.a
    assert "site-root:try/calculator.html" == fold.a["href"]
    assert ["Every tensor, with its shape"] == [
        summary.get_text() for summary in parse(block(ask(model=LARGE), "")).select("details > summary")
    ]


def test_a_second_block_has_its_own_ids() -> None:
    """Every id begins with the name of the block, except that the other model's result can keep a published id."""
    page = parse(block(ask("bert/pooler"), "x", results="old", has_table=False))
    assert ["x-shapes", "x-worked", "old", "old-caption", "x-formula", "x-sizes"] == [
        str(element["id"]) for element in page.select("[id]")
    ]
    assert not page.table


def test_a_block_about_the_whole_of_large_has_the_sum_of_base_and_no_share() -> None:
    page = parse(block(ask(model=LARGE), ""))
    assert "BERT large, line by line:" in page.get_text()
    assert "The same sum for BERT base: 23,837,184 + 12 × 7,087,872 + 590,592 = 109,482,240." in page.get_text()
    assert "This part is" not in page.get_text()


def test_the_line_below_a_figure_names_its_model() -> None:
    """The line begins with the model, and it has an id only if it is given a name."""
    assert "BERT base: 589,824 + 768 = 590,592" == parse(last_line(ask("bert/pooler"), "")).get_text()
    assert not parse(last_line(ask("bert/pooler"), "")).select("[id]")
    line_of_large = parse(last_line(ask("bert/pooler", model=LARGE), "n"))
    assert "BERT large: 1,048,576 + 1,024 = 1,049,600\N{NO-BREAK SPACE}#" == line_of_large.get_text()
    assert ["n", "n-caption"] == [str(element["id"]) for element in line_of_large.select("[id]")]


def calls_on(source: str, macro: str) -> list[ast.Call]:
    """The calls of a macro in the source of a page."""
    texts = re.findall(rf"{{{{ ({macro}\([^()]*\)) }}}}", source)
    expressions = [ast.parse(text, mode="eval").body for text in texts]
    return [expression for expression in expressions if isinstance(expression, ast.Call)]


def mistakes_elsewhere(source: str) -> list[str]:
    """The mistakes in the tables of a page that change nothing that the page works out."""
    questions = []
    for call in calls_on(source, "worked"):
        named_values = {keyword.arg: ast.unparse(keyword.value).strip("'") for keyword in call.keywords}
        # Both arguments may be left out.
        part, tag, *_ = [*map(ast.literal_eval, call.args), "", ""]
        model_class = named_values.get("model_class", "")
        questions.append(ask(part, named_values.get("tag", tag), model_class=model_class))
    names = [ast.literal_eval(name) for call in calls_on(source, "mistakes_table") for name in call.args]

    def changes(question: Question, name: str) -> bool:
        """Return whether a mistake changes the answer; one in a part that the class lacks changes nothing."""
        with suppress(CountingError):
            return question._replace(deviations=(name,)).number != question.number
        return False

    return [name for name in names if questions and not any(changes(question, name) for question in questions)]


PAGES_OF_PARTS = sorted((ROOT / "docs" / "parts").glob("*.md"))


def test_mistakes_on_a_page_are_about_what_it_works_out() -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in PAGES_OF_PARTS}
    assert {} == {name: wrong for name, source in sources.items() if (wrong := mistakes_elsewhere(source))}


def test_a_mistake_in_another_part_is_noticed() -> None:
    source = '{{ worked("bert/embeddings") }} {{ mistakes_table("segments-forgotten", "encoder-norms-forgotten") }}'
    assert ["encoder-norms-forgotten"] == mistakes_elsewhere(source)
