"""What people get of a model that they have changed: numbers that grow with a rank, with tokens, with labels.

Each is a line: what there is in any case, and what one more of something adds. So a script solves a number for
it, and neither has to list every rank. The changes and their words are data, in `data/search.toml`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, NamedTuple

from ..architectures.bert import BERT
from ..changes.changed import Changed
from ..changes.methods import ALL_LINEAR
from ..deviations import deviation_named
from ..memory import BYTES
from ..models import RELATIVE, Model, load_models, load_relatives
from ..question import Question
from .known_numbers import Names, Search, load_search, search_rules

BARE, CLASSIFIER, MASKED = "BertModel", "BertForSequenceClassification", "BertForMaskedLM"
LABELS = 2
"""Of a classifier, where nothing else is said."""

NUMBER_ALONE, WHOLE_ALONE = "number", "whole"
"""Which of the two a line is found by, where the other is found as something else; a share is of both."""

MOST_LABELS = 20
"""Of a head that somebody trains."""

MODEL, NUMBER, NAME, TIMES, DTYPE = "@", "#", "&", "%", "~"
"""Stand in words for a model's title, what is solved, a class, how often the first term is counted, and a data type."""


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
        bytes: whether it is memory.
        alone: `NUMBER_ALONE`, `WHOLE_ALONE`, or empty where both are found.
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
    bytes: bool = False
    alone: str = ""
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
        against = cost + rules.costs["ways"][block["way"]] + block.get("rare", 0)
        if cost <= block.get("reach", 0):
            make = _stored if "stored" in block else _beside_frozen_weights
            yield from (line._replace(cost=against) for line in make(model, block))
    if cost == 0:
        yield from _last_layers(model, rules.costs["ways"]["frozen"])
        yield from _first_layers(model, rules.costs["ways"]["frozen"])
        yield from _of_all(model, rules)


def _beside_frozen_weights(model: Model, block: Mapping[str, Any]) -> Iterator[ChangedLine]:
    """What is added to a model without a head, to one that labels texts, and to one that fills in tokens."""
    bare = 0
    for name in (BARE, CLASSIFIER, MASKED):
        asked, labels = Question(model, name), LABELS if name == CLASSIFIER else 0
        one, two = _twice(asked, block["change"])
        slope = two.trainable - one.trainable
        start, plain = one.trainable - slope, one.number - one.trainable
        bare = bare or one.trainable
        alone = block.get("alone", "")
        if name == MASKED and one.trainable == bare:
            if alone == NUMBER_ALONE:
                continue
            alone = WHOLE_ALONE
        of_class = f" ({NAME})" if name == MASKED else ""
        made = f"{MODEL}{of_class} with {block['words']}" + (f" and a classifier of {labels} labels" if labels else "")
        is_twice = bool(labels) and plain == asked.number
        form = Form(
            f"what is trained in {made}",
            f"the size of {made}{', which PEFT counts twice' if is_twice else ''}" if one.number > asked.number else "",
            **_chosen(block),
            trained=True,
            alone=alone,
            more=0 if block["way"] == "lora" else 1,
            known=(0 if labels else block.get("known", 0), block.get("known", 0)),
        )
        line = ChangedLine(form, (), name, 0, ((1, start),) if start else (), slope, plain if form.whole else 0)
        if line.plain or form.alone != WHOLE_ALONE:
            yield line
        # Without a task type PEFT neither trains the classifier nor copies it; of all linear layers it is one then.
        is_plain = one.changes[0].method.prompts or ALL_LINEAR in block["change"]
        if is_twice and alone != NUMBER_ALONE and not is_plain:
            once = f"the size of {made}, which PEFT counts once if it is given no task type"
            terms = ((1, bare - slope),) if bare > slope else ()
            form = form._replace(words=f"{form.words} without a task type", whole=once, alone=WHOLE_ALONE, known=(0, 0))
            yield line._replace(form=form, terms=terms)


def _stored(model: Model, block: Mapping[str, Any]) -> Iterator[ChangedLine]:
    """What is left to train where matrices are packed, the elements of all weights, and the bytes that they take."""
    for name in block.get("classes", (BARE, CLASSIFIER, MASKED)):
        # Without a classifier none is left as it is.
        change = block["change"] if name == CLASSIFIER else block["change"].replace(":classifier", "")
        one, two = _twice(Question(model, name), change)
        head = {CLASSIFIER: f" with a classifier of {LABELS} labels", MASKED: f" ({NAME})"}.get(name, "")
        beside = f" and given {block['words']}" if "words" in block else ""
        made = f"{MODEL}{head}, loaded {block['stored']}{beside}"
        for what in block["counts"]:
            words = search_rules()["counts"][what].replace(MODEL, made)
            for dtype in block["dtypes"] if DTYPE in words else ("",):
                terms, slope = _line(*(_counted(each, what, dtype) for each in (one, two)))
                form = Form(words.replace(DTYPE, dtype), **_chosen(block), bytes=bool(dtype), trained=what == "trained")
                if what == "elements" and "words" in block:  # beside what is trained, of which they are the whole
                    share = form.words.replace("the number of elements of", "what is trained in")
                    form = form._replace(words=share, whole=form.words, alone=WHOLE_ALONE)
                    trained, grown = _line(*([(1, each.trainable)] for each in (one, two)))
                    plain = sum(times * number for times, number in terms) - sum(number for _, number in trained)
                    yield ChangedLine(form, (), name, 0, trained, grown, plain)
                else:
                    yield ChangedLine(form, (), name, 0, terms, slope)


def _chosen(block: Mapping[str, Any]) -> dict[str, Any]:
    """What people choose for a change."""
    return {
        "most": block.get("most", 0),
        "usual": tuple(block.get("usual", ())),
        "values": tuple(block.get("values", ())),
    }


def _twice(asked: Question, change: str) -> list[Changed]:
    """A model after changes, with one and with two for what is chosen; `H` is its hidden size."""
    changes = change.replace("H", str(asked.model.sizes["H"]))
    return [Changed.of(asked, changes.replace(NUMBER, str(x)).split(" ")) for x in (1, 2)]


def _counted(changed: Changed, what: str, dtype: str) -> list[tuple[int, int]]:
    """What is counted of packed weights, in terms: what is not packed, the elements of what is, and what is besides."""
    if what == "trained":
        return [(1, changed.trainable)]
    width = BYTES[dtype or "int8"]
    wide = (changed.weights_bytes("float32") - changed.elements) // (BYTES["float32"] - 1)
    beside = {"bytes": changed.scales_bytes, "footprint": changed.buffers_bytes}
    return [(width, wide), (1, changed.elements - wide), (1, beside.get(what, 0))]


def _line(one: list[tuple[int, int]], two: list[tuple[int, int]]) -> tuple[tuple[tuple[int, int], ...], int]:
    """The terms that there are in any case, and what one more adds, from the terms with one and with two."""
    slope = sum(times * (more - less) for (times, less), (_, more) in zip(one, two, strict=True))
    terms = [(times, 2 * less - more) for (times, less), (_, more) in zip(one, two, strict=True)]
    return tuple(term for term in terms if term[1]), slope


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


def _first_layers(model: Model, cost: float) -> Iterator[ChangedLine]:
    """What is left to train where the first layers are frozen, and where the embeddings of masked LM are, too."""
    layer = Question(model, part="bert/encoder/layer_0").number
    for name in (BARE, CLASSIFIER, MASKED):
        asked = Question(model, name)
        of_class = f" ({NAME})" if name == MASKED else ""
        head = f" and a classifier of {LABELS} labels" if name == CLASSIFIER else ""
        frozen = f"what is left to train in {MODEL}{of_class} with its embeddings frozen"
        embeddings = Changed.of(asked, ["embeddings"]).trainable
        yield ChangedLine(Form(frozen + head, trained=True, exact=True), (), name, cost, ((1, embeddings),))
        for before, after, changes in (
            ("", f", but not its embeddings{head and ','}{head}", ["frozen:1"]),
            ("embeddings and ", "", ["embeddings", "frozen:1"]),
        ):
            if before and name != MASKED:
                continue  # these are the last layers, with what is above them
            left = f"what is left to train in {MODEL}{of_class} with its {before}first"
            start = Changed.of(asked, changes).trainable + layer
            against, most = cost + (not before), model.sizes["L"]  # as many are in a model with fewer layers
            form = Form(f"{left} layer frozen{after}", trained=True, exact=True)
            yield ChangedLine(form, (), name, against, ((1, start), (-1, layer)))
            several = Form(
                f"{left} {NUMBER} layers frozen{after}",
                "",
                most,
                (*range(most),),
                trained=True,
                exact=True,
                known=(1, 0),
            )
            yield ChangedLine(several, (), name, against, ((1, start),), -layer)


def _of_all(model: Model, rules: Search) -> Iterator[ChangedLine]:
    """What there is where heads are pruned, weights packed, or cross-attention is added."""
    ways = rules.costs["ways"]
    asked, layers, heads = Question(model), model.sizes["L"], model.sizes["A"]
    head = asked.number - Changed.of(asked, ["pruned:1"]).number
    most = layers * (heads - 1)
    many = tuple(each for each in range(1, most + 1) if each <= heads or each % layers == 0)
    for name in (BARE, CLASSIFIER, MASKED):
        number = Question(model, name).number
        words = f"the size of {MODEL} ({NAME}) with {NUMBER} of its {layers * heads} attention heads pruned"
        words += f" and a classifier of {LABELS} labels" if name == CLASSIFIER else ""
        yield ChangedLine(Form(words, "", most, many, exact=True), (), name, ways["pruned"], ((1, number),), -head)
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
        for end, terms in (("parameter", ((3, number),)), ("parameter, and the training step", ((3, number), (1, 1)))):
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
