"""Lists of modules or tensors, as a loop over a model prints them, are read as that model."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from macros.counting import Model, Question, load_models, load_relatives
from macros.counting.frameworks.listing import tensors
from tests.samples import sample_of
from tests.scripts.running import Scripts

LAYOUTS = ("{name}: {count:,}", "{name}: {millions:.2f}M", "| `{name}` | {count} |", "{name}\t{count:,}")
"""How a loop may print the name of a module and its number of parameters."""

WHOLE_NAMES = 99
"""A number of components that no name exceeds."""

DEPTHS = (1, 2, 3, WHOLE_NAMES)
"""How many components of a name a list may give: those of modules near the top, or the names of tensors."""

LABELS = (2, 3, 7)

TYPES_WITH_NAMES_OF_OTHERS = {"nezha", "data2vec-text"}
"""Models whose layers have the names and sizes of the more widely used BERT base, Chinese, or RoBERTa base."""

MODELS = {**load_models(), **load_relatives()}


def with_labels(model: Model, labels: int) -> Model:
    """The model with another number of labels."""
    return model._replace(sizes={**model.sizes, "C": labels})


def all_questions() -> Iterator[Question]:
    """Every class of every architecture, with several numbers of labels if its total depends on them."""
    usual_models = {model.architecture.model_type: model for model in reversed(MODELS.values())}
    for model in usual_models.values():
        for model_class in model.architecture.classes:
            labels = [model_class.required_labels] if model_class.required_labels else LABELS
            questions = [Question(with_labels(model, number), model_class.name) for number in labels]
            yield from {question.number: question for question in questions}.values()


def counts_in(question: Question, depth: int) -> Counter[str]:
    """The number of parameters of each module or tensor, by the first `depth` components of its name.

    A tensor with a shorter name counts for the module that holds it.
    """
    counts: Counter[str] = Counter()
    for tensor in tensors(question):
        if tensor.tied_to is None:
            components = tensor.transformers.split(".")
            end = depth if depth == WHOLE_NAMES else min(depth, len(components) - 1)
            counts[".".join(components[:end])] += tensor.size
    return counts


def has_table_in_head(question: Question) -> bool:
    """Whether the list has the word table as the decoder's, because transformers creates the head before the body.

    A head with such a count is not recognised.
    """
    return "lm_head.decoder.weight" in counts_in(question, WHOLE_NAMES)


def list_of(counts: Counter[str], layout: str) -> str:
    """The list of these counts with their total."""
    lines = [layout.format(name=name, count=count, millions=count / 1e6) for name, count in counts.items()]
    return "\n".join([*lines, f"total: {counts.total():,}"])


def test_a_list_of_modules_or_tensors_is_read_as_its_model(scripts: Scripts) -> None:
    cases = sample_of([*product(all_questions(), DEPTHS, LAYOUTS)], part=47)
    counts = [
        (question.number, counts_in(question, depth), layout)
        for question, depth, layout in cases
        if not has_table_in_head(question)
    ]
    # A list of one module is the total alone.
    lists = [(number, list_of(modules, layout)) for number, modules, layout in counts if len(modules) > 1]
    assert len(lists) > 50
    accounts = scripts.call("accountsAsTexts", [text for _, text in lists])
    assert [] == [
        (text, account["headline"])
        for (number, text), account in zip(lists, accounts, strict=True)
        if not (account["kind"] == "rows" and f": {number:,} parameters" in account["headline"])
        or "Your total is right" not in account["headline"]
    ]


def test_a_rounded_head_leaves_the_number_of_labels_open_unless_a_total_gives_it(scripts: Scripts) -> None:
    rows = "bert.embeddings: 23.84M\nbert.encoder: 85.05M\nbert.pooler: 0.59M\nclassifier: 0.00M"
    without_total, with_total = scripts.call("accountsAsTexts", [rows, f"{rows}\ntotal: 109,487,623"])
    assert without_total["confidence"] == "likely"
    assert any("Each label adds 769 parameters." in finding for finding in without_total["findings"])
    assert "as BertForSequenceClassification with 7 labels" in with_total["headline"]
    assert not any("Each label adds" in finding for finding in with_total["findings"])


def test_the_beginning_of_a_list_shows_which_model_it_is_of(scripts: Scripts) -> None:
    """A third of a list of shapes ends within the layers, or before them."""
    bare_models = [
        question
        for question in all_questions()
        if not question.resolved_class.heads and question.architecture.model_type not in TYPES_WITH_NAMES_OF_OTHERS
    ]
    assert len(bare_models) > 20
    for question in bare_models:
        lines = [f"{tensor.transformers} torch.Size({[*tensor.shape]})" for tensor in tensors(question)]
        (account,) = scripts.call("accountsAsTexts", ["\n".join([*lines[: len(lines) // 3], "..."])])
        assert f"{question.number:,}" in account["headline"], (question.model.name, account["headline"])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("embeddings 23.84M\nencoder 85.05M\npooler 1.18M", "BertModel includes the pooler, 590,592 parameters."),
        ("embeddings: 12.30M\nblocks: 30.20M\nhead: 3.10M", "We cannot tell which model they belong to"),
    ],
)
def test_rounded_rows_of_no_model_have_no_layer_of_the_readers_own(scripts: Scripts, rows: str, expected: str) -> None:
    (account,) = scripts.call("accountsAsTexts", [rows])
    sentences = " ".join([account["headline"], *account["findings"]])
    assert expected in sentences
    assert "of your own" not in sentences


def test_a_decoder_is_called_tied_only_where_it_is(scripts: Scripts) -> None:
    """The decoder of RemBERT, for one, has a matrix of its own."""
    questions = [question for question in all_questions() if question.model_class.endswith("ForMaskedLM")]
    lists = [list_of(counts_in(question, WHOLE_NAMES), "{name} {count}") for question in questions]
    accounts = scripts.call("accounts", [f"Why is there no decoder.weight?\n{text}" for text in lists])
    answers = [
        any("tied to the word embeddings" in finding["words"] for finding in account["findings"])
        for account in accounts
    ]
    ties = [any(tensor.tied_to for tensor in tensors(question)) for question in questions]
    assert {True, False} == set(ties)
    names = [question.model_class for question in questions]
    assert dict(zip(names, ties, strict=True)) == dict(zip(names, answers, strict=True))


LAYER_OF_TENSOR = re.compile(r"\b(?:layers?|albert_layers)\.(\d+)\.")
EACH_LAYER = re.compile(r"its (\d+) layers have [\d,]+ parameters, ([\d,]+) each")


def test_layers_are_said_to_have_a_number_each_only_if_they_are_alike(scripts: Scripts) -> None:
    """The layers of ALBERT are one and the same, and the first one of ModernBERT lacks a LayerNorm."""
    questions = [question for question in all_questions() if question.model_class.endswith("Model")]
    lists = [list_of(counts_in(question, WHOLE_NAMES), "{name} {count}") for question in questions]
    accounts = scripts.call(
        "accounts", [f"Why has half of the layers not half of the total?\n{text}" for text in lists]
    )
    stated_numbers = 0
    for question, account in zip(questions, accounts, strict=True):
        match = EACH_LAYER.search(" ".join(finding["words"] for finding in account["findings"]))
        if not match:
            continue
        stated_numbers += 1
        layers, each = (int(number.replace(",", "")) for number in match.groups())
        sizes: Counter[str] = Counter()
        for tensor in tensors(question):
            if layer := LAYER_OF_TENSOR.search(tensor.transformers):
                sizes[layer[1]] += tensor.size
        assert (layers, {each}) == (len(sizes), set(sizes.values())), question.model_class
    assert stated_numbers > len(questions) / 2
