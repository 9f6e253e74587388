"""The Content-Security-Policy of a page: nothing from other hosts, no script that the build did not see."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

from .errors import PublishError

SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)

PLACE = '<meta charset="utf-8">'
"""What the policy follows, so that it comes before all that it governs."""

POLICY = re.compile(re.escape(PLACE) + r'(<meta http-equiv="Content-Security-Policy" content="[^"]*">)?')
"""The place, with the policy of an earlier run."""


DIRECTIVES = (
    # What is not named below is not fetched at all: frames, plug-ins, sound, films, manifests.
    # Other sites may frame our pages: only `frame-ancestors` could forbid it, which has no effect in a page.
    ("default-src", "'none'"),
    ("script-src", "'self'"),
    ("style-src", "'self'"),
    # The icons in the theme's style sheet are addresses that hold what they show.
    ("img-src", "'self'", "data:"),
    ("font-src", "'self'"),
    # The search fetches its index, and works apart from the page; so does what explains numbers.
    ("connect-src", "'self'"),
    ("worker-src", "'self'"),
    # These two do not follow `default-src`. A base without an address, which only says where links open, is allowed.
    ("base-uri", "'none'"),
    # Without scripts, a browser sends the form for a number to its own page.
    ("form-action", "'self'"),
)
"""What a page may do, and where what it fetches may come from; the scripts within it are added."""


def with_policy(html: str, *, any_script: bool = False) -> str:
    """A page with its policy, which replaces the one it may have.

    Scripts within the page are allowed by the hash of their code, so the
    policy holds even if a page came to show a reader's own text.

    Args:
        html: the page.
        any_script: allow every script within the page; for a page that is not published.

    Raises:
        PublishError: the page has no place for the policy, or several.
    """
    if html.count(PLACE) != 1:
        raise PublishError(f"it has {html.count(PLACE)} times {PLACE}; the policy goes after the only one")
    allowed = ["'unsafe-inline'"] if any_script else hashes(html)
    policy = "; ".join(
        " ".join([directive, *sources, *(allowed if directive == "script-src" else ())])
        for directive, *sources in DIRECTIVES
    )
    meta = f'{PLACE}<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return POLICY.sub(lambda _: meta, html)


def hashes(html: str) -> list[str]:
    """The scripts within a page, as a policy names them."""
    inline = [match["code"] for match in SCRIPT.finditer(html) if "src=" not in match["attributes"]]
    return sorted({f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in inline if code})
