"""What can be wrong with a folder that is to be published, and how a command says so."""

import sys


class PublishError(Exception):
    """A site that cannot be published; names the page or folder, and what would help."""


def failed(error: Exception) -> int:
    """Says in one line why a command cannot do what it is to do; returns its exit status."""
    print(f"{type(error).__name__}: {error}", file=sys.stderr)
    return 2
