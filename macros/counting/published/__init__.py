"""Numbers that others print: what they count, by which convention, and how their numbers differ from ours.

`claims` holds printed numbers against the engine, `conventions` are ways in which
tools count, and `profilers` those of programs that count operations. `bridges` and
`relatives` lead from one number to another in steps. `conditions` checks quantities in
words, and `printed` reads a number as people write it. `others` has the totals of models
whose tensors are not counted here.
"""
