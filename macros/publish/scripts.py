"""The theme's scripts without the names of source maps, which are not published."""

import re


def without_source_map(code: str) -> str:
    """A script that names no source map, so that no browser asks for one."""
    return re.sub(r"\n?//# sourceMappingURL=\S+", "", code)
