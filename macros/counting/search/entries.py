"""Entries: numbers that the search looks up as they stand, in addition to the space of known numbers.

They are totals in print, short formulas that stand for a whole model, models of which
only totals are known, sizes from configurations, numbers of tensors, memory in more than
one data type, and the sums and differences of numbers that people compare. Each is
counted by a `Question` and has a cost in `data/search.toml`. Entries that differ only in
model or class are merged, with the likeliest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from ..architectures import ARCHITECTURES
from ..deviations import load_deviations
from ..memory import buffers_of
from ..models import RELATIVE, Model, load_models, load_relatives, model_named
from ..published.claims import known_totals, load_claims
from ..published.others import load_others
from ..published.printed import read_printed
from ..question import Question
from .known_numbers import Names, Search, cost_of, load_search, search_rules
from .parts import Part, parts

BERT = next(iter(ARCHITECTURES.values()))

COMPARED = ("BertModel", "BertForPreTraining", "BertForMaskedLM")
"""The classes in which people compare two models."""

LAYER_0 = "bert/encoder/layer_0"

BLOCKS = (
    Part("bert/embeddings"),
    Part("bert/encoder"),
    Part(LAYER_0),
    Part("bert/embeddings/word_embeddings"),
    Part("bert/pooler"),
    Part("cls/predictions"),
)
"""The parts in which people compare two models."""

STACKED = ("", "self-attention", "feed-forward", "-LayerNorm")
"""Tags of what people count in some of the layers, such as six: a whole layer, or these parts of it."""

ELSEWHERE = ("bert/embeddings/word_embeddings", "bert/embeddings", "bert/encoder", LAYER_0)
"""The parts that people count in models that are not BERT."""

DEEPEST = 3
"""From this number of slashes in a path on, its share in the model costs one more: few people give it."""

DYNAMIC, BUFFERED = "dynamic int8", "float32 with buffers"
"""Memory in two data types: dense layers' matrices in one byte per number and the rest in four; and with buffers."""


class Counted(NamedTuple):
    """How people count a part, for the search in the browser.

    Attributes:
        cost: its cost in addition to that of any part; above zero if the part has no name of its own in the model.
        rounded: its further cost if it is rounded; people round blocks more often than modules, and matrices least.
        compared: the cost of its share in the model; None if nobody gives that.
        stacked: whether people count it in some of the layers.
        elsewhere: whether people count it in models that are not BERT.
        miscounted: the places, in the order of the file, of the deviations that multiply some of it or untie it.
            Deviations that add something concern the whole model, so they are not included.
    """

    cost: float
    rounded: float
    compared: int | None
    stacked: bool
    elsewhere: bool
    miscounted: tuple[int, ...]


class Term(NamedTuple):
    """A number in a sum: a total, a part, or a rounded total that a source prints, which has no model."""

    number: int
    model: str = ""
    model_class: str = ""
    part: Part | None = None


class Entry(NamedTuple):
    """A number and its meaning. `kind` decides which of the other fields are used.

    Attributes:
        kind: the kind of explanation: `total`, `other`, `setting`, `tensors`, `memory` or `difference`.
        number: parameters, tensors, bytes, or the size itself.
        cost: its cost.
        models, classes: by name; the entry holds for each of them.
        mistakes: the deviations that it is counted with.
        words: the name of a size, or the title of a model of which only totals are known.
        dtype: the data type, for memory.
        printed_in: for each source that prints it, the smallest and the largest number that its digits may mean.
        terms: pairs of a factor and a number, of which it is the sum.
    """

    kind: str
    number: int
    cost: float
    models: Names = ()
    classes: Names = ()
    mistakes: Names = ()
    words: str = ""
    dtype: str = ""
    printed_in: tuple[tuple[str, int, int], ...] = ()
    terms: tuple[tuple[int, Term], ...] = ()


def entries() -> list[Entry]:
    """All entries within the limits of the search, the likeliest first."""
    rules = load_search()
    all_models = sorted([*load_models().values(), *load_relatives().values()], key=rules.of_model)
    berts = [model for model in all_models if model.architecture is BERT]
    candidates = [
        *_printed(rules),
        *_instead(rules, berts),
        *_others(rules),
        *_settings(rules, all_models),
        *_tensors(rules, berts),
        *_of_two_types(rules, [model for model in berts if not rules.of_model(model)]),
        *_compared(rules, all_models),
    ]
    possible = [entry for entry in candidates if entry.cost <= rules.limits["possible"]]
    return list(_merged(_merged(possible, "classes"), "models"))


def _merged(unmerged: Iterable[Entry], field: str) -> Iterator[Entry]:
    """Entries that differ only in `field`, merged into one with all their names and the cost of the likeliest."""
    groups: dict[Entry, list[Entry]] = {}
    for entry in sorted(unmerged, key=lambda entry: entry.cost):
        bare: dict[str, Any] = {"cost": 0, field: ()}
        groups.setdefault(entry._replace(**bare), []).append(entry)
    for first, *others in groups.values():
        names = dict.fromkeys(name for entry in (first, *others) for name in getattr(entry, field))
        merged: dict[str, Any] = {field: tuple(names)}
        yield first._replace(**merged)


def _cost(rules: Search, model: Model, model_class: str = "") -> float:
    """The cost of a model, and of a class if one is named."""
    return rules.of_model(model) + (rules.of_class(model_class, model.architecture) if model_class else 0)


def counted_parts() -> list[Counted]:
    """How people count each part, in the order of `parts`."""
    return [_counted_part(model_class, part) for model_class, part in parts()]


def _counted_part(model_class: str, part: Part) -> Counted:
    ways = load_search().costs["ways"]
    path, tag, share = part
    is_block, in_one_layer = tag in BERT.blocks, "layer_0" in path
    is_simple = in_one_layer if share else is_block or not (tag or "," in path or "layer_*" in path)
    is_tensor = re.search("(kernel|bias|gamma|beta|vector)$", path + tag)
    detail = 2 if is_tensor else int(not is_block and bool(re.search(r"layer_[0*]/.", path)))
    is_compared = not share and not path.startswith("cls") and model_class != "BertForSequenceClassification"
    return Counted(
        cost=0 if is_simple else ways["selection"],
        rounded=detail * ways["detail"],
        compared=int(bool(tag) and not is_block) + int(path.count("/") >= DEEPEST) if is_compared else None,
        stacked=path == LAYER_0 and not share and tag.partition(" ")[0] in STACKED,
        elsewhere=not tag and path in ELSEWHERE,
        miscounted=() if share else tuple(_miscounted(model_class, part)),
    )


def _miscounted(model_class: str, part: Part) -> Iterator[int]:
    question = Question(model_named("bert-base-uncased"), model_class)
    rows = question.at(part.path, part.tag).rows
    for place, deviation in enumerate(load_deviations().values()):
        multiplies = not deviation.adds and (deviation.unties or deviation.factor not in ("0", "1"))
        # One layer is the same whether all layers are counted or one of them.
        in_all_layers = "L" in deviation.factor and "layer_0" in part.path
        touches = any(map(deviation.touches, rows))
        if multiplies and touches and not in_all_layers and deviation.fits(question.rows, BERT):
            yield place


def _printed(rules: Search) -> Iterator[Entry]:
    """Totals in print. All have one cost, whatever deviations led to them."""
    for known in known_totals():
        question, cost = known.question, rules.costs["ways"]["known"]
        names = (question.model.name,), (question.chosen.name,), question.deviations
        sources = dict.fromkeys((claim.source.name, *claim.printed_bounds) for claim in known.claims)
        yield Entry("total", question.number, cost, *names, printed_in=tuple(sources))


def _instead(rules: Search, berts: Sequence[Model]) -> Iterator[Entry]:
    """Short formulas that people take for the whole model; they belong to no class."""
    for formula in (deviation for deviation in load_deviations().values() if deviation.instead):
        for model in berts:
            more = rules.costs["ways"]["relative-and-more"] if model.group == RELATIVE else 0
            number = sum(item.number(model.sizes) for item in Question(model, deviations=(formula.name,)).items)
            cost = _cost(rules, model) + cost_of(formula) + more
            yield Entry("total", number, cost, (model.name,), (), (formula.name,))


def _others(rules: Search) -> Iterator[Entry]:
    """Models of which only totals are known."""
    for name, other in load_others().items():
        for model_class, number in other.totals.items():
            yield Entry("other", number, rules.of_other(name), (), (model_class,), words=other.title)


def _settings(rules: Search, models: Iterable[Model]) -> Iterator[Entry]:
    """The sizes of models, and their quotients; sizes of a model that are equal make one entry."""
    for model in models:
        names_by_size: dict[int, list[tuple[str, float]]] = {}
        for letters, words, cost in (setting.values() for setting in search_rules()["settings"]):
            size, *divisors = (model.sizes.get(letter, 0) for letter in letters)
            if size and all(divisors) and not any(size % divisor for divisor in divisors):
                names_by_size.setdefault(size // (divisors or [1])[0], []).append((words, cost))
        for number, names in names_by_size.items():
            cost = rules.of_model(model) + min(cost for _, cost in names)
            yield Entry("setting", number, cost, (model.name,), words=" and ".join(words for words, _ in names))


def _tensors(rules: Search, berts: Iterable[Model]) -> Iterator[Entry]:
    """Tensor counts; tied tensors are not counted twice."""
    for model in berts:
        depth = BERT.depth(model.sizes)
        for model_class in BERT.classes:
            rows = [row for row in Question(model, model_class.name).rows if not row.tied_to]
            cost = rules.costs["ways"]["tensors"] + _cost(rules, model, model_class.name)
            number = sum(depth if "layer_*" in row.path else 1 for row in rows)
            yield Entry("tensors", number, cost, (model.name,), (model_class.name,))


def _of_two_types(rules: Search, models: Iterable[Model]) -> Iterator[Entry]:
    """Bytes with dynamic quantisation, and bytes with the model's buffers, which are integers."""
    for model in models:
        for model_class in BERT.classes:
            question = Question(model, model_class.name)
            number, cost = question.number, _cost(rules, model, model_class.name)
            names = (model.name,), (model_class.name,)
            buffered = 4 * number + sum(buffer.bytes for buffer in buffers_of(model))
            yield Entry("memory", buffered, cost + rules.costs["ways"]["buffers"], *names, dtype=BUFFERED)
            # A tied decoder would be packed, too, while the table that it shares stays in four bytes per number.
            if not any(row.tied_to for row in question.rows):
                fewer = 4 * number - 3 * question.at(tag="kernel").number
                yield Entry("memory", fewer, cost + rules.costs["ways"]["quantised"], *names, dtype=DYNAMIC)


def _compared(rules: Search, models: Sequence[Model]) -> Iterator[Entry]:
    """Sums and differences of totals and of parts; a difference is listed under the model with the larger number."""

    def entry(number: int, *terms: tuple[int, Term]) -> Entry:
        model = model_named(next(term.model for _, term in terms if term.model))
        alike = [other for other in models if (other.architecture, other.sizes) == (model.architecture, model.sizes)]
        cost = rules.costs["ways"]["difference"] + rules.of_model(model)
        return Entry("difference", number, cost, tuple(other.name for other in alike), terms=terms)

    for pair in _pairs(rules, models):
        less, more = sorted(pair, key=lambda term: term.number)
        if less.number < more.number:
            yield entry(more.number - less.number, (1, more), (-1, less))
    base, *others = map(_total, _distinct(model for model in models if _is_usual(rules, model)))
    for total in (base, *others):
        yield entry(2 * total.number, (2, total))
    for total in others:
        yield entry(base.number + total.number, (1, base), (1, total))


def _pairs(rules: Search, models: Sequence[Model]) -> Iterator[tuple[Term, Term]]:
    """The numbers that people compare.

    These are two models in one class, two classes of a model, a class and a rounded total in print, BERT base and a
    relative, and a block of BERT base and of another model.
    """
    likely = _distinct(model for model in models if model.architecture is BERT and rules.of_model(model) <= 1)
    usual = [model for model in likely if _is_usual(rules, model)]
    for model_class in COMPARED:
        yield from combinations([_total(model, model_class) for model in likely], 2)
    for model in usual:
        totals = [_total(model, model_class.name) for model_class in BERT.classes]
        yield from combinations(totals, 2)
        yield from ((Term(quoted), total) for quoted in quoted_totals() for total in totals)
    for model in _distinct(model for model in models if model.group == RELATIVE):
        yield _total(usual[0]), _total(model)
    for model in usual[1:]:
        yield from ((_part(usual[0], part), _part(model, part)) for part in BLOCKS)


def _is_usual(rules: Search, model: Model) -> bool:
    return model.architecture is BERT and rules.of_model(model) == 0


def _distinct(models: Iterable[Model]) -> list[Model]:
    """The first of all models with the same architecture and sizes."""
    first: dict[tuple[str | int, ...], Model] = {}
    for model in models:
        first.setdefault((model.architecture.model_type, *model.sizes.values()), model)
    return list(first.values())


def _total(model: Model, model_class: str = "") -> Term:
    question = Question(model, model_class)
    return Term(question.number, model.name, question.chosen.name)


def _part(model: Model, part: Part) -> Term:
    model_class = next(name for name, other in parts() if other == part)
    return Term(Question(model, model_class, part.path).number, model.name, model_class, part)


def quoted_totals(source: str = "bert-paper") -> list[int]:
    """The rounded totals that a source prints, as whole numbers; people take them for exact.

    >>> quoted_totals()
    [110000000, 340000000]
    """
    numbers = [read_printed(claim.printed) for claim in load_claims()[source]]
    return sorted({number.digits * number.size for number in numbers if not number.exact})
