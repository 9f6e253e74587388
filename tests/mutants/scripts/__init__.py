"""Mutation testing of the scripts in docs/assets; see check.py."""
