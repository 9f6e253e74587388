"""The tables about other libraries are complete: they list every class, tensor and file."""

import re
from collections import Counter

from macros.counting.architectures.bert import BERT
from macros.counting.frameworks.keras_hub import HEADS
from macros.counting.frameworks.keras_names import KERAS_NAMES, KerasNames
from macros.rendering.files.downloads import makers
from macros.rendering.tables.libraries import all_names
from tests.rendering.tables.test_contents import column, rows, written_table
from tests.rendering.test_every_page import expanded_pages


def test_every_flax_class_has_the_totals_and_pooler_of_its_pytorch_class() -> None:
    flax_rows, pytorch_rows = rows("flax-classes")[1:], rows("classes")[1:]
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
    ] == [row[0] for row in flax_rows]
    assert len(BERT.classes) == len(flax_rows)
    assert [row[1:4] for row in pytorch_rows] == [[*row[1:3], row[4]] for row in flax_rows]
    # The bare model has 199 arrays. The masked-LM head has five; every other head has two, as does the pooler.
    assert ["199", "206", "202", "202", "201", "201", "201", "199", "199"] == column("flax-classes", 3)


def test_flax_has_each_tensor_once() -> None:
    """The table covers one layer, embeddings, pooler and heads: 7,087,872 + 23,837,184 + 590,592 + 624,188."""
    numbers = [int(number.replace(",", "")) for number in column("flax-leaves", 1)]
    assert 32_139_836 == sum(numbers)
    assert 0 not in numbers


def test_the_file_of_names_has_each_named_row_once() -> None:
    names_in_file = [tuple(names[library] for library in KerasNames._fields) for names in all_names()]
    assert Counter(names_in_file) == Counter(map(tuple, KERAS_NAMES.values()))


# Source: KerasHub 0.32, count_params().
def test_every_keras_hub_class_is_listed_with_its_totals() -> None:
    assert list(HEADS) == column("keras-hub-classes")
    assert ["BertMaskedLM", "110,104,890", "336,224,058"] == rows("keras-hub-classes")[2][:3]
    assert ["bert_tiny_en_uncased", "4,385,920", "bert_uncased_L-2_H-128_A-2"] == rows("keras-hub-presets")[1]


def test_the_tally_adds_up() -> None:
    values = {step: int(number.replace(",", "")) for step, number, _ in rows("bert4keras-tally")[1:]}
    words, segments, positions, norm, embeddings, *parts_of_layer, layer, layers, total = values.values()
    assert 324_472_832 == total == embeddings + layers
    assert embeddings == words + segments + positions + norm
    assert (layer, layers) == (sum(parts_of_layer), 24 * layer)


def links(table: str) -> set[str]:
    """The addresses of the links in the body of a table."""
    return {str(link["href"]) for link in written_table(table).select("tbody a")}


def test_every_file_is_linked() -> None:
    """One table links to all print-outs and to the bare model's ledgers; pre-training ledgers are on another page."""
    addresses = {f"site-root:{address}" for address, _ in makers()}
    expected = {
        address
        for address in addresses
        if "/listings/" in address or address.rpartition("/")[2].startswith("BertModel.")
    }
    assert expected == links("files-of-every-model")
    page = expanded_pages()["listings/transformers.md"].text
    ledgers = {address for address in addresses if "/BertForPreTraining." in address}
    assert len(ledgers) == 4
    assert [] == [address for address in ledgers if f'"{address}"' not in page]


def test_a_row_of_a_layer_has_its_parameters_and_names() -> None:
    """A layer without weights has no parameters, no formula and no names."""
    cells = {row[0]: row[1:] for row in rows("keras-bert-rows")[1:]}
    assert ["0", "Add", "", "none"] == cells["Encoder-*-FeedForward-Add"]
    assert "23,440,896" == cells["Embedding-Token"][0]
    assert "cls/ seq_relationship" == cells["NSP"][-1]
    assert "attention/ self , attention/ output/ dense" == cells["Encoder-*-MultiHeadSelfAttention"][-1]


# Source: the names of google-research/bert, of transformers 5.23 and of its Flax classes for this tensor.
def test_names_are_in_the_column_of_their_library() -> None:
    headings, *names = ([re.sub(r"(?<=[/._]) ", "", cell) for cell in row] for row in rows("names"))
    query = next(dict(zip(headings, row, strict=True)) for row in names if "self/query/kernel" in row[0])
    assert "bert/encoder/layer_*/attention/self/query/kernel" == query["google-research/bert"]
    assert "bert.encoder.layer.*.attention.self.query.weight" == query["transformers"]
    assert "bert/encoder/layer/*/attention/self/query/kernel" == query["Flax"]
