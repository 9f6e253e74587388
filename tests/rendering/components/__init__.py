"""Tests for the building blocks of pages."""
