"""The module that mkdocs-macros loads; it makes `mkdocs serve` pick up changed code.

mkdocs-macros runs this file for every build, but Python does not reload the modules that this file imports. So if any
file in `macros` has changed, our modules are removed from `sys.modules` and imported again. If none has changed, they
stay in memory with everything that they have computed, and a rebuild is quick. The engine, which imports none of our
other modules, also stays in memory when only these have changed.
"""

import sys
from pathlib import Path

FOLDER = Path(__file__).parent

# MkDocs watches this folder, so writing bytecode into it would start a second build. `make` sets
# `PYTHONPYCACHEPREFIX`, from which Python takes `sys.pycache_prefix`, so that bytecode is written elsewhere.
sys.dont_write_bytecode = sys.pycache_prefix is None
if str(FOLDER.parent) not in sys.path:
    sys.path.insert(0, str(FOLDER.parent))


# The path, modification time and size of every code and data file. They are stored on the package, which Python
# keeps in memory from one build to the next.
FILE_STATES = {(path, path.stat().st_mtime_ns, path.stat().st_size) for path in FOLDER.rglob("*") if path.is_file()}
CHANGED_FILES = {path for path, *_ in FILE_STATES ^ getattr(sys.modules.get("macros"), "loaded_from", set())}
ENGINE_CHANGED = any(path.is_relative_to(FOLDER / "counting") for path in CHANGED_FILES)
if CHANGED_FILES:
    for module in [name for name in sys.modules if name.startswith("macros.")]:
        if ENGINE_CHANGED or not module.startswith("macros.counting"):
            del sys.modules[module]

try:
    from macros.site import define_env, on_pre_page_macros  # must come after the removal
except ImportError as error:
    from macros.faults import description

    # mkdocs-macros would report any ImportError as a missing module and hide its message.
    raise RuntimeError(description(error)) from error

vars(sys.modules["macros"])["loaded_from"] = FILE_STATES

__all__ = ["define_env", "on_pre_page_macros"]
