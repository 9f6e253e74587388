"""Tests of the accounts of code and command lines that load a model, pasted without numbers."""

import pytest

from tests.scripts.running import Scripts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "tokenizer()\nBertForTokenClassification.from_pretrained('bert-base-cased', num_labels=9)",
            "BERT base, cased, has 107,726,601 parameters as BertForTokenClassification with 9 labels.",
        ),
        (
            "python run_glue.py --model_name_or_path roberta-base --task_name mrpc --learning_rate 2e-5",
            "RoBERTa base has 124,645,632 parameters as RobertaModel.",
        ),
        (
            "python train.py \\\n  --model \\\n  roberta-base",
            "RoBERTa base has 124,645,632 parameters as RobertaModel.",
        ),
        (
            "from transformers import pipeline\nunmask = pipeline('fill-mask', model='bert-base-uncased')",
            "BERT base, uncased, has 109,482,240 parameters as BertModel.",
        ),
        (
            "checkpoint = 'bert-base-uncased'\nmodel = BertForMaskedLM.from_pretrained(checkpoint)",
            "BERT base, uncased, has 109,514,298 parameters as BertForMaskedLM.",
        ),
        (
            "from sentence_transformers import SentenceTransformer\nmodel = SentenceTransformer('all-MiniLM-L6-v2')\n",
            "has 22,713,216 parameters as BertModel.",
        ),
        (
            "config = AutoConfig.from_pretrained('bert-large-uncased')\nmodel = AutoModel.from_config(config)",
            "335,141,888",
        ),
        (
            "import torch\nmodel = AutoModel.from_pretrained('me/klingon-2')",
            "We do not know a model called me/klingon-2.",
        ),
    ],
)
def test_code_is_read_for_the_model_that_it_loads(text: str, expected: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [text])
    assert account
    assert expected in account["headline"]


@pytest.mark.parametrize(
    "text", ["model.fit(x, y)\nmodel = build()", "python train.py --model_dir out --seed 42", "the model is large"]
)
def test_code_that_names_no_model_is_not_read(text: str, scripts: Scripts) -> None:
    assert [None] == scripts.call("accounts", [text])
