"""Checks quantities in words, such as "two thirds", against a changed models.toml.

Run it in the root of a copy of the repository. It prints, as JSON, all conditional words on pages, in code and in the
data files, each with its condition, its models, and the truth of that condition. It replaces false words only in
`deviations.toml`.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from macros.counting.deviations import DEVIATIONS_FILE, load_deviations
from macros.counting.errors import CountingError
from macros.counting.published.claims import load_claims
from macros.counting.published.conditions import BOTH, EVERY, says

SAYS_CALL = re.compile(r"says\((?:\"[^\"]*\"|'[^']*'|[^\"')])*\)")
"""A call to `says`. Its arguments may contain parentheses only in strings."""


class ConditionalWords(NamedTuple):
    """Words on a page, the condition under which they are true, and the models that they describe."""

    words: str
    condition: str
    model: str = BOTH

    @property
    def is_true(self) -> bool:
        """Whether the condition is true, so that the site can be built with these words."""
        try:
            says(*self)
        except CountingError:
            return False
        return True


def page_code(root: Path) -> Iterator[Path]:
    """The modules and templates in a copy of the repository that generate pages."""
    for pattern in ("rendering/**/*.py", "*/templates/**/*.html"):
        yield from (root / "macros").glob(pattern)


def words_in_sources(paths: Iterable[Path]) -> Iterator[ConditionalWords]:
    """The conditional words in every call to `says` in the given files. The arguments must be literals."""
    for path in paths:
        for call in SAYS_CALL.findall(path.read_text(encoding="utf-8")):
            yield ConditionalWords(*(ast.literal_eval(argument) for argument in ast.parse(call, mode="eval").body.args))


def words_in_data() -> Iterator[ConditionalWords]:
    """The conditional words of all deviations and claims."""
    for deviation in load_deviations().values():
        answers = (deviation.title, deviation.done, deviation.undo, deviation.why)
        for words, condition in deviation.holds:
            # The words of an answer may describe any model, but those of a notice describe BERT base and BERT large.
            yield ConditionalWords(words, condition, EVERY if any(words in text for text in answers) else BOTH)
    for claim in (claim for claims in load_claims().values() for claim in claims):
        yield from (ConditionalWords(words, condition, claim.model.name) for words, condition in claim.holds)


def without_false_words(text: str) -> str:
    """The text of deviations.toml, with false words replaced by placeholders whose condition is true."""
    blocks = re.split(r"(?m)^(?=\[)", text)
    for index, block in enumerate(blocks):
        heading = re.match(r"\[([\w-]+)\]", block)
        if not heading:
            continue  # the text before the first deviation
        for number, (words, condition) in enumerate(load_deviations()[heading[1]].holds):
            if not ConditionalWords(words, condition, EVERY).is_true:
                blocks[index] = blocks[index].replace(words, f"otherwise-{number}").replace(condition, "H == H")
    return "".join(blocks)


def main() -> None:
    """Print all conditional words, each with the truth of its condition, and rewrite the deviations in place."""
    words = [*words_in_sources([*Path("docs").rglob("*.md"), *page_code(Path())]), *words_in_data()]
    print(json.dumps([[*conditional, conditional.is_true] for conditional in words]))
    DEVIATIONS_FILE.write_text(without_false_words(DEVIATIONS_FILE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
