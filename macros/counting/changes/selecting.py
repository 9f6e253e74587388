"""Selects the rows to which an operation is applied: under a path, by tag, or by the names of modules.

The head of this package explains the keys of an operation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, NamedTuple

from ..architecture import MATRICES, Architecture, belongs, lies_under
from ..errors import BadChange, quote, suggestion
from ..question import Question
from .methods import ALL_LINEAR, Change, rules
from .rows import ChangedRow, Rows


class Selector(NamedTuple):
    """Selects rows of the model that is built, for the operations of one change."""

    question: Question
    change: Change

    def select(self, operation: Mapping[str, Any], rows: Rows) -> Rows:
        """The rows to which an operation is applied.

        Raises:
            BadChange: the name of a module matches no row, or matches one that cannot get an adapter.
        """
        at, tag, under = (operation.get(key, "") for key in ("at", "tag", "under"))
        paths = _paths(self.question.architecture, under, tag)
        targets = [row for row in rows if row.path in paths]
        if at or operation["do"] in ("add", "copy", "store", "remove"):
            targets = [row for row in targets if not row.added and not row.is_removed]
        if at:
            within = frozenset(self._rows_at(at, rows))
            targets = [row for row in targets if row in within]
        if but := operation.get("but"):
            excluded = frozenset(self._rows_at(but, rows))
            targets = [row for row in targets if row not in excluded]
        if operation["do"] == "store":
            # bitsandbytes never packs the decoder, which shares its weights with the word embeddings.
            targets = [row for row in targets if not lies_under(row.path, (rules()["decoder"],))]
        return tuple(targets)

    def _rows_at(self, at: str, rows: Rows) -> Rows:
        """The unchanged model's rows in the modules that `at` names, by words or by an option of the method."""
        model_rows = tuple(row for row in rows if not row.added)
        options, method = self.change.options, self.change.method
        if at == "outside":
            return tuple(row for row in model_rows if not lies_under(row.path, ("bert",)))
        if at == "head":
            return () if options.get("task") == "none" else tuple(filter(is_copied, model_rows))
        if at == "bias":
            return self._biases(options.get("bias", "none"), model_rows)
        if at == "save":
            return tuple(row for name in options.get(at, ()) for row in self._saved(name, model_rows))
        if at == "skip":
            return tuple(row for name in options.get(at, ()) for row in self._skipped(name, model_rows))
        if at not in ("modules", "feedforward"):
            return self._modules(at.split(","), model_rows)
        # IA3 has defaults for both options, but PEFT uses the one for `feedforward` only if no modules are named.
        has_default = at == "modules" or "modules" not in options
        default = getattr(method, at).get(self.question.architecture.model_type, "") if has_default else ""
        names = options.get(at) or tuple(filter(None, default.split(",")))
        if not names and at == "modules":
            name = self.question.architecture.name
            raise BadChange(
                f"{self.change}: {method.library} has no default modules for {name}; name some with modules="
            )
        return self._modules(names, model_rows)

    def _biases(self, which: str, model_rows: Rows) -> Rows:
        """The biases that LoRA's option `bias` trains. Biases of modules that PEFT copies are left out."""
        if which == "none":
            return ()
        copied = (*self._rows_at("head", model_rows), *self._rows_at("save", model_rows))
        biases = tuple(row for row in model_rows if row.name.endswith("bias") and row not in copied)
        if which == "all":
            return biases
        adapted = {_module(row.path) for row in self._rows_at("modules", model_rows)}
        return tuple(row for row in biases if _module(row.path) in adapted and not row.tied_to)

    def _saved(self, name: str, model_rows: Rows) -> Rows:
        """The rows of the modules whose names end with this name, which is how PEFT finds its `modules_to_save`."""
        saved = tuple(row for row in model_rows if saved_module(row.name, name))
        if not saved:
            raise BadChange(f"{self.change}: {self.question.resolved_class.name} has no module {quote(name)}")
        return saved

    def _skipped(self, name: str, model_rows: Rows) -> Rows:
        """The rows of dense layers that transformers leaves unpacked if it is given this name."""
        dense = [row for row in model_rows if row.path.rpartition("/")[2] in MATRICES]
        skipped = tuple(row for row in dense if _is_skipped(_layer(row), name))
        if not skipped:
            raise BadChange(
                f"{self.change}: {quote(name)} is neither the end of a dense layer's name nor the full name of a "
                f"module around one, so nothing would stay unpacked; write, for example, {_layer(dense[-1])}"
            )
        return skipped

    def _modules(self, names: Collection[str], model_rows: Rows) -> Rows:
        """The matrices and tables in the named modules, in the order of the model.

        A name is a word of `data/changes.toml`, or else the end of a module's name, as in PEFT.
        """
        paths_of_word: Mapping[str, str] = rules()["adapted"]
        has_no_task = self.change.options.get("task") == "none"
        matrices = tuple(row for row in model_rows if " " in row.shape)
        targets: set[ChangedRow] = set()
        for name in names:
            if name in (*paths_of_word, ALL_LINEAR):
                # `is_adapted` leaves out heads, because PEFT copies them. Without a task type, PEFT adapts them.
                heads = filter(is_copied, matrices) if name == ALL_LINEAR and has_no_task else ()
                matches = [*(row for row in matrices if is_adapted(row.path, name)), *heads]
            else:
                matches = [row for row in matrices if f".{row.name}".endswith(f".{name}.weight")]
                if any(is_copied(row) for row in matches) and not has_no_task:
                    raise BadChange(f"{self.change}: a copy of {quote(name)} is trained, so it gets no adapter")
            if not matches:
                words = [*paths_of_word, ALL_LINEAR]
                raise BadChange(f"{self.change}: no layer has a module {quote(name)}; {suggestion(name, words)}")
            targets.update(matches)
        return tuple(row for row in model_rows if row in targets)


@cache
def _paths(architecture: Architecture, under: str, tag: str) -> frozenset[str]:
    """The paths of the rows that lie under a part and carry a tag.

    A row that belongs to the whole model has an empty path: it lies under no part and carries no tag.
    """
    path_of_whole_model = [] if under or tag else [""]
    return frozenset([*path_of_whole_model, *(row.path for row in architecture.rows if belongs(row, under, tag))])


def is_copied(row: ChangedRow) -> bool:
    """Whether a row is in a head that PEFT copies, and then trains, if it is given a task type."""
    return lies_under(row.path, tuple(rules()["copied"]))


def is_adapted(path: str, name: str) -> bool:
    """Whether a path leads to a matrix in the modules that a word of `data/changes.toml` stands for.

    >>> is_adapted("bert/encoder/layer_*/attention/self/query/kernel", "query")
    True
    """
    if path.rpartition("/")[2] not in MATRICES or lies_under(path, (rules()["decoder"], *rules()["copied"])):
        return False
    ends = () if name == ALL_LINEAR else rules()["adapted"][name]
    is_named = _module(path).endswith(ends if isinstance(ends, str) else tuple(ends))
    return name == ALL_LINEAR or ("layer_*" in path and is_named)


def saved_module(name: str, key: str) -> tuple[str, str] | None:
    """Split a parameter's name into the outermost module whose name ends with `key`, and the rest.

    Returns None if there is no such module.

    >>> saved_module("pre_classifier.weight", "classifier")
    ('pre_classifier', 'weight')
    """
    steps = name.split(".")
    for length in range(1, len(steps)):
        module = ".".join(steps[:length])
        if module.endswith(key):
            return module, ".".join(steps[length:])
    return None


def _is_skipped(layer: str, key: str) -> bool:
    """Whether an entry of `llm_int8_skip_modules` leaves a dense layer unpacked.

    It does if it is the end of the layer's name, or the full name of the layer or of a module around it.

    >>> _is_skipped("bert.pooler.dense", "bert.pooler"), _is_skipped("bert.pooler.dense", "pooler")
    (True, False)
    """
    return f"{layer}.".startswith(f"{key}.") or layer.endswith(key)


def _layer(row: ChangedRow) -> str:
    """The name of the dense layer whose matrix a row is."""
    return row.name.removesuffix(".weight")


def _module(path: str) -> str:
    """The path of the module in which the row at a path lies."""
    return path.rpartition("/")[0]
