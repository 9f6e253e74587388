"""Tables of print-outs explain every line, and escape what tools print."""

import re

import pytest
from bs4 import BeautifulSoup

from macros.counting import CountingError
from macros.counting.published.printouts import Note, PrintOutLine, load_printouts
from macros.rendering.tables import printouts
from tests.docs.building import ROOT


def cells(html: str) -> list[list[str]]:
    """The texts of the cells in the body of a table, row by row."""
    rows = BeautifulSoup(html, "html.parser").select("tbody tr")
    return [[cell.get_text() for cell in row.select("th, td")] for row in rows]


def test_lines_are_explained() -> None:
    """Each line has the right number and its part, which links to its page; a mark before the part flags problems."""
    html = printouts.line_table("torchinfo")
    by_line = {line.split(":")[0].strip("│└─ "): rest for line, *rest in cells(html)}
    assert ["the embeddings' LayerNorm", "1,536"] == by_line["LayerNorm"]
    assert by_line["Linear"][0].startswith("2× counted twice: the word embeddings")
    assert "30,522" == by_line["Linear"][1]
    assert by_line["Total params"][0].startswith("✗ wrong: too high")
    assert ["no parameters", ""] == by_line["Dropout"]
    assert 'href="site-root:parts/embeddings.html' in html


def test_selected_lines_are_a_table_with_its_own_id_and_caption() -> None:
    odd_lines = printouts.line_table("state-dict", only="odd")
    assert ["2× counted twice", "2× counted twice"] == [meaning.split(":")[0] for _, meaning, _ in cells(odd_lines)]
    assert 'id="state-dict-odd"' in odd_lines
    assert "state_dict(), selected lines, for BertForMaskedLM" in odd_lines
    with pytest.raises(CountingError, match='only "odd" or "noted", not "old"'):
        printouts.line_table("state-dict", only="old")


def test_a_long_print_out_is_folded() -> None:
    """The summary stays visible, and repeated layers are abbreviated."""
    html = printouts.line_table("keras-bert", fold="keras-bert, line by line")
    assert html.startswith('<details class="bc-more"><summary>keras-bert, line by line</summary>')
    assert ["⋮", "the same for the other 11 layers", ""] in cells(html)


def test_print_outs_and_notes_are_escaped() -> None:
    """Wide gaps between printed columns get their own class, which narrows them."""
    line = PrintOutLine("<b>  1    2\nx" + " " * 50 + "3", note=Note("<b>", "a [link](page.html#a) and `code` & <i>"))
    code, words, number = printouts._row(line, load_printouts()["torchinfo"])
    assert '<code class="bc-line">&lt;b&gt;  1<span class="bc-gap">    </span>2</code>' in code
    assert '<span class="bc-gap bc-wide-gap">' in code
    assert 'a <a href="site-root:page.html#a">link</a> and <code>code</code> &amp; &lt;i&gt;' == words
    assert not number


def test_versions_and_code_of_print_outs_are_listed() -> None:
    rows = printouts.recording_rows().splitlines()
    assert len(load_printouts()) == len(rows)
    assert "torchinfo 1.8.0" in "".join(rows)
    assert "summary(model)" in "".join(rows)


def test_an_unknown_print_out_is_an_error() -> None:
    with pytest.raises(CountingError, match='no print-out "torchinf"; did you mean "torchinfo"'):
        printouts.stated_total("torchinf")


def test_a_verdict_has_the_same_mark_as_on_a_pasted_text() -> None:
    """`account.js` shows the verdicts on the lines that readers paste; a line that is cut off is approximate."""
    script = (ROOT / "docs/assets/answering/account.js").read_text("utf-8")
    marks = dict(re.findall(r'^  "?([\w ]+)"?: \["(\S+)", "', script, re.MULTILINE))
    assert len(marks) > 8
    assert printouts.MARKS == {verdict: marks[verdict.replace("cut off", "rounded")] for verdict in printouts.MARKS}
