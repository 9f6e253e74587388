"""The drawing of a bridge agrees with its table, its labels fit, and it starts where its section says."""

import re

from bs4 import BeautifulSoup
from jinja2 import Environment

from macros.counting.published.claims import load_claims
from macros.rendering.components.waterfalls import WaterfallBar, waterfall
from macros.site import MACROS
from tests.docs.building import ROOT

PAGE_ENVIRONMENT = Environment(autoescape=False)  # noqa: S701  macros return HTML

MISTAKES = ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out")


def bridge_of(*deviations: str, **choices: str) -> BeautifulSoup:
    """The parsed HTML of a bridge."""
    return BeautifulSoup(MACROS["bridge"](*deviations, **choices), "html.parser")


def test_drawing_description_and_table_have_the_same_numbers() -> None:
    page = bridge_of(*MISTAKES, model="bert-base-chinese")
    numbers_in_table = [number.get_text() for number in page.select("table data")]
    # Source: the total of the manual count, its four gaps, and the total of transformers 5.23.
    assert ["75,641,856", "+25,952,256", "+36,864", "+46,080", "+590,592", "102,267,648"] == numbers_in_table
    numbers_in_figure = [text.get_text() for text in page.select("text.bc-figures")]
    assert "+673,536" in numbers_in_figure  # the sum of the three small steps that share a panel
    assert numbers_in_table == [text for text in numbers_in_figure if text != "+673,536"]
    assert re.findall(r": ([+−\d,]+)", page.select("desc")[0].get_text()) == numbers_in_table


CALL_OF_NUMBERS = re.compile(r"\{% call numbers_of\(\"([\w-]+)\"\) %\}(.*?)\{% endcall %\}", re.DOTALL)
CALL_OF_BRIDGE = re.compile(r"\{\{ (bridge\((?:\"[\w-]+\", )*model=\"([\w-]+)\".*?\)) \}\}")


def misplaced_bridges(page: str) -> list[str]:
    """Bridges that start neither at a number printed by the source of their section nor at the model of the source."""
    faults = []
    for name, content in CALL_OF_NUMBERS.findall(page):
        claims = load_claims()[name]
        printed_numbers = {re.sub(r"\D", "", claim.printed) for claim in claims}
        for call, model in CALL_OF_BRIDGE.findall(content):
            html = BeautifulSoup(PAGE_ENVIRONMENT.from_string(f"{{{{ {call} }}}}").render(**MACROS), "html.parser")
            is_of_model = call.startswith("bridge(model=") and model == claims[0].model.name
            if not is_of_model and html.select("data")[0]["value"] not in printed_numbers:
                faults.append(call)
    return faults


def test_no_bridge_is_misplaced_and_a_wrong_model_is_found() -> None:
    page = (ROOT / "docs/disagreements/published-claims.md").read_text(encoding="utf-8")
    assert [] == misplaced_bridges(page)
    arguments = 'model="bert-base-chinese", name="bridge-by-hand"'
    assert arguments in page
    assert len(misplaced_bridges(page.replace(arguments, arguments.replace("chinese", "uncased")))) == 1


def test_a_bridge_to_another_model_ends_there() -> None:
    """It begins at `model`, here the article's, and ends at `to`."""
    page = bridge_of(model="keras-bert-article", model_class="BertForPreTraining", to="bert-base-uncased")
    rows = [heading.get_text(" ", strip=True) for heading in page.select("tbody th, tfoot th")]
    ends = ["keras-bert article (BertForPreTraining)", "BERT base, uncased (BertForPreTraining)"]
    assert [ends[0], "tokens in the vocabulary: V = 30,522, not 30,000", ends[1]] == rows
    bars = [title.get_text().rpartition(":")[0] for title in page.select("[data-from] > title")]
    assert ends == [bars[0], bars[-1]]


def test_long_labels_leave_room_for_their_number() -> None:
    """A label is wrapped so that its first line and the number fit on a phone, which shows 46 characters per line."""
    drawing = BeautifulSoup(
        waterfall([WaterfallBar("total", "a label " * 8, "1,234,567", 0, 1_234_567)]), "html.parser"
    )
    lines = [text.get_text() for text in drawing.find_all("text")]
    assert ["a label a label a label a label a", "label a label a label a label", "1,234,567"] == lines
