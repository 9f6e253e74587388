r"""Changes that people make to a model, as data, such as adapters, frozen parts, pruned heads and packed weights.

Rule 1: a change is a method of `data/changes.toml` with its options, written as on the
command line, such as `"lora:r=8:modules=query+value"`, or shorter, `"lora:8:query,value"`.
Rule 2: a method is a list of operations on rows. A row is one tensor of the
model, or one per layer.
Rule 3: sizes and choices are changed first, because a model has to be built
before anything else can be done to it. All other changes take effect in the
order in which they are listed.
Rule 4: the total, the trainable parameters and the bytes follow from the rows
after all changes, and from nothing else.

How a change finds its rows
---------------------------
An operation is an entry in the list `does` of its method. Its key `do` gives its kind;
the next section lists the kinds. Up to four other keys select the rows to which it is
applied; a row must satisfy all of them.

`under` is a path, such as `bert/encoder/layer_*`: it selects the rows under it.
`tag` is a tag, such as `bias` or `LayerNorm`: it selects the rows that carry it.
`at` names modules: by words of `[adapted]`, separated by commas; or by the option
    of the method in which the user names them (`modules`, `feedforward`, `skip`,
    `bias`). `outside` means everything outside `bert`, such as the heads.
`but` is read like `at`, and excludes rows.

Paths and tags are those of the row in the unchanged model. A row that a change has
added has the path of the row beside which it was added, so freezing `bert` also
freezes an adapter in `bert`. A prompt belongs to the whole model, so its path is
empty, and operations select it if they have neither `under` nor `tag`. `at`, and the
operations `add`, `copy`, `store` and `remove`, only see rows of the unchanged
model, so nothing is adapted, packed or copied twice.

`targets.py` explains how to name the modules that get adapters, and `saving.py` how to name
those that PEFT copies and trains. A name that matches no module is refused, although PEFT
ignores it if other names match. If no modules are named, the library's default for the model
type is used (`modules` and `feedforward` of the method); if there is none, the change is refused.
A name may contain the number of a layer, such as `layer.3.output.dense`: then the row of
this layer is split off from the row of all layers before any operation is applied.

`product` marks a tensor that multiplies every vector that its module reads. A method with
`has_countable_operations` needs no arithmetic beyond that of the model and these products
(`computing.py`). `trained` is false for an added tensor that is not trained. `inside` marks
one that the adapters library puts into the module itself rather than into an adapter.

`needs` and `lacks` make an operation depend on an option, and `of` on a model type.

The operations
--------------
`resize` builds the model with a new size for the option's letter. If the vocabulary is
    resized, a bias of the head may be lost or keep its length, as in transformers.
`choose` builds it with another `choice`, such as untied weights.
`add` puts a tensor beside each row, or one beside the model if there is neither
    `at` nor `under`; the next section explains its shape. A module that has a tensor of
    this name keeps its own. With `one`, a single tensor is registered beside all rows.
`copy` trains a copy and keeps the original, so both count towards the total.
`save` copies and trains the modules that the option `save` names and, if PEFT is given
    a task type, the heads that PEFT knows. With the option `u`, it also trains some tokens.
`freeze` and `train` decide which rows are trained; with `first`, only the first layers
    are frozen.
`store` packs weights, which are then no longer trained.
`drop` deletes rows.
`remove` subtracts a part of each row for every pruned head.

The shape of an added tensor
----------------------------
A dimension is `in` or `out`, the widths of the row; a letter of the model, or one that the
method defines, such as `r`; a product such as `4*n`; or an expression such as `in/b`.

`divides` names letters that have to divide a width: PEFT refuses a matrix whose width they
    do not divide. `nearest` names letters that PEFT replaces by the nearest divisor.
`in_1` and `in_2` are the two factors into which LoKr splits the width `in`, and `out_1` and
    `out_2` those of `out`. They are found by trying divisors, so formulas show them as numbers.
`low` restricts an operation to rows for which the rank is less than half of the longer of
    the two sides that it names, and `full` to all other rows.
`most` is the largest value of the method's first letter.

`buffers` are the shapes of buffers that come with each tensor, with `width` bytes for each
element, and `shared` those of buffers that all rows share.

The order of changes
--------------------
`ChangedModel.build` sorts changes by `Method.stage`: `resize`, then `choose`, then the rest.
The sort is stable, so the order within a stage is kept. `lora:8:query,value
layers:6` is therefore the same as `layers:6 lora:8:query,value`: the adapters of
six layers. In the last stage, an operation sees the rows as earlier ones have left
them, and may undo what those have set. `bitfit frozen:6` trains the biases of the
upper six layers, while `frozen:6 bitfit` trains all biases, because BitFit begins by
freezing everything. It makes no difference whether weights are packed before or after
LoRA, because `store` only sees the model's own rows.

Some combinations are refused, for example two changes that set the same letter, two
methods with which a library wraps the model (PEFT or adapters), adapters and pruned
heads in either order, and a copy of weights that are already packed.

Doubts and limits
-----------------
Every method of a library, on its own, is compared with what the library builds from
real models (`tests/counting/test_changed.py`). So are hundreds of changes that name
arbitrary modules, including changes that PEFT refuses. A name that matches only modules
without parameters, such as `dropout`, is refused, although PEFT accepts it.
Combinations follow from the rules above; only a few are compared, such as frozen
parts, or LoRA on packed weights. Two are doubtful. `int4 bitfit` trains the
packed weights of the classifier, because `train` does not check how a row is stored;
`int4:classifier bitfit` avoids this. After `lora`, `bitfit` also trains the bias of
the classifier's copy, which has the tag of its original. A change does not specify
which heads are pruned: a total does not depend on it, and a listing takes them from the
first layers.

The calculator applies some of these changes in `docs/assets/counting/changes.js`, to rows
that are selected when the site is built; `tests/scripts/test_changes.py` compares the two.

>>> from macros.counting import ChangedModel, Question, model_named
>>> question = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
>>> changed = ChangedModel.build(question, ["lora:8:query,value"])
>>> changed.trainable, changed.number
(296450, 109780228)
>>> [ChangedModel.build(question, order).trainable for order in (["bitfit", "frozen:6"], ["frozen:6", "bitfit"])]
[53762, 104450]
"""
