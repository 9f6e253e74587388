"""Reads question banks in every format back as `ReadQuestion`.

gift-pegjs reads GIFT. Moodle XML is parsed with Python's XML parser and interpreted here, because no package reads
Moodle's numerical questions (moodle-questions and moodle-tools only write them). QTI is read in the same way, because
the tool that Canvas uses needs a checkout that tests lack. Files for Brightspace are read following D2L's sample file,
and those for Blackboard according to its manual. `make verify` reads the same files with Moodle's own importers and
with the tool that Canvas uses to read QTI; see `tests/oracles/read_banks.py`.
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
"""The script that prints, as JSON, the questions that gift-pegjs reads in files."""

QTI = {"": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}
"""The XML namespace of an assessment."""

PACKAGE = {"": "http://www.imsglobal.org/xsd/imscp_v1p1"}
"""The XML namespace of a package's manifest."""


class ReadAnswer(NamedTuple):
    """An answer in a file: its text without markup, its mark in percent, its feedback and its tolerance."""

    text: str
    mark: float
    feedback: str
    tolerance: float = 0


class ReadQuestion(NamedTuple):
    """A question in a file, in lines without markup. Fields that the format lacks are empty."""

    identifier: str
    name: str
    text: list[str]
    answers: list[ReadAnswer]
    hints: list[str]
    solution: list[str]


def lines(html: str) -> list[str]:
    """The paragraphs and list items of a text."""
    return [element.text() for element in LexborHTMLParser(html).css("p, li")]


def line(html: str) -> str:
    """The only line of a text, or the text itself if it has no paragraph or list item."""
    return "".join(lines(html)) or html


# --- Moodle XML -------------------------------------------------------------------


def read_moodle(text: str) -> list[ReadQuestion]:
    """The questions in a file of Moodle XML. Source: https://docs.moodle.org/en/Moodle_XML_format."""
    category, *questions = ElementTree.fromstring(text)  # noqa: S314  the file is our own
    assert "category" == category.get("type")
    return [_moodle(question) for question in questions]


def _moodle(question: ElementTree.Element) -> ReadQuestion:
    """The question in an element of Moodle XML."""
    assert question.get("type") in ("numerical", "multichoice")
    return ReadQuestion(
        question.findtext("idnumber", ""),
        question.findtext("name/text", ""),
        lines(question.findtext("questiontext/text", "")),
        [
            ReadAnswer(
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


def read_gift(paths: Sequence[Path]) -> list[list[ReadQuestion]]:
    """The questions in GIFT files, read by gift-pegjs, which needs Node.js."""
    command = ["node", str(READ_GIFT), *map(str, paths)]
    process = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    files = json.loads(process.stdout)
    return [[_gift(question) for question in questions if question["type"] != "Category"] for questions in files]


def _gift(question: dict[str, Any]) -> ReadQuestion:
    """A question as gift-pegjs describes it; GIFT has no hints."""
    return ReadQuestion(
        question["id"],
        question["title"],
        lines(question["stem"]["text"]),
        [_gift_answer(choice) for choice in question["choices"]],
        [],
        lines(question["globalFeedback"]["text"]),
    )


def _gift_answer(choice: dict[str, Any]) -> ReadAnswer:
    """An answer. If it has no weight, its mark is 100 if GIFT calls it correct, and 0 otherwise."""
    mark = choice["weight"] if choice["weight"] is not None else 100 * choice["isCorrect"]
    text, feedback = choice["text"], line(choice["feedback"]["text"])
    if "number" in text:
        return ReadAnswer(str(text["number"]), mark, feedback, text["range"])
    return ReadAnswer(line(text["text"]), mark, feedback)


# --- QTI 1.2 ----------------------------------------------------------------------


def read_canvas(package: bytes, choices: bool = False) -> list[ReadQuestion]:
    """The questions in a package of QTI 1.2, found through its manifest.

    Args:
        package: the bytes of the package.
        choices: whether to read the second of its two assessments, in which numbers are chosen instead of typed.
    """
    with zipfile.ZipFile(io.BytesIO(package)) as files:
        assert files.testzip() is None
        manifest = ElementTree.fromstring(files.read("imsmanifest.xml"))  # noqa: S314  the file is our own
        resources = manifest.findall("resources/resource", PACKAGE)
        assert {"imsqti_xmlv1p2"} == {resource.get("type") for resource in resources}
        names = [resource.get("href", "") for resource in resources]
        assert ["imsmanifest.xml", *names] == files.namelist()
        assessment = ElementTree.fromstring(files.read(names[-1 if choices else 0]))  # noqa: S314  likewise
    return [_canvas(item) for item in assessment.iterfind(".//item", QTI)]


def _canvas(item: ElementTree.Element) -> ReadQuestion:
    """The question in an item; its conditions determine the mark of each answer and the feedback on it."""
    texts = {feedback.get("ident", ""): _qti_text(feedback) for feedback in item.findall("itemfeedback", QTI)}
    conditions = item.findall("resprocessing/respcondition", QTI)
    catch_all_conditions = [
        condition for condition in conditions if condition.find("conditionvar/other", QTI) is not None
    ]
    solution = []
    for condition in catch_all_conditions:
        for name in _links(condition):
            solution += lines(texts[name])
    answers = []
    for label in item.iterfind(".//render_choice/response_label", QTI):
        label_conditions = [
            condition
            for condition in conditions
            if condition.findtext("conditionvar/varequal", "", QTI) == label.get("ident")
        ]
        marks = [float(condition.findtext("setvar", "", QTI) or 0) for condition in label_conditions]
        feedback = " ".join(line(texts[name]) for condition in label_conditions for name in _links(condition))
        answers.append(ReadAnswer(line(_qti_text(label)), sum(marks), feedback))
    for field in item.iterfind(".//response_str", QTI):
        assert "Decimal" == field.find("render_fib", QTI).get("fibtype")  # type: ignore[union-attr]
        (correct_condition,) = (condition for condition in conditions if condition.find("setvar", QTI) is not None)
        exact, low, high = (
            correct_condition.findtext(f".//{test}", "", QTI) for test in ("varequal", "vargte", "varlte")
        )
        answers = [ReadAnswer(exact, float(correct_condition.findtext("setvar", "", QTI)), "", int(high) - int(low))]
    question = item.find("presentation/material", QTI)
    assert question is not None
    return ReadQuestion(
        item.get("ident", "").removesuffix("-choices"),
        item.get("title", ""),
        lines(_qti_text(question)),
        answers,
        [],
        solution,
    )


def _links(condition: ElementTree.Element) -> list[str]:
    """The identifiers of the feedback that a condition displays."""
    return [feedback.get("linkrefid", "") for feedback in condition.findall("displayfeedback", QTI)]


def _qti_text(element: ElementTree.Element) -> str:
    """The HTML of the first text within an element."""
    material = element.find(".//mattext", QTI)
    assert material is not None
    assert "text/html" == material.get("texttype")
    return material.text or ""


# --- CSV --------------------------------------------------------------------------


def read_csv(text: str) -> list[ReadQuestion]:
    """The questions in a sheet.

    `wrong answers` has one answer per line, and `feedback on wrong answers` the feedback on each.
    """
    return [_row(row) for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))]


def _row(row: dict[str, str]) -> ReadQuestion:
    """The question in a row of a sheet."""
    wrong_answers = zip(_lines_of(row["wrong answers"]), _lines_of(row["feedback on wrong answers"]), strict=True)
    answers = [
        ReadAnswer(row["answer"], 100, row["feedback"]),
        *(ReadAnswer(text, 0, feedback) for text, feedback in wrong_answers),
    ]
    question, hints, solution = (_lines_of(row[column]) for column in ("question", "hints", "solution"))
    return ReadQuestion(f"{row['set']}-{row['variant']}", row["name"], question, answers, hints, solution)


def _lines_of(cell: str) -> list[str]:
    """The lines in a cell; an empty cell has no lines."""
    return cell.split("\n") if cell else []


# --- Brightspace and Blackboard -----------------------------------------------------


def read_brightspace(text: str) -> list[ReadQuestion]:
    """The questions in a file for Brightspace, following D2L's sample file.

    The first field of a line names its content: `NewQuestion` begins a question, and `//` begins a comment.
    """
    questions: list[list[list[str]]] = []
    for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")):
        assert len(row) == 5
        if row[0] == "NewQuestion":
            questions.append([])
        if row[0] and not row[0].startswith("//"):
            questions[-1].append(row)
    return [_brightspace(rows) for rows in questions]


def _brightspace(rows: list[list[str]]) -> ReadQuestion:
    """The question in `rows`. A short answer may be typed with or without commas."""
    fields = {name: value for name, value, *_ in rows}
    assert {"HTML"} == {row[2] for row in rows if row[0] in ("QuestionText", "Hint", "Feedback")}
    numbers = [float(value) for name, mark, value, *_ in rows if name == "Answer" and value.isdigit() and mark == "100"]
    numbers_with_commas = [value for name, _, value, *_ in rows if name == "Answer" and not value.isdigit()]
    answers = [ReadAnswer(value, float(mark), feedback) for name, mark, value, _, feedback in rows if name == "Option"]
    if fields["NewQuestion"] == "SA":
        assert [f"{number:,.0f}" for number in numbers if number > 999] == numbers_with_commas
        answers = [ReadAnswer(f"{number:.0f}", 100, "") for number in numbers]
    text, hints, solution = (lines(fields[name]) for name in ("QuestionText", "Hint", "Feedback"))
    return ReadQuestion(fields["ID"], fields["Title"], text, answers, hints, solution)


def read_blackboard(text: str) -> list[ReadQuestion]:
    """The questions in a file for Blackboard.

    According to Blackboard's manual, each line is a question with fields separated by tabs.
    """
    return [_blackboard(*row.split("\t")) for row in text.removesuffix("\r\n").split("\r\n")]


def _blackboard(kind: str, text: str, *fields: str) -> ReadQuestion:
    """The question in the fields of a line; the format has no names and no feedback."""
    if kind == "NUM":
        (correct_answer, tolerance) = fields
        return ReadQuestion("", "", [text], [ReadAnswer(correct_answer, 100, "", float(tolerance))], [], [])
    assert ("MC", {"correct", "incorrect"}) == (kind, set(fields[1::2]))
    marks = zip(fields[::2], fields[1::2], strict=True)
    return ReadQuestion(
        "", "", [text], [ReadAnswer(answer, 100 * (mark == "correct"), "") for answer, mark in marks], [], []
    )
