"""Record what KerasHub builds: the path and shape of every weight, and the totals.

Run by `make verify`, in an environment with KerasHub:

    KERAS_BACKEND=tensorflow python -m tests.oracles.record_keras_hub

It builds the backbone, the masked-LM model and the classifier from sizes, with random
weights. `keras-hub.json.gz` also has the parameter counts that KerasHub publishes for its
presets.
"""

from typing import Any

import keras
import keras_hub

from .recording import BASE, LARGE, ODD, versions_of, write

CONFIGS = {"base": BASE, "large": LARGE, "base, Chinese": {**BASE, "vocab_size": 21128}, **ODD}
"""The config of each model that is built, by its name in the recording."""


def backbone(config: dict[str, int]) -> Any:
    """The bare model with its pooler, which KerasHub calls a backbone."""
    # Layers are numbered within a session, so every backbone starts a new one.
    keras.utils.clear_session()
    return keras_hub.models.BertBackbone(
        vocabulary_size=config["vocab_size"],
        num_layers=config["num_hidden_layers"],
        num_heads=config["num_attention_heads"],
        hidden_dim=config["hidden_size"],
        intermediate_dim=config["intermediate_size"],
        max_sequence_length=config["max_position_embeddings"],
        num_segments=config["type_vocab_size"],
    )


def record_of(model: Any) -> dict[str, Any]:
    """The path and shape of every weight in order, and the total."""
    return {
        "parameters": [[weight.path, list(weight.shape)] for weight in model.weights],
        "total": model.count_params(),
    }


def main() -> None:
    """Build everything and write the recording."""
    models = []
    for name, config in CONFIGS.items():
        encoder = backbone(config)
        masked_lm = keras_hub.models.BertMaskedLM(backbone=encoder)
        classifier = keras_hub.models.BertTextClassifier(backbone=encoder, num_classes=7)
        models += [
            {"name": name, "config": config, "class": "BertBackbone", **record_of(encoder)},
            {
                "name": name,
                "config": config,
                "class": "BertMaskedLM",
                # The count in the head's row of the summary.
                "head": masked_lm.get_layer("mlm_head").count_params(),
                **record_of(masked_lm),
            },
            {
                "name": name,
                "config": {**config, "num_labels": 7},
                "class": "BertTextClassifier",
                **record_of(classifier),
            },
        ]
    presets = {name: preset["metadata"]["params"] for name, preset in keras_hub.models.BertBackbone.presets.items()}
    write("keras-hub.json.gz", versions_of("keras-hub", "keras", "tensorflow"), models=models, presets=presets)


if __name__ == "__main__":
    main()
