"""Sums on a page: each line has a label, and each term has the paths of the tensors that it counts.

The paths are in the attribute `data-part`. Terms of sums, rows of tables and boxes of figures all have this
attribute, so `assets/pages/links.js` can highlight related elements. `data-each` marks a term that counts any
one of its paths, such as one of three equal matrices.

The attributes of a whole sum record its question, so that a test can ask it again, and its result for
`assets/pages/cite.js`.
"""

from __future__ import annotations

from html import escape

from macros.counting import Question
from macros.counting.sum_lines import Addend, Factor, Line, sum_lines

from . import words
from .counted_paths import shortest_paths
from .numbers import MINUS, labelled_lines, question_attributes, whole
from .svg import part_attribute


def in_lines(question: Question) -> str:
    """The whole sum of a question as a list of labelled lines."""
    lines = sum_lines(question)
    labels = [*words.labels(lines)[:-1], words.of_sum(question)]
    lines_html = (line(sum_line, question) for sum_line in lines)
    return labelled_lines(zip(map(escape, labels), lines_html, strict=True), _attributes(question))


def last_line(question: Question) -> str:
    """Only the last line of the sum, for use where a figure or another sum has the numbers that it adds up."""
    *_, last = sum_lines(question)
    return _in_sentence(last, question)


def in_one_line(question: Question) -> str:
    """The sum in one line that starts from sizes, for use within a sentence."""
    (only_line,) = sum_lines(question, line_limit=1)
    return _in_sentence(only_line, question)


def _in_sentence(sum_line: Line, question: Question) -> str:
    """A line of the sum of a question for use within a sentence."""
    return f'<span class="bc-steps"{_attributes(question)}>{line(sum_line, question)}</span>'


def _attributes(question: Question) -> str:
    """The attributes of a sum: its question and its result."""
    attributes = question_attributes(question)
    # A sum with `data-part` would be highlighted as a whole whenever that part is.
    attributes = {**attributes, "asked-part": attributes.pop("part"), "asked-tag": attributes.pop("tag")}
    attributes["result"] = f"{whole(question.number)} parameters"
    return "".join(f' data-{key}="{escape(str(value))}"' for key, value in attributes.items() if value)


def line(sum_line: Line, question: Question | None = None) -> str:
    """One line of a sum: its terms and, if there is any arithmetic, the result.

    `question` is the question that the sum answers. Without it, every path is listed even if a shorter path covers them
    all, so the page cannot match them with the paths of a number in a sentence.
    """
    first, *rest = sum_line.addends
    signed_addends = [f"{MINUS if addend.value < 0 else '+'} {_addend(addend, question)}" for addend in rest]
    terms = " ".join([_addend(first, question), *signed_addends])
    if not sum_line.has_arithmetic:
        return f'<span class="bc-line-of-sum">{terms}</span>'
    result = f'<b class="bc-term"{_part_attributes(sum_line, question)}>{whole(sum_line.result)}</b>'
    return f'<span class="bc-line-of-sum">{terms} = {result}</span>'


def _addend(addend: Addend, question: Question | None) -> str:
    """A product without its sign."""
    return (
        f'<span class="bc-term"{_part_attributes(addend, question)}>{" × ".join(map(_factor, addend.factors))}</span>'
    )


def _factor(factor: Factor) -> str:
    """A factor without its sign. If it is a size, it has the letter of that size, so that it can be highlighted."""
    return f'<span data-letter="{factor.letter}">{factor.text}</span>' if factor.letter else factor.text


def _part_attributes(line_or_addend: Line | Addend, question: Question | None) -> str:
    """The attributes with the paths of a line or an addend, which the page uses to highlight it."""
    paths = line_or_addend.paths
    if line_or_addend.is_alike:
        return f"{part_attribute(*paths)} data-each"
    return part_attribute(*(shortest_paths(tuple(paths), question) if question else paths))
