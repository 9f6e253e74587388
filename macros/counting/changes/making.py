"""Changes in the making: what each operation of a method does to the rows of a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..architecture import Choices
from ..errors import BadChange, BadChoice, BadConfig
from ..frameworks.names import transformers_name
from ..messages import message
from ..polynomials import Polynomial
from ..question import Question
from .methods import CHANGES_FILE, Change, rules
from .rows import ADDED, COPIED, ORIGINAL, TRAINED, ChangedRow, Rows, Storage
from .selecting import Selection, saved_module

UNLIKE = "layers with pruned heads may differ, so heads are not pruned where some layers are frozen or weights packed"


def all_sizes(question: Question, changes: Iterable[Change]) -> dict[str, int]:
    """The sizes of a model and of what is done to it."""
    sizes = dict(question.sizes)
    for change in changes:
        sizes |= change.sizes
    return {**sizes, "D": sizes["H"] // sizes["A"]}


def value_of(dimension: str, sizes: Mapping[str, int]) -> int:
    """The size of one dimension."""
    return Polynomial.of_shape(dimension.replace("*", " ")).value(sizes)


def built(question: Question, change: Change) -> Question:
    """The question after what a change has built otherwise."""
    for operation in change.method.does:
        if operation["do"] == "resize":
            for letter in change.sizes:
                if question.chosen.name not in question.architecture.classes_with(letter):
                    raise BadChange(f"{change}: changes nothing, since no tensor of {question.chosen.name} has it")
            question = question._replace(model=question.model.resized(**change.sizes))
        elif operation["do"] == "choose":
            choice = {operation["choice"]: operation["value"]}
            chosen = question._replace(choices=Choices(**choice).over(question.choices))
            try:
                same = chosen.rows == question.rows and chosen.number == question.number
            except BadChoice as error:
                raise BadChange(f"{change.method.name}: {error}") from None
            if same:
                raise BadChange(f"{change.method.name} changes nothing in {question.chosen.name}; choose another class")
            question = chosen
    return question


def plain(question: Question, release: int) -> Iterator[ChangedRow]:
    """The rows of a question as a release of transformers builds them, before anything is changed."""
    architecture, name = question.architecture, question.chosen.name
    tied = question.settled.tied
    always_tied = rules()["head_bias"] if release == 4 else ""
    for row in question.rows:
        yield ChangedRow(
            row.path,
            transformers_name(row, architecture, name),
            row.shape,
            architecture.layers_of(row),
            row.block,
            tied=row.tied_to if tied or row.tied_to == always_tied else "",
        )


class Making(NamedTuple):
    """One change in the making: of which question, to the model that is built, with all sizes."""

    asked: Question
    question: Question
    change: Change
    sizes: Mapping[str, int]

    def done(self, operation: Mapping[str, Any], rows: Rows) -> Rows:
        """The rows after an operation."""
        options, do = self.change.options, operation["do"]
        if operation.get("lacks") in options or not {operation.get("needs")} <= {None, *options}:
            return rows
        if operation.get("of") not in (None, self.question.architecture.model_type):
            return rows
        if do in ("resize", "choose"):
            return self._resized_in_place(rows) if "V" in options else rows
        meant = Selection(self.question, self.change).meant(operation, rows)
        if do == "remove":
            return (*rows, *self._removed(operation, meant, rows))
        if do == "drop":
            dropped = frozenset(meant)
            return tuple(each for each in rows if each not in dropped)
        if do in ("add", "copy"):
            added_rows = self._added(operation, meant, rows) if do == "add" else self._copies(operation, meant)
            return (*self._wrapping(operation, meant, rows), *added_rows)
        fields, chosen = self._remade(operation, rows), frozenset(meant)
        return tuple(row._replace(**fields) if row in chosen else row for row in rows)

    def _remade(self, operation: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
        """What an operation says of rows that stay: whether they are trained, and how they are stored."""
        if operation["do"] == "store":
            _check_whole(self.change, rows)
            keys = {key: operation[key] for key in Storage._fields if key in operation}
            scales = tuple((each, width) for each, width in keys.get("scales", ()))
            return {"stored": Storage(**{**keys, "scales": scales}), "trained": False}
        first = operation.get("first", "")
        if first:
            _check_whole(self.change, rows)
        depth = self.question.architecture.depth(self.sizes)
        if first and self.sizes[first] > depth:
            name = self.question.model.name
            raise BadChange(f"{self.change}: {name} has {depth} layers with weights of their own; freeze up to {depth}")
        return {"first": first} if first else {"first": "", "trained": operation["do"] == "train"}

    def _copies(self, operation: Mapping[str, Any], meant: Rows) -> Iterator[ChangedRow]:
        """Copies that are trained; what is copied is kept beside them."""
        for row in meant:
            if row.stored.width:
                module = self._wrapped(row)[0].rpartition(".")[2]
                raise BadChange(
                    f"{self.change}: {module} is packed, so no copy of it can be trained; store skip={module}"
                )
            yield row._replace(added=COPIED, block=COPIED, trained=True, name=self._copy(operation, row))

    def _wrapping(self, operation: Mapping[str, Any], meant: Rows, rows: Rows) -> Iterator[ChangedRow]:
        """All rows, those of modules that PEFT wraps with its name for what was there."""
        kept = operation.get("kept", "base_layer")
        if operation["do"] == "copy" and "name" not in operation:
            kept = ORIGINAL
        wraps = self.change.method.library == "PEFT" and (_is_beside(operation) or operation["do"] == "copy")
        # New tokens are trained wherever the table is.
        shared = {row.path for row in meant} if "kept" in operation else {""}
        modules = (
            {row.name.rpartition(".")[0] for row in rows if row in meant or row.tied in shared - {""}} if wraps else ()
        )
        copied = frozenset(meant if kept == ORIGINAL else ())
        for row in rows:
            if row in copied:
                yield row._replace(within=(self._wrapped(row)[0], kept))
            elif not row.added and row.name.rpartition(".")[0] in modules:
                yield row._replace(within=(row.name.rpartition(".")[0], kept))
            else:
                yield row

    def _added(self, operation: Mapping[str, Any], meant: Rows, rows: Rows) -> Iterator[ChangedRow]:
        """The rows that come to each of those meant, or to the whole model."""
        name, shape = operation["name"], operation["shape"]
        if not _is_beside(operation):
            yield ChangedRow("", name, shape, (), self.change.method.name, ADDED)
            return
        if any(row.removed for row in rows):
            raise BadChange(f"{self.change}: heads are pruned, so the matrices of layers have other sizes")
        for row in meant:
            before = (each for each in rows[: rows.index(row)] if "kept" in operation and each.tied == row.path)
            module = next(before, row).name.removesuffix(".weight")
            if self.change.method.library == "adapters" and "inside" not in operation:
                module = self._beside(module)
            yield ChangedRow(
                *(row.path, f"{module}.{name}", row.shaped(shape), row.layers, self.change.method.name, ADDED),
                trained=operation.get("trained", True),
                buffered=operation.get("buffered", 0),
            )

    def _beside(self, module: str) -> str:
        """Where the adapters library holds the adapter that follows a module."""
        beside: Mapping[str, str] = rules()["beside"]
        end = next((each for each in beside if module.endswith(each)), "")
        if not end:
            raise BadConfig(
                f"{self.change}: an adapter would follow {module} of {self.question.architecture.name}, and no line "
                f"under [beside] in {CHANGES_FILE.name} says where the library holds it; known are modules that end "
                f"with {', '.join(beside)}; add a line for how {module} ends"
            )
        return module.removesuffix(end) + beside[end]

    def _removed(self, operation: Mapping[str, Any], meant: Rows, rows: Rows) -> Iterator[ChangedRow]:
        """What goes with each head."""
        heads = self.question.architecture.depth(self.sizes) * self.sizes["A"]
        if self.question.architecture.layers != ("L",):
            raise BadChange(f"{self.change}: layers of {self.question.architecture.name} share their heads")
        if self.sizes["h"] > heads - self.sizes["L"]:
            most = heads - self.sizes["L"]
            raise BadChange(f"{self.change}: {message('pruned-heads', heads=heads, most=most)}")
        if any(row.added for row in rows):
            raise BadChange(f"{self.change}: prune before anything is added, which would be of other sizes")
        for row in meant:
            if row.stored.width or row.first:
                raise BadChange(f"{self.change}: {UNLIKE}")
            shape = row.shaped(operation["shape"])
            yield row._replace(shape=shape, layers=("h",), removed=True, name=f"{row.name} of pruned heads")

    def _copy(self, operation: Mapping[str, Any], row: ChangedRow) -> str:
        """The name of a copy."""
        if own := operation.get("name"):
            module, _, leaf = row.name.rpartition(".")
            return f"{module}.{own}.{leaf}"
        module, rest = self._wrapped(row)
        return f"{module}.{TRAINED}.{rest}"

    def _wrapped(self, row: ChangedRow) -> tuple[str, str]:
        """The name of a row, cut in two: the module of which a copy is trained, and the rest."""
        names = [*self.change.options.get("save", ()), *rules()["heads"]]
        return next(filter(None, (saved_module(row.name, name) for name in names)))

    def _resized_in_place(self, rows: Rows) -> Rows:
        """The rows after a vocabulary is resized: an untied head has two biases, and one is lost or stays as long."""
        known = rules()
        second = next((row for row in self.question.rows if row.tied_to == known["head_bias"]), None)
        if not second or self.question.settled.tied:
            return rows
        if self.question.chosen.name in known["rebound"]:
            return tuple(row for row in rows if row.path != second.path)
        old = str(self.asked.model.sizes["V"])
        return tuple(row._replace(shape=old) if row.path == known["head_bias"] else row for row in rows)


def _is_beside(operation: Mapping[str, Any]) -> bool:
    """Whether it is about tensors of the model, and not about the whole of it."""
    return bool({"at", "under"} & operation.keys())


def _check_whole(change: Change, rows: Rows) -> None:
    """Refuse what depends on the layers in which heads are pruned."""
    if any(row.removed for row in rows):
        raise BadChange(f"{change}: {UNLIKE}")
