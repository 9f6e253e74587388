"""The lists of numbers with a teacher's reasons are well formed, before any answer is held against them."""

import pytest

from tests.docs.teachers_numbers import BASE, KNOWN, READERS, Known


def test_there_are_many_numbers_and_none_twice() -> None:
    """Each text is listed once; only those without a reason ask for no words."""
    assert len(KNOWN) >= 150
    assert len(READERS) >= 420
    typed = [known.typed for known in KNOWN + READERS]
    assert len(typed) == len(set(typed))
    assert {"nothing"} == {known.kind for known in KNOWN + READERS if not known.says}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("You would get this for BERT Base, cased, if you left out the Pooler.", True),
        ("You would get this for BERT base, uncased, if you left out the pooler.", False),
        ("You would get this for DistilBERT base, cased, if you left out the pooler.", False),
        ("This is bert-base with cased words.", False),
    ],
)
def test_an_answer_gives_a_reason_in_whole_words(answer: str, said: bool) -> None:
    """Every word must be there, from its start, in any case."""
    assert Known("1", "An example.", (BASE, "cased", "pooler"), "one slip").is_said(answer) == said
