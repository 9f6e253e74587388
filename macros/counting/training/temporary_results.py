"""The memory that a step needs in addition to its activations: temporary results, which are soon freed.

At the end of the forward pass and at the beginning of the backward pass, all activations are in
memory. The end of the forward pass also has results of the last layer or the head that no backward
pass reads; the beginning of the backward pass has gradients of vectors. The rules below were read off
the steps that PyTorch's MemTracker records operation by operation. So were the coefficients in the
code, such as the 18 bytes for each feature of a token in mixed precision.

- In the backward pass of a layer, the gradients of its output and of the wide vectors of its feed-forward
  network are in memory at the same time as those of one matrix of that network and of the pooler's
  matrix. In full precision, a layer usually needs no more than this.
- In mixed precision, the end of a layer's forward pass needs more: its input, its output and
  everything in between are in memory in 16 and in 32 bits until the layer returns. With eager or math
  attention, the attention weights are in memory too, after dropout and in 32 bits.
- The backward pass of eager or math attention needs one further T × T table of attention weights per
  head, or two without dropout. By then, both matrices of the network, the output projection and the pooler
  have their gradients, and the wide vectors that the layer kept have been freed.
- A frozen dense layer keeps no input, so some of the wide vectors are temporary as well. If an encoder
  layer keeps nothing, the wide vectors before and after the activation function are both temporary.
- With checkpointing, all of this happens while the layer is recomputed, with the gradient of its output in memory.
- A head with logits for the whole vocabulary needs their gradient twice, in the precision of the weights.

Each rule bounds the memory at one moment, so the largest one bounds the whole step. The tests compare the peak
with MemTracker's, which is never larger, for BERT and its closest relatives; other architectures use BERT's rules.
"""

from __future__ import annotations

from ..polynomials import Polynomial, Term
from .forward import AUTOCAST, EAGER, MATH, SHORT_WEIGHTS, StepSettings
from .tensors import FULL, MASK, SHORT

Shapes = tuple[str, ...]
"""Symbolic shapes, each preceded by its bytes per number; their sum is a bound."""


def bounds_of_layers(
    settings: StepSettings,
    activation_function: str = "gelu",
    *,
    has_frozen_rows: bool = False,
    keeps_activations: bool = True,
) -> list[Polynomial]:
    """The upper bounds for the layers, in bytes; the largest one decides.

    Args:
        settings: how the step is run.
        activation_function: the activation function. `gelu_new` is computed in several operations, whose results
            all have the inner width F.
        has_frozen_rows: whether anything in the layers is frozen.
        keeps_activations: whether the layers keep any activations.
    """
    element_size = SHORT if settings.precision == SHORT_WEIGHTS else FULL
    uses_autocast = settings.precision == AUTOCAST
    has_tables = settings.kernel in (EAGER, MATH)
    inner_vectors = f"{SHORT if uses_autocast else element_size} B T F"
    # Recomputation adds, for example, the output of the layer and its gradient.
    recomputed_bytes = 2 if uses_autocast else 5 * element_size // 2
    recomputed_vectors: Shapes = (f"{recomputed_bytes} B T H",) if settings.checkpointing else ()
    mask_size = element_size if has_tables else MASK
    mask: Shapes = (f"{mask_size} B T T",) if settings.padded else ()
    weights_after_dropout: Shapes = (f"{FULL} A B T T",) if has_tables and uses_autocast else ()
    # Autocast computes the third power in 32 bits, so results of GELU's operations exist in both precisions.
    gelu_bytes = 2 * element_size if uses_autocast else element_size
    gelu_results: Shapes = (f"{gelu_bytes} B T F",) if activation_function == "gelu_new" else ()
    gradient_bytes = element_size + SHORT if uses_autocast else element_size
    gradients: Shapes = (f"{gradient_bytes} F H", f"{element_size} H H")
    bounds: list[Shapes] = [(inner_vectors, f"{element_size} B T H", *gelu_results, *gradients, *recomputed_vectors)]
    if uses_autocast:
        # With checkpointing, some tensors that a layer needs until it returns are counted among the recomputed ones.
        vectors_in_layer = "14 B T H" if settings.checkpointing else "18 B T H"
        bounds.append((vectors_in_layer, f"{element_size} H H", *weights_after_dropout, *gelu_results, *mask))
    outer_vectors = "18 B T H" if uses_autocast else f"{5 * element_size} B T H"
    if has_frozen_rows:
        bounds.append((inner_vectors, outer_vectors, *weights_after_dropout, *mask, *recomputed_vectors))
    if not keeps_activations:
        attention_tables: Shapes = (f"{2 * FULL + MASK} A B T T",) if has_tables else ()
        bounds.append((inner_vectors, inner_vectors, outer_vectors, *attention_tables, *mask))
    sums = [_sum(shapes) for shapes in bounds]
    if has_tables:
        table_count = 1 if settings.dropout else 2
        attention_weights = f"{table_count * element_size} A B T T"
        freed_count = 1 if has_frozen_rows else 2
        freed_vectors = Polynomial((Term(-freed_count * element_size, ("B", "T", "F")),))
        sums.append(
            Polynomial.total((_sum((attention_weights, *gradients, *gradients, *recomputed_vectors)), freed_vectors))
        )
    return sums


def bound_of_vocabulary(settings: StepSettings) -> Polynomial:
    """The bound for a head with logits for the whole vocabulary, in bytes."""
    element_size = SHORT if settings.precision == SHORT_WEIGHTS else FULL
    return _sum((f"{2 * element_size} B T V",))


def _sum(shapes: Shapes) -> Polynomial:
    """The total bytes of these shapes, as a symbolic formula."""
    return Polynomial.total(map(Polynomial.of_shape, shapes)).simplified()
