"""The Content-Security-Policy of a page: nothing from other hosts, and no script that was not there at build time.

Scripts within a page are allowed by the hash of their code. So even a fault that
showed a reader's own text as HTML could not run it.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from .page import Page, PublishError

TEXT = Path(__file__).with_name("policy.txt").read_text(encoding="utf-8")
POLICY = "; ".join(line for line in TEXT.splitlines() if line and not line.startswith("#"))


def add_policy(page: Page, *, any_script: bool = False) -> None:
    """Add its policy to the head of a page.

    Args:
        page: the page, with the scripts that it ends up with.
        any_script: whether to allow every script within the page, because it is not published.

    Raises:
        PublishError: the page has no place for the policy, or several.
    """
    places = page.tree.css("meta[charset]")
    if len(places) != 1:
        raise PublishError(f"{page.name} has {len(places)} times <meta charset>; the policy goes after the only one")
    allowed = ["'unsafe-inline'"] if any_script else hashes(page)
    policy = POLICY.format(scripts="".join(f" {source}" for source in allowed))
    # A policy governs only what comes after it.
    places[0].insert_after(page.fragment(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'))


def hashes(page: Page) -> list[str]:
    """The hash of each script within a page, as a policy names it."""
    inline = [script.text() for script in page.tree.css("script:not([src])")]
    return sorted({f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in inline if code})
