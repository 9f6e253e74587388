"""The program of each architecture: a function that runs its forward pass, and the features of its implementation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from .bigbird import run_bigbird, sparse_sizes
from .deberta import run_deberta, run_deberta_v2
from .encoders import (
    IDS_WITHOUT_SEGMENT_BUFFER,
    ROBERTA_IDS,
    bert_layer,
    keep_buckets,
    layer_after_norm,
    modernbert_layer,
    rotary_layer,
    run,
    run_dpr,
    run_esm,
    run_layoutlm,
    run_rotary,
)
from .eurobert import run_eurobert
from .forward import Forward
from .mobilebert import run_mobilebert


class Program(NamedTuple):
    """The forward pass of an architecture.

    Attributes:
        run: runs the forward pass, given a `Forward` and the name of a class.
        activation: the activation function that transformers chooses if a config names none.
        has_kernels: whether attention can run in PyTorch's own kernels; otherwise it is always eager.
        shares_weights: whether all layers have the same weights.
        can_checkpoint: whether transformers can run its layers with gradient checkpointing.
        always_masks: whether attention reads a mask even if no text is padded.
        window: the longest text, in tokens, for which layers that attend to a window need no mask; 0 if there are no
            such layers.
        uncounted_classes: the classes whose forward pass has an operation that `Forward` lacks; they are not counted.
        classes_without_padding: the classes that are counted only for texts of equal length, because their loss selects
            the tokens that are not padding.
        letters: replacements for letters of the model that already have a meaning for the batch.
        sparse_sizes: returns the sizes of sparse attention by letter, given its settings, the number of heads and the
            tokens per text; empty if all tokens of a text attend to each other.
    """

    run: Callable[[Forward, str], None] = run
    activation: str = "gelu"
    has_kernels: bool = True
    shares_weights: bool = False
    can_checkpoint: bool = True
    always_masks: bool = False
    window: int = 0
    uncounted_classes: tuple[str, ...] = ()
    classes_without_padding: tuple[str, ...] = ()
    letters: Mapping[str, str] = MappingProxyType({})
    sparse_sizes: Callable[[Mapping[str, Any], int, int], Mapping[str, int]] = lambda *_: {}

    def is_counted(self, class_name: str, *, is_padded: bool) -> bool:
        """Whether a class is counted, with or without padded texts."""
        return class_name not in self.uncounted_classes and not (
            is_padded and class_name in self.classes_without_padding
        )


BERT_PROGRAM = Program()
ROBERTA_PROGRAM = Program(partial(run, ids=ROBERTA_IDS))

PROGRAMS: Mapping[str, Program] = {
    "bert": BERT_PROGRAM,
    "ernie": BERT_PROGRAM,
    "electra": Program(classes_without_padding=("ElectraForPreTraining",)),
    "roberta": ROBERTA_PROGRAM,
    "xlm-roberta": ROBERTA_PROGRAM,
    "camembert": ROBERTA_PROGRAM,
    "data2vec-text": ROBERTA_PROGRAM,
    "distilbert": Program(partial(run, layer=partial(bert_layer, drops_after_attention=False))),
    "albert": Program(
        partial(run, layer=partial(bert_layer, drops_after_feed_forward=False)),
        activation="gelu_new",
        shares_weights=True,
        can_checkpoint=False,
    ),
    "mpnet": Program(
        partial(run, ids=ROBERTA_IDS, before_layers=keep_buckets),
        has_kernels=False,
        can_checkpoint=False,
    ),
    "modernbert": Program(
        partial(run, layer=modernbert_layer, keeps_mask=False),
        window=64,  # half of `local_attention` in the configs of ModernBERT: its reach to either side
        # It looks up the first token of each text by an index, instead of cutting it out.
        uncounted_classes=("ModernBertForMultipleChoice",),
    ),
    "nomic_bert": Program(partial(run_rotary, rotary_layer)),
    "gte": Program(partial(run_rotary, partial(rotary_layer, drops_after_gate=True))),
    "jina_embeddings_v3": Program(partial(run_rotary, rotary_layer)),
    "rembert": Program(partial(run, ids=IDS_WITHOUT_SEGMENT_BUFFER, widens_late=True), has_kernels=False),
    "megatron-bert": Program(partial(run, ids=IDS_WITHOUT_SEGMENT_BUFFER, layer=layer_after_norm), has_kernels=False),
    "xlm-roberta-xl": Program(partial(run, ids=ROBERTA_IDS, layer=partial(layer_after_norm, drops_output=False))),
    "dpr": Program(run_dpr, can_checkpoint=False),
    "esm": Program(run_esm, activation="erf"),
    "layoutlm": Program(run_layoutlm, always_masks=True),
    "mobilebert": Program(run_mobilebert, activation="relu"),
    "deberta": Program(run_deberta, has_kernels=False),
    "deberta-v2": Program(run_deberta_v2, has_kernels=False),
    "big_bird": Program(run_bigbird, activation="gelu_new", has_kernels=False, sparse_sizes=sparse_sizes),
    "eurobert": Program(run_eurobert, letters={"N": "M", "Q": "D"}),
}
"""The program of each architecture, by its `model_type`."""
