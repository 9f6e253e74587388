"""What a macro call asks for: a part of a model, in one class."""

from __future__ import annotations

from dataclasses import dataclass

from macros.counting import Model, Polynomial, count, model_named, polynomial

BASE, LARGE = "bert-base-uncased", "bert-large-uncased"

SHORT = {BASE: "base", LARGE: "large"}
"""The two models that most tables set side by side, and how a table's head calls them."""


@dataclass(frozen=True)
class Asked:
    """The arguments that most macros share, and what the engine says to them.

    `part`, `tag`, `model_class` and `pooler` mean what they mean to
    `counting.count`; `model` is a published name; `tied=False` counts the
    decoder beside the word embeddings.
    """

    part: str = ""
    tag: str = ""
    model: str = BASE
    model_class: str = "BertModel"
    pooler: bool | None = None
    tied: bool = True

    @property
    def of(self) -> Model:
        """The model asked about."""
        return model_named(self.model)._replace(tied=self.tied)

    @property
    def number(self) -> int:
        """Its parameters."""
        return count(self.of, self.part, self.tag, model_class=self.model_class, pooler=self.pooler)

    @property
    def polynomial(self) -> Polynomial:
        """The same in letters."""
        return polynomial(self.of, self.part, self.tag, model_class=self.model_class, pooler=self.pooler)

    @property
    def choices(self) -> str:
        """What was chosen besides model and class, in words; empty for what transformers does unasked."""
        without = ["without pooler"] if self.pooler is False else []
        untied = ["decoder untied"] if not self.tied else []
        return ", ".join(without + untied)

    @property
    def where(self) -> str:
        """Model, class and choices in words: `bert-base-uncased, BertModel, without pooler`."""
        return ", ".join(filter(None, [self.model, self.model_class, self.choices]))
