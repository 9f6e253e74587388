"""What fine-tuning changes: biases left out, weights frozen, adapters of low rank (LoRA) added.

Each is a change of a question's tensors, or of which of them are trained:

>>> from .models import model_named
>>> base = Question(model_named("bert-base-uncased"))
>>> adapted = Changes(lora=Lora(8, ("query", "value")))
>>> trainable(base, adapted), total(base, adapted)
(294912, 109777152)

Unit: elements. Shapes are in google-research/bert's order, (in, out), but for
those of adapters, which are PEFT's.

Sources: PEFT 0.21.2, tuners/lora/layer.py (`lora_A` is a dense layer from the
inputs to the rank, `lora_B` one from there to the outputs, both without bias),
utils/other.py (`ModulesToSaveWrapper` trains a copy of the head and keeps the
head) and peft_model.py (which heads); transformers 5.23, `requires_grad_`. Recorded by
`tests/oracles/record_peft.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import NamedTuple

from .architecture import BIASES, MATRICES, Row, lies_under
from .errors import BadChoice, shown, suggestion
from .question import Question

ADAPTED = {
    "query": "attention/self/query",
    "key": "attention/self/key",
    "value": "attention/self/value",
    "attention-output": "attention/output/dense",
    "intermediate": "layer_*/intermediate/dense",
    "output": "layer_*/output/dense",
}
"""The modules that LoRA may be put on, by how their paths end; cross-attention has the same as self-attention."""

ALL_LINEAR = "all-linear"
"""Every dense layer, the pooler and heads among them, but for a head that is copied and for the decoder.

PEFT takes the name for the classes of which it knows the head; for others its
users name the layers.
"""

COPIED = ("sequence_classifier", "token_classifier", "cls/squad")
"""The heads that PEFT copies and trains beside the adapters, as they belong to one of its tasks."""

EMBEDDINGS, BODY, DECODER = "bert/embeddings", "bert", "cls/predictions/decoder"
"""What is frozen as the embeddings; as all but the head; and what PEFT never adapts."""

HEAD_BIAS = "cls/predictions/output_bias"
"""The bias of a head that some classes have under two names; untied it is two."""

REBOUND = ("BertForPreTraining", "BertForMaskedLM", "BertLMHeadModel", "AlbertForMaskedLM")
"""The classes in which `resize_token_embeddings` makes both one; in others it leaves the first as long as it was."""

LORA, COPY = "lora", "copied-head"
"""The blocks of what PEFT adds."""


class Frozen(NamedTuple):
    """What is not trained: the embeddings, the first so many layers that have weights of their own, all but the head.

    What is tied to something frozen is frozen with it.
    """

    embeddings: bool = False
    layers: int = 0
    all_but_head: bool = False


class Lora(NamedTuple):
    """Adapters of a rank on some modules, each of `ADAPTED`, or `ALL_LINEAR` alone; all else but a head is frozen."""

    rank: int
    modules: tuple[str, ...]


class Changes(NamedTuple):
    """What differs from the model as it is: without `biases` no dense layer has one."""

    biases: bool = True
    frozen: Frozen = Frozen()
    lora: Lora | None = None


class Tensor(NamedTuple):
    """A tensor, or one in every layer, as it stands after the changes.

    Attributes:
        row: the row that it is, or that it is an adapter or a copy of.
        path: the row's, or with another ending that of an adapter or a copy.
        shape: letters and numbers; `r` is the rank.
        block: the row's, or `LORA` or `COPY`.
        one: the elements of one.
        layers: how often it stands in the model.
        trained: how many of those are trained.
        counted: whether it counts; while tied it does not.
    """

    row: Row
    path: str
    shape: str
    block: str
    one: int
    layers: int
    trained: int
    counted: bool

    @property
    def number(self) -> int:
        """What it adds to the total."""
        return self.one * self.layers if self.counted else 0

    @property
    def trainable(self) -> int:
        """What it adds to what is trained."""
        return self.one * self.trained if self.counted else 0


def tensors(asked: Question, changes: Changes) -> tuple[Tensor, ...]:
    """Every tensor of a whole model after some changes: those that it has, and then what PEFT adds.

    Raises:
        BadChoice: the question has a part or deviations; more layers are
            frozen than there are, or fewer than none; the rank is no positive
            integer; or a module is not known, or not in the class.
        CountingError: as for the question.
    """
    if asked.part or asked.tag or asked.deviations:
        raise BadChoice("only a whole model that is counted rightly can be changed; leave out part and deviations")
    rows = [row for row in asked.rows if changes.biases or leaf_of(row) not in BIASES]
    if changes.lora is None:
        _check_frozen(asked, changes.frozen)
        return tuple(_tensor(asked, row, _trained(asked, row, changes.frozen)) for row in rows)
    adapted = _adapted(rows, changes.lora)
    copied = [row for row in rows if is_copied(row)]
    return (
        *(_tensor(asked, row, 0) for row in rows),
        *(each for row in adapted for each in _adapters(asked, row, changes.lora.rank)),
        *(_copy(asked, row) for row in copied),
    )


def total(asked: Question, changes: Changes) -> int:
    """All parameters after some changes; with LoRA what PEFT prints as "all params".

    Raises:
        CountingError: as for `tensors`.
    """
    return sum(each.number for each in tensors(asked, changes))


def trainable(asked: Question, changes: Changes) -> int:
    """The parameters that are trained; with LoRA what PEFT prints as "trainable params".

    Raises:
        CountingError: as for `tensors`.
    """
    return sum(each.trainable for each in tensors(asked, changes))


def leaf_of(row: Row) -> str:
    """The last component of a row's path."""
    return row.path.rpartition("/")[2]


def module_of(row: Row) -> str:
    """The path of the module whose parameter a row is."""
    return row.path.rpartition("/")[0]


def is_copied(row: Row) -> bool:
    """Whether PEFT trains a copy of the row."""
    return lies_under(row.path, COPIED)


def _tensor(asked: Question, row: Row, trained: int) -> Tensor:
    """A row as it is."""
    counted = not (asked.settled.tied and row.tied_to)
    one, layers = prod(_sized(asked, row.shape)), _layers(asked, row)
    return Tensor(row, row.path, row.shape, row.block, one, layers, trained, counted)


def _sized(asked: Question, shape: str) -> Iterator[int]:
    return (int(each) if each.isdigit() else asked.model.sizes[each] for each in shape.split())


def _layers(asked: Question, row: Row) -> int:
    return asked.architecture.depth(asked.model.sizes) if row.repeated else 1


# --- Freezing -----------------------------------------------------------------


def _trained(asked: Question, row: Row, frozen: Frozen) -> int:
    """In how many layers a row is trained, or whether it is; what is tied counts, and is frozen, at its owner."""
    prefixes = [EMBEDDINGS] * frozen.embeddings + [BODY] * frozen.all_but_head
    if lies_under(row.path, tuple(prefixes)):
        return 0
    return _layers(asked, row) - frozen.layers * row.repeated


def _check_frozen(asked: Question, frozen: Frozen) -> None:
    layers = asked.architecture.depth(asked.model.sizes)
    if not 0 <= frozen.layers <= layers:
        raise BadChoice(f"{shown(frozen.layers)} layers cannot be frozen; choose from 0 to the {layers} that there are")


# --- LoRA ---------------------------------------------------------------------


def _adapted(rows: Iterable[Row], lora: Lora) -> list[Row]:
    """The matrices that get adapters."""
    if isinstance(lora.rank, bool) or not isinstance(lora.rank, int) or lora.rank < 1:
        raise BadChoice(f"the rank of LoRA is {shown(lora.rank)}; it must be an integer from 1")
    matrices = [row for row in rows if leaf_of(row) in MATRICES and not lies_under(row.path, (DECODER, *COPIED))]
    if lora.modules == (ALL_LINEAR,):
        return matrices
    for each in lora.modules:
        if each not in ADAPTED:
            raise BadChoice(f"no module {shown(each)} for LoRA; {suggestion(each, [*ADAPTED, ALL_LINEAR])}")
    if not lora.modules:
        raise BadChoice(f"LoRA needs a module; choose from {', '.join(ADAPTED)}, or {ALL_LINEAR} alone")
    endings = tuple(ADAPTED[each] for each in lora.modules)
    return [row for row in matrices if row.repeated and module_of(row).endswith(endings)]


def _adapters(asked: Question, row: Row, rank: int) -> Iterator[Tensor]:
    """The two narrow matrices beside one, from its inputs to the rank and from there to its outputs."""
    # The kernels of google-research/bert are (in, out), the weights of heads (out, in).
    into, out = row.shape.split() if leaf_of(row) == "kernel" else row.shape.split()[::-1]
    layers = _layers(asked, row)
    for ending, shape, wide in (("lora_A", f"r {into}", into), ("lora_B", f"{out} r", out)):
        path = f"{module_of(row)}/{ending}"
        yield Tensor(row, path, shape, LORA, rank * prod(_sized(asked, wide)), layers, layers, True)


def _copy(asked: Question, row: Row) -> Tensor:
    return _tensor(asked, row, 1)._replace(path=f"{row.path}/copy", block=COPY)
