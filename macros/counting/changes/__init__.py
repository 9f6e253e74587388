r"""What people do to a model, as data: adapters, frozen parts, pruned heads, weights packed into four bits.

Rule 1: a change is a method of `data/changes.toml` with its options, written as
on the command line: `"lora:8:query,value"` or `"lora:r=8:modules=query+value"`.
Rule 2: a method is a list of operations on rows. A row is one tensor of the
model, or one in every layer.
Rule 3: sizes and choices are changed first, because a model is built before
anything is done to it. All other changes take effect in the order given.
Rule 4: the total, what is trained and the bytes follow from the rows that are
there at the end, and from nothing else.

How a change finds its rows
---------------------------
An operation is a line of the list `does` of its method. `do` says what is done,
and up to four keys say to which rows; a row must satisfy all that are given.

`under` is a path of the table, such as `bert/encoder/layer_*`: the rows there.
`tag` is a tag of the table, such as `bias` or `LayerNorm`: the rows that carry it.
`at` names modules: by words of `[adapted]`, separated by commas; or by an option
    of the method in which the reader names them (`modules`, `feedforward`,
    `save`, `skip`, `bias`). `head` stands for the heads that PEFT copies, and
    `outside` for everything that is not in the body.
`but` is read like `at`, and takes its rows out again.

Path and tag are those of the row in the unchanged model. A row that a change has
added keeps the path of the row beside which it stands: to freeze `bert` also
freezes an adapter in `bert`. A prompt belongs to the whole model, so it has no
path, and only an operation with neither `under` nor `tag` finds it. `at`, and the
operations `add`, `copy`, `store` and `remove`, see only what the unchanged model
has: nothing is adapted, packed or copied twice.

Module names are read in two ways. `query`, `attention-output` and the other words
of `[adapted]` mean the same matrices in every architecture, by the end of their
paths; `all-linear` means every dense layer but the decoder and a head that PEFT
copies. Any other name is matched as PEFT does it, with the end of a parameter's
name: `dense` finds three matrices in every layer of BERT, and the pooler's. A
name that no row matches is refused, and so is a head that gets no adapter because
a copy of it is trained. With `task=none` PEFT copies no head, so both adapt it.
If no modules are named, the library's default for the model type is taken
(`modules` and `feedforward` of the method); if there is none, this is an error.

`needs` and `lacks` make an operation depend on an option, and `of` on a model type.

What an operation does
----------------------
`resize` builds the model with another size, the option's letter. If the vocabulary of an
    untied head is resized, one of its two biases is lost or keeps its length, as in
    transformers.
`choose` builds it with another `choice`, such as untied weights.
`add` puts a tensor beside each row, or one beside the model if there is neither
    `at` nor `under`. Its shape is written in the row's `in` and `out`, in letters
    of the model and in those that the method brings, such as `r`.
`copy` trains a copy and keeps the original, so both count towards the total.
`freeze` and `train` decide about training; with `first`, only the first layers freeze.
`store` packs weights, which then are not trained.
`drop` takes rows away.
`remove` takes away a part of each row for every pruned head.

What the order means
--------------------
`Changed.of` sorts by `Method.stage`: `resize`, then `choose`, then the rest. The
sort is stable, so within a stage the order given is kept. `lora:8:query,value
layers:6` is therefore the same as `layers:6 lora:8:query,value`: the adapters of
six layers. In the last stage a later operation sees what the earlier ones left,
and the last word counts. `bitfit frozen:6` trains the biases of the upper six
layers, while `frozen:6 bitfit` trains all biases, because BitFit begins with
freezing everything. To pack weights before or after LoRA comes to the same,
because `store` sees only the model's own rows.

Some orders are refused: two changes that set one letter, two methods with which a
library wraps the model (PEFT or adapters), adapters beside pruned heads in either
order, and a copy of what is already packed.

Doubts and limits
-----------------
Every method of a library is compared, alone, with what the library makes of real
models (`tests/counting/test_changed.py`). Combinations follow from the rules above;
only a few are compared, such as frozen parts and LoRA beside packed weights. Two are
doubtful. `int4 bitfit` trains the packed weights of the classifier, because `train`
does not ask how a row is stored; people mean `int4:classifier bitfit`. After `lora`,
`bitfit` also trains the bias of the classifier's copy, which has the tag of its
original. Which heads are pruned is not part of a change: a total does not depend on
it, and a listing takes them from the first layers.

The calculator does a part of this in `docs/assets/counting/changes.js`, with rows that
are selected when the site is built; `tests/scripts/test_changes.py` compares.

>>> from macros.counting import Changed, Question, model_named
>>> question = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
>>> changed = Changed.of(question, ["lora:8:query,value"])
>>> changed.trainable, changed.number
(296450, 109780228)
>>> [Changed.of(question, order).trainable for order in (["bitfit", "frozen:6"], ["frozen:6", "bitfit"])]
[53762, 104450]
"""
