"""`data/known-numbers.js`: the numbers that the search can explain; `docs/assets/explaining/known-numbers.js` reads it.

There are too many totals to export each of them: every model, in every class, with every set of forms. (A
form is a mistake or convention, or a combination of them.) But the effect of a set is usually the sum of
the effects of its forms. So for each set, the file has only the difference between its total and the one
predicted from smaller sets, which is zero for most sets. Models with the same sets share a list of them.

All other numbers are exported directly, in rows: `entry_rows` for entries, `line_rows` for changed models,
`part_rows` for parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from macros.counting import load_models, load_relatives, model_named
from macros.counting.search.changed_lines import ChangedLine
from macros.counting.search.entries import Entry, PartCosts, SumTerm
from macros.counting.search.known_numbers import Names, Space, load_search_rules

from ..components import pages, words
from ..components.asking import title_of

MISSING = "x"
"""The mark in place of a total if the space lacks the set, although another space in its group has it."""


def packed_spaces(spaces: Iterable[Space]) -> dict[str, Any]:
    """The spaces of totals as data for JSON.

    Returns:
        costs: the cost of each form in a BERT.
        discounts: how much less a form costs in a relative.
        groups: for each group, its model classes, which have the same totals, and its sets of forms. Sets are
            separated by commas, and the forms of a set, given as indices in `costs`, by spaces.
        spaces: for each space, its models, the index of its group, and these fields. `cost` is the cost of the
            correct total, and `deviating` that of any other total, without the costs of its forms. `totals` has,
            for each set of the group, the amount by which its total exceeds the expected one, empty for zero.
            `slopes` has, by letter, the amounts that increasing a size by one adds to the totals of these sets;
            unknown amounts are empty, and left out after the last known one. The expected total of a set is the
            total of all its forms except the last, plus that of all except the first, minus that of all except
            these two; for the empty set, it is zero.
    """
    all_spaces = list(spaces)
    discounts = load_search_rules().usual_in_relatives
    costs = {
        form: cost + (discounts.get(form, 0) if space.is_of_relatives else 0)
        for space in all_spaces
        for form, cost in space.forms.items()
    }
    indices = {form: str(index) for index, form in enumerate(costs)}
    groups: dict[tuple[Names, Names], list[Names]] = {}
    for space in all_spaces:
        sets = groups.setdefault(_group_key(space), [])
        sets += space.numbers.keys() - sets  # in any order, because they are sorted below
    for (_, forms), sets in groups.items():
        sets.sort(key=partial(_sort_key, forms))
    return {
        "costs": costs,
        "discounts": discounts,
        "groups": [{"classes": classes, "sets": _sets_text(sets, indices)} for (classes, _), sets in groups.items()],
        "spaces": [
            {
                "models": space.models,
                "group": list(groups).index(_group_key(space)),
                **_costs_and_numbers(space, groups[_group_key(space)]),
            }
            for space in all_spaces
        ],
    }


def _sets_text(sets: Iterable[Names], indices: Mapping[str, str]) -> str:
    """The sets of a group as text, in which each form is given as its index."""
    return ",".join(" ".join(indices[form] for form in form_set) for form_set in sets)


def _costs_and_numbers(space: Space, sets: Iterable[Names]) -> dict[str, Any]:
    """The costs of a space, and its totals and slopes as text, in the order of the sets of its group."""
    return {
        "cost": space.cost,
        "deviating": space.deviating_cost,
        "totals": ",".join(_excess(space.numbers, form_set) for form_set in sets),
        "slopes": {
            letter: ",".join(str(slopes.get(form_set, "")) for form_set in sets).rstrip(",")
            for letter, slopes in space.slopes.items()
        },
    }


def _group_key(space: Space) -> tuple[Names, Names]:
    """The key of a space's group: its classes and its forms, which many models share."""
    return space.classes, tuple(space.forms)


def _sort_key(forms: Names, form_set: Names) -> tuple[int, ...]:
    """The sort key of a set: its length, so that smaller sets come first, and then the order of its forms."""
    return len(form_set), *map(forms.index, form_set)


def _excess(numbers: Mapping[Names, int], form_set: Names) -> str:
    """The total of a set minus the expected one, as text; empty for zero, and `MISSING` if the space lacks the set."""
    if form_set not in numbers:
        return MISSING
    expected_total = numbers[form_set[:-1]] + numbers[form_set[1:]] - numbers[form_set[1:-1]] if form_set else 0
    return str(numbers[form_set] - expected_total or "")


def entry_rows(entries: Iterable[Entry]) -> dict[str, Any]:
    """Entries as data for JSON.

    Returns:
        classes: the names of their model classes.
        terms: the wording, the page and the number of each term.
        kinds: for each kind of entry, the fields of its rows, and the rows. A model is given as its index in the
            exported table, a class as its index in `classes`, and a term as its multiplicity and its index in
            `terms`.
    """
    all_entries = list(entries)
    models = [*load_models(), *load_relatives()]
    classes = list(dict.fromkeys(name for entry in all_entries for name in entry.classes))
    terms = list(dict.fromkeys(term for entry in all_entries for _, term in entry.terms))
    kinds = dict.fromkeys(entry.kind for entry in all_entries)

    def with_indices(entry: Entry) -> dict[str, Any]:
        """The fields of an entry, with names replaced by indices."""
        return entry._asdict() | {
            "models": [*map(models.index, entry.models)],
            "classes": [*map(classes.index, entry.classes)],
            "printed_in": [dict(zip(("source", "low", "high"), record, strict=True)) for record in entry.printed_in],
            "terms": [(times, terms.index(term)) for times, term in entry.terms],
        }

    for kind in kinds:
        records = [with_indices(entry) for entry in all_entries if entry.kind == kind]
        # Fields that are empty in all rows of a kind are omitted.
        fields = [
            key for key in records[0] if key != "kind" and any(record[key] not in ("", (), []) for record in records)
        ]
        kinds[kind] = {"fields": fields, "rows": [[record[key] for key in fields] for record in records]}
    return {"classes": classes, "terms": list(map(_term, terms)), "kinds": kinds}


def line_rows(changed_lines: Iterable[ChangedLine]) -> dict[str, Any]:
    """Lines of changed models as data for JSON.

    Returns:
        choices: the common sizes for a change, shared by all templates that have the same ones.
        templates: the other fields of each template, without empty ones; `choice` is an index in `choices`.
        classes: the names of their model classes.
        lines: for each line, the index of its template, the indices of its models in the exported table, the index of
            its class, and its cost, terms, slope and rest of the model, without zeros at the end.
    """
    all_lines = list(changed_lines)
    models = [*load_models(), *load_relatives()]
    templates = list(dict.fromkeys(line.template for line in all_lines))
    classes = list(dict.fromkeys(line.model_class for line in all_lines))
    choices = list(
        dict.fromkeys((template.largest, template.usual, template.values) for template in templates if template.largest)
    )
    empty_values = ("", (), 0, (0, 0))
    records = [
        {key: value for key, value in template._asdict().items() if value not in empty_values} for template in templates
    ]
    for template, record in zip(templates, records, strict=True):
        if template.largest:
            record["choice"] = choices.index(tuple(record.pop(key, ()) for key in CHOICE_FIELDS))
    return {
        "choices": [dict(zip(CHOICE_FIELDS, choice, strict=True)) for choice in choices],
        "templates": records,
        "classes": classes,
        "lines": [
            (
                templates.index(line.template),
                [*map(models.index, line.models)],
                classes.index(line.model_class),
                *_without_trailing_zeros([line.cost, line.terms, line.slope, line.rest_of_model]),
            )
            for line in all_lines
        ],
    }


CHOICE_FIELDS = ("largest", "usual", "values")
"""The fields of a template that describe the common sizes."""


def _without_trailing_zeros(numbers: list[Any]) -> list[Any]:
    """The numbers without trailing zeros; at least one number must not be zero."""
    return numbers if numbers[-1] else _without_trailing_zeros(numbers[:-1])


def part_rows(parts: Iterable[PartCosts]) -> list[dict[str, Any]]:
    """The costs of parts as data for JSON, without false fields and costs of zero.

    In `percentage_cost`, a cost of zero is kept, because a missing cost means that the search tries no percentage of
    the part.
    """
    return [
        {
            key: value
            for key, value in part._asdict().items()
            if value or (key == "percentage_cost" and value is not None)
        }
        for part in parts
    ]


def _term(term: SumTerm) -> tuple[str, str, int]:
    """The wording, the page and the number of a term; a total that is only quoted has no page."""
    if not term.model:
        return f"the quoted {term.number // 10**6}M", "", term.number
    title = title_of(model_named(term.model))
    if term.part:
        return f"{words.in_words(term.part)} of {title}", pages.of_part(term.part), term.number
    return f"{title} ({term.model_class})", pages.of_model(term.model), term.number
