"""`data/training.js`: the bytes that training steps keep, for the forms that show whether a step fits on a GPU.

Scripts cannot run the forward pass of `macros.counting.training`, but they need not:
for a given architecture, class and way of running the step, the kept bytes are the same
polynomial in the sizes for every configuration. The build runs the forward pass on
shapes, collects the bytes of the kept tensors as polynomials, and exports these;
`docs/assets/counting/training.js` inserts the sizes.

- The bytes kept up to the last layer, by the *body*, do not depend on the class, and those kept by the *head* do not
  depend on attention. So body and head are exported separately, which makes the file many times smaller.
- Each polynomial is a string such as `34BHLT+9ABLTT`, with the terms of 16-bit copies of weights after a bar. After a
  second bar are the bytes that one layer of a body keeps without checkpointing. After a third bar is the index of a
  string with bounds on the memory for temporary results, separated by semicolons; the largest bound applies. A K after
  a fourth bar means that frozen layers keep fewer tensors than the others. Bars with nothing after them are omitted.
- Numbers of layers are combinations of 1, L and K, where K is the number of frozen layers. The forward pass is run with
  so many layers that each number has only one such form.
- Special sizes that change which tensors are kept have separate entries: a classifier with one label (`C=1`), a
  batch of one text (`N=1`), embeddings as wide as the layers (`E=H`), and a single layer (`L=1`). If two of these apply
  and there is no entry for both, the entry for `E=H` is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from macros.counting import (
    ARCHITECTURES,
    Architecture,
    BadChange,
    ChangedModel,
    Choices,
    Model,
    ModelClass,
    Polynomial,
    Question,
    load_models,
    load_relatives,
    model_named,
)
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.messages import MESSAGES
from macros.counting.operations import max_tokens
from macros.counting.training import MASK_STEP, ROUNDING, Activation, TrainingStep, alignment
from macros.counting.training.forward import MATRIX_COPY
from macros.counting.training.parameters import LORA_METHODS
from macros.counting.training.programs import PROGRAMS
from macros.counting.training.step import SHORT_STATES, TEXTS_PER_EXAMPLE
from macros.counting.training.tensors import FULL as FULL_WIDTH
from macros.counting.training.tensors import SHORT as SHORT_WIDTH

from ..components.training_steps import DTYPES, MODELS, OPTIMISERS, PARTS_IN_FORM

EXPORTED_TYPES = ("bert", "roberta", "xlm-roberta", "distilbert", "electra", "albert")
"""The architectures whose steps are exported. The command line supports further architectures."""

DEPTH = 1000
FROZEN_LAYERS = 300
"""The number of layers in the model that the forward pass is run on, and the number of frozen layers among them."""

LORA_MODULES = (
    "query,value",
    "key,query,value",
    "attention-output,key,query,value",
    "attention-output,intermediate,key,output,query,value",
    "all-linear",
)
"""The sets of modules for which LoRA is exported, each in alphabetical order."""

CHANGES: Mapping[str, tuple[str, ...]] = {
    "all": (),
    "embeddings": ("embeddings",),
    "layers": ("frozen:{some}",),
    "embeddings,layers": ("embeddings", "frozen:{some}"),
    "all-layers": ("frozen:{all}",),
    "embeddings,all-layers": ("embeddings", "frozen:{all}"),
    "all-but-head": ("head",),
    "bitfit": ("bitfit",),
    **{f"lora:{modules}": (f"lora:8:{modules}",) for modules in LORA_MODULES},
}
"""The changes that determine which tensors are trained, by the name that scripts use.

`{some}` and `{all}` are replaced with numbers of frozen layers.
"""

SAME_HEAD: Mapping[str, str] = {
    "layers": "all",
    "all-layers": "all",
    "embeddings,layers": "embeddings",
    **{f"lora:{modules}": f"lora:{LORA_MODULES[0]}" for modules in LORA_MODULES[1:-1]},
}
"""Names in `CHANGES` whose heads are not exported, each with the name whose head keeps the same bytes.

The bytes are the same because gradients reach the input of the head in both cases.
"""

WITH_OPTIONAL_PROJECTION = ("electra",)
"""The architectures that project the embeddings to the width of the layers only if these widths differ."""

KERNELS = ("eager", "math", "")
"""The implementations of attention that keep different tensors; the last one is a fused kernel."""

FROZEN_KEEP_LESS = "K"
"""The mark of a body whose frozen layers keep fewer tensors than the others."""

BODY = ("bert/embeddings", "bert/encoder")
"""Path prefixes of the body."""

STEP_LENGTH = 32
"""The number of tokens per text in the forward pass."""


@cache
def training() -> dict[str, Any]:
    """The content of the file.

    Returns:
        rounding: Q, the length that a fused kernel keeps, is rounded up to a multiple of this number.
        mask_step: the length of padded texts must be a multiple of this number for a fused kernel.
        aligned: the width of heads must be a multiple of this number, given by data type, for a fused kernel.
        kernels: the implementations of attention, in the order of ways.
        polynomials: the polynomials; other entries refer to them by index.
        bodies: by architecture and name in `CHANGES`, the polynomial for every way: by data type, kernel, padding and
            checkpointing, with checkpointing varying fastest.
        heads: by class (with its choices of pooler and tied weights) and name in `CHANGES`, the polynomial by data type
            and checkpointing.
        like: by name in `CHANGES`, the name whose head keeps the same bytes.
        unpadded: the classes whose loss depends on the number of padding tokens.
        checkpoints: the architectures that transformers can run with gradient checkpointing.
        choices: the number of texts per example in multiple choice.
        lora: the methods that add the tensors of LoRA.
        short: the data type with 16-bit weights.
        widths: the bytes of a 32-bit and a 16-bit weight.
        optimisers: for 32-bit and 16-bit weights, the fields in `STATE_FIELDS` of each optimiser in the form.
            Optimisers that are not counted for 16-bit weights are missing there.
        models: the published models in the form on the page about memory in training; see `_model_in_form`.
        messages: the reasons why a step is not counted, by name.
    """
    polynomials: dict[str, int] = {}
    bodies: dict[str, IndicesByChange] = {}
    heads: dict[str, IndicesByChange] = {}
    for model_type in EXPORTED_TYPES:
        architecture = ARCHITECTURES[model_type]
        bodies |= _bodies(architecture, polynomials)
        heads |= _heads(architecture, polynomials)
    return {
        "rounding": ROUNDING,
        "mask_step": MASK_STEP,
        "aligned": {dtype: alignment(dtype) for dtype in DTYPES},
        "kernels": KERNELS,
        "polynomials": list(polynomials),
        "bodies": bodies,
        "heads": heads,
        "like": SAME_HEAD,
        "unpadded": [name for model_type in EXPORTED_TYPES for name in PROGRAMS[model_type].classes_without_padding],
        "checkpoints": [model_type for model_type in EXPORTED_TYPES if PROGRAMS[model_type].can_checkpoint],
        "choices": TEXTS_PER_EXAMPLE,
        "lora": LORA_METHODS,
        "short": SHORT_DTYPE,
        "widths": {"full": FULL_WIDTH, "short": SHORT_WIDTH},
        "optimisers": {
            "full": {name: _states_of(name) for name in OPTIMISERS},
            "short": {name: _states_of(SHORT_STATES[name]) for name in OPTIMISERS if name in SHORT_STATES},
        },
        "models": {name: _model_in_form(model_named(name)) for name in MODELS},
        "messages": {name: text for name, text in MESSAGES.items() if name.startswith("training-")},
    }


IndicesByChange = dict[str, list[int | None]]
"""By name in `CHANGES`, the index of a polynomial for every way of running a step; None for an impossible way."""


def _bodies(architecture: Architecture, polynomials: dict[str, int]) -> Iterator[tuple[str, IndicesByChange]]:
    """Yield the bodies of an architecture, each after its key."""
    usual_sizes = _sizes(architecture)
    special_cases: dict[str, dict[str, int]] = {"": {}}
    if "E" in usual_sizes:
        # The first layer reads the output of the dense layer that widens the embeddings. This output is stored in a
        # data type other than that of a layer's output.
        special_cases["L=1"] = {"L": 1}
    if architecture.model_type in WITH_OPTIONAL_PROJECTION:
        special_cases["E=H"] = {"E": usual_sizes["H"]}
    ways = list(product(DTYPES, KERNELS, (False, True)))
    for name, sizes in special_cases.items():
        indices: IndicesByChange = {}
        # Not every class supports every change, so several classes may be needed to find polynomials for all names.
        for model_class in reversed(architecture.classes):
            question = Question(_model(architecture, usual_sizes | sizes), model_class.name)
            missing_names = [change_name for change_name in CHANGES if change_name not in indices]
            indices |= _indices_by_change(question, polynomials, missing_names, ways, is_body=True)
        yield f"{architecture.model_type} {name}".strip(), indices


def _heads(architecture: Architecture, polynomials: dict[str, int]) -> Iterator[tuple[str, IndicesByChange]]:
    """Yield the heads of an architecture, each after its key."""
    # The bytes that a head keeps do not depend on the number of layers, so the forward pass runs only one. Nor do they
    # depend on attention or padding, so one value of each is enough.
    usual_sizes = {**_sizes(architecture), "L": 1}
    ways = list(product(DTYPES, KERNELS[:1], (False,)))
    names_of_heads = [name for name in CHANGES if name not in SAME_HEAD]
    sizes_by_prefix = {"": usual_sizes}
    if architecture.model_type in WITH_OPTIONAL_PROJECTION:
        sizes_by_prefix["E=H "] = {**usual_sizes, "E": usual_sizes["H"]}
    for model_class in architecture.classes:
        for prefix, sizes in sizes_by_prefix.items():
            # A batch of two texts represents any number of texts except one.
            sizes_and_texts = {"": (sizes, 2)}
            if model_class.name.endswith("SequenceClassification"):
                sizes_and_texts["C=1"] = (sizes | {"C": 1}, 2)
            if model_class.name.endswith(("LMHeadModel", "ForCausalLM")):
                sizes_and_texts["N=1"] = (sizes, 1)
            for choices in _choices(architecture, model_class):
                for name, (head_sizes, texts) in sizes_and_texts.items():
                    question = Question(_model(architecture, head_sizes), model_class.name, choices=choices)
                    choices_in_key = question.resolved_choices
                    flags = f"{int(bool(choices_in_key.pooler))}{int(bool(choices_in_key.tied))}"
                    key = f"{model_class.name} {flags} {prefix}{name}".strip()
                    yield key, _indices_by_change(question, polynomials, names_of_heads, ways, texts=texts)


def _choices(architecture: Architecture, model_class: ModelClass) -> list[Choices]:
    """The choices of pooler and tied weights, which affect the bytes that the head of a class keeps."""
    question = Question(_model(architecture, _sizes(architecture)), model_class.name)
    poolers = (True, False) if model_class.fixed_choices.pooler is None else (None,)
    ties = (True, False) if any(row.tied_to for row in question.rows) else (None,)
    return [Choices(pooler=pooler, tied=tied) for pooler, tied in product(poolers, ties)]


Way = tuple[str, str, bool]
"""A way of running a step, apart from checkpointing: data type, implementation of attention and padding."""


def _indices_by_change(
    question: Question,
    polynomials: dict[str, int],
    names: Iterable[str],
    ways: list[Way],
    *,
    texts: int = 2,
    is_body: bool = False,
) -> IndicesByChange:
    """The indices of the polynomials of a body or a head, by name in `CHANGES`.

    Names are missing if the model does not support their changes, or if nothing would be trained.
    """
    program = PROGRAMS[question.architecture.model_type]
    layer_counts = {"some": FROZEN_LAYERS, "all": question.architecture.depth(question.sizes)}
    indices: IndicesByChange = {}
    for name in names:
        try:
            changed_model = ChangedModel.build(question, [change.format(**layer_counts) for change in CHANGES[name]])
        except BadChange:
            continue  # impossible, for example because layers that share weights cannot be frozen separately
        if not changed_model.trainable:
            continue
        indices[name] = []
        for dtype, attention, is_padded in ways:
            # In these classes, the bytes depend on the number of padding tokens, which is not a size.
            if is_padded and question.model_class in program.classes_without_padding:
                indices[name] += [None, None]
                continue
            step = TrainingStep(
                changed_model,
                texts,
                STEP_LENGTH,
                dtype,
                attention,
                padded=is_padded,
                checkpointing=program.can_checkpoint,
            )
            # The step with checkpointing also needs the forward pass without it, which is run only once for both.
            indices[name].append(_index_of_polynomial(step.without_checkpointing, polynomials, is_body=is_body))
            indices[name].append(
                _index_of_polynomial(step, polynomials, is_body=is_body) if step.checkpointing else None
            )
    return indices


def _index_of(text: str, polynomials: dict[str, int]) -> int:
    """The index of a string among the polynomials, to which it is added if it is new."""
    return polynomials.setdefault(text, len(polynomials))


def _index_of_polynomial(step: TrainingStep, polynomials: dict[str, int], *, is_body: bool) -> int:
    """The index of the string for the bytes that the body or the head of a step keeps; see the module's docstring."""
    activations = (*step.activations, *step.recomputed_activations)
    items = [item for item in activations if item.path.startswith(BODY) == is_body]
    copies = [item for item in items if item.contents == MATRIX_COPY]
    kept_items = [item for item in items if item.contents != MATRIX_COPY]
    layer_text = _text_of_polynomial(step.layer_polynomial) if is_body else ""
    bounds = ";".join(map(_text_of_polynomial, step.bounds_in_layers if is_body else step.bounds_in_head))
    temporary = str(_index_of(bounds, polynomials)) if bounds else ""
    frozen_mark = FROZEN_KEEP_LESS if is_body and 0 < step.layers_with_equal_activations < DEPTH - 1 else ""
    text = "|".join(
        (_text_of_activations(kept_items), _text_of_activations(copies), layer_text, temporary, frozen_mark)
    ).rstrip("|")
    return _index_of(text, polynomials)


def _text_of_activations(activations: Iterable[Activation]) -> str:
    """The bytes of activations in all layers as a string, such as `34BHLT+9ABLTT`."""
    terms: Counter[str] = Counter()
    for activation in activations:
        for coefficient, letters, _ in activation.bytes_per_storage.terms:
            for letter, number in _layers_as_sum(activation.layers).items():
                terms["".join(sorted([*letters, letter]))] += number * coefficient
    return _sum_text(terms)


def _text_of_polynomial(polynomial: Polynomial) -> str:
    """A polynomial as a string, without letters for numbers of layers: `34BHT+9ABTT`."""
    terms: Counter[str] = Counter()
    for coefficient, letters, _ in polynomial.terms:
        terms["".join(sorted(letters))] += coefficient
    return _sum_text(terms)


def _sum_text(terms: Mapping[str, int]) -> str:
    """The text of a sum, given its coefficients by letters; terms with a coefficient of zero are omitted."""
    return "".join(f"{number:+}{letters}" for letters, number in terms.items() if number).removeprefix("+")


def _layers_as_sum(number: int) -> dict[str, int]:
    """A number of layers as a sum of 1, L and K, with the coefficient of each by its letter.

    >>> _layers_as_sum(DEPTH - FROZEN_LAYERS - 1)
    {'L': 1, 'K': -1, '': -1}

    Raises:
        ValueError: the number is not such a sum.
    """
    if number == 0:  # outside the layers, where each tensor occurs once
        return {"": 1}
    for depth, frozen in product((0, 1), (0, 1, -1)):
        remainder = number - depth * DEPTH - frozen * FROZEN_LAYERS
        if abs(remainder) <= 1:
            numbers = {"L": depth, "K": frozen, "": remainder}
            return {letter: count for letter, count in numbers.items() if count}
    raise ValueError(f"{number} layers are not a sum of 1, {DEPTH} and {FROZEN_LAYERS}")


def _sizes(architecture: Architecture) -> dict[str, int]:
    """The sizes for running steps: those of a published model, but with many layers and narrow embeddings."""
    models = (*load_models().values(), *load_relatives().values())
    sizes = next(model.sizes for model in models if model.architecture is architecture)
    embedding_size = {"E": sizes["H"] // 2} if "E" in sizes else {}
    return {**sizes, "L": DEPTH, **embedding_size}


def _model(architecture: Architecture, sizes: Mapping[str, int]) -> Model:
    """A model of an architecture with the given sizes and an arbitrary name."""
    return Model("exported", architecture, dict(sizes))


def _classifier(architecture: Architecture) -> str:
    """The class that predicts one label per text."""
    return next(
        model_class.name for model_class in architecture.classes if model_class.name.endswith("SequenceClassification")
    )


STATE_FIELDS = {
    "each": "bytes_per_number",
    "tensor": "bytes_per_tensor",
    "factored": "is_factored",
    "block": "block_size",
    "scales": "bytes_per_block",
    "least": "small_below",
    "small": "bytes_per_small_number",
    "embeddings": "small_embeddings",
    "tables": "shared_bytes",
}
"""The fields of `Optimiser` that determine the bytes of its states, by the key that scripts read."""


def _states_of(optimiser: str) -> dict[str, int]:
    """The fields of an optimiser that `STATE_FIELDS` lists, by the key that scripts read."""
    return {key: int(getattr(load_optimisers()[optimiser], field)) for key, field in STATE_FIELDS.items()}


def _model_in_form(model: Model) -> dict[str, Any]:
    """A published model in the form, as a classifier, with the fields of `modelToTrain` in `trained-model.js`.

    `method` and `fixed` are missing. `trained` has, for each option of the form, the name in `CHANGES`, and in its own
    `fixed` the bytes of weights, gradients and states in 32 bits and in 16 bits.
    """
    architecture = model.architecture
    layers = model.sizes["L"]
    question = Question(model, _classifier(architecture))
    options = {}
    sizes = {**model.sizes, "K": layers // 2}
    for option, part in PARTS_IN_FORM.items():
        changed_model = ChangedModel.build(question, part.changes_of(layers))
        if "r" in changed_model.sizes:
            sizes["r"] = changed_model.sizes["r"]
        fixed_bytes = {
            "full": _bytes_without_activations(changed_model, "float32", OPTIMISERS),
            "short": _bytes_without_activations(changed_model, SHORT_DTYPE, SHORT_STATES),
        }
        options[option] = {"trained": CHANGE_BY_OPTION[option], "fixed": fixed_bytes}
    return {
        "architecture": architecture.model_type,
        "modelClass": question.model_class,
        "choices": question.resolved_choices.by_name(architecture.flags),
        "sizes": sizes,
        "maxTokens": max_tokens(question),
        "trained": options,
    }


def _bytes_without_activations(model: ChangedModel, dtype: str, optimisers: Iterable[str]) -> list[Any]:
    """The bytes of weights, of gradients, and of the states by optimiser."""
    steps = {name: TrainingStep(model, 1, 1, dtype, optimiser=name) for name in optimisers}
    any_step = next(iter(steps.values()))
    states = {name: step.states_bytes for name, step in steps.items()}
    return [any_step.weights_bytes, any_step.gradients_bytes, states]


SHORT_DTYPE = "pure-bf16"
"""The data type with 16-bit weights."""

CHANGE_BY_OPTION = {"all": "all", "half": "embeddings,layers", "lora": f"lora:{LORA_MODULES[0]}", "bitfit": "bitfit"}
"""The name in `CHANGES` for each option of the form."""
