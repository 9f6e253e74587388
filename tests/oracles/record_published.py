"""Record what transformers builds from published `config.json` files, for comparison with the engine.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_published

The files are in `tests/counting/published_configs.json`, with all of their keys and the
address of each. Every class of a file's architecture is built on torch's meta device, and
its total is recorded.
"""

import json

from .record_configs import totals
from .recording import TEST_RECORDINGS, record


def main() -> None:
    """Build everything and write the recording; fail if it differs from the previous one."""
    files = json.loads((TEST_RECORDINGS / "published_configs.json").read_text())
    cases = (
        {"name": name, "totals": totals({"model_type": "bert", **entry["config"]})} for name, entry in files.items()
    )
    record("recorded_published.json.gz", ("transformers", "torch"), cases)


if __name__ == "__main__":
    main()
