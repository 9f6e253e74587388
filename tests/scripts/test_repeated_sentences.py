"""No sentence is typed both in scripts and elsewhere, so that a sentence that both show is written once.

A phrase is a run of English words within a sentence or an element. It has a gap wherever a value is filled in. A phrase
is typed twice if it has at least four words and is a whole phrase on both sides, or if both sides share seven words in
a row, which hardly happens by chance.

In scripts, the strings in quotes and in backticks are compared; elsewhere, the strings of Python files, the values of
data files, and the texts of templates and pages.
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

MIN_WORDS = 4
"""The minimum number of words in a phrase that counts. Shorter phrases are often headings or labels."""

RUN_LENGTH = 7
"""The number of equal words in a row that counts as a match anywhere. Unrelated sentences may share six."""

REPEATED_WORDS = {
    "to put it right": "a heading in an answer, and the beginning of a sentence in exercises.toml",
    "what is trained in": "the beginning of the words for a share, by which sentences.js recognises it",
    "residual connections and a decoder that is tied to the word embeddings": "the end of a list whose last item is "
    "also in a hint in exercises.toml",
    "for name tensor in": "Python code that a refusal of files recommends",
}
"""Phrases of scripts that may also be elsewhere, with the reason."""

# --- Texts --------------------------------------------------------------------

GAP_MARK = "{}"
"""The mark for a value that is filled in."""

TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/
    | "(?P<double>(?:\\.|[^"\\\n])*)" | '(?P<single>(?:\\.|[^'\\\n])*)'
    | (?<=[(,=:\[!&|?{};>+])\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/  # a regular expression
    | [`{}]""",
    re.DOTALL | re.VERBOSE,
)
"""The parts of a script other than plain code: comments, strings, regular expressions, backticks and braces."""

TEMPLATE_PIECE = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*", re.DOTALL)
"""A piece of a template literal, up to its end or to a value that is filled in."""


class ScriptTexts:
    """The strings in a script, including those within expressions that are filled into other strings."""

    def __init__(self, code: str) -> None:
        """Read the script to its end."""
        self.code = code
        self.texts: list[str] = []
        assert self.end_of_block(0, is_nested=False) == len(code), "a brace too many: something was not understood"

    def end_of_block(self, position: int, *, is_nested: bool = True) -> int:
        """Add the strings in a block to the texts.

        Returns the position after the brace that ends the block, or the end of the script if the block is not nested.
        """
        while token := TOKEN.search(self.code, position):
            position = token.end()
            if token[0] == "}":
                return position
            if token[0] == "{":
                position = self.end_of_block(position)
            elif token[0] == "`":
                position = self.end_of_backticks(position)
            else:
                self.texts += filter(None, token.groupdict().values())
        assert not is_nested, "a brace too few: something was not understood"
        return len(self.code)

    def end_of_backticks(self, position: int) -> int:
        """Add a template literal to the texts, and return the position after its last backtick."""
        pieces = []
        while piece := TEMPLATE_PIECE.match(self.code, position):
            pieces.append(piece[0])
            position = piece.end()
            assert position < len(self.code), "a backtick too few: something was not understood"
            if self.code[position] == "`":
                break
            position = self.end_of_block(position + len("${"))
        self.texts.append(f" {GAP_MARK} ".join(pieces))
        return position + 1


def texts_of_python(code: str) -> Iterator[str]:
    """The strings in a Python file, without docstrings."""
    tree = ast.parse(code)
    skipped_ids = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped_ids |= {id(part) for part in node.values}
            yield f" {GAP_MARK} ".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped_ids:
            yield node.value


def texts_of_toml(content: str) -> Iterator[str]:
    """The strings among the values of a data file. Keys are left out."""

    def within(value: Any) -> Iterator[str]:
        """The strings in a value, at any depth."""
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            for item in value.values() if isinstance(value, dict) else value:
                yield from within(item)

    return within(tomllib.loads(content))


CALL = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
"""An expression or a statement in a page or a template."""

QUOTED_STRING = re.compile(r"""(["'])(.*?)\1""", re.DOTALL)
"""A string in a call."""


def texts_of_page(content: str) -> Iterator[str]:
    """A page as a single text, followed by the strings in its calls."""
    yield CALL.sub(f" {GAP_MARK} ", content)
    for call in CALL.findall(content):
        yield from (text for _, text in QUOTED_STRING.findall(call))


def texts_of_template(content: str) -> Iterator[str]:
    """The texts of a template without its comments, read like a page."""
    return texts_of_page(re.sub(r"\{#.*?#\}", "", content, flags=re.DOTALL))


READERS: Mapping[str, Callable[[str], Iterator[str]]] = {
    ".py": texts_of_python,
    ".toml": texts_of_toml,
    ".html": texts_of_template,
    ".md": texts_of_page,
}
"""The functions that read the files on the other side, by suffix."""

# --- Phrases ------------------------------------------------------------------

GAP = re.compile(r"\{\w*\}")
"""A gap, with or without the name of the value that fills it."""

MARKUP = re.compile(r"\]\([^)]*\)|[*`\[\]]")
"""Markdown's markup within sentences."""

PHRASE_END = re.compile(r"""[<>"=|“”()]|\\n|[.;:?!](?!\w)|\n\s*\n""")
"""The end of a phrase: of a sentence, an element or a paragraph."""

WORD = re.compile(r"(?:[^\W\d_]+['’-])*[^\W\d_]{2,}|[aAI]")
"""An English word. Single letters other than "a" and "I" are symbols or names of sizes."""


def phrases(text: str) -> Iterator[str]:
    """Every phrase of a text, in lower case, without commas and without gaps at its ends."""
    for piece in PHRASE_END.split(MARKUP.sub(" ", GAP.sub(f" {GAP_MARK} ", text))):
        tokens = [token.strip(",▲▸") for token in piece.split()]
        line = " ".join(token if token == GAP_MARK or WORD.fullmatch(token) else "\n" for token in tokens if token)
        for phrase in line.lower().split("\n"):
            words = phrase.strip(f" {GAP_MARK}").split()
            if sum(word != GAP_MARK for word in words) >= MIN_WORDS:
                yield re.sub(r"\{\}(?: \{\})+", GAP_MARK, " ".join(words))


def runs(phrase: str) -> Iterator[str]:
    """Every run of `RUN_LENGTH` words in a phrase."""
    words = phrase.split()
    for index in range(len(words) - RUN_LENGTH + 1):
        yield " ".join(words[index : index + RUN_LENGTH])


Twin = tuple[str, str, str]
"""The name of a script, one of its phrases, and the name of another file with the phrase."""


def files_by_words_of(files: Mapping[str, str]) -> dict[str, str]:
    """A file for every phrase in the contents of `files`, and for every run of `RUN_LENGTH` words."""
    files_by_words: dict[str, str] = {}
    for name, content in files.items():
        for text in READERS[Path(name).suffix](content):
            for phrase in phrases(text):
                files_by_words |= dict.fromkeys([phrase, *runs(phrase)], name)
    return files_by_words


def find_twins(scripts: Mapping[str, str], files_by_words: Mapping[str, str]) -> list[Twin]:
    """Every phrase of the scripts that another file also has."""
    twins = []
    for name, code in scripts.items():
        for text in ScriptTexts(code).texts:
            for phrase in phrases(text):
                files = [files_by_words[run] for run in (phrase, *runs(phrase)) if run in files_by_words]
                if files:
                    twins.append((name, phrase, files[0]))
    return twins


# --- Tests --------------------------------------------------------------------


def contents(*suffixes: str) -> dict[str, str]:
    """The contents of all files in `macros` and `docs` with one of the suffixes, by name."""
    paths = (path for folder in ("macros", "docs") for path in sorted((ROOT / folder).rglob("*")))
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths if path.suffix in suffixes
    }


@pytest.fixture(scope="module")
def scripts() -> dict[str, str]:
    """The code of all scripts, by name."""
    return contents(".js")


@pytest.fixture(scope="module")
def files_by_words() -> dict[str, str]:
    """A file for every phrase in all other files, and for every run of `RUN_LENGTH` words."""
    return files_by_words_of(contents(*READERS))


def test_no_sentence_is_typed_in_both_languages(scripts: dict[str, str], files_by_words: dict[str, str]) -> None:
    twins = find_twins(scripts, files_by_words)
    remedy = "let a script take it from its page, or from words.toml or messages.toml; exceptions are in REPEATED_WORDS"
    assert [] == [twin for twin in twins if twin[1] not in REPEATED_WORDS], remedy
    assert REPEATED_WORDS.keys() == {phrase for _, phrase, _ in twins}


@pytest.mark.parametrize(
    ("names", "script_pattern", "python_pattern"),
    [
        (MESSAGES, r"textOf\(\s*\"{}\"|messages\[\"{}\"\]", r"message\([\"']{}[\"']"),
        (PHRASES, r"phrases(?:\.{}\b|\[\"{}\"\])", r"PHRASES\[[\"']{}[\"']\]"),
    ],
)
def test_shared_sentences_are_used_in_both_languages(
    scripts: dict[str, str], names: Mapping[str, str], script_pattern: str, python_pattern: str
) -> None:
    for pattern, code in ((script_pattern, scripts), (python_pattern, contents(".py"))):
        all_code = "\n".join(code.values())
        assert [] == [name for name in names if not re.search(pattern.replace("{}", name), all_code)]


PLANTED_TWINS = {
    "macros/rendering/tables/bridges.py": "the number to start from",
    "macros/counting/data/messages.toml": "a config is one json object in braces",
    "macros/rendering/templates/calculator/panels/what-if.html": "heads to prune in all layers together",
    "docs/.overrides/404.html": "were you looking for a number",
    "docs/parts/heads.md": "how many parameters do the pooler and the output heads have",
}
"""Phrases by the file that they come from, with at least one file of every kind."""


def test_planted_sentences_are_found_in_every_script(scripts: dict[str, str], files_by_words: dict[str, str]) -> None:
    assert set(READERS) == {Path(name).suffix for name in PLANTED_TWINS}
    for name, code in scripts.items():
        planted_code = "".join(f'\nsay("{phrase}")' for phrase in PLANTED_TWINS.values())
        twins = find_twins({name: code + planted_code}, files_by_words)
        assert PLANTED_TWINS.keys() == {other for _, phrase, other in twins if phrase in PLANTED_TWINS.values()}, name


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
"""The code of a script, and the name and content of another file with the same sentence."""


@pytest.mark.parametrize(("script", "name", "content"), TWINS)
def test_twins_are_found(script: str, name: str, content: str) -> None:
    twins = find_twins({"a.js": script}, files_by_words_of({name: content}))
    assert [("a.js", name)] == [(script_name, other_name) for script_name, _, other_name in twins]


@pytest.mark.parametrize("script", ["say(`${x`)", "if (x) {", "}\n"])
def test_a_script_that_is_not_understood_is_an_error(script: str) -> None:
    """A script with unbalanced braces or backticks is an error, because a part of it might be skipped."""
    with pytest.raises(AssertionError, match="was not understood"):
        ScriptTexts(script)


NO_TWINS = [
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
"""The code of a script, and another file that shares words with it, but no sentence that readers see in both."""


@pytest.mark.parametrize(("script", "name", "content"), NO_TWINS)
def test_short_texts_and_comments_are_no_twins(script: str, name: str, content: str) -> None:
    assert [] == find_twins({"a.js": script}, files_by_words_of({name: content}))
