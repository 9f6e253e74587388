"""The command line: reads its options, counts, and prints the answer as a table, a tree, JSON or CSV.

    bert-counted CONFIG.json [--class BertForPreTraining] [--tokens 128 --batch 8] [--json]

`options` reads the arguments and queries the engine, `answers` has the fields of each kind of answer, `forms` turns
answers into lines, and `lists` has the known models, classes and changes; `tree` and `columns` lay lines out. Arguments
that do not fit are refused before anything is printed. `process.py`, in the folder above, ends the process.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from ..errors import CountingError, label
from ..process import SomeRefused, standard_output
from .answers import Answer
from .forms import FORMS_OF_ONE, FORMS_OF_SEVERAL
from .lists import LISTS
from .options import Options, answer_to, read_options


def run(arguments: Sequence[str] | None, name: str) -> str:
    """Print the answer to the arguments on standard output.

    Args:
        arguments: the arguments; None means those of the process.
        name: the name of the program in its help.

    Returns:
        One line about what is wrong with the arguments, or an empty string.

    Raises:
        SomeRefused: some of several models cannot be counted; the others have been printed.
        OSError: standard output cannot be written.
    """
    output = standard_output()
    if isinstance(output, io.TextIOWrapper):
        # A terminal may be unable to show the ² of a formula, and a file name may contain bytes that are not text.
        output.reconfigure(errors="backslashreplace")
    complaints: list[str] = []
    try:
        options = read_options(arguments, name)
        if options.list:
            lines = LISTS[options.list]()
        elif len(options.configs) == 1:
            answers = [answer_to(options, options.configs[0])]
            lines = FORMS_OF_ONE[options.form](answers[0])
            _print_notes(answers, options)
        else:
            answers, complaints = _answers(options)
            lines = FORMS_OF_SEVERAL[options.form](answers)
            _print_notes(answers, options)
        for line in lines:
            print(line)
    except SystemExit:
        return ""  # argparse exits after --help
    except CountingError as error:
        return f"{type(error).__name__}: {error}"
    if complaints:
        raise SomeRefused(complaints)
    return ""


def _answers(options: Options) -> tuple[list[Answer], list[str]]:
    """The answers for several models, and one line about each that cannot be counted."""
    answers = []
    complaints = []
    for config in options.configs:
        try:
            answers.append(answer_to(options, config))
        except CountingError as error:
            message = str(error)
            name = label(config)
            complaint = message if name in message else f"{name}: {message}"
            complaints.append(f"{type(error).__name__}: {complaint}")
    return answers, complaints


def _print_notes(answers: Sequence[Answer], options: Options) -> None:
    """Print the notes on standard error if the form is CSV, which has no place for them."""
    if options.form == "csv" and sys.stderr is not None:
        for answer in answers:
            for note in answer.notes:
                print(f"note: {note}", file=sys.stderr)
