"""The goals of `make bench`, which .github/CONTRIBUTING.md quotes."""

MIN_FIRST_RATIO = 500
"""The first count must be at least this many times as fast as transformers."""

MIN_FURTHER_RATIO = 5_000
"""Further counts must be at least this many times as fast as transformers."""

MAX_COMMAND_MS = 80
"""The command line may take at most this many milliseconds."""
