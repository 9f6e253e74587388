"""Record what transformers builds of published `config.json` files, so that the engine can be held against it.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_published

The files are in `tests/counting/published_configs.json`, each with all the keys
it has where it is published, and where it was read. From each, every class of
its architecture is built on torch's meta device, and the total written down.
"""

import json
import logging
from pathlib import Path

from macros.counting import ARCHITECTURES

from .record_configs import total
from .recording import rewrite, versions_of

FOLDER = Path(__file__).parents[1] / "counting"
"""Where the files are, and where the test reads what is recorded."""


def main() -> None:
    """Build everything and write it down; fail where it differs from what stood there."""
    logging.disable()
    published = json.loads((FOLDER / "published_configs.json").read_text())
    cases = []
    for name, about in published.items():
        config = {"model_type": "bert", **about["config"]}
        classes = ARCHITECTURES[config["model_type"]].classes
        cases.append({"name": name, "totals": {each.name: total(config, each.name) for each in classes}})
    rewrite(FOLDER / "recorded_published.json.gz", versions=versions_of("transformers", "torch"), cases=cases)


if __name__ == "__main__":
    main()
