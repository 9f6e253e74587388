"""QTI 1.2 in a package as Canvas imports it: an assessment with numbers to type, and the same as multiple choice.

In QTI 1.2 as Canvas reads it, a typed number has no feedback for one wrong
number, so only the choices have some; the sum is shown with any answer.

Sources: IMS Question & Test Interoperability, ASI XML Binding 1.2 (2002), IMS
Content Packaging 1.1.3; and the program with which Canvas reads both,
QTIMigrationTool, which reads the files in `make verify`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from ..sets import filled, load_sets
from . import markup
from .entries import Bank, Entry, with_choices
from .package import packed

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"

RESPONSE, GENERAL = "response", "general"

CHOICES = "-choices"
"""How the name of an assessment ends in which numbers are chosen, and those of its questions."""


def render(bank: Bank) -> bytes:
    """A package: the manifest, the assessment, and where numbers are typed in it, one where they are chosen."""
    name, texts = f"bert-counted-{bank.set}", load_sets().banks
    assessments = {name: _assessment(name, filled(texts["assessment"], title=bank.title), bank.entries)}
    if any(each.numeric for each in bank.entries):
        title = filled(texts["choices"], title=bank.title)
        assessments[f"{name}{CHOICES}"] = _assessment(f"{name}{CHOICES}", title, map(with_choices, bank.entries))
    return packed({"imsmanifest.xml": _manifest(name, assessments), **{f"{k}.xml": v for k, v in assessments.items()}})


def _manifest(name: str, assessments: Iterable[str]) -> str:
    resources = "".join(
        f'<resource identifier="{each}" type="imsqti_xmlv1p2" href="{each}.xml"><file href="{each}.xml"/></resource>\n'
        for each in assessments
    )
    return (
        f'{HEAD}<manifest identifier="{name}-package" xmlns="{PACKAGE}">\n'
        "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>\n<organizations/>\n"
        f"<resources>\n{resources}</resources>\n</manifest>\n"
    )


def _assessment(name: str, title: str, entries: Iterable[Entry]) -> str:
    ending = CHOICES if name.endswith(CHOICES) else ""
    items = "".join((_typed if each.numeric else _chosen)(each, f"{each.identifier}{ending}") for each in entries)
    return (
        f'{HEAD}<questestinterop xmlns="{QTI}">\n<assessment ident="{name}" title="{escape(title)}">\n'
        f'<section ident="root_section">\n{items}</section>\n</assessment>\n</questestinterop>\n'
    )


def _typed(entry: Entry, name: str) -> str:
    """A number to type: Canvas takes the bounds for the margin, which is none."""
    (right,) = (each.text for each in entry.answers if each.right)
    bounds = "".join(f'<{each} respident="{RESPONSE}">{right}</{each}>' for each in ("vargte", "varlte"))
    field = (
        f'<response_str ident="{RESPONSE}" rcardinality="Single"><render_fib fibtype="Decimal">'
        '<response_label ident="answer"/></render_fib></response_str>'
    )
    rules = f"{_shows_sum()}{_scores(f'<or>{_is(right)}<and>{bounds}</and></or>')}"
    return _item(entry, name, "numerical_question", field, rules, {GENERAL: markup.solution(entry)})


def _chosen(entry: Entry, name: str) -> str:
    """Answers to choose from: the sum whatever the answer, and the feedback of the answer."""
    named = {f"answer-{place}": each for place, each in enumerate(entry.answers, 1)}
    right = next(name for name, each in named.items() if each.right)
    labels = (
        f'<response_label ident="{name}">{_material(markup.paragraphs([each.text]))}</response_label>\n'
        for name, each in named.items()
    )
    field = (
        f'<response_lid ident="{RESPONSE}" rcardinality="Single"><render_choice>\n{"".join(labels)}'
        "</render_choice></response_lid>"
    )
    feedback = "".join(
        f'<respcondition continue="Yes"><conditionvar>{_is(name)}</conditionvar>{_displays(name)}</respcondition>\n'
        for name in named
    )
    shown = {GENERAL: markup.solution(entry)}
    shown |= {name: markup.paragraphs([each.feedback]) for name, each in named.items()}
    return _item(
        entry, name, "multiple_choice_question", field, f"{_shows_sum()}{feedback}{_scores(_is(right))}", shown
    )


def _item(entry: Entry, name: str, kind: str, field: str, rules: str, shown: Mapping[str, str]) -> str:
    return (
        f'<item ident="{name}" title="{escape(entry.name)}">\n'
        f"<itemmetadata><qtimetadata>{_fields(question_type=kind, points_possible='1')}</qtimetadata></itemmetadata>\n"
        f"<presentation>{_material(markup.prompt(entry))}\n{field}</presentation>\n"
        '<resprocessing>\n<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>'
        f"\n{rules}</resprocessing>\n{''.join(_shown(*each) for each in shown.items())}</item>\n"
    )


def _fields(**fields: str) -> str:
    """What Canvas wants to know besides."""
    return "".join(
        f"<qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{entry}</fieldentry></qtimetadatafield>"
        for label, entry in fields.items()
    )


def _shows_sum() -> str:
    return f'<respcondition continue="Yes"><conditionvar><other/></conditionvar>{_displays(GENERAL)}</respcondition>\n'


def _scores(condition: str) -> str:
    return (
        f'<respcondition continue="No"><conditionvar>{condition}</conditionvar>'
        '<setvar action="Set" varname="SCORE">100</setvar></respcondition>\n'
    )


def _is(name: str) -> str:
    return f'<varequal respident="{RESPONSE}">{name}</varequal>'


def _displays(name: str) -> str:
    return f'<displayfeedback feedbacktype="Response" linkrefid="{name}_fb"/>'


def _shown(name: str, html: str) -> str:
    return f'<itemfeedback ident="{name}_fb"><flow_mat>{_material(html)}</flow_mat></itemfeedback>\n'


def _material(html: str) -> str:
    """HTML within XML is escaped once more."""
    return f'<material><mattext texttype="text/html">{escape(html)}</mattext></material>'
