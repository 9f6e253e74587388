"""The hooks that MkDocs calls in the course of a build.

MkDocs calls `on_startup` once. For each build, it then calls `on_config`, `on_files`,
`on_nav`, `on_page_content` for each page, `on_env` and `on_post_build`. It calls
`on_serve` after the first build and `on_shutdown` at the very end. During a build,
mkdocs-macros loads `macros/main.py`.

MkDocs keeps this file loaded while it serves, whereas our other modules are reloaded
when they change. So those are imported inside the functions.
"""

from __future__ import annotations

import atexit
import gc
import json
import logging
import os
import re
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from mkdocs.utils import CountHandler
from mkdocs_macros.errors import format_error

if TYPE_CHECKING:
    from macros.build_cache import CachedTexts

LOG = logging.getLogger("mkdocs.page_syntax")
"""The logger for warnings. MkDocs counts the warnings of loggers whose names begin with "mkdocs"."""

FORM_ELEMENTS = re.compile(r"<(form|fieldset|label|legend|select|button)\b")
"""Matches the start of a form element with words in it, by which the search would find a page if they were included."""

is_serving = False  # whether `mkdocs serve` is running
destination: Path | None = None  # the folder of the site, if MkDocs builds into a staging folder
page_faults: list[str] = []  # messages about failed calls on pages in the current build
search_entries: CachedTexts | None = None  # search entries of pages, which are slow to extract from their HTML


def on_startup(command: str, dirty: bool = False, **_: Any) -> None:
    """Reject `--dirty`, remember whether MkDocs serves, and make Python look for reference cycles less often.

    MkDocs calls this once, with the name of its command.

    Raises:
        PluginError: the command has the option `--dirty`.
    """
    if dirty:
        raise PluginError(
            f"--dirty builds only the pages that have changed, but here every page is published with all others; "
            f"run `mkdocs {command}` without it"
        )
    global is_serving  # no other hook receives the command
    is_serving = command == "serve"
    # A build creates millions of objects but few reference cycles. Looking for cycles as often
    # as Python does by default takes a noticeable part of the build time. The limit bounds the
    # memory that cycles can hold between two searches.
    gc.set_threshold(1_000_000)
    # Python would look for cycles once more when it exits, which takes seconds. It ignores frozen objects.
    atexit.register(gc.freeze)


def on_config(config: Any, **_: Any) -> Any:
    """Set up error messages, the detection of unsupported syntax, and a staging folder; called before each build.

    MkDocs builds into the staging folder, so that the old site stays complete until the build has succeeded. `mkdocs
    serve` needs none, because it builds into a temporary folder and its server waits for the build to end.
    """
    global destination  # for `on_post_build` and `on_shutdown`
    _explain_calls(config.plugins["macros"])
    _detect_syntax(config)
    if not is_serving:
        from macros.publish.replacing import remove_staged, staging_folder

        destination = Path(config.site_dir)
        config.site_dir = str(staging_folder(destination))
        remove_staged(Path(config.site_dir))  # it may be left over from a build that was killed
    return config


def _explain_calls(plugin: Any) -> None:
    """Make mkdocs-macros report failed calls with messages from `page_errors`, and collect these messages."""
    from macros.page_errors import error_message

    page_faults.clear()

    def explain(error: Exception, markdown: str, page: Any) -> str:
        """Add the message for an error on a page to `page_faults` and return it."""
        variables = {**plugin.variables, **page.meta}
        fault = error_message(
            error,
            markdown,
            page.file.content_string,
            page.file.src_uri,
            lambda text: plugin.env.from_string(text).render(variables),
        )
        page_faults.append(fault)
        return fault

    # mkdocs-macros has a function for each kind of error that it distinguishes, and one for all other errors.
    kinds = [kind for kind in format_error.registry if kind is not object]
    for kind in [*kinds, Exception]:
        format_error.register(kind, explain)


def _keep_compiled_pages(plugin: Any) -> None:
    """Make mkdocs-macros compile a page only if its text has changed since it was last compiled.

    Jinja caches only templates that it loads itself, but mkdocs-macros passes it strings. So the code of each page is
    cached under the path of the page.
    """
    from macros.build_cache import template_cache

    code_cache = template_cache()
    compile_text = plugin.env.compile
    if code_cache is None:
        return

    def compile_page(text: str, *args: Any, **kwargs: Any) -> CodeType:
        """The code of a text on a page, compiled only if the cache has no code for the same text."""
        bucket = code_cache.get_bucket(plugin.env, plugin.page.file.src_uri, None, text)
        if bucket.code is None:
            bucket.code = compile_text(text, *args, **kwargs)
            code_cache.set_bucket(bucket)
        return bucket.code

    plugin.env.compile = compile_page


def _prepare_search_index(index: Any) -> None:
    """Leave the forms on pages out of Material's search index, and cache the entries of each page.

    Args:
        index: Material's `SearchIndex`. Its method `add_entry_from_context` appends the entries of a page to `entries`.
    """
    global search_entries
    if search_entries is None:
        from macros.build_cache import CachedTexts

        search_entries = CachedTexts("search_entries.json")
    texts = search_entries
    texts.load()
    add_entries = index.add_entry_from_context

    def entries_of(page: Any) -> str:
        """The entries that Material's method would add for a page, as JSON."""
        entry_count = len(index.entries)
        add_entries(page)
        entries = index.entries[entry_count:]
        del index.entries[entry_count:]
        return json.dumps(entries)

    def add(page: Any) -> None:
        """Add the entries of a page without its forms, from the cache if the page has not changed."""
        content = page.content
        page.content = FORM_ELEMENTS.sub(r"<\1 data-search-exclude", content)
        determining_values = (page.url, str(page.title), json.dumps(page.meta, default=str), page.content)
        index.entries.extend(json.loads(texts.text(determining_values, lambda: entries_of(page))))
        page.content = content

    index.add_entry_from_context = add


def _detect_syntax(config: Any) -> None:
    """Make Python-Markdown detect syntax that the site does not support, and mark headings without ids."""
    from macros.page_syntax import PageSyntax, placeholder_id

    syntax = PageSyntax()
    config.markdown_extensions.append(syntax)
    diagram = {"name": "mermaid", "class": "mermaid", "format": syntax.diagram}
    config.mdx_configs.setdefault("pymdownx.superfences", {})["custom_fences"] = [diagram]
    config.mdx_configs.setdefault("toc", {})["slugify"] = placeholder_id


def on_env(env: Any, config: Any, **_: Any) -> Any:
    """End the build if a call on a page has failed; otherwise, prepare the templates and the search index.

    Strict mode would end the build only after everything is written, and with `--quiet` not at all. MkDocs calls this
    after it has read all pages and before it writes any.

    The indentation of the theme's templates is stripped. Compiled templates and search entries
    are cached from one build to the next.

    Raises:
        PluginError: a call on a page has failed.
    """
    from macros.build_cache import template_cache

    if page_faults:
        calls = "1 call on a page" if len(page_faults) == 1 else f"{len(page_faults)} calls on pages"
        raise PluginError(f"{calls} failed, as reported above; nothing is published")
    env.trim_blocks = env.lstrip_blocks = True
    env.bytecode_cache = template_cache()
    _prepare_search_index(config.plugins["material/search"].search_index)
    return env


def on_page_content(html: str, page: Any, config: Any, **_: Any) -> str:
    """Restore the HTML that macros set aside on a page, register its ids, and log unsupported syntax as warnings.

    MkDocs calls this with the HTML of each page. Without the ids, it would report links to them as broken. Unsupported
    syntax would appear on the page exactly as typed; a warning makes a strict build fail.
    """
    from macros.page_syntax import PageSyntax
    from macros.publish.page import Page
    from macros.site import put_back

    source = Path(page.file.abs_src_path).read_text(encoding="utf-8")
    for extension in config.markdown_extensions:
        if isinstance(extension, PageSyntax):
            for refusal in extension.refusals(source, html):
                LOG.warning("%s, %s", page.file.src_uri, refusal)

    restored_html = put_back(html)
    page.present_anchor_ids.update(element.id for element in Page("", restored_html).tree.css("[id]"))
    return restored_html


def on_files(files: Any, config: Any) -> Any:
    """Add the downloads to the files of the site, so that links to them are valid, and drop files that nobody needs.

    MkDocs calls this after the macros are loaded and before it renders any page. So their cached results are loaded
    here, and they are told that the HTML they set aside will be restored.
    """
    from macros import site
    from macros.publish import makers

    site.has_hook = True
    site.MACRO_TEXTS.load()
    # Material's search needs lunr's files only for languages other than English, and only debuggers read source maps.
    for file in [file for file in files if "/lunr/" in file.src_uri or file.src_uri.endswith(".map")]:
        files.remove(file)
    for address, _ in makers():
        # The content is generated when the site is published or, while serving, on request.
        files.append(File.generated(config, address, content=""))
    return files


def on_nav(nav: Any, config: Any, **_: Any) -> Any:
    """Make mkdocs-macros compile only pages that have changed; called before the first page is rendered."""
    _keep_compiled_pages(config.plugins["macros"])
    return nav


def on_post_build(config: Any, **_: Any) -> None:
    """Publish the site, or prepare it for its authors while serving; called after all files are written.

    The environment variable `PAPER` can request PDF and PNG files. A warning makes a strict build fail, but MkDocs ends
    the build only after this call, so nothing is published here after a warning. The caches are written in any case.

    Raises:
        PluginError: publishing has failed.
    """
    from macros.counting import CountingError
    from macros.publish import PublishError, preview, publish_in_place
    from macros.publish.replacing import put_in_place
    from macros.site import MACRO_TEXTS

    site = Path(config.site_dir)
    MACRO_TEXTS.save()
    if search_entries:
        search_entries.save()
    try:
        if is_serving:
            preview(site)
        elif not _has_warned():
            publish_in_place(site, os.environ.get("PAPER"))
            if destination:
                put_in_place(site, destination)
    except (PublishError, CountingError, OSError) as error:
        raise PluginError(f"{type(error).__name__}: {error}") from error


def _has_warned() -> bool:
    """Whether MkDocs has counted a warning, which it does only in strict builds."""
    counters = [handler for handler in logging.getLogger("mkdocs").handlers if isinstance(handler, CountHandler)]
    return any(counter.get_counts() for counter in counters)


def on_shutdown(**_: Any) -> None:
    """Remove the staging folder if a failed build has left it behind; called at the end of every run."""
    if destination:
        from macros.publish.replacing import remove_staged, staging_folder

        remove_staged(staging_folder(destination))


def on_serve(server: Any, config: Any, **_: Any) -> Any:
    """Make `mkdocs serve` also serve downloads, pages for frames and error messages."""
    from macros.serving import BuildRecorder, with_downloads_and_errors

    builds = BuildRecorder(server.builder)
    server.builder = builds
    server.set_app(with_downloads_and_errors(server.get_app(), server.mount_path, builds, Path(config.site_dir)))
    return server
