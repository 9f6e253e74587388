"""The training steps that pages show, which are steps of classifiers on texts of a few lengths.

The tables, the form and the figure on the page about memory in training take their models, batches and options from
here, so that they show the same numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from macros.counting import ChangedModel, model_named
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.training import FINE_TUNING, MASK_STEP, TrainingStep

from .asking import BASE, ask, title_of
from .changes import CHANGED_CLASS

LENGTHS = tuple(ask(model=BASE).sizes["P"] // divisor // MASK_STEP * MASK_STEP for divisor in (4, 1))
"""The numbers of tokens per text in the tables: a quarter of the positions and all of them.

Both are rounded down to a multiple of `MASK_STEP`.
"""

BATCH_SIZE = 16
INITIAL_LENGTH = LENGTHS[0]
"""The initial batch on the page: number of texts, and tokens per text."""

SIMPLEST_SETTINGS: dict[str, Any] = {"dtype": "float32", "attention": "eager", "padded": False}
"""The settings with the shortest formula: float32 throughout, attention product by product, and no padding."""


def step_of(
    model: str = BASE, texts: int = 1, tokens: int = INITIAL_LENGTH, change: str = "", **settings: Any
) -> TrainingStep:
    """A training step of a classifier with two labels.

    Args:
        model: the name of a published model.
        texts: the number of texts in the batch.
        tokens: the number of tokens in each text.
        change: the changes to the model before training, separated by spaces.
        settings: further fields of `TrainingStep`, such as `checkpointing=True`, which override `FINE_TUNING`.
    """
    question = ask(model=model, model_class=CHANGED_CLASS)
    return TrainingStep(ChangedModel.build(question, change.split()), texts, tokens, **{**FINE_TUNING, **settings})


MODELS = (
    "bert-base-uncased",
    "bert-large-uncased",
    "bert-base-multilingual-cased",
    "distilbert-base-uncased",
    "roberta-base",
    "roberta-large",
    "xlm-roberta-base",
    "xlm-roberta-large",
)
"""The models in the form that checks whether a step fits on a GPU."""

GPU_MEMORY = {
    "8 GiB": 8,
    "12 GiB, such as an RTX 3060": 12,
    "15 GiB, such as a T4": 15,
    "16 GiB, such as an RTX 4080": 16,
    "24 GiB, such as an RTX 4090": 24,
    "40 GiB, such as an A100": 40,
    "48 GiB": 48,
    "80 GiB, such as an A100 or an H100": 80,
}
"""The memory of GPUs in GiB, by the text of the option in the form.

Source: the data sheets of NVIDIA, whose GB of memory are GiB. Server GPUs whose error correction takes up some of this
memory report less. Of these, only the T4 is named, because hosted notebooks offer it: `nvidia-smi` reports 15,360 MiB
of its 16 GB.
"""

INITIAL_GPU_MEMORY = 16
"""The memory selected initially, in GiB."""


class TrainedPart(NamedTuple):
    """One choice of what to train.

    Attributes:
        title: the part in words.
        changes: the changes to the model, in which `{half}` is replaced with half the number of its layers.
        is_in_form: whether the form also offers it; the page's table always shows it.
    """

    title: str
    changes: tuple[str, ...] = ()
    is_in_form: bool = True

    def changes_of(self, layers: int) -> list[str]:
        """The changes to a model with this many layers."""
        return [change.format(half=layers // 2) for change in self.changes]


# Training only the head is left out: it keeps so few activations that the forward pass determines the limit.
TRAINED_PARTS = {
    "all": TrainedPart("everything"),
    "half": TrainedPart("the layers from the middle on, the pooler and the head", ("embeddings", "frozen:{half}")),
    "lora": TrainedPart("LoRA of rank 8 on query and value, and the head", ("lora:8:query,value",)),
    "qlora": TrainedPart(
        "QLoRA of rank 8 on query and value, and the head",
        ("nf4-double:classifier", "lora:8:query,value"),
        is_in_form=False,
    ),
    "bitfit": TrainedPart("the biases and the head (BitFit)", ("bitfit",)),
}
"""The parts that the page compares, by name. If the form offers a part, the name is the value of its option."""

PARTS_IN_FORM = {name: part for name, part in TRAINED_PARTS.items() if part.is_in_form}
"""The parts that the form offers to train."""

DTYPES = {
    "float32": "float32 or tf32",
    "bf16": "bf16 or fp16, mixed (autocast)",
    "pure-bf16": "bf16 throughout",
}
"""The titles of the data types that the form offers. Types that need the same memory share an option."""

ATTENTIONS = {"": "sdpa, the default of transformers", "eager": "eager"}
"""The titles of the implementations of attention."""


OPTIMISERS = ("adamw", "adamw-8bit", "adamw-8bit-trainer", "adafactor", "sgd")
"""The optimisers that the form offers."""


def form_options() -> dict[str, dict[str, str]]:
    """The titles of the options for data type, attention and optimiser, by the names of these three fields."""
    optimisers = {name: load_optimisers()[name].title for name in OPTIMISERS}
    return {"dtype": DTYPES, "attention": ATTENTIONS, "optimiser": optimisers}


def model_titles() -> dict[str, str]:
    """The titles of the models in the form, by name."""
    return {name: title_of(model_named(name)) for name in MODELS}
