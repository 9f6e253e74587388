"""The macros of topics, which pages call for what is theirs alone."""

import re

import pytest
from jinja2 import Environment

from macros.counting import CountingError
from macros.site import TOPICS, VARIABLES
from macros.teaching.sets import UnknownExercise
from tests.docs.building import ROOT

MACROS = {
    f"{topic}.{name}": each for topic, members in TOPICS.items() for name, each in members.items() if callable(each)
}

GOOD = {
    'downloads.links("bert-large-chinese", "bert4keras")': "data/bert-large-chinese/listings/bert4keras.csv",
    "memory.worked()": '<span class="bc-joined">= 437,928,960</span> bytes</span>',
    # What torch's own counter finds in BertModel base with eager attention.
    "operations.count()": ">22,348,431,360</data>",
    'linking.address("a/b.html#c", x=1, y="2,3")': "<code>a/<wbr>b.html?<wbr>x=1&amp;<wbr>y=2,3<wbr>#c</code>",
}
"""Calls with a part of what they return."""


def called(call: str) -> str:
    """What a call on a page returns."""
    return Environment(autoescape=False).from_string(f"{{{{ {call} }}}}").render(**TOPICS, **VARIABLES)  # noqa: S701


@pytest.mark.parametrize("call", GOOD)
def test_a_good_call(call: str) -> None:
    """It returns what was asked for."""
    assert GOOD[call] in called(call)


BAD = {
    'banks.questions("lyer")': 'did you mean "layer"',
    'banks.files("lyer")': 'did you mean "layer"',
    'checkpoints.named("bert-bsae-uncased")': 'did you mean "bert-base-uncased"',
    'downloads.links(base, "google")': 'no kind of file "google"',
    'downloads.links("bert-bsae-uncased", "ledger")': 'did you mean "bert-base-uncased"',
    'memory.bytes_each("float")': 'no data type "float"',
    'memory.file("heder")': 'did you mean "header"',
    'operations.count("softmx")': 'did you mean "softmax"',
    'operations.count(block="poler")': 'did you mean "pooler"',
    'operations.count(model_class="BertForMaskdLM")': 'did you mean "BertForMaskedLM"',
    'operations.share("poler")': 'did you mean "pooler"',
    'operations.in_letters("softmx")': 'did you mean "softmax"',
    'operations.overtaken("layer")': 'no dense layers "layer"',
    'operations.head_adds("BertForMaskdLM")': 'did you mean "BertForMaskedLM"',
    'operations.head_reads("BertForMaskdLM")': 'did you mean "BertForMaskedLM"',
    'operations.rule_off("embedings-excluded")': 'did you mean "embeddings-excluded"',
    'training.activations("MegaB")': 'no unit "MegaB"',
    'training.activations("MB", attention="fast")': "choose eager or fused",
    'training.optimiser("adam", "states")': 'no optimiser "adam"',
    'training.optimiser("adamw", "moments")': 'no bytes of an optimiser "moments"',
}
"""Calls with bad input, and what is said of each."""


@pytest.mark.parametrize("call", BAD)
def test_a_bad_call(call: str) -> None:
    """It raises, says what would do, and returns nothing."""
    with pytest.raises((CountingError, UnknownExercise), match=re.escape(BAD[call])):
        called(call)


@pytest.mark.parametrize("name", MACROS)
def test_an_unknown_argument(name: str) -> None:
    """A misspelt argument is an error, never ignored."""
    with pytest.raises((TypeError, ValueError)):
        MACROS[name](modle="bert-base-uncased")


def test_every_macro_says_what_it_returns() -> None:
    """For whoever writes a page."""
    assert [] == [name for name, macro in MACROS.items() if not macro.__doc__]


def test_pages_use_all_of_each_topic() -> None:
    """What no page calls or goes through any more is deleted."""
    text = "".join(path.read_text() for path in (ROOT / "docs").rglob("*.md"))
    named = {f"{topic}.{name}" for topic, members in TOPICS.items() for name in members}
    assert set() == named - set(re.findall(r"(?<![\w.])\w+\.\w+", text))
