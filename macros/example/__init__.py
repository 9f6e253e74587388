"""The toy model: a BERT with a hidden size of 4, small enough to compute by hand, with its weights and forward pass.

`weights.py` reads the sizes and the weights from `toy.toml`, and `forward.py`
computes all intermediate numbers from a sentence to the outputs. The pages about
parts show these numbers, and the engine counts the model like any other.
"""

from .forward import Head, Norm, Run, run
from .weights import TOY, Weights, toy

__all__ = ["TOY", "Head", "Norm", "Run", "Weights", "run", "toy"]
