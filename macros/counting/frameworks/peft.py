"""What PEFT calls the parameters of a model that it has put LoRA on.

Source: PEFT 0.21.2, `named_parameters()` of what `get_peft_model` returns.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..changes import COPY, LORA, Changes, Tensor, is_copied, module_of, tensors
from ..question import Question
from .names import transformers_name, transformers_shape

PREFIX = "base_model.model."
"""What stands before every name."""


def named(asked: Question, changes: Changes) -> Iterator[tuple[str, str, Tensor]]:
    """Every tensor of a model with LoRA: its name with `*` for every layer, its shape there in letters, and itself.

    Raises:
        CountingError: as for `tensors`.
    """
    found = tensors(asked, changes)
    adapted = {module_of(each.row) for each in found if each.block == LORA}
    for each in found:
        name = _name(each, transformers_name(each.row, asked.architecture, asked.chosen.name), adapted)
        yield PREFIX + name, each.shape if each.block == LORA else transformers_shape(each.row), each


def _name(tensor: Tensor, plain: str, adapted: set[str]) -> str:
    """The name of a tensor from that of its row in transformers."""
    module, _, leaf = plain.rpartition(".")
    if tensor.block == LORA:
        return f"{module}.{tensor.path.rpartition('/')[2]}.default.weight"
    if is_copied(tensor.row):  # the whole head is one module to PEFT
        head, _, rest = plain.partition(".")
        return f"{head}.{'modules_to_save.default' if tensor.block == COPY else 'original_module'}.{rest}"
    return f"{module}.base_layer.{leaf}" if module_of(tensor.row) in adapted else plain
