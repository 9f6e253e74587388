"""Wrong numbers of changed models, worked out by hand."""

import pytest

from macros.counting import BadChange, Question, model_named
from macros.counting.changes.mistakes import Mistake, load_mistakes

BASE = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")

BY_HAND = {
    "lora-one-matrix": 12 * 2 * 8 * 768 + 1538,
    "lora-one-layer": 2 * 2 * 8 * 768 + 1538,
    "lora-classifier": 294_912,  # which PEFT prints without a task type
    "lora-all-once": 109_483_778 + 294_912,
    "dora-magnitudes": 296_450,  # which PEFT prints of LoRA
    "ia3-attention-output": 12 * (2 * 768 + 3072) + 1538,
}


def test_every_mistake_leads_to_its_number() -> None:
    """In base; and each is worked out here."""
    assert {name: each.wrong(BASE) for name, each in load_mistakes().items()} == BY_HAND


@pytest.mark.parametrize(("rows", "factor"), [("lora_C", "0"), ("lora_B", "1"), ("lora_B", "1/5000000")])
def test_a_mistake_that_is_none_is_refused(rows: str, factor: str) -> None:
    """It touches no row, changes nothing, or does not come out even."""
    mistake = Mistake("a", "lora", "A", "B.", "lora:8:query,value", rows=rows, factor=factor)
    with pytest.raises(BadChange, match="mistake a leads to"):
        mistake.wrong(BASE)
