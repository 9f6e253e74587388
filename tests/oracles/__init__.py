"""Scripts that record what real libraries build, run the snippets and statements of pages, or read question banks."""
