"""Tests for the figures, which are read back from their SVG."""
