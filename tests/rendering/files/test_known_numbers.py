"""Known numbers are exported without those that follow from others; a browser test reads all of them back."""

import re

from macros.counting.models import models_by_every_name
from macros.counting.search.entries import entries
from macros.counting.search.known_numbers import Space
from macros.counting.search.parts import Part
from macros.rendering.components import pages
from macros.rendering.components.words import NOUNS
from macros.rendering.files.known_numbers import entry_rows, packed_spaces


def test_only_unpredictable_numbers_are_exported() -> None:
    """A total is exported as its difference from what smaller sets of deviations predict, if it differs at all.

    Each list of sets occurs only once.
    """
    costs = {"a": 1, "b": 2, "c": 2}
    numbers = {(): 100, ("a",): 90, ("b",): 107, ("c",): 101, ("a", "b"): 97, ("b", "c"): 208, ("a", "b", "c"): 198}
    smaller_numbers = {(): 50, ("b",): 40, ("c",): 60, ("b", "c"): 45}
    spaces = [
        Space(("base",), ("Bare",), 0, 2, costs, numbers, {"L": {(): 7, ("b",): 9}, "V": {("a",): 5, ("b",): 5}}),
        Space(("tiny", "mini"), ("Bare",), 1, 3, costs, smaller_numbers),
        Space(("tiny", "mini"), ("Head",), 2, 4, {}, {(): 60}),
    ]
    assert packed_spaces(spaces) == {
        "costs": costs,
        "discounts": {
            "pooler-left-out": 1,
            "positions-of-bert": 1,
            "decoder-untied": 1,
            "pooler-kept": 1,
        },
        "groups": [{"classes": ("Bare",), "sets": ",0,1,2,0 1,1 2,0 1 2"}, {"classes": ("Head",), "sets": ""}],
        "spaces": [
            {"models": ("base",), "group": 0, "cost": 0, "deviating": 2, "totals": "100,-10,7,1,,100,"}
            | {"slopes": {"L": "7,,9", "V": ",5,5"}},
            {"models": ("tiny", "mini"), "group": 0, "cost": 1, "deviating": 3, "totals": "50,x,-10,10,x,-5,x"}
            | {"slopes": {}},
            {"models": ("tiny", "mini"), "group": 1, "cost": 2, "deviating": 4, "totals": "60", "slopes": {}},
        ],
    }


def test_a_term_links_to_the_page_that_its_words_name() -> None:
    """A part of a model links to the page of the part; only a total, which names its class, links to the model's."""
    pages_by_words = {words: pages.of_part(Part(path)) for path, words in NOUNS.items() if path}
    pages_by_title = {model.title: pages.of_model(model.name) for model in models_by_every_name().values()}
    kinds = set()
    for words, page, _ in entry_rows(entries())["terms"]:
        part, _, title = words.rpartition(" of ")
        if part in pages_by_words and title in pages_by_title:
            assert pages_by_words[part] == page, words
            kinds.add("part")
        elif page:
            assert pages_by_title[re.sub(r" \(\w+\)$", "", words)] == page, words
            kinds.add("model")
    assert {"part", "model"} == kinds
