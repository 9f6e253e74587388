"""Everything that turns counts into strings for pages: HTML, MathML and SVG.

`components/` has the building blocks of all pages, such as numbers and formulas. `tables/` computes the contents
of the site's tables, `figures/` draws its figures, and `files/` generates the files that readers download and
scripts load.

Functions are plain: most take names and choices, query the engine, and return a string. An address within
the site starts with `pages.ROOT`; `macros.site` makes it relative to the page.
"""
