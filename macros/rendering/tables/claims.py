"""What is printed about BERT, claim by claim, beside what the engine counts."""

from __future__ import annotations

from html import escape

from macros.counting.deviations import deviation_named, load_deviations
from macros.counting.disagreements.claims import Claim, check, load_claims
from macros.counting.errors import entry_of
from macros.counting.memory import UNITS

from ..elements import numbers
from ..elements.tables import PROSE, WORD, Column, breakable, date, numeric, table

VERDICTS = {"agrees": "agrees", "differs": "<strong>differs</strong>", "no-effect": "no effect"}

CAUSES = {
    "each": "taking another number of bytes per parameter",
    "slip": "a typo in the digits",
}
"""Steps of any claim that are not deviations."""


def claims(name: str, source: str) -> str:
    """Every number of one source, in its order, printed and computed.

    Raises:
        CountingError: no source of that name.
        BadClaim: a claim has the wrong verdict, or its bridge does not close.
    """
    listed = entry_of(load_claims(), "source", source)
    columns = [
        Column("what is counted", PROSE),
        *numeric("printed", "computed"),
        Column("verdict", WORD),
        Column("explanation", PROSE),
        Column("where"),
    ]
    rows = [_row(claim) for claim in listed]
    ids = [f"{source}-{claim.position}" for claim in listed]
    drawn = table(name, f"{listed[0].source.title}, line by line", columns, rows, row_ids=ids)
    return f'<div class="bc-quotes">{drawn}</div>'


def _row(claim: Claim) -> list[str]:
    check(claim)
    times = f" (in each of {claim.times})" if claim.times else ""
    return [
        breakable(escape(claim.counts + times)),
        f"<samp>{escape(claim.printed)}</samp>",
        computed(claim),
        VERDICTS[claim.verdict],
        "<br> ".join(filter(None, [_bridge(claim), escape(claim.note)])),
        escape(claim.where),
    ]


def computed(claim: Claim) -> str:
    """What the engine counts for a claim, written as the claim writes it."""
    if claim.verdict == "no-effect":
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
    if claim.right == claim.right_question.number:
        how.append(numbers.in_lines(claim.right_question))
    return numbers.data(claim.right, text, "\n".join(how), kind="claim", claim=line)


def _bridge(claim: Claim) -> str:
    """The steps from the right number to the printed one, as a sentence with a line for each."""
    if claim.verdict != "differs":
        return ""
    steps = [f"{numbers.signed(change)}: {_cause(cause)}" for cause, change in claim.steps()]
    if claim.slip and not any(cause == "slip" for cause, _ in claim.steps()):
        steps.append(CAUSES["slip"])  # of a rounded number, which no step can reach exactly
    if claim.divided:
        steps.append(f"dividing by the bytes in a {claim.divided}")
    return ";<br> ".join(steps) + "."


def _cause(cause: str) -> str:
    named = _uncapitalised(deviation_named(cause).title) if cause in load_deviations() else cause
    return escape(CAUSES.get(cause, named))


def _uncapitalised(text: str) -> str:
    return text[0].lower() + text[1:]


def sources(name: str) -> str:
    """Every source with how many of its numbers agree and differ."""
    columns = [
        Column("source", PROSE),
        *numeric("numbers", "agree", "differ", "no effect"),
        Column("kind", WORD),
        Column("accessed", WORD),
    ]
    rows = [_source(claims) for claims in load_claims().values()]
    return table(name, "Every source, and how many of its numbers agree", columns, rows)


def _source(claims: tuple[Claim, ...]) -> list[str]:
    source = claims[0].source
    named = f'<a href="#{source.name}">{escape(source.title)}</a>'
    figures = {"numbers": len(claims)}
    figures |= {verdict: sum(each.verdict == verdict for each in claims) for verdict in VERDICTS}
    cells = [
        numbers.in_full(number, f"{what}, {source.title}", kind="claims", of=what, source=source.name)
        for what, number in figures.items()
    ]
    return [named, *cells, source.kind, date(source.accessed)]


def source_link(source: str) -> str:
    """The address of a source, if it has one, as a link."""
    found = load_claims()[source][0].source
    link = f'<a href="{escape(found.url)}">{escape(found.title)}</a>' if found.url else escape(found.title)
    return f'<p class="bc-source">{link}, accessed {found.accessed}</p>'
