"""Recorded and random configurations of the calculator, in the forms that the engine and the scripts take."""

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
from tests.oracles.record_peft import FUSED_TYPES

CHANGES = blocks_of(DATA / "changes.toml")
"""The engine's data on changes."""

ALL_LINEAR: str = CHANGES["all_linear"]
"""The name for all linear layers, which a method may adapt like a module."""

ADAPTABLE_MODULES = tuple(CHANGES["adapted"])
"""The modules that LoRA may adapt individually, in addition to `ALL_LINEAR`."""


class Configuration(NamedTuple):
    """A question about a whole model, with the changes that fine-tuning makes to it.

    Attributes:
        question: the model, its class and its choices.
        has_biases: whether dense layers have biases.
        frozen: the frozen parts: `embeddings`, the number of first `layers`, and `all_but_head`.
        tuning: the fields of a fine-tuning method, such as `rank` and `modules`, or None. Without a field `method`, the
            method is LoRA.
        pruned_heads: the number of pruned heads.
    """

    question: Question
    has_biases: bool = True
    frozen: Mapping[str, Any] = MappingProxyType({})
    tuning: dict[str, Any] | None = None
    pruned_heads: int = 0

    def for_scripts(self) -> dict[str, Any]:
        """The configuration in the form that the functions of `counting/changes.js` take."""
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
            "biases": self.has_biases,
            "frozen": {"embeddings": False, "layers": 0, "all_but_head": False, **self.frozen},
            "tuning": {"method": "lora", "width": 0, "feedforward": [], **self.tuning} if self.tuning else None,
            "pruned": self.pruned_heads,
        }


def with_method(method: dict[str, Any], question: Question, size: int, width: int = 0) -> Configuration:
    """A configuration in which one of the calculator's methods changes a model.

    A method that takes modules adapts two. If it also takes `feedforward` and `width` is odd, the first is in both.

    Args:
        method: the calculator's entry for the method.
        question: the model and its class.
        size: the value of the field `rank`, which is the method's main size.
        width: the width of the prompt encoder, if the method has one; 0 for the usual width.
    """
    modules = ["query-key-value" if question.architecture.model_type in FUSED_TYPES else "query", "attention-output"]
    fields: dict[str, Any] = {"rank": size, "width": width or question.sizes.get(method["usual_width"], 0)}
    fields |= {"modules": modules, "feedforward": modules[: width % 2]}
    # A field that the method does not take has the empty value of its type: 0 or [].
    tuning = {key: value if key in method["takes"] else type(value)() for key, value in fields.items()}
    return Configuration(question, tuning={"method": method["name"], **tuning})


def architectures_with(method: dict[str, Any]) -> list[str]:
    """The architectures for which the calculator offers a method."""
    return [name for name in ARCHITECTURES if name not in method["refused"]]


def as_change(method: dict[str, Any], tuning: dict[str, Any]) -> str:
    """The engine's notation for a change by a method of the calculator with the fields `tuning`."""
    options = {option: tuning[field] for field, option in method["takes"].items() if tuning[field]}
    arguments = (f"{key}={'+'.join(value) if isinstance(value, list) else value}" for key, value in options.items())
    return ":".join([method["name"], *arguments])


def configuration_of_case(case: dict[str, Any]) -> Configuration:
    """The configuration of a case in PEFT's recording."""
    model = model_of_config("a", {**case["config"], "model_type": case["model_type"]})
    tuning = {"rank": case["rank"], "modules": case["modules"]} if "rank" in case else None
    return Configuration(Question(model, case["class"]), case.get("biases", True), case.get("frozen", {}), tuning)


def recorded_models() -> Iterator[tuple[dict[str, Any], Question]]:
    """The models recorded from transformers, each with the question to the engine about it.

    Architectures that only release 4 has are recorded from that release. Their models are left out if release 4 is
    known to build them differently from release 5; see `differences_from_transformers4`.
    """
    for name, entry in recordings().items():
        if not entry["compared_by"].startswith("transformers") or name == "transformers4":
            continue
        for recorded_model in recording(name)["models"]:
            config = recorded_model["config"]
            differs = not config.get("tie_word_embeddings", True) or {"id2label", "num_labels"} <= config.keys()
            if entry["compared_by"] == "transformers" or not differs:
                choices = Choices(pooler=recorded_model["pooler"])
                yield recorded_model, Question(model_of_config("any", config), recorded_model["class"], choices=choices)


def layer_by_layer(tensors: list[list[Any]], question: Question) -> Iterator[list[Any]]:
    """The tensors of a list, layer by layer. In the list, an asterisk in a name represents the layer's number.

    Args:
        tensors: for each tensor, the number of layers that have it, its name, and further fields, which are kept.
        question: the question about the model that is listed.
    """
    architecture, sizes = question.architecture, question.model.sizes
    for is_repeated, rows in groupby(tensors, key=lambda row: "*" in row[1]):
        run = list(rows)
        if not is_repeated:
            yield from ([name, *fields] for _, name, *fields in run)
            continue
        depth = max(count for count, *_ in run)
        for layer in range(depth):
            numbered_name = architecture.numbered_layer_name(layer, sizes)
            for count, name, *fields in run:
                if layer >= depth - count:  # the layers without the tensor come first
                    yield [name.replace(architecture.layer_name, numbered_name), *fields]


def fitted_sizes(architecture: Architecture, sizes: dict[str, int]) -> dict[str, int]:
    """The sizes that an architecture uses, adjusted so that a model can be built with them.

    In the result, heads share a width equally, and no difference between two widths is negative.
    """
    result = {symbol.letter: sizes[symbol.letter] for symbol in architecture.symbols}
    for wide_letter, narrow_letter in architecture.differences:
        result[narrow_letter] = max(1, min(sizes[wide_letter] - 1, sizes[narrow_letter]))
    letter = architecture.letter_of_shared_width
    if letter != "H":
        result[letter] = sizes["A"] * max(1, sizes[letter] // sizes["A"])
    if "Q" in result:  # EuroBERT, whose query heads share the hidden size and which may have fewer key heads
        result |= {"N": 1 + result["N"] % result["A"], "Q": result["H"] // result["A"]}
    return result


def random_sizes(chance: random.Random, architecture: Architecture, model_class: ModelClass) -> dict[str, int]:
    """Random sizes, which may not fit together until `fitted_sizes` adjusts them."""
    limit = chance.choice((40, 3_000, 100_000))
    heads = chance.randrange(1, 30)
    sizes = {letter: chance.randrange(2, limit) for letter in "VPSEFRC"}
    sizes |= {
        "A": heads,
        "H": heads * chance.randrange(1, 1 + max(2, limit // 64)),
        "L": chance.randrange(1 if architecture.model_type == "modernbert" else 0, 30),
    }
    sizes |= {"G": chance.randrange(1, 4), "I": chance.randrange(1, 4)}
    # The other letters take a random value, or sometimes 0 if they are the size of an optional part.
    sizes |= {
        symbol.letter: 0 if symbol.only_if and chance.random() < 0.5 else chance.randrange(2, limit)
        for symbol in architecture.symbols
        if symbol.letter not in sizes
    }
    if chance.random() < 0.1:
        sizes["L"] = limit
    if chance.random() < 0.3:
        sizes["E"] = sizes["H"]
    if model_class.required_labels is not None:
        sizes["C"] = model_class.required_labels
    return sizes


def random_configuration(chance: random.Random, model_type: str = "") -> Configuration:
    """A random configuration, of the architecture `model_type` if it is given."""
    architecture = ARCHITECTURES[model_type or chance.choice(list(ARCHITECTURES))]
    model_class = chance.choice(architecture.classes)
    sizes = random_sizes(chance, architecture, model_class)
    has_cross = any(row.when == "cross_attention" for row in architecture.rows)
    choices = Choices(
        pooler=chance.choice((None, True, False)) if model_class.fixed_choices.pooler is None else None,
        tied=chance.choice((None, True, False)),
        cross_attention=chance.choice((None, None, has_cross)),
        flags=chance.choice((None, frozenset(flag for flag in architecture.flags if chance.random() < 0.5))),
    )
    model = Model("any", architecture, fitted_sizes(architecture, sizes))
    question = Question(model, model_class.name, choices=choices)
    if chance.random() < 0.3:
        return Configuration(question)
    lacks_biases, freezes_embeddings, freezes_layers, freezes_body, has_method, adapts_all_linear = (
        chance.random() < 0.3 for _ in range(6)
    )
    has_biases = not lacks_biases or not any("bias" in row.tags for row in question.rows)
    frozen_layers = chance.randrange(architecture.depth(model.sizes) + 1) if freezes_layers else 0
    modules = (
        [ALL_LINEAR]
        if adapts_all_linear
        else chance.sample(ADAPTABLE_MODULES, chance.randrange(1, len(ADAPTABLE_MODULES) + 1))
    )
    tuning = {"rank": chance.choice((1, 8, 1000)), "modules": modules} if has_method else None
    frozen = {"embeddings": freezes_embeddings, "layers": frozen_layers, "all_but_head": freezes_body}
    return Configuration(question, has_biases, frozen, tuning)


def random_configurations(number: int, seed: int) -> list[Configuration]:
    """`number` random configurations. The same seed always gives the same configurations."""
    chance = random.Random(seed)  # noqa: S311 - drawing samples is not cryptography
    return [random_configuration(chance) for _ in range(number)]
