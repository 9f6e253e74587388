"""What profilers print, against what they printed when they ran: see `tests/oracles/record_profilers.py`."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from macros.counting import BadConfig, Question, model_of_config
from macros.counting.operations import Operations
from macros.counting.published.profilers import PROFILERS_FILE, base, load_profilers

RECORDED = Path(__file__).parents[1] / "recorded_profilers.json.gz"


@cache
def recorded() -> dict[str, Any]:
    """The recording: versions, script and cases."""
    found: dict[str, Any] = json.loads(gzip.decompress(RECORDED.read_bytes()))
    return found


def test_every_profiler_is_recorded() -> None:
    """In the version that the data name, with both attentions, other classes, sizes, lengths and batches."""
    cases, profilers = recorded()["cases"], load_profilers()
    installed = {
        f"{package} {version}".replace("1-2", "1.post2") for package, version in recorded()["versions"].items()
    }
    assert {each.version for each in profilers.values()} <= installed
    seen = {(each["profiler"], each["attention"], each["class"], each["batch"]) for each in cases}
    names = [(name, attention) for name in profilers for attention in ("eager", "sdpa")]
    kinds = [("BertModel", 1), ("BertModel", 3), ("BertForMaskedLM", 1), ("BertForMaskedLM", 3)]
    assert seen == {(*name, *kind) for name in names for kind in kinds}


# Source: what each calls its number where it returns it: FlopCounterMode.get_total_flops; "macs, params = profile(" in
# thop's README and "macs, params = get_model_complexity_info(" in that of ptflops; fvcore's FlopCountAnalysis;
# "flops, macs, params = calculate_flops(" in calflops' README; "flops, macs, params = get_model_profile(" in that of
# DeepSpeed; torchprofile's profile_macs; torchinfo's total_mult_adds.
CALLED = {
    "flop-counter": "flops",
    "thop": "macs",
    "ptflops-pytorch": "macs",
    "ptflops-aten": "macs",
    "fvcore": "flops",
    "calflops": "flops",
    "deepspeed": "flops",
    "torchprofile": "macs",
    "torchinfo": "mult-adds",
}


def test_profilers_are_named_with_version_and_unit() -> None:
    """Each in the version of its own package that was installed, with what it calls its number."""
    versions = {package: version.replace("1-2", "1.post2") for package, version in recorded()["versions"].items()}
    assert CALLED == {name: each.calls.lower() for name, each in load_profilers().items()}
    for name, each in load_profilers().items():
        package = {"flop-counter": "torch"}.get(name, name.partition("-")[0])
        assert f"{package} {versions[package]}" == each.version


def test_every_bridge_ends_at_what_was_printed() -> None:
    """From the exact number, step by step, for base and for odd sizes."""
    differing = []
    for case in recorded()["cases"]:
        model = model_of_config("a", {**case["config"], "model_type": "bert"})
        operations = Operations(Question(model, case["class"]), case["tokens"], case["batch"])
        found = load_profilers()[case["profiler"]].number(operations, eager=case["attention"] == "eager")
        differing += [] if found == case["printed"] else [(case["profiler"], case["class"], case["printed"], found)]
    assert [] == differing
    assert len(recorded()["cases"]) > 100


def test_what_is_left_out_is_taken_away_in_letters_too() -> None:
    """The sign of a step's value is that of its formula and of its working."""
    steps = [step for each in load_profilers().values() for step in each.steps(base(128))]
    assert {True, False} == {step.value < 0 for step in steps}
    for step in steps:
        assert [step.value < 0] * 2 == [text.startswith("−(") for text in (step.formula, step.working)], step


def test_known_numbers() -> None:
    """Loading the data has worked out whatever they have as printed; these stood in print before."""
    found = load_profilers()
    assert 22_348_431_360 == base(128).forward == found["flop-counter"].prints(eager=True)[0]
    assert [10_882_056_192, 109_482_240] == [found[each].prints()[0] for each in ("thop", "torchinfo")]


@pytest.mark.parametrize(
    ("old", "new"),
    [("LayerNorm = 4", "LayerNorm = 5"), ("LayerNorm = 4", "LayerNorn = 4"), ("10882056192", "1088205619")],
)
def test_a_bridge_that_does_not_close_is_refused(tmp_path: Path, old: str, new: str) -> None:
    """A wrong price, one of what there is not, and a wrong number."""
    text = PROFILERS_FILE.read_text(encoding="utf-8")
    path = tmp_path / "profilers.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadConfig, match="thop"):
        load_profilers(path)
