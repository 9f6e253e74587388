"""The search index of a built site: smaller, and as a script for pages opened from a folder."""

from __future__ import annotations

import json
from pathlib import Path

INDEX = Path("search", "search_index.json")
"""Where every generator that we know writes the index."""


def index_files(site: Path) -> dict[Path, str]:
    """The search index of a site, if it has one, and the same as a script, which a page in a folder can load."""
    if not (site / INDEX).is_file():
        return {}
    index = json.loads((site / INDEX).read_text(encoding="utf-8"))
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    return {site / INDEX: text, (site / INDEX).with_suffix(".js"): f"var __index = {text}\n"}
