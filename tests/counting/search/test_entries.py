"""Entries, which a search looks up as they stand: each is counted again."""

import pytest

from macros.counting import Question, model_named
from macros.counting.published.claims import known_totals
from macros.counting.published.others import load_others
from macros.counting.search.entries import Entry, entries


@pytest.fixture(scope="module")
def found() -> list[Entry]:
    """All of them."""
    return entries()


def test_prints_are_the_known_totals(found: list[Entry]) -> None:
    """With their sources and deviations; that the digits of each are recognized is tested with answers."""
    printed = [each for each in found if each.kind == "total" and each.printed_in]
    sources = {(name, each.mistakes): {one for one, *_ in each.printed_in} for each in printed for name in each.models}
    known = {(each.question.model.name, each.question.deviations): {*each.sources} for each in known_totals()}
    assert known == sources


def test_entries_hold_for_every_model_and_class(found: list[Entry]) -> None:
    """Totals are counted again, and sums of terms add up."""
    for each in (each for each in found if each.kind == "total"):
        for name in each.models:
            question = Question(model_named(name), next(iter(each.classes), ""), deviations=each.mistakes)
            assert question.number == each.number, each
    for each in (each for each in found if each.kind == "difference"):
        assert sum(times * term.number for times, term in each.terms) == each.number
        for _, (number, name, model_class, part) in each.terms:
            path = part.path if part else ""
            assert not name or Question(model_named(name), model_class, path).number == number


# Sources: transformers 5.23.0, GPT2Model by default; named_parameters() of BertModel lists 199; 768 / 12
# of its config.json; by hand, 4 x 109,482,240 bytes and 16 for each of 512 positions.
def test_samples(found: list[Entry]) -> None:
    """One of each other kind, and every other model once."""
    samples = {(each.kind, each.number): each for each in reversed(found)}
    gpt2 = samples["other", 124_439_808]
    assert (("GPT2Model", "GPT2LMHeadModel"), "GPT-2, small", 2) == (gpt2.classes, gpt2.words, gpt2.cost)
    assert {each.title for each in load_others().values()} == {each.words for each in found if each.kind == "other"}
    assert "bert-base-uncased" == samples["tensors", 199].models[0]
    assert "the width of one attention head (H / A)" == samples["setting", 64].words
    assert "float32 with buffers" == samples["memory", 437_937_152].dtype
