"""Configurations of the calculator: recorded ones, ones drawn at random, and what its scripts make of them."""

import random
from collections.abc import Iterator, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

from macros.counting import ARCHITECTURES, USUAL, Choices, Model, Question, model_of_config
from macros.counting.blocks import DATA, blocks_of
from macros.counting.frameworks.recordings import recording, recordings

CHANGES = blocks_of(DATA / "changes.toml")
ALL_LINEAR: str = CHANGES["all_linear"]
ADAPTED = tuple(CHANGES["adapted"])
"""The modules that LoRA may be put on; all linear layers together stand alone."""


class Configuration(NamedTuple):
    """A question about a whole model, and what fine-tuning changes in it.

    Attributes:
        asked: the model, its class and its choices.
        biases: whether dense layers have them.
        frozen: what is not trained: `embeddings`, the first `layers`, `all_but_head`.
        lora: `rank` and `modules`, or nothing; of another method also its name, as `method`, and what else it takes.
        pruned: how many heads are.
    """

    asked: Question
    biases: bool = True
    frozen: Mapping[str, Any] = MappingProxyType({})
    lora: dict[str, Any] | None = None
    pruned: int = 0

    def as_script_takes_it(self) -> dict[str, Any]:
        """The same for functions of `counting/changes.js`."""
        architecture = self.asked.architecture
        choices = self.asked.choices.over(self.asked.model.choices).over(architecture.usual).over(USUAL)
        return {
            "architecture": architecture.model_type,
            "modelClass": self.asked.chosen.name,
            "sizes": dict(self.asked.model.sizes),
            "choices": choices._asdict(),
            "biases": self.biases,
            "frozen": {"embeddings": False, "layers": 0, "all_but_head": False, **self.frozen},
            "lora": {"method": "lora", "width": 0, "feedforward": [], **self.lora} if self.lora else None,
            "pruned": self.pruned,
        }


def by_method(method: dict[str, Any], asked: Question, size: int, width: int = 0) -> Configuration:
    """A question about a model changed by a method of the calculator's, on some modules if it takes any.

    Args:
        method: what the calculator knows of it.
        asked: about which model.
        size: its first size.
        width: that of an encoder of prompts, if it takes one; what is usual where it is nought.
    """
    modules = ["query-key-value" if asked.architecture.model_type == "modernbert" else "query", "attention-output"]
    given: dict[str, Any] = {"rank": size, "width": width or asked.sizes.get(method["usual_width"], 0)}
    given |= {"modules": modules, "feedforward": modules[: width % 2]}
    lora = {key: value if key in method["takes"] else type(value)() for key, value in given.items()}
    return Configuration(asked, lora={"method": method["name"], **lora})


def having(method: dict[str, Any]) -> list[str]:
    """The architectures that have a method of the calculator's."""
    return [name for name in ARCHITECTURES if name not in method["refused"]]


def in_words(method: dict[str, Any], lora: dict[str, Any]) -> str:
    """A method of the calculator's as the engine is asked for it."""
    said = {option: lora[field] for field, option in method["takes"].items() if lora[field]}
    given = (f"{key}={'+'.join(each) if isinstance(each, list) else each}" for key, each in said.items())
    return ":".join([method["name"], *given])


def of_case(case: dict[str, Any]) -> Configuration:
    """A case of PEFT's recording."""
    model = model_of_config("a", {**case["config"], "model_type": case["model_type"]})
    lora = {"rank": case["rank"], "modules": case["modules"]} if "rank" in case else None
    return Configuration(Question(model, case["class"]), case.get("biases", True), case.get("frozen", {}), lora)


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
        depth = max(many for many, *_ in run)
        for layer in range(depth) if is_repeated else [0]:
            numbers = architecture.layer_named(layer, sizes) if is_repeated else ""
            there = (rest for many, *rest in run if depth - many <= layer or not is_repeated)
            yield from ([name.replace(architecture.layer_name, numbers), *rest] for name, *rest in there)


def any_configuration(chance: random.Random, model_type: str = "") -> Configuration:
    """A configuration of any class, choices and changes, or of one architecture, of sizes unlike those released."""
    architecture = ARCHITECTURES[model_type or chance.choice(list(ARCHITECTURES))]
    chosen = chance.choice(architecture.classes)
    largest = chance.choice((40, 3_000, 100_000))
    heads = chance.randrange(1, 30)
    sizes = {letter: chance.randrange(2, largest) for letter in "VPSEFRC"}
    sizes |= {
        "A": heads,
        "H": heads * chance.randrange(1, 1 + max(2, largest // 64)),
        "L": chance.randrange(architecture.model_type == "modernbert", 30),
    }
    sizes |= {"G": chance.randrange(1, 4), "I": chance.randrange(1, 4)}
    # Letters that only one architecture has need no line here.
    sizes |= {each.letter: chance.randrange(2, largest) for each in architecture.symbols if each.letter not in sizes}
    if chance.random() < 0.1:
        sizes["L"] = largest
    if chance.random() < 0.3:
        sizes["E"] = sizes["H"]
    if chosen.labels is not None:
        sizes["C"] = chosen.labels
    has_cross = any(row.when == "cross_attention" for row in architecture.rows)
    choices = Choices(
        pooler=chance.choice((None, True, False)) if chosen.fixed.pooler is None else None,
        tied=chance.choice((None, True, False)),
        cross_attention=chance.choice((None, None, has_cross)),
    )
    model = Model("any", architecture, {each.letter: sizes[each.letter] for each in architecture.symbols})
    asked = Question(model, chosen.name, choices=choices)
    if chance.random() < 0.3:
        return Configuration(asked)
    no_biases, embeddings, layers, body, has_lora, everywhere = (chance.random() < 0.3 for _ in range(6))
    no_biases = no_biases and any("bias" in row.tags for row in asked.rows)
    first = chance.randrange(architecture.depth(model.sizes) + 1) if layers else 0
    modules = [ALL_LINEAR] if everywhere else chance.sample(ADAPTED, chance.randrange(1, len(ADAPTED) + 1))
    lora = {"rank": chance.choice((1, 8, 1000)), "modules": modules} if has_lora else None
    return Configuration(asked, not no_biases, {"embeddings": embeddings, "layers": first, "all_but_head": body}, lora)


def drawn(number: int, seed: int) -> list[Configuration]:
    """So many configurations, the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - drawing samples is no cryptography
    return [any_configuration(chance) for _ in range(number)]
