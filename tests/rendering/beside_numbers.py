"""Rules for the words beside a number: they name what its question asks, or nothing.

A number's question is in its attributes; the words are the headings of its row
and its column, the caption, and what directly follows it in a sentence. Words
name a model, a class, a unit, an entry of a data file by its title, a part by
one of the nouns below, or a number that is asked with. Where they name none,
nothing is held. Row and column must both be right; the caption is asked only
where neither of them names anything, since a table of one model may compare it
with another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, Tag

from macros.counting import BERT, CountingError, Model, Question, load_models, load_relatives, model_named
from macros.counting.architecture import Row, lies_under
from macros.counting.changes.methods import Change, load_methods
from macros.counting.changes.mistakes import load_mistakes
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.deviations import load_deviations
from macros.counting.memory import BYTES, UNITS
from macros.counting.models import by_every_name
from macros.counting.published.claims import Source, load_claims
from macros.counting.published.conventions import load_conventions
from macros.counting.published.others import load_others
from macros.counting.published.profilers import load_profilers
from macros.rendering.components.words import BLOCKS, MODULES, OF_FIGURES
from macros.rendering.typed_numbers import LARGE_ENOUGH
from tests.docs.test_numbers import asked

Attributes = Mapping[str, str]


class Number(NamedTuple):
    """A number in a table, and the words beside it.

    Attributes:
        element: the number itself.
        row: the heading of its row, as an element.
        levels: heading of the row, heading of the column, and caption, as texts; empty where there is none.
    """

    element: Tag
    row: Tag
    levels: tuple[str, str, str]

    @property
    def question(self) -> dict[str, str]:
        """What its question holds, by the names of the attributes; of a claim, what is claimed."""
        return question_of(self.element)

    def __str__(self) -> str:
        shown = {key: value for key, value in self.question.items() if key not in ("how", "tabindex", "value")}
        return f"{self.element.get_text()} {shown}"


def question_of(element: Tag) -> dict[str, str]:
    """What the question of a number holds, by the names of its attributes; of a claim, what part is claimed."""
    question = {key.removeprefix("data-"): str(value) for key, value in element.attrs.items()}
    if "claim" in question:
        source, position = question["claim"].split("/")
        claim = load_claims()[source][int(position) - 1]
        question |= {"part": claim.part, "tag": claim.tag}
        if claim.size or claim.tensor or claim.summary_row or claim.option or claim.change:
            question["measure"] = ""
    return question


APART = ("br", "p", "div", "li")


def text_of(tag: Tag | None) -> str:
    """What an element says, without the signs that link to it; a name that may be broken is in one piece."""
    pieces = []
    for each in tag.descendants if tag else ():
        if isinstance(each, Tag):
            pieces += [" "] if each.name in APART or each.get("class") else []
        elif not each.find_parent(class_="bc-permalink"):
            pieces.append(str(each))
    return " ".join("".join(pieces).replace("\u200b", "").split())


def numbers_in_tables(page: BeautifulSoup) -> Iterator[Number]:
    """Every number that begins a cell of a table, with the words beside it."""
    for table in page.select("table.bc"):
        headings = [text_of(each) for each in table.select("thead th")]
        caption = text_of(table.caption)
        for row in table.select("tbody tr, tfoot tr"):
            first, *others = row.find_all(["th", "td"], recursive=False)
            for heading, cell in zip(headings[1:], others, strict=True):
                element = cell.find("data")
                # In a sentence a number may be of something else than its row.
                if element and text_of(cell).startswith(text_of(element)):
                    yield Number(element, first, (text_of(first), heading, caption))


class Facet(NamedTuple):
    """One thing that words and questions both name.

    Attributes:
        named: what a text names of it.
        fits: whether a question has it, given what was named; also where the question says nothing of it.
        levels: where words name it, in the order of `Number.levels`. "Tensors" in a caption may be what the rows are,
            and "shares" in a row what takes these bytes.
    """

    named: Callable[[str], frozenset[str]]
    fits: Callable[[Attributes, frozenset[str]], bool]
    levels: tuple[bool, bool, bool] = (True, True, True)


@cache
def any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that finds whole words, the longest of those that begin alike."""
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-]|\.\d)", re.IGNORECASE)


def words_in(words: tuple[str, ...], text: str) -> list[str]:
    """Those of some words that stand in a text, in small letters."""
    return [each[0].lower() for each in any_of(words).finditer(text)]


@cache
def models_by_title() -> dict[str, frozenset[str]]:
    """The models that a text may mean, by a name or title in small letters."""
    known: dict[str, set[str]] = {}
    for name, model in by_every_name().items():
        for title in (name, model.title):
            known.setdefault(title.lower(), set()).add(model.name)
    for name, other in load_others().items():
        known.setdefault(other.title.lower(), set()).add(name)
    return {title: frozenset(names) for title, names in known.items()}


SIZES = ("base", "large")
"""What stands in the names of models, and in a heading says which of the two main ones is meant."""


@cache
def models_named(text: str) -> frozenset[str]:
    """Models by name or title; and the words of `SIZES` that stand by themselves."""
    titles = tuple(models_by_title())
    exact = frozenset(name for title in words_in(titles, text) for name in models_by_title()[title])
    return exact | frozenset(words_in(SIZES, any_of(titles).sub(" ", text)))


def fits_model(question: Attributes, named: frozenset[str]) -> bool:
    """Whether it asks about one of the models, or leads to it."""
    if "sizes" in question:  # a model that is given sizes of another, which its row names as well
        given = dict(each.split("=") for each in question["sizes"].split())
        others = [model_named(MAIN[each]).sizes for each in named & {*MAIN} if MAIN[each] != question["model"]]
        return not others or any(sizes.get(letter) == int(size) for sizes in others for letter, size in given.items())
    names = {question[key] for key in ("model", "to", "from") if question.get(key)}
    sizes = {word for word in SIZES for name in names if re.search(rf"(?<![a-z]){word}(?![a-z])", name.lower())}
    return not names or bool(named & (names | sizes))


@cache
def classes() -> tuple[str, ...]:
    """The name of every model class."""
    models = [*load_models().values(), *load_relatives().values()]
    return tuple({each.name for model in models for each in model.architecture.classes})


def fits_class(question: Attributes, named: frozenset[str]) -> bool:
    """Whether it asks about one of the classes; a size or a published total is of no class."""
    asked_about = question.get("class", "BertModel" if "model" in question else "")
    return not asked_about or asked_about.lower() in named


UNIT = re.compile(rf"(?<![\w-])(?:{'|'.join(UNITS)})(?!\w)")


def fits_unit(question: Attributes, named: frozenset[str]) -> bool:
    """Whether the number is in one of the units."""
    return "unit" not in question or question["unit"] in named


ENTRIES: dict[str, Callable[[], Mapping[str, Any]]] = {
    "deviation": load_deviations,
    "mistake": load_mistakes,
    "optimiser": load_optimisers,
    "profiler": load_profilers,
}
"""Entries of data files that a question names by a key, and words by a title."""


@cache
def titles_of(key: str) -> dict[str, frozenset[str]]:
    """The entries of a kind by title, in small letters."""
    known: dict[str, set[str]] = {}
    for name, entry in ENTRIES[key]().items():
        known.setdefault(entry.title.lower(), set()).add(name)
    return {title: frozenset(names) for title, names in known.items()}


def entry(key: str) -> Facet:
    """The entries of a data file."""

    def named(text: str) -> frozenset[str]:
        titles = titles_of(key)
        return frozenset(name for title in words_in(tuple(titles), text) for name in titles[title])

    def fits(question: Attributes, names: frozenset[str]) -> bool:
        own = {*question.get(key, "").split(), *question.get(f"{key}s", "").split()}
        return not own or bool(own & names)

    return Facet(named, fits)


def conventions_named(text: str) -> frozenset[str]:
    """The convention whose heading a text is."""
    return frozenset({text} & {*load_conventions()})


def fits_convention(question: Attributes, named: frozenset[str]) -> bool:
    """Whether class and deviations are those of the convention."""
    if "model" not in question or not question.get("class", "BertModel") or "deviation" in question:
        return True
    own = (question.get("class", "BertModel"), tuple(question.get("deviations", "").split()))
    conventions = [load_conventions()[each] for each in named]
    return own in [(each.model_class, each.deviations) for each in conventions]


@cache
def ordinary_words() -> frozenset[str]:
    """Every word in the name of a part, or in what is said of a size."""
    labels = [*BLOCKS.values(), *MODULES.values(), *(each.meaning for each in BERT.symbols)]
    return frozenset(word for label in labels for word in re.findall(r"\w+", label.lower()))


def methods_named(text: str) -> frozenset[str]:
    """Ways to change a model, by title or name, unless that is an ordinary word."""
    known = {name: name for name in load_methods()} | {each.title.lower(): n for n, each in load_methods().items()}
    known = {words: name for words, name in known.items() if words not in ordinary_words()}
    return frozenset(known[each] for each in words_in(tuple(known), text))


def fits_method(question: Attributes, named: frozenset[str]) -> bool:
    """Whether one of the changes is made in such a way."""
    changes = question.get("change", "").split()
    return not changes or any(each.partition(":")[0] in named for each in changes)


def dtypes_named(text: str) -> frozenset[str]:
    """Data types."""
    return frozenset(words_in(tuple(BYTES), text))


def fits_dtype(question: Attributes, named: frozenset[str]) -> bool:
    """Whether the number is one of bytes in such a type."""
    return "dtype" not in question or question["dtype"] in named


IN_WORDS = {"two": "2", "three": "3", "four": "4"}

COUNTED = re.compile(rf"(?<![\w-])(\d+|{'|'.join(IN_WORDS)}) (figures|GiB|tokens|texts)\b")


def counts_named(text: str) -> frozenset[str]:
    """How many figures, GiB, tokens and texts."""
    return frozenset(f"{each[2]} {IN_WORDS.get(each[1], each[1])}" for each in COUNTED.finditer(text))


def fits_counts(question: Attributes, named: frozenset[str]) -> bool:
    """Whether the question has one of these numbers, for each that it has."""
    own = {"figures": "figures", "GiB": "memory", "tokens": "tokens", "texts": "texts"}
    of_kind = {noun: {each.split()[1] for each in named if each.startswith(noun)} for noun in own}
    return all(question[key] in of_kind[noun] for noun, key in own.items() if of_kind[noun] and key in question)


LABELS = {
    **{label: path.split(", ") for path, label in MODULES.items() if path},
    **{label: [block] for block, label in {**BLOCKS, **OF_FIGURES}.items()},
}
"""The paths or the block of a part, by what it is called."""

WITHOUT = re.compile(r"\b(?:without|but|beside|than|not|instead|alone|untied)\b.*")
"""What follows names a part that is not counted, or not only."""


@cache
def parts_named(text: str) -> frozenset[str]:
    """Parts by what pages call them, one or several of them."""
    known = {singular(label.removeprefix("the ")).lower(): label for label in LABELS}
    return frozenset(known[each] for each in words_in(tuple(known), singular(WITHOUT.sub("", text))))


def singular(text: str) -> str:
    """A text of which each word stands for one thing or for several."""
    return re.sub(r"(?<=[a-zA-Z])s\b", "", text)


def fits_part(question: Attributes, named: frozenset[str]) -> bool:
    """Whether it counts tensors of each of the parts."""
    if "block" in question:
        return any(question["block"] in LABELS[each] for each in named)
    rows = rows_of(question) if is_of_part(question) else ()
    return not rows or (bool(named) and all(any(belongs(row, LABELS[label]) for row in rows) for label in named))


def is_of_part(question: Attributes) -> bool:
    """Whether the number counts a part as it is."""
    changed = {"deviation", "deviations", "measure"} & {*question}
    return not changed and question.get("kind", "count") in OF_PARTS


def rows_of(question: Attributes) -> tuple[Row, ...]:
    """What is counted."""
    return asked({f"data-{key}": value for key, value in question.items()}).rows


OF_PARTS = ("count", "share", "rounded", "deviating", "claim", "operations", "operations-share")
"""Kinds of numbers whose question is about a part."""


def belongs(row: Row, parts: Sequence[str]) -> bool:
    """Whether a row lies under one of some paths, or in one of some blocks."""
    return row.block in parts or lies_under(row.path, tuple(parts))


def layers_named(text: str) -> frozenset[str]:
    """Whether one layer is meant, or all."""
    one, every = (
        re.search(r"\b(?:one|each|per)(?: encoder| whole)? layer\b", text),
        re.search(r"\ball (?:encoder )?layers", text),
    )
    return frozenset(([ONE] if one else []) + ([ALL] if every else []))


ONE, ALL = "one layer", "all layers"


def fits_layers(question: Attributes, named: frozenset[str]) -> bool:
    """Whether the number is one of a layer, or of all."""
    if not is_of_part(question) or not any(row.repeated for row in rows_of(question)):
        return True
    return (ONE if re.search(r"layer_\d", question.get("part", "")) else ALL) in named


MEASURES = {
    "parameters": r"parameters",
    "tensors": r"tensors|arrays",
    "operations": r"operations|FLOPs|flops|MACs|multiply-adds",
    "bytes": r"bytes|[KMG]i?B",
    "share": r"shares?|%",
}
"""What is counted, and the words for it."""

MEASURED = {
    **dict.fromkeys(
        ("count", "deviating", "effect", "step", "relative-step", "marginal", "resized", "off"), "parameters"
    ),
    **dict.fromkeys(("rounded", "keras-hub", "changed-row", "changed-step", "other", "heads-total"), "parameters"),
    "tensors": "tensors",
    **dict.fromkeys(("operations", "operations-more", "printed", "printed-step"), "operations"),
    **dict.fromkeys(("bytes", "step-bytes", "activation", "layer-bytes", "outside-bytes", "of-estimate"), "bytes"),
    **dict.fromkeys(("optimiser", "file", "dtype"), "bytes"),
    **dict.fromkeys(("share", "changed-share", "operations-share"), "share"),
}
"""What is counted by a number of each kind; of the others, anything."""


def measure_of(question: Attributes) -> str:
    """What a number counts."""
    if question.get("kind") == "changed":
        return {"trained": "parameters", "all": "parameters", "elements": ""}.get(question["what"], "bytes")
    return MEASURED.get(question.get("kind", "count"), "")


def measures_named(text: str) -> frozenset[str]:
    """What a text says is counted."""
    return frozenset(name for name, words in MEASURES.items() if re.search(rf"(?<![\w-])(?:{words})(?!\w)", text))


def fits_measure(question: Attributes, named: frozenset[str]) -> bool:
    """Whether the number counts one of these."""
    return not measure_of(question) or measure_of(question) in named


KINDS = {
    r"off by": {"changed-off", "effect", "off", "ruled-off"},
    r"you would get": {"changed-wrong", "deviating"},
    r"width of a head": {"head-width"},
    r"of one head": {"head-share"},
    r"of all heads": {"all-heads"},
}
"""What the heading of a column says, and the kinds of numbers that it may have below it."""


def kinds_named(text: str) -> frozenset[str]:
    """Kinds of numbers that one of the phrases allows."""
    return frozenset(kind for words, kinds in KINDS.items() if re.search(words, text) for kind in kinds)


def fits_kind(question: Attributes, named: frozenset[str]) -> bool:
    """Whether the number is of such a kind."""
    return question.get("kind", "count") in named


def letters_named(text: str) -> frozenset[str]:
    """The letter of a size, where the heading is nothing else."""
    return frozenset({text} & {size.letter for model in models_with_letters() for size in model.architecture.symbols})


@cache
def models_with_letters() -> tuple[Model, ...]:
    """A model of each architecture."""
    return tuple({model.architecture.name: model for model in load_relatives().values()}.values())


def fits_letter(question: Attributes, named: frozenset[str]) -> bool:
    """Whether the number is the size of this letter, as its working says: `H = hidden_size in ...`."""
    return question.get("kind") != "size" or question["how"].partition(" = ")[0] in named


FACETS = {
    "part": Facet(parts_named, fits_part),
    "layers": Facet(layers_named, fits_layers),
    "measure": Facet(measures_named, fits_measure, levels=(False, True, False)),
    "model": Facet(models_named, fits_model),
    "class": Facet(lambda text: frozenset(words_in(classes(), text)), fits_class),
    "unit": Facet(lambda text: frozenset(UNIT.findall(text)), fits_unit),
    **{key: entry(key) for key in ENTRIES},
    "convention": Facet(conventions_named, fits_convention),
    "method": Facet(methods_named, fits_method),
    "dtype": Facet(dtypes_named, fits_dtype),
    "counts": Facet(counts_named, fits_counts),
    "kind": Facet(kinds_named, fits_kind, levels=(False, True, False)),
    "letter": Facet(letters_named, fits_letter, levels=(False, True, False)),
}


FOLLOWING = re.compile(
    r"\s*\[?(?:such )?(?P<measure>(?:parameters|tensors|arrays|operations|FLOPs|multiply-adds|bytes|[KMG]i?B)\b)?"
    r"(?P<model>\s*(?:in|of|for|to) (?:BERT )?(?:base|large)\b(?! and (?:base|large)))?"
)
"""What may directly follow a number in a sentence: what it counts, and of which model."""


def wrong_words_behind(page: BeautifulSoup) -> list[str]:
    """Numbers that the next words call numbers of something else."""
    found = []
    for element in page.find_all("data"):
        text, question = words_behind(element), question_of(element)
        following = FOLLOWING.match(text)
        for key, said in following.groupdict(default="").items() if following else ():
            found += [
                f"{element.get_text()} {question}: {name} in {text!r}"
                for name in ((key, "unit") if key == "measure" else (key,))
                if (named := FACETS[name].named(said.strip())) and not FACETS[name].fits(question, named)
            ]
    return found


def wrong_ends_of_workings(page: BeautifulSoup) -> list[str]:
    """Numbers whose working ends in them, and calls them numbers of something else."""
    return [
        f"{element.get_text()} {question}: {end}"
        for element in page.find_all("data")
        for question in [question_of(element)]
        for end in re.findall(rf"[=≈] {re.escape(element.get_text())} ([\w-]+)$", question.get("how", ""), re.MULTILINE)
        for key in ("measure", "unit")
        if (named := FACETS[key].named(end)) and not FACETS[key].fits(question, named)
    ]


def words_behind(element: Tag) -> str:
    """What follows an element in its sentence."""
    following = element.next_sibling
    return following.get_text() if following else ""


def wrong_words_before_sums(page: BeautifulSoup) -> list[str]:
    """Sums that are announced as sums of something else."""
    return [
        f"{text_of(element)}: {key} {sorted(named)} in {text!r}"
        for element in page.select(".bc-steps[data-model]")
        for text in [words_before(element)]
        for key in ("model", "class", "counts")
        if (named := named_in(key, text)) and not FACETS[key].fits(question_of(element), named)
    ]


def words_before(element: Tag) -> str:
    """What announces a sum: the paragraph above its lines, or what is before it in its own."""
    above = element.find_previous_sibling()
    if element.name == "ol":
        return text_of(above) if above and above.name == "p" else ""
    return "".join(
        each if isinstance(each, str) else each.get_text() for each in reversed([*element.previous_siblings])
    )


def figures_of_another_model(page: BeautifulSoup) -> list[str]:
    """Figures of base or of large with a number that only the other one has."""
    found = []
    for figure in page.select("figure.bc-figure"):
        texts = [text_of(each) for each in figure.select("svg > title, svg > desc, figcaption")]
        models = {MAIN[size] for text in texts for size in models_named(text) & {*MAIN}}
        titles = {frozenset(models_named(text) & {*MAIN}) for text in texts}
        if len({each for each in titles if len(each) == 1}) > 1:
            found.append(f"{texts}: of several models")
        if len(models) == 1:
            numbers = {int(each.replace(",", "")) for text in texts for each in re.findall(r"\d[\d,]{4,}", text)}
            numbers |= {int(str(each["data-value"])) for each in figure.select("[data-value]")}
            (other,) = {*MAIN.values()} - models
            wrong = numbers & counts_of(other) - counts_of(*models)
            found += [f"{texts[0]}: {each} is one of {other}" for each in wrong]
    return found


MAIN = {"base": "bert-base-uncased", "large": "bert-large-uncased"}


@cache
def counts_of(model: str) -> frozenset[int]:
    """What the parts of a model count, in one layer and in all, but for what is equal to much else by chance."""
    whole = Question(model_named(model), "BertForPreTraining")
    paths = {"/".join(row.path.split("/")[:depth]) for row in whole.rows for depth in range(1, 10)}
    paths |= {path.replace("layer_*", "layer_0") for path in paths}
    blocks = {row.block for row in whole.rows}
    parts = [whole.at(path, "") for path in paths] + [
        whole.at("bert/encoder/layer_0", block) for block in BLOCKS_OF_LAYER
    ]
    parts += [whole.at("", block) for block in blocks] + [Question(model_named(model))]
    return frozenset(each.number for each in parts if each.number >= LARGE_ENOUGH)


BLOCKS_OF_LAYER = ("self-attention", "feed-forward", "encoder-norms")


def wrong_rows(page: BeautifulSoup) -> list[str]:
    """Numbers whose row begins with another number than they are asked with, or with another change."""
    found = []
    for number in numbers_in_tables(page):
        question, given = number.question, number.row.find("data")
        if given and given.get("data-kind") in ("given", "text-length", "heads"):
            own = [question[key] for key in ("change", "tokens", "heads", "texts", "memory") if key in question]
            if own and str(given["value"]) not in re.findall(r"\d+", " ".join(own)):
                found.append(f"{number}: in the row of {given.get_text()}")
        written = [each for code in number.row.select("code") for each in changes_in(text_of(code))]
        if written and "change" in question and written != list(map(str, map(Change.of, question["change"].split()))):
            found.append(f"{number}: in the row of {written}")
    return found


def changes_in(code: str) -> list[str]:
    """Changes as they are written in full; none where it is no change that the code names."""
    try:
        return [str(Change.of(each)) for each in code.split()]
    except CountingError:
        return []


def wrong_words(page: BeautifulSoup) -> list[str]:
    """Numbers in tables beside words that name something else than their questions do."""
    return [
        f"{number}: {key} {sorted(named)} in {text!r}"
        for number in numbers_in_tables(page)
        for key in FACETS
        for text, named in named_beside(number, key)
        if not FACETS[key].fits(number.question, named)
    ]


def wrong_captions(page: BeautifulSoup) -> list[str]:
    """Captions of tables that name something of which no number is."""
    found = []
    for table in page.select("table.bc"):
        caption, questions = text_of(table.caption), [question_of(each) for each in table.select("data")]
        for key, facet in FACETS.items():
            named = named_in(key, caption) if facet.levels[-1] else None
            asking = [each for each in questions if not facet.fits(each, frozenset())]
            if named and asking and not any(facet.fits(each, named) for each in asking):
                found.append(f"{caption}: {key} {sorted(named)} of none")
    return found


def named_beside(number: Number, key: str) -> list[tuple[str, frozenset[str]]]:
    """What headings of row and column name, or else the caption; each with its text."""
    levels = FACETS[key].levels
    *headings, caption = [
        (text, named_in(key, text) if is_level else frozenset[str]())
        for text, is_level in zip(number.levels, levels, strict=True)
    ]
    return [each for each in headings if each[1]] or ([caption] if caption[1] else [])


@cache
def named_in(key: str, text: str) -> frozenset[str]:
    """What a text names of a facet."""
    return FACETS[key].named(text if key in ENTRIES else without_titles(text))


@cache
def without_titles(text: str) -> str:
    """A text without the titles of entries and sources, which name more than themselves."""
    titles = [*(title for key in ENTRIES for title in titles_of(key)), *(each.title for each in sources())]
    return any_of(tuple(titles)).sub(" ", text)


@cache
def sources() -> tuple[Source, ...]:
    """Where numbers are printed that pages compare."""
    return tuple(listed[0].source for listed in load_claims().values())
