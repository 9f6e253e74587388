"""Numbers that others print: what they count, the conventions behind them, and how they differ from ours.

`claims` compares printed numbers with the engine's; `conventions` has the ways in which
tools count parameters, and `profilers` the ways in which programs count operations.
`bridges` and `relatives` lead from one number to another in steps. `conditions` checks
quantities in words, and `printed_numbers` reads a number as people write it. `printouts`
explains recorded print-outs line by line, and `others` has the totals of models whose
tensors are not counted here.
"""
