"""Converts the article of a page into Markdown, for programs and for readers who copy text.

The article is taken from the finished page, so its numbers are those of the page.
markdownify converts ordinary HTML; this module adds figures, formulas, captions, the
lines of a sum, blanks to fill in, notes, tabs and footnotes. Elements that have no
counterpart in Markdown are removed first, with a fast parser, because markdownify's is slow.
"""

from __future__ import annotations

import re
from typing import Any

from markdownify import ATX, MarkdownConverter
from selectolax.lexbor import LexborNode

from .page import PERMALINKS

PAGE_ONLY = (
    f"{PERMALINKS}, form, fieldset, button, input, script, select, img[alt=''], .bc-carets, .bc-legend, .bc-imprint,"
    " .bc-moved, .footnote-backref,"
    # Instructions for the screen, which the style sheet for paper omits, too.
    " .bc-choice, .bc-hint, .bc-on-screen, [hidden],"
    # Places that only scripts fill.
    " .bc-resized, .bc-sentence, .bc-panel-place, .bc-delta"
)
"""Elements that are useful only on the page.

They are controls and their instructions, signs that link to their own place, legends of drawings, images without a
description, the imprint, and lines for readers who follow an old address.
"""

DRAWINGS = "svg > :not(title, desc), math > *"
"""The contents of drawings and formulas, which are replaced by their descriptions and by LaTeX."""

CELL_ATTRIBUTES = re.compile(r"(?<=<t[dh]) [^>]+")
"""Matches the attributes of a cell, such as the heading that it shows on phones. Markdown has no use for them."""

CELLS = frozenset({"td", "th"})
"""The tags of the cells of a table."""

SPECIAL = re.compile(r"([\\`*\[\]<|]|(?<!\w)_|_(?!\w))")
"""Matches characters that Markdown would take for markup. An underscore within a word is not among them."""

FENCED = r"(```.*?```)"
"""Matches a block of code, as the first group of a pattern that must not change code."""

EMPTY_SECTION = re.compile(rf"{FENCED}|^(#+) [^\n]*\n\n(?=(?!\2#)#)", re.DOTALL | re.MULTILINE)
"""Matches the heading of a section that is empty, because all its elements were useful only on the page.

The heading that follows it is not of a lower level.
"""

SPACES = re.compile(rf"{FENCED}|(`[^`\n]*`)|(?<=\S)(?<!\n:) {{2,}}(?=[^\s|])", re.DOTALL)
"""Matches several spaces between words, which an element that was removed or unwrapped can leave.

Spaces in an empty cell and after the colon of a definition stay.
"""


def as_markdown(article: LexborNode) -> str:
    """The article of a page as Markdown, with a blank line between paragraphs."""
    clone = article.clone()
    for element in clone.css(f"{PAGE_ONLY}, {DRAWINGS}, wbr"):
        element.decompose()
    # More than a third of all elements are of these kinds, which Markdown does not have.
    for element in clone.css("data, b, span:not(.bc-what, .bc-math, .bc-empty, .bc-box, .bc-address + .bc-address)"):
        element.unwrap()
    text = _Converter().convert(CELL_ATTRIBUTES.sub("", clone.html or ""))
    text = re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)).strip() + "\n"
    text = SPACES.sub(lambda match: match[1] or match[2] or " ", text)
    while (shorter_text := EMPTY_SECTION.sub(lambda match: match[1] or "", text)) != text:
        text = shorter_text
    return text


class _Converter(MarkdownConverter):
    """markdownify's converter with methods for elements that it does not support or that we write differently.

    The base class calls `convert_<tag>` with the element, the Markdown of its content, and the tags of its ancestors.
    """

    class Options:
        """The options of markdownify, which reads them from a class of this name."""

        heading_style = ATX
        bullets = "-"
        autolinks = False
        strip = ("b",)

    def escape(self, text: str, parent_tags: set[str]) -> str:
        """The text with a backslash before each character that Markdown would take for markup."""
        return SPECIAL.sub(r"\\\1", text)

    def convert_svg(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """The title and the description of a figure's drawing, as a paragraph; empty for any other drawing."""
        figure = el.find_parent("figure")
        if figure is None or figure.find("svg") is not el:
            return ""
        elements = [el.find(tag) for tag in ("title", "desc")]
        texts = [element.get_text() for element in elements if element]
        # A single letter, such as x, is a symbol.
        sentences = [re.sub(r"^[a-z](?=[a-z])", lambda letter: letter[0].upper(), text) for text in texts]
        paragraph = " ".join(f"{sentence.rstrip('.')}." for sentence in sentences if sentence)
        return f"\n\nFigure: {self.escape(paragraph, parent_tags)}\n\n"

    def convert_math(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """A formula as LaTeX."""
        return f"${el['alttext']}$"

    def convert_span(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Write the pieces of a formula as one piece of LaTeX, and the words before a line of a sum as its label.

        A blank to fill in becomes a line, except in a cell, which is empty in Markdown, too; a box to tick stays one.
        An address that follows another in a cell begins a new line.
        """
        classes = el.get("class", ())
        if "bc-box" in classes:
            return "☐"
        if "bc-address" in classes:
            return f"<br>{text}"
        if "bc-empty" in classes:
            return "" if CELLS & parent_tags else "\\_" * 8
        if "bc-math" in classes:  # one formula, in pieces between which a line may break
            return f"${' '.join(piece['alttext'] for piece in el.find_all('math'))}$"
        if "bc-what" not in classes:
            return text
        next_node = el.next_sibling
        is_label = next_node is not None and bool(next_node.get_text().strip() or next_node.next_sibling)
        return f"*{text.strip()}*:" if is_label else f"*{text.strip()}*"

    def convert_tr(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """A row of a table. The first row is followed by the line of dashes that Markdown needs."""
        line = f"|{text}\n"
        if el is not el.find_parent("table").find("tr"):
            return line
        return f"\n{line}|{' --- |' * len(el.find_all(['td', 'th']))}\n"

    def convert_td(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """A cell of a table, with a `<br>`, which Markdown allows, wherever its text begins a new line."""
        return self._converted_by_markdownify(el.name, el, re.sub(r"\s*<br>\s*", "<br>", text), parent_tags)

    convert_th = convert_td

    def convert_br(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """A new line."""
        return "<br>" if CELLS & parent_tags else self._converted_by_markdownify("br", el, text, parent_tags)

    def convert_caption(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """The caption of a table, as a paragraph that begins like the one about a figure."""
        return f"\n\nTable: {' '.join(text.split())}\n\n"

    def convert_summary(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """The summary of a `<details>`, as a paragraph in bold."""
        return f"\n\n**{' '.join(text.split())}**\n\n" if text.strip() else ""

    def convert_code(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Code, with a space between it and other code before it.

        A line of a print-out keeps its indentation. In a cell of a table, bars are escaped, and code after other code
        begins a new line.
        """
        is_line = "bc-line" in el.get("class", ())
        code = (
            f"`{el.get_text().rstrip()}`" if is_line else self._converted_by_markdownify("code", el, text, parent_tags)
        )
        is_in_cell = bool(CELLS & parent_tags)
        if is_in_cell:
            code = code.replace("|", "\\|")
        previous_node = el.previous_sibling
        follows_code = previous_node is not None and previous_node.name == el.name
        return f"{'<br>' if is_in_cell else ' '}{code}" if follows_code else code

    convert_samp = convert_code

    def convert_pre(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """A block of code, or inline code in a cell of a table, which cannot hold a block."""
        if CELLS & parent_tags:
            return f" `{el.get_text().strip()}` ".replace("|", "\\|")
        # In a print-out, the headings of columns are in a separate child element, which becomes the first line.
        lines = "\n".join(filter(None, (child.get_text() for child in el.children)))
        return f"\n\n```\n{lines.rstrip()}\n```\n\n"

    def _converted_by_markdownify(self, kind: str, el: Any, text: str, parent_tags: set[str]) -> str:
        """Markdownify's own conversion of a kind of element, by a method that its type stubs lack."""
        return str(getattr(super(), f"convert_{kind}")(el, text, parent_tags))

    def convert_div(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Turn a note into a quotation, and put the title of a tab, which is elsewhere on a page, above its content."""
        classes = el.get("class", ())
        if "admonition" in classes:
            return self._converted_by_markdownify("blockquote", el, text, parent_tags)
        if "tabbed-labels" in classes:
            return ""
        if "tabbed-block" in classes:
            labels = el.find_parent(class_="tabbed-set").find(class_="tabbed-labels").find_all("label")
            index = len(el.find_previous_siblings(class_="tabbed-block"))
            text = f"**{self.escape(labels[index].get_text(), parent_tags)}**\n\n{text.strip()}"
        return self._converted_by_markdownify("div", el, text, parent_tags)

    def convert_p(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """A paragraph; the title of a note is in bold."""
        if "admonition-title" in el.get("class", ()):
            text = f"**{text.strip()}**"
        return self._converted_by_markdownify("p", el, text, parent_tags)

    def convert_sup(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """A superscript, or the reference to a footnote."""
        note = el.find("a", class_="footnote-ref")
        return (
            f"[^{_footnote_name(note['href'])}]"
            if note
            else self._converted_by_markdownify("sup", el, text, parent_tags)
        )

    def convert_sub(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """A subscript, after an underscore, as in LaTeX."""
        return f"\\_{text}"

    def convert_li(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """An item of a list, or the text of a footnote."""
        if el.find_parent(class_="footnote") and el.get("id"):
            lines = "\n    ".join(text.strip().splitlines())
            return f"\n[^{_footnote_name(el['id'])}]: {lines}\n"
        return self._converted_by_markdownify("li", el, text, parent_tags)

    def convert_hr(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """A rule, unless it is the one above the footnotes, which Markdown does not need."""
        return "" if el.find_parent(class_="footnote") else self._converted_by_markdownify("hr", el, text, parent_tags)

    def convert_small(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Small text: in parentheses in a heading, the label of a number in a link, and otherwise between spaces."""
        if {"h1", "h2", "h3", "h4"} & parent_tags:
            return f" ({text.strip()})"
        return f"{text.strip()}: " if el.parent.name == "a" and el.next_sibling else f" {text.strip()} "


def _footnote_name(address: str) -> str:
    """The name of a footnote, given its id or a link to it."""
    return address.removeprefix("#").removeprefix("fn:")
