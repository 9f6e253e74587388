"""Every PDF of a hand-out has the size that its name states."""

import re
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

from macros.publish import paper
from macros.rendering.hand_outs import HAND_OUTS, PAPER_SIZES, SCREEN
from tests.docs.building import ROOT


def requested_sizes(site: Path) -> dict[str, Any]:
    """The size requested from the browser, by the end of the PDF's name; PDFs whose names end alike must agree."""
    for hand_out in HAND_OUTS.values():
        (site / hand_out.page).parent.mkdir(parents=True, exist_ok=True)
        (site / hand_out.page).touch()
    tab = MagicMock()
    tab.pdf.return_value = b"%PDF"
    browser = MagicMock()
    browser.new_page.return_value = tab
    names = [name for name, _ in paper.sheets(site, browser)]
    sizes: dict[str, Any] = {}
    for name, call in zip(names, tab.pdf.call_args_list, strict=True):
        options = {
            key: value for key, value in call.kwargs.items() if key in ("format", "prefer_css_page_size", "width")
        }
        end = next(size.lower() for size in (*PAPER_SIZES, SCREEN) if name.endswith(f"-{size.lower()}.pdf"))
        if end in sizes:
            assert options == sizes[end], name
        sizes[end] = options
    return sizes


def test_a_pdf_has_the_size_of_its_name(tmp_path: Path) -> None:
    """A4 and Letter are requested by name. Slides have the size that their style sheet sets."""
    expected: dict[str, Any] = {size.lower(): {"format": size} for size in PAPER_SIZES}
    assert expected | {SCREEN: {"prefer_css_page_size": True}} == requested_sizes(tmp_path)


def test_a_printed_page_has_the_aspect_ratio_of_the_slide_on_it() -> None:
    styles = (ROOT / "docs/assets/styles/61-slides.css").read_text(encoding="utf-8")
    ((width, height),) = re.findall(r"@page slide {[^}]*size: ([\d.]+)in ([\d.]+)in", styles)
    ((slide_width, slide_height),) = re.findall(r"\.bc-slide > div {[^}]*aspect-ratio: (\d+) / (\d+)", styles)
    assert abs(float(width) / float(height) - float(slide_width) / float(slide_height)) < 0.001
