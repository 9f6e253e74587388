"""Record what training steps in transformers keep for the backward pass, for comparison with the engine.

Run by `make verify`, in an environment with torch, transformers and PEFT:

    python -m tests.oracles.record_activations

This takes about ten minutes on two processors. If the names of architectures are given,
such as `deberta esm`, only their cases and `unread` are recorded again, and the rest is
taken from the previous recording.

No graphics card is needed, because the models run on tensors without contents, which
PyTorch takes to be on a card. Every operation has the shapes and types that it would have
there, so `saved_tensors_hooks` sees the storages that a card would keep. The exception is
attention, for which PyTorch would not choose a kernel by itself. In cases that name the
flash or the efficient kernel, `scaled_dot_product_attention` is replaced with a call to
that kernel, made as in PyTorch's own code.

The recording has the sizes in bytes of the storages that are kept, for every class that a
program in `macros.counting.training` counts. The models have small odd sizes and run with
several settings, some of them after changes. `peaks` has the bytes that PyTorch's
`MemTracker` measures in a whole step, and `inference` has the bytes that it measures
without gradients. Both run on tensors without contents that PyTorch takes to be on a CPU.
`unread` has the trained parameters of each class that have no gradient after a backward
pass, which runs on a CPU with real contents.
"""

import contextlib
import gc
import gzip
import json
import math
import multiprocessing
import sys
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from macros.counting import ARCHITECTURES
from macros.counting.training.programs import PROGRAMS

from .record_changed import config_of
from .recording import BASE, LARGE, TEST_RECORDINGS, record

SMALL_SIZES = {
    "vocab_size": 101,
    "max_position_embeddings": 40,
    "type_vocab_size": 3,
    "hidden_size": 24,
    "intermediate_size": 37,
    "num_hidden_layers": 3,
    "num_attention_heads": 3,
    "num_labels": 2,
}
"""The sizes of a small model. The heads have 8 features, as the attention kernels require."""

OTHER_KEYS = {
    "distilbert": {
        "hidden_size": "dim",
        "intermediate_size": "hidden_dim",
        "num_hidden_layers": "n_layers",
        "num_attention_heads": "n_heads",
    },
}
"""The names of config keys that differ from BERT's, by model type and by BERT's key."""

TYPES_WITHOUT_SEGMENTS = ("distilbert", "mpnet", "modernbert", "esm", "deberta", "deberta-v2", "eurobert")
"""The architectures whose configs have no number of segments."""

SMALL_IDS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "cls_token_id": 1, "sep_token_id": 2}
"""Ids of special tokens within the small vocabulary."""

FURTHER_KEYS: dict[str, dict[str, Any]] = {
    "albert": {"embedding_size": 20},
    "electra": {"embedding_size": 20},
    "ernie": {"use_task_id": True, "task_type_vocab_size": 3},
    "rembert": {"input_embedding_size": 20, "output_embedding_size": 28},
    "deberta": ARCHITECTURES["deberta"].required_settings | {"pad_token_id": 0},
    "deberta-v2": ARCHITECTURES["deberta-v2"].required_settings
    | {"position_buckets": 5, "conv_kernel_size": 3, "pos_att_type": "p2c|c2p"},
    "esm": ARCHITECTURES["esm"].required_settings | {"pad_token_id": 1, "mask_token_id": 32, "token_dropout": True},
    "layoutlm": {"max_2d_position_embeddings": 50},
    "mobilebert": {
        "embedding_size": 20,
        "intra_bottleneck_size": 24,
        "hidden_size": 28,
        "classifier_activation": False,
    },
    "modernbert": SMALL_IDS,
    "nomic_bert": {"pad_token_id": 0},
    "gte": {"pad_token_id": 0},
    "jina_embeddings_v3": {"pad_token_id": 0},
    "big_bird": {"block_size": 2, "num_random_blocks": 1} | SMALL_IDS,
    "eurobert": {"num_key_value_heads": 3, "head_dim": 16, "pad_token_id": 0},
}
"""Further keys for the configs of small models, by model type."""

DROPOUT_KEYS = (
    "hidden_dropout_prob",
    "attention_probs_dropout_prob",
    "dropout",
    "attention_dropout",
    "seq_classif_dropout",
    "qa_dropout",
    "summary_last_dropout",
    "embedding_dropout",
    "mlp_dropout",
    "classifier_dropout",
    "classifier_dropout_prob",
)
"""The keys for dropout rates."""

Case = dict[str, Any]


def small_config(model_type: str) -> dict[str, Any]:
    """The config of a small model."""
    names = OTHER_KEYS.get(model_type, {})
    sizes = {names.get(key, key): value for key, value in SMALL_SIZES.items()}
    if model_type in TYPES_WITHOUT_SEGMENTS:
        del sizes["type_vocab_size"]
    return sizes | FURTHER_KEYS.get(model_type, {})


def labels_of(class_name: str, label_count: int, texts: int, tokens: int, device: str) -> dict[str, Any]:
    """The labels that the loss of a class needs for a batch; empty for a class without a loss."""
    import torch

    def ones(*shape: int) -> Any:
        """Labels of the given shape, whose values do not matter."""
        return torch.ones(shape, dtype=torch.long, device=device)

    per_text = ones(texts)
    per_token = ones(texts, tokens)
    if class_name.endswith(("Model", "Encoder", "Reader")) and not class_name.endswith("LMHeadModel"):
        return {}
    if class_name.endswith("ForPreTraining") and not class_name.startswith("Electra"):
        order = "sentence_order_label" if class_name.startswith("Albert") else "next_sentence_label"
        return {"labels": per_token, order: per_text}
    if class_name.endswith("QuestionAnswering"):
        return {"start_positions": per_text, "end_positions": ones(texts)}
    if class_name.endswith("SequenceClassification") and label_count == 1:
        return {"labels": per_text.float()}
    is_per_text = class_name.endswith(("SequenceClassification", "MultipleChoice", "NextSentencePrediction"))
    return {"labels": per_text if is_per_text else per_token}


@contextlib.contextmanager
def autocast(*, is_on: bool) -> Iterator[None]:
    """Switch autocast to bfloat16 on or off as on a card, which `torch.autocast` refuses to do without a card."""
    import torch

    was_on = torch.is_autocast_enabled("cuda")
    torch.set_autocast_enabled("cuda", is_on)
    torch.set_autocast_dtype("cuda", torch.bfloat16)
    torch.autocast_increment_nesting()
    try:
        yield
    finally:
        if torch.autocast_decrement_nesting() == 0:
            torch.clear_autocast_cache()
        torch.set_autocast_enabled("cuda", was_on)


@contextlib.contextmanager
def attention_by(kernel: str) -> Iterator[None]:
    """Make `scaled_dot_product_attention` use `kernel` if this is "flash" or "efficient".

    Source: pytorch, aten/src/ATen/native/transformers/attention.cpp, which casts and expands a mask, and then calls the
    kernel that it has chosen.
    """
    import torch

    functional = torch.nn.functional
    kernels = torch.ops.aten
    original = functional.scaled_dot_product_attention

    def run(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, **options: Any) -> Any:
        """The output of attention, computed by `kernel`."""
        is_causal = options.get("is_causal", False)
        scale = options.get("scale")
        if torch.is_autocast_enabled("cuda"):
            query, key, value = (tensor.to(torch.bfloat16) for tensor in (query, key, value))
        with autocast(is_on=False):
            if kernel == "flash":
                assert attn_mask is None, "the flash kernel takes no mask"
                call = kernels._scaled_dot_product_flash_attention
                return call(query, key, value, dropout_p, is_causal, False, scale=scale)[0]
            if attn_mask is not None:
                if attn_mask.dtype == torch.bool:
                    zeros = torch.zeros_like(attn_mask, dtype=query.dtype)
                    attn_mask = zeros.masked_fill_(attn_mask.logical_not(), -math.inf)
                attn_mask = attn_mask.to(query.dtype)  # as autocast does with floating-point tensors
                attn_mask = attn_mask.expand(*query.shape[:3], key.shape[2])
            needs_gradients = any(tensor.requires_grad for tensor in (query, key, value))
            call = kernels._scaled_dot_product_efficient_attention
            return call(query, key, value, attn_mask, needs_gradients, dropout_p, is_causal, scale=scale)[0]

    if kernel in ("flash", "efficient"):
        functional.scaled_dot_product_attention = run
    try:
        yield
    finally:
        functional.scaled_dot_product_attention = original


@contextlib.contextmanager
def stub_contents(case: Case) -> Iterator[None]:
    """Replace the calls in which transformers inspects the contents of tensors, which are missing here.

    The replacements return the results for real texts: a mask without padding hides nothing, so transformers drops it,
    and every text has a label.
    """
    import torch
    from transformers import masking_utils

    nonzero = torch.Tensor.nonzero
    is_ignored = masking_utils._ignore_bidirectional_mask_sdpa

    def every_index(tensor: Any) -> Any:
        """As many indices as there are elements, as if none were zero."""
        return torch.zeros((tensor.numel(), tensor.dim()), dtype=torch.long, device=tensor.device)

    torch.Tensor.nonzero = every_index
    if not case["padded"]:
        masking_utils._ignore_bidirectional_mask_sdpa = lambda _, *rest: is_ignored(None, *rest)
    try:
        yield
    finally:
        torch.Tensor.nonzero = nonzero
        masking_utils._ignore_bidirectional_mask_sdpa = is_ignored


def model_for(case: Case, device: str) -> Any:
    """The model of a case, in training mode, with the changes of the case."""
    import torch
    import transformers

    config = transformers.CONFIG_MAPPING[case["model_type"]](**case["config"])
    for key in DROPOUT_KEYS:
        if getattr(config, key, None) is not None or key == "classifier_dropout":
            setattr(config, key, 0.1 if case["dropout"] else 0.0)
    config._attn_implementation = "eager" if case["attention"] == "eager" else "sdpa"
    torch.set_default_dtype(torch.bfloat16 if case["dtype"] == "pure-bf16" else torch.float32)
    with torch.device(device):
        model = getattr(transformers, case["class"])(config)
    torch.set_default_dtype(torch.float32)
    if case["dtype"] == "pure-bf16":
        for parameter in model.parameters():  # DeBERTa creates two of its biases in float32 regardless of the default
            parameter.data = parameter.data.to(torch.bfloat16)
    for change in case["changes"]:
        model = apply_change(change, case, model, device)
    model.train()
    if case["checkpointing"]:
        model.gradient_checkpointing_enable()
    return model


def apply_change(change: str, case: Case, model: Any, device: str) -> Any:
    """Freeze part of a model, pack its weights, or let PEFT adapt it, and return the model."""
    import torch
    from peft import get_peft_model

    if change.startswith("lora"):
        # PEFT moves new weights to the device of the old ones, which tensors without contents do not allow.
        move = torch.nn.Module.to
        torch.nn.Module.to = lambda self, *_, **__: self
        try:
            with torch.device(device):
                return get_peft_model(model, config_of(change, case["model_type"], "SEQ_CLS", {}))
        finally:
            torch.nn.Module.to = move
    if change.startswith(PACKING_CHANGES):
        return with_packed_weights(change, model, device)
    frozen_layers = int(change.partition(":")[2] or 0)

    def is_in_head(name: str) -> bool:
        """Return whether a parameter is in the head."""
        return not name.startswith(f"{model.base_model_prefix}.")

    trained_by: dict[str, Callable[[str], bool]] = {
        "head": is_in_head,
        "bitfit": lambda name: name.endswith("bias") or is_in_head(name),
        "layernorm": lambda name: "LayerNorm" in name or is_in_head(name),
        "embeddings": lambda name: ".embeddings." not in name,
        "frozen": lambda name: not any(f".layer.{layer}." in name for layer in range(frozen_layers)),
    }
    is_trained = trained_by[change.partition(":")[0]]
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(parameter.requires_grad and is_trained(name))
    return model


PACKING_CHANGES = ("int8", "int4", "nf4-double")
"""The changes that pack weights."""


def packed_layer(method: str, original: Any, device: str) -> Any:
    """The layer that bitsandbytes puts in place of a dense layer. Its packed weights and scales have no contents."""
    import bitsandbytes
    import torch
    from bitsandbytes.functional import QuantState
    from torch._subclasses.fake_tensor import unset_fake_temporarily

    def constant(*shape: int, dtype: torch.dtype) -> Any:
        """A parameter that is not trained."""
        return torch.nn.Parameter(torch.empty(shape, dtype=dtype, device=device), requires_grad=False)

    inputs = original.in_features
    outputs = original.out_features
    with unset_fake_temporarily():  # bitsandbytes cannot create its own kind of parameter from fake tensors
        if method == "int8":
            layer = bitsandbytes.nn.Linear8bitLt(inputs, outputs, has_fp16_weights=False, device="meta")
        else:
            layer = bitsandbytes.nn.Linear4bit(inputs, outputs, compute_dtype=original.weight.dtype, device="meta")
    if method == "int8":
        layer.weight = constant(outputs, inputs, dtype=torch.int8)
        layer.weight.CB = None
        layer.weight.SCB = None
        layer.state.CB = layer.weight.data
        layer.state.SCB = torch.empty(outputs, device=device)
    else:
        # Two numbers of four bits share a byte, and 64 numbers share a scale.
        layer.weight = constant(-(-inputs * outputs // 2), 1, dtype=torch.uint8)
        layer.weight.compress_statistics = method == "nf4-double"
        layer.weight.quant_type = "nf4"
        scales = torch.empty(-(-inputs * outputs // 64), device=device)
        layer.weight.quant_state = QuantState(
            scales, torch.Size((outputs, inputs)), None, 64, "nf4", original.weight.dtype
        )
    layer.bias = original.bias
    return layer


def with_packed_weights(change: str, model: Any, device: str) -> Any:
    """Return a model whose dense layers are replaced with those of bitsandbytes, except one that the change may name.

    bitsandbytes cannot pack weights without contents, so the packed weights and their scales are tensors of the shapes
    that it would give them. In 8 bits, no number counts as an outlier, because the number of outliers depends on the
    weights and on the text.
    """
    import torch

    method, _, skipped_layer = change.partition(":")
    linear_layers = [(name, layer) for name, layer in model.named_modules() if isinstance(layer, torch.nn.Linear)]
    for name, original in linear_layers:
        if name != skipped_layer:
            model.set_submodule(name, packed_layer(method, original, device))
    model.is_loaded_in_8bit = method == "int8"
    model.is_loaded_in_4bit = method != "int8"
    return model


def shape_of(case: Case) -> tuple[int, ...]:
    """The shape of the token ids of a case."""
    choices = (2,) if case["class"].endswith("MultipleChoice") else ()
    return (case["texts"], *choices, case["tokens"])


def inputs_of(case: Case, device: str) -> dict[str, Any]:
    """The inputs of a case: arbitrary ids, labels, and a mask if texts are padded."""
    import torch

    ids = torch.ones(shape_of(case), dtype=torch.long, device=device)
    mask = {"attention_mask": torch.ones_like(ids)} if case["padded"] else {}
    label_count = case["config"].get("num_labels", 2)
    return {"input_ids": ids, **mask, **labels_of(case["class"], label_count, case["texts"], case["tokens"], device)}


class KeptStorage:
    """The storage of a tensor that an operation keeps for the backward pass, freed with the operation.

    The object holds no reference to the tensor, because a tensor keeps the operation that computed it alive. With such
    a reference, an operation that keeps its own output would never be freed.
    """

    def __init__(self, tensor: Any) -> None:
        self.storage = tensor.untyped_storage()
        self.device = tensor.device.type
        self.base_id = id(tensor._base)


def kept_storages(case: Case) -> dict[int, int]:
    """The number of storages of each size in bytes that are kept for the backward pass, without parameters and buffers.

    Only storages that still exist at the end of the forward pass count. If no output of the model depends on an
    operation, everything that the operation keeps is freed with its result.
    """
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    def no_backward(_: KeptStorage) -> Any:
        """Raise an error, because nothing should unpack a kept storage."""
        raise AssertionError("there is no backward pass")

    references: list[weakref.ref[KeptStorage]] = []

    def keep(tensor: Any) -> KeptStorage:
        """Record the storage of a tensor, and return what PyTorch keeps in place of the tensor."""
        kept_storage = KeptStorage(tensor)
        references.append(weakref.ref(kept_storage))
        return kept_storage

    with FakeTensorMode(allow_non_fake_inputs=True), attention_by(case["attention"]), stub_contents(case):
        model = model_for(case, "cuda")
        # bitsandbytes replaces biases while a model runs; this list keeps the original storages alive.
        storages = [tensor.untyped_storage() for tensor in (*model.parameters(), *model.buffers())]
        model_storages = {storage._cdata for storage in storages}
        parameters = {id(parameter) for parameter in model.parameters()}
        inputs = inputs_of(case, "cuda")
        precision_context = autocast(is_on=True) if case["dtype"] == "bf16" else contextlib.nullcontext()
        with torch.autograd.graph.saved_tensors_hooks(keep, no_backward), hook_into_packed(keep), precision_context:
            outputs = model(**inputs)
        sizes: dict[int, int] = {}
        for tensor in filter(None, (reference() for reference in references)):
            # Some tensors, such as the number by which DeBERTa divides its scores, are not on the card.
            is_on_card = tensor.device == "cuda"
            # Only tensors without contents have a separate storage for a view of a parameter that PEFT has copied.
            if is_on_card and tensor.storage._cdata not in model_storages and tensor.base_id not in parameters:
                sizes[tensor.storage._cdata] = tensor.storage.nbytes()
        del outputs  # only now, because everything that is kept is freed with them
        return dict(sorted(Counter(sizes.values()).items()))


@contextlib.contextmanager
def hook_into_packed(keep: Callable[[Any], KeptStorage]) -> Iterator[None]:
    """Call `keep` for tensors that bitsandbytes keeps as attributes of its functions, which PyTorch's hooks miss."""
    from bitsandbytes.autograd._functions import MatMul4Bit, MatMul8bitLt

    def with_hook(forward: Callable[..., Any]) -> Callable[..., Any]:
        """The forward pass of a function, which calls `keep` for the tensors that it keeps."""

        def run(ctx: Any, *arguments: Any, **options: Any) -> Any:
            result = forward(ctx, *arguments, **options)
            kept_tensors = (*ctx.tensors, *getattr(ctx, "tensor_states", ()))
            ctx.kept = [keep(tensor) for tensor in kept_tensors if tensor is not None]
            return result

        return run

    forwards = {function: function.forward for function in (MatMul4Bit, MatMul8bitLt)}
    for function, forward in forwards.items():
        function.forward = staticmethod(with_hook(forward))
    try:
        yield
    finally:
        for function, forward in forwards.items():
            function.forward = staticmethod(forward)


SETTING_NAMES = ("dtype", "attention", "dropout", "padded", "checkpointing")
SETTINGS = tuple(
    dict(zip(SETTING_NAMES, values, strict=True))
    for values in (
        ("float32", "eager", True, False, False),
        ("float32", "eager", False, True, False),
        ("float32", "efficient", True, False, True),
        ("bf16", "eager", True, False, False),
        ("bf16", "eager", True, True, True),
        ("bf16", "math", True, False, False),
        ("bf16", "efficient", True, True, False),
        ("bf16", "flash", True, False, True),
        ("bf16", "flash", False, False, False),
        ("pure-bf16", "eager", True, False, False),
        ("pure-bf16", "flash", True, False, False),
    )
)
"""The settings in which every class runs, if they are possible for the class."""

ALL_SETTINGS = tuple(
    dict(zip(SETTING_NAMES, (dtype, attention, dropout, padded, checkpointing), strict=True))
    for dtype, attention, dropout, padded, checkpointing in product(
        ("float32", "bf16", "pure-bf16"),
        ("eager", "math", "efficient", "flash"),
        (True, False),
        (True, False),
        (True, False),
    )
    if attention != "flash" or (dtype != "float32" and not padded)
)
"""All possible settings. The flash kernel takes neither numbers in float32 nor a mask."""

BATCHES = ((1, 1), (1, 7), (4, 1), (3, 7), (2, 40))
"""The number of texts, and of tokens per text. If either is 1, a slice may share the storage of the whole tensor."""

FREEZING_CHANGES = (
    ("embeddings", "frozen:1"),
    ("embeddings", "frozen:3"),
    ("frozen:2",),
    ("head",),
    ("bitfit",),
    ("layernorm",),
    ("embeddings",),
    ("lora:4:all-linear",),
)
"""Changes after which only part of the model is trained.

DeBERTa's positions and its convolution need gradients with some of these changes, but not with others.
"""

CHANGES = (
    *FREEZING_CHANGES,
    ("embeddings", "frozen:2"),
    ("lora:4:query,value",),
    ("lora:4:query,dense",),
    ("lora:4:output.dense",),
    ("int8:classifier", "lora:4:query,value"),
    ("int4:classifier", "lora:4:query,value"),
    ("nf4-double:classifier", "lora:4:query,dense"),
)
"""Changes to BERT for sequence classification."""

PLAIN_BATCH: Case = {"texts": 2, "tokens": 16, "changes": []}
BERT: Case = {**PLAIN_BATCH, "model_type": "bert", "config": SMALL_SIZES, "class": "BertForSequenceClassification"}
"""A plain batch, and a small BERT with that batch."""


TYPES_WITH_SEVERAL_BATCHES = ("deberta", "deberta-v2", "esm", "layoutlm", "mobilebert", "eurobert", "big_bird")
"""The architectures other than BERT that are recorded with several batches, because they have their own programs."""


def plan() -> Iterator[Case]:
    """Every case, without the storages that it keeps."""
    yield from cases_of_every_class()
    for settings in ALL_SETTINGS:
        yield {**BERT, **settings}
    for changes, settings in product(CHANGES, SETTINGS):
        yield {**BERT, **settings, "changes": list(changes)}
    classes = ("BertForMaskedLM", "BertForPreTraining", "BertForMultipleChoice", "BertLMHeadModel")
    for class_name, batch in product(classes, BATCHES):
        yield from in_all_settings({**BERT, "class": class_name}, *batch)
    for settings in SETTINGS:
        yield {**BERT, **settings, "config": {**SMALL_SIZES, "num_labels": 1}}
    for model_type in ("roberta", "distilbert", "electra"):
        yield from in_all_settings({**classifier_case(model_type), "changes": ["lora:4:query,value"]})
    for model_type, batch in product(TYPES_WITH_SEVERAL_BATCHES, BATCHES):
        yield from in_all_settings(classifier_case(model_type), *batch)
    for model_type in ("deberta", "deberta-v2"):
        case = classifier_case(model_type)
        yield from in_all_settings({**case, "config": {**case["config"], "num_labels": 1}})
        for changes in FREEZING_CHANGES:
            yield from in_all_settings({**case, "changes": list(changes)})
    yield from eurobert_cases()
    yield from bigbird_cases()


def eurobert_cases() -> Iterator[Case]:
    """EuroBERT with one label, with parts trained, and with pairs of query heads that share keys and values."""
    case = classifier_case("eurobert")
    yield from in_all_settings({**case, "config": {**case["config"], "num_labels": 1}})
    grouped_case = {**case, "config": {**case["config"], "num_attention_heads": 4, "num_key_value_heads": 2}}
    for variant in (case, grouped_case):
        for change in ("head", "lora:4:all-linear"):
            yield from in_all_settings({**variant, "changes": [change]})
    for batch in BATCHES:
        yield from in_all_settings(grouped_case, *batch)


def bigbird_cases() -> Iterator[Case]:
    """BigBird with full attention, with one label, with parts trained, and with sparse attention of other sizes."""
    case = classifier_case("big_bird")
    for key, value in (("attention_type", "original_full"), ("num_labels", 1)):
        yield from in_all_settings({**case, "config": {**case["config"], key: value}})
    for changes in FREEZING_CHANGES:
        yield from in_all_settings({**case, "changes": list(changes)})
    yield from in_all_settings(case, 1)
    wider_case = {**case, "config": {**case["config"], "block_size": 3, "num_random_blocks": 2}}
    for texts in (1, 2):
        yield from in_all_settings(wider_case, texts, 30)


def classifier_case(model_type: str) -> Case:
    """The case of an architecture's class for sequence classification, with a plain batch."""
    class_name = next(
        model_class.name for model_class in ARCHITECTURES[model_type].classes if "SequenceC" in model_class.name
    )
    return {**PLAIN_BATCH, "model_type": model_type, "config": small_config(model_type), "class": class_name}


def cases_of_every_class() -> Iterator[Case]:
    """Every class of every architecture that has a program, with all combinations in `SETTINGS` that are possible."""
    for model_type in PROGRAMS:
        common = {**PLAIN_BATCH, "model_type": model_type, "config": small_config(model_type)}
        for model_class in ARCHITECTURES[model_type].classes:
            yield from in_all_settings({**common, "class": model_class.name})


def in_all_settings(
    case: Case, texts: int = PLAIN_BATCH["texts"], tokens: int = PLAIN_BATCH["tokens"]
) -> Iterator[Case]:
    """A case with a batch and all combinations in `SETTINGS` that transformers supports and the engine counts."""
    program = PROGRAMS[case["model_type"]]
    config = case["config"]
    is_grouped = config.get("num_key_value_heads") not in (None, config.get("num_attention_heads"))
    for settings in SETTINGS:
        is_masked = bool(settings["padded"]) or program.always_masks
        is_possible = (
            (program.has_kernels or settings["attention"] == "eager")
            and not (program.always_masks and settings["attention"] == "flash")
            and not (is_masked and tokens % 16 and settings["attention"] == "efficient")
            and (program.can_checkpoint or not settings["checkpointing"])
            and not (is_grouped and settings["attention"] == "efficient" and not is_masked)
        )
        if is_possible and program.is_counted(case["class"], is_padded=bool(settings["padded"])):
            yield {**case, **settings, "texts": texts, "tokens": tokens}


def tracked_total(tracker: Any, kind: str) -> int:
    """The bytes of everything on the tracker's only device: those in use now for `current`, or the `peak` so far."""
    (device_bytes,) = tracker.get_tracker_snapshot(kind).values()
    return int(device_bytes["Total"])


def peak(case: Case) -> dict[str, int]:
    """The bytes that PyTorch measures in the second step, at the end of the forward pass and at the peak."""
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.distributed._tools.mem_tracker import MemTracker

    with FakeTensorMode(allow_non_fake_inputs=True):
        model = model_for(case, "cpu")
        trained_parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
        foreach = case["optimiser"] == "adamw-foreach"
        optimiser = torch.optim.AdamW(trained_parameters, foreach=foreach, fused=not foreach)
        inputs = inputs_of(case, "cpu")
        tracker = MemTracker()
        tracker.track_external(model, optimiser)
        with tracker:
            for step in range(2):
                loss = model(**inputs).loss
                if step:
                    forward = tracked_total(tracker, "current")
                loss.backward()
                optimiser.step()
                optimiser.zero_grad()
                del loss
                tracker.reset_mod_stats()
        return {"forward": forward, "peak": tracked_total(tracker, "peak")}


def peaks() -> Iterator[Case]:
    """Steps of BERT with the bytes that PyTorch measures. Without dropout, a CPU keeps the same tensors as a card."""
    settings = {"dtype": "float32", "attention": "eager", "dropout": False, "padded": False}
    case = {**settings, "model_type": "bert", "class": "BertForSequenceClassification"}
    for name, texts, tokens, checkpointing, optimiser in TRACKED_STEPS:
        step = {**case, "config": LARGE if name == "large" else BASE, "texts": texts, "tokens": tokens}
        step |= {"checkpointing": checkpointing, "optimiser": optimiser, "changes": []}
        yield {**step, **peak(step)}


TRACKED_STEPS = (
    ("base", 1, 128, False, "adamw"),
    ("base", 1, 128, False, "adamw-foreach"),
    ("base", 16, 128, False, "adamw"),
    ("base", 16, 512, False, "adamw"),
    ("base", 16, 512, True, "adamw"),
    ("large", 8, 128, False, "adamw"),
)
"""The steps whose memory PyTorch measures: model, texts, tokens, checkpointing and optimiser."""


def inference() -> Iterator[Case]:
    """The peak bytes, in addition to weights and buffers, of BERT base reading a batch without gradients."""
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.distributed._tools.mem_tracker import MemTracker

    settings = {"dtype": "float32", "attention": "eager", "dropout": False, "padded": False, "checkpointing": False}
    for texts, tokens in ((1, 128), (8, 128), (8, 512), (64, 512)):
        case = {
            **settings,
            "model_type": "bert",
            "class": "BertForSequenceClassification",
            "config": BASE,
            "changes": [],
        }
        case |= {"texts": texts, "tokens": tokens}
        with FakeTensorMode(allow_non_fake_inputs=True):
            model = model_for(case, "cpu").eval()
            ids = torch.ones(shape_of(case), dtype=torch.long)
            tracker = MemTracker()
            tracker.track_external(model)
            with tracker, torch.no_grad():
                model(input_ids=ids)
            peak_bytes, current_bytes = (tracked_total(tracker, kind) for kind in ("peak", "current"))
        model_bytes = sum(tensor.nbytes for tensor in (*model.parameters(), *model.buffers()))
        assert model_bytes <= current_bytes
        yield {**case, "beside_weights": peak_bytes - model_bytes}


CHANGES_WITH_UNREAD_POOLER = (
    ("layoutlm", "LayoutLMForTokenClassification", "bitfit"),
    ("big_bird", "BigBirdForSequenceClassification", "bitfit"),
    ("big_bird", "BigBirdForSequenceClassification", "lora:4:all-linear"),
)
"""Changes to classes with a pooler that no head reads: architecture, class and change."""


def unread_parameters() -> Iterator[Case]:
    """The cases of `without_gradient`: every class that the engine counts, and `CHANGES_WITH_UNREAD_POOLER`."""
    settings = {"dtype": "float32", "attention": "eager", "dropout": True, "padded": False, "checkpointing": False}
    for model_type, program in PROGRAMS.items():
        for model_class in ARCHITECTURES[model_type].classes:
            if program.is_counted(model_class.name, is_padded=False):
                yield without_gradient({**settings, "model_type": model_type, "class": model_class.name, "changes": []})
    for model_type, class_name, change in CHANGES_WITH_UNREAD_POOLER:
        yield without_gradient({**settings, "model_type": model_type, "class": class_name, "changes": [change]})


def without_gradient(case: Case) -> Case:
    """A case with the names of the trained parameters that have no gradient after a backward pass.

    If a class has no loss, the sum of all its outputs is used.
    """
    case = {**PLAIN_BATCH, **case, "config": small_config(case["model_type"])}
    model = model_for(case, "cpu")
    outputs = model(**inputs_of(case, "cpu"))
    loss = outputs.get("loss")
    if loss is None:
        loss = sum(output.sum() for output in outputs.values())
    loss.backward()
    trained_parameters = [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]
    return {**case, "names": [name for name, parameter in trained_parameters if parameter.grad is None]}


FILE_NAME = "recorded_activations.json.gz"


def main() -> None:
    """Run everything and write the recording; fail if it differs from the previous one."""
    import transformers

    # Not every model can initialise tensors without contents.
    transformers.PreTrainedModel.initialize_weights = lambda _: None
    names = sys.argv[1:]
    previous = json.loads(gzip.decompress((TEST_RECORDINGS / FILE_NAME).read_bytes())) if names else {"cases": []}
    recorded_storages = {key_of(case): case["kept"] for case in previous["cases"] if case["model_type"] not in names}
    additions = {
        "peaks": previous["peaks"] if names else peaks(),
        "inference": previous["inference"] if names else inference(),
        "unread": unread_parameters(),
    }
    packages = ("transformers", "torch", "peft", "bitsandbytes")
    record(FILE_NAME, packages, cases_with_storages(recorded_storages), "record_activations.py", **additions)


def cases_with_storages(recorded_storages: dict[str, dict[str, int]]) -> Iterator[Case]:
    """Every case with the storages that it keeps. Only cases that are not in `recorded_storages` run.

    PyTorch crashes some time after Python's garbage collector has freed tensors without contents. The collector is
    therefore switched off, and the little memory that it would free is freed when a process ends.
    """
    processes = multiprocessing.get_context("fork")
    with processes.Pool(initializer=gc.disable, maxtasksperchild=100) as pool:
        unrecorded_cases = (case for case in plan() if key_of(case) not in recorded_storages)
        storage_counts = pool.imap(kept_storages, unrecorded_cases)
        for case in plan():
            key = key_of(case)
            yield {**case, "kept": recorded_storages[key] if key in recorded_storages else next(storage_counts)}


def key_of(case: Case) -> str:
    """A string that identifies a case, regardless of the storages that the case keeps."""
    return json.dumps({key: value for key, value in case.items() if key != "kept"}, sort_keys=True)


if __name__ == "__main__":
    main()
