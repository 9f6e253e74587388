"""Record the lines that PEFT prints for fine-tuned models, as test input for the field that takes numbers and texts.

Run by `make verify`, in an environment with torch, transformers and PEFT:

    python -m tests.oracles.record_peft_lines

Published models are drawn at random, weighted by how often they are fine-tuned. They are
built on torch's meta device as a random class with a random number of labels, and then PEFT
changes them in typical ways. The recording has the line that
`print_trainable_parameters` prints, and the model, class, labels and change that led to it.
"""

import contextlib
import io
from collections.abc import Iterator
from random import Random
from typing import Any

from macros.counting import load_models, load_relatives

from .record_changed import adapted_model, config_of
from .record_peft import TASKS, modules_of_type
from .record_transformers import config_of_model
from .recording import build_model, record

SEED = 47
LINE_COUNT = 160
"""The seed of all random draws, and the number of recorded lines."""

MODELS = {
    "bert-base-uncased": 5,
    "bert-base-cased": 2,
    "bert-large-uncased": 2,
    "bert-base-multilingual-cased": 2,
    "distilbert-base-uncased": 10,
    "distilbert-base-cased": 3,
    "distilbert-base-multilingual-cased": 2,
    "roberta-base": 10,
    "roberta-large": 6,
    "distilroberta-base": 3,
    "xlm-roberta-base": 6,
    "xlm-roberta-large": 3,
    "camembert-base": 3,
    "camembert-large": 1,
    "electra-small-discriminator": 3,
    "electra-base-discriminator": 4,
    "electra-large-discriminator": 1,
    "albert-base-v2": 4,
    "albert-large-v2": 1,
    "albert-xxlarge-v2": 1,
    "mpnet-base": 4,
    "deberta-v3-xsmall": 3,
    "deberta-v3-small": 4,
    "deberta-v3-base": 8,
    "deberta-v3-large": 5,
    "mdeberta-v3-base": 2,
    "deberta-base": 3,
    "deberta-v2-xlarge": 2,
    "modernbert-base": 8,
    "modernbert-large": 4,
    "esm2_t6_8M_UR50D": 3,
    "esm2_t12_35M_UR50D": 3,
    "esm2_t30_150M_UR50D": 2,
    "esm2_t33_650M_UR50D": 3,
    "nomic-embed-text-v1": 2,
    "longformer-base-4096": 2,
    "bigbird-roberta-base": 1,
    "layoutlm-base-uncased": 2,
    "mobilebert-uncased": 2,
    "rembert": 1,
    "data2vec-text-base": 1,
    "LaBSE": 1,
    "scibert-scivocab-uncased": 1,
    "MiniLM-L6-H384-uncased": 1,
}
"""The relative frequencies with which published models are drawn."""

CLASSES = {
    "ForSequenceClassification": 6,
    "ForTokenClassification": 3,
    "ForQuestionAnswering": 2,
    "ForMaskedLM": 2,
    "Model": 1,
}
"""The relative frequencies with which classes are drawn, by the ending of their names."""

LABELS = (2, 2, 2, 2, 3, 3, 4, 5, 6, 7, 9, 10, 14, 20, 28, 41, 77)
RANKS = (8, 8, 8, 16, 16, 4, 32, 64, 2, 1, 12, 128)
"""Numbers of labels, and ranks. Values that are listed several times are drawn more often."""

MODULE_SETS = (
    ("query", "value"),
    ("query", "value"),
    ("query", "key", "value"),
    ("query", "key", "value", "attention-output"),
    ("query", "key", "value", "attention-output", "intermediate", "output"),
    ("query",),
    ("attention-output",),
    ("intermediate", "output"),
    ("all-linear",),
    ("all-linear",),
)
"""Sets of modules that are commonly adapted."""

METHODS = {
    "lora": 16,
    "dora": 3,
    "rslora": 1,
    "ia3": 4,
    "prompt": 3,
    "prefix": 3,
    "p-tuning": 3,
    "adalora": 2,
    "vera": 1,
    "loha": 1,
    "lokr": 1,
    "oft": 1,
    "boft": 1,
    "fourierft": 1,
    "norms": 1,
}
"""The relative frequencies with which PEFT's methods are drawn."""

SIZES = {
    "vera": (64, 256, 256, 1000),
    "fourierft": (100, 256, 1000, 1000),
    "oft": (4, 8, 16, 32, 32, 64),
    "boft": (2, 4, 4, 8, 16),
    "p-tuning": (128, 128, 256, 768),
}
"""The sizes of methods whose size is not drawn from `RANKS`, such as the width of p-tuning's network."""

SCALED_MODULES = (("key", "value", "output"), ("key", "value", "attention-output", "output"))
"""The modules that IA3 scales. In some models, PEFT's names for them also match attention modules."""

TOKENS = (5, 8, 10, 20, 20, 30, 50, 100)
"""Numbers of virtual tokens."""

SAVED_MODULES = ("", "", "", "", "embeddings", "classifier", "pooler", "LayerNorm")
"""Modules to train in full, if a model has them."""


def draw_name(chance: Random, weights: dict[str, int]) -> str:
    """A random name, drawn in proportion to its weight."""
    return chance.choices([*weights], [*weights.values()])[0]


def random_change(chance: Random, model: Any, model_type: str) -> str:
    """A typical random change to a model of the given type."""
    method = draw_name(chance, METHODS)
    rank = chance.choice(RANKS)
    modules = ",".join(modules_of_type(model_type, chance.choice(MODULE_SETS)))
    task = chance.choice(("", "", "", "", ":task=none"))
    saved_module = chance.choice(SAVED_MODULES)
    tokens = chance.choice(TOKENS)
    if method == "ia3":
        scaled_modules = modules_of_type(model_type, chance.choice(SCALED_MODULES))
        feedforward_modules = [name for name in scaled_modules if "output" in name]
        return f"ia3:{','.join(scaled_modules)}:feedforward={','.join(feedforward_modules)}{task}"
    if method == "norms":
        return f"norms{task}"
    if method in ("prompt", "prefix"):
        return f"{method}:{tokens}{task}"
    if method == "p-tuning":
        return f"p-tuning:{tokens}:{chance.choice(SIZES[method])}{task}"
    size = chance.choice(SIZES.get(method, (rank,)))
    bias = chance.choice(("", "", "", "", ":bias=all", ":bias=lora_only")) if method == "lora" else ""
    # PEFT ignores names that no module has, so they are left out.
    has_saved_module = saved_module and any(name.endswith(saved_module) for name, _ in model.named_modules())
    return f"{method}:{size}:{modules}{bias}{f':save={saved_module}' if has_saved_module else ''}{task}"


def lines() -> Iterator[dict[str, Any]]:
    """The lines, each with its model and change. Both are drawn again if there is no such class or PEFT refuses."""
    chance = Random(SEED)  # noqa: S311
    published_models = {**load_models(), **load_relatives()}
    lines_so_far = 0
    while lines_so_far < LINE_COUNT:
        name = draw_name(chance, MODELS)
        ending = draw_name(chance, CLASSES)
        architecture = published_models[name].architecture
        model_type = architecture.model_type
        labels = 2 if ending.endswith("Answering") else chance.choice(LABELS)
        class_name = next(
            (model_class.name for model_class in architecture.classes if model_class.name.endswith(ending)), ""
        )
        if not class_name:
            continue
        config = config_of_model(published_models[name])
        task = next((task for suffix, task in TASKS.items() if class_name.endswith(suffix)), None)
        model = build_model(model_type, {**config, "num_labels": labels}, class_name)
        built_config = model.config
        sizes = {"token_dim": built_config.hidden_size, "num_layers": built_config.num_hidden_layers}
        sizes["num_attention_heads"] = built_config.num_attention_heads
        change = random_change(chance, model, model_type)
        try:
            changed_model = adapted_model(model, config_of(change, model_type, task, sizes))
        except (AttributeError, TypeError, ValueError):
            continue
        with contextlib.redirect_stdout(io.StringIO()) as output:
            changed_model.print_trainable_parameters()
        lines_so_far += 1
        has_labels = ending.endswith("Classification")
        yield {
            "text": output.getvalue().strip(),
            "model": name,
            "class": class_name,
            "labels": labels if has_labels else 0,
            "change": change,
        }


def main() -> None:
    """Build everything and write the recording; fail if it differs from the previous one."""
    record("recorded_peft_lines.json.gz", ("peft", "transformers", "torch"), lines())


if __name__ == "__main__":
    main()
