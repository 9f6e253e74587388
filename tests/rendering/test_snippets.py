"""Every snippet on a page was run with the real libraries, and printed the output that is shown.

`tests/oracles/run_snippets.py` runs and records them: after a change of one, run `make verify`.
"""

import json

import pytest

from macros.rendering.snippets import OTHERS, SNIPPETS, snippet
from tests.oracles.run_snippets import RECORDING_FILE


def not_run(snippets: dict[str, str]) -> list[str]:
    """The names of snippets that are not recorded, or are recorded with another text."""
    recording: dict[str, str] = json.loads(RECORDING_FILE.read_text(encoding="utf-8"))
    return [name for name in snippets | recording if snippets.get(name) != recording.get(name)]


def test_every_snippet_was_run() -> None:
    """The recording has exactly the snippets of the site, each with its output."""
    assert [] == not_run({name: snippet(name) for name in (*SNIPPETS, *OTHERS)})


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("storage", "load_in_4bit=True", "load_in_8bit=True"),
        ("lora", "r=8", "r=16"),
        ("attention", "attention.self.query", "attention.self.key"),
        ("base", "109482240", "109482241"),
    ],
)
def test_another_snippet_is_found(name: str, old: str, new: str) -> None:
    """A changed argument, module or number makes a snippet differ from its recording."""
    snippets = {key: snippet(key) for key in (*SNIPPETS, *OTHERS)}
    assert old in snippets[name]
    assert [name] == not_run(snippets | {name: snippets[name].replace(old, new)})
