"""Operations, compared with torch's own counts, which `tests/oracles/record_operations.py` recorded."""

import gzip
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from macros.counting import ARCHITECTURES, BadChoice, Question, model_named, model_of_config
from macros.counting.frameworks.names import transformers_name
from macros.counting.operations import ATTENTION, BIAS, DENSE, GELU, NORM, SOFTMAX, Operations, max_tokens
from tests.counting.unrecorded import ARCHITECTURES_IN_RELEASE_5, unrecorded_message

RECORDING_FILE = Path(__file__).parent / "recorded_operations.json.gz"

TYPES_WITHOUT_SDPA = ("mpnet", "deberta-v2", "deberta", "megatron-bert", "rembert", "longformer", "big_bird")
"""Model types for which transformers does not use torch's own attention."""

UNUSED_MODULES = {"mobilebert": ("cls.predictions.decoder", "cls.predictions.dense")}
"""Dense layers that are not recorded, because transformers multiplies by their matrix instead of calling them."""

BASE, LARGE = "bert-base-uncased", "bert-large-uncased"

LONGFORMER, BIGBIRD = model_named("longformer-base-4096"), model_named("bigbird-roberta-base")


@cache
def recording() -> dict[str, Any]:
    """The recording, with its versions, script and cases."""
    contents: dict[str, Any] = json.loads(gzip.decompress(RECORDING_FILE.read_bytes()))
    return contents


def operations_of(case: dict[str, Any]) -> Operations:
    """The operations of a case as the engine counts them."""
    model = model_of_config("a", {**case["config"], "model_type": case["model_type"]})
    other_tokens, global_tokens = case.get("others", 0), case.get("whole_text")
    return Operations(Question(model, case["class"]), case["tokens"], case["batch"], other_tokens, global_tokens)


def operations_by_module(operations: Operations) -> dict[str, int]:
    """The operations of dense layers by name in transformers. Names that differ only in numbers are merged."""
    architecture, name = operations.question.architecture, operations.question.model_class
    names = {row.path: re.sub(r"\b\d+\b", "*", transformers_name(row, architecture, name)) for row in architecture.rows}
    counts: Counter[str] = Counter()
    for item in operations.items:
        if item.kind == DENSE:
            counts[names[item.path].removesuffix(".weight")] += item.polynomial().value(operations.sizes)
    for module in UNUSED_MODULES.get(architecture.model_type, ()):
        del counts[module]
    return dict(+counts)  # unary plus drops layers with no operations


def test_every_class_is_recorded_in_training_with_each_attention() -> None:
    cases = recording()["cases"]
    assert {"2.13.0", "5.23.0"} < set(recording()["versions"].values())
    classes = {
        model_class.name for architecture in ARCHITECTURES_IN_RELEASE_5.values() for model_class in architecture.classes
    }
    cases_by_class = Counter((case["class"], case["attention"]) for case in cases if case["trained"])
    classes_without_sdpa = {
        model_class.name for name in TYPES_WITHOUT_SDPA for model_class in ARCHITECTURES[name].classes
    }
    expected = {(name, "eager") for name in classes}
    expected |= {(name, "sdpa") for name in classes - classes_without_sdpa}
    assert expected == set(cases_by_class), unrecorded_message(expected ^ set(cases_by_class), "record_operations")
    assert 4 <= min(cases_by_class.values())


def test_the_engine_counts_what_torch_counts() -> None:
    cases = [case for case in recording()["cases"] if case["attention"] == "eager" or case["trained"]]
    for case in cases:
        operations = operations_of(case)
        numbers = [operations.forward, operations.backward, operations_by_module(operations)]
        assert [case["forward"], case["backward"], case["modules"]] == numbers, case
    assert len(cases) > 400


def test_torch_does_not_count_the_fused_attention_of_a_cpu() -> None:
    """In evaluation mode on a CPU, torch runs its own attention as one kernel, and does not count its products."""
    cases = [case for case in recording()["cases"] if case["attention"] == "sdpa" and not case["trained"]]
    for case in cases:
        operations = operations_of(case)
        assert case["forward"] == operations.forward - operations.number(ATTENTION), case
    assert len(cases) > 190


@pytest.mark.parametrize(
    ("model", "model_class", "tokens", "number"),
    [
        (BASE, "BertModel", 1, 171_085_824),
        (BASE, "BertModel", 128, 22_348_431_360),
        (BASE, "BertModel", 512, 96_637_943_808),
        (BASE, "BertForMaskedLM", 128, 28_499_116_032),
        (LARGE, "BertModel", 128, 78_922_121_216),
    ],
)
def test_operations_are_those_that_torch_prints(model: str, model_class: str, tokens: int, number: int) -> None:
    """Source: FlopCounterMode of torch 2.13."""
    operations = Operations(Question(model_named(model), model_class), tokens)
    assert number == operations.forward == 2 * operations.multiply_adds
    assert number == sum(operations.number(block=block) for block in operations.blocks)
    assert 3 * number == operations.step
    assert 8 * number == operations._replace(batch=8).forward


def test_other_kinds_of_operations_are_counted_separately() -> None:
    """A bias costs one operation per element. The costs of the other kinds are those of google-research/electra."""
    operations = Operations(Question(model_named(BASE)), 128)
    assert operations.number(BIAS) == 128 * 12 * (5 * 768 + 3072) + 768
    assert operations.number(SOFTMAX) == 5 * 12 * 12 * 128**2
    assert operations.number(NORM) == 5 * 25 * 128 * 768
    assert operations.number(GELU) == 8 * 12 * 128 * 3072
    assert operations.polynomial().formula() == "L·(8·B·T·H² + 4·B·T²·H + 4·B·T·H·F) + 2·B·H²"
    # The prediction bias has two names, but is added only once.
    with_head = Operations(Question(model_named(BASE), "BertForMaskedLM"), 128)
    assert with_head.number(BIAS, block="mlm-head") == 128 * (768 + 30522)
    assert with_head.number(GELU, block="mlm-head") == 8 * 128 * 768


def test_sparse_attention_pads_texts() -> None:
    """Longformer pads texts to a multiple of its window, and BigBird pads long texts to a multiple of its block.

    BigBird uses full attention for short texts.

    Source: transformers 5.23, `_pad_to_window_size` and `_pad_to_block_size`, and the limit of 11 blocks.
    """
    full_window, one_token = (Operations(Question(LONGFORMER), tokens).forward for tokens in (512, 1))
    assert full_window == one_token < Operations(Question(LONGFORMER), 513).forward
    # 704 tokens are 11 blocks of 64 tokens.
    longest_short_text = Operations(Question(BIGBIRD), 704)
    assert longest_short_text.forward == Operations(Question(model_named(BASE).resized(P=4096)), 704).forward
    assert Operations(Question(BIGBIRD), 705).forward == Operations(Question(BIGBIRD), 768).forward
    full_attention = BIGBIRD._replace(attention_settings={"attention_type": "original_full"})
    assert Operations(Question(full_attention), 4096).forward > Operations(Question(BIGBIRD), 4096).forward


def test_the_number_of_global_tokens_may_be_chosen() -> None:
    """Each global token adds a query and two products with all tokens; the first also adds global keys and values.

    Source: LongformerSelfAttention in transformers 5.23. In sequence classification, the first token is global.
    """
    base, classifier = Question(LONGFORMER), Question(LONGFORMER, "LongformerForSequenceClassification")
    with_none, with_one, with_two = (Operations(base, 1024, global_tokens=number).forward for number in (0, 1, 2))
    assert with_none == Operations(base, 1024).forward
    query, products = 2 * 768**2, 2 * (2 * 2 * 1024 * 768)
    assert [12 * (query + products + 2 * 1024 * 2 * 768**2), 12 * (query + products)] == [
        with_one - with_none,
        with_two - with_one,
    ]
    with_default, with_one, with_none = (
        Operations(classifier, 1024, global_tokens=number).forward for number in (None, 1, 0)
    )
    assert with_default == with_one > with_none
    question_answering = Operations(Question(LONGFORMER, "LongformerForQuestionAnswering"), 1024)
    assert question_answering._replace(global_tokens=20).forward > question_answering._replace(global_tokens=19).forward
    for operations in (
        question_answering,
        question_answering._replace(global_tokens=1025),
        question_answering._replace(global_tokens=-1),
    ):
        with pytest.raises(BadChoice, match="attend to the whole text"):
            operations.forward  # noqa: B018
    with pytest.raises(BadChoice, match="cannot be chosen; leave out their number"):
        Operations(Question(model_named(BASE)), 128, global_tokens=0).forward  # noqa: B018


def test_the_window_of_a_config_counts() -> None:
    entries = json.loads((Path(__file__).parent / "published_configs.json").read_text(encoding="utf-8"))
    configs = {name: entry["config"] for name, entry in entries.items()}
    name = next(name for name, config in configs.items() if "attention_window" in config)
    config = configs[name]
    assert isinstance(config["attention_window"], list)
    models = [model_of_config(name, {**config, "attention_window": window}) for window in (256, [256] * 12, 512)]
    one_window, equal_windows, wider_window = (Operations(Question(model), 300).forward for model in models)
    assert one_window == equal_windows != wider_window


def test_questions_without_operations_are_refused() -> None:
    question = Question(model_named(BASE))
    refused_operations = [
        Operations(question.about("bert/pooler"), 128),
        Operations(question._replace(deviations=("pooler-left-out",)), 128),
        *(Operations(question, tokens) for tokens in (0, 513)),
        Operations(question, 128, batch=0),
        Operations(question, 128, other_tokens=513),
        *(
            Operations(Question(LONGFORMER._replace(attention_settings={"attention_window": window})), 128)
            for window in (7, 2, 0, "8", [8, 6], [], None, True)
        ),
        *(
            Operations(Question(BIGBIRD._replace(attention_settings={key: value})), 4000)
            for key in ("block_size", "num_random_blocks")
            for value in (0, -1, "3", None, True)
        ),
    ]
    for operations in refused_operations:
        with pytest.raises(BadChoice):
            operations.forward  # noqa: B018
    assert max_tokens(question) == 512
    assert max_tokens(Question(model_named("roberta-base"))) == 512
