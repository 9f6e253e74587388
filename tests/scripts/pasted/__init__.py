"""Print-outs of models as people paste them: the parts from which `tests.scripts.layouts` composes cases."""
