"""The calculator's scripts read a config.json as the engine does, and fields as people type them."""

import base64
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    ARCHITECTURES,
    BadConfig,
    Question,
    load_models,
    load_relatives,
    model_named,
    model_of_config,
    read_config,
)
from macros.counting.errors import shown
from tests.counting import odd_inputs
from tests.counting.test_config import RELATIVES, SIZES
from tests.counting.test_published_configs import EVERY, OTHER_WIDTHS, PUBLISHED, UNCOUNTED, UNCOUNTED_KEY
from tests.counting.test_published_configs import TOTALS as PUBLISHED_TOTALS
from tests.counting.test_recorded_configs import UNNAMED, recorded
from tests.scripts.running import Scripts

SEED = 20181011

FILES = 1_500


def read(scripts: Scripts, *texts: str) -> list[dict[str, Any]]:
    """What the scripts make of some texts."""
    found: list[dict[str, Any]] = scripts.call("configs", texts)
    return found


def said(path: Path) -> tuple[str, Any]:
    """What the engine makes of a file: its sizes and choices, or why not."""
    try:
        model = read_config(path)
    except BadConfig as error:
        return "refused", str(error).removeprefix(f"{path}: ").removeprefix(f"{path.name}: ")
    # None where there can be none.
    choices = [model.choices.tied, bool(model.choices.cross_attention)]
    return "read", [model.architecture.model_type, dict(model.sizes), choices]


def said_by_script(found: dict[str, Any]) -> tuple[str, Any]:
    """The same of what a script found."""
    configuration = found["configuration"]
    if configuration is None:
        return "refused", found["errors"][0]["message"]
    choices = [configuration["choices"][name] for name in ("tied", "cross_attention")]
    return "read", [configuration["architecture"], configuration["sizes"], choices]


def alike(ours: tuple[str, Any], theirs: tuple[str, Any]) -> bool:
    """Whether engine and script say the same; a value that is wrong, and what is no JSON, each shows in its own way."""
    if ours[0] != theirs[0] or ours[0] == "read":
        return ours == theirs
    one, other = (text.partition(" ")[::2] for text in (ours[1], theirs[1]))
    return bool(one[0] == other[0] and one[1].rpartition("; ")[2] == other[1].rpartition("; ")[2])


def is_python_s_own(content: bytes) -> bool:
    """Whether what a file means depends on the reader: deep nesting, and numbers that JSON or scripts do not have."""
    numbers = re.search(rb"NaN|Infinity|[0-9][.eE]|[0-9]{16}", content)
    return bool(numbers) or content.count(b"[") + content.count(b"{") > 500


def test_any_file_is_read_alike(scripts: Scripts, tmp_path: Path) -> None:
    """Thousands: odd values, damaged, doubled keys, other encodings, deep nesting, noise; all are read or refused."""
    contents = list(odd_inputs.files(FILES, SEED))
    found = scripts.call("configsOfBytes", [base64.b64encode(each).decode() for each in contents])
    path = tmp_path / "config.json"
    kinds: Counter[str] = Counter()
    for content, script in zip(contents, map(said_by_script, found), strict=True):
        if not is_python_s_own(content):
            path.write_bytes(content)
            engine = said(path)
            assert alike(engine, script), (content, engine, script)
            kinds[engine[0]] += 1
    assert min(kinds["read"], kinds["refused"]) > FILES / 10


def test_a_difference_is_noticed() -> None:
    """Another size, and another reason."""
    assert not alike(("read", ["bert", {"V": 1}, [None, None]]), ("read", ["bert", {"V": 2}, [None, None]]))
    assert not alike(("refused", "a is 1; no"), ("refused", "b is 1; no"))


def test_recorded_configs_are_counted_as_transformers_builds_them(scripts: Scripts) -> None:
    """Each odd config in every class, or refused where the engine refuses it."""
    cases = [(each["config"], each["totals"]) for each in recorded()["cases"]]
    found = scripts.call("totalsOfConfigs", [[json.dumps(config), [*totals]] for config, totals in cases])
    for (config, totals), script in zip(cases, found, strict=True):
        # JSON has one kind of number: 1.0 is 1 to a script.
        read_as = {
            key: int(each) if isinstance(each, float) and each == int(each) else each for key, each in config.items()
        }
        try:
            model = model_of_config("a", read_as)
        except BadConfig:
            assert script is None, config
            continue
        assert script is not None, config
        for (name, theirs), ours in zip(totals.items(), script, strict=True):
            # DistilBERT's class for questions takes two labels only; `check` says so.
            chosen = model.architecture.class_named(name)
            if theirs is not None and chosen.labels in (None, model.sizes["C"]):
                assert theirs == ours, (name, config)
    assert sum(each is not None for each in found) > 250


def test_configs_of_relatives(scripts: Scripts) -> None:
    """Of Google's ALBERT and the first DistilBERT, which name no model type, and of each that does."""
    cases = [(UNNAMED["albert"], "AlbertModel", 11_683_584), (UNNAMED["distilbert"], "DistilBertModel", 66_362_880)]
    for model_type, config in RELATIVES.items():
        bare = ARCHITECTURES[model_type].classes[0].name
        cases.append((config, bare, Question(model_of_config("a", config)).number))
    found = scripts.call("totalsOfConfigs", [[json.dumps(config), [name]] for config, name, _ in cases])
    assert [[number] for *_, number in cases] == found


def test_published_files_are_counted_as_transformers_builds_them(scripts: Scripts) -> None:
    """Each as it stands, with all its keys, in every class; of one that is not counted the key is named."""
    cases = [[json.dumps(config), [*PUBLISHED_TOTALS[name]]] for name, config in PUBLISHED.items()]
    found = scripts.call("totalsOfConfigs", cases)
    for name, script in zip(PUBLISHED, found, strict=True):
        assert [*PUBLISHED_TOTALS[name].values()] == script, name
    (refused,) = read(scripts, json.dumps(EVERY[UNCOUNTED]))
    assert [UNCOUNTED_KEY] == [each["key"] for each in refused["errors"]]


def test_heads_of_another_width_are_refused(scripts: Scripts) -> None:
    """As the engine refuses them; to a script 64.0 is 64."""
    config = {key: each for key, each in EVERY[UNCOUNTED].items() if key != UNCOUNTED_KEY}
    texts = [json.dumps({**config, "attention_head_size": width}) for width in OTHER_WIDTHS]
    errors = [[each["key"] for each in one["errors"]] for one in read(scripts, json.dumps(config), *texts)]
    assert [] == errors.pop(0)
    assert errors == [[] if isinstance(width, float) else ["attention_head_size"] for width in OTHER_WIDTHS]


def test_published_models_are_written_and_read(scripts: Scripts) -> None:
    """The config of each, as scripts write it, is that model to the engine and to them."""
    models = {**load_models(), **load_relatives()}
    written = scripts.call("writtenConfigs", [*models])
    sizes = [dict(each.sizes) for each in models.values()]
    assert sizes == [dict(model_of_config("a", each).sizes) for each in written]
    assert sizes == [each["configuration"]["sizes"] for each in read(scripts, *map(json.dumps, written))]


NAMED = ["BertForMaskedLM", "BertModel", "RobertaModel", "BertForPoetry", "", "\x1b[2J\x7f\u202e\u2028é", "x" * 99]
"""Classes that a config may name: those of the model, of another, of none, and what is no name."""


def test_the_class_that_a_config_names_is_read_alike(scripts: Scripts) -> None:
    """Alone or as the first of a list: as a class that is counted, or as what a message shows of it; or none."""
    values: list[Any] = [*NAMED, *([each, "BertModel"] for each in NAMED), [], None]
    configs = [{**SIZES, "model_type": "bert", "architectures": each} for each in values]
    for config, found in zip(configs, read(scripts, *map(json.dumps, configs)), strict=True):
        model = model_of_config("config.json", config)
        is_counted = model.named_class in {each.name for each in model.architecture.classes}
        assert found["named"] == (model.named_class if is_counted else None)
        assert found["uncounted"] == (shown(model.named_class) if model.named_class and not is_counted else None)


def with_value(key: str, text: str) -> str:
    """A good config in which one value is this text."""
    return json.dumps({**SIZES, key: 0}).replace(f'"{key}": 0', f'"{key}": {text}')


HOSTILE = [
    (with_value("hidden_size", '"768"'), "hidden_size", 'hidden_size is "768"; it must be an integer from 1 to'),
    (with_value("hidden_size", "1e400"), "hidden_size", "hidden_size is null; it must be an integer from 1 to"),
    (with_value("vocab_size", "9007199254740992"), "vocab_size", "from 1 to 9007199254740991"),
    (with_value("vocab_size", "9" * 5000), "vocab_size", "from 1 to 9007199254740991"),
    *((with_value("pad_token_id", each), "pad_token_id", "null or an integer below 101") for each in ("101", "-102")),
    ('{"__proto__": {"vocab_size": 101}}', "vocab_size", "vocab_size is missing"),
    ("[" * 100_000 + "]" * 100_000, "", ""),
    (with_value("vocab_size", '{"a":' * 100_000 + "1" + "}" * 100_000), "", ""),
    ('{"a": 1,\n "b": }', "", "it cannot be read as JSON ("),
    ("<script>alert(1)</script>", "", "it cannot be read as JSON ("),
    ("[1, 2]", "", "holds [1,2]; a config is one JSON object, in braces"),
    ('{"model_type": "gpt2"}', "model_type", 'model_type is "gpt2"; other models have other tensors'),
]
"""What is wrong, of which key, and how that is said; how deep a browser reads is its own affair."""


def test_hostile_texts(scripts: Scripts) -> None:
    """Each is refused by name, and never throws; one JSON number is as good as another of the same value."""
    for (text, key, says), found in zip(HOSTILE, read(scripts, *(each[0] for each in HOSTILE)), strict=True):
        assert found["configuration"] is None, text[:60]
        if says:
            assert key in {each["key"] for each in found["errors"]}, text[:60]
        assert any(says in each["message"] for each in found["errors"]), text[:60]
        assert all(len(each["message"]) < 400 for each in found["errors"])
    assert scripts.call("ofEveryObject", "vocab_size") is None
    labels = '3, "id2label": {"0": "a", "1": "b"}'  # the first decides, as in transformers
    good = {"hidden_size": "20.0", "vocab_size": "9007199254740991", "num_labels": labels, "pad_token_id": "100"}
    twice = with_value("vocab_size", '7, "vocab_size": 8')  # the last counts, as in Python
    whole = read(scripts, *(with_value(key, text) for key, text in good.items()), twice)
    assert [20, 2**53 - 1, 3, 101, 8] == [
        each["configuration"]["sizes"][letter] for each, letter in zip(whole, "HVCVV", strict=True)
    ]
    # Everything that is wrong is named, and not only what comes first.
    (found,) = read(scripts, json.dumps({**SIZES, "hidden_act": "prelu", "vocab_size": 0, "num_attention_heads": 0}))
    assert ["hidden_act", "vocab_size", "num_attention_heads"] == [each["key"] for each in found["errors"]]


@pytest.mark.parametrize(("character", "times"), [(" ", 4 * 2**20 + 1), ("é", 2 * 2**20 + 1)])
def test_a_text_that_is_too_long_is_refused(scripts: Scripts, character: str, times: int) -> None:
    """By its bytes, and before it is read; four MiB are the most."""
    found = scripts.call("longConfig", "<long>", character, times)
    assert ["it is larger than 4194304 bytes; give a config.json, which has a few kilobytes"] == [
        each["message"] for each in found["errors"]
    ]
    longest = scripts.call("longConfig", json.dumps(SIZES) + "<long>", " ", 4 * 2**20 - len(json.dumps(SIZES)))
    assert longest["configuration"]


TYPED = {"V": "30,522", "P": "512", "S": "2", "H": "768", "F": "3072", "L": "12", "A": "12", "C": ""}
OTHERS = ("vocabulary", "pruned", "frozen", "layers", "rank", "width", "modules", "feedforward")
TYPED |= {**dict.fromkeys(OTHERS, ""), "method": "lora"}


def check(scripts: Scripts, *fields: dict[str, str]) -> list[dict[str, Any]]:
    """What the scripts make of fields, those of base where nothing else is typed."""
    found: list[dict[str, Any]] = scripts.call(
        "checkedFields", [{"class": "BertModel", **TYPED, **each} for each in fields]
    )
    return found


AS_TYPED = [
    *("30522", "30,522", "30.522", "30 522", "30_522", "30'522", "30’522", " 30522 ", "３０５２２", "030522"),
    *("30\u202f522", "30\u00a0522", "30\u2009522"),
]


def test_sizes_as_people_type_them(scripts: Scripts) -> None:
    """With anything between thousands; random ones with commas; and the largest that there can be."""
    base, chance = model_named("bert-base-uncased"), random.Random(SEED)  # noqa: S311
    sizes = [{"V": chance.randrange(1, 2**53), "P": chance.randrange(1, 10**6)} for _ in range(20)]
    asked = [{letter: f"{size:,}" for letter, size in each.items()} for each in [*sizes, {"V": 2**53 - 1}]]
    found = check(scripts, *({"V": each} for each in AS_TYPED), *asked)
    assert [{**base.sizes}] * len(AS_TYPED) + [{**base.sizes, **each} for each in [*sizes, {"V": 2**53 - 1}]] == [
        each["configuration"]["sizes"] for each in found
    ]


LORA = {"rank": "8", "modules": "query"}

WRONG: list[tuple[dict[str, str], str, str]] = [
    *(
        ({"V": text}, "V", says)
        for text, says in {
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
    ({"pruned": "133"}, "pruned", "the model has 144 heads, and each layer keeps one of them; prune up to 132"),
    ({**LORA, "pruned": "2"}, "pruned", "pruned heads are not counted together with LoRA; empty this field"),
    ({"layers": "2", "pruned": "2"}, "pruned", "not counted together with frozen first layers"),
    (
        {"class": "AlbertModel", "E": "128", "G": "1", "I": "1", "pruned": "2"},
        "pruned",
        "share their heads; leave this",
    ),
    # Of two labels there are two, as in transformers when it builds the class.
    ({"class": "DistilBertForQuestionAnswering", "C": "3"}, "C", "takes 2 labels and no other number"),
]
"""Fields, which of them is wrong, and how that is said."""


def test_wrong_fields_are_named(scripts: Scripts) -> None:
    """The field, what is wrong with it, and what would do."""
    for (fields, key, says), found in zip(WRONG, check(scripts, *(each[0] for each in WRONG)), strict=True):
        assert found["configuration"] is None, fields
        assert [key] == [each["key"] for each in found["errors"]], fields
        assert says in found["errors"][0]["message"]


def test_every_wrong_field_is_named(scripts: Scripts) -> None:
    """All at once, in the order of reading; how many layers may be frozen is not known where their number is wrong."""
    some, others = check(
        scripts,
        {"V": "x", "F": "", "layers": "y"},
        {"L": "x", "layers": "13", "rank": "x"},
    )
    assert ["V", "F", "layers"] == [each["key"] for each in some["errors"]]
    assert ["L", "rank", "modules"] == [each["key"] for each in others["errors"]]
