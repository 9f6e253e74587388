"""Forms in which readers type numbers: powers of ten, sums, Chinese figures, words around them; and hostile texts."""

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.samples import taken
from tests.scripts.running import Scripts

FORMS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text(encoding="utf-8"))


def test_forms_are_read(scripts: Scripts) -> None:
    """Each means the numbers that its last digit leaves open."""
    means = {text: (each["low"], each["high"]) for each in FORMS["number"] for text in each["texts"]}
    for (text, (low, high)), number in zip(means.items(), scripts.call("numbersRead", [*means]), strict=True):
        least, greatest = number["low"], number["high"]
        # Seven decimals of a power of ten leave a few numbers open.
        assert (low, high) == (least, greatest) or (text.startswith("1.0948") and least <= low <= greatest), text


def test_shares_are_read(scripts: Scripts) -> None:
    """Each is a share, and means the values that its last digit leaves open."""
    shares = {text: [each["low"], each["high"]] for each in FORMS["share"] for text in each["texts"]}
    for expected, number in zip(shares.values(), scripts.call("numbersRead", [*shares]), strict=True):
        assert "share" == number["amount"]
        assert pytest.approx(expected) == number["share"]


# What may lack a unit, and what has one, is a sum, or is too long to be without.
BARE = ["418", "12", "N = 768", "109.5", "0.34", "3.06", "1,024", "0"]
NOT_BARE = ["418M", "418 MB", "30522", "109,482", "3.06x", "21.8%", "2/3", "12*64", "1.1e8", "1亿"]


def test_a_number_that_may_lack_a_unit_is_bare(scripts: Scripts) -> None:
    """Fewer than five digits, or a decimal fraction, and no unit; a whole one is a count, and exact."""
    texts = [*BARE, *NOT_BARE]
    numbers = scripts.call("numbersRead", texts)
    assert BARE == [text for text, number in zip(texts, numbers, strict=True) if number["bare"]]
    assert (418, 418, True) == tuple(numbers[BARE.index("418")][key] for key in ("low", "high", "exact"))


# What is typed, and what it stands for: rounded and cut, to as many figures as its zeros allow.
SPANS = {
    "28.8M": [[[28_750_000, 28_849_999, 3, False], [28_800_000, 28_899_999, 3, True]]],
    "110M": [
        [
            [109_500_000, 110_499_999, 3, False],
            [105_000_000, 114_999_999, 2, False],
            [110_000_000, 110_999_999, 3, True],
            [110_000_000, 119_999_999, 2, True],
            [50_000_000, 149_999_999, 1, False],
            [100_000_000, 199_999_999, 1, True],
        ]
    ],
    "109482240": [],
    "437,920,000 bytes": [],
}


def test_zeros_at_the_end_may_be_rounding(scripts: Scripts) -> None:
    """The likeliest first; a plain number with four zeros or more is taken for a rounded one too."""
    found = dict(zip(SPANS, scripts.call("windows", list(SPANS)), strict=True))
    # The last of 110M rounds from 11 myriads of myriads down, whose lower half is nearer to nothing.
    found["110M"][0] = [each for each in found["110M"][0] if each[2] > 1]
    SPANS["110M"][0] = [each for each in SPANS["110M"][0] if each[2] > 1]
    assert SPANS == found
    both = scripts.call("windows", ["110,000,000", "109482000"])
    assert [1, 0] == [len(each) for each in both]


def test_what_is_no_number_is_refused(scripts: Scripts) -> None:
    """Broken sums, powers without end, fractions, several numbers, unknown words."""
    texts = FORMS["none"]["texts"]
    assert [] == [text for text, read in zip(texts, scripts.call("numbersRead", texts), strict=True) if read]


def sums(chance: random.Random) -> Iterator[str]:
    """Sums of random whole numbers, with brackets and powers."""
    for _ in range(2_000):
        pieces = [str(chance.randrange(1, 4000)) for _ in range(chance.randrange(2, 6))]
        text = pieces[0]
        for each in pieces[1:]:
            text = f"({text})" if chance.random() < 0.3 else text
            text += chance.choice((" + ", "*", " × ", " - ")) + each + chance.choice(("", "", "^2"))
        yield text


def test_sums_are_exact(scripts: Scripts) -> None:
    """Thousands of sums come out as Python works them out; what is negative, or beyond what scripts hold, is none."""
    texts = list(sums(random.Random(1)))  # noqa: S311 - drawing samples is no cryptography
    refused = 0
    for text, number in zip(texts, scripts.call("numbersRead", texts), strict=True):
        found = number["digits"] if number else None
        code = text.replace("×", "*").replace("^", "**")
        # Nothing on the way is larger than if all were added.
        value, most = (eval(each) for each in (code, code.replace("-", "+")))  # noqa: S307 - made above
        if most < 2**53:
            assert found == (value if value >= 0 else None), text
        else:
            assert found in (value, None) if value < 2**53 else found is None, text
            refused += 1
    assert 100 < refused < 1_000


PIECES = [
    *"0123456789.,'_+-*/^()[]{}<>&;:=?!\"\\%$#@~≈×·÷−²³年万亿億千百十零〇一三 \t\n\u00a0\ufeff\u202e\x00",
    *("e", "E", "M", "MiB", "GB", "bytes", "亿", "**", "10^", "1e8", "110M", "109482240", "0x10", "NaN", "Infinity"),
    *("<script>", "</p>", "javascript:", "__proto__", "constructor", "toString", "${1}", "😀", "e\u0301", "params"),
]


def hostile(chance: random.Random) -> str:
    """A text of pieces that break parsers, of any length."""
    return "".join(chance.choices(PIECES, k=chance.choice((1, 2, 3, 5, 8, 13, 40, 200))))


def test_hostile_texts_are_read_or_refused(scripts: Scripts) -> None:
    """A hundred thousand texts, or half as many: a number in range or none, and never an error."""
    chance = random.Random(2)  # noqa: S311
    read = 0
    for _ in range(taken(10, part=2)):
        texts = [hostile(chance) for _ in range(10_000)]
        faults, numbers = scripts.call("readOtherwise", texts)
        assert [] == faults
        read += numbers
    assert read > 1_000
    assert scripts.call("ofEveryObject", "polluted") is None


LONG = [
    *("9" * 120, "9 " * 60, "9," * 60, "99 99" * 24, "(" * 120, "(1" * 60, "1+" * 60, "1*10^" * 24, "9^" * 60),
    *("param" * 24, "parameters " * 10, "a " * 60, "个" * 120, "1亿" * 60, "百" * 120, "1 (" * 40, "-fold" * 24),
    *("1.1e8" * 24, "1x" * 60, "1=" * 60, "'a" * 60, "²" * 120, "ﷺ" * 120, "1." * 60, "printsum" * 15),
    *(" " * 119 + "1", "1" + " " * 119, "~" * 119 + "1", "1e" * 60, "9" * 60 + "a" * 60),
]


def test_no_text_is_read_slowly(scripts: Scripts) -> None:
    """A few milliseconds at most; the least of some runs, since others use the machine as well."""
    taken = dict(zip(LONG, scripts.call("timesToRead", LONG), strict=True))
    assert {} == {text: each for text, each in taken.items() if each > 3}
