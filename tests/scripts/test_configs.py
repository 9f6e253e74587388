"""The calculator's scripts read a config.json as the engine does, and check the contents of fields."""

import base64
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    ARCHITECTURES,
    DEFAULT_CHOICES,
    BadChoice,
    BadConfig,
    Choices,
    Question,
    every_flag,
    load_models,
    load_relatives,
    model_named,
    model_of_config,
    read_config,
)
from macros.counting.config_keys import HINTS, names_custom_code
from macros.counting.errors import quote
from tests.counting import odd_inputs
from tests.counting.sizes import SIZES
from tests.counting.test_config import RELATIVES
from tests.counting.test_published_configs import (
    CONFIG_WITH_CONVOLUTION,
    PUBLISHED_CONFIGS,
    UNCOUNTED_CONFIG,
    UNCOUNTED_KEY,
    WRONG_WIDTHS,
)
from tests.counting.test_published_configs import TOTALS as PUBLISHED_TOTALS
from tests.counting.test_recorded_configs import CONFIGS_WITHOUT_TYPE, recording
from tests.scripts.calculating import Configuration
from tests.scripts.running import Scripts

SEED = 20181011
"""The seed of the random files and sizes, fixed so that every run reads the same ones."""

FILE_COUNT = 1_500


def read(scripts: Scripts, *texts: str) -> list[dict[str, Any]]:
    """The results of the scripts for the texts of configs."""
    results: list[dict[str, Any]] = scripts.call("configs", texts)
    return results


def engine_result(path: Path) -> tuple[str, Any]:
    """The engine's result for a file: "read" with sizes and choices, or "refused" with the reason."""
    try:
        model = read_config(path)
    except BadConfig as error:
        return "refused", str(error).removeprefix(f"{path}: ").removeprefix(f"{path.name}: ")
    choices = (
        model.choices.with_defaults(model.architecture.default_choices)
        .with_defaults(DEFAULT_CHOICES)
        .by_name(every_flag())
    )
    choices.pop("pooler")
    return "read", [model.architecture.model_type, dict(model.sizes), choices]


def script_result(result: dict[str, Any]) -> tuple[str, Any]:
    """A script's result in the form of `engine_result`."""
    configuration = result["configuration"]
    if configuration is None:
        return "refused", result["errors"][0]["message"]
    choices = {name: choice for name, choice in configuration["choices"].items() if name != "pooler"}
    return "read", [configuration["architecture"], configuration["sizes"], choices]


def agree(engine: tuple[str, Any], script: tuple[str, Any]) -> bool:
    """Return whether engine and script give the same result.

    In the reasons for a refusal, only the key and the remedy must agree, because each language shows a wrong value in
    its own way.
    """
    if engine[0] != script[0] or engine[0] == "read":
        return engine == script
    return key_and_remedy(engine[1]) == key_and_remedy(script[1])


def key_and_remedy(reason: str) -> tuple[str, str]:
    """The key that a reason for a refusal begins with, and the remedy after its last semicolon."""
    key, _, text = reason.partition(" ")
    return key, text.rpartition("; ")[2]


def depends_on_reader(content: bytes) -> bool:
    """Return whether a file nests deeply, or has numbers that readers of JSON may treat differently."""
    numbers = re.search(rb"NaN|Infinity|[0-9][.eE]|[0-9]{16}", content)
    return bool(numbers) or content.count(b"[") + content.count(b"{") > 500


def test_scripts_read_any_file_as_the_engine_does(scripts: Scripts, tmp_path: Path) -> None:
    contents = list(odd_inputs.odd_file_contents(FILE_COUNT, SEED))
    results = scripts.call("configsOfBytes", [base64.b64encode(content).decode() for content in contents])
    path = tmp_path / "config.json"
    kinds: Counter[str] = Counter()
    for content, script in zip(contents, map(script_result, results), strict=True):
        if not depends_on_reader(content):
            path.write_bytes(content)
            engine = engine_result(path)
            assert agree(engine, script), (content, engine, script)
            kinds[engine[0]] += 1
    assert min(kinds["read"], kinds["refused"]) > FILE_COUNT / 12


VALUES_OF_EVERY_TYPE: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    2.5,
    -1,
    "",
    "other",
    [],
    ["other"],
    [1],
    {},
    {"other": 1},
)
"""A value of every type that a config can have."""


def configs_with_one_setting() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The name of an architecture, the key of one of its settings, and a config in which only this key is unusual."""
    for config in (SIZES, *RELATIVES.values()):
        architecture = model_of_config("a", config).architecture
        for setting in architecture.settings:
            for value in (*VALUES_OF_EVERY_TYPE, *setting.values, *setting.texts_but):
                yield architecture.name, setting.key, {**config, setting.key: value}


def test_scripts_accept_the_values_of_every_setting_that_the_engine_accepts(scripts: Scripts, tmp_path: Path) -> None:
    """A setting may be refused for its type alone, and rows of random configs hit few of these values."""
    cases = list(configs_with_one_setting())
    texts = [json.dumps(config) for *_, config in cases]
    path = tmp_path / "config.json"
    kinds: dict[tuple[str, str], set[str]] = {}
    for (name, key, config), text, result in zip(cases, texts, read(scripts, *texts), strict=True):
        path.write_text(text, encoding="utf-8")
        engine, script = engine_result(path), script_result(result)
        assert agree(engine, script), (name, key, config[key], engine, script)
        kinds.setdefault((name, key), set()).add(engine[0])
    assert {("read", "refused")} == {tuple(sorted(values)) for values in kinds.values()}


def test_scripts_judge_unknown_keys_by_their_last_word_as_the_engine_does(scripts: Scripts, tmp_path: Path) -> None:
    """The word that decides is the last of three, however they are separated: `anOtherLayer`, `an_other_layer`."""
    words = sorted({word for words in HINTS.values() for word in words})[::8]  # enough of each kind
    keys = [key for word in words for key in (f"an_other_{word}", f"anOther{word.capitalize()}")]
    configs = [{**SIZES, key: value} for key in keys for value in (7, False)]
    path = tmp_path / "config.json"
    kinds = set()
    for config, result in zip(configs, read(scripts, *map(json.dumps, configs)), strict=True):
        path.write_text(json.dumps(config), encoding="utf-8")
        engine, script = engine_result(path), script_result(result)
        assert agree(engine, script), (config, engine, script)
        kinds.add(engine[0])
    assert {"read", "refused"} == kinds


def test_results_with_different_sizes_or_reasons_do_not_agree() -> None:
    assert not agree(("read", ["bert", {"V": 1}, [None, None]]), ("read", ["bert", {"V": 2}, [None, None]]))
    assert not agree(("refused", "a is 1; no"), ("refused", "b is 1; no"))


def test_recorded_configs_are_counted_as_transformers_builds_them(scripts: Scripts) -> None:
    cases = [(case["config"], case["totals"]) for case in recording()["cases"]]
    results = scripts.call("totalsOfConfigs", [[json.dumps(config), [*totals]] for config, totals in cases])
    for (config, totals), script_totals in zip(cases, results, strict=True):
        # Scripts have only one kind of number, so 1.0 is 1.
        script_config = {
            key: int(value) if isinstance(value, float) and value == int(value) else value
            for key, value in config.items()
        }
        try:
            model = model_of_config("a", script_config)
        except BadConfig:
            assert script_totals is None, config
            continue
        assert script_totals is not None, config
        for (name, recorded_total), total in zip(totals.items(), script_totals, strict=True):
            # DistilBERT's class for question answering takes exactly two labels; the engine refuses any other number.
            model_class = model.architecture.class_named(name)
            if recorded_total is not None and model_class.required_labels in (None, model.sizes["C"]):
                assert recorded_total == total, (name, config)
    assert sum(result is not None for result in results) > 250


def test_configs_of_relatives_are_counted(scripts: Scripts) -> None:
    """Google's ALBERT and the first DistilBERT are published without a model type; their totals are recorded ones."""
    cases = [
        (CONFIGS_WITHOUT_TYPE["albert"], "AlbertModel", 11_683_584),
        (CONFIGS_WITHOUT_TYPE["distilbert"], "DistilBertModel", 66_362_880),
    ]
    for model_type, config in RELATIVES.items():
        bare_class = ARCHITECTURES[model_type].classes[0].name
        cases.append((config, bare_class, Question(model_of_config("a", config)).number))
    totals = scripts.call("totalsOfConfigs", [[json.dumps(config), [name]] for config, name, _ in cases])
    assert [[number] for *_, number in cases] == totals


AUTO_MAPS: list[Any] = [
    None,
    "",
    "modeling.OwnBert",
    [],
    ["modeling.OwnBert"],
    {},
    {"AutoTokenizer": ["tokenization.OwnTokenizer", None]},
    {"AutoModel": "modeling.OwnBert"},
    {"AutoTokenizer": "tokenization.OwnTokenizer", "AutoModel": "modeling.OwnBert"},
]
"""Values of `auto_map` without code, with code for the input only, and with code for the model."""


def test_models_of_own_code_are_refused_as_by_the_engine(scripts: Scripts) -> None:
    configs = [{**SIZES, "auto_map": value} for value in AUTO_MAPS]
    are_refused = [bool(result["errors"]) for result in read(scripts, *map(json.dumps, configs))]
    assert [names_custom_code(value) for value in AUTO_MAPS] == are_refused
    assert {False, True} == set(are_refused)


def test_published_files_are_counted_as_transformers_builds_them(scripts: Scripts) -> None:
    cases = [[json.dumps(config), [*PUBLISHED_TOTALS[name]]] for name, config in PUBLISHED_CONFIGS.items()]
    totals = scripts.call("totalsOfConfigs", cases)
    for name, script_totals in zip(PUBLISHED_CONFIGS, totals, strict=True):
        assert [*PUBLISHED_TOTALS[name].values()] == script_totals, name
    (refusal,) = read(scripts, json.dumps(UNCOUNTED_CONFIG))
    assert [UNCOUNTED_KEY] == [error["key"] for error in refusal["errors"]]


def test_heads_of_other_widths_are_refused(scripts: Scripts) -> None:
    """In scripts, 64.0 is 64 and therefore not refused."""
    config = PUBLISHED_CONFIGS[CONFIG_WITH_CONVOLUTION]
    texts = [json.dumps({**config, "attention_head_size": width}) for width in WRONG_WIDTHS]
    published_result, *results = read(scripts, json.dumps(config), *texts)
    assert [] == published_result["errors"]
    assert [[error["key"] for error in result["errors"]] for result in results] == [
        [] if isinstance(width, float) else ["attention_head_size"] for width in WRONG_WIDTHS
    ]


def questions_to_write() -> Iterator[Question]:
    """Published models, and every class with the smallest vocabulary, also with each choice reversed that counts."""
    for model in {**load_models(), **load_relatives()}.values():
        yield Question(model)
    model_of_type = {
        model.architecture.model_type: model for model in [*load_relatives().values(), *load_models().values()]
    }
    for model_type, architecture in ARCHITECTURES.items():
        model = model_of_type[model_type]
        (tokens,) = (symbol.minimum for symbol in architecture.symbols if symbol.letter == "V")
        small_model = model._replace(sizes={**model.sizes, "V": tokens})
        defaults = model.choices.with_defaults(architecture.default_choices).with_defaults(DEFAULT_CHOICES)
        reversed_choices = [
            Choices(tied=not defaults.tied),
            Choices(cross_attention=not defaults.cross_attention),
            *(Choices(flags=(defaults.flags or frozenset()) ^ {flag}) for flag in architecture.flags),
        ]
        for model_class in architecture.classes:
            usual_question = Question(small_model, model_class.name)
            yield usual_question
            for choices in reversed_choices:
                with suppress(BadChoice):  # the class fixes this choice
                    question = usual_question._replace(choices=choices)
                    if question.number != usual_question.number:
                        yield question


def test_a_written_config_is_read_as_its_model_by_engine_and_scripts(scripts: Scripts) -> None:
    questions = list(questions_to_write())
    configurations = [Configuration(question).for_scripts() for question in questions]
    configs = scripts.call("writtenConfigs", configurations)
    for question, config, result in zip(questions, configs, read(scripts, *map(json.dumps, configs)), strict=True):
        model = model_of_config("a", config)
        assert question.sizes == model.sizes == result["configuration"]["sizes"], config
        assert question.number == Question(model, question.model_class).number, config


CLASS_NAMES = [
    "BertForMaskedLM",
    "BertModel",
    "RobertaModel",
    "TFBertForMaskedLM",
    "FlaxBertForQuestionAnswering",
    "TFRobertaModel",
    "TFBertMainLayer",
    "BertForPoetry",
    "",
    "\x1b[2J\x7f\u202e\u2028é",
    "x" * 99,
]
"""Class names for a config: those of its own model and of others, unknown ones, and strings that are not names."""


def test_scripts_read_the_named_class_as_the_engine_does(scripts: Scripts) -> None:
    values: list[Any] = [*CLASS_NAMES, *([name, "BertModel"] for name in CLASS_NAMES), [], None]
    configs = [{**SIZES, "model_type": "bert", "architectures": value} for value in values]
    for config, result in zip(configs, read(scripts, *map(json.dumps, configs)), strict=True):
        model = model_of_config("config.json", config)
        is_counted = model.named_class in {model_class.name for model_class in model.architecture.classes}
        assert result["namedClass"] == (model.named_class if is_counted else None)
        assert result["uncountedClass"] == (quote(model.named_class) if model.named_class and not is_counted else None)


def with_value(key: str, text: str) -> str:
    """A config with `text` as the value of `key`."""
    return json.dumps({**SIZES, key: 0}).replace(f'"{key}": 0', f'"{key}": {text}')


FAULTY_TEXTS = [
    (with_value("hidden_size", '"768"'), "hidden_size", 'hidden_size is "768"; it must be an integer from 1 to'),
    (with_value("hidden_size", "1e400"), "hidden_size", "hidden_size is null; it must be an integer from 1 to"),
    (with_value("vocab_size", "9007199254740992"), "vocab_size", "from 1 to 9,007,199,254,740,991"),
    (with_value("vocab_size", "9" * 5000), "vocab_size", "from 1 to 9,007,199,254,740,991"),
    (with_value("pad_token_id", "101"), "pad_token_id", "null or an integer below 101"),
    (with_value("pad_token_id", "-102"), "pad_token_id", "null or an integer below 101"),
    ('{"__proto__": {"vocab_size": 101}, "hidden_size": 20}', "vocab_size", "vocab_size is missing"),
    ('{"tokenizer_class": "BertTokenizer", "model_max_length": 512}', "vocab_size", "it has none of a model's sizes"),
    ("[" * 100_000 + "]" * 100_000, "", ""),
    (with_value("vocab_size", '{"a":' * 100_000 + "1" + "}" * 100_000), "", ""),
    ('{"a": 1,\n "b": }', "", "it cannot be read as JSON ("),
    ("<script>alert(1)</script>", "", "it cannot be read as JSON ("),
    ("[1, 2]", "", "holds [1,2]; a config is one JSON object, in braces"),
    ('{"peft_type": "LORA", "r": 8}', "peft_type", "it is PEFT's config of an adapter"),
    ('{"model_type": "x-net"}', "model_type", 'model_type is "x-net"; other models have other tensors'),
    (
        '{"model_type": "gpt2"}',
        "model_type",
        'model_type is "gpt2", which is not counted here, because it is built like a decoder',
    ),
]
"""Faulty texts, the key that is wrong, and a part of the message. The message is empty if it depends on the browser."""


def test_hostile_texts_are_refused_and_never_throw(scripts: Scripts) -> None:
    results = read(scripts, *(text for text, _, _ in FAULTY_TEXTS))
    for (text, key, expected), result in zip(FAULTY_TEXTS, results, strict=True):
        assert result["configuration"] is None, text[:60]
        if expected:
            assert key in {error["key"] for error in result["errors"]}, text[:60]
        assert any(expected in error["message"] for error in result["errors"]), text[:60]
        assert [] == [error for error in result["errors"] if len(error["message"]) >= 400]
    assert scripts.call("inheritedProperty", "vocab_size") is None
    labels = '3, "id2label": {"0": "a", "1": "b"}'  # `num_labels` decides, as in transformers
    valid_values = {
        "hidden_size": "20.0",
        "vocab_size": "9007199254740991",
        "num_labels": labels,
        "pad_token_id": "100",
    }
    text_with_two_sizes = with_value("vocab_size", '7, "vocab_size": 8')  # the last of equal keys counts, as in Python
    read_sizes = read(scripts, *(with_value(key, text) for key, text in valid_values.items()), text_with_two_sizes)
    assert [20, 2**53 - 1, 3, 101, 8] == [
        result["configuration"]["sizes"][letter] for result, letter in zip(read_sizes, "HVCVV", strict=True)
    ]
    # Every fault is named, not only the first one.
    (result,) = read(scripts, json.dumps({**SIZES, "hidden_act": "prelu", "vocab_size": 0, "num_attention_heads": 0}))
    assert ["hidden_act", "vocab_size", "num_attention_heads"] == [error["key"] for error in result["errors"]]


@pytest.mark.parametrize(("character", "times"), [(" ", 4 * 2**20 + 1), ("é", 2 * 2**20 + 1)])
def test_a_text_of_more_than_4_mib_is_refused(scripts: Scripts, character: str, times: int) -> None:
    """The limit is in bytes, of which "é" takes two."""
    result = scripts.call("longConfig", "<long>", character, times)
    assert ["it is larger than 4194304 bytes; give a config.json, which has a few kilobytes"] == [
        error["message"] for error in result["errors"]
    ]
    longest_result = scripts.call("longConfig", json.dumps(SIZES) + "<long>", " ", 4 * 2**20 - len(json.dumps(SIZES)))
    assert longest_result["configuration"]


# --- The fields of the calculator ---------------------------------------------------

FIELDS = {"V": "30,522", "P": "512", "S": "2", "H": "768", "F": "3072", "L": "12", "A": "12", "C": ""}
"""The calculator's fields for BERT base."""

EMPTY_FIELDS = ("vocabulary", "pruned", "frozen", "layers", "rank", "width", "modules", "feedforward")
"""The fields for changes, which are empty unless a test fills them in."""

FIELDS |= {**dict.fromkeys(EMPTY_FIELDS, ""), "method": "lora"}  # without a rank, the method is not applied


def check(scripts: Scripts, *fields: dict[str, str]) -> list[dict[str, Any]]:
    """The results of the scripts for each case, which overrides the fields of BERT base."""
    results: list[dict[str, Any]] = scripts.call(
        "checkedFields", [{"class": "BertModel", **FIELDS, **case} for case in fields]
    )
    return results


NOTATIONS = [
    "30522",
    "30,522",
    "30.522",
    "30 522",
    "30_522",
    "30'522",
    "30’522",
    " 30522 ",
    "３０５２２",
    "030522",
    "30\u202f522",
    "30\u00a0522",
    "30\u2009522",
]
"""The vocabulary size of BERT base in notations that readers use."""


def test_sizes_are_read_in_any_notation(scripts: Scripts) -> None:
    base, chance = model_named("bert-base-uncased"), random.Random(SEED)  # noqa: S311
    sizes = [{"V": chance.randrange(1, 2**53), "P": chance.randrange(1, 10**6)} for _ in range(20)]
    sizes.append({"V": 2**53 - 1})
    fields = [{letter: f"{size:,}" for letter, size in case.items()} for case in sizes]
    results = check(scripts, *({"V": text} for text in NOTATIONS), *fields)
    expected = [{**base.sizes}] * len(NOTATIONS) + [{**base.sizes, **case} for case in sizes]
    assert expected == [result["configuration"]["sizes"] for result in results]


LORA = {"rank": "8", "modules": "query"}
"""Valid fields for LoRA."""

WRONG_FIELDS: list[tuple[dict[str, str], str, str]] = [
    *(
        ({"V": text}, "V", expected)
        for text, expected in {
            "": "The number of tokens in the vocabulary must be a whole number, such as 30,522",
            "0": "The number of tokens in the vocabulary must be at least 1",
            "9007199254740992": "The number of tokens in the vocabulary must be at most 9,007,199,254,740,991",
            "1e3": "The number of tokens in the vocabulary must be a whole number",
            "1,000.000": "must be a whole number",
            "<b>" + "9" * 200: "must be a whole number",
        }.items()
    ),
    ({"vocabulary": "0"}, "vocabulary", "The number of tokens in the vocabulary must be at least 1"),
    ({"H": "abc"}, "H", "The hidden size must be a whole number, such as 768"),
    ({"F": ""}, "F", "The intermediate size must be a whole number, such as 3,072"),
    ({"layers": "13"}, "layers", "The number of frozen layers must be a whole number from 0 to 12"),
    ({**LORA, "rank": "0"}, "rank", "The rank of LoRA must be at least 1"),
    ({**LORA, "rank": "x"}, "rank", "The rank of LoRA must be a whole number, such as 8"),
    ({"method": "prefix"}, "rank", "The number of virtual tokens must be a whole number, such as"),
    ({"method": "dora", "rank": "8"}, "modules", "Choose at least one module for DoRA"),
    ({**LORA, "modules": ""}, "modules", "Choose at least one module for LoRA"),
    ({"method": "ia3"}, "modules", "Choose at least one module for IA3"),
    (
        {"method": "p-tuning", "rank": "20", "width": "0"},
        "width",
        "The width of the prompt encoder must be at least 1",
    ),
    ({"pruned": "133"}, "pruned", "the model has 144 heads and must keep one per layer, so prune at most 132"),
    ({**LORA, "pruned": "2"}, "pruned", "pruned heads are not counted together with LoRA; empty this field"),
    ({"layers": "2", "pruned": "2"}, "pruned", "not counted together with frozen first layers"),
    (
        {"class": "AlbertModel", "E": "128", "G": "1", "I": "1", "pruned": "2"},
        "pruned",
        "share their heads; leave this",
    ),
    # transformers only builds this class with two labels.
    ({"class": "DistilBertForQuestionAnswering", "C": "3"}, "C", "takes 2 labels and no other number"),
]
"""Fields, the key of the wrong one, and a part of the message."""


def test_the_message_about_a_wrong_field_says_what_to_enter(scripts: Scripts) -> None:
    results = check(scripts, *(fields for fields, _, _ in WRONG_FIELDS))
    for (fields, key, expected), result in zip(WRONG_FIELDS, results, strict=True):
        assert result["configuration"] is None, fields
        assert [key] == [error["key"] for error in result["errors"]], fields
        assert expected in result["errors"][0]["message"]


def test_the_field_of_a_method_that_is_not_counted_for_an_architecture_says_so(scripts: Scripts) -> None:
    models = {model.architecture.model_type: model for model in [*load_relatives().values(), *load_models().values()]}
    cases = []
    for method, (model_type, model) in product(scripts.call("methods"), models.items()):
        fields = {letter: str(size) for letter, size in model.sizes.items()}
        values = dict.fromkeys(method["takes"], "8") | {"modules": "query,key", "feedforward": ""}
        fields |= {name: values[name] for name in method["takes"]}
        model_class = model.architecture.classes[0].name
        message = f"{method['title']}: not counted for {model.architecture.name}; choose another method"
        expected = [["modules", message]] if model_type in method["refused"] else []
        cases.append(({"class": model_class, "method": method["name"], **fields}, expected))
    results = check(scripts, *(fields for fields, _ in cases))
    assert [expected for _, expected in cases] == [
        [[error["key"], error["message"]] for error in result["errors"]] for result in results
    ]
    assert {False, True} == {bool(expected) for _, expected in cases}


def test_all_wrong_fields_are_named_at_once_in_the_order_of_the_form(scripts: Scripts) -> None:
    """The number of frozen layers is not checked against a wrong number of layers."""
    wrong_sizes, wrong_layers = check(
        scripts,
        {"V": "x", "F": "", "layers": "y"},
        {"L": "x", "layers": "13", "rank": "x"},
    )
    assert ["V", "F", "layers"] == [error["key"] for error in wrong_sizes["errors"]]
    assert ["L", "rank", "modules"] == [error["key"] for error in wrong_layers["errors"]]
