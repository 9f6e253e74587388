"""Configurations of the calculator, recorded and random ones, as Python and as its scripts take them."""

import random
from collections.abc import Iterator, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

from macros.counting import (
    ARCHITECTURES,
    DEFAULT_CHOICES,
    Architecture,
    Choices,
    Model,
    ModelClass,
    Question,
    every_flag,
    model_of_config,
)
from macros.counting.blocks import DATA, blocks_of
from macros.counting.frameworks.recordings import recording, recordings
from tests.oracles.record_peft import FUSED

CHANGES = blocks_of(DATA / "changes.toml")
"""The engine's table of changes."""

ALL_LINEAR: str = CHANGES["all_linear"]
"""The name of all linear layers together, as one of the modules that a method may be put on."""

ADAPTED = tuple(CHANGES["adapted"])
"""The modules that LoRA may be put on one by one, besides all linear layers together."""


class Configuration(NamedTuple):
    """A question about a whole model, and how fine-tuning changes the model.

    Attributes:
        question: the model, its class and its choices.
        biases: whether dense layers have biases.
        frozen: the parts that are frozen: `embeddings`, the first `layers`, `all_but_head`.
        lora: `rank` and `modules`, or None; for another method, also its name as `method`, and its other fields.
        pruned: the number of heads that are pruned.
    """

    question: Question
    biases: bool = True
    frozen: Mapping[str, Any] = MappingProxyType({})
    lora: dict[str, Any] | None = None
    pruned: int = 0

    def for_scripts(self) -> dict[str, Any]:
        """The configuration as the functions of `counting/changes.js` take it."""
        architecture = self.question.architecture
        choices = (
            self.question.choices.with_defaults(self.question.model.choices)
            .with_defaults(architecture.default_choices)
            .with_defaults(DEFAULT_CHOICES)
        )
        return {
            "architecture": architecture.model_type,
            "modelClass": self.question.resolved_class.name,
            "sizes": dict(self.question.model.sizes),
            "choices": choices.by_name(every_flag()),
            "biases": self.biases,
            "frozen": {"embeddings": False, "layers": 0, "all_but_head": False, **self.frozen},
            "lora": {"method": "lora", "width": 0, "feedforward": [], **self.lora} if self.lora else None,
            "pruned": self.pruned,
        }


def by_method(method: dict[str, Any], question: Question, size: int, width: int = 0) -> Configuration:
    """A question about a model that is changed by one of the calculator's methods.

    The change is on two modules, if the method takes any.

    Args:
        method: the method, as the calculator has it.
        question: the model and its class.
        size: the method's first size.
        width: the width of an encoder of prompts, if the method has one; 0 for the usual width.
    """
    modules = ["query-key-value" if question.architecture.model_type in FUSED else "query", "attention-output"]
    fields: dict[str, Any] = {"rank": size, "width": width or question.sizes.get(method["usual_width"], 0)}
    fields |= {"modules": modules, "feedforward": modules[: width % 2]}
    lora = {key: value if key in method["takes"] else type(value)() for key, value in fields.items()}
    return Configuration(question, lora={"method": method["name"], **lora})


def architectures_offering(method: dict[str, Any]) -> list[str]:
    """The architectures for which the calculator offers a method."""
    return [name for name in ARCHITECTURES if name not in method["refused"]]


def change_text(method: dict[str, Any], lora: dict[str, Any]) -> str:
    """The change that the engine takes for a method of the calculator and its fields."""
    options = {option: lora[field] for field, option in method["takes"].items() if lora[field]}
    texts = (f"{key}={'+'.join(value) if isinstance(value, list) else value}" for key, value in options.items())
    return ":".join([method["name"], *texts])


def of_case(case: dict[str, Any]) -> Configuration:
    """The configuration of a case in PEFT's recording."""
    model = model_of_config("a", {**case["config"], "model_type": case["model_type"]})
    lora = {"rank": case["rank"], "modules": case["modules"]} if "rank" in case else None
    return Configuration(Question(model, case["class"]), case.get("biases", True), case.get("frozen", {}), lora)


def from_transformers() -> Iterator[tuple[dict[str, Any], Question]]:
    """Every recorded model of transformers, with the question that the engine answers about it.

    Of an architecture that only release 4 has, those are left out in which release 4 is known to differ from
    release 5; `differences_from_transformers4` says in which.
    """
    for name, entry in recordings().items():
        if not entry["compared_by"].startswith("transformers") or name == "transformers4":
            continue
        for model in recording(name)["models"]:
            config = model["config"]
            differs = not config.get("tie_word_embeddings", True) or {"id2label", "num_labels"} <= config.keys()
            if entry["compared_by"] == "transformers" or not differs:
                sizes = model_of_config("any", config)
                yield model, Question(sizes, model["class"], choices=Choices(pooler=model["pooler"]))


def layer_by_layer(tensors: list[list[Any]], question: Question) -> Iterator[list[Any]]:
    """A list of tensors with a star for the layer, written out layer by layer.

    Args:
        tensors: for each, how many there are, its name, and other fields, which are kept.
        question: the model that is listed.
    """
    architecture, sizes = question.architecture, question.model.sizes
    for is_repeated, rows in groupby(tensors, key=lambda row: "*" in row[1]):
        run = list(rows)
        depth = max(count for count, *_ in run)
        for layer in range(depth) if is_repeated else [0]:
            numbers = architecture.layer_named(layer, sizes) if is_repeated else ""
            # A tensor that the first layers lack counts fewer than there are layers.
            in_layer = (fields for count, *fields in run if depth - count <= layer or not is_repeated)
            yield from ([name.replace(architecture.layer_name, numbers), *fields] for name, *fields in in_layer)


def fitted_sizes(architecture: Architecture, sizes: dict[str, int]) -> dict[str, int]:
    """The sizes of an architecture, changed where a model could not be built with them.

    Afterwards heads share a width equally, and no difference of two widths is negative.
    """
    result = {symbol.letter: sizes[symbol.letter] for symbol in architecture.symbols}
    for wide, narrow in architecture.differences:
        result[narrow] = max(1, min(sizes[wide] - 1, sizes[narrow]))
    if architecture.heads_share != "H":
        result[architecture.heads_share] = sizes["A"] * max(1, sizes[architecture.heads_share] // sizes["A"])
    if "Q" in result:  # the heads of EuroBERT, which share the hidden size, and of which there are fewer for keys
        result |= {"N": 1 + result["N"] % result["A"], "Q": result["H"] // result["A"]}
    return result


def any_sizes(chance: random.Random, architecture: Architecture, model_class: ModelClass) -> dict[str, int]:
    """Random sizes, which need not fit together yet."""
    largest = chance.choice((40, 3_000, 100_000))
    heads = chance.randrange(1, 30)
    sizes = {letter: chance.randrange(2, largest) for letter in "VPSEFRC"}
    sizes |= {
        "A": heads,
        "H": heads * chance.randrange(1, 1 + max(2, largest // 64)),
        "L": chance.randrange(architecture.model_type == "modernbert", 30),
    }
    sizes |= {"G": chance.randrange(1, 4), "I": chance.randrange(1, 4)}
    # The letters that only one architecture has may take any value; what is built only with some size may be left out.
    sizes |= {
        symbol.letter: 0 if symbol.only_if and chance.random() < 0.5 else chance.randrange(2, largest)
        for symbol in architecture.symbols
        if symbol.letter not in sizes
    }
    if chance.random() < 0.1:
        sizes["L"] = largest
    if chance.random() < 0.3:
        sizes["E"] = sizes["H"]
    if model_class.labels is not None:
        sizes["C"] = model_class.labels
    return sizes


def any_configuration(chance: random.Random, model_type: str = "") -> Configuration:
    """A random configuration, with sizes that no released model has; of one architecture if `model_type` names it."""
    architecture = ARCHITECTURES[model_type or chance.choice(list(ARCHITECTURES))]
    model_class = chance.choice(architecture.classes)
    sizes = any_sizes(chance, architecture, model_class)
    has_cross = any(row.when == "cross_attention" for row in architecture.rows)
    choices = Choices(
        pooler=chance.choice((None, True, False)) if model_class.fixed.pooler is None else None,
        tied=chance.choice((None, True, False)),
        cross_attention=chance.choice((None, None, has_cross)),
        flags=chance.choice((None, frozenset(flag for flag in architecture.flags if chance.random() < 0.5))),
    )
    model = Model("any", architecture, fitted_sizes(architecture, sizes))
    question = Question(model, model_class.name, choices=choices)
    if chance.random() < 0.3:
        return Configuration(question)
    no_biases, embeddings, layers, body, has_lora, everywhere = (chance.random() < 0.3 for _ in range(6))
    no_biases = no_biases and any("bias" in row.tags for row in question.rows)
    frozen_layers = chance.randrange(architecture.depth(model.sizes) + 1) if layers else 0
    modules = [ALL_LINEAR] if everywhere else chance.sample(ADAPTED, chance.randrange(1, len(ADAPTED) + 1))
    lora = {"rank": chance.choice((1, 8, 1000)), "modules": modules} if has_lora else None
    return Configuration(
        question, not no_biases, {"embeddings": embeddings, "layers": frozen_layers, "all_but_head": body}, lora
    )


def random_configurations(number: int, seed: int) -> list[Configuration]:
    """Random configurations, the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - drawing samples is no cryptography
    return [any_configuration(chance) for _ in range(number)]
