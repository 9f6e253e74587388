"""Rules for the words next to a number: they must not contradict the question that the number answers.

The question is stored in the attributes of the number's element. In a table, the words next to the number are the
headings of its row and column and the caption; elsewhere, they are the words around the number. These words can name,
for example, a model, a class, a unit or a part; `FACETS` has the properties that several rules compare. In a table, the
headings of row and column must both agree with the question on every facet. `wrong_words` consults the caption only if
neither heading names a value of the facet, because a table about one model may compare it with another.

In a row, links to pages and labels for screen readers must fit its numbers and its heading, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString
from bs4.filter import SoupStrainer

from macros.counting import (
    ARCHITECTURE_OF_CLASS,
    ARCHITECTURES,
    BERT,
    CountingError,
    Model,
    Question,
    load_models,
    load_relatives,
    model_named,
)
from macros.counting.architecture import Row, lies_under
from macros.counting.changes.methods import Change, load_methods, rules
from macros.counting.changes.mistakes import load_mistakes
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.deviations import load_deviations
from macros.counting.memory import BYTES, UNITS
from macros.counting.models import models_by_every_name
from macros.counting.published.claims import Source, load_claims
from macros.counting.published.conventions import load_conventions
from macros.counting.published.others import load_others
from macros.counting.published.profilers import load_profilers
from macros.counting.search.parts import Part
from macros.example import TOY
from macros.rendering.components.pages import BLOCKS as ADDRESSES_OF_BLOCKS
from macros.rendering.components.pages import ENCODER_LAYER, of_part
from macros.rendering.components.words import BLOCKS, LEGENDS, NOUNS, in_words
from macros.rendering.components.words import LABELS as LINES
from macros.rendering.typed_numbers import SMALLEST_SUGGESTED_COUNT
from tests.docs.test_numbers import engine_question

Attributes = Mapping[str, str]


class Number(NamedTuple):
    """A number in a table, with the headings and the caption that apply to it.

    Attributes:
        element: the `data` element of the number.
        row_heading: the element that heads its row.
        levels: the texts of the row heading, of the column heading and of the caption; empty strings if missing.
    """

    element: Tag
    row_heading: Tag
    levels: tuple[str, str, str]

    @property
    def question(self) -> dict[str, str]:
        """The number's question, as `question_of` reads it."""
        return question_of(self.element)

    def __str__(self) -> str:
        attributes = {key: value for key, value in self.question.items() if key not in ("how", "tabindex", "value")}
        return f"{self.element.get_text()} {attributes}"


def question_of(element: Tag) -> dict[str, str]:
    """The question of a number, keyed by attribute name without `data-`.

    A claim names only its source and position, so its part and tag are looked up. An empty measure marks a claim that
    does not count the parameters of a part.
    """
    question = {key.removeprefix("data-"): str(value) for key, value in element.attrs.items() if key != "class"}
    if question.get("kind") in KINDS_ABOUT_BASE:
        question["model"] = MAIN_MODELS["base"]
    if "claim" in question:
        source, position = question["claim"].split("/")
        claim = load_claims()[source][int(position) - 1]
        question |= {"part": claim.part, "tag": claim.tag}
        if claim.size or claim.tensor or claim.summary_row or claim.option or claim.changes:
            question["measure"] = ""
    return question


KINDS_ABOUT_BASE = (
    "activation",
    "layer-bytes",
    "outside-bytes",
    "of-estimate",
    "changed-row",
    "printed",
    "printed-step",
)
"""The kinds of numbers that are always about BERT base, so their questions omit the model."""

BLOCK_ELEMENTS = ("br", "p", "div", "li")
"""Elements that start a new line in a browser, so their text is separated from the text before them."""


def text_of(tag: Tag | None) -> str:
    """The text of an element, without the # of its permalink and without zero-width spaces."""
    pieces = []
    for element in tag.descendants if tag else ():
        if isinstance(element, Tag):
            if element.name in BLOCK_ELEMENTS or element.get("class"):
                pieces.append(" ")
        elif not any("bc-permalink" in parent.get_attribute_list("class") for parent in element.parents):
            pieces.append(str(element))
    return " ".join("".join(pieces).replace("\u200b", "").split())


def is_in(element: Tag, *names: str) -> bool:
    """Return whether an element is inside one with any of these names. `find_parent` would be several times slower."""
    return any(parent.name in names for parent in element.parents)


def numbers_in_tables(page: BeautifulSoup) -> Iterator[Number]:
    """Every number that begins a table cell other than the heading of a row, with its headings and caption."""
    for table in page.select("table.bc"):
        headings = [text_of(item) for item in table.select("thead th")]
        caption = text_of(table.caption)
        for row in table.select("tbody tr, tfoot tr"):
            row_heading, *cells = row.find_all(["th", "td"], recursive=False)
            text_of_row = text_of(row_heading)
            for heading, cell in zip(headings[1:], cells, strict=True):
                element = cell.find("data")
                # Within a sentence, a number may be about something other than its row.
                if element and text_of(cell).startswith(text_of(element)):
                    yield Number(element, row_heading, (text_of_row, heading, caption))


class Facet(NamedTuple):
    """A property that both text and a question can specify.

    Attributes:
        values_in: extracts the values that the text names.
        fits: returns whether a question agrees with these values or does not specify the property.
        levels: for each of `Number.levels`, whether the property is looked for there. In a caption, "tensors" may refer
            to what the rows list; in a row, "shares" may refer to attention shares that take up memory.
    """

    values_in: Callable[[str], frozenset[str]]
    fits: Callable[[Attributes, frozenset[str]], bool]
    levels: tuple[bool, bool, bool] = (True, True, True)


@cache
def any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that matches any of the words as a whole word, preferring longer ones."""
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-]|\.\d)", re.IGNORECASE)


def words_in(words: tuple[str, ...], text: str) -> list[str]:
    """The given words that occur in the text, in lower case."""
    return [match[0].lower() for match in any_of(words).finditer(text)]


@cache
def models_by_title() -> dict[str, frozenset[str]]:
    """Sets of model names by the lower-case name or title that refers to them."""
    names_by_title: dict[str, set[str]] = {TOY: {TOY}}
    for name, model in models_by_every_name().items():
        for title in (name, model.title):
            names_by_title.setdefault(title.lower(), set()).add(model.name)
    for name, other in load_others().items():
        names_by_title.setdefault(other.title.lower(), set()).add(name)
    return {title: frozenset(names) for title, names in names_by_title.items()}


SIZES = ("base", "large")
"""Words that occur in model names. As a heading, each refers to one of the two main models."""


@cache
def models_named(text: str) -> frozenset[str]:
    """The models that the text names, plus the words of `SIZES` that occur outside these names."""
    titles = tuple(models_by_title())
    exact = frozenset(name for title in words_in(titles, text) for name in models_by_title()[title])
    return exact | frozenset(words_in(SIZES, any_of(titles).sub(" ", text)))


def fits_model(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether a question is about one of the models, compares with one, or names none."""
    if "sizes" in question:  # a model with some sizes of another model; its row may name either model
        given_sizes = dict(word.split("=") for word in question["sizes"].split())
        sizes_of_models = [
            model_named(MAIN_MODELS[name]).sizes
            for name in values & {*MAIN_MODELS}
            if MAIN_MODELS[name] != question["model"]
        ]
        return not sizes_of_models or any(
            sizes.get(letter) == int(size) for sizes in sizes_of_models for letter, size in given_sizes.items()
        )
    names = {question[key] for key in ("model", "to", "from") if question.get(key)}
    sizes = {word for word in SIZES for name in names if re.search(rf"(?<![a-z]){word}(?![a-z])", name.lower())}
    return not names or bool(values & (names | sizes))


FAMILIES = {
    **{architecture.name: architecture.model_type for architecture in ARCHITECTURES.values()},
    "BERT": "",
    "BERT base": BERT.model_type,
    "BERT large": BERT.model_type,
}
"""The name of each family, such as "ALBERT", with its model type. "BERT" alone may also mean all families."""

FAMILY = re.compile(
    rf"(?<!Like )(?<![\w-])(?:{'|'.join(map(re.escape, sorted(FAMILIES, key=len, reverse=True)))})(?![\w-])"
)
"""The name of a family, unless models of another family are like it. Names in lower case are those of models."""


def families_named(text: str) -> frozenset[str]:
    """The model types of the families that the text names, and of the models that it names."""
    models = models_named(text) & {*models_by_every_name()}
    names = FAMILY.findall(any_of(tuple(models_by_title())).sub(" ", text))
    return frozenset(map(family_of, models)) | frozenset(FAMILIES[name] for name in names if FAMILIES[name])


@cache
def family_of(model: str) -> str:
    """The model type of a model; an empty string for one without an architecture of ours."""
    return model_named(model).architecture.model_type if model in models_by_every_name() else ""


def fits_family(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether a question is about a model of one of the families, compares with one, or names none."""
    families = {family_of(question[key]) for key in ("model", "to", "from") if question.get(key)}
    return not families or "" in families or bool(values & families)


@cache
def class_names() -> tuple[str, ...]:
    """The name of every model class."""
    models = [*load_models().values(), *load_relatives().values()]
    return tuple({model_class.name for model in models for model_class in model.architecture.classes})


def fits_class(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether a question is about one of the classes or, like the question of a size, about no class."""
    model_class = question.get("class", "BertModel" if "model" in question else "")
    return not model_class or model_class.lower() in values


def values_in_words(wording: Mapping[str, re.Pattern[str]], text: str) -> frozenset[str]:
    """The values that a text implies, by the wording for each of them: one, several or none."""
    return frozenset(value for value, words in wording.items() if words.search(text))


HEADS_IN_WORDS = {
    "without": re.compile(r"\bbare models?\b"),
    "with": re.compile(r"\b(?:masked-LM|pre-training|classification|question-answering) models?\b"),
}
"""The wording for models whose class has no head, and for those whose class has one."""


def fits_heads(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether the class of a question has a head, or has none, as the text states; true without a class."""
    model_class = question.get("class", "BertModel" if "model" in question else "")
    if model_class not in ARCHITECTURE_OF_CLASS:
        return True
    is_bare = ARCHITECTURE_OF_CLASS[model_class].class_named(model_class).heads == ()
    return ("without" if is_bare else "with") in values


PURPOSES = {
    "PreTraining": "pre-training",
    "MaskedLM": "masked-LM",
    "SequenceClassification": "(?:sequence|text) classification",
    "TokenClassification": "token classification",
    "QuestionAnswering": "question[ -]answering",
    "MultipleChoice": "multiple[ -]choice",
}
"""The end of the names of classes for each purpose, with the words for the purpose."""

MODELS_FOR_PURPOSES = {
    **{ending: re.compile(rf"\bfor {words}\b|\b{words} model\b") for ending, words in PURPOSES.items()},
    "Classification": re.compile(r"\bas a classifier\b"),
}
"""The wording for a model that has one of these purposes. A classifier may be one of sequences or of tokens."""


def purposes_named(text: str) -> frozenset[str]:
    """The purposes of the models in a text; empty if it names a class, because the number may be that of the class."""
    return frozenset() if words_in(class_names(), text) else values_in_words(MODELS_FOR_PURPOSES, text)


def fits_purpose(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether the class of a question has one of the purposes; true for a part and for an effect."""
    model_class = question.get("class", "BertModel" if "model" in question else "")
    return not model_class or bool(question.keys() & {"part", "deviation"}) or model_class.endswith(tuple(values))


UNIT = re.compile(rf"(?<![\w-])(?:{'|'.join(UNITS)})(?!\w)")
"""A unit of bytes. Unlike the names that `any_of` finds, it is case-sensitive, because Mb would mean megabits."""


def fits_unit(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether the number is in one of the units or has no unit."""
    return "unit" not in question or question["unit"] in values


ENTRIES: dict[str, Callable[[], Mapping[str, Any]]] = {
    "deviation": load_deviations,
    "mistake": load_mistakes,
    "optimiser": load_optimisers,
    "profiler": load_profilers,
}
"""Functions that load the entries that questions name by key and texts by title."""


@cache
def entries_by_title(key: str) -> dict[str, frozenset[str]]:
    """The keys of the entries of one data file by lower-case title."""
    names_by_title: dict[str, set[str]] = {}
    for name, entry in ENTRIES[key]().items():
        names_by_title.setdefault(entry.title.lower(), set()).add(name)
    return {title: frozenset(names) for title, names in names_by_title.items()}


def entry_facet(key: str) -> Facet:
    """The facet of the entries of one data file."""

    def values_in(text: str) -> frozenset[str]:
        titles = entries_by_title(key)
        return frozenset(name for title in words_in(tuple(titles), text) for name in titles[title])

    def fits(question: Attributes, names: frozenset[str]) -> bool:
        question_values = {*question.get(key, "").split(), *question.get(f"{key}s", "").split()}
        return not question_values or bool(question_values & names)

    return Facet(values_in, fits)


def conventions_named(text: str) -> frozenset[str]:
    """The convention whose name is the whole text, if any."""
    return frozenset({text} & {*load_conventions()})


def fits_convention(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether a question has the class and the deviations of one of the conventions.

    True if it has no model or no class, or is about a single deviation.
    """
    if "model" not in question or not question.get("class", "BertModel") or "deviation" in question:
        return True
    class_and_deviations = (question.get("class", "BertModel"), tuple(question.get("deviations", "").split()))
    conventions = [load_conventions()[name] for name in values]
    return class_and_deviations in [(convention.model_class, convention.deviations) for convention in conventions]


@cache
def ordinary_words() -> frozenset[str]:
    """Every word that occurs in the label of a part or in the meaning of a size."""
    labels = [*BLOCKS.values(), *NOUNS.values(), *(symbol.meaning for symbol in BERT.symbols)]
    return frozenset(word for label in labels for word in re.findall(r"\w+", label.lower()))


def methods_named(text: str) -> frozenset[str]:
    """The methods that the text mentions by a title or name that is not an ordinary word."""
    names = {title: name for name, method in load_methods().items() for title in (name, method.title.lower())}
    names = {title: name for title, name in names.items() if title not in ordinary_words()}
    return frozenset(names[title] for title in words_in(tuple(names), text))


def fits_method(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether one of the question's changes uses one of the methods, or there are no changes."""
    changes = question.get("change", "").split()
    return not changes or any(change.partition(":")[0] in values for change in changes)


POOLER_WORDS = {
    "true": re.compile(r"\b(?:with|have|has) (?:the |a )?pooler\b|add_pooling_layer=True"),
    "false": re.compile(r"\b(?:without|no) (?:the |a )?pooler\b|add_pooling_layer=False"),
}
"""The wording or the code for a bare model with or without a pooler, by the value of the `pooler` attribute."""


def fits_pooler(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether a total of the bare model agrees with the text about the pooler; true for any other number."""
    is_total = question.get("kind", "count") == "count" and not {"part", "tag", "class", "deviations"} & {*question}
    return not is_total or question.get("pooler", "true") in values


def dtypes_named(text: str) -> frozenset[str]:
    """The data types that the text mentions."""
    return frozenset(words_in(tuple(BYTES), text))


def fits_dtype(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether the number is computed for one of the data types or for none."""
    return "dtype" not in question or question["dtype"] in values


SETTINGS: dict[str, dict[str, Any]] = {
    r"\beager\b": {"attention": "eager"},
    r"\bsdpa\b": {"attention": ""},
    r"\bfloat32\b": {"dtype": "float32"},
    r"\bmixed precision\b": {"dtype": ""},
    r"\bbfloat16`? throughout\b": {"dtype": "pure-bf16"},
    r"\bpadded texts\b": {"padded": True},
    r"\btexts of one length\b": {"padded": False},
    r"\bwithout dropout\b": {"dropout": False},
    r"\bcheckpointing\b": {"checkpointing": True},
}
"""The settings of a training step, by a pattern for the words that describe them."""

DEFAULT_SETTINGS: dict[str, Any] = {
    "attention": "",
    "dtype": "",
    "padded": True,
    "dropout": True,
    "checkpointing": False,
}
"""The default settings of a training step, which its `data-way` can override."""


def settings_named(text: str) -> frozenset[str]:
    """The patterns of `SETTINGS` that match the text."""
    return frozenset(words for words in SETTINGS if re.search(words, text))


def fits_settings(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether a step uses the settings of all these patterns; true if the question is not about a step."""
    settings = DEFAULT_SETTINGS | json.loads(question.get("way") or "{}")
    return question.get("kind") != "step-bytes" or all(settings | SETTINGS[words] == settings for words in values)


def ranks_named(text: str) -> frozenset[str]:
    """The ranks in the text, such as 8 in "LoRA of rank 8"."""
    return frozenset(re.findall(r"\brank (\d+)", text))


def fits_rank(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether one of the question's changes has one of these ranks, or none has a rank."""
    ranks = {str(change.sizes["r"]) for change in changes_of(question) if "r" in change.sizes}
    return not ranks or bool(ranks & values)


def changes_of(question: Attributes) -> list[Change]:
    """The changes that a question makes to the model."""
    return [Change.parse(change) for change in question.get("change", "").split()]


DIGITS_BY_WORD = {"two": "2", "three": "3", "four": "4"}
"""Numbers that captions spell out, with their digits."""

COUNTS = re.compile(rf"(?<![\w-])(\d+|{'|'.join(DIGITS_BY_WORD)}) (figures|GiB|tokens|texts)\b")
"""A number followed by a noun for a count that questions can contain."""


def counts_named(text: str) -> frozenset[str]:
    """The counts of figures, GiB, tokens and texts in the text, each as noun and number: "tokens 512"."""
    return frozenset(f"{match[2]} {DIGITS_BY_WORD.get(match[1], match[1])}" for match in COUNTS.finditer(text))


def fits_counts(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether the counts that a question contains agree with the named ones; nouns not named are ignored."""
    key_by_noun = {"figures": "figures", "GiB": "memory", "tokens": "tokens", "texts": "texts"}
    numbers = {noun: {name.split()[1] for name in values if name.startswith(noun)} for noun in key_by_noun}
    return all(question[key] in numbers[noun] for noun, key in key_by_noun.items() if numbers[noun] and key in question)


LABELS = {
    **{label: path.split(", ") for path, label in NOUNS.items() if path},
    **{label.sentence: [f"bert/embeddings/{name}"] for name, label in LINES.items() if "table" in label.sentence},
    **{label: [block] for block, label in {**BLOCKS, **LEGENDS}.items()},
}
"""The paths or the block of each part by its label."""

EXCLUSION = re.compile(r"\b(?:without|but|beside|than|not|instead|alone|untied)\b.*", re.IGNORECASE)
"""A word after which text names parts that are not counted, or not counted alone, and the text after the word."""


@cache
def parts_named(text: str) -> frozenset[str]:
    """The labels of the parts that the text mentions as counted."""
    labels = {singular(label.removeprefix("the ")).lower(): label for label in LABELS}
    return frozenset(labels[word] for word in words_in(tuple(labels), singular(EXCLUSION.sub("", text))))


def singular(text: str) -> str:
    """The text with the final "s" removed from each word."""
    return re.sub(r"(?<=[a-zA-Z])s\b", "", text)


def fits_part(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether the number counts tensors of each of the parts, or a block that is one of them.

    True if the number is not about a part.
    """
    if "block" in question:
        return any(question["block"] in LABELS[name] for name in values)
    rows = rows_of(question) if is_of_part(question) else ()
    return not rows or (
        bool(values) and all(any(belongs_to_part(row, LABELS[label]) for row in rows) for label in values)
    )


def is_of_part(question: Attributes) -> bool:
    """Return whether a question counts a part of the model without deviations."""
    excluding_keys = {"deviation", "deviations", "measure"} & {*question}
    return not excluding_keys and question.get("kind", "count") in KINDS_ABOUT_PARTS


def rows_of(question: Attributes) -> tuple[Row, ...]:
    """The rows that a question counts."""
    return engine_question({f"data-{key}": value for key, value in question.items()}).rows


KINDS_ABOUT_PARTS = ("count", "share", "rounded", "deviating", "claim", "operations", "operations-share")
"""The kinds of numbers whose questions are about a part."""


def belongs_to_part(row: Row, parts: Sequence[str]) -> bool:
    """Return whether a row is under one of the paths or belongs to one of the blocks."""
    return row.block in parts or lies_under(row.path, tuple(parts))


ONE_LAYER, ALL_LAYERS = "one layer", "all layers"
"""The two values of the facet "layers"."""

LAYERS_IN_WORDS = {
    ONE_LAYER: re.compile(r"\b(?:one|each|per)(?: encoder| whole)? layer\b", re.IGNORECASE),
    ALL_LAYERS: re.compile(r"\ball (?:encoder )?layers", re.IGNORECASE),
}
"""The wording for one layer and for all layers."""


def layers_named(text: str) -> frozenset[str]:
    """Those of `ONE_LAYER` and `ALL_LAYERS` that the text mentions."""
    return values_in_words(LAYERS_IN_WORDS, text)


def fits_layers(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether the number covers one layer or all layers, as the text states; true if it is not about layers."""
    if not is_of_part(question) or not any(row.is_per_layer for row in rows_of(question)):
        return True
    return (ONE_LAYER if re.search(r"layer_\d", question.get("part", "")) else ALL_LAYERS) in values


MEASURES = {
    "parameters": r"parameters",
    "tensors": r"tensors|arrays",
    "operations": r"operations|FLOPs|flops|MACs|multiply-adds",
    "bytes": r"bytes|[KMG]i?B",
    "bits": r"bits",
    "share": r"shares?|%",
}
"""A pattern for the nouns of each quantity that numbers count."""

MEASURE_BY_KIND = {
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
"""The quantity that each kind of number counts. Numbers of other kinds can count any quantity."""


def measure_of(question: Attributes) -> str:
    """The quantity that a number counts; an empty string if it can be any."""
    if question.get("kind") == "changed":
        return {"trained": "parameters", "all": "parameters", "elements": ""}.get(question["what"], "bytes")
    if "mistake" in question:
        # Only mistakes about stored bytes show a unit in their rows; the others are about parameters.
        return "bytes" if load_mistakes()[question["mistake"]].number_key.startswith("bytes") else ""
    return MEASURE_BY_KIND.get(question.get("kind", "count"), "")


def measures_named(text: str) -> frozenset[str]:
    """The quantities that the text mentions."""
    return frozenset(name for name, words in MEASURES.items() if re.search(rf"(?<![\w-])(?:{words})(?!\w)", text))


def fits_measure(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether the number counts one of these quantities or may count any."""
    return not measure_of(question) or measure_of(question) in values


KINDS_BY_HEADING = {
    r"^differences$": {"differences"},
    r"off by": {"changed-off", "effect", "off", "rule-off", "ruled-off"},
    r"you would get": {"changed-wrong", "deviating", "resized"},
    r"width of a head": {"head-width"},
    r"of one head": {"head-share"},
    r"of all heads": {"all-heads"},
}
"""The kinds of numbers allowed in a column, by a pattern for its heading."""


def kinds_named(text: str) -> frozenset[str]:
    """The kinds of numbers that a heading allows; empty if it allows any."""
    return frozenset(kind for words, kinds in KINDS_BY_HEADING.items() if re.search(words, text) for kind in kinds)


def fits_kind(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether the number is of one of these kinds."""
    return question.get("kind", "count") in values


def letters_named(text: str) -> frozenset[str]:
    """The text itself, if it is the letter of a size."""
    return frozenset({text} & {size.letter for model in models_with_letters() for size in model.architecture.symbols})


@cache
def models_with_letters() -> tuple[Model, ...]:
    """One of the relatives for each of their architectures."""
    return tuple({model.architecture.name: model for model in load_relatives().values()}.values())


def fits_letter(question: Attributes, values: frozenset[str]) -> bool:
    """Return whether a size is that of the letter; true for a number that is not a size.

    The working of a size begins with its letter: `H = hidden_size in ...`.
    """
    return question.get("kind") != "size" or question["how"].partition(" = ")[0] in values


FACETS = {
    "part": Facet(parts_named, fits_part),
    "layers": Facet(layers_named, fits_layers),
    "measure": Facet(measures_named, fits_measure, levels=(False, True, False)),
    "model": Facet(models_named, fits_model),
    "family": Facet(families_named, fits_family, levels=(True, True, False)),
    "class": Facet(lambda text: frozenset(words_in(class_names(), text)), fits_class),
    "heads": Facet(partial(values_in_words, HEADS_IN_WORDS), fits_heads, levels=(False, False, True)),
    "purpose": Facet(purposes_named, fits_purpose, levels=(False, False, True)),
    "unit": Facet(lambda text: frozenset(UNIT.findall(text)), fits_unit),
    **{key: entry_facet(key) for key in ENTRIES},
    "convention": Facet(conventions_named, fits_convention),
    "method": Facet(methods_named, fits_method),
    "pooler": Facet(partial(values_in_words, POOLER_WORDS), fits_pooler, levels=(True, True, False)),
    "dtype": Facet(dtypes_named, fits_dtype),
    "rank": Facet(ranks_named, fits_rank),
    "settings": Facet(settings_named, fits_settings, levels=(True, True, False)),
    "counts": Facet(counts_named, fits_counts),
    "kind": Facet(kinds_named, fits_kind, levels=(False, True, False)),
    "letter": Facet(letters_named, fits_letter, levels=(False, True, False)),
}
"""The properties that several rules compare, by the names that messages use for them."""


def disagreements(question: Attributes, text: str, keys: Iterable[str]) -> Iterator[str]:
    """The facets, of those named, on which a text and a question disagree, each with the values in the text."""
    for key in keys:
        values = named_in(key, text)
        if values and not FACETS[key].fits(question, values):
            yield f"{key} {sorted(values)}"


WORDS_AFTER_NUMBER = re.compile(
    r"\s*\[?(?:such )?(?P<measure>(?:parameters|tensors|arrays|operations|FLOPs|multiply-adds|bytes|[KMG]i?B)\b)?"
    r"(?P<model>\s*(?:in|of|for|to) (?:BERT )?(?:base|large)\b(?! and (?:base|large)))?"
)
"""The words directly after a number in a sentence, which can state the quantity and the model."""


def wrong_words_after(page: BeautifulSoup) -> list[str]:
    """Numbers followed by words that name a different quantity, unit or model."""
    faults = []
    for element in page.find_all("data"):
        question, text = question_of(element), words_after(element)
        match = WORDS_AFTER_NUMBER.match(text)
        if not match:
            continue
        for words, keys in ((match["measure"], ("measure", "unit")), (match["model"], ("model",))):
            faults += [
                f"{element.get_text()} {question}: {disagreement} in {text!r}"
                for disagreement in disagreements(question, (words or "").strip(), keys)
            ]
    return faults


KIND_AFTER_NUMBER = re.compile(r"\s*(?:are )?(?P<kind>trained|trainable|added|frozen|in all)\b")
KINDS_OF_PARAMETERS = {"trained": "trained", "trainable": "trained", "in all": "all"}
"""The unit of a number of a changed model, by the word after it; no such number counts what is added or frozen."""


def wrong_kinds_after(page: BeautifulSoup) -> list[str]:
    """Numbers of a changed model's parameters followed by a wrong word, such as trained ones that are called added."""
    matches = [(element, KIND_AFTER_NUMBER.match(words_after(element))) for element in page.select("data[data-what]")]
    return [
        f"{element.get_text()} {element['data-what']}, followed by {match['kind']!r}"
        for element, match in matches
        if match and element["data-what"] in ("trained", "all")
        if KINDS_OF_PARAMETERS.get(match["kind"]) != element["data-what"]
    ]


WORDS_OF_PRECEDING_NUMBER = re.compile(
    r"^[\w\s(),-]*?\b(?:in|of|for|to|as|is)\b[^,;]*?(?:,(?: and| but)?| and| but| or)(?=\s|$)"
)
"""Words that belong to the preceding number, up to the conjunction that introduces the next one."""

COMPARISON = re.compile(
    r"\bthan (?:in |of )?BERT (?:base|large)\b|\b(?:at the size|the tensors) of (?:BERT (?:base|large)|[A-Z]\w+)"
    r"|\bas (?:many|much|large)\b[^,]*? as [^,]*|\bmodel with an? [\w-]+ head\b"
)
"""A comparison with a model or a part that the number is not about, or the description of a model by its head."""

END_OF_CLAUSE = re.compile(r"[.;!?]\**(?=\s|$)|\n|\[")
"""The end of a clause or line, or the start of a Markdown link."""


def words_leading_to(element: Tag) -> str:
    """The words of a clause before a number, without those that belong to the preceding number."""
    words = ""
    for sibling in element.previous_siblings:
        if isinstance(sibling, Tag) and sibling.name == "data":
            words = WORDS_OF_PRECEDING_NUMBER.sub("", words)
            break
        text = sibling.get_text()
        start = max((match.end() for match in END_OF_CLAUSE.finditer(text)), default=0)
        words = text[start:] + words
        if start:
            break
    return COMPARISON.sub("", words)


FACETS_OF_SENTENCES = tuple(key for key in FACETS if key not in ("measure", "unit", "counts", "heads"))
"""The facets that are compared before a number in a sentence. The others may belong to another number before it."""


def wrong_words_before(page: BeautifulSoup) -> list[str]:
    """Numbers in sentences and cells whose preceding words disagree with their question.

    `FACETS_OF_SENTENCES` has the facets that are compared.
    """
    faults = []
    for element in page.find_all("data"):
        if not is_in(element, "figure"):
            question, words = question_of(element), words_leading_to(element)
            faults += [
                f"{element.get_text()} {question}: {disagreement} in {words!r}"
                for disagreement in disagreements(question, words, FACETS_OF_SENTENCES)
            ]
    return faults


VERB_OR_BRACKET = re.compile(
    r"(?: of BERT (?:base|large))?\s*(?:\(|(?:(?: alone)? (?:has|have|holds?|adds?|is worth)|,? with(?: its)?)\s)$"
)
"""The words between a part and its number, as in "the pooler (590,592 parameters)" and "the pooler has 590,592"."""

END_OF_LINK = re.compile(r"\]\([^()]*\)")
ARTICLE = re.compile(r"^(?:the|one) ")

END_OF_PHRASE = re.compile(r",| and | but | than | while |[.;!?:]\**(?=\s|$)|\n|\[|\(")
"""The end of the words that belong to the number before them."""

PHRASE_OF_NUMBER = re.compile(r"\s*(?:such )?(?:\w+ )?(?:in|of|for|to|with|as)\b")
"""The beginning of words that say what the number before them counts, such as "parameters in" or "of"."""


def phrase_after(element: Tag) -> str:
    """The words that say what a number counts, such as "parameters in one layer"; empty if others follow it."""
    words = ""
    for sibling in element.next_siblings:
        text = "" if isinstance(sibling, Tag) and sibling.name == "data" else sibling.get_text()
        end = END_OF_PHRASE.search(text)
        words += text[: end.start()] if end else text
        if end or not text:
            break
    return words if PHRASE_OF_NUMBER.match(words) else ""


def wrong_phrases_after(page: BeautifulSoup) -> list[str]:
    """Numbers in sentences and cells followed by words that disagree with their question on a facet.

    The quantity is not compared, because the words may name the whole that a share is of. Settings are not compared
    either, because the words may name those of another number.
    """
    keys = [key for key in FACETS if key not in ("measure", "settings")]
    faults = []
    for element in page.find_all("data"):
        if not is_in(element, "figure"):
            question, phrase = question_of(element), phrase_after(element)
            faults += [
                f"{element.get_text()} {question}: {disagreement} in {phrase!r}"
                for disagreement in disagreements(question, phrase, keys)
            ]
    return faults


def wrong_parts_before(page: BeautifulSoup) -> list[str]:
    """Numbers in sentences that are not of the part named directly before them.

    If a whole model is named, the number must count all of it.
    """
    nouns = sorted({ARTICLE.sub("", noun) for noun in NOUNS.values()}, key=len, reverse=True)
    models = tuple(f"BERT {size}" for size in MAIN_MODELS) + tuple(model.title for model in load_relatives().values())
    faults = []
    for element in page.find_all("data"):
        words, question = END_OF_LINK.sub("", words_leading_to(element)), question_of(element)
        end = VERB_OR_BRACKET.search(words)
        if not end or "kind" in question or is_in(element, "table", "figure"):
            continue
        subject = words[: end.start()]
        part = Part(question.get("part", ""), question.get("tag", ""))
        named_part = next((noun for noun in nouns if re.search(rf"(?i)\b{re.escape(noun)}$", subject)), "")
        is_whole = subject.endswith(models)
        is_other_part = named_part and not ARTICLE.sub("", in_words(part)).startswith(named_part)
        if is_other_part or (is_whole and part != Part("")):
            faults.append(f"{element.get_text()} {question}: not of {named_part or 'the whole model'}")
    return faults


CASING = re.compile(r"(?<![\w-])(?:un)?cased(?![\w-])")
TAG = re.compile(r"<[^<>]*>")


def wrong_casings(page: BeautifulSoup) -> list[str]:
    """Paragraphs that mention only cased models while all their numbers are of uncased ones, or vice versa."""
    faults = []
    for paragraph in str(page).split("\n\n"):
        casings = {*CASING.findall(TAG.sub(" ", paragraph))}
        models = re.findall(r'data-model="([^"]*cased[^"]*)"', paragraph)
        if casings and models and casings.isdisjoint("uncased" if "uncased" in name else "cased" for name in models):
            faults.append(f"{casings} next to numbers of {set(models)}: {TAG.sub('', paragraph).strip()[:80]}")
    return faults


def module_pattern() -> str:
    """A pattern for the name of a module that methods adapt, such as "query" or "attention-output"."""
    return "|".join(sorted(map(re.escape, rules()["adapted"]), key=len, reverse=True))


def wrong_modules(page: BeautifulSoup) -> list[str]:
    """Sentences that apply a method to modules other than those in the questions of the numbers that follow."""
    name = module_pattern()
    modules = re.compile(rf"\bon ((?:{name})(?:(?:, and|,| and) (?:{name}))*)(?![\w-])")
    faults = []
    for text in page.find_all(string=modules):
        for match in modules.finditer(text):
            module_sets = [{*change.options["modules"]} for change in changes_after(text, text[match.end() :])]
            if module_sets and {*re.findall(name, match[1])} not in module_sets:
                faults.append(f"{match[0]!r}, before a number of {module_sets}")
    return faults


def changes_after(text: NavigableString, rest: str) -> list[Change]:
    """The changes to particular modules in the questions of a sentence's remaining numbers.

    Args:
        text: the text node that contains the beginning of the sentence.
        rest: the part of this text node after the words that have been matched.
    """
    changes: list[Change] = []
    for sibling in text.next_siblings:
        if re.search(r"[.;:!?]\s|\n", rest):
            break
        if isinstance(sibling, Tag):
            changes += changes_of(question_of(sibling))
        rest = sibling.get_text()
    return [change for change in changes if "modules" in change.options]


def wrong_nouns_in_working(page: BeautifulSoup) -> list[str]:
    """Numbers whose working names a different quantity or unit after the result."""
    faults = []
    for element in page.find_all("data"):
        question, number = question_of(element), element.get_text()
        nouns = re.findall(rf"[=≈] {re.escape(number)} ([\w-]+)$", question.get("how", ""), re.MULTILINE)
        faults += [
            f"{number} {question}: {disagreement}"
            for noun in nouns
            for disagreement in disagreements(question, noun, ("measure", "unit"))
        ]
    return faults


def words_after(element: Tag) -> str:
    """The text of the node directly after an element; empty if there is none."""
    next_node = element.next_sibling
    return next_node.get_text() if next_node else ""


HEADS_AFTER_NUMBER = re.compile(r"(?: parameters)?(?: as `\w+`,)? with (?P<heads>(?!an? |its )[^.,;:()\[]*? heads?)\b")
"""The words directly after a total that say with which heads it is counted."""


def wrong_heads_after(page: BeautifulSoup) -> list[str]:
    """Totals of a class followed by heads other than those of the class, or by other words for them."""
    faults = []
    for element in page.select("data[data-class]"):
        match, question = HEADS_AFTER_NUMBER.match(words_after(element)), question_of(element)
        if match:
            model_class = ARCHITECTURE_OF_CLASS[question["class"]].class_named(question["class"])
            names = [in_words(Part(head)) for head in model_class.heads]
            words = names[0] if len(names) == 1 else model_class.purpose.replace("tasks", "heads")
            if match["heads"] != words:
                faults.append(f"{element.get_text()} {question}: {match['heads']!r} instead of {words!r}")
    return faults


NUMBERS_IN_LABELS = {r"([\d,]+) bytes for each\b": "× {}", r"\bblocks? of ([\d,]+)\b": "(?:÷|÷ .*×) {}"}
"""The text that the line of a sum must contain if its label has one of these numbers: bytes multiply, blocks divide."""


def wrong_labels_of_lines(page: BeautifulSoup) -> list[str]:
    """Lines of sums that do not calculate with a number as their label says."""
    faults = []
    for line in page.select(".bc-steps li:has(.bc-what)"):
        label, working = (text_of(line.select_one(name)) for name in (".bc-what", ".bc-line-of-sum"))
        faults += [
            f"{label}: {working}"
            for pattern, sign in NUMBERS_IN_LABELS.items()
            for number in re.findall(pattern, label)
            if not re.search(rf"{sign.format(number)}(?![\d,])", working)
        ]
    return faults


def wrong_words_before_sums(page: BeautifulSoup) -> list[str]:
    """Sums whose introduction disagrees with their question on a facet other than the quantity, which has no key."""
    keys = [key for key in FACETS if key != "measure"]
    faults = []
    for element in page.select(".bc-steps[data-model]"):
        text = words_before(element)
        faults += [
            f"{text_of(element)}: {disagreement} in {text!r}"
            for disagreement in disagreements(question_of(element), text, keys)
        ]
    return faults


def words_before(element: Tag) -> str:
    """The text that introduces a sum: the paragraph above its lines, or the text before it in its own paragraph."""
    previous_element = element.find_previous_sibling()
    if element.name == "ol":
        return text_of(previous_element) if previous_element and previous_element.name == "p" else ""
    return "".join(
        sibling if isinstance(sibling, str) else sibling.get_text()
        for sibling in reversed([*element.previous_siblings])
    )


def figures_of_another_model(page: BeautifulSoup) -> list[str]:
    """Figures of BERT base or BERT large with a number that only the other model has, or with texts that disagree."""
    faults = []
    for figure in page.select("figure.bc-figure"):
        texts = [text_of(element) for element in figure.select("svg > title, svg > desc, figcaption")]
        models = {MAIN_MODELS[size] for text in texts for size in models_named(text) & {*MAIN_MODELS}}
        titles = {frozenset(models_named(text) & {*MAIN_MODELS}) for text in texts}
        if len({title for title in titles if len(title) == 1}) > 1:
            faults.append(f"{texts}: of several models")
        if len(models) == 1:
            numbers = {int(match.replace(",", "")) for text in texts for match in re.findall(r"\d[\d,]{4,}", text)}
            numbers |= {int(str(element["data-value"])) for element in figure.select("[data-value]")}
            (other_model,) = {*MAIN_MODELS.values()} - models
            foreign_numbers = numbers & counts_of(other_model) - counts_of(*models)
            faults += [f"{texts[0]}: {number} is one of {other_model}" for number in foreign_numbers]
    return faults


MAIN_MODELS = {"base": "bert-base-uncased", "large": "bert-large-uncased"}
"""The two models that tables and captions abbreviate to "base" and "large"."""


@cache
def counts_of(model: str) -> frozenset[int]:
    """The counts of a model's parts, in one layer and in all layers.

    Small counts are left out because too many other numbers equal them.
    """
    full_question = Question(model_named(model), "BertForPreTraining")
    paths = {"/".join(row.path.split("/")[:depth]) for row in full_question.rows for depth in range(1, 10)}
    paths |= {path.replace("layer_*", "layer_0") for path in paths}
    blocks = {row.block for row in full_question.rows}
    parts = [full_question.about(path, "") for path in paths] + [
        full_question.about("bert/encoder/layer_0", block) for block in BLOCKS_OF_LAYER
    ]
    parts += [full_question.about("", block) for block in blocks] + [Question(model_named(model))]
    return frozenset(part.number for part in parts if part.number >= SMALLEST_SUGGESTED_COUNT)


BLOCKS_OF_LAYER = ("self-attention", "feed-forward", "encoder-norms")
"""The blocks that make up one layer."""


def wrong_rows(page: BeautifulSoup) -> list[str]:
    """Numbers whose row starts with a number or a change other than that of their question."""
    faults = []
    for number in numbers_in_tables(page):
        question, first_number = number.question, number.row_heading.find("data")
        if first_number and first_number.get("data-kind") in ("given", "heads"):
            values = [question[key] for key in ("change", "tokens", "heads", "texts", "memory") if key in question]
            if values and str(first_number["value"]) not in re.findall(r"\d+", " ".join(values)):
                faults.append(f"{number}: in the row of {first_number.get_text()}")
        changes = [text for code in number.row_heading.select("code") for text in changes_in(text_of(code))]
        if changes and "change" in question and changes != [str(change) for change in changes_of(question)]:
            faults.append(f"{number}: in the row of {changes}")
    return faults


def changes_in(code: str) -> list[str]:
    """The changes in a piece of code; empty if it does not parse as changes."""
    try:
        return [str(Change.parse(word)) for word in code.split()]
    except CountingError:
        return []


def wrong_words(page: BeautifulSoup) -> list[str]:
    """Numbers in tables whose headings or caption contradict their questions."""
    return [
        f"{number}: {key} {sorted(values)} in {text!r}"
        for number in numbers_in_tables(page)
        for key in FACETS
        for text, values in named_beside(number, key)
        if not FACETS[key].fits(number.question, values)
    ]


PAGES_OF_PARTS = {address.partition("#")[0] for address in (*ADDRESSES_OF_BLOCKS.values(), ENCODER_LAYER)}
"""The pages that each explain one part."""

ADDRESS_OF_PART = re.compile(r"\bparts/[\w-]+\.html")


def links_to_another_part(page: BeautifulSoup) -> list[str]:
    """Rows that link to the page of a part, but to none that explains a part whose number is in the row."""
    faults = []
    for row in page.select("table.bc tr"):
        linked_pages = {*ADDRESS_OF_PART.findall(str(row))} & PAGES_OF_PARTS
        questions = map(question_of, row.select("data")) if linked_pages else ()
        parts = [Part(question.get("part", ""), question.get("tag", "")) for question in questions]
        own_pages = {of_part(part).partition("#")[0] for part in parts if part.path or part.tag}
        if own_pages and not own_pages & linked_pages:
            faults.append(f"{text_of(row)!r} links to {linked_pages}, not to {own_pages}")
    return faults


def labels_of_another_row(page: BeautifulSoup) -> list[str]:
    """Elements in a row whose label for screen readers does not contain the heading of the row."""
    return [
        f"{element['aria-label']!r} is in the row of {text_of(row.th)!r}"
        for row in page.select("table.bc tbody tr:has(th)")
        for element in row.select("[aria-label]:not(.bc-permalink)")
        if text_of(row.th).lower() not in str(element["aria-label"]).lower()
    ]


STOP_WORDS = frozenset(("a", "and", "by", "for", "in", "of", "one", "the", "with"))
"""Words of headings that carry no meaning of their own."""


def words_of(text: str) -> frozenset[str]:
    """The meaningful words of a heading or of a value in a question, in the singular."""
    return frozenset(re.findall(r"[a-z0-9]+", singular(text.lower()))) - STOP_WORDS


def words_in_all_questions(cells: Sequence[Tag]) -> frozenset[str]:
    """The words that occur in the question of every number in a column."""
    questions = [question_of(element) for element in (cell.find("data") for cell in cells) if element]
    words = [
        frozenset[str]().union(*(words_of(value) for key, value in question.items() if key not in ("how", "paths")))
        for question in questions
    ]
    return frozenset.intersection(*words) if words else frozenset()


def swapped_headings(page: BeautifulSoup) -> list[str]:
    """Pairs of headings that would share more words with the questions in their columns if they were swapped."""
    faults = []
    for table in page.select("table.bc"):
        columns = columns_of(table)
        headings = [(heading, words_of(heading), words_in_all_questions(cells)) for heading, cells in columns]
        pairs = combinations(headings, 2)
        for (first, first_words, first_questions), (second, second_words, second_questions) in pairs:
            unswapped_count = len(first_words & first_questions) + len(second_words & second_questions)
            swapped_count = len(first_words & second_questions) + len(second_words & first_questions)
            if swapped_count > unswapped_count:
                faults.append(f"{first!r} and {second!r} fit each other's columns")
    return faults


def headings_in_another_order(pages: Iterable[BeautifulSoup]) -> list[str]:
    """Tables that have the same headings as an earlier table, in another order."""
    first_orders: dict[frozenset[str], list[str]] = {}
    orders = [[text_of(heading) for heading in table.select("thead th")] for page in pages for table in page("table")]
    return [
        f"{order}, but elsewhere {first_order}"
        for order in orders
        if (first_order := first_orders.setdefault(frozenset(order), order)) != order
    ]


DIRECTIONS = re.compile(r"\bby ([\w -]+) \(down\) and ([\w -]+) \(across\)")
"""The words of a caption that name the sizes in the headings of rows and of columns."""

LETTER_OF_HEADING = re.compile(r"^(\w+) = ")


def swapped_directions(page: BeautifulSoup) -> list[str]:
    """Captions that name a size for the rows or columns, although no heading there, such as "L = 12", is about it."""
    meanings = {symbol.letter: symbol.meaning for symbol in BERT.symbols}
    faults = []
    for table in page.select("table.bc:has(caption)"):
        match = DIRECTIONS.search(text_of(table.caption))
        for words, selector in zip(match.groups() if match else (), ("tbody th", "thead th + th"), strict=False):
            letters = {
                letter[1] for item in table.select(selector) if (letter := LETTER_OF_HEADING.match(text_of(item)))
            }
            if not any(words in meanings[letter] for letter in letters):
                faults.append(f"{words!r} above {letters} in {text_of(table.caption)!r}")
    return faults


def columns_of(table: Tag) -> list[tuple[str, list[Tag]]]:
    """The heading and the cells of each column, using only rows that have a cell in every column."""
    headings = [text_of(item) for item in table.select("thead th")]
    rows = [row.find_all(["th", "td"], recursive=False) for row in table.select("tbody tr")]
    return [
        (heading, [row[index] for row in rows if len(row) == len(headings)]) for index, heading in enumerate(headings)
    ]


HEADING_OF_COUNTS = re.compile(r"(?:numbers|questions|rows|minutes|parameters|bytes|operations)\b")
"""The beginning of a heading above a column of numbers."""


def words_below_counts(page: BeautifulSoup) -> list[str]:
    """Columns without numbers under a heading that promises counts."""
    faults = []
    for table in page.select("table.bc"):
        for heading, cells in columns_of(table):
            texts = [*filter(None, map(text_of, cells))]
            if HEADING_OF_COUNTS.match(heading) and texts and not any(re.match(r"[+−]?\d", text) for text in texts):
                faults.append(f"{heading!r} is above {texts[0]!r}")
    return faults


HEADING_WITH_ID = re.compile(r"^#+ .*\{ #([\w-]+) \}$", re.MULTILINE)
"""A heading in Markdown; the group is its id."""


def numbers_of_another_family(page: BeautifulSoup) -> list[str]:
    """Numbers in a section about an architecture that count a different one, without naming the model."""
    # Few pages have such a section, and the HTML of all others need not be written out.
    if ARCHITECTURES.keys().isdisjoint(HEADING_WITH_ID.findall(page.get_text())):
        return []
    sections = HEADING_WITH_ID.split(str(page))
    faults = []
    for name, html in zip(sections[1::2], sections[2::2], strict=True):
        if name not in ARCHITECTURES:
            continue
        for element in BeautifulSoup(html, "html.parser").find_all("data"):
            model = question_of(element).get("model")
            if is_in(element, "table", "figure") or not model or family_of(model) == name:
                continue
            if not models_named(f"{words_leading_to(element)} {words_after(element)}"):
                faults.append(f"{element.get_text()} of {model} in the section {name}")
    return faults


def is_of_none(key: str, values: frozenset[str], questions: Sequence[Attributes]) -> bool:
    """Return whether some questions specify a facet, but none of them has one of the values."""
    fits = FACETS[key].fits
    # A question that does not specify the facet fits even no value at all.
    specific_questions = [question for question in questions if not fits(question, frozenset())]
    return bool(specific_questions) and not any(fits(question, values) for question in specific_questions)


def wrong_captions(page: BeautifulSoup) -> list[str]:
    """Captions of tables that name a value that none of the table's numbers has."""
    faults = []
    for table in page.select("table.bc"):
        caption, questions = text_of(table.caption), [question_of(element) for element in table.select("data")]
        for key, facet in FACETS.items():
            values = named_in(key, caption) if facet.levels[-1] else frozenset[str]()
            if values and is_of_none(key, values, questions):
                faults.append(f"{caption}: {key} {sorted(values)} of none")
    return faults


SECTION = re.compile(r"^(?P<rank>#+) (?P<heading>.+?) \{ #|<summary>(?P<summary>.+?)</summary>", re.MULTILINE)
"""A heading in Markdown, or the summary of a fold."""

MEASURE_ASKED_FOR = re.compile(r"\b[Hh]ow (?:many|much) (\w+)")
"""The quantity that a heading asks for. Other headings may name a quantity that their section only mentions."""


def sections_of(html: str) -> Iterator[tuple[str, str]]:
    """The text of each heading and summary, and the HTML that it covers.

    The heading of the page covers only the first paragraph, which must answer it; any other heading covers its section
    with all subsections; and a summary covers the content of its fold.
    """
    headings = [*SECTION.finditer(html)]
    for index, match in enumerate(headings):
        below = html[match.end() :]
        if match["summary"]:
            text, content = match["summary"], below.partition("</details>")[0]
        elif match["rank"] == "#":
            text, content = match["heading"], below.partition("\n\n")[2].partition("\n\n")[0]
        else:
            ends = [
                other.start() for other in headings[index + 1 :] if len(other["rank"] or "######") <= len(match["rank"])
            ]
            text, content = match["heading"], html[match.end() : min(ends, default=len(html))]
        yield text_of(BeautifulSoup(text, "html.parser")), content


def headings_without_numbers(page: BeautifulSoup) -> list[str]:
    """Headings and summaries that name a value that none of the numbers below them has."""
    faults = []
    for heading, content in sections_of(str(page)):
        # Only numbers are parsed, because the content of a subsection is read once for each section around it.
        numbers = BeautifulSoup(content, "html.parser", parse_only=SoupStrainer("data")).find_all("data")
        questions = [question_of(element) for element in numbers]
        for key in FACETS:
            text = " ".join(MEASURE_ASKED_FOR.findall(heading)) if key == "measure" else heading
            values = named_in(key, text)
            if values and is_of_none(key, values, questions):
                faults.append(f"{heading}: {key} {sorted(values)} of none")
    return faults


def folds_of_another_model(page: BeautifulSoup) -> list[str]:
    """Folds of BERT base or BERT large with more numbers of the other model than of their own."""
    faults = []
    for summary in page.select("details > summary"):
        models = [MAIN_MODELS[size] for size in models_named(text_of(summary)) & {*MAIN_MODELS}]
        assert summary.parent
        models_of_numbers = [str(element["data-model"]) for element in summary.parent.select("data[data-model]")]
        counts = [models_of_numbers.count(model) for model in MAIN_MODELS.values()]
        if len(models) == 1 and any(counts) and models_of_numbers.count(models[0]) < max(counts):
            faults.append(f"{text_of(summary)}: {dict(zip(MAIN_MODELS, counts, strict=True))} numbers of each model")
    return faults


def named_beside(number: Number, key: str) -> list[tuple[str, frozenset[str]]]:
    """The values in the headings of row and column, each with its heading; if there are none, those in the caption."""
    levels = FACETS[key].levels
    *headings, caption = [
        (text, named_in(key, text) if is_searched else frozenset[str]())
        for text, is_searched in zip(number.levels, levels, strict=True)
    ]
    return [heading for heading in headings if heading[1]] or ([caption] if caption[1] else [])


@cache
def named_in(key: str, text: str) -> frozenset[str]:
    """The values of a facet that the text names."""
    return FACETS[key].values_in(text if key in ENTRIES else without_titles(text))


@cache
def without_titles(text: str) -> str:
    """The text without the titles of entries and sources, which can mention a name without being about it."""
    titles = [*(title for key in ENTRIES for title in entries_by_title(key)), *(source.title for source in sources())]
    return any_of(tuple(titles)).sub(" ", text)


@cache
def sources() -> tuple[Source, ...]:
    """The publications whose claims pages compare with the engine."""
    return tuple(claims_of_source[0].source for claims_of_source in load_claims().values())
