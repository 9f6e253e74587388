"""The questions that macros ask, and how a page says what was asked."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from macros.counting import Choices, Model, Question, load_models, model_named

BASE, LARGE = "bert-base-uncased", "bert-large-uncased"

SHORT = {BASE: "base", LARGE: "large"}
"""The two models that most tables show side by side, and their names in headings."""


FAMILIES = {
    "roberta": "roberta-base",
    "distilbert": "distilbert-base-uncased",
    "albert": "albert-base-v2",
    "electra": "electra-small-discriminator",
    "xlm-roberta": "xlm-roberta-base",
    "minilm": "MiniLM-L6-H384-uncased",
    "mpnet": "mpnet-base",
    "modernbert": "modernbert-base",
    "deberta-v2": "deberta-v3-base",
}
"""The relatives that people ask about most, by section; each section compares this model with BERT base."""

MAIN = tuple(FAMILIES.values())
"""The model that each section compares with BERT base."""


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
    """Model, class and choices in words: `BERT base, uncased, as BertModel without pooler`."""
    chosen = " ".join(filter(None, [asked.chosen.name, choices_of(asked)]))
    return f"{title_of(asked.model)}, as {chosen}"


def title_of(model: Model) -> str:
    """What pages call a model: its title, and its depth and width where others have the same title.

    >>> title_of(model_named("bert_uncased_L-2_H-256_A-4"))
    'BERT miniature with L = 2 and H = 256'
    """
    alike = sum(each.title == model.title for each in load_models().values())
    return f"{model.title} with L = {model.sizes['L']} and H = {model.sizes['H']}" if alike > 1 else model.title


def models_to_choose(title: str, models: Iterable[Model]) -> str:
    """One group of models in a list to choose from; the search tells titles apart by the space between them."""
    listed = "\n".join(f'<option value="{each.name}">{escape(title_of(each))}</option>' for each in models)
    return f'<optgroup label="{escape(title)}">{listed}</optgroup>'
