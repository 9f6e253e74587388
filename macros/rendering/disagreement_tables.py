"""Tables about why numbers differ: conventions, mistakes, roundings, coincidences, what one more costs."""

from __future__ import annotations

import re
from html import escape
from itertools import combinations, groupby

from macros.counting import count, load_models, model_named
from macros.counting.bridges import bridge
from macros.counting.explanations import Part, parts
from macros.counting.mistakes import Counted, Mistake, effect, load_mistakes, mistake_named

from . import formulas, numbers
from .asked import BASE, SHORT, Asked
from .links import ROOT
from .tables import NUMERIC, PROSE, Column, table

PRETRAINING, MASKED = "BertForPreTraining", "BertForMaskedLM"

CONVENTIONS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "BertModel": (
        "BertModel",
        (),
        (
            "<code>BertModel(config).num_parameters()</code> in transformers 5.23; "
            "<code>BertBackbone.count_params()</code> in KerasHub 0.32"
        ),
    ),
    "without pooler": (
        "BertModel",
        ("pooler-left-out",),
        (
            "<code>BertModel(config, add_pooling_layer=False)</code>; bert4keras 0.11.5 unless asked for a pooler; "
            "keras-bert 0.89 with <code>training=False</code>"
        ),
    ),
    "masked LM": (MASKED, (), "<code>BertForMaskedLM</code> in transformers 5.23 and 4.57"),
    "masked LM with pooler": (
        MASKED,
        ("pooler-kept",),
        "<code>BertForMaskedLM</code> in transformers 2.11 to 3.1; the masked-LM model of KerasHub 0.32",
    ),
    "pre-training": (
        PRETRAINING,
        (),
        (
            "<code>BertForPreTraining</code> in transformers; the trainable variables of google-research/bert's "
            "run_pretraining.py; <code>model.summary()</code> of keras-bert 0.89"
        ),
    ),
    "decoder twice": (
        PRETRAINING,
        ("decoder-untied",),
        "torchinfo 1.8.0; transformers 4.57 with <code>tie_word_embeddings=False</code>",
    ),
    "decoder and bias twice": (
        PRETRAINING,
        ("state-dict-summed",),
        "a sum over <code>state_dict()</code>; transformers 5.23 with <code>tie_word_embeddings=False</code>",
    ),
    "tables excluded": (
        "BertModel",
        ("embeddings-excluded",),
        "<code>num_parameters(exclude_embeddings=True)</code> in transformers 5.23",
    ),
    "with buffers": (
        "BertModel",
        ("buffers-added",),
        "a sum over <code>parameters()</code> and <code>buffers()</code> in transformers 5.23",
    ),
    "training checkpoint": (
        PRETRAINING,
        ("optimizer-counted",),
        "the checkpoint that google-research/bert's run_pretraining.py saves",
    ),
}
"""Ways to count that tools keep: heading, class, what is done otherwise, and who prints it. Checked by running them."""


def counted(model: str, model_class: str, mistakes: tuple[str, ...], how: str = "") -> str:
    """What one gets in a class with some mistakes, as a number on a page; `how` is said of it in short."""
    how = how or "\n".join([model_class, *(mistake_named(each).title for each in mistakes)])
    return numbers.mistaken(Counted(model_named(model), model_class, mistakes), how)


def conventions(name: str) -> str:
    """Every convention by every published checkpoint."""
    columns = [Column("checkpoint"), *(Column(heading, NUMERIC) for heading in CONVENTIONS)]
    rows = [
        [
            f"<code>{model}</code>",
            *(counted(model, chosen, made, how) for how, (chosen, made, _) in CONVENTIONS.items()),
        ]
        for model, each in load_models().items()
        if each.group != "course"
    ]
    return table(name, "Every checkpoint by every convention", columns, rows)


def printed_by(name: str) -> str:
    """Who counts by which convention, with base and large."""
    columns = [
        Column("convention"),
        *(Column(short, NUMERIC) for short in SHORT.values()),
        Column("printed by", PROSE),
    ]
    rows = [
        [escape(heading), *(counted(model, chosen, made) for model in SHORT), by]
        for heading, (chosen, made, by) in CONVENTIONS.items()
    ]
    return table(name, "Who prints which number", columns, rows)


def roundings(name: str) -> str:
    """Every convention in three figures and in two."""
    columns = [Column("counted as")]
    columns += [
        Column(f"{short}{what}", NUMERIC) for short in SHORT.values() for what in ("", ", 3 figures", ", 2 figures")
    ]
    rows = []
    for heading, (chosen, made, _) in CONVENTIONS.items():
        cells = [escape(heading)]
        for model in SHORT:
            exact = counted(model, chosen, made)
            number = Counted(model_named(model), chosen, made).number
            question = {"model": model, "class": chosen, "mistakes": " ".join(made)}
            cells += [exact, *(numbers.rounded(number, figures, **question) for figures in (3, 2))]
        rows.append(cells)
    return table(name, "What each way of counting rounds to", columns, rows)


def mistakes(name: str) -> str:
    """Every mistake with its effect on base and large, and how to notice it."""
    return _list(name, "mistake", "Change of the total, mistake by mistake")


def convention_effects(name: str) -> str:
    """Every convention with its effect on base and large."""
    return _list(name, "convention", "Change of the total, convention by convention")


def _list(name: str, kind: str, caption: str) -> str:
    columns = [
        Column("what is done", PROSE),
        *(Column(short, NUMERIC) for short in SHORT.values()),
        Column("how to notice it", PROSE),
        Column("why the number is another", PROSE),
    ]
    chosen = [each for each in load_mistakes().values() if each.kind == kind and _effects(each.name)]
    rows = []
    for each in chosen:
        effects = [numbers.mistake_effect(each.name, model) for model in SHORT]
        rows.append([_title(each), *effects, escape(each.notice), escape(each.why)])
    return table(name, caption, columns, rows, row_ids=[each.name for each in chosen])


def _effects(name: str) -> bool:
    """Whether a mistake changes base or large; taking the vocabulary of base itself does not."""
    return any(effect(model_named(model), name) for model in SHORT)


def _title(mistake: Mistake) -> str:
    """What is done, and in which class if not in BertModel."""
    chosen = "" if mistake.model_class == "BertModel" else f"<br>{numbers.class_name(mistake.model_class)}"
    return escape(mistake.title) + chosen


def wrong_totals(name: str) -> str:
    """The totals that usual mistakes lead to."""
    columns = [
        Column("what is done", PROSE),
        *(Column(short, NUMERIC) for short in SHORT.values()),
        Column("why", PROSE),
    ]
    rows = [
        [
            f'<a href="{ROOT}disagreements/{each.kind}s.html#{each.name}">{_title(each)}</a>',
            *(counted(model, each.model_class, (each.name,)) for model in SHORT),
            escape(each.why),
        ]
        for each in load_mistakes().values()
        if each.usual == 1
    ]
    return table(name, "Usual wrong totals of base and large", columns, rows)


TAG_WORDS = {"kernel": "matrices", "bias": "biases", "vector": "vectors", "embedding-table": "the tables"}
"""Tags as words; blocks are called by their own names."""


def part_words(part: Part) -> str:
    """A part as HTML: its path, what of it, and whether in one layer or in all."""
    layer = re.match(r"bert/encoder/?(layer_(\*|0))?/?", part.path)
    path = part.path[layer.end() :] if layer else part.path.removeprefix("bert/")
    kept = [f"<code>{path}</code>"] if path else []
    kept += [TAG_WORDS.get(tag, tag) for tag in part.tag.split()]
    if layer:
        kept.append("one layer" if layer[2] == "0" else "all layers")
    elif not part.path:
        kept.append("the whole model")
    words = ", ".join(kept)
    return f"one head's share of {words}" if part.share else words


Counts = list[tuple[int, str, Part]]
"""Parts, each with its count and a class that has it."""


def _counts(model: str) -> Counts:
    """Every part of a model that is large enough to mislead, the smallest first."""
    known = [
        (count(model_named(model), part.path, part.tag, model_class=each), each, part)
        for each, part in parts()
        if not part.share
    ]
    return sorted((each for each in known if each[0] >= LEAST), key=lambda each: each[0])


LEAST = 50_000
"""Counts below this are vectors, of which many are alike and none mislead."""

NEAR = 2_000
"""Counts that differ by less than one in so many are taken for one another."""


def _kind(part: Part) -> str:
    """A part without its layer and its last step: query, key and value are of one kind."""
    return part.path.replace("layer_*", "layer_0").rpartition("/")[0] + part.tag


def _holds(one: Part, other: Part) -> bool:
    """Whether one part lies within the other, so that it is no wonder that they are near."""
    return any(f"{a.path}/".startswith(f"{b.path}/") and b.tag in ("", a.tag) for a, b in ((one, other), (other, one)))


def coincidences(name: str) -> str:
    """Different parts of base with the same count."""
    columns = [Column("count", NUMERIC), Column("parts that have it", PROSE)]
    groups = [list(group) for _, group in groupby(_counts(BASE), key=lambda each: each[0])]
    rows = [_alternatives(group) for group in reversed(groups) if len({_kind(part) for *_, part in group}) > 1]
    return table(name, "Equal counts in BERT base", columns, rows)


def _alternatives(group: Counts) -> list[str]:
    """A count, and all the parts that have it."""
    _, model_class, first = group[0]
    asked = Asked(first.path, first.tag, BASE, model_class)
    return [numbers.counted(asked), "; ".join(dict.fromkeys(part_words(part) for *_, part in group))]


def near_misses(name: str) -> str:
    """Different parts of base with counts that are taken for one another."""
    columns = [
        Column("count", NUMERIC),
        Column("part", PROSE),
        Column("nearly the same", NUMERIC),
        Column("part", PROSE),
    ]
    pairs: dict[tuple[int, int], tuple[Counts, Counts]] = {}
    for one, other in combinations(_counts(BASE), 2):
        if 0 < (other[0] - one[0]) * NEAR < one[0] and not _holds(one[2], other[2]):
            low, high = pairs.setdefault((one[0], other[0]), ([], []))
            low.append(one)
            high.append(other)
    rows = [[*_alternatives(low), *_alternatives(high)] for low, high in pairs.values()]
    return table(name, "Counts in BERT base that look alike and differ", columns, rows)


ONE_MORE = {
    "V": "token",
    "P": "position",
    "S": "segment",
    "L": "layer",
    "F": "unit of the feed-forward network, in every layer",
    "C": "label",
}
"""What may be one more, by letter. A head changes nothing, and the width must stay a multiple of the heads."""


def marginal(name: str) -> str:
    """What one more of each size costs."""
    columns = [
        Column("one more"),
        *(Column(short, NUMERIC) for short in SHORT.values()),
        Column("formula"),
        Column("in the total of"),
    ]
    rows = []
    for letter, words in ONE_MORE.items():
        for chosen in ("BertModel", PRETRAINING) if letter == "V" else (_class_with(letter),):
            cells = [numbers.marginal(letter, model, chosen) for model in SHORT]
            rows.append([words, *cells, _per_unit(letter, chosen), numbers.class_name(chosen)])
    heads = [numbers.more_heads(model) for model in SHORT]
    rows.append(["head, or any number that divides H", *heads, "", numbers.class_name("BertModel")])
    return table(name, "What one more costs", columns, rows)


def _class_with(letter: str) -> str:
    return "BertForSequenceClassification" if letter == "C" else "BertModel"


def _per_unit(letter: str, model_class: str) -> str:
    """The formula of one more: what stands beside the letter."""
    model = model_named(BASE)
    (step,) = bridge(
        Counted(model, model_class), Counted(model.resized(**{letter: model.sizes[letter] + 1}), model_class)
    )
    return formulas.inline(step.pieces[0].letters)
