"""Rows of what is printed about BERT, claim by claim, beside what the engine counts."""

from __future__ import annotations

from collections import Counter
from html import escape

from macros.counting import Question
from macros.counting.architecture import LAYER
from macros.counting.deviations import deviation_named, load_deviations
from macros.counting.errors import entry_of
from macros.counting.frameworks.keras_layers import PRETRAINING, keras_bert
from macros.counting.memory import UNITS, bytes_of
from macros.counting.polynomials import added, substituted
from macros.counting.published.claims import VERDICTS, Claim, check, load_claims
from macros.counting.question import LAYER_NUMBER

from ..components import numbers
from ..components.rows import lines
from ..components.tables import breakable, code

AGREES, DIFFERS, NO_EFFECT = VERDICTS

CAUSES = {
    "slip": "a typo in the digits",
}
"""Steps of any claim that are not deviations."""


def rows(source: str, verdict: str) -> str:
    """The numbers of one source that differ from ours, or those that agree, in its own order; empty if there are none.

    A row has what is counted, the number as printed and as we count it, why it differs or a note, and where it stands.

    Args:
        source: its name in `claims.toml`.
        verdict: `"differs"` or `"agrees"`; what has no effect agrees.

    Raises:
        CountingError: no source or verdict of that name.
        BadClaim: a claim has the wrong verdict, or its bridge does not close.
    """
    says_why = entry_of({DIFFERS: _differing, AGREES: _agreeing}, "verdict", verdict)
    listed = [each for each in _claims(source) if (each.verdict == DIFFERS) == (verdict == DIFFERS)]
    cells = ([*_numbers(claim), says_why(claim), escape(claim.where)] for claim in listed)
    return lines(cells, [f"{source}-{each.position}" for each in listed])


def _claims(source: str) -> tuple[Claim, ...]:
    return entry_of(load_claims(), "source", source)


def title(source: str) -> str:
    """What a source is called."""
    return escape(_claims(source)[0].source.title)


def _numbers(claim: Claim) -> tuple[str, str, str]:
    check(claim)
    times = f" (in each of {claim.times})" if claim.times else ""
    change = f"<br> {code(claim.change)}" if claim.change else ""
    counts = breakable(escape(claim.counts + times)) + change
    return counts, f"<samp>{escape(claim.printed)}</samp>", computed(claim)


def _differing(claim: Claim) -> str:
    return "<br> ".join(filter(None, [_bridge(claim), escape(claim.note)]))


def _agreeing(claim: Claim) -> str:
    note = "" if claim.verdict != NO_EFFECT else "It affects no size."
    return "<br> ".join(filter(None, [note, escape(claim.note)]))


def computed(claim: Claim) -> str:
    """What the engine counts for a claim, written as the claim writes it."""
    if claim.verdict == NO_EFFECT:
        return "none"
    if claim.tensor:
        text = str(claim.shape())
    elif claim.of_memory and (unit := next((each for each in reversed(UNITS) if claim.printed.endswith(each)), "")):
        places = len(claim.printed.removesuffix(unit).strip().partition(".")[2])
        text = f"{claim.right / UNITS[unit]:,.{max(places, 1)}f} {unit}"
    else:
        text = numbers.whole(claim.right)
    question = {"claim": f"{claim.source.name}/{claim.position}", "model": claim.model.name, "class": claim.model_class}
    return numbers.data(claim.right, text, _worked(claim, text), kind="claim", **question)


def _worked(claim: Claim, text: str) -> str:
    """How the number that is counted for a claim comes about, to what is written of it."""
    asked = claim.right_question
    if claim.size:
        return _size(claim)
    if claim.tensor:
        return f"shape of {claim.tensor}: {text}"
    if claim.summary_row:
        return _summary_row(claim)
    if claim.change:
        changed, is_trained = claim.changed(asked), claim.unit == "trained"
        letters = changed.trained if is_trained else changed.total
        return "\n".join([claim.change, letters.formula(), *map(str, changed.sum_lines(trained=is_trained)[-1:])])
    if claim.unit == "tensors":
        return _tensors(claim)
    if claim.unit == "rows":
        return _rows(claim)
    return _memory(claim, text) if claim.of_memory else numbers.in_lines(asked)


def _size(claim: Claim) -> str:
    """A size in letters, and in numbers where it is not a single one: `H/A` and `768 ÷ 12 = 64`."""
    result, letters = numbers.whole(claim.right), added(each.replace(" ", "·") for each in claim.size.split(", "))
    letters = letters.replace("-", numbers.MINUS)
    if letters in claim.model.sizes:
        symbol = next(each for each in claim.model.architecture.symbols if each.letter == letters)
        return f"{symbol.key} in the configuration: {letters} = {result}"
    working = substituted(letters, claim.model.sizes)
    return f"{letters}\n{working.replace('·', ' × ').replace('/', ' ÷ ')} = {result}"


def _summary_row(claim: Claim) -> str:
    """The tensors that a row of a Keras summary holds; a layer without weights holds none."""
    held = [Question(claim.model, PRETRAINING, path) for path in claim.row_of_summary.holds]
    if not held:
        return "a layer without weights: 0"
    if len(held) == 1:
        return numbers.in_lines(held[0])
    alike = Counter(each.number for each in held)
    pieces = [f"{many} × {numbers.whole(each)}" if many > 1 else numbers.whole(each) for each, many in alike.items()]
    return f"{' + '.join(pieces)} = {numbers.whole(claim.right)}"


def _tensors(claim: Claim) -> str:
    """The tensors of a part of one layer by name; else those outside the layers and those in them."""
    rows = [each for each in claim.right_question.rows if not each.tied_to]
    if LAYER_NUMBER.search(claim.part):
        names = (each.path.removeprefix(f"{LAYER}/attention/") for each in rows)
        return f"{', '.join(names)}: {len(rows)}"
    return numbers.tensors_worked(claim.right_question)


def _rows(claim: Claim) -> str:
    """The rows of keras-bert's summary: those of one layer, of all layers, or all there are."""
    layers = [each.layer for each in keras_bert(claim.model, None)]
    depth, in_each, outside = claim.model.sizes["L"], layers.count(1), layers.count(None)
    if LAYER_NUMBER.search(claim.part):
        return f"rows of one layer in the summary of keras-bert: {in_each}"
    others = "" if claim.part else f"{outside} + "
    return f"{others}{depth} × {in_each} = {claim.right}"


def _memory(claim: Claim, text: str) -> str:
    """Parameters in bytes, and in the unit in which they are written."""
    parameters, result = numbers.whole(claim.right_question.number), numbers.whole(claim.right)
    in_bytes = f"{parameters} × {bytes_of(1, claim.dtype)} = {result} bytes"
    unit = text.rpartition(" ")[2]
    return f"{in_bytes}\n{result} ÷ {numbers.power(UNITS[unit])} ≈ {text}" if unit in UNITS else in_bytes


def _bridge(claim: Claim) -> str:
    """The steps from the right number to the printed one, which differs, as a sentence with a line for each."""
    width = f"taking {claim.each} byte{'' if claim.each == 1 else 's'} per parameter"
    causes = {**CAUSES, "each": width}
    walk = claim.steps()
    steps = [f"{numbers.signed(each.value)}: {causes.get(each.name) or _cause(each.name)}" for each in walk]
    if claim.slip and "slip" not in (each.name for each in walk):
        steps.append(CAUSES["slip"])  # of a rounded number, which no step can reach exactly
    if claim.divided:
        instead = "" if claim.of_memory else ", which are no million"
        steps.append(f"dividing by the bytes in a {claim.divided}{instead}")
    return ";<br> ".join(steps) + "."


def _cause(cause: str) -> str:
    named = _uncapitalised(deviation_named(cause).title) if cause in load_deviations() else cause
    return escape(named)


def _uncapitalised(text: str) -> str:
    return text[0].lower() + text[1:]


def differing(source: str) -> str:
    """How many numbers of a source differ from ours."""
    listed = _claims(source)
    number = sum(each.verdict == DIFFERS for each in listed)
    others = len(listed) - number
    how = f"numbers of this source, less those that do not differ: {len(listed)} − {others} = {number}"
    return numbers.in_full(number, how, kind="claims", of=DIFFERS, source=source)


def link(source: str) -> str:
    """The address of a source, if it has one, as a link."""
    found = _claims(source)[0].source
    shown = f'<a href="{escape(found.url)}">{escape(found.title)}</a>' if found.url else escape(found.title)
    return f'<p class="bc-source">{shown}, accessed {found.accessed}</p>'


TOPIC = {
    "sources": tuple(listed[0].source for listed in load_claims().values()),
    "rows": rows,
    "title": title,
    "differing": differing,
    "link": link,
}
"""What pages about numbers in print need; `sources` are all of them, in the order of the file."""
