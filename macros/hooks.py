"""The adapter to MkDocs: what pages may be written in, which files will be there to download, and publishing.

MkDocs keeps this file loaded while it serves, so what it needs of ours is
imported inside the functions.
"""

from __future__ import annotations

import gc
import logging
import os
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from mkdocs.utils import CountHandler
from mkdocs_macros.errors import format_error

LOG = logging.getLogger("mkdocs.page_syntax")
"""MkDocs counts what is logged below its own name."""

serving = False  # whether `mkdocs serve` runs
destination: Path | None = None  # the folder of the site, while MkDocs builds into another
page_faults: list[str] = []  # what is wrong with calls on pages, in the build under way


def on_startup(command: str, dirty: bool = False, **_: Any) -> None:
    """Called by MkDocs once, with the command it was started with."""
    if dirty:
        raise PluginError(
            f"--dirty builds changed pages alone, but here each page is published with all others; "
            f"run `mkdocs {command}` without it"
        )
    global serving  # MkDocs says so here and nowhere else
    serving = command == "serve"
    # A build makes millions of objects and few circles: to look for them after every seven hundred takes a tenth of it.
    gc.set_threshold(50_000)


def on_config(config: Any, **_: Any) -> Any:
    """Called by MkDocs before each build: a site that is published is built beside the old one, which so stays whole.

    What serves the site waits for a build instead, in a folder of its own.
    """
    global destination  # the end of the build needs it
    _explain_calls(config.plugins["macros"])
    _note_syntax(config)
    if not serving:
        from macros.publish.replacing import beside, remove

        destination = Path(config.site_dir)
        config.site_dir = str(beside(destination))
        remove(Path(config.site_dir))
    return config


def _explain_calls(plugin: Any) -> None:
    """Let mkdocs-macros say of a call that fails what `page_errors` says of it, and note it."""
    from macros.page_errors import explained

    page_faults.clear()

    def explain(error: Exception, markdown: str, page: Any) -> str:
        variables = {**plugin.variables, **page.meta}
        fault = explained(
            error,
            markdown,
            page.file.content_string,
            page.file.src_uri,
            lambda text: plugin.env.from_string(text).render(variables),
        )
        page_faults.append(fault)
        return fault

    # It has a function for every kind of error that it tells apart, and one for all others.
    for kind in [each for each in format_error.registry if each is not object] + [Exception]:
        format_error.register(kind, explain)


def _note_syntax(config: Any) -> None:
    """Let Python-Markdown note the syntax that the site lacks, and headings without ids."""
    from macros.page_syntax import PageSyntax, unnamed

    syntax = PageSyntax()
    config.markdown_extensions.append(syntax)
    diagram = {"name": "mermaid", "class": "mermaid", "format": syntax.diagram}
    config.mdx_configs.setdefault("pymdownx.superfences", {})["custom_fences"] = [diagram]
    config.mdx_configs.setdefault("toc", {})["slugify"] = unnamed


def on_env(env: Any, **_: Any) -> Any:
    """Called by MkDocs with what makes pages of the theme's templates, whose indentation is a tenth of a page.

    All pages have been read by then and none is written. A call that has failed
    ends the build here: strict mode would end it when all is written, and with
    `--quiet` not at all.
    """
    if page_faults:
        raise PluginError(f"{len(page_faults)} calls on pages failed, as said above; nothing is published")
    env.trim_blocks = env.lstrip_blocks = True
    return env


def on_page_content(html: str, page: Any, config: Any, **_: Any) -> str:
    """Called by MkDocs with a page made from Markdown: puts in what macros set aside, and tells the ids in it.

    Syntax that would stand on the page as it was typed is an error, at which a strict build fails.
    """
    from macros.page_syntax import PageSyntax
    from macros.publish.page import Page
    from macros.site import put_back

    source = Path(page.file.abs_src_path).read_text(encoding="utf-8")
    for syntax in (each for each in config.markdown_extensions if isinstance(each, PageSyntax)):
        for refusal in syntax.refusals(source, html):
            LOG.warning("%s, %s", page.file.src_uri, refusal)

    whole = put_back(html)
    page.present_anchor_ids.update(each.id for each in Page("", whole).tree.css("[id]"))
    return whole


def on_files(files: Any, config: Any) -> Any:
    """Called by MkDocs with the files of the site: adds those that readers download, and drops what nobody does.

    Macros have been loaded by then, and no page is made yet.
    """
    from macros import site
    from macros.publish import makers

    site.hooked = True
    site.MEMORY.recall()
    # What Material's search would need for languages other than English, and what only debuggers of its code read.
    for file in [each for each in files if "/lunr/" in each.src_uri or each.src_uri.endswith(".map")]:
        files.remove(file)
    for address, _ in makers():
        files.append(File.generated(config, address, content=""))  # which publishing writes, or serving makes
    return files


def on_post_build(config: Any, **_: Any) -> None:
    """Called by MkDocs when all files are written: publishes them, with what a browser makes where PAPER says so.

    After a warning, at which MkDocs fails a strict build only when all else is done, nothing is published.
    """
    from macros.counting import CountingError
    from macros.publish import PublishError, preview, publish_in_place
    from macros.publish.replacing import put_in_place
    from macros.site import MEMORY

    site = Path(config.site_dir)
    MEMORY.save()
    try:
        if serving:
            preview(site)
        elif not _has_warned():
            publish_in_place(site, os.environ.get("PAPER"))
            if destination:
                put_in_place(site, destination)
    except (PublishError, CountingError, OSError) as error:
        raise PluginError(f"{type(error).__name__}: {error}") from error


def _has_warned() -> bool:
    """Whether MkDocs has counted a warning, which it does where the build is strict."""
    counters = [each for each in logging.getLogger("mkdocs").handlers if isinstance(each, CountHandler)]
    return any(each.get_counts() for each in counters)


def on_shutdown(**_: Any) -> None:
    """Called by MkDocs at the end, also of a build that fails: removes what such a one has left beside the site."""
    if destination:
        from macros.publish.replacing import beside, remove

        remove(beside(destination))


def on_serve(server: Any, **_: Any) -> Any:
    """Called by MkDocs with its server: adds downloads and errors to what it answers."""
    from macros.serving import Builds, with_downloads_and_errors

    server.builder = builds = Builds(server.builder)
    server.set_app(with_downloads_and_errors(server.get_app(), server.mount_path, builds))
    return server
