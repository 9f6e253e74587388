"""Formulas become MathML that may break between terms, with brackets where they are needed."""

import re

import pytest
from bs4 import BeautifulSoup

from macros.counting import Question, model_named
from macros.counting.published.bridges import bridge
from macros.rendering.components import formulas
from macros.rendering.components.asking import ask

BASE = model_named("bert-base-uncased")


def text_of(html: str) -> str:
    """The text of a formula without its tags, with "²" for a square."""
    assert html.count("<math ") == html.count("</math>") >= 1
    return re.sub(r"<[^>]*>", "", html.replace("<mn>2</mn></msup>", "²</msup>"))


def test_letters_are_explained_below_a_formula() -> None:
    html = formulas.formula(ask("bert/pooler"))
    line, _, letters = html.partition('<ul class="bc-where">')
    assert "H²+H" == text_of(line)
    assert line.startswith(
        '<div class="bc-formula" role="group" aria-label="formula" tabindex="0"><math alttext="H^{2} + H">'
    )
    assert ["h"] == re.findall(r'href="site-root:notation\.html#symbol-(\w)"', letters)
    assert "hidden_size</a>: " in letters
    items = BeautifulSoup(formulas.formula(ask("bert/encoder")), "html.parser").select(".bc-where li")
    # Source of the sizes: bert_config.json of both models.
    assert [
        "H hidden_size: 768 in BERT base, 1,024 in BERT large",
        "F intermediate_size: 3,072 in BERT base, 4,096 in BERT large",
        "L num_hidden_layers: 12 in BERT base, 24 in BERT large",
    ] == [" ".join(item.get_text().split()) for item in items]
    items = BeautifulSoup(formulas.formula(ask("bert/embeddings/word_embeddings")), "html.parser").select(
        ".bc-where li"
    )
    # Source: bert_config.json of both uncased models.
    assert "V vocab_size: 30,522 in BERT base and BERT large" == " ".join(items[0].get_text().split())
    # In the order of the notation.
    assert ["V", "P", "S", "H", "F", "L"] == re.findall(r'<li data-letter="(\w)">', formulas.formula(ask()))


@pytest.mark.parametrize(
    ("part", "pieces"),
    [("bert/pooler/dense/bias", ["H"]), ("bert/pooler", ["H²+H"]), ("bert/embeddings", ["V·H+P·H+S·H", "+2·H"])],
)
def test_a_formula_within_a_line_may_break(part: str, pieces: list[str]) -> None:
    """It can break between the terms of the embedding tables, those of the layers and all others."""
    html = formulas.inline(ask(part).polynomial)
    assert pieces == [text_of(match) for match in re.findall("<math .*?</math>", html)]
    assert len(pieces) - 1 == html.count("<wbr>")
    assert (len(pieces) > 1) == html.startswith('<span class="bc-math">')


@pytest.mark.parametrize(
    ("text", "pieces"),
    [("(H′ − H) + (F′ − F)", ["(H′−H)", "+(F′−F)"]), ("(H′ + H) − (F′ + F)", ["(H′+H)", "−(F′+F)"])],
)
def test_a_formula_given_as_text_may_break_between_brackets(text: str, pieces: list[str]) -> None:
    assert pieces == [text_of(match) for match in re.findall("<math .*?</math>", formulas.from_text(text))]


@pytest.mark.parametrize(
    ("deviation", "text"),
    [
        ("pooler-left-out", "+(H²+H)"),
        ("attention-one-layer", "+(1−1/L)·L·(4·H²+4·H)"),
        ("feed-forward-biases-left-out", "+L·(F+H)"),
    ],
)
def test_a_step_has_brackets_where_it_needs_them(deviation: str, text: str) -> None:
    """A sum with a sign or a factor is in brackets; a product is not."""
    steps = bridge(Question(BASE, deviations=(deviation,)), Question(BASE))
    assert [text] == [text_of(formulas.of_step(step)) for step in steps]


@pytest.mark.parametrize(("shape", "text"), [("V H", "V×H"), ("H", "H"), ("A H/A", "A×(H/A)"), ("", "")])
def test_a_shape_is_a_product_with_quotients_in_brackets(shape: str, text: str) -> None:
    assert text == text_of(formulas.shape(shape))
