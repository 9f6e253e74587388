"""States of optimisers and sizes of files, compared with those of real libraries.

`tests/oracles/record_training.py` records the libraries' sizes.
"""

import re
from typing import Any

from macros.counting import ChangedModel, Model, Question, model_of_config
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.frameworks.files import dynamic_int8_size, safetensors_size
from tests.counting.test_changed import cases
from tests.counting.unrecorded import CLASSES_IN_RELEASE_5, unrecorded_message

CASES = cases("recorded_training.json.gz")

CASES_WITH_STATES = CASES[:-1]
"""All cases but the last, BERT base, for which only the size of the file is recorded."""


def question_of(case: dict[str, Any]) -> Question:
    """The question about the model and class of a case."""
    return Question(model_of_config("a", {**case["config"], "model_type": case["model_type"]}), case["class"])


def test_states_are_as_large_as_those_of_libraries() -> None:
    differing_cases = []
    for case in CASES_WITH_STATES:
        model = ChangedModel.build(question_of(case), [case["change"]] if "change" in case else [])
        bytes_by_name = {name: load_optimisers()[name].bytes_for(model) for name in case["states"]}
        if bytes_by_name != case["states"]:
            differing_cases.append((case["class"], case.get("change")))
    assert [] == differing_cases
    # Two kinds are not recorded but tested below: AdamW with a master copy, whose states follow from a paper, and
    # optimisers that differ from a recorded one only during a step.
    recorded_names = CASES[0]["states"].keys()
    assert {"adamw-master", *OPTIMISERS_WITH_STEP_MEMORY} == load_optimisers().keys() - recorded_names
    assert recorded_names <= load_optimisers().keys()


OPTIMISERS_WITH_STEP_MEMORY = {"adamw-foreach": "adamw"}
"""Optimisers that need additional memory during a step, each with the recorded optimiser that has the same states."""


def test_memory_during_a_step_is_no_state() -> None:
    assert OPTIMISERS_WITH_STEP_MEMORY.keys() == {
        name for name, optimiser in load_optimisers().items() if optimiser.working_bytes
    }
    for case in CASES_WITH_STATES:
        model = ChangedModel.build(question_of(case), [case["change"]] if "change" in case else [])
        differences = {
            load_optimisers()[name].bytes_for(model) - case["states"][OPTIMISERS_WITH_STEP_MEMORY[name]]
            for name in OPTIMISERS_WITH_STEP_MEMORY
        }
        assert differences == {0}, (case["class"], case.get("change"))


def test_files_and_quantised_models_are_as_large_as_those_of_libraries() -> None:
    cases_with_file = [case for case in CASES if "file" in case]
    for case in cases_with_file:
        assert case["file"] == safetensors_size(question_of(case)).size, case["class"]
    quantised_cases = [case for case in CASES if "quantised" in case]
    assert [] == [
        case["class"] for case in quantised_cases if case["quantised"] != [*dynamic_int8_size(question_of(case))]
    ]
    classes = {case["class"] for case in quantised_cases}
    assert classes == CLASSES_IN_RELEASE_5, unrecorded_message(CLASSES_IN_RELEASE_5 ^ classes, "record_training")


def test_frozen_layers_have_no_states(base: Model) -> None:
    """A layer has 7,087,872 parameters in 16 tensors."""
    full_model, frozen_model = (ChangedModel.build(Question(base), changes) for changes in ([], ["frozen:12"]))
    adamw, sgd = (load_optimisers()[name] for name in ("adamw", "sgd"))
    assert 12 * (8 * 7_087_872 + 4 * 16) == adamw.bytes_for(full_model) - adamw.bytes_for(frozen_model)
    assert [0, 12 * 4 * 7_087_872] == [
        sgd.bytes_for(full_model),
        sgd.weight_and_gradient_bytes_for(full_model) - sgd.weight_and_gradient_bytes_for(frozen_model),
    ]


def test_a_master_copy_takes_the_bytes_of_its_paper(base: Model) -> None:
    """With a master copy, weights and gradients take 4 bytes per parameter, and the copy and both moments take 12.

    Source: Rajbhandari et al., ZeRO, section 3.1. BERT base has 109,482,240 parameters.
    """
    model, master = ChangedModel.build(Question(base), []), load_optimisers()["adamw-master"]
    assert (4 * 109_482_240, 12 * 109_482_240) == (master.weight_and_gradient_bytes_for(model), master.bytes_for(model))
    # The title gives the widths of the weights and of their copy.
    assert ("12", "16", "32") == (str(master.bytes_per_number), *re.findall(r"\d+", master.title))


def test_titles_mention_8_bit_states_and_16_bit_weights() -> None:
    for optimiser in load_optimisers().values():
        assert ("8-bit" in optimiser.title) == bool(optimiser.block_size), optimiser.name
        assert ("16" in optimiser.title) == (optimiser.weight_bytes == 2), optimiser.name
