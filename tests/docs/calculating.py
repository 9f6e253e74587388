"""Configurations of the calculator, drawn at random, and what scripts and engine make of them.

Numbers pass between the two as text: they are larger than a script's numbers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route

from macros.counting import ARCHITECTURES, USUAL, Choices, Model, Question, model_of_config
from macros.counting.changes import ADAPTED, ALL_LINEAR, Changes, Frozen, Lora
from macros.counting.frameworks.recordings import recording, recordings
from macros.rendering.files.exported import module, table
from macros.teaching.files import exported
from tests.docs.scripts import import_modules

DOCS = Path(__file__).parents[2] / "docs"

HERE = "http://scripts.test"
"""Where a page finds the scripts as they are written."""

LARGEST = 2**63 - 1

CONVERSIONS = """
BigInt.prototype.toJSON = function () { return `${this}` }
globalThis.asConfiguration = ({ sizes, frozen, lora, ...rest }) => ({
  ...rest,
  sizes: Object.fromEntries(Object.entries(sizes).map(([letter, size]) => [letter, BigInt(size)])),
  frozen: { ...frozen, layers: BigInt(frozen.layers) },
  lora: lora && { rank: BigInt(lora.rank), modules: lora.modules },
})
"""


class Configuration(NamedTuple):
    """A question about a whole model, and what is changed in it."""

    asked: Question
    changes: Changes = Changes()

    def as_script_takes_it(self) -> dict[str, Any]:
        """The same for `asConfiguration`."""
        frozen, lora = self.changes.frozen, self.changes.lora
        return {
            "architecture": self.asked.architecture.model_type,
            "modelClass": self.asked.chosen.name,
            "sizes": {letter: str(size) for letter, size in self.asked.model.sizes.items()},
            "choices": self.asked.choices.over(self.asked.model.choices).over(USUAL)._asdict(),
            "biases": self.changes.biases,
            "frozen": {**frozen._asdict(), "layers": str(frozen.layers)},
            "lora": lora and {"rank": str(lora.rank), "modules": list(lora.modules)},
        }


@contextmanager
def counting_page(browser: Browser) -> Iterator[Page]:
    """An empty page with the modules that count."""
    opened = browser.new_context()
    page = opened.new_page()
    with_engine(page)
    yield page
    opened.close()


def with_engine(page: Page, old: str = "", new: str = "") -> None:
    """Import modules into an empty page, with a table in which something may be another."""
    tables = {"table": module(table()), "exercises": module(exported())}
    assert old in tables["table"]

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        name = Path(path).stem
        if path.startswith("/data/"):
            route.fulfill(body=tables[name].replace(old, new) if old else tables[name], content_type="text/javascript")
        elif path == "/":
            route.fulfill(body="", content_type="text/html")
        else:
            route.fulfill(path=DOCS / path[1:])

    page.route(f"{HERE}/**", answer)
    page.goto(f"{HERE}/")
    page.add_script_tag(content=CONVERSIONS)
    import_modules(page, f"{HERE}/assets/")


def any_sizes(chance: random.Random, letters: str) -> dict[str, int]:
    """Sizes that no released model has; one in four is beyond what a script's numbers hold."""
    largest = chance.choice((40, 3_000, 100_000, LARGEST))
    sizes = {letter: chance.randrange(2, largest) for letter in "VPSEFC"}
    heads = chance.randrange(1, 30)
    sizes |= {"A": heads, "H": heads * chance.randrange(1, 1 + max(2, largest // 64)), "L": chance.randrange(30)}
    if chance.random() < 0.1:
        sizes["L"] = largest
    sizes |= {"G": chance.randrange(1, 4), "I": chance.randrange(1, 4)}
    if chance.random() < 0.3:
        sizes["E"] = sizes["H"]
    return {letter: sizes[letter] for letter in letters}


def any_configuration(chance: random.Random, model_type: str = "") -> Configuration:
    """A configuration of any class, sizes, choices and changes, or of one architecture."""
    architecture = ARCHITECTURES[model_type or chance.choice(list(ARCHITECTURES))]
    chosen = chance.choice(architecture.classes)
    sizes = any_sizes(chance, "".join(each.letter for each in architecture.symbols))
    if chosen.labels is not None:
        sizes["C"] = chosen.labels
    has_cross = any(row.when == "cross_attention" for row in architecture.rows)
    choices = Choices(
        pooler=chance.choice((None, True, False)) if chosen.fixed.pooler is None else None,
        tied=chance.choice((None, True, False)),
        cross_attention=chance.choice((None, None, has_cross)),
    )
    asked = Question(Model("any", architecture, sizes), chosen.name, choices=choices)
    return Configuration(asked, any_changes(chance, asked))


def any_changes(chance: random.Random, asked: Question) -> Changes:
    """Nothing, or one or several changes of what is trained, there or added."""
    if chance.random() < 0.3:
        return Changes()
    no_biases, embeddings, layers, body, has_lora, everywhere = (chance.random() < 0.3 for _ in range(6))
    depth = asked.architecture.depth(asked.model.sizes)
    frozen = Frozen(embeddings, chance.randrange(depth + 1) if layers else 0, body)
    modules = tuple(chance.sample(list(ADAPTED), chance.randrange(1, len(ADAPTED) + 1)))
    lora = Lora(chance.choice((1, 8, 1000, LARGEST)), (ALL_LINEAR,) if everywhere else modules)
    return Changes(not no_biases, frozen, lora if has_lora else None)


def from_transformers() -> Iterator[tuple[dict[str, Any], Question]]:
    """Every model that transformers 5 built, of every class of every architecture, and what it is to the engine."""
    for name, about in recordings().items():
        if about["compared_by"] == "transformers":
            for model in recording(name)["models"]:
                sizes = model_of_config("any", model["config"])
                yield model, Question(sizes, model["class"], choices=Choices(pooler=model["pooler"]))


def in_full(tensors: list[list[Any]], asked: Question) -> Iterator[list[Any]]:
    """A list in which a star stands for every layer without stars, one layer after the other.

    Args:
        tensors: how many there are of each, its name, and what else is said of it.
        asked: what is listed.
    """
    architecture, sizes = asked.architecture, asked.model.sizes
    for is_repeated, rows in groupby(tensors, key=lambda row: "*" in row[1]):
        run = list(rows)
        for layer in range(run[0][0]) if is_repeated else [0]:
            numbers = architecture.layer_named(layer, sizes) if is_repeated else ""
            yield from ([name.replace(architecture.layer_name, numbers), *rest] for _, name, *rest in run)


def drawn(number: int, seed: int, model_type: str = "") -> Iterator[Configuration]:
    """So many configurations, the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - drawing samples is no cryptography
    for _ in range(number):
        yield any_configuration(chance, model_type)
