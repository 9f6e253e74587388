"""Print-outs on pages have their lines as printed, repeated layers folded, and their size and files below them."""

from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from macros.counting import Question, model_named, tensors
from macros.rendering.listings import lines_of, listing

from .test_every_page import expanded_pages

BASE = "bert-base-uncased"

LAYER_PARAMETERS = 7_087_872
"""Number of parameters in one layer of BERT base."""


def folds(html: str) -> list[tuple[str, bool]]:
    """The title of each fold, and whether it is open."""
    page = BeautifulSoup(html, "html.parser")
    return [(element.get_text(), element.parent.has_attr("open")) for element in page("summary") if element.parent]


FOLDS = {
    "transformers": "embeddings 5 23,837,184; layer 0 16; layers 1 to 11; pooler 2 590,592",
    "google-bert": "embeddings 5 23,837,184; layer 0 16; layers 1 to 11; pooler 2 590,592; heads 7 624,188",
    "keras-bert": "before the layers 8 23,837,184; Encoder-1 8; Encoder-2 to Encoder-12; pooler and heads 8 1,214,780",
    "bert4keras": "before the layers 8 23,837,184; Transformer-0 8; Transformer-1 to Transformer-11",
}
"""The fold titles of each print-out in abbreviated form: name, number of rows, number of parameters.

The second fold contains the first layer, which has `LAYER_PARAMETERS` parameters. The third contains the other layers.
"""


@pytest.mark.parametrize("framework", FOLDS)
def test_only_repeated_layers_are_folded(framework: str) -> None:
    """All layers after the first are in one closed fold; every other fold is open unless `folded` closes them all."""
    first, layer, other_layers, *rest = FOLDS[framework].split("; ")
    titles = [
        "{}: {} rows, {} parameters".format(*line.rsplit(" ", 2))
        for line in (first, f"{layer} {LAYER_PARAMETERS:,}", *rest)
    ]
    before, first_layer, *after = [(title, True) for title in titles]
    title_of_others = f"{other_layers} are the same as {first_layer[0]} each"
    assert [before, first_layer, (title_of_others, False), *after] == folds(listing("n", framework, BASE))
    assert not any(is_open for _, is_open in folds(listing("n", framework, BASE, folded=True)))


def test_a_fold_of_one_layer_names_only_it() -> None:
    """In a model with two layers, the fold for the remaining layers names only the second."""
    titles = [title for title, _ in folds(listing("n", "keras-bert", "keras-bert-notebook"))]
    assert titles[2] == f"Encoder-2 is the same as Encoder-1: 8 rows, {LAYER_PARAMETERS:,} parameters"


def test_a_listing_ends_in_its_size_and_its_files() -> None:
    page = BeautifulSoup(listing("n", "google-bert", BASE), "html.parser")
    foot = page.select_one(".bc-listing-foot span")
    assert foot
    assert "206 rows, 110,106,428 parameters" == foot.get_text()
    addresses = [str(link["href"]) for link in page("a")]
    assert [f"site-root:data/{BASE}/listings/google-bert.{kind}" for kind in ("csv", "json")] == addresses
    ledger = listing("n", "ledger", BASE, model_class="BertModel")
    assert f'href="site-root:data/{BASE}/BertModel.csv"' in ledger


def test_only_a_ledger_has_headings() -> None:
    headings = BeautifulSoup(listing("n", "ledger", BASE), "html.parser").select("pre > .bc-heads")
    assert 5 == len(headings)
    assert ["tensor", "shape", "formula", "elements", "sum", "so", "far"] == headings[0].get_text().split()
    first_line = lines_of("ledger", BASE)[0]
    # The heading is aligned with the right edge of the shapes.
    assert headings[0].get_text().index("shape") + len("shape") == first_line.text.index("30522 × 768") + len(
        "30522 × 768"
    )
    assert len(headings[0].get_text()) == len(first_line.text)
    assert "bc-heads" not in listing("n", "transformers", BASE)


def test_lines_are_as_printed() -> None:
    """keras-bert prints further inputs of a layer below the first."""
    ledger = lines_of("ledger", BASE)
    assert f"{'bert.embeddings.word_embeddings.weight':<57} {'30522 × 768':>12}  V·H     23,440,896   23,440,896" == (
        ledger[0].text
    )
    assert ledger[-4].text.endswith("  H·V              0  110,104,890  tied")
    assert ("heads", 0) == (ledger[-4].group, ledger[-4].parameters)
    assert f"{'embeddings.word_embeddings.weight':<55} (30522, 768)" == lines_of("transformers", BASE)[0].text
    assert f"{'pooler.dense.bias':<55}       (768,)" == lines_of("transformers", BASE)[-1].text
    name = "bert/embeddings/word_embeddings"
    assert f"name = {name}:0, shape = (30522, 768)" == lines_of("google-bert", BASE)[0].text
    assert "   1  Input-Token                                    InputLayer                      0" == (
        lines_of("bert4keras", BASE)[0].text
    )
    line = lines_of("keras-bert", BASE)[30]
    spaces = " " * (62 + 35 + 10)
    columns = f"{'Encoder-3-FeedForward-Add (Add)':<62}{'(None, 512, 768)':<35}{'0':<10}"
    assert [
        f"{columns}Encoder-3-MultiHeadSelfAttention-Norm[0][0]",
        f"{spaces}Encoder-3-FeedForward-Dropout[0][0]",
    ] == line.text.split("\n")
    assert f"{'Input-Token (InputLayer)':<62}{'[(None, 512)]':<35}0" == lines_of("keras-bert", BASE)[0].text


def test_the_loop_on_the_page_prints_the_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """Apart from the alignment, the loop on the page prints the lines that the page shows below it."""
    code = expanded_pages()["listings/transformers.md"].text.partition("```python\n")[2].partition("```")[0]
    loop = code[code.index("for name") :]
    parameters = [
        (tensor.transformers, SimpleNamespace(shape=tensor.shape)) for tensor in tensors(Question(model_named(BASE)))
    ]
    exec(loop, {"model": SimpleNamespace(named_parameters=lambda: parameters)})  # noqa: S102 - our own code
    lines = [" ".join(line.text.split()) for line in lines_of("transformers", BASE)]
    assert lines == [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
