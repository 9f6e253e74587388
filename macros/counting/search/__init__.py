r"""The numbers that a reader may have got, the ways that lead to them, and the likelihood of each way.

When the site is built, the modules here compute what can be looked up: totals
(`known_numbers`), changed models (`changed_lines`), other sizes (`other_sizes`), parts
(`parts`) and single numbers (`entries`). In the browser, `docs/assets/explaining/` looks
a number up and weighs the ways that lead to it. This head explains the weighing: how the
costs in `data/search.toml` decide between "certain", "likely" and "possible". The answers
on pages only distinguish "possible" from the other two; exercises also check whether an
explanation is "certain". For any pasted text other than a lone number, the reader of this
kind of text in `docs/assets/reading/` sets the confidence itself.

Terms
-----
A *way* to a number consists of a model, a class, and the part that was counted,
perhaps with mistakes. A *form* is a mistake in one block, or a combination of several
mistakes there. A *reading* of a text is its number, its unit and its *windows*, the
ranges of numbers that it may mean. An *entry* is a single number that is listed with its
way, such as a total in print. In the scripts, a way with its number and its cost
is a *meaning*, and a meaning that fits a reading is an *explanation*. Answers show
explanations.

Rules
-----
Rule 1: the cost of a way is the sum of the costs of its model, its class, the part that
was counted, and its mistakes.
Rule 2: each further point of cost makes a way four times less likely: its weight
is 4^-cost.
Rule 3: a text means one of the numbers in its windows, such as 109.5 to 110.5 million
for 110M; see below. A way fits if its number is in one of them, and all ways that fit
share the likelihood in proportion to their weights.
Rule 4: the unknown, which represents every explanation that we have not thought of, has
a weight as well.
Rule 5: the confidence in a way is the smaller of two shares of the likelihood. The first
is the share of its number, if all numbers that fit and the unknown are compared. The
second is its own share, if only this way and the unknown are compared. From 0.9 on the
way is `certain`, from 0.5 on `likely`, and below that `possible`. A way with an
unusual size, such as a rank that few people choose, is never `certain`.

Costs
-----
The costs act as a prior: the more often people mean something, the less it costs. BERT
base and BERT large as they were first released, also with whole word masking, in the
classes `BertModel`, `BertForPreTraining` and `BertForMaskedLM`, cost nothing if they are
counted correctly.
Other models cost up to 4, by their group (`groups.toml`), as relatives (`[costs]`) or by
name (`[costs.models]`). Other classes cost 1, and so does a part; the cost of each kind
of answer is in `[costs.ways]`. A mistake costs 2 to 4, one more than its `rarity`
in `deviations.toml`; leaving out a part for which there is no such mistake costs 5.
Mistakes in different blocks cost their sum. From the third one on, each costs one less,
because people who slip twice slip again. Mistakes in one block are only tried together if
`[together]` gives their joint cost, as it does for forgetting both small tables. So
BERT base without the pooler costs 2, and BERT base Chinese without it costs 3. In a
relative, anything but a correct total costs 2 more, and the deviations in
`[usual_in_relatives]` cost less. A total that a source prints costs at most 1, whatever
its model and mistakes. So does the correct total of a model if its name or its
publisher gives exactly the rounded figure that was typed.

The text itself adds costs. A missing unit costs 1 to 2½ (`[unsaid]`). A rounded part
costs 1 more. If a rounded number has a window wider than 0.05%, everything except a
correct total costs ½ more, and most mistakes that no source prints 1½ more, because people
round totals. If a source prints exactly the text that was
typed, and made two or more mistakes, the way costs 2 less: 75641856 therefore costs −1.
Ways that cost more than 5 are dropped, because they are over a thousand times less likely
than BERT base. Correct totals are kept at any cost, and so are correct parts if the
number is exact.

What is tried
-------------
An exact count is compared with everything except shares and the figures in models' names,
but with operations and with bytes only if it is large. A rounded count is compared with
less: correct totals; totals with a single mistake that cost at most 2
(`limits.max_cost_rounded`); totals in print; models of which only totals are known; figures
in models' names; parts that are counted correctly or include a tied decoder, but not in
only some of the layers; changes with the values listed in `values`; sums and differences,
if the count has three digits or more; and operations, if it is large. It is never taken for a
size, a number of tensors, or the total of a model with changed sizes. An amount of memory, exact
or rounded, may also be the size of a file, which holds the weights of a whole model, their
names and a header.

How windows share the likelihood
--------------------------------
The window of an exact number contains this number only. A rounded number has several
windows. The first is half a unit of its last digit on either side. Wider ones are tried
in case zeros at its end are due to rounding as well, and further ones, at a cost of 1, in
case digits were cut off rather than rounded. Rounding to a single figure, so that 100M
may be 50 to 150 million, costs 1 as well. A way has the cost of the cheapest window that
contains its number. The likelihood is flat: no number in a window fits better than
another. The weights of all ways to one number are added up before it is compared with
other numbers.

For example, 110M fits 488 known numbers. Six of them have a way that costs nothing, and
all are `possible`. 108.9M fits 24. Only one of them costs nothing, `BertForPreTraining`
of BERT base cased, which is `likely`; the other 23 are `possible`.

The unknown
-----------
The weight of the unknown is in `[unknown]`, in units of a way that costs nothing.
For a rounded number it is 5 times the width of its first window; the width is the
natural logarithm of the upper end over the lower end. So the unknown weighs 0.005 for
108.9M, and 0.05 for 110M.
For a percentage or a ratio it is 60 times the difference between the two ends: 0.6 for
21%, and 0.06 for 21.4%.
For a file, which also holds names and a header, it is 10 × 100,000 / bytes.
For an exact number N it is 150 × H / N. Nearly all totals of one hidden size leave the
same remainder when divided by it, so only one number in H can be hit by coincidence. The
weight is never more than 0.0015, because few people type a small number without
a reason.

If a number is exact, there is usually no other number that fits, so the second share
decides. At 108,891,648 the unknown weighs 0.0011, and a way is certain up to a cost
of 3:

>>> from macros.counting.search.known_numbers import search_data
>>> data = search_data()
>>> unknown = data["unknown"]["exact"] * 768 / 108_891_648
>>> weights = [data["odds"] ** -cost for cost in (2, 3, 4, 5)]
>>> [round(weight / (weight + unknown), 2) for weight in weights]
[0.98, 0.94, 0.79, 0.48]
>>> data["limits"]["certain"], data["limits"]["likely"]
(0.9, 0.5)

BERT base without its pooler costs 2 and is `certain`. ELECTRA base costs 2, has the
same total, and is `certain` as well: both explain the number. The answers are ordered
by cost, so the first is the likeliest; the three words do not distinguish them. If the
first is a total with mistakes that no source prints, its sentence also names other sets
of as many mistakes in the same model and class that cost at most one more.

Ways that differ only in model, class or source share an answer, at the cost of the
cheapest. The answer names the models of the ways that have the cheapest way's class, and
the classes of the ways that have its model, in the order of `usual_classes`. A way that
shares neither the class nor the model is left out. So the answer for ELECTRA base does
not name DPR, which has the same total.

If no way to an exact number is at least `likely`, or all of them cost more than 3, the
search considers typing errors (`kinds/near.js`), but only in numbers of six digits or
more. It compares these only with numbers that people are likely to copy by hand: the
correct numbers that cost at most 2 (`limits.max_cost_at_hand`). A typing error costs 6, and
a difference of one costs 3, in addition to the number itself. These answers are not weighed:
an answer that costs at most 7 in total is `likely`, and any other is `possible`.
If a known way is at least `likely`, these answers are added only if the first of them is
cheaper, and come before it. Otherwise they come before the known ways if the first of them
is `likely`, and after them if it is not; the nearest correct numbers follow, as `possible`.
The answers to a typed sum agree with its widths and its vocabulary (`typed-sizes.js`); the
nearest numbers, which would be coincidences there, are left out.

Doubts and limits
-----------------
The costs, most of them whole or half points, are our judgement; nobody has counted what
readers type. They are tested with two lists of numbers for which a teacher gave the
reasons, `teachers_numbers.toml` and `readers_numbers.toml` in `tests/docs`. The weights
of the unknown were chosen so that these lists come out as expected, and are correct to an
order of magnitude at best. `tests/scripts/test_chance.py` tests their purpose: of random
numbers that look like totals, at most 2% get more than `possible`, not counting typing
errors.
Costs add up as if choices were independent; `together`, `relative-and-more` and the
rule for the third mistake correct for dependences that we know of.
An action that can be described in two ways adds its weight twice: a forgotten head is
also a class without that head. The same way in several models counts once, with the cost
of the likeliest model.
The cost at which `likely` becomes `possible` depends on the number: at 335,141,888 a
way that costs 5 is `likely`, at 109,482,240 only `possible`.
The unknown is computed with the hidden size of the first model in an answer, and with 1
if an answer is about no model.

Most figures are in `data/search.toml`. The costs of groups are in `groups.toml` and
those of mistakes in `deviations.toml`. Thresholds such as `ROUGH_UNCERTAINTY`,
`MIN_BYTES` and `MIN_DIGITS`, and the costs of a few rare ways, are in the modules that
use them. `SearchRules` and `cost_together` in `known_numbers.py` add up the costs of
totals; `costAsExplanation`, `weightOfUnknown` and `withConfidence` in
`docs/assets/explaining/explain.js` do the rest. `tests/scripts/test_confidence.py` checks
the examples in this text, and `test_costs.py` in the same folder has one example for each
rule.
"""
