"""The command line: reads its options, and prints the answer as a table, JSON or CSV.

    python -m macros.counting CONFIG.json [--class BertForPreTraining] [--tokens 128 --batch 8] [--json]

Options that do not fit the model are refused before anything is printed, so a
script never reads half an answer. `process.py` ends the process.
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
from .errors import BadChoice, BadConfig, CountingError, UnknownModel, UnknownModelClass, label, quote, suggestion
from .frameworks.listing import ledger_rows
from .memory import TRAINING_COPIES, bytes_of
from .messages import message
from .models import Model, by_every_name, checked_size, odd_heads, published
from .names import advice_on
from .operations import OTHER_TOKENS, OTHERS, Operations
from .process import standard_output
from .question import Question

LONGEST_COMPLAINT = 90
"""The most characters of a message by argparse, which may repeat a very long argument."""

PRUNED_NOTE = "heads are taken out of the first layers here; the total is the same whichever layers lose them"
"""The note for a listing with pruned heads."""

TOTALS = {
    "total of the forward pass": "forward",
    "multiply-adds, half of it": "multiply_adds",
    "backward pass": "backward",
    "training step": "step",
}
"""The totals of operations: the words for each, and the property of `Operations` that returns it."""


class Parser(argparse.ArgumentParser):
    """A parser that raises errors instead of printing them, and whose help fails if it cannot be printed."""

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments.

        Raises:
            BadChoice: always. The message is that of argparse, without the usage.
        """
        raise BadChoice(f"{label(message, LONGEST_COMPLAINT)}; see --help")

    def print_help(self, file: Any = None) -> None:
        """Print the help to a file, or to standard output if no file is given.

        Raises:
            OSError: the help cannot be written.
        """
        print(self.format_help(), end="", file=file or standard_output())


def run(arguments: Sequence[str] | None, name: str) -> str:
    """Print the answer to the arguments on standard output.

    Args:
        arguments: the arguments; None stands for those of the process.
        name: the name of the program in its help.

    Returns:
        One line about what is wrong with the arguments, or an empty text.

    Raises:
        OSError: standard output cannot be written.
    """
    output = standard_output()
    if isinstance(output, io.TextIOWrapper):
        # A terminal may lack the ² of a formula, and the name of a file may contain bytes that are not text.
        output.reconfigure(errors="backslashreplace")
    try:
        options = _parser(name).parse_args(arguments)
        question = _question(options)
        note = _class_note(question, options)
        if operations := _operations(options, question):
            _print_operations(operations, options, note)
        else:
            _print_parameters(Changed.of(question, options.change or ()), options, note)
    except SystemExit:
        pass  # argparse exits after --help
    except CountingError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _parser(name: str) -> Parser:
    parser = Parser(
        prog=name,
        description="Count the parameters of a BERT or one of its relatives, tensor by tensor.",
        epilog=" ".join(
            f"Model classes of {architecture.name}: {', '.join(entry.name for entry in architecture.classes)}."
            for architecture in ARCHITECTURES.values()
        ),
        allow_abbrev=False,
    )
    parser.add_argument(
        "config",
        metavar="CONFIG.json",
        help="a config.json or bert_config.json, - for one from standard input, or the name of a published model, also "
        "as its id on the Hugging Face hub",
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
        "--tokens", metavar="T", help="count the operations on texts of T tokens, instead of the parameters"
    )
    parser.add_argument("--batch", metavar="B", help="with --tokens: texts per batch (default: 1)")
    parser.add_argument(
        "--change",
        action="append",
        metavar="CHANGE",
        help="a change of the model, such as lora:r=8:modules=query+value; several are applied in the order given. "
        "Changes: " + ", ".join(usage(method) for method in load_methods().values()),
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
    """The model of a config file, of standard input, or of a published name."""
    path = STANDARD_INPUT if name == "-" else name
    is_folder = os.path.isdir(path)
    # A folder with the name of a model, such as a clone, does not hide the model. A missing file that ends in .json is
    # reported as a file rather than as an unknown model.
    if not is_folder and (os.path.exists(path) or path.endswith(".json") or path == STANDARD_INPUT):
        return read_config(path)
    model = published(name)
    if model:
        return model
    if is_folder:
        raise BadConfig(f"{label(name)}: it is a folder; give the config.json in it")
    raise UnknownModel(f"no file and no published model {quote(name)}; {advice_on(name, by_every_name())}")


def _question(options: Any) -> Question:
    """The question that the options ask.

    The class on the command line takes precedence over the one in the file. A published model is counted as the bare
    model, and so is a file that names no class, or one that is not counted here.
    """
    name = options.model_class
    if name is not None and name not in ARCHITECTURE_OF_CLASS:
        raise UnknownModelClass(f"no model class {quote(name)}; {suggestion(name, ARCHITECTURE_OF_CLASS)}")
    model = _model(options.config)
    class_of_file = model.named_class if model.named_class in model.architecture.class_by_name else ""
    model_class = class_of(model.architecture, name or class_of_file)
    if options.no_pooler and model_class.pooler == NEVER:
        raise BadChoice(
            f"{model_class.name} has no pooler in transformers; drop --no-pooler, or give the bare model as --class"
        )
    if options.labels is not None:
        model = _with_labels(model, model_class.name, options.labels)
    choices = Choices(pooler=False if options.no_pooler else None, tied=False if options.untied else None)
    question = Question(model, model_class.name, choices=choices)
    question.number  # noqa: B018  refuses what does not fit before anything is printed
    return question


def _with_labels(model: Model, model_class: str, text: str) -> Model:
    """The model with the number of labels that `--labels` gives."""
    architecture = model.architecture
    classes = architecture.classes_with("C")
    if model_class not in classes:
        raise BadChoice(f"--labels has no effect in {model_class}; it has one in {', '.join(classes)}")
    labels = next(symbol for symbol in architecture.symbols if symbol.letter == "C")
    return model._replace(sizes={**model.sizes, "C": checked_size("--labels", labels, _number("--labels", text))})


def _number(option: str, text: str) -> Any:
    """The value of an option as a number, or the text itself if it is not a number or has twenty digits or more."""
    if len(text) > 1 and text.startswith("0"):
        # Some programs read such a number as octal, and others as decimal.
        raise BadChoice(f"{option} is {quote(text)}; write the number without zeros before it")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else text


def _operations(options: Any, question: Question) -> Operations | None:
    """The operations that the options ask for, or None without `--tokens`."""
    if options.tokens is None:
        if options.batch is not None:
            raise BadChoice("--batch has no effect without --tokens; give the length of the texts too")
        return None
    if options.change:
        raise BadChoice("--change has no effect with --tokens; drop one of them")
    texts = {"--tokens": options.tokens, "--batch": "1" if options.batch is None else options.batch}
    numbers = [_number(option, text) for option, text in texts.items()]
    for option, number in zip(texts, numbers, strict=True):
        if isinstance(number, str):
            raise BadChoice(f"{option} is {quote(number)}; write a whole number")
    operations = Operations(question, *numbers)
    operations.sizes  # noqa: B018  refuses what does not fit before anything is printed
    return operations


def _class_note(question: Question, options: Any) -> str:
    """A note about the class that the file names; empty if `--class` decides, or if the file names the bare model."""
    model, architecture = question.model, question.architecture
    bare = architecture.classes[0].name
    if not model.named_class or options.model_class is not None or model.named_class == bare:
        return ""
    if model.named_class in architecture.class_by_name:
        return f"{model.name} names {model.named_class} under architectures; --class {bare} counts the bare model"
    return (
        f"{model.name} names {quote(model.named_class)} under architectures, which is none of the classes of "
        f"{architecture.name} that are counted here; this is {bare}, and --class counts another"
    )


def _heads_note(question: Question) -> str:
    """A note that transformers refuses the model; empty if the heads divide the hidden size."""
    odd = odd_heads(question.architecture, question.sizes)
    return odd and message("refused-heads", odd=odd)


def _bytes(changed: Changed) -> dict[str, int]:
    """The bytes of the weights in two data types, and of training with Adam; the keys are those of the JSON output."""
    weights = changed.bytes_of("float32")
    other_copies = sum(TRAINING_COPIES.values()) - TRAINING_COPIES["weights"]
    return {
        "bytes": weights,
        "bytes_float16": changed.bytes_of("float16"),
        "bytes_adam": weights + bytes_of(other_copies * changed.trainable, "float32"),
    }


def _print_parameters(changed: Changed, options: Any, note: str) -> None:
    """Print the parameters of a model, with or without changes: part by part, or as JSON or CSV tensor by tensor."""
    question = changed.plain
    notes = [note, "" if changed.changes else _heads_note(question)]
    if not options.json and not options.csv:
        _print_head(changed.sizes if changed.changes else question.sizes, question, notes)
        if changed.changes:
            _print_changed(changed)
        else:
            _print_parts(changed)
        return
    if "h" in changed.sizes:
        notes.append(PRUNED_NOTE)
    rows = changed.ledger_rows() if changed.changes else ledger_rows(question)
    if options.csv:
        _print_csv(rows, note)
        return
    head: dict[str, Any] = {
        "model": question.model.name,
        "model_class": question.resolved_class.name,
        "total": changed.number,
    }
    head |= _bytes(changed)
    if changed.changes:
        head["changes"] = [str(change) for change in changed.changes]
        head |= {"trainable": changed.trainable, "elements": changed.elements, "buffers": changed.buffers_bytes}
    _print_json(head, notes, "parameters", rows)


def _print_head(sizes: Mapping[str, int], question: Question, notes: Sequence[str]) -> None:
    """Print the model, the class and the sizes on one line, and each note on a line of its own."""
    text = ", ".join(f"{letter}={size}" for letter, size in sizes.items())
    print(f"{question.model.name}: {question.resolved_class.name}, {text}")
    for note in filter(None, notes):
        print(f"note: {note}")


def _print_parts(changed: Changed) -> None:
    """Print each part of an unchanged model. The total comes last, where scripts look for it."""
    question = changed.plain
    present = {row.block for row in question.rows}
    rows = [("part", "formula", "parameters")]
    for block in (block for block in question.architecture.blocks if block in present):
        letters = question.at(tag=block).polynomial
        rows.append((block, letters.formula(), f"{letters.value(question.sizes):,}"))
    rows.append(("total", "", f"{question.number:,}"))
    float32, float16, adam = _bytes(changed).values()
    print(f"bytes: {float32:,} in float32, {float16:,} in float16, {adam:,} while Adam trains it in float32")
    _print_columns(rows)


def _print_changed(changed: Changed) -> None:
    """Print what each change adds, the total after all changes, and the trainable parameters with their working."""
    rows = [("plain", "", f"{changed.plain.number:,}")]
    rows += [(step.name, step.formula, f"{step.value:+,}".replace("-", "−")) for step in changed.bridge]
    rows += [
        ("all", "", f"{changed.number:,}"),
        ("trained", changed.trainable_formula.formula(), f"{changed.trainable:,}"),
    ]
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


def _print_operations(operations: Operations, options: Any, note: str) -> None:
    """Print the operations of a model on a batch: part by part, or one by one as JSON or CSV."""
    question, sizes = operations.question, operations.sizes
    records = [
        {"kind": item.kind, "path": item.path, "block": item.block, "operations": item.polynomial().value(sizes)}
        for item in operations.items
    ]
    totals = {name: getattr(operations, name) for name in ("multiply_adds", "forward", "backward", "step")}
    if options.csv:
        _print_csv(records, note)
        return
    if options.json:
        head = {"model": question.model.name, "model_class": question.resolved_class.name}
        batch = {"tokens": operations.tokens, "batch": operations.batch}
        _print_json({**head, **batch, **totals}, [note], "operations", records)
        return
    rows = [("part", "formula", "operations")]
    blocks = {block: operations.polynomial(block=block) for block in operations.blocks}
    rows += [(block, letters.formula(), f"{letters.value(sizes):,}") for block, letters in blocks.items()]
    rows += [(words, "", f"{totals[name]:,}") for words, name in TOTALS.items()]
    kinds = {kind: operations.polynomial(kind) for kind in OTHERS}
    rows += [
        (f"not included: {kind}", letters.formula(), f"{letters.value(sizes):,}") for kind, letters in kinds.items()
    ]
    print(f"{question.model.name}: {question.resolved_class.name}, matrix products, two operations per multiply-add")
    print(", ".join(f"{letter}={size}" for letter, size in sizes.items() if letter != OTHER_TOKENS))
    if note:
        print(f"note: {note}")
    _print_columns(rows)


def _print_columns(rows: Sequence[tuple[str, str, str]]) -> None:
    """Print rows in three columns, each as wide as its longest text; numbers are aligned to the right."""
    part_width, formula_width, number_width = (max(len(row[column]) for row in rows) for column in range(3))
    for part, formula, number in rows:
        print(f"{part:<{part_width}}  {formula:<{formula_width}}  {number:>{number_width}}")


def _print_json(head: dict[str, Any], notes: Sequence[str], kind: str, rows: Iterable[dict[str, Any]]) -> None:
    """Print a JSON object that conforms to the published schema `ledger`; `kind` is the key of its rows."""
    if note := "; ".join(filter(None, notes)):
        head["note"] = note
    # The rows are printed one by one, so that a deep model needs no more memory than a shallow one.
    print(json.dumps(head)[:-1] + f', "{kind}": [')
    separator = ""
    for row in rows:
        print(separator + json.dumps(row), end="")
        separator = ",\n"
    print("\n]}")


def _print_csv(rows: Iterable[dict[str, Any]], note: str) -> None:
    """Print rows as CSV, as the site publishes them. A note goes to standard error, because CSV has no place for it."""
    if note and sys.stderr is not None:
        print(f"note: {note}", file=sys.stderr)
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(sys.stdout, row, lineterminator="\n")
            writer.writeheader()
        writer.writerow({key: "x".join(map(str, value)) if key == "shape" else value for key, value in row.items()})
