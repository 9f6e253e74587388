"""Question banks read back, each format into the same form, by readers that are not ours as far as there are such.

GIFT is read by gift-pegjs, and Moodle XML and QTI by Python's XML parser here;
what Brightspace and Blackboard read is read by the rules of their manuals;
`make verify` reads the same files with Moodle's own importers and with the
tool through which Canvas reads QTI: see `tests/oracles/read_banks.py`.
No package reads Moodle's numerical questions: moodle-questions and
moodle-tools only write them.
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
    """An answer as a reader found it: its text without markup, its mark in percent, its feedback, and its tolerance."""

    text: str
    mark: float
    feedback: str
    tolerance: float = 0


class Read(NamedTuple):
    """A question as a reader found it, its texts as lines without markup; what a format lacks is empty."""

    identifier: str
    name: str
    text: list[str]
    answers: list[Given]
    hints: list[str]
    solution: list[str]


def lines(html: str) -> list[str]:
    """The paragraphs and items of a text."""
    return [each.text() for each in LexborHTMLParser(html).css("p, li")]


def line(html: str) -> str:
    """A text of one paragraph, or of none."""
    return "".join(lines(html)) or html


# --- Moodle XML -------------------------------------------------------------------


def read_moodle(text: str) -> list[Read]:
    """The questions of Moodle XML, as https://docs.moodle.org/en/Moodle_XML_format describes them."""
    category, *questions = ElementTree.fromstring(text)  # noqa: S314  it is our own
    assert "category" == category.get("type")
    return [_moodle(each) for each in questions]


def _moodle(question: ElementTree.Element) -> Read:
    assert question.get("type") in ("numerical", "multichoice")
    return Read(
        question.findtext("idnumber", ""),
        question.findtext("name/text", ""),
        lines(question.findtext("questiontext/text", "")),
        [
            Given(
                line(each.findtext("text", "")),
                float(each.get("fraction", "")),
                line(each.findtext("feedback/text", "")),
                float(each.findtext("tolerance", "0")),
            )
            for each in question.findall("answer")
        ],
        [line(each.findtext("text", "")) for each in question.findall("hint")],
        lines(question.findtext("generalfeedback/text", "")),
    )


# --- GIFT -------------------------------------------------------------------------


def read_gift(paths: Sequence[Path]) -> list[list[Read]]:
    """The questions of GIFT files, as gift-pegjs reads them; it needs Node.js."""
    command = ["node", str(READ_GIFT), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    return [[_gift(each) for each in found if each["type"] != "Category"] for found in json.loads(done.stdout)]


def _gift(question: dict[str, Any]) -> Read:
    return Read(
        question["id"],
        question["title"],
        lines(question["stem"]["text"]),
        [_gift_answer(each) for each in question["choices"]],
        [],
        lines(question["globalFeedback"]["text"]),
    )


def _gift_answer(choice: dict[str, Any]) -> Given:
    """An answer without a mark of its own has all of it, or nothing if it is wrong."""
    mark = choice["weight"] if choice["weight"] is not None else 100 * choice["isCorrect"]
    text, feedback = choice["text"], line(choice["feedback"]["text"])
    if "number" in text:
        return Given(str(text["number"]), mark, feedback, text["range"])
    return Given(line(text["text"]), mark, feedback)


# --- QTI 1.2 ----------------------------------------------------------------------


def read_canvas(package: bytes, choices: bool = False) -> list[Read]:
    """The questions of a package with QTI 1.2, found as its manifest says; where two assessments are, those of one."""
    with zipfile.ZipFile(io.BytesIO(package)) as files:
        assert files.testzip() is None
        manifest = ElementTree.fromstring(files.read("imsmanifest.xml"))  # noqa: S314  it is our own
        resources = manifest.findall("resources/resource", PACKAGE)
        assert {"imsqti_xmlv1p2"} == {each.get("type") for each in resources}
        names = [each.get("href", "") for each in resources]
        assert ["imsmanifest.xml", *names] == files.namelist()
        assessment = ElementTree.fromstring(files.read(names[-1 if choices else 0]))  # noqa: S314  likewise
    return [_canvas(each) for each in assessment.iterfind(".//item", QTI)]


def _canvas(item: ElementTree.Element) -> Read:
    """An item, its answers judged by the conditions that it gives."""
    shown = {each.get("ident", ""): _qti_text(each) for each in item.findall("itemfeedback", QTI)}
    conditions = item.findall("resprocessing/respcondition", QTI)
    always = [each for each in conditions if each.find("conditionvar/other", QTI) is not None]
    solution = [text for each in always for name in _linked(each) for text in lines(shown[name])]
    answers = []
    for label in item.iterfind(".//render_choice/response_label", QTI):
        met = [each for each in conditions if each.findtext("conditionvar/varequal", "", QTI) == label.get("ident")]
        marks = [float(each.findtext("setvar", "0", QTI)) for each in met if each.find("setvar", QTI) is not None]
        feedback = [line(shown[name]) for each in met for name in _linked(each)]
        answers.append(Given(line(_qti_text(label)), sum(marks), " ".join(feedback)))
    for field in item.iterfind(".//response_str", QTI):
        assert "Decimal" == field.find("render_fib", QTI).get("fibtype")  # type: ignore[union-attr]
        (right,) = (each for each in conditions if each.find("setvar", QTI) is not None)
        exact, low, high = (right.findtext(f".//{each}", "", QTI) for each in ("varequal", "vargte", "varlte"))
        answers = [Given(exact, float(right.findtext("setvar", "", QTI)), "", int(high) - int(low))]
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


def _linked(condition: ElementTree.Element) -> list[str]:
    return [each.get("linkrefid", "") for each in condition.findall("displayfeedback", QTI)]


def _qti_text(element: ElementTree.Element) -> str:
    found = element.find(".//mattext", QTI)
    assert found is not None
    assert "text/html" == found.get("texttype")
    return found.text or ""


# --- CSV --------------------------------------------------------------------------


def read_csv(text: str) -> list[Read]:
    """The questions of a sheet; the feedback of each wrong answer is in the same line of its cell."""
    return [_row(each) for each in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))]


def _row(row: dict[str, str]) -> Read:
    wrong = zip(_lines_of(row["wrong answers"]), _lines_of(row["feedback to wrong answers"]), strict=True)
    answers = [Given(row["answer"], 100, row["feedback"]), *(Given(text, 0, feedback) for text, feedback in wrong)]
    question, hints, solution = (_lines_of(row[each]) for each in ("question", "hints", "solution"))
    return Read(f"{row['set']}-{row['variant']}", row["name"], question, answers, hints, solution)


def _lines_of(cell: str) -> list[str]:
    return cell.split("\n") if cell else []


# --- Brightspace and Blackboard -----------------------------------------------------


def read_brightspace(text: str) -> list[Read]:
    """The questions of a file as D2L's sample of an import has them.

    The first field names a line, one that begins with strokes is a remark, and NewQuestion begins a question.
    """
    found: list[list[list[str]]] = []
    for each in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")):
        assert len(each) == 5
        if each[0] == "NewQuestion":
            found.append([])
        if each[0] and not each[0].startswith("//"):
            found[-1].append(each)
    return [_brightspace(each) for each in found]


def _brightspace(rows: list[list[str]]) -> Read:
    """A question; a short answer may be typed in several ways, of which the first is that without commas."""
    fields = {name: value for name, value, *_ in rows}
    assert {"HTML"} == {each[2] for each in rows if each[0] in ("QuestionText", "Hint", "Feedback")}
    typed = [float(value) for name, mark, value, *_ in rows if name == "Answer" and value.isdigit() and mark == "100"]
    commas = [value for name, _, value, *_ in rows if name == "Answer" and not value.isdigit()]
    answers = [Given(value, float(mark), said) for name, mark, value, _, said in rows if name == "Option"]
    if fields["NewQuestion"] == "SA":
        assert [f"{each:,.0f}" for each in typed if each > 999] == commas
        answers = [Given(f"{each:.0f}", 100, "") for each in typed]
    text, hints, solution = (lines(fields[name]) for name in ("QuestionText", "Hint", "Feedback"))
    return Read(fields["ID"], fields["Title"], text, answers, hints, solution)


def read_blackboard(text: str) -> list[Read]:
    """The questions of a file by the rules of Blackboard's manual: a line each, fields between tabs, English words."""
    return [_blackboard(*each.split("\t")) for each in text.removesuffix("\r\n").split("\r\n")]


def _blackboard(kind: str, text: str, *fields: str) -> Read:
    """A question, which has no name and nothing to say to an answer."""
    if kind == "NUM":
        (right, margin) = fields
        return Read("", "", [text], [Given(right, 100, "", float(margin))], [], [])
    assert ("MC", {"correct", "incorrect"}) == (kind, set(fields[1::2]))
    marks = zip(fields[::2], fields[1::2], strict=True)
    return Read("", "", [text], [Given(each, 100 * (mark == "correct"), "") for each, mark in marks], [], [])
