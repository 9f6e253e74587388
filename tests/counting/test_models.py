"""models.toml: what a block must say, and how it is refused otherwise."""

import re
from pathlib import Path

import pytest

from macros.counting import BERT, BadConfig, Model, UnknownModel, count, load_models, load_relatives, model_named
from macros.counting.models import RELATIVE, load_groups, odd_heads

GOOD = {
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


def written(tmp_path: Path, **changes: str | None) -> Path:
    """A models.toml of one block, some keys changed or (None) left out."""
    lines = [f"{key} = {value}" for key, value in {**GOOD, **changes}.items() if value is not None]
    path = tmp_path / "models.toml"
    path.write_text("[tiny]\n" + "\n".join(lines))
    return path


def test_a_good_block(tmp_path: Path) -> None:
    """The block above is read as it stands."""
    model = load_models(written(tmp_path))["tiny"]
    assert {"V": 100, "P": 16, "S": 2, "H": 8, "F": 32, "L": 2, "A": 2, "C": 2} == model.sizes


@pytest.mark.parametrize(
    ("changes", "says"),
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
def test_a_bad_block(tmp_path: Path, changes: dict[str, str | None], says: str) -> None:
    """A bad block is refused; the message names file, key and value."""
    with pytest.raises(BadConfig) as caught:
        load_models(written(tmp_path, **changes))
    assert says in str(caught.value)
    assert "models.toml" in str(caught.value)


def test_a_bert_among_the_relatives_is_of_their_group(tmp_path: Path) -> None:
    """So that no page shows it as a release of its own."""
    good = written(tmp_path, group='"relative"').rename(tmp_path / "relatives.toml")
    relative = load_models(good)["tiny"]
    assert (BERT, RELATIVE) == (relative.architecture, relative.group)
    (tmp_path / "other").mkdir()
    bad = written(tmp_path).rename(tmp_path / "other" / "relatives.toml")
    with pytest.raises(BadConfig, match=r'relatives\.toml, tiny: group is "original"; known: relative'):
        load_models(bad)


def test_unknown_model() -> None:
    """An unknown name is answered with the nearest known one."""
    with pytest.raises(UnknownModel, match='no model "bert-base-uncasd"; did you mean "bert-base-uncased"'):
        model_named("bert-base-uncasd")


# Source: google-research/bert, README.md at commit eedf571: nine checkpoints by language and size, and the
# twenty-four miniatures.
GOOGLE = {
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


def test_everything_google_published_is_here() -> None:
    """And nothing that it did not publish says so; others may release models of the same kinds."""
    released = {name: model.group for name, model in load_models().items() if "google-research/bert" in model.source}
    assert {name: group for group, names in GOOGLE.items() for name in names} == released
    assert [4, 2, 2, 1, 24] == list(map(len, GOOGLE.values()))


# Source: hand arithmetic on the sizes of each config.json; the total of base with another width, depth or vocabulary.
SHAPED_LIKE_BERT = {
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


def test_relatives_that_are_shaped_like_bert() -> None:
    """They are counted as BERT."""
    relatives = load_relatives()
    assert {BERT} == {relatives[name].architecture for name in SHAPED_LIKE_BERT}
    assert SHAPED_LIKE_BERT == {name: count(relatives[name]) for name in SHAPED_LIKE_BERT}


def test_no_model_stands_in_both_files() -> None:
    """models.toml holds BERTs only, all relatives are one group, and no name comes twice."""
    assert {BERT} == {model.architecture for model in load_models().values()}
    assert RELATIVE not in {model.group for model in load_models().values()}
    assert {RELATIVE} == {model.group for model in load_relatives().values()}
    assert not set(load_models()) & set(load_relatives())
    # Source: the checkpoints that the papers of the five relatives released.
    assert {"roberta-large", "xlm-roberta-large", "distilbert-base-cased", "albert-xlarge-v2"} <= set(load_relatives())


def test_a_relative_is_found_by_name() -> None:
    """And proposed where a name is nearly its own."""
    assert model_named("albert-base-v2") is load_relatives()["albert-base-v2"]
    with pytest.raises(UnknownModel, match='did you mean "albert-base-v2"'):
        model_named("albert-bsae-v2")


# Source: config.json of each on the Hugging Face hub; all are BERT base or MiniLM with other weights.
@pytest.mark.parametrize(
    ("other", "name"),
    [
        ("all-MiniLM-L6-v2", "MiniLM-L6-H384-uncased"),
        ("e5-base-v2", "bert-base-uncased"),
        ("klue/bert-base", "bert-base-japanese"),
    ],
)
def test_a_checkpoint_with_the_sizes_of_another_is_found(other: str, name: str) -> None:
    """It is the model that has a block, under another name."""
    assert model_named(other) is model_named(name)
    assert other in model_named(name).also


def test_no_name_is_that_of_two() -> None:
    """Neither of a block nor of another checkpoint with its sizes."""
    models = [*load_models().values(), *load_relatives().values()]
    names = [name for each in models for name in (each.name, *each.also)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("also", ['["tiny"]', '["a", "a"]', '[" "]', "[1]"])
def test_bad_names_of_other_checkpoints(tmp_path: Path, also: str) -> None:
    """Its own name, one that comes twice, an empty one, and what is no name."""
    with pytest.raises(BadConfig, match=r"also has .*; write the names of other checkpoints, each once"):
        load_models(written(tmp_path, also=also))


def test_every_group_has_models_and_every_model_a_group() -> None:
    """The groups of releases that are known, each first in its kind; others may come between and after."""
    known = ["original", "whole-word-masking", "multilingual", "chinese", "miniature", "course"]
    assert known == [name for name in load_groups() if name in known]
    assert set(load_groups()) == {model.group for model in load_models().values()}
    # What people most likely mean costs nothing; a text's own sizes and the miniatures are rarer.
    costs = {name: load_groups()[name].cost for name in known}
    assert {
        "original": 0,
        "whole-word-masking": 0,
        "multilingual": 1,
        "chinese": 1,
        "miniature": 4,
        "course": 3,
    } == costs


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[new]\ntitle = "New"', "groups.toml, new: cost is missing; write it"),
        ('[new]\ntitle = "New"\ncost = 1\norder = 2', "unknown key order = 2; known: title, cost"),
        ('[new]\ntitle = "New"\ncost = -1', "groups.toml, new: cost is -1; write an integer from 0"),
        ('[new]\ntitle = "New"\ncost = true', "cost is true; write an integer from 0"),
    ],
)
def test_a_bad_group(tmp_path: Path, text: str, says: str) -> None:
    """The message names file and group."""
    path = tmp_path / "groups.toml"
    path.write_text(text)
    with pytest.raises(BadConfig, match=re.escape(says)):
        load_groups(path)


def test_resizing_is_checked(base: Model) -> None:
    """A changed size obeys the same rules as a read one."""
    assert 30_000 == base.resized(V=30_000).sizes["V"]
    with pytest.raises(BadConfig, match="vocab_size is 0"):
        base.resized(V=0)
    with pytest.raises(BadConfig, match="hidden_size 768 is not a multiple of num_attention_heads 5; transformers"):
        model_named("albert-base-v2").resized(A=5)


def test_odd_heads_are_named_by_the_keys_of_a_config(base: Model) -> None:
    """Where there are layers that have heads."""
    distilbert = model_named("distilbert-base-uncased").resized(A=5)
    assert "dim 768 is not a multiple of n_heads 5" == odd_heads(distilbert.architecture, distilbert.sizes)
    for model in (base, base.resized(A=16), base.resized(A=5, L=0)):
        assert "" == odd_heads(model.architecture, model.sizes)


OF_ANOTHER_WIDTH = {
    "MiniLM-L6-H384-uncased": 32,
    "MiniLM-L12-H384-uncased": 32,
    "TinyBERT_General_4L_312D": 26,
    "albert-xlarge-v2": 128,
    "ms-marco-MiniLM-L2-v2": 32,
    "ms-marco-MiniLM-L4-v2": 32,
    "paraphrase-MiniLM-L3-v2": 32,
    "paraphrase-multilingual-MiniLM-L12-v2": 32,
    "rubert-tiny": 26,
    "rubert-tiny2": 26,
}
"""Published models whose heads are not 64 wide, and how wide they are: hidden_size / num_attention_heads."""


def test_heads_are_as_wide_as_published() -> None:
    """Nothing that is counted depends on the number of heads, so it is held by the usual width of one."""
    models = [*load_models().values(), *load_relatives().values()]
    widths = {model.name: model.sizes["H"] // model.sizes["A"] for model in models}
    assert OF_ANOTHER_WIDTH == {name: width for name, width in widths.items() if width != 64}
