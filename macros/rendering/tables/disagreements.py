"""Macros for the pages about why numbers differ.

These pages are about conventions and mistakes, which are the deviations in the engine's data files; about look-alike
counts, which this module finds by comparing all parts of a model; and about the parameters that one more token, layer
or label adds.
"""

from __future__ import annotations

import re
from html import escape
from itertools import combinations, groupby
from operator import itemgetter

from macros.counting import BERT, model_named
from macros.counting.deviations import KINDS, MISTAKE, MOST_COMMON, Deviation, load_deviations
from macros.counting.errors import entry_of
from macros.counting.published.conventions import load_conventions
from macros.counting.question import class_on_pages, effect
from macros.counting.search.parts import Part, parts

from ..components import formulas, numbers, pages, words
from ..components.asking import BASE, SHORT_NAMES, ask, questions_about_both
from ..components.rows import lines
from ..components.tables import code


def convention_total(convention: str, model: str = BASE, figures: int = 0) -> str:
    """The total of a model under a convention: `total("without pooler")`; `figures=3` rounds it, in millions.

    Raises:
        CountingError: there is no convention with that name.
    """
    question = entry_of(load_conventions(), "convention", convention).question(model_named(model))
    if not figures:
        return numbers.deviating_number(question, convention)
    attributes = {"model": model, "class": question.model_class, "deviations": " ".join(question.deviations)}
    return numbers.rounded_millions(question.number, figures, numbers.in_brief(question), **attributes)


def convention_name(convention: str) -> str:
    """The name of a convention, followed by the class on a new line unless it is `BertModel`.

    Raises:
        CountingError: there is no convention with that name.
    """
    return escape(convention) + _class_line(entry_of(load_conventions(), "convention", convention).model_class)


def printed_by(convention: str) -> str:
    """The tools that print the total under a convention, as Markdown.

    Raises:
        CountingError: there is no convention with that name.
    """
    return escape(entry_of(load_conventions(), "convention", convention).printed_by, quote=False)


def effect_rows(kind: str, *, common: bool = False) -> str:
    """Rows for all conventions, for the common mistakes (`common=True`) or for all other mistakes.

    A row has the title, the effects on the totals of BERT base and BERT large, how to notice the deviation, and why it
    changes the number. Deviations without an effect on either model are left out. Mistakes are sorted by their effect
    on BERT base, largest first.

    Raises:
        CountingError: `kind` is not in `KINDS`.
    """
    entry_of(dict.fromkeys(KINDS), "kind of deviation", kind)
    deviations = [
        deviation for deviation in load_deviations().values() if deviation.kind == kind and _has_effect(deviation.name)
    ]
    if kind == MISTAKE:
        deviations = [mistake for mistake in deviations if (mistake.rarity == MOST_COMMON) == common]
        deviations.sort(key=lambda mistake: -abs(effect(model_named(BASE), mistake.name)))
    rows = []
    for deviation in deviations:
        amounts = [numbers.deviation_effect(deviation.name, model) for model in SHORT_NAMES]
        rows.append([title_of_deviation(deviation), *amounts, escape(deviation.notice), escape(deviation.why)])
    return lines(rows, [deviation.name for deviation in deviations])


def _has_effect(name: str) -> bool:
    """Whether a deviation changes either total, unlike a wrong size that both models happen to have."""
    return any(effect(model_named(model), name) for model in SHORT_NAMES)


def title_of_deviation(deviation: Deviation) -> str:
    """The title of a deviation, followed by the class on a new line unless it is `BertModel`."""
    return CALL_BREAK.sub("(<wbr>", escape(deviation.title)) + _class_line(class_on_pages(deviation, BERT))


def _class_line(model_class: str) -> str:
    """A line break and the name of a class; empty for `BertModel`, the default on pages."""
    return "" if model_class == "BertModel" else f"<br>{code(model_class)}"


CALL_BREAK = re.compile(r"\((?=\w)")
"""Matches the point at which a call with arguments can break, because it may be too long for a narrow column."""


def common_total_rows() -> str:
    """Rows for the most common deviations.

    A row has the title, linked to the deviation, the resulting totals of BERT base and BERT large, and the reason why
    the number changes.
    """
    rows = []
    for deviation in load_deviations().values():
        if deviation.rarity != MOST_COMMON:
            continue
        question = ask(model_class=class_on_pages(deviation, BERT))._replace(deviations=(deviation.name,))
        link = f'<a href="{pages.ROOT}{pages.of_deviation(deviation.name)}">{title_of_deviation(deviation)}</a>'
        totals = [
            numbers.deviating_number(deviating_question, deviation.title)
            for deviating_question in questions_about_both(question)
        ]
        rows.append([link, *totals, escape(deviation.why)])
    return lines(rows)


CountsOfParts = list[tuple[int, str, Part]]
"""Triples of a count, a class that has a part with this count, and the part."""


def _counts_of_base() -> CountsOfParts:
    """The counts of BERT base's parts with a single path that are large enough to be confused, smallest first."""
    parts_with_one_path = [
        (model_class, part) for model_class, part in parts() if not part.share and ", " not in part.path
    ]
    counts = [
        (ask(part.path, part.tag, BASE, model_class).number, model_class, part)
        for model_class, part in parts_with_one_path
    ]
    return sorted((triple for triple in counts if triple[0] >= SMALLEST_COUNT), key=itemgetter(0))


SMALLEST_COUNT = 50_000
"""The smallest count that is considered. Many smaller counts are equal by design, such as those of vectors."""

NEARNESS = 2_000
"""Two counts are considered easy to confuse if they differ by less than the smaller one divided by this number."""


def _kind(part: Part) -> str:
    """The kind of a part, which its siblings share: its path without the last component, and its tag.

    For example, query, key and value are of the same kind, and so are one layer and all layers.
    """
    return part.path.replace("layer_*", "layer_0").rpartition("/")[0] + part.tag


def _is_nested(first: Part, second: Part) -> bool:
    """Whether one of two parts contains the other, in which case similar counts are not a coincidence."""
    return any(
        f"{inner.path}/".startswith(f"{outer.path}/") and outer.tag in ("", inner.tag)
        for inner, outer in ((first, second), (second, first))
    )


def coincidence_rows() -> str:
    """Rows for counts that unrelated parts of BERT base share: the count and the parts with this count."""
    groups = [list(group) for _, group in groupby(_counts_of_base(), key=itemgetter(0))]
    return lines(_count_and_parts(group) for group in reversed(groups) if len({_kind(part) for *_, part in group}) > 1)


def _count_and_parts(group: CountsOfParts) -> list[str]:
    """Two cells: a count and all parts with this count."""
    _, model_class, first = group[0]
    question = ask(first.path, first.tag, BASE, model_class)
    return [numbers.parameters(question), "; ".join(dict.fromkeys(words.as_path(part) for *_, part in group))]


def near_miss_rows() -> str:
    """Rows for pairs of counts in BERT base that are easy to confuse: each count with the parts that have it."""
    pairs: dict[tuple[int, int], tuple[CountsOfParts, CountsOfParts]] = {}
    for smaller, larger in combinations(_counts_of_base(), 2):
        (smaller_count, _, smaller_part), (larger_count, _, larger_part) = smaller, larger
        is_near = 0 < (larger_count - smaller_count) * NEARNESS < smaller_count
        if is_near and not _is_nested(smaller_part, larger_part):
            smaller_entries, larger_entries = pairs.setdefault((smaller_count, larger_count), ([], []))
            smaller_entries.append(smaller)
            larger_entries.append(larger)
    return lines([*_count_and_parts(smaller), *_count_and_parts(larger)] for smaller, larger in pairs.values())


def one_more(letter: str, model: str = BASE, model_class: str = "BertModel", *, in_letters: bool = False) -> str:
    """The parameters added by increasing a size by one: `one_more("V")`.

    Heads ("A") are the exception: the number is 0, worked out for one head per feature, the maximum.
    `in_letters=True` gives the formula instead of the number; for heads, it is empty.

    Raises:
        CountingError: the model has no size with that letter.
    """
    entry_of(model_named(model).sizes, "size", letter)
    if letter == "A":
        return "" if in_letters else numbers.more_heads(model)
    if in_letters:
        return formulas.inline(numbers.formula_of_one_more(letter, model, model_class))
    return numbers.added_by_one(letter, model, model_class)


TOPIC = {
    "conventions": tuple(load_conventions()),
    "name": convention_name,
    "total": convention_total,
    "printed_by": printed_by,
    "effects": effect_rows,
    "wrong_totals": common_total_rows,
    "coincidences": coincidence_rows,
    "near_misses": near_miss_rows,
    "smallest_count": numbers.example(SMALLEST_COUNT),
    "nearness": f"{100 / NEARNESS:g}%",
    "one_more": one_more,
}
"""Macros for the pages about why numbers differ, the conventions that the pages loop over, and the limits of tables."""
