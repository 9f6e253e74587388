"""Write down the snippets of pages and of the calculator, so that `run_snippets` can run them with real libraries.

Run by `make verify`, in the environment of the site, with a browser:

    python -m tests.oracles.calculator_snippets .cache/oracles/snippets.json
"""

import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from playwright.sync_api import Page

from macros.counting import ARCHITECTURES, Choices, Model, Question, load_relatives, model_named
from macros.rendering.snippets import OTHERS, snippet
from macros.rendering.snippets import SNIPPETS as SNIPPETS_OF_PAGES
from tests.docs.calculating import ADAPTED, ALL_LINEAR, METHODS, Configuration, by_method
from tests.docs.conftest import page_of_new_site
from tests.docs.scripts import called, with_scripts

SNIPPETS = """configurations => configurations.map((configuration) => {
  const { count, offered } = bertCounted.changes
  return bertCounted.snippetOf({ configuration, counted: count(configuration), offered: offered(configuration) })
})"""

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


def methods(page: Page) -> Iterator[Configuration]:
    """Every class with each method that it may have, but for the adapters library, which needs another transformers."""
    for method in (each for each in called(page, METHODS, None) if each["library"] != "the adapters library"):
        for name in method["architectures"]:
            classes = ARCHITECTURES[name].classes
            yield from (by_method(method, Question(published(name), each.name), 5) for each in classes)


def snippets(page: Page, asked: Iterable[Configuration]) -> list[str]:
    """The snippet of each, on a page that counts."""
    found: list[str] = called(page, SNIPPETS, [each.as_script_takes_it() for each in asked])
    return found


def main(path: str) -> None:
    """Write all of them into a file."""
    with page_of_new_site() as (page, address):
        with_scripts(page, address)
        found = snippets(page, [*configurations(), *methods(page)])
    on_pages = {name: snippet(name) for name in (*SNIPPETS_OF_PAGES, *OTHERS)}
    Path(path).write_text(json.dumps({"pages": on_pages, "calculator": found}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
