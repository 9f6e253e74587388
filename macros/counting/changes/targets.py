"""Finds the modules on which PEFT puts adapters.

A module is named in one of two ways. `query`, `attention-output` and the other words under
`[adapted]` in `data/changes.toml` mean the same matrices in every architecture, recognised
by the ends of their paths; `all-linear` means every dense layer except the decoder and a head
that PEFT copies. Any other name is compared with the end of each module's name, as in PEFT.

PEFT puts no adapters on a module that it saves, or on one inside it. To decide this, it
compares names more strictly than when it copies modules: `save=classifier` also copies
`pre_classifier`, but does not keep adapters away from it, and then PEFT refuses to copy it.

Source: PEFT 0.21.2, tuners/tuners_utils.py (`check_target_module_exists`,
`_maybe_include_all_linear_layers`), tuners/lora/model.py and tuners/ia3/model.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from ..architecture import MATRICES, lies_under
from ..errors import BadChange, quote, suggestion
from ..question import Question
from .methods import ALL_LINEAR, Change, rules
from .rows import ChangedRow, Rows
from .saving import saved_names


class TargetFinder(NamedTuple):
    """Finds the modules that get adapters.

    Attributes:
        question: the question about the model, with the sizes and choices that the changes give it.
        change: the change, which names the modules.
        rows: the rows of the model.
    """

    question: Question
    change: Change
    rows: Rows

    def adapted_rows(self) -> Rows:
        """The matrices and tables that get adapters, in the order of the model.

        Raises:
            BadChange: no modules can be chosen as the change demands; for example, a name matches no module.
        """
        change = self.change
        names = self._module_names("modules")
        if not names:
            architecture = self.question.architecture.name
            word_list = ", ".join(self._words)
            raise BadChange(
                f"{change}: {change.method.library} has no default modules for {architecture}; name some with "
                f"modules=, such as {word_list}"
            )
        if ALL_LINEAR in names and names[1:]:
            raise BadChange(f"{change}: PEFT accepts {ALL_LINEAR} only by itself; leave out the other modules")
        saved_modules = saved_names(self.question, change)
        targets = [row for name in names for row in self._matches(name, saved_modules)]
        if not targets and "save" in change.options:
            raise BadChange(
                f"{change}: PEFT puts no adapters on what it saves, and saves every module that is named; name other "
                "modules, or save fewer"
            )
        if not targets:
            raise BadChange(
                f"{change}: a copy of {quote(names[0])} is trained, so it gets no adapter; name other modules"
            )
        return tuple(row for row in self.rows if row in targets)

    def feedforward_rows(self) -> Rows:
        """The matrices for which IA3 learns one factor per input rather than per output.

        Raises:
            BadChange: as for `adapted_rows`, or one of them is not among the modules.
        """
        names = self._module_names("feedforward")
        target_names = self._module_names("modules")
        if ALL_LINEAR not in target_names and not {*names} <= {*target_names, ALL_LINEAR}:
            raise BadChange(f"{self.change}: PEFT accepts as feedforward only names that are also among the modules")
        words = self._words
        return tuple(
            row
            for row in self.adapted_rows()
            if any(is_adapted(row.path, name) if name in words else row.module.endswith(name) for name in names)
        )

    def _module_names(self, option: str) -> tuple[str, ...]:
        """The modules that an option names: those of the change, or else the library's default for the model type."""
        names: tuple[str, ...] = self.change.options.get(option, ())
        # PEFT's defaults for `modules` and `feedforward` belong together: if modules are named, neither applies.
        has_default = option == "modules" or "modules" not in self.change.options
        default = getattr(self.change.method, option).get(self.question.architecture.model_type, "")
        if not names and has_default and default:
            names = tuple(default.split(","))
        return names

    @property
    def _words(self) -> list[str]:
        """The words under `[adapted]` for which the class has modules."""
        return list(filter(self._has_word, rules()["adapted"]))

    def _has_word(self, name: str) -> bool:
        """Whether a name is a word under `[adapted]` for which the class has modules."""
        return name in rules()["adapted"] and any(is_adapted(row.path, name) for row in self.rows)

    def _matches(self, name: str, saved_modules: Collection[str]) -> Iterator[ChangedRow]:
        """The matrices and tables in the modules that a name refers to, except those in saved modules.

        Raises:
            BadChange: the name matches no module, or a module that cannot get an adapter.
        """
        if name == ALL_LINEAR or self._has_word(name):
            for row in self.rows:
                if is_adapted(row.path, name) and not is_saved(row.module, saved_modules):
                    yield row
            return
        change = self.change
        matrices = {row.module: row for row in self.rows if self._takes_adapter(row)}
        module_names = dict.fromkeys(module for row in self.rows for module in modules_around(row.name))
        matches = [module for module in module_names if is_target(module, name)]
        if not matches:
            known_words = dict.fromkeys([*self._words, ALL_LINEAR, *(module.rpartition(".")[2] for module in matrices)])
            class_name = self.question.resolved_class.name
            raise BadChange(
                f"{change}: {class_name} has no module {quote(name)} with parameters; {suggestion(name, known_words)}"
            )
        for module in matches:
            if is_saved(module, saved_modules):
                continue
            if module not in matrices:
                inner_modules = [name for name in matrices if name.startswith(f"{module}.")]
                example = f"; name, for example, {inner_modules[0]}" if inner_modules else "; name other modules"
                kinds = "neither a dense layer nor an embedding" if self._takes_tables else "no dense layer"
                raise BadChange(
                    f"{change}: {module} is {kinds}, and {change.method.title} adapts nothing else{example}"
                )
            if lies_under(matrices[module].path, tuple(rules()["convolutions"])):
                raise BadChange(
                    f"{change}: {quote(name)} is a convolution, whose adapters are not counted here; leave it out"
                )
            yield matrices[module]

    def _takes_adapter(self, row: ChangedRow) -> bool:
        """Whether the method has adapters for a row: for matrices, and in some methods for embedding tables."""
        if row.path.rpartition("/")[2] in MATRICES:
            return True
        return self._takes_tables and " " in row.shape and row.name.endswith(".weight")

    @property
    def _takes_tables(self) -> bool:
        """Whether the method also has adapters for embeddings."""
        return any(operation.get("tag") == "embedding-table" for operation in self.change.method.does)


def modules_around(name: str) -> Iterator[str]:
    """The names of the modules around a tensor, the innermost last.

    >>> [*modules_around("bert.pooler.dense.bias")]
    ['bert', 'bert.pooler', 'bert.pooler.dense']
    """
    steps = name.split(".")[:-1]
    return (".".join(steps[:length]) for length in range(1, len(steps) + 1))


def is_target(module: str, name: str) -> bool:
    """Whether PEFT puts adapters on a module if it is given this name, which has to match whole components.

    >>> is_target("bert.pooler.dense", "dense"), is_target("pre_classifier", "classifier")
    (True, False)
    """
    return f".{module}".endswith(f".{name}")


def is_saved(module: str, names: Collection[str]) -> bool:
    """Whether PEFT keeps adapters away from a module because it saves the module or one around it.

    >>> is_saved("classifier.dense", ["classifier"]), is_saved("pre_classifier", ["classifier"])
    (True, False)
    """
    # Names are not escaped, because PEFT does not escape them either: a dot in a name matches any character.
    return any(re.match(rf"(^|.*\.){name}($|\..*)", module) for name in names)


@cache
def is_adapted(path: str, word: str) -> bool:
    """Whether a path belongs to a matrix that a word under `[adapted]`, or `all-linear`, selects.

    >>> is_adapted("bert/encoder/layer_*/attention/self/query/kernel", "query")
    True
    """
    if path.rpartition("/")[2] not in MATRICES or lies_under(path, (rules()["decoder"],)):
        return False
    if word == ALL_LINEAR:
        return not lies_under(path, tuple(rules()["convolutions"]))
    return "layer_*" in path and path.rpartition("/")[0].endswith(tuple(rules()["adapted"][word]))
