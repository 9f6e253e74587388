"""The form that counts operations for a text of any length."""

from bs4 import BeautifulSoup

from macros.counting import operations
from macros.rendering.components.asking import BASE
from macros.rendering.components.operations import operations_of
from macros.rendering.tables.operations import length_form


def test_each_output_counts_what_its_label_says() -> None:
    """For two lengths, the polynomial beside each label gives the operations of that part in the engine."""
    form = BeautifulSoup(length_form(), "html.parser")
    for tokens in (128, 500):
        values = {}
        for item in form.select("li:has(output)"):
            output = item.output
            assert output
            fixed, each, square = (int(str(output[f"data-{name}"])) for name in ("fixed", "each", "square"))
            label = item.get_text(" ", strip=True).removesuffix(output.get_text()).strip()
            values[label] = fixed + tokens * (each + tokens * square)
        counted = operations_of(BASE, "", tokens)
        products = counted.number(operations.ATTENTION)
        assert {
            "tokens": tokens,
            "attention's products": products,
            "attention's projections": counted.number(block="self-attention") - products,
            "feed-forward networks": counted.number(block="feed-forward"),
            "pooler": counted.number(block="pooler"),
        } == values
