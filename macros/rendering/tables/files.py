"""Tables of files: where to find the print-outs and ledgers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from macros.counting import Choices, Model, Question, load_models

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
    """Every model that has files: a ledger of it, and what each framework prints of it."""
    columns = [Column("model"), Column(f"ledger of {LEDGER_CLASS}"), *map(Column, FRAMEWORKS)]
    rows = [
        [code(model.name), *(_links(model, each, LEDGER_CLASS) for each in ("ledger", *FRAMEWORKS))]
        for model in load_models().values()
    ]
    return table(name, "Files of each model", columns, [row for row in rows if any(row[1:])])


def _links(model: Model, framework: str, model_class: str) -> str:
    """Links to a print-out, or to the ledger of a class; nothing where there is no such file."""
    if framework == "ledger":
        return pages.downloads(pages.ledger_file(Question(model, model_class))) if pages.has_ledgers(model) else ""
    return pages.downloads(pages.listing_file(model.name, framework)) if pages.has_print_out(model, framework) else ""


def _of_one(framework: str, name: str) -> str:
    """One print-out of each model that has it as a file, with what it adds up to."""
    columns = [Column("model"), Column("parameters", NUMERIC), Column("files")]
    model_class, choices = COUNTED[framework]
    rows = [
        [code(model.name), numbers.counted(Question(model, model_class, choices=choices), brief=True), links]
        for model in load_models().values()
        if (links := _links(model, framework, model_class))
    ]
    return table(name, f"{'The ledger' if framework == 'ledger' else 'This print-out'} as a file", columns, rows)


FILE_TABLES: dict[str, Callable[[str], str]] = {
    "files": every_file,
    **{f"files-{framework}": partial(_of_one, framework) for framework in COUNTED},
}
"""The tables by name."""
