"""Record the numbers that profilers print for BERT, to check the site's explanations of them.

Run by `make verify`, in an environment with torch, transformers and the profilers:

    python -m tests.oracles.record_profilers

Every profiler counts BERT base and a small model of odd sizes, each in two classes and for
the batches in `MODELS`. Each model runs with the attention that transformers implements
itself (eager), and with that of torch (sdpa), which is the default. The recording has the
number that the profiler calls FLOPs, MACs or mult-adds.
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
"""The sizes, the class and the batches of each model. A batch is a number of texts and a number of tokens per text."""


def cases() -> Iterator[dict[str, Any]]:
    """The number that every profiler prints for every model and batch."""
    import torch
    import transformers

    for (config, class_name, batches), attention in product(MODELS, ("eager", "sdpa")):
        common = {"config": config, "class": class_name, "attention": attention}
        model_config = transformers.BertConfig(**config, attn_implementation=attention)
        unused_model = getattr(transformers, class_name)(model_config).eval()
        for name, profiler in load_profilers().items():
            for texts, tokens in batches:
                # A new copy each time, because some profilers leave their counts in the model.
                model = deepcopy(unused_model)
                ids = torch.ones((texts, tokens), dtype=torch.long)
                scope = {"model": model, "ids": ids}
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    exec(profiler.code, scope)  # noqa: S102 - our own code
                number: Any = scope["total"]
                if number != int(number):
                    sys.exit(f"{name} printed {number}, which is not a whole number")
                yield {**common, "profiler": name, "batch": texts, "tokens": tokens, "printed": int(number)}


def main() -> None:
    """Run every profiler and write the recording; fail if it differs from the previous one."""
    profilers = ("thop", "ptflops", "fvcore", "calflops", "deepspeed", "torchinfo", "torchprofile")
    record("recorded_profilers.json.gz", ("torch", "transformers", *profilers), cases(), "record_profilers.py")


if __name__ == "__main__":
    main()
