"""Texts that try to break a reader: too long, too deeply nested, malformed, or with code for another program."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any


def random_characters(chance: random.Random) -> str:
    """Up to 2,000 random characters."""
    codes = [
        chance.choice([chance.randrange(32, 127), chance.randrange(1, 0xD800), chance.randrange(0xE000, 0x110000)])
    ]
    codes += [
        chance.choice([chance.randrange(0, 256), chance.randrange(1, 0xD800)]) for _ in range(chance.randrange(2000))
    ]
    return "".join(map(chr, codes))


def long_line(chance: random.Random) -> str:
    """One very long line."""
    piece = chance.choice(
        ["a", "1", " ", "(", "768, ", "encoder.layer.0.", "torch.Size([", "\t", ",", "1,", "x768", "│ ", "└─"]
    )
    return piece * (chance.choice([2_000, 20_000, 100_000]) // len(piece))


def many_lines(chance: random.Random) -> str:
    """A thousand or ten thousand short lines."""
    piece = chance.choice(
        ["\n", "a\n", "1\n", "x 1\n", "a.weight 1\n", "encoder.layer.{}.output.dense.bias torch.Size([768])\n", ")\n"]
    )
    return "".join(piece.format(index) for index in range(chance.choice([1_000, 10_000])))


def deep_brackets(chance: random.Random) -> str:
    """Deeply nested brackets, which are sometimes not closed."""
    depth = chance.choice([100, 1_000, 5_000])
    left, right = chance.choice([("[", "]"), ("{", "}"), ("(", ")")])
    if left == "{":
        return '{"a":' * depth + "1" + "}" * depth
    return left * depth + chance.choice(["", "1"]) + right * chance.choice([depth, 0])


def deep_modules(chance: random.Random) -> str:
    """A print-out of deeply nested modules."""
    depth = chance.choice([50, 300, 1_000])
    lines = [f"{'  ' * level}({level}): ModuleList(" for level in range(depth)]
    return "\n".join([*lines, *(f"{'  ' * level})" for level in reversed(range(depth)))])


def json_bomb(chance: random.Random) -> str:
    """JSON that is large, odd or malformed."""
    number = chance.choice([1e308, 10**400, -1, 0, 2**53, 1.5])
    return chance.choice(
        [
            json.dumps(
                {f"k{index}": {"dtype": "F32", "shape": [10**9] * 50, "data_offsets": [0, 1]} for index in range(200)}
            ),
            json.dumps({"encoder.layer.0.attention.self.query.weight": {"shape": [number, number]}}),
            '{"__proto__": {"dtype": "F32", "shape": [768, 768], "data_offsets": [0, 4]}, "constructor": {"a": 1}}',
            '{"weight_map": null, "metadata": []}',
            '{"cells": [{"outputs": 3, "source": null}]}',
            '{"cells": {"length": 5}}',
            '{"a": [' * 500,
            "[" + "1," * 5_000 + "1]",
            '{"encoder.layer.99999999999.output.dense.weight":{"dtype":"F32","shape":[768,3072],"data_offsets":[0,1]}}',
        ]
    )


def long_number(chance: random.Random) -> str:
    """A number with very many digits, alone or in a line of a print-out."""
    digits = "".join(chance.choice("0123456789") for _ in range(chance.choice([20, 400, 10_000])))
    form = chance.choice(
        [
            "{}",
            "encoder.layer.0.output.dense.weight torch.Size([{}, 768])",
            "encoder.layer.{}.output.dense.weight torch.Size([768, 768])",
            "Total params: {}",
            "(dense): Linear(in_features={}, out_features={}, bias=True)",
            "({}-11): 12 x BertLayer(",
            "embeddings.word_embeddings.weight {}",
            "│    └─Embedding: 2-1   {}",
        ]
    )
    return form.format(digits, digits)


MARKUP = (
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)"> 109482240',
    "<table><tr><td>embeddings.word_embeddings.weight</td><td><svg/onload=alert(1)></td></tr></table>",
    "[embeddings.word_embeddings.weight](javascript:alert(1)) torch.Size([30522, 768])",
    "embeddings.<b>word_embeddings</b>.weight torch.Size([30522, 768])",
    "</textarea><script>alert(document.domain)</script>",
    "<!--" * 500,
    "&lt;" * 5_000,
    "&#x110000; &#0; &#xd800; &bogus; &amp;amp;amp;lt;script&gt;",
)
"""HTML and Markdown, for example with scripts, invalid entities and unclosed comments."""

ODD_TEXTS = (
    "__proto__.weight torch.Size([768])",
    "constructor.prototype.weight torch.Size([768, 768])",
    "encoder.layer.__proto__.output.dense.weight torch.Size([768, 3072])",
    "toString.weight torch.Size([2])\nhasOwnProperty.bias torch.Size([2])\nvalueOf torch.Size([1])",
    "(constructor): Linear(in_features=768, out_features=768, bias=True)",
    "%s%s%s%n%n%d %x {} {0} ${name} {{7*7}} #{1}",
    "$& $1 $` $' \\1 \\u0000 \\x00",
    "embeddings.word_embeddings.weight torch.Size([-1, 768])",
    "embeddings.word_embeddings.weight torch.Size([])",
    "embeddings.word_embeddings.weight torch.Size([0, 0])",
    "encoder.layer.-1.output.dense.weight torch.Size([1e9, NaN, Infinity])",
    "(0-99999999): 100000000 x BertLayer(\n  (dense): Linear(in_features=768, out_features=768, bias=True)\n)",
    "(11-0): 12 x BertLayer(\n(dense): Linear(in_features=8, out_features=8, bias=True)\n)",
    "\u202eemdl.thgiew \u202d109482240 \u2066BertModel\u2069",
    "\u0000\u0001\u0002\x1b[2J\x1b]0;title\x07",
    "embeddings.word_embeddings.weight torch.Size([٣٠٥٢٢, ٧٦٨])",
    "embeddings.word_embeddings.weight torch.Size([３０５２２, ７６８])",
    "e\u0301\u0301\u0301" * 500 + " 768",
    "\ud83d" + " torch.Size([768])",
    "| | | |\n|---|---|---|\n" * 200,
    "1 + " * 2_000 + "1",
    "((((((((((" * 50 + "768" + "))))))))))" * 50,
    "a" * 300 + ".weight torch.Size([1, " + "1, " * 500 + "1])",
    " " * 10_000 + "x",
    "0" * 5_000 + " x " + "0" * 5_000,
)
"""Odd texts, for example with object properties, placeholders, control characters and impossible shapes."""


def markup(chance: random.Random) -> str:
    """Up to three of `MARKUP`."""
    return "\n".join(chance.choices(MARKUP, k=chance.randrange(1, 4)))


def odd_words(chance: random.Random) -> str:
    """Up to three of `ODD_TEXTS`."""
    return "\n".join(chance.choices(ODD_TEXTS, k=chance.randrange(1, 4)))


def backtracking(chance: random.Random) -> str:
    """A repetitive text, on which a careless regular expression would backtrack for a very long time."""
    times = chance.choice([50, 5_000])
    pieces = [
        "1,",
        "1 ",
        "a.",
        "(a",
        "- ",
        "x1",
        "1.1",
        "layer.1.",
        "[1, ",
        "=",
        "1_",
        "  |",
        "9 x ",
        "> ",
        "# ",
        "0-",
        ":(",
    ]
    return chance.choice(pieces) * times + chance.choice(["!", "", "\n", "b", "("])


MAKERS: dict[str, Callable[[random.Random], str]] = {
    maker.__name__: maker
    for maker in (
        random_characters,
        long_line,
        many_lines,
        deep_brackets,
        deep_modules,
        json_bomb,
        long_number,
        markup,
        odd_words,
        backtracking,
    )
}
"""The functions that generate hostile texts, by kind."""


def hostile_case(chance: random.Random) -> dict[str, Any]:
    """A random hostile text, as `text`, and the name of its kind, as `kind`."""
    kind = chance.choice([*MAKERS])
    text = MAKERS[kind](chance)
    # UTF-8 cannot encode lone surrogates, so they become question marks.
    return {"text": text.encode("utf-8", "replace").decode(), "kind": kind}
