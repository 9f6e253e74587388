"""Scripts that record what real implementations build, or check the claims of pages by running them."""
