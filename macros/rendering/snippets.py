"""Code a reader can run to check a page against transformers itself.

Each snippet builds the model from its sizes, so nothing is downloaded, and
prints numbers; what it must print is computed by the engine beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from macros.counting import BERT, Model, model_named
from macros.counting.errors import entry_of

from .components.asking import BASE, LARGE, MAIN, ask
from .components.changes import CLASS, changed_model
from .components.operations import TOKENS, operations_of
from .components.training_steps import step_of

LAYER = "bert/encoder/layer_0"


class Snippet(NamedTuple):
    """What is asked of a model, and its sizes.

    Attributes:
        prints: expressions, each with part and tag of what it counts.
        given: lines before them.
        shapes: tensors, each with its shape in letters, printed instead of counts.
    """

    prints: tuple[tuple[str, str, str], ...] = ()
    given: str = ""
    shapes: tuple[tuple[str, str], ...] = ()
    model: str = BASE
    model_class: str = "BertModel"

    @property
    def output(self) -> str:
        """What it must print, a line for each expression."""
        asked = ask(model=self.model, model_class=self.model_class)
        counted = (asked.at(part, tag).number for _, part, tag in self.prints)
        shapes = (tuple(_dimension(each, asked.sizes) for each in shape.split()) for _, shape in self.shapes)
        return "\n".join(map(str, (*counted, *shapes)))


def _dimension(letters: str, sizes: Mapping[str, int]) -> int:
    """A size by its letter, or one by another, such as `H/A`."""
    above, _, below = letters.partition("/")
    return sizes[above] // (sizes[below] if below else 1)


SNIPPETS = {
    "embeddings": Snippet((("model.embeddings", "bert/embeddings", ""),)),
    "attention": Snippet(
        (
            ("attention.self.query", f"{LAYER}/attention/self/query", ""),
            ("attention.self, attention.output.dense", LAYER, "self-attention"),
        ),
        given="attention = model.encoder.layer[0].attention",
    ),
    "attention-heads": Snippet(
        given="""attention = model.encoder.layer[0].attention
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
            ("layer.intermediate", f"{LAYER}/intermediate", ""),
            ("layer.intermediate, layer.output.dense", LAYER, "feed-forward"),
        ),
        given="layer = model.encoder.layer[0]",
    ),
    "layer-norm": Snippet(
        (
            ("model.embeddings.LayerNorm", "bert/embeddings/LayerNorm", ""),
            ('*(m for n, m in model.named_modules() if n.endswith("LayerNorm"))', "", "LayerNorm"),
        ),
    ),
    "encoder-layer": Snippet((("model.encoder.layer[0]", LAYER, ""), ("model.encoder", "bert/encoder", ""))),
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
"""Every snippet by name."""


def snippet(name: str) -> str:
    """The snippet of that name and what it prints, as two fenced blocks of Markdown.

    Raises:
        CountingError: no snippet of that name.
    """
    if name in OTHERS:
        return OTHERS[name]()
    chosen = entry_of(SNIPPETS, "snippet", name)
    given = f"{chosen.given}\n" if chosen.given else ""
    counts = [f"print(count({expression}))" for expression, *_ in chosen.prints]
    shapes = [f"print(tuple({tensor}.shape))" for tensor, _ in chosen.shapes]
    return (
        f"```python\n{_built(chosen)}\n\n{COUNT if counts else ''}{given}"
        + "\n".join(counts + shapes)
        + f"\n```\n\nIt prints:\n\n```text\n{chosen.output}\n```"
    )


def _of_relatives() -> str:
    """Code that builds the first of the main relatives from their sizes and prints their totals, and what it prints."""
    models = list(map(model_named, MAIN[:3]))
    begins = [each.architecture.classes[0].name.removesuffix("Model") for each in models]
    imports = ",\n".join(f"    {each}Config,\n    {each}Model" for each in sorted(begins))
    built = "\n\n".join(map(_one_built, begins, models))
    printed = "\n".join(
        f"{begin}Model {ask(model=each.name).number}" for begin, each in zip(begins, models, strict=True)
    )
    return (
        f"```python\nfrom transformers import (\n{imports},\n)\n\n{COUNT}{built}\n```"
        f"\n\nIt prints:\n\n```text\n{printed}\n```"
    )


def _of_operations() -> str:
    """Code that runs base forward and back under torch's counter, and what it prints."""
    operations = operations_of(BASE, "", TOKENS)
    built = _built(Snippet()).replace("BertConfig(\n", 'BertConfig(\n    attn_implementation="eager",\n')
    return (
        f"```python\nimport torch\nfrom torch.utils.flop_counter import FlopCounterMode\n{built}\n"
        f"tokens = torch.zeros((1, {TOKENS}), dtype=torch.long)\n\n"
        "with FlopCounterMode(display=False) as forward:\n    given = model(tokens)\n"
        "with FlopCounterMode(display=False) as backward:\n    sum(each.sum() for each in given.values()).backward()\n"
        "print(forward.get_total_flops())\nprint(backward.get_total_flops())\n```"
        f"\n\nIt prints:\n\n```text\n{operations.forward}\n{operations.backward}\n```"
    )


def _one_built(begin: str, model: Model) -> str:
    """A model of one architecture, built from its config."""
    symbols = [each for each in model.architecture.symbols if each.needed]
    said = {each.key: model.sizes[each.letter] for each in symbols} | model.architecture.stated
    keys = "".join(
        f"    {key}={json.dumps(value) if isinstance(value, str) else value},\n" for key, value in said.items()
    )
    return f'config = {begin}Config(\n{keys})\nprint("{begin}Model", count({begin}Model(config)))'


KEPT = """
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
"""How code adds up what the forward pass keeps, each storage once and without parameters."""


def _of_activations() -> str:
    """Code that runs BERT base on one text and prints the bytes of its activations, and what it prints."""
    step = step_of()
    code = f"import torch\n{_built(SNIPPETS['base'])}\n{KEPT.replace('{tokens}', str(step.tokens))}"
    return f"```python\n{code}\n```\n\nIt prints:\n\n```text\n{step.number}\n```"


def _with_peft(methods: Mapping[str, tuple[str, str]]) -> str:
    """Code that changes BERT base with PEFT in several ways, and what PEFT prints of each: what is trained, and all.

    Args:
        methods: by title, the change as it is written here, and the config that PEFT takes.
    """
    configs = sorted({config.partition("(")[0] for _, config in methods.values()}, key=str.lower)
    built, _, _ = _built(Snippet(model_class=CLASS)).rpartition("\n")
    calls = "\n".join(f'print("{title}", *numbers({config}))' for title, (_, config) in methods.items())
    code = (
        f"from peft import {', '.join(configs)}, get_peft_model\n{built}\n\n\n"
        f"def numbers(method):\n    model = get_peft_model({CLASS}(config), method)\n"
        f"    return model.get_nb_trainable_parameters()\n\n\n{calls}"
    )
    changed = {title: changed_model(change) for title, (change, _) in methods.items()}
    printed = "\n".join(f"{title} {each.trainable} {each.number}" for title, each in changed.items())
    return f"```python\n{code}\n```\n\nIt prints:\n\n```text\n{printed}\n```"


ON = 'target_modules=["query", "value"], task_type="SEQ_CLS"'

WITH_LORA = {
    "LoRA": ("lora:8:query,value", f"LoraConfig(r=8, {ON})"),
    "DoRA": ("dora:8:query,value", f"LoraConfig(r=8, use_dora=True, {ON})"),
    "IA3": ("ia3", 'IA3Config(task_type="SEQ_CLS")'),
}
"""LoRA and its kin as PEFT takes them."""

WITH_PROMPTS = {
    "prompt tuning": ("prompt:20", 'PromptTuningConfig(num_virtual_tokens=20, task_type="SEQ_CLS")'),
    "prefix tuning": ("prefix:20", 'PrefixTuningConfig(num_virtual_tokens=20, task_type="SEQ_CLS")'),
    "p-tuning": (
        "p-tuning:20:128",
        'PromptEncoderConfig(num_virtual_tokens=20, encoder_hidden_size=128, task_type="SEQ_CLS")',
    ),
}
"""Prompts as PEFT takes them."""


def _of_adapters() -> str:
    """Code that adds prompts with PEFT and builds one adapter, and what it prints."""
    sizes = changed_model("houlsby:48").sizes
    wide, narrow = sizes["H"], sizes["m"]
    code = (
        f"\n\nadapter = Sequential(Linear({wide}, {narrow}), ReLU(), Linear({narrow}, {wide}))\n"
        'print("one adapter", sum(each.numel() for each in adapter.parameters()))\n```'
    )
    number = 2 * wide * narrow + wide + narrow
    shown = _with_peft(WITH_PROMPTS).replace("\n```", code, 1).removesuffix("\n```")
    shown = shown.replace("from transformers", "from torch.nn import Linear, ReLU, Sequential\nfrom transformers", 1)
    return f"{shown}\none adapter {number}\n```"


PARTLY = """

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
"""How code trains a model in part, and builds it otherwise."""


def _of_structure() -> str:
    """Code that freezes parts of BERT base and changes its structure, and what it prints."""
    built, _, _ = _built(Snippet(model_class=CLASS)).rpartition("\n")
    frozen = {"head": "head", "BitFit": "bitfit", "LayerNorm": "layernorm", "first layers frozen": "frozen:6"}
    printed = [f"{title} {changed_model(change).trainable}" for title, change in frozen.items()]
    others = {"cross-attention": "cross-attention", "another vocabulary": "vocabulary:31000"}
    printed += [f"{title} {changed_model(change).number}" for title, change in others.items()]
    code = built + PARTLY.replace("{model_class}", CLASS)
    return f"```python\n{code}\n```\n\nIt prints:\n\n```text\n{chr(10).join(printed)}\n```"


PACKED = """
{model_class}(config).save_pretrained("bert")
packed = {model_class}.from_pretrained(
    "bert", quantization_config=BitsAndBytesConfig(load_in_4bit=True), device_map="cpu"
)
print(packed.num_parameters())
print(sum(each.numel() for each in packed.parameters()))
print(sum(each.nbytes for each in packed.parameters()))"""
"""How code packs a model."""


def _of_storage() -> str:
    """Code that loads BERT base in four bits, and what it prints: parameters, elements, and bytes without scales."""
    built, _, _ = _built(Snippet(model_class=CLASS)).rpartition("\n")
    built = built.replace(CLASS, f"{CLASS}, BitsAndBytesConfig", 1)
    packed = changed_model("int4")
    printed = f"{packed.number}\n{packed.elements}\n{packed.weights_bytes()}"
    code = built + PACKED.replace("{model_class}", CLASS)
    return f"```python\n{code}\n```\n\nIt prints:\n\n```text\n{printed}\n```"


OTHERS: dict[str, Callable[[], str]] = {
    "lora": partial(_with_peft, WITH_LORA),
    "adapters": _of_adapters,
    "structure": _of_structure,
    "storage": _of_storage,
    "relatives": _of_relatives,
    "activations": _of_activations,
    "operations": _of_operations,
}
"""Snippets that do something else than to count modules of BERT."""


COUNT = """
def count(*modules):
    return sum(p.numel() for module in modules for p in module.parameters())


"""
"""How code counts; two blank lines around it, as is usual."""


def _built(chosen: Snippet) -> str:
    sizes = model_named(chosen.model).sizes
    keys = "\n".join(f"    {each.key}={sizes[each.letter]}," for each in BERT.symbols if each.needed)
    return (
        f"from transformers import BertConfig, {chosen.model_class}\n\n"
        f"config = BertConfig(\n{keys}\n)\nmodel = {chosen.model_class}(config)"
    )
