"""`data/reading.js`: the words that the readers of pasted texts know; only `docs/assets/reading` loads it.

The words have a file of their own, because only pages with a field for pasted texts need them, and only once somebody
has pasted something.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from macros.counting.blocks import DATA
from macros.counting.changes.adapter_config import CAUSAL, CAUSAL_ENDINGS
from macros.counting.changes.methods import load_methods, rules
from macros.counting.names import CASES, COMMON_WORDS, ORGANISATIONS, SIZES, uncounted
from macros.counting.published.others import load_others

LABELS_FILE = DATA / "labels.toml"


@cache
def reading() -> dict[str, Any]:
    """The content of the file.

    Returns:
        labels: the tables of `labels.toml`: the words that stand beside numbers, by what they mean, and nicknames of
            models. Besides, `totals` has the titles and totals of models that are not counted here, and `beside` the
            methods of PEFT that add tensors beside matrices.
        names: the organisations that publish models, words that occur in many names, those among them that give a size
            or say whether letters have case, and the reasons why some models are not counted.
        adapters: how PEFT's `adapter_config.json` is read: the methods by `peft_type`, each with the model types for
            which PEFT has default modules, the values with which keys change nothing, and by task type the heads that
            PEFT copies and the ends of the names of classes.
    """
    names = {
        "organisations": ORGANISATIONS,
        "common": COMMON_WORDS,
        "sizes": sorted(SIZES),
        "cases": sorted(CASES),
        "uncounted": [{"names": block["names"], "why": block["why"]} for block in uncounted().values()],
    }
    endings = {task: [ending] for ending, task in rules()["tasks"].items()} | {CAUSAL: CAUSAL_ENDINGS}
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
    """The entry for the reader of lines with labels."""
    labels = tomllib.loads(LABELS_FILE.read_text(encoding="utf-8"))
    totals = {name: {"title": other.title, "totals": dict(other.totals)} for name, other in load_others().items()}
    return labels | {"foreign": labels["foreign"]["names"], "totals": totals, "beside": _methods_beside_matrices()}


def _methods_beside_matrices() -> dict[str, Any]:
    """The methods of PEFT that add tensors beside matrices, by name.

    Each has its title, the letter of its size, the shapes of the tensors that it trains, and the number of elements
    beside each matrix that it does not train. The shapes are left out if their numbers do not grow linearly with the
    size, or if what is not trained depends on any size, because no script can solve for it then.
    """
    methods = {}
    for method in load_methods().values():
        additions = [operation for operation in method.does if operation["do"] == "add"]
        at_matrices = [operation for operation in additions if operation.get("tag") == "kernel"]
        shapes = [operation["shape"] for operation in at_matrices if operation.get("trained", True)]
        untrained = [operation["shape"] for operation in at_matrices if not operation.get("trained", True)]
        if method.library == "PEFT" and method.letters and shapes:
            letter = method.letters[0]
            factors = {factor for shape in shapes for factor in shape.split()}
            is_solvable = factors <= {letter, "in", "out", "1"} and set(untrained) <= {"1"}
            methods[method.name] = {
                "title": method.title,
                "letter": letter,
                "shapes": shapes if is_solvable else [],
                "untrained": len(untrained),
            }
    return methods
