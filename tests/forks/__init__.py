"""Whether other programs than MkDocs build the same site."""
