"""Tests for tables."""
