"""What the build does beside the pages: files to download, a policy on each page, one style sheet for all.

MkDocs keeps this file loaded while it serves, so what it needs of ours is
imported inside the functions.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

STYLE_SHEET = "assets/bert-counted.css"
"""The address `docs/.overrides/main.html` links to."""

serving = False
"""Whether `mkdocs serve` runs: it puts a script of its own into each page as it sends it."""

SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)


def on_startup(command: str, **_: Any) -> None:
    """Called by MkDocs once, with the command it was started with."""
    global serving  # MkDocs tells it here and nowhere else
    serving = command == "serve"


def on_files(files: Any, config: Any) -> Any:
    """Called by MkDocs with the files of the site: adds those that readers download."""
    from mkdocs.structure.files import File

    from macros.rendering.downloads import files as downloads

    for address, text in downloads():
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
    inline = [match["code"] for match in SCRIPT.finditer(html) if "src=" not in match["attributes"]]
    hashes = sorted({f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in inline if code})
    if serving:
        hashes = ["'unsafe-inline'"]
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
    from macros.rendering.styles import used_styles

    site = Path(config.site_dir)
    theme = sorted((site / "assets" / "stylesheets").glob("*.css"))
    ours = site / "assets" / "site.css"
    css = "".join(path.read_text(encoding="utf-8") for path in [*theme, ours])
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html")))
    scripts = "".join(path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.js")))
    (site / STYLE_SHEET).write_text(used_styles(css, pages, scripts), encoding="utf-8")
    # What the one style sheet replaces, and maps of code that no longer is what they describe.
    for path in [*theme, ours, *site.rglob("*.map")]:
        path.unlink()
    for path in (site / "assets" / "javascripts").rglob("*.js"):
        code = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\n?//# sourceMappingURL=\S+", "", code), encoding="utf-8")
