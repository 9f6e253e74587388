"""Tests of the files that readers download and scripts load."""
