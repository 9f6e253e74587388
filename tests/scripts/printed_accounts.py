"""Save the account that the reader of pasted texts gives of each recorded print-out, for the page that explains them.

Run this after recording a print-out or changing the reader:

    python -m tests.scripts.printed_accounts

The site is built without Node.js, which the reader needs, so the accounts are saved in
`macros/counting/data/printouts/accounts.json`. `test_printed_accounts.py` compares them with the reader's current ones.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from macros.counting.published.printouts import ACCOUNTS_FILE, load_printouts, text_of

from .running import Scripts, copy_modules, running


def current_accounts(scripts: Scripts) -> dict[str, Any]:
    """The reader's current account of each print-out, by name."""
    names = list(load_printouts())
    return dict(zip(names, scripts.call("accountsAsData", [text_of(name) for name in names]), strict=True))


def as_text(accounts: dict[str, Any]) -> str:
    """The accounts as JSON, with each line of a print-out on its own line to make diffs readable."""
    return (
        "{\n" + ",\n".join(f"{_json(name)}: {_account_json(account)}" for name, account in accounts.items()) + "\n}\n"
    )


def _account_json(account: dict[str, Any] | None) -> str:
    """An account as JSON, with each of its fields and lines on a line of its own."""
    if account is None:
        return "null"
    lines = ",\n".join(f"    {_json(line)}" for line in account["lines"])
    fields = [f'  "{key}": {_json(value)}' for key, value in account.items() if key != "lines"]
    return "{\n" + ",\n".join([*fields, f'  "lines": [\n{lines}\n  ]']) + "\n}"


def _json(value: Any) -> str:
    """A value as JSON on one line, with Chinese characters as they are."""
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    """Overwrite the saved accounts with the current ones."""
    with TemporaryDirectory() as folder:
        copy_modules(Path(folder))
        with running(Path(folder)) as scripts:
            accounts = current_accounts(scripts)
    ACCOUNTS_FILE.write_text(as_text(accounts), encoding="utf-8")
    print(f"{ACCOUNTS_FILE.name}: {len(accounts)} print-outs")


if __name__ == "__main__":
    main()
