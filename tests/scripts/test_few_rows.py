"""Listings, trees of modules and tables are explained, from a single row to several whole models."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from macros.counting import Question, model_named
from macros.counting.frameworks.listing import tensors

from .running import Scripts

CASES = tomllib.loads(Path(__file__).with_name("few_rows.toml").read_text(encoding="utf-8"))["case"]
"""Texts with the expected accounts. The comment at the top of the file explains the fields."""


@pytest.fixture(scope="module")
def accounts(scripts: Scripts) -> dict[str, dict[str, Any]]:
    """The account of every case, by its text."""
    texts = [case["text"] for case in CASES]
    return dict(zip(texts, scripts.call("accounts", texts), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case["text"].split())[:50])
def test_rows_are_accounted_for(accounts: dict[str, dict[str, Any]], case: dict[str, Any]) -> None:
    account = accounts[case["text"]]
    assert account, "not read"
    findings = [finding["words"] for finding in account["findings"]]
    for words in case["says"]:
        assert words in account["headline"]
    for words in case.get("findings", ()):
        assert any(words in finding for finding in findings), findings
    for words in case.get("never", ()):
        assert words not in " ".join([account["headline"], *findings])
    if "parts" in case:
        assert case["parts"] == [line["part"] for line in account["lines"]]
    if "verdicts" in case:
        assert case["verdicts"] == [line["verdict"] for line in account["lines"]]
    if "verdict" in case:
        assert {case["verdict"]} == {line["verdict"] for line in account["lines"]}


ERROR = re.compile(r": ([\d,]+) too (few|many)\b(?!.*too)")
"""The end of a finding on a line with a wrong number."""


def test_the_amount_of_a_finding_is_the_number_in_its_words(accounts: dict[str, dict[str, Any]]) -> None:
    findings = [finding for account in accounts.values() for finding in (account or {"findings": []})["findings"]]
    errors = {match: finding["amount"] for finding in findings if (match := ERROR.search(finding["words"]))}
    assert len(errors) > 8
    assert [] == [
        match.string
        for match, amount in errors.items()
        if amount != int(match[1].replace(",", "")) * (1 if match[2] == "few" else -1)
    ]


def test_a_finding_gives_the_rank_of_lora_in_a_whole_model(scripts: Scripts) -> None:
    rows = [
        f"base_model.model.bert.{tensor.transformers} {[*tensor.shape]}"
        for tensor in tensors(Question(model_named("bert-base-uncased")))
    ]
    rows += [
        f"base_model.model.bert.encoder.layer.{layer}.attention.self.{module}.lora_{letter}.default.weight {shape}"
        for layer in range(12)
        for module in ("query", "value")
        for letter, shape in (("A", [8, 768]), ("B", [768, 8]))
    ]
    (account,) = scripts.call("accounts", ["\n".join(rows)])
    findings = [finding["words"] for finding in account["findings"]]
    # 12 layers x 2 modules x 2 matrices of 8 x 768.
    assert "LoRA of rank 8 on query and value adds 294,912 parameters in 48 matrices." in findings


def test_a_matrix_of_lora_that_is_missing_is_named(scripts: Scripts) -> None:
    """As PEFT 0.21.2 prints the totals of BertForTokenClassification with 9 labels."""
    model = model_named("bert-base-uncased")
    question = Question(model._replace(sizes={**model.sizes, "C": 9}), "BertForTokenClassification")
    names = [
        f"bert.encoder.layer.{layer}.attention.self.{module}.lora_{letter}.default.weight"
        for layer in range(12)
        for module in ("query", "value")
        for letter in "AB"
    ]
    names.remove("bert.encoder.layer.5.attention.self.value.lora_B.default.weight")
    rows = [f"{tensor.transformers} {tensor.shape} False" for tensor in tensors(question)]
    rows += [f"{name} {(8, 768) if 'lora_A' in name else (768, 8)} True" for name in names]
    rows += [
        "classifier.modules_to_save.default.weight (9, 768) True",
        "classifier.modules_to_save.default.bias (9,) True",
    ]
    rows.append("trainable params: 301,833 || all params: 109,200,402 || trainable%: 0.2764")
    (account,) = scripts.call("accounts", ["\n".join(rows)])
    findings = [finding["words"] for finding in account["findings"]]
    assert "109,200,402 in all. Your total is right." in account["headline"]
    assert any(
        "layer.5.attention.self.value.lora_B.default.weight is missing, with 6,144" in words for words in findings
    )
    assert "301,833 of the 109,200,402 parameters are trained; the other 108,898,569 are frozen." in findings


def test_layers_that_do_not_follow_one_another_are_listed(scripts: Scripts) -> None:
    """Six layers have 6 x 7,087,872 = 42,527,232 parameters."""
    rows = [
        f"{tensor.transformers} {tensor.shape}"
        for tensor in tensors(Question(model_named("bert-base-uncased"), "BertModel"))
        if re.search(r"layer\.(?:0|1|4|7|8|9)\.", tensor.transformers)
    ]
    (account,) = scripts.call("accounts", ["\n".join(rows)])
    expected = "encoder layers 0, 1, 4 and 7 to 9: 96 tensors with 42,527,232 parameters in all"
    assert expected in account["headline"]


@pytest.mark.parametrize(("trained", "frozen"), [("✅ ", "❌ "), ("trainable: ", "frozen: "), ("🔥 ", "❄️ ")])
def test_marks_before_names_show_which_tensors_are_trained(trained: str, frozen: str, scripts: Scripts) -> None:
    question = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
    rows = [
        f"{trained if 'classifier' in tensor.transformers else frozen}{tensor.transformers} {tensor.shape}"
        for tensor in tensors(question)
    ]
    # 2 x 768 + 2 = 1,538; with the pooler, which is frozen here, 592,130.
    for last_line in ("Trainable parameters: 592,130", "Trainable: 592,130 / 109,483,778 (0.54%)"):
        (account,) = scripts.call("accounts", ["\n".join([*rows, last_line])])
        findings = [finding["words"] for finding in account["findings"]]
        assert any(words.startswith("1,538 of the 109,483,778 parameters") for words in findings)
        assert any(
            words.startswith("Your text says that 592,130 parameters are trained, which is 590,592 more")
            for words in findings
        )


def test_tables_of_another_part_are_not_those_of_the_model(scripts: Scripts) -> None:
    rows = [
        f"{tensor.transformers} {[*tensor.shape]}" for tensor in tensors(Question(model_named("bert-base-uncased")))
    ]
    # As in LUKE of transformers 5.24.
    rows.append("entity_embeddings.position_embeddings.weight [512, 768]")
    (account,) = scripts.call("accounts", ["\n".join(rows)])
    findings = [finding["words"] for finding in account["findings"]]
    assert "entity_embeddings.position_embeddings is not part of BertModel: 512 × 768 = 393,216 parameters." in findings
    assert "109,875,456 in all. Every row of the model is right" in account["headline"]  # 109,482,240 + 393,216


@pytest.mark.parametrize(
    ("missing_layers", "words"),
    [
        ({3}, "Layer 3 is"),
        ({3, 4}, "Layers 3 and 4 are"),
        ({3, 4, 5}, "Layers 3 to 5 are"),
        ({1, 3}, "Layers 1 and 3 are"),
    ],
)
def test_layers_that_are_not_shown_are_named(scripts: Scripts, missing_layers: set[int], words: str) -> None:
    listing = [
        f"{tensor.transformers} {[*tensor.shape]}"
        for tensor in tensors(Question(model_named("bert-base-uncased")))
        if not missing_layers & {*map(int, re.findall(r"layer\.(\d+)", tensor.transformers))}
    ]
    (account,) = scripts.call("accounts", ["\n".join(listing)])
    finding, *_ = account["findings"]
    # One layer has 7,087,872 parameters in 16 tensors.
    expected = (
        f"{words} not shown: {16 * len(missing_layers)} tensors with {7_087_872 * len(missing_layers):,} parameters."
    )
    assert expected == finding["words"]


MISSING_MODULES = (
    "embeddings.position_embeddings",
    "embeddings.token_type_embeddings",
    "embeddings.LayerNorm",
    "pooler",
    "encoder.layer.3.intermediate",
    "encoder.layer.7.output.dense",
    "encoder.layer.9.attention.self.key",
)
"""Modules of BERT base, none of which contains another."""


# The modules have 1, 1, 2, 2, 2, 2 and 2 tensors: 10 in the first six, and 12 in all.
@pytest.mark.parametrize(("number", "finding_count"), [(6, 6), (7, 1)])
def test_up_to_six_missing_parts_are_named(scripts: Scripts, number: int, finding_count: int) -> None:
    """If more are missing, one finding and one step of the bridge sum them up."""
    listing = [
        f"{tensor.transformers} {[*tensor.shape]}"
        for tensor in tensors(Question(model_named("bert-base-uncased")))
        if not tensor.transformers.startswith(MISSING_MODULES[:number])
    ]
    (account,) = scripts.call("accounts", ["\n".join(listing)])
    findings = [finding["words"] for finding in account["findings"] if " missing" in finding["words"]]
    assert finding_count == len(findings) == len(account["bridge"]["steps"])
    assert ("12 tensors are missing" in findings[0]) == (number == 7)


PRINT_OUT = (Path(__file__).with_name("printouts") / "print-bert-base.txt").read_text(encoding="utf-8")
"""BERT base as `BertModel`, as PyTorch prints it."""


def test_print_outs_of_two_models_are_not_added_up(scripts: Scripts) -> None:
    """Two more tokens have 2 × 768 = 1,536 parameters."""
    other_print_out = PRINT_OUT.replace("30522", "30524")
    (account,) = scripts.call("accounts", [f"Before:\n{PRINT_OUT}\nAfter:\n{other_print_out}"])
    assert account["headline"].startswith("Your text has 2 print-outs. Print-out 1: This is BERT base, uncased, as")
    assert "with 12 layers, hidden size 768, feed-forward size 3,072 and vocabulary size 30,524" in account["headline"]
    assert ["Print-out 2 has 109,483,776 parameters, 1,536 more than the first: 1,536 in the embeddings."] == [
        finding["words"] for finding in account["findings"]
    ]
    assert {"right", "subtotal"} == {line["verdict"] for line in account["lines"]}


def test_the_parts_are_given_in_which_two_models_differ(scripts: Scripts) -> None:
    """DistilBERT lacks 2 × 768 segments, 6 layers of 7,087,872 and the pooler."""
    distilbert = (Path(__file__).with_name("printouts") / "print-distilbert-classification.txt").read_text("utf-8")
    (account,) = scripts.call("accounts", [f"{PRINT_OUT}\n{distilbert}"])
    (difference,) = [item["words"] for item in account["findings"] if "than the first" in item["words"]]
    assert "−1,536 in the embeddings, −42,527,232 in the encoder layers, −590,592 in the pooler" in difference


@pytest.mark.parametrize("headings", [("BertModel:", "BertForMaskedLM:"), ("Before:", "After adding the head:")])
def test_headings_separate_print_outs_that_are_not_added_up(headings: tuple[str, str], scripts: Scripts) -> None:
    """The head has 622,650 parameters, and 30,522 × 768 in the tied decoder."""
    first, second = headings
    bare_model = f"{first}\n embeddings 23837184\n encoder 85054464\n pooler 590592\n"
    (account,) = scripts.call("accounts", [f"{bare_model}\n{second}\n bert 108891648\n cls 24063546\n\nwhat changed?"])
    assert "Print-out 1: This is BERT base, uncased, as BertModel: 109,482,240" in account["headline"]
    assert "Print-out 2: This is BERT base, uncased, as BertForMaskedLM: 109,514,298" in account["headline"]
    assert "242,437,434" not in account["headline"]
    assert any("Print-out 2: cls is tied to the word embeddings" in item["words"] for item in account["findings"])


def test_rows_that_differ_after_a_change_are_named(scripts: Scripts) -> None:
    """Three more tokens are 3 × 768 parameters, and three more biases of the decoder."""
    modules = "(word_embeddings): Embedding({0}, 768)\n(decoder): Linear(in_features=768, out_features={0}, bias=True)"
    (account,) = scripts.call(
        "accounts", [f"before:\n{modules.format(30522)}\n\nafter resizing:\n{modules.format(30525)}\nWhat changed?"]
    )
    for sentence in (
        "word_embeddings.weight has 2,304 parameters more (30,522 × 768 in the first print-out, 30,525 × 768 in",
        "decoder.bias has 3 parameters more (30,522 in the first print-out, 30,525 in the second)",
    ):
        assert sentence in account["headline"]


def test_a_fault_in_one_of_several_models_is_named(scripts: Scripts) -> None:
    """Each begins with its class, so that a row may be missing from one of them."""
    faulty_print_out = PRINT_OUT.replace("(token_type_embeddings): Embedding(2, 768)\n", "")
    (account,) = scripts.call("accounts", [f"{PRINT_OUT}\n{faulty_print_out}"])
    assert "Print-out 2: This looks like BERT base, uncased" in account["headline"]
    assert "Print-out 2: The segment embeddings are missing: 1 tensor with 1,536 parameters." in [
        finding["words"] for finding in account["findings"]
    ]


def test_a_faulty_listing_is_not_one_of_several(scripts: Scripts) -> None:
    """If a row is missing from the second, its rows are instead compared with the model of the first."""
    listing = [
        f"{tensor.transformers} {[*tensor.shape]}" for tensor in tensors(Question(model_named("bert-base-uncased")))
    ]
    other_listing = [line.replace("30522", "30524") for line in listing]
    (account,) = scripts.call("accounts", ["\n".join([*listing, *other_listing])])
    assert "2 print-outs" in account["headline"]
    (account,) = scripts.call("accounts", ["\n".join([*listing, *other_listing[:2], *other_listing[3:]])])
    assert "print-outs" not in account["headline"]


@pytest.mark.parametrize(("copies", "times", "surplus"), [(2, "twice", 109_482_240), (3, "3 times", 218_964_480)])
def test_a_text_pasted_several_times_is_counted_once(copies: int, times: str, surplus: int, scripts: Scripts) -> None:
    """BERT base has 109,482,240 parameters, and every further copy has as many."""
    (account,) = scripts.call("accounts", ["\n".join([PRINT_OUT] * copies)])
    assert account["headline"].startswith("This is BERT base, uncased, as BertModel: 109,482,240 parameters. Every row")
    assert (
        f"all of its rows {times}; they are counted once here. Counted {times}, they" in account["findings"][0]["words"]
    )
    assert f"which is {surplus:,} too many" in account["findings"][0]["words"]


def tagger(tag_layer: str) -> str:
    """BERT base with a linear layer for nine tags and one more layer, as PyTorch prints it."""
    return f"Tagger(\n(bert): {PRINT_OUT}\n(hidden2tag): Linear(in_features=768, out_features=9)\n(crf): {tag_layer}\n)"


def test_the_scores_of_a_crf_count_although_its_module_shows_only_the_tags(scripts: Scripts) -> None:
    """pytorch-crf has 9 + 9 + 9 × 9 = 99 parameters for nine tags, and the linear layer 9 × 769 = 6,921."""
    texts = [f"{tagger(layer)}\nTotal params: 109,489,260" for layer in ("CRF(num_tags=9)", "CRF(9, batch_first=True)")]
    for account in scripts.call("accounts", texts):
        assert "7,020 more that are not part of it: 109,489,260 in all. Your total is right" in account["headline"]


def test_a_recurrent_network_with_many_tensors_is_not_another_model(scripts: Scripts) -> None:
    """A bidirectional LSTM of two layers has 16 tensors, and with the linear layer and the CRF the text has 21."""
    lstm = "(lstm): LSTM(768, 128, num_layers=2, batch_first=True, bidirectional=True)\n"
    (account,) = scripts.call("accounts", [tagger("CRF(num_tags=9)").replace("(hidden2tag)", f"{lstm}(hidden2tag)")])
    findings = [finding["words"] for finding in account["findings"]]
    assert any("and 17 more are not part of BertModel" in words for words in findings)
    assert not any("another model" in words for words in findings)


@pytest.mark.parametrize("layer", ["CRF()", "ConditionalRandomField()"])
def test_an_answer_says_that_a_crf_without_a_number_of_tags_is_not_counted(layer: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [tagger(layer)])
    findings = [finding["words"] for finding in account["findings"]]
    assert any("does not give its number of tags, so they are not counted here" in words for words in findings)


def listing_with_marks(note: str) -> str:
    """The tensors of BERT base, each marked as frozen except those of the last layer and the pooler, and a note."""
    rows = []
    for tensor in tensors(Question(model_named("bert-base-uncased"))):
        is_trained = tensor.transformers.startswith(("encoder.layer.11.", "pooler."))
        rows.append(f"{tensor.transformers} {[*tensor.shape]} requires_grad={is_trained}")
    return "\n".join([*rows, note])


@pytest.mark.parametrize(
    ("note", "findings"),
    [
        ("", ["7,678,464 of the 109,482,240 parameters are trained; the other 101,803,776 are frozen."]),
        (
            "# trainable: 7,678,464",
            ["7,678,464 of the 109,482,240 parameters are trained; the other 101,803,776 are frozen."],
        ),
        (
            "# trainable: 7,087,872?",
            [
                (
                    "Your text says that 7,087,872 parameters are trained, which is 590,592 fewer than there are in the"
                    " rows that it marks as trained."
                ),
                "7,678,464 of the 109,482,240 parameters are trained; the other 101,803,776 are frozen.",
            ],
        ),
    ],
)
def test_marks_on_rows_show_what_is_trained_whatever_a_note_says(
    note: str, findings: list[str], scripts: Scripts
) -> None:
    """A layer of BERT base has 7,087,872 parameters, and its pooler 590,592."""
    (account,) = scripts.call("accounts", [listing_with_marks(note)])
    assert findings == [finding["words"] for finding in account["findings"]]


def test_numbered_matrices_of_onnx_are_compared_with_those_that_are_missing(scripts: Scripts) -> None:
    """The dense layers of BERT base have 12 × (4 × 768² + 2 × 768 × 3,072) = 84,934,656 weights in 72 matrices."""
    rows = []
    for number, tensor in enumerate(tensors(Question(model_named("bert-base-uncased"))), start=1200):
        is_matrix_of_layer = tensor.transformers.startswith("encoder.layer.") and len(tensor.shape) > 1
        name = f"onnx::MatMul_{number}" if is_matrix_of_layer else f"bert.{tensor.transformers}"
        rows.append(f"{name} {[*tensor.shape]}")
    (account,) = scripts.call("accounts", ["\n".join(rows)])
    assert (
        "72 matrices with 84,934,656 parameters have numbers instead of names, because ONNX stores the transpose. "
        "By their sizes, they are those that have no row with a name."
    ) == account["findings"][0]["words"]
    assert account["headline"].endswith("Every row is right and none is missing.")
    # Without one of them, the others need not be those that are missing: 84,934,656 - 589,824.
    removed_row = next(row for row in rows if row.startswith("onnx::"))
    (account,) = scripts.call("accounts", ["\n".join(row for row in rows if row != removed_row)])
    assert (
        "71 matrices with 84,344,832 parameters have numbers instead of names, because ONNX stores the transpose."
    ) == account["findings"][0]["words"]


def test_a_total_that_counts_a_pooler_of_another_class_is_recognised(scripts: Scripts) -> None:
    """BertForTokenClassification has no pooler, which would have 768 × 769 = 590,592 parameters."""
    without_pooler = PRINT_OUT[: PRINT_OUT.index("  (pooler)")].replace("BertModel(", "(bert): BertModel(")
    text = f"BertForTokenClassification(\n{without_pooler})\n(classifier): Linear(in_features=768, out_features=9)\n)"
    (account,) = scripts.call("accounts", [f"{text}\nTotal params: 109,489,161"])
    assert (
        "The total in your text is 109,489,161, but its rows add up to 108,898,569. The difference is the size of the "
        "pooler, which BertForTokenClassification does not have."
    ) == account["findings"][0]["words"]


def test_a_total_lacks_the_layers_that_pytorch_has_quantised(scripts: Scripts) -> None:
    """`quantize_dynamic` of torch 2.13 prints each `Linear` thus, and its matrix and bias are no parameters.

    BERT base has 85,608,192 in them: 109,482,240 less 23,835,648 in tables and 25 × 1,536 in LayerNorms.
    """
    quantised = re.sub(
        r"Linear\((.*), bias=True\)",
        r"DynamicQuantizedLinear(\1, dtype=torch.qint8, qscheme=torch.per_tensor_affine)",
        PRINT_OUT,
    )
    (account,) = scripts.call("accounts", [f"{quantised}\nTotal params: {23_835_648 + 25 * 1_536:,}"])
    assert (
        "The difference is the size of the quantised layers (DynamicQuantizedLinear): parameters() does not list their "
        "packed matrices and biases."
    ) in account["findings"][0]["words"]


def test_a_total_of_two_models_is_twice_that_of_the_rows(scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [f"{PRINT_OUT}\nTotal params: {2 * 109_482_240:,}"])
    assert "The total is twice that, as for two such models." in account["findings"][0]["words"]


def test_layers_may_lack_different_numbers_of_heads(scripts: Scripts) -> None:
    """A head has 4 × 768 × 64 + 3 × 64 = 196,800 parameters. Six layers lack 4 heads, and the others as many or 1."""
    (text,) = [case["text"] for case in CASES if "4 of 12 heads pruned in each layer" in case["says"][0]]
    layers = text[text.index("      (0-11)") : text.index("    )\n  )\n  (pooler)")]
    first_layers, last_layers = (layers.replace("(0-11): 12 x", f"({range_}): 6 x") for range_ in ("0-5", "6-11"))
    texts = [text.replace(layers, first_layers + last_layers.replace("512", str(width))) for width in (8 * 64, 11 * 64)]
    headlines = [account["headline"] for account in scripts.call("accounts", texts)]
    assert "BertModel, with 4 of 12 heads pruned in each layer: 100,035,840 parameters." in headlines[0]
    assert f"BertModel, with 30 of 144 heads pruned: {109_482_240 - 30 * 196_800:,} parameters." in headlines[1]
