"""Finds the equations printed on pages and evaluates them again, exactly."""

import re
from collections import Counter
from fractions import Fraction

NUMBER = r"\d[\d,]*(?:\.\d+)?"
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
POWER = "[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
UNIT = r" (?:parameters|bytes|heads)(?:, \w+)?| [KMG]?i?B\b"
AMOUNT = re.compile(r"([\d,]+(?:\.(\d+))?) ([KMG]i?B)")
UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}

TERM = rf"[+−]?\(*[+−]?{NUMBER}(?:{POWER})?%?\)*(?:{POWER})?(?:{UNIT})?"
SIDE = rf"{TERM}(?: ?[×·÷/+−*] ?{TERM})*"
EQUATION = re.compile(rf"{SIDE}(?: [=≈] {SIDE})+")
EQUALS = re.compile(r"[\d)%⁰¹²³⁴⁵⁶⁷⁸⁹B] [=≈] [+−]?\d")


def value(side: str) -> Fraction:
    """The value of one side of an equation; its unit is ignored.

    >>> value("2·(3² + 1) + 5 − 1 bytes"), value("1,000 ÷ 3"), value("12.5%"), value("(−2) × (−3)")
    (Fraction(24, 1), Fraction(1000, 3), Fraction(1, 8), Fraction(6, 1))
    """
    plain = re.sub(UNIT, "", side).replace(",", "").replace("%", " / 100")
    for sign, python in (("×", "*"), ("·", "*"), ("÷", "/"), ("−", "-")):
        plain = plain.replace(sign, python)
    plain = re.sub(POWER, lambda power: f"**{power[0].translate(POWERS)}", plain)
    assert re.fullmatch(r"[0-9.()*/+\- ]+", plain), side
    exact = re.sub(r"(?<!\*\*)\b[0-9.]+", lambda digits: f"Fraction('{digits[0]}')", plain)
    return Fraction(eval(exact, {"__builtins__": {}, "Fraction": Fraction}))  # noqa: S307  digits and signs


def wrong_line(line: str) -> bool:
    """Return whether the sides of a line differ. A rounded side (≈) may differ by half a unit of its last digit.

    >>> wrong_line("1 ÷ 3 ≈ 33.3%"), wrong_line("1 ÷ 3 ≈ 33.4%"), wrong_line("1 ÷ 3 = 33.3%")
    (False, True, True)
    >>> wrong_line("2,097,152 ÷ 2²⁰ ≈ 2.0 MiB"), wrong_line("2,097,152 ÷ 2²⁰ ≈ 2.0 MB")
    (False, True)
    >>> wrong_line("437.9 MB = 417.6 MiB"), wrong_line("437.9 MB = 417.8 MiB")
    (False, True)
    """
    first, *rest = re.split(" ([=≈]) ", line)
    amounts = [AMOUNT.fullmatch(side) for side in (first, *rest[1::2])]
    if all(amounts):
        return disagree([amount for amount in amounts if amount])
    if amounts[-1] and value(first.rpartition(" ÷ ")[2]) != UNITS[amounts[-1][3]]:
        return True  # divided by one unit, but named after another
    for sign, side in zip(rest[::2], rest[1::2], strict=True):
        decimals = len(side.partition(".")[2].rstrip("% KMGiB"))
        half = Fraction(1, 2 * 10**decimals * (100 if "%" in side else 1))
        if abs(value(side) - value(first)) > (half if sign == "≈" else 0):
            return True
    return False


def disagree(amounts: list[re.Match[str]]) -> bool:
    """Return whether amounts of memory, each rounded to its last digit, cannot be the same number of bytes."""
    low = max((value(amount[1]) - Fraction(1, 2 * 10 ** len(amount[2] or ""))) * UNITS[amount[3]] for amount in amounts)
    high = min(
        (value(amount[1]) + Fraction(1, 2 * 10 ** len(amount[2] or ""))) * UNITS[amount[3]] for amount in amounts
    )
    return low > high


def equations(text: str) -> list[str]:
    """Every equation between numbers in a text.

    >>> equations("It has 2 × 3 = 6 parts, and 6 ÷ 4 ≈ 1.5 each; H = 768, and 7 + (−1) = 6.")
    ['2 × 3 = 6', '6 ÷ 4 ≈ 1.5', '7 + (−1) = 6']
    """
    return [equation for line in text.splitlines() if EQUALS.search(line) for equation in EQUATION.findall(line)]


def unread(text: str) -> list[str]:
    """Lines with an equals sign between numbers that `equations` misses, or reads only at the end.

    >>> unread("1 + 1 = 2, and 3 × x + 1 = 4")
    ['3 × x + 1 = 4']
    """
    matches = list(EQUATION.finditer(text))
    truncated = [match for match in matches if re.search(r"[\w)][×·÷/+− ]*[×·÷/+−] ?$", text[: match.start()])]
    complete = {match for match in matches if match not in truncated}
    signs = [match.start() for match in EQUALS.finditer(text)]
    unmatched = [start for start in signs if not any(match.start() <= start < match.end() for match in complete)]
    return [text[max(0, start - 8) : start + 5].strip() for start in unmatched]


def faults_in(text: str) -> list[str]:
    """The equations of a text that are wrong or cannot be read."""
    return [equation for equation in equations(text) if wrong_line(equation)] + unread(text)


def number_in(text: str) -> Fraction:
    """The last number of a text, with the sign before it.

    >>> number_in("change V to 30,000: −401,418")
    Fraction(-401418, 1)
    """
    return value(re.findall(rf"[+−]?{NUMBER}%?", text)[-1])


def loose_ends(lines: list[str]) -> list[str]:
    """Intermediate results of a worked sum that no later line uses.

    The result of the last line is that of the whole sum.

    >>> loose_ends(["2 × 3 = 6", "2 × 5 = 10", "6 + 10 = 16"]), loose_ends(["2 × 3 = 6", "7 + 1 = 8"])
    ([], ['6'])
    >>> loose_ends(["2 × 3 bytes = 6 bytes", "6 ÷ 10⁶ ≈ 0.0 MB", "6 ÷ 2²⁰ ≈ 0.0 MiB"])
    []
    """
    pending: Counter[str] = Counter()
    for line in lines:
        terms, exact, result = line.partition(" = ")
        pending -= Counter(re.findall(NUMBER, terms.partition(" ≈ ")[0]))
        # A rounded figure is only for reading: no later line uses it.
        pending[re.sub(UNIT, "", result)] += bool(exact)
    pending[re.sub(UNIT, "", lines[-1].partition(" = ")[2])] -= 1
    return sorted(pending.elements())
