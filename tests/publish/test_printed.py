"""Links to the hand-outs as PDF."""

from __future__ import annotations

from pathlib import Path

from macros.publish import printed
from macros.rendering.hand_outs import SHEETS


def test_only_files_that_are_there_are_linked(tmp_path: Path) -> None:
    """A hand-out that was not printed has no link; where there are several, a comma stands between them."""
    (name, *_) = SHEETS
    place = f'<span class="bc-printed" data-sheet="{name}">'
    page = f"<p>{place}</span></p>"
    assert printed.with_links("teach/a.html", page, tmp_path) == page
    (tmp_path / "hand-outs").mkdir()
    (tmp_path / "hand-outs/bert-on-two-pages-a4.pdf").touch()
    first = '<a href="../hand-outs/bert-on-two-pages-a4.pdf">PDF for A4</a>'
    linked = f"<p>{place}: {first}</span></p>"
    assert printed.with_links("teach/a.html", page, tmp_path) == linked
    assert printed.with_links("teach/a.html", linked, tmp_path) == linked
    (tmp_path / "hand-outs/bert-on-two-pages-letter.pdf").touch()
    both = f'<p>{place}: {first}, <a href="../hand-outs/bert-on-two-pages-letter.pdf">PDF for Letter</a></span></p>'
    assert printed.with_links("teach/a.html", linked, tmp_path) == both
