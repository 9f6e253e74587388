"""Recorded print-outs as tables."""

import pytest
from bs4 import BeautifulSoup

from macros.counting import CountingError
from macros.counting.published.printouts import Note, PrintOutLine, load_printouts
from macros.rendering.tables import printouts


def cells(html: str) -> list[list[str]]:
    """The text of each cell."""
    rows = BeautifulSoup(html, "html.parser").select("tbody tr")
    return [[cell.get_text() for cell in row.select("th, td")] for row in rows]


def test_a_line_is_beside_what_it_is() -> None:
    """Each line of torchinfo has its part, linked to its page, and the right number; a doubled one says so first."""
    html = printouts.line_table("torchinfo")
    by_line = {line.split(":")[0].strip("│└─ "): rest for line, *rest in cells(html)}
    assert ["the embeddings' LayerNorm", "1,536"] == by_line["LayerNorm"]
    assert by_line["Linear"][0].startswith("2× counted twice: the prediction bias")
    assert "30,522" == by_line["Linear"][1]
    assert by_line["Total params"][0].startswith("✗ wrong: too high")
    assert ["no parameters", ""] == by_line["Dropout"]
    assert 'href="site-root:parts/embeddings.html' in html


def test_a_choice_of_lines_is_a_table_of_its_own() -> None:
    """A choice of lines has its own id and caption."""
    odd = printouts.line_table("state-dict", only="odd")
    assert ["2× counted twice", "2× counted twice"] == [meaning.split(":")[0] for _, meaning, _ in cells(odd)]
    assert 'id="state-dict-odd"' in odd
    assert "state_dict(): the lines to know, for BertForMaskedLM" in odd
    with pytest.raises(CountingError, match='only "odd" or "noted", not "old"'):
        printouts.line_table("state-dict", only="old")


def test_a_long_print_out_is_folded() -> None:
    """The words of the fold stay visible."""
    html = printouts.line_table("keras-bert", fold="keras-bert, line by line")
    assert html.startswith('<details class="bc-more"><summary>keras-bert, line by line</summary>')
    assert ["⋮", "the same for the other 11 layers", ""] in cells(html)


def test_a_print_out_is_only_text() -> None:
    """Printed lines and notes are escaped, and columns that are far apart move together."""
    line = PrintOutLine("<b>  1    2\nx" + " " * 50 + "3", note=Note("<b>", "a [link](page.html#a) and `code` & <i>"))
    code, words, number = printouts._row(line, load_printouts()["torchinfo"])
    assert '<code class="bc-line">&lt;b&gt;  1<span class="bc-gap">    </span>2</code>' in code
    assert '<span class="bc-gap bc-wide-gap">' in code
    assert 'a <a href="site-root:page.html#a">link</a> and <code>code</code> &amp; &lt;i&gt;' == words
    assert not number


def test_versions_and_code_of_print_outs_are_listed() -> None:
    """A row for each print-out has its versions and its code."""
    rows = printouts.recordings().splitlines()
    assert len(load_printouts()) == len(rows)
    assert "torchinfo 1.8.0" in "".join(rows)
    assert "summary(model)" in "".join(rows)


def test_an_unknown_print_out() -> None:
    """The error names the print-out that was meant."""
    with pytest.raises(CountingError, match='no print-out "torchinf"; did you mean "torchinfo"'):
        printouts.total("torchinf")
