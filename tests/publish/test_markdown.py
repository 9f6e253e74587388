"""Pages as Markdown: the elements that our pages have and markdownify does not know as we write them."""

import pytest

from macros.publish.markdown import as_markdown
from macros.publish.page import Page

WRITTEN = {
    "a heading without its link": ('<h2 id="a">A b<a class="headerlink" href="#a">&para;</a></h2>', "## A b"),
    "a number": ('<p><data value="1" data-how="1 + 0 &gt; 0" tabindex="0">1,000</data></p>', "1,000"),
    "signs of Markdown's own": ("<p>a*b [c] &lt;d&gt; e|f _g h_i \\</p>", r"a\*b \[c\] \<d> e\|f \_g h_i \\"),
    "code": ("<p><code>a.<wbr>b_*</code></p>", "`a.b_*`"),
    "a link": ('<p>a <a href="../b.html#c">b</a></p>', "a [b](../b.html#c)"),
    "a table": (
        (
            '<table><caption id="x">A <a class="bc-permalink" href="#x">#</a></caption>'
            "<thead><tr><th>a</th><th>b</th></tr>"
            "</thead><tbody><tr><th>c|d</th><td>1</td></tr></tbody><tfoot><tr><th>e</th><td></td></tr></tfoot></table>"
        ),
        "**A**\n\n| a | b |\n| --- | --- |\n| c\\|d | 1 |\n| e |  |",
    ),
    "a print-out": ("<pre><samp><b>a </b>  (1,\n 2)\n</samp></pre>", "```\na   (1,\n 2)\n```"),
    "a print-out below its columns' heads": ("<pre><span>a  b</span><samp>1  2</samp></pre>", "```\na  b\n1  2\n```"),
    "code with an empty mark": ("<pre><span></span><code>a\n b</code></pre>", "```\na\n b\n```"),
    "a fold": ("<details><summary>A</summary><p>b</p></details>", "**A**\n\nb"),
    "a figure": (
        (
            '<figure><svg><title id="t">T</title><desc id="d">D &amp; d.</desc><svg><title>x</title></svg></svg>'
            '<figcaption>To scale. b<p class="bc-carets">▲</p></figcaption></figure>'
        ),
        "Figure: T. D & d.\n\nTo scale. b",
    ),
    "a line of a sum": (
        '<ol><li><span class="bc-what">each</span> <span>2 × <b>3</b> = <b>6</b></span></li></ol>',
        "1. *each*: 2 × 3 = 6",
    ),
    "what is acted on": ("<p>a</p><form><p>b <input><button>c</button></p></form><div></div><p>d</p>", "a\n\nd"),
    "a formula": ('<p>It is <math alttext="4 \\cdot H^{2}"><mn>4</mn></math>.</p>', r"It is $4 \cdot H^{2}$."),
    "a formula in pieces": (
        '<p><span class="bc-math"><math alttext="V"><mi>V</mi></math><wbr><math alttext="+ H"></math></span></p>',
        "$V + H$",
    ),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_each_kind_of_element(kind: str) -> None:
    """As Markdown would have it."""
    html, expected = WRITTEN[kind]
    article = Page("a.html", f'<header>x</header><article class="a">{html}</article>').article
    assert article
    assert f"{expected}\n" == as_markdown(article)
