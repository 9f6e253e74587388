"""Builds the models of others.toml from their published configurations and writes their totals there.

Run by `make verify` with transformers; it fails where a total differs from the one that was there. Sizes that
are not given are the defaults of the configuration class, which are those of the checkpoint.

    python -m tests.oracles.record_others
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from typing import Any

from macros.counting.disagreements.others import OTHERS_FILE

GPT2 = {"vocab_size": 50257, "n_positions": 1024}
# microsoft/deberta-base and its large sibling, and the third version of all sizes, on the Hugging Face hub.
DEBERTA = {"vocab_size": 50265, "type_vocab_size": 0, "relative_attention": True, "position_biased_input": False}
DEBERTA_1 = {**DEBERTA, "max_relative_positions": -1, "pos_att_type": "c2p|p2c"}
DEBERTA_3 = {
    **DEBERTA_1,
    "vocab_size": 128100,
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "max_position_embeddings": 512,
}
LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}
BASE = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}

CONFIGS: dict[str, dict[str, Any]] = {
    "gpt2": GPT2,
    "gpt2-medium": {**GPT2, "n_embd": 1024, "n_layer": 24, "n_head": 16},
    "gpt2-large": {**GPT2, "n_embd": 1280, "n_layer": 36, "n_head": 20},
    "gpt2-xl": {**GPT2, "n_embd": 1600, "n_layer": 48, "n_head": 25},
    "deberta-base": DEBERTA_1,
    "deberta-large": {**DEBERTA_1, **LARGE},
    "deberta-v3-small": {**DEBERTA_3, **BASE, "num_hidden_layers": 6},
    "deberta-v3-base": {**DEBERTA_3, **BASE},
    "deberta-v3-large": {**DEBERTA_3, **LARGE},
    "mpnet-base": {"vocab_size": 30527, "max_position_embeddings": 514},
    "t5-small": {},
    "t5-base": {"d_model": 768, "d_ff": 3072, "num_layers": 12, "num_heads": 12},
    "t5-large": {"d_model": 1024, "d_ff": 4096, "num_layers": 24, "num_heads": 16},
    "modernbert-base": {},
    "xlnet-base-cased": {"d_model": 768, "n_layer": 12, "n_head": 12, "d_inner": 3072},
    "bart-base": {
        "vocab_size": 50265,
        "d_model": 768,
        "encoder_layers": 6,
        "decoder_layers": 6,
        "encoder_ffn_dim": 3072,
        "decoder_ffn_dim": 3072,
        "encoder_attention_heads": 12,
        "decoder_attention_heads": 12,
    },
}


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
        KeyError: a block is about a model that has no configuration above.
    """
    differences = []
    for name, block in tomllib.loads(text).items():
        if name not in CONFIGS:
            raise KeyError(name)
        was, built = block["total"], total(name, block["class"])
        if was != built:
            differences.append(f"{name}: {was} here, {built} built")
        start = text.index(f"[{name}]\n")
        text = text[:start] + text[start:].replace(f"\ntotal = {was}\n", f"\ntotal = {built}\n", 1)
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
