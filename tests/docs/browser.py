"""The browser of the tests is the one that prints."""

from macros.publish.paper.browser import OWN, advice, executable, flags

__all__ = ["OWN", "advice", "executable", "flags"]
