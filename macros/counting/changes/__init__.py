r"""What people do to a model, as values: adapters, frozen parts, pruned heads, weights packed in four bits.

Rule 1: a change is a method of `data/changes.toml` with its options, written
as on the command line: `"lora:8:query,value"` or `"lora:r=8:modules=query+value"`.
Rule 2: a method is a list of operations on rows, which a path and a tag or the
names of modules select. An operation adds rows, whose shapes are written in
the selected matrix's `in` and `out` and in letters of the change's own; it
takes rows away, or copies, freezes, trains or stores them, or it has the model
built with another size or choice.
Rule 3: a model is built before anything is done to it, so its sizes and choices
are changed first; everything else follows in order, and one library at most
wraps the model. What is trained, what there is, and what it takes follow from
the rows that are there then, and from nothing else.

>>> from macros.counting import Changed, Question, model_named
>>> asked = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
>>> changed = Changed.of(asked, ["lora:8:query,value"])
>>> changed.trainable, changed.number
(296450, 109780228)
"""
