"""Tests for rendering."""
