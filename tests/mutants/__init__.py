"""Mutation testing of the engine; see check.py."""
