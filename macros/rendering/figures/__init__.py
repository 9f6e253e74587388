"""The figures of the site, drawn from the engine each time it is built."""
