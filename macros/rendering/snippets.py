"""Code that readers can run to check a page against transformers itself.

A snippet builds its model from sizes, so that nothing is downloaded, and prints numbers. The engine computes
the expected output, and the page shows both. Snippets that count modules of BERT, or print shapes of its
tensors, are declared as data (`SNIPPETS`); every other snippet has a function (`OTHER_SNIPPETS`).

`make verify` runs every snippet and records its text. A test compares the current text with the recorded one,
so even a small change to a line of code requires a new recording.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from macros.counting import BERT, ChangedModel, Model, model_named
from macros.counting.architecture import ONE_LAYER
from macros.counting.errors import entry_of
from macros.counting.memory import bytes_of
from macros.counting.training import TrainingStep

from .components.asking import BASE, LARGE, MAIN_RELATIVES, ask
from .components.changes import CHANGED_CLASS, changed_model
from .components.operations import DEFAULT_LENGTH, operations_of


class Snippet(NamedTuple):
    """A snippet that prints counts of modules, or shapes of tensors.

    Attributes:
        modules: expressions for modules, each with the part and the tag of its count.
        setup: lines of code before the expressions of `modules` and `shapes`.
        shapes: expressions for tensors, each with its symbolic shape.
        model: the published model whose sizes are used.
        model_class: the class that is built.
    """

    modules: tuple[tuple[str, str, str], ...] = ()
    setup: str = ""
    shapes: tuple[tuple[str, str], ...] = ()
    model: str = BASE
    model_class: str = "BertModel"

    @property
    def output(self) -> str:
        """The expected output, with one line per expression."""
        question = ask(model=self.model, model_class=self.model_class)
        counts = (question.about(part, tag).number for _, part, tag in self.modules)
        shapes = (
            tuple(_dimension(letters, question.sizes) for letters in symbolic.split()) for _, symbolic in self.shapes
        )
        return "\n".join(map(str, (*counts, *shapes)))


def _dimension(letters: str, sizes: Mapping[str, int]) -> int:
    """The size of a letter, or the quotient of two sizes, such as `H/A`."""
    numerator, _, denominator = letters.partition("/")
    return sizes[numerator] // (sizes[denominator] if denominator else 1)


SNIPPETS = {
    "embeddings": Snippet((("model.embeddings", "bert/embeddings", ""),)),
    "attention": Snippet(
        (
            ("attention.self.query", f"{ONE_LAYER}/attention/self/query", ""),
            ("attention.self, attention.output.dense", ONE_LAYER, "self-attention"),
        ),
        setup="attention = model.encoder.layer[0].attention",
    ),
    "attention-heads": Snippet(
        setup="""attention = model.encoder.layer[0].attention
width = config.hidden_size // config.num_attention_heads
head = slice(0, width)  # the next one is slice(width, 2 * width)
# PyTorch stores a weight as (out, in); .T makes it (in, out), as drawn.""",
        shapes=(
            ("attention.self.query.weight.T[:, head]", "H H/A"),
            ("attention.self.query.bias[head]", "H/A"),
            ("attention.output.dense.weight.T[head]", "H/A H"),
        ),
    ),
    "feed-forward": Snippet(
        (
            ("layer.intermediate", f"{ONE_LAYER}/intermediate", ""),
            ("layer.intermediate, layer.output.dense", ONE_LAYER, "feed-forward"),
        ),
        setup="layer = model.encoder.layer[0]",
    ),
    "layer-norm": Snippet(
        (
            ("model.embeddings.LayerNorm", "bert/embeddings/LayerNorm", ""),
            ('*(m for n, m in model.named_modules() if n.endswith("LayerNorm"))', "", "LayerNorm"),
        ),
    ),
    "encoder-layer": Snippet((("model.encoder.layer[0]", ONE_LAYER, ""), ("model.encoder", "bert/encoder", ""))),
    "heads": Snippet(
        (
            ("model.bert.pooler", "bert/pooler", ""),
            ("model.cls.predictions.transform", "cls/predictions/transform", ""),
            ("model.cls.seq_relationship", "cls/seq_relationship", ""),
            ("model", "", ""),
        ),
        model_class="BertForPreTraining",
    ),
    "base": Snippet((("model", "", ""),)),
    "large": Snippet((("model", "", ""),), model=LARGE),
}
"""The snippets that count modules of BERT or print shapes of its tensors, by name."""


def snippet(name: str) -> str:
    """A snippet and its output, as two fenced Markdown blocks.

    Args:
        name: a key of `SNIPPETS` or `OTHER_SNIPPETS`.

    Raises:
        CountingError: there is no snippet with that name.
    """
    if name in OTHER_SNIPPETS:
        return OTHER_SNIPPETS[name]()
    declaration = entry_of(SNIPPETS, "snippet", name)
    setup = f"{declaration.setup}\n" if declaration.setup else ""
    counts = [f"print(count({expression}))" for expression, *_ in declaration.modules]
    shapes = [f"print(tuple({tensor}.shape))" for tensor, _ in declaration.shapes]
    code = f"{_model_code(declaration)}\n\n{COUNT_FUNCTION if counts else ''}{setup}" + "\n".join(counts + shapes)
    return _with_output(code, declaration.output)


def _with_output(code: str, output: object) -> str:
    """Code and its expected output, as two fenced Markdown blocks."""
    return f"```python\n{code}\n```\n\nIt prints:\n\n```text\n{output}\n```"


def _bytes_snippet() -> str:
    """Code that prints the bytes of the parameters of BERT base, with its output."""
    code = f"{_model_code(SNIPPETS['base'])}\n\nprint(sum(parameter.nbytes for parameter in model.parameters()))"
    return _with_output(code, bytes_of(ask().number, "float32"))


def _relatives_snippet(*names: str) -> str:
    """Code that builds relatives of BERT from their sizes and prints their totals, with its output."""
    models = list(map(model_named, names))
    prefixes = [model.architecture.classes[0].name.removesuffix("Model") for model in models]
    imports = ",\n".join(f"    {prefix}Config,\n    {prefix}Model" for prefix in sorted(prefixes))
    code = "\n\n".join(map(_relative_code, prefixes, models))
    output = "\n".join(
        f"{prefix}Model {ask(model=model.name).number}" for prefix, model in zip(prefixes, models, strict=True)
    )
    return _with_output(f"from transformers import (\n{imports},\n)\n\n{COUNT_FUNCTION}{code}", output)


def _operations_snippet() -> str:
    """Code that runs BERT base forward and backward under torch's counter, with its output."""
    operations = operations_of(BASE, "", DEFAULT_LENGTH)
    # Attention is eager because torch's counter does not support the fused operator on a CPU.
    code = _model_code(Snippet()).replace("BertConfig(\n", 'BertConfig(\n    attn_implementation="eager",\n')
    return _with_output(
        f"import torch\nfrom torch.utils.flop_counter import FlopCounterMode\n{code}\n"
        f"tokens = torch.zeros((1, {DEFAULT_LENGTH}), dtype=torch.long)\n\n"
        "with FlopCounterMode(display=False) as forward:\n    given = model(tokens)\n"
        "with FlopCounterMode(display=False) as backward:\n    sum(each.sum() for each in given.values()).backward()\n"
        "print(forward.get_total_flops())\nprint(backward.get_total_flops())",
        f"{operations.forward}\n{operations.backward}",
    )


def _relative_code(prefix: str, model: Model) -> str:
    """Code that builds a relative from its config and prints its total; `prefix` begins its classes' names."""
    symbols = [symbol for symbol in model.architecture.symbols if symbol.is_required]
    values = {symbol.key: model.sizes[symbol.letter] for symbol in symbols} | model.architecture.required_settings
    keys = "".join(
        f"    {key}={json.dumps(value) if isinstance(value, str) else value},\n" for key, value in values.items()
    )
    return f'config = {prefix}Config(\n{keys})\nprint("{prefix}Model", count({prefix}Model(config)))'


ACTIVATIONS_CODE = """
there = {each.untyped_storage().data_ptr() for each in (*model.parameters(), *model.buffers())}
kept = {}

def keep(tensor):
    storage = tensor.untyped_storage()
    if storage.data_ptr() not in there:
        kept[storage.data_ptr()] = storage
    return tensor

with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
    model.train()(torch.ones(1, {tokens}, dtype=torch.long))
print(sum(storage.nbytes() for storage in kept.values()))"""
"""Code that sums the bytes kept by the forward pass, counting each storage once, without parameters and buffers.

`{tokens}` is replaced with the length of the text.
"""


def _activations_snippet() -> str:
    """Code that runs BERT base on one text and prints the bytes of its activations, with its output."""
    step = TrainingStep(ChangedModel.build(ask(), []), 1, DEFAULT_LENGTH, attention="eager", dropout=False)
    # CPUs and GPUs keep different masks, so the model has no dropout.
    no_dropout = "hidden_dropout_prob=0.0,\n    attention_probs_dropout_prob=0.0"
    settings = f'BertConfig(\n    attn_implementation="eager",\n    {no_dropout},\n'
    model_code = _model_code(SNIPPETS["base"]).replace("BertConfig(\n", settings)
    # `format` would interpret the braces in the code as fields.
    code = f"import torch\n{model_code}\n{ACTIVATIONS_CODE.replace('{tokens}', str(DEFAULT_LENGTH))}"
    return _with_output(code, step.activations_bytes)


def _peft_snippet(methods: Mapping[str, tuple[str, str]]) -> str:
    """Code that changes BERT base with several PEFT methods, with its output: trainable and all parameters of each.

    Args:
        methods: the change in the syntax of the command line and PEFT's configuration for it, by title.
    """
    configs = sorted({config.partition("(")[0] for _, config in methods.values()}, key=str.lower)
    setup = _without_model(_model_code(Snippet(model_class=CHANGED_CLASS)))
    calls = "\n".join(f'print("{title}", *numbers({config}))' for title, (_, config) in methods.items())
    code = (
        f"from peft import {', '.join(configs)}, get_peft_model\n{setup}\n\n\n"
        f"def numbers(method):\n    model = get_peft_model({CHANGED_CLASS}(config), method)\n"
        f"    return model.get_nb_trainable_parameters()\n\n\n{calls}"
    )
    variants = {title: changed_model(change) for title, (change, _) in methods.items()}
    output = "\n".join(f"{title} {variant.trainable} {variant.number}" for title, variant in variants.items())
    return _with_output(code, output)


ON_QUERY_AND_VALUE = 'target_modules=["query", "value"], task_type="SEQ_CLS"'
"""PEFT's arguments for adapters on query and value in a classifier."""

METHODS_WITHOUT_PROMPTS = {
    "LoRA": ("lora:8:query,value", f"LoraConfig(r=8, {ON_QUERY_AND_VALUE})"),
    "DoRA": ("dora:8:query,value", f"LoraConfig(r=8, use_dora=True, {ON_QUERY_AND_VALUE})"),
    "IA3": ("ia3", 'IA3Config(task_type="SEQ_CLS")'),
}
"""Methods without prompts, by title: a change and PEFT's configuration for it."""

METHODS_WITH_PROMPTS = {
    "prompt tuning": ("prompt:20", 'PromptTuningConfig(num_virtual_tokens=20, task_type="SEQ_CLS")'),
    "prefix tuning": ("prefix:20", 'PrefixTuningConfig(num_virtual_tokens=20, task_type="SEQ_CLS")'),
    "p-tuning": (
        "p-tuning:20:128",
        'PromptEncoderConfig(num_virtual_tokens=20, encoder_hidden_size=128, task_type="SEQ_CLS")',
    ),
}
"""Methods with prompts, by title: a change and PEFT's configuration for it."""


def _adapters_snippet() -> str:
    """Code that adds prompts with PEFT and builds one adapter, with its output."""
    sizes = changed_model("houlsby:48").sizes
    hidden_size = sizes["H"]
    adapter_size = sizes["m"]
    adapter = (
        f"\n\nadapter = Sequential(Linear({hidden_size}, {adapter_size}), ReLU(), "
        f"Linear({adapter_size}, {hidden_size}))\n"
        'print("one adapter", sum(each.numel() for each in adapter.parameters()))\n```'
    )
    number = 2 * hidden_size * adapter_size + hidden_size + adapter_size
    # The adapter is appended to the first block, which is the code, and its number to the second block, which is the
    # output.
    blocks = _peft_snippet(METHODS_WITH_PROMPTS).replace("\n```", adapter, 1).removesuffix("\n```")
    blocks = blocks.replace("from transformers", "from torch.nn import Linear, ReLU, Sequential\nfrom transformers", 1)
    return f"{blocks}\none adapter {number}\n```"


STRUCTURE_CODE = """

def trained(*names):
    model = {model_class}(config)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(any(each in name for each in names))
    return model.num_parameters(only_trainable=True)


print("head", trained("classifier"))
print("BitFit", trained("classifier", "bias"))
print("LayerNorm", trained("classifier", "LayerNorm"))

model = {model_class}(config)
model.bert.encoder.layer[:6].requires_grad_(False)
print("first layers frozen", model.num_parameters(only_trainable=True))
config.is_decoder = config.add_cross_attention = True
print("cross-attention", {model_class}(config).num_parameters())
model.resize_token_embeddings(31000, mean_resizing=False)
print("another vocabulary", model.num_parameters())"""
"""Code that freezes parts of a model, changes its structure, and prints a number of parameters after each change.

`{model_class}` is replaced with the class of the model. After freezing, the number is that of trainable parameters.
"""


def _structure_snippet() -> str:
    """Code that freezes parts of BERT base and changes its structure, with its output."""
    freezing_changes = {"head": "head", "BitFit": "bitfit", "LayerNorm": "layernorm", "first layers frozen": "frozen:6"}
    output_lines = [f"{title} {changed_model(change).trainable}" for title, change in freezing_changes.items()]
    structural_changes = {"cross-attention": "cross-attention", "another vocabulary": "vocabulary:31000"}
    output_lines += [f"{title} {changed_model(change).number}" for title, change in structural_changes.items()]
    setup = _without_model(_model_code(Snippet(model_class=CHANGED_CLASS)))
    code = setup + STRUCTURE_CODE.replace("{model_class}", CHANGED_CLASS)
    return _with_output(code, "\n".join(output_lines))


PACKING_CODE = """
{model_class}(config).save_pretrained("bert")
packed = {model_class}.from_pretrained(
    "bert", quantization_config=BitsAndBytesConfig(load_in_4bit=True), device_map="cpu"
)
print(packed.num_parameters())
print(sum(each.numel() for each in packed.parameters()))
print(sum(each.nbytes for each in packed.parameters()))"""
"""Code that saves a model and loads it with packed matrices, at four bits per weight.

`{model_class}` is replaced with the class of the model.
"""


def _storage_snippet() -> str:
    """Code that loads BERT base in four bits, with its output: parameters, elements, and bytes without the scales."""
    setup = _without_model(_model_code(Snippet(model_class=CHANGED_CLASS)))
    setup = setup.replace(CHANGED_CLASS, f"{CHANGED_CLASS}, BitsAndBytesConfig", 1)
    model = changed_model("int4")
    output = f"{model.number}\n{model.elements}\n{model.weights_bytes()}"
    code = setup + PACKING_CODE.replace("{model_class}", CHANGED_CLASS)
    return _with_output(code, output)


OTHER_SNIPPETS: dict[str, Callable[[], str]] = {
    "lora": partial(_peft_snippet, METHODS_WITHOUT_PROMPTS),
    "adapters": _adapters_snippet,
    "structure": _structure_snippet,
    "storage": _storage_snippet,
    "bytes": _bytes_snippet,
    "relatives": partial(_relatives_snippet, *MAIN_RELATIVES[:3]),
    "further-relatives": partial(_relatives_snippet, "camembert-base", "longformer-base-4096", "mobilebert-uncased"),
    "activations": _activations_snippet,
    "operations": _operations_snippet,
}
"""All other snippets, by name."""


COUNT_FUNCTION = """
def count(*modules):
    return sum(p.numel() for module in modules for p in module.parameters())


"""
"""The function that snippets use to count, surrounded by two blank lines as PEP 8 requires."""


def _model_code(declaration: Snippet) -> str:
    """Code that imports the classes of a declared snippet and, in its last line, builds the model."""
    sizes = model_named(declaration.model).sizes
    keys = "\n".join(f"    {symbol.key}={sizes[symbol.letter]}," for symbol in BERT.symbols if symbol.is_required)
    return (
        f"from transformers import BertConfig, {declaration.model_class}\n\n"
        f"config = BertConfig(\n{keys}\n)\nmodel = {declaration.model_class}(config)"
    )


def _without_model(code: str) -> str:
    """The code without its last line, for a snippet that builds its models itself."""
    return code.rpartition("\n")[0]
