"""Print-outs of models other than BERT and its relatives.

Each model is a tree of modules with shapes, modelled on the library that it comes
from. Some resemble BERT on purpose: ViT's encoder names its layers as BERT does,
GPT-2's layer has the same number of parameters, and PyTorch's own encoder and ViT
have LayerNorms and attention of the same widths.

Sources: transformers 5.23 and torchvision 0.28, `named_parameters()` and `print`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from math import ceil, prod
from typing import Any, NamedTuple


class Node(NamedTuple):
    """A module of a model.

    Attributes:
        kind: the name of its class.
        options: the text in parentheses after the class name in `print`.
        own_tensors: the shapes of its own tensors, by name.
        children: its child modules, by name.
    """

    kind: str
    options: str = ""
    own_tensors: Mapping[str, tuple[int, ...]] = {}
    children: Mapping[str, Node] = {}

    def tensors(self, path: str = "") -> Iterator[tuple[str, tuple[int, ...]]]:
        """The full name and the shape of every tensor, with `path` before each name."""
        for name, shape in self.own_tensors.items():
            yield f"{path}{name}", shape
        for name, child in self.children.items():
            yield from child.tensors(f"{path}{name}.")

    @property
    def number(self) -> int:
        """The number of parameters."""
        return sum(prod(shape) for _, shape in self.tensors())


def node(kind: str, /, **children: Node) -> Node:
    """A module without tensors of its own."""
    return Node(kind, children=children)


def linear(inputs: int, outputs: int, has_bias: bool = True) -> Node:
    """A dense layer."""
    shapes: dict[str, tuple[int, ...]] = {"weight": (outputs, inputs), **({"bias": (outputs,)} if has_bias else {})}
    return Node("Linear", f"in_features={inputs}, out_features={outputs}, bias={has_bias}", shapes)


def gpt2_linear(inputs: int, outputs: int) -> Node:
    """GPT-2's dense layer, whose weight has the shape (inputs, outputs)."""
    return Node("Conv1D", f"nf={outputs}, nx={inputs}", {"weight": (inputs, outputs), "bias": (outputs,)})


def table(rows: int, width: int) -> Node:
    """An embedding table."""
    return Node("Embedding", f"{rows}, {width}", {"weight": (rows, width)})


def norm(width: int) -> Node:
    """A LayerNorm."""
    return Node("LayerNorm", f"({width},), eps=1e-05, elementwise_affine=True", {"weight": (width,), "bias": (width,)})


def rms_norm(kind: str, width: int) -> Node:
    """A norm that only scales."""
    return Node(kind, f"({width},), eps=1e-06", {"weight": (width,)})


def conv(inputs: int, outputs: int, kernel: int, has_bias: bool, groups: int = 1, dims: int = 2) -> Node:
    """A convolution in `dims` dimensions."""
    size = (kernel,) * dims
    shapes: dict[str, tuple[int, ...]] = {
        "weight": (outputs, inputs // groups, *size),
        **({"bias": (outputs,)} if has_bias else {}),
    }
    return Node(
        f"Conv{dims}d",
        f"{inputs}, {outputs}, kernel_size={size}, stride={(1,) * dims}{'' if has_bias else ', bias=False'}",
        shapes,
    )


def batch_norm(width: int) -> Node:
    """A batch norm."""
    options = f"{width}, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True"
    return Node("BatchNorm2d", options, {"weight": (width,), "bias": (width,)})


DROPOUT = Node("Dropout", "p=0.1, inplace=False")
GELU = Node("NewGELUActivation")
RELU = Node("ReLU")
SILU = Node("SiLU")


def module_list(kind: str, count: int, make: Callable[[int], Node]) -> Node:
    """A list of `count` modules, each returned by `make` for its index."""
    return Node(kind, children={str(index): make(index) for index in range(count)})


class Sizes(NamedTuple):
    """Sizes that several families share."""

    vocabulary: int
    width: int
    layers: int
    inner_width: int


def random_sizes(chance: random.Random) -> Sizes:
    """Random sizes, each of which may be that of BERT base."""
    width = chance.choice([768, 768, 512, 384, 64, 1024])
    return Sizes(chance.choice([30522, 50257, 32000, 1000]), width, chance.choice([2, 4, 6, 12]), 4 * width)


def gpt2(chance: random.Random) -> Node:
    """GPT-2."""
    vocabulary, width, layers, inner_width = random_sizes(chance)

    def block(_: int) -> Node:
        """A layer."""
        attention = node(
            "GPT2Attention",
            c_attn=gpt2_linear(width, 3 * width),
            c_proj=gpt2_linear(width, width),
            attn_dropout=DROPOUT,
        )
        mlp = node(
            "GPT2MLP",
            c_fc=gpt2_linear(width, inner_width),
            c_proj=gpt2_linear(inner_width, width),
            act=GELU,
            dropout=DROPOUT,
        )
        return node("GPT2Block", ln_1=norm(width), attn=attention, ln_2=norm(width), mlp=mlp)

    body = node(
        "GPT2Model",
        wte=table(vocabulary, width),
        wpe=table(1024, width),
        drop=DROPOUT,
        h=module_list("ModuleList", layers, block),
        ln_f=norm(width),
    )
    return body if chance.random() < 0.5 else node("GPT2LMHeadModel", transformer=body)


def t5(chance: random.Random) -> Node:
    """T5, with an encoder and a decoder."""
    vocabulary, width, layers, inner_width = random_sizes(chance)

    def attention(kind: str, index: int) -> Node:
        """An attention module, which has a table of relative positions only in the first layer."""
        parts = {name: linear(width, width, has_bias=False) for name in "qkvo"}
        bias = {"relative_attention_bias": table(32, 8)} if not index else {}
        return Node(kind, children={**parts, **bias})

    def block(index: int, is_decoder: bool) -> Node:
        """A layer of the encoder or of the decoder."""

        def attention_block(kind: str, name: str) -> Node:
            """Attention with its LayerNorm."""
            inner_attention = attention("T5Attention", index if name == "SelfAttention" else 1)
            return Node(
                kind, children={name: inner_attention, "layer_norm": rms_norm("T5LayerNorm", width), "dropout": DROPOUT}
            )

        dense = node(
            "T5DenseActDense",
            wi=linear(width, inner_width, False),
            wo=linear(inner_width, width, False),
            dropout=DROPOUT,
            act=RELU,
        )
        parts = [attention_block("T5LayerSelfAttention", "SelfAttention")]
        if is_decoder:
            parts.append(attention_block("T5LayerCrossAttention", "EncDecAttention"))
        parts.append(
            node("T5LayerFF", DenseReluDense=dense, layer_norm=rms_norm("T5LayerNorm", width), dropout=DROPOUT)
        )
        return node(
            "T5Block", layer=Node("ModuleList", children={str(index): part for index, part in enumerate(parts)})
        )

    def stack(is_decoder: bool) -> Node:
        """The encoder or the decoder."""
        blocks = module_list("ModuleList", layers, lambda index: block(index, is_decoder))
        return node("T5Stack", block=blocks, final_layer_norm=rms_norm("T5LayerNorm", width), dropout=DROPOUT)

    return node(
        "T5ForConditionalGeneration", shared=table(vocabulary, width), encoder=stack(False), decoder=stack(True)
    )


def vit(chance: random.Random) -> Node:
    """ViT, whose encoder names its layers as BERT does."""
    _, width, layers, inner_width = random_sizes(chance)

    def layer(_: int) -> Node:
        """A layer."""
        inner_attention = node(
            "ViTSelfAttention", query=linear(width, width), key=linear(width, width), value=linear(width, width)
        )
        attention = node(
            "ViTAttention",
            attention=inner_attention,
            output=node("ViTSelfOutput", dense=linear(width, width), dropout=DROPOUT),
        )
        return node(
            "ViTLayer",
            attention=attention,
            intermediate=node("ViTIntermediate", dense=linear(width, inner_width), intermediate_act_fn=GELU),
            output=node("ViTOutput", dense=linear(inner_width, width), dropout=DROPOUT),
            layernorm_before=norm(width),
            layernorm_after=norm(width),
        )

    patches = node("ViTPatchEmbeddings", projection=conv(3, width, 16, has_bias=True))
    tensors = {"cls_token": (1, 1, width), "position_embeddings": (1, 197, width)}
    embeddings = Node("ViTEmbeddings", own_tensors=tensors, children={"patch_embeddings": patches, "dropout": DROPOUT})
    encoder = node("ViTEncoder", layer=module_list("ModuleList", layers, layer))
    body = node("ViTModel", embeddings=embeddings, encoder=encoder, layernorm=norm(width))
    if chance.random() < 0.4:
        return Node(
            "ViTModel",
            children={
                **body.children,
                "pooler": node("ViTPooler", dense=linear(width, width), activation=Node("Tanh")),
            },
        )
    return node("ViTForImageClassification", vit=body, classifier=linear(width, 1000))


def llama(chance: random.Random) -> Node:
    """LLaMA."""
    vocabulary, width, layers, _ = random_sizes(chance)
    inner_width = 8 * width // 3

    def layer(_: int) -> Node:
        """A layer."""
        projections = {f"{name}_proj": linear(width, width, has_bias=False) for name in "qkvo"}
        mlp = node(
            "LlamaMLP",
            gate_proj=linear(width, inner_width, False),
            up_proj=linear(width, inner_width, False),
            down_proj=linear(inner_width, width, False),
            act_fn=SILU,
        )
        return node(
            "LlamaDecoderLayer",
            self_attn=Node("LlamaAttention", children=projections),
            mlp=mlp,
            input_layernorm=rms_norm("LlamaRMSNorm", width),
            post_attention_layernorm=rms_norm("LlamaRMSNorm", width),
        )

    body = node(
        "LlamaModel",
        embed_tokens=table(vocabulary, width),
        layers=module_list("ModuleList", layers, layer),
        norm=rms_norm("LlamaRMSNorm", width),
    )
    return node("LlamaForCausalLM", model=body, lm_head=linear(width, vocabulary, False))


def pre_norm_layer(
    kind: str, width: int, inner_width: int, has_cross_attention: bool = False, has_key_bias: bool = True
) -> Node:
    """A layer of CLIP or Whisper."""

    def attention() -> Node:
        """An attention module, either self-attention or cross-attention."""
        projections = {
            f"{name}_proj": linear(width, width, has_key_bias or name != "k") for name in ("k", "v", "q", "out")
        }
        return Node(f"{kind}Attention", children=projections)

    parts = {"self_attn": attention(), "layer_norm1": norm(width)}
    if has_cross_attention:
        parts |= {"encoder_attn": attention(), "encoder_attn_layer_norm": norm(width)}
    if kind == "CLIP":
        parts["mlp"] = node("CLIPMLP", fc1=linear(width, inner_width), fc2=linear(inner_width, width))
    else:
        parts |= {"fc1": linear(width, inner_width), "fc2": linear(inner_width, width)}
    return Node(f"{kind}EncoderLayer", children={**parts, "layer_norm2": norm(width)})


def clip(chance: random.Random) -> Node:
    """CLIP, with an encoder for texts and one for images."""
    vocabulary, width, layers, inner_width = random_sizes(chance)

    def stack() -> Node:
        """The layers of an encoder."""
        return node(
            "CLIPEncoder",
            layers=module_list("ModuleList", layers, lambda _: pre_norm_layer("CLIP", width, inner_width)),
        )

    text_encoder = node(
        "CLIPTextTransformer",
        embeddings=node(
            "CLIPTextEmbeddings", token_embedding=table(vocabulary, width), position_embedding=table(77, width)
        ),
        encoder=stack(),
        final_layer_norm=norm(width),
    )
    image_encoder = node(
        "CLIPVisionTransformer",
        embeddings=Node(
            "CLIPVisionEmbeddings",
            own_tensors={"class_embedding": (width,)},
            children={"patch_embedding": conv(3, width, 32, has_bias=False), "position_embedding": table(50, width)},
        ),
        pre_layrnorm=norm(width),
        encoder=stack(),
        post_layernorm=norm(width),
    )
    projections = {"visual_projection": linear(width, 512, False), "text_projection": linear(width, 512, False)}
    return Node(
        "CLIPModel",
        own_tensors={"logit_scale": ()},
        children={"text_model": text_encoder, "vision_model": image_encoder, **projections},
    )


def whisper(chance: random.Random) -> Node:
    """Whisper, with convolutions before its encoder."""
    vocabulary, width, layers, inner_width = random_sizes(chance)

    def stack(has_cross_attention: bool) -> Node:
        """The layers of the encoder or of the decoder."""
        return module_list(
            "ModuleList",
            layers,
            lambda _: pre_norm_layer("Whisper", width, inner_width, has_cross_attention, has_key_bias=False),
        )

    encoder = node(
        "WhisperEncoder",
        conv1=conv(80, width, 3, has_bias=True, dims=1),
        conv2=conv(width, width, 3, has_bias=True, dims=1),
        embed_positions=table(1500, width),
        layers=stack(False),
        layer_norm=norm(width),
    )
    decoder = node(
        "WhisperDecoder",
        embed_tokens=table(vocabulary, width),
        embed_positions=table(448, width),
        layers=stack(True),
        layer_norm=norm(width),
    )
    return node("WhisperModel", encoder=encoder, decoder=decoder)


def resnet(chance: random.Random) -> Node:
    """ResNet-18, or a narrower version of it."""
    width = chance.choice([64, 32, 16])

    def block(inputs: int, outputs: int) -> Node:
        """A block of two convolutions, with a third on the shortcut if the number of channels changes."""
        parts = {
            "conv1": conv(inputs, outputs, 3, has_bias=False),
            "bn1": batch_norm(outputs),
            "relu": RELU,
            "conv2": conv(outputs, outputs, 3, has_bias=False),
            "bn2": batch_norm(outputs),
        }
        if inputs != outputs:
            parts["downsample"] = Node(
                "Sequential", children={"0": conv(inputs, outputs, 1, has_bias=False), "1": batch_norm(outputs)}
            )
        return Node("BasicBlock", children=parts)

    stages = {}
    width_before = width
    for index in range(4):
        outputs = width * 2**index
        stages[f"layer{index + 1}"] = Node(
            "Sequential", children={"0": block(width_before, outputs), "1": block(outputs, outputs)}
        )
        width_before = outputs
    return Node(
        "ResNet",
        children={
            "conv1": conv(3, width, 7, has_bias=False),
            "bn1": batch_norm(width),
            "relu": RELU,
            **stages,
            "avgpool": Node("AdaptiveAvgPool2d", "output_size=(1, 1)"),
            "fc": linear(width_before, 1000),
        },
    )


def small_cnn(chance: random.Random) -> Node:
    """A small convolutional network that classifies digits."""
    channels = chance.choice([32, 16])
    return node(
        "Net",
        conv1=conv(1, channels, 3, has_bias=True),
        conv2=conv(channels, 2 * channels, 3, has_bias=True),
        dropout1=DROPOUT,
        fc1=linear(2 * channels * 144, 128),
        fc2=linear(128, 10),
    )


def lstm(chance: random.Random) -> Node:
    """An LSTM that classifies texts."""
    vocabulary, width, layers, _ = random_sizes(chance)
    hidden_size = width // 2
    shapes: dict[str, tuple[int, ...]] = {}
    for layer in range(min(layers, 2)):
        for suffix in ("", "_reverse"):
            shapes[f"weight_ih_l{layer}{suffix}"] = (4 * hidden_size, width)
            shapes[f"weight_hh_l{layer}{suffix}"] = (4 * hidden_size, hidden_size)
            shapes[f"bias_ih_l{layer}{suffix}"] = (4 * hidden_size,)
            shapes[f"bias_hh_l{layer}{suffix}"] = (4 * hidden_size,)
    lstm_module = Node(
        "LSTM", f"{width}, {hidden_size}, num_layers={min(layers, 2)}, batch_first=True, bidirectional=True", shapes
    )
    return node(
        "LSTMClassifier", embedding=table(vocabulary, width), lstm=lstm_module, dropout=DROPOUT, fc=linear(width, 2)
    )


def torch_encoder(chance: random.Random) -> Node:
    """PyTorch's own Transformer encoder, alone or with embeddings and a decoder."""
    vocabulary, width, layers, inner_width = random_sizes(chance)

    def layer(_: int) -> Node:
        """A layer."""
        attention = Node(
            "MultiheadAttention",
            own_tensors={"in_proj_weight": (3 * width, width), "in_proj_bias": (3 * width,)},
            children={"out_proj": Node("NonDynamicallyQuantizableLinear", *linear(width, width)[1:])},
        )
        return node(
            "TransformerEncoderLayer",
            self_attn=attention,
            linear1=linear(width, inner_width),
            dropout=DROPOUT,
            linear2=linear(inner_width, width),
            norm1=norm(width),
            norm2=norm(width),
        )

    encoder = node("TransformerEncoder", layers=module_list("ModuleList", layers, layer))
    if chance.random() < 0.3:
        return encoder
    return node(
        "TransformerModel",
        embedding=table(vocabulary, width),
        pos_encoder=node("PositionalEncoding", dropout=DROPOUT),
        transformer_encoder=encoder,
        decoder=linear(width, vocabulary),
    )


FAMILIES: dict[str, Callable[[random.Random], Node]] = {
    "gpt2": gpt2,
    "t5": t5,
    "vit": vit,
    "llama": llama,
    "clip": clip,
    "whisper": whisper,
    "resnet": resnet,
    "small cnn": small_cnn,
    "lstm": lstm,
    "torch transformer": torch_encoder,
}
"""The functions that build a model with random sizes, by family."""


def as_names(model: Node, chance: random.Random) -> str:
    """The output of a loop over `named_parameters()`."""
    form = chance.choice(
        [
            "{0} torch.Size({1})",
            "{0} {1} {2}",
            "{0}: {2:,}",
            "{0}\t{1}",
            "{0} -> torch.Size({1}) -> {2}",
            "{0} torch.Size({1}) True",
        ]
    )
    lines = [form.format(name, list(shape), prod(shape)) for name, shape in model.tensors()]
    return "\n".join([*lines, *([f"Total: {model.number:,}"] if chance.random() < 0.4 else [])])


def as_print(model: Node, chance: random.Random) -> str:
    """The output of `print(model)` in torch 2 or torch 1."""
    return "\n".join(_print_lines(model, "", 0, chance.random() < 0.7))


def _print_lines(node: Node, label: str, depth: int, is_short: bool) -> list[str]:
    """The lines of a module. If `is_short`, equal neighbours in a list are printed once, as in torch 2."""
    indent = "  " * depth
    if not node.children:
        return [f"{indent}{label}{node.kind}({node.options})"]
    lines = [f"{indent}{label}{node.kind}("]
    items = list(node.children.items())
    while items:
        name, child = items[0]
        run_length = 1
        if is_short and node.kind == "ModuleList":
            while run_length < len(items) and items[run_length][1] == child:
                run_length += 1
        start = f"({name}): " if run_length == 1 else f"({name}-{items[run_length - 1][0]}): {run_length} x "
        lines += _print_lines(child, start, depth + 1, is_short)
        items = items[run_length:]
    return [*lines, f"{indent})"]


def as_torchinfo(model: Node, chance: random.Random) -> str:
    """The summary of torchinfo, down to a random depth."""
    max_depth = chance.choice([1, 2, 3, 4])
    rows: list[tuple[str, str]] = []
    counts_by_depth: dict[int, int] = {}

    def add(node: Node, depth: int) -> None:
        """Add a row for a module and for the modules below it, down to `max_depth`."""
        counts_by_depth[depth] = counts_by_depth.get(depth, 0) + 1
        start = ""
        if depth:
            start = "├─" if depth == 1 else "│    " * (depth - 1) + "└─"
        has_rows_below = depth < max_depth and bool(node.children)
        row_number = sum(map(prod, node.own_tensors.values())) if has_rows_below else node.number
        name = f"{node.kind}: {depth}-{counts_by_depth[depth]}" if depth else node.kind
        rows.append((start + name, f"{row_number:,}" if row_number else "--"))
        if depth < max_depth:
            for child in node.children.values():
                add(child, depth + 1)

    add(model, 0)
    width = max(40, ceil(max(len(name) for name, _ in rows) / 5) * 5)
    rule = "=" * (width + 25)
    lines = [rule, f"{'Layer (type:depth-idx)':<{width}} Param #", rule]
    lines += [f"{name:<{width}} {count}" for name, count in rows]
    total = f"Total params: {model.number:,}\nTrainable params: {model.number:,}\nNon-trainable params: 0"
    return "\n".join([*lines, rule, total, rule])


def as_safetensors(model: Node, _: random.Random) -> str:
    """The header of a safetensors file."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    offset = 0
    for name, shape in sorted(model.tensors()):
        end = offset + 4 * prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [offset, end]}
        offset = end
    return json.dumps(header, separators=(",", ":"))


LAYOUTS: dict[str, Callable[[Node, random.Random], str]] = {
    "named": as_names,
    "print": as_print,
    "torchinfo": as_torchinfo,
    "safetensors": as_safetensors,
}
"""The functions that print a model, by layout."""


def other_case(chance: random.Random) -> dict[str, Any]:
    """A model of a random family, printed in a random layout.

    The result has the `text`, the `layout`, the `family` and the `total` number of parameters.
    """
    family, layout = chance.choice([*FAMILIES]), chance.choice([*LAYOUTS])
    model = FAMILIES[family](chance)
    return {"text": LAYOUTS[layout](model, chance), "layout": layout, "family": family, "total": model.number}
