"""One style sheet for all pages: the theme's, and ours after it."""

from __future__ import annotations

from pathlib import Path

from .errors import PublishError

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
    if not theme or not (site / OURS).exists():
        raise PublishError(f"{site} lacks {OURS} or the style sheets in {THEME}; build the site anew")
    return "".join(path.read_text(encoding="utf-8") for path in [*theme, site / OURS])


def replaced(site: Path) -> list[Path]:
    """What the one style sheet replaces."""
    return [site / OURS, *sorted((site / THEME).rglob("*.css"))]
