r"""The numbers that somebody may have got, the ways that lead to them, and how likely each way is.

When the site is built, the modules here work out what can be looked up: totals
(`known_numbers`), changed models (`changed_lines`), other sizes (`other_sizes`),
parts (`parts`) and everything else (`entries`). In the browser,
`docs/assets/explaining/` looks a number up and weighs the ways that lead to it.
This head explains the weighing: how a cost in `data/search.toml` decides between
"certain", "likely" and "possible".

Rule 1: a way explains a number: a model, a class, and what is counted, perhaps
with a mistake. Its costs add up.
Rule 2: one more makes a way four times less likely. Its weight is 4^-cost.
Rule 3: a text stands for the numbers in its windows. A way fits if its number is
in one of them, and all that fit share the likelihood by their weights.
Rule 4: what nobody here knows of has a weight as well.
Rule 5: a way is as sure as the smaller of two shares: that of its number in
everything that fits, and its own beside the unknown. From 0.9 it is `certain`,
from 0.5 `likely`, and below that `possible`.

What costs what
---------------
The costs are the prior: how often people mean a thing. Zero is BERT base or BERT
large as it was first released, as `BertModel`, `BertForPreTraining` or
`BertForMaskedLM`, counted rightly. Other models cost up to 4 (`groups.toml`,
`[costs.models]`), other classes 1, a part 1, a mistake 2 to 4 (its `usual` and 1
more), and each kind of answer what `[costs.ways]` says. Two mistakes cost their
sum; from the third on each costs one less, because people who slip twice slip again.
Two mistakes in one block are only tried if `[together]` gives their cost, as it does
for forgetting both small tables. So BERT base without the pooler costs 2, and BERT
base Chinese without it costs 3.

What was typed adds its own costs. A missing unit costs 1 or 2. If a rounded number has
a window wider than 0.05%, anything but a right total costs ½ more, and a mistake 1½,
because people round totals. What a source prints just so, with two mistakes or more,
costs 2 less. Ways that cost more than 5 are dropped: they are a thousand times less likely
than BERT base. Right totals are kept whatever they cost, and so are right parts if the
number is exact.

How windows share the likelihood
--------------------------------
An exact number is a window of one. A rounded number has several: half a unit of
its last digit to either side; wider ones in which zeros at its end were rounded,
too; and those in which digits were cut off rather than rounded, at a cost of 1. To
round to a single figure, so that 100M may be 50 to 150 million, costs 1 as well. A way
pays for the cheapest window that its number is in. The likelihood is flat: no number
in a window fits better than another. Ways to one number are added up before it is
compared with others.

So 110M fits 438 known numbers. Six of them cost nothing, none has more than 11% of the
weight, and all are `possible`. 108.9M fits 21. Only one of them costs nothing,
`BertForPreTraining` of BERT base, cased; it has 63%, which is `likely`.

What nobody knows of
--------------------
Against every way stands the weight of everything that we have never heard of,
`[unknown]`, in units of a way that costs nothing.
For a rounded number it is 5 times the width of its first window, as the natural
logarithm of the upper end over the lower: 0.005 for 108.9M, 0.05 for 110M.
For a percentage it is 60 times the width: 0.6 for 21%, 0.06 for 21.4%.
For a file, which also holds names and a frame, it is 10 × 100,000 / bytes.
For an exact number N it is 150 × H / N, because nearly all totals of one hidden size
leave the same remainder when divided by it: a coincidence can hit only one number in
H. It is never more than 0.0015; few people type a small number without a reason.

If a number is exact, usually no other number fits, so the second share decides. At
108,891,648 the unknown weighs 0.0011, and a way is certain up to a cost of 3:

>>> from macros.counting.search.known_numbers import search_rules
>>> rules = search_rules()
>>> unknown = rules["unknown"]["exact"] * 768 / 108_891_648
>>> weights = [rules["odds"] ** -cost for cost in (2, 3, 4, 5)]
>>> [round(weight / (weight + unknown), 2) for weight in weights]
[0.98, 0.94, 0.79, 0.48]
>>> rules["limits"]["certain"], rules["limits"]["likely"]
(0.9, 0.5)

BERT base without its pooler costs 2 and is `certain`. ELECTRA base costs 2, has the
same total, and is `certain` as well: both explain the number. The order of answers,
by cost, says which is the likelier one; the three words do not.

If no way to an exact number is at least `likely`, or all cost more than 3, a slip of
the fingers is looked for (`kinds/near.js`). It is called `likely` without being
weighed. If nothing is likely, the nearest right numbers follow as `possible`.

Doubts and limits
-----------------
The costs are our judgement, most in whole or half steps, not a count of what readers
typed. They are held by two lists of numbers with a teacher's reasons,
`teachers_numbers.toml` and `readers_numbers.toml` in `tests/docs`. The weights of
the unknown were chosen to make these lists come out, and are right to an order of
magnitude at best. `tests/scripts/test_chance.py` holds their purpose: of numbers drawn
at random that look like totals, at most 2% get more than `possible`.
Costs add up as if choices were independent. `together`, `relative-and-more` and the
rule for the third mistake are the exceptions that we know of.
The same deed in two descriptions counts twice for its number: a forgotten head, and
a class without one. The same way in several models counts once, as in the likeliest.
The border between the words moves with the number: at 335,141,888 a way that costs 5
is `likely`, at 109,482,240 only `possible`.
The unknown is taken at the hidden size of the first model named, and at 1 if an
answer is about no model.

All figures are in `data/search.toml`. `Search` and `cost_together` in
`known_numbers.py` add up costs of totals; `costAs`, `background` and `weighed` in
`docs/assets/explaining/explain.js` do the rest. `tests/scripts/test_confidence.py`
asks for the numbers in this text.
"""
