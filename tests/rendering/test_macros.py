"""Every macro, called well and badly, without MkDocs."""

import re
from typing import Any

import pytest

from macros.counting import CountingError
from macros.rendering.elements.asking import LARGE
from macros.rendering.elements.pages import ROOT
from macros.rendering.figures import FIGURES
from macros.rendering.snippets import FAMILY, SNIPPETS
from macros.site import MACROS, VARIABLES, define_env, put_back

# A good call of each macro, and a part of what it must return.
GOOD: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("number", (), {}, ">109,482,240</data>"),
    ("number", ("bert/pooler",), {"model": LARGE}, 'value="1049600"'),
    ("number", (), {"model_class": "BertForPreTraining", "tied": False}, ">133,577,846</data>"),
    ("share", ("", "feed-forward"), {}, ">51.8%</data>"),
    ("share", ("bert/embeddings/token_type_embeddings",), {"of": "bert/embeddings"}, ">under 0.1%</data>"),
    ("number", (), {"unit": "tensors", "model": LARGE}, ">391</data>"),
    ("number", (), {"figures": 2}, ">110M</data>"),
    ("size", ("H",), {}, ">768</data>"),
    ("size", ("vocab_size",), {"model": "bert-base-chinese"}, ">21,128</data>"),
    ("effect", ("pooler-left-out",), {}, ">−590,592</data>"),
    ("megabytes", ("MiB",), {}, ">417.6</data>"),
    ("formula", ("bert/pooler",), {}, "<msup><mi>H</mi><mn>2</mn></msup>"),
    ("latex", ("x^{y}",), {}, "<msup>"),
    ("tensors_table", ("bert/pooler",), {}, "pooler.<wbr>dense.<wbr>weight"),
    ("worked", ("bert/pooler",), {"name": "pooler"}, 'id="pooler-tensors"'),
    ("worked", (), {"model": LARGE, "shapes": False}, "The same sum for BERT base"),
    ("worked", ("bert/encoder",), {"brief": True}, '>12</span> × 7,087,872</span> = <b class="bc-term"'),
    ("parts_table", (), {}, "self-attention, all layers"),
    ("mistakes_table", ("biases-left-out",), {}, ">−83,712</data>"),
    ("table", ("letters",), {}, 'id="symbol-v"'),
    ("table", ("keras-bert-rows",), {}, "EmbeddingSimilarity"),
    ("table", ("bert4keras-rows",), {}, "Transformer-*-FeedForward-Norm"),
    ("table", ("tally",), {}, ">324,472,832</data>"),
    ("listing", ("transformers",), {}, "embeddings.word_embeddings.weight                      </b> (30522, 768)"),
    ("table", ("keras-hub-classes",), {}, ">110,104,890</data>"),
    ("table", ("keras-hub-presets",), {}, ">4,385,920</data>"),
    ("table", ("keras-hub-weights",), {}, "<mi>A</mi><mo>×</mo><mrow><mo>(</mo><mi>H</mi><mo>/</mo><mi>A</mi>"),
    ("table", ("flax-classes",), {}, "FlaxBertForCausalLM"),
    ("table", ("flax-leaves",), {}, "LayerNorm/<wbr>scale"),
    ("verified", ("bert-tensors",), {}, ">102,765</data>"),
    ("listing", ("keras-bert", "keras-bert-article"), {}, "112 rows, 109,705,010 parameters"),
    ("listing", ("ledger",), {}, "208 rows, 110,106,428 parameters"),
    ("listing", ("transformers", LARGE), {"folded": True}, "<details><summary>embeddings"),
    ("table", ("files",), {}, 'href="site-root:data/bert-large-chinese/listings/bert4keras.csv"'),
    ("table", ("files-ledger",), {}, 'href="site-root:data/bert-large-uncased/BertForPreTraining.json"'),
    ("effect", ("embeddings-excluded",), {"total": True}, ">85,646,592</data>"),
    ("effect", ("decoder-untied", "prediction-bias-twice"), {}, ">133,577,846</data>"),
    ("says", ("four times as wide", "F == 4 * H"), {}, "four times as wide"),
    ("table", ("bytes-worked",), {}, ">109,482,240 parameters × 4 bytes = 437,928,960 bytes</span>"),
    ("table", ("conventions",), {}, ">177,853,440</data>"),
    ("table", ("all-conventions",), {}, ">+590,592</data>"),
    ("claims_table", ("base-chinese-by-hand",), {}, "<samp>75641856</samp>"),
    ("bridge", ("attention-one-layer",), {}, ">+25,986,048</data>"),
    ("figure", ("where",), {}, "<svg"),
    ("snippet", ("base",), {}, "109482240"),
    # Source: the snippet, run with transformers 5.23 and torch 2.13; a head is rows of one, columns of the other.
    ("snippet", ("attention-heads",), {}, "\n(64, 768)\n(64,)\n(768, 64)\n"),
    ("snippet", ("attention-heads",), {}, "print(tuple(attention.output.dense.weight[:, head].shape))\n"),
]

BAD: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("number", ("bert/poller",), {}, "BertModel has no tensor under"),
    ("number", (), {"model": "bert-bsae-uncased"}, "did you mean"),
    ("number", (), {"model_class": "BertForMaskedLM", "pooler": True}, "never has a pooler"),
    ("share", ("bert/embeddings",), {"of": "bert/x"}, "BertModel has no tensor under"),
    ("number", (), {"unit": "tensor"}, 'did you mean "tensors"'),
    ("claims_table", ("torch-info",), {}, 'did you mean "torchinfo"'),
    ("bridge", ("decoder-untied",), {}, "cannot be made in BertModel"),
    ("size", ("X",), {}, "no size"),
    ("effect", ("poolr",), {}, "no deviation"),
    ("megabytes", ("bits",), {}, "known: B, MB, MiB"),
    ("megabytes", (), {"dtype": "fp32"}, "no data type"),
    ("formula", ("bert/encoder/layer_99",), {}, "has no layer 99"),
    ("tensors_table", ("x",), {}, "has no tensor under"),
    ("worked", ("x",), {}, "has no tensor under"),
    ("parts_table", ("x",), {}, "no model"),
    ("mistakes_table", ("x",), {}, "no deviation"),
    ("mistakes_table", (), {}, "needs at least one row"),
    ("says", ("a dozen layers", "L == 12"), {}, '"a dozen layers" is not true of bert-large-uncased: L == 12'),
    ("says", ("large", "L"), {}, "is no comparison"),
    ("table", ("lettres",), {}, 'did you mean "letters"'),
    ("verified", ("tensor",), {}, 'did you mean "tensors"'),
    ("listing", ("keras",), {}, 'did you mean "keras-bert"'),
    ("listing", ("ledger",), {"model_class": "BertForPretraining"}, "did you mean"),
    ("effect", ("pooler-left-out", "decoder-untied"), {}, "deviations of one model class are needed"),
    ("effect", (), {}, "got none"),
    ("latex", ("\\frac{",), {}, "cannot be read"),
    ("latex", ("\\foo",), {}, "has \\foo"),
    ("figure", ("wher",), {}, 'did you mean "where"'),
    ("snippet", ("bas",), {}, 'did you mean "base"'),
]


@pytest.mark.parametrize(("name", "args", "kwargs", "part"), GOOD)
def test_a_good_call(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], part: str) -> None:
    """Each macro returns a string that holds what was asked for."""
    returned = MACROS[name](*args, **kwargs)
    assert part in returned
    assert not re.search(r"(?<!\()\bNone\b", returned)  # Keras prints (None, 512), and means it


@pytest.mark.parametrize(("name", "args", "kwargs", "says"), BAD)
def test_a_bad_call(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], says: str) -> None:
    """Each macro raises on bad input, says what would do, and returns nothing."""
    with pytest.raises(CountingError, match=re.escape(says)):
        MACROS[name](*args, **kwargs)


@pytest.mark.parametrize("name", [name for name in MACROS if name not in ("figure", "snippet", "latex")])
def test_an_unknown_argument(name: str) -> None:
    """A misspelt argument is an error, never ignored."""
    with pytest.raises(TypeError):
        MACROS[name](modle="bert-base-uncased")


def test_every_macro_is_covered() -> None:
    """The lists above leave no macro out."""
    assert set(MACROS) == {name for name, *_ in GOOD}
    assert set(MACROS) == {name for name, *_ in BAD}


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_drawn(name: str) -> None:
    """Every drawing has a title and a description, and needs no style attribute."""
    drawn = MACROS["figure"](name)
    assert f'id="figure-{name}"' in drawn
    assert drawn.count("<title id=") == drawn.count("<desc id=") == drawn.count("<figure ") >= 1
    assert " style=" not in drawn


@pytest.mark.parametrize("name", [*SNIPPETS, FAMILY])
def test_snippets_are_python(name: str) -> None:
    """Every snippet compiles, and prints as many lines as it shows."""
    blocks = re.findall(r"```\w+\n(.*?)```", MACROS["snippet"](name), re.DOTALL)
    assert len(blocks) == 2
    compile(blocks[0], name, "exec")
    assert blocks[0].count("print(") == len(blocks[1].splitlines())


class Environment:
    """What mkdocs-macros hands to `define_env`."""

    def __init__(self) -> None:
        self.variables: dict[str, Any] = {}
        self.macros: dict[str, Any] = {}
        self.page = type("Page", (), {"url": "parts/heads.html"})()

    def macro(self, function: Any, name: str) -> None:
        """Register a macro."""
        self.macros[name] = function


def test_registration_makes_links_relative_to_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a page one folder down, links go up first; where the hook runs, it puts back what is set aside till then."""
    monkeypatch.setattr("macros.site.hooked", False)
    environment = Environment()
    define_env(environment)
    assert set(MACROS) == set(environment.macros)
    assert environment.variables == VARIABLES
    shown = environment.macros["parts_table"]()
    assert ROOT not in shown
    monkeypatch.setattr("macros.site.hooked", True)
    assert "<!--aside 0-->" == environment.macros["parts_table"]()
    assert shown == put_back("<!--aside 0-->")
    assert 'href="../parts/attention.html"' in shown
    assert environment.macros["number"].__doc__ == MACROS["number"].__doc__
