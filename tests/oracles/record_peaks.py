"""Record the peaks of memory that PyTorch's MemTracker measures in training steps, for comparison with the engine.

Run by `make verify`, in an environment with torch, transformers and PEFT:

    python -m tests.oracles.record_peaks

The steps are some of those in `record_card`, with models of only two layers, because all
further layers are alike. The pairs of `record_card` run in whole models. No graphics card
is needed, because the steps run on tensors without contents. PyTorch takes these to be on
a CPU, since its backward pass would need a card for tensors on any other device. Functions
of PyTorch that keep or cast tensors differently on a CPU are replaced: dropout keeps a mask
of one byte per number, and autocast computes LayerNorm, softmax, powers and losses in
float32. A test checks that the forward pass then keeps what a card keeps: `forward` must be
the engine's number, which has been compared with `record_activations`.

All numbers are bytes in addition to weights, buffers, inputs and the optimiser's states:
`forward` at the end of the forward pass, and `peak` at the highest point of the forward or
backward pass. `record_activations` records the memory that the optimiser's own step needs.
"""

import contextlib
import gc
import multiprocessing
from collections.abc import Callable, Iterator
from typing import Any

from . import record_activations
from .record_activations import Case, attention_by, inputs_of, model_for, stub_contents, tracked_total
from .record_card import pairs, plan, step_of
from .recording import record


@contextlib.contextmanager
def autocast(*, is_on: bool) -> Iterator[None]:
    """Switch autocast to bfloat16 on a CPU on or off."""
    import torch

    with torch.autocast("cpu", torch.bfloat16, enabled=is_on):
        yield


@contextlib.contextmanager
def as_on_a_card(*, is_cast: bool) -> Iterator[None]:
    """Make PyTorch keep and cast tensors on a CPU as on a card; with `is_cast`, for a model under autocast."""
    import torch

    functional = torch.nn.functional
    names = ("dropout", "layer_norm", "softmax", "cross_entropy")
    originals = {name: getattr(functional, name) for name in names}
    is_enabled = torch.is_autocast_enabled
    autocast_on_card = record_activations.autocast
    power = torch.pow

    def in_float32(function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with its first argument cast to float32 under autocast."""

        def run(tensor: Any, *arguments: Any, **options: Any) -> Any:
            tensor = tensor.float() if is_cast and torch.is_autocast_enabled("cpu") else tensor
            return function(tensor, *arguments, **options)

        return run

    def cross_entropy(logits: Any, labels: Any, *_: Any, **options: Any) -> Any:
        """The loss, with the same casts as on a card."""
        # Only the second of its two operations runs in float32.
        logarithms = functional.log_softmax(logits, -1)
        kept_options = {key: value for key, value in options.items() if key in ("ignore_index", "reduction")}
        return in_float32(functional.nll_loss)(logarithms, labels, **kept_options)

    def dropout(tensor: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
        """Dropout that keeps a mask of one byte per number."""
        del inplace
        return torch.native_dropout(tensor, p, True)[0] if training and p else tensor

    functional.dropout = dropout
    functional.cross_entropy = cross_entropy
    functional.layer_norm = in_float32(originals["layer_norm"])
    functional.softmax = in_float32(originals["softmax"])
    torch.pow = in_float32(power)
    # `attention_by` queries the state for a card, and switches autocast off there.
    torch.is_autocast_enabled = lambda device="cpu": is_enabled("cpu" if device == "cuda" else device)
    record_activations.autocast = autocast
    try:
        yield
    finally:
        torch.is_autocast_enabled = is_enabled
        record_activations.autocast = autocast_on_card
        torch.pow = power
        for name, original in originals.items():
            setattr(functional, name, original)


def tracked_bytes(case: Case) -> dict[str, int]:
    """The bytes, without weights, buffers and inputs, after the forward pass and at the peak of both passes."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.distributed._tools.mem_tracker import MemTracker

    class Tracker(MemTracker):  # type: ignore[misc]
        """MemTracker without hooks on gradients, which frozen weights do not accept."""

        def _track_module_params_and_buffers(self, module: Any, install_grad_hooks: bool = True) -> Any:
            del install_grad_hooks
            return super()._track_module_params_and_buffers(module, install_grad_hooks=False)

    is_cast = case["dtype"] == "bf16"
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    with mode, attention_by(step_of(case).kernel), stub_contents(case), as_on_a_card(is_cast=is_cast):
        model = model_for(case, "cpu")
        inputs = inputs_of(case, "cpu")
        tracker = Tracker()
        tracker.track_external(model)
        with tracker:
            bytes_before = tracked_total(tracker, "current")
            with autocast(is_on=is_cast):
                loss = model(**inputs).loss
            forward = tracked_total(tracker, "current") - bytes_before
            loss.backward()
            return {"forward": forward, "peak": tracked_total(tracker, "peak") - bytes_before}


BATCHES = ((1, 128), (8, 512), (16, 128), (16, 512))
"""The batches of the plan that are recorded here: the number of texts, and of tokens per text."""

DEPTHS = ("num_hidden_layers", "n_layers")
"""The keys of configs for the number of layers."""


def shallow_steps() -> Iterator[Case]:
    """Steps of the plan in models of two layers, one of which is frozen if the plan freezes half of the layers."""
    for case in plan():
        if (case["texts"], case["tokens"]) in BATCHES and case["optimiser"] == "adamw":
            config = {key: 2 if key in DEPTHS else size for key, size in case["config"].items()}
            changes = [change.replace("frozen:6", "frozen:1") for change in case["changes"]]
            yield {**case, "config": config, "changes": changes}


def with_peak(case: Case) -> Case:
    """A case with its `tracked_bytes`."""
    return {**case, **tracked_bytes(case)}


def with_peaks(cases: Iterator[Case]) -> Iterator[Case]:
    """Every case with its `tracked_bytes`. Garbage collection is off for the reason given in `record_activations`."""
    with multiprocessing.get_context("fork").Pool(initializer=gc.disable, maxtasksperchild=20) as pool:
        yield from pool.imap(with_peak, cases)


def main() -> None:
    """Run the plan and write the recording; fail if it differs from the previous one."""
    import transformers

    transformers.PreTrainedModel.initialize_weights = lambda _: None
    packages = ("torch", "transformers", "peft")
    record(
        "recorded_peaks.json.gz", packages, with_peaks(shallow_steps()), "record_peaks.py", pairs=with_peaks(pairs())
    )


if __name__ == "__main__":
    main()
