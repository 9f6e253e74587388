"""What the build does beside the pages: files to download, a policy on each page, one style sheet for all.

MkDocs keeps this file loaded while it serves, so what it needs of ours is
imported inside the functions. While it serves, a rebuild leaves out what
changes nothing for the writer of a page: downloads are kept for as long as
the code and data they come from, and the style sheet is not made small.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from types import ModuleType
from typing import Any

from mkdocs.structure.files import File

STYLE_SHEET = "assets/bert-counted.css"
"""The address `docs/.overrides/main.html` links to."""

serving = False
"""Whether `mkdocs serve` runs: it puts a script of its own into each page as it sends it."""

SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)


def on_startup(command: str, **_: Any) -> None:
    """Called by MkDocs once, with the command it was started with."""
    global serving  # MkDocs tells it here and nowhere else
    serving = command == "serve"


KEPT = ".kept"
"""Where downloads stand while MkDocs empties the site: it leaves hidden folders alone."""

written: tuple[ModuleType, list[str]] | None = None
"""While serving: the module that made the downloads of the site, and their addresses."""


class Standing(File):
    """A file that is in the site already."""

    def copy_file(self, dirty: bool = False) -> None:
        """Nothing: it is there."""


def on_pre_build(config: Any, **_: Any) -> None:
    """Called by MkDocs before it empties the site: while serving, puts the downloads aside."""
    from macros.rendering.elements.pages import DOWNLOADS

    site = Path(config.site_dir)
    if written and (site / DOWNLOADS).is_dir():
        (site / DOWNLOADS).rename(site / KEPT)


def on_files(files: Any, config: Any) -> Any:
    """Called by MkDocs with the files of the site: adds those that readers download."""
    # Another module than before, if a file of ours has changed: see main.py.
    from macros.rendering.elements.pages import DOWNLOADS
    from macros.rendering.files import downloads

    kept = Path(config.site_dir) / KEPT
    if written and written[0] is downloads:
        kept.rename(kept.with_name(DOWNLOADS))
        for address in written[1]:
            files.append(Standing.generated(config, address, content=""))
        return files
    rmtree(kept, ignore_errors=True)
    for address, text in downloads.files():
        files.append(File.generated(config, address, content=text))
    return files


def on_post_page(output: str, **_: Any) -> str:
    """Called by MkDocs for each page: adds the policy."""
    return with_policy(output)


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """Called by MkDocs for pages without a source, such as the error page."""
    return with_policy(output_content) if template_name.endswith(".html") else output_content


def with_policy(html: str) -> str:
    """A page with a Content-Security-Policy: nothing from other hosts, no script that the build did not see.

    Scripts within the page are allowed by the hash of their code, so the
    policy holds even where a page would come to hold a reader's own text.

    Raises:
        ValueError: the page has no place for the policy.
    """
    if serving:
        hashes = ["'unsafe-inline'"]
    else:
        inline = [match["code"] for match in SCRIPT.finditer(html) if "src=" not in match["attributes"]]
        hashes = sorted({f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in inline if code})
    policy = "; ".join(
        (
            "default-src 'self'",
            " ".join(["script-src 'self'", *hashes]),
            "style-src 'self'",
            "img-src 'self' data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
        )
    )
    place = '<meta charset="utf-8">'
    if html.count(place) != 1:
        raise ValueError(f"a page has {html.count(place)} times {place}; the policy goes after the only one")
    return html.replace(place, f'{place}<meta http-equiv="Content-Security-Policy" content="{policy}">')


def on_post_build(config: Any, **_: Any) -> None:
    """Called by MkDocs when all files are written: makes one style sheet of the theme's and ours."""
    site = Path(config.site_dir)
    theme = sorted((site / "assets" / "stylesheets").glob("*.css"))
    ours = site / "assets" / "site.css"
    css = "".join(path.read_text(encoding="utf-8") for path in [*theme, ours])
    if serving:
        (site / STYLE_SHEET).write_text(css, encoding="utf-8")
        _remember(site)
        return
    _publish(site, css, [*theme, ours])


def _remember(site: Path) -> None:
    """Keep in mind which downloads this build has left in the site."""
    global written  # it lasts from build to build
    from macros.rendering.elements.pages import DOWNLOADS
    from macros.rendering.files import downloads

    addresses = [path.relative_to(site).as_posix() for path in (site / DOWNLOADS).rglob("*.*")]
    written = downloads, sorted(addresses)


def _publish(site: Path, css: str, replaced: list[Path]) -> None:
    """Write the style sheet without what no page uses, and remove what nobody asks for."""
    from macros.rendering.styles import used_styles

    pages = "".join(path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html")))
    scripts = "".join(path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.js")))
    (site / STYLE_SHEET).write_text(used_styles(css, pages, scripts), encoding="utf-8")
    # What the one style sheet replaces, and maps of code that no longer is what they describe.
    for path in [*replaced, *site.rglob("*.map")]:
        path.unlink()
    for path in (site / "assets" / "javascripts").rglob("*.js"):
        code = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\n?//# sourceMappingURL=\S+", "", code), encoding="utf-8")
