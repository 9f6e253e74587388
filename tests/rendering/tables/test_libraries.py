"""The tables about other libraries have every class, tensor and file, as literals or as the engine lists them."""

from macros.counting.architectures.bert import BERT
from macros.counting.frameworks.keras_hub import HEADS
from macros.rendering.files.downloads import makers
from tests.rendering.tables.test_contents import column, rows, written_table


def test_flax_has_every_class_and_its_pooler() -> None:
    """All classes of Flax are on the page, each with the pooler and the totals of its class in PyTorch."""
    in_flax, in_pytorch = rows("flax-classes")[1:], rows("classes")[1:]
    assert [
        "FlaxBertModel",
        "FlaxBertForPreTraining",
        "FlaxBertForMaskedLM",
        "FlaxBertForCausalLM",
        "FlaxBertForNextSentencePrediction",
        "FlaxBertForSequenceClassification",
        "FlaxBertForMultipleChoice",
        "FlaxBertForTokenClassification",
        "FlaxBertForQuestionAnswering",
    ] == [row[0] for row in in_flax]
    assert len(BERT.classes) == len(in_flax)
    assert [[*row[1:3], row[3]] for row in in_pytorch] == [[*row[1:3], row[4]] for row in in_flax]
    # The bare model has 199 arrays. A masked-LM head has five; every other head has two, and so has the pooler.
    assert ["199", "206", "202", "202", "201", "201", "201", "199", "199"] == column("flax-classes", 3)


# Source: KerasHub 0.32, count_params().
def test_keras_hub_has_every_class() -> None:
    """All classes of KerasHub are on the page, each with its totals."""
    assert list(HEADS) == column("keras-hub-classes")
    assert ["BertMaskedLM", "110,104,890", "336,224,058"] == rows("keras-hub-classes")[2][:3]
    assert ["bert_tiny_en_uncased", "4,385,920", "bert_uncased_L-2_H-128_A-2"] == rows("keras-hub-presets")[1]


def test_the_tally_adds_up() -> None:
    """Embeddings and layer are the sums of their parts, and the total is the embeddings and 24 layers."""
    values = {step: int(number.replace(",", "")) for step, number, _ in rows("bert4keras-tally")[1:]}
    words, segments, positions, norm, embeddings, *in_layer, layer, layers, everything = values.values()
    assert 324_472_832 == everything == embeddings + layers
    assert embeddings == words + segments + positions + norm
    assert (layer, layers) == (sum(in_layer), 24 * layer)


def links(table: str) -> set[str]:
    """The addresses that the cells of a table link to."""
    return {str(link["href"]) for link in written_table(table).select("tbody a")}


def test_every_file_is_linked() -> None:
    """One table links all print-outs and the ledgers of the bare model; the others link the files of their own kind."""
    addresses = {f"site-root:{address}" for address, _ in makers()}
    expected = {
        address
        for address in addresses
        if "/listings/" in address or address.rpartition("/")[2].startswith("BertModel.")
    }
    assert expected == links("files-of-every-model")
    for name in ("transformers", "google-bert", "bert4keras"):
        assert {address for address in addresses if f"/{name}." in address} == links(f"files-{name}")
    assert {address for address in addresses if "/BertForPreTraining." in address} == links("files-ledger")
    assert ["109,482,240", "335,141,888"] == column("files-transformers", 1)
    assert ["110,106,428", "336,226,108"] == column("files-google-bert", 1) == column("files-ledger", 1)
    assert ["108,891,648", "334,092,288", "324,472,832"] == column("files-bert4keras", 1)


def test_every_row_of_a_summary() -> None:
    """A layer that holds tensors has their number and names in its row; a layer that only computes has none."""
    cells = {row[0]: row[1:] for row in rows("keras-bert-rows")[1:]}
    assert ["0", "Add", "", "none"] == cells["Encoder-*-FeedForward-Add"]
    assert "23,040,000" == cells["Embedding-Token"][0]
    assert "cls/ seq_relationship" == cells["NSP"][-1]
