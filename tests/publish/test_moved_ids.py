"""An id that has moved, and that is there under its own name on the new page, leads to it."""

from collections.abc import Mapping

from macros.publish import moved
from tests.docs.building import ROOT

PUBLISHED = frozenset((ROOT / "tests/docs/published_ids.txt").read_text(encoding="utf-8").splitlines())
"""Every address and id that was ever published."""

NAMESAKES = {"listings/ledger.html#every-model"}
"""Ids whose name on the new page is that of something larger: there, of the section that holds the new place."""


def elsewhere(table: Mapping[str, str]) -> list[str]:
    """The ids that lead to another id of a page on which their own name is."""
    found = []
    for old, new in table.items():
        (_, sign, anchor), target = old.partition("#"), new.partition("#")[0]
        own = f"{target}#{anchor}"
        # What has moved on from there is no longer there under its own name.
        if sign and own not in (old, new) and own in PUBLISHED and own not in table:
            found.append(f"{old} leads to {new}, and there is {own}")
    return found


def test_ids_lead_to_their_own_names() -> None:
    """No id leads to another one beside its own."""
    assert [] == elsewhere({old: new for old, new in moved.load().items() if old not in NAMESAKES})


def test_every_namesake_is_one() -> None:
    """Each of the exceptions would be found."""
    table = moved.load()
    assert len(NAMESAKES) == len(elsewhere({old: table[old] for old in NAMESAKES}))


def test_an_id_that_leads_elsewhere_is_found() -> None:
    """Each id that keeps its name is found where it leads to another id of the new page."""
    table = moved.load()
    kept = [old for old, new in table.items() if "#" in old and old.partition("#")[2] == new.partition("#")[2]]
    assert kept
    for old in kept:
        target = table[old].partition("#")[0]
        assert elsewhere({old: f"{target}#another"}), old
