"""Code for the notebook of the lesson: each line `# %%` begins a cell and names it.

It needs only the standard library. The build writes a cell with real values
for what is declared above the first cell.
"""

from typing import Any

KNOWN: dict[str, dict[str, Any]] = {}
SMALL: str = ""
UNREAD: str = ""
ROUNDED: str = ""
IF_ROUNDED: str = ""
TENSORS: list[tuple[str, str]] = []
base: dict[str, int] = {}

# %% check
import re  # noqa: E402, I001  a cell imports what it needs
from hashlib import sha256  # noqa: E402
from math import prod  # noqa: E402
from operator import index  # noqa: E402
from unicodedata import normalize  # noqa: E402


ANSWER = "{answer}"  # stands in a text for the number that was answered
FEEDBACK = "{feedback}"  # stands in a text for what is said to the number that was rounded
LONGEST = 120  # characters of an answer that are read
LARGEST = 10**15  # no model has so many parameters, and floats below it are exact
UNITS = {"k": 10**3, "thousand": 10**3, "m": 10**6, "million": 10**6, "b": 10**9, "billion": 10**9}
COUNTED: dict[str, int] = {}  # what was answered so far, which later sums may name


def fingerprint(name: str, answer: object) -> str:
    """Sixteen hexadecimal digits that identify an answer without showing it."""
    return sha256(f"{name}: {answer}".encode()).hexdigest()[:16]


def check(name: str, answer: object) -> object:
    """Say whether an answer is right, and if not, what may have gone wrong; return the number that it stands for."""
    print(judged(name, answer))
    if "rounded" not in KNOWN[name]:
        return answer
    number = number_of(answer)
    if number is not None:
        COUNTED[name] = number
    return number


def is_right(name: str, answer: object) -> bool:
    """Whether an answer is the right one."""
    return bool(fingerprint(name, answer) == KNOWN[name]["right"])


def number_of(answer: object) -> int | None:
    """The whole number that an answer is, or that its text stands for; None where there is none."""
    if isinstance(answer, str):
        # Of a sum and what it comes to, the first: 768 × 768 = 589,824.
        found = (rounded(each) or evaluated(each) for each in answer[:LONGEST].split("="))
        return next((each for each in found if each is not None), None) if len(answer) <= LONGEST else None
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    try:
        return None if isinstance(answer, bool) else index(answer)  # type: ignore[arg-type]
    except TypeError:
        return None


def rounded(text: str) -> int | None:
    """The number that a text with a unit stands for: "110M", "0.34 billion"."""
    found = re.fullmatch("[~≈]? *([0-9]+)(?:[.,]([0-9]+))? *([a-z]+)", normalize("NFKC", text).strip(), re.IGNORECASE)
    if not found or found[3].lower() not in UNITS:
        return None
    decimals = found[2] or ""
    number = int(found[1] + decimals) * UNITS[found[3].lower()]
    return number // int("1" + "0" * len(decimals))


def evaluated(text: str) -> int | None:
    """What a text comes to: "589,824", "V × H + 768²", "4LH", or a sum with the names of earlier counts."""
    plain = normalize("NFKC", text.replace("²", "^2"))
    for name, number in COUNTED.items():
        plain = re.sub(rf"\b{name}\b", f"({number})", plain)
    plain = re.sub("[,_' \u2019]|parameters?[.]?$", "", plain.strip())
    # Dots stand before thousands in many languages.
    plain = re.sub("(?<![0-9.])[0-9]{1,3}([.][0-9]{3})+(?![0-9.])", lambda found: found[0].replace(".", ""), plain)
    for signs, sign in (("×·⋅∙✕x", "*"), ("÷", "/"), ("−–", "-"), ("[{", "("), ("]}", ")")):
        plain = re.sub(f"[{re.escape(signs)}]", sign, plain)
    plain = plain.replace("**", "^")
    # Small letters are sizes where they stand alone or right after a number.
    if not re.search("[a-z]{2}", re.sub("(?<=[0-9])[a-z]+", "", plain)) and re.search("[^a-z]", plain):
        plain = plain.upper()
    plain = re.sub("(?<=[A-Z])2(?![0-9])", "^2", plain)  # a square that has lost its sign: H2
    plain = re.sub("(?<=[0-9A-Z)])(?=[A-Z(])|(?<=[)])(?=[0-9])", "*", plain)
    if not re.fullmatch("([0-9]+|[VPSHFLA]|[-*+/()]|\\^2(?![0-9^]))+", plain):
        return None
    sum_ = re.sub("[A-Z]", lambda letter: str(base[letter[0]]), plain)
    sum_ = re.sub("[0-9]+", r"\g<0>.0", sum_).replace("^", "**")
    try:
        result = float(eval(sum_, {}))  # noqa: S307  of digits and signs, as floats, which never grow long
    except (SyntaxError, TypeError, ArithmeticError, MemoryError, RecursionError):
        return None
    return int(result) if result.is_integer() and 0 <= result < LARGEST else None


def judged(name: str, answer: object) -> str:
    """The verdict on an answer."""
    known = KNOWN[name]
    if answer is None:
        return "Put your answer in place of None, and run the cell again."
    if "rounded" not in known:
        return judged_option(name, str(answer).strip().lower())
    if isinstance(answer, tuple):
        return "Leave out the commas, or put quotation marks around the number: Python reads commas as separators."
    number = number_of(answer)
    if number is None and isinstance(answer, str):
        return UNREAD
    if number is None:
        return f"A count is a whole number, and this is {answer!r}. Use only * and +."
    return judged_number(name, number, isinstance(answer, str) and rounded(answer) is not None)


def judged_number(name: str, number: int, has_unit: bool) -> str:
    """The verdict on a number, which is rounded at any rate if it has a unit."""
    known = KNOWN[name]
    if abs(number) >= LARGEST:
        return f"This is more than any model has. {known['hint']}"
    if is_right(name, number):
        return f"Right: {number:,}."
    mark = fingerprint(name, number)
    if mark in known["wrong"]:
        return feedback(name, number)
    if mark in known["rounded"]:
        other = known["rounded"][mark]
        return IF_ROUNDED.replace(FEEDBACK, feedback(name, other)) if other else ROUNDED
    if has_unit:
        return f"{number:,} is rounded. Give it to the last digit."
    if number < base["H"]:
        return f"{SMALL.replace(ANSWER, f'{number:,}')} {known['hint']}"
    return f"{number:,} is not right, and we can't tell how you got it. {known['hint']}"


def feedback(name: str, number: int) -> str:
    """What a teacher says to a wrong number that is known."""
    return str(KNOWN[name]["wrong"][fingerprint(name, number)]).replace(ANSWER, f"{number:,}")


def judged_option(name: str, letter: str) -> str:
    """The verdict on a letter of several options."""
    if is_right(name, letter):
        return "Right."
    known = KNOWN[name]
    unknown = f"{letter} is not right, and we can't tell how you got it. {known['hint']}"
    return str(known["wrong"].get(fingerprint(name, letter), unknown))


# %% count
def count(sizes: dict[str, int], within: str = "") -> int:
    """The parameters of every tensor whose name begins with `within`."""
    total = 0
    for name, shape in TENSORS:
        if name.startswith(within):
            elements = prod(sizes[letter] for letter in shape.split())
            total += elements * (sizes["L"] if "*" in name else 1)
    return total
