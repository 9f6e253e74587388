"""Tests of the numbers that somebody may have got, and of the ways that lead to them."""
