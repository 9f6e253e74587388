"""QTI 1.2 in a package as Canvas imports it: multiple choice, each answer with its feedback, and the sum for all.

In QTI 1.2 as Canvas reads it, a typed number has feedback for right and wrong,
not for one wrong number, so numbers are choices here.

Sources: IMS Question & Test Interoperability, ASI XML Binding 1.2 (2002), IMS
Content Packaging 1.1.3; and the program with which Canvas reads both,
QTIMigrationTool, which reads the files in `make verify`.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from html import escape

from ..sets import filled, load_sets
from . import markup
from .entries import Bank, Entry, with_choices

LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The earliest date that a zip can hold: the same bank has the same bytes on any day."""

UNIX, READABLE = 3, 0o644 << 16
"""The system whose rights are meant, and that everybody may read: the same wherever it is written."""

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"

RESPONSE, GENERAL = "response", "general"


def render(bank: Bank) -> bytes:
    """A package: the manifest and the assessment."""
    name = f"bert-counted-{bank.set}"
    return _packed({"imsmanifest.xml": _manifest(name), f"{name}.xml": _assessment(name, bank)})


def _packed(files: dict[str, str]) -> bytes:
    """A zip, stored as it is: compressed bytes would depend on the library that compresses."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as package:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.create_system, entry.external_attr = UNIX, READABLE
            package.writestr(entry, text.encode())
    return out.getvalue()


def _manifest(name: str) -> str:
    return (
        f'{HEAD}<manifest identifier="{name}-package" xmlns="{PACKAGE}">\n'
        "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>\n<organizations/>\n"
        f'<resources>\n<resource identifier="{name}" type="imsqti_xmlv1p2" href="{name}.xml">'
        f'<file href="{name}.xml"/></resource>\n</resources>\n</manifest>\n'
    )


def _assessment(name: str, bank: Bank) -> str:
    title = escape(filled(load_sets().banks["assessment"], title=bank.title))
    items = "".join(_item(with_choices(each)) for each in bank.entries)
    return (
        f'{HEAD}<questestinterop xmlns="{QTI}">\n<assessment ident="{name}" title="{title}">\n'
        f'<section ident="root_section">\n{items}</section>\n</assessment>\n</questestinterop>\n'
    )


def _item(entry: Entry) -> str:
    named = {f"answer-{place}": each for place, each in enumerate(entry.answers, 1)}
    right = next(name for name, each in named.items() if each.right)
    labels = (
        f'<response_label ident="{name}">{_material(markup.paragraphs([each.text]))}</response_label>\n'
        for name, each in named.items()
    )
    feedback = {GENERAL: markup.solution(entry)}
    feedback |= {name: markup.paragraphs([each.feedback]) for name, each in named.items()}
    return (
        f'<item ident="{entry.identifier}" title="{escape(entry.name)}">\n'
        f"<itemmetadata><qtimetadata>{_fields(question_type='multiple_choice_question', points_possible='1')}"
        "</qtimetadata></itemmetadata>\n"
        f"<presentation>{_material(markup.prompt(entry))}\n"
        f'<response_lid ident="{RESPONSE}" rcardinality="Single"><render_choice>\n{"".join(labels)}'
        "</render_choice></response_lid></presentation>\n"
        f"{_processing(named, right)}{''.join(_shown(*each) for each in feedback.items())}</item>\n"
    )


def _fields(**fields: str) -> str:
    """What Canvas wants to know besides."""
    return "".join(
        f"<qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{entry}</fieldentry></qtimetadatafield>"
        for label, entry in fields.items()
    )


def _processing(names: Iterable[str], right: str) -> str:
    """The sum whatever the answer, the feedback of the answer, and the mark of the right one."""
    feedback = "".join(
        f'<respcondition continue="Yes"><conditionvar>{_is(name)}</conditionvar>{_displays(name)}</respcondition>\n'
        for name in names
    )
    return (
        '<resprocessing>\n<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>'
        f'\n<respcondition continue="Yes"><conditionvar><other/></conditionvar>{_displays(GENERAL)}</respcondition>\n'
        f'{feedback}<respcondition continue="No"><conditionvar>{_is(right)}</conditionvar>'
        '<setvar action="Set" varname="SCORE">100</setvar></respcondition>\n</resprocessing>\n'
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
