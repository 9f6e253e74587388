"""The goals of `make bench`, which .github/CONTRIBUTING.md quotes."""

MIN_FIRST_RATIO = 500
"""How many times as fast as transformers the first count must be, at least."""

MIN_FURTHER_RATIO = 5_000
"""How many times as fast as transformers further counts must be, at least."""

MAX_COMMAND_MS = 80
"""The milliseconds that the command line may take at most."""
