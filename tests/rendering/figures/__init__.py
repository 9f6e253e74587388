"""Tests of the figures, which read them back from their SVG."""
