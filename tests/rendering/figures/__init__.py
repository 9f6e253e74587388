"""Tests of the drawings, each read back from its SVG."""
