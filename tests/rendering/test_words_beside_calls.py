"""In page sources, words do not contradict the macro calls, ids, links and formulas beside them.

`test_beside_numbers.py` compares the words next to a number in a built page with the question that it answers. The
rules here read the sources. Some compare words, such as the label of a row that a macro fills, the noun after a number,
or the caption of a table, with the arguments of calls; others compare headings with their ids, links with the files
that they lead to, and formulas with formulas.
"""

import posixpath
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from jinja2 import Environment

from macros.counting import BERT, Polynomial
from macros.counting.published.claims import load_claims
from macros.rendering.components.asking import BASE, LARGE, ask
from macros.site import MACROS
from tests.docs.building import ROOT
from tests.docs.test_link_words import name_stems

PAGES = {
    str(path.relative_to(ROOT / "docs")): path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")
}

ROW_FILLED_BY_CALL = re.compile(r"^(\| .*?)\{\{ (\w+\(\"[^{}]*)\}\}$", re.MULTILINE)
"""A table row whose cells are written by a macro; the groups are its label and the call."""

TABLE = re.compile(r"\{% call rows\(.*?\{% endcall %\}", re.DOTALL)


def rows_with_the_same_call(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Rows of a table that have different labels but the same call, so that one of the labels must be wrong."""
    for name, text in pages.items():
        for table in TABLE.findall(text):
            labels: dict[str, str] = {}
            for label, call in ROW_FILLED_BY_CALL.findall(table):
                if labels.setdefault(call, label) != label:
                    yield f"{name}: {labels[call]} and {label} have the same call {call}"


NOUN_AFTER_CALL = re.compile(r'\{\{ ([\w.]+)\("([a-z0-9-]+)"\) \}\} ([a-zA-Z]+)')
"""A call with a single name as its argument, and the word after it."""


def nouns_of_another_name(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Calls followed by a word that belongs to another argument of the same macro: `verified("layers") tensors`.

    The word may be a verb without its ending: `claims.in_all("agrees") differ`.
    """
    calls = [(name, *call) for name, text in pages.items() for call in NOUN_AFTER_CALL.findall(text)]
    nouns: dict[str, set[str]] = defaultdict(set)
    for _, macro, argument, _ in calls:
        nouns[macro].add(argument.rpartition("-")[2].removesuffix("s"))
    for name, macro, argument, word in calls:
        if word.removesuffix("s") in nouns[macro] - {argument.rpartition("-")[2].removesuffix("s")}:
            yield f'{name}: {macro}("{argument}") {word}'


RIVALS = (
    ("keras-bert", "bert4keras", "keras-hub", "transformers", "pytorch", "flax", "google-bert"),
    ("base", "large"),
    ("cased", "uncased", "chinese", "multilingual"),
    ("houlsby", "pfeiffer"),
    ("forward", "backward"),
)
"""Groups of names that exclude each other: libraries, model sizes, vocabularies, adapters and passes."""

NAMED_TEXT = re.compile(
    r'\{% call rows\("(?P<table>[\w-]+)".*?\) %\}\n(?P<caption>.*)'
    r"|^(?P<text>.+)\{ #(?P<heading>[\w-]+).*\}"
    r'|id="(?P<fold>[\w-]+)"[^>]* markdown>\n<summary>(?P<summary>.*)</summary>',
    re.MULTILINE,
)
"""A table with its caption, a heading, or a fold with its summary, each with its id."""


def named_in(text: str, rivals: tuple[str, ...]) -> set[str]:
    """The rivals that the text names, ignoring case and spacing."""
    hyphenated_text = re.sub(r"[\s_-]+", "-", text.lower().replace("kerashub", "keras-hub"))
    return {rival for rival in rivals if re.search(rf"(?<![a-z0-9]){rival}(?![a-z0-9])", hyphenated_text)}


def ids_and_texts(page: str) -> Iterator[tuple[str, str]]:
    """The id and the text of every heading, of every table with its caption, and of every fold with its summary."""
    for match in NAMED_TEXT.finditer(page):
        text = match["caption"] or match["text"] or match["summary"] or ""
        yield match["table"] or match["heading"] or match["fold"], text


def texts_unlike_their_id(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Captions, headings and summaries that name a rival of the name in their id."""
    for name, page in pages.items():
        for id_, text in ids_and_texts(page):
            for rivals in RIVALS:
                rivals_in_id, rivals_in_text = named_in(id_, rivals), named_in(text, rivals)
                if rivals_in_id and rivals_in_text and not rivals_in_id & rivals_in_text:
                    yield f"{name}: {id_} is called “{text}”"


def as_id(text: str) -> str:
    """A heading or a summary written as an id: in lower case, with hyphens between words."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))


def texts_with_another_id(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Headings, captions and summaries whose words are the id of something else on the page."""
    for name, page in pages.items():
        ids = {id_ for id_, _ in ids_and_texts(page)}
        for id_, text in ids_and_texts(page):
            if as_id(text) in ids - {id_}:
                yield f"{name}: {id_} is called “{text}”"


HEADING = re.compile(r"^#+ (?P<text>.+?) \{ #(?P<id>[\w-]+)", re.MULTILINE)
"""A heading with its id."""


def shared_headings_with_another_id(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Headings shared by several pages, such as "Sources", with an id that no other page uses for them."""
    ids_by_text: dict[str, Counter[str]] = defaultdict(Counter)
    for page in pages.values():
        for text, id_ in HEADING.findall(page):
            ids_by_text[text][id_] += 1
    for name, page in pages.items():
        for text, id_ in HEADING.findall(page):
            if ids_by_text[text][id_] == 1 < max(ids_by_text[text].values()):
                yield f"{name}: {id_} is called “{text}”, as other ids are elsewhere"


def opening_word(text: str) -> str:
    """The first word of a heading or an id, in the singular and without an article.

    >>> opening_word("The schemas of all files"), opening_word("files")
    ('schema', 'file')
    """
    words = re.findall(r"[a-z]+", re.sub(r"^(?:the|an?) ", "", text.lower()))
    return words[0].removesuffix("s") if words else ""


def headings_that_open_with_another_id(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Headings without any word of their own id, whose first word is the id of another section of the page."""
    for name, page in pages.items():
        ids = {opening_word(id_): id_ for _, id_ in HEADING.findall(page) if "-" not in id_}
        for text, id_ in HEADING.findall(page):
            other_id = ids.get(opening_word(text), id_)
            if other_id != id_ and not any(word.removesuffix("s") in text.lower() for word in id_.split("-")):
                yield f"{name}: {id_} is called “{text}”, although there is a section {other_id}"


NEGATIONS = ("un", "non-", "non")
"""Prefixes that turn a word into its opposite."""

OPPOSITES = (
    ("with", "without"),
    ("before", "after"),
    ("first", "last"),
    ("more", "fewer", "less"),
    ("most", "fewest", "least"),
    ("larger", "smaller"),
    ("largest", "smallest"),
    ("rows", "columns"),
    ("input", "output"),
    ("right", "wrong"),
    ("trained", "frozen"),
)
"""Words that exclude each other. Like prefixes, they turn the id of a heading into another claim."""


def opposites_of(word: str) -> set[str]:
    """The words that say the opposite of a word.

    >>> sorted(opposites_of("with")), sorted(opposites_of("tying"))
    (['non-with', 'nonwith', 'unwith', 'without'], ['non-tying', 'nontying', 'untying'])
    """
    opposites = {other for words in OPPOSITES if word in words for other in words if other != word}
    opposites |= {prefix + word for prefix in NEGATIONS}
    return opposites | {word.removeprefix(prefix) for prefix in NEGATIONS if word.startswith(prefix)}


def headings_that_negate_their_id(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Headings, captions and summaries that contain the opposite of a word of their id instead of the word itself."""
    for name, page in pages.items():
        for id_, text in ids_and_texts(page):
            words = {*re.findall(r"[a-z-]+", text.lower())}
            for word in {*id_.split("-")} - words:
                if opposites_of(word) & words:
                    yield f"{name}: {id_} is called “{text}”"


LINK_TO_FILE = re.compile(r"\[[^]]*?`([\w.-]+\.(?:py|json|md|txt))`[^]]*\]\((https?:[^)\s]+)\)")
"""A link to another site that names a file; the groups are the file's name and the address."""


def links_to_another_file(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Links that name a file but lead to another."""
    for name, page in pages.items():
        for file, address in LINK_TO_FILE.findall(page):
            if not re.sub(r"[#?].*", "", address).endswith(f"/{file}"):
                yield f"{name}: the link to {file} leads to {address}"


LINK = re.compile(r"\[([^][\n]+)\]\((https?:[^)\s]+)\)")
"""A link to another site; the groups are its text and its address."""


def addresses_of_another_work(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Links that have the address of another link, on any page, but no word in common with it.

    Words of fewer than four letters, such as "and", do not count.
    """
    first_texts: dict[str, str] = {}
    for name, page in pages.items():
        for text, address in LINK.findall(page):
            first_text = first_texts.setdefault(address, text)
            if text != first_text and not {*re.findall(r"\w{4,}", first_text)} & {*re.findall(r"\w{4,}", text)}:
                yield f"{name}: “{text}” and “{first_text}” both lead to {address}"


LINK_TO_PAPER = re.compile(r"\[([^][\n]+)\]\(https://arxiv\.org/\w+/([0-9.]+)[^)]*\)")
"""A link to a paper on arXiv; the groups are its text and the number of the paper."""

PAPERS: dict[str, str] = tomllib.loads(Path(__file__).with_name("papers.toml").read_text(encoding="utf-8"))
"""The authors and the title of each paper, by its number."""


def papers_of_another_title(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Links to papers that are not in papers.toml, or whose text has no name of an author and no word of the title.

    Such a word has a capital letter, or at least five letters, so that "and others" is none.
    """
    for name, page in pages.items():
        for text, number in LINK_TO_PAPER.findall(page):
            names = {*re.findall(r"[A-Z][\w-]+|\w{5,}", PAPERS.get(number, ""))} - {"others"}
            if not names & {*re.findall(r"[\w-]+", text)}:
                yield f"{name}: “{text}” leads to {number}, {PAPERS.get(number, 'which is not in papers.toml')}"


def exercises_of_another_page(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Folds of exercises that have the name of another page."""
    page_names = {PurePosixPath(path).stem for path in pages}
    for name, page in pages.items():
        for fold in re.findall(r'exercises\.fold\("([\w-]+)"\)', page):
            if fold in page_names - {PurePosixPath(name).stem}:
                yield f"{name}: the exercises are those of {fold}"


ID_OR_NUMBERS = re.compile(r'\{ #(?P<id>[\w-]+) \}|\bnumbers_of\("(?P<source>[\w-]+)"\)')
"""An id, or a call for the numbers that a source prints."""


def numbers_of_another_source(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Calls for the numbers of a source that are below the id of another."""
    for name, page in pages.items():
        for above, match in pairwise(ID_OR_NUMBERS.finditer(page)):
            if match["source"] and above["id"] in load_claims() and match["source"] != above["id"]:
                yield f"{name}: {above['id']} is above the numbers of {match['source']}"


IMPORT_OF_RULES = re.compile(r'\{% from "keep\.jinja" import (\w+)')
"""An import of what to remember from a page; the group is the name of the macro."""


def rules_on_several_pages(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Macros for what to remember from a page that more than one page imports."""
    imports = Counter(macro for page in pages.values() for macro in IMPORT_OF_RULES.findall(page))
    yield from (f"{macro} is on {number} pages" for macro, number in imports.items() if number > 1)


LINK_TO_PAGE = re.compile(r"\[(?:(?:the|our) )?([\w -]+)\]\((?:[\w./-]*/)?([\w-]+)\.md(?:#[\w-]+)?\)")
"""A link to another page; the groups are its text, without an article, and the page's name in the address."""


def links_to_another_page(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Links with the name of a page that lead to a page of another name, such as `[plan](slides.md)`.

    The end of a name is enough, as in `[heads](attention-heads.md)`.
    """
    page_names = {PurePosixPath(path).stem for path in pages}
    for name, page in pages.items():
        for text, target in LINK_TO_PAGE.findall(page):
            if as_id(text) in page_names and not f"-{target}".endswith(f"-{as_id(text)}"):
                yield f"{name}: the link to {text} leads to {target}"


INTERNAL_LINK = re.compile(r"\[([^][\n]+)\]\(([\w./-]*\.md)?(#[\w-]+)?\)")
"""A link within the site; the groups are its text, the file of the page and the id."""


def shared_words(text: str, address: tuple[str, str]) -> int:
    """The number of words that the text of a link has in common with the page's name and the id in an address."""
    return len(name_stems(text) & name_stems(re.sub(r"\W", " ", " ".join(map(posixpath.basename, address)))))


def links_with_swapped_addresses(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Pairs of links in a paragraph whose texts share more words with each other's address than with their own."""
    for name, page in pages.items():
        for paragraph in page.split("\n\n"):
            links = [(text, (file, id_)) for text, file, id_ in INTERNAL_LINK.findall(paragraph)]
            for (text, address), (other_text, other_address) in combinations(links, 2):
                own_words = shared_words(text, address) + shared_words(other_text, other_address)
                if shared_words(text, other_address) + shared_words(other_text, address) > own_words:
                    yield f"{name}: “{text}” and “{other_text}” lead to each other's page"


BEFORE = re.compile(r"`([^`]+)` (?:comes )?before `([^`]+)`")
"""Two names in the order that a sentence gives them."""


def names_out_of_order(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Pairs of names in a line about alphabetical order that are not in this order."""
    for name, page in pages.items():
        for line in page.split("\n"):
            if "alphabetical" in line:
                yield from (f"{name}: {first}, {second}" for first, second in BEFORE.findall(line) if first > second)


PRODUCT_AFTER_CLAIM = re.compile(r'== \d+ \* (?P<claimed>[A-Z] \* [A-Z])"\) \}\}[^.{}]* of (?P<stated>[A-Z] × [A-Z])\b')
"""A claim about a number of matrices, with the shape in its condition and the one in the words that follow."""


def shapes_of_other_letters(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Shapes of matrices that differ from the shape in the condition of the claim before them."""
    for name, page in pages.items():
        for match in PRODUCT_AFTER_CLAIM.finditer(page):
            if match["stated"].replace("×", "*") != match["claimed"]:
                yield f"{name}: {match['stated']} is not {match['claimed']}"


SIZE = r'\{\{ size\("([^"]+)"[^{}]*\) \}\}'
"""A call that writes a size; the group is a letter or a quotient of letters."""

SIGNS = r"[ ×·/()]"
EQUAL_SIZES = re.compile(
    rf"((?:(?<!\w)[A-Z](?!\w)|{SIGNS}|{SIZE})+?)(?:=|,? or |,? that is,? | is )({SIGNS}*{SIZE}(?:{SIGNS}|{SIZE})*)"
)
"""A formula of letters or sizes, a word for "equals", and a formula of sizes."""


def formula_of(text: str) -> str:
    """A formula with the letter of each size in place of its call, without spaces or brackets."""
    return re.sub(r"[ ()]", "", re.sub(SIZE, r"\1", text))


def equations_of_sizes(text: str) -> list[tuple[str, str]]:
    """Both sides of each statement that equates a formula of letters with one of sizes: H × (H / A), or 768 × 64."""
    equations = EQUAL_SIZES.finditer(text.replace("&nbsp;", " "))
    return [(formula_of(match[1]), formula_of(match[3])) for match in equations if formula_of(match[1])]


def sizes_of_other_letters(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Statements that a formula of letters equals the sizes of other letters."""
    for name, text in pages.items():
        yield from (f"{name}: {left} is not {right}" for left, right in equations_of_sizes(text) if left != right)


CLASS_AFTER_NUMBER = re.compile(r"\{\{ number\(([^{}]*)\) \}\}(?: parameters)?,? as `(\w+)`")
"""A number and the class that the sentence attributes it to; the groups are the arguments of the call and the class."""


def numbers_of_another_class(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Numbers that a sentence attributes to a class that has another number of parameters or does not exist."""
    for name, text in pages.items():
        for arguments, model_class in CLASS_AFTER_NUMBER.findall(text):
            evaluate = Environment(autoescape=True).compile_expression(f"ask({arguments})")
            question: Any = evaluate(ask=ask, base=BASE, large=LARGE)
            if model_class not in question.architecture.class_by_name:
                yield f"{name}: {question.model.name} has no class {model_class}"
            elif question._replace(model_class=model_class).number != question.number:
                yield f"{name}: {question.number} is not the number of {model_class}"


PARTS_AS_SUBJECTS = {
    "word table": "bert/embeddings/word_embeddings",
    "position table": "bert/embeddings/position_embeddings",
    "segment table": "bert/embeddings/token_type_embeddings",
    "embeddings": "bert/embeddings",
    "pooler": "bert/pooler",
    "masked-LM head": "cls/predictions",
    "next-sentence head": "cls/seq_relationship",
}
SUBJECT_OF_CALL = re.compile(
    rf"\b[Tt]he ({'|'.join(PARTS_AS_SUBJECTS)})(?: alone)? (?:has|have|holds?|takes?|is|are) "
    r'\{\{ (?:number|share)\("([^"]*)"'
)
"""A clause about what a part has or is, with the name of the part and the path in the call for its number."""


def subjects_of_another_part(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Parts whose number in the same clause is that of another part."""
    for name, text in pages.items():
        for part, path in SUBJECT_OF_CALL.findall(text):
            if path != PARTS_AS_SUBJECTS[part]:
                yield f"{name}: the {part} has the number of {path}"


TIED_TO = re.compile(rf"\btied(?:\]\([^)]*\))? to the ({'|'.join(PARTS_AS_SUBJECTS)}|word embeddings)\b")
"""A clause about what a matrix is tied to."""


def ties_to_another_part(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Parts to which a sentence ties a matrix, although no row of BERT is tied to them."""
    tied_paths = {row.tied_to for row in BERT.rows}
    for name, text in pages.items():
        for part in TIED_TO.findall(text):
            if PARTS_AS_SUBJECTS.get(part, PARTS_AS_SUBJECTS["word table"]) not in tied_paths:
                yield f"{name}: no matrix is tied to the {part}"


FOLD_OF_CALL = re.compile(
    r"<summary>(?P<summary>[^<]*)</summary>\s*"
    r"\{\{ (?P<topic>\w+\.)?(?P<macro>\w+)\((?P<arguments>[^{}]*)\) \}\}\s*</details>"
)
"""A fold whose whole content comes from one call, such as `memory.worked_header()`."""


def folds_of_another_call(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Summaries of folds that share no word with the call that writes the content."""
    for name, text in pages.items():
        for match in FOLD_OF_CALL.finditer(text):
            call = f"{match['topic']}{match['macro']}({match['arguments']})"
            words_of_summary = re.findall(r"[a-z]+", match["summary"].lower())
            if match["topic"] and not {*re.findall(r"[a-z]+", call.lower())} & {*words_of_summary}:
                yield f"{name}: “{match['summary']}” is above {call}"


FOLD = re.compile(r'<details[^>]* id="(?P<id>[\w-]+)".*?</details>', re.DOTALL)
"""A fold with an id."""


def folds_with_the_call_of_another(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Folds with a call whose argument ends with the id of another fold: `snippet("embed-canvas")` for Moodle."""
    for name, text in pages.items():
        ids = {fold["id"] for fold in FOLD.finditer(text)}
        for fold in FOLD.finditer(text):
            for argument in re.findall(r'\w\("[\w-]+-(\w+)"\)', fold[0]):
                if argument in ids - {fold["id"]}:
                    yield f"{name}: the call for {argument} is in the fold {fold['id']}"


def tables_of_another_library(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Tables filled by `listings.weights` whose caption does not name the library in the argument."""
    for name, text in pages.items():
        for table in TABLE.findall(text):
            caption = re.sub(r"[^a-z]", "", table.partition("\n|")[0].partition("\n")[2].lower())
            for library in re.findall(r'listings\.weights\("([\w-]+)"\)', table):
                if library.replace("-", "") not in caption:
                    yield f"{name}: {library} is in the table “{caption}”"


LIBRARIES = {"transformers": "transformers", "PEFT": "peft", "PyTorch": "torch", "Keras": "keras"}
"""The libraries that summaries name, with the names under which code imports them."""


def code_for_another_library(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Folds with code whose summary names a library that the code does not import."""
    for name, text in pages.items():
        for match in FOLD_OF_CALL.finditer(text):
            if match["macro"] != "snippet":
                continue
            code = str(MACROS["snippet"](match["arguments"].strip('"')))
            imported_modules = {*re.findall(r"^(?:from|import) (\w+)", code, re.MULTILINE)}
            named_modules = {module for title, module in LIBRARIES.items() if title in match["summary"]}
            if not named_modules <= imported_modules:
                yield f"{name}: “{match['summary']}” is above code that imports {sorted(imported_modules)}"


RULES_OF_THUMB = {
    **PAGES,
    "keep.jinja": (ROOT / "docs/.tables/keep.jinja").read_text(encoding="utf-8"),
}
"""The sources with rules of thumb: pages, and the template of what to remember from them."""

CALL_WITH_QUESTION = re.compile(r"\b(number|rules\.rule|rules\.off(?:_both)?)\(([^{}]*)\) \}\}")
"""A call for a number, a rule of thumb or the error of a rule, with its arguments."""

QUESTION_ARGUMENT = re.compile(r'(?<![\w"=])(?!model=|unit=)\w*=?"[^"]*"')
"""An argument other than the model and the unit."""


def errors_of_another_rule(pages: Mapping[str, str] = RULES_OF_THUMB) -> Iterator[str]:
    """Errors of a rule other than the one in the same line, or for a number other than the one in the same row."""
    for name, text in pages.items():
        for line in text.split("\n"):
            calls = [
                (macro, QUESTION_ARGUMENT.findall(arguments)) for macro, arguments in CALL_WITH_QUESTION.findall(line)
            ]
            rules = [arguments[0] for macro, arguments in calls if macro == "rules.rule"]
            questions = [arguments for macro, arguments in calls if macro == "number"]
            for rule, *question in [arguments for macro, arguments in calls if macro.startswith("rules.off")]:
                if rules and rule not in rules:
                    yield f"{name}: the error of {rule} is beside {rules}"
                if line.startswith("|") and questions != [question]:
                    yield f"{name}: an error for {question} is beside {questions}"


RULE_AND_CONDITION = re.compile(
    r'\brules\.rule\("(?P<rule>[^"]+)"\) \}\}(?:(?!\{\{|[.;|\n]).)*\{\{ says\("[^"]*", '
    r"\"tensors\('(?P<part>[^']+)', '(?P<block>[\w-]+)[^']*'\)"
)
"""A rule of thumb, and the condition behind the next words of its clause, which counts the tensors of a block."""


def rules_of_another_block(pages: Mapping[str, str] = RULES_OF_THUMB) -> Iterator[str]:
    """Rules of thumb that are off by a tenth or more for the block whose tensors the next words count."""
    for name, text in pages.items():
        for rule, part, block in RULE_AND_CONDITION.findall(text):
            question = ask(part, block)
            estimate = Polynomial.total(map(Polynomial.of_shape, rule.split(", "))).value(question.model.sizes)
            if abs(estimate - question.number) >= question.number / 10:
                yield f"{name}: {rule} is beside the tensors of {block}"


PASSES = {"2N": "forward pass", "6N": "training step"}
"""The passes that take 2N and 6N operations per token in a model with N parameters, according to Kaplan and others."""

OPERATIONS_BY_RULE = re.compile(rf"\b({'|'.join(PASSES)})\b((?:(?!\b(?:{'|'.join(PASSES)})\b)[^.;|\n])*)")
"""A number of operations by a rule of thumb, and the words up to the next one."""


def operations_of_another_pass(pages: Mapping[str, str] = RULES_OF_THUMB) -> Iterator[str]:
    """Numbers of operations by a rule of thumb, followed by the name of a pass that takes another number."""
    for name, text in pages.items():
        for rule, words in OPERATIONS_BY_RULE.findall(text):
            passes = {pass_ for pass_ in PASSES.values() if pass_ in words}
            if passes and PASSES[rule] not in passes:
                yield f"{name}: {rule} is followed by {passes}"


DIRECTIONS = {"below": True, "further down": True, "above": False, "further up": False}
"""Words for a direction, and whether it is down the page."""

LINK_ON_PAGE = re.compile(r"\[([^][\n]*)\]\(#([\w-]+)\)")
"""A link to the page that it is on; the groups are its text and the id."""


def links_in_the_wrong_direction(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Links whose text gives a direction in which they do not lead."""
    for name, page in pages.items():
        for link in LINK_ON_PAGE.finditer(page):
            text, id_ = link.groups()
            target = re.search(rf'\{{ #{id_}\b|id="{id_}"|rows\("{id_}"', page)
            for direction, is_down in DIRECTIONS.items():
                if target and direction in text and is_down != (target.start() > link.start()):
                    yield f"{name}: {id_} is not {direction}"


TITLE = re.compile(r"^title: (.+)$", re.MULTILINE)
FIRST_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


def titles_of_another_page(pages: Mapping[str, str] = PAGES) -> Iterator[str]:
    """Titles that have no word in common with the first heading of their page or with its address."""
    for name, page in pages.items():
        texts = [*FIRST_HEADING.findall(page)[:1], re.sub(r"\W", " ", name.removesuffix(".md"))]
        for title in TITLE.findall(page):
            if not name_stems(title) & name_stems(" ".join(texts)):
                yield f"{name} has the title {title}"


def test_words_agree_with_what_is_beside_them() -> None:
    assert [] == [
        *rows_with_the_same_call(),
        *nouns_of_another_name(),
        *texts_unlike_their_id(),
        *texts_with_another_id(),
        *shared_headings_with_another_id(),
        *headings_that_open_with_another_id(),
        *headings_that_negate_their_id(),
        *links_to_another_file(),
        *addresses_of_another_work(),
        *links_to_another_page(),
        *links_with_swapped_addresses(),
        *papers_of_another_title(),
        *exercises_of_another_page(),
        *numbers_of_another_source(),
        *rules_on_several_pages(),
        *names_out_of_order(),
        *shapes_of_other_letters(),
        *sizes_of_other_letters(),
        *numbers_of_another_class(),
        *subjects_of_another_part(),
        *ties_to_another_part(),
        *folds_of_another_call(),
        *folds_with_the_call_of_another(),
        *tables_of_another_library(),
        *code_for_another_library(),
        *errors_of_another_rule(),
        *rules_of_another_block(),
        *operations_of_another_pass(),
        *links_in_the_wrong_direction(),
        *titles_of_another_page(),
    ]
    assert sum(len(FOLD_OF_CALL.findall(text)) for text in PAGES.values()) > 20
    assert sum(len(CLASS_AFTER_NUMBER.findall(text)) for text in PAGES.values()) > 20
    assert sum(len(SUBJECT_OF_CALL.findall(text)) for text in PAGES.values()) > 2
    assert sum(len(RULE_AND_CONDITION.findall(text)) for text in RULES_OF_THUMB.values()) > 1
    assert sum(len(TIED_TO.findall(text)) for text in PAGES.values()) > 2
    assert sum(len(LINK_TO_FILE.findall(text)) for text in PAGES.values()) > 20
    assert PAPERS.keys() == {number for text in PAGES.values() for _, number in LINK_TO_PAPER.findall(text)}
    assert sum(len(equations_of_sizes(text)) for text in PAGES.values()) > 15


@pytest.mark.parametrize(
    ("name", "old", "new", "rule"),
    [
        ("changed/index.md", 'numbers_of("nf4-double") }}', 'numbers_of("int4") }}', rows_with_the_same_call),
        ("about/verification.md", 'verified("differences")', 'verified("tensors")', nouns_of_another_name),
        ("disagreements/published-claims.md", "}} agree with ours", "}} differ from ours", nouns_of_another_name),
        ("listings/index.md", "The tally of the bert4keras", "The tally of the keras-bert", texts_unlike_their_id),
        ("totals/further-relatives.md", "as `DPRContextEncoder`", "as `DPRReader`", numbers_of_another_class),
        ("totals/further-relatives.md", "as `ErnieModel`", "as `NezhaModel`", numbers_of_another_class),
        ("changed/adapters.md", "with Houlsby adapters in", "with Pfeiffer adapters in", texts_unlike_their_id),
        ("teach/linking.md", "<summary>Plain text<", "<summary>RIS<", texts_with_another_id),
        ("totals/memory.md", "The header, byte by byte", "The weights, byte by byte", folds_of_another_call),
        ("changed/adapters.md", "P-tuning worked out, line", "One layer, line", folds_of_another_call),
        ("teach/linking.md", '"embed-moodle"', '"embed-canvas"', folds_with_the_call_of_another),
        ("teach/linking.md", '"cite-ris"', '"cite-bibtex"', folds_with_the_call_of_another),
        ("changed/lora.md", "Code for PEFT, with", "Code for Keras, with", code_for_another_library),
        ("parts/heads.md", "Code for transformers,", "Code for PyTorch,", code_for_another_library),
        ("teach/sheet.md", "[plan](plan.md)", "[plan](slides.md)", links_to_another_page),
        (
            "teach/lesson.md",
            "[The plan on one page](plan.md), [a sheet for the students](sheet.md)",
            "[The plan on one page](sheet.md), [a sheet for the students](plan.md)",
            links_with_swapped_addresses,
        ),
        (
            "try/calculator.md",
            "method](#what-if-adapters), and see [whether a training step fits on a GPU](#fits)",
            "method](#fits), and see [whether a training step fits on a GPU](#what-if-adapters)",
            links_with_swapped_addresses,
        ),
        (
            "disagreements/conventions.md",
            "to the word table, counts",
            "to the position table, counts",
            ties_to_another_part,
        ),
        ("parts/embeddings.md", "the word table alone", "the position table alone", subjects_of_another_part),
        ("listings/index.md", 'weights("flax")', 'weights("keras-hub")', tables_of_another_library),
        ("notation.md", "## Sources {", "## Exercises {", shared_headings_with_another_id),
        ("parts/heads.md", "{ #keep }", "{ #check }", shared_headings_with_another_id),
        ("teach/downloads.md", "## The table behind", "## The schema behind", headings_that_open_with_another_id),
        ("parts/heads.md", "### What tying saves", "### What untying saves", headings_that_negate_their_id),
        ("totals/base.md", "large with pre-training", "large without pre-training", headings_that_negate_their_id),
        ("listings/index.md", "/bert/modeling_flax_bert.py", "/bert/modeling_tf_bert.py", links_to_another_file),
        (
            "changed/structure.md",
            "(https://arxiv.org/abs/1905.10650)",
            "(https://arxiv.org/abs/2106.10199)",
            addresses_of_another_work,
        ),
        ("index.md", "/abs/1810.04805", "/abs/1810.04850", papers_of_another_title),
        ("changed/lora.md", "/abs/2405.17484", "/abs/2306.07280", papers_of_another_title),
        ("parts/attention-heads.md", 'fold("attention-heads")', 'fold("attention")', exercises_of_another_page),
        (
            "disagreements/published-claims.md",
            '{{ numbers_of("d2l") }}',
            '{{ numbers_of("huggingface-course") }}',
            numbers_of_another_source,
        ),
        ("totals/relatives.md", "import of_relatives", "import of_further_relatives", rules_on_several_pages),
        ("listings/index.md", "`layer/10` before `layer/2`", "`layer/2` before `layer/10`", names_out_of_order),
        ("parts/feed-forward.md", "of H × H.", "of H × F.", shapes_of_other_letters),
        ("parts/encoder-layer.md", "matrices of H × H", "matrices of F × H", shapes_of_other_letters),
        ("parts/attention-heads.md", '×&nbsp;{{ size("H/A") }}.', '×&nbsp;{{ size("A") }}.', sizes_of_other_letters),
        (
            "parts/feed-forward.md",
            'F&nbsp;=&nbsp;{{ size("F") }}',
            'F&nbsp;=&nbsp;{{ size("H") }}',
            sizes_of_other_letters,
        ),
        ("keep.md", 'off_both("12 L H H, V H")', 'off_both("12 L H H")', errors_of_another_rule),
        ("keep.md", 'off("V H", "bert/embeddings")', 'off("V H", "bert/encoder")', errors_of_another_rule),
        (
            "keep.md",
            '}} of a layer is {{ rules.rule("4 H H") }}',
            '}} of a layer is {{ rules.rule("8 H H") }}',
            rules_of_another_block,
        ),
        ("run/operations.md", "6N in a training step", "6N in a forward pass", operations_of_another_pass),
        ("try/calculator.md", "the steps further down", "the steps further up", links_in_the_wrong_direction),
        ("notation.md", "are [below](", "are [above](", links_in_the_wrong_direction),
        ("parts/embeddings.md", "title: Embeddings", "title: Attention", titles_of_another_page),
    ],
)
def test_a_wrong_argument_or_word_is_found(
    name: str, old: str, new: str, rule: Callable[[Mapping[str, str]], Iterator[str]]
) -> None:
    assert old in PAGES[name]
    assert [*rule({**PAGES, name: PAGES[name].replace(old, new, 1)})]
