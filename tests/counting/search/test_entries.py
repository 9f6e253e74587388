"""The entries of the search: totals and differences are counted again, and others are sampled."""

import pytest

from macros.counting import Question, model_named
from macros.counting.published.claims import known_totals
from macros.counting.published.others import load_others
from macros.counting.search.entries import Entry, entries
from macros.counting.search.known_numbers import search_data


@pytest.fixture(scope="module")
def all_entries() -> list[Entry]:
    """All entries of the search."""
    return entries()


def test_totals_in_print_have_entries_with_their_sources_and_deviations(all_entries: list[Entry]) -> None:
    """The tests of answers check that exactly the printed digits are recognised."""
    printed_entries = [entry for entry in all_entries if entry.kind == "total" and entry.printed_in]
    sources = {
        (name, entry.mistakes): {source for source, *_ in entry.printed_in}
        for entry in printed_entries
        for name in entry.models
    }
    sources_by_total = {
        (total.question.model.name, total.question.deviations): {*total.sources} for total in known_totals()
    }
    assert sources_by_total == sources


def test_the_most_expensive_entries_cost_as_much_as_the_limit(all_entries: list[Entry]) -> None:
    assert 5 == search_data()["limits"]["max_cost"] == max(entry.cost for entry in all_entries)


def test_the_engine_confirms_totals_and_the_terms_of_differences(all_entries: list[Entry]) -> None:
    totals = [entry for entry in all_entries if entry.kind == "total"]
    differences = [entry for entry in all_entries if entry.kind == "difference"]
    assert totals
    assert differences
    for entry in totals:
        for name in entry.models:
            question = Question(model_named(name), next(iter(entry.classes), ""), deviations=entry.mistakes)
            assert question.number == entry.number, entry
    for entry in differences:
        assert sum(factor * term.number for factor, term in entry.terms) == entry.number
        for _, (number, name, model_class, part) in entry.terms:
            path = part.path if part else ""
            assert not name or Question(model_named(name), model_class, path).number == number


# Sources: GPT2Model of transformers 5.23.0 with its default config; 199 tensors in BertModel.named_parameters();
# 768 / 12 in the config.json of BERT base; 4 x 109,482,240 bytes for its parameters and 512 x 16 for its buffers.
def test_sampled_entries_are_as_expected_and_every_uncounted_model_has_one(all_entries: list[Entry]) -> None:
    samples = {(entry.kind, entry.number): entry for entry in reversed(all_entries)}
    gpt2 = samples["other", 124_439_808]
    assert (("GPT2Model", "GPT2LMHeadModel"), "GPT-2, small", 2) == (gpt2.classes, gpt2.words, gpt2.cost)
    titles = {entry.words for entry in all_entries if entry.kind == "other"}
    assert {other.title for other in load_others().values()} == titles
    assert "bert-base-uncased" == samples["tensors", 199].models[0]
    assert "the width of one attention head (H / A)" == samples["setting", 64].words
    assert "float32 with buffers" == samples["memory", 437_937_152].dtype
