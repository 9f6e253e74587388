"""What the command line asks and writes: a question bank of a set, some seeds and a format.

python -m macros.teaching --set layer --seeds 1-20 --format moodle -o layer.xml
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from macros.counting.command_line import Parser
from macros.counting.errors import CountingError, shown
from macros.counting.process import standard_output

from .banks import FORMATS, MOST_SEEDS, UnknownFormat, bank, format_named
from .exercise import MOST
from .sets import load_sets, set_named

STANDARD_OUTPUT = "-"

RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
"""A seed, or the first and the last of several."""


class CallError(ValueError):
    """What is wrong with a call; its message says what would do."""


class BadSeeds(CallError):
    """What was given is no list of seeds."""


class CannotWrite(CallError):
    """The file cannot be written."""


def run(arguments: Sequence[str] | None = None) -> str:
    """Write what the arguments ask for; what is wrong with them in one line, or nothing.

    Raises:
        OSError: standard output cannot be written.
    """
    try:
        chosen = _parser().parse_args(arguments)
        # What was asked for is known to exist before anything is worked out.
        name, form = set_named(chosen.set).name, chosen.format
        format_named(form)
        _write(bank(name, _seeds(chosen.seeds), form), chosen.output)
    except SystemExit:
        pass  # How argparse ends after --help.
    except (CountingError, CallError, UnknownFormat) as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
    return ""


def _parser() -> Parser:
    parser = Parser(
        prog="python -m macros.teaching",
        description="Write exercises about counting BERT as a question bank that a course can import.",
        epilog="Sets: " + "; ".join(f"{each.name} ({each.title})" for each in load_sets().sets.values()) + ".",
        allow_abbrev=False,
    )
    formats = ", ".join(f"{name} ({each.title})" for name, each in FORMATS.items())
    parser.add_argument("--set", required=True, metavar="SET", help="one of the sets below")
    parser.add_argument(
        "--seeds",
        default="1-20",
        metavar="SEEDS",
        help=f"variants, such as 7, 1-20 or 1-5,9: from 0 to {MOST}, up to {MOST_SEEDS:,} at once (default: 1-20)",
    )
    parser.add_argument("--format", default="moodle", metavar="FORMAT", help=f"{formats} (default: moodle)")
    parser.add_argument(
        "-o", "--output", default=STANDARD_OUTPUT, metavar="FILE", help="a file, or - for standard output (default)"
    )
    return parser


def _seeds(text: str) -> list[int]:
    """The seeds in a list such as `1-5,9`.

    Raises:
        BadSeeds: it is no such list, or has too many seeds.
    """
    found: list[int] = []
    for part in text.split(","):
        read = RANGE.fullmatch(part.strip())
        if not read:
            raise BadSeeds(f"no seeds {shown(text)}; write them as 7, 1-20 or 1-5,9")
        first, last = int(read[1]), int(read[2] or read[1])
        if last < first:
            raise BadSeeds(f"{shown(part)} runs backwards; write {last}-{first}")
        if len(found) + last - first >= MOST_SEEDS:
            raise BadSeeds(f"{shown(text)} are too many; choose up to {MOST_SEEDS:,} at once")
        found += range(first, last + 1)
    return found


def _write(content: bytes, output: str) -> None:
    if output == STANDARD_OUTPUT:
        standard_output().buffer.write(content)
        return
    try:
        Path(output).write_bytes(content)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CannotWrite(
            f"{shown(output)} cannot be written ({reason}); name a file in a folder that is there"
        ) from error
