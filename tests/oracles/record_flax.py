"""Record the parameters of the Flax BERT models in transformers 4.

Run by `make verify`, in environment B, described in this folder's README.md:

    python -m tests.oracles.record_flax

It builds every Flax class of BERT from published and odd configurations. For each model,
`flax.json.gz` has the path and shape of every leaf of `params`, in the order of the
tree, and the total. JAX derives the shapes without allocating memory; one model is
also built with weights, and must have the same shapes.
"""

from typing import Any

import jax
import transformers

from macros.counting import BERT

from .recording import BASE, LARGE, ODD, SMALL, versions_of, write

CLASSES = tuple(f"Flax{model_class.name.replace('LMHeadModel', 'ForCausalLM')}" for model_class in BERT.classes)

CONFIGS: dict[str, dict[str, Any]] = {"base": BASE, "large": LARGE, **ODD}
# The other classes ignore the number of labels, except question answering, which fails unless the number is two.
LABELLED_CLASSES = ("FlaxBertForSequenceClassification", "FlaxBertForTokenClassification")
CROSS_ATTENTION_CONFIG = {**SMALL, "is_decoder": True, "add_cross_attention": True}


def build(class_name: str, config: dict[str, Any], has_weights: bool = False, **options: bool) -> Any:
    """A model whose parameters are only shapes, unless `has_weights` is true."""
    return getattr(transformers, class_name)(transformers.BertConfig(**config), _do_init=has_weights, **options)


def record_of(params: Any) -> dict[str, Any]:
    """The path and shape of every leaf, as JAX lists them, and the total number of elements."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(params)
    return {
        "parameters": [["/".join(step.key for step in path), list(leaf.shape)] for path, leaf in leaves],
        "total": sum(leaf.size for _, leaf in leaves),
    }


def main() -> None:
    """Build everything and write the recording."""
    cases = [
        *((name, config, class_name, {}) for name, config in CONFIGS.items() for class_name in CLASSES),
        *((name, config, "FlaxBertModel", {"add_pooling_layer": False}) for name, config in CONFIGS.items()),
        *(("seven labels", {**SMALL, "num_labels": 7}, class_name, {}) for class_name in LABELLED_CLASSES),
        *(("untied", {**SMALL, "tie_word_embeddings": False}, class_name, {}) for class_name in CLASSES),
        ("decoder with cross-attention", CROSS_ATTENTION_CONFIG, "FlaxBertForCausalLM", {}),
    ]
    models = []
    for name, config, class_name, options in cases:
        tensors = record_of(build(class_name, config, **options).params_shape_tree)
        pooler = options.get("add_pooling_layer")
        models.append({"name": name, "config": config, "class": class_name, "pooler": pooler, **tensors})
    with_weights = record_of(build("FlaxBertForPreTraining", BASE, has_weights=True).params)
    without_weights = record_of(build("FlaxBertForPreTraining", BASE).params_shape_tree)
    assert with_weights == without_weights, "the shapes differ from those of a model with weights"
    write("flax.json.gz", versions_of("transformers", "flax", "jax", "jaxlib"), models=models)


if __name__ == "__main__":
    main()
