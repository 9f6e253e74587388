"""Texts to try on the page "I got a different number": outputs of common tools, a sum, code, a question and a config.

The engine computes their counts and sizes; everything else in an output is as the tool prints it. The page fetches
the texts (`data/examples.js`) when a reader selects one, because they would make the page much larger.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from macros.counting import BERT, Question, count, model_named, tensors
from macros.counting.architecture import ONE_LAYER
from macros.counting.changes.mistakes import NUMBERS

from .components.asking import BASE
from .components.changes import CHANGED_CLASS, changed_model, example_of
from .components.numbers import whole
from .listings import KERAS_WIDTHS, lines_of

MODULES = """\
BertModel(
  (embeddings): BertEmbeddings(
    (word_embeddings): Embedding({V}, {H}, padding_idx=0)
    (position_embeddings): Embedding({P}, {H})
    (token_type_embeddings): Embedding({S}, {H})
    (LayerNorm): LayerNorm(({H},), eps=1e-12, elementwise_affine=True, bias=True)
    (dropout): Dropout(p=0.1, inplace=False)
  )
  (encoder): BertEncoder(
    (layer): ModuleList(
      (0-{last}): {L} x BertLayer(
        (attention): BertAttention(
          (self): BertSelfAttention(
            (query): Linear(in_features={H}, out_features={H}, bias=True)
            (key): Linear(in_features={H}, out_features={H}, bias=True)
            (value): Linear(in_features={H}, out_features={H}, bias=True)
            (dropout): Dropout(p=0.1, inplace=False)
          )
          (output): BertSelfOutput(
            (dense): Linear(in_features={H}, out_features={H}, bias=True)
            (LayerNorm): LayerNorm(({H},), eps=1e-12, elementwise_affine=True, bias=True)
            (dropout): Dropout(p=0.1, inplace=False)
          )
        )
        (intermediate): BertIntermediate(
          (dense): Linear(in_features={H}, out_features={F}, bias=True)
          (intermediate_act_fn): GELUActivation()
        )
        (output): BertOutput(
          (dense): Linear(in_features={F}, out_features={H}, bias=True)
          (LayerNorm): LayerNorm(({H},), eps=1e-12, elementwise_affine=True, bias=True)
          (dropout): Dropout(p=0.1, inplace=False)
        )
      )
    )
  )
  (pooler): BertPooler(
    (dense): Linear(in_features={H}, out_features={H}, bias=True)
    (activation): Tanh()
  )
)"""
"""The output of `print(model)` for `BertModel`; letters in braces are replaced with sizes."""

NEW_WEIGHTS = (
    "Some weights of {model_class} were not initialized from the model checkpoint at {model} and are newly "
    "initialized: {names}\nYou should probably TRAIN this model on a down-stream task to be able to use it for "
    "predictions and inference."
)
"""The warning from transformers about a class that has more tensors than its checkpoint."""

CHINESE = "bert-base-chinese"


def modules() -> str:
    """The output of `print(model)`."""
    sizes = model_named(BASE).sizes
    return MODULES.format(**sizes, last=sizes["L"] - 1)


def named_parameters() -> str:
    """The output of a loop that prints names and shapes from `named_parameters()`."""
    return "\n".join(
        f"{tensor.transformers} torch.Size([{', '.join(map(str, tensor.shape))}])"
        for tensor in tensors(Question(model_named(BASE)))
    )


def torchinfo() -> str:
    """The summary by torchinfo, to the depth at which each layer is one row."""
    base = model_named(BASE)
    total = whole(count(base))
    layer_number = whole(count(base, ONE_LAYER))
    pooler_number = whole(count(base, "bert/pooler"))
    layers = base.sizes["L"]
    rows = [
        ("BertModel", "--"),
        ("├─BertEmbeddings: 1-1", "--"),
        *(
            (f"│    └─{module_type}: 2-{index}", whole(count(base, path)))
            for index, (path, module_type) in enumerate(EMBEDDING_MODULES.items(), 1)
        ),
        ("│    └─Dropout: 2-5", "--"),
        ("├─BertEncoder: 1-2", "--"),
        ("│    └─ModuleList: 2-6", "--"),
        *((f"│    │    └─BertLayer: 3-{index}", layer_number) for index in range(1, layers + 1)),
        ("├─BertPooler: 1-3", "--"),
        ("│    └─Linear: 2-7", pooler_number),
        ("│    └─Tanh: 2-8", "--"),
    ]
    name_width, number_width = 56, 24  # in characters
    rule = "=" * (name_width + number_width)
    headings = ("Layer (type:depth-idx)", "Param #")
    lines = [f"{name:<{name_width}}{text:<{number_width}}".rstrip() for name, text in [headings, *rows]]
    foot = [f"Total params: {total}", f"Trainable params: {total}", "Non-trainable params: 0"]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule, *foot, rule])


EMBEDDING_MODULES = {
    "bert/embeddings/word_embeddings": "Embedding",
    "bert/embeddings/position_embeddings": "Embedding",
    "bert/embeddings/token_type_embeddings": "Embedding",
    "bert/embeddings/LayerNorm": "LayerNorm",
}
"""The types of the embeddings' modules with parameters, by path, in the order of torchinfo's summary."""


def keras() -> str:
    """The Keras summary of a keras-bert model."""
    lines = lines_of("keras-bert", CHINESE)
    rule = "_" * sum(KERAS_WIDTHS)
    double_rule = "=" * sum(KERAS_WIDTHS)
    cells = ("Layer (type)", "Output Shape", "Param #")
    head = "".join(f"{cell:<{width}}" for cell, width in zip(cells, KERAS_WIDTHS, strict=True)) + "Connected to"
    total = whole(sum(line.parameters for line in lines))
    foot = [f"Total params: {total}", f"Trainable params: {total}", "Non-trainable params: 0"]
    return "\n".join(
        ['Model: "model_1"', rule, head, double_rule, *(line.text for line in lines), double_rule, *foot, rule]
    )


def tensorflow() -> str:
    """The lines that google-research/bert logs before it trains."""
    rows = [f"INFO:tensorflow:  {line.text}, *INIT_FROM_CKPT*" for line in lines_of("google-bert", BASE)]
    return "\n".join(["INFO:tensorflow:**** Trainable Variables ****", *rows])


def peft() -> str:
    """The line that PEFT's `print_trainable_parameters()` prints."""
    model = changed_model(example_of("lora"))
    trained_number, total = (NUMBERS[name](model) for name in ("trained", "all"))
    share = 100 * trained_number / total
    return f"trainable params: {whole(trained_number)} || all params: {whole(total)} || trainable%: {share:.4f}"


def manual_sum() -> str:
    """A manual sum that forgets the pooler."""
    base = model_named(BASE)
    V, P, S, H, F, L = (base.sizes[letter] for letter in "VPSHFL")  # noqa: N806  # the letters of the formulas
    embeddings = whole(count(base, "bert/embeddings"))
    layer = whole(count(base, ONE_LAYER))
    attention = f"4 * ({H} * {H} + {H}) + 2 * {H}"
    feed_forward = f"{H} * {F} + {F} + {F} * {H} + {H} + 2 * {H}"
    return "\n".join(
        [
            f"Embeddings: ({V} + {P} + {S}) * {H} + 2 * {H} = {embeddings}",
            f"One layer: {attention} + {feed_forward} = {layer}",
            f"All: {embeddings} + {L} * {layer} = {whole(count(base, deviations=['pooler-left-out']))}",
        ]
    )


def program() -> str:
    """Python code that forgets the biases and LayerNorms of the layers."""
    sizes = model_named(BASE).sizes
    return "\n".join(
        [
            f"V, P, S, H, F, L = {', '.join(str(sizes[letter]) for letter in 'VPSHFL')}",
            "total = (V + P + S) * H + 2 * H",
            "for _ in range(L):",
            "    total += 4 * H * H  # attention",
            "    total += 2 * H * F  # feed-forward network",
            "total += H * H + H  # pooler",
            "print(total)",
        ]
    )


def question() -> str:
    """A question about twice the layers of BERT base."""
    return f"How many parameters would BERT base have with {2 * model_named(BASE).sizes['L']} layers?"


def config() -> str:
    """A `config.json` with the sizes of BERT base."""
    base = model_named(BASE)
    sizes = {symbol.key: base.sizes[symbol.letter] for symbol in BERT.symbols if symbol.is_required}
    return json.dumps({"architectures": ["BertForMaskedLM"], "model_type": "bert", **sizes}, indent=2)


def warning() -> str:
    """The warning from transformers about a class that has more tensors than the checkpoint."""
    base = model_named(BASE)
    base_paths = {tensor.path for tensor in tensors(Question(base))}
    new_names = [
        str(tensor.transformers) for tensor in tensors(Question(base, CHANGED_CLASS)) if tensor.path not in base_paths
    ]
    return NEW_WEIGHTS.format(model_class=CHANGED_CLASS, model=BASE, names=sorted(new_names))


TEXTS: Mapping[str, tuple[str, Callable[[], str]]] = {
    "print": ("print(model)", modules),
    "named-parameters": ("named_parameters()", named_parameters),
    "torchinfo": ("torchinfo", torchinfo),
    "keras": ("Keras summary", keras),
    "tensorflow": ("TensorFlow log", tensorflow),
    "peft": ("PEFT", peft),
    "warning": ("a loading warning", warning),
    "config": ("config.json", config),
    "sum": ("a sum by hand", manual_sum),
    "program": ("Python code", program),
    "question": ("a question", question),
}
"""The texts by name, each with its title and the function that generates it."""


def texts_to_try() -> dict[str, str]:
    """Every text by name."""
    return {name: make() for name, (_, make) in TEXTS.items()}
