"""Random print-outs of models as readers paste them, each with its ground truth.

`cases` prints BERT and its relatives, published or of unusual sizes, in about thirty layouts. It plants a fault in
about half of them, and mangles most texts as emails, logs and notebooks do. The ground truth comes from the engine; a
layout only prints it. `other_models` prints models of other families, which must not be taken for a BERT, and
`hostile_cases` returns texts that try to break a reader. All three are deterministic.

A layout writes lines, each with the tensors that it describes (`pasted/lines.py`). A fault changes lines
(`pasted/faults.py`). Finally, the text of the lines is mangled (`pasted/manglings.py`).

    python -m tests.scripts.layouts 7 3    # prints three cases of seed 7
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from macros.counting import ARCHITECTURES, Architecture, Choices, Model, ModelClass, load_models, load_relatives
from tests.scripts.calculating import fitted_sizes
from tests.scripts.pasted import keras, lists, trees
from tests.scripts.pasted.faults import Fault, cut_lines, plant, wrap_lines
from tests.scripts.pasted.hostile import hostile_case
from tests.scripts.pasted.lines import Draft, PastedLine, Subject
from tests.scripts.pasted.manglings import PREFIXES, mangle
from tests.scripts.pasted.others import other_case

Layout = Callable[[Subject, random.Random], Draft]
"""A function that prints a subject, with random choices of detail."""


class LayoutKind(NamedTuple):
    """A layout, with the conditions of its use.

    Attributes:
        layout: the function that prints a subject.
        fits: returns whether the layout can print a subject; None if it can print any.
        unsuited_manglings: the names of manglings that are never applied to the layout.
        weight: the relative frequency with which it is drawn.
        cut_widths: the widths at which its lines may be cut off.
    """

    layout: Layout
    fits: Callable[[Subject], bool] | None = None
    unsuited_manglings: tuple[str, ...] = ()
    weight: int = 2
    cut_widths: tuple[int, ...] = ()


def is_bert(subject: Subject) -> bool:
    """Return whether the subject is a BERT."""
    return subject.is_bert


def is_bare_bert(subject: Subject) -> bool:
    """Return whether the subject is a BERT without a head."""
    return subject.is_bert and subject.is_bare


def is_in_google_bert(subject: Subject) -> bool:
    """Return whether google-research/bert has the subject, which must be a BERT with both pre-training heads."""
    return subject.is_bert and subject.model_class.name == "BertForPreTraining"


def is_in_keras_bert(subject: Subject) -> bool:
    """Return whether keras-bert can build the subject, which must be a bare BERT with two segments."""
    return subject.is_bert and subject.is_bare and subject.model.sizes["S"] == 2


def is_in_tensorflow(subject: Subject) -> bool:
    """Return whether `keras.one_row` can print the subject's TensorFlow class."""
    if subject.is_bert:
        return subject.model_class.name != "BertLMHeadModel"
    is_simple = subject.model_class.name.endswith(("ForTokenClassification", "ForQuestionAnswering")) and (
        keras.TF_HEADS.keys() >= {*subject.model_class.heads}
    )
    return subject.model.architecture.model_type != "modernbert" and (subject.is_bare or is_simple)


def is_in_flax(subject: Subject) -> bool:
    """Return whether transformers has the subject in Flax, with the same module names."""
    return subject.model.architecture.model_type in ("bert", "roberta", "distilbert", "electra", "albert")


UNSUITED_TO_DATA = ("trailing", "thousands", "single spaces", "wide spaces", "log prefix")
"""Manglings that do not happen to JSON or other data."""

KINDS: Mapping[str, LayoutKind] = {
    "named size": LayoutKind(lists.named_size, weight=4, cut_widths=(60,)),
    "named arrow": LayoutKind(lists.named_arrow, weight=4),
    "named flags": LayoutKind(lists.named_flags),
    "named counts": LayoutKind(lists.named_counts, weight=3),
    "prettytable": LayoutKind(lists.pretty_table, weight=3),
    "names only": LayoutKind(lists.names_only, unsuited_manglings=UNSUITED_TO_DATA),
    "state_dict": LayoutKind(lists.state_dict, weight=3),
    "tutorial": LayoutKind(lists.tutorial),
    "markdown": LayoutKind(lists.markdown, unsuited_manglings=("thousands",)),
    "separated": LayoutKind(lists.spreadsheet, unsuited_manglings=("thousands", "single spaces", "trailing")),
    "data frame": LayoutKind(lists.data_frame),
    "latex": LayoutKind(lists.latex),
    "html": LayoutKind(lists.html, unsuited_manglings=("trailing",)),
    "safetensors header": LayoutKind(lists.safetensors_header, unsuited_manglings=UNSUITED_TO_DATA),
    "safetensors index": LayoutKind(lists.safetensors_index, unsuited_manglings=UNSUITED_TO_DATA, weight=1),
    "tf1 log": LayoutKind(lists.tf1_log, is_in_google_bert, weight=6),
    "list_variables": LayoutKind(lists.list_variables, is_in_google_bert, weight=6),
    "flax": LayoutKind(lists.flax, is_in_flax, unsuited_manglings=UNSUITED_TO_DATA),
    "gguf": LayoutKind(lists.gguf, is_bare_bert, weight=6),
    "print torch2": LayoutKind(trees.print_model, weight=6),
    "print torch1": LayoutKind(trees.print_torch1, weight=4),
    "torchinfo": LayoutKind(trees.torchinfo, weight=8),
    "deepspeed": LayoutKind(trees.deepspeed),
    "lightning": LayoutKind(trees.lightning),
    "fvcore": LayoutKind(trees.fvcore, weight=1),
    "children": LayoutKind(trees.children),
    "torchsummary": LayoutKind(trees.torchsummary, is_bare_bert, weight=6),
    "keras by layer": LayoutKind(keras.by_layer, is_in_keras_bert, weight=12),
    "keras one row": LayoutKind(keras.one_row, is_in_tensorflow),
}
"""The layouts by name. Those that are pasted often, or that fit few subjects, have larger weights."""

LABELS = (2, 3, 9)
"""Typical numbers of labels."""


def published_model(chance: random.Random) -> Model:
    """A random published model; every architecture is equally likely."""
    architecture = chance.choice([*ARCHITECTURES.values()])
    models = [*load_models().values(), *load_relatives().values()]
    models_of_architecture = [model for model in models if model.architecture is architecture]
    return chance.choice(models_of_architecture)


def odd_model(chance: random.Random) -> Model:
    """A model with random sizes, which are unusual but possible."""
    architecture = chance.choice([*ARCHITECTURES.values()])
    heads = chance.choice([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16])
    width = heads * chance.choice([4, 8, 12, 16, 20, 32, 48, 64])
    sizes = {
        "V": chance.choice([chance.randrange(90, 2_000), chance.randrange(2_000, 60_000)]),
        "P": chance.choice([32, 64, 77, 128, 256, 300, 512, 514, 1024]),
        "S": chance.choice([1, 2, 2, 2, 3, 4, 16]),
        "E": chance.choice([width, width // 2 + 1, 16, 64, 128]),
        "H": width,
        "F": chance.choice([4 * width, 4 * width, 2 * width, 3 * width, width + 7, 200, 1000]),
        "L": chance.choice([1, 2, 2, 3, 3, 4, 5, 6, 8, 11, 12]),
        "A": heads,
        "G": chance.choice([1, 1, 1, 2, 3]),
        "I": chance.choice([1, 1, 1, 2]),
        "R": chance.choice([16, 32, 64, 256]),
        "K": chance.choice([0, 3, 16]),
        "O": chance.choice([width, width + 3, 64, 128]),
        "J": chance.choice([0, 0, 128]),
        "W": heads * chance.choice([2, 3, 5]),
        "Z": chance.choice([0, 0, 3]),
        "X": chance.choice([16, 100, 1000, 1024]),
        "N": chance.choice([heads, 1]),
        "Q": width // heads,
        "C": 2,
    }
    return Model("odd", architecture, fitted_sizes(architecture, sizes))


def draw_subject(chance: random.Random, fits: Callable[[Subject], bool] | None) -> Subject:
    """A random model in a random class, which together satisfy `fits` if it is given."""
    while True:
        model = chance.choice([published_model, odd_model])(chance)
        model_class = chance.choice(weighted_classes(model.architecture))
        labels = 2 if model_class.name.endswith("QuestionAnswering") else chance.choice(LABELS)
        model = model._replace(sizes={**model.sizes, "C": labels})
        choices = Choices()
        may_lack_pooler = model_class is model.architecture.classes[0] and model_class.fixed_choices.pooler in (
            None,
            False,
        )
        if may_lack_pooler and chance.random() < 0.15:
            choices = Choices(pooler=False)
        subject = Subject(model, model_class, choices)
        if fits is None or fits(subject):
            return subject


def weighted_classes(architecture: Architecture) -> list[ModelClass]:
    """The classes of an architecture, with the bare model twice so that it is drawn more often."""
    return [architecture.classes[0], *architecture.classes]


def random_case(chance: random.Random, name: str = "") -> dict[str, Any]:
    """A random text with its ground truth, in the layout `name` or else a random one."""
    layout_name = name or chance.choices([*KINDS], [kind.weight for kind in KINDS.values()])[0]
    kind = KINDS[layout_name]
    subject = draw_subject(chance, kind.fits)
    draft = kind.layout(subject, chance)
    subject = draft.shown_subject or subject
    lines, fault = plant(subject, draft, chance)
    prefix = chance.choice(PREFIXES) if layout_name in PREFIXABLE_LAYOUTS and chance.random() < 0.1 else ""
    text = draft.text(with_prefix(lines, prefix))
    if fault.kind == "none" and kind.cut_widths and chance.random() < 0.1:
        text, fault = cut_lines(text, chance.choice(kind.cut_widths)), Fault("cut")
    elif fault.kind == "none" and chance.random() < 0.05:
        text, fault = wrap_lines(text), Fault("wrapped")
    text, mangling = mangle(text, chance, kind.unsuited_manglings)
    mangling = " + ".join(filter(None, ["prefixed names" if prefix else "", mangling]))
    return {
        "text": text,
        "layout": layout_name,
        "mangling": mangling,
        "architecture": subject.model.architecture.model_type,
        "modelClass": subject.model_class.name,
        "model": subject.model.name,
        "sizes": dict(subject.model.sizes),
        "choices": subject.choices.by_name(subject.model.architecture.flags),
        "total": subject.total,
        "fault": {"kind": fault.kind, "tensors": list(fault.tensors), "number": fault.number},
        "stated": draft.stated_total,
        "complete": draft.is_complete and fault.kind not in ("dropped", "layer missing", "first layers"),
    }


PREFIXABLE_LAYOUTS = (
    "named size",
    "named arrow",
    "named flags",
    "named counts",
    "state_dict",
    "names only",
    "markdown",
    "separated",
)
"""The layouts in which tensor names may have a prefix that a wrapper has added."""


def with_prefix(lines: list[PastedLine], prefix: str) -> list[PastedLine]:
    """The lines with `prefix` before the first tensor name of each."""
    if not prefix:
        return lines
    return [
        line._replace(text=line.text.replace(line.tensor_names[0], prefix + line.tensor_names[0], 1))
        if line.tensor_names
        else line
        for line in lines
    ]


def cases(seed: int, count: int, layout: str = "") -> list[dict[str, Any]]:
    """`count` random texts, each with its ground truth, all in the layout `layout` if it is given.

    Each case has `text`, `layout`, `mangling`, `architecture` (a `model_type`), `modelClass`, `model` (a published
    name, or "odd"), `sizes` by letter, `choices` by name, the right `total`, `fault` with `kind`, `tensors` and
    `number` (its effect on the sum of the rows), `stated` (the total that the text states, or None), and `complete`
    (whether every tensor is shown). The same arguments always give the same cases.
    """
    return [random_case(random.Random(f"{seed} {index} {layout}"), layout) for index in range(count)]  # noqa: S311


def other_models(seed: int, count: int) -> list[dict[str, Any]]:
    """Print-outs of models of other families, each with `text`, `layout`, `mangling`, `family` and `total`."""
    results = []
    for index in range(count):
        chance = random.Random(f"others {seed} {index}")  # noqa: S311
        case = other_case(chance)
        unsuited_manglings = UNSUITED_TO_DATA if case["layout"] == "safetensors" else ("thousands",)
        text, mangling = mangle(case["text"], chance, unsuited_manglings)
        results.append({**case, "text": text, "mangling": mangling})
    return results


def hostile_cases(seed: int, count: int) -> list[dict[str, Any]]:
    """Texts that may break a reader, each with `text` and `kind`."""
    return [hostile_case(random.Random(f"hostile {seed} {index}")) for index in range(count)]  # noqa: S311


if __name__ == "__main__":
    for printed_case in cases(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]):
        truth = {key: value for key, value in printed_case.items() if key not in ("text", "fault")}
        print(f"{'#' * 100}\n{truth}\n{str(printed_case['fault'])[:300]}\n{printed_case['text']}")
