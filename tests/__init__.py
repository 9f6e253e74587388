"""The tests, which hold the site to its promise: every number is computed, and none is typed."""
