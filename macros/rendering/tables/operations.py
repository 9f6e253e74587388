"""Macros for the page about operations: counts by kind, block and length, profilers' numbers, and a rule of thumb.

By default, all numbers are for BERT base and one text of `DEFAULT_LENGTH` tokens. An unknown kind, block, class or
deviation raises a `CountingError`.
"""

from __future__ import annotations

from html import escape

from macros.counting import BERT, Polynomial, Question, model_named
from macros.counting.errors import entry_of
from macros.counting.messages import and_list
from macros.counting.operations import ATTENTION, COSTS, DENSE, OTHER_KINDS, TEXTS, TOKENS, Operations, max_tokens
from macros.counting.polynomials import sum_text
from macros.counting.published.profilers import LENGTHS, Profiler, load_profilers
from macros.counting.sum_lines import plain_line

from ..components import formulas, numbers, words
from ..components import operations as operation_numbers
from ..components.asking import BASE, ask
from ..components.operations import DEFAULT_LENGTH, operations_of
from ..components.rows import lines
from ..components.steps import value_of_step
from .parts import block_label

LENGTHS_IN_32NDS = (1, 2, 4, 8, 16, 24, 32)
"""Common text lengths in fine-tuning and benchmarks, as 32nds of the number of positions."""


def lengths() -> tuple[int, ...]:
    """The text lengths in tables: a single token, then fractions of the number of positions up to all of them."""
    positions = max_tokens(Question(model_named(BASE)))
    return (1, *(positions * part // LENGTHS_IN_32NDS[-1] for part in LENGTHS_IN_32NDS))


def operation_count(
    *kinds: str,
    block: str = "",
    model: str = BASE,
    model_class: str = "",
    tokens: int = DEFAULT_LENGTH,
) -> str:
    """The number of operations on one text: `operations.count("softmax", tokens=8)`.

    Args:
        kinds: names from `PRODUCTS` and `OTHER_KINDS` in `macros.counting.operations`; by default, all matrix products.
        block: a block such as `"feed-forward"`; empty for the whole model.
        model: the name of a published model.
        model_class: the class to count; empty for the bare model.
        tokens: the length of the text.

    Raises:
        CountingError: there is no kind, block, model or class with that name, or the text is too long for the model.
    """
    operations = operations_of(model, model_class, tokens)
    checked_block = _checked_block(block) if block else ""
    return operation_numbers.number_of(operations, *map(_checked_kind, kinds), block=checked_block)


def block_link(block: str) -> str:
    """The colour key of a block, and its name as a link to the page about the block."""
    return block_label(_checked_block(block))


def share(block: str = "") -> str:
    """The share of a block in all matrix products of BERT base; without a block, that of the whole model."""
    return operation_numbers.share(
        operations_of(BASE, "", DEFAULT_LENGTH), block=_checked_block(block) if block else ""
    )


def in_letters(kind: str) -> str:
    """The formula of the operations of one kind."""
    return formulas.inline(operations_of(BASE, "", DEFAULT_LENGTH).polynomial(_checked_kind(kind)))


def _checked_kind(name: str) -> str:
    """`name` itself, if it is a kind of operation.

    Raises:
        CountingError: there is no such kind.
    """
    entry_of(COSTS, "kind of operation", name)
    return name


def _checked_block(name: str) -> str:
    """`name` itself, if it is a block.

    Raises:
        CountingError: there is no such block.
    """
    entry_of(words.BLOCKS, "block", name)
    return name


BLOCKS_OF_DENSE_LAYERS = {"self-attention": ("self-attention",), "encoder": ("self-attention", "feed-forward")}
"""The blocks whose dense layers are compared with attention's products, by the argument of `crossover`."""


def _per_pair(operations: Operations) -> Polynomial:
    """The operations of attention's products per pair of tokens, as a symbolic formula."""
    return operations.polynomial(ATTENTION).without_letters((TEXTS, TOKENS))


def _per_token(operations: Operations, *blocks: str) -> Polynomial:
    """The operations per token of the dense layers in some blocks, as a symbolic formula."""
    polynomial = Polynomial.total(operations.polynomial(DENSE, block=block) for block in blocks)
    return polynomial.without_letters((TEXTS, TOKENS))


def crossover(layers: str) -> str:
    """The text length at which attention's products take as many operations as the given dense layers.

    The products grow with the square of the length and the dense layers with the length itself, so this length is the
    quotient of their coefficients.

    Args:
        layers: `"self-attention"` for attention's own projections, or `"encoder"` for all dense layers of the encoder.

    Raises:
        CountingError: `layers` is neither of these.
    """
    operations = operations_of(BASE, "", DEFAULT_LENGTH)
    sizes = operations.sizes
    per_token = _per_token(operations, *entry_of(BLOCKS_OF_DENSE_LAYERS, "dense layers", layers))
    per_pair = _per_pair(operations)
    length = per_token.value(sizes) // per_pair.value(sizes)
    working_lines = [
        f"for each token: {numbers.working_of(per_token, sizes, has_formula=False)}",
        f"for each pair of tokens: {numbers.working_of(per_pair, sizes, has_formula=False)}",
        f"{numbers.whole(per_token.value(sizes))} ÷ {numbers.whole(per_pair.value(sizes))} = {numbers.whole(length)}",
    ]
    return numbers.in_full(length, "\n".join(working_lines), kind="overtaken", of=layers)


MAX_MULTIPLE = 16
"""The maximum length on the slider as a multiple of BERT base's positions: 8,192 tokens, the maximum of ModernBERT."""

STOPS_PER_MULTIPLE = 4
"""The number of stops of the slider per multiple. The maximum length of BERT base is one of the stops."""


def length_form() -> str:
    """A slider for the text length that goes beyond the maximum of BERT base; a script shows and reads it.

    Each output has the coefficients of a polynomial in the length: `data-fixed`, `data-each` and `data-square`.
    """
    operations = operations_of(BASE, "", DEFAULT_LENGTH)
    longest = max_tokens(operations.question)
    per_pair = _per_pair(operations).value(operations.sizes)
    projections, feed_forward = (
        _per_token(operations, block).value(operations.sizes) for block in BLOCKS_OF_DENSE_LAYERS["encoder"]
    )
    parts = [
        ("attention's products", "self-attention", (0, 0, per_pair)),
        ("attention's projections", "self-attention", (0, projections, 0)),
        ("feed-forward networks", "feed-forward", (0, feed_forward, 0)),
        ("pooler", "pooler", (operations.number(block="pooler"), 0, 0)),
    ]
    items = "".join(
        f'<li class="bc-{style}">{escape(label)} <output for="length-tokens" aria-live="off" data-fixed="{fixed}"'
        f' data-each="{linear}" data-square="{square}">{numbers.whole(fixed + longest * (linear + longest * square))}'
        "</output></li>"
        for label, style, (fixed, linear, square) in [("tokens", "length", (0, 1, 0)), *parts]
    )
    step = longest // STOPS_PER_MULTIPLE
    return (
        '<form class="bc-question bc-follows" id="length-form" hidden data-search-exclude><p class="bc-field">'
        '<label for="length-tokens">Tokens in the text</label>'
        f'<input id="length-tokens" type="range" min="{step}" max="{MAX_MULTIPLE * longest}" step="{step}"'
        f' value="{longest}"></p>'
        f'<ul class="bc-shares">{items}</ul></form>'
    )


INPUT_OF_HEADS = {False: "every token", True: "the pooler's output"}
"""The wording for what a head reads; the key is True for heads that read one vector per text."""


def head_adds(model_class: str) -> str:
    """The signed difference in operations between a class and the bare model."""
    bare_model = operations_of(BASE, "", DEFAULT_LENGTH)
    operations = operations_of(BASE, model_class, DEFAULT_LENGTH)
    difference = operations.forward - bare_model.forward
    working = f"{numbers.whole(operations.forward)} − {numbers.whole(bare_model.forward)} = {numbers.whole(difference)}"
    return numbers.data(
        difference,
        numbers.with_sign(difference),
        working,
        kind="operations-more",
        **operation_numbers.question_attributes(operations),
    )


def head_reads(model_class: str) -> str:
    """The input of the heads of a class: "every token", "the pooler's output" or "no head".

    For BertForPreTraining, the text names what each head reads.
    """
    question = ask(model_class=model_class)
    per_text_flags = {
        row.path.startswith(question.architecture.per_text_layers)
        for row in question.rows
        if not row.path.startswith("bert/")
    }
    if len(per_text_flags) > 1:
        return f"{INPUT_OF_HEADS[False]}; for next sentence, {INPUT_OF_HEADS[True]}"
    return next((INPUT_OF_HEADS[is_per_text] for is_per_text in per_text_flags), "no head")


def worked_operations() -> str:
    """The operations of BERT base on one text, worked out line by line, followed by the formula for any batch."""
    operations = operations_of(BASE, "", DEFAULT_LENGTH)
    tokens, width, inner_width, depth = (operations.sizes[letter] for letter in "THFL")
    # The factor 2 in each product is the two operations of a multiply-add.
    projections = plain_line((4, 2, tokens, width, width))
    products = plain_line((2, 2, tokens, tokens, width))
    attention = plain_line(projections.result, products.result)
    feed_forward = plain_line((2, 2, tokens, width, inner_width))
    layer = plain_line(attention.result, feed_forward.result)
    layers = plain_line((depth, layer.result))
    pooler = plain_line((2, width, width))
    sums = {
        "query, key, value and output": projections,
        "the scores and the mix of values": products,
        "attention of one layer": attention,
        "feed-forward network of one layer": feed_forward,
        "one layer": layer,
        "all layers": layers,
        "pooler, on the first token": pooler,
        "the total": plain_line(layers.result, pooler.result),
    }
    # Results are in bold, as in other sums.
    html_lines = {label: f"{line}</b>".replace(" = ", " = <b>") for label, line in sums.items()}
    attributes = (
        f'data-model="{BASE}" data-tokens="{tokens}" data-result="{numbers.whole(operations.forward)} operations"'
    )
    title = f"For BERT base and one text of {tokens} tokens, line by line"
    formula = f"<p>As a formula, for B texts of T tokens each:</p>{formulas.without_meanings(operations.polynomial())}"
    return numbers.titled_sum("operations-worked", title, html_lines, attributes, formula)


def profiler_rows() -> str:
    """Rows for profilers: the numbers that they print for BERT base, by default and with eager attention."""
    profilers_by_key = load_profilers()
    return lines(
        [
            [
                _label(profiler),
                *(_printed_number(key, profiler, is_eager=is_eager) for is_eager in (False, True)),
                escape(profiler.why),
            ]
            for key, profiler in profilers_by_key.items()
        ],
        ids=[f"profiler-{key}" for key in profilers_by_key],
    )


def profilers_without_products() -> str:
    """The profilers that do not count attention's products, even if attention is computed step by step."""
    return and_list(
        [
            escape(profiler.title)
            for profiler in load_profilers().values()
            if ATTENTION not in profiler.prices(is_eager=True)
        ]
    )


def _label(profiler: Profiler) -> str:
    """The title of a profiler, with the name of its number and its version."""
    unit = f'<span class="bc-purpose">{escape(profiler.name_of_number)},</span> <code>{escape(profiler.version)}</code>'
    return f'<span class="bc-title">{escape(profiler.title)}</span><br>{unit}'


def _printed_number(key: str, profiler: Profiler, *, is_eager: bool) -> str:
    """The number that a profiler prints, worked out from the exact number by the profiler's steps."""
    number = profiler.printed_numbers(is_eager=is_eager)[LENGTHS.index(DEFAULT_LENGTH)]
    exact_operations = operations_of(BASE, "", DEFAULT_LENGTH)
    steps = profiler.steps(exact_operations, is_eager=is_eager)
    addends = sum_text(map(numbers.whole, (exact_operations.forward, *(step.value for step in steps))))
    working = f"{addends} = {numbers.whole(number)}" if steps else f"the exact number: {addends}"
    attention = "eager" if is_eager else None
    return numbers.in_full(number, working, kind="printed", profiler=key, attention=attention, tokens=DEFAULT_LENGTH)


def bridge_rows() -> str:
    """Rows of steps from the exact number to the printed one.

    Each profiler has one row, and another one for eager attention if it then prints a different number.
    """
    exact_operations = operations_of(BASE, "", DEFAULT_LENGTH)
    rows = []
    for key, profiler in load_profilers().items():
        implementations = (False, True) if profiler.eager_prices else (False,)
        for is_eager in implementations:
            title = escape(profiler.title) + (", eager" if is_eager else "")
            steps = _steps(key, profiler, exact_operations, is_eager=is_eager)
            rows.append([title, steps, _printed_number(key, profiler, is_eager=is_eager)])
    return lines(rows)


def _steps(key: str, profiler: Profiler, exact_operations: Operations, *, is_eager: bool) -> str:
    """The steps from the exact number to the profiler's, in one cell, each with its value."""
    steps = []
    for index, step in enumerate(profiler.steps(exact_operations, is_eager=is_eager)):
        attributes = {
            "profiler": key,
            "attention": "eager" if is_eager else None,
            "tokens": DEFAULT_LENGTH,
            "step": index,
        }
        value = value_of_step(step, step.sum, kind="printed-step", **attributes)
        steps.append(f"{escape(step.name)}: {value}")
    return ";<br>".join(steps) or "none: it is exact"


def rule_error(deviation: str = "", tokens: int = DEFAULT_LENGTH) -> str:
    """The error of the rule of thumb "2N operations per token", as a percentage in words.

    N is the number of all parameters, or the number that results from a deviation.
    """
    exact_operations = operations_of(BASE, "", tokens)
    question = exact_operations.question._replace(deviations=(deviation,) if deviation else ())
    parameters = question.number
    estimate = 2 * parameters * exact_operations.tokens
    percent = 100 * (estimate - exact_operations.forward) / exact_operations.forward
    text, signed_text = numbers.error(percent)
    exact_text = numbers.whole(exact_operations.forward)
    working = (
        f"{numbers.in_brief(question)}\n"
        f"2 × {numbers.whole(parameters)} × {exact_operations.tokens} = {numbers.whole(estimate)}\n"
        f"{operation_numbers.in_brief(exact_operations)}\n"
        f"({numbers.whole(estimate)} − {exact_text}) ÷ {exact_text} ≈ {signed_text}\n"
        f"shown as {text}"
    )
    attributes = {
        "model": exact_operations.question.model.name,
        "tokens": exact_operations.tokens,
        "deviations": deviation,
    }
    return numbers.data(f"{percent:.2f}", text, working, kind="ruled-off", **attributes)


TOPIC: dict[str, object] = {
    "lengths": lengths(),
    "other_kinds": OTHER_KINDS,
    "classes": tuple(model_class.name for model_class in BERT.classes),
    "link": block_link,
    "count": operation_count,
    "share": share,
    "in_letters": in_letters,
    "worked": worked_operations,
    "crossover": crossover,
    "length_form": length_form,
    "head_adds": head_adds,
    "head_reads": head_reads,
    "profilers": profiler_rows,
    "without_products": profilers_without_products,
    "bridges": bridge_rows,
    "rule_error": rule_error,
}
"""Macros for the page about operations, and the lengths, kinds and classes that it lists."""
