"""The memory of a training step, counted without running it.

Activations are the tensors that the forward pass keeps for the backward pass. They
depend on the model, on which of its parameters are trained, and on how the step is run.
The forward pass is therefore run on shapes. `forward.py` has methods for operations of
PyTorch, which record the tensors that these operations keep. `encoders.py`,
`heads.py` and the modules of single architectures are sequences of such operations, and
`programs.py` lists them. `parameters.py` describes the parameters that are trained, and
`step.py` adds weights, gradients and the optimiser's states. The tests compare the
result with what PyTorch keeps, storage by storage.
"""

from .forward import KERNELS
from .step import (
    ATTENTIONS,
    DTYPES,
    FINE_TUNING,
    MASK_STEP,
    MAX_EXCESS,
    RESERVE,
    ROUNDING,
    TrainingStep,
    alignment,
    fine_tuning_step,
    usable_memory,
)
from .tensors import Activation

__all__ = [
    "ATTENTIONS",
    "DTYPES",
    "FINE_TUNING",
    "KERNELS",
    "MASK_STEP",
    "MAX_EXCESS",
    "RESERVE",
    "ROUNDING",
    "Activation",
    "TrainingStep",
    "alignment",
    "fine_tuning_step",
    "usable_memory",
]
