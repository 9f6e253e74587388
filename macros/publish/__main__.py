"""The command: `python -m macros.publish SITE`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from macros.counting import CountingError

from . import PublishError, publish
from .errors import failed


def main(arguments: Sequence[str] | None = None) -> int:
    """Publishes a folder; returns the exit status, which is 2 where that cannot be done."""
    parser = argparse.ArgumentParser(
        prog="python -m macros.publish",
        description="Make a built site ready for its readers: add the downloads, a Content-Security-Policy on each "
        "page and one style sheet. A site that is ready stays as it is.",
    )
    parser.add_argument("site", type=Path, help="the folder the site was built into")
    chosen = parser.parse_args(arguments)
    try:
        publish(chosen.site)
    except (PublishError, CountingError, OSError) as error:
        return failed(error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
