"""Rules for the words next to a number: they must not contradict the question that the number answers.

The question is stored in the attributes of the number's element. In a table, the words next to the number are the
headings of its row and column and the caption; elsewhere, they are the words around the number. These words can name,
for example, a model, a class, a unit or a part; `facets.py` has the properties that several rules compare. In a table,
the headings of row and column must both agree with the question on every facet. `wrong_words` consults the caption only
if neither heading names a value of the facet, because a table about one model may compare it with another.

In a row, links to pages and labels for screen readers must fit its numbers and its heading, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString
from bs4.filter import SoupStrainer

from macros.counting import (
    ARCHITECTURE_OF_CLASS,
    ARCHITECTURES,
    BERT,
    CountingError,
    Question,
    load_relatives,
    model_named,
)
from macros.counting.changes.methods import Change, rules
from macros.counting.published.claims import load_claims
from macros.counting.search.parts import Part
from macros.rendering.components.pages import BLOCKS as ADDRESSES_OF_BLOCKS
from macros.rendering.components.pages import ENCODER_LAYER, of_part
from macros.rendering.components.words import NOUNS, in_words
from macros.rendering.typed_numbers import SMALLEST_SUGGESTED_COUNT
from tests.rendering.facets import (
    FACETS,
    MAIN_MODELS,
    Attributes,
    changes_of,
    disagreements,
    family_of,
    models_named,
    named_in,
    singular,
)


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
