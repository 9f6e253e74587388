"""Code and command lines that load a model are explained, even when pasted without numbers."""

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
            "model_name_or_path: roberta-large\nlearning_rate: 1.0e-05\nfp16: true\nHow many parameters does it train?",
            "RoBERTa large has 355,359,744 parameters as RobertaModel.",
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
        # 335,141,888 and 3 x 1,024 + 3
        (
            (
                "bnb = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type='nf4')\nmodel = "
                "AutoModelForSequenceClassification.from_pretrained('bert-large-uncased', num_labels=3, "
                "quantization_config=bnb)"
            ),
            "335,144,963 parameters as BertForSequenceClassification with 3 labels.",
        ),
        (
            "torch.hub.load('huggingface/pytorch-transformers', 'modelForSequenceClassification', 'bert-base-uncased')",
            "BERT base, uncased, has 109,483,778 parameters as BertForSequenceClassification with 2 labels.",
        ),
        (
            "flair.embeddings.TransformerWordEmbeddings('bert-base-uncased', layers='-1')",
            "BERT base, uncased, has 109,482,240 parameters as BertModel.",
        ),
        ("$ huggingface-cli download google-bert/bert-base-cased", "BERT base, cased, has 108,310,272 parameters"),
        ("vllm serve BAAI/bge-base-en-v1.5", "has 109,482,240 parameters as BertModel."),
        ("git clone https://huggingface.co/albert/albert-base-v2", "ALBERT base, version 2, has 11,683,584 parameters"),
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


FOLDER = "checkpoint = '/root/chinese_L-12_H-768_A-12/bert_model.ckpt'\n"
"""Code with the path of a checkpoint of google-research/bert."""


# 102,267,648 as BertModel, with a pooler of 590,592. A masked-LM head has 768 x 768 + 3 x 768 + 21,128 = 613,256.
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("build_transformer_model(config, checkpoint)", "101,677,056 parameters as BertModel."),
        ("build_transformer_model(config, checkpoint, with_pool=True)", "102,267,648 parameters as BertModel."),
        ("build_transformer_model(config, checkpoint, with_mlm=True)", "102,290,312 parameters as BertForMaskedLM."),
        (
            "build_transformer_model(config, checkpoint, with_mlm='linear', with_nsp=True)",
            "102,882,442 parameters as BertForPreTraining.",
        ),
        ("load_trained_model_from_checkpoint(config, checkpoint)", "101,677,056 parameters as BertModel."),
        (
            "load_trained_model_from_checkpoint(config, checkpoint, training=True)",
            "102,882,442 parameters as BertForPreTraining.",
        ),
        ("hub.KerasLayer('https://tfhub.dev/tensorflow/bert_zh_L-12_H-768_A-12/3')", "102,267,648 parameters"),
    ],
)
def test_the_folder_of_a_checkpoint_names_the_model_that_a_library_builds(
    call: str, expected: str, scripts: Scripts
) -> None:
    (account,) = scripts.call("accounts", [f"{FOLDER}model = {call}\nmodel.summary()"])
    assert account["headline"].startswith("BERT base, Chinese,")
    assert expected in account["headline"]


def test_a_summary_of_tensorflow_hubs_layer_has_one_more_scalar(scripts: Scripts) -> None:
    text = "hub.KerasLayer('https://tfhub.dev/tensorflow/small_bert/bert_en_uncased_L-4_H-512_A-8/1')"
    (account,) = scripts.call("accounts", [text])
    assert "28,763,648 parameters" in account["headline"]
    assert "A summary in Keras shows 28,763,649" in account["findings"][0]["words"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # 109,482,240 - 6 x 7,087,872, - 8 x 7,087,872 and - 4 x 7,087,872
        ("model.encoder.layer = model.encoder.layer[:6]", "66,955,008"),
        ("del model.encoder.layer[4:]", "52,779,264"),
        ("model.encoder.layer = nn.ModuleList(list(model.encoder.layer)[:8])", "81,130,752"),
    ],
)
def test_code_may_keep_only_the_first_layers(code: str, expected: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [f"model = AutoModel.from_pretrained('bert-base-uncased')\n{code}"])
    assert f"has {expected} parameters as BertModel." in account["headline"]
    assert not any("is not counted" in finding["words"] for finding in account["findings"])


@pytest.mark.parametrize(
    ("load", "freeze", "trained"),
    [
        # 9 x 768 + 9
        (
            "BertForTokenClassification.from_pretrained('bert-base-cased', num_labels=9)",
            "for p in model.bert.parameters(): p.requires_grad = False",
            "6,921",
        ),
        # 768 x 768 + 768 and 3 x 768 + 3
        (
            "AutoModelForSequenceClassification.from_pretrained('roberta-base', num_labels=3)",
            "for name, param in model.roberta.named_parameters():\n    param.requires_grad = False",
            "592,899",
        ),
        # 2 x 768 + 2
        (
            "BertForSequenceClassification.from_pretrained('bert-base-uncased')",
            "model.base_model.requires_grad_(False)",
            "1,538",
        ),
    ],
)
def test_code_may_freeze_everything_but_the_head(load: str, freeze: str, trained: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [f"model = {load}\n{freeze}"])
    expected = f"Your code freezes everything but the head, so {trained} of them are trained."
    # The number of trained parameters corrects nothing in the reader's total.
    assert [None] == [finding["amount"] for finding in account["findings"] if finding["words"] == expected]


@pytest.mark.parametrize(
    "text", ["model.fit(x, y)\nmodel = build()", "python train.py --model_dir out --seed 42", "the model is large"]
)
def test_code_that_names_no_model_is_not_read(text: str, scripts: Scripts) -> None:
    assert [None] == scripts.call("accounts", [text])


CALL = "BertModel.from_pretrained('bert-base-uncased', {})"
"""A call with a place for one more argument."""

CALL_OVER_LINES = """model = BertForSequenceClassification.from_pretrained(
    "bert-base-uncased",  # the 12-layer model
    num_labels = 5,  # 2 for binary classification
    output_attentions = False,
)"""
"""A call over several lines, whose comments have numbers that it does not use."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 109,482,240 - 6 x 7,087,872, and without the pooler 590,592 fewer
        (
            CALL.format("num_hidden_layers=6"),
            "with the setting num_hidden_layers=6, has 66,955,008 parameters as BertModel.",
        ),
        (
            CALL.format("add_pooling_layer=False"),
            "with the setting add_pooling_layer=False, has 108,891,648 parameters",
        ),
        (CALL.format("add_pooling_layer=True"), "BERT base, uncased, has 109,482,240 parameters"),
        # 66,362,880 - 3 x 7,087,872
        (
            "DistilBertModel.from_pretrained('distilbert-base-uncased', num_hidden_layers=3)",
            "with the setting num_hidden_layers=3, has 45,099,264 parameters",
        ),
        # 109,482,240 + 3 x 769, and with 5 labels
        (
            "BertForSequenceClassification.from_pretrained('bert-base-uncased', id2label={0: 'a', 1: 'b', 2: 'c'})",
            "109,484,547 parameters as BertForSequenceClassification with 3 labels.",
        ),
        (
            CALL_OVER_LINES,
            "BERT base, uncased, has 109,486,085 parameters as BertForSequenceClassification with 5 labels.",
        ),
    ],
)
def test_the_arguments_of_a_call_may_change_the_published_model(text: str, expected: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [text])
    assert expected in account["headline"]
    assert "certain" == account["confidence"]
    is_published_model = bool(account["model"]["name"])
    assert is_published_model == ("with the setting" not in expected)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (CALL.format("config=config"), "config is made by other code"),
        (CALL.format("num_labels=len(names)"), "The number of labels is worked out by your code"),
        (
            "model = AutoModel.from_pretrained('bert-base-uncased')\nmodel.encoder.layer = model.encoder.layer[6:]",
            "as it is loaded",
        ),
    ],
)
def test_what_only_code_says_makes_the_account_only_likely(text: str, warning: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accounts", [text])
    assert "likely" == account["confidence"]
    assert any(warning in finding["words"] for finding in account["findings"])


def test_a_layer_of_the_code_itself_does_not_change_the_loaded_model(scripts: Scripts) -> None:
    text = (
        "class Tagger(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.bert = BertModel.from_pretrained('bert-base-uncased')\n"
        "        self.layer = nn.Linear(768, 5)\n"
    )
    (account,) = scripts.call("accounts", [text])
    assert "that makes 109,486,085." in account["headline"]
    assert not any("as it is loaded" in finding["words"] for finding in account["findings"])
