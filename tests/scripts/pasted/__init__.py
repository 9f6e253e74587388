"""Print-outs of models as readers paste them: the parts from which `tests.scripts.layouts` composes cases."""
