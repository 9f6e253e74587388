"""Manglings: harmless changes that a text undergoes on its way from a terminal to an input field."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Callable

Mangling = Callable[[str, random.Random], str]
"""A function that returns the mangled text."""


def log_prefix(text: str, chance: random.Random) -> str:
    """The text with a logging prefix before each line."""
    seconds = chance.randrange(50)
    template = chance.choice(
        [
            "2026-03-04 10:15:{:02},123 - INFO - ",
            "2026-03-04 10:15:{:02},123 - __main__ - INFO - ",
            "[2026-03-04 10:15:{:02}] ",
            "INFO:root:",
            "INFO:__main__: ",
            "10:15:{:02} | INFO | ",
            "I0304 10:15:{:02}.123456 12345 train.py:42] ",
            "2026-03-04T10:15:{:02}Z ",
            "[INFO] ",
            "03/04/2026 10:15:{:02} - INFO - __main__ -   ",
        ]
    )
    # The clock ticks after 21 lines.
    return "\n".join(
        template.format(seconds if index <= 20 else seconds + 1) + line for index, line in enumerate(text.split("\n"))
    )


def line_marks(text: str, chance: random.Random) -> str:
    """The text with a mark before each line, such as a prompt, a comment sign or an indentation."""
    sign = chance.choice([">>> ", "# ", "// ", "    ", "> ", ">> ", "| ", "\t", "#"])
    return "\n".join(sign + line for line in text.split("\n"))


def code_before(text: str, chance: random.Random) -> str:
    """The text after code that might have printed it."""
    code = chance.choice(
        [
            ">>> for name, p in model.named_parameters(): print(name, p.shape)",
            "for n, p in model.named_parameters():\n    print(n, p.size(), p.numel())\n",
            "In [3]: model\nOut[3]:",
            "$ python count.py",
            "model = AutoModel.from_pretrained(path)\nprint(model)\n",
            "Out[7]: ",
        ]
    )
    return f"{code}\n{text}"


def words_around(text: str, chance: random.Random) -> str:
    """The text after a question or remark, sometimes followed by thanks or another question."""
    before = chance.choice(
        [
            "Hi, this is what I get, is that right?",
            "Why is this not 110M?",
            "Here is the output of my script on 4 GPUs (batch size 32, seq length 128):",
            "我的模型参数如下，对吗？",
            "Can somebody explain the number of parameters? I expected 12 layers.",
            "Got this after 3 epochs, lr=2e-5:",
        ]
    )
    after = chance.choice(["", "Thanks!", "Thank you in advance. Sent from my iPhone 15", "Is the total right?"])
    return f"{before}\n\n{text}\n\n{after}".rstrip()


def line_numbers(text: str, chance: random.Random) -> str:
    """The text with line numbers, as file viewers show them."""
    template = chance.choice(["{:>4} {}", "{}\t{}", "{:>3}: {}", "{:>5}  {}", "{:>4}| {}", "{}. {}"])
    first_number = chance.choice([1, 1, 1, 37])
    return "\n".join(template.format(index, line) for index, line in enumerate(text.split("\n"), first_number))


def fence(text: str, chance: random.Random) -> str:
    """The text in a fenced Markdown code block."""
    language = chance.choice(["", "", "python", "text", "console"])
    mark = chance.choice(["```", "```", "~~~"])
    return f"{mark}{language}\n{text}\n{mark}"


def quotation(text: str, chance: random.Random) -> str:
    """The text quoted as in an email or in Markdown."""
    mark = chance.choice(["> ", "> > ", ">"])
    return "\n".join(mark + line for line in text.split("\n"))


NUMBER_WITH_COMMAS = re.compile(r"(?<![\d.,])[0-9]{1,3}(?:,[0-9]{3})+(?![\d.,]*\d)")
"""A whole number with commas between thousands."""


def change_separators(text: str, chance: random.Random) -> str:
    """The text with the commas between thousands replaced or removed."""
    mark = chance.choice([".", " ", "_", "'", "\u202f", "\u00a0", "’", ""])
    return NUMBER_WITH_COMMAS.sub(lambda number: number[0].replace(",", mark), text)


def trailing_words(text: str, chance: random.Random) -> str:
    """The text with, for example, a flag, a type or a comment at the end of each line that contains a digit."""
    end = chance.choice(
        [" True", " torch.float32", " cuda:0", " # ok", " ✓", " float32", " trainable", "  <--", " (100%)", ";"]
    )
    return "\n".join(line + end if re.search("[0-9]", line) else line for line in text.split("\n"))


def entities(text: str, chance: random.Random) -> str:
    """The text with HTML entities, as in text copied from the source of a forum page."""
    result = html.escape(text)
    if chance.random() < 0.5:
        result = result.replace("  ", "&nbsp; ")
    return result.replace("\n", chance.choice(["\n", "<br>\n", "<br/>\n"]))


def notebook(text: str, chance: random.Random) -> str:
    """The JSON of a notebook whose only output is the text."""
    lines = [f"{line}\n" for line in text.split("\n")]
    if chance.random() < 0.5:
        output: dict[str, object] = {"name": "stdout", "output_type": "stream", "text": lines}
    else:
        output = {"data": {"text/plain": lines}, "execution_count": 3, "metadata": {}, "output_type": "execute_result"}
    cell = {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [output], "source": ["model"]}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def repeat(text: str, chance: random.Random) -> str:
    """The text printed twice."""
    return text + chance.choice(["\n", "\n\n"]) + text


def lose_indentation(text: str, _: random.Random) -> str:
    """The text without indentation."""
    return "\n".join(line.lstrip() for line in text.split("\n"))


def single_spaces(text: str, _: random.Random) -> str:
    """The text with runs of spaces within lines collapsed, as in a browser."""
    return "\n".join(re.sub(r"(?<=\S)[ \t]+", " ", line) for line in text.split("\n"))


def carriage_returns(text: str, _: random.Random) -> str:
    """The text with Windows line endings."""
    return text.replace("\n", "\r\n")


def wide_spaces(text: str, _: random.Random) -> str:
    """The text with non-breaking spaces in place of double spaces."""
    return text.replace("  ", "\u00a0\u00a0")


def empty_lines_between(text: str, _: random.Random) -> str:
    """The text with an empty line after each line."""
    return text.replace("\n", "\n\n")


def colours(text: str, _: random.Random) -> str:
    """The text with the escape codes of a coloured terminal."""
    return "\n".join(f"\x1b[32m{line}\x1b[0m" for line in text.split("\n"))


def invisible_characters(text: str, _: random.Random) -> str:
    """The text with a byte order mark at the start and zero-width spaces after full stops."""
    return "\ufeff" + text.replace(". ", ".\u200b ")


MANGLINGS: dict[str, Mangling] = {
    "log prefix": log_prefix,
    "prompts": line_marks,
    "code before": code_before,
    "words around": words_around,
    "line numbers": line_numbers,
    "fence": fence,
    "quote": quotation,
    "thousands": change_separators,
    "trailing": trailing_words,
    "entities": entities,
    "notebook": notebook,
    "twice": repeat,
    "unindented": lose_indentation,
    "single spaces": single_spaces,
    "carriage returns": carriage_returns,
    "wide spaces": wide_spaces,
    "empty between": empty_lines_between,
    "colours": colours,
    "invisible": invisible_characters,
}
"""The manglings by name."""

LAST_MANGLINGS = ("fence", "quote", "entities", "notebook", "twice", "carriage returns", "words around")
"""Manglings that affect the text as a whole, applied after the others in this order."""

PREFIXES = ("module.", "model.", "base_model.model.", "encoder.", "0.auto_model.", "_orig_mod.", "self.")
"""The prefixes that wrappers add to the names of tensors."""


def mangle(text: str, chance: random.Random, unsuited_manglings: tuple[str, ...] = ()) -> tuple[str, str]:
    """The text after up to two random manglings, and their names; none of them is in `unsuited_manglings`."""
    names = [name for name in MANGLINGS if name not in unsuited_manglings]
    number = chance.choices([0, 1, 2], [4, 4, 2])[0]
    sample = sorted(
        chance.sample(names, number), key=lambda name: LAST_MANGLINGS.index(name) if name in LAST_MANGLINGS else -1
    )
    for name in sample:
        text = MANGLINGS[name](text, chance)
    return text, " + ".join(sample)
