"""What feedback says was left out has the number that is missing: the rows of it are found by name and counted anew."""

import re
from collections.abc import Iterator

import pytest

from macros.counting import Changed, Question
from macros.counting.errors import BadConfig
from macros.counting.operations import Operations
from macros.counting.polynomials import Polynomial
from macros.teaching.exercise import Exercise, exercise
from macros.teaching.letter_sums import lines_of
from macros.teaching.sets import load_sets

SETS = load_sets().sets
SEEDS = range(100)

SENTENCE = re.compile(r"You would get ([\d,]+) if you (.*?)\.(?: |$)")
LACKS = re.compile(r"(?:left out|forgot) (?!to multiply)([^,(]+)")

LAYER = "layer_[^/]+"
PROJECTION = "attention/(self/(query|key|value)|output/dense)"
LABELLED = "sequence_classifier|token_classifier|cls/squad|multiple_choice"

ROWS = {
    "all LayerNorms": "/LayerNorm/",
    "the LayerNorm of the embeddings": "^bert/embeddings/LayerNorm/",
    "the LayerNorm of the masked-LM head": "^cls/predictions/transform/LayerNorm/",
    "the LayerNorms of the layers": "^bert/encoder/.*LayerNorm/",
    "the segment table": "/token_type_embeddings ",
    "the word table": "/word_embeddings ",
    "the embedding tables": "/(word|position|token_type)_embeddings ",
    "the embeddings and their LayerNorm": "^bert/embeddings",
    "the matrix of the embedding projection": "^bert/embeddings_project/kernel",
    "the layers": "^bert/encoder/",
    "the feed-forward network": f"{LAYER}/(intermediate|output)/dense/",
    "the output projection of attention": "attention/output/dense/",
    "the matrix of each projection": f"{PROJECTION}/kernel",
    "the biases of attention": f"{PROJECTION}/bias",
    "the matrix of the query projection": "attention/self/query/kernel",
    "the matrix of the output projection": "attention/output/dense/kernel",
    "the first dense layer with its bias": "intermediate/dense/",
    "the matrix of the first dense layer": "intermediate/dense/kernel",
    "the bias of the first dense layer": "intermediate/dense/bias",
    "the matrix of the second dense layer": f"{LAYER}/output/dense/kernel",
    "the bias of the second dense layer": f"{LAYER}/output/dense/bias",
    "the biases of the feed-forward network": f"{LAYER}/(intermediate|output)/dense/bias",
    "the biases of the dense layers in the encoder": "^bert/encoder/.*/bias",
    "all biases of dense layers": "(/bias|output_bias) ",
    "the pooler": "^bert/pooler/",
    "the matrix of the pooler": "^bert/pooler/dense/kernel",
    "the bias of the pooler": "^bert/pooler/dense/bias",
    "the masked-LM head": "^cls/predictions/",
    "the dense layer of the masked-LM head": "^cls/predictions/transform/dense/",
    "the matrix of the dense layer in the head": "^cls/predictions/transform/dense/kernel",
    "the prediction bias": "^cls/predictions/output_bias",
    "the next-sentence head": "^cls/seq_relationship/",
    "the output matrix of the next-sentence head": "^cls/seq_relationship/output_weights",
    "the output bias of the next-sentence head": "^cls/seq_relationship/output_bias",
    "the classification head": f"^({LABELLED})/",
    "the output matrix of the sequence-classification head": "^sequence_classifier/output_weights",
    "the output bias of the sequence-classification head": "^sequence_classifier/output_bias",
    "the output matrix of the token-classification head": "^token_classifier/output_weights",
    "the output bias of the token-classification head": "^token_classifier/output_bias",
    "the output bias of the question-answering head": "^cls/squad/output_bias",
    # What training adds.
    "the matrix on the H side of each adapter": r"intermediate\S+ \S+lora_A|output/dense\S+ \S+lora_B",
    "the matrix on the F side of each adapter": r"intermediate\S+ \S+lora_B|output/dense\S+ \S+lora_A",
    "both matrices of each adapter": r"\.lora_[AB]\.",
    "the magnitudes of each adapter": r"\.lora_magnitude_vector\.",
    "the vectors beside attention in each layer": r"attention\S+ \S+\.ia3_l\.",
    "the vector beside the feed-forward network in each layer": rf"{LAYER}/output\S+ \S+\.ia3_l\.",
    "the head with its bias": r" classifier\.modules_to_save\.",
    "the matrix of the head": r" classifier\.modules_to_save\.\S+weight",
    "the bias of the head": r" classifier\.modules_to_save\.\S+bias",
    "the copied head with its bias": r" classifier\.modules_to_save\.",
    "the matrix of the copied head": r" classifier\.modules_to_save\.\S+weight",
    # What is computed.
    "the projections of attention": f"{PROJECTION}/kernel dense layers",
    "the dense layers": "dense layers$",
    "the dense layers of the encoder": "^bert/encoder/.*dense layers$",
    "the products of attention": "attention's products$",
    "all layers": "^bert/encoder/",
    "the transform": "^cls/predictions/transform/",
    "the decoder": "^cls/predictions/decoder/",
}
"""What can be left out, and which rows are meant: a pattern of their path, and of the name or kind that follows it."""


def rows_of(asked: Exercise) -> Iterator[tuple[str, int]]:
    """Everything that a right answer counts: the path of each row with its name or kind, and how much it counts."""
    ask, model = asked.ask, asked.question.model
    question = Question(model, ask.model_class, ask.part, ask.tag)
    if ask.changes:
        changed = Changed.of(question, ask.changes)
        for row in changed.rows:
            yield f"{row.path} {row.name}", Polynomial(row.learnt).value(changed.sizes)
    elif ask.cost:
        sizes = {**model.sizes, "B": 1}
        within = tuple(ask.part.replace("layer_0", "layer_*").split(", "))
        for each in Operations(question.at(), sizes["T"]).items:
            if each.kind in ask.kinds and each.path.startswith(within):
                letters = each.polynomial(ask.cost)
                yield (
                    f"{each.path} {each.kind}",
                    (letters.in_each(()) if "layer_0" in ask.part else letters).value(sizes),
                )
    else:
        for item in question.items:
            yield f"{item.path} ", item.number(model.sizes)


def told(asked: Exercise) -> Iterator[tuple[int, str]]:
    """The number of each wrong answer that lacks something, and what its feedback says that it lacks."""
    for feedback in [*(each.feedback for each in asked.wrong), *(each.feedback for each in asked.options)]:
        for number, done in SENTENCE.findall(feedback):
            for what in LACKS.findall(done):
                yield int(number.replace(",", "")), what.strip()


def faults(asked: Exercise) -> Iterator[str]:
    """Whatever feedback names that has another number than what is missing."""
    rows = dict(rows_of(asked))
    right = asked.ask.number(asked.question.model)
    if right != sum(rows.values()):
        yield f"{asked.set}:{asked.seed} counts {right:,}, and its rows {sum(rows.values()):,}"
    for number, what in told(asked):
        named = sum(each for row, each in rows.items() if what in ROWS and re.search(ROWS[what], row))
        if named != right - number:
            yield f"{asked.set}:{asked.seed}: {what} has {named:,}, and {right - number:,} are missing"


@pytest.mark.parametrize("name", SETS)
def test_what_was_left_out_is_what_is_missing(name: str) -> None:
    """In every set, by deviations and by slips in the sum."""
    assert [] == [fault for seed in SEEDS for fault in faults(exercise(name, seed))]


def test_a_sum_names_all_that_it_adds_up() -> None:
    """Nothing is said to have been left out that nobody has named."""
    first, last = ["a matrix", "H H"], ["", "#0 + H"]
    assert ["its matrix", "its bias"] == [
        each.every for each in lines_of([first, [*last, ["its matrix", "its bias"]]])[-1].summands
    ]
    for named in ([], [["its matrix"]]):
        with pytest.raises(BadConfig, match=r"#0 \+ H has 2 addends; list a name for each"):
            lines_of([first, [*last, *named]])
