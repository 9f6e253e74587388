"""Known numbers are exported without those that follow from others; a browser test reads all of them back."""

from macros.counting.search.known_numbers import Space
from macros.rendering.files.known_numbers import packed_spaces


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
