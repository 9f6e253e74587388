"""Files to download: links to print-outs and ledgers, and tables of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from macros.counting import Choices, CountingError, Model, Question, load_models, model_named
from macros.counting.errors import shown, suggestion

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

LISTED = ("ledger", *FRAMEWORKS)
"""The kinds of files that a model may have."""


def links(model: str, kind: str) -> str:
    """Links to the ledger of a model, or to what a framework prints of it; nothing where there is no such file.

    Raises:
        CountingError: no kind of file of that name.
    """
    if kind not in LISTED:
        raise CountingError(f"no kind of file {shown(kind)}; {suggestion(kind, LISTED)}")
    return _links(model_named(model), kind, LEDGER_CLASS)


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
    f"files-{framework}": partial(_of_one, framework) for framework in COUNTED
}
"""The tables by name."""

TOPIC: dict[str, object] = {
    "models": tuple(
        model.name for model in load_models().values() if any(_links(model, each, LEDGER_CLASS) for each in LISTED)
    ),
    "links": links,
}
"""What the page of downloads calls, and the models that have files."""
