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

LOG = logging.getLogger("mkdocs.page_syntax")
"""MkDocs counts what is logged below its own name."""

serving = False  # whether `mkdocs serve` runs


def on_startup(command: str, **_: Any) -> None:
    """Called by MkDocs once, with the command it was started with."""
    global serving  # MkDocs says so here and nowhere else
    serving = command == "serve"
    # A build makes millions of objects and few circles: to look for them after every seven hundred takes a tenth of it.
    gc.set_threshold(50_000)


def on_config(config: Any, **_: Any) -> Any:
    """Called by MkDocs with its settings: adds what notes the syntax that the site lacks, and headings without ids."""
    from macros.page_syntax import PageSyntax, unnamed

    syntax = PageSyntax()
    config.markdown_extensions.append(syntax)
    diagram = {"name": "mermaid", "class": "mermaid", "format": syntax.diagram}
    config.mdx_configs.setdefault("pymdownx.superfences", {})["custom_fences"] = [diagram]
    config.mdx_configs.setdefault("toc", {})["slugify"] = unnamed
    return config


def on_env(env: Any, **_: Any) -> Any:
    """Called by MkDocs with what makes pages of the theme's templates, whose indentation is a tenth of a page."""
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
    # What Material's search would need for languages other than English, and what only debuggers of its code read.
    for file in [each for each in files if "/lunr/" in each.src_uri or each.src_uri.endswith(".map")]:
        files.remove(file)
    for address, _ in makers():
        files.append(File.generated(config, address, content=""))  # which publishing writes, or serving makes
    return files


def on_post_build(config: Any, **_: Any) -> None:
    """Called by MkDocs when all files are written: publishes them, with what a browser makes where PAPER says so."""
    from macros.publish import PublishError, preview, publish

    site = Path(config.site_dir)
    try:
        if serving:
            preview(site)
        else:
            publish(site, os.environ.get("PAPER"))
    except PublishError as error:
        raise PluginError(f"PublishError: {error}") from error


def on_serve(server: Any, **_: Any) -> Any:
    """Called by MkDocs with its server: adds downloads and errors to what it answers."""
    from macros.serving import Builds, with_downloads_and_errors

    server.builder = builds = Builds(server.builder)
    server.set_app(with_downloads_and_errors(server.get_app(), server.mount_path, builds))
    return server
