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
import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

from .recording import BASE, SMALL, rewrite, versions_of

RECORDED = Path(__file__).parents[1] / "counting" / "recorded_profilers.json.gz"
"""Read by the test beside it."""

MODELS = (
    (BASE, "BertModel", ((1, 128), (1, 512))),
    (BASE, "BertForMaskedLM", ((1, 128),)),
    (SMALL, "BertModel", ((1, 7), (3, 16))),
    (SMALL, "BertForMaskedLM", ((1, 7), (3, 16))),
)
"""Sizes, class, and the texts and tokens per text that are read."""

Count = Callable[[Any, Any], Any]


def flop_counter(model: Any, ids: Any) -> Any:
    """What torch's own counter finds."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as found:
        model(ids)
    return found.get_total_flops()


def thop(model: Any, ids: Any) -> Any:
    """The first of thop's two numbers, the MACs."""
    from thop import profile

    return profile(model, inputs=(ids,), verbose=False)[0]


def ptflops(backend: str) -> Count:
    """The MACs of ptflops, which has two ways to find them."""

    def count(model: Any, ids: Any) -> Any:
        from ptflops import get_model_complexity_info

        shape = tuple(ids.shape[1:])
        options = {"as_strings": False, "print_per_layer_stat": False, "backend": backend}
        return get_model_complexity_info(model, shape, input_constructor=lambda _: {"input_ids": ids}, **options)[0]

    return count


def fvcore(model: Any, ids: Any) -> Any:
    """What fvcore calls flops."""
    from fvcore.nn import FlopCountAnalysis

    return FlopCountAnalysis(model, (ids,)).total()


def calflops(model: Any, ids: Any) -> Any:
    """The first of calflops' three numbers, the FLOPs."""
    from calflops import calculate_flops

    return calculate_flops(model, kwargs={"input_ids": ids}, print_results=False, output_as_string=False)[0]


def deepspeed(model: Any, ids: Any) -> Any:
    """The first of three numbers of DeepSpeed's profiler, the FLOPs."""
    from deepspeed.profiling.flops_profiler import get_model_profile

    return get_model_profile(model, kwargs={"input_ids": ids}, print_profile=False, as_string=False)[0]


def torchinfo(model: Any, ids: Any) -> Any:
    """What torchinfo prints as mult-adds."""
    from torchinfo import summary

    return summary(model, input_data={"input_ids": ids}, verbose=0).total_mult_adds


def torchprofile(model: Any, ids: Any) -> Any:
    """The MACs of torchprofile."""
    from torchprofile import profile_macs

    return profile_macs(model, ids)


PROFILERS: dict[str, Count] = {
    "flop-counter": flop_counter,
    "thop": thop,
    "ptflops-pytorch": ptflops("pytorch"),
    "ptflops-aten": ptflops("aten"),
    "fvcore": fvcore,
    "calflops": calflops,
    "deepspeed": deepspeed,
    "torchinfo": torchinfo,
    "torchprofile": torchprofile,
}


def cases() -> Iterator[dict[str, Any]]:
    """Every profiler with every model and batch."""
    import torch
    import transformers

    for (config, class_name, batches), attention in product(MODELS, ("eager", "sdpa")):
        common = {"config": config, "class": class_name, "attention": attention}
        chosen = transformers.BertConfig(**config, attn_implementation=attention)
        fresh = getattr(transformers, class_name)(chosen).eval()
        for name, count in PROFILERS.items():
            for batch, tokens in batches:
                # A copy each time: some profilers leave their counts in the model.
                model = deepcopy(fresh)
                ids = torch.ones((batch, tokens), dtype=torch.long)
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    found = count(model, ids)
                if found != int(found):
                    sys.exit(f"{name} found {found}, which is no whole number")
                yield {**common, "profiler": name, "batch": batch, "tokens": tokens, "printed": int(found)}


def main() -> None:
    """Run every profiler and write down what it printed; fail where it differs from what stood there."""
    logging.disable()
    warnings.simplefilter("ignore")
    installed = ("thop", "ptflops", "fvcore", "calflops", "deepspeed", "torchinfo", "torchprofile")
    versions = versions_of("torch", "transformers", *installed)
    rewrite(RECORDED, versions=versions, script="record_profilers.py", cases=list(cases()))


if __name__ == "__main__":
    main()
