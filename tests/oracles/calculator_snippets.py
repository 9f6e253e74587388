"""Write down the calculator's snippets, so that `run_snippets` can run them with the real libraries.

Run by `make verify`, in the environment of the site, with a browser:

    python -m tests.oracles.calculator_snippets .cache/oracles/snippets.json
"""

import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from playwright.sync_api import Page

from macros.counting import ARCHITECTURES, Choices, Question, load_relatives, model_named
from tests.docs.calculating import ADAPTED, ALL_LINEAR, Configuration
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
        for modules in (["query", "value"], ADAPTED, [ALL_LINEAR])
    ),
    partial(Configuration, biases=False, lora={"rank": 4, "modules": ["key", "attention-output"]}),
)
"""What is changed in every class."""

OTHER_SIZES = {"A": 3, "H": 21, "F": 13, "L": 3, "V": 101, "P": 37}
"""Put over those of a published model."""


def configurations() -> Iterator[Configuration]:
    """Every class with every change, of a published model; of other sizes; and with each choice that there is."""
    for name, architecture in ARCHITECTURES.items():
        others = (each for each in load_relatives().values() if each.architecture.model_type == name)
        model = model_named("bert-base-uncased") if name == "bert" else next(others)
        small = model.resized(**OTHER_SIZES, **({"G": 2, "I": 2} if "G" in model.sizes else {}))
        for each in architecture.classes:
            yield from (changed(Question(model, each.name)) for changed in CHANGES)
            yield from (CHANGES[place](Question(small, each.name)) for place in (-2, 2))
            yield CHANGES[-2](Question(small, each.name, choices=Choices(tied=False)))
            if each.fixed.pooler is None:
                yield Configuration(Question(small, each.name, choices=Choices(pooler=False)))
            if any(row.when == "cross_attention" for row in architecture.rows):
                yield CHANGES[-3](Question(small, each.name, choices=Choices(cross_attention=True)))


def snippets(page: Page, asked: Iterable[Configuration]) -> list[str]:
    """The snippet of each, on a page that counts."""
    found: list[str] = called(page, SNIPPETS, [each.as_script_takes_it() for each in asked])
    return found


def main(path: str) -> None:
    """Write all of them into a file."""
    with page_of_new_site() as (page, address):
        with_scripts(page, address)
        found = snippets(page, configurations())
    Path(path).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
