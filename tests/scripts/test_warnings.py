"""Warnings about weights are explained: which parts, how many parameters, and what to do."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from macros.counting import Question, model_named
from macros.counting.frameworks.listing import tensors
from tests.scripts.running import Scripts

# --- Names of tensors, and the texts in which libraries print them ----------------------

MLM_NAMES = [
    "cls.predictions.bias",
    "cls.predictions.transform.dense.weight",
    "cls.predictions.transform.dense.bias",
    "cls.predictions.transform.LayerNorm.weight",
    "cls.predictions.transform.LayerNorm.bias",
    "cls.predictions.decoder.weight",
]
"""The tensors of BERT's masked-LM head."""

CLASSIFIER_NAMES = ["classifier.bias", "classifier.weight"]


def account(scripts: Scripts, text: str) -> dict[str, Any]:
    """The account of a warning, with sentences as plain text."""
    (result,) = scripts.call("warningAccounts", [text])
    assert isinstance(result, dict)
    return result


def new_weights_warning(model_class: str, checkpoint: str, names: Iterable[str]) -> str:
    """The warning of transformers 3 and 4 about newly initialised weights."""
    return (
        f"Some weights of {model_class} were not initialized from the model checkpoint at {checkpoint} and are newly "
        f"initialized: {[*names]}\nYou should probably TRAIN this model on a down-stream task to be able to use it for "
        "predictions and inference."
    )


def unused_warning(model_class: str, checkpoint: str, names: Iterable[str]) -> str:
    """The warning of transformers 3 and 4 about unused weights of the checkpoint."""
    return (
        f"Some weights of the model checkpoint at {checkpoint} were not used when initializing {model_class}: "
        f"{[*names]}\n- This IS expected if you are initializing {model_class} from the checkpoint of a model trained "
        "on another task or with another architecture (e.g. initializing a BertForSequenceClassification model from a "
        f"BertForPreTraining model).\n- This IS NOT expected if you are initializing {model_class} from the checkpoint "
        "of a model that you expect to be exactly identical."
    )


def load_report(model_class: str, checkpoint: str, rows: Iterable[tuple[str, str, str]]) -> str:
    """The LOAD REPORT of transformers 5."""
    lines = [f"{model_class} LOAD REPORT from: {checkpoint}", "Key | Status | Details", "----+--------+--------"]
    lines += [f"{name:50} | {status:10} | {details}" for name, status, details in rows]
    return "\n".join([*lines, "", "Notes:", "- MISSING:\tthose params were newly initialized"])


def state_dict_error(model_class: str, missing_names: Iterable[str], unexpected_names: Iterable[str]) -> str:
    """PyTorch's error about the keys of a state_dict."""
    lists = [", ".join(f'"{name}"' for name in names) for names in (missing_names, unexpected_names)]
    return (
        f"RuntimeError: Error(s) in loading state_dict for {model_class}:\n"
        f"\tMissing key(s) in state_dict: {lists[0]}. \n\tUnexpected key(s) in state_dict: {lists[1]}. "
    )


def names_outside_head(model: str, model_class: str, prefix: str) -> list[str]:
    """The names of a class's tensors outside pooler and head, which all begin with `prefix`."""
    names = [tensor.transformers for tensor in tensors(Question(model_named(model), model_class))]
    return [name for name in names if name.startswith(prefix) and "pooler" not in name]


CROSS_ATTENTION_NAMES = [
    f"bert.encoder.layer.{layer}.crossattention.{module}.{name}"
    for layer in range(12)
    for module in ("self.query", "self.key", "self.value", "output.dense", "output.LayerNorm")
    for name in ("weight", "bias")
]
"""The names of all cross-attention tensors in BERT base."""

# --- Tests ------------------------------------------------------------------------------

EXPECTED_HEADLINES = [
    (block["text"].replace("<CROSS>", str(CROSS_ATTENTION_NAMES)), block["says"])
    for block in tomllib.loads(Path(__file__).with_name("loading.toml").read_text(encoding="utf-8"))["warning"]
]
"""Warnings about heads that are new or unused, with the headline of each account."""


@pytest.mark.parametrize(("text", "expected"), EXPECTED_HEADLINES)
def test_expected_new_heads_are_no_fault(text: str, expected: str, scripts: Scripts) -> None:
    result = account(scripts, text)
    assert ("warning", expected) == (result["kind"], result["headline"])
    assert not any(line["verdict"] == "wrong" for line in result["lines"])


def test_names_in_a_load_report_have_lines(scripts: Scripts) -> None:
    result = account(
        scripts,
        load_report(
            "BertForSequenceClassification",
            "bert-base-uncased",
            [("cls.predictions.bias", "UNEXPECTED", ""), *((name, "MISSING", "") for name in CLASSIFIER_NAMES)],
        ),
    )
    assert [
        ("classifier.bias", 2, "added"),
        ("classifier.weight", 1536, "added"),
        ("cls.predictions.bias", 30522, "not used"),
    ] == [(line["source"], line["right"], line["verdict"]) for line in result["lines"]]
    assert "the matrix of the sequence-classification head" == result["lines"][1]["part"]
    # 109,482,240 + 1,538
    assert {"name": "bert-base-uncased", "modelClass": "BertForSequenceClassification", "total": 109_483_778} == result[
        "model"
    ]


def test_a_layer_of_albert_is_one_layer(scripts: Scripts) -> None:
    """A name in ALBERT contains the index of a group and that of a layer, but refers to one layer: 768² = 589,824."""
    name = "albert.encoder.albert_layer_groups.0.albert_layers.0.attention.dense.weight"
    result = account(
        scripts, new_weights_warning("AlbertForSequenceClassification", "albert-base-v2", [name, *CLASSIFIER_NAMES])
    )
    assert "1 tensor in one layer, 589,824 parameters, starts from random values" in result["headline"]


def test_an_unused_body_does_not_show_what_is_random(scripts: Scripts) -> None:
    """The library lists in another warning what it initializes anew, and the text may lack that warning."""
    text = (
        "Some weights of the model checkpoint at my-bert were not used when initializing BertModel: "
        "['model.embeddings.word_embeddings.weight', 'model.encoder.layer.0.attention.self.query.weight']"
    )
    [sentence] = account(scripts, text)["findings"]
    assert "differ from those in the model, in which these parts most likely start from random values." in sentence


def test_a_number_of_labels_in_a_shape_is_not_called_usual(scripts: Scripts) -> None:
    text = (
        "Some weights of BertForSequenceClassification were not initialized from the model checkpoint at "
        "bert-base-uncased and are newly initialized: ['classifier.bias']\n"
        "Some weights of BertForSequenceClassification were not initialized from the model checkpoint at "
        "bert-base-uncased and are newly initialized because the shapes did not match:\n"
        "- classifier.weight: found shape torch.Size([2, 768]) in the checkpoint and torch.Size([5, 768]) in the model "
        "instantiated"
    )
    assert "Also new: the classifier (5 parameters with 5 labels)." in account(scripts, text)["findings"]


def test_classifiers_of_different_shapes_have_different_labels(scripts: Scripts) -> None:
    text = "RuntimeError: Error(s) in loading state_dict for BertForSequenceClassification:\n\t" + "\n\t".join(
        f"size mismatch for classifier.{name}: copying a param with shape torch.Size({file_shape}) from checkpoint, "
        f"the shape in current model is torch.Size({model_shape})."
        for name, file_shape, model_shape in [("weight", [2, 768], [3, 768]), ("bias", [2], [3])]
    )
    result = account(scripts, text)
    assert (
        "The classifier (1,538 parameters) in the file does not fit BertForSequenceClassification: the file has 2 "
        "labels, the model 3."
    ) == result["headline"]
    assert (
        "classifier.weight is 2 × 768 in the file, 1,536 parameters, and 3 × 768 in the model, 2,304."
        in result["findings"]
    )
    assert any("ignore_mismatched_sizes=True" in sentence for sentence in result["findings"])


@pytest.mark.parametrize(
    ("name", "shapes", "expected"),
    [
        (
            "bert.embeddings.word_embeddings.weight",
            ((30522, 768), (28996, 768)),
            "30,522 tokens in the vocabulary, the model 28,996",
        ),
        ("bert.embeddings.position_embeddings.weight", ((512, 768), (1024, 768)), "512 positions, the model 1,024"),
        ("bert.embeddings.token_type_embeddings.weight", ((2, 768), (1, 768)), "2 segments, the model 1"),
    ],
)
def test_tables_of_different_shapes_have_different_rows(
    name: str, shapes: tuple[tuple[int, ...], tuple[int, ...]], expected: str, scripts: Scripts
) -> None:
    loaded_shape, built_shape = (f"torch.Size({[*shape]})" for shape in shapes)
    detail = f"Reinit due to size mismatch - ckpt: {loaded_shape} vs model:{built_shape}"
    start = "Some weights of BertModel were not initialized from the model checkpoint at x and are newly initialized"
    error = (
        f"size mismatch for {name}: copying a param with shape {loaded_shape} from checkpoint, "
        "the shape in current model is"
    )
    warning = f"{start} because the shapes did not match:\n- {name}: found shape {loaded_shape} in the checkpoint and"
    texts = [
        f"{error} {built_shape}.",
        load_report("BertModel", "x", [(name, "MISMATCH", detail)]),
        f"{warning} {built_shape} in the model instantiated",
    ]
    for text in texts:
        result = account(scripts, text)
        assert result["headline"].startswith("This is not as it should be: the embeddings ")
        assert expected in result["headline"]


BERT_NAMES = names_outside_head("bert-base-uncased", "BertForMaskedLM", "bert.")
"""The names of the tensors in BERT's embeddings and encoder, as in a class with a head."""

BARE_NAMES = [name.removeprefix("bert.") for name in BERT_NAMES]
"""The same names as in the bare model."""

ROBERTA_NAMES = names_outside_head("roberta-base", "RobertaForMaskedLM", "roberta.")
"""The names of the tensors in RoBERTa's embeddings and encoder, as in a class with a head."""

BODY_NUMBER = 109_482_240 - 590_592
"""The parameters of BertModel without its pooler."""


def test_a_body_under_other_names_is_not_loaded(scripts: Scripts) -> None:
    assert 197 == len(BERT_NAMES) == len(BARE_NAMES)
    prefixed_names = [f"module.{name}" for name in BERT_NAMES]
    parallel_account = account(scripts, state_dict_error("BertForSequenceClassification", BERT_NAMES, prefixed_names))
    assert (
        "This is not as it should be: nothing was loaded. The embeddings and the encoder of "
        "BertForSequenceClassification start from random values."
    ) == parallel_account["headline"]
    assert any('removeprefix("module.")' in sentence for sentence in parallel_account["findings"])
    relative_account = account(
        scripts,
        new_weights_warning("BertModel", "roberta-base", BARE_NAMES)
        + "\n"
        + unused_warning("BertModel", "roberta-base", ROBERTA_NAMES),
    )
    assert "nothing was loaded" in relative_account["headline"]
    assert any("model of another architecture, RoBERTa." in sentence for sentence in relative_account["findings"])
    bare_account = account(scripts, new_weights_warning("BertModel", "bert-base-uncased", BARE_NAMES))
    assert (
        f"nothing was loaded. The embeddings and the encoder of BertModel, {BODY_NUMBER:,} parameters, start"
        in bare_account["headline"]
    )
    assert {"wrong"} == {line["verdict"] for line in bare_account["lines"]}
    assert BODY_NUMBER == sum(line["right"] * line["times"] for line in bare_account["lines"])
    unprefixed_account = account(scripts, state_dict_error("BertForMaskedLM", BERT_NAMES, BARE_NAMES))
    assert "The names in the model begin with bert., and those in the file do not." in unprefixed_account["findings"]
    wrapped_account = account(scripts, state_dict_error("DataParallel", prefixed_names, BERT_NAMES))
    assert any("load the file into model.module" in sentence for sentence in wrapped_account["findings"])


def test_both_prefixes_are_named(scripts: Scripts) -> None:
    text = state_dict_error("BertForMaskedLM", BERT_NAMES, [f"student.{name}" for name in BARE_NAMES])
    assert any(
        "the model has bert., and the file has student." in finding for finding in account(scripts, text)["findings"]
    )


def test_missing_layers_are_named(scripts: Scripts) -> None:
    upper_names = [name for name in BARE_NAMES if name.startswith("encoder.") and int(name.split(".")[2]) > 5]
    new_account = account(scripts, new_weights_warning("BertModel", "bert-base-uncased", upper_names))
    # Six of the twelve layers, of 7,087,872 parameters each.
    assert (
        "This is not as it should be: 96 tensors in layers 6 to 11, 42,527,232 parameters, start from random values in "
        "BertModel."
    ) == new_account["headline"]
    # transformers 5 combines names that differ only in the layer number.
    folded_names = {name.replace(".6.", ".{6, 7, 8, 9, 10, 11}.") for name in upper_names if ".6." in name}
    assert (
        new_account["headline"]
        == account(
            scripts, load_report("BertModel", "bert-base-uncased", [(name, "MISSING", "") for name in folded_names])
        )["headline"]
    )
    unused_account = account(scripts, unused_warning("BertModel", "bert-base-uncased", upper_names))
    assert unused_account["headline"].startswith(
        "This is not as it should be: 96 tensors in layers 6 to 11 of bert-base-uncased"
    )
    assert any("num_hidden_layers" in sentence for sentence in unused_account["findings"])


def test_an_unexpected_new_head_is_warned_about(scripts: Scripts) -> None:
    lm_account = account(
        scripts,
        new_weights_warning(
            "BertForMaskedLM", "sentence-transformers/all-MiniLM-L6-v2", [*MLM_NAMES, "cls.predictions.decoder.bias"]
        ),
    )
    # 384² + 384 + 2 · 384 + 30,522
    assert (
        "the masked-LM head (179,130 parameters) is not in sentence-transformers/all-MiniLM-L6-v2"
        in lm_account["headline"]
    )
    assert lm_account["headline"].startswith(
        "This is not as it should be if you want the predictions of BertForMaskedLM"
    )
    finetuned_account = account(
        scripts,
        new_weights_warning("BertForSequenceClassification", "textattack/bert-base-uncased-imdb", CLASSIFIER_NAMES),
    )
    assert finetuned_account["headline"].startswith("Look twice: the classifier (C·H + C parameters) is new, although")
    known_account = account(
        scripts, new_weights_warning("BertForSequenceClassification", "unitary/toxic-bert", CLASSIFIER_NAMES)
    )
    assert known_account["headline"].startswith("Look twice: the classifier (C·H + C parameters) is new, although")
    # This model turns texts into vectors to compare, so it has no head.
    checkpoint = "sentence-transformers/multi-qa-MiniLM-L6-cos-v1"
    assert account(scripts, new_weights_warning("BertForSequenceClassification", checkpoint, CLASSIFIER_NAMES))[
        "headline"
    ].startswith("This is as it should be")
    unknown_account = account(
        scripts, new_weights_warning("BertForSequenceClassification", "./results/checkpoint-500", CLASSIFIER_NAMES)
    )
    assert any("its head should be there" in sentence for sentence in unknown_account["findings"])


def test_every_kind_of_line_has_its_verdict(scripts: Scripts) -> None:
    """A buffer, which has no parameters, is not unknown, and neither is a layer of Keras without weights."""
    result = account(
        scripts,
        load_report(
            "BertForSequenceClassification",
            "bert-base-uncased",
            [
                ("bert.embeddings.position_ids", "UNEXPECTED", ""),
                ("cls.predictions.bias", "UNEXPECTED", ""),
                ("crf.transitions", "MISSING", ""),
                ("classifier.bias", "MISSING", ""),
                ("classifier.weight", "MISMATCH", "ckpt: torch.Size([3, 768]) vs model:torch.Size([2, 768])"),
            ],
        ),
    )
    assert {
        "bert.embeddings.position_ids": "not a parameter",
        "cls.predictions.bias": "not used",
        "crf.transitions": "unknown",
        "classifier.bias": "added",
        "classifier.weight": "wrong",
    } == {line["source"]: line["verdict"] for line in result["lines"]}


def test_a_report_on_another_model_is_not_explained(scripts: Scripts) -> None:
    gpt2_account = account(scripts, new_weights_warning("GPT2ForSequenceClassification", "gpt2", ["score.weight"]))
    assert "which is not a class that we know: 1 name missing from the file." in gpt2_account["headline"]
    assert None is gpt2_account["model"]
    unknown_account = account(
        scripts, new_weights_warning("MyBertWithCRF", "bert-base-chinese", ["crf.transitions", "fc.weight"])
    )
    assert gpt2_account["kind"] == unknown_account["kind"] == "warning"
    assert unknown_account["headline"].startswith(
        "crf.transitions and fc.weight are new and not part of BERT as far as we know; they start from random values"
    )
    assert {"unknown"} == {line["verdict"] for line in unknown_account["lines"]}


def test_of_many_unknown_names_the_first_are_named_and_the_others_counted(scripts: Scripts) -> None:
    names = [f"extra.{letter}" for letter in "abcdef"]
    result = account(scripts, new_weights_warning("BertModel", "google-bert/bert-base-uncased", names))
    start = "extra.a, extra.b, extra.c, extra.d and 2 more are new and not part of BERT as far as we know"
    assert result["headline"].startswith(start)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "state_dict",
        "print(model.state_dict().keys())",
        "The pooler is not used when you fine-tune.",
        "missing keys",
    ],
)
def test_other_texts_have_no_account(text: str, scripts: Scripts) -> None:
    assert "" == account(scripts, text)["kind"]


def test_common_names_do_not_make_a_model_a_bert(scripts: Scripts) -> None:
    start = (
        "size mismatch for fc.weight: copying a param with shape torch.Size([1000, 2048]) from checkpoint, the shape"
    )
    for text in (
        new_weights_warning("ViTForImageClassification", "google/vit-base-patch16-224-in21k", CLASSIFIER_NAMES),
        load_report(
            "LlamaForCausalLM", "x", [("model.layers.{0...31}.self_attn.rotary_emb.inv_freq", "UNEXPECTED", "")]
        ),
    ):
        assert "which is not a class that we know" in account(scripts, text)["headline"]
    unnamed_account = account(scripts, f"{start} in current model is torch.Size([10, 2048]).")
    assert unnamed_account["headline"] == (
        "This is about a model whose class the text does not name: 1 name with a different shape."
    )
    roberta = "size mismatch for roberta.embeddings.position_embeddings.weight: copying a param with shape torch.Size"
    text = f"{roberta}([514, 768]) from checkpoint, the shape in current model is torch.Size([512, 768])."
    assert "the RoBERTa model: the file has 514 positions, the model 512" in account(scripts, text)["headline"]


def test_a_list_that_is_cut_off_is_read(scripts: Scripts) -> None:
    text = new_weights_warning("BertForTokenClassification", "bert-base-cased", CLASSIFIER_NAMES).partition("]")[0]
    result = account(scripts, text)
    assert ("warning", "likely") == (result["kind"], result["confidence"])
    assert "The list of names is cut off, so there may be more." in result["findings"]


def test_wrapped_and_quoted_texts_are_read(scripts: Scripts) -> None:
    text = new_weights_warning("BertForSequenceClassification", "bert-base-uncased", CLASSIFIER_NAMES)
    headline = account(scripts, text)["headline"]
    for variant in (
        text.replace(", ", ",\n"),
        f"[WARNING|modeling_utils.py:1146] 2021-05-06 10:11:12,345 >> {text}",
        f"2021-05-06 10:11:12,345 - WARNING - transformers.modeling_utils - {text}",
        "\n".join(f"> {line}" for line in text.replace(", ", ",\n").splitlines()),
    ):
        assert headline == account(scripts, variant)["headline"], variant


def test_strict_false_does_not_help_against_different_shapes(scripts: Scripts) -> None:
    """With `strict=False`, `load_state_dict` tolerates missing or unexpected keys, but not different shapes."""
    missing_error = state_dict_error("BertForSequenceClassification", CLASSIFIER_NAMES, [])
    mismatch_error = (
        "\n\tsize mismatch for classifier.weight: copying a param with shape torch.Size([2, 768]) from checkpoint, the "
        "shape in current model is torch.Size([3, 768])."
    )
    (missing_finding,) = [finding for finding in findings_of(scripts, missing_error) if "strict=False" in finding]
    (mismatch_finding,) = [
        finding for finding in findings_of(scripts, missing_error + mismatch_error) if "strict=False" in finding
    ]
    assert "strict=False would load what fits" in missing_finding
    assert "with strict=False as well" in mismatch_finding
    assert "from_pretrained with ignore_mismatched_sizes=True loads what fits" in mismatch_finding


def findings_of(scripts: Scripts, text: str) -> list[str]:
    """The findings of the account of a warning."""
    findings = account(scripts, text)["findings"]
    assert isinstance(findings, list)
    return findings


def test_a_quoted_warning_without_names_is_explained(scripts: Scripts) -> None:
    result = account(
        scripts,
        "What does 'Some weights of the model checkpoint at bert-base-uncased were not used' mean for the number of "
        "parameters?",
    )
    assert result["headline"].startswith("This warning changes no count")
