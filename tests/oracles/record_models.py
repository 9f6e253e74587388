"""Record the totals of the models that transformers builds from the sizes in the data files of published models.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_models

A case has the sizes of a model from `models.toml` or `relatives.toml`, and the total of the bare model,
built on torch's meta device by transformers 5. Architectures that only older releases have are left out.
In addition to the cases, the recording has the totals of the models that `record_others.py` builds.
"""

from collections.abc import Iterator
from typing import Any

from macros.counting import ARCHITECTURES
from macros.counting.blocks import blocks_of
from macros.counting.models import ALSO, DESCRIPTIVE_KEYS, MODELS_FILE, RELATIVES_FILE
from macros.counting.published.others import load_others

from .record_others import total
from .recording import build_model, record


def cases() -> Iterator[dict[str, Any]]:
    """Every case: a model's name, architecture, sizes by key and bare class, and the total of that class."""
    for path in (MODELS_FILE, RELATIVES_FILE):
        for name, block in blocks_of(path).items():
            config = {key: value for key, value in block.items() if key not in (*DESCRIPTIVE_KEYS, ALSO, "model_type")}
            architecture = ARCHITECTURES[block.get("model_type", "bert")]
            if architecture.last_release != 5:
                continue
            model_class = architecture.classes[0].name
            settings = {**architecture.required_settings, **config}
            model = build_model(architecture.model_type, settings, model_class)
            yield {
                "name": name,
                "model_type": architecture.model_type,
                "config": config,
                "class": model_class,
                "total": model.num_parameters(),
            }


def main() -> None:
    """Build everything and write the recording; fail if it differs from the previous one."""
    other_totals = {
        name: {model_class: total(name, model_class) for model_class in other.totals}
        for name, other in load_others().items()
    }
    record("recorded_models.json.gz", ("transformers", "torch"), cases(), others=other_totals)


if __name__ == "__main__":
    main()
