"""The real print-outs in `printouts/` get the accounts that `index.toml` describes."""

import json
import re
import time
import tomllib
import unicodedata
from math import prod
from pathlib import Path
from typing import Any

import pytest

from macros.counting import ARCHITECTURE_OF_CLASS, Question, load_models, load_relatives
from macros.counting.frameworks.listing import tensors
from tests.scripts.running import Scripts

FOLDER = Path(__file__).parent / "printouts"

PRINT_OUTS = tomllib.loads((FOLDER / "index.toml").read_text(encoding="utf-8"))["printout"]
"""The entries of the index."""

FILES_WITHOUT_TOTAL = {"accelerate-estimate.txt", "load-report.txt"}
"""Texts without a number of parameters: one has only bytes, the other only names."""

PREFIXES = re.compile(r"^(?:bert|roberta|distilbert|albert|electra|mpnet|deberta|nomic_bert|esm|layoutlm|gte|model)\.")
"""The name of the bare model at the beginning of the names of its tensors."""


def rows_with_tensors(print_out: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a print-out that have tensors in the index."""
    return [part for part in print_out.get("parts", []) if "." in part["tensors"][0]]


@pytest.fixture(scope="module", params=PRINT_OUTS, ids=[print_out["file"] for print_out in PRINT_OUTS])
def print_out(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The index's entry for each print-out in turn."""
    entry: dict[str, Any] = request.param
    return entry


@pytest.fixture(scope="module")
def account(print_out: dict[str, Any], scripts: Scripts) -> dict[str, Any]:
    """The account of the print-out, with sentences as plain text."""
    result: dict[str, Any]
    (result,) = scripts.call("accounts", [text_of(print_out)])
    assert result, "nothing was read"
    return result


def text_of(print_out: dict[str, Any]) -> str:
    """The print-out itself."""
    text: str = (FOLDER / print_out["file"]).read_text(encoding="utf-8")
    return text


def words_of(account: dict[str, Any]) -> str:
    """All sentences of an account, joined."""
    return " ".join([account["headline"], *(finding["words"] for finding in account["findings"])])


def test_the_model_is_named_with_its_total(print_out: dict[str, Any], account: dict[str, Any]) -> None:
    if print_out["file"] not in FILES_WITHOUT_TOTAL:
        assert f"{print_out['right_total']:,}" in words_of(account)
    if print_out["class"] in ARCHITECTURE_OF_CLASS and print_out["file"] != "accelerate-estimate.txt":
        assert print_out["class"] in words_of(account)


def test_the_number_of_every_missing_doubled_or_wrong_part_is_given(
    print_out: dict[str, Any], account: dict[str, Any]
) -> None:
    numbers = [part["numbers"] for part in print_out.get("doubled", [])]
    numbers += [abs(part["by"]) for part in print_out.get("wrong", [])]
    if "missing" in print_out:
        numbers.append(print_out["missing"]["numbers"])
    for number in numbers:
        assert f"{number:,}" in words_of(account)


def test_the_bridge_adds_up(print_out: dict[str, Any], account: dict[str, Any]) -> None:
    bridge = account["bridge"]
    if "bridge" in print_out:
        assert print_out["text_total"] == bridge["start"]
        assert {step["amount"] for step in print_out["bridge"]} == {step["value"] for step in bridge["steps"]}
    if bridge:
        assert bridge["start"] + sum(step["value"] for step in bridge["steps"]) == bridge["end"]
        assert bridge["end"] == print_out["right_total"]


@pytest.mark.parametrize(
    "entry",
    [print_out for print_out in PRINT_OUTS if rows_with_tensors(print_out)],
    ids=lambda print_out: str(print_out["file"]),
)
def test_rows_are_aligned_with_their_tensors(entry: dict[str, Any], scripts: Scripts) -> None:
    (aligned_rows,) = scripts.call("alignedRows", [text_of(entry)])
    for part in rows_with_tensors(entry):
        aligned_names = {
            without_model_name(name)
            for source, names in aligned_rows
            if normalise(part["row"]) in normalise(source)
            for name in names
        }
        patterns = [pattern_for(name) for name in part["tensors"]]
        assert aligned_names, part["row"]
        assert all(any(pattern.match(name) for pattern in patterns) for name in aligned_names), part["row"]
        if "(decoder)" not in part["row"]:  # whose bias has another name, that of the predictions
            assert len(aligned_names) == part["how_many"], part["row"]


def normalise(text: str) -> str:
    """A text in Unicode's form NFKC, in which "…" is "...", and with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def without_model_name(name: str) -> str:
    """A tensor's name in the bare model."""
    return PREFIXES.sub("", name)


def pattern_for(name: str) -> re.Pattern[str]:
    """A pattern for the names that match `name`, in which * means one component and ** any number of them."""
    if "decoder" in name:  # the bias of the decoder has the name of the predictions
        name = name.replace("decoder.*", "**")
    text = re.escape(without_model_name(name)).replace(r"\*\*", ".*").replace(r"\*", r"[^.]+")
    return re.compile(f"{text}$")


MODULE_NUMBERS = {
    "print-distilbert-classification.txt": {"(distilbert): DistilBertModel(": 66_362_880, "(ffn): FFN(": 4_722_432},
    "print-albert-base.txt": {"(attention): AlbertAttention(": 2_363_904, "(encoder): AlbertTransformer(": 7_186_944},
    "print-modernbert-base.txt": {
        "(1-21): 21 x ModernBertEncoderLayer(": 105_315_840,
        "(layers): ModuleList(": 110_330_112,
    },
    "print-lora-classification.txt": {
        "(query): lora.Linear(": 602_880,
        "PeftModelForSequenceClassification(": 109_781_766,
    },
    "torchinfo-depth3-input.txt": {"BertModel  ": 109_482_240},
}
"""The parameters of modules without tensors of their own, by line; per layer if a line is about several layers.

Sources: 66,955,779 − 590,592 − 2,307; 7,087,872 − 2,363,904 − 1,536; 4 × 590,592 + 1,536; 7,087,872 + 99,072;
21 × (3 × 768² + 768² + 768 + 768 + 2 × 1,152 × 768 + 768 × 1,152), and one more layer without 768;
590,592 + 2 × 8 × 768; and the total in the line that PEFT prints, in peft-line.txt.
"""


@pytest.mark.parametrize("name", MODULE_NUMBERS)
def test_a_module_has_the_parameters_of_its_children(name: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [(FOLDER / name).read_text(encoding="utf-8")])
    for source, number in MODULE_NUMBERS[name].items():
        (right,) = {line["right"] for line in account["lines"] if line["source"].strip().startswith(source)}
        assert number == right, source


HEADLINES = {
    "print-bert-base.txt": "as BertModel: 109,482,240 parameters. Every row is right and none is missing.",
    "torchinfo-depth3-input.txt": "as BertModel: 109,482,240 parameters. Your total is right, as is every row.",
    "deepspeed-odd.txt": "a BERT with 3 layers, hidden size 60, feed-forward size 200 and vocabulary size 1,234, as",
    "print-bert-base-maskedlm.txt": "Your rows add up to 132,955,194, which is 23,440,896 too many.",
    "lightning-depth2.txt": "102,269,186 in all. Every row of the model is right and none is missing.",
}
"""Words from the headlines about some print-outs."""


@pytest.mark.parametrize("name", HEADLINES)
def test_the_headline_says_whether_the_rows_are_right(name: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [(FOLDER / name).read_text(encoding="utf-8")])
    assert HEADLINES[name] in account["headline"]
    assert "same tensors" not in words_of(account)  # no other architecture is named if the text names its own


PARTS_BY_LINE = {
    "print-bert-base-maskedlm.txt": {
        "(bert): BertModel(": "the embeddings and all encoder layers",
        "(query): Linear(": "the query projection in each layer",
        "(cls): ": "the masked-LM head",
    },
    "print-distilbert-classification.txt": {"(classifier): ": "the output layer of the sequence-classification head"},
    "print-albert-base.txt": {"(attention): ": "attention with its LayerNorm in the shared layer"},
    "print-modernbert-base.txt": {"(attn): ": "self-attention in layer 0", "(0): ": "encoder layer 0"},
}
"""The names of the parts on some lines, by the beginnings of the lines."""


@pytest.mark.parametrize("name", PARTS_BY_LINE)
def test_a_line_is_described_by_the_parts_that_it_holds(name: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [(FOLDER / name).read_text(encoding="utf-8")])
    for source, part in PARTS_BY_LINE[name].items():
        line, *_ = [line for line in account["lines"] if line["source"].strip().startswith(source)]
        assert part == line["part"]
    assert not [line["part"] for line in account["lines"] if ".weight" in line["part"]]


MISSING_LINES = [
    (r"encoder\.layer\.3\.", "Layer 3 is not shown: 16 tensors with 7,087,872 parameters."),
    (r"encoder\.layer\.3\.(?!attention\.self\.query)", "All of encoder layer 3 but the query projection is missing:"),
    (r"embeddings\.LayerNorm", "The embeddings' LayerNorm is missing: 2 tensors with 1,536 parameters."),
    (r"word_embeddings", "The word embeddings are missing: 1 tensor with 23,440,896 parameters."),
    (
        r"embeddings\.LayerNorm\.weight",
        "The scale of the embeddings' LayerNorm is missing: 1 tensor with 768 parameters.",
    ),
    (r"\.3\.attention\.self\.(?:query|key|value)", "Query, key and value in layer 3 are missing: 6 tensors"),
    (
        r"self\.query\.bias",
        "The bias of the query projection in all layers is missing: 12 tensors with 9,216 parameters.",
    ),
]
"""Patterns for lines to leave out of a list of tensors, with the beginning of the finding about them."""


@pytest.mark.parametrize(("pattern", "words"), MISSING_LINES, ids=[words for _, words in MISSING_LINES])
def test_missing_parts_are_named_with_a_verb_that_agrees(pattern: str, words: str, scripts: Scripts) -> None:
    lines = (FOLDER / "named-size-bert-base.txt").read_text(encoding="utf-8").splitlines()
    (account,) = scripts.call("accounts", ["\n".join(line for line in lines if not re.search(pattern, line))])
    assert any(finding["words"].startswith(words) for finding in account["findings"]), words_of(account)


@pytest.mark.parametrize(
    ("prefix", "words", "has_twin"),
    [
        ("", "This looks like BERT base, uncased, as BertModel without its pooler: 108,891,648", True),
        ("bert.", "This is BERT base, uncased, as BertModel without its pooler: 108,891,648", False),
        ("electra.", "This is ELECTRA base, discriminator, as ElectraModel: 108,891,648", False),
    ],
)
def test_prefixes_distinguish_bert_without_a_pooler_from_electra(
    prefix: str, words: str, has_twin: bool, scripts: Scripts
) -> None:
    lines = (FOLDER / "named-size-bert-base.txt").read_text(encoding="utf-8").splitlines()
    text = "\n".join(prefix + line for line in lines if not line.startswith("pooler."))
    (account,) = scripts.call("accounts", [text])
    assert account["headline"].startswith(words)
    names_twin = any(
        "ELECTRA base, discriminator, as ElectraModel, has the same" in finding["words"]
        for finding in account["findings"]
    )
    assert has_twin == names_twin


def test_names_with_flags_are_enough_to_count_what_is_trained(scripts: Scripts) -> None:
    names = re.findall(r"'([^']+)'", (FOLDER / "names-only-bert-base-pretraining.txt").read_text(encoding="utf-8"))
    full_text, part_text = (
        "\n".join(f"{name} {name.startswith('cls.')}" for name in name_list) for name_list in (names, names[-9:])
    )
    account_of_all, account_of_part = scripts.call("accounts", [full_text, part_text])
    # The heads of BertForPreTraining: 110,106,428 - 109,482,240 = 624,188. With the pooler, 590,592 more.
    assert any(
        finding["words"].startswith("624,188 of the 110,106,428 parameters")
        and "109,482,240 are frozen" in finding["words"]
        for finding in account_of_all["findings"]
    )
    assert "they hold 1,214,780 parameters, of which 624,188 are trained" in account_of_part["headline"]


@pytest.mark.parametrize(
    ("frozen", "trained"),
    [
        (
            "09:00:00 - INFO - allennlp.common.util - The following parameters are Frozen (without gradient):",
            "09:00:00 - INFO - allennlp.common.util - The following parameters are Tunable (with gradient):",
        ),
        ("Frozen parameters:", "Trainable parameters:"),
    ],
)
def test_headings_show_which_tensors_below_them_are_trained(frozen: str, trained: str, scripts: Scripts) -> None:
    names = [line.split()[0] for line in listed_tensors() if line.count(".") > 1]
    own_layer = ["_classification_layer.weight", "_classification_layer.bias"]
    account_of_frozen, account_of_pooler = scripts.call(
        "accounts",
        [
            "\n".join([frozen, *names, trained, *own_layer]),
            "\n".join([frozen, *names[:-2], trained, *names[-2:]]),
        ],
    )
    (sentence,) = [one["words"] for one in account_of_frozen["findings"] if "are trained" in one["words"]]
    assert sentence.startswith("0 of the 109,482,240 parameters are trained")
    expected = (
        " _classification_layer.weight and _classification_layer.bias are also trained, but your text does not give"
        " their sizes."
    )
    assert expected in sentence
    # The pooler: 768 x 768 + 768.
    assert any(one["words"].startswith("590,592 of the 109,482,240") for one in account_of_pooler["findings"])


def listed_tensors() -> list[str]:
    """The lines of a list of the tensors of BERT base."""
    return (FOLDER / "named-size-bert-base.txt").read_text(encoding="utf-8").splitlines()


def test_cross_attention_is_part_of_the_model(scripts: Scripts) -> None:
    attention = [line.replace(".attention.", ".crossattention.") for line in listed_tensors() if ".attention." in line]
    (account,) = scripts.call("accounts", ["\n".join([*listed_tensors(), *attention])])
    # 109,482,240 + 12 x (4 x (768 x 768 + 768) + 2 x 768)
    expected = "This is BERT base, uncased, as BertModel with cross-attention: 137,849,088 parameters."
    assert account["headline"].startswith(expected)


def test_a_total_may_show_that_the_decoder_is_not_tied(scripts: Scripts) -> None:
    head_lines = [
        "cls.predictions.bias torch.Size([30522])",
        "cls.predictions.transform.dense.weight torch.Size([768, 768])",
        "cls.predictions.transform.dense.bias torch.Size([768])",
        "cls.predictions.transform.LayerNorm.weight torch.Size([768])",
        "cls.predictions.transform.LayerNorm.bias torch.Size([768])",
        "cls.predictions.decoder.weight torch.Size([30522, 768])",
        "cls.predictions.decoder.bias torch.Size([30522])",
    ]
    body_lines = [f"bert.{line}" for line in listed_tensors() if not line.startswith("pooler.")]
    lines = [f"{line} True" for line in body_lines + head_lines]
    (account,) = scripts.call("accounts", ["\n".join([*lines, "Total: 132,985,716"])])
    # 109,514,298 + 30,522 x 768 + 30,522
    assert account["headline"].startswith("This is BERT base, uncased, as BertForMaskedLM: 132,985,716 parameters.")


def test_a_total_gives_the_only_size_that_no_row_shows(scripts: Scripts) -> None:
    lines = [line for line in listed_tensors() if "position" not in line]
    (account,) = scripts.call("accounts", ["\n".join([*lines, "Total: 109,875,456"])])
    # 109,482,240 + 512 x 768: the table has 1,024 positions.
    assert "109,875,456 parameters. Your total is right" in account["headline"]
    assert any(
        "The position embeddings are missing: 1 tensor with 786,432" in finding["words"]
        for finding in account["findings"]
    )


KERAS_SUMMARY = """Model: "tf_{name}_for_question_answering"
_________________________________________________________________
 Layer (type)                Output Shape              Param #
=================================================================
 {name} (Main)               multiple                  124055040
 qa_outputs (Dense)          multiple                  1538
=================================================================
Total params: 124056578
"""
"""A summary as Keras prints it, with the total of RoBERTa base without its pooler, but with a head of two outputs."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [("roberta", "RobertaForQuestionAnswering"), ("data2_vec_text", "Data2VecTextForQuestionAnswering")],
)
def test_the_class_follows_from_the_lower_case_name_of_a_keras_model(
    scripts: Scripts, name: str, expected: str
) -> None:
    (account,) = scripts.call("accounts", [KERAS_SUMMARY.format(name=name)])
    assert (expected, 124_056_578) == (account["model"]["modelClass"], account["model"]["total"])


BLOCKS = {
    "labels": "Layer: {name}\nShape: torch.Size({shape})\nParameters: {count}\nTrainable: True\n-----",
    "YAML": "{name}:\n  shape: {shape}\n  dtype: float32\n  numel: {count}",
    "counts first": "Name: {name}\nnumel = {count}\nshape = {shape}",
    "Netron": "{name}\nname: {name}\ncategory: Initializer\ntensor: float32{shape}",
}
"""Templates for a tensor whose attributes have lines of their own."""


@pytest.mark.parametrize("layout", BLOCKS)
def test_the_attributes_of_a_tensor_may_have_lines_of_their_own(layout: str, scripts: Scripts) -> None:
    tensors = re.findall(r"(\S+) torch\.Size\((.+)\)", "\n".join(listed_tensors()))
    blocks = [
        # The size of the vocabulary is that of bert-base-chinese, with 102,267,648 parameters.
        BLOCKS[layout].format(name=name, shape=shape.replace("30522", "21128"), count=prod(json.loads(shape)))
        for name, shape in tensors
    ]
    label = {"labels": "Parameters:", "Netron": "tensor:"}.get(layout, "numel =")
    totals = {"": {"right"}, "\nTotal: 102267648": {"right"}, f"\n{label} 102267648": {"right", "not read"}}
    text = "\n".join(blocks).replace("23440896", "16226304")
    for account, verdicts in zip(
        scripts.call("accounts", [text + end for end in totals]), totals.values(), strict=True
    ):
        assert (102_267_648, "certain") == (account["model"]["total"], account["confidence"])
        assert verdicts == {line["verdict"] for line in account["lines"]}


def test_the_cells_of_a_table_may_be_products(scripts: Scripts) -> None:
    tensors = re.findall(r"(\S+) torch\.Size\((.+)\)", "\n".join(listed_tensors()))
    rows = [f"{name},{'x'.join(map(str, json.loads(shape)))},{prod(json.loads(shape))}" for name, shape in tensors]
    (account,) = scripts.call("accounts", ["\n".join(["name,shape,numel", *rows])])
    assert "109,482,240 parameters. Every row is right and none is missing." in account["headline"]


def test_the_first_cells_of_a_table_in_markdown_may_be_a_tree(scripts: Scripts) -> None:
    """A branch is drawn with a bar of its own, which does not end the cell."""
    lines = (FOLDER / "torchinfo-depth3-input.txt").read_text(encoding="utf-8").splitlines()
    rows = [re.split(r"\s{2,}(?=[^\s│├└])", line.strip()) for line in lines if re.search(r"\w: \d+-\d+", line)]
    table = ["| Layer (type:depth-idx) | Param # |", "|:--|--:|", *(f"| {row[0]} | {row[-1]} |" for row in rows)]
    (account,) = scripts.call("accounts", ["\n".join(table)])
    assert "109,482,240 parameters. Every row is right and none is missing." in account["headline"]


def test_the_class_of_the_outermost_module_is_that_of_a_print_that_lacks_its_head(scripts: Scripts) -> None:
    text = (FOLDER / "print-roberta-base-maskedlm.txt").read_text(encoding="utf-8")
    cut = text[: text.index("(intermediate)")]
    (account,) = scripts.call("accounts", [cut])
    # The LayerNorm, the dense layer and the bias: 2 x 768 + 768 x 768 + 768 + 50,265
    assert "as RobertaForMaskedLM, which has 124,697,433 parameters" in account["headline"]
    assert "The masked-LM head is missing: 5 tensors with 642,393 parameters." in words_of(account)


@pytest.mark.parametrize("module", ["BertLayerNorm()", "FusedLayerNorm()", "NoNorm()"])
def test_modules_without_sizes_are_not_too_few(module: str, scripts: Scripts) -> None:
    text = (FOLDER / "print-bert-base.txt").read_text(encoding="utf-8")
    (account,) = scripts.call("accounts", [re.sub(r"LayerNorm\(\(768,\).*\)", module, text)])
    assert "109,482,240 parameters. Every row with a size is right and none is missing." in account["headline"]
    # 25 x 2 x 768
    assert any("the answer takes 38,400 parameters for them" in finding["words"] for finding in account["findings"])


def test_an_empty_prompt_is_no_gap_in_a_list(scripts: Scripts) -> None:
    code = [">>> for name, tensor in model.named_parameters():", "...     print(name, tensor.shape)", "..."]
    *tensors_before_pooler, weight, bias = listed_tensors()
    lists = [[*code, *listed_tensors()], ["...", *listed_tensors()], ["...", weight, bias, *tensors_before_pooler]]
    accounts = scripts.call("accounts", ["\n".join(lines) for lines in lists])
    # If the pooler comes last, no layer follows.
    assert [False, False, True] == ["leaves rows out" in account["headline"] for account in accounts]


def test_the_index_of_a_data_frame_is_no_count(scripts: Scripts) -> None:
    rows = ["0  embeddings  23837184", "1     encoder  85054464", "2      pooler    590592"]
    (account,) = scripts.call("accounts", ["\n".join(["         part    params", *rows])])
    assert "109,482,240 parameters. Every row is right and none is missing." in account["headline"]


@pytest.mark.parametrize("labels", [2, 3, 7])
def test_a_count_gives_the_labels_of_a_head_with_a_dense_layer(labels: int, scripts: Scripts) -> None:
    # 768 x 768 + 768 and 769 for each label; RoBERTa base without its pooler has 39,000,576 + 85,054,464.
    text = f"embeddings   39000576\nencoder   85054464\nclassifier     {590_592 + 769 * labels}\n"
    (account,) = scripts.call("accounts", [text])
    assert f"as RobertaForSequenceClassification with {labels} labels" in account["headline"]
    assert account["model"]["total"] == 124_055_040 + 590_592 + 769 * labels


FOREIGN_PRINT = """RoFormerModel(
  (embeddings): RoFormerEmbeddings(
    (word_embeddings): Embedding(50000, 768, padding_idx=0)
    (token_type_embeddings): Embedding(2, 768)
    (LayerNorm): LayerNorm((768,), eps=1e-12, elementwise_affine=True, bias=True)
  )
  (encoder): RoFormerEncoder(
    (embed_positions): RoFormerSinusoidalPositionalEmbedding(1536, 64)
    (layer): ModuleList(
      (0-11): 12 x RoFormerLayer(
        (intermediate): RoFormerIntermediate(
          (dense): Linear(in_features=768, out_features=3072, bias=True)
        )
      )
    )
  )
)
"""
"""The beginning of RoFormer's print-out, with a part of each layer."""


def test_a_class_that_is_not_counted_is_not_compared_with_bert(scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [FOREIGN_PRINT])
    assert account["headline"].startswith("RoFormerModel is not a class that we count: it keeps the sines")
    # (50,000 + 2 + 2) x 768 + 1,536 x 64 + 12 x (768 + 1) x 3,072
    assert "66,849,792 parameters" in account["headline"]
    assert any("lists modules: a parameter that a class holds itself" in item["words"] for item in account["findings"])


def test_each_model_of_two_print_outs_is_explained_on_its_own(scripts: Scripts) -> None:
    masked_lm, distilbert = (
        (FOLDER / name).read_text(encoding="utf-8")
        for name in ("print-bert-base-maskedlm.txt", "print-distilbert-classification.txt")
    )
    (account,) = scripts.call("accounts", [f"{masked_lm}\n{distilbert}"])
    assert account["headline"].startswith("Your text has 2 print-outs. Print-out 1: This is BERT base, uncased, as")
    # 66,955,779 parameters have three labels. 109,514,298 - 66,955,779
    assert "Print-out 2: This is DistilBERT base, uncased, as" in account["headline"]
    assert any(
        "Print-out 2 has 66,955,779 parameters, 42,558,519 fewer" in item["words"] for item in account["findings"]
    )


@pytest.mark.parametrize(
    "text",
    [
        "embeddings.word_embeddings.weight (30522, 768) " * 20_000,
        "layer.0.weight [768]\n" * 20_000,
        "\n".join(f"layers.m{index}.kernel (64, 768, 768)" for index in range(3_000)),
    ],
    ids=["one line", "one tensor", "stacked layers"],
)
def test_rows_that_recur_are_read_quickly(text: str, scripts: Scripts) -> None:
    start = time.monotonic()
    scripts.call("accounts", [text])
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("text", ["\n" * 100_000, "\n \t" * 30_000 + "BertModel(", "7 94,1 308.\n" * 2_000])
def test_lines_without_words_are_read_quickly(text: str, scripts: Scripts) -> None:
    start = time.monotonic()
    scripts.call("accounts", [text])
    assert time.monotonic() - start < 10


def test_marks_do_not_show_what_is_trained_in_rows_that_a_text_leaves_out(scripts: Scripts) -> None:
    rows = [f"bert.{line} {line.startswith('pooler')}" for line in listed_tensors()]
    rows += ["classifier.weight torch.Size([2, 768]) True", "classifier.bias torch.Size([2]) True"]
    whole, cut = scripts.call("accounts", ["\n".join(rows), "\n".join([*rows[:5], "...", *rows[-5:]])])
    # The pooler and the classifier: 590,592 + 1,538
    assert "592,130 of the 109,483,778 parameters are trained" in words_of(whole)
    assert "are trained" not in words_of(cut)


CONTRADICTIONS = {
    "(dense): Linear(in_features=768, out_features=3072, bias=True)": (
        "out_features=3072",
        "out_features=2048",
        # 12 x 769 x (3,072 - 2,048)
        "encoder.layer.0.intermediate.dense should be 28,348,416, not 18,898,944: 9,449,472 too few.",
    ),
    "(word_embeddings): Embedding(30522, 768, padding_idx=0)": (
        "768",
        "1024",
        # 30,522 x (1,024 - 768)
        "embeddings.word_embeddings.weight should be 23,440,896 (30,522 × 768, not 30,522 × 1,024), not 31,254,528:",
    ),
}
"""Lines of print-bert-base.txt in which one width is replaced, with the beginning of the finding about them."""


@pytest.mark.parametrize("line", CONTRADICTIONS)
def test_the_line_is_named_whose_width_contradicts_the_others(line: str, scripts: Scripts) -> None:
    width, other_width, words = CONTRADICTIONS[line]
    text = (FOLDER / "print-bert-base.txt").read_text(encoding="utf-8")
    assert text.count(line) == 1
    (account,) = scripts.call("accounts", [text.replace(line, line.replace(width, other_width))])
    assert account["headline"].startswith("This is BERT base, uncased, as BertModel: 109,482,240 parameters.")
    assert any(finding["words"].startswith(words) for finding in account["findings"]), words_of(account)


def test_a_flag_on_a_line_of_its_own_is_no_total(scripts: Scripts) -> None:
    text = (FOLDER / "named-flags-wrapped-at-60.txt").read_text(encoding="utf-8")
    assert "23,440,896 requires_grad=True" in text.splitlines()
    (account,) = scripts.call("accounts", [text])
    assert "are trained" not in words_of(account)


ROWS_OF_A_PART = """
bert.embeddings.word_embeddings.weight torch.Size([30522, 768]) 23440896
bert.embeddings.position_embeddings.weight torch.Size([512, 768]) 393216
bert.embeddings.token_type_embeddings.weight torch.Size([2, 768]) 1536
bert.embeddings.LayerNorm.weight torch.Size([768]) 768
bert.embeddings.LayerNorm.bias torch.Size([768]) 768
bert.encoder.layer.0.attention.self.query.weight torch.Size([768, 768]) 589824
bert.encoder.layer.0.attention.self.query.bias torch.Size([768]) 768
"""
"""Rows of a part of BERT base, which add up to (30,522 + 512 + 2 + 2) x 768 + 768 x 768 + 768 = 24,427,776."""


@pytest.mark.parametrize(
    ("total", "ending"),
    [
        ("109,482,240", "Your rows add up to 24,427,776; the total in your text is 109,482,240, which is right."),
        ("109,482,241", "Your rows add up to 24,427,776; the total in your text is 109,482,241."),
        ("24,427,776", "Your rows add up to 24,427,776."),
    ],
)
def test_only_the_total_of_the_whole_model_is_right_above_a_part(scripts: Scripts, total: str, ending: str) -> None:
    (account,) = scripts.call("accountsAsTexts", [f"{ROWS_OF_A_PART}Total params: {total}\n"])
    assert account["headline"].endswith(ending)


@pytest.mark.parametrize("model_class", ["BigBirdForTokenClassification", "BertForSequenceClassification"])
def test_counts_tell_a_classifier_from_a_head_for_multiple_choice(scripts: Scripts, model_class: str) -> None:
    """BigBird's classes for token classification and for multiple choice have tensors of the same names."""
    model = {**load_models(), **load_relatives()}[
        "bigbird-roberta-base" if "BigBird" in model_class else "bert-base-uncased"
    ]
    question = Question(model, model_class)
    untied_tensors = [tensor for tensor in tensors(question) if not tensor.tied_to]
    text = "\n".join(f"{tensor.transformers}: {tensor.size:,}" for tensor in untied_tensors)
    (result,) = scripts.call("accounts", [text])
    assert result["model"]["modelClass"] == model_class
    assert result["model"]["total"] == question.number


def listing(question: Question, *, has_sizes: bool) -> list[str]:
    """The names of a model's tensors, one on each line, with or without their shapes."""
    return [
        f"{tensor.transformers} torch.Size({list(tensor.shape)})" if has_sizes else tensor.transformers
        for tensor in tensors(question)
    ]


def test_a_tied_tensor_without_a_size_has_the_parameters_of_the_other(scripts: Scripts) -> None:
    lines = listing(Question(load_models()["bert-base-uncased"], "BertForMaskedLM"), has_sizes=False)
    (result,) = scripts.call("accounts", ["\n".join(lines)])
    words = words_of(result)
    assert "is tied to the word embeddings: both are the same 23,440,896 parameters, which count once." in words
    assert "is tied to the prediction bias: both are the same 30,522 parameters, which count once." in words


def test_a_name_that_recurs_without_a_size_adds_no_number(scripts: Scripts) -> None:
    lines = listing(Question(load_models()["bert-base-uncased"]), has_sizes=False)
    (result,) = scripts.call("accounts", ["\n".join([*lines, "embeddings.LayerNorm.bias"])])
    sentence = (
        "embeddings.LayerNorm.bias counts the shift of the embeddings' LayerNorm, which your text has already counted."
    )
    assert sentence in words_of(result)


def test_a_missing_tensor_with_one_parameter_is_in_the_singular(scripts: Scripts) -> None:
    model = load_relatives()["electra-small-discriminator"]
    lines = listing(Question(model, "ElectraForPreTraining"), has_sizes=True)
    (result,) = scripts.call("accounts", ["\n".join(lines[:-1])])
    assert lines[-1] == "discriminator_predictions.dense_prediction.bias torch.Size([1])"
    assert "The output bias of the discriminator head is missing: 1 tensor with 1 parameter." in words_of(result)


@pytest.mark.parametrize(
    "gap",
    [
        "...",
        "... (output truncated, 214 lines) ...",
        "[214 lines omitted]",
        "# … 8 more layers",
        "Output exceeds the size limit.",
    ],
)
def test_a_gap_in_modules_leaves_the_depth_open(gap: str, scripts: Scripts) -> None:
    lines = (FOLDER / "print-bert-base-classification-torch1.txt").read_text(encoding="utf-8").splitlines()
    (account,) = scripts.call("accounts", ["\n".join([*lines[:45], "", gap, "", *lines[-24:]])])
    assert "part of BERT base, uncased, as BertForSequenceClassification with 3 labels" in account["headline"]
    assert "which has 109,484,547 parameters" in account["headline"]
    assert account["confidence"] == "likely"


def test_modules_that_break_off_within_a_layer_leave_the_depth_open(scripts: Scripts) -> None:
    lines = (FOLDER / "print-bert-base-classification-torch1.txt").read_text(encoding="utf-8").splitlines()
    (account,) = scripts.call("accounts", ["\n".join(lines[:120])])
    assert "part of BERT base, uncased, as BertForSequenceClassification" in account["headline"]
    assert "does not say how many there are" in words_of(account)


def test_a_word_for_segments_names_their_table(scripts: Scripts) -> None:
    names = ["seg", "seg_emb", "token_type", "segment_embedding", "types"]
    texts = [
        re.sub(r"^embeddings\.(?:token_type_embeddings)", name, "\n".join(listed_tensors()), flags=re.MULTILINE)
        for name in names
    ]
    for account in scripts.call("accounts", texts):
        assert "109,482,240 parameters. Every row is right and none is missing." in account["headline"]


FAIRSEQ = """
RobertaModel(
  (encoder): RobertaEncoder(
    (sentence_encoder): TransformerEncoder(
      (dropout_module): FairseqDropout()
      (embed_tokens): Embedding(50265, 768, padding_idx=1)
      (embed_positions): LearnedPositionalEmbedding(514, 768, padding_idx=1)
      (layernorm_embedding): LayerNorm((768,), eps=1e-05, elementwise_affine=True)
      (layers): ModuleList(
        (0-11): 12 x TransformerEncoderLayer(
          (self_attn): MultiheadAttention(
            (k_proj): Linear(in_features=768, out_features=768, bias=True)
            (v_proj): Linear(in_features=768, out_features=768, bias=True)
            (q_proj): Linear(in_features=768, out_features=768, bias=True)
            (out_proj): Linear(in_features=768, out_features=768, bias=True)
          )
          (self_attn_layer_norm): LayerNorm((768,), eps=1e-05, elementwise_affine=True)
          (fc1): Linear(in_features=768, out_features=3072, bias=True)
          (fc2): Linear(in_features=3072, out_features=768, bias=True)
          (final_layer_norm): LayerNorm((768,), eps=1e-05, elementwise_affine=True)
        )
      )
    )
    (lm_head): RobertaLMHead(
      (dense): Linear(in_features=768, out_features=768, bias=True)
      (layer_norm): LayerNorm((768,), eps=1e-05, elementwise_affine=True)
    )
  )
)
num. shared model params: 124,696,665 (num. trained: 124,696,665)
"""
"""RoBERTa base as fairseq prints it, without segments: 768 parameters fewer than transformers' RobertaForMaskedLM."""


def test_fairseq_names_the_modules_of_roberta_in_its_own_way(scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [FAIRSEQ])
    assert account["headline"] == (
        "This looks like RoBERTa base, as RobertaForMaskedLM: 124,697,433 parameters. "
        "Your total is 124,696,665, which is 768 too few."
    )
    assert "The segment embeddings are missing: 1 tensor with 768 parameters." in words_of(account)


@pytest.mark.parametrize("prefix", ["decoder", "encoder"])
def test_fairseq_stores_the_tied_decoder_beside_the_word_embeddings(prefix: str, scripts: Scripts) -> None:
    """The matrix has 50,265 × 768 parameters. The total must not be explained by as many segments."""
    body = f"{prefix}.sentence_encoder."
    names_of_layer = {
        **{f"self_attn.{name}_proj": [768, 768] for name in ("q", "k", "v", "out")},
        **{norm: [768] for norm in ("self_attn_layer_norm", "final_layer_norm")},
        "fc1": [3072, 768],
        "fc2": [768, 3072],
    }
    lines = [f"{body}embed_tokens.weight [50265, 768]", f"{body}embed_positions.weight [514, 768]"]
    for layer in range(12):
        for name, shape in names_of_layer.items():
            lines += [f"{body}layers.{layer}.{name}.weight {shape}", f"{body}layers.{layer}.{name}.bias [{shape[0]}]"]
    lines += [f"{body}layernorm_embedding.{name} [768]" for name in ("weight", "bias")]
    lines += [f"{prefix}.lm_head.weight [50265, 768]", f"{prefix}.lm_head.bias [50265]"]
    lines += [f"{prefix}.lm_head.dense.weight [768, 768]", f"{prefix}.lm_head.dense.bias [768]"]
    lines += [f"{prefix}.lm_head.layer_norm.{name} [768]" for name in ("weight", "bias")]
    (account,) = scripts.call("accounts", ["\n".join([*lines, "total 163,300,185"])])
    assert account["headline"].startswith(
        "This looks like RoBERTa base, as RobertaForMaskedLM: 124,697,433 parameters."
    )
    tied = f"{prefix}.lm_head.weight is tied to the word embeddings: both are the same 38,603,520 parameters"
    assert tied in words_of(account)


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_terminal_may_break_rows_within_a_number(width: int, scripts: Scripts) -> None:
    question = Question(load_models()["bert-base-chinese"], "BertForTokenClassification")
    lines = [
        f"{tensor.transformers} {tuple(tensor.shape)} {tensor.size} requires_grad=True" for tensor in tensors(question)
    ]
    pieces = [line[start : start + width] for line in lines for start in range(0, len(line), width)]
    (account,) = scripts.call("accounts", ["\n".join(pieces)])
    # 102,267,648 - 590,592 + 2 x 768 + 2
    expected = (
        "as BertForTokenClassification with 2 labels: 101,678,594 parameters. Every row is right and none is missing."
    )
    assert expected in account["headline"]


def test_masks_of_pruned_weights_are_no_parameters(scripts: Scripts) -> None:
    masked = [
        re.sub(r"dense\.weight", "dense.weight_mask", line) for line in listed_tensors() if "dense.weight" in line
    ]
    lines = [re.sub(r"dense\.weight", "dense.weight_orig", line) for line in listed_tensors()]
    (account,) = scripts.call("accounts", ["\n".join([*lines, *masked])])
    # 12 x (768 x 768 + 2 x 768 x 3,072) + 768 x 768
    assert "Your rows add up to 173,773,056, which is 64,290,816 too many." in account["headline"]
    assert "are buffers, not parameters: 64,290,816 numbers too many." in words_of(account)


def test_the_total_below_names_shows_the_number_of_labels(scripts: Scripts) -> None:
    lines = listing(Question(load_models()["bert-base-uncased"], "BertForSequenceClassification"), has_sizes=False)
    # 109,482,240 + 4 x 769
    (account,) = scripts.call("accounts", ["\n".join([*lines, "Total: 109,485,316"])])
    assert "they hold 109,485,316 parameters, which is the total in your text" in account["headline"]


def test_a_class_of_a_head_beside_a_bare_model_shows_the_class_of_both(scripts: Scripts) -> None:
    text = "roberta RobertaModel 124,055,040\nclassifier RobertaClassificationHead 592,899\n124,647,939"
    (account,) = scripts.call("accounts", [text])
    # 124,055,040 + 768 x 768 + 768 + 3 x 769
    expected = "as RobertaForSequenceClassification with 3 labels: 124,647,939 parameters. Your total is right"
    assert expected in account["headline"]


@pytest.mark.parametrize(("frozen", "trained"), [("[frozen]", "[train]"), ("(frozen) ", ""), ("False", "[trainable]")])
def test_marks_may_be_in_brackets_or_on_frozen_tensors_alone(frozen: str, trained: str, scripts: Scripts) -> None:
    lines = [f"{frozen} bert.{line}" for line in listed_tensors()]
    lines += [f"{trained} fc.weight torch.Size([2, 768])", f"{trained} fc.bias torch.Size([2])"]
    (account,) = scripts.call("accounts", ["\n".join(lines)])
    # 2 x 768 + 2
    assert "1,538 of the 109,483,778 parameters, fc.weight and fc.bias, are trained" in words_of(account)


def test_a_layer_norm_of_a_head_is_not_that_of_the_embeddings(scripts: Scripts) -> None:
    text = (FOLDER / "print-bert-base.txt").read_text(encoding="utf-8")
    norm = "  (norm): LayerNorm((768,), eps=1e-05, elementwise_affine=True)\n)"
    body = text.strip().replace("\n", "\n  ")
    (account,) = scripts.call("accounts", [f"Ranker(\n  (bert): {body}\n{norm}"])
    # 109,482,240 + 2 x 768
    assert "and 1,536 more that are not part of it: 109,483,776 in all." in account["headline"]


def test_a_line_with_a_count_is_no_heading(scripts: Scripts) -> None:
    lines = [f"Layer {layer:2}: 7,087,872 params (6.47%)" for layer in range(12)]
    lines += ["Embeddings: 23,837,184", "Pooler: 590,592", "Total: 109,482,240"]
    (account,) = scripts.call("accounts", ["\n".join(lines)])
    assert "BERT base, uncased, as BertModel: 109,482,240 parameters. Your total is right" in account["headline"]


def stacked_shapes() -> dict[str, list[int]]:
    """The shapes of BERT base by name, each tensor of all 12 layers as one array, as `nn.scan` of Flax stores them."""
    shapes: dict[str, list[int]] = {}
    for tensor in tensors(Question(load_models()["bert-base-uncased"])):
        name, count = re.subn(r"\blayer\.\d+\.", "layers.", tensor.transformers)
        shapes[name] = [12, *tensor.shape] if count else list(tensor.shape)
    return shapes


@pytest.mark.parametrize("layout", ["lines", "json"])
def test_layers_may_be_stacked_in_one_array(layout: str, scripts: Scripts) -> None:
    shapes = stacked_shapes()
    text = (
        json.dumps(shapes, indent=2)
        if layout == "json"
        else "\n".join(f"{name} {tuple(shape)}" for name, shape in shapes.items())
    )
    (account,) = scripts.call("accounts", [text])
    assert account["headline"].startswith("This is BERT base, uncased, as BertModel: 109,482,240 parameters. Every row")
    assert {line["source"] for line in account["lines"]}.isdisjoint({"  ]", "  ],"})
    assert [line["times"] for line in account["lines"]].count(12) == 16


def test_matrices_with_equal_first_dimensions_are_no_stack(scripts: Scripts) -> None:
    """A hidden size of 12 is that of every layer, not their number."""
    names = [
        "attention.self.query.bias (12,)",
        *(f"attention.self.{name}.weight (12, 12)" for name in ("query", "key", "value")),
        "output.dense.weight (12, 48)",
    ]
    (account,) = scripts.call("accounts", ["\n".join(f"encoder.layers.{name}" for name in names)])
    assert account is None or not any(line["times"] == 12 for line in account["lines"])


def test_a_line_with_the_name_of_a_model_is_a_heading(scripts: Scripts) -> None:
    rows = "embeddings: {:,}\nencoder: {:,}\npooler: {:,}\n"
    base = rows.format(23_837_184, 85_054_464, 590_592)
    large = rows.format(31_782_912, 302_309_376, 1_049_600)
    (account,) = scripts.call("accounts", [f"BERT base\n{base}BERT large:\n{large}"])
    assert "Print-out 1: This is BERT base, uncased, as BertModel: 109,482,240" in account["headline"]
    assert "Print-out 2: This is BERT large, uncased, as BertModel: 335,141,888" in account["headline"]
