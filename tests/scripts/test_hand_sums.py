"""Sums that readers have worked out themselves are checked, and their mistakes are explained."""

import re
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from macros.counting import ARCHITECTURES, BERT
from tests.docs.arithmetic import value
from tests.samples import sample_size
from tests.scripts.random_sums import MODELS, STYLES, SUMMANDS, SumContents, SumText, draw_sum
from tests.scripts.running import Scripts

CASES = tomllib.loads(Path(__file__).with_name("hand_sums.toml").read_text(encoding="utf-8"))
"""Sums with the expected accounts. The comment at the top of the file explains the fields."""

FORMULAS = {
    "12*(3*768*768+768*3072)+30522*768": "You left out the output projection of attention",
    "12*(768*768*3+768*3072*2)+30522*768": "You left out the output projection of attention",
    "12*(3*768*768+768*3072)": "You left out the matrix of the output projection of attention in all layers",
    "12*(12*(3*768*768)+2*768*3072)+30522*768+514*768": "the matrices of query, key and value 12 times in every layer",
    "12*(12*(3*768*768+3*768)+2*768*3072+3072+768)+30522*768+514*768": "query, key and value 12 times in every layer",
    "30522*768+514*768+12*(4*(768*768+768)+2*768*3072+3072+768)+768*768/2": "what “768 × 768 / 2” counts (294,912).",
    "12*(5*768*768+768*3072)+30522*768": "We do not know what “12 × 5 × 768 × 768” counts (35,389,440).",
    # 109,482,240 - 25,275,750
    "30522*768 + 512*768 + 999*887 + 45*12345": "BertModel of that model has 109,482,240 parameters, 84,206,490 more.",
    "12*(3*768^2+5*768*3072)": "of its terms we recognise only the matrices of query, key and value in all layers",
}
"""Formulas without labels whose results are not totals, with words that their accounts must contain."""

SUMS_IN_NAMES = {
    "word embeddings: {0} * hidden_size = 23,440,896": """
        vocab_size vocabsize vocabulary_size n_vocab 词表 词表大小 词汇量""",
    "position embeddings: {0} * hidden_size = 393,216": """
        max_position_embeddings max_positions n_positions num_positions n_pos n_ctx
        max_len maxlen seq_len max_seq_len""",
    "segment embeddings: {0} * hidden_size = 1,536": """
        type_vocab_size n_types n_segments num_segments n_seg""",
    "pooler: {0} * {0} + {0} = 590,592": """
        hidden_size hiddensize hidden_dim d_model dmodel d_h d_hidden d_emb emb_dim embed_dim n_embd 隐藏维度""",
    "feed-forward network of one layer: 2 * hidden_size * {0} + {0} + hidden_size = 4,722,432": """
        intermediate_size d_intermediate d_ff dff ff_dim d_ffn ffn_dim d_inner n_inner""",
    "feed-forward network: {0} * 4,722,432 = 56,669,184": """
        num_hidden_layers num_layers n_layers n_layer n_l nlayers 层数""",
    "query: hidden_size * {0} * d_k + {0} * d_k = 590,592": """
        num_attention_heads num_heads n_heads n_head nheads""",
    "query: hidden_size * num_heads * {0} + num_heads * {0} = 590,592": """
        head_size head_dim d_head d_k d_q d_v dk dv""",
    "classifier: {0} * hidden_size + {0} = 1,538": """
        num_labels n_labels num_classes n_classes""",
}
"""Correct sums of parts of BERT base, each with the names that articles and code give to one of its sizes."""

MIN_SERIOUS_WEIGHT = 1
"""The minimum weight of a serious finding. Findings that only point out rounding weigh less."""


def accounts(scripts: Scripts, texts: list[str]) -> list[dict[str, Any] | None]:
    """The account of each text as a sum; None if it is not one."""
    result: list[dict[str, Any] | None] = scripts.call("sumAccounts", texts)
    return result


@pytest.fixture(scope="module")
def accounts_of_cases(scripts: Scripts) -> dict[str, dict[str, Any] | None]:
    """The account of each case by its name; None if its text is not read as a sum."""
    return dict(zip(CASES, accounts(scripts, [case["text"] for case in CASES.values()]), strict=True))


def effects(account: dict[str, Any]) -> list[int]:
    """The errors in the reader's total that serious findings explain."""
    serious_findings = (finding for finding in account["findings"] if finding["weight"] >= MIN_SERIOUS_WEIGHT)
    return [-finding["amount"] for finding in serious_findings if finding["amount"]]


def test_a_right_sum_with_another_vocabulary_has_a_note(scripts: Scripts) -> None:
    (account,) = accounts(scripts, [CASES["other-vocabulary"]["text"]])
    assert account
    notes = [finding["words"] for finding in account["findings"]]
    assert ["If you mean BERT base, uncased, it has a vocabulary of 30,522: 23,040 fewer parameters."] == notes


def test_a_part_that_the_class_lacks_is_not_counted_too_often(scripts: Scripts) -> None:
    (account,) = accounts(scripts, [CASES["part-that-the-named-class-lacks"]["text"]])
    assert account
    findings = [finding["words"] for finding in account["findings"]]
    assert ["You counted the pooler, which BertForMaskedLM does not have: 590,592 too many."] == findings


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "none" not in case])
def test_a_sum_is_accounted_for(accounts_of_cases: dict[str, dict[str, Any] | None], name: str) -> None:
    case, account = CASES[name], accounts_of_cases[name]
    assert account
    assert case["of"] in account["headline"]
    assert sorted(effects(account)) == sorted(case["effects"])
    bridge = account["bridge"]
    if bridge is None:
        assert case["total"] == case["right"]
        assert account["model"]["total"] == case["right"]
    else:
        assert (bridge["start"], bridge["end"]) == (case["total"], case["right"])
        assert bridge["start"] + sum(step["value"] for step in bridge["steps"]) == bridge["end"]


def test_names_of_models_are_quoted_as_they_were_typed(scripts: Scripts) -> None:
    text = "BERT-base-uncased: words 23.4M, positions 0.4M, segments 0.002M, layers 12 x 7.09M, pooler 0.6M, all 109.5M"
    (account,) = accounts(scripts, [text])
    assert account
    assert account["lines"][0]["source"] == "BERT-base-uncased: words 23.4M"
    assert any("“BERT-base-uncased: words 23.4M” is rounded" in finding["words"] for finding in account["findings"])


QUOTED_PRODUCT = re.compile(r"“([\d,×/+−() ]+)” counts? \(([\d,]+)\)")
"""A part of a sum that an account quotes, and its value."""


def test_a_quoted_product_has_the_value_beside_it(
    scripts: Scripts, accounts_of_cases: dict[str, dict[str, Any] | None]
) -> None:
    results = [*accounts(scripts, [*FORMULAS]), *accounts_of_cases.values()]
    findings = [finding["words"] for account in results if account for finding in account["findings"]]
    quotes = QUOTED_PRODUCT.findall("\n".join(findings))
    assert [] == [quote for quote in quotes if value(quote[0]) != value(quote[1])]
    assert len(quotes) > 1


@pytest.mark.parametrize("formula", SUMS_IN_NAMES)
def test_a_size_has_many_names(scripts: Scripts, formula: str) -> None:
    texts = [formula.format(name) for name in SUMS_IN_NAMES[formula].split()]
    results = zip(texts, accounts(scripts, texts), strict=True)
    assert [] == [text for text, account in results if not account or "Your sum is right" not in account["headline"]]


def test_the_keys_of_configs_are_names_of_sizes(scripts: Scripts) -> None:
    """These are BERT's keys, and all keys for E, the width of the embedding tables, which BERT lacks."""
    symbols = [symbol for architecture in ARCHITECTURES.values() for symbol in architecture.symbols]
    letters = {
        symbol.key: symbol.letter
        for symbol in (*BERT.symbols, *symbols)
        if symbol in BERT.symbols or symbol.letter == "E"
    }
    assert [*letters.values()] == scripts.call("lettersOf", [*letters])
    assert {*"VPSHFLACE"} == {*letters.values()}


def test_a_line_that_is_right_has_the_right_number(accounts_of_cases: dict[str, dict[str, Any] | None]) -> None:
    lines = [
        line
        for account in accounts_of_cases.values()
        if account
        for line in account["lines"]
        if line["verdict"] == "right"
    ]
    assert lines
    assert [] == [line for line in lines if line["right"] != line["stated"]]


def test_terms_are_in_all_layers_if_their_line_multiplies_by_the_layers(scripts: Scripts) -> None:
    one_line = "30522*768 + 512*768 + 12*(4*768*768 + 4*768 + 768*3072 + 3072 + 3072*768 + 768)"
    (account,) = accounts(scripts, [one_line])
    assert account
    assert [line["part"] for line in account["lines"]] == [
        "the word embeddings",
        "the position embeddings",
        "self-attention in all layers",
        "the first dense layer of the feed-forward network in all layers",
        "the second dense layer of the feed-forward network in all layers",
    ]
    assert sum(line["stated"] for line in account["lines"]) == 108_851_712
    parts = "Tables: 30522*768 + 512*768 = 23834112\nEach layer: 4*(768*768 + 768) + 2*768*3072 + 3072 + 768 = 7084800"
    (account,) = accounts(scripts, [f"{parts}\nTotal: 23834112 + 12*7084800 = 108851712"])
    assert account
    assert "in one layer" in account["lines"][1]["part"]
    assert account["lines"][1]["right"] == 7_084_800


def test_a_line_with_the_number_of_each_of_several_things_says_so(scripts: Scripts) -> None:
    (account,) = accounts(scripts, [CASES["numbers-of-each"]["text"]])
    assert account
    parts = {line["stated"]: line["part"] for line in account["lines"]}
    assert parts[1_536] == "each of the LayerNorms in one layer"


def test_every_calculation_of_a_chain_is_a_line(scripts: Scripts) -> None:
    """So is what a calculation adds to the result of the one before."""
    chain = "12 × 7,087,872 = 85,054,464 + 23,837,184 = 108,891,648 + 590,592 = 109,482,240"
    account, account_without_chain = accounts(scripts, [chain, CASES["no-chain"]["text"]])
    assert account
    assert [line["source"] for line in account["lines"]] == [
        "12 × 7,087,872 = 85,054,464",
        "23,837,184",
        "85,054,464 + 23,837,184 = 108,891,648",
        "590,592",
        "108,891,648 + 590,592 = 109,482,240",
    ]
    assert account_without_chain
    assert [line["source"] for line in account_without_chain["lines"]] == [CASES["no-chain"]["text"]]


def test_a_label_for_several_things_names_their_product(scripts: Scripts) -> None:
    (account,) = accounts(scripts, [CASES["results-of-results"]["text"]])
    assert account
    assert account["lines"][0]["part"] == "the matrices of query, key and value in one layer"


def test_the_terms_of_one_line_are_lines_of_the_table(scripts: Scripts) -> None:
    typed_sum = "12*(3*768*768 + 5*768*3072) + (30522 + 512)*768 = 186625537"
    (account,) = accounts(scripts, [f"BERT base: {typed_sum}"])
    assert account
    assert [(line["source"], line["verdict"]) for line in account["lines"]] == [
        ("12 × 3 × 768 × 768", "right"),
        ("12 × 5 × 768 × 3,072", "unknown"),
        ("(30,522 + 512) × 768", "right"),
        (f"BERT base: {typed_sum}", "wrong"),
    ]
    assert account["lines"][-1]["right"] == 186_625_536


def test_the_line_of_a_shared_layer_is_right_if_a_later_line_multiplies_it(scripts: Scripts) -> None:
    """In contrast, a part that its own line counts once per head is wrong."""
    text_per_head = (
        "Q, K and V of each head:\n12 * 3 * 768 * 768 = 21,233,664\nOutput projection: 768 * 768 + 768 = 590,592\n"
        "Feed-forward: 4,722,432\nLayerNorms: 3,072\nOne layer: 26,549,760\n12 layers: 318,597,120\n"
        "Embeddings: 23,837,184\nPooler: 590,592\nTotal: 343,024,896"
    )
    shared_account, account_per_head = accounts(scripts, [CASES["shared-layer-times-12"]["text"], text_per_head])
    assert shared_account
    assert account_per_head
    lines = [*shared_account["lines"], *account_per_head["lines"]]
    verdicts = {line["stated"]: (line["verdict"], line["right"]) for line in lines}
    assert verdicts[7_087_872] == ("right", 7_087_872)
    # 3 x 768 x 768
    assert verdicts[21_233_664] == ("wrong", 1_769_472)


def test_a_sum_with_a_few_lines_like_modules_is_read_as_a_sum(scripts: Scripts) -> None:
    text = "Embeddings: 23,837,184\nEncoder: 85,054,464\nPooler: 590,592\nFoo thing: 768 x 30 + 30 = 23,070\n"
    (account,) = scripts.call("accounts", [text + "NSP: 1,538\nTotal: 109,506,848"])
    assert account
    assert account["kind"] == "sum"
    assert [line["stated"] for line in account["lines"]] == [
        23_837_184,
        85_054_464,
        590_592,
        23_070,
        1_538,
        109_506_848,
    ]


def test_a_sum_of_products_is_no_print_out_even_if_labels_are_names_of_modules(scripts: Scripts) -> None:
    name = "xlm-roberta-with-berts-positions-and-segments"
    for text in (CASES[name]["text"], CASES[name]["text"].replace(":", "")):
        (account,) = scripts.call("accounts", [text])
        assert account
        assert account["kind"] == "sum"
        assert CASES[name]["of"] in account["headline"]


def test_a_table_with_a_subtotal_is_read_as_a_sum(scripts: Scripts) -> None:
    rows = [
        "| Part | Formula | Parameters |",
        "|---|---|---|",
        "| Token embeddings | 30522 × 768 | 23,440,896 |",
        "| Position embeddings | 512 × 768 | 393,216 |",
        "| Segment embeddings | 2 × 768 | 1,536 |",
        "| LayerNorm | 2 × 768 | 1,536 |",
        "| Subtotal embeddings | | 23,837,814 |",
        "| Encoder | 12 × 7,087,872 | 85,054,464 |",
        "| Pooler | 768 × 768 + 768 | 590,592 |",
        "| Total | | 109,482,240 |",
    ]
    (account,) = scripts.call("accountsAsTexts", ["\n".join(rows)])
    assert account["kind"] == "sum"
    (finding,) = account["findings"]
    assert "it is 23,837,184, not 23,837,814, with two digits swapped. Your total does not use it." in finding


def test_a_slip_names_a_part_of_its_size_with_a_verb_in_the_plural(scripts: Scripts) -> None:
    # 109,482,240 + 23,837,184, the embeddings once more
    text = "embeddings 23,837,184 + 12 × 7,087,872 + pooler 590,592 = 133,319,424"
    (account,) = scripts.call("accountsAsTexts", [text])
    (finding,) = account["findings"]
    assert "(23,837,184 too many, as many as the embeddings have)" in finding


def test_two_omissions_are_in_the_plural(scripts: Scripts) -> None:
    text = (
        "embeddings (30522+512+2)*768 = 23,835,648; 12 layers 85,054,464; pooler 768*768 = 589,824; total 109,479,936"
    )
    (account,) = accounts(scripts, [text])
    assert account
    assert (
        "without the embeddings' LayerNorm and the bias of the pooler: 109,479,936. With them," in account["headline"]
    )


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_attributed_to_the_model_with_its_sizes(scripts: Scripts, formula: str) -> None:
    (account,) = scripts.call("accounts", [formula])
    assert account
    text = " ".join([account["headline"], *(finding["words"] for finding in account["findings"])])
    assert FORMULAS[formula] in text
    assert "BERT base, uncased" in text
    for foreign_name in ("Whisper", "NEZHA", "LoRA", "BERT large", "CamemBERT"):
        assert foreign_name not in text


def test_a_part_that_is_counted_once_per_head_is_wrong(scripts: Scripts) -> None:
    (account,) = accounts(scripts, ["12*(12*(3*768*768)+2*768*3072)+30522*768+514*768"])
    assert account
    assert [line["verdict"] for line in account["lines"]] == ["wrong", "right", "right", "right"]
    assert account["lines"][0]["right"] == 12 * 3 * 768 * 768


@pytest.mark.parametrize(
    ("name", "layers", "sum_of_parts", "total", "title"),
    [
        ("DistilBERT", "6", "66,364,416", "66,362,880", "DistilBERT base, uncased, as DistilBertModel"),
        ("RoBERTa base", "12", "108,891,648", "124,645,632", "RoBERTa base, as RobertaModel"),
    ],
)
def test_the_total_of_a_named_model_is_recognised_next_to_a_sum(
    scripts: Scripts, name: str, layers: str, sum_of_parts: str, total: str, title: str
) -> None:
    typed_sum = f"{name} from BERT's layers: 23,837,184 + {layers} × 7,087,872 = {sum_of_parts}"
    (account,) = accounts(scripts, [f"{typed_sum}. But sum(p.numel()) says {total}."])
    assert account
    assert f"{total} is {title}." in account["headline"]
    assert int(total.replace(",", "")) in [line["right"] for line in account["lines"] if line["verdict"] == "right"]


@pytest.mark.parametrize(
    ("typed_sum", "sentence"),
    [
        (
            "Removing NSP gives 110,106,428 - 1,538 = 110,104,890 but BertForMaskedLM has 109,514,298. What else?",
            "109,514,298 is BERT base, uncased, as BertForMaskedLM.",
        ),
        (
            "Two layers and the pooler are trained: 14,175,744 + 590,592 = 14,766,336 of 109,482,240 parameters",
            "109,482,240 is BERT base, uncased, as BertModel.",
        ),
    ],
)
def test_a_total_next_to_a_sum_of_an_unknown_model_is_recognised(
    scripts: Scripts, typed_sum: str, sentence: str
) -> None:
    (account,) = accounts(scripts, [typed_sum])
    assert account
    assert sentence in account["headline"]


@pytest.mark.parametrize(
    ("typed_sum", "sentence"),
    [
        (
            "Embeddings 23,837,184, layers 85,054,464, pooler 590,592, total 109,482,240. But I get 108,891,648",
            "108,891,648 is the right total without the pooler: 590,592 fewer.",
        ),
        (
            "EMBEDDINGS 31,782,912, LAYERS 302,309,376, POOLER 1,049,600, TOTAL 335,141,888. I GET 334,092,288",
            "334,092,288 is the right total without the pooler: 1,049,600 fewer.",
        ),
    ],
)
def test_a_number_next_to_a_right_sum_is_compared_with_its_total(
    scripts: Scripts, typed_sum: str, sentence: str
) -> None:
    (account,) = accounts(scripts, [typed_sum])
    assert account
    assert "Your sum is right" in account["headline"]
    assert sentence in [finding["words"] for finding in account["findings"]]


def test_an_unknown_product_is_not_explained_by_other_models(scripts: Scripts) -> None:
    products = ["12*768*768*5", "768*3072*7*13", "12*768*64*3*12*12*12", "512*768*30522"]
    assert scripts.call("accounts", products) == [None] * len(products)
    for text, answers in zip(products, scripts.call("explanations", [[text, ""] for text in products]), strict=True):
        assert all(answer["kind"] not in {"near", "other", "change"} for answer in answers), text
    for sentence in scripts.call("firstSentences", products):
        assert "We found no way to get this number" in sentence


def test_other_texts_are_not_read_as_sums(scripts: Scripts) -> None:
    texts = {name: case["text"] for name, case in CASES.items() if "none" in case}
    accounts_by_text = dict(zip(texts, accounts(scripts, [*texts.values()]), strict=True))
    assert accounts_by_text == dict.fromkeys(texts)


def verdict(case: SumText, account: dict[str, Any] | None) -> str:
    """The verdict on an account of a sum with a known fault: "exact", "unsure", "false", or "none" without an account.

    An account is exact if it has the right model, the effect of the fault and the words for it. Any other account is
    unsure if its confidence is "possible", and false if not.
    """
    if account is None:
        return "none"
    sentences = " ".join([account["headline"], *(finding["words"] for finding in account["findings"])])
    model = account["model"]
    has_right_model = model and (model["modelClass"], model["total"]) == ("BertModel", case.right_total)
    if (
        has_right_model
        and sorted(effects(account)) == case.effects
        and case.mention in sentences
        and case.title in sentences
    ):
        return "exact"
    return "unsure" if account["confidence"] == "possible" else "false"


@pytest.mark.parametrize("style", ["Chinese", "German"])
def test_parts_have_names_in_other_languages(scripts: Scripts, style: str) -> None:
    """Each right sum has one of the names of every part."""
    names = [getattr(summand, style.lower()) for summand in SUMMANDS]
    labels: list[tuple[str, str]] = []
    for index in range(max(map(len, names))):
        summands = [
            replace(summand, chinese=(name,), german=(name,))
            for summand, name in zip(SUMMANDS, (n[index % len(n)] for n in names), strict=True)
        ]
        sizes = dict(zip("VPSHFL", MODELS["BERT base, uncased"][:6], strict=True))
        text = STYLES[style](SumContents(summands, sizes, {}), "BERT base", Random(index))  # noqa: S311
        (account,) = accounts(scripts, [text])
        assert account
        assert "Your sum is right" in account["headline"]
        parts = [line["part"] for line in account["lines"] if line["verdict"] == "right"]
        labels += zip([summand.mention for summand in SUMMANDS], parts, strict=True)
    assert [] == [(mention, part) for mention, part in labels if mention not in part]


def test_random_faults_are_named(scripts: Scripts) -> None:
    random = Random("sums by hand")  # noqa: S311
    sums = [draw_sum(random) for _ in range(sample_size(300, part=6))]
    verdicts = Counter(map(verdict, sums, accounts(scripts, [case.text for case in sums])))
    assert verdicts["exact"] >= 0.95 * len(sums), verdicts
    assert verdicts["false"] <= 0.01 * len(sums), verdicts


def test_hostile_texts_have_no_account_or_only_a_possible_one(scripts: Scripts) -> None:
    texts = ["(" * 20_000, "1" * 1_000_000, "+".join(["768*768"] * 5_000), "H^" * 9_000, "((((2+2)*2+2)*2+2)*" * 900]
    texts += ["(1+1)*" * 3_000 + "1", "a=" * 9_000, "1 " * 14_000, "bias: 1e999 * 768\n" * 900, "×" * 20_000]
    for account in accounts(scripts, texts):
        assert account is None or account["confidence"] == "possible"


def test_the_sum_of_another_model_is_not_that_of_the_one_that_it_is_called(scripts: Scripts) -> None:
    """BERT base without six layers keeps the pooler and the segments, which DistilBERT lacks: 590,592 + 1,536."""
    text = "DistilBERT = BERT base minus 6 layers = 109,482,240 - 42,527,232 = 66,955,008"
    (account,) = scripts.call("accountsAsTexts", [text])
    assert "But DistilBERT base, uncased, has 66,362,880 as DistilBertModel: 592,128 fewer." in account["headline"]
    assert account["confidence"] == "likely"
