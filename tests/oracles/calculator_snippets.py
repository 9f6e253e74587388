"""Write down the calculator's snippets, so that `run_snippets` can run them with the real libraries.

Run by `make verify`, in the environment of the site, with a browser:

    python -m tests.oracles.calculator_snippets .cache/oracles/snippets.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from macros.counting import ARCHITECTURES, Choices, Question, load_relatives, model_named
from macros.counting.changes import ADAPTED, ALL_LINEAR, Changes, Frozen, Lora
from tests.docs.browser import executable, flags
from tests.docs.calculating import Configuration, counting_page
from tests.docs.scripts import called

SNIPPETS = """configurations => configurations.map((each) => {
  const configuration = asConfiguration(each)
  const { count, offered } = bertCounted.changes
  return bertCounted.snippetOf({ configuration, counted: count(configuration), offered: offered(configuration) })
})"""

CHANGES = (
    Changes(),
    Changes(biases=False),
    Changes(frozen=Frozen(embeddings=True, layers=2)),
    Changes(frozen=Frozen(all_but_head=True)),
    *(Changes(lora=Lora(8, modules)) for modules in (("query", "value"), tuple(ADAPTED), (ALL_LINEAR,))),
    Changes(biases=False, lora=Lora(4, ("key", "attention-output"))),
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
            for changes in CHANGES:
                yield Configuration(Question(model, each.name), changes)
            yield Configuration(Question(small, each.name), CHANGES[-2])
            yield Configuration(Question(small, each.name), CHANGES[2])
            yield Configuration(Question(small, each.name, choices=Choices(tied=False)), CHANGES[-2])
            if each.fixed.pooler is None:
                yield Configuration(Question(small, each.name, choices=Choices(pooler=False)))
            if any(row.when == "cross_attention" for row in architecture.rows):
                yield Configuration(Question(small, each.name, choices=Choices(cross_attention=True)), CHANGES[-3])


def snippets(page: Page, asked: list[Configuration]) -> list[str]:
    """The snippet of each, on a page that counts."""
    found: list[str] = called(page, SNIPPETS, [each.as_script_takes_it() for each in asked])
    return found


def main(path: str) -> None:
    """Write all of them into a file."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=flags())
        with counting_page(browser) as page:
            found = snippets(page, list(configurations()))
        browser.close()
    Path(path).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
