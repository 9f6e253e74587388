"""The drawing of a bridge says what its table says."""

import re

from bs4 import BeautifulSoup

from macros.rendering.components.waterfalls import Stretch, waterfall
from macros.site import MACROS

SEED = ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out")


def drawn(*deviations: str, **choices: str) -> BeautifulSoup:
    """A bridge, parsed."""
    return BeautifulSoup(MACROS["bridge"](*deviations, **choices), "html.parser")


def test_figure_and_table_say_the_same() -> None:
    """Start, steps and end, in this order, in drawing, description and table."""
    page = drawn(*SEED, model="bert-base-chinese")
    in_table = [each.get_text() for each in page.select("table data")]
    # Source: the hand count's total, its four gaps, and the total of transformers 5.23.
    assert ["75,641,856", "+25,952,256", "+36,864", "+46,080", "+590,592", "102,267,648"] == in_table
    in_figure = [each.get_text() for each in page.select("text.bc-figures")]
    assert "+673,536" in in_figure  # the three small steps together
    assert in_table == [each for each in in_figure if each != "+673,536"]
    assert re.findall(r": ([+−\d,]+)", page.select("desc")[0].get_text()) == in_table


def test_a_bridge_to_another_model_ends_there() -> None:
    """The article's vocabulary, and base as published."""
    page = drawn(model="keras-bert-article", model_class="BertForPreTraining", to="bert-base-uncased")
    rows = [each.get_text(" ", strip=True) for each in page.select("tbody th, tfoot th")]
    ends = ["keras-bert article (BertForPreTraining)", "BERT base, uncased (BertForPreTraining)"]
    assert [ends[0], "tokens in the vocabulary: V = 30,522, not 30,000", ends[1]] == rows
    bars = [each.get_text().rpartition(":")[0] for each in page.select("[data-from] > title")]
    assert ends == [bars[0], bars[-1]]


def test_long_labels_leave_room_for_their_number() -> None:
    """On a phone a line holds 46 letters, label and number together."""
    drawing = BeautifulSoup(waterfall([Stretch("total", "a label " * 8, "1,234,567", 0, 1_234_567)]), "html.parser")
    lines = [each.get_text() for each in drawing.find_all("text")]
    assert ["a label a label a label a label a", "label a label a label a label", "1,234,567"] == lines
