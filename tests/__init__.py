"""The tests, which hold the site to its promise that every number is computed and none is typed."""
