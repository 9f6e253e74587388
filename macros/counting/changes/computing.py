"""Counts the operations of a changed model, if they follow from its rows.

Every vector that passes through a module is also multiplied by the matrices of its adapter;
in `data/changes.toml`, the key `product` marks the entries that add these matrices.
Copies are used in place of their originals, and freezing changes no operation of the
forward pass. Some methods also cost operations that do not follow from their rows: DoRA
multiplies matrices by one another, and prompts make texts longer. Such changes are
refused. The backward pass is only counted if all parameters are trained.

Source: PEFT 0.21.2, tuners/lora/layer.py and tuners/adalora/layer.py (`forward`); adapters
1.3, methods/modeling.py; `tests/oracles/record_changed.py` records what torch counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..architecture import lies_under
from ..errors import BadChange
from ..operations import BIAS, DENSE, Operation, Operations, vectors_of
from .changed_model import ChangedModel
from .methods import rules
from .rows import ADDED, COPIED, ChangedRow


def operations_of(
    model: ChangedModel, tokens: int, batch: int = 1, other_tokens: int = 0, global_tokens: int | None = None
) -> Operations:
    """The operations of a changed model on a batch of texts; arguments are as for `Operations`.

    Raises:
        BadChange: the operations of a change do not follow from its rows.

    >>> from macros.counting import Question, model_named
    >>> model = ChangedModel.build(Question(model_named("bert-base-uncased")), ["lora:8:query,value"])
    >>> operations_of(model, tokens=128).forward
    22423928832
    """
    for change in model.changes:
        if not change.method.has_countable_operations:
            raise BadChange(
                f"{change}: the operations of {change.method.title} are not counted; leave out --tokens or this change"
            )
    sizes = {letter: size for change in model.changes for letter, size in change.sizes.items()}
    return Operations(
        model.question,
        tokens,
        batch,
        other_tokens,
        global_tokens,
        additions=tuple(operation for row in model.rows for operation in _operations_of_row(model, row)),
        added_sizes=tuple((letter, size) for letter, size in sizes.items() if letter not in model.question.sizes),
        is_trained=model.trainable == model.number,
    )


def _operations_of_row(model: ChangedModel, row: ChangedRow) -> Iterator[Operation]:
    """The operations of an added row.

    Only matrices that multiply vectors, and biases, have operations. Rows of the unchanged model, copies of them, and
    rows in modules that never run have none here.

    Raises:
        BadChange: the row was added to an embedding table, or in some layers only.
    """
    entries = [entry for change in model.changes for entry in change.method.does if "name" in entry]
    adding_entry = next((entry for entry in entries if row.name.endswith(f".{entry['name']}")), None)
    if adding_entry is None or row.addition != ADDED or row.block == COPIED:
        return
    if adding_entry.get("tag") == "embedding-table":
        raise BadChange(
            "the operations of adapters on embeddings are not counted; adapt dense layers, or drop --tokens"
        )
    if row.layer is not None or row.split_layers:
        raise BadChange(
            "the operations of adapters in some layers only are not counted; name modules of all layers, or drop "
            "--tokens"
        )
    architecture = model.question.architecture
    if lies_under(row.path, (*architecture.idle_layers, *rules()["uncalled"])):
        return
    original = next(candidate for candidate in architecture.rows if candidate.path == row.path)
    module = row.path.rpartition("/")[0]
    layers = architecture.layers_of(original, per_pass=True)
    path = f"{module}/{adding_entry['name'].removesuffix('.weight')}"
    shapes = [f"{vectors_of(architecture, module)} {row.shape}"]
    if lies_under(module, architecture.shared_with_positions):
        # The table of relative positions passes through the same module.
        shapes.append(f"{architecture.relative_positions} {row.shape}")
    if adding_entry.get("product"):
        yield from (Operation(DENSE, path, row.block, shape, layers) for shape in shapes)
    elif row.name.endswith("bias"):
        yield Operation(BIAS, path, row.block, shapes[0], layers)
