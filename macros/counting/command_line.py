"""What the command line asks and prints: its options, and the answer as table, JSON or CSV.

python -m macros.counting CONFIG.json [--class BertForPreTraining] [--json]
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from .architecture import NEVER, Choices
from .architectures import ARCHITECTURE_OF_CLASS, ARCHITECTURES, class_of
from .config import STANDARD_INPUT, read_config
from .errors import BadChoice, BadConfig, CountingError, UnknownModel, UnknownModelClass, shown, suggestion
from .frameworks.listing import Tensor, tensors
from .models import Model, by_every_name, checked_size, odd_heads
from .process import standard_output
from .question import Question

LONGEST_MESSAGE = 200
"""Characters of argparse's own message, which repeats whatever was typed."""


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
        if chosen.json:
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
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object with every tensor")
    form.add_argument("--csv", action="store_true", help="print every tensor as CSV")
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
    if len(text) > 1 and text.startswith("0"):
        # Programs disagree about what such a number is.
        raise BadChoice(f"--labels is {shown(text)}; write the number without zeros before it")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else text
    return model._replace(sizes={**model.sizes, "C": checked_size("--labels", labels, number)})


def _note(asked: Question) -> str:
    """What transformers makes of the model, where it builds none."""
    odd = odd_heads(asked.architecture, asked.sizes)
    return odd and f"{odd}, so transformers refuses this model; the number stands, since heads are in no shape"


def _print_table(asked: Question) -> None:
    present = {row.block for row in asked.rows}
    rows = [("part", "formula", "parameters")]
    for block in (block for block in asked.architecture.blocks if block in present):
        letters = asked.at(tag=block).polynomial
        rows.append((block, letters.formula(), f"{letters.value(asked.sizes):,}"))
    rows.append(("total", "", f"{asked.number:,}"))
    first, second, third = (max(len(row[column]) for row in rows) for column in range(3))
    sizes = ", ".join(f"{letter}={size}" for letter, size in asked.sizes.items())
    print(f"{asked.model.name}: {asked.model_class}, {sizes}")
    if note := _note(asked):
        print(f"note: {note}")
    for part, formula, number in rows:
        print(f"{part:<{first}}  {formula:<{second}}  {number:>{third}}")


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
    writer = None
    for tensor in tensors(asked):
        record = _record(tensor)
        record["shape"] = "x".join(map(str, tensor.shape))
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
