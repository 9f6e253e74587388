"""Tests of the numbers that others print, and of the steps from theirs to ours."""
