"""Recordings of real implementations, and the scripts that made them."""
