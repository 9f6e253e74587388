"""Two counts of one part are compared: the answer says what the smaller one leaves out, or the larger one adds."""

import pytest

from .running import Scripts

# Sizes of BERT base: H = 768, F = 3,072, L = 12. Its attention has 4 x (H x H + H) parameters in each layer, its
# feed-forward network 2 x H x F + F + H, and each LayerNorm 2 x H.
COMPARISONS = [
    # 4 x H x H; without 4 x H
    (
        "In class we said attention has 4 * H^2 parameters per layer, so 2,359,296. torch says 2,362,368.",
        (
            "2,362,368 is self-attention in one layer of BERT base, uncased. "
            "2,359,296 is 3,072 fewer: it leaves out the biases of self-attention in one layer."
        ),
        [3072],
    ),
    # The same in German and Chinese
    (
        "Ich komme auf 2.359.296 für die Attention, torchinfo sagt aber 2.362.368",
        "2,359,296 is 3,072 fewer: it leaves out the biases of self-attention in one layer.",
        [3072],
    ),
    (
        "注意力层我算出 2,359,296，但 torchinfo 显示 2,362,368",
        "2,359,296 is 3,072 fewer: it leaves out the biases of self-attention in one layer.",
        [3072],
    ),
    # The right one comes first; without 4 x H and 2 x H
    (
        "torchinfo says 2,363,904 for BertAttention, but I get 2,359,296",
        (
            "it leaves out the biases of self-attention in one layer (3,072) and "
            "the LayerNorm after attention in one layer (1,536)."
        ),
        [3072, 1536],
    ),
    # No words say which one is right: without H
    (
        "Query is 589,824 vs 590,592, why do they differ?",
        (
            "590,592 is the query projection in one layer of BERT base, uncased. "
            "589,824 is 768 fewer: it leaves out the bias of the query projection in one layer."
        ),
        [768],
    ),
    # The first one is right because the second is not: 11 x 7,087,872
    (
        "the encoder has 85,054,464, not 7,087,872",
        (
            "85,054,464 is all encoder layers of BERT base, uncased. "
            "7,087,872 is 77,966,592 fewer: it leaves out 11 encoder layers."
        ),
        [77_966_592],
    ),
    # A count that no part has, which lacks the position table: 512 x 768
    (
        "BertEmbeddings: expected 23,837,184, got 23,443,968",
        "23,443,968 is 393,216 fewer: it leaves out the position embeddings.",
        [393_216],
    ),
    # A larger one: 2 x H of the LayerNorm, which is no part of self-attention alone, and H x H + H again
    (
        "I get 2,363,904 for self-attention but torch says 2,362,368",
        "2,363,904 is 1,536 more: it also counts the LayerNorm after attention in one layer.",
        [-1536],
    ),
    (
        "I get 2,952,960 for attention per layer, but the paper says 2,362,368",
        "2,952,960 is 590,592 more: it counts",
        [-590_592],
    ),
    # The named model's own sizes: H = 1,024
    (
        "For BERT large I get 4,194,304 for attention but torchinfo shows 4,198,400 per layer",
        "4,194,304 is 4,096 fewer: it leaves out the biases of self-attention in one layer.",
        [4096],
    ),
    # Parts with equally many parameters: H for each of two LayerNorms in 12 layers
    (
        "I counted the LayerNorms: 12 layers times 2 times 768 = 18,432. The site says 36,864. Why twice?",
        (
            "it leaves out the LayerNorm after the feed-forward network in all layers, the LayerNorm after attention "
            "in all layers, the shifts of the LayerNorms in all layers or the scales of the LayerNorms in all layers"
            "; these are equally large."
        ),
        [18_432],
    ),
    # A part beside the total of a class: 23,837,184 + 590,592
    (
        "My encoder layers have 85,054,464, but the total should be 109,482,240",
        (
            "109,482,240 is BERT base, uncased, as BertModel. "
            "85,054,464 is 24,427,776 fewer: it leaves out the embeddings and the pooler."
        ),
        [24_427_776],
    ),
    # The total of a class is right, whatever a tool says
    (
        "In Keras my BERT summary says Total params: 108,891,648. Isn't it 109,482,240?",
        "108,891,648 is 590,592 fewer: it leaves out the pooler.",
        [590_592],
    ),
    # Only the difference stands beside the count
    (
        "4*(768^2+768) + 768*3072*2 + 3072 + 768 = 7,084,800. Where are the missing 3,072?",
        (
            "7,087,872 is one encoder layer of BERT base, uncased. "
            "7,084,800 is 3,072 fewer: it leaves out the LayerNorms in one layer."
        ),
        [3072],
    ),
    # "Transformer" does not name the transform of the masked-LM head
    (
        "In exercise 3 we get 7,084,800 parameters for a transformer block but the solution sheet says 7,087,872.",
        "7,084,800 is 3,072 fewer: it leaves out the LayerNorms in one layer.",
        [3072],
    ),
    # The first one is asked about
    (
        "Why is the FFN 4,722,432 rather than 4,718,592",
        "4,718,592 is 3,840 fewer: it leaves out the biases of the feed-forward network in one layer.",
        [3840],
    ),
    # 108,891,648 is also ELECTRA base, which the text does not name
    (
        "Why do I get 108,891,648 instead of 109,482,240?",
        "108,891,648 is 590,592 fewer: it leaves out the pooler.",
        [590_592],
    ),
    # After a sum, whose account is kept
    (
        (
            "The position embeddings are 512 * 768 = 393,216. The token type embeddings are 2 * 768 = 1536. "
            "Word embeddings: 30522 * 768 = 23,440,896. Sum: 23,835,648. "
            "But the embeddings have 23,837,184 according to torchinfo."
        ),
        (
            "Your sum is right: the right number for the embedding tables in the model of BERT base, uncased, "
            "is 23,835,648. "
            "23,837,184 is the embeddings of BERT base, uncased. "
            "23,835,648 is 1,536 fewer: it leaves out the embeddings' LayerNorm."
        ),
        [1536],
    ),
]


@pytest.mark.parametrize(("text", "answer", "steps"), COMPARISONS, ids=lambda value: str(value)[:30])
def test_a_difference_within_a_part_is_explained(scripts: Scripts, text: str, answer: str, steps: list[int]) -> None:
    (account,) = scripts.call("accounts", [text])
    assert answer in account["headline"]
    bridge = account["bridge"]
    assert steps == [step["value"] for step in bridge["steps"]]
    assert bridge["start"] + sum(steps) == bridge["end"]


# The second number of each text is not another count of the part that the first one counts.
OTHERS = [
    "BERT base has 109,482,240 parameters, but BERT large has 335,141,888",
    "My sum for the encoder: 12 * 7,087,872 = 85,054,464. torchinfo prints 85,054,464",
    "The last GPU had 24,576 MB, but torch reports 23,028",
    "I have 2,363,136 for the FFN's first layer but it says 2,362,368",  # 768 is no part of this layer
    # The first of the two is a term of the sum
    "embeddings=23837184\nencoder=85054464\npooler=590592\nprint(embeddings+encoder+pooler)\n109482240",
    "12 * 7,077,888 + 23,835,648 = 108,770,304, but HF says 109,482,240",
]


@pytest.mark.parametrize("text", OTHERS, ids=lambda text: text[:30])
def test_other_pairs_of_numbers_are_not_compared(scripts: Scripts, text: str) -> None:
    (account,) = scripts.call("accounts", [text])
    assert account is None or not any("your count" in line["part"] for line in account["lines"])


H, F, V, P, L = 768, 3072, 30_522, 512, 12
"""The sizes of BERT base."""
DENSE = H * H + H
FEED_FORWARD = 2 * H * F + F + H

PARTS = {
    "self-attention in one layer": (4 * DENSE, [4 * H, DENSE, 3 * DENSE]),
    "self-attention in all layers": (L * 4 * DENSE, [L * 4 * H, L * DENSE]),
    "the feed-forward network in one layer": (FEED_FORWARD, [F + H, H * F + F, H * F + H]),
    "one encoder layer": (4 * DENSE + FEED_FORWARD + 4 * H, [4 * DENSE, FEED_FORWARD, 9 * H + F, 4 * H]),
    "the embeddings": ((V + P + 4) * H, [V * H, P * H, 2 * H]),
    "the pooler": (DENSE, [H, H * H]),
    "the masked-LM head": (DENSE + 2 * H + V, [V, 2 * H, DENSE]),
}
"""The number of parameters of each part, and those of parts within it."""

REMARKS = [
    "I count {own} for {part}, but torchinfo says {right}",
    "torch reports {right} for {part}, mine is {own}",
    "Why is {part} {right} and not {own}?",
    "My {part} has {own} instead of {right}",
    "{part}: expected {right}, got {own}",
]


@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize("sign", [-1, 1])
def test_the_steps_lead_from_one_count_to_the_other(scripts: Scripts, remark: str, sign: int) -> None:
    """The writer leaves out a part within the one that is counted, or counts it twice."""
    counts = [(part, right + sign * inner, right) for part, (right, others) in PARTS.items() for inner in others]
    texts = [remark.format(part=part, own=f"{own:,}", right=f"{right:,}") for part, own, right in counts]
    bridges = [account and account["bridge"] for account in scripts.call("accounts", texts)]
    ends = [bridge and (bridge["start"], bridge["end"]) for bridge in bridges]
    assert [(own, right) for _, own, right in counts] == ends
    steps = [sum(step["value"] for step in bridge["steps"]) for bridge in bridges]
    assert [right - own for _, own, right in counts] == steps
