"""The Content-Security-Policy of a page: nothing from other hosts, no script that the build did not see."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from .page import Page, PublishError

TEXT = Path(__file__).with_name("policy.txt").read_text(encoding="utf-8")
POLICY = "; ".join(line for line in TEXT.splitlines() if line and not line.startswith("#"))


def add_policy(page: Page, *, any_script: bool = False) -> None:
    """Give a page its policy.

    Scripts within the page are allowed by the hash of their code, so the
    policy holds even if a page came to show a reader's own text; or all of
    them, on a page that is not published.

    Raises:
        PublishError: the page has no place for the policy, or several.
    """
    places = page.tree.css("meta[charset]")
    if len(places) != 1:
        raise PublishError(f"{page.name} has {len(places)} times <meta charset>; the policy goes after the only one")
    allowed = ["'unsafe-inline'"] if any_script else hashes(page)
    policy = POLICY.format(scripts="".join(f" {each}" for each in allowed))
    # It comes before all that it governs.
    places[0].insert_after(page.fragment(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'))


def hashes(page: Page) -> list[str]:
    """The scripts within a page, as a policy names them."""
    inline = [each.text() for each in page.tree.css("script:not([src])")]
    return sorted({f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in inline if code})
