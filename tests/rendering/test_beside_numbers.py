"""The words next to each number on the pages agree with its question, and swapped words are detected."""

import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup

from tests.rendering.beside_numbers import (
    figures_of_another_model,
    folds_of_another_model,
    headings_in_another_order,
    headings_without_numbers,
    labels_of_another_row,
    links_to_another_part,
    named_beside,
    numbers_in_tables,
    numbers_of_another_family,
    swapped_directions,
    swapped_headings,
    words_below_counts,
    wrong_captions,
    wrong_casings,
    wrong_heads_after,
    wrong_kinds_after,
    wrong_labels_of_lines,
    wrong_modules,
    wrong_nouns_in_working,
    wrong_parts_before,
    wrong_phrases_after,
    wrong_rows,
    wrong_words,
    wrong_words_after,
    wrong_words_before,
    wrong_words_before_sums,
)
from tests.rendering.facets import FACETS
from tests.rendering.test_every_page import expanded_pages

RULES = (
    wrong_words,
    wrong_captions,
    headings_without_numbers,
    wrong_casings,
    wrong_nouns_in_working,
    wrong_words_before,
    wrong_words_after,
    wrong_phrases_after,
    wrong_parts_before,
    wrong_modules,
    wrong_words_before_sums,
    wrong_heads_after,
    wrong_kinds_after,
    wrong_labels_of_lines,
    wrong_rows,
    figures_of_another_model,
    folds_of_another_model,
    swapped_headings,
    swapped_directions,
    words_below_counts,
    numbers_of_another_family,
    links_to_another_part,
    labels_of_another_row,
)


def faults_of(page: BeautifulSoup) -> list[str]:
    """The faults that any of the rules finds."""
    return [fault for rule in RULES for fault in rule(page)]


def has_fault(page: BeautifulSoup) -> bool:
    """Return whether any of the rules finds a fault; the remaining rules are then not run."""
    return any(rule(page) for rule in RULES)


@pytest.mark.parametrize("rule", RULES)
def test_words_on_every_page_agree_with_questions(rule: Callable[[BeautifulSoup], list[str]]) -> None:
    assert {} == {name: faults for name, page in expanded_pages().items() if (faults := rule(page.parsed))}


def test_most_numbers_in_tables_have_words_that_are_compared() -> None:
    """The headings or caption of over 90% of the numbers in tables name a value of some facet.

    Every facet that is compared in tables occurs.
    """
    numbers = [number for page in expanded_pages().values() for number in numbers_in_tables(page.parsed)]
    facets = [[key for key in FACETS if named_beside(number, key)] for number in numbers]
    assert len(numbers) > 2500
    assert sum(map(bool, facets)) > 0.9 * len(numbers)
    assert {key for key, facet in FACETS.items() if any(facet.levels)} == {key for keys in facets for key in keys}


PLANTED_FAULTS = [
    ("parts/attention.md", "The tensors of self-attention in one", "The tensors of the feed-forward network in one"),
    ("disagreements/i-got.md", "with both pre-training heads", "with the masked-LM head"),
    ("totals/checkpoints.md", "by layers (down) and hidden size (across)", "by hidden size (down) and layers (across)"),
    ("index.md", ", with both pre-training heads", ", with the next-sentence head"),
    ("changed/storage.md", "second scales, 4 bytes for each", "second scales, 256 bytes for each"),
    ("changed/storage.md", "a byte for each block of 64 weights", "a byte for each block of 256 weights"),
    ("changed/structure.md", "How much of BERT base is trained", "How much of BERT large is trained"),
    ("changed/index.md", "BERT base as a classifier, restr", "BERT base for pre-training, restr"),
    ("totals/relatives.md", "taking the widths of BERT base", "taking the widths of BERT large"),
    ("totals/relatives.md", "of the bare models", "of the masked-LM models"),
    ("listings/transformers.md", "base for pre-training adds up", "base for question answering adds up"),
    ("parts/heads.md", "parameters to BERT base", "parameters to BERT large"),
    ("changed/lora.md", "</data> on query and value", "</data> on query and key"),
    ("changed/storage.md", "</data> on query and value", "</data> on query, key and value"),
    ("changed/index.md", "</data> on query and value", "</data> on key and value"),
    ("changed/lora.md", "in BERT base with two labels; names", "in BERT large with two labels; names"),
    ("totals/memory.md", "BERT base, MB", "BERT base, GB"),
    ("totals/memory.md", "BERT base, MiB", "BERT base, MB"),
    ("totals/memory.md", ">bytes per number<", ">bits per number<"),
    ("totals/memory.md", ">float16<", ">float32<"),
    (
        "totals/base.md",
        "BERT large, uncased, as BertForMaskedLM, part by part",
        "BERT base, uncased, as BertForMaskedLM, part by part",
    ),
    ("index.md", "uncased, as BertModel, part by part", "uncased, as BertForMaskedLM, part by part"),
    ("index.md", ">self-attention, all layers<", ">feed-forward, all layers<"),
    ("totals/base.md", "<summary>BERT base</summary>", "<summary>BERT large</summary>"),
    ("totals/base.md", "<summary>BERT large</summary>", "<summary>BERT base</summary>"),
    ("parts/toy-model.md", ">position table<", ">segment table<"),
    ("totals/base.md", ">parameters</th>", ">bytes</th>"),
    ("index.md", "The whole model, BERT large", "The whole model, BERT base"),
    ("disagreements/conventions.md", ">masked LM<br", ">pre-training</th>"),
    ("disagreements/conventions.md", ">Leaving out the pooler", ">Forgetting the segment table"),
    ("disagreements/why-110m.md", "BERT base, three figures", "BERT base, two figures"),
    ("disagreements/why-110m.md", "BERT base, two figures", "BERT large, two figures"),
    ("totals/memory.md", "BERT large, MB", "BERT base, MB"),
    ("run/memory-of-training.md", "BERT large, 512 tokens", "BERT large, 128 tokens"),
    ("changed/adapters.md", "BERT base, Houlsby", "BERT base, Pfeiffer"),
    ("changed/lora.md", "<code>lora:r=8:modules=query+value</code>", "<code>lora:r=16:modules=query+value</code>"),
    ("changed/index.md", ">bytes stored<", ">trained parameters<"),
    ("changed/storage.md", ">off by<", ">you would get<"),
    ("notation.md", "</data> trained", "</data> added"),
    ("parts/attention-heads.md", "query weights of one head", "query weights of all heads"),
    ("totals/relatives.md", ">L</th>", ">H</th>"),
    ("parts/attention.md", "self-attention in one encoder layer", "self-attention in all encoder layers"),
    ("parts/attention.md", "The same sum for BERT large", "The same sum for BERT base"),
    (
        "run/memory-of-training.md",
        "What BERT base keeps outside its layers",
        "What BERT large keeps outside its layers",
    ),
    ("run/operations.md", "for BertModel of BERT base and one text", "for BertModel of BERT large and one text"),
    ("run/memory-of-training.md", "LoRA of rank 8 on query and value", "LoRA of rank 16 on query and value"),
    ("run/memory-of-training.md", "<code>float32</code>, eager", "<code>float32</code>, <code>sdpa</code>"),
    ("run/memory-of-training.md", "<code>sdpa</code>, padded texts", "<code>sdpa</code>, texts of one length"),
    ("about/verification.md", ">tensors</th>", ">differences</th>"),
    ("disagreements/published-claims.md", ">kind<", ">numbers of that kind<"),
    ("disagreements/what-your-tool-prints.md", ", without pooler", ", with pooler"),
    ("listings/index.md", "have the pooler and no heads", "have no pooler and no heads"),
    ("totals/base.md", "both as the uncased", "both as the cased"),
    ("totals/relatives.md", ">ELECTRA small: giving", ">MPNet: giving"),
    ("totals/relatives.md", ">ALBERT: counting", ">DistilBERT: counting"),
    ("run/memory-of-training.md", "The states of AdamW for", "The states of Adafactor for"),
    ("changed/storage.md", "BERT base in 4 bits, in bytes", "BERT base in 4 bits with double quantisation, in bytes"),
    ("parts/heads.md", "add_pooling_layer=False", "add_pooling_layer=True"),
    ("parts/layer-norm.md", "# How many parameters", "# How many bytes"),
    ("parts/embeddings.md", "# How many parameters do the embeddings", "# How many parameters does self-attention"),
    ("teach/linking.md", "parts/layer-norm.html", "parts/feed-forward.html"),
    ("teach/question-banks.md", "Moodle XML: One head", "Moodle XML: One part"),
    ("totals/further-relatives.md", "### BigBird { #big_bird }", "### Longformer { #longformer }"),
]
"""A page, words on the rendered page, and wrong words to put in their place."""


def test_every_planted_fault_is_found() -> None:
    undetected_faults = []
    html_by_page = {name: str(expanded_pages()[name].parsed) for name in {name for name, *_ in PLANTED_FAULTS}}
    for name, words, replacement in PLANTED_FAULTS:
        html = html_by_page[name]
        if words not in html:
            undetected_faults.append((name, words, "is not on the page; put its current wording into PLANTED_FAULTS"))
        elif not has_fault(BeautifulSoup(html.replace(words, replacement), "html.parser")):
            undetected_faults.append((name, words, replacement))
    assert [] == undetected_faults


def test_swapped_headings_are_found() -> None:
    """Swapped headings are detected even if no facet covers their words."""
    page = str(expanded_pages()["run/memory-of-training.md"].parsed)
    headings = ">gradients and states, MB</th>", ">one more text, MB</th>"
    before, between, after = re.split("|".join(map(re.escape, headings)), page)
    assert not swapped_headings(BeautifulSoup(page, "html.parser"))
    assert swapped_headings(BeautifulSoup(headings[1].join((before, between)) + headings[0] + after, "html.parser"))


def test_tables_with_the_same_headings_have_them_in_the_same_order() -> None:
    tables = [page.parsed for page in expanded_pages().values()]
    assert [] == headings_in_another_order(tables)
    first, second = "<th>printed</th>", "<th>computed</th>"
    head = "<table><thead><tr>{}{}</tr></thead></table>"
    tables_in_both_orders = BeautifulSoup(head.format(first, second) + head.format(second, first), "html.parser")
    assert ["['computed', 'printed'], but elsewhere ['printed', 'computed']"] == headings_in_another_order(
        [tables_in_both_orders]
    )


def test_the_noun_after_the_result_must_name_the_right_quantity() -> None:
    html = '<data value="5" data-kind="activation" data-how="2 + 3 = 5 bytes" data-tokens="1">5</data>'
    assert not faults_of(BeautifulSoup(html, "html.parser"))
    assert faults_of(BeautifulSoup(html.replace("5 bytes", "5 parameters"), "html.parser"))


def test_the_model_named_before_a_number_must_be_its_own() -> None:
    """A name that belongs to the preceding number does not count."""
    base, large = (
        f'<data value="1" data-model="bert-{size}-uncased" data-how="h">1</data>' for size in ("base", "large")
    )
    for good_words in (
        f"BERT base has {base}",
        f"{base} in BERT base and {large} in BERT large",
        f"of {base}, in BERT base",
    ):
        assert not wrong_words_before(BeautifulSoup(f"<p>{good_words}</p>", "html.parser")), good_words
    for bad_words in (f"BERT large has {base}", f"{base} in BERT base, and BERT base has {large}"):
        assert wrong_words_before(BeautifulSoup(f"<p>{bad_words}</p>", "html.parser")), bad_words


@pytest.mark.parametrize(
    ("attributes", "good_words", "bad_words"),
    [
        ({"part": "bert/encoder/layer_0", "tag": "feed-forward"}, "the feed-forward network is", "self-attention is"),
        ({"part": "bert/encoder/layer_0"}, "One encoder layer has", "All encoder layers have"),
        ({"part": "bert/encoder"}, "All encoder layers have", "Each encoder layer has"),
        ({"model": "albert-base-v2"}, "In ALBERT, there are", "In DistilBERT, there are"),
        ({"model": "roberta-base"}, "At the size of BERT base, RoBERTa has", "At the size of BERT base, ALBERT has"),
        (
            {"kind": "changed", "what": "trained", "change": "lora:8:query"},
            "With rank 8, it trains",
            "With rank 16, it trains",
        ),
        ({"kind": "bytes", "dtype": "float32"}, "In float32, they take", "In float16, they take"),
        ({"deviation": "pooler-left-out"}, "Leaving out the pooler gives", "Forgetting the segment table gives"),
    ],
)
def test_any_facet_may_be_named_before_a_number(attributes: dict[str, str], good_words: str, bad_words: str) -> None:
    keys = " ".join(f'data-{key}="{value}"' for key, value in {"model": "bert-base-uncased", **attributes}.items())
    number = f'<data value="1" {keys} data-how="h">1</data>'
    assert not wrong_words_before(BeautifulSoup(f"<p>{good_words} {number}</p>", "html.parser"))
    for html in ("<p>{} {}</p>", "<table><tr><td>{} {}</td></tr></table>"):
        assert wrong_words_before(BeautifulSoup(html.format(bad_words, number), "html.parser")), html


@pytest.mark.parametrize(
    ("attributes", "good_words", "bad_words"),
    [
        ({"part": "bert/encoder/layer_0"}, "parameters in one layer", "parameters in all layers"),
        ({"part": "bert/encoder"}, "in all layers, but not in one layer", "in each layer"),
        ({"model": "roberta-base"}, "of RoBERTa base and ALBERT base", "of ALBERT base"),
        ({"class": "BertForMaskedLM"}, "parameters as <code>BertForMaskedLM</code>", "as <code>BertModel</code>"),
        ({"kind": "bytes", "dtype": "float32"}, "in <code>float32</code>", "bytes in <code>float16</code>"),
        ({"kind": "operations", "tokens": "128"}, "for 128 tokens", "operations for 512 tokens"),
    ],
)
def test_any_facet_may_be_named_after_a_number(attributes: dict[str, str], good_words: str, bad_words: str) -> None:
    keys = " ".join(f'data-{key}="{value}"' for key, value in {"model": "bert-base-uncased", **attributes}.items())
    number = f'<data value="1" {keys} data-how="h">1</data>'
    assert not wrong_phrases_after(BeautifulSoup(f"<p>{number} {good_words}.</p>", "html.parser"))
    assert wrong_phrases_after(BeautifulSoup(f"<p>{number} {bad_words}.</p>", "html.parser"))


def test_the_part_before_a_number_must_be_its_own() -> None:
    pooler = '<data value="1" data-model="bert-base-uncased" data-part="bert/pooler" data-how="h">1</data>'
    matrix = pooler.replace("bert/pooler", "bert/pooler/dense/kernel")
    embeddings = pooler.replace("bert/pooler", "bert/embeddings")
    for words in ("Ask for the pooler ({} parameters)", "The pooler of BERT base has {}", "[the pooler](#p), with {}"):
        assert not wrong_parts_before(BeautifulSoup(f"<p>{words.format(pooler)}</p>", "html.parser")), words
        for number in (matrix, embeddings):
            assert wrong_parts_before(BeautifulSoup(f"<p>{words.format(number)}</p>", "html.parser")), (words, number)
    assert wrong_parts_before(BeautifulSoup(f"<p>BERT base has {pooler}</p>", "html.parser"))
    whole_model = pooler.replace(' data-part="bert/pooler"', "")
    assert not wrong_parts_before(BeautifulSoup(f"<p>BERT base has {whole_model}</p>", "html.parser"))


def test_unit_noun_and_model_after_a_number_must_fit_its_question() -> None:
    number = '<data value="1" data-model="bert-base-uncased" data-how="h">1</data>'
    memory = '<data value="1" data-kind="bytes" data-unit="MB" data-model="bert-base-uncased" data-how="h">1</data>'
    for good_words in (f"{number} parameters in base", f"{number} of BERT base", f"{memory} MB", f"{number}, in large"):
        assert not faults_of(BeautifulSoup(f"<p>{good_words}</p>", "html.parser")), good_words
    for bad_words in (
        f"{number} tensors",
        f"{number} parameters in large",
        f"{number} of BERT large",
        f"{memory} GB",
        f"{memory} parameters",
    ):
        assert faults_of(BeautifulSoup(f"<p>{bad_words}</p>", "html.parser")), bad_words
