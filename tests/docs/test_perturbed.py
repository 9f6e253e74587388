"""In a site built with other sizes, no page keeps an old number, or a quantity in words that is no longer true."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from macros.counting.models import load_relatives, models_by_every_name
from macros.counting.training import RESERVE
from macros.rendering.components.example import example
from macros.rendering.components.numbers import tally
from macros.rendering.components.toy_numbers import DECODER_SLACK, POWER_SLACK, SLACK
from macros.rendering.figures.toy import FIGURES as TOY_FIGURES
from macros.rendering.tables.toy import VECTORS, vector
from macros.rendering.typed_numbers import quantities_in_words
from macros.teaching.sets import load_sets
from tests.docs.building import build_pages, copy, small_copy
from tests.docs.conditional_words import ConditionalWords
from tests.docs.conftest import html_by_page

CONSTANTS = {
    "560": "the suggested height of a frame with anything but an exercise",
    str(load_sets().sets["layer"].frame): "the height, in pixels, of a frame to paste",
    "100": "the width, as a percentage, of a frame to paste",
    "1,000,000": "the limit of the field for the memory of a GPU, in GiB",
    "100.0": "the share of a whole in itself",
    "500": "seq_len of the notebook's own call, which is not a size of a model",
    "128": "the sequence length of most steps of pre-training, which is not a size of a model",
    "0.1": 'the smallest share on pages, as in "under 0.1%"',
    "50,000": "the smallest count that is compared with others",
    "50000": "the same count, as a value",
    "0.05": "the difference between counts, in percent, below which they look alike",
}
"""Numbers on pages that do not depend on the sizes of models, each with the reason."""

CONSTANTS |= dict.fromkeys(("1,000", "30,000"), "a size that a mistake takes instead of the model's")
CONSTANTS |= dict.fromkeys(("1,024", "31,000"), "a size that a change gives to the model")
CONSTANTS["2.718"] = "e, the base of the powers in softmax"

# The tokens of the example and their neighbours keep their ids, which come from a recorded vocabulary.
CONSTANTS |= {
    str(token.id + step): "the number of a row of a recorded vocabulary"
    for token in example().tokens
    for step in (-1, 0, 1)
}
CONSTANTS |= {token.before: "a token that is a number" for token in example().tokens if token.before.isdecimal()}

# The sizes and weights of the toy model are in a file that does not change.
CONSTANTS |= dict.fromkeys(("336", "244", "148"), "the parameters of the toy model, of its layer, of the network in it")
CONSTANTS |= dict.fromkeys(
    (str(SLACK), str(POWER_SLACK), str(DECODER_SLACK)), "the largest error of printed numbers of the toy model"
)
CONSTANTS |= dict.fromkeys(
    (number for name in VECTORS for number in re.findall(r"\d+\.\d+", vector(name))), "in a vector of the toy model"
)

TOY_ELEMENTS = ", ".join(
    [
        *(f"#figure-{name}" for name in TOY_FIGURES),
        "#primer-picture",
        "#toy-shares",
        "#toy-steps",
        "#toy-sum",
        "#toy-tokens",
        "#toy-weights",
        "#toy",
        "[id^='toy/']",
    ]
)
"""A selector for elements about the toy model only: figures, sums, steps, weights, and levels of the map."""

NUMBERS_OF_NESTED_BLOCK = {"256", "16,384"}
"""The number of scales in a block of bitsandbytes, and the number of weights that they belong to."""

CARD_NAMES = {"3060", "4080", "4090"}
"""The numbers in the names of graphics cards."""

CONSTANTS_ON_PAGES = {
    # A release of transformers.
    "disagreements/conventions.html": {"3.2"},
    # A constant of GELU's approximation.
    "parts/feed-forward.html": {"0.044715"},
    # The arguments of changes: vocabulary sizes, positions, ranks and numbers of frequencies.
    "changed/index.html": {"31000", "1024", "16,384"},
    "changed/lora.html": {"1000", *NUMBERS_OF_NESTED_BLOCK},
    "changed/adapters.html": {
        # The width of an adapter.
        "192",
        # The matrix of the second layer of a prompt encoder of width 128, the same with its bias, and its rows then.
        "16,384",
        "16,512",
        "129",
        # In an encoder with an LSTM of width 128, the first dense layer, which has 256 × 256 weights and 256 biases.
        "256",
        "65,792",
        # The second layer of this LSTM, in one direction and in both.
        "197,632",
        "395,264",
    },
    "changed/structure.html": {"30528", "30,528", "31000", "1024", "31,000", "1,024"},
    "changed/storage.html": NUMBERS_OF_NESTED_BLOCK,
    # The number of FourierFT's frequencies in the example for its letter.
    "notation.html": {"1000", "1,000"},
    # The bytes of the memory of graphics cards without their reserve, the bytes that an optimiser of bitsandbytes keeps
    # for each model, the size of its blocks and of the smallest tensors that it keeps in blocks, and a dropout rate. By
    # coincidence, the bytes of token ids with the new sizes are those of the pooler's output with the old sizes.
    "run/memory-of-training.html": {
        f"{size * 2**30 * (100 - RESERVE) / 100:,.2f}".rstrip("0").rstrip(".") for size in (8, 12, 15, 16, 24, 40, 80)
    }
    | {"2,048", "2048", "4,096", "4096", "256", "0.0", "3,072", "3072"}
    | CARD_NAMES,
    "try/calculator.html": CARD_NAMES,
    # Longformer's window, and the numbers of token pairs in texts that fill it or that BigBird attends to in full. By
    # coincidence, RemBERT's hidden size is a size of another relative with the new sizes.
    "totals/further-relatives.html": {"512", "16,384", "262,144", "393,216", "1,152"},
    # By coincidence, the shapes in the header of BERT large's file take as many bytes with the old sizes and the new.
    "totals/memory.html": {"3,083"},
    # The length of the text in an exercise, and an error of a rule of thumb that occurs with both the old and the new
    # sizes, but for different lengths.
    "run/operations.html": {"256", "2.71"},
    # The errors of some rules of thumb. With the new sizes, other rules have these errors by coincidence. No rule keeps
    # its own error, so pages that state only one of the errors keep none of these numbers.
    "keep.html": {"1.01", "0.13", "0.11", "0.10"},
}
"""For each page, the numbers that may stay: they do not depend on sizes there, or arise by coincidence."""

OTHER_CLAIMS = Path(__file__).parent / "other_claims.py"
CONDITIONAL_WORDS = Path(__file__).parent / "conditional_words.py"
"""Scripts that run in a copy of the repository. The first rewrites claims, and the second checks conditional words."""

PLACEHOLDER = "otherwise"
"""The replacement for words that are false with the new sizes. The build would stop at the first false ones."""

LENIENT_SAYS = f"""

_says = says


def says(words: str, condition: str, model: str = BOTH) -> str:
    try:
        return _says(words, condition, model)
    except CountingError:
        return "{PLACEHOLDER}"
"""
"""Code that makes `says` return the placeholder instead of stopping the build."""

UNAFFECTED_PAGES = {"about/verification.html": "recordings of other libraries do not follow models.toml"}
"""Pages whose numbers do not change, each with the reason."""

NUMBERS_IN_NAMES = re.compile(
    r"\b(QTI|IEC|transformers|KerasHub|keras-bert|bert4keras|torchinfo|release|issue|variant|torch|thop|ptflops|fvcore"
    r"|calflops|deepspeed|torchprofile|PEFT) \d[\d.]*(post\d+)?( (to|and) \d[\d.]*\d)?"
    r"|\b\d{4}-\d\d-\d\d\b"
)
"""Names that contain numbers, such as those of versions, issues and variants of exercises, and dates."""

CITATION = re.compile(r"\bThe authors of \"BERT, counted\"")

NUMBER = re.compile(r"\d[\d,]*\.\d+|\d[\d,]*\d\d")
"""A number with at least three digits or with decimals. Shorter ones are often equal by coincidence."""

TITLES = {model.title for model in load_relatives().values()}
MODEL_NAMES = sorted({*models_by_every_name(), *TITLES}, key=len, reverse=True)
"""The names and titles of all models, the longest first."""


def without_model_names(text: str) -> str:
    """The text with a space in place of each name of a model, which may contain the model's sizes."""
    # A page has few of the names, and a pattern of all of them would take seconds to apply to all pages.
    names = [re.escape(name) for name in MODEL_NAMES if name in text]
    return re.sub("|".join([*names, r"\bMiniLM-L\d+-H\d+"]), " ", text)


def article_of(html: str) -> LexborNode | None:
    """The article of a page; None for the error page, whose only number is that of the error."""
    page = LexborHTMLParser(html)
    page.strip_tags(["script"])
    heading = page.css_first("h1")
    return None if heading and heading.text().startswith("404") else page.css_first("article")


def numbers_on(html: str) -> set[str]:
    """The numbers that readers can see or hear on a page, without those in elements that do not depend on a model."""
    article = article_of(html)
    if article is None:
        return set()
    # Recordings of other libraries do not depend on models.toml.
    for element in article.css(".bc-proof, .bc-recorded"):
        element.decompose()
    for element in article.css(TOY_ELEMENTS):
        element.decompose()
    # A table of quotations keeps the numbers of its sources. Only its computed numbers must change.
    for table in article.css(".bc-quotes"):
        table.replace_with(" ".join(number_tag.text() for number_tag in table.css("data")))
    # The number of entries in a list does not depend on sizes.
    for entries in article.css(".bc-tally"):
        entries.decompose()
    # A citation contains the version, the commit and the date of the build.
    for citation in (block for block in article.css("pre") if CITATION.search(block.text())):
        citation.decompose()
    texts_in_attributes = [
        tag.attributes.get(key) or "" for key in ("data-how", "title", "value") for tag in article.css(f"[{key}]")
    ]
    text = " ".join([article.text(separator=" "), *texts_in_attributes])
    # The row numbers of a listing do not depend on sizes.
    text = re.sub(r"\b\d+  (?=[A-Z][a-z]+-)", "", text)
    text = NUMBERS_IN_NAMES.sub(" ", text)
    text = without_model_names(text)
    return {number.strip(".,") for number in NUMBER.findall(text)}


FACTORS = {
    "vocab_size": 5,
    "type_vocab_size": 2,
    **dict.fromkeys(("intermediate_size", "hidden_dim"), 7),
    **dict.fromkeys(("num_hidden_layers", "n_layers"), 2),
}
"""The factor for each size, by its key in a config. Other sizes are tripled, but there will be one head."""


def with_changed_sizes(models: str) -> str:
    """The text of a file of models, with every size changed."""

    def changed_line(match: re.Match[str]) -> str:
        """The line of a config, with its size changed."""
        key, size = match[1], int(match[2])
        if key in ("num_attention_heads", "n_heads"):
            return f"{key} = 1"
        # If all sizes grew by the same factor, shares of parts could stay the same.
        return f"{key} = {FACTORS.get(key, 3) * size + 11}"

    return re.sub(r"^(\w+) = (\d+)$", changed_line, models, flags=re.MULTILINE)


def change_sizes(root: Path) -> None:
    """Change every size in a copy of the repository, and remove everything that is impossible with the new sizes."""
    for name in ("models.toml", "relatives.toml"):
        models_file = root / "macros" / "counting" / "data" / name
        old_text = models_file.read_text()
        models_file.write_text(with_changed_sizes(old_text))
        assert old_text != models_file.read_text()
    changes = root / "macros" / "counting" / "data" / "changes.toml"
    page = root / "docs" / "changed" / "structure.md"
    changes.write_text(re.sub(r"\[mistakes.pruned-output\]\n(.+\n)+", "", changes.read_text()))
    for change in IMPOSSIBLE_CHANGES:
        assert f'"{change}"' in changes.read_text()
        changes.write_text(re.sub(rf'"{re.escape(change)}",\s*', "", changes.read_text()))
    # The only head of a layer cannot be pruned.
    for path in [changes, page] if page.exists() else [changes]:
        assert '"pruned:12", ' in path.read_text()
        path.write_text(path.read_text().replace('"pruned:12", ', ""))
    remove_line(root / "docs" / "changed" / "index.md", "pruned:12")
    # With the new sizes, no number in this paper differs from ours, so the macro would have nothing to show.
    remove_line(root / "docs" / "disagreements" / "published-claims.md", 'claims.printed("lora-paper")')


def remove_line(page: Path, words: str) -> None:
    """Remove the only line with these words from a page, if the copy has the page."""
    if page.exists():
        lines = page.read_text().splitlines(keepends=True)
        remaining_lines = [line for line in lines if words not in line]
        assert len(lines) - len(remaining_lines) == 1, words
        page.write_text("".join(remaining_lines))


IMPOSSIBLE_CHANGES = ("oft:32:query,value", "boft:4:query,value", "vblora:4:v=256:w=256")
"""Changes that are impossible with the new hidden sizes, because the size of their blocks does not divide them."""


def run(script: Path, root: Path) -> str:
    """Run a script in a copy of the repository, and return its output."""
    environment = {**os.environ, "PYTHONPATH": "."}
    command = [sys.executable, str(script)]
    return subprocess.run(command, cwd=root, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.fixture(scope="module")
def other_build(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], list[tuple[ConditionalWords, bool]]]:
    """The pages of a site built with other sizes, and all conditional words, each with the truth of its condition."""
    folder = tmp_path_factory.mktemp("perturbed")
    root = copy(folder / "repository")
    change_sizes(root)
    words_and_truth = [
        (ConditionalWords(*fields), is_true) for *fields, is_true in json.loads(run(CONDITIONAL_WORDS, root))
    ]
    # A build checks claims, so the claims must be rewritten for the new sizes.
    run(OTHER_CLAIMS, root)
    conditions = root / "macros" / "counting" / "published" / "conditions.py"
    conditions.write_text(conditions.read_text() + LENIENT_SAYS)
    process = build_pages(folder / "site", root)
    assert process.returncode == 0, process.stderr
    return html_by_page(folder / "site"), words_and_truth


@pytest.fixture(scope="module")
def other_pages(other_build: tuple[dict[str, str], list[tuple[ConditionalWords, bool]]]) -> dict[str, str]:
    """The pages of the site built with other sizes."""
    return other_build[0]


def numbers_by_page(pages: dict[str, str]) -> dict[str, set[str]]:
    """The numbers on each page."""
    return {name: numbers_on(page) for name, page in pages.items()}


def unchanged_numbers(old_numbers: dict[str, set[str]], new_numbers: dict[str, set[str]]) -> dict[str, set[str]]:
    """The numbers that a page has in both builds. Pages that have none, or that are unaffected, are left out."""
    assert sorted(old_numbers) == sorted(new_numbers)
    common_numbers = {name: old_numbers[name] & new_numbers[name] for name in old_numbers}
    return {name: numbers for name, numbers in common_numbers.items() if numbers and name not in UNAFFECTED_PAGES}


def unexpected_numbers(numbers: dict[str, set[str]]) -> dict[str, set[str]]:
    """The unchanged numbers of each page that should have changed."""
    remaining_numbers = {
        name: unchanged - CONSTANTS.keys() - CONSTANTS_ON_PAGES.get(name, set()) for name, unchanged in numbers.items()
    }
    return {name: remaining for name, remaining in remaining_numbers.items() if remaining}


@pytest.fixture(scope="module")
def unchanged(site: Path, other_pages: dict[str, str]) -> dict[str, set[str]]:
    """The numbers that pages have with the sizes of the published site and with other sizes."""
    old_numbers = numbers_by_page(html_by_page(site))
    assert sum(map(len, old_numbers.values())) > 300
    return unchanged_numbers(old_numbers, numbers_by_page(other_pages))


def test_no_page_keeps_an_old_number(unchanged: dict[str, set[str]]) -> None:
    """A number that does not change has been typed by an author, unless it is listed above with its reason."""
    assert {} == unexpected_numbers(unchanged)


def test_every_exception_is_needed(unchanged: dict[str, set[str]]) -> None:
    """An unneeded exception could hide a number that an author types. Each reason applies to at least one number."""
    unneeded = {name: numbers - unchanged.get(name, set()) for name, numbers in CONSTANTS_ON_PAGES.items()}
    assert {} == {name: numbers for name, numbers in unneeded.items() if numbers}
    needed_constants = CONSTANTS.keys() & set[str]().union(*unchanged.values())
    assert set() == {*CONSTANTS.values()} - {CONSTANTS[number] for number in needed_constants}


def test_a_number_that_stays_is_noticed() -> None:
    for html in ("<p>2,362,368</p>", '<p title="1536">a</p>'):
        page = {"a.html": f"<article>{html}</article>"}
        assert unexpected_numbers(unchanged_numbers(numbers_by_page(page), numbers_by_page(page)))


def test_the_number_of_entries_in_a_list_is_left_out() -> None:
    """The number of entries does not depend on sizes. A number next to it is still checked."""
    assert {"1,536"} == numbers_on(f"<article><td>{tally(183)}</td><td>1,536</td></article>")


def our_words_on(html: str) -> str:
    """The words on a page that we have written ourselves, without code, quotations and computed numbers."""
    article = article_of(html)
    if article is None:
        return ""
    for element in article.css(
        "script, pre, code, samp, data, option, .bc-quotes, .bc-source, a[href^=http], .headerlink"
    ):
        element.decompose()
    return article.text(separator=" ")


def test_no_quantity_in_words_becomes_false(
    other_build: tuple[dict[str, str], list[tuple[ConditionalWords, bool]]],
) -> None:
    other_pages, conditions = other_build
    true_words = sorted({claim.words for claim, is_true in conditions if is_true}, key=len, reverse=True)
    words_by_page = {name: our_words_on(page) for name, page in other_pages.items()}
    unfounded_words = {
        name: [finding.text for finding in quantities_in_words(words, true_words)]
        for name, words in words_by_page.items()
        if name not in UNAFFECTED_PAGES
    }
    assert {} == {name: words for name, words in unfounded_words.items() if words}
    # With the new sizes, some of the words are false, and pages show the placeholder in their place.
    false_claims = [claim for claim, is_true in conditions if not is_true]
    assert len(false_claims) > 10, false_claims
    assert sum(PLACEHOLDER in words for words in words_by_page.values()) > 5


def test_false_words_stop_the_build(tmp_path: Path) -> None:
    root = small_copy(tmp_path / "repository", "index.md", "totals/base.md")
    change_sizes(root)
    process = build_pages(tmp_path / "site", root)
    assert process.returncode != 0
    assert re.search(r'FalseWords: [\w-]+: ".*" is not true of [\w-]+: ', process.stderr)
