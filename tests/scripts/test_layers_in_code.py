"""Layers that code builds with torch.nn are counted, alone and on top of a model that the code loads."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.scripts.running import Scripts

CASES = tomllib.loads(Path(__file__).with_name("layers_in_code.toml").read_text(encoding="utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"].strip()[:40])
def test_layers_are_counted_as_torch_counts_them(case: dict[str, Any], scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [case["text"]])
    if "none" in case:
        assert account is None
        return
    headline = account["headline"]
    assert case.get("says", "") in headline
    if "number" in case:
        assert f"{case['number']:,} parameters" in headline
    if "total" in case:
        assert f"that makes {case['total']:,}." in headline
    assert account["confidence"] != "certain"
