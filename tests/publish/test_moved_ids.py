"""A moved id leads to the id of the same name on the new page, if there is one; no two lead to one common section."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from macros.publish import moved
from tests.docs.building import ROOT
from tests.rendering.test_links_to_sections import ON_MANY_PAGES

PUBLISHED_ADDRESSES = frozenset((ROOT / "tests/docs/published_ids.txt").read_text(encoding="utf-8").splitlines())
"""All addresses and ids that were ever published."""

EXCEPTIONS = {"listings/ledger.html#every-model"}
"""Exceptions: on the new page, the id of the same name belongs to the section that contains the new target."""


def misdirected_ids(table: Mapping[str, str]) -> list[str]:
    """A line for each id that leads to a different id although the new page has an id of the same name."""
    faults = []
    for old_address, new_address in table.items():
        _, sign, id_ = old_address.partition("#")
        namesake = f"{new_address.partition('#')[0]}#{id_}"
        # If the namesake has moved on, it is no longer on that page.
        if (
            sign
            and namesake not in (old_address, new_address)
            and namesake in PUBLISHED_ADDRESSES
            and namesake not in table
        ):
            faults.append(f"{old_address} leads to {new_address}, and there is {namesake}")
    return faults


def test_ids_lead_to_ids_of_the_same_name() -> None:
    assert [] == misdirected_ids(
        {
            old_address: new_address
            for old_address, new_address in moved.load_moves().items()
            if old_address not in EXCEPTIONS
        }
    )


def separated_captions(table: Mapping[str, str]) -> list[str]:
    """A line for each moved table whose caption leads neither to the same id nor to that of the new table's caption."""
    pairs = [
        (table[address.removesuffix("-caption")], target)
        for address, target in table.items()
        if address.endswith("-caption") and address.removesuffix("-caption") in table
    ]
    return [
        f"{target} is not with {target_of_table}"
        for target_of_table, target in pairs
        if target not in (target_of_table, f"{target_of_table}-caption")
    ]


def test_a_caption_leads_to_the_same_place_as_its_table() -> None:
    table = moved.load_moves()
    assert [] == separated_captions(table)
    tables_with_caption = [address for address in table if f"{address}-caption" in table]
    assert tables_with_caption
    for address in tables_with_caption:
        assert separated_captions({**table, address: "index.html#another"}), address


def shared_targets(table: Mapping[str, str]) -> list[str]:
    """The sections that most pages have, such as "What to remember", to which more than one id of a page leads.

    What two sections said about two topics is not in the same one of these, so one of the ids leads to the wrong page.
    """
    pairs = [
        (old_address.partition("#")[0], new_address)
        for old_address, new_address in table.items()
        if "#" in old_address and new_address.partition("#")[2] in ON_MANY_PAGES
    ]
    return [target for (_, target), number in Counter(pairs).items() if number > 1]


def test_no_two_ids_of_a_page_lead_to_the_same_section_that_most_pages_have() -> None:
    table = moved.load_moves()
    assert [] == shared_targets(table)
    addresses = [address for address, target in table.items() if target.endswith("#keep") and "keep.html#" in address]
    assert len(addresses) > 10
    for address, other_address in pairwise(addresses):
        assert [table[other_address]] == shared_targets({**table, address: table[other_address]}), address


def test_every_exception_is_needed() -> None:
    table = moved.load_moves()
    assert len(EXCEPTIONS) == len(misdirected_ids({old_address: table[old_address] for old_address in EXCEPTIONS}))


def test_an_id_that_leads_elsewhere_is_noticed() -> None:
    table = moved.load_moves()
    unchanged_ids = [
        old_address
        for old_address, new_address in table.items()
        if "#" in old_address and old_address.partition("#")[2] == new_address.partition("#")[2]
    ]
    assert unchanged_ids
    for old_address in unchanged_ids:
        target = table[old_address].partition("#")[0]
        assert misdirected_ids({old_address: f"{target}#another"}), old_address
