"""Operations: macros of the page about them, by block, by length, what profilers print, and rules of thumb."""

from __future__ import annotations

from html import escape

from macros.counting import BERT, Question, count, model_named
from macros.counting.errors import entry_of
from macros.counting.operations import ATTENTION, COSTS, DENSE, OTHERS, Operations, longest
from macros.counting.polynomials import added
from macros.counting.published.profilers import LENGTHS, Profiler, load_profilers
from macros.counting.sum_lines import in_numbers

from ..components import formulas, numbers, words
from ..components import operations as shown
from ..components.asking import BASE, ask
from ..components.operations import TOKENS, operations_of
from ..components.permalinks import permalink
from ..components.rows import lines
from ..components.steps import change_of
from .parts import block_label

OF_POSITIONS = (1, 2, 4, 8, 16, 24, 32)
"""Lengths of texts in 32nds of the positions: those that people fine-tune and measure with."""


def lengths() -> tuple[int, ...]:
    """The lengths in tables by length: a single token, and parts of the positions."""
    positions = longest(Question(model_named(BASE)))
    return (1, *(positions * each // OF_POSITIONS[-1] for each in OF_POSITIONS))


def counted(
    *kinds: str,
    block: str = "",
    model: str = BASE,
    model_class: str = "",
    tokens: int = TOKENS,
) -> str:
    """Operations on one text: `count("softmax", tokens=8)`; without kinds, those of all matrix products.

    Args:
        kinds: some of `PRODUCTS` and `OTHERS` in `macros.counting.operations`.
        block: the only block that is counted, such as `"feed-forward"`.
        model: the name of a published model.
        model_class: the bare model if not given.
        tokens: the length of the text.

    Raises:
        CountingError: no kind or block of that name.
    """
    operations = operations_of(model, model_class, tokens)
    return shown.computed(operations, *map(_kind, kinds), block=block and _block(block))


def link(block: str) -> str:
    """A block with its colour, as a link to the page about it."""
    return block_label(_block(block))


def share(block: str = "") -> str:
    """The share of a block in the operations of base."""
    return shown.share(operations_of(BASE, "", TOKENS), block=block and _block(block))


def in_letters(kind: str) -> str:
    """The operations of one kind, in letters."""
    return formulas.inline(operations_of(BASE, "", TOKENS).polynomial(_kind(kind)))


def _kind(name: str) -> str:
    """The name of a kind of operations.

    Raises:
        CountingError: there is none.
    """
    entry_of(COSTS, "kind of operations", name)
    return name


def _block(name: str) -> str:
    """The name of a block.

    Raises:
        CountingError: there is none.
    """
    entry_of(words.BLOCKS, "block", name)
    return name


DENSE_IN = {"self-attention": ("self-attention",), "encoder": ("self-attention", "feed-forward")}
"""The blocks whose dense layers attention's products overtake, by what a page calls them together."""


def _square(operations: Operations) -> int:
    """The operations of attention's products, for each pair of tokens."""
    return operations.number(ATTENTION) // operations.tokens**2


def _per_token(operations: Operations, block: str) -> int:
    """The operations of the dense layers of a block, for each token."""
    return operations.number(DENSE, block=block) // operations.tokens


def overtaken(of: str) -> str:
    """The length at which attention's products overtake its projections, or all dense layers of the encoder.

    Args:
        of: `"self-attention"` or `"encoder"`.

    Raises:
        CountingError: something else is asked for.
    """
    operations = operations_of(BASE, "", TOKENS)
    square = _square(operations)
    each = sum(_per_token(operations, block) for block in entry_of(DENSE_IN, "dense layers", of))
    how = f"{numbers.whole(each)} ÷ {numbers.whole(square)} = {numbers.whole(each // square)}"
    return numbers.in_full(each // square, how, kind="overtaken", of=of)


def length_form() -> str:
    """A slider for longer texts than base reads, shown by a script."""
    operations = operations_of(BASE, "", TOKENS)
    most = longest(operations.asked)
    square = _square(operations)
    attention, inner = (_per_token(operations, block) for block in DENSE_IN["encoder"])
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
    return (
        '<form class="bc-question bc-follows" id="length-form" hidden data-search-exclude><p class="bc-field">'
        '<label for="length-tokens">Length of the text, if base had as many positions</label>'
        f'<input id="length-tokens" type="range" min="{step}" max="{16 * most}" step="{step}" value="{most}"></p>'
        f'<ul class="bc-shares">{items}</ul></form>'
    )


READ = {False: "every token", True: "the first token"}
"""What a head reads, by whether that is one vector per text."""


def head_adds(model_class: str) -> str:
    """How many operations a class of base takes more than the bare model, with its sign."""
    bare, operations = (operations_of(BASE, each, TOKENS) for each in ("", model_class))
    more = operations.forward - bare.forward
    how = f"{numbers.whole(operations.forward)} − {numbers.whole(bare.forward)} = {numbers.whole(more)}"
    return numbers.data(more, numbers.signed(more), how, kind="operations-more", **shown.question_of(operations))


def head_reads(model_class: str) -> str:
    """What the heads of a class read: every token, the first one, or both."""
    asked = ask(model_class=model_class)
    heads = {
        row.path.startswith(asked.architecture.one_per_text) for row in asked.rows if not row.path.startswith("bert/")
    }
    return " and ".join(READ[per_text] for per_text in sorted(heads)) or "no head"


def worked() -> str:
    """The operations of base on one text, line by line."""
    name = "operations-worked"
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


def profilers() -> str:
    """Rows with what each profiler prints of base, by default and with attention written out, and why."""
    listed = load_profilers()
    return lines(
        [
            [_named(each), *(_printed(key, each, eager=eager) for eager in (False, True)), escape(each.why)]
            for key, each in listed.items()
        ],
        ids=[f"profiler-{key}" for key in listed],
    )


def _named(profiler: Profiler) -> str:
    """A profiler with what it calls its number, and its version."""
    called = f'<span class="bc-purpose">{escape(profiler.calls)},</span> <code>{escape(profiler.version)}</code>'
    return f'<span class="bc-title">{escape(profiler.title)}</span><br>{called}'


def _printed(key: str, profiler: Profiler, *, eager: bool, tokens: int = TOKENS) -> str:
    number = profiler.prints(eager=eager)[LENGTHS.index(tokens)]
    exact = operations_of(BASE, "", tokens)
    steps = profiler.steps(exact, eager=eager)
    how = f"{added(map(numbers.whole, (exact.forward, *(each.value for each in steps))))} = {numbers.whole(number)}"
    attention = "eager" if eager else None
    return numbers.in_full(number, how, kind="printed", profiler=key, attention=attention, tokens=tokens)


def bridges() -> str:
    """Rows from the exact number to each that is printed: one a profiler and attention, the steps one by one."""
    exact = operations_of(BASE, "", TOKENS)
    return lines(
        [
            f"{escape(each.title)}{', eager' if eager else ''}",
            _steps(key, each, exact, eager=eager),
            _printed(key, each, eager=eager),
        ]
        for key, each in load_profilers().items()
        for eager in ([False, True] if each.eager else [False])
    )


def _steps(key: str, profiler: Profiler, exact: Operations, *, eager: bool) -> str:
    """The steps of a bridge in one cell, each with what it changes."""
    cells = []
    for place, step in enumerate(profiler.steps(exact, eager=eager)):
        kept = {"profiler": key, "attention": "eager" if eager else None, "tokens": TOKENS, "step": place}
        change = change_of(step, step.sum, kind="printed-step", **kept)
        cells.append(f"{escape(step.name)}: {change}")
    return ";<br>".join(cells) or "none: it is exact"


def rule_off(deviation: str = "", tokens: int = TOKENS) -> str:
    """By how many per cent 2N operations per token are too high, if N counts all parameters or has a deviation."""
    exact = operations_of(BASE, "", tokens)
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


TOPIC: dict[str, object] = {
    "lengths": lengths(),
    "other_kinds": OTHERS,
    "classes": tuple(each.name for each in BERT.classes),
    "link": link,
    "count": counted,
    "share": share,
    "in_letters": in_letters,
    "worked": worked,
    "overtaken": overtaken,
    "length_form": length_form,
    "head_adds": head_adds,
    "head_reads": head_reads,
    "profilers": profilers,
    "bridges": bridges,
    "rule_off": rule_off,
}
"""What the page about operations calls, and what it goes through."""
