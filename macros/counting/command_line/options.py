"""The options of the command line, and the answer that they request about each model.

`read_options` parses the arguments and checks everything that does not depend on a model. `answer_to` then reads one
model and returns the answer that the options describe: about its parameters, its operations or a training step.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from ..architecture import NEVER, Choices
from ..architectures import ARCHITECTURE_OF_CLASS, class_of
from ..changes.adapter_config import TYPE_KEY, Adapter, adapter_of
from ..changes.changed_model import ChangedModel
from ..changes.computing import operations_of
from ..changes.methods import Change
from ..config import STANDARD_INPUT, model_of_config, parse_file
from ..errors import (
    LONGEST_VALUE,
    MAX_NAMES,
    BadChoice,
    BadConfig,
    UnknownModel,
    UnknownModelClass,
    entry_of,
    label,
    quote,
    suggestion,
)
from ..frameworks import listing
from ..frameworks.listing import checked_layer_count
from ..messages import message
from ..model_names import ADDRESS_START, advice_on, reason_against
from ..models import LARGEST_NUMBER, Model, checked_size, misfit_of_heads, models_by_every_name, published_model
from ..operations import (
    CONTEXT,
    GLOBAL_TOKENS,
    PADDED_TOKENS,
    READ_BY_GLOBAL_TOKENS,
    SCORES,
    SCORES_OF_SOFTMAX,
    Operations,
)
from ..process import standard_output
from ..question import Question
from . import tree
from .answers import Answer, OperationAnswer, ParameterAnswer, TrainingAnswer
from .lists import LISTS

PACKAGE = "bert-counted"
"""The name of the package."""

LONGEST_COMPLAINT = 90
"""The maximum length of a message from argparse, in characters. Such a message may repeat a very long argument."""

BATCH_OPTIONS = {"tokens": "--tokens", "batch": "--batch", "global_tokens": "--global"}
"""The options about the texts for which operations are counted, by the attribute that holds their value."""

UNREAD_NOTE = (
    "no output of the class depends on {:,} of the trained parameters, so they get neither gradients nor states of the "
    "optimiser"
)
"""The note for a training step in which a trained part, such as a pooler, is not read by any head."""

PRUNED_NOTE = "heads are taken out of the first layers here; the total is the same whichever layers lose them"
"""The note for a listing with pruned heads."""

Options = argparse.Namespace
"""The values of the options under the names that `_parser` gives them; numbers are integers where possible."""


class Parser(argparse.ArgumentParser):
    """A parser that raises an error instead of printing it, and also raises one if the help cannot be printed."""

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


class VersionAction(argparse.Action):
    """Prints the version of the package and exits, as `--help` does."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Print the name of the program and the version.

        Raises:
            OSError: the version cannot be written.
            SystemExit: always.
        """
        print(f"{parser.prog} {version()}", file=standard_output())
        parser.exit()


def version() -> str:
    """The version in `CITATION.cff`, or, outside the repository, that of the installed package."""
    citation = Path(__file__).parents[3] / "CITATION.cff"
    if not citation.exists():
        # Imported only when needed, because every other call would wait for it.
        from importlib import metadata

        return metadata.version(PACKAGE)
    (number,) = re.findall(r'^version: "(.+)"$', citation.read_text(encoding="utf-8"), re.MULTILINE)
    return str(number)


def read_options(arguments: Sequence[str] | None, name: str) -> Options:
    """The options, after all checks that do not depend on a model.

    Args:
        arguments: the arguments; None means those of the process.
        name: the name of the program in its help.

    Raises:
        BadChoice: the options are not valid; for example, two of them exclude each other.
        UnknownModelClass: the class is empty; or there are several models, and no architecture has it.
        BadChange: a value of `--change` does not describe a change.
        SystemExit: the help or the version has been printed.
    """
    parser = _parser(name)
    # Options may come before, between and after the names of models.
    options = parser.parse_intermixed_args(arguments)
    if options.list:
        if any(value for key, value in vars(options).items() if key != "list" and value != parser.get_default(key)):
            raise BadChoice("--list prints a list and nothing else; drop the other arguments")
        return options
    if not options.configs:
        parser.error("the following arguments are required: CONFIG.json")
    # argparse mistakes an option with a space in it, such as a quoted "--class BertModel", for a name.
    if stray_option := next((config for config in options.configs if config.startswith("--")), ""):
        parser.error(f"unrecognized arguments: {stray_option}")
    for key, option in {"labels": "--labels", **BATCH_OPTIONS}.items():
        text = getattr(options, key)
        setattr(options, key, text if text is None else _number(option, text))
    if options.train is not None:
        options.train = _step_settings(options.train)
    _check_combinations(options)
    _check_class(options.model_class, is_for_several=len(options.configs) > 1)
    for change in options.change:
        Change.parse(change)
    return options


def _check_class(model_class: str | None, *, is_for_several: bool) -> None:
    """Refuse an impossible class before any model is counted.

    With a single model, `class_of` refuses an unknown class later, without importing all other architectures. It would
    not refuse an empty name, which means the bare model there.

    Raises:
        UnknownModelClass: the name is empty, or there are several models and no architecture has the class.
    """
    if model_class is None or (model_class and not is_for_several):
        return
    if model_class not in ARCHITECTURE_OF_CLASS:
        raise UnknownModelClass(
            f"no model class {quote(model_class)}; {suggestion(model_class, ARCHITECTURE_OF_CLASS)}"
        )


def _check_combinations(options: Options) -> None:
    """Refuse options that do not fit together, and values of `BATCH_OPTIONS` that are not numbers.

    Raises:
        BadChoice: the check fails. The message says what to drop or to add.
    """
    for key, option in BATCH_OPTIONS.items():
        number = getattr(options, key)
        if number is not None and options.tokens is None:
            raise BadChoice(f"{option} has no effect without --tokens; give the length of the texts too")
        if isinstance(number, str):
            raise BadChoice(f"{option} is {quote(number)}; write a whole number of at most {LARGEST_NUMBER}")
    if options.train and options.tokens is not None:
        raise BadChoice("--train counts the memory of a training step; drop --tokens, and write --train tokens=...")
    if options.train and options.form == "tree":
        raise BadChoice("--train counts the memory of a training step, and --tree shows tensors; drop one of them")
    if options.tokens is not None and options.form == "tree":
        raise BadChoice("--tree shows tensors, and --tokens counts operations; drop one of them")
    if options.form == "tree" and options.configs[1:]:
        raise BadChoice("--tree shows one model; give one, or drop --tree")


@cache
def _parser(name: str) -> Parser:
    """The parser of the command line; the help lists options in the order in which they are added.

    It is cached because building it takes longer than parsing.
    """
    parser = Parser(
        prog=name,
        usage="%(prog)s [options] CONFIG.json ...",
        description="Count the parameters of BERT and its relatives, tensor by tensor.",
        epilog="exit status: 0 on success, 1 if some of several models fail, 2 on failure",
        allow_abbrev=False,
    )
    parser.add_argument(
        "configs",
        nargs="*",
        metavar="CONFIG.json",
        help="a config.json, - for one on standard input, or the name or hub id of a published model; several make a "
        "table",
    )
    _add_list_options(parser)
    _add_model_options(parser)
    _add_question_options(parser)
    _add_form_options(parser)
    return parser


def _add_list_options(parser: Parser) -> None:
    """Add the options that print something other than an answer about a model."""
    parser.add_argument("--version", action=VersionAction, nargs=0, help="print the version, and nothing else")
    parser.add_argument(
        "--list",
        nargs="?",
        const="models",
        choices=LISTS,
        metavar="WHAT",
        help="list models (the default), classes or changes instead",
    )


def _add_model_options(parser: Parser) -> None:
    """Add the options that specify what is counted in each model: its class, its choices and its changes."""
    parser.add_argument(
        "--class",
        dest="model_class",
        metavar="CLASS",
        help="model class (default: the one that the file names, or else the bare model)",
    )
    parser.add_argument("--no-pooler", action="store_true", help="leave out the pooler of the bare model")
    parser.add_argument("--labels", metavar="N", help="labels of a classification head (default: as in the file)")
    parser.add_argument("--untied", action="store_true", help="count the decoder as well as the word embeddings")
    parser.add_argument(
        "--change",
        action="append",
        default=[],
        metavar="CHANGE",
        help="change the model first, as in lora:r=8:modules=query+value; if repeated, changes are applied in order",
    )


def _add_question_options(parser: Parser) -> None:
    """Add the options that request operations, or the memory of a training step, instead of parameters."""
    parser.add_argument("--tokens", metavar="T", help="count operations on texts of T tokens, not parameters")
    parser.add_argument("--batch", metavar="B", help="with --tokens: texts per batch (default: 1)")
    parser.add_argument(
        "--global",
        dest="global_tokens",
        metavar="G",
        help="with --tokens: global tokens per text, in a Longformer",
    )
    parser.add_argument(
        "--train",
        metavar="STEP",
        help="count the bytes of a training step, as in batch=16,tokens=512,memory=16",
    )


def _add_form_options(parser: Parser) -> None:
    """Add the options that choose the form of the answer; only one of them can be given."""
    form = parser.add_mutually_exclusive_group()
    for option, description in {
        "tree": "print every tensor in a tree of modules",
        "json": "print JSON that fits the site's ledger.schema.json",
        "csv": "print the tensors, operations or several totals as CSV",
    }.items():
        form.add_argument(f"--{option}", dest="form", action="store_const", const=option, help=description)
    parser.set_defaults(form="table")


STEP_KEYS: Mapping[str, type] = {
    "batch": int,
    "tokens": int,
    "dtype": str,
    "attention": str,
    "padded": bool,
    "checkpointing": bool,
    "dropout": bool,
    "optimiser": str,
    "memory": float,
}
"""The keys of `--train`, with the types of their values."""

STEP_DEFAULTS = {"batch": 1, "tokens": 128, "memory": 0}
"""The values of three of these keys if they are not given; the engine has defaults for the others."""

YES_OR_NO = {"yes": True, "true": True, "no": False, "false": False}
"""The values of keys that are either true or false."""


def _step_settings(text: str) -> dict[str, Any]:
    """The values of `--train` by key. A yes-or-no key without a value, such as `padded`, means yes.

    Raises:
        BadChoice: the text is not valid; for example, a key is unknown or given twice.
    """
    if not text.strip(" ,"):
        raise BadChoice("--train is empty; describe the step, as in batch=16,tokens=512,dtype=bf16")
    values: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals_sign, value = (piece.strip() for piece in part.partition("="))
        value_type = entry_of(STEP_KEYS, "key of --train", key, BadChoice)
        if key in values:
            raise BadChoice(f"--train has {key} twice; give it once")
        if value_type is bool:
            values[key] = entry_of(YES_OR_NO, f"value of {key}", value, BadChoice) if equals_sign else True
        elif value_type is float:
            values[key] = _gib(value)
        elif value_type is int:
            number = _number(f"{key} of --train", value)
            if isinstance(number, str):
                raise BadChoice(
                    f"{key} of --train is {quote(number)}; write a whole number of at most {LARGEST_NUMBER}"
                )
            values[key] = number
        else:
            values[key] = value
    return {**STEP_DEFAULTS, **values}


def _gib(text: str) -> float:
    """An amount of memory in GiB.

    Raises:
        BadChoice: the text is not a positive number, or has too many digits.
    """
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text, re.ASCII) or not float(text):
        raise BadChoice(f"memory of --train is {quote(text)}; write a number of GiB, such as 16")
    return float(text)


def _number(option: str, text: str) -> int | str:
    """The value of an option as a number, or the text itself if it is not a number or has twenty digits or more.

    Raises:
        BadChoice: the text begins with a zero that is not its only character.
    """
    if len(text) > 1 and text.startswith("0"):
        # Some programs read such a number as octal, and others as decimal.
        raise BadChoice(f"{option} is {quote(text)}; write the number without zeros before it")
    # A longer number is refused anyway, and Python may refuse to convert a very long one.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else text


def answer_to(options: Options, config: str) -> Answer:
    """The answer about one model. All checks are made here, so that none fails while the answer is printed.

    Args:
        options: the values of the options, as `read_options` returns them.
        config: the path of a config file, `-`, or the name of a published model.

    Raises:
        CountingError: the model cannot be read, or does not fit the options.
    """
    model, adapter = _model(config, is_one_of_several=bool(options.configs[1:]))
    question = _question(options, model)
    notes = [
        _adapter_note(adapter, config) or _class_note(question, options),
        _keys_note(question.model, config if adapter else ""),
    ]
    changes = [*([adapter.change] if adapter else []), *options.change]
    changed_model = ChangedModel.build(question, changes)
    if options.tokens is not None:
        batch = 1 if options.batch is None else options.batch
        operations = operations_of(changed_model, options.tokens, batch, global_tokens=options.global_tokens)
        operations.sizes  # noqa: B018  raises errors now, before anything is printed
        notes.append(_attention_note(operations))
        return OperationAnswer(operations, tuple(filter(None, notes)), tuple(map(str, changed_model.changes)))
    if options.train:
        return _training_answer(changed_model, options.train, tuple(filter(None, notes)))
    notes.append("" if changed_model.changes else _heads_note(question))
    # In these forms, the answer lists every tensor.
    if options.form == "json" or (options.form != "table" and not options.configs[1:]):
        layer_limit = tree.MAX_LAYERS if options.form == "tree" else listing.MAX_LAYERS
        checked_layer_count(changed_model.question.model, layer_limit)  # raises an error if there are more
        notes.append(PRUNED_NOTE if "h" in changed_model.sizes else "")
    return ParameterAnswer(changed_model, tuple(filter(None, notes)))


def _training_answer(changed_model: ChangedModel, values: Mapping[str, Any], notes: tuple[str, ...]) -> TrainingAnswer:
    """The answer about a training step, after all checks."""
    # Imported only when needed, because every other call would wait for it.
    from ..training import fine_tuning_step

    settings = {key: value for key, value in values.items() if key not in STEP_DEFAULTS}
    step = fine_tuning_step(changed_model, values["batch"], values["tokens"], **settings)
    step.peak_bytes  # noqa: B018  raises errors now, before anything is printed
    if step.parameters_without_gradient:
        notes = (*notes, UNREAD_NOTE.format(step.parameters_without_gradient))
    return TrainingAnswer(step, values["memory"], notes)


def _question(options: Options, model: Model) -> Question:
    """The question that the options specify about a model.

    The class on the command line takes precedence over the one in the file. Without a class on the command line, the
    bare model is counted if the file names no class, or one that is not counted here.

    Raises:
        CountingError: the options do not fit the model.
    """
    class_of_file = model.named_class if model.named_class in model.architecture.class_by_name else ""
    model_class = class_of(model.architecture, options.model_class or class_of_file)
    if options.no_pooler and model_class.pooler == NEVER:
        raise BadChoice(
            f"{model_class.name} has no pooler in transformers; drop --no-pooler, or give the bare model as --class"
        )
    if options.labels is not None:
        model = _with_labels(model, model_class.name, options.labels)
    choices = Choices(pooler=False if options.no_pooler else None, tied=False if options.untied else None)
    question = Question(model, model_class.name, choices=choices)
    question.number  # noqa: B018  raises errors now, before anything is printed
    return question


def _model(name: str, *, is_one_of_several: bool) -> tuple[Model, Adapter | None]:
    """The model from a config file, standard input or a published name, and the adapter of an adapter config, or None.

    Raises:
        CountingError: there is no such file or model, or it cannot be counted.
    """
    path = STANDARD_INPUT if name == "-" else name
    is_folder = os.path.isdir(path)
    # A folder with the name of a model, such as a clone, does not hide the model. A missing file that ends in .json is
    # reported as a file rather than as an unknown model.
    is_file = os.path.exists(path) or path == STANDARD_INPUT
    is_missing_file = (
        not is_file and path.endswith(".json") and not published_model(name) and not ADDRESS_START.match(name)
    )
    if not is_folder and (is_file or is_missing_file):
        # Several files are often all called config.json, so they are distinguished by the ends of their paths.
        path_end = name if len(name) <= LONGEST_VALUE else f"...{name[3 - LONGEST_VALUE :]}"
        config = parse_file(path)
        display_name = path_end if is_one_of_several else os.path.basename(path)
        return (
            _model_of_adapter(display_name, config)
            if TYPE_KEY in config
            else (model_of_config(display_name, config), None)
        )
    model = published_model(name)
    if model:
        return model, None
    if is_folder:
        raise BadConfig(f"{label(name)}: it is a folder; give the config.json in it")
    raise UnknownModel(f"no file and no published model {quote(name)}; {advice_on(name, models_by_every_name())}")


def _model_of_adapter(display_name: str, config: Mapping[str, Any]) -> tuple[Model, Adapter]:
    """The model that an `adapter_config.json` changes, in the class that was changed, and the adapter.

    Raises:
        CountingError: the adapter cannot be counted, for example because the model that it changes is not known.
    """
    adapter = adapter_of(display_name, config)
    model = published_model(adapter.base_model)
    if model is None:
        reason = reason_against(adapter.base_model)
        advice = f"give the config.json of that model with --change {adapter.change}"
        raise UnknownModel(
            f"{label(display_name)}: its model {quote(adapter.base_model)} "
            + (f"is not counted here, because {reason}" if reason else f"is not known here; {advice}")
        )
    named_class = adapter.class_in(model.architecture)
    return model._replace(named_class=named_class, unknown_keys=adapter.unknown_keys), adapter


def _adapter_note(adapter: Adapter | None, config: str) -> str:
    """A note that a file is read as a change; empty if the file is not an adapter's config."""
    if adapter is None:
        return ""
    return f"{label(os.path.basename(config))} is read as {adapter.base_model} with --change {adapter.change}"


def _with_labels(model: Model, model_class: str, labels: int | str) -> Model:
    """The model with the number of labels that `--labels` gives.

    Raises:
        BadChoice: the class has no labels.
        BadConfig: the number of labels is impossible.
    """
    architecture = model.architecture
    classes = architecture.classes_with("C")
    if model_class not in classes:
        raise BadChoice(f"--labels has no effect in {model_class}; it has one in {', '.join(classes)}")
    symbol = next(symbol for symbol in architecture.symbols if symbol.letter == "C")
    return model._replace(sizes={**model.sizes, "C": checked_size("--labels", symbol, labels)})


def _class_note(question: Question, options: Options) -> str:
    """A note about the class in the file; empty if `--class` is given, or the file names the bare model or no class."""
    model = question.model
    architecture = question.architecture
    bare_class = architecture.classes[0].name
    if not model.named_class or options.model_class is not None or model.named_class == bare_class:
        return ""
    if model.named_class in architecture.class_by_name:
        return f"{model.name} names {model.named_class} under architectures; --class {bare_class} counts the bare model"
    return (
        f"{model.name} names {quote(model.named_class)} under architectures, which is none of the classes of "
        f"{architecture.name} that are counted here; this is {bare_class}, and --class counts another"
    )


def _attention_note(operations: Operations) -> str:
    """A note about the letters of sparse attention; empty if every token attends to every other."""
    if not operations.attention_settings:
        return ""
    settings_text = ", ".join(f"{key} is {quote(value)}" for key, value in operations.attention_settings.items())
    return (
        f"{settings_text}; {PADDED_TOKENS} is the tokens of a text with its padding, {SCORES} and {CONTEXT} the pairs "
        f"of tokens in attention's two products, {SCORES_OF_SOFTMAX} the scores per head in its softmax, "
        f"{GLOBAL_TOKENS} the tokens that attend to the whole text, and {READ_BY_GLOBAL_TOKENS} the tokens that these "
        "attend to"
    )


def _keys_note(model: Model, adapter_file: str) -> str:
    """A note about the unknown keys of the model's file, or of the adapter's; empty if there are none."""
    if not model.unknown_keys:
        return ""
    keys = ", ".join(map(quote, model.unknown_keys[:MAX_NAMES]))
    rest_clause = f" and {len(model.unknown_keys) - MAX_NAMES} more" if model.unknown_keys[MAX_NAMES:] else ""
    clause = "it sizes" if len(model.unknown_keys) == 1 else "one of them sizes"
    name = label(os.path.basename(adapter_file)) or model.name
    return f"{name} has {keys}{rest_clause}, of which nothing is known here; if {clause} a tensor, the total is wrong"


def _heads_note(question: Question) -> str:
    """A note that transformers refuses the model; empty if the number of heads divides the hidden size."""
    misfit = misfit_of_heads(question.architecture, question.sizes)
    return message("refused-heads", odd=misfit) if misfit else ""
