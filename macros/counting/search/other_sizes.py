"""The sizes that people may choose in place of a model's own, and the cost of each.

A total is linear in most sizes, so the search can solve it for one of them. A solution only
counts if people would choose that size: one more layer, the vocabulary of another model, a
power of two. This module defines the rules for that, and
`docs/assets/explaining/kinds/sizes.js` applies them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..deviations import load_deviations
from ..models import RELATIVE, Model, load_models, load_relatives
from ..rounding import rounded_up
from .known_numbers import SearchRules, is_named_miniature, load_search_rules

SMALLEST_VOCABULARY, LARGEST_VOCABULARY = 5_000, 1_000_000
"""The smallest and the largest vocabulary that the search considers."""

COMMON_TOKEN_COUNTS = (1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128)
"""The numbers of tokens that people often add to a vocabulary. Other numbers cost more."""

PADDING_MULTIPLES = (8, 64, 128)
"""People pad a vocabulary to a multiple of one of these numbers, because hardware then multiplies matrices faster."""

MAX_COMMON_LABELS = 20
"""The number of labels up to which all numbers are equally likely."""


class SizeRule(NamedTuple):
    """The multiples of `step` from `smallest` to `largest`, as sizes that people choose, and the cost of each."""

    smallest: int
    largest: int
    step: int
    cost: float


class LetterRules(NamedTuple):
    """The sizes that people choose for one letter. The first rule that fits decides.

    Attributes:
        base_letter: the letter whose size in the model is the key in `by_base`; empty if there are no such rules.
        by_base: the rules that hold only for models of a certain size, by that size; they are tried first.
        for_all: the rules for all models.
    """

    base_letter: str = ""
    by_base: Mapping[int, Sequence[SizeRule]] = {}
    for_all: tuple[SizeRule, ...] = ()


def other_sizes() -> dict[str, LetterRules]:
    """The rules for each letter."""
    search_rules = load_search_rules()
    all_models = [*load_models().values(), *load_relatives().values()]
    likely_models = [
        model for model in all_models if model.group != RELATIVE and search_rules.cost_of_model(model) <= 1
    ]
    vocabularies = sorted({model.sizes["V"] for model in all_models})
    # The costs of a size that many people choose, and of one that few people choose.
    common_cost, rare_cost = search_rules.costs["ways"]["size"], search_rules.costs["ways"]["odd-size"]

    miniatures = [model for model in all_models if is_named_miniature(model, search_rules)]

    def rules_by_size(
        letter: str,
        base_letter: str,
        rules_of: Callable[[int], Iterable[SizeRule]] | None = None,
        models: Iterable[Model] = likely_models,
    ) -> dict[int, list[SizeRule]]:
        """The rules for the size of one letter in some models, by their size for `base_letter`.

        A size to which a deviation leads is already found as that deviation. To keep the search from finding it twice,
        the first rules give it a cost beyond the limit.
        """
        resizing_deviations = [
            deviation for deviation in load_deviations().values() if deviation.resized.startswith(f"{letter} = ")
        ]
        sizes_of_deviations = {
            model.sizes[base_letter]: [deviation.resize(model).sizes[letter] for deviation in resizing_deviations]
            for model in models
        }
        cost_beyond = search_rules.limits["max_cost"] + 1
        return {
            size: [*_rules_for_single_sizes(values, cost_beyond), *(rules_of(size) if rules_of else ())]
            for size, values in sizes_of_deviations.items()
        }

    return {
        "L": LetterRules(
            "L",
            rules_by_size(
                "L",
                "L",
                lambda size: _rules_for_layers(size, common_cost, rare_cost),
                [*likely_models, *miniatures],
            ),
        ),
        "V": LetterRules(
            "V",
            rules_by_size("V", "V", lambda size: _rules_for_added_tokens(size, search_rules)),
            tuple(_rules_for_vocabularies(vocabularies, common_cost, rare_cost)),
        ),
        "P": LetterRules("P", rules_by_size("P", "P"), tuple(_rules_for_positions(common_cost, rare_cost))),
        "S": LetterRules("S", rules_by_size("S", "S"), (SizeRule(1, 4, 1, rare_cost),)),
        "F": LetterRules(
            "H", rules_by_size("F", "H", lambda size: _rules_for_inner_widths(size, common_cost, rare_cost))
        ),
        "C": LetterRules(for_all=tuple(_rules_for_labels(search_rules))),
    }


def _rules_for_single_sizes(values: Iterable[int], cost: float) -> Iterator[SizeRule]:
    """One rule for each of these sizes, all at the same cost; the smallest size comes first."""
    return (SizeRule(value, value, 1, cost) for value in sorted(set(values)))


def _powers_of_two(lowest: int, highest: int) -> list[int]:
    """The powers of two from `lowest` to `highest`, both included."""
    return [2**power for power in range(highest.bit_length()) if lowest <= 2**power <= highest]


def _rules_for_layers(layers: int, common_cost: float, rare_cost: float) -> Iterator[SizeRule]:
    """Numbers of layers: one fewer or more, half or twice as many, and any up to twice as many at a higher cost."""
    yield from _rules_for_single_sizes((layers - 1, layers + 1, layers // 2, 2 * layers), common_cost)
    yield SizeRule(1, 2 * layers, 1, rare_cost)


def _rules_for_added_tokens(vocabulary: int, search_rules: SearchRules) -> Iterator[SizeRule]:
    """Vocabularies with added tokens; a number that is not in `COMMON_TOKEN_COUNTS` costs two more."""
    cost = search_rules.costs["ways"]["size"]
    yield from _rules_for_single_sizes((vocabulary + tokens for tokens in COMMON_TOKEN_COUNTS), cost)
    yield SizeRule(vocabulary + 1, vocabulary + search_rules.limits["max_tokens"], 1, cost + 2)


def _rules_for_vocabularies(known_sizes: Iterable[int], common_cost: float, rare_cost: float) -> Iterator[SizeRule]:
    """Vocabularies of other models, as they are and padded to multiples of `PADDING_MULTIPLES`, and whole thousands."""
    yield from _rules_for_single_sizes((size for size in known_sizes if size >= SMALLEST_VOCABULARY), common_cost)
    yield SizeRule(10_000, LARGEST_VOCABULARY, 10_000, common_cost)
    yield SizeRule(SMALLEST_VOCABULARY, LARGEST_VOCABULARY, 1_000, rare_cost)
    padded_sizes = (
        rounded_up(size, step) for size in known_sizes for step in PADDING_MULTIPLES if size >= SMALLEST_VOCABULARY
    )
    yield from _rules_for_single_sizes(padded_sizes, rare_cost)


def _rules_for_positions(common_cost: float, rare_cost: float) -> Iterator[SizeRule]:
    """Lengths of the position table: powers of two, those of SQuAD and RoBERTa, and multiples of 100 and of 256."""
    # 384 is the usual sequence length for SQuAD; RoBERTa has 514 positions, because its position ids start at 2.
    yield from _rules_for_single_sizes((384, *_powers_of_two(16, 65_536)), common_cost)
    yield from (SizeRule(step, 1_024, step, rare_cost) for step in (100, 256))
    yield from _rules_for_single_sizes((514,), rare_cost)


def _rules_for_inner_widths(hidden_size: int, common_cost: float, rare_cost: float) -> Iterator[SizeRule]:
    """Widths inside the feed-forward network: multiples of the hidden size, powers of two, and multiples of 256."""
    yield SizeRule(hidden_size, 16 * hidden_size, hidden_size, common_cost)
    yield from _rules_for_single_sizes(_powers_of_two(1, 16 * hidden_size), common_cost)
    yield SizeRule(256, 16 * hidden_size, 256, rare_cost)


def _rules_for_labels(search_rules: SearchRules) -> Iterator[SizeRule]:
    """Numbers of labels: few labels, more labels at a higher cost, and whole hundreds."""
    cost = search_rules.costs["ways"]["labels"]
    yield SizeRule(1, MAX_COMMON_LABELS, 1, cost)
    yield SizeRule(1, search_rules.limits["max_labels"], 1, cost + 1)
    yield SizeRule(100, 1_000, 100, search_rules.costs["ways"]["many-labels"])
