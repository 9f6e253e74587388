"""Zip files whose bytes do not depend on when and where they are written."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

EARLIEST_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file, which is the earliest date that a zip can hold."""

UNIX = 3
READABLE = 0o644 << 16
"""The system and the permissions of every file.

`zipfile` would otherwise record the system of the machine, and let only the owner read the file.
"""


def zip_of(files: Mapping[str, str | bytes]) -> bytes:
    """A zip with these files, given by name. They are not compressed: compressed bytes depend on the library."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as package:
        for name, content in files.items():
            file_info = zipfile.ZipInfo(name, EARLIEST_DATE)
            file_info.create_system = UNIX
            file_info.external_attr = READABLE
            package.writestr(file_info, content)
    return buffer.getvalue()
