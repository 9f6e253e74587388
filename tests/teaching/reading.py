"""Readers of question banks, which turn every format into the same form.

Where others have written a reader, theirs is used: gift-pegjs for GIFT, and Python's XML parser for
Moodle XML and QTI. Files for Brightspace and Blackboard are read by the rules of their manuals.
`make verify` reads the same files with Moodle's own importers and with the tool through which Canvas
reads QTI; see `tests/oracles/read_banks.py`.

No package reads Moodle's numerical questions: moodle-questions and moodle-tools only write them.
"""

import csv
import io
import json
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from selectolax.lexbor import LexborHTMLParser

READ_GIFT = Path(__file__).parents[1] / "scripts" / "read_gift.cjs"

QTI = {"": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}
PACKAGE = {"": "http://www.imsglobal.org/xsd/imscp_v1p1"}


class Given(NamedTuple):
    """An answer as a reader finds it: text without markup, mark as a percentage, feedback and tolerance."""

    text: str
    mark: float
    feedback: str
    tolerance: float = 0


class Read(NamedTuple):
    """A question as a reader finds it: texts are lines without markup, and fields that a format lacks are empty."""

    identifier: str
    name: str
    text: list[str]
    answers: list[Given]
    hints: list[str]
    solution: list[str]


def lines(html: str) -> list[str]:
    """The paragraphs and list items of a text."""
    return [element.text() for element in LexborHTMLParser(html).css("p, li")]


def line(html: str) -> str:
    """The only line of a text, or the text itself if it has no markup."""
    return "".join(lines(html)) or html


# --- Moodle XML -------------------------------------------------------------------


def read_moodle(text: str) -> list[Read]:
    """The questions of Moodle XML, as https://docs.moodle.org/en/Moodle_XML_format describes them."""
    category, *questions = ElementTree.fromstring(text)  # noqa: S314  it is our own
    assert "category" == category.get("type")
    return [_moodle(question) for question in questions]


def _moodle(question: ElementTree.Element) -> Read:
    assert question.get("type") in ("numerical", "multichoice")
    return Read(
        question.findtext("idnumber", ""),
        question.findtext("name/text", ""),
        lines(question.findtext("questiontext/text", "")),
        [
            Given(
                line(answer.findtext("text", "")),
                float(answer.get("fraction", "")),
                line(answer.findtext("feedback/text", "")),
                float(answer.findtext("tolerance", "0")),
            )
            for answer in question.findall("answer")
        ],
        [line(hint.findtext("text", "")) for hint in question.findall("hint")],
        lines(question.findtext("generalfeedback/text", "")),
    )


# --- GIFT -------------------------------------------------------------------------


def read_gift(paths: Sequence[Path]) -> list[list[Read]]:
    """The questions of GIFT files, as gift-pegjs reads them; it needs Node.js."""
    command = ["node", str(READ_GIFT), *map(str, paths)]
    process = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    files = json.loads(process.stdout)
    return [[_gift(question) for question in questions if question["type"] != "Category"] for questions in files]


def _gift(question: dict[str, Any]) -> Read:
    return Read(
        question["id"],
        question["title"],
        lines(question["stem"]["text"]),
        [_gift_answer(choice) for choice in question["choices"]],
        [],
        lines(question["globalFeedback"]["text"]),
    )


def _gift_answer(choice: dict[str, Any]) -> Given:
    """An answer; without a weight, it has full marks if GIFT calls it correct, and none otherwise."""
    mark = choice["weight"] if choice["weight"] is not None else 100 * choice["isCorrect"]
    text, feedback = choice["text"], line(choice["feedback"]["text"])
    if "number" in text:
        return Given(str(text["number"]), mark, feedback, text["range"])
    return Given(line(text["text"]), mark, feedback)


# --- QTI 1.2 ----------------------------------------------------------------------


def read_canvas(package: bytes, choices: bool = False) -> list[Read]:
    """The questions in a package of QTI 1.2, found through its manifest; of two assessments, one is read."""
    with zipfile.ZipFile(io.BytesIO(package)) as files:
        assert files.testzip() is None
        manifest = ElementTree.fromstring(files.read("imsmanifest.xml"))  # noqa: S314  it is our own
        resources = manifest.findall("resources/resource", PACKAGE)
        assert {"imsqti_xmlv1p2"} == {resource.get("type") for resource in resources}
        names = [resource.get("href", "") for resource in resources]
        assert ["imsmanifest.xml", *names] == files.namelist()
        assessment = ElementTree.fromstring(files.read(names[-1 if choices else 0]))  # noqa: S314  likewise
    return [_canvas(item) for item in assessment.iterfind(".//item", QTI)]


def _canvas(item: ElementTree.Element) -> Read:
    """An item, with the marks and the feedback that its conditions give to each answer."""
    texts = {feedback.get("ident", ""): _qti_text(feedback) for feedback in item.findall("itemfeedback", QTI)}
    conditions = item.findall("resprocessing/respcondition", QTI)
    always = [condition for condition in conditions if condition.find("conditionvar/other", QTI) is not None]
    solution = [text for condition in always for name in _links(condition) for text in lines(texts[name])]
    answers = []
    for label in item.iterfind(".//render_choice/response_label", QTI):
        matching = [
            condition
            for condition in conditions
            if condition.findtext("conditionvar/varequal", "", QTI) == label.get("ident")
        ]
        marks = [float(score) for condition in matching if (score := condition.findtext("setvar", None, QTI))]
        feedback = " ".join(line(texts[name]) for condition in matching for name in _links(condition))
        answers.append(Given(line(_qti_text(label)), sum(marks), feedback))
    for field in item.iterfind(".//response_str", QTI):
        assert "Decimal" == field.find("render_fib", QTI).get("fibtype")  # type: ignore[union-attr]
        (right_condition,) = (condition for condition in conditions if condition.find("setvar", QTI) is not None)
        exact, low, high = (
            right_condition.findtext(f".//{test}", "", QTI) for test in ("varequal", "vargte", "varlte")
        )
        answers = [Given(exact, float(right_condition.findtext("setvar", "", QTI)), "", int(high) - int(low))]
    question = item.find("presentation/material", QTI)
    assert question is not None
    return Read(
        item.get("ident", "").removesuffix("-choices"),
        item.get("title", ""),
        lines(_qti_text(question)),
        answers,
        [],
        solution,
    )


def _links(condition: ElementTree.Element) -> list[str]:
    """The names of the feedback that a condition shows."""
    return [feedback.get("linkrefid", "") for feedback in condition.findall("displayfeedback", QTI)]


def _qti_text(element: ElementTree.Element) -> str:
    material = element.find(".//mattext", QTI)
    assert material is not None
    assert "text/html" == material.get("texttype")
    return material.text or ""


# --- CSV --------------------------------------------------------------------------


def read_csv(text: str) -> list[Read]:
    """The questions in a sheet; a wrong answer and its feedback are on the same line of their cells."""
    return [_row(row) for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))]


def _row(row: dict[str, str]) -> Read:
    wrong = zip(_lines_of(row["wrong answers"]), _lines_of(row["feedback to wrong answers"]), strict=True)
    answers = [Given(row["answer"], 100, row["feedback"]), *(Given(text, 0, feedback) for text, feedback in wrong)]
    question, hints, solution = (_lines_of(row[column]) for column in ("question", "hints", "solution"))
    return Read(f"{row['set']}-{row['variant']}", row["name"], question, answers, hints, solution)


def _lines_of(cell: str) -> list[str]:
    return cell.split("\n") if cell else []


# --- Brightspace and Blackboard -----------------------------------------------------


def read_brightspace(text: str) -> list[Read]:
    """The questions in a file, by the rules of D2L's sample file.

    The first field of a line names it; `NewQuestion` begins a question, and `//` a comment.
    """
    questions: list[list[list[str]]] = []
    for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")):
        assert len(row) == 5
        if row[0] == "NewQuestion":
            questions.append([])
        if row[0] and not row[0].startswith("//"):
            questions[-1].append(row)
    return [_brightspace(rows) for rows in questions]


def _brightspace(rows: list[list[str]]) -> Read:
    """A question; a short answer may be typed with or without commas."""
    fields = {name: value for name, value, *_ in rows}
    assert {"HTML"} == {row[2] for row in rows if row[0] in ("QuestionText", "Hint", "Feedback")}
    numbers = [float(value) for name, mark, value, *_ in rows if name == "Answer" and value.isdigit() and mark == "100"]
    commas = [value for name, _, value, *_ in rows if name == "Answer" and not value.isdigit()]
    answers = [Given(value, float(mark), feedback) for name, mark, value, _, feedback in rows if name == "Option"]
    if fields["NewQuestion"] == "SA":
        assert [f"{number:,.0f}" for number in numbers if number > 999] == commas
        answers = [Given(f"{number:.0f}", 100, "") for number in numbers]
    text, hints, solution = (lines(fields[name]) for name in ("QuestionText", "Hint", "Feedback"))
    return Read(fields["ID"], fields["Title"], text, answers, hints, solution)


def read_blackboard(text: str) -> list[Read]:
    """The questions in a file, by Blackboard's manual: one per line, with fields separated by tabs."""
    return [_blackboard(*line.split("\t")) for line in text.removesuffix("\r\n").split("\r\n")]


def _blackboard(kind: str, text: str, *fields: str) -> Read:
    """A question; the format has no names and no feedback."""
    if kind == "NUM":
        (right_answer, margin) = fields
        return Read("", "", [text], [Given(right_answer, 100, "", float(margin))], [], [])
    assert ("MC", {"correct", "incorrect"}) == (kind, set(fields[1::2]))
    marks = zip(fields[::2], fields[1::2], strict=True)
    return Read("", "", [text], [Given(answer, 100 * (mark == "correct"), "") for answer, mark in marks], [], [])
