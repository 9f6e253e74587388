"""Breaks a script of a built site, wherever it stands, and in the repository that it was built from; and mends it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from macros.publish.scripts import JOINED, without_comments

from .finding import Mutant


@contextmanager
def broken(site: Path, root: Path, mutant: Mutant) -> Iterator[None]:
    """The site with one script broken, alone and joined with others; the names of its files stay as they are.

    Raises:
        ValueError: the script is nowhere in the site, so breaking it would change nothing.
    """
    original = (root / mutant.path).read_text()
    source = mutant.source(original)
    pairs = [(original, source), (without_comments(original), without_comments(source))]
    # Some tests load a script from where it is written.
    places = [root / mutant.path, site / Path(mutant.path).relative_to("docs"), *(site / JOINED).glob("*.js")]
    whole = {place: place.read_text() for place in places}
    changed = {place: text.replace(old, new) for place, text in whole.items() for old, new in pairs if old in text}
    if not any(site in place.parents for place in changed):
        raise ValueError(f"{mutant.path} is in none of the scripts of {site}")
    try:
        for place, text in changed.items():
            place.write_text(text)
        yield
    finally:
        for place in changed:
            place.write_text(whole[place])
