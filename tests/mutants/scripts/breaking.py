"""Breaks a script of a built site, where it stands alone and where it is joined with others, and mends it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from macros.publish.scripts import JOINED, without_comments

from .finding import Mutant


@contextmanager
def broken(site: Path, root: Path, mutant: Mutant) -> Iterator[None]:
    """The site with one script broken; the names of its files stay as they are.

    Raises:
        ValueError: no page of the site runs the script, so breaking it would change nothing.
    """
    original = (root / mutant.path).read_text()
    source = mutant.source(original)
    pairs = [(original, source), (without_comments(original), without_comments(source))]
    places = [site / Path(mutant.path).relative_to("docs"), *(site / JOINED).glob("*.js")]
    whole = {place: place.read_text() for place in places}
    changed = {place: text.replace(old, new) for place, text in whole.items() for old, new in pairs if old in text}
    if not changed:
        raise ValueError(f"{mutant.path} is in none of the scripts of {site}")
    try:
        for place, text in changed.items():
            place.write_text(text)
        yield
    finally:
        for place in changed:
            place.write_text(whole[place])
