"""Builds the models of others.toml from their published configurations and writes their totals there.

Run by `make verify` with transformers; it fails where a total differs from the one that was there. Sizes that
are not given are the defaults of the configuration class, which are those of the checkpoint.

    python -m tests.oracles.record_others
"""

import sys
import tomllib
from collections.abc import Callable
from typing import Any

from macros.counting.disagreements.others import OTHERS_FILE

LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}
BASE = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}
GPT2 = {"vocab_size": 50257, "n_positions": 1024}
# microsoft/deberta-base and its siblings, and the second and third versions of all sizes, on the Hugging Face hub.
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
DEBERTA_2 = {**DEBERTA_3, "conv_kernel_size": 3, "conv_act": "gelu"}
# What RoBERTa's descendants have in common.
ROBERTA = {"vocab_size": 50265, "max_position_embeddings": 514, "type_vocab_size": 1}
CAMEMBERT = {**ROBERTA, "vocab_size": 32005}
LONGFORMER = {**ROBERTA, "max_position_embeddings": 4098}
FLAUBERT = {"vocab_size": 68729}
# ERNIE's sizes as PaddleNLP, which released them, gives them in ernie/configuration.py.
ERNIE_3 = {"vocab_size": 40000, "max_position_embeddings": 2048, "type_vocab_size": 4, "use_task_id": True}
ERNIE_3_SMALL = {**ERNIE_3, "task_type_vocab_size": 16}
CLIP_LARGE = {
    "projection_dim": 768,
    "text_config": {"hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12},
    "vision_config": {**LARGE, "patch_size": 14},
}

CONFIGS: dict[str, dict[str, Any]] = {
    "gpt2": GPT2,
    "gpt2-medium": {**GPT2, "n_embd": 1024, "n_layer": 24, "n_head": 16},
    "gpt2-large": {**GPT2, "n_embd": 1280, "n_layer": 36, "n_head": 20},
    "gpt2-xl": {**GPT2, "n_embd": 1600, "n_layer": 48, "n_head": 25},
    "distilgpt2": {**GPT2, "n_layer": 6},
    "openai-gpt": {},
    "deberta-base": DEBERTA_1,
    "deberta-large": {**DEBERTA_1, **LARGE},
    "deberta-xlarge": {**DEBERTA_1, **LARGE, "num_hidden_layers": 48},
    "deberta-v2-xlarge": DEBERTA_2,
    "deberta-v2-xxlarge": {**DEBERTA_2, "num_hidden_layers": 48},
    "deberta-v3-xsmall": {**DEBERTA_3, **BASE, "hidden_size": 384, "num_attention_heads": 6, "intermediate_size": 1536},
    "deberta-v3-small": {**DEBERTA_3, **BASE, "num_hidden_layers": 6},
    "deberta-v3-base": {**DEBERTA_3, **BASE},
    "deberta-v3-large": {**DEBERTA_3, **LARGE},
    "mdeberta-v3-base": {**DEBERTA_3, **BASE, "vocab_size": 251000},
    "mpnet-base": {"vocab_size": 30527, "max_position_embeddings": 514},
    "t5-small": {},
    "t5-base": {"d_model": 768, "d_ff": 3072, "num_layers": 12, "num_heads": 12},
    "t5-large": {"d_model": 1024, "d_ff": 4096, "num_layers": 24, "num_heads": 16},
    "t5-3b": {"d_model": 1024, "d_ff": 16384, "d_kv": 128, "num_layers": 24, "num_heads": 32},
    "modernbert-base": {},
    "modernbert-large": {**LARGE, "num_hidden_layers": 28, "intermediate_size": 2624},
    "eurobert-210m": {},
    "nomic-embed-text-v1": {},
    "gte-multilingual-base": {},
    "camembert-base": CAMEMBERT,
    "camembert-large": {**CAMEMBERT, **LARGE},
    "flaubert-base-cased": {**FLAUBERT, "emb_dim": 768, "n_layers": 12, "n_heads": 12},
    "flaubert-large-cased": {**FLAUBERT, "emb_dim": 1024, "n_layers": 24, "n_heads": 16},
    "xlm-mlm-en-2048": {},
    "xlm-roberta-xl": {},
    "xlm-roberta-xxl": {
        "hidden_size": 4096,
        "intermediate_size": 16384,
        "num_hidden_layers": 48,
        "num_attention_heads": 32,
    },
    "xlnet-base-cased": {"d_model": 768, "n_layer": 12, "n_head": 12, "d_inner": 3072},
    "xlnet-large-cased": {},
    "longformer-base-4096": LONGFORMER,
    "longformer-large-4096": {**LONGFORMER, **LARGE},
    "bigbird-roberta-base": {},
    "bigbird-roberta-large": LARGE,
    "mobilebert-uncased": {"classifier_activation": False},
    "squeezebert-uncased": {},
    "convbert-base": {},
    "funnel-small": {},
    "fnet-base": {},
    "roformer-chinese-base": {},
    "nystromformer-512": {},
    "yoso-4096": {},
    "canine-s": {},
    "rembert": {},
    "megatron-bert-345m": {},
    "luke-base": {},
    "ernie-1.0-base-zh": {"vocab_size": 18000, "max_position_embeddings": 513},
    "ernie-3.0-base-zh": {**ERNIE_3, "task_type_vocab_size": 3},
    "ernie-3.0-medium-zh": {**ERNIE_3_SMALL, "num_hidden_layers": 6},
    "ernie-3.0-mini-zh": {**ERNIE_3_SMALL, "hidden_size": 384, "num_hidden_layers": 6, "intermediate_size": 1536},
    "ernie-3.0-micro-zh": {**ERNIE_3_SMALL, "hidden_size": 384, "num_hidden_layers": 4, "intermediate_size": 1536},
    "ernie-3.0-nano-zh": {**ERNIE_3_SMALL, "hidden_size": 312, "num_hidden_layers": 4, "intermediate_size": 1248},
    "layoutlm-base": {},
    "layoutlm-large": LARGE,
    "layoutlmv3-base": {"max_position_embeddings": 514, "type_vocab_size": 1},
    "lxmert-base-uncased": {},
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
    "bart-large": {},
    "mbart-large-cc25": {"vocab_size": 250027},
    "pegasus-large": {"vocab_size": 96103, "encoder_layers": 16, "decoder_layers": 16},
    "vit-base-patch16-224": {"num_labels": 1000},
    "vit-large-patch16-224": {**LARGE, "num_labels": 1000},
    "clip-vit-base-patch32": {},
    "clip-vit-large-patch14": CLIP_LARGE,
    "wav2vec2-base": {},
    "whisper-tiny": {},
    "whisper-base": {
        "d_model": 512,
        "encoder_layers": 6,
        "decoder_layers": 6,
        "encoder_attention_heads": 8,
        "decoder_attention_heads": 8,
        "encoder_ffn_dim": 2048,
        "decoder_ffn_dim": 2048,
    },
    "whisper-small": {
        "d_model": 768,
        "encoder_layers": 12,
        "decoder_layers": 12,
        "encoder_attention_heads": 12,
        "decoder_attention_heads": 12,
        "encoder_ffn_dim": 3072,
        "decoder_ffn_dim": 3072,
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
        start = text.index(f"[{name}]\n" if f"[{name}]\n" in text else f'["{name}"]\n')
        for class_name, was in block["totals"].items():
            built = total(name, class_name)
            if was != built:
                differences.append(f"{name}, {class_name}: {was} here, {built} built")
            text = text[:start] + text[start:].replace(f" {class_name} = {was}", f" {class_name} = {built}", 1)
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
