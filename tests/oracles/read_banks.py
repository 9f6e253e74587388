"""Read the banks for Moodle and Canvas with the importers of these platforms; compare the answers with the engine's.

Run by `make verify`, with checkouts of Moodle and of QTIMigrationTool:

    python -m tests.oracles.read_banks MOODLE QTI_MIGRATION_TOOL

Moodle's own importers for Moodle XML and GIFT run in PHP; see read_moodle.php. Canvas
reads QTI 1.2 through QTIMigrationTool, which converts it to QTI 2.1. The tool includes
the DTD for QTI 1.2 that IMS published, and every file must conform to it.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lxml import etree

from macros.teaching.banks import FORMATS, bank_content
from macros.teaching.files import BANK_SEEDS
from macros.teaching.sets import load_sets
from tests.teaching.judging import BY_FORMAT, faults
from tests.teaching.reading import ReadAnswer, ReadQuestion, line, lines

READ_MOODLE = Path(__file__).with_name("read_moodle.php")

NO_PHP_MESSAGE = (
    "Moodle's importers were left out: they need PHP with XML and mbstring "
    "(Debian and Ubuntu: apt-get install php-cli php-xml php-mbstring)"
)

QTI21 = {"q": "http://www.imsglobal.org/xsd/imsqti_v2p1"}
"""The namespace of the QTI 2.1 that QTIMigrationTool writes."""


def main(moodle: Path, tool: Path) -> int:
    """Read all banks; return 1 if a question is not read as intended, if none is read, or if PHP is missing in CI."""
    messages = []
    question_count = 0
    lacks_php = not shutil.which("php")
    with TemporaryDirectory() as folder:
        for name in load_sets().sets:
            for form, reader in readers(moodle, tool).items():
                platform = form.removesuffix("-choices")
                if lacks_php and platform != "canvas":
                    continue
                path = Path(folder) / f"{name}{FORMATS[platform].ending}"
                path.write_bytes(bank_content(name, BANK_SEEDS, platform))
                questions = reader(path)
                question_count += len(questions)
                messages += [f"{path.name}: {fault}" for fault in faults(questions, name, BANK_SEEDS, BY_FORMAT[form])]
    print(*messages, f"{question_count} questions were read, with {len(messages)} faults", sep="\n")
    if lacks_php:
        print(NO_PHP_MESSAGE, file=sys.stderr)
    return int(bool(messages) or not question_count or (lacks_php and bool(os.environ.get("CI"))))


def readers(moodle: Path, tool: Path) -> dict[str, Callable[[Path], list[ReadQuestion]]]:
    """The functions that read banks, by their key in `BY_FORMAT`."""
    return {
        "moodle": lambda path: list(read_moodle(moodle, "xml", path)),
        "gift": lambda path: list(read_moodle(moodle, "gift", path)),
        "canvas": lambda path: list(read_canvas(tool, path)),
        "canvas-choices": lambda path: list(read_canvas(tool, path, has_choices=True)),
    }


# --- Moodle -----------------------------------------------------------------------


def read_moodle(root: Path, form: str, path: Path) -> Iterator[ReadQuestion]:
    """The questions that Moodle's importer for the format `form` reads from a file."""
    command = ["php", str(READ_MOODLE), str(root), form, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{result.stdout}{result.stderr}")
    category, *questions = json.loads(result.stdout)
    if category["qtype"] != "category":
        raise SystemExit(f"{path.name}: Moodle read no category")
    return map(_moodle_question, questions)


def _moodle_question(question: dict[str, Any]) -> ReadQuestion:
    """A question as Moodle would save it. Multiple-choice answers are HTML, and numerical answers are text."""
    tolerances = question.get("tolerance") or [0] * len(question["answer"])
    answers = zip(question["answer"], question["fraction"], question["feedback"], tolerances, strict=True)
    return ReadQuestion(
        question["idnumber"],
        question["name"],
        lines(question["questiontext"]),
        [
            ReadAnswer(
                line(text["text"] if isinstance(text, dict) else text),
                100 * mark,
                line(feedback["text"]),
                float(tolerance),
            )
            for text, mark, feedback, tolerance in answers
        ],
        [line(hint["text"]) for hint in question.get("hint", [])],
        lines(question["generalfeedback"]),
    )


# --- Canvas -----------------------------------------------------------------------


def read_canvas(tool: Path, path: Path, has_choices: bool = False) -> Iterator[ReadQuestion]:
    """The questions of one assessment in a package, in order, after Canvas's tool has converted them to QTI 2.1."""
    source = path.with_suffix(".unpacked")
    target = path.with_suffix(".migrated")
    with zipfile.ZipFile(path) as package:
        package.extractall(source)
    for assessment in source.glob("bert-counted-*.xml"):
        _check_valid(tool, assessment)
    # Canvas calls the tool like this; see gems/plugins/qti_exporter/lib/qti.rb.
    command = [sys.executable, str(tool / "migrate.py"), "--ucvars", "--nogui", "--overwrite", f"--cpout={target}"]
    result = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{result.stdout}{result.stderr}")
    # "-choices.xml" sorts before ".xml"; a set without typed answers has only one assessment.
    test = sorted(target.glob("assessmentTests/*.xml"))[0 if has_choices else -1]
    for reference in etree.parse(test).iterfind(".//q:assessmentItemRef", QTI21):
        yield _canvas_question(etree.parse(test.parent / reference.get("href")).getroot())


def _check_valid(tool: Path, path: Path) -> None:
    """Stop if a file does not conform to the published DTD.

    The namespace of the file is removed first, because the DTD has none.
    """
    text = path.read_text(encoding="utf-8")
    root = etree.fromstring(text.replace(' xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"', "").encode())
    dtd = etree.DTD(str(tool / "schemas" / "ims_qtiasiv1p2p1.dtd"))
    if not dtd.validate(root):
        raise SystemExit(f"{path.name} is not valid QTI 1.2:\n{dtd.error_log}")


def _canvas_question(item: Any) -> ReadQuestion:
    """The question in an item of QTI 2.1, whose rules give the feedback and the mark for every choice."""
    texts = {element.get("identifier"): _html(element) for element in item.iterfind("q:modalFeedback", QTI21)}
    rules = item.findall("q:responseProcessing/q:responseCondition/q:responseIf", QTI21)
    unconditional_rules = [
        rule for rule in rules if rule.find("q:match", QTI21) is None and rule.find("q:gt", QTI21) is None
    ]
    answers = []
    for choice in item.iterfind(".//q:simpleChoice", QTI21):
        choice_rules = [
            rule for rule in rules if rule.findtext("q:match/q:baseValue", "", QTI21) == choice.get("identifier")
        ]
        feedback = [line(texts[name]) for rule in choice_rules for name in _outcomes(rule, "FEEDBACK")]
        mark = sum(float(score) for rule in choice_rules for score in _outcomes(rule, "SCORE"))
        answers.append(ReadAnswer(line(_html(choice)), mark, " ".join(feedback)))
    if item.find(".//q:extendedTextInteraction", QTI21) is not None:
        answers = [_numerical_answer(next(rule for rule in rules if rule.find("q:or", QTI21) is not None))]
    solution = [
        text for rule in unconditional_rules for name in _outcomes(rule, "FEEDBACK") for text in lines(texts[name])
    ]
    text = lines(_html(item.find("q:itemBody", QTI21)))
    return ReadQuestion(item.get("identifier").removesuffix("-choices"), item.get("title"), text, answers, [], solution)


def _numerical_answer(rule: Any) -> ReadAnswer:
    """The answer that a rule accepts, as Canvas reads it.

    Source: gems/plugins/qti_exporter/lib/qti/numeric_interaction.rb, get_canvas_answers.
    """
    exact = rule.findtext("q:or/q:stringMatch/q:baseValue", "", QTI21)
    upper = rule.findtext("q:or/q:and/q:customOperator[@class='varlte']/q:baseValue", "", QTI21)
    return ReadAnswer(exact, float(_outcomes(rule, "SCORE")[0]), "", int(upper) - int(exact))


def _outcomes(rule: Any, name: str) -> list[str]:
    """The values to which a rule sets an outcome, such as SCORE."""
    path = f"q:setOutcomeValue[@identifier='{name}']//q:baseValue"
    return [element.text for element in rule.iterfind(path, QTI21)]


def _html(element: Any) -> str:
    """The HTML that Canvas shows for an element: the text of its first `div`."""
    return str(element.findtext(".//q:div", "", QTI21))


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
