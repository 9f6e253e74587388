"""Tests of the files in which figures are published."""
