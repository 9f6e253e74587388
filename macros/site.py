"""The macros that pages call, registered with mkdocs-macros.

A macro is a plain function that returns a string. On bad input it raises an error instead of returning an
error message as text, so a bad call stops the build.

How HTML bypasses Markdown
--------------------------

Rule 1. Python-Markdown reads a page after the macros on it have run, and must not damage their results.
        HTML that begins with a block element (a table, a figure, a sum, a form; see `BLOCK_START`) is set aside: it
        is appended to `ASIDE` and replaced on the page by a comment with its index, `<!--aside 12-->`.
Rule 2. Anything else is inserted in place: a number, a formula in a sentence, words, Markdown to copy.
Rule 3. Links are made relative to the page before the HTML is set aside.
Rule 4. `on_page_content` in `hooks.py` puts the HTML back after Python-Markdown has run, and then adds its
        ids to those that MkDocs knows for the page.
Rule 5. A macro that receives Markdown from its page, as `rows` does, first restores all HTML in that Markdown.
Rule 6. `define_env` empties `ASIDE` at the start of each build.

HTML that stayed in the page would be changed. At the left margin, between blank lines, Python-Markdown only
changes a few line breaks in it. In a note, a list or a tab, where everything is indented, Python-Markdown
does not recognise a block: it wraps the HTML in a paragraph and interprets the text in it as Markdown, so
`*b*` in a cell becomes emphasis, and a print-out is split at its first blank line. Within an element that has
the attribute `markdown`, it rebuilds every element and gives `data-search-exclude` a value. A comment is a
single line without any text to interpret, so nothing changes it. Setting HTML aside is also faster, because
Python-Markdown would parse every tag without changing it.

Numbers are HTML too, but they are not set aside (rule 2). Python-Markdown drops comments from a heading when
it adds it to the table of contents, so the heading `## Total: {{ number() }}` would be listed as "Total:".

MkDocs checks every link that is written in Markdown. An unknown id causes a warning, which stops a strict
build. MkDocs collects the ids of a page from the text that Python-Markdown reads, so it misses the ids in HTML
that was set aside, and rule 4 adds them. This happens in time, because links are checked after all pages have
been read. MkDocs also makes links relative to their page, but only links written in Markdown. In the HTML of a
macro, an address therefore starts with `pages.ROOT`, which rule 3 replaces. `MACRO_TEXTS` caches the result of
a macro with `pages.ROOT` still in it, so that the same text serves every page.

Rule 5 exists because a placeholder within HTML that is itself set aside is never replaced. If `rows` left a
block in one of its cells as a comment, the table would be published with an empty cell.

Known limits:

- If a page itself contains a comment such as `<!--aside 12-->` outside code, the comment is replaced by the HTML
  with that index, or an `IndexError` is raised.
- If a macro that returns a block is called within a heading or a sentence, the block is set aside like any
  other, although it is invalid HTML there and missing from the table of contents. Nothing rejects the call.
- A plugin that used `on_page_content` would see the comments, because MkDocs runs hooks last. No plugin of
  this site uses it.
- HTML is set aside only if the hook has set `has_hook`, because nothing else would restore it. Zensical does not
  run hooks, so with it all HTML stays in the page and is changed as described above.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from functools import wraps
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from macros.build_cache import CachedTexts
from macros.counting import CountingError
from macros.counting.errors import quote, suggestion
from macros.counting.published import conditions
from macros.counting.published.conditions import BOTH
from macros.example import TOY
from macros.rendering import calculator, citations, hand_outs, i_got, listings, primer, snippets, worked_out
from macros.rendering.components import changes, formulas, numbers, operations, pages, terms
from macros.rendering.components.asking import BASE, LARGE, ask
from macros.rendering.components.rows import rows as table_of_rows
from macros.rendering.figures import figure
from macros.rendering.tables import (
    attention_heads,
    bridges,
    changed_models,
    claims,
    classes,
    disagreements,
    memory,
    models,
    notation,
    parts,
    printouts,
    relatives,
    rules_of_thumb,
    toy,
    training,
    verification,
)
from macros.rendering.tables import operations as operation_tables
from macros.rendering.typed_numbers import typed_numbers
from macros.teaching import addresses, bank_tables, embedding, lesson_page, on_paper
from macros.teaching import pages as exercises

LOG = logging.getLogger("mkdocs.typed_numbers")
"""The logger for warnings. Its name begins with "mkdocs", so MkDocs counts them, and a strict build fails."""


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
    """A count, with an explanation that is shown when a reader points at it.

    Without arguments, it is the total of BERT base. `change` can be combined only with `unit` and `model`.

    Examples: `{{ number("bert/pooler") }}`, `{{ number(model=large, model_class="BertForMaskedLM") }}`,
    `{{ number(change="lora:8:query,value", unit="trained") }}`.

    Args:
        part: the path of a part, such as "bert/encoder/layer_0" for one layer and "bert/encoder" for all;
            several are separated by commas.
        tag: narrows the part to the tensors with a tag, such as "self-attention", "LayerNorm" or "bias".
        model: the name of a published model; `base` and `large` are variables of every page.
        unit: "parameters"; "tensors" for the number of tensors; "operations" or "multiply-adds" for a whole model. For
            a changed model: "trained", "all" or another name in `mistakes.NUMBERS`; "share" for the trained share;
            or the letter of a size that the change adds, such as "r".
        figures: rounds parameters to this number of significant figures, in millions, so that
            `{{ number(figures=2) }}` is 110M; 0 shows all digits.
        change: changes to a classifier in the syntax of the command line, separated by spaces; "" means the
            classifier without changes.
        brief: shortens the explanation of parameters to the formula with numbers, for tables with many counts.
        choices: `model_class`, such as "BertForMaskedLM"; `pooler=false`; `tied=false`. For operations also
            `tokens="P"` for a text that fills all positions; `batch`; and `passes=3` for a training step.

    Raises:
        CountingError: there is no such part, tag, model, class, unit or change; a choice is given that the
            class does not leave open; or `change` is combined with an argument other than `unit` and `model`.
    """
    if change is not None:
        _reject_with_change({"part": part, "tag": tag, "figures": figures, "brief": brief}, choices)
        return changes.number_of(change, unit, model)
    if unit in operations.UNITS:
        batch = {key: choices.pop(key) for key in ("tokens", "batch", "passes") if key in choices}
        return operations.in_unit(unit, ask(part, tag, model, **choices), **batch)
    question = ask(part, tag, model, **choices)
    if unit == "tensors":
        return numbers.tensor_count(question)
    if unit != "parameters":
        raise CountingError(f"no unit {quote(unit)}; {suggestion(unit, ('parameters', 'tensors', *operations.UNITS))}")
    return numbers.in_millions(question, figures) if figures else numbers.parameters(question, brief=brief, linked=True)


def _reject_with_change(arguments: Mapping[str, Any], choices: Mapping[str, Any]) -> None:
    """Reject arguments of `number` that have no effect with `change`.

    Args:
        arguments: arguments by name; those that were not given are falsy.
        choices: the remaining keyword arguments.

    Raises:
        CountingError: at least one of them is given.
    """
    if given_names := [*(name for name, value in arguments.items() if value), *choices]:
        raise CountingError(
            f"number(change=...) is about a whole classifier and does not take {', '.join(given_names)}; "
            "give only change, unit and model"
        )


def share(
    part: str = "", tag: str = "", of: str = "", model: str = BASE, *, precisely: bool = False, **choices: Any
) -> str:
    """A part as a percentage of another part, or of the whole model.

    Example: `{{ share("bert/embeddings") }}`.

    Args:
        part: the path of the part, as for `number`.
        tag: narrows the part to the tensors with a tag.
        of: the path of the part that is 100%; empty for the whole model.
        model: the name of a published model.
        precisely: shows two significant digits of a share that would otherwise be "under 0.1%".
        choices: `model_class`, `pooler` and `tied`, for both parts.

    Raises:
        CountingError: there is no such part, tag, model or class.
    """
    return numbers.share(ask(part, tag, model, **choices), ask(of, "", model, **choices), precisely=precisely)


def model_size(letter: str, model: str = BASE) -> str:
    """A size of a model; pages call this macro as `size`.

    Example: `{{ size("H") }}`, the hidden size.

    Args:
        letter: a letter of the notation page, a key of the configuration such as "hidden_size", or "H/A",
            the width of one head.
        model: the name of a published model.

    Raises:
        CountingError: there is no such model, or it has no such size.
    """
    return numbers.head_width(model) if letter == "H/A" else numbers.size(letter, model)


def effect(*deviations: str, model: str = BASE, total: bool = False) -> str:
    """The amount by which a deviation changes the total; for several, or with `total=true`, the resulting total.

    Example: `{{ effect("pooler-left-out") }}` is −590,592.

    Args:
        deviations: names of mistakes or conventions, from `counting/data/deviations.toml`.
        model: the name of a published model.
        total: shows the total even for a single deviation.

    Raises:
        CountingError: there is no such model or deviation, no deviation is named, or the deviations belong to
            different model classes or exclude each other.
    """
    if total or len(deviations) != 1:
        return numbers.deviating_total(deviations, model)
    return numbers.deviation_effect(deviations[0], model)


def net_effect(*deviations: str, model_class: str, model: str = BASE) -> str:
    """The amount by which several deviations combined change the total of a class.

    Example: `{{ net_effect("embeddings-excluded", "decoder-untied", model_class="BertForMaskedLM") }}` is −394,752.

    Args:
        deviations: names of mistakes or conventions, from `counting/data/deviations.toml`.
        model_class: the class that is counted, which all of the deviations must affect.
        model: the name of a published model.

    Raises:
        CountingError: there is no such model, class or deviation, or the deviations exclude each other.
    """
    return numbers.net_effect(deviations, ask(model=model, model_class=model_class))


def megabytes(
    unit: str = "MB", dtype: str = "float32", model: str = BASE, values_per_parameter: int = 1, **choices: Any
) -> str:
    """The memory that parameters take up, to one decimal place and without the unit.

    Example: `{{ megabytes("MiB", dtype="float16") }} MiB`.

    Args:
        unit: "B", "MB", "MiB", "GB" or "GiB".
        dtype: a data type such as "float16".
        model: the name of a published model.
        values_per_parameter: the number of values stored for each parameter, such as 4 while Adam trains it.
        choices: `part`, `tag`, `model_class`, `pooler` and `tied`.

    Raises:
        CountingError: there is no such unit, data type, model, part, tag or class.
    """
    return numbers.bytes_text(ask(model=model, **choices), dtype, unit, values_per_parameter)


def formula(part: str = "", tag: str = "", model: str = BASE, inline: bool = False, **choices: Any) -> str:
    """The formula of a count, on a line of its own with the meaning of each of BERT's letters below it.

    Example: `{{ formula("bert/pooler") }}`.

    Args:
        part: the path of the part, as for `number`.
        tag: narrows the part to the tensors with a tag.
        model: the name of a published model, whose architecture and choices determine which tensors exist.
        inline: omits the meanings, so that the formula fits into a sentence.
        choices: `model_class`, `pooler` and `tied`.

    Raises:
        CountingError: there is no such part, tag, model or class.
    """
    question = ask(part, tag, model, **choices)
    return formulas.inline(question.polynomial) if inline else formulas.formula(question)


def tensors_table(part: str = "", tag: str = "", name: str = "tensors", **choices: Any) -> str:
    """A table of a part's tensors, one per row, with the totals for BERT base and BERT large.

    Example: `{{ tensors_table("bert/pooler") }}`.

    Args:
        part: the path of the part, as for `number`.
        tag: narrows the part to the tensors with a tag.
        name: the id of the table.
        choices: `model_class`, `pooler` and `tied`.

    Raises:
        CountingError: there is no such part, tag or class.
    """
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
    """A worked-out count: the sum line by line, the other model's result, the formula, and a folded list of tensors.

    Example: `{{ worked("bert/pooler", name="pooler") }}`.

    Args:
        part: the path of the part, as for `number`.
        tag: narrows the part to the tensors with a tag.
        model: `base` or `large`, or with `brief` also `toy`. The sum of the other model is shown in one line.
        name: the prefix of the ids; empty for the main block of a page.
        results: the id of the other model's result, if it was published under a separate id.
        shapes: `false` omits the table of tensors.
        brief: shows only the last line of the sum, as below a figure.
        choices: `model_class`, `pooler` and `tied`.

    Raises:
        CountingError: there is no such part, tag, model or class, or `model` is none of those above.
    """
    question = ask(part, tag, model, **choices)
    if brief:
        return worked_out.last_line(question, name)
    return worked_out.block(question, name, results=results, has_table=shapes)


def parts_table(model: str = BASE, model_class: str = "", name: str = "parts", **choices: Any) -> str:
    """A table of the parts of a whole model with its total.

    Example: `{{ parts_table(large) }}`.

    Args:
        model: the name of a published model.
        model_class: the class that is counted; empty for the bare model.
        name: the id of the table.
        choices: `pooler` and `tied`.

    Raises:
        CountingError: there is no such model or class.
    """
    return parts.parts(name, ask("", "", model, model_class, **choices))


def both_parts_table(name: str = "parts", model_class: str = "") -> str:
    """A table of the parts of BERT base and BERT large side by side, with their totals.

    Example: `{{ both_parts_table() }}`.

    Args:
        name: the id of the table.
        model_class: the class that is counted; empty for the bare model.

    Raises:
        CountingError: there is no such class.
    """
    return parts.of_both_models(name, ask("", "", BASE, model_class))


def mistakes_table(*deviations: str, name: str = "mistakes-table") -> str:
    """A table of the effects of deviations on the totals of BERT base and BERT large, with explanations.

    Example: `{{ mistakes_table("biases-left-out", "pooler-left-out") }}`.

    Args:
        deviations: names of mistakes or conventions, from `counting/data/deviations.toml`.
        name: the id of the table.

    Raises:
        CountingError: there is no such deviation, or no deviation is named.
    """
    return parts.deviations(name, deviations)


def says(words: str, condition: str, model: str = BOTH) -> str:
    """The words themselves, provided that the quantity they claim is true.

    Example: `{{ says("twice as many", "large.L == 2 * base.L") }}`.

    Args:
        words: a quantity in words, as it appears in the sentence.
        condition: a comparison that makes the words true; `counting/published/conditions.py` explains the syntax.
        model: the models for which it must hold, as the name of one model, "base and large", "published" or "every".

    Raises:
        FalseWords: the condition is false for one of these models.
        CountingError: the condition cannot be read, or there is no such model.
    """
    return conditions.says(words, condition, model)


def listing(framework: str, model: str = BASE, name: str = "listing", **choices: Any) -> str:
    """A framework's print-out of a model, folded by layer, with links to the same print-out as files.

    Example: `{{ listing("transformers", large) }}`.

    Args:
        framework: "transformers", "google-bert", "keras-bert" or "bert4keras"; or "ledger" for every tensor with
            a running total.
        model: the name of a published model.
        name: the id of the listing.
        choices: `folded=true` folds all of it, and `brief=true` names the layers that repeat the first one
            without showing them; `model_class` for a ledger.

    Raises:
        CountingError: there is no such framework, model or class, or a class is given for a print-out.
    """
    return listings.listing(name, framework, model, **choices)


def bridge(*deviations: str, model: str = BASE, model_class: str = "", to: str = "", name: str = "bridge") -> str:
    """The steps from one total to another, such as from a wrong total to the correct one, as a drawing and a table.

    Example: `{{ bridge("attention-one-layer") }}`.

    Args:
        deviations: names of the mistakes or conventions that led to the first total; none if it is correct.
        model: the published model that was counted.
        model_class: the class that is counted; empty for the bare model.
        to: the model at whose total the steps end, if it differs from `model`.
        name: the id of the table; that of the drawing has "-figure" appended.

    Raises:
        CountingError: there is no such deviation, model or class, or the deviations exclude each other.
    """
    start = ask(model=model, model_class=model_class)._replace(deviations=deviations)
    return bridges.bridge(name, start, to)


def rows(name: str, *, search: bool = True, embed: bool = True, caller: Callable[[], str]) -> str:
    """A table whose Markdown the page puts inside a call block.

    Example: `{% call rows("files") %}`, the lines of the table, `{% endcall %}`. The head of
    `rendering/components/rows.py` shows a complete table and explains how to write one.

    Args:
        name: the id of the table.
        search: `false` excludes the table from the search, which then finds the page by its sentences.
        embed: `false` prevents the table from being embedded separately; for a table that would mean little without
            the text around it.
        caller: returns the Markdown in the block; passed by Jinja.

    Raises:
        CountingError: the table lacks a caption or a rule, or a line is not a valid row.
    """
    text = put_back(caller())
    html = MACRO_TEXTS.text(["rows", name, text], lambda: table_of_rows(name, text))
    html = html if search else f"<div data-search-exclude>{html}</div>"
    return html if embed else pages.on_its_page_only(html)


def snippet(name: str) -> str:
    """A text to copy, as a code block.

    Example: `{{ snippet("cite-bibtex") }}`.

    Args:
        name: a name in `rendering/snippets.py` for code that checks a page; "cite-" and a format ("bibtex",
            "ris", "text") for a citation of the site; "embed-" and a system ("moodle", "canvas", "plain",
            "jupyter", "quarto") for a frame; or "embed-address" for a sentence about the address in these
            frames.

    Raises:
        CountingError: there is no such text.
    """
    kind, _, variant = name.partition("-")
    makers = {"cite": citations.citation, "embed": embedding.snippet}
    return makers[kind](variant) if variant and kind in makers else snippets.snippet(name)


MACROS: dict[str, Callable[..., str]] = {
    "number": number,
    "share": share,
    "size": model_size,
    "effect": effect,
    "net_effect": net_effect,
    "megabytes": megabytes,
    "formula": formula,
    "latex": formulas.latex,
    "tensors_table": tensors_table,
    "worked": worked,
    "parts_table": parts_table,
    "both_parts_table": both_parts_table,
    "mistakes_table": mistakes_table,
    "says": says,
    "listing": listing,
    "verified": verification.verified_total,
    "bridge": bridge,
    "figure": figure,
    "snippet": snippet,
}
"""The macros without a topic, by the name that pages use."""

TOPICS: dict[str, Mapping[str, object]] = {
    "attention": attention_heads.TOPIC,
    "banks": bank_tables.TOPIC,
    "calculator": calculator.TOPIC,
    "changed": changed_models.TOPIC,
    "checkpoints": models.TOPIC,
    "claims": claims.TOPIC,
    "classes": classes.TOPIC,
    "disagreements": disagreements.TOPIC,
    "example": toy.TOPIC,
    "exercises": exercises.TOPIC,
    "hand_outs": hand_outs.TOPIC,
    "i_got": i_got.TOPIC,
    "lesson": {**lesson_page.TOPIC, **on_paper.TOPIC},
    "linking": addresses.TOPIC,
    "listings": listings.TOPIC,
    "memory": memory.TOPIC,
    "notation": notation.TOPIC,
    "operations": operation_tables.TOPIC,
    "primer": primer.TOPIC,
    "printouts": printouts.TOPIC,
    "relatives": relatives.TOPIC,
    "rules": rules_of_thumb.TOPIC,
    "training": training.TOPIC,
    "verification": verification.TOPIC,
}
"""Further macros and values for the pages of one topic, such as `training.largest_batch(8)` and lists to loop over.

Topics are variables on every page, so nothing has to be imported.
"""

ENCLOSING_MACROS: dict[str, Callable[..., str]] = {"rows": rows}
"""Macros that enclose Markdown, called with `{% call %}` and `{% endcall %}`."""

VARIABLES: dict[str, Any] = {
    "base": BASE,
    "large": LARGE,
    "toy": TOY,
    "terms": terms.short_explanations(),
    "tokens": operations.DEFAULT_LENGTH,
}
"""Other variables on every page.

They are the names of BERT base, BERT large and the toy model, the meaning of each term (`terms.token`), and the
length of the text whose operations are counted.
"""


MACRO_TEXTS = CachedTexts("macros.json")
"""Cached results of macros and findings about typed numbers, so that a build after an edit is quick.

The hook saves these texts at the end of a build, and the next build loads them unless the code has changed.
"""

UNCACHED_MACROS = (snippet,)
"""Macros whose results are not cached. The citations that `snippet` returns also depend on the commit."""


def define_env(env: Any) -> None:
    """Register the macros and variables; mkdocs-macros calls this at the start of each build.

    Raises:
        FalseWords: the text of a deviation claims a quantity that its condition refutes.
    """
    conditions.check_deviations()
    ASIDE.clear()
    env.variables.update(VARIABLES)
    for topic, members in TOPICS.items():
        page_members = {
            name: _for_page(member, env) if callable(member) else member for name, member in members.items()
        }
        env.variables[topic] = SimpleNamespace(**page_members)
    for name, function in {**MACROS, **ENCLOSING_MACROS}.items():
        env.macro(_for_page(function, env), name)


def on_pre_page_macros(env: Any) -> None:
    """Check and prepare a page; mkdocs-macros calls this before it runs the calls on the page.

    Each number that `typed_numbers` finds on the page is logged as a warning, which makes a strict build
    fail. If a call is indented, as in a note, every line of its result will be indented too.
    """
    env.markdown = INDENTED_CALL.sub(_indented_call, env.markdown)
    # The file is read again because `env.markdown` lacks the front matter, so line numbers in it are too low.
    text = Path(env.page.file.abs_src_path).read_text(encoding="utf-8")
    findings = MACRO_TEXTS.text(("typed_numbers", text), lambda: "\n".join(map(str, typed_numbers(text))))
    for finding in findings.splitlines():
        LOG.warning("%s, %s", env.page.file.src_uri, finding)


INDENTED_CALL = re.compile(r"^(?P<space>[ \t]+)\{\{(?P<call>(?:(?!\{\{)[^\n])*)\}\}[ \t]*$", re.MULTILINE)
"""Matches a call on a separate indented line, as in a note, a tab or a list."""


def _indented_call(line: re.Match[str]) -> str:
    """The call with Jinja's `indent` applied to its result, because the note would otherwise end after one line."""
    return f"{line['space']}{{{{ ({line['call'].strip()}) | indent({line['space']!r}) }}}}"


def _for_page(function: Callable[..., str], env: Any) -> Callable[..., str]:
    """The macro as pages call it: with cached results, relative links and blocks set aside."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def macro(*args: Any, **kwargs: Any) -> str:
        """The result of the macro, or a placeholder for it."""
        values = [name, *args, *chain.from_iterable(sorted(kwargs.items()))]
        if function in UNCACHED_MACROS:
            html = function(*args, **kwargs)
        else:
            # A call that encloses Markdown is not cached here, because one of its arguments is a function.
            html = MACRO_TEXTS.text(values, lambda: function(*args, **kwargs))
        html = pages.relative(html, env.page.url)
        return _set_aside(html) if has_hook and BLOCK_START.match(html) else html

    return macro


BLOCK_START = re.compile(r"<(?:details|div|figure|form|ol|p|section|ul)\b")
"""Matches the beginning of HTML that forms a block."""

has_hook = False
"""True if this build runs the hook that restores HTML; set by `hooks.py`."""

ASIDE: list[str] = []
"""The HTML set aside in this build. Each placeholder contains the index of its HTML."""

PLACEHOLDER = re.compile(r"<!--aside (\d+)-->")
"""Matches the comment that marks the place of HTML that was set aside."""


def _set_aside(html: str) -> str:
    """Store the HTML and return its placeholder."""
    ASIDE.append(html)
    return f"<!--aside {len(ASIDE) - 1}-->"


def put_back(html: str) -> str:
    """The text with each placeholder replaced by its HTML."""
    return PLACEHOLDER.sub(lambda placeholder: ASIDE[int(placeholder[1])], html)
