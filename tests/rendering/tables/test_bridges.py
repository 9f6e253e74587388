"""The drawing of a bridge says what its table says."""

import itertools
import re

import pytest
from bs4 import BeautifulSoup

from macros.counting import Question, model_named
from macros.counting.disagreements.bridges import Step, bridge
from macros.rendering.elements.waterfalls import Stretch, waterfall
from macros.rendering.tables.bridges import title
from macros.site import MACROS

SEED = ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out")


def drawn(*deviations: str, **choices: str) -> BeautifulSoup:
    """A bridge, parsed."""
    return BeautifulSoup(MACROS["bridge"](*deviations, **choices), "html.parser")


def bridge_of(start: Question) -> Step:
    """The first step from a number to the right total."""
    return bridge(start, start._replace(deviations=()))[0]


def test_figure_and_table_say_the_same() -> None:
    """Start, steps and end, in this order, in drawing, description and table."""
    page = drawn(*SEED, model="bert-base-chinese")
    in_table = [each.get_text() for each in page.select("table data")]
    # Source: the hand count's total, its four gaps, and the total of transformers 5.23.
    assert ["75,641,856", "+25,952,256", "+36,864", "+46,080", "+590,592", "102,267,648"] == in_table
    in_figure = [each.get_text() for each in page.select("text.bc-figures")]
    assert "+673,536" in in_figure  # the three small steps together
    assert in_table == [each for each in in_figure if each != "+673,536"]
    description = page.find("desc")
    assert description
    assert re.findall(r": ([+−\d,]+)", description.get_text()) == in_table


def test_a_step_says_what_is_to_be_done() -> None:
    """What is undone, as an imperative; what is made on the way to another total, by its name."""
    first = bridge_of(Question(model_named("bert-base-uncased"), deviations=("pooler-left-out",)))
    assert "add the pooler" == title(first)
    assert "Leaving out the pooler" == title(first._replace(undone=False))


def test_a_bridge_to_another_model_ends_there() -> None:
    """The article's vocabulary, and base as published."""
    page = drawn(model="keras-bert-article", model_class="BertForPreTraining", to="bert-base-uncased")
    assert "change vocab_size" in page.get_text()
    foot = page.tfoot
    assert foot
    assert "BERT base, uncased, BertForPreTraining 110,106,428" == foot.get_text(" ", strip=True)


def waterfall_over(*ends: int) -> BeautifulSoup:
    """A waterfall over these totals."""
    steps = [Stretch("added", "step", "", start, end) for start, end in itertools.pairwise(ends)]
    whole = [Stretch("total", "whole", "", 0, each) for each in (ends[0], ends[-1])]
    return BeautifulSoup(waterfall([whole[0], *steps, whole[1]]), "html.parser")


def places(drawing: BeautifulSoup, selector: str = "[data-from]") -> list[tuple[float, float]]:
    """Left edge and width of every bar, in per cent."""
    return [(float(str(each["x"])[:-1]), float(str(each["width"])[:-1])) for each in drawing.select(selector)]


def test_every_step_starts_where_the_last_one_ended() -> None:
    """Up and down, from zero; the longest bar fills the width."""
    assert [(0, 20), (20, 60), (40, 40), (40, 60), (0, 100)] == places(waterfall_over(20, 80, 40, 100))


def test_small_steps_are_magnified() -> None:
    """As they are beside the totals, and so many times as wide in a panel; a thousandth stays a thousandth."""
    # 1020 / 20 is 51 times, so there is room for fifty: the panel is 20.4 wide, and starts at 1000, as 999 is too soon.
    drawing = waterfall_over(1000, 1010, 1020)
    assert "magnified 50 times" in drawing.get_text()
    outside, panel = [(98.0392, 0.9804), (99.0196, 0.9804)], [(0.0, 49.0196), (49.0196, 49.0196)]
    assert outside == places(drawing)[1:3]
    assert panel == places(drawing, "[data-times] [data-from]")


@pytest.mark.parametrize(
    ("ends", "magnified", "marks"),
    [
        ((1000, 2000), 0, 0),  # steps that can be read
        ((1000, 1010, 2000, 2001, 2000), 2, 0),  # small ones in two places, each with a panel of its own
        ((1_000_000, 1_000_001, 1_010_001), 1, 1),  # one too small to see even in the panel, where it is marked
        (tuple(range(100, 252, 2)), 0, 0),  # small ones side by side, over more than half of the width
    ],
)
def test_what_is_small_is_drawn_again_or_marked(ends: tuple[int, ...], magnified: int, marks: int) -> None:
    """Steps next to each other share a panel; what stays thin in it gets a mark."""
    drawing = waterfall_over(*ends)
    assert magnified == len(drawing.select("[data-times]"))
    assert marks == len(drawing.select(".bc-caret"))


def test_long_labels_leave_room_for_their_number() -> None:
    """On a phone a line holds 46 letters, label and number together."""
    drawing = BeautifulSoup(waterfall([Stretch("total", "a label " * 8, "1,234,567", 0, 1_234_567)]), "html.parser")
    lines = [each.get_text() for each in drawing.find_all("text")]
    assert ["a label a label a label a label a", "label a label a label a label", "1,234,567"] == lines
