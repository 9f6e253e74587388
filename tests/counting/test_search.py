"""The quick search agrees with counting one by one."""

import random

from macros.counting.mistakes import Counted
from macros.counting.search import Found, search, spaces

from macros.counting import CountingError, model_named


def counted(found: Found) -> int:
    """The number that the engine counts for what the search says."""
    return Counted(model_named(found.models[-1]), found.classes[-1], found.mistakes).number


def test_every_total_is_the_one_that_is_counted() -> None:
    """Sets of up to three mistakes, drawn from all models and classes, counted again the slow way."""
    chance = random.Random(4)  # noqa: S311 - drawing samples is no cryptography
    checked = 0
    for space in chance.sample(spaces(), 30):
        for number, places in chance.sample(list(space.sets()), 60):
            found = space.found(number, places)
            assert number == counted(found), found
            checked += len(places) == 3
    assert checked > 1000


def test_no_mistake_is_needless() -> None:
    """Of two mistakes each makes a difference, and they do not cancel out."""
    for space in spaces()[:9]:
        totals = {places: number for number, places in space.sets(2)}
        for places, number in totals.items():
            if len(places) == 2:
                assert number not in (totals[()], totals[places[:1]], totals[places[1:]])


def test_what_is_left_out_excludes_itself_or_is_needless() -> None:
    """Every pair that the search skips cannot be counted, or counts like less."""
    space = spaces()[0]
    for (one, two), correction in space.together.items():
        if correction is None:
            names = (space.mistakes[one].name, space.mistakes[two].name)
            try:
                number = Counted(model_named(space.models[0]), space.classes[0], names).number
            except CountingError:
                continue
            less = {space.total, space.total + space.alone[one], space.total + space.alone[two]}
            assert number in less, names


def test_models_of_the_same_sizes_stand_together() -> None:
    """Base is among the miniatures too, under another name."""
    assert ("bert-base-uncased", "bert_uncased_L-12_H-768_A-12") == spaces()[0].models


def test_search_finds_within_bounds() -> None:
    """A condition on the number, with at most so many mistakes."""
    # Source: totals of base and of base without pooler, transformers 5.23.
    found = list(search(108_891_648, 108_891_648, 1))
    assert (108_891_648, ("pooler-left-out",)) in [(each.number, each.mistakes) for each in found]
    assert all(len(each.mistakes) <= 1 and each.number == 108_891_648 for each in found)


def test_the_index_leaves_nothing_out() -> None:
    """What the index of all totals finds is what trying every set finds."""
    low, high = 109_482_000, 109_483_000
    tried = {
        space.found(number, places) for space in spaces() for number, places in space.sets() if low <= number <= high
    }
    assert tried == set(search(low, high))
    assert tried
