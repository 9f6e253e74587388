"""If feedback says that a part was left out, the rows of that part add up to the missing number."""

import re
from collections.abc import Iterator
from math import prod

import pytest

from macros.counting import ChangedModel, Question
from macros.counting.errors import BadConfig
from macros.counting.operations import Operations
from macros.counting.polynomials import Polynomial
from macros.teaching.exercise import Exercise, exercise
from macros.teaching.letter_sums import lines_of
from macros.teaching.sets import load_sets

SETS = load_sets().sets
SEEDS = range(100)

SENTENCE = re.compile(r"You would get ([\d,]+) if you (.*?)\.(?: |$)")
"""Matches feedback on a wrong number; the groups are the number and the action that leads to it."""

LEFT_OUT_PART = re.compile(r"(?:left out|forgot) (?!to multiply)([^,(]+)")
"""Matches an action that leaves out a part; the group is the name of the part."""

LAYER = "layer_[^/]+"
PROJECTION = "attention/(self/(query|key|value)|output/dense)"
HEADS_WITH_LABELS = "sequence_classifier|token_classifier|cls/squad|multiple_choice"

ROW_PATTERNS = {
    "all LayerNorms": "/LayerNorm/",
    "the embeddings' LayerNorm": "^bert/embeddings/LayerNorm/",
    "the LayerNorm of the masked-LM head": "^cls/predictions/transform/LayerNorm/",
    "the encoder's LayerNorms": "^bert/encoder/.*LayerNorm/",
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
    "the biases of all dense layers": "(/bias|output_bias) ",
    "every tensor named bias": "(/bias|output_bias|/beta) ",
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
    "the classification head": f"^({HEADS_WITH_LABELS})/",
    "the bias of the classification head": rf"^({HEADS_WITH_LABELS})/\S*bias",
    "the output matrix of the sequence-classification head": "^sequence_classifier/output_weights",
    "the output bias of the sequence-classification head": "^sequence_classifier/output_bias",
    "the output matrix of the token-classification head": "^token_classifier/output_weights",
    "the output bias of the token-classification head": "^token_classifier/output_bias",
    "the output bias of the question-answering head": "^cls/squad/output_bias",
    "the bias": r"bias\b",
    # Pieces of rows.
    "the slices of the matrices": "attention/self/(query|key|value)/kernel",
    "the slices of the biases": "attention/self/(query|key|value)/bias",
    # Rows that a method of fine-tuning adds.
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
    # Operations.
    "the projections of attention": f"{PROJECTION}/kernel dense layers",
    "the dense layers": "dense layers$",
    "the dense layers of the encoder": "^bert/encoder/.*dense layers$",
    "the products of attention": "attention's products$",
    "all layers": "^bert/encoder/",
    "the transform": "^cls/predictions/transform/",
    "the decoder": "^cls/predictions/decoder/",
}
"""A pattern for the rows of each part that can be left out. It matches a row's path, followed by its name or kind."""


PIECES = {
    "one cell of the word table": "V H",
    "one row of the word table": "V",
    "one column of the word table": "H",
    "one row of the position table": "P",
    "one head's slice of the query matrix": "A",
    "one head's slice of the query bias": "A",
    "one head's slices of query, key and value, with their biases,": "A",
    "the rows of the output projection's matrix that belong to one head": "A",
    "one head's slices of all matrices of attention, without biases,": "A",
}
"""The number of equal pieces, in letters, into which a question about a piece divides its rows.

Other questions are about whole rows.
"""


def rows_of(variant: Exercise) -> Iterator[tuple[str, int]]:
    """Yield the rows that a correct answer counts, each as its path, followed by its name or kind, and its number."""
    ask, model = variant.ask, variant.question.model
    question = Question(model, ask.model_class, ask.part, ask.tag)
    if ask.changes:
        changed_model = ChangedModel.build(question, ask.changes)
        for row in changed_model.rows:
            yield f"{row.path} {row.name}", Polynomial(row.trainable_terms).value(changed_model.sizes)
    elif ask.cost:
        sizes = {**model.sizes, "B": 1}
        prefixes = tuple(ask.part.replace("layer_0", "layer_*").split(", "))
        for operation in Operations(question.whole, sizes["T"]).items:
            if operation.kind in ask.kinds and operation.path.startswith(prefixes):
                polynomial = operation.polynomial(ask.cost)
                polynomial_of_part = polynomial.in_each(()) if "layer_0" in ask.part else polynomial
                yield f"{operation.path} {operation.kind}", polynomial_of_part.value(sizes)
    else:
        pieces = prod(model.sizes[letter] for letter in PIECES.get(ask.words, "").split())
        for item in question.items:
            number, remainder = divmod(item.number(model.sizes), pieces)
            assert remainder == 0
            yield f"{item.path} ", number


def parts_left_out(variant: Exercise) -> Iterator[tuple[int, str]]:
    """Yield every wrong number whose feedback says that a part was left out, with the name of the part."""
    feedback_on_wrong_answers = [answer.feedback for answer in variant.wrong_answers]
    feedback_on_options = [option.feedback for option in variant.options]
    for feedback in feedback_on_wrong_answers + feedback_on_options:
        for number, action in SENTENCE.findall(feedback):
            for part in LEFT_OUT_PART.findall(action):
                yield int(number.replace(",", "")), part.strip()


def faults(variant: Exercise) -> Iterator[str]:
    """Yield a line for each part that feedback says was left out but whose number is not the missing one.

    Yield another if the rows do not add up to the correct answer.
    """
    rows = dict(rows_of(variant))
    correct = variant.ask.number(variant.question.model)
    if correct != sum(rows.values()):
        yield f"{variant.set}:{variant.seed} counts {correct:,}, and its rows {sum(rows.values()):,}"
    for wrong_number, part in parts_left_out(variant):
        number = sum(
            number for row, number in rows.items() if part in ROW_PATTERNS and re.search(ROW_PATTERNS[part], row)
        )
        if number != correct - wrong_number:
            yield f"{variant.set}:{variant.seed}: {part} has {number:,}, and {correct - wrong_number:,} are missing"


@pytest.mark.parametrize("name", SETS)
def test_the_part_left_out_has_the_missing_number(name: str) -> None:
    assert [] == [fault for seed in SEEDS for fault in faults(exercise(name, seed))]


def test_a_declared_sum_names_its_addends() -> None:
    """Feedback uses the names of the addends."""
    first_line, last_line = ["a matrix", "H H"], ["", "#0 + H"]
    lines = lines_of([first_line, [*last_line, ["its matrix", "its bias"]]])
    assert ["its matrix", "its bias"] == [summand.label_of_all for summand in lines[-1].summands]
    for names in ([], [["its matrix"]]):
        with pytest.raises(BadConfig, match=r"#0 \+ H has 2 addends; list a name for each"):
            lines_of([first_line, [*last_line, *names]])
