"""BERT, counted: the engine, its rendering and the macros of the site."""
