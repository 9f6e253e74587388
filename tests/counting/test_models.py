"""The keys that the block of a published model must have, and the models that the data files must have."""

import gzip
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    ARCHITECTURES,
    BERT,
    BadConfig,
    Model,
    UnknownModel,
    count,
    load_models,
    load_relatives,
    model_named,
)
from macros.counting.models import (
    RELATIVE,
    checked_sizes,
    load_groups,
    misfit_of_heads,
    models_by_every_name,
    published_model,
)
from macros.counting.published.others import load_others

MOST_DOWNLOADED_CHECKPOINTS = tomllib.loads(Path(__file__).with_name("most_loaded.toml").read_text(encoding="utf-8"))
"""The most downloaded checkpoints, with their total or the model whose sizes they have."""

RECORDING = json.loads(gzip.decompress(Path(__file__).with_name("recorded_models.json.gz").read_bytes()))
"""The models that transformers built from the sizes in the data files when `record_models.py` last ran."""

GOOD_BLOCK = {
    "title": '"A model"',
    "group": '"original"',
    "vocab_size": "100",
    "max_position_embeddings": "16",
    "type_vocab_size": "2",
    "hidden_size": "8",
    "intermediate_size": "32",
    "num_hidden_layers": "2",
    "num_attention_heads": "2",
    "source": '"a paper"',
    "accessed": '"2026-11-20"',
}
"""The keys of a complete block, with each value in TOML."""


def models_file(tmp_path: Path, **changes: str | None) -> Path:
    """Write a models.toml with one block and `changes` to its keys, where None removes a key; return its path."""
    lines = [f"{key} = {value}" for key, value in {**GOOD_BLOCK, **changes}.items() if value is not None]
    path = tmp_path / "models.toml"
    path.write_text("[tiny]\n" + "\n".join(lines))
    return path


def test_a_complete_block_gives_a_model(tmp_path: Path) -> None:
    model = load_models(models_file(tmp_path))["tiny"]
    assert {"V": 100, "P": 16, "S": 2, "H": 8, "F": 32, "L": 2, "A": 2, "C": 2} == model.sizes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hidden_size": None}, "hidden_size is missing"),
        ({"hiden_size": "8"}, 'unknown key hiden_size = 8; did you mean "hidden_size"'),
        ({"hidden_size": '"8"'}, 'hidden_size is "8"; it must be an integer'),
        ({"hidden_size": "0"}, "hidden_size is 0; it must be an integer from 1"),
        ({"num_hidden_layers": "-1"}, "num_hidden_layers is -1; it must be an integer from 0"),
        ({"num_attention_heads": "3"}, "hidden_size 8 is not a multiple of num_attention_heads 3"),
        ({"source": None}, "source is missing; write it"),
        ({"accessed": '"yesterday"'}, 'accessed is "yesterday"; write a date'),
        ({"group": None}, "group is missing"),
        ({"group": '"orignal"'}, 'group is "orignal"; did you mean "original"'),
        ({"model_type": '"gpt2"'}, 'model_type is "gpt2"; known: bert, roberta'),
        ({"model_type": '"roberta"'}, 'group is "original"; known: relative'),
        ({"model_type": '"distilbert"'}, "unknown key type_vocab_size = 2"),
        ({"embedding_size": "8"}, "unknown key embedding_size"),
    ],
)
def test_a_bad_block_is_refused(tmp_path: Path, changes: dict[str, str | None], message: str) -> None:
    with pytest.raises(BadConfig) as error:
        load_models(models_file(tmp_path, **changes))
    assert message in str(error.value)
    assert "models.toml" in str(error.value)


def test_a_bert_among_the_relatives_is_in_their_group(tmp_path: Path) -> None:
    """No page may show it as one of Google's."""
    good_path = models_file(tmp_path, group='"relative"').rename(tmp_path / "relatives.toml")
    relative = load_models(good_path)["tiny"]
    assert (BERT, RELATIVE) == (relative.architecture, relative.group)
    (tmp_path / "other").mkdir()
    bad_path = models_file(tmp_path).rename(tmp_path / "other" / "relatives.toml")
    with pytest.raises(BadConfig, match=r'relatives\.toml, tiny: group is "original"; known: relative'):
        load_models(bad_path)


def test_a_similar_name_is_suggested_for_an_unknown_model() -> None:
    with pytest.raises(UnknownModel, match='no model "bert-base-uncasd"; did you mean "bert-base-uncased"'):
        model_named("bert-base-uncasd")


# Source: README.md of google-research/bert at commit eedf571: nine checkpoints by language and size, and
# twenty-four miniatures.
GOOGLE_CHECKPOINTS = {
    "original": {f"bert-{size}-{letters}" for size in ("base", "large") for letters in ("uncased", "cased")},
    "whole-word-masking": {f"bert-large-{letters}-whole-word-masking" for letters in ("uncased", "cased")},
    "multilingual": {f"bert-base-multilingual-{letters}" for letters in ("uncased", "cased")},
    "chinese": {"bert-base-chinese"},
    "miniature": {
        f"bert_uncased_L-{layers}_H-{width}_A-{width // 64}"
        for layers in range(2, 13, 2)
        for width in (128, 256, 512, 768)
    },
}


def test_every_checkpoint_by_google_is_listed() -> None:
    groups = {name: model.group for name, model in load_models().items() if "google-research/bert" in model.source}
    assert {name: group for group, names in GOOGLE_CHECKPOINTS.items() for name in names} == groups
    assert [4, 2, 2, 1, 24] == list(map(len, GOOGLE_CHECKPOINTS.values()))


# BERT models in relatives.toml. Source: worked out by hand from the sizes in each config.json.
BERT_RELATIVES = {
    "MiniLM-L6-H384-uncased": 22_713_216,
    "MiniLM-L12-H384-uncased": 33_360_000,
    "LaBSE": 470_926_848,
    "paraphrase-multilingual-MiniLM-L12-v2": 117_653_760,
    "TinyBERT_General_4L_312D": 14_350_248,
    "bert-base-japanese": 110_617_344,
    "rubert-tiny2": 29_193_768,
    "scibert-scivocab-uncased": 109_918_464,
    "biobert": 108_310_272,
}


def test_relatives_with_the_shapes_of_bert_are_counted_as_bert() -> None:
    relatives = load_relatives()
    assert {BERT} == {relatives[name].architecture for name in BERT_RELATIVES}
    assert BERT_RELATIVES == {name: count(relatives[name]) for name in BERT_RELATIVES}


def test_the_files_of_models_and_of_relatives_have_no_model_in_common() -> None:
    assert {BERT} == {model.architecture for model in load_models().values()}
    assert RELATIVE not in {model.group for model in load_models().values()}
    assert {RELATIVE} == {model.group for model in load_relatives().values()}
    assert not set(load_models()) & set(load_relatives())
    # Source: the checkpoints released with the papers of these relatives.
    assert {"roberta-large", "xlm-roberta-large", "distilbert-base-cased", "albert-xlarge-v2"} <= set(load_relatives())


def test_a_relative_is_found_by_name() -> None:
    assert model_named("albert-base-v2") == load_relatives()["albert-base-v2"]
    with pytest.raises(UnknownModel, match='did you mean "albert-base-v2"'):
        model_named("albert-bsae-v2")


# Source: each config.json on the Hugging Face hub. All are BERT base or MiniLM with different weights.
@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("all-MiniLM-L6-v2", "MiniLM-L6-H384-uncased"),
        ("e5-base-v2", "bert-base-uncased"),
        ("klue/bert-base", "bert-base-japanese"),
    ],
)
def test_a_checkpoint_with_the_sizes_of_another_is_found(alias: str, name: str) -> None:
    assert model_named(alias) == model_named(name)
    assert alias in model_named(name).also


@pytest.mark.parametrize(("checkpoint", "total"), MOST_DOWNLOADED_CHECKPOINTS["totals"].items())
def test_the_most_downloaded_checkpoints_have_their_totals(checkpoint: str, total: int) -> None:
    assert total == count(model_named(checkpoint))


@pytest.mark.parametrize(("checkpoint", "name"), MOST_DOWNLOADED_CHECKPOINTS["sizes"].items())
def test_the_most_downloaded_checkpoints_have_the_sizes_of_their_models(checkpoint: str, name: str) -> None:
    assert model_named(name) == model_named(checkpoint)


@pytest.mark.parametrize(
    "checkpoint", ["someone/bert-base-german-cased", "someone/roberta-base", "someone/roberta-large"]
)
def test_another_publisher_may_mean_another_model(checkpoint: str) -> None:
    assert None is published_model(checkpoint)


@pytest.mark.parametrize("case", RECORDING["cases"], ids=lambda case: case["name"])
def test_a_model_has_the_sizes_and_the_total_that_are_recorded(case: dict[str, Any]) -> None:
    """After a size has been corrected, `make verify` records the model again."""
    model = model_named(case["name"])
    assert checked_sizes(case["name"], ARCHITECTURES[case["model_type"]], case["config"]) == model.sizes
    assert case["total"] == count(model, model_class=case["class"])


def test_uncounted_models_have_the_totals_that_are_recorded() -> None:
    totals = {name: other.totals for name, other in load_others().items()}
    assert RECORDING["others"] == {name: totals[name] for name in RECORDING["others"]}
    assert len(RECORDING["others"]) > 30


LANGUAGES = {
    "ar": "arabic",
    "de": "german",
    "en": "english",
    "fr": "french",
    "it": "italian",
    "ja": "japanese",
    "ko": "korean",
    "nl": "dutch",
    "pl": "polish",
    "ru": "russian",
    "sv": "swedish",
    "zh": "chinese",
}
"""The name of each language by its code in ISO 639-1."""

FACTS_IN_NAMES = (
    re.compile(r"(?<![a-z])(?:tiny|mini|small|medium|base|large|x+large|x+l)(?![a-z])"),
    re.compile(r"(?<![a-z])(?:cased|uncased)(?![a-z])"),
    re.compile(r"(?<=version )\d[.\d]*|(?<=v)\d[.\d]*"),
    re.compile(rf"(?<![a-z])(?:{'|'.join((*LANGUAGES.values(), 'multilingual'))})(?![a-z])"),
    re.compile(r"(?<![a-z])(?:discriminator|generator)(?![a-z])"),
    re.compile(r"(?<![\d.])\d+(?=m(?![a-z]))"),
)
"""Patterns for facts that both the name and the title of a model may state.

They are its size, its letter case, its version, its language, the half of ELECTRA and its millions of parameters.
"""

LANGUAGE_CODE = re.compile(rf"(?<=[-_])(?:{'|'.join(LANGUAGES)})(?![a-z])")
"""The code of a language in the name of a model."""


def contradictions(name: str, title: str, patterns: Sequence[re.Pattern[str]] = FACTS_IN_NAMES) -> list[str]:
    """The facts in which `title` contradicts `name`; a fact that the name does not state is never contradicted."""
    name_in_words = LANGUAGE_CODE.sub(lambda code: LANGUAGES[code[0]], name.lower())
    words = [(set(pattern.findall(name_in_words)), set(pattern.findall(title.lower()))) for pattern in patterns]
    return [f"{name}: {sorted(in_title)}" for in_name, in_title in words if in_name and not in_title <= in_name]


def test_titles_fit_names() -> None:
    titles = {name: model.title for models in (load_models(), load_relatives()) for name, model in models.items()}
    titles |= {name: other.title for name, other in load_others().items()}
    assert [] == [fault for name, title in titles.items() for fault in contradictions(name, title)]
    assert contradictions("albert-base-v2", "ALBERT base, version 1")
    assert contradictions("flaubert-base-cased", "FlauBERT, base, uncased")
    assert contradictions("bert-large-cased", "BERT base, cased")
    assert contradictions("xlm-mlm-en-2048", "XLM, multilingual")
    assert contradictions("electra-small-generator", "ELECTRA small, discriminator")
    assert contradictions("modernbert-ja-30m", "Japanese ModernBERT, 70M")


def test_names_of_one_model_are_of_one_size() -> None:
    """The part of an alias after `distilled-from` names a different model."""
    models = [*load_models().values(), *load_relatives().values()]
    names = [(name, model.name) for model in models for name in model.also]
    size_patterns = FACTS_IN_NAMES[:1]
    assert [] == [
        name
        for name, model_name in names
        if contradictions(model_name, re.sub("distilled-from-.*", "", name), size_patterns)
    ]
    assert contradictions("bert-base-japanese", "sonoisa/sentence-bert-large-ja", size_patterns)


SIZES_IN_NAMES = {
    "L": re.compile(r"(?<![a-z])l-?(\d+)|(?<![a-z\d])(\d+)(?:l(?![a-z])|[-_]?layers?)"),
    "H": re.compile(r"(?<![a-z])h-?(\d+)"),
}
"""Patterns for the number of layers and the hidden size in the names of checkpoints."""


def contradicted_sizes(name: str, sizes: Mapping[str, int]) -> list[str]:
    """The sizes in the name of a checkpoint that differ from those of its model."""
    # Only one of the groups of a pattern matches.
    sizes_in_name = [
        (letter, next(filter(None, match.groups())))
        for letter, pattern in SIZES_IN_NAMES.items()
        for match in pattern.finditer(name.lower())
    ]
    return [f"{name}: {letter} = {number}" for letter, number in sizes_in_name if int(number) != sizes[letter]]


def test_names_agree_with_sizes() -> None:
    models = [*load_models().values(), *load_relatives().values()]
    names = [(name, model.sizes) for model in models for name in (model.name, *model.also)]
    assert [] == [fault for name, sizes in names for fault in contradicted_sizes(name, sizes)]
    sizes = model_named("MiniLM-L6-H384-uncased").sizes
    assert [contradicted_sizes(name, sizes) for name in ("a-l12-h384", "a-L6_H-256", "a-12-layers")] == [
        ["a-l12-h384: L = 12"],
        ["a-L6_H-256: H = 256"],
        ["a-12-layers: L = 12"],
    ]


def test_no_two_models_share_a_name() -> None:
    models = [*load_models().values(), *load_relatives().values()]
    names = [name for model in models for name in (model.name, *model.also)]
    assert len(names) == len(set(names))


def test_looking_up_one_model_agrees_with_loading_all() -> None:
    models = models_by_every_name()
    assert len(models) > 300
    assert models == {name: published_model(name) for name in models}
    assert models == {name: published_model(name.upper()) for name in models}


@pytest.mark.parametrize("also", ['["tiny"]', '["a", "a"]', '[" "]', "[1]"])
def test_bad_names_of_other_checkpoints_are_refused(tmp_path: Path, also: str) -> None:
    with pytest.raises(BadConfig, match=r"also lists .*; write the names of other checkpoints, each once"):
        load_models(models_file(tmp_path, also=also))


def test_every_group_has_models_and_every_model_a_group() -> None:
    names = ["original", "whole-word-masking", "multilingual", "chinese", "miniature", "course"]
    assert names == [name for name in load_groups() if name in names]
    assert set(load_groups()) == {model.group for model in load_models().values()}
    # The original models, which readers most likely mean, cost nothing. Miniatures and sizes from courses are rarer.
    costs = {name: load_groups()[name].cost for name in names}
    assert {
        "original": 0,
        "whole-word-masking": 0,
        "multilingual": 1,
        "chinese": 1,
        "miniature": 4,
        "course": 3,
    } == costs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[new]\ntitle = "New"', "groups.toml, new: cost is missing; write it"),
        ('[new]\ntitle = "New"\ncost = 1\norder = 2', "unknown key order = 2; known: title, cost"),
        ('[new]\ntitle = "New"\ncost = -1', "groups.toml, new: cost is -1; write an integer from 0"),
        ('[new]\ntitle = "New"\ncost = true', "cost is true; write an integer from 0"),
    ],
)
def test_a_bad_group_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "groups.toml"
    path.write_text(text)
    with pytest.raises(BadConfig, match=re.escape(message)):
        load_groups(path)


def test_a_changed_size_is_checked_like_one_from_a_file(base: Model) -> None:
    assert 30_000 == base.resized(V=30_000).sizes["V"]
    with pytest.raises(BadConfig, match="vocab_size is 0"):
        base.resized(V=0)
    with pytest.raises(BadConfig, match="hidden_size 768 is not a multiple of num_attention_heads 5; transformers"):
        model_named("albert-base-v2").resized(A=5)


def test_misfitting_heads_are_named_by_the_keys_of_a_config(base: Model) -> None:
    distilbert = model_named("distilbert-base-uncased").resized(A=5)
    assert "dim 768 is not a multiple of n_heads 5" == misfit_of_heads(distilbert.architecture, distilbert.sizes)
    for model in (base, base.resized(A=16), base.resized(A=5, L=0)):
        assert "" == misfit_of_heads(model.architecture, model.sizes)


def test_heads_of_googles_checkpoints_are_64_wide() -> None:
    """No total depends on the number of heads, so only this test would notice a wrong one."""
    google_models = [model for model in load_models().values() if "google-research/bert" in model.source]
    assert {64} == {model.sizes["H"] // model.sizes["A"] for model in google_models}
