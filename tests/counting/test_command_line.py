"""`python -m macros.counting`, as a reader types it."""

import csv
import io
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from macros.counting import ARCHITECTURE_OF_CLASS, BERT, count, load_relatives, model_named
from macros.counting.__main__ import main
from macros.counting.operations import PRODUCTS
from tests.counting.sizes import SIZES

ROOT = Path(__file__).parents[2]


@pytest.fixture
def config(tmp_path: Path) -> str:
    """A config file of odd sizes."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**SIZES, "num_labels": 4}))
    return str(path)


def test_help_names_what_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    """Every option, and every class of every architecture, as whole words."""
    assert 0 == main(["--help"])
    words = set(re.findall(r"[\w-]+", capsys.readouterr().out))
    assert len(ARCHITECTURE_OF_CLASS) > 30
    assert set(ARCHITECTURE_OF_CLASS) <= words
    assert {
        "--class",
        "--no-pooler",
        "--labels",
        "--untied",
        "--tokens",
        "--batch",
        "--change",
        "--json",
        "--csv",
        "--help",
    } <= words


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object, in transformers' order; what is tied counts nothing."""
    assert 0 == main(["bert-base-uncased", "--class", "BertForPreTraining", "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert "BertForPreTraining" == printed["model_class"]
    assert 110_106_428 == printed["total"] == sum(each["count"] for each in printed["parameters"])
    first, *_, weight, bias, _, _ = printed["parameters"]
    assert {
        "transformers": "bert.embeddings.word_embeddings.weight",
        "google_bert": "bert/embeddings/word_embeddings",
        "shape": [30522, 768],
        "formula": "V·H",
        "count": 23_440_896,
        "running_total": 23_440_896,
        "tied_to": None,
    } == first
    assert ("bert.embeddings.word_embeddings.weight", 0) == (weight["tied_to"], weight["count"])
    assert ("cls.predictions.bias", 0) == (bias["tied_to"], bias["count"])


CHANGED = ["bert-base-uncased", "--class", "BertForSequenceClassification", "--change", "lora:8:query,value"]


def test_a_changed_model(capsys: pytest.CaptureFixture[str]) -> None:
    """What is trained and what there is, as PEFT 0.21.2 prints them; their sum, and each tensor."""
    assert 0 == main(CHANGED)
    printed = capsys.readouterr().out
    for text in ("109,780,228", "+296,450", "0.2700%", "439,120,912", "12 × 24,576 + 1,538 = 296,450"):
        assert text in printed
    assert 0 == main([*CHANGED, "--json"])
    of_json = json.loads(capsys.readouterr().out)
    assert (296_450, 109_780_228) == (of_json["trainable"], of_json["total"])
    assert 0 == main([*CHANGED, "--change", "int4", "--csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == len(of_json["parameters"])
    assert "8x768" in {row["shape"] for row in rows}
    assert 2 == main([*CHANGED, "--change", "lora:0"])
    assert "BadChange" in capsys.readouterr().err


def test_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    """Four and two for each of 109,482,240 parameters, and sixteen with the gradient and both moments of Adam.

    LoRA adds 294,912 and trains 296,450, of which the head's 1,538 are a copy.
    """
    assert 0 == main(["bert-base-uncased"])
    second = capsys.readouterr().out.splitlines()[1]
    assert "bytes: 437,928,960 in float32, 218,964,480 in float16, 1,751,715,840 while Adam" in second
    names = ("bytes", "bytes_float16", "bytes_adam")
    assert 0 == main(["bert-base-uncased", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [437_928_960, 218_964_480, 1_751_715_840] == [found[name] for name in names]
    assert 0 == main([*CHANGED, "--json"])
    found = json.loads(capsys.readouterr().out)
    numbers = [4 * 109_780_228, 2 * 109_780_228, 4 * 109_780_228 + 12 * 296_450]
    assert numbers == [found[name] for name in names]
    assert 0 == main(CHANGED)
    text = capsys.readouterr().out
    assert all(f"{number:,}" in text for number in numbers)


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    """The same rows as comma-separated values."""
    assert 0 == main(["bert-large-uncased", "--csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert 391 == len(rows)
    assert 335_141_888 == sum(int(row["count"]) for row in rows)
    assert "30522x1024" == rows[0]["shape"]


def test_operations(capsys: pytest.CaptureFixture[str]) -> None:
    """By block, adding up, as table, object and CSV; eight texts take eight times as many."""
    asked = ["bert-base-uncased", "--class", "BertForMaskedLM", "--tokens", "128"]
    assert 0 == main([*asked, "--batch", "8"])
    lines = capsys.readouterr().out.splitlines()
    numbers = {line[:24].strip(): int(line.split()[-1].replace(",", "")) for line in lines[3:]}
    assert 8 * 28_499_116_032 == numbers["total of the forward pas"]
    blocks = ("embeddings", "self-attention", "feed-forward", "encoder-norms", "mlm-head")
    assert numbers["total of the forward pas"] == sum(numbers[each] for each in blocks)
    assert 0 == main([*asked, "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert 28_499_116_032 == printed["forward"] == 2 * printed["multiply_adds"]
    assert (2 * printed["forward"], 3 * printed["forward"]) == (printed["backward"], printed["step"])
    assert 0 == main([*asked, "--csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert printed["operations"] == [{**row, "operations": int(row["operations"])} for row in rows]
    assert 28_499_116_032 == sum(int(row["operations"]) for row in rows if row["kind"] in PRODUCTS)


@pytest.mark.parametrize("options", [("--tokens", "x"), ("--tokens", "513"), ("--batch", "2"), ("--tokens", "08")])
def test_a_batch_that_cannot_be(options: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """No number, more tokens than positions, a batch without a length, and a zero in front are refused in one line."""
    assert 0 != main(["bert-base-uncased", *options])
    assert re.fullmatch(r"BadChoice: .*(--)?(tokens|batch).*\n", capsys.readouterr().err)


def test_every_relative(capsys: pytest.CaptureFixture[str]) -> None:
    """Every published relative is counted under its name, as its bare model, and so is BERT base: parts and total."""
    for name, model in {"bert-base-uncased": model_named("bert-base-uncased"), **load_relatives()}.items():
        assert 0 == main([name])
        head, _, _, *parts, total = capsys.readouterr().out.splitlines()
        assert head.startswith(f"{name}: {model.architecture.classes[0].name}, V=")
        assert f"{count(model):,}" == total.split()[-1]
        assert count(model) == sum(int(line.split()[-1].replace(",", "")) for line in parts)


def test_options_win_over_the_file(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The file says four labels and a tied decoder; the options say otherwise."""
    totals = []
    for options in ([], ["--labels", "9"]):
        assert 0 == main([config, "--class", "BertForTokenClassification", "--json", *options])
        totals.append(json.loads(capsys.readouterr().out)["total"])
    assert 5 * 21 == totals[1] - totals[0]


def test_heads_that_do_not_fit_are_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The number is that of heads that fit: 158,809,088 is BertModel of transformers 5.23 with 16; 12 it refuses."""
    base, path = model_named("bert-base-uncased"), tmp_path / "config.json"
    path.write_text(json.dumps({**{each.key: base.sizes[each.letter] for each in BERT.symbols}, "hidden_size": 1024}))
    note = (
        "hidden_size 1024 is not a multiple of num_attention_heads 12, so transformers refuses this model; "
        "the total is right all the same, since no matrix depends on the number of heads"
    )
    assert 0 == main([str(path)])
    _, second, *_, last = capsys.readouterr().out.splitlines()
    assert (f"note: {note}", "158,809,088") == (second, last.split()[-1])
    assert 0 == main([str(path), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (note, 158_809_088) == (found["note"], found["total"])


@pytest.mark.parametrize(
    ("options", "total"),
    # Source: transformers 5.23, 110,106,428 and a sum over state_dict() less the bias; add_pooling_layer=False.
    [(["--class", "BertForPreTraining", "--untied"], 133_577_846), (["--no-pooler"], 108_891_648)],
)
def test_a_choice_is_counted(options: list[str], total: int, capsys: pytest.CaptureFixture[str]) -> None:
    """A decoder that is not tied, and a model without its pooler."""
    assert 0 == main(["bert-base-uncased", "--json", *options])
    assert total == json.loads(capsys.readouterr().out)["total"]


BAD_CALLS = tomllib.loads(Path(__file__).with_name("bad_calls.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        *((shlex.split(call), says) for call, says in BAD_CALLS.items()),
        ([str(ROOT)], "is a folder; give the config.json in it"),
        (["a\0b"], "no file and no published model"),
        (["bert-base-uncased", "--class", "BertForTokenClassification", "--labels", "9" * 5000], "num_labels is"),
        (["bert-base-uncased", "--" + "x" * 5000], "unrecognized arguments"),
    ],
)
def test_bad_calls(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad input: status 2, nothing on standard output, one clear line on standard error."""
    assert 2 == main(arguments)
    printed = capsys.readouterr()
    assert "" == printed.out
    assert says in printed.err
    assert 1 == len(printed.err.splitlines())
    assert len(printed.err) < 1000


def test_the_table_in_full(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Sizes, parts, formulas and numbers, in columns."""
    assert 0 == main([config, "--class", "BertForNextSentencePrediction"])
    assert (
        """\
config.json: BertForNextSentencePrediction, V=101, P=37, S=3, H=20, F=50, L=2, A=5, C=4
bytes: 43,928 in float32, 21,964 in float16, 175,712 while Adam trains it in float32
part            formula                parameters
embeddings      V·H + P·H + S·H + 2·H       2,860
self-attention  L·(4·H² + 4·H)              3,360
feed-forward    L·(2·H·F + F + H)           4,140
encoder-norms   4·L·H                         160
pooler          H² + H                        420
nsp-head        2·H + 2                        42
total                                      10,982
"""
        == capsys.readouterr().out
    )


def test_a_listing_too_long_to_print(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A total needs no listing; a listing of a quadrillion tensors is refused before it starts."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**SIZES, "num_hidden_layers": 2**50}))
    assert 0 == main([str(path)])
    capsys.readouterr()
    assert 2 == main([str(path), "--json"])
    printed = capsys.readouterr()
    assert "" == printed.out
    assert "config.json: it has 1125899906842624 layers" in printed.err


@pytest.mark.parametrize("form", ["--json", "--csv"])
@pytest.mark.parametrize(
    "change", ["", "bitfit", "lora:8:query", "pruned:1", "int8", "frozen:1", "layers:1000000000000"]
)
def test_no_change_makes_a_listing_longer(
    form: str, change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused at once, whether a file has the layers or a change; totals are counted."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**SIZES, "num_hidden_layers": 2**50}))
    options = ["--change", change] if change else []
    assert 2 == main([str(path), form, *options])
    out, err = capsys.readouterr()
    assert "" == out
    assert "layers; tensors are listed for up to 100000 layers, totals for any number" in err
    assert 0 == main([str(path), *options])
    assert 0 == main([str(path), form, "--tokens", "8"])
    capsys.readouterr()


def test_a_change_that_asks_for_too_many_layers(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a model that has few, and more changes than anybody makes."""
    assert 2 == main(["bert-base-uncased", "--change", "layers:1000000000000", "--json"])
    assert "bert-base-uncased: it has 1000000000000 layers; tensors are listed" in capsys.readouterr().err
    assert 2 == main(["bert-base-uncased", *["--change", "bitfit"] * 21])
    assert "21 changes are more than can be made to one model; make up to 20" in capsys.readouterr().err


def written(path: Path, **more: object) -> str:
    """A config of base's sizes under a path, with more keys."""
    base = model_named("bert-base-uncased")
    path.write_text(json.dumps({**{each.key: base.sizes[each.letter] for each in BERT.symbols}, **more}))
    return str(path)


def total_and_note(printed: str) -> tuple[int, str]:
    """The total and the note of an object."""
    found = json.loads(printed)
    return found["total"], found.get("note", "")


def test_the_class_that_a_file_names_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """109,514,298 is BertForMaskedLM of transformers 5.23; the class of the command line wins over the file's."""
    path = written(tmp_path / "config.json", model_type="bert", architectures=["BertForMaskedLM"])
    note = "config.json names BertForMaskedLM under architectures; --class BertModel counts the bare model"
    assert 0 == main([path, "--json"])
    assert (109_514_298, note) == total_and_note(capsys.readouterr().out)
    assert 0 == main([path])
    head, second, *_ = capsys.readouterr().out.splitlines()
    assert (head.startswith("config.json: BertForMaskedLM, V="), second) == (True, f"note: {note}")
    assert 0 == main([path, "--class", "BertModel", "--json"])
    assert (109_482_240, "") == total_and_note(capsys.readouterr().out)
    for options in (["--change", "bitfit"], ["--tokens", "8"]):
        assert 0 == main([path, *options])
        assert f"note: {note}" in capsys.readouterr().out.splitlines()
        assert 0 == main([path, "--json", *options])
        assert note == json.loads(capsys.readouterr().out)["note"]


@pytest.mark.parametrize("named", ["BertForPoetry", "RobertaForMaskedLM"])
def test_a_class_that_is_not_counted_is_named(named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That the bare model is counted instead is said, beside CSV on standard error."""
    path = written(tmp_path / "config.json", model_type="bert", architectures=[named])
    note = (
        f'config.json names "{named}" under architectures, which is none of the classes of BERT that are counted here; '
        "this is BertModel, and --class counts another"
    )
    assert 0 == main([path, "--json"])
    assert (109_482_240, note) == total_and_note(capsys.readouterr().out)
    assert 0 == main([path, "--csv"])
    assert f"note: {note}\n" == capsys.readouterr().err
    assert 0 == main([path, "--csv", "--class", "BertModel"])
    assert "" == capsys.readouterr().err


@pytest.mark.parametrize("named", ["BertModel", [], None, "", ["BertModel", "BertForMaskedLM"]])
def test_a_file_that_names_the_bare_model_or_none(
    named: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is to be said."""
    assert 0 == main([written(tmp_path / "config.json", model_type="bert", architectures=named), "--json"])
    assert (109_482_240, "") == total_and_note(capsys.readouterr().out)
