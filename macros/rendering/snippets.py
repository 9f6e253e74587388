"""Code a reader can run to check a page against transformers itself.

Each snippet builds the model from its sizes, so nothing is downloaded, and
prints numbers; what it must print is computed by the engine beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from macros.counting import BERT, Model, model_named
from macros.counting.errors import entry_of

from .elements.asking import BASE, LARGE, MAIN, ask
from .elements.operations import TOKENS, operations_of
from .elements.steps import step_of
from .tables import changed

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
head = slice(0, width)  # the first; the next one is slice(width, 2 * width)
# PyTorch stores a weight as (out, in); .T turns it to (in, out), as it is drawn.""",
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


CONFIGS = {
    "roberta": "Roberta",
    "xlm-roberta": "XLMRoberta",
    "distilbert": "DistilBert",
    "albert": "Albert",
    "electra": "Electra",
    "mpnet": "MPNet",
    "modernbert": "ModernBert",
    "deberta-v2": "DebertaV2",
    "bert": "Bert",
}
"""What the names of an architecture's classes in transformers begin with."""


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
    """Code that builds the main relatives from their sizes and prints a total for each, and what it prints."""
    models = list(map(model_named, MAIN))
    begins = [CONFIGS[each.architecture.model_type] for each in models]
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


def _of_changed() -> str:
    """Code that puts LoRA on BERT base with PEFT, and the numbers that PEFT prints: what is trained, and all."""
    model = changed.changed_model(CHANGE)
    rank, modules = (model.changes[0].options[each] for each in ("r", "modules"))
    code = (
        f"from peft import LoraConfig, get_peft_model\n{_built(Snippet(model_class=changed.CLASS))}\n"
        f'lora = LoraConfig(r={rank}, target_modules={json.dumps(modules)}, task_type="SEQ_CLS")\n'
        "print(*get_peft_model(model, lora).get_nb_trainable_parameters())"
    )
    return f"```python\n{code}\n```\n\nIt prints:\n\n```text\n{model.trainable} {model.number}\n```"


CHANGE = "lora:8:query,value"

OTHERS = {
    "changed": _of_changed,
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
