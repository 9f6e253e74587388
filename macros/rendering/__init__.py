"""Strings out: numbers, formulas, tables and figures as HTML, MathML and SVG.

Rooms: `components/` is what all pages are made of, `tables/` and `figures/` are
the tables and figures of the site, `files/` what readers download and scripts
load. Every function here is plain: it takes names and choices, asks the
engine, and returns a string. An address within the site starts with
`pages.ROOT`, which `macros.site` turns into a path relative to the page.
"""
