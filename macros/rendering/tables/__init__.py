"""The computed contents of the site's tables, one module per topic.

Pages write their own tables in Markdown, with captions and headings. A macro in
this package returns, for example, a cell, all rows as lines of Markdown, or a sum
that belongs to a table. Pages call it as in `{{ training.activations("layer") }}`.
If a module has macros for the pages of one topic, `TOPIC` lists them with the values
that pages loop over, and `macros/site.py` registers it. `parts.py` and `bridges.py`
build whole tables that any page can show, `libraries.py` returns rows for the topic of
listings, and `comparisons.py` keeps the comparisons that `verification.py` shows.
"""
