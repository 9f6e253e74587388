"""The computed contents of the site's tables, one module per topic.

Pages write their own tables in Markdown, with captions and headings. A macro in
this package returns, for example, a cell, all rows as lines of Markdown, or a sum
that belongs to a table. Pages call it as in `{{ training.activations("layer") }}`.
`TOPIC` in each module lists its macros and the values that pages loop over, and
`macros/site.py` registers it.
`parts.py` and `bridges.py` build whole tables that any page can show.
"""
