"""Text typed into the site's search box becomes the right query for its index."""

import re
import tomllib
from pathlib import Path

from macros.publish import search
from tests.scripts.running import Scripts

QUERIES = tomllib.loads(Path(__file__).with_name("index_queries.toml").read_text(encoding="utf-8"))
"""The query that each search text becomes."""


def test_searches_become_queries_in_the_words_of_the_index(scripts: Scripts) -> None:
    """Numbers get commas, products their value, matrices one word, and Greek letters their names.

    Filler words are dropped unless the text has no other words. Names are also searched as one word.
    """
    assert [*QUERIES.values()] == scripts.call("indexQueries", [*QUERIES])


COMPOUNDS = {
    "bert": "",
    "768": "",
    "4.46.3": "",
    "_": "",
    "sum(p.numel()": "",
    "p.numel": "_p·numel",
    "word_embeddings": "_word_embeddings",
    "self-attention": "_self_attention",
    "GPT-2": "_gpt_0",
    "all-MiniLM-L6-v2": "_all_minilm_l6_v2",
    "bert.encoder.layer.11.output.dense.weight": "_layer·0·output·dense·weight",
    "layer.0.output.dense.weight": "_layer·0·output·dense·weight",
    "bert/encoder/layer_*/output/dense/kernel": "_layer_0_output_dense_kernel",
    "bert/encoder/layer/0/output/dense/kernel": "_layer_0_output_dense_kernel",
    "bert.pooler.dense.bias": "_pooler·dense·bias",
    "Encoder-*-FeedForward/Encoder-*-FeedForward_W1": "_encoder_0_feedforward_encoder_0_feedforward_w1",
    "bert-base-uncased": "_bert_base_uncased",
}
"""Names as one word of the index; empty for words that are no names of several parts."""


def test_names_become_the_same_words_in_queries_and_in_the_index(scripts: Scripts) -> None:
    assert [*COMPOUNDS.values()] == list(map(search.compound, COMPOUNDS))
    assert [*COMPOUNDS.values()] == scripts.call("compounds", [name.lower() for name in COMPOUNDS])


def test_names_lose_the_same_outer_modules_in_queries_and_in_the_index(scripts: Scripts) -> None:
    modules = re.findall(r"[a-z_]+", search.OUTER_MODULES.pattern.partition(")[")[0])
    assert {"bert", "base_model", "params"} <= {*modules}
    names = [f"{module}{sign}pooler{sign}dense" for module in modules for sign in "./"]
    compounds = [f"_pooler{sign}dense" for _ in modules for sign in "·_"]
    assert compounds == list(map(search.compound, names))
    assert compounds == scripts.call("compounds", names)


def test_unknown_words_may_differ_by_as_many_letters_as_their_length_allows(scripts: Scripts) -> None:
    """Unknown words of four letters or more may differ by one letter, and those of eight or more by two.

    Shorter words, numbers and words of the index are matched exactly. Of long words, the beginning is enough, and
    unknown names are searched by their parts.
    """
    queries = {
        "poole": "poole^40 poole~1^40",
        "pooolre": "pooolre^40 pooolre~1^40",
        "embedings": "embedings^40 embedings~2^40 embeding^10",
        "mks": None,
        "768a9": None,
        "heads": None,
        "poolre heads": "poolre^40 poolre~1^40 heads^40 heads head^10 _poolre_heads^80",
        "Speicherbedarf": "speicherbedarf^40 speicherbedarf~2^40 speic",
        "total_params": "total_params^40 total^40 total params _total_params^160",
    }
    assert [*queries.values()] == scripts.call("queriesForMisspellings", [*queries], ["heads"])


def test_names_as_one_word_are_not_shown_as_missing(scripts: Scripts) -> None:
    assert ["include", "pooler", "110m"] == scripts.call("shownTerms", ["include", "_include_pooler", "pooler", "110m"])
