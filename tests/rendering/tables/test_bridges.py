"""The drawing of a bridge says what its table says."""

import itertools
import re

import pytest
from bs4 import BeautifulSoup

from macros.rendering.elements.svg import Stretch, left_edge, waterfall
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
    assert in_table == [each.get_text() for each in page.select("text.bc-figures")]
    description = page.find("desc")
    assert description
    assert re.findall(r": ([+−\d,]+)", description.get_text()) == in_table


def test_a_bridge_to_another_model_ends_there() -> None:
    """The article's vocabulary, and base as published."""
    page = drawn(model="keras-bert-article", model_class="BertForPreTraining", to="bert-base-uncased")
    assert "change vocab_size" in page.get_text()
    foot = page.tfoot
    assert foot
    assert "BERT base, uncased, BertForPreTraining110,106,428" == foot.get_text()


def bars(*ends: int) -> list[tuple[float, float]]:
    """Left edge and width of every bar of a waterfall over these totals."""
    steps = [Stretch("cell", "step", "", start, end) for start, end in itertools.pairwise(ends)]
    whole = [Stretch("cell", "whole", "", 0, each) for each in (ends[0], ends[-1])]
    drawing = BeautifulSoup(waterfall([whole[0], *steps, whole[1]]), "html.parser")
    return [(float(str(each["x"])[:-1]), float(str(each["width"])[:-1])) for each in drawing.find_all("rect")]


def test_every_step_starts_where_the_last_one_ended() -> None:
    """Up and down, from zero; the longest bar fills the width."""
    assert [(0, 20), (20, 60), (40, 40), (40, 60), (0, 100)] == bars(20, 80, 40, 100)


def test_small_steps_are_drawn_larger() -> None:
    """Where all happens far from zero the left edge is nearer, and no bar is invisible."""
    found = bars(1000, 1010, 1010_000 // 1000 + 10)
    assert all(width > 0.5 for _, width in found)
    assert max(left + width for left, width in found) == pytest.approx(100)
    assert 0 == left_edge([Stretch("cell", "", "", 0, each) for each in (10, 100)])
    assert 980 == left_edge([Stretch("cell", "", "", 0, each) for each in (1000, 1020)])
