"""The memory of a training step, counted without running it.

Activations are the tensors that the forward pass keeps for the backward pass. Which
tensors these are depends on the model, on what is trained, and on how the step is run.
The forward pass is therefore run on shapes: `forward.py` has one method for each
operation of PyTorch, and says what it keeps; `encoders.py` and `heads.py` write each
architecture as a sequence of such operations, and `programs.py` lists them;
`parameters.py` says what is trained; `step.py` adds weights, gradients and the
optimiser's states. The tests compare the result with what PyTorch keeps, storage by
storage.
"""

from .forward import KERNELS
from .step import (
    ATTENTIONS,
    DTYPES,
    MASK_STEP,
    MAX_EXCESS,
    RESERVE,
    ROUNDING,
    USUAL_WAY,
    TrainingStep,
    alignment,
    room_in,
    usual_step,
)
from .tensors import Activation

__all__ = [
    "ATTENTIONS",
    "DTYPES",
    "KERNELS",
    "MASK_STEP",
    "MAX_EXCESS",
    "RESERVE",
    "ROUNDING",
    "USUAL_WAY",
    "Activation",
    "TrainingStep",
    "alignment",
    "room_in",
    "usual_step",
]
