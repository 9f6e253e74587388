"""The command line, which writes exercises of a set as a question bank.

python -m macros.teaching --set layer --seeds 1-20 --format moodle -o layer.xml
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from macros.counting.command_line.options import Parser
from macros.counting.errors import CountingError, quote
from macros.counting.process import standard_output

from .banks import FORMATS, MAX_SEEDS, UnknownFormat, bank_content, format_named
from .exercise import LARGEST_SEED
from .sets import load_sets, set_named

STANDARD_OUTPUT = "-"
"""The file name that means standard output."""

RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
"""Matches a seed, or the first and the last seed of a range."""


class CallError(ValueError):
    """The command was called wrongly; the message says what to write instead."""


class BadSeeds(CallError):
    """The value of `--seeds` is not a valid list of seeds, or the list is too long."""


class CannotWrite(CallError):
    """The file cannot be written."""


def run(arguments: Sequence[str] | None = None) -> str:
    """Write the requested bank, and return an error message of one line, or an empty string.

    Raises:
        OSError: standard output cannot be written.
    """
    try:
        options = _parser().parse_args(arguments)
        # Check both names first, because a large bank can take a minute.
        name = set_named(options.set).name
        format_named(options.format)
        _write(bank_content(name, _seeds(options.seeds), options.format), options.output)
    except SystemExit:
        pass  # argparse exits after --help.
    except (CountingError, CallError, UnknownFormat) as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
    return ""


def _parser() -> Parser:
    """The parser of the command line; its help lists the sets and the formats."""
    sets = load_sets().sets.values()
    parser = Parser(
        prog="python -m macros.teaching",
        description="Write exercises about counting BERT as a question bank that a course can import.",
        epilog="Sets: " + "; ".join(f"{exercise_set.name} ({exercise_set.title})" for exercise_set in sets) + ".",
        allow_abbrev=False,
    )
    formats = ", ".join(f"{name} ({file_format.title})" for name, file_format in FORMATS.items())
    parser.add_argument("--set", required=True, metavar="SET", help="one of the sets below")
    parser.add_argument(
        "--seeds",
        default="1-20",
        metavar="SEEDS",
        help=(
            f"variants, such as 7, 1-20 or 1-5,9: from 0 to {LARGEST_SEED}, up to {MAX_SEEDS:,} at once (default: 1-20)"
        ),
    )
    parser.add_argument("--format", default="moodle", metavar="FORMAT", help=f"{formats} (default: moodle)")
    parser.add_argument(
        "-o", "--output", default=STANDARD_OUTPUT, metavar="FILE", help="a file, or - for standard output (default)"
    )
    return parser


def _seeds(text: str) -> list[int]:
    """The seeds in a list such as `1-5,9`.

    Raises:
        BadSeeds: the text is not such a list, a range runs backwards, or the list is too long.
    """
    seeds: list[int] = []
    for part in text.split(","):
        match = RANGE.fullmatch(part.strip())
        if not match:
            raise BadSeeds(f"{quote(text)} is not a list of seeds; write 7, 1-20 or 1-5,9")
        first = int(match[1])
        last = int(match[2] or match[1])
        if last < first:
            raise BadSeeds(f"{quote(part)} runs backwards; write {last}-{first}")
        # This is checked before the range is expanded, because it could hold a billion seeds.
        if len(seeds) + last - first >= MAX_SEEDS:
            raise BadSeeds(f"{quote(text)} has too many seeds; choose up to {MAX_SEEDS:,} at once")
        seeds += range(first, last + 1)
    return seeds


def _write(content: bytes, output: str) -> None:
    """Write the bank to a file or to standard output.

    Raises:
        CannotWrite: the file cannot be written.
        OSError: standard output cannot be written.
    """
    if output == STANDARD_OUTPUT:
        standard_output().buffer.write(content)
        return
    try:
        Path(output).write_bytes(content)
    except (OSError, ValueError) as error:  # ValueError if the name contains a null character
        reason = getattr(error, "strerror", None) or error
        raise CannotWrite(
            f"{quote(output)} cannot be written ({reason}); name a file in a folder that exists"
        ) from error
