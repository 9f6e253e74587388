"""Everything that turns counts into strings for pages: HTML, MathML and SVG.

`components/` has the building blocks of all pages, such as numbers and formulas. `tables/` computes the contents
of the site's tables, `figures/` draws its figures, and `files/` generates the files that readers download and
scripts load.

Every function is plain: it takes names and choices, queries the engine, and returns a string. An address
within the site starts with `pages.ROOT`; `macros.site` makes it relative to the page.
"""
