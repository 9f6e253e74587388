"""Tests of what readers download and scripts load."""
