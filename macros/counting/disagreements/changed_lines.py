"""What people get of a model that they have changed: numbers that grow with a rank, with tokens, with labels.

Each is a line: what there is in any case, and what one more of something adds. So a script solves a number for
it, and neither has to list every rank. The changes and their words are data, in `data/search.toml`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, NamedTuple

from ..architectures.bert import BERT
from ..changes.changed import Changed
from ..deviations import deviation_named
from ..models import RELATIVE, Model, load_models, load_relatives
from ..question import Question
from .known_numbers import Names, Search, load_search, search_rules

BARE, CLASSIFIER = "BertModel", "BertForSequenceClassification"
LABELS = 2
"""Of a classifier, where nothing else is said."""

MOST_LABELS = 20
"""Of a head that somebody trains."""

MODEL, NUMBER, NAME, TIMES = "@", "#", "&", "%"
"""Stand in words for a model's title, what is solved, a class, and how often the first term is counted."""


class Form(NamedTuple):
    """What lines of several models have in common.

    Attributes:
        words: what the number is; see `MODEL`.
        whole: what it is together with all that there is besides; empty where it is about all.
        most: the largest x.
        usual: values that speak against nothing; others of `values` cost one more, and any others `rare` more.
        values: those that are found of rounded numbers, too.
        rare: what speaks against a number of ranks, tokens, heads or labels that people seldom take.
        trained: whether it is about what is trained.
        exact: whether only exact numbers are taken for it.
        more: what speaks against the whole besides, of which x is one of the values.
        known: x of which the number, and of which the whole, are found as something else.
    """

    words: str
    whole: str = ""
    most: int = 0
    usual: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    rare: int = 2
    trained: bool = False
    exact: bool = False
    more: int = 0
    known: tuple[int, int] = (0, 0)


class ChangedLine(NamedTuple):
    """What a change comes to: `sum(times * number for times, number in terms) + slope * x`.

    Attributes:
        form: what it is.
        models: by name; all have the same sizes.
        model_class: by name.
        cost: what speaks against it, where x is usual.
        terms: what there is in any case.
        slope: what one more adds; nothing where there is no x.
        plain: all that there is besides; nothing where the line is about all.
    """

    form: Form
    models: Names
    model_class: str
    cost: float
    terms: tuple[tuple[int, int], ...] = ()
    slope: int = 0
    plain: int = 0


def changed_lines() -> Iterator[ChangedLine]:
    """All of them, those of likelier models first."""
    rules = load_search()
    everyone = sorted([*load_models().values(), *load_relatives().values()], key=rules.of_model)
    alike: dict[Hashable, list[Model]] = {}
    for model in everyone:
        key = rules.of_model(model), model.architecture.name, model.choices, *model.sizes.values()
        alike.setdefault(key, []).append(model)
    for model, *others in alike.values():
        for line in _of_model(model, rules):
            yield line._replace(models=(model.name, *(each.name for each in others)))


def _of_model(model: Model, rules: Search) -> Iterator[ChangedLine]:
    cost = rules.of_model(model)
    yield from _checkpoints(model, rules)
    if model.group == RELATIVE or model.architecture is not BERT:
        return
    for block in search_rules()["changed"]:
        if cost <= block.get("reach", 0):
            yield from _beside_frozen_weights(model, block, cost + rules.costs["ways"][block["way"]])
    if cost == 0:
        yield from _last_layers(model, rules.costs["ways"]["frozen"])
        yield from _of_all(model, rules)


def _beside_frozen_weights(model: Model, block: Mapping[str, Any], cost: float) -> Iterator[ChangedLine]:
    """What is added to a model without a head, and to one that labels texts."""
    for name, labels in ((BARE, 0), (CLASSIFIER, LABELS)):
        asked = Question(model, name)
        one, two = (Changed.of(asked, [block["change"].replace(NUMBER, str(x))]) for x in (1, 2))
        slope = two.trainable - one.trainable
        start, plain = one.trainable - slope, one.number - one.trainable
        made = f"{MODEL} with {block['words']}" + (f" and a classifier of {labels} labels" if labels else "")
        twice = ", which PEFT counts twice" if labels and plain == asked.number else ""
        form = Form(
            f"what is trained in {made}",
            f"the size of {made}{twice}" if one.number > asked.number else "",
            block.get("most", 0),
            tuple(block.get("usual", ())),
            tuple(block.get("values", ())),
            trained=True,
            more=0 if block["way"] == "lora" else 1,
            known=(0 if labels else block.get("known", 0), block.get("known", 0)),
        )
        terms = ((1, start),) if start else ()
        yield ChangedLine(form, (), name, cost + block.get("rare", 0), terms, slope, plain if form.whole else 0)


def _last_layers(model: Model, cost: float) -> Iterator[ChangedLine]:
    """What is left to train where everything below is frozen: some layers, the pooler or not, a head or none."""
    layer, pooler = (Question(model, part=part).number for part in ("bert/encoder/layer_0", "bert/pooler"))
    head = f"a head with {NUMBER} label"
    for layers in range(model.sizes["L"]):
        for poolers in (0, 1):
            pieces = ["the last layer" if layers == 1 else f"the last {TIMES} layers"] if layers else []
            pieces += ["the pooler"] * poolers
            terms = tuple((times, number) for times, number in ((layers, layer), (poolers, pooler)) if times)
            left = ", which is what is left to train with everything else frozen" if pieces else ""
            words = f"the size of {listed([*pieces, head])} in {MODEL}{left}"
            form = Form(words, "", MOST_LABELS, (1, 2, 3), rare=1, trained=True, exact=True)
            yield ChangedLine(form, (), CLASSIFIER, cost, terms, model.sizes["H"] + 1)
            if len(pieces) == 2:  # alone, each is a part with a name of its own
                words = f"the size of {listed(pieces)} in {MODEL}{left}"
                yield ChangedLine(Form(words, trained=True, exact=True), (), BARE, cost, terms)


def _of_all(model: Model, rules: Search) -> Iterator[ChangedLine]:
    """What there is where heads are pruned, weights packed, or cross-attention is added."""
    ways = rules.costs["ways"]
    asked, layers, heads = Question(model), model.sizes["L"], model.sizes["A"]
    head = asked.number - Changed.of(asked, ["pruned:1"]).number
    most = layers * (heads - 1)
    many = tuple(each for each in range(1, most + 1) if each <= heads or each % layers == 0)
    words = f"the size of {MODEL} ({NAME}) with {NUMBER} of its {layers * heads} attention heads pruned"
    yield ChangedLine(Form(words, "", most, many, exact=True), (), BARE, ways["pruned"], ((1, asked.number),), -head)
    fewer = asked.number - Changed.of(asked, ["int4"]).elements
    words = f"the number of elements of {MODEL} loaded in 4 bits, where one element holds two weights of a dense layer"
    yield ChangedLine(Form(words), (), BARE, ways["packed"], ((1, asked.number), (-1, fewer)))
    for each in model.architecture.classes:
        plain = Question(model, each.name)
        crossed = (Changed.of(plain, ["cross-attention"]).number - plain.number) // layers
        cost = ways["cross-attention"] + rules.of_class(each.name, model.architecture)
        words = f"the size of {MODEL} ({NAME}) with cross-attention added to every layer, as in a decoder"
        terms = ((1, plain.number), (layers, crossed))
        yield ChangedLine(Form(words), (), each.name, cost, terms)
        if each.name == BARE:
            pooler = (-1, plain.at("bert/pooler").number)
            yield ChangedLine(Form(f"{words}, and no pooler"), (), BARE, cost, (*terms, pooler))


def _checkpoints(model: Model, rules: Search) -> Iterator[ChangedLine]:
    """What is kept with Adam's two moments of each parameter; some count the step as well."""
    for each in model.architecture.classes:
        number = Question(model, each.name).number
        against = rules.costs["ways"]["checkpoint"] + rules.of_model(model)
        cost = against + rules.of_class(each.name, model.architecture)
        if cost > rules.limits["possible"]:
            continue
        words = f"the size of a training checkpoint of {MODEL} ({NAME}), which holds Adam's two moments of each"
        counted = Question(model, each.name, deviations=(COUNTED,))
        known = deviation_named(COUNTED).fits(counted.rows, model.architecture) and counted.number
        for end, terms in (("parameter", ((3, number),)), ("parameter, and the step", ((3, number), (1, 1)))):
            if sum(times * one for times, one in terms) != known:
                yield ChangedLine(Form(f"{words} {end}", exact=True), (), each.name, cost, terms)


COUNTED = "optimizer-counted"
"""The deviation that some checkpoints are."""


def listed(pieces: list[str]) -> str:
    """Pieces of a sentence, one after the other.

    >>> listed(["the last layer", "the pooler", "a head"])
    'the last layer, the pooler and a head'
    """
    return " and ".join(filter(None, [", ".join(pieces[:-1]), pieces[-1]]))
