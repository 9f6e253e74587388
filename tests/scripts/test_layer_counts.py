"""Numbers of parameters added up by layer are recognised, and numbers of tensors beside others are ignored."""

from collections import Counter
from collections.abc import Callable

import pytest

from macros.counting import load_models
from macros.counting.frameworks.listing import tensors
from macros.counting.question import Question

from .running import Scripts

BERT_BASE = Question(load_models()["bert-base-uncased"])


def counts_by_layer() -> Counter[str]:
    """The parameters of `BertModel` in each layer by its number, and in no layer under the key "NaN"."""
    counts: Counter[str] = Counter()
    for tensor in tensors(BERT_BASE):
        parts = tensor.transformers.split(".")
        counts[parts[parts.index("layer") + 1] if "layer" in parts else "NaN"] += tensor.size
    return counts


def as_series(counts: Counter[str]) -> str:
    """The text that pandas prints for a column grouped by a column of strings, which it sorts as such."""
    rows = [f"{key:<3} {count:>12}" for key, count in sorted(counts.items())]
    return "\n".join(["layer", *rows, "Name: numel, dtype: int64"])


LAYOUTS: dict[str, Callable[[Counter[str]], str]] = {
    "series": as_series,
    "dictionary": lambda counts: str({int(key) if key.isdigit() else "rest": count for key, count in counts.items()}),
    "lines": lambda counts: "\n".join(f"layer {key}: {count:,}" for key, count in counts.items()),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_counts_by_layer_add_up_to_a_model(scripts: Scripts, layout: str) -> None:
    text = LAYOUTS[layout](counts_by_layer())
    [account] = scripts.call("accountsAsTexts", [text])
    assert account["headline"].startswith("Each of the 12 layers has 7,087,872 parameters, as in BERT base, uncased")
    assert "your numbers add up to its 109,482,240 parameters as BertModel" in account["headline"]
    assert account["confidence"] == "certain"


@pytest.mark.parametrize(
    "fault", [{"11": 1}, {"NaN": 768}, {"12": 7_087_872}], ids=["a layer differs", "too many", "a layer too many"]
)
def test_counts_that_are_not_those_of_a_model_are_not_said_to_be(scripts: Scripts, fault: dict[str, int]) -> None:
    [account] = scripts.call("accountsAsTexts", [LAYOUTS["lines"](counts_by_layer() + Counter(fault))])
    assert account is None or "your numbers add up to its" not in account["headline"]


@pytest.mark.parametrize(
    "text",
    [
        "        count       sum\nkind\nembeddings  5  23837184\nencoder  192  85054464\npooler  2  590592",
        "            params  n_tensors\nembeddings  23837184  5\nencoder  85054464  192\npooler  590592  2",
        "embeddings: 5 tensors, 23,837,184 params\nencoder: 192 tensors, 85,054,464\npooler: 2 tensors, 590,592",
    ],
)
def test_numbers_of_tensors_are_no_terms(scripts: Scripts, text: str) -> None:
    [account] = scripts.call("accountsAsTexts", [text])
    assert account["headline"].startswith("This is BERT base, uncased, as BertModel: 109,482,240 parameters.")


def test_the_only_number_of_a_row_stays(scripts: Scripts) -> None:
    """A heading "Count" may be that of the parameters, and each shape may have only a number of tensors."""
    table = "Parameter\tCount\nword_embeddings\t23440896\nposition_embeddings\t393216\ntoken_type_embeddings\t1536"
    shapes = "(768,): 111 tensors\n(768, 768): 49 tensors\n(3072, 768): 12 tensors\n(3072,): 12 tensors"
    rest = "(768, 3072): 12 tensors\n(30522, 768): 1 tensor\n(512, 768): 1 tensor\n(2, 768): 1 tensor"
    of_table, of_shapes = scripts.call("accountsAsTexts", [table, f"{shapes}\n{rest}"])
    assert "23,835,648" in of_table["headline"]  # (30,522 + 512 + 2) × 768
    assert "109,482,240 parameters in 199 tensors" in of_shapes["headline"]
