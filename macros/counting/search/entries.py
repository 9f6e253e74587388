"""Entries: numbers that a search looks up as they stand, beside the totals in the space of known numbers.

They are what is in print, what stands for the whole in a short formula, models of which only totals are
known, sizes of configurations, numbers of tensors, memory of more than one data type, and the sums and
differences that people compare. Each is counted by a `Question`; what speaks against it is a cost in
`data/search.toml`. Models and classes of one entry stand together, the likeliest first.
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

BLOCKS = tuple(
    map(
        Part,
        (
            "bert/embeddings",
            "bert/encoder",
            "bert/encoder/layer_0",
            "bert/embeddings/word_embeddings",
            "bert/pooler",
            "cls/predictions",
        ),
    )
)
"""The parts in which they compare them."""

LAYER_0 = "bert/encoder/layer_0"
STACKED = ("", "self-attention", "feed-forward", "-LayerNorm")
"""A layer, and tags of what is counted of it in some of the layers."""

ELSEWHERE = ("bert/embeddings/word_embeddings", "bert/embeddings", "bert/encoder", LAYER_0)
"""The parts that people count of models that are not BERT."""

DEEPEST = 3
"""Steps of a path that people give the share of."""

DYNAMIC, BUFFERED = "dynamic int8", "float32 with buffers"
"""Memory of two types: matrices of dense layers of one byte a number and all else of four; and with the buffers."""


class Counted(NamedTuple):
    """How people count a part.

    Attributes:
        cost: what speaks against it, beside that it is a part: that it has no name of its own in the model.
        rounded: what speaks against it besides where it is rounded: most people round a block, fewer a module in it,
            and fewest its matrix.
        compared: what speaks against its share in the model; None where nobody gives that.
        stacked: whether somebody counts it in some of the layers.
        elsewhere: whether people count it of models that are not BERT.
        miscounted: the places of deviations that multiply some of it or untie it; what one adds is about the whole.
    """

    cost: float
    rounded: float
    compared: int | None
    stacked: bool
    elsewhere: bool
    miscounted: tuple[int, ...]


class Term(NamedTuple):
    """A number in a sum: a total, a part, or a rounded one that is quoted, which is of no model."""

    number: int
    model: str = ""
    model_class: str = ""
    part: Part | None = None


class Entry(NamedTuple):
    """A number and what it is.

    Attributes:
        kind: of the explanation; its other fields say what the kind needs.
        number: parameters, tensors, bytes, or the size itself.
        cost: what speaks against it.
        models, classes: by name; it holds for each of them.
        mistakes: the deviations that it is counted with.
        words: what a size is called, or the title of a model of which only totals are known.
        dtype: how numbers are stored, for memory.
        printed_in: each source that has it, and the least and the greatest number that its digits may mean.
        terms: what it is the sum of, each so many times.
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
    """All of them, those that more than one model or class has once."""
    rules = load_search()
    everyone = sorted([*load_models().values(), *load_relatives().values()], key=rules.of_model)
    berts = [model for model in everyone if model.architecture is BERT]
    found = [
        *_printed(rules),
        *_instead(rules, berts),
        *_others(rules),
        *_settings(rules, everyone),
        *_tensors(rules, berts),
        *_of_two_types(rules, [model for model in berts if not rules.of_model(model)]),
        *_compared(rules, everyone),
    ]
    possible = [each for each in found if each.cost <= rules.limits["possible"]]
    return list(_merged(_merged(possible, "classes"), "models"))


def _merged(found: Iterable[Entry], field: str) -> Iterator[Entry]:
    """Entries that differ only in models, or only in classes, as one that costs what the likeliest does."""
    groups: dict[Entry, list[Entry]] = {}
    for each in sorted(found, key=lambda each: each.cost):
        bare: dict[str, Any] = {"cost": 0, field: ()}
        groups.setdefault(each._replace(**bare), []).append(each)
    for first, *more in groups.values():
        names = dict.fromkeys(name for each in (first, *more) for name in getattr(each, field))
        together: dict[str, Any] = {field: tuple(names)}
        yield first._replace(**together)


def _against(rules: Search, model: Model, model_class: str = "") -> float:
    """What speaks against a model, in a class."""
    return rules.of_model(model) + (rules.of_class(model_class, model.architecture) if model_class else 0)


def counted_parts() -> list[Counted]:
    """How people count each part, in the order of `parts`."""
    return [_counted(model_class, part) for model_class, part in parts()]


def _counted(model_class: str, part: Part) -> Counted:
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
    for place, each in enumerate(load_deviations().values()):
        multiplies = not each.adds and (each.unties or each.factor not in ("0", "1"))
        in_all_layers = "L" in each.factor and "layer_0" in part.path
        if multiplies and not in_all_layers and each.fits(question.rows, BERT) and any(map(each.touches, rows)):
            yield place


def _printed(rules: Search) -> Iterator[Entry]:
    """Totals in print, whatever led to them."""
    for each in known_totals():
        question, cost = each.question, rules.costs["ways"]["known"]
        names = (question.model.name,), (question.chosen.name,), question.deviations
        printed = dict.fromkeys((claim.source.name, *claim.printed_bounds) for claim in each.claims)
        yield Entry("total", question.number, cost, *names, printed_in=tuple(printed))


def _instead(rules: Search, berts: Sequence[Model]) -> Iterator[Entry]:
    """Short formulas that are taken for the whole, which are of no class."""
    for each in (each for each in load_deviations().values() if each.instead):
        for model in berts:
            strange = rules.costs["ways"]["relative-and-more"] if model.group == RELATIVE else 0
            number = sum(term.number(model.sizes) for term in Question(model, deviations=(each.name,)).items)
            yield Entry(
                "total", number, _against(rules, model) + cost_of(each) + strange, (model.name,), (), (each.name,)
            )


def _others(rules: Search) -> Iterator[Entry]:
    """Models of which only totals are known."""
    for name, other in load_others().items():
        for model_class, number in other.totals.items():
            yield Entry("other", number, rules.of_other(name), (), (model_class,), words=other.title)


def _settings(rules: Search, models: Iterable[Model]) -> Iterator[Entry]:
    """The sizes of models, each by all that has this size, and the quotients that configurations state."""
    for model in models:
        named: dict[int, list[tuple[str, float]]] = {}
        for letters, words, cost in (each.values() for each in search_rules()["settings"]):
            one, *other = (model.sizes.get(letter, 0) for letter in letters)
            if one and all(other) and not any(one % each for each in other):
                named.setdefault(one // (other or [1])[0], []).append((words, cost))
        for number, names in named.items():
            cost = rules.of_model(model) + min(cost for _, cost in names)
            yield Entry("setting", number, cost, (model.name,), words=" and ".join(words for words, _ in names))


def _tensors(rules: Search, berts: Iterable[Model]) -> Iterator[Entry]:
    """Numbers of tensors, of which one that shares another's weights is none."""
    for model in berts:
        depth = BERT.depth(model.sizes)
        for each in BERT.classes:
            rows = [row for row in Question(model, each.name).rows if not row.tied_to]
            cost = rules.costs["ways"]["tensors"] + _against(rules, model, each.name)
            number = sum(depth if "layer_*" in row.path else 1 for row in rows)
            yield Entry("tensors", number, cost, (model.name,), (each.name,))


def _of_two_types(rules: Search, usual: Iterable[Model]) -> Iterator[Entry]:
    """Bytes with dynamic quantisation; and with the two buffers of a model, of eight bytes a position."""
    for model in usual:
        for each in BERT.classes:
            question = Question(model, each.name)
            number, cost, names = question.number, _against(rules, model, each.name), ((model.name,), (each.name,))
            buffered = 4 * number + sum(buffer.bytes for buffer in buffers_of(model))
            yield Entry("memory", buffered, cost + rules.costs["ways"]["buffers"], *names, dtype=BUFFERED)
            if not any(row.tied_to for row in question.rows):
                fewer = 4 * number - 3 * question.at(tag="kernel").number
                yield Entry("memory", fewer, cost + rules.costs["ways"]["quantised"], *names, dtype=DYNAMIC)


def _compared(rules: Search, models: Sequence[Model]) -> Iterator[Entry]:
    """Sums and differences of totals and of parts, of the model that has more."""

    def entry(number: int, *terms: tuple[int, Term]) -> Entry:
        model = model_named(next(term.model for _, term in terms if term.model))
        alike = [each for each in models if (each.architecture, each.sizes) == (model.architecture, model.sizes)]
        cost = rules.costs["ways"]["difference"] + rules.of_model(model)
        return Entry("difference", number, cost, tuple(each.name for each in alike), terms=terms)

    for pair in _pairs(rules, models):
        less, more = sorted(pair, key=lambda each: each.number)
        if less.number < more.number:
            yield entry(more.number - less.number, (1, more), (-1, less))
    base, *others = map(_total, _distinct(model for model in models if _is_usual(rules, model)))
    for each in (base, *others):
        yield entry(2 * each.number, (2, each))
    for each in others:
        yield entry(base.number + each.number, (1, base), (1, each))


def _pairs(rules: Search, models: Sequence[Model]) -> Iterator[tuple[Term, Term]]:
    """What people compare: models in a class, classes of a model and what is quoted, BERT and relatives, blocks."""
    likely = _distinct(model for model in models if model.architecture is BERT and rules.of_model(model) <= 1)
    usual = [model for model in likely if _is_usual(rules, model)]
    for model_class in COMPARED:
        yield from combinations([_total(model, model_class) for model in likely], 2)
    for model in usual:
        totals = [_total(model, each.name) for each in BERT.classes]
        yield from combinations(totals, 2)
        yield from ((Term(quoted), each) for quoted in quoted_totals() for each in totals)
    for model in _distinct(model for model in models if model.group == RELATIVE):
        yield _total(usual[0]), _total(model)
    for model in usual[1:]:
        yield from ((_part(usual[0], part), _part(model, part)) for part in BLOCKS)


def _is_usual(rules: Search, model: Model) -> bool:
    return model.architecture is BERT and rules.of_model(model) == 0


def _distinct(models: Iterable[Model]) -> list[Model]:
    """The first model of each size."""
    found: dict[tuple[str | int, ...], Model] = {}
    for each in models:
        found.setdefault((each.architecture.model_type, *each.sizes.values()), each)
    return list(found.values())


def _total(model: Model, model_class: str = "") -> Term:
    question = Question(model, model_class)
    return Term(question.number, model.name, question.chosen.name)


def _part(model: Model, part: Part) -> Term:
    model_class = next(name for name, each in parts() if each == part)
    return Term(Question(model, model_class, part.path).number, model.name, model_class, part)


def quoted_totals(source: str = "bert-paper") -> list[int]:
    """The rounded totals that a source prints, which people take for exact."""
    printed = [read_printed(claim.printed) for claim in load_claims()[source]]
    return sorted({each.digits * each.size for each in printed if not each.exact})
