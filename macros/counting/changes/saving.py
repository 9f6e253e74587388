"""Saves modules as PEFT does: it keeps each original and trains a copy.

PEFT calls the names of these modules `modules_to_save`. It copies every module whose name
ends with one of them, and therefore also modules within a copy. For example,
`save=embeddings` copies the embeddings, and in the copy each table again, because
`word_embeddings` ends with `embeddings`. If PEFT is given a task type, it adds the names of
heads and goes over the model a second time, including the modules that the first pass has
added. The result depends on this order, so the code here follows it step by step, on a tree
of modules.

Source: PEFT 0.21.2, utils/other.py (`_set_trainable`, `set_additional_trainable_modules`,
`ModulesToSaveWrapper`, `TrainableTokensWrapper`, `_get_module_names_tied_with_embedding`)
and peft_model.py (`PeftModelForSequenceClassification`, `PeftModelForTokenClassification`,
`PeftModelForQuestionAnswering`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from ..errors import BadChange, BadConfig, quote, suggestion
from ..frameworks.names import module_name, name_in_class, transformers_name
from ..memory import BYTES, buffers_of
from ..polynomials import Polynomial
from ..question import Question
from .methods import Change, rules
from .modules import DEFAULT_ADAPTER, TRAINED_COPIES, Module, ModuleKind, ModuleTensor, TensorNames
from .rows import ADDED, COPIED, ORIGINAL, ChangedRow, Rows

SEQUENCE_TASK = "SEQ_CLS"
"""The task type for which PEFT adds the names of heads before it places adapters; for others, it adds them later."""


WHOLE_MODEL = ("base_model", "base_model.model")
"""PEFT's names for the two modules that hold the whole model."""


def task_of(question: Question, change: Change) -> str:
    """The task type that PEFT is given for a class; empty if there is none."""
    if change.options.get("task") == "none":
        return ""
    name = question.resolved_class.name
    return next((str(task) for ending, task in rules()["tasks"].items() if name.endswith(ending)), "")


def saved_names(question: Question, change: Change) -> tuple[str, ...]:
    """The names of modules to save that are already set when PEFT puts adapters on modules."""
    task = task_of(question, change)
    heads = _heads(task) if task == SEQUENCE_TASK else ()
    return (*change.options.get("save", ()), *heads)


def _heads(task: str) -> tuple[str, ...]:
    """The names of heads that PEFT adds to the modules to save."""
    return tuple(rules()["heads"].get(task, ()))


class Saver(NamedTuple):
    """Copies modules and trains single tokens, as one change specifies.

    Attributes:
        question: the question about the model, with the sizes and choices that the changes give it.
        change: the change, whose options name the modules to copy and the tokens to train.
    """

    question: Question
    change: Change

    def save(self, rows: Rows, release: int) -> Iterator[ChangedRow]:
        """Yield all rows, under their new names, and then those of the copies and of the trained tokens.

        Args:
            rows: the rows of the model, adapters included.
            release: the major release of transformers that builds the model.

        Raises:
            CountingError: the change is refused; for example, PEFT does not copy one of the modules.
        """
        task = task_of(self.question, self.change)
        names = saved_names(self.question, self.change)
        if not (task or names or "u" in self.change.options or any(row.tied_to for row in rows)):
            yield from rows  # nothing is copied, and no tensor has two names
            return
        root, tensors = self._tree(rows, release)
        self._check_names(root)
        self._wrap_all(root, task, names)
        names_by_id = root.names()
        for row in rows:
            tensor = tensors.get(row)
            yield row if tensor is None else _with_saved_name(row, tensor, names_by_id[id(tensor)])
        own_ids = {id(tensor) for tensor in tensors.values()}
        yield from _new_rows(root, {key: entries for key, entries in names_by_id.items() if key not in own_ids})

    def _wrap_all(self, root: Module, task: str, names: tuple[str, ...]) -> None:
        """Make all copies in a tree of modules, and train single tokens, in PEFT's order.

        Args:
            root: the tree of modules, which is changed.
            task: the task type that PEFT is given; empty if there is none.
            names: the names of modules to save that are set from the start.

        Raises:
            BadChange: the change is refused; for example, PEFT does not copy one of the modules.
        """
        self._wrap(root, names, ModuleKind.SAVED, _with_copy)
        if "u" in self.change.options:
            self._train_tokens(root)
        if not task:
            return
        all_names = tuple(dict.fromkeys((*names, *_heads(task))))
        if any(wrapper.endswith(all_names) for wrapper in WHOLE_MODEL):
            raise self._refusal(
                "given a task type, PEFT copies the whole model for this name, which is not counted here; save "
                "modules in it, or add task=none"
            )
        self._wrap(root, all_names, ModuleKind.SAVED, _with_copy)

    def _tree(self, rows: Rows, release: int) -> tuple[Module, dict[ChangedRow, ModuleTensor]]:
        """The modules of the model, and the tensor of each row. A prompt is in no module, so it has no tensor here.

        Raises:
            BadConfig: the architecture places a buffer in a part that has no rows.
        """
        owners = {row.path: row for row in rows if not row.addition and not row.tied_to}
        model_rows = [row for row in rows if row.path]
        tensors = {row: ModuleTensor(row.is_trained, bool(row.storage.width)) for row in model_rows if not row.tied_to}
        tensors |= {row: tensors[owners[row.tied_to]] for row in model_rows if row.tied_to}
        root = Module()
        for row in model_rows:
            for registration in row.registrations or (row,):
                root.put(registration, tensors[row])
        architecture = self.question.architecture
        model_class = self.question.resolved_class.name
        for buffer in buffers_of(self.question.model, release):
            name = name_in_class(f"{module_name(buffer.part, architecture)}.", architecture, model_class)
            try:
                holder = root.at(filter(None, name.split(".")))
                if buffer.module:
                    holder = holder.children.setdefault(buffer.module, Module())
                holder.buffer_bytes += buffer.bytes
            except KeyError:
                raise BadConfig(
                    f"{architecture.name} has no rows in {buffer.part}, where one of its buffers is; name another part"
                ) from None
        # The model itself is never copied, so its own buffers are not copied either.
        root.buffer_bytes = 0
        return root, tensors

    def _check_names(self, root: Module) -> None:
        """Refuse a name that is not the end of any module's name. PEFT would ignore it, but it is surely a mistake.

        Raises:
            BadChange: a name is refused.
        """
        names = self.change.options.get("save", ())
        if not names:
            return
        modules = [name for name, _ in root.walk()]
        adapted_prefixes = tuple(f"{name}." for name, module in root.walk() if module.kind is ModuleKind.ADAPTED)
        for name in names:
            if not any(module.endswith(name) for module in modules):
                own_modules = (module for module in modules if not module.startswith(adapted_prefixes))
                module_names = dict.fromkeys(
                    module.rpartition(".")[2] for module in own_modules if not module.endswith("*")
                )
                class_name = self.question.resolved_class.name
                raise self._refusal(
                    f"{class_name} has no module {quote(name)} with parameters; "
                    f"{suggestion(name, filter(None, module_names))}"
                )

    def _wrap(
        self, root: Module, names: tuple[str, ...], kind: ModuleKind, make: Callable[[Module], Module]
    ) -> Collection[str]:
        """Wrap each module whose name ends with one of `names`, and return the full names of all these modules.

        Args:
            root: the tree of modules.
            names: endings of module names.
            kind: the kind of module that `make` returns; a module that is already of this kind is not wrapped again.
            make: returns the module that takes the place of a given one.

        Raises:
            BadChange: PEFT refuses to wrap one of them.
        """
        matches = [name for name, _ in root.walk() if name and name.endswith(names)]
        for name in matches:
            *path, leaf = name.split(".")
            parent = root.at(path)
            holder = root.at(path[:-1])
            if holder.kind is ModuleKind.ADAPTED:
                raise self._refusal(f"PEFT does not train a part of {'.'.join(path[:-1])}, which has adapters")
            target = parent.at([leaf])
            # If the module is already wrapped, the wrapper is either the target itself or the module that holds it.
            wrapper = holder if holder.kind is kind else target
            if wrapper.kind is kind:
                if kind is ModuleKind.SAVED:
                    wrapper.train_copy()
                continue
            self._check_target(name, target, kind)
            parent.children[leaf] = make(target)
        return matches

    def _check_target(self, name: str, target: Module, kind: ModuleKind) -> None:
        """Refuse a module that PEFT cannot copy, or whose single tokens it cannot train.

        Raises:
            BadChange: the module is a list of layers, has adapters, or is packed.
        """
        leaf = name.rpartition(".")[2]
        if target.kind is ModuleKind.LIST:
            raise self._refusal(f"{name} is a list of layers, which PEFT does not copy; save a module of one layer")
        if target.kind is ModuleKind.ADAPTED and kind is ModuleKind.TOKENS:
            raise self._refusal(f"{name} has adapters, so PEFT does not train single tokens of it; drop u or {leaf}")
        if target.kind is ModuleKind.ADAPTED:
            raise self._refusal(
                f"PEFT would put adapters on {leaf} and also train a copy of it, which it refuses; name other "
                f"modules, or add save={leaf}, which keeps adapters away"
            )
        if any(tensor.is_packed for tensor in target.every_tensor()):
            raise self._refusal(f"{leaf} is packed, so no copy of it can be trained; store skip={leaf}")

    def _train_tokens(self, root: Module) -> None:
        """Train some tokens of the word embeddings, and use them in every module that shares these embeddings.

        Raises:
            BadChange: the word embeddings are saved as a whole, or have adapters, or PEFT does not find a module
                that shares their tokens.
        """
        table = next(row for row in self.question.rows if row.path == rules()["words"])
        table_name = transformers_name(table, self.question.architecture, self.question.resolved_class.name)
        embeddings = root.at(table_name.split(".")[:-1])
        name = next(name for name, module in root.walk() if module is embeddings)
        if name in self.change.options.get("save", ()):
            raise self._refusal(f"{name} is saved as a whole, so PEFT does not train single tokens of it; drop u")
        shape = f"u {table.shape.split()[-1]}"
        # PEFT also keeps the original tokens, in a buffer of the same shape.
        original_bytes = BYTES["float32"] * Polynomial.of_shape(shape).value(
            {**self.question.sizes, **self.change.sizes}
        )
        row = ChangedRow(table.path, "", shape, (), self.change.method.name, ADDED, buffer_bytes=original_bytes)
        tokens = Module(ModuleKind.LIST, {DEFAULT_ADAPTER: (row, ModuleTensor(is_trained=True))})

        def with_tokens(target: Module) -> Module:
            """A module that holds `target` and the trained tokens."""
            adapter = Module(ModuleKind.ADAPTED, children={"base_layer": target, "trainable_tokens_delta": tokens})
            return Module(ModuleKind.TOKENS, children={"token_adapter": adapter})

        self._wrap(root, (name,), ModuleKind.TOKENS, with_tokens)
        shared_ids = set(map(id, root.at(table_name.split(".")[:-1]).every_tensor()))
        names = [name for name, tensor in root.every_name() if id(tensor) in shared_ids]
        # The current name of each tensor, by its name before wrapping. Wrapping the module for its tokens puts
        # `token_adapter.base_layer` into the name; putting adapters on it puts only `base_layer` there.
        new_names = {re.sub(r"[^.]+\.base_layer\.", "", name): name for name in names}
        new_names |= {name.replace("base_layer.", ""): name for name in names}
        if new_names.get(table_name, table_name) not in names or not self.question.resolved_choices.tied:
            return
        tied_rows = (row for row in self.question.rows if row.tied_to == table.path)
        tied_names = (
            transformers_name(row, self.question.architecture, self.question.resolved_class.name) for row in tied_rows
        )
        modules = tuple(new_names.get(name, name).rpartition(".")[0] for name in tied_names)
        if modules and not self._wrap(root, modules, ModuleKind.TOKENS, with_tokens):
            raise self._refusal(
                f"PEFT does not find {modules[0]}, which shares the tokens; drop u, or save fewer modules"
            )

    def _refusal(self, reason: str) -> BadChange:
        """The error for a change that PEFT refuses, or that is not counted."""
        return BadChange(f"{self.change}: {reason}")


def _with_saved_name(row: ChangedRow, tensor: ModuleTensor, names: TensorNames) -> ChangedRow:
    """A row of the model under the name that its tensor has in the wrapped model."""
    # A tied row gets the first of its names. An added row gets the name in the module to which it was added.
    name = next(name for name, named_row, _ in names if not row.addition or named_row.name == row.name)
    return row._replace(wrapped_name="" if name == row.name else name, is_trained=tensor.is_trained)


def _new_rows(root: Module, names_by_id: Mapping[int, TensorNames]) -> Iterator[ChangedRow]:
    """The rows of the tensors that saving has added: copies, and single tokens.

    Args:
        root: the tree of modules.
        names_by_id: the names of these tensors, by the identity of the tensor.
    """
    training_flags = {id(tensor): tensor.is_trained for tensor in root.every_tensor()}
    bytes_without_tensor = root.buffer_bytes_of_empty_copies  # counted with the first row
    for identity, names in names_by_id.items():
        name, row, buffer_bytes = names[0]
        is_copy = row.addition != ADDED or ORIGINAL in name or TRAINED_COPIES in name
        yield row._replace(
            name=name,
            wrapped_name="",
            tied_to="",
            addition=row.addition or COPIED,
            block=COPIED if is_copy else row.block,
            is_trained=training_flags[identity],
            extra_buffer_bytes=buffer_bytes + bytes_without_tensor,
        )
        bytes_without_tensor = 0


def _with_copy(target: Module) -> Module:
    """A module that holds `target` and a trained copy of it."""
    trained_copy = Module(ModuleKind.LIST, children={DEFAULT_ADAPTER: target.copy({})})
    module = Module(ModuleKind.SAVED, children={ORIGINAL: target, TRAINED_COPIES: trained_copy})
    module.train_copy()
    return module
