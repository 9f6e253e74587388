"""What optimisers keep and how large files are, against what real libraries keep and write.

`tests/oracles/record_training.py` writes it down.
"""

import re
from typing import Any

from macros.counting import ARCHITECTURE_OF_CLASS, Changed, Model, Question, model_of_config
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.frameworks.files import dynamic_int8, safetensors
from tests.counting.test_changed import cases
from tests.counting.unrecorded import unrecorded

CASES = cases("recorded_training.json.gz")


def asked(case: dict[str, Any]) -> Question:
    """The model of a case."""
    return Question(model_of_config("a", {**case["config"], "model_type": case["model_type"]}), case["class"])


def test_states_of_every_class_and_change_are_as_large_as_real_ones() -> None:
    """All of each optimiser after a step; large tables in 8 bits, small tensors in 32, and factored matrices."""
    wrong = []
    for case in CASES[:-1]:
        changed = Changed.of(asked(case), [case["change"]] if "change" in case else [])
        ours = {name: load_optimisers()[name].bytes_for(changed) for name in case["states"]}
        wrong += [(case["class"], case.get("change"))] if ours != case["states"] else []
    assert [] == wrong
    # What Apex keeps is a formula of its own paper.
    assert load_optimisers().keys() == {"adamw-master", *CASES[0]["states"]}


def test_files_and_quantised_models_of_every_class_are_as_large_as_real_ones() -> None:
    """The file that is saved, BERT base's among them; what is left of parameters, and the bytes with what is packed."""
    assert [] == [case["class"] for case in CASES if "file" in case and case["file"] != safetensors(asked(case)).size]
    plain = [case for case in CASES if "quantised" in case]
    assert [] == [case["class"] for case in plain if case["quantised"] != [*dynamic_int8(asked(case))]]
    seen = {case["class"] for case in plain}
    assert ARCHITECTURE_OF_CLASS.keys() == seen, unrecorded(ARCHITECTURE_OF_CLASS.keys() ^ seen, "record_training")


def test_what_is_frozen_has_no_states(base: Model) -> None:
    """Of all layers, none. Source: each has 16 tensors of 7,087,872 numbers, with two moments in four bytes each."""
    every, some = (Changed.of(Question(base), changes) for changes in ([], ["frozen:12"]))
    adamw, sgd = (load_optimisers()[name] for name in ("adamw", "sgd"))
    assert 12 * (8 * 7_087_872 + 4 * 16) == adamw.bytes_for(every) - adamw.bytes_for(some)
    assert [0, 12 * 4 * 7_087_872] == [sgd.bytes_for(every), sgd.weights_for(every) - sgd.weights_for(some)]


def test_a_master_copy_takes_what_its_paper_says(base: Model) -> None:
    """No library is run for it. Source: Rajbhandari and others, ZeRO, section 3.1.

    For each of 109,482,240 numbers, weights and gradients in 16 bits are 2 bytes and 2, and a copy of the weights and
    Adam's two moments in 32 bits are 12.
    """
    plain, master = Changed.of(Question(base), []), load_optimisers()["adamw-master"]
    assert (4 * 109_482_240, 12 * 109_482_240) == (master.weights_for(plain), master.bytes_for(plain))
    assert ("12", "16", "32") == (str(master.each), *re.findall(r"\d+", master.title))


def test_an_optimiser_is_called_what_it_keeps() -> None:
    """The bits in a title are those of its states, which then come in blocks, or of the weights."""
    for each in load_optimisers().values():
        assert ("8-bit" in each.title) == bool(each.block), each.name
        assert ("16" in each.title) == (each.width == 2), each.name
