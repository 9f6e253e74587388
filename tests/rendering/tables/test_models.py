"""Tables about whole models."""

import re

from macros.counting.models import load_groups
from macros.site import MACROS
from tests.docs.building import ROOT


def test_every_group_is_in_a_table_of_a_page() -> None:
    """A model in a group that no page lists could be asked for and never seen."""
    pages = "".join(path.read_text() for path in (ROOT / "docs").rglob("*.md"))
    calls = " ".join(re.findall(r"\{\{ checkpoints_table\((.*?)\) \}\}", pages))
    assert [] == [name for name in load_groups() if f'"{name}"' not in calls]


def test_checkpoints_are_listed_from_the_smallest() -> None:
    """One row a model. Source: transformers 5.23, BertModel of these configurations."""
    table = MACROS["checkpoints_table"]("A caption", "multilingual", "chinese")
    names = re.findall(r"<code>([\w-]+)</code></th>", table)
    numbers = [int(each) for each in re.findall(r'<data value="(\d+)" data-model', table)]
    assert ["bert-base-chinese", "bert-base-multilingual-uncased", "bert-base-multilingual-cased"] == names
    assert 102_267_648 == numbers[0]


def test_the_form_offers_every_model_under_its_group() -> None:
    """In the order of the groups."""
    form = MACROS["table"]("question")
    assert [group.title for group in load_groups().values()] == re.findall(r'<optgroup label="([^"]+)">', form)
    assert re.search(r'label="Chinese"><option value="bert-base-chinese">BERT base, Chinese</option>', form)
