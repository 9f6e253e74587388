"""The memory for temporary results of a step: tensors that are computed and soon freed, in addition to the activations.

At the end of the forward pass and at the beginning of the backward pass all activations are in
memory. So are results of the last layer or the head that no backward pass reads, or the gradients
of its vectors. Which of these are in memory at the same time, and when they take up the most, was
read off the steps that PyTorch's MemTracker records operation by operation. So were the
coefficients in the code, such as the 18 bytes for each feature of a token in mixed precision:

- In the backward pass of a layer, the gradient of the wide vectors of its feed-forward network
  is in memory with the gradients of a matrix of that network and of the pooler. In full
  precision, this is the most that a layer needs.
- In mixed precision, the end of a layer's forward pass needs more: its input, its output and
  everything in between are in memory in 16 and in 32 bits until the layer returns. With eager attention,
  so are the attention weights after dropout, in 32 bits.
- The backward pass of attention needs one more table of T × T shares for each head, or two more without
  dropout. By then, the wide vectors that the layer has kept are freed.
- A frozen dense layer keeps no input, so the wide vectors are temporary as well. If a layer keeps nothing,
  those before and after the activation function are.
- With checkpointing, all of this happens while the layer is recomputed, with the gradient of its output in memory.
- A head with logits for the whole vocabulary needs their gradient twice in 32 bits.

Each of these is an upper bound, and the largest one decides. The tests compare the peak with MemTracker's,
which is never larger, for BERT and its closest relatives; other architectures use BERT's rules.
"""

from __future__ import annotations

from ..polynomials import Polynomial, Term
from .forward import AUTOCAST, EAGER, MATH, SHORT_WEIGHTS, StepSettings
from .tensors import FULL, MASK, SHORT

Shapes = tuple[str, ...]
"""Symbolic shapes, each preceded by its bytes per number; their sum is a bound."""


def bounds_of_layers(
    settings: StepSettings, activation_function: str = "gelu", *, is_frozen: bool = False, keeps: bool = True
) -> list[Polynomial]:
    """The bounds for the layers; the largest one decides.

    Args:
        settings: how the step is run.
        activation_function: the activation function. `gelu_new` is computed in steps, whose gradients are wide as well.
        is_frozen: whether a dense layer is frozen.
        keeps: whether the layers keep anything.
    """
    width = SHORT if settings.precision == SHORT_WEIGHTS else FULL
    casts = settings.precision == AUTOCAST
    has_tables = settings.kernel in (EAGER, MATH)
    inner_vectors = f"{SHORT if casts else width} B T F"
    # The output of the layer, its gradient, and a result between them.
    recomputed_vectors: Shapes = (f"{2 if casts else 5 * width // 2} B T H",) if settings.checkpointing else ()
    mask: Shapes = (f"{width if has_tables else MASK} B T T",) if settings.padded else ()
    tables: Shapes = (f"{FULL} A B T T",) if has_tables and casts else ()
    # Autocast computes the third power in 32 bits, so that its steps are in both widths.
    in_steps: Shapes = (f"{2 * width if casts else width} B T F",) if activation_function == "gelu_new" else ()
    gradients: Shapes = (f"{width + SHORT if casts else width} F H", f"{width} H H")
    bounds: list[Shapes] = [(inner_vectors, f"{width} B T H", *in_steps, *gradients, *recomputed_vectors)]
    if casts:
        # With checkpointing, some tensors that a layer needs until it returns are counted among the recomputed ones.
        in_layer = "14 B T H" if settings.checkpointing else "18 B T H"
        bounds.append((in_layer, f"{width} H H", *tables, *in_steps, *mask))
    outer_vectors = "18 B T H" if casts else f"{5 * width} B T H"
    if is_frozen:
        bounds.append((inner_vectors, outer_vectors, *tables, *mask, *recomputed_vectors))
    if not keeps:
        scores: Shapes = (f"{2 * FULL + MASK} A B T T",) if has_tables else ()
        bounds.append((inner_vectors, inner_vectors, outer_vectors, *scores, *mask))
    sums = [_sum(shapes) for shapes in bounds]
    if has_tables:
        shares = f"{width if settings.dropout else 2 * width} A B T T"
        freed_vectors = Polynomial((Term(-width * (1 if is_frozen else 2), ("B", "T", "F")),))
        sums.append(Polynomial.total((_sum((shares, *gradients, *gradients, *recomputed_vectors)), freed_vectors)))
    return sums


def bound_of_vocabulary(settings: StepSettings) -> Polynomial:
    """The bound for a head with logits for the whole vocabulary."""
    return _sum((f"{2 * (SHORT if settings.precision == SHORT_WEIGHTS else FULL)} B T V",))


def _sum(shapes: Shapes) -> Polynomial:
    """The total bytes of these shapes, as a symbolic formula."""
    return Polynomial.total(map(Polynomial.of_shape, shapes)).simplified()
