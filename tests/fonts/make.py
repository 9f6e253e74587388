"""Makes the font of the formulas: the part of STIX Two Math that they use.

CONTRIBUTING.md says how to run it, and how to get the whole font. What
is kept besides the characters are the parts of tall brackets, sums and the
like, and the table that says how mathematics is set.
"""

import sys
from pathlib import Path

from fontTools import subset

ROOT = Path(__file__).parents[2]
FONT = ROOT / "docs" / "assets" / "fonts" / "stix-two-math.woff2"

PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
GREEK = "αβγδεζηθλμπρστφωΔΣ"
SIGNS = " \u00a0()[]{}|+−-=<>≤≥≈≠·×÷/,.:;!%∑∏√∂∞⊤⋯…′‖⌊⌋⌈⌉∈ℎ"
"""Planck's constant is the italic h."""

LICENCE, LICENCE_ADDRESS = 13, 14
"""Records of a font's names, as OpenType numbers them."""

ENGLISH = (3, 1, 0x409)
"""The platform, encoding and language of a record."""

OFL = (
    "This Font Software is licensed under the SIL Open Font License, Version 1.1. "
    "This license is available with a FAQ at: https://scripts.sil.org/OFL"
)
"""The note on the licence that the OFL asks a font to contain."""


def italic(letter: str) -> str:
    """The italic of a letter, as browsers set a variable."""
    for first, last, to in (("A", "Z", 0x1D434), ("a", "z", 0x1D44E), ("Α", "Ω", 0x1D6E2), ("α", "ω", 0x1D6FC)):
        if first <= letter <= last:
            return chr(to + ord(letter) - ord(first))
    raise ValueError(f"{letter!r} has no italic; letters of the Latin and the Greek alphabet have one")


CHARACTERS = (
    PLAIN
    + GREEK
    + SIGNS
    + "".join(italic(character) for character in PLAIN + GREEK if character.isalpha() and character != "h")
)


def main(source: str) -> None:
    """Writes the font, from the file of the whole one."""
    options = subset.Options(flavor="woff2", layout_features=["ssty", "dtls"], hinting=False, notdef_outline=True)
    options.name_IDs += [LICENCE, LICENCE_ADDRESS]
    font = subset.load_font(source, options)
    font["name"].setName(OFL, LICENCE, *ENGLISH)  # the package has only its address
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=CHARACTERS)
    subsetter.subset(font)
    FONT.parent.mkdir(exist_ok=True)
    subset.save_font(font, str(FONT), options)


if __name__ == "__main__":
    main(sys.argv[1])
