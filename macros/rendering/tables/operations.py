"""Tables of operations: by block, by length, what profilers print, and rules of thumb."""

from __future__ import annotations

from html import escape

from macros.counting import Question, count, model_named
from macros.counting.disagreements.profilers import LENGTHS, Profiler, load_profilers
from macros.counting.operations import ATTENTION, DENSE, OTHERS, Operations, longest
from macros.counting.sum_lines import in_numbers

from ..elements import formulas, numbers, words
from ..elements import operations as shown
from ..elements.asking import BASE, SHORT
from ..elements.operations import TOKENS, operations_of
from ..elements.permalinks import permalink
from ..elements.tables import NUMERIC, PROSE, WORD, Column, code, numeric, table
from .parts import block_label

OF_POSITIONS = (1, 2, 4, 8, 16, 24, 32)
"""Lengths of texts in 32nds of the positions: those that people fine-tune and measure with."""


def texts() -> tuple[int, ...]:
    """The lengths in tables by length: a single token, and parts of the positions."""
    positions = longest(Question(model_named(BASE)))
    return (1, *(positions * each // OF_POSITIONS[-1] for each in OF_POSITIONS))


def by_block(name: str) -> str:
    """Base block by block: parameters and operations, and the share of these."""
    asked = Question(model_named(BASE))
    operations = Operations(asked, TOKENS)
    columns = [Column("part"), *numeric("parameters", "operations", "rounded share of operations")]
    rows = [
        [
            block_label(block),
            numbers.counted(asked.at(tag=block)),
            shown.computed(operations, block=block),
            shown.share(operations, block=block),
        ]
        for block in words.blocks_of(asked)
    ]
    foot = [words.TOTAL.line, numbers.counted(asked), shown.computed(operations), shown.share(operations)]
    caption = f"{asked.model.title}, part by part: parameters, and operations on one text of {TOKENS} tokens"
    return table(name, caption, columns, rows, foot)


def lengths(name: str) -> str:
    """Base and large by the length of the text, with what attention's own products are of base."""
    columns = numeric("tokens", "base", "of these, attention's products", "large")
    rows = []
    for tokens in texts():
        base, large = (operations_of(model, "", tokens) for model in SHORT)
        rows.append(
            [
                str(tokens),
                shown.computed(base),
                shown.computed(base, ATTENTION),
                shown.computed(large),
            ]
        )
    return table(name, "Operations on one text, by its length; BertModel, matrix products", columns, rows) + _longer()


def _longer() -> str:
    """When attention's square overtakes the rest, and a slider for longer texts than base reads, shown by a script."""
    operations = operations_of(BASE, "", TOKENS)
    most, tokens = longest(operations.asked), TOKENS
    square = operations.number(ATTENTION) // tokens**2
    attention, inner = (operations.number(DENSE, block=each) // tokens for each in ("self-attention", "feed-forward"))
    parts = [
        ("attention's products", "self-attention", (0, 0, square)),
        ("attention's projections", "self-attention", (0, attention, 0)),
        ("feed-forward networks", "feed-forward", (0, inner, 0)),
        ("pooler", "pooler", (operations.number(block="pooler"), 0, 0)),
    ]
    items = "".join(
        f'<li class="bc-{style}">{escape(label)} <output for="length-tokens" aria-live="off" data-fixed="{fixed}"'
        f' data-each="{each}" data-square="{by}">{numbers.whole(fixed + most * (each + most * by))}</output></li>'
        for label, style, (fixed, each, by) in [("tokens", "length", (0, 1, 0)), *parts]
    )
    step = most // len(parts)
    overtaken = [
        numbers.in_full(
            each // square,
            f"{numbers.whole(each)} ÷ {numbers.whole(square)} = {numbers.whole(each // square)}",
            kind="overtaken",
            of=of,
        )
        for of, each in (("self-attention", attention), ("encoder", attention + inner))
    ]
    return (
        f"<p>Beyond these lengths, attention's products would overtake its projections at {overtaken[0]} tokens, "
        f"and all the dense layers of the encoder at {overtaken[1]}.</p>"
        '<form class="bc-question bc-follows" id="length-form" hidden data-search-exclude><p class="bc-field">'
        '<label for="length-tokens">Length of the text, if base had as many positions</label>'
        f'<input id="length-tokens" type="range" min="{step}" max="{16 * most}" step="{step}" value="{most}"></p>'
        f'<ul class="bc-shares">{items}</ul></form>'
    )


READ = {False: "every token", True: "the first token"}
"""What a head reads, by whether that is one vector per text."""


def classes(name: str) -> str:
    """Every class of base, on one text: what the heads add."""
    columns = [Column("class"), *numeric("operations", "compared with the bare model"), Column("the head reads", WORD)]
    architecture = model_named(BASE).architecture
    bare = operations_of(BASE, "", TOKENS)
    rows = []
    for each in architecture.classes:
        operations = operations_of(BASE, each.name, TOKENS)
        heads = {
            row.path.startswith(architecture.one_per_text)
            for row in operations.asked.rows
            if not row.path.startswith("bert/")
        }
        reads = " and ".join(READ[per_text] for per_text in sorted(heads)) or "no head"
        more = operations.forward - bare.forward
        how = f"{numbers.whole(operations.forward)} − {numbers.whole(bare.forward)} = {numbers.whole(more)}"
        question = shown.question_of(operations)
        difference = numbers.data(more, numbers.signed(more), how, kind="operations-more", **question)
        rows.append([code(each.name), shown.computed(operations), difference, reads])
    return table(name, f"The classes of base, on one text of {TOKENS} tokens", columns, rows)


def other_kinds(name: str) -> str:
    """What is no matrix product, kind by kind."""
    operations = operations_of(BASE, "", TOKENS)
    columns = [Column("kind"), Column("operations", NUMERIC), Column("in letters")]
    rows = [
        [escape(kind), shown.computed(operations, kind), formulas.inline(operations.polynomial(kind))]
        for kind in OTHERS
    ]
    foot = [words.TOTAL.line, shown.computed(operations, *OTHERS), ""]
    caption = f"What the numbers leave out, for base and one text of {TOKENS} tokens"
    return table(name, caption, columns, rows, foot)


def worked(name: str) -> str:
    """The operations of base on one text, line by line."""
    operations = operations_of(BASE, "", TOKENS)
    tokens, width, inner, depth = (operations.sizes[letter] for letter in "THFL")
    projections = in_numbers((4, 2, tokens, width, width))
    products = in_numbers((2, 2, tokens, tokens, width))
    attention = in_numbers(projections.result, products.result)
    feed_forward = in_numbers((2, 2, tokens, width, inner))
    layer = in_numbers(attention.result, feed_forward.result)
    layers = in_numbers((depth, layer.result))
    pooler = in_numbers((2, width, width))
    sums = {
        "query, key, value and output": projections,
        "the scores and the mix of values": products,
        "attention of one layer": attention,
        "feed-forward network of one layer": feed_forward,
        "one layer": layer,
        "all layers": layers,
        "pooler, on the first token": pooler,
        "the total": in_numbers(layers.result, pooler.result),
    }
    worked_lines = {what: f"{line}</b>".replace(" = ", " = <b>") for what, line in sums.items()}
    asked = f'data-model="{BASE}" data-tokens="{tokens}" data-result="{numbers.whole(operations.forward)} operations"'
    head = f"<p>For base and one text of {tokens} tokens, line by line:&nbsp;{permalink(name, 'sum')}</p>"
    letters = f"<p>In letters, for B texts of T tokens each:</p>{formulas.alone(operations.polynomial())}"
    return f'<div id="{name}">{head}{numbers.steps(worked_lines, asked)}{letters}</div>'


def profilers(name: str) -> str:
    """What each profiler prints of base, by default and with attention written out, and why."""
    columns = [
        Column("profiler"),
        *numeric("by default", "eager attention"),
        Column("why", PROSE),
    ]
    rows = [
        [
            _named(each),
            *(_printed(key, each, eager=eager) for eager in (False, True)),
            escape(each.why),
        ]
        for key, each in load_profilers().items()
    ]
    return table(
        name,
        f"What profilers print of BertModel base and one text of {TOKENS} tokens, and what they call it",
        columns,
        rows,
        row_ids=[f"profiler-{key}" for key in load_profilers()],
    )


def _named(profiler: Profiler) -> str:
    """A profiler with what it calls its number, and its version."""
    called = f'<span class="bc-purpose">{escape(profiler.calls)},</span> <code>{escape(profiler.version)}</code>'
    return f'<span class="bc-title">{escape(profiler.title)}</span><br>{called}'


def _printed(key: str, profiler: Profiler, *, eager: bool, tokens: int = TOKENS) -> str:
    number = profiler.prints(eager=eager)[LENGTHS.index(tokens)]
    exact = operations_of(BASE, "", tokens)
    steps = profiler.steps(exact, eager=eager)
    line = " ".join([numbers.whole(exact.forward), *(_signed(each.value) for each in steps)])
    how = f"{line} = {numbers.whole(number)}"
    attention = "eager" if eager else None
    return numbers.in_full(number, how, kind="printed", profiler=key, attention=attention, tokens=tokens)


def _signed(value: int) -> str:
    return f"{numbers.MINUS if value < 0 else '+'} {numbers.whole(abs(value))}"


def bridges(name: str) -> str:
    """From the exact number to each that is printed: one row a profiler and attention, the steps one by one."""
    exact = operations_of(BASE, "", TOKENS)
    columns = [Column("profiler"), Column("steps from the exact number"), Column("prints", NUMERIC)]
    rows = [
        [
            f"{escape(each.title)}{', eager' if eager else ''}",
            _steps(key, each, exact, eager=eager),
            _printed(key, each, eager=eager),
        ]
        for key, each in load_profilers().items()
        for eager in ([False, True] if each.eager else [False])
    ]
    caption = f"From {numbers.whole(exact.forward)} to what each prints of one text of {TOKENS} tokens, step by step"
    # What these steps say, the table before them says in words; a search need not find both.
    return f"<section data-search-exclude>{table(name, caption, columns, rows)}</section>"


def _steps(key: str, profiler: Profiler, exact: Operations, *, eager: bool) -> str:
    """The steps of a bridge in one cell, each with what it changes."""
    cells, here = [], exact.forward
    for place, step in enumerate(profiler.steps(exact, eager=eager)):
        line = f"{numbers.whole(here)} {_signed(step.value)} = {numbers.whole(here + step.value)}"
        here += step.value
        kept = {"profiler": key, "attention": "eager" if eager else None, "tokens": TOKENS, "step": place}
        sides = step.letters.formula(), step.letters.working(exact.sizes)
        letters, working = (f"{numbers.MINUS}({side})" if step.value < 0 else side for side in sides)
        how = f"{letters}\n{working} = {numbers.whole(step.value)}\n{line}"
        change = numbers.data(step.value, numbers.signed(step.value), how, kind="printed-step", **kept)
        cells.append(f"{escape(step.title)}: {change}")
    return ";<br>".join(cells) or "none: it is exact"


RULES = {
    "2N, all parameters": "",
    "2N without the tables": "embeddings-excluded",
    "2N, N = 12·L·H²": "twelve-l-h-squared",
}
"""What people take for N, and the deviation that counts it; the last is that of Kaplan and others."""


def rules(name: str) -> str:
    """How far twice the parameters per token is from the exact number, for each way to count them."""
    columns = numeric("tokens", "exact", *RULES)
    rows = []
    for tokens in texts():
        exact = operations_of(BASE, "", tokens)
        off = [_off(exact, deviation) for deviation in RULES.values()]
        rows.append([str(tokens), shown.computed(exact), *off])
    return table(name, "How far 2N operations per token are from the exact number; BertModel base", columns, rows)


def _off(exact: Operations, deviation: str) -> str:
    """By how many per cent a rule of thumb is too high, which counts parameters in one way."""
    parameters = count(exact.asked.model, deviations=[deviation] if deviation else [])
    ruled = 2 * parameters * exact.tokens
    off = 100 * (ruled - exact.forward) / exact.forward
    text = f"{off:+.2f}%".replace("-", numbers.MINUS)
    of = numbers.whole(exact.forward)
    how = (
        f"2 × {numbers.whole(parameters)} × {exact.tokens} = {numbers.whole(ruled)}\n"
        f"({numbers.whole(ruled)} − {of}) ÷ {of} ≈ {text.lstrip('+')}"
    )
    asked = {"model": exact.asked.model.name, "tokens": exact.tokens, "deviations": deviation}
    return numbers.data(f"{off:.2f}", text, how, kind="ruled-off", **asked)
