"""Makes the font of the formulas: the part of STIX Two Math that they use.

Run by `make font`, which makes its environment and gets the whole font. What
is kept besides the characters are the parts of tall brackets, sums and the
like, and the table that says how mathematics is set.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset

ROOT = Path(__file__).parents[2]
FONT = ROOT / "docs" / "assets" / "fonts" / "stix-two-math.woff2"

PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
GREEK = "αβγδεζηθλμπρστφωΔΣ"
SIGNS = " \u00a0()[]{}|+−-=<>≤≥≈≠·×÷/,.:;!%∑∏√∂∞⊤⋯…′‖⌊⌋⌈⌉∈ℎ"
"""Planck's constant is the italic h."""


def italic(letter: str) -> str:
    """The italic of a letter, as browsers set a variable."""
    for first, last, to in (("A", "Z", 0x1D434), ("a", "z", 0x1D44E), ("Α", "Ω", 0x1D6E2), ("α", "ω", 0x1D6FC)):
        if first <= letter <= last:
            return chr(to + ord(letter) - ord(first))
    raise ValueError(f"{letter!r} has no italic; letters of the Latin and the Greek alphabet have one")


CHARACTERS = PLAIN + GREEK + SIGNS + "".join(italic(each) for each in PLAIN + GREEK if each.isalpha() and each != "h")


def main(source: str) -> None:
    """Writes the font, from the file of the whole one."""
    options = subset.Options(flavor="woff2", layout_features=["ssty", "dtls"], hinting=False, notdef_outline=True)
    font = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=CHARACTERS)
    subsetter.subset(font)
    FONT.parent.mkdir(exist_ok=True)
    subset.save_font(font, str(FONT), options)


if __name__ == "__main__":
    main(sys.argv[1])
