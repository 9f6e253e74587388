"""The browser of the tests is the one that prints."""

from macros.publish.paper.browser import OWN, advice, downloaded, executable, flags, installed, starts

__all__ = ["OWN", "advice", "downloaded", "executable", "flags", "installed", "starts"]
