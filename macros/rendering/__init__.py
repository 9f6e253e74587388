"""Everything that turns counts into strings for pages: HTML, MathML and SVG.

`components/` has the building blocks of all pages, such as numbers and formulas. `tables/` computes the contents
of the site's tables, `figures/` draws its figures, and `files/` generates the files that readers download and
scripts load. The modules next to these folders have the macros of a single page, such as the calculator, or of
several pages, such as sums that are worked out. Only `typed_numbers` renders nothing: it rejects pages on which
a number is typed.

Functions are plain: most take names and choices, query the engine, and return a string. An address within
the site starts with `pages.ROOT`; `macros.site` makes it relative to the page.
"""
