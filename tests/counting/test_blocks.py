"""Bad blocks in data files are refused with a message that names them."""

from pathlib import Path
from typing import Any

import pytest

from macros.counting import BadConfig, BadNumber
from macros.counting.blocks import blocks_of, check_choice, check_date, check_keys, look_up, with_immutable_values

GOOD_BLOCK: dict[str, Any] = {"name": "a", "count": 0, "sure": False, "parts": ["b"], "size": None}


def check(block: Any) -> None:
    """Check a block like `GOOD_BLOCK`, in which name and count are required."""
    check_keys(
        "a.toml, b", block, ["name", "count"], ["sure", "parts", "size"], count=int, sure=bool, parts=list, size=object
    )


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (3, "is 3; write keys and values"),
        ({**GOOD_BLOCK, "nmae": 1}, 'unknown key nmae = 1; did you mean "name"?'),
        ({**GOOD_BLOCK, "name": " "}, 'name is " "; write a text'),
        ({**GOOD_BLOCK, "name": 1}, "name is 1; write a text"),
        ({**GOOD_BLOCK, "count": -1}, "count is -1; write an integer from 0"),
        ({**GOOD_BLOCK, "count": True}, "count is true; write an integer from 0"),
        ({**GOOD_BLOCK, "sure": 1}, "sure is 1; write true or false"),
        ({**GOOD_BLOCK, "parts": []}, "parts is []; write a list"),
        ({**GOOD_BLOCK, "parts": "b"}, 'parts is "b"; write a list'),
        ({"count": 1}, "name is missing; write it"),
    ],
)
def test_a_bad_block_is_refused(block: Any, message: str) -> None:
    with pytest.raises(BadConfig) as error:
        check(block)
    assert f"a.toml, b: {message}" == str(error.value)


def test_unknown_values_bad_dates_and_missing_entries_are_refused() -> None:
    check_choice("a", "kind", "one", ["one", "two"])
    with pytest.raises(BadConfig, match='a: kind is "tow"; did you mean "two"'):
        check_choice("a", "kind", "tow", ["one", "two"])
    check_date("a", "2026-11-21")
    with pytest.raises(BadConfig, match='a: accessed is "today"; write a date as YYYY-MM-DD'):
        check_date("a", "today")

    def find(name: str) -> str:
        """The value of the only entry, b."""
        if name != "b":
            raise BadNumber("no such name")
        return "value"

    assert "value" == look_up("a", find, "b")
    with pytest.raises(BadConfig, match="a: no such name"):
        look_up("a", find, "c")


def test_a_good_block_is_accepted_and_a_file_must_be_toml(tmp_path: Path) -> None:
    check(GOOD_BLOCK)
    check({"name": "a", "count": 7})
    assert {"a": ("b",), "c": "d"} == with_immutable_values({"a": ["b"], "c": "d"})
    file = tmp_path / "some.toml"
    for _ in range(2):  # first missing, then not TOML
        with pytest.raises(BadConfig, match=r"some\.toml: cannot be read as TOML"):
            blocks_of(file)
        file.write_text("[")
