"""What is printed about BERT, claim by claim, beside what the engine counts."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from macros.counting.deviations import deviation_named, load_deviations
from macros.counting.disagreements.claims import Claim, check, load_claims
from macros.counting.errors import entry_of
from macros.counting.memory import UNITS

from ..elements import numbers
from ..elements.tables import PROSE, WORD, Column, breakable, code, date, numeric, table

DIFFERS, NO_EFFECT = "differs", "no-effect"
"""Verdicts of claims; all others agree."""

CAUSES = {
    "slip": "a typo in the digits",
}
"""Steps of any claim that are not deviations."""


def claims(name: str, source: str) -> str:
    """The numbers of one source, printed and computed: those that differ, and the others in a fold below.

    Raises:
        CountingError: no source of that name.
        BadClaim: a claim has the wrong verdict, or its bridge does not close.
    """
    listed = entry_of(load_claims(), "source", source)
    differing = [each for each in listed if each.verdict == DIFFERS]
    others = [each for each in listed if each.verdict != DIFFERS]
    drawn = _table(name, f"What differs from ours: {listed[0].source.title}", differing, _differing, "explanation")
    if others:
        caption = f"What agrees: {listed[0].source.title}"
        table_name = f"{name}-agreeing" if differing else name
        folded = _table(table_name, caption, others, _agreeing, "note")
        some = "what agrees, line by line" if differing else "every number, line by line; none differs"
        drawn += f'<details class="bc-fold"><summary>{some}</summary>{folded}</details>'
    return f'<div class="bc-quotes">{drawn}</div>'


def _table(name: str, caption: str, listed: list[Claim], row: Callable[[Claim], str], last: str) -> str:
    """Some claims in the order of their source; `row` says what stands in the column called `last`."""
    if not listed:
        return ""
    columns = [Column("what is counted", PROSE), *numeric("printed", "computed"), Column(last, PROSE), Column("where")]
    rows = [[*_numbers(claim), row(claim), escape(claim.where)] for claim in listed]
    return table(name, caption, columns, rows, row_ids=[f"{each.source.name}-{each.position}" for each in listed])


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
    line = f"{claim.source.name}/{claim.position}"
    how = [claim.model.name]
    if claim.change:
        lines = claim.changed(claim.right_question).sum_lines(trained=claim.unit == "trained")
        how += [claim.change, *map(str, lines[-1:])]
    elif claim.right == claim.right_question.number:
        how.append(numbers.in_lines(claim.right_question))
    return numbers.data(claim.right, text, "\n".join(how), kind="claim", claim=line)


def _bridge(claim: Claim) -> str:
    """The steps from the right number to the printed one, which differs, as a sentence with a line for each."""
    width = f"taking {claim.each} byte{'' if claim.each == 1 else 's'} per parameter"
    causes = {**CAUSES, "each": width}
    steps = [f"{numbers.signed(change)}: {causes.get(cause) or _cause(cause)}" for cause, change in claim.steps()]
    if claim.slip and not any(cause == "slip" for cause, _ in claim.steps()):
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


def sources(name: str) -> str:
    """Every source, with how many of its numbers differ."""
    columns = [Column("source", PROSE), *numeric("differ"), Column("kind", WORD), Column("accessed", WORD)]
    return table(name, "Every source, with how many of its numbers differ", columns, list(map(_source, load_claims())))


def _source(name: str) -> list[str]:
    listed = load_claims()[name]
    source = listed[0].source
    number = sum(each.verdict == DIFFERS for each in listed)
    differ = numbers.in_full(number, f"differ, {source.title}", kind="claims", of=DIFFERS, source=name)
    return [f'<a href="#{name}">{escape(source.title)}</a>', differ, source.kind, date(source.accessed)]


def source_link(source: str) -> str:
    """The address of a source, if it has one, as a link."""
    found = load_claims()[source][0].source
    link = f'<a href="{escape(found.url)}">{escape(found.title)}</a>' if found.url else escape(found.title)
    return f'<p class="bc-source">{link}, accessed {found.accessed}</p>'
