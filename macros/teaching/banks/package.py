"""A zip with the same bytes wherever and whenever it is written."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The date of every file: the earliest that a zip can hold, so that the bytes do not depend on today's."""

UNIX = 3
READABLE = 0o644 << 16
"""The system and the access rights of every file, which `zipfile` would otherwise take from the machine."""


def zip_of(files: Mapping[str, str | bytes]) -> bytes:
    """A zip of some files by name; stored, because compressed bytes depend on the version of the library."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as package:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.create_system = UNIX
            entry.external_attr = READABLE
            package.writestr(entry, content)
    return buffer.getvalue()
