"""Finds the quantities in words that are true for a changed models.toml, and takes the false ones out of the data.

Run in the root of a copy of the repository. Prints, as JSON, the words of every condition on pages,
in code and in the data files, and whether they hold.
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

CALL = re.compile(r"says\((?:\"[^\"]*\"|'[^']*'|[^\"')])*\)")


class Held(NamedTuple):
    """Words, the condition that must be true for them, and the models that they are about."""

    words: str
    condition: str
    model: str = BOTH

    @property
    def true(self) -> bool:
        """True if the site builds with these words."""
        try:
            says(*self)
        except CountingError:
            return False
        return True


def code(root: Path) -> Iterator[Path]:
    """The code and templates of a copy of the repository that make pages."""
    for names in ("rendering/**/*.py", "*/templates/**/*.html"):
        yield from (root / "macros").glob(names)


def in_sources(paths: Iterable[Path]) -> Iterator[Held]:
    """The conditions in every call whose arguments are literals, on pages, in code and in templates."""
    for path in paths:
        for call in CALL.findall(path.read_text(encoding="utf-8")):
            yield Held(*(ast.literal_eval(argument) for argument in ast.parse(call, mode="eval").body.args))


def in_data() -> Iterator[Held]:
    """The conditions of all deviations and claims."""
    for deviation in load_deviations().values():
        answers = (deviation.title, deviation.done, deviation.undo, deviation.why)
        for words, condition in deviation.holds:
            yield Held(words, condition, EVERY if any(words in text for text in answers) else BOTH)
    for claim in (claim for claims in load_claims().values() for claim in claims):
        yield from (Held(words, condition, claim.model.name) for words, condition in claim.holds)


def without_false_words(text: str) -> str:
    """The text of deviations.toml with words that are false here replaced by neutral ones."""
    blocks = re.split(r"(?m)^(?=\[)", text)
    for index, block in enumerate(blocks):
        name = re.match(r"\[([\w-]+)\]", block)
        for number, (words, condition) in enumerate(load_deviations()[name[1]].holds if name else ()):
            if not Held(words, condition, EVERY).true:
                blocks[index] = blocks[index].replace(words, f"otherwise-{number}").replace(condition, "H == H")
    return "".join(blocks)


def main() -> None:
    """Print which words hold, and rewrite the deviations in place."""
    conditions = [*in_sources([*Path("docs").rglob("*.md"), *code(Path())]), *in_data()]
    print(json.dumps([[*condition, condition.true] for condition in conditions]))
    DEVIATIONS_FILE.write_text(without_false_words(DEVIATIONS_FILE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
