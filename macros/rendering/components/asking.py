"""The questions that macros ask, and the wording of their models, classes and choices.

Without a `model` argument, macros ask about BERT base. Most tables compare it with BERT large, and the pages about
relatives have a section for each model in `FAMILIES` and `FURTHER_FAMILIES`.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from macros.counting import Choices, Model, Question, load_models, model_named
from macros.example import TOY, toy

BASE = "bert-base-uncased"
LARGE = "bert-large-uncased"
"""The names of the two models that most pages are about."""

SHORT_NAMES = {BASE: "base", LARGE: "large"}
"""The short names of the two models that most tables show side by side; pages put them after "BERT"."""

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
"""The main relatives, by the id of the section that compares each with BERT base."""

MAIN_RELATIVES = tuple(FAMILIES.values())
"""The names of the models in `FAMILIES`."""

FURTHER_FAMILIES = {
    "camembert": "camembert-base",
    "data2vec-text": "data2vec-text-base",
    "xlm-roberta-xl": "xlm-roberta-xl",
    "ernie": "ernie-3.0-base-zh",
    "nezha": "nezha-cn-base",
    "megatron-bert": "gatortron-base",
    "rembert": "rembert",
    "dpr": "dpr-question_encoder-single-nq-base",
    "layoutlm": "layoutlm-base-uncased",
    "longformer": "longformer-base-4096",
    "big_bird": "bigbird-roberta-base",
    "deberta": "deberta-base",
    "nomic_bert": "nomic-embed-text-v1",
    "gte": "gte-multilingual-base",
    "jina_embeddings_v3": "jina-embeddings-v3-hf",
    "eurobert": "eurobert-210m",
    "mobilebert": "mobilebert-uncased",
    "esm": "esm2_t33_650M_UR50D",
}
"""A model of each further architecture, by the id of its section on the second page about relatives."""


def ask(
    part: str = "",
    tag: str = "",
    model: str = BASE,
    model_class: str = "",
    pooler: bool | None = None,
    tied: bool | None = None,
) -> Question:
    """The engine's question for the arguments that most macros take.

    Args:
        part: the path of a part; empty for the whole model.
        tag: narrows the part to the tensors with a tag.
        model: the name of a published model, or of the toy model.
        model_class: the class that is counted; empty for the bare model.
        pooler: `False` omits the pooler of the bare model; `None` leaves the choice to the class and its defaults.
        tied: `False` counts the decoder of the masked-LM head in addition to the word embeddings; `None` as above.

    Raises:
        UnknownModel: there is no such model. Other unknown names raise an error only when the question is answered.
    """
    return Question(model_of(model), model_class, part, tag, Choices(pooler=pooler, tied=tied))


def model_of(name: str) -> Model:
    """The published model with this name, or the toy model.

    Raises:
        UnknownModel: there is no such model.
    """
    return toy().model if name == TOY else model_named(name)


def questions_about_both(question: Question) -> list[Question]:
    """The same question about BERT base and about BERT large."""
    return [question._replace(model=model_named(model)) for model in SHORT_NAMES]


def choices_of(question: Question) -> str:
    """The choices that leave out the pooler or untie the decoder, in words; empty if a question has neither."""
    pooler_words = ["without pooler"] if question.choices.pooler is False else []
    decoder_words = ["decoder untied"] if question.choices.tied is False else []
    return ", ".join(pooler_words + decoder_words)


def subject_of(question: Question) -> str:
    """The model, class and choices of a question in words: `BERT base, uncased, as BertModel without pooler`."""
    model_class = " ".join(filter(None, [question.resolved_class.name, choices_of(question)]))
    return f"{title_of(question.model)}, as {model_class}"


def title_of(model: Model) -> str:
    """The name of a model on pages: its title, followed by its depth and width if the title is not unique.

    >>> title_of(model_named("bert_uncased_L-2_H-256_A-4"))
    'BERT miniature with L = 2 and H = 256'
    """
    has_unique_title = sum(other.title == model.title for other in load_models().values()) <= 1
    return model.title if has_unique_title else f"{model.title} with L = {model.sizes['L']} and H = {model.sizes['H']}"


def model_option_group(title: str, models: Iterable[Model]) -> str:
    """A group of options for a select field, one per model."""
    # The line breaks keep the search from joining the titles of adjacent options.
    options = "\n".join(f'<option value="{model.name}">{escape(title_of(model))}</option>' for model in models)
    return f'<optgroup label="{escape(title)}">{options}</optgroup>'
