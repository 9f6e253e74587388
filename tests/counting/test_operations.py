"""Operations, against what torch counted: see `tests/oracles/record_operations.py`."""

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from macros.counting import ARCHITECTURES, BadChoice, Question, model_named, model_of_config
from macros.counting.frameworks.names import transformers_name
from macros.counting.operations import ATTENTION, BIAS, DENSE, GELU, NORM, SOFTMAX, Operations, longest
from tests.counting.unrecorded import unrecorded

RECORDED = Path(__file__).parent / "recorded_operations.json.gz"
WRITTEN_OUT = ("mpnet", "deberta-v2")
BASE, LARGE = "bert-base-uncased", "bert-large-uncased"


@cache
def recorded() -> dict[str, Any]:
    """The recording: versions, script and cases."""
    found: dict[str, Any] = json.loads(gzip.decompress(RECORDED.read_bytes()))
    return found


def ours(case: dict[str, Any]) -> Operations:
    """The operations of a case as the engine counts them."""
    model = model_of_config("a", {**case["config"], "model_type": case["model_type"]})
    return Operations(Question(model, case["class"]), case["tokens"], case["batch"], case.get("others", 0))


def by_module(found: Operations) -> dict[str, int]:
    """Operations of dense layers by their names in transformers, those in all layers together."""
    architecture = found.asked.architecture
    names = {row.path: transformers_name(row, architecture, found.asked.model_class) for row in architecture.rows}
    counts: Counter[str] = Counter()
    for each in found.items:
        if each.kind == DENSE:
            counts[names[each.path].removesuffix(".weight")] += each.polynomial().value(found.sizes)
    return dict(+counts)


def test_everything_is_recorded() -> None:
    """Every class of every architecture, in both attentions, with odd lengths and batches."""
    cases = recorded()["cases"]
    assert {"2.13.0", "5.23.0"} < set(recorded()["versions"].values())
    classes = {each.name for architecture in ARCHITECTURES.values() for each in architecture.classes}
    seen = Counter((each["class"], each["attention"]) for each in cases if each["trained"])
    # transformers has no attention of torch's own for these.
    written_out = {each.name for name in WRITTEN_OUT for each in ARCHITECTURES[name].classes}
    wanted = {(name, "eager") for name in classes} | {(name, "sdpa") for name in classes - written_out}
    assert wanted == set(seen), unrecorded(wanted ^ set(seen), "record_operations")
    assert 4 <= min(seen.values())


def test_the_engine_counts_what_torch_counts() -> None:
    """Forward, module by module, and backward, which is twice as much."""
    cases = [each for each in recorded()["cases"] if each["attention"] == "eager" or each["trained"]]
    differing = [
        (case["class"], case["batch"], case["tokens"])
        for case in cases
        for found in [ours(case)]
        if [case["forward"], case["backward"], case["modules"]] != [found.forward, found.backward, by_module(found)]
    ]
    assert [] == differing
    assert len(cases) > 400


def test_torch_does_not_count_the_fused_attention_of_a_cpu() -> None:
    """Evaluated with torch's own attention, its products are one kernel that the counter does not know."""
    cases = [each for each in recorded()["cases"] if each["attention"] == "sdpa" and not each["trained"]]
    assert [] == [
        each["class"] for each in cases if each["forward"] != ours(each).forward - ours(each).number(ATTENTION)
    ]
    assert len(cases) > 190


@pytest.mark.parametrize(
    ("model", "model_class", "tokens", "number"),
    [
        (BASE, "BertModel", 1, 171_085_824),
        (BASE, "BertModel", 128, 22_348_431_360),
        (BASE, "BertModel", 512, 96_637_943_808),
        (BASE, "BertForMaskedLM", 128, 28_499_116_032),
        (LARGE, "BertModel", 128, 78_922_121_216),
    ],
)
def test_known_numbers(model: str, model_class: str, tokens: int, number: int) -> None:
    """Printed by torch 2.13's FlopCounterMode; the blocks add up to it, and a step is three times as much."""
    found = Operations(Question(model_named(model), model_class), tokens)
    assert number == found.forward == 2 * found.multiply_adds
    assert number == sum(found.number(block=each) for each in found.blocks)
    assert 3 * number == found.step
    assert 8 * number == found._replace(batch=8).forward


def test_what_is_no_product_has_kinds_of_its_own() -> None:
    """Of base at 128 tokens: a bias per output, and google-research/electra's costs of the others per element."""
    found = Operations(Question(model_named(BASE)), 128)
    assert found.number(BIAS) == 128 * 12 * (5 * 768 + 3072) + 768
    assert found.number(SOFTMAX) == 5 * 12 * 12 * 128**2
    assert found.number(NORM) == 5 * 25 * 128 * 768
    assert found.number(GELU) == 8 * 12 * 128 * 3072
    assert found.polynomial().formula() == "L·(8·B·T·H² + 4·B·T²·H + 4·B·T·H·F) + 2·B·H²"
    # A second name of the prediction bias adds it no second time.
    headed = Operations(Question(model_named(BASE), "BertForMaskedLM"), 128)
    assert headed.number(BIAS, block="mlm-head") == 128 * (768 + 30522)
    assert headed.number(GELU, block="mlm-head") == 8 * 128 * 768


def test_what_has_no_operations_is_refused() -> None:
    """A part, a deviation, no text, no token, and a text that is longer than the positions."""
    asked = Question(model_named(BASE))
    wrong = [
        Operations(asked.at("bert/pooler"), 128),
        Operations(asked._replace(deviations=("pooler-left-out",)), 128),
        *(Operations(asked, tokens) for tokens in (0, 513)),
        Operations(asked, 128, batch=0),
        Operations(asked, 128, others=513),
    ]
    for each in wrong:
        with pytest.raises(BadChoice):
            each.forward  # noqa: B018
    assert longest(asked) == 512
    assert longest(Question(model_named("roberta-base"))) == 512
