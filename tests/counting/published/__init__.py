"""Tests of the numbers that others print, and of the steps from their numbers to ours."""
