"""Whole answers of the page that explains numbers, as text, over a few models and deviations that stay the same.

The page answers from a table with everything that is counted, to which models
and deviations are added without touching a test. Here it has a part of that
table, so that its answers change with the scripts and with the words on
pages, and with nothing else.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Page

from macros.rendering.files.exported import module, table
from tests.docs.scripts import called

RECORDED = Path(__file__).with_name("answers.json")

MODELS = (
    "bert-base-uncased",
    "bert-large-uncased",
    "bert-base-multilingual-cased",
    "bert-base-chinese",
    "bert_uncased_L-2_H-768_A-12",
    "keras-bert-notebook",
    "roberta-base",
    "distilbert-base-uncased",
    "albert-base-v2",
    "electra-small-discriminator",
    "MiniLM-L6-H384-uncased",
    "LaBSE",
)

DEVIATIONS = (
    "pooler-left-out",
    "pooler-kept",
    "decoder-untied",
    "state-dict-summed",
    "embeddings-excluded",
    "buffers-added",
    "optimizer-counted",
    "lora-added",
    "lora-alone",
    "segments-forgotten",
    "embedding-norm-forgotten",
    "vocabulary-padded",
    "vocabulary-chinese",
    "positions-thousand",
    "padding-row-left-out",
    "attention-one-layer",
    "output-projection-per-head",
    "one-head",
    "attention-biases-left-out",
    "feed-forward-biases-left-out",
    "encoder-biases-left-out",
    "encoder-norms-twice",
    "norm-by-position",
    "prediction-bias-forgotten",
    "head-forgotten",
    "twelve-l-h-squared",
    "sizes-multiplied",
)

SOURCES = {"base-chinese-by-hand", "bert4keras-walk-through", "bert4keras"}

OTHERS = {"GPT-2, small", "T5, small"}

ANSWERS = """asked => asked.map(([text, model = ""]) => {
  const found = bertCounted.explain(text, model)
  const place = document.createElement("div")
  place.append(...bertCounted.answer.answerTo(text, model, found))
  return [place.innerHTML, (found ?? []).map(({ kind, cost, confidence }) => `${kind} ${cost} ${confidence}`)]
})"""
"""Answers as a reader sees them, and what the search says of each way."""

CHOSEN = " | "
"""What stands between what is typed and the model that is chosen, where one is."""

MOST_RANKED = 8


def small_table() -> dict[str, Any]:
    """The table with a few models, deviations and claims."""
    whole = table()
    listed = whole["explanations"]
    return {
        **whole,
        "models": [each for each in whole["models"] if each["name"] in MODELS],
        "deviations": [each for each in whole["deviations"] if each["name"] in DEVIATIONS],
        "explanations": {
            **listed,
            "known": [each for each in listed["known"] if is_known(each)],
            "others": [each for each in listed["others"] if each["title"] in OTHERS],
        },
    }


def is_known(claim: dict[str, Any]) -> bool:
    """Whether a claim is one of the few."""
    return (
        claim["model"] in MODELS
        and {*claim["deviations"]} <= {*DEVIATIONS}
        and {each["source"] for each in claim["printed_in"]} <= SOURCES
    )


def with_small_table(page: Page) -> None:
    """Give a page the few in place of all."""
    code = module(small_table())
    page.route("**/data/table.js", lambda route: route.fulfill(body=code, content_type="text/javascript"))


def answers(page: Page, asked: list[str]) -> dict[str, list[str]]:
    """The answers to what is typed, each with how likely its ways are, line by line."""
    found = called(page, ANSWERS, [each.split(CHOSEN) for each in asked])
    return {each: [ranking(ranked), *lines(html)] for each, (html, ranked) in zip(asked, found, strict=True)}


def ranking(ways: list[str]) -> str:
    """The likeliest ways, and how many there are besides."""
    more = [f"and {len(ways) - MOST_RANKED} more"] if len(ways) > MOST_RANKED else []
    return ", ".join([*ways[:MOST_RANKED], *more])


BLOCKS = ("p", "li", "tr", "caption", "summary", "figcaption")


def lines(html: str) -> list[str]:
    """An answer as lines of text: one for each paragraph, item, row or heading; links with addresses."""
    page = BeautifulSoup(html, "html.parser")
    for drawing in page.find_all("svg"):
        drawing.decompose()
    for each in page.find_all("a"):
        each.insert_after(f"[{each['href']}]")
    for each in page.find_all("code"):
        each.replace_with(f"`{each.get_text()}`")
    for cell in page.find_all(["th", "td"]):
        cell.insert_after(" | ")
    loose = [
        each.strip() for each in page.find_all(string=True) if not each.find_parent([*BLOCKS, "caption", "th", "td"])
    ]
    return [line for block in page.find_all(BLOCKS) if (line := line_of(block))] + list(filter(None, loose))


def line_of(block: Tag) -> str:
    """A block without the blocks in it."""
    pieces = [each for each in block.strings if next(up for up in each.parents if up.name in BLOCKS) is block]
    text = re.sub(r"\s+", " ", "".join(pieces)).strip(" |")
    return f"{block.name}: {text}" if text else ""


def recorded() -> dict[str, list[str]]:
    """The answers as they were read when they were recorded, by what is typed."""
    found: dict[str, list[str]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found
