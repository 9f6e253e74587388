"""The command: `python -m macros.publish SITE`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from macros.counting import CountingError

from . import PublishError, publish


def main(arguments: Sequence[str] | None = None) -> int:
    """Publishes a folder; returns the exit status, which is 2 where that cannot be done."""
    about = "Make a built site ready for its readers; PAPER says whether a browser prints it, as in `make build`."
    parser = argparse.ArgumentParser(prog="python -m macros.publish", description=about)
    parser.add_argument("site", type=Path, help="the folder the site was built into")
    try:
        publish(parser.parse_args(arguments).site, os.environ.get("PAPER"))
    except (PublishError, CountingError, OSError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
