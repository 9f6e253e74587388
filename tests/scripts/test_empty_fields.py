"""A message names each required field of the calculator that is empty or cannot be read."""

from collections.abc import Iterator

from macros.counting import BERT
from tests.scripts.running import Scripts
from tests.scripts.test_configs import FIELDS as ALL_FIELDS
from tests.scripts.test_configs import check

FIELDS = {"rank": "8", "width": "16", "modules": "query", "feedforward": ""}
"""Valid values for the fields of methods. No method needs a feed-forward module."""


def cases_with_invalid_field(scripts: Scripts) -> Iterator[dict[str, str]]:
    """Every method with one field empty, or with "?" in place of its number, and the other fields filled in."""
    for method in scripts.call("methods"):
        fields = {name: value for name, value in FIELDS.items() if name in method["takes"]}
        for name, value in fields.items():
            yield {**fields, "method": method["name"], name: ""}
            if value.isdigit():
                yield {**fields, "method": method["name"], name: "?"}


def test_every_message_names_the_missing_or_invalid_field(scripts: Scripts) -> None:
    cases = [*cases_with_invalid_field(scripts)]
    pairs = zip(cases, check(scripts, *cases), strict=True)
    errors = [(case, error) for case, result in pairs for error in result["errors"]]
    assert {"rank", "width", "modules"} == {error["key"] for _, error in errors}
    assert [] == [(case, error) for case, error in errors if is_unclear(error["message"])]


def test_every_missing_size_is_named(scripts: Scripts) -> None:
    cases = [{symbol.letter: ""} for symbol in BERT.symbols if symbol.letter in ALL_FIELDS and symbol.default is None]
    assert cases
    results = check(scripts, *cases)
    assert [list(case) for case in cases] == [[error["key"] for error in result["errors"]] for result in results]
    assert [] == [error for result in results for error in result["errors"] if is_unclear(error["message"])]


def is_unclear(message: str) -> bool:
    """Return whether a message names no field: it has fewer than two words before "must be"."""
    subject = message.split(" must be ")[0]
    return len(subject.split()) < 2


def test_unclear_messages_are_found() -> None:
    assert is_unclear("")
    assert is_unclear("Undefined must be a whole number")
    assert not is_unclear("The rank of LoRA must be a whole number, such as 8")
