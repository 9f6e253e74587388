"""Lines of comments in scripts are at most 120 columns wide, as Biome makes code and ruff makes Python."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

MAX_WIDTH = 120
"""The width in `biome.json` and `pyproject.toml`."""

COMMENT = re.compile(r"\s*(?:/?\*|//)")
"""Matches the beginning of a line that is a comment."""


def too_wide_lines(code: str) -> list[int]:
    """The numbers of the lines of comments that are too wide."""
    lines = enumerate(code.splitlines(), 1)
    return [number for number, line in lines if len(line) > MAX_WIDTH and COMMENT.match(line)]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (f"// {'a' * 117}", []),
        (f"// {'a' * 118}", [1]),
        (f"/** {'a' * 60}\n   * {'a' * 116} */", [2]),
        (f"const text = `{'a' * 120}` // a comment after code", []),
    ],
)
def test_only_comments_that_are_too_wide_are_listed(code: str, expected: list[int]) -> None:
    assert expected == too_wide_lines(code)


def test_no_comment_is_too_wide() -> None:
    scripts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "assets").rglob("*.js")}
    assert len(scripts) > 250
    wide_lines = {path.relative_to(ROOT).as_posix(): too_wide_lines(code) for path, code in scripts.items()}
    assert {} == {name: lines for name, lines in wide_lines.items() if lines}
