"""Every published number has a verdict, every difference is explained, and a wrong verdict is refused."""

import re
import tomllib
from pathlib import Path

import pytest

from macros.counting import BadClaim, BadConfig, load_models
from macros.counting.frameworks.keras_layers import keras_bert
from macros.counting.published.claims import Claim, Source, check, known_totals, load_claims

ALL_CLAIMS = [claim for claims_of_source in load_claims().values() for claim in claims_of_source]


def claim_id(claim: Claim) -> str:
    """The test id of a claim: source, position and printed number."""
    return f"{claim.source.name}-{claim.position}-{claim.printed}"


def claim_with(source: str, printed: str, **keys: str) -> Claim:
    """The first claim of a source with this printed number and these values of other keys."""
    candidates = [claim for claim in load_claims()[source] if claim.printed == printed]
    return next(claim for claim in candidates if all(getattr(claim, key) == value for key, value in keys.items()))


@pytest.mark.parametrize("claim", ALL_CLAIMS, ids=claim_id)
def test_every_claim_agrees_with_the_engine(claim: Claim) -> None:
    check(claim)


# The numbers in the five texts that the site walks through, copied from the texts.
NUMBERS_IN_TEXTS = {
    "keras-bert-notebook": "30000 12 2 768 3072 500 512 0.05 0 23040000 1536 8 786 2,362,368 4722432",
    "pytorch-forum-thread": "199 12 8 1",
    "bert4keras-walk-through": "21128 1024 21,635,072 2048 512 524,288 0 3 4 4198400 4096 4,198,400 4,194,304 1024 "
    "4,195,328 8,393,728 22,163,456 12,596,224 23 24 324,472,832",
    "base-chinese-by-hand": "0.1 768 0.02 3072 1e-12 512 12 0 3 128 2 21128 18 16621056 64 2359296 4 56623104 38400 "
    "75641856",
    "keras-bert-article": "30000 30k 12 768 3072 512 0.05 0 23040000 1536 393216 2362368 4722432 590592 30000 1538 "
    "109,705,010 ~110M 9 108 64 4",
}


@pytest.mark.parametrize("source", NUMBERS_IN_TEXTS)
def test_every_number_of_a_text_has_a_claim(source: str) -> None:
    assert set(NUMBERS_IN_TEXTS[source].split()) <= {claim.printed for claim in load_claims()[source]}


def test_the_listing_of_the_article_is_complete_and_in_order() -> None:
    rows = [claim for claim in load_claims()["keras-bert-article"] if claim.where == "summary" and claim.summary_row]
    summary_rows = [row for row in keras_bert(rows[0].model, 512) if row.layer in (None, 1)]
    assert [(row.name, row.parameters) for row in summary_rows] == [
        (claim.summary_row, int(claim.printed)) for claim in rows
    ]
    assert ["L" if row.layer else "" for row in summary_rows] == [claim.times for claim in rows]


def counts_another_model(claim: Claim) -> bool:
    """Return whether a claim says that it counts a model by name, although its number is that of another."""
    words = claim.counts
    names = {name for name in load_models() if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", words)}
    sizes = {size.lower() for size in re.findall(r"\bBERT[ -](base|large)\b", words, re.IGNORECASE)}
    model = claim.correct_question.model.name
    return bool((names and model not in names) or (sizes and not any(size in model for size in sizes)))


def test_a_claim_counts_the_model_that_it_names() -> None:
    assert [] == [claim_id(claim) for claim in ALL_CLAIMS if counts_another_model(claim)]
    claim = claim_with("transformers-pretrained-models", "109M")
    assert counts_another_model(claim._replace(counts="bert-large-cased"))
    assert counts_another_model(claim._replace(counts="parameters of BERT large"))


def kinds_by_address(source: Source) -> set[str]:
    """The kinds that a source may have, judging by its address and the first word of its title.

    A paper is on arXiv, and a course has chapters. What a tool prints, or a release, is named after the project whose
    repository or site has the address; a discussion in a repository is a text.
    """
    if "arxiv.org" in source.url:
        return {"paper"}
    if "chapter" in source.url:
        return {"course"}
    host, *folders = re.sub(r"https?://|-", "", source.url.lower()).split("/")
    product = re.split(r"[ ,/]", source.title.lower().replace("-", ""))[0]
    is_of_project = product in {*host.split("."), *folders[:2]} and "issues" not in folders
    return {"tool", "release"} if is_of_project else {"text"}


SOURCES = [entries[0].source for entries in load_claims().values() if entries[0].source.url]
"""The sources that have an address."""


def test_the_kind_of_a_source_fits_its_address() -> None:
    assert {} == {source.name: source.kind for source in SOURCES if source.kind not in kinds_by_address(source)}
    kinds = {source.name: kinds_by_address(source) for source in SOURCES}
    assert ({"paper"}, {"course"}, {"tool", "release"}) == (kinds["lora-paper"], kinds["d2l"], kinds["peft"])
    assert {"text"} == kinds["peft-issue"] == kinds["google-bert-issue"] == kinds["snailcoder"]


CORRECT_NUMBERS = tomllib.loads(Path(__file__).with_name("right.toml").read_text(encoding="utf-8"))["claims"]


@pytest.mark.parametrize(("source", "printed", "correct_number"), CORRECT_NUMBERS)
def test_the_numbers_in_right_toml_are_counted(source: str, printed: str, correct_number: int) -> None:
    """They come from libraries and arithmetic, so a misread claim is noticed."""
    assert correct_number == claim_with(source, printed).correct_number


def test_a_rounded_number_is_explained_by_one_that_rounds_to_it() -> None:
    """Source: the terms of calc_transformer_params.py, which prints millions, add up to 108,844,032."""
    claim = claim_with("eleutherai-cookbook", "108.84 M")
    assert (108_835_000, 108_844_999) == claim.printed_bounds
    assert 108_844_032 == claim.explained_number == claim.question.number


def test_a_claim_about_memory_is_counted_in_bytes() -> None:
    """Sources: 75,641,856 / 2^20 is 72.14; accelerate's test pins 413.18 MiB, which includes 8,192 bytes of buffers."""
    assert (72_050_000, 72_149_999) == claim_with("base-chinese-by-hand", "72.1 MB").printed_bounds
    assert 75_641_856 == claim_with("base-chinese-by-hand", "72.1 MB").explained_number
    assert 433_241_088 + 8_192 == claim_with("accelerate", "413.18 MB").explained_number
    assert claim_with("accelerate", "413.18 MB").is_of_memory
    assert not claim_with("transformers", "199").is_of_memory


@pytest.mark.parametrize("claim", [claim for claim in ALL_CLAIMS if claim.is_of_whole_model], ids=claim_id)
def test_both_totals_of_a_whole_model_answer_a_question(claim: Claim) -> None:
    """A bridge needs a question at both ends."""
    low, high = claim.printed_bounds
    assert claim.correct_number == claim.correct_question.number
    assert low <= claim.question.number <= high


def test_some_claims_are_about_less_than_a_whole_model() -> None:
    """A part, a row, memory, a size or a changed model is not a whole model."""
    assert claim_with("transformers", "109,482,240").is_of_whole_model
    for claim in (
        claim_with("base-chinese-by-hand", "38400"),
        claim_with("base-chinese-by-hand", "2359296"),
        claim_with("base-chinese-by-hand", "72.1 MB"),
        claim_with("keras-bert-article", "1538"),
        claim_with("transformers", "199"),
        claim_with("peft-issue", "109483010"),
        claim_with("transformers", "109,482,240")._replace(unit="layers"),
    ):
        assert not claim.is_of_whole_model


# Claims of several kinds, which the tests below alter.
TOTAL_CLAIM = claim_with("torchinfo", "133,547,324")
ROUNDED_CLAIM = claim_with("nvidia-ngc", "330M")
CORRECT_CLAIM = claim_with("transformers", "110,106,428")
SLIP_CLAIM = claim_with("keras-bert-notebook", "786")
MEMORY_CLAIM = claim_with("accelerate", "418.18 MB")
SHAPE_CLAIM = claim_with("pytorch-forum-thread", "(3072, 768)")
HEADS_CLAIM = claim_with("keras-bert-article", "9")
OPTION_CLAIM = claim_with("base-chinese-by-hand", "128")
LORA_CLAIM = claim_with("peft-guides", "355894283")


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (TOTAL_CLAIM._replace(verdict="agrees"), "torchinfo, claim 1, .* is agrees, but the count is 110106428"),
        (CORRECT_CLAIM._replace(verdict="differs"), "the verdict is differs, but the count is 110106428"),
        (CORRECT_CLAIM._replace(verdict="no-effect"), "write both"),
        (CORRECT_CLAIM._replace(deviations=("segments-forgotten",)), "but explains a difference that does not exist"),
        (TOTAL_CLAIM._replace(deviations=()), "it differs, but does not explain the difference"),
        (TOTAL_CLAIM._replace(deviations=("state-dict-summed",)), "its explanation gives 133577846"),
        (TOTAL_CLAIM._replace(adds=(("1", "a"),)), "its explanation gives 133547325"),
        (TOTAL_CLAIM._replace(model_class="BertModel"), "decoder-untied does not apply to BertModel"),
        (TOTAL_CLAIM._replace(part="bert/pool"), "BertForPreTraining has no tensor under"),
        (TOTAL_CLAIM._replace(printed="a lot"), "is not a number that can be looked up"),
        (ROUNDED_CLAIM._replace(deviations=("vocabulary-padded",)), "its explanation gives 335148032"),
        (SLIP_CLAIM._replace(slip="digit"), "its explanation gives 768, which is not what is printed"),
        (SLIP_CLAIM._replace(printed="867"), "its explanation gives 768"),
        (MEMORY_CLAIM._replace(slip=""), "its explanation gives 433249280"),
        (MEMORY_CLAIM._replace(unit_meant=""), "its explanation gives 433249280"),
        (MEMORY_CLAIM._replace(adds=()), "its explanation gives 433241088"),
        (MEMORY_CLAIM._replace(bytes_each=1), "its explanation gives 108312320"),
        (MEMORY_CLAIM._replace(dtype="float31"), 'no data type "float31"'),
        (SHAPE_CLAIM._replace(printed="(768, 3072)"), "the verdict is agrees"),
        (
            SHAPE_CLAIM._replace(tensor="pooler.dense.wait"),
            'tensor of BertModel "pooler.dense.wait"; did you mean "pooler.dense.weight"',
        ),
        (claim_with("keras-bert-article", "1538")._replace(summary_row="NSPs"), 'did you mean "NSP"'),
        (HEADS_CLAIM._replace(part=""), "its explanation gives 113"),
        (claim_with("keras-bert-article", "64")._replace(size="H/P"), "H/P is not a whole number"),
        (LORA_CLAIM._replace(unit="trained"), "its explanation gives 1844224"),
        (LORA_CLAIM._replace(adds=(("-C", "a"),)), "its explanation gives 355905547"),
        (
            LORA_CLAIM._replace(changes="lora:16:quarry"),
            'RobertaForTokenClassification has no module "quarry" with parameters; did you mean',
        ),
        (LORA_CLAIM._replace(conventions=("pooler-left-out",)), "only a whole model without deviations can be changed"),
        (OPTION_CLAIM._replace(option="hidden_size"), "hidden_size affects tensors of BertModel; write its letter H"),
        (OPTION_CLAIM._replace(verdict="agrees"), "write both"),
    ],
)
def test_a_wrong_claim_is_refused(claim: Claim, message: str) -> None:
    with pytest.raises(BadClaim, match=message):
        check(claim)


def test_a_typo_is_one_wrong_digit_or_two_swapped_neighbours() -> None:
    check(TOTAL_CLAIM._replace(slip="digit", printed="133,547,325"))
    check(TOTAL_CLAIM._replace(slip="swapped", printed="133,547,342"))
    with pytest.raises(BadClaim):
        check(TOTAL_CLAIM._replace(slip="swapped", printed="133,547,343"))


def steps_of(claim: Claim) -> list[tuple[str, int]]:
    """The name and the value of each step of a claim."""
    return [(step.name, step.value) for step in claim.steps()]


def test_typos_and_wrong_bytes_per_parameter_have_steps() -> None:
    """The 108,310,272 parameters of BERT base, cased, and 4 x 512 for its buffers take one byte instead of four."""
    assert ("slip", 18) == steps_of(TOTAL_CLAIM._replace(slip="swapped", printed="133,547,342"))[-1]
    assert ("slip", -10) == steps_of(TOTAL_CLAIM._replace(slip="digit", printed="133,547,314"))[-1]
    assert ("bytes_each", -3 * (108_310_272 + 2_048)) in steps_of(MEMORY_CLAIM._replace(bytes_each=1, slip=""))


BLOCK = """
[invented]
title = "A text"
kind = "text"
accessed = "2026-11-21"
model = "bert-base-uncased"
claims = [
  { where = "here", printed = "109,482,240", counts = "the model", verdict = "agrees" },
  { where = "there", printed = "12", counts = "layers", verdict = "agrees", size = "L", note = "One." },
]
"""


def claims_from(tmp_path: Path, text: str) -> list[Claim]:
    """The claims in a file with this text."""
    file = tmp_path / "claims.toml"
    file.write_text(text)
    # Without the cache, because a test may write the same file twice.
    return [claim for claims_of_source in load_claims.__wrapped__(file).values() for claim in claims_of_source]


def test_a_file_is_read_in_order(tmp_path: Path) -> None:
    first, second = claims_from(tmp_path, BLOCK)
    assert ("invented", 1, "bert-base-uncased", "BertModel") == (
        first.source.name,
        first.position,
        first.model.name,
        first.model_class,
    )
    assert (2, "L", "One.") == (second.position, second.size, second.note)
    large_claim = claims_from(tmp_path, BLOCK.replace('size = "L"', 'size = "L", model = "bert-large-uncased"'))[1]
    assert 24 == large_claim.correct_number


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[invented]", "[", "claims.toml: cannot be read as TOML"),
        ('title = "A text"', 'titel = "A text"', 'unknown key titel = "A text"; did you mean "title"'),
        ('kind = "text"', 'kind = "texts"', 'kind is "texts"; did you mean "text"'),
        ('"2026-11-21"', '"yesterday"', 'invented: accessed is "yesterday"; write a date'),
        ('"bert-base-uncased"', '"bert-bsae-uncased"', 'invented, claim 1: no model "bert-bsae-uncased"; did you mean'),
        ('size = "L"', 'model = "bert"', "invented, claim 2: no model"),
        ('size = "L"', 'deviations = ["pooler-left"]', 'claim 2: no deviation "pooler-left"; did you mean'),
        ('size = "L"', 'unit = "layers"', 'claim 2: unit is "layers"'),
        ('size = "L"', 'size = "l"', 'claim 2: size is "l"; write shapes in letters'),
        ('size = "L"', 'adds = { "H, Y" = "a" }', 'claim 2: adds is "H, Y"; write shapes in letters'),
        ('size = "L"', 'slip = "turned"', 'claim 2: slip is "turned"; known: swapped, digit'),
        ('size = "L"', 'rows = "L"', 'claim 2: unknown key rows = "L"; known: where, printed, counts, verdict'),
        ('counts = "layers", verdict = "agrees"', 'counts = "layers", verdict = "agree"', 'did you mean "agrees"'),
        ('printed = "12"', "printed = 12", "claim 2: printed is 12; write a text"),
        (BLOCK[BLOCK.index("claims =") :], "", "claims is missing"),
        *(
            ('size = "L"', f'size = "L", {key} = "x"', f"claim 2: it has size and {key}; a claim counts one thing")
            for key in ("tensor", "summary_row", "option", "changes")
        ),
        ('size = "L"', 'unit = "trained"', "claim 2: unit is trained, but nothing is changed"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in BLOCK
    with pytest.raises(BadConfig, match=message):
        claims_from(tmp_path, BLOCK.replace(old, new))


DIFFERING_CLAIMS = [claim for claim in ALL_CLAIMS if claim.verdict == "differs"]


@pytest.mark.parametrize("claim", DIFFERING_CLAIMS, ids=claim_id)
def test_the_steps_of_a_claim_lead_to_its_number(claim: Claim) -> None:
    result = claim.correct_number + sum(step.value for step in claim.steps())
    low, high = claim.printed_bounds
    assert result == (low if claim.slip and low == high else claim.explained_number)


def test_every_step_is_named() -> None:
    """A step has the name of a deviation or the wording of an addition, or else is `bytes_each` or `slip`."""
    assert [("decoder-untied", 23_440_896)] == steps_of(claim_with("torchinfo", "133,547,324"))
    assert [("taking the number of heads in the original Transformer", -4)] == steps_of(
        claim_with("keras-bert-notebook", "8")
    )
    assert [("counting that row in every layer", 12)] == steps_of(claim_with("keras-bert-article", "108"))
    assert [("slip", 18)] == steps_of(claim_with("keras-bert-notebook", "786"))
    # The hand count assumes one byte instead of four for each of its 75,641,856 parameters.
    memory_steps = steps_of(claim_with("base-chinese-by-hand", "72.1 MB"))
    assert ("bytes_each", -3 * 75_641_856) == memory_steps[-1]


def test_known_totals_have_their_sources() -> None:
    sources = {(total.question.model.name, total.question.deviations): total.sources for total in known_totals()}
    # Source: the claims of these texts, data/claims.toml.
    deviations_by_hand = (
        "pooler-left-out",
        "attention-one-layer",
        "attention-biases-left-out",
        "feed-forward-biases-left-out",
    )
    assert ("base-chinese-by-hand",) == sources["bert-base-chinese", deviations_by_hand]
    # A source with this deviation in one part of the model does not print the total of the whole model.
    assert ("bert-base-uncased", ("feed-forward-biases-left-out",)) not in sources
    assert "bert4keras-walk-through" in sources["bert-large-chinese", ("pooler-left-out",)]
    assert all(total.sources and total.question.deviations for total in known_totals())
