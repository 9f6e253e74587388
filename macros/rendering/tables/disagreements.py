"""Tables about why numbers differ: conventions, mistakes, roundings, coincidences, what one more costs."""

from __future__ import annotations

import re
from html import escape
from itertools import combinations, groupby

from macros.counting import BERT, Question, load_models, model_named
from macros.counting.deviations import Deviation, load_deviations
from macros.counting.disagreements.bridges import bridge
from macros.counting.disagreements.conventions import load_conventions
from macros.counting.disagreements.parts import Part, parts
from macros.counting.models import COURSE
from macros.counting.question import class_shown, effect

from ..elements import formulas, numbers, pages, words
from ..elements.asking import BASE, SHORT, ask, of_both
from ..elements.tables import BASE_AND_LARGE, NUMERIC, PROSE, Column, code, numeric, table


def counted(asked: Question, how: str = "") -> str:
    """The answer to a question, as a number on a page; `how` explains it in brief."""
    how = how or "\n".join(each.title for each in asked.deviation_values)
    return numbers.deviating(asked, how)


def conventions(name: str) -> str:
    """Every convention by every published checkpoint."""
    known = load_conventions()
    columns = [Column("checkpoint"), *numeric(*known)]
    rows = [
        [code(model.name), *(counted(each.question(model), heading) for heading, each in known.items())]
        for model in load_models().values()
        if model.group != COURSE
    ]
    return table(name, "Every checkpoint under every convention", columns, rows)


def printed_by(name: str) -> str:
    """Who counts by which convention, with base and large."""
    columns = [Column("convention"), *BASE_AND_LARGE, Column("where you see it", PROSE)]
    rows = [
        [escape(heading), *map(counted, of_both(each.question(model_named(BASE)))), _with_code(each.printed_by)]
        for heading, each in load_conventions().items()
    ]
    return table(name, "Where each number comes from", columns, rows)


def _with_code(text: str) -> str:
    """Text as HTML, what stands between backticks as code."""
    return re.sub("`(.+?)`", r"<code>\1</code>", escape(text, quote=False))


def roundings(name: str) -> str:
    """Every convention in three figures and in two."""
    headings = [f"{short}{what}" for short in SHORT.values() for what in ("", ", 3 figures", ", 2 figures")]
    rows = []
    for heading, each in load_conventions().items():
        cells = [escape(heading)]
        for asked in of_both(each.question(model_named(BASE))):
            question = {"model": asked.model.name, "class": each.model_class, "deviations": " ".join(each.deviations)}
            working = numbers.in_lines(asked)
            cells += [
                counted(asked),
                *(numbers.rounded(asked.number, figures, working, **question) for figures in (3, 2)),
            ]
        rows.append(cells)
    return table(name, "What each way of counting rounds to", [Column("way of counting"), *numeric(*headings)], rows)


def mistakes(name: str) -> str:
    """Every mistake with its effect on base and large, and how to notice it."""
    return _list(name, "mistake", "How much each mistake changes the total")


def convention_effects(name: str) -> str:
    """Every convention with its effect on base and large."""
    return _list(name, "convention", "How much each convention changes the total")


def _list(name: str, kind: str, caption: str) -> str:
    columns = [
        Column(kind, PROSE),
        *BASE_AND_LARGE,
        Column("how to notice it", PROSE),
        Column("why the number changes", PROSE),
    ]
    chosen = [each for each in load_deviations().values() if each.kind == kind and _effects(each.name)]
    rows = []
    for each in chosen:
        effects = [numbers.deviation_effect(each.name, model) for model in SHORT]
        rows.append([_title(each), *effects, escape(each.notice), escape(each.why)])
    return table(name, caption, columns, rows, row_ids=[each.name for each in chosen])


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


def wrong_totals(name: str) -> str:
    """The totals that common deviations lead to."""
    columns = [Column("what is done differently", PROSE), *BASE_AND_LARGE, Column("why the number changes", PROSE)]
    rows = []
    for each in (each for each in load_deviations().values() if each.usual == 1):
        asked = ask(model_class=class_shown(each, BERT))._replace(deviations=(each.name,))
        link = f'<a href="{pages.ROOT}{pages.of_deviation(each.name)}">{_title(each)}</a>'
        rows.append([link, *map(counted, of_both(asked)), escape(each.why)])
    return table(name, "Totals of base and large that people often get instead", columns, rows)


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


def coincidences(name: str) -> str:
    """Different parts of base with the same count."""
    columns = [Column("count", NUMERIC), Column("parts of this size", PROSE)]
    groups = [list(group) for _, group in groupby(_counts(BASE), key=lambda each: each[0])]
    rows = [_alternatives(group) for group in reversed(groups) if len({_kind(part) for *_, part in group}) > 1]
    return table(name, "Parts of BERT base with the same count", columns, rows)


def _alternatives(group: Counts) -> list[str]:
    """A count, and all the parts that have it."""
    _, model_class, first = group[0]
    asked = ask(first.path, first.tag, BASE, model_class)
    return [numbers.counted(asked), "; ".join(dict.fromkeys(words.as_path(part) for *_, part in group))]


def near_misses(name: str) -> str:
    """Different parts of base with counts that are easily confused."""
    part = Column("part", PROSE)
    columns = [Column("count", NUMERIC), part, Column("count that looks like it", NUMERIC), part]
    pairs: dict[tuple[int, int], tuple[Counts, Counts]] = {}
    for one, other in combinations(_counts(BASE), 2):
        if 0 < (other[0] - one[0]) * NEAR < one[0] and not _holds(one[2], other[2]):
            low, high = pairs.setdefault((one[0], other[0]), ([], []))
            low.append(one)
            high.append(other)
    rows = [[*_alternatives(low), *_alternatives(high)] for low, high in pairs.values()]
    return table(name, "Counts in BERT base that look alike but differ", columns, rows)


ONE_MORE = {
    "V": ("token", ("BertModel", "BertForPreTraining")),
    "P": ("position", ("BertModel",)),
    "S": ("segment", ("BertModel",)),
    "L": ("layer", ("BertModel",)),
    "F": ("inner unit of the feed-forward network in every layer", ("BertModel",)),
    "C": ("label", ("BertForSequenceClassification",)),
}
"""What may be one more, by letter, and the classes it is counted in.

A head changes nothing, and the width must stay a multiple of the heads.
"""


def marginal(name: str) -> str:
    """What one more of each size costs."""
    columns = [Column("one more"), *BASE_AND_LARGE, Column("formula"), Column("class")]
    rows = []
    for letter, (what, classes) in ONE_MORE.items():
        for chosen in classes:
            cells = [numbers.marginal(letter, model, chosen) for model in SHORT]
            rows.append([what, *cells, _per_unit(letter, chosen), code(chosen)])
    heads = [numbers.more_heads(model) for model in SHORT]
    rows.append(["head, if the number of heads still divides H", *heads, "", code("BertModel")])
    return table(name, "What one more costs", columns, rows)


def _per_unit(letter: str, model_class: str) -> str:
    """The formula of one more: what stands beside the letter."""
    model = model_named(BASE)
    more = model.resized(**{letter: model.sizes[letter] + 1})
    (step,) = bridge(Question(model, model_class), Question(more, model_class))
    return formulas.inline(step.summands[0].letters)
