"""The properties that words next to a number can name, such as a model, a class, a unit or a part.

A rule in `beside_numbers.py` compares what the words name with the question that the number answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from macros.counting import (
    ARCHITECTURE_OF_CLASS,
    ARCHITECTURES,
    BERT,
    Model,
    load_models,
    load_relatives,
    model_named,
)
from macros.counting.architecture import Row, lies_under
from macros.counting.changes.methods import Change, load_methods
from macros.counting.changes.mistakes import load_mistakes
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.deviations import load_deviations
from macros.counting.memory import BYTES, UNITS
from macros.counting.models import models_by_every_name
from macros.counting.published.claims import Source, load_claims
from macros.counting.published.conventions import load_conventions
from macros.counting.published.others import load_others
from macros.counting.published.profilers import load_profilers
from macros.example import TOY
from macros.rendering.components.words import BLOCKS, LEGENDS, NOUNS
from macros.rendering.components.words import LABELS as LINES
from tests.docs.test_numbers import engine_question

Attributes = Mapping[str, str]
"""The question of a number: the attributes of its element, without `data-`."""

MAIN_MODELS = {"base": "bert-base-uncased", "large": "bert-large-uncased"}
"""The two models that tables and captions abbreviate to "base" and "large"."""


class Facet(NamedTuple):
    """A property that both text and a question can specify.

    Attributes:
        values_in: extracts the values that the text names.
        fits: returns whether a question agrees with these values or does not specify the property.
        levels: whether the property is looked for in the heading of the row, that of the column, and the caption. In a
            caption, "tensors" may refer to what the rows list; in a row, "shares" may refer to attention shares that
            take up memory.
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
