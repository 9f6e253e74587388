"""Tests of what frameworks call, list and print."""
