"""Selects the rows to which an operation is applied: by path, by tag, or by module name.

The docstring of this package explains the keys of an operation.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from ..architecture import MATRICES, Architecture, belongs, lies_under
from ..errors import BadChange, quote
from ..question import Question
from .methods import Change, rules
from .rows import Rows
from .targets import TargetFinder, is_adapted


class Selector(NamedTuple):
    """Selects the rows of a model for the operations of one change.

    Attributes:
        question: the question about the model, with the sizes and choices that the changes give it.
        change: the change, whose options may name modules.
    """

    question: Question
    change: Change

    def select(self, operation: Mapping[str, Any], rows: Rows) -> Rows:
        """The rows to which an operation is applied.

        Raises:
            BadChange: the rows cannot be selected as the change demands; for example, a module name matches no row.
        """
        module_words, tag, prefix = (operation.get(key, "") for key in ("at", "tag", "under"))
        paths = _paths(self.question.architecture, prefix, tag)
        targets = [row for row in rows if row.path in paths]
        if module_words or operation["do"] in ("add", "copy", "store", "remove"):
            targets = [row for row in targets if not row.addition and not row.is_removed]
        if module_words:
            rows_in_modules = frozenset(self._rows_at(module_words, rows))
            targets = [row for row in targets if row in rows_in_modules]
        if excluded_words := operation.get("but"):
            excluded_rows = frozenset(self._rows_at(excluded_words, rows))
            targets = [row for row in targets if row not in excluded_rows]
        if operation["do"] == "store":
            # transformers never packs a decoder that shares its weights. It packs one with weights of its own only if
            # the option `skip` is given, because the decoder is the default of that option.
            decoder = (rules()["decoder"],)
            has_exceptions = "skip" in self.change.options
            convolutions = tuple(rules()["convolutions"])
            targets = [
                row
                for row in targets
                if not lies_under(row.path, convolutions)
                and (not lies_under(row.path, decoder) or (has_exceptions and not row.tied_to))
            ]
        return tuple(targets)

    def _rows_at(self, words: str, rows: Rows) -> Rows:
        """The model's own rows in the modules that `words` refers to; the package's docstring explains `at`."""
        model_rows = tuple(row for row in rows if not row.addition)
        options = self.change.options
        if words == "outside":
            return tuple(row for row in model_rows if not lies_under(row.path, ("bert",)))
        if words == "bias":
            return self._biases(options.get("bias", "none"), model_rows)
        if words == "skip":
            return tuple(row for name in options.get(words, ()) for row in self._skipped_rows(name, model_rows))
        if words not in ("modules", "feedforward"):
            return tuple(row for row in model_rows if any(is_adapted(row.path, word) for word in words.split(",")))
        targets = TargetFinder(self.question, self.change, model_rows)
        return targets.adapted_rows() if words == "modules" else targets.feedforward_rows()

    def _biases(self, value: str, model_rows: Rows) -> Rows:
        """The biases that PEFT trains for a value of its option `bias`."""
        if value == "none":
            return ()
        biases = tuple(row for row in model_rows if row.name.endswith(".bias"))
        if value == "all":
            return biases
        adapted_modules = {row.module for row in self._rows_at("modules", model_rows)}
        owners = {row.tied_to for row in biases if row.module in adapted_modules}
        return tuple(row for row in biases if row.module in adapted_modules or row.path in owners)

    def _skipped_rows(self, name: str, model_rows: Rows) -> Rows:
        """The matrices of the dense layers that transformers leaves unpacked if it is given this name.

        Raises:
            BadChange: there are none.
        """
        dense_rows = [row for row in model_rows if row.path.rpartition("/")[2] in MATRICES]
        skipped_rows = tuple(row for row in dense_rows if is_skipped(row.module, name))
        if not skipped_rows:
            raise BadChange(
                f"{self.change}: {quote(name)} is neither the end of a dense layer's name nor the full name of a "
                f"module around one, so nothing would stay unpacked; write, for example, {dense_rows[-1].module}"
            )
        return skipped_rows


@cache
def _paths(architecture: Architecture, prefix: str, tag: str) -> frozenset[str]:
    """The paths of the rows that lie under a path prefix and carry a tag.

    A row that belongs to the whole model has an empty path: it lies under no prefix and carries no tag.
    """
    path_of_whole_model = [] if prefix or tag else [""]
    return frozenset([*path_of_whole_model, *(row.path for row in architecture.rows if belongs(row, prefix, tag))])


def is_skipped(layer: str, name: str) -> bool:
    """Whether an entry of `llm_int8_skip_modules` leaves a dense layer unpacked.

    It stays unpacked if its name ends with the entry, or if the entry is its full name or that of an enclosing module.

    >>> is_skipped("bert.pooler.dense", "bert.pooler"), is_skipped("bert.pooler.dense", "pooler")
    (True, False)
    """
    return f"{layer}.".startswith(f"{name}.") or layer.endswith(name)
