"""Finds the equations printed on pages and evaluates them again, exactly."""

import re
from collections import Counter
from fractions import Fraction

NUMBER = r"\d[\d,]*(?:\.\d+)?"
POWER_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
POWER = "[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
UNIT = r" (?:parameters|bytes|heads)(?:, \w+)?| [KMG]?i?B\b"
AMOUNT = re.compile(r"([\d,]+(?:\.(\d+))?) ([KMG]i?B)")
"""An amount of memory: the number, its decimals and its unit."""

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
"""The bytes in each unit of memory."""

TERM = rf"[+−]?\(*[+−]?{NUMBER}(?:{POWER})?%?\)*(?:{POWER})?(?:{UNIT})?"
SIDE = rf"{TERM}(?: ?[×·÷/+−*] ?{TERM})*"
EQUATION = re.compile(rf"{SIDE}(?: [=≈] {SIDE})+")
EQUALS = re.compile(r"[\d)%⁰¹²³⁴⁵⁶⁷⁸⁹B] [=≈] [+−]?\d")
"""A sign between two numbers, which shows that there is an equation even if `EQUATION` cannot read it."""


def value(side: str) -> Fraction:
    """The value of one side of an equation; its unit is ignored.

    >>> value("2·(3² + 1) + 5 − 1 bytes"), value("1,000 ÷ 3"), value("12.5%"), value("(−2) × (−3)")
    (Fraction(24, 1), Fraction(1000, 3), Fraction(1, 8), Fraction(6, 1))
    """
    plain = re.sub(UNIT, "", side).replace(",", "").replace("%", " / 100")
    for sign, python in (("×", "*"), ("·", "*"), ("÷", "/"), ("−", "-")):
        plain = plain.replace(sign, python)
    plain = re.sub(POWER, lambda power: f"**{power[0].translate(POWER_DIGITS)}", plain)
    assert re.fullmatch(r"[0-9.()*/+\- ]+", plain), side
    exact = re.sub(r"(?<!\*\*)\b[0-9.]+", lambda digits: f"Fraction('{digits[0]}')", plain)
    return Fraction(eval(exact, {"__builtins__": {}, "Fraction": Fraction}))  # noqa: S307  digits and signs


def is_wrong(equation: str) -> bool:
    """Return whether the sides of an equation differ. After ≈, a side may differ by half a unit of its last digit.

    >>> is_wrong("1 ÷ 3 ≈ 33.3%"), is_wrong("1 ÷ 3 ≈ 33.4%"), is_wrong("1 ÷ 3 = 33.3%")
    (False, True, True)
    >>> is_wrong("2,097,152 ÷ 2²⁰ ≈ 2.0 MiB"), is_wrong("2,097,152 ÷ 2²⁰ ≈ 2.0 MB")
    (False, True)
    >>> is_wrong("437.9 MB = 417.6 MiB"), is_wrong("437.9 MB = 417.8 MiB")
    (False, True)
    """
    first, *rest = re.split(" ([=≈]) ", equation)
    amounts = [AMOUNT.fullmatch(side) for side in (first, *rest[1::2])]
    if all(amounts):
        return amounts_differ([amount for amount in amounts if amount])
    if amounts[-1] and value(first.rpartition(" ÷ ")[2]) != UNITS[amounts[-1][3]]:
        return True  # divided by one unit, but named after another
    for sign, side in zip(rest[::2], rest[1::2], strict=True):
        decimals = len(side.partition(".")[2].rstrip("% KMGiB"))
        half_a_unit = Fraction(1, 2 * 10**decimals * (100 if "%" in side else 1))
        if abs(value(side) - value(first)) > (half_a_unit if sign == "≈" else 0):
            return True
    return False


def amounts_differ(amounts: list[re.Match[str]]) -> bool:
    """Return whether amounts of memory, each rounded to its last digit, cannot be the same number of bytes."""
    lowest = max(
        (value(amount[1]) - Fraction(1, 2 * 10 ** len(amount[2] or ""))) * UNITS[amount[3]] for amount in amounts
    )
    highest = min(
        (value(amount[1]) + Fraction(1, 2 * 10 ** len(amount[2] or ""))) * UNITS[amount[3]] for amount in amounts
    )
    return lowest > highest


def equations(text: str) -> list[str]:
    """Every equation between numbers in a text.

    >>> equations("It has 2 × 3 = 6 parts, and 6 ÷ 4 ≈ 1.5 each; H = 768, and 7 + (−1) = 6.")
    ['2 × 3 = 6', '6 ÷ 4 ≈ 1.5', '7 + (−1) = 6']
    """
    return [equation for line in text.splitlines() if EQUALS.search(line) for equation in EQUATION.findall(line)]


def unread(text: str) -> list[str]:
    """The surroundings of each equals sign whose equation `equations` misses, or reads without its beginning.

    >>> unread("1 + 1 = 2, and 3 × x + 1 = 4")
    ['3 × x + 1 = 4']
    """
    matches = list(EQUATION.finditer(text))
    # After a word or a bracket, a sign shows that the equation starts further left.
    truncated = [match for match in matches if re.search(r"[\w)][×·÷/+− ]*[×·÷/+−] ?$", text[: match.start()])]
    complete = {match for match in matches if match not in truncated}
    signs = [match.start() for match in EQUALS.finditer(text)]
    unmatched = [start for start in signs if not any(match.start() <= start < match.end() for match in complete)]
    return [text[max(0, start - 8) : start + 5].strip() for start in unmatched]


def faults_in(text: str) -> list[str]:
    """The equations of a text that are wrong or cannot be read."""
    return [equation for equation in equations(text) if is_wrong(equation)] + unread(text)


def number_in(text: str) -> Fraction:
    """The last number of a text, with the sign before it.

    >>> number_in("change V to 30,000: −401,418")
    Fraction(-401418, 1)
    """
    return value(re.findall(rf"[+−]?{NUMBER}%?", text)[-1])


def loose_ends(lines: list[str]) -> list[str]:
    """Intermediate results of a worked sum that no later line uses.

    The result of the last line is that of the whole sum, so nothing has to use it.

    >>> loose_ends(["2 × 3 = 6", "2 × 5 = 10", "6 + 10 = 16"]), loose_ends(["2 × 3 = 6", "7 + 1 = 8"])
    ([], ['6'])
    >>> loose_ends(["2 × 3 bytes = 6 bytes", "6 ÷ 10⁶ ≈ 0.0 MB", "6 ÷ 2²⁰ ≈ 0.0 MiB"])
    []
    """
    pending: Counter[str] = Counter()
    for line in lines:
        terms, equals, result = line.partition(" = ")
        pending -= Counter(re.findall(NUMBER, terms.partition(" ≈ ")[0]))
        # A rounded figure is only for reading: no later line uses it.
        pending[re.sub(UNIT, "", result)] += bool(equals)
    pending[re.sub(UNIT, "", lines[-1].partition(" = ")[2])] -= 1
    return sorted(pending.elements())
