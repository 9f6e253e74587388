"""What each deviation does to the total, against arithmetic done by hand."""

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
    count,
    deviations,
    every_class,
    model_named,
)
from macros.counting.deviations import Deviation, deviation_named, load_deviations
from macros.counting.question import class_shown, effect

BY_HAND = tomllib.loads(Path(__file__).with_name("deviations.toml").read_text(encoding="utf-8"))
"""Totals and effects, as a number or as the arithmetic that leads to it."""


def recounted(asked: Question, each: Deviation) -> Fraction:
    """What a deviation makes of a total, tensor by tensor and as its keys say, without the engine's items."""
    size = dict(asked.model.sizes)
    letter, _, other = each.resized.partition(" = ")
    if other.startswith("multiple of"):
        size[letter] += -size[letter] % int(other.split()[-1])
    elif letter:
        size[letter] = (
            int(other) if other.isdigit() else size[other] if other in size else model_named(other).sizes[letter]
        )
    shapes = [one.strip() for one in (each.adds or each.instead).split(",") if one]
    total = sum((-product(one[1:], size) if one[0] == "-" else product(one, size) for one in shapes), Fraction(0))
    layers = prod(size[one] for one in asked.architecture.layers)
    for row in asked.rows:
        touched = is_about(each, row)
        if each.instead and not (each.part and touched):
            continue
        if row.tied_to and asked.settled.tied and not (touched and each.unties):
            continue
        times = quotient(each.factor, size) if touched else 1
        total += product(row.shape, size) * (layers if row.repeated else 1) * times
    return total


def quotient(text: str, size: Mapping[str, int]) -> Fraction:
    """A number, a letter, or one over the other; nothing below the line is one."""
    above, below = (int(one) if one.isdigit() else size[one] for one in f"{text}/1".split("/")[:2])
    return Fraction(above, below or 1)


def product(shape: str, size: Mapping[str, int]) -> Fraction:
    """The elements of a symbolic shape."""
    return prod((quotient(one, size) for one in shape.split()), start=Fraction(1))


def is_about(each: Deviation, row: Row) -> bool:
    """Whether a row lies under one of the parts of a deviation, with all of its tags."""
    parts = [one.split("/") for one in each.part.split(", ")] if each.part else [[]]
    steps = row.path.split("/")
    kinds = {
        *steps,
        row.block,
        "embedding-table" * steps[-1].endswith("_embeddings"),
        "vector" * (" " not in row.shape),
        "bias" * (steps[-1] == "output_bias"),
        "kernel" * (steps[-1] == "output_weights"),
    }
    return any(steps[: len(one)] == one for one in parts) and kinds.issuperset(each.tag.split())


RECOUNTED = (
    *("bert-base-uncased", "bert-large-uncased", "bert_uncased_L-2_H-128_A-2", "roberta-base", "xlm-roberta-base"),
    *("distilbert-base-uncased", "albert-base-v2", "electra-small-discriminator", "electra-base-discriminator"),
)
"""Models in which every deviation is counted twice: of each architecture one, and where sizes decide two."""


@pytest.mark.parametrize("name", load_deviations())
def test_every_deviation_is_recounted(name: str) -> None:
    """In each class that it fits, the total is a recount of its own, or refused as not whole."""
    each, found = deviation_named(name), 0
    for asked in every_class(map(model_named, RECOUNTED)):
        if not each.fits(asked.rows, asked.architecture):
            continue
        deviating, expected = asked._replace(deviations=(name,)), recounted(asked, each)
        if expected.denominator == 1:
            assert expected == deviating.number, asked
            found += asked.architecture is BERT
        else:
            with pytest.raises(BadChoice, match="is not whole"):
                _ = deviating.number
    assert found


@pytest.mark.parametrize("name", BY_HAND["effects"])
def test_effect(base: Model, large: Model, name: str) -> None:
    """The effect on base and on large."""
    expected = [eval(str(each)) for each in BY_HAND["effects"][name]]  # noqa: S307  the file is ours
    assert expected == [effect(base, name), effect(large, name)]


def invented(monkeypatch: pytest.MonkeyPatch, **keys: str) -> str:
    """The name of a deviation that stands in the list for one test; no two that differ have one name."""
    name = f"invented {keys}"
    made = Deviation(name, "mistake", 1, *["for this test"] * 5, **keys)  # type: ignore[arg-type]
    monkeypatch.setattr(deviations, "load_deviations", lambda: {**load_deviations(), name: made})
    return name


def test_a_factor_that_leaves_a_rest_is_refused(base: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """A count is whole; a factor that makes it otherwise is an error, not a rounding."""
    fifth = invented(monkeypatch, part="bert/pooler/dense/bias", factor="1/5")
    with pytest.raises(BadChoice, match="is not whole"):
        effect(base, fifth)


@pytest.mark.parametrize(("model", "model_class", "made", "total"), BY_HAND["composed"])
def test_deviations_compose(model: str, model_class: str, made: list[str], total: int | str) -> None:
    """One or several together give one total, in any order."""
    total = eval(str(total))  # noqa: S307  the file is ours
    assert total == count(model_named(model), model_class=model_class, deviations=made)
    assert total == count(model_named(model), model_class=model_class, deviations=made[::-1])


def test_a_part_is_counted_with_deviations(base: Model) -> None:
    """A deviation within a part changes the part; what is added belongs to the whole."""
    part = "bert/encoder/layer_0"
    # Source: an answer reposted from stats.stackexchange 435318, 12 x 768 x 768 + 768 for the output projection.
    assert 2_362_368 + 6_488_064 == count(base, part, "self-attention", deviations=["output-projection-per-head"])
    assert 590_592 == count(base, "bert/pooler", deviations=["buffers-added"])


BASE, NOT_THERE = "bert-base-uncased", "cannot be made in BertModel"


@pytest.mark.parametrize(
    ("model", "model_class", "made", "message"),
    [
        (BASE, "", ("decoder-untied",), f"{NOT_THERE}.* such as BertForPreTraining"),
        (BASE, "BertForPreTraining", ("pooler-kept",), "such as BertForMaskedLM"),
        (BASE, "", ("vocabulary-rounded", "vocabulary-padded"), "exclude each other"),
        (BASE, "", ("twelve-l-h-squared", "pooler-left-out"), "exclude each other"),
        ("electra-base-discriminator", "", ("pooler-left-out",), "lacks what it changes; it fits no class of ELECTRA"),
        ("distilbert-base-uncased", "", ("decoder-untied",), "choose a class such as DistilBertForMaskedLM"),
        # A path that no row has, a tag that none carries there, another class's, and one of many layers.
        (BASE, "", ("without:bert/poller",), NOT_THERE),
        (BASE, "", ("without:bert/pooler:LayerNorm",), NOT_THERE),
        (BASE, "", ("without:cls",), NOT_THERE),
        (BASE, "", ("without:bert/encoder/layer_0",), NOT_THERE),
        (BASE, "", ("without:",), "leaves nothing out; name a path or a tag"),
        (BASE, "", ("without::",), "leaves nothing out; name a path or a tag"),
        (BASE, "", ("pooler-left",), 'did you mean "pooler-left-out"'),
    ],
)
def test_what_cannot_be_made_is_refused(model: str, model_class: str, made: tuple[str, ...], message: str) -> None:
    """What is unknown, does not fit the class or leaves nothing out, and two that exclude each other."""
    with pytest.raises((BadChoice, UnknownDeviation), match=message):
        count(model_named(model), model_class=model_class, deviations=made)


# Source: the rows that each is about; the decoder is first in pre-training, a head first where labels are given.
SHOWN = {
    "pooler-left-out": "BertModel",
    "pooler-kept": "BertForMaskedLM",
    "decoder-untied": "BertForPreTraining",
    "prediction-bias-forgotten": "BertForPreTraining",
    "optimizer-counted": "BertForPreTraining",
    "encoder-frozen": "BertForSequenceClassification",
    "head-forgotten": "BertForSequenceClassification",
}


def test_every_deviation_is_shown_in_a_class_it_fits() -> None:
    """The class of a page is one that has the rows."""
    for each in load_deviations().values():
        shown = class_shown(each, BERT)
        assert shown, each.name
        assert each.fits(BERT.rows_of(shown), BERT), each.name
    assert SHOWN == {name: class_shown(deviation_named(name), BERT) for name in SHOWN}


BLOCK = """
[invented]
kind = "mistake"
usual = 1
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
    """The message names file, deviation and key."""
    file = tmp_path / "deviations.toml"
    file.write_text(text)
    with pytest.raises(BadConfig, match=message):
        load_deviations(file)


def test_needs_and_lacks_name_rows() -> None:
    """What a deviation needs or must not meet is there in some architecture; a path that is nowhere decides nothing."""
    paths = {row.path for each in ARCHITECTURES.values() for row in each.rows}
    for each in load_deviations().values():
        for listed in (*each.needs, *each.lacks, *each.part.split(", ")):
            for prefix in filter(None, listed.split(", ")):
                assert any(f"{path}/".startswith(f"{prefix}/") for path in paths), (each.name, prefix)


@pytest.mark.parametrize(("name", "architecture", "fits"), BY_HAND["fitting"])
def test_a_deviation_fits_what_has_its_rows(name: str, architecture: str, fits: bool) -> None:
    """In a relative as in BERT."""
    assert fits is bool(class_shown(deviation_named(name), ARCHITECTURES[architecture]))


def test_a_deviation_may_use_every_letter_there_is() -> None:
    """Of the rows, and the heads, which size none; one more letter is one too many."""
    rows = BERT.rows_of("BertForSequenceClassification")
    assert made_up(adds="V P S H F L A C").fits(rows, BERT)
    assert not made_up(adds="V P S H F L A C E").fits(rows, BERT)


def made_up(**keys: Any) -> Deviation:
    """A deviation that says only this."""
    return Deviation("made-up", "mistake", 1, *[""] * 5, **keys)  # type: ignore[arg-type]


def test_a_larger_multiple_and_another_letter(base: Model) -> None:
    """The rule names both. Source: hand arithmetic, 30,528 is 477 times 64, and 512 twice 256."""
    assert {"V": 30_528, "P": 512} == {
        letter: made_up(resized=f"{letter} = multiple of {step}").resize(base).sizes[letter]
        for letter, step in (("V", 64), ("P", 256))
    }


def test_what_was_done_follows_you_and_what_puts_it_right_is_an_imperative() -> None:
    """As in "you left out the pooler" and "add the pooler": small letters, no full stop, no two alike."""
    listed = load_deviations().values()
    for texts in ([each.done for each in listed], [each.undo for each in listed]):
        assert len(texts) == len(set(texts))
        assert [] == [text for text in texts if not text[0].islower() or text.endswith(".") or text.startswith("you ")]
    assert [] == [each.undo for each in listed if each.undo.split()[0] in each.done.split()[:1]]
