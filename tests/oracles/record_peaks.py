"""Record the peaks that PyTorch's MemTracker finds in training steps, to compare the engine with.

Run by `make verify`, in an environment with torch, transformers and PEFT:

    python -m tests.oracles.record_peaks

The steps are among those of `record_card`, in models of two layers, because all further
layers are alike; its pairs run in whole models. No graphics card is needed: they run on
tensors without contents, which PyTorch takes to be on a CPU, because its backward pass needs
a card for all others. Where a CPU would keep or cast something else than a card does, the function of
PyTorch is replaced: dropout keeps a mask of one byte per number, and autocast computes
LayerNorm, softmax, powers and losses in float32. That the forward pass then keeps what a card keeps
is tested: `forward` must be what the engine counts, which `record_activations` has compared.

All numbers are bytes beside weights, buffers, inputs and the states of the optimiser:
`forward` at the end of the forward pass, and `peak` the most in the forward or backward pass.
What the optimiser needs while it steps is recorded by `record_activations`.
"""

import contextlib
import gc
import multiprocessing
from collections.abc import Callable, Iterator
from typing import Any

from . import record_activations
from .record_activations import Case, attention_by, inputs_of, model_for, stub_contents
from .record_card import pairs, plan, step_of
from .recording import record


@contextlib.contextmanager
def autocast(*, is_on: bool) -> Iterator[None]:
    """Autocast to bfloat16 on a CPU, on or off."""
    import torch

    with torch.autocast("cpu", torch.bfloat16, enabled=is_on):
        yield


@contextlib.contextmanager
def as_on_a_card(*, is_cast: bool) -> Iterator[None]:
    """Make PyTorch keep and cast on a CPU what it would on a card; `is_cast` says whether it runs under autocast."""
    import torch

    functional = torch.nn.functional
    names = ("dropout", "layer_norm", "softmax", "cross_entropy")
    originals = {name: getattr(functional, name) for name in names}
    is_enabled, autocast_on_card, power = torch.is_autocast_enabled, record_activations.autocast, torch.pow

    def in_float32(function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with its first argument cast to float32 under autocast."""

        def run(tensor: Any, *arguments: Any, **options: Any) -> Any:
            tensor = tensor.float() if is_cast and torch.is_autocast_enabled("cpu") else tensor
            return function(tensor, *arguments, **options)

        return run

    def cross_entropy(logits: Any, labels: Any, *_: Any, **options: Any) -> Any:
        """The loss, computed as on a card."""
        # Only the second of its two operations is computed in float32.
        logarithms = functional.log_softmax(logits, -1)
        kept_options = {key: value for key, value in options.items() if key in ("ignore_index", "reduction")}
        return in_float32(functional.nll_loss)(logarithms, labels, **kept_options)

    def dropout(tensor: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
        """Dropout that keeps a mask of one byte per number."""
        del inplace
        return torch.native_dropout(tensor, p, True)[0] if training and p else tensor

    functional.dropout, functional.cross_entropy = dropout, cross_entropy
    functional.layer_norm, functional.softmax = (in_float32(originals[name]) for name in ("layer_norm", "softmax"))
    torch.pow = in_float32(power)
    # `attention_by` asks about a card, and switches its autocast off.
    torch.is_autocast_enabled = lambda device="cpu": is_enabled("cpu" if device == "cuda" else device)
    record_activations.autocast = autocast
    try:
        yield
    finally:
        torch.is_autocast_enabled, record_activations.autocast, torch.pow = is_enabled, autocast_on_card, power
        for name, original in originals.items():
            setattr(functional, name, original)


def tracked_bytes(case: Case) -> dict[str, int]:
    """The bytes of a forward and a backward pass beside weights, buffers and inputs: after the former, and at most."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.distributed._tools.mem_tracker import MemTracker

    class Tracker(MemTracker):  # type: ignore[misc]
        """MemTracker without its hooks on gradients, which frozen weights do not take."""

        def _track_module_params_and_buffers(self, module: Any, install_grad_hooks: bool = True) -> Any:
            del install_grad_hooks
            return super()._track_module_params_and_buffers(module, install_grad_hooks=False)

    def bytes_now(kind: str) -> int:
        """The bytes of everything on the device: `current`, or `peak` for the most so far."""
        (of_device,) = tracker.get_tracker_snapshot(kind).values()
        return int(of_device["Total"])

    is_cast = case["dtype"] == "bf16"
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    with mode, attention_by(step_of(case).kernel), stub_contents(case), as_on_a_card(is_cast=is_cast):
        model = model_for(case, "cpu")
        inputs = inputs_of(case, "cpu")
        tracker = Tracker()
        tracker.track_external(model)
        with tracker:
            bytes_before = bytes_now("current")
            with autocast(is_on=is_cast):
                loss = model(**inputs).loss
            forward = bytes_now("current") - bytes_before
            loss.backward()
            return {"forward": forward, "peak": bytes_now("peak") - bytes_before}


BATCHES = ((1, 128), (8, 512), (16, 128), (16, 512))
"""The batches of the plan that are recorded here, as texts and tokens per text."""

DEPTHS = ("num_hidden_layers", "n_layers")
"""The keys of configs for the number of layers."""


def shallow_steps() -> Iterator[Case]:
    """Steps of the plan in models of two layers, half of which are frozen if some are."""
    for case in plan():
        if (case["texts"], case["tokens"]) in BATCHES and case["optimiser"] == "adamw":
            config = {key: 2 if key in DEPTHS else size for key, size in case["config"].items()}
            changes = [change.replace("frozen:6", "frozen:1") for change in case["changes"]]
            yield {**case, "config": config, "changes": changes}


def with_peak(case: Case) -> Case:
    """A case with its peak."""
    return {**case, **tracked_bytes(case)}


def with_peaks(cases: Iterator[Case]) -> Iterator[Case]:
    """Every case with its peak. Python's collector is off, for the reason that `record_activations` gives."""
    with multiprocessing.get_context("fork").Pool(initializer=gc.disable, maxtasksperchild=20) as pool:
        yield from pool.imap(with_peak, cases)


def main() -> None:
    """Run the plan and write the recording; fail if it differs from the one before."""
    import transformers

    transformers.PreTrainedModel.initialize_weights = lambda _: None
    packages = ("torch", "transformers", "peft")
    record(
        "recorded_peaks.json.gz", packages, with_peaks(shallow_steps()), "record_peaks.py", pairs=with_peaks(pairs())
    )


if __name__ == "__main__":
    main()
