"""The answers of the command line about one model: the fields of the JSON, the tensors or operations, and the table.

There are three kinds of answers, about parameters, operations and training steps.
All of them name the model and the class, and have a `total` and rows with a `count`.
Answers about parameters and operations also have `blocks` that add up to the total.
`macros/rendering/files/schemas.py` describes the fields in the schema that the site
publishes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..changes.changed_model import ChangedModel
from ..frameworks.listing import ledger_rows
from ..memory import NUMBERS_PER_PARAMETER, bytes_of
from ..operations import OTHER_KINDS, OTHER_TOKENS, Operations
from ..polynomials import Polynomial
from ..question import Question
from .columns import lines_in_columns

if TYPE_CHECKING:
    from ..training import TrainingStep

TOTALS = {
    "total of the forward pass": "forward",
    "multiply-adds, half of this total": "multiply_adds",
    "backward pass": "backward",
    "training step": "step",
}
"""The totals of operations: the words for each, and the property of `Operations` that returns it.

The totals of training are left out if something is frozen, because the backward pass then has fewer products.
"""


@dataclass(frozen=True)
class ParameterAnswer:
    """The parameters of a model, with or without changes.

    Attributes:
        model: the model and its changes.
        notes: remarks to print with the number.
        rows_key: the key of the rows in the JSON, which names the things that are counted.
    """

    model: ChangedModel
    notes: tuple[str, ...] = ()

    rows_key: ClassVar = "parameters"

    @property
    def question(self) -> Question:
        """The question about the unchanged model."""
        return self.model.unchanged_question

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of the JSON before the rows."""
        model = self.model
        return {
            **_identifying_fields(self.question, self.notes, [str(change) for change in model.changes]),
            "total": model.number,
            "blocks": _block_records(model.blocks, model.sizes),
            **self.bytes,
            "trainable": model.trainable,
            "elements": model.elements,
            "buffers": model.buffers_bytes,
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of all tensors, in the form in which the site publishes them.

        Raises:
            BadConfig: the model has too many layers.
        """
        return self.model.ledger_rows() if self.model.changes else ledger_rows(self.question)

    @property
    def bytes(self) -> dict[str, int]:
        """The bytes of the weights in two data types, and of training with Adam; the keys are those of the JSON."""
        weights = self.model.bytes_of("float32")
        other_numbers = sum(NUMBERS_PER_PARAMETER.values()) - NUMBERS_PER_PARAMETER["weights"]
        return {
            "bytes": weights,
            "bytes_float16": self.model.bytes_of("float16"),
            "bytes_adam": weights + bytes_of(other_numbers * self.model.trainable, "float32"),
        }

    @property
    def summary(self) -> dict[str, int]:
        """The numbers in a table of several models, by the heading of the column."""
        model = self.model
        trainable = {"trained": model.trainable} if model.changes else {}
        return {"parameters": model.number, **trainable, "bytes in float32": self.bytes["bytes"]}

    @property
    def heading(self) -> list[str]:
        """The lines above the table: the model, the class and the sizes, and then each note."""
        sizes = self.model.sizes if self.model.changes else self.question.sizes
        return [f"{_title(self.question)}, {_sizes_text(sizes)}", *(f"note: {note}" for note in self.notes)]

    def table(self) -> list[str]:
        """The lines of the answer for readers. Without changes, the total comes last, where scripts look for it."""
        return [*self.heading, *(self._changed_table() if self.model.changes else self._plain_table())]

    def _plain_table(self) -> list[str]:
        """The bytes, the number of each part, and the total."""
        model = self.model
        float32, float16, adam = self.bytes.values()
        rows = [("part", "formula", "parameters"), *_block_rows(model.blocks, model.sizes)]
        return [
            f"bytes: {float32:,} in float32, {float16:,} in float16, {adam:,} while Adam trains it in float32",
            *lines_in_columns([*rows, ("total", "", f"{model.number:,}")]),
        ]

    def _changed_table(self) -> list[str]:
        """The effect of each change, the numbers after all of them, and the working of the trainable parameters."""
        model = self.model
        rows = [("plain", "", f"{self.question.number:,}")]
        rows += [(step.name, step.formula, f"{step.value:+,}".replace("-", "−")) for step in model.bridge]
        rows += [
            ("all", "", f"{model.number:,}"),
            ("trained", model.trainable_formula.formula(), f"{model.trainable:,}"),
            ("share", "", f"{model.share:.4%}"),
        ]
        kinds = ("float32", "float16", "float32, while Adam trains it")
        rows += [("bytes", kind, f"{size:,}") for kind, size in zip(kinds, self.bytes.values(), strict=True)]
        rows.append(("buffers", "bytes, not parameters", f"{model.buffers_bytes:,}"))
        if model.elements != model.number:
            rows.append(("elements", "", f"{model.elements:,}"))
        working = [f"  {line}" for line in model.sum_lines(only_trained=True)]
        return [*lines_in_columns(rows), "trained, worked out:", *working]


@dataclass(frozen=True)
class OperationAnswer:
    """The operations of a model on a batch of texts.

    Attributes:
        operations: the model and the batch.
        notes: remarks to print with the number.
        changes: the changes to the model.
        rows_key: the key of the rows in the JSON, which names the things that are counted.
    """

    operations: Operations
    notes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()

    rows_key: ClassVar = "operations"

    @property
    def question(self) -> Question:
        """The question about the model."""
        return self.operations.question

    @property
    def blocks(self) -> dict[str, Polynomial]:
        """The operations of the matrix products in the forward pass, by block."""
        return {block: self.operations.polynomial(block=block) for block in self.operations.blocks}

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of the JSON before the rows."""
        operations = self.operations
        return {
            **_identifying_fields(self.question, self.notes, self.changes),
            "tokens": operations.tokens,
            "batch": operations.batch,
            **({} if operations.global_tokens is None else {"global_tokens": operations.global_tokens}),
            "total": operations.forward,
            "blocks": _block_records(self.blocks, operations.sizes),
            "multiply_adds": operations.multiply_adds,
            **{name: getattr(operations, name) for name in self.totals.values() if name in ("backward", "step")},
        }

    @property
    def totals(self) -> dict[str, str]:
        """The part of `TOTALS` that is counted."""
        uncounted_totals = () if self.operations.is_trained else ("backward", "step")
        return {words: name for words, name in TOTALS.items() if name not in uncounted_totals}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every operation of the forward pass, including those that the total leaves out."""
        for operation in self.operations.items:
            polynomial = operation.polynomial()
            yield {
                "kind": operation.kind,
                "path": operation.path,
                "block": operation.block,
                "formula": polynomial.formula(),
                "count": polynomial.value(self.operations.sizes),
            }

    @property
    def summary(self) -> dict[str, int]:
        """The numbers in a table of several models, by the heading of the column."""
        step_field = {"training step": self.operations.step} if self.operations.is_trained else {}
        return {"operations, forward": self.operations.forward, **step_field}

    @property
    def heading(self) -> list[str]:
        """The lines above the table: the model, the class and what is counted, then the sizes, and then each note."""
        sizes = {letter: size for letter, size in self.operations.sizes.items() if letter != OTHER_TOKENS}
        unit = "matrix products, two operations per multiply-add"
        return [f"{_title(self.question)}, {unit}", _sizes_text(sizes), *(f"note: {note}" for note in self.notes)]

    def table(self) -> list[str]:
        """The lines of the answer for readers."""
        operations = self.operations
        sizes = self.operations.sizes
        uncounted_kinds = {f"not included: {kind}": operations.polynomial(kind) for kind in OTHER_KINDS}
        rows = [
            ("part", "formula", "operations"),
            *_block_rows(self.blocks, sizes),
            *((words, "", f"{getattr(operations, name):,}") for words, name in self.totals.items()),
            *_block_rows(uncounted_kinds, sizes),
        ]
        return [*self.heading, *lines_in_columns(rows)]


@dataclass(frozen=True)
class TrainingAnswer:
    """The memory of a training step.

    Attributes:
        step: the model with its changes, the batch, and how the step is run.
        gib: the memory of a GPU, in GiB, for which the largest batch is computed; 0 to compute none.
        notes: remarks to print with the number.
        rows_key: the key of the rows in the JSON, which names the things that are counted.
    """

    step: TrainingStep
    gib: float = 0
    notes: tuple[str, ...] = ()

    rows_key: ClassVar = "activations"

    @property
    def question(self) -> Question:
        """The question about the unchanged model."""
        return self.step.model.unchanged_question

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of the JSON before the rows."""
        step = self.step
        return {
            **_identifying_fields(self.question, self.notes, [str(change) for change in step.model.changes]),
            "total": step.peak_bytes,
            "training": {
                "texts": step.examples,
                "tokens": step.tokens,
                "dtype": step.dtype,
                "attention": step.kernel,
                "dropout": step.dropout,
                "padded": step.padded,
                "checkpointing": step.checkpointing,
                "optimiser": step.optimiser,
                "parts": [{"part": part.name, "bytes": part.bytes} for part in step.memory_parts],
                "bytes_per_text": step.example_bytes,
                **{key: examples for key, _, examples in self._largest_batches},
            },
        }

    @property
    def _largest_batches(self) -> list[tuple[str, str, int]]:
        """The largest batches with the default reserve and without any; empty if no GPU memory is given.

        Each consists of a key for JSON, words for a table, and a number of examples.
        """
        # Imported only when needed, because every other call would wait for it.
        from ..training import RESERVE, usable_memory

        if not self.gib:
            return []
        with_reserve = self.step.largest_batch(usable_memory(self.gib, RESERVE))
        without_reserve = self.step.largest_batch(usable_memory(self.gib, 0))
        return [
            ("largest_batch_with_reserve", f"{RESERVE}% in reserve", with_reserve),
            ("largest_batch", "no reserve", without_reserve),
        ]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every tensor that the forward pass keeps, with the bytes of all layers."""
        depth = self.step.sizes["L"]
        sizes = self.step.sizes
        for activation in self.step.activations:
            total = activation.total(depth)
            yield {
                "path": activation.path,
                "what": activation.contents,
                "formula": total.formula(),
                "count": total.value(sizes),
            }

    @property
    def summary(self) -> dict[str, int]:
        """The numbers in a table of several models, by the heading of the column."""
        largest_batches = {
            f"largest batch, {self.gib:g} GiB, {words}": examples for _, words, examples in self._largest_batches
        }
        return {"bytes": self.step.peak_bytes, "bytes per example": self.step.example_bytes, **largest_batches}

    @property
    def _texts_per_example(self) -> int:
        """The number of texts in each example: one, or more in multiple choice."""
        return self.step.sizes["B"] // self.step.examples

    @property
    def _example_noun(self) -> str:
        """The word for an example: "text", unless it has several."""
        return "text" if self._texts_per_example == 1 else "example"

    @property
    def heading(self) -> list[str]:
        """The lines above the table: the model, the class and the step, then the sizes, and then each note."""
        step = self.step
        batch = f"{step.examples} {self._example_noun}{'' if step.examples == 1 else 's'}"
        if self._texts_per_example > 1:
            batch = f"{batch} of {self._texts_per_example} texts"
        settings = [
            f"{batch} of {step.tokens} tokens",
            step.dtype,
            f"attention {step.kernel}",
            "padded texts" if step.padded else "texts of equal length",
            *([] if step.dropout else ["without dropout"]),
            *(["gradient checkpointing"] if step.checkpointing else []),
            step.optimiser,
        ]
        notes = [f"note: {note}" for note in self.notes]
        letters = {letter for term in step.activations_polynomial.terms for letter in term.letters}
        sizes = {key: size for key, size in step.sizes.items() if key in letters or key in step.model.sizes}
        return [f"{_title(self.question)}, bytes of a training step: {', '.join(settings)}", _sizes_text(sizes), *notes]

    def table(self) -> list[str]:
        """The lines of the answer for readers."""
        step = self.step
        rows = [("part", "bytes"), *((part.name, f"{part.bytes:,}") for part in step.memory_parts)]
        rows.append((f"one more {self._example_noun}", f"{step.example_bytes:,}"))
        for _, words, examples in self._largest_batches:
            rows.append((f"largest batch in {self.gib:g} GiB, {words}, in {self._example_noun}s", f"{examples:,}"))
        working = [*PEAK_REMARKS, "activations, as a formula:", f"  {step.activations_polynomial.formula()}"]
        return [*self.heading, *working, *lines_in_columns([*rows, ("at the peak", f"{step.peak_bytes:,}")])]


PEAK_REMARKS = (
    "in memory at the peak: weights, states, temporary results, and all activations or gradients, whichever are larger",
    "counted, not measured on a GPU, whose driver and kernels need memory of their own",
)
"""Remarks about what the last number of a training step includes and leaves out."""

Answer = ParameterAnswer | OperationAnswer | TrainingAnswer


def _identifying_fields(question: Question, notes: Sequence[str], changes: Sequence[str]) -> dict[str, Any]:
    """The fields that identify what is counted, with the notes if there are any."""
    note_field = {"note": "; ".join(notes)} if notes else {}
    return {
        "model": question.model.name,
        "model_class": question.resolved_class.name,
        **note_field,
        "changes": changes,
    }


def _block_records(blocks: Mapping[str, Polynomial], sizes: Mapping[str, int]) -> list[dict[str, Any]]:
    """The name, formula and count of each block, as objects for JSON."""
    return [
        {"block": block, "formula": polynomial.formula(), "count": polynomial.value(sizes)}
        for block, polynomial in blocks.items()
    ]


def _block_rows(blocks: Mapping[str, Polynomial], sizes: Mapping[str, int]) -> list[tuple[str, str, str]]:
    """The name, formula and count of each block, as rows of a table."""
    return [(record["block"], record["formula"], f"{record['count']:,}") for record in _block_records(blocks, sizes)]


def _title(question: Question) -> str:
    """The title of an answer: the names of the model and of the class."""
    return f"{question.model.name}: {question.resolved_class.name}"


def _sizes_text(sizes: Mapping[str, int]) -> str:
    """The sizes in the syntax of a command, for example `"H=768, L=12"`."""
    return ", ".join(f"{letter}={size}" for letter, size in sizes.items())
