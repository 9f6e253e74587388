"""The command line: count a config file or a published model.

python -m macros.counting CONFIG.json [--class BertForPreTraining] [--json]
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from .config import read_config
from .errors import BadChoice, BadConfig, CountingError, UnknownModel, shown, suggestion
from .listing import Tensor, tensors
from .models import Model, checked_size, load_models
from .symbols import SYMBOLS
from .tensors import BLOCKS, MODEL_CLASSES, NEVER, model_class_named
from .totals import count, polynomial, select

BAD_INPUT = 2
"""Exit status for anything the reader can mend."""

LONGEST_MESSAGE = 200
"""Characters of argparse's own message, which repeats whatever was typed."""


class _Parser(argparse.ArgumentParser):
    """argparse, but an error is one line and nothing else."""

    def error(self, message: str) -> NoReturn:
        short = message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}..."
        raise BadChoice(f"{short}; see --help")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0, or `BAD_INPUT` with one line on standard error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal may lack the ² of a formula, and a file name need not be text.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        chosen = _parser().parse_args(arguments)
        model_class = model_class_named(chosen.model_class).name
        model = _with_options(_model(chosen.config), chosen)
        pooler = False if chosen.no_pooler else None
        if chosen.json:
            _print_json(model, model_class, pooler)
        elif chosen.csv:
            _print_csv(model, model_class, pooler)
        else:
            _print_table(model, model_class, pooler)
        sys.stdout.flush()
    except CountingError as error:
        line = " ".join(str(error).split())
        print(f"{type(error).__name__}: {line}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader closed the pipe (`| head`); what they wanted is printed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m macros.counting",
        description="Count the parameters of a BERT, tensor by tensor.",
        epilog=f"Model classes: {', '.join(MODEL_CLASSES)}.",
        allow_abbrev=False,
        # A width of its own: asking the terminal for one imports more than counting does.
        formatter_class=lambda prog: argparse.HelpFormatter(prog, width=100),
    )
    parser.add_argument(
        "config", metavar="CONFIG.json", help="a config.json or bert_config.json, or the name of a published model"
    )
    parser.add_argument(
        "--class", dest="model_class", default="BertModel", metavar="CLASS", help="model class (default: BertModel)"
    )
    parser.add_argument("--no-pooler", action="store_true", help="leave the pooler of BertModel out")
    parser.add_argument("--labels", metavar="N", help="labels of a classification head, over num_labels of the file")
    parser.add_argument("--untied", action="store_true", help="count the decoder beside the word embeddings")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object with every tensor")
    form.add_argument("--csv", action="store_true", help="print every tensor as CSV")
    return parser


def _model(name: str) -> Model:
    path = Path(name)
    try:
        is_file, is_folder = path.is_file(), path.is_dir()
    except (OSError, ValueError):  # a name too long, or with a NUL in it: no file has one
        is_file = is_folder = False
    if is_file or (path.suffix == ".json" and not is_folder):
        return read_config(path)
    models = load_models()
    if name in models:
        return models[name]
    if is_folder:
        raise BadConfig(f"{name}: is a folder; give the config.json in it")
    raise UnknownModel(f"no file and no published model {shown(name)}; {suggestion(name, models)}")


def _with_options(model: Model, chosen: Any) -> Model:
    """The model with the options of the command line put over the file's."""
    model_class = model_class_named(chosen.model_class)
    if chosen.no_pooler and model_class.pooler == NEVER:
        raise BadChoice(f"{model_class.name} has no pooler in transformers; leave --no-pooler out")
    if chosen.labels is not None:
        if not model_class.labels:
            having = ", ".join(each.name for each in MODEL_CLASSES.values() if each.labels)
            raise BadChoice(f"--labels sizes nothing in {model_class.name}; it does in {having}")
        labels = next(symbol for symbol in SYMBOLS if symbol.key == "num_labels")
        text = chosen.labels
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else text
        model = model._replace(sizes={**model.sizes, "C": checked_size("--labels", labels, number)})
    return model._replace(tied=False) if chosen.untied else model


def _print_table(model: Model, model_class: str, pooler: bool | None) -> None:
    present = {row.block for row in select(model, model_class=model_class, pooler=pooler)}
    rows = [("part", "formula", "parameters")]
    for block in (block for block in BLOCKS if block in present):
        letters = polynomial(model, tag=block, model_class=model_class, pooler=pooler)
        rows.append((block, letters.formula(), f"{letters.value(model.sizes):,}"))
    rows.append(("total", "", f"{count(model, model_class=model_class, pooler=pooler):,}"))
    first, second, third = (max(len(row[column]) for row in rows) for column in range(3))
    sizes = ", ".join(f"{letter}={size}" for letter, size in model.sizes.items())
    print(f"{model.name}: {model_class}, {sizes}")
    for part, formula, number in rows:
        print(f"{part:<{first}}  {formula:<{second}}  {number:>{third}}")


def _print_json(model: Model, model_class: str, pooler: bool | None) -> None:
    # Imported here: only --json needs it.
    import json

    listed = tensors(model, model_class, pooler)
    head = {
        "model": model.name,
        "model_class": model_class,
        "total": count(model, model_class=model_class, pooler=pooler),
    }
    # Written line by line, so that a deep model needs no more memory than a shallow one.
    print(json.dumps(head)[:-1] + ', "parameters": [')
    separator = ""
    for tensor in listed:
        print(separator + json.dumps(_record(tensor)), end="")
        separator = ",\n"
    print("\n]}")


def _print_csv(model: Model, model_class: str, pooler: bool | None) -> None:
    # Imported here: only --csv needs it.
    import csv

    writer = None
    for tensor in tensors(model, model_class, pooler):
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


if __name__ == "__main__":
    sys.exit(main())
