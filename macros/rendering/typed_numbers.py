"""The rule that numbers on pages come from macro calls and are never typed.

Digits are allowed in a macro call, in a code span that is an identifier, in a link target, in a footnote mark and in
the id of a heading. Within a call, an integer outside a name can have at most two digits. A statement between `{%` and
`%}` is checked like the text of the page, except for names of models, paths of parts, changes and ids of tables, and
for numbers in a list that a loop only passes to macros, as in `{% for rank in [1, 2, 4] %}`.

Spelled-out quantities are claims too: "two", "half", "twice", "larger than", "nearest". They belong in a call
to `says`, with the condition that makes them true. `typed_numbers.toml` lists proper names and idioms that are
allowed, each with a reason.

A message suggests a macro call only if exactly one returns the number, and only for numbers that are unlikely to equal
its result by chance: counts of at least six digits, and sizes next to a word for the size. Otherwise, the message lists
the macros and explains where to allow a name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from macros.counting import ARCHITECTURES, BERT, CountingError, Question, model_named
from macros.counting.architecture import ONE_LAYER
from macros.counting.blocks import blocks_of
from macros.counting.changes.methods import Change
from macros.counting.models import models_by_every_name

ALLOWED_FILE = Path(__file__).with_suffix(".toml")
ALLOWED_FILE_PATH = f"macros/rendering/{ALLOWED_FILE.name}"
"""The path of `ALLOWED_FILE` in messages."""

# A call ends at the first }} outside a string, because LaTeX in a string can contain }}.
CALL = re.compile(r"""\{\{((?:"[^"]*"|'[^']*'|[^"'])*?)\}\}""")
STATEMENT = re.compile(r"\{%.*?%\}", re.DOTALL)
# A loop over a list of integers, which may only be passed to macros.
LOOP = re.compile(r"\{% for (\w+) in \[[\d, ]+\] %\}")
TABLE_ID = re.compile(r"(?<=\{% call rows\()\"[\w-]+\"")
ARGUMENTS = re.compile(r"(?<=\w)\([^()]*\)")
PATH = re.compile(r"[A-Za-z_]\w*(?:/[\w.*-]+)+")
STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
# Three digits or more, with or without separators: too many for an argument of a macro.
LONG_INTEGER = re.compile(r"\d[\d_,]*\d\d")

# Digits are allowed in code spans that are identifiers, link targets, footnote marks and heading ids.
IDENTIFIER_SPAN = re.compile(r"`[A-Za-z_][\w./*\[\]()=-]*`")
LINK_TARGET = re.compile(r"(?<=\]\()[^)\s]+|(?<=href=\")[^\"]+")
FOOTNOTE = re.compile(r"\[\^[\w-]+\]")
HEADING_ID = re.compile(r"\{ ?#[\w-]+(?: \.[\w-]+)* ?\}")

# "One" is left out because it is often an article or a pronoun, and "first" and "second" because they are usually
# ordinals.
NUMBER_WORDS = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:fold)?\b"
    r"|\b(?:thir|four|fif|six|seven|eigh|nine)teen|\b(?:twen|thir|for|fif|six|seven|eigh|nine)ty\b"
    r"|\bdozens?\b|\b(?:hundred|thousand|million|billion)s?\b"
    r"|\bhal(?:f|ves|ved)\b|\b(?:quarter|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|hundredth|thousandth)s?\b"
    r"|\b(?:twice|thrice)\b|\b(?:doubl|tripl|quadrupl)(?:e|es|ed|ing|y)\b",
    re.IGNORECASE,
)

# Comparisons and superlatives are claims too.
COMPARISONS = re.compile(
    r"\b(?!(?:rath|oth|whet?h|eith|furth|lat|earli|soon)er\b)(?:\w+er|more|less)(?: \w+)? than\b"
    r"|\b(?<!whichever )is(?: \w+)? (?:larg|small|bigg|wid|narrow|long|short|deep|shallow|high|low)er\b"
    r"|\b(?:outweigh|dominate|dwarf)s?\b"
    r"|\bas (?:large|small|big|long|short|wide|narrow|many|much|high|deep|great) as\b"
    r"|\b(?:larg|small|bigg|wid|narrow|long|short|deep|great|near|clos|few|high|low)est\b"
    r"|\bmost\b(?! (?:commonly|likely|often)\b)|\b(?:nearly|almost|hardly|roughly|mainly)\b",
    re.IGNORECASE,
)


class Finding(NamedTuple):
    """A number, quantity or comparison that is typed on a page or in a data file.

    Attributes:
        line: the line number.
        text: the words or digits as typed.
        remedy: the advice on what to write instead.
    """

    line: int
    text: str
    remedy: str

    def __str__(self) -> str:
        return f"line {self.line}: typed {self.text!r}; {self.remedy}"


def typed_numbers(text: str) -> list[Finding]:
    """The numbers and quantities that are typed on a page, including its front matter, sorted by line."""
    findings = list(_long_integers_in_calls(text))
    # Allowed text is replaced with spaces, so that line numbers and positions stay correct.
    remaining_text = STATEMENT.sub(lambda statement: _without_names(statement[0], text), CALL.sub(_blank, text))
    for pattern in (LINK_TARGET, IDENTIFIER_SPAN, HEADING_ID, FOOTNOTE, *map(_pattern_of_name, allowed_texts())):
        remaining_text = pattern.sub(_blank, remaining_text)
    for line_number, line in enumerate(remaining_text.splitlines(), 1):
        findings += [
            Finding(line_number, digits, _advice(digits, line, position)) for position, digits in _numeric_runs(line)
        ]
    return sorted([*findings, *quantities_in_words(remaining_text)])


def _without_names(statement: str, text: str) -> str:
    """A statement with spaces in place of everything in which digits are allowed; `text` is the whole page."""
    loop = LOOP.fullmatch(statement)
    if loop and not _is_used_outside_arguments(loop[1], text.replace(statement, "")):
        return _blank(loop)
    statement = TABLE_ID.sub(_blank, statement)
    return STRING.sub(lambda string: _blank(string) if _is_name(string[0][1:-1]) else string[0], statement)


def _is_used_outside_arguments(variable: str, text: str) -> bool:
    """Whether a page uses a variable other than as a macro argument, for example by showing its value."""
    for code in (*CALL.findall(text), *STATEMENT.findall(text)):
        code_without_arguments = STRING.sub("", code)
        # Arguments are removed from the inside out, because a regular expression cannot match nested brackets.
        while (shorter_code := ARGUMENTS.sub("", code_without_arguments)) != code_without_arguments:
            code_without_arguments = shorter_code
        if re.search(rf"\b{variable}\b", code_without_arguments):
            return True
    return False


@cache
def _is_name(text: str) -> bool:
    """Whether a string is the name of a model or architecture, the path of a part, or a list of changes.

    A path with an integer of more than two digits does not count as a name.
    """
    if (
        text in models_by_every_name()
        or text in ARCHITECTURES
        or (PATH.fullmatch(text) and not LONG_INTEGER.search(text))
    ):
        return True
    try:
        changes = [Change.parse(change) for change in text.split()]
    except CountingError:
        return False
    return bool(changes)


def quantities_in_words(text: str, checked_words: Iterable[str] = ()) -> list[Finding]:
    """Spelled-out quantities and comparisons, in the order of lines.

    Args:
        text: the text of a page or a data file.
        checked_words: words that are allowed because a condition checks them. Idioms are always allowed.
    """
    for words in (allowed_texts("idiom"), tuple(checked_words)):
        text = _any_of(words).sub(_blank, text)
    remedy = (
        'write it with the condition that makes it true, such as {{ says("twice as wide", "F == 2 * H") }}, '
        f"or leave it out; an idiom can be allowed in {ALLOWED_FILE_PATH}"
    )
    return [
        Finding(line_number, word[0], remedy)
        for line_number, line in enumerate(text.splitlines(), 1)
        for pattern in (NUMBER_WORDS, COMPARISONS)
        for word in pattern.finditer(line)
    ]


@cache
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that matches any of the words as a whole word; if there are none, it matches nothing."""
    # Regular expressions use the first alternative that matches, so longer words must precede their prefixes.
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)", re.IGNORECASE)


@cache
def allowed_texts(kind: str = "allowed") -> tuple[str, ...]:
    """The proper names that may contain digits or, with `kind="idiom"`, idioms with number words or comparisons."""
    return tuple(block["text"] for block in blocks_of(ALLOWED_FILE)[kind])


def _blank(match: re.Match[str]) -> str:
    """The match with every character replaced by a space, except line breaks, which keep line numbers correct."""
    return re.sub(r"[^\n]", " ", match[0])


def _pattern_of_name(name: str) -> re.Pattern[str]:
    """A pattern that matches a name, unless it follows a letter, digit or dot, or digits follow in the same word."""
    return re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.]*\d)")


def _long_integers_in_calls(text: str) -> Iterator[Finding]:
    """Yield the integers of more than two digits in the arguments of macro calls."""
    for call in CALL.finditer(text):
        line_number = text.count("\n", 0, call.start()) + 1
        # Names may contain digits; any other string is checked like the rest of the call.
        arguments = STRING.sub(lambda string: "" if _is_name(string[0][1:-1]) else string[0], call[1])
        for integer in LONG_INTEGER.finditer(arguments):
            remedy = (
                "a macro call takes no integer of more than two digits; name a size by its letter, a model by its name"
            )
            yield Finding(line_number, integer[0], remedy)


def _numeric_runs(line: str) -> Iterator[tuple[int, str]]:
    """Yield the runs of characters with a numeric value, such as 12, ½ and 三, each after its position in the line."""
    numeric_text = "".join(
        character if character.isnumeric() or unicodedata.category(character)[0] == "N" or character in ",._" else " "
        for character in line
    )
    for run in re.finditer(r"\S+", numeric_text):
        if digits := run[0].strip(",._"):
            yield run.start() + run[0].index(digits), digits


WHOLE_NUMBER = re.compile(r"\d+|\d{1,3}(?:[,_]\d{3})+")
"""Matches a whole number, optionally with commas or underscores between thousands."""

# The two parts of the advice on a number for which no macro call, or more than one, can be suggested.
ADVICE_ON_NAMES = (
    "write a macro call, or allow the name with its reason in "
    f"{ALLOWED_FILE_PATH}, if it is a year, a version, or the number of a paper or section"
)
ADVICE_ON_MACROS = (
    "the macros are in macros/site.py: number gives parameters, share a percentage, size a size of a model, "
    "megabytes its memory, effect how much a mistake changes the total"
)


def _advice(digits: str, line: str, position: int) -> str:
    """The advice for a number: the macro call that returns it or, unless exactly one does, the list of macros."""
    value = int(re.sub("[,_]", "", digits)) if WHOLE_NUMBER.fullmatch(digits) else 0
    # Only words in the same sentence or table cell describe the number.
    sentence = re.split(r"[.;|](?=\s)", line[:position])[-1] + re.split(r"[.;|](?:\s|$)", line[position:])[0]
    calls = [
        call
        for call, words_pattern in macro_calls().get(value, {}).items()
        if re.search(words_pattern, sentence, re.IGNORECASE)
    ]
    if len(calls) == 1:
        return f"write {{{{ {calls[0]} }}}}"
    return f"{ADVICE_ON_NAMES}; {ADVICE_ON_MACROS}"


SMALLEST_SUGGESTED_COUNT = 100_000
"""The smallest count for which a call is suggested, because smaller ones may equal a typed number by chance."""

WORDS_OF_SIZES = {
    "V": r"vocabular|word ?pieces",
    "P": r"position",
    "H": r"hidden|features?\b|\bwid(?:e|th)",
    "F": r"intermediate|feed-forward|inner",
}
"""A pattern for the words that identify a number next to them as a size, by the letter of the size.

All other sizes are left out because they are so small that many other numbers equal them.
"""


@cache
def macro_calls() -> dict[int, dict[str, str]]:
    """The macro calls to suggest, by value, each with a pattern for words that the number's sentence must contain.

    The pattern is empty for a count. The calls are about BERT base and BERT large. If several calls count the same
    tensors, only the simplest is suggested.
    """
    calls_by_value: dict[int, dict[str, str]] = {}
    seen_counts = set()
    seen_sizes = set()
    parts = ("", "bert/embeddings", "bert/encoder", ONE_LAYER, "bert/pooler")
    tags = ("self-attention", "feed-forward", "encoder-norms", "LayerNorm", "bias", "query", "kernel")
    for model_name, model_argument in (("bert-base-uncased", ""), ("bert-large-uncased", "model=large")):
        model = model_named(model_name)
        # The questions by the arguments of their calls, simplest first, because the first of equal counts is used.
        questions = {f'"{part}"' if part else "": Question(model, part=part) for part in parts}
        questions |= {f'tag="{tag}"': Question(model, tag=tag) for tag in tags}
        questions |= {f'"{ONE_LAYER}", "{tag}"': Question(model, part=ONE_LAYER, tag=tag) for tag in tags}
        questions |= {
            f'model_class="{model_class.name}"': Question(model, model_class.name) for model_class in BERT.classes
        }
        for arguments, question in questions.items():
            number_and_rows = (question.number, question.rows)
            if question.number >= SMALLEST_SUGGESTED_COUNT and number_and_rows not in seen_counts:
                seen_counts.add(number_and_rows)
                calls_by_value.setdefault(question.number, {})[_call("number", arguments, model_argument)] = ""
        for letter, pattern in WORDS_OF_SIZES.items():
            letter_and_size = (letter, model.sizes[letter])
            if letter_and_size not in seen_sizes:
                seen_sizes.add(letter_and_size)
                calls_by_value.setdefault(model.sizes[letter], {})[_call("size", f'"{letter}"', model_argument)] = (
                    pattern
                )
    return calls_by_value


def _call(macro: str, *arguments: str) -> str:
    """The source of a macro call with all non-empty arguments."""
    return f"{macro}({', '.join(filter(None, arguments))})"
