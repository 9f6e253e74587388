"""Reads PEFT's `adapter_config.json` as a change to a model in the class of its task.

`data/changes.toml` gives the method for each `peft_type`, and the keys of its sizes. A key
that changes the tensors in a way that is not counted is refused by name. An unknown key is
reported with the numbers, as for a model's own config.

Source: PEFT 0.21.2, config.py and the config.py of each method, checked by running them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..architecture import Architecture
from ..errors import BadChange, BadConfig, label, quote
from .methods import ALL_LINEAR, Change, load_methods, rules

TYPE_KEY = "peft_type"
"""The key that distinguishes an adapter's config from a model's."""

BARE_TASK, CAUSAL_TASK = "FEATURE_EXTRACTION", "CAUSAL_LM"
"""PEFT's task types for the bare model and for causal language modelling."""

CAUSAL_ENDINGS = ("ForCausalLM", "LMHeadModel")
"""The endings of the names of classes for causal language modelling."""


class Adapter(NamedTuple):
    """A change to a model, as an `adapter_config.json` describes it.

    Attributes:
        base_model: the name of the model that was changed.
        change: the change, as on the command line.
        task: the task type, or the class that `auto_mapping` names; empty if there is neither.
        unknown_keys: the keys of the file whose effect is unknown.
    """

    base_model: str
    change: str
    task: str
    unknown_keys: tuple[str, ...] = ()

    def class_in(self, architecture: Architecture) -> str:
        """The name of the class that was changed; without a task, or for feature extraction, that of the bare model.

        Raises:
            BadChange: the architecture has no class for the task.
        """
        names = [model_class.name for model_class in architecture.classes]
        endings: dict[str, tuple[str, ...]] = {CAUSAL_TASK: CAUSAL_ENDINGS}
        endings |= {task: (ending,) for ending, task in rules()["tasks"].items()}
        if self.task in names:
            return self.task
        if self.task in ("", BARE_TASK):
            return names[0]
        class_name = next((name for name in names if name.endswith(endings.get(self.task, ()))), "")
        if not class_name:
            raise BadChange(f"{architecture.name} has no class for the task {quote(self.task)}; write --class")
        return class_name


def adapter_of(name: str, config: Mapping[str, Any]) -> Adapter:
    """The adapter that a parsed `adapter_config.json` describes.

    Args:
        name: the name of the file, for messages.
        config: values by key.

    Raises:
        BadConfig: the adapter is not counted; for example, a key changes the tensors in a way that is not counted.
        BadChange: as for `Change.parse`.

    >>> config = {"peft_type": "LORA", "r": 8, "target_modules": ["query", "value"], "task_type": "SEQ_CLS"}
    >>> adapter_of("adapter_config.json", {**config, "base_model_name_or_path": "bert-base-uncased"}).change
    'lora:r=8:modules=query+value'
    """
    name = label(name)
    peft_type = config.get(TYPE_KEY)
    blocks: Mapping[str, Any] = rules()["adapter_config"]
    if not isinstance(peft_type, str) or peft_type not in blocks:
        counted_methods = f"the methods that are counted are {', '.join(blocks)}"
        reason = rules()["uncounted"].get(str(peft_type).casefold(), counted_methods)
        raise BadConfig(f"{name}: {TYPE_KEY} is {quote(peft_type)}; {reason}")
    base_model = config.get("base_model_name_or_path")
    if not isinstance(base_model, str) or not base_model:
        raise BadConfig(f"{name}: base_model_name_or_path is {quote(base_model)}; write the name of the model")
    block = blocks[peft_type]
    method = _method_name(block, config)
    options = load_methods()[method].options
    _refuse_uncounted(name, config, options)
    option_texts = [
        *_size_options(block, config),
        *_module_options(name, config, options),
        *_other_options(name, config, options),
    ]
    mapping = config.get("auto_mapping")
    base_class = mapping.get("base_model_class") if isinstance(mapping, dict) else ""
    return Adapter(
        base_model,
        change=str(Change.parse(":".join([method, *option_texts]))),
        task=str(config.get("task_type") or base_class or ""),
        unknown_keys=_unknown_keys(block, config),
    )


def _module_options(name: str, config: Mapping[str, Any], options: tuple[str, ...]) -> list[str]:
    """The options that name modules: those that get adapters, and those that PEFT trains as a whole.

    Raises:
        BadConfig: as for `_module_names`.
    """
    option_texts = []
    for option, key in (("modules", "target_modules"), ("feedforward", "feedforward_modules")):
        if option in options and config.get(key):
            option_texts.append(f"{option}={'+'.join(_module_names(name, key, config[key]))}")
    # PEFT itself adds the heads of the task to `modules_to_save`, except those that also get an adapter. So a listed
    # head is left out here unless it gets an adapter: in that case, the author of the config has listed it.
    heads = {*rules()["heads"].get(str(config.get("task_type")), ())}
    heads.difference_update(_module_names(name, "target_modules", config.get("target_modules")))
    saved_modules = [
        module
        for module in _module_names(name, "modules_to_save", config.get("modules_to_save"))
        if module not in heads
    ]
    if saved_modules:
        option_texts.append(f"save={'+'.join(saved_modules)}")
    return option_texts


def _other_options(name: str, config: Mapping[str, Any], options: tuple[str, ...]) -> list[str]:
    """The remaining options, such as `bias` and `task`.

    Raises:
        BadConfig: single tokens are trained in a way that is not counted.
    """
    option_texts = []
    if "bias" in options and config.get("bias", "none") != "none":
        option_texts.append(f"bias={config['bias']}")
    if config.get("decompose_both") is True:
        option_texts.append("both=yes")
    if config.get("task_type") not in rules()["tasks"].values() and "task" in options:
        option_texts.append("task=none")  # without a task type, PEFT copies no head, whatever the class
    tokens = config.get("trainable_token_indices")
    if tokens:
        if not isinstance(tokens, list) or "u" not in options:
            raise BadConfig(f"{name}: trainable_token_indices is {quote(tokens)}; only a list is counted, with LoRA")
        option_texts.append(f"u={len(set(map(str, tokens)))}")
    return option_texts


def _method_name(block: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """The name of the method that a config describes, among those that its kind of config may describe."""
    if block.get("if_lstm") and config.get("encoder_reparameterization_type") == "LSTM":
        return str(block["if_lstm"])
    variants: Mapping[str, str] = block.get("if_true", {})
    return next((method for key, method in variants.items() if config.get(key) is True), str(block["method"]))


def _size_options(block: Mapping[str, Any], config: Mapping[str, Any]) -> list[str]:
    """The sizes of the method, as options. A size that is null, 0 or −1 in the config is not set."""
    sizes = dict(block.get("sizes", {}))
    projection = block.get("projection")
    if projection and config.get(projection["key"]) is True:
        sizes[projection["letter"]] = projection["size"]
    values = ((letter, config.get(key)) for letter, key in sizes.items())
    return [f"{letter}={value}" for letter, value in values if value not in (None, 0, -1)]


def _module_names(name: str, key: str, value: object) -> list[str]:
    """The modules that a key names.

    Raises:
        BadConfig: the value is something other than `all-linear` or a list of names, such as a pattern.
    """
    if not value:
        return []
    if value == ALL_LINEAR:
        return [ALL_LINEAR]
    if not isinstance(value, list) or not all(isinstance(module, str) for module in value):
        raise BadConfig(f"{name}: {key} is {quote(value)}; only a list of names of modules is counted")
    return list(value)


def _refuse_uncounted(name: str, config: Mapping[str, Any], options: tuple[str, ...]) -> None:
    """Refuse keys that change the tensors in a way that is not counted.

    Raises:
        BadConfig: there is such a key.
    """
    for key, values in rules()["adapter_usual"].items():
        value = config.get(key)
        if key == "bias" and "bias" in options:
            continue
        if value not in (None, [], {}, False) and value not in values:
            raise BadConfig(f"{name}: {key} is {quote(value)}; it changes which tensors are added, and is not counted")


def _unknown_keys(block: Mapping[str, Any], config: Mapping[str, Any]) -> tuple[str, ...]:
    """The unknown keys, except those whose value is empty or false."""
    keys = rules()["adapter_keys"]
    known_keys = {*keys["read"], *keys["nothing"], *rules()["adapter_usual"]}
    known_keys |= {*block.get("sizes", {}).values(), *block.get("if_true", {})}
    if "projection" in block:
        known_keys.add(block["projection"]["size"])
    unknown_keys = (
        key for key, value in config.items() if key not in known_keys and value not in (None, False, [], {}, "")
    )
    return tuple(label(str(key)) for key in unknown_keys)
