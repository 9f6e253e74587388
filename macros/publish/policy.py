"""Adds to pages a Content-Security-Policy that allows nothing from other hosts, and only scripts of the build.

Inline scripts are allowed by the hash of their code. So even if a fault showed a
reader's text as HTML, a script in that text would not run.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from .page import Page, PublishError

POLICY_LINES = Path(__file__).with_name("policy.txt").read_text(encoding="utf-8").splitlines()
POLICY = "; ".join(line for line in POLICY_LINES if line and not line.startswith("#"))
"""The policy as a format string, with `{scripts}` for the sources of inline scripts."""


def add_policy(page: Page, *, any_script: bool = False) -> None:
    """Add the policy to the head of a page.

    Args:
        page: the page. Its scripts must be final, because the policy contains their hashes.
        any_script: whether to allow every inline script, which is acceptable only on pages that are not published.

    Raises:
        PublishError: the page does not have exactly one `<meta charset>`, after which the policy is inserted.
    """
    charsets = page.tree.css("meta[charset]")
    if len(charsets) != 1:
        raise PublishError(
            f"{page.name} has {len(charsets)} <meta charset>; give it exactly one, because the policy follows it"
        )
    sources = ["'unsafe-inline'"] if any_script else hashes(page)
    policy = POLICY.format(scripts="".join(f" {source}" for source in sources))
    # A policy applies only to what follows it.
    charsets[0].insert_after(page.fragment(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'))


def hashes(page: Page) -> list[str]:
    """The hash of each inline script of a page, in the form that a policy uses."""
    inline_scripts = [script.text() for script in page.tree.css("script:not([src])")]
    return sorted({f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in inline_scripts if code})
