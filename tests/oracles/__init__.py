"""Scripts that record what real implementations build, or run what pages say with them."""
