"""Forms in which readers type numbers: powers of ten, sums, Chinese figures, words around them; and hostile texts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.docs.scripts import called

READ = """texts => texts.map((text) => {
  const asked = bertCounted.read(text)
  return asked && [asked.low, asked.high, asked.exact]
})"""

FORMS = {
    (105_000_000, 114_999_999): [
        *("1.1e8", "1.1億", "1亿1千万", "约1.1亿个参数", "approx 110M params.", "ca. 110M", "circa 110M", "about 110M"),
        *("≈110M", "约110M", "大约110M", "1,1e8", "~1.1e8", "ca. 1.1e8", "1.1e8params", "1.1e8 parameters"),
        *("got “110M”", "= 110M", "total: 110M!", "it has 110 M weights", "it has 110 million weights", "110M! "),
        *("约一亿一千万左右", "1亿1千万個參數", "1亿1千萬", "1.1 × 108", "110M ( parameters ) ..."),
        *("1亿1千万个参数左右",),
    ],
    (109_482_240, 109_482_240): [
        *("1.09482240e8", "I got 109,482,240 parameters", "Total params: 109,482,240", "109482240.0"),
        *("109482240/1e6", "109482240 / 1,000", "109482240/1_000_000", "109482240/1024/1024", "109482240÷2^20"),
        *("109482240/10**6=", "109482240/2²⁰", "109482240/1,000,000", "(109482240)/1e6", "109,482,240 in total"),
    ],
    (334_500_000, 335_499_999): ["3.35 × 10^8", "3.35 x 10⁸"],
    (109_450_000, 109_549_999): ["1.095*10**8", "１０９．５M", "109。5M", "I got 109.5M params"],
    (335_000_000, 344_999_999): ["三亿四千万"],
    (28_311_552, 28_311_552): ["12*768*768*4"],
    (23_834_112, 23_834_112): ["30522*768 + 512*768"],
    (84_934_656, 84_934_656): ["12 × (4 × 768² + 2 × 768 × 3,072) ="],
    (2_362_368, 2_362_368): ["[768^2+768]*4 = ?"],
    (108_891_648, 108_891_648): ["109482240 - 590592"],
    (49_152, 49_152): ["589824/12"],
    (8, 8): ["2 + 3 - 1 + 4"],
    (56, 56): ["７＊８"],
    (1_024, 1_024): ["2¹⁰"],
    (1_450_000_000_000_000, 1_549_999_999_999_999): ["1.5e15"],
    (1_233_500_000, 1_234_499_999): ["1,234M"],
    (1_233_500, 1_234_499): ["1.234M"],
    (216, 216): ["2 × 108"],
    (28, 28): ["2*10+8"],
    (15_000_000, 24_999_999): ["二千万", "两千万", "兩千万"],
    (100_000_450, 100_000_549): ["一亿五百"],
    (100_000_005, 100_000_005): ["一亿零五"],
    (2**53 - 1, 2**53 - 1): ["90071992亿5474万0991"],
}

# The same, of texts in other scripts and languages, with signs, words and units in other places.
MORE_FORMS = {
    (105_000_000, 114_999_999): [
        *("１１０Ｍ", "⑪⓪M", ">110M", "< 110M", "≥110M", ">=110M", "110M+", "110 Mio.", "110 mln", "110 Millionen"),
        *("#params: 110M", "N = 110M", "n=110 million", "110Mparams", "110 M (rounded)", "it's 110M", "I've got 110M"),
        *("110 millions de paramètres", "11 crore", "11千万", "110百万", "1.1×10⁸", "0,11 Mrd", "0.11 milliards"),
        *("{110M}", "«110M»", "110M || 109M", "model params = 110M = 0.11B"),
    ],
    (108_500_000, 109_499_999): ["10.9 crore", "10.9 Crores", "109e6"],
    (109_450_000, 109_549_999): ["1095 lakh", "1,095 lakhs", "109,5 Mio", "109.5 M\u202f"],
    (109_482_240, 109_482_240): [
        *("Total params: 109,482,240 (417.64 MB)", "Non-trainable params: 109,482,240", "10,94,82,240", "10 94 82 240"),
        *("109\u2009482\u2009240", "109\u202f482\u202f240", "109’482’240", "109_482_240", "109482240 weights in total"),
        *("109,482,240 (110M)", "number of parameters = 109482240", "+109,482,240"),
    ],
    (294_912, 294_912): ["trainable params: 294,912 || all params: 109,777,152 || trainable%: 0.2686"],
    (437_928_960, 437_928_960): ["109,482,240 × 4 = 437,928,960", "109482240*4/1e6"],
    (334_500_000, 335_499_999): ["0,335 Mrd", "0.335B"],
    # A sum is as uncertain as its least exact term.
    (17_760, 1_017_759): ["110M − 109,482,240", "110M - 109,482,240"],
    (85_020_000, 85_139_999): ["12 x 7.09M", "7.09M × 12", "12 times 7.09M"],
    (108_300_000, 109_299_999): ["23.8M + 85M", "(23.8M + 85M)"],
    (24_000_000, 24_999_999): ["109.5M - 85M"],
    (315_000_000, 344_999_999): ["3 x 110M"],
    (8_750_000, 9_583_333): ["110M/12"],
    (340_200_000, 341_399_999): ["12 × 28.4 MB"],
    (218_964_480, 218_964_480): ["109,482,240 * 2 bytes"],
}


def test_forms_are_read(page: Page) -> None:
    """Each means the numbers that its last digit leaves open."""
    forms = [(text, bounds) for each in (FORMS, MORE_FORMS) for bounds, texts in each.items() for text in texts]
    for (text, (low, high)), (least, greatest, _) in zip(
        forms, called(page, READ, [each[0] for each in forms]), strict=True
    ):
        # Seven decimals of a power of ten leave a few numbers open.
        assert (low, high) == (least, greatest) or (text.startswith("1.0948") and least <= low <= greatest), text


SHARES = {
    "50%": [0.495, 0.505],
    "77.7％": [0.7765, 0.7775],
    "51.8 percent": [0.5175, 0.5185],
    "0.25%": [0.00245, 0.00255],
    **{f"12.5{times}": [12.45, 12.55] for times in ("", "x", "×", " times", "fold", "-fold", "倍")},
    "25x": [24.5, 25.5],
    "21,8 %": [0.2175, 0.2185],
    "0.27% trainable": [0.00265, 0.00275],
    "0,327": [0.3265, 0.3275],
    # A fraction of small numbers is meant to a hundredth of itself; one of totals exactly.
    "2/3": [0.66, 0.67333333],
    "½": [0.495, 0.505],
    "335,141,888 ÷ 109,482,240": [3.06115411, 3.06115411],
}


def test_shares_are_read(page: Page) -> None:
    """Each is a share, and means the values that its last digit leaves open."""
    read = "texts => texts.map((text) => bertCounted.read(text)).map(({ amount, share }) => [amount, share])"
    for expected, (amount, share) in zip(SHARES.values(), called(page, read, list(SHARES)), strict=True):
        assert "share" == amount
        assert pytest.approx(expected) == share


# What may lack a unit, and what has one, is a sum, or is too long to be without.
BARE = ["418", "12", "N = 768", "109.5", "0.34", "3.06", "1,024", "0"]
NOT_BARE = ["418M", "418 MB", "30522", "109,482", "3.06x", "21.8%", "2/3", "12*64", "1.1e8", "1亿"]


def test_a_number_that_may_lack_a_unit_is_bare(page: Page) -> None:
    """Fewer than five digits, or a decimal fraction, and no unit; a whole one is a count, and exact."""
    bare = "texts => texts.filter((text) => bertCounted.read(text).bare)"
    assert BARE == called(page, bare, [*BARE, *NOT_BARE])
    assert [[418, 418, True]] == called(page, READ, ["418"])


WINDOWS = """texts => texts.map(text => bertCounted.readings(text).filter(({ width }) => width)
  .map(({ windows }) => windows.map(({ low, high, figures, isCut }) => [low, high, figures, isCut])))"""

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


def test_zeros_at_the_end_may_be_rounding(page: Page) -> None:
    """The likeliest first; a plain number with four zeros or more is taken for a rounded one too."""
    found = dict(zip(SPANS, called(page, WINDOWS, list(SPANS)), strict=True))
    # The last of 110M rounds from 11 myriads of myriads down, whose lower half is nearer to nothing.
    found["110M"][0] = [each for each in found["110M"][0] if each[2] > 1]
    SPANS["110M"][0] = [each for each in SPANS["110M"][0] if each[2] > 1]
    assert SPANS == found
    both = called(page, WINDOWS, ["110,000,000", "109482000"])
    assert [1, 0] == [len(each) for each in both]


def test_the_result_of_a_rounded_sum_is_said_to_be_about_that(page: Page) -> None:
    """What is worked out stands before the answer, and is equal only where every term is exact."""
    says = (
        "texts => texts.map((text) => bertCounted.answer.answerTo(text, '', bertCounted.explain(text))[0].textContent)"
    )
    exact, about = called(page, says, [" 23,837,184 + 12 × 7,087,872 = ? ", "23.8M + 85M"])
    assert exact.startswith("23,837,184 + 12 × 7,087,872 = 108,891,648. ")
    assert about.startswith("23.8M + 85M ≈ 108,800,000. ")


NO_NUMBERS = [
    *("1 + ", "(1", "1)", "1 ** ", "2^-1", "5/2", "1/0", "3 apples", "eval(1)", "1;2", "constructor", "9^9^9^9"),
    *("9**99",),
    *("2^65", "((((((", "--5", "1e99", "亿", "亿亿", "二三", "110M or 109M", "-5", "1 - 2", "1万2万", "1亿1亿"),
    *("1~10M",),
    *("hello 110 million", "110M of apples", "110M 1", "0.5e8", "1e16", "109482240/7e6", "109482240/1e6/7e6"),
    *("99999999亿1万", "110M,5 M", "1 2x", "1.1e8apples", "1亿大1千万", "一亿二三", "90071992亿5474万0992", "hello"),
    *("M",),
    *("---", "😀", "NaN", "V * H", "1 2", "110M-120M", "418 MB - 110M", "12i", "8529.i", ".5", "-110M", "10M^2"),
    *("1M/12345678", "21.8% + 77.7%", "12 / 110M", "1e8M", "x 12", "3/2", "2/3M", "1/2/3", "109482240 / 7 MB", "²"),
    *("٣",),
]


def test_what_is_no_number_is_refused(page: Page) -> None:
    """Broken sums, powers without end, fractions, several numbers, unknown words."""
    assert [] == [text for text, read in zip(NO_NUMBERS, called(page, READ, NO_NUMBERS), strict=True) if read]


def sums(chance: random.Random) -> Iterator[str]:
    """Sums of random whole numbers, with brackets and powers."""
    for _ in range(2_000):
        pieces = [str(chance.randrange(1, 4000)) for _ in range(chance.randrange(2, 6))]
        text = pieces[0]
        for each in pieces[1:]:
            text = f"({text})" if chance.random() < 0.3 else text
            text += chance.choice((" + ", "*", " × ", " - ")) + each + chance.choice(("", "", "^2"))
        yield text


def test_sums_are_exact(page: Page) -> None:
    """Thousands of sums come out as Python works them out; what is negative, or beyond what scripts hold, is none."""
    texts = list(sums(random.Random(1)))  # noqa: S311 - drawing samples is no cryptography
    refused = 0
    read = "texts => texts.map((text) => bertCounted.read(text)).map((asked) => asked?.digits ?? null)"
    for text, found in zip(texts, called(page, read, texts), strict=True):
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

HOSTILE = """texts => {
  let numbers = 0
  const faults = texts.flatMap((text) => {
    try {
      const asked = bertCounted.read(text)
      if (asked === null) return []
      numbers++
      const fine = Number.isSafeInteger(asked.low) && asked.low >= 0 && asked.high >= asked.low
      return fine || asked.amount === "share" ? [] : [[text, JSON.stringify([asked.low, asked.high])]]
    } catch (error) {
      return [[text, String(error)]]
    }
  })
  return [faults, numbers]
}"""
"""The texts that are read otherwise than they may be, and how many are numbers."""

ANSWERED = """texts => texts.flatMap((text) => {
  const place = document.createElement("div")
  try {
    place.append(...bertCounted.answer.answerTo(text, "", bertCounted.explain(text)))
    return place.querySelector("script, img, b, iframe, [onerror]") || !place.textContent ? [text] : []
  } catch (error) {
    return [[text, String(error)]]
  }
})"""


def hostile(chance: random.Random) -> str:
    """A text of pieces that break parsers, of any length."""
    return "".join(chance.choices(PIECES, k=chance.choice((1, 2, 3, 5, 8, 13, 40, 200))))


def test_hostile_texts_are_read_or_refused(page: Page) -> None:
    """A hundred thousand texts: a number in range or none, and never an error."""
    chance = random.Random(2)  # noqa: S311
    read = 0
    for _ in range(10):
        texts = [hostile(chance) for _ in range(10_000)]
        faults, numbers = called(page, HOSTILE, texts)
        assert [] == faults
        read += numbers
    assert read > 2_000
    assert page.evaluate("Object.prototype.polluted") is None


def test_hostile_texts_are_answered_as_text(page: Page) -> None:
    """Some of them through to the answer: words, and never an element that was typed."""
    chance = random.Random(3)  # noqa: S311
    texts = [hostile(chance) for _ in range(1_500)]
    assert [] == called(page, ANSWERED, texts)
    assert sum(bool(re.search("<script>|</p>", text)) for text in texts) > 100


LONG = [
    *("9" * 120, "9 " * 60, "9," * 60, "99 99" * 24, "(" * 120, "(1" * 60, "1+" * 60, "1*10^" * 24, "9^" * 60),
    *("param" * 24, "parameters " * 10, "a " * 60, "个" * 120, "1亿" * 60, "百" * 120, "1 (" * 40, "-fold" * 24),
    *("1.1e8" * 24, "1x" * 60, "1=" * 60, "'a" * 60, "²" * 120, "ﷺ" * 120, "1." * 60, "printsum" * 15),
    *(" " * 119 + "1", "1" + " " * 119, "~" * 119 + "1", "1e" * 60, "9" * 60 + "a" * 60),
]

MILLISECONDS = """texts => texts.map((text) => {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    bertCounted.read(text)
    return performance.now() - start
  })
  return Math.min(...times)
})"""


def test_no_text_is_read_slowly(page: Page) -> None:
    """A few milliseconds at most; the least of some runs, since others use the machine as well."""
    taken = dict(zip(LONG, called(page, MILLISECONDS, LONG), strict=True))
    assert {} == {text: each for text, each in taken.items() if each > 3}
