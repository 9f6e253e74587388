"""Changed models: what each change trains and leaves, what it adds where, and how that grows with what one chooses."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from macros.counting import Changed, CountingError, Polynomial
from macros.counting.changes.methods import Change, load_methods, rules

from ..elements import formulas, numbers, words
from ..elements.asking import BASE, SHORT, ask
from ..elements.permalinks import permalink
from ..elements.tables import Column, code, numeric, table

CLASS = "BertForSequenceClassification"
"""The class in which pages show changes; it has two labels."""

SIZES = {
    "r": (1, 2, 4, 8, 16, 32, 64, 128),
    "t": (1, 5, 10, 20, 50, 100),
    "m": (8, 16, 24, 48, 96, 192),
    "k": (1, 2, 4, 6, 8, 10),
    "h": (1, 12, 24, 48, 96),
}
"""What tables go through, by the letter of what one chooses."""

WHAT: dict[str, Callable[[Changed], int]] = {
    "trained": lambda changed: changed.trainable,
    "all": lambda changed: changed.number,
    "elements": lambda changed: changed.elements,
    "bytes": lambda changed: changed.bytes_of(),
}
"""What is counted of a changed model."""


def changed_model(changes: str, model: str = BASE) -> Changed:
    """A model that labels texts, with changes that are separated by spaces."""
    return Changed.of(ask(model=model, model_class=CLASS), changes.split())


def counted(changes: str, what: str = "trained", model: str = BASE) -> str:
    """One number of a changed model, with its formula and sum.

    Raises:
        CountingError: there is no such change, or nothing of that name is counted.
    """
    if what not in WHAT:
        raise CountingError(f"of a changed model no {what} is counted; known: {', '.join(WHAT)}")
    changed = changed_model(changes, model)
    number = WHAT[what](changed)
    letters = changed.trained if what == "trained" else changed.total
    lines = changed.sum_lines(trained=what == "trained")
    how = f"{letters.formula()}\n{lines[-1]}" if what in ("trained", "all") else f"{numbers.whole(number)} {what}"
    return numbers.in_full(number, how, kind="changed", change=changes, what=what, model=model)


def compared(name: str) -> str:
    """Every change of base: what it trains, as a share of all that there is then, and the bytes of the weights."""
    columns = [Column("change"), *numeric("trained", "share", "all", "stored bytes")]
    rows = []
    for changes in rules()["compared"]:
        changed = changed_model(changes)
        shown = f"{100 * changed.share:.3g}%"
        how = f"{numbers.whole(changed.trainable)} ÷ {numbers.whole(changed.number)} ≈ {shown}"
        share = numbers.data(shown.removesuffix("%"), shown, how, kind="changed-share", change=changes)
        cells = [counted(changes), share, counted(changes, "all"), counted(changes, "bytes")]
        rows.append([_called(changed), *cells])
    caption = "BERT base with two labels, changed, with weights in float32 where nothing else is said"
    return _unsearched(table(name, caption, columns, rows))


def _unsearched(shown: str) -> str:
    """What the search leaves out: it finds the page by its sentences."""
    return f"<div data-search-exclude>{shown}</div>"


def _called(changed: Changed) -> str:
    """What is done, in words and as on the command line."""
    titles = " and ".join(dict.fromkeys(escape(each.method.title) for each in changed.changes))
    return f"{titles}: {', '.join(code(str(each)) for each in changed.changes)}"


def _first(method: str) -> str:
    """The change by a method that pages compare first."""
    found = (each for each in rules()["compared"] if Change.of(each.split()[0]).method.name == method)
    return str(next(found))


def added(name: str, method: str) -> str:
    """What is trained with a method, tensor by tensor: where, with which shape, how often, and how many in base."""
    changes = _first(method)
    changed = changed_model(changes)
    columns = [Column("tensor"), Column("shape"), *numeric("in base")]
    rows = []
    for row in changed.rows:
        if row.trained:
            times = f", {formulas.symbol('L')} times" if row.layers else ""
            letters = " ".join(row.listed_shape).replace("*", " ")
            letters_of_all = Polynomial(row.learnt)
            number = numbers.in_full(
                letters_of_all.value(changed.sizes),
                numbers.worked_out(letters_of_all, changed.sizes),
                kind="changed-row",
                change=changes,
                of=row.name,
            )
            rows.append([code(row.full_name), f"{formulas.shape(letters)}{times}", number])
    foot = [words.TOTAL.line, formulas.inline(changed.trained), counted(changes)]
    return table(
        name, f"What {changed.changes[0].method.title} trains in BERT base with two labels", columns, rows, foot
    )


def by_size(name: str, method: str) -> str:
    """What a method trains in base and large, by the first number that one chooses."""
    (letter, *_), options = load_methods()[method].letters, Change.of(_first(method).split()[0])
    columns = [Column(f"{rules()['letters'][letter]} ({letter})"), *numeric(*SHORT.values())]
    rows = []
    for size in SIZES[letter]:
        changes = str(options._replace(options={**options.options, letter: size}))
        given = numbers.in_full(size, rules()["letters"][letter], kind="given", given=size)
        rows.append([given, *(counted(changes, model=model) for model in SHORT)])
    return table(name, f"What {options.method.title} trains, with a classifier of two labels", columns, rows)


def worked(name: str, method: str) -> str:
    """What a method trains in base, line by line, and the last line for large."""
    changes = _first(method)
    lines = changed_model(changes).sum_lines(trained=True)
    items = "".join(f"<li>{line}</li>" for line in lines)
    large = next(model for model in SHORT if model != BASE)
    last = changed_model(changes, large).sum_lines(trained=True)[-1]
    head = f"<p>BERT base, line by line: {permalink(name, 'sum')}</p>"
    return f'<div id="{name}">{head}<ol class="bc-lines">{items}</ol><p>BERT large: {last}.</p></div>'


def _of(make: Callable[[str, str], str], method: str) -> Callable[[str], str]:
    return lambda name: _unsearched(make(name, method))


def tables() -> dict[str, Callable[[str], str]]:
    """The tables by the names that pages give them: for each method what it adds, its sum, and how it grows."""
    found: dict[str, Callable[[str], str]] = {"changes-compared": compared}
    for name, method in load_methods().items():
        if any(_starts(each, name) for each in rules()["compared"]):
            found[f"{name}-worked"] = _of(worked, name)
            if any(each["do"] in ("add", "copy") for each in method.does):
                found[f"{name}-added"] = _of(added, name)
            if set(method.letters[:1]) & SIZES.keys():
                found[f"{name}-by-size"] = _of(by_size, name)
    return found


def _starts(changes: str, method: str) -> bool:
    return changes.split()[0].partition(":")[0] == method
