"""The page about print-outs says of each line what the reader of pasted texts says of it today."""

import json

from macros.counting.published.printouts import ACCOUNTS_FILE, load_printouts
from tests.scripts.printed_accounts import accounts_now, as_text
from tests.scripts.running import Scripts

ANEW = (
    "the reader says something else now: run `.venv/bin/python -m tests.scripts.printed_accounts`, and look at the page"
)
"""The remedy if the kept accounts are out of date."""


def test_the_accounts_are_those_of_the_reader(scripts: Scripts) -> None:
    """The answers that are kept are what the reader answers now."""
    current = accounts_now(scripts)
    saved = json.loads(ACCOUNTS_FILE.read_text(encoding="utf-8"))
    differ = [name for name in current if current[name] != saved.get(name)]
    assert ([], list(current)) == (differ, list(saved)), ANEW
    assert ACCOUNTS_FILE.read_text(encoding="utf-8") == as_text(current), ANEW


def test_every_print_out_is_explained(scripts: Scripts) -> None:
    """The reader recognises BERT base in each print-out with rows, and finds what is wrong in it."""
    current = accounts_now(scripts)
    rows = {name for name, account in current.items() if account and account["kind"] == "rows"}
    assert {"print-model", "named-parameters", "state-dict", "torchinfo", "keras-bert", "bert4keras"} <= rows
    assert {"bert-base-uncased"} == {current[name]["model"]["name"] for name in rows}
    doubled_rows = {name for name in rows if any(line["verdict"] == "counted twice" for line in current[name]["lines"])}
    assert {"print-model", "state-dict", "torchinfo"} == doubled_rows
    assert list(load_printouts()) == list(current)
