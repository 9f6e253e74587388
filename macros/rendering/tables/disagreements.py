"""Why numbers differ: rows and numbers for tables of conventions, mistakes, coincidences and what one more costs."""

from __future__ import annotations

import re
from html import escape
from itertools import combinations, groupby

from macros.counting import BERT, Question, load_models, model_named
from macros.counting.deviations import KINDS, Deviation, load_deviations
from macros.counting.errors import entry_of
from macros.counting.models import COURSE
from macros.counting.published.bridges import bridge
from macros.counting.published.conventions import load_conventions
from macros.counting.question import class_shown, effect
from macros.counting.search.parts import Part, parts

from ..components import formulas, numbers, pages, words
from ..components.asking import BASE, SHORT, ask, of_both
from ..components.rows import lines
from ..components.tables import code


def total(convention: str, model: str = BASE, figures: int = 0) -> str:
    """What a convention counts of a model: `total("without pooler")`; `figures=3` gives millions, rounded."""
    asked = entry_of(load_conventions(), "convention", convention).question(model_named(model))
    if not figures:
        return numbers.deviating(asked, convention)
    question = {"model": model, "class": asked.model_class, "deviations": " ".join(asked.deviations)}
    return numbers.rounded(asked.number, figures, numbers.in_lines(asked), **question)


def printed_by(convention: str) -> str:
    """Who counts by a convention, in Markdown."""
    return escape(entry_of(load_conventions(), "convention", convention).printed_by, quote=False)


def effects(kind: str) -> str:
    """Every mistake or convention, by its effect on the totals.

    A row has its title, its effect on base and on large, how to notice it, and why the number changes.
    """
    entry_of(dict.fromkeys(KINDS), "kind of deviation", kind)
    chosen = [each for each in load_deviations().values() if each.kind == kind and _effects(each.name)]
    rows = []
    for each in chosen:
        in_both = [numbers.deviation_effect(each.name, model) for model in SHORT]
        rows.append([_title(each), *in_both, escape(each.notice), escape(each.why)])
    return lines(rows, [each.name for each in chosen])


def _effects(name: str) -> bool:
    """Whether a deviation changes base or large; taking the vocabulary of base itself does not."""
    return any(effect(model_named(model), name) for model in SHORT)


def _title(deviation: Deviation) -> str:
    """What is done, and in which class if not in BertModel."""
    shown = class_shown(deviation, BERT)
    chosen = "" if shown == "BertModel" else f"<br>{code(shown)}"
    return CALL.sub("(<wbr>", escape(deviation.title)) + chosen


CALL = re.compile(r"\((?=\w)")
"""Where a call with arguments may be broken, which is longer than a narrow column is wide."""


def wrong_totals() -> str:
    """The deviations that people make most, by the total that each leads to.

    A row has its title, which links to it, the totals of base and of large, and why the number changes.
    """
    rows = []
    for each in (each for each in load_deviations().values() if each.usual == 1):
        asked = ask(model_class=class_shown(each, BERT))._replace(deviations=(each.name,))
        link = f'<a href="{pages.ROOT}{pages.of_deviation(each.name)}">{_title(each)}</a>'
        totals = [numbers.deviating(of_one, each.title) for of_one in of_both(asked)]
        rows.append([link, *totals, escape(each.why)])
    return lines(rows)


Counts = list[tuple[int, str, Part]]
"""Parts, each with its count and a class that has it."""


def _counts(model: str) -> Counts:
    """Every part of a model that has one path and is large enough to mislead, the smallest first."""
    alone = [(each, part) for each, part in parts() if not part.share and ", " not in part.path]
    known = [(ask(part.path, part.tag, model, each).number, each, part) for each, part in alone]
    return sorted((each for each in known if each[0] >= LEAST), key=lambda each: each[0])


LEAST = 50_000
"""Counts below this are those of vectors: many are equal, and none misleads anybody."""

NEAR = 2_000
"""Counts that differ by less than one part in this many are easily confused."""


def _kind(part: Part) -> str:
    """A part without its layer and its last step: query, key and value are of one kind."""
    return part.path.replace("layer_*", "layer_0").rpartition("/")[0] + part.tag


def _holds(one: Part, other: Part) -> bool:
    """Whether one part lies within the other, so that similar counts are no coincidence."""
    return any(f"{a.path}/".startswith(f"{b.path}/") and b.tag in ("", a.tag) for a, b in ((one, other), (other, one)))


def coincidences() -> str:
    """Different parts of base with the same count: the count, and the parts."""
    groups = [list(group) for _, group in groupby(_counts(BASE), key=lambda each: each[0])]
    return lines(_alternatives(group) for group in reversed(groups) if len({_kind(part) for *_, part in group}) > 1)


def _alternatives(group: Counts) -> list[str]:
    """A count, and all the parts that have it."""
    _, model_class, first = group[0]
    asked = ask(first.path, first.tag, BASE, model_class)
    return [numbers.counted(asked), "; ".join(dict.fromkeys(words.as_path(part) for *_, part in group))]


def near_misses() -> str:
    """Different parts of base with counts that are easily confused: each count, and the parts that have it."""
    pairs: dict[tuple[int, int], tuple[Counts, Counts]] = {}
    for one, other in combinations(_counts(BASE), 2):
        if 0 < (other[0] - one[0]) * NEAR < one[0] and not _holds(one[2], other[2]):
            low, high = pairs.setdefault((one[0], other[0]), ([], []))
            low.append(one)
            high.append(other)
    return lines([*_alternatives(low), *_alternatives(high)] for low, high in pairs.values())


def one_more(letter: str, model: str = BASE, model_class: str = "BertModel", *, in_letters: bool = False) -> str:
    """What one more of a size adds to a total: `one_more("V")`; of heads, as many more as there can be.

    `in_letters=True` gives the formula instead.
    """
    of = model_named(model)
    size = entry_of(of.sizes, "size", letter)
    if letter == "A":
        return "" if in_letters else numbers.more_heads(model)
    if not in_letters:
        return numbers.marginal(letter, model, model_class)
    more = of.resized(**{letter: size + 1})
    (step,) = bridge(Question(of, model_class), Question(more, model_class))
    return formulas.inline(step.summands[0].letters)


TOPIC = {
    "conventions": tuple(load_conventions()),
    "checkpoints": tuple(each.name for each in load_models().values() if each.group != COURSE),
    "total": total,
    "printed_by": printed_by,
    "effects": effects,
    "wrong_totals": wrong_totals,
    "coincidences": coincidences,
    "near_misses": near_misses,
    "one_more": one_more,
}
"""What pages about other numbers need; `checkpoints` are the models that somebody published."""
