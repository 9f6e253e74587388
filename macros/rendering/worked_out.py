"""The block "Worked out" about a part, and the last line of its sum for use below a figure.

The block shows the sum of BERT base or BERT large line by line, that of the other model in one line, the part's share
of both, and the formula. Readers can unfold a form for other sizes and a table of tensors. The ids in the block are
published addresses: a paragraph that has replaced a table keeps the table's id and the id of its caption.
"""

from __future__ import annotations

from macros.counting import CountingError, Question
from macros.counting.architecture import ONE_LAYER
from macros.example import TOY

from .components import formulas, numbers, pages, sum_html
from .components.asking import BASE, SHORT_NAMES, questions_about_both
from .components.permalinks import permalink
from .components.templates import render
from .tables import parts


def block(question: Question, name: str, *, results: str = "", has_table: bool = True) -> str:
    """The whole block for a part.

    Args:
        question: a question about a part of BERT base or BERT large.
        name: the prefix of the ids; empty for the main block of a page.
        results: the id of the other model's result; empty for the default, "results" after the prefix. An id that was
            published under another name is kept.
        has_table: whether to include the folded table of tensors.

    Raises:
        CountingError: the question is about any other model.
    """
    _check_model(question)
    prefix = f"{name}-" if name else ""
    tensors = _fold(parts.tensors(f"{prefix}tensors", question, has_total=False)) if has_table else ""
    other_question = next(
        candidate for candidate in questions_about_both(question) if candidate.model.name != question.model.name
    )
    return (
        f'<div class="bc-worked" id="{prefix}shapes">'
        f'<p id="{prefix}worked">BERT {SHORT_NAMES[question.model.name]}, line by line:&nbsp;'
        f"{permalink(f'{prefix}worked', 'sum')}</p>{sum_html.in_lines(question)}"
        f"{_other_model(results or f'{prefix}results', other_question)}{_shares(question)}&nbsp;"
        f"{permalink(results or f'{prefix}results', 'sum')}</p>"
        f'<div id="{prefix}formula">{formulas.formula(question)}</div>{_other_sizes(prefix, question)}{tensors}</div>'
    )


def _other_sizes(prefix: str, question: Question) -> str:
    """The folded section in which readers can try other sizes, with the help of a script; empty for BERT large."""
    if question.model.name != BASE:
        return ""
    return render(
        "sizes.html",
        id=f"{prefix}sizes",
        calculator=pages.ROOT + pages.CALCULATOR,
        model_class=question.resolved_class.name,
        part=question.part,
        tag=question.tag,
    )


def _fold(tensors: str) -> str:
    """The table of tensors, folded because the sum already has all of its numbers."""
    return f'<details class="bc-more"><summary>Every tensor, with its shape</summary>{tensors}</details>'


def _check_model(question: Question) -> None:
    """Raise a `CountingError` for models other than BERT base and BERT large, because the block compares these two."""
    if question.model.name not in SHORT_NAMES:
        raise CountingError(
            f"{question.model.name} cannot be worked out, because a sum compares BERT base with BERT large; "
            "write model=base or model=large, or use number() and formula() for another model"
        )


def _other_model(name: str, other_question: Question) -> str:
    """The beginning of the paragraph about the other model, with the ids of the table that it has replaced."""
    caption = f'<span id="{name}-caption">The same sum for BERT {SHORT_NAMES[other_question.model.name]}</span>'
    # The page about the whole model has the full sums of both models.
    is_whole = other_question == other_question.whole
    sum_of_other = sum_html.last_line(other_question) if is_whole else sum_html.in_one_line(other_question)
    return f'<p id="{name}">{caption}: {sum_of_other}.'


def _shares(question: Question) -> str:
    """A sentence on the part's share of both models; empty if the part is the whole model."""
    if question == question.whole:
        return ""
    questions = questions_about_both(question)
    shares = [
        f"{numbers.share(of_model, of_model.whole)} of BERT {SHORT_NAMES[of_model.model.name]}"
        for of_model in questions
    ]
    if len({numbers.percentage(of_model.number, of_model.whole.number) for of_model in questions}) == 1:
        shares = [shares[0], f"of BERT {SHORT_NAMES[questions[1].model.name]}"]
    if _is_within_layer(question):
        shares[0] = shares[0].replace(" of ", " of the whole of ")
    model_class = question.resolved_class.name
    suffix = "" if model_class == questions[0].model.architecture.classes[0].name else f", built as {model_class}"
    return f" {_subject(question)} {' and '.join(shares)}{suffix}."


def _subject(question: Question) -> str:
    """The beginning of a sentence about a share, which mentions the layer if the part is counted in a single layer."""
    if _is_within_layer(question):
        return "In one layer, this part is"
    return "A single layer is" if question.part == ONE_LAYER else "This part is"


def _is_within_layer(question: Question) -> bool:
    """Whether a part is counted in a single layer and is not the layer itself."""
    return question.part.startswith(ONE_LAYER) and (question.part, question.tag) != (ONE_LAYER, "")


def last_line(question: Question, name: str) -> str:
    """The last line of the sum as a paragraph below a figure, with the id `name` and a permalink unless it is empty.

    Raises:
        CountingError: the question is about a model other than BERT base, BERT large and the toy model.
    """
    if question.model.name == TOY:
        model = f"{question.model.title}: "
    else:
        _check_model(question)
        model = f"BERT {SHORT_NAMES[question.model.name]}: "
    ids = (f' id="{name}"', f' id="{name}-caption"') if name else ("", "")
    link = f"&nbsp;{permalink(name, 'sum')}" if name else ""
    return f'<p class="bc-summed"{ids[0]}><span{ids[1]}>{model}{sum_html.last_line(question)}</span>{link}</p>'
