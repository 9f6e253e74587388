"""Tables of files: where to find the print-outs and ledgers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from macros.counting import Choices, Question

from ..elements import numbers, pages
from ..elements.tables import NUMERIC, Column, code, table
from ..listings import FRAMEWORKS

COUNTED = {
    "transformers": ("BertModel", Choices()),
    "google-bert": ("BertForPreTraining", Choices()),
    "bert4keras": ("BertModel", Choices(pooler=False)),
    "ledger": ("BertForPreTraining", Choices()),
}
"""The print-outs with a table of their own, and what each adds up to; keras-bert's page is long without one."""

LEDGER_CLASS = "BertModel"
"""The class whose ledgers are linked to; those of the others have addresses of the same pattern."""


def every_file(name: str) -> str:
    """All print-outs of each model that has files, and a ledger."""
    columns = [Column("model"), Column(f"ledger of {LEDGER_CLASS}"), *map(Column, FRAMEWORKS)]
    rows = [
        [
            code(model.name),
            pages.downloads(pages.ledger_file(Question(model, LEDGER_CLASS))),
            *(pages.downloads(pages.listing_file(model.name, each)) for each in FRAMEWORKS),
        ]
        for model in pages.models_with_files()
    ]
    return table(name, "Files of each model", columns, rows)


def _of_one(framework: str, name: str) -> str:
    """One print-out of each model that has files, with what it adds up to."""
    columns = [Column("model"), Column("parameters", NUMERIC), Column("files")]
    model_class, choices = COUNTED[framework]
    rows = []
    for model in pages.models_with_files():
        asked = Question(model, model_class, choices=choices)
        address = pages.ledger_file(asked) if framework == "ledger" else pages.listing_file(model.name, framework)
        rows.append([code(model.name), numbers.counted(asked, brief=True), pages.downloads(address)])
    return table(name, "This print-out as a file", columns, rows)


FILE_TABLES: dict[str, Callable[[str], str]] = {
    "files": every_file,
    **{f"files-{framework}": partial(_of_one, framework) for framework in COUNTED},
}
"""The tables by name."""
