"""The print-outs of BERT base agree with the engine, and the notes on them with their lines."""

import re
from pathlib import Path

import pytest

from macros.counting import ChangedModel, Question, count, model_named
from macros.counting.errors import BadConfig
from macros.counting.memory import bytes_of
from macros.counting.published import printouts
from macros.counting.published.printouts import lines_of, load_printouts, printed_total, text_of, versions

BASE = model_named("bert-base-uncased")
MASKED_LM = "BertForMaskedLM"
TOTAL = count(BASE, model_class=MASKED_LM)
LORA_MODEL = ChangedModel.build(Question(BASE, "BertForSequenceClassification"), ["lora:8:query,value"])

TOTALS = {
    "print-model": count(BASE, model_class=MASKED_LM, deviations=["decoder-untied"]),
    "named-parameters": TOTAL,
    "state-dict": count(BASE, model_class=MASKED_LM, deviations=["state-dict-summed"]),
    "torchinfo": count(BASE, model_class=MASKED_LM, deviations=["decoder-untied"]),
    "tfbert": TOTAL,
    "keras-bert": count(BASE, model_class="BertForPreTraining"),
    "bert4keras": count(BASE, pooler=False),
    "peft": LORA_MODEL.number,
    "thop": count(BASE, model_class=MASKED_LM, deviations=["embeddings-excluded", "decoder-untied"]),
    "trainer": TOTAL,
    "safetensors": TOTAL,
}
"""The totals that tools print in full, as the engine explains them."""

ROUNDED_TOTALS = {
    "fvcore": "0.1G",
    "ptflops": "109.51 M",
    "calflops": "109.51 M",
    "deepspeed": "109.51 M",
    "lightning": "109 M",
}
"""The totals that tools round or, in Lightning's case, truncate."""


@pytest.mark.parametrize(("name", "number"), TOTALS.items())
def test_totals_are_counted_by_the_engine(name: str, number: int) -> None:
    assert number == int(printed_total(name).replace(",", ""))


@pytest.mark.parametrize(("name", "text"), ROUNDED_TOTALS.items())
def test_totals_are_rounded_as_the_tool_rounds_them(name: str, text: str) -> None:
    assert text == printed_total(name)
    forms = {f"{TOTAL / 10**6:.2f} M", f"{TOTAL // 10**6} M", f"{TOTAL / 10**9:.1f}G"}
    assert text in forms


def test_accelerate_shows_the_bare_model_with_its_buffers() -> None:
    """Accelerate includes two buffers of 64-bit integers; its largest layer is the embeddings, and its MB is a MiB."""
    buffers = 2 * 8 * BASE.sizes["P"]
    total, embeddings = (bytes_of(count(BASE, part), "float32") + buffers for part in ("", "bert/embeddings"))
    assert f"{total / 2**20:.2f} MB" == printed_total("accelerate")
    assert f"{embeddings / 2**20:.2f} MB" in text_of("accelerate")
    assert f"{4 * total / 2**30:.2f} GB" in text_of("accelerate")


def test_tfbert_counts_the_embeddings_twice() -> None:
    """TFBert's row for the head includes all embeddings once more."""
    head = count(BASE, "cls/predictions", model_class=MASKED_LM) + count(BASE, "bert/embeddings")
    assert f" {head}\n" in text_of("tfbert")


def test_lightning_counts_the_word_embeddings_twice() -> None:
    """Lightning's row for the head includes the word embeddings once more, and its total is truncated."""
    head = count(BASE, "cls/predictions", model_class=MASKED_LM) + count(BASE, "bert/embeddings/word_embeddings")
    assert f"| {head / 10**6:.1f} M |" in text_of("lightning")
    assert f"| {count(BASE, pooler=False) // 10**6} M  |" in text_of("lightning")
    assert f"{4 * TOTAL / 10**6:.3f} " in text_of("lightning")


@pytest.mark.parametrize("name", load_printouts())
def test_every_number_is_explained(name: str) -> None:
    unexplained_lines = [
        text
        for line in lines_of(name)
        if not line.is_explained and not line.layers
        for text in line.text.splitlines()
        if re.search(r"\d[\d,]{5,}|\d\.?\d* [MG]\b", text)
    ]
    repeated_line = r"(?:Non-t|T)rainable params|Trainable params|^fwd|^Total Training"
    assert [] == [text for text in unexplained_lines if not re.search(repeated_line, text)]


def test_layers_are_folded() -> None:
    folded_layers = {name: [line.layers for line in lines_of(name) if line.layers] for name in load_printouts()}
    names = ("named-parameters", "state-dict", "keras-bert", "bert4keras", "safetensors")
    assert {name: [BASE.sizes["L"] - 1] for name in names} == {
        name: layers for name, layers in folded_layers.items() if layers
    }


def test_the_column_of_connections_is_left_out() -> None:
    """The connections, which Keras prints after the counts, are recorded but not shown on the page."""
    text = "\n".join(line.text for line in lines_of("keras-bert"))
    assert "Connected to" in text_of("keras-bert")
    assert not re.search(r"Connected to|\[0\]\[0\]", text)
    assert "Param #" in text


def test_the_line_of_peft_is_divided_into_one_piece_per_number() -> None:
    pieces = [line.text for line in lines_of("peft")]
    assert ["trainable", "all", "trainable%:"] == [piece.split()[0] for piece in pieces]
    assert text_of("peft").split() == " ".join(pieces).split()


@pytest.mark.parametrize("name", load_printouts())
def test_the_versions_of_all_packages_are_recorded(name: str) -> None:
    assert set(load_printouts()[name].packages) == set(versions()[name])


def test_a_note_or_total_without_a_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    thop = load_printouts()["thop"]
    wrong_printout = thop._replace(notes=(thop.notes[0]._replace(line="no such line"),), total_pattern="no such total")
    monkeypatch.setattr(printouts, "load_printouts", lambda: {"thop": wrong_printout})
    with pytest.raises(BadConfig, match=r'index\.toml, thop: no line begins with "no such line"; correct `line`'):
        lines_of.__wrapped__("thop")
    with pytest.raises(BadConfig, match=r'thop\.txt has nothing like "no such total"; correct `total` in the index'):
        printed_total("thop")


def test_a_misspelt_key_or_value_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "index.toml"
    text = printouts.INDEX_FILE.read_text(encoding="utf-8")
    monkeypatch.setattr(printouts, "INDEX_FILE", path)
    for correct, misspelt, message in (("says =", "say =", "says"), ('"rounded"', '"round"', "rounded")):
        path.write_text(text.replace(correct, misspelt, 1), encoding="utf-8")
        with pytest.raises(BadConfig, match=message):
            load_printouts.__wrapped__()


def test_state_dict_also_lists_the_two_tied_tensors() -> None:
    state_dict, named_parameters = (set(text_of(name).splitlines()) for name in ("state-dict", "named-parameters"))
    assert {line.split()[0] for line in state_dict - named_parameters} == {
        "cls.predictions.decoder.weight",
        "cls.predictions.decoder.bias",
    }
    assert {line.split()[0] for line in named_parameters - state_dict} == {"total"}
