"""BigBird, defined by its differences from BERT: a pooler in almost every class, and a larger head for answers.

Sparse attention has the same tensors as full attention. How much a model computes
depends on the length of a text, on the size of the blocks, and on how many of them
each block attends to. In short texts every token attends to every other.

Source: transformers 5.23, models/big_bird/modeling_big_bird.py and
configuration_big_bird.py.
"""

from collections.abc import Mapping
from typing import Any

from ..architecture import LAYER, Choices, ModelClass, Pairs, Setting, bare_class, dense, norm, output
from ..errors import BadChoice, quote
from .bert import BERT, NO_POOLER, WITH_POOLER, activation_setting

TYPE, SIZE, RANDOM = "attention_type", "block_size", "num_random_blocks"
SPARSE, FULL = "block_sparse", "original_full"

BLOCKS_AROUND = 5
"""The blocks to which each block attends, besides the random ones: itself, its two neighbours, the first and the last.

The first and the last block attend to the whole text, and their neighbours to one block fewer, because one of these
five is there twice.
"""


def pairs(attention: Mapping[str, Any], choices: Choices, _: str, tokens: int) -> Pairs:
    """The extent of attention for one text, which is filled up to a multiple of the block if it is long enough.

    Raises:
        BadChoice: a size of the blocks or the number of random ones is not a positive integer.
    """
    # With cross-attention, transformers takes full attention whatever the config says.
    blocks = None if choices.cross_attention else blocks_of(attention, tokens)
    if blocks is None:
        return _alike(tokens, tokens**2)
    size, random = blocks
    number = -(-tokens // size)
    of_blocks = 2 * number + 2 * (BLOCKS_AROUND - 1 + random) + (number - 4) * (BLOCKS_AROUND + random)
    return _alike(number * size, of_blocks * size**2)


def blocks_of(attention: Mapping[str, Any], tokens: int) -> tuple[int, int] | None:
    """The size of a block and the number of random blocks; None if all tokens of a text attend to each other.

    Raises:
        BadChoice: one of them is not a positive integer.
    """
    if attention[TYPE] == FULL:
        return None
    for key in (SIZE, RANDOM):
        if type(attention[key]) is not int or attention[key] < 1:
            raise BadChoice(f"{key} is {quote(attention[key])}; operations are counted for integers from 1")
    size, random = attention[SIZE], attention[RANDOM]
    return (size, random) if tokens > (BLOCKS_AROUND + 2 * random) * size else None


def _alike(tokens: int, pairs_of_tokens: int) -> Pairs:
    """Attention whose two products and whose softmax are over the same pairs of tokens."""
    return Pairs(tokens, scores=pairs_of_tokens, softmax=pairs_of_tokens, context=pairs_of_tokens)


BIGBIRD = BERT.variant(
    name="BigBird",
    model_type="big_bird",
    symbols=tuple(
        symbol._replace(
            source=symbol.source.replace("modeling.py, BertConfig", "configuration_big_bird.py, BigBirdConfig")
        )
        for symbol in BERT.symbols
    ),
    rows={
        "sequence_classifier": (*dense("sequence_classifier/dense", "H H"), *output("sequence_classifier", "C")),
        "cls/squad": (
            *dense("answer_head/intermediate/dense", "H F"),
            *dense("answer_head/output/dense", "F H"),
            *norm("answer_head/output/LayerNorm"),
            # It has two labels, whatever the config says.
            *output("cls/squad", "2"),
        ),
    },
    classes=(
        bare_class("BigBirdModel"),
        ModelClass(
            "BigBirdForPreTraining", "both pre-training tasks", ("cls/predictions", "cls/seq_relationship"), WITH_POOLER
        ),
        ModelClass("BigBirdForMaskedLM", "filling in masked tokens", ("cls/predictions",), WITH_POOLER),
        ModelClass("BigBirdForCausalLM", "causal language modelling", ("cls/predictions",), WITH_POOLER),
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
    sparse_attention=pairs,
    attention={TYPE: SPARSE, SIZE: 64, RANDOM: 3},
    settings=(
        Setting(
            "use_bias",
            True,
            "it decides whether query, key and value have biases, as in every published BigBird; set it to true",
            (True,),
        ),
        Setting(
            TYPE,
            SPARSE,
            'transformers knows no other attention than "block_sparse" and "original_full"; choose one of them',
            (SPARSE, FULL),
        ),
        activation_setting("hidden_act"),
    ),
)
