"""How fast the engine is, measured by `make bench`."""
