"""Formulas, and the letters below them."""

from bs4 import BeautifulSoup

from macros.rendering.elements.asking import ask
from macros.rendering.elements.formulas import formula


def test_letters_have_the_sizes_of_their_models() -> None:
    """Those of base and of large, each by its name. Source: bert_config.json of both models."""
    listed = BeautifulSoup(formula(ask("bert/encoder")), "html.parser").select(".bc-where li")
    assert {
        "L num_hidden_layers: 12 in base, 24 in large",
        "H hidden_size: 768 in base, 1,024 in large",
        "F intermediate_size: 3,072 in base, 4,096 in large",
    } == {" ".join(each.get_text().split()) for each in listed}
