"""Print-outs as readers unfold them."""

import pytest
from bs4 import BeautifulSoup

from macros.rendering.listings import FRAMEWORKS, listing


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_what_is_open_at_first(framework: str) -> None:
    """What comes before the layers and the first layer, to which the others are alike; or nothing, if so wished."""
    for folded, expected in ((False, 2), (True, 0)):
        page = BeautifulSoup(listing("a", framework, "bert-base-uncased", folded=folded), "html.parser")
        folds = [each.has_attr("open") for each in page.find_all("details")]
        assert len(folds) > 10
        assert [True] * expected + [False] * (len(folds) - expected) == folds
