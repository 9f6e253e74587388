"""Print-outs of models as people paste them: what `tests.scripts.layouts` is made of."""
