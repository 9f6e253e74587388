"""Record the `adapter_config.json` files that PEFT saves and the numbers that it prints.

Run by `make verify`, in an environment with torch, transformers and PEFT:

    python -m tests.oracles.record_adapter_configs
"""

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from macros.counting import model_named

from .record_changed import ANCHORS, adapted_model, config_of
from .recording import build_model, record

BASE = "bert-base-uncased"

OTHER_CASES = (
    (BASE, "BertModel", None, "lora:4:query,key"),
    (BASE, "BertModel", None, "lora:8:dense:bias=all"),
    (BASE, "BertForSequenceClassification", None, "lora:8:query,value"),
    (BASE, "BertForTokenClassification", "TOKEN_CLS", "lora:8:query,value"),
    (BASE, "BertForQuestionAnswering", "QUESTION_ANS", "dora:8:query,value"),
    (BASE, "BertForSequenceClassification", "SEQ_CLS", "lora:8:dense:save=pooler"),
    (BASE, "BertForSequenceClassification", "SEQ_CLS", "lora:8:query,value:u=5"),
    (BASE, "BertForMaskedLM", None, "lora:8:query,value:save=cls"),
    ("distilbert-base-uncased", "DistilBertForSequenceClassification", "SEQ_CLS", "lora:8:q_lin,v_lin"),
    ("distilbert-base-uncased", "DistilBertForSequenceClassification", "SEQ_CLS", "lora:8:q_lin:save=pre_classifier"),
    ("roberta-base", "RobertaForSequenceClassification", "SEQ_CLS", "ia3"),
    ("roberta-base", "RobertaForTokenClassification", "TOKEN_CLS", "prefix:20"),
)
"""Models, classes, task types and changes. The cases also have the changes in `ANCHORS`."""


def names_in(pattern: str) -> list[str]:
    """The names of the modules in a pattern of `config_of`, as users write them."""
    return [re.sub(r"^\.\*\\\.|\\d\+\\\.", "", piece).replace("\\.", ".") for piece in pattern.split("|")]


def cases() -> Iterator[dict[str, Any]]:
    """Every case, with the file that PEFT saves for it and the two numbers that PEFT prints."""
    # The pattern for LN tuning cannot be turned into names of modules.
    anchors = ((BASE, "BertForSequenceClassification", "SEQ_CLS", change) for change in ANCHORS if change != "norms")
    for name, class_name, task, change in (*anchors, *OTHER_CASES):
        model = model_named(name)
        config = {symbol.key: model.sizes[symbol.letter] for symbol in model.architecture.symbols if symbol.is_required}
        original = build_model(model.architecture.model_type, config, class_name)
        original.name_or_path = original.config._name_or_path = name
        sizes = {
            "token_dim": model.sizes["H"],
            "num_layers": model.sizes["L"],
            "num_attention_heads": model.sizes["A"],
        }
        method = config_of(change, model.architecture.model_type, task, sizes)
        for key in ("target_modules", "feedforward_modules"):
            if isinstance(getattr(method, key, None), str):
                setattr(method, key, names_in(getattr(method, key)))
        changed_model = adapted_model(original, method)
        with tempfile.TemporaryDirectory() as folder:
            # `PeftModel.save_pretrained` saves the file like this, but cannot save weights on torch's meta device.
            mapping = {"base_model_class": class_name, "parent_library": type(original).__module__}
            changed_model.peft_config["default"].save_pretrained(folder, auto_mapping_dict=None if task else mapping)
            saved_config = json.loads(Path(folder, "adapter_config.json").read_text())
        # PEFT keeps names of modules in sets, whose order differs from run to run.
        for key in ("target_modules", "feedforward_modules", "exclude_modules"):
            if isinstance(saved_config.get(key), list):
                saved_config[key].sort()
        trainable, total = changed_model.get_nb_trainable_parameters()
        yield {"class": class_name, "change": change, "config": saved_config, "trainable": trainable, "total": total}


def main() -> None:
    """Save everything and write the recording; fail if it differs from the previous one."""
    packages = ("torch", "transformers", "peft")
    record("recorded_adapter_configs.json.gz", packages, cases(), "record_adapter_configs.py")


if __name__ == "__main__":
    main()
