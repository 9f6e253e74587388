"""Every snippet on a page was run with the real libraries and printed the output that the page shows.

`tests/oracles/run_snippets.py` runs and records the snippets. After changing one, run `make verify`.
"""

import json
import re

import pytest

from macros.rendering.snippets import OTHER_SNIPPETS, SNIPPETS, snippet
from tests.docs.building import ROOT
from tests.oracles.run_snippets import RECORDING_FILE
from tests.rendering.test_every_page import expanded_pages


def unrecorded_names(snippets: dict[str, str]) -> list[str]:
    """The names of the snippets that differ from the recording, or are missing on either side."""
    recording: dict[str, str] = json.loads(RECORDING_FILE.read_text(encoding="utf-8"))
    return [name for name in snippets | recording if snippets.get(name) != recording.get(name)]


def test_every_snippet_was_run() -> None:
    assert [] == unrecorded_names({name: snippet(name) for name in (*SNIPPETS, *OTHER_SNIPPETS)})


SNIPPET = re.compile(r"snippet\(\"([\w-]+)\"\)")
"""A call to the macro `snippet`; the group is the name."""


def is_answer_in_a_snippet(source: str, answer: str) -> bool:
    """Return whether one of the snippets on a page contains the answer in its code or output."""
    return any(
        re.search(rf"\b{answer}\b", re.sub(r"(?<=\d)[,_](?=\d)", "", snippet(name))) for name in SNIPPET.findall(source)
    )


def test_the_first_number_on_a_page_about_a_part_is_in_its_snippets() -> None:
    pages = {name: page for name, page in expanded_pages().items() if name.startswith("parts/")}
    sources = {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in pages}
    answers = {name: page.parsed.select("data")[0]["value"] for name, page in pages.items()}
    pages_with_snippets = [name for name, source in sources.items() if SNIPPET.search(source)]
    assert len(pages_with_snippets) > 5
    assert [] == [name for name in pages_with_snippets if not is_answer_in_a_snippet(sources[name], str(answers[name]))]
    assert not is_answer_in_a_snippet('{{ snippet("attention") }}', str(answers["parts/encoder-layer.md"]))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("storage", "load_in_4bit=True", "load_in_8bit=True"),
        ("lora", "r=8", "r=16"),
        ("attention", "attention.self.query", "attention.self.key"),
        ("base", "109482240", "109482241"),
    ],
)
def test_a_changed_snippet_is_found(name: str, old: str, new: str) -> None:
    snippets = {key: snippet(key) for key in (*SNIPPETS, *OTHER_SNIPPETS)}
    assert old in snippets[name]
    assert [name] == unrecorded_names(snippets | {name: snippets[name].replace(old, new)})
