"""Questions are answered for every architecture as its own rows have it, and not as BERT's."""

import re
from collections.abc import Iterator

import pytest

from macros.counting import Model, Question, load_models, load_relatives
from macros.counting.changes.changed_model import ChangedModel
from macros.counting.errors import BadChange
from macros.counting.frameworks.listing import Tensor, tensors

from .pasted.trees import lightning_count
from .running import Scripts
from .test_module_lists import TYPES_WITH_NAMES_OF_OTHERS

USUAL_MODELS = {
    model.architecture.model_type: model for model in reversed({**load_models(), **load_relatives()}.values())
}


def answers(scripts: Scripts, question: str) -> dict[str, str]:
    """The headline for a question about the usual model of each architecture, by the type of the architecture."""
    texts = [question.format(model=model.title.replace(",", "")) for model in USUAL_MODELS.values()]
    accounts = scripts.call("accountsAsTexts", texts)
    return {name: account["headline"] for name, account in zip(USUAL_MODELS, accounts, strict=True)}


def numbers_in(headlines: dict[str, str], pattern: str) -> dict[str, int]:
    """The number that the pattern captures in each headline in which it matches, by the type of the architecture."""
    matches = {name: re.search(pattern, headline) for name, headline in headlines.items()}
    return {name: int(match[1].replace(",", "")) for name, match in matches.items() if match}


def tensor_sizes(model: Model, pattern: str) -> list[int]:
    """The sizes of the tensors of a bare model whose paths contain a match of the pattern."""
    question = Question(model, model.architecture.classes[0].name)
    return [tensor.size for tensor in tensors(question) if re.search(pattern, tensor.path)]


def class_of(model: Model, ending: str) -> str:
    """The model's class with this ending; "" if it has none."""
    return next((one.name for one in model.architecture.classes if one.name.endswith(ending)), "")


def test_a_decoder_is_called_tied_only_where_it_is(scripts: Scripts) -> None:
    headlines = answers(scripts, "Is the decoder in {model} tied to the input embeddings?")
    verdicts = set()
    for name, model in USUAL_MODELS.items():
        masked_lm = class_of(model, "ForMaskedLM")
        if masked_lm and masked_lm in headlines[name]:
            is_tied = any(tensor.tied_to for tensor in tensors(Question(model, masked_lm)))
            verdicts.add(is_tied)
            assert ("uses the matrix of the word embeddings" in headlines[name]) == is_tied, headlines[name]
    assert verdicts == {True, False}


@pytest.mark.parametrize(
    ("part", "pattern"),
    [
        ("the query projection", "/attention/self/query/"),
        ("the output projection", "/attention/output/dense/"),
        ("the LayerNorms", "LayerNorm/"),
    ],
)
def test_a_part_of_a_total_is_in_all_layers(scripts: Scripts, part: str, pattern: str) -> None:
    headlines = answers(scripts, f"Does {{model}} have {part}?")
    sizes = numbers_in(headlines, r"^Yes: .*, ([\d,]+) belongs? to ")
    assert sizes == {name: sum(tensor_sizes(USUAL_MODELS[name], pattern)) for name in sizes}
    assert len(sizes) > 5


@pytest.mark.parametrize(
    "question",
    [
        "{asking} one encoder layer with a hidden size of 512?",
        "{asking} the word embeddings with a vocabulary of 50000?",
    ],
)
def test_a_size_is_asked_for_in_several_words(scripts: Scripts, question: str) -> None:
    texts = [question.format(asking=asking) for asking in ("How many parameters has", "How big is", "How large is")]
    headlines = {account and account["headline"] for account in scripts.call("accountsAsTexts", texts)}
    assert len(headlines) == 1
    assert "parameters" in headlines.pop()


def test_pruned_heads_are_counted_as_the_engine_prunes_them(scripts: Scripts) -> None:
    headlines = answers(scripts, "I prune 2 heads in each layer of {model}. How many parameters remain?")
    pruned_models = 0
    for name, model in USUAL_MODELS.items():
        question = Question(model, model.architecture.classes[0].name)
        match = re.search(r"Without 2 of the \d+ heads in every layer, it has ([\d,]+)", headlines[name])
        try:
            pruned = ChangedModel.build(question, [f"pruned:{2 * model.sizes['L']}"]).number
        except BadChange:
            assert not match, headlines[name]
        else:
            pruned_models += 1
            assert match, (name, headlines[name])
            assert match[1] == f"{pruned:,}", headlines[name]
    assert pruned_models > 3


@pytest.mark.parametrize("labels", [5, 9])
def test_a_head_for_any_number_of_labels_has_that_of_each(scripts: Scripts, labels: int) -> None:
    headlines = answers(scripts, "How many parameters does a classifier with k labels add to {model}?")
    formulas = 0
    for name, model in USUAL_MODELS.items():
        match = re.search(r": ([\d,]+) × k(?: \+ ([\d,]+))?\. For 2 labels", headlines[name])
        if not match:
            continue
        formulas += 1
        per_label, fixed = (int((digits or "0").replace(",", "")) for digits in match.groups())
        with_labels, with_two = (
            Question(
                model._replace(sizes={**model.sizes, "C": number}), class_of(model, "ForSequenceClassification")
            ).number
            for number in (labels, 2)
        )
        assert per_label * (labels - 2) == with_labels - with_two, headlines[name]
        assert f"{2 * per_label + fixed:,}." in headlines[name]
    assert formulas > 10


def test_a_layer_is_only_called_different_where_it_is(scripts: Scripts) -> None:
    headlines = answers(scripts, "How many parameters does one layer of {model} have?")
    for name, model in USUAL_MODELS.items():
        sizes = [0, 0]
        for tensor in tensors(Question(model, model.architecture.classes[0].name)):
            layer = re.search(r"(?:^|\.)layers?\.(\d+)\.", tensor.transformers)
            if layer and int(layer[1]) < len(sizes) and not tensor.tied_to:
                sizes[int(layer[1])] += tensor.size
        are_different = sizes[1] not in {0, sizes[0]}
        assert ("the second has" in headlines[name]) == are_different, (name, sizes, headlines[name])


@pytest.mark.parametrize(
    "statement",
    [
        "Each head of {title} has its own {H} x {H} query matrix.",
        "Each of the {A} heads of {title} has its own {H} x {H} query matrix.",
        "The attention of {title} has {H} x {H} weights per head.",
    ],
)
def test_heads_are_said_to_share_a_matrix_only_where_there_is_one(scripts: Scripts, statement: str) -> None:
    texts = [statement.format(title=model.title.replace(",", ""), **model.sizes) for model in USUAL_MODELS.values()]
    accounts = scripts.call("accountsAsTexts", texts)
    shared = {
        name
        for name, account in zip(USUAL_MODELS, accounts, strict=True)
        if account and "share one matrix" in account["headline"]
    }
    assert {"bert", "roberta", "distilbert", "albert"} <= shared
    for name in shared:
        rows = USUAL_MODELS[name].architecture.rows
        assert any(row.path.endswith("/self/query/kernel") and row.shape == "H H" for row in rows), name


def test_heads_of_an_unnamed_model_are_those_of_a_model_of_this_width(scripts: Scripts) -> None:
    [account] = scripts.call("accountsAsTexts", ["attention has 512 x 512 per head"])
    # Source: BERT-Small has 8 heads and H = 512, in the table of google-research/bert.
    assert account["headline"].startswith("All 8 heads of BERT-Small share one matrix of 512 × 512 for queries")


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        ("token classification head with 5 labels", "ForTokenClassification"),
        ("question answering head", "ForQuestionAnswering"),
    ],
)
def test_the_head_of_a_class_has_what_the_bare_model_lacks(scripts: Scripts, words: str, ending: str) -> None:
    headlines = answers(scripts, f"How many parameters does the {words} of {{model}} have?")
    heads = 0
    for name, model in USUAL_MODELS.items():
        model_class = class_of(model, ending)
        if not model_class:
            continue
        labelled_model = model._replace(sizes={**model.sizes, "C": 5 if "labels" in words else 2})
        head = head_size(labelled_model, model_class)
        heads += 1
        assert f", {head:,} belong to the head." in headlines[name], (name, headlines[name])
    assert heads > 20


def head_size(model: Model, model_class: str) -> int:
    """The number of parameters that a class has beside its bare model."""
    return sum(
        tensor.size
        for tensor in tensors(Question(model, model_class))
        if tensor.tied_to is None and not tensor.path.startswith("bert/")
    )


def test_a_sequence_classification_head_includes_the_layers_before_its_output_layer(scripts: Scripts) -> None:
    headlines = answers(scripts, "How many parameters does the classification head of {model} have?")
    heads = numbers_in(headlines, r"^The sequence-classification head has ([\d,]+) parameters in ")
    for name, number in heads.items():
        model = USUAL_MODELS[name]
        assert number == head_size(model, class_of(model, "ForSequenceClassification")), headlines[name]
    # ModernBertForSequenceClassification has a dense layer and a LayerNorm before its output layer.
    assert heads["modernbert"] == 768 * 768 + 768 + 2 * 768 + 2
    assert heads["bert"] == 2 * 768 + 2
    assert len(heads) > 20


def test_a_class_stands_for_a_model_of_its_architecture(scripts: Scripts) -> None:
    models = {**load_models(), **load_relatives()}.values()
    heads: dict[str, set[str]] = {}  # sentences on the heads of all models, by class
    for model in models:
        model_class = class_of(model, "ForSequenceClassification")
        if model_class:
            sentence = f"has {head_size(model, model_class):,} parameters in {model.title}"
            heads.setdefault(model_class, set()).add(sentence)
    texts = [f"How many parameters does the classifier of {model_class} have?" for model_class in heads]
    accounts = scripts.call("accountsAsTexts", texts)
    for (model_class, sentences), account in zip(heads.items(), accounts, strict=True):
        assert any(sentence in account["headline"] for sentence in sentences), (model_class, account["headline"])


def test_the_largest_tensor_is_that_of_the_engine(scripts: Scripts) -> None:
    headlines = answers(scripts, "What is the largest tensor of {model}?")
    for name, model in USUAL_MODELS.items():
        sizes = sorted(tensor_sizes(model, ""), reverse=True)
        subject = "The largest tensor" if sizes[0] > sizes[1] else "One of the largest tensors"
        assert headlines[name].startswith(f"{subject} of "), headlines[name]
        assert f"with {sizes[0]:,} of " in headlines[name], headlines[name]


def findings_beside_listings(scripts: Scripts, question: str) -> Iterator[tuple[Model, list[Tensor], list[str]]]:
    """Yield each model that a listing of its tensors identifies, with these and the findings beside the question."""
    models = [model for name, model in USUAL_MODELS.items() if name not in TYPES_WITH_NAMES_OF_OTHERS]
    listings = [list(tensors(Question(model, model.architecture.classes[0].name))) for model in models]
    texts = [
        "\n".join([*(f"{tensor.transformers} {list(tensor.shape)}" for tensor in listing), question])
        for listing in listings
    ]
    accounts = scripts.call("accountsAsTexts", texts)
    for model, listing, account in zip(models, listings, accounts, strict=True):
        yield model, listing, account["findings"]


def test_tables_of_positions_are_missed_only_where_there_are_none(scripts: Scripts) -> None:
    for model, listing, findings in findings_beside_listings(scripts, "Where are the position embeddings?"):
        paths = {tensor.path for tensor in listing}
        missed = [finding for finding in findings if "has no table for" in finding]
        assert bool(missed) == ("bert/embeddings/position_embeddings" not in paths), model.name
        has_norm = any(path.startswith("bert/relative_positions/LayerNorm") for path in paths)
        assert all(("LayerNorm" in finding) == has_norm for finding in missed), missed


def test_the_matrices_that_hold_the_heads_are_those_of_the_model(scripts: Scripts) -> None:
    holders = set()
    for model, listing, findings in findings_beside_listings(scripts, "Where are the attention heads?"):
        width = model.sizes["H"]
        shapes = {
            (tensor.path.split("/")[-2], tensor.shape)
            for tensor in listing
            if "/attention/self/" in tensor.path and tensor.path.endswith("/kernel")
        }
        for finding in findings:
            if "each of the matrices of query, key and value" in finding:
                holders.add("separate")
                assert shapes >= {(name, (width, width)) for name in ("query", "key", "value")}, model.name
            elif "the joint matrix of query, key and value" in finding:
                holders.add("joint")
                assert any(set(shape) == {width, 3 * width} for _, shape in shapes), model.name
    assert holders == {"separate", "joint"}


def test_the_biases_of_one_head_are_its_share_of_those_of_its_layer(scripts: Scripts) -> None:
    headlines = answers(scripts, "How many biases does one head of {model} have?")
    numbers = numbers_in(headlines, r"bias of the query, key and value projections.*= ([\d,]+)\.$")
    for name, number in numbers.items():
        model = USUAL_MODELS[name]
        biases = tensor_sizes(model, r"layer_0/attention/self/(?:query|key|value)/bias$")
        assert len(biases) == 3, name
        assert sum(biases) == model.sizes["A"] * number, headlines[name]
    assert len(numbers) > 5


def test_layernorm_learns_a_shift_only_where_it_has_one(scripts: Scripts) -> None:
    headlines = answers(scripts, "Does the LayerNorm of {model} learn a mean and a variance?")
    shifts = numbers_in(headlines, r"2 × ([\d,]+) = [\d,]+ parameters in ")
    for name, number in shifts.items():
        sizes = tensor_sizes(USUAL_MODELS[name], r"embeddings/LayerNorm/(?:gamma|beta)$")
        assert {*sizes} == {number}, headlines[name]
    assert len(shifts) > 5
    assert "a scale and a shift" in headlines["bert"]
    # ModernBERT's LayerNorms have no shift, MobileBERT's NoNorms compute neither mean nor variance, and EuroBERT's
    # RMSNorms have no shift and compute no mean.
    for other in ("modernbert", "mobilebert", "eurobert"):
        assert "a scale and a shift" not in headlines[other]


LARGEST_MODELS = {
    model.architecture.model_type: model
    for model in sorted({**load_models(), **load_relatives()}.values(), key=lambda model: Question(model).number)
}
"""The largest published model of each architecture."""


def test_whole_models_in_a_table_of_rounded_counts_may_have_any_size(scripts: Scripts) -> None:
    """Lightning rounds counts to thousands, millions or billions."""
    texts, totals = [], []
    for model in LARGEST_MODELS.values():
        bare_class = model.architecture.classes[0].name
        totals.append(Question(model, bare_class).number)
        rows = [("BertModel", 109_482_240), (bare_class, totals[-1])]
        lines = [f"{row} | model_{row} | {name} | {lightning_count(total)}" for row, (name, total) in enumerate(rows)]
        texts.append("\n".join([" | Name | Type | Params", "-" * 40, *lines, "-" * 40]))
    assert max(totals) > 10**9
    for account, total, name in zip(scripts.call("accountsAsTexts", texts), totals, LARGEST_MODELS, strict=True):
        match = re.search(r"2 whole models: .* and model_1 looks like .* \(([\d,]+)\)", account["headline"])
        assert match, (name, account["headline"])
        assert lightning_count(total) == lightning_count(int(match[1].replace(",", ""))), name
