"""Other software: its names for the tensors, its listings and summaries, and recordings of what it has built."""
