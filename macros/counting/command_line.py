"""What the command line asks and prints: its options, and the answer as table, JSON or CSV.

python -m macros.counting CONFIG.json [--class BertForPreTraining] [--tokens 128 --batch 8] [--json]
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from .architecture import NEVER, Choices
from .architectures import ARCHITECTURE_OF_CLASS, ARCHITECTURES, class_of
from .changes.changed import Changed
from .changes.methods import load_methods, usage
from .config import STANDARD_INPUT, read_config
from .errors import BadChoice, BadConfig, CountingError, UnknownModel, UnknownModelClass, label, shown, suggestion
from .frameworks.listing import ledger_rows
from .memory import TRAINING_COPIES, bytes_of
from .messages import message
from .models import Model, by_every_name, checked_size, odd_heads
from .operations import LOOKED_AT, OTHERS, Operations
from .process import standard_output
from .question import Question

LONGEST_COMPLAINT = 90
"""Characters of argparse's own message, which repeats whatever was typed."""

PRUNED = "heads are taken out of the first layers here; the total is the same whichever layers lose them"
"""The note of a list in which heads are pruned."""

TOTALS = {
    "total of the forward pass": "forward",
    "multiply-adds, half of it": "multiply_adds",
    "backward pass": "backward",
    "training step": "step",
}
"""What the totals of operations are called."""


class Parser(argparse.ArgumentParser):
    """argparse, but an error is one line and nothing else, and help that cannot be printed is an error."""

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments.

        Raises:
            BadChoice: whenever it is called.
        """
        raise BadChoice(f"{label(message, LONGEST_COMPLAINT)}; see --help")

    def print_help(self, file: Any = None) -> None:
        """Print the help, on standard output unless told otherwise.

        Raises:
            OSError: it cannot be written.
        """
        print(self.format_help(), end="", file=file or standard_output())


def run(arguments: Sequence[str] | None = None) -> str:
    """Print what the arguments ask for on standard output; what is wrong with them in one line, or nothing.

    Raises:
        OSError: standard output cannot be written.
    """
    output = standard_output()
    if isinstance(output, io.TextIOWrapper):
        # A terminal may lack the ² of a formula, and a file name need not be text.
        output.reconfigure(errors="backslashreplace")
    try:
        chosen = _parser().parse_args(arguments)
        asked = _question(chosen)
        note = _class_note(asked, chosen)
        if operations := _operations(chosen, asked):
            _print_operations(operations, chosen, note)
        else:
            _print_parameters(Changed.of(asked, chosen.change or ()), chosen, note)
    except SystemExit:
        pass  # How argparse ends after --help.
    except CountingError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _parser() -> Parser:
    parser = Parser(
        prog="python -m macros.counting",
        description="Count the parameters of a BERT or one of its relatives, tensor by tensor.",
        epilog=" ".join(
            f"Model classes of {each.name}: {', '.join(one.name for one in each.classes)}."
            for each in ARCHITECTURES.values()
        ),
        allow_abbrev=False,
    )
    parser.add_argument(
        "config",
        metavar="CONFIG.json",
        help="a config.json or bert_config.json, - for one from standard input, or the name of a published model",
    )
    parser.add_argument(
        "--class",
        dest="model_class",
        metavar="CLASS",
        help="model class (default: the one that the file names under architectures, or else the bare model, "
        "such as BertModel)",
    )
    parser.add_argument("--no-pooler", action="store_true", help="leave out the pooler of the bare model")
    parser.add_argument(
        "--labels", metavar="N", help="labels of a classification head, instead of num_labels in the file"
    )
    parser.add_argument("--untied", action="store_true", help="count the decoder as well as the word embeddings")
    parser.add_argument(
        "--tokens", metavar="T", help="count the operations on texts of so many tokens, instead of the parameters"
    )
    parser.add_argument("--batch", metavar="B", help="with --tokens: texts at once, instead of one")
    parser.add_argument(
        "--change",
        action="append",
        metavar="CHANGE",
        help="what is done to the model, such as lora:8:query,value; repeat it for several, made one after the other: "
        + ", ".join(usage(each) for each in load_methods().values()),
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object with every tensor or operation, as the site's ledger.schema.json describes it",
    )
    form.add_argument("--csv", action="store_true", help="print every tensor or operation with its number as CSV")
    return parser


def _model(name: str) -> Model:
    path = STANDARD_INPUT if name == "-" else name
    is_folder = os.path.isdir(path)
    if not is_folder and (os.path.exists(path) or path.endswith(".json") or path == STANDARD_INPUT):
        return read_config(path)
    published = by_every_name()
    if name in published:
        return published[name]
    if is_folder:
        raise BadConfig(f"{label(name)}: is a folder; give the config.json in it")
    raise UnknownModel(f"no file and no published model {shown(name)}; {suggestion(name, published)}")


def _question(chosen: Any) -> Question:
    """What is asked: the file's model in a class, with the options of the command line put over the file's.

    The class of the command line wins over the one that the file names; a file that names none that is counted, and a
    published model, are counted as the bare model.
    """
    name = chosen.model_class
    if name is not None and name not in ARCHITECTURE_OF_CLASS:
        raise UnknownModelClass(f"no model class {shown(name)}; {suggestion(name, ARCHITECTURE_OF_CLASS)}")
    model = _model(chosen.config)
    named = model.named_class if model.named_class in model.architecture.named else ""
    model_class = class_of(model.architecture, name or named)
    if chosen.no_pooler and model_class.pooler == NEVER:
        raise BadChoice(
            f"{model_class.name} has no pooler in transformers; drop --no-pooler, or give the bare model as --class"
        )
    if chosen.labels is not None:
        model = _labelled(model, model_class.name, chosen.labels)
    choices = Choices(pooler=False if chosen.no_pooler else None, tied=False if chosen.untied else None)
    asked = Question(model, model_class.name, choices=choices)
    asked.number  # noqa: B018  whatever does not fit is refused before anything is printed
    return asked


def _labelled(model: Model, model_class: str, text: str) -> Model:
    """The model with so many labels."""
    architecture = model.architecture
    having = architecture.classes_with("C")
    if model_class not in having:
        raise BadChoice(f"--labels has no effect in {model_class}; it has in {', '.join(having)}")
    labels = next(symbol for symbol in architecture.symbols if symbol.letter == "C")
    return model._replace(sizes={**model.sizes, "C": checked_size("--labels", labels, _typed("--labels", text))})


def _typed(option: str, text: str) -> Any:
    """The number that was typed, or the text where it is none."""
    if len(text) > 1 and text.startswith("0"):
        # Programs disagree about what such a number is.
        raise BadChoice(f"{option} is {shown(text)}; write the number without zeros before it")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else text


def _operations(chosen: Any, asked: Question) -> Operations | None:
    """What is operations for a batch, or None where no length is given."""
    if chosen.tokens is None:
        if chosen.batch is not None:
            raise BadChoice("--batch has no effect without --tokens; give the length of the texts too")
        return None
    if chosen.change:
        raise BadChoice("--change has no effect with --tokens; drop one of them")
    typed = {"--tokens": chosen.tokens, "--batch": "1" if chosen.batch is None else chosen.batch}
    numbers = [_typed(option, text) for option, text in typed.items()]
    for option, number in zip(typed, numbers, strict=True):
        if isinstance(number, str):
            raise BadChoice(f"{option} is {shown(number)}; write a whole number")
    operations = Operations(asked, *numbers)
    operations.sizes  # noqa: B018  whatever does not fit is refused before anything is printed
    return operations


def _class_note(asked: Question, chosen: Any) -> str:
    """What the file says about the class, where the command line does not name one; nothing if that is the bare one."""
    named, architecture, name = asked.model.named_class, asked.architecture, asked.model.name
    bare = architecture.classes[0].name
    if not named or chosen.model_class is not None or named == bare:
        return ""
    if named in architecture.named:
        return f"{name} names {named} under architectures; --class {bare} counts the bare model"
    return (
        f"{name} names {shown(named)} under architectures, which is none of the classes of {architecture.name} that "
        f"are counted here; this is {bare}, and --class counts another"
    )


def _heads_note(asked: Question) -> str:
    """What transformers makes of the model, where it builds none."""
    odd = odd_heads(asked.architecture, asked.sizes)
    return odd and message("refused-heads", odd=odd)


def _bytes(changed: Changed) -> dict[str, int]:
    """The bytes of a model: its weights in two data types, and what training with Adam keeps in float32."""
    weights = changed.bytes_of("float32")
    beside = sum(TRAINING_COPIES.values()) - TRAINING_COPIES["weights"]
    return {
        "bytes": weights,
        "bytes_float16": changed.bytes_of("float16"),
        "bytes_adam": weights + bytes_of(beside * changed.trainable, "float32"),
    }


def _print_parameters(changed: Changed, chosen: Any, note: str) -> None:
    """Print the parameters of a model, changed or not: in numbers, or tensor by tensor."""
    asked = changed.asked
    notes = [note, "" if changed.changes else _heads_note(asked)]
    if not chosen.json and not chosen.csv:
        _print_head(changed.sizes if changed.changes else asked.sizes, asked, notes)
        if changed.changes:
            _print_changed(changed)
        else:
            _print_parts(changed)
        return
    if "h" in changed.sizes:
        notes.append(PRUNED)
    rows = changed.ledger_rows() if changed.changes else ledger_rows(asked)
    if chosen.csv:
        _print_csv(rows, note)
        return
    head: dict[str, Any] = {"model": asked.model.name, "model_class": asked.chosen.name, "total": changed.number}
    head |= _bytes(changed)
    if changed.changes:
        head["changes"] = [str(each) for each in changed.changes]
        head |= {"trainable": changed.trainable, "elements": changed.elements, "buffers": changed.buffers_bytes}
    _print_json(head, notes, "parameters", rows)


def _print_head(sizes: Mapping[str, int], asked: Question, notes: Sequence[str]) -> None:
    written = ", ".join(f"{letter}={size}" for letter, size in sizes.items())
    print(f"{asked.model.name}: {asked.chosen.name}, {written}")
    for note in filter(None, notes):
        print(f"note: {note}")


def _print_parts(changed: Changed) -> None:
    """Print each part of a model that is not changed; the total comes last, where scripts look for it."""
    asked = changed.asked
    present = {row.block for row in asked.rows}
    rows = [("part", "formula", "parameters")]
    for block in (block for block in asked.architecture.blocks if block in present):
        letters = asked.at(tag=block).polynomial
        rows.append((block, letters.formula(), f"{letters.value(asked.sizes):,}"))
    rows.append(("total", "", f"{asked.number:,}"))
    float32, float16, adam = _bytes(changed).values()
    print(f"bytes: {float32:,} in float32, {float16:,} in float16, {adam:,} while Adam trains it in float32")
    _print_columns(rows)


def _print_changed(changed: Changed) -> None:
    """Print what each change adds, what there is then and what is trained of it, with the sum of that."""
    rows = [("plain", "", f"{changed.asked.number:,}")]
    rows += [(step.name, step.formula, f"{step.value:+,}".replace("-", "−")) for step in changed.bridge]
    rows += [("all", "", f"{changed.number:,}"), ("trained", changed.trained.formula(), f"{changed.trainable:,}")]
    rows.append(("share", "", f"{changed.share:.4%}"))
    kinds = ("float32", "float16", "float32, while Adam trains it")
    rows += [("bytes", kind, f"{size:,}") for kind, size in zip(kinds, _bytes(changed).values(), strict=True)]
    rows.append(("buffers", "bytes, not parameters", f"{changed.buffers_bytes:,}"))
    if changed.elements != changed.number:
        rows.append(("elements", "", f"{changed.elements:,}"))
    _print_columns(rows)
    print("trained, worked out:")
    for line in changed.sum_lines(trained=True):
        print(f"  {line}")


def _print_operations(operations: Operations, chosen: Any, note: str) -> None:
    """Print what a model computes for a batch: by part, or operation by operation."""
    asked, sizes = operations.asked, operations.sizes
    records = [
        {"kind": each.kind, "path": each.path, "block": each.block, "operations": each.polynomial().value(sizes)}
        for each in operations.items
    ]
    totals = {name: getattr(operations, name) for name in ("multiply_adds", "forward", "backward", "step")}
    if chosen.csv:
        _print_csv(records, note)
        return
    if chosen.json:
        head = {"model": asked.model.name, "model_class": asked.chosen.name}
        batch = {"tokens": operations.tokens, "batch": operations.batch}
        _print_json({**head, **batch, **totals}, [note], "operations", records)
        return
    rows = [("part", "formula", "operations")]
    blocks = {block: operations.polynomial(block=block) for block in operations.blocks}
    rows += [(block, each.formula(), f"{each.value(sizes):,}") for block, each in blocks.items()]
    rows += [(words, "", f"{totals[name]:,}") for words, name in TOTALS.items()]
    kinds = {kind: operations.polynomial(kind) for kind in OTHERS}
    rows += [(f"not included: {kind}", each.formula(), f"{each.value(sizes):,}") for kind, each in kinds.items()]
    print(f"{asked.model.name}: {asked.chosen.name}, matrix products, two operations per multiply-add")
    print(", ".join(f"{letter}={size}" for letter, size in sizes.items() if letter != LOOKED_AT))
    if note:
        print(f"note: {note}")
    _print_columns(rows)


def _print_columns(rows: Sequence[tuple[str, str, str]]) -> None:
    first, second, third = (max(len(row[column]) for row in rows) for column in range(3))
    for part, formula, number in rows:
        print(f"{part:<{first}}  {formula:<{second}}  {number:>{third}}")


def _print_json(head: dict[str, Any], notes: Sequence[str], kind: str, rows: Iterable[dict[str, Any]]) -> None:
    """Print an object of the published schema of ledgers, whose last field holds rows of a kind."""
    if note := "; ".join(filter(None, notes)):
        head["note"] = note
    # Written line by line, so that a deep model needs no more memory than a shallow one.
    print(json.dumps(head)[:-1] + f', "{kind}": [')
    separator = ""
    for row in rows:
        print(separator + json.dumps(row), end="")
        separator = ",\n"
    print("\n]}")


def _print_csv(rows: Iterable[dict[str, Any]], note: str) -> None:
    """Print rows as the site publishes them; a note about the class, which has no place among them, comes beside."""
    if note and sys.stderr is not None:
        print(f"note: {note}", file=sys.stderr)
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(sys.stdout, row, lineterminator="\n")
            writer.writeheader()
        writer.writerow({key: "x".join(map(str, each)) if key == "shape" else each for key, each in row.items()})
