"""The file MkDocs loads; it makes `mkdocs serve` see fresh code.

MkDocs loads this file anew for every build, but Python keeps what it imports.
So everything of ours is dropped from `sys.modules` when a file of ours has
changed; else it stays, with all it has computed, and a rebuild is quick.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent

# Bytecode written into the watched folder would start a second build; `make` lets Python keep it elsewhere.
sys.dont_write_bytecode = sys.pycache_prefix is None
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))


# Every file of ours, code and data, with the time it was written and its length.
NOW = {(path, path.stat().st_mtime_ns, path.stat().st_size) for path in HERE.rglob("*") if path.is_file()}
if vars(sys.modules.get("macros", object)).get("loaded_from") != NOW:
    for module in [name for name in sys.modules if name == "macros" or name.startswith("macros.")]:
        del sys.modules[module]

try:
    from macros.site import define_env, on_pre_page_macros  # after the clean-up, on purpose
except ImportError as error:
    from macros.faults import described

    # mkdocs-macros takes any ImportError to mean that this file is missing.
    raise RuntimeError(described(error)) from error

vars(sys.modules["macros"])["loaded_from"] = NOW

__all__ = ["define_env", "on_pre_page_macros"]
