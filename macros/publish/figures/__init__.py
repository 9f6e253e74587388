"""Publishes figures as files, light and dark, and adds the addresses of these files to the pages.

Teachers put figures into slides and hand-outs, which do not have our style sheet. So
each figure is also written as a self-contained SVG file: `styles.py` resolves its
colours, and `svg_file.py` adds the title, the caption and the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256

from macros.build_cache import CachedTexts
from macros.rendering.citations import Work
from macros.rendering.components.templates import render

from ..page import PIECE_PERMALINK, Page, PublishError
from .styles import SCHEMES, FigureStyles, read_sheet
from .svg_file import COLOURS, Figure, svg_file

FIGURE = f"figure.bc-figure:is([id^=figure-], [id$=-figure]):has({PIECE_PERMALINK})"
"""Selects the figures with a permalink of their own. Figures that a script redraws have ids of another form."""


def figures_of(page: Page, work: Work) -> Iterator[Figure]:
    """Yield the figures of a page that `FIGURE` selects, if they have a drawing and a caption, from top to bottom."""
    for figure in page.tree.css(FIGURE):
        drawing = figure.css_first("svg")
        caption = figure.css_first("figcaption")
        if drawing and caption and figure.id:
            yield Figure(page, figure.id, drawing, caption, page.citation(work, figure.id))


def files(figures: Sequence[Figure], css: str, cached_files: CachedTexts) -> dict[str, str]:
    """Each figure as SVG in both schemes, by address from the top of the site.

    Args:
        figures: the figures of all pages.
        css: our style sheets, without the theme's.
        cached_files: the files of the last build; those whose inputs have not changed are reused.

    Raises:
        PublishError: the style sheets lack a colour that every figure needs.
    """
    styles = sha256(css.encode()).hexdigest()
    cached_sheet = cache(lambda: _sheet(css))  # slow to read, and not needed if all files are cached

    def file(figure: Figure, scheme: str) -> str:
        """A figure as SVG in one scheme, from the cache if none of its inputs has changed."""
        inputs = (figure.drawing.html, figure.caption.html, figure.source, styles, scheme)
        return cached_files.text(inputs, lambda: svg_file(figure, cached_sheet(), scheme))

    return {f"{figure.stem}-{scheme}.svg": file(figure, scheme) for figure in figures for scheme in SCHEMES}


def _sheet(css: str) -> FigureStyles:
    """The rules for figures in our style sheets, which must set every colour of a file.

    Raises:
        PublishError: the style sheets lack one of these colours.
    """
    sheet = read_sheet(css)
    # The dark scheme is based on the light one, so a colour that is set for light is set for both.
    if missing_colours := [name for name in COLOURS if name not in sheet.variables["light"]]:
        raise PublishError(
            f"the style sheet sets no {', '.join(missing_colours)} for figures; set it for the default scheme"
        )
    return sheet


def link_files(page: Page, figures: list[Figure], kinds: Sequence[str]) -> None:
    """Add the addresses of files to each figure of a page and, if the page has a gallery, list all figures in it.

    Args:
        page: the page to change.
        figures: the figures of all pages.
        kinds: the extensions of their files, such as `svg`.
    """
    for figure in figures:
        if figure.page.name == page.name and (element := page.element(figure.id)):
            element.attrs["data-file"] = f"{page.top}{figure.stem}"
            element.attrs["data-kinds"] = " ".join(kinds)
    if gallery := page.tree.css_first("ul.bc-gallery"):
        gallery.inner_html = render("gallery.html", figures=figures, top=page.top, kinds=kinds, schemes=tuple(SCHEMES))
