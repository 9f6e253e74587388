"""Accounts show text safely in Markdown, no address holds too long a text, and short lists say what is left out."""

from typing import Any

from tests.scripts.running import Scripts

SITE = "https://example.org/bert/"

LINE: dict[str, Any] = {
    "source": "    a.b `c` | d   7,087,872",
    "part": [],
    "stated": None,
    "right": None,
    "verdict": "not read",
    "times": 1,
}
"""A line that was not read; the tests override its fields."""

ACCOUNT: dict[str, Any] = {
    "kind": "rows",
    "headline": ["It is ", {"page": "totals/base.html", "text": "BERT *base*"}, ": ", {"number": 109482240}, "."],
    "findings": [
        {"weight": 2, "words": [{"code": "a`b"}, " is <b>missing</b>."], "amount": -590592},
        {"weight": 1, "words": ["Nothing else."], "amount": None},
    ],
    "lines": [
        LINE | {"verdict": "wrong", "stated": 3, "right": 1, "part": ["the ", {"page": "x.html", "text": "bias"}]},
        LINE | {"verdict": "right", "right": 7087872, "times": 12},
        LINE | {"source": "=" * 20},
    ],
    "bridge": {
        "start": 3,
        "startLabel": "your | rows",
        "steps": [{"label": ["leave ", {"code": "it"}], "value": -2, "formula": "2"}],
        "end": 1,
        "endLabel": "BERT",
    },
    "model": {"name": "", "modelClass": "BertModel", "total": 109482240},
    "confidence": "certain",
}
"""An account with everything that Markdown must show or escape."""

MARKDOWN = """\
It is [BERT \\*base\\*](https://example.org/bert/totals/base.html): 109,482,240.

- `a'b` is \\<b\\>missing\\</b\\>. (**−590,592**)
- Nothing else.

| to put it right | change | formula |
| --- | --: | --- |
| your \\| rows | 3 |  |
| leave `it` | −2 | `2` |
| BERT | 1 |  |

| your line | what it is | parameters | share | verdict |
| --- | --- | --: | --: | --- |
| `a.b 'c' \\| d  7,087,872` | the [bias](https://example.org/bert/x.html) | 1 | under 0.1% | ✗ wrong: 3 is 2 too high |
| `a.b 'c' \\| d  7,087,872` |  | 7,087,872 × 12 = 85,054,464 | 77.7% | ✓ right |
"""
"""The same account in Markdown."""


def test_an_account_becomes_markdown(scripts: Scripts) -> None:
    assert MARKDOWN == scripts.call("accountInMarkdown", ACCOUNT, SITE)


def test_classes_in_the_account_of_a_config_have_neither_verdict_nor_share(scripts: Scripts) -> None:
    account = ACCOUNT | {
        "kind": "config",
        "findings": [],
        "bridge": None,
        "lines": [LINE | {"source": "A", "right": 7}],
    }
    _head, table = scripts.call("accountInMarkdown", account, SITE).split("\n\n")
    assert "| class | what it is for | parameters |\n| --- | --- | --: |\n| `A` |  | 7 |\n" == table


def test_only_a_line_of_up_to_200_characters_may_be_in_an_address(scripts: Scripts) -> None:
    texts = ["109,482,240\n", "x" * 200, "x" * 201, "1\n2", ""]
    assert [True, True, False, False, True] == scripts.call("areShort", texts)


def test_a_shortened_list_says_how_many_items_are_left_out(scripts: Scripts) -> None:
    assert ["a or 2 more parts", "a, b or 1 more part", "a, b or c", "a, b or c"] == scripts.call(
        "firstItems", ["a", "b", "c"], [1, 2, 3, 4]
    )
