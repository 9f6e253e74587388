"""Tests of the numbers that people may have got, and of the ways that lead to them."""
