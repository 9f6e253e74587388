"""Record what transformers builds of published `config.json` files, so that the engine can be held against it.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_published

The files are in `tests/counting/published_configs.json`, each with all the keys
it has where it is published, and where it was read. From each, every class of
its architecture is built on torch's meta device, and the total written down.
"""

import json

from .record_configs import totals
from .recording import BESIDE_TESTS, record


def main() -> None:
    """Build everything and write it down; fail where it differs from what stood there."""
    published = json.loads((BESIDE_TESTS / "published_configs.json").read_text())
    cases = (
        {"name": name, "totals": totals({"model_type": "bert", **about["config"]})} for name, about in published.items()
    )
    record("recorded_published.json.gz", ("transformers", "torch"), cases)


if __name__ == "__main__":
    main()
