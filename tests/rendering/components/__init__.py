"""Tests of the building blocks of pages."""
