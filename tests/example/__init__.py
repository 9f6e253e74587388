"""Tests of the toy model."""
