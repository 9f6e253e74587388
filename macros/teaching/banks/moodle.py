"""Moodle XML: numerical questions, with feedback on known wrong answers, and multiple-choice questions.

Source: https://docs.moodle.org/en/Moodle_XML_format, and Moodle's importer,
question/format/xml/format.php. `make verify` reads our files with the importer.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..sets import fill, load_sets
from . import markup
from .entries import Answer, Bank, BankEntry

PENALTY = "0.3333333"
"""The fraction of the mark that another attempt costs. A third is Moodle's default, here in Moodle's notation."""


def render(bank: Bank) -> str:
    """A bank as Moodle XML, in a separate category."""
    category = fill(load_sets().banks["category"], title=bank.title)
    questions = "".join(map(_question, bank.entries))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
        f'<question type="category">\n<category>{_text(category)}</category>\n</question>\n{questions}</quiz>\n'
    )


def _question(entry: BankEntry) -> str:
    """An entry as a `question` element."""
    return "\n".join(
        [
            f'<question type="{"numerical" if entry.is_numeric else "multichoice"}">',
            f"<name>{_text(entry.name)}</name>",
            _html("questiontext", markup.prompt(entry)),
            _html("generalfeedback", markup.solution(entry)),
            "<defaultgrade>1</defaultgrade>",
            f"<penalty>{PENALTY}</penalty>",
            "<hidden>0</hidden>",
            f"<idnumber>{entry.identifier}</idnumber>",
            *(_numbers(entry) if entry.is_numeric else _choices(entry)),
            *(_html("hint", markup.paragraphs([hint])) for hint in entry.hints),
            "</question>\n",
        ]
    )


def _numbers(entry: BankEntry) -> Iterator[str]:
    """Yield the answers of a numerical question, without tolerance, and Moodle's settings for a question without units.

    The settings include the default penalty for a wrong unit, although it has no effect without units.
    """
    for answer in entry.answers:
        yield f'<answer fraction="{_percentage(answer)}" format="moodle_auto_format">'
        yield _text(answer.text)
        yield _html("feedback", markup.paragraphs([answer.feedback]))
        yield "<tolerance>0</tolerance>\n</answer>"
    yield "<unitgradingtype>0</unitgradingtype>\n<unitpenalty>0.1</unitpenalty>"
    yield "<showunits>3</showunits>\n<unitsleft>0</unitsleft>"


def _choices(entry: BankEntry) -> Iterator[str]:
    """Yield the options of a multiple-choice question, which Moodle shuffles. One of them is correct."""
    yield "<single>true</single>\n<shuffleanswers>true</shuffleanswers>\n<answernumbering>abc</answernumbering>"
    for answer in entry.answers:
        yield f'<answer fraction="{_percentage(answer)}" format="html">'
        yield _text(markup.paragraphs([answer.text]))
        yield f"{_html('feedback', markup.paragraphs([answer.feedback]))}\n</answer>"


def _percentage(answer: Answer) -> int:
    """The percentage of the mark that an answer earns."""
    return 100 if answer.is_correct else 0


def _html(element: str, html: str) -> str:
    """An element with this name whose content is HTML."""
    return f'<{element} format="html">{_text(html)}</{element}>'


def _text(text: str) -> str:
    """A text element whose content is never read as markup.

    CDATA cannot contain `]]>`, which would end it, so this sequence is split between two sections.
    """
    content = text.replace("]]>", "]]]]><![CDATA[>")
    return f"<text><![CDATA[{content}]]></text>"
