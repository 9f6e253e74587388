"""Write the snippets of pages and of the calculator to a file, so that `run_snippets` can run them.

Run by `make verify`, in the environment of the site, with a browser:

    python -m tests.oracles.calculator_snippets .cache/oracles/snippets.json
"""

import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from macros.counting import ARCHITECTURES, Choices, Model, Question, load_relatives, model_named
from macros.rendering.snippets import OTHER_SNIPPETS, snippet
from macros.rendering.snippets import SNIPPETS as SNIPPETS_OF_PAGES
from tests.docs.conftest import page_of_new_site
from tests.docs.scripts import call, open_with_modules
from tests.scripts.calculating import ADAPTABLE_MODULES, ALL_LINEAR, Configuration, architectures_with, with_method

WRITE_SNIPPETS = """configurations => configurations.map((configuration) => {
  const { count, available } = bertCounted.changes
  return bertCounted.snippetOf({ configuration, counts: count(configuration), available: available(configuration) })
})"""
"""A script that returns the snippet for each configuration."""

LIST_METHODS = "() => [...bertCounted.changes.METHODS.values()]"
"""A script that returns the calculator's entries for its methods."""

LIST_UNPRUNED = "() => Object.keys(bertCounted.changes.UNPRUNED)"
"""A script that returns the architectures whose heads cannot be pruned."""

FREEZING = partial(Configuration, frozen={"embeddings": True, "layers": 2})
LORA_ON_EACH_MODULE = partial(Configuration, tuning={"rank": 8, "modules": ADAPTABLE_MODULES})
LORA_ON_ALL = partial(Configuration, tuning={"rank": 8, "modules": [ALL_LINEAR]})
"""Changes that are also made to models with other sizes or choices."""

CHANGES = (
    partial(Configuration),
    partial(Configuration, has_biases=False),
    FREEZING,
    partial(Configuration, frozen={"all_but_head": True}),
    partial(Configuration, tuning={"rank": 8, "modules": ["query", "value", "query-key-value"]}),
    LORA_ON_EACH_MODULE,
    LORA_ON_ALL,
    partial(Configuration, has_biases=False, tuning={"rank": 4, "modules": ["key", "attention-output"]}),
)
"""The changes that are made to every class. Not every architecture has all of the named modules."""

OTHER_SIZES = {"A": 3, "H": 21, "F": 13, "L": 3, "V": 101, "P": 37}
"""Sizes that replace those of a published model."""


def published_model(model_type: str) -> Model:
    """A published model of an architecture."""
    relatives = (model for model in load_relatives().values() if model.architecture.model_type == model_type)
    return model_named("bert-base-uncased") if model_type == "bert" else next(relatives)


def configurations() -> Iterator[Configuration]:
    """Every class of one published model of each architecture in transformers 5, with changes, sizes and choices."""
    for model_type, architecture in ARCHITECTURES.items():
        if architecture.last_release < 5:
            continue  # the environment in which these snippets run lacks it
        model = published_model(model_type)
        small_model = model.resized(**OTHER_SIZES, **({"G": 2, "I": 2} if "G" in model.sizes else {}))
        for model_class in architecture.classes:
            name = model_class.name
            yield from (change(Question(model, name)) for change in CHANGES)
            yield LORA_ON_ALL(Question(small_model, name))
            yield FREEZING(Question(small_model, name))
            yield LORA_ON_ALL(Question(small_model, name, choices=Choices(tied=False)))
            if model_class.fixed_choices.pooler is None:
                yield Configuration(Question(small_model, name, choices=Choices(pooler=False)))
            if any(row.when == "cross_attention" for row in architecture.rows):
                yield LORA_ON_EACH_MODULE(Question(small_model, name, choices=Choices(cross_attention=True)))


def configurations_with_methods(page: Page) -> Iterator[tuple[str, Configuration]]:
    """Configurations with a method, then those with pruned heads, each with the environment for its snippet."""
    for method in call(page, LIST_METHODS, None):
        environment = "transformers4" if method["library"] == "the adapters library" else "current"
        for name in architectures_with(method):
            if environment == "current" and ARCHITECTURES[name].last_release < 5:
                continue
            for model_class in ARCHITECTURES[name].classes:
                question = Question(published_model(name), model_class.name)
                # One size is 13, because 768 // (768 / 13) is 12 in floating point.
                has_more_sizes = environment != "current" or {"width", "feedforward"} & method["takes"].keys()
                sizes_and_widths = ((5, 0), (13, 7)) if has_more_sizes else ((5, 0),)
                yield from (
                    (environment, with_method(method, question, size, width)) for size, width in sizes_and_widths
                )
    for name in ARCHITECTURES.keys() - call(page, LIST_UNPRUNED, None):
        for model_class in ARCHITECTURES[name].classes:
            question = Question(published_model(name), model_class.name)
            yield "transformers4", Configuration(question, pruned_heads=2 * question.sizes["A"] - 1)


def snippets(page: Page, configurations: Iterable[Configuration]) -> list[str]:
    """The snippet for every configuration, as the scripts of a page write it."""
    codes: list[str] = call(page, WRITE_SNIPPETS, [configuration.for_scripts() for configuration in configurations])
    return codes


def all_snippets(page: Page) -> dict[str, Any]:
    """The snippets of pages, by name, and those of the calculator, by the environment in which they run."""
    pairs = [*(("current", configuration) for configuration in configurations()), *configurations_with_methods(page)]
    by_environment: dict[str, Any] = {"pages": {name: snippet(name) for name in (*SNIPPETS_OF_PAGES, *OTHER_SNIPPETS)}}
    for (environment, _), code in zip(
        pairs, snippets(page, [configuration for _, configuration in pairs]), strict=True
    ):
        by_environment.setdefault(environment, []).append(code)
    return by_environment


def main(path: str) -> None:
    """Write all snippets to the file at `path`."""
    with page_of_new_site() as (page, address):
        open_with_modules(page, address)
        Path(path).write_text(json.dumps(all_snippets(page)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
