"""Computes every number on every page again, and adds up every table again."""

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
from macros.rendering.tables.memory import FILES
from macros.rendering.tables.training import optimiser_bytes
from tests.docs.conftest import Pages, by_id

CLAIMS = [claim for claims in load_claims().values() for claim in claims]

Attributes = dict[str, Any]

# These recordings are of BERT; the others are of RoBERTa and other relatives.
OF_BERT = ("transformers", "transformers4", "google-bert", "keras-bert", "bert4keras", "keras-hub", "flax")


def engine_question(attributes: Attributes, prefix: str = "data-") -> Question:
    """The question that an element carries: model, class, part, tag and choices."""
    booleans = {"true": True, "false": False}
    return Question(
        model_of(attributes["data-model"]),
        attributes.get("data-class", "BertModel"),
        attributes.get(f"{prefix}part", ""),
        attributes.get(f"{prefix}tag", ""),
        Choices(booleans.get(attributes.get("data-pooler", "")), booleans.get(attributes.get("data-tied", ""))),
    )


def asked_count(attributes: Attributes, prefix: str = "data-") -> int:
    """The count that answers an element's question."""
    return engine_question(attributes, prefix).number


def asked_tensors(attributes: Attributes) -> int:
    """The number of tensors in the model; tied tensors count once."""
    return sum(1 for tensor in tensors(engine_question(attributes)) if not tensor.tied_to)


def with_commas(number: int) -> str:
    """An integer as pages print it."""
    return f"{number:,}".replace("-", "−")


def signed(number: int) -> str:
    """An effect as pages print it."""
    return f"+{with_commas(number)}" if number > 0 else with_commas(number)


def percent(attributes: Attributes) -> tuple[str, str]:
    """A share: the value of its element and its text.

    It has one decimal; if that rounds to zero, the value has two significant digits, and so has the text if asked to.
    """
    if "data-change" in attributes:
        variant = changed_of(attributes)
        text = f"{100 * variant.trainable / variant.number:#.3g}".rstrip(".")
        return text, f"{text}%"
    share = 100 * Fraction(asked_count(attributes), asked_count(attributes, "data-of-"))
    if share < Fraction(1, 20):
        text = f"{float(share):#.2g}"
        return text, f"{text}%" if "data-precisely" in attributes else "under 0.1%"
    return f"{float(share):.1f}", f"{float(share):.1f}%"


def width_of(attributes: Attributes) -> int:
    """The hidden size of an element's model."""
    return model_of(attributes["data-model"]).sizes["H"]


def asked_start(attributes: Attributes) -> Question:
    """The question that a bridge starts from: model, class and deviations."""
    return engine_question(attributes)._replace(deviations=tuple(attributes.get("data-deviations", "").split()))


def asked_step(attributes: Attributes) -> int:
    """One step of the bridge from there to the right total, or to another model's."""
    start = asked_start(attributes)
    end = Question(model_named(attributes.get("data-to") or attributes["data-model"]), start.model_class)
    return bridge(start, end)[int(attributes["data-step"])].value


def rounded(attributes: Attributes) -> tuple[str, str]:
    """A count in millions to the given number of figures, rounded by Decimal independently of the site."""
    number = asked_start(attributes).number if "data-deviations" in attributes else asked_count(attributes)
    exact = Decimal(number) / 10**6
    places = int(attributes["data-figures"]) - 1 - exact.adjusted()
    nearest = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return str(int(nearest * 10**6)), f"{nearest:,f}M"


def claim_text(claim: Claim) -> str:
    """The computed value of a claim, in the claim's own notation."""
    if claim.tensor:
        shapes = {tensor.transformers: tensor.shape for tensor in tensors(Question(claim.model, claim.model_class))}
        return str(shapes[claim.tensor])
    amount = re.fullmatch(r"[\d,]*(?:\.(\d+))? ?([KMG]i?B)", claim.printed)
    if amount:
        return f"{claim.correct_number / UNITS[amount[2]]:,.{max(len(amount[1] or ''), 1)}f} {amount[2]}"
    return with_commas(claim.correct_number)


def one_more(attributes: Attributes) -> int:
    """The parameters that one more of a size adds."""
    model, letter = model_of(attributes["data-model"]), attributes["data-letter"]
    model_class = attributes.get("data-class", "BertModel")
    larger_model = model.resized(**{letter: model.sizes[letter] + 1})
    return count(larger_model, model_class=model_class) - count(model, model_class=model_class)


def claims_of(attributes: Attributes) -> int:
    """The number of a source's claims, or of those with one verdict; of all sources if none is named."""
    sources = [attributes["data-source"]] if "data-source" in attributes else load_claims()
    claims = [claim for source in sources for claim in load_claims()[source]]
    return sum(attributes["data-of"] in ("numbers", claim.verdict) for claim in claims)


def resized_count(attributes: Attributes) -> int:
    """The total of a model with some sizes changed."""
    sizes = dict(assignment.split("=") for assignment in attributes["data-sizes"].split())
    return count(model_of(attributes["data-model"]).resized(**{letter: int(size) for letter, size in sizes.items()}))


LETTERS = {symbol.key: symbol.letter for architecture in ARCHITECTURES.values() for symbol in architecture.symbols}


def asked_operations(attributes: Attributes) -> Operations:
    """The operations for an element's batch. Without a model it is BERT base, which profilers ran."""
    model = {"data-model": "bert-base-uncased", **attributes}
    return Operations(engine_question(model), int(attributes["data-tokens"]), int(attributes.get("data-batch", "1")))


def operations_number(attributes: Attributes) -> int:
    """The operations of an element's kinds and block."""
    kinds = filter(None, attributes.get("data-kinds", "").split(", "))
    cost = int(attributes.get("data-cost", "0"))
    return asked_operations(attributes).number(*kinds, block=attributes.get("data-block", ""), cost=cost)


def operations_share(attributes: Attributes) -> tuple[str, str]:
    """A share of operations, formatted like others; zero is 0%."""
    share = 100 * Fraction(operations_number(attributes), asked_operations(attributes).forward)
    if 0 < share < Fraction(1, 20):
        return f"{float(share):.2g}", "under 0.1%"
    return (f"{float(share):.1f}", f"{float(share):.1f}%") if share else ("0", "0%")


def operations_change(attributes: Attributes) -> tuple[str, str]:
    """A step from the exact number to a profiler's, or the difference of a class from the bare model."""
    exact, eager = asked_operations(attributes), attributes.get("data-attention") == "eager"
    if "data-step" in attributes:
        steps = load_profilers()[attributes["data-profiler"]].steps(exact, eager=eager)
        number = steps[int(attributes["data-step"])].value
    else:
        number = exact.forward - exact._replace(question=Question(exact.question.model)).forward
    return str(number), signed(number)


def error(percent: float) -> tuple[str, str]:
    """A relative error as a value with a sign, and in words."""
    return f"{percent:.2f}", f"{abs(percent):.2f}% too {'high' if percent > 0 else 'low'}"


def rule_of_thumb(attributes: Attributes) -> tuple[str, str]:
    """The relative error, as a percentage, of counting two operations per parameter and token."""
    exact = asked_operations(attributes)
    off = 100 * (Fraction(2 * asked_start(attributes).number * exact.tokens, exact.forward) - 1)
    return error(float(off))


def short_formula(attributes: Attributes) -> tuple[str, str]:
    """The relative error, as a percentage, of a formula for a part, or for what a changed classifier trains."""
    if "data-change" in attributes:
        model = changed_of(attributes)
        exact, sizes = model.trainable, model.sizes
    else:
        exact, sizes = asked_count(attributes), model_named(attributes.get("data-model", "bert-base-uncased")).sizes
    products = [
        prod(sizes.get(factor) or int(factor) for factor in shape.split())
        for shape in attributes["data-rule"].split(", ")
    ]
    off = float(100 * (Fraction(sum(products), exact) - 1))
    return error(off)


def rounding(attributes: Attributes) -> tuple[str, str]:
    """The relative error of a count that is rounded to some figures, as a percentage."""
    exact = asked_count(attributes)
    return error(float(100 * (Fraction(rounded(attributes)[0]) / exact - 1)))


def scales_left_out(attributes: Attributes) -> tuple[str, str]:
    """The relative error of the bytes of packed weights without their scales, as a percentage."""
    model = changed_of(attributes)
    return error(float(-100 * Fraction(model.scales_bytes, model.weights_bytes() + model.scales_bytes)))


def profiler_number(attributes: Attributes) -> int:
    """The number that a profiler prints for BERT base."""
    numbers = load_profilers()[attributes["data-profiler"]].prints(eager=attributes.get("data-attention") == "eager")
    return numbers[LENGTHS.index(int(attributes["data-tokens"]))]


AS_TEXT: dict[str, Callable[[Attributes], tuple[str, str]]] = {
    "share": percent,
    "changed-share": percent,
    "changed-step": lambda a: (str(changed_of(a).number - plain(a)), signed(changed_of(a).number - plain(a))),
    "changed-off": lambda a: (str(mistaken(a)[1]), signed(mistaken(a)[1])),
    "rounded": rounded,
    "operations-share": operations_share,
    "printed-step": operations_change,
    "operations-more": operations_change,
    "ruled-off": rule_of_thumb,
    "rule-off": short_formula,
    "rounding-off": rounding,
    "scales-off": scales_left_out,
}


def expected(attributes: Attributes) -> tuple[str, str]:
    """The value and the text that an element should have."""
    kind = attributes.get("data-kind", "count")
    if kind in AS_TEXT:
        return AS_TEXT[kind](attributes)
    if kind == "effect" and "data-deviations" in attributes:
        number = asked_start(attributes).number - engine_question(attributes).number
        return str(number), signed(number)
    if kind == "effect":
        number = effect(model_of(attributes["data-model"]), attributes["data-deviation"])
        return str(number), signed(number)
    if kind == "deviating":
        number = asked_start(attributes).number
        return str(number), with_commas(number)
    if kind == "step":
        number = asked_step(attributes)
        return str(number), signed(number)
    if kind == "relative-step":
        start, relative = (Question(model_of(attributes[name])) for name in ("data-start", "data-model"))
        number = differences(start, relative)[int(attributes["data-step"])].value
        return str(number), signed(number)
    if kind == "off":
        number = resized_count(attributes) - count(model_named(attributes["data-to"]))
        return str(number), signed(number)
    if kind == "claim":
        source, position = attributes["data-claim"].split("/")
        claim = load_claims()[source][int(position) - 1]
        return str(claim.correct_number), claim_text(claim)
    if kind in IN_BYTES:
        number = IN_BYTES[kind](attributes)
        unit = UNITS[attributes["data-unit"]]
        return str(number), f"{number / unit:,.1f}" if unit > 1 else with_commas(number)
    number = WHOLE[kind](attributes)
    return str(number), with_commas(number)


def changed_of(attributes: Attributes) -> ChangedModel:
    """The changed model of an element."""
    model = model_of(attributes.get("data-model", "bert-base-uncased"))
    return ChangedModel.build(
        Question(model, "BertForSequenceClassification"), attributes.get("data-change", "").split()
    )


def plain(attributes: Attributes) -> int:
    """All parameters of a classifier before the change."""
    return count(model_of(attributes["data-model"]), model_class="BertForSequenceClassification")


def changed_number(attributes: Attributes) -> int:
    """The trainable parameters of a changed model, all of them, or their storage."""
    variant = changed_of(attributes)
    numbers = {"trained": variant.trainable, "all": variant.number, "elements": variant.elements}
    numbers |= {"bytes of weights": variant.weights_bytes(), "bytes of scales": variant.scales_bytes}
    numbers["bytes"] = variant.weights_bytes() + variant.scales_bytes
    return numbers[attributes["data-what"]]


def changed_row(attributes: Attributes) -> int:
    """The elements of all tensors with one name that a change adds, listed one by one."""
    module = re.escape(attributes["data-of"]).replace(re.escape("*"), r"\d+")
    tensors_of_change = changed_of(attributes).listing()
    return sum(prod(shape) for name, shape, _ in tensors_of_change if re.search(rf"(^|\.){module}$", name))


def mistaken(attributes: Attributes) -> tuple[int, int]:
    """The result of a mistake, and its error."""
    mistake = load_mistakes()[attributes["data-mistake"]]
    question = Question(model_of(attributes["data-model"]), "BertForSequenceClassification")
    return mistake.wrong_number(question), mistake.wrong_number(question) - mistake.correct_number(question)


def asked_bytes(attributes: Attributes) -> int:
    """The bytes of some parameters, times the number of their copies."""
    return asked_count(attributes) * BYTES[attributes["data-dtype"]] * int(attributes["data-copies"])


def step_asked(attributes: Attributes) -> TrainingStep:
    """The training step of a number: a classifier in mixed precision, on padded texts, unless it says more."""
    question = Question(model_named(attributes["data-model"]), "BertForSequenceClassification")
    model = ChangedModel.build(question, attributes.get("data-change", "").split())
    way = {"dtype": "bf16", "padded": True, **json.loads(attributes.get("data-way", "{}"))}
    return TrainingStep(model, int(attributes["data-texts"]), int(attributes["data-tokens"]), **way)


def step_bytes(attributes: Attributes) -> int:
    """Some of the bytes of a training step, from the sizes of its parts."""
    step = step_asked(attributes)
    items = {item.name: item.bytes for item in step.items}
    fixed = items["weights"] + items.get("states of the optimiser", 0)
    activations = items["activations"] + items.get("one layer, computed again", 0)
    smaller, larger = (replace(step, examples=examples) for examples in (100, 101))
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
        "fixed": fixed,
        "temporary": items["temporary results, at most"],
        "peak": fixed
        + items["temporary results, at most"]
        + max(activations, items["gradients"] + step.layer_polynomial.value(step.sizes)),
        "gradients-and-states": items["gradients"] + items.get("states of the optimiser", 0),
        "text": sum(item.bytes for item in larger.items) - sum(item.bytes for item in smaller.items),
        "layer": step.layer_polynomial.value(step.sizes),
    }
    numbers_of_step["of-texts"] = numbers_of_step["activations"] - numbers_of_step["copies"]
    return numbers_of_step[attributes["data-what"]]


IN_BYTES = {"bytes": asked_bytes, "step-bytes": step_bytes}


def kept_in_layer(attributes: Attributes) -> int:
    """The bytes of one activation, or of all in a layer or outside them, for one text in float32, all eager."""
    question = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
    step = TrainingStep(ChangedModel.build(question, []), 1, int(attributes["data-tokens"]), attention="eager")
    name, is_in_layer = attributes.get("data-of"), attributes["data-kind"] == "layer-bytes"
    return sum(
        item.one_storage.value(step.sizes)
        for item in step.activations
        if ((item.path, item.contents) == (name, attributes["data-what"]) if name else (item.layers > 0) == is_in_layer)
    )


def largest_batch(attributes: Attributes) -> int:
    """The largest batch whose training step fits into a memory in GiB less a reserve, found by bisection."""
    step, share = step_asked(attributes), 100 - int(attributes["data-reserve"])
    room = int(attributes["data-memory"]) * 2**30 * share // 100
    return bisect_right(range(1, 2**24), room, key=lambda examples: replace(step, examples=examples).peak_bytes)


def keras_hub_count(attributes: Attributes) -> int:
    """The total of a KerasHub class. Its masked-LM model is pre-training without the next-sentence head."""
    model = model_of(attributes["data-model"])
    pretraining = "BertForPreTraining"
    return {
        "BertBackbone": count(model),
        "BertMaskedLM": count(model, model_class=pretraining)
        - count(model, "cls/seq_relationship", model_class=pretraining),
        "BertTextClassifier": count(model, model_class="BertForSequenceClassification"),
    }[attributes["data-class"]]


def comparison(name: str) -> Comparison:
    """The comparison of a recording, from the cache of builds, which `test_compared` holds to the recordings."""
    return next(candidate for candidate in comparisons() if candidate.implementation == name)


WHOLE: dict[str, Callable[[Attributes], int]] = {
    "count": asked_count,
    "tensors": asked_tensors,
    "size": lambda a: model_of(a["data-model"]).sizes[LETTERS[a["data-how"].split()[2]]],
    "dtype": lambda a: BYTES[a["data-dtype"]] * int(a.get("data-copies", 1)),
    "heads": lambda a: int(a["data-heads"]),
    "head-width": lambda a: width_of(a) // int(a["data-heads"]),
    "head-share": lambda a: width_of(a) ** 2 // int(a["data-heads"]),
    "all-heads": lambda a: width_of(a) ** 2,
    "classes": lambda a: comparison(a["data-of"]).classes,
    "models": lambda a: comparison(a["data-of"]).models,
    "compared": lambda a: comparison(a["data-of"]).compared,
    "differences": lambda a: len(comparison(a["data-of"]).differences),
    "all-tensors": lambda _: sum(
        comparison(name).compared for name in recordings() if name not in ("keras-bert", "bert4keras")
    ),
    "all-layers": lambda _: comparison("keras-bert").compared + comparison("bert4keras").compared,
    # transformers was recorded in two releases, and Flax models are part of it.
    "all-libraries": lambda _: len({*OF_BERT} - {"transformers4", "flax"}),
    "all-bert-tensors": lambda _: sum(
        comparison(name).compared for name in OF_BERT if name not in ("keras-bert", "bert4keras")
    ),
    "all-bert-layers": lambda _: comparison("keras-bert").compared + comparison("bert4keras").compared,
    "all-bert-differences": lambda _: sum(len(comparison(name).differences) for name in OF_BERT),
    "all-differences": lambda _: sum(len(comparison(name).differences) for name in recordings()),
    "keras-hub": keras_hub_count,
    "marginal": one_more,
    "more-heads": lambda _: 0,
    "claims": claims_of,
    "all-claims": lambda _: len(CLAIMS),
    "all-agrees": lambda _: [claim.verdict for claim in CLAIMS].count("agrees"),
    "all-differs": lambda _: [claim.verdict for claim in CLAIMS].count("differs"),
    "other": lambda a: load_others()[a["data-model"]].totals[a["data-class"]],
    "resized": resized_count,
    "changed": changed_number,
    "changed-row": changed_row,
    "changed-wrong": lambda a: mistaken(a)[0],
    "given": lambda a: int(a["data-given"]),
    "activation": kept_in_layer,
    "layer-bytes": kept_in_layer,
    "outside-bytes": kept_in_layer,
    "batch": largest_batch,
    # 4·T²·H equals 8·T·H² at T = 2H, and 8·T·H² + 4·T·H·F at T = 2H + F.
    "overtaken": lambda a: {"self-attention": 2 * 768, "encoder": 2 * 768 + 3072}[a["data-of"]],
    "optimiser": lambda a: optimiser_bytes(a["data-optimiser"], a["data-what"], changed_of({"data-change": "", **a})),
    "file": lambda a: FILES[a["data-what"]](asked_start(a)),
    # Source: Korthikanti and others, 34·s·b·h + 5·a·s²·b: two bytes per element, one per element of a mask.
    "of-estimate": lambda a: (
        [66 * 768 * T + 9 * 12 * T**2, 16 * T][int(a["data-what"])] if (T := int(a["data-tokens"])) else 0
    ),
    "operations": operations_number,
    "printed": profiler_number,
    "text-length": lambda a: int(a["value"]),
    "heads-total": lambda a: count(model_of(a["data-model"]).resized(A=int(a["data-heads"]))),
}


def wrong_numbers(page: BeautifulSoup) -> list[str]:
    """Elements whose value or text differs from the computed one."""
    return [
        f"{element}: expected {expected(element.attrs)}"
        for element in page.find_all("data")
        if (element["value"], element.get_text()) != expected(element.attrs)
    ]


def wrong_sums(page: BeautifulSoup) -> list[str]:
    """Columns of integers that do not add up to their total."""
    wrong = []
    for table in page.find_all("table"):
        if not table.tfoot:
            continue
        rows = table.tbody.find_all("tr") if table.tbody else []
        for column, total in enumerate(cells(table.tfoot.tr)):
            if total is None or str(total.get("data-kind")).endswith("share"):
                continue
            column_sum = sum(int(str(cell["value"])) for row in rows if (cell := cells(row)[column]) is not None)
            if column_sum != int(str(total["value"])):
                wrong.append(f"{table.caption}: column {column} adds up to {column_sum}, printed {total['value']}")
    return wrong


def wrong_rounded_sums(page: BeautifulSoup) -> list[str]:
    """Columns of shares, or of memory that does not add up as printed, in tables that do not say "rounded"."""
    wrong = []
    for table in page.find_all("table"):
        caption = table.caption.get_text() if table.caption else ""
        heading = f"{caption} {table.thead.get_text() if table.thead else ''}"
        if not table.tfoot or not table.tbody or "rounded" in heading:
            continue
        for column, total in enumerate(cells(table.tfoot.tr)):
            if total is None or total.get("data-kind") not in ("share", "operations-share", "bytes"):
                continue
            column_cells = [cells(row)[column] for row in table.tbody.find_all("tr")]
            column_sum = (
                sum(as_shown(cell) for cell in column_cells if cell is not None)
                if total["data-kind"] == "bytes"
                else None
            )
            if column_sum != as_shown(total):
                wrong.append(f"{caption}: column {column} adds up to {column_sum}, shown {total.get_text()}")
    return wrong


def as_shown(cell: Tag) -> Decimal:
    """A figure as printed."""
    return Decimal(cell.get_text().removesuffix("%").replace(",", ""))


def cells(row: Tag | None) -> list[Tag | None]:
    """The number in each cell of a row, or None."""
    assert row
    return [cell.find("data") for cell in row.find_all(["th", "td"], recursive=False)]


def test_no_space_stands_before_a_percent_sign(pages: Pages) -> None:
    """No space stands before a percent sign, in text, explanations and figures."""
    for name, page in pages.items():
        hidden = " ".join(str(number["data-how"]) for number in page.select("data[data-how]"))
        assert not SPACED_PERCENT.search(f"{page.article} {hidden}"), name
    assert SPACED_PERCENT.search("51.8 %")


SPACED_PERCENT = re.compile(r"[0-9](?: |\u00a0|\u202f|&nbsp;)%")


def test_every_number_with_a_working_can_be_reached(pages: Pages) -> None:
    """A number with a working can be reached by keyboard; one without takes no stop of the Tab key."""
    for name, page in pages.items():
        for element in page.find_all("data"):
            assert bool(element.get("data-how")) == ("0" == element.get("tabindex")), name
    assert {True, False} == {element.has_attr("data-how") for page in pages.values() for element in page("data")}


def test_no_working_merely_repeats_its_number(pages: Pages) -> None:
    """No line of a working says that a number is itself, as in 2 = 2."""
    for name, page in pages.items():
        working = "\n".join(str(number["data-how"]) for number in page.select("data[data-how]"))
        assert [] == REPEATED.findall(working), name
    assert ["0 = 0", "22,348 = 22,348"] == REPEATED.findall("0\n0 = 0\n22,348 = 22,348\nH = 768\n2 + 2 = 2")


REPEATED = re.compile(r"^([0-9,]+ = [0-9,]+)$", re.MULTILINE)


def test_every_table_has_caption_address_and_region(pages: Pages) -> None:
    """Every table has a caption, an id with a link to it, and a region that scrolls and can be focused."""
    for name, page in pages.items():
        ids = by_id(page)
        for table in page.select("article table.bc"):
            assert table.caption, name
            region = table.find_parent("div", role="region")
            assert region, name
            assert "0" == region["tabindex"]
            words = ids[str(region["aria-labelledby"])]
            assert any(tag is table.caption for tag in (words, *words.parents)), name
            assert not words.find("a", class_="bc-permalink"), name  # the sign has a name of its own
            outer = region.find_parent("div", class_="bc-table")
            assert outer
            assert outer.find("a", href=f"#{outer['id']}")


def untrue_ties(page: BeautifulSoup) -> list[str]:
    """Rows of tensors that say "tied" but count something, or count nothing but do not say "tied"."""
    rows = [
        (row.get_text(" "), {str(number["value"]) for number in row.select("data")})
        for row in page.select("tr[data-part]")
    ]
    return [text for text, values in rows if ("tied" in text) != (values == {"0"})]


def test_a_tied_tensor_counts_nothing_and_says_so(pages: Pages) -> None:
    """Only the decoder's weight and bias are tied, and their rows say so; a row that does not say so is found."""
    assert {} == {name: rows for name, page in pages.items() if (rows := untrue_ties(page))}
    tied_rows = pages["parts/heads.html"].select("tr[data-part]:has(data[value='0'])")
    assert 2 == len(tied_rows)
    assert untrue_ties(BeautifulSoup(str(tied_rows[0]).replace(", tied", ""), "html.parser"))


def test_every_figure_is_described(pages: Pages) -> None:
    """Every figure has a title and a description for screen readers, and a caption for everyone."""
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
def test_a_wrong_number_is_found(pages_with_questions: Pages, old: str, new: str) -> None:
    """A changed text and a changed value are both found."""
    page = str(pages_with_questions["index.html"].article)
    assert old in page
    assert not wrong_numbers(BeautifulSoup(page, "html.parser"))
    assert wrong_numbers(BeautifulSoup(page.replace(old, new, 1), "html.parser"))


def test_a_column_that_does_not_add_up_is_found(pages_with_questions: Pages) -> None:
    """A changed integer is found, and so is a column of rounded shares whose heading does not say so."""
    page = str(pages_with_questions["index.html"].article)
    assert wrong_sums(BeautifulSoup(page.replace('value="28348416"', 'value="28348417"'), "html.parser"))
    page = str(pages_with_questions["totals/base.html"].article)
    assert wrong_rounded_sums(BeautifulSoup(page.replace("rounded share", "share"), "html.parser"))
