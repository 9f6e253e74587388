"""`data/reading.js`: the vocabulary of the readers of pasted texts; only `docs/assets/reading` loads it.

The vocabulary has a separate file because only pages with a field for pasted texts need it, and only after a text has
been pasted.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from macros.counting.blocks import DATA
from macros.counting.changes.adapter_config import CAUSAL_ENDINGS, CAUSAL_TASK
from macros.counting.changes.methods import load_methods, rules
from macros.counting.model_names import CASE_WORDS, COMMON_WORDS, ORGANISATIONS, SIZE_WORDS, uncounted_models
from macros.counting.published.others import load_others

LABELS_FILE = DATA / "labels.toml"


@cache
def reading() -> dict[str, Any]:
    """The content of the file.

    Returns:
        labels: the tables of `labels.toml`, which are the labels of numbers by their meaning and the nicknames of
            models. In addition, `totals` has the titles and totals of models that the engine does not count, and
            `beside` has the PEFT methods that add tensors to matrices.
        names: the organisations that publish models, words that occur in many names, the words that specify a size or a
            casing, and the reasons why certain models are not counted.
        adapters: the rules for reading PEFT's `adapter_config.json`: the methods by `peft_type`, each with the model
            types for which PEFT has default modules; the values for which keys have no effect; and, by task type, the
            heads that PEFT copies and the endings of class names.
    """
    names = {
        "organisations": ORGANISATIONS,
        "common": COMMON_WORDS,
        "sizes": sorted(SIZE_WORDS),
        "cases": sorted(CASE_WORDS),
        "uncounted": [{"names": block["names"], "why": block["why"]} for block in uncounted_models().values()],
    }
    endings = {task: [ending] for ending, task in rules()["tasks"].items()} | {CAUSAL_TASK: CAUSAL_ENDINGS}
    adapters = {
        "kinds": {
            kind: {**block, "defaults": [*load_methods()[block["method"]].modules]}
            for kind, block in rules()["adapter_config"].items()
        },
        "usual": rules()["adapter_usual"],
        "heads": rules()["heads"],
        "endings": endings,
    }
    return {"labels": _labels(), "names": names, "adapters": adapters}


def _labels() -> dict[str, Any]:
    """The vocabulary of the reader of labelled lines."""
    labels = tomllib.loads(LABELS_FILE.read_text(encoding="utf-8"))
    totals = {name: {"title": other.title, "totals": dict(other.totals)} for name, other in load_others().items()}
    return labels | {"foreign": labels["foreign"]["names"], "totals": totals, "beside": _methods_beside_matrices()}


def _methods_beside_matrices() -> dict[str, Any]:
    """The PEFT methods that add tensors to matrices, by name.

    Each has its title, the letter of its size, the shapes of its trained tensors, and the number of untrained tensors
    that it adds per matrix. The shapes are omitted if they contain another size, or if an untrained tensor has more
    than one element, because the script could not solve for the size.
    """
    methods = {}
    for method in load_methods().values():
        additions = [operation for operation in method.does if operation["do"] == "add"]
        matrix_additions = [operation for operation in additions if operation.get("tag") == "kernel"]
        shapes = [operation["shape"] for operation in matrix_additions if operation.get("trained", True)]
        untrained_shapes = [operation["shape"] for operation in matrix_additions if not operation.get("trained", True)]
        if method.library == "PEFT" and method.letters and shapes:
            letter = method.letters[0]
            factors = {factor for shape in shapes for factor in shape.split()}
            is_solvable = factors <= {letter, "in", "out", "1"} and set(untrained_shapes) <= {"1"}
            methods[method.name] = {
                "title": method.title,
                "letter": letter,
                "shapes": shapes if is_solvable else [],
                "untrained": len(untrained_shapes),
            }
    return methods
