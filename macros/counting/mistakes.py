"""What people and tools do differently when they count, as data.

Each entry selects rows of the table by path and tag and says what it does to
them: multiply their size by a factor, add what the table does not hold, or
count with another size. What it
does to a total follows, exactly, for any model.
"""

from __future__ import annotations

from typing import NamedTuple

from .errors import CountingError, UnknownMistake, shown, suggestion
from .models import Model
from .polynomials import Polynomial
from .tensors import LAYER
from .totals import count, select, size_of


class Mistake(NamedTuple):
    """One way to reach another number.

    Attributes:
        name: an identifier, as in an address.
        title: what was done.
        why: why the number is another, in one sentence.
        part, tag: the rows it touches, as for `totals.count`.
        factor: what their size is multiplied by: an integer, a letter, or a
            quotient of two.
        unties: whether tied rows among them are counted as if they were not.
        adds: symbolic shapes, parted by commas, that are counted besides.
        resized: a letter and the size it is given instead.
        model_class: the class in whose total it is made.
    """

    name: str
    title: str
    why: str
    part: str = ""
    tag: str = ""
    factor: str = "1"
    unties: bool = False
    adds: str = ""
    resized: tuple[str, int] | None = None
    model_class: str = "BertModel"


MISTAKES = {
    each.name: each
    for each in (
        Mistake(
            "pooler-left-out",
            "The pooler is left out",
            "The dense layer on the first token belongs to BertModel unless it is built without.",
            part="bert/pooler",
            factor="0",
        ),
        Mistake(
            "segments-forgotten",
            "The segment table is forgotten",
            "Each token type has a row of the hidden size.",
            part="bert/embeddings/token_type_embeddings",
            factor="0",
        ),
        Mistake(
            "positions-forgotten",
            "Positions are taken as fixed sinusoids",
            "The original Transformer computes them; BERT learns a row for each position.",
            part="bert/embeddings/position_embeddings",
            factor="0",
        ),
        Mistake(
            "embedding-norm-forgotten",
            "The LayerNorm of the embeddings is forgotten",
            "The sum of the embeddings is normalised before the first layer.",
            part="bert/embeddings/LayerNorm",
            factor="0",
        ),
        Mistake(
            "default-segments",
            "The default of google-research/bert for type_vocab_size is kept",
            "The default in modeling.py is not what any released configuration says.",
            resized=("S", 16),
        ),
        Mistake(
            "vocabulary-rounded",
            "The vocabulary is rounded to thirty thousand tokens",
            "The paper gives the round number; the vocabulary file has its own number of lines.",
            resized=("V", 30_000),
        ),
        Mistake(
            "attention-one-layer",
            "Attention is counted for one layer",
            "Every layer has its own query, key, value and output projection.",
            tag="self-attention",
            factor="1/L",
        ),
        Mistake(
            "output-projection-forgotten",
            "The output projection of attention is forgotten",
            "After the heads are put side by side, one more dense layer mixes them.",
            part=f"{LAYER}/attention/output/dense",
            factor="0",
        ),
        Mistake(
            "output-projection-per-head",
            "The output projection is counted once a head",
            "It is one matrix on the heads put side by side, not one for each.",
            part=f"{LAYER}/attention/output/dense/kernel",
            factor="A",
        ),
        Mistake(
            "full-matrices-per-head",
            "Each head is given full query, key and value matrices",
            "A head owns a slice of each matrix; the slices together are the matrix.",
            part=f"{LAYER}/attention/self",
            factor="A",
        ),
        Mistake(
            "blocks-per-head",
            "A head's matrices are taken as square blocks of its own width",
            "A head reads the whole token vector and writes a slice of it.",
            part=f"{LAYER}/attention/self",
            tag="kernel",
            factor="1/A",
        ),
        Mistake(
            "attention-biases-left-out",
            "The biases of attention are left out",
            "All projections of attention in BERT have a bias.",
            part=f"{LAYER}/attention",
            tag="bias",
            factor="0",
        ),
        Mistake(
            "feed-forward-biases-left-out",
            "The biases of the feed-forward network are left out",
            "Both of its dense layers in BERT have a bias.",
            tag="feed-forward bias",
            factor="0",
        ),
        Mistake(
            "biases-left-out",
            "All biases of dense layers are left out",
            "Every dense layer of BERT has a bias.",
            tag="bias",
            factor="0",
        ),
        Mistake(
            "feed-forward-one-matrix",
            "Only the first matrix of the feed-forward network is counted",
            "The way back from the inner width is a matrix of the same size.",
            part=f"{LAYER}/output/dense",
            factor="0",
        ),
        Mistake(
            "one-norm-a-layer",
            "One LayerNorm a layer is counted",
            "A layer has one after attention and one after the feed-forward network.",
            part=f"{LAYER}/attention/output/LayerNorm",
            factor="0",
        ),
        Mistake(
            "norm-without-shift",
            "Only the scale of each LayerNorm is counted",
            "Each LayerNorm has a scale and a shift.",
            tag="beta",
            factor="0",
        ),
        Mistake(
            "norm-by-position",
            "LayerNorm is sized by position",
            "Scale and shift belong to features and are shared by all positions.",
            tag="LayerNorm",
            factor="P/H",
        ),
        Mistake(
            "decoder-untied",
            "The decoder is counted beside the word embeddings",
            "The decoder's weight is the word-embedding table itself.",
            part="cls/predictions/decoder/kernel",
            unties=True,
            model_class="BertForPreTraining",
        ),
        Mistake(
            "prediction-bias-twice",
            "The prediction bias is counted twice",
            "transformers lists it under two names that share one tensor.",
            part="cls/predictions/decoder/bias",
            unties=True,
            model_class="BertForPreTraining",
        ),
        Mistake(
            "prediction-bias-forgotten",
            "The prediction bias is forgotten",
            "Each token of the vocabulary has a bias in the MLM head.",
            part="cls/predictions/output_bias",
            factor="0",
            model_class="BertForPreTraining",
        ),
        Mistake(
            "transform-forgotten",
            "The dense layer of the MLM head is forgotten",
            "A dense layer, an activation and a LayerNorm come before the decoder.",
            part="cls/predictions/transform/dense",
            factor="0",
            model_class="BertForPreTraining",
        ),
        Mistake(
            "embeddings-excluded",
            "The embedding tables are excluded, as num_parameters(exclude_embeddings=True) does",
            "The three tables go, and their LayerNorm stays.",
            tag="embedding-table",
            factor="0",
        ),
        Mistake(
            "buffers-added",
            "The buffers are added",
            "position_ids and token_type_ids hold a number for each position, and none of them is trained.",
            adds="P,P",
        ),
        Mistake(
            "optimizer-counted",
            "What a training checkpoint holds is counted",
            "Adam keeps two more numbers for each parameter, and the file has the step besides.",
            factor="3",
            adds="1",
            model_class="BertForPreTraining",
        ),
        Mistake(
            "transform-norm-forgotten",
            "The LayerNorm of the MLM head is forgotten",
            "It follows the head's dense layer.",
            part="cls/predictions/transform/LayerNorm",
            factor="0",
            model_class="BertForPreTraining",
        ),
    )
}


def mistake_named(name: str) -> Mistake:
    """The mistake of that name.

    Raises:
        UnknownMistake: there is none.
    """
    if name not in MISTAKES:
        raise UnknownMistake(f"no mistake {shown(name)}; {suggestion(str(name), MISTAKES)}")
    return MISTAKES[name]


def effect(model: Model, name: str) -> int:
    """What a mistake adds to the total of its model class; negative where it falls short.

    Raises:
        UnknownMistake: no mistake of that name.

    >>> from .models import model_named
    >>> effect(model_named("bert-base-uncased"), "pooler-left-out")
    -590592
    """
    mistake = mistake_named(name)
    if mistake.resized:
        letter, size = mistake.resized
        wrong = model.resized(**{letter: size})
        return count(wrong, model_class=mistake.model_class) - count(model, model_class=mistake.model_class)
    rows = select(model, mistake.part, mistake.tag, model_class=mistake.model_class)
    tied = model.tied and not mistake.unties
    full = Polynomial.total(size_of(row, mistake.part, tied) for row in rows).value(model.sizes)
    owned = count(model, mistake.part, mistake.tag, model_class=mistake.model_class)
    besides = sum(Polynomial.of_shape(each).value(model.sizes) for each in mistake.adds.split(",") if each)
    return _multiplied(full, mistake.factor, model) - owned + besides


def _multiplied(number: int, factor: str, model: Model) -> int:
    """`number` times a factor such as `"A"`, `"0"` or `"1/L"`, which must come out whole."""
    above, _, below = factor.partition("/")
    top, bottom = (int(each) if each.isdigit() else model.sizes[each] for each in (above, below or "1"))
    # With no layers there is nothing to share out among them.
    quotient, rest = divmod(number * top, bottom or 1)
    if rest:
        raise CountingError(f"{number} times {factor} is not whole for {model.name}; choose another factor")
    return quotient
