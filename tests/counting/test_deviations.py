"""The effect of every deviation, compared with manual arithmetic."""

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    ARCHITECTURES,
    BERT,
    BadChoice,
    BadConfig,
    Model,
    Question,
    Row,
    UnknownDeviation,
    class_questions,
    count,
    deviations,
    model_named,
)
from macros.counting.deviations import Deviation, deviation_named, load_deviations
from macros.counting.question import class_on_pages, effect

EXPECTED_VALUES = tomllib.loads(Path(__file__).with_name("deviations.toml").read_text(encoding="utf-8"))
"""Expected totals and effects, each as a number or as arithmetic."""


def recount(question: Question, deviation: Deviation) -> Fraction:
    """The total with one deviation, computed from its keys tensor by tensor without the engine's items."""
    sizes = dict(question.model.sizes)
    letter, _, new_size = deviation.resized.partition(" = ")
    if new_size.startswith("multiple of"):
        sizes[letter] += -sizes[letter] % int(new_size.split()[-1])
    elif new_size.isdigit():
        sizes[letter] = int(new_size)
    elif letter:  # the size of another letter, or that of a published model
        sizes[letter] = sizes[new_size] if new_size in sizes else model_named(new_size).sizes[letter]
    shapes = [shape.strip() for shape in (deviation.adds or deviation.instead).split(",") if shape]
    total = Fraction(sum(-product(text[1:], sizes) if text[0] == "-" else product(text, sizes) for text in shapes))
    layers = prod(sizes[letter] for letter in question.architecture.layers)
    for row in question.rows:
        is_selected = is_row_selected(deviation, row)
        if deviation.instead and not (deviation.part and is_selected):
            continue
        if row.tied_to and question.resolved_choices.tied and not (is_selected and deviation.unties):
            continue
        factor = quotient(deviation.factor, sizes) if is_selected else 1
        total += product(row.shape, sizes) * (layers if row.is_per_layer else 1) * factor
    return total


def quotient(text: str, sizes: Mapping[str, int]) -> Fraction | int:
    """The value of a number, a letter, or a quotient of two of these; a denominator of zero counts as one."""
    numerator, *denominator = (int(part) if part.isdigit() else sizes[part] for part in text.split("/"))
    return Fraction(numerator, denominator[0] or 1) if denominator else numerator


def product(shape: str, sizes: Mapping[str, int]) -> Fraction | int:
    """The number of elements of a symbolic shape."""
    return prod(quotient(dimension, sizes) for dimension in shape.split())


def is_row_selected(deviation: Deviation, row: Row) -> bool:
    """Return whether a row lies under one of a deviation's parts and carries its tags, except those after a minus."""
    parts = [part.split("/") for part in deviation.part.split(", ")] if deviation.part else [[]]
    components = row.path.split("/")
    kinds = {
        "embedding-table": components[-1].endswith("_embeddings"),
        "vector": " " not in row.shape,
        "bias": components[-1] == "output_bias",
        "kernel": components[-1] == "output_weights",
    }
    tags = {*components, row.block, *(kind for kind, applies in kinds.items() if applies)}
    has_tags = all((word.removeprefix("-") in tags) is not word.startswith("-") for word in deviation.tag.split())
    return any(components[: len(part)] == part for part in parts) and has_tags


RECOUNTED_MODELS = (
    "bert-base-uncased",
    "bert-large-uncased",
    "bert_uncased_L-2_H-128_A-2",
    "roberta-base",
    "xlm-roberta-base",
    "distilbert-base-uncased",
    "albert-base-v2",
    "electra-small-discriminator",
    "electra-base-discriminator",
)
"""The models in which every deviation that fits is recounted."""


@pytest.mark.parametrize("name", load_deviations())
def test_every_deviation_is_recounted(name: str) -> None:
    deviation = deviation_named(name)
    compared_architectures = set()
    for question in class_questions(map(model_named, RECOUNTED_MODELS)):
        if not deviation.fits(question.rows, question.architecture):
            continue
        deviating_question = question._replace(deviations=(name,))
        expected = recount(question, deviation)
        if expected.denominator == 1:
            assert expected == deviating_question.number, question
            compared_architectures.add(question.architecture.name)
        else:
            with pytest.raises(BadChoice, match="is not whole"):
                _ = deviating_question.number
    assert "BERT" in compared_architectures


@pytest.mark.parametrize("name", EXPECTED_VALUES["effects"])
def test_every_deviation_has_the_expected_effect(base: Model, large: Model, name: str) -> None:
    expected = [eval(str(text)) for text in EXPECTED_VALUES["effects"][name]]  # noqa: S307  the file is ours
    assert expected == [effect(base, name), effect(large, name)]


def add_deviation(monkeypatch: pytest.MonkeyPatch, **keys: str) -> str:
    """Add a deviation for one test, and return its name, which is different for different keys."""
    name = f"invented {keys}"
    deviation = Deviation(name, "mistake", 1, *["for this test"] * 5, **keys)  # type: ignore[arg-type]
    monkeypatch.setattr(deviations, "load_deviations", lambda: {**load_deviations(), name: deviation})
    return name


def test_a_factor_that_leaves_a_fraction_is_refused(base: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    name = add_deviation(monkeypatch, part="bert/pooler/dense/bias", factor="1/5")
    with pytest.raises(BadChoice, match="is not whole"):
        effect(base, name)


@pytest.mark.parametrize(("model", "model_class", "names", "total"), EXPECTED_VALUES["composed"])
def test_deviations_give_the_same_total_in_any_order(
    model: str, model_class: str, names: list[str], total: int | str
) -> None:
    """The order of deviations does not matter, because a student's mistakes have no known order."""
    total = eval(str(total))  # noqa: S307  the file is ours
    assert total == count(model_named(model), model_class=model_class, deviations=names)
    assert total == count(model_named(model), model_class=model_class, deviations=names[::-1])


def test_a_deviation_within_a_part_changes_it_but_an_addition_does_not(base: Model) -> None:
    part = "bert/encoder/layer_0"
    # Source: an answer reposted from stats.stackexchange 435318, 12 x 768 x 768 + 768 for the output projection.
    assert 2_362_368 + 6_488_064 == count(base, part, "self-attention", deviations=["output-projection-per-head"])
    assert 590_592 == count(base, "bert/pooler", deviations=["buffers-added"])


BASE = "bert-base-uncased"
NOT_IN_BARE_MODEL = "does not apply to BertModel"


@pytest.mark.parametrize(
    ("model", "model_class", "names", "message"),
    [
        (BASE, "", ("decoder-untied",), f"{NOT_IN_BARE_MODEL}.* such as BertForPreTraining"),
        (
            BASE,
            "BertForPreTraining",
            ("pooler-kept",),
            "pooler-kept does not apply to BertForPreTraining; choose a class such as BertForMaskedLM",
        ),
        (BASE, "", ("vocabulary-rounded", "vocabulary-padded"), "exclude each other"),
        (BASE, "", ("twelve-l-h-squared", "pooler-left-out"), "exclude each other"),
        ("electra-base-discriminator", "", ("pooler-left-out",), "ElectraModel; it applies to no class of ELECTRA"),
        ("distilbert-base-uncased", "", ("decoder-untied",), "choose a class such as DistilBertForMaskedLM"),
        # A path without rows, a tag that no row there carries, a path of a different class, and a single layer.
        (BASE, "", ("without:bert/poller",), NOT_IN_BARE_MODEL),
        (BASE, "", ("without:bert/pooler:LayerNorm",), NOT_IN_BARE_MODEL),
        (BASE, "", ("without:cls",), NOT_IN_BARE_MODEL),
        (BASE, "", ("without:bert/encoder/layer_0",), NOT_IN_BARE_MODEL),
        (BASE, "", ("without:",), "leaves nothing out; name a path or a tag"),
        (BASE, "", ("without::",), "leaves nothing out; name a path or a tag"),
        (BASE, "", ("pooler-left",), 'did you mean "pooler-left-out"'),
    ],
)
def test_misfitting_deviations_are_refused(model: str, model_class: str, names: tuple[str, ...], message: str) -> None:
    with pytest.raises((BadChoice, UnknownDeviation), match=message):
        count(model_named(model), model_class=model_class, deviations=names)


def test_a_part_that_is_left_out_is_named_in_words() -> None:
    deviation = deviation_named("without:bert/pooler:bias")
    assert ("left out bert/pooler bias", "add bert/pooler bias") == (deviation.done, deviation.undo)


# Source: the rows that each deviation changes, and the first class that has them.
CLASSES_ON_PAGES = {
    "pooler-left-out": "BertModel",
    "pooler-kept": "BertForMaskedLM",
    "decoder-untied": "BertForPreTraining",
    "prediction-bias-forgotten": "BertForPreTraining",
    "optimizer-counted": "BertForPreTraining",
    "encoder-frozen": "BertForSequenceClassification",
    "head-forgotten": "BertForSequenceClassification",
}


def test_every_deviation_is_shown_in_a_class_it_fits() -> None:
    for deviation in load_deviations().values():
        name = class_on_pages(deviation, BERT)
        assert name, deviation.name
        assert deviation.fits(BERT.rows_of(name), BERT), deviation.name
    assert CLASSES_ON_PAGES == {name: class_on_pages(deviation_named(name), BERT) for name in CLASSES_ON_PAGES}


BLOCK = """
[invented]
kind = "mistake"
rarity = 1
title = "one"
done = "did it"
undo = "do it"
why = "two"
notice = "three"
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BLOCK.replace('why = "two"\n', ""), "deviations.toml, invented: why is missing"),
        (BLOCK + 'holds = "F == 4 * H"', 'holds is "F == 4 \\* H"; write a table of texts'),
        (BLOCK.replace('"did it"', '" "'), 'invented: done is " "; write a text'),
        (BLOCK + 'fector = "0"', 'unknown key fector = "0"; did you mean "factor"'),
        (BLOCK + 'needs = "bert/pooler"', 'needs is "bert/pooler"; write a list'),
        (BLOCK + 'name = "other"', "unknown key name"),
        (BLOCK.replace('"mistake"', '"error"'), 'kind is "error"; known: convention, mistake'),
    ],
)
def test_a_bad_block_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "deviations.toml"
    file.write_text(text)
    with pytest.raises(BadConfig, match=message):
        load_deviations(file)


def test_needs_lacks_and_part_name_rows() -> None:
    """A misspelt path would have no effect."""
    paths = {row.path for architecture in ARCHITECTURES.values() for row in architecture.rows}
    for deviation in load_deviations().values():
        for text in (*deviation.needs, *deviation.lacks, *deviation.part.split(", ")):
            for prefix in filter(None, text.split(", ")):
                assert any(f"{path}/".startswith(f"{prefix}/") for path in paths), (deviation.name, prefix)


@pytest.mark.parametrize(("name", "architecture", "fits"), EXPECTED_VALUES["fitting"])
def test_a_deviation_fits_a_model_that_has_its_rows(name: str, architecture: str, fits: bool) -> None:
    assert fits is bool(class_on_pages(deviation_named(name), ARCHITECTURES[architecture]))


def test_a_deviation_may_use_only_letters_of_its_rows_and_of_the_heads() -> None:
    rows = BERT.rows_of("BertForSequenceClassification")
    assert deviation_with(adds="V P S H F L A C").fits(rows, BERT)
    assert not deviation_with(adds="V P S H F L A C E").fits(rows, BERT)


def deviation_with(**keys: Any) -> Deviation:
    """A deviation with these keys and empty texts."""
    return Deviation("made-up", "mistake", 1, *[""] * 5, **keys)  # type: ignore[arg-type]


def test_a_deviation_may_resize_any_letter_to_any_multiple(base: Model) -> None:
    """The next multiple is 477 × 64 = 30,528; 512 = 2 × 256 is already one."""
    assert {"V": 30_528, "P": 512} == {
        letter: deviation_with(resized=f"{letter} = multiple of {step}").resize(base).sizes[letter]
        for letter, step in (("V", 64), ("P", 256))
    }


def test_done_and_undo_fit_into_a_sentence() -> None:
    """`done` continues "you"; `undo` is an imperative. Both begin in lower case, lack a full stop and are unique."""
    deviations_in_file = load_deviations().values()
    for texts in ([entry.done for entry in deviations_in_file], [entry.undo for entry in deviations_in_file]):
        assert len(texts) == len(set(texts))
        assert [] == [text for text in texts if not text[0].islower() or text.endswith(".") or text.startswith("you ")]
    assert [] == [entry.undo for entry in deviations_in_file if entry.undo.split()[0] == entry.done.split()[0]]
