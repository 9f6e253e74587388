"""BigBird, defined by its differences from BERT: a pooler in almost every class, and a larger head for answers.

Sparse attention has the same tensors as full attention. How much a model computes
depends on the length of a text, on the size of the blocks, and on how many of them
each block attends to. In short texts every token attends to every other.

Source: transformers 5.23, models/big_bird/modeling_big_bird.py and
configuration_big_bird.py.
"""

from collections.abc import Mapping
from typing import Any

from ..architecture import LAYER, Choices, ModelClass, Setting, SparseAttention, bare_class, dense, norm, output
from ..errors import BadChoice, quote
from ..rounding import quotient_rounded_up
from .bert import BERT, NO_POOLER, WITH_POOLER, activation_setting, symbols_in

ATTENTION_TYPE, BLOCK_SIZE, RANDOM_BLOCKS = "attention_type", "block_size", "num_random_blocks"
"""The config keys of attention."""

SPARSE, FULL = "block_sparse", "original_full"
"""The values of `ATTENTION_TYPE`."""

BLOCKS_AROUND = 5
"""The number of blocks that a block attends to, apart from the random ones.

These are the block itself, its two neighbours, the first and the last.
The first and the last block attend to the whole text. Their neighbours attend to one block fewer than the others,
because the first or last block is also a neighbour of theirs.
"""


def attention_extent(attention: Mapping[str, Any], choices: Choices, tokens: int, _: int) -> SparseAttention:
    """The extent of attention for one text. With sparse attention, the text is padded to a multiple of the block size.

    Raises:
        BadChoice: the size of a block or the number of random blocks is not a positive integer.
    """
    # With cross-attention, transformers uses full attention whatever the config says.
    sparse_settings = None if choices.cross_attention else block_size_and_random_blocks(attention, tokens)
    if sparse_settings is None:
        return _uniform_extent(tokens, tokens**2)
    block_size, random_blocks = sparse_settings
    blocks = quotient_rounded_up(tokens, block_size)
    # The blocks at the two ends, their two neighbours, and the other blocks; see `BLOCKS_AROUND`.
    pairs_of_ends = 2 * blocks
    pairs_of_neighbours = 2 * (BLOCKS_AROUND - 1 + random_blocks)
    pairs_of_other_blocks = (blocks - 4) * (BLOCKS_AROUND + random_blocks)
    pairs_of_blocks = pairs_of_ends + pairs_of_neighbours + pairs_of_other_blocks
    return _uniform_extent(blocks * block_size, pairs_of_blocks * block_size**2)


def block_size_and_random_blocks(attention: Mapping[str, Any], tokens: int) -> tuple[int, int] | None:
    """The size of a block and the number of random blocks; None if all tokens of a text attend to each other.

    Raises:
        BadChoice: one of them is not a positive integer.
    """
    if attention[ATTENTION_TYPE] == FULL:
        return None
    for key in (BLOCK_SIZE, RANDOM_BLOCKS):
        if type(attention[key]) is not int or attention[key] < 1:
            raise BadChoice(f"{key} is {quote(attention[key])}; operations are counted for integers from 1")
    block_size = attention[BLOCK_SIZE]
    random_blocks = attention[RANDOM_BLOCKS]
    # For shorter texts, transformers falls back to full attention.
    return (block_size, random_blocks) if tokens > (BLOCKS_AROUND + 2 * random_blocks) * block_size else None


def _uniform_extent(tokens: int, pairs_of_tokens: int) -> SparseAttention:
    """The extent of attention whose two products and softmax all cover the same pairs of tokens."""
    return SparseAttention(tokens, scores=pairs_of_tokens, softmax=pairs_of_tokens, context=pairs_of_tokens)


BIGBIRD = BERT.variant(
    name="BigBird",
    model_type="big_bird",
    symbols=symbols_in("configuration_big_bird.py, BigBirdConfig"),
    rows={
        "sequence_classifier": (*dense("sequence_classifier/dense", "H H"), *output("sequence_classifier", "C")),
        "cls/squad": (
            *dense("answer_head/intermediate/dense", "H F"),
            *dense("answer_head/output/dense", "F H"),
            *norm("answer_head/output/LayerNorm"),
            # This layer has two labels, whatever the config says.
            *output("cls/squad", "2"),
        ),
    },
    classes=(
        bare_class("BigBirdModel"),
        ModelClass(
            "BigBirdForPreTraining", "both pre-training tasks", ("cls/predictions", "cls/seq_relationship"), WITH_POOLER
        ),
        ModelClass("BigBirdForMaskedLM", "filling in masked tokens", ("cls/predictions",), WITH_POOLER),
        ModelClass("BigBirdForCausalLM", "predicting the next token", ("cls/predictions",), WITH_POOLER),
        ModelClass("BigBirdForSequenceClassification", "a label for a text", ("sequence_classifier",), WITH_POOLER),
        ModelClass("BigBirdForMultipleChoice", "a score for each choice", ("multiple_choice",), WITH_POOLER),
        ModelClass("BigBirdForTokenClassification", "a label for each token", ("token_classifier",), WITH_POOLER),
        ModelClass(
            "BigBirdForQuestionAnswering",
            "start and end of an answer",
            ("answer_head", "cls/squad"),
            NO_POOLER,
        ),
    ),
    modules={
        LAYER: "bert.encoder.layer.*",
        "bert/pooler/dense": "bert.pooler",
        "sequence_classifier": "classifier.out_proj",
        "sequence_classifier/dense": "classifier.dense",
        "answer_head": "qa_classifier",
        "cls/squad": "qa_classifier.qa_outputs",
    },
    sparse_attention=attention_extent,
    attention_settings={ATTENTION_TYPE: SPARSE, BLOCK_SIZE: 64, RANDOM_BLOCKS: 3},
    settings=(
        Setting(
            "use_bias",
            True,
            "it decides whether query, key and value have biases, as in every published BigBird; set it to true",
            (True,),
        ),
        Setting(
            ATTENTION_TYPE,
            SPARSE,
            'transformers knows no other attention than "block_sparse" and "original_full"; choose one of them',
            (SPARSE, FULL),
        ),
        activation_setting("hidden_act"),
    ),
)
