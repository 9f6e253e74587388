"""The content security policy of a page allows only what the page needs."""

from macros.publish.page import Page
from macros.publish.policy import add_policy, hashes


def with_policy(html: str, *, any_script: bool = False) -> str:
    """The HTML of a page with its policy."""
    page = Page("a.html", html)
    add_policy(page, any_script=any_script)
    return page.html


PAGE = '<head><meta charset="utf-8"><script>go()</script><script src="a.js"></script></head>'


def test_the_policy_has_exactly_these_directives() -> None:
    """Adding, removing or loosening a directive is a decision, so this test must be changed, too."""
    # Source of the hash: printf 'go()' | openssl dgst -sha256 -binary | base64
    assert (
        '<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="'
        "default-src 'none'; "
        "script-src 'self' 'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='; "
        "style-src 'self'; "
        "img-src 'self' data:; "
        "font-src 'self'; "
        "connect-src 'self'; "
        "worker-src 'self'; "
        "base-uri 'none'; "
        "form-action 'self'"
        '"><script>go()</script><script src="a.js"></script></head><body></body></html>\n'
    ) == with_policy(PAGE)


def test_every_script_of_the_page_has_a_hash() -> None:
    """Equal scripts share a hash, and an empty script has none.

    The hashes are sorted, so their order does not depend on the order of the scripts.
    """
    plain_script, typed_script = "<script>go()</script>", '<script type="a">\nstop()\n</script>'
    charset = '<meta charset="utf-8">'
    # Source: printf '\nstop()\n' | openssl dgst -sha256 -binary | base64
    expected = [
        "'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='",
        "'sha256-81jb7CxxUJ73o97tvuP9j9n5wcj7iQkA6U0UVO5LdAo='",
    ]
    assert sorted(expected) == hashes(
        Page("a.html", charset + plain_script + typed_script + plain_script + "<script></script>")
    )
    assert f"script-src 'self' {' '.join(sorted(expected))};" in with_policy(charset + typed_script + plain_script)
    nine_hashes = hashes(Page("a.html", charset + "".join(f"<script>go({number})</script>" for number in range(9))))
    assert sorted(nine_hashes) == nine_hashes
