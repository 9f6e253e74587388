"""The rows of every architecture are well formed, and its classes, variants and choices are consistent."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from macros.counting import (
    ARCHITECTURE_OF_CLASS,
    ARCHITECTURES,
    BERT,
    Architecture,
    BadChoice,
    Choices,
    Question,
    Row,
    UnknownModelClass,
    architectures,
    load_relatives,
    model_named,
    tensors,
)
from macros.counting.architecture import OPEN, SWITCHES, bare_class, carries, lies_under
from macros.counting.architectures import IMPORT_PATHS
from macros.counting.frameworks.names import google_name, transformers_name

ROOT = Path(__file__).parents[2]

ALL_ARCHITECTURES = list(ARCHITECTURES.values())
every_architecture = pytest.mark.parametrize("architecture", ALL_ARCHITECTURES, ids=str)


@every_architecture
def test_rows_are_well_formed(architecture: Architecture) -> None:
    assert len(architecture.rows) == len({row.path for row in architecture.rows})
    letters = {symbol.letter for symbol in architecture.symbols}
    # Only in three architectures does the shape of a tensor depend on the number of heads.
    assert ("A" in architecture.letters_in(architecture.rows)) == (
        architecture.model_type in ("mpnet", "esm", "eurobert")
    )
    for row in architecture.rows:
        assert row.shape.split()
        assert re.fullmatch(r"([1-9][0-9]*|[1-9]?[A-Z]{1,2})( [1-9]?[A-Z]{1,2}(−[A-Z])?){0,2}|LA 1", row.shape)
        assert letters.issuperset(letter for letter in row.shape if letter.isalpha())
        compared_sizes = set(re.split("[≠=]", row.when))
        assert row.when in ("", *SWITCHES, *architecture.flags) or compared_sizes <= {*letters, "0"}, row


NORM_ROW = Row("bert/embeddings/LayerNorm/beta", "H", block="embeddings")


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("", True),
        ("LayerNorm", True),
        ("LayerNorm beta embeddings vector", True),
        ("LayerNorm gamma", False),
        ("Layer", False),
        ("-LayerNorm", False),
        ("-gamma", True),
        ("beta -LayerNorm", False),
        ("beta -gamma -kernel", True),
        ("kernel -gamma", False),
        ("beta -beta", False),
    ],
)
def test_a_row_carries_the_tags_whose_words_it_has(tag: str, expected: bool) -> None:
    """The words of a tag may be in any order; a word after a minus must be absent."""
    assert expected is carries(NORM_ROW, tag)


@every_architecture
def test_every_row_has_one_block(architecture: Architecture) -> None:
    for row in architecture.rows:
        blocks = [name for name, prefixes in architecture.blocks.items() if lies_under(row.path, prefixes)]
        assert [row.block] == blocks, row.path


@every_architecture
def test_ties_name_rows_of_the_same_size(architecture: Architecture) -> None:
    rows_by_path = {row.path: row for row in architecture.rows}
    for row in architecture.rows:
        if row.tied_to:
            assert sorted(row.shape.split()) == sorted(rows_by_path[row.tied_to].shape.split())
            assert not rows_by_path[row.tied_to].tied_to


def test_a_config_needs_every_size_but_the_number_of_labels() -> None:
    """The required sizes of BERT are those in google-research/bert's bert_config.json."""
    assert "VPSHFLA" == "".join(symbol.letter for symbol in BERT.symbols if symbol.is_required)


@every_architecture
def test_every_row_belongs_to_a_class_and_every_head_has_rows(architecture: Architecture) -> None:
    choices = Choices(cross_attention=True, flags=frozenset(architecture.flags))
    rows_of_classes = {
        row for model_class in architecture.classes for row in architecture.rows_of(model_class.name, choices)
    }
    assert set(architecture.rows) == rows_of_classes
    for model_class in architecture.classes:
        for prefix in model_class.heads:
            assert any(lies_under(row.path, (prefix,)) for row in architecture.rows_of(model_class.name)), (
                model_class.name
            )


def test_cross_attention_exists_only_if_chosen() -> None:
    rows_with_cross_attention = BERT.rows_of("BertModel", Choices(cross_attention=True))
    assert BERT.rows_of("BertModel") == BERT.rows_of("BertModel", Choices(cross_attention=False))
    assert 10 == len(rows_with_cross_attention) - len(BERT.rows_of("BertModel"))


@pytest.mark.parametrize("name", ARCHITECTURE_OF_CLASS)
def test_names_are_unique_in_a_class(name: str) -> None:
    architecture = ARCHITECTURE_OF_CLASS[name]
    choices = Choices(cross_attention=True)
    for factor in (0, 1):  # first all sizes are 0, then all differ
        sizes = {symbol.letter: factor * index for index, symbol in enumerate(architecture.symbols, 1)}
        rows = architecture.rows_of(name, choices, architecture.false_comparisons(sizes))
        assert len(rows) == len({transformers_name(row, architecture, name) for row in rows})
    # In the second round all sizes differ, so the class has all of its rows.
    google_names = [google_name(row) for row in rows if google_name(row)]
    assert len(google_names) == len(set(google_names))


def test_architectures_are_found_by_their_model_types() -> None:
    assert list(IMPORT_PATHS) == [ARCHITECTURES[model_type].model_type for model_type in IMPORT_PATHS]
    modules = {path.stem for path in Path(architectures.__file__).parent.glob("*.py")} - {"__init__"}
    assert modules == {module_path.partition(".")[0] for module_path in IMPORT_PATHS.values()}


def test_a_count_imports_no_unrelated_architecture() -> None:
    code = "import sys; from macros.counting import *; count(model_named('longformer-base-4096')); print(*sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    prefix = "macros.counting.architectures."
    names = {name.removeprefix(prefix) for name in process.stdout.split() if name.startswith(prefix)}
    assert {"bert", "roberta", "longformer"} == names


def test_no_class_name_occurs_in_two_architectures() -> None:
    assert sum(len(architecture.classes) for architecture in ALL_ARCHITECTURES) == len(ARCHITECTURE_OF_CLASS)
    # The bare model and the number of classes. Source: the classes of transformers 5.23 by model_type.
    numbers_of_classes = {
        "BertModel": 9,
        "RobertaModel": 7,
        "XLMRobertaModel": 7,
        "DistilBertModel": 6,
        "AlbertModel": 7,
        "ElectraModel": 8,
        "MPNetModel": 6,
        "ModernBertModel": 6,
        "DebertaV2Model": 6,
    }
    classes = [architecture.classes for architecture in ALL_ARCHITECTURES[: len(numbers_of_classes)]]
    assert [*numbers_of_classes.items()] == [(entries[0].name, len(entries)) for entries in classes]


def test_a_variant_is_defined_by_its_differences() -> None:
    old_rows = BERT.rows
    rows = {"bert/pooler": (), "cls/squad": [Row("cls/squad/only", "C H")]}
    variant = BERT.variant(name="Other", rows=rows, modules={"cls/squad": "answers"})
    kept_paths = [row.path for row in BERT.rows if not lies_under(row.path, ("bert/pooler", "cls/squad"))]
    assert [*kept_paths, "cls/squad/only"] == [row.path for row in variant.rows]
    assert "task-head" == variant.rows[-1].block
    assert ("answers", "classifier") == (variant.modules["cls/squad"], variant.modules["token_classifier"])
    assert ("Other", "BERT", old_rows) == (str(variant), str(BERT), BERT.rows)


@pytest.mark.parametrize("path", ["bert/poller", "bert/pool", "bert/encoder/layer_0"])
def test_a_variant_of_rows_that_do_not_exist_is_refused(path: str) -> None:
    """A misspelt path would otherwise have no effect."""
    with pytest.raises(ValueError, match=f"BERT has no row under {path}; name a path whose rows differ"):
        BERT.variant(rows={path: ()}, modules={})


def test_a_variant_that_would_drop_a_new_row_is_refused() -> None:
    scale = Row("bert/pooler/LayerNorm/gamma", "H")
    rows = {"bert/pooler/dense/bias": [scale], "bert/pooler": ()}
    message = (
        "bert/pooler drops bert/pooler/LayerNorm/gamma, which bert/pooler/dense/bias has just added; name bert/pooler"
    )
    with pytest.raises(ValueError, match=message):
        BERT.variant(rows=rows, modules={})
    variant = BERT.variant(rows={"bert/pooler/dense/bias": (), "bert/pooler": [scale]}, modules={})
    assert [scale.path] == [row.path for row in variant.rows if lies_under(row.path, ("bert/pooler",))]


def test_a_choice_or_a_class_overrides_an_architecture_without_a_pooler() -> None:
    """Source: transformers 5.23, BertModel(config, add_pooling_layer=False) and BertModel(config)."""
    no_pooler = Choices(pooler=False)
    classes = (bare_class("OtherModel", default_choices=no_pooler), *BERT.classes[1:])
    model = model_named("bert-base-uncased")._replace(
        architecture=BERT.with_fields(default_choices=no_pooler, classes=classes)
    )
    questions = (
        Question(model),
        Question(model, choices=Choices(pooler=True)),
        Question(model, "BertForNextSentencePrediction"),
    )
    assert [108_891_648, 109_482_240, 109_483_778] == [question.number for question in questions]
    assert "the bare model: embeddings and encoder" == classes[0].purpose


@pytest.mark.parametrize(
    ("name", "choices", "message"),
    [
        ("BertForMaskedLM", Choices(pooler=True), "BertForMaskedLM never has a pooler in transformers, so pooler=true"),
        ("BertForPreTraining", Choices(pooler=False), "BertForPreTraining always has a pooler in transformers"),
        ("AlbertForMultipleChoice", Choices(pooler=False), "AlbertForMultipleChoice always has a pooler"),
        *(
            (model_class.name, Choices(pooler=True), "never has a pooler")
            for model_class in ARCHITECTURES["electra"].classes
        ),
    ],
)
def test_a_fixed_choice_may_be_repeated_but_not_contradicted(name: str, choices: Choices, message: str) -> None:
    architecture = ARCHITECTURE_OF_CLASS[name]
    model_class = architecture.class_named(name)
    with pytest.raises(BadChoice, match=message):
        architecture.resolved_choices(model_class, choices)
    fixed_choices = choices._replace(pooler=not choices.pooler)
    assert architecture.resolved_choices(model_class, fixed_choices) == architecture.resolved_choices(model_class, OPEN)


def test_every_architecture_has_a_published_model() -> None:
    assert set(ALL_ARCHITECTURES) == {model.architecture for model in load_relatives().values()}


@pytest.mark.parametrize(
    ("model", "model_class", "message"),
    [
        ("bert-base-uncased", "RobertaModel", "RobertaModel belongs to RoBERTa, and this model to BERT; known"),
        ("roberta-base", "BertForMaskedLM", "BertForMaskedLM belongs to BERT, and this model to RoBERTa"),
        ("roberta-base", "XLMRobertaModel", "belongs to XLM-RoBERTa, and .* to RoBERTa; known: RobertaModel, "),
        ("albert-base-v2", "AlbertLMHeadModel", 'no model class "AlbertLMHeadModel" of ALBERT; did you mean "Albert'),
    ],
)
def test_a_class_of_another_architecture_is_refused(model: str, model_class: str, message: str) -> None:
    question = Question(model_named(model), model_class)
    answers: list[Callable[[], object]] = [
        lambda: question.number,
        lambda: question.rows,
        lambda: question.items,
        lambda: list(tensors(question)),
    ]
    for answer in answers:
        with pytest.raises(UnknownModelClass, match=message):
            answer()
