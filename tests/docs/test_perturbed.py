"""In a site that is built with other sizes, no page keeps an old number, or a quantity in words that is now false."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from macros.counting.models import by_every_name, load_relatives
from macros.counting.training import room_in
from macros.rendering.components.example import example
from macros.rendering.components.numbers import tally
from macros.rendering.components.toy_numbers import DECODER_SLACK, POWER_SLACK, SLACK
from macros.rendering.figures.toy import FIGURES as TOY_FIGURES
from macros.rendering.tables.toy import VECTORS, vector
from macros.rendering.typed_numbers import quantities_in_words
from macros.teaching.sets import load_sets
from tests.docs.building import build_pages, copy, small_copy
from tests.docs.conftest import texts
from tests.docs.other_words import ConditionalWords

CONSTANTS = {
    "560": "the height that is proposed for a frame with anything but an exercise",
    str(load_sets().sets["layer"].frame): "the height of a frame in pixels, for those who paste one",
    "100": "the width of a frame as a percentage, for those who paste one",
    "1,000,000": "the limit of the field for the memory of a GPU, in GiB",
    "100.0": "the share of a whole in itself",
    "500": "seq_len of the notebook's own call, which is no size of a model",
    "128": "the sequence length of most steps of pre-training, which is no size of a model",
    "0.1": 'the smallest share on pages, as in "under 0.1%"',
    **{
        f"{percent * gib * 2**30 // 100:,}": "the bytes of the memory of a GPU, or of its reserve"
        for gib in (15, 80)
        for percent in (100, 90, 10)
    },
}
"""Numbers on pages that depend on no size of a model, each with the reason why it stays."""

CONSTANTS |= dict.fromkeys(("1,000", "30,000"), "a size that a mistake takes instead of the model's")
CONSTANTS |= dict.fromkeys(("1,024", "31,000"), "a size that a change gives to the model")
CONSTANTS["2.718"] = "the base of the powers in softmax, e"

CONSTANTS |= dict.fromkeys(("1.0", "1.5", "3.0", "150", "345", "650"), "a number in the title of a model")

# The tokens of the example and their neighbours keep their ids, which are those of a recorded vocabulary.
CONSTANTS |= {
    str(token.id + step): "the number of a row of a recorded vocabulary"
    for token in example().tokens
    for step in (-1, 0, 1)
}
CONSTANTS |= {token.before: "a token that is a number" for token in example().tokens}

# The sizes and weights of the toy model are in another file.
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
"""The selector of elements that are about the toy model only: figures, sums, steps, weights, and levels of the map."""

WEIGHTS_PER_SCALE = {"256", "16,384"}
"""The numbers of scales in a block of bitsandbytes, and of the weights that these scales are for."""

CARD_NAMES = {"3060", "4080", "4090"}
"""The numbers in the names of graphics cards."""

CONSTANTS_ON_PAGES = {
    # A constant of GELU's approximation.
    "parts/feed-forward.html": {"0.044715"},
    # Values given to changes: vocabulary sizes, positions, widths of adapters and of a prompt encoder.
    "changed/index.html": {"31000", "1024", "1000", "2,000", *WEIGHTS_PER_SCALE},
    "changed/lora.html": {"1000", "2,000", *WEIGHTS_PER_SCALE},
    "changed/adapters.html": {
        "192",
        "16,384",
        "129",
        "16,512",
        # The tensors of an LSTM of width 128 that depend on no size of the model.
        "256",
        "512",
        "65,536",
        "65536",
        "131,072",
        "131072",
        # The sums of these tensors: 65,536 + 256, 3 × 65,536 + 1,024, and this once for each direction.
        "65,792",
        "197,632",
        "395,264",
    },
    "changed/structure.html": {"30528", "30,528", "31000", "1024", "31,000", "1,024"},
    "changed/storage.html": WEIGHTS_PER_SCALE,
    # The frequencies of FourierFT in the example of their letter, and what it trains in a layer's pair of matrices.
    "notation.html": {"1000", "1,000", "2,000"},
    # Bytes of the memory of graphics cards, with and without their reserve; the bytes that an optimiser of bitsandbytes
    # keeps per model and per block; a rate of dropout. By coincidence, the bytes of token ids with the old sizes are
    # those of the pooler with the new ones, and two batches have as many texts.
    "run/memory-of-training.html": {*(f"{size * 2**30:,}" for size in (8, 12, 16, 24, 40, 80)), "2,048", "256"}
    | {f"{room:,}" for size in (8, 12, 16, 24, 40, 80) for room in (room_in(size), room_in(size, 0) - room_in(size))}
    | {"3,072", "3072", "0.0", "142"}
    | CARD_NAMES,
    "try/calculator.html": CARD_NAMES,
    # Longformer's window, and the pairs of tokens in texts that fill it or that BigBird reads as a whole.
    "totals/further-relatives.html": {"512", "16,384", "262,144", "393,216"},
    # The length of the text in an exercise; and the error of a rule of thumb, which is the same for different lengths
    # with the old and the new sizes.
    "run/operations.html": {"256", "2.71"},
    # The errors of some rules of thumb, which with the other sizes are those of other rules. No rule keeps its own
    # error: the pages that state one of them alone keep none of these numbers.
    "keep.html": {"1.01", "0.13", "0.11", "0.10", "0.03"},
}
"""For each page, numbers that depend on no size of a model there, but could on other pages."""

OTHER_CLAIMS = Path(__file__).parent / "other_claims.py"
OTHER_WORDS = Path(__file__).parent / "other_words.py"
"""Scripts to run in the copy: one rewrites claims for other sizes, the other finds false words."""

PLACEHOLDER = "otherwise"
"""The word that replaces false words: with other sizes, a build would stop at the first of them."""

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
"""Pages whose numbers stay, each with the reason."""

NUMBERS_IN_NAMES = re.compile(
    r"\b(QTI|transformers|KerasHub|keras-bert|bert4keras|torchinfo|release|issue|variant|torch|thop|ptflops|fvcore"
    r"|calflops|deepspeed|torchprofile|PEFT) \d[\d.]*(post\d+)?( (to|and) \d[\d.]*\d)?"
    r"|\b\d{4}-\d\d-\d\d\b"
)
"""Names with numbers: of versions, issues and variants of exercises, and dates."""

CITATION = re.compile(r"\bThe authors of \"BERT, counted\"")

NUMBER = re.compile(r"\d[\d,]*\.\d+|\d[\d,]*\d\d")
"""A number of at least three digits, or with decimals. Smaller ones stay too often by coincidence."""

TITLES = {model.title for model in load_relatives().values()}
MODEL_NAMES = re.compile(
    "|".join(sorted(map(re.escape, {*by_every_name(), *TITLES}), key=len, reverse=True)) + r"|\bMiniLM-L\d+-H\d+"
)
"""The names and titles of all models."""


def article_of(html: str) -> LexborNode | None:
    """The article of a page; None for the error page, whose only number is that of the error."""
    page = LexborHTMLParser(html)
    page.strip_tags(["script"])
    heading = page.css_first("h1")
    return None if heading and heading.text().startswith("404") else page.css_first("article")


def numbers_on(html: str) -> set[str]:
    """The numbers that a reader of the page can see or hear, without those that depend on no model."""
    article = article_of(html)
    if article is None:
        return set()
    # Recordings of other libraries do not follow models.toml.
    for element in article.css(".bc-proof, .bc-recorded"):
        element.decompose()
    for element in article.css(TOY_ELEMENTS):
        element.decompose()
    # A table of quotations keeps the numbers of its sources; only the computed numbers in it must change.
    for table in article.css(".bc-quotes"):
        table.replace_with(" ".join(number_tag.text() for number_tag in table.css("data")))
    # The number of entries in a list depends on no size.
    for entries in article.css(".bc-tally"):
        entries.decompose()
    # A citation has the version, the commit and the date of the build.
    for citation in (block for block in article.css("pre") if CITATION.search(block.text())):
        citation.decompose()
    texts_in_attributes = [
        tag.attributes.get(key) or "" for key in ("data-how", "title", "value") for tag in article.css(f"[{key}]")
    ]
    text = " ".join([article.text(separator=" "), *texts_in_attributes])
    # The row numbers of a listing depend on no size.
    text = re.sub(r"\b\d+  (?=[A-Z][a-z]+-)", "", text)
    text = NUMBERS_IN_NAMES.sub(" ", text)
    # The name of a model may contain its sizes, and stays the same.
    text = MODEL_NAMES.sub(" ", text)
    return {number.strip(".,") for number in NUMBER.findall(text)} - set(CONSTANTS)


FACTORS = {
    "vocab_size": 5,
    "type_vocab_size": 2,
    **dict.fromkeys(("intermediate_size", "hidden_dim"), 7),
    **dict.fromkeys(("num_hidden_layers", "n_layers"), 2),
}
"""The factors by which sizes grow; all others grow by a factor of three."""


def with_changed_sizes(models: str) -> str:
    """The text of a file of models with every size changed."""

    def changed_line(match: re.Match[str]) -> str:
        """The line of a config with another size."""
        key, size = match[1], int(match[2])
        if key in ("num_attention_heads", "n_heads"):
            return f"{key} = 1"
        # If all sizes grew by one factor, shares of parts could stay the same.
        return f"{key} = {FACTORS.get(key, 3) * size + 11}"

    return re.sub(r"^(\w+) = (\d+)$", changed_line, models, flags=re.MULTILINE)


def change_sizes(root: Path) -> None:
    """Change every size in a copy of the repository, and remove what these sizes make impossible."""
    for name in ("models.toml", "relatives.toml"):
        models = root / "macros" / "counting" / "data" / name
        old_text = models.read_text()
        models.write_text(with_changed_sizes(old_text))
        assert old_text != models.read_text()
    changes, page = root / "macros" / "counting" / "data" / "changes.toml", root / "docs" / "changed" / "structure.md"
    changes.write_text(re.sub(r"\[mistakes.pruned-output\]\n(.+\n)+", "", changes.read_text()))
    for change in INDIVISIBLE_CHANGES:
        assert f'"{change}"' in changes.read_text()
        changes.write_text(re.sub(rf'"{re.escape(change)}",\s*', "", changes.read_text()))
    # The only head of a layer cannot be pruned.
    for path in (changes, page) if page.exists() else (changes,):
        assert '"pruned:12", ' in path.read_text()
        path.write_text(path.read_text().replace('"pruned:12", ', ""))
    remove_line(root / "docs" / "changed" / "index.md", "pruned:12")
    # With these sizes, no number of this paper differs from ours, so there would be nothing to show.
    remove_line(root / "docs" / "disagreements" / "published-claims.md", 'claims.printed("lora-paper")')


def remove_line(page: Path, words: str) -> None:
    """Remove the only line of a page that contains these words, if the copy has the page."""
    if page.exists():
        lines = page.read_text().splitlines(keepends=True)
        remaining_lines = [line for line in lines if words not in line]
        assert len(lines) - len(remaining_lines) == 1, words
        page.write_text("".join(remaining_lines))


INDIVISIBLE_CHANGES = ("oft:32:query,value", "boft:4:query,value", "vblora:4:v=256:w=256")
"""Changes whose blocks do not divide the changed hidden sizes, so that these models cannot be changed so."""


def run(script: Path, root: Path) -> str:
    """Run a script in a copy of the repository, and return its output."""
    environment = {**os.environ, "PYTHONPATH": "."}
    return subprocess.run([sys.executable, script], cwd=root, env=environment, check=True, stdout=-1, text=True).stdout


@pytest.fixture(scope="module")
def other_world(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], list[tuple[ConditionalWords, bool]]]:
    """The pages of a site that is built with other sizes, and all words with a condition, with whether this is true."""
    folder = tmp_path_factory.mktemp("perturbed")
    root = copy(folder / "repository")
    change_sizes(root)
    words_and_truth = [(ConditionalWords(*fields), true) for *fields, true in json.loads(run(OTHER_WORDS, root))]
    # A build checks claims, so the sources must claim other numbers with these sizes.
    run(OTHER_CLAIMS, root)
    conditions = root / "macros" / "counting" / "published" / "conditions.py"
    conditions.write_text(conditions.read_text() + LENIENT_SAYS)
    process = build_pages(folder / "site", root)
    assert process.returncode == 0, process.stderr
    return texts(folder / "site"), words_and_truth


@pytest.fixture(scope="module")
def other_pages(other_world: tuple[dict[str, str], list[tuple[ConditionalWords, bool]]]) -> dict[str, str]:
    """The pages of that site."""
    return other_world[0]


def numbers(pages: dict[str, str]) -> dict[str, set[str]]:
    """The numbers on each page."""
    return {name: numbers_on(page) for name, page in pages.items()}


def unchanged_numbers(old_numbers: dict[str, set[str]], new_numbers: dict[str, set[str]]) -> dict[str, set[str]]:
    """The numbers that a page has in both builds although it should not."""
    assert sorted(old_numbers) == sorted(new_numbers)
    common_numbers = {
        name: old_numbers[name] & new_numbers[name] - CONSTANTS_ON_PAGES.get(name, set()) for name in old_numbers
    }
    return {name: numbers for name, numbers in common_numbers.items() if numbers and name not in UNAFFECTED_PAGES}


def test_no_page_keeps_an_old_number(site: Path, other_pages: dict[str, str]) -> None:
    """A number that stays was typed, or must be listed above with its reason."""
    old_numbers = numbers(texts(site))
    assert sum(map(len, old_numbers.values())) > 300
    assert {} == unchanged_numbers(old_numbers, numbers(other_pages))


def test_a_number_that_stays_is_noticed() -> None:
    """It may be in the text of a page or in an attribute."""
    for html in ("<p>2,362,368</p>", '<p title="1536">a</p>'):
        page = {"a.html": f"<article>{html}</article>"}
        assert unchanged_numbers(numbers(page), numbers(page))


def test_the_number_of_entries_in_a_list_is_left_out() -> None:
    """It depends on no size; a number beside it is still checked."""
    assert {"1,536"} == numbers_on(f"<article><td>{tally(183)}</td><td>1,536</td></article>")


def our_words_on(html: str) -> str:
    """The words on a page that are our own: no code, no quotations and no computed numbers."""
    article = article_of(html)
    if article is None:
        return ""
    for element in article.css(
        "script, pre, code, samp, data, option, .bc-quotes, .bc-source, a[href^=http], .headerlink"
    ):
        element.decompose()
    return article.text(separator=" ")


def test_no_quantity_in_words_becomes_false(
    other_world: tuple[dict[str, str], list[tuple[ConditionalWords, bool]]],
) -> None:
    """With the other sizes, a page has only quantities in words whose condition is true."""
    other_pages, conditions = other_world
    true_words = sorted({claim.words for claim, holds in conditions if holds}, key=len, reverse=True)
    words_by_page = {name: our_words_on(page) for name, page in other_pages.items()}
    unfounded = {
        name: [finding.text for finding in quantities_in_words(words, true_words)]
        for name, words in words_by_page.items()
        if name not in UNAFFECTED_PAGES
    }
    assert {} == {name: words for name, words in unfounded.items() if words}
    false_claims = [claim for claim, holds in conditions if not holds]
    assert len(false_claims) > 10, false_claims
    assert sum(PLACEHOLDER in words for words in words_by_page.values()) > 5


def test_false_words_stop_the_build(tmp_path: Path) -> None:
    """The message has the words and the model of which they are not true."""
    root = small_copy(tmp_path / "repository", "index.md", "totals/base.md")
    change_sizes(root)
    process = build_pages(tmp_path / "site", root)
    assert process.returncode != 0
    assert re.search(r'FalseWords: [\w-]+: ".*" is not true of [\w-]+: ', process.stderr)
