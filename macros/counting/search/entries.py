"""Entries: single numbers that the search looks up, in addition to the totals in `known_numbers`.

They are totals in print, the results of short formulas for a whole model, the totals of
models known only by their totals, sizes from configurations, numbers of tensors, memory
in more than one data type, and the sums and differences of numbers that people compare.
The cost of an entry is a sum of costs from `data/search.toml` and from the data on groups
of models and on deviations. Entries that differ only in model or class are merged, with
the likeliest model or class first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from ..architectures.bert import BERT
from ..deviations import load_deviations
from ..memory import BYTES, buffers_of
from ..models import RELATIVE, Model, load_models, load_relatives, model_named
from ..published.claims import known_totals, load_claims
from ..published.others import load_others
from ..published.printed_numbers import read_printed
from ..question import Question
from .known_numbers import Names, SearchRules, cost_of, load_search_rules, search_data
from .parts import Part, parts

CLASSES_FOR_COMPARISON = ("BertModel", "BertForPreTraining", "BertForMaskedLM")
"""The classes in which people compare two models."""

LAYER_0 = "bert/encoder/layer_0"
"""The path of the first layer, which represents any single layer."""

PARTS_FOR_COMPARISON = (
    Part("bert/embeddings"),
    Part("bert/encoder"),
    Part(LAYER_0),
    Part("bert/embeddings/word_embeddings"),
    Part("bert/pooler"),
    Part("cls/predictions"),
)
"""The parts of two models that people compare."""

TAGS_IN_SOME_LAYERS = ("", "self-attention", "feed-forward", "-LayerNorm")
"""Tags of a layer's parts that people count for only some of the layers, such as six; empty for the whole layer."""

PARTS_IN_RELATIVES = ("bert/embeddings/word_embeddings", "bert/embeddings", "bert/encoder", LAYER_0)
"""The parts that people count in models other than BERT."""

SLASHES_IN_DEEP_PATH = 3
"""The number of slashes at which a path counts as deep. Percentages of deep parts cost more, because they are rare."""

DYNAMIC_INT8, WITH_BUFFERS = "dynamic int8", "float32 with buffers"
"""The kinds of memory in more than one data type: matrices of dense layers quantised to int8, or buffers included."""


class PartCosts(NamedTuple):
    """The costs of a part in the search, and the ways in which people count it.

    Attributes:
        cost: its cost on top of the cost that every part has; zero for simple parts, such as blocks and single modules.
        if_rounded: its extra cost if rounded; people round blocks more often than modules, and matrices least.
        percentage_cost: the cost of its percentage of the model; None if the search tries no percentages of the part.
        is_counted_in_some_layers: whether people count it in only some of the layers.
        is_counted_in_relatives: whether people count it in models other than BERT.
        deviation_indices: the positions in their data file of the deviations that multiply or untie its rows.
            Deviations that add something concern the whole model, so they are not included.
    """

    cost: float
    if_rounded: float
    percentage_cost: int | None
    is_counted_in_some_layers: bool
    is_counted_in_relatives: bool
    deviation_indices: tuple[int, ...]


class SumTerm(NamedTuple):
    """A number in a sum: a total, a part, or a rounded total in print, which has no model."""

    number: int
    model: str = ""
    model_class: str = ""
    part: Part | None = None


class Entry(NamedTuple):
    """A number and its meaning. `kind` decides which of the other fields are used.

    Attributes:
        kind: the kind of explanation: `total`, `other`, `setting`, `tensors`, `memory` or `difference`.
        number: the number of parameters, tensors or bytes, or a size.
        cost: its cost in the search, which is lower for a likelier meaning.
        models, classes: names; the entry holds for each of them.
        mistakes: the names of the deviations with which it is counted.
        words: the name of a size, or the title of a model that is known only by its totals.
        dtype: the data type of memory.
        printed_in: every source that prints it, with the smallest and the largest number that its digits may mean.
        terms: for a sum or difference, pairs of a factor and the number that it multiplies.
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
    terms: tuple[tuple[int, SumTerm], ...] = ()


def entries() -> list[Entry]:
    """All entries within the limits of the search, the likeliest first."""
    rules = load_search_rules()
    all_models = sorted([*load_models().values(), *load_relatives().values()], key=rules.cost_of_model)
    berts = [model for model in all_models if model.architecture is BERT]
    candidates = [
        *_entries_of_printed_totals(rules),
        *_entries_of_short_formulas(rules, berts),
        *_entries_of_other_models(rules),
        *_entries_of_settings(rules, all_models),
        *_entries_of_tensor_counts(rules, berts),
        *_entries_of_memory(rules, [model for model in berts if not rules.cost_of_model(model)]),
        *_entries_of_comparisons(rules, all_models),
    ]
    affordable_entries = [entry for entry in candidates if entry.cost <= rules.limits["max_cost"]]
    return list(_merge(_merge(affordable_entries, "classes"), "models"))


def _merge(entries_to_merge: Iterable[Entry], field: str) -> Iterator[Entry]:
    """Merge the entries that differ only in `field` and cost. A merged entry has the cost of the likeliest of them."""
    groups: dict[Entry, list[Entry]] = {}
    for entry in sorted(entries_to_merge, key=lambda entry: entry.cost):
        ignored_fields: dict[str, Any] = {"cost": 0, field: ()}
        groups.setdefault(entry._replace(**ignored_fields), []).append(entry)
    for group in groups.values():
        names = dict.fromkeys(name for entry in group for name in getattr(entry, field))
        merged_fields: dict[str, Any] = {field: tuple(names)}
        yield group[0]._replace(**merged_fields)


def _cost(rules: SearchRules, model: Model, model_class: str = "") -> float:
    """The cost of a model, plus the cost of a class if one is named."""
    return rules.cost_of_model(model) + (rules.cost_of_class(model_class, model.architecture) if model_class else 0)


def part_costs() -> list[PartCosts]:
    """The costs of each part, in the order of `parts`."""
    return [_costs_of_part(model_class, part) for model_class, part in parts()]


def _costs_of_part(model_class: str, part: Part) -> PartCosts:
    """The costs of a part in a class that has it.

    Simple parts, such as blocks and single modules, cost nothing extra. Selections, such as all biases, cost more.
    """
    ways = load_search_rules().costs["ways"]
    path, tag, share = part
    is_block = tag in BERT.blocks
    is_one_module = not (tag or "," in path or "layer_*" in path)
    is_simple = "layer_0" in path if share else (is_block or is_one_module)
    is_tensor = bool(re.search("(kernel|bias|gamma|beta|vector)$", path + tag))
    is_module_of_layer = not is_block and bool(re.search(r"layer_[0*]/.", path))
    # The smaller the part, the fewer people round its number. The level is 2 for matrices and vectors, 1 for
    # other modules of a layer, and 0 for everything else.
    detail_level = 2 if is_tensor else int(is_module_of_layer)
    # Percentages are of the bare model, which has no task head.
    has_task_head = any(prefix.startswith("cls") for prefix in path.split(", "))
    is_deep = path.count("/") >= SLASHES_IN_DEEP_PATH
    percentage_cost = None
    if not share and not has_task_head and model_class != "BertForSequenceClassification":
        percentage_cost = 0
        if tag and not is_block:
            percentage_cost += 1
        if is_deep:
            percentage_cost += 1
    return PartCosts(
        cost=0 if is_simple else ways["selection"],
        if_rounded=detail_level * ways["detail"],
        percentage_cost=percentage_cost,
        is_counted_in_some_layers=path == LAYER_0 and not share and tag.partition(" ")[0] in TAGS_IN_SOME_LAYERS,
        is_counted_in_relatives=not tag and path in PARTS_IN_RELATIVES,
        deviation_indices=() if share else tuple(_miscounting_deviations(model_class, part)),
    )


def _miscounting_deviations(model_class: str, part: Part) -> Iterator[int]:
    """Yield `PartCosts.deviation_indices` for a part in a class that has it."""
    question = Question(model_named("bert-base-uncased"), model_class)
    rows = question.about(part.path, part.tag).rows
    for index, deviation in enumerate(load_deviations().values()):
        changes_rows = not deviation.adds and (deviation.unties or deviation.factor not in ("0", "1"))
        # A wrong number of layers has no effect on a part of a single layer.
        has_no_effect = "L" in deviation.factor and "layer_0" in part.path
        touches_part = any(map(deviation.touches, rows))
        if changes_rows and touches_part and not has_no_effect and deviation.fits(question.rows, BERT):
            yield index


def _entries_of_printed_totals(rules: SearchRules) -> Iterator[Entry]:
    """Totals in print that deviations explain. All have the same cost, whatever the deviations."""
    for known_total in known_totals():
        question = known_total.question
        sources = dict.fromkeys((claim.source.name, *claim.printed_bounds) for claim in known_total.claims)
        yield Entry(
            "total",
            question.number,
            rules.costs["ways"]["known"],
            models=(question.model.name,),
            classes=(question.resolved_class.name,),
            mistakes=question.deviations,
            printed_in=tuple(sources),
        )


def _entries_of_short_formulas(rules: SearchRules, berts: Sequence[Model]) -> Iterator[Entry]:
    """The results of short formulas that people use for the whole model; they belong to no class."""
    formula_deviations = [deviation for deviation in load_deviations().values() if deviation.instead]
    for deviation in formula_deviations:
        for model in berts:
            extra_cost = rules.costs["ways"]["relative-and-more"] if model.group == RELATIVE else 0
            number = sum(item.number(model.sizes) for item in Question(model, deviations=(deviation.name,)).items)
            cost = _cost(rules, model) + cost_of(deviation) + extra_cost
            yield Entry("total", number, cost, models=(model.name,), mistakes=(deviation.name,))


def _entries_of_other_models(rules: SearchRules) -> Iterator[Entry]:
    """The totals of models that are known only by their totals."""
    for name, model in load_others().items():
        for model_class, number in model.totals.items():
            yield Entry("other", number, rules.cost_of_other(name), classes=(model_class,), words=model.title)


def _entries_of_settings(rules: SearchRules, models: Iterable[Model]) -> Iterator[Entry]:
    """The sizes of models, and quotients of two of them. Equal numbers of a model share one entry."""
    for model in models:
        words_and_costs_by_size: dict[int, list[tuple[str, float]]] = {}
        for setting in search_data()["settings"]:
            letters, words, cost = setting.values()
            # A setting has one letter, or two for a quotient. An architecture may lack a letter.
            dividend = model.sizes.get(letters[0], 0)
            divisor = model.sizes.get(letters[1], 0) if len(letters) > 1 else 1
            if dividend and divisor and dividend % divisor == 0:
                words_and_costs_by_size.setdefault(dividend // divisor, []).append((words, cost))
        for number, words_and_costs in words_and_costs_by_size.items():
            cost = rules.cost_of_model(model) + min(cost for _, cost in words_and_costs)
            yield Entry(
                "setting", number, cost, (model.name,), words=" and ".join(words for words, _ in words_and_costs)
            )


def _entries_of_tensor_counts(rules: SearchRules, berts: Iterable[Model]) -> Iterator[Entry]:
    """The numbers of tensors in each class; a tied tensor is not counted twice."""
    for model in berts:
        for model_class in BERT.classes:
            cost = rules.costs["ways"]["tensors"] + _cost(rules, model, model_class.name)
            number = Question(model, model_class.name).tensor_count
            yield Entry("tensors", number, cost, (model.name,), (model_class.name,))


def _entries_of_memory(rules: SearchRules, models: Iterable[Model]) -> Iterator[Entry]:
    """Bytes after dynamic quantisation, and bytes including the model's buffers, which are integers."""
    for model in models:
        for model_class in BERT.classes:
            question = Question(model, model_class.name)
            cost = _cost(rules, model, model_class.name)
            weights_bytes = BYTES["float32"] * question.number
            yield Entry(
                "memory",
                weights_bytes + sum(buffer.bytes for buffer in buffers_of(model)),
                cost + rules.costs["ways"]["buffers"],
                models=(model.name,),
                classes=(model_class.name,),
                dtype=WITH_BUFFERS,
            )
            # Classes with a tied decoder are skipped: PyTorch quantises the decoder, and keeps the shared table in
            # float32 as well.
            if not any(row.tied_to for row in question.rows):
                saved_bytes = (BYTES["float32"] - BYTES["int8"]) * question.about(tag="kernel").number
                yield Entry(
                    "memory",
                    weights_bytes - saved_bytes,
                    cost + rules.costs["ways"]["quantised"],
                    models=(model.name,),
                    classes=(model_class.name,),
                    dtype=DYNAMIC_INT8,
                )


def _entries_of_comparisons(rules: SearchRules, models: Sequence[Model]) -> Iterator[Entry]:
    """Differences of totals and of parts, sums of two totals, and twice a total."""

    def comparison(number: int, *terms: tuple[int, SumTerm]) -> Entry:
        """The entry of a sum or difference, for the first model among the terms and all models of its sizes."""
        model = model_named(next(term.model for _, term in terms if term.model))
        model_names = [
            candidate.name
            for candidate in models
            if (candidate.architecture, candidate.sizes) == (model.architecture, model.sizes)
        ]
        cost = rules.costs["ways"]["difference"] + rules.cost_of_model(model)
        return Entry("difference", number, cost, tuple(model_names), terms=terms)

    for pair in _pairs(rules, models):
        smaller, larger = sorted(pair, key=lambda term: term.number)
        if smaller.number < larger.number:
            yield comparison(larger.number - smaller.number, (1, larger), (-1, smaller))
    base, *other_totals = map(_total, _distinct(model for model in models if _is_main_model(rules, model)))
    for total in (base, *other_totals):
        yield comparison(2 * total.number, (2, total))
    for total in other_totals:
        yield comparison(base.number + total.number, (1, base), (1, total))


def _pairs(rules: SearchRules, models: Sequence[Model]) -> Iterator[tuple[SumTerm, SumTerm]]:
    """The pairs of numbers that people compare.

    They are the totals of two models in one class, or of two classes of a model; the total of a class and a rounded
    total in print; the totals of BERT base and of a relative; or a part of BERT base and the same part of another
    model.
    """
    likely_models = _distinct(
        model for model in models if model.architecture is BERT and rules.cost_of_model(model) <= 1
    )
    main_models = [model for model in likely_models if _is_main_model(rules, model)]
    for model_class in CLASSES_FOR_COMPARISON:
        yield from combinations([_total(model, model_class) for model in likely_models], 2)
    for model in main_models:
        totals = [_total(model, model_class.name) for model_class in BERT.classes]
        yield from combinations(totals, 2)
        yield from ((SumTerm(quoted_total), total) for quoted_total in quoted_totals() for total in totals)
    for model in _distinct(model for model in models if model.group == RELATIVE):
        yield _total(main_models[0]), _total(model)
    for model in main_models[1:]:
        yield from ((_part(main_models[0], part), _part(model, part)) for part in PARTS_FOR_COMPARISON)


def _is_main_model(rules: SearchRules, model: Model) -> bool:
    """Whether a model is a BERT that costs nothing, such as BERT base as first released."""
    return model.architecture is BERT and rules.cost_of_model(model) == 0


def _distinct(models: Iterable[Model]) -> list[Model]:
    """The models without those that have the architecture and the sizes of an earlier one."""
    first_by_sizes: dict[tuple[str | int, ...], Model] = {}
    for model in models:
        first_by_sizes.setdefault((model.architecture.model_type, *model.sizes.values()), model)
    return list(first_by_sizes.values())


def _total(model: Model, model_class: str = "") -> SumTerm:
    """The total of a model in a class as a term; an empty class name means the model's default class."""
    question = Question(model, model_class)
    return SumTerm(question.number, model.name, question.resolved_class.name)


def _part(model: Model, part: Part) -> SumTerm:
    """A part of a model as a term, counted in the first class that has it."""
    model_class = next(name for name, known_part in parts() if known_part == part)
    return SumTerm(Question(model, model_class, part.path).number, model.name, model_class, part)


def quoted_totals() -> list[int]:
    """The rounded totals that the BERT paper prints, from which people subtract as if they were exact.

    >>> quoted_totals()
    [110000000, 340000000]
    """
    printed_numbers = [read_printed(claim.printed) for claim in load_claims()["bert-paper"]]
    return sorted(
        {
            printed_number.digits * printed_number.unit_size
            for printed_number in printed_numbers
            if not printed_number.is_exact
        }
    )
