"""The calculator: its form, and what it shows of BERT base before its scripts are there.

What a script fills stands here empty, in its place; `docs/assets/calculator/`
fills it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import NamedTuple

from macros.counting import BERT, USUAL, load_relatives, models_in
from macros.counting.changes.methods import load_methods
from macros.counting.disagreements.conditions import says
from macros.counting.models import load_groups
from macros.counting.operations import TEXTS, TOKENS

from .elements import numbers, operations, pages
from .elements.asking import BASE, ask, models_to_choose, title_of
from .figures import area_map
from .figures.levels import level_at

LABELS = {
    "V": "vocabulary",
    "P": "positions",
    "S": "segments",
    "E": "embedding size",
    "H": "hidden size",
    "F": "feed-forward size",
    "L": "layers",
    "A": "heads per layer",
    "R": "relative positions",
    "G": "layer groups",
    "I": "layers per group",
    "C": "labels",
    "B": "texts in a batch",
    "T": "tokens per text",
}
"""What a field is called, by its letter: shorter than what the letter means. The scripts take it from the form."""

BATCH = {TEXTS: 1, TOKENS: operations.TOKENS}
"""The batch whose operations are counted until a reader types another."""

SWITCHES = {
    "pooler": "pooler",
    "tied": "decoder tied to the word embeddings",
    "cross_attention": "cross-attention",
}
"""What a class leaves open."""


WHAT_IFS = {
    "more-V": "one token more",
    "more-P": "one position more",
    "more-S": "one segment more",
    "more-E": "one embedding unit more",
    "more-F": "one feed-forward unit more",
    "more-L": "one layer more",
    "more-R": "one bucket of relative positions more",
    "more-G": "one group of layers more",
    "more-I": "one layer per group more",
    "more-C": "one label more",
    "more-heads": "one head more, " + says("as wide as the others", "(H + H / A) / (A + 1) == H / A"),
    "other-heads": "another number of heads",
    "biases-off": "no biases in dense layers",
}
"""Single changes, by the names that `counting/changes.js` gives them; the bridge calls them the same."""

MODULES = {
    "query": "query",
    "key": "key",
    "value": "value",
    "query-key-value": "query, key and value",
    "attention-output": "attention output",
    "intermediate": "feed-forward, first",
    "output": "feed-forward, second",
    "all-linear": "all linear layers",
}
"""What LoRA and IA3 may be put on, by the names of `changes.toml`."""


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

FROZEN = {"embeddings": "embeddings", "all-but-head": "everything but the head"}
"""What may be frozen besides a number of layers."""

HINT = "Change a size, and this line says which parts grow, and why."
"""What stands where the last change is told, before there was one; `calculator/total.js` takes it from here."""


def form(name: str) -> str:
    """The total, the picture and the fields, with what they hold for BERT base."""
    asked = ask(model=BASE)
    return (
        f'<div class="bc-calculator" id="{name}" data-search-exclude>'
        f'<div class="bc-result" id="{name}-result"><p class="bc-whole">'
        f'<span class="bc-digits">{numbers.counted(asked)}</span> parameters</p>'
        f'<p class="bc-of">{escape(title_of(asked.model))}, as <code>{asked.chosen.name}</code></p>'
        f'<p class="bc-trained"></p><p class="bc-operations">{_operations()}</p><p class="bc-delta">{HINT}</p></div>'
        f'<div class="bc-change" id="{name}-change"></div>'
        f'<div class="bc-shape" id="{name}-picture">{_picture(name)}</div>{_form(name)}'
        f'<p class="bc-status" id="{name}-status" role="status"></p></div>'
    )


def _operations() -> str:
    """What reading a batch takes; `calculator/total.js` says the same of other models."""
    asked = operations.operations_of(BASE, "", BATCH[TOKENS], BATCH[TEXTS])
    flops, macs = (operations.computed(asked, cost=cost) for cost in (operations.UNITS["operations"], 1))
    batch = f"{BATCH[TEXTS]} text of {BATCH[TOKENS]} tokens"
    two = says("two", "operations(1) == 2 * multiply_adds(1)")
    return f"{flops} FLOPs to read {batch}: {two} for each of {macs} multiply-adds in matrix products."


def _picture(name: str) -> str:
    """The whole model as the map shows it."""
    asked, level, home = ask(model=BASE), level_at(""), pages.of_level(BASE)
    return area_map.picture(f"{name}-map", level, asked, f"{pages.ROOT}{home}") + area_map.sum_of(
        level, asked, f"{pages.ROOT}{home}"
    )


def _form(name: str) -> str:
    """The fields; those that BERT lacks are hidden."""
    fields, batch = (
        "".join(_field(name, each) for each in LABELS if (each in BATCH) == last) for last in (False, True)
    )
    return (
        f'<form class="bc-fields bc-question" id="{name}-form" autocomplete="off">'
        f'<p class="bc-fault bc-wide" id="{name}-address" role="alert"></p>'
        f'<p class="bc-field bc-wide"><label for="{name}-model">Start from</label>'
        f'<select id="{name}-model" name="model">{_models()}</select></p>'
        f"{fields}"
        f'<p class="bc-field bc-wide"><label for="{name}-class">Model class</label>'
        f'<select id="{name}-class" name="class">{_classes()}</select></p>'
        f'<fieldset class="bc-wide bc-switches"><legend class="bc-hidden">What the class leaves open</legend>'
        f"{''.join(_choice(name, key) for key in SWITCHES)}</fieldset>{batch}"
        f'<details class="bc-paste"><summary>Paste or drop a <code>config.json</code></summary>'
        f'<label for="{name}-config">Its text</label><textarea id="{name}-config" rows="4" spellcheck="false"'
        f' autocomplete="off" aria-describedby="{name}-config-says"></textarea>'
        f'<label for="{name}-file">or the file</label>'
        f'<input id="{name}-file" type="file" accept=".json,application/json">'
        f'<div class="bc-read" id="{name}-config-says" role="status"></div></details>'
        '<button type="reset" class="bc-button">Start again</button></form>'
    )


def _field(name: str, letter: str) -> str:
    """A size: its letter, what it is, the field with a button on either side, and the place of a message."""
    key, label = f"{name}-{letter.lower()}", LABELS[letter]
    size = {**ask(model=BASE).model.sizes, **BATCH}.get(letter)
    hidden = " hidden" if size is None else ""
    return (
        f'<div class="bc-size" data-size="{letter}"{hidden}><label for="{key}"><i>{letter}</i> {label}</label>'
        '<span class="bc-stepped">'
        f'<button type="button" data-step="-1" tabindex="-1" aria-label="less: {label}">−</button>'
        f'<input id="{key}" name="{letter}" type="text" inputmode="numeric" spellcheck="false"'
        f' value="{size or ""}" aria-describedby="{key}-says">'
        f'<button type="button" data-step="1" tabindex="-1" aria-label="more: {label}">+</button></span>'
        f'<p class="bc-fault" id="{key}-says"></p></div>'
    )


def _choice(name: str, key: str) -> str:
    return _switch("p", f"{name}-{key}", f'name="{key}" value="yes"{" checked" * getattr(USUAL, key)}', SWITCHES[key])


def _switch(tag: str, key: str, attributes: str, words: str, rest: str = "") -> str:
    """A box to check, what it means, and what stands beside it."""
    return (
        f'<{tag} class="bc-switch"><input id="{key}" type="checkbox" {attributes}>'
        f'<label for="{key}">{words}</label>{rest}</{tag}>'
    )


def _models() -> str:
    """Every model by group, and the entry for a configuration of the reader's own."""
    groups = [(group.title, models_in([name])) for name, group in load_groups().items()]
    groups.append(("Relatives of BERT", list(load_relatives().values())))
    return "".join(models_to_choose(title, models) for title, models in groups)


def _classes() -> str:
    options = (f'<option value="{each.name}">{each.name} ({escape(each.purpose)})</option>' for each in BERT.classes)
    return "".join(options)


PANELS: dict[str, Callable[[], str]] = {
    "what-if": lambda: _what_if(),
    "parts": lambda: '<div id="calculator-parts"></div>',
    "tensors": lambda: '<div id="calculator-tensors"></div>',
    "worked": lambda: (
        '<p class="bc-hint">In letters, and with the sizes put in for them:</p>'
        '<p class="bc-formula-line"><code></code></p><ol class="bc-lines"></ol>'
    ),
    "memory": lambda: (
        '<div id="calculator-bytes"></div>'
        '<p class="bc-hint">Packed matrices are not trained, and scales to unpack them by are kept beside them.'
        " Everything else stays in float32: embeddings, LayerNorm, biases, the decoder, what a method adds, and a head"
        " that it trains. With pruned heads, layers may differ in size, so what would be packed is not counted.</p>"
        '<p class="bc-hint">Gradients and moments are kept for what is trained only. Activations come on top;'
        f' they are not parameters. <a href="{pages.ROOT}{pages.ANSWERS["memory"]}">How memory is counted</a></p>'
    ),
    "bridge": lambda: (
        '<p class="bc-field bc-choice"><label for="bridge-from">From </label>'
        '<select id="bridge-from" name="from" form="calculator-form"></select></p>'
        '<div class="bc-waterfall"></div><div id="calculator-bridge"></div>'
    ),
    "compare": lambda: (
        '<div class="bc-controls"><button type="button" class="bc-button">Keep this one beside what I type next'
        '</button><p class="bc-choice"><label for="compare-with">or put beside it </label>'
        '<select id="compare-with"><option value="">a published model …</option></select></p></div>'
        '<div class="bc-scroll" role="region" aria-labelledby="beside-caption" tabindex="0" hidden>'
        "</div>"
    ),
    "export": lambda: _export(),
}
"""What each panel below the form says whatever the sizes; scripts add the rest."""


def panels() -> dict[str, Callable[[str], str]]:
    """The panels as tables that a page places by name."""
    return {f"calculator-{name}": partial(_panel, name) for name in PANELS}


def _panel(name: str, _: str) -> str:
    return f'<div class="bc-panel-place" id="{name}-place" data-search-exclude>{PANELS[name]()}</div>'


def _what_if() -> str:
    """Every switch and field; those that the class or the sizes leave without effect are hidden by a script."""
    effect = '<span class="bc-effect"></span>'
    singles = "".join(
        _box(each, *(("biases", "no") if each == "biases-off" else ("more", each.removeprefix("more-"))), text, effect)
        for each, text in WHAT_IFS.items()
    )
    modules = "".join(_box(f"lora-{each}", "modules", each, text) for each, text in MODULES.items())
    within = "".join(_box(f"feedforward-{each}", "feedforward", each, text) for each, text in MODULES.items())
    methods = "".join(f'<option value="{each}">{load_methods()[each].title}</option>' for each in METHODS)
    frozen = "".join(_box(f"frozen-{each}", "frozen", each, text) for each, text in FROZEN.items())
    return (
        '<div class="bc-what-if bc-question" id="what-if-form">'
        '<fieldset class="bc-group"><legend>One more, or none</legend>'
        f'<ul class="bc-what-ifs">{singles}</ul>'
        f"{_number('vocabulary', 'vocabulary', 'Resize the vocabulary to', 'for example 31,000')}"
        '<p class="bc-hint" id="what-if-resized"></p>'
        f"{_number('pruned', 'pruned', 'Heads to prune, in all layers together', 'none')}</fieldset>"
        '<fieldset class="bc-group" id="what-if-freezing">'
        f'<legend>Frozen, so not trained</legend><ul class="bc-what-ifs">{frozen}</ul>'
        f"{_number('frozen-layers', 'layers', 'How many of the first layers', 'none')}"
        '<p class="bc-hint" id="what-if-frozen-says">The method below freezes the whole model but for what it trains,'
        " so these switches would change nothing.</p></fieldset>"
        '<fieldset class="bc-group" id="what-if-adapters"><legend>Train something smaller instead</legend>'
        f'<div class="bc-size"><label for="what-if-method">Method</label><select id="what-if-method" name="method"'
        f' form="calculator-form">{methods}</select></div>'
        f"{_number('rank', 'rank', 'Rank, tokens or width', 'none')}"
        f"{_number('width', 'width', 'Width of the encoder', 'as PEFT has it')}"
        f'<ul class="bc-what-ifs bc-modules">{modules}</ul><p class="bc-fault" id="what-if-modules-says"></p>'
        f'<p class="bc-hint" id="what-if-feedforward">Of these, scale the input, as PEFT does with feed-forward'
        f' modules, and not the output:</p><ul class="bc-what-ifs bc-modules">{within}</ul>'
        "</fieldset></div>"
    )


def _box(key: str, name: str, value: str, words: str, rest: str = "") -> str:
    """A box of the calculator's form that stands elsewhere."""
    return _switch("li", f"what-if-{key}", f'form="calculator-form" name="{name}" value="{value}"', words, rest)


def _number(key: str, name: str, label: str, hint: str) -> str:
    """A field for a number that may be left empty."""
    return (
        f'<div class="bc-size"><label for="what-if-{key}">{label}</label><input type="text" inputmode="numeric"'
        f' form="calculator-form" id="what-if-{key}" name="{name}" spellcheck="false"'
        f' aria-describedby="what-if-{key}-says"'
        f' placeholder="{hint}"><p class="bc-fault" id="what-if-{key}-says"></p></div>'
    )


def _export() -> str:
    """The buttons, and the snippet.

    Its text stands in no code element: the theme would take its place in the
    order of keys away whenever it need not scroll.
    """
    forms = {
        "csv": "Download CSV",
        "json": "Download JSON",
        "markdown": "Copy as Markdown",
        "snippet": "Copy the snippet",
        "address": "Copy the address",
    }
    buttons = (f'<button type="button" class="bc-button" name="{key}">{text}</button>' for key, text in forms.items())
    return (
        f'<div class="bc-controls">{"".join(buttons)}<span role="status"></span></div>'
        '<p class="bc-hint">Run this where transformers is installed, and it prints the same total;'
        ' nothing is downloaded:</p><pre class="bc-snippet" tabindex="0" role="region"'
        ' aria-label="The snippet for transformers"></pre>'
    )
