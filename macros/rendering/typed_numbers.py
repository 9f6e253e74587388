"""The rule for pages: a number comes from a macro call, and is never typed.

Digits may stand in a macro call, in a code span that is an identifier, in a
link target and in a heading id. A statement between {% and %} is read as the
text of the page is, but for names of models, paths of parts, codes of changes
and ids of tables, and for the numbers of a list that a loop only hands to
macros, as in {% for rank in [1, 2, 4] %}. Quantities in words are claims as
much as numbers are: "two", "half", "twice", "larger than", "nearest". They
stand in a call of `says` beside the condition that makes them true. The data
file beside this one lists proper names and idioms that are allowed, each with
a reason.

A message proposes a macro only where its value cannot well be equal by chance:
a count of six digits that nothing else has, or a size beside a word for it.
Elsewhere it says which macros there are, and where a name is allowed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from macros.counting import BERT, CountingError, Question, model_named
from macros.counting.blocks import blocks_of
from macros.counting.changes.methods import Change
from macros.counting.models import by_every_name

ALLOWED_FILE = Path(__file__).with_suffix(".toml")
ALLOWED_AT = f"macros/rendering/{ALLOWED_FILE.name}"

# A call ends at the first }} outside a string: LaTeX in a string may hold some.
CALL = re.compile(r"""\{\{((?:"[^"]*"|'[^']*'|[^"'])*?)\}\}""")
STATEMENT = re.compile(r"\{%.*?%\}", re.DOTALL)
LOOP = re.compile(r"\{% for (\w+) in \[[\d, ]+\] %\}")
TABLE_ID = re.compile(r"(?<=\{% call rows\()\"[\w-]+\"")
ARGUMENTS = re.compile(r"(?<=\w)\([^()]*\)")
PATH = re.compile(r"[A-Za-z_]\w*(?:/[\w.*-]+)+")
STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
LONG_INTEGER = re.compile(r"\d[\d_,]*\d\d|\d{3,}")

# What may hold digits: code spans that are identifiers, link targets, ids, marks of footnotes.
IDENTIFIER_SPAN = re.compile(r"`[A-Za-z_][\w./*\[\]()=-]*`")
LINK_TARGET = re.compile(r"(?<=\]\()[^)\s]+|(?<=href=\")[^\"]+")
FOOTNOTE = re.compile(r"\[\^[\w-]+\]")
HEADING_ID = re.compile(r"\{ ?#[\w-]+(?: \.[\w-]+)* ?\}")

# "One" is an article or a pronoun as often as a number, and "first" and "second" are places in an order.
NUMBER_WORDS = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:fold)?\b"
    r"|\b(?:thir|four|fif|six|seven|eigh|nine)teen|\b(?:twen|thir|for|fif|six|seven|eigh|nine)ty\b"
    r"|\bdozens?\b|\b(?:hundred|thousand|million|billion)s?\b"
    r"|\bhal(?:f|ves|ved)\b|\b(?:quarter|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|hundredth|thousandth)s?\b"
    r"|\b(?:twice|thrice)\b|\b(?:doubl|tripl|quadrupl)(?:e|es|ed|ing|y)\b",
    re.IGNORECASE,
)

# Which of two is larger, and what is the largest of all, is a claim as well.
COMPARISONS = re.compile(
    r"\b(?!(?:rath|oth|whet?h|eith|furth|lat|earli|soon)er\b)(?:\w+er|more|less)(?: \w+)? than\b"
    r"|\bas (?:large|small|big|long|short|wide|narrow|many|much|high|deep|great) as\b"
    r"|\b(?:larg|small|bigg|wid|narrow|long|short|deep|great|near|clos|few|high|low)est\b"
    r"|\bmost\b(?! (?:commonly|likely|often)\b)|\b(?:nearly|almost|hardly|roughly|mainly)\b",
    re.IGNORECASE,
)


class Finding(NamedTuple):
    """A typed number: where, what, and what to write instead."""

    line: int
    digits: str
    instead: str

    def __str__(self) -> str:
        return f"line {self.line}: typed {self.digits!r}; {self.instead}"


def typed_numbers(text: str) -> list[Finding]:
    """Every number typed in the text of a page, front matter included."""
    findings = list(_in_calls(text))
    rest = STATEMENT.sub(lambda statement: _read(statement[0], text), CALL.sub(_blank, text))
    for pattern in (LINK_TARGET, IDENTIFIER_SPAN, HEADING_ID, FOOTNOTE, *map(_exactly, allowed_names())):
        rest = pattern.sub(_blank, rest)
    for number, line in enumerate(rest.splitlines(), 1):
        findings += [Finding(number, digits, _instead(digits, line, place)) for place, digits in _digits(line)]
    return sorted([*findings, *quantities_in_words(rest)])


def _read(statement: str, text: str) -> str:
    """A statement of a page without what may hold digits in it."""
    loop = LOOP.fullmatch(statement)
    if loop and not _is_printed(loop[1], text.replace(statement, "")):
        return _blank(loop)
    statement = TABLE_ID.sub(_blank, statement)
    return STRING.sub(lambda string: _blank(string) if _is_name(string[0][1:-1]) else string[0], statement)


def _is_printed(variable: str, text: str) -> bool:
    """Whether a page shows a variable of its own, or does anything else with it than hand it to macros."""
    for code in (*CALL.findall(text), *STATEMENT.findall(text)):
        outside = STRING.sub("", code)
        while (less := ARGUMENTS.sub("", outside)) != outside:
            outside = less
        if re.search(rf"\b{variable}\b", outside):
            return True
    return False


@cache
def _is_name(text: str) -> bool:
    """Whether a text names what is counted: a model, the path of a part, or changes as on the command line."""
    if text in by_every_name() or (PATH.fullmatch(text) and not LONG_INTEGER.search(text)):
        return True
    try:
        return [] != [Change.of(each) for each in text.split()]
    except CountingError:
        return False


def quantities_in_words(text: str, held: Iterable[str] = ()) -> list[Finding]:
    """Quantities and comparisons in words, but for idioms and for words that are `held` by a condition."""
    for words in (allowed_names(key="idiom"), tuple(held)):
        text = _any_of(words).sub(_blank, text)
    instead = (
        'hold it by a condition, such as {{ says("twice as wide", "F == 2 * H") }}, or say less; '
        f"an idiom is allowed in {ALLOWED_AT}"
    )
    return [
        Finding(number, word[0], instead)
        for number, line in enumerate(text.splitlines(), 1)
        for pattern in (NUMBER_WORDS, COMPARISONS)
        for word in pattern.finditer(line)
    ]


@cache
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that finds any of some words, the longest of those that begin alike; of no words, nothing."""
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)", re.IGNORECASE)


@cache
def allowed_names(key: str = "allowed") -> tuple[str, ...]:
    """The proper names that may hold digits, or under another key the idioms."""
    return tuple(entry["text"] for entry in blocks_of(ALLOWED_FILE)[key])


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _exactly(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.]*\d)")


def _in_calls(text: str) -> Iterator[Finding]:
    for call in CALL.finditer(text):
        line = text.count("\n", 0, call.start()) + 1
        # A name may hold digits; any other string is read like the rest of the call.
        inside = STRING.sub(lambda string: "" if _is_name(string[0][1:-1]) else string[0], call[1])
        for found in LONG_INTEGER.finditer(inside):
            instead = (
                "a macro call takes no integer of more than two digits; name a size by its letter, a model by its name"
            )
            yield Finding(line, found[0], instead)


def _digits(line: str) -> Iterator[tuple[int, str]]:
    """Runs of characters that have a numeric value, each with its place: 12, ², ½, 三 and their like."""
    numeric = "".join(c if c.isnumeric() or unicodedata.category(c)[0] == "N" or c in ",._" else " " for c in line)
    for run in re.finditer(r"\S+", numeric):
        if digits := run[0].strip(",._"):
            yield run.start() + run[0].index(digits), digits


WHOLE = re.compile(r"\d+|\d{1,3}(?:[,_]\d{3})+")

NO_MACRO = (
    "write a macro call, or allow the name with its reason in "
    f"{ALLOWED_AT}, be it a year, a version or the number of a paper or section"
)
MACROS = (
    "the macros are in macros/site.py: number gives parameters, share a percentage, size a size of a model, "
    "megabytes its memory, effect what a mistake does to the total"
)


def _instead(digits: str, line: str, place: int) -> str:
    value = int(re.sub("[,_]", "", digits)) if WHOLE.fullmatch(digits) else 0
    sentence = re.split(r"[.;|](?=\s)", line[:place])[-1] + re.split(r"[.;|](?:\s|$)", line[place:])[0]
    calls = [call for call, words in macro_calls().get(value, {}).items() if re.search(words, sentence, re.IGNORECASE)]
    if len(calls) == 1:
        return f"write {{{{ {calls[0]} }}}}"
    return f"{NO_MACRO}; {MACROS}"


LARGE_ENOUGH = 100_000
"""From here on, a count is hardly equal by chance to another number that somebody types."""

WORDS_OF_SIZES = {
    "V": r"vocabular|word ?pieces",
    "P": r"position",
    "H": r"hidden|features?\b|\bwid(?:e|th)",
    "F": r"intermediate|feed-forward|inner",
}
"""What says beside a number that this size is meant. The other sizes are so small that much else is equal to them."""


@cache
def macro_calls() -> dict[int, dict[str, str]]:
    """Values the engine knows for base and large: each call that gives one, with a pattern of the words it takes.

    Of calls that count the same tensors, it is the simplest.
    """
    calls: dict[int, dict[str, str]] = {}
    counted, sized = set(), set()
    parts = ("", "bert/embeddings", "bert/encoder", "bert/encoder/layer_0", "bert/pooler")
    tags = ("self-attention", "feed-forward", "encoder-norms", "LayerNorm", "bias", "query", "kernel")
    for model, last in ((model_named("bert-base-uncased"), ""), (model_named("bert-large-uncased"), "model=large")):
        asked = {f'"{part}"' if part else "": Question(model, part=part) for part in parts}
        asked |= {f'tag="{tag}"': Question(model, tag=tag) for tag in tags}
        asked |= {f'"{parts[3]}", "{tag}"': Question(model, part=parts[3], tag=tag) for tag in tags}
        asked |= {f'model_class="{each.name}"': Question(model, each.name) for each in BERT.classes}
        for words, question in asked.items():
            known = (question.number, question.rows)
            if question.number >= LARGE_ENOUGH and known not in counted:
                counted.add(known)
                calls.setdefault(question.number, {})[_call("number", words, last)] = ""
        for letter, beside in WORDS_OF_SIZES.items():
            size = (letter, model.sizes[letter])
            if size not in sized:
                sized.add(size)
                calls.setdefault(model.sizes[letter], {})[_call("size", f'"{letter}"', last)] = beside
    return calls


def _call(macro: str, *arguments: str) -> str:
    return f"{macro}({', '.join(filter(None, arguments))})"
