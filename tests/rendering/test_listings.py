"""Print-outs: folds, lines and files. Sources of the lines are the recordings of what the frameworks print."""

import pytest
from bs4 import BeautifulSoup

from macros.rendering.listings import lines_of, listing

BASE, LAYER = "bert-base-uncased", 7_087_872


def folds(html: str) -> list[tuple[str, bool]]:
    """Headings of folds, and whether they are open."""
    page = BeautifulSoup(html, "html.parser")
    return [(each.get_text(), each.parent.has_attr("open")) for each in page("summary") if each.parent]


@pytest.mark.parametrize(
    ("framework", "first", "second", "last", "number"),
    [
        ("transformers", ("embeddings", 5, 23_837_184), ("layer 0", 16), ("pooler", 2, 590_592), 14),
        ("google-bert", ("embeddings", 5, 23_837_184), ("layer 0", 16), ("heads", 7, 624_188), 15),
        ("keras-bert", ("before the layers", 8, 23_837_184), ("Encoder-1", 8), ("heads", 8, 1_214_780), 14),
        ("bert4keras", ("before the layers", 8, 23_837_184), ("Transformer-0", 8), ("Transformer-11", 8, LAYER), 13),
    ],
)
def test_folds(
    framework: str, first: tuple[object, ...], second: tuple[object, ...], last: tuple[object, ...], number: int
) -> None:
    """A fold for each layer and for what stands around them; the first layer and what comes before it are open."""
    found = folds(listing("n", framework, BASE))
    heads = ["{}: {} rows, {:,} parameters".format(*each) for each in (first, (*second, LAYER), last)]
    assert [*heads, number] == [found[0][0], found[1][0], found[-1][0], len(found)]
    assert [True, True, *[False] * (number - 2)] == [opened for _, opened in found]
    assert not any(opened for _, opened in folds(listing("n", framework, BASE, folded=True)))


def test_a_listing_ends_in_its_size_and_its_files() -> None:
    """All rows and all parameters, and both files."""
    page = BeautifulSoup(listing("n", "google-bert", BASE), "html.parser")
    foot = page.select_one(".bc-listing-foot span")
    assert foot
    assert "206 rows, 110,106,428 parameters" == foot.get_text()
    addresses = [str(each["href"]) for each in page("a")]
    assert [f"site-root:data/{BASE}/listings/google-bert.{kind}" for kind in ("csv", "json")] == addresses
    ledger = listing("n", "ledger", BASE, model_class="BertModel")
    assert f'href="site-root:data/{BASE}/BertModel.csv"' in ledger


def test_only_our_own_print_out_has_a_heading() -> None:
    """In columns, in each fold; others stay as they print them."""
    heads = BeautifulSoup(listing("n", "ledger", BASE), "html.parser").select("pre > .bc-heads")
    assert 15 == len(heads)
    assert ["tensor", "shape", "formula", "elements", "sum", "so", "far"] == heads[0].get_text().split()
    first = lines_of("ledger", BASE)[0]
    assert heads[0].get_text().index("shape") + 5 == first.text.index("30522 × 768") + 11
    assert len(heads[0].get_text()) == len(first.text)
    assert "bc-heads" not in listing("n", "transformers", BASE)


def test_lines_are_as_printed() -> None:
    """To the blank: names, shapes and counts in columns, further inputs below the first."""
    ledger = lines_of("ledger", BASE)
    assert f"{'bert.embeddings.word_embeddings.weight':<57} {'30522 × 768':>12}  V·H     23,440,896   23,440,896" == (
        ledger[0].text
    )
    assert ledger[-4].text.endswith("  H·V              0  110,104,890  tied to bert.embeddings.word_embeddings.weight")
    assert ("heads", 0) == (ledger[-4].group, ledger[-4].parameters)
    assert f"{'embeddings.word_embeddings.weight':<55} (30522, 768)" == lines_of("transformers", BASE)[0].text
    assert f"{'pooler.dense.bias':<55}       (768,)" == lines_of("transformers", BASE)[-1].text
    name = "bert/embeddings/word_embeddings"
    assert f"name = {name}:0, shape = (30522, 768)" == lines_of("google-bert", BASE)[0].text
    assert "   1  Input-Token                                    InputLayer                      0" == (
        lines_of("bert4keras", BASE)[0].text
    )
    added = lines_of("keras-bert", BASE)[30]
    blanks = " " * (62 + 35 + 10)
    columns = f"{'Encoder-3-FeedForward-Add (Add)':<62}{'(None, 512, 768)':<35}{'0':<10}"
    assert [
        f"{columns}Encoder-3-MultiHeadSelfAttention-Norm[0][0]",
        f"{blanks}Encoder-3-FeedForward-Dropout[0][0]",
    ] == added.text.split("\n")
    assert f"{'Input-Token (InputLayer)':<62}{'[(None, 512)]':<35}0" == lines_of("keras-bert", BASE)[0].text
