"""The file MkDocs loads; it makes `mkdocs serve` see fresh code.

MkDocs loads this file anew for every build, but Python keeps what it imports.
So everything of ours is dropped from `sys.modules` first.
"""

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[1])

# Bytecode written into the watched folder would start a second build.
sys.dont_write_bytecode = True
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
for module in [name for name in sys.modules if name == "macros" or name.startswith("macros.")]:
    del sys.modules[module]

from macros.site import define_env  # noqa: E402  after the clean-up, on purpose

__all__ = ["define_env"]
