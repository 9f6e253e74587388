"""Our numbers for profilers, compared with those that they printed for `tests/oracles/record_profilers.py`."""

import ast
import gzip
import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from macros.counting import BadConfig, Question, model_of_config
from macros.counting.operations import Operations
from macros.counting.published.profilers import PROFILERS_FILE, load_profilers, operations_of_base

RECORDING_FILE = Path(__file__).parents[1] / "recorded_profilers.json.gz"


@cache
def load_recording() -> dict[str, Any]:
    """The recording, with its versions, script and cases."""
    recording: dict[str, Any] = json.loads(gzip.decompress(RECORDING_FILE.read_bytes()))
    return recording


def recorded_versions() -> dict[str, str]:
    """The recorded versions by package, as pip spells them: thop's 0.1.1-2209072238 as 0.1.1.post2209072238."""
    return {package: version.replace("1-2", "1.post2") for package, version in load_recording()["versions"].items()}


def test_every_profiler_is_recorded() -> None:
    cases = load_recording()["cases"]
    combinations = {(case["profiler"], case["attention"], case["class"], case["batch"]) for case in cases}
    assert combinations == set(product(load_profilers(), ("eager", "sdpa"), ("BertModel", "BertForMaskedLM"), (1, 3)))


# Source: what each profiler's code or README calls the results of the call: FlopCounterMode.get_total_flops;
# "macs, params = profile(" in thop's README and "macs, params = get_model_complexity_info(" in that of ptflops;
# fvcore's FlopCountAnalysis; "flops, macs, params = calculate_flops(" in calflops' README; "flops, macs, params =
# get_model_profile(" in that of DeepSpeed; torchprofile's profile_macs; torchinfo's total_mult_adds.
RESULTS = {
    "flop-counter": ["flops"],
    "thop": ["macs", "params"],
    "ptflops-pytorch": ["macs", "params"],
    "ptflops-aten": ["macs", "params"],
    "fvcore": ["flops"],
    "calflops": ["flops", "macs", "params"],
    "deepspeed": ["flops", "macs", "params"],
    "torchprofile": ["macs"],
    "torchinfo": ["mult-adds"],
}


def assigned_result(code: str, results: list[str]) -> str:
    """The name of the result that the last statement of the code assigns to `total`."""
    statement = ast.parse(code).body[-1]
    assert isinstance(statement, ast.Assign)
    (target,) = statement.targets
    names = [ast.unparse(name) for name in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return dict(zip(names, results, strict=True))["total"]


def test_the_version_of_every_profiler_is_the_recorded_one() -> None:
    for name, profiler in load_profilers().items():
        package = {"flop-counter": "torch"}.get(name, name.partition("-")[0])
        assert f"{package} {recorded_versions()[package]}" == profiler.version


def test_the_code_of_profilers_takes_the_number_that_is_named() -> None:
    names = {name: profiler.name_of_number.lower() for name, profiler in load_profilers().items()}
    assert names == {name: assigned_result(load_profilers()[name].code, results) for name, results in RESULTS.items()}


def test_code_that_takes_another_result_is_noticed() -> None:
    assert "macs" == assigned_result("_, total, _ = calculate_flops(model)", RESULTS["calflops"])


def test_every_bridge_ends_at_the_printed_number() -> None:
    differences = []
    for case in load_recording()["cases"]:
        model = model_of_config("a", {**case["config"], "model_type": "bert"})
        operations = Operations(Question(model, case["class"]), case["tokens"], case["batch"])
        number = load_profilers()[case["profiler"]].number(operations, is_eager=case["attention"] == "eager")
        if number != case["printed"]:
            differences.append((case["profiler"], case["class"], case["printed"], number))
    assert [] == differences
    assert len(load_recording()["cases"]) > 100


def test_a_step_has_the_sign_of_its_formula() -> None:
    steps = [step for profiler in load_profilers().values() for step in profiler.steps(operations_of_base(128))]
    assert {True, False} == {step.value < 0 for step in steps}
    for step in steps:
        for text in (step.formula, step.working):
            assert text.startswith("−(") == (step.value < 0), step


def test_the_steps_of_profilers_lead_to_copied_numbers() -> None:
    """Some of the printed numbers are copied here; loading the data checks all of them."""
    profilers = load_profilers()
    assert (
        22_348_431_360 == operations_of_base(128).forward == profilers["flop-counter"].printed_numbers(is_eager=True)[0]
    )
    assert [10_882_056_192, 109_482_240] == [profilers[name].printed_numbers()[0] for name in ("thop", "torchinfo")]


@pytest.mark.parametrize(
    ("old", "new"),
    [("LayerNorm = 4", "LayerNorm = 5"), ("LayerNorm = 4", "LayerNorn = 4"), ("10882056192", "1088205619")],
)
def test_steps_that_do_not_lead_to_the_number_are_refused(tmp_path: Path, old: str, new: str) -> None:
    text = PROFILERS_FILE.read_text(encoding="utf-8")
    path = tmp_path / "profilers.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadConfig, match="thop"):
        load_profilers(path)


def test_a_list_of_the_wrong_length_is_refused(tmp_path: Path) -> None:
    text = PROFILERS_FILE.read_text(encoding="utf-8")
    path = tmp_path / "profilers.toml"
    path.write_text(text.replace("printed = [10882056192", "printed = [1, 10882056192", 1), encoding="utf-8")
    with pytest.raises(BadConfig, match=r"thop: printed is .*; write one number for each of 128 and 512 tokens"):
        load_profilers(path)
