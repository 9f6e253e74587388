"""The computed contents of the site's tables, one module per topic.

A page writes its own tables in Markdown, with captions and headings. A macro
from here returns one cell, all rows as lines of Markdown, or a sum or form that
belongs to a table; a page calls it as in `{{ training.activations("layer") }}`.
`TOPIC` in each module names its macros and the values that pages loop over, and
`macros/site.py` registers it.
`parts.py` and `bridges.py` make whole tables, which any page may show.
"""
