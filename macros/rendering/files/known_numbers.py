"""The space of known numbers as `data/known-numbers.js`, which `docs/assets/explaining/known-numbers.js` reads.

A set of forms mostly changes a total by what its parts do, so only what
it adds to that is exported: nothing, for most. What a group of classes has in
common, above all its sets, stands once.

What is looked up as it stands is exported with it, in rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from macros.counting import load_models, load_relatives, model_named
from macros.counting.search.changed_lines import ChangedLine
from macros.counting.search.entries import Counted, Entry, Term
from macros.counting.search.known_numbers import Names, Space

from ..components import pages, words
from ..components.asking import title_of

MISSING = "x"
"""Stands for the total of a set that one space lacks and another one of its group has."""


def packed(found: Iterable[Space]) -> dict[str, Any]:
    """Spaces as JSON can hold them.

    Returns:
        costs: what each form costs.
        groups: the classes that count alike, and their sets of forms, separated by commas; a set is the places
            in `costs`, separated by spaces.
        spaces: the models, the place of the group, the cost of the right total and of any other besides its
            forms; and, in `totals`, for each set of the group what its total exceeds the expected one by, where
            that is not zero. Expected is the sum of the totals of all but the last and all but the first of its
            forms, less that of all but both; of the empty set, nothing. In `slopes`, by letter, for each set what
            one more of a size adds, where that is told; what follows the last set of which it is, is left out.
    """
    listed = list(found)
    costs = {name: cost for each in listed for name, cost in each.forms.items()}
    places = {name: str(place) for place, name in enumerate(costs)}
    groups: dict[tuple[Names, Names], list[Names]] = {}
    for each in listed:
        group = groups.setdefault(_group(each), [])
        group += each.numbers.keys() - group
    for (_, names), sets in groups.items():
        sets.sort(key=partial(_order, names))
    return {
        "costs": costs,
        "groups": [
            {"classes": classes, "sets": ",".join(" ".join(places[name] for name in made) for made in sets)}
            for (classes, _), sets in groups.items()
        ],
        "spaces": [
            {
                "models": each.models,
                "group": list(groups).index(_group(each)),
                "cost": each.cost,
                "deviating": each.deviating,
                "totals": ",".join(_excess(each.numbers, made) for made in groups[_group(each)]),
                "slopes": {
                    letter: ",".join(str(found.get(made, "")) for made in groups[_group(each)]).rstrip(",")
                    for letter, found in each.slopes.items()
                },
            }
            for each in listed
        ],
    }


def _group(space: Space) -> tuple[Names, Names]:
    """The classes of a space and the forms that are tried in them, which many models have in common."""
    return space.classes, tuple(space.forms)


def _order(names: Names, made: Names) -> tuple[int, ...]:
    """The sets that a total is expected from come before it; those of one length stand as in a space."""
    return len(made), *map(names.index, made)


def _excess(numbers: Mapping[Names, int], made: Names) -> str:
    """What the total of a set exceeds the expected one by."""
    if made not in numbers:
        return MISSING
    expected = numbers[made[:-1]] + numbers[made[1:]] - numbers[made[1:-1]] if made else 0
    return str(numbers[made] - expected or "")


def rows(found: Iterable[Entry]) -> dict[str, Any]:
    """Entries as JSON can hold them.

    Returns:
        classes: their names.
        terms: the words, the page and the number of each term.
        kinds: of each kind which fields its rows have, and the rows; models are places in the exported table,
            classes in `classes`, and terms each a number of times and a place in `terms`.
    """
    listed = list(found)
    models = [*load_models(), *load_relatives()]
    classes = list(dict.fromkeys(name for each in listed for name in each.classes))
    terms = list(dict.fromkeys(term for each in listed for _, term in each.terms))
    kinds = dict.fromkeys(each.kind for each in listed)

    def packed_fields(each: Entry) -> dict[str, Any]:
        named = {"models": [*map(models.index, each.models)], "classes": [*map(classes.index, each.classes)]}
        printed = [dict(zip(("source", "low", "high"), one, strict=True)) for one in each.printed_in]
        summed = [(times, terms.index(term)) for times, term in each.terms]
        return each._asdict() | named | {"printed_in": printed, "terms": summed}

    for kind in kinds:
        fields = [packed_fields(each) for each in listed if each.kind == kind]
        used = [key for key in fields[0] if key != "kind" and any(each[key] not in ("", (), []) for each in fields)]
        kinds[kind] = {"fields": used, "rows": [[each[key] for key in used] for each in fields]}
    return {"classes": classes, "terms": list(map(_term, terms)), "kinds": kinds}


def lines(found: Iterable[ChangedLine]) -> dict[str, Any]:
    """Lines of changed models as JSON can hold them.

    Returns:
        choices: what people choose for a change.
        forms: what else lines have in common, without what says nothing; `chosen` is a place in `choices`.
        classes: their names.
        lines: each the place of its form, those of its models in the exported table and of its class, and its numbers,
            without zeros at the end.
    """
    listed = list(found)
    models = [*load_models(), *load_relatives()]
    forms = list(dict.fromkeys(each.form for each in listed))
    classes = list(dict.fromkeys(each.model_class for each in listed))
    choices = list(dict.fromkeys((each.most, each.usual, each.values) for each in forms if each.most))
    nothing = ("", (), 0, (0, 0))
    said = [{key: value for key, value in each._asdict().items() if value not in nothing} for each in forms]
    for form, fields in zip(forms, said, strict=True):
        if form.most:
            fields["chosen"] = choices.index(tuple(fields.pop(key, ()) for key in CHOSEN))
    return {
        "choices": [dict(zip(CHOSEN, each, strict=True)) for each in choices],
        "forms": said,
        "classes": classes,
        "lines": [
            (forms.index(form), [*map(models.index, names)], classes.index(name), *_cut(numbers))
            for form, names, name, *numbers in listed
        ],
    }


CHOSEN = ("most", "usual", "values")
"""The fields of a form that say what people choose."""


def _cut(numbers: list[Any]) -> list[Any]:
    """Numbers without zeros at the end."""
    return numbers if numbers[-1] else _cut(numbers[:-1])


def part_rows(found: Iterable[Counted]) -> list[dict[str, Any]]:
    """How each part is counted, without what says nothing: costs of zero, and what is not so."""
    return [
        {key: value for key, value in each._asdict().items() if value or (key == "compared" and value is not None)}
        for each in found
    ]


def _term(term: Term) -> tuple[str, str, int]:
    """The words, the page and the number of a term."""
    if not term.model:
        return f"the quoted {term.number // 10**6}M", "", term.number
    title = title_of(model_named(term.model))
    if term.part:
        return f"{words.in_words(term.part)} of {title}", pages.of_part(term.part), term.number
    return f"{title} ({term.model_class})", pages.of_model(term.model), term.number
