"""QTI 1.2 packages for Canvas. If numbers are to be typed, there is a second assessment with numbers to choose from.

The second one exists because Canvas cannot show feedback on a particular typed number, so only
multiple-choice questions have feedback on each answer. The sum is shown after any answer.

Sources: IMS Question & Test Interoperability, ASI XML Binding 1.2 (2002); IMS Content Packaging
1.1.3; and QTIMigrationTool, the program with which Canvas reads both. `make verify` reads our files
with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from ..sets import fill, load_sets
from . import markup
from .entries import Bank, BankEntry, with_choices
from .package import zip_of

XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
"""The XML namespaces of an assessment and of the manifest of a package."""

RESPONSE = "response"
GENERAL = "general"
"""The names of the field for the answer, and of the feedback that is shown after any answer."""

CHOICES = "-choices"
"""The suffix of the name of an assessment with numbers to choose from, and of the names of its questions."""


def render(bank: Bank) -> bytes:
    """A bank as a package: a manifest, an assessment and, if numbers are typed in it, a second one with choices."""
    name = f"bert-counted-{bank.set}"
    texts = load_sets().banks
    assessments = {name: _assessment(name, fill(texts["assessment"], title=bank.title), bank.entries)}
    if any(entry.is_numeric for entry in bank.entries):
        title = fill(texts["choices"], title=bank.title)
        assessments[f"{name}{CHOICES}"] = _assessment(f"{name}{CHOICES}", title, map(with_choices, bank.entries))
    files = {"imsmanifest.xml": _manifest(name, assessments)}
    files |= {f"{assessment}.xml": content for assessment, content in assessments.items()}
    return zip_of(files)


def _manifest(name: str, assessments: Iterable[str]) -> str:
    """The list of files in the package, which importers read first."""
    resources = "".join(
        f'<resource identifier="{file}" type="imsqti_xmlv1p2" href="{file}.xml"><file href="{file}.xml"/></resource>\n'
        for file in assessments
    )
    return (
        f'{XML_DECLARATION}<manifest identifier="{name}-package" xmlns="{PACKAGE}">\n'
        "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>\n<organizations/>\n"
        f"<resources>\n{resources}</resources>\n</manifest>\n"
    )


def _assessment(name: str, title: str, entries: Iterable[BankEntry]) -> str:
    """An assessment as an XML file."""
    suffix = CHOICES if name.endswith(CHOICES) else ""
    items = ""
    for entry in entries:
        item = _numeric_item if entry.is_numeric else _choice_item
        items += item(entry, f"{entry.identifier}{suffix}")
    return (
        f'{XML_DECLARATION}<questestinterop xmlns="{QTI}">\n<assessment ident="{name}" title="{escape(title)}">\n'
        f'<section ident="root_section">\n{items}</section>\n</assessment>\n</questestinterop>\n'
    )


def _numeric_item(entry: BankEntry, name: str) -> str:
    """A question with a number to type.

    Canvas requires a range in addition to the exact number. Both bounds equal the number, so there is no tolerance.
    """
    (correct_text,) = (answer.text for answer in entry.answers if answer.is_correct)
    bounds = "".join(f'<{bound} respident="{RESPONSE}">{correct_text}</{bound}>' for bound in ("vargte", "varlte"))
    field = (
        f'<response_str ident="{RESPONSE}" rcardinality="Single"><render_fib fibtype="Decimal">'
        '<response_label ident="answer"/></render_fib></response_str>'
    )
    rules = f"{_sum_rule()}{_score_rule(f'<or>{_equals(correct_text)}<and>{bounds}</and></or>')}"
    return _item(entry, name, "numerical_question", field, rules, {GENERAL: markup.solution(entry)})


def _choice_item(entry: BankEntry, name: str) -> str:
    """A question with answers to choose from. Each answer shows the sum and the feedback on that answer."""
    answers = {f"answer-{number}": answer for number, answer in enumerate(entry.answers, 1)}
    correct_identifier = next(identifier for identifier, answer in answers.items() if answer.is_correct)
    labels = (
        f'<response_label ident="{identifier}">{_material(markup.paragraphs([answer.text]))}</response_label>\n'
        for identifier, answer in answers.items()
    )
    field = (
        f'<response_lid ident="{RESPONSE}" rcardinality="Single"><render_choice>\n{"".join(labels)}'
        "</render_choice></response_lid>"
    )
    feedback_rules = "".join(
        f'<respcondition continue="Yes"><conditionvar>{_equals(identifier)}</conditionvar>{_display(identifier)}'
        "</respcondition>\n"
        for identifier in answers
    )
    feedback = {GENERAL: markup.solution(entry)}
    feedback |= {identifier: markup.paragraphs([answer.feedback]) for identifier, answer in answers.items()}
    rules = f"{_sum_rule()}{feedback_rules}{_score_rule(_equals(correct_identifier))}"
    return _item(entry, name, "multiple_choice_question", field, rules, feedback)


def _item(entry: BankEntry, name: str, kind: str, field: str, rules: str, feedback: Mapping[str, str]) -> str:
    """A question as an item of an assessment.

    Args:
        entry: the question.
        name: the identifier of the question in the assessment.
        kind: Canvas's name for the kind of question.
        field: the element in which students answer.
        rules: the conditions that score an answer and show feedback.
        feedback: HTML that rules can show, by name.
    """
    metadata = _metadata_fields(question_type=kind, points_possible="1")
    return (
        f'<item ident="{name}" title="{escape(entry.name)}">\n'
        f"<itemmetadata><qtimetadata>{metadata}</qtimetadata></itemmetadata>\n"
        f"<presentation>{_material(markup.prompt(entry))}\n{field}</presentation>\n"
        '<resprocessing>\n<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>'
        f"\n{rules}</resprocessing>\n{''.join(map(_feedback, feedback, feedback.values()))}</item>\n"
    )


def _metadata_fields(**fields: str) -> str:
    """The metadata of a question, given by Canvas's names for its fields."""
    return "".join(
        f"<qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{text}</fieldentry></qtimetadatafield>"
        for label, text in fields.items()
    )


def _sum_rule() -> str:
    """The rule that shows the sum after any answer; the rules after it apply, too."""
    return f'<respcondition continue="Yes"><conditionvar><other/></conditionvar>{_display(GENERAL)}</respcondition>\n'


def _score_rule(condition: str) -> str:
    """The rule that gives full marks if a condition holds; no rule after it applies then."""
    return (
        f'<respcondition continue="No"><conditionvar>{condition}</conditionvar>'
        '<setvar action="Set" varname="SCORE">100</setvar></respcondition>\n'
    )


def _equals(answer: str) -> str:
    """The condition that a student's answer is this number, or the choice of this name."""
    return f'<varequal respident="{RESPONSE}">{answer}</varequal>'


def _display(name: str) -> str:
    """The instruction to show the feedback of this name."""
    return f'<displayfeedback feedbacktype="Response" linkrefid="{name}_fb"/>'


def _feedback(name: str, html: str) -> str:
    """A text of feedback, which rules refer to by its name."""
    return f'<itemfeedback ident="{name}_fb"><flow_mat>{_material(html)}</flow_mat></itemfeedback>\n'


def _material(html: str) -> str:
    """HTML within XML, escaped as text."""
    return f'<material><mattext texttype="text/html">{escape(html)}</mattext></material>'
