"""Tables about whole models."""

import re

from macros.counting.models import load_models
from macros.site import MACROS
from tests.docs.building import ROOT


def test_every_model_is_in_a_table_of_a_page() -> None:
    """A model that no page lists could be asked for and never seen; one in a new group follows by itself."""
    page = (ROOT / "docs/totals/checkpoints.md").read_text()
    tables = [MACROS["table"](name) for name in ("checkpoints", "course-configurations") if f'table("{name}")' in page]
    listed = re.findall(r"<code>([\w-]+)</code></th>", "".join(tables))
    assert sorted(load_models()) == sorted(listed)


def test_checkpoints_are_listed_from_the_smallest() -> None:
    """One row a model. Source: transformers 5.23, BertModel of these configurations."""
    table = MACROS["table"]("checkpoints")
    names = re.findall(r"<code>([\w-]+)</code></th>", table)
    chosen = [each for each in names if "chinese" in each or "multilingual" in each]
    assert ["bert-base-chinese", "bert-base-multilingual-uncased", "bert-base-multilingual-cased"] == chosen
    # Source: transformers 5.23, BertModel of the miniature with the fewest layers and features.
    assert "bert_uncased_L-2_H-128_A-2" == names[0]
    assert ">4,385,920</data>" in table.partition("</tr>")[2].partition("</tr>")[0]
