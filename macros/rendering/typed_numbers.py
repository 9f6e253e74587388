"""The rule that no number is typed on a page: a number comes from a macro call.

Digits are allowed in a macro call, in a code span that is an identifier, in the target of a link and in the
id of a heading. Within a call, an integer may have two digits at most. A statement, between `{%` and `%}`,
is read like the text of the page, except for names of models, paths of parts, changes and ids of tables,
and for numbers in a list that a loop only passes to macros, as in `{% for rank in [1, 2, 4] %}`.

Quantities in words are claims, too: "two", "half", "twice", "larger than", "nearest". They
belong in a call of `says`, with the condition that makes them true. The data file beside this module lists
proper names and idioms that are allowed, each with a reason.

A message proposes a macro only if the number is unlikely to equal the macro's value by chance: a count of at
least six digits, or a size next to a word for that size. Otherwise it lists the macros, and says where to
allow a name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from macros.counting import ARCHITECTURES, BERT, CountingError, Question, model_named
from macros.counting.blocks import blocks_of
from macros.counting.changes.methods import Change
from macros.counting.models import by_every_name

ALLOWED_FILE = Path(__file__).with_suffix(".toml")
ALLOWED_AT = f"macros/rendering/{ALLOWED_FILE.name}"
"""The path of the file of allowed names, as messages give it."""

# A call ends at the first }} outside a string, because LaTeX in a string may contain }} itself.
CALL = re.compile(r"""\{\{((?:"[^"]*"|'[^']*'|[^"'])*?)\}\}""")
STATEMENT = re.compile(r"\{%.*?%\}", re.DOTALL)
# A loop over a list of integers; the numbers may only be passed to macros.
LOOP = re.compile(r"\{% for (\w+) in \[[\d, ]+\] %\}")
TABLE_ID = re.compile(r"(?<=\{% call rows\()\"[\w-]+\"")
ARGUMENTS = re.compile(r"(?<=\w)\([^()]*\)")
PATH = re.compile(r"[A-Za-z_]\w*(?:/[\w.*-]+)+")
STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
# Three digits or more, with or without separators: too many for an argument of a macro.
LONG_INTEGER = re.compile(r"\d[\d_,]*\d\d|\d{3,}")

# These may contain digits: code spans that are identifiers, targets of links, footnote marks, ids of headings.
IDENTIFIER_SPAN = re.compile(r"`[A-Za-z_][\w./*\[\]()=-]*`")
LINK_TARGET = re.compile(r"(?<=\]\()[^)\s]+|(?<=href=\")[^\"]+")
FOOTNOTE = re.compile(r"\[\^[\w-]+\]")
HEADING_ID = re.compile(r"\{ ?#[\w-]+(?: \.[\w-]+)* ?\}")

# "One" is missing because it is an article or a pronoun as often as a number, and "first" and "second" because
# they usually give a place in an order.
NUMBER_WORDS = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:fold)?\b"
    r"|\b(?:thir|four|fif|six|seven|eigh|nine)teen|\b(?:twen|thir|for|fif|six|seven|eigh|nine)ty\b"
    r"|\bdozens?\b|\b(?:hundred|thousand|million|billion)s?\b"
    r"|\bhal(?:f|ves|ved)\b|\b(?:quarter|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|hundredth|thousandth)s?\b"
    r"|\b(?:twice|thrice)\b|\b(?:doubl|tripl|quadrupl)(?:e|es|ed|ing|y)\b",
    re.IGNORECASE,
)

# A comparison or a superlative is a claim as well.
COMPARISONS = re.compile(
    r"\b(?!(?:rath|oth|whet?h|eith|furth|lat|earli|soon)er\b)(?:\w+er|more|less)(?: \w+)? than\b"
    r"|\bas (?:large|small|big|long|short|wide|narrow|many|much|high|deep|great) as\b"
    r"|\b(?:larg|small|bigg|wid|narrow|long|short|deep|great|near|clos|few|high|low)est\b"
    r"|\bmost\b(?! (?:commonly|likely|often)\b)|\b(?:nearly|almost|hardly|roughly|mainly)\b",
    re.IGNORECASE,
)


class Finding(NamedTuple):
    """A number that is typed on a page.

    Attributes:
        line: the number of its line.
        text: the number as it is typed, in digits or in words.
        remedy: what to write in its place.
    """

    line: int
    text: str
    remedy: str

    def __str__(self) -> str:
        return f"line {self.line}: typed {self.text!r}; {self.remedy}"


def typed_numbers(text: str) -> list[Finding]:
    """Every number that is typed in the text of a page, front matter included, in the order of lines."""
    findings = list(_long_integers_in_calls(text))
    # Whatever is allowed becomes spaces, so that line numbers and positions stay correct.
    remaining_text = STATEMENT.sub(lambda statement: _without_names(statement[0], text), CALL.sub(_blank, text))
    for pattern in (LINK_TARGET, IDENTIFIER_SPAN, HEADING_ID, FOOTNOTE, *map(_exactly, allowed_names())):
        remaining_text = pattern.sub(_blank, remaining_text)
    for number, line in enumerate(remaining_text.splitlines(), 1):
        findings += [
            Finding(number, digits, _advice(digits, line, position)) for position, digits in _numeric_runs(line)
        ]
    return sorted([*findings, *quantities_in_words(remaining_text)])


def _without_names(statement: str, text: str) -> str:
    """A statement with spaces in place of whatever may contain digits; `text` is the whole page."""
    loop = LOOP.fullmatch(statement)
    if loop and not _is_used_outside_calls(loop[1], text.replace(statement, "")):
        return _blank(loop)
    statement = TABLE_ID.sub(_blank, statement)
    return STRING.sub(lambda string: _blank(string) if _is_name(string[0][1:-1]) else string[0], statement)


def _is_used_outside_calls(variable: str, text: str) -> bool:
    """Whether a page uses a variable as anything but an argument of a macro, such as by showing its value."""
    for code in (*CALL.findall(text), *STATEMENT.findall(text)):
        without_arguments = STRING.sub("", code)
        # Arguments are removed from the inside out, because a regular expression cannot match nested brackets.
        while (shorter := ARGUMENTS.sub("", without_arguments)) != without_arguments:
            without_arguments = shorter
        if re.search(rf"\b{variable}\b", without_arguments):
            return True
    return False


@cache
def _is_name(text: str) -> bool:
    """Whether a text names a model, an architecture, a part by its path, or changes as the command line takes them."""
    if text in by_every_name() or text in ARCHITECTURES or (PATH.fullmatch(text) and not LONG_INTEGER.search(text)):
        return True
    try:
        changes = [Change.parse(change) for change in text.split()]
    except CountingError:
        return False
    return bool(changes)


def quantities_in_words(text: str, held_words: Iterable[str] = ()) -> list[Finding]:
    """Quantities and comparisons in words, in the order of lines.

    Args:
        text: the text of a page, or of a data file.
        held_words: words that are allowed because a condition makes them true. Idioms are always allowed.
    """
    for words in (allowed_names(key="idiom"), tuple(held_words)):
        text = _any_of(words).sub(_blank, text)
    remedy = (
        'write it with the condition that makes it true, such as {{ says("twice as wide", "F == 2 * H") }}, '
        f"or leave it out; an idiom can be allowed in {ALLOWED_AT}"
    )
    return [
        Finding(number, word[0], remedy)
        for number, line in enumerate(text.splitlines(), 1)
        for pattern in (NUMBER_WORDS, COMPARISONS)
        for word in pattern.finditer(line)
    ]


@cache
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that matches any of the words as a whole, and nothing if there are none."""
    # A regular expression takes the first alternative that matches, so longer words must come before their beginnings.
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)", re.IGNORECASE)


@cache
def allowed_names(key: str = "allowed") -> tuple[str, ...]:
    """The proper names that may contain digits; with `key="idiom"`, the idioms that contain words for numbers."""
    return tuple(entry["text"] for entry in blocks_of(ALLOWED_FILE)[key])


def _blank(match: re.Match[str]) -> str:
    """As many spaces as the match has characters; line breaks stay, so that line numbers stay correct."""
    return re.sub(r"[^\n]", " ", match[0])


def _exactly(name: str) -> re.Pattern[str]:
    """A pattern that matches a name, but not as a part of a longer one or of a longer number."""
    return re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.]*\d)")


def _long_integers_in_calls(text: str) -> Iterator[Finding]:
    """Integers of more than two digits among the arguments of macro calls."""
    for call in CALL.finditer(text):
        line = text.count("\n", 0, call.start()) + 1
        # A name may contain digits; any other string is read like the rest of the call.
        arguments = STRING.sub(lambda string: "" if _is_name(string[0][1:-1]) else string[0], call[1])
        for integer in LONG_INTEGER.finditer(arguments):
            remedy = (
                "a macro call takes no integer of more than two digits; name a size by its letter, a model by its name"
            )
            yield Finding(line, integer[0], remedy)


def _numeric_runs(line: str) -> Iterator[tuple[int, str]]:
    """Runs of characters with a numeric value, such as 12, ², ½ and 三, each with its position in the line."""
    numeric = "".join(
        character if character.isnumeric() or unicodedata.category(character)[0] == "N" or character in ",._" else " "
        for character in line
    )
    for run in re.finditer(r"\S+", numeric):
        if digits := run[0].strip(",._"):
            yield run.start() + run[0].index(digits), digits


WHOLE_NUMBER = re.compile(r"\d+|\d{1,3}(?:[,_]\d{3})+")
"""A whole number, perhaps with commas or underscores between thousands."""

# The two parts of the advice for a number that no single macro call gives.
NO_MACRO = (
    "write a macro call, or allow the name with its reason in "
    f"{ALLOWED_AT}, if it is a year, a version, or the number of a paper or section"
)
MACROS = (
    "the macros are in macros/site.py: number gives parameters, share a percentage, size a size of a model, "
    "megabytes its memory, effect how much a mistake changes the total"
)


def _advice(digits: str, line: str, position: int) -> str:
    """The advice for a number: the one macro call that gives it, or which macros there are."""
    value = int(re.sub("[,_]", "", digits)) if WHOLE_NUMBER.fullmatch(digits) else 0
    # Only words of the same sentence or table cell say what the number is.
    sentence = re.split(r"[.;|](?=\s)", line[:position])[-1] + re.split(r"[.;|](?:\s|$)", line[position:])[0]
    calls = [call for call, words in macro_calls().get(value, {}).items() if re.search(words, sentence, re.IGNORECASE)]
    if len(calls) == 1:
        return f"write {{{{ {calls[0]} }}}}"
    return f"{NO_MACRO}; {MACROS}"


LARGE_ENOUGH = 100_000
"""The smallest count that is proposed: a smaller one may equal a typed number by chance."""

WORDS_OF_SIZES = {
    "V": r"vocabular|word ?pieces",
    "P": r"position",
    "H": r"hidden|features?\b|\bwid(?:e|th)",
    "F": r"intermediate|feed-forward|inner",
}
"""A pattern for the words beside a number that mean a size, by its letter.

The other sizes are missing because they are so small that much else is equal to them.
"""


@cache
def macro_calls() -> dict[int, dict[str, str]]:
    """The macro calls to propose, by value: each with a pattern for the words that must be beside the number.

    They count BERT base and BERT large. If several calls count the same tensors, only the simplest is
    proposed.
    """
    calls: dict[int, dict[str, str]] = {}
    seen_counts = set()
    seen_sizes = set()
    layer = "bert/encoder/layer_0"
    parts = ("", "bert/embeddings", "bert/encoder", layer, "bert/pooler")
    tags = ("self-attention", "feed-forward", "encoder-norms", "LayerNorm", "bias", "query", "kernel")
    for model_name, model_argument in (("bert-base-uncased", ""), ("bert-large-uncased", "model=large")):
        model = model_named(model_name)
        # Each question by the arguments of its call. The simplest come first, because the first of equal counts wins.
        questions = {f'"{part}"' if part else "": Question(model, part=part) for part in parts}
        questions |= {f'tag="{tag}"': Question(model, tag=tag) for tag in tags}
        questions |= {f'"{layer}", "{tag}"': Question(model, part=layer, tag=tag) for tag in tags}
        questions |= {
            f'model_class="{model_class.name}"': Question(model, model_class.name) for model_class in BERT.classes
        }
        for arguments, question in questions.items():
            count = (question.number, question.rows)
            if question.number >= LARGE_ENOUGH and count not in seen_counts:
                seen_counts.add(count)
                calls.setdefault(question.number, {})[_call("number", arguments, model_argument)] = ""
        for letter, pattern in WORDS_OF_SIZES.items():
            size = (letter, model.sizes[letter])
            if size not in seen_sizes:
                seen_sizes.add(size)
                calls.setdefault(model.sizes[letter], {})[_call("size", f'"{letter}"', model_argument)] = pattern
    return calls


def _call(macro: str, *arguments: str) -> str:
    """A call of a macro with the arguments that are not empty."""
    return f"{macro}({', '.join(filter(None, arguments))})"
