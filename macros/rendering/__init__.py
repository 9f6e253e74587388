"""Strings out: numbers, formulas, tables and figures as HTML, MathML and SVG.

Every function here is plain: it takes names and choices, asks the engine, and
returns a string. An address within the site starts with `links.ROOT`, which
`macros.site` turns into a path relative to the page.
"""
