"""What comes first for a number of each kind, close to where a kind begins and ends."""

from typing import Any

from tests.scripts.running import Scripts

BASE = "BERT base, uncased"
TRAINED = "which is what is left to train with everything else frozen"
PACKED = "where one element holds two weights of a dense layer"
CHECKPOINT = (
    f"the size of a training checkpoint of {BASE} (BertModel), which holds Adam's two moments of each parameter"
)
LORA = f"{BASE} with LoRA of rank 8 on query and value and a classifier of 2 labels"

# BERT base has 109,482,240 parameters, 7,087,872 in a layer, 590,592 in the pooler, and 85,524,480 in the matrices of
# dense layers; a label of a head takes 769.
WORDS = {
    328_446_720: CHECKPOINT,  # three times the whole
    328_446_721: f"{CHECKPOINT}, and the training step",
    14_767_874: f"the size of the last 2 layers, the pooler and a head with 2 labels in {BASE}, {TRAINED}",
    7_678_464: f"the size of the last layer and the pooler in {BASE}, {TRAINED}",
    7_089_410: f"the size of the last layer and a head with 2 labels in {BASE}, {TRAINED}",
    6_921: f"the size of a head with 9 labels in {BASE}",
    66_720_000: f"the number of elements of {BASE}, loaded in 4 bits, {PACKED}",
    # 12 layers, rank 8, two matrices of 768 inputs and as many outputs: 294,912. PEFT keeps a head as it was, too.
    296_450: f"what is trained in {LORA}",
    # Rank 16 adds 589,824; rank 8 is a convention, and told as one.
    110_075_140: f"the size of {LORA.replace('rank 8', 'rank 16')}, which PEFT counts twice",
}

WITH_CLASSIFIER = (14_767_874, 7_089_410, 6_921, 296_450, 110_075_140)
"""Of these, those that hold a head with labels; all else is of the bare model."""

SLIPS = {
    "off by one": "109,482,241 109,482,239",
    "with two digits swapped": "109,842,240 901,482,240 109,482,042",
    "with one digit wrong": "109,482,740 209,482,240 109,482,245",
    "with a digit missing": "10,982,240 10,948,224",
    "with a digit doubled": "1,094,822,240 1,109,482,240 1,094,822,400",
    "with a digit too many": "1,096,482,240 1,094,822,407 7,109,482,240",
}
"""What a slip of the fingers makes of the total of BERT base."""

KINDS = {
    "437,928,960": ("memory", "certain"),  # four bytes for each parameter
    "437,928,961": ("memory", "likely"),  # with as few bytes around as a file may have
    "437.93M": ("total", "none"),  # a rounded number of bytes has a unit of bytes
    "225,659,648": ("difference", "likely"),  # base from large
    "225.66M": ("difference", "possible"),
    "328,446,722": ("change", "none"),
    "109,780,228": ("total", "likely"),
    "590,592": ("part", "certain"),
}


def explained(scripts: Scripts, texts: list[Any]) -> list[list[dict[str, Any]]]:
    """All answers to each text or number."""
    found: list[list[dict[str, Any]]] = scripts.call("explained", [[str(text), ""] for text in texts])
    return found


def test_what_is_trained_or_kept_is_told_in_words(scripts: Scripts) -> None:
    """Checkpoints, the last layers, weights of four bits and LoRA: the model, and what is counted of it."""
    found = [each[0] for each in explained(scripts, [*WORDS])]
    assert [*WORDS.values()] == [each["words"] for each in found]
    assert {"change"} == {each["kind"] for each in found}
    classes = ["BertForSequenceClassification" if number in WITH_CLASSIFIER else "BertModel" for number in WORDS]
    assert [[each] for each in classes] == [each["classes"] for each in found]


def test_slips_are_told_apart(scripts: Scripts) -> None:
    """At the beginning, in the midst and at the end of a number, which keeps its first digit or loses it."""
    for slip, texts in SLIPS.items():
        for text, found in zip(texts.split(), explained(scripts, texts.split()), strict=True):
            slips = [(each["models"][0], each["slip"], each["confidence"]) for each in found if each["slip"]]
            assert [("bert-base-uncased", slip, "likely")] == slips, text


def test_kinds_begin_and_end_where_they_should(scripts: Scripts) -> None:
    """A kind is what comes first, as sure as it is; or it is not among what is found."""
    for typed, found in zip(KINDS, explained(scripts, [*KINDS]), strict=True):
        kind, confidence = KINDS[typed]
        if confidence == "none":
            assert kind not in [each["kind"] for each in found], typed
        else:
            assert (kind, confidence) == (found[0]["kind"], found[0]["confidence"]), typed


def test_with_other_sizes_every_mistake_does_something(scripts: Scripts) -> None:
    """Where there is one layer, to count one layer only is no mistake."""
    # BERT base and large with one layer: embeddings, a layer and the pooler.
    assert [] == scripts.call("idle", ["31515648", "45428736"])
