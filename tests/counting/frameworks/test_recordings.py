"""The engine agrees with all recordings of real implementations, and the alterations in `ALTERATIONS` are noticed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from macros.counting import ARCHITECTURES, BERT, class_questions, count, load_relatives, model_named, model_of_config
from macros.counting.frameworks import recordings as recordings_module
from macros.counting.frameworks.keras_hub import PRESETS
from macros.counting.frameworks.recordings import COMPARERS, comparison, recording, recordings
from tests.counting.unrecorded import unrecorded_message

ORACLES = Path(__file__).parents[2] / "oracles"
"""The folder of the scripts that make the recordings."""

MINIMUMS = {
    "transformers": (9, 494, 42_000),
    "transformers4": (9, 494, 42_000),
    "google-bert": (1, 18, 1_400),
    "keras-bert": (1, 18, 900),
    "bert4keras": (1, 34, 1_000),
    "keras-hub": (3, 57, 4_200),
    "flax": (9, 192, 12_000),
    "transformers-roberta": (7, 315, 20_000),
    "transformers-xlm-roberta": (7, 105, 12_000),
    "transformers-distilbert": (6, 270, 12_000),
    "transformers-albert": (7, 435, 14_000),
    "transformers-electra": (8, 448, 37_000),
    "transformers-mpnet": (6, 260, 12_000),
    "transformers-modernbert": (6, 240, 6_000),
    "transformers-deberta-v2": (6, 270, 14_000),
    "transformers-camembert": (7, 330, 23_000),
    "transformers-data2vec-text": (7, 300, 14_000),
    "transformers-xlm-roberta-xl": (7, 315, 31_000),
    "transformers-ernie": (9, 570, 38_000),
    "transformers-megatron-bert": (9, 418, 30_000),
    "transformers-rembert": (7, 390, 23_000),
    "transformers-dpr": (3, 144, 6_400),
    "transformers-nezha": (8, 306, 20_000),
    "transformers-deberta": (5, 220, 15_000),
    "transformers-big_bird": (8, 374, 20_000),
    "transformers-mobilebert": (8, 368, 50_000),
    "transformers-longformer": (6, 260, 20_000),
}
"""Minimum numbers of classes, of models, and of compared tensors or layers in a recording; 1 of each if not listed."""


@pytest.mark.parametrize("name", recordings())
def test_every_recording_agrees_with_the_engine(name: str) -> None:
    result = comparison(name)
    assert () == result.differences
    min_classes, min_models, min_entries = MINIMUMS.get(name, (1, 1, 1))
    assert result.class_count >= min_classes
    assert result.model_count >= min_models
    assert result.entry_count >= min_entries


@pytest.mark.parametrize("name", [name for name in recordings() if name.startswith("transformers")])
def test_a_title_names_the_release_and_the_architecture(name: str) -> None:
    release, _, architecture = comparison(name).title.partition(", ")
    assert f"transformers {recording(name)['versions']['transformers'].partition('.')[0]}" == release
    names = {model_type: entry.name for model_type, entry in ARCHITECTURES.items()}
    # Every recorded model of this type is DeBERTa-v3.
    names["deberta-v2"] = "DeBERTa-v3"
    assert names.get(name.partition("-")[2], "") == architecture


def is_recorded_by(script: str, name: str) -> bool:
    """Return whether a recording, such as `flax`, is named after a recorder, such as `record_flax.py`."""
    return name.replace("-", "_").startswith(script.removeprefix("record_").removesuffix(".py"))


def test_every_recording_names_its_recorder() -> None:
    scripts = {name: block["script"] for name, block in recordings().items()}
    assert all((ORACLES / script).is_file() for script in scripts.values())
    assert [] == [name for name, script in scripts.items() if not is_recorded_by(script, name)]


def test_a_recorder_of_another_library_is_noticed() -> None:
    assert is_recorded_by("record_transformers.py", "transformers-roberta")
    assert is_recorded_by("record_keras_bert.py", "keras-bert")
    assert not is_recorded_by("record_keras_bert.py", "keras-hub")
    assert not is_recorded_by("record_models.py", "transformers")


def test_every_recording_has_an_entry_in_the_index_and_every_entry_a_file() -> None:
    files = {path.name.removesuffix(".json.gz") for path in recordings_module.FOLDER.glob("*.gz")}
    assert set(MINIMUMS) <= set(recordings()) == files


def tensors_of(model: dict[str, Any]) -> list[Any]:
    """The tensors of a recorded model; empty if the recording lists layers instead."""
    tensors: list[Any] = model.get("parameters") or model.get("trainable") or []
    return tensors


def last_layer(model: dict[str, Any]) -> dict[str, Any]:
    """The last layer with weights in a Keras model."""
    layer: dict[str, Any] = [layer for layer in model["layers"] if layer["weights"]][-1]
    return layer


# Each of the following functions alters a recorded model in one respect.


def rename(model: dict[str, Any]) -> None:
    """Change the name of one tensor or layer."""
    if rows := tensors_of(model):
        rows[3][0] += "x"
    else:
        last_layer(model)["name"] += "x"


def reshape(model: dict[str, Any]) -> None:
    """Change one shape."""
    if rows := tensors_of(model):
        rows[3][1][0] += 1
    else:
        last_layer(model)["weights"][0][1][0] += 1


def reorder(model: dict[str, Any]) -> None:
    """Swap two neighbours."""
    rows = tensors_of(model) or model["layers"]
    rows[3], rows[4] = rows[4], rows[3]


def drop_last(model: dict[str, Any]) -> None:
    """Drop the last tensor or layer."""
    (tensors_of(model) or model["layers"]).pop()


def repeat_last(model: dict[str, Any]) -> None:
    """Repeat the last tensor or layer."""
    rows = tensors_of(model) or model["layers"]
    rows.append(rows[-1])


def miscount(model: dict[str, Any]) -> None:
    """Change the total."""
    if "total" in model:
        model["total"] += 1
    else:
        model["totals"]["total"] += 1


def untie(model: dict[str, Any]) -> None:
    """Remove one tie."""
    next(row for row in model["parameters"] if row[2])[2] = None


def reconnect(model: dict[str, Any]) -> None:
    """Change an input of a layer."""
    last_layer(model)["connected_to"][0] += "x"


def miscount_head(model: dict[str, Any]) -> None:
    """Change the number of parameters of the masked-LM head in the summary."""
    model["head"] += 1


def first_model_with_ties(name: str) -> dict[str, Any] | None:
    """The first model of a recording that has tied tensors; None if no model has any."""
    models = recording(name)["models"]
    return next((model for model in models if any(row[2] for row in model.get("parameters", ()))), None)


WITHOUT_TIES = ("transformers-dpr", "transformers-rembert")
"""The recordings of relatives without tied tensors. They are listed here so that pytest need not read all recordings to
find its tests."""

ALTERATIONS = [
    *((name, alter) for name in recordings() for alter in (rename, reshape, drop_last, repeat_last, miscount)),
    # KerasHub's weights are compared by name, not by position.
    *((name, reorder) for name in recordings() if name != "keras-hub"),
    ("transformers", untie),
    *((name, untie) for name in recordings() if name.startswith("transformers-") and name not in WITHOUT_TIES),
    ("transformers4", untie),
    ("keras-hub", miscount_head),
    ("keras-bert", reconnect),
    ("bert4keras", reconnect),
]


def model_to_alter(name: str) -> dict[str, Any]:
    """A copy of a model to alter.

    It is the first of a pre-training or masked-LM class or without a class, else the first with ties, else the first.
    """
    classes = ("BertForPreTraining", "BertMaskedLM", "FlaxBertForPreTraining", None)
    models = recording(name)["models"]
    model = (
        next((model for model in models if model.get("class") in classes), None)
        or first_model_with_ties(name)
        or models[0]
    )
    result: dict[str, Any] = json.loads(json.dumps(model))
    return result


def test_only_the_listed_recordings_have_no_ties() -> None:
    relatives = [name for name in recordings() if name.startswith("transformers-")]
    assert [*WITHOUT_TIES] == sorted(name for name in relatives if not first_model_with_ties(name))


@pytest.mark.parametrize(("name", "alter"), ALTERATIONS)
def test_an_altered_recording_is_noticed(name: str, alter: Callable[[dict[str, Any]], None]) -> None:
    model = model_to_alter(name)
    compare = COMPARERS[recordings()[name]["compared_by"]]
    assert [] == list(compare(model))
    alter(model)
    assert [] != list(compare(model))


def test_presets_of_keras_hub_have_our_totals() -> None:
    preset_counts = recording("keras-hub")["presets"]
    assert {name: preset_counts[name] for name in PRESETS} == {
        name: count(model_named(model_name)) for name, model_name in PRESETS.items()
    }


def test_only_layers_that_are_compared_are_counted() -> None:
    # Of the 34 models of bert4keras, 11 have options, and for these only the total is compared.
    assert (34, 1_044) == (comparison("bert4keras").model_count, comparison("bert4keras").entry_count)
    assert 1_929 == sum(len(model["layers"]) for model in recording("bert4keras")["models"])


def test_a_difference_shows_both_sides() -> None:
    model = model_to_alter("google-bert")
    drop_last(model)
    miscount(model)
    assert ["recorded 205 entries, computed 206", "recorded 110106429, computed 110106428"] == list(
        COMPARERS["google-bert"](model)
    )
    model = model_to_alter("keras-hub")
    model["parameters"][5][1][0] = 769
    query = "transformer_layer_0/self_attention_layer/query/kernel"
    differences = list(COMPARERS["keras-hub"](model))
    assert [f"recorded ['{query}', [769, 12, 64]], computed ['{query}', [768, 12, 64]]"] == differences


def test_every_class_of_every_relative_is_recorded() -> None:
    recorded_models = {
        (model["class"], *model_of_config(model["name"], model["config"]).sizes.items())
        for name in recordings()
        if name.startswith("transformers-")
        for model in recording(name)["models"]
    }
    relatives = [model for model in load_relatives().values() if model.architecture is not BERT]
    expected = {(question.model_class, *question.sizes.items()) for question in class_questions(relatives)}
    assert expected
    assert expected <= recorded_models, unrecorded_message(
        {name for name, *_ in expected - recorded_models}, "record_transformers"
    )
