"""Mistakes about changed models, compared with manual arithmetic or with numbers that libraries print."""

import pytest

from macros.counting import BadChange, Question, model_named
from macros.counting.changes.mistakes import Mistake, load_mistakes

BASE = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")

WRONG_NUMBERS = {
    "lora-one-matrix": 12 * 2 * 8 * 768 + 1538,
    "lora-one-layer": 2 * 2 * 8 * 768 + 1538,
    "lora-classifier": 294_912,  # the number that PEFT prints without a task type
    "lora-all-once": 109_483_778 + 294_912,
    "dora-magnitudes": 296_450,  # the number that PEFT prints for LoRA
    "ia3-attention-output": 12 * (2 * 768 + 3072) + 1538,
    "houlsby-once": 12 * 74_544 + 1538,
    "houlsby-biases": 12 * 2 * 2 * 48 * 768 + 1538,
    "prefix-keys": 20 * 12 * 768 + 1538,
    "prefix-one-layer": 20 * 2 * 768 + 1538,
    "p-tuning-tokens": 16_898,  # the number that PEFT prints for prompt tuning
    "bitfit-shifts": 12 * (5 * 768 + 3072) + 768 + 1538,
    "bitfit-classifier": 12 * (7 * 768 + 3072) + 2 * 768,
    "frozen-embeddings": 6 * 7_087_872 + 590_592 + 1538,
    "pruned-output": 109_483_778 - 12 * 3 * (64 * 768 + 64),
    "packed-elements": 66_720_770,  # the sum of numel() with bitsandbytes
    "all-packed": 109_483_778 // 2,
    "scales-left-out": 138_594_056,  # the bytes of the parameters in bitsandbytes
    "footprint": 138_594_056 + 2 * 512 * 8,  # two more buffers, each with one 64-bit integer per position
    "all-in-bytes": 109_483_778,
}
"""The number that each mistake leads to.

The model has 109,483,778 parameters: 7,087,872 in each layer, 590,592 in the pooler and 2 · 768 + 2 = 1,538 in the
classifier. One Houlsby adapter has 2 · 768 · 48 + 48 + 768 = 74,544.
"""


def test_every_mistake_leads_to_its_number() -> None:
    assert {name: mistake.wrong_number(BASE) for name, mistake in load_mistakes().items()} == WRONG_NUMBERS


@pytest.mark.parametrize(("rows", "factor"), [("lora_C", "0"), ("lora_B", "1"), ("lora_B", "1/5000000")])
def test_a_mistake_without_effect_is_refused(rows: str, factor: str) -> None:
    mistake = Mistake("a", "lora", "A", "B.", "lora:8:query,value", rows=rows, factor=factor)
    with pytest.raises(BadChange, match="mistake a leads to"):
        mistake.wrong_number(BASE)
