"""The rows that an operation of a change is about: under a path, with a tag, or of modules that are named."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, NamedTuple

from ..architecture import MATRICES, Architecture, belongs, lies_under
from ..errors import BadChange, shown, suggestion
from ..question import Question
from .methods import ALL_LINEAR, Change, rules
from .rows import ChangedRow, Rows


class Selection(NamedTuple):
    """What the operations of a change select, of the model that is built."""

    question: Question
    change: Change

    def meant(self, operation: Mapping[str, Any], rows: Rows) -> Rows:
        """The rows that an operation is about."""
        at, tag, under = (operation.get(key, "") for key in ("at", "tag", "under"))
        paths = _paths(self.question.architecture, under, tag)
        found = [row for row in rows if row.path in paths]
        if at or operation["do"] in ("add", "copy", "store", "remove"):
            found = [row for row in found if not row.added and not row.removed]
        if at:
            within = frozenset(self._at(at, rows))
            found = [row for row in found if row in within]
        if but := operation.get("but"):
            apart = frozenset(self._at(but, rows))
            found = [row for row in found if row not in apart]
        if operation["do"] == "store":
            found = [row for row in found if not lies_under(row.path, (rules()["decoder"],))]
        return tuple(found)

    def _at(self, at: str, rows: Rows) -> Rows:
        """The rows of what is named: by words of the data, or by an option of the change."""
        own = tuple(row for row in rows if not row.added)
        options, method = self.change.options, self.change.method
        if at == "outside":
            return tuple(row for row in own if not lies_under(row.path, ("bert",)))
        if at == "head":
            return () if options.get("task") == "none" else tuple(filter(is_copied, own))
        if at == "bias":
            return self._biases(options.get("bias", "none"), own)
        if at == "save":
            return tuple(row for name in options.get(at, ()) for row in self._saved(name, own))
        if at == "skip":
            return tuple(row for name in options.get(at, ()) for row in self._skipped(name, own))
        if at not in ("modules", "feedforward"):
            return self._modules(at.split(","), own)
        unsaid = at == "modules" or "modules" not in options
        usual = getattr(method, at).get(self.question.architecture.model_type, "") if unsaid else ""
        names = options.get(at) or tuple(filter(None, usual.split(",")))
        if not names and at == "modules":
            name = self.question.architecture.name
            raise BadChange(f"{self.change}: {method.library} has no usual modules for {name}; give modules=")
        return self._modules(names, own)

    def _biases(self, which: str, own: Rows) -> Rows:
        if which == "none":
            return ()
        kept = (*self._at("head", own), *self._at("save", own))
        every = tuple(row for row in own if row.name.endswith("bias") and row not in kept)
        if which == "all":
            return every
        adapted = {_module(row.path) for row in self._at("modules", own)}
        return tuple(row for row in every if _module(row.path) in adapted and not row.tied)

    def _saved(self, name: str, own: Rows) -> Rows:
        """The rows of the modules of a name, which PEFT finds by how theirs ends."""
        found = tuple(row for row in own if saved_module(row.name, name))
        if not found:
            raise BadChange(f"{self.change}: {self.question.chosen.name} has no module {shown(name)}")
        return found

    def _skipped(self, name: str, own: Rows) -> Rows:
        """The rows of dense layers that transformers leaves unpacked: it wants a start or the end of their names."""
        dense = [row for row in own if row.path.rpartition("/")[2] in MATRICES]
        found = tuple(row for row in dense if _is_skipped(_layer(row), name))
        if not found:
            raise BadChange(
                f"{self.change}: {shown(name)} is neither how the name of a dense layer ends nor a module around one "
                f"with all of its path, so nothing would stay unpacked; write, for example, {_layer(dense[-1])}"
            )
        return found

    def _modules(self, names: Collection[str], own: Rows) -> Rows:
        """The matrices and tables of modules that are named: as in `changes.toml`, or as PEFT finds them."""
        known: Mapping[str, str] = rules()["adapted"]
        is_unsaid = self.change.options.get("task") == "none"
        wide = tuple(row for row in own if " " in row.shape)
        found: set[ChangedRow] = set()
        for name in names:
            if name in (*known, ALL_LINEAR):
                # A head is left out because it is copied, which PEFT does only where it knows what the model is for.
                heads = filter(is_copied, wide) if name == ALL_LINEAR and is_unsaid else ()
                meant = [*(row for row in wide if is_adapted(row.path, name)), *heads]
            else:
                meant = [row for row in wide if f".{row.name}".endswith(f".{name}.weight")]
                if any(is_copied(row) for row in meant) and not is_unsaid:
                    raise BadChange(f"{self.change}: a copy of {shown(name)} is trained, so it gets no adapter")
            if not meant:
                words = [*known, ALL_LINEAR]
                raise BadChange(f"{self.change}: no layer has a module {shown(name)}; {suggestion(name, words)}")
            found.update(meant)
        return tuple(row for row in own if row in found)


@cache
def _paths(architecture: Architecture, under: str, tag: str) -> frozenset[str]:
    """The paths of the rows that lie under a part and carry a tag.

    A row that belongs to the whole model has no path: it lies under no part and carries no tag.
    """
    whole_model = [] if under or tag else [""]
    return frozenset([*whole_model, *(row.path for row in architecture.rows if belongs(row, under, tag))])


def is_copied(row: ChangedRow) -> bool:
    """Whether PEFT trains a copy of it where it knows what the model is for."""
    return lies_under(row.path, tuple(rules()["copied"]))


def is_adapted(path: str, name: str) -> bool:
    """Whether a path is that of a matrix of the modules of a name in `changes.toml`, which PEFT puts adapters on.

    >>> is_adapted("bert/encoder/layer_*/attention/self/query/kernel", "query")
    True
    """
    if path.rpartition("/")[2] not in MATRICES or lies_under(path, (rules()["decoder"], *rules()["copied"])):
        return False
    return name == ALL_LINEAR or ("layer_*" in path and _module(path).endswith(rules()["adapted"][name]))


def saved_module(name: str, key: str) -> tuple[str, str] | None:
    """A parameter's name cut in two: the outermost module whose name ends so, and the rest; None if there is none.

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
    """Whether a key of `llm_int8_skip_modules` means a dense layer: its whole name, a module around it, or how it ends.

    >>> _is_skipped("bert.pooler.dense", "bert.pooler"), _is_skipped("bert.pooler.dense", "pooler")
    (True, False)
    """
    return f"{layer}.".startswith(f"{key}.") or layer.endswith(key)


def _layer(row: ChangedRow) -> str:
    return row.name.removesuffix(".weight")


def _module(path: str) -> str:
    return path.rpartition("/")[0]
