"""Why somebody has this number: every way to it that the engine knows, the likeliest first.

A number may be the total of a model, right or with mistakes; a part of one;
the number of its tensors; or its memory. Each way has a cost, the sum of what
speaks against it: mistakes that few make, models that few use. What is in
print speaks for itself.

The page where readers type a number does the same in JavaScript, from the
same table and list; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from .claims import load_claims
from .errors import BadChoice
from .memory import BYTES
from .mistakes import Counted, load_mistakes, mistake_named
from .models import Model, load_models, model_named
from .printed import Printed, read_printed
from .search import MOST, Found, search
from .tensors import MODEL_CLASSES, rows_of
from .totals import count

LARGEST = 10**12
"""Nothing here counts further: the largest model has less than a thousandth of it."""

GROUP_COST = {"original": 0, "whole-word-masking": 0, "chinese": 1, "multilingual": 1, "course": 3, "miniature": 4}
"""What speaks against a model, by group."""

CLASS_COST = dict.fromkeys(MODEL_CLASSES, 1) | {"BertModel": 0, "BertForPreTraining": 0, "BertForMaskedLM": 0}
"""What speaks against a class."""

DTYPE_COST = {"float32": 0, "float16": 1, "bfloat16": 1, "int8": 2}
"""What speaks against a data type; one byte a number is also what remains where bytes are forgotten."""

KINDS = ("total", "part", "tensors", "labels", "memory", "near")
"""What a number may be."""

COSTS = {
    "known": 1,  # a total that is in print, whatever mistakes led to it
    "part": 1,
    "tensors": 1,
    "labels": 1,
    "many-labels": 3,
    "other-unit": 2,  # a unit of memory that goes by the name of another
    "rest-of-parts": 100,
    "rest-of-rows": 105,
    "rest": 110,
}
"""What speaks against a way besides model, class and mistakes; a rest comes after everything exact."""

MOST_LABELS = 1000
"""Labels that a classification head is believed to have."""

MANY_LABELS = 100
"""Above this, so many labels are rare."""

MOST_NEAR = 20
"""How many near totals are looked at, right ones and with a mistake."""

TWIN = {10**3: 2**10, 10**6: 2**20, 10**9: 2**30}
"""Units that go by one name."""


class Part(NamedTuple):
    """A part of a model as `totals.count` takes it; with `share` the part of one head."""

    path: str
    tag: str = ""
    share: bool = False


class Explanation(NamedTuple):
    """One way to a number.

    Attributes:
        kind: one of `KINDS`.
        number: what one gets this way: parameters, tensors or, for memory, bytes.
        cost: what speaks against it; 0 is the likeliest.
        models, classes: all that give the same.
        mistakes: what is done otherwise.
        parts: the parts that have this count.
        labels: how many labels a classification head has.
        dtype, unit: for memory, the data type and the bytes in the unit.
        rest: what is left over, the number asked for minus `number`.
        rest_parts, rest_rows: what the rest is: parts of the model, or rows
            as wide as the hidden size.
        printed_in: the sources in `data/claims.toml` that print it, perhaps rounded.
    """

    kind: str
    number: int
    cost: int
    models: tuple[str, ...]
    classes: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    labels: int = 0
    dtype: str = ""
    unit: int = 1
    rest: int = 0
    rest_parts: tuple[Part, ...] = ()
    rest_rows: int = 0
    printed_in: tuple[str, ...] = ()


def explain(text: str, model: str = "") -> list[Explanation]:
    """Every way to a number, the likeliest first.

    Args:
        text: a number as printed, e.g. "75,641,856", "110M" or "417.6 MiB".
        model: the name of the only model that is meant; empty for any.

    Raises:
        BadNumber: the text holds no number.
        UnknownModel: there is no model of that name.

    >>> explain("108891648")[0].mistakes
    ('pooler-left-out',)
    """
    asked = read_printed(text)
    if model:
        model_named(model)
    found = list(_of_memory(asked, model) if asked.of_memory else _of_count(asked, model))
    return sorted(_merged(found), key=lambda each: (each.cost, len(each.mistakes), abs(each.rest)))


def _of_count(asked: Printed, model: str) -> Iterator[Explanation]:
    low, high = asked.bounds()
    if low > LARGEST:
        return
    exact = low == high
    found = [_total(each) for each in search(low, high, MOST if exact else 1)]
    found += [each for each in known() if low <= each.number <= high]
    if exact:
        found += [*_instead(low), *_parts(low), *_tensors(low), *_labels(low)]
    found = _only(model, found)
    yield from found or (_near(low, model) if exact else ())


def _only(model: str, found: list[Explanation]) -> list[Explanation]:
    """Those that hold for a model, or all where none is named."""
    return [each for each in found if not model or model in each.models]


def _cost_of(models: tuple[str, ...], classes: tuple[str, ...] = (), mistakes: tuple[str, ...] = ()) -> int:
    likeliest = min(GROUP_COST[load_models()[name].group] for name in models)
    chosen = min((CLASS_COST[name] for name in classes), default=0)
    return likeliest + chosen + sum(mistake_named(name).usual + 1 for name in mistakes)


def _total(found: Found) -> Explanation:
    cost = _cost_of(found.models, found.classes, found.mistakes)
    return Explanation("total", found.number, cost, found.models, found.classes, found.mistakes)


@lru_cache(maxsize=1)
def known() -> tuple[Explanation, ...]:
    """The totals with mistakes that published texts and tools print, each with who prints it."""
    found: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for source, claims in load_claims().items():
        for claim in claims:
            made = tuple(name for name in load_mistakes() if name in claim.wrong.mistakes)
            if made and (claim.whole or claim.of_memory) and not claim.adds:
                found.setdefault((claim.model.name, claim.model_class, made), []).append(source)
    return tuple(
        Explanation(
            "total",
            Counted(load_models()[model], model_class, made).number,
            COSTS["known"],
            (model,),
            (model_class,),
            made,
            printed_in=tuple(dict.fromkeys(sources)),
        )
        for (model, model_class, made), sources in found.items()
    )


def _instead(number: int) -> Iterator[Explanation]:
    """Formulas that are taken for the whole."""
    for model in load_models().values():
        for each in load_mistakes().values():
            if each.instead and number == each.added(model.sizes):
                models = (model.name,)
                yield Explanation("total", number, _cost_of(models, (), (each.name,)), models, (), (each.name,))


@lru_cache(maxsize=1)
def parts() -> tuple[tuple[str, Part], ...]:
    """Every part a reader may count, with a class that has it; no two of the same rows."""
    found: dict[tuple[object, ...], tuple[str, Part]] = {}
    for model_class, part in _named_parts():
        rows = [row for row in rows_of(model_class) if _holds(part, row.path) and row.tags.issuperset(part.tag.split())]
        if rows:
            found.setdefault(("layer_0" in part.path, part.share, *rows), (model_class, part))
    return tuple(found.values())


def _holds(part: Part, path: str) -> bool:
    return f"{path}/".startswith(f"{part.path.replace('layer_0', 'layer_*')}/".lstrip("/"))


def _named_parts() -> Iterator[tuple[str, Part]]:
    """Every prefix of a path, for one layer and for all; then what tags select; then what one head has."""
    for model_class in ("BertForPreTraining", "BertForSequenceClassification"):
        for row in rows_of(model_class):
            steps = row.path.split("/")
            for path in ("/".join(steps[:length]) for length in range(2, len(steps) + 1)):
                yield model_class, Part(path.replace("layer_*", "layer_0"))
                yield model_class, Part(path)
    blocks = [f"{block}{kind}" for block in ("self-attention", "feed-forward", "encoder-norms") for kind in KERNELS]
    for path in ("bert/encoder/layer_0", "bert/encoder", ""):
        for tag in [*(blocks if path else ()), "LayerNorm", "kernel", "bias", "vector", "embedding-table"]:
            yield "BertModel", Part(path, tag)
    for path in ("attention/self/query", "attention/self"):
        for tag in ("kernel", ""):
            yield "BertModel", Part(f"bert/encoder/layer_0/{path}", tag, share=True)


KERNELS = ("", " kernel", " bias")
"""What one counts of a block: all of it, its matrices or its biases."""


def _counts_of_parts(model: Model) -> Iterator[tuple[int, Part, tuple[str, ...]]]:
    """Every part of a model with its count, right and with each mistake that multiplies it."""
    multiplied = [each for each in load_mistakes().values() if each.factor not in ("0", "1") and each.part + each.tag]
    for model_class, part in parts():
        right = count(model, part.path, part.tag, model_class=model_class)
        yield right // model.sizes["A"] if part.share else right, part, ()
        for each in multiplied if not part.share else ():
            if not each.made_in(model_class) or ("L" in each.factor and "layer_0" in part.path):
                continue
            try:
                wrong = Counted(model, model_class, (each.name,)).of(part.path, part.tag)
            except BadChoice:  # the share of a part is not whole
                continue
            if wrong != right:
                yield wrong, part, (each.name,)


@lru_cache(maxsize=1)
def _index_of_parts() -> dict[int, list[tuple[str, Part, tuple[str, ...]]]]:
    found: dict[int, list[tuple[str, Part, tuple[str, ...]]]] = {}
    for model in load_models().values():
        for number, part, mistakes in _counts_of_parts(model):
            found.setdefault(number, []).append((model.name, part, mistakes))
    return found


def _parts(number: int) -> Iterator[Explanation]:
    """The parts that have this count: of each model, all of them together."""
    listed = _index_of_parts().get(number, [])
    for (model, mistakes), group in groupby(sorted(listed, key=lambda each: each[2]), lambda each: (each[0], each[2])):
        cost = COSTS["part"] + _cost_of((model,), (), mistakes)
        yield Explanation("part", number, cost, (model,), (), mistakes, tuple(part for _, part, _ in group))


def _tensors(number: int) -> Iterator[Explanation]:
    """The models that have so many tensors."""
    for name, model in load_models().items():
        for model_class in MODEL_CLASSES:
            # One that shares another's weights is listed with its owner only.
            rows = [row for row in rows_of(model_class) if not row.tied_to]
            if sum(model.sizes["L"] if row.repeated else 1 for row in rows) == number:
                cost = COSTS["tensors"] + _cost_of((name,), (model_class,))
                yield Explanation("tensors", number, cost, (name,), (model_class,))


def _labels(number: int) -> Iterator[Explanation]:
    """Classification heads with so many labels that the total is this."""
    for name, model in load_models().items():
        for model_class in ("BertForSequenceClassification", "BertForTokenClassification"):
            without = count(model.resized(C=1), model_class=model_class) - model.sizes["H"] - 1
            labels, rest = divmod(number - without, model.sizes["H"] + 1)
            if not rest and 0 < labels <= MOST_LABELS and labels != model.sizes["C"]:
                cost = COSTS["many-labels" if labels > MANY_LABELS else "labels"] + _cost_of((name,), (model_class,))
                yield Explanation("labels", number, cost, (name,), (model_class,), labels=labels)


def _of_memory(asked: Printed, model: str) -> Iterator[Explanation]:
    """Totals that take so many bytes; also where a power of two is called by the name of a power of ten."""
    for unit in dict.fromkeys((asked.size, TWIN.get(asked.size, asked.size))):
        for dtype, width in BYTES.items():
            low, high = (-(-bound // width) for bound in (asked.bounds(unit)[0], asked.bounds(unit)[1] + 1))
            against = DTYPE_COST[dtype] + COSTS["other-unit"] * (unit != asked.size)
            totals = [_total(found) for found in search(low, high - 1, 1)]
            totals += [each for each in known() if low <= each.number < high]
            for each in _only(model, totals):
                cost, number = each.cost + against, each.number * width
                yield each._replace(kind="memory", number=number, cost=cost, dtype=dtype, unit=unit)


def _near(number: int, model: str) -> Iterator[Explanation]:
    """The nearest totals, with what is left over."""
    close: list[Found] = []
    for most in (0, 1):
        listed = (found for found in search(0, LARGEST, most) if not model or model in found.models)
        close += sorted(listed, key=lambda found: abs(number - found.number))[:MOST_NEAR]
    for each in map(_total, dict.fromkeys(close)):
        nearest, rest = load_models()[each.models[0]], number - each.number
        listed_parts = _index_of_parts().get(abs(rest), ())
        same = tuple(part for name, part, made in listed_parts if name == nearest.name and not made)
        rows = 0 if rest % nearest.sizes["H"] else rest // nearest.sizes["H"]
        cost = each.cost + COSTS["rest-of-parts" if same else "rest-of-rows" if rows else "rest"]
        yield each._replace(kind="near", cost=cost, rest=rest, rest_parts=same, rest_rows=rows)


def _merged(found: list[Explanation]) -> Iterator[Explanation]:
    """Explanations that differ only in model, class or who prints them as one."""
    alike: dict[tuple[object, ...], list[Explanation]] = {}
    for each in found:
        alike.setdefault(each._replace(models=(), classes=(), cost=0, printed_in=()), []).append(each)
    for group in alike.values():
        likeliest = min(group, key=lambda each: each.cost)
        same_models = [each for each in group if each.models == likeliest.models]
        same_classes = [each for each in group if each.classes == likeliest.classes]
        yield likeliest._replace(
            models=tuple(dict.fromkeys(name for each in same_classes for name in each.models)),
            classes=tuple(dict.fromkeys(name for each in same_models for name in each.classes)),
            printed_in=tuple(dict.fromkeys(name for each in group for name in each.printed_in)),
        )
