"""The memory of a training step, compared with the tensors that PyTorch keeps and the memory that it records."""

import gzip
import json
import math
import re
from collections import Counter
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from macros.counting import ARCHITECTURES, BadChoice, ChangedModel, Choices, Question, model_named
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.config import model_of_config
from macros.counting.training import MAX_EXCESS, RESERVE, TrainingStep, usable_memory
from macros.counting.training.forward import Forward
from macros.counting.training.programs import PROGRAMS

RECORDING = json.loads(gzip.decompress(Path(__file__).with_name("recorded_activations.json.gz").read_bytes()))
CASES: list[dict[str, Any]] = RECORDING["cases"]

SETTINGS = ("tokens", "dtype", "attention", "dropout", "padded", "checkpointing")
"""The fields of a training step that the recording has under the same names."""


def unchanged_model(
    name: str = "bert-base-uncased", class_name: str = "BertForSequenceClassification", **sizes: int
) -> ChangedModel:
    """A published model without changes, except that `sizes`, given by letter, replace its own."""
    return ChangedModel.build(Question(model_named(name).resized(**sizes), class_name), [])


def step_of(case: dict[str, Any], **options: Any) -> TrainingStep:
    """The training step of a recorded case, with `options` for further fields."""
    model = model_of_config("recorded", {**case["config"], "model_type": case["model_type"]})
    changes = [change.replace("4:all-linear", "r=4:modules=all-linear") for change in case["changes"]]
    changed_model = ChangedModel.build(Question(model, case["class"]), changes)
    return TrainingStep(changed_model, case["texts"], **{key: case[key] for key in SETTINGS}, **options)


@cache
def step_at(index: int) -> TrainingStep:
    """The training step of a case, by its index, cached because several tests examine every step."""
    return step_of(CASES[index])


def class_and_changes(index: int) -> tuple[str, str]:
    """The class and the changes of a case, by its index."""
    return CASES[index]["class"], " ".join(CASES[index]["changes"])


GROUPS = {key: list(indices) for key, indices in groupby(range(len(CASES)), class_and_changes)}


@pytest.mark.parametrize("group", GROUPS.values(), ids=["-".join(key) for key in GROUPS])
def test_every_storage_is_one_that_pytorch_keeps(group: list[int]) -> None:
    for index in group:
        case, step = CASES[index], step_at(index)
        sizes: Counter[int] = Counter()
        for item in step.activations:
            sizes[item.bytes_per_storage.value(step.sizes)] += max(1, item.layers)
        assert {int(size): number for size, number in case["kept"].items()} == sizes, case
        assert step.activations_bytes == sum(int(size) * number for size, number in case["kept"].items())
        assert step.activations_bytes == step.activations_polynomial.value(step.sizes)


def test_matrices_do_not_grow_with_the_number_of_texts() -> None:
    """An activation that is called a matrix is a copy of a weight, or weights joined."""
    matrices = {
        (item.path, item.contents, item.shape)
        for index, *_ in GROUPS.values()
        for item in step_at(index).activations
        if "matrix" in item.contents
    }
    assert ("cls/predictions", "the joint matrix", "H V") in matrices
    assert [] == [matrix for matrix in matrices if {"B", "T"} & {*matrix[2]}]


ROLES = {
    "queries": r"\bquer",
    "keys": r"\bkey",
    "weights": r"\b(?:shares|attention weights)\b",
    "values": r"\bvalues\b",
}
"""The possible factors of a product in attention, each with a pattern for the words that describe it."""


def test_products_in_attention_are_of_queries_and_keys_or_of_weights_and_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Positions take part as well: those projected as keys are multiplied by queries, and the other way round."""
    pairs: set[tuple[str, str]] = set()
    product = Forward.product

    def recorded_product(forward: Forward, *tensors: Any) -> Any:
        *_, path, contents = tensors
        if "attention" in path:
            pairs.add(contents)
        return product(forward, *tensors)

    monkeypatch.setattr(Forward, "product", recorded_product)
    for case in {(case["model_type"], case["attention"]): case for case in CASES}.values():
        assert step_of(case).activations
    assert ("queries", "keys") in pairs
    for pair in pairs:
        roles = [name for words in pair for name, pattern in ROLES.items() if re.search(pattern, words)]
        assert sorted(roles) in (["keys", "queries"], ["values", "weights"]), pair


def test_ids_are_kept_for_the_table_that_they_select_rows_of() -> None:
    tables = {
        (item.contents, item.path.removeprefix("bert/embeddings/"))
        for index, *_ in GROUPS.values()
        for item in step_at(index).activations
        if item.contents.endswith(" ids")
    }
    assert {
        ("token ids", "word_embeddings"),
        ("segment ids", "token_type_embeddings"),
        ("task ids", "task_type_embeddings"),
    } == tables


def test_only_steps_with_dropout_keep_results_of_dropout() -> None:
    """An unchanged model keeps attention weights after dropout as often as masks of them, and only with dropout."""
    is_any_mask_kept = False
    for index, case in enumerate(CASES):
        kept_counts: Counter[str] = Counter()
        for item in step_at(index).activations:
            kept_counts[item.contents] += max(1, item.layers)
        masks = kept_counts["dropout mask of the attention weights"]
        is_any_mask_kept |= masks > 0
        assert case["changes"] or masks == kept_counts["attention weights after dropout"], case
        assert case["dropout"] or not any("dropout" in contents for contents in kept_counts), case
    assert is_any_mask_kept


@pytest.mark.parametrize(
    "case", RECORDING["unread"], ids=lambda case: "-".join((case["class"], *map(str, case["changes"])))
)
def test_unread_tensors_have_no_gradient(case: dict[str, Any]) -> None:
    step = step_of(case)
    unread_tensors = [
        tensor for tensor in step.model.changed_tensors() if tensor.is_trained and tensor.row not in step.rows_read
    ]
    assert sorted(tensor.name for tensor in unread_tensors) == sorted(case["names"])


def test_parameters_without_a_gradient_have_no_states() -> None:
    """LayoutLM's pooler, which token classification does not read, takes memory only for its weights."""
    step = TrainingStep(unchanged_model("layoutlm-base-uncased", "LayoutLMForTokenClassification"), 1, 128)
    pooler = 768 * 768 + 768
    assert step.parameters_without_gradient == pooler
    assert step.gradients_bytes == 4 * (step.model.number - pooler)
    bytes_of_all_states = load_optimisers()["adamw"].bytes_for(step.model)
    assert step.states_bytes == bytes_of_all_states - (8 * pooler + 4 * 2)
    assert step.weights_bytes == 4 * step.model.number
    assert TrainingStep(unchanged_model(), 1, 128).parameters_without_gradient == 0


def test_all_classes_and_settings_are_recorded() -> None:
    classes = {model_class.name for name in PROGRAMS for model_class in ARCHITECTURES[name].classes}
    for cases in (CASES, RECORDING["unread"]):
        assert classes - {"ModernBertForMultipleChoice"} == {case["class"] for case in cases}
    # The cases include one text, one token and both, because some tensors then share storage.
    assert {(1, 1), (1, 7), (4, 1)} <= {(case["texts"], case["tokens"]) for case in CASES}
    for key, number in (("dtype", 3), ("attention", 4)):
        assert number == len({case[key] for case in CASES})


@pytest.mark.parametrize("case", RECORDING["peaks"], ids=lambda case: f"{case['texts']}x{case['tokens']}")
def test_the_peak_agrees_with_the_memory_that_pytorch_records(case: dict[str, Any]) -> None:
    """PyTorch records as many bytes after the forward pass as the engine counts, and at most as many at the peak.

    The recording leaves out the inputs and includes the loss. At the peak, it also includes two scalars, which take
    8 bytes in total.
    """
    step = step_of(case, optimiser=case["optimiser"])
    buffers = step.model.buffers_bytes
    kept_bytes = step.activations_bytes - kept_input_bytes(step)
    assert case["forward"] == step.fixed_bytes + kept_bytes + buffers + loss_bytes(step)
    assert -8 <= step.peak_bytes + buffers + loss_bytes(step) - case["peak"] < MAX_EXCESS * step.peak_bytes


def kept_input_bytes(step: TrainingStep) -> int:
    """Bytes of the token ids that a step keeps. The tracker leaves them out, because no operation has computed them."""
    return sum(item.bytes_per_storage.value(step.sizes) for item in step.activations if item.contents == "token ids")


def loss_bytes(step: TrainingStep) -> int:
    """Bytes of the loss, a scalar that the tracker sees although no backward pass reads it."""
    return 2 if step.dtype == "pure-bf16" else 4


def bytes_saved_by_16_bit_statistics(step: TrainingStep) -> int:
    """The bytes that a CPU saves compared with a GPU, because the CPU's LayerNorm statistics have 16 bits."""
    if step.dtype != "pure-bf16":
        return 0
    contents = ("the mean of each vector", "the inverse standard deviation of each vector")
    statistics = [item for item in step.activations if item.contents in contents]
    return sum(item.total(step.sizes["L"]).value(step.sizes) for item in statistics) // 2


PEAKS = json.loads(gzip.decompress(Path(__file__).with_name("recorded_peaks.json.gz").read_bytes()))
"""The steps that PyTorch's MemTracker tracked on a CPU."""


def case_id(case: dict[str, Any]) -> str:
    """The test id of a tracked step."""
    flags = [key for key in ("padded", "checkpointing") if case[key]]
    sizes = (case["texts"], case["tokens"])
    return "-".join(map(str, (case["model_type"], *sizes, case["dtype"], case["attention"], *flags, *case["changes"])))


@pytest.mark.parametrize("case", [*PEAKS["cases"], *PEAKS["pairs"]], ids=case_id)
def test_no_peak_is_below_the_tracked_peak(case: dict[str, Any]) -> None:
    """The tracker also sees the loss, and a CPU keeps fewer bytes for some statistics."""
    step = step_of(case, optimiser=case["optimiser"])
    kept_bytes = step.activations_bytes - kept_input_bytes(step) - bytes_saved_by_16_bit_statistics(step)
    assert case["forward"] == kept_bytes + loss_bytes(step)
    assert case["peak"] <= step.peak_bytes - step.fixed_bytes - kept_input_bytes(step) + loss_bytes(step)
    if "gib" in case:
        assert step.peak_bytes - step.fixed_bytes - case["peak"] < MAX_EXCESS * step.peak_bytes


PAIRS = list(zip(PEAKS["pairs"][::2], PEAKS["pairs"][1::2], strict=True))
"""Pairs of steps for a GPU with the same memory: one with the largest batch, and one with a quarter more texts."""


@pytest.mark.parametrize("pair", PAIRS, ids=[case_id(case_that_fits) for case_that_fits, _ in PAIRS])
def test_the_largest_batch_leaves_the_reserve_and_a_quarter_more_texts_exceed_the_gpu(
    pair: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    needed_bytes = []
    for case in pair:
        step = step_of(case, optimiser=case["optimiser"])
        # The tracker leaves out the token ids, 8 bytes each.
        token_ids = 8 * case["texts"] * case["tokens"]
        needed_bytes.append(step.fixed_bytes + step.model.buffers_bytes + token_ids + case["peak"])
    case_that_fits, larger_case = pair
    gib = case_that_fits["gib"]
    assert case_that_fits["texts"] == step.largest_batch(usable_memory(gib))
    assert larger_case["texts"] == math.ceil(case_that_fits["texts"] * 5 / 4)
    assert needed_bytes[0] <= usable_memory(gib) < usable_memory(gib, 0) < needed_bytes[1]


@pytest.mark.parametrize("case", RECORDING["inference"], ids=lambda case: f"{case['texts']}x{case['tokens']}")
def test_inference_needs_half_to_all_of_what_a_layer_keeps_in_training(case: dict[str, Any]) -> None:
    step = step_of(case)
    layer = step.layer_polynomial.value(step.sizes)
    assert layer / 2 < case["beside_weights"] < layer


def test_layers_that_share_their_weights_are_frozen_together() -> None:
    """If ALBERT's only set of layer weights is frozen, no layer keeps the input of a dense layer."""
    question = unchanged_model("albert-base-v2", "AlbertForMaskedLM").unchanged_question
    frozen_step = TrainingStep(ChangedModel.build(question, ["frozen:1"]), 2, 32, dtype="bf16", attention="eager")
    activations = [item for item in frozen_step.activations if item.path.endswith("intermediate/dense")]
    assert {("the matrix, in 16 bits", 12)} == {(item.contents, item.layers) for item in activations}


def test_a_layer_keeps_what_the_formula_says() -> None:
    """In float32, a layer keeps 66·T·H + 9·A·T² + 16·T bytes for a text if F is four times H.

    Source: Korthikanti and others, Reducing Activation Recomputation, equation 1: 34·s·b·h + 5·a·s²·b with two bytes
    per number and one byte per mask element. With four bytes per number, that is 66·T·H + 9·A·T².
    """
    step = TrainingStep(unchanged_model(), examples=1, tokens=128, attention="eager")
    assert step.layer_polynomial.formula() == "9·B·A·T² + 34·B·T·H + 8·B·T·F + 16·B·T"
    assert step.layer_polynomial.value(step.sizes) == 66 * 128 * 768 + 9 * 12 * 128**2 + 16 * 128


def test_every_loss_over_the_vocabulary_needs_the_gradient_of_the_logits_twice() -> None:
    """Bytes of temporary results, of four or two for each number, as in 8·B·T·V."""
    steps = [step_at(index) for index in range(len(CASES))]
    steps_with_logits = [step for step in steps if any(item.shape == "B T V" for item in step.activations)]
    architectures = {step.model.question.architecture.name for step in steps_with_logits}
    assert {"BERT", "ALBERT", "EuroBERT", "MobileBERT", "ModernBERT"} <= architectures
    assert {"8·B·T·V", "4·B·T·V"} == {bound.formula() for step in steps_with_logits for bound in step.bounds_in_head}
    assert [] == [step for step in steps_with_logits if not step.bounds_in_head]


def test_checkpointing_recomputes_one_layer_at_a_time() -> None:
    step = TrainingStep(unchanged_model(), examples=64, tokens=128, attention="eager")
    checkpointed_step = TrainingStep(unchanged_model(), examples=64, tokens=128, attention="eager", checkpointing=True)
    assert checkpointed_step.recomputed_bytes == step.layer_polynomial.value(step.sizes) - 4 * 64 * 128 * 768
    # The first layer is recomputed last. By then, the gradients of all other layers are in memory.
    bytes_at_the_end = (
        checkpointed_step.gradients_bytes + checkpointed_step.layer_bytes + checkpointed_step.temporary_bytes
    )
    assert checkpointed_step.peak_bytes == checkpointed_step.fixed_bytes + bytes_at_the_end
    assert checkpointed_step.peak_bytes < step.peak_bytes


@pytest.mark.parametrize("name", ["bert-base-uncased", "roberta-large", "ModernBERT-base", "albert-base-v2"])
@pytest.mark.parametrize("dtype", ["float32", "bf16", "pure-bf16"])
def test_the_largest_batch_fits_and_one_more_text_does_not(name: str, dtype: str) -> None:
    model = model_named(name)
    class_name = next(
        model_class.name for model_class in model.architecture.classes if "SequenceClassification" in model_class.name
    )
    for gib in (8, 16, 24):
        step = TrainingStep(unchanged_model(name, class_name), 1, 64, dtype=dtype)
        examples = step.largest_batch(gib * 2**30)
        assert step.with_examples(examples).peak_bytes <= gib * 2**30 < step.with_examples(examples + 1).peak_bytes
    assert step.largest_batch(1) == 0


def test_the_reserve_of_a_memory_stays_free() -> None:
    assert usable_memory(16, 0) == 16 * 2**30
    assert usable_memory(16) == 16 * 2**30 * (100 - RESERVE) // 100


def test_sdpa_takes_the_kernel_that_pytorch_prefers() -> None:
    """Flash needs 16 bits and no mask. If the width of a head is not a multiple of 16 bytes, only math remains.

    Source: pytorch, aten/src/ATen/native/transformers/cuda/sdp_utils.cpp.
    """
    kernels = {
        (dtype, is_padded): TrainingStep(unchanged_model(), 1, 128, dtype=dtype, padded=is_padded).kernel
        for dtype in ("float32", "bf16")
        for is_padded in (False, True)
    }
    expected = {("float32", False): "efficient", ("float32", True): "efficient"}
    assert kernels == expected | {("bf16", False): "flash", ("bf16", True): "efficient"}
    narrow_question = Question(model_named("bert-base-uncased").resized(H=36), "BertModel")
    assert TrainingStep(ChangedModel.build(narrow_question, []), 1, 128, dtype="bf16").kernel == "math"


LORA_MODEL = ChangedModel.build(
    Question(model_named("bert-base-uncased"), "BertForSequenceClassification"), ["lora:8:query"]
)


def test_adapters_stay_in_float32() -> None:
    """Adapters and their moments are in float32 even if weights are in bfloat16. Source: PEFT, `cast_adapter_dtype`."""
    step = TrainingStep(LORA_MODEL, 1, 128, dtype="pure-bf16")
    adapters, head = 12 * 2 * 8 * 768, 2 * 769
    assert step.gradients_bytes == 4 * adapters + 2 * head
    # AdamW also keeps a 4-byte number for each of the adapters' 24 matrices and of the head's two tensors.
    assert step.states_bytes == 8 * adapters + 4 * head + 4 * (24 + 2)


def test_the_scales_of_packed_weights_are_in_memory_as_well() -> None:
    changes = ["nf4-double:classifier", "lora:8:query,value"]
    model = ChangedModel.build(Question(model_named("bert-base-uncased"), "BertForSequenceClassification"), changes)
    assert model.scales_bytes > 0
    assert model.bytes_of() == TrainingStep(model, 1, 128).weights_bytes


BASE = unchanged_model()
CROSS_ATTENTION_MODEL = ChangedModel.build(BASE.unchanged_question._replace(choices=Choices(cross_attention=True)), [])


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (
            unchanged_model("longformer-base-4096", "LongformerModel"),
            {},
            "this architecture, because it depends on how many tokens attend to the whole text; it is counted for bert",
        ),
        (
            unchanged_model("bigbird-roberta-base", "BigBirdModel"),
            {"tokens": 1000},
            "1000 tokens are not a multiple of the block of 64 tokens.*choose 960",
        ),
        (
            unchanged_model("bigbird-roberta-base", "BigBirdModel", A=1),
            {"tokens": 1024},
            "sparse attention from two heads on",
        ),
        (unchanged_model("eurobert-210m", "EuroBertModel", N=1), {}, "all query heads share one key-value head"),
        (unchanged_model("eurobert-210m", "EuroBertModel", N=6), {}, "fewer key-value heads than query heads"),
        (
            unchanged_model("nezha-cn-base", "NezhaModel"),
            {},
            "memory in training is not counted for this architecture; it is counted for bert",
        ),
        (
            unchanged_model("layoutlm-base-uncased", "LayoutLMModel"),
            {"dtype": "bf16", "attention": "flash"},
            "takes no mask",
        ),
        (
            unchanged_model("layoutlm-base-uncased", "LayoutLMModel"),
            {"tokens": 100},
            "PyTorch copies a mask of 100 tokens",
        ),
        (
            unchanged_model("dpr-reader-single-nq-base", "DPRReader"),
            {"checkpointing": True},
            "has no gradient checkpointing",
        ),
        (CROSS_ATTENTION_MODEL, {}, "bert-base-uncased: memory in training is counted without cross-attention"),
        (BASE, {"attention": "fast"}, "attention is 'fast'; choose sdpa, eager, math, efficient, flash"),
        (BASE, {"attention": "flash"}, "the flash kernel computes in 16 bits only; choose efficient"),
        (BASE, {"attention": "flash", "dtype": "bf16", "padded": True}, "the flash kernel takes no mask"),
        (BASE, {"padded": True, "tokens": 100}, "PyTorch copies a mask of 100 tokens, .* choose 112"),
        (BASE, {"dtype": "bf61"}, 'no data type "bf61"; did you mean "bf16"'),
        (BASE, {"optimiser": "adamx"}, 'no optimiser "adamx"; did you mean "adamw"'),
        (
            BASE,
            {"dtype": "pure-bf16", "optimiser": "adafactor"},
            "the states of adafactor are not counted; choose adamw",
        ),
        (
            unchanged_model("roberta-base", "RobertaModel"),
            {"tokens": 513},
            "the model takes at most 512 tokens, not 513",
        ),
        (BASE, {"examples": 0}, "examples is 0; it must be an integer from 1"),
        (BASE, {"tokens": 513}, "the model takes at most 512 tokens, not 513"),
        (
            unchanged_model("albert-base-v2", "AlbertModel"),
            {"checkpointing": True},
            "transformers has no gradient checkpointing",
        ),
        (unchanged_model("albert-base-v2", "AlbertModel", G=2), {}, "only if all layers share one set of weights"),
        (unchanged_model("albert-base-v2", "AlbertModel", I=2), {}, "only if all layers share one set of weights"),
        (
            unchanged_model("mpnet-base", "MPNetModel"),
            {"attention": "sdpa"},
            "transformers has only eager attention for it",
        ),
        (unchanged_model("ModernBERT-base", "ModernBertModel"), {}, "its sliding-window layers need masks"),
        (
            unchanged_model("ModernBERT-base", "ModernBertForMultipleChoice"),
            {"tokens": 64},
            "not counted for this class",
        ),
        (
            unchanged_model("electra-small-discriminator", "ElectraForPreTraining"),
            {"padded": True},
            "leave the padding out",
        ),
        (unchanged_model("bert-base-uncased", "BertModel", L=0), {}, "memory in training is counted from one layer on"),
        (
            ChangedModel.build(unchanged_model("bert-base-uncased", "BertModel").unchanged_question, ["head"]),
            {},
            "nothing of it is trained, so a training step keeps nothing",
        ),
        (
            ChangedModel.build(BASE.unchanged_question, ["vera:8:query"]),
            {},
            "the activations of 'vera' are not counted; choose",
        ),
    ],
)
def test_an_impossible_or_uncounted_step_is_refused(model: ChangedModel, options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadChoice, match=message):
        _ = TrainingStep(model, **{"examples": 1, "tokens": 128, **options}).peak_bytes
