"""The form that counts operations for a text of any length gives the engine's numbers."""

from bs4 import BeautifulSoup

from macros.counting import operations
from macros.rendering.components.asking import BASE
from macros.rendering.components.operations import operations_of
from macros.rendering.tables.operations import length_form


def test_each_output_matches_its_label() -> None:
    """For two lengths, the polynomial after each label yields the engine's number of operations for that part."""
    form = BeautifulSoup(length_form(), "html.parser")
    for tokens in (128, 500):
        values = {}
        for item in form.select("li:has(output)"):
            output = item.output
            assert output
            constant, linear, quadratic = (int(str(output[f"data-{name}"])) for name in ("fixed", "each", "square"))
            label = item.get_text(" ", strip=True).removesuffix(output.get_text()).strip()
            values[label] = constant + tokens * (linear + tokens * quadratic)
        expected = operations_of(BASE, "", tokens)
        products = expected.number(operations.ATTENTION)
        assert {
            "tokens": tokens,
            "attention's products": products,
            "attention's projections": expected.number(block="self-attention") - products,
            "feed-forward networks": expected.number(block="feed-forward"),
            "pooler": expected.number(block="pooler"),
        } == values
