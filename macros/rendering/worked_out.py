"""The block "Worked out": tensors with their shapes, the sum line by line, the other model, the formula in letters."""

from __future__ import annotations

from macros.counting import Question

from .components import formulas, numbers, sum_html
from .components.asking import SHORT, of_both
from .components.permalinks import permalink
from .tables import parts


def block(asked: Question, name: str, *, results: str = "", shapes: bool = True) -> str:
    """How the number of a part comes about, each result once.

    Args:
        asked: the part, in base or in large; the other of the two has its last line.
        name: stands before the ids; empty for the block that a page is about.
        results: the id of the other model's result, where an address of its own was published.
        shapes: whether the tensors are listed first.
    """
    before = f"{name}-" if name else ""
    tensors = parts.tensors(f"{before}tensors", asked, total=False) if shapes else ""
    other = next(each for each in of_both(asked) if each.model.name != asked.model.name)
    return (
        f'<div class="bc-worked" id="{before}shapes">{tensors}'
        f'<p id="{before}worked">BERT {SHORT[asked.model.name]}, line by line:&nbsp;'
        f"{permalink(f'{before}worked', 'sum')}</p>{sum_html.in_lines(asked)}"
        f"{_other(results or f'{before}results', other)}{_shares(asked)}&nbsp;"
        f"{permalink(results or f'{before}results', 'sum')}</p>"
        f'<div id="{before}formula">{formulas.formula(asked)}</div></div>'
    )


def _other(name: str, other: Question) -> str:
    """The beginning of a paragraph about the other model; a table stood here, whose caption had an address."""
    caption = f'<span id="{name}-caption">The same sum for BERT {SHORT[other.model.name]}</span>'
    return f'<p id="{name}">{caption}: {sum_html.in_one_line(other)}.'


def _shares(asked: Question) -> str:
    """What share of a model the part is, in a sentence."""
    if asked == asked.at():
        return ""
    shares = [f"{numbers.share(each, each.at())} of {SHORT[each.model.name]}" for each in of_both(asked)]
    return f" As a share of {asked.chosen.name} that is {' and '.join(shares)}."


def last_line(asked: Question, name: str) -> str:
    """The last line of a sum as a line of its own, what a figure shows; with an address if it has a name."""
    where = f"{SHORT[asked.model.name]}: "
    ids = (f' id="{name}"', f' id="{name}-caption"') if name else ("", "")
    link = f"&nbsp;{permalink(name, 'sum')}" if name else ""
    return f'<p class="bc-summed"{ids[0]}><span{ids[1]}>{where}{sum_html.in_one_line(asked)}</span>{link}</p>'
