"""Write down the snippets of pages and of the calculator, so that `run_snippets` can run them with real libraries.

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
from macros.rendering.snippets import OTHERS, snippet
from macros.rendering.snippets import SNIPPETS as SNIPPETS_OF_PAGES
from tests.docs.conftest import page_of_new_site
from tests.docs.scripts import called, with_scripts
from tests.scripts.calculating import ADAPTED, ALL_LINEAR, Configuration, by_method, having

SNIPPETS = """configurations => configurations.map((configuration) => {
  const { count, offered } = bertCounted.changes
  return bertCounted.snippetOf({ configuration, counted: count(configuration), offered: offered(configuration) })
})"""

METHODS = "() => [...bertCounted.changes.METHODS.values()]"
"""What the calculator knows of each method that it offers."""

UNPRUNED = "() => Object.keys(bertCounted.changes.UNPRUNED)"
"""The architectures of which no head is pruned."""

CHANGES = (
    partial(Configuration),
    partial(Configuration, biases=False),
    partial(Configuration, frozen={"embeddings": True, "layers": 2}),
    partial(Configuration, frozen={"all_but_head": True}),
    *(
        partial(Configuration, lora={"rank": 8, "modules": modules})
        for modules in (["query", "value", "query-key-value"], ADAPTED, [ALL_LINEAR])
    ),
    partial(Configuration, biases=False, lora={"rank": 4, "modules": ["key", "attention-output"]}),
)
"""What is changed in every class; every architecture has some of the modules."""

OTHER_SIZES = {"A": 3, "H": 21, "F": 13, "L": 3, "V": 101, "P": 37}
"""Put over those of a published model."""


def published(name: str) -> Model:
    """A published model of an architecture."""
    others = (each for each in load_relatives().values() if each.architecture.model_type == name)
    return model_named("bert-base-uncased") if name == "bert" else next(others)


def configurations() -> Iterator[Configuration]:
    """Every class with every change, of a published model; of other sizes; and with each choice that there is."""
    for name, architecture in ARCHITECTURES.items():
        model = published(name)
        small = model.resized(**OTHER_SIZES, **({"G": 2, "I": 2} if "G" in model.sizes else {}))
        for each in architecture.classes:
            yield from (changed(Question(model, each.name)) for changed in CHANGES)
            yield from (CHANGES[place](Question(small, each.name)) for place in (-2, 2))
            yield CHANGES[-2](Question(small, each.name, choices=Choices(tied=False)))
            if each.fixed.pooler is None:
                yield Configuration(Question(small, each.name, choices=Choices(pooler=False)))
            if any(row.when == "cross_attention" for row in architecture.rows):
                yield CHANGES[-3](Question(small, each.name, choices=Choices(cross_attention=True)))


def methods(page: Page) -> Iterator[tuple[str, Configuration]]:
    """Every class with each method that it may have, and with heads pruned; and the environment in which each runs."""
    for method in called(page, METHODS, None):
        runs = "transformers4" if method["library"] == "the adapters library" else "current"
        for name in having(method):
            for each in ARCHITECTURES[name].classes:
                asked = Question(published(name), each.name)
                # By 768 / 13 a floating-point number goes less than 13 times into 768.
                is_other = runs != "current" or {"width", "feedforward"} & method["takes"].keys()
                sizes = ((5, 0), (13, 7)) if is_other else ((5, 0),)
                yield from ((runs, by_method(method, asked, *size)) for size in sizes)
    for name in ARCHITECTURES.keys() - called(page, UNPRUNED, None):
        for each in ARCHITECTURES[name].classes:
            asked = Question(published(name), each.name)
            yield "transformers4", Configuration(asked, pruned=2 * asked.sizes["A"] - 1)


def snippets(page: Page, asked: Iterable[Configuration]) -> list[str]:
    """The snippet of each, on a page that counts."""
    found: list[str] = called(page, SNIPPETS, [each.as_script_takes_it() for each in asked])
    return found


def written(page: Page) -> dict[str, Any]:
    """Those of pages by name, and those of the calculator by the environment in which they run."""
    asked = [*(("current", each) for each in configurations()), *methods(page)]
    found: dict[str, Any] = {"pages": {name: snippet(name) for name in (*SNIPPETS_OF_PAGES, *OTHERS)}}
    for (runs, _), code in zip(asked, snippets(page, [each for _, each in asked]), strict=True):
        found.setdefault(runs, []).append(code)
    return found


def main(path: str) -> None:
    """Write all of them into a file."""
    with page_of_new_site() as (page, address):
        with_scripts(page, address)
        Path(path).write_text(json.dumps(written(page)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
