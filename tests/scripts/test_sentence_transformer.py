"""Printed SentenceTransformers are explained with the modules after their encoder.

The texts are as sentence-transformers 2.2.2 and 5.1.2 print them. The totals of encoders are those of
`num_parameters()` in transformers 5.23; the accounts show how the parameters of the modules after the encoder are
computed.
"""

import pytest

from tests.scripts.running import Scripts

POOLING = "  (1): Pooling({{'word_embedding_dimension': {}, 'pooling_mode_mean_tokens': True}})\n"
DENSE = (
    "  (2): Dense({'in_features': 768, 'out_features': 256, 'bias': True, "
    "'activation_function': 'torch.nn.modules.activation.Tanh'})\n"
)
NORM = "  (4): LayerNorm(\n    (norm): LayerNorm((256,), eps=1e-05, elementwise_affine=True, bias=True)\n  )\n"
DROPOUT = "  (3): Dropout(\n    (dropout_layer): Dropout(p=0.1, inplace=False)\n  )\n"


def printed_transformer(class_name: str, width: int, modules: str = "", *, release: int = 2) -> str:
    """A SentenceTransformer as release 2 or 5 prints it."""
    transformer = {
        2: f"  (0): Transformer({{'max_seq_length': 128}}) with Transformer model: {class_name} \n",
        5: f"  (0): Transformer({{'max_seq_length': 128, 'architecture': '{class_name}'}})\n",
    }
    return f"SentenceTransformer(\n{transformer[release]}{POOLING.format(width)}{modules})"


@pytest.mark.parametrize(
    ("text", "expected", "confidence"),
    [
        (
            printed_transformer("BertModel", 768),
            ["768, like BERT base, uncased, which has 109,482,240 parameters"],
            "possible",
        ),
        (
            f"{printed_transformer('BertModel', 768, DENSE)}\n109,679,104",
            ["109,679,104 is BERT base, uncased", "the 196,864 of the modules", "768 × 256 + 256 = 196,864"],
            "certain",
        ),
        # Of the encoders, only the cased model (108,310,272) gives this total with the dense layer (196,864).
        (f"{printed_transformer('BertModel', 768, DENSE)}\n108507136", ["108,507,136 is BERT base, cased"], "certain"),
        (
            printed_transformer("XLMRobertaModel", 768, DENSE + DROPOUT + NORM, release=5),
            ["like XLM-RoBERTa base, which has 278,043,648", "2 × 256 = 512", "have 278,241,024 parameters together"],
            "possible",
        ),
        (
            printed_transformer("MPNetModel", 768)
            + "\nHow many parameters do pooling and max_seq_length add? I get 109,486,464",
            ["109,486,464 is MPNet base, as MPNetModel", "Pooling and normalisation have no parameters."],
            "certain",
        ),
        (
            f"{printed_transformer('BertModel', 768)}\n109,000,000",
            ["No encoder here of this class and width leads to the 109,000,000"],
            "possible",
        ),
    ],
)
def test_modules_are_explained(text: str, expected: list[str], confidence: str, scripts: Scripts) -> None:
    """A total identifies the encoder, or fits none. Without a total, the account gives an encoder as an example."""
    (account,) = scripts.call("accounts", [text])
    sentences = " ".join([account["headline"], *(finding["words"] for finding in account["findings"])])
    for words in expected:
        assert words in sentences
    assert confidence == account["confidence"]


def test_the_wording_of_release_6_is_read(scripts: Scripts) -> None:
    # As sentence-transformers 6.2.0 prints these modules.
    text = (
        "SentenceTransformer(\n"
        "  (0): Transformer({'transformer_task': 'feature-extraction', 'modality_config': {'text': {"
        "'method': 'forward', 'method_output_name': 'last_hidden_state'}}, 'module_output_name': 'token_embeddings', "
        "'architecture': 'BertModel'})\n"
        "  (1): Pooling({'embedding_dimension': 384, 'pooling_mode': 'mean', 'include_prompt': True})\n"
        "  (2): LayerNorm({'dimension': 384})\n)"
    )
    (account,) = scripts.call("accounts", [text])
    assert "class BertModel and has a hidden size of 384" in account["headline"]
    # 22,713,216 is the total of MiniLM, and 2 x 384 = 768.
    (account,) = scripts.call("accounts", [f"{text}\n22713984"])
    assert "22,713,984 is MiniLM, 6 layers, as BertModel, with 22,713,216 parameters" in account["headline"]


def test_modules_that_cannot_be_counted_are_not_listed(scripts: Scripts) -> None:
    """No account lists the modules if the parameters of one are not printed, or if no counted encoder fits."""
    lstm = "  (2): LSTM({'word_embedding_dimension': 768, 'hidden_dim': 100})\n"
    for text in (
        printed_transformer("BertModel", 768, lstm),
        printed_transformer("T5EncoderModel", 768),
        printed_transformer("BertModel", 770),
    ):
        (account,) = scripts.call("accounts", [text])
        assert account is None or "lists modules" not in account["headline"]
