"""RemBERT, defined by its differences from BERT: narrow embeddings, and a wide decoder that is never tied to them.

A dense layer leads from the embeddings to the encoder. The masked-LM head widens the
encoder's output before the decoder, which has weights of its own.

Source: transformers 5.23, models/rembert/modeling_rembert.py and
configuration_rembert.py.
"""

from ..architecture import LAYER, ModelClass, Row, Setting, Symbol, bare_class, dense, norm
from .albert import EMBEDDINGS
from .bert import BERT, NO_POOLER, SINGLE_DECODER_BIAS, WITH_POOLER, position_buffer, symbols_in

CONFIG = "configuration_rembert.py, RemBertConfig"

V, P, S, H, F, L, A, C = symbols_in(CONFIG)

REMBERT = BERT.variant(
    name="RemBERT",
    model_type="rembert",
    symbols=(
        V,
        P,
        S,
        Symbol("E", "input_embedding_size", "width of the embeddings", CONFIG),
        H,
        F,
        L,
        A,
        Symbol("O", "output_embedding_size", "width of the output embeddings", CONFIG),
        C,
    ),
    rows={
        "bert/embeddings": (*EMBEDDINGS, *dense("bert/embeddings_project", "E H")),
        "cls/predictions": (
            *dense("cls/predictions/transform/dense", "H O"),
            Row("cls/predictions/decoder/kernel", "O V"),
            SINGLE_DECODER_BIAS,
            *norm("cls/predictions/transform/LayerNorm", "O"),
        ),
        "cls/seq_relationship": (),
    },
    classes=(
        bare_class("RemBertModel"),
        ModelClass("RemBertForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("RemBertForCausalLM", "predicting the next token", ("cls/predictions",), NO_POOLER),
        ModelClass("RemBertForSequenceClassification", "a label for a text", ("sequence_classifier",), WITH_POOLER),
        ModelClass("RemBertForMultipleChoice", "a score for each choice", ("multiple_choice",), WITH_POOLER),
        ModelClass("RemBertForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
        ModelClass("RemBertForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
    ),
    modules={
        "bert": "rembert",
        "bert/embeddings_project": "rembert.encoder.embedding_hidden_mapping_in",
        LAYER: "rembert.encoder.layer.*",
        "cls/predictions": "cls.predictions.decoder",
        "cls/predictions/decoder": "cls.predictions.decoder",
        "cls/predictions/transform": "cls.predictions",
    },
    buffers=position_buffer,
    settings=(
        *BERT.settings,
        # This key has no effect, but transformers validates its value.
        Setting("tie_word_embeddings", False, "write true or false, or leave it out", (False, True)),
    ),
)
