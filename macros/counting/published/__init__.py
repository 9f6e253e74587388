"""Numbers that others print: what they claim and by which convention, and the bridges from theirs to ours."""
