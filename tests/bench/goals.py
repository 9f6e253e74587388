"""What `make bench` wants of the engine; README quotes it."""

FIRST = 500
"""How many times as fast as transformers the first count is at least."""

FURTHER = 5_000
"""Likewise for further sizes."""

COMMAND = 100
"""Milliseconds that the command line takes at most."""
