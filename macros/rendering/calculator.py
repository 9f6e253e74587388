"""The calculator: its form, and what it shows of BERT base before its scripts are there.

What a script fills stands empty in its place in the templates `calculator/`;
`docs/assets/calculator/` fills it.
"""

from __future__ import annotations

from typing import NamedTuple

from macros.counting import BERT, USUAL, CountingError, Question, load_relatives, models_in
from macros.counting.changes.methods import load_methods
from macros.counting.errors import shown, suggestion
from macros.counting.models import load_groups
from macros.counting.operations import TEXTS, TOKENS

from .components import numbers, operations, pages
from .components.asking import BASE, ask, models_to_choose, title_of
from .components.templates import render
from .components.words import PHRASES
from .figures import area_map
from .figures.levels import level_at

BATCH = {TEXTS: 1, TOKENS: operations.TOKENS}
"""The batch whose operations are counted until a reader types another."""


class OfMethod(NamedTuple):
    """A method as the calculator calls it, and as a snippet asks for it.

    Attributes:
        part: what it adds, as a part of the model; empty where it adds nothing.
        given: what the class of its configuration is given; or lines of Python where it has none.
        config: that class.
        given_width: what it is given besides for the width of an encoder of prompts.
    """

    part: str
    given: tuple[str, ...]
    config: str = ""
    given_width: str = ""


def _trained(what: str) -> str:
    """Python that trains what a condition says, and all outside of the body."""
    return (
        "body = {id(each) for each in model.base_model.parameters()}\n"
        "for name, each in model.named_parameters():\n"
        f"    each.requires_grad = id(each) not in body or {what}"
    )


# The library takes the hidden size over this factor, rounded down: half a unit more keeps it from ending just below.
_ADAPTED = (
    "adapters.init(model)",
    "factor = config.hidden_size / ({{}} + 0.5)  # which the library divides by, and rounds down",
    'model.add_adapter("default", config=adapters.{}(reduction_factor=factor))',
    'model.train_adapter("default")',
)

METHODS = {
    "lora": OfMethod("LoRA's adapters", ("r={}",), "LoraConfig"),
    "dora": OfMethod("DoRA's adapters and magnitudes", ("r={}", "use_dora=True"), "LoraConfig"),
    "rslora": OfMethod("rsLoRA's adapters", ("r={}", "use_rslora=True"), "LoraConfig"),
    "ia3": OfMethod("IA3's vectors", (), "IA3Config"),
    "norms": OfMethod("copies of the LayerNorms, which PEFT trains", (), "LNTuningConfig"),
    "prompt": OfMethod("virtual tokens", ("num_virtual_tokens={}",), "PromptTuningConfig"),
    "prefix": OfMethod(
        "prefixes of keys and values",
        ("num_virtual_tokens={}",),
        "PrefixTuningConfig",
        "prefix_projection=True, encoder_hidden_size={}",
    ),
    "p-tuning": OfMethod(
        "virtual tokens and their encoder",
        ("num_virtual_tokens={}",),
        "PromptEncoderConfig",
        "encoder_hidden_size={}",
    ),
    "houlsby": OfMethod("Houlsby's adapters", tuple(each.format("DoubleSeqBnConfig") for each in _ADAPTED)),
    "pfeiffer": OfMethod("Pfeiffer's adapters", tuple(each.format("SeqBnConfig") for each in _ADAPTED)),
    "bitfit": OfMethod("", (_trained('name.endswith("bias")'),)),
    "layernorm": OfMethod("", (_trained('"norm." in name.lower().replace("layer_norm", "norm")'),)),
}
"""What the calculator offers of the methods of `changes.toml`; the first is what it takes unasked."""

STORAGES = {
    "int8": "the matrices of dense layers, by bitsandbytes",
    "int4": "the matrices of dense layers, by bitsandbytes",
    "nf4-double": "the same, and their scales in a byte each",
}
"""How weights may be packed, and what the calculator says of it."""

OF_PROMPTS = (
    "token_dim=config.hidden_size",
    "num_layers=config.num_hidden_layers",
    "num_attention_heads=config.num_attention_heads",
)
"""What a snippet adds for a method with prompts: for some architectures PEFT does not find these sizes by itself."""

PANELS = ("what-if", "parts", "tensors", "worked", "memory", "bridge", "compare", "export")
"""The panels below the form, each a template."""


def form() -> str:
    """The total, the picture and the fields, with what they hold for BERT base."""
    asked = ask(model=BASE)
    batch = operations.operations_of(BASE, "", BATCH[TOKENS], BATCH[TEXTS])
    return render(
        "calculator/form.html",
        total=numbers.counted(asked),
        title=title_of(asked.model),
        model_class=asked.chosen.name,
        operations=PHRASES["operations"],
        flops=operations.computed(batch, cost=operations.UNITS["operations"]),
        macs=operations.computed(batch, cost=operations.UNITS["multiply-adds"]),
        picture=_picture(asked),
        models=_models(),
        sizes={**asked.model.sizes, **BATCH},
        classes=BERT.classes,
        usual=USUAL._asdict(),
    )


def _picture(asked: Question) -> str:
    """The whole model as the map shows it."""
    level, home = level_at(""), pages.ROOT + pages.of_level(BASE)
    return area_map.picture("calculator-map", level, asked, home) + area_map.sum_of(level, asked, home)


def _models() -> str:
    """Every model by group, relatives last."""
    groups = [(group.title, models_in([name])) for name, group in load_groups().items()]
    groups.append(("Relatives of BERT", list(load_relatives().values())))
    return "".join(models_to_choose(title, models) for title, models in groups)


def panel(name: str) -> str:
    """What a panel says whatever the sizes, in its place: `panel("what-if")`.

    Raises:
        CountingError: there is no such panel.
    """
    if name not in PANELS:
        raise CountingError(f"no panel {shown(name)}; {suggestion(name, PANELS)}")
    methods = {method: load_methods()[method].title for method in METHODS}
    return render("calculator/panel.html", name=name, methods=methods)


TOPIC = {"form": form, "panel": panel}
"""What the page of the calculator calls."""
