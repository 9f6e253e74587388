"""A message about hostile input is harmless: it repeats only a little of the input, in printable characters.

An entry point is any function that takes a string or a number from outside. It either counts its input or refuses it
in one short line.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    ARCHITECTURES,
    ChangedModel,
    Choices,
    CountingError,
    Model,
    Question,
    model_named,
    model_of_config,
    read_config,
    tensors,
)
from macros.counting.__main__ import main
from macros.counting.blocks import check_keys
from macros.counting.changes.methods import load_methods
from macros.counting.config import FLAGS
from macros.counting.deviations import deviation_named, load_deviations
from macros.counting.errors import UnknownDtype
from macros.counting.frameworks.files import dynamic_int8_size, safetensors_size
from macros.counting.frameworks.keras_layers import bert4keras, keras_bert
from macros.counting.frameworks.listing import google_variables, ledger_rows
from macros.counting.memory import bytes_of
from macros.counting.operations import Operations
from macros.counting.published.conditions import says
from macros.counting.published.printed_numbers import read_printed
from macros.counting.training import TrainingStep
from tests.counting.sizes import SIZES
from tests.counting.test_fuzz import time_limit

MAX_REPEATED = 80
"""Maximum number of successive characters of an input that a message may repeat."""

MAX_LENGTH = 1000
"""Maximum number of characters in a message."""

STRINGS = {
    "long": "xyz" * 33_333,
    "words": "ab cd " * 16_666,
    "clauses": "a; b: c, d " * 9_000,
    "long lines": "abc\n" * 25_000,
    "escapes": "\x1b[2J\x1b[31mred\x1b]0;title\x07\x9b31m",
    "directions": "\u202egnp.exe\u2066\u2069\u200f\u061c",
    "lines": "a\r\nBadConfig: b\x0b\x0c\x1c\x85\u2028\u2029c\td",
    "invisible": "\0\x7f\x08\u200b\u2060\ufeff\xad\U000e0041\ud800\udcff",
    "markup": "<script>alert(1)</script>%s{0}{",
    "nothing": "",
}
"""Hostile strings, by the kind of trouble that they may cause."""

NUMBERS = (10**5000, -(10**5000), 10**30, 2**53, 0, -1)
"""Numbers that are too large or too small. The first two have more digits than Python prints."""

BERT_BASE = model_named("bert-base-uncased")
BASE = Question(BERT_BASE)
CLASSIFIER = Question(BERT_BASE, "BertForSequenceClassification")

SETTINGS = sorted(
    {setting.key for architecture in ARCHITECTURES.values() for setting in architecture.settings}
    | {key for architecture in ARCHITECTURES.values() for key in architecture.keys}
    | {*FLAGS, "id2label", "pad_token_id", "architectures", "model_type", "num_labels", "per_layer_config"}
)
"""The config keys that the engine reads."""


def list_after_changes(*changes: str) -> None:
    """List the tensors of a classifier after `changes`."""
    for _ in ChangedModel.build(CLASSIFIER, changes).listing():
        pass


def read_with_setting(key: str, value: object) -> None:
    """Read a valid config with `value` for `key`, both without a model type and with every type that has the key."""
    for model_type in (None, *(name for name, architecture in ARCHITECTURES.items() if key in architecture.keys)):
        type_key = {} if model_type is None else {"model_type": model_type}
        refusal(lambda type_key=type_key: model_of_config("config.json", {**SIZES, **type_key, key: value}))  # type: ignore[misc]


def refusal(call: Callable[[], object]) -> str:
    """Return the message that refuses `call`, after adding it to `MESSAGES`; an empty string if `call` succeeds."""
    try:
        call()
    except CountingError as error:
        MESSAGES.append(str(error))
        return str(error)
    return ""


MESSAGES: list[str] = []
"""All messages since a test last emptied this list."""

BAD_QUESTIONS: list[Callable[[Model], object]] = [
    lambda model: Question(model, part="bert/encoder/layer_99").number,
    lambda model: Question(model, "DistilBertForQuestionAnswering").number,
    lambda model: tensors(Question(model.resized(L=10**12))),
    lambda model: model.resized(H=0),
    lambda model: Operations(Question(model), 10**9).forward,
    lambda model: TrainingStep(ChangedModel.build(Question(model), []), 1, 10**9),
    lambda model: TrainingStep(ChangedModel.build(Question(model, choices=Choices(cross_attention=True)), []), 1, 1),
    lambda model: ChangedModel.build(Question(model), ["frozen:99"]),
    lambda model: ChangedModel.build(Question(model.resized(L=10**12)), ["bitfit"]).listing(),
    lambda model: keras_bert(model.resized(L=10**12), 8),
    lambda model: bert4keras(model._replace(choices=Choices(tied=False))),
]
"""Questions about a model with the sizes of BERT base, each refused with a message that names the model."""


def ask_about_model(text: str) -> None:
    """Ask every bad question about a model called `text`."""
    config = {symbol.key: BERT_BASE.sizes[symbol.letter] for symbol in BERT_BASE.architecture.symbols}
    model = model_of_config(text, config)
    for ask in BAD_QUESTIONS:
        assert refusal(lambda ask=ask: ask(model))  # type: ignore[misc]


BAD_CONFIGS: list[dict[str, Any]] = [
    {},
    {**SIZES, "hidden_size": "20"},
    {**SIZES, "is_decoder": False, "add_cross_attention": True},
    {**SIZES, "id2label": []},
    {**SIZES, "pad_token_id": 1000},
    {**SIZES, "embedding_size": 7, "num_attention_heads": 7, "model_type": "electra"},
    {**SIZES, "model_type": "gpt2"},
    {**SIZES, "architectures": ["GPT2Model"]},
    {**SIZES, "qkv_bias": True},
    {**SIZES, "inner_group_num": 1, "summary_use_proj": True},
    {**SIZES, "tie_word_embeddings": None},
]
"""Configs, each refused with a message that names its file."""


def read_under_name(text: str) -> None:
    """Read every bad config as a file called `text`."""
    for config in BAD_CONFIGS:
        assert refusal(lambda config=config: model_of_config(text, config))  # type: ignore[misc]


ENTRY_POINTS: dict[str, Callable[[str], object]] = {
    "model": model_named,
    "class": lambda text: Question(BERT_BASE, text).number,
    "part": lambda text: Question(BERT_BASE, part=text).number,
    "part of a union": lambda text: Question(BERT_BASE, part=f"bert/pooler, {text}").number,
    "parts of two layers": lambda text: (
        Question(BERT_BASE, part=f"bert/encoder/layer_0, bert/encoder/layer_1{text}").number
    ),
    "number of a layer": lambda text: Question(BERT_BASE, part=f"bert/encoder/layer_9{text}").number,
    "tag": lambda text: Question(BERT_BASE, tag=text).number,
    "tag that is left out": lambda text: Question(BERT_BASE, tag=f"-{text}").number,
    "deviation": lambda text: Question(BERT_BASE, deviations=(text,)).number,
    "part that is left out": lambda text: Question(BERT_BASE, deviations=(f"without:{text}:",)).number,
    "tag of a part that is left out": lambda text: Question(BERT_BASE, deviations=(f"without:bert:{text}",)).number,
    "formula of a deviation": lambda text: Question(BERT_BASE, deviations=(f"without:{text}:",)).polynomial,
    "deviations that exclude each other": lambda text: (
        Question(
            BERT_BASE,
            deviations=(
                *(name for name, deviation in load_deviations().items() if deviation.instead),
                f"without:bert:{text}",
            ),
        ).number
    ),
    "deviation by name": deviation_named,
    "data type": lambda text: bytes_of(1, text),
    "attention": lambda text: TrainingStep(ChangedModel.build(BASE, []), 1, 8, attention=text or "none"),
    "type of a training step": lambda text: TrainingStep(ChangedModel.build(BASE, []), 1, 8, dtype=text),
    "optimiser": lambda text: TrainingStep(ChangedModel.build(BASE, []), 1, 8, optimiser=text),
    "number to look up": read_printed,
    "condition": lambda text: says("words", text),
    "condition about a text": lambda text: says("words", f"number({text!r}) == 1"),
    "condition with a name": lambda text: says("words", f"F == {text}"),
    "words": lambda text: says(text, "F == 5 * H"),
    "words of a condition": lambda text: says("words", f"F == 5 * H or {text!r} == 'a'"),
    "block of a data file": lambda text: check_keys("file.toml, block", {text: text}, (), ()),
    "text instead of a block": lambda text: check_keys("file.toml", text, (), ()),
    "change": list_after_changes,
    "several changes": lambda text: list_after_changes(*[text] * 30),
    "change after another": lambda text: list_after_changes("lora:8:query", text),
    "size of a change": lambda text: list_after_changes(f"lora:{text}:query"),
    "modules of a change": lambda text: list_after_changes(f"lora:8:{text}"),
    "one more module": lambda text: list_after_changes(f"lora:8:query,{text}"),
    "module by name": lambda text: list_after_changes(f"lora:r=8:modules={text}"),
    "name of an option": lambda text: list_after_changes(f"lora:8:{text}=8"),
    "biases of a change": lambda text: list_after_changes(f"lora:8:query:bias={text}"),
    "task of a change": lambda text: list_after_changes(f"lora:8:query:task={text}"),
    "saved modules": lambda text: list_after_changes(f"lora:8:query:save={text}"),
    "skipped modules": lambda text: list_after_changes(f"int8:skip={text}"),
    "an option too many": lambda text: list_after_changes(f"bitfit:{text}"),
    "name of a config": read_under_name,
    "name of a model": ask_about_model,
    "key of a config": lambda text: model_of_config("config.json", {text: 1}),
    "label": lambda text: model_of_config("config.json", {**SIZES, "id2label": {text: text}}),
    "class in a config": lambda text: model_of_config("config.json", {**SIZES, "architectures": [text]}),
    "classes in a config": lambda text: model_of_config("config.json", {**SIZES, "architectures": {text: text}}),
    "file": read_config,
    "JSON file": lambda text: read_config(f"{text}.json"),
    "file in a folder": lambda text: read_config(f"{text}/config.json"),
}
"""Ways to pass a string to the engine, by name."""

ENTRY_POINTS |= {
    f"option {index} of {name}": lambda text, name=name, index=index: list_after_changes(
        ":".join([name, *["8"] * index, text])
    )  # type: ignore[misc]
    for name, method in load_methods().items()
    for index in range(len(method.options) + 1)
}
ENTRY_POINTS |= {f"value of {key}": lambda text, key=key: read_with_setting(key, text) for key in SETTINGS}  # type: ignore[misc]


def faults(message: str, text: str) -> list[str]:
    """The faults of a message about input that contains `text`."""
    # The long strings are periodic with a period of at most 11, so pieces starting at the first 12 characters suffice.
    pieces = {text[index : index + MAX_REPEATED + 1] for index in range(12)}
    conditions = {
        "not printable, or several lines": not message.isprintable(),
        f"{len(message)} characters": len(message) > MAX_LENGTH,
        "repeats too much": any(len(piece) > MAX_REPEATED and piece in message for piece in pieces),
    }
    return [f"{fault}: {message[:200]!r}" for fault, is_true in conditions.items() if is_true]


@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
def test_any_string_is_repeated_briefly_and_harmlessly(entry_point: str) -> None:
    for kind, text in STRINGS.items():
        MESSAGES.clear()
        refusal(lambda text=text: ENTRY_POINTS[entry_point](text))  # type: ignore[misc]
        assert [] == [(kind, fault) for message in MESSAGES for fault in faults(message, text)]


def test_a_hostile_string_gives_more_messages_than_entry_points() -> None:
    """The test above therefore has enough messages to check."""
    MESSAGES.clear()
    for entry_point in ENTRY_POINTS.values():
        refusal(lambda entry_point=entry_point: entry_point(STRINGS["escapes"]))  # type: ignore[misc]
    assert len(MESSAGES) > len(ENTRY_POINTS)


def test_any_number_is_repeated_briefly() -> None:
    entry_points: list[Callable[[int], object]] = [
        *(lambda number, letter=letter: BERT_BASE.resized(**{letter: number}) for letter in BERT_BASE.sizes),
        *(lambda number, key=key: model_of_config("a", {**SIZES, key: number}) for key in SETTINGS),
        lambda number: Operations(BASE, number).forward,
        lambda number: Operations(BASE, 8, number).forward,
        lambda number: Operations(BASE, 8, 1, number or -1).forward,
        lambda number: TrainingStep(ChangedModel.build(BASE, []), number, 8),
        lambda number: TrainingStep(ChangedModel.build(BASE, []), 1, number),
    ]
    for entry_point in entry_points:
        for number in NUMBERS:
            message = refusal(lambda entry_point=entry_point, number=number: entry_point(number))  # type: ignore[misc]
            assert [] == faults(message, "0" * 1000)
    # The last five, for operations and training steps, all refuse a number that is too large.
    for entry_point in entry_points[-5:]:
        assert refusal(lambda entry_point=entry_point: entry_point(10**5000))  # type: ignore[misc]


LISTINGS: dict[str, Callable[[Question], object]] = {
    "tensors": tensors,
    "a ledger": ledger_rows,
    "variables of Google's code": lambda question: google_variables(question.model),
    "a print-out of keras-bert": lambda question: keras_bert(question.model, 8),
    "a print-out of bert4keras": lambda question: bert4keras(question.model),
    "a file of safetensors": safetensors_size,
    "a quantised model": dynamic_int8_size,
    "tensors of a changed model": lambda question: ChangedModel.build(question, ["lora:8:query"]).changed_tensors(),
    "names of a changed model": lambda question: ChangedModel.build(question, ["lora:8:query"]).listing(),
    "a ledger of a changed model": lambda question: ChangedModel.build(question, ["lora:8:query"]).ledger_rows(),
    "a model that a change makes deep": lambda question: ChangedModel.build(
        question, ["layers:1000000000000"]
    ).ledger_rows(),
}
"""Functions that list the layers of a model, by name."""


@pytest.mark.parametrize("listing", LISTINGS)
def test_every_listing_of_too_many_layers_is_refused(listing: str) -> None:
    """The call itself refuses, before the first row is read."""
    with time_limit(5):
        message = "layers; tensors are listed for up to 100000 layers, totals for any number"
        assert message in refusal(lambda: LISTINGS[listing](Question(BERT_BASE.resized(L=100_001))))
        assert message in refusal(lambda: LISTINGS[listing](Question(BERT_BASE.resized(L=10**12))))


def test_counts_are_possible_for_any_number_of_layers() -> None:
    deep_question = Question(BERT_BASE.resized(L=10**12))
    layer = 7_087_872
    with time_limit(5):
        assert BASE.number + (10**12 - 12) * layer == deep_question.number
        assert deep_question.number - 590_592 == deep_question._replace(deviations=("pooler-left-out",)).number
        lora_model = ChangedModel.build(deep_question, ["lora:8:query"])
        assert 10**12 * 2 * 8 * 768 == lora_model.trainable == lora_model.bridge[-1].value
        assert lora_model.sum_lines(only_trained=True)
        assert Operations(deep_question, 128).forward > deep_question.number
        depths = (1, 2, 10**12, 2 * 10**12)
        steps = [TrainingStep(ChangedModel.build(Question(BERT_BASE.resized(L=depth)), []), 1, 128) for depth in depths]
        one_layer, two_layers, many_layers, twice_as_many = (step.activations_bytes for step in steps)
        assert 10**12 * (two_layers - one_layer) == twice_as_many - many_layers > 0


def test_the_search_in_a_value_that_contains_itself_ends() -> None:
    """Only a config that is passed as a mapping can have such a value."""
    recursive: list[Any] = ["a"]
    recursive.append(recursive)
    with time_limit(5):
        assert ("note",) == model_of_config("my.json", {**SIZES, "note": recursive}).unknown_keys
        assert "summary_use_proj is" in refusal(
            lambda: model_of_config("my.json", {**SIZES, "summary_use_proj": recursive})
        )
        recursive.append({"hidden_size": 20})
        assert "holds the sizes of another" in refusal(lambda: model_of_config("my.json", {**SIZES, "note": recursive}))


ARGUMENTS: dict[str, Callable[[str], list[str]]] = {
    "model": lambda text: [text],
    "file": lambda text: [f"{text}.json"],
    "second model": lambda text: ["bert-base-uncased", text],
    "option": lambda text: ["bert-base-uncased", f"--x{text}"],
    "value of an option without one": lambda text: ["bert-base-uncased", f"--json={text}"],
    **{
        f"--{option}": lambda text, option=option: ["bert-base-uncased", f"--{option}", text]  # type: ignore[misc]
        for option in ("class", "labels", "tokens", "batch", "change")
    },
    "labels of a class": lambda text: ["bert-base-uncased", "--class", "BertForTokenClassification", "--labels", text],
    "batch of texts": lambda text: ["bert-base-uncased", "--tokens", "8", "--batch", text],
    "global tokens": lambda text: ["longformer-base-4096", "--tokens", "8", "--global", text],
    "digits": lambda text: ["bert-base-uncased", "--tokens", f"0{text}"],
    "change as JSON": lambda text: ["bert-base-uncased", "--change", f"lora:8:{text}", "--json"],
}
"""Command lines with a string in various places."""


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_any_argument_is_repeated_briefly_and_harmlessly(argument: str, capsys: pytest.CaptureFixture[str]) -> None:
    for kind, text in STRINGS.items():
        status = main(ARGUMENTS[argument](text))
        out, err = capsys.readouterr()
        # If one of several models is refused, the others are counted.
        assert (status, bool(out)) == ((1, True) if argument == "second model" else (2, False)), (kind, out[:100])
        assert err.endswith("\n")
        assert [] == [(kind, fault) for fault in faults(err[:-1], text)]


@pytest.mark.parametrize("kind", [kind for kind, text in STRINGS.items() if 0 < len(text) < 100 and "\0" not in text])
def test_a_file_or_folder_of_any_name_is_harmless(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = STRINGS[kind].replace("/", "")
    (tmp_path / f"{name}.json").write_text(
        '{"architectures": ["\\u001b[31m", 1], "model_type": "bert", "pad_token_id": 0}'
    )
    (tmp_path / name).mkdir()
    for arguments in ([f"{name}.json"], [name], [f"{name}.json", "--change", "layers:1000000000000", "--json"]):
        main([str(tmp_path / arguments[0]), *arguments[1:]])
        out, err = capsys.readouterr()
        assert all(line.isprintable() for line in f"{out}{err}".split("\n")), arguments


def test_an_error_with_an_unquoted_string_is_harmless() -> None:
    with pytest.raises(UnknownDtype) as error:
        raise UnknownDtype(f"no data type {STRINGS['escapes']}; write float32")
    assert str(error.value).isprintable()
    assert str(error.value).endswith("; write float32")
