"""Make the font for formulas, a subset of STIX Two Math with the characters of formulas.

CONTRIBUTING.md explains how to run this and how to get the whole font. In
addition to the characters, the subset keeps the pieces of tall brackets,
sums and the like, and the table that browsers need for mathematics.
"""

import sys
from pathlib import Path

from fontTools import subset

ROOT = Path(__file__).parents[2]
FONT = ROOT / "docs" / "assets" / "fonts" / "stix-two-math.woff2"

LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
GREEK = "αβγδεζηθλμπρστφωΔΣ"
SIGNS = " \u00a0()[]{}|+−-=<>≤≥≈≠·×÷/,.:;!%∑∏√∂∞⊤⋯…′‖⌊⌋⌈⌉∈ℎ"
"""Signs, ending with ℎ, Planck's constant, which Unicode also uses as the italic form of h."""

LICENCE, LICENCE_ADDRESS = 13, 14
"""OpenType's numbers for the entries with a font's licence and the address of the licence."""

ENGLISH_ENTRY = (3, 1, 0x409)
"""The platform (Windows), the encoding (Unicode) and the language (US English) of an entry."""

OFL = (
    "This Font Software is licensed under the SIL Open Font License, Version 1.1. "
    "This license is available with a FAQ at: https://scripts.sil.org/OFL"
)
"""The notice that the licence requires."""


def italic(letter: str) -> str:
    """The italic form of a letter, in which browsers show a variable."""
    for first, last, first_italic in (
        ("A", "Z", 0x1D434),
        ("a", "z", 0x1D44E),
        ("Α", "Ω", 0x1D6E2),
        ("α", "ω", 0x1D6FC),
    ):
        if first <= letter <= last:
            return chr(first_italic + ord(letter) - ord(first))
    raise ValueError(f"{letter!r} has no italic; letters of the Latin and the Greek alphabet have one")


CHARACTERS = (
    LETTERS_AND_DIGITS
    + GREEK
    + SIGNS
    + "".join(italic(character) for character in LETTERS_AND_DIGITS + GREEK if character.isalpha() and character != "h")
)
"""All characters in the subset."""


def main(source: str) -> None:
    """Write the subset of the font in the file `source`."""
    options = subset.Options(flavor="woff2", layout_features=["ssty", "dtls"], hinting=False, notdef_outline=True)
    options.name_IDs += [LICENCE, LICENCE_ADDRESS]
    font = subset.load_font(source, options)
    font["name"].setName(OFL, LICENCE, *ENGLISH_ENTRY)  # the source has only the address of its licence
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=CHARACTERS)
    subsetter.subset(font)
    FONT.parent.mkdir(exist_ok=True)
    subset.save_font(font, str(FONT), options)


if __name__ == "__main__":
    main(sys.argv[1])
