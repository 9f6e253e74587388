"""The macros of the site, registered with MkDocs and nothing else.

A macro is a plain function that returns a string; it raises on bad input and
never returns an error text, so a bad call fails the build.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from macros.counting import CountingError
from macros.counting.errors import shown, suggestion
from macros.counting.published import conditions
from macros.counting.published.conditions import BOTH
from macros.kept import Memory
from macros.rendering import calculator, citations, hand_outs, i_got, listings, primer, snippets, worked_out
from macros.rendering.components import changes, formulas, numbers, operations, pages, terms
from macros.rendering.components.asking import BASE, LARGE, ask
from macros.rendering.components.rows import rows as table_of_rows
from macros.rendering.figures import figure
from macros.rendering.tables import (
    attention_heads,
    bridges,
    changed,
    claims,
    classes,
    disagreements,
    memory,
    models,
    parts,
    relatives,
    training,
    verification,
)
from macros.rendering.tables import operations as operation_tables
from macros.rendering.typed_numbers import typed_numbers
from macros.teaching import addresses, bank_tables, embedding, lesson_page, on_paper
from macros.teaching import pages as exercises

LOG = logging.getLogger("mkdocs.typed_numbers")
"""MkDocs counts what is logged below its own name."""


def number(
    part: str = "",
    tag: str = "",
    model: str = BASE,
    unit: str = "parameters",
    figures: int = 0,
    change: str | None = None,
    brief: bool = False,
    **choices: Any,
) -> str:
    """Parameters of a part: `number("bert/pooler")`, `number(model_class="BertForMaskedLM")`.

    `unit="tensors"` counts arrays instead, `"operations"` and `"multiply-adds"` what reading a text takes;
    `figures=2` gives millions, rounded to two figures; `brief=True` explains it by the last line of its sum alone.
    `number(change="lora:8:query,value", unit="trained")` is about a model that is changed; see `mistakes.NUMBERS`.
    An empty `change` is the same model unchanged.
    """
    if change is not None:
        return changes.counted(change, unit, model)
    if unit in operations.UNITS:
        batch = {key: choices.pop(key) for key in ("tokens", "batch", "passes") if key in choices}
        return operations.in_unit(unit, ask(part, tag, model, **choices), **batch)
    asked = ask(part, tag, model, **choices)
    if unit == "tensors":
        return numbers.tensor_count(asked)
    if unit != "parameters":
        raise CountingError(f"no unit {shown(unit)}; {suggestion(unit, ('parameters', 'tensors', *operations.UNITS))}")
    return numbers.in_millions(asked, figures) if figures else numbers.counted(asked, brief=brief)


def share(part: str = "", tag: str = "", of: str = "", model: str = BASE, **choices: Any) -> str:
    """A part as a percentage of another part; `of` left out is the whole model."""
    return numbers.share(ask(part, tag, model, **choices), ask(of, "", model, **choices))


def model_size(letter: str, model: str = BASE) -> str:
    """A size of a model by its letter: `size("H")`; `size("H/A")` is the width of a head."""
    return numbers.head_width(model) if letter == "H/A" else numbers.size(letter, model)


def effect(*deviations: str, model: str = BASE, total: bool = False) -> str:
    """What a deviation does to the total: `effect("pooler-left-out")`; or the total one reaches with some."""
    if total or len(deviations) != 1:
        return numbers.deviating_total(deviations, model)
    return numbers.deviation_effect(deviations[0], model)


def megabytes(unit: str = "MB", dtype: str = "float32", model: str = BASE, copies: int = 1, **choices: Any) -> str:
    """The weights in a unit of memory: `megabytes("MiB")`."""
    return numbers.bytes_text(ask(model=model, **choices), dtype, unit, copies)


def formula(part: str = "", tag: str = "", model: str = BASE, inline: bool = False, **choices: Any) -> str:
    """A part in letters, on a line of its own or within one."""
    asked = ask(part, tag, model, **choices)
    return formulas.inline(asked.polynomial) if inline else formulas.formula(asked)


def tensors_table(part: str = "", tag: str = "", name: str = "tensors", **choices: Any) -> str:
    """The tensors of a part, one a row, adding up."""
    return parts.tensors(name, ask(part, tag, **choices))


def worked(
    part: str = "",
    tag: str = "",
    model: str = BASE,
    name: str = "",
    results: str = "",
    shapes: bool = True,
    brief: bool = False,
    **choices: Any,
) -> str:
    """A part worked out: tensors, the sum line by line, the other model's result, and the formula.

    `shapes=False` leaves the tensors out; `brief=True` leaves only the last line of the sum, for below a figure.
    """
    asked = ask(part, tag, model, **choices)
    return worked_out.last_line(asked, name) if brief else worked_out.block(asked, name, results=results, shapes=shapes)


def parts_table(model: str = BASE, model_class: str = "", name: str = "parts", **choices: Any) -> str:
    """A whole model by part, adding up to its total."""
    return parts.parts(name, ask("", "", model, model_class, **choices))


def mistakes_table(*deviations: str, name: str = "mistakes-table") -> str:
    """Some deviations with their effect on base and large."""
    return parts.deviations(name, deviations)


def says(words: str, condition: str, model: str = BOTH) -> str:
    """Words that claim a quantity, where they are true: `says("twice as many", "large.L == 2 * base.L")`."""
    return conditions.says(words, condition, model)


def listing(framework: str, model: str = BASE, name: str = "listing", **choices: Any) -> str:
    """What a framework prints of a model, folded by layer."""
    return listings.listing(name, framework, model, **choices)


def bridge(*deviations: str, model: str = BASE, model_class: str = "", to: str = "", name: str = "bridge") -> str:
    """The steps from the total with some deviations to the right one, or to that of another model."""
    start = ask(model=model, model_class=model_class)._replace(deviations=deviations)
    return bridges.bridge(name, start, to)


def rows(name: str, *, search: bool = True, embed: bool = True, caller: Callable[[], str]) -> str:
    """A table that the page writes in Markdown, between a call and its end, as `components/rows.py` shows.

    `search=False` keeps it out of the search, which finds the page by its sentences. `embed=False` keeps it from being
    embedded by itself, where it would mean little without the text around it.
    """
    text = put_back(caller())
    html = MEMORY.text(["rows", name, text], lambda: table_of_rows(name, text))
    html = html if search else f"<div data-search-exclude>{html}</div>"
    return html if embed else f'<div class="bc-beside">{html}</div>'


def snippet(name: str) -> str:
    """Text to copy: code that checks a page, a citation of the site, or a frame: `snippet("cite-bibtex")`."""
    kind, _, what = name.partition("-")
    texts = {"cite": citations.citation, "embed": embedding.snippet}
    return texts[kind](what) if what and kind in texts else snippets.snippet(name)


MACROS: dict[str, Callable[..., str]] = {
    "number": number,
    "share": share,
    "size": model_size,
    "effect": effect,
    "megabytes": megabytes,
    "formula": formula,
    "latex": formulas.latex,
    "tensors_table": tensors_table,
    "worked": worked,
    "parts_table": parts_table,
    "mistakes_table": mistakes_table,
    "says": says,
    "listing": listing,
    "verified": verification.verified,
    "bridge": bridge,
    "figure": figure,
    "snippet": snippet,
}
"""Every macro by the name pages call it."""

TOPICS: dict[str, Mapping[str, object]] = {
    "attention": attention_heads.TOPIC,
    "banks": bank_tables.TOPIC,
    "calculator": calculator.TOPIC,
    "changed": changed.TOPIC,
    "checkpoints": models.TOPIC,
    "claims": claims.TOPIC,
    "classes": classes.TOPIC,
    "disagreements": disagreements.TOPIC,
    "exercises": exercises.TOPIC,
    "hand_outs": hand_outs.TOPIC,
    "i_got": i_got.TOPIC,
    "lesson": {**lesson_page.TOPIC, **on_paper.TOPIC},
    "linking": addresses.TOPIC,
    "listings": listings.TOPIC,
    "memory": memory.TOPIC,
    "notation": parts.NOTATION,
    "operations": operation_tables.TOPIC,
    "primer": primer.TOPIC,
    "relatives": relatives.TOPIC,
    "training": training.TOPIC,
    "verification": verification.TOPIC,
}
"""What the pages of one topic need besides: macros, as in `training.largest_batch(8)`, and values to go through."""

ENCLOSING: dict[str, Callable[..., str]] = {"rows": rows}
"""Macros that a page calls around Markdown, with `{% call %}` and `{% endcall %}`."""

VARIABLES: dict[str, Any] = {"base": BASE, "large": LARGE, "terms": terms.in_sentences(), "tokens": operations.TOKENS}
"""What pages may name besides: the two models they name most, what a term means, as in `terms.token`, and the length of
a text of which operations are counted."""


MEMORY = Memory("macros.json")
"""What macros returned, so that a build after an edit of a page is quick; the hook lets it outlast the process."""

FORGOTTEN = (snippet,)
"""Macros whose text depends on more than their arguments and our code: a citation names the commit."""


def define_env(env: Any) -> None:
    """Called by mkdocs-macros: registers the macros, the two models pages name most, and what terms mean.

    Raises:
        FalseWords: a deviation says something in words that its condition refutes.
    """
    conditions.check_deviations()
    ASIDE.clear()
    env.variables.update(VARIABLES)
    for topic, members in TOPICS.items():
        on_pages = {name: _on_its_page(each, env) if callable(each) else each for name, each in members.items()}
        env.variables[topic] = SimpleNamespace(**on_pages)
    for name, function in {**MACROS, **ENCLOSING}.items():
        env.macro(_on_its_page(function, env), name)


def on_pre_page_macros(env: Any) -> None:
    """Called by mkdocs-macros before a page: a number typed on it is an error, at which a strict build fails.

    What a call within an indented block returns is indented as well.
    """
    env.markdown = INDENTED.sub(_as_far_in, env.markdown)
    for found in typed_numbers(Path(env.page.file.abs_src_path).read_text(encoding="utf-8")):
        LOG.warning("%s, %s", env.page.file.src_uri, found)


INDENTED = re.compile(r"^(?P<space>[ \t]+)\{\{(?P<call>(?:(?!\{\{)[^\n])*)\}\}[ \t]*$", re.MULTILINE)
"""A call on a line of its own within a note, a tab or a list."""


def _as_far_in(line: re.Match[str]) -> str:
    """The same call with every line of what it returns as far in as the first, or the block would end after that."""
    return f"{line['space']}{{{{ ({line['call'].strip()}) | indent({line['space']!r}) }}}}"


def _on_its_page(function: Callable[..., str], env: Any) -> Callable[..., str]:
    """The macro with its links made relative to the page that calls it."""
    name, is_forgotten = f"{function.__module__}.{function.__qualname__}", function in FORGOTTEN

    @wraps(function)
    def macro(*args: Any, **kwargs: Any) -> str:
        made_from = [name, *args, *(value for item in sorted(kwargs.items()) for value in item)]
        # One that encloses Markdown is given a function, and so is called each time; it remembers by the Markdown.
        html = function(*args, **kwargs) if is_forgotten else MEMORY.text(made_from, lambda: function(*args, **kwargs))
        html = pages.relative(html, env.page.url)
        return _set_aside(html) if hooked and BLOCK.match(html) else html

    return macro


BLOCK = re.compile(r"<(?:details|div|figure|form|ol|p|section|ul)\b")
"""How tables, figures and sums begin, which stand on a page between blank lines."""

hooked = False
"""Whether the hook runs that puts them back: of the programs that build the site, Zensical knows no hooks."""

ASIDE: list[str] = []
"""Their HTML. Python-Markdown would parse every tag of it only to leave all as it is, which takes half of its time."""

PLACE = re.compile(r"<!--aside (\d+)-->")
"""What a page has in the place of each while Python-Markdown reads it."""


def _set_aside(html: str) -> str:
    ASIDE.append(html)
    return f"<!--aside {len(ASIDE) - 1}-->"


def put_back(html: str) -> str:
    """The HTML of a page with the tables, figures and sums in their places."""
    return PLACE.sub(lambda place: ASIDE[int(place[1])], html)
