"""The command: `python -m macros.publish SITE`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from macros.counting import CountingError

from . import PublishError, publish


def main(arguments: Sequence[str] | None = None) -> int:
    """Publishes a folder; returns the exit status, which is 2 where that cannot be done."""
    parser = argparse.ArgumentParser(
        prog="python -m macros.publish",
        description="Make a built site ready for its readers: add the downloads, a Content-Security-Policy on each "
        "page and one style sheet.",
    )
    parser.add_argument("site", type=Path, help="the folder the site was built into")
    parser.add_argument(
        "--paper",
        choices=("required", "if-possible"),
        help="add what only a browser can make, hand-outs as PDF and figures as PNG: always, or where there is one",
    )
    chosen = parser.parse_args(arguments)
    try:
        publish(chosen.site, chosen.paper)
    except (PublishError, CountingError, OSError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
