"""Numbers that students and engineers have in hand, each with the reason a good teacher would give.

They were worked out by hand, before the search that answers them
was rewritten, from the sizes in the published configurations, and checked
against the real implementations where there is one. The comment above each
number is the arithmetic. Nothing here is computed by the engine, and nothing
here is to be changed because an answer differs, unless the reason is wrong.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Known(NamedTuple):
    """A text that somebody types, and what the first answer must say.

    Each of `says` is a list of alternatives separated by "|", one of which
    must be in the answer, from the start of a word and in any case. Where
    `says` is empty no reason is known: the answer may only be near, or none.
    """

    typed: str
    because: str
    says: tuple[str, ...]
    kind: str

    def is_said(self, answer: str) -> bool:
        """Whether an answer gives this reason; one that needs no words is always given."""
        return all(any(_begins_a_word(word, answer) for word in words.split("|")) for words in self.says)


def _begins_a_word(word: str, answer: str) -> bool:
    """Whether a word starts in the answer: "cased" not within "uncased", "384" not within "98,384".

    A word in small letters may also be a part of a class's name: "masked" in "BertForMaskedLM".
    """
    within = rf"|(?<=[a-z]){re.escape(word.capitalize())}" if word.islower() else ""
    return bool(re.search(rf"(?i:(?<!\w)(?<!\d[,.]){re.escape(word)}){within}", answer))


# Alternatives that many answers share.
BASE = "BERT base|bert-base"
LARGE = "BERT large|bert-large"
CASED = "base, cased|base cased|base-cased|BioBERT"
QKV = "query|Q, K|QKV"
ONE_HEAD = "one head|per head|each head|a head|single head"
BARE = "bias|kernel|matrices|matrix|weights only"
FLOAT32 = "float32|fp32|32-bit|32 bit|4 bytes|four bytes"
HALF = "float16|fp16|bfloat16|16-bit|16 bit|half|2 bytes|two bytes"
INT8 = "int8|8-bit|8 bit|1 byte|one byte|quanti"
ADAM = "Adam|optimizer|moments|gradients"
WRONG = "one digit|a digit|wrong digit"
MISSING = "missing|dropped|left out|one digit|a digit"
DOUBLED = "twice|doubled|repeated|one digit|a digit"
OFF_BY_ONE = "1 away|one away|1 more|one more|1 less|one less|1 too|one too|off by one|one digit|last digit"

KNOWN: tuple[Known, ...] = (
    # Right totals.
    # 23,837,184 + 12 × 7,087,872 + 590,592
    Known("109,482,240", "This is BERT base uncased, the bare model.", (BASE,), "right total"),
    # 31,782,912 + 24 × 12,596,224 + 1,082,170
    Known("335,174,458", "This is BERT large with the masked-LM head and no pooler.", (LARGE, "masked"), "right total"),
    # 109,482,240 + 622,650 + 1,538
    Known(
        "110,106,428",
        "This is BERT base with both pre-training heads.",
        (BASE, "pre-training|pretraining"),
        "right total",
    ),
    # 109,482,240 - (30,522 - 28,996) × 768: BioBERT is the same
    Known("108,310,272", "This is BERT base cased, or BioBERT, which has its vocabulary.", (CASED,), "right total"),
    # 102,267,648 + 1,536 + 21,128
    Known(
        "102,290,312",
        "This is BERT base Chinese with the masked-LM head and no pooler.",
        ("Chinese", "masked"),
        "right total",
    ),
    # 109,482,240 + (105,879 - 30,522) × 768
    Known("167,356,416", "This is BERT base multilingual uncased.", ("multilingual uncased",), "right total"),
    # 335,141,888 - (30,522 - 28,996) × 1,024
    Known("333,579,264", "This is BERT large cased.", (LARGE, "cased"), "right total"),
    # 31,038 × 512 + 8 × 3,152,384 + 262,656
    Known("41,373,184", "This is BERT medium, the miniature with 8 layers of 512.", ("medium",), "right total"),
    # 31,038 × 128 + 2 × 198,272 + 16,512
    Known("4,385,920", "This is BERT tiny, the miniature with 2 layers of 128.", ("tiny",), "right total"),
    # 177,853,440 + 590,592 + 1,536 + 119,547 + 1,538
    Known(
        "178,566,653",
        "This is BERT base multilingual cased with both pre-training heads.",
        ("multilingual cased", "pre-training|pretraining"),
        "right total",
    ),
    # 109,482,240 - 590,592 + 2 × 769
    Known(
        "108,893,186",
        "This is BERT base for question answering, which has two outputs and no pooler.",
        (BASE, "question|token|labels"),
        "right total",
    ),
    # 109,482,240 + 2 × 769
    Known(
        "109,483,778",
        "This is BERT base with a classifier of two labels, or with the next-sentence head.",
        (BASE, "classif|labels|next"),
        "right total",
    ),
    # One usual slip.
    # 102,267,648 - 590,592
    Known("101,677,056", "You left out the pooler of BERT base Chinese.", ("Chinese", "pooler"), "one slip"),
    # 177,853,440 - 590,592
    Known(
        "177,262,848",
        "You left out the pooler of BERT base multilingual cased.",
        ("multilingual cased", "pooler"),
        "one slip",
    ),
    # 28,763,648 - 262,656
    Known("28,500,992", "You left out the pooler of BERT small.", ("small", "pooler"), "one slip"),
    # 333,579,264 - 1,049,600
    Known("332,529,664", "You left out the pooler of BERT large cased.", (LARGE, "cased", "pooler"), "one slip"),
    # 109,514,298 + 30,522 × 768
    Known("132,955,194", "You counted the tied decoder again in the masked-LM model.", (BASE, "decoder"), "one slip"),
    # 336,226,108 + 30,522 × 1,024
    Known(
        "367,480,636",
        "You counted the tied decoder again in BERT large for pre-training.",
        (LARGE, "decoder"),
        "one slip",
    ),
    # 102,882,442 + 21,128 × 768
    Known(
        "119,108,746",
        "You counted the tied decoder again in BERT base Chinese for pre-training.",
        ("Chinese", "decoder"),
        "one slip",
    ),
    # 109,514,298 + 590,592
    Known("110,104,890", "You counted a pooler that the masked-LM model no longer has.", (BASE, "pooler"), "one slip"),
    # 335,141,888 - 24 × (4 × 1,024 + 4,096 + 1,024)
    Known("334,920,704", "You left the linear biases out of the layers of BERT large.", (LARGE, "bias"), "one slip"),
    # 109,482,240 - 82,944 - 768
    Known(
        "109,398,528", "You left out the biases of all linear layers, the pooler's as well.", (BASE, "bias"), "one slip"
    ),
    # 335,141,888 - 23 × 4,198,400
    Known(
        "238,578,688", "You counted attention for one of the 24 layers of BERT large.", (LARGE, "attention"), "one slip"
    ),
    # 109,482,240 - 11 × 4,722,432
    Known(
        "57,535,488",
        "You counted the feed-forward network for one of the twelve layers.",
        (BASE, "feed-forward"),
        "one slip",
    ),
    # 109,482,240 - 12 × 590,592
    Known(
        "102,395,136",
        "You forgot the output projection of attention in every layer.",
        (BASE, "output|projection"),
        "one slip",
    ),
    # 109,482,240 - 512 × 768
    Known(
        "109,089,024", "You forgot the position table, or took it as fixed sinusoids.", (BASE, "position"), "one slip"
    ),
    # 335,141,888 - 24 × 2 × 1,024
    Known(
        "335,092,736",
        "You counted one LayerNorm per layer of BERT large where there are two.",
        (LARGE, "LayerNorm"),
        "one slip",
    ),
    # 109,482,240 + 12 × 2 × 768
    Known(
        "109,500,672", "You counted three LayerNorms per layer where there are two.", (BASE, "LayerNorm"), "one slip"
    ),
    # 109,482,240 - 25 × (2 × 768 - 2 × 512)
    Known(
        "109,469,440",
        "You sized LayerNorm by the 512 positions where it has the 768 features.",
        (BASE, "LayerNorm", "position"),
        "one slip",
    ),
    # 109,482,240 - 12 × (3,072 + 768)
    Known(
        "109,436,160",
        "You left out the biases of the feed-forward networks.",
        (BASE, "bias", "feed-forward"),
        "one slip",
    ),
    # 335,141,888 - 24 × 4 × 1,024
    Known(
        "335,043,584", "You left out the biases of attention in BERT large.", (LARGE, "bias", "attention"), "one slip"
    ),
    # 109,482,240 - 12 × 3 × 768
    Known("109,454,592", "You left out the biases of Q, K and V.", (BASE, "bias", QKV), "one slip"),
    # 109,482,240 + 12 × (12 - 1) × 1,771,776
    Known("343,356,672", "You gave each of the 12 heads Q, K and V of the full 768 x 768.", (BASE, "head"), "one slip"),
    # 109,482,240 + (16 - 2) × 768
    Known(
        "109,492,992",
        "You kept the default of 16 segments where the released model has 2.",
        (BASE, "16", "segment|type_vocab_size"),
        "one slip",
    ),
    # 109,482,240 + 512
    Known(
        "109,482,752",
        "You added the buffer position_ids, which is not a parameter.",
        (BASE, "position_ids|buffer"),
        "one slip",
    ),
    # 109,482,240 + 30,522 × 768
    Known(
        "132,923,136",
        "You added the decoder to the bare model, where it is tied and belongs to a head.",
        (BASE, "decoder|output layer"),
        "one slip",
    ),
    # 108,310,272 - 2 × 768
    Known(
        "108,308,736",
        "You forgot the segment table of BERT base cased, or the LayerNorm of the embeddings, which has the same size.",
        (CASED, "segment|LayerNorm"),
        "one slip",
    ),
    # Two slips.
    # 109,482,240 - 590,592 - 82,944
    Known("108,808,704", "You left out the pooler and the linear biases.", (BASE, "pooler", "bias"), "two slips"),
    # 335,141,888 - 1,049,600 - 221,184
    Known(
        "333,871,104",
        "You left out the pooler and the linear biases of BERT large.",
        (LARGE, "pooler", "bias"),
        "two slips",
    ),
    # 109,482,240 - 590,592 - 1,536
    Known(
        "108,890,112",
        "You left out the pooler, and the segments or the LayerNorm of the embeddings.",
        (BASE, "pooler", "segment|LayerNorm"),
        "two slips",
    ),
    # 109,482,240 - 590,592 - 393,216
    Known(
        "108,498,432",
        "You left out the pooler and took the positions as fixed sinusoids.",
        (BASE, "pooler", "position"),
        "two slips",
    ),
    # 177,853,440 - 590,592 - 393,216
    Known(
        "176,869,632",
        "You left out the pooler and the positions of BERT base multilingual cased.",
        ("multilingual cased", "pooler", "position"),
        "two slips",
    ),
    # 335,141,888 - 1,049,600 - 49,152
    Known(
        "334,043,136",
        "You left out the pooler and one LayerNorm in each layer of BERT large.",
        (LARGE, "pooler", "LayerNorm"),
        "two slips",
    ),
    # 102,267,648 - 590,592 - 11 × 2,362,368
    Known(
        "75,691,008",
        "You left out the pooler of BERT base Chinese and counted attention for one layer.",
        ("Chinese", "pooler", "attention"),
        "two slips",
    ),
    # 167,356,416 - 590,592 - 11 × 2,362,368
    Known(
        "140,779,776",
        "You left out the pooler of BERT base multilingual uncased and counted attention for one layer.",
        ("multilingual uncased", "pooler", "attention"),
        "two slips",
    ),
    # 109,514,298 + 30,522 × 768 + 30,522
    Known(
        "132,985,716",
        "You summed the state_dict() of the masked-LM model, with decoder and prediction bias stored twice.",
        (BASE, "decoder|state_dict", "bias|state_dict"),
        "two slips",
    ),
    # 108,340,804 + 590,592 + 28,996 × 768
    Known(
        "131,200,324",
        "You counted pooler and decoder in the masked-LM model of BERT base cased.",
        (CASED, "pooler", "decoder"),
        "two slips",
    ),
    # 109,482,240 - 590,592 - 12 × 590,592
    Known(
        "101,804,544",
        "You left out the pooler and all twelve output projections.",
        (BASE, "pooler", "output|projection"),
        "two slips",
    ),
    # 109,081,344 - 590,592
    Known(
        "108,490,752",
        "You rounded the vocabulary to 30,000 and left out the pooler.",
        (BASE, "30,000", "pooler"),
        "two slips",
    ),
    # 109,482,240 - 83,712 - 38,400
    Known(
        "109,360,128",
        "You counted matrices and tables only, without linear biases and LayerNorms.",
        (BASE, "bias", "LayerNorm"),
        "two slips",
    ),
    # Three slips and more, some of them in print.
    # 102,267,648 - 590,592 - 25,986,048 - 3,072 - 46,080: in print
    Known(
        "75,641,856",
        "A hand count of BERT base Chinese left out pooler and biases and counted attention for one layer.",
        ("Chinese", "pooler", "attention", "bias"),
        "three or more slips",
    ),
    # 109,482,240 - 590,592 - 1,536 - 82,944 + 36,864: a calculator prints it
    Known(
        "108,844,032",
        "A calculator leaves out pooler, segments and linear biases, and counts the LayerNorms of the layers twice.",
        (BASE, "pooler", "bias"),
        "three or more slips",
    ),
    # 110,106,428 + 23,440,896 - 1,536 + 488 × 768: a textbook's own model
    Known(
        "133,920,572",
        "A textbook's model has 1,000 positions, a decoder of its own and no LayerNorm on the embeddings.",
        (BASE, "decoder", "position"),
        "three or more slips",
    ),
    # 102,267,648 - 590,592 - 82,944 - 38,400
    Known(
        "101,555,712",
        "You counted the tables and the matrices of the layers of BERT base Chinese, and nothing else.",
        ("Chinese", "pooler", "bias"),
        "three or more slips",
    ),
    # 335,141,888 - 1,049,600 - 2,048 - 221,184 - 49,152
    Known(
        "333,819,904",
        "You left out the pooler, the segments, the linear biases and one LayerNorm per layer of BERT large.",
        (LARGE, "pooler", "bias"),
        "three or more slips",
    ),
    # Other sizes: each is a BERT that somebody configured.
    # 109,482,240 - 7,087,872
    Known("102,394,368", "This is BERT base with 11 layers.", (BASE, "11 layers|eleven layers"), "size"),
    # 109,482,240 + 7,087,872
    Known("116,570,112", "This is BERT base with 13 layers.", (BASE, "13 layers|thirteen layers"), "size"),
    # 109,482,240 - 6 × 7,087,872: DistilBERT's classifier is 2 away
    Known(
        "66,955,008",
        "This is BERT base with 6 layers, pooler and segments included.",
        ("6 layers|six layers|miniature",),
        "size",
    ),
    # 109,482,240 - 8 × 7,087,872
    Known("52,779,264", "This is BERT base with 4 layers.", ("4 layers|four layers|miniature",), "size"),
    # 335,141,888 - 12,596,224
    Known("322,545,664", "This is BERT large with 23 layers.", (LARGE, "23 layers"), "size"),
    # 102,267,648 - 7,087,872
    Known("95,179,776", "This is BERT base Chinese with 11 layers.", ("Chinese", "11 layers|eleven layers"), "size"),
    # 109,482,240 - 7,087,872 - 590,592
    Known(
        "101,803,776",
        "This is BERT base with 11 layers and no pooler.",
        (BASE, "11 layers|eleven layers", "pooler"),
        "size",
    ),
    # 109,514,298 - 7,087,872
    Known(
        "102,426,426",
        "This is BERT base with 11 layers and the masked-LM head.",
        (BASE, "11 layers|eleven layers", "masked"),
        "size",
    ),
    # 109,482,240 - (512 - 384) × 768
    Known("109,383,936", "This is BERT base with 384 positions.", (BASE, "384", "position"), "size"),
    # 109,514,298 - (512 - 384) × 768
    Known(
        "109,415,994", "This is BERT base with 384 positions and the masked-LM head.", (BASE, "384", "position"), "size"
    ),
    # 109,482,240 + (1,024 - 512) × 768
    Known("109,875,456", "This is BERT base with 1,024 positions.", (BASE, "1,024|1024", "position"), "size"),
    # 335,141,888 + (2,048 - 512) × 1,024
    Known("336,714,752", "This is BERT large with 2,048 positions.", (LARGE, "2,048|2048", "position"), "size"),
    # 109,482,240 - 12 × 1,024 × 1,537
    Known(
        "90,595,584",
        "This is BERT base with a feed-forward network of 2,048.",
        (BASE, "2,048|2048", "feed-forward|intermediate"),
        "size",
    ),
    # 109,482,240 + 12 × 1,024 × 1,537
    Known(
        "128,368,896",
        "This is BERT base with a feed-forward network of 4,096.",
        (BASE, "4,096|4096", "feed-forward|intermediate"),
        "size",
    ),
    # 109,482,240 - (30,522 - 21,000) × 768: or 102,267,648 - (512 - 384) × 768
    Known(
        "102,169,344",
        "This is BERT base with a vocabulary of 21,000, or BERT base Chinese with 384 positions.",
        ("21,000|384",),
        "size",
    ),
    # 109,482,240 + (32,000 - 30,522) × 768
    Known(
        "110,617,344", "This is BERT base with a vocabulary of 32,000.", (BASE, "32,000", "vocabulary|tokens"), "size"
    ),
    # 109,482,240 + (50,000 - 30,522) × 768: GPT-2 is 1,536 away
    Known(
        "124,441,344", "This is BERT base with a vocabulary of 50,000.", (BASE, "50,000", "vocabulary|tokens"), "size"
    ),
    # 335,141,888 + (50,000 - 30,522) × 1,024
    Known(
        "355,087,360", "This is BERT large with a vocabulary of 50,000.", (LARGE, "50,000", "vocabulary|tokens"), "size"
    ),
    # 109,514,298 - (30,522 - 30,000) × 769
    Known(
        "109,112,880",
        "This is BERT base with the masked-LM head and a vocabulary of 30,000.",
        (BASE, "30,000", "vocabulary|tokens"),
        "size",
    ),
    # 109,482,240 + (30,528 - 30,522) × 768
    Known(
        "109,486,848",
        "This is BERT base with its vocabulary padded to a multiple of 8 (or 64).",
        (BASE, "30,528"),
        "size",
    ),
    # 108,310,272 + (29,000 - 28,996) × 768
    Known("108,313,344", "This is BERT base cased with its vocabulary padded to a multiple of 8.", ("29,000",), "size"),
    # 109,482,240 + 3 × 769
    Known("109,484,547", "This is BERT base with a classifier of 3 labels.", (BASE, "3 labels|three labels"), "size"),
    # 335,141,888 + 5 × 1,025
    Known("335,147,013", "This is BERT large with a classifier of 5 labels.", (LARGE, "5 labels|five labels"), "size"),
    # 108,310,272 + 10 × 769
    Known(
        "108,317,962",
        "This is BERT base cased with a classifier of 10 labels.",
        (CASED, "10 labels|ten labels"),
        "size",
    ),
    # 109,482,240 + 1,000 × 769
    Known(
        "110,251,240",
        "This is BERT base with a classifier of 1,000 labels.",
        (BASE, "1,000 labels|1000 labels"),
        "size",
    ),
    # 333,579,264 - 1,049,600 + 9 × 1,025
    Known(
        "332,538,889", "This is BERT large cased tagging tokens with 9 labels.", (LARGE, "9 labels|nine labels"), "size"
    ),
    # 109,482,240 - 768: a row of any table, or the pooler's bias
    Known(
        "109,481,472",
        "This is BERT base with one row fewer: one segment, or the padding token not counted, or the pooler's bias.",
        (BASE, "segment|padding|pooler|30,521"),
        "size",
    ),
    # 335,141,888 + 1,024: a row of any table
    Known(
        "335,142,912",
        "This is BERT large with one row more: three segments, or a token or position added.",
        (LARGE, "segment|token|position"),
        "size",
    ),
    # 31,782,912 + 12 × 12,596,224 + 1,049,600
    Known(
        "183,987,200",
        "This is BERT large with the 12 layers of BERT base.",
        ("12 layers|twelve layers", "BERT large|1,024|1024"),
        "size",
    ),
    # 109,482,240 + 12 × 7,087,872
    Known("194,536,704", "This is BERT base with the 24 layers of BERT large.", (BASE, "24 layers"), "size"),
    # 31,038 × 512 + 12 × 3,152,384 + 262,656
    Known(
        "53,982,720",
        "This is the miniature with 12 layers of 512.",
        ("12 layers|twelve layers|miniature", "512"),
        "size",
    ),
    # Memory, with a unit and without.
    # 4 × 109,482,240
    Known("437,928,960", "These are the bytes of BERT base in float32.", (BASE, FLOAT32), "memory"),
    # 2 × 109,482,240
    Known(
        "218,964,480",
        "These are the bytes of BERT base in float16, or two copies of the model.",
        (BASE, HALF + "|twice|two copies|two models"),
        "memory",
    ),
    # 2 × 335,141,888
    Known("670,283,776", "These are the bytes of BERT large in float16.", (LARGE, HALF), "memory"),
    # 2 × 102,267,648
    Known("204,535,296", "These are the bytes of BERT base Chinese in float16.", ("Chinese", HALF), "memory"),
    # 4 × 335,141,888
    Known("1,340,567,552", "These are the bytes of BERT large in float32.", (LARGE, FLOAT32), "memory"),
    # 16 × 109,482,240
    Known(
        "1,751,715,840",
        "Training BERT base with Adam takes 16 bytes per parameter: weight, gradient and two moments.",
        (BASE, ADAM),
        "memory",
    ),
    # 16 × 335,141,888
    Known(
        "5,362,270,208",
        "Training BERT large with Adam takes 16 bytes per parameter: weight, gradient and two moments.",
        (LARGE, ADAM),
        "memory",
    ),
    # 12 × 109,482,240
    Known(
        "1,313,786,880",
        "The weights of BERT base and Adam's two moments take 12 bytes per parameter.",
        (BASE, ADAM),
        "memory",
    ),
    # 4 × 110,106,428 + 47,421: the frame of pytorch_model.bin
    Known(
        "440,473,133",
        "This is the file of BERT base for pre-training: float32 and a frame of 47 kB.",
        (BASE, "file|frame|bytes|header"),
        "memory",
    ),
    # 4 × 102,882,442 + 47,421: the same frame
    Known(
        "411,577,189",
        "This is the file of BERT base Chinese for pre-training: float32 and a frame of 47 kB.",
        ("Chinese", "file|frame|bytes|header"),
        "memory",
    ),
    # 4 × 108,932,934 + 47,421: the same frame
    Known(
        "435,779,157",
        "This is the file of BERT base cased for pre-training: float32 and a frame of 47 kB.",
        (CASED, "file|frame|bytes|header"),
        "memory",
    ),
    # 4 × 110,106,428 + 24,056: the header of model.safetensors
    Known(
        "440,449,768",
        "This is the safetensors file of BERT base for pre-training: float32 and its header.",
        (BASE, "file|frame|bytes|header"),
        "memory",
    ),
    # 4 × 109,482,240 - 3 × (12 × 7,077,888 + 589,824)
    Known(
        "181,355,520",
        "Dynamic quantization stores the linear weights in one byte and leaves the rest in four.",
        (BASE, INT8),
        "memory",
    ),
    # 4 * 109,482,240 / 2**20 = 417.6
    Known("417.6 MiB", "This is BERT base in float32, in units of 2^20 bytes.", (BASE, FLOAT32), "memory"),
    # 4 * 109,482,240 / 10**6 = 437.9
    Known("437.9 MB", "This is BERT base in float32.", (BASE, FLOAT32), "memory"),
    # 4 * 335,141,888 / 10**9 = 1.34
    Known("1.34 GB", "This is BERT large in float32.", (LARGE, FLOAT32), "memory"),
    # 2 * 335,141,888 / 2**20 = 639.2
    Known("639.2 MiB", "This is BERT large in float16.", (LARGE, HALF), "memory"),
    # 109,482,240 / 10**6 = 109.5
    Known("109.5 MB", "This is BERT base in int8, one byte per parameter.", (BASE, INT8), "memory"),
    # 4 * 177,853,440 / 10**6 = 711.4
    Known("711.4 MB", "This is BERT base multilingual cased in float32.", ("multilingual cased", FLOAT32), "memory"),
    # (4 * 108,310,272 + 8,192) / 2**20 = 413.18: with the int64 buffers
    Known(
        "413.18 MiB",
        "This is BERT base cased in float32 with its two buffers, as accelerate estimates it.",
        (CASED, FLOAT32),
        "memory",
    ),
    # 16 * 109,482,240 / 10**9 = 1.75
    Known("1.75 GB", "Training BERT base with Adam takes 16 bytes per parameter.", (BASE, ADAM), "memory"),
    # 181,355,520 / 10**6 = 181.4: a tutorial on dynamic quantization prints this size
    Known(
        "181.4 MB",
        "Dynamic quantization stores the linear weights in one byte and leaves the rest in four.",
        (BASE, INT8),
        "memory",
    ),
    # Relatives, by the sizes in their published configurations; all were built with transformers 5.23.
    # (50,265 + 514 + 1 + 2) × 768 + 85,054,464 + 590,592
    Known(
        "124,645,632", "This is RoBERTa base: 50,265 tokens, 514 positions, one segment.", ("RoBERTa base",), "relative"
    ),
    # (50,265 + 514 + 1 + 2) × 1,024 + 302,309,376 + 1,049,600
    Known("355,359,744", "This is RoBERTa large.", ("RoBERTa large",), "relative"),
    # 124,645,632 + 1,536 + 50,265
    Known("124,697,433", "This is RoBERTa base with its masked-LM head.", ("RoBERTa base", "masked"), "relative"),
    # 355,359,744 + 2,048 + 50,265
    Known("355,412,057", "This is RoBERTa large with its masked-LM head.", ("RoBERTa large", "masked"), "relative"),
    # 124,645,632 + 2 × 769: its classifier has a dense layer like the pooler
    Known(
        "124,647,170",
        "This is RoBERTa base with a classifier of two labels.",
        ("RoBERTa base", "classif|labels"),
        "relative",
    ),
    # 124,645,632 + (250,002 - 50,265) × 768
    Known("278,043,648", "This is XLM-RoBERTa base, with 250,002 tokens.", ("XLM-R", "base"), "relative"),
    # 559,890,432 + 2,048 + 250,002
    Known("560,142,482", "This is XLM-RoBERTa large with its masked-LM head.", ("XLM-R", "large"), "relative"),
    # (30,522 + 512 + 2) × 768 + 6 × 7,087,872
    Known("66,362,880", "This is DistilBERT: 6 layers, no segments, no pooler.", ("DistilBERT",), "relative"),
    # 66,362,880 + 590,592 + 2 × 769
    Known(
        "66,955,010",
        "This is DistilBERT with a classifier of two labels.",
        ("DistilBERT", "classif|labels"),
        "relative",
    ),
    # 66,362,880 + 622,650
    Known("66,985,530", "This is DistilBERT with its masked-LM head.", ("DistilBERT", "masked"), "relative"),
    # 66,362,880 + (119,547 - 30,522) × 768
    Known("134,734,080", "This is DistilBERT multilingual cased.", ("DistilBERT", "multilingual"), "relative"),
    # (30,000 + 514 + 2) × 128 + 128 × 768 + 768 + 7,087,872 + 590,592
    Known(
        "11,683,584", "This is ALBERT base, whose twelve layers share one set of weights.", ("ALBERT base",), "relative"
    ),
    # (30,000 + 514 + 2) × 128 + 129 × 4,096 + 201,379,840 + 16,781,312
    Known("222,595,584", "This is ALBERT xxlarge, one shared layer of 4,096.", ("ALBERT xxlarge",), "relative"),
    # (30,000 + 514 + 2) × 128 + 129 × 1,024 + 12,596,224 + 1,049,600
    Known(
        "17,683,968", "This is ALBERT large, whose 24 layers share one set of weights.", ("ALBERT large",), "relative"
    ),
    # 31,038 × 128 + 129 × 256 + 12 × 789,760
    Known("13,483,008", "This is ELECTRA small, with embeddings of 128.", ("ELECTRA small",), "relative"),
    # 109,482,240 - 590,592: ELECTRA base has the same total
    Known(
        "108,891,648",
        "You left out the pooler of BERT base, or it is ELECTRA base, which has none.",
        ("pooler|ELECTRA",),
        "relative",
    ),
    # 31,038 × 384 + 6 × 1,774,464 + 147,840
    Known("22,713,216", "This is MiniLM with 6 layers of 384, which is BERT in shape.", ("MiniLM",), "relative"),
    # 31,038 × 384 + 12 × 1,774,464 + 147,840
    Known("33,360,000", "This is MiniLM with 12 layers of 384, which is BERT in shape.", ("MiniLM",), "relative"),
    # 109,482,240 + (501,153 - 30,522) × 768
    Known("470,926,848", "This is LaBSE: BERT base with 501,153 tokens.", ("LaBSE",), "relative"),
    # 109,482,240 + (31,090 - 30,522) × 768
    Known("109,918,464", "This is SciBERT: BERT base with 31,090 tokens.", ("SciBERT",), "relative"),
    # (50,257 + 1,024) × 768 + 12 × 7,087,872 + 1,536
    Known("124,439,808", "This is GPT-2.", ("GPT-2",), "relative"),
    # (50,257 + 1,024) × 1,024 + 24 × 12,596,224 + 2,048
    Known("354,823,168", "This is GPT-2 medium.", ("GPT-2",), "relative"),
    # 50,265 × 768 + 1,536 + 12 × (7,087,872 - 768 + 589,824 + 590,592) + 1,024 × 768
    Known("138,601,728", "This is DeBERTa base.", ("DeBERTa",), "relative"),
    # 128,100 × 768 + 12 × 7,087,872 + 512 × 768 + 2 × 1,536
    Known("183,831,552", "This is DeBERTa version 3, base.", ("DeBERTa",), "relative"),
    # (30,527 + 514 + 2) × 768 + 85,054,464 + 32 × 12 + 590,592
    Known("109,486,464", "This is MPNet base.", ("MPNet",), "relative"),
    # 32,128 × 768 + 12 × 7,079,424 + 12 × 9,439,488 + 2 × (768 + 32 × 12)
    Known("222,903,552", "This is T5 base.", ("T5",), "relative"),
    # 32,128 × 512 + 6 × 3,146,752 + 6 × 4,195,840 + 2 × (512 + 32 × 8)
    Known("60,506,624", "This is T5 small.", ("T5",), "relative"),
    # What frameworks print and store.
    # 110,106,428 + 30,522 × 768: torchinfo 1.8.0
    Known(
        "133,547,324",
        "torchinfo counted the tied decoder of BERT base for pre-training twice.",
        (BASE, "decoder"),
        "framework",
    ),
    # 110,106,428 + 30,522 × 769
    Known(
        "133,577,846",
        "You summed state_dict(), which holds the tied decoder and the prediction bias twice.",
        (BASE, "decoder|state_dict"),
        "framework",
    ),
    # 336,226,108 + 30,522 × 1,025
    Known(
        "367,511,158",
        "You summed the state_dict() of BERT large, which holds the tied decoder and the prediction bias twice.",
        (LARGE, "decoder|state_dict"),
        "framework",
    ),
    # 109,482,240 + 294,912: PEFT's all params
    Known(
        "109,777,152",
        "PEFT adds the LoRA matrices with r = 8 on query and value to BERT base.",
        (BASE, "LoRA|PEFT"),
        "framework",
    ),
    # 12 × 2 × 2 × 8 × 768: PEFT's trainable params
    Known(
        "294,912", "These are LoRA's matrices with r = 8 on query and value of BERT base.", ("LoRA|PEFT",), "framework"
    ),
    # 2 × 768 + 2
    Known(
        "1,538",
        "With BERT base frozen, only the classifier of two labels is trainable; the next-sentence head is as large.",
        ("classif|labels|next|NSP",),
        "framework",
    ),
    # 335,141,888 + 24 × 2 × 2 × 8 × 1,024: PEFT's all params
    Known(
        "335,928,320",
        "PEFT adds the LoRA matrices with r = 8 on query and value to BERT large.",
        (LARGE, "LoRA|PEFT"),
        "framework",
    ),
    # 109,482,240 - (30,522 + 512 + 2) × 768
    Known(
        "85,646,592",
        "num_parameters(exclude_embeddings=True) drops the three tables of BERT base.",
        (BASE, "table|embedding"),
        "framework",
    ),
    # 335,141,888 - (30,522 + 512 + 2) × 1,024
    Known(
        "303,361,024",
        "num_parameters(exclude_embeddings=True) drops the three tables of BERT large.",
        (LARGE, "table|embedding"),
        "framework",
    ),
    # 109,482,240 - 23,837,184
    Known(
        "85,645,056",
        "With the embeddings frozen, the layers and the pooler of BERT base are trainable.",
        (BASE, "layers|encoder|embedding", "pooler|embedding"),
        "framework",
    ),
    # 3 × 110,106,428 + 1: weights, two moments, the step
    Known(
        "330,319,285",
        "A training checkpoint of BERT base holds each weight, Adam's two moments of it and the step.",
        (BASE, "Adam|moments|optimizer"),
        "framework",
    ),
    # 3 × 336,226,108 + 1: weights, two moments, the step
    Known(
        "1,008,678,325",
        "A training checkpoint of BERT large holds each weight, Adam's two moments of it and the step.",
        (LARGE, "Adam|moments|optimizer"),
        "framework",
    ),
    # 109,482,240 + 5 × 768
    Known(
        "109,486,080",
        "You added 5 tokens to BERT base with resize_token_embeddings.",
        (BASE, "5 tokens|five tokens|30,527"),
        "framework",
    ),
    # 109,514,298 + 10 × 769
    Known(
        "109,521,988",
        "You added 10 tokens to BERT base with the masked-LM head.",
        (BASE, "10 tokens|ten tokens|30,532"),
        "framework",
    ),
    # 5 + 12 × 16 + 2 = 199
    Known("199", "BertModel of base size has 199 parameter tensors.", ("tensors",), "framework"),
    # 5 + 24 × 16 + 2 = 391
    Known("391", "BertModel of large size has 391 parameter tensors.", ("tensors",), "framework"),
    # 199 + 5 + 2 = 206
    Known("206", "BERT base for pre-training has 206 trainable variables.", ("tensors|variables",), "framework"),
    # (50,265 + 512 + 2) × 768 + 12 × 7,087,872
    Known(
        "124,052,736",
        "KerasHub's RobertaBackbone has 512 positions, no segments and no pooler.",
        ("RoBERTa",),
        "framework",
    ),
    # Parts.
    # 2,362,368 + 4,722,432 + 3,072
    Known("7,087,872", "This is one layer of BERT base.", ("layer",), "part"),
    # 4,198,400 + 8,393,728 + 4,096
    Known("12,596,224", "This is one layer of BERT large.", ("layer", LARGE), "part"),
    # 3 × 7,087,872
    Known("21,263,616", "These are three layers of BERT base.", ("3 layers|three layers",), "part"),
    # 4 × 12,596,224
    Known("50,384,896", "These are four layers of BERT large.", ("4 layers|four layers",), "part"),
    # 24 × 12,596,224
    Known("302,309,376", "These are all 24 layers of BERT large.", (LARGE, "layers|encoder"), "part"),
    # 108,310,272 - 590,592
    Known(
        "107,719,680",
        "These are embeddings and encoder of BERT base cased, without the pooler.",
        (CASED, "pooler|embeddings"),
        "part",
    ),
    # 3 × (768 × 768 + 768)
    Known("1,771,776", "These are Q, K and V of one layer.", (QKV,), "part"),
    # 3 × 768 × 768
    Known(
        "1,769,472", "These are the weight matrices of Q, K and V of one layer, without biases.", (QKV, BARE), "part"
    ),
    # 2 × 768 × 3,072
    Known(
        "4,718,592",
        "These are the two matrices of one feed-forward network, without biases.",
        ("feed-forward", BARE),
        "part",
    ),
    # 2 × 1,024 × 4,096
    Known(
        "8,388,608",
        "These are the two matrices of one feed-forward network of BERT large, without biases.",
        ("feed-forward", BARE),
        "part",
    ),
    # 2,362,368 + 4,722,432
    Known("7,084,800", "This is one layer without its two LayerNorms.", ("layer", "LayerNorm"), "part"),
    # 2,362,368 + 1,536
    Known("2,363,904", "This is the attention of one layer with its LayerNorm.", ("attention", "LayerNorm"), "part"),
    # 8,393,728 + 2,048
    Known(
        "8,395,776",
        "This is the feed-forward network of one layer of BERT large with its LayerNorm.",
        ("feed-forward", "LayerNorm"),
        "part",
    ),
    # 25 × 2 × 768
    Known("38,400", "These are all 25 LayerNorms of BERT base.", ("LayerNorm",), "part"),
    # 49 × 2 × 1,024
    Known("100,352", "These are all 49 LayerNorms of BERT large.", ("LayerNorm", LARGE), "part"),
    # 12 × (4 × 768 + 3,072 + 768) + 768
    Known("83,712", "These are the biases of all linear layers of BERT base.", ("bias",), "part"),
    # 24 × (4 × 1,024 + 4,096 + 1,024)
    Known("221,184", "These are the linear biases of the layers of BERT large.", ("bias",), "part"),
    # 12 × 3 × 768
    Known("27,648", "These are the biases of Q, K and V of all layers.", ("bias", QKV), "part"),
    # 622,650 + 1,538
    Known("624,188", "These are both pre-training heads of BERT base.", ("masked|MLM", "next|NSP"), "part"),
    # 1,082,170 + 2,050
    Known("1,084,220", "These are both pre-training heads of BERT large.", ("masked|MLM", "next|NSP"), "part"),
    # 622,650 + 30,522 × 768
    Known("24,063,546", "This is the masked-LM head of BERT base with its decoder.", ("decoder", "masked|MLM"), "part"),
    # 768 × 64
    Known("49,152", "This is one head's part of the query matrix, without bias.", (ONE_HEAD,), "part"),
    # 768 × 64 + 64
    Known("49,216", "This is one head's part of the query projection, with its bias.", (ONE_HEAD, "bias"), "part"),
    # 3 × (768 × 64 + 64)
    Known("147,648", "These are Q, K and V of one head, with biases.", (ONE_HEAD,), "part"),
    # 24 × 4 × 1,024 × 1,024
    Known(
        "100,663,296",
        "These are the attention matrices of all layers of BERT large, without biases.",
        ("attention", BARE),
        "part",
    ),
    # 12 × 4,722,432
    Known("56,669,184", "These are the feed-forward networks of all twelve layers.", ("feed-forward",), "part"),
    # 119,547 × 768
    Known(
        "91,812,096",
        "This is the table of word embeddings of BERT base multilingual cased.",
        ("multilingual cased", "word|token"),
        "part",
    ),
    # (21,128 + 512 + 2) × 768
    Known(
        "16,621,056",
        "These are the three embedding tables of BERT base Chinese, without their LayerNorm.",
        ("Chinese", "embedding"),
        "part",
    ),
    # 768 × 768 + 768
    Known(
        "590,592",
        "This is the pooler, and just as large are Q, K, V and the output projection of a layer.",
        ("pooler|query|output",),
        "part",
    ),
    # 590,592 + 1,538
    Known("592,130", "These are the pooler and the next-sentence head.", ("pooler", "next|NSP|classif|labels"), "part"),
    # Differences, sums and shares.
    # 335,141,888 - 109,482,240
    Known("225,659,648", "BERT large has this many more parameters than BERT base.", (LARGE, BASE), "difference"),
    # 109,482,240 - 108,310,272 = 1,526 × 768
    Known(
        "1,171,968",
        "BERT base uncased has this many more than cased: 1,526 tokens of 768.",
        ("uncased", CASED),
        "difference",
    ),
    # 335,141,888 - 333,579,264 = 1,526 × 1,024
    Known(
        "1,562,624",
        "BERT large uncased has this many more than cased: 1,526 tokens of 1,024.",
        (LARGE, "cased"),
        "difference",
    ),
    # 109,482,240 + 335,141,888
    Known("444,624,128", "This is BERT base and BERT large together.", (BASE, LARGE), "difference"),
    # 177,853,440 - 109,482,240
    Known(
        "68,371,200",
        "BERT base multilingual cased has this many more than uncased English.",
        ("multilingual cased",),
        "difference",
    ),
    # 177,853,440 - 167,356,416
    Known(
        "10,497,024",
        "BERT base multilingual cased has this many more than multilingual uncased.",
        ("multilingual",),
        "difference",
    ),
    # 109,482,240 - 66,362,880
    Known("43,119,360", "BERT base has this many more than DistilBERT.", ("DistilBERT",), "difference"),
    # 109,514,298 - 109,482,240 = 1,536 + 30,522
    Known(
        "32,058",
        "The masked-LM model has this many more than the bare one: it trades the pooler for the head.",
        ("masked|MLM|prediction",),
        "difference",
    ),
    # 85,054,464 / 109,482,240 = 0.777
    Known("77.7%", "The twelve layers hold this share of BERT base.", (BASE, "layers|encoder"), "difference"),
    # 23,837,184 / 109,482,240 = 0.218
    Known("21.8%", "The embeddings hold this share of BERT base.", (BASE, "embedding"), "difference"),
    # 302,309,376 / 335,141,888 = 0.902
    Known("90.2%", "The 24 layers hold this share of BERT large.", (LARGE, "layers|encoder"), "difference"),
    # 66,362,880 / 109,482,240 = 0.606
    Known("60.6%", "DistilBERT has this share of BERT base.", ("DistilBERT",), "difference"),
    # 4,722,432 / 7,087,872 = 0.666
    Known("66.6%", "The feed-forward network holds this share of a layer.", ("feed-forward",), "difference"),
    # 590,592 / 109,482,240 = 0.0054
    Known("0.54%", "The pooler holds this share of BERT base.", ("pooler",), "difference"),
    # Slips in typing.
    # 109,482,240 with 8 and 2 swapped
    Known("109,428,240", "Two digits of BERT base are swapped.", (BASE, "swapped"), "typing slip"),
    # 335,141,888 with 4 and 1 swapped
    Known("335,114,888", "Two digits of BERT large are swapped.", (LARGE, "swapped"), "typing slip"),
    # 102,267,648 with 6 and 7 swapped
    Known("102,276,648", "Two digits of BERT base Chinese are swapped.", ("Chinese", "swapped"), "typing slip"),
    # 177,853,440 with 4 and 0 swapped
    Known(
        "177,853,404",
        "Two digits of BERT base multilingual cased are swapped.",
        ("multilingual cased", "swapped"),
        "typing slip",
    ),
    # 7,087,872 with 8 and 7 swapped
    Known("7,078,872", "Two digits of one layer are swapped.", ("layer", "swapped"), "typing slip"),
    # 66,362,880 with 6 and 2 swapped
    Known("66,326,880", "Two digits of DistilBERT are swapped.", ("DistilBERT", "swapped"), "typing slip"),
    # 109,482,240 with 3 for 2
    Known("109,482,340", "One digit of BERT base is wrong.", (BASE, WRONG), "typing slip"),
    # 108,310,272 with 7 for 2
    Known("108,310,772", "One digit of BERT base cased is wrong.", (CASED, WRONG), "typing slip"),
    # 335,174,458 with 6 for 5
    Known("335,174,468", "One digit of BERT large with the masked-LM head is wrong.", (LARGE, WRONG), "typing slip"),
    # 335,141,888 without its first 1
    Known("33,541,888", "One digit of BERT large is missing.", (LARGE, MISSING), "typing slip"),
    # 109,482,240 without one 2
    Known("10,948,240", "One digit of BERT base is missing.", (BASE, MISSING), "typing slip"),
    # 109,482,240 with its 1 doubled
    Known("1,109,482,240", "One digit of BERT base is doubled.", (BASE, DOUBLED), "typing slip"),
    # 335,141,888 with its second 1 doubled
    Known("3,351,411,888", "One digit of BERT large is doubled.", (LARGE, DOUBLED), "typing slip"),
    # 109,482,240 + 1
    Known("109,482,241", "This is BERT base, off by one.", (BASE, OFF_BY_ONE), "typing slip"),
    # 335,141,888 - 1
    Known("335,141,887", "This is BERT large, off by one.", (LARGE, OFF_BY_ONE), "typing slip"),
    # 110,106,428 + 1
    Known("110,106,429", "This is BERT base for pre-training, off by one.", (BASE, OFF_BY_ONE), "typing slip"),
    # Ways of writing.
    # 109,482,240, rounded
    Known("1.1e8", "The paper's 110M is BERT base.", (BASE,), "form"),
    # 335,141,888, rounded
    Known("3.35 × 10^8", "Rounded, this is BERT large.", (LARGE,), "form"),
    # 340,000,000: as the paper rounds it
    Known("三亿四千万", "The paper's 340M is BERT large.", (LARGE,), "form"),
    # 110,000,000: as the paper rounds it
    Known("1.1億", "The paper's 110M is BERT base.", (BASE,), "form"),
    # 110,000,000: as the paper rounds it
    Known("approx 110M params.", "The paper's 110M is BERT base.", (BASE,), "form"),
    # 109,482,240, rounded
    Known("110,000,000", "The zeros are rounding: the paper's 110M is BERT base.", (BASE,), "form"),
    # 109,482,240, rounded
    Known("0.11 B", "The paper's 110M is BERT base.", (BASE,), "form"),
    # 109,482,240, rounded
    Known("109.48 million parameters", "Rounded, this is BERT base.", (BASE,), "form"),
    # 109,482,240
    Known("109482240.0", "This is BERT base.", (BASE,), "form"),
    # 340,000,000: as the paper rounds it
    Known("340M", "The paper's 340M is BERT large.", (LARGE,), "form"),
    # 335,141,888, as written in German
    Known("335.141.888", "This is BERT large.", (LARGE,), "form"),
    # 109,482,240, as written in French
    Known("109 482 240", "This is BERT base.", (BASE,), "form"),
    # 109,482,240, in full-width digits
    Known("１０９４８２２４０", "This is BERT base.", (BASE,), "form"),
    # 102,267,648, rounded
    Known("1.0227亿", "Rounded, this is BERT base Chinese.", ("Chinese",), "form"),
    # 177,853,440, rounded
    Known("178M", "Rounded, this is BERT base multilingual cased.", ("multilingual cased",), "form"),
    # 12 × 7,087,872 = 85,054,464, rounded
    Known("85M", "Rounded, these are the twelve layers of BERT base.", ("layers|encoder",), "form"),
    # 23,837,184, rounded
    Known("23.8M", "Rounded, these are the embeddings of BERT base.", ("embedding",), "form"),
    # 66,362,880, rounded
    Known("66M", "Rounded, this is DistilBERT.", ("DistilBERT",), "form"),
    # 124,645,632, rounded
    Known("125M params", "Rounded, this is RoBERTa base.", ("RoBERTa base",), "form"),
    # 12 × 768 × 768 × 4 = 28,311,552
    Known(
        "12*768*768*4",
        "These are the attention matrices of all twelve layers, without biases.",
        ("attention", BARE),
        "form",
    ),
    # 30,522 × 768 + 512 × 768 = 23,834,112
    Known("30522*768 + 512*768", "These are the tables of tokens and positions.", ("word|token", "position"), "form"),
    # 12 * (4 * 768**2 + 2 * 768 * 3,072) = 84,934,656
    Known(
        "12×(4×768²+2×768×3072)",
        "These are the matrices of all twelve layers, without biases and LayerNorms.",
        ("layers|encoder", BARE),
        "form",
    ),
    # 24 * (4 * 1,024**2 + 2 * 1,024 * 4,096) = 301,989,888
    Known(
        "24 * (4*1024^2 + 2*1024*4096)",
        "These are the matrices of all 24 layers of BERT large, without biases and LayerNorms.",
        ("layers|encoder", BARE),
        "form",
    ),
    # (30,522 + 512 + 2) × 768 = 23,835,648
    Known(
        "(30522 + 512 + 2) · 768",
        "These are the three embedding tables, without their LayerNorm.",
        ("embedding|table", "LayerNorm|table"),
        "form",
    ),
    # 2 * 1,024**2 + 2 * 1,024 = 2,099,200
    Known(
        "2*1024**2 + 2*1024",
        "These are two projections of BERT large, for instance Q and K of a layer.",
        (LARGE, "query|key|value|output|pooler"),
        "form",
    ),
    # Numbers with no reason, for which an honest answer is a near one or none.
    Known("97,531,246", "These are odd digits going down, then even ones going up.", (), "nothing"),
    Known("123,456,789", "These are the digits in order.", (), "nothing"),
    Known("271,828,183", "These are digits of e.", (), "nothing"),
    Known("314,159,265", "These are digits of pi.", (), "nothing"),
    Known("141,421,356", "These are digits of the square root of two.", (), "nothing"),
    Known("112,358,133", "The digits begin as the Fibonacci numbers do.", (), "nothing"),
    Known("161,803,398", "These are digits of the golden ratio.", (), "nothing"),
    Known("87,654,321", "These are the digits backwards.", (), "nothing"),
    Known("86,753,091", "This is a telephone number with a digit added.", (), "nothing"),
    Known("5,551,213", "This is a telephone number.", (), "nothing"),
    Known("50,021", "This is a prime and the size of nothing.", (), "nothing"),
    Known("1,234,567", "These are the digits in order.", (), "nothing"),
)
