"""Builds the models of others.toml from their published configurations and writes their totals there.

Run by `make verify` with transformers; it fails where a total differs from the one that was there. Sizes that
are not given are the defaults of the configuration class, which are those of the checkpoint.

    python -m tests.oracles.record_others
"""

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from macros.counting.published.others import OTHERS_FILE

FILE = tomllib.loads(Path(__file__).with_name("others.toml").read_text(encoding="utf-8"))


def config(own: dict[str, Any]) -> dict[str, Any]:
    """A configuration: what it shares with others, and what is its own."""
    shared = [config(FILE["common"][name]) for name in own.get("like", ())]
    return {key: each for part in (*shared, own) for key, each in part.items() if key != "like"}


CONFIGS: dict[str, dict[str, Any]] = {name: config(own) for name, own in FILE["models"].items()}


def total(name: str, class_name: str) -> int:
    """The parameters of one model, built on the meta device, each shared tensor once."""
    # Imported here: a test reads the configurations where neither is installed.
    import torch
    import transformers

    model_class = getattr(transformers, class_name)
    with torch.device("meta"):
        model = model_class(model_class.config_class(**CONFIGS[name]))
    return sum(each.numel() for each in model.parameters())


def rewritten(text: str, total: Callable[[str, str], int]) -> tuple[str, list[str]]:
    """The text of others.toml with every total anew, and where that differs.

    Args:
        text: what stands in the file.
        total: the parameters of a model, by its name and its class.

    Raises:
        KeyError: a block is about a model that has no configuration.
    """
    differences = []
    for name, block in tomllib.loads(text).items():
        if name not in CONFIGS:
            raise KeyError(name)
        start = text.index(f"[{name}]\n" if f"[{name}]\n" in text else f'["{name}"]\n')
        for class_name, was in block["totals"].items():
            built = total(name, class_name)
            if was != built:
                differences.append(f"{name}, {class_name}: {was} here, {built} built")
            text = text[:start] + text[start:].replace(f" {class_name} = {was}", f" {class_name} = {built}", 1)
    return text, differences


def main() -> None:
    """Write every total anew, each in its block; fail where one is another than it was."""
    text, differences = rewritten(OTHERS_FILE.read_text(encoding="utf-8"), total)
    OTHERS_FILE.write_text(text, encoding="utf-8")
    if differences:
        sys.exit("\n".join([f"{OTHERS_FILE.name} was wrong, and has been rewritten", *differences]))
    print(f"{OTHERS_FILE.name}: {len(CONFIGS)} models")


if __name__ == "__main__":
    main()
