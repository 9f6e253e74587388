"""The code of the lesson's notebook. A line such as `# %% check` begins a cell and names it.

The code needs only the standard library. The names declared above the first cell are placeholders for
values that `notebook.py` writes into the notebook.

A correct answer is stored only as a fingerprint, a hash of its name and its value, so that students
cannot find it in the source. The check hashes a student's answer and looks up the hash among correct,
known wrong and rounded answers. So it recognises only answers that were hashed in advance, and cannot
detect that a number is merely close.
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


ANSWER = "{answer}"  # placeholder in a text for the student's number
FEEDBACK = "{feedback}"  # placeholder in a text for the feedback on the number before rounding
LONGEST = 120  # the maximum number of characters in an answer
LARGEST = 10**15  # more than any model has, and small enough for exact floats
UNITS = {"k": 10**3, "thousand": 10**3, "m": 10**6, "million": 10**6, "b": 10**9, "billion": 10**9}
COUNTS: dict[str, int] = {}  # the answers so far, which later answers may use by name


def fingerprint(name: str, answer: object) -> str:
    """Sixteen hexadecimal digits that identify an answer without revealing it."""
    return sha256(f"{name}: {answer}".encode()).hexdigest()[:16]


def check(name: str, answer: object) -> object:
    """Print whether an answer is right and, if not, what may have gone wrong.

    Return a count as a number, or None if it is not one, and the letter of an option unchanged.
    """
    print(verdict(name, answer))
    if "rounded" not in KNOWN[name]:
        return answer
    number = number_of(answer)
    if number is not None:
        COUNTS[name] = number
    return number


def is_right(name: str, answer: object) -> bool:
    """Return whether an answer is right."""
    return bool(fingerprint(name, answer) == KNOWN[name]["right"])


def number_of(answer: object) -> int | None:
    """The answer, which may be a number or a text, as a whole number; None if that is impossible."""
    if isinstance(answer, str):
        # If a sum precedes its result, as in 768 × 768 = 589,824, the sum counts.
        numbers = (number_with_unit(side) or evaluate(side) for side in answer[:LONGEST].split("="))
        return next((number for number in numbers if number is not None), None) if len(answer) <= LONGEST else None
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    try:
        return None if isinstance(answer, bool) else index(answer)  # type: ignore[arg-type]
    except TypeError:
        return None


def number_with_unit(text: str) -> int | None:
    """The number in a text with a unit, such as "110M" or "0.34 billion"; None if the text is not of this form."""
    match = re.fullmatch("[~≈]? *([0-9]+)(?:[.,]([0-9]+))? *([a-z]+)", normalize("NFKC", text).strip(), re.IGNORECASE)
    if not match or match[3].lower() not in UNITS:
        return None
    decimals = match[2] or ""
    number = int(match[1] + decimals) * UNITS[match[3].lower()]
    return number // int("1" + "0" * len(decimals))


def evaluate(text: str) -> int | None:
    """The result of a sum such as "589,824", "V × H + 768²" or "4LH", which may use the names of earlier counts."""
    plain = normalize("NFKC", text.replace("²", "^2"))
    for name, number in COUNTS.items():
        plain = re.sub(rf"\b{name}\b", f"({number})", plain)
    plain = re.sub("[,_' \u2019]|parameters?[.]?$", "", plain.strip())
    # Many languages use dots as thousands separators.
    plain = re.sub("(?<![0-9.])[0-9]{1,3}([.][0-9]{3})+(?![0-9.])", lambda match: match[0].replace(".", ""), plain)
    for signs, sign in (("×·⋅∙✕x", "*"), ("÷", "/"), ("−–", "-"), ("[{", "("), ("]}", ")")):
        plain = re.sub(f"[{re.escape(signs)}]", sign, plain)
    plain = plain.replace("**", "^")
    # Lower-case letters are sizes if they are separate or directly follow a number.
    if not re.search("[a-z]{2}", re.sub("(?<=[0-9])[a-z]+", "", plain)) and re.search("[^a-z]", plain):
        plain = plain.upper()
    plain = re.sub("(?<=[A-Z])2(?![0-9])", "^2", plain)  # H2 means H²
    plain = re.sub("(?<=[0-9A-Z)])(?=[A-Z(])|(?<=[)])(?=[0-9])", "*", plain)
    if not re.fullmatch("([0-9]+|[VPSHFLA]|[-*+/()]|\\^2(?![0-9^]))+", plain):
        return None
    digits = re.sub("[A-Z]", lambda match: str(base[match[0]]), plain)
    floats = re.sub("[0-9]+", r"\g<0>.0", digits).replace("^", "**")
    try:
        result = float(eval(floats, {}))  # noqa: S307  only digits and signs; floats, unlike integers, have a limited size
    except (SyntaxError, TypeError, ArithmeticError, MemoryError, RecursionError):
        return None
    return int(result) if result.is_integer() and 0 <= result < LARGEST else None


def verdict(name: str, answer: object) -> str:
    """A text that says whether an answer is right and, if not, what may have gone wrong."""
    entry = KNOWN[name]
    if answer is None:
        return "Put your answer in place of None, and run the cell again."
    if "rounded" not in entry:
        return verdict_on_option(name, str(answer).strip().lower())
    if isinstance(answer, tuple):
        return "Leave out the commas, or put quotation marks around the number: Python reads commas as separators."
    number = number_of(answer)
    if number is None and isinstance(answer, str):
        return UNREAD
    if number is None:
        return f"A count is a whole number, and this is {answer!r}. Use only * and +."
    return verdict_on_number(name, number, isinstance(answer, str) and number_with_unit(answer) is not None)


def verdict_on_number(name: str, number: int, has_unit: bool) -> str:
    """The verdict on a number. A number with a unit, such as 110M, is certainly rounded."""
    entry = KNOWN[name]
    if abs(number) >= LARGEST:
        return f"This is more than any model has. {entry['hint']}"
    if is_right(name, number):
        return f"Right: {number:,}."
    key = fingerprint(name, number)
    if key in entry["wrong"]:
        return feedback(name, number)
    if key in entry["rounded"]:
        other_number = entry["rounded"][key]
        return IF_ROUNDED.replace(FEEDBACK, feedback(name, other_number)) if other_number else ROUNDED
    if has_unit:
        return f"{number:,} is rounded. Give it to the last digit."
    if number < base["H"]:
        return f"{SMALL.replace(ANSWER, f'{number:,}')} {entry['hint']}"
    return f"{number:,} is not right, and we can't tell how you got it. {entry['hint']}"


def feedback(name: str, number: int) -> str:
    """The feedback on a known wrong number."""
    return str(KNOWN[name]["wrong"][fingerprint(name, number)]).replace(ANSWER, f"{number:,}")


def verdict_on_option(name: str, letter: str) -> str:
    """The verdict on the letter of an option."""
    if is_right(name, letter):
        return "Right."
    entry = KNOWN[name]
    message = f"{letter} is not right, and we can't tell how you got it. {entry['hint']}"
    return str(entry["wrong"].get(fingerprint(name, letter), message))


# %% count
def count(sizes: dict[str, int], within: str = "") -> int:
    """The number of parameters in every tensor whose name begins with `within`."""
    total = 0
    for name, shape in TENSORS:
        if name.startswith(within):
            elements = prod(sizes[letter] for letter in shape.split())
            total += elements * (sizes["L"] if "*" in name else 1)
    return total
