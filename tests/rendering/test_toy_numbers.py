"""A reader who calculates with the toy model's printed numbers gets the next ones, within the stated slack."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import exp, pi, sqrt, tanh

import pytest

from macros.counting import CountingError
from macros.counting.architecture import ONE_LAYER
from macros.example import Run, run, toy
from macros.example.forward import Number, dot, gelu, root
from macros.rendering.components.toy_numbers import (
    DECODER_SLACK,
    MASKED_SENTENCE,
    POWER_SLACK,
    SLACK,
    addend,
    as_text,
    product,
)
from macros.rendering.figures.toy import weights_of
from macros.rendering.tables.toy import CUBIC_COEFFICIENT, tokens, vector


def as_printed(numbers: Sequence[Number]) -> list[float]:
    """Numbers rounded as on the page."""
    return [float(as_text(number).replace("−", "-")) for number in numbers]


def dense(inputs: Sequence[Number], path: str) -> list[Number]:
    """The outputs of a dense layer, computed from printed inputs."""
    matrix, bias = weights_of(path)
    return [
        dot(as_printed(inputs), column) + shift for column, shift in zip(zip(*matrix, strict=True), bias, strict=True)
    ]


def norm(inputs: Sequence[Number], path: str) -> list[Number]:
    """The outputs of LayerNorm, computed from printed inputs.

    The mean and the standard deviation are rounded as on the page.
    """
    row = as_printed(inputs)
    (mean,) = as_printed([sum(row) / len(row)])
    (deviation,) = as_printed([root(sum((cell - mean) ** 2 for cell in row) / len(row))])
    gamma, beta = toy().vectors[f"{path}/gamma"], toy().vectors[f"{path}/beta"]
    return [
        float(scale) * (cell - mean) / deviation + float(shift)
        for cell, scale, shift in zip(row, gamma, beta, strict=True)
    ]


def steps_from_printed_numbers(result: Run, position: int) -> Iterator[tuple[str, Sequence[Number], Sequence[Number]]]:
    """Each step of one token: its name, its results computed from printed inputs, and what they are compared with."""
    attention = f"{ONE_LAYER}/attention"
    for head in result.heads:
        scaled_scores = [score / round(sqrt(2), 2) for score in as_printed(head.scores[position])]
        powers = as_printed([exp(score) for score in head.scaled_scores[position]])
        yield "scaled scores", scaled_scores, head.scaled_scores[position]
        yield "powers", as_printed([exp(score) for score in as_printed(head.scaled_scores[position])]), powers
        yield "shares", [power / sum(powers) for power in powers], head.shares[position]
    values = list(zip(*result.values, strict=True))
    width = len(values) // len(result.heads)
    mixes = [
        dot(as_printed(result.heads[index // width].shares[position]), feature) for index, feature in enumerate(values)
    ]
    yield "mixes", mixes, result.mixes[position]
    yield (
        "output projection",
        dense(result.mixes[position], f"{attention}/output/dense"),
        result.attention_outputs[position],
    )
    yield (
        "LayerNorm after attention",
        norm(result.attention_norms[position].input, f"{attention}/output/LayerNorm"),
        result.attention_norms[position].output,
    )
    yield (
        "inner features",
        dense(result.attention_norms[position].output, f"{ONE_LAYER}/intermediate/dense"),
        result.inner_vectors[position],
    )
    yield (
        "GELU",
        [gelu(cell) for cell in as_printed(result.inner_vectors[position])],
        result.gelu_outputs[position],
    )
    yield (
        "second dense layer",
        dense(result.gelu_outputs[position], f"{ONE_LAYER}/output/dense"),
        result.feed_forward_outputs[position],
    )
    yield (
        "LayerNorm after the feed-forward network",
        norm(result.output_norms[position].input, f"{ONE_LAYER}/output/LayerNorm"),
        result.output_norms[position].output,
    )


def largest_differences() -> dict[str, float]:
    """For each step, the largest difference between a reader's result and the printed one."""
    result, masked_result = run(), run(MASKED_SENTENCE)
    steps = list(steps_from_printed_numbers(result, result.tokens.index(toy().followed_word)))
    steps.append(
        ("dense layer of the pooler", dense(result.output_norms[0].output, "bert/pooler/dense"), result.pooler_dense)
    )
    steps.append(("tanh of the pooler", [tanh(cell) for cell in as_printed(result.pooler_dense)], result.pooler_output))
    mask, transform = masked_result.tokens.index("[MASK]"), "cls/predictions/transform"
    transform_norm = masked_result.transform_norms[mask]
    steps.append(
        (
            "dense layer of the masked-LM head",
            dense(masked_result.output_norms[mask].output, f"{transform}/dense"),
            masked_result.transform_outputs[mask],
        )
    )
    steps.append(
        (
            "GELU of the masked-LM head",
            [gelu(cell) for cell in as_printed(masked_result.transform_outputs[mask])],
            transform_norm.input,
        )
    )
    steps.append(
        ("LayerNorm of the masked-LM head", norm(transform_norm.input, f"{transform}/LayerNorm"), transform_norm.output)
    )
    table = toy().matrices["bert/embeddings/word_embeddings"]
    biases = toy().vectors["cls/predictions/output_bias"]
    scores = [dot(as_printed(transform_norm.output), row) + bias for row, bias in zip(table, biases, strict=True)]
    steps.append(("decoder", scores, masked_result.logits[mask]))
    differences: dict[str, float] = {}
    for name, results, exact_results in steps:
        difference = max(
            abs(float(number) - printed_number)
            for number, printed_number in zip(results, as_printed(exact_results), strict=True)
        )
        differences[name] = max(differences.get(name, 0.0), difference)  # a step of attention is taken in every head
    return differences


def test_a_step_can_be_redone_from_the_page() -> None:
    """A reader who starts from printed numbers gets the next ones, within the slack that the page states."""
    differences = largest_differences()
    decoder, powers = differences.pop("decoder"), differences.pop("powers")
    assert {} == {step: difference for step, difference in differences.items() if difference > SLACK + 1e-9}
    assert pytest.approx(DECODER_SLACK) == decoder
    assert pytest.approx(POWER_SLACK) == powers


def test_the_approximation_of_gelu_is_within_the_slack() -> None:
    """Replacing erf with tanh, as on the feed-forward network's page, changes printed numbers by at most `SLACK`."""
    result = run()
    pairs = zip(
        result.inner_vectors[result.tokens.index("cat")], result.gelu_outputs[result.tokens.index("cat")], strict=True
    )
    largest_difference = 0.0
    for inner, gelu_output in pairs:
        (x,) = as_printed([inner])
        approximation, printed_output = as_printed(
            [x / 2 * (1 + tanh(sqrt(2 / pi) * (x + CUBIC_COEFFICIENT * x**3))), gelu_output]
        )
        largest_difference = max(largest_difference, abs(approximation - printed_output))
    assert pytest.approx(SLACK) == largest_difference


def test_every_token_has_its_vectors() -> None:
    """The vector, query, key and value of [CLS] and of "cat" were worked out by hand from `toy.toml`."""
    tokens_by_text = {token.text: token for token in tokens()}
    assert ["[CLS]", "the", "cat", "sat", "[SEP]"] == [*tokens_by_text]
    # [CLS] is 0, 0, −1, 3 plus 1, 0, 1, 0 plus 1, 0, 0, −1, with mean 1 and standard deviation 1.
    assert ("1, 0, −2, 2", "−2, 1; −1, −1", "1, −1; −2, −2", "1, −1; −1, 1") == tokens_by_text["[CLS]"][3:7]
    assert ("1, 0, 2, 0", "2, 1; 1, −1", "1, −1; 2, 0", "1, −1; 1, 1") == tokens_by_text["cat"][3:7]


def test_every_token_has_its_shares() -> None:
    """The shares of "the" and [MASK] in head 0 are the softmax of scores that were worked out by hand."""
    tokens_by_text = {token.text: token for token in (*tokens(), *tokens(MASKED_SENTENCE))}
    # In head 0, the query of "the" is 0, −1, so the scores are the negated second numbers of the keys.
    powers = [exp(score / sqrt(2)) for score in (1, 1, 1, -1, -1)]
    assert tuple(f"{power / sum(powers):.2f}" for power in powers) == tokens()[1].shares[0]
    powers = [exp(score / sqrt(2)) for score in (1, 1, -1, -1, -1)]
    assert tuple(f"{power / sum(powers):.2f}" for power in powers) == tokens_by_text["[MASK]"].shares[0]
    assert ("4", "2") == tokens_by_text["[MASK]"][1:3]
    assert vector("finished", "[MASK]") == ", ".join(map(as_text, run(MASKED_SENTENCE).output_norms[2].output))
    with pytest.raises(CountingError, match="no token"):
        vector("sum", "dog")


def test_sums_of_printed_numbers_are_within_the_slack() -> None:
    differences = []
    for result in (run(), run(MASKED_SENTENCE)):
        for index in range(len(result.tokens)):
            for head in result.heads:
                powers = [exp(score) for score in head.scaled_scores[index]]
                differences += [
                    sum(as_printed(powers)) - as_printed([sum(powers)])[0],
                    sum(as_printed(head.shares[index])) - 1,
                ]
            for output, residual, total in (
                (
                    result.attention_outputs[index],
                    result.embedding_norms[index].output,
                    result.attention_norms[index].input,
                ),
                (
                    result.feed_forward_outputs[index],
                    result.attention_norms[index].output,
                    result.output_norms[index].input,
                ),
            ):
                sums = map(sum, zip(as_printed(output), as_printed(residual), strict=True))
                differences += [
                    number - printed_number for number, printed_number in zip(sums, as_printed(total), strict=True)
                ]
    assert pytest.approx(SLACK) == max(map(abs, differences))


def test_fractions_are_printed_in_full_and_floats_with_two_decimals() -> None:
    """A zero has no sign."""
    assert ["3", "−0.5", "0.25"] == [as_text(Fraction(text)) for text in ("3", "-1/2", "1/4")]
    assert ["2.00", "−0.13", "0.00"] == [as_text(number) for number in (2.0, -0.125001, -0.004)]
    assert "2 × (−1) + 0 × 3 − 1" == product([Fraction(2), Fraction(0)], [Fraction(-1), Fraction(3)], Fraction(-1))
    assert ["+ 0.50", "− 2"] == [addend(0.5), addend(Fraction(-2))]
