"""What keras-bert and bert4keras print: layers in order, each with the rows of the table that it holds.

Rule 1: an entry says name, type, output shape, inputs and which rows of
BERT its weights are. What it counts follows from those rows, so a
summary can only add up to what the table says.
Rule 2: `*` in a name is the number of the encoder layer, and entries with it
stand once for every layer. `@before` in an input is the output of the layer
before: the embeddings' for the first.
Rule 3: a dropout of rate zero is not built, and what read from it reads from
its input.

Sources: keras-bert 0.89.0, keras_bert/bert.py; bert4keras 0.11.5,
bert4keras/models.py; both run, see tests/oracles.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ..architecture import LAYER, USUAL, lies_under
from ..architectures.bert import BERT
from ..errors import BadChoice, shown
from ..models import Model
from ..polynomials import Polynomial
from .listing import listed_layers

PRETRAINING = "BertForPreTraining"
"""The class whose rows the entries name; a summary takes those it has."""


class Entry(NamedTuple):
    """One row of a summary, or one for every encoder layer.

    Attributes:
        name: as `model.summary()` prints it, `*` for the layer's number.
        kind: the type in brackets.
        output: symbolic shapes without the batch, N for the sequence length.
        inputs: names of the layers it reads from, with node and tensor.
        holds: path prefixes of the rows whose weights it has.
    """

    name: str
    kind: str
    output: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()

    @property
    def repeated(self) -> bool:
        """Whether it stands once in every layer."""
        return "*" in self.name


class SummaryRow(NamedTuple):
    """One row of a summary as printed, with the layer it belongs to (None outside the layers).

    `holds` has the path of each tensor whose weights it has, its layer numbered from 0 as in the table.
    """

    layer: int | None
    name: str
    kind: str
    output: str
    parameters: int
    inputs: tuple[str, ...]
    holds: tuple[str, ...]


LISTED = ("InputLayer", "TokenEmbedding")
"""Layers whose output is a list of tensors, which Keras prints in brackets."""

ATTENTION = (f"{LAYER}/attention/self", f"{LAYER}/attention/output/dense")
FEED_FORWARD = (f"{LAYER}/intermediate", f"{LAYER}/output/dense")


def _block(prefix: str, reads: int) -> tuple[Entry, ...]:
    """The eight rows of an encoder layer, which the two libraries name alike.

    `reads` is how often attention names what it reads: once, or for each of
    query, key and value.
    """
    a, f = f"{prefix}-*-MultiHeadSelfAttention", f"{prefix}-*-FeedForward"
    return (
        Entry(a, "MultiHeadAttention", ("N H",), ("@before",) * reads, ATTENTION),
        Entry(f"{a}-Dropout", "Dropout", ("N H",), (a,)),
        Entry(f"{a}-Add", "Add", ("N H",), ("@before", f"{a}-Dropout")),
        Entry(f"{a}-Norm", "LayerNormalization", ("N H",), (f"{a}-Add",), (f"{LAYER}/attention/output/LayerNorm",)),
        Entry(f, "FeedForward", ("N H",), (f"{a}-Norm",), FEED_FORWARD),
        Entry(f"{f}-Dropout", "Dropout", ("N H",), (f,)),
        Entry(f"{f}-Add", "Add", ("N H",), (f"{a}-Norm", f"{f}-Dropout")),
        Entry(f"{f}-Norm", "LayerNormalization", ("N H",), (f"{f}-Add",), (f"{LAYER}/output/LayerNorm",)),
    )


_INPUTS = (
    Entry("Input-Token", "InputLayer", ("N",)),
    Entry("Input-Segment", "InputLayer", ("N",)),
)

# What both libraries do after they have looked the tokens up.
_SUMMED = (
    Entry("Embedding-Segment", "Embedding", ("N H",), ("Input-Segment",), ("bert/embeddings/token_type_embeddings",)),
    Entry("Embedding-Token-Segment", "Add", ("N H",), ("Embedding-Token", "Embedding-Segment")),
    Entry(
        "Embedding-Position",
        "PositionEmbedding",
        ("N H",),
        ("Embedding-Token-Segment",),
        ("bert/embeddings/position_embeddings",),
    ),
)

KERAS_BERT = (
    *_INPUTS,
    Entry("Embedding-Token", "TokenEmbedding", ("N H", "=V H"), ("Input-Token",), ("bert/embeddings/word_embeddings",)),
    *_SUMMED,
    Entry("Embedding-Dropout", "Dropout", ("N H",), ("Embedding-Position",)),
    Entry("Embedding-Norm", "LayerNormalization", ("N H",), ("Embedding-Dropout",), ("bert/embeddings/LayerNorm",)),
    *_block("Encoder", 1),
    Entry("MLM-Dense", "Dense", ("N H",), ("@before",), ("cls/predictions/transform/dense",)),
    Entry("MLM-Norm", "LayerNormalization", ("N H",), ("MLM-Dense",), ("cls/predictions/transform/LayerNorm",)),
    Entry("Extract", "Extract", ("H",), ("@before",)),
    Entry(
        "MLM-Sim",
        "EmbeddingSimilarity",
        ("N V",),
        ("MLM-Norm", "Embedding-Token[0][1]"),
        ("cls/predictions/output_bias",),
    ),
    Entry("Input-Masked", "InputLayer", ("N",)),
    Entry("NSP-Dense", "Dense", ("H",), ("Extract",), ("bert/pooler",)),
    Entry("MLM", "Masked", ("N V",), ("MLM-Sim", "Input-Masked")),
    Entry("NSP", "Dense", ("2",), ("NSP-Dense",), ("cls/seq_relationship",)),
)
"""`keras_bert.get_model(...)` with both heads, in the order of `model.summary()`."""

BERT4KERAS = (
    *_INPUTS,
    Entry("Embedding-Token", "Embedding", ("N H",), ("Input-Token",), ("bert/embeddings/word_embeddings",)),
    *_SUMMED,
    Entry("Embedding-Norm", "LayerNormalization", ("N H",), ("Embedding-Position",), ("bert/embeddings/LayerNorm",)),
    Entry("Embedding-Dropout", "Dropout", ("N H",), ("Embedding-Norm",)),
    *_block("Transformer", 3),
)
"""`bert4keras.models.build_transformer_model(...)` as it is by default: no pooler, no heads."""


def keras_bert(model: Model, sequence: int | None, *, dropout: bool = True, training: bool = True) -> list[SummaryRow]:
    """The rows of keras-bert's summary for a model with both heads; layers are numbered from 1.

    Args:
        model: tied, without cross-attention, and of two segments, as keras-bert builds it.
        sequence: the length of the input, `seq_len`, or None for any; it is in shapes and in no count.
        dropout: whether the rate is above zero.
        training: whether heads are built; without them there is no pooler either.

    Raises:
        BadChoice: keras-bert builds no such model.
    """
    last = max(index for index, each in enumerate(KERAS_BERT) if each.repeated)
    entries = KERAS_BERT if training else KERAS_BERT[: last + 1]
    return _summary(entries, model, str(sequence), first=1, dropout=dropout)


def bert4keras(model: Model, *, dropout: bool = True) -> list[SummaryRow]:
    """The rows of bert4keras's summary without pooler and heads; layers are numbered from 0.

    Arguments and errors as for `keras_bert`; the length of the input is left open.
    """
    return _summary(BERT4KERAS, model, "None", first=0, dropout=dropout)


def _summary(entries: tuple[Entry, ...], model: Model, sequence: str, first: int, dropout: bool) -> list[SummaryRow]:
    choices = model.choices.over(USUAL)
    if not choices.tied or choices.cross_attention:
        raise BadChoice(
            f"{model.name}: tied is {shown(choices.tied)} and cross_attention {shown(choices.cross_attention)}; "
            "the Keras libraries build a tied encoder without cross-attention only"
        )
    shapes = {**{letter: str(size) for letter, size in model.sizes.items()}, "N": sequence}
    # A layer left out hands on what it would have read.
    dropped = {each.name: read for each in entries if each.kind == "Dropout" and not dropout for read in each.inputs}
    inside = [each for each in entries if each.repeated]
    before = [each.name for each in entries[: entries.index(inside[0])] if each.name not in dropped][-1]
    printed = []
    for layer, entry in _in_order(entries, inside, range(first, first + listed_layers(model))):
        if entry.name in dropped:
            continue
        inputs = tuple(_input(dropped.get(each, each), layer, before) for each in entry.inputs)
        output = ", ".join(_shape(each, shapes) for each in entry.output)
        text = f"[{output}]" if entry.kind in LISTED else output
        name = entry.name.replace("*", str(layer))
        paths, size = _held(entry)
        holds = tuple(path.replace("*", str((layer or 0) - first)) for path in paths)
        printed.append(SummaryRow(layer, name, entry.kind, text, size.value(model.sizes), inputs, holds))
        if entry is inside[-1]:
            before = name
    return printed


def _in_order(entries: tuple[Entry, ...], inside: list[Entry], layers: range) -> Iterator[tuple[int | None, Entry]]:
    start = entries.index(inside[0])
    yield from ((None, each) for each in entries[:start])
    yield from ((layer, each) for layer in layers for each in inside)
    yield from ((None, each) for each in entries[start + len(inside) :])


def _input(name: str, layer: int | None, before: str) -> str:
    full = name.replace("@before", before).replace("*", str(layer))
    return full if full.endswith("]") else f"{full}[0][0]"


def _shape(symbolic: str, shapes: dict[str, str]) -> str:
    """A shape as Keras prints it; one that starts with `=` has no batch."""
    dimensions = [shapes.get(each, each) for each in symbolic.removeprefix("=").split()]
    if not symbolic.startswith("="):
        dimensions.insert(0, "None")
    return f"({', '.join(dimensions)})"


@cache
def _held(entry: Entry) -> tuple[tuple[str, ...], Polynomial]:
    """Paths and size of the rows that an entry holds: of one layer, where it stands in every layer."""
    rows = [row for row in BERT.rows_of(PRETRAINING) if lies_under(row.path, entry.holds)]
    size = Polynomial.total(Polynomial.of_shape(row.shape) for row in rows)
    return tuple(row.path for row in rows), size
