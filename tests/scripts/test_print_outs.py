"""Tests that real print-outs are accounted for: `printouts/` holds them, and `index.toml` says what is in each."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from macros.counting import ARCHITECTURE_OF_CLASS
from tests.scripts.running import Scripts

FOLDER = Path(__file__).parent / "printouts"

PRINTED = tomllib.loads((FOLDER / "index.toml").read_text(encoding="utf-8"))["printout"]

NO_TOTAL = {"accelerate-estimate.txt", "load-report.txt"}
"""Texts without a number of parameters: one has bytes alone, the other names."""

PREFIXES = re.compile(r"^(?:bert|roberta|distilbert|albert|electra|mpnet|deberta|model)\.")


def described(printed: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a print-out that the index describes by their tensors."""
    return [part for part in printed.get("parts", []) if "." in part["tensors"][0]]


@pytest.fixture(scope="module", params=PRINTED, ids=[printed["file"] for printed in PRINTED])
def printed(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What is known of one print-out."""
    known: dict[str, Any] = request.param
    return known


@pytest.fixture(scope="module")
def account(printed: dict[str, Any], scripts: Scripts) -> dict[str, Any]:
    """The account of the print-out, with its sentences as plain text."""
    [account] = scripts.call("accounts", [text_of(printed)])
    assert account, "nothing was read"
    result: dict[str, Any] = account
    return result


def text_of(printed: dict[str, Any]) -> str:
    """The print-out itself."""
    text: str = (FOLDER / printed["file"]).read_text(encoding="utf-8")
    return text


def words_of(account: dict[str, Any]) -> str:
    """All sentences of an account."""
    return " ".join([account["headline"], *(finding["words"] for finding in account["findings"])])


def test_the_model_is_named_with_its_total(printed: dict[str, Any], account: dict[str, Any]) -> None:
    """An account names the class of the print-out and its right total."""
    if printed["file"] not in NO_TOTAL:
        assert f"{printed['right_total']:,}" in words_of(account)
    if printed["class"] in ARCHITECTURE_OF_CLASS and printed["file"] != "accelerate-estimate.txt":
        assert printed["class"] in words_of(account)


def test_what_is_odd_is_found(printed: dict[str, Any], account: dict[str, Any]) -> None:
    """Each part that is missing, doubled or wrong has a finding with its number."""
    numbers = [part["numbers"] for part in printed.get("doubled", [])]
    numbers += [abs(part["by"]) for part in printed.get("wrong", [])]
    numbers += [printed["missing"]["numbers"]] if "missing" in printed else []
    for number in numbers:
        assert f"{number:,}" in words_of(account)


def test_the_bridge_closes(printed: dict[str, Any], account: dict[str, Any]) -> None:
    """The steps of a bridge lead from the reader's total to the right one."""
    if bridge := account["bridge"]:
        assert bridge["start"] + sum(step["value"] for step in bridge["steps"]) == bridge["end"]
        assert bridge["end"] == printed["right_total"]


@pytest.mark.parametrize("known", [one for one in PRINTED if described(one)], ids=lambda one: str(one["file"]))
def test_rows_stand_for_their_tensors(known: dict[str, Any], scripts: Scripts) -> None:
    """Each row that the index describes is beside the tensors that it stands for."""
    [aligned] = scripts.call("alignedRows", [text_of(known)])
    for part in described(known):
        beside = {bare(name) for source, names in aligned if plain(part["row"]) in plain(source) for name in names}
        patterns = [pattern(name) for name in part["tensors"]]
        assert beside, part["row"]
        assert all(any(one.match(name) for one in patterns) for name in beside), part["row"]
        if "(decoder)" not in part["row"]:  # its bias is that of the predictions, under another name
            assert len(beside) == part["how_many"], part["row"]


def plain(text: str) -> str:
    """A text with single blanks."""
    return " ".join(text.split())


def bare(name: str) -> str:
    """The name of a tensor without that of the model."""
    return PREFIXES.sub("", name)


def pattern(name: str) -> re.Pattern[str]:
    """A pattern for names of tensors, in which one asterisk stands for a component and two for any."""
    if "decoder" in name:  # the bias of the decoder is that of the predictions
        name = name.replace("decoder.*", "**")
    text = re.escape(bare(name)).replace(r"\*\*", ".*").replace(r"\*", r"[^.]+")
    return re.compile(f"{text}$")
