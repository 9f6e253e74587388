"""A sum of all tensors of a class, written as people write it down, is read as a sum of that class."""

from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

import pytest

from macros.counting import Question
from macros.counting.frameworks.listing import Tensor, tensors
from tests.samples import sample_of
from tests.scripts.running import Scripts
from tests.scripts.test_module_lists import MODELS, all_questions


class Sum:
    """The shapes of the untied tensors of a class: those before, in and after its layers, which are all alike.

    Attributes:
        question: the class.
        before: the shapes of the tensors before the first layer.
        layer: the shapes of the tensors of one layer; empty if the layers are not alike.
        after: the shapes of the tensors after the last layer.
        layers: the number of layers.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        untied = [tensor for tensor in tensors(question) if tensor.tied_to is None]
        by_layer: dict[str, list[tuple[int, ...]]] = {}
        self.before: list[tuple[int, ...]] = []
        self.after: list[tuple[int, ...]] = []
        for tensor in untied:
            if layer := self.layer_of(tensor):
                by_layer.setdefault(layer, []).append(tensor.shape)
            else:
                (self.after if by_layer else self.before).append(tensor.shape)
        self.layers = len(by_layer)
        first, *others = by_layer.values()
        self.layer = first if all(other == first for other in others) else []

    @staticmethod
    def layer_of(tensor: Tensor) -> str:
        """The component of a tensor's path that has the number of its layer; empty outside the layers."""
        return next((component for component in tensor.path.split("/") if component.startswith("layer_")), "")


def in_products(shapes: list[tuple[int, ...]], times: str = "*") -> str:
    """The sum of the sizes of some tensors, each as the product of its dimensions."""
    return " + ".join(times.join(map(str, shape)) for shape in shapes)


def added(*terms: str) -> str:
    """The sum of the terms that are not empty."""
    return " + ".join(term for term in terms if term)


def on_one_line(model: Sum) -> str:
    """One formula, with the layers in brackets."""
    layers = f"{model.layers}*({in_products(model.layer)})"
    return f"{added(in_products(model.before), layers, in_products(model.after))} = {model.question.number}"


def in_latex(model: Sum) -> str:
    """One formula in LaTeX, after the name of the model."""
    before, layer, after = (in_products(shapes, " \\times ") for shapes in (model.before, model.layer, model.after))
    formula = added(before, f"{model.layers}\\left({layer}\\right)", after)
    return f"{model.question.model.name}: $${formula} = {model.question.number:,}$$"


def in_python(model: Sum) -> str:
    """Code with a name for each part, and with what it prints."""
    lines = [
        f"# {model.question.model.name}",
        f"first = {in_products(model.before)}",
        f"layer = {in_products(model.layer)}",
        *([f"head = {in_products(model.after)}"] if model.after else []),
        f"total = first + {model.layers} * layer{' + head' if model.after else ''}",
        f"print(total)  # {model.question.number:,}",
    ]
    return "\n".join(lines)


NOTATIONS: list[Callable[[Sum], str]] = [on_one_line, in_latex, in_python]


def is_recognised(model: Sum, account: dict[str, Any]) -> bool:
    """Whether the account says that the sum is exactly that of the class, perhaps after a likelier reading."""
    is_right = account["headline"].startswith("Your sum is right: ")
    is_exact = any(finding.startswith("Your sum has exactly the tensors of ") for finding in account["findings"])
    return f"{model.question.number:,}" in account["headline"] and (is_right or is_exact)


def test_a_sum_of_all_tensors_is_read_as_one_of_its_class(scripts: Scripts) -> None:
    sums = [model for model in map(Sum, all_questions()) if model.layer and model.before]
    assert len(sums) > 200
    cases = sample_of([*product(sums, NOTATIONS)], part=31)
    accounts = scripts.call("accountsAsTexts", [notation(model) for model, notation in cases])
    assert [] == [
        (notation(model), account["headline"])
        for (model, notation), account in zip(cases, accounts, strict=True)
        if not is_recognised(model, account)
    ]


def sums_of_parts(model: Sum) -> Iterator[tuple[str, int]]:
    """Sums of parts of a model after its name, each with its result."""
    name = model.question.model.name
    layer = in_products(model.layer)
    per_layer = sum(map(prod, model.layer))
    table, *_ = model.before
    yield f"One layer of {name}: {layer}", per_layer
    yield f"{name} encoder: {model.layers} * ({layer})", model.layers * per_layer
    yield f"word embeddings of {name}: {in_products([table])}", prod(table)


def test_a_sum_of_a_part_of_a_named_model_is_right(scripts: Scripts) -> None:
    """Numbers and letters in a name on the hub, such as those of bert_uncased_L-2_H-128_A-2, are no terms."""
    sums = [model for model in map(Sum, map(Question, MODELS.values())) if model.layer and model.before]
    assert len(sums) > 100
    cases = sample_of([case for model in sums for case in sums_of_parts(model)], part=11)
    texts = [f"{formula} = {result}" for formula, result in cases]
    accounts = scripts.call("accountsAsTexts", texts)
    assert [] == [
        (text, account["headline"])
        for text, account, (_, result) in zip(texts, accounts, cases, strict=True)
        if "Your sum is right" not in account["headline"] or f"{result:,}" not in account["headline"]
    ]


LAYERS = "12*(4*(768*768 + 768) + 2*768 + 2*768*3072 + 3072 + 768 + 2*768)"
"""The layers of BERT base, and of its relatives of the same width and depth."""

BERT = f"30522*768 + 512*768 + 2*768 + 768 + 768 + {LAYERS}"
"""The embeddings and the layers of BERT base."""


def test_classes_with_the_same_tensors_are_named_too(scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", [f"{BERT} + 3*768 + 3 = 108893955"])
    assert "BertForTokenClassification of BERT base, uncased (3 labels)" in account["headline"]
    assert account["confidence"] == "likely"
    assert "BertForQuestionAnswering of these sizes has the same tensors." in account["findings"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("embeddings 23,837,184 + 12 × 7,087,872 + head 592,130 = 109,483,778", "BertForSequenceClassification"),
        (
            "nezha-cn-base: 16.23M (embeddings) + 12 × 7.09M (layers) + 0.59M (rest) = 101.87M",
            "NezhaModel of NEZHA base",
        ),
    ],
)
def test_what_the_named_parts_leave_of_a_class_is_its_rest(text: str, expected: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", [text])
    assert account["headline"].startswith("Your sum is right")
    assert expected in account["headline"]


def test_words_that_mean_another_part_are_not_read_as_the_rest(scripts: Scripts) -> None:
    """Biases that are called LayerNorms are a mistake, although the total is right."""
    layer = "attention matrices 2,359,296 + LayerNorms 8*768 + FFN 4,722,432"
    text = f"BERT base: embeddings 23,837,184 + 12 × ({layer}) + pooler 590,592 = 109,482,240"
    (account,) = scripts.call("accountsAsTexts", [text])
    assert not account["headline"].startswith("Your sum is right")


def test_a_tensor_without_a_page_of_its_own_is_named_in_words(scripts: Scripts) -> None:
    text = "eurobert-210m: embeddings: 98,500,608; encoder: 12 × 9,438,720 = 113,264,640; total 211,765,248"
    (account,) = scripts.call("accountsAsTexts", [text])
    assert "without the scale of the LayerNorm after the last layer" in account["headline"]


def test_a_sum_of_bert_without_a_part_may_be_that_of_a_rarer_model(scripts: Scripts) -> None:
    text = f"21128*768 + 2*768 + 768 + 768 + {LAYERS} + 768*768 + 768"
    (account,) = scripts.call("accountsAsTexts", [text])
    assert "BertModel of BERT base, Chinese, without the position embeddings: 101,874,432" in account["headline"]
    assert "Your sum has exactly the tensors of NezhaModel of NEZHA base." in account["findings"]


def test_a_model_that_is_used_more_often_is_preferred(scripts: Scripts) -> None:
    layers = LAYERS.replace("12*(", "6*(")
    (account,) = scripts.call("accountsAsTexts", [f"30522*768 + 512*768 + 768 + 768 + {layers} = 66362880"])
    assert "DistilBertModel of DistilBERT base, uncased, has 66,362,880" in account["headline"]


def test_the_number_of_labels_follows_from_the_term_added_to_a_product_of_itself(scripts: Scripts) -> None:
    """The right total of RoBERTa base with 7 labels is 124,651,015, and the biases of its queries are 12 × 768."""
    layers = LAYERS.replace("4*(768*768 + 768)", "768*768 + 3*(768*768 + 768)")
    formula = f"50265*768 + 768 + 768 + 768 + 514*768 + {layers} + 768*768 + 768 + 7*768 + 7"
    text = f"roberta-base as RobertaForSequenceClassification: {formula} = {124_651_015 - 12 * 768}"
    (account,) = scripts.call("accountsAsTexts", [text])
    assert "RobertaForSequenceClassification of RoBERTa base (7 labels)" in account["headline"]
    assert "124,651,015" in account["headline"]
    assert any("9,216" in finding for finding in account["findings"])
