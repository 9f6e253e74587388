"""White space is one character, but where it is meant."""

import pytest

from macros.publish.white_space import without_indentation


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>\n    a  <b>b</b>\n\n</p>  \n", "<p>\na <b>b</b>\n</p>\n"),
        ("<pre>a\n  b  c</pre>\n  <p>", "<pre>a\n  b  c</pre>\n<p>"),
        ('<pre tabindex="0"><samp>a  b</samp></pre>  x', '<pre tabindex="0"><samp>a  b</samp></pre> x'),
        ("<script>a  =  1\n\n</script>", "<script>a  =  1\n\n</script>"),
        ("<textarea>a  b</textarea>", "<textarea>a  b</textarea>"),
        ('<p title="a  b">a\u00a0 \u00a0b</p>', '<p title="a  b">a\u00a0 \u00a0b</p>'),
        ("<preface>  a</preface>", "<preface> a</preface>"),
        ("", ""),
    ],
)
def test_white_space(html: str, expected: str) -> None:
    """What a browser shows stays, and twice is the same as once."""
    assert expected == without_indentation(html)
    assert expected == without_indentation(expected)
