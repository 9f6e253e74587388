"""The questions that macros ask, and how a page says what was asked."""

from __future__ import annotations

from macros.counting import Choices, Question, model_named

BASE, LARGE = "bert-base-uncased", "bert-large-uncased"

SHORT = {BASE: "base", LARGE: "large"}
"""The two models that most tables show side by side, and their names in headings."""


def ask(
    part: str = "",
    tag: str = "",
    model: str = BASE,
    model_class: str = "",
    pooler: bool | None = None,
    tied: bool | None = None,
) -> Question:
    """A question by the arguments that most macros share, which are those of `counting.Question`.

    `model` is the name of a published model. `pooler=False` leaves the pooler
    of the bare model out, `tied=False` counts the decoder beside the word
    embeddings.
    """
    return Question(model_named(model), model_class, part, tag, Choices(pooler=pooler, tied=tied))


def of_both(asked: Question) -> list[Question]:
    """The same question about base and about large."""
    return [asked._replace(model=model_named(model)) for model in SHORT]


def choices_of(asked: Question) -> str:
    """What was chosen besides model and class, in words; empty for what transformers does by default."""
    without = ["without pooler"] if asked.choices.pooler is False else []
    untied = ["decoder untied"] if asked.choices.tied is False else []
    return ", ".join(without + untied)


def where(asked: Question) -> str:
    """Model, class and choices in words: `bert-base-uncased, BertModel, without pooler`."""
    return ", ".join(filter(None, [asked.model.name, asked.chosen.name, choices_of(asked)]))
