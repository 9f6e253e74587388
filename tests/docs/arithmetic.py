"""Finds the equations printed on pages and re-evaluates them exactly."""

import re
from collections import Counter
from fractions import Fraction

NUMBER = r"\d[\d,]*(?:\.\d+)?"
POWER_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
POWER = "[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
UNIT = r" (?:parameters|bytes?|heads)(?:, \w+)?| [KMG]?i?B\b"
AMOUNT = re.compile(r"([\d,]+(?:\.(\d+))?) ([KMG]i?B)")
"""An amount of memory. Its groups are the number, its decimals and its unit."""

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
"""The number of bytes in each unit of memory."""

TERM = rf"[+−]?\(*[+−]?{NUMBER}(?:{POWER})?%?\)*(?:{POWER})?(?:{UNIT})?"
SIDE = rf"{TERM}(?: ?[×·÷/+−*] ?{TERM})*"
EQUATION = re.compile(rf"{SIDE}(?: [=≈] {SIDE})+")
EQUALS = re.compile(r"[\d)%⁰¹²³⁴⁵⁶⁷⁸⁹B] [=≈] [+−]?\d")
"""An equals sign, or ≈, between two numbers. It belongs to an equation even where `EQUATION` does not match."""


DIVISION_BY_ZERO = re.compile(r"÷ 0(?![\d.,])")


def value(side: str) -> Fraction:
    """The value of one side of an equation, without its unit.

    >>> value("2·(3² + 1) + 5 − 1 byte"), value("1,000 ÷ 3"), value("12.5%"), value("(−2) × (−3)")
    (Fraction(24, 1), Fraction(1000, 3), Fraction(1, 8), Fraction(6, 1))
    """
    expression = re.sub(UNIT, "", side).replace(",", "").replace("%", " / 100")
    for sign, operator in (("×", "*"), ("·", "*"), ("÷", "/"), ("−", "-")):
        expression = expression.replace(sign, operator)
    expression = re.sub(POWER, lambda power: f"**{power[0].translate(POWER_DIGITS)}", expression)
    assert re.fullmatch(r"[0-9.()*/+\- ]+", expression), side
    expression = re.sub(r"(?<!\*\*)\b[0-9.]+", lambda digits: f"Fraction('{digits[0]}')", expression)
    # The assertion lets only digits and signs through, so evaluating them is safe.
    return Fraction(eval(expression, {"__builtins__": {}, "Fraction": Fraction}))  # noqa: S307


def is_wrong(equation: str) -> bool:
    """Return whether the sides of an equation differ.

    After ≈, a side may be off by half a unit of its last digit. Amounts of memory may all be rounded, even with =.

    >>> is_wrong("1 ÷ 3 ≈ 33.3%"), is_wrong("1 ÷ 3 ≈ 33.4%"), is_wrong("1 ÷ 3 = 33.3%")
    (False, True, True)
    >>> is_wrong("2,097,152 ÷ 2²⁰ ≈ 2.0 MiB"), is_wrong("2,097,152 ÷ 2²⁰ ≈ 2.0 MB")
    (False, True)
    >>> is_wrong("437.9 MB = 417.6 MiB"), is_wrong("437.9 MB = 417.8 MiB")
    (False, True)
    >>> is_wrong("8 ÷ 0 = 1")
    True
    """
    if DIVISION_BY_ZERO.search(equation):
        return True
    first, *rest = re.split(" ([=≈]) ", equation)
    amounts = [AMOUNT.fullmatch(side) for side in (first, *rest[1::2])]
    if all(amounts):
        return amounts_differ([amount for amount in amounts if amount])
    if amounts[-1] and value(first.rpartition(" ÷ ")[2]) != UNITS[amounts[-1][3]]:
        return True  # the amount has been divided by a unit other than its own
    for sign, side in zip(rest[::2], rest[1::2], strict=True):
        decimals = len(side.partition(".")[2].rstrip("% KMGiB"))
        half_a_unit = Fraction(1, 2 * 10**decimals * (100 if "%" in side else 1))
        if abs(value(side) - value(first)) > (half_a_unit if sign == "≈" else 0):
            return True
    return False


def amounts_differ(amounts: list[re.Match[str]]) -> bool:
    """Return whether amounts of memory, each rounded to its last digit, cannot represent the same number of bytes."""
    lower_ends, upper_ends = [], []
    for amount in amounts:
        number, decimals, unit = value(amount[1]), len(amount[2] or ""), UNITS[amount[3]]
        half_a_digit = Fraction(1, 2 * 10**decimals)
        lower_ends.append((number - half_a_digit) * unit)
        upper_ends.append((number + half_a_digit) * unit)
    return max(lower_ends) > min(upper_ends)


def equations(text: str) -> list[str]:
    """The equations between numbers in a text.

    >>> equations("It has 2 × 3 = 6 parts, and 6 ÷ 4 ≈ 1.5 each; H = 768, and 7 + (−1) = 6.")
    ['2 × 3 = 6', '6 ÷ 4 ≈ 1.5', '7 + (−1) = 6']
    """
    return [equation for line in text.splitlines() if EQUALS.search(line) for equation in EQUATION.findall(line)]


def unmatched_equations(text: str) -> list[str]:
    """The text around each equals sign whose equation `equations` misses, or returns without its beginning.

    >>> unmatched_equations("1 + 1 = 2, and 3 × x + 1 = 4")
    ['3 × x + 1 = 4']
    """
    matches = list(EQUATION.finditer(text))
    # If an operator after a word or a bracket precedes the match, the equation starts further left.
    truncated_matches = [match for match in matches if re.search(r"[\w)][×·÷/+− ]*[×·÷/+−] ?$", text[: match.start()])]
    complete_matches = {match for match in matches if match not in truncated_matches}
    sign_positions = [match.start() for match in EQUALS.finditer(text)]
    unmatched_positions = [
        start for start in sign_positions if not any(match.start() <= start < match.end() for match in complete_matches)
    ]
    return [text[max(0, start - 8) : start + 5].strip() for start in unmatched_positions]


def faults_in(text: str) -> list[str]:
    """The equations in a text that are wrong or cannot be read."""
    return [equation for equation in equations(text) if is_wrong(equation)] + unmatched_equations(text)


def number_in(text: str) -> Fraction:
    """The last number in a text, with the sign before it.

    >>> number_in("change V to 30,000: −401,418")
    Fraction(-401418, 1)
    """
    return value(re.findall(rf"[+−]?{NUMBER}%?", text)[-1])


def unused_results(lines: list[str]) -> list[str]:
    """The intermediate results of a worked sum that no later line uses.

    The result of the last line is that of the whole sum, so no line needs to use it.

    >>> unused_results(["2 × 3 = 6", "2 × 5 = 10", "6 + 10 = 16"]), unused_results(["2 × 3 = 6", "7 + 1 = 8"])
    ([], ['6'])
    >>> unused_results(["2 × 3 bytes = 6 bytes", "6 ÷ 10⁶ ≈ 0.0 MB", "6 ÷ 2²⁰ ≈ 0.0 MiB"])
    []
    """
    pending_results: Counter[str] = Counter()
    for line in lines:
        terms, equals, result = line.partition(" = ")
        pending_results -= Counter(re.findall(NUMBER, terms.partition(" ≈ ")[0]))
        # A rounded figure after ≈ is only for the reader, so no later line uses it.
        pending_results[re.sub(UNIT, "", result)] += bool(equals)
    pending_results[re.sub(UNIT, "", lines[-1].partition(" = ")[2])] -= 1
    return sorted(pending_results.elements())
