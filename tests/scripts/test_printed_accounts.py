"""The saved accounts on the page about print-outs match the current ones of the reader of pasted texts."""

import json

from macros.counting.published.printouts import ACCOUNTS_FILE, load_printouts
from tests.scripts.printed_accounts import as_text, current_accounts
from tests.scripts.running import Scripts

REMEDY = (
    "the reader's accounts have changed: run `.venv/bin/python -m tests.scripts.printed_accounts`, and check the page"
)
"""The message if the saved accounts are out of date."""


def test_saved_accounts_are_current(scripts: Scripts) -> None:
    accounts = current_accounts(scripts)
    saved_accounts = json.loads(ACCOUNTS_FILE.read_text(encoding="utf-8"))
    changed_names = [name for name in accounts if accounts[name] != saved_accounts.get(name)]
    assert ([], list(accounts)) == (changed_names, list(saved_accounts)), REMEDY
    assert ACCOUNTS_FILE.read_text(encoding="utf-8") == as_text(accounts), REMEDY


def test_bert_base_is_recognised_in_every_print_out_with_rows(scripts: Scripts) -> None:
    accounts = current_accounts(scripts)
    rows = {name for name, account in accounts.items() if account and account["kind"] == "rows"}
    assert {"print-model", "named-parameters", "state-dict", "torchinfo", "keras-bert", "bert4keras"} <= rows
    assert {"bert-base-uncased"} == {accounts[name]["model"]["name"] for name in rows}
    doubled_rows = {
        name for name in rows if any(line["verdict"] == "counted twice" for line in accounts[name]["lines"])
    }
    assert {"print-model", "state-dict", "torchinfo", "lightning"} == doubled_rows
    assert list(load_printouts()) == list(accounts)
