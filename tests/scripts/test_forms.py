"""Numbers are read in all forms that readers type, such as Chinese numerals, and hostile texts are read in time."""

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.samples import sample_size
from tests.scripts.running import Scripts

FORMS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text(encoding="utf-8"))
"""Forms of numbers and the values that they mean. The comment at the top of the file explains the fields."""

MAX_MILLISECONDS = 3
"""The longest time that reading a text as a number may take."""


def test_a_form_is_read_as_the_range_that_its_last_digit_leaves_open(scripts: Scripts) -> None:
    expected = {text: (form["low"], form["high"]) for form in FORMS["number"] for text in form["texts"]}
    for (text, (low, high)), number in zip(expected.items(), scripts.call("readNumbers", [*expected]), strict=True):
        if text.startswith("1.0948"):
            # A power of ten with seven decimals leaves a few numbers open, only one of which is in the file.
            assert number["low"] <= low <= number["high"], text
        else:
            assert (low, high) == (number["low"], number["high"]), text


TRAINABLE_TEXTS = {
    "1,538 trainable parameters": True,
    "trainable params: 1,538": True,
    "1,538 non-trainable parameters": False,
    "Non-trainable params: 1,538": False,
    "1,538 parameters": False,
}
"""Texts, each with whether it asks about trainable parameters."""


def test_only_trainable_parameters_are_read_as_trainable(scripts: Scripts) -> None:
    numbers = scripts.call("readNumbers", [*TRAINABLE_TEXTS])
    assert TRAINABLE_TEXTS == {text: number["trainable"] for text, number in zip(TRAINABLE_TEXTS, numbers, strict=True)}


QUOTIENTS = {
    "109482240*4/1048576": "109482240*4/1048576 ≈ 417.6 MiB. 437,928,960 bytes are 109,482,240 parameters",
    "109482240*4/1024**2 MB": "109482240*4/1024**2 ≈ 417.6 MiB. 437,928,960 bytes are 109,482,240 parameters",
    "109482240*16/2**30": "109482240*16/2**30 ≈ 1.63 GiB. 1,751,715,840 bytes are 109,482,240 parameters",
    "109482240*4/1e6": "109482240*4/1e6 ≈ 437.9 MB. 437,928,960 bytes are 109,482,240 parameters",
    "109482240/1e6": "109482240/1e6 ≈ 109.5. 109,482,240 is the number of parameters in BERT base",
    "85054464/109482240": "85,054,464 / 109,482,240 ≈ 77.7%: that is the share of all encoder layers in BERT base",
}
"""Divisions as readers type them, and the beginning of the answer to each."""


def test_a_division_into_another_unit_is_answered_in_that_unit(scripts: Scripts) -> None:
    assert [None] * len(QUOTIENTS) == scripts.call("accounts", [*QUOTIENTS])
    for beginning, answer in zip(QUOTIENTS.values(), scripts.call("firstSentences", [*QUOTIENTS]), strict=True):
        assert answer.startswith(beginning), answer


def test_one_more_than_a_bare_model_may_be_a_layer_from_tensorflow_hub(scripts: Scripts) -> None:
    """A KerasLayer from TensorFlow Hub has one more scalar than the bare model; classes with a head do not."""
    base_answer, one_less_answer, head_answer = scripts.call(
        "firstSentences", ["109,482,241", "109,482,239", "109,514,299"]
    )
    assert (
        "A KerasLayer from TensorFlow Hub shows one more: besides the model, it holds a scalar that nothing trains."
        in base_answer
    )
    assert "KerasLayer" not in one_less_answer + head_answer


NUMBERS_OF_OTHER_MODELS = {
    ("335,141,888", "bert-base-uncased"): "BERT large, uncased",
    ("109482240", "bert-large-uncased"): "BERT base, uncased",
    ("124645632", "bert-base-uncased"): "RoBERTa base",
    ("7087872", "bert-large-uncased"): "BERT base, uncased",
    ("768*768+768", "bert-large-uncased"): "BERT base, uncased",
}
"""Numbers with a model that a reader may choose by mistake, and the model that has the number."""


@pytest.mark.parametrize(("text", "model"), NUMBERS_OF_OTHER_MODELS)
def test_a_number_of_a_model_other_than_the_chosen_one_is_explained(scripts: Scripts, text: str, model: str) -> None:
    (answer,) = scripts.call("answersInFull", [text], model)
    beginning, explanation = answer.split(" Of any model:")
    assert "We found no way to get" in beginning
    assert NUMBERS_OF_OTHER_MODELS[text, model] in explanation[:400]


def test_a_number_that_no_model_has_is_answered_with_the_nearest_of_the_chosen_model(scripts: Scripts) -> None:
    (answer,) = scripts.call("answersInFull", ["109490007"], "bert-base-uncased")
    assert answer.startswith("We found no way to get 109,490,007. |The nearest right number is|")


VOCABULARIES = {
    "124,644,864": "RoBERTa base has a vocabulary of this size, and 124,645,632 parameters (RobertaModel).",
    "278,042,880": "XLM-RoBERTa base has a vocabulary of this size, and 278,043,648 parameters (XLMRobertaModel).",
    "109,486,080": "",  # five added tokens, although MPNet has 30,527 as well
}
"""Totals of BERT base with another vocabulary, each with the sentence about the model that has it."""


@pytest.mark.parametrize("text", VOCABULARIES)
def test_the_model_that_has_another_vocabulary_is_named(scripts: Scripts, text: str) -> None:
    (answer,) = scripts.call("answersInFull", [text])
    assert VOCABULARIES[text] in answer.replace("|", "")
    assert ("has a vocabulary of this size" in answer) == bool(VOCABULARIES[text])


def test_a_number_less_its_rounded_form_is_only_rounding(scripts: Scripts) -> None:
    # 335,141,888 - 335,000,000
    (answer,) = scripts.call("answersInFull", ["335,141,888 − 335M"])
    assert "≈ 141,888.| |The difference is only rounding." in answer
    assert "335M| is the same number, |rounded to three figures" in answer


@pytest.mark.parametrize(
    ("text", "model", "expected"),
    [
        ("340M", "bert-base-uncased", "No total of BERT base, uncased, fits 340M. Of any model:|340M, rounded to two"),
        ("1.34GB", "bert-base-uncased", "No total of BERT base, uncased, fits 1.34GB. Of any model:|1.34GB, rounded"),
        ("0.6M", "bert-base-uncased", "0.6M, rounded to one figure, fits"),
    ],
)
def test_a_rounded_total_of_another_model_is_not_explained_by_a_rare_mistake(
    text: str, model: str, expected: str, scripts: Scripts
) -> None:
    (answer,) = scripts.call("answersInFull", [text], model)
    assert answer.startswith(expected)


def test_the_figure_of_the_paper_is_named_beside_a_right_total_only(scripts: Scripts) -> None:
    (answer,) = scripts.call("answersInFull", ["340M"])
    assert "The paper prints this figure" in answer
    (answer,) = scripts.call("answersInFull", ["340M"], "bert-base-cased")
    assert "335,141,888" in answer.partition("The paper prints this figure")[0]


def test_bytes_without_the_pooler_are_named_before_those_of_another_model(scripts: Scripts) -> None:
    """4 x 108,891,648 are BERT base without its pooler, and ELECTRA base."""
    (answer,) = scripts.call("answersInFull", ["435566592"])
    beginning, _, others = answer.partition("One other way")
    assert "if you left out the pooler" in beginning
    assert "ELECTRA base" in others


@pytest.mark.parametrize("text", ["108.9M", "110M", "267.8MB"])
def test_the_answer_to_a_rounded_number_that_fits_several_says_so(scripts: Scripts, text: str) -> None:
    (sentence,) = scripts.call("firstSentences", [text])
    assert re.match(rf"{text}, rounded to \w+ figures, fits \d+ numbers that we know. The likeliest: ", sentence)


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("Where does 7,680 come from?", "7,680| is |the size of "),
        ("Why 110M?", "110M, rounded to two figures, fits "),
        ("104.4M", "104.4M, a number divided by 1,048,576 and rounded to four figures, fits "),
        ("where does the number 110 million come from", "110 million, rounded to two figures, fits "),
        ("218,964,480 B", "218,964,480| |bytes| |are| |109,482,240| |parameters|"),
        ("tf: 109,482,241", "109,482,241| is one |more| than |109,482,240|"),
        ("somebody wrote 123,456,789", "We found no way to get 123,456,789."),
        ("between 100 and 123,456,789", "“between 100 and 123,456,789” is not a number"),
        ("A hundred and ten million", "A hundred and ten million, rounded to two figures, fits "),
    ],
)
def test_an_answer_quotes_the_number_without_the_question(scripts: Scripts, text: str, beginning: str) -> None:
    (answer,) = scripts.call("answersInFull", [text])
    assert answer.startswith(beginning)


@pytest.mark.parametrize("text", ["110M*4=440MB", "110M × 4 bytes = 440 MB"])
def test_the_result_of_a_product_shows_that_it_is_in_bytes(text: str, scripts: Scripts) -> None:
    """4 x 109,482,240 bytes. The uncertainty of the product, 4 million, is not a unit."""
    (answer,) = scripts.call("answersInFull", [text])
    assert "The likeliest: |437,928,960| |bytes| |are| |109,482,240| |parameters| of |BERT base" in answer
    assert "undefined" not in answer


def test_a_share_is_read_as_the_range_that_its_last_digit_leaves_open(scripts: Scripts) -> None:
    shares = {text: [form["low"], form["high"]] for form in FORMS["share"] for text in form["texts"]}
    for expected, number in zip(shares.values(), scripts.call("readNumbers", [*shares]), strict=True):
        assert "share" == number["amount"]
        assert pytest.approx(expected) == number["share"]


BARE_NUMBERS = ["418", "12", "N = 768", "109.5", "0.34", "3.06", "1,024", "0"]
"""Numbers whose unit may be missing."""

OTHER_NUMBERS = ["418M", "418 MB", "30522", "109,482", "3.06x", "21.8%", "2/3", "12*64", "1.1e8", "1亿"]
"""Numbers with a unit, sums, and numbers with too many digits to lack a unit."""


def test_a_number_that_may_lack_a_unit_is_bare(scripts: Scripts) -> None:
    """A number without a unit is bare if it has a decimal fraction or fewer than five digits. Integers are exact."""
    texts = [*BARE_NUMBERS, *OTHER_NUMBERS]
    numbers = scripts.call("readNumbers", texts)
    assert BARE_NUMBERS == [text for text, number in zip(texts, numbers, strict=True) if number["bare"]]
    assert (418, 418, True) == tuple(numbers[BARE_NUMBERS.index("418")][key] for key in ("low", "high", "exact"))


WINDOWS = {
    "28.8M": [[[28_750_000, 28_849_999, 3, False], [28_800_000, 28_899_999, 3, True]]],
    "110M": [
        [
            [109_500_000, 110_499_999, 3, False],
            [105_000_000, 114_999_999, 2, False],
            [110_000_000, 110_999_999, 3, True],
            [110_000_000, 119_999_999, 2, True],
            [50_000_000, 149_999_999, 1, False],
            [100_000_000, 199_999_999, 1, True],
        ]
    ],
    "109482240": [],
    "437,920,000 bytes": [],
}
"""Texts with the windows of numbers that they may be rounded or cut from.

A text has a list of windows for each number that it may mean. A window has its bounds, the number of significant
figures, and whether the number was cut rather than rounded.
"""


def narrow_windows(windows: list[list[int]]) -> list[list[int]]:
    """The windows of more than one significant figure. Others are so wide that their bounds do not matter."""
    return [window for window in windows if window[2] > 1]


def test_enough_zeros_at_the_end_may_come_from_rounding(scripts: Scripts) -> None:
    for (text, expected), windows in zip(WINDOWS.items(), scripts.call("windows", list(WINDOWS)), strict=True):
        assert list(map(narrow_windows, expected)) == list(map(narrow_windows, windows)), text
    six_zeros, three_zeros = scripts.call("windows", ["110,000,000", "109482000"])
    assert (1, 0) == (len(six_zeros), len(three_zeros))


def test_a_text_without_a_number_is_refused(scripts: Scripts) -> None:
    texts = FORMS["none"]["texts"]
    assert [] == [text for text, number in zip(texts, scripts.call("readNumbers", texts), strict=True) if number]


def random_sums(chance: random.Random) -> Iterator[str]:
    """Random sums of whole numbers, with brackets and powers."""
    for _ in range(2_000):
        pieces = [str(chance.randrange(1, 4000)) for _ in range(chance.randrange(2, 6))]
        text = pieces[0]
        for piece in pieces[1:]:
            text = f"({text})" if chance.random() < 0.3 else text
            text += chance.choice((" + ", "*", " × ", " - ")) + piece + chance.choice(("", "", "^2"))
        yield text


def test_sums_have_the_values_that_python_computes(scripts: Scripts) -> None:
    """Negative results are refused, and so are results too large for scripts to count exactly."""
    texts = list(random_sums(random.Random(1)))  # noqa: S311 - drawing samples is not cryptography
    refusals = 0
    for text, number in zip(texts, scripts.call("readNumbers", texts), strict=True):
        result = number["mantissa"] if number else None
        code = text.replace("×", "*").replace("^", "**")
        # No intermediate result is larger than if everything were added.
        value, magnitude = (eval(expression) for expression in (code, code.replace("-", "+")))  # noqa: S307
        if magnitude < 2**53:
            assert result == (value if value >= 0 else None), text
            continue
        assert result is None or (result == value and value < 2**53), text
        refusals += 1
    assert 100 < refusals < 1_000


PIECES = [
    *"0123456789.,'_+-*/^()[]{}<>&;:=?!\"\\%$#@~≈×·÷−²³年万亿億千百十零〇一三 \t\n\u00a0\ufeff\u202e\x00",
    "e",
    "E",
    "M",
    "MiB",
    "GB",
    "bytes",
    "亿",
    "**",
    "10^",
    "1e8",
    "110M",
    "109482240",
    "0x10",
    "NaN",
    "Infinity",
    "<script>",
    "</p>",
    "javascript:",
    "__proto__",
    "constructor",
    "toString",
    "${1}",
    "😀",
    "e\u0301",
    "params",
]
"""Pieces of hostile texts: signs and words from numbers, code and markup."""


def hostile_text(chance: random.Random) -> str:
    """Up to 200 random pieces in a row."""
    return "".join(chance.choices(PIECES, k=chance.choice((1, 2, 3, 5, 8, 13, 40, 200))))


def test_hostile_texts_are_read_or_refused(scripts: Scripts) -> None:
    chance = random.Random(2)  # noqa: S311
    number_count = 0
    for _ in range(sample_size(10, part=2)):
        texts = [hostile_text(chance) for _ in range(10_000)]
        faults, numbers = scripts.call("misreadTexts", texts)
        assert [] == faults
        number_count += numbers
    assert number_count > 1_000
    assert scripts.call("inheritedProperty", "polluted") is None


SLOW_TEXTS = [
    "9" * 120,
    "9 " * 60,
    "9," * 60,
    "99 99" * 24,
    "(" * 120,
    "(1" * 60,
    "1+" * 60,
    "1*10^" * 24,
    "9^" * 60,
    "param" * 24,
    "parameters " * 10,
    "a " * 60,
    "个" * 120,
    "1亿" * 60,
    "百" * 120,
    "1 (" * 40,
    "-fold" * 24,
    "1.1e8" * 24,
    "1x" * 60,
    "1=" * 60,
    "'a" * 60,
    "²" * 120,
    "ﷺ" * 120,
    "1." * 60,
    "printsum" * 15,
    " " * 119 + "1",
    "1" + " " * 119,
    "~" * 119 + "1",
    "1e" * 60,
    "9" * 60 + "a" * 60,
]
"""Texts of about 120 characters on which a careless pattern would backtrack for a long time."""


def test_no_text_is_read_slowly(scripts: Scripts) -> None:
    """The quickest of several runs counts, because the machine may be busy."""
    times = dict(zip(SLOW_TEXTS, scripts.call("timesToRead", SLOW_TEXTS), strict=True))
    assert {} == {text: time for text, time in times.items() if time > MAX_MILLISECONDS}


def test_models_with_the_same_number_are_listed_below_it(scripts: Scripts) -> None:
    (answer,) = scripts.call("answersInFull", ["109482240"])
    assert re.search(r"\d+ more models and classes have the same number, 109,482,240\|", answer)


def test_shown_sizes_round_to_the_typed_one(scripts: Scripts) -> None:
    """For example, 1.249 GiB rounds to 1.2, but 1.25 GiB would not."""
    for text, decimals in {"1.2 GiB": 1, "1,2": 1, "0.4 GB": 1, "418 MB": 0, "0.41 GiB": 2}.items():
        (answer,) = scripts.call("answersInFull", [text])
        shown_sizes = re.findall(r"\|([0-9.]+) (?:GiB|GB|MB), rounded", answer)
        typed_number = re.match(r"[0-9.]+", text.replace(",", "."))
        assert typed_number
        assert {f"{float(size):.{decimals}f}" for size in shown_sizes} <= {typed_number.group()}, text
    assert "1.249 GiB" in scripts.call("firstSentences", ["1.2 GiB"])[0]


def test_a_rounded_size_may_be_that_of_a_file(scripts: Scripts) -> None:
    """The answer gives the bytes of the weights, because a rounded size does not reveal what else the file holds.

    The file pytorch_model.bin of bert-base-uncased has 440,473,133 bytes, or 420.07 MiB.
    """
    (sentence,) = scripts.call("firstSentences", ["420.1 MB"])
    assert (
        "440,425,712 bytes (420.0 MiB) are 110,106,428 parameters of BERT base, uncased (BertForPreTraining" in sentence
    )
    assert sentence.endswith("in a file that holds their names as well.")


def test_a_classifier_comes_before_the_head_of_the_same_size(scripts: Scripts) -> None:
    """A head for two labels is as large as the next-sentence head, which is hardly ever trained."""
    head_answer, pooler_answer = scripts.call("firstSentences", ["1,538", "592,130"])
    assert "either the sequence-classification head for 2 labels or the next-sentence head of BERT base" in head_answer
    assert "either the pooler and the sequence-classification head for 2 labels or the pooler and" in pooler_answer


def test_a_term_counts_no_part_that_lies_within_another_term(scripts: Scripts) -> None:
    """A projection also has 590,592 parameters, but it is within the layers, which are another term."""
    base, layer = scripts.call("firstSentences", ["23.8M + 85.1M + 0.6M = 109.5M", "7.09M + 0.59M"])
    assert "590,592 is the size of either the pooler or the dense layer of the masked-LM head of BERT base" in base
    assert "7,087,872 is the size of one encoder layer" in layer
    assert "590,592 is the size of either the pooler, the dense layer of the masked-LM head or" in layer


def test_every_fitting_number_says_how_it_fits(scripts: Scripts) -> None:
    (answer,) = scripts.call("answersInFull", ["1,2"])
    assert "≈ 1.15|RoBERTa base (RobertaModel)| |compared with| |BERT base, cased (BertModel)|as a ratio" in answer
    assert not re.search(r"(?:rounded|cut) to *\|", answer)
