"""The security policy of every page of the built site, word for word."""

from base64 import b64encode
from hashlib import sha256

import pytest
from bs4 import BeautifulSoup

from tests.docs.conftest import Pages

DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self'{hashes}",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
)
"""The whole policy of a page; the hashes are those of the scripts within it."""


def hashes(page: BeautifulSoup) -> list[str]:
    """The scripts within a page, hashed here from what a parser finds."""
    codes = {each.string for each in page.find_all("script") if each.string}
    return sorted(f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in codes)


def faults(page: BeautifulSoup) -> list[str]:
    """What is wrong with the policy of a page: none, several, another, or one that comes too late."""
    head = page.head
    if not head:
        return ["no head"]
    charset, policy = head.find_all(True, recursive=False)[:2]
    found = page.find_all("meta", attrs={"http-equiv": "Content-Security-Policy"})
    if [policy] != found or list(charset.attrs) != ["charset"]:
        return [f"{len(found)} policies; the only one must be the second element of the head"]
    expected = "; ".join(DIRECTIVES).format(hashes="".join(f" {each}" for each in hashes(page)))
    return [] if policy["content"] == expected else [f"expected {expected}, got {policy['content']}"]


def test_every_page_has_this_policy(pages: Pages) -> None:
    """Exactly, with the hashes of its own scripts and no others."""
    assert {} == {name: found for name, page in pages.items() if (found := faults(page))}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("base-uri 'none'", ""),
        ("'sha256-", "'unsafe-inline' 'sha256-"),
        ("go()", "go(2)"),
        ('<meta charset="utf-8">', '<meta charset="utf-8"><script src="a.js"></script>'),
    ],
)
def test_another_policy_is_noticed(old: str, new: str) -> None:
    """A directive less, a source more, the hash of another script, a second policy, one that comes too late."""
    # Source of the hash: printf 'go()' | openssl dgst -sha256 -binary | base64
    policy = "; ".join(DIRECTIVES).format(hashes=" 'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='")
    meta = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    html = f"<head>{meta}<script>go()</script></head>"
    assert [] == faults(BeautifulSoup(html, "html.parser"))
    assert old in html
    assert [] != faults(BeautifulSoup(html.replace(old, new), "html.parser"))
