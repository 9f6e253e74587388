"""Tests of counting."""
