"""Numbers of changed models that are linear in one quantity, such as a rank, a number of tokens, or a number of labels.

Each of these numbers is a constant plus a slope times the quantity x, which is a straight line. So a
script can solve it for x, and no list of all values is needed. `data/search.toml` lists methods of
fine-tuning and of packing with their words; `docs/assets/explaining/kinds/changes.js` looks the lines up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from ..architectures.bert import BERT
from ..changes.changed_model import ChangedModel
from ..changes.methods import ALL_LINEAR
from ..deviations import deviation_named
from ..memory import BYTES
from ..messages import and_list
from ..models import RELATIVE, Model, load_models, load_relatives
from ..question import Question
from .known_numbers import Names, SearchRules, load_search_rules, search_data

BARE, CLASSIFIER, MASKED = "BertModel", "BertForSequenceClassification", "BertForMaskedLM"
"""The classes in which most changes are tried."""

LABELLER = "BertForTokenClassification"
"""The class that classifies tokens, in which changes are tried with several numbers of labels."""

LABEL_COUNT = 2
"""The number of labels of a classifier, unless a line is about this number."""

NUMBER, WHOLE = "number", "whole"
"""The values of `Template.only`: the search looks only for the number of a line, or only for the whole."""

MAX_LABELS = 20
"""The maximum number of labels in models that are trained only in their last layers."""

MAX_LABELS_WITH_ADAPTERS = 100
"""The maximum number of labels in models with adapters. Those above `MAX_LABELS` cost one more."""

MODEL, VALUE, CLASS, FACTOR, DTYPE = "@", "#", "&", "%", "~"
"""Placeholders in words: for a model's title, the value of x, a class, the first term's factor, and a data type."""


class Template(NamedTuple):
    """The properties that lines of several models have in common.

    A line has a number, such as that of the trainable parameters. It may also have a whole, which is the number plus
    the rest of the model.

    Attributes:
        words: a description of the number, with the placeholders above.
        whole: a description of the whole; empty if there is none.
        largest: the largest x.
        usual: the values of x that cost nothing.
        values: the values of x that are also tried for a rounded number. Those that are not usual cost one.
        rare_cost: the cost of any other x.
        is_trainable: whether the number counts trainable parameters.
        needs_exact: whether only exact numbers are compared with the line.
        is_in_bytes: whether the number is in bytes.
        only: `NUMBER` or `WHOLE`; empty if the search looks for both.
        whole_cost: the additional cost of the whole, which the search only looks for at `usual` and `values` of x.
        known_values: two values of x, one for the number and one for the whole, at which the search already finds the
            same number in another way, for example as a mistake; 0 if there is no such value.
    """

    words: str
    whole: str = ""
    largest: int = 0
    usual: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    rare_cost: int = 2
    is_trainable: bool = False
    needs_exact: bool = False
    is_in_bytes: bool = False
    only: str = ""
    whole_cost: int = 0
    known_values: tuple[int, int] = (0, 0)


class ChangedLine(NamedTuple):
    """The numbers of a change: `sum(factor * number for factor, number in terms) + slope * x`.

    Attributes:
        template: the properties and descriptions of the numbers.
        model_class: the name of its class.
        cost: the cost of its number if x is one of the usual values.
        terms: the constant, as pairs of a factor and the number that it multiplies.
        slope: the amount by which the number grows if x grows by one; 0 if there is no x.
        rest_of_model: the difference between the whole and the number; 0 if there is no whole.
        models: the names of its models, all of which have the same sizes.
    """

    template: Template
    model_class: str
    cost: float
    terms: tuple[tuple[int, int], ...] = ()
    slope: int = 0
    rest_of_model: int = 0
    models: Names = ()


def changed_lines() -> Iterator[ChangedLine]:
    """Every line, the likeliest models first."""
    rules = load_search_rules()
    all_models = sorted([*load_models().values(), *load_relatives().values()], key=rules.cost_of_model)
    groups: dict[Hashable, list[Model]] = {}
    for model in all_models:
        key = rules.cost_of_model(model), model.architecture.name, model.choices, *model.sizes.values()
        groups.setdefault(key, []).append(model)
    for model, *equal_models in groups.values():
        for line in _lines_of_model(model, rules):
            yield line._replace(models=(model.name, *(equal_model.name for equal_model in equal_models)))


def _lines_of_model(model: Model, rules: SearchRules) -> Iterator[ChangedLine]:
    """Every line of one model; the names of the models are not yet set."""
    cost = rules.cost_of_model(model)
    yield from _lines_of_checkpoints(model, rules)
    if model.group == RELATIVE or model.architecture is not BERT:
        yield from _lines_of_relative(model, rules)
        return
    for block in search_data()["changed"]:
        line_cost = cost + rules.costs["ways"][block["way"]] + block.get("extra_cost", 0)
        if cost <= block.get("reach", 0):
            lines_of = _lines_of_packed_model if "stored" in block else _lines_with_frozen_weights
            yield from (line._replace(cost=line_cost) for line in lines_of(model, block))
            yield from _lines_with_labels(model, block, line_cost + rules.costs["ways"]["lora-labels"])
    if cost == 0:
        yield from _lines_of_last_layers(model, rules.costs["ways"]["frozen"])
        yield from _lines_of_first_layers(model, rules.costs["ways"]["frozen"])
        yield from _lines_of_whole_model(model, rules)


def _lines_with_frozen_weights(model: Model, block: Mapping[str, Any]) -> Iterator[ChangedLine]:
    """The lines of a method that freezes weights, in up to three classes; their models and cost are not yet set."""
    trainable_in_bare = 0
    for name in (BARE, CLASSIFIER, MASKED):
        question = Question(model, name)
        at_one, at_two = _models_at_one_and_two(question, block["change"])
        slope = at_two.trainable - at_one.trainable
        constant, rest_of_model = at_one.trainable - slope, at_one.number - at_one.trainable
        if name == BARE:
            trainable_in_bare = at_one.trainable
        only = block.get("only", "")
        # If the masked LM trains as many parameters as the bare model, the bare model's line already has that number.
        if name == MASKED and at_one.trainable == trainable_in_bare:
            if only == NUMBER:
                continue
            only = WHOLE
        has_head_twice = name == CLASSIFIER and rest_of_model == question.number
        template = _template_with_frozen_weights(
            name, block, has_head_twice, adds_to_model=at_one.number > question.number
        )
        template = template._replace(only=only)
        terms = ((1, constant),) if constant else ()
        line = ChangedLine(template, name, 0, terms, slope, rest_of_model if template.whole else 0)
        if line.rest_of_model or only != WHOLE:
            yield line
        # Without a task type, PEFT neither trains nor copies the classifier; all-linear then adapts it instead.
        depends_on_task_type = not (at_one.changes[0].method.only_adds_prompts or ALL_LINEAR in block["change"])
        if has_head_twice and only != NUMBER and depends_on_task_type:
            yield _without_task_type(line, trainable_in_bare - slope)


def _lines_of_relative(model: Model, rules: SearchRules) -> Iterator[ChangedLine]:
    """The lines of a relative with a classifier, for the methods with which people often fine-tune it."""
    for block in search_data()["changed"]:
        if model.name not in block.get("relatives", ()):
            continue
        cost = rules.costs["ways"][block["way"]] + rules.costs["ways"]["lora-relative"]
        name = _class_like(model, CLASSIFIER)
        at_one, at_two = _models_at_one_and_two(Question(model, name), block["change"])
        slope = at_two.trainable - at_one.trainable
        words = f"{MODEL} with {block['words']} and a classifier of {LABEL_COUNT} labels"
        template = Template(
            *_words_of_trained_and_whole(words), **_fields_of_x(block), is_trainable=True, needs_exact=True
        )
        constant, rest_of_model = at_one.trainable - slope, at_one.number - at_one.trainable
        yield ChangedLine(template, name, cost, ((1, constant),), slope, rest_of_model)
        yield from _lines_with_labels(model, block, cost + rules.costs["ways"]["lora-labels"])


def _lines_with_labels(model: Model, block: Mapping[str, Any], cost: float) -> Iterator[ChangedLine]:
    """The lines of a method at each value in the block's `with_labels`, where x is the number of labels.

    PEFT keeps the classifier as well as the copy that it trains, so the whole grows by two rows with each label, and
    the number by one. The whole is therefore a line of its own.
    """
    for value, name in product(block.get("with_labels", ()), (CLASSIFIER, LABELLER)):
        line_cost = cost + (0 if value in block["usual"] else 1)
        if line_cost > load_search_rules().limits["max_cost"]:
            continue
        model_class = _class_like(model, name)
        change = block["change"].replace(VALUE, f"{value}")
        at_one, at_two = (
            ChangedModel.build(Question(model.resized(C=labels), model_class), [change]) for labels in (1, 2)
        )
        scope = " for each token" if name == LABELLER else ""
        words = f"{MODEL} with {block['words'].replace(VALUE, f'{value}')} and a classifier of {VALUE} label{scope}"
        for description, number_at_one, number_at_two in zip(
            _words_of_trained_and_whole(words),
            (at_one.trainable, at_one.number),
            (at_two.trainable, at_two.number),
            strict=True,
        ):
            # With two labels, another line has the number, with the rank as x, or it is what a deviation adds.
            is_known = name == CLASSIFIER or (value == block.get("known") and number_at_one == at_one.number)
            template = Template(
                description,
                largest=MAX_LABELS_WITH_ADAPTERS,
                usual=tuple(range(1, MAX_LABELS + 1)),
                rare_cost=1,
                is_trainable=True,
                needs_exact=True,
                known_values=(LABEL_COUNT if is_known else 0, 0),
            )
            slope = number_at_two - number_at_one
            yield ChangedLine(template, model_class, line_cost, ((1, number_at_one - slope),), slope)


def _words_of_trained_and_whole(words: str) -> tuple[str, str]:
    """The words for what is trained in a changed model with a classifier, and for the size of the whole."""
    return f"what is trained in {words}", f"the size of {words}, which PEFT counts twice"


def _class_like(model: Model, name: str) -> str:
    """The class of a model's architecture that corresponds to a class of BERT."""
    bare_name = model.architecture.classes[0].name
    return bare_name.removesuffix("Model") + name.removeprefix("Bert")


def _template_with_frozen_weights(
    name: str, block: Mapping[str, Any], has_head_twice: bool, *, adds_to_model: bool
) -> Template:
    """The template of a method's lines in one class.

    Args:
        name: the class.
        block: the method's block in the data file.
        has_head_twice: whether PEFT keeps the classifier as well as the copy that it trains.
        adds_to_model: whether the method adds parameters. If it adds none, the whole is the model itself.
    """
    class_remark = f" ({CLASS})" if name == MASKED else ""
    classifier_clause = f" and a classifier of {LABEL_COUNT} labels" if name == CLASSIFIER else ""
    description = f"{MODEL}{class_remark} with {block['words']}{classifier_clause}"
    twice_clause = ", which PEFT counts twice" if has_head_twice else ""
    known_x = block.get("known", 0)
    return Template(
        f"what is trained in {description}",
        f"the size of {description}{twice_clause}" if adds_to_model else "",
        **_fields_of_x(block),
        is_trainable=True,
        whole_cost=0 if block["way"] == "lora" else 1,
        # A deviation that replaces the whole model, such as lora-alone, is only counted without a head. With a
        # classifier, only the line has the number of trainable parameters.
        known_values=(0 if classifier_clause else known_x, known_x),
    )


def _without_task_type(line: ChangedLine, constant: int) -> ChangedLine:
    """The line of a classifier if PEFT is given no task type and therefore does not copy the classifier.

    Args:
        line: the line for PEFT with a task type.
        constant: the constant of the bare model's line, in which as many parameters are trained.
    """
    template = line.template._replace(
        words=f"{line.template.words} without a task type",
        whole=line.template.whole.replace(
            ", which PEFT counts twice", ", which PEFT counts once if it is given no task type"
        ),
        only=WHOLE,
        known_values=(0, 0),
    )
    return line._replace(template=template, terms=((1, constant),) if constant > 0 else ())


def _lines_of_packed_model(model: Model, block: Mapping[str, Any]) -> Iterator[ChangedLine]:
    """The lines of a packed model for the numbers in the block's `counts`; their models and cost are not yet set."""
    for name in block.get("classes", (BARE, CLASSIFIER, MASKED)):
        # The option that leaves the classifier unpacked is an error in a model without a classifier.
        change = block["change"] if name == CLASSIFIER else block["change"].replace(":classifier", "")
        at_one, at_two = _models_at_one_and_two(Question(model, name), change)
        head_clause = {CLASSIFIER: f" with a classifier of {LABEL_COUNT} labels", MASKED: f" ({CLASS})"}.get(name, "")
        method_clause = f" and given {block['words']}" if "words" in block else ""
        description = f"{MODEL}{head_clause}, loaded {block['stored']}{method_clause}"
        for count_name in block["counts"]:
            words = search_data()["counts"][count_name].replace(MODEL, description)
            dtypes = block["dtypes"] if DTYPE in words else ("",)
            for dtype in dtypes:
                terms, slope = _terms_and_slope(
                    _terms_of(at_one, count_name, dtype), _terms_of(at_two, count_name, dtype)
                )
                is_trained = count_name == "trained"
                template = Template(
                    words.replace(DTYPE, dtype), **_fields_of_x(block), is_in_bytes=bool(dtype), is_trainable=is_trained
                )
                if count_name == "elements" and "words" in block:
                    # With adapters, all elements are the whole, and the trainable parameters are a part of them.
                    trainable_words = template.words.replace("the number of elements of", "what is trained in")
                    template = template._replace(words=trainable_words, whole=template.words, only=WHOLE)
                    trainable_terms, slope = _terms_and_slope([(1, at_one.trainable)], [(1, at_two.trainable)])
                    rest_of_model = sum(factor * number for factor, number in terms) - sum(
                        number for _, number in trainable_terms
                    )
                    yield ChangedLine(template, name, 0, trainable_terms, slope, rest_of_model)
                else:
                    yield ChangedLine(template, name, 0, terms, slope)


def _fields_of_x(block: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a template that give the values of x that people choose."""
    return {
        "largest": block.get("largest", 0),
        "usual": tuple(block.get("usual", ())),
        "values": tuple(block.get("values", ())),
    }


def _models_at_one_and_two(question: Question, change: str) -> list[ChangedModel]:
    """A model after changes with x = 1, and with x = 2; the letter H in a change means the hidden size."""
    changes_text = change.replace("H", str(question.model.sizes["H"]))
    return [ChangedModel.build(question, changes_text.replace(VALUE, str(x)).split(" ")) for x in (1, 2)]


def _terms_of(model: ChangedModel, count_name: str, dtype: str) -> list[tuple[int, int]]:
    """The terms of the number `count_name` of a packed model: unpacked weights, packed elements, and other bytes.

    The number of trainable parameters is a single term.
    """
    if count_name == "trained":
        return [(1, model.trainable)]
    bytes_per_weight = BYTES[dtype or "int8"]
    # In float32, an unpacked weight takes four bytes, while an element of packed weights takes one. So the number of
    # bytes exceeds the number of elements by three for each unpacked weight.
    unpacked_weights = (model.weights_bytes("float32") - model.elements) // (BYTES["float32"] - 1)
    remaining_bytes = {"bytes": model.scales_bytes, "footprint": model.buffers_bytes}
    packed_elements = model.elements - unpacked_weights
    return [(bytes_per_weight, unpacked_weights), (1, packed_elements), (1, remaining_bytes.get(count_name, 0))]


def _terms_and_slope(
    terms_at_one: list[tuple[int, int]], terms_at_two: list[tuple[int, int]]
) -> tuple[tuple[tuple[int, int], ...], int]:
    """The terms at x = 0 and the slope, from the terms at x = 1 and at x = 2."""
    slope = 0
    terms = []
    for (factor, number_at_one), (_, number_at_two) in zip(terms_at_one, terms_at_two, strict=True):
        slope += factor * (number_at_two - number_at_one)
        number_at_zero = 2 * number_at_one - number_at_two
        if number_at_zero:
            terms.append((factor, number_at_zero))
    return tuple(terms), slope


def _lines_of_last_layers(model: Model, cost: float) -> Iterator[ChangedLine]:
    """The lines for training only the end of a model: last layers, the pooler and a head, in several combinations."""
    layer_size, pooler_size = (Question(model, part=part).number for part in ("bert/encoder/layer_0", "bert/pooler"))
    head_words = f"a head with {VALUE} label"
    for layers in range(model.sizes["L"]):
        for poolers in (0, 1):
            pieces = ["the last layer" if layers == 1 else f"the last {FACTOR} layers"] if layers else []
            pieces += ["the pooler"] if poolers else []
            terms = tuple(
                (factor, number) for factor, number in ((layers, layer_size), (poolers, pooler_size)) if factor
            )
            remark = ", which is what is left to train with everything else frozen" if pieces else ""
            words = f"the size of {and_list([*pieces, head_words])} in {MODEL}{remark}"
            template = Template(words, "", MAX_LABELS, (1, 2, 3), rare_cost=1, is_trainable=True, needs_exact=True)
            yield ChangedLine(template, CLASSIFIER, cost, terms, model.sizes["H"] + 1)
            if len(pieces) == 2:  # the search finds a single piece as a part of the model
                words = f"the size of {and_list(pieces)} in {MODEL}{remark}"
                yield ChangedLine(Template(words, is_trainable=True, needs_exact=True), BARE, cost, terms)


def _lines_of_first_layers(model: Model, cost: float) -> Iterator[ChangedLine]:
    """The lines for training with frozen embeddings, with frozen first layers, or with both."""
    layer_size = Question(model, part="bert/encoder/layer_0").number
    for name in (BARE, CLASSIFIER, MASKED):
        question = Question(model, name)
        class_remark = f" ({CLASS})" if name == MASKED else ""
        head_clause = f" and a classifier of {LABEL_COUNT} labels" if name == CLASSIFIER else ""
        words = f"what is left to train in {MODEL}{class_remark} with its embeddings frozen"
        trained_number = ChangedModel.build(question, ["embeddings"]).trainable
        yield ChangedLine(
            Template(words + head_clause, is_trainable=True, needs_exact=True), name, cost, ((1, trained_number),)
        )
        comma = "," if head_clause else ""
        for words_before, words_after, changes in (
            ("", f", but not its embeddings{comma}{head_clause}", ["frozen:1"]),
            ("embeddings and ", "", ["embeddings", "frozen:1"]),
        ):
            if words_before and name != MASKED:
                continue  # `_lines_of_last_layers` has the line: the last layers and everything above them
            words_of_layers = f"what is left to train in {MODEL}{class_remark} with its {words_before}first"
            constant = ChangedModel.build(question, changes).trainable + layer_size
            # If the embeddings are trained, the number is also that of a model with fewer layers, which is likelier.
            line_cost = cost if words_before else cost + 1
            layers = model.sizes["L"]
            template = Template(f"{words_of_layers} layer frozen{words_after}", is_trainable=True, needs_exact=True)
            yield ChangedLine(template, name, line_cost, ((1, constant), (-1, layer_size)))
            template_of_several = Template(
                f"{words_of_layers} {VALUE} layers frozen{words_after}",
                "",
                layers,
                (*range(layers),),
                is_trainable=True,
                needs_exact=True,
                known_values=(1, 0),
            )
            yield ChangedLine(template_of_several, name, line_cost, ((1, constant),), -layer_size)


def _lines_of_whole_model(model: Model, rules: SearchRules) -> Iterator[ChangedLine]:
    """The lines for the size of a model with heads pruned, or with cross-attention added."""
    ways = rules.costs["ways"]
    question = Question(model)
    layer_count = model.sizes["L"]
    head_count = model.sizes["A"]
    head_size = question.number - ChangedModel.build(question, ["pruned:1"]).number
    largest = layer_count * (head_count - 1)
    usual_numbers = tuple(
        number for number in range(1, largest + 1) if number <= head_count or number % layer_count == 0
    )
    for name in (BARE, CLASSIFIER, MASKED):
        number = Question(model, name).number
        words = f"the size of {MODEL} ({CLASS}) with {VALUE} of its {layer_count * head_count} attention heads pruned"
        words += f" and a classifier of {LABEL_COUNT} labels" if name == CLASSIFIER else ""
        yield ChangedLine(
            Template(words, "", largest, usual_numbers, needs_exact=True),
            name,
            ways["pruned"],
            ((1, number),),
            -head_size,
        )
    for model_class in model.architecture.classes:
        class_question = Question(model, model_class.name)
        cross_attention_size = (
            ChangedModel.build(class_question, ["cross-attention"]).number - class_question.number
        ) // layer_count
        cost = ways["cross-attention"] + rules.cost_of_class(model_class.name, model.architecture)
        words = f"the size of {MODEL} ({CLASS}) with cross-attention added to every layer, as in a decoder"
        terms = ((1, class_question.number), (layer_count, cross_attention_size))
        yield ChangedLine(Template(words), model_class.name, cost, terms)
        if model_class.name == BARE:
            pooler_term = (-1, class_question.about("bert/pooler").number)
            yield ChangedLine(Template(f"{words}, and no pooler"), BARE, cost, (*terms, pooler_term))


def _lines_of_checkpoints(model: Model, rules: SearchRules) -> Iterator[ChangedLine]:
    """The lines for a checkpoint with Adam's two moments of each parameter, with and without the training step."""
    for model_class in model.architecture.classes:
        number = Question(model, model_class.name).number
        cost = rules.costs["ways"]["checkpoint"] + rules.cost_of_model(model)
        cost += rules.cost_of_class(model_class.name, model.architecture)
        if cost > rules.limits["max_cost"]:
            continue
        words = f"the size of a training checkpoint of {MODEL} ({CLASS}), which holds Adam's two moments of each"
        question = Question(model, model_class.name, deviations=(WITH_OPTIMISER,))
        has_deviation = deviation_named(WITH_OPTIMISER).fits(question.rows, model.architecture)
        known_number = question.number if has_deviation else None
        for end, terms in (("parameter", ((3, number),)), ("parameter, and the training step", ((3, number), (1, 1)))):
            if sum(factor * term for factor, term in terms) != known_number:
                yield ChangedLine(Template(f"{words} {end}", needs_exact=True), model_class.name, cost, terms)


WITH_OPTIMISER = "optimizer-counted"
"""The deviation that counts a checkpoint with the optimiser's states. The search finds its totals as a mistake."""
