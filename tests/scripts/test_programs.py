"""Code that counts parameters is read as the sum that it works out.

Python runs the code, too, and must print the same number.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from macros.rendering.texts_to_try import texts_to_try

from .running import Scripts
from .test_configs_read import OWN_NAMES
from .test_layers_in_code import CASES as LAYERS_IN_CODE

PROGRAMS = tomllib.loads(Path(__file__).with_name("programs.toml").read_text(encoding="utf-8"))
"""Programs with the beginnings of their answers. The comment at the top of the file explains the fields."""

PROGRAMS["text-to-try"] = {
    "code": texts_to_try()["program"],
    "headline": (
        "Your sum is BertModel of BERT base, uncased, without the biases of all dense layers in all layers and "
        "the LayerNorms in all layers: 109,362,432."
    ),
}

NOT_READ = [
    "total = 0\ni = 0\nwhile i < 12:\n    total += 12*768*768\n    i += 1\nprint(total)",
    "for name, (L, H) in sizes.items():\n    print(name, 30522*H + L*12*H*H)",
    "class Bert:\n    H = 768\n    def count(self):\n        return 12 * self.H * 12 * self.H",
    "def f(x):\n    return f(x) * 768 + f(x)\nprint(f(3))",
    "for i in range(12):\n    total += i * 768\nprint(total)",
    "def f(h, bias):\n    return h * h + (h if bias else 0)\nprint(f(768))",
]
"""Code whose result does not follow from its text as a plain sum."""

OTHER_TEXTS = [
    # code with the number that it printed
    ("for p in model.parameters():\n    total += p.numel()\nprint(total)\n109482240", "109,482,240 is BERT base"),
    # a config, although one of its lines uses the name of another
    (
        "vocab_size = 30522\nhidden_size = 512\nnum_hidden_layers = 8\nintermediate_size = 4 * hidden_size",
        "If this is a BERT that takes the rest from transformers' defaults",
    ),
]
"""Texts with code that are not read as sums, each with the beginning of its answer."""


def number_printed(code: str) -> int:
    """The last number that Python prints when it runs code."""
    command = [sys.executable, "-c", re.sub(r"^>>> ", "", code, flags=re.MULTILINE)]
    output = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return int(re.findall(r"[0-9][0-9,]+", output)[-1].replace(",", ""))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_read_as_the_sum_that_it_works_out(scripts: Scripts, name: str) -> None:
    [account] = scripts.call("accountsAsTexts", [PROGRAMS[name]["code"]])
    assert account["headline"].startswith(PROGRAMS[name]["headline"])


@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if "print(" in program["code"]])
def test_the_sum_of_a_program_comes_to_what_python_prints(scripts: Scripts, name: str) -> None:
    [account] = scripts.call("accountsAsData", [PROGRAMS[name]["code"]])
    assert account["sum"] == number_printed(PROGRAMS[name]["code"])


def test_only_the_first_of_several_calls_is_counted(scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", [PROGRAMS["two-models"]["code"]])
    assert account["findings"] == ["Your code calls count_params more than once; this is about the first call."]


@pytest.mark.parametrize("code", NOT_READ)
def test_code_that_is_no_plain_sum_is_not_read(scripts: Scripts, code: str) -> None:
    [account] = scripts.call("accountsAsTexts", [code])
    assert account["headline"] == "We do not run code, and we cannot work out this code's result from its text."


@pytest.mark.parametrize(("text", "headline"), OTHER_TEXTS)
def test_other_texts_with_code_are_not_read_as_sums(scripts: Scripts, text: str, headline: str) -> None:
    [account] = scripts.call("accountsAsTexts", [text])
    assert account["headline"].startswith(headline)


def test_formulas_that_grow_exponentially_are_refused_at_once(scripts: Scripts) -> None:
    """Written out, each formula has over a million terms: calls within calls, and a name doubled again and again."""
    functions = [f"def f{number}(x): return f{number + 1}(x) * 768 + f{number + 1}(x)" for number in range(20)]
    names = [f"    a{number + 1} = a{number} + a{number}" for number in range(40)]
    calls = "\n".join([*functions, "def f20(x): return x", "print(f0(768))"])
    doubled = "\n".join(["def f(x):", "    a0 = x * 768", *names, "    return a40", "print(3 * f(768))"])
    for account in scripts.call("accountsAsTexts", [calls, doubled]):
        assert account["headline"].startswith("We do not run code")


def with_underscores(code: str) -> str:
    """The code with its numbers of four digits and more in Python's other notation, such as 30_522."""
    return re.sub(r"(?<![\w.,])\d{4,}(?!\w|[.,]\d)", lambda digits: f"{int(digits[0]):_}", code)


def test_underscores_in_numbers_change_no_answer(scripts: Scripts) -> None:
    """Python reads 30_522 as 30522, in programs, in layers of torch.nn and in calls of a reader's own model."""
    cases = [*PROGRAMS.values(), *LAYERS_IN_CODE, *OWN_NAMES]
    codes = [code for case in cases if with_underscores(code := case.get("code") or case["text"]) != code]
    headlines = [
        [account and account["headline"] for account in scripts.call("accountsAsTexts", texts)]
        for texts in (codes, [*map(with_underscores, codes)])
    ]
    # An answer quotes the code in the notation of the reader.
    assert headlines[0] == [text and re.sub(r"(?<=\d)_(?=\d)", "", text) for text in headlines[1]]
    assert len(codes) > 30
