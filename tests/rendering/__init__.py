"""Tests of the rendering."""
