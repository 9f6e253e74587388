"""Labelled numbers in lines and sentences are identified and compared."""

import random
import string
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from macros.counting import BadChoice, Model, Question, UnknownPart, load_models, load_relatives
from macros.counting.deviations import load_deviations
from macros.counting.frameworks.listing import tensors
from macros.counting.published.others import load_others
from macros.rendering.files.exported import table
from tests.samples import sample_of

from .running import Scripts

CASES = tomllib.loads(Path(__file__).with_name("labels.toml").read_text(encoding="utf-8"))
"""Texts with the expected accounts. The comment at the top of the file explains the fields."""

SEED = 46  # for the random texts
MAX_MILLISECONDS = 400  # for one line, on a busy machine
MAX_MILLISECONDS_OF_LONG_LINES = 1500  # explaining every number separately took five seconds


@pytest.fixture(scope="module")
def timed_accounts(scripts: Scripts) -> dict[str, tuple[dict[str, Any], float]]:
    """The account of every case, with the milliseconds that it takes, by its text."""
    texts = [case["text"] for case in CASES["case"]]
    return dict(zip(texts, scripts.call("timedLabelAccounts", texts, MAX_MILLISECONDS), strict=True))


@pytest.fixture(scope="module")
def accounts(timed_accounts: dict[str, tuple[dict[str, Any], float]]) -> dict[str, dict[str, Any]]:
    """The account of every case, by its text."""
    return {text: account for text, (account, _) in timed_accounts.items()}


@pytest.mark.parametrize("case", CASES["case"], ids=lambda case: case["text"].strip()[:40])
def test_an_account_agrees_with_its_case(accounts: dict[str, dict[str, Any]], case: dict[str, Any]) -> None:
    account = accounts[case["text"]]
    assert account, "not read"
    for words in case["says"]:
        assert words in account["headline"]
    for words in case.get("findings", ()):
        assert any(words in finding for finding in account["findings"]), account["findings"]
    for words in case.get("never", ()):
        assert words not in " ".join([account["headline"], *account["findings"]])
    assert sorted(set(account["findings"])) == sorted(account["findings"])
    if "parts" in case:
        assert case["parts"] == [part for _, part, *_ in account["lines"]]
    if "model" in case:
        assert case["model"] == ((account["model"] or {}).get("name") or "")
    if "class" in case:
        assert case["class"] == account["model"]["modelClass"]
    if "confidence" in case:
        assert case["confidence"] == account["confidence"]


def test_bridges_add_up(accounts: dict[str, dict[str, Any]]) -> None:
    bridges = [account["bridge"] for account in accounts.values() if account["bridge"]]
    assert bridges
    for start, steps, end, end_label in bridges:
        assert start + sum(steps) == end
        assert "[object" not in end_label  # an element in a label that is plain text


def test_lines_are_those_of_the_text(accounts: dict[str, dict[str, Any]]) -> None:
    for text, account in accounts.items():
        for source, _, stated, right, verdict in account["lines"]:
            assert source.split(" ")[0].strip("()") in text
            assert verdict != "right" or stated == right


@pytest.mark.parametrize(
    ("share", "part", "verdict"),
    [
        ("0.2700", "what is trained, as a share of all", "right"),
        ("0.2700395193203643", "what is trained, as a share of all", "right"),
        ("2.7", "what is trained is 0.2700% of all", "wrong"),
    ],
)
def test_a_percentage_is_right_only_if_it_follows_from_the_numbers_before_it(
    scripts: Scripts, share: str, part: str, verdict: str
) -> None:
    line = f"trainable params: 296,450 || all params: 109,780,228 || trainable%: {share}"
    (account,) = scripts.call("labelAccounts", [line])
    assert [f"trainable%: {share}", part, verdict] == [account["lines"][-1][index] for index in (0, 1, 4)]


TOTALS = "Total params: 109,482,240\nTrainable params: {trained}\nNon-trainable params: {frozen}"
"""A template for the end of a summary, with the trainable and the frozen parameters to be filled in."""

EXPLAINED_TEXTS = [
    TOTALS.format(trained="109,482,240", frozen="0"),
    TOTALS.format(trained="592,130", frozen="108,890,110"),
    TOTALS.format(trained="0 (0.00 Byte)", frozen="109,482,240 (417.64 MB)"),
    "109 M     Trainable params\n0         Non-trainable params\n109 M     Total params",
    "109M params, 438MB",
    "108,891,648 parameters in BERT base",
    "bert.encoder total 85,054,464 + pooler 590,592 + embeddings 23,837,184",
]
"""Texts whose lines are all explained by the answer."""


@pytest.mark.parametrize("text", EXPLAINED_TEXTS, ids=lambda text: text[:30])
def test_an_explained_line_is_not_unknown(scripts: Scripts, text: str) -> None:
    (account,) = scripts.call("labelAccounts", [text])
    assert "unknown" not in [verdict for *_, verdict in account["lines"]], account["lines"]


LOG_LINES = [
    "2026-01-02 04:00:{second:02} INFO step {step} loss 0.500000 lr 2e-05",
    "Epoch {step}/500 - {second}s - loss: 0.5123 - accuracy: 0.8123",
    "{{'loss': 0.5, 'grad_norm': 1.25, 'learning_rate': 2e-05, 'epoch': {step}}}",
]
"""Templates for the lines of a log that have only figures of training."""


@pytest.mark.parametrize("line", LOG_LINES, ids=lambda line: line[:20])
def test_a_number_below_a_long_log_is_read(scripts: Scripts, line: str) -> None:
    logs = ["\n".join(line.format(step=step, second=step % 60) for step in range(count)) for count in (9, 500)]
    texts = [f"{log}\nNumber of trainable parameters = 109,483,778" for log in logs]
    short_account, long_account = scripts.call("labelAccounts", texts)
    assert (
        "109,483,778 is BERT base, uncased, as BertForSequenceClassification with 2 labels" in long_account["headline"]
    )
    assert short_account["headline"] == long_account["headline"]


def test_a_setting_has_its_smallest_and_its_largest_value_but_none_beyond(scripts: Scripts) -> None:
    ranges = scripts.call("settingRanges")
    cases = [(number, role) for role, (least, most) in ranges.items() for number in (least - 1, least, most, most + 1)]
    roles = scripts.call("rolesOfNumbers", cases)
    assert len(ranges) > 10
    for role, (least, most) in ranges.items():
        numbers = [number for (number, label), result in zip(cases, roles, strict=True) if label == result == role]
        # A vocabulary may be smaller than usual.
        assert numbers in ([least, most], [least - 1, least, most] if role == "vocabulary" else [least, most]), role


def test_frozen_parameters_must_be_the_remainder(scripts: Scripts) -> None:
    (account,) = scripts.call("labelAccounts", [TOTALS.format(trained="592,130", frozen="108,890,111")])
    assert [108_890_111, 108_890_110, "wrong"] == account["lines"][-1][2:]


def test_texts_without_a_model_have_no_account(scripts: Scripts) -> None:
    texts = [case["text"] for case in CASES["nothing"]]
    assert [None] * len(texts) == scripts.call("labelAccounts", texts)


def test_rows_of_tensors_are_not_labelled_numbers(scripts: Scripts) -> None:
    rows = "\n".join(f"bert.encoder.layer.{layer}.attention.self.query.weight (768, 768)" for layer in range(12))
    assert scripts.call("labelAccounts", [rows]) == [None]


def test_no_random_text_raises_an_error(scripts: Scripts) -> None:
    chance = random.Random(SEED)  # noqa: S311
    pieces = [
        *string.printable,
        *"万亿億억만%×−()||:=",
        "trainable ",
        "params: ",
        "BERT base ",
        "MB",
        "GFLOPs ",
        "0.2700",
        "109,482,240",
        "1e999",
        "768",
        " of ",
        "\n",
        "LoRA r=8 ",
    ]
    texts = ["".join(chance.choices(pieces, k=chance.randrange(1, 40))) for _ in range(400)]
    assert len(texts) == len(scripts.call("labelAccounts", texts))


def test_a_line_is_read_in_time(timed_accounts: dict[str, tuple[dict[str, Any], float]]) -> None:
    times = {text: time for text, (_, time) in timed_accounts.items()}
    assert max(times.values()) < MAX_MILLISECONDS, times


def test_long_lines_are_read_in_time(scripts: Scripts) -> None:
    pieces = ["bert-base 110M ", "1.2 GiB ", "345M params BERT ", "每层768个"]
    texts = [(piece * 4000)[:3900] for piece in pieces]
    texts.append(" ".join(f"BERT {number}M params" for number in range(100, 300)))
    times = [time for _, time in scripts.call("timedLabelAccounts", texts, MAX_MILLISECONDS_OF_LONG_LINES)]
    assert max(times) < MAX_MILLISECONDS_OF_LONG_LINES, [round(time) for time in times]


BYTES_OF_TYPES = {"float64": 8, "float32": 4, "float16": 2, "bfloat16": 2}


@pytest.mark.parametrize("dtype", BYTES_OF_TYPES)
def test_an_amount_that_no_type_explains_is_compared_with_the_named_type(scripts: Scripts, dtype: str) -> None:
    (account,) = scripts.call("labelAccounts", [f"BERT base has 109,482,240 parameters in {dtype}: 300 MB"])
    bytes_each = BYTES_OF_TYPES[dtype]
    right_amount = f"{109_482_240 * bytes_each / 10**6:.2f} MB"
    sentence = f"300 MB does not fit: 109,482,240 parameters of {bytes_each} bytes are {right_amount}."
    assert sentence in account["findings"]


@pytest.mark.parametrize(
    ("trained", "total"), [(109_482_241, 109_482_240), (109_780_228, 296_450), (335_141_888, 109_482_240)]
)
def test_more_trained_parameters_than_there_are_is_a_contradiction(scripts: Scripts, trained: int, total: int) -> None:
    (account,) = scripts.call("labelAccounts", [f"trainable params: {trained:,} || all params: {total:,}"])
    words = f"{trained:,} of {total:,} parameters cannot be trained, since that is {trained - total:,} more"
    assert words in account["headline"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # 294,912 + 2 x 769, and 3 x 769: one dense layer
        ("trainable params: 296,450 || all params: 109,780,228", "1,538 parameters of the classifier"),
        ("trainable params: 297,219 || all params: 109,781,766", "2,307 parameters of the classifier"),
        # 786,432 + 2 x 1,025
        ("trainable params: 788,482 || all params: 335,932,420", "2,050 parameters of the classifier"),
        # 294,912 + 768 x 769 + 2 x 769: ELECTRA's head has two dense layers
        ("trainable params: 887,042 || all params: 110,370,820", "592,130 parameters of the classification head"),
    ],
)
def test_a_head_of_one_dense_layer_is_a_classifier(scripts: Scripts, text: str, words: str) -> None:
    (account,) = scripts.call("labelAccounts", [text])
    assert words in account["headline"]


FAMILIES = {
    phrase: names
    for phrase, names in tomllib.loads(Path("macros", "counting", "data", "labels.toml").read_text(encoding="utf-8"))[
        "others"
    ].items()
    if len(names) > 1
}
"""Names shared by several models of which we know only the totals, each with these models."""


@pytest.mark.parametrize("family", FAMILIES)
def test_a_number_is_compared_with_the_nearest_model_of_a_family(scripts: Scripts, family: str) -> None:
    models = [load_others()[name] for name in FAMILIES[family]]
    totals = [next(iter(model.totals.values())) for model in models]
    accounts = scripts.call("labelAccounts", [f"{family.upper()} has {total + 1:,} parameters" for total in totals])
    # A title with a comma is followed by another one.
    subjects = [f"{model.title}," if "," in model.title else model.title for model in models]
    openings = [f"{subject} has {total:,} parameters" for subject, total in zip(subjects, totals, strict=True)]
    assert openings == [account["headline"].partition(" as ")[0] for account in accounts]


COMPARISONS = {
    # 100 x (109,482,240 - 66,362,880) / 109,482,240 = 39.4
    "The smaller one has 39.4% fewer; 40% is this figure, rounded.": [
        "DistilBERT is 40% smaller than BERT base",
        "DistilBERT is 40% lighter than BERT base",
        "DistilBERT has 40% fewer parameters than BERT base",
        "DistilBERT has 40% less weights than BERT base",
        "DistilBERT reduces BERT base by 40%",
        "a reduction from BERT base to DistilBERT by 40%",
        "DistilBERT saves 40% over BERT base",
        "you save 40% with DistilBERT over BERT base",
    ],
    # 100 x (335,141,888 - 109,482,240) / 109,482,240 = 206.1
    "The larger one has 206.1% more; 206% is this figure, rounded.": [
        "BERT large is 206% larger than BERT base",
        "BERT large is 206% bigger than BERT base",
        "BERT large is 206% greater than BERT base",
        "BERT large has 206% more parameters than BERT base",
        "BERT large exceeds BERT base by 206%",
        "the parameters of BERT large exceed those of BERT base by 206%",
    ],
}
"""Statements about two models in each of the words for less and for more, by the sentence on their percentage."""


@pytest.mark.parametrize("sentence", COMPARISONS)
def test_a_comparison_is_read_in_any_of_its_words(scripts: Scripts, sentence: str) -> None:
    headlines = [account["headline"] for account in scripts.call("labelAccounts", COMPARISONS[sentence])]
    assert [] == [headline for headline in headlines if not headline.endswith(sentence)]


@pytest.mark.parametrize(
    "text",
    [
        "12 tensors are missing",
        "a third of the heads in attention are pruned",
        "22.5B FLOPs",
        "DistilBERT has half the layers of BERT",
        "why is it important for the count that 768 is divisible by 12?",
    ],
)
def test_words_that_only_resemble_a_statement_are_not_answered(scripts: Scripts, text: str) -> None:
    (account,) = scripts.call("accountsAsTexts", [text])
    assert not account["kind"]


MODELS = {**load_models(), **load_relatives()}


def number_of(part: dict[str, Any], model: Model) -> int:
    """The number of parameters of a part, in the first class that has it or, for several parts, all of them; or 0."""
    for model_class in model.architecture.classes:
        with suppress(UnknownPart):
            question = Question(model, model_class.name)
            numbers = [question.about(path, part.get("tag", "")).number for path in part["path"].split(", ")]
            return sum(numbers)
    return 0


def numbers_of_parts() -> list[tuple[str, Model, int]]:
    """The words for every part of a model of each architecture, with the model and the part's number of parameters."""
    usual_models = {model.architecture.model_type: model for model in reversed(MODELS.values())}
    parts = [part for part in table()["explanations"]["parts"] if not part.get("share")]
    return [
        (part["words"], model, number)
        for model in usual_models.values()
        for part in parts
        if " without " not in part["words"] and (number := number_of(part, model)) > MAX_SMALL_NUMBER
    ]


def test_a_right_statement_on_a_part_is_not_contradicted(scripts: Scripts) -> None:
    """Most parts of relatives are as large as parts of BERT, which must not be taken for what is meant."""
    statements = [
        (f"{words.removeprefix('the ')} of {model.name} has {number} parameters", number)
        for words, model, number in sample_of(numbers_of_parts(), part=7)
    ]
    accounts = scripts.call("labelAccounts", [text for text, _ in statements])
    assert len(statements) > 100
    assert [] == [
        (text, account["headline"])
        for (text, number), account in zip(statements, accounts, strict=True)
        if account and (", not " in account["headline"] or f"{number:,} is" not in account["headline"])
    ]


def test_a_question_about_a_part_gets_its_number(scripts: Scripts) -> None:
    """Our own words for a part name it, and no part that one of these words names."""
    questions = [
        (f"How many parameters do {words} of {model.title} have?", number)
        for words, model, number in sample_of(numbers_of_parts()[1:], part=7)  # others than in the test above
    ]
    accounts = scripts.call("labelAccounts", [text for text, _ in questions])
    assert [] == [
        (text, account and account["headline"])
        for (text, number), account in zip(questions, accounts, strict=True)
        if not account or f" {number:,} parameter" not in account["headline"]
    ]


def test_a_right_number_of_tensors_is_not_contradicted(scripts: Scripts) -> None:
    models = [model for model in MODELS.values() if model.title != SHARED_TITLE]
    texts = [f"{model.name} has {len([*tensors(Question(model))])} tensors" for model in models]
    accounts = scripts.call("labelAccounts", texts)
    assert [] == [
        (text, account and account["headline"])
        for text, account in zip(texts, accounts, strict=True)
        if not account or ", not " in account["headline"] or " tensors" not in account["headline"]
    ]


SHARED_TITLE = "BERT miniature"
MAX_SMALL_NUMBER = 100  # a number that is not larger may be a size


def test_the_title_of_every_model_is_read(scripts: Scripts) -> None:
    """A title begins like those of other models: DeBERTa-v3 xsmall is not DeBERTa-v3."""
    titles = {model.title: model for model in reversed(MODELS.values()) if model.title != SHARED_TITLE}
    accounts = scripts.call("labelAccounts", [f"How many parameters does {title} have?" for title in titles])
    named = [account["model"]["name"] for account in accounts]
    assert len(titles) > 100
    assert [] == [
        (title, name)
        for (title, model), name in zip(titles.items(), named, strict=True)
        if MODELS[name].sizes != model.sizes
    ]


def test_no_total_with_a_mistake_is_right_in_a_table_of_models(scripts: Scripts, base: Model) -> None:
    """In each table, BERT base has the number that another deviation from counting leads to."""
    totals = {Question(base, model_class.name).number for model_class in base.architecture.classes}
    numbers = set()
    for name in load_deviations():
        with suppress(BadChoice):
            numbers.add(Question(base, deviations=(name,)).number)
    wrong_numbers = sample_of(sorted(numbers - totals), part=3)
    texts = [
        f"bert-tiny | 4,385,920\nbert-base-uncased | {number:,}\nbert-large-uncased | 335,141,888\n"
        for number in wrong_numbers
    ]
    verdicts = [
        [verdict for *_, verdict in account["lines"]] for account, _ in scripts.call("timedLabelAccounts", texts, 400)
    ]
    assert [["right", "wrong", "right"]] * len(texts) == verdicts
    assert len(texts) > 10


def test_a_head_with_a_number_is_no_number_of_heads(scripts: Scripts) -> None:
    texts = ["which rows of the key matrix are those of head 7", "what does layer 3 do"]
    assert not any(account["kind"] for account in scripts.call("accountsAsTexts", texts))


def test_the_head_of_a_class_is_none_of_attention(scripts: Scripts) -> None:
    (account,) = scripts.call("labelAccounts", ["How many parameters does the second head of BertForPreTraining have?"])
    assert account is None or "no tensor of its own" not in account["headline"]
