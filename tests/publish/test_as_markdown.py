"""Pages as Markdown: each kind of element as it should be written; what is no element of ours is refused."""

from __future__ import annotations

import pytest

from macros.publish import PublishError
from macros.publish.as_markdown import as_markdown

WRITTEN = {
    "a heading without its link": ('<h2 id="a">A b<a class="headerlink" href="#a">&para;</a></h2>', "## A b"),
    "a heading and what is small in it": ("<h2>A <small>b: 1</small></h2>", "## A: b: 1"),
    "white space": ("<p>a\n  b</p>\n<p>c</p>", "a b\n\nc"),
    "marks": ("<p><strong>a</strong> <em>b</em> <b>c</b> <i></i></p>", "**a** *b* c"),
    "a number": ('<p><data value="1" data-how="1 + 0 &gt; 0" tabindex="0">1,000</data></p>', "1,000"),
    "signs of Markdown's own": ("<p>a*b [c] &lt;d&gt; e|f _g h_i \\</p>", r"a\*b \[c\] \<d> e\|f \_g h_i \\"),
    "a reference": ("<p>a &amp; b &#215; c</p>", "a & b × c"),
    "code": ("<p><code>a.<wbr>b_*</code></p>", "`a.b_*`"),
    "a link": ('<p>a <a href="../b.html#c">b</a></p>', "a [b](../b.html#c)"),
    "lists in lists": (
        "<ol><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ol>",
        "1. a\n\n   - b\n   - c\n\n2. d",
    ),
    "lists in lists without numbers": ("<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n\n  - b"),
    "terms": ("<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>", "- **a**: b\n- **c**: d"),
    "a table": (
        (
            '<table><caption id="x">A <a class="bc-permalink" href="#x">#</a></caption><thead><tr><th>a</th>'
            "\n<th>b</th></tr>"
            "</thead><tbody><tr><th>c|d</th>\n<td>1</td></tr></tbody><tfoot><tr><th>e</th><td></td></tr></tfoot></table>"
        ),
        "**A**\n\n| a | b |\n| --- | --- |\n| c\\|d | 1 |\n| e |  |",
    ),
    "a print-out": ("<pre><samp><b>a </b>  (1,\n 2)\n</samp></pre>", "```\na   (1,\n 2)\n```"),
    "a print-out below its columns' heads": ("<pre><span>a  b</span><samp>1  2</samp></pre>", "```\na  b\n1  2\n```"),
    "code with an empty mark": ("<pre><span></span><code>a\n b</code></pre>", "```\na\n b\n```"),
    "a fold": ("<details><summary>A</summary><p>b</p></details>", "**A**\n\nb"),
    "a figure": (
        (
            '<figure><svg><title id="t">T</title><desc id="d">D &amp; d.</desc><svg/><svg><title>x</title></svg></svg>'
            "<figcaption>To scale. <i class='x'></i>b<p class=\"bc-carets\">▲</p></figcaption></figure>"
        ),
        "Figure: T. D & d.\n\nTo scale. b",
    ),
    "a caption that explains colours": (
        (
            '<figure><figcaption>A scale. In it: <i class="bc-key bc-a"></i>a. <i class="bc-key bc-b"></i>b.'
            "</figcaption></figure>"
        ),
        "A scale.",
    ),
    "a line of a sum": (
        '<ol><li><span class="bc-what">each</span> <span>2 × <b>3</b> = <b>6</b></span></li></ol>',
        "1. *each*: 2 × 3 = 6",
    ),
    "what is acted on": ("<p>a</p><form><p>b <input><button>c</button></p></form><div></div><p>d</p>", "a\n\nd"),
    "a formula": (
        "<p><math><mn>4</mn><mo>·</mo><msup><mi>H</mi><mn>2</mn></msup><mo>+</mo><mi>H</mi></math></p>",
        r"$4 \cdot H^{2} + H$",
    ),
    "words in a formula": ("<p><math><mi>in</mi><mo>=</mo><mn>1.5</mn><mi>H</mi></math></p>", r"$\mathrm{in} = 1.5H$"),
    "a formula in pieces": (
        '<p><span class="bc-math"><math><mi>V</mi></math><wbr><math><mo>+</mo><mi>H</mi></math></span></p>',
        "$V + H$",
    ),
    "a fraction of words": (
        (
            '<math><mfrac><mrow><mi mathvariant="normal">a</mi><mi mathvariant="normal">b</mi></mrow>'
            "<msqrt><mrow><msub><mi>d</mi><mi>k</mi></msub></mrow></msqrt></mfrac></math>"
        ),
        r"$\frac{\mathrm{ab}}{\sqrt{d_{k}}}$",
    ),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_each_kind_of_element(kind: str) -> None:
    """As Markdown would have it."""
    html, expected = WRITTEN[kind]
    assert f"{expected}\n" == as_markdown(f'<header>x</header><article class="a">{html}</article>')


def test_a_page_without_an_article_is_empty() -> None:
    """As an error page may be."""
    assert "" == as_markdown("<p>a</p>")


@pytest.mark.parametrize(
    ("html", "says"),
    [
        ("<p>a", "<p> is not closed"),
        ("<p><b>a</p></b>", "</p> ends <b>"),
        ("<b><p>a</b></p>", "</b> ends <p>"),
        ("a < b", "is no HTML: < b"),
        ("<svg><svg></svg>", "a drawing is not closed"),
        ("<math><mroot><mi>a</mi></mroot></math>", "a formula has <mroot>"),
        ("<math><mfrac><mi>a</mi></mfrac></math>", "a formula has <mfrac> of 1 parts"),
    ],
)
def test_what_is_not_ours_is_refused(html: str, says: str) -> None:
    """Rather than lose a word."""
    with pytest.raises(PublishError, match=says):
        as_markdown(f"<article>{html}</article>")
