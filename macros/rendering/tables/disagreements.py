"""Macros of the pages about why numbers differ: conventions, mistakes, look-alike counts, and the cost of one more.

Conventions and mistakes are the deviations of the engine's data files. Look-alike counts are sought among all parts of
a model, so they need no list.
"""

from __future__ import annotations

import re
from html import escape
from itertools import combinations, groupby

from macros.counting import BERT, Question, model_named
from macros.counting.deviations import KINDS, MISTAKE, MOST_COMMON, Deviation, load_deviations
from macros.counting.errors import entry_of
from macros.counting.published.bridges import bridge
from macros.counting.published.conventions import load_conventions
from macros.counting.question import class_on_pages, effect
from macros.counting.search.parts import Part, parts

from ..components import formulas, numbers, pages, words
from ..components.asking import BASE, SHORT_NAMES, ask, of_both
from ..components.rows import lines
from ..components.tables import code


def total(convention: str, model: str = BASE, figures: int = 0) -> str:
    """The total of a model by a convention: `total("without pooler")`; `figures=3` gives millions, rounded.

    Raises:
        CountingError: there is no convention of that name.
    """
    question = entry_of(load_conventions(), "convention", convention).question(model_named(model))
    if not figures:
        return numbers.deviating_number(question, convention)
    attributes = {"model": model, "class": question.model_class, "deviations": " ".join(question.deviations)}
    return numbers.rounded_millions(question.number, figures, numbers.in_lines(question), **attributes)


def name(convention: str) -> str:
    """The name of a convention, and the class below it if that is not `BertModel`.

    Raises:
        CountingError: there is no convention of that name.
    """
    return escape(convention) + _class_line(entry_of(load_conventions(), "convention", convention).model_class)


def printed_by(convention: str) -> str:
    """The tools that print the number of a convention, as Markdown.

    Raises:
        CountingError: there is no convention of that name.
    """
    return escape(entry_of(load_conventions(), "convention", convention).printed_by, quote=False)


def effects(kind: str, *, common: bool = False) -> str:
    """Rows for the mistakes that are not common, or for all conventions; `common=True` gives the common mistakes.

    A row has the title, the effect on the totals of BERT base and BERT large, how to notice it, and why the number
    changes; one that changes neither is left out. The mistake that changes BERT base most comes first.

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
        in_both = [numbers.deviation_effect(deviation.name, model) for model in SHORT_NAMES]
        rows.append([title_of_deviation(deviation), *in_both, escape(deviation.notice), escape(deviation.why)])
    return lines(rows, [deviation.name for deviation in deviations])


def _has_effect(name: str) -> bool:
    """Whether a deviation changes either total. It does not if it replaces a size with one that both models have."""
    return any(effect(model_named(model), name) for model in SHORT_NAMES)


def title_of_deviation(deviation: Deviation) -> str:
    """The title of a deviation, and the class below it if that is not `BertModel`."""
    return CALL.sub("(<wbr>", escape(deviation.title)) + _class_line(class_on_pages(deviation, BERT))


def _class_line(model_class: str) -> str:
    """A line below a title that names the class; empty for `BertModel`, which the pages count if they name none."""
    return "" if model_class == "BertModel" else f"<br>{code(model_class)}"


CALL = re.compile(r"\((?=\w)")
"""The point at which a call with arguments may be broken, because it can be too long for a narrow column."""


def wrong_totals() -> str:
    """Rows for the most common deviations, with the totals that they lead to.

    A row has the title, linked to the deviation, the totals of BERT base and BERT large, and why the number changes.
    """
    rows = []
    for deviation in load_deviations().values():
        if deviation.rarity != MOST_COMMON:
            continue
        question = ask(model_class=class_on_pages(deviation, BERT))._replace(deviations=(deviation.name,))
        link = f'<a href="{pages.ROOT}{pages.of_deviation(deviation.name)}">{title_of_deviation(deviation)}</a>'
        totals = [numbers.deviating_number(one_question, deviation.title) for one_question in of_both(question)]
        rows.append([link, *totals, escape(deviation.why)])
    return lines(rows)


Counts = list[tuple[int, str, Part]]
"""Parts, each as a triple: its count, a class that has it, and the part itself."""


def _counts(model: str) -> Counts:
    """The parts of a model that have a single path and are large enough to mislead, the smallest first."""
    parts_with_one_path = [
        (model_class, part) for model_class, part in parts() if not part.share and ", " not in part.path
    ]
    counts = [
        (ask(part.path, part.tag, model, model_class).number, model_class, part)
        for model_class, part in parts_with_one_path
    ]
    return sorted((entry for entry in counts if entry[0] >= SMALLEST_COUNT), key=lambda entry: entry[0])


SMALLEST_COUNT = 50_000
"""The smallest count that can mislead. Below it are counts of vectors: many are equal, and nobody confuses them."""

NEARNESS = 2_000
"""Two counts are easily confused if they differ by less than the smaller one divided by this number."""


def _kind(part: Part) -> str:
    """The kind of a part, which its siblings share: its path without the last component, and its tag.

    So query, key and value are of one kind, and one layer is of the same kind as all layers.
    """
    return part.path.replace("layer_*", "layer_0").rpartition("/")[0] + part.tag


def _is_nested(first: Part, second: Part) -> bool:
    """Whether one of two parts lies within the other, in which case similar counts are no coincidence."""
    return any(
        f"{inner.path}/".startswith(f"{outer.path}/") and outer.tag in ("", inner.tag)
        for inner, outer in ((first, second), (second, first))
    )


def coincidences() -> str:
    """Rows for counts that different parts of BERT base share: the count, and the parts that have it."""
    groups = [list(group) for _, group in groupby(_counts(BASE), key=lambda entry: entry[0])]
    return lines(_alternatives(group) for group in reversed(groups) if len({_kind(part) for *_, part in group}) > 1)


def _alternatives(group: Counts) -> list[str]:
    """Two cells: a count, and all the parts that have it."""
    _, model_class, first = group[0]
    question = ask(first.path, first.tag, BASE, model_class)
    return [numbers.parameters(question), "; ".join(dict.fromkeys(words.as_path(part) for *_, part in group))]


def near_misses() -> str:
    """Rows for pairs of counts in BERT base that are easily confused: each count with the parts that have it."""
    pairs: dict[tuple[int, int], tuple[Counts, Counts]] = {}
    for smaller, larger in combinations(_counts(BASE), 2):
        (smaller_count, _, smaller_part), (larger_count, _, larger_part) = smaller, larger
        is_near = 0 < (larger_count - smaller_count) * NEARNESS < smaller_count
        if is_near and not _is_nested(smaller_part, larger_part):
            smaller_entries, larger_entries = pairs.setdefault((smaller_count, larger_count), ([], []))
            smaller_entries.append(smaller)
            larger_entries.append(larger)
    return lines([*_alternatives(smaller), *_alternatives(larger)] for smaller, larger in pairs.values())


def one_more(letter: str, model: str = BASE, model_class: str = "BertModel", *, in_letters: bool = False) -> str:
    """The parameters that one more of a size adds: `one_more("V")`; for heads, 0, even with as many as possible.

    `in_letters=True` gives the formula instead.

    Raises:
        CountingError: the model has no size of that letter.
    """
    checkpoint = model_named(model)
    size = entry_of(checkpoint.sizes, "size", letter)
    if letter == "A":
        return "" if in_letters else numbers.more_heads(model)
    if not in_letters:
        return numbers.added_by_one(letter, model, model_class)
    larger = checkpoint.resized(**{letter: size + 1})
    (step,) = bridge(Question(checkpoint, model_class), Question(larger, model_class))
    return formulas.inline(step.summands[0].polynomial)


TOPIC = {
    "conventions": tuple(load_conventions()),
    "name": name,
    "total": total,
    "printed_by": printed_by,
    "effects": effects,
    "wrong_totals": wrong_totals,
    "coincidences": coincidences,
    "near_misses": near_misses,
    "one_more": one_more,
}
"""The macros of the pages about why numbers differ, and the conventions that the pages loop over."""
