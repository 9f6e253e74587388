"""Record the totals of models that the engine does not count, in the engine's `others.toml`.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_others

It builds the models from the configurations in the `others.toml` of this folder, and
fails if a total has changed. Sizes that a configuration omits are the defaults of its
class, which are those of the checkpoint.
"""

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from macros.counting.published.others import OTHERS_FILE

BLOCKS = tomllib.loads(Path(__file__).with_name("others.toml").read_text(encoding="utf-8"))


def config(keys: dict[str, Any]) -> dict[str, Any]:
    """A configuration: the keys of the configurations that `like` names, overridden by its own keys."""
    shared_configs = [config(BLOCKS["common"][name]) for name in keys.get("like", ())]
    return {key: value for part in (*shared_configs, keys) for key, value in part.items() if key != "like"}


CONFIGS: dict[str, dict[str, Any]] = {name: config(keys) for name, keys in BLOCKS["models"].items()}


def total(name: str, class_name: str) -> int:
    """The number of parameters in a model that is built on the meta device, with shared tensors counted once."""
    # Imported here because a test reads the configurations without these libraries.
    import torch
    import transformers

    model_class = getattr(transformers, class_name)
    with torch.device("meta"):
        model = model_class(model_class.config_class(**CONFIGS[name]))
    return sum(tensor.numel() for tensor in model.parameters())


def with_new_totals(text: str, total: Callable[[str, str], int]) -> tuple[str, list[str]]:
    """The text of others.toml with every total replaced, and a line for every total that differs.

    Args:
        text: the text of the file.
        total: returns the total of a model, given its name and its class.

    Raises:
        KeyError: a block is about a model without a configuration.
    """
    differences = []
    for name, block in tomllib.loads(text).items():
        if name not in CONFIGS:
            raise KeyError(name)
        start = text.index(f"[{name}]\n" if f"[{name}]\n" in text else f'["{name}"]\n')
        for class_name, old_total in block["totals"].items():
            new_total = total(name, class_name)
            if old_total != new_total:
                differences.append(f"{name}, {class_name}: {old_total} in the file, {new_total} in the model")
            old_line, new_line = (f" {class_name} = {number}" for number in (old_total, new_total))
            text = text[:start] + text[start:].replace(old_line, new_line, 1)
    return text, differences


def main() -> None:
    """Rewrite every total, and fail if one has changed."""
    text, differences = with_new_totals(OTHERS_FILE.read_text(encoding="utf-8"), total)
    OTHERS_FILE.write_text(text, encoding="utf-8")
    if differences:
        sys.exit("\n".join([f"{OTHERS_FILE.name} differed from the libraries, and has been rewritten", *differences]))
    print(f"{OTHERS_FILE.name}: {len(CONFIGS)} models")


if __name__ == "__main__":
    main()
