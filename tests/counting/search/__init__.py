"""Tests of the numbers that a reader may have got, and of the ways that lead to them."""
