"""`data/known-numbers.js`: the numbers that the search can explain; `docs/assets/explaining/known-numbers.js` reads it.

There are too many totals to export each of them: every model, in every class, with every set of forms. (A
form is a mistake or convention, or several made together.) But the effect of a set is mostly the
sum of the effects of its forms. So for each set the file has only the difference from the total that
smaller sets lead one to expect, which for most sets is zero; and models that have the same sets share one
list of them.

The other numbers are exported as they are, in rows: `entry_rows` for entries, `line_rows` for changed
models, `part_rows` for parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from macros.counting import load_models, load_relatives, model_named
from macros.counting.search.changed_lines import ChangedLine
from macros.counting.search.entries import Entry, PartCosts, SumTerm
from macros.counting.search.known_numbers import Names, Space

from ..components import pages, words
from ..components.asking import title_of

MISSING = "x"
"""The mark in place of a total if the space lacks the set, which another space of its group has."""


def packed_spaces(spaces: Iterable[Space]) -> dict[str, Any]:
    """The spaces of totals, in a form that JSON can hold.

    Returns:
        costs: the cost of each form.
        groups: for each group, its model classes, which have the same totals, and its sets of forms. Sets are
            separated by commas, and the forms of a set, which are indexes in `costs`, by spaces.
        spaces: for each space, its models; the index of its group; `cost`, that of the correct total;
            `deviating`, the cost of any other total, not counting its forms; `totals`, for each set of the
            group by how much its total exceeds the expected one, empty for zero; and `slopes`, by letter, for
            each set what one more of a size adds, empty if unknown, up to the last set that has one. The
            expected total of a set is the total of all its forms but the last, plus that of all but the
            first, minus that of all but these two; for the empty set it is zero.
    """
    entries = list(spaces)
    costs = {form: cost for space in entries for form, cost in space.forms.items()}
    indexes = {form: str(index) for index, form in enumerate(costs)}
    groups: dict[tuple[Names, Names], list[Names]] = {}
    for space in entries:
        sets = groups.setdefault(_group(space), [])
        sets += space.numbers.keys() - sets
    for (_, forms), sets in groups.items():
        sets.sort(key=partial(_order, forms))
    return {
        "costs": costs,
        "groups": [{"classes": classes, "sets": _sets(sets, indexes)} for (classes, _), sets in groups.items()],
        "spaces": [
            {
                "models": space.models,
                "group": list(groups).index(_group(space)),
                **_numbers(space, groups[_group(space)]),
            }
            for space in entries
        ],
    }


def _sets(sets: Iterable[Names], indexes: Mapping[str, str]) -> str:
    """The sets of a group as text, each form as its index."""
    return ",".join(" ".join(indexes[form] for form in form_set) for form_set in sets)


def _numbers(space: Space, sets: Iterable[Names]) -> dict[str, Any]:
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


def _group(space: Space) -> tuple[Names, Names]:
    """The key of the group of a space: its classes and its forms, which many models have in common."""
    return space.classes, tuple(space.forms)


def _order(forms: Names, form_set: Names) -> tuple[int, ...]:
    """The sort key of a set: its length, so that smaller sets come before it, and then the order of its forms."""
    return len(form_set), *map(forms.index, form_set)


def _excess(numbers: Mapping[Names, int], form_set: Names) -> str:
    """The total of a set minus the expected one, as text; empty for zero, and `MISSING` if the space lacks the set."""
    if form_set not in numbers:
        return MISSING
    expected = numbers[form_set[:-1]] + numbers[form_set[1:]] - numbers[form_set[1:-1]] if form_set else 0
    return str(numbers[form_set] - expected or "")


def entry_rows(entries: Iterable[Entry]) -> dict[str, Any]:
    """Entries, in a form that JSON can hold.

    Returns:
        classes: the names of their model classes.
        terms: the words, the page and the number of each term.
        kinds: for each kind of entry, the fields of its rows, and the rows. A model is its index in the
            exported table, a class its index in `classes`, and a term how often it counts, with its index
            in `terms`.
    """
    all_entries = list(entries)
    models = [*load_models(), *load_relatives()]
    classes = list(dict.fromkeys(name for entry in all_entries for name in entry.classes))
    terms = list(dict.fromkeys(term for entry in all_entries for _, term in entry.terms))
    kinds = dict.fromkeys(entry.kind for entry in all_entries)

    def with_indexes(entry: Entry) -> dict[str, Any]:
        """The fields of an entry, with indexes for names."""
        return entry._asdict() | {
            "models": [*map(models.index, entry.models)],
            "classes": [*map(classes.index, entry.classes)],
            "printed_in": [dict(zip(("source", "low", "high"), record, strict=True)) for record in entry.printed_in],
            "terms": [(times, terms.index(term)) for times, term in entry.terms],
        }

    for kind in kinds:
        records = [with_indexes(entry) for entry in all_entries if entry.kind == kind]
        # A field that is empty in all rows of a kind is left out.
        fields = [
            key for key in records[0] if key != "kind" and any(record[key] not in ("", (), []) for record in records)
        ]
        kinds[kind] = {"fields": fields, "rows": [[record[key] for key in fields] for record in records]}
    return {"classes": classes, "terms": list(map(_term, terms)), "kinds": kinds}


def line_rows(changed_lines: Iterable[ChangedLine]) -> dict[str, Any]:
    """Lines of changed models, in a form that JSON can hold.

    Returns:
        choices: the sizes that people choose for a change, once for all forms that share them.
        forms: the other fields that lines have in common, without empty ones; `chosen` is an index in
            `choices`.
        classes: the names of their model classes.
        lines: for each line, the index of its form, those of its models in the exported table, that of its
            class, and its numbers without zeros at the end.
    """
    all_lines = list(changed_lines)
    models = [*load_models(), *load_relatives()]
    forms = list(dict.fromkeys(line.form for line in all_lines))
    classes = list(dict.fromkeys(line.model_class for line in all_lines))
    choices = list(dict.fromkeys((form.largest, form.usual, form.values) for form in forms if form.largest))
    empty_values = ("", (), 0, (0, 0))
    records = [{key: value for key, value in form._asdict().items() if value not in empty_values} for form in forms]
    for form, record in zip(forms, records, strict=True):
        if form.largest:
            record["chosen"] = choices.index(tuple(record.pop(key, ()) for key in CHOICE_FIELDS))
    return {
        "choices": [dict(zip(CHOICE_FIELDS, choice, strict=True)) for choice in choices],
        "forms": records,
        "classes": classes,
        "lines": [
            (forms.index(form), [*map(models.index, names)], classes.index(name), *_without_last_zeros(numbers))
            for form, names, name, *numbers in all_lines
        ],
    }


CHOICE_FIELDS = ("largest", "usual", "values")
"""The fields of a form that say which sizes people choose."""


def _without_last_zeros(numbers: list[Any]) -> list[Any]:
    """The numbers without the zeros at their end; at least one must not be zero."""
    return numbers if numbers[-1] else _without_last_zeros(numbers[:-1])


def part_rows(parts: Iterable[PartCosts]) -> list[dict[str, Any]]:
    """The counts of parts, in a form that JSON can hold, without costs of zero and without fields that are false.

    `compared` keeps its zero, because there a missing cost means that nobody compares the part with the
    model.
    """
    return [
        {key: value for key, value in part._asdict().items() if value or (key == "compared" and value is not None)}
        for part in parts
    ]


def _term(term: SumTerm) -> tuple[str, str, int]:
    """The words, the page and the number of a term; a total that is only quoted has no page."""
    if not term.model:
        return f"the quoted {term.number // 10**6}M", "", term.number
    title = title_of(model_named(term.model))
    if term.part:
        return f"{words.in_words(term.part)} of {title}", pages.of_part(term.part), term.number
    return f"{title} ({term.model_class})", pages.of_model(term.model), term.number
