"""Everything that turns counts into strings for pages: HTML, MathML and SVG.

`components/` holds the building blocks of all pages, such as numbers and formulas. `tables/` holds what is
computed in the tables of the site, `figures/` its figures, and `files/` what readers download and scripts
load.

Every function here is plain: it takes names and choices, asks the engine, and returns a string. An address
within the site starts with `pages.ROOT`; `macros.site` turns it into one that is relative to the page.
"""
