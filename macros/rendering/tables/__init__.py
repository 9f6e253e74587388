"""The computed contents of the site's tables, one module per topic.

A page writes its own tables in Markdown, with captions and headings. A macro
here returns one cell, or all rows as lines of Markdown, or a sum or form that
stands beside a table; a page calls it as in `{{ training.kept("layer") }}`.
`TOPIC` in each module names its macros and the values that pages loop over, and
`macros/site.py` registers it.
`parts.py` and `bridges.py` make whole tables, which any page may show.
"""
