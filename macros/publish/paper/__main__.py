"""The command: `python -m macros.publish.paper SITE`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from macros.publish import PublishError, publish
from macros.publish.disk import write
from macros.publish.errors import failed

from . import NoBrowser, made, opened


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the hand-outs and figures of a site and links to them; returns the exit status, 2 where it cannot."""
    parser = argparse.ArgumentParser(
        prog="python -m macros.publish.paper",
        description="Add what only a browser can make to a published site: hand-outs as PDF, figures as PNG, and the "
        "links to them. It needs Chromium or Chrome.",
    )
    parser.add_argument("site", type=Path, help="the folder the site was published into")
    parser.add_argument("--if-possible", action="store_true", help="without a browser leave them out, and say so")
    chosen = parser.parse_args(arguments)
    try:
        with opened() as browser:
            files = dict(made(chosen.site, browser))
        for address, content in files.items():
            write(chosen.site / address, content)
        publish(chosen.site)
    except (PublishError, OSError) as error:
        if chosen.if_possible and isinstance(error, NoBrowser):
            print(f"Left out of {chosen.site}, like the links to them: {error}", file=sys.stderr)
            return 0
        return failed(error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
