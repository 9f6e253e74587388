"""A build with other sizes has no old number on any page, and no quantity in words that is now false."""

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
from tests.docs.other_words import Held

# Numbers that do not depend on a model, each with its reason.
LASTING = {
    "560": "the height that is proposed for a frame with anything but an exercise",
    str(load_sets().sets["layer"].frame): "the height of a frame in pixels, for those who paste one",
    "100": "the width of a frame as a percentage, likewise",
    "1,000,000": "the limit of the field for the memory of a GPU, in GiB",
    "100.0": "the share of a whole in itself",
    "500": "seq_len of the notebook's own call, which is no size of a model",
    "128": "the sequence length of most steps of pre-training, which is no size of a model",
    "0.1": "what rounds to nothing is under the least share that is shown",
    **{
        f"{part * gib * 2**30 // 100:,}": "the bytes of the memory that a batch is to fit into, or of a share of it"
        for gib in (15, 80)
        for part in (100, 90, 10)
    },
}

LASTING |= dict.fromkeys(("1,000", "30,000"), "a size that a mistake takes instead of the model's")
LASTING |= dict.fromkeys(("1,024", "31,000"), "a size that a change gives to the model")
LASTING["2.718"] = "the base of the powers in softmax, e"

LASTING |= dict.fromkeys(("1.0", "1.5", "3.0", "150", "345", "650"), "a number in the title of a model")

# The example's tokens and their neighbours keep their ids, which come from a real vocabulary.
LASTING |= {
    str(token.id + step): "the number of a row of a recorded vocabulary"
    for token in example().tokens
    for step in (-1, 0, 1)
}
LASTING |= {token.before: "a token that is a number" for token in example().tokens}

# The toy model's sizes and weights are in a file of their own.
LASTING |= dict.fromkeys(("336", "244", "148"), "the parameters of the toy model, of its layer, of the network in it")
LASTING |= dict.fromkeys(
    (str(SLACK), str(POWER_SLACK), str(DECODER_SLACK)), "how far printed numbers of the toy model can be off"
)
LASTING |= dict.fromkeys(
    (number for name in VECTORS for number in re.findall(r"\d+\.\d+", vector(name))), "in a vector of the toy model"
)

OF_TOY = ", ".join(
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
"""The elements that show the toy model alone: its figures, sums, steps and weights, and its levels on the map."""

SCALES = {"256", "16,384"}
"""The numbers of scales, and so of weights, in a block of bitsandbytes."""

CARD_NAMES = {"3060", "4080", "4090"}
"""The numbers in the names of cards."""

# Numbers that do not depend on a model on one page, but could on others.
LASTING_ON = {
    # A constant of GELU's approximation.
    "parts/feed-forward.html": {"0.044715"},
    # Values given to changes: vocabulary sizes, positions, widths of adapters and of a prompt encoder.
    "changed/index.html": {"31000", "1024", "1000", "2,000", *SCALES},
    "changed/lora.html": {"1000", "2,000", *SCALES},
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
    "changed/storage.html": SCALES,
    # The frequencies of FourierFT in the example of their letter, and what it trains in a layer's pair of matrices.
    "notation.html": {"1000", "1,000", "2,000"},
    # Bytes in the memories of cards, in their reserves and without these, and the bytes of an optimiser that
    # bitsandbytes keeps per model and per block. A rate of dropout, bytes of token ids that are those of the pooler
    # here, and by coincidence the texts of a batch.
    "run/memory-of-training.html": {*(f"{size * 2**30:,}" for size in (8, 12, 16, 24, 40, 80)), "2,048", "256"}
    | {f"{room:,}" for size in (8, 12, 16, 24, 40, 80) for room in (room_in(size), room_in(size, 0) - room_in(size))}
    | {"3,072", "3072", "0.0", "142"}
    | CARD_NAMES,
    "try/calculator.html": CARD_NAMES,
    # Longformer's window, and the pairs of tokens in texts that fill it or that BigBird reads as a whole.
    "totals/further-relatives.html": {"512", "16,384", "262,144", "393,216"},
    # The length of an exercise's text; and the error of a rule of thumb, in each world for another length.
    "run/operations.html": {"256", "2.71"},
    # The errors of some rules of thumb, which in the other world are those of other rules. No rule keeps its own: the
    # pages on which each of them stands by itself keep none of these numbers.
    "keep.html": {"1.01", "0.13", "0.11", "0.10", "0.03"},
}

OTHER_CLAIMS = Path(__file__).parent / "other_claims.py"
OTHER_WORDS = Path(__file__).parent / "other_words.py"

# With other sizes the build would stop at the first false words, so they are replaced by this one.
UNTRUE = "otherwise"
INSTEAD_OF_STOPPING = f"""

_says = says


def says(words: str, condition: str, model: str = BOTH) -> str:
    try:
        return _says(words, condition, model)
    except CountingError:
        return "{UNTRUE}"
"""

LASTING_PAGES = {"about/verification.html": "recordings of other libraries do not follow models.toml"}

# Versions, issue numbers, variants of exercises and dates belong to names.
NUMBERS_IN_NAMES = re.compile(
    r"\b(QTI|transformers|KerasHub|keras-bert|bert4keras|torchinfo|release|issue|variant|torch|thop|ptflops|fvcore"
    r"|calflops|deepspeed|torchprofile|PEFT) \d[\d.]*(post\d+)?( (to|and) \d[\d.]*\d)?"
    r"|\b\d{4}-\d\d-\d\d\b"
)

CITATION = re.compile(r"\bThe authors of \"BERT, counted\"")

NUMBER = re.compile(r"\d[\d,]*\.\d+|\d[\d,]*\d\d")

TITLES = {model.title for model in load_relatives().values()}
MODEL_NAMES = re.compile(
    "|".join(sorted(map(re.escape, {*by_every_name(), *TITLES}), key=len, reverse=True)) + r"|\bMiniLM-L\d+-H\d+"
)


def article_of(html: str) -> LexborNode | None:
    """The article of a page; None for the error page, whose only number is that of the error."""
    page = LexborHTMLParser(html)
    page.strip_tags(["script"])
    heading = page.css_first("h1")
    return None if heading and heading.text().startswith("404") else page.css_first("article")


def numbers_on(html: str) -> set[str]:
    """Numbers of three digits or more that a reader of the page can see or hear."""
    article = article_of(html)
    if article is None:
        return set()
    # Comparisons with other libraries do not follow models.toml, here as on the page about them.
    for element in article.css(".bc-proof, .bc-recorded"):
        element.decompose()
    for element in article.css(OF_TOY):
        element.decompose()
    # A table of quotations keeps its sources' numbers; computed ones must follow models.toml.
    for table in article.css(".bc-quotes"):
        table.replace_with(" ".join(number_tag.text() for number_tag in table.css("data")))
    # The number of entries in a list depends on no size.
    for entries in article.css(".bc-tally"):
        entries.decompose()
    # A citation names the build: its version, commit and date follow no model.
    for citation in (block for block in article.css("pre") if CITATION.search(block.text())):
        citation.decompose()
    hidden_elements = [
        tag.attributes.get(key) or "" for key in ("data-how", "title", "value") for tag in article.css(f"[{key}]")
    ]
    text = " ".join([article.text(separator=" "), *hidden_elements])
    # The row numbers of a listing depend on no size.
    text = re.sub(r"\b\d+  (?=[A-Z][a-z]+-)", "", text)
    text = NUMBERS_IN_NAMES.sub(" ", text)
    # A model's name may hold digits of its sizes, and stays.
    text = MODEL_NAMES.sub(" ", text)
    return {number.strip(".,") for number in NUMBER.findall(text)} - set(LASTING)


FACTORS = {
    "vocab_size": 5,
    "type_vocab_size": 2,
    **dict.fromkeys(("intermediate_size", "hidden_dim"), 7),
    **dict.fromkeys(("num_hidden_layers", "n_layers"), 2),
}
"""The factor by which a size grows, if not three."""


def perturbed(models: str) -> str:
    """The text of models.toml with every size of every model changed."""

    def other(match: re.Match[str]) -> str:
        key, size = match[1], int(match[2])
        if key in ("num_attention_heads", "n_heads"):
            return f"{key} = 1"
        # Sizes grow by different factors, or the ratios of parts would stay the same.
        return f"{key} = {FACTORS.get(key, 3) * size + 11}"

    return re.sub(r"^(\w+) = (\d+)$", other, models, flags=re.MULTILINE)


def perturb(root: Path) -> None:
    """Change every size in a copy of the repository."""
    for name in ("models.toml", "relatives.toml"):
        models = root / "macros" / "counting" / "data" / name
        old_text = models.read_text()
        models.write_text(perturbed(old_text))
        assert old_text != models.read_text()
    changes, page = root / "macros" / "counting" / "data" / "changes.toml", root / "docs" / "changed" / "structure.md"
    changes.write_text(re.sub(r"\[mistakes.pruned-output\]\n(.+\n)+", "", changes.read_text()))
    for change in DIVIDING:
        assert f'"{change}"' in changes.read_text()
        changes.write_text(re.sub(rf'"{re.escape(change)}",\s*', "", changes.read_text()))
    # The only head of a layer cannot be pruned.
    for path in (changes, page) if page.exists() else (changes,):
        assert '"pruned:12", ' in path.read_text()
        path.write_text(path.read_text().replace('"pruned:12", ', ""))
    leave_out(root / "docs" / "changed" / "index.md", "pruned:12")
    # Numbers that are printed in full here are not divided, so none of the paper's differs.
    leave_out(root / "docs" / "disagreements" / "published-claims.md", 'claims.printed("lora-paper")')


def leave_out(page: Path, words: str) -> None:
    """Remove the one line of a page that contains some words, if the copy has that page."""
    if page.exists():
        lines = page.read_text().splitlines(keepends=True)
        others = [line for line in lines if words not in line]
        assert len(lines) - len(others) == 1, words
        page.write_text("".join(others))


# Changes that the page compares, whose blocks do not divide the width of the other world.
DIVIDING = ("oft:32:query,value", "boft:4:query,value", "vblora:4:v=256:w=256")


def run(script: Path, root: Path) -> str:
    """The output of a script run in a copy of the repository."""
    environment = {**os.environ, "PYTHONPATH": "."}
    return subprocess.run([sys.executable, script], cwd=root, env=environment, check=True, stdout=-1, text=True).stdout


@pytest.fixture(scope="module")
def other_world(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], list[tuple[Held, bool]]]:
    """The site built with every size changed, and which words hold there."""
    folder = tmp_path_factory.mktemp("perturbed")
    root = copy(folder / "repository")
    perturb(root)
    words_held = [(Held(*fields), true) for *fields, true in json.loads(run(OTHER_WORDS, root))]
    # Claims are about the published sizes, so sources must claim other numbers here.
    run(OTHER_CLAIMS, root)
    conditions = root / "macros" / "counting" / "published" / "conditions.py"
    conditions.write_text(conditions.read_text() + INSTEAD_OF_STOPPING)
    process = build_pages(folder / "site", root)
    assert process.returncode == 0, process.stderr
    return texts(folder / "site"), words_held


@pytest.fixture(scope="module")
def other_pages(other_world: tuple[dict[str, str], list[tuple[Held, bool]]]) -> dict[str, str]:
    """The pages of that site."""
    return other_world[0]


def numbers(pages: dict[str, str]) -> dict[str, set[str]]:
    """The numbers on each page."""
    return {name: numbers_on(page) for name, page in pages.items()}


def unchanged_numbers(old_numbers: dict[str, set[str]], new_numbers: dict[str, set[str]]) -> dict[str, set[str]]:
    """Numbers that a page has in both builds although they should differ."""
    assert sorted(old_numbers) == sorted(new_numbers)
    common_numbers = {name: old_numbers[name] & new_numbers[name] - LASTING_ON.get(name, set()) for name in old_numbers}
    return {name: numbers for name, numbers in common_numbers.items() if numbers and name not in LASTING_PAGES}


def test_no_page_keeps_an_old_number(site: Path, other_pages: dict[str, str]) -> None:
    """Every number follows the sizes; one that does not was typed, or belongs in the list with its reason."""
    old_numbers = numbers(texts(site))
    assert sum(map(len, old_numbers.values())) > 300
    assert {} == unchanged_numbers(old_numbers, numbers(other_pages))


def test_a_number_that_stays_is_found() -> None:
    """A number in both builds is found, in text and in an attribute."""
    for html in ("<p>2,362,368</p>", '<p title="1536">a</p>'):
        page = {"a.html": f"<article>{html}</article>"}
        assert unchanged_numbers(numbers(page), numbers(page))


def test_the_number_of_entries_in_a_list_is_left_out() -> None:
    """It does not follow from the sizes; a number beside it does."""
    assert {"1,536"} == numbers_on(f"<article><td>{tally(183)}</td><td>1,536</td></article>")


def said_on(html: str) -> str:
    """Our own words on a page: no code, no quotations, no computed numbers."""
    article = article_of(html)
    if article is None:
        return ""
    for element in article.css(
        "script, pre, code, samp, data, option, .bc-quotes, .bc-source, a[href^=http], .headerlink"
    ):
        element.decompose()
    return article.text(separator=" ")


def test_no_quantity_in_words_becomes_false(other_world: tuple[dict[str, str], list[tuple[Held, bool]]]) -> None:
    """Every quantity in words on a page is true for the other sizes, or is not there."""
    other_pages, conditions = other_world
    true = sorted({claim.words for claim, holds in conditions if holds}, key=len, reverse=True)
    words_by_page = {name: said_on(page) for name, page in other_pages.items()}
    untrue = {
        name: [f.text for f in quantities_in_words(words, true)]
        for name, words in words_by_page.items()
        if name not in LASTING_PAGES
    }
    assert {} == {name: words for name, words in untrue.items() if words}
    false = [claim for claim, holds in conditions if not holds]
    assert len(false) > 10, false
    assert sum(UNTRUE in words for words in words_by_page.values()) > 5


def test_false_words_stop_the_build(tmp_path: Path) -> None:
    """False words stop a build; the message gives the words and the model."""
    root = small_copy(tmp_path / "repository", "index.md", "totals/base.md")
    perturb(root)
    process = build_pages(tmp_path / "site", root)
    assert process.returncode != 0
    assert re.search(r'FalseWords: [\w-]+: ".*" is not true of [\w-]+: ', process.stderr)
