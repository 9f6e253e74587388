"""Parts and terms have the paths of exactly their tensors, by which a page highlights them together."""

import pytest

from macros.counting import Question, model_named
from macros.rendering.components.asking import ask
from macros.rendering.components.counted_paths import paths_by_term, paths_of
from macros.rendering.components.formulas import formula

LAYER = "bert/encoder/layer_*"


def test_a_tag_that_covers_a_module_yields_its_path() -> None:
    """Self-attention has four modules; three of them make up `self`, so its path replaces theirs."""
    paths = paths_of(ask("bert/encoder/layer_0", "self-attention"))
    assert (f"{LAYER}/attention/self", f"{LAYER}/attention/output/dense") == paths


def test_a_tag_that_splits_modules_yields_tensors() -> None:
    """Each feed-forward bias shares its module with a kernel, so only the tensors' own paths are exact."""
    paths = paths_of(ask("bert/encoder/layer_0", "feed-forward bias"))
    assert (f"{LAYER}/intermediate/dense/bias", f"{LAYER}/output/dense/bias") == paths


@pytest.mark.parametrize(
    ("model_class", "paths"),
    [("BertModel", ("bert",)), ("BertForPreTraining", ("bert", "cls"))],
)
def test_a_whole_model_has_the_paths_of_its_roots(model_class: str, paths: tuple[str, ...]) -> None:
    assert paths == paths_of(ask(model_class=model_class))


def test_each_term_collects_its_tensors() -> None:
    """Terms in and outside the layers are separate even if their letters are equal, as in the two terms in H²."""
    paths_by_text = {
        "".join((*term.layers, str(term.coefficient), *term.letters)): paths
        for term, paths in paths_by_term(ask()).items()
    }
    assert ("bert/pooler/dense/kernel",) == paths_by_text["1HH"]
    assert (f"{LAYER}/attention/self/query/kernel",) == paths_by_text["L4HH"][:1]
    assert 4 == len(paths_by_text["L4HH"])
    assert ("bert/embeddings/LayerNorm", "bert/pooler/dense/bias") == paths_by_text["3H"]
    assert (f"{LAYER}/intermediate/dense/bias",) == paths_by_text["L1F"]


@pytest.mark.parametrize(
    "model", ["bert-base-uncased", "albert-base-v2", "modernbert-base", "electra-small-discriminator"]
)
def test_every_counted_tensor_is_in_a_term(model: str) -> None:
    """The relatives have layers or shapes that differ from those of BERT."""
    question = Question(model_named(model))
    paths = [path for term_paths in paths_by_term(question).values() for path in term_paths]
    rows = [row.path for row in question.rows if not row.tied_to]
    assert [] == [row for row in rows if not any(f"{row}/".startswith(f"{path}/") for path in paths)]


def test_a_tied_decoder_is_in_no_term() -> None:
    """The decoder's matrix is counted with the word embeddings, so it belongs to no term of the head."""
    paths = [
        path
        for term_paths in paths_by_term(ask("cls/predictions", model_class="BertForMaskedLM")).values()
        for path in term_paths
    ]
    assert "cls/predictions/output_bias" in paths
    assert not [path for path in paths if "decoder" in path or path in ("cls", "cls/predictions")]


def test_each_term_of_a_formula_has_the_path_of_its_tensor() -> None:
    html = formula(ask("bert/pooler"))
    assert '<mrow class="bc-term" data-part="bert/pooler/dense/kernel" data-each><msup>' in html
    assert '<mrow class="bc-term" data-part="bert/pooler/dense/bias" data-each><mi>H</mi></mrow>' in html
