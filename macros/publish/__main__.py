"""The command `python3 -m macros.publish SITE`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from macros.counting import CountingError

from . import PublishError, publish


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish a folder, and return the exit status: 0, or 2 if the folder cannot be published."""
    description = (
        "Make a built site ready for its readers. With PAPER=required or PAPER=if-possible, a browser adds hand-outs "
        "as PDF and figures as PNG."
    )
    parser = argparse.ArgumentParser(prog="python3 -m macros.publish", description=description)
    parser.add_argument("site", type=Path, help="the folder the site was built into")
    try:
        publish(parser.parse_args(arguments).site, os.environ.get("PAPER"))
    except (PublishError, CountingError, OSError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
