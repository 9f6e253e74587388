"""The calculator: its form, and what it shows of BERT base before its scripts are there.

What a script fills stands here empty, in its place; `docs/assets/calculator/`
fills it.
"""

from __future__ import annotations

from html import escape

from macros.counting import BERT, USUAL, load_relatives, models_in
from macros.counting.models import load_groups

from .elements import numbers, pages
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
    "G": "layer groups",
    "I": "layers per group",
    "C": "labels",
}
"""What a field is called, by its letter: shorter than what the letter means. The scripts take it from the form."""

SWITCHES = {
    "pooler": "pooler",
    "tied": "decoder tied to the word embeddings",
    "cross_attention": "cross-attention",
}
"""What a class leaves open."""


HINT = "Change a size, and this line says which parts grow, and why."
"""What stands where the last change is told, before there was one; `calculator/total.js` takes it from here."""


def form(name: str) -> str:
    """The total, the picture and the fields, with what they hold for BERT base."""
    asked = ask(model=BASE)
    return (
        f'<div class="bc-calculator" id="{name}" data-search-exclude>'
        f'<div class="bc-result" id="{name}-result"><p class="bc-whole">{numbers.counted(asked)} parameters</p>'
        f'<p class="bc-of">{escape(title_of(asked.model))}, as <code>{asked.chosen.name}</code></p>'
        f'<p class="bc-delta">{HINT}</p></div>'
        f'<div class="bc-change" id="{name}-change"></div>'
        f'<div class="bc-shape" id="{name}-picture">{_picture(name)}</div>{_form(name)}'
        f'<p class="bc-status" id="{name}-status" role="status"></p></div>'
    )


def _picture(name: str) -> str:
    """The whole model as the map shows it."""
    asked, level, home = ask(model=BASE), level_at(""), pages.of_level(BASE)
    return area_map.picture(f"{name}-map", level, asked, f"{pages.ROOT}{home}") + area_map.sum_of(
        level, asked, f"{pages.ROOT}{home}"
    )


def _form(name: str) -> str:
    """The fields; those that BERT lacks are hidden."""
    fields = "".join(_field(name, letter) for letter in LABELS)
    return (
        f'<form class="bc-fields bc-question" id="{name}-form" autocomplete="off">'
        f'<p class="bc-field bc-wide"><label for="{name}-model">Start from</label>'
        f'<select id="{name}-model" name="model">{_models()}</select></p>'
        f"{fields}"
        f'<p class="bc-field bc-wide"><label for="{name}-class">Model class</label>'
        f'<select id="{name}-class" name="class">{_classes()}</select></p>'
        f'<fieldset class="bc-wide bc-switches"><legend class="bc-hidden">What the class leaves open</legend>'
        f"{''.join(_switch(name, key) for key in SWITCHES)}</fieldset></form>"
    )


def _field(name: str, letter: str) -> str:
    """A size: its letter, what it is, the field with a button on either side, and the place of a message."""
    key, label = f"{name}-{letter.lower()}", LABELS[letter]
    size = ask(model=BASE).model.sizes.get(letter)
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


def _switch(name: str, key: str) -> str:
    checked = " checked" if getattr(USUAL, key) else ""
    return (
        f'<p class="bc-switch"><input id="{name}-{key}" name="{key}" type="checkbox"{checked}>'
        f'<label for="{name}-{key}">{SWITCHES[key]}</label></p>'
    )


def _models() -> str:
    """Every model by group, and the entry for a configuration of the reader's own."""
    groups = [(group.title, models_in([name])) for name, group in load_groups().items()]
    groups.append(("Relatives of BERT", list(load_relatives().values())))
    return "".join(models_to_choose(title, models) for title, models in groups)


def _classes() -> str:
    options = (f'<option value="{each.name}">{each.name} ({escape(each.purpose)})</option>' for each in BERT.classes)
    return "".join(options)
