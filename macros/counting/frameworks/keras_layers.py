"""The summaries of keras-bert and bert4keras: their layers in order, each with the rows of BERT that are its weights.

Rule 1: an entry has the name, type, output shape and inputs of a layer, and the
rows of BERT that are its weights. Its number of parameters follows from those
rows, so a summary adds up to the total of the rows that it names.
Rule 2: `*` in a name is a placeholder for the number of an encoder layer, and an
entry with such a name is repeated in every encoder layer. `@before` in an input
means the output of the previous encoder layer or, in the first, of the embeddings.
Rule 3: a dropout layer with rate zero is not built; a layer that would read its
output reads its input instead.

Sources: keras-bert 0.89.0, keras_bert/bert.py; bert4keras 0.11.5,
bert4keras/models.py; tests/oracles runs both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ..architecture import DEFAULT_CHOICES, LAYER, lies_under
from ..architectures.bert import BERT
from ..errors import BadChoice, quote
from ..models import Model
from ..polynomials import Polynomial
from .listing import checked_layer_count

PRETRAINING = "BertForPreTraining"
"""The class with all the rows that entries name."""


class SummaryEntry(NamedTuple):
    """One row of a summary, or one per encoder layer.

    Attributes:
        name: its name as `model.summary()` prints it, with `*` for the number
            of the layer.
        kind: the type that the summary prints in brackets.
        output: the symbolic shapes of its outputs, in which N is the sequence
            length. The batch is added to each shape that does not start with
            `=`.
        inputs: the layers whose outputs it reads; `[node][tensor]` is only
            given if it is not `[0][0]`.
        weights: path prefixes of the rows that are its weights.
    """

    name: str
    kind: str
    output: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()

    @property
    def is_per_layer(self) -> bool:
        """Whether every encoder layer has such a row."""
        return "*" in self.name


class SummaryRow(NamedTuple):
    """One row of a summary as printed.

    Attributes:
        layer: the number of its encoder layer in the library; None outside the encoder.
        name, kind, output: its first columns as printed.
        parameters: the number of its parameters.
        inputs: its last column as printed.
        weights: the paths of the tensors that are its weights. In these, layers are numbered from 0.
    """

    layer: int | None
    name: str
    kind: str
    output: str
    parameters: int
    inputs: tuple[str, ...]
    weights: tuple[str, ...]


LIST_TYPES = ("InputLayer", "TokenEmbedding")
"""The types whose output Keras prints as a list, in square brackets."""

ATTENTION_WEIGHTS = (f"{LAYER}/attention/self", f"{LAYER}/attention/output/dense")
FEED_FORWARD_WEIGHTS = (f"{LAYER}/intermediate", f"{LAYER}/output/dense")
"""The path prefixes of the rows that are the weights of each of these blocks."""


def _layer_entries(prefix: str, input_count: int) -> tuple[SummaryEntry, ...]:
    """The eight rows of an encoder layer. Apart from a prefix, their names are the same in both libraries.

    Args:
        prefix: the start of the names.
        input_count: the number of times that attention lists its input, which is
            three if query, key and value are listed separately.
    """
    attention, feed_forward = f"{prefix}-*-MultiHeadSelfAttention", f"{prefix}-*-FeedForward"
    attention_norm, feed_forward_norm = f"{LAYER}/attention/output/LayerNorm", f"{LAYER}/output/LayerNorm"
    return (
        SummaryEntry(attention, "MultiHeadAttention", ("N H",), ("@before",) * input_count, ATTENTION_WEIGHTS),
        SummaryEntry(f"{attention}-Dropout", "Dropout", ("N H",), (attention,)),
        SummaryEntry(f"{attention}-Add", "Add", ("N H",), ("@before", f"{attention}-Dropout")),
        SummaryEntry(f"{attention}-Norm", "LayerNormalization", ("N H",), (f"{attention}-Add",), (attention_norm,)),
        SummaryEntry(feed_forward, "FeedForward", ("N H",), (f"{attention}-Norm",), FEED_FORWARD_WEIGHTS),
        SummaryEntry(f"{feed_forward}-Dropout", "Dropout", ("N H",), (feed_forward,)),
        SummaryEntry(f"{feed_forward}-Add", "Add", ("N H",), (f"{attention}-Norm", f"{feed_forward}-Dropout")),
        SummaryEntry(
            f"{feed_forward}-Norm", "LayerNormalization", ("N H",), (f"{feed_forward}-Add",), (feed_forward_norm,)
        ),
    )


_INPUTS = (
    SummaryEntry("Input-Token", "InputLayer", ("N",)),
    SummaryEntry("Input-Segment", "InputLayer", ("N",)),
)

# Both libraries add segments and positions to the token embedding in the same way.
_SEGMENTS_AND_POSITIONS = (
    SummaryEntry(
        "Embedding-Segment", "Embedding", ("N H",), ("Input-Segment",), ("bert/embeddings/token_type_embeddings",)
    ),
    SummaryEntry("Embedding-Token-Segment", "Add", ("N H",), ("Embedding-Token", "Embedding-Segment")),
    SummaryEntry(
        "Embedding-Position",
        "PositionEmbedding",
        ("N H",),
        ("Embedding-Token-Segment",),
        ("bert/embeddings/position_embeddings",),
    ),
)

KERAS_BERT = (
    *_INPUTS,
    SummaryEntry(
        "Embedding-Token", "TokenEmbedding", ("N H", "=V H"), ("Input-Token",), ("bert/embeddings/word_embeddings",)
    ),
    *_SEGMENTS_AND_POSITIONS,
    SummaryEntry("Embedding-Dropout", "Dropout", ("N H",), ("Embedding-Position",)),
    SummaryEntry(
        "Embedding-Norm", "LayerNormalization", ("N H",), ("Embedding-Dropout",), ("bert/embeddings/LayerNorm",)
    ),
    *_layer_entries("Encoder", 1),
    SummaryEntry("MLM-Dense", "Dense", ("N H",), ("@before",), ("cls/predictions/transform/dense",)),
    SummaryEntry("MLM-Norm", "LayerNormalization", ("N H",), ("MLM-Dense",), ("cls/predictions/transform/LayerNorm",)),
    SummaryEntry("Extract", "Extract", ("H",), ("@before",)),
    SummaryEntry(
        "MLM-Sim",
        "EmbeddingSimilarity",
        ("N V",),
        ("MLM-Norm", "Embedding-Token[0][1]"),
        ("cls/predictions/output_bias",),
    ),
    SummaryEntry("Input-Masked", "InputLayer", ("N",)),
    SummaryEntry("NSP-Dense", "Dense", ("H",), ("Extract",), ("bert/pooler",)),
    SummaryEntry("MLM", "Masked", ("N V",), ("MLM-Sim", "Input-Masked")),
    SummaryEntry("NSP", "Dense", ("2",), ("NSP-Dense",), ("cls/seq_relationship",)),
)
"""`keras_bert.get_model(...)` with the pre-training heads, in the order of `model.summary()`."""

BERT4KERAS = (
    *_INPUTS,
    SummaryEntry("Embedding-Token", "Embedding", ("N H",), ("Input-Token",), ("bert/embeddings/word_embeddings",)),
    *_SEGMENTS_AND_POSITIONS,
    SummaryEntry(
        "Embedding-Norm", "LayerNormalization", ("N H",), ("Embedding-Position",), ("bert/embeddings/LayerNorm",)
    ),
    SummaryEntry("Embedding-Dropout", "Dropout", ("N H",), ("Embedding-Norm",)),
    *_layer_entries("Transformer", 3),
)
"""`bert4keras.models.build_transformer_model(...)` without options: no pooler, no heads."""


def keras_bert(
    model: Model, sequence_length: int | None, *, has_dropout: bool = True, has_heads: bool = True
) -> list[SummaryRow]:
    """The rows of keras-bert's summary, in which encoder layers are numbered from 1.

    Args:
        model: a tied BERT without cross-attention. keras-bert always builds two segments.
        sequence_length: `seq_len`, or None if it is left open. It occurs in shapes, but does not affect any count.
        has_dropout: whether the dropout rate is above zero.
        has_heads: whether the pre-training heads are built, and the pooler with them.

    Raises:
        BadChoice: the model is untied or has cross-attention, which keras-bert does not build.
        BadConfig: the model has too many layers to list.
    """
    last_in_encoder = max(index for index, entry in enumerate(KERAS_BERT) if entry.is_per_layer)
    entries = KERAS_BERT if has_heads else KERAS_BERT[: last_in_encoder + 1]
    return _summary(entries, model, str(sequence_length), first_number=1, has_dropout=has_dropout)


def bert4keras(model: Model, *, has_dropout: bool = True) -> list[SummaryRow]:
    """The rows of bert4keras's summary without pooler and heads, in which encoder layers are numbered from 0.

    Arguments and errors are as for `keras_bert`. The sequence length is left open.
    """
    return _summary(BERT4KERAS, model, "None", first_number=0, has_dropout=has_dropout)


def _summary(
    entries: tuple[SummaryEntry, ...], model: Model, sequence_length: str, first_number: int, has_dropout: bool
) -> list[SummaryRow]:
    """The rows of a summary.

    Args:
        entries: the entries that are built.
        model: the model whose sizes are used.
        sequence_length: the text for the sequence length in shapes.
        first_number: the number of the first encoder layer in the library.
        has_dropout: whether the dropout rate is above zero.

    Raises:
        BadChoice, BadConfig: as for `keras_bert`.
    """
    choices = model.choices.with_defaults(DEFAULT_CHOICES)
    if not choices.tied or choices.cross_attention:
        raise BadChoice(
            f"{model.name}: tied is {quote(choices.tied)} and cross_attention {quote(choices.cross_attention)}; "
            "the Keras libraries build only a tied encoder without cross-attention"
        )
    sizes = {**{letter: str(size) for letter, size in model.sizes.items()}, "N": sequence_length}
    # Rule 3: the input of each dropout layer that is not built, by the name of that layer.
    inputs_of_dropout = {
        entry.name: entry.inputs[0] for entry in entries if entry.kind == "Dropout" and not has_dropout
    }
    encoder_entries = [entry for entry in entries if entry.is_per_layer]
    entries_before = entries[: entries.index(encoder_entries[0])]
    previous_name = [entry.name for entry in entries_before if entry.name not in inputs_of_dropout][-1]
    layer_numbers = range(first_number, first_number + checked_layer_count(model))
    rows = []
    for layer, entry in _numbered_entries(entries, encoder_entries, layer_numbers):
        if entry.name in inputs_of_dropout:
            continue
        paths, size = _paths_and_size(entry)
        row = SummaryRow(
            layer,
            name=entry.name.replace("*", str(layer)),
            kind=entry.kind,
            output=_output(entry, sizes),
            parameters=size.value(model.sizes),
            inputs=tuple(_input(inputs_of_dropout.get(name, name), layer, previous_name) for name in entry.inputs),
            # Our paths number layers from 0, even if the library starts from 1.
            weights=tuple(path.replace("*", str((layer or 0) - first_number)) for path in paths),
        )
        rows.append(row)
        if entry is encoder_entries[-1]:
            previous_name = row.name
    return rows


def _numbered_entries(
    entries: tuple[SummaryEntry, ...], encoder_entries: list[SummaryEntry], layers: range
) -> Iterator[tuple[int | None, SummaryEntry]]:
    """The entry of each row in a summary, paired with the number of its encoder layer, or None outside the encoder."""
    start = entries.index(encoder_entries[0])
    yield from ((None, entry) for entry in entries[:start])
    yield from ((layer, entry) for layer in layers for entry in encoder_entries)
    yield from ((None, entry) for entry in entries[start + len(encoder_entries) :])


def _output(entry: SummaryEntry, sizes: dict[str, str]) -> str:
    """The output shapes of a layer as the summary prints them."""
    shapes = ", ".join(_shape(shape, sizes) for shape in entry.output)
    return f"[{shapes}]" if entry.kind in LIST_TYPES else shapes


def _input(name: str, layer: int | None, previous_name: str) -> str:
    """An input as the summary prints it, with the numbers of its node and its tensor."""
    full_name = name.replace("@before", previous_name).replace("*", str(layer))
    return full_name if full_name.endswith("]") else f"{full_name}[0][0]"


def _shape(shape: str, sizes: dict[str, str]) -> str:
    """A symbolic shape as Keras prints it, with None for the batch unless it starts with `=`."""
    dimensions = [sizes.get(dimension, dimension) for dimension in shape.removeprefix("=").split()]
    if not shape.startswith("="):
        dimensions.insert(0, "None")
    return f"({', '.join(dimensions)})"


@cache
def _paths_and_size(entry: SummaryEntry) -> tuple[tuple[str, ...], Polynomial]:
    """The paths and the size of an entry's weights; if every encoder layer has them, the size in one layer."""
    rows = [row for row in BERT.rows_of(PRETRAINING) if lies_under(row.path, entry.weights)]
    size = Polynomial.total(Polynomial.of_shape(row.shape) for row in rows)
    return tuple(row.path for row in rows), size
