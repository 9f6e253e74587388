"""The module tree of every class as transformers nests it, with the engine's tensors in it.

A skeleton has the names, types and order of modules, as `print(model)` and the
profilers show them, but no shapes. `module_tree` assigns each of the engine's
tensors to the module whose name is that of the tensor without its last component.
It fails if there is no such module, or if a module that must have tensors has none.
Shapes and counts therefore come from the engine alone.

Source: transformers 5.23 and 4.30, `print(model)` of every class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import prod
from typing import NamedTuple

from macros.counting import Question, Tensor, tensors
from macros.counting.frameworks.names import body_prefix

LAYER_NUMBER = re.compile(r"layer_([0-9]+)")
"""The index of a layer in the engine's path of a tensor."""


class PrintedModule(NamedTuple):
    """A module of a skeleton or of a tree.

    Attributes:
        kind: the name of its class.
        children: its child modules by name, in order.
        options: the text that `print` shows for a module without tensors, such as `p=0.1, inplace=False`.
        own_tensors: its own tensors, including tied ones.
    """

    kind: str
    children: Mapping[str, PrintedModule] = {}
    options: str = ""
    own_tensors: tuple[Tensor, ...] = ()

    def all_tensors(self) -> Iterator[Tensor]:
        """The tensors of this module and of all modules below it, in order, with a tied tensor once per name."""
        yield from self.own_tensors
        for child in self.children.values():
            yield from child.all_tensors()

    @property
    def number(self) -> int:
        """The number of parameters. A tensor counts once even if the module has it under two names."""
        return sum(
            {tensor.tied_to or tensor.transformers: prod(tensor.shape) for tensor in self.all_tensors()}.values()
        )

    @property
    def layer(self) -> int | None:
        """The index of the layer that holds all of its tensors; None if no layer does."""
        layers = {layer_of(tensor) for tensor in self.all_tensors()}
        return layers.pop() if len(layers) == 1 else None


def layer_of(tensor: Tensor) -> int | None:
    """The index of a tensor's layer, starting at 0; None for a tensor outside the layers."""
    number = LAYER_NUMBER.search(tensor.path)
    return int(number[1]) if number else None


# --- Skeletons of bare models -------------------------------------------------------

LINEAR = PrintedModule("Linear")
TABLE = PrintedModule("Embedding")
NORM = PrintedModule("LayerNorm")
DROPOUT = PrintedModule("Dropout", options="p=0.1, inplace=False")
TANH = PrintedModule("Tanh")
IDENTITY = PrintedModule("Identity")
GELU = PrintedModule("GELUActivation")
SILU = PrintedModule("SiLUActivation")

LIST = "ModuleList"
"""The class name of a list of modules."""


def module(kind: str, /, **children: PrintedModule) -> PrintedModule:
    """A module of a skeleton, from its class name and its children."""
    return PrintedModule(kind, children)


def embeddings(kind: str, *names: str) -> PrintedModule:
    """An embeddings module with the children in `names`, each a table unless it is a norm or a dropout."""
    kinds = {"LayerNorm": NORM, "norm": NORM, "dropout": DROPOUT, "drop": DROPOUT}
    return PrintedModule(kind, {name: kinds.get(name, TABLE) for name in names})


# The names of the modules in the embeddings, in the order of each architecture.
BERT_EMBEDDINGS = ("word_embeddings", "position_embeddings", "token_type_embeddings", "LayerNorm", "dropout")
LAYOUTLM_EMBEDDINGS = (
    "word_embeddings",
    "position_embeddings",
    *(f"{axis}_position_embeddings" for axis in "xyhw"),
    *BERT_EMBEDDINGS[2:],
)
ROBERTA_EMBEDDINGS = ("word_embeddings", "token_type_embeddings", "LayerNorm", "dropout", "position_embeddings")


def output_block(kind: str) -> PrintedModule:
    """A module with a dense layer, a LayerNorm and a dropout."""
    return module(kind, dense=LINEAR, LayerNorm=NORM, dropout=DROPOUT)


def feed_forward(name: str) -> dict[str, PrintedModule]:
    """The two modules into which BERT and most of its relatives split the feed-forward network."""
    intermediate = module(f"{name}Intermediate", dense=LINEAR, intermediate_act_fn=GELU)
    return {"intermediate": intermediate, "output": output_block(f"{name}Output")}


def bert_layer(name: str, self_attention: str) -> PrintedModule:
    """A layer of BERT, or of a relative that differs only in its class names."""
    inner_attention = module(self_attention, query=LINEAR, key=LINEAR, value=LINEAR, dropout=DROPOUT)
    attention = PrintedModule(
        f"{name}Attention", {"self": inner_attention, "output": output_block(f"{name}SelfOutput")}
    )
    return module(f"{name}Layer", attention=attention, **feed_forward(name))


def layers(layer: PrintedModule) -> PrintedModule:
    """A list with one module as a template, which `module_tree` repeats for every module in the list."""
    return PrintedModule(LIST, {"*": layer})


def pooler(kind: str) -> PrintedModule:
    """A pooler module of the given class."""
    return module(kind, dense=LINEAR, activation=TANH)


def bert_body(name: str, tables: tuple[str, ...] = BERT_EMBEDDINGS, self_attention: str = "") -> PrintedModule:
    """The bare model of BERT, or of a relative with other class names or other embeddings."""
    layer = bert_layer(name, self_attention or f"{name}SelfAttention")
    encoder = module(f"{name}Encoder", layer=layers(layer))
    return module(
        f"{name}Model",
        embeddings=embeddings(f"{name}Embeddings", *tables),
        encoder=encoder,
        pooler=pooler(f"{name}Pooler"),
    )


def electra_body(name: str = "Electra") -> PrintedModule:
    """ELECTRA's bare model."""
    body = bert_body(name)
    parts = {**body.children, "embeddings_project": LINEAR}
    return PrintedModule(body.kind, {name: parts[name] for name in ("embeddings", "embeddings_project", "encoder")})


def distilbert_body(attention: str = "DistilBertSelfAttention") -> PrintedModule:
    """DistilBERT's bare model."""
    inner_attention = module(attention, q_lin=LINEAR, k_lin=LINEAR, v_lin=LINEAR, out_lin=LINEAR, dropout=DROPOUT)
    ffn = module("FFN", dropout=DROPOUT, lin1=LINEAR, lin2=LINEAR, activation=GELU)
    block = module("TransformerBlock", attention=inner_attention, sa_layer_norm=NORM, ffn=ffn, output_layer_norm=NORM)
    return module(
        "DistilBertModel",
        embeddings=embeddings("Embeddings", "word_embeddings", "position_embeddings", "LayerNorm", "dropout"),
        transformer=module("Transformer", layer=layers(block)),
    )


NEW_GELU = PrintedModule("NewGELUActivation")


def albert_body(attention: str = "AlbertAttention") -> PrintedModule:
    """ALBERT's bare model, which has a list of groups, each with a list of layers."""
    projections = dict.fromkeys(("query", "key", "value"), LINEAR)
    dropouts = dict.fromkeys(("attention_dropout", "output_dropout"), DROPOUT)
    inner_attention = module(attention, **dropouts, **projections, dense=LINEAR, LayerNorm=NORM)
    layer = module(
        "AlbertLayer",
        full_layer_layer_norm=NORM,
        attention=inner_attention,
        ffn=LINEAR,
        ffn_output=LINEAR,
        activation=NEW_GELU,
        dropout=DROPOUT,
    )
    group = module("AlbertLayerGroup", albert_layers=layers(layer))
    return module(
        "AlbertModel",
        embeddings=embeddings("AlbertEmbeddings", *BERT_EMBEDDINGS),
        encoder=module("AlbertTransformer", embedding_hidden_mapping_in=LINEAR, albert_layer_groups=layers(group)),
        pooler=LINEAR,
        pooler_activation=TANH,
    )


def mpnet_body() -> PrintedModule:
    """MPNet's bare model."""
    inner_attention = module("MPNetSelfAttention", q=LINEAR, k=LINEAR, v=LINEAR, o=LINEAR, dropout=DROPOUT)
    attention = module("MPNetAttention", attn=inner_attention, LayerNorm=NORM, dropout=DROPOUT)
    layer = module("MPNetLayer", attention=attention, **feed_forward("MPNet"))
    return module(
        "MPNetModel",
        embeddings=embeddings("MPNetEmbeddings", "word_embeddings", "position_embeddings", "LayerNorm", "dropout"),
        encoder=module("MPNetEncoder", layer=layers(layer), relative_attention_bias=TABLE),
        pooler=pooler("MPNetPooler"),
    )


def modernbert_body() -> PrintedModule:
    """ModernBERT's bare model."""
    attention = module("ModernBertAttention", Wqkv=LINEAR, Wo=LINEAR, out_drop=IDENTITY)
    mlp = module("ModernBertMLP", Wi=LINEAR, act=GELU, drop=DROPOUT, Wo=LINEAR)
    layer = module("ModernBertEncoderLayer", attn_norm=NORM, attn=attention, mlp_norm=NORM, mlp=mlp)
    return module(
        "ModernBertModel",
        embeddings=embeddings("ModernBertEmbeddings", "tok_embeddings", "norm", "drop"),
        layers=layers(layer),
        final_norm=NORM,
        rotary_emb=PrintedModule("ModernBertRotaryEmbedding"),
    )


CONVOLUTION = module("ConvLayer", conv=PrintedModule("Conv1d"), LayerNorm=NORM, dropout=DROPOUT)
"""The convolution that some DeBERTa-v2 models have in their encoder."""


def deberta_body() -> PrintedModule:
    """The bare model of DeBERTa-v2 and v3."""
    projections = dict.fromkeys(("query_proj", "key_proj", "value_proj"), LINEAR)
    inner_attention = module("DisentangledSelfAttention", **projections, pos_dropout=DROPOUT, dropout=DROPOUT)
    attention = PrintedModule(
        "DebertaV2Attention", {"self": inner_attention, "output": output_block("DebertaV2SelfOutput")}
    )
    layer = module("DebertaV2Layer", attention=attention, **feed_forward("DebertaV2"))
    return module(
        "DebertaV2Model",
        embeddings=embeddings("DebertaV2Embeddings", "word_embeddings", "LayerNorm", "dropout"),
        encoder=module("DebertaV2Encoder", layer=layers(layer), rel_embeddings=TABLE, LayerNorm=NORM, conv=CONVOLUTION),
    )


def first_deberta_body() -> PrintedModule:
    """The bare model of the first DeBERTa, whose LayerNorms print no shape."""
    deberta_norm = PrintedModule("DebertaLayerNorm")
    inner_attention = module(
        "DisentangledSelfAttention",
        in_proj=LINEAR,
        pos_dropout=DROPOUT,
        pos_proj=LINEAR,
        pos_q_proj=LINEAR,
        dropout=DROPOUT,
    )
    outputs = {"dense": LINEAR, "LayerNorm": deberta_norm, "dropout": DROPOUT}
    attention = PrintedModule(
        "DebertaAttention", {"self": inner_attention, "output": PrintedModule("DebertaSelfOutput", outputs)}
    )
    intermediate = module("DebertaIntermediate", dense=LINEAR, intermediate_act_fn=GELU)
    layer = module(
        "DebertaLayer", attention=attention, intermediate=intermediate, output=PrintedModule("DebertaOutput", outputs)
    )
    return module(
        "DebertaModel",
        embeddings=module("DebertaEmbeddings", word_embeddings=TABLE, LayerNorm=deberta_norm, dropout=DROPOUT),
        encoder=module("DebertaEncoder", layer=layers(layer), rel_embeddings=TABLE),
    )


def longformer_body() -> PrintedModule:
    """Longformer's bare model."""
    projections = ("query", "key", "value", "query_global", "key_global", "value_global")
    inner_attention = PrintedModule("LongformerSelfAttention", dict.fromkeys(projections, LINEAR))
    attention = PrintedModule(
        "LongformerAttention", {"self": inner_attention, "output": output_block("LongformerSelfOutput")}
    )
    layer = module("LongformerLayer", attention=attention, **feed_forward("Longformer"))
    tables = ("word_embeddings", "token_type_embeddings", "LayerNorm", "dropout", "position_embeddings")
    return module(
        "LongformerModel",
        embeddings=embeddings("LongformerEmbeddings", *tables),
        encoder=module("LongformerEncoder", layer=layers(layer)),
        pooler=pooler("LongformerPooler"),
    )


def bigbird_body() -> PrintedModule:
    """BigBird's bare model, whose pooler is just a dense layer."""
    body = bert_body("BigBird", self_attention="BigBirdBlockSparseAttention")
    return PrintedModule(body.kind, {**body.children, "pooler": LINEAR, "activation": TANH})


def mobilebert_body() -> PrintedModule:
    """MobileBERT's bare model, whose NoNorms print no shape."""
    no_norm, relu = PrintedModule("NoNorm"), PrintedModule("ReLU")
    inner_attention = module("MobileBertSelfAttention", query=LINEAR, key=LINEAR, value=LINEAR, dropout=DROPOUT)
    dense_and_norm = {"dense": LINEAR, "LayerNorm": no_norm}
    attention = PrintedModule(
        "MobileBertAttention",
        {"self": inner_attention, "output": PrintedModule("MobileBertSelfOutput", dense_and_norm)},
    )
    intermediate = module("MobileBertIntermediate", dense=LINEAR, intermediate_act_fn=relu)
    output_bottleneck = PrintedModule("OutputBottleneck", {**dense_and_norm, "dropout": DROPOUT})
    bottleneck = PrintedModule("BottleneckLayer", dense_and_norm)
    network = module("FFNLayer", intermediate=intermediate, output=PrintedModule("FFNOutput", dense_and_norm))
    layer = module(
        "MobileBertLayer",
        attention=attention,
        intermediate=intermediate,
        output=PrintedModule("MobileBertOutput", {**dense_and_norm, "bottleneck": output_bottleneck}),
        bottleneck=module("Bottleneck", input=bottleneck, attention=bottleneck),
        ffn=layers(network),
    )
    tables = dict.fromkeys(("word_embeddings", "position_embeddings", "token_type_embeddings"), TABLE)
    modules_after_tables = {"embedding_transformation": LINEAR, "LayerNorm": no_norm, "dropout": DROPOUT}
    return module(
        "MobileBertModel",
        embeddings=PrintedModule("MobileBertEmbeddings", {**tables, **modules_after_tables}),
        encoder=module("MobileBertEncoder", layer=layers(layer)),
        pooler=PrintedModule("MobileBertPooler"),
    )


def pre_norm_body(
    name: str, tables: tuple[str, ...], norms: tuple[str, str, str], lists_norms_first: bool
) -> PrintedModule:
    """The bare model of a relative that normalises before each block.

    Args:
        name: the beginning of its class names.
        tables: the names of the modules in the embeddings.
        norms: the names of the LayerNorms in attention, in the layer, and after the last layer.
        lists_norms_first: whether `print` lists the first two of these before the modules next to them.
    """
    inner_attention = module(f"{name}SelfAttention", query=LINEAR, key=LINEAR, value=LINEAR, dropout=DROPOUT)
    self_output = module(f"{name}SelfOutput", dense=LINEAR, dropout=DROPOUT)
    parts = {"self": inner_attention, "output": self_output}
    attention_norm_name, layer_norm_name, last_norm_name = norms
    attention = PrintedModule(
        f"{name}Attention",
        {attention_norm_name: NORM, **parts} if lists_norms_first else {**parts, attention_norm_name: NORM},
    )
    network = {
        "intermediate": module(f"{name}Intermediate", dense=LINEAR, intermediate_act_fn=GELU),
        "output": module(f"{name}Output", dense=LINEAR, dropout=DROPOUT),
    }
    children = {layer_norm_name: NORM, **network} if lists_norms_first else {**network, layer_norm_name: NORM}
    layer = module(f"{name}Layer", attention=attention, **children)
    return module(
        f"{name}Model",
        embeddings=embeddings(f"{name}Embeddings", *tables),
        encoder=PrintedModule(f"{name}Encoder", {"layer": layers(layer), last_norm_name: NORM}),
        pooler=pooler(f"{name}Pooler"),
    )


def rembert_body() -> PrintedModule:
    """RemBERT's bare model."""
    body = bert_body("RemBert")
    encoder = body.children["encoder"]
    encoder_with_projection = PrintedModule(encoder.kind, {"embedding_hidden_mapping_in": LINEAR, **encoder.children})
    return PrintedModule(body.kind, {**body.children, "encoder": encoder_with_projection})


def without_parts(body: PrintedModule, *names: str) -> PrintedModule:
    """A bare model without the named parts."""
    return PrintedModule(body.kind, {name: part for name, part in body.children.items() if name not in names})


MEGATRON_EMBEDDINGS = tuple(name for name in BERT_EMBEDDINGS if name != "LayerNorm")
"""The names of the modules in MegatronBERT's embeddings, which have no LayerNorm."""

DPR_BODY = module("DPREncoder", bert_model=without_parts(bert_body("Bert"), "pooler"), encode_proj=LINEAR)
"""DPR's encoder: a BERT without a pooler, and an optional projection."""


def gated_network(kind: str, activation: PrintedModule) -> PrintedModule:
    """A feed-forward network with a gate."""
    return module(kind, gate_proj=LINEAR, up_proj=LINEAR, down_proj=LINEAR, act_fn=activation)


def rotary_body(name: str, mlp: PrintedModule) -> PrintedModule:
    """The bare model of NomicBERT, or of a relative with other class names, with the feed-forward network `mlp`."""
    attention = module(f"{name}Attention", q_proj=LINEAR, k_proj=LINEAR, v_proj=LINEAR, o_proj=LINEAR)
    layer = module(
        f"{name}Layer",
        post_attention_layernorm=NORM,
        post_attention_dropout=DROPOUT,
        post_mlp_dropout=DROPOUT,
        mlp=mlp,
        self_attn=attention,
        post_mlp_layernorm=NORM,
    )
    return module(
        f"{name}Model",
        embeddings=embeddings(f"{name}Embeddings", "word_embeddings", "token_type_embeddings", "LayerNorm", "dropout"),
        pooler=pooler(f"{name}Pooler"),
        rotary_emb=PrintedModule(f"{name}RotaryEmbedding"),
        layers=layers(layer),
    )


def eurobert_body() -> PrintedModule:
    """EuroBERT's bare model, whose norms only scale."""
    norm = PrintedModule("EuroBertRMSNorm")
    layer = module(
        "EuroBertDecoderLayer",
        self_attn=module("EuroBertAttention", q_proj=LINEAR, k_proj=LINEAR, v_proj=LINEAR, o_proj=LINEAR),
        mlp=gated_network("EuroBertMLP", SILU),
        input_layernorm=norm,
        post_attention_layernorm=norm,
    )
    return module(
        "EuroBertModel",
        embed_tokens=TABLE,
        layers=layers(layer),
        norm=norm,
        rotary_emb=PrintedModule("EuroBertRotaryEmbedding"),
    )


def esm_body() -> PrintedModule:
    """ESM-2's bare model."""
    inner_attention = module("EsmSelfAttention", query=LINEAR, key=LINEAR, value=LINEAR)
    attention = PrintedModule(
        "EsmAttention",
        {"self": inner_attention, "output": module("EsmSelfOutput", dense=LINEAR, dropout=DROPOUT), "LayerNorm": NORM},
    )
    layer = module(
        "EsmLayer",
        attention=attention,
        intermediate=module("EsmIntermediate", dense=LINEAR),
        output=module("EsmOutput", dense=LINEAR, dropout=DROPOUT),
        LayerNorm=NORM,
    )
    return module(
        "EsmModel",
        embeddings=embeddings("EsmEmbeddings", "word_embeddings", "dropout"),
        rotary_embeddings=PrintedModule("EsmRotaryEmbedding"),
        encoder=module("EsmEncoder", layer=layers(layer), emb_layer_norm_after=NORM),
        pooler=pooler("EsmPooler"),
        contact_head=module("EsmContactPredictionHead", regression=LINEAR, activation=PrintedModule("Sigmoid")),
    )


BODIES: dict[str, PrintedModule] = {
    "bert": bert_body("Bert"),
    "roberta": bert_body("Roberta", ROBERTA_EMBEDDINGS),
    "xlm-roberta": bert_body("XLMRoberta", ROBERTA_EMBEDDINGS),
    "distilbert": distilbert_body(),
    "albert": albert_body(),
    "electra": electra_body(),
    "mpnet": mpnet_body(),
    "modernbert": modernbert_body(),
    "deberta-v2": deberta_body(),
    "camembert": bert_body("Camembert", ROBERTA_EMBEDDINGS),
    "data2vec-text": bert_body("Data2VecText", ROBERTA_EMBEDDINGS),
    "xlm-roberta-xl": pre_norm_body(
        "XLMRobertaXL",
        ("word_embeddings", "token_type_embeddings", "dropout", "position_embeddings"),
        ("self_attn_layer_norm", "LayerNorm", "LayerNorm"),
        lists_norms_first=False,
    ),
    "ernie": bert_body("Ernie", (*BERT_EMBEDDINGS, "task_type_embeddings")),
    "megatron-bert": pre_norm_body("MegatronBert", MEGATRON_EMBEDDINGS, ("ln", "ln", "ln"), lists_norms_first=True),
    "rembert": rembert_body(),
    "dpr": module("DPRContextEncoder", ctx_encoder=DPR_BODY),
    "nezha": bert_body("Nezha", ("word_embeddings", "token_type_embeddings", "LayerNorm", "dropout")),
    "deberta": first_deberta_body(),
    "longformer": longformer_body(),
    "big_bird": bigbird_body(),
    "mobilebert": mobilebert_body(),
    "nomic_bert": rotary_body("NomicBert", gated_network("NomicBertMLP", SILU)),
    "esm": esm_body(),
    "layoutlm": bert_body("LayoutLM", LAYOUTLM_EMBEDDINGS),
    "gte": rotary_body("Gte", gated_network("GteMLP", GELU)),
    "jina_embeddings_v3": rotary_body(
        "JinaEmbeddingsV3", module("JinaEmbeddingsV3MLP", activation_fn=GELU, fc1=LINEAR, fc2=LINEAR)
    ),
    "eurobert": eurobert_body(),
}
"""The bare models by `model_type`, as in transformers 5 or in the last release that has the architecture."""

EARLIER_BODIES: dict[str, PrintedModule] = {
    "bert": bert_body("Bert", self_attention="BertSdpaSelfAttention"),
    "roberta": bert_body("Roberta", ROBERTA_EMBEDDINGS, "RobertaSdpaSelfAttention"),
    "xlm-roberta": bert_body("XLMRoberta", ROBERTA_EMBEDDINGS, "XLMRobertaSdpaSelfAttention"),
    "distilbert": distilbert_body("MultiHeadSelfAttention"),
    "albert": albert_body("AlbertSdpaAttention"),
}
"""The bare models that transformers 4 printed differently, by `model_type`."""


# --- Skeletons of heads -------------------------------------------------------------


def prediction_head(prefix: str) -> PrintedModule:
    """The part of BERT's masked-LM head with the transform and the decoder."""
    transform = module(f"{prefix}PredictionHeadTransform", dense=LINEAR, transform_act_fn=GELU, LayerNorm=NORM)
    return module(f"{prefix}LMPredictionHead", transform=transform, decoder=LINEAR)


def lm_head(name: str) -> PrintedModule:
    """RoBERTa's masked-LM head."""
    return module(f"{name}LMHead", dense=LINEAR, layer_norm=NORM, decoder=LINEAR)


def classification_head(name: str) -> PrintedModule:
    """RoBERTa's head for sequence classification."""
    return module(f"{name}ClassificationHead", dense=LINEAR, dropout=DROPOUT, out_proj=LINEAR)


def classifier(**modules_before: PrintedModule) -> dict[str, PrintedModule]:
    """A dropout and a classifier, after the given modules."""
    return {**modules_before, "dropout": DROPOUT, "classifier": LINEAR}


QUESTION_ANSWERING = {"qa_outputs": LINEAR}
"""The head for question answering."""


def roberta_heads(name: str) -> dict[str, dict[str, PrintedModule]]:
    """The heads of RoBERTa, or of a relative with other class names, by the ending of the class name."""
    return {
        "ForMaskedLM": {"lm_head": lm_head(name)},
        "ForCausalLM": {"lm_head": lm_head(name)},
        "ForSequenceClassification": {"classifier": classification_head(name)},
        "ForMultipleChoice": classifier(),
        "ForTokenClassification": classifier(),
        "ForQuestionAnswering": QUESTION_ANSWERING,
    }


NEXT_SENTENCE = {"seq_relationship": LINEAR}
"""The head for next-sentence prediction."""


def bert_heads(name: str) -> dict[str, dict[str, PrintedModule]]:
    """The heads of BERT, or of a relative with other class names, by the ending of the class name."""
    masked_lm = {"cls": module(f"{name}OnlyMLMHead", predictions=prediction_head(name))}
    return {
        "ForPreTraining": {
            "cls": module(f"{name}PreTrainingHeads", predictions=prediction_head(name), **NEXT_SENTENCE)
        },
        "ForMaskedLM": masked_lm,
        "LMHeadModel": masked_lm,
        "ForCausalLM": masked_lm,
        "ForNextSentencePrediction": {"cls": module(f"{name}OnlyNSPHead", **NEXT_SENTENCE)},
        "ForSequenceClassification": classifier(),
        "ForMultipleChoice": classifier(),
        "ForTokenClassification": classifier(),
        "ForQuestionAnswering": QUESTION_ANSWERING,
    }


def rembert_heads() -> dict[str, dict[str, PrintedModule]]:
    """RemBERT's heads, by the ending of the class name."""
    predictions = module("RemBertLMPredictionHead", dense=LINEAR, decoder=LINEAR, activation=GELU, LayerNorm=NORM)
    masked_lm = {"cls": module("RemBertOnlyMLMHead", predictions=predictions)}
    return {**bert_heads("RemBert"), "ForMaskedLM": masked_lm, "ForCausalLM": masked_lm}


BODY_NAME = "body"
"""The key that marks the position of the bare model in heads with modules before it."""

BODY = PrintedModule(BODY_NAME)
"""The placeholder for the bare model among the modules of a head."""

DISTILBERT_HEADS = {
    "ForMaskedLM": {
        "activation": GELU,
        BODY_NAME: BODY,
        "vocab_transform": LINEAR,
        "vocab_layer_norm": NORM,
        "vocab_projector": LINEAR,
        "mlm_loss_fct": PrintedModule("CrossEntropyLoss"),
    },
    "ForSequenceClassification": {"pre_classifier": LINEAR, "classifier": LINEAR, "dropout": DROPOUT},
    "ForMultipleChoice": {"pre_classifier": LINEAR, "classifier": LINEAR, "dropout": DROPOUT},
    "ForTokenClassification": classifier(),
    "ForQuestionAnswering": {**QUESTION_ANSWERING, "dropout": DROPOUT},
}

ALBERT_MASKED_LM = module("AlbertMLMHead", LayerNorm=NORM, dense=LINEAR, decoder=LINEAR, activation=NEW_GELU)
ALBERT_HEADS = {
    "ForPreTraining": {
        "predictions": ALBERT_MASKED_LM,
        "sop_classifier": module("AlbertSOPHead", dropout=DROPOUT, classifier=LINEAR),
    },
    "ForMaskedLM": {"predictions": ALBERT_MASKED_LM},
    "ForSequenceClassification": classifier(),
    "ForMultipleChoice": classifier(),
    "ForTokenClassification": classifier(),
    "ForQuestionAnswering": QUESTION_ANSWERING,
}

GENERATOR = {
    "generator_predictions": module("ElectraGeneratorPredictions", activation=GELU, LayerNorm=NORM, dense=LINEAR),
    "generator_lm_head": LINEAR,
}
ELECTRA_SUMMARY = {"summary": LINEAR, "activation": GELU, "first_dropout": IDENTITY, "last_dropout": DROPOUT}
ELECTRA_HEADS = {
    "ForPreTraining": {
        "discriminator_predictions": module(
            "ElectraDiscriminatorPredictions", dense=LINEAR, activation=GELU, dense_prediction=LINEAR
        )
    },
    "ForMaskedLM": GENERATOR,
    "ForCausalLM": GENERATOR,
    "ForSequenceClassification": {
        "classifier": module(
            "ElectraClassificationHead", dense=LINEAR, activation=GELU, dropout=DROPOUT, out_proj=LINEAR
        )
    },
    "ForMultipleChoice": {
        "sequence_summary": PrintedModule("ElectraSequenceSummary", ELECTRA_SUMMARY),
        "classifier": LINEAR,
    },
    "ForTokenClassification": classifier(),
    "ForQuestionAnswering": QUESTION_ANSWERING,
}

MODERNBERT_HEAD = module("ModernBertPredictionHead", dense=LINEAR, act=GELU, norm=NORM)
MODERNBERT_TASK_HEAD = {"head": MODERNBERT_HEAD, "drop": DROPOUT, "classifier": LINEAR}
MODERNBERT_HEADS = {
    "ForMaskedLM": {"head": MODERNBERT_HEAD, "decoder": LINEAR},
    **dict.fromkeys(
        ("ForSequenceClassification", "ForMultipleChoice", "ForTokenClassification", "ForQuestionAnswering"),
        MODERNBERT_TASK_HEAD,
    ),
}

DEBERTA_TASK_HEAD = {
    "pooler": module("ContextPooler", dense=LINEAR, dropout=DROPOUT),
    "classifier": LINEAR,
    "dropout": DROPOUT,
}
DEBERTA_HEADS = {
    "ForMaskedLM": {"cls": module("LegacyDebertaV2OnlyMLMHead", predictions=prediction_head("LegacyDebertaV2"))},
    "ForSequenceClassification": DEBERTA_TASK_HEAD,
    "ForMultipleChoice": DEBERTA_TASK_HEAD,
    "ForTokenClassification": classifier(),
    "ForQuestionAnswering": QUESTION_ANSWERING,
}

FIRST_DEBERTA_HEADS = {
    "ForMaskedLM": {"cls": module("LegacyDebertaOnlyMLMHead", predictions=prediction_head("LegacyDeberta"))},
    "ForSequenceClassification": DEBERTA_TASK_HEAD,
    "ForTokenClassification": classifier(),
    "ForQuestionAnswering": QUESTION_ANSWERING,
}

BIGBIRD_QUESTION_ANSWERING = module(
    "BigBirdForQuestionAnsweringHead", dropout=DROPOUT, **feed_forward("BigBird"), **QUESTION_ANSWERING
)
BIGBIRD_HEADS = {
    "ForPreTraining": {
        "cls": module("BigBirdPreTrainingHeads", predictions=prediction_head("BigBird"), **NEXT_SENTENCE)
    },
    "ForMaskedLM": {"cls": module("BigBirdOnlyMLMHead", predictions=prediction_head("BigBird"))},
    "ForCausalLM": {"cls": module("BigBirdOnlyMLMHead", predictions=prediction_head("BigBird"))},
    "ForSequenceClassification": {"classifier": classification_head("BigBird")},
    "ForMultipleChoice": classifier(),
    "ForTokenClassification": classifier(),
    "ForQuestionAnswering": {"qa_classifier": BIGBIRD_QUESTION_ANSWERING},
}

MOBILEBERT_PREDICTIONS = module(
    "MobileBertLMPredictionHead",
    transform=module(
        "MobileBertPredictionHeadTransform", dense=LINEAR, transform_act_fn=PrintedModule("ReLU"), LayerNorm=NORM
    ),
    dense=LINEAR,
    decoder=LINEAR,
)
MOBILEBERT_HEADS = {
    "ForPreTraining": {
        "cls": module("MobileBertPreTrainingHeads", predictions=MOBILEBERT_PREDICTIONS, **NEXT_SENTENCE)
    },
    "ForMaskedLM": {"cls": module("MobileBertOnlyMLMHead", predictions=MOBILEBERT_PREDICTIONS)},
    "ForNextSentencePrediction": {"cls": module("MobileBertOnlyNSPHead", **NEXT_SENTENCE)},
    "ForSequenceClassification": classifier(),
    "ForQuestionAnswering": QUESTION_ANSWERING,
    "ForMultipleChoice": classifier(),
    "ForTokenClassification": classifier(),
}

NOMIC_TRANSFORM = module("NomicBertPredictionHeadTransform", dense=LINEAR, transform_act_fn=SILU, layer_norm=NORM)
NOMIC_MASKED_LM = module("NomicBertLMPredictionHead", transform=NOMIC_TRANSFORM, decoder=LINEAR)
NOMIC_HEADS = {
    "ForMaskedLM": {"cls": module("NomicBertOnlyMLMHead", predictions=NOMIC_MASKED_LM)},
    "ForSequenceClassification": classifier(),
    "ForTokenClassification": classifier(),
}

EUROBERT_HEADS = {
    "ForMaskedLM": {"lm_head": LINEAR},
    "ForSequenceClassification": {
        "dense": LINEAR,
        "activation": PrintedModule("GELU", options="approximate='none'"),
        "classifier": LINEAR,
    },
    "ForTokenClassification": {"classifier": LINEAR},
}

ESM_HEADS = {
    "ForMaskedLM": {"lm_head": lm_head("Esm")},
    "ForSequenceClassification": {"classifier": classification_head("Esm")},
    "ForTokenClassification": classifier(),
}

LAYOUTLM_HEADS = {
    "ForMaskedLM": {"cls": module("LayoutLMOnlyMLMHead", predictions=prediction_head("LayoutLM"))},
    "ForSequenceClassification": classifier(),
    "ForTokenClassification": classifier(),
    "ForQuestionAnswering": QUESTION_ANSWERING,
}

HEADS: dict[str, tuple[str, Mapping[str, Mapping[str, PrintedModule]]]] = {
    "bert": ("Bert", bert_heads("Bert")),
    "roberta": ("Roberta", roberta_heads("Roberta")),
    "xlm-roberta": ("XLMRoberta", roberta_heads("XLMRoberta")),
    "distilbert": ("DistilBert", DISTILBERT_HEADS),
    "albert": ("Albert", ALBERT_HEADS),
    "electra": ("Electra", ELECTRA_HEADS),
    "mpnet": ("MPNet", roberta_heads("MPNet")),
    "modernbert": ("ModernBert", MODERNBERT_HEADS),
    "deberta-v2": ("DebertaV2", DEBERTA_HEADS),
    "camembert": ("Camembert", roberta_heads("Camembert")),
    "data2vec-text": ("Data2VecText", roberta_heads("Data2VecText")),
    "xlm-roberta-xl": ("XLMRobertaXL", roberta_heads("XLMRobertaXL")),
    "ernie": ("Ernie", bert_heads("Ernie")),
    "megatron-bert": ("MegatronBert", bert_heads("MegatronBert")),
    "rembert": ("RemBert", rembert_heads()),
    "nezha": ("Nezha", bert_heads("Nezha")),
    "deberta": ("Deberta", FIRST_DEBERTA_HEADS),
    "longformer": ("Longformer", roberta_heads("Longformer")),
    "big_bird": ("BigBird", BIGBIRD_HEADS),
    "mobilebert": ("MobileBert", MOBILEBERT_HEADS),
    "nomic_bert": ("NomicBert", NOMIC_HEADS),
    "esm": ("Esm", ESM_HEADS),
    "layoutlm": ("LayoutLM", LAYOUTLM_HEADS),
    "gte": ("Gte", {**NOMIC_HEADS, "ForMaskedLM": {"lm_head": lm_head("Gte")}}),
    "jina_embeddings_v3": ("JinaEmbeddingsV3", roberta_heads("JinaEmbeddingsV3")),
    "eurobert": ("EuroBert", EUROBERT_HEADS),
}
"""For each `model_type`, the beginning of its class names, and its heads by the ending of the class name."""

# --- Trees --------------------------------------------------------------------------

OPTIONAL_MODULES = (
    "pooler",
    "embeddings_project",
    "encode_proj",
    "task_type_embeddings",
    "token_type_embeddings",
    "conv",
)
"""The names of modules that choices or sizes may leave out."""


class SkeletonMismatch(Exception):
    """A tensor has no module, or a module that must have tensors has none."""


def dpr_skeleton(name: str) -> PrintedModule:
    """The skeleton of a DPR class other than the bare model."""
    if name == "DPRQuestionEncoder":
        return module(name, question_encoder=DPR_BODY)
    return module(
        name, span_predictor=module("DPRSpanPredictor", encoder=DPR_BODY, qa_outputs=LINEAR, qa_classifier=LINEAR)
    )


def skeleton(question: Question, is_earlier: bool) -> PrintedModule:
    """The skeleton of a question's class in transformers 5 or, if `is_earlier`, in transformers 4."""
    architecture = question.architecture
    body = BODIES[architecture.model_type]
    if is_earlier:
        body = EARLIER_BODIES.get(architecture.model_type, body)
    name = question.resolved_class.name
    if name == architecture.classes[0].name:
        return body
    if architecture.model_type == "dpr":
        return dpr_skeleton(name)
    class_prefix, heads = HEADS[architecture.model_type]
    head = heads[name.removeprefix(class_prefix)]
    body_name = body_prefix(architecture, name).removesuffix(".")
    if BODY_NAME in head:
        return PrintedModule(
            name, {body_name if part == BODY_NAME else part: {BODY_NAME: body}.get(part, head[part]) for part in head}
        )
    # The classes of these architectures create their head before the bare model.
    are_heads_first = architecture.model_type in ("xlm-roberta", "camembert")
    first_children, second_children = (head, {body_name: body}) if are_heads_first else ({body_name: body}, head)
    return PrintedModule(name, {**first_children, **second_children})


def module_tree(question: Question, is_earlier: bool = False) -> PrintedModule:
    """The modules of a question's class, with each of the engine's tensors in its module.

    Raises:
        SkeletonMismatch: the skeleton does not fit the engine's names.
    """
    tensors_by_module: dict[str, list[Tensor]] = {}
    for tensor in tensors(question):
        tensors_by_module.setdefault(tensor.transformers.rpartition(".")[0], []).append(tensor)
    tree = _with_tensors(skeleton(question, is_earlier), "", tensors_by_module)
    if tensors_by_module:
        raise SkeletonMismatch(f"no module for {', '.join(tensors_by_module)}")
    return tree


def _with_tensors(module: PrintedModule, path: str, tensors_by_module: dict[str, list[Tensor]]) -> PrintedModule:
    """A module of a skeleton with the tensors of this module and of all modules below it.

    The tensors are removed from `tensors_by_module`. Optional modules without tensors are left out.
    """
    tensors = tuple(tensors_by_module.pop(path.removesuffix("."), ()))
    children = {}
    for name, child in _with_every_layer(module.children, path, tensors_by_module):
        child_path = f"{path}{name}"
        if not _needs_tensors(child) or any(
            f"{module_name}.".startswith(f"{child_path}.") for module_name in tensors_by_module
        ):
            children[name] = _with_tensors(child, f"{child_path}.", tensors_by_module)
        elif name == "attn_norm":
            children[name] = IDENTITY
        elif name not in OPTIONAL_MODULES:
            raise SkeletonMismatch(f"no tensor for {child_path}")
    if "pooler" not in children:
        children.pop("pooler_activation", None)
    return module._replace(children=children, own_tensors=tensors)


def _needs_tensors(child: PrintedModule) -> bool:
    """Return whether a module is or contains a dense layer, an embedding table or a LayerNorm."""
    return child in (LINEAR, TABLE, NORM) or any(map(_needs_tensors, child.children.values()))


def _with_every_layer(
    children: Mapping[str, PrintedModule], path: str, tensors_by_module: Iterable[str]
) -> Iterator[tuple[str, PrintedModule]]:
    """The children by name, with the template of a list repeated for every module in the list."""
    if "*" not in children:
        yield from children.items()
        return
    numbers = {
        int(module_name.removeprefix(path).split(".")[0])
        for module_name in tensors_by_module
        if module_name.startswith(path)
    }
    for number in sorted(numbers):
        yield str(number), children["*"]
