"""The adapter to MkDocs: tells it which files will be there to download, and publishes what it has built.

MkDocs keeps this file loaded while it serves, so what it needs of ours is
imported inside the functions. While it serves, a download is made when
somebody asks for it, so that no page waits for files that nobody reads; and
what has not changed since the build before is neither compiled nor read for
the search once more. An edit is noticed soon, and memory is tidied up when the
page is there.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from functools import partial
from mimetypes import guess_type
from pathlib import Path
from threading import Timer
from types import CodeType
from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from watchdog.observers.polling import PollingObserver

serving = False
"""Whether `mkdocs serve` runs."""


KEPT = 50_000
"""How many more objects than before make Python look for circles among them. A build makes millions, and few circles:
looking after every seven hundred would take a tenth of its time."""


BYTECODE = Path(__file__).parents[1] / ".bytecode_cache"
"""Where Python keeps our code compiled while `mkdocs serve` runs, so that only what is edited is compiled again.
It is in no folder that is watched."""

LOOK = 0.2
"""Seconds between two looks for edited files; MkDocs takes 0.5."""

REST = 1.0
"""Seconds after a build before memory is tidied up, which takes up to half a second."""


class Later(File):
    """A file that is there once the site is published."""

    def copy_file(self, dirty: bool = False) -> None:
        """Nothing yet."""


def on_startup(command: str, **_: Any) -> None:
    """Called by MkDocs once, with the command it was started with."""
    global serving  # MkDocs says so here and nowhere else
    serving = command == "serve"
    gc.set_threshold(KEPT)
    if serving:
        gc.disable()  # on_post_build sees to it
        sys.pycache_prefix = str(BYTECODE)


def on_config(config: Any) -> Any:
    """Called by MkDocs with the configuration: adds what spares the elements of macros a parser."""
    from macros.raw_html import RawHtml

    config.markdown_extensions.append(RawHtml())
    if serving:
        index = config.plugins["material/search"].search_index
        index.add_entry_from_context = partial(search_entries, index)
        macros = config.plugins["macros"].env
        macros.compile = partial(compiled_page, macros.compile)
    return config


page_code: dict[tuple[str, ...], CodeType] = {}
"""The Markdown of pages with the macros in it, compiled, by its text; no environment is part of the code."""


def compiled_page(compile_anew: Callable[..., CodeType], *text: str) -> CodeType:
    """The code that calls the macros of a page; it is compiled only where the page has changed."""
    if text not in page_code:
        page_code[text] = compile_anew(*text)
    return page_code[text]


searched: dict[str, tuple[object, list[Any]]] = {}
"""The entries of each page in the index of the search, by its address, and what they were made of."""


def search_entries(index: Any, page: Any) -> None:
    """Add the entries of a page to the index of the theme's search; its text is read only where it has changed."""
    made_of = page.content, page.title, page.meta
    known, entries = searched.get(page.url, (None, []))
    if known == made_of:
        index.entries += entries
        return
    before = len(index.entries)
    type(index).add_entry_from_context(index, page)
    searched[page.url] = made_of, index.entries[before:]


class Compiled(BytecodeCache):
    """Templates of the theme, compiled: MkDocs reads them anew at every build, and they hardly ever change."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Called by Jinja, which notices where the template is another one by now."""
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Called by Jinja with what it has compiled."""
        self.kept[bucket.key] = bucket.bytecode_to_string()


compiled = Compiled()


def on_env(env: Any, **_: Any) -> Any:
    """Called by MkDocs with what makes pages of the theme's templates."""
    if serving:
        env.bytecode_cache = compiled
    return env


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Called by MkDocs with a page made from Markdown: tells it the ids that links may lead to, those set aside too."""
    from macros.raw_html import ids

    page.present_anchor_ids.update(ids(html))
    return html


def on_files(files: Any, config: Any) -> Any:
    """Called by MkDocs with the files of the site: adds the addresses of those that readers download."""
    from macros.publish import makers

    for address, _ in makers():
        files.append(Later.generated(config, address, content=""))
    return files


def on_post_build(config: Any, **_: Any) -> None:
    """Called by MkDocs when all files are written: publishes them."""
    from macros.publish import PublishError, preview, publish

    try:
        (preview if serving else publish)(Path(config.site_dir))
    except PublishError as error:
        raise PluginError(f"PublishError: {error}") from error
    if serving:
        tidying = Timer(REST, gc.collect)
        tidying.daemon = True
        tidying.start()


def on_serve(server: Any, **_: Any) -> Any:
    """Called by MkDocs with its server: has it look for edits sooner, and make a download that is asked for."""
    watched = [*server._watched_paths]  # with `--watch-theme` there are more than two, and nothing public names them
    for path in watched:
        server.unwatch(path)
    server.observer = PollingObserver(timeout=LOOK)
    for path in watched:
        server.watch(path)
    server.set_app(with_downloads(server.get_app(), server.mount_path))
    return server


Start = Callable[[str, list[tuple[str, str]]], object]
Application = Callable[[dict[str, Any], Start], Iterable[bytes]]
"""What answers requests, as in PEP 3333."""


def with_downloads(pages: Application, top: str) -> Application:
    """An application that asks another one, which waits for a build under way, and makes what that one lacks.

    Args:
        pages: serves the files of the built site.
        top: the address of the site on its server, such as `"/"`.
    """

    def answer(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        said: list[Any] = []
        body = pages(environ, lambda *status_and_headers: said.extend(status_and_headers))
        from macros.counting import CountingError
        from macros.publish import makers

        address = environ["PATH_INFO"].removeprefix(top)
        make = dict(makers()).get(address) if said[0].startswith("404") else None
        if make is None:
            start(*said)
            return body
        try:
            made = make()
        except CountingError as error:
            start("500 Internal Server Error", [("Content-Type", "text/plain; charset=utf-8")])
            return [f"{address}: {error}".encode()]
        start("200 OK", [("Content-Type", guess_type(address)[0] or "application/octet-stream")])
        return [made.encode() if isinstance(made, str) else made]

    return answer
