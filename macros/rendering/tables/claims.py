"""Macros for the pages about published numbers: each claim, the engine's number, and the reasons for a difference.

`macros/counting/published/claims.py` checks the claims and their bridges. This module
converts them into rows, with the working of every number.
"""

from __future__ import annotations

from collections import Counter
from html import escape

from macros.counting import CountingError, Question
from macros.counting.architecture import LAYER
from macros.counting.deviations import deviation_named, load_deviations
from macros.counting.errors import entry_of
from macros.counting.frameworks.keras_layers import PRETRAINING, keras_bert
from macros.counting.memory import UNITS, bytes_of
from macros.counting.polynomials import substitute, sum_text
from macros.counting.published.claims import VERDICTS, Claim, check, load_claims
from macros.counting.question import LAYER_NUMBER

from ..components import numbers
from ..components.rows import lines
from ..components.tables import breakable, code

AGREES, DIFFERS, NO_EFFECT = VERDICTS
"""The verdicts on a claim. `NO_EFFECT` means that the claim is about an option that affects no size."""

ALL_CLAIMS = "numbers"
"""The name for all claims, regardless of their verdict."""

CAUSES = {"slip": "a typo"}
"""Descriptions of bridge steps that are neither deviations nor described in the claim's data."""


def claim_rows(source: str) -> str:
    """Rows for the claims of one source that differ, in the order of the source; may be empty.

    A row gives the subject of the claim, the printed number, our number, the reason, and the place in the source.

    Raises:
        CountingError: there is no source with that name.
        BadClaim: a claim has the wrong verdict, or its bridge does not lead to the printed number.
    """
    claims = [claim for claim in _claims(source) if claim.verdict == DIFFERS]
    cells = ([*_first_cells(claim), _why_it_differs(claim), escape(claim.where)] for claim in claims)
    return lines(cells, [_anchor_id(claim) for claim in claims])


def _anchor_id(claim: Claim) -> str:
    """The id of a claim on the page of its source."""
    return f"{claim.source.name}-{claim.position}"


def _agreement(source: str) -> str:
    """A sentence with the number of a source's claims that do not differ, followed by a space; empty if all differ.

    Every claim has an address. Claims that do not differ have no row, so the sentence contains their ids and the id of
    the table that would list them.
    """
    claims = [claim for claim in _claims(source) if claim.verdict != DIFFERS]
    if not claims:
        return ""
    for claim in claims:
        check(claim)
    some_differ = len(claims) < len(_claims(source))
    name = f"{source}-numbers-agreeing" if some_differ else f"{source}-numbers"
    anchors = "".join(f'<a class="bc-moved" id="{_anchor_id(claim)}"></a>' for claim in claims)
    prefix = "further " if some_differ else ""
    agreeing_count = sum(claim.verdict == AGREES for claim in claims)
    setting_count = sum(claim.verdict == NO_EFFECT for claim in claims)
    clauses = []
    if agreeing_count:
        predicate = f"{prefix}{_number_noun(agreeing_count)} {_verb('agree', agreeing_count)}"
        clauses.append(f"{_count_with_verdict(source, AGREES)} {predicate}")
    if setting_count:
        predicate = "is a setting that changes no count" if setting_count == 1 else "are settings that change no count"
        clauses.append(f"{_count_with_verdict(source, NO_EFFECT)} {predicate}")
    return f'<span id="{name}"><span id="{name}-caption">{anchors}{", and ".join(clauses)}.</span></span> '


def _number_noun(count: int) -> str:
    """The word "number" or "numbers", as required by a count."""
    return "number" if count == 1 else "numbers"


def _verb(plural: str, count: int) -> str:
    """The singular or plural form of a verb, as required by a count."""
    return f"{plural}s" if count == 1 else plural


def _claims(source: str) -> tuple[Claim, ...]:
    """The claims of a source; raises `CountingError` if no source has this name."""
    return entry_of(load_claims(), "source", source)


def source_title(source: str) -> str:
    """The title of a source.

    Raises:
        CountingError: there is no source with that name.
    """
    return escape(_claims(source)[0].source.title)


def _first_cells(claim: Claim) -> tuple[str, str, str]:
    """The first three cells of a row: the subject of the claim, the printed number and our number."""
    check(claim)
    times_text = f" (in each of {claim.times} layers)" if claim.times else ""
    change = f"<br> {code(_change_in_full(claim))}" if claim.changes else ""
    subject = breakable(escape(claim.counts + times_text)) + change
    return subject, f"<samp>{escape(claim.printed)}</samp>", our_number(claim)


def _change_in_full(claim: Claim) -> str:
    """A claim's change with the letter of every number, as in `lora:r=16:modules=query+value`."""
    return " ".join(map(str, claim.changed_model(claim.correct_question).changes))


def _why_it_differs(claim: Claim) -> str:
    """The cell with the reasons for a difference: the steps to the printed number and, if there is one, the note."""
    return "<br> ".join(filter(None, [_bridge(claim), escape(claim.note)]))


def our_number(claim: Claim) -> str:
    """Our number for a claim, with the unit and decimals of the claim; "none" if the claim is not about a size."""
    if claim.verdict == NO_EFFECT:
        return "none"
    text = _our_text(claim)
    attributes = {
        "claim": f"{claim.source.name}/{claim.position}",
        "model": claim.model.name,
        "class": claim.model_class,
    }
    return numbers.data(claim.correct_number, text, _working(claim, text), kind="claim", **attributes)


def _our_text(claim: Claim) -> str:
    """The text of our number for a claim about a size."""
    if claim.tensor:
        return str(claim.shape())
    # The order is reversed because every unit ends with the first one, "B".
    if claim.is_of_memory and (unit := next((unit for unit in reversed(UNITS) if claim.printed.endswith(unit)), "")):
        decimals = len(claim.printed.removesuffix(unit).strip().partition(".")[2])
        return f"{claim.correct_number / UNITS[unit]:,.{max(decimals, 1)}f} {unit}"
    return numbers.whole(claim.correct_number)


def _working(claim: Claim, text: str) -> str:
    """The working of our number for a claim; `text` is the number as shown on the page."""
    question = claim.correct_question
    if claim.size:
        return _size_working(claim)
    if claim.tensor:
        dimensions = claim.shape()
        product = " × ".join(map(numbers.whole, dimensions))
        elements = f"\nelements: {product} = {numbers.whole(claim.correct_number)}" if len(dimensions) > 1 else ""
        return f"shape of {claim.tensor}: {text}{elements}"
    if claim.summary_row:
        return _summary_row_working(claim)
    if claim.changes:
        model = claim.changed_model(question)
        is_trained = claim.unit == "trained"
        polynomial = model.trainable_formula if is_trained else model.total_formula
        return f"{_change_in_full(claim)}\n{numbers.working_of(polynomial, model.sizes)}"
    if claim.unit == "tensors":
        return _tensors_working(claim)
    if claim.unit == "rows":
        return _rows_working(claim)
    return _memory_working(claim, text) if claim.is_of_memory else numbers.in_brief(question)


def _size_working(claim: Claim) -> str:
    """The working of a size: its config key with the letter, or a formula with its value, such as `768 ÷ 12 = 64`."""
    result = numbers.whole(claim.correct_number)
    formula = sum_text(term.replace(" ", "·") for term in claim.size.split(", "))
    formula = formula.replace("-", numbers.MINUS)
    if formula in claim.model.sizes:
        symbol = next(symbol for symbol in claim.model.architecture.symbols if symbol.letter == formula)
        return f"{symbol.key} in the configuration: {formula} = {result}"
    if formula == result:
        return numbers.equation(formula, result)
    working = substitute(formula, claim.model.sizes)
    return f"{formula}\n{working.replace('·', ' × ').replace('/', ' ÷ ')} = {result}"


def _summary_row_working(claim: Claim) -> str:
    """The working of a row of a Keras summary: the tensors in its layer, if any."""
    questions = [Question(claim.model, PRETRAINING, path) for path in claim.row_of_summary.weights]
    if not questions:
        return "a layer without weights: 0"
    if len(questions) == 1:
        return numbers.in_brief(questions[0])
    counts = Counter(question.number for question in questions)
    addends = [
        f"{times} × {numbers.whole(number)}" if times > 1 else numbers.whole(number) for number, times in counts.items()
    ]
    return f"{' + '.join(addends)} = {numbers.whole(claim.correct_number)}"


def _tensors_working(claim: Claim) -> str:
    """The working of a tensor count: the tensors' names for a part of one layer, otherwise a sum over all layers."""
    rows = [row for row in claim.correct_question.rows if not row.tied_to]
    if LAYER_NUMBER.search(claim.part):
        names = (row.path.removeprefix(f"{LAYER}/attention/") for row in rows)
        return f"{', '.join(names)}: {len(rows)}"
    return numbers.tensors_working(claim.correct_question)


def _rows_working(claim: Claim) -> str:
    """The working of a row count in keras-bert's summary: rows of one layer, rows of all layers, or all rows."""
    layers = [row.layer for row in keras_bert(claim.model, None)]
    depth = claim.model.sizes["L"]
    rows_per_layer = layers.count(1)
    outside_layers = layers.count(None)
    if LAYER_NUMBER.search(claim.part):
        return f"rows of one layer in the summary of keras-bert: {rows_per_layer}"
    outside_term = "" if claim.part else f"{outside_layers} + "
    return f"{outside_term}{depth} × {rows_per_layer} = {claim.correct_number}"


def _memory_working(claim: Claim, text: str) -> str:
    """The working of a size in bytes; if `text` has a unit of memory, with the conversion to that unit."""
    question = claim.correct_question
    parameters = numbers.whole(question.number)
    result = numbers.whole(claim.correct_number)
    lines = [] if question == question.whole else [numbers.in_brief(question)]
    lines.append(f"{parameters} × {bytes_of(1, claim.dtype)} = {result} bytes")
    unit = text.rpartition(" ")[2]
    if unit in UNITS:
        lines.append(f"{result} ÷ {numbers.power(UNITS[unit])} ≈ {text}")
    return "\n".join(lines)


def _bridge(claim: Claim) -> str:
    """The steps from the correct number to the printed one, as one sentence with each step on its own line."""
    return ";<br> ".join(map(escape, _steps_in_words(claim))) + "."


def finding(source: str) -> str:
    """The finding about a source in one line: the number of differing claims and an example with both numbers.

    The example is the first differing total of a model or, if there is none, the first differing number.

    Raises:
        CountingError: there is no source with that name, or none of its numbers differs.
        BadClaim: a claim has the wrong verdict, or its bridge does not lead to the printed number.
    """
    claims = _differing_claims(source)
    claim = _representative_claim(claims)
    count = len(claims)
    clause = f"{count} {_number_noun(count)} {_verb('differ', count)}"
    comparison = f"<samp>{escape(claim.printed)}</samp> ({escape(claim.counts)}), where we count {_our_text(claim)}"
    return f"{clause}{': ' if count == 1 else ', such as '}{comparison}"


def _differing_claims(source: str) -> list[Claim]:
    """The claims of a source that differ from our numbers.

    Raises:
        CountingError: no claim differs.
    """
    claims = [claim for claim in _claims(source) if claim.verdict == DIFFERS]
    if not claims:
        raise CountingError(f"no number of the source {source} differs; leave its finding out")
    return claims


def _representative_claim(claims: list[Claim]) -> Claim:
    """The claim that represents a source: the first total of a model or, if there is none, the first claim."""
    claim = next((claim for claim in claims if claim.is_of_whole_model), claims[0])
    check(claim)
    return claim


def printed_number(source: str) -> str:
    """The differing number that represents a source, as printed; raises the same errors as `finding`."""
    return f"<samp>{escape(_representative_claim(_differing_claims(source)).printed)}</samp>"


def corresponding_number(source: str) -> str:
    """Our number for the claim that `printed_number` shows; raises the same errors as `finding`."""
    return our_number(_representative_claim(_differing_claims(source)))


def _steps_in_words(claim: Claim) -> list[str]:
    """The steps from the correct number to the printed one, each with its cause and, if it has one, its amount."""
    return [f"{amount}: {cause}" if amount else cause for amount, cause in _amounts_and_causes(claim)]


def _amounts_and_causes(claim: Claim) -> list[tuple[str, str]]:
    """The steps from the correct number to the printed one as pairs of an amount, which may be empty, and a cause."""
    wrong_width = f"taking {claim.bytes_each} byte{'' if claim.bytes_each == 1 else 's'} per parameter"
    causes = {**CAUSES, "bytes_each": wrong_width}
    steps = claim.steps()
    unit = " bytes" if claim.is_of_memory else ""
    pairs = [(f"{numbers.with_sign(step.value)}{unit}", causes.get(step.name) or _cause(step.name)) for step in steps]
    if claim.slip and "slip" not in (step.name for step in steps):
        pairs.append(("", CAUSES["slip"]))  # a rounded number has no exact step for its typo
    if claim.unit_meant:
        other_unit = "" if claim.is_of_memory else " instead of a million"
        # The name of the letter M begins with a vowel.
        article = "an" if claim.unit_meant.startswith("M") else "a"
        pairs.append(("", f"dividing by the bytes in {article} {claim.unit_meant}{other_unit}"))
    return pairs


def _cause(step_name: str) -> str:
    """The description of a step: the title of the deviation, or the name of any other step."""
    return _with_small_initial(deviation_named(step_name).title) if step_name in load_deviations() else step_name


def _with_small_initial(text: str) -> str:
    """The text with a lower-case first letter, for use within a sentence."""
    return text[0].lower() + text[1:]


def difference_count(source: str) -> str:
    """The number of a source's claims that differ from our numbers.

    Raises:
        CountingError: there is no source with that name.
    """
    return _count_with_verdict(source, DIFFERS)


def claim_count(kind: str) -> str:
    """The number of claims in all sources with the given verdict, such as "differs"; "numbers" means all claims.

    Raises:
        CountingError: `kind` is neither a verdict nor "numbers".
    """
    entry_of(dict.fromkeys((ALL_CLAIMS, *VERDICTS)), "verdict", kind)
    source_counts = [sum(kind in (ALL_CLAIMS, claim.verdict) for claim in claims) for claims in load_claims().values()]
    number = sum(source_counts)
    working = f"source by source: {' + '.join(str(count) for count in source_counts if count)} = {number}"
    return numbers.in_full(number, working, kind="claims", of=kind)


def _count_with_verdict(source: str, verdict: str) -> str:
    """The number of a source's claims with the given verdict, worked out by subtracting the other claims."""
    claims = _claims(source)
    number = sum(claim.verdict == verdict for claim in claims)
    other_claims = len(claims) - number
    working = f"numbers of this source, without the others: {len(claims)} − {other_claims} = {number}"
    return numbers.in_full(number, working, kind="claims", of=verdict, source=source)


def claim_records() -> list[dict[str, object]]:
    """Every claim with the printed number, our number and the steps between the two, for the download."""
    return [_fields(claim) for claims in load_claims().values() for claim in claims]


def _fields(claim: Claim) -> dict[str, object]:
    """The fields of a claim in the download.

    `computed` is None for an option that affects no number, and `unit` is empty for a size or an option.
    """
    unit = "bytes" if claim.is_of_memory else claim.unit
    return {
        "source": claim.source.name,
        "title": claim.source.title,
        "url": claim.source.url,
        "accessed": claim.source.accessed,
        "where": claim.where,
        "counts": claim.counts,
        "model": claim.model.name,
        "model_class": claim.model_class,
        "printed": claim.printed,
        "computed": None if claim.verdict == NO_EFFECT else claim.correct_number,
        "unit": "" if claim.size or claim.option else unit,
        "verdict": claim.verdict,
        "steps": "; ".join(_steps_in_words(claim)) if claim.verdict == DIFFERS else "",
        "note": claim.note,
    }


def source_line(source: str) -> str:
    """A line about the claims that do not differ, with a citation of the source, which is linked if it has an address.

    Raises:
        CountingError: there is no source with that name.
        BadClaim: a claim that does not differ has the wrong verdict.
    """
    work = _claims(source)[0].source
    name = f'<a href="{escape(work.url)}">{escape(work.title)}</a>' if work.url else escape(work.title)
    return f'<p class="bc-source">{_agreement(source)}{name}, accessed <time>{work.accessed}</time></p>'


TOPIC = {
    "sources": tuple(claims[0].source for claims in load_claims().values()),
    "rows": claim_rows,
    "finding": finding,
    "printed": printed_number,
    "ours": corresponding_number,
    "title": source_title,
    "differences": difference_count,
    "in_all": claim_count,
    "source_line": source_line,
}
"""Macros for the pages about published numbers, and all sources in the order of `claims.toml`."""
