"""The calculator: its form and its panels, in their state before a script has run.

The form shows BERT base. Elements that a script will fill are empty in `templates/calculator/`; the scripts are
in `docs/assets/calculator/`.

The methods that the calculator offers are listed here, each with a noun for the tensors that it adds and its code
in Python snippets, because only the calculator needs these. `changes.toml` declares the tensors themselves, and
`files/exported.py` combines both for the scripts.
"""

from __future__ import annotations

from typing import NamedTuple

from macros.counting import (
    BERT,
    DEFAULT_CHOICES,
    Choices,
    CountingError,
    Question,
    every_flag,
    load_relatives,
    models_in,
)
from macros.counting.architecture import Architecture, ModelClass, Row, lies_under
from macros.counting.changes.methods import load_methods, rules
from macros.counting.errors import quote, suggestion
from macros.counting.models import load_groups
from macros.counting.operations import TEXTS, TOKENS

from .components import numbers, operations, pages
from .components.asking import BASE, ask, model_option_group, title_of
from .components.templates import render
from .components.words import PHRASES
from .figures import area_map
from .figures.levels import level_at
from .tables import training

INITIAL_BATCH = {TEXTS: 1, TOKENS: operations.DEFAULT_LENGTH}
"""The batch whose operations are counted initially, by letter: one text, with the default number of tokens."""


class OfferedMethod(NamedTuple):
    """A training method in the calculator, with its wording and its code in a snippet.

    Attributes:
        added_tensors: the noun for the tensors that it adds; empty if it adds none.
        arguments: the arguments of its configuration class, with braces in place of the size; whole lines of Python
            if it has no such class.
        config: its configuration class; empty if it has none.
        width_arguments: further arguments for the width of a prompt encoder, with braces in place of the width; empty
            if it has no such width.
    """

    added_tensors: str
    arguments: tuple[str, ...]
    config: str = ""
    width_arguments: str = ""


def _freezing_code(condition: str) -> str:
    """Lines of Python that freeze all tensors of the body except those that satisfy `condition`.

    The condition is a Python expression about the name of the tensor, `name`.
    """
    return (
        "body = {id(each) for each in model.base_model.parameters()}\n"
        "for name, each in model.named_parameters():\n"
        f"    each.requires_grad = id(each) not in body or {condition}"
    )


# The library divides the hidden size by `factor` and rounds down. Adding 0.5 to the denominator ensures
# that a quotient that should be whole does not end up just below it.
_ADAPTER_CODE = (
    "adapters.init(model)",
    "factor = config.hidden_size / ({{}} + 0.5)  # the library divides by it and rounds down",
    'model.add_adapter("default", config=adapters.{}(reduction_factor=factor))',
    'model.train_adapter("default")',
)

METHODS = {
    "lora": OfferedMethod("LoRA's adapters", ("r={}",), "LoraConfig"),
    "dora": OfferedMethod("DoRA's adapters and magnitudes", ("r={}", "use_dora=True"), "LoraConfig"),
    "rslora": OfferedMethod("rsLoRA's adapters", ("r={}", "use_rslora=True"), "LoraConfig"),
    "ia3": OfferedMethod("IA3's vectors", (), "IA3Config"),
    "norms": OfferedMethod("copies of the LayerNorms, which PEFT trains", (), "LNTuningConfig"),
    "prompt": OfferedMethod("virtual tokens", ("num_virtual_tokens={}",), "PromptTuningConfig"),
    "prefix": OfferedMethod(
        "prefixes of keys and values",
        ("num_virtual_tokens={}",),
        "PrefixTuningConfig",
        "prefix_projection=True, encoder_hidden_size={}",
    ),
    "p-tuning": OfferedMethod(
        "virtual tokens and their encoder",
        ("num_virtual_tokens={}",),
        "PromptEncoderConfig",
        "encoder_hidden_size={}",
    ),
    "houlsby": OfferedMethod("Houlsby adapters", tuple(line.format("DoubleSeqBnConfig") for line in _ADAPTER_CODE)),
    "pfeiffer": OfferedMethod("Pfeiffer adapters", tuple(line.format("SeqBnConfig") for line in _ADAPTER_CODE)),
    "bitfit": OfferedMethod("", (_freezing_code('name.endswith("bias")'),)),
    "layernorm": OfferedMethod(
        "", (_freezing_code('any(end in name.lower() for end in ("norm.", "norm_after.", ".ln."))'),)
    ),
}
"""The methods in `changes.toml` that the calculator offers; the first one is selected initially."""

STORAGES = {
    "int8": "the matrices of dense layers, by bitsandbytes",
    "int4": "the matrices of dense layers, by bitsandbytes",
    "nf4-double": "the same, with each of their scales in one byte",
}
"""The formats of packed weights in the calculator, each with a description of the weights that it packs."""

PROMPT_ARGUMENTS = (
    "token_dim=config.hidden_size",
    "num_layers=config.num_hidden_layers",
    "num_attention_heads=config.num_attention_heads",
)
"""Additional arguments for methods with prompts, because PEFT cannot determine these sizes for some architectures."""

PANELS = ("what-if", "parts", "tensors", "worked", "memory", "bridge", "compare", "export")
"""The panels below the form. Each has a template."""


def form() -> str:
    """The total, the map of the whole model and the fields, all for BERT base."""
    question = ask(model=BASE)
    batch = operations.operations_of(BASE, "", INITIAL_BATCH[TOKENS], INITIAL_BATCH[TEXTS])
    return render(
        "calculator/form.html",
        total=numbers.parameters(question),
        title=title_of(question.model),
        model_class=question.resolved_class.name,
        operations=PHRASES["operations"],
        flops=operations.number_of(batch, cost=operations.UNITS["operations"]),
        macs=operations.number_of(batch, cost=operations.UNITS["multiply-adds"]),
        picture=_map(question),
        models=_model_options(),
        sizes={**question.model.sizes, **INITIAL_BATCH},
        classes=BERT.classes,
        defaults=DEFAULT_CHOICES.by_name(every_flag()),
        flags=every_flag(),
        offered=offered_fields(BERT, question.resolved_class),
    )


def choices_for_all_rows(architecture: Architecture) -> Choices:
    """The choices under which a class has all of its possible rows, to be used where it leaves a choice open."""
    return Choices(pooler=True, cross_attention=True, flags=frozenset(architecture.flags))


def all_rows_of(architecture: Architecture, model_class: ModelClass) -> tuple[Row, ...]:
    """Every row that a model of this class can have; a row's `when` determines whether a certain model has it."""
    return architecture.rows_of(
        model_class.name, model_class.fixed_choices.with_defaults(choices_for_all_rows(architecture))
    )


def offered_fields(architecture: Architecture, model_class: ModelClass) -> dict[str, bool]:
    """The fields of the form that some classes do not show, by name; True for those that this class shows."""
    class_rows = all_rows_of(architecture, model_class)
    open_conditions = {row.when for row in class_rows} - model_class.fixed_choices.by_name().keys()
    return {
        "pooler": "pooler" in open_conditions,
        "tied": any(row.tied_to for row in class_rows),
        "cross_attention": "cross_attention" in open_conditions,
        "labels": model_class.required_labels is None and any("C" in row.shape.split() for row in class_rows),
        "head": any(not lies_under(row.path, (rules()["body"],)) for row in class_rows),
        **{key: key in open_conditions for key in architecture.flags},
    }


def _map(question: Question) -> str:
    """The picture of the whole model from the map page, with its sum."""
    level = level_at("")
    home = pages.ROOT + pages.of_level(BASE)
    return area_map.picture("calculator-map", level, question, home) + area_map.sum_of(level, question, home)


def _model_options() -> str:
    """The options for the model: every published model by group, with relatives last."""
    groups = [(group.title, models_in([name])) for name, group in load_groups().items()]
    groups.append(("Relatives of BERT", list(load_relatives().values())))
    return "".join(model_option_group(title, models) for title, models in groups)


def panel(name: str) -> str:
    """A panel below the form: `panel("what-if")`. A script fills in the numbers.

    Args:
        name: a name in `PANELS`.

    Raises:
        CountingError: there is no such panel.
    """
    if name not in PANELS:
        raise CountingError(f"no panel {quote(name)}; {suggestion(name, PANELS)}")
    methods = {method: load_methods()[method].title for method in METHODS}
    return render(
        "calculator/panel.html",
        name=name,
        methods=methods,
        fits=training.form(),
        training_command=training.EXAMPLE_STEP,
    )


TOPIC = {"form": form, "panel": panel}
"""Macros for the page of the calculator."""
