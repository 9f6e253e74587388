"""Tables of files: where every print-out and ledger of every model stands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from macros.counting import Model, count, models_in

from . import links, numbers
from .asked import Asked
from .listings import FRAMEWORKS
from .tables import NUMERIC, Column, table

COUNTED = {
    "transformers": Asked(),
    "google-bert": Asked(model_class="BertForPreTraining"),
    "bert4keras": Asked(pooler=False),
    "ledger": Asked(model_class="BertForPreTraining"),
}
"""The print-outs with a table of their own, and what each adds up to; keras-bert's page is long without one."""

LEDGER_CLASS = "BertModel"
"""The class whose ledgers are linked to; those of the others have addresses of the same pattern."""


def every_file(name: str) -> str:
    """All print-outs of every model, and a ledger."""
    columns = [Column("model"), Column(f"ledger of {LEDGER_CLASS}"), *map(Column, FRAMEWORKS)]
    rows = [
        [
            _model(model),
            links.downloads(links.ledger_file(model.name, LEDGER_CLASS)),
            *(links.downloads(links.listing_file(model.name, each)) for each in FRAMEWORKS),
        ]
        for model in _models()
    ]
    return table(name, "Files of every model, the smallest first", columns, rows)


def _of_one(framework: str, name: str) -> str:
    """One print-out of every model, with what it adds up to."""
    columns = [Column("model"), Column("parameters", NUMERIC), Column("files")]
    asked = COUNTED[framework]
    rows = []
    for model in _models():
        own = Asked(model=model.name, model_class=asked.model_class, pooler=asked.pooler)
        file = links.ledger_file(model.name, asked.model_class) if framework == "ledger" else ""
        address = file or links.listing_file(model.name, framework)
        rows.append([_model(model), numbers.counted(own, brief=True), links.downloads(address)])
    return table(name, "This print-out of every model, the smallest first", columns, rows)


def _models() -> list[Model]:
    return sorted(models_in(), key=count)


def _model(model: Model) -> str:
    return f"<code>{model.name}</code>"


FILE_TABLES: dict[str, Callable[[str], str]] = {
    "files": every_file,
    **{f"files-{framework}": partial(_of_one, framework) for framework in COUNTED},
}
"""The tables by name."""
