"""What fine-tuning changes, against what PEFT and transformers made of it: see `tests/oracles/record_peft.py`."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from macros.counting import ARCHITECTURES, BadChoice, Choices, Model, Question, changes, model_named, model_of_config
from macros.counting.architectures.albert import ALBERT
from macros.counting.changes import ADAPTED, ALL_LINEAR, Changes, Frozen, Lora, tensors, total, trainable

RECORDED = Path(__file__).parent / "recorded_changes.json.gz"

BASE = Question(model_named("bert-base-uncased"))
CLASSIFIER = BASE._replace(model_class="BertForSequenceClassification")


@cache
def recorded() -> dict[str, Any]:
    """The recording: versions, script and cases."""
    found: dict[str, Any] = json.loads(gzip.decompress(RECORDED.read_bytes()))
    return found


def asked(case: dict[str, Any]) -> tuple[Question, Changes]:
    """The model of a case, and what is changed in it."""
    model = model_of_config("a", {**case["config"], "model_type": case["model_type"]})
    lora = Lora(case["rank"], tuple(case["modules"])) if "rank" in case else None
    frozen = Frozen(**case.get("frozen", {}))
    return Question(model, case["class"]), Changes(case.get("biases", True), frozen, lora)


def differing() -> Iterator[str]:
    """The cases in which the engine has another number."""
    for case in recorded()["cases"]:
        question, change = asked(case)
        ours, theirs = (trainable(question, change), total(question, change)), (case["trainable"], case["total"])
        if ours != theirs:
            yield f"{case['class']}, {change}: {ours} here, {theirs} there"


def test_as_many_are_trained_as_peft_and_transformers_say() -> None:
    """Both "trainable" and "all", in every class of every architecture."""
    assert {"0.21.2", "5.23.0"} < set(recorded()["versions"].values())
    assert [] == list(differing())


def test_everything_is_recorded() -> None:
    """Every class with a dozen settings of LoRA, each module and all of them, with frozen parts and without biases."""
    cases = recorded()["cases"]
    classes = {each.name for architecture in ARCHITECTURES.values() for each in architecture.classes}
    assert classes == {each["class"] for each in cases}
    adapted = Counter(each["class"] for each in cases if "rank" in each)
    assert 12 <= min(adapted.values())
    assert {*ADAPTED, ALL_LINEAR} == {name for each in cases for name in each.get("modules", ())}
    assert {*Frozen._fields} == {name for each in cases for name in each.get("frozen", ())}
    assert len(classes) <= sum("biases" in each for each in cases)


NOTICED: list[tuple[str, Any]] = [
    ("COPIED", ("sequence_classifier", "token_classifier")),
    ("COPIED", (*changes.COPIED, "multiple_choice")),
    ("EMBEDDINGS", "bert/embeddings/word_embeddings"),
    ("BODY", "bert/encoder"),
    ("DECODER", "cls"),
    ("BIASES", ("bias",)),
    ("MATRICES", ("kernel",)),
    *(("ADAPTED", {**ADAPTED, name: "nothing"}) for name in ADAPTED),
]
"""Each is a fact about PEFT or transformers that the engine could get wrong."""


@pytest.mark.parametrize(("name", "wrong"), NOTICED)
def test_another_rule_is_noticed(name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison finds a head that is not copied, tables that are left out, and modules that are not found."""
    monkeypatch.setattr(changes, name, wrong)
    assert next(differing(), None)


# PEFT 0.21.2 prints these two of LoRA of rank 8 on query and value of BertForSequenceClassification.
def test_what_peft_prints_of_base() -> None:
    """The usual example: 296,450 of 109,780,228; the head of two labels counts twice."""
    usual = Changes(lora=Lora(8, ("query", "value")))
    assert (296_450, 109_780_228) == (trainable(CLASSIFIER, usual), total(CLASSIFIER, usual))


def test_nothing_changed_is_the_model() -> None:
    """In every class, and whatever is chosen."""
    for model_type, choices in product(("bert", "electra"), (Choices(), Choices(tied=False))):
        name = {"bert": "bert-base-uncased", "electra": "electra-small-discriminator"}[model_type]
        model: Model = model_named(name)
        for each in model.architecture.classes:
            question = Question(model, each.name, choices=choices)
            assert question.number == total(question, Changes()) == trainable(question, Changes())


def test_without_biases() -> None:
    """By hand: H in each of 4 projections and once more in each layer, F in each, H in the pooler."""
    assert 12 * (5 * 768 + 3072) + 768 == BASE.number - total(BASE, Changes(biases=False))


def test_frozen_parts() -> None:
    """By hand: the embeddings and four layers of base; all of it, as it has no head."""
    frozen = Changes(frozen=Frozen(embeddings=True, layers=4))
    assert 109_482_240 - 23_837_184 - 4 * 7_087_872 == trainable(BASE, frozen)
    assert 109_482_240 == total(BASE, frozen)
    assert 0 == trainable(BASE, Changes(frozen=Frozen(all_but_head=True)))
    assert 2 * 768 + 2 == trainable(CLASSIFIER, Changes(frozen=Frozen(all_but_head=True)))


def test_deviations_of_the_same_are_the_same() -> None:
    """What people count as frozen is what these changes come to."""
    only_head = Changes(frozen=Frozen(all_but_head=True))
    assert CLASSIFIER._replace(deviations=("encoder-frozen",)).number == trainable(CLASSIFIER, only_head)
    without_tables = Changes(frozen=Frozen(embeddings=True))
    assert BASE.number - BASE.at("bert/embeddings").number == trainable(BASE, without_tables)


def test_what_people_count_as_lora_is_what_peft_prints() -> None:
    """In every class whose layers are not shared: of those with a task type, the head is there twice, and trained."""
    found = 0
    for case in recorded()["cases"]:
        question, change = asked(case)
        if (
            change.lora != Lora(8, ("query", "value"))
            or question.settled.cross_attention
            or question.architecture is ALBERT
        ):
            continue
        counted = (question._replace(deviations=(each,)).number for each in ("lora-alone", "lora-added"))
        assert (case["trainable"], case["total"]) == tuple(counted), case["class"]
        found += 1
    assert found > 30


def test_all_biases_are_those_of_every_dense_layer() -> None:
    """The deviation leaves out what transformers lacks without them, in every class: those of heads are among them."""
    cases = [each for each in recorded()["cases"] if not each.get("biases", True)]
    counted = [asked(each)[0]._replace(deviations=("biases-left-out",)).number for each in cases]
    assert [each["total"] for each in cases] == counted
    assert len(cases) > 40


def test_a_tied_decoder_is_frozen_with_the_embeddings() -> None:
    """It is trained where it is untied."""
    masked = BASE._replace(model_class="BertForMaskedLM")
    untied = masked._replace(choices=Choices(tied=False))
    frozen = Changes(frozen=Frozen(all_but_head=True))
    assert 30522 * 768 + 30522 == trainable(untied, frozen) - trainable(masked, frozen)


@pytest.mark.parametrize(
    ("question", "change", "says"),
    [
        (BASE.at("bert/pooler"), Changes(), "only a whole model that is counted rightly"),
        (BASE._replace(deviations=("pooler-left-out",)), Changes(), "leave out part and deviations"),
        (BASE, Changes(frozen=Frozen(layers=13)), "13 layers cannot be frozen; choose from 0 to the 12 that there are"),
        (BASE, Changes(frozen=Frozen(layers=-1)), "-1 layers cannot be frozen"),
        (BASE, Changes(lora=Lora(0, ("query",))), "the rank of LoRA is 0; it must be an integer from 1"),
        (BASE, Changes(lora=Lora(True, ("query",))), "the rank of LoRA is true"),
        (BASE, Changes(lora=Lora(8, ("qery",))), 'no module "qery" for LoRA; did you mean "query"?'),
        (BASE, Changes(lora=Lora(8, ())), "LoRA needs a module; choose from query, key, value, attention-output"),
        (BASE, Changes(lora=Lora(8, ("query", ALL_LINEAR))), 'no module "all-linear" for LoRA'),
    ],
)
def test_what_cannot_be_changed(question: Question, change: Changes, says: str) -> None:
    """The message names what was asked, and what would do."""
    with pytest.raises(BadChoice) as caught:
        tensors(question, change)
    assert says in str(caught.value)
