"""A field of the calculator that a method needs and that is left empty, or cannot be read, gets a message in words."""

from collections.abc import Iterator

from macros.counting import BERT
from tests.scripts.running import Scripts
from tests.scripts.test_configs import AS_TYPED, check

FIELDS = {"rank": "8", "width": "16", "modules": "query", "feedforward": ""}
"""The fields of a method, filled in; a method needs no module that counts as feed-forward."""


def emptied(scripts: Scripts) -> Iterator[dict[str, str]]:
    """Every method with all its fields filled in but for one, which is empty or has no number."""
    for method in scripts.call("methods"):
        fields = {name: value for name, value in FIELDS.items() if name in method["takes"]}
        for name, value in fields.items():
            yield {**fields, "method": method["name"], name: ""}
            if value.isdigit():
                yield {**fields, "method": method["name"], name: "?"}


def test_every_message_has_words(scripts: Scripts) -> None:
    """No message is empty, and none is without the name of what is missing."""
    cases = [*emptied(scripts)]
    pairs = zip(cases, check(scripts, *cases), strict=True)
    errors = [(case, error) for case, result in pairs for error in result["errors"]]
    assert {"rank", "width", "modules"} == {error["key"] for _, error in errors}
    assert [] == [(case, error) for case, error in errors if is_unclear(error["message"])]


def test_every_missing_size_is_named(scripts: Scripts) -> None:
    """No message is empty where a size is missing, whichever it is."""
    cases = [{symbol.letter: ""} for symbol in BERT.symbols if symbol.letter in AS_TYPED and symbol.default is None]
    result = check(scripts, *cases)
    assert [list(case) for case in cases] == [[error["key"] for error in checked["errors"]] for checked in result]
    assert [] == [checked for checked in result for error in checked["errors"] if is_unclear(error["message"])]


def is_unclear(message: str) -> bool:
    """Whether a message does not say what is missing: it has hardly a word before "must be"."""
    words = message.split(" must be ")[0].split()
    return len(words) < 2


def test_unclear_messages_are_found() -> None:
    """An empty message is unclear, and one that names no field is."""
    assert is_unclear("")
    assert is_unclear("Undefined must be a whole number")
    assert not is_unclear("The rank of LoRA must be a whole number, such as 8")
