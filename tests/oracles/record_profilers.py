"""Record what profilers print of BERT, so that the reasons for their numbers can be held against them.

Run by `make verify`, in an environment with torch, transformers and the profilers:

    python -m tests.oracles.record_profilers

Each profiler counts base, as two classes and at several lengths and batches,
and a small model of odd sizes, with the attention that transformers writes
out (eager) and with torch's own (sdpa), which it takes by default. What is
written down is the number that the profiler calls FLOPs, MACs or mult-adds.
"""

import contextlib
import io
import sys
from collections.abc import Iterator
from copy import deepcopy
from itertools import product
from typing import Any

from macros.counting.published.profilers import load_profilers

from .recording import BASE, SMALL, record

MODELS = (
    (BASE, "BertModel", ((1, 128), (1, 512))),
    (BASE, "BertForMaskedLM", ((1, 128),)),
    (SMALL, "BertModel", ((1, 7), (3, 16))),
    (SMALL, "BertForMaskedLM", ((1, 7), (3, 16))),
)
"""Sizes, class, and the texts and tokens per text that are read."""


def cases() -> Iterator[dict[str, Any]]:
    """Every profiler with every model and batch."""
    import torch
    import transformers

    for (config, class_name, batches), attention in product(MODELS, ("eager", "sdpa")):
        common = {"config": config, "class": class_name, "attention": attention}
        chosen = transformers.BertConfig(**config, attn_implementation=attention)
        fresh = getattr(transformers, class_name)(chosen).eval()
        for name, profiler in load_profilers().items():
            for batch, tokens in batches:
                # A copy each time: some profilers leave their counts in the model.
                model = deepcopy(fresh)
                ids = torch.ones((batch, tokens), dtype=torch.long)
                scope = {"model": model, "ids": ids}
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    exec(profiler.code, scope)  # noqa: S102 - it is ours, and to be run
                found: Any = scope["found"]
                if found != int(found):
                    sys.exit(f"{name} found {found}, which is no whole number")
                yield {**common, "profiler": name, "batch": batch, "tokens": tokens, "printed": int(found)}


def main() -> None:
    """Run every profiler and write down what it printed; fail where it differs from what stood there."""
    installed = ("thop", "ptflops", "fvcore", "calflops", "deepspeed", "torchinfo", "torchprofile")
    record("recorded_profilers.json.gz", ("torch", "transformers", *installed), cases(), "record_profilers.py")


if __name__ == "__main__":
    main()
