"""The tables themselves: what a row may be, what is derived from it, and what each architecture says."""

import re
from collections.abc import Callable

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
    load_relatives,
    model_named,
    tensors,
)
from macros.counting.architecture import OPEN, bare, carries, lies_under
from macros.counting.frameworks.names import google_name, transformers_name

EVERY = list(ARCHITECTURES.values())
every_architecture = pytest.mark.parametrize("architecture", EVERY, ids=str)


@every_architecture
def test_rows_are_well_formed(architecture: Architecture) -> None:
    """A path names one row, whose dimensions are letters and integers; heads occur in MPNet's alone.

    What brings a row is a choice that there is, or two letters of the architecture that must differ.
    """
    assert len(architecture.rows) == len({row.path for row in architecture.rows})
    letters = {symbol.letter for symbol in architecture.symbols}
    assert ("A" in architecture.letters_in(architecture.rows)) == (architecture.model_type == "mpnet")
    for row in architecture.rows:
        assert row.shape.split()
        assert re.fullmatch(r"([1-9][0-9]*|[1-9]?[A-Z])( [1-9]?[A-Z])?", row.shape)
        assert letters.issuperset(letter for letter in row.shape if letter.isalpha())
        assert row.when in ("", *Choices._fields) or set(row.when.split("≠")) <= letters, row


NORM = Row("bert/embeddings/LayerNorm/beta", "H", block="embeddings")


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
def test_what_a_row_carries(tag: str, expected: bool) -> None:
    """Every tag, in any order, and none with a minus before it."""
    assert expected is carries(NORM, tag)


@every_architecture
def test_blocks_part_the_table(architecture: Architecture) -> None:
    """Every row lies in exactly one block, which it names."""
    for row in architecture.rows:
        found = [name for name, prefixes in architecture.blocks.items() if lies_under(row.path, prefixes)]
        assert [row.block] == found, row.path


@every_architecture
def test_ties_name_rows_of_the_same_size(architecture: Architecture) -> None:
    """A tied row names an owner in the table with as many elements, which is not tied itself."""
    owners = {row.path: row for row in architecture.rows}
    for row in architecture.rows:
        if row.tied_to:
            assert sorted(row.shape.split()) == sorted(owners[row.tied_to].shape.split())
            assert not owners[row.tied_to].tied_to


def test_what_every_config_must_give() -> None:
    """The sizes that bert_config.json of google-research/bert gives; without a number of labels there are two."""
    assert "VPSHFLA" == "".join(each.letter for each in BERT.symbols if each.needed)


@every_architecture
def test_every_row_belongs_to_a_class(architecture: Architecture) -> None:
    """No row stands in the table for nothing, and every class adds to the encoder what its heads name."""
    there = {
        row for each in architecture.classes for row in architecture.rows_of(each.name, Choices(cross_attention=True))
    }
    assert set(architecture.rows) == there
    for each in architecture.classes:
        for prefix in each.heads:
            assert any(lies_under(row.path, (prefix,)) for row in architecture.rows_of(each.name)), each.name


def test_cross_attention_is_asked_for() -> None:
    """Without asking, a class has none; with it, ten more rows."""
    with_it = BERT.rows_of("BertModel", Choices(cross_attention=True))
    assert BERT.rows_of("BertModel") == BERT.rows_of("BertModel", Choices(cross_attention=False))
    assert 10 == len(with_it) - len(BERT.rows_of("BertModel"))


@pytest.mark.parametrize("name", ARCHITECTURE_OF_CLASS)
def test_names_are_unique_in_a_class(name: str) -> None:
    """Within one class no two tensors share a name in either framework."""
    architecture = ARCHITECTURE_OF_CLASS[name]
    rows = architecture.rows_of(name, Choices(cross_attention=True))
    assert len(rows) == len({transformers_name(row, architecture, name) for row in rows})
    named = [google_name(row) for row in rows if google_name(row)]
    assert len(named) == len(set(named))


def test_no_two_architectures_have_a_class_of_one_name() -> None:
    """A class belongs to one architecture, the first of which is the bare model."""
    assert sum(len(each.classes) for each in EVERY) == len(ARCHITECTURE_OF_CLASS)
    # Source: transformers 5.23, the classes by model_type.
    bare = ["BertModel", "RobertaModel", "XLMRobertaModel", "DistilBertModel", "AlbertModel", "ElectraModel"]
    bare += ["MPNetModel", "ModernBertModel", "DebertaV2Model"]
    assert bare == [each.classes[0].name for each in EVERY[: len(bare)]]
    assert [9, 7, 7, 6, 7, 8, 6, 6, 6] == [len(each.classes) for each in EVERY[: len(bare)]]


def test_a_variant_is_written_as_what_differs() -> None:
    """Rows are dropped, put in the place of others, or kept; names are added; BERT stays as it was."""
    before = BERT.rows
    rows = {"bert/pooler": (), "cls/squad": [Row("cls/squad/only", "C H")]}
    other = BERT.variant(name="Other", rows=rows, modules={"cls/squad": "answers"})
    places = [row.path for row in BERT.rows if not lies_under(row.path, ("bert/pooler", "cls/squad"))]
    assert [*places, "cls/squad/only"] == [row.path for row in other.rows]
    assert "task-head" == other.rows[-1].block
    assert ("answers", "classifier") == (other.modules["cls/squad"], other.modules["token_classifier"])
    assert ("Other", "BERT", before) == (str(other), str(BERT), BERT.rows)


@pytest.mark.parametrize("path", ["bert/poller", "bert/pool", "bert/encoder/layer_0"])
def test_a_variant_names_rows_that_there_are(path: str) -> None:
    """A misspelt path would leave everything as it was, and is refused."""
    with pytest.raises(ValueError, match=f"BERT has no row under {path}; name a path whose rows differ"):
        BERT.variant(rows={path: ()}, modules={})


def test_a_variant_does_not_drop_what_it_has_just_added() -> None:
    """Paths are taken in order, so a later one would silently undo an earlier one."""
    scale = Row("bert/pooler/LayerNorm/gamma", "H")
    rows = {"bert/pooler/dense/bias": [scale], "bert/pooler": ()}
    said = (
        "bert/pooler drops bert/pooler/LayerNorm/gamma, which bert/pooler/dense/bias has just added; name bert/pooler"
    )
    with pytest.raises(ValueError, match=said):
        BERT.variant(rows=rows, modules={})
    other = BERT.variant(rows={"bert/pooler/dense/bias": (), "bert/pooler": [scale]}, modules={})
    assert [scale.path] == [row.path for row in other.rows if lies_under(row.path, ("bert/pooler",))]


def test_a_pooler_may_be_left_out_unasked() -> None:
    """Where a class leaves it open; one that always has it has it, and whoever asks for it gets it.

    Source: transformers 5.23, BertModel(config, add_pooling_layer=False) and BertModel(config).
    """
    usual = Choices(pooler=False)
    classes = (bare("OtherModel", usual=usual), *BERT.classes[1:])
    model = model_named("bert-base-uncased")._replace(architecture=BERT.changed(usual=usual, classes=classes))
    asked = Question(model), Question(model, choices=Choices(pooler=True)), Question(model, BERT.classes[4].name)
    assert "BertForNextSentencePrediction" == asked[2].model_class
    assert [108_891_648, 109_482_240, 109_483_778] == [each.number for each in asked]
    assert "the bare model: embeddings and encoder" == classes[0].purpose


@pytest.mark.parametrize(
    ("name", "choices", "says"),
    [
        ("BertForMaskedLM", Choices(pooler=True), "BertForMaskedLM never has a pooler in transformers, so pooler=true"),
        ("BertForPreTraining", Choices(pooler=False), "BertForPreTraining always has a pooler in transformers"),
        ("AlbertForMultipleChoice", Choices(pooler=False), "AlbertForMultipleChoice always has a pooler"),
        *((each.name, Choices(pooler=True), "never has a pooler") for each in ARCHITECTURES["electra"].classes),
    ],
)
def test_a_class_does_not_leave_everything_open(name: str, choices: Choices, says: str) -> None:
    """What it fixes can be said again, and not otherwise."""
    architecture = ARCHITECTURE_OF_CLASS[name]
    chosen = architecture.class_named(name)
    with pytest.raises(BadChoice, match=says):
        architecture.settled(chosen, choices)
    other = choices._replace(pooler=not choices.pooler)
    assert architecture.settled(chosen, other) == architecture.settled(chosen, OPEN)


def test_every_architecture_has_a_published_model() -> None:
    """Each of the relatives, in a file where there are also BERTs that others trained."""
    assert set(EVERY) == {model.architecture for model in load_relatives().values()}


@pytest.mark.parametrize(
    ("model", "model_class", "says"),
    [
        ("bert-base-uncased", "RobertaModel", "RobertaModel belongs to RoBERTa, and this model to BERT; known"),
        ("roberta-base", "BertForMaskedLM", "BertForMaskedLM belongs to BERT, and this model to RoBERTa"),
        ("roberta-base", "XLMRobertaModel", "belongs to XLM-RoBERTa, and .* to RoBERTa; known: RobertaModel, "),
        ("albert-base-v2", "AlbertLMHeadModel", 'no model class "AlbertLMHeadModel" of ALBERT; did you mean "Albert'),
    ],
)
def test_a_class_of_another_architecture_is_refused(model: str, model_class: str, says: str) -> None:
    """The message names both architectures, whatever is asked of the question."""
    asked = Question(model_named(model), model_class)
    refused: Callable[[], object]
    for refused in (lambda: asked.number, lambda: asked.rows, lambda: asked.items, lambda: list(tensors(asked))):
        with pytest.raises(UnknownModelClass, match=says):
            refused()
