"""One style sheet for all pages, made of the theme's and ours."""

from __future__ import annotations

from pathlib import Path

from .errors import PublishError
from .used_styles import used_styles

STYLE_SHEET = "assets/bert-counted.css"
"""The address that `docs/.overrides/main.html` links to."""

OURS = "assets/site.css"

THEME = "assets/stylesheets"
"""Where themes keep their style sheets: Material right here, Zensical in a folder for each of its two looks."""

LOOKS = (".", "classic")
"""Folders below `THEME` to take them from; the classic look is that of Material."""


def whole_style_sheet(site: Path) -> str:
    """The theme's style sheets and ours after them.

    Raises:
        PublishError: one of them is missing.
    """
    theme = next((found for look in LOOKS if (found := sorted((site / THEME / look).glob("*.css")))), [])
    if not theme:
        raise PublishError(f"{site / THEME} holds no style sheet of the theme; build the site anew")
    return "".join(path.read_text(encoding="utf-8") for path in [*theme, site / OURS])


def one_style_sheet(site: Path, pages: str, scripts: str) -> str:
    """The style sheet of a published site, which has what its pages use.

    Ours is the first to be removed when the one is written, so while it is
    there the others are there as well; once it has gone, the one is complete.

    Args:
        site: the folder of the site.
        pages: the HTML of all pages.
        scripts: all scripts, since they add classes too.

    Raises:
        PublishError: there is neither this style sheet nor what it is made of.
    """
    if (site / OURS).exists():
        return used_styles(whole_style_sheet(site), pages, scripts)
    if (site / STYLE_SHEET).exists():
        return (site / STYLE_SHEET).read_text(encoding="utf-8")
    raise PublishError(f"{site} has neither {OURS} nor {STYLE_SHEET}; build the site anew")


def replaced(site: Path) -> list[Path]:
    """What the one style sheet replaces, ours first, and source maps, which describe code that has changed."""
    ours = [site / OURS] if (site / OURS).exists() else []
    return [*ours, *sorted((site / THEME).rglob("*.css")), *sorted(site.rglob("*.map"))]
