"""The command line, `python -m macros.counting`, prints every answer in several forms, and an error in one line."""

import csv
import io
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from macros.counting import ARCHITECTURE_OF_CLASS, BERT, ChangedModel, Question, count, load_relatives, model_named
from macros.counting.__main__ import main
from macros.counting.changes.methods import Change, load_methods
from macros.counting.models import models_by_every_name
from macros.counting.operations import PRODUCTS
from macros.counting.training import TrainingStep
from tests.counting.sizes import SIZES

ROOT = Path(__file__).parents[2]


@pytest.fixture
def config(tmp_path: Path) -> str:
    """The path of a config file with odd sizes."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**SIZES, "num_labels": 4}))
    return str(path)


OPTIONS = {
    "--help",
    "--version",
    "--list",
    "--class",
    "--no-pooler",
    "--labels",
    "--untied",
    "--change",
    "--tokens",
    "--batch",
    "--global",
    "--train",
    "--tree",
    "--json",
    "--csv",
}
"""Every option of the command line."""


def test_help_fits_a_small_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert 0 == main(["--help"])
    text = capsys.readouterr().out
    assert text.startswith("usage: python -m macros.counting [options] CONFIG.json ...\n")
    assert len(text.splitlines()) < 30
    assert max(map(len, text.splitlines())) <= 80
    assert set(re.findall(r"--[\w-]+", text)) == OPTIONS


def test_the_version_is_that_of_the_repository(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing else is printed, so that a script can read the version."""
    assert 0 == main(["--version"])
    (version,) = re.findall(r'^version: "(.+)"$', (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert capsys.readouterr().out == f"python -m macros.counting {version}\n"


# Source: transformers 5.23, XLMRobertaModel with bge-m3's config, and BertModel with all-MiniLM-L6-v2's.
@pytest.mark.parametrize(
    ("address", "total"),
    [
        ("https://huggingface.co/BAAI/bge-m3/blob/main/config.json", 567_754_752),
        ("https://huggingface.co/BAAI/bge-m3/tree/main", 567_754_752),
        ("http://www.huggingface.co/BAAI/bge-m3", 567_754_752),
        ("http://hf-mirror.com/BAAI/bge-m3", 567_754_752),
        ("hf://BAAI/bge-m3", 567_754_752),
        ("hf.co/sentence-transformers/all-MiniLM-L6-v2?library=sentence-transformers", 22_713_216),
        ("https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/#usage", 22_713_216),
    ],
)
def test_an_address_on_the_hub_names_its_model(address: str, total: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main([address, "--csv"])
    assert f",{total},,pooler" in capsys.readouterr().out.splitlines()[-1]


def test_an_adapter_of_an_unknown_model_is_refused_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "adapter_config.json"
    config = {"peft_type": "LORA", "r": 8, "target_modules": ["query"], "new_key": 5}
    for base, message in (
        ("meta-llama/Llama-2-7b-hf", "is not counted here, because it is built like a decoder"),
        ("./out", 'model "./out" is not known here; give the config.json of that model with --change lora:r=8'),
    ):
        path.write_text(json.dumps({**config, "base_model_name_or_path": base}))
        assert 2 == main([str(path)])
        assert message in capsys.readouterr().err
    path.write_text(json.dumps({**config, "base_model_name_or_path": "bert-base-uncased"}))
    assert 0 == main([str(path)])
    assert 'note: adapter_config.json has "new_key", of which nothing is known here' in capsys.readouterr().out


def words_by_line(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[list[str]]:
    """The words of each line that a command prints below its heading."""
    assert 0 == main(list(arguments))
    return [line.split() for line in capsys.readouterr().out.splitlines()[1:]]


# Source: transformers 5.23, BertModel, RobertaModel, and BertModel with all-MiniLM-L6-v2's config.
def test_the_list_has_every_model_with_its_total(capsys: pytest.CaptureFixture[str]) -> None:
    rows = words_by_line(capsys, "--list")
    assert [name for name, _, _ in rows] == list(dict.fromkeys(name for name, _, _ in rows))
    assert {name for name, _, _ in rows} == set(models_by_every_name())
    totals = {name: (model_class, total) for name, model_class, total in rows}
    assert ("BertModel", "109,482,240") == totals["bert-base-uncased"]
    assert ("RobertaModel", "124,645,632") == totals["roberta-base"]
    assert ("BertModel", "22,713,216") == totals["all-MiniLM-L6-v2"]
    assert rows == words_by_line(capsys, "--list", "models")


def test_the_list_has_every_class(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(ARCHITECTURE_OF_CLASS) > 30
    rows = words_by_line(capsys, "--list", "classes")
    assert [name for _, name, *_ in rows] == list(ARCHITECTURE_OF_CLASS)


def test_listed_changes_can_be_typed_as_listed(capsys: pytest.CaptureFixture[str]) -> None:
    forms = [words[0] for words in words_by_line(capsys, "--list", "changes")]
    assert "lora:r=N[:modules=NAMES][:bias=WORD][:save=NAMES][:task=WORD][:u=N]" in forms
    changes = [form for form in forms if form.partition(":")[0].partition("[")[0] in load_methods()]
    shortest_forms = [re.sub(r"\[[^]]*\]", "", form).replace("=N", "=2") for form in changes]
    assert shortest_forms == [str(Change.parse(text)) for text in shortest_forms]
    assert [change.partition(":")[0] for change in shortest_forms] == list(load_methods())


def test_json_lists_every_tensor(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bert-base-uncased", "--class", "BertForPreTraining", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert "BertForPreTraining" == answer["model_class"]
    assert 110_106_428 == answer["total"] == sum(row["count"] for row in answer["parameters"])
    first, *_, weight, bias, _, _ = answer["parameters"]
    assert {
        "transformers": "bert.embeddings.word_embeddings.weight",
        "google_bert": "bert/embeddings/word_embeddings",
        "shape": [30522, 768],
        "formula": "V·H",
        "count": 23_440_896,
        "running_total": 23_440_896,
        "tied_to": None,
        "block": "embeddings",
    } == first
    assert ("bert.embeddings.word_embeddings.weight", 0) == (weight["tied_to"], weight["count"])
    assert ("cls.predictions.bias", 0) == (bias["tied_to"], bias["count"])


LORA_CALL = ["bert-base-uncased", "--class", "BertForSequenceClassification", "--change", "lora:8:query,value"]


def test_a_change_prints_the_numbers_of_peft(capsys: pytest.CaptureFixture[str]) -> None:
    """Source: PEFT 0.21.2."""
    assert 0 == main(LORA_CALL)
    text = capsys.readouterr().out
    for part in ("109,780,228", "+296,450", "0.2700%", "439,120,912", "12 × 24,576 + 1,538 = 296,450"):
        assert part in text
    assert 0 == main([*LORA_CALL, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert (296_450, 109_780_228) == (answer["trainable"], answer["total"])
    assert 0 == main([*LORA_CALL, "--change", "int4", "--csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == len(answer["parameters"])
    assert "8x768" in {row["shape"] for row in rows}
    assert 2 == main([*LORA_CALL, "--change", "lora:0"])
    assert "BadChange" in capsys.readouterr().err


def test_the_bytes_of_parameters_and_of_training_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """A parameter takes 4 bytes in float32, 2 in float16, and 16 with its gradient and Adam's two moments.

    BERT base has 109,482,240 parameters. LoRA adds 294,912 and trains 296,450, including 1,538 in a copy of the head.
    """
    assert 0 == main(["bert-base-uncased"])
    second_line = capsys.readouterr().out.splitlines()[1]
    assert "bytes: 437,928,960 in float32, 218,964,480 in float16, 1,751,715,840 while Adam" in second_line
    names = ("bytes", "bytes_float16", "bytes_adam")
    assert 0 == main(["bert-base-uncased", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert [437_928_960, 218_964_480, 1_751_715_840] == [answer[name] for name in names]
    assert 0 == main([*LORA_CALL, "--json"])
    answer = json.loads(capsys.readouterr().out)
    numbers = [4 * 109_780_228, 2 * 109_780_228, 4 * 109_780_228 + 12 * 296_450]
    assert numbers == [answer[name] for name in names]
    assert 0 == main(LORA_CALL)
    text = capsys.readouterr().out
    assert [] == [number for number in numbers if f"{number:,}" not in text]


def test_csv_has_one_row_per_tensor(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bert-large-uncased", "--csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert 391 == len(rows)
    assert 335_141_888 == sum(int(row["count"]) for row in rows)
    assert "30522x1024" == rows[0]["shape"]


def test_operations_are_printed_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["bert-base-uncased", "--class", "BertForMaskedLM", "--tokens", "128"]
    assert 0 == main([*call, "--batch", "8"])
    lines = capsys.readouterr().out.splitlines()
    cells = [re.split(" {2,}", line) for line in lines[3:]]  # after the heading and the sizes
    numbers = {name: int(number.replace(",", "")) for name, *_, number in cells}
    assert 8 * 28_499_116_032 == numbers["total of the forward pass"]
    blocks = ("embeddings", "self-attention", "feed-forward", "encoder-norms", "mlm-head")
    assert numbers["total of the forward pass"] == sum(numbers[block] for block in blocks)
    assert 0 == main([*call, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert 28_499_116_032 == answer["total"] == 2 * answer["multiply_adds"]
    assert (2 * answer["total"], 3 * answer["total"]) == (answer["backward"], answer["step"])
    assert 0 == main([*call, "--csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert answer["operations"] == [{**row, "count": int(row["count"])} for row in rows]
    assert 28_499_116_032 == sum(int(row["count"]) for row in rows if row["kind"] in PRODUCTS)


def test_every_total_of_operations_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The backward pass has two products for each product of the forward pass, so the whole step has three."""
    assert 0 == main(["bert-base-uncased", "--tokens", "128"])
    text = capsys.readouterr().out.replace(",", "")
    names = ("total of the forward pass", "multiply-adds, half of this total", "backward pass", "training step")
    forward, multiply_adds, backward, step = (
        int(re.search(rf"^{name.replace(',', '')} +([0-9]+)$", text, re.MULTILINE)[1])  # type: ignore[index]
        for name in names
    )
    # Source: torch 2.12's FlopCounterMode around BertModel in transformers 5.23, one text of 128 tokens.
    assert 22_348_431_360 == forward == 2 * multiply_adds
    assert [2 * forward, 3 * forward] == [backward, step]


def test_operations_of_a_changed_model_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The backward pass is left out, because most weights are frozen."""
    call = ["bert-base-uncased", "--tokens", "128", "--change", "lora:8:query,value"]
    assert 0 == main(call)
    text = capsys.readouterr().out
    assert re.search(r"lora +8·L·B·T·r·H +75,497,472\n", text)
    assert re.search(r"total of the forward pass +22,423,928,832\n", text)
    assert "backward" not in text
    assert 0 == main([*call, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert [22_423_928_832, ["lora:r=8:modules=query+value"]] == [answer["total"], answer["changes"]]
    assert {"backward", "step"}.isdisjoint(answer)
    assert 2 == main([*call[:-1], "dora:8:query"])
    assert "the operations of DoRA are not counted" in capsys.readouterr().err


RESERVES = ("10% in reserve", "no reserve")
"""The two shares of a GPU's memory that the largest batch may leave free, as the table words them."""

TRAINING_CALL = ["bert-base-uncased", "--class", "BertForSequenceClassification", "--train"]
"""The start of a command line about a training step, to be followed by the settings of the step."""


def test_a_training_step_is_the_same_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    """In float32 with eager attention, each of the 12 layers keeps 66·T·H + 9·A·T² + 16·T bytes for a text."""
    call = [*TRAINING_CALL, "batch=2,tokens=128,dtype=float32,attention=eager,padded=no,memory=16"]
    assert 0 == main(call)
    lines = capsys.readouterr().out.splitlines()
    rows_of_table = (line.rsplit(maxsplit=1) for line in lines[7:])  # after the settings, the sizes and the formula
    numbers = {name: int(number.replace(",", "")) for name, number in rows_of_table}
    # Two moments of four bytes for each parameter, and four bytes for each of 201 tensors.
    assert [4 * 109_483_778, 8 * 109_483_778 + 4 * 201] == [numbers["weights"], numbers["states of the optimiser"]]
    layer = 66 * 128 * 768 + 9 * 12 * 128**2 + 16 * 128
    # Each text also adds the gradients of its wide vectors and of a layer's output: 4 · (4 · 768 + 768) bytes per
    # token. The embeddings and the head keep fewer than 10 · 768 bytes per token.
    assert 0 < numbers["one more text"] - 12 * layer - 20 * 128 * 768 < 10 * 128 * 768
    # With two texts, the gradients take more than the activations, so the peak is at the end of the backward pass, when
    # the activations of the first layer are still in memory.
    parts = ("weights", "states of the optimiser", "gradients", "temporary results, at most")
    assert numbers["at the peak"] == sum(numbers[part] for part in parts) + 2 * layer
    assert 0 == main([*call, "--json"])
    answer = json.loads(capsys.readouterr().out)
    training = answer["training"]
    assert [part["bytes"] for part in training["parts"]] == list(numbers.values())[:5]
    assert sum(row["count"] for row in answer["activations"]) == numbers["activations"]
    # The page on training memory also keeps 10% in reserve.
    with_reserve, without_reserve = (numbers[f"largest batch in 16 GiB, {words}, in texts"] for words in RESERVES)
    assert [with_reserve, without_reserve] == [training["largest_batch_with_reserve"], training["largest_batch"]]
    question = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
    step = TrainingStep(ChangedModel.build(question, []), 2, 128, attention="eager")
    for texts, limit in ((with_reserve, 16 * 2**30 * 90 // 100), (without_reserve, 16 * 2**30)):
        assert step.with_examples(texts).peak_bytes <= limit < step.with_examples(texts + 1).peak_bytes
    assert 0 == main([*call, "--csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert answer["activations"] == [{**row, "count": int(row["count"])} for row in rows]


def test_a_batch_for_multiple_choice_is_counted_in_examples_of_two_texts(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["bert-base-uncased", "--class", "BertForMultipleChoice", "--train", "batch=3,memory=16"]
    assert 0 == main(call)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(
        "bert-base-uncased: BertForMultipleChoice, bytes of a training step: 3 examples of 2 texts of 128 tokens, "
    )
    names = [line.rsplit(maxsplit=1)[0] for line in lines]
    assert {"one more example", *(f"largest batch in 16 GiB, {words}, in examples" for words in RESERVES)} <= {*names}


def test_a_note_names_parameters_without_gradients(capsys: pytest.CaptureFixture[str]) -> None:
    """LayoutLM builds a pooler of 768 · 768 + 768 parameters for token classification, whose head does not read it."""
    call = ["layoutlm-base-uncased", "--class", "LayoutLMForTokenClassification", "--train", "batch=2", "--json"]
    assert 0 == main(call)
    assert "no output of the class depends on 590,592 of" in json.loads(capsys.readouterr().out)["note"]


def test_settings_without_a_value_mean_yes(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for step in ("padded,checkpointing,dropout=no", "padded=yes,checkpointing=true,dropout=false"):
        assert 0 == main([*TRAINING_CALL, step])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    for words in ("padded texts", "without dropout", "gradient checkpointing"):
        assert words in outputs[0]


@pytest.mark.parametrize(
    ("model", "step", "description"),
    [
        ("bert-base-uncased", "batch=2", "2 texts of 128 tokens, bf16, attention efficient, padded texts, adamw"),
        # PyTorch copies the mask for 100 tokens, and such a copy is not counted.
        (
            "bert-base-uncased",
            "tokens=100",
            "1 text of 100 tokens, bf16, attention flash, texts of equal length, adamw",
        ),
        ("mpnet-base", "tokens=100", "1 text of 100 tokens, bf16, attention eager, padded texts, adamw"),
        ("bert-base-uncased", "attention=flash", "128 tokens, bf16, attention flash, texts of equal length, adamw"),
    ],
)
def test_a_step_has_the_usual_defaults(
    model: str, step: str, description: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By default, a step uses mixed precision, and padded texts if they are counted."""
    assert 0 == main([model, "--train", step])
    assert capsys.readouterr().out.splitlines()[0].endswith(description)


def test_requested_padding_is_not_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 != main(["bert-base-uncased", "--train", "tokens=100,padded"])
    assert "choose 112" in capsys.readouterr().err


def test_a_note_explains_the_letters_of_sparse_attention(capsys: pytest.CaptureFixture[str]) -> None:
    """A text of 500 tokens is padded to a window of 512, and three tokens attend to all of these."""
    assert 0 == main(["longformer-base-4096", "--tokens", "500", "--global", "3"])
    output = capsys.readouterr().out
    sizes = dict(re.findall(r"\b(\w)=(\d+)", output))
    letters = dict(re.findall(r"\b(\w) (?:is )?the tokens (of a text|that attend|that these)", output))
    expected_numbers = {"of a text": "512", "that attend": "3", "that these": "512"}
    assert expected_numbers == {words: sizes[letter] for letter, words in letters.items()}


@pytest.mark.parametrize("options", [("--tokens", "x"), ("--tokens", "513"), ("--batch", "2"), ("--tokens", "08")])
def test_an_impossible_batch_is_refused(options: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 != main(["bert-base-uncased", *options])
    assert re.fullmatch(r"BadChoice: .*(--)?(tokens|batch).*\n", capsys.readouterr().err)


def test_every_relative_is_counted_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    for name, model in {"bert-base-uncased": model_named("bert-base-uncased"), **load_relatives()}.items():
        assert 0 == main([name])
        heading, _, _, *parts, total = capsys.readouterr().out.splitlines()
        assert heading.startswith(f"{name}: {model.architecture.classes[0].name}, V=")
        assert f"{count(model):,}" == total.split()[-1]
        assert count(model) == sum(int(line.split()[-1].replace(",", "")) for line in parts)


def test_labels_on_the_command_line_override_those_in_the_file(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    totals = []
    for options in ([], ["--labels", "9"]):
        assert 0 == main([config, "--class", "BertForTokenClassification", "--json", *options])
        totals.append(json.loads(capsys.readouterr().out)["total"])
    assert 5 * 21 == totals[1] - totals[0]


def test_a_number_of_heads_that_does_not_divide_the_hidden_size_has_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Source: transformers 5.23, BertModel with 16 heads."""
    base, path = model_named("bert-base-uncased"), tmp_path / "config.json"
    path.write_text(
        json.dumps({**{symbol.key: base.sizes[symbol.letter] for symbol in BERT.symbols}, "hidden_size": 1024})
    )
    note = (
        "hidden_size 1024 is not a multiple of num_attention_heads 12, so transformers cannot build this model; "
        "the total is shown anyway"
    )
    assert 0 == main([str(path)])
    _, second, *_, last = capsys.readouterr().out.splitlines()
    assert (f"note: {note}", "158,809,088") == (second, last.split()[-1])
    assert 0 == main([str(path), "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert (note, 158_809_088) == (answer["note"], answer["total"])


@pytest.mark.parametrize(
    ("options", "total"),
    # Source: transformers 5.23: the sum over state_dict() without the second bias, and add_pooling_layer=False.
    [(["--class", "BertForPreTraining", "--untied"], 133_577_846), (["--no-pooler"], 108_891_648)],
)
def test_the_options_untied_and_no_pooler_are_counted(
    options: list[str], total: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main(["bert-base-uncased", "--json", *options])
    assert total == json.loads(capsys.readouterr().out)["total"]


# Source: the config.json of each model on the Hugging Face hub, and manual arithmetic on its sizes.
@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("google-bert/bert-base-uncased", 109_482_240),
        ("https://huggingface.co/google-bert/bert-base-cased", 108_310_272),
        ("sentence-transformers/all-MiniLM-L6-v2", 22_713_216),
        ("FacebookAI/roberta-base", 124_645_632),
        ("BAAI/bge-m3", 567_754_752),
        ("BERT-Base-Chinese", 102_267_648),
        ("klue/bert-base", 110_617_344),
        ("google-bert/bert-base-uncased/tree/main", 109_482_240),
        ("google-bert/bert-base-uncased/blob/main/config.json", 109_482_240),
        ("hf://google-bert/bert-base-uncased", 109_482_240),
        ("'FacebookAI/roberta-base'", 124_645_632),
    ],
)
def test_an_id_on_the_hub_names_a_published_model(name: str, total: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main([name, "--json"])
    assert total == json.loads(capsys.readouterr().out)["total"]


BAD_CALLS = tomllib.loads(Path(__file__).with_name("bad_calls.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *((shlex.split(call), message) for call, message in BAD_CALLS.items()),
        ([str(ROOT)], "is a folder; give the config.json in it"),
        (["a\0b"], "no file and no published model"),
        (["bert-base-uncased", "--class", "BertForTokenClassification", "--labels", "9" * 5000], "num_labels is"),
        (["bert-base-uncased", "--" + "x" * 5000], "unrecognized arguments"),
    ],
)
def test_a_bad_call_ends_with_one_line_on_standard_error(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main(arguments)
    out, err = capsys.readouterr()
    assert "" == out
    assert message in err
    assert 1 == len(err.splitlines())
    assert len(err) < 1000
    assert {*OPTION_TO_DROP.findall(err)} <= {*arguments}


OPTION_TO_DROP = re.compile(r"\b(?:drop|leave out) (--[\w-]+)")
"""An option that a message advises to drop, which must therefore be one that was given."""


def test_the_table_has_a_line_per_part(config: str, capsys: pytest.CaptureFixture[str]) -> None:
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


TREE = """\
config.json: BertForMaskedLM, V=101, P=37, S=3, H=20, F=50, L=2, A=5, C=4
module or tensor                  parameters  shape
bert                                  10,520
  embeddings                           2,860
    word_embeddings.weight             2,020  101 × 20
    position_embeddings.weight           740  37 × 20
    token_type_embeddings.weight          60  3 × 20
    LayerNorm                             40
      weight                              20  20
      bias                                20  20
  encoder.layer                        7,660
    layer 0 … 1, each                  3,830
      attention                        1,720
        self                           1,260
          query                          420
            weight                       400  20 × 20
            bias                          20  20
          key                            420
            weight                       400  20 × 20
            bias                          20  20
          value                          420
            weight                       400  20 × 20
            bias                          20  20
        output                           460
          dense                          420
            weight                       400  20 × 20
            bias                          20  20
          LayerNorm                       40
            weight                        20  20
            bias                          20  20
      intermediate.dense               1,050
        weight                         1,000  50 × 20
        bias                              50  50
      output                           1,060
        dense                          1,020
          weight                       1,000  20 × 50
          bias                            20  20
        LayerNorm                         40
          weight                          20  20
          bias                            20  20
cls.predictions                          561
  bias                                   101  101
  transform                              460
    dense                                420
      weight                             400  20 × 20
      bias                                20  20
    LayerNorm                             40
      weight                              20  20
      bias                                20  20
  decoder                                  0
    weight                                 0  101 × 20, tied to bert.embeddings.word_embeddings.weight
    bias                                   0  101, tied to cls.predictions.bias
total                                 11,081
"""
"""The tree of `BertForMaskedLM` with the sizes of `SIZES`."""


def test_the_tree_has_every_module_with_its_sum(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main([config, "--class", "BertForMaskedLM", "--tree"])
    assert TREE == capsys.readouterr().out


# Layer 0 of ModernBERT base lacks one LayerNorm of 768 weights. Source: transformers 5.23, ModernBertModel.
def test_a_layer_that_differs_has_its_own_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["modernbert-base", "--tree"])
    layers = re.findall(r"^ +(layers .+?) {2,}([\d,]+)$", capsys.readouterr().out, re.MULTILINE)
    assert [("layers 0", "5,014,272"), ("layers 1 … 21, each", "5,015,040")] == layers


def test_the_tree_of_a_changed_model_shows_trainable_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    """LoRA of rank 8 adds 2 · 8 · 768 weights to the query; a layer of BERT base has 7,087,872 parameters."""
    assert 0 == main(["bert-base-uncased", "--tree", "--change", "frozen:6"])
    text = capsys.readouterr().out
    assert re.search(r"layer 0 … 5, each +7,087,872 +0\n", text)
    assert re.search(r"layer 6 … 11, each +7,087,872 +7,087,872\n", text)
    assert 0 == main(["bert-base-uncased", "--tree", "--change", "lora:8:query"])
    text = capsys.readouterr().out
    assert re.search(r"layer 0 … 11, each +7,100,160 +12,288\n", text)
    assert ["total", "109,629,696", "147,456"] == text.splitlines()[-1].split()
    assert 0 == main(["bert-base-uncased", "--tree", "--change", "lora:8:layer.3.attention.self.query"])
    layers = re.findall(r"layer (.*?) +(7,\S+) +(\S+)\n", capsys.readouterr().out)
    unchanged_layer = ("7,087,872", "0")
    assert [
        ("0 … 2, each", *unchanged_layer),
        ("3", "7,100,160", "12,288"),
        ("4 … 11, each", *unchanged_layer),
    ] == layers


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tree", "--tokens", "8"], "--tree shows tensors"),
        (["--tree", "bert-base-cased"], "--tree shows one model"),
        (["--tree", "--change", "layers:1001"], "tensors are listed for up to 1000 layers"),
        (["--list"], "--list prints a list and nothing else"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main([*options, "--", "bert-base-uncased"])
    out, err = capsys.readouterr()
    assert "" == out
    assert message in err


THREE_MODELS = ["bert-base-uncased", "google-bert/bert-large-uncased", "roberta-base"]


# Source: transformers 5.23, BertModel, BertModel and RobertaModel; 4 bytes for each parameter in float32.
def test_several_models_make_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(THREE_MODELS)
    assert (
        """\
model               class          parameters  bytes in float32
bert-base-uncased   BertModel     109,482,240       437,928,960
bert-large-uncased  BertModel     335,141,888     1,340,567,552
roberta-base        RobertaModel  124,645,632       498,582,528
"""
        == capsys.readouterr().out
    )
    assert 0 == main(["--csv", THREE_MODELS[0], "--change", "lora:8:query", *THREE_MODELS[1:], "--change", "int8"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert ["109629696", "335535104", "124793088"] == [row["total"] for row in rows]
    assert {"lora:r=8:modules=query int8"} == {row["changes"] for row in rows}
    # LoRA of rank 8 on square matrices: 12 layers with H = 768, and 24 layers with H = 1,024.
    assert ["147456", "393216", "147456"] == [row["lora"] for row in rows]
    assert [23_837_184, 31_782_912] == [int(row["embeddings"]) for row in rows[:2]]
    assert 0 == main([*THREE_MODELS, "--tokens", "128"])
    assert "22,348,431,360" in capsys.readouterr().out


def test_csv_has_a_row_for_each_training_step(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["bert-base-uncased", "roberta-base", "--train", "batch=16,tokens=128,memory=16"]
    assert 0 == main([*call, "--json"])
    steps = json.loads(capsys.readouterr().out)
    assert 0 == main([*call, "--csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    for row, step in zip(rows, steps, strict=True):
        assert int(row["total"]) == step["total"] > 0
        for key in ("texts", "tokens", "bytes_per_text", "largest_batch", "largest_batch_with_reserve"):
            assert int(row[key]) == step["training"][key] > 0


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_the_models_without_an_error_are_still_counted(
    form: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, heads in (("good", 5), ("bad", 0)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(json.dumps({**SIZES, "num_attention_heads": heads}))
    paths = [str(tmp_path / name / "config.json") for name in ("good", "bad")]
    assert 1 == main([*paths, "nosuch", "roberta-base", "bert-base-uncased", "--class", "BertModel", *form])
    out, err = capsys.readouterr()
    first, second, third = err.splitlines()
    assert first.startswith("BadConfig: ")
    assert "bad/config.json: num_attention_heads is 0" in first
    assert second.startswith('UnknownModel: no file and no published model "nosuch"')
    assert third.startswith("UnknownModelClass: roberta-base: BertModel belongs to BERT, and this model to RoBERTa")
    assert "good/config.json" in out
    assert "437928960" in out.replace(",", "")


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_no_model_is_printed_if_every_model_has_an_error(form: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With `--json`, the output is an empty list, which scripts can read."""
    assert 1 == main(["nosuch", "nosuch2", *form])
    out, err = capsys.readouterr()
    assert ("[\n]\n" if form == ["--json"] else "", 2) == (out, len(err.splitlines()))


def test_an_option_that_fits_no_model_is_one_error(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--class", "BertForPoetry"], ["--change", "laura:8"], ["--labels", "007"]):
        assert 2 == main([*THREE_MODELS, *options])
        out, err = capsys.readouterr()
        assert ("", 1) == (out, len(err.splitlines()))


def test_a_listing_too_long_to_print_is_refused_but_its_total_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**SIZES, "num_hidden_layers": 2**50}))
    assert 0 == main([str(path)])
    capsys.readouterr()
    assert 2 == main([str(path), "--json"])
    out, err = capsys.readouterr()
    assert "" == out
    assert "config.json: it has 1125899906842624 layers" in err


@pytest.mark.parametrize("form", ["--json", "--csv"])
@pytest.mark.parametrize(
    "change", ["", "bitfit", "lora:8:query", "pruned:1", "int8", "frozen:1", "layers:1000000000000"]
)
def test_no_change_lifts_the_limit_of_a_listing(
    form: str, change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_too_many_layers_and_too_many_changes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["bert-base-uncased", "--change", "layers:1000000000000", "--json"])
    assert "bert-base-uncased: it has 1000000000000 layers; tensors are listed" in capsys.readouterr().err
    assert 2 == main(["bert-base-uncased", *["--change", "bitfit"] * 21])
    assert "21 changes are more than can be made to one model; make up to 20" in capsys.readouterr().err


def config_file(path: Path, **further_keys: object) -> str:
    """Write a config with the sizes of BERT base and `further_keys` to `path`, and return the path."""
    base = model_named("bert-base-uncased")
    path.write_text(json.dumps({**{symbol.key: base.sizes[symbol.letter] for symbol in BERT.symbols}, **further_keys}))
    return str(path)


def total_and_note(text: str) -> tuple[int, str]:
    """The total and the note in a JSON answer."""
    answer = json.loads(text)
    return answer["total"], answer.get("note", "")


def test_the_class_that_a_file_names_is_counted_unless_another_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Source: transformers 5.23 builds BertForMaskedLM with 109,514,298 parameters."""
    path = config_file(tmp_path / "config.json", model_type="bert", architectures=["BertForMaskedLM"])
    note = "config.json names BertForMaskedLM under architectures; --class BertModel counts the bare model"
    assert 0 == main([path, "--json"])
    assert (109_514_298, note) == total_and_note(capsys.readouterr().out)
    assert 0 == main([path])
    heading, second, *_ = capsys.readouterr().out.splitlines()
    assert heading.startswith("config.json: BertForMaskedLM, V=")
    assert f"note: {note}" == second
    assert 0 == main([path, "--class", "BertModel", "--json"])
    assert (109_482_240, "") == total_and_note(capsys.readouterr().out)
    for options in (["--change", "bitfit"], ["--tokens", "8"]):
        assert 0 == main([path, *options])
        assert f"note: {note}" in capsys.readouterr().out.splitlines()
        assert 0 == main([path, "--json", *options])
        assert note == json.loads(capsys.readouterr().out)["note"]


FORMS_OF_SEVERAL_MODELS = [[], ["--csv"], ["--json"], ["--tokens", "8"], ["--tokens", "8", "--csv"]]
"""The options for the form of the output that several models may share."""


@pytest.mark.parametrize(
    ("form", "further_models"),
    [
        *((form, further_models) for form in FORMS_OF_SEVERAL_MODELS for further_models in ([], ["bert-base-cased"])),
        (["--tree"], []),
    ],
)
def test_every_form_has_a_note_about_the_class_of_a_file(
    form: list[str], further_models: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, message, total, other_total in (
        ("BertForMaskedLM", "--class BertModel counts the bare model", "109514298", "109482240"),
        ("BertForPoetry", "this is Bert", "109482240", "109514298"),
    ):
        path = config_file(tmp_path / "config.json", model_type="bert", architectures=[name])
        assert 0 == main([*further_models, path, *form])
        out, err = capsys.readouterr()
        assert message in (err if "--csv" in form else out)
        if not {"--csv", "--tokens"} & {*form}:
            assert total in out.replace(",", "")
            assert other_total not in out.replace(",", "")


@pytest.mark.parametrize("name", ["BertForPoetry", "RobertaForMaskedLM"])
def test_a_class_that_is_not_counted_is_named(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config_file(tmp_path / "config.json", model_type="bert", architectures=[name])
    note = (
        f'config.json names "{name}" under architectures, which is none of the classes of BERT that are counted here; '
        "this is BertModel, and --class counts another"
    )
    assert 0 == main([path, "--json"])
    assert (109_482_240, note) == total_and_note(capsys.readouterr().out)
    assert 0 == main([path, "--csv"])
    assert f"note: {note}\n" == capsys.readouterr().err
    assert 0 == main([path, "--csv", "--class", "BertModel"])
    assert "" == capsys.readouterr().err


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"colour": "red"}, 'has "colour", of which nothing is known here; if it sizes a tensor, the total is wrong'),
        ({f"colour_{index}": 1 for index in range(14)}, '"colour_11" and 2 more, of which'),
    ],
)
@pytest.mark.parametrize("form", [[], ["--tree"], ["--csv"], ["--json"], ["--tokens", "8"], ["bert-base-cased"]])
def test_every_form_names_the_unknown_keys_of_a_file(
    form: list[str], keys: dict[str, object], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main([config_file(tmp_path / "config.json", model_type="bert", **keys), *form])
    out, err = capsys.readouterr()
    assert message in (err if form == ["--csv"] else out.replace('\\"', '"'))


@pytest.mark.parametrize("classes", ["BertModel", [], None, "", ["BertModel", "BertForMaskedLM"]])
def test_a_file_that_names_the_bare_model_several_classes_or_none_has_no_note(
    classes: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main([config_file(tmp_path / "config.json", model_type="bert", architectures=classes), "--json"])
    assert (109_482_240, "") == total_and_note(capsys.readouterr().out)
