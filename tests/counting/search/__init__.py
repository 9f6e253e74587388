"""Tests of why people have other numbers."""
