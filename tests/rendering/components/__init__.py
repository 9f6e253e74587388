"""Tests of what all pages are made of."""
