"""No sentence is typed in both languages: what pages and scripts say stands once.

A phrase is what stands between two marks that end a sentence, two elements, or
two words of code; where something is filled in, it has a gap. It is typed twice
if it has four words and is a phrase on both sides, or if so many words in a row
are the same that no two people write them by chance.

Of scripts, the texts in quotes and in backticks are read; on the other side the
texts of Python, of data files, of templates and of pages.
"""

import ast
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from macros.counting.messages import MESSAGES
from macros.rendering.components.words import PHRASES

ROOT = Path(__file__).parents[2]

LEAST = 4
"""Words of a phrase that counts: fewer are a heading or a label."""

IN_A_ROW = 7
"""Words in a row that count wherever they stand; six are the same in a few sentences that say different things."""

ALLOWED = {
    "to put it right": "a heading in an answer, and the beginning of a sentence in exercises.toml",
    "what is trained in": "the beginning of the words of a share, by which sentences.js knows it",
    "residual connections and a decoder that is tied to the word embeddings": "the end of a list, of which a hint in "
    "exercises.toml has the last item",
}
"""Phrases of scripts that may stand elsewhere, and why."""

# --- Texts --------------------------------------------------------------------

GAP = "{}"
"""Stands for what is filled in."""

TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/
    | "(?P<double>(?:\\.|[^"\\\n])*)" | '(?P<single>(?:\\.|[^'\\\n])*)'
    | (?<=[(,=:\[!&|?{};>+])\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/  # a regular expression
    | [`{}]""",
    re.DOTALL | re.VERBOSE,
)
"""What a script has besides plain code: comments, texts, regular expressions, and the signs that enclose some of it."""

IN_BACKTICKS = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*", re.DOTALL)
"""A piece of a text in backticks, up to its end or to what is filled in."""


class Script:
    """Reads the texts of a script, those within what is filled into others as well."""

    def __init__(self, code: str) -> None:
        """Read it to its end."""
        self.code = code
        self.texts: list[str] = []
        assert self.end_of_block(0, nested=False) == len(code), "a brace too many: something was not understood"

    def end_of_block(self, place: int, *, nested: bool = True) -> int:
        """Where a block ends, behind its brace; the whole script, which is in no other block, ends without one."""
        while token := TOKEN.search(self.code, place):
            place = token.end()
            if token[0] == "}":
                return place
            if token[0] == "{":
                place = self.end_of_block(place)
            elif token[0] == "`":
                place = self.end_of_backticks(place)
            else:
                self.texts += filter(None, token.groupdict().values())
        assert not nested, "a brace too few: something was not understood"
        return len(self.code)

    def end_of_backticks(self, place: int) -> int:
        """Where a text in backticks ends, behind the last of them."""
        pieces = []
        while piece := IN_BACKTICKS.match(self.code, place):
            pieces.append(piece[0])
            place = piece.end()
            assert place < len(self.code), "a backtick too few: something was not understood"
            if self.code[place] == "`":
                break
            place = self.end_of_block(place + len("${"))
        self.texts.append(f" {GAP} ".join(pieces))
        return place + 1


def of_python(code: str) -> Iterator[str]:
    """The texts of a Python file, without those that only document."""
    tree = ast.parse(code)
    passed = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            passed |= {id(each) for each in node.values}
            yield f" {GAP} ".join(str(each.value) for each in node.values if isinstance(each, ast.Constant))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed:
            yield node.value


def of_toml(content: str) -> Iterator[str]:
    """The texts of a data file; its keys are names."""

    def within(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            for each in value.values() if isinstance(value, dict) else value:
                yield from within(each)

    return within(tomllib.loads(content))


CALL = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
"""What is filled into a page or a template, and what decides over it."""

QUOTED = re.compile(r"""(["'])(.*?)\1""", re.DOTALL)


def of_page(content: str) -> Iterator[str]:
    """A page as one text, and the texts of the calls in it."""
    yield CALL.sub(f" {GAP} ", content)
    for call in CALL.findall(content):
        yield from (text for _, text in QUOTED.findall(call))


def of_template(content: str) -> Iterator[str]:
    """The same of a template, without its comments."""
    return of_page(re.sub(r"\{#.*?#\}", "", content, flags=re.DOTALL))


READERS: Mapping[str, Callable[[str], Iterator[str]]] = {
    ".py": of_python,
    ".toml": of_toml,
    ".html": of_template,
    ".md": of_page,
}
"""What reads the files of the other side, by how their names end."""

# --- Phrases ------------------------------------------------------------------

FILLED_IN = re.compile(r"\{\w*\}")
"""A gap, whether the text names what fills it or not."""

MARKUP = re.compile(r"\]\([^)]*\)|[*`\[\]]")
"""The markup of Markdown, which stands within sentences."""

END = re.compile(r"""[<>"=|“”()]|\\n|[.;:?!](?!\w)|\n\s*\n""")
"""Between phrases: the ends of sentences, of elements and of paragraphs."""

WORD = re.compile(r"(?:[^\W\d_]+['’-])*[^\W\d_]{2,}|[aAI]")


def phrases(text: str) -> Iterator[str]:
    """Every phrase of a text, in small letters, without commas and without gaps at its ends."""
    for piece in END.split(MARKUP.sub(" ", FILLED_IN.sub(f" {GAP} ", text))):
        tokens = [token.strip(",▲▸") for token in piece.split()]
        listed = " ".join(each if each == GAP or WORD.fullmatch(each) else "\n" for each in tokens if each)
        for phrase in listed.lower().split("\n"):
            words = phrase.strip(f" {GAP}").split()
            if sum(each != GAP for each in words) >= LEAST:
                yield re.sub(r"\{\}(?: \{\})+", GAP, " ".join(words))


def rows(phrase: str) -> Iterator[str]:
    """So many words in a row as no two people write by chance."""
    words = phrase.split()
    for place in range(len(words) - IN_A_ROW + 1):
        yield " ".join(words[place : place + IN_A_ROW])


Found = tuple[str, str, str]
"""A script, its phrase, and another file that has it."""


def places_of(files: Mapping[str, str]) -> dict[str, str]:
    """A file that has it, for every phrase and every row of words; the files as contents by name."""
    places: dict[str, str] = {}
    for name, content in files.items():
        for text in READERS[Path(name).suffix](content):
            for phrase in phrases(text):
                places |= dict.fromkeys([phrase, *rows(phrase)], name)
    return places


def typed_twice(scripts: Mapping[str, str], places: Mapping[str, str]) -> list[Found]:
    """Every phrase of the scripts that has a place elsewhere."""
    return [
        (name, phrase, next(places[each] for each in (phrase, *rows(phrase)) if each in places))
        for name, code in scripts.items()
        for text in Script(code).texts
        for phrase in phrases(text)
        if not places.keys().isdisjoint((phrase, *rows(phrase)))
    ]


# --- Tests --------------------------------------------------------------------


def contents(*suffixes: str) -> dict[str, str]:
    """All files whose names end so, by name."""
    paths = (path for folder in ("macros", "docs") for path in sorted((ROOT / folder).rglob("*")))
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths if path.suffix in suffixes
    }


@pytest.fixture(scope="module")
def scripts() -> dict[str, str]:
    """All scripts."""
    return contents(".js")


@pytest.fixture(scope="module")
def places() -> dict[str, str]:
    """Where the phrases of all other files are."""
    return places_of(contents(*READERS))


def test_no_sentence_is_typed_in_both_languages(scripts: dict[str, str], places: dict[str, str]) -> None:
    """Nor is anything allowed that stands in scripts alone by now."""
    found = typed_twice(scripts, places)
    remedy = "let a script take it from its page, or from words.toml or messages.toml; ALLOWED above has the exceptions"
    assert [] == [each for each in found if each[1] not in ALLOWED], remedy
    assert ALLOWED.keys() == {phrase for _, phrase, _ in found}


@pytest.mark.parametrize(
    ("names", "in_script", "in_python"),
    [
        (MESSAGES, r"textOf\(\s*\"{}\"|messages\[\"{}\"\]", r"message\([\"']{}[\"']"),
        (PHRASES, r"phrases(?:\.{}\b|\[\"{}\"\])", r"PHRASES\[[\"']{}[\"']\]"),
    ],
)
def test_what_stands_for_both_is_said_by_both(
    scripts: dict[str, str], names: Mapping[str, str], in_script: str, in_python: str
) -> None:
    """A sentence that only one language says stands where that says it."""
    for pattern, code in ((in_script, scripts), (in_python, contents(".py"))):
        everything = "\n".join(code.values())
        assert [] == [name for name in names if not re.search(pattern.replace("{}", name), everything)]


PLANTED = {
    "macros/rendering/tables/bridges.py": "the number to start from",
    "macros/counting/data/messages.toml": "a config is one json object in braces",
    "macros/rendering/templates/calculator/panels/what-if.html": "how many of the first layers",
    "docs/.overrides/404.html": "were you looking for a number",
    "docs/parts/heads.md": "how many parameters do the pooler and the output heads have",
}
"""A sentence of each kind of file."""


def test_planted_sentences_are_found_in_every_script(scripts: dict[str, str], places: dict[str, str]) -> None:
    """No script escapes, and no kind of file on the other side."""
    assert set(READERS) == {Path(name).suffix for name in PLANTED}
    for name, code in scripts.items():
        planted = "".join(f'\nsay("{phrase}")' for phrase in PLANTED.values())
        found = typed_twice({name: code + planted}, places)
        assert PLANTED.keys() == {other for _, phrase, other in found if phrase in PLANTED.values()}, name


TWINS = [
    (
        'show("calculator-parts", "Each share is rounded by itself.")',
        "a.py",
        'caption = "Each share is rounded by itself"',
    ),
    (
        "const all = `${x ? ` Each share is rounded by itself.` : ''}`",
        "a.py",
        'f"{x}: each share is rounded by itself."',
    ),
    ("html`<b>Each share</b><p>is rounded, by itself</p>`", "a.toml", '[a]\nb = [{ c = "Is rounded by itself." }]'),
    ('"each share is rounded by itself"', "a.html", "<p>{{ number }} Each share is\n    rounded by itself.</p>"),
    ('"each share is rounded by itself"', "a.md", "Text. Each *share* is [rounded](b.md#c) by itself.\n"),
    ("`From ${start} to ${end}, step by step`", "a.py", 'f"From {a} to {b[0]}, step by step"'),
    ("`You would get ${a} if you left out ${b}.`", "a.toml", 'a = "You would get {number} if you left out {every}."'),
    (
        '"so each of the shares is rounded by itself"',
        "a.md",
        "That is why each of the shares is rounded by itself here.",
    ),
    ("x = /[`'\"]/.test(y) ? 'each share is rounded by itself' : 0", "a.md", "Each share is rounded by itself."),
    ('"each share is rounded by itself"', "a.md", '{{ caption(1, "Each share is rounded by itself") }}'),
]
"""A script, and another file that has its sentence, too."""


@pytest.mark.parametrize(("script", "name", "content"), TWINS)
def test_twins_are_found(script: str, name: str, content: str) -> None:
    """However a text is written, and whatever is filled in."""
    assert [("a.js", name)] == [
        (each[0], each[2]) for each in typed_twice({"a.js": script}, places_of({name: content}))
    ]


@pytest.mark.parametrize("script", ["say(`${x`)", "if (x) {", "}\n"])
def test_a_script_that_is_not_understood_is_an_error(script: str) -> None:
    """Rather than being read in part."""
    with pytest.raises(AssertionError, match="was not understood"):
        Script(script)


OTHERS = [
    ('"by itself, too"', "a.md", "by itself, too"),
    (
        "// Each share is rounded by itself.\n/* Each share is rounded by itself. */",
        "a.md",
        "Each share is rounded by itself.",
    ),
    (
        '"Each share is rounded by itself."',
        "a.py",
        '"""Each share is rounded by itself."""  # Each share is rounded by itself.',
    ),
    ('"each share is rounded by itself"', "a.md", "Hence each share is rounded by itself here."),
    ('"each share is rounded by itself"', "a.toml", '"each share is rounded by itself" = 1'),
]
"""A script, and another file with the same words that no reader would take for its sentence, or does not see."""


@pytest.mark.parametrize(("script", "name", "content"), OTHERS)
def test_other_texts_are_not(script: str, name: str, content: str) -> None:
    """Three words, six of a longer sentence, comments, documentation and keys."""
    assert [] == typed_twice({"a.js": script}, places_of({name: content}))
