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
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from .architecture import NEVER, Choices
from .architectures import ARCHITECTURE_OF_CLASS, ARCHITECTURES, class_of
from .changes.changed import Changed
from .changes.methods import load_methods, usage
from .config import STANDARD_INPUT, read_config
from .errors import BadChoice, BadConfig, CountingError, UnknownModel, UnknownModelClass, shown, suggestion
from .frameworks.listing import Tensor, tensors
from .models import Model, by_every_name, checked_size, odd_heads
from .operations import LOOKED_AT, OTHERS, Operations
from .process import standard_output
from .question import Question

LONGEST_MESSAGE = 200
"""Characters of argparse's own message, which repeats whatever was typed."""

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
        short = message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}..."
        raise BadChoice(f"{short}; see --help")

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
        if operations := _operations(chosen, asked):
            _print_operations(operations, chosen)
        elif chosen.change:
            _print_changed(Changed.of(asked, chosen.change), chosen)
        elif chosen.json:
            _print_json(asked)
        elif chosen.csv:
            _print_csv(asked)
        else:
            _print_table(asked)
    except SystemExit:
        pass  # How argparse ends after --help.
    except CountingError as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
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
        "--class", dest="model_class", metavar="CLASS", help="model class (default: the bare model, such as BertModel)"
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
    form.add_argument("--json", action="store_true", help="print one JSON object with every tensor or operation")
    form.add_argument("--csv", action="store_true", help="print every tensor or operation as CSV")
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
        raise BadConfig(f"{name}: is a folder; give the config.json in it")
    raise UnknownModel(f"no file and no published model {shown(name)}; {suggestion(name, published)}")


def _question(chosen: Any) -> Question:
    """What is asked: the file's model in a class, with the options of the command line put over the file's."""
    name = chosen.model_class
    if name is not None and name not in ARCHITECTURE_OF_CLASS:
        raise UnknownModelClass(f"no model class {shown(name)}; {suggestion(name, ARCHITECTURE_OF_CLASS)}")
    model = _model(chosen.config)
    model_class = class_of(model.architecture, name or "")
    if chosen.no_pooler and model_class.pooler == NEVER:
        raise BadChoice(f"{model_class.name} has no pooler in transformers; drop --no-pooler")
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
    numbers = [_typed(option, getattr(chosen, option[2:]) or "1") for option in ("--tokens", "--batch")]
    for option, number in zip(("--tokens", "--batch"), numbers, strict=True):
        if isinstance(number, str):
            raise BadChoice(f"{option} is {shown(number)}; write a whole number")
    operations = Operations(asked, *numbers)
    operations.sizes  # noqa: B018  whatever does not fit is refused before anything is printed
    return operations


def _note(asked: Question) -> str:
    """What transformers makes of the model, where it builds none."""
    odd = odd_heads(asked.architecture, asked.sizes)
    return odd and f"{odd}, so transformers refuses this model; the number stands, since no matrix depends on the heads"


def _print_table(asked: Question) -> None:
    present = {row.block for row in asked.rows}
    rows = [("part", "formula", "parameters")]
    for block in (block for block in asked.architecture.blocks if block in present):
        letters = asked.at(tag=block).polynomial
        rows.append((block, letters.formula(), f"{letters.value(asked.sizes):,}"))
    rows.append(("total", "", f"{asked.number:,}"))
    sizes = ", ".join(f"{letter}={size}" for letter, size in asked.sizes.items())
    print(f"{asked.model.name}: {asked.model_class}, {sizes}")
    if note := _note(asked):
        print(f"note: {note}")
    _print_columns(rows)


def _print_operations(operations: Operations, chosen: Any) -> None:
    asked, sizes = operations.asked, operations.sizes
    records = [
        {"kind": each.kind, "path": each.path, "block": each.block, "operations": each.polynomial().value(sizes)}
        for each in operations.items
    ]
    totals = {name: getattr(operations, name) for name in ("multiply_adds", "forward", "backward", "step")}
    if chosen.csv:
        _print_records(records)
        return
    if chosen.json:
        head = {"model": asked.model.name, "model_class": asked.model_class, "tokens": operations.tokens}
        print(json.dumps({**head, "batch": operations.batch, **totals, "operations": records}))
        return
    rows = [("part", "formula", "operations")]
    blocks = {block: operations.polynomial(block=block) for block in operations.blocks}
    rows += [(block, each.formula(), f"{each.value(sizes):,}") for block, each in blocks.items()]
    rows += [(label, "", f"{totals[name]:,}") for label, name in TOTALS.items()]
    kinds = {kind: operations.polynomial(kind) for kind in OTHERS}
    rows += [(f"not included: {kind}", each.formula(), f"{each.value(sizes):,}") for kind, each in kinds.items()]
    print(f"{asked.model.name}: {asked.model_class}, matrix products, two operations per multiply-add")
    print(", ".join(f"{letter}={size}" for letter, size in sizes.items() if letter != LOOKED_AT))
    _print_columns(rows)


def _print_columns(rows: Sequence[tuple[str, str, str]]) -> None:
    first, second, third = (max(len(row[column]) for row in rows) for column in range(3))
    for part, formula, number in rows:
        print(f"{part:<{first}}  {formula:<{second}}  {number:>{third}}")


def _print_changed(changed: Changed, chosen: Any) -> None:
    """What is trained of a changed model and what there is: in numbers, with their sum, or tensor by tensor."""
    if chosen.json or chosen.csv:
        listed = [*changed.listed()]
        if chosen.csv:
            _print_records(_named(name, "x".join(map(str, shape)), trained) for name, shape, trained in listed)
            return
        numbers = {"trainable": changed.trainable, "total": changed.number, "elements": changed.elements}
        head = {"model": changed.asked.model.name, "model_class": changed.asked.model_class}
        done = {
            "changes": [str(each) for each in changed.changes],
            **numbers,
            "bytes": changed.bytes_of(),
            "buffers": changed.buffers_bytes,
        }
        print(json.dumps({**head, **done, "parameters": [_named(*each) for each in listed]}))
        return
    sizes = ", ".join(f"{letter}={size}" for letter, size in changed.sizes.items())
    print(f"{changed.asked.model.name}: {changed.asked.model_class}, {sizes}")
    rows = [("plain", "", f"{changed.asked.number:,}")]
    rows += [(str(step.change), step.formula, f"{step.value:+,}".replace("-", "−")) for step in changed.bridge]
    rows += [("all", "", f"{changed.number:,}"), ("trained", changed.trained.formula(), f"{changed.trainable:,}")]
    rows += [("share", "", f"{changed.share:.4%}"), ("bytes", "float32", f"{changed.bytes_of():,}")]
    rows += [("buffers", "bytes, not parameters", f"{changed.buffers_bytes:,}")]
    if changed.elements != changed.number:
        rows.append(("elements", "", f"{changed.elements:,}"))
    first, second, third = (max(len(row[column]) for row in rows) for column in range(3))
    for part, formula, number in rows:
        print(f"{part:<{first}}  {formula:<{second}}  {number:>{third}}")
    print("trained, worked out:")
    for line in changed.sum_lines(trained=True):
        print(f"  {line}")


def _named(name: str, shape: str | list[int], trained: bool) -> dict[str, Any]:
    return {"name": name, "shape": shape, "trained": trained}


def _print_json(asked: Question) -> None:
    listed = tensors(asked)
    head = {"model": asked.model.name, "model_class": asked.model_class, "total": asked.number}
    if note := _note(asked):
        head["note"] = note
    # Written line by line, so that a deep model needs no more memory than a shallow one.
    print(json.dumps(head)[:-1] + ', "parameters": [')
    separator = ""
    for tensor in listed:
        print(separator + json.dumps(_record(tensor)), end="")
        separator = ",\n"
    print("\n]}")


def _print_csv(asked: Question) -> None:
    _print_records({**_record(each), "shape": "x".join(map(str, each.shape))} for each in tensors(asked))


def _print_records(records: Iterable[dict[str, Any]]) -> None:
    writer = None
    for record in records:
        if writer is None:
            writer = csv.DictWriter(sys.stdout, record, lineterminator="\n")
            writer.writeheader()
        writer.writerow(record)


def _record(tensor: Tensor) -> dict[str, Any]:
    return {
        "transformers": tensor.transformers,
        "google_bert": tensor.google_bert,
        "shape": tensor.shape,
        "count": tensor.size,
        "tied_to": tensor.tied_to,
    }
