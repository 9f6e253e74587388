"""A zip that has the same bytes wherever and whenever it is written."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The earliest date that a zip can hold: the same bank has the same bytes on any day."""

UNIX, READABLE = 3, 0o644 << 16
"""The system whose rights are meant, and that everybody may read: the same wherever it is written."""


def packed(files: Mapping[str, str | bytes]) -> bytes:
    """A zip, stored as it is: compressed bytes would depend on the library that compresses."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as package:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.create_system, entry.external_attr = UNIX, READABLE
            package.writestr(entry, text)
    return out.getvalue()
