"""Moodle XML: numerical questions in which every known wrong answer has feedback of its own; and multiple choice.

Source: https://docs.moodle.org/en/Moodle_XML_format, and Moodle's importer,
question/format/xml/format.php, which reads the files in `make verify`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..sets import filled, load_sets
from . import markup
from .entries import Answer, Bank, Entry

PENALTY = "0.3333333"
"""What a further try costs: a third, as Moodle writes it and proposes it."""


def render(bank: Bank) -> str:
    """A file with a category of its own."""
    category = filled(load_sets().banks["category"], title=bank.title)
    questions = "".join(map(_question, bank.entries))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
        f'<question type="category">\n<category>{_text(category)}</category>\n</question>\n{questions}</quiz>\n'
    )


def _question(entry: Entry) -> str:
    return "\n".join(
        [
            f'<question type="{"numerical" if entry.numeric else "multichoice"}">',
            f"<name>{_text(entry.name)}</name>",
            _html("questiontext", markup.prompt(entry)),
            _html("generalfeedback", markup.solution(entry)),
            "<defaultgrade>1</defaultgrade>",
            f"<penalty>{PENALTY}</penalty>",
            "<hidden>0</hidden>",
            f"<idnumber>{entry.identifier}</idnumber>",
            *(_numbers(entry) if entry.numeric else _choices(entry)),
            *(_html("hint", markup.paragraphs([hint])) for hint in entry.hints),
            "</question>\n",
        ]
    )


def _numbers(entry: Entry) -> Iterator[str]:
    """Answers that are numbers, each exact; no units."""
    for each in entry.answers:
        yield f'<answer fraction="{_fraction(each)}" format="moodle_auto_format">'
        yield _text(each.text)
        yield _html("feedback", markup.paragraphs([each.feedback]))
        yield "<tolerance>0</tolerance>\n</answer>"
    yield "<unitgradingtype>0</unitgradingtype>\n<unitpenalty>0.1</unitpenalty>"
    yield "<showunits>3</showunits>\n<unitsleft>0</unitsleft>"


def _choices(entry: Entry) -> Iterator[str]:
    yield "<single>true</single>\n<shuffleanswers>true</shuffleanswers>\n<answernumbering>abc</answernumbering>"
    for each in entry.answers:
        yield f'<answer fraction="{_fraction(each)}" format="html">'
        yield _text(markup.paragraphs([each.text]))
        yield f"{_html('feedback', markup.paragraphs([each.feedback]))}\n</answer>"


def _fraction(answer: Answer) -> int:
    """The mark in percent."""
    return 100 if answer.right else 0


def _html(element: str, html: str) -> str:
    return f'<{element} format="html">{_text(html)}</{element}>'


def _text(text: str) -> str:
    """An element of text, in which nothing is markup; CDATA ends at `]]>`, so this is shared out between two."""
    inside = text.replace("]]>", "]]]]><![CDATA[>")
    return f"<text><![CDATA[{inside}]]></text>"
