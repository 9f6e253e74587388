"""The toy model computes what transformers computes with the same weights, and agrees with manual arithmetic."""

import gzip
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from macros.example import Run, run, toy
from macros.example.forward import gelu, root, softmax

RECORDING: dict[str, Any] = json.loads(gzip.decompress(Path(__file__).with_name("recorded_toy.json.gz").read_bytes()))
CASES: dict[str, dict[str, Any]] = {case["sentence"]: case for case in RECORDING["cases"]}

TOLERANCE = 1e-10
"""Largest allowed difference. The recording includes LayerNorm's epsilon, 10⁻¹², and the toy model does not."""

Numbers = Sequence[Any]
"""Numbers in nested sequences, such as a vector for each token."""

LAYER = "bert.encoder.layer.0."
"""The prefix of the names of modules in the only layer."""


def steps(result: Run) -> Iterator[tuple[str, str, Numbers]]:
    """For each step of the toy model: the name of a module of transformers, "input" or "output", and the numbers."""
    attention = f"{LAYER}attention."
    for module, end, numbers in (
        ("bert.embeddings.word_embeddings", "output", result.words),
        ("bert.embeddings.token_type_embeddings", "output", result.segments),
        (f"{attention}self.query", "output", result.queries),
        (f"{attention}self.key", "output", result.keys),
        (f"{attention}self.value", "output", result.values),
        (f"{attention}output.dense", "input", result.mixes),
        (f"{attention}output.dense", "output", result.attention_outputs),
        (f"{LAYER}intermediate.dense", "output", result.inner_vectors),
        (f"{LAYER}intermediate", "output", result.gelu_outputs),
        (f"{LAYER}output.dense", "output", result.feed_forward_outputs),
        ("bert.pooler.dense", "output", result.pooler_dense),
        ("cls.predictions.transform.dense", "output", result.transform_outputs),
    ):
        yield module, end, numbers
    for module, norms in (
        ("bert.embeddings.LayerNorm", result.embedding_norms),
        (f"{attention}output.LayerNorm", result.attention_norms),
        (f"{LAYER}output.LayerNorm", result.output_norms),
        ("cls.predictions.transform.LayerNorm", result.transform_norms),
    ):
        yield module, "input", [norm.input for norm in norms]
        yield module, "output", [norm.output for norm in norms]


def floats(numbers: Numbers) -> Any:
    """The numbers as floats, in lists that are nested in the same way."""
    return [floats(item) if isinstance(item, tuple | list) else float(item) for item in numbers]


def differences(result: Run, recording: dict[str, Any]) -> list[str]:
    """The names of the results that differ from those of transformers."""
    modules = recording["modules"]
    pairs = [(f"{module}, {end}", modules[module][end], numbers) for module, end, numbers in steps(result)]
    pairs += [
        ("attention weights", recording["attentions"], [head.shares for head in result.heads]),
        ("pooler output", modules["cls.seq_relationship"]["input"], result.pooler_output),
        ("logits", recording["logits"], result.logits),
        ("next sentence", recording["next_sentence"], result.next_sentence),
    ]
    return [name for name, theirs, ours in pairs if flat(theirs) != pytest.approx(flat(floats(ours)), abs=TOLERANCE)]


def flat(numbers: Any) -> list[float]:
    """All numbers of nested lists, in order."""
    return [cell for item in numbers for cell in flat(item)] if isinstance(numbers, list) else [numbers]


@pytest.mark.parametrize("sentence", CASES)
def test_every_step_is_that_of_transformers(sentence: str) -> None:
    assert [] == differences(run(sentence), CASES[sentence])


def test_a_wrong_step_is_noticed() -> None:
    correct_run, recording = run(), CASES[toy().sentence]
    assert ["attention weights"] == differences(correct_run._replace(heads=correct_run.heads[::-1]), recording)
    wrong_values = (*correct_run.values[:-1], (*correct_run.values[-1][:-1], Fraction(2)))
    wrong_run = correct_run._replace(values=wrong_values)
    assert [f"{LAYER}attention.self.value, output"] == differences(wrong_run, recording)


def test_numbers_on_the_pages_agree_with_manual_arithmetic() -> None:
    result, cat = run(), 2
    assert ("[CLS]", "the", "cat", "sat", "[SEP]") == result.tokens
    # 5 + 0 + 1, 0 + 2 + 0, 7 − 1 + 0, 2 + 1 − 1; the mean is 4, and the deviations are 2, −2, 2, −2.
    assert ((6, 2, 6, 2), 4, 4, 2, (1, -1, 1, -1), (1, 0, 2, 0)) == result.embedding_norms[cat]
    assert ((2, 1, 1, -1), (1, -1, 2, 0), (1, -1, 1, 1)) == tuple(
        rows[cat] for rows in (result.queries, result.keys, result.values)
    )
    assert [(1, -3, 1, 3, -1), (0, 4, 2, -2, 0)] == [head.scores[cat] for head in result.heads]
    # 3 ÷ √2 = 2.1213 and e^2.1213 = 8.342; the five powers of the first head add up to 13.011.
    assert pytest.approx(0.6411, abs=5e-5) == result.heads[0].shares[cat][3]


def test_exact_numbers_stay_exact() -> None:
    result = run()
    matrices_before_softmax = [result.queries, result.keys, result.values, *(head.scores for head in result.heads)]
    assert all(isinstance(cell, Fraction) for rows in matrices_before_softmax for row in rows for cell in row)
    norms = (*result.embedding_norms, *run("the [MASK] sat").embedding_norms)
    assert all(isinstance(cell, Fraction) and cell.denominator == 1 for norm in norms for cell in norm.output)


def test_the_masked_word_is_predicted() -> None:
    result = run("the [MASK] sat")
    scores = dict(zip(toy().vocabulary, result.logits[2], strict=True))
    assert "cat" == max(scores, key=lambda token: float(scores[token]))


def test_functions_have_the_values_of_a_table_or_of_manual_arithmetic() -> None:
    # Source: a table of the standard normal distribution: Φ(1) = 0.8413, Φ(−2) = 0.0228.
    assert pytest.approx([0.8413, -0.0455], abs=5e-5) == [gelu(1), gelu(-2)]
    assert pytest.approx((0.25, 0.25, 0.25, 0.25)) == softmax((3, 3, 3, 3))
    assert (Fraction(3, 2), sqrt(2)) == (root(Fraction(9, 4)), root(Fraction(2)))
