"""The adapter to MkDocs: tells it which files will be there to download, and publishes what it has built.

MkDocs keeps this file loaded while it serves, so what it needs of ours is
imported inside the functions. While it serves, another process makes the
downloads as it builds the pages, and only if our code or data have changed.
"""

from __future__ import annotations

import gc
import sys
from os import link
from pathlib import Path
from shutil import copy, copytree
from subprocess import Popen
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, NamedTuple

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

serving = False
"""Whether `mkdocs serve` runs."""


KEPT = 50_000
"""How many more objects than before make Python look for circles among them. A build makes millions, and few circles:
looking after every seven hundred would take a tenth of its time."""


class Making(NamedTuple):
    """Downloads that are being made, or have been."""

    folder: TemporaryDirectory[str]
    process: Popen[bytes]
    code: ModuleType
    """Another module after a change to our code or data: see main.py."""


making: Making | None = None
"""While serving: the downloads of the last build."""


class Later(File):
    """A file that is there once the site is published."""

    def copy_file(self, dirty: bool = False) -> None:
        """Nothing yet."""


def on_startup(command: str, **_: Any) -> None:
    """Called by MkDocs once, with the command it was started with."""
    global serving  # MkDocs says so here and nowhere else
    serving = command == "serve"
    gc.set_threshold(KEPT)


def on_files(files: Any, config: Any) -> Any:
    """Called by MkDocs with the files of the site: adds the addresses of those that readers download."""
    from macros.publish import makers
    from macros.rendering.files import downloads

    for address, _ in makers():
        files.append(Later.generated(config, address, content=""))
    if serving and not (making and making.code is downloads):
        _start_making(downloads, Path(config.config_file_path).parent)
    return files


def _start_making(code: ModuleType, root: Path) -> None:
    """Have another process make the downloads while this one builds the pages."""
    global making  # it lasts from build to build
    if making:
        making.process.kill()
        making.process.wait()
        making.folder.cleanup()
    folder = TemporaryDirectory(prefix="bert-counted-")
    # -B: bytecode written into the watched folder would start a second build.
    command = [sys.executable, "-B", "-m", "macros.publish", "--downloads-only", folder.name]
    making = Making(folder, Popen(command, cwd=root), code)  # noqa: S603  it is our own


def _linked(source: str, target: str) -> None:
    """The same file under another name, which is quicker than a copy; a copy where there can be none."""
    Path(target).unlink(missing_ok=True)
    try:
        link(source, target)
    except OSError:
        copy(source, target)


def on_post_build(config: Any, **_: Any) -> None:
    """Called by MkDocs when all files are written: publishes them."""
    from macros.publish import PublishError, preview, publish

    site = Path(config.site_dir)
    try:
        if serving:
            preview(site)
        else:
            publish(site)
    except PublishError as error:
        raise PluginError(f"PublishError: {error}") from error
    if making:
        if making.process.wait():
            raise PluginError("the downloads could not be made; the lines above say why")
        copytree(making.folder.name, site, dirs_exist_ok=True, copy_function=_linked)
