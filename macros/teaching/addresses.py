"""Tables of addresses for courses: what each kind means, and those that teachers want most."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from macros.counting import Question, count, model_named
from macros.rendering.elements import numbers, pages, words
from macros.rendering.elements.asking import BASE, LARGE, ask, of_both
from macros.rendering.elements.pages import ROOT
from macros.rendering.elements.tables import BASE_AND_LARGE, PROSE, Column, table

from .exercise import exercise

LAYER = "bert/encoder/layer_0"
PRETRAINING = "BertForPreTraining"
LEFT_OUT = "pooler-left-out"


class Kind(NamedTuple):
    """A kind of address: what it leads to, an example from the top of the site, and what is kept of it."""

    what: str
    example: str
    kept: str


class Wanted(NamedTuple):
    """Addresses that teachers want: what they show, in words if these are other than those of the question."""

    asked: Question
    addresses: tuple[str, ...]
    what: str = ""


def width(model: str) -> dict[str, int]:
    """The hidden size of a model, and the heads that it is divided among."""
    sizes = model_named(model).sizes
    return {letter: sizes[letter] for letter in "HA"}


def tables() -> dict[str, Callable[[str], str]]:
    """What pages show of addresses, by name."""
    return {"kinds-of-addresses": kinds, "wanted-addresses": wanted}


def link(address: str) -> str:
    """An address from the top of the site as a link that shows it, breakable where it has a joint."""
    shown = escape(address)
    for joint in ("/", "?", "&amp;", "#"):
        shown = shown.replace(joint, f"<wbr>{joint}" if joint == "#" else f"{joint}<wbr>")
    return f'<a href="{ROOT}{escape(address)}"><code>{shown}</code></a>'


def kinds(name: str) -> str:
    """Each kind of address with an example that works."""
    listed = [(each.what, each.kept, each.example) for each in _kinds()]
    return examples(name, "What each kind of address means", "leads to, and what the address keeps", listed)


def examples(name: str, caption: str, heading: str, listed: Iterable[tuple[str, str, str]]) -> str:
    """Kinds of things, each with what is to be said of it and the address of an example."""
    rows = [
        [f'{escape(what)}<br><span class="bc-purpose">{escape(said)}</span>', link(example)]
        for what, said, example in listed
    ]
    return table(name, caption, [Column(heading, PROSE), Column("for example")], rows)


def wanted(name: str) -> str:
    """Numbers with the address of each, in the order of a course."""
    columns = [Column("what it shows", PROSE), *BASE_AND_LARGE, Column("address")]
    rows = [
        [
            escape(each.what or words.caption(each.asked.part, each.asked.tag)),
            *map(numbers.counted, of_both(each.asked)),
            "".join(f'<span class="bc-address">{link(address)}</span>' for address in each.addresses),
        ]
        for each in _wanted()
    ]
    return table(name, "Parameters of base and large, and where each number is explained", columns, rows)


def _kinds() -> list[Kind]:
    """Every kind, each with an example made of what the site has."""
    without_pooler = numbers.whole(count(ask().model, deviations=[LEFT_OUT]))
    drawn = exercise("layer", 7)
    explained = urlencode({"n": without_pooler}, safe=",")
    return [
        Kind("a page", pages.ATTENTION, "The question that it answers."),
        Kind(
            "a place on a page", f"{pages.ATTENTION}#tensors", "The section, table, figure, sum or row that it names."
        ),
        Kind("a mistake or convention", pages.of_deviation(LEFT_OUT), "What is counted otherwise."),
        Kind("a published model", f"{pages.of_model('bert-base-chinese')}#bert-base-chinese", "The model."),
        Kind(
            "a level of the map",
            pages.of_level(BASE, "layer/attention"),
            "The model and the block that is drawn; the words are those of the map.",
        ),
        Kind(
            "a number explained",
            f"{pages.I_GOT}?{explained}",
            "What was typed: a number, a sum or a percentage. A better explanation may appear above the others.",
        ),
        Kind(
            "the same for one model",
            f"{pages.I_GOT}?{explained}&{urlencode({'model': LARGE})}",
            "What was typed, and the model it should be explained for.",
        ),
        Kind(
            "a configuration in the calculator",
            f"{pages.CALCULATOR}?{urlencode({'model': BASE, **width(LARGE), 'class': PRETRAINING})}",
            "A published model, and what differs from it: sizes by their letters, the class, other choices.",
        ),
        Kind(
            "an exercise",
            f"{pages.EXERCISES}{drawn.address}",
            "The set and the seed: the same exercise with the same numbers, for everybody and every time.",
        ),
        Kind(
            "a page for a frame",
            pages.embed(pages.ATTENTION, "tensors"),
            "The table, figure, sum or tool, the parameters of its address and the messages that it sends.",
        ),
        Kind(
            "a file of data",
            f"{pages.ledger_file(ask())}.csv",
            "The model, the class and the names of the columns; schemas describe the JSON files.",
        ),
        Kind(
            "a figure as a file",
            f"{pages.FIGURES}/{pages.ATTENTION.removesuffix('.html')}/attention-light.svg",
            "The page, the figure and its colours, which are light or dark.",
        ),
        Kind("a page as Markdown", pages.ATTENTION.replace(".html", ".md"), "The page, with its numbers filled in."),
        Kind("a list for programs", "llms.txt", "Every page with what it answers."),
    ]


def _wanted() -> list[Wanted]:
    """What a course counts, in its order."""
    totals = (pages.BASE_TOTAL, pages.LARGE_TOTAL)
    heads = ask(model_class=PRETRAINING)
    return [
        Wanted(ask(), totals, "the whole model, without heads"),
        Wanted(
            heads,
            (f"{pages.BASE_TOTAL}#pre-training", f"{pages.LARGE_TOTAL}-pre-training"),
            "with both heads of pre-training",
        ),
        Wanted(ask("bert/embeddings"), (pages.EMBEDDINGS,)),
        Wanted(ask("bert/embeddings/word_embeddings"), (f"{pages.EMBEDDINGS}#tensors",)),
        Wanted(ask(LAYER, "self-attention"), (pages.ATTENTION,)),
        Wanted(ask(f"{LAYER}/attention/self/query"), (f"{pages.ATTENTION}#tensors",)),
        Wanted(ask(LAYER, "feed-forward"), (pages.FEED_FORWARD,)),
        Wanted(ask(f"{LAYER}/attention/output/LayerNorm"), (pages.LAYER_NORM,)),
        Wanted(ask(LAYER), (pages.ENCODER_LAYER,)),
        Wanted(ask("bert/encoder"), (f"{pages.ENCODER_LAYER}#all-layers",)),
        Wanted(ask("bert/pooler"), (pages.BLOCKS["pooler"],)),
        Wanted(heads._replace(part="cls/predictions"), (pages.BLOCKS["mlm-head"],)),
        Wanted(heads._replace(part="cls/seq_relationship"), (pages.BLOCKS["nsp-head"],)),
    ]
