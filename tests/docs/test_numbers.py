"""Functions that recompute the numbers on a page and add up its tables, and rules for numbers, tables and figures.

`tests/rendering/test_every_page.py` applies the functions to every page. Each element with a number carries its
question in attributes. `expected_value_and_text` computes the number from them; `INTEGERS`, `CHANGES`, `IN_BYTES` and
`VALUES_AND_TEXTS` have a function for each kind of number.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import ARCHITECTURES, ChangedModel, Choices, Question, count, model_named, tensors
from macros.counting.changes.mistakes import load_mistakes
from macros.counting.frameworks.recordings import Comparison, recordings
from macros.counting.memory import BYTES, UNITS
from macros.counting.operations import Operations
from macros.counting.published.bridges import bridge
from macros.counting.published.claims import Claim, load_claims
from macros.counting.published.others import load_others
from macros.counting.published.profilers import LENGTHS, load_profilers
from macros.counting.published.relatives import differences
from macros.counting.question import effect
from macros.counting.training import TrainingStep
from macros.rendering.components.asking import model_of
from macros.rendering.tables.comparisons import comparisons
from macros.rendering.tables.memory import NUMBERS_OF_FILES
from macros.rendering.tables.training import optimiser_bytes
from tests.docs.conftest import Pages, by_id

CLAIMS = [claim for claims in load_claims().values() for claim in claims]

Attributes = dict[str, Any]
"""The attributes of an element, by name."""

BERT_RECORDINGS = ("transformers", "transformers4", "google-bert", "keras-bert", "bert4keras", "keras-hub", "flax")
"""The names of the recordings of BERT. All other recordings are of its relatives."""


def engine_question(attributes: Attributes, prefix: str = "data-") -> Question:
    """The question of an element: model, class, part, tag and choices.

    For a share, attributes with another prefix specify the part and the tag of the whole.
    """
    booleans = {"true": True, "false": False}
    return Question(
        model_of(attributes["data-model"]),
        attributes.get("data-class", "BertModel"),
        attributes.get(f"{prefix}part", ""),
        attributes.get(f"{prefix}tag", ""),
        Choices(booleans.get(attributes.get("data-pooler", "")), booleans.get(attributes.get("data-tied", ""))),
    )


def count_of(attributes: Attributes, prefix: str = "data-") -> int:
    """The number of parameters that answers an element's question."""
    return engine_question(attributes, prefix).number


def number_of_tensors(attributes: Attributes) -> int:
    """The number of tensors of a model. A tied tensor is not counted again."""
    return sum(1 for tensor in tensors(engine_question(attributes)) if not tensor.tied_to)


def with_commas(number: int) -> str:
    """An integer in the notation of the pages."""
    return f"{number:,}".replace("-", "−")


def with_sign(number: int) -> str:
    """An effect in the notation of the pages, with its sign unless it is zero."""
    return f"+{with_commas(number)}" if number > 0 else with_commas(number)


def share_of(attributes: Attributes) -> tuple[str, str]:
    """The value and the text of a share, which is a percentage to one decimal place.

    If the decimal would be zero, the value has two significant digits instead, and so has the text if the element has
    the attribute `data-precisely`. A share of the trainable parameters of a changed model has three significant digits.
    """
    if "data-change" in attributes:
        model = changed_model_of(attributes)
        text = f"{100 * model.trainable / model.number:#.3g}".rstrip(".")
        return text, f"{text}%"
    share = 100 * Fraction(count_of(attributes), count_of(attributes, "data-of-"))
    if share < Fraction(1, 20):
        text = f"{float(share):#.2g}"
        return text, f"{text}%" if "data-precisely" in attributes else "under 0.1%"
    return f"{float(share):.1f}", f"{float(share):.1f}%"


def hidden_size_of(attributes: Attributes) -> int:
    """The hidden size of an element's model."""
    return model_of(attributes["data-model"]).sizes["H"]


def start_of_bridge(attributes: Attributes) -> Question:
    """The question that a bridge starts from: model, class and deviations."""
    return engine_question(attributes)._replace(deviations=tuple(attributes.get("data-deviations", "").split()))


def effect_of_deviation(attributes: Attributes) -> int:
    """The number by which one or several deviations change a count."""
    if "data-deviations" in attributes:
        return start_of_bridge(attributes).number - engine_question(attributes).number
    return effect(model_of(attributes["data-model"]), attributes["data-deviation"])


def step_to_relative(attributes: Attributes) -> int:
    """The value of a step from the total of a model to that of its relative."""
    start, relative = Question(model_of(attributes["data-start"])), Question(model_of(attributes["data-model"]))
    return differences(start, relative)[int(attributes["data-step"])].value


def step_of_bridge(attributes: Attributes) -> int:
    """The value of a step in a bridge to the right total or to that of another model."""
    start = start_of_bridge(attributes)
    end = Question(model_named(attributes.get("data-to") or attributes["data-model"]), start.model_class)
    return bridge(start, end)[int(attributes["data-step"])].value


def rounded_count(attributes: Attributes) -> tuple[str, str]:
    """The value and the text of a count in millions, rounded to significant figures, here with Decimal."""
    number = start_of_bridge(attributes).number if "data-deviations" in attributes else count_of(attributes)
    millions = Decimal(number) / 10**6
    places = int(attributes["data-figures"]) - 1 - millions.adjusted()
    rounded_millions = millions.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return str(int(rounded_millions * 10**6)), f"{rounded_millions:,f}M"


def claim_text(claim: Claim) -> str:
    """The right number or shape for a claim, in the notation of the claim."""
    if claim.tensor:
        shapes = {tensor.transformers: tensor.shape for tensor in tensors(Question(claim.model, claim.model_class))}
        return str(shapes[claim.tensor])
    amount = re.fullmatch(r"[\d,]*(?:\.(\d+))? ?([KMG]i?B)", claim.printed)
    if amount:
        return f"{claim.correct_number / UNITS[amount[2]]:,.{max(len(amount[1] or ''), 1)}f} {amount[2]}"
    return with_commas(claim.correct_number)


def claimed_value_and_text(attributes: Attributes) -> tuple[str, str]:
    """The value and the text of the right number for a claim."""
    source, position = attributes["data-claim"].split("/")
    claim = load_claims()[source][int(position) - 1]
    return str(claim.correct_number), claim_text(claim)


def effect_of_one_more(attributes: Attributes) -> int:
    """The number of parameters that a model gains if one of its sizes grows by one."""
    model, letter = model_of(attributes["data-model"]), attributes["data-letter"]
    model_class = attributes.get("data-class", "BertModel")
    larger_model = model.resized(**{letter: model.sizes[letter] + 1})
    return count(larger_model, model_class=model_class) - count(model, model_class=model_class)


def number_of_claims(attributes: Attributes) -> int:
    """The number of claims, or of those with one verdict, in one source or in all sources."""
    sources = [attributes["data-source"]] if "data-source" in attributes else load_claims()
    claims = [claim for source in sources for claim in load_claims()[source]]
    return sum(attributes["data-of"] in ("numbers", claim.verdict) for claim in claims)


def resized_count(attributes: Attributes) -> int:
    """The total of a model with some sizes changed."""
    sizes = dict(assignment.split("=") for assignment in attributes["data-sizes"].split())
    return count(model_of(attributes["data-model"]).resized(**{letter: int(size) for letter, size in sizes.items()}))


LETTERS = {symbol.key: symbol.letter for architecture in ARCHITECTURES.values() for symbol in architecture.symbols}
"""The letters of sizes, by their keys in a config."""


def operations_of(attributes: Attributes) -> Operations:
    """The operations for the batch of an element, in its model or, if the element names none, in BERT base."""
    model = {"data-model": "bert-base-uncased", **attributes}
    return Operations(engine_question(model), int(attributes["data-tokens"]), int(attributes.get("data-batch", "1")))


def operations_number(attributes: Attributes) -> int:
    """The number of operations for a batch, or of those of certain kinds or in one block."""
    kinds = filter(None, attributes.get("data-kinds", "").split(", "))
    cost = int(attributes.get("data-cost", "0"))
    return operations_of(attributes).number(*kinds, block=attributes.get("data-block", ""), cost=cost)


def operations_share(attributes: Attributes) -> tuple[str, str]:
    """The value and the text of a share of operations. Zero is shown as 0%."""
    share = 100 * Fraction(operations_number(attributes), operations_of(attributes).forward)
    if 0 < share < Fraction(1, 20):
        return f"{float(share):.2g}", "under 0.1%"
    return (f"{float(share):.1f}", f"{float(share):.1f}%") if share else ("0", "0%")


def step_to_profiler(attributes: Attributes) -> int:
    """The value of a step from the exact number of operations to that of a profiler."""
    profiler = load_profilers()[attributes["data-profiler"]]
    steps = profiler.steps(operations_of(attributes), is_eager=attributes.get("data-attention") == "eager")
    return steps[int(attributes["data-step"])].value


def operations_of_head(attributes: Attributes) -> int:
    """The number of operations that a class has in addition to those of the bare model."""
    operations = operations_of(attributes)
    bare_model = Question(operations.question.model)
    return operations.forward - operations._replace(question=bare_model).forward


def relative_error(percentage: float) -> tuple[str, str]:
    """The value and the text of a relative error, in percent. The text has "too high" or "too low", not a sign."""
    return f"{percentage:.2f}", f"{abs(percentage):.2f}% too {'high' if percentage > 0 else 'low'}"


def error_of_rule_of_thumb(attributes: Attributes) -> tuple[str, str]:
    """The value and the text of the relative error of counting two operations per parameter and token."""
    operations = operations_of(attributes)
    estimate = 2 * start_of_bridge(attributes).number * operations.tokens
    percentage = 100 * (Fraction(estimate, operations.forward) - 1)
    return relative_error(float(percentage))


def error_of_short_formula(attributes: Attributes) -> tuple[str, str]:
    """The value and the text of the relative error of a short formula.

    The formula is for a part or for the trainable parameters of a changed classifier.
    """
    if "data-change" in attributes:
        model = changed_model_of(attributes)
        exact_number, sizes = model.trainable, model.sizes
    else:
        exact_number, sizes = count_of(attributes), model_named(attributes.get("data-model", "bert-base-uncased")).sizes
    products = [
        prod(sizes.get(factor) or int(factor) for factor in shape.split())
        for shape in attributes["data-rule"].split(", ")
    ]
    return relative_error(float(100 * (Fraction(sum(products), exact_number) - 1)))


def error_of_rounding(attributes: Attributes) -> tuple[str, str]:
    """The value and the text of the relative error of a rounded count."""
    exact_number = count_of(attributes)
    return relative_error(float(100 * (Fraction(rounded_count(attributes)[0]) / exact_number - 1)))


def error_without_scales(attributes: Attributes) -> tuple[str, str]:
    """The value and the text of the relative error of leaving the scales out of the bytes of packed weights."""
    model = changed_model_of(attributes)
    return relative_error(float(-100 * Fraction(model.scales_bytes, model.weights_bytes() + model.scales_bytes)))


def profiler_number(attributes: Attributes) -> int:
    """The number that a profiler prints for BERT base at a given length."""
    numbers = load_profilers()[attributes["data-profiler"]].printed_numbers(
        is_eager=attributes.get("data-attention") == "eager"
    )
    return numbers[LENGTHS.index(int(attributes["data-tokens"]))]


VALUES_AND_TEXTS: dict[str, Callable[[Attributes], tuple[str, str]]] = {
    "share": share_of,
    "changed-share": share_of,
    "rounded": rounded_count,
    "claim": claimed_value_and_text,
    "operations-share": operations_share,
    "ruled-off": error_of_rule_of_thumb,
    "rule-off": error_of_short_formula,
    "rounding-off": error_of_rounding,
    "scales-off": error_without_scales,
}
"""Functions that return the value and the text of an element, by its kind."""


def expected_value_and_text(attributes: Attributes) -> tuple[str, str]:
    """The value and the text that an element must have."""
    kind = attributes.get("data-kind", "count")
    if kind in VALUES_AND_TEXTS:
        return VALUES_AND_TEXTS[kind](attributes)
    if kind in CHANGES:
        number = CHANGES[kind](attributes)
        return str(number), with_sign(number)
    if kind in IN_BYTES:
        number = IN_BYTES[kind](attributes)
        unit = UNITS[attributes["data-unit"]]
        return str(number), f"{number / unit:,.1f}" if unit > 1 else with_commas(number)
    number = INTEGERS[kind](attributes)
    return str(number), with_commas(number)


def changed_model_of(attributes: Attributes) -> ChangedModel:
    """The changed classifier that an element is about."""
    model = model_of(attributes.get("data-model", "bert-base-uncased"))
    return ChangedModel.build(
        Question(model, "BertForSequenceClassification"), attributes.get("data-change", "").split()
    )


def count_before_change(attributes: Attributes) -> int:
    """The number of parameters of a classifier before the change."""
    return count(model_of(attributes["data-model"]), model_class="BertForSequenceClassification")


def changed_number(attributes: Attributes) -> int:
    """The number of trainable parameters, of all parameters, of elements or of bytes of a changed model."""
    model = changed_model_of(attributes)
    numbers = {"trained": model.trainable, "all": model.number, "elements": model.elements}
    numbers |= {"bytes of weights": model.weights_bytes(), "bytes of scales": model.scales_bytes}
    numbers["bytes"] = model.weights_bytes() + model.scales_bytes
    return numbers[attributes["data-what"]]


def elements_of_module(attributes: Attributes) -> int:
    """The number of elements in all tensors of a module of a changed model, from the list of the model's tensors."""
    module = re.escape(attributes["data-of"]).replace(re.escape("*"), r"\d+")
    tensors_of_change = changed_model_of(attributes).listing()
    return sum(prod(shape) for name, shape, _ in tensors_of_change if re.search(rf"(^|\.){module}$", name))


def wrong_number_and_error(attributes: Attributes) -> tuple[int, int]:
    """The wrong number that a mistake leads to, and its difference from the right one."""
    mistake = load_mistakes()[attributes["data-mistake"]]
    question = Question(model_of(attributes["data-model"]), "BertForSequenceClassification")
    return mistake.wrong_number(question), mistake.wrong_number(question) - mistake.correct_number(question)


CHANGES: dict[str, Callable[[Attributes], int]] = {
    "effect": effect_of_deviation,
    "step": step_of_bridge,
    "relative-step": step_to_relative,
    "off": lambda a: resized_count(a) - count(model_named(a["data-to"])),
    "changed-step": lambda a: changed_model_of(a).number - count_before_change(a),
    "changed-off": lambda a: wrong_number_and_error(a)[1],
    "printed-step": step_to_profiler,
    "operations-more": operations_of_head,
}
"""Functions that return a change or a difference, by the kind of the element. Its text has the sign."""


def bytes_of_parameters(attributes: Attributes) -> int:
    """The bytes of an element's parameters, times the number of copies that are kept."""
    return count_of(attributes) * BYTES[attributes["data-dtype"]] * int(attributes["data-copies"])


def training_step_of(attributes: Attributes) -> TrainingStep:
    """The training step of a classifier that an element is about, by default in mixed precision and on padded texts."""
    question = Question(model_named(attributes["data-model"]), "BertForSequenceClassification")
    model = ChangedModel.build(question, attributes.get("data-change", "").split())
    settings = {"dtype": "bf16", "padded": True, **json.loads(attributes.get("data-way", "{}"))}
    return TrainingStep(model, int(attributes["data-texts"]), int(attributes["data-tokens"]), **settings)


def step_bytes(attributes: Attributes) -> int:
    """The bytes of one aspect of a training step, such as its peak, added up from the items of the step."""
    step = training_step_of(attributes)
    items = {item.name: item.bytes for item in step.memory_parts}
    fixed_bytes = items["weights"] + items.get("states of the optimiser", 0)
    activations = items["activations"] + items.get("one layer, computed again", 0)
    smaller_step, larger_step = (replace(step, examples=examples) for examples in (100, 101))  # they differ by one text
    numbers_of_step = {
        "weights": items["weights"],
        "states": items.get("states of the optimiser", 0),
        "gradients": items["gradients"],
        "activations": items["activations"],
        "copies": sum(
            item.total(step.sizes["L"]).value(step.sizes)
            for item in step.activations
            if item.contents.endswith("in 16 bits")
        ),
        "fixed": fixed_bytes,
        "temporary": items["temporary results, at most"],
        "peak": fixed_bytes
        + items["temporary results, at most"]
        + max(activations, items["gradients"] + step.layer_polynomial.value(step.sizes)),
        "gradients-and-states": items["gradients"] + items.get("states of the optimiser", 0),
        "text": sum(item.bytes for item in larger_step.memory_parts)
        - sum(item.bytes for item in smaller_step.memory_parts),
        "layer": step.layer_polynomial.value(step.sizes),
    }
    numbers_of_step["of-texts"] = numbers_of_step["activations"] - numbers_of_step["copies"]
    return numbers_of_step[attributes["data-what"]]


IN_BYTES = {"bytes": bytes_of_parameters, "step-bytes": step_bytes}
"""Functions that return a number of bytes, by the kind of the element. The element specifies the unit of its text."""


def activation_bytes(attributes: Attributes) -> int:
    """The bytes of one activation, of all activations in a layer, or of all outside the layers.

    The bytes are for one text in float32, with eager attention.
    """
    question = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
    step = TrainingStep(ChangedModel.build(question, []), 1, int(attributes["data-tokens"]), attention="eager")
    name, is_in_layer = attributes.get("data-of"), attributes["data-kind"] == "layer-bytes"
    if name:
        items = [item for item in step.activations if (item.path, item.contents) == (name, attributes["data-what"])]
    else:
        items = [item for item in step.activations if (item.layers > 0) == is_in_layer]
    return sum(item.bytes_per_storage.value(step.sizes) for item in items)


def bytes_of_estimate(attributes: Attributes) -> int:
    """One of the two steps from a published estimate to the bytes that a layer of BERT base keeps for one text.

    Source of the estimate: Korthikanti and others, equation 1, 34·T·H + 5·A·T², with two bytes per number. With four
    bytes per number, and still one per element of a mask, it becomes 66·T·H + 9·A·T².
    """
    tokens = int(attributes["data-tokens"])
    generalised_estimate = 66 * tokens * 768 + 9 * 12 * tokens**2
    # A LayerNorm also keeps a mean and an inverse standard deviation of each token, and a layer has two LayerNorms.
    statistics_of_norms = 2 * 2 * 4 * tokens
    return (generalised_estimate, statistics_of_norms)[int(attributes["data-what"])]


def largest_batch(attributes: Attributes) -> int:
    """The largest batch whose training step fits into a memory minus its reserve, found here by bisection."""
    step, usable_percent = training_step_of(attributes), 100 - int(attributes["data-reserve"])
    available_bytes = int(attributes["data-memory"]) * 2**30 * usable_percent // 100
    return bisect_right(
        range(1, 2**24), available_bytes, key=lambda examples: replace(step, examples=examples).peak_bytes
    )


def keras_hub_count(attributes: Attributes) -> int:
    """The total of a KerasHub class. Its masked-LM model is the pre-training model without the next-sentence head."""
    model = model_of(attributes["data-model"])
    pretraining = "BertForPreTraining"
    return {
        "BertBackbone": count(model),
        "BertMaskedLM": count(model, model_class=pretraining)
        - count(model, "cls/seq_relationship", model_class=pretraining),
        "BertTextClassifier": count(model, model_class="BertForSequenceClassification"),
    }[attributes["data-class"]]


def comparison(name: str) -> Comparison:
    """The comparison with a recording, from the build cache."""
    return next(candidate for candidate in comparisons() if candidate.name == name)


def entries_of_keras_libraries(_: Attributes) -> int:
    """The number of layers that were compared with the summaries of keras-bert and bert4keras, which have only BERT."""
    return comparison("keras-bert").entry_count + comparison("bert4keras").entry_count


INTEGERS: dict[str, Callable[[Attributes], int]] = {
    "count": count_of,
    "deviating": lambda a: start_of_bridge(a).number,
    "tensors": number_of_tensors,
    "size": lambda a: model_of(a["data-model"]).sizes[LETTERS[a["data-how"].split()[2]]],
    "dtype": lambda a: BYTES[a["data-dtype"]] * int(a.get("data-copies", 1)),
    "heads": lambda a: int(a["data-heads"]),
    "head-width": lambda a: hidden_size_of(a) // int(a["data-heads"]),
    "head-share": lambda a: hidden_size_of(a) ** 2 // int(a["data-heads"]),
    "all-heads": lambda a: hidden_size_of(a) ** 2,
    "compared": lambda a: comparison(a["data-of"]).entry_count,
    "differences": lambda a: len(comparison(a["data-of"]).differences),
    "all-tensors": lambda _: sum(
        comparison(name).entry_count for name in recordings() if name not in ("keras-bert", "bert4keras")
    ),
    "all-layers": entries_of_keras_libraries,
    # Two releases of transformers were recorded, and the Flax models are part of transformers, too.
    "all-libraries": lambda _: len({*BERT_RECORDINGS} - {"transformers4", "flax"}),
    "all-bert-tensors": lambda _: sum(
        comparison(name).entry_count for name in BERT_RECORDINGS if name not in ("keras-bert", "bert4keras")
    ),
    "all-bert-layers": entries_of_keras_libraries,
    "all-bert-differences": lambda _: sum(len(comparison(name).differences) for name in BERT_RECORDINGS),
    "all-differences": lambda _: sum(len(comparison(name).differences) for name in recordings()),
    "keras-hub": keras_hub_count,
    "marginal": effect_of_one_more,
    "more-heads": lambda _: 0,
    "claims": number_of_claims,
    "all-claims": lambda _: len(CLAIMS),
    "all-agrees": lambda _: [claim.verdict for claim in CLAIMS].count("agrees"),
    "all-differs": lambda _: [claim.verdict for claim in CLAIMS].count("differs"),
    "other": lambda a: load_others()[a["data-model"]].totals[a["data-class"]],
    "resized": resized_count,
    "changed": changed_number,
    "changed-row": elements_of_module,
    "changed-wrong": lambda a: wrong_number_and_error(a)[0],
    "given": lambda a: int(a["data-given"]),
    "activation": activation_bytes,
    "layer-bytes": activation_bytes,
    "outside-bytes": activation_bytes,
    "batch": largest_batch,
    # 4·T²·H equals 8·T·H² at T = 2H, and 8·T·H² + 4·T·H·F at T = 2H + F.
    "overtaken": lambda a: {"self-attention": 2 * 768, "encoder": 2 * 768 + 3072}[a["data-of"]],
    "optimiser": lambda a: optimiser_bytes(
        a["data-optimiser"], a["data-what"], changed_model_of({"data-change": "", **a})
    ),
    "file": lambda a: NUMBERS_OF_FILES[a["data-what"]](start_of_bridge(a)),
    "of-estimate": bytes_of_estimate,
    "operations": operations_number,
    "printed": profiler_number,
    "heads-total": lambda a: count(model_of(a["data-model"]).resized(A=int(a["data-heads"]))),
}
"""Functions that return a whole number, by the kind of the element."""


def wrong_numbers(page: BeautifulSoup) -> list[str]:
    """A message for each element whose value or text differs from the expected one."""
    return [
        f"{element}: expected {expected_value_and_text(element.attrs)}"
        for element in page.find_all("data")
        if (element["value"], element.get_text()) != expected_value_and_text(element.attrs)
    ]


def wrong_sums(page: BeautifulSoup) -> list[str]:
    """A message for each column of integers that does not add up to the total below it."""
    problems = []
    for table in page.find_all("table"):
        if not table.tfoot:
            continue
        rows = table.tbody.find_all("tr") if table.tbody else []
        for column, total in enumerate(numbers_in_row(table.tfoot.tr)):
            if total is None or str(total.get("data-kind")).endswith("share"):
                continue
            cells = [numbers_in_row(row)[column] for row in rows]
            column_sum = sum(int(str(cell["value"])) for cell in cells if cell is not None)
            if column_sum != int(str(total["value"])):
                problems.append(f"{table.caption}: column {column} adds up to {column_sum}, printed {total['value']}")
    return problems


def wrong_rounded_sums(page: BeautifulSoup) -> list[str]:
    """Messages about columns of rounded figures, in tables that do not say "rounded".

    A column of bytes is reported if it does not add up to the total below it. A column of shares is always reported,
    because rounded shares add up only by chance.
    """
    problems = []
    for table in page.find_all("table"):
        caption = table.caption.get_text() if table.caption else ""
        heading = f"{caption} {table.thead.get_text() if table.thead else ''}"
        if not table.tfoot or not table.tbody or "rounded" in heading:
            continue
        for column, total in enumerate(numbers_in_row(table.tfoot.tr)):
            if total is None or total.get("data-kind") not in ("share", "operations-share", "bytes"):
                continue
            column_cells = [numbers_in_row(row)[column] for row in table.tbody.find_all("tr")]
            column_sum = (
                sum(printed_number(cell) for cell in column_cells if cell is not None)
                if total["data-kind"] == "bytes"
                else None
            )
            if column_sum != printed_number(total):
                problems.append(f"{caption}: column {column} adds up to {column_sum}, shown {total.get_text()}")
    return problems


def printed_number(cell: Tag) -> Decimal:
    """The figure in a cell, as printed on the page."""
    return Decimal(cell.get_text().removesuffix("%").replace(",", ""))


def numbers_in_row(row: Tag | None) -> list[Tag | None]:
    """The element with a number in each cell of a row, or None for a cell without a number."""
    assert row
    return [cell.find("data") for cell in row.find_all(["th", "td"], recursive=False)]


SPACED_PERCENT = re.compile(r"[0-9](?: |\u00a0|\u202f|&nbsp;)%")
"""A percent sign after any kind of space."""


def test_there_is_no_space_before_a_percent_sign(pages: Pages) -> None:
    for name, page in pages.items():
        explanations = " ".join(str(number["data-how"]) for number in page.select("data[data-how]"))
        assert not SPACED_PERCENT.search(f"{page.article} {explanations}"), name
    assert SPACED_PERCENT.search("51.8 %")


def test_the_tab_key_stops_only_at_numbers_with_an_explanation(pages: Pages) -> None:
    """Other numbers have nothing to show."""
    for name, page in pages.items():
        for element in page.find_all("data"):
            assert bool(element.get("data-how")) == ("0" == element.get("tabindex")), name
    assert {True, False} == {element.has_attr("data-how") for page in pages.values() for element in page("data")}


EMPTY_EQUATION = re.compile(r"^([0-9,]+ = [0-9,]+)$", re.MULTILINE)
"""A line that is an equation between two numbers, without any operation."""


def test_no_explanation_merely_repeats_its_number(pages: Pages) -> None:
    """A line such as 2 = 2 explains nothing."""
    for name, page in pages.items():
        explanations = "\n".join(str(number["data-how"]) for number in page.select("data[data-how]"))
        assert [] == EMPTY_EQUATION.findall(explanations), name
    assert ["0 = 0", "22,348 = 22,348"] == EMPTY_EQUATION.findall("0\n0 = 0\n22,348 = 22,348\nH = 768\n2 + 2 = 2")


def test_every_table_has_a_caption_an_address_and_a_region(pages: Pages) -> None:
    """The address is an id that a link leads to. The region scrolls, can be focused, and is labelled by the caption."""
    for name, page in pages.items():
        ids = by_id(page)
        for table in page.select("article table.bc"):
            assert table.caption, name
            region = table.find_parent("div", role="region")
            assert region, name
            assert "0" == region["tabindex"]
            label = ids[str(region["aria-labelledby"])]
            assert any(tag is table.caption for tag in (label, *label.parents)), name
            assert not label.find("a", class_="bc-permalink"), name  # the # sign must not be part of the name
            wrapper = region.find_parent("div", class_="bc-table")
            assert wrapper
            assert wrapper.find("a", href=f"#{wrapper['id']}")


def untrue_ties(page: BeautifulSoup) -> list[str]:
    """The rows of tensors that say "tied" but count something, or count nothing and do not say so."""
    rows = [
        (row.get_text(" "), {str(number["value"]) for number in row.select("data")})
        for row in page.select("tr[data-part]")
    ]
    return [text for text, values in rows if ("tied" in text) != (values == {"0"})]


def test_a_tied_tensor_counts_nothing_and_says_so(pages: Pages) -> None:
    """The tied tensors are the weight and the bias of the decoder."""
    assert {} == {name: rows for name, page in pages.items() if (rows := untrue_ties(page))}
    tied_rows = pages["parts/heads.html"].select("tr[data-part]:has(data[value='0'])")
    assert 2 == len(tied_rows)
    assert untrue_ties(BeautifulSoup(str(tied_rows[0]).replace(", tied", ""), "html.parser"))


def test_every_figure_is_described(pages: Pages) -> None:
    assert sum(len(page.select("figure.bc-figure")) for page in pages.values()) >= 12
    for name, page in pages.items():
        ids = by_id(page)
        for figure in page.select("figure.bc-figure"):
            drawing = figure.svg
            assert drawing, name
            # The role "img" would hide the links inside from screen readers; "group" does not.
            assert ("group" if drawing.find("a") else "img") == drawing["role"]
            for id_ in str(drawing["aria-labelledby"]).split():
                label = ids.get(id_)
                assert label, name
                assert label.get_text()
            assert figure.figcaption


@pytest.mark.parametrize(
    ("old", "new"), [(">109,482,240<", ">109,482,241<"), ('value="109482240"', 'value="109482241"')]
)
def test_a_wrong_number_is_noticed(pages_with_questions: Pages, old: str, new: str) -> None:
    page = str(pages_with_questions["index.html"].article)
    assert old in page
    assert not wrong_numbers(BeautifulSoup(page, "html.parser"))
    assert wrong_numbers(BeautifulSoup(page.replace(old, new, 1), "html.parser"))


def test_a_column_that_does_not_add_up_is_noticed(pages_with_questions: Pages) -> None:
    """A column of shares whose heading does not say that they are rounded is noticed, too."""
    page = str(pages_with_questions["index.html"].article)
    assert wrong_sums(BeautifulSoup(page.replace('value="28348416"', 'value="28348417"'), "html.parser"))
    page = str(pages_with_questions["totals/base.html"].article)
    assert wrong_rounded_sums(BeautifulSoup(page.replace("rounded share", "share"), "html.parser"))
