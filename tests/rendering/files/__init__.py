"""Tests for the files that readers download and scripts load."""
