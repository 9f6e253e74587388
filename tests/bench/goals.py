"""The goals of `make bench`, which .github/CONTRIBUTING.md quotes."""

FIRST = 500
"""The first count must be at least this many times as fast as transformers."""

FURTHER = 5_000
"""A count of further sizes must be at least this many times as fast as transformers."""

COMMAND = 80
"""The milliseconds that the command line may take."""
