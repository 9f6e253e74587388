"""Numbers of every kind get the right first answer, on both sides of the limits of the kinds."""

import re
from typing import Any

from macros.counting.models import load_relatives
from macros.counting.search.known_numbers import search_data
from tests.scripts.running import Scripts

BASE = "BERT base, uncased"
TRAINING_REMARK = "which is what is left to train with everything else frozen"
PACKED_REMARK = "where one element holds two weights of a dense layer"
CHECKPOINT = (
    f"the size of a training checkpoint of {BASE} (BertModel), which holds Adam's two moments of each parameter"
)
LORA = f"{BASE} with LoRA of rank 8 on query and value and a classifier of 2 labels"

WORDS = {
    328_446_720: CHECKPOINT,  # three times the whole
    328_446_721: f"{CHECKPOINT}, and the training step",
    14_767_874: f"the size of the last 2 layers, the pooler and a head with 2 labels in {BASE}, {TRAINING_REMARK}",
    7_678_464: f"the size of the last layer and the pooler in {BASE}, {TRAINING_REMARK}",
    7_089_410: f"the size of the last layer and a head with 2 labels in {BASE}, {TRAINING_REMARK}",
    6_921: f"the size of a head with 9 labels in {BASE}",
    66_720_000: f"the number of elements of {BASE}, loaded in 4 bits, {PACKED_REMARK}",
    # LoRA: 12 layers x 2 projections x 8 x (768 + 768) = 294,912. The head: 2 x 769 = 1,538.
    296_450: f"what is trained in {LORA}",
    # Rank 16 adds 589,824, and PEFT keeps a copy of the head: 109,482,240 + 589,824 + 2 x 1,538.
    110_075_140: f"the size of {LORA.replace('rank 8', 'rank 16')}, which PEFT counts twice",
}
"""Numbers, each with the words of its first answer.

Of the 109,482,240 parameters of BERT base, 7,087,872 are in each layer, 590,592 in the pooler, and 85,524,480 in the
matrices of dense layers. Each label of a head adds 769.
"""

NUMBERS_WITH_HEAD = (14_767_874, 7_089_410, 6_921, 296_450, 110_075_140)
"""The numbers above that include a head with labels; the others are numbers of the bare model."""

SLIPS = {
    "off by one": "109,482,241 109,482,239",
    "with two digits swapped": "109,842,240 901,482,240 109,482,042",
    "with one digit wrong": "109,482,740 209,482,240 109,482,245",
    "with a digit missing": "10,982,240 10,948,224",
    "with a digit doubled": "1,094,822,240 1,109,482,240 1,094,822,400",
    "with a digit too many": "1,096,482,240 1,094,822,407 7,109,482,240",
}
"""The total of BERT base with typing errors, by the name of the error."""

KINDS = {
    "437,928,960": ("memory", "certain"),  # four bytes per parameter
    "437,951,318": ("memory", "likely"),  # 22,358 bytes more, the length of the safetensors header for 199 tensors
    "437,998,610": ("memory", "likely"),  # 350 bytes for each of 199 tensors
    "437,998,611": ("memory", "possible"),  # one byte more
    "437,943,808": ("memory", "none"),  # 14,848 bytes more, too few for a header
    "437.93M": ("total", "none"),  # a rounded number of bytes has a unit of bytes
    "225,659,648": ("difference", "likely"),  # BERT large less BERT base
    "225.66M": ("difference", "possible"),
    "328,446,722": ("change", "none"),
    "109,780,228": ("total", "likely"),
    "590,592": ("part", "certain"),
    "24.1M": ("part", "possible"),  # the masked-LM head with its decoder: 622,650 + 30,522 x 768
}
"""Numbers with the kind and the confidence of the first answer; with "none", no answer is of that kind."""


def explanations_of(scripts: Scripts, texts: list[Any]) -> list[list[dict[str, Any]]]:
    """All answers to every text or number."""
    answers: list[list[dict[str, Any]]] = scripts.call("explanations", [[str(text), ""] for text in texts])
    return answers


def test_an_answer_says_what_is_trained_or_kept(scripts: Scripts) -> None:
    first_answers = [answers[0] for answers in explanations_of(scripts, [*WORDS])]
    assert [*WORDS.values()] == [answer["words"] for answer in first_answers]
    assert {"change"} == {answer["kind"] for answer in first_answers}
    classes = ["BertForSequenceClassification" if number in NUMBERS_WITH_HEAD else "BertModel" for number in WORDS]
    assert [[name] for name in classes] == [answer["classes"] for answer in first_answers]


def test_a_typing_error_is_named_wherever_it_is(scripts: Scripts) -> None:
    for slip, texts in SLIPS.items():
        for text, answers in zip(texts.split(), explanations_of(scripts, texts.split()), strict=True):
            slips = [
                (answer["models"][0], answer["slip"], answer["confidence"]) for answer in answers if answer["slip"]
            ]
            assert [("bert-base-uncased", slip, "likely")] == slips, text


def test_first_answers_have_the_right_kind_and_confidence(scripts: Scripts) -> None:
    for text, answers in zip(KINDS, explanations_of(scripts, [*KINDS]), strict=True):
        kind, confidence = KINDS[text]
        if confidence == "none":
            assert kind not in [answer["kind"] for answer in answers], text
        else:
            assert (kind, confidence) == (answers[0]["kind"], answers[0]["confidence"]), text


def test_a_total_in_thousands_is_asked_back(scripts: Scripts) -> None:
    texts = ["109,482", "335.142", "66363", "294,912", "4,386"]  # LoRA's 294,912 is exact; BERT-Tiny has 4,385,920
    openings = [answer.split("|")[0] for answer in scripts.call("answersInFull", texts)]
    assert [opening.endswith(" thousand? ") for opening in openings] == [True, True, True, False, False]
    assert openings[0] == "Did you mean 109,482 thousand? "


def test_with_other_sizes_every_mistake_has_an_effect(scripts: Scripts) -> None:
    """Counting one layer only, for example, has no effect in a model of one layer, so no answer may name it."""
    # BERT base and large with one layer: embeddings, a layer and the pooler.
    assert [] == scripts.call("idleMistakes", ["31515648", "45428736"])


def test_a_model_is_found_by_the_figure_in_its_name(scripts: Scripts) -> None:
    figures: dict[str, set[str]] = {f"{number // 10**6}M": {name} for name, number in search_data()["called"].items()}
    for model in load_relatives().values():
        match = re.search(r"(?<![A-Za-z0-9.])[0-9.]+[MB](?![A-Za-z0-9])", model.title)
        if match:
            figures.setdefault(match.group(), set()).add(model.name)
    assert {"137M", "345M", "32M", "2.1B"} <= set(figures)
    for (figure, names), answers in zip(figures.items(), explanations_of(scripts, [*figures]), strict=True):
        assert names & set(answers[0]["models"]), figure


def test_a_figure_that_no_total_rounds_to_is_that_of_a_name_or_of_the_publisher(scripts: Scripts) -> None:
    """By our count, nomic-embed-text-v1 has 136,731,648 parameters, which round to 137M but not to 137.0M."""
    texts = {
        "137.0M": ("nomic-embed-text-v1", "the figure given by the publisher of nomic-embed-text v1"),
        "345M": ("megatron-bert-345m", "the figure in the name of Megatron BERT, 345M"),
    }
    for (model, words), answers in zip(texts.values(), explanations_of(scripts, [*texts]), strict=True):
        (quoted_answer,) = [answer for answer in answers if answer["kind"] == "quoted" and answer["models"] == [model]]
        assert words == quoted_answer["terms"][0]["words"]


def test_a_sum_with_a_known_width_is_not_explained_by_a_model_of_unknown_sizes(scripts: Scripts) -> None:
    """GPT-2 has 124,439,808 = 768 × 162,031 parameters, but only its totals are known here."""
    number, typed_sum = explanations_of(scripts, ["124439808", "768 * 162031"])
    assert "other" in [answer["kind"] for answer in number]
    assert "other" not in [answer["kind"] for answer in typed_sum]


def test_a_number_of_operations_is_not_explained_as_memory(scripts: Scripts) -> None:
    """BERT base has 109,482,240 parameters, which take four times as many bytes in float32."""
    numbers = ["109,482,240 FLOPs", "437,928,960 FLOPs", "437,928,960 MACs"]
    for number, ways in zip(numbers, explanations_of(scripts, numbers), strict=True):
        assert {"operations"} == {way["kind"] for way in ways}, number


def test_quoted_operations_are_found_first(scripts: Scripts) -> None:
    quoted_entries = search_data()["operations"]["quoted"]
    answers = explanations_of(scripts, [f"{entry['figure'] / 10**9:g} GFLOPs" for entry in quoted_entries])
    assert [("quoted", entry["figure"]) for entry in quoted_entries] == [
        (first_answer["kind"], first_answer["number"]) for first_answer, *_ in answers
    ]
