"""Other software: its names for tensors, its listings and summaries, and recordings of the models that it builds."""
