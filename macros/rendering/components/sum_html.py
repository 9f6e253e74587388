"""Sums on a page: each line with what it counts, and each term with the paths of what it stands for.

The attribute `data-part` holds those paths, on terms, on rows of tensors and
on boxes of figures alike, and `data-each` says that a term counts any one of
them; `assets/pages/links.js` lights what belongs together. The attributes of
the sum itself repeat the question, so that a test can ask it again, and say
what it comes to, for `assets/pages/cite.js`.
"""

from __future__ import annotations

from html import escape

from macros.counting import Question
from macros.counting.sum_lines import Addend, Factor, Line, sum_lines

from . import words
from .numbers import MINUS, question_of, whole
from .svg import part_of


def in_lines(asked: Question) -> str:
    """The sum worked out, all of its lines, each with what it counts."""
    lines = sum_lines(asked)
    labels = [*words.labels(lines)[:-1], words.of_sum(asked)]
    items = (
        f'<li><span class="bc-what">{escape(label)}</span> {line(each)}</li>'
        for label, each in zip(labels, lines, strict=True)
    )
    return f'<ol class="bc-steps"{_attributes(asked)}>{"".join(items)}</ol>'


def in_one_line(asked: Question) -> str:
    """The last line of the sum alone, within a text."""
    (last,) = sum_lines(asked, most=1)
    return f'<span class="bc-steps"{_attributes(asked)}>{line(last)}</span>'


def _attributes(asked: Question) -> str:
    question = question_of(asked)
    question = {**question, "asked-part": question.pop("part"), "asked-tag": question.pop("tag")}
    question["result"] = f"{whole(asked.number)} parameters"
    return "".join(f' data-{key}="{escape(str(value))}"' for key, value in question.items() if value)


def line(of: Line) -> str:
    """One line of a sum: what is added, and what it comes to."""
    first, *rest = of.addends
    signed = [f"{MINUS if each.value < 0 else '+'} {_addend(each)}" for each in rest]
    terms = " ".join([_addend(first), *signed])
    if not of.has_arithmetic:
        return f'<span class="bc-line-of-sum">{terms}</span>'
    result = f'<b class="bc-term"{_part(of)}>{whole(of.result)}</b>'
    return f'<span class="bc-line-of-sum">{terms} = {result}</span>'


def _addend(addend: Addend) -> str:
    return f'<span class="bc-term"{_part(addend)}>{" × ".join(map(_factor, addend.factors))}</span>'


def _factor(factor: Factor) -> str:
    letter = f' data-letter="{factor.letter}"' if factor.letter else ""
    return f"<span{letter}>{whole(abs(factor.number))}</span>" if letter else whole(abs(factor.number))


def _part(counts: Line | Addend) -> str:
    return part_of(*counts.paths) + (" data-each" if counts.alike else "")
