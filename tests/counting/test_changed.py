"""Changed models, compared with those that PEFT, bitsandbytes, adapters and transformers built.

`tests/oracles/record_changed.py` records the libraries' models.
"""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    BERT,
    BadChange,
    BadConfig,
    ChangedModel,
    Choices,
    CountingError,
    Question,
    model_named,
    model_of_config,
)
from macros.counting.architecture import LAYER
from macros.counting.changes.computing import operations_of
from macros.counting.changes.methods import load_methods
from macros.counting.changes.selecting import is_skipped
from tests.counting.test_changes import load_recording
from tests.counting.unrecorded import ARCHITECTURES_IN_RELEASE_5, unrecorded_message
from tests.samples import sample_of

BASE = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")


@cache
def cases(name: str) -> list[dict[str, Any]]:
    """The cases of a recording."""
    contents: list[dict[str, Any]] = json.loads(gzip.decompress((Path(__file__).parent / name).read_bytes()))["cases"]
    return contents


ALL_CASES = [*cases("recorded_methods.json.gz"), *cases("recorded_adapters.json.gz")]


def changed_model(case: dict[str, Any], *changes: str) -> ChangedModel:
    """The model of a case after its own change or, if given, after `changes`."""
    model = model_of_config("a", {**case["config"], "model_type": case["model_type"]})
    return ChangedModel.build(Question(model, case["class"]), changes or [case["change"]])


def differences(case: dict[str, Any]) -> list[Any]:
    """The differences between a case and the engine: numbers, bytes, and tensors that only one of them has."""
    model = changed_model(case)
    numbers = {"trainable": model.trainable, "total": model.number, "elements": model.elements}
    numbers |= {"weights": model.weights_bytes(), "scales": model.scales_bytes}
    numbers |= {"buffers": model.buffers_bytes, "footprint": model.footprint}
    all_differences: list[Any] = [
        (key, case[key], number) for key, number in numbers.items() if case.get(key, number) != number
    ]
    if "parameters" in case:
        recorded_tensors = {(name, tuple(shape), trained) for name, shape, trained in case["parameters"]}
        all_differences += recorded_tensors ^ {
            (name, tuple(shape), trained) for name, shape, trained in model.listing()
        }
    return all_differences


@cache
def counted_cases() -> list[dict[str, Any]]:
    """The cases that the engine counts, without those that it must refuse."""
    return [case for case in ALL_CASES if "refused" not in case and not has_packed_exception(case)]


def test_changes_are_counted_as_in_their_library() -> None:
    sample = sample_of(counted_cases(), part=2)
    assert [] == [(case["class"], case["change"], faults[:4]) for case in sample if (faults := differences(case))]


def has_packed_exception(case: dict[str, Any]) -> bool:
    """Return whether a case names a module to leave unpacked that the library packs anyway."""
    plain_change, _, skip = case["change"].partition(":")
    if not skip or "elements" not in case:
        return False
    plain_model = changed_model(case, plain_change)
    decoders = [row for row in plain_model.rows if row.path == "cls/predictions/decoder/kernel" and not row.tied_to]
    if decoders:  # RemBERT's decoder is not packed by default, but it is packed if the change names an exception
        return bool(case["trainable"] == plain_model.trainable - plain_model.question.about(decoders[0].path).number)
    if any(is_skipped(row.module, skip) for row in plain_model.rows if row.path == "cls/predictions/decoder/kernel"):
        return False  # a tied decoder is never packed
    return bool(case["weights"] == plain_model.weights_bytes() and case["scales"] == plain_model.scales_bytes)


def test_changes_that_a_library_refuses_or_ignores_are_refused() -> None:
    for case in ALL_CASES:
        if "refused" in case or has_packed_exception(case):
            with pytest.raises(BadChange):
                changed_model(case)


def test_operations_of_changes_are_those_that_torch_counts() -> None:
    cases_that_run = [case for case in ALL_CASES if "forward" in case]
    operations = [operations_of(changed_model(case), case["tokens"], case["batch"]).forward for case in cases_that_run]
    assert [case["forward"] for case in cases_that_run] == operations
    types = {(case["change"].partition(":")[0], case["model_type"]) for case in cases_that_run}
    assert {"lora", "rslora", "adalora", "ia3", "norms", "houlsby", "pfeiffer"} == {method for method, _ in types}
    lora_types = {model_type for method, model_type in types if method == "lora"}
    model_types = {
        name for name, architecture in ARCHITECTURES_IN_RELEASE_5.items() if not architecture.sparse_attention
    }
    assert model_types == lora_types, unrecorded_message(model_types ^ lora_types, "record_changed")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("dora:8:query", "the operations of DoRA are not counted"),
        ("prompt:20", "the operations of prompt tuning"),
        ("lora:8:word_embeddings", "adapters on embeddings"),
        ("lora:8:layer.3.output.dense", "some layers only"),
    ],
)
def test_operations_that_do_not_follow_from_rows_are_refused(change: str, message: str) -> None:
    with pytest.raises(BadChange, match=message):
        operations_of(ChangedModel.build(BASE, [change]), tokens=8)


def test_every_method_is_recorded_and_seven_for_every_architecture() -> None:
    pairs = {(case["change"].partition(":")[0], case["model_type"]) for case in ALL_CASES}
    # Changes to sizes and to parts of a model are recorded elsewhere.
    tested_elsewhere = {"head", "embeddings", "frozen", "vocabulary", "positions", "layers", "labels"}
    tested_elsewhere |= {"cross-attention", "untied", "biases-off"}
    methods = tested_elsewhere | {method for method, _ in pairs}
    assert load_methods().keys() == methods, unrecorded_message(load_methods().keys() ^ methods, "record_changed")
    for method in ("lora", "dora", "ia3", "prefix", "int4", "houlsby", "bitfit"):
        types = {model_type for name, model_type in pairs if name == method}
        assert ARCHITECTURES_IN_RELEASE_5.keys() == types, unrecorded_message(
            ARCHITECTURES_IN_RELEASE_5.keys() ^ types, "record_changed"
        )
    assert len(counted_cases()) > 1300


def test_frozen_missing_and_resized_parts_agree_with_transformers() -> None:
    for case in load_recording()["cases"]:
        frozen_parts = case.get("frozen", {})
        entries = {
            f"frozen:{frozen_parts.get('layers')}": "layers" in frozen_parts,
            "embeddings": "embeddings" in frozen_parts,
            "head": "all_but_head" in frozen_parts,
            "biases-off": "biases" in case,
        }
        changes = [change for change, is_made in entries.items() if is_made]
        if changes and "rank" not in case and not case["config"].get("add_cross_attention"):
            model = changed_model(case, *changes)
            assert [model.trainable, model.number] == [case["trainable"], case["total"]], (case["class"], changes)
    for case in load_recording()["resized"]:
        assert changed_model(case, f"vocabulary:{case['vocabulary']}").number == case["total"], case


@pytest.mark.parametrize(
    ("changes", "trainable", "total"),
    [
        # Source: PEFT 0.21.2.
        (["lora:8:query,value"], 296_450, 109_780_228),
        (["dora:8:query+value"], 314_882, 109_798_660),
        (["lora:16:all-linear:task=none"], 2_691_104, 112_174_882),  # with adapters on the classifier too
        (["ia3"], 66_050, 109_549_828),
        (["lokr:8:query,value"], 27_650, 109_511_428),
        (["oft:32:query,value"], 287_234, 109_771_012),
        (["boft:4:query,value"], 93_698, 109_577_476),
        (["vblora:4:query,value:v=256:w=256"], 214_530, 109_698_308),
        (["prompt:20"], 16_898, 109_500_676),
        (["prefix:t=20"], 370_178, 109_853_956),
        (["p-tuning:20:n=128"], 230_914, 109_714_692),
        # PEFT copies every module that its option modules_to_save names, and copies nested modules once more.
        (["lora:8:query,value:save=classifier"], 296_450, 109_780_228),
        (["lora:8:query,value:save=embeddings"], 47_969_282, 181_288_708),
        (["lora:8:query,value:save=layer.3"], 7_359_746, 116_843_524),
        (["lora:8:layer.3.attention.self.query"], 13_826, 109_497_604),
        # QLoRA: packed weights are frozen, but still count as parameters.
        (["nf4-double:classifier", "lora:8:query,value"], 296_450, 109_780_228),
    ],
)
def test_changes_to_base_give_the_numbers_that_libraries_print(changes: list[str], trainable: int, total: int) -> None:
    model = ChangedModel.build(BASE, changes)
    assert [trainable, total] == [model.trainable, model.number]


@pytest.mark.parametrize(
    ("name", "model_class", "change", "trainable", "total"),
    [
        ("bert-base-uncased", "BertForMaskedLM", "lora:8:query,value:save=cls", 24_358_458, 133_872_756),
        ("bert-base-uncased", "BertModel", "lora:8:query,value:save=embeddings", 24_132_096, 157_449_984),
        ("bert-base-uncased", "BertForMaskedLM", "lora:8:query,decoder:u=2", 399_312, 109_913_610),
        (
            "bert-base-uncased",
            "BertForTokenClassification",
            "lora:8:all-linear:save=classifier",
            1_328_642,
            110_221_828,
        ),
        ("roberta-base", "RobertaForSequenceClassification", "lora:8:dense", 1_476_866, 126_124_036),
        ("microsoft/mpnet-base", "MPNetForSequenceClassification", "lora:8:dense", 1_329_410, 110_817_412),
    ],
)
def test_saved_and_adapted_modules_give_the_numbers_of_peft(
    name: str, model_class: str, change: str, trainable: int, total: int
) -> None:
    """Source: the numbers that PEFT 0.21.2 prints."""
    model = ChangedModel.build(Question(model_named(name), model_class), [change])
    assert [trainable, total] == [model.trainable, model.number]


def test_the_formula_of_a_resized_vocabulary_counts_a_bias_that_keeps_its_length() -> None:
    """An untied head keeps one of its two biases as it is, so only two tables and one bias lose 522 rows."""
    roberta = model_named("roberta-base")
    untied_question = Question(roberta, "RobertaForMaskedLM", choices=Choices(tied=False))
    (step,) = ChangedModel.build(untied_question, ["vocabulary:49743"]).bridge
    assert ("(49,743 − 50,265)·(2·H + 1)", -522 * (2 * 768 + 1)) == (step.formula, step.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ("lora", r"lacks r, the rank; write lora:r=N\[:modules=NAMES\]\[:bias=WORD\]"),
        ("lora:0", 'r is "0"'),
        ("lora:²", "write a positive integer"),
        ("lora:8:", "names of modules"),
        ("lora:8:quarry", "did you mean"),
        ("lora:8:classifier", "a copy of"),
        ("lora:8:query:save=self", "saves every module that is named"),
        ("lora:8:pooler.dense:save=encoder.layer", "a list of layers"),
        ("lora:8:pooler", "pooler is neither a dense layer nor an embedding.* for example, bert.pooler.dense"),
        ("lora:8:all-linear,query", "only by itself"),
        ("lora:8:word_embeddings:u=5", "does not train single tokens"),
        ("lora:8:query:save=bert.embeddings.word_embeddings:u=5", "saved as a whole"),
        ("ia3:query:feedforward=key", "also among the modules"),
        ("lora:8:r=8", "given twice"),
        ("lora:8:x=8", "no option"),
        ("lora:8:query:none:pooler:head:3:more", "has more values"),
        ("lora:8:query:some", "none, all, lora_only"),
        ("lora:8:save=puller", "no module"),
        ("laura:8", "did you mean"),
        ("xlora:8", "adapters that were trained before"),
        ("oft", "takes either b, the block size, or r, the number of blocks"),
        ("oft:query,value", "write a positive integer, the block size"),
        ("oft:b=4:r=8", "takes either"),
        ("boft:5:query", "768, a width of .*query, is not divisible by 5"),
        ("vblora:4:query:v=100:w=9", "is not divisible by 100"),
        ("vblora:4:query", "lacks v, the vector length"),
        ("lokr:8:both=no", "yes"),
        ("frozen:13", "freeze up to 12, the number of layers with weights of their own in bert-base-uncased"),
        ("pruned:133", "prune at most 132"),
        ("untied", "changes nothing"),
        ("vocabulary:0", "write a positive integer"),
        ("lora:8 lora:8", "two changes give r"),
        ("int8:pooler", "for example, classifier"),
        ("int8:LayerNorm", "nothing would stay unpacked"),
        ("norms prefix:5", "at once"),
        ("lora:8 pruned:2", "prune before"),
        ("pruned:2 lora:8", "heads are pruned"),
        *((text, "layers with pruned heads") for text in ("pruned:2 int4", "int8 pruned:2", "frozen:2 pruned:2")),
    ],
)
def test_an_impossible_change_is_refused(changes: str, message: str) -> None:
    with pytest.raises(BadChange, match=message):
        ChangedModel.build(BASE, changes.split(" "))


@pytest.mark.parametrize(
    ("misspelled_name", "module"),
    [
        ("qeury", "query"),
        ("vlaue", "value"),
        ("LayerNrom", "LayerNorm"),
        ("puller", "pooler"),
        ("intermediat", "intermediate"),
    ],
)
def test_the_module_that_was_meant_is_suggested(misspelled_name: str, module: str) -> None:
    with pytest.raises(BadChange, match=f'no module "{misspelled_name}" with parameters; did you mean "{module}"'):
        ChangedModel.build(BASE, [f"lora:8:query:save={misspelled_name}"])


def test_changes_that_do_not_fit_are_refused() -> None:
    """Examples are pruned heads that layers share, a missing module, and a change to a part of a model."""
    albert, electra = (Question(model_named(name)) for name in ("albert-base-v2", "electra-base-discriminator"))
    misfits = [(albert, "pruned:1"), (albert, "lora:8"), (electra, "ia3"), (BASE.about("bert"), "bitfit")]
    with pytest.raises(BadChange, match=r"has no module.*known: query-key-value, attention-output"):
        ChangedModel.build(Question(model_named("answerdotai/ModernBERT-base")), ["lora:8:query"])
    for change in ("lora:8:query:save=dropout", "lora:8:dropout"):
        with pytest.raises(BadChange, match=r'has no module "dropout" with parameters; known: (?!.*base_layer)'):
            ChangedModel.build(BASE, [change])
    for class_name in ("BertForQuestionAnswering", "BertForTokenClassification"):
        with pytest.raises(BadChange, match="also train a copy of it"):
            ChangedModel.build(BASE._replace(model_class=class_name), ["lora:8:all-linear"])
    for question, change in (*misfits, (Question(model_named("mpnet-base")), "houlsby:8")):
        with pytest.raises(CountingError):
            ChangedModel.build(question, [change])
    assert ChangedModel.build(electra, ["lora:8"]).trainable == 12 * 4 * 8 * 768


@pytest.mark.parametrize(
    "text",
    [
        "lora:r=8:modules=query+value",
        "lora:8:query,value",
        "lora: 8 :modules=query+value",
        "lora:modules=query+value:r=8",
    ],
)
def test_a_change_is_printed_in_one_spelling(text: str) -> None:
    assert ["lora:r=8:modules=query+value"] == [str(change) for change in ChangedModel.build(BASE, [text]).changes]


def test_an_architecture_without_a_line_for_its_adapters_is_refused() -> None:
    other_architecture = BERT.variant(
        name="Other", rows={}, modules={f"{LAYER}/output/dense": "bert.encoder.layer.*.mlp.last"}
    )
    question = BASE._replace(model=BASE.model._replace(architecture=other_architecture))
    with pytest.raises(BadConfig) as error:
        ChangedModel.build(question, ["pfeiffer:8"])
    for text in ("pfeiffer:m=8", "mlp.last of Other", "[beside] in changes.toml", "output.dense, ", "add a line"):
        assert text in str(error.value)
